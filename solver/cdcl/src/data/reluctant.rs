//! Reluctant doubling: Knuth's way to run through Luby's sequence 1 1 2 1 1 2 4 … (The Art of Computer Programming,
//! 7.2.2.2), counted in conflicts, for restarts in stable mode.

/// Triggers after `period` times the next number of the sequence.
#[derive(Clone, Debug)]
pub(crate) struct Reluctant {
    u: u64,
    v: u64,
    period: u64,
    longest: u64,
    countdown: u64,
    triggered: bool,
}

impl Reluctant {
    /// `longest` bounds a single wait, in periods; the sequence starts again there.
    pub(crate) fn new(period: u64, longest: u64) -> Self {
        Self { u: 1, v: 1, period: period.max(1), longest, countdown: period.max(1), triggered: false }
    }

    /// Counts a conflict.
    pub(crate) fn tick(&mut self) {
        if self.countdown > 1 {
            self.countdown -= 1;
            return;
        }
        if self.u & self.u.wrapping_neg() == self.v {
            (self.u, self.v) = (self.u + 1, 1);
        } else {
            self.v *= 2;
        }
        if self.v >= self.longest {
            (self.u, self.v) = (1, 1);
        }
        self.countdown = self.v * self.period;
        self.triggered = true;
    }

    pub(crate) fn is_triggered(&self) -> bool {
        self.triggered
    }

    pub(crate) fn clear(&mut self) {
        self.triggered = false;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_are_lubys_sequence() {
        let mut reluctant = Reluctant::new(3, 1 << 20);
        let mut waits = Vec::new();
        let mut count = 0;
        while waits.len() < 15 {
            reluctant.tick();
            count += 1;
            if reluctant.is_triggered() {
                reluctant.clear();
                waits.push(count / 3);
                count = 0;
            }
        }
        assert_eq!(waits, [1, 1, 2, 1, 1, 2, 4, 1, 1, 2, 1, 1, 2, 4, 8]);
    }
}
