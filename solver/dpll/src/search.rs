//! The procedure: four steps, and the lemmas that prove a refutation.

use crate::formula::{ClauseIndex, Formula};
use crate::outside::Outside;
use crate::scores::Scores;
use crate::trace::{Event, Observer};
use putnam_formula::{Limits, Lit, Outcome, StopReason, Var};
use std::sync::atomic::Ordering;
use std::time::Instant;

/// The procedure as an engine. Clauses can be added between calls of `solve`, which starts afresh each time.
#[derive(Default)]
pub struct Dpll {
    pub(crate) outside: Outside,
    pub(crate) formula: Formula,
    /// The clauses of one literal.
    pub(crate) unit_clauses: Vec<ClauseIndex>,
    /// The empty clause was added or derived.
    pub(crate) refuted: bool,
    /// There are more clauses than a [`ClauseIndex`] can count.
    pub(crate) overfull: bool,
    pub(crate) scores: Scores,
    /// True literals in the order in which they became true.
    trail: Vec<Lit>,
    /// By variable: why it has its value. Stale when it has none.
    pub(crate) reasons: Vec<Reason>,
    /// The guesses that stand. What follows from the first k of them stands on the trail below `levels[k]`.
    levels: Vec<Level>,
    /// Pure literals are assigned only when all assumptions stand.
    pure_literals: bool,
    /// The lemmas of the guesses that were taken back and whose opposite stands, in the order of the trail.
    lemmas: Vec<Vec<Lit>>,
    /// Free variables that were taken out of the heap because no clause that matters has them.
    idle: Vec<Var>,
    /// By variable, while a lemma is made: seen already.
    pub(crate) seen: Vec<bool>,
    pub(crate) limits: Limits,
    pub(crate) counts: Counts,
    /// The counts at the beginning of this call.
    counts_before: Counts,
}

/// Why a variable has its value.
#[derive(Clone, Copy)]
pub(crate) enum Reason {
    /// It was guessed or assumed.
    Guess,
    /// The clause has no other literal that is not false.
    Clause(ClauseIndex),
    /// The opposite was guessed, and refuted by this lemma.
    Lemma(usize),
    /// The negation is in no clause that is not satisfied.
    Pure,
}

/// What stood where when a guess was made.
struct Level {
    trail: usize,
    idle: usize,
}

#[derive(Clone, Copy, Default)]
pub(crate) struct Counts {
    pub(crate) decisions: u64,
    pub(crate) propagations: u64,
    pub(crate) pure_literals: u64,
    pub(crate) conflicts: u64,
    pub(crate) depth: u64,
    pub(crate) ticks: u64,
}

impl Dpll {
    /// An engine without clauses.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sends every event of the search from now on to `observer`.
    pub fn set_observer(&mut self, observer: Box<dyn Observer>) {
        self.outside.observer = Some(observer);
    }

    /// Ends the observation and gives the observer back, to be flushed.
    pub fn take_observer(&mut self) -> Option<Box<dyn Observer>> {
        self.outside.observer.take()
    }

    /// Answers for all clauses and the assumptions, which are inner literals.
    pub(crate) fn run(&mut self, assumptions: &[Lit]) -> Outcome {
        self.counts_before = Counts { ticks: self.formula.ticks, ..self.counts };
        if self.refuted {
            return self.fail(Vec::new());
        }
        if self.overfull {
            return Outcome::Unknown(StopReason::Memory);
        }
        self.formula.units.clone_from(&self.unit_clauses);
        let outcome = match self.assume(assumptions) {
            Some(lemma) => self.fail(lemma),
            None => self.search(),
        };
        self.reset();
        outcome
    }

    /// Makes the assumptions true, with what follows from them. Answers the lemma when they clash with the clauses.
    fn assume(&mut self, assumptions: &[Lit]) -> Option<Vec<Lit>> {
        self.pure_literals = false;
        let mut conflict = self.propagate();
        for &lit in assumptions {
            if conflict.is_some() {
                break;
            }
            if self.formula.is_false(lit) {
                // The guesses that made it false clash with it.
                let mut lemma = self.lemma(&[lit]);
                lemma.push(!lit);
                return Some(lemma);
            }
            if self.formula.is_free(lit) {
                self.outside.observe(Event::Assume { level: self.levels.len() + 1, lit });
                self.guess(lit);
                conflict = self.propagate();
            }
        }
        conflict.map(|conflict| self.conflict(conflict))
    }

