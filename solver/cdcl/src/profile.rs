//! Where the time went, for whoever tunes the solver. Times differ from run to run, so nothing may depend on them.

use crate::Solver;
use std::time::{Duration, Instant};

/// The time of each technique by its name, in the order of their first calls.
#[derive(Clone, Debug, Default)]
pub(crate) struct Profile(Vec<(&'static str, Duration)>);

impl Profile {
    pub(crate) fn rows(&self) -> Vec<(&'static str, Duration)> {
        self.0.clone()
    }

    fn add(&mut self, name: &'static str, time: Duration) {
        match self.0.iter_mut().find(|row| row.0 == name) {
            Some(row) => row.1 += time,
            None => self.0.push((name, time)),
        }
    }
}

impl Solver {
    /// Runs `action` and counts its time.
    pub(crate) fn timed<T>(&mut self, name: &'static str, action: impl FnOnce(&mut Self) -> T) -> T {
        let start = Instant::now();
        let result = action(self);
        self.profile.add(name, start.elapsed());
        result
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_of_one_name_are_summed() {
        let mut profile = Profile::default();
        for (name, seconds) in [("walk", 1), ("sweeping", 2), ("walk", 3)] {
            profile.add(name, Duration::from_secs(seconds));
        }
        assert_eq!(profile.rows(), [("walk", Duration::from_secs(4)), ("sweeping", Duration::from_secs(2))]);
    }
}
