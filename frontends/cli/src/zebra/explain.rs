//! `putnam zebra explain`, `hint` and `rate`: how a person gets to the grid.

use super::{puzzle_arg, puzzle_to_explain, text};
use crate::failure::Failure;
use crate::output::{Target, refuse_to_overwrite};
use clap::{Arg, ArgAction, ArgMatches, Command};
use putnam_formats::open_text;
use putnam_zebra::{
    Explanation, Fact, Facts, Narrator, Puzzle, Refused, Speaker, Step, check_explanation, explain, explain_optimally,
    hint, html_page, rating, read_state,
};
use serde_json::{Value, json};
use std::io::Read as _;
use std::path::Path;
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
        .after_help(
            "A step uses one clue or one rule of the grid, and known facts. Where none helps, something is supposed and led to a \
             contradiction, if need be by suppositions inside of it. With --optimal a step may use several clues and rules \
             at once instead, and each is proved to be the cheapest: a clue costs 100, a rule of the grid 60, a known fact 1. That \
             takes seconds where a small puzzle cannot be solved clue by clue, and far longer for large ones.\n\n\
             Exit codes: 10 the steps fill the grid, 20 there is no solution, 0 several grids are possible; 1 bad input, 2 bad \
             usage, 3 an internal check failed.",
        )
        .arg(puzzle_arg())
        .arg(from_arg())
        .arg(json_arg())
        .arg(
            Arg::new("optimal")
                .long("optimal")
                .action(ArgAction::SetTrue)
                .help("Make each step the cheapest that is possible at its time"),
        )
        .arg(
            Arg::new("html")
                .long("html")
                .value_name("FILE")
                .conflicts_with("json")
                .help("Write a page with the grid that steps through the explanation, instead of printing it"),
        )
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
        .arg(json_arg().help("Print the rating as JSON"))
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
    steps(matches, Mode::All { optimal: matches.get_flag("optimal") })
}

/// Runs `hint`.
pub(crate) fn run_hint(matches: &ArgMatches) -> Result<ExitCode, Failure> {
    steps(matches, Mode::Next)
}

/// Which steps are wanted.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mode {
    /// All of them, each the cheapest or not.
    All { optimal: bool },
    /// The next one.
    Next,
}

/// Prints all steps, or the next one.
fn steps(matches: &ArgMatches, mode: Mode) -> Result<ExitCode, Failure> {
    let page = if mode == Mode::Next { None } else { matches.get_one::<String>("html").map(Path::new) };
    if let Some(path) = page {
        let from = matches.get_one::<String>("from").map(Path::new);
        let read: Vec<&Path> = [Path::new(text(matches, "input"))].into_iter().chain(from).collect();
        refuse_to_overwrite(&read, ("page", path))?;
    }
    let puzzle = puzzle_to_explain(matches)?;
    let given = state(matches, &puzzle)?;
    let found = match mode {
        Mode::All { optimal: false } => explain(&puzzle, &given),
        Mode::All { optimal: true } => explain_optimally(&puzzle, &given),
        Mode::Next => hint(&puzzle, &given),
    };
    let explanation = match found {
        Ok(explanation) => explanation,
        Err(Refused::Clash { clues, facts }) => return clash(&puzzle, &clues, &facts),
        Err(refused) => return Err(Failure::Input(format!("{}: {refused}", text(matches, "input")))),
    };
    check_explanation(&explanation).map_err(|unsound| Failure::Check(format!("zebra: {unsound}")))?;
    let optimal = mode == Mode::All { optimal: true };
    if let Some(path) = page {
        Target::new(Some(path)).write_text(&html_page(&puzzle, &explanation, optimal))?;
    } else if matches.get_flag("json") {
        Target::Stdout.write_text(&format!("{:#}\n", json(&puzzle, &explanation, optimal)))?;
    } else {
        Target::Stdout.write_text(&words(&puzzle, &explanation, mode))?;
    }
    let found = explanation.complete || mode == Mode::Next && !explanation.steps.is_empty();
    Ok(ExitCode::from(if found { 10 } else { 0 }))
}

/// The steps for programs.
fn json(puzzle: &Puzzle, explanation: &Explanation, optimal: bool) -> Value {
    let narrator = Narrator::new(puzzle, explanation);
    let step = |step: &Step| {
        let mut value = narrator.step_json(step);
        if optimal {
            value["cost"] = json!(step.cost());
        }
        value
    };
    json!({ "complete": explanation.complete, "steps": explanation.steps.iter().map(step).collect::<Vec<_>>() })
}

/// The steps in words.
fn words(puzzle: &Puzzle, explanation: &Explanation, mode: Mode) -> String {
    let mut output = Narrator::new(puzzle, explanation).all(explanation);
    if explanation.steps.is_empty() {
        output += "nothing more follows from the clues\n";
    } else if mode != Mode::Next && !explanation.complete {
        output += "nothing more follows: several grids are possible\n";
    }
    if mode == (Mode::All { optimal: true }) {
        let costs: Vec<u64> = explanation.steps.iter().map(Step::cost).collect();
        let (total, most) = (costs.iter().sum::<u64>(), costs.iter().max().unwrap_or(&0));
        output +=
            &format!("{} steps, each the cheapest at its time; they cost {total}, the dearest {most}\n", costs.len());
    }
    output
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
    let puzzle = puzzle_to_explain(matches)?;
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
        let rest = if explanation.complete { "" } else { "nothing more follows: several grids are possible\n" };
        format!(
            "{} (score {}): {} steps by a clue, {} by a rule of the grid, {} case analyses nested {} deep\n{rest}",
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
