//! `putnam peg batch`: every start of one or more boards in one run, or every start with every finish.

mod matrix;
mod progress;
mod runner;
mod table;

use crate::engines::{EngineArgs, LimitArgs};
use crate::failure::Failure;
use crate::frontend::{settings, with_problem};
use crate::output::{Target, refuse_same_files, refuse_to_overwrite, warn};
use crate::peg::resume::Resume;
use crate::signals::Watch;
use clap::{ArgMatches, Args, Command, FromArgMatches};
use matrix::Matrix;
use progress::Progress;
use putnam_peg::{Clauses, Hole, Peg, Problem, Row, Verdict, hole_list, load, same_starts};
use runner::{Run, Task, failed};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

/// The option of the front end that `--starts` replaces.
const REPLACED: &[&str] = &["start"];

/// What the command takes besides the board and its options.
#[derive(Args, Clone, Debug)]
struct BatchArgs {
    /// The holes that are empty at the start, one after the other: all, or numbers and ranges
    #[arg(long, value_name = "LIST", default_value = "all")]
    starts: String,
    /// Every start with every finish, printed as pictures of the board
    #[arg(long, value_name = "all", value_parser = ["all"], conflicts_with_all = ["finish", "fewest"])]
    finishes: Option<String>,
    /// Write the rows and plans as JSON to this file (- is standard output, in place of the table)
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Write the rows as comma-separated values to this file (- is standard output, in place of the table)
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
    /// How many problems are solved at the same time, at most one a processor; 0 takes all processors
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
        .about("Solves boards from every start, or every start with every finish, and prints a table")
        .after_help(
            "The limits hold for each problem. Every plan is replayed on the board before it counts as solved. A batch with \
             --resume FILE that was broken off, in whatever way, goes on where it was when it is started again, and begins with \
             those that took longest the last time. Problems that are the same are solved once: by symmetry of the board, and with \
             --finishes also because a plan can be read backwards, which exchanges start and finish.\n\n\
             Exit codes: 0 every problem was decided, 1 some were not or the input is bad, 2 bad usage, 3 an internal check \
             failed.\n\n\
             Examples:\n  putnam peg batch triangle-15\n  \
             putnam peg batch english-33 --starts 1,17,20-24 --time-limit 60 --csv table.csv\n  \
             putnam peg batch english european wiegleb --resume rows.jsonl\n  \
             putnam peg batch triangle-15 --finishes all\n  \
             putnam peg batch triangle:6 --fewest moves",
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
        let found = match args.finishes.is_some() {
            true => Found::Pairs(Matrix::solve(&run, problem, starts)?),
            false => Found::Starts(solve_starts(&run, problem, starts)?),
        };
        tables.push((problem, found, began.elapsed().as_secs_f64()));
    }
    watch.answer();
    write(&tables, targets)?;
    let decided = tables.iter().all(|(_, found, _)| match found {
        Found::Starts(rows) => !rows.iter().any(|row| matches!(row.verdict, Verdict::Unknown(_))),
        Found::Pairs(matrix) => matrix.is_decided(),
    });
    Ok(ExitCode::from(u8::from(!decided)))
}

/// What is known of a board's problems.
enum Found {
    Starts(Vec<Row>),
    Pairs(Matrix),
}

/// A board with what is known of it, and how many seconds it took.
type Table<'a> = (&'a Problem, Found, f64);

/// Prints what was asked for. With several boards each is named.
fn write(tables: &[Table<'_>], [json, csv]: [Option<Target>; 2]) -> Result<(), Failure> {
    let several = tables.len() > 1;
    if [&json, &csv].into_iter().flatten().all(|target| *target != Target::Stdout) {
        let text = tables.iter().map(|(problem, found, seconds)| {
            let name = if several { format!("{}\n", problem.board.name()) } else { String::new() };
            name + &match found {
                Found::Starts(rows) => table::table(rows, *seconds),
                Found::Pairs(matrix) => matrix.to_text(&problem.board, *seconds),
            }
        });
        Target::Stdout.write_text(&text.collect::<Vec<_>>().join("\n"))?;
    }
    if let Some(target) = json {
        let value = |(problem, found, _): &Table<'_>| match found {
            Found::Starts(rows) => table::to_json(problem, rows),
            Found::Pairs(matrix) => matrix.to_json(&problem.board),
        };
        let mut values: Vec<Value> = tables.iter().map(value).collect();
        let value = if several { Value::Array(values) } else { values.remove(0) };
        target.write_text(&(serde_json::to_string_pretty(&value).unwrap_or_default() + "\n"))?;
    }
    if let Some(target) = csv {
        let pairs = tables.iter().any(|(_, found, _)| matches!(found, Found::Pairs(_)));
        let board = if several { "board," } else { "" };
        let mut text = format!("{board}start,{}{}\n", if pairs { "finish," } else { "" }, table::COLUMNS);
        for (problem, found, _) in tables {
            let prefix = if several { table::quoted(problem.board.name()) + "," } else { String::new() };
            text += &match found {
                Found::Starts(rows) => table::to_csv(rows, &prefix),
                Found::Pairs(matrix) => matrix.to_csv(&prefix),
            };
        }
        target.write_text(&text)?;
    }
    Ok(())
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

/// The rows of a board, in the order of the starts whatever the threads.
fn solve_starts(run: &Run<'_>, problem: &Problem, starts: &[Hole]) -> Result<Vec<Row>, Failure> {
    // Starts that a symmetry of the board maps to each other are solved once, unless a user asks for certain clauses.
    let same = (problem.clauses == Clauses::Auto).then(|| same_starts(problem, starts));
    let first = |index: usize| same.as_ref().map_or(index, |same| same[index].0);
    let tasks: Vec<Task> = starts.iter().map(|&start| (problem.clone(), start)).collect();
    let progress = Progress::new(tasks.len());
    let rows = run.solve(&tasks, |index| first(index) != index, &progress).and_then(|solved| {
        let row = |index: usize| -> Result<Row, Failure> {
            let missing = || Failure::Check(format!("the row of start {} is missing", starts[index]));
            let row = solved[first(index)].as_ref().ok_or_else(missing)?;
            match &same {
                Some(same) if first(index) != index => row
                    .mapped(problem, starts[index], &same[index].1)
                    .inspect(|row| progress.count(&row.verdict))
                    .map_err(|error| failed(starts[index], error)),
                _ => Ok(row.clone()),
            }
        };
        (0..starts.len()).map(row).collect()
    });
    progress.clear();
    rows
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
