//! All models, one after the other, by chronological backtracking (Gebser, Kaufmann, Neumann and Schaub,
//! Conflict-driven answer set enumeration, LPNMR 2007; Spallitta, Sebastiani and Biere, Disjoint projected enumeration
//! for SAT and SMT without blocking clauses, 2024).
//!
//! After a model, the variables of the projection that its assumptions do not imply become further assumptions with
//! their values. Then the deepest of them that has not been flipped is flipped, what is deeper is dropped, and the
//! search goes on from there, with the trail as it is. Every set of assumptions is asked once, so no model comes twice,
//! and no clause has to block one: memory does not grow with the number of models. What the search learns holds for the
//! clauses alone.
//!
//! Variables that no clause has take part in no search: their values are counted through like a binary number.

use crate::Solver;
use crate::data::trail::Reason;
use crate::search::Ending;
use putnam_formula::{Lit, Model, StopReason, Var};

/// An iterator over models, made by [`Solver::enumerate`]. It ends when there are no more, or after the first error.
///
/// ```
/// use putnam_cdcl::Solver;
/// use putnam_formula::{Lit, Var};
///
/// let lit = |number| Lit::from_dimacs(number).unwrap();
/// let mut solver = Solver::new();
/// solver.add_clause(&[lit(1), lit(2)]);
/// solver.declare(3);
/// assert_eq!(solver.enumerate(&[], &[]).count(), 1); // projected to nothing, one stands for all
/// let all: Vec<Var> = (0..3).map(Var::new).collect();
/// assert_eq!(solver.enumerate(&all, &[]).count(), 6);
/// assert_eq!(solver.enumerate(&all, &[lit(-3), lit(2)]).count(), 2);
/// ```
pub struct Enumeration<'a> {
    solver: &'a mut Solver,
    /// The variables of the projection that clauses or assumptions have: outer, for melting, and inner.
    used: Vec<(Var, Var)>,
    /// The others, outer.
    unused: Vec<Var>,
    /// The number of assumptions that the user made.
    base: usize,
    /// For each further assumption, whether it was flipped.
    flipped: Vec<bool>,
    /// The last model.
    model: Option<Model>,
    state: State,
    user_assumptions: Vec<Lit>,
    failed: Vec<Lit>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Fresh,
    Running,
    Done,
}

impl Solver {
    /// The models of all clauses so far in which the assumptions are true, no two of them alike on the variables of
    /// `projection`; for each way to give these values, one model. The assumptions are those of [`Solver::assume`] and
    /// then these. Limits are for the whole enumeration. Afterwards the solver is in the state "adding".
    pub fn enumerate(&mut self, projection: &[Var], assumptions: &[Lit]) -> Enumeration<'_> {
        let user_assumptions = self.take_assumptions(assumptions);
        let mut projection = projection.to_vec();
        projection.sort_unstable();
        projection.dedup();
        let (mut used, mut unused) = (Vec::new(), Vec::new());
        for outer in projection {
            self.declare(outer.to_dimacs());
            match self.map.get(outer.positive()) {
                Some(inner) => {
                    self.freeze(outer);
                    used.push((outer, inner.var()));
                }
                None => unused.push(outer),
            }
        }
        let base = self.assumptions.len();
        Enumeration {
            solver: self,
            used,
            unused,
            base,
            flipped: Vec::new(),
            model: None,
            state: State::Fresh,
            user_assumptions,
            failed: Vec::new(),
        }
    }
}