    /// The procedure itself. The levels that are there when it begins are assumptions and stay.
    fn search(&mut self) -> Outcome {
        let assumptions = self.levels.len();
        self.pure_literals = true;
        let vars = (0..self.formula.num_vars() as u32).map(Var::new);
        self.formula.candidates.extend(vars.flat_map(|var| [var.positive(), var.negative()]));
        loop {
            if let Some(conflict) = self.propagate() {
                let lemma = self.conflict(conflict);
                if self.levels.len() == assumptions {
                    return self.fail(lemma);
                }
                self.backtrack(lemma);
            } else if self.formula.all_satisfied() {
                self.outside.observe(Event::Model { level: self.levels.len() });
                return Outcome::Satisfiable(self.outside.model(&self.trail));
            } else if let Some(reason) = self.stop() {
                return Outcome::Unknown(reason);
            } else {
                self.decide();
            }
        }
    }

    /// Unit propagation, and pure literals when no unit is left, until nothing more follows. Answers a clause that
    /// became false.
    fn propagate(&mut self) -> Option<ClauseIndex> {
        loop {
            if let Some(unit) = self.formula.units.pop() {
                if let Some(lit) = self.formula.last_literal(unit) {
                    let (level, clause) = (self.levels.len(), self.formula.clause(unit));
                    self.outside.observe(Event::Propagate { level, lit, clause });
                    self.counts.propagations += 1;
                    let conflict = self.assign(lit, Reason::Clause(unit));
                    if conflict.is_some() {
                        return conflict;
                    }
                }
            } else if let Some(lit) = self.formula.candidates.pop() {
                if self.pure_literals && self.formula.is_pure(lit) {
                    self.outside.observe(Event::Pure { level: self.levels.len(), lit });
                    self.counts.pure_literals += 1;
                    let conflict = self.assign(lit, Reason::Pure);
                    debug_assert!(conflict.is_none(), "no clause that is not satisfied has its negation");
                }
            } else {
                return None;
            }
        }
    }

    /// Guesses a value for the variable with the highest score: the value that satisfies more clauses. To be called
    /// when some clause is not satisfied and nothing follows.
    fn decide(&mut self) {
        while let Some(index) = self.scores.pop() {
            let lit = Var::new(index).positive();
            let (positive, negative) = (self.formula.live(lit), self.formula.live(!lit));
            if !self.formula.is_free(lit) {
                continue;
            }
            if positive + negative == 0 {
                self.idle.push(lit.var());
                continue;
            }
            let lit = if positive >= negative { lit } else { !lit };
            self.counts.decisions += 1;
            self.outside.observe(Event::Decide { level: self.levels.len() + 1, lit });
            return self.guess(lit);
        }
    }

    /// Opens a level with a free literal.
    fn guess(&mut self, lit: Lit) {
        self.levels.push(Level { trail: self.trail.len(), idle: self.idle.len() });
        self.counts.depth = self.counts.depth.max(self.levels.len() as u64);
        let conflict = self.assign(lit, Reason::Guess);
        debug_assert!(conflict.is_none(), "a clause with one literal left was propagated before");
    }

    fn assign(&mut self, lit: Lit, reason: Reason) -> Option<ClauseIndex> {
        self.trail.push(lit);
        self.reasons[lit.var().index()] = reason;
        self.formula.assign(lit)
    }

    /// Counts a conflict, makes the variables of the false clause more likely to be guessed, and answers the lemma.
    fn conflict(&mut self, conflict: ClauseIndex) -> Vec<Lit> {
        let clause = self.formula.clause(conflict);
        self.outside.observe(Event::Conflict { level: self.levels.len(), clause });
        self.counts.conflicts += 1;
        for &lit in clause {
            self.scores.bump(lit.var().index() as u32);
        }
        self.scores.decay();
        let clause = clause.to_vec();
        self.lemma(&clause)
    }

