//! The file of `peg batch --resume`: every row as a line of JSON, appended as soon as it is known.
//!
//! A batch that is killed leaves at most half a line at the end, which is cut off when the file is read again. Plans are
//! replayed when they are read. A row counts only for the problem it was written for, which a fingerprint of the jumps, the
//! goal and the clauses tells; one without answer only under the limits that it was given.

use crate::engines::{EngineArgs, LimitArgs};
use crate::failure::Failure;
use putnam_api::Solution as _;
use putnam_formula::StopReason;
use putnam_peg::{Hole, Jump, Optimum, Problem, Row, Verdict};
use serde_json::{Value, json};
use std::collections::HashMap;
use std::fs::{File, OpenOptions};
use std::io::{Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// What every line begins with.
const FIRST: &str = "{\"peg-batch\":";

/// The problem and the start of a row.
type Key = (String, Hole);

/// An open file of rows.
pub(crate) struct Resume {
    path: PathBuf,
    file: Mutex<File>,
    /// Rows by problem and start, with the number of their lines; of two the later one.
    rows: HashMap<Key, (usize, Value)>,
    /// The most seconds that a board's start took, with each finish that was asked for and in all.
    seconds: HashMap<(String, Hole, Option<Hole>), f64>,
    limits: String,
}

impl Resume {
    /// Opens the file, which need not exist yet, and keeps it locked.
    pub(crate) fn open(path: &Path, engine: &EngineArgs, limits: &LimitArgs) -> Result<Self, Failure> {
        let io = |error| Failure::io(path, error);
        let mut file = OpenOptions::new().create(true).truncate(false).read(true).write(true).open(path).map_err(io)?;
        rustix::fs::flock(&file, rustix::fs::FlockOperation::NonBlockingLockExclusive).map_err(|error| {
            if error == rustix::io::Errno::WOULDBLOCK {
                return Failure::Input(format!("{}: another batch is writing this file", path.display()));
            }
            io(error.into())
        })?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).map_err(io)?;
        let whole = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
        let rows = rows(path, &bytes[..whole])?;
        let torn = &bytes[whole..];
        if !torn.iter().zip(FIRST.as_bytes()).all(|(a, b)| a == b) {
            return Err(foreign(path, rows.len() + 1));
        }
        file.set_len(whole as u64).map_err(io)?;
        file.seek(SeekFrom::End(0)).map_err(io)?;
        let seconds = limits.time_limit.map(|limit| limit.as_secs_f64());
        let limits = json!([seconds, limits.conflict_limit, limits.memory_limit, engine.repeat()]).to_string();
        let seconds_of = seconds_of(&rows);
        let rows = rows.into_iter().enumerate().map(|(index, (key, row))| (key, (index + 1, row))).collect();
        Ok(Self { path: path.into(), file: Mutex::new(file), rows, seconds: seconds_of, limits })
    }

    /// How many seconds a start took, at most, whatever came out and whatever the limits: with this finish, or with any.
    pub(crate) fn seconds(&self, board: &str, start: Hole, finish: Option<Hole>) -> Option<f64> {
        let of = |finish| self.seconds.get(&(board.to_owned(), start, finish)).copied();
        of(finish).or_else(|| of(None))
    }

    /// The row of a start as it was found before, if it was.
    pub(crate) fn row(&self, problem: &Problem, start: Hole) -> Result<Option<Row>, Failure> {
        let Some((line, value)) = self.rows.get(&(fingerprint(problem), start)) else { return Ok(None) };
        let bad = |what: &str| Failure::Input(format!("{}:{line}:1: {what}", self.path.display()));
        let verdict = match value["verdict"].as_str() {
            Some("solved") => {
                let jumps = value["plan"].as_array().and_then(|jumps| jumps.iter().map(jump).collect::<Option<_>>());
                let jumps = jumps.ok_or_else(|| bad("the plan is no list of jumps"))?;
                let problem = problem.with_vacancy(start);
                let plan = match Optimum::from_json(&value["fewest"]) {
                    // More time may prove it, or find a better one.
                    Some(optimum) if !optimum.is_proved() && value["limits"].as_str() != Some(&self.limits) => {
                        return Ok(None);
                    }
                    Some(optimum) => problem.best_plan(jumps, optimum),
                    None => problem.plan(jumps),
                };
                plan.verify().map_err(|error| bad(&error.to_string()))?;
                Verdict::Plan(plan)
            }
            Some("no solution") => Verdict::NoPlan(value["reason"].as_str().map(str::to_owned)),
            Some("unknown") => {
                let all = [StopReason::Time, StopReason::Conflicts, StopReason::Memory];
                let reason = all.into_iter().find(|reason| value["reason"].as_str() == Some(&reason.to_string()));
                match reason {
                    Some(reason) if value["limits"].as_str() == Some(&self.limits) => Verdict::Unknown(reason),
                    _ => return Ok(None),
                }
            }
            _ => return Err(bad("a verdict is `solved`, `no solution` or `unknown`")),
        };
        let conflicts = value["conflicts"].as_u64().ok_or_else(|| bad("the number of conflicts is missing"))?;
        let seconds = value["seconds"].as_f64().and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
        let time = seconds.ok_or_else(|| bad("the number of seconds is missing"))?;
        Ok(Some(Row { start, verdict, conflicts, time, same_as: None }))
    }

    /// Appends a row. One that a user broke off is left out.
    pub(crate) fn append(&self, problem: &Problem, row: &Row, json: &Value) -> Result<(), Failure> {
        if matches!(row.verdict, Verdict::Unknown(StopReason::Terminated)) {
            return Ok(());
        }
        let mut fields = json.clone();
        fields["board"] = json!(problem.board.name());
        fields["limits"] = json!(self.limits);
        let fields = fields.to_string();
        let line = format!("{FIRST}{},{}\n", json!(fingerprint(problem)), fields.trim_start_matches('{'));
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        let written = file.write_all(line.as_bytes()).and_then(|()| file.sync_data());
        written.map_err(|error| Failure::io(&self.path, error))
    }
}

