//! What the schedule keeps of a technique from one round to the next: what it was given, whether it waits, where it
//! stopped.

use super::Schedule;
use crate::Solver;

/// The state of a technique between its rounds.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Turn {
    /// The effort of the search when the technique last got its share.
    search_ticks: u64,
    /// Ticks of that share that it did not spend.
    left: u64,
    /// Rounds that it waits after one without success, and how many of them are still to come.
    interval: u32,
    waiting: u32,
    /// The variable, literal or clause with which it begins, by its index.
    next: usize,
}

impl Turn {
    /// The ticks that the technique may spend now: `permille` of what the search spent since the last call, but at
    /// least `minimum`, and once more as much if it was left over.
    pub(crate) fn budget(&mut self, search_ticks: u64, permille: i64, minimum: u64) -> u64 {
        let since = search_ticks - std::mem::replace(&mut self.search_ticks, search_ticks);
        let share = (since.saturating_mul(permille as u64) / 1000).max(minimum);
        share + std::mem::take(&mut self.left).min(share)
    }

    /// Saves ticks for the next time.
    pub(crate) fn leave(&mut self, ticks: u64) {
        self.left = ticks;
    }

    /// Whether this round is one to wait; it counts as waited then.
    pub(crate) fn waits(&mut self) -> bool {
        let waits = self.waiting > 0;
        self.waiting -= u32::from(waits);
        waits
    }

    /// Waits longer after rounds without success, and shorter after others.
    pub(crate) fn done(&mut self, success: bool) {
        self.interval = if success { self.interval / 2 } else { self.interval + 1 };
        self.waiting = self.interval;
    }

    /// The indices below `count`, each once, from where the technique stopped.
    pub(crate) fn places(&self, count: usize) -> impl Iterator<Item = usize> + use<> {
        let first = self.next;
        (0..count).map(move |offset| (first + offset) % count)
    }

    /// Lets the next round begin with this index.
    pub(crate) fn stop_at(&mut self, index: usize) {
        self.next = index;
    }

    /// The index with which this round begins; the next one begins with 0 unless [`Turn::stop_at`] says otherwise.
    pub(crate) fn take_start(&mut self) -> usize {
        std::mem::take(&mut self.next)
    }
}

impl Solver {
    /// The ticks that a technique may spend in this round; see [`Turn::budget`].
    pub(crate) fn budget(&mut self, turn: fn(&mut Schedule) -> &mut Turn, permille: i64, minimum: u64) -> u64 {
        let search_ticks = self.search_effort();
        turn(&mut self.schedule).budget(search_ticks, permille, minimum)
    }

    /// The ticks that a technique may have spent by now, in all rounds: `permille` of what the search spent, and
    /// `start`.
    pub(crate) fn allowance(&self, permille: i64, start: u64) -> u64 {
        self.search_effort() / 1000 * permille as u64 + start
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn effort_is_relative_to_the_search() {
        let mut turn = Turn::default();
        assert_eq!(turn.budget(1_000_000, 100, 10), 100_000);
        assert_eq!(turn.budget(1_000_000, 100, 10), 10);
        turn.leave(7);
        assert_eq!(turn.budget(3_000_000, 10, 10), 20_007);
        turn.leave(30_000);
        assert_eq!(turn.budget(4_000_000, 10, 10), 20_000);
        assert_eq!(turn.budget(5_000_000, 10, 10), 10_000);
    }

    #[test]
    fn rounds_without_success_are_followed_by_longer_waits() {
        let mut turn = Turn::default();
        let mut waits = |success| {
            turn.done(success);
            std::iter::from_fn(|| turn.waits().then_some(())).count()
        };
        assert_eq!([false, false, false, true, false].map(&mut waits), [1, 2, 3, 1, 2]);
    }

    #[test]
    fn places_go_round() {
        let mut turn = Turn::default();
        turn.stop_at(3);
        assert_eq!(turn.places(5).collect::<Vec<_>>(), [3, 4, 0, 1, 2]);
        // There may be fewer than there were.
        assert_eq!(turn.places(2).collect::<Vec<_>>(), [1, 0]);
        assert_eq!(turn.places(0).count(), 0);
        assert_eq!((turn.take_start(), turn.take_start()), (3, 0));
    }
}
