//! `putnam peg batch`: every start of one or more boards in one run.

use crate::engines::{EngineArgs, LimitArgs};
use crate::failure::Failure;
use crate::frontend::{settings, with_problem};
use crate::output::{Target, refuse_same_files, refuse_to_overwrite, warn};
use crate::peg::resume::Resume;
use crate::signals::Watch;
use clap::{ArgMatches, Args, Command, FromArgMatches};
use indicatif::{ProgressBar, ProgressStyle};
use putnam_formula::Limits;
use putnam_peg::{Clauses, Hole, Peg, Problem, Row, Verdict, hole_list, load, same_starts, solve_start};
use rayon::prelude::*;
use serde_json::{Value, json};
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

/// The options of the front end that `--starts` replaces, and those of one problem alone.
const REPLACED: &[&str] = &["start", "fewest"];

/// What the command takes besides the board and its options.
#[derive(Args, Clone, Debug)]
struct BatchArgs {
    /// The holes that are empty at the start, one after the other: all, or numbers and ranges
    #[arg(long, value_name = "LIST", default_value = "all")]
    starts: String,
    /// Write the rows and plans as JSON to this file (- is standard output, in place of the table)
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Write the rows as comma-separated values to this file (- is standard output, in place of the table)
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
    /// How many starts are solved at the same time, at most one a processor; 0 takes all processors
    #[arg(long, value_name = "N", default_value_t = 0)]
    threads: usize,
    /// Append every row to this file as soon as it is known, and take the rows that are there already from it
    #[arg(long, value_name = "FILE")]
    resume: Option<PathBuf>,
    #[command(flatten)]
    engine: EngineArgs,
    #[command(flatten)]
    limits: LimitArgs,
}

/// Name and arguments.
pub(crate) fn command() -> Command {
    // The help texts come last: the derived arguments bring their own.
    let command = with_problem(Command::new("batch"), &Peg, REPLACED).mut_arg("input", |arg| arg.num_args(1..));
    BatchArgs::augment_args(command)
        .about("Solves boards from every start, and prints a table")
        .after_help(
            "The limits hold for each start. Every plan is replayed on the board before it counts as solved. A batch with \
             --resume FILE that was broken off, in whatever way, goes on where it was when it is started again.\n\n\
             Exit codes: 0 every start was decided, 1 some were not or the input is bad, 2 bad usage, 3 an internal check \
             failed.\n\n\
             Examples:\n  putnam peg batch triangle-15\n  \
             putnam peg batch english-33 --starts 1,17,20-24 --time-limit 60 --csv table.csv\n  \
             putnam peg batch english european wiegleb --resume rows.jsonl",
        )
}

/// Runs the command.
pub(crate) fn run(matches: &ArgMatches) -> Result<ExitCode, Failure> {
    let args = BatchArgs::from_arg_matches(matches).map_err(|error| Failure::Usage(error.to_string()))?;
    args.engine.make()?;
    let targets = targets(&args, matches)?;
    let settings = settings(&Peg, matches, REPLACED);
    let mut boards = Vec::new();
    for input in matches.get_many::<String>("input").unwrap_or_default() {
        let problem = Problem::from_setup(load(input)?, &settings)?;
        warn(&problem.warnings);
        let starts = starts(&args.starts, problem.board.holes())?;
        boards.push((problem, starts));
    }
    let resume = args.resume.as_deref().map(|path| Resume::open(path, &args.engine, &args.limits)).transpose()?;
    let watch = Watch::start(None, |_| {}).map_err(|error| Failure::io("signal handler", error))?;
    let run = Run { args: &args, resume: resume.as_ref(), terminate: watch.search() };
    let mut tables = Vec::new();
    for (problem, starts) in &boards {
        let began = Instant::now();
        let rows = run.solve_all(problem, starts)?;
        tables.push((problem, rows, began.elapsed().as_secs_f64()));
    }
    watch.answer();
    write(&tables, targets)?;
    let unknown = |row: &Row| matches!(row.verdict, Verdict::Unknown(_));
    let undecided = tables.iter().any(|(_, rows, _)| rows.iter().any(unknown));
    Ok(ExitCode::from(u8::from(undecided)))
}

/// A board with its rows, and how many seconds they took.
type Table<'a> = (&'a Problem, Vec<Row>, f64);

