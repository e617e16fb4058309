//! The clauses around a variable, their own solver, and the candidates that its models leave.

use super::{OUTSIDE, Run};
use crate::Solver;
use crate::data::arena::ClauseRef;
use crate::data::lists::lines;
use crate::data::random::Random;
use crate::inprocess::small::{SmallSolver, Verdict};
use putnam_formula::{Lit, Var};

/// Clauses with variables numbered from 0, the solver that has them, and candidates.
pub(super) struct Environment {
    /// The variables outside, by their number here.
    vars: Vec<Var>,
    /// By literal: the clauses that have it. Some may be left over from larger environments, empty.
    occurrences: Vec<Vec<u32>>,
    solver: SmallSolver,
    /// The literals outside of a clause that is added.
    clause: Vec<Lit>,
    /// Clauses in which several literals became one. Propagation does not see that they follow before the proof has
    /// them.
    merged: Vec<usize>,
    /// How many clauses the proof has, those that merged first, then learned ones.
    imported: usize,
    /// Literals that were true in all models so far.
    backbone: Vec<Lit>,
    /// Classes of literals that had equal values in all models so far, one after the other.
    classes: Vec<Lit>,
    /// Where each class ends in `classes`.
    ends: Vec<usize>,
    /// By variable: it is no candidate any more.
    dropped: Vec<bool>,
    /// By literal: the last model, with the flips since.
    holds: Vec<bool>,
    random: Random,
}

impl Solver {
    /// Fills the environment with the clauses within some steps of a variable.
    pub(super) fn gather_environment(&mut self, run: &mut Run, environment: &mut Environment, start: Var) {
        let enlarged = self.schedule.sweep_enlarged;
        let depth = self.options.sweepdepth as u32 + enlarged / 2;
        let max_vars = (self.options.sweepvars as usize) << enlarged;
        let max_clauses = (self.options.sweepclauses as usize) << enlarged;
        environment.reset();
        place(&mut environment.vars, run, start);
        let (mut next, mut steps, mut end_of_step) = (0, 0, 1);
        'gathering: while next < environment.vars.len() {
            if next == end_of_step {
                steps += 1;
                end_of_step = environment.vars.len();
            }
            if steps == depth {
                break;
            }
            let var = environment.vars[next];
            for lit in [var.positive(), var.negative()] {
                if !self.place_clauses(run, environment, lit, next as u32, (max_vars, max_clauses)) {
                    break 'gathering;
                }
            }
            next += 1;
        }
        environment.connect();
    }

    /// Adds the clauses of a literal and of those that it stands for. Answers whether there is room for more.
    fn place_clauses(
        &mut self,
        run: &mut Run,
        to: &mut Environment,
        lit: Lit,
        current: u32,
        room: (usize, usize),
    ) -> bool {
        let mut member = lit;
        loop {
            self.statistics.sweep_ticks += self.watches.lines(member) + run.occurrences.len(member) as u64;
            for other in self.watches.irredundant_binaries(member) {
                self.place_clause(run, to, &[member, other], current);
                if to.is_over(room) {
                    return false;
                }
            }
            for index in 0..run.occurrences.len(member) {
                let clause: ClauseRef = run.occurrences.get(member)[index];
                if !self.arena.is_garbage(clause) {
                    self.place_clause(run, to, self.arena.lits(clause), current);
                }
                if to.is_over(room) {
                    return false;
                }
            }
            member = run.ring[member.code()];
            if member == lit {
                return true;
            }
        }
    }

    /// Adds a clause, unless it is satisfied or came with a variable that was expanded before place `current`.
    fn place_clause(&self, run: &mut Run, environment: &mut Environment, lits: &[Lit], current: u32) {
        let (mut wanted, mut merged) = (true, false);
        for &lit in lits.iter().filter(|&&lit| !self.values.is_false(lit)) {
            let lit = run.find(lit);
            wanted &=
                run.places[lit.var().index()] >= current && !self.values.is_true(lit) && !run.marks[(!lit).code()];
            if !wanted {
                break;
            }
            if std::mem::replace(&mut run.marks[lit.code()], true) {
                merged = true;
            } else {
                environment.clause.push(lit);
            }
        }
        environment.clause.iter().for_each(|lit| run.marks[lit.code()] = false);
        let Environment { vars, solver, clause, merged: merged_clauses, .. } = environment;
        let clause = clause.drain(..);
        if wanted {
            if merged {
                merged_clauses.push(solver.num_clauses());
            }
            solver.add(clause.map(|lit| Var::new(place(vars, run, lit.var())).lit(!lit.is_negative())));
        }
    }
}

