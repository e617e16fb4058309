//! Limits: counted ones are looked at each time, that of conflicts also before one is analysed, so that it is exact;
//! the clock, the memory and the terminate flag every few steps.

use crate::Solver;
use putnam_formula::{Limits, StopReason};
use std::cell::Cell;
use std::sync::atomic::Ordering;
use std::time::Instant;

/// The limits of one search, counted from the beginning of the solver.
#[derive(Default)]
pub(crate) struct SearchLimits {
    conflicts: Option<u64>,
    decisions: Option<u64>,
    ticks: Option<u64>,
    user: Limits,
    /// Steps until the clock is looked at. A cell, because a guard has no other effect.
    patience: Cell<u32>,
}

impl SearchLimits {
    /// Whether one counts what the search does.
    pub(crate) fn is_counting(&self) -> bool {
        self.conflicts.is_some() || self.decisions.is_some() || self.ticks.is_some()
    }
}

fn reached(count: u64, limit: Option<u64>) -> bool {
    limit.is_some_and(|limit| count >= limit)
}

/// Steps between two looks at the clock.
const PATIENCE: u32 = 64;

impl Solver {
    /// Sets the limits for a search that starts now.
    pub(crate) fn start_limits(&mut self) {
        let user = self.user_limits.clone();
        let after = |count: u64, limit: Option<u64>| limit.map(|limit| count.saturating_add(limit));
        self.limits = SearchLimits {
            conflicts: after(self.statistics.conflicts, user.conflicts),
            decisions: after(self.statistics.decisions, user.decisions),
            ticks: after(self.statistics.ticks, user.ticks),
            user,
            patience: Cell::new(0),
        };
    }

    /// The limit that forbids to analyse another conflict, if any. A refutation at the root costs nothing any more.
    pub(crate) fn spent(&self) -> Option<StopReason> {
        let limits = &self.limits;
        if self.trail.level() == 0 {
            None
        } else if reached(self.statistics.conflicts, limits.conflicts) {
            Some(StopReason::Conflicts)
        } else if reached(self.statistics.ticks, limits.ticks) {
            Some(StopReason::Ticks)
        } else {
            self.arena_full()
        }
    }

    /// The limit that is reached, if any.
    pub(crate) fn stopping(&self) -> Option<StopReason> {
        let limits = &self.limits;
        if reached(self.statistics.conflicts, limits.conflicts) {
            return Some(StopReason::Conflicts);
        }
        if reached(self.statistics.decisions, limits.decisions) {
            return Some(StopReason::Decisions);
        }
        if reached(self.statistics.ticks, limits.ticks) {
            return Some(StopReason::Ticks);
        }
        if let Some(reason) = self.arena_full() {
            return Some(reason);
        }
        let patience = limits.patience.get();
        if patience > 0 {
            limits.patience.set(patience - 1);
            return None;
        }
        limits.patience.set(PATIENCE);
        self.stopping_now()
    }

    /// The limit by clock, memory or flag that is reached, if any.
    pub(crate) fn stopping_now(&self) -> Option<StopReason> {
        let user = &self.limits.user;
        if user.terminate.as_ref().is_some_and(|flag| flag.load(Ordering::Relaxed)) {
            return Some(StopReason::Terminated);
        }
        if user.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            return Some(StopReason::Time);
        }
        if user.memory.is_some_and(|limit| self.bytes() as u64 > limit) {
            return Some(StopReason::Memory);
        }
        self.arena_full()
    }

    /// Whether there may be no room for one more learned clause, which has at most as many literals as there are
    /// variables, and the rows that its analysis may need.
    fn arena_full(&self) -> Option<StopReason> {
        (!self.arena.fits(self.num_vars() + self.gauss.words())).then_some(StopReason::Memory)
    }

    /// Bytes that the solver holds, without small things.
    pub(crate) fn bytes(&self) -> usize {
        self.arena.bytes()
            + self.watches.bytes()
            + self.trail.bytes()
            + self.scores.bytes()
            + self.queue.bytes()
            + self.phases.bytes()
            + self.reconstruct.bytes()
            + self.gauss.bytes()
            + self.num_vars() * 16
    }
}

#[cfg(test)]
mod tests {
    use crate::data::random::Random;
    use crate::testing::random_formula;
    use crate::{Options, Solver};
    use putnam_formula::{Engine, Limits, Outcome, StopReason};

    #[test]
    fn a_full_arena_ends_the_search() {
        let (mut stopped, mut answered) = (0, 0);
        for seed in 0..60 {
            let mut random = Random::new(seed);
            let formula = random_formula(&mut random, 90);
            let mut options = Options::default();
            let settings = [("probeint", 1), ("eliminateint", 1), ("reduce", i64::from(seed % 2 == 0)), ("ternary", 1)];
            settings.iter().for_each(|&(name, value)| options.set(name, value).unwrap());
            let mut solver = Solver::with_options(options);
            formula.iter().for_each(|clause| solver.add_clause(clause));
            solver.arena.limit = solver.arena.len() * (2 + seed as usize % 5) / 2 + 90;
            for _ in 0..2 {
                match solver.solve(&[]) {
                    Outcome::Unknown(reason) => {
                        assert_eq!(reason, StopReason::Memory);
                        stopped += 1;
                    }
                    _ => answered += 1,
                }
            }
        }
        assert!(stopped > 5 && answered > 5, "{stopped} {answered}");
    }

    #[test]
    fn a_limit_of_conflicts_is_exact() {
        for seed in 0..10 {
            let formula = random_formula(&mut Random::new(seed), 150);
            let mut solver = Solver::with_options(Options::default());
            formula.iter().for_each(|clause| solver.add_clause(clause));
            for limit in [0, 1, 7, 30] {
                let before = solver.statistics.conflicts;
                solver.set_limits(Limits { conflicts: Some(limit), ..Limits::default() });
                match solver.solve(&[]) {
                    Outcome::Unknown(reason) => {
                        assert_eq!((reason, solver.statistics.conflicts), (StopReason::Conflicts, before + limit));
                    }
                    // A refutation at the root is free.
                    _ => assert!(solver.statistics.conflicts <= before + limit + 1),
                }
            }
        }
    }
}
