//! The table of a cross-check as it grows, and the progress bar beside it.

use super::Row;
use super::answer::{Answer, ModelCheck};
use super::peers::Peer;
use crate::failure::Failure;
use crate::output::Target;
use indicatif::{ProgressBar, ProgressStyle};
use std::fmt::Write;
use std::path::{Path, PathBuf};

const CELL: usize = 15;

/// Prints a line for every file as soon as its answers are there.
pub(crate) struct Table {
    bar: ProgressBar,
    /// How wide the column of file names is.
    width: usize,
    names: Vec<String>,
    /// Standard output is taken: nothing but errors is printed.
    silent: bool,
}

impl Table {
    /// Prints the head. With `silent` the table itself is left out.
    pub(crate) fn start(files: &[PathBuf], peers: &[Peer], absent: &[&str], silent: bool) -> Result<Self, Failure> {
        let width = files.iter().map(|file| shown(file).chars().count()).max().unwrap_or(0).clamp(4, 60);
        let names = std::iter::once("putnam").chain(peers.iter().map(|peer| peer.name.as_str())).map(String::from);
        let bar = ProgressBar::new(files.len() as u64);
        if let Ok(style) = ProgressStyle::with_template("[{elapsed}] {bar:40} {pos}/{len} files") {
            bar.set_style(style);
        }
        let table = Self { bar, width, names: names.collect(), silent };
        let mut head = String::new();
        if !absent.is_empty() {
            let _ = writeln!(head, "not installed: {}", absent.join(", "));
        }
        if peers.is_empty() {
            head.push_str(
                "no other solver to compare with; install one (minisat, cadical, ...) or give one with --peer\n",
            );
        }
        let _ = write!(head, "{:width$}", "file");
        for name in &table.names {
            let _ = write!(head, "  {name:CELL$}");
        }
        table.text(&(head.trim_end().to_owned() + "\n"))?;
        Ok(table)
    }

    /// Prints one file's answers.
    pub(crate) fn row(&mut self, row: &Row) -> Result<(), Failure> {
        let mut line = format!("{:width$}", shown(&row.path), width = self.width);
        for (answer, seconds) in &row.answers {
            let _ = write!(line, "  {:CELL$}", format!("{:8} {seconds:>6.2}", answer.word()));
        }
        line.truncate(line.trim_end().len());
        line.push('\n');
        for (name, (answer, _)) in self.names.iter().zip(&row.answers) {
            if let Answer::Crash(how) = answer {
                let _ = writeln!(line, "  {name}: {how}");
            }
        }
        self.bar.inc(1);
        self.text(&line)
    }

    /// Prints text below what is there.
    pub(crate) fn text(&self, text: &str) -> Result<(), Failure> {
        if self.silent {
            return Ok(());
        }
        self.bar.suspend(|| Target::Stdout.write_text(text))
    }

    /// Reports a file that could not be read.
    pub(crate) fn error(&mut self, failure: &Failure) {
        self.bar.inc(1);
        self.bar.suspend(|| eprintln!("error: {failure}"));
    }

    /// Prints the sums.
    pub(crate) fn finish(self, rows: &[Row], failed: usize, interrupted: bool) -> Result<(), Failure> {
        self.bar.finish_and_clear();
        let answers = || rows.iter().flat_map(|row| &row.answers).map(|(answer, _)| answer);
        let count = |wanted: fn(&Answer) -> bool| answers().filter(|&answer| wanted(answer)).count();
        let mut text = format!(
            "{}, {} ({} satisfiable with a correct model, {} unsatisfiable)",
            plural(rows.len(), "file"),
            plural(count(Answer::decided), "verdict"),
            count(|answer| *answer == Answer::Satisfiable(ModelCheck::Correct)),
            count(|answer| *answer == Answer::Unsatisfiable),
        );
        let others = [
            (count(|answer| *answer == Answer::TimeOut), "time-out"),
            (count(|answer| *answer == Answer::Unknown), "unknown answer"),
            (count(|answer| matches!(answer, Answer::Crash(_))), "failed run"),
            (failed, "unreadable file"),
        ];
        for (number, what) in others.into_iter().filter(|(number, _)| *number > 0) {
            let _ = write!(text, ", {}", plural(number, what));
        }
        let clashes = rows.iter().filter(|row| row.clash.is_some()).count();
        let _ = match clashes {
            0 => writeln!(text, "; no disagreement"),
            _ => writeln!(text, "; DISAGREEMENT on {clashes}"),
        };
        if interrupted {
            text.push_str("interrupted before all files were done\n");
        }
        self.text(&text)
    }
}

/// A number of things in words.
fn plural(number: usize, what: &str) -> String {
    format!("{number} {what}{}", if number == 1 { "" } else { "s" })
}

/// A path as the table shows it: the end of it when it is long.
fn shown(path: &Path) -> String {
    let text = path.to_string_lossy();
    let length = text.chars().count();
    if length <= 60 { text.into_owned() } else { format!("...{}", text.chars().skip(length - 57).collect::<String>()) }
}
