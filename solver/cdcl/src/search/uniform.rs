//! Uniform formulas: where all clauses have one length, as in random k-SAT and in colourings of numbers (Schur, van der
//! Waerden, Pythagorean triples), local search often finds a model orders of magnitude sooner than a search that learns
//! (Balint and Schöning, SAT 2012). So a walk comes before the search, and later ones get more of its effort; both the
//! more, the more clauses there are, since refutations get out of reach sooner than models. That local search has a
//! chance is told by the expected number of models of as many random clauses.

use crate::Solver;
use crate::report::Event;
use putnam_formula::Lit;
use std::f64::consts::LN_2;

/// The most that a uniform formula adds to the share of walks, per mille.
const MAX_SHARE: u64 = 1000;
/// By how much, relative to that of the variables, the logarithm of the expected number may be below 0.
const SLACK: f64 = 0.05;
/// The part of the effort before the search: a refutation may be easy. What is left is for the next walk if no more
/// than that part of the clauses was falsified.
const START_PART: u64 = 16;
const FEW_PART: u64 = 100;

/// What is known about the formula of the first search.
#[derive(Default)]
pub(crate) struct Uniform {
    /// Its clauses if local search has a chance, else 0.
    clauses: u64,
    /// Ticks of walks that no search has to pay for.
    pub(crate) free_ticks: u64,
    /// More of them, for the next walk.
    pub(crate) left: u64,
}

impl Solver {
    /// Notes whether the formula of the first search is one for local search.
    pub(crate) fn look_at_formula(&mut self) {
        if self.statistics.solves == 1 && self.options.walk != 0 && self.is_promising() {
            self.uniform.clauses = self.num_irredundant;
        }
    }

    /// Whether to walk before the search. With limits that count what a search does, only the search is to take place.
    pub(crate) fn walking_first(&self) -> bool {
        self.statistics.solves == 1
            && self.uniform.clauses > 0
            && self.options.walkinit != 0
            && self.assumptions.is_empty()
            && !self.limits.is_counting()
    }

    /// Makes the saved phases those of a local search. A probing round comes first, as what parity or counting refutes
    /// is not to be walked on. Answers whether the clauses are not refuted.
    pub(crate) fn walk_first(&mut self) -> bool {
        if !self.probe_first() {
            return false;
        }
        let effort = self.num_irredundant.saturating_pow(2).saturating_mul(self.options.walkinit as u64);
        let limit = effort.min(self.options.walkmax as u64 * 1000);
        let start = limit / START_PART;
        let Some(falsified) = self.timed("local search", |solver| solver.walk_within(start)) else { return true };
        if falsified as u64 <= (self.num_irredundant / FEW_PART).max(1) {
            self.uniform.left = limit - start;
        }
        self.statistics.first_walks += 1;
        self.uniform.free_ticks = self.statistics.walk_ticks;
        self.report(Event::Walk);
        true
    }

    /// Whether all clauses have one length, at least 3, and as many random ones could be expected to have a model.
    fn is_promising(&self) -> bool {
        let mut sizes = self.arena.clauses().map(|clause| self.arena.size(clause));
        let Some(size) = sizes.next() else { return false };
        let has_binary = |code| self.watches.get(Lit::from_code(code)).iter().any(|watch| watch.is_binary());
        if sizes.any(|other| other != size) || (0..self.watches.num_lists()).any(has_binary) {
            return false;
        }
        let assignments = (self.num_vars() - self.recorded_units) as f64 * LN_2;
        let satisfied = (-0.5f64.powi(size as i32)).ln_1p() * self.num_irredundant as f64;
        assignments * (1.0 + SLACK) + satisfied >= 0.0
    }

    /// The effort of walks, per mille of the search's.
    pub(crate) fn walk_share(&self) -> u64 {
        let uniform = self.uniform.clauses.saturating_mul(self.options.walkuniform as u64) / 1000;
        self.options.walkeffort as u64 + uniform.min(MAX_SHARE)
    }
}

#[cfg(test)]
mod tests {
    use crate::data::random::Random;
    use crate::testing::{Checked, random_clause};
    use crate::{Options, Solver};
    use putnam_formula::{Engine, Limits, Lit, Outcome, Var};

