//! Limits: counted ones are looked at each time, the clock, the memory and the terminate flag every few steps.

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

    /// The limit that is reached, if any.
    pub(crate) fn stopping(&self) -> Option<StopReason> {
        let limits = &self.limits;
        let reached = |count: u64, limit: Option<u64>| limit.is_some_and(|limit| count >= limit);
        if reached(self.statistics.conflicts, limits.conflicts) {
            return Some(StopReason::Conflicts);
        }
        if reached(self.statistics.decisions, limits.decisions) {
            return Some(StopReason::Decisions);
        }
        if reached(self.statistics.ticks, limits.ticks) {
            return Some(StopReason::Ticks);
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
        // A learned clause has at most as many literals as there are variables.
        if user.memory.is_some_and(|limit| self.bytes() as u64 > limit) || !self.arena.fits(self.num_vars()) {
            return Some(StopReason::Memory);
        }
        None
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
            + self.num_vars() * 16
    }
}
