//! The trail: assigned literals in the order of their assignment, what assigned them, and where decision levels begin.

use super::arena::ClauseRef;
use putnam_formula::{Lit, Var};

/// Why a literal is true, in two words: a word that is a clause reference or a kind, and the other literal of a binary
/// clause.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Reason {
    kind: u32,
    other: Lit,
}

const DECISION: u32 = u32::MAX;
const BINARY: u32 = u32::MAX - 1;
const ROW: u32 = u32::MAX - 2;

/// [`Reason`] taken apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Why {
    /// A decision, an assumption, or a unit.
    Nothing,
    /// The binary clause of the literal and this one.
    Binary(Lit),
    /// A clause of the arena.
    Clause(ClauseRef),
    /// A row of a matrix.
    Row(u32),
}

impl Reason {
    pub(crate) const NOTHING: Self = Self { kind: DECISION, other: Lit::from_code(0) };

    #[inline]
    pub(crate) fn binary(other: Lit) -> Self {
        Self { kind: BINARY, other }
    }

    #[inline]
    pub(crate) fn clause(clause: ClauseRef) -> Self {
        Self { kind: clause.word(), other: Lit::from_code(0) }
    }

    /// A row of a matrix, by its number.
    #[inline]
    pub(crate) fn row(row: u32) -> Self {
        Self { kind: ROW, other: Lit::from_code(row as usize) }
    }

    #[inline]
    pub(crate) fn get(self) -> Why {
        match self.kind {
            DECISION => Why::Nothing,
            BINARY => Why::Binary(self.other),
            ROW => Why::Row(self.other.code() as u32),
            word => Why::Clause(ClauseRef::from_word(word)),
        }
    }
}

/// What is known of an assigned variable; stale when the variable is not assigned.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Assigned {
    /// The decision level.
    pub(crate) level: u32,
    /// The position on the trail.
    pub(crate) position: u32,
    /// What propagated it.
    pub(crate) reason: Reason,
}

/// A decision level, with what the analysis of one conflict counts on it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Frame {
    /// The decision; none when an assumption that was already true opened the level, and at the root.
    pub(crate) decision: Option<Lit>,
    /// The length of the trail when the level began.
    pub(crate) start: u32,
    /// Literals of this level that the analysis has seen.
    pub(crate) seen: u32,
    /// The smallest trail position among them.
    pub(crate) earliest: u32,
}

impl Frame {
    fn new(decision: Option<Lit>, start: u32) -> Self {
        Self { decision, start, seen: 0, earliest: u32::MAX }
    }

    /// Forgets what an analysis counted.
    pub(crate) fn clear_seen(&mut self) {
        self.seen = 0;
        self.earliest = u32::MAX;
    }
}

/// Invariants: no literal is on it twice; the capacity suffices for every variable; the frames' starts ascend.
pub(crate) struct Trail {
    lits: Vec<Lit>,
    assigned: Vec<Assigned>,
    frames: Vec<Frame>,
    /// Literals before this one have been propagated.
    pub(crate) propagated: usize,
    /// Matrices know the literals before this one.
    pub(crate) eliminated: usize,
}

impl Default for Trail {
    fn default() -> Self {
        Self { lits: Vec::new(), assigned: Vec::new(), frames: vec![Frame::new(None, 0)], propagated: 0, eliminated: 0 }
    }
}

