//! A small CDCL solver for hundreds of clauses and thousands of short calls: nothing is allocated from one formula to
//! the next, nothing learned is forgotten, and there is no restart. The idea of an embedded solver of this kind is from
//! Kissat (Kitten; Fleury and Biere, Mining Definitions in Kissat with Kittens, POS 2021).

use crate::data::lists::lines;
use crate::data::queue::VarQueue;
use crate::data::random::Random;
use putnam_formula::{Lit, Var};
use std::ops::Range;

const NONE: u32 = u32::MAX;

/// What the small solver found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    Satisfiable,
    Unsatisfiable,
    Unknown,
}

#[derive(Clone, Copy)]
struct Watch {
    blocking: Lit,
    clause: u32,
}

/// Clauses over variables numbered from 0, in two parts: those of the formula, then those learned.
#[derive(Default)]
pub(super) struct SmallSolver {
    /// The literals of all clauses, one clause after the other.
    lits: Vec<Lit>,
    /// Where each clause ends in `lits`.
    ends: Vec<u32>,
    /// The number of clauses of the formula, once it is complete.
    originals: usize,
    num_vars: usize,
    /// By literal, of clauses of two literals and more. Some may be left over from larger formulas, empty.
    watches: Vec<Vec<Watch>>,
    /// By literal: 1 true, -1 false, 0 neither.
    values: Vec<i8>,
    /// By variable, while it has a value.
    levels: Vec<u32>,
    reasons: Vec<u32>,
    trail: Vec<Lit>,
    /// The length of the trail before each decision.
    control: Vec<usize>,
    propagated: usize,
    queue: VarQueue,
    /// By variable: its last value.
    phases: Vec<bool>,
    seen: Vec<bool>,
    analyzed: Vec<Var>,
    learned: Vec<Lit>,
    /// The clauses are refuted.
    inconsistent: bool,
    /// By variable: the true literal of the last model.
    model: Vec<Lit>,
    /// The assumptions that the last refutation used.
    failed: Vec<Lit>,
    /// Effort since the last reset: cache lines touched.
    pub(super) ticks: u64,
    /// With so many ticks a search gives up at its next conflict.
    pub(super) limit: u64,
}

impl SmallSolver {
    /// Forgets the formula.
    pub(super) fn reset(&mut self) {
        self.watches[..2 * self.num_vars].iter_mut().for_each(Vec::clear);
        (self.originals, self.num_vars, self.propagated, self.ticks) = (0, 0, 0, 0);
        self.inconsistent = false;
        self.lits.clear();
        self.ends.clear();
        self.values.clear();
        self.levels.clear();
        self.reasons.clear();
        self.trail.clear();
        self.control.clear();
        self.phases.clear();
        self.seen.clear();
        self.model.clear();
        self.failed.clear();
    }

    /// Adds a clause to a formula that is not complete; its literals are of different variables.
    pub(super) fn add(&mut self, clause: impl Iterator<Item = Lit>) {
        self.lits.extend(clause);
        self.ends.push(self.lits.len() as u32);
    }

    /// The formula is complete; it has so many variables.
    pub(super) fn connect(&mut self, num_vars: usize) {
        self.originals = self.ends.len();
        self.num_vars = num_vars;
        self.limit = u64::MAX;
        if self.watches.len() < 2 * num_vars {
            self.watches.resize_with(2 * num_vars, Vec::new);
        }
        self.values.resize(2 * num_vars, 0);
        self.levels.resize(num_vars, 0);
        self.reasons.resize(num_vars, NONE);
        self.phases.resize(num_vars, true);
        self.seen.resize(num_vars, false);
        self.queue.clear();
        for index in 0..num_vars as u32 {
            self.queue.grow();
            self.queue.push(Var::new(index));
        }
        self.ticks += lines::<u64>(self.lits.len() + 8 * num_vars);
        for clause in 0..self.originals as u32 {
            self.connect_clause(clause);
        }
    }

    /// Gives the next decisions values at random, for models that have little in common with those before.
    pub(super) fn randomize_phases(&mut self, random: &mut Random) {
        for phases in self.phases.chunks_mut(64) {
            let bits = random.next();
            phases.iter_mut().enumerate().for_each(|(at, phase)| *phase = bits >> at & 1 != 0);
        }
        self.ticks += lines::<bool>(self.phases.len());
    }

