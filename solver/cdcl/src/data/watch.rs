//! Watch lists: for every literal, the clauses that must be looked at when it becomes false.
//!
//! A watch is eight bytes: a blocking literal (Chu, Harwood and Stuckey, 2008; whenever it is true the clause need not
//! be visited) and a word that is the clause's reference or says that the clause is binary, in which case the blocking
//! literal is all there is to know. All lists lie in one array; a list that outgrows its place moves to the end and leaves
//! a gap, which [`Watches::compact`] removes. One array costs twelve bytes a literal for its bounds and no allocator
//! overhead, and can be filled exactly when a whole formula is connected at once.

use super::arena::ClauseRef;
use putnam_formula::Lit;

const BINARY_IRREDUNDANT: u32 = u32::MAX;
const BINARY_REDUNDANT: u32 = u32::MAX - 1;

/// One entry of a watch list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Watch {
    /// A literal of the clause other than the watched one; for a binary clause the other one.
    pub(crate) blocking: Lit,
    tag: u32,
}

impl Watch {
    #[inline]
    pub(crate) fn binary(other: Lit, redundant: bool) -> Self {
        Self { blocking: other, tag: if redundant { BINARY_REDUNDANT } else { BINARY_IRREDUNDANT } }
    }

    #[inline]
    pub(crate) fn large(blocking: Lit, clause: ClauseRef) -> Self {
        Self { blocking, tag: clause.word() }
    }

    #[inline]
    pub(crate) fn is_binary(self) -> bool {
        self.tag >= BINARY_REDUNDANT
    }

    /// Whether a binary clause was learned.
    #[inline]
    pub(crate) fn is_redundant_binary(self) -> bool {
        self.tag == BINARY_REDUNDANT
    }

    /// The clause, when it is not binary.
    #[inline]
    pub(crate) fn clause(self) -> ClauseRef {
        debug_assert!(!self.is_binary());
        ClauseRef::from_word(self.tag)
    }
}

#[derive(Clone, Copy, Default)]
struct Span {
    start: u32,
    len: u32,
    capacity: u32,
}

/// The lists of all literals.
///
/// Invariant: spans lie inside the array and do not overlap, and no length exceeds its capacity.
#[derive(Default)]
pub(crate) struct Watches {
    spans: Vec<Span>,
    array: Vec<Watch>,
    /// Entries of the array that belong to no span.
    gaps: usize,
}

const PADDING: Watch = Watch { blocking: Lit::from_code(0), tag: BINARY_IRREDUNDANT };

impl Watches {
    /// Makes room for another variable.
    pub(crate) fn grow(&mut self) {
        self.spans.extend_from_slice(&[Span::default(); 2]);
    }

    /// The number of literals.
    pub(crate) fn num_lists(&self) -> usize {
        self.spans.len()
    }

    #[inline]
    pub(crate) fn get(&self, lit: Lit) -> &[Watch] {
        let span = self.spans[lit.code()];
        &self.array[span.start as usize..(span.start + span.len) as usize]
    }

    #[inline]
    pub(crate) fn get_mut(&mut self, lit: Lit) -> &mut [Watch] {
        let span = self.spans[lit.code()];
        &mut self.array[span.start as usize..(span.start + span.len) as usize]
    }

    /// Where the list of a literal lies, and its length.
    ///
    /// # Safety
    /// The literal's variable must exist. The pointer serves until the next push to any list.
    #[inline]
    pub(crate) unsafe fn raw(&mut self, lit: Lit) -> (*mut Watch, usize) {
        debug_assert!(lit.code() < self.spans.len());
        // SAFETY: every literal of an existing variable has a span, and spans lie inside the array.
        unsafe {
            let span = *self.spans.get_unchecked(lit.code());
            (self.array.as_mut_ptr().add(span.start as usize), span.len as usize)
        }
    }

    /// Appends to the list of `lit`.
    #[inline]
    pub(crate) fn push(&mut self, lit: Lit, watch: Watch) {
        let span = &mut self.spans[lit.code()];
        if span.len == span.capacity {
            self.enlarge(lit);
        }
        let span = &mut self.spans[lit.code()];
        self.array[(span.start + span.len) as usize] = watch;
        span.len += 1;
    }

    /// [`Watches::push`] without checks; the answer says whether lists may have moved.
    ///
    /// # Safety
    /// The literal's variable must exist.
    #[inline]
    pub(crate) unsafe fn push_unchecked(&mut self, lit: Lit, watch: Watch) -> bool {
        debug_assert!(lit.code() < self.spans.len());
        // SAFETY: every literal of an existing variable has a span; below its capacity there is room inside the array.
        unsafe {
            let span = self.spans.get_unchecked_mut(lit.code());
            if span.len == span.capacity {
                self.push(lit, watch);
                return true;
            }
            self.array.as_mut_ptr().add((span.start + span.len) as usize).write(watch);
            span.len += 1;
            false
        }
    }

