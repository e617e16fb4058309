//! Restarts. Focused mode restarts when the last conflicts had higher glue than usual (Audemard and Simon, Refining
//! Restarts Strategies for SAT and UNSAT, 2012; as moving averages: Biere and Fröhlich, POS 2015), stable mode by
//! reluctant doubling. Levels that would be decided again stay (van der Tak, Ramos and Heule, Reusing the Assignment
//! Trail, 2011).

use crate::Solver;

impl Solver {
    /// Whether it is time to restart.
    pub(crate) fn restarting(&self) -> bool {
        if self.options.restart == 0 || self.trail.level() as usize <= self.assumptions.len() {
            return false;
        }
        if self.stable {
            return self.reluctant.is_triggered();
        }
        if self.statistics.conflicts < self.restart_limit {
            return false;
        }
        let glue = &self.averages.glue[0];
        glue.fast.get() > glue.slow.get() * (1.0 + self.options.restartmargin as f64 / 100.0)
    }

    /// Goes back to the assumptions, or as far as decisions would change.
    pub(crate) fn restart(&mut self) {
        self.statistics.restarts += 1;
        self.reluctant.clear();
        self.restart_limit = self.statistics.conflicts + self.options.restartint as u64;
        self.offer_phases(self.trail.len());
        let level = self.reusable_level();
        self.backtrack(level);
    }

    /// The highest level below which every decision would be taken again.
    fn reusable_level(&mut self) -> u32 {
        let assumptions = self.assumptions.len() as u32;
        if self.options.reusetrail == 0 {
            return assumptions;
        }
        let Some(next) = self.next_decision() else { return assumptions };
        let mut level = assumptions;
        while level < self.trail.level() {
            let Some(decision) = self.trail.frame(level + 1).decision else { break };
            let again = if self.stable {
                self.scores.precedes(decision.var(), next)
            } else {
                self.queue.stamp(decision.var()) > self.queue.stamp(next)
            };
            if !again {
                break;
            }
            level += 1;
        }
        self.statistics.reused_levels += u64::from(level - assumptions);
        level
    }
}