    /// The number of clauses, with those learned.
    pub(super) fn num_clauses(&self) -> usize {
        self.ends.len()
    }

    /// The number of clauses of the formula.
    pub(super) fn num_originals(&self) -> usize {
        self.originals
    }

    /// A clause, learned ones after those of the formula.
    pub(super) fn clause(&self, index: usize) -> &[Lit] {
        &self.lits[self.range(index)]
    }

    /// By variable: the true literal of the last model.
    pub(super) fn model(&self) -> &[Lit] {
        &self.model
    }

    /// Assumptions that the clauses refute, after a search that found that they refute all of them.
    pub(super) fn failed(&self) -> &[Lit] {
        &self.failed
    }

    /// Solves under assumptions, with so many conflicts at most.
    pub(super) fn solve(&mut self, assumptions: &[Lit], conflicts: u64) -> Verdict {
        self.backtrack(0);
        self.failed.clear();
        let mut left = conflicts;
        while !self.inconsistent {
            if let Some(conflict) = self.propagate() {
                if self.control.is_empty() {
                    self.inconsistent = true;
                    break;
                }
                if left == 0 || self.ticks >= self.limit {
                    return Verdict::Unknown;
                }
                left -= 1;
                self.learn(conflict);
            } else if let Some(&lit) = assumptions.get(self.control.len()) {
                if self.values[lit.code()] < 0 {
                    self.analyze_failed(lit);
                    return Verdict::Unsatisfiable;
                }
                self.control.push(self.trail.len());
                if self.values[lit.code()] == 0 {
                    self.assign(lit, NONE);
                }
            } else {
                let values = &self.values;
                let Some(var) = self.queue.last_unassigned(|var| values[var.positive().code()] != 0) else {
                    self.model.clear();
                    let values = self.values.chunks_exact(2).map(|pair| pair[0] > 0);
                    self.model.extend(values.zip(0..).map(|(value, var)| Var::new(var).lit(value)));
                    return Verdict::Satisfiable;
                };
                self.control.push(self.trail.len());
                self.assign(var.lit(self.phases[var.index()]), NONE);
            }
        }
        Verdict::Unsatisfiable
    }

    fn connect_clause(&mut self, clause: u32) {
        match *self.clause(clause as usize) {
            [] => self.inconsistent = true,
            [unit] if self.values[unit.code()] < 0 => self.inconsistent = true,
            [unit] if self.values[unit.code()] == 0 => self.assign(unit, NONE),
            [_] => {}
            [a, b, ..] => {
                self.watches[a.code()].push(Watch { blocking: b, clause });
                self.watches[b.code()].push(Watch { blocking: a, clause });
            }
        }
    }

    fn assign(&mut self, lit: Lit, reason: u32) {
        self.values[lit.code()] = 1;
        self.values[(!lit).code()] = -1;
        let var = lit.var().index();
        self.levels[var] = self.control.len() as u32;
        self.reasons[var] = reason;
        self.phases[var] = !lit.is_negative();
        self.trail.push(lit);
    }

    fn backtrack(&mut self, level: usize) {
        let Some(&start) = self.control.get(level) else { return };
        for lit in self.trail.drain(start..) {
            self.values[lit.code()] = 0;
            self.values[(!lit).code()] = 0;
            self.queue.unassigned(lit.var());
        }
        self.control.truncate(level);
        self.propagated = self.propagated.min(start);
    }

    /// Answers with a clause all of whose literals are false.
    fn propagate(&mut self) -> Option<u32> {
        let mut conflict = None;
        while conflict.is_none() && self.propagated < self.trail.len() {
            let falsified = !self.trail[self.propagated];
            self.propagated += 1;
            let mut list = std::mem::take(&mut self.watches[falsified.code()]);
            self.ticks += 1 + lines::<u64>(list.len());
            let mut kept = 0;
            for at in 0..list.len() {
                let watch = list[at];
                list[kept] = watch;
                kept += 1;
                if conflict.is_some() || self.values[watch.blocking.code()] > 0 {
                    continue;
                }
                match self.visit(watch.clause, falsified) {
                    Visit::Moved => kept -= 1,
                    Visit::Satisfied(lit) => list[kept - 1].blocking = lit,
                    Visit::Unit(lit) => self.assign(lit, watch.clause),
                    Visit::Conflict => conflict = Some(watch.clause),
                }
            }
            list.truncate(kept);
            self.watches[falsified.code()] = list;
        }
        conflict
    }