impl Trail {
    /// Makes room for another variable.
    pub(crate) fn grow(&mut self) {
        self.assigned.push(Assigned { level: 0, position: 0, reason: Reason::NOTHING });
        self.lits.reserve(self.assigned.len() - self.lits.len());
    }

    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.lits.len()
    }

    /// The current decision level.
    #[inline]
    pub(crate) fn level(&self) -> u32 {
        self.frames.len() as u32 - 1
    }

    #[inline]
    pub(crate) fn lits(&self) -> &[Lit] {
        &self.lits
    }

    #[inline]
    pub(crate) fn lit(&self, position: usize) -> Lit {
        self.lits[position]
    }

    #[inline]
    pub(crate) fn assigned(&self, var: Var) -> &Assigned {
        &self.assigned[var.index()]
    }

    #[inline]
    pub(crate) fn level_of(&self, lit: Lit) -> u32 {
        self.assigned[lit.var().index()].level
    }

    /// The last literal of the trail that leads to both of two true literals, each of which follows from its `parent`
    /// alone.
    pub(crate) fn last_common(&self, [mut a, mut b]: [Lit; 2], parent: impl Fn(Lit) -> Lit) -> Lit {
        while a != b {
            let position = |lit: Lit| self.assigned(lit.var()).position;
            let later = if position(a) > position(b) { &mut a } else { &mut b };
            *later = parent(*later);
        }
        a
    }

    #[inline]
    pub(crate) fn reason(&self, lit: Lit) -> Why {
        self.assigned[lit.var().index()].reason.get()
    }

    pub(crate) fn set_reason(&mut self, lit: Lit, reason: Reason) {
        self.assigned[lit.var().index()].reason = reason;
    }

    #[inline]
    pub(crate) fn frame(&self, level: u32) -> &Frame {
        &self.frames[level as usize]
    }

    #[inline]
    pub(crate) fn frame_mut(&mut self, level: u32) -> &mut Frame {
        &mut self.frames[level as usize]
    }

    /// Opens a decision level.
    pub(crate) fn open_level(&mut self, decision: Option<Lit>) {
        self.frames.push(Frame::new(decision, self.lits.len() as u32));
    }

    /// Appends a literal on the current level.
    #[inline]
    pub(crate) fn push(&mut self, lit: Lit, reason: Reason) {
        let level = self.level();
        self.assigned[lit.var().index()] = Assigned { level, position: self.lits.len() as u32, reason };
        self.lits.push(lit);
    }

    /// Appends a literal on the given level, which must be the current one.
    ///
    /// # Safety
    /// The literal's variable must exist and must not be on the trail.
    #[inline]
    pub(crate) unsafe fn push_unchecked(&mut self, lit: Lit, reason: Reason, level: u32) {
        debug_assert!(level == self.level() && self.lits.len() < self.assigned.len());
        debug_assert!(self.lits.len() < self.lits.capacity());
        let position = self.lits.len();
        // SAFETY: the variable exists, so it has an entry; as it is not on the trail, the trail is shorter than the
        // number of variables, which `grow` made room for.
        unsafe {
            *self.assigned.get_unchecked_mut(lit.var().index()) = Assigned { level, position: position as u32, reason };
            self.lits.as_mut_ptr().add(position).write(lit);
            self.lits.set_len(position + 1);
        }
    }

    /// Takes the last literal, if it belongs to a level above `level`.
    #[inline]
    pub(crate) fn pop_above(&mut self, level: u32) -> Option<Lit> {
        let next = self.frames.get(level as usize + 1)?.start as usize;
        if self.lits.len() > next { self.lits.pop() } else { None }
    }

    /// Closes the levels above `level`, whose literals must have been taken.
    pub(crate) fn close_above(&mut self, level: u32) {
        self.frames.truncate(level as usize + 1);
        self.propagated = self.propagated.min(self.lits.len());
        self.eliminated = self.eliminated.min(self.lits.len());
    }

    /// Bytes that are held.
    pub(crate) fn bytes(&self) -> usize {
        self.lits.capacity() * size_of::<Lit>() + self.assigned.capacity() * size_of::<Assigned>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_open_and_close() {
        let mut trail = Trail::default();
        (0..4).for_each(|_| trail.grow());
        let [a, b, c] = [1, -2, 4].map(|x| Lit::from_dimacs(x).unwrap());
        trail.push(a, Reason::NOTHING);
        trail.open_level(Some(b));
        trail.push(b, Reason::NOTHING);
        trail.push(c, Reason::binary(!b));
        trail.propagated = 3;
        assert_eq!((trail.level(), trail.level_of(a), trail.level_of(c)), (1, 0, 1));
        assert_eq!(trail.reason(c), Why::Binary(!b));
        assert_eq!(trail.pop_above(0), Some(c));
        assert_eq!(trail.pop_above(0), Some(b));
        assert_eq!(trail.pop_above(0), None);
        trail.close_above(0);
        assert_eq!((trail.level(), trail.len(), trail.propagated), (0, 1, 1));
    }
}
