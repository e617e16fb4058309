//! The clause arena: all clauses of three and more literals in one array of 32-bit words.
//!
//! A clause is a header of three words and its literals. One array and 32-bit references keep clauses at half the size
//! that pointers and separate allocations would take, and the literals beside the size that every visit reads anyway
//! (the layout of MiniSat's region allocator and of Kissat). Binary clauses live in the watch lists alone.
//!
//! | word | bits    | meaning                                                             |
//! |------|---------|---------------------------------------------------------------------|
//! | 0    | 0       | redundant: learned, may be forgotten                                |
//! | 0    | 1       | garbage: to be dropped by the next collection                       |
//! | 0    | 2       | protected: the reason of an assigned literal while a reduction runs |
//! | 0    | 3       | moved: word 1 is its place in the new arena (during a collection)   |
//! | 0    | 4       | tried: vivification had no success with it                          |
//! | 0    | 5 - 6   | free marks for inprocessing                                         |
//! | 0    | 8 - 11  | used: how recently conflicts needed it                              |
//! | 0    | 12 - 31 | glue                                                                |
//! | 1    |         | number of literals                                                  |
//! | 2    |         | where the last search for a replacement watch ended, or a signature |
//!
//! Invariant: from every clause start the words `HEADER + size` are in the array, every literal word is the code of a
//! literal, and word 2 is from 2 to `size`, but while large clauses are not watched it may be a signature. Words that a
//! shortened clause gives up are [`HOLE`]s, which no header equals.

use putnam_formula::{Lit, Scratch};

/// The highest mark of use.
pub(crate) const MAX_USED: u32 = 15;
/// Words before the literals.
pub(crate) const HEADER: usize = 3;
const HOLE: u32 = u32::MAX;

const REDUNDANT: u32 = 1;
const GARBAGE: u32 = 1 << 1;
const PROTECTED: u32 = 1 << 2;
const MOVED: u32 = 1 << 3;
const TRIED: u32 = 1 << 4;
const USED_SHIFT: u32 = 8;
const USED_MASK: u32 = MAX_USED << USED_SHIFT;
const GLUE_SHIFT: u32 = 12;
const GLUE_MAX: u32 = (1 << 19) - 1;

/// The signature of a set of literals: one bit a variable.
pub(crate) fn signature<'a>(lits: impl IntoIterator<Item = &'a Lit>) -> u32 {
    lits.into_iter().fold(0, |bits, lit| bits | 1 << ((lit.var().index() as u32).wrapping_mul(0x9e37_79b9) >> 27))
}

/// Where a clause starts in the arena.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct ClauseRef(u32);

impl ClauseRef {
    /// References stay below this, so that words above are free to mean other things.
    pub(crate) const LIMIT: u32 = u32::MAX - 15;

    #[inline]
    pub(crate) const fn from_word(word: u32) -> Self {
        debug_assert!(word < Self::LIMIT);
        Self(word)
    }

    #[inline]
    pub(crate) fn word(self) -> u32 {
        self.0
    }

    #[inline]
    fn index(self) -> usize {
        self.0 as usize
    }
}

/// The array of all large clauses.
pub(crate) struct Arena {
    words: Scratch<u32>,
    /// No word is at or above this index. Tests lower it.
    pub(crate) limit: usize,
}

impl Default for Arena {
    fn default() -> Self {
        Self { words: Scratch::new(), limit: ClauseRef::LIMIT as usize }
    }
}

impl Arena {
    /// An empty arena with room for so many words, for the clauses of this one.
    pub(crate) fn successor(&self, words: usize) -> Self {
        Self { words: Vec::with_capacity(words).into(), limit: self.limit }
    }

    /// Whether all clauses could be there three times, as inprocessing may have it before the next collection.
    pub(crate) fn is_roomy(&self) -> bool {
        self.words.len() < self.limit / 3
    }