    fn random_solver(seed: u64, variables: u32, clauses: usize, size: usize) -> Solver {
        let mut random = Random::new(seed);
        let mut solver = Solver::with_options(Options::default());
        (0..clauses).for_each(|_| solver.add_clause(&random_clause(&mut random, variables, size)));
        solver.connect_all();
        solver
    }

    #[test]
    fn formulas_that_look_promising() {
        assert!(random_solver(0, 100, 420, 3).is_promising());
        assert!(random_solver(0, 100, 2000, 5).is_promising());
        // The expected number of models is 2^100 (7/8)^600, below 10^-4.
        assert!(!random_solver(0, 100, 600, 3).is_promising());
        assert!(!random_solver(0, 100, 100, 2).is_promising());
        assert!(!Solver::with_options(Options::default()).is_promising());
        for size in [2, 4] {
            let mut solver = random_solver(0, 100, 200, 3);
            let clause: Vec<Lit> = (0..size).map(|i| Var::new(i).positive()).collect();
            solver.add_clause(&clause);
            solver.connect_all();
            assert!(!solver.is_promising(), "a clause of {size} literals");
        }
    }

    #[test]
    fn walks_get_more_effort_with_more_clauses() {
        let share = |clauses, size| {
            let mut solver = random_solver(1, 2000, clauses, size);
            solver.statistics.solves = 1;
            solver.look_at_formula();
            solver.walk_share()
        };
        let plain = Options::default().walkeffort as u64;
        assert_eq!(share(1000, 2), plain);
        assert!(plain < share(1000, 3) && share(1000, 3) < share(3000, 3));
        assert_eq!(share(8000, 3), plain + super::MAX_SHARE);
    }

    /// Whatever is left over from the first walk, others spend only what they need.
    #[test]
    fn free_ticks_are_those_that_were_spent() {
        let mut solver = random_solver(2, 100, 300, 3);
        solver.uniform.left = 50_000_000;
        for _ in 0..3 {
            solver.walk();
            assert_eq!((solver.uniform.left, solver.uniform.free_ticks), (0, 0));
        }
        let mut solver = random_solver(2, 100, 500, 3);
        solver.uniform.left = 1_000_000;
        for _ in 0..3 {
            solver.walk();
            assert!((1_000_000..1_001_000).contains(&solver.uniform.free_ticks), "{}", solver.uniform.free_ticks);
        }
        assert_eq!(solver.statistics.walks, 3);
    }

    /// Long before the search would find one, a walk has the model; with assumptions, or a limit on what the search may
    /// do, there is no such walk.
    #[test]
    fn a_walk_decides_before_the_search() {
        let run = |assumptions: &[Lit], limits: Limits| {
            let mut random = Random::new(3);
            let mut solver = Solver::with_options(Options::default());
            (0..7_800).for_each(|_| solver.add_clause(&random_clause(&mut random, 2_000, 3)));
            solver.set_limits(limits);
            let outcome = solver.solve(assumptions);
            let satisfied = matches!(outcome, Outcome::Satisfiable(_));
            (satisfied, solver.statistics.first_walks, solver.statistics.conflicts > 0)
        };
        assert_eq!(run(&[], Limits::default()), (true, 1, false));
        assert_eq!(run(&[Var::new(0).positive()], Limits::default()).1, 0);
        assert_eq!(run(&[], Limits { conflicts: Some(0), ..Limits::default() }), (false, 0, false));
    }

    /// Exclusive ors without a common solution are not walked on: parity refutes them first.
    #[test]
    fn what_a_probing_round_refutes_is_not_walked_on() {
        let mut random = Random::new(1);
        let mut checked = Checked::new(&[("lucky", 0), ("factor", 0)]);
        for _ in 0..44 {
            let clause = random_clause(&mut random, 40, 3);
            let even = |signs: &u32| signs.count_ones().is_multiple_of(2);
            let signed =
                |signs: u32| (0..3).map(|i| if signs >> i & 1 == 1 { !clause[i] } else { clause[i] }).collect();
            checked.add((0..8u32).filter(even).map(signed).collect::<Vec<Vec<Lit>>>());
        }
        assert!(!checked.solve(&[]));
        assert!(checked.solver.uniform.clauses > 0);
        assert_eq!((checked.solver.statistics.conflicts, checked.solver.statistics.first_walks), (0, 0));
    }
}