/// The number in an environment of a variable, which may be new there.
fn place(vars: &mut Vec<Var>, run: &mut Run, var: Var) -> u32 {
    let place = &mut run.places[var.index()];
    if *place == OUTSIDE {
        *place = vars.len() as u32;
        vars.push(var);
    }
    *place
}

impl Environment {
    pub(super) fn new(seed: u64) -> Self {
        Self {
            vars: Vec::new(),
            occurrences: Vec::new(),
            solver: SmallSolver::default(),
            clause: Vec::new(),
            merged: Vec::new(),
            imported: 0,
            backbone: Vec::new(),
            classes: Vec::new(),
            ends: Vec::new(),
            dropped: Vec::new(),
            holds: Vec::new(),
            random: Random::new(seed),
        }
    }

    /// Nothing is allocated anew where there is room from environments before.
    fn reset(&mut self) {
        let used = self.vars.len() * 2;
        self.occurrences.iter_mut().take(used).for_each(Vec::clear);
        self.vars.clear();
        self.solver.reset();
        self.merged.clear();
        self.imported = 0;
        self.backbone.clear();
        self.classes.clear();
        self.ends.clear();
        self.dropped.clear();
    }

    /// The number of variables.
    pub(super) fn len(&self) -> usize {
        self.vars.len()
    }

    /// Whether it has more variables or more clauses than this.
    fn is_over(&self, (vars, clauses): (usize, usize)) -> bool {
        self.vars.len() > vars || self.solver.num_clauses() > clauses
    }

    /// All clauses are there.
    fn connect(&mut self) {
        let vars = self.vars.len();
        self.solver.connect(vars);
        if self.occurrences.len() < 2 * vars {
            self.occurrences.resize_with(2 * vars, Vec::new);
        }
        self.dropped.resize(vars, false);
        for index in 0..self.solver.num_originals() {
            for lit in self.solver.clause(index) {
                self.occurrences[lit.code()].push(index as u32);
            }
        }
    }

    /// The literal outside.
    pub(super) fn outer(&self, lit: Lit) -> Lit {
        self.vars[lit.var().index()].lit(!lit.is_negative())
    }

    /// Solves under assumptions, with so many conflicts and about so many ticks at most; a model refines the candidates.
    pub(super) fn solve(&mut self, assumptions: &[Lit], conflicts: u64, ticks: u64) -> Verdict {
        self.solver.limit = self.solver.ticks.saturating_add(ticks);
        self.solver.randomize_phases(&mut self.random);
        let verdict = self.solver.solve(assumptions, conflicts);
        if verdict == Verdict::Satisfiable && !(self.ends.is_empty() && self.backbone.is_empty()) {
            self.refine();
        }
        verdict
    }

    /// The effort since the environment was filled.
    pub(super) fn ticks(&self) -> u64 {
        self.solver.ticks
    }

    /// Makes candidates of everything, from the first model.
    pub(super) fn start_candidates(&mut self) {
        self.backbone.extend_from_slice(self.solver.model());
        self.classes.extend_from_slice(&self.backbone);
        self.ends.push(self.classes.len());
        self.refine();
    }

    /// Splits the candidates by the last model and by its neighbours: a variable that can be flipped alone is no
    /// candidate, and the flipped model lets others be flipped. That is far cheaper than to ask for further models.
    fn refine(&mut self) {
        self.holds.clear();
        self.holds.resize(2 * self.vars.len(), false);
        self.solver.model().iter().for_each(|lit| self.holds[lit.code()] = true);
        self.split();
        for at in 0..self.backbone.len() {
            self.flip(self.backbone[at].var());
        }
        for at in 0..self.classes.len() {
            self.flip(self.classes[at].var());
        }
        self.sort_out();
    }