    /// Whether a clause of `size` literals still fits under the limit of references.
    pub(crate) fn fits(&self, size: usize) -> bool {
        self.words.len() + HEADER + size < self.limit
    }

    /// Appends a clause of at least three literals.
    ///
    /// # Panics
    /// If the arena is full: callers ask [`Arena::fits`] where that can happen.
    pub(crate) fn push(&mut self, lits: &[Lit], redundant: bool, glue: u32) -> ClauseRef {
        debug_assert!(lits.len() > 2);
        assert!(self.fits(lits.len()), "clause arena exhausted");
        let clause = ClauseRef(self.words.len() as u32);
        self.words.extend_from_slice(&[
            (redundant as u32 * REDUNDANT) | glue.min(GLUE_MAX) << GLUE_SHIFT,
            lits.len() as u32,
            2,
        ]);
        self.words.extend(lits.iter().map(|lit| lit.code() as u32));
        clause
    }

    #[inline]
    pub(crate) fn size(&self, clause: ClauseRef) -> usize {
        self.words[clause.index() + 1] as usize
    }

    #[inline]
    pub(crate) fn lits(&self, clause: ClauseRef) -> &[Lit] {
        let start = clause.index() + HEADER;
        let words = &self.words[start..start + self.size(clause)];
        // SAFETY: `Lit` is a transparent `u32`, and literal words are codes of literals (the arena's invariant).
        unsafe { std::slice::from_raw_parts(words.as_ptr().cast::<Lit>(), words.len()) }
    }

    #[inline]
    pub(crate) fn lits_mut(&mut self, clause: ClauseRef) -> &mut [Lit] {
        let start = clause.index() + HEADER;
        let size = self.size(clause);
        let words = &mut self.words[start..start + size];
        // SAFETY: as in `lits`; every `Lit` that can be written is a literal's code, which keeps the invariant.
        unsafe { std::slice::from_raw_parts_mut(words.as_mut_ptr().cast::<Lit>(), words.len()) }
    }

    /// The words of a clause from its header on, for propagation.
    ///
    /// # Safety
    /// `clause` must come from this arena and no collection may have happened since. The pointer serves until the arena
    /// grows; `HEADER + size` words may be read, literals may be permuted, and word 2 may become any number
    /// from 2 to `size`.
    #[inline]
    pub(crate) unsafe fn raw(&mut self, clause: ClauseRef) -> *mut u32 {
        debug_assert!(clause.index() + HEADER + self.size(clause) <= self.words.len());
        // SAFETY: the caller promises that the clause starts inside the array.
        unsafe { self.words.as_mut_ptr().add(clause.index()) }
    }

    /// Replaces word 2 by a signature, one bit for each variable by a hash, until [`Arena::unsign`].
    pub(crate) fn sign(&mut self, clause: ClauseRef) {
        self.words[clause.index() + 2] = signature(self.lits(clause));
    }

    /// Signs all clauses; garbage may be among them.
    pub(crate) fn sign_all(&mut self) {
        let mut next = self.first_from(0);
        while let Some(clause) = next {
            next = self.next(clause);
            self.sign(clause);
        }
    }

    /// The signature of a signed clause.
    #[inline]
    pub(crate) fn signature(&self, clause: ClauseRef) -> u32 {
        self.words[clause.index() + 2]
    }

    /// Lets the next search for a replacement watch begin with the third literal.
    pub(crate) fn unsign(&mut self, clause: ClauseRef) {
        self.words[clause.index() + 2] = 2;
    }

    /// Whether the clause may be watched as far as word 2 is concerned.
    pub(crate) fn is_unsigned(&self, clause: ClauseRef) -> bool {
        (2..=self.words[clause.index() + 1]).contains(&self.words[clause.index() + 2])
    }

    /// Whether a header that propagation read marks a garbage clause.
    #[inline]
    pub(crate) fn header_is_garbage(header: u32) -> bool {
        header & GARBAGE != 0
    }

