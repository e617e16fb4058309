//! What happens when solvers disagree: the formula is kept, made smaller, and the command that repeats it is printed.

use super::answer::{Answer, clash};
use super::{Row, Session, process, shrink};
use crate::failure::Failure;
use putnam_formula::Cnf;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

/// A reduced formula gets at least this long before a solver counts as not answering.
const LEAST: Duration = Duration::from_secs(2);

impl Session<'_> {
    /// Keeps and shrinks the formula of a row whose answers clash; the text says who disagrees and how to repeat it.
    pub(super) fn explain(&self, row: &Row, cnf: &Cnf) -> Result<String, Failure> {
        let Some(solvers) = &row.clash else { return Ok(String::new()) };
        let mut text = format!("DISAGREEMENT on {}\n", row.path.display());
        for &index in solvers {
            let _ = writeln!(text, "  {}: {}", self.name(index), row.answers[index].0);
        }
        fs::create_dir_all(&self.args.keep).map_err(|error| Failure::io(&self.args.keep, error))?;
        let (whole, small) = self.kept_paths(&row.path);
        process::write_cnf(&whole, cnf)?;
        let _ = writeln!(text, "  kept as {}", whole.display());
        let mut repeat = &whole;
        if !self.args.shrink_time.is_zero() {
            let slowest = solvers.iter().map(|&index| row.answers[index].1).fold(0.0, f64::max);
            let reduced = self.shrink(solvers, cnf, slowest)?;
            if reduced != *cnf {
                process::write_cnf(&small, &reduced)?;
                let (clauses, all) = (reduced.num_clauses(), cnf.num_clauses());
                let _ = writeln!(text, "  shrunk to {clauses} of {all} clauses as {}", small.display());
                repeat = &small;
            }
        }
        let _ = writeln!(text, "  repeat with: {}", self.command(solvers, repeat));
        Ok(text)
    }

    /// The smallest formula found on which just these solvers still disagree.
    fn shrink(&self, solvers: &[usize], cnf: &Cnf, slowest: f64) -> Result<Cnf, Failure> {
        let deadline = Instant::now().checked_add(self.args.shrink_time);
        let limit =
            Duration::try_from_secs_f64(slowest * 4.0).unwrap_or(LEAST).clamp(LEAST, LEAST.max(self.args.time_limit));
        let mut failure = None;
        let reduced = shrink::shrink(cnf, |candidate| {
            if deadline.is_some_and(|deadline| Instant::now() >= deadline) || self.terminate.load(Ordering::Relaxed) {
                return None;
            }
            match self.still_clash(solvers, candidate, limit) {
                Ok(wrong) => Some(wrong),
                Err(error) => {
                    failure = Some(error);
                    None
                }
            }
        });
        failure.map_or(Ok(reduced), Err)
    }

    fn still_clash(&self, solvers: &[usize], cnf: &Cnf, limit: Duration) -> Result<bool, Failure> {
        let plain = self.workspace.write(cnf)?;
        let mut answers: Vec<Answer> = Vec::new();
        for &index in solvers {
            let (answer, _) = match index {
                0 => self.putnam(cnf, limit)?,
                _ => self.peer(&self.peers[index - 1], cnf, &plain, limit)?,
            };
            answers.push(answer);
        }
        Ok(clash(&answers).is_some_and(|clash| clash.len() == solvers.len()))
    }

    /// The command that shows the disagreement again.
    fn command(&self, solvers: &[usize], path: &Path) -> String {
        let mut words = vec!["putnam".to_owned(), "crosscheck".into(), path.to_string_lossy().into_owned()];
        words.extend(self.args.engine.repeat());
        let peers: Vec<_> = solvers.iter().filter(|&&index| index > 0).map(|&index| &self.peers[index - 1]).collect();
        for option in peers.iter().filter_map(|peer| peer.option.as_ref()) {
            words.extend(["--peer".to_owned(), option.clone()]);
        }
        let names: Vec<&str> = peers.iter().map(|peer| peer.name.as_str()).collect();
        if !names.is_empty() {
            words.extend(["--only".to_owned(), names.join(",")]);
        }
        // Only a word with a zero byte cannot be quoted, and no argument has one.
        shlex::try_join(words.iter().map(String::as_str)).unwrap_or_else(|_| words.join(" "))
    }

    /// Names for the formula as it was and for the small one, both not taken yet.
    fn kept_paths(&self, path: &Path) -> (PathBuf, PathBuf) {
        let name = path.file_name().map_or_else(|| "stdin".into(), |name| name.to_string_lossy().into_owned());
        let stem = name.split(".cnf").next().filter(|stem| !stem.is_empty()).unwrap_or("formula");
        // A formula that was kept before gets no longer name.
        let kept = stem.strip_prefix("disagreement-").and_then(|rest| rest.split_once('-'));
        let stem = kept.map_or(stem, |(_, stem)| stem).trim_end_matches(".small");
        let stem = if stem == "-" { "stdin" } else { stem };
        let mut number = 1;
        loop {
            let whole = self.args.keep.join(format!("disagreement-{number}-{stem}.cnf"));
            let small = self.args.keep.join(format!("disagreement-{number}-{stem}.small.cnf"));
            if !whole.exists() && !small.exists() {
                return (whole, small);
            }
            number += 1;
        }
    }
}
