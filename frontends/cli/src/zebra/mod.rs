//! What zebra puzzles have besides encode, solve and decode.

mod deduce;
mod explain;
mod generate;
mod lint;

use crate::failure::Failure;
use crate::output::warn;
use crate::registry::Extra;
use clap::{Arg, ArgMatches};
use putnam_api::Frontend as _;
use putnam_zebra::{Puzzle, Zebra};

/// Examples for the help text.
pub(crate) const EXAMPLES: &str = "\
Examples:
  putnam zebra solve zebra
  putnam zebra solve frontends/zebra/puzzles/zebra.txt --show json
  putnam zebra solve my-puzzle.txt --all --limit 10
  putnam zebra lint my-puzzle.txt
  putnam zebra explain zebra
  putnam zebra deduce axioms-corrected --prover unit --cases splits
  putnam zebra generate --size 5x4 --seed 7 > new.txt
  putnam zebra encode zebra --output clauses.txt
  putnam solve clauses.txt --output answer.txt
  putnam zebra decode zebra answer.txt";

/// The commands.
pub(crate) const EXTRAS: &[Extra] = &[
    Extra { command: lint::command, run: lint::run },
    Extra { command: explain::command, run: explain::run },
    Extra { command: explain::hint_command, run: explain::run_hint },
    Extra { command: explain::rate_command, run: explain::run_rate },
    Extra { command: deduce::command, run: deduce::run },
    Extra { command: generate::command, run: generate::run },
];

/// The argument that names the puzzle.
fn puzzle_arg() -> Arg {
    let (name, help) = Zebra.input();
    Arg::new("input").value_name(name).required(true).value_parser(crate::values::input()).help(help)
}

/// The puzzle; what its author should know goes to standard error.
fn puzzle(matches: &ArgMatches) -> Result<Puzzle, Failure> {
    let puzzle = Zebra::puzzle(text(matches, "input"))?;
    warn_of(&puzzle);
    Ok(puzzle)
}

fn puzzle_to_explain(matches: &ArgMatches) -> Result<Puzzle, Failure> {
    let puzzle = Zebra::puzzle_to_explain(text(matches, "input"))?;
    warn_of(&puzzle);
    Ok(puzzle)
}

fn warn_of(puzzle: &Puzzle) {
    let lines = |clue: &putnam_zebra::Clue| {
        clue.warnings.iter().map(|warning| format!("clue {}: {warning}", clue.name)).collect::<Vec<_>>()
    };
    warn(puzzle.clues.iter().flat_map(lines).collect::<Vec<_>>());
}

fn text<'a>(matches: &'a ArgMatches, name: &str) -> &'a str {
    matches.get_one::<String>(name).map_or("", String::as_str)
}
