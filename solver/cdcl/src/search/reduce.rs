//! Reduction: learned clauses of high glue that no conflict used lately are forgotten (Audemard and Simon, Glucose,
//! 2009; used marks and tiers: Oh, 2015), every so many conflicts, the interval growing with the root of the number of
//! reductions. A use saves a clause of the second tier from the next two reductions, one of the first from fifteen: on
//! formulas on which most glues are low, as parities, clauses that were kept for good would swamp propagation. Early
//! reductions forget more than later ones, as Kissat has it. With it goes the cleaning of what new units at the root
//! satisfy or shorten.

use crate::Solver;
use crate::data::arena::{ClauseRef, MAX_USED};
use crate::report::Event;
use putnam_formula::Scratch;

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
        let count = (candidates.len() as f64 * self.reduction_fraction()) as usize;
        for &clause in &candidates[..count] {
            self.mark_garbage(clause);
        }
        self.statistics.reduced += count as u64;
        self.protect_reasons(false);
        self.collect();
        self.schedule_reduction();
        self.report(Event::Reduce);
    }

    /// The share of the candidates that go: from the high one to the low one, by the logarithm of the number of
    /// reductions.
    fn reduction_fraction(&self) -> f64 {
        let low = self.options.reducelow as f64;
        let high = self.options.reducehigh.max(self.options.reducelow) as f64;
        (low + (high - low) / ((self.statistics.reductions + 9) as f64).log10()) / 100.0
    }

    /// How many reductions a use saves a clause of this glue from; those of the highest tier take their chance.
    pub(crate) fn saved_reductions(&self, glue: u32) -> u32 {
        let (tier1, tier2) = self.tiers.limits(self.stable);
        if glue <= tier1 {
            MAX_USED
        } else if glue <= tier2 {
            2
        } else {
            1
        }
    }

    pub(crate) fn schedule_reduction(&mut self) {
        let interval = self.options.reduceint as f64 * ((self.statistics.reductions + 1) as f64).sqrt();
        self.reduce_limit = self.statistics.conflicts + interval as u64;
    }

    fn reduction_candidates(&mut self) -> Scratch<ClauseRef> {
        let mut candidates = Scratch::new();
        let tier2 = self.tiers.limits(self.stable).1;
        let mut next = self.arena.first_from(0);
        while let Some(clause) = next {
            next = self.arena.next(clause);
            if !self.arena.is_redundant(clause) || self.arena.is_garbage(clause) || self.arena.is_protected(clause) {
                continue;
            }
            let used = self.arena.used(clause);
            if used > 0 {
                self.arena.set_used(clause, used - 1);
            }
            if used == 0 || self.arena.glue(clause) > tier2 {
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