    /// Keeps backbone literals that the model satisfies, and separates what has different values in it.
    fn split(&mut self) {
        let holds = &self.holds;
        self.backbone.retain(|lit| holds[lit.code()]);
        let (mut start, classes) = (0, self.ends.len());
        for index in 0..classes {
            let end = self.ends[index];
            let class = &mut self.classes[start..end];
            class.sort_by_key(|lit| holds[lit.code()]);
            let middle = start + class.partition_point(|lit| !holds[lit.code()]);
            if start < middle && middle < end {
                self.ends.push(middle);
            }
            start = end;
        }
        if self.ends.len() > classes {
            self.ends.sort_unstable();
        }
    }

    /// Drops a candidate whose value in the model can be another, and gives it that.
    fn flip(&mut self, var: Var) {
        if self.dropped[var.index()] {
            return;
        }
        let lit = var.lit(self.holds[var.positive().code()]);
        let list = &self.occurrences[lit.code()];
        self.solver.ticks += lines::<u32>(list.len());
        for &clause in list {
            self.solver.ticks += 1;
            let mut others = self.solver.clause(clause as usize).iter();
            if !others.any(|&other| other != lit && self.holds[other.code()]) {
                return;
            }
        }
        self.holds[lit.code()] = false;
        self.holds[(!lit).code()] = true;
        self.dropped[var.index()] = true;
    }

    /// Removes the candidates that were dropped, and classes of one.
    fn sort_out(&mut self) {
        let dropped = &self.dropped;
        self.backbone.retain(|lit| !dropped[lit.var().index()]);
        let (mut start, mut kept, mut ends) = (0, 0, 0);
        for index in 0..self.ends.len() {
            let (end, first) = (self.ends[index], kept);
            for at in start..end {
                let lit = self.classes[at];
                self.classes[kept] = lit;
                kept += usize::from(!dropped[lit.var().index()]);
            }
            if kept - first < 2 {
                kept = first;
            } else {
                self.ends[ends] = kept;
                ends += 1;
            }
            start = end;
        }
        self.ends.truncate(ends);
        self.classes.truncate(kept);
    }

    /// A variable is no candidate any more.
    pub(super) fn forget(&mut self, var: Var) {
        self.dropped[var.index()] = true;
        self.sort_out();
    }

    /// A literal that may be implied.
    pub(super) fn next_backbone(&mut self) -> Option<Lit> {
        self.backbone.pop()
    }

    /// Two literals that may be equivalent.
    pub(super) fn next_pair(&self) -> Option<(Lit, Lit)> {
        match self.classes[..] {
            [.., a, b] => Some((a, b)),
            _ => None,
        }
    }

    /// Takes what was learned so far into the proof.
    pub(super) fn import(&mut self, solver: &mut Solver) {
        if !solver.proof.is_wanted() {
            return;
        }
        let derived = self.merged.len() + self.solver.num_clauses() - self.solver.num_originals();
        for index in self.imported..derived {
            let clause = self.derived(index);
            solver.proof.add(&solver.map, &clause);
        }
        self.imported = derived;
    }

    /// Takes it out of the proof again, and the variables out of the environment.
    pub(super) fn release(&mut self, run: &mut Run, solver: &mut Solver) {
        for index in 0..self.imported {
            let clause = self.derived(index);
            solver.proof.delete(&solver.map, &clause);
        }
        self.vars.iter().for_each(|var| run.places[var.index()] = OUTSIDE);
    }

    /// The literals outside of a clause that is not one of the formula.
    fn derived(&self, index: usize) -> Vec<Lit> {
        let learned = |index| self.solver.num_originals() + index - self.merged.len();
        let index = self.merged.get(index).copied().unwrap_or_else(|| learned(index));
        self.solver.clause(index).iter().map(|&lit| self.outer(lit)).collect()
    }
}
