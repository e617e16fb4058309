//! Watch lists: for every literal, the clauses that must be looked at when it becomes false.
//!
//! A watch is eight bytes: a blocking literal (Chu, Harwood and Stuckey, 2008; whenever it is true the clause need not
//! be visited) and a word that is the clause's reference or says that the clause is binary, in which case the blocking
//! literal is all there is to know.

use super::arena::ClauseRef;
use super::lists::Lists;
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

/// The watch lists of all literals.
pub(crate) type Watches = Lists<Watch>;

/// What lies in the array where no watch is.
pub(crate) const PADDING: Watch = Watch { blocking: Lit::from_code(0), tag: BINARY_IRREDUNDANT };

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn watches_are_eight_bytes_and_know_their_kind() {
        assert_eq!(size_of::<Watch>(), 8);
        let lit = Lit::from_code(5);
        let clause = ClauseRef::from_word(ClauseRef::LIMIT - 1);
        let watches = [Watch::binary(lit, false), Watch::binary(lit, true), Watch::large(lit, clause)];
        assert_eq!(watches.map(Watch::is_binary), [true, true, false]);
        assert_eq!(watches.map(Watch::is_redundant_binary), [false, true, false]);
        assert_eq!(watches[2].clause(), clause);
    }
}
