//! Reduction: learned clauses of high glue that no conflict used lately are forgotten (Audemard and Simon, Glucose, 2009;
//! used marks and tiers: Oh, 2015), every so many conflicts, the interval growing with the root of the number of reductions.
//! With it goes the cleaning of what new units at the root satisfy or shorten.

use crate::Solver;
use crate::data::arena::ClauseRef;
use crate::report::Event;

impl Solver {
    /// Whether enough conflicts have passed.
    pub(crate) fn reducing(&self) -> bool {
        self.options.reduce != 0 && self.statistics.conflicts >= self.reduce_limit
    }

    /// Forgets the least useful learned clauses and collects the arena.
    pub(crate) fn reduce(&mut self) {
        self.statistics.reductions += 1;
        self.protect_reasons(true);
        self.mark_satisfied();
        let mut candidates = self.reduction_candidates();
        // Those to forget first: high glue, then many literals; ties by place, later ones kept.
        candidates.sort_by_key(|&clause| std::cmp::Reverse((self.arena.glue(clause), self.arena.size(clause))));
        let count = candidates.len() * self.options.reducefraction as usize / 100;
        for &clause in &candidates[..count] {
            self.mark_garbage(clause);
        }
        self.statistics.reduced += count as u64;
        self.protect_reasons(false);
        self.collect();
        self.schedule_reduction();
        self.report(Event::Reduce);
    }

    pub(crate) fn schedule_reduction(&mut self) {
        let interval = self.options.reduceint as f64 * ((self.statistics.reductions + 1) as f64).sqrt();
        self.reduce_limit = self.statistics.conflicts + interval as u64;
    }

    fn reduction_candidates(&mut self) -> Vec<ClauseRef> {
        let mut candidates = Vec::new();
        let tier1 = self.tiers.limits(self.stable).0;
        let mut next = self.arena.first_from(0);
        while let Some(clause) = next {
            next = self.arena.next(clause);
            if !self.arena.is_redundant(clause) || self.arena.is_garbage(clause) || self.arena.is_protected(clause) {
                continue;
            }
            let used = self.arena.used(clause);
            if used > 0 {
                self.arena.set_used(clause, used - 1);
            } else if self.arena.glue(clause) > tier1 {
                candidates.push(clause);
            }
        }
        candidates
    }

    /// Marks as garbage what units at the root satisfy, when there are new ones.
    pub(crate) fn mark_satisfied(&mut self) {
        if self.cleaned_units == self.recorded_units {
            return;
        }
        let mut next = self.arena.first_from(0);
        while let Some(clause) = next {
            next = self.arena.next(clause);
            if !self.arena.is_garbage(clause) && self.arena.lits(clause).iter().any(|&lit| self.is_root_true(lit)) {
                self.mark_garbage(clause);
                self.statistics.root_satisfied += 1;
            }
        }
    }
}