    /// Keeps the first `size` literals.
    pub(crate) fn shrink(&mut self, clause: ClauseRef, size: usize) {
        let old = self.size(clause);
        debug_assert!(2 < size && size <= old);
        let start = clause.index() + HEADER;
        self.words[start + size..start + old].fill(HOLE);
        self.words[clause.index() + 1] = size as u32;
        self.words[clause.index() + 2] = 2;
        let glue = self.glue(clause).min(size as u32 - 1);
        self.set_glue(clause, glue);
    }

    #[inline]
    pub(crate) fn is_redundant(&self, clause: ClauseRef) -> bool {
        self.words[clause.index()] & REDUNDANT != 0
    }

    pub(crate) fn make_irredundant(&mut self, clause: ClauseRef) {
        self.words[clause.index()] &= !REDUNDANT;
    }

    #[inline]
    pub(crate) fn is_tried(&self, clause: ClauseRef) -> bool {
        self.words[clause.index()] & TRIED != 0
    }

    pub(crate) fn set_tried(&mut self, clause: ClauseRef, tried: bool) {
        let word = &mut self.words[clause.index()];
        *word = (*word & !TRIED) | (tried as u32 * TRIED);
    }

    #[inline]
    pub(crate) fn is_garbage(&self, clause: ClauseRef) -> bool {
        self.words[clause.index()] & GARBAGE != 0
    }

    pub(crate) fn mark_garbage(&mut self, clause: ClauseRef) {
        self.words[clause.index()] |= GARBAGE;
    }

    #[inline]
    pub(crate) fn is_protected(&self, clause: ClauseRef) -> bool {
        self.words[clause.index()] & PROTECTED != 0
    }

    pub(crate) fn set_protected(&mut self, clause: ClauseRef, protected: bool) {
        let word = &mut self.words[clause.index()];
        *word = (*word & !PROTECTED) | (protected as u32 * PROTECTED);
    }

    #[inline]
    pub(crate) fn glue(&self, clause: ClauseRef) -> u32 {
        self.words[clause.index()] >> GLUE_SHIFT
    }

    #[inline]
    pub(crate) fn set_glue(&mut self, clause: ClauseRef, glue: u32) {
        let word = &mut self.words[clause.index()];
        *word = *word & ((1 << GLUE_SHIFT) - 1) | glue.min(GLUE_MAX) << GLUE_SHIFT;
    }

    #[inline]
    pub(crate) fn used(&self, clause: ClauseRef) -> u32 {
        (self.words[clause.index()] & USED_MASK) >> USED_SHIFT
    }

    #[inline]
    pub(crate) fn set_used(&mut self, clause: ClauseRef, used: u32) {
        debug_assert!(used <= MAX_USED);
        let word = &mut self.words[clause.index()];
        *word = *word & !USED_MASK | used << USED_SHIFT;
    }

    /// Copies a clause to the end of `target`, once: a second call answers with the same place.
    pub(crate) fn move_to(&mut self, clause: ClauseRef, target: &mut Arena) -> ClauseRef {
        let start = clause.index();
        if self.words[start] & MOVED != 0 {
            return ClauseRef(self.words[start + 1]);
        }
        let moved = ClauseRef(target.words.len() as u32);
        target.words.extend_from_slice(&self.words[start..start + HEADER + self.size(clause)]);
        self.words[start] |= MOVED;
        self.words[start + 1] = moved.0;
        moved
    }

    /// Where [`Arena::move_to`] moved the clause.
    pub(crate) fn moved(&self, clause: ClauseRef) -> Option<ClauseRef> {
        (self.words[clause.index()] & MOVED != 0).then(|| ClauseRef(self.words[clause.index() + 1]))
    }

    /// The first clause at or after a word index; with [`Arena::next`] this walks all clauses while they are changed.
    pub(crate) fn first_from(&self, index: usize) -> Option<ClauseRef> {
        let skipped = self.words.get(index..)?.iter().position(|&word| word != HOLE)?;
        Some(ClauseRef((index + skipped) as u32))
    }

