//! Definitions without a known shape: a variable is defined by its clauses when these without it have no model, for
//! then no values of the others leave it free (Fleury and Biere, Mining Definitions in Kissat with Kittens, FMSD 2022).
//! The small solver of sweeping refutes them, and the clauses that its refutation needs are the definition. Unlike
//! those of gates, the clauses of a definition may have resolvents among themselves; these and those with other clauses
//! are needed, the rest follows. When clauses of one literal alone are refuted, they imply it.
//!
//! Most variables are not defined. So a few hundred assignments are tried first, 64 at a time, those of few variables
//! all; the solver is started only when each of them falsifies a clause.

use super::dense::Dense;
use super::gates::{Gate, Sides};
use super::small::{SmallSolver, Verdict};
use crate::Solver;
use crate::data::watch::Watch;
use putnam_formula::{Lit, Var};

/// At most so many words of 64 assignments are tried: those of ten variables.
const WORDS: usize = 16;
/// How often the solver is asked whether fewer clauses will do.
const REFINEMENTS: usize = 2;

/// What the clauses of a variable say about it.
pub(super) enum Definition {
    None,
    Gate(Gate),
    /// They imply a literal, which was learned.
    Unit,
}

/// The clauses of a variable without it, over variables numbered from 0.
struct Rest {
    /// The variables outside, sorted; their positions are the numbers here.
    vars: Vec<Var>,
    clauses: Vec<Vec<Lit>>,
}

impl Rest {
    fn new(clauses: Vec<Vec<Lit>>) -> Self {
        let mut vars: Vec<Var> = clauses.iter().flatten().map(|lit| lit.var()).collect();
        vars.sort_unstable();
        vars.dedup();
        let mut rest = Self { vars, clauses };
        for lit in rest.clauses.iter_mut().flatten() {
            let place = rest.vars.binary_search(&lit.var()).expect("collected above");
            *lit = Var::new(place as u32).lit(!lit.is_negative());
        }
        rest
    }

    /// Whether one of some assignments satisfies all clauses; with up to ten variables these are all assignments.
    fn is_satisfied(&self, ticks: &mut u64) -> bool {
        let words = if self.vars.len() <= 6 { 1 } else { (1 << (self.vars.len() - 6).min(4)).min(WORDS) };
        (0..words).any(|word| {
            let mut satisfying = u64::MAX;
            for clause in &self.clauses {
                *ticks += 1;
                let values =
                    clause.iter().map(|&lit| if lit.is_negative() { !pattern(lit, word) } else { pattern(lit, word) });
                satisfying &= values.fold(0, |some, value| some | value);
                if satisfying == 0 {
                    break;
                }
            }
            satisfying != 0
        })
    }

    /// The clauses that a refutation needs; none if there is a model, or the solver gives up.
    fn core(&self, solver: &mut SmallSolver, conflicts: u64, ticks: &mut u64) -> Option<Vec<usize>> {
        let mut core: Option<Vec<usize>> = None;
        for _ in 0..=REFINEMENTS {
            // In another order other clauses may be left out.
            let mut candidates = core.clone().unwrap_or_else(|| (0..self.clauses.len()).collect());
            candidates.reverse();
            // A variable of its own switches each clause on.
            let first = self.vars.len();
            let selectors: Vec<Lit> =
                (first..first + candidates.len()).map(|v| Var::new(v as u32).positive()).collect();
            solver.reset();
            for (&index, &selector) in candidates.iter().zip(&selectors) {
                solver.add(self.clauses[index].iter().copied().chain([!selector]));
            }
            solver.connect(first + candidates.len());
            let verdict = solver.solve(&selectors, conflicts);
            *ticks += solver.ticks;
            if verdict != Verdict::Unsatisfiable {
                break;
            }
            let needed: Vec<usize> = solver.failed().iter().map(|lit| candidates[lit.var().index() - first]).collect();
            let done = needed.len() == candidates.len();
            core = Some(needed);
            if done {
                break;
            }
        }
        core
    }

    /// What a solver learns to refute some of the clauses, in outside numbers.
    fn refutation(&self, solver: &mut SmallSolver, core: &[usize]) -> Vec<Vec<Lit>> {
        solver.reset();
        core.iter().for_each(|&index| solver.add(self.clauses[index].iter().copied()));
        solver.connect(self.vars.len());
        let verdict = solver.solve(&[], u64::MAX);
        debug_assert_eq!(verdict, Verdict::Unsatisfiable);
        let outer = |lit: &Lit| self.vars[lit.var().index()].lit(!lit.is_negative());
        (solver.num_originals()..solver.num_clauses())
            .map(|index| solver.clause(index).iter().map(outer).collect())
            .collect()
    }
}

