//! Minimisation: a literal that the other literals of a learned clause imply is removed (Sörensson and Biere,
//! Minimizing Learned Clauses, SAT 2009). Recursive, with marks for what is known to be removable and what is not
//! (poison), and with early ends where the trail shows that it must fail (Knuth): on a level of which the clause has no
//! literal, or none that was assigned before.

use super::analyze::{POISON, REMOVABLE, SEEN};
use crate::Solver;
use crate::data::trail::Why;
use putnam_formula::Lit;

impl Solver {
    /// Removes the implied literals of the learned clause.
    pub(crate) fn minimize(&mut self) {
        let mut clause = std::mem::take(&mut self.analysis.clause);
        let before = clause.len();
        let mut kept = 1;
        for i in 1..before {
            let lit = clause[i];
            if !self.is_implied(lit, 0) {
                clause[kept] = lit;
                kept += 1;
            }
        }
        clause.truncate(kept);
        self.statistics.minimized_literals += (before - kept) as u64;
        self.analysis.clause = clause;
    }

    /// Whether the false literal `lit` follows from the clause's other literals being false. With `depth` 0 it is a
    /// literal of the clause itself.
    pub(crate) fn is_implied(&mut self, lit: Lit, depth: u32) -> bool {
        let assigned = *self.trail.assigned(lit.var());
        let marks = self.analysis.marks[lit.var().index()];
        if assigned.level == 0 || marks & REMOVABLE != 0 {
            return true;
        }
        if marks & POISON != 0 || assigned.level == self.trail.level() {
            return false;
        }
        if depth > 0 && marks & SEEN != 0 {
            return true;
        }
        let reason = assigned.reason.get();
        if reason == Why::Nothing || i64::from(depth) > self.options.minimizedepth {
            return false;
        }
        let frame = self.trail.frame(assigned.level);
        if (depth == 0 && frame.seen < 2) || assigned.position <= frame.earliest {
            return false;
        }
        let reason = self.cheap_reason(!lit);
        let implied = match reason {
            Why::Binary(other) => self.is_implied(other, depth + 1),
            Why::Clause(clause) => (0..self.arena.size(clause)).all(|i| {
                let other = self.arena.lits(clause)[i];
                other == !lit || self.is_implied(other, depth + 1)
            }),
            Why::Nothing | Why::Row(_) => false,
        };
        self.analysis.mark(lit, if implied { REMOVABLE } else { POISON });
        implied
    }
}
