//! Restoring: a removed clause comes back when the negation of its witness comes into the clauses or assumptions, for
//! then making the witness true may falsify something that was not there when the clause was removed. One pass over the
//! stack in the order of removal suffices: a restored clause may need later ones to come back, never earlier ones.

use super::stack::Stack;
use super::{Reconstruction, Status};
use crate::Solver;
use crate::data::trail::Reason;
use putnam_formula::Lit;

impl Solver {
    /// Tells that a literal comes into the clauses or assumptions. Its variable is active afterwards, and
    /// [`Solver::restore`] must be called before the next search.
    pub(crate) fn reactivate(&mut self, lit: Lit) {
        let var = lit.var();
        let Reconstruction { status, removed, touched, witness, tainted, any_tainted, .. } = &mut self.reconstruct;
        if witness[(!lit).code()] {
            tainted[lit.code()] = true;
            *any_tainted = true;
            touched[var.index()] = true;
        }
        if status[var.index()] != Status::Active {
            status[var.index()] = Status::Active;
            *removed -= 1;
            if var.index() < self.enqueued {
                self.queue.push(var);
                self.scores.push(var);
            }
        }
    }

    /// Tells that a literal is assumed: the clauses and it must not be satisfied by changing it.
    pub(crate) fn reactivate_assumed(&mut self, lit: Lit) {
        self.reactivate(lit);
        self.reconstruct.touched[lit.var().index()] = true;
    }

    /// Adds the clauses again whose witness is tainted. To be called at the root, before new clauses are connected.
    pub(crate) fn restore(&mut self) {
        if !self.reconstruct.any_tainted {
            return;
        }
        let stack = std::mem::take(&mut self.reconstruct.stack);
        let mut kept = Stack::default();
        // The witness marks are those of the whole stack, though only clauses further down count: literals that are
        // tainted for nothing do no harm.
        for (witness, clause) in stack.iter() {
            let is_tainted = clause[..witness].iter().any(|&lit| self.reconstruct.tainted[(!lit).code()]);
            if is_tainted && !self.inconsistent {
                self.restore_clause(clause);
            } else {
                kept.push_ordered(witness, clause);
            }
        }
        let reconstruct = &mut self.reconstruct;
        reconstruct.witness.fill(false);
        kept.iter().for_each(|(n, clause)| clause[..n].iter().for_each(|l| reconstruct.witness[l.code()] = true));
        reconstruct.tainted.fill(false);
        reconstruct.any_tainted = false;
        reconstruct.stack = kept;
    }

    fn restore_clause(&mut self, clause: &[Lit]) {
        self.statistics.restored += 1;
        clause.iter().for_each(|&lit| self.reactivate(lit));
        if self.options.proofkeep == 0 {
            self.proof.add(&self.map, clause);
        }
        if clause.iter().any(|&lit| self.values.is_true(lit)) {
            self.proof.delete(&self.map, clause);
            return;
        }
        let kept: Vec<Lit> = clause.iter().copied().filter(|&lit| !self.values.is_false(lit)).collect();
        if kept.len() < clause.len() {
            self.proof.add(&self.map, &kept);
            self.proof.delete(&self.map, clause);
        }
        match kept[..] {
            [] => self.inconsistent = true,
            [unit] => self.assign(unit, Reason::NOTHING),
            [a, b] => {
                self.num_irredundant += 1;
                self.new_binaries.push(&[a, b]);
            }
            _ if self.arena.fits(kept.len()) => {
                self.push_clause(&kept, false, 0);
            }
            _ => self.overflow = true,
        }
    }
}
