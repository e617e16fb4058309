//! SAT sweeping: around one variable after the other, the clauses near it are given to a small solver of its own, which
//! finds literals that are implied and pairs that are equivalent (Kuehlmann and Krohm, 1997; for clauses Fazekas,
//! Biere, Fleury and others in Kissat). Miters and unrolled circuits have many equivalences that need little more than
//! their neighbourhood to be proved, and much of the search is spared when they are known.
//!
//! A model of the neighbourhood gives candidates: what is true in it may be implied, and what has equal values may be
//! equivalent. Literals that could be flipped alone are neither. Each further model splits the candidates, the more as
//! it is looked for from random values; each refutation proves one. An equivalence is used at once: from then on one
//! variable stands for both in all neighbourhoods, and its own is looked at again, as the next equivalence is often
//! there. Each find lets the round go on for a while, up to a point: it ends early where there is nothing to find, and
//! not where there is much. What the small solver learned goes into the proof, as it follows from clauses that are
//! there, and is deleted again afterwards. The substitution of equivalent literals follows.

mod environment;

use super::occurrences::Occurrences;
use super::small::Verdict;
use crate::Solver;
use crate::data::trail::Reason;
use crate::report::Event;
use environment::Environment;
use putnam_formula::{Lit, Scratch, Var};

/// What the environments of a round share.
struct Run {
    occurrences: Occurrences,
    /// By variable: its place in the environment, or [`OUTSIDE`].
    places: Scratch<u32>,
    /// By literal: one step towards the one that it was found equivalent to.
    parents: Scratch<Lit>,
    /// By literal: the next in the ring of those found equivalent.
    ring: Scratch<Lit>,
    /// By literal: it is in the clause at hand.
    marks: Scratch<bool>,
    /// Representatives of what was just found equivalent, about which more may be known now.
    again: Vec<Var>,
    limit: u64,
    /// How far finds may move the limit.
    most: u64,
}

const OUTSIDE: u32 = u32::MAX;

impl Run {
    fn new(solver: &Solver, limit: u64) -> Self {
        let arena = &solver.arena;
        let wanted = |clause| !arena.is_garbage(clause) && !arena.is_redundant(clause);
        let lits = solver.num_vars() * 2;
        Self {
            occurrences: Occurrences::build(arena, lits, wanted),
            places: vec![OUTSIDE; solver.num_vars()].into(),
            parents: (0..lits).map(Lit::from_code).collect(),
            ring: (0..lits).map(Lit::from_code).collect(),
            marks: vec![false; lits].into(),
            again: Vec::new(),
            limit,
            most: limit + solver.options.sweepmax as u64 * 1000,
        }
    }

    /// A find lets the round go on for a while.
    fn prolong(&mut self, ticks: u64) {
        self.limit = (self.limit + ticks).min(self.most);
    }

    fn find(&self, mut lit: Lit) -> Lit {
        while self.parents[lit.code()] != lit {
            lit = self.parents[lit.code()];
        }
        lit
    }

    /// Two representatives are equivalent; the first stands for both.
    fn merge(&mut self, a: Lit, b: Lit) {
        for (a, b) in [(a, b), (!a, !b)] {
            self.parents[b.code()] = a;
            self.ring.swap(a.code(), b.code());
        }
        self.again.push(a.var());
    }
}

impl Solver {
    /// Whether it is allowed.
    pub(crate) fn sweeping(&self) -> bool {
        self.options.sweep != 0
    }

    /// Sweeps variables, as far as the effort goes, and replaces what was found equivalent.
    pub(crate) fn sweep(&mut self) {
        if self.schedule.sweep.waits() {
            return;
        }
        let minimum = self.options.sweepmin as u64 * 1000;
        let budget = self.budget(|schedule| &mut schedule.sweep, self.options.sweepeffort, minimum);
        let limit = self.statistics.sweep_ticks + budget;
        self.statistics.sweep_ticks += (self.arena.len() / 64) as u64;
        if self.statistics.sweep_ticks >= limit {
            return;
        }
        let found = self.statistics.sweep_units + self.statistics.sweep_equivalences;
        let swept = self.statistics.sweep_variables;
        self.sweep_scheduled(&mut Run::new(self, limit));
        let found = self.statistics.sweep_units + self.statistics.sweep_equivalences - found;
        let swept = self.statistics.sweep_variables - swept;
        self.schedule.sweep.done(found * 1000 > swept);
        if found > 0 && self.settle() {
            self.report(Event::Sweep);
            self.substitute();
        }
    }

