//! `putnam crosscheck`: the same files by Putnam and by every other solver at hand, models checked, verdicts compared.

mod answer;
mod disagreement;
mod peers;
mod process;
mod shrink;
mod table;

use crate::engines::EngineArgs;
use crate::failure::Failure;
use crate::output::{Target, refuse_to_overwrite, warn};
use crate::search;
use crate::signals::Watch;
use crate::values;
use answer::{Answer, ModelCheck, clash};
use clap::Args;
use peers::Peer;
use process::Workspace;
use putnam_formats::{Document, ReadOptions, read_path};
use putnam_formula::{Cnf, Limits, Outcome};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, mpsc};
use std::thread;
use std::time::{Duration, Instant};
use table::Table;

/// What the command is for.
pub(crate) const ABOUT: &str = "Compares Putnam with other solvers on the same formulas";

/// Arguments of `putnam crosscheck`.
#[derive(Args, Debug)]
#[command(about = ABOUT, after_help = "\
Other solvers are looked for on PATH: minisat, cadical, kissat, glucose, cryptominisat5, picosat, clasp. One that is not \
there is a note, not a failure. A time-out or a crash of a solver is shown as such and is no verdict.

On a disagreement the formula is kept, made as small as it gets while the solvers still disagree, and the command that \
repeats it is printed.

Exit codes: 0 no disagreement, 3 disagreement (or Putnam itself failed), 1 a file could not be read, 2 bad usage.

Examples:
  putnam crosscheck tests/cnf
  putnam crosscheck a.cnf b.cnf.xz --time-limit 10 --json result.json
  putnam crosscheck a.cnf --peer 'mine=./my-solver --quiet {cnf}'
  putnam crosscheck a.cnf --peer 'old=minisat-2.1 {cnf} {out}' --only old,cadical")]
pub(crate) struct CrosscheckArgs {
    /// Formulas, or folders with formulas (searched with their subfolders for .cnf and .dimacs, compressed or not)
    #[arg(value_name = "FILE|DIR", required = true)]
    paths: Vec<PathBuf>,
    /// Another solver: its name, then its command with {cnf} for the formula and, if it writes its answer there, {out}
    #[arg(long, value_name = "NAME=COMMAND", allow_hyphen_values = true)]
    peer: Vec<String>,
    /// Only these peers
    #[arg(long, value_name = "NAME,...", value_delimiter = ',')]
    only: Vec<String>,
    /// Seconds for each solver on each file
    #[arg(long, value_name = "S", value_parser = values::seconds, default_value = "60")]
    time_limit: Duration,
    /// Write all answers as JSON to this file (- is standard output, without the table)
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Where to keep formulas on which solvers disagree
    #[arg(long, value_name = "DIR", default_value = ".")]
    keep: PathBuf,
    /// Seconds to spend on making such a formula smaller; 0 keeps it as it is
    #[arg(long, value_name = "S", value_parser = values::seconds, default_value = "60")]
    shrink_time: Duration,
    #[command(flatten)]
    engine: EngineArgs,
    #[command(flatten)]
    reading: values::ReadingArgs,
}

/// A file's answers.
struct Row {
    path: PathBuf,
    variables: u32,
    clauses: usize,
    /// Answer and seconds of Putnam, then of each peer.
    answers: Vec<(Answer, f64)>,
    clash: Option<Vec<usize>>,
}

/// What a run works with.
struct Session<'a> {
    args: &'a CrosscheckArgs,
    peers: Vec<Peer>,
    workspace: Workspace,
    terminate: Arc<AtomicBool>,
}

