//! A list for every literal, all in one array: twelve bytes a literal for the bounds, no allocator overhead, and room
//! for exactly what comes when a whole formula is listed at once. A list that outgrows its place moves to the end and
//! leaves a gap; instead of growing an array of which a third is unused, the lists move together, in the array itself,
//! so that they are never there twice.

use putnam_formula::{Lit, Scratch};

#[derive(Clone, Copy, Default)]
struct Span {
    start: u32,
    len: u32,
    capacity: u32,
}

impl Span {
    fn range(self) -> std::ops::Range<usize> {
        self.start as usize..(self.start + self.len) as usize
    }
}

const CACHE_LINE: usize = 64;
/// From so many bytes on an array is not made twice as long.
const LARGE: usize = 1 << 20;

/// Cache lines of so many entries side by side.
#[inline]
pub(crate) fn lines<T>(entries: usize) -> u64 {
    (entries * size_of::<T>()).div_ceil(CACHE_LINE) as u64
}

/// The lists.
///
/// Invariant: spans lie inside the array and do not overlap, and no length exceeds its capacity.
pub(crate) struct Lists<T> {
    spans: Scratch<Span>,
    array: Scratch<T>,
    /// Entries of the array that belong to no span.
    gaps: usize,
}

impl<T> Default for Lists<T> {
    fn default() -> Self {
        Self { spans: Scratch::new(), array: Scratch::new(), gaps: 0 }
    }
}

impl<T: Copy> Lists<T> {
    /// Empty lists for so many literals.
    pub(crate) fn new(num_lits: usize) -> Self {
        Self { spans: vec![Span::default(); num_lits].into(), ..Self::default() }
    }

    /// Makes room for another variable.
    pub(crate) fn grow(&mut self) {
        self.spans.extend_from_slice(&[Span::default(); 2]);
    }

    /// The number of literals.
    pub(crate) fn num_lists(&self) -> usize {
        self.spans.len()
    }

    #[inline]
    pub(crate) fn len(&self, lit: Lit) -> usize {
        self.spans[lit.code()].len as usize
    }

    #[inline]
    pub(crate) fn get(&self, lit: Lit) -> &[T] {
        &self.array[self.spans[lit.code()].range()]
    }

    #[inline]
    pub(crate) fn get_mut(&mut self, lit: Lit) -> &mut [T] {
        &mut self.array[self.spans[lit.code()].range()]
    }

    /// Cache lines of a literal's list.
    #[inline]
    pub(crate) fn lines(&self, lit: Lit) -> u64 {
        lines::<T>(self.len(lit))
    }

    /// Where the list of a literal lies, and its length.
    ///
    /// # Safety
    /// The literal's variable must exist. The pointer serves until the next push to any list.
    #[inline]
    pub(crate) unsafe fn raw(&mut self, lit: Lit) -> (*mut T, usize) {
        debug_assert!(lit.code() < self.spans.len());
        // SAFETY: every literal of an existing variable has a span, and spans lie inside the array.
        unsafe {
            let span = *self.spans.get_unchecked(lit.code());
            (self.array.as_mut_ptr().add(span.start as usize), span.len as usize)
        }
    }

    /// Appends to the list of `lit`.
    #[inline]
    pub(crate) fn push(&mut self, lit: Lit, entry: T) {
        self.extend(lit, &[entry]);
    }

    /// Appends one or two entries to the list of `lit`.
    #[inline]
    pub(crate) fn extend(&mut self, lit: Lit, entries: &[T]) {
        debug_assert!((1..=2).contains(&entries.len()));
        let count = entries.len() as u32;
        let span = self.spans[lit.code()];
        if span.len + count > span.capacity {
            self.enlarge(lit, count, entries[0]);
        }
        let span = &mut self.spans[lit.code()];
        let end = (span.start + span.len) as usize;
        self.array[end..end + entries.len()].copy_from_slice(entries);
        span.len += count;
    }

    /// [`Lists::extend`] by two without checks; the answer says whether lists may have moved.
    ///
    /// # Safety
    /// The literal's variable must exist.
    #[inline]
    pub(crate) unsafe fn push_pair_unchecked(&mut self, lit: Lit, pair: [T; 2]) -> bool {
        debug_assert!(lit.code() < self.spans.len());
        // SAFETY: every literal of an existing variable has a span; below its capacity there is room inside the array.
        unsafe {
            let span = self.spans.get_unchecked_mut(lit.code());
            if span.len + 2 > span.capacity {
                self.extend(lit, &pair);
                return true;
            }
            self.array.as_mut_ptr().add((span.start + span.len) as usize).cast::<[T; 2]>().write(pair);
            span.len += 2;
            false
        }
    }

    /// Gives the list of `lit` room for one or two more.
    #[cold]
    #[inline(never)]
    fn enlarge(&mut self, lit: Lit, more: u32, filler: T) {
        // From a capacity of two on, twice as much has room for two more.
        let wanted = |span: Span| span.capacity.saturating_mul(2).max(4);
        let full = self.array.len() + wanted(self.spans[lit.code()]) as usize > self.array.capacity();
        if full && self.array.len() > 1024 && self.entries() < self.array.len() / 3 * 2 {
            self.compact(filler);
        }
        let span = self.spans[lit.code()];
        if span.len + more <= span.capacity {
            return;
        }
        let capacity = wanted(span);
        let end = self.array.len();
        assert!(end + (capacity as usize) < u32::MAX as usize, "literal lists exhausted");
        // At the end of the array a list grows where it is.
        if (span.start + span.capacity) as usize == end && span.capacity > 0 {
            self.lengthen((capacity - span.capacity) as usize, filler);
            self.spans[lit.code()].capacity = capacity;
            return;
        }
        self.lengthen(capacity as usize, filler);
        self.array.copy_within(span.range(), end);
        self.spans[lit.code()] = Span { start: end as u32, len: span.len, capacity };
        self.gaps += span.capacity as usize;
    }

