//! What is said beside the answer: statistics and the search tree.

use crate::failure::Failure;
use crate::output::Target;
use putnam_cdcl::{Event, ReportLine};
use putnam_formats::Dialect;
use putnam_formula::Statistic;
use std::fs;
use std::io::{self, BufWriter, Write};
use std::time::Duration;

/// Comments go as `c` lines to standard output where that is in competition format or free; otherwise to standard error.
pub(super) struct Commentary {
    stdout: bool,
}

impl Commentary {
    /// For an answer in this format that goes to `target`.
    pub(super) fn new(dialect: Dialect, target: &Target, proof_on_stdout: bool) -> Self {
        let foreign = dialect == Dialect::Assignment && *target == Target::Stdout;
        Self { stdout: !foreign && !proof_on_stdout }
    }

    /// A writer that turns every line into a comment.
    pub(super) fn writer(&self) -> impl Write + Send + use<> {
        let (out, prefix): (Box<dyn Write + Send>, &'static [u8]) =
            if self.stdout { (Box::new(io::stdout()), b"c ") } else { (Box::new(io::stderr()), b"") };
        BufWriter::with_capacity(1 << 16, Prefixed { out, prefix, fresh: true })
    }

    /// Prints the progress of engine cdcl, a line an event, with the legend of the letters before the first.
    pub(super) fn progress(&self) -> putnam_cdcl::Observer {
        let mut out = self.writer();
        let letters: Vec<String> =
            Event::ALL.iter().map(|event| format!("  {} {}\n", event.letter(), event.help())).collect();
        let mut head = Some(format!("{}{}\n", letters.concat(), ReportLine::HEADER));
        Box::new(move |line| {
            // Whoever does not want to read on shall not stop the search.
            let _ = writeln!(out, "{}{line}", head.take().unwrap_or_default()).and_then(|()| out.flush());
        })
    }

    /// Prints the size of the formula (variables, clauses, literals), the engine's counters, seconds of reading and solving and of parts of the
    /// latter, the longest first, and the memory that was used.
    pub(super) fn statistics(
        &self,
        (variables, clauses, literals): (u32, usize, usize),
        statistics: &[Statistic],
        times: &[(&str, Duration)],
        [reading, solving]: [f64; 2],
    ) -> Result<(), Failure> {
        let mut text = format!("{:<28} {variables:>12}\n", "variables");
        text += &format!("{:<28} {clauses:>12}\n", "clauses");
        text += &format!("{:<28} {literals:>12}\n", "literals");
        for statistic in statistics {
            let ratio = statistic.ratio.map_or(String::new(), |(ratio, of)| format!("  {ratio:>10.2} {of}"));
            text += &format!("{:<28} {:>12}{ratio}\n", statistic.name, statistic.count);
        }
        text +=
            &format!("{:<28} {reading:>12.3}\n{:<28} {solving:>12.3}\n", "seconds of reading", "seconds of solving");
        let mut times = times.to_vec();
        times.sort_by_key(|&(_, time)| std::cmp::Reverse(time));
        for (name, time) in times {
            let seconds = time.as_secs_f64();
            let part = 100.0 * seconds / solving.max(seconds);
            text += &format!("{:<28} {seconds:>12.3}  {part:>10.2} % of solving\n", format!("seconds of {name}"));
        }
        if let Some(megabytes) = peak_memory() {
            text += &format!("{:<28} {megabytes:>12.1}\n", "megabytes at most");
        }
        self.say(&text)
    }

    /// Prints these lines.
    pub(super) fn lines(&self, lines: &[String]) -> Result<(), Failure> {
        self.say(&lines.iter().map(|line| format!("{line}\n")).collect::<String>())
    }

    fn say(&self, text: &str) -> Result<(), Failure> {
        let mut out = self.writer();
        match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
            Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(Failure::io("comments", error)),
            _ => Ok(()),
        }
    }
}

struct Prefixed {
    out: Box<dyn Write + Send>,
    prefix: &'static [u8],
    /// The next byte begins a line.
    fresh: bool,
}

impl Write for Prefixed {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        for line in bytes.split_inclusive(|&byte| byte == b'\n') {
            if self.fresh {
                self.out.write_all(self.prefix)?;
            }
            self.out.write_all(line)?;
            self.fresh = line.ends_with(b"\n");
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// The most memory that this process had, where the system says so.
fn peak_memory() -> Option<f64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kilobytes: f64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kilobytes / 1024.0)
}
