//! `putnam zebra generate`: a new puzzle.

use crate::failure::Failure;
use crate::output::Target;
use clap::{Arg, ArgMatches, Command, value_parser};
use putnam_zebra::{CLUE_KINDS, ClueKind, Wish, generate, write_puzzle};
use std::process::ExitCode;

/// Name and arguments.
pub(crate) fn command() -> Command {
    Command::new("generate")
        .about("Makes a puzzle with exactly one solution and no superfluous clue; the same seed makes the same puzzle")
        .arg(
            Arg::new("size")
                .long("size")
                .value_name("NxM")
                .default_value("5x5")
                .value_parser(size)
                .help("Houses, and categories besides them"),
        )
        .arg(
            Arg::new("kinds")
                .long("kinds")
                .value_name("KIND,…")
                .value_delimiter(',')
                .value_parser(CLUE_KINDS.map(|(_, name, _)| name))
                .help("Kinds of clues; all without this option"),
        )
        .arg(
            Arg::new("level")
                .long("level")
                .value_name("LEVEL")
                .value_parser(["easy", "moderate", "hard", "very hard"])
                .help("How hard it shall be, as `rate` says it"),
        )
        .arg(
            Arg::new("seed")
                .long("seed")
                .value_name("N")
                .default_value("0")
                .value_parser(value_parser!(u64))
                .help("Where the random numbers begin"),
        )
}

fn size(text: &str) -> Result<(usize, usize), String> {
    let parts = text.split_once('x').and_then(|(n, m)| Some((n.parse().ok()?, m.parse().ok()?)));
    parts.ok_or_else(|| "a size is written as 5x4: houses, and categories besides them".into())
}

/// Runs the command.
pub(crate) fn run(matches: &ArgMatches) -> Result<ExitCode, Failure> {
    let &(positions, categories) = matches.get_one::<(usize, usize)>("size").unwrap_or(&(5, 5));
    let names = matches.get_many::<String>("kinds").into_iter().flatten();
    let kinds: Vec<ClueKind> =
        names.filter_map(|name| CLUE_KINDS.iter().find(|(_, n, _)| n == name)).map(|(kind, ..)| *kind).collect();
    let level = matches.get_one::<String>("level").cloned();
    let seed = matches.get_one::<u64>("seed").copied().unwrap_or(0);
    let puzzle = generate(&Wish { positions, categories, kinds, level, seed })
        .map_err(|none| Failure::Input(none.to_string()))?;
    Target::Stdout.write_text(&write_puzzle(&puzzle, false))?;
    Ok(ExitCode::SUCCESS)
}
