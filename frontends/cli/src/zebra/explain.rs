//! `putnam zebra explain`, `hint` and `rate`: how a person gets to the grid.

use super::{puzzle, puzzle_arg, text};
use crate::failure::Failure;
use crate::output::Target;
use clap::{Arg, ArgAction, ArgMatches, Command};
use putnam_formats::open_text;
use putnam_zebra::{Fact, Facts, Puzzle, Refused, Speaker, check_explanation, explain, hint, rating, read_state};
use serde_json::json;
use std::io::Read as _;
use std::process::ExitCode;

fn from_arg() -> Arg {
    Arg::new("from")
        .long("from")
        .value_name("STATE")
        .help("A file of facts that are known already, one a line: `red = Englishman` or `red != Englishman`")
}

fn json_arg() -> Arg {
    Arg::new("json").long("json").action(ArgAction::SetTrue).help("Print the steps as JSON")
}

/// Name and arguments of `explain`.
pub(crate) fn command() -> Command {
    Command::new("explain")
        .about("Solves a puzzle in steps that a person can follow; each step is checked by a proof")
        .after_help("Exit codes: 10 the steps fill the grid, 20 there is no solution, 0 several grids are possible; 1 bad input, 2 bad usage.")
        .arg(puzzle_arg())
        .arg(from_arg())
        .arg(json_arg())
}

/// Name and arguments of `hint`.
pub(crate) fn hint_command() -> Command {
    Command::new("hint")
        .about("Gives the next step from a part-filled grid, or says why the grid is wrong already")
        .after_help(
            "Exit codes: 10 a step, 20 the grid is wrong already, 0 nothing more follows; 1 bad input, 2 bad usage.",
        )
        .arg(puzzle_arg())
        .arg(from_arg())
        .arg(json_arg())
}

/// Name and arguments of `rate`.
pub(crate) fn rate_command() -> Command {
    Command::new("rate")
        .about("Says how hard a puzzle is, by the steps that it needs")
        .arg(puzzle_arg())
        .arg(json_arg())
}

/// The facts of `--from`.
fn state(matches: &ArgMatches, puzzle: &Puzzle) -> Result<Vec<Fact>, Failure> {
    let Some(path) = matches.get_one::<String>("from") else { return Ok(Vec::new()) };
    let mut state = String::new();
    open_text(path)?.read_to_string(&mut state).map_err(|error| Failure::io(path, error))?;
    Ok(read_state(puzzle, &state, path)?)
}

/// Runs `explain`.
pub(crate) fn run(matches: &ArgMatches) -> Result<ExitCode, Failure> {
    steps(matches, false)
}

/// Runs `hint`.
pub(crate) fn run_hint(matches: &ArgMatches) -> Result<ExitCode, Failure> {
    steps(matches, true)
}

/// Prints all steps, or the next one.
fn steps(matches: &ArgMatches, next_only: bool) -> Result<ExitCode, Failure> {
    let puzzle = puzzle(matches)?;
    let given = state(matches, &puzzle)?;
    let explanation = match if next_only { hint(&puzzle, &given) } else { explain(&puzzle, &given) } {
        Ok(explanation) => explanation,
        Err(Refused::Clash { clues, facts }) => return clash(&puzzle, &clues, &facts),
        Err(refused) => return Err(Failure::Input(format!("{}: {refused}", text(matches, "input")))),
    };
    check_explanation(&explanation).map_err(|unsound| Failure::Check(format!("zebra: {unsound}")))?;
    let narrator = putnam_zebra::Narrator::new(&puzzle, &explanation);
    if matches.get_flag("json") {
        let steps: Vec<_> = explanation.steps.iter().map(|step| narrator.step_json(step)).collect();
        let value = json!({ "complete": explanation.complete, "steps": steps });
        Target::Stdout.write_text(&format!("{value:#}\n"))?;
    } else {
        let mut output = narrator.all(&explanation);
        if explanation.steps.is_empty() {
            output += "nothing more follows from the clues\n";
        } else if !next_only && !explanation.complete {
            output += "nothing more follows: several grids are possible\n";
        }
        Target::Stdout.write_text(&output)?;
    }
    let found = explanation.complete || next_only && !explanation.steps.is_empty();
    Ok(ExitCode::from(if found { 10 } else { 0 }))
}

fn clash(puzzle: &Puzzle, clues: &[usize], given: &[Fact]) -> Result<ExitCode, Failure> {
    let (facts, speaker) = (Facts::new(puzzle), Speaker::new(puzzle));
    let mut output = String::from("there is no solution: these exclude each other\n");
    for &fact in given {
        let (a, b) = facts.pair(fact.var().index());
        let is = if fact.is_positive() { "is" } else { "is not" };
        output += &format!("  given: {} {is} {}\n", speaker.name(a), speaker.name(b));
    }
    for clue in clues.iter().map(|&clue| &puzzle.clues[clue]) {
        output += &format!("  clue {}: {}\n", clue.name, clue.text);
    }
    Target::Stdout.write_text(&output)?;
    Ok(ExitCode::from(20))
}

/// Runs `rate`.
pub(crate) fn run_rate(matches: &ArgMatches) -> Result<ExitCode, Failure> {
    let puzzle = puzzle(matches)?;
    let explanation = match explain(&puzzle, &[]) {
        Ok(explanation) => explanation,
        Err(Refused::Clash { clues, facts }) => return clash(&puzzle, &clues, &facts),
        Err(refused) => return Err(Failure::Input(format!("{}: {refused}", text(matches, "input")))),
    };
    let rating = rating(&explanation);
    let output = if matches.get_flag("json") {
        let value = json!({
            "level": rating.level(), "score": rating.score, "steps_by_clue": rating.by_clue,
            "steps_by_rule": rating.by_rule, "cases": rating.cases, "depth": rating.depth, "complete": explanation.complete,
        });
        format!("{value:#}\n")
    } else {
        format!(
            "{} (score {}): {} steps by a clue, {} by a rule of the grid, {} case analyses nested {} deep\n",
            rating.level(),
            rating.score,
            rating.by_clue,
            rating.by_rule,
            rating.cases,
            rating.depth
        )
    };
    Target::Stdout.write_text(&output)?;
    Ok(ExitCode::SUCCESS)
}
