//! Warm-up for the local search: all variables are decided with their saved phases and propagated, whatever clauses
//! that falsifies. The assignment then respects most implications, and the walk begins with few falsified clauses
//! (Biere and others, Kissat 4.0, 2024; unit propagation inside local search: Hirsch and Kojevnikov, UnitWalk, 2005).

use super::propagate::Mode;
use crate::Solver;
use crate::data::trail::Reason;
use crate::statistics::Statistics;

/// Propagation of the warm-up.
struct Warmup;

impl Mode for Warmup {
    fn count(&self, statistics: &mut Statistics, propagations: u64, ticks: u64) {
        statistics.warmup_propagations += propagations;
        statistics.walk_ticks += ticks;
    }
}

impl Solver {
    /// Whether to warm up before a walk. Not when backtracking kept literals that have to be propagated first.
    pub(crate) fn warming_up(&self) -> bool {
        self.options.warmup != 0 && self.trail.propagated == self.trail.len()
    }

    /// Replaces the saved phases by those of an assignment to which propagation leads. Nothing else changes.
    pub(crate) fn warm_up(&mut self) {
        debug_assert_eq!(self.trail.propagated, self.trail.len());
        self.statistics.warmups += 1;
        let level = self.trail.level();
        while let Some(var) = self.next_decision() {
            let lit = self.phases.literal(var, false);
            self.trail.open_level(Some(lit));
            self.assign(lit, Reason::NOTHING);
            // A conflict ends the visit of one list. The clauses that it leaves out are watched right again once all
            // levels from here on are gone.
            while self.propagate(&Warmup).is_some() {}
        }
        self.backtrack(level);
    }
}

#[cfg(test)]
mod tests {
    use crate::{Options, Solver};
    use putnam_formula::{Lit, Var};

    #[test]
    fn phases_respect_implications_and_conflicts_are_passed_over() {
        let mut solver = Solver::with_options(Options::default());
        let lits: Vec<Lit> = (0..6).map(|i| Var::new(i).positive()).collect();
        // The first phase is true; 1 implies all others false, but for 4 and 5, which clash with 0 and 1.
        for i in 2..4 {
            solver.add_clause(&[!lits[0], !lits[1], !lits[i]]);
        }
        solver.add_clause(&[!lits[4], !lits[5], !lits[0]]);
        solver.add_clause(&[!lits[0], lits[4]]);
        solver.add_clause(&[!lits[0], lits[5]]);
        assert!(solver.prepare().is_none());
        solver.warm_up();
        assert_eq!((solver.trail.level(), solver.trail.len()), (0, 0));
        let phase = |lit: Lit| solver.phases.saved[solver.map.get(lit).unwrap().var().index()] > 0;
        let violated = [2, 3].iter().filter(|&&i| phase(lits[0]) && phase(lits[1]) && phase(lits[i])).count();
        assert_eq!(violated, 0);
        assert!(solver.statistics.warmup_propagations >= 6);
        solver.check_invariants();
    }

    #[test]
    fn every_step_is_checked_on_random_formulas() {
        let settings = [("warmup", 1), ("rephaseint", 1), ("modeinit", 20)];
        let counts = crate::testing::fuzz(&settings, 60, 60, &["warm-ups", "local searches"]);
        assert!(counts.iter().all(|&count| count > 0), "{counts:?}");
    }
}
