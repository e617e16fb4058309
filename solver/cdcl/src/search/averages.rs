//! Averages over conflicts that restarts, bumping and reports look at.

use crate::data::ema::Ema;
use crate::{Options, Solver};

/// Averages of glue for one mode.
pub(crate) struct GlueAverages {
    pub(crate) fast: Ema,
    pub(crate) slow: Ema,
}

/// All averages.
pub(crate) struct Averages {
    /// Focused and stable, each its own.
    pub(crate) glue: [GlueAverages; 2],
    pub(crate) level: Ema,
    /// Share of the variables that are assigned at a conflict, in per cent.
    pub(crate) trail: Ema,
    /// Decisions per conflict.
    pub(crate) decision_rate: Ema,
    last_decisions: u64,
}

impl Averages {
    pub(crate) fn new(options: &Options) -> Self {
        let (fast, slow) = (options.emafast as f64, options.emaslow as f64);
        let glue = || GlueAverages { fast: Ema::new(fast), slow: Ema::new(slow) };
        Self {
            glue: [glue(), glue()],
            level: Ema::new(slow),
            trail: Ema::new(slow),
            decision_rate: Ema::new(slow),
            last_decisions: 0,
        }
    }
}

impl Solver {
    /// Takes a conflict into the averages.
    pub(crate) fn update_averages(&mut self, glue: u32, level: u32) {
        let averages = &mut self.averages;
        let of_mode = &mut averages.glue[usize::from(self.stable)];
        of_mode.fast.update(f64::from(glue));
        of_mode.slow.update(f64::from(glue));
        averages.level.update(f64::from(level));
        averages.trail.update(100.0 * self.trail.len() as f64 / self.analysis.marks.len() as f64);
        averages.decision_rate.update((self.statistics.decisions - averages.last_decisions) as f64);
        averages.last_decisions = self.statistics.decisions;
    }
}
