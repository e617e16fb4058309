//! Watch lists: for every literal, the clauses that must be looked at when it becomes false.
//!
//! The lists are words. The first of a watch is a blocking literal (Chu, Harwood and Stuckey, 2008; whenever it is true
//! the clause need not be visited) and two bits: whether the clause is binary, in which case the blocking literal is
//! all there is to know and the watch has no other word, and if so, whether it was learned. Otherwise the clause's
//! reference follows. Many formulas consist of binary clauses for the most part, so a word less for each is a lot (the
//! layout is Kissat's).

use super::arena::ClauseRef;
use super::lists::Lists;
use putnam_formula::Lit;

const BINARY: u32 = 1 << 31;
const REDUNDANT: u32 = 1 << 30;
const LIT: u32 = REDUNDANT - 1;

/// Literals of more variables do not fit beside the bits.
pub(crate) const MAX_VARS: usize = 1 << 29;

/// Whether a watch that begins with this word has no other.
#[inline]
pub(crate) fn is_binary_word(word: u32) -> bool {
    word & BINARY != 0
}

/// The blocking literal of a watch that begins with this word.
#[inline]
pub(crate) fn blocking_of_word(word: u32) -> Lit {
    Lit::from_code((word & LIT) as usize)
}

/// The first word of a watch of a large clause.
#[inline]
pub(crate) fn large_word(blocking: Lit) -> u32 {
    debug_assert!(blocking.code() <= LIT as usize);
    blocking.code() as u32
}

/// One entry of a watch list, unpacked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Watch {
    /// A literal of the clause other than the watched one; for a binary clause the other one.
    pub(crate) blocking: Lit,
    tag: u32,
}

const BINARY_IRREDUNDANT: u32 = u32::MAX;
const BINARY_REDUNDANT: u32 = u32::MAX - 1;

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

    /// The words, of which a binary clause has only the first, and their number.
    #[inline]
    fn pack(self) -> ([u32; 2], usize) {
        let word = large_word(self.blocking);
        match self.tag {
            BINARY_IRREDUNDANT => ([word | BINARY, 0], 1),
            BINARY_REDUNDANT => ([word | BINARY | REDUNDANT, 0], 1),
            clause => ([word, clause], 2),
        }
    }
}

/// The watches of one literal.
#[derive(Clone, Copy)]
pub(crate) struct List<'a>(&'a [u32]);

impl<'a> List<'a> {
    /// The number of words: that of the watches when all are binary.
    #[inline]
    pub(crate) fn words(self) -> usize {
        self.0.len()
    }

    #[inline]
    pub(crate) fn iter(self) -> Iter<'a> {
        Iter(self.0)
    }
}

impl<'a> IntoIterator for List<'a> {
    type Item = Watch;
    type IntoIter = Iter<'a>;

    #[inline]
    fn into_iter(self) -> Iter<'a> {
        self.iter()
    }
}

/// Unpacks the watches of a list.
#[derive(Clone)]
pub(crate) struct Iter<'a>(&'a [u32]);

impl Iterator for Iter<'_> {
    type Item = Watch;

    #[inline]
    fn next(&mut self) -> Option<Watch> {
        let (&word, rest) = self.0.split_first()?;
        let blocking = blocking_of_word(word);
        if is_binary_word(word) {
            self.0 = rest;
            return Some(Watch::binary(blocking, word & REDUNDANT != 0));
        }
        let (&clause, rest) = rest.split_first()?;
        self.0 = rest;
        Some(Watch::large(blocking, ClauseRef::from_word(clause)))
    }
}

/// The watch lists of all literals.
///
/// Invariant: a list is a sequence of whole watches.
#[derive(Default)]
pub(crate) struct Watches(Lists<u32>);

impl Watches {
    /// Makes room for another variable.
    pub(crate) fn grow(&mut self) {
        self.0.grow();
    }

    /// The number of literals.
    pub(crate) fn num_lists(&self) -> usize {
        self.0.num_lists()
    }