/// Runs the command.
pub(crate) fn run(args: &CrosscheckArgs) -> Result<ExitCode, Failure> {
    let (peers, absent) = peers::gather(&args.peer, &args.only)?;
    let (files, mut failed) = list_files(&args.paths)?;
    args.engine.make()?;
    if let Some(json) = &args.json {
        let read: Vec<&Path> = files.iter().map(PathBuf::as_path).collect();
        refuse_to_overwrite(&read, ("JSON output", json))?;
    }
    let json = args.json.as_deref().map(|path| Target::new(Some(path)));
    if let Some(target) = &json {
        target.probe()?;
    }
    let watch = Watch::start(None, |_| {}).map_err(|error| Failure::io("signal handler", error))?;
    let session = Session { args, peers, workspace: Workspace::new()?, terminate: watch.search() };
    let mut table = Table::start(&files, &session.peers, &absent, json == Some(Target::Stdout))?;
    let mut rows = Vec::new();
    for file in &files {
        if session.terminate.load(Ordering::Relaxed) {
            break;
        }
        match session.row(file) {
            Ok((row, cnf)) => {
                table.row(&row)?;
                if row.clash.is_some() {
                    table.text(&session.explain(&row, &cnf)?)?;
                }
                rows.push(row);
            }
            Err(failure) => {
                failed += 1;
                table.error(&failure);
            }
        }
    }
    let interrupted = session.terminate.load(Ordering::Relaxed);
    table.finish(&rows, failed, interrupted)?;
    if let Some(target) = json {
        let text = serde_json::to_string_pretty(&session.to_json(&rows)).unwrap_or_default();
        target.write_text(&(text + "\n"))?;
    }
    // A peer that crashes says nothing; that Putnam does is a fault of ours.
    let wrong = |row: &Row| row.clash.is_some() || matches!(row.answers[0].0, Answer::Crash(_));
    Ok(ExitCode::from(if rows.iter().any(wrong) { 3 } else { u8::from(failed > 0 || interrupted) }))
}

impl Session<'_> {
    /// Asks everybody about one file.
    fn row(&self, path: &Path) -> Result<(Row, Cnf), Failure> {
        let options = ReadOptions { format: self.args.reading.input.into(), strict: self.args.reading.strict };
        let document = self.read(path, options)?;
        warn(&document.warnings);
        let cnf = document.cnf;
        let plain = self.workspace.write(&cnf)?;
        let mut answers = vec![self.putnam(&cnf, self.args.time_limit)?];
        for peer in &self.peers {
            answers.push(self.peer(peer, &cnf, &plain, self.args.time_limit)?);
        }
        let clash = clash(answers.iter().map(|(answer, _)| answer));
        Ok((Row { path: path.into(), variables: cnf.num_vars(), clauses: cnf.num_clauses(), answers, clash }, cnf))
    }

    /// Reads a formula. From a pipe or a device nothing may ever come: it has the time that a solver has.
    fn read(&self, path: &Path, options: ReadOptions) -> Result<Document, Failure> {
        if !is_special(path) {
            return Ok(read_path(path, &options)?);
        }
        let (sender, receiver) = mpsc::channel();
        let name = path.to_owned();
        thread::spawn(move || {
            // Nobody waits any more when the time is over.
            let _ = sender.send(read_path(name, &options));
        });
        let start = Instant::now();
        loop {
            match receiver.recv_timeout(Duration::from_millis(20)) {
                Ok(document) => return Ok(document?),
                Err(_) if self.terminate.load(Ordering::Relaxed) => {
                    return Err(Failure::Input(format!("{}: interrupted while reading", path.display())));
                }
                Err(_) if start.elapsed() > self.args.time_limit => {
                    let seconds = self.args.time_limit.as_secs_f64();
                    let message = format!("{}: this is no file, and no formula came in {seconds} s", path.display());
                    return Err(Failure::Input(message));
                }
                Err(_) => {}
            }
        }
    }

    fn peer(&self, peer: &Peer, cnf: &Cnf, plain: &Path, limit: Duration) -> Result<(Answer, f64), Failure> {
        process::ask(peer, cnf, plain, &self.workspace, limit, &self.terminate)
    }

    /// Putnam's own answer. A panic or a wrong model is an answer here, as of any other solver.
    fn putnam(&self, cnf: &Cnf, limit: Duration) -> Result<(Answer, f64), Failure> {
        let start = Instant::now();
        let mut engine = self.args.engine.make()?;
        engine.set_limits(Limits {
            deadline: start.checked_add(limit),
            terminate: Some(Arc::clone(&self.terminate)),
            ..Limits::default()
        });
        let outcome = catch_unwind(AssertUnwindSafe(|| {
            search::load(&mut *engine, cnf);
            engine.solve(&[])
        }));
        let answer = match outcome {
            Ok(Outcome::Satisfiable(model)) => Answer::Satisfiable(match model.falsified(cnf) {
                Some(index) => ModelCheck::Falsifies(index),
                None => ModelCheck::Correct,
            }),
            Ok(Outcome::Unsatisfiable { .. }) => Answer::Unsatisfiable,
            Ok(Outcome::Unknown(putnam_formula::StopReason::Time)) => Answer::TimeOut,
            Ok(Outcome::Unknown(_)) => Answer::Unknown,
            Err(_) => Answer::Crash("panicked".into()),
        };
        Ok((answer, start.elapsed().as_secs_f64()))
    }

    fn name(&self, index: usize) -> &str {
        if index == 0 { "putnam" } else { &self.peers[index - 1].name }
    }

    fn to_json(&self, rows: &[Row]) -> Value {
        let answers = |row: &Row| {
            let of = |(index, (answer, seconds)): (usize, &(Answer, f64))| {
                let mut value = answer.to_json();
                value["solver"] = json!(self.name(index));
                value["seconds"] = json!((seconds * 1000.0).round() / 1000.0);
                value
            };
            row.answers.iter().enumerate().map(of).collect::<Vec<_>>()
        };
        Value::Array(
            rows.iter()
                .map(|row| {
                    json!({
                        "file": row.path.to_string_lossy(),
                        "variables": row.variables,
                        "clauses": row.clauses,
                        "agree": row.clash.is_none(),
                        "answers": answers(row),
                    })
                })
                .collect(),
        )
    }
}