    /// Looks for another literal to watch instead of a false one.
    fn visit(&mut self, clause: u32, falsified: Lit) -> Visit {
        self.ticks += 1;
        let range = self.range(clause as usize);
        let lits = &mut self.lits[range];
        if lits[0] == falsified {
            lits.swap(0, 1);
        }
        let other = lits[0];
        if self.values[other.code()] > 0 {
            return Visit::Satisfied(other);
        }
        for at in 2..lits.len() {
            let lit = lits[at];
            match self.values[lit.code()] {
                1 => return Visit::Satisfied(lit),
                0 => {
                    lits.swap(1, at);
                    self.watches[lit.code()].push(Watch { blocking: other, clause });
                    return Visit::Moved;
                }
                _ => {}
            }
        }
        if self.values[other.code()] < 0 { Visit::Conflict } else { Visit::Unit(other) }
    }

    /// Where a clause is in `lits`.
    fn range(&self, clause: usize) -> Range<usize> {
        let start = if clause == 0 { 0 } else { self.ends[clause - 1] as usize };
        start..self.ends[clause] as usize
    }

    /// Learns the clause of the first unique implication point and goes back to where it propagates.
    fn learn(&mut self, conflict: u32) {
        self.analyze(conflict);
        let queue = &self.queue;
        self.analyzed.sort_unstable_by_key(|&var| queue.stamp(var));
        for var in self.analyzed.drain(..) {
            self.queue.bump(var, true);
            self.seen[var.index()] = false;
        }
        // The literal of the highest level among the others comes second, to be watched.
        let levels = &self.levels;
        let second = (1..self.learned.len()).max_by_key(|&at| levels[self.learned[at].var().index()]);
        let level = second.map_or(0, |at| {
            self.learned.swap(1, at);
            levels[self.learned[1].var().index()] as usize
        });
        self.backtrack(level);
        let clause = self.ends.len() as u32;
        self.lits.append(&mut self.learned);
        self.ends.push(self.lits.len() as u32);
        let first = self.clause(clause as usize)[0];
        self.connect_clause(clause);
        if level > 0 || self.values[first.code()] == 0 {
            self.assign(first, clause);
        }
    }

    /// Leaves the learned clause in `learned`, its first literal that of the current level.
    fn analyze(&mut self, conflict: u32) {
        let current = self.control.len() as u32;
        self.learned.clear();
        self.learned.push(Lit::from_code(0));
        let (mut clause, mut open, mut at) = (conflict, 0, self.trail.len());
        loop {
            self.ticks += 1;
            for index in self.range(clause as usize) {
                let lit = self.lits[index];
                let var = lit.var();
                let level = self.levels[var.index()];
                if level == 0 || self.seen[var.index()] {
                    continue;
                }
                self.seen[var.index()] = true;
                self.analyzed.push(var);
                if level == current {
                    open += 1;
                } else {
                    self.learned.push(lit);
                }
            }
            let lit = loop {
                at -= 1;
                if self.seen[self.trail[at].var().index()] {
                    break self.trail[at];
                }
            };
            open -= 1;
            if open == 0 {
                self.learned[0] = !lit;
                break;
            }
            clause = self.reasons[lit.var().index()];
        }
        let mut learned = std::mem::take(&mut self.learned);
        let first = learned[0];
        learned.retain(|&lit| lit == first || !self.is_implied(lit));
        self.learned = learned;
    }

    /// Collects the assumptions from which it follows that one is false, and that one.
    fn analyze_failed(&mut self, lit: Lit) {
        self.failed.push(lit);
        self.seen[lit.var().index()] = true;
        let start = self.control.first().copied().unwrap_or(self.trail.len());
        for at in (start..self.trail.len()).rev() {
            let implied = self.trail[at];
            if !std::mem::take(&mut self.seen[implied.var().index()]) {
                continue;
            }
            self.ticks += 1;
            let reason = self.reasons[implied.var().index()];
            if reason == NONE {
                self.failed.push(implied);
                continue;
            }
            for index in self.range(reason as usize) {
                let other = self.lits[index];
                if other != implied && self.levels[other.var().index()] > 0 {
                    self.seen[other.var().index()] = true;
                }
            }
        }
        self.seen[lit.var().index()] = false;
    }