    #[inline]
    pub(crate) fn get(&self, lit: Lit) -> List<'_> {
        List(self.0.get(lit))
    }

    /// The other literals of the binary clauses of a literal that were not learned.
    #[inline]
    pub(crate) fn irredundant_binaries(&self, lit: Lit) -> impl Iterator<Item = Lit> + '_ {
        self.get(lit).iter().filter(|w| w.is_binary() && !w.is_redundant_binary()).map(|w| w.blocking)
    }

    /// Cache lines of a literal's list.
    #[inline]
    pub(crate) fn lines(&self, lit: Lit) -> u64 {
        self.0.lines(lit)
    }

    /// The watch at word `at` of a list, or none at its end; `at` becomes the place of the next.
    #[inline]
    pub(crate) fn next(&self, lit: Lit, at: &mut usize) -> Option<Watch> {
        let mut iter = Iter(&self.0.get(lit)[*at..]);
        let watch = iter.next();
        *at = self.0.len(lit) - iter.0.len();
        watch
    }

    /// Appends to the list of `lit`.
    #[inline]
    pub(crate) fn push(&mut self, lit: Lit, watch: Watch) {
        let (words, count) = watch.pack();
        self.0.extend(lit, &words[..count]);
    }

    /// Keeps the watches for which `keep` answers true, in their order; `keep` may change them, but not make binary
    /// ones of large ones or the reverse.
    pub(crate) fn retain(&mut self, lit: Lit, mut keep: impl FnMut(&mut Watch) -> bool) {
        let (mut read, mut write) = (0, 0);
        while let Some(mut watch) = self.next(lit, &mut read) {
            let binary = watch.is_binary();
            if keep(&mut watch) {
                debug_assert_eq!(watch.is_binary(), binary);
                let (words, count) = watch.pack();
                self.0.get_mut(lit)[write..write + count].copy_from_slice(&words[..count]);
                write += count;
            }
        }
        self.0.truncate(lit, write);
    }

    /// Empties a list.
    pub(crate) fn clear(&mut self, lit: Lit) {
        self.0.truncate(lit, 0);
    }

    /// Makes room for `words[code]` more words in the list of each literal, and for no others.
    pub(crate) fn reserve(&mut self, words: &[u32]) {
        self.0.reserve(words, 0);
    }

    /// Whether a quarter of the array is gaps.
    pub(crate) fn wants_compacting(&self) -> bool {
        self.0.wants_compacting()
    }

    /// Removes the gaps.
    pub(crate) fn compact(&mut self) {
        self.0.compact(0);
    }

    /// Bytes that are held.
    pub(crate) fn bytes(&self) -> usize {
        self.0.bytes()
    }

    /// The words of a list, for propagation; see [`Lists::raw`].
    ///
    /// # Safety
    /// The literal's variable must exist. The pointer serves until the next push to any list.
    #[inline]
    pub(crate) unsafe fn raw(&mut self, lit: Lit) -> (*mut u32, usize) {
        // SAFETY: the caller's promise is the same.
        unsafe { self.0.raw(lit) }
    }

    /// Appends the watch of a large clause; the answer says whether lists may have moved.
    ///
    /// # Safety
    /// The literal's variable must exist.
    #[inline]
    pub(crate) unsafe fn push_large_unchecked(&mut self, lit: Lit, blocking: Lit, clause: ClauseRef) -> bool {
        // SAFETY: the caller's promise is the same.
        unsafe { self.0.push_pair_unchecked(lit, [large_word(blocking), clause.word()]) }
    }

    /// Shortens a list to its first `words`, which must be whole watches.
    #[inline]
    pub(crate) fn truncate_words(&mut self, lit: Lit, words: usize) {
        self.0.truncate(lit, words);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::random::Random;

    #[test]
    fn watches_know_their_kind() {
        let lit = Lit::from_code(2 * MAX_VARS - 1);
        let clause = ClauseRef::from_word(ClauseRef::LIMIT - 1);
        let all = [Watch::binary(lit, false), Watch::binary(lit, true), Watch::large(lit, clause)];
        assert_eq!(all.map(Watch::is_binary), [true, true, false]);
        assert_eq!(all.map(Watch::is_redundant_binary), [false, true, false]);
        assert_eq!(all[2].clause(), clause);
        let words: Vec<u32> = all.iter().flat_map(|watch| watch.pack().0[..watch.pack().1].to_vec()).collect();
        assert_eq!(words.len(), 4);
        assert_eq!(List(&words).iter().collect::<Vec<_>>(), all);
    }

    #[test]
    fn lists_of_both_kinds_behave_as_vectors() {
        let mut random = Random::new(3);
        let mut watches = Watches::default();
        (0..4).for_each(|_| watches.grow());
        let mut expected = vec![Vec::new(); watches.num_lists()];
        for step in 0..5000u32 {
            let code = random.below(8) as usize;
            let lit = Lit::from_code(code);
            match random.below(200) {
                0 => watches.compact(),
                1 => {
                    let flip = |watch: &mut Watch| {
                        watch.blocking = !watch.blocking;
                        !watch.blocking.code().is_multiple_of(3)
                    };
                    watches.retain(lit, flip);
                    expected[code].retain_mut(flip);
                }
                2 => {
                    watches.clear(lit);
                    expected[code].clear();
                }
                _ => {
                    let blocking = Lit::from_code(random.below(1000) as usize);
                    let watch = match random.below(3) {
                        0 => Watch::binary(blocking, step % 2 == 0),
                        _ => Watch::large(blocking, ClauseRef::from_word(step)),
                    };
                    watches.push(lit, watch);
                    expected[code].push(watch);
                }
            }
            assert!(watches.get(lit).iter().eq(expected[code].iter().copied()));
        }
        assert!(expected.iter().map(Vec::len).sum::<usize>() > 100);
    }
}