    #[cold]
    #[inline(never)]
    fn enlarge(&mut self, lit: Lit) {
        let span = self.spans[lit.code()];
        let capacity = span.capacity.saturating_mul(2).max(4);
        let start = self.array.len();
        assert!(start + (capacity as usize) < u32::MAX as usize, "watch lists exhausted");
        // At the end of the array a list grows where it is.
        if (span.start + span.capacity) as usize == start && span.capacity > 0 {
            self.array.resize(start + (capacity - span.capacity) as usize, PADDING);
            self.spans[lit.code()].capacity = capacity;
            return;
        }
        self.array.resize(start + capacity as usize, PADDING);
        let old = span.start as usize;
        self.array.copy_within(old..old + span.len as usize, start);
        self.spans[lit.code()] = Span { start: start as u32, len: span.len, capacity };
        self.gaps += span.capacity as usize;
    }

    /// Makes room for `counts[code]` more watches in the list of each literal, all at once.
    pub(crate) fn reserve(&mut self, counts: &[u32]) {
        self.rebuild(|code, span| span.len + counts.get(code).copied().unwrap_or(0));
    }

    /// Whether a quarter of the array is gaps.
    pub(crate) fn wants_compacting(&self) -> bool {
        self.gaps > self.array.len() / 4 + 1024
    }

    /// Removes the gaps.
    pub(crate) fn compact(&mut self) {
        self.rebuild(|_, span| span.len + span.len / 8);
    }

    fn rebuild(&mut self, capacity: impl Fn(usize, &Span) -> u32) {
        let total: usize = self.spans.iter().enumerate().map(|(code, span)| capacity(code, span) as usize).sum();
        assert!(total < u32::MAX as usize, "watch lists exhausted");
        let mut array = Vec::with_capacity(total);
        for (code, span) in self.spans.iter_mut().enumerate() {
            let capacity = capacity(code, span);
            let start = array.len() as u32;
            array.extend_from_slice(&self.array[span.start as usize..(span.start + span.len) as usize]);
            array.resize((start + capacity) as usize, PADDING);
            *span = Span { start, len: span.len, capacity };
        }
        self.array = array;
        self.gaps = 0;
    }

    /// Keeps the watches for which `keep` answers true, in their order; `keep` may change them.
    pub(crate) fn retain(&mut self, lit: Lit, mut keep: impl FnMut(&mut Watch) -> bool) {
        let list = self.get_mut(lit);
        let mut kept = 0;
        for i in 0..list.len() {
            let mut watch = list[i];
            if keep(&mut watch) {
                list[kept] = watch;
                kept += 1;
            }
        }
        self.truncate(lit, kept);
    }

    /// Keeps the first `len` watches.
    #[inline]
    pub(crate) fn truncate(&mut self, lit: Lit, len: usize) {
        let span = &mut self.spans[lit.code()];
        debug_assert!(len <= span.len as usize);
        span.len = len as u32;
    }

    /// Bytes that are held.
    pub(crate) fn bytes(&self) -> usize {
        self.array.capacity() * size_of::<Watch>() + self.spans.capacity() * size_of::<Span>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lit(number: i32) -> Lit {
        Lit::from_dimacs(number).unwrap()
    }

    #[test]
    fn watches_are_eight_bytes() {
        assert_eq!(size_of::<Watch>(), 8);
    }

    #[test]
    fn lists_keep_their_order_through_growth_and_compaction() {
        let mut watches = Watches::default();
        (0..8).for_each(|_| watches.grow());
        let mut expected = vec![Vec::new(); 16];
        for i in 0..500u32 {
            let code = (i * i % 16) as usize;
            let watch = if i % 3 == 0 {
                Watch::binary(lit(1), i % 2 == 0)
            } else {
                Watch::large(lit(2), ClauseRef::from_word(i))
            };
            watches.push(Lit::from_code(code), watch);
            expected[code].push(watch);
            if i == 250 {
                watches.reserve(&[3; 16]);
            }
        }
        let check = |watches: &Watches, expected: &[Vec<Watch>]| {
            for (code, list) in expected.iter().enumerate() {
                assert_eq!(watches.get(Lit::from_code(code)), list);
            }
        };
        check(&watches, &expected);
        watches.compact();
        check(&watches, &expected);
        for (code, list) in expected.iter_mut().enumerate() {
            list.retain(|w| w.is_binary());
            watches.retain(Lit::from_code(code), |w| w.is_binary());
        }
        check(&watches, &expected);
        assert!(expected[0].iter().any(|w| w.is_redundant_binary()));
    }
}
