//! Rows as clauses.
//!
//! A row that implied a literal is its reason; the clause is written when conflict analysis asks for it. It goes to the
//! end of the arena, unwatched, so that the analysis sees a clause like any other, and is gone when the analysis is
//! over. In the proof the sum of the exclusive ors is derived with new variables, from that follows the clause, and
//! both are deleted again.

use super::Gauss;
use crate::Solver;
use crate::data::arena::ClauseRef;
use crate::data::trail::{Reason, Why};
use crate::inprocess::parity::{Xor, chain::Prover, plan};
use crate::search::propagate::Conflict;
use putnam_formula::Lit;

/// Steps of a proof that count as one tick.
const LEMMAS_PER_TICK: u64 = 8;

/// What an analysis wrote.
#[derive(Default)]
pub(super) struct Explanations {
    /// Literals whose reasons were written, with their rows.
    lits: Vec<(Lit, u32)>,
    /// The length of the arena before the first of them.
    arena: Option<usize>,
    /// Clauses that the proof has for now.
    proved: Vec<Vec<Lit>>,
}

impl Gauss {
    /// The clause of a row of which at most one literal, `implied`, is true; that one comes first.
    fn clause(&self, is_true: impl Fn(Lit) -> bool, row: u32, implied: Option<Lit>) -> Vec<Lit> {
        let rest = self.row_vars(row).filter(|&var| implied.is_none_or(|lit| lit.var() != var));
        implied.into_iter().chain(rest.map(|var| var.lit(!is_true(var.positive())))).collect()
    }
}

impl Solver {
    /// Why a literal is true; a row is written as a clause.
    #[inline]
    pub(crate) fn reason(&mut self, lit: Lit) -> Why {
        match self.trail.reason(lit) {
            Why::Row(row) => self.explain(lit, row),
            why => why,
        }
    }

    /// As [`Solver::reason`], for those who can do without: a row is not written for them when that takes a proof, which
    /// may have tens of thousands of steps.
    #[inline]
    pub(crate) fn cheap_reason(&mut self, lit: Lit) -> Why {
        if self.proof.is_wanted() { self.trail.reason(lit) } else { self.reason(lit) }
    }

    /// Writes the row that implied a literal.
    #[cold]
    fn explain(&mut self, lit: Lit, row: u32) -> Why {
        let clause = self.row_clause(row, Some(lit));
        self.gauss.explanations.lits.push((lit, row));
        self.prove_row(row, &clause);
        let reason = match clause[..] {
            [_, other] => Reason::binary(other),
            _ => Reason::clause(self.push_explanation(&clause)),
        };
        self.trail.set_reason(lit, reason);
        reason.get()
    }

    /// Writes a row that is violated.
    pub(super) fn explain_conflict(&mut self, row: u32) -> Conflict {
        let clause = self.row_clause(row, None);
        self.prove_row(row, &clause);
        if self.trail.level() == 0 {
            // That ends it all: the empty clause follows by propagation, for good.
            self.gauss.explanations.proved.clear();
        }
        match clause[..] {
            // At the root nobody looks at the literals.
            [a] => Conflict::Binary(a, a),
            [a, b] => Conflict::Binary(a, b),
            _ => Conflict::Clause(self.push_explanation(&clause)),
        }
    }

    /// Puts a row without variables whose sum is odd into the proof: the empty clause.
    pub(super) fn prove_contradiction(&mut self, row: u32) {
        let clause = self.row_clause(row, None);
        self.prove_row(row, &clause);
        self.gauss.explanations.proved.clear();
    }

    fn row_clause(&mut self, row: u32, implied: Option<Lit>) -> Vec<Lit> {
        let clause = self.gauss.clause(|lit| self.values.is_true(lit), row, implied);
        self.statistics.gauss_explained += 1;
        self.statistics.gauss_ticks += 1 + clause.len() as u64 / 16;
        debug_assert!(clause.iter().all(|&lit| Some(lit) == implied || self.values.is_false(lit)));
        clause
    }

    fn push_explanation(&mut self, clause: &[Lit]) -> ClauseRef {
        self.gauss.explanations.arena.get_or_insert(self.arena.len());
        self.arena.push(clause, false, 0)
    }

    /// Takes back what was written since the last call.
    pub(crate) fn forget_explanations(&mut self) {
        for (lit, row) in self.gauss.explanations.lits.drain(..) {
            self.trail.set_reason(lit, Reason::row(row));
        }
        if let Some(len) = self.gauss.explanations.arena.take() {
            self.arena.truncate(len);
        }
        for clause in std::mem::take(&mut self.gauss.explanations.proved) {
            self.proof.delete(&self.map, &clause);
        }
    }

    /// Whether the proof has clauses of rows for now.
    pub(crate) fn has_proved_rows(&self) -> bool {
        !self.gauss.explanations.proved.is_empty()
    }

    /// Whether an analysis wrote rows.
    pub(crate) fn has_explanations(&self) -> bool {
        !self.gauss.explanations.lits.is_empty()
    }

    /// Puts a unit that a row implies at the root into the proof.
    pub(super) fn prove_unit(&mut self, lit: Lit, row: u32) {
        if self.proof.is_wanted() {
            let clause = self.gauss.clause(|lit| self.values.is_true(lit), row, Some(lit));
            self.prove_row(row, &clause);
            self.proof.add(&self.map, &[lit]);
            self.forget_explanations();
        }
    }

    /// Puts the clause of a row into the proof. What a single exclusive or says the formula says itself.
    fn prove_row(&mut self, row: u32, clause: &[Lit]) {
        if !self.proof.is_wanted() {
            return;
        }
        let (index, row) = self.gauss.find_row(row);
        let part = &self.gauss.parts[index];
        let terms: Vec<&Xor> = part.matrix.summands(row).map(|index| &part.xors[index as usize]).collect();
        if terms.len() < 2 {
            return;
        }
        let plan = plan::plan(&terms, u64::MAX).expect("there is room");
        let mut next = self.first_fresh();
        let mut prover = Prover::new(&mut self.proof, &self.map, &mut next);
        let sum = prover.prove(&terms, &plan);
        let lemmas = prover.lemmas() + 1;
        self.proof.add(&self.map, clause);
        Prover::new(&mut self.proof, &self.map, &mut next).forget(sum);
        // Not used again: checkers may keep what propagation found of them, though its clauses are deleted.
        self.schedule.parity_fresh = next;
        self.statistics.gauss_proof += lemmas;
        self.gauss.parts[index].worth.count(0, false, lemmas / LEMMAS_PER_TICK);
        self.gauss.explanations.proved.push(clause.to_vec());
    }
}