impl Enumeration<'_> {
    /// The assumptions that clash with the clauses, when there was no model. Empty if the clauses alone have none.
    pub fn failed(&self) -> &[Lit] {
        &self.failed
    }

    /// The next model by counting on in the variables that no clause has.
    fn count_on(&mut self) -> bool {
        let Some(model) = &mut self.model else { return false };
        for &var in &self.unused {
            let value = model.value(var);
            model.assign(var.lit(!value));
            if !value {
                return true;
            }
        }
        false
    }

    /// The next model of the variables that clauses have; the others are false in it.
    fn search_on(&mut self) -> Result<bool, StopReason> {
        let mut ending = if self.state == State::Fresh { self.begin() } else { self.flip() };
        loop {
            match ending {
                Some(Ending::Satisfied) => {
                    self.take_model();
                    return Ok(true);
                }
                Some(Ending::Failed) if !self.flipped.is_empty() => ending = self.flip(),
                Some(Ending::Failed) => {
                    self.failed = self.solver.failed_assumptions(&self.user_assumptions);
                    return Ok(false);
                }
                Some(Ending::Refuted) | None => return Ok(false),
                Some(Ending::Stopped(reason)) => return Err(reason),
            }
        }
    }

    /// The first search.
    fn begin(&mut self) -> Option<Ending> {
        self.state = State::Running;
        let solver = &mut *self.solver;
        solver.statistics.solves += 1;
        if let Some(ending) = solver.prepare() {
            return Some(ending);
        }
        solver.enter_mode(solver.stable);
        Some(solver.search())
    }

    /// Flips the deepest assumption that was not flipped, and searches on. None when all were.
    fn flip(&mut self) -> Option<Ending> {
        while self.flipped.last() == Some(&true) {
            self.flipped.pop();
        }
        *self.flipped.last_mut()? = true;
        let solver = &mut *self.solver;
        let depth = self.base + self.flipped.len();
        solver.assumptions.truncate(depth);
        solver.assumptions[depth - 1] = !solver.assumptions[depth - 1];
        solver.backtrack(depth as u32 - 1);
        Some(solver.search())
    }

    /// Keeps the model of the trail, and makes assumptions of what distinguishes it.
    fn take_model(&mut self) {
        let solver = &mut *self.solver;
        let values = solver.extended_values();
        self.model = Some(solver.model_of(&values));
        solver.backtrack(solver.assumptions.len() as u32);
        let mut conflict = solver.propagate_all().is_some();
        for &(_, var) in &self.used {
            let lit = var.lit(values[var.positive().code()]);
            if solver.values.is_unassigned(lit) {
                solver.trail.open_level(Some(lit));
                solver.assign(lit, Reason::NOTHING);
                conflict |= solver.propagate_all().is_some();
                solver.assumptions.push(lit);
                self.flipped.push(false);
            }
        }
        debug_assert!(!conflict, "all of this is true in the model");
        debug_assert_eq!(solver.trail.level() as usize, solver.assumptions.len());
    }
}

impl Iterator for Enumeration<'_> {
    type Item = Result<Model, StopReason>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.state == State::Done {
            return None;
        }
        let stop = if self.model.is_some() { self.solver.stopping() } else { None };
        let found = match stop {
            Some(reason) => Err(reason),
            None if self.count_on() => Ok(true),
            None => self.search_on(),
        };
        match found {
            Ok(true) => self.model.clone().map(Ok),
            Ok(false) => {
                self.state = State::Done;
                None
            }
            Err(reason) => {
                self.state = State::Done;
                Some(Err(reason))
            }
        }
    }
}

