//! `putnam peg count`: the number of jump sequences that solve a problem.

use crate::failure::Failure;
use crate::frontend::{settings, with_problem};
use crate::output::{Target, warn};
use clap::{Arg, ArgAction, ArgMatches, Command};
use putnam_peg::{Peg, Position, Problem, SEARCH_HOLES, Search, load};
use std::fmt::Write;
use std::process::ExitCode;

/// The options of the front end that mean nothing here: no clauses are written.
const WITHOUT: &[&str] = &["no-optional", "encoding", "steps", "fewest"];

/// Name and arguments.
pub(crate) fn command() -> Command {
    let command = Command::new("count")
        .about("Counts the jump sequences that solve the problem, by search with a table of positions")
        .after_help(
            "Two sequences differ when they differ in any jump or in the order of the jumps. The table of positions is held in memory: \
             boards of up to about 25 holes are counted in seconds.\n\n\
             Examples:\n  putnam peg count triangle-15 --all-starts\n  putnam peg count triangle:6 --start 1",
        );
    with_problem(command, &Peg, WITHOUT).arg(
        Arg::new("all-starts")
            .long("all-starts")
            .action(ArgAction::SetTrue)
            .conflicts_with("start")
            .help("Count from every hole that can be empty at the start, and in all"),
    )
}

/// Runs the command.
pub(crate) fn run(matches: &ArgMatches) -> Result<ExitCode, Failure> {
    let input = matches.get_one::<String>("input").map_or("", String::as_str);
    let problem = Problem::from_setup(load(input)?, &settings(&Peg, matches, WITHOUT))?;
    warn(&problem.warnings);
    if problem.goal.is_open() {
        let message = "what is counted leaves a number of pegs that you say: --finish count:N or dead-end:N";
        return Err(Failure::Input(format!("--finish: {message}")));
    }
    let holes = problem.board.holes();
    let too_many = || Failure::Input(format!("{input}: the search takes boards of at most {SEARCH_HOLES} holes"));
    if problem.complement && matches.get_flag("all-starts") {
        return Err(Failure::Usage("--finish same means another goal for each start: count them one by one".into()));
    }
    let mut search = Search::new(&problem.board, problem.goal.clone()).ok_or_else(too_many)?;
    let mut count = |start: &Position| {
        let overflow = || Failure::Input(format!("{input}: the number of sequences does not fit 128 bits"));
        search.count(start).ok_or_else(overflow)
    };
    let mut text = String::new();
    if matches.get_flag("all-starts") {
        let mut sum = 0u128;
        for start in 1..=holes {
            let sequences = count(&Position::vacancy(holes, start))?;
            sum = sum.saturating_add(sequences);
            let _ = writeln!(text, "{start:>5}  {sequences}");
        }
        let _ = writeln!(text, "  all  {sum}");
    } else {
        let _ = writeln!(text, "{}", count(&problem.start)?);
    }
    Target::Stdout.write_text(&text)?;
    Ok(ExitCode::SUCCESS)
}
