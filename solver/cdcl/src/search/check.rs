//! The solver's invariants, checked in debug builds after every collection: what propagation relies on without looking.

use crate::Solver;
use crate::data::trail::Why;
use putnam_formula::{Lit, Var};

/// Words of the largest arena in which all clauses are looked at again and again.
const CHECKED: usize = 1 << 12;

impl Solver {
    /// Panics when an invariant does not hold.
    pub(crate) fn check_invariants(&self) {
        self.check_watches();
        self.check_reasons();
        for code in 0..self.watches.num_lists() {
            let lit = Lit::from_code(code);
            assert_eq!(self.values.get(lit), -self.values.get(!lit));
        }
    }

    /// Every clause is watched by its first two literals and no others, binary ones in both lists; the counts are
    /// right.
    fn check_watches(&self) {
        let (mut large, mut binary) = (0, 0);
        let mut redundant_binary = 0;
        for lit in (0..self.watches.num_lists()).map(Lit::from_code) {
            for watch in self.watches.get(lit) {
                if watch.is_binary() {
                    binary += 1;
                    redundant_binary += u64::from(watch.is_redundant_binary());
                    continue;
                }
                let lits = self.arena.lits(watch.clause());
                if !self.arena.is_garbage(watch.clause()) {
                    large += 1;
                    assert!(self.arena.is_unsigned(watch.clause()), "{lits:?} is signed");
                    assert!(lits[..2].contains(&lit), "{lits:?} is watched by {lit}");
                    assert!(lits.contains(&watch.blocking) && watch.blocking != lit, "{lits:?}, {}", watch.blocking);
                }
            }
        }
        let live: Vec<bool> =
            self.arena.clauses().filter(|&c| !self.arena.is_garbage(c)).map(|c| self.arena.is_redundant(c)).collect();
        let redundant = live.iter().filter(|&&redundant| redundant).count() as u64;
        assert_eq!(large, 2 * live.len());
        assert_eq!(self.num_redundant, redundant + redundant_binary / 2);
        assert_eq!(self.num_irredundant + self.num_redundant, live.len() as u64 + binary / 2);
    }

    /// Every reason has its literal, true, among the first two, and otherwise earlier false ones; the literal belongs to
    /// the highest level of these, and decisions begin their levels.
    pub(crate) fn check_reasons(&self) {
        let mut highest = 0;
        for (position, &lit) in self.trail.lits().iter().enumerate() {
            assert!(self.values.is_true(lit));
            let assigned = self.trail.assigned(lit.var());
            assert_eq!(assigned.position as usize, position);
            assert!(self.trail.frame(assigned.level).start as usize <= position);
            let is_root = self.trail.level() == 0 || position < self.trail.frame(1).start as usize;
            assert_eq!(assigned.level == 0, is_root, "{lit} of level {} at {position}", assigned.level);
            assert!(assigned.level >= highest || !self.trail.is_ordered(), "{lit} is out of order");
            highest = highest.max(assigned.level);
            let level = |others: &mut dyn Iterator<Item = Var>| {
                let level = others.filter(|&var| var != lit.var()).map(|var| self.trail.assigned(var).level).max();
                assert_eq!(level.unwrap_or(0), assigned.level, "the level of {lit}");
            };
            let earlier = |other: Lit| {
                let other = (self.values.get(other), self.trail.assigned(other.var()));
                other.0 < 0 && other.1.position < assigned.position && other.1.level <= assigned.level
            };
            match self.trail.reason(lit) {
                Why::Nothing if assigned.level == 0 => {}
                Why::Nothing => assert_eq!(self.trail.frame(assigned.level).decision, Some(lit)),
                Why::Row(row) => {
                    level(&mut self.gauss.row_vars(row));
                    let false_lit =
                        |var: Var| if self.values.is_true(var.positive()) { var.negative() } else { var.positive() };
                    let mut vars = self.gauss.row_vars(row);
                    assert!(
                        vars.all(|var| var == lit.var() || earlier(false_lit(var))),
                        "row {row} as reason of {lit}"
                    );
                }
                Why::Binary(other) => {
                    level(&mut [other.var()].into_iter());
                    assert!(earlier(other));
                }
                Why::Clause(clause) => {
                    level(&mut self.arena.lits(clause).iter().map(|lit| lit.var()));
                    let lits = self.arena.lits(clause);
                    assert!(!self.arena.is_garbage(clause) && lits[..2].contains(&lit));
                    assert!(lits.iter().all(|&other| other == lit || earlier(other)), "{lits:?} as reason of {lit}");
                }
            }
        }
    }

    /// After clauses were propagated without a conflict: in debug builds, and if the formula is small, checks trails that
    /// are out of order, on which it is not plain to see that nothing was missed.
    #[inline]
    pub(crate) fn check_disorder(&self) {
        if cfg!(debug_assertions) && !self.trail.is_ordered() && self.arena.len() < CHECKED {
            self.check_propagated();
        }
    }

    /// Nothing is left to propagate: every clause has a true literal, or two that are unassigned.
    pub(crate) fn check_propagated(&self) {
        self.check_reasons();
        let done = |lits: &[Lit]| {
            let free = lits.iter().filter(|&&lit| self.values.is_unassigned(lit)).count();
            assert!(free > 1 || lits.iter().any(|&lit| self.values.is_true(lit)), "{lits:?} is not propagated");
        };
        let live = self.arena.clauses().filter(|&clause| !self.arena.is_garbage(clause));
        live.for_each(|clause| done(self.arena.lits(clause)));
        for lit in (0..self.watches.num_lists()).map(Lit::from_code) {
            self.watches.get(lit).iter().filter(|watch| watch.is_binary()).for_each(|w| done(&[lit, w.blocking]));
        }
    }
}
