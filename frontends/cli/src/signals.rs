//! Ctrl-C, TERM, a terminal that goes away, and time-outs: a search is asked to stop and still reports; whoever waits for input is let go at once.

use putnam_formula::StopReason;
use signal_hook::consts::{SIGABRT, SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::Signals;
use std::fs;
use std::io;
use std::process;
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

const WAITING: u8 = 0;
const SEARCHING: u8 = 1;
const CHECKING: u8 = 2;
const ANSWERING: u8 = 3;

/// How long a search or a check may go on past its deadline before the command ends without it.
const GRACE: Duration = Duration::from_secs(3);

/// What to do when the command has to end at once: report and flush.
type Leave = Box<dyn FnMut(StopReason) + Send>;

/// Watches for signals and the deadline in threads of its own.
pub(crate) struct Watch {
    stage: Arc<AtomicU8>,
    terminate: Arc<AtomicBool>,
    leave: Arc<Mutex<Leave>>,
}

impl Watch {
    /// Starts watching. Until [`Watch::search`] a signal or the deadline ends the command through `leave`, with exit code 0.
    pub(crate) fn start(deadline: Option<Instant>, leave: impl FnMut(StopReason) + Send + 'static) -> io::Result<Self> {
        exit_when_aborted()?;
        let watch = Self {
            stage: Arc::new(AtomicU8::new(WAITING)),
            terminate: Arc::default(),
            leave: Arc::new(Mutex::new(Box::new(leave))),
        };
        watch.watch_signals()?;
        if let Some(deadline) = deadline {
            watch.watch_clock(deadline);
        }
        Ok(watch)
    }

    /// Replaces what to do when the command has to end at once.
    pub(crate) fn on_leave(&self, leave: impl FnMut(StopReason) + Send + 'static) {
        if let Ok(mut slot) = self.leave.lock() {
            *slot = Box::new(leave);
        }
    }

    /// Runs `begin` and replaces what to do when the command has to end at once, as one step: what `begin` prints is not
    /// printed again by what it replaces.
    pub(crate) fn begin<E>(
        &self,
        begin: impl FnOnce() -> Result<(), E>,
        leave: impl FnMut(StopReason) + Send + 'static,
    ) -> Result<(), E> {
        let mut slot = self.leave.lock().unwrap_or_else(PoisonError::into_inner);
        begin()?;
        *slot = Box::new(leave);
        Ok(())
    }

    /// The flag that tells a search to stop. From now on the first signal only sets it; the second ends the command.
    pub(crate) fn search(&self) -> Arc<AtomicBool> {
        self.stage.store(SEARCHING, Ordering::SeqCst);
        Arc::clone(&self.terminate)
    }

    /// The search is over, its proof is to be checked: from now on a signal ends the command at once again.
    pub(crate) fn check(&self) {
        self.stage.store(CHECKING, Ordering::SeqCst);
    }

    /// From now on signals end the command as if nobody handled them. An end that has begun is waited for, so that there
    /// are never two answers.
    pub(crate) fn answer(&self) {
        let _ending = self.leave.lock();
        self.stage.store(ANSWERING, Ordering::SeqCst);
    }

    fn watch_signals(&self) -> io::Result<()> {
        let hangup = (!is_ignored(SIGHUP)).then_some(SIGHUP);
        let mut signals = Signals::new([SIGINT, SIGTERM].into_iter().chain(hangup))?;
        let (stage, terminate, leave) = (Arc::clone(&self.stage), Arc::clone(&self.terminate), Arc::clone(&self.leave));
        thread::spawn(move || {
            for signal in signals.forever() {
                let asked = terminate.swap(true, Ordering::SeqCst);
                match stage.load(Ordering::SeqCst) {
                    ANSWERING => {
                        let _ = signal_hook::low_level::emulate_default_handler(signal);
                    }
                    SEARCHING if !asked => {}
                    _ => end(&stage, &leave, StopReason::Terminated),
                }
            }
        });
        Ok(())
    }

    fn watch_clock(&self, deadline: Instant) {
        let (stage, leave) = (Arc::clone(&self.stage), Arc::clone(&self.leave));
        thread::spawn(move || {
            thread::sleep(deadline.saturating_duration_since(Instant::now()));
            if matches!(stage.load(Ordering::SeqCst), SEARCHING | CHECKING) {
                thread::sleep(GRACE);
            }
            end(&stage, &leave, StopReason::Time);
        });
    }
}

/// Ends the command, unless it has its answer by now.
fn end(stage: &AtomicU8, leave: &Mutex<Leave>, reason: StopReason) {
    if let Ok(mut leave) = leave.lock()
        && stage.load(Ordering::SeqCst) != ANSWERING
    {
        leave(reason);
        process::exit(0);
    }
}

/// Whether whoever started the command wants it to ignore a signal, as `nohup` does with HUP. False where the system does not say.
fn is_ignored(signal: i32) -> bool {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let bits = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    bits.is_some_and(|bits| bits >> (signal - 1) & 1 == 1)
}

/// An allocation that fails prints its message and aborts: the exit code is that of an error then, not a crash with a core.
pub(crate) fn exit_when_aborted() -> io::Result<()> {
    signal_hook::flag::register_conditional_shutdown(SIGABRT, 1, Arc::new(AtomicBool::new(true))).map(drop)
}
