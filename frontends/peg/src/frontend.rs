//! The peg game as a front end of the command.

use crate::picture::PICTURES;
use crate::solve::CLAUSES;
use crate::{BUILTINS, Clauses, FAMILIES, Goal, Measure, Problem, STYLES, Setup, key, named, pattern, read};
use putnam_api::{Error, Frontend, OptionKind, OptionSpec, PictureSpec, Settings};
use putnam_formats::ReadError;
use putnam_formula::Symbols;
use std::io::{ErrorKind, Read as _};
use std::sync::Arc;

/// The front end.
#[derive(Clone, Copy, Debug, Default)]
pub struct Peg;

const OPTIONS: &[OptionSpec] = &[
    OptionSpec {
        name: "start",
        help: "The hole that is empty at the start, or the holes (1,4-6); pegs:LIST: those with a peg; or a file with a map \
               of the board",
        kind: OptionKind::Value("START"),
    },
    OptionSpec {
        name: "finish",
        help: "The hole of the last peg, or the holes that have a peg at the end (1,4-6), or a file with a map; `same`: pegs where \
               there are none at the start, and nowhere else; `count:N`: so many pegs, anywhere; `fewest`: as few as can be \
               left; `dead-end`: no jump possible, after as few jumps as can be (`dead-end:N`: with N pegs left)",
        kind: OptionKind::Value("GOAL"),
    },
    OptionSpec {
        name: "no-optional",
        help: "Leave out the optional clauses: at least one jump a step, at least one peg at the end",
        kind: OptionKind::Flag,
    },
    OptionSpec {
        name: "encoding",
        help: "The clauses by which it is solved: the assignment's, one jump a step in fewer clauses, several jumps in a step, \
               or short reasons and then whatever is best",
        kind: OptionKind::Choice(CLAUSES),
    },
    OptionSpec {
        name: "steps",
        help: "With --encoding parallel, encode this many steps instead of as many as can be needed",
        kind: OptionKind::Value("N"),
    },
    OptionSpec {
        name: "fewest",
        help: "Look for a plan of as few as can be, with a proof that fewer do not do: moves (one or more jumps in a row by \
               one peg) or steps (jumps that share no hole, made at the same time)",
        kind: OptionKind::Choice(FEWEST),
    },
];

/// The words for what a plan is to have as few of as possible.
const FEWEST: &[&str] = &["steps", "moves"];

/// The longest text that is read as a board, in bytes.
const MAX_BYTES: u64 = 1 << 24;

/// The board that a user names: a built-in board, a member of a family, a file (which may be compressed), or `-` for standard input. A file that is
/// named like a built-in board is reached as `./NAME`.
///
/// # Errors
/// [`Error::Parse`] and [`Error::Io`] as for every input.
pub fn load(input: &str) -> Result<Setup, Error> {
    if let Some(setup) = named(input) {
        return setup;
    }
    let path = if input == "-" { "<stdin>" } else { input };
    let mut bytes = Vec::new();
    match putnam_formats::open_text(input) {
        Ok(file) => {
            let read = file.take(MAX_BYTES + 1).read_to_end(&mut bytes);
            read.map_err(|source| Error::Io { path: path.into(), source })?;
        }
        Err(ReadError::Open { source, .. })
            if source.kind() == ErrorKind::NotFound && !input.contains(['/', '\\', '.']) =>
        {
            let builtins = BUILTINS.iter().map(|board| board.name);
            let names: Vec<&str> = builtins.chain(FAMILIES.iter().map(|(name, _)| *name)).collect();
            let message = format!("no such file, and no board of this name; those are {}", names.join(", "));
            return Err(Error::input(input, message));
        }
        Err(ReadError::Open { source, .. } | ReadError::Read { source, .. }) => {
            return Err(Error::Io { path: path.into(), source });
        }
        Err(error) => return Err(Error::input(path, error.to_string())),
    }
    if bytes.len() as u64 > MAX_BYTES {
        return Err(Error::input(path, "too long for a board"));
    }
    let text = String::from_utf8(bytes).map_err(|_| Error::input(path, "this is not text in UTF-8"))?;
    read(&text, path)
}

