//! Clauses that probing techniques derive, added at the root level.

use crate::Solver;
use crate::data::trail::Reason;
use putnam_formula::Lit;

/// What a clause becomes under the values of the root.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Derived {
    /// A literal is true: nothing was added.
    Satisfied,
    /// No literal is left: the clauses are refuted.
    Empty,
    /// One literal is left, now a unit.
    Unit,
    /// A binary clause or one of the arena.
    Clause,
}

impl Solver {
    /// Adds a clause that unit propagation confirms, without its false literals, to the proof and the clauses. Units
    /// are not propagated yet. `lits` holds what was added.
    pub(crate) fn derive(&mut self, lits: &mut Vec<Lit>, redundant: bool, glue: u32, used: u32) -> Derived {
        debug_assert_eq!(self.trail.level(), 0);
        if lits.iter().any(|&lit| self.values.is_true(lit)) {
            return Derived::Satisfied;
        }
        lits.retain(|&lit| self.values.is_unassigned(lit));
        self.proof.add(&self.map, lits);
        match lits[..] {
            [] => {
                self.inconsistent = true;
                return Derived::Empty;
            }
            [unit] => {
                self.assign(unit, Reason::NOTHING);
                return Derived::Unit;
            }
            [a, b] => self.watch_binary(a, b, redundant),
            _ => {
                let clause = self.push_clause(lits, redundant, glue.min(lits.len() as u32 - 1));
                self.arena.set_used(clause, used);
                self.watch_large(clause);
            }
        }
        Derived::Clause
    }
}
