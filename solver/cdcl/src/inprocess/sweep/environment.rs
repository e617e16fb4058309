//! The clauses around a variable, their own solver, and the candidates that its models leave.

use super::{OUTSIDE, Run};
use crate::Solver;
use crate::data::arena::ClauseRef;
use crate::data::lists::lines;
use crate::inprocess::small::{SmallSolver, Verdict};
use putnam_formula::{Lit, Var};

/// Clauses with variables numbered from 0, the solver that has them, and candidates.
#[derive(Default)]
pub(super) struct Environment {
    /// The variables outside, by their number here.
    vars: Vec<Var>,
    /// By literal: the clauses that have it. Some may be left over from larger environments, empty.
    occurrences: Vec<Vec<u32>>,
    solver: SmallSolver,
    /// How many learned clauses the proof has.
    imported: usize,
    /// The literal of the variable in the centre, number 0, if it was true in all models so far.
    pub(super) backbone: Option<Lit>,
    /// That literal and those that had its value in all models so far.
    class: Vec<Lit>,
    /// By variable: it is no candidate any more.
    dropped: Vec<bool>,
    /// By clause: how many of its literals the model at hand satisfies.
    support: Vec<u32>,
}

/// How often the variables of a model are tried in turn.
const FLIP_ROUNDS: usize = 3;

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
                self.statistics.sweep_ticks += self.watches.lines(lit) + run.occurrences.len(lit) as u64;
                let binaries = self.watches.get(lit).iter().filter(|watch| watch.is_binary());
                for watch in binaries.filter(|watch| !watch.is_redundant_binary()) {
                    self.place_clause(run, environment, &[lit, watch.blocking], next as u32);
                    if environment.vars.len() > max_vars || environment.solver.num_clauses() > max_clauses {
                        break 'gathering;
                    }
                }
                for index in 0..run.occurrences.len(lit) {
                    let clause: ClauseRef = run.occurrences.get(lit)[index];
                    if !self.arena.is_garbage(clause) {
                        self.place_clause(run, environment, self.arena.lits(clause), next as u32);
                    }
                    if environment.vars.len() > max_vars || environment.solver.num_clauses() > max_clauses {
                        break 'gathering;
                    }
                }
            }
            next += 1;
        }
        environment.connect();
    }

    /// Adds a clause, unless it is satisfied or came with a variable that was expanded before place `current`.
    fn place_clause(&self, run: &mut Run, environment: &mut Environment, lits: &[Lit], current: u32) {
        let known = |lit: &Lit| run.places[lit.var().index()] < current || self.values.is_true(*lit);
        if lits.iter().any(known) {
            return;
        }
        let free = lits.iter().copied().filter(|&lit| !self.values.is_false(lit));
        let Environment { vars, solver, .. } = environment;
        solver.add(free.map(|lit| Var::new(place(vars, run, lit.var())).lit(!lit.is_negative())));
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
    /// Nothing is allocated anew where there is room from environments before.
    fn reset(&mut self) {
        let used = self.vars.len() * 2;
        self.occurrences.iter_mut().take(used).for_each(Vec::clear);
        self.vars.clear();
        self.solver.reset();
        self.imported = 0;
        self.backbone = None;
        self.class.clear();
        self.dropped.clear();
    }

    /// The number of variables.
    pub(super) fn len(&self) -> usize {
        self.vars.len()
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

    /// Solves under assumptions, with so many conflicts at most; a model refines the candidates.
    pub(super) fn solve(&mut self, assumptions: &[Lit], conflicts: u64) -> Verdict {
        let verdict = self.solver.solve(assumptions, conflicts);
        if verdict == Verdict::Satisfiable {
            self.refine();
        }
        verdict
    }

    /// The effort since the environment was filled.
    pub(super) fn ticks(&self) -> u64 {
        self.solver.ticks
    }

    /// Makes candidates of everything that the first model left.
    pub(super) fn start_candidates(&mut self, run: &Run) {
        // The first model has set aside what can be flipped.
        let candidates = (0..self.vars.len() as u32).map(Var::new).filter(|var| !self.dropped[var.index()]);
        let lits: Vec<Lit> = candidates
            .filter(|var| run.find(self.vars[var.index()].positive()) == self.vars[var.index()].positive())
            .map(|var| self.solver.model()[var.index()])
            .collect();
        self.backbone = lits.first().copied().filter(|lit| lit.var().index() == 0);
        self.class = if self.backbone.is_some() { lits } else { Vec::new() };
    }

    /// Splits the candidates by a model and by its neighbours: a variable that can be flipped alone is no candidate, and the
    /// flipped model lets others be flipped. That is far cheaper than to ask for further models.
    fn refine(&mut self) {
        let mut values = self.solver.model().to_vec();
        self.split(&values);
        let is_true = |lit: &&Lit| values[lit.var().index()] == **lit;
        let clauses = (0..self.solver.num_originals()).map(|index| self.solver.clause(index));
        self.support.clear();
        self.support.extend(clauses.map(|clause| clause.iter().filter(is_true).count() as u32));
        let support = &mut self.support;
        self.solver.ticks += self.solver.num_originals() as u64 / 2;
        for _ in 0..FLIP_ROUNDS {
            let mut found = false;
            for (var, value) in values.iter_mut().enumerate() {
                let lit = *value;
                let list = &self.occurrences[lit.code()];
                self.solver.ticks += lines::<u32>(list.len());
                if list.iter().any(|&clause| support[clause as usize] == 1) {
                    continue;
                }
                list.iter().for_each(|&clause| support[clause as usize] -= 1);
                self.occurrences[(!lit).code()].iter().for_each(|&clause| support[clause as usize] += 1);
                *value = !lit;
                found |= !std::mem::replace(&mut self.dropped[var], true);
            }
            if !found {
                break;
            }
        }
        self.split(&values);
    }

    /// Keeps the candidates that the model with these true literals, sorted by variable, leaves.
    fn split(&mut self, values: &[Lit]) {
        let is_true = |lit: Lit| values[lit.var().index()] == lit;
        if self.dropped.first() == Some(&true) {
            self.class.clear();
        }
        self.backbone = self.backbone.filter(|&lit| is_true(lit) && !self.class.is_empty());
        if let Some(center) = self.class.first().map(|&lit| is_true(lit)) {
            self.class.retain(|&lit| is_true(lit) == center && !self.dropped[lit.var().index()]);
        }
    }

    /// A literal is no candidate any more.
    pub(super) fn forget(&mut self, lit: Lit) {
        self.dropped[lit.var().index()] = true;
        self.class.retain(|other| other.var() != lit.var());
    }

    /// The literal of the variable in the centre and one that may be equivalent to it.
    pub(super) fn next_pair(&self) -> Option<(Lit, Lit)> {
        let (&center, others) = self.class.split_first()?;
        (center.var().index() == 0).then_some((center, *others.last()?))
    }

    /// Takes what was learned so far into the proof.
    pub(super) fn import(&mut self, solver: &mut Solver) {
        if !solver.proof.is_wanted() {
            return;
        }
        let (first, end) = (self.solver.num_originals(), self.solver.num_clauses());
        for index in first + self.imported..end {
            let clause = self.outer_clause(index);
            solver.proof.add(&solver.map, &clause);
        }
        self.imported = end - first;
    }

    /// Takes it out of the proof again, and the variables out of the environment.
    pub(super) fn release(&mut self, run: &mut Run, solver: &mut Solver) {
        let first = self.solver.num_originals();
        for index in first..first + self.imported {
            let clause = self.outer_clause(index);
            solver.proof.delete(&solver.map, &clause);
        }
        self.vars.iter().for_each(|var| run.places[var.index()] = OUTSIDE);
    }

    /// The literals outside of a learned clause.
    fn outer_clause(&self, index: usize) -> Vec<Lit> {
        self.solver.clause(index).iter().map(|&lit| self.outer(lit)).collect()
    }
}
