//! One run of a command under limits.

use crate::Failure;
use rustix::process::{Pid, Resource, Rlimit, Signal, kill_process_group, setrlimit};
use std::fs::File;
use std::io;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};
use wait4::Wait4;

/// The first argument with which the race calls itself to run a command under limits.
pub const LIMITED: &str = "--limited";

/// The bounds of one run.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// CPU seconds.
    pub cpu: u64,
    /// Address space in MiB.
    pub memory: u64,
}

impl Limits {
    /// When a run is ended by the clock on the wall, in case that it waits instead of computing.
    fn wall(self) -> Duration {
        Duration::from_secs(3 * self.cpu + 10)
    }
}

/// What became of a run.
#[derive(Clone, Debug)]
pub struct Run {
    /// The exit code; none after a signal.
    pub exit: Option<i32>,
    /// The signal that ended it.
    pub signal: Option<i32>,
    /// CPU seconds of the process and all that it waited for.
    pub cpu: f64,
    /// Seconds.
    pub wall: f64,
    /// The most resident memory of one of its processes, in MiB.
    pub peak: f64,
}

/// A command with places for files.
#[derive(Clone, Debug)]
pub struct Template {
    words: Vec<String>,
}

impl Template {
    /// Splits a command into words, as a shell does. No shell runs.
    ///
    /// # Errors
    /// When there is no word or a quotation mark is open.
    pub fn new(command: &str) -> Result<Self, Failure> {
        match shlex::split(command) {
            Some(words) if !words.is_empty() => Ok(Self { words }),
            _ => Err(Failure::Usage(format!("`{command}` is not a command"))),
        }
    }

    /// Whether the command has a place, such as `{proof}`.
    pub fn has(&self, place: &str) -> bool {
        self.words.iter().any(|word| word.contains(place))
    }

    /// The words with files in their places.
    pub fn fill(&self, places: &[(&str, &Path)]) -> Vec<String> {
        let fill = |word: &String| {
            places.iter().fold(word.clone(), |word, (place, path)| word.replace(place, &path.to_string_lossy()))
        };
        self.words.iter().map(fill).collect()
    }
}

/// Runs commands under limits through a helper: the program itself, called with [`LIMITED`].
#[derive(Clone, Debug)]
pub struct Runner {
    /// The program.
    pub helper: PathBuf,
}

impl Runner {
    /// Runs a command with its output in a file, until it ends or is ended.
    ///
    /// # Errors
    /// When the helper cannot be started. A command that cannot be started exits with 127.
    pub fn run(&self, words: &[String], limits: Limits, stdout: &Path) -> Result<Run, Failure> {
        let out = File::create(stdout).map_err(|e| Failure::io(stdout, e))?;
        let mut command = Command::new(&self.helper);
        command.arg(LIMITED).arg(limits.cpu.to_string()).arg(limits.memory.to_string()).args(words);
        command.stdin(Stdio::null()).stdout(out).stderr(Stdio::null()).process_group(0);
        let start = Instant::now();
        let mut child = command.spawn().map_err(|e| Failure::io(&self.helper, e))?;
        let group = i32::try_from(child.id()).ok().and_then(Pid::from_raw);
        let (done, wait) = channel::<()>();
        let watch = thread::spawn(move || {
            if wait.recv_timeout(limits.wall()) == Err(RecvTimeoutError::Timeout)
                && let Some(group) = group
            {
                // It may have ended at this very moment, which is as good.
                let _ = kill_process_group(group, Signal::KILL);
            }
        });
        let end = child.wait4().map_err(|e| Failure::io(&self.helper, e))?;
        let wall = start.elapsed().as_secs_f64();
        drop(done);
        // The watcher does nothing that could fail.
        let _ = watch.join();
        let usage = end.rusage;
        Ok(Run {
            exit: end.status.code(),
            signal: end.status.signal(),
            cpu: (usage.utime + usage.stime).as_secs_f64(),
            wall,
            peak: usage.maxrss as f64 / (1024.0 * 1024.0),
        })
    }
}

/// The helper: sets the limits of this process (CPU seconds, MiB) and becomes the command. Only comes back if that failed.
pub fn become_limited(arguments: &[String]) -> io::Error {
    let limit = |resource, soft, hard| {
        setrlimit(resource, Rlimit { current: Some(soft), maximum: Some(hard) }).map_err(io::Error::from)
    };
    let [cpu, memory, program, arguments @ ..] = arguments else {
        return io::Error::new(io::ErrorKind::InvalidInput, "CPU, MEMORY and a command are needed");
    };
    let (Ok(cpu), Ok(memory)) = (cpu.parse::<u64>(), memory.parse::<u64>()) else {
        return io::Error::new(io::ErrorKind::InvalidInput, "limits are numbers");
    };
    let set = limit(Resource::Cpu, cpu, cpu + 2)
        .and_then(|()| limit(Resource::As, memory << 20, memory << 20))
        .and_then(|()| limit(Resource::Core, 0, 0));
    match set {
        Ok(()) => Command::new(program).args(arguments).exec(),
        Err(e) => e,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_go_to_their_places() {
        let template = Template::new("solver -x 'two words' in={cnf} {out}").unwrap();
        assert!(template.has("{out}") && !template.has("{proof}"));
        let words = template.fill(&[("{cnf}", Path::new("/a b.cnf")), ("{out}", Path::new("o"))]);
        assert_eq!(words, ["solver", "-x", "two words", "in=/a b.cnf", "o"]);
        assert!(Template::new("  ").is_err());
        assert!(Template::new("solver 'open").is_err());
    }
}