    /// Makes the array longer, a large one by a quarter.
    fn lengthen(&mut self, more: usize, filler: T) {
        let array = &mut *self.array;
        if array.len() + more > array.capacity() {
            let step = if size_of_val(&array[..]) < LARGE { array.len() } else { array.len() / 4 };
            array.reserve_exact(more.max(step));
        }
        array.resize(array.len() + more, filler);
    }

    /// The entries of all lists.
    fn entries(&self) -> usize {
        self.spans.iter().map(|span| span.len as usize).sum()
    }

    /// Makes room for `counts[code]` more entries in the list of each literal, and for no others. What lies between is
    /// `filler`.
    pub(crate) fn reserve(&mut self, counts: &[u32], filler: T) {
        self.rearrange(|code, span| span.len + counts.get(code).copied().unwrap_or(0), filler);
    }

    /// Whether a quarter of the array is gaps.
    pub(crate) fn wants_compacting(&self) -> bool {
        self.gaps > self.array.len() / 4 + 1024
    }

    /// Removes the gaps.
    pub(crate) fn compact(&mut self, filler: T) {
        self.rearrange(|_, span| span.len + span.len / 8, filler);
    }

    /// Gives every list its capacity, in the order in which they lie: first all move down until they touch, then up
    /// again, from the last on.
    fn rearrange(&mut self, capacity: impl Fn(usize, Span) -> u32, filler: T) {
        let mut order: Scratch<u32> = (0..self.spans.len() as u32).collect();
        order.sort_unstable_by_key(|&code| (self.spans[code as usize].start, code));
        let mut end = 0;
        let mut total = 0;
        for &code in &order {
            let span = self.spans[code as usize];
            if span.len > 0 {
                self.array.copy_within(span.range(), end as usize);
            }
            let capacity = capacity(code as usize, span);
            self.spans[code as usize] = Span { start: end, len: span.len, capacity };
            end += span.len;
            total += capacity as usize;
        }
        assert!(total < u32::MAX as usize, "literal lists exhausted");
        self.array.truncate(end as usize);
        self.array.shrink_to(total + total / 4);
        self.array.reserve_exact(total - end as usize);
        self.array.resize(total, filler);
        let mut start = total as u32;
        for &code in order.iter().rev() {
            let span = self.spans[code as usize];
            start -= span.capacity;
            if span.len > 0 {
                self.array.copy_within(span.range(), start as usize);
            }
            self.spans[code as usize].start = start;
        }
        self.gaps = 0;
    }

    /// Keeps the entries for which `keep` answers true, in their order; `keep` may change them.
    pub(crate) fn retain(&mut self, lit: Lit, mut keep: impl FnMut(&mut T) -> bool) {
        let list = self.get_mut(lit);
        let mut kept = 0;
        for i in 0..list.len() {
            let mut entry = list[i];
            if keep(&mut entry) {
                list[kept] = entry;
                kept += 1;
            }
        }
        self.truncate(lit, kept);
    }

    /// Keeps the first `len` entries.
    #[inline]
    pub(crate) fn truncate(&mut self, lit: Lit, len: usize) {
        let span = &mut self.spans[lit.code()];
        debug_assert!(len <= span.len as usize);
        span.len = len as u32;
    }

    /// Bytes that are held.
    pub(crate) fn bytes(&self) -> usize {
        self.array.capacity() * size_of::<T>() + self.spans.capacity() * size_of::<Span>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::random::Random;

    #[test]
    fn lists_keep_their_order_through_growth_and_compaction() {
        let mut random = Random::new(1);
        let mut lists: Lists<u32> = Lists::new(10);
        (0..3).for_each(|_| lists.grow());
        let mut expected = vec![Vec::new(); 16];
        let mut largest = 0;
        for i in 0..20_000u32 {
            // Few lists get most of the entries, so that they move often.
            let code = (random.below(4) * random.below(6)) as usize;
            let lit = Lit::from_code(code);
            match random.below(2000) {
                0 => lists.compact(0),
                1 => lists.reserve(&[i % 7; 12], 0),
                2 => {
                    lists.retain(lit, |entry| *entry % 3 == 0);
                    expected[code].retain(|entry| entry % 3 == 0);
                }
                3 => {
                    lists.truncate(lit, 0);
                    expected[code].clear();
                }
                4..900 => {
                    lists.extend(lit, &[i, i]);
                    expected[code].extend([i, i]);
                }
                _ => {
                    lists.push(lit, i);
                    expected[code].push(i);
                }
            }
            largest = largest.max(lists.array.len());
            if i % 50 == 0 {
                assert!((0..16).all(|code| lists.get(Lit::from_code(code)) == expected[code]));
                let mut spans: Vec<Span> = lists.spans.iter().copied().filter(|span| span.capacity > 0).collect();
                spans.sort_unstable_by_key(|span| span.start);
                assert!(spans.windows(2).all(|pair| pair[0].start + pair[0].capacity <= pair[1].start));
                let used: usize = spans.iter().map(|span| span.capacity as usize).sum();
                assert_eq!(used + lists.gaps, lists.array.len());
            }
        }
        let entries: usize = expected.iter().map(Vec::len).sum();
        assert!(entries > 1000 && largest < 100_000, "{entries} {largest}");
    }
}
