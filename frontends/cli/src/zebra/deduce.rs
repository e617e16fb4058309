//! `putnam zebra deduce`: the procedure of the 1970s, traced.

use super::{puzzle, puzzle_arg, text};
use crate::failure::Failure;
use crate::output::Target;
use clap::{Arg, ArgAction, ArgMatches, Command};
use putnam_zebra::{Edges, Extra, Method, Prover, Puzzle, Term, USES, count_grids, deduce};
use std::process::ExitCode;

/// Name and arguments.
pub(crate) fn command() -> Command {
    Command::new("deduce")
        .about("Solves a puzzle as a program of the 1970s would: a prover is asked for every fact, a caller adds what follows from it")
        .after_help(
            "The caller's rules, for a property P of a class at a house x:\n\
             \x20 R1 P(x): P is at no other house      R2 P(x): no other property of the class is at x\n\
             \x20 R3 P is excluded at all houses but one: it is there\n\
             \x20 R4 all properties of a class but one are excluded at x: that one is there\n\
             \x20 R5 all but two are: one of the two   R6 P is excluded at all houses but two: one of the two\n\n\
             The sign for 'not' is }, as in }milk(1).",
        )
        .arg(puzzle_arg())
        .arg(
            Arg::new("rules")
                .long("rules")
                .value_name("R1,R2,…")
                .value_delimiter(',')
                .default_value("R1,R2,R3,R4,R5")
                .value_parser(USES.map(|(name, _)| name))
                .help("What the caller does"),
        )
        .arg(
            Arg::new("prover")
                .long("prover")
                .default_value("complete")
                .value_parser(["unit", "complete"])
                .help("Unit propagation, or everything that follows"),
        )
        .arg(
            Arg::new("with")
                .long("with")
                .value_name("CLAUSES,…")
                .value_delimiter(',')
                .value_parser(["exclusion", "exclusion-in-house", "existence", "neighbours"])
                .help(
                    "Clauses that the prover has besides the clues: that two properties of a class exclude each other (everywhere, \
                     or in each house only), that each property is somewhere, that 'next to' has a neighbour",
                ),
        )
        .arg(
            Arg::new("edges")
                .long("edges")
                .default_value("both")
                .value_parser(["both", "left", "right", "none"])
                .help("Which ends of the row 'immediately right of' speaks of; the document's axioms as printed have none"),
        )
        .arg(Arg::new("quiet").long("quiet").short('q').action(ArgAction::SetTrue).help("Print the summary only"))
}

fn method(matches: &ArgMatches) -> Method {
    let given =
        |option: &str, word: &str| matches.get_many::<String>(option).into_iter().flatten().any(|value| value == word);
    let edges = text(matches, "edges");
    let exclusion = given("with", "exclusion");
    Method {
        uses: USES.iter().filter(|(name, _)| given("rules", name)).map(|(_, rule)| *rule).collect(),
        prover: if text(matches, "prover") == "unit" { Prover::Unit } else { Prover::Complete },
        extra: Extra {
            exclude_in_house: exclusion || given("with", "exclusion-in-house"),
            exclude_of_property: exclusion,
            at_least_one: given("with", "existence"),
            neighbours_exist: given("with", "neighbours"),
        },
        edges: Edges { left: edges == "both" || edges == "left", right: edges == "both" || edges == "right" },
    }
}

/// Runs the command.
pub(crate) fn run(matches: &ArgMatches) -> Result<ExitCode, Failure> {
    let puzzle = puzzle(matches)?;
    let method = method(matches);
    let found =
        deduce(&puzzle, &method).map_err(|none| Failure::Input(format!("{}: {none}", text(matches, "input"))))?;
    let mut output = if matches.get_flag("quiet") { String::new() } else { found.trace.clone() };
    output += &format!(
        "{} positive facts, {} of {} atoms, {} rounds, {} calls of the prover\n",
        found.positive.len(),
        found.units,
        found.atoms,
        found.rounds,
        found.calls
    );
    for question in &puzzle.questions {
        output += &format!("{} {}\n", question.text, answer(&puzzle, &found.positive, question.category, question.of));
    }
    if !(method.edges.left && method.edges.right) {
        output += &edges(&puzzle, method.edges);
    }
    Target::Stdout.write_text(&output)?;
    Ok(ExitCode::SUCCESS)
}

/// The value that is known to be where the term is.
fn answer(puzzle: &Puzzle, positive: &[(Term, usize)], category: usize, of: Term) -> String {
    let base = puzzle.base();
    let place = if of.category == base {
        Some(of.value)
    } else {
        positive.iter().find(|(term, _)| *term == of).map(|&(_, place)| place)
    };
    let Some(place) = place else { return "not established".into() };
    if category == base {
        return puzzle.name(Term { category, value: place }).to_owned();
    }
    let found = positive.iter().find(|(term, at)| term.category == category && *at == place);
    found.map_or("not established".into(), |(term, _)| puzzle.name(*term).to_owned())
}

/// What the missing clauses at the ends of the row leave open.
fn edges(puzzle: &Puzzle, edges: Edges) -> String {
    const MOST: usize = 1000;
    let missing = match (edges.left, edges.right) {
        (false, false) => {
            "that the right one of two neighbours is not at the left end, and that the left one is not at the right end"
        }
        (false, true) => "that the right one of two neighbours is not at the left end",
        _ => "that the left one of two neighbours is not at the right end",
    };
    let count = count_grids(puzzle, edges, MOST);
    let grids = if count == MOST { format!("at least {MOST} grids") } else { format!("{count} grids") };
    format!("missing for 'immediately right of': {missing}; with all of the grid's rules the axioms have {grids}\n")
}