/// The values of a variable in 64 assignments: for the first variables such that all combinations come, then at random.
fn pattern(lit: Lit, word: usize) -> u64 {
    const FIRST: [u64; 6] = [
        0xaaaa_aaaa_aaaa_aaaa,
        0xcccc_cccc_cccc_cccc,
        0xf0f0_f0f0_f0f0_f0f0,
        0xff00_ff00_ff00_ff00,
        0xffff_0000_ffff_0000,
        0xffff_ffff_0000_0000,
    ];
    match lit.var().index() {
        var @ 0..6 => FIRST[var],
        var @ 6..10 => 0u64.wrapping_sub((word >> (var - 6) & 1) as u64),
        var => {
            let seed = ((var * WORDS + word) as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            let mixed = (seed ^ seed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            mixed ^ mixed >> 27
        }
    }
}

impl Solver {
    /// Whether definitions are looked for.
    pub(super) fn mining_definitions(&self) -> bool {
        self.options.define != 0
    }

    /// Looks for clauses that define the variable of `pivot`, or imply a value.
    pub(super) fn find_definition(&mut self, dense: &mut Dense, pivot: Lit, sides: &Sides) -> Definition {
        let conflicts = self.options.defineconflicts as u64;
        let without = |lit: Lit, &watch: &Watch| {
            let mut clause = Vec::new();
            self.copy_others(watch, lit, &mut clause);
            clause
        };
        let positive = sides.positive.iter().map(|watch| without(pivot, watch));
        let rest = Rest::new(positive.chain(sides.negative.iter().map(|watch| without(!pivot, watch))).collect());
        self.statistics.definition_checks += 1;
        if rest.is_satisfied(&mut dense.ticks) {
            return Definition::None;
        }
        self.statistics.definition_calls += 1;
        let Some(mut core) = rest.core(&mut dense.solver, conflicts, &mut dense.ticks) else { return Definition::None };
        core.sort_unstable();
        let split = core.partition_point(|&index| index < sides.positive.len());
        let one_sided = if split == core.len() { Some(pivot) } else { (split == 0).then_some(!pivot) };
        if let Some(unit) = one_sided {
            self.statistics.definition_units += 1;
            return self.imply_by_core(dense, &rest, &core, unit);
        }
        self.statistics.definitions += 1;
        let negative = core.split_off(split).into_iter().map(|index| index - sides.positive.len()).collect();
        Definition::Gate(Gate { positive: core, negative, inner: true })
    }

    /// Proves that clauses of a literal imply it.
    fn imply_by_core(&mut self, dense: &mut Dense, rest: &Rest, core: &[usize], unit: Lit) -> Definition {
        let mut steps = Vec::new();
        if self.proof.is_wanted() {
            steps = rest.refutation(&mut dense.solver, core);
            steps.iter_mut().for_each(|step| step.push(unit));
        }
        steps.iter().for_each(|step| self.proof.add(&self.map, step));
        self.learn_root_unit(unit);
        steps.iter().for_each(|step| self.proof.delete(&self.map, step));
        Definition::Unit
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::random::Random;
    use crate::testing::{fuzz, random_clause};

    fn rest(numbers: &[&[i32]]) -> Rest {
        Rest::new(numbers.iter().map(|clause| clause.iter().map(|&n| Lit::from_dimacs(n).unwrap()).collect()).collect())
    }

    #[test]
    fn cores_are_refuted_and_models_are_found() {
        let mut random = Random::new(3);
        let mut solver = SmallSolver::default();
        let (mut models, mut cores) = (0, 0);
        for round in 0..300 {
            let num_vars = 3 + random.below(9);
            let clauses: Vec<Vec<Lit>> = (0..num_vars * 5).map(|_| random_clause(&mut random, num_vars, 3)).collect();
            let rest = Rest::new(clauses.clone());
            let mut ticks = 0;
            let core = rest.core(&mut solver, 1000, &mut ticks);
            let is_false = |assignment: u32, clause: &[Lit]| {
                clause.iter().all(|lit| (assignment >> lit.var().index() & 1 == 1) == lit.is_negative())
            };
            let refuted = |chosen: &[usize]| {
                (0..1u32 << num_vars).all(|assignment| chosen.iter().any(|&i| is_false(assignment, &clauses[i])))
            };
            let all: Vec<usize> = (0..clauses.len()).collect();
            assert_eq!(core.is_some(), refuted(&all), "round {round}");
            assert!(core.as_ref().is_none_or(|core| refuted(core)));
            // With up to ten variables nothing is missed.
            let satisfied = rest.is_satisfied(&mut ticks);
            assert!(if num_vars <= 10 { satisfied == core.is_none() } else { !satisfied || core.is_none() });
            models += u32::from(core.is_none());
            cores += u32::from(core.is_some_and(|core| core.len() < clauses.len()));
        }
        assert!(models > 10 && cores > 10, "{models} {cores}");
    }

    #[test]
    fn variables_are_numbered_anew() {
        let rest = rest(&[&[7, -900], &[900, 30], &[-7]]);
        assert_eq!(rest.vars.iter().map(|var| var.to_dimacs()).collect::<Vec<_>>(), [7, 30, 900]);
        assert_eq!(rest.clauses[0].iter().map(|lit| lit.to_string()).collect::<Vec<_>>(), ["1", "-3"]);
        assert_eq!(rest.core(&mut SmallSolver::default(), 100, &mut 0), None);
    }

    #[test]
    fn every_step_is_checked_on_random_formulas() {
        for gates in [0, 1] {
            let often = [("eliminateint", 1), ("gates", gates), ("lucky", 0), ("probing", 0), ("eliminateocc", 1000)];
            let sums = fuzz(&often, 100, 40, &["definitions", "definition calls", "eliminated variables"]);
            assert!(sums.iter().all(|&sum| sum > 0), "{sums:?}");
        }
    }
}
