//! The interface behind which every engine stands.

use crate::{Lit, Model, PackedClauses, ProofSink};
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

/// A SAT solver as front ends and the command see it. Clauses may be added between calls of [`Engine::solve`]; every
/// call answers for all clauses so far.
pub trait Engine: Send {
    /// The name by which a user chooses the engine.
    fn name(&self) -> &'static str;

    /// Makes sure that variables 0 to `num_vars` - 1 exist, so that a model has a value for each.
    fn declare(&mut self, num_vars: u32);

    /// Adds one clause, as written: duplicates, tautologies and the empty clause are taken.
    fn add_clause(&mut self, clause: &[Lit]);

    /// Adds all clauses of a formula, and its variables. An engine may go through them more than once, so that it need
    /// not put clauses aside.
    fn add_formula(&mut self, formula: &PackedClauses) {
        self.declare(formula.num_vars());
        formula.visit(|clause| {
            self.add_clause(clause);
            true
        });
    }

    /// Sends every step from now on to `proof`. To be called before the first clause is added.
    fn set_proof(&mut self, proof: Box<dyn ProofSink>);

    /// Bounds for each of the following calls of [`Engine::solve`].
    fn set_limits(&mut self, limits: Limits);

    /// Looks for a model of all clauses in which every assumption is true.
    fn solve(&mut self, assumptions: &[Lit]) -> Outcome;

    /// What the engine counted since it was made, in the order in which it wants to be printed.
    fn statistics(&self) -> Vec<Statistic>;

    /// How long the parts of the engine took since it was made that it measures by themselves. The rest is search.
    fn times(&self) -> Vec<(&'static str, Duration)> {
        Vec::new()
    }
}

/// What a call of [`Engine::solve`] found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// A model of all clauses and assumptions, with a value for every declared variable.
    Satisfiable(Model),
    /// There is no model. `failed` are those of the assumptions that clash with the clauses; when it is empty, the
    /// clauses alone have no model.
    Unsatisfiable {
        /// A subset of the assumptions, in their order.
        failed: Vec<Lit>,
    },
    /// A limit was reached or the search was told to stop. This says nothing about the formula.
    Unknown(StopReason),
}

/// Why a search ended without an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StopReason {
    /// [`Limits::conflicts`].
    Conflicts,
    /// [`Limits::decisions`].
    Decisions,
    /// [`Limits::ticks`].
    Ticks,
    /// [`Limits::deadline`].
    Time,
    /// [`Limits::memory`].
    Memory,
    /// [`Limits::terminate`].
    Terminated,
}

impl fmt::Display for StopReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Conflicts => "conflict limit reached",
            Self::Decisions => "decision limit reached",
            Self::Ticks => "tick limit reached",
            Self::Time => "time limit reached",
            Self::Memory => "memory limit reached",
            Self::Terminated => "interrupted",
        })
    }
}

/// Bounds on one search. The default bounds nothing. Only the counted ones stop at the same place in every run.
#[derive(Clone, Debug, Default)]
pub struct Limits {
    /// The most conflicts.
    pub conflicts: Option<u64>,
    /// The most decisions.
    pub decisions: Option<u64>,
    /// The most ticks, in which an engine counts the cache lines that it touches. It looks between propagations, so the
    /// count may pass this by what one propagation takes.
    pub ticks: Option<u64>,
    /// When to give up.
    pub deadline: Option<Instant>,
    /// The most memory for clauses and learned clauses, in bytes, as the engine counts it.
    pub memory: Option<u64>,
    /// Looked at again and again during the search: true means stop.
    pub terminate: Option<Arc<AtomicBool>>,
}

/// One line of an engine's statistics.
#[derive(Clone, Debug, PartialEq)]
pub struct Statistic {
    /// What was counted, in the plural: `conflicts`.
    pub name: &'static str,
    /// How many.
    pub count: u64,
    /// A ratio worth printing beside the count, and of what: `(12.5, "per second")`.
    pub ratio: Option<(f64, &'static str)>,
}
