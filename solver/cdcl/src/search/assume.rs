//! Assumptions: decided first, one a level; and which of them clash when one turns out false (Eén and Sörensson,
//! Temporal induction by incremental SAT solving, 2003).

use crate::Solver;
use crate::data::trail::{Reason, Why};
use putnam_formula::{Lit, Scratch};

impl Solver {
    /// Whether there are assumptions that were not yet decided.
    pub(crate) fn assuming(&self) -> bool {
        (self.trail.level() as usize) < self.assumptions.len()
    }

    /// Opens the level of the next assumption. Answers false when it is already false; then [`Solver::failed_core`] is
    /// computed.
    pub(crate) fn assume_next(&mut self) -> bool {
        let lit = self.assumptions[self.trail.level() as usize];
        if self.values.is_false(lit) {
            self.analyze_failed(lit);
            return false;
        }
        self.statistics.assumed += 1;
        if self.values.is_true(lit) {
            self.trail.open_level(None);
        } else {
            self.trail.open_level(Some(lit));
            self.assign(lit, Reason::NOTHING);
        }
        true
    }

    /// Collects the assumptions from which the clauses imply that `failed` is false, and `failed` itself.
    fn analyze_failed(&mut self, failed: Lit) {
        self.failed_core.clear();
        self.failed_core.push(failed);
        if self.trail.level_of(failed) == 0 {
            return;
        }
        let mut marked = Scratch::from(vec![false; self.num_vars()]);
        marked[failed.var().index()] = true;
        let root = self.trail.frame(1).start as usize;
        for position in (root..self.trail.len()).rev() {
            let lit = self.trail.lit(position);
            if !marked[lit.var().index()] {
                continue;
            }
            match self.reason(lit) {
                // All decisions are assumptions here.
                Why::Nothing | Why::Row(_) => self.failed_core.push(lit),
                Why::Binary(other) => marked[other.var().index()] = true,
                Why::Clause(clause) => {
                    self.arena.lits(clause).iter().for_each(|other| marked[other.var().index()] = true);
                }
            }
        }
        if self.has_explanations() {
            // What matrices contributed does not follow by propagation later.
            let clause: Vec<Lit> = self.failed_core.iter().map(|&assumption| !assumption).collect();
            self.proof.add(&self.map, &clause);
            self.forget_explanations();
        }
    }
}