    /// Sweeps what was not swept since all were, variables of few clauses first, and again at once what stands for more
    /// now.
    fn sweep_scheduled(&mut self, run: &mut Run) {
        let mut environment = Environment::new(self.options.seed as u64 ^ self.statistics.sweep_solves);
        let mut scheduled = self.schedule_sweeping(run);
        if scheduled.is_empty() {
            // Nothing changes before the formula does, except with larger environments.
            self.schedule.sweep_enlarged = (self.schedule.sweep_enlarged + 1).min(3);
            self.schedule.swept.fill(false);
            scheduled = self.schedule_sweeping(run);
        }
        let mut steps = 0;
        while !self.inconsistent && self.statistics.sweep_ticks < run.limit {
            let Some(var) = run.again.pop().or_else(|| scheduled.pop()) else { break };
            if self.is_active(var) && run.find(var.positive()) == var.positive() {
                self.sweep_variable(run, &mut environment, var);
            }
            self.schedule.swept[var.index()] = true;
            steps += 1;
            if steps % 64 == 0 && self.stopping_now().is_some() {
                break;
            }
        }
    }

    /// The variables to sweep, the first one last.
    fn schedule_sweeping(&self, run: &Run) -> Vec<Var> {
        let vars = (0..self.num_vars() as u32).map(Var::new);
        let mut vars: Vec<Var> = vars.filter(|&var| self.is_active(var) && !self.schedule.swept[var.index()]).collect();
        let clauses = |lit| run.occurrences.len(lit) + self.watches.get(lit).iter().filter(|w| w.is_binary()).count();
        vars.sort_by_cached_key(|var| clauses(var.positive()) + clauses(var.negative()));
        vars.reverse();
        vars
    }

    fn sweep_variable(&mut self, run: &mut Run, environment: &mut Environment, var: Var) {
        self.statistics.sweep_variables += 1;
        self.gather_environment(run, environment, var);
        self.statistics.sweep_ticks += environment.ticks();
        if environment.len() > 1 {
            self.sweep_environment(run, environment);
        }
        environment.release(run, self);
    }

    fn sweep_environment(&mut self, run: &mut Run, environment: &mut Environment) {
        match self.solve_environment(run, environment, &[]) {
            Verdict::Satisfiable => {}
            Verdict::Unsatisfiable => {
                environment.import(self);
                self.statistics.sweep_refutations += 1;
                self.refute();
                return;
            }
            Verdict::Unknown => return,
        }
        environment.start_candidates();
        while let Some(lit) = environment.next_backbone() {
            if self.statistics.sweep_ticks >= run.limit {
                return;
            }
            if self.solve_environment(run, environment, &[!lit]) == Verdict::Unsatisfiable {
                environment.import(self);
                environment.forget(lit.var());
                self.learn_swept_unit(run, environment.outer(lit));
                if self.inconsistent {
                    return;
                }
            }
        }
        while let Some((a, b)) = environment.next_pair() {
            if self.statistics.sweep_ticks >= run.limit {
                return;
            }
            // A model of these splits the class of the two.
            let mut verdict = self.solve_environment(run, environment, &[a, !b]);
            if verdict == Verdict::Unsatisfiable {
                verdict = self.solve_environment(run, environment, &[!a, b]);
            }
            if verdict != Verdict::Satisfiable {
                environment.forget(b.var());
            }
            if verdict == Verdict::Unsatisfiable {
                environment.import(self);
                let [a, b] = [a, b].map(|lit| environment.outer(lit));
                run.merge(a, b);
                self.learn_swept_equivalence(run, a, b);
            }
        }
    }