    /// The negations of the guesses that together make all of `literals` false.
    fn lemma(&mut self, literals: &[Lit]) -> Vec<Lit> {
        let mut open = literals.to_vec();
        let mut lemma = Vec::new();
        let mut seen = Vec::new();
        while let Some(lit) = open.pop() {
            let var = lit.var().index();
            if std::mem::replace(&mut self.seen[var], true) {
                continue;
            }
            seen.push(var);
            match self.reasons[var] {
                Reason::Guess => lemma.push(lit),
                Reason::Clause(reason) => open.extend_from_slice(self.formula.clause(reason)),
                Reason::Lemma(reason) => open.extend_from_slice(&self.lemmas[reason]),
                Reason::Pure => debug_assert!(false, "a pure literal is no reason for anything"),
            }
        }
        seen.into_iter().for_each(|var| self.seen[var] = false);
        lemma
    }

    /// Takes the last guess back, with all that followed from it, and makes its opposite true.
    fn backtrack(&mut self, mut lemma: Vec<Lit>) {
        let refuted = self.trail[self.levels[self.levels.len() - 1].trail];
        // The refuted guess stands first in its lemma. It is there even when the conflict did without it: the other
        // branch would fail in the same way, but this procedure goes there and sees for itself.
        lemma.retain(|&lit| lit != !refuted);
        lemma.insert(0, !refuted);
        self.outside.prove(&lemma);
        self.undo_level();
        self.outside.observe(Event::Backtrack { level: self.levels.len(), lit: !refuted });
        self.lemmas.push(lemma);
        let conflict = self.assign(!refuted, Reason::Lemma(self.lemmas.len() - 1));
        debug_assert!(conflict.is_none(), "a clause with one literal left was propagated before");
    }

    /// Takes back the last level, or what follows from no guess if there is none, and deletes the lemmas made there.
    fn undo_level(&mut self) {
        let level = self.levels.pop().unwrap_or(Level { trail: 0, idle: 0 });
        for lit in self.trail.drain(level.trail..).rev() {
            self.formula.unassign(lit);
            self.scores.insert(lit.var().index() as u32);
            if let Reason::Lemma(_) = self.reasons[lit.var().index()]
                && let Some(lemma) = self.lemmas.pop()
            {
                self.outside.forget(&lemma);
            }
        }
        self.idle.drain(level.idle..).for_each(|var| self.scores.insert(var.index() as u32));
        self.formula.units.clear();
        self.formula.candidates.clear();
    }

    /// Takes everything back, so that clauses can be added.
    fn reset(&mut self) {
        while !self.levels.is_empty() {
            self.undo_level();
        }
        self.undo_level();
    }

    /// Ends with a refutation. The literals of the lemma are negated assumptions.
    fn fail(&mut self, lemma: Vec<Lit>) -> Outcome {
        // Opposite assumptions clash by themselves: that is no clause worth writing.
        let clash = lemma.iter().any(|&lit| lemma.contains(&!lit));
        if !self.refuted && !clash {
            self.outside.prove(&lemma);
        }
        self.refuted |= lemma.is_empty();
        let failed = self.outside.translate(&lemma).into_iter().map(|lit| !lit).collect::<Vec<_>>();
        self.outside.observe(Event::Refuted { failed: &failed });
        Outcome::Unsatisfiable { failed }
    }

    /// Whether a limit is reached.
    fn stop(&mut self) -> Option<StopReason> {
        self.counts.ticks = self.formula.ticks;
        let reached = |limit: Option<u64>, now: u64, before: u64| limit.is_some_and(|limit| now - before >= limit);
        let (now, before, limits) = (&self.counts, &self.counts_before, &self.limits);
        if reached(limits.conflicts, now.conflicts, before.conflicts) {
            Some(StopReason::Conflicts)
        } else if reached(limits.decisions, now.decisions, before.decisions) {
            Some(StopReason::Decisions)
        } else if reached(limits.ticks, now.ticks, before.ticks) {
            Some(StopReason::Ticks)
        } else if limits.memory.is_some_and(|limit| self.formula.bytes() > limit) {
            Some(StopReason::Memory)
        } else if limits.terminate.as_ref().is_some_and(|flag| flag.load(Ordering::Relaxed)) {
            Some(StopReason::Terminated)
        } else if limits.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            Some(StopReason::Time)
        } else {
            None
        }
    }
}