/// The files to read: those that were named, and those in the folders that were named, in the order of their names. A
/// folder that cannot be read is reported; the number of those comes second.
fn list_files(paths: &[PathBuf]) -> Result<(Vec<PathBuf>, usize), Failure> {
    let (mut files, mut failed) = (Vec::new(), 0);
    for path in paths {
        if path == Path::new("-") || !path.is_dir() {
            files.push(path.clone());
            continue;
        }
        let mut found = BTreeSet::new();
        let mut folders = vec![path.clone()];
        while let Some(folder) = folders.pop() {
            match folder.read_dir() {
                Ok(entries) => {
                    for entry in entries.flatten().map(|entry| entry.path()) {
                        if entry.is_dir() && !entry.is_symlink() {
                            folders.push(entry);
                        } else if is_formula(&entry) && !is_special(&entry) {
                            found.insert(entry);
                        }
                    }
                }
                Err(error) => {
                    failed += 1;
                    eprintln!("error: {}", Failure::io(&folder, error));
                }
            }
        }
        if found.is_empty() && failed == 0 {
            return Err(Failure::Input(format!("{}: no .cnf or .dimacs file in this folder", path.display())));
        }
        files.extend(found);
    }
    Ok((files, failed))
}

/// Whether this is a pipe, a socket or a device: nobody may ever write what would be read there.
fn is_special(path: &Path) -> bool {
    path.metadata().is_ok_and(|data| !data.is_file() && !data.is_dir())
}

/// Whether a file in a folder looks like a formula by its name.
fn is_formula(path: &Path) -> bool {
    let Some(name) = path.file_name().map(|name| name.to_string_lossy().to_ascii_lowercase()) else { return false };
    let plain = [".gz", ".xz", ".bz2", ".zst"].iter().find_map(|end| name.strip_suffix(end)).unwrap_or(&name);
    plain.ends_with(".cnf") || plain.ends_with(".dimacs")
}
