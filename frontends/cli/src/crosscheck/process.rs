//! Runs another solver under a time limit and reads what it says.

use super::answer::{Answer, ModelCheck};
use super::peers::Peer;
use crate::failure::Failure;
use putnam_formats::{Verdict, read_answer};
use putnam_formula::{Cnf, Lit, Symbols};
use rustix::process::{Pid, Signal, kill_process_group};
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// A folder for the files that go to and come from peers; removed at the end.
pub(crate) struct Workspace {
    folder: TempDir,
}

impl Workspace {
    /// An empty folder among the system's temporary ones.
    pub(crate) fn new() -> Result<Self, Failure> {
        let folder = tempfile::Builder::new().prefix("putnam-").tempdir();
        Ok(Self { folder: folder.map_err(|error| Failure::io("temporary folder", error))? })
    }

    /// Writes the formula as plain DIMACS, which every solver reads.
    pub(crate) fn write(&self, cnf: &Cnf) -> Result<PathBuf, Failure> {
        let path = self.folder.path().join("formula.cnf");
        write_cnf(&path, cnf)?;
        Ok(path)
    }

    fn file(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }
}

/// Writes the formula as plain DIMACS to `path`.
pub(crate) fn write_cnf(path: &Path, cnf: &Cnf) -> Result<(), Failure> {
    let write = || -> io::Result<()> {
        let mut out = BufWriter::new(File::create(path)?);
        putnam_formats::write_dimacs(&mut out, cnf, &Symbols::new())?;
        out.flush()
    };
    write().map_err(|error| Failure::io(path, error))
}

/// What a peer answers for the formula, which is also in the file `path`, and how many seconds it took.
///
/// # Errors
/// Only for files of our own that cannot be written: what a peer does wrong is an [`Answer`].
pub(crate) fn ask(
    peer: &Peer,
    cnf: &Cnf,
    path: &Path,
    workspace: &Workspace,
    limit: Duration,
    terminate: &AtomicBool,
) -> Result<(Answer, f64), Failure> {
    let (stdout, stderr, out) = (workspace.file("stdout"), workspace.file("stderr"), workspace.file("answer"));
    let _ = fs::remove_file(&out);
    let create = |path: &Path| File::create(path).map_err(|error| Failure::io(path, error));
    let words = peer.command_line(path, &out);
    let mut command = Command::new(&words[0]);
    command.args(&words[1..]).stdin(Stdio::null()).stdout(create(&stdout)?).stderr(create(&stderr)?).process_group(0);
    let start = Instant::now();
    let mut child = match command.spawn() {
        Ok(child) => child,
        Err(error) => return Ok((Answer::Crash(format!("cannot be run: {error}")), 0.0)),
    };
    let status =
        wait(&mut child, start.checked_add(limit), terminate).map_err(|error| Failure::io(&peer.name, error))?;
    let seconds = start.elapsed().as_secs_f64();
    let Some(status) = status else { return Ok((Answer::TimeOut, seconds)) };
    let read = |path: &Path| fs::read(path).unwrap_or_default();
    let mut text = if peer.writes_file() { read(&out) } else { Vec::new() };
    if text.iter().all(u8::is_ascii_whitespace) {
        text = read(&stdout);
    }
    Ok((judge(cnf, &text, &read(&stderr), status), seconds))
}

/// Waits until the child ends; none when it was killed at the deadline or because of a signal to us.
fn wait(child: &mut Child, deadline: Option<Instant>, terminate: &AtomicBool) -> io::Result<Option<ExitStatus>> {
    let mut pause = Duration::from_micros(200);
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        if deadline.is_some_and(|deadline| Instant::now() >= deadline) || terminate.load(Ordering::Relaxed) {
            // The peer may be a script: what it started has to end as well.
            if let Some(group) = i32::try_from(child.id()).ok().and_then(Pid::from_raw) {
                let _ = kill_process_group(group, Signal::KILL);
            }
            let _ = child.kill();
            child.wait()?;
            return Ok(None);
        }
        thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(20));
    }
}

/// The answer in a peer's output. A process that died says nothing, whatever it printed before.
fn judge(cnf: &Cnf, text: &[u8], stderr: &[u8], status: ExitStatus) -> Answer {
    if let Some(signal) = status.signal() {
        return Answer::Crash(format!("ended by signal {signal}"));
    }
    let code = status.code();
    if !matches!(code, Some(0 | 10 | 20)) {
        let last = String::from_utf8_lossy(stderr);
        let last = last.lines().rfind(|line| !line.trim().is_empty()).unwrap_or("").trim();
        let colon = if last.is_empty() { "" } else { ": " };
        return Answer::Crash(format!("exit code {}{colon}{}", code.unwrap_or(-1), shorten(last)));
    }
    let answer = read_answer(text, code);
    match answer.verdict {
        Verdict::Satisfiable => Answer::Satisfiable(match answer.model {
            Some(model) => check_model(cnf, &model),
            None => ModelCheck::Absent,
        }),
        Verdict::Unsatisfiable => Answer::Unsatisfiable,
        Verdict::Unknown => Answer::Unknown,
    }
}

fn shorten(text: &str) -> String {
    text.chars().take(80).collect()
}

/// Checks the literals that a solver calls true against the clauses. The model may be partial, as long as each clause has
/// a true literal.
fn check_model(cnf: &Cnf, model: &[Lit]) -> ModelCheck {
    let mut sorted: Vec<Lit> = model.to_vec();
    sorted.sort_unstable();
    if let Some(pair) = sorted.windows(2).find(|pair| pair[0] == !pair[1]) {
        return ModelCheck::Contradictory(pair[0].var());
    }
    let holds = |clause: &[Lit]| clause.iter().any(|lit| sorted.binary_search(lit).is_ok());
    // A tautology holds whatever the values are, also when its variables are left out.
    let tautology = |clause: &[Lit]| clause.iter().any(|lit| clause.contains(&!*lit));
    match cnf.clauses().position(|clause| !holds(clause) && !tautology(clause)) {
        Some(index) => ModelCheck::Falsifies(index),
        None => ModelCheck::Correct,
    }
}
