//! The search: one technique a file, and here the loop that ties them together.

pub(crate) mod analyze;
pub(crate) mod assume;
pub(crate) mod averages;
pub(crate) mod backtrack;
pub(crate) mod bump;
pub(crate) mod burst;
pub(crate) mod check;
pub(crate) mod chrono;
pub(crate) mod collect;
pub(crate) mod decide;
pub(crate) mod gauss;
pub(crate) mod learn;
pub(crate) mod limits;
pub(crate) mod lucky;
pub(crate) mod minimize;
pub(crate) mod mode;
pub(crate) mod propagate;
pub(crate) mod reduce;
pub(crate) mod rephase;
pub(crate) mod restart;
pub(crate) mod shrink;
pub(crate) mod strengthen;
pub(crate) mod tiers;
pub(crate) mod uniform;
pub(crate) mod walk;
pub(crate) mod warmup;

use crate::Solver;
use putnam_formula::StopReason;

/// How a search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ending {
    /// The trail is a model.
    Satisfied,
    /// The clauses alone have no model.
    Refuted,
    /// An assumption is false.
    Failed,
    /// A limit.
    Stopped(StopReason),
}

impl Solver {
    /// The search loop (Marques-Silva and Sakallah, GRASP, 1996; Moskewicz et al., Chaff, 2001): guards and actions.
    /// A guard has no effect.
    pub(crate) fn search(&mut self) -> Ending {
        loop {
            if let Some(conflict) = self.propagate_all() {
                if let Some(reason) = self.spent() {
                    return Ending::Stopped(reason);
                }
                self.analyze(conflict);
                if self.inconsistent {
                    return Ending::Refuted;
                }
            } else if self.assuming() {
                if !self.assume_next() {
                    return Ending::Failed;
                }
            } else if self.satisfied() {
                return Ending::Satisfied;
            } else if let Some(reason) = self.stopping() {
                return Ending::Stopped(reason);
            } else if self.restarting() {
                self.restart();
            } else if self.burst_due() {
                self.begin_burst();
            } else if self.switching_mode() {
                self.switch_mode();
            } else if self.retiering() {
                self.retier();
            } else if self.rephasing() {
                self.rephase();
            } else if self.reducing() {
                self.timed("reduction", Self::reduce);
            } else if self.inprocessing() {
                self.inprocess();
                if self.inconsistent {
                    return Ending::Refuted;
                }
            } else {
                self.decide();
            }
        }
    }

    /// Whether every variable that was not removed has a value.
    fn satisfied(&self) -> bool {
        self.trail.len() + self.reconstruct.removed() == self.num_vars()
    }
}
