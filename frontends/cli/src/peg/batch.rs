//! `putnam peg batch`: every start of a board in one run.

use crate::engines::{EngineArgs, LimitArgs};
use crate::failure::Failure;
use crate::frontend::{settings, with_problem};
use crate::output::{Target, refuse_same_files, warn};
use crate::signals::Watch;
use clap::{ArgMatches, Args, Command, FromArgMatches};
use indicatif::{ProgressBar, ProgressStyle};
use putnam_formula::Limits;
use putnam_peg::{Clauses, Hole, Peg, Problem, Row, Verdict, load, same_starts, solve_start};
use rayon::prelude::*;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Instant;

/// The option of the front end that `--starts` replaces.
const REPLACED: &[&str] = &["start"];

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
    /// How many starts are solved at the same time; 0 takes all processors
    #[arg(long, value_name = "N", default_value_t = 0)]
    threads: usize,
    #[command(flatten)]
    engine: EngineArgs,
    #[command(flatten)]
    limits: LimitArgs,
}

/// Name and arguments.
pub(crate) fn command() -> Command {
    // The help texts come last: the derived arguments bring their own.
    BatchArgs::augment_args(with_problem(Command::new("batch"), &Peg, REPLACED))
        .about("Solves the board from every start, and prints a table")
        .after_help(
            "The limits hold for each start. Every plan is replayed on the board before it counts as solved.\n\n\
             Exit codes: 0 every start was decided, 1 some were not or the input is bad, 2 bad usage, 3 an internal check \
             failed.\n\n\
             Examples:\n  putnam peg batch triangle-15\n  \
             putnam peg batch english-33 --starts 1,17,20-24 --time-limit 60 --csv table.csv",
        )
}

/// Runs the command.
pub(crate) fn run(matches: &ArgMatches) -> Result<ExitCode, Failure> {
    let args = BatchArgs::from_arg_matches(matches).map_err(|error| Failure::Usage(error.to_string()))?;
    args.engine.make()?;
    let targets = targets(&args)?;
    let input = matches.get_one::<String>("input").map_or("", String::as_str);
    let problem = Problem::from_setup(load(input)?, &settings(&Peg, matches, REPLACED))?;
    warn(&problem.warnings);
    let starts = starts(&args.starts, problem.board.holes())?;
    let began = Instant::now();
    let rows = solve_all(&problem, &starts, &args)?;
    let seconds = began.elapsed().as_secs_f64();
    if targets.iter().flatten().all(|target| *target != Target::Stdout) {
        Target::Stdout.write_text(&table(&rows, seconds))?;
    }
    let [json, csv] = targets;
    if let Some(target) = json {
        target.write_text(&(serde_json::to_string_pretty(&to_json(&problem, &rows)).unwrap_or_default() + "\n"))?;
    }
    if let Some(target) = csv {
        target.write_text(&to_csv(&rows))?;
    }
    let undecided = rows.iter().any(|row| matches!(row.verdict, Verdict::Unknown(_)));
    Ok(ExitCode::from(u8::from(undecided)))
}

/// Where JSON and CSV go.
fn targets(args: &BatchArgs) -> Result<[Option<Target>; 2], Failure> {
    let paths = [("JSON output", args.json.as_deref()), ("CSV output", args.csv.as_deref())];
    let named: Vec<(&str, &Path)> = paths.iter().filter_map(|&(what, path)| Some((what, path?))).collect();
    if named.iter().filter(|(_, path)| *path == Path::new("-")).count() > 1 {
        return Err(Failure::Usage("only one of --json and --csv can go to standard output".into()));
    }
    refuse_same_files(&named)?;
    let targets = paths.map(|(_, path)| path.map(|path| Target::new(Some(path))));
    targets.iter().flatten().try_for_each(Target::probe)?;
    Ok(targets)
}

/// The starts that a list such as `all` or `1,3-5` means, ascending.
fn starts(list: &str, holes: Hole) -> Result<Vec<Hole>, Failure> {
    if list.trim() == "all" {
        return Ok((1..=holes).collect());
    }
    let mut starts = BTreeSet::new();
    for item in list.split(',') {
        let hole = |text: &str| match text.trim().parse::<Hole>() {
            Ok(hole) if (1..=holes).contains(&hole) => Ok(hole),
            Ok(hole) => Err(Failure::Input(format!("--starts {list}: there is no hole {hole}; they are 1 to {holes}"))),
            Err(_) => Err(Failure::Usage(format!("--starts {list}: write `all`, or numbers and ranges such as 1,3-5"))),
        };
        let (first, last) = item.split_once('-').unwrap_or((item, item));
        let (first, last) = (hole(first)?, hole(last)?);
        if first > last {
            return Err(Failure::Usage(format!("--starts {list}: the range {first}-{last} is empty")));
        }
        starts.extend(first..=last);
    }
    Ok(starts.into_iter().collect())
}

/// The rows in the order of the starts, whatever the threads.
fn solve_all(problem: &Problem, starts: &[Hole], args: &BatchArgs) -> Result<Vec<Row>, Failure> {
    let watch = Watch::start(None, |_| {}).map_err(|error| Failure::io("signal handler", error))?;
    let terminate = watch.search();
    // Nothing is drawn when standard error is no terminal.
    let bar = ProgressBar::new(starts.len() as u64);
    if let Ok(style) = ProgressStyle::with_template("[{elapsed}] {bar:40} {pos}/{len} starts") {
        bar.set_style(style);
    }
    let pool = rayon::ThreadPoolBuilder::new().num_threads(args.threads.min(starts.len())).build();
    let pool = pool.map_err(|error| Failure::Usage(format!("--threads {}: {error}", args.threads)))?;
    // Starts that a symmetry of the board maps to each other are solved once, unless a user asks for certain clauses.
    let same = match problem.clauses {
        Clauses::Auto => Some(same_starts(problem, starts)),
        _ => None,
    };
    let is_same = |index: usize| same.as_ref().is_some_and(|same| same[index].0 != index);
    let solve = |index: usize| -> Result<Row, Failure> {
        let mut engine = args.engine.make()?;
        let deadline = args.limits.time_limit.and_then(|limit| Instant::now().checked_add(limit));
        let limits = Limits { deadline, terminate: Some(Arc::clone(&terminate)), ..args.limits.counted() };
        let row = solve_start(problem, starts[index], &mut *engine, &limits);
        bar.inc(1);
        row.map_err(|error| failed(starts[index], error))
    };
    let solved: Result<Vec<Option<Row>>, Failure> = pool.install(|| {
        let each = (0..starts.len()).into_par_iter();
        each.map(|index| if is_same(index) { Ok(None) } else { solve(index).map(Some) }).collect()
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
    watch.answer();
    rows
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

fn to_json(problem: &Problem, rows: &[Row]) -> Value {
    let row = |row: &Row| {
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
    };
    json!({ "board": problem.board.name(), "holes": problem.board.holes(), "starts": rows.iter().map(row).collect::<Vec<_>>() })
}

fn to_csv(rows: &[Row]) -> String {
    let mut text = String::from("start,verdict,jumps,conflicts,seconds\n");
    for row in rows {
        let jumps = row.jumps().map_or_else(String::new, |jumps| jumps.to_string());
        let _ = writeln!(text, "{},{},{jumps},{},{}", row.start, row.verdict_word(), row.conflicts, rounded(row));
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
