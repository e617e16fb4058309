//! Chronological backtracking: where a learned clause would jump over very many levels, only the last one is taken back
//! (Nadel and Ryvchin, Chronological Backtracking, SAT 2018; Möhle and Biere, Backing Backtracking, SAT 2019). Otherwise
//! thousands of assignments are undone and made again for each conflict.
//!
//! The implied literal keeps the low level that implies it, and so does what it propagates, so levels are out of order
//! on the trail. Backtracking keeps what is of lower levels, and propagates it again. A conflict may belong to a level
//! below the current one, and have a single literal there.

use super::propagate::Conflict;
use crate::Solver;
use crate::data::trail::Reason;
use putnam_formula::Lit;

impl Solver {
    /// Where to go back to when a learned clause is unit from level `jump` on.
    pub(crate) fn backtrack_level(&self, jump: u32) -> u32 {
        let level = self.trail.level();
        if self.options.chrono != 0 && i64::from(level - jump) > self.options.chronolevels { level - 1 } else { jump }
    }

    /// Assigns the first literal of a learned clause, implied by level `jump`.
    pub(crate) fn assign_learned(&mut self, lit: Lit, reason: Reason, jump: u32) {
        self.statistics.chronological += u64::from(self.trail.level() > jump);
        self.assign_at(lit, reason, jump);
    }

