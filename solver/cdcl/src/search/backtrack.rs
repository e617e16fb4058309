//! Backtracking, and the places where literals are assigned outside of propagation.

use crate::Solver;
use crate::data::phases::sign;
use crate::data::trail::{Reason, Why};
use putnam_formula::Lit;

impl Solver {
    /// Makes a literal true on the current level.
    pub(crate) fn assign(&mut self, lit: Lit, reason: Reason) {
        self.assign_at(lit, reason, self.trail.level());
    }

    /// Makes a literal true that belongs to the current level or a lower one.
    pub(crate) fn assign_at(&mut self, lit: Lit, reason: Reason, level: u32) {
        debug_assert!(self.values.is_unassigned(lit));
        self.values.set(lit, 1);
        self.trail.push(lit, reason, level);
    }

    /// Undoes all levels above `level`; the values become the saved phases. Literals of lower levels that were assigned
    /// out of order stay, and propagation has to be told of them again.
    pub(crate) fn backtrack(&mut self, level: u32) {
        if level >= self.trail.level() {
            return;
        }
        self.trail.backtrack(level, |lit| {
            let var = lit.var();
            self.values.set(lit, 0);
            self.phases.saved[var.index()] = sign(lit);
            if self.stable {
                self.scores.push(var);
            } else {
                self.queue.unassigned(var);
            }
        });
    }

    /// Tells the proof of the units that propagation found at the root. From then on they need no reason, so that no
    /// clause has to be kept for them.
    pub(crate) fn record_root_units(&mut self) {
        debug_assert_eq!(self.trail.level(), 0);
        while self.recorded_units < self.trail.len() {
            let lit = self.trail.lit(self.recorded_units);
            self.recorded_units += 1;
            if self.trail.reason(lit) != Why::Nothing {
                self.proof.add(&self.map, &[lit]);
                self.trail.set_reason(lit, Reason::NOTHING);
            }
        }
    }
}
