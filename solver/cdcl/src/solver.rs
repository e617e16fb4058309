//! The solver as its users see it.
//!
//! # Contract
//! Between calls the solver is in one of four states:
//!
//! | state         | after                                            | `value`           | `failed`            |
//! |---------------|--------------------------------------------------|-------------------|---------------------|
//! | adding        | making it, any new clause, variable, assumption  | none              | false               |
//! | satisfied     | a search that found a model                      | the model's       | false               |
//! | unsatisfiable | a search that proved there is none               | none              | the assumptions' core |
//! | unknown       | a search that met a limit                        | none              | false               |
//!
//! Every method may be called in every state. A search answers for all clauses so far and for the assumptions made
//! since the last search, which are forgotten afterwards. Once the clauses alone are unsatisfiable every later search
//! says so, with an empty core. Asked twice without changes, the verdict is the same. A solver may be sent to another
//! thread.

use crate::data::arena::Arena;
use crate::data::heap::ScoreHeap;
use crate::data::phases::Phases;
use crate::data::queue::VarQueue;
use crate::data::random::Random;
use crate::data::reluctant::Reluctant;
use crate::data::trail::Trail;
use crate::data::values::Values;
use crate::data::watch::Watches;
use crate::inprocess::Schedule;
use crate::options::Options;
use crate::profile::Profile;
use crate::proof::Proof;
use crate::reconstruct::Reconstruction;
use crate::report::{Event, Observer, ReportLine};
use crate::search::Ending;
use crate::search::analyze::Analysis;
use crate::search::averages::Averages;
use crate::search::bump::ReasonSide;
use crate::search::burst::Bursts;
use crate::search::gauss::Gauss;
use crate::search::limits::SearchLimits;
use crate::search::mode::ModeSchedule;
use crate::search::tiers::Tiers;
use crate::search::uniform::Uniform;
use crate::statistics::Statistics;
use putnam_formula::{
    ClauseSink, Engine, Limits, Lit, Model, Outcome, PackedClauses, ProofSink, Renumbering, Statistic, StopReason, Var,
};
use std::collections::{HashSet, VecDeque};
use std::time::{Duration, Instant};

/// A solver for clauses that are added piece by piece, with as many searches in between as wanted.
pub struct Solver {
    pub(crate) options: Options,
    pub(crate) statistics: Statistics,
    pub(crate) profile: Profile,
    observer: Option<Observer>,
    started: Instant,

    // Variables: outer ones are the user's, inner ones those that clauses or assumptions use.
    pub(crate) map: Renumbering,
    pub(crate) declared: u32,
    pub(crate) proof: Proof,

    // Clauses.
    pub(crate) arena: Arena,
    pub(crate) watches: Watches,
    pub(crate) num_irredundant: u64,
    pub(crate) num_redundant: u64,
    /// Clauses of the arena from here on are not yet watched.
    pub(crate) connected: usize,
    /// Binary clauses that are not yet watched; packed, because for a moment they are there twice.
    pub(crate) new_binaries: PackedClauses,
    /// The last learned clauses.
    pub(crate) recent: VecDeque<crate::data::arena::ClauseRef>,
    /// The clauses alone have no model.
    pub(crate) inconsistent: bool,
    /// A clause had no room any more.
    pub(crate) overflow: bool,

    // Assignment.
    pub(crate) values: Values,
    pub(crate) trail: Trail,
    /// Literals of the trail before this one are units that the proof has.
    pub(crate) recorded_units: usize,
    /// How many of them the clauses have been cleaned of.
    pub(crate) cleaned_units: usize,

    // Decisions.
    pub(crate) queue: VarQueue,
    pub(crate) scores: ScoreHeap,
    /// Variables from here on are neither in the queue nor the heap.
    pub(crate) enqueued: usize,
    pub(crate) phases: Phases,
    pub(crate) random: Random,
    pub(crate) uniform: Uniform,

    // Search.
    pub(crate) analysis: Analysis,
    pub(crate) averages: Averages,
    pub(crate) reason_side: ReasonSide,
    pub(crate) bursts: Bursts,
    pub(crate) stable: bool,
    pub(crate) mode: ModeSchedule,
    pub(crate) tiers: Tiers,
    pub(crate) reluctant: Reluctant,
    pub(crate) gauss: Gauss,
    pub(crate) restart_limit: u64,
    pub(crate) reduce_limit: u64,
    pub(crate) rephase_limit: u64,
    pub(crate) user_limits: Limits,
    pub(crate) limits: SearchLimits,

    // Inprocessing.
    pub(crate) schedule: Schedule,
    pub(crate) reconstruct: Reconstruction,

