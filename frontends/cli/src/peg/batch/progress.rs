//! How far a batch is, and how long it may still take.

use indicatif::{ProgressBar, ProgressStyle};
use putnam_peg::Verdict;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// A bar on standard error; nothing is drawn when that is no terminal.
pub(crate) struct Progress {
    bar: ProgressBar,
    tally: Mutex<Tally>,
}

/// What is done and what is left.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tally {
    threads: usize,
    limit: Option<Duration>,
    solved: usize,
    refuted: usize,
    unknown: usize,
    /// Searches that are not begun: how many seconds each took the last time, as far as that is known.
    waiting: Vec<Option<f64>>,
    /// When each search began that goes on, with what it took the last time.
    running: Vec<(Instant, Option<f64>)>,
    /// How many searches came to an end, and their seconds.
    finished: (usize, f64),
}

impl Progress {
    /// For so many rows.
    pub(crate) fn new(rows: usize) -> Self {
        let bar = ProgressBar::new(rows as u64);
        if let Ok(style) = ProgressStyle::with_template("[{elapsed}] {bar:30} {pos}/{len}: {msg}") {
            bar.set_style(style);
        }
        bar.enable_steady_tick(Duration::from_secs(1));
        Self { bar, tally: Mutex::new(Tally::default()) }
    }

    /// The searches that are to be made, each with its seconds the last time.
    pub(crate) fn expect(&self, threads: usize, limit: Option<Duration>, waiting: Vec<Option<f64>>) {
        self.update(|tally| {
            tally.threads = threads;
            tally.limit = limit;
            tally.waiting = waiting;
        });
    }

    /// A search begins.
    pub(crate) fn begin(&self, seconds: Option<f64>) {
        self.update(|tally| {
            if let Some(index) = tally.waiting.iter().position(|&waiting| waiting == seconds) {
                tally.waiting.swap_remove(index);
            }
            tally.running.push((Instant::now(), seconds));
        });
    }

    /// A search that began with these seconds has ended.
    pub(crate) fn end(&self, seconds: Option<f64>, time: Duration) {
        self.update(|tally| {
            if let Some(index) = tally.running.iter().position(|&(_, running)| running == seconds) {
                tally.running.swap_remove(index);
            }
            tally.finished.0 += 1;
            tally.finished.1 += time.as_secs_f64();
        });
    }

    /// A row is known.
    pub(crate) fn count(&self, verdict: &Verdict) {
        self.bar.inc(1);
        self.update(|tally| match verdict {
            Verdict::Plan(_) => tally.solved += 1,
            Verdict::NoPlan(_) => tally.refuted += 1,
            Verdict::Unknown(_) => tally.unknown += 1,
        });
    }

    /// Takes the bar away.
    pub(crate) fn clear(&self) {
        self.bar.finish_and_clear();
    }

    fn update(&self, change: impl FnOnce(&mut Tally)) {
        let mut tally = self.tally.lock().unwrap_or_else(PoisonError::into_inner);
        change(&mut tally);
        self.bar.set_message(tally.text(Instant::now()));
    }
}

impl Tally {
    fn text(&self, now: Instant) -> String {
        let mut text = format!("{} solved, {} without solution", self.solved, self.refuted);
        if self.unknown > 0 {
            text += &format!(", {} unknown", self.unknown);
        }
        text + &self.estimate(now).map_or_else(String::new, |estimate| format!("; {estimate}"))
    }

    /// How long it may take. A search whose time is not known is taken to need as long as the others did on average, one
    /// that goes on already for longer as long again as it has run; before three have ended nobody knows.
    fn estimate(&self, now: Instant) -> Option<String> {
        let left = self.waiting.len() + self.running.len();
        if left == 0 {
            return None;
        }
        let threads = self.threads.max(1) as f64;
        let limit = self.limit.map_or(f64::INFINITY, |limit| limit.as_secs_f64());
        let known = self.waiting.iter().chain(self.running.iter().map(|(_, known)| known)).flatten().count();
        let mean = match self.finished {
            (0..3, _) if known < left => None,
            (0, _) => Some(0.0),
            (count, seconds) => Some(seconds / count as f64),
        };
        let guess = mean.map(|mean| {
            let waiting = self.waiting.iter().map(|known| known.unwrap_or(mean).min(limit));
            let running = self.running.iter().map(|&(began, known)| {
                let elapsed = now.saturating_duration_since(began).as_secs_f64();
                let whole = known.unwrap_or(mean);
                (if elapsed > whole { elapsed } else { whole - elapsed }).min((limit - elapsed).max(0.0))
            });
            // The longest of them cannot be shared out.
            let longest = running.clone().chain(waiting.clone()).fold(0.0, f64::max);
            ((waiting.sum::<f64>() + running.sum::<f64>()) / threads).max(longest)
        });
        let guess = guess.map_or_else(|| "no estimate yet".into(), |seconds| format!("about {} more", span(seconds)));
        let most = (left as f64 / threads).ceil() * limit;
        Some(if most.is_finite() { format!("{guess}, at most {}", span(most)) } else { guess })
    }
}

/// A time as one would say it.
fn span(seconds: f64) -> String {
    let (value, unit) = match seconds {
        s if s < 90.0 => (s, "s"),
        s if s < 90.0 * 60.0 => (s / 60.0, "min"),
        s if s < 48.0 * 3600.0 => (s / 3600.0, "h"),
        s => (s / 86400.0, "days"),
    };
    format!("{value:.0} {unit}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nobody_knows_before_three_have_ended() {
        let now = Instant::now();
        let mut tally = Tally { threads: 2, waiting: vec![None; 10], finished: (2, 8.0), ..Tally::default() };
        assert_eq!(tally.text(now), "0 solved, 0 without solution; no estimate yet");
        tally.limit = Some(Duration::from_secs(60));
        assert_eq!(tally.estimate(now).unwrap(), "no estimate yet, at most 5 min");
        tally.finished = (4, 16.0);
        assert_eq!(tally.estimate(now).unwrap(), "about 20 s more, at most 5 min");
        tally.waiting.clear();
        assert_eq!(tally.estimate(now), None);
    }

    #[test]
    fn earlier_times_count_and_a_long_search_is_not_expected_to_end_at_once() {
        let now = Instant::now();
        let mut tally = Tally { threads: 1, waiting: vec![Some(100.0), Some(50.0)], ..Tally::default() };
        assert_eq!(tally.estimate(now).unwrap(), "about 2 min more");
        tally.waiting.clear();
        tally.finished = (5, 5.0);
        let began = now.checked_sub(Duration::from_secs(40)).unwrap();
        tally.running = vec![(began, None)];
        assert_eq!(tally.estimate(now).unwrap(), "about 40 s more");
        tally.limit = Some(Duration::from_secs(50));
        assert_eq!(tally.estimate(now).unwrap(), "about 10 s more, at most 50 s");
        // One that cannot be shared out among the threads.
        let tally = Tally { threads: 4, waiting: vec![Some(60.0), Some(4.0)], ..Tally::default() };
        assert_eq!(tally.estimate(now).unwrap(), "about 60 s more");
    }

    #[test]
    fn times_are_said_in_one_unit() {
        assert_eq!([0.4, 89.0, 100.0, 7200.0, 1e6].map(span), ["0 s", "89 s", "2 min", "2 h", "12 days"]);
    }
}
