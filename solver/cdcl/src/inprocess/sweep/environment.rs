//! The clauses around a variable, their own solver, and the candidates that its models leave.

use super::{OUTSIDE, Run};
use crate::data::arena::ClauseRef;
use crate::search::propagate::lines;
use crate::{Options, Solver};
use putnam_formula::{Engine, Limits, Lit, Model, Outcome, ProofSink, SharedProof, Var};
use std::io;

/// What the small solver found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    Satisfiable,
    Unsatisfiable,
    Unknown,
}

/// The clauses that the small solver learned. It may forget them; here they are kept.
#[derive(Default)]
struct Recorder(Vec<Vec<Lit>>);

impl ProofSink for Recorder {
    fn add(&mut self, clause: &[Lit]) {
        self.0.push(clause.to_vec());
    }

    fn delete(&mut self, _clause: &[Lit]) {}

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Clauses with variables numbered from 0, the solver that has them, and candidates.
pub(super) struct Environment {
    /// The variables outside, by their number here.
    vars: Vec<Var>,
    clauses: Vec<Vec<Lit>>,
    /// By literal: the clauses that have it.
    occurrences: Vec<Vec<u32>>,
    solver: Solver,
    steps: Option<SharedProof<Recorder>>,
    /// How many steps the proof has.
    imported: usize,
    /// The literal of the variable in the centre, number 0, if it was true in all models so far.
    pub(super) backbone: Option<Lit>,
    /// That literal and those that had its value in all models so far.
    class: Vec<Lit>,
    /// By variable: it is no candidate any more.
    dropped: Vec<bool>,
    /// Effort of flipping that was not counted yet.
    flip_ticks: u64,
}

/// How often the variables of a model are tried in turn.
const FLIP_ROUNDS: usize = 3;

impl Solver {
    /// The clauses within some steps of a variable.
    pub(super) fn gather_environment(&mut self, run: &mut Run, start: Var) -> Environment {
        let enlarged = self.schedule.sweep_enlarged;
        let depth = self.options.sweepdepth as u32 + enlarged / 2;
        let max_vars = (self.options.sweepvars as usize) << enlarged;
        let max_clauses = (self.options.sweepclauses as usize) << enlarged;
        let mut environment = Environment::new(self.proof.is_wanted(), self.options.sweepconflicts as u64);
        environment.place(run, start);
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
                let list = self.watches.get(lit);
                self.statistics.sweep_ticks += lines(list.len()) + run.occurrences.len(lit) as u64;
                for watch in list.iter().filter(|watch| watch.is_binary() && !watch.is_redundant_binary()) {
                    self.place_clause(run, &mut environment, &[lit, watch.blocking], next as u32);
                    if environment.vars.len() > max_vars || environment.clauses.len() > max_clauses {
                        break 'gathering;
                    }
                }
                for index in 0..run.occurrences.len(lit) {
                    let clause: ClauseRef = run.occurrences.get(lit)[index].clause;
                    if !self.arena.is_garbage(clause) {
                        self.place_clause(run, &mut environment, self.arena.lits(clause), next as u32);
                    }
                    if environment.vars.len() > max_vars || environment.clauses.len() > max_clauses {
                        break 'gathering;
                    }
                }
            }
            next += 1;
        }
        environment.connect();
        environment
    }

    /// Adds a clause, unless it is satisfied or came with a variable that was expanded before place `current`.
    fn place_clause(&self, run: &mut Run, environment: &mut Environment, lits: &[Lit], current: u32) {
        let known = |lit: &Lit| run.places[lit.var().index()] < current || self.values.is_true(*lit);
        if lits.iter().any(known) {
            return;
        }
        let free = lits.iter().copied().filter(|&lit| !self.values.is_false(lit));
        let clause = free.map(|lit| Var::new(environment.place(run, lit.var())).lit(!lit.is_negative())).collect();
        environment.clauses.push(clause);
    }
}

impl Environment {
    fn new(prove: bool, conflicts: u64) -> Self {
        let mut options = Options::default();
        (options.inprocess, options.lucky, options.walk, options.rephase, options.mode) = (0, 0, 0, 0, 0);
        let mut solver = Solver::with_options(options);
        solver.set_limits(Limits { conflicts: Some(conflicts), ..Limits::default() });
        let steps = prove.then(|| SharedProof::new(Recorder::default()));
        if let Some(steps) = &steps {
            solver.set_proof(Box::new(steps.clone()));
        }
        Self {
            vars: Vec::new(),
            clauses: Vec::new(),
            occurrences: Vec::new(),
            solver,
            steps,
            imported: 0,
            backbone: None,
            class: Vec::new(),
            dropped: Vec::new(),
            flip_ticks: 0,
        }
    }