    /// Whether the other literals of its reason are in the clause, or false for good.
    fn is_implied(&self, lit: Lit) -> bool {
        let reason = self.reasons[lit.var().index()];
        reason != NONE && {
            let mut others = self.clause(reason as usize).iter().map(|other| other.var().index());
            others.all(|var| var == lit.var().index() || self.levels[var] == 0 || self.seen[var])
        }
    }
}

enum Visit {
    /// Another literal is watched now.
    Moved,
    Satisfied(Lit),
    Unit(Lit),
    Conflict,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{random_clause, random_formula};

    /// Whether an assignment, a bit a variable, satisfies all clauses and assumptions.
    fn satisfies(assignment: u32, clauses: &[Vec<Lit>], assumptions: &[Lit]) -> bool {
        let is_true = |lit: &Lit| (assignment >> lit.var().index() & 1 == 1) != lit.is_negative();
        clauses.iter().all(|clause| clause.iter().any(is_true)) && assumptions.iter().all(is_true)
    }

    /// Every learned clause follows, every verdict is right, and one solver serves many formulas.
    #[test]
    fn agrees_with_all_assignments() {
        const VARS: u32 = 9;
        let mut solver = SmallSolver::default();
        let (mut found, mut refuted, mut learned) = (0, 0, 0);
        for seed in 0..300 {
            let mut random = Random::new(seed);
            let clauses = random_formula(&mut random, VARS);
            solver.reset();
            clauses.iter().for_each(|clause| solver.add(clause.iter().copied()));
            solver.connect(VARS as usize);
            let models: Vec<u32> = (0..1 << VARS).filter(|&a| satisfies(a, &clauses, &[])).collect();
            for size in [0, 1, 2, 3] {
                let assumptions = random_clause(&mut random, VARS, size);
                match solver.solve(&assumptions, 1_000) {
                    Verdict::Satisfiable => {
                        let model = solver.model().iter().fold(0, |a, lit| a << 1 | u32::from(lit.is_positive()));
                        let model = model.reverse_bits() >> (32 - VARS);
                        assert!(satisfies(model, &clauses, &assumptions), "seed {seed}");
                        found += 1;
                    }
                    Verdict::Unsatisfiable => {
                        // So do those that failed, which are some of them.
                        let failed = solver.failed();
                        assert!(!models.iter().any(|&model| satisfies(model, &[], failed)), "seed {seed}");
                        assert!(failed.iter().all(|lit| assumptions.contains(lit)), "seed {seed}");
                        refuted += 1;
                    }
                    Verdict::Unknown => panic!("seed {seed}"),
                }
            }
            for index in solver.num_originals()..solver.num_clauses() {
                let clause = solver.clause(index).to_vec();
                assert!(
                    models.iter().all(|&model| satisfies(model, std::slice::from_ref(&clause), &[])),
                    "seed {seed}"
                );
                learned += 1;
            }
        }
        assert!(found > 100 && refuted > 100 && learned > 100, "{found} {refuted} {learned}");
    }

    #[test]
    fn the_limits_are_kept() {
        let mut solver = SmallSolver::default();
        let lit = |index: u32, sign| Var::new(index).lit(sign);
        // Five pigeons, four holes.
        (0..5).for_each(|pigeon| solver.add((0..4).map(|hole| lit(4 * pigeon + hole, true))));
        for hole in 0..4 {
            for (a, b) in (0..5).flat_map(|a| (0..a).map(move |b| (a, b))) {
                solver.add([lit(4 * a + hole, false), lit(4 * b + hole, false)].into_iter());
            }
        }
        solver.connect(20);
        assert_eq!(solver.solve(&[], 2), Verdict::Unknown);
        assert_eq!(solver.num_clauses() - solver.num_originals(), 2);
        solver.limit = solver.ticks;
        assert_eq!(solver.solve(&[], 1_000), Verdict::Unknown);
        assert_eq!(solver.num_clauses() - solver.num_originals(), 2);
        solver.limit = u64::MAX;
        assert_eq!(solver.solve(&[], 1_000), Verdict::Unsatisfiable);
    }
}
