//! Tiers: which glue is worth keeping depends on the formula. The limits are those up to which half, and nine tenths,
//! of all uses of learned clauses in conflicts fall, for each mode apart (Biere and others, Kissat and CaDiCaL 2024),
//! but no higher than those that solvers had before, 2 and 6: where half of all uses have a glue of 7, most clauses
//! would be kept, and combinatorial refutations took up to three times as long (`bench/README.md`).

use crate::{Options, Solver};

const MAX_GLUE: usize = 128;

/// Uses by glue, and the limits.
pub(crate) struct Tiers {
    uses: [[u64; MAX_GLUE]; 2],
    limits: [(u32, u32); 2],
    next: u64,
    interval: u64,
}

impl Tiers {
    pub(crate) fn new(options: &Options) -> Self {
        let limits = (options.tier1 as u32, options.tier2.max(options.tier1) as u32);
        Self { uses: [[0; MAX_GLUE]; 2], limits: [limits; 2], next: 1024, interval: 1024 }
    }

    /// Glue up to which clauses are kept, and up to which they survive longer.
    #[inline]
    pub(crate) fn limits(&self, stable: bool) -> (u32, u32) {
        self.limits[usize::from(stable)]
    }

    /// Counts a use.
    #[inline]
    pub(crate) fn count(&mut self, stable: bool, glue: u32) {
        self.uses[usize::from(stable)][(glue as usize).min(MAX_GLUE - 1)] += 1;
    }

    fn recompute(&mut self, options: &Options) {
        for (uses, limits) in self.uses.iter().zip(&mut self.limits) {
            let total: u64 = uses.iter().sum();
            if total < 1000 {
                continue;
            }
            let glue_at = |share: f64| {
                let mut sum = 0;
                let found = uses.iter().position(|&count| {
                    sum += count;
                    sum as f64 >= total as f64 * share
                });
                found.unwrap_or(MAX_GLUE - 1) as u32
            };
            let tier1 = glue_at(0.5).clamp(1, options.tier1max.max(options.tier1) as u32);
            *limits = (tier1, glue_at(0.9).min(options.tier2max.max(options.tier2) as u32).max(tier1 + 1));
        }
    }
}

impl Solver {
    /// Whether the limits should be computed again.
    pub(crate) fn retiering(&self) -> bool {
        self.options.tiers != 0 && self.statistics.conflicts >= self.tiers.next
    }

    /// Computes the limits again, each time after a longer wait, at last every 65,536 conflicts.
    pub(crate) fn retier(&mut self) {
        self.tiers.recompute(&self.options);
        self.tiers.interval = (self.tiers.interval * 2).min(1 << 16);
        self.tiers.next = self.statistics.conflicts + self.tiers.interval;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_follow_the_uses() {
        let mut options = Options::default();
        let mut tiers = Tiers::new(&options);
        assert_eq!(tiers.limits(false), (2, 6));
        (0..5000).for_each(|i| tiers.count(true, 3 + i % 10));
        tiers.count(false, 40);
        for (most, expected) in [((127, 127), (7, 11)), ((5, 8), (5, 8)), ((9, 4), (7, 8)), ((1, 1), (2, 6))] {
            (options.tier1max, options.tier2max) = most;
            tiers.recompute(&options);
            assert_eq!((tiers.limits(false), tiers.limits(true)), ((2, 6), expected));
        }
    }
}