    /// The number of variables.
    pub(super) fn len(&self) -> usize {
        self.vars.len()
    }

    /// The number of a variable here.
    fn place(&mut self, run: &mut Run, var: Var) -> u32 {
        let place = &mut run.places[var.index()];
        if *place == OUTSIDE {
            *place = self.vars.len() as u32;
            self.vars.push(var);
        }
        *place
    }

    fn connect(&mut self) {
        self.solver.declare(self.vars.len() as u32);
        self.occurrences = vec![Vec::new(); self.vars.len() * 2];
        self.dropped = vec![false; self.vars.len()];
        for (clause, index) in self.clauses.iter().zip(0..) {
            self.solver.add_clause(clause);
            clause.iter().for_each(|lit| self.occurrences[lit.code()].push(index));
        }
    }

    /// The literal outside.
    pub(super) fn outer(&self, lit: Lit) -> Lit {
        self.vars[lit.var().index()].lit(!lit.is_negative())
    }

    /// Solves under assumptions; a model refines the candidates. Answers also with the effort.
    pub(super) fn solve(&mut self, assumptions: &[Lit]) -> (Verdict, u64) {
        let before = self.solver.statistics.ticks;
        let outcome = self.solver.solve(assumptions);
        // Each call passes over the variables a few times, each model over the clauses.
        let mut ticks = self.solver.statistics.ticks - before + self.vars.len() as u64 / 4;
        let verdict = match outcome {
            Outcome::Satisfiable(model) => {
                ticks += self.clauses.len() as u64 / 2;
                self.refine(&model);
                ticks += std::mem::take(&mut self.flip_ticks);
                Verdict::Satisfiable
            }
            Outcome::Unsatisfiable { .. } => Verdict::Unsatisfiable,
            Outcome::Unknown(_) => Verdict::Unknown,
        };
        (verdict, ticks)
    }

    /// Makes candidates of everything that the first model left.
    pub(super) fn start_candidates(&mut self, run: &Run) {
        // The first model has set aside what can be flipped.
        let candidates = (0..self.vars.len() as u32).map(Var::new).filter(|var| !self.dropped[var.index()]);
        let lits: Vec<Lit> = candidates
            .filter(|var| run.find(self.vars[var.index()].positive()) == self.vars[var.index()].positive())
            .map(|var| var.lit(self.solver.value(var).unwrap_or(false)))
            .collect();
        self.backbone = lits.first().copied().filter(|lit| lit.var().index() == 0);
        self.class = if self.backbone.is_some() { lits } else { Vec::new() };
    }

    /// Splits the candidates by a model and by its neighbours: a variable that can be flipped alone is no candidate, and the
    /// flipped model lets others be flipped. That is far cheaper than to ask for further models.
    fn refine(&mut self, model: &Model) {
        let mut values: Vec<Lit> =
            (0..self.vars.len() as u32).map(Var::new).map(|var| var.lit(model.value(var))).collect();
        self.split(&values);
        let is_true = |lit: &&Lit| model.satisfies(**lit);
        let mut support: Vec<u32> =
            self.clauses.iter().map(|clause| clause.iter().filter(is_true).count() as u32).collect();
        for _ in 0..FLIP_ROUNDS {
            let mut found = false;
            for (var, value) in values.iter_mut().enumerate() {
                let lit = *value;
                let list = &self.occurrences[lit.code()];
                self.flip_ticks += lines(list.len());
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
        let Some(steps) = self.steps.clone() else { return };
        steps.with(|recorder| {
            for step in &recorder.0[self.imported..] {
                let clause: Vec<Lit> = step.iter().map(|&lit| self.outer(lit)).collect();
                solver.proof.add(&solver.map, &clause);
            }
            self.imported = recorder.0.len();
        });
    }

    /// Takes it out of the proof again, and the variables out of the environment.
    pub(super) fn release(self, run: &mut Run, solver: &mut Solver) {
        if let Some(steps) = &self.steps {
            steps.with(|recorder| {
                for step in &recorder.0[..self.imported] {
                    let clause: Vec<Lit> = step.iter().map(|&lit| self.outer(lit)).collect();
                    solver.proof.delete(&solver.map, &clause);
                }
            });
        }
        self.vars.iter().for_each(|var| run.places[var.index()] = OUTSIDE);
    }
}
