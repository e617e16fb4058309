//! Random bursts: at growing intervals of conflicts the decisions of a few conflicts are taken at random, which brings
//! variables into conflicts that bumping would leave alone for long (Biere and others, Kissat 4.0, 2024; random
//! decisions as in MiniSat, Eén and Sörensson, 2003).

use crate::Solver;
use putnam_formula::Var;

/// How many variables are drawn before the usual decision is taken: most may have values.
const DRAWS: u32 = 32;

/// When the next burst is due, and how long the present one lasts.
#[derive(Default)]
pub(crate) struct Bursts {
    limit: u64,
    /// Conflicts until the present burst ends; 0 when there is none.
    left: u64,
}

impl Solver {
    /// Whether a burst is due.
    pub(crate) fn burst_due(&self) -> bool {
        let wanted = match self.options.burst {
            0 => false,
            1 => !self.stable,
            _ => true,
        };
        wanted && self.bursts.left == 0 && self.statistics.conflicts >= self.burst_limit()
    }

    fn burst_limit(&self) -> u64 {
        if self.bursts.limit == 0 { self.options.burstint as u64 } else { self.bursts.limit }
    }

    /// Goes back to the assumptions and begins a burst.
    pub(crate) fn begin_burst(&mut self) {
        self.statistics.bursts += 1;
        let count = self.statistics.bursts as f64;
        self.bursts.left = (self.options.burstlength as f64 * (1.0 + count.ln())) as u64;
        let wait = self.options.burstint as f64 * count * (1.0 + count.ln());
        self.bursts.limit = self.statistics.conflicts + self.bursts.left + wait as u64;
        self.backtrack(self.assumptions.len() as u32);
    }

    /// Counts a conflict of a burst.
    pub(crate) fn count_burst_conflict(&mut self) {
        self.bursts.left = self.bursts.left.saturating_sub(1);
    }

    /// During a burst, an unassigned variable at random.
    pub(crate) fn random_decision(&mut self) -> Option<Var> {
        if self.bursts.left == 0 {
            return None;
        }
        for _ in 0..DRAWS {
            let var = Var::new(self.random.below(self.num_vars() as u32));
            if self.values.is_unassigned(var.positive()) && !self.is_removed(var) {
                self.statistics.random_decisions += 1;
                return Some(var);
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Options;

    #[test]
    fn bursts_are_short_and_their_intervals_grow() {
        let mut options = Options::default();
        [("burst", 2), ("burstint", 10), ("burstlength", 3)].iter().for_each(|&(n, v)| options.set(n, v).unwrap());
        let mut solver = Solver::with_options(options);
        solver.add_clause(&[Var::new(0).positive(), Var::new(1).positive()]);
        let mut begins = Vec::new();
        let mut random = 0;
        for conflict in 0..1000 {
            solver.statistics.conflicts = conflict;
            if solver.burst_due() {
                solver.begin_burst();
                begins.push(conflict);
            }
            random += u64::from(solver.random_decision().is_some());
            solver.count_burst_conflict();
        }
        assert_eq!(begins[0], 10);
        let waits: Vec<u64> = begins.windows(2).map(|pair| pair[1] - pair[0]).collect();
        assert!(waits.len() > 3 && waits.windows(2).all(|pair| pair[0] < pair[1]), "{waits:?}");
        assert!(random >= 3 * begins.len() as u64 && random < 100, "{random}");
        assert_eq!(random, solver.statistics.random_decisions);
        // Nothing can be drawn when everything has a value.
        solver.bursts.left = 5;
        solver.values.set(Var::new(0).positive(), 1);
        solver.values.set(Var::new(1).positive(), 1);
        assert_eq!(solver.random_decision(), None);
    }

    #[test]
    fn every_step_is_checked_on_random_formulas() {
        let settings = [("burst", 2), ("burstint", 1), ("burstlength", 5), ("modeinit", 20)];
        let counts = crate::testing::fuzz(&settings, 100, 60, &["random bursts", "random decisions"]);
        assert!(counts.iter().all(|&count| count > 0), "{counts:?}");
    }
}
