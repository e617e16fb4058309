//! Chronological backtracking: where a learned clause would jump over very many levels, only the last one is taken back
//! (Nadel and Ryvchin, Chronological Backtracking, SAT 2018; Möhle and Biere, SAT 2019). Otherwise thousands of
//! assignments are undone and made again for each conflict.
//!
//! The papers let the implied literal keep its low level, so that levels on the trail are out of order. Here it belongs
//! to the level on which it is assigned, which is only an overestimate, and nothing else in the solver has to know.
//! What that would lose is kept in a list: when a later jump takes the literal back though its clause is still unit, it
//! is assigned again.

use crate::Solver;
use crate::data::trail::Reason;
use putnam_formula::Lit;

/// Literals that are assigned on a level above the one that implies them.
#[derive(Default)]
pub(crate) struct Chronological {
    /// Each with the level that implies it, in the order of the trail.
    late: Vec<(Lit, u32)>,
    /// Those that the last backtracking took back and whose clauses are still unit.
    lost: Vec<(Lit, u32, Reason)>,
}

impl Solver {
    /// Where to go back to when a learned clause is unit from level `jump` on.
    pub(crate) fn backtrack_level(&self, jump: u32) -> u32 {
        let level = self.trail.level();
        if self.options.chrono != 0 && i64::from(level - jump) > self.options.chronolevels { level - 1 } else { jump }
    }

    /// Assigns the first literal of a learned clause, implied by level `jump`, and what the jump lost.
    pub(crate) fn assign_learned(&mut self, lit: Lit, reason: Reason, jump: u32) {
        self.assign(lit, reason);
        if self.trail.level() > jump {
            self.statistics.chronological += 1;
            self.chronological.late.push((lit, jump));
        }
        self.reassign_lost();
    }

    /// Assigns again what the last backtracking took back without need. Only right after it: the reasons are those of
    /// then.
    pub(crate) fn reassign_lost(&mut self) {
        let mut lost = std::mem::take(&mut self.chronological.lost);
        for (lit, jump, reason) in lost.drain(..).rev() {
            // When it is false its clause is, and propagation will find that.
            if self.values.is_unassigned(lit) {
                self.assign(lit, reason);
                if self.trail.level() > jump {
                    self.chronological.late.push((lit, jump));
                }
            }
        }
        self.chronological.lost = lost;
    }

    /// Forgets what an earlier backtracking lost, with reasons that may have changed since.
    pub(crate) fn forget_lost(&mut self) {
        self.chronological.lost.clear();
    }

    /// After backtracking to `level`: which of the late literals are unassigned, and of these, which are still implied.
    pub(crate) fn note_lost(&mut self, level: u32) {
        let Chronological { late, lost } = &mut self.chronological;
        while let Some(&(lit, jump)) = late.last()
            && self.values.is_unassigned(lit)
        {
            late.pop();
            if jump <= level {
                lost.push((lit, jump, self.trail.assigned(lit.var()).reason));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Options;
    use putnam_formula::{Engine, Var};

    #[test]
    fn late_literals_come_back_as_long_as_they_are_implied() {
        let mut options = Options::default();
        options.set("chronolevels", 0).unwrap();
        let mut solver = Solver::with_options(options);
        let lits: Vec<Lit> = (0..6).map(|i| Var::new(i).positive()).collect();
        solver.add_clause(&lits);
        solver.connect();
        for &lit in &lits[..4] {
            solver.trail.open_level(Some(lit));
            solver.assign(lit, Reason::NOTHING);
        }
        solver.assign_learned(lits[4], Reason::binary(!lits[1]), 2);
        solver.assign_learned(lits[5], Reason::binary(!lits[2]), 3);
        solver.backtrack(2);
        solver.reassign_lost();
        assert_eq!((solver.values.get(lits[4]), solver.values.get(lits[5])), (1, 0));
        assert_eq!(solver.trail.level_of(lits[4]), 2);
        solver.backtrack(1);
        solver.reassign_lost();
        assert!(solver.values.is_unassigned(lits[4]));
        assert!(solver.chronological.late.is_empty() && solver.chronological.lost.is_empty());
        solver.backtrack(0);
        assert!(matches!(solver.solve(&[]), putnam_formula::Outcome::Satisfiable(_)));
    }
}
