//! `putnam zebra deduce`: the procedure of the 1970s, traced.

use super::{puzzle, puzzle_arg, text};
use crate::failure::Failure;
use crate::output::Target;
use clap::{Arg, ArgAction, ArgMatches, Command};
use putnam_zebra::{
    Cases, Clue, Edges, Extra, Formula, Kind, Method, Missing, NoDeduction, Prover, Puzzle, Term, USES, atom_name,
    count_grids, deduce, exceptions, missing_edges,
};
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
             The sign for 'not' is }, as in }milk(1).\n\n\
             The puzzles axioms-as-printed and axioms-corrected are the axioms of the report that the procedure is from. \
             Axioms that say nothing of the ends of the row are reported with the clauses that they lack.\n\n\
             Examples:\n\
             \x20 putnam zebra deduce axioms-corrected --rules R1,R2,R3,R4 --prover unit       who drinks water\n\
             \x20 putnam zebra deduce axioms-corrected --with exclusion                        the zebra too\n\
             \x20 putnam zebra deduce axioms-corrected --prover unit --cases splits            the zebra by one split\n\
             \x20 putnam zebra deduce axioms-as-printed                                        what is missing in print\n\n\
             A rule that does not hold for a category is not applied to it, and the summary says so: R1, R3 and R6 where values are \
             [repeated], R3 and R6 where they are [spare], R2 where they are [shared].\n\n\
             Exit codes: 0; 1 bad input; 2 bad usage; 20 the axioms contradict \
             each other.",
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
        .arg(
            Arg::new("cases")
                .long("cases")
                .value_name("CASES")
                .default_value("none")
                .value_parser(["none", "literals", "two-way", "splits"])
                .help(
                    "When the rules bring nothing more: suppose one fact after the other until one leads to a contradiction; or \
                     split where two, or any number, of a line are left, and keep what comes out in each case",
                ),
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
        cases: match text(matches, "cases") {
            "literals" => Cases::Literals,
            "two-way" => Cases::TwoWay,
            "splits" => Cases::Splits,
            _ => Cases::None,
        },
    }
}

/// Runs the command.
pub(crate) fn run(matches: &ArgMatches) -> Result<ExitCode, Failure> {
    let puzzle = puzzle(matches)?;
    let method = method(matches);
    let found = match deduce(&puzzle, &method) {
        Ok(found) => found,
        Err(none @ NoDeduction::Contradiction) => {
            Target::Stdout.write_text(&format!("{none}\n"))?;
            return Ok(ExitCode::from(20));
        }
    };
    let mut output = if matches.get_flag("quiet") { String::new() } else { found.trace.clone() };
    output += &format!(
        "{} positive facts, {} of {} atoms, {} rounds, {} calls of the prover\n",
        found.positive.len(),
        found.units,
        found.atoms,
        found.rounds,
        found.calls
    );
    output += &not_applied(&puzzle, &method);
    for case in &found.cases {
        let names: Vec<String> = case.iter().map(|&atom| atom_name(&puzzle, atom)).collect();
        output += &format!("case: {}\n", names.join(" | "));
    }
    for question in &puzzle.questions {
        output += &format!("{} {}\n", question.text, answer(&puzzle, &found.positive, question.category, question.of));
    }
    output += &missing(&puzzle, method.edges);
    Target::Stdout.write_text(&output)?;
    Ok(ExitCode::SUCCESS)
}

/// The rules that the caller does not apply to a category, as they do not hold for it.
fn not_applied(puzzle: &Puzzle, method: &Method) -> String {
    let mut output = String::new();
    for (category, uses) in exceptions(puzzle, &method.uses) {
        let names: Vec<&str> = USES.iter().filter(|(_, rule)| uses.contains(rule)).map(|(name, _)| *name).collect();
        let category = &puzzle.categories[category];
        let why = match category.kind {
            Kind::Spare => "has spare values",
            Kind::Repeated => "has values that may come several times",
            Kind::Shared | Kind::Exact => "has values of which several may belong together",
        };
        output += &format!("not applied to {}, which {why}: {}\n", category.name, names.join(", "));
    }
    output
}

/// The values that are known to be where the term is.
fn answer(puzzle: &Puzzle, positive: &[(Term, usize)], category: usize, of: Term) -> String {
    let base = puzzle.base();
    let places: Vec<usize> = match of.category == base {
        true => vec![of.value],
        false => positive.iter().filter(|(term, _)| *term == of).map(|&(_, place)| place).collect(),
    };
    let mut values: Vec<usize> = match category == base {
        true => places,
        false => {
            let there = |&&(term, at): &&(Term, usize)| term.category == category && places.contains(&at);
            positive.iter().filter(there).map(|(term, _)| term.value).collect()
        }
    };
    values.sort_unstable();
    values.dedup();
    let names: Vec<&str> = values.into_iter().map(|value| puzzle.name(Term { category, value })).collect();
    if names.is_empty() { "not established".into() } else { names.join(", ") }
}

/// What the axioms lack at the ends of the row, and what it leaves open.
fn missing(puzzle: &Puzzle, edges: Edges) -> String {
    let missing = missing_edges(puzzle, edges);
    if missing.is_empty() {
        return String::new();
    }
    let mut output = String::new();
    for lack in &missing {
        let (clue, atom) = (&puzzle.clues[lack.clue], atom_name(puzzle, (lack.term, lack.position, false)));
        output += &format!("clue {} says nothing of an end of the row: {atom} is missing\n", clue.name);
    }
    output += &format!("with all of the grid's rules the axioms have {}\n", grids(puzzle, edges));
    for lack in &missing {
        let atom = atom_name(puzzle, (lack.term, lack.position, false));
        output += &format!("with {atom} they have {}\n", grids(&with(puzzle, lack), edges));
    }
    output
}

fn grids(puzzle: &Puzzle, edges: Edges) -> String {
    const MOST: usize = 1000;
    match count_grids(puzzle, edges, MOST) {
        1 => "1 solution".into(),
        MOST => format!("at least {MOST} solutions"),
        count => format!("{count} solutions"),
    }
}

/// The puzzle with a clause that it lacks.
fn with(puzzle: &Puzzle, lack: &Missing) -> Puzzle {
    let place = Term { category: puzzle.base(), value: lack.position };
    let formula = Formula::Same(lack.term, place).negated();
    let mut puzzle = puzzle.clone();
    puzzle.clues.push(Clue { name: String::new(), text: String::new(), formula, warnings: Vec::new() });
    puzzle
}
