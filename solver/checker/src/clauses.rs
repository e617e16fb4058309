//! All clauses of the formula and the proof in one array of 32-bit words.

use putnam_formula::Lit;

/// Where a clause begins in the array.
pub(crate) type ClauseRef = u32;

/// No clause.
pub(crate) const NONE: ClauseRef = u32::MAX;

/// A clause is alive when it belongs to the formula at the present step of the proof.
const ALIVE: u32 = 1;
/// The refutation needs the clause.
const CORE: u32 = 2;
/// The clause has opposite literals: it is always true and takes part in nothing.
const TAUTOLOGY: u32 = 4;
const FLAG_BITS: u32 = 3;
const HEADER: usize = 2;

/// The largest clause and the largest number of clauses: references to them carry two more bits.
pub(crate) const LIMIT: usize = 1 << 29;

/// The array. A clause is two words, its length with flags and its number, and then its literals. Numbers count the
/// clauses of the formula and then those of the proof, in order. The first two literals are those that are watched.
#[derive(Default)]
pub(crate) struct Clauses {
    words: Vec<u32>,
    refs: Vec<ClauseRef>,
}

impl Clauses {
    pub(crate) fn with_capacity(literals: usize, clauses: usize) -> Self {
        Self { words: Vec::with_capacity(literals + HEADER * clauses), refs: Vec::with_capacity(clauses) }
    }

    /// Adds a clause, not alive, and answers its number; none when there is no more room.
    pub(crate) fn push(&mut self, lits: &[Lit], tautology: bool) -> Option<u32> {
        let start = self.words.len();
        if start + HEADER + lits.len() >= NONE as usize || lits.len() >= LIMIT || self.refs.len() >= LIMIT {
            return None;
        }
        let number = self.refs.len() as u32;
        self.words.push((lits.len() as u32) << FLAG_BITS | if tautology { TAUTOLOGY } else { 0 });
        self.words.push(number);
        self.words.extend(lits.iter().map(|lit| lit.code() as u32));
        self.refs.push(start as ClauseRef);
        Some(number)
    }

    /// The number of clauses.
    pub(crate) fn len(&self) -> usize {
        self.refs.len()
    }

    pub(crate) fn by_number(&self, number: u32) -> ClauseRef {
        self.refs[number as usize]
    }

    pub(crate) fn number(&self, clause: ClauseRef) -> u32 {
        self.words[clause as usize + 1]
    }

    pub(crate) fn size(&self, clause: ClauseRef) -> usize {
        (self.words[clause as usize] >> FLAG_BITS) as usize
    }

    /// Literal `index` of a clause.
    #[inline]
    pub(crate) fn lit(&self, clause: ClauseRef, index: usize) -> Lit {
        Lit::from_code(self.words[clause as usize + HEADER + index] as usize)
    }

    pub(crate) fn lits(&self, clause: ClauseRef) -> impl ExactSizeIterator<Item = Lit> + Clone + '_ {
        let start = clause as usize + HEADER;
        self.words[start..start + self.size(clause)].iter().map(|&code| Lit::from_code(code as usize))
    }

    /// The codes of the literals, to be put into another order.
    #[inline]
    pub(crate) fn codes_mut(&mut self, clause: ClauseRef) -> &mut [u32] {
        let (start, size) = (clause as usize + HEADER, self.size(clause));
        &mut self.words[start..start + size]
    }

    #[inline]
    pub(crate) fn is_alive(&self, clause: ClauseRef) -> bool {
        self.words[clause as usize] & ALIVE != 0
    }

    #[inline]
    pub(crate) fn is_core(&self, clause: ClauseRef) -> bool {
        self.words[clause as usize] & CORE != 0
    }

    pub(crate) fn is_tautology(&self, clause: ClauseRef) -> bool {
        self.words[clause as usize] & TAUTOLOGY != 0
    }

    pub(crate) fn set_alive(&mut self, clause: ClauseRef, alive: bool) {
        self.words[clause as usize] = self.words[clause as usize] & !ALIVE | if alive { ALIVE } else { 0 };
    }

    pub(crate) fn set_core(&mut self, clause: ClauseRef) {
        self.words[clause as usize] |= CORE;
    }
}