impl Drop for Enumeration<'_> {
    fn drop(&mut self) {
        self.solver.end_search();
        self.used.iter().for_each(|&(outer, _)| self.solver.melt(outer));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Options;
    use crate::data::random::Random;
    use crate::testing::{random_clause, random_formula};
    use putnam_formula::{Engine, Limits, Outcome};
    use std::collections::HashSet;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, Ordering};

    fn satisfied(clauses: &[Vec<Lit>], value: impl Fn(Lit) -> bool) -> bool {
        clauses.iter().all(|clause| clause.iter().any(|&lit| value(lit)))
    }

    /// The projected models by trying all assignments.
    fn brute_force(clauses: &[Vec<Lit>], num_vars: u32, projection: &[Var], assumptions: &[Lit]) -> HashSet<Vec<bool>> {
        (0..1u32 << num_vars)
            .filter_map(|bits| {
                let value = |lit: Lit| (bits >> lit.var().index() & 1 != 0) == lit.is_positive();
                let is_model = satisfied(clauses, value) && assumptions.iter().all(|&lit| value(lit));
                is_model.then(|| projection.iter().map(|var| value(var.positive())).collect())
            })
            .collect()
    }

    #[test]
    fn enumerates_what_brute_force_finds() {
        let (mut models, mut removed, mut failed) = (0, 0, 0);
        for seed in 0..150 {
            let mut random = Random::new(seed);
            let num_vars = 8 + random.below(5);
            // Some variables have no clause.
            let used = num_vars - random.below(4);
            let mut formula = random_formula(&mut random, used);
            formula.truncate(random.below(3 * num_vars) as usize);
            let mut options = Options::default();
            let intervals = [("eliminateint", 1), ("probeint", 1), ("modeinit", 50), ("reduceint", 10)];
            let settings = [&intervals[..], &[("roundscale", 0)]].concat();
            settings.iter().for_each(|&(name, value)| options.set(name, value).unwrap());
            options.set("chronolevels", i64::from(random.below(2)) * 100).unwrap();
            let mut solver = Solver::with_options(options);
            solver.declare(num_vars);
            formula.iter().for_each(|clause| solver.add_clause(clause));
            for round in 0..3 {
                let projection: Vec<Var> =
                    (0..num_vars).map(Var::new).filter(|_| round == 0 || random.below(3) > 0).collect();
                let size = if round == 1 { 0 } else { random.below(3) as usize };
                let assumptions = random_clause(&mut random, num_vars, size);
                if round == 1 {
                    // What is removed now has to come back for the projection.
                    solver.simplify(2).unwrap();
                    removed += solver.reconstruct.removed();
                }
                let expected = brute_force(&formula, num_vars, &projection, &assumptions);
                let mut found = HashSet::new();
                let mut enumeration = solver.enumerate(&projection, &assumptions);
                for model in &mut enumeration {
                    let model = model.unwrap();
                    assert_eq!(model.num_vars(), num_vars);
                    assert!(satisfied(&formula, |lit| model.satisfies(lit)), "seed {seed}");
                    assert!(assumptions.iter().all(|&lit| model.satisfies(lit)), "seed {seed}");
                    let key: Vec<bool> = projection.iter().map(|&var| model.value(var)).collect();
                    assert!(found.insert(key), "seed {seed}: twice the same");
                }
                let core = enumeration.failed().to_vec();
                assert!(core.iter().all(|lit| assumptions.contains(lit)) && (core.is_empty() || expected.is_empty()));
                failed += usize::from(!core.is_empty());
                drop(enumeration);
                assert_eq!(found, expected, "seed {seed}, round {round}");
                models += found.len();
                let outcome = solver.solve(&assumptions);
                assert_eq!(matches!(outcome, Outcome::Satisfiable(_)), !expected.is_empty(), "seed {seed}");
            }
        }
        assert!(models > 5000 && removed > 100 && failed > 5, "{models} {removed} {failed}");
    }

    #[test]
    fn memory_does_not_grow_with_the_models() {
        let mut solver = Solver::new();
        // Twenty pairs of which not both are true, and many variables without clauses.
        (0..20).for_each(|i| solver.add_clause(&[Var::new(2 * i).negative(), Var::new(2 * i + 1).negative()]));
        let projection: Vec<Var> = (0..40).map(Var::new).collect();
        let mut enumeration = solver.enumerate(&projection, &[]);
        assert_eq!(enumeration.by_ref().take(100).count(), 100);
        let before = enumeration.solver.bytes();
        assert_eq!(enumeration.by_ref().take(20_000).count(), 20_000);
        assert_eq!(enumeration.solver.bytes(), before);
        drop(enumeration);
        let unused: Vec<Var> = (0..2000).map(Var::new).collect();
        assert_eq!(solver.enumerate(&unused, &[]).take(20_000).count(), 20_000);
    }

    #[test]
    fn a_limit_ends_it() {
        let mut solver = Solver::new();
        solver.add_clause(&[Var::new(0).positive(), Var::new(1).positive()]);
        solver.set_limits(Limits { deadline: Some(std::time::Instant::now()), ..Limits::default() });
        let mut enumeration = solver.enumerate(&[Var::new(0)], &[]);
        assert_eq!(enumeration.next(), Some(Err(StopReason::Time)));
        assert_eq!(enumeration.next(), None);
        drop(enumeration);
        // Also where values are only counted through.
        let flag = Arc::new(AtomicBool::new(false));
        solver.set_limits(Limits { terminate: Some(Arc::clone(&flag)), ..Limits::default() });
        let projection: Vec<Var> = (2..40).map(Var::new).collect();
        let mut enumeration = solver.enumerate(&projection, &[]);
        assert_eq!(enumeration.by_ref().take(1000).filter(Result::is_ok).count(), 1000);
        flag.store(true, Ordering::Relaxed);
        assert!(enumeration.by_ref().take(1000).any(|model| model == Err(StopReason::Terminated)));
    }
}