    // Assumptions, inner, and answers.
    pub(crate) assumptions: Vec<Lit>,
    pub(crate) failed_core: Vec<Lit>,
    /// Assumptions of the next search, outer.
    pending: Vec<Lit>,
    model: Option<Model>,
    failed: HashSet<Lit>,
    /// Scratch of `add_clause`.
    pub(crate) simplified: Vec<Lit>,
}

impl Default for Solver {
    fn default() -> Self {
        Self::new()
    }
}

impl Solver {
    /// A solver without clauses.
    pub fn new() -> Self {
        Self::with_options(Options::default())
    }

    /// A solver without clauses, with options.
    pub fn with_options(options: Options) -> Self {
        Self {
            statistics: Statistics::default(),
            profile: Profile::default(),
            observer: None,
            started: Instant::now(),
            map: Renumbering::new(),
            declared: 0,
            proof: Proof::default(),
            arena: Arena::default(),
            watches: Watches::default(),
            num_irredundant: 0,
            num_redundant: 0,
            connected: 0,
            new_binaries: PackedClauses::new(),
            recent: VecDeque::new(),
            inconsistent: false,
            overflow: false,
            values: Values::default(),
            trail: Trail::default(),
            recorded_units: 0,
            cleaned_units: 0,
            queue: VarQueue::default(),
            scores: ScoreHeap::default(),
            enqueued: 0,
            phases: Phases::default(),
            random: Random::new(options.seed as u64),
            uniform: Uniform::default(),
            analysis: Analysis::default(),
            averages: Averages::new(&options),
            reason_side: ReasonSide::default(),
            bursts: Bursts::default(),
            stable: options.mode == 2,
            mode: ModeSchedule::default(),
            tiers: Tiers::new(&options),
            reluctant: Reluctant::new(options.reluctant as u64, options.reluctantmax as u64),
            gauss: Gauss::default(),
            restart_limit: 0,
            reduce_limit: options.reduceint as u64,
            rephase_limit: options.rephaseint as u64,
            user_limits: Limits::default(),
            limits: SearchLimits::default(),
            schedule: Schedule::default(),
            reconstruct: Reconstruction::default(),
            assumptions: Vec::new(),
            failed_core: Vec::new(),
            pending: Vec::new(),
            model: None,
            failed: HashSet::new(),
            simplified: Vec::new(),
            options,
        }
    }

    /// The options that were given.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// Calls `observer` with every line of progress from now on.
    pub fn set_observer(&mut self, observer: Observer) {
        self.observer = Some(observer);
    }

    /// Makes sure that variables 0 to `num_vars` - 1 exist.
    pub fn declare(&mut self, num_vars: u32) {
        self.forget_answer();
        self.declared = self.declared.max(num_vars);
    }

    /// The number of variables that were declared or used.
    pub fn declared(&self) -> u32 {
        self.declared
    }

    /// Assumes a literal for the next search.
    pub fn assume(&mut self, lit: Lit) {
        self.forget_answer();
        self.declared = self.declared.max(lit.var().to_dimacs());
        self.pending.push(lit);
    }

    /// The value of a variable in the model that the last search found.
    pub fn value(&self, var: Var) -> Option<bool> {
        self.model.as_ref().map(|model| model.value(var))
    }

    /// Whether the assumption belongs to the core of the last search, which found that not all assumptions can be true.
    pub fn failed(&self, assumption: Lit) -> bool {
        self.failed.contains(&assumption)
    }

    pub(crate) fn forget_answer(&mut self) {
        self.model = None;
        self.failed.clear();
    }

    /// The number of inner variables.
    #[inline]
    pub(crate) fn num_vars(&self) -> usize {
        self.analysis.marks.len()
    }

    /// One search, from the root level back to it.
    fn run(&mut self) -> Ending {
        if let Some(ending) = self.prepare() {
            return ending;
        }
        if self.trying_lucky() && self.try_lucky() {
            return Ending::Satisfied;
        }
        self.look_at_formula();
        if self.walking_first() && !self.walk_first() {
            return Ending::Refuted;
        }
        self.enter_mode(self.stable);
        self.search()
    }

    /// Restores, connects and propagates; answers whether that leaves clauses to search.
    pub(crate) fn connect_all(&mut self) -> bool {
        if self.inconsistent {
            return false;
        }
        self.restore();
        if self.inconsistent {
            return false;
        }
        self.enqueue_variables();
        self.connect();
        self.settle()
    }

    /// Restores, connects and propagates; answers when that alone ends the search.
    pub(crate) fn prepare(&mut self) -> Option<Ending> {
        self.start_limits();
        if self.inconsistent {
            return Some(Ending::Refuted);
        }
        if self.overflow {
            return Some(Ending::Stopped(StopReason::Memory));
        }
        self.schedule_inprocessing();
        self.report(Event::Start);
        if !self.connect_all() {
            return Some(Ending::Refuted);
        }
        if self.overflow {
            return Some(Ending::Stopped(StopReason::Memory));
        }
        self.stopping_now().map(Ending::Stopped)
    }