/// Prints what was asked for. With several boards each is named.
fn write(tables: &[Table<'_>], [json, csv]: [Option<Target>; 2]) -> Result<(), Failure> {
    let several = tables.len() > 1;
    if [&json, &csv].into_iter().flatten().all(|target| *target != Target::Stdout) {
        let text = tables.iter().map(|(problem, rows, seconds)| {
            let name = if several { format!("{}\n", problem.board.name()) } else { String::new() };
            name + &table(rows, *seconds)
        });
        Target::Stdout.write_text(&text.collect::<Vec<_>>().join("\n"))?;
    }
    if let Some(target) = json {
        let mut values: Vec<Value> = tables.iter().map(|(problem, rows, _)| to_json(problem, rows)).collect();
        let value = if several { Value::Array(values) } else { values.remove(0) };
        target.write_text(&(serde_json::to_string_pretty(&value).unwrap_or_default() + "\n"))?;
    }
    if let Some(target) = csv {
        let mut text = if several { String::from("board,") } else { String::new() };
        text += "start,verdict,jumps,conflicts,seconds\n";
        for (problem, rows, _) in tables {
            let name = if several { quoted(problem.board.name()) + "," } else { String::new() };
            text += &to_csv(rows, &name);
        }
        target.write_text(&text)?;
    }
    Ok(())
}

/// A field of comma-separated values (RFC 4180).
fn quoted(field: &str) -> String {
    if field.contains([',', '"', '\n', '\r']) {
        return format!("\"{}\"", field.replace('"', "\"\""));
    }
    field.to_owned()
}

/// Where JSON and CSV go.
fn targets(args: &BatchArgs, matches: &ArgMatches) -> Result<[Option<Target>; 2], Failure> {
    let paths = [("JSON output", args.json.as_deref()), ("CSV output", args.csv.as_deref())];
    let resume = args.resume.as_deref().map(|path| ("file of rows", path));
    let named: Vec<(&str, &Path)> = paths.iter().filter_map(|&(what, path)| Some((what, path?))).collect();
    if named.iter().filter(|(_, path)| *path == Path::new("-")).count() > 1 {
        return Err(Failure::Usage("only one of --json and --csv can go to standard output".into()));
    }
    let written: Vec<(&str, &Path)> = named.into_iter().chain(resume).collect();
    let boards: Vec<&Path> = matches.get_many::<String>("input").unwrap_or_default().map(Path::new).collect();
    written.iter().try_for_each(|&output| refuse_to_overwrite(&boards, output))?;
    refuse_same_files(&written)?;
    let targets = paths.map(|(_, path)| path.map(|path| Target::new(Some(path))));
    targets.iter().flatten().try_for_each(Target::probe)?;
    Ok(targets)
}

/// The starts that a list such as `all` or `1,3-5` means, ascending.
fn starts(list: &str, holes: Hole) -> Result<Vec<Hole>, Failure> {
    if list.trim() == "all" {
        return Ok((1..=holes).collect());
    }
    Ok(hole_list("--starts", list, holes)?)
}

/// What the problems of a batch have in common.
struct Run<'a> {
    args: &'a BatchArgs,
    resume: Option<&'a Resume>,
    terminate: Arc<AtomicBool>,
}

impl Run<'_> {
    /// The rows in the order of the starts, whatever the threads.
    fn solve_all(&self, problem: &Problem, starts: &[Hole]) -> Result<Vec<Row>, Failure> {
        // Nothing is drawn when standard error is no terminal.
        let bar = ProgressBar::new(starts.len() as u64);
        if let Ok(style) = ProgressStyle::with_template("[{elapsed}] {bar:40} {pos}/{len} starts") {
            bar.set_style(style);
        }
        // Starts that a symmetry of the board maps to each other are solved once, unless a user asks for certain clauses.
        let same = match problem.clauses {
            Clauses::Auto => Some(same_starts(problem, starts)),
            _ => None,
        };
        let is_same = |index: usize| same.as_ref().is_some_and(|same| same[index].0 != index);
        let solved: Result<Vec<Option<Row>>, Failure> = self.pool(starts.len())?.install(|| {
            let each = (0..starts.len()).into_par_iter();
            each.map(|index| {
                if is_same(index) {
                    return Ok(None);
                }
                let row = self.row(problem, starts[index])?;
                bar.inc(1);
                Ok(Some(row))
            })
            .collect()
        });
        let rows = solved.and_then(|solved| {
            let row = |index: usize| match (&solved[index], &same) {
                (Some(row), _) => Ok(row.clone()),
                (None, Some(same)) => {
                    let (first, symmetry) = &same[index];
                    let first = solved[*first].as_ref().ok_or_else(|| Failure::Check("a start is missing".into()))?;
                    bar.inc(1);
                    first.mapped(problem, starts[index], symmetry).map_err(|error| failed(starts[index], error))
                }
                (None, None) => Err(Failure::Check("a start is missing".into())),
            };
            (0..starts.len()).map(row).collect()
        });
        bar.finish_and_clear();
        rows
    }

    /// The row of one start, which is not solved again when it is known.
    fn row(&self, problem: &Problem, start: Hole) -> Result<Row, Failure> {
        if let Some(row) = self.resume.map(|resume| resume.row(problem, start)).transpose()?.flatten() {
            return Ok(row);
        }
        let mut engine = self.args.engine.make()?;
        let deadline = self.args.limits.time_limit.and_then(|limit| Instant::now().checked_add(limit));
        let terminate = Some(Arc::clone(&self.terminate));
        let limits = Limits { deadline, terminate, ..self.args.limits.counted() };
        let row = solve_start(problem, start, &mut *engine, &limits).map_err(|error| failed(start, error))?;
        if let Some(resume) = self.resume {
            resume.append(problem, &row, &row_json(&row))?;
        }
        Ok(row)
    }

    /// As many threads as are useful: each is busy all the time.
    fn pool(&self, starts: usize) -> Result<rayon::ThreadPool, Failure> {
        let processors = std::thread::available_parallelism().map_or(1, usize::from);
        let wanted = if self.args.threads == 0 { processors } else { self.args.threads };
        let pool = rayon::ThreadPoolBuilder::new().num_threads(wanted.min(processors).min(starts).max(1)).build();
        pool.map_err(|error| Failure::Usage(format!("--threads {}: {error}", self.args.threads)))
    }
}

