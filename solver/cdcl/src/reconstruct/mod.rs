//! Variables that were removed from the clauses, and the way back: a model is extended to them, and what was removed is
//! restored when new clauses or assumptions need it (Fazekas, Biere and Scholl, Incremental Inprocessing in SAT
//! Solving, SAT 2019).
//!
//! A technique that removes a variable
//! 1. asks [`Solver::is_removable`] whether it may;
//! 2. removes each irredundant clause that the remaining ones do not imply by [`Solver::weaken`] (a clause of the
//!    arena) or [`Solver::weaken_binary`], with the literal of the variable as witness, after all clauses that replace
//!    them were added;
//! 3. removes all other clauses of the variable, the redundant ones too, from the watches and the arena;
//! 4. calls [`Solver::remove_variable`].
//!
//! A removed variable has no watches and is neither in the queue nor on the heap.

pub(crate) mod extension;
mod hidden;
mod restore;
pub(crate) mod stack;

use crate::Solver;
use crate::data::arena::ClauseRef;
use putnam_formula::{Lit, Var};
use stack::Stack;

/// What became of a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Status {
    /// The search decides it.
    Active,
    /// It has a value at the root.
    Fixed,
    /// Its clauses were replaced by their resolvents.
    Eliminated,
    /// Another literal stands for it.
    Substituted,
}

/// What is known about variables that were removed.
#[derive(Default)]
pub(crate) struct Reconstruction {
    pub(crate) stack: Stack,
    hidden: hidden::Hidden,
    /// By variable; fixed ones are known by their values.
    status: Vec<Status>,
    /// Variables that are eliminated or substituted.
    removed: usize,
    /// By variable: how often the user froze it.
    frozen: Vec<u32>,
    /// By variable: the user came back to it, so it is not removed again.
    touched: Vec<bool>,
    /// By literal: it is in a witness on the stack.
    witness: Vec<bool>,
    /// By literal: it came into the clauses or assumptions while its negation is in a witness.
    tainted: Vec<bool>,
    any_tainted: bool,
}

impl Reconstruction {
    /// Makes room for another variable.
    pub(crate) fn grow(&mut self) {
        self.status.push(Status::Active);
        self.frozen.push(0);
        self.touched.push(false);
        self.witness.extend_from_slice(&[false; 2]);
        self.tainted.extend_from_slice(&[false; 2]);
    }

    /// Whether a variable is eliminated or substituted.
    #[inline]
    pub(crate) fn is_removed(&self, var: Var) -> bool {
        self.status[var.index()] != Status::Active
    }

    /// The number of variables that are eliminated or substituted.
    pub(crate) fn removed(&self) -> usize {
        self.removed
    }

    /// Bytes that are held.
    pub(crate) fn bytes(&self) -> usize {
        self.stack.bytes() + self.status.capacity() * 10
    }
}

impl Solver {
    /// Keeps a variable from being removed, until it is melted as often as it was frozen. Variables that later clauses
    /// or assumptions use need not be frozen, what was removed is restored then; but freezing saves that work.
    pub fn freeze(&mut self, var: Var) {
        self.declare(var.to_dimacs());
        let var = self.inner(var.positive()).var();
        self.reconstruct.frozen[var.index()] += 1;
        self.reactivate(var.positive());
        self.reactivate(var.negative());
    }

    /// Takes back one [`Solver::freeze`].
    pub fn melt(&mut self, var: Var) {
        if let Some(lit) = self.map.get(var.positive()) {
            let count = &mut self.reconstruct.frozen[lit.var().index()];
            *count = count.saturating_sub(1);
        }
    }

    /// What became of a variable.
    #[inline]
    pub(crate) fn status(&self, var: Var) -> Status {
        match self.reconstruct.status[var.index()] {
            Status::Active if self.is_root_true(var.positive()) || self.is_root_true(var.negative()) => Status::Fixed,
            status => status,
        }
    }

    /// Whether a variable was neither removed nor fixed.
    #[inline]
    pub(crate) fn is_active(&self, var: Var) -> bool {
        self.status(var) == Status::Active
    }

    /// Whether a variable is eliminated or substituted.
    #[inline]
    pub(crate) fn is_removed(&self, var: Var) -> bool {
        self.reconstruct.is_removed(var)
    }

    /// Whether a variable is active and nobody needs it from outside: it is neither frozen nor assumed.
    pub(crate) fn is_removable(&self, var: Var) -> bool {
        let at = var.index();
        self.is_active(var) && self.reconstruct.frozen[at] == 0 && !self.reconstruct.touched[at]
    }

    /// Puts a clause on the extension stack with a witness that it contains.
    pub(crate) fn push_witness(&mut self, witness: Lit, clause: &[Lit]) {
        self.statistics.weakened += 1;
        self.reconstruct.stack.push(witness, clause);
        self.reconstruct.witness[witness.code()] = true;
    }

    /// Removes a clause of the arena that the others do not imply: it goes to the extension stack and becomes garbage.
    pub(crate) fn weaken(&mut self, clause: ClauseRef, witness: Lit) {
        debug_assert!(!self.arena.is_redundant(clause) && !self.arena.is_garbage(clause));
        self.statistics.weakened += 1;
        self.reconstruct.stack.push(witness, self.arena.lits(clause));
        self.reconstruct.witness[witness.code()] = true;
        if self.options.proofkeep == 0 {
            self.proof.delete(&self.map, self.arena.lits(clause));
        }
        self.num_irredundant -= 1;
        self.touch_removed(clause);
        self.arena.mark_garbage(clause);
    }

    /// The same for the irredundant binary clause of two literals. The caller takes its two watches out of the lists.
    pub(crate) fn weaken_binary(&mut self, witness: Lit, other: Lit) {
        self.push_witness(witness, &[witness, other]);
        if self.options.proofkeep == 0 {
            self.proof.delete(&self.map, &[witness, other]);
        }
        self.num_irredundant -= 1;
        self.touch(other.var());
    }

    /// Takes a variable out of the decisions. No clause has it any more.
    pub(crate) fn remove_variable(&mut self, var: Var, status: Status) {
        debug_assert!(matches!(status, Status::Eliminated | Status::Substituted) && self.is_active(var));
        self.reconstruct.status[var.index()] = status;
        self.reconstruct.removed += 1;
        self.queue.remove(var);
        self.scores.remove(var);
    }

    /// The values of all literals under the trail, extended to the removed variables; by literal code.
    pub(crate) fn extended_values(&self) -> Vec<bool> {
        let mut values = vec![false; self.num_vars() * 2];
        for index in 0..self.num_vars() {
            let lit = Var::new(index as u32).positive();
            values[if self.values.is_true(lit) { lit.code() } else { (!lit).code() }] = true;
        }
        self.reconstruct.stack.extend(&mut values);
        values
    }
}