impl Problem {
    /// The problem of a board with the options of [`Peg`].
    ///
    /// # Errors
    /// [`Error::Input`] for a hole that the board does not have, or a board whose clauses would not fit into memory.
    pub fn from_setup(setup: Setup, settings: &Settings) -> Result<Self, Error> {
        let holes = setup.board.holes();
        let start = match settings.value("start") {
            Some(text) => pattern::start(text, &setup.board)?,
            None => setup.start,
        };
        let complement = settings.value("finish") == Some("same");
        let goal = match settings.value("finish") {
            Some(_) if complement => Goal::Pattern(start.complement()),
            Some(text) => pattern::goal(text, &setup.board)?,
            None => Goal::OnePeg,
        };
        let fewest = match settings.value("fewest") {
            Some(_) if goal.is_open() => {
                return Err(Error::input("--fewest", "--finish fewest and --finish dead-end are asked by themselves"));
            }
            Some("steps") => Some(Measure::Steps),
            Some("moves") => Some(Measure::Moves),
            _ => None,
        };
        let optional = !settings.flag("no-optional");
        let clauses = settings.value("encoding").and_then(Clauses::from_word).unwrap_or_default();
        let horizon = settings.number("steps")?;
        if horizon.is_some_and(|steps: usize| steps > holes) {
            return Err(Error::input("--steps", format!("there are never more than {holes} steps on this board")));
        }
        if horizon.is_some() && clauses != Clauses::Parallel {
            return Err(Error::input("--steps", "only --encoding parallel has steps that can be chosen"));
        }
        let problem = Self {
            board: Arc::new(setup.board),
            start,
            goal,
            complement,
            optional,
            clauses,
            horizon,
            fewest,
            warnings: setup.warnings,
        };
        problem.check_size()?;
        Ok(problem)
    }
}

impl Frontend for Peg {
    fn name(&self) -> &'static str {
        "peg"
    }

    fn about(&self) -> &'static str {
        "The peg game on any board: leave one peg"
    }

    fn input(&self) -> (&'static str, &'static str) {
        (
            "BOARD",
            "A file (`N E` and triples, or a map), `-` for standard input, or a board's name such as english or triangle:6",
        )
    }

    fn options(&self) -> &'static [OptionSpec] {
        OPTIONS
    }

    fn styles(&self) -> &'static [&'static str] {
        STYLES
    }

    fn certificates(&self) -> bool {
        true
    }

    fn pictures(&self) -> &'static [PictureSpec] {
        PICTURES
    }

    fn open(&self, input: &str, settings: &Settings) -> Result<Box<dyn putnam_api::Problem>, Error> {
        Ok(Box::new(Problem::from_setup(load(input)?, settings)?))
    }

    fn open_key(&self, names: &Symbols) -> Option<Result<Box<dyn putnam_api::Problem>, Error>> {
        let problem = key::KeyProblem::new(names);
        Some(problem.map(|problem| Box::new(problem) as Box<dyn putnam_api::Problem>))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn open(input: &str, settings: &[(&str, &str)]) -> Result<Problem, String> {
        let mut all = Settings::default();
        settings.iter().for_each(|(name, value)| all.set(*name, *value));
        load(input).and_then(|setup| Problem::from_setup(setup, &all)).map_err(|error| error.to_string())
    }

    #[test]
    fn options_choose_the_problem() {
        let problem = open("triangle-10", &[("start", "2"), ("finish", "3"), ("no-optional", "")]).unwrap();
        assert_eq!(problem.start.single_vacancy(), Some(2));
        assert_eq!(problem.goal, Goal::PegIn(3));
        assert!(!problem.optional);
        assert_eq!(open("english", &[]).unwrap().start.single_vacancy(), Some(17));
    }

    #[test]
    fn what_makes_no_sense_is_refused() {
        let error = |input, settings: &[_]| open(input, settings).unwrap_err();
        assert_eq!(error("triangle-10", &[("start", "11")]), "--start 11: the holes of this board are 1 to 10");
        assert_eq!(error("triangle-10", &[("finish", "0")]), "--finish 0: the holes of this board are 1 to 10");
        assert!(error("triangle-10", &[("start", "x")]).starts_with("--start x: "));
        assert!(
            error("no-such-board", &[])
                .starts_with("no-such-board: no such file, and no board of this name; those are triangle-10, ")
        );
        assert!(error("no/such/file", &[]).starts_with("no/such/file: "));
    }
}
