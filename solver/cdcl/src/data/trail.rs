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

/// Invariants: no literal is on it twice; the capacity suffices for every variable; the frames' starts ascend. A literal
/// stands at or after the start of its level, and before the starts of higher ones unless it is out of order; what is
/// before `disorder` is in the order of levels.
pub(crate) struct Trail {
    lits: Vec<Lit>,
    assigned: Vec<Assigned>,
    frames: Vec<Frame>,
    /// The position of the first literal of a lower level than that on which it was put here, or `usize::MAX`.
    disorder: usize,
    /// Literals before this one have been propagated.
    pub(crate) propagated: usize,
    /// Matrices know the literals before this one.
    pub(crate) eliminated: usize,
}

impl Default for Trail {
    fn default() -> Self {
        Self {
            lits: Vec::new(),
            assigned: Vec::new(),
            frames: vec![Frame::new(None, 0)],
            disorder: usize::MAX,
            propagated: 0,
            eliminated: 0,
        }
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

    /// Whether levels ascend along the trail, so that what is not yet propagated belongs to the current one.
    #[inline]
    pub(crate) fn is_ordered(&self) -> bool {
        self.disorder == usize::MAX
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

    /// Appends a literal that belongs to the given level, the current one or a lower one.
    #[inline]
    pub(crate) fn push(&mut self, lit: Lit, reason: Reason, level: u32) {
        debug_assert!(level <= self.level());
        let position = self.lits.len();
        if level < self.level() {
            self.disorder = self.disorder.min(position);
        }
        self.assigned[lit.var().index()] = Assigned { level, position: position as u32, reason };
        self.lits.push(lit);
    }

    /// Appends a literal that belongs to the given level, which is the current one, or lower if the trail is out of
    /// order already.
    ///
    /// # Safety
    /// The literal's variable must exist and must not be on the trail.
    #[inline]
    pub(crate) unsafe fn push_unchecked(&mut self, lit: Lit, reason: Reason, level: u32) {
        debug_assert!(level == self.level() || level < self.level() && !self.is_ordered());
        debug_assert!(self.lits.len() < self.assigned.len());
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

    /// Takes the literals of levels above `level`, and closes these levels. Those of `level` and below that stand
    /// behind move up in their order, and are to be propagated again.
    #[inline]
    pub(crate) fn backtrack(&mut self, level: u32, mut taken: impl FnMut(Lit)) {
        let start = self.frames[level as usize + 1].start as usize;
        if self.is_ordered() {
            while self.lits.len() > start {
                taken(self.lits.pop().expect("it is longer than that"));
            }
        } else {
            self.sift(start, level, taken);
        }
        self.frames.truncate(level as usize + 1);
        self.propagated = self.propagated.min(start);
        self.eliminated = self.eliminated.min(start);
    }

    /// Takes what is above `level` from a position on.
    fn sift(&mut self, start: usize, level: u32, mut taken: impl FnMut(Lit)) {
        if self.disorder >= start {
            self.disorder = usize::MAX;
        }
        let mut kept = start;
        for position in start..self.lits.len() {
            let lit = self.lits[position];
            let assigned = &mut self.assigned[lit.var().index()];
            if assigned.level > level {
                taken(lit);
                continue;
            }
            assigned.position = kept as u32;
            if assigned.level < level {
                self.disorder = self.disorder.min(kept);
            }
            self.lits[kept] = lit;
            kept += 1;
        }
        self.lits.truncate(kept);
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
        trail.push(a, Reason::NOTHING, 0);
        trail.open_level(Some(b));
        trail.push(b, Reason::NOTHING, 1);
        trail.push(c, Reason::binary(!b), 1);
        trail.propagated = 3;
        assert_eq!((trail.level(), trail.level_of(a), trail.level_of(c)), (1, 0, 1));
        assert_eq!(trail.reason(c), Why::Binary(!b));
        let mut taken = Vec::new();
        trail.backtrack(0, |lit| taken.push(lit));
        assert_eq!(taken, [c, b]);
        assert_eq!((trail.level(), trail.len(), trail.propagated), (0, 1, 1));
    }

    #[test]
    fn lower_levels_stay_when_higher_ones_go() {
        let mut trail = Trail::default();
        (0..8).for_each(|_| trail.grow());
        let lits: Vec<Lit> = (1..=8).map(|x| Lit::from_dimacs(x).unwrap()).collect();
        for (level, &decision) in (1..=4).zip(&lits) {
            trail.open_level(Some(decision));
            trail.push(decision, Reason::NOTHING, level);
        }
        assert!(trail.is_ordered());
        trail.push(lits[4], Reason::binary(!lits[1]), 2);
        trail.push(lits[5], Reason::binary(!lits[3]), 4);
        trail.push(lits[6], Reason::binary(!lits[0]), 1);
        trail.push(lits[7], Reason::binary(!lits[2]), 3);
        assert!(!trail.is_ordered());
        trail.propagated = trail.len();
        trail.eliminated = 2;
        let mut taken = Vec::new();
        trail.backtrack(3, |lit| taken.push(lit));
        assert_eq!(taken, [lits[3], lits[5]]);
        assert_eq!(trail.lits(), [lits[0], lits[1], lits[2], lits[4], lits[6], lits[7]]);
        assert_eq!((trail.propagated, trail.eliminated, trail.is_ordered()), (3, 2, false));
        assert!((0..trail.len()).all(|at| trail.assigned(trail.lit(at).var()).position as usize == at));
        trail.backtrack(2, |_| {});
        assert_eq!((trail.lits(), trail.is_ordered()), (&[lits[0], lits[1], lits[4], lits[6]][..], false));
        trail.backtrack(1, |_| {});
        assert_eq!((trail.lits(), trail.is_ordered()), (&[lits[0], lits[6]][..], true));
        assert_eq!((trail.propagated, trail.eliminated), (1, 1));
        trail.backtrack(0, |_| {});
        assert_eq!((trail.len(), trail.is_ordered()), (0, true));
    }
}