    /// The clause after this one, garbage included.
    pub(crate) fn next(&self, clause: ClauseRef) -> Option<ClauseRef> {
        self.first_from(clause.index() + HEADER + self.size(clause))
    }

    /// All clauses in the order of their places, garbage included.
    pub(crate) fn clauses(&self) -> impl Iterator<Item = ClauseRef> + '_ {
        std::iter::successors(self.first_from(0), |&clause| self.next(clause))
    }

    /// Drops what was pushed since the arena had this length.
    pub(crate) fn truncate(&mut self, len: usize) {
        self.words.truncate(len);
    }

    /// Words in use.
    pub(crate) fn len(&self) -> usize {
        self.words.len()
    }

    /// Bytes that are held.
    pub(crate) fn bytes(&self) -> usize {
        self.words.capacity() * size_of::<u32>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lits(numbers: &[i32]) -> Vec<Lit> {
        numbers.iter().map(|&n| Lit::from_dimacs(n).unwrap()).collect()
    }

    #[test]
    fn marks_do_not_disturb_each_other() {
        let mut arena = Arena::default();
        let c = arena.push(&lits(&[1, -2, 3]), true, 7);
        arena.set_used(c, 15);
        arena.set_protected(c, true);
        arena.set_glue(c, 3);
        arena.mark_garbage(c);
        assert_eq!((arena.used(c), arena.glue(c), arena.size(c)), (15, 3, 3));
        assert!(arena.is_redundant(c) && arena.is_garbage(c) && arena.is_protected(c));
        arena.set_protected(c, false);
        arena.set_used(c, 2);
        assert_eq!((arena.used(c), arena.glue(c), arena.is_protected(c)), (2, 3, false));
        arena.set_glue(c, u32::MAX);
        assert_eq!(arena.glue(c), GLUE_MAX);
    }

    #[test]
    fn walking_skips_what_shrinking_left() {
        let mut arena = Arena::default();
        let a = arena.push(&lits(&[1, 2, 3, 4, 5]), false, 0);
        let b = arena.push(&lits(&[-1, -2, -3]), true, 2);
        arena.shrink(a, 3);
        assert_eq!(arena.clauses().collect::<Vec<_>>(), [a, b]);
        assert_eq!(arena.lits(a), lits(&[1, 2, 3]));
        assert_eq!(arena.lits(b), lits(&[-1, -2, -3]));
    }

    #[test]
    fn signatures_ignore_signs_and_order() {
        assert_eq!(signature(&lits(&[1, -5, 9])), signature(&lits(&[-9, 5, 1])));
        assert_eq!(signature(&lits(&[1, 5])) & !signature(&lits(&[1, 5, 9])), 0);
        let mut arena = Arena::default();
        let c = arena.push(&lits(&[1, -2, 30]), false, 0);
        arena.sign(c);
        assert_eq!((arena.signature(c), arena.size(c)), (signature(&lits(&[1, 2, 30])), 3));
        arena.unsign(c);
        assert!(arena.is_unsigned(c));
    }

    #[test]
    fn moving_twice_gives_one_copy() {
        let mut arena = Arena::default();
        let a = arena.push(&lits(&[1, 2, 3, 4]), false, 0);
        let b = arena.push(&lits(&[-1, -2, -3]), true, 2);
        let mut target = Arena::default();
        let b2 = arena.move_to(b, &mut target);
        let a2 = arena.move_to(a, &mut target);
        assert_eq!((arena.move_to(b, &mut target), arena.moved(a)), (b2, Some(a2)));
        assert_eq!(target.clauses().collect::<Vec<_>>(), [b2, a2]);
        assert_eq!(target.lits(a2), lits(&[1, 2, 3, 4]));
        assert!(target.is_redundant(b2) && target.moved(b2).is_none());
    }
}