    fn solve_environment(&mut self, run: &Run, environment: &mut Environment, assumptions: &[Lit]) -> Verdict {
        self.statistics.sweep_solves += 1;
        let before = environment.ticks();
        let left = run.limit.saturating_sub(self.statistics.sweep_ticks);
        let verdict = environment.solve(assumptions, self.options.sweepconflicts as u64, left);
        self.statistics.sweep_ticks += environment.ticks() - before;
        verdict
    }

    fn learn_swept_unit(&mut self, run: &mut Run, unit: Lit) {
        if self.values.is_true(unit) {
            return;
        }
        run.prolong(self.options.sweepbonus as u64);
        self.statistics.sweep_units += 1;
        self.proof.add(&self.map, &[unit]);
        if self.values.is_false(unit) {
            self.refute();
        } else {
            self.assign(unit, Reason::NOTHING);
            self.settle();
        }
    }

    fn learn_swept_equivalence(&mut self, run: &mut Run, a: Lit, b: Lit) {
        if self.has_equivalence(a, b) {
            return;
        }
        run.prolong(self.options.sweepbonus as u64);
        self.statistics.sweep_equivalences += 1;
        for clause in [[a, !b], [!a, b]] {
            self.proof.add(&self.map, &clause);
            // Environments have the clauses of the formula, and this is to be among them.
            self.watch_binary(clause[0], clause[1], false);
        }
        if !(self.values.is_unassigned(a) && self.values.is_unassigned(b)) {
            self.trail.propagated = 0;
            self.settle();
        }
    }

    /// Whether binary clauses say it. It is so for variables that may not be replaced, in every round after the first.
    fn has_equivalence(&self, a: Lit, b: Lit) -> bool {
        let is_there = |lit, other| self.watches.irredundant_binaries(lit).any(|blocking| blocking == other);
        is_there(a, !b) && is_there(!a, b)
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::{Checked, fuzz};
    use putnam_formula::Var;

    const ALONE: [(&str, i64); 4] = [("eliminate", 0), ("congruence", 0), ("vivify", 0), ("probe", 0)];

    /// Both sides of a multiplexer are the same, but the outputs may not be replaced.
    fn add_multiplexer(checked: &mut Checked, first: u32) {
        let [x, y, s] = [0, 1, 2].map(|index| Var::new(first + index).positive());
        checked.add([vec![!s, !x, y], vec![!s, x, !y], vec![s, !x, y], vec![s, x, !y]]);
        [x, y, s].iter().for_each(|lit| checked.solver.freeze(lit.var()));
    }

    #[test]
    fn finds_prolong_a_round_up_to_a_point() {
        let finds = |most| {
            let settings = [("sweepmin", 0), ("sweepeffort", 1), ("sweepbonus", 1000), ("sweepmax", most)];
            let mut checked = Checked::new(&[&ALONE[..], &settings].concat());
            (0..1000).for_each(|i| add_multiplexer(&mut checked, 3 * i));
            checked.solver.simplify(1).unwrap();
            checked.count("swept equivalences")
        };
        let [none, some, all] = [0, 20, 10_000].map(finds);
        assert!(0 < none && none < some && some < all && all == 1000, "{none} {some} {all}");
    }

    #[test]
    fn equivalences_of_frozen_variables_are_learned_once() {
        let mut checked = Checked::new(&ALONE);
        add_multiplexer(&mut checked, 0);
        for _ in 0..6 {
            checked.solver.simplify(1).unwrap();
        }
        assert!(checked.count("swept variables") > 3);
        assert_eq!(checked.count("swept equivalences"), 1);
    }

    #[test]
    fn every_step_is_checked_on_random_formulas() {
        let often = [("probeint", 1), ("sweep", 1), ("sweepeffort", 10_000), ("vivify", 0), ("modeinit", 50)];
        let counts = fuzz(&often, 300, 60, &["swept variables", "units from sweeping", "swept equivalences"]);
        assert!(counts.iter().all(|&count| count > 0), "{counts:?}");
    }
}