    fn answer(&mut self, ending: Ending, assumptions: &[Lit]) -> Outcome {
        let (event, outcome) = match ending {
            Ending::Satisfied => {
                let model = self.model_of(&self.extended_values());
                self.model = Some(model.clone());
                (Event::Satisfiable, Outcome::Satisfiable(model))
            }
            Ending::Refuted => (Event::Unsatisfiable, Outcome::Unsatisfiable { failed: Vec::new() }),
            Ending::Failed => {
                let failed = self.failed_assumptions(assumptions);
                self.failed.extend(&failed);
                (Event::Unsatisfiable, Outcome::Unsatisfiable { failed })
            }
            Ending::Stopped(reason) => (Event::Unknown, Outcome::Unknown(reason)),
        };
        self.end_search();
        self.report(event);
        outcome
    }

    /// Goes back to the root.
    pub(crate) fn end_search(&mut self) {
        self.forget_explanations();
        self.backtrack(0);
        // Learned clauses are watched from the start.
        self.connected = self.arena.len();
    }

    /// The model in the user's numbers, from the values of all inner literals by their codes.
    pub(crate) fn model_of(&self, values: &[bool]) -> Model {
        let mut model = Model::new(self.declared);
        (0..values.len())
            .filter(|&code| values[code] && !self.is_hidden(Lit::from_code(code).var()))
            .for_each(|code| model.assign(self.map.outer(Lit::from_code(code))));
        model
    }

    /// Those of the user's assumptions that are in the core of a search that failed.
    pub(crate) fn failed_assumptions(&self, assumptions: &[Lit]) -> Vec<Lit> {
        // Each is taken out when it is found, so that none comes twice.
        let mut core: HashSet<Lit> = self.failed_core.iter().map(|&lit| self.map.outer(lit)).collect();
        assumptions.iter().copied().filter(|lit| core.remove(lit)).collect()
    }

    /// Makes those of [`Solver::assume`] and then these the assumptions of the next search, and gives them back.
    pub(crate) fn take_assumptions(&mut self, assumptions: &[Lit]) -> Vec<Lit> {
        self.forget_answer();
        let mut all = std::mem::take(&mut self.pending);
        all.extend_from_slice(assumptions);
        self.assumptions.clear();
        for &outer in &all {
            self.declared = self.declared.max(outer.var().to_dimacs());
            let lit = self.inner(outer);
            self.reactivate_assumed(lit);
            self.assumptions.push(lit);
        }
        all
    }

    /// Hands a line to the observer.
    pub(crate) fn report(&mut self, event: Event) {
        let Some(mut observer) = self.observer.take() else { return };
        observer(&ReportLine {
            event,
            seconds: self.started.elapsed().as_secs_f64(),
            mebibytes: self.bytes() as f64 / f64::from(1 << 20),
            level: self.averages.level.get(),
            reductions: self.statistics.reductions,
            restarts: self.statistics.restarts,
            conflicts: self.statistics.conflicts,
            redundant: self.num_redundant,
            trail: self.averages.trail.get(),
            glue: self.averages.glue[usize::from(self.stable)].slow.get(),
            irredundant: self.num_irredundant,
            variables: (self.num_vars() - self.recorded_units - self.reconstruct.removed()) as u64,
        });
        self.observer = Some(observer);
    }
}

impl Engine for Solver {
    fn name(&self) -> &'static str {
        "cdcl"
    }

    fn declare(&mut self, num_vars: u32) {
        Solver::declare(self, num_vars);
    }

    fn add_clause(&mut self, clause: &[Lit]) {
        Solver::add_clause(self, clause);
    }

    fn add_formula(&mut self, formula: &PackedClauses) {
        self.add_packed(formula);
    }

    fn set_proof(&mut self, proof: Box<dyn ProofSink>) {
        // The rows of those that were made without a proof cannot be proved.
        self.drop_matrices();
        self.proof.set(proof);
    }

    fn set_limits(&mut self, limits: Limits) {
        self.user_limits = limits;
    }

    /// Takes the assumptions of [`Solver::assume`] first, then these.
    fn solve(&mut self, assumptions: &[Lit]) -> Outcome {
        self.statistics.solves += 1;
        let all = self.take_assumptions(assumptions);
        let ending = self.run();
        self.answer(ending, &all)
    }

    fn statistics(&self) -> Vec<Statistic> {
        self.statistics.rows()
    }

    fn times(&self) -> Vec<(&'static str, Duration)> {
        self.profile.rows()
    }
}

impl ClauseSink for Solver {
    fn new_var(&mut self) -> Var {
        let var = Var::new(self.declared);
        self.declare(self.declared + 1);
        var
    }

    fn add_clause(&mut self, clause: &[Lit]) {
        Solver::add_clause(self, clause);
    }
}
