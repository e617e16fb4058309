//! `putnam zebra solutions`: all grids of a puzzle, or their number.

use super::{puzzle, puzzle_arg};
use crate::failure::Failure;
use crate::output::Target;
use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};
use putnam_zebra::{Solutions, answer_lines, table, to_json, verify};
use serde_json::json;
use std::process::ExitCode;

/// Name and arguments.
pub(crate) fn command() -> Command {
    Command::new("solutions")
        .about("Lists all solutions of a puzzle")
        .after_help("Exit codes: 10 there are solutions, 20 there is none; 1 bad input, 2 bad usage, 3 an internal check failed.")
        .arg(puzzle_arg())
        .arg(
            Arg::new("limit")
                .long("limit")
                .value_name("N")
                .default_value("100")
                .value_parser(value_parser!(u32).range(1..))
                .help("Stop after so many"),
        )
        .arg(Arg::new("json").long("json").action(ArgAction::SetTrue).help("Print them as JSON"))
}

/// Runs the command.
pub(crate) fn run(matches: &ArgMatches) -> Result<ExitCode, Failure> {
    let puzzle = puzzle(matches)?;
    let limit = matches.get_one::<u32>("limit").map_or(100, |&n| n as usize);
    let mut engine = putnam_zebra::engine();
    let mut grids = Vec::new();
    let mut more = false;
    for grid in Solutions::new(&puzzle, &mut engine) {
        let grid = grid.map_err(|reason| Failure::Input(format!("no answer: {reason}")))?;
        verify(&puzzle, &grid).map_err(|broken| Failure::Check(format!("zebra: {broken}")))?;
        if grids.len() == limit {
            more = true;
            break;
        }
        grids.push(grid);
    }
    if matches.get_flag("json") {
        let solutions: Vec<_> = grids.iter().map(|grid| to_json(&puzzle, grid)).collect();
        let value = json!({ "count": grids.len(), "all": !more, "solutions": solutions });
        Target::Stdout.write_text(&format!("{value:#}\n"))?;
    } else {
        let mut text = String::new();
        for (number, grid) in (1..).zip(&grids) {
            text += &format!("Solution {number}\n{}{}\n", table(&puzzle, grid, None), answer_lines(&puzzle, grid));
        }
        text += &match (grids.len(), more) {
            (0, _) => "No grid satisfies all clues.\n".into(),
            (1, false) => "This is the only solution.\n".into(),
            (count, false) => format!("{count} solutions.\n"),
            (count, true) => format!("More than {count} solutions.\n"),
        };
        Target::Stdout.write_text(&text)?;
    }
    Ok(ExitCode::from(if grids.is_empty() { 20 } else { 10 }))
}