    /// Goes back to the highest level of a conflict. If it has a single literal of that level there is nothing to learn:
    /// the answer is false, that level is taken back too, and the clause, or the row, implies the opposite. Propagation
    /// will see that, since the literal that was propagated last, or one that was not yet, is propagated again.
    pub(crate) fn enter_conflict_level(&mut self, conflict: Conflict) -> bool {
        if self.trail.is_ordered() {
            return true;
        }
        let (mut highest, mut count) = (0, 0);
        let mut see = |lit: Lit| {
            let level = self.trail.level_of(lit);
            if level > highest {
                (highest, count) = (level, 1);
            } else if level == highest {
                count += 1;
            }
        };
        match conflict {
            Conflict::Binary(a, b) => [a, b].into_iter().for_each(&mut see),
            Conflict::Clause(clause) => self.arena.lits(clause).iter().copied().for_each(&mut see),
        }
        if count > 1 {
            self.backtrack(highest);
            return true;
        }
        self.statistics.flipped += 1;
        self.forget_explanations();
        self.backtrack(highest - 1);
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Options;
    use crate::data::trail::Why;
    use putnam_formula::{Engine, Outcome, Var};

    /// A solver for clauses over as many variables, ready to search, that takes back one level whenever a jump is longer;
    /// and the positive literals.
    fn prepared(num_vars: u32, clauses: &[&[i32]]) -> (Solver, Vec<Lit>) {
        let mut options = Options::default();
        ["lucky", "inprocess"].iter().for_each(|name| options.set(name, 0).unwrap());
        options.set("chronolevels", 0).unwrap();
        let mut solver = Solver::with_options(options);
        let outer: Vec<Lit> = (0..num_vars).map(|i| Var::new(i).positive()).collect();
        solver.add_clause(&outer);
        for clause in clauses {
            solver.add_clause(&clause.iter().map(|&number| Lit::from_dimacs(number).unwrap()).collect::<Vec<_>>());
        }
        assert!(solver.prepare().is_none());
        let lits = outer.iter().map(|&lit| solver.map.get(lit).unwrap()).collect();
        (solver, lits)
    }

    fn decide(solver: &mut Solver, lits: &[Lit]) {
        for &lit in lits {
            solver.trail.open_level(Some(lit));
            solver.assign(lit, Reason::NOTHING);
            assert!(solver.propagate_all().is_none());
        }
    }

    #[test]
    fn late_literals_have_the_level_that_implies_them_and_stay_with_it() {
        // 6 and 2 imply 7; 6 and 3 imply 8; 8 implies 9.
        let (mut solver, lits) = prepared(10, &[&[-6, -2, 7], &[-6, -3, 8], &[-8, 9], &[-5, -9, -10]]);
        decide(&mut solver, &lits[..5]);
        assert!(solver.trail.is_ordered());
        solver.watch_binary(lits[5], !lits[0], true);
        solver.assign_learned(lits[5], Reason::binary(!lits[0]), 1);
        assert!(!solver.trail.is_ordered());
        assert!(solver.propagate_all().is_none());
        let levels = |solver: &Solver| [5, 6, 7, 8, 9].map(|i| solver.trail.level_of(lits[i]));
        assert_eq!(levels(&solver), [1, 2, 3, 3, 5]);
        solver.check_propagated();
        solver.backtrack(3);
        assert_eq!(solver.trail.lits(), [0, 1, 2, 5, 6, 7, 8].map(|i| lits[i]));
        assert!(solver.values.is_unassigned(lits[9]) && solver.trail.propagated == 3);
        assert!(solver.propagate_all().is_none());
        solver.check_propagated();
        solver.backtrack(1);
        assert_eq!(solver.trail.lits(), [lits[0], lits[5]]);
        assert!(solver.trail.is_ordered());
        solver.backtrack(0);
        assert!(solver.trail.lits().is_empty());
        assert!(matches!(solver.solve(&[]), Outcome::Satisfiable(_)));
    }

    #[test]
    fn a_conflict_of_one_literal_is_taken_back_without_learning() {
        // What 5 implies on level 1 makes 4 on level 4 false, and nothing else on that level or above.
        let (mut solver, lits) = prepared(8, &[&[-5, 6], &[-5, 7], &[-6, -7, -4]]);
        decide(&mut solver, &[lits[0], lits[1], lits[2], lits[3], lits[7]]);
        solver.watch_binary(lits[4], !lits[0], true);
        solver.assign_learned(lits[4], Reason::binary(!lits[0]), 1);
        let conflict = solver.propagate_all().unwrap();
        solver.analyze(conflict);
        assert_eq!((solver.statistics.flipped, solver.statistics.learned, solver.trail.level()), (1, 0, 3));
        assert!(solver.values.is_unassigned(lits[3]) && solver.values.is_unassigned(lits[7]));
        assert!(solver.propagate_all().is_none());
        assert!(solver.values.is_false(lits[3]) && matches!(solver.trail.reason(!lits[3]), Why::Clause(_)));
        assert_eq!(solver.trail.level_of(lits[3]), 1);
        solver.check_propagated();
        solver.backtrack(0);
        assert!(matches!(solver.solve(&[]), Outcome::Satisfiable(_)));
    }

    #[test]
    fn a_conflict_below_the_current_level_is_learned_from_on_its_own() {
        // 5 on level 1, and 2 on level 2, are in conflict; levels 3 and 4 have nothing to do with it.
        let (mut solver, lits) = prepared(8, &[&[-5, -2, 6], &[-5, -2, 7], &[-6, -7, -5]]);
        decide(&mut solver, &lits[..4]);
        solver.watch_binary(lits[4], !lits[0], true);
        solver.assign_learned(lits[4], Reason::binary(!lits[0]), 1);
        let conflict = solver.propagate_all().unwrap();
        solver.analyze(conflict);
        assert_eq!((solver.statistics.flipped, solver.statistics.learned), (0, 1));
        assert_eq!((solver.trail.level(), solver.trail.level_of(lits[1])), (1, 1));
        assert!(solver.values.is_false(lits[1]) && solver.values.is_true(lits[4]));
        assert!(solver.propagate_all().is_none());
        solver.check_propagated();
        solver.backtrack(0);
        assert!(matches!(solver.solve(&[]), Outcome::Satisfiable(_)));
    }

    #[test]
    fn every_step_is_checked_on_random_formulas() {
        let settings = [("chronolevels", 0), ("modeinit", 20), ("lucky", 0)];
        let counts =
            crate::testing::fuzz(&settings, 100, 60, &["chronological backtrackings", "conflicts of one literal"]);
        assert!(counts.iter().all(|&count| count > 0), "{counts:?}");
    }
}
