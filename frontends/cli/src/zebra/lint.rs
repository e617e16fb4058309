//! `putnam zebra lint`: a puzzle as it was understood, and what is wrong or superfluous in it.

use super::{puzzle, puzzle_arg};
use crate::failure::Failure;
use crate::output::Target;
use clap::{Arg, ArgAction, ArgMatches, Command};
use putnam_zebra::{Answer, Puzzle, Speaker, all_clashes, clash, redundant, solve, strict, unused_names, write_puzzle};
use std::fmt::Write as _;
use std::process::ExitCode;

/// The most clashes that are listed.
const MOST_CLASHES: usize = 100;

/// Name and arguments.
pub(crate) fn command() -> Command {
    Command::new("lint")
        .about("Shows every clue as it was understood; unused names, superfluous clues, clashes, and whether the puzzle is unique")
        .after_help("Exit codes: 10 exactly one solution, 20 none, 0 several; 1 bad input, 2 bad usage.")
        .arg(puzzle_arg())
        .arg(Arg::new("all-mus").long("all-mus").action(ArgAction::SetTrue).help("List all minimal clashes, not one"))
        .arg(
            Arg::new("canonical")
                .long("canonical")
                .action(ArgAction::SetTrue)
                .conflicts_with("strict")
                .help("Print the puzzle file in canonical words instead"),
        )
        .arg(Arg::new("strict").long("strict").action(ArgAction::SetTrue).help("Print the puzzle file in the strict form instead"))
}

/// Runs the command.
pub(crate) fn run(matches: &ArgMatches) -> Result<ExitCode, Failure> {
    let puzzle = puzzle(matches)?;
    if matches.get_flag("canonical") || matches.get_flag("strict") {
        Target::Stdout.write_text(&write_puzzle(&puzzle, matches.get_flag("strict")))?;
        return Ok(ExitCode::SUCCESS);
    }
    let speaker = Speaker::new(&puzzle);
    let mut text = String::new();
    for clue in &puzzle.clues {
        let formal = strict(&puzzle.categories, &clue.formula);
        let _ = writeln!(text, "{}. {}\n   {}\n   {formal}", clue.name, clue.text, speaker.sentence(&clue.formula));
    }
    let unused = unused_names(&puzzle);
    if !unused.is_empty() {
        let _ = writeln!(text, "named in no clue: {}", unused.join(", "));
    }
    let answer = solve(&puzzle, &mut putnam_zebra::engine());
    let code = match answer {
        Answer::None => {
            text += "no solution\n";
            clashes(&puzzle, matches.get_flag("all-mus"), &mut text);
            20
        }
        Answer::One(_) => {
            text += "exactly one solution\n";
            superfluous(&puzzle, &mut text);
            10
        }
        Answer::Many(_) => {
            text += "several solutions\n";
            superfluous(&puzzle, &mut text);
            0
        }
        Answer::Unknown(reason) => return Err(Failure::Input(format!("no answer: {reason}"))),
    };
    Target::Stdout.write_text(&text)?;
    Ok(ExitCode::from(code))
}

fn names(puzzle: &Puzzle, clues: &[usize]) -> String {
    clues.iter().map(|&clue| puzzle.clues[clue].name.as_str()).collect::<Vec<_>>().join(", ")
}

fn superfluous(puzzle: &Puzzle, text: &mut String) {
    for clue in redundant(puzzle) {
        let _ = writeln!(text, "clue {} follows from the others", puzzle.clues[clue].name);
    }
}

fn clashes(puzzle: &Puzzle, all: bool, text: &mut String) {
    let (found, complete) =
        if all { all_clashes(puzzle, MOST_CLASHES) } else { (clash(puzzle).into_iter().collect(), true) };
    for clues in &found {
        let _ = writeln!(text, "these clues clash, and none of them can be spared for that: {}", names(puzzle, clues));
    }
    if !complete {
        let _ = writeln!(text, "there are more than {MOST_CLASHES} such sets");
    }
}
