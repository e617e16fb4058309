//! Variables that techniques add. They have inner numbers like all others, but nobody outside knows them: models and
//! cores do without them. In proofs and in simplified formulas they need names, which are the numbers after those that
//! the user has. When the user comes to use such a number, the hidden variable gets another, and the proof learns of
//! it.

use crate::Solver;
use crate::data::watch::MAX_VARS;
use putnam_formula::{Lit, Var};
use std::collections::BTreeMap;

/// The hidden variables by their names.
#[derive(Default)]
pub(crate) struct Hidden {
    names: BTreeMap<Var, Var>,
}

impl Solver {
    /// Whether nobody outside knows an inner variable.
    #[inline]
    pub(crate) fn is_hidden(&self, var: Var) -> bool {
        !self.reconstruct.hidden.names.is_empty() && self.map.is_hidden(var)
    }

    /// A new variable that is active and is decided after all others; none when there are no more numbers. Clauses that
    /// define it come into the proof with its literal in front.
    pub(crate) fn add_hidden_variable(&mut self) -> Option<Var> {
        debug_assert!(self.enqueued == self.num_vars() && self.trail.level() == 0);
        let name = self.free_number().filter(|_| self.num_vars() < MAX_VARS)?;
        let var = self.map.insert_hidden(name);
        self.reconstruct.hidden.names.insert(name, var);
        self.grow();
        self.queue.push_front(var);
        self.scores.push(var);
        self.enqueued = self.num_vars();
        Some(var)
    }

    /// The number of variables with the hidden ones, under their names.
    pub(crate) fn all_declared(&self) -> u32 {
        let last = self.reconstruct.hidden.names.last_key_value().map_or(0, |(name, _)| name.to_dimacs());
        last.max(self.declared())
    }

    /// A number beyond those of the user, of the hidden variables and of those of proofs alone.
    fn free_number(&self) -> Option<Var> {
        Var::from_dimacs(self.first_fresh() + 1)
    }

    /// The user uses a number for the first time: a hidden variable that had it gets another.
    pub(crate) fn free_name(&mut self, name: Var) {
        let Some(var) = self.reconstruct.hidden.names.remove(&name) else { return };
        // Numbers end at 2^31 - 1, far more than there is memory for.
        let new = self.free_number().expect("a free number");
        let clauses =
            if self.proof.is_wanted() && !self.inconsistent { self.clauses_in_proof(var) } else { Vec::new() };
        // Both names stand for the same while clauses change from one to the other.
        let links = [[new.positive(), name.negative()], [new.negative(), name.positive()]];
        links.iter().for_each(|link| self.proof.add_outer(link));
        clauses.iter().for_each(|clause| {
            let renamed = |lit: Lit| if lit.var() == name { new.lit(lit.is_positive()) } else { lit };
            self.proof.add_outer(&clause.iter().map(|&lit| renamed(lit)).collect::<Vec<_>>());
        });
        clauses.iter().chain(&links.map(|link| link.to_vec())).for_each(|clause| self.proof.delete_outer(clause));
        self.map.rename_hidden(var, new);
        self.reconstruct.hidden.names.insert(new, var);
    }

    /// All clauses with a hidden variable that the proof has, in the names of the proof. What waits to be connected
    /// came from the user and has none.
    fn clauses_in_proof(&self, var: Var) -> Vec<Vec<Lit>> {
        let mut clauses: Vec<Vec<Lit>> = Vec::new();
        let mut add = |lits: &[Lit]| {
            if lits.iter().any(|lit| lit.var() == var) {
                clauses.push(lits.iter().map(|&lit| self.map.outer(lit)).collect());
            }
        };
        self.trail.lits()[..self.recorded_units].iter().for_each(|&unit| add(&[unit]));
        for lit in [var.positive(), var.negative()] {
            let binaries = self.watches.get(lit).iter().filter(|watch| watch.is_binary());
            binaries.for_each(|watch| add(&[lit, watch.blocking]));
        }
        let live = self.arena.clauses().filter(|&clause| !self.arena.is_garbage(clause));
        live.for_each(|clause| add(self.arena.lits(clause)));
        if self.options.proofkeep != 0 {
            self.reconstruct.stack.iter().for_each(|(_, clause)| add(clause));
        }
        clauses
    }
}