/// The rows of the file's whole lines, in order.
fn rows(path: &Path, text: &[u8]) -> Result<Vec<(Key, Value)>, Failure> {
    let mut rows = Vec::new();
    for (index, line) in text.split_inclusive(|&byte| byte == b'\n').enumerate() {
        let row = |value: Value| -> Option<(Key, Value)> {
            let start = usize::try_from(value["start"].as_u64()?).ok()?;
            Some(((value["peg-batch"].as_str()?.to_owned(), start), value))
        };
        let parsed = serde_json::from_slice(line).ok().and_then(row);
        rows.push(parsed.ok_or_else(|| foreign(path, index + 1))?);
    }
    Ok(rows)
}

/// What [`Resume::seconds`] tells.
fn seconds_of(rows: &[(Key, Value)]) -> HashMap<(String, Hole, Option<Hole>), f64> {
    let mut most: HashMap<_, f64> = HashMap::new();
    for ((_, start), value) in rows {
        let (Some(board), Some(seconds)) = (value["board"].as_str(), value["seconds"].as_f64()) else { continue };
        let finish = value["finish"].as_u64().and_then(|hole| usize::try_from(hole).ok());
        for finish in [finish, None] {
            let longest = most.entry((board.to_owned(), *start, finish)).or_default();
            *longest = longest.max(seconds);
        }
    }
    most
}

fn foreign(path: &Path, line: usize) -> Failure {
    Failure::Input(format!("{}:{line}:1: this is no row that `peg batch --resume` wrote", path.display()))
}

fn jump(value: &Value) -> Option<Jump> {
    let hole = |index: usize| usize::try_from(value.get(index)?.as_u64()?).ok();
    Some(Jump { from: hole(0)?, over: hole(1)?, to: hole(2)? })
}

/// What a row depends on besides its start, as a short text: FNV-1a (Fowler, Noll and Vo) twice over, with two offsets.
fn fingerprint(problem: &Problem) -> String {
    let mut jumps = problem.board.jumps();
    jumps.sort_unstable();
    let jumps: Vec<[Hole; 3]> = jumps.into_iter().map(Jump::holes).collect();
    let (clauses, optional) = (problem.clauses, problem.optional);
    let mut text =
        format!("{} {jumps:?} {:?} {clauses:?} {optional} {}", problem.board.holes(), problem.goal, problem.complement);
    if let Some(fewest) = problem.fewest {
        text += &format!(" fewest {}s", fewest.word());
    }
    let hash = |offset: u64| {
        text.bytes().fold(offset, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3))
    };
    format!("{:016x}{:016x}", hash(0xcbf2_9ce4_8422_2325), hash(0x9e37_79b9_7f4a_7c15))
}
