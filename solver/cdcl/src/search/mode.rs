//! Focused and stable mode in turns: many restarts and a queue find refutations, few restarts, scores and target phases
//! find models (Oh, Between SAT and UNSAT, SAT 2015; Biere, CaDiCaL). The first phase ends after a number of conflicts;
//! all later ones get the ticks that it took, times the square of their number, so that both modes get the same effort
//! whatever a conflict costs in each.

use crate::Solver;
use crate::data::reluctant::Reluctant;
use crate::report::Event;

/// When the mode changes.
#[derive(Default)]
pub(crate) struct ModeSchedule {
    /// Ticks when the current phase began.
    began: u64,
    /// Ticks of the first phase, once it is over.
    interval: u64,
    /// Ticks at which the current phase ends.
    limit: u64,
}

impl Solver {
    /// Whether the current phase is over.
    pub(crate) fn switching_mode(&self) -> bool {
        if self.options.mode != 1 {
            return false;
        }
        if self.statistics.mode_switches == 0 {
            return self.statistics.conflicts >= self.options.modeinit as u64;
        }
        self.statistics.ticks >= self.mode.limit
    }

    /// Goes over to the other mode.
    pub(crate) fn switch_mode(&mut self) {
        let ticks = self.statistics.ticks;
        if self.statistics.mode_switches == 0 {
            self.mode.interval = (ticks - self.mode.began).max(1);
        }
        self.statistics.mode_switches += 1;
        let round = self.statistics.mode_switches.div_ceil(2);
        self.mode.began = ticks;
        self.mode.limit = ticks + self.mode.interval * round * round;
        self.backtrack(self.assumptions.len() as u32);
        self.enter_mode(!self.stable);
        self.report(if self.stable { Event::Stable } else { Event::Focused });
    }

    /// Makes ready the structures of a mode.
    pub(crate) fn enter_mode(&mut self, stable: bool) {
        self.stable = stable;
        if stable {
            for index in 0..self.num_vars() as u32 {
                let var = putnam_formula::Var::new(index);
                if self.values.is_unassigned(var.positive()) && !self.is_removed(var) {
                    self.scores.push(var);
                }
            }
            self.reluctant = Reluctant::new(self.options.reluctant as u64, self.options.reluctantmax as u64);
            self.phases.clear_target();
        } else {
            self.queue.reset_search();
            self.restart_limit = self.statistics.conflicts + self.options.restartint as u64;
        }
    }
}
