//! `putnam peg boards`: the built-in boards, or one board with the numbers of its holes.

use crate::failure::Failure;
use crate::output::{Target, warn};
use clap::{Arg, ArgMatches, Command};
use putnam_peg::{BUILTINS, Board, Setup, load};
use std::fmt::Write;
use std::process::ExitCode;

/// Name and arguments.
pub(crate) fn command() -> Command {
    Command::new("boards")
        .about("Lists the built-in boards, or shows a board with the numbers of its holes")
        .arg(Arg::new("board").value_name("BOARD").help("A built-in board, a file, or - for standard input"))
}

/// Runs the command.
pub(crate) fn run(matches: &ArgMatches) -> Result<ExitCode, Failure> {
    let text = match matches.get_one::<String>("board") {
        None => list(),
        Some(input) => {
            let setup = load(input)?;
            warn(&setup.warnings);
            numbered(&setup)
        }
    };
    Target::Stdout.write_text(&text)?;
    Ok(ExitCode::SUCCESS)
}

fn list() -> String {
    let mut text = String::new();
    for builtin in BUILTINS {
        let Setup { board, start, .. } = builtin.setup();
        let _ = write!(text, "{}: {}, {}", builtin.name, builtin.about, size(&board));
        if !builtin.aliases.is_empty() {
            let _ = write!(text, " (also {})", builtin.aliases.join(", "));
        }
        text.push('\n');
        for line in board.draw(&start).lines() {
            let _ = writeln!(text, "    {line}");
        }
        if board.picture().is_none() {
            let _ = writeln!(text, "    in a row: {}", triples(&board));
        }
        text.push('\n');
    }
    text + "o is a peg, . the hole that is empty at the start. `putnam peg boards NAME` shows the numbers of the holes.\n"
}

/// The number of holes and of jumps in words.
fn size(board: &Board) -> String {
    let count = |number: usize, what: &str| format!("{number} {what}{}", if number == 1 { "" } else { "s" });
    format!("{}, {}", count(board.holes(), "hole"), count(board.jumps().len(), "jump"))
}

fn numbered(setup: &Setup) -> String {
    let board = &setup.board;
    let mut text = format!("{}: {}\n", board.name(), size(board));
    match board.picture() {
        Some(picture) => text += &picture.draw_words(|hole| hole.to_string()),
        None => {
            let _ = writeln!(text, "in a row: {}", triples(board));
        }
    }
    let empty: Vec<String> =
        (1..=board.holes()).filter(|&hole| !setup.start.has(hole)).map(|hole| hole.to_string()).collect();
    text + &format!("empty at the start: {}\n", empty.join(", "))
}

fn triples(board: &Board) -> String {
    board.triples().iter().map(|[a, b, c]| format!("{a}-{b}-{c}")).collect::<Vec<_>>().join(" ")
}
