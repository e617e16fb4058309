//! Backtracking, and the places where literals are assigned outside of propagation.

use crate::Solver;
use crate::data::phases::sign;
use crate::data::trail::{Reason, Why};
use putnam_formula::Lit;

impl Solver {
    /// Makes a literal true on the current level.
    pub(crate) fn assign(&mut self, lit: Lit, reason: Reason) {
        debug_assert!(self.values.is_unassigned(lit));
        self.values.set(lit, 1);
        self.trail.push(lit, reason);
    }

    /// Undoes all levels above `level`; the values become the saved phases.
    pub(crate) fn backtrack(&mut self, level: u32) {
        self.forget_lost();
        if level >= self.trail.level() {
            return;
        }
        while let Some(lit) = self.trail.pop_above(level) {
            let var = lit.var();
            self.values.set(lit, 0);
            self.phases.saved[var.index()] = sign(lit);
            if self.stable {
                self.scores.push(var);
            } else {
                self.queue.unassigned(var);
            }
        }
        self.trail.close_above(level);
        self.note_lost(level);
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