fn failed(start: Hole, error: putnam_api::Error) -> Failure {
    Failure::Check(format!("start {start}: {error}"))
}

fn table(rows: &[Row], seconds: f64) -> String {
    let mut text = format!("{:>5}  {:<11}  {:>5}  {:>9}  {:>7}\n", "start", "verdict", "jumps", "conflicts", "seconds");
    for row in rows {
        let jumps = row.jumps().map_or_else(|| "-".into(), |jumps| jumps.to_string());
        let _ = write!(
            text,
            "{:>5}  {:<11}  {jumps:>5}  {:>9}  {:>7.2}",
            row.start,
            row.verdict_word(),
            row.conflicts,
            row.time.as_secs_f64()
        );
        match &row.verdict {
            Verdict::NoPlan(Some(reason)) => text += &format!("  {reason}"),
            Verdict::Unknown(reason) => text += &format!("  {reason}"),
            Verdict::Plan(_) | Verdict::NoPlan(None) => {}
        }
        if let Some(other) = row.same_as {
            text += &format!("  by symmetry from {other}");
        }
        text.push('\n');
    }
    let count = |wanted: fn(&Verdict) -> bool| rows.iter().filter(|row| wanted(&row.verdict)).count();
    let _ = writeln!(
        text,
        "{} starts: {} solved, {} without solution, {} unknown; {seconds:.2} seconds",
        rows.len(),
        count(|verdict| matches!(verdict, Verdict::Plan(_))),
        count(|verdict| matches!(verdict, Verdict::NoPlan(_))),
        count(|verdict| matches!(verdict, Verdict::Unknown(_))),
    );
    text
}

fn rounded(row: &Row) -> f64 {
    (row.time.as_secs_f64() * 1000.0).round() / 1000.0
}

fn row_json(row: &Row) -> Value {
    let (plan, reason) = match &row.verdict {
        Verdict::Plan(plan) => (json!(plan.jumps.iter().map(|jump| jump.holes()).collect::<Vec<_>>()), None),
        Verdict::NoPlan(reason) => (Value::Null, reason.clone()),
        Verdict::Unknown(reason) => (Value::Null, Some(reason.to_string())),
    };
    json!({
        "start": row.start,
        "verdict": row.verdict_word(),
        "jumps": row.jumps(),
        "conflicts": row.conflicts,
        "seconds": rounded(row),
        "reason": reason,
        "same_as": row.same_as,
        "plan": plan,
    })
}

fn to_json(problem: &Problem, rows: &[Row]) -> Value {
    let (name, holes) = (problem.board.name(), problem.board.holes());
    json!({ "board": name, "holes": holes, "starts": rows.iter().map(row_json).collect::<Vec<_>>() })
}

/// The lines of the rows, each after `prefix`.
fn to_csv(rows: &[Row], prefix: &str) -> String {
    let mut text = String::new();
    for row in rows {
        let jumps = row.jumps().map_or_else(String::new, |jumps| jumps.to_string());
        let _ =
            writeln!(text, "{prefix}{},{},{jumps},{},{}", row.start, row.verdict_word(), row.conflicts, rounded(row));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_of_starts_are_read() {
        assert_eq!(starts("all", 3).unwrap(), [1, 2, 3]);
        assert_eq!(starts("5, 1,3-4,4", 6).unwrap(), [1, 3, 4, 5]);
        for bad in ["", "0", "7", "x", "3-", "4-3", "1,,2", "-1"] {
            assert!(starts(bad, 6).is_err(), "{bad}");
        }
    }
}
