//! Bumping: the variables of a conflict are preferred in later decisions. In focused mode they move to the end of the
//! queue, in the order in which they were there before (Biere and Fröhlich, SAT 2015); in stable mode their scores
//! rise.
//!
//! Where conflicts need few decisions, the variables in the reasons of the learned literals are bumped too (Liang et
//! al., MapleSAT's reason side rate, 2016), unless that would mean too many.

use super::analyze::SEEN;
use crate::Solver;
use crate::data::trail::Why;
use putnam_formula::{Lit, Var};

/// When reason side bumping had too many literals, it waits for a number of conflicts that grows.
#[derive(Default)]
pub(crate) struct ReasonSide {
    interval: u64,
    waiting: u64,
}

impl Solver {
    /// Bumps the variables of the analysis.
    pub(crate) fn bump_analyzed(&mut self) {
        if self.bumping_reason_side() {
            self.bump_reason_side();
        }
        if self.stable {
            for &var in &self.analysis.analyzed {
                self.scores.bump(var);
            }
            self.scores.decay(1.0 - self.options.decay as f64 / 1000.0);
        } else {
            let queue = &mut self.queue;
            let analyzed = std::mem::take(&mut self.analysis.analyzed);
            let indices = analyzed.iter().map(|var| var.index() as u32);
            for &(_, index) in self.analysis.sort_by_keys(indices, |index| queue.stamp(Var::new(index))) {
                queue.bump(Var::new(index), true);
            }
            self.analysis.analyzed = analyzed;
        }
    }

    fn bumping_reason_side(&mut self) -> bool {
        if self.options.bumpreason == 0 || self.averages.decision_rate.get() > self.options.bumpreasonrate as f64 {
            return false;
        }
        if self.reason_side.waiting > 0 {
            self.reason_side.waiting -= 1;
            return false;
        }
        true
    }

    fn bump_reason_side(&mut self) {
        let before = self.analysis.analyzed.len();
        let limit = before * self.options.bumpreasonlimit as usize;
        let depth = 1 + u32::from(self.stable);
        for i in 0..self.analysis.clause.len() {
            let lit = self.analysis.clause[i];
            if !self.mark_reason_side(lit, depth, limit) {
                for var in self.analysis.analyzed.drain(before..) {
                    self.analysis.marks[var.index()] &= !SEEN;
                }
                self.reason_side.interval += 1;
                self.reason_side.waiting = self.reason_side.interval;
                return;
            }
        }
        self.reason_side.interval /= 2;
        self.statistics.reason_side_bumped += (self.analysis.analyzed.len() - before) as u64;
    }

    /// Marks the literals in the reason of `!lit`; answers false when there are too many.
    fn mark_reason_side(&mut self, lit: Lit, depth: u32, limit: usize) -> bool {
        match self.trail.reason(lit) {
            // Rows are not written as clauses just for this.
            Why::Nothing | Why::Row(_) => true,
            Why::Binary(other) => self.mark_reason_literal(other, depth, limit),
            Why::Clause(clause) => (0..self.arena.size(clause)).all(|i| {
                let other = self.arena.lits(clause)[i];
                other == !lit || self.mark_reason_literal(other, depth, limit)
            }),
        }
    }

    fn mark_reason_literal(&mut self, lit: Lit, depth: u32, limit: usize) -> bool {
        if self.analysis.has(lit, SEEN) || self.trail.level_of(lit) == 0 {
            return true;
        }
        self.analysis.marks[lit.var().index()] |= SEEN;
        self.analysis.analyzed.push(lit.var());
        self.analysis.analyzed.len() <= limit && (depth < 2 || self.mark_reason_side(lit, depth - 1, limit))
    }
}
