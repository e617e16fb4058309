//! Solving: none, one or many grids.

use crate::encode::{Atoms, Encoder, Truth};
use crate::grid::Grid;
use crate::puzzle::{Puzzle, Term};
use putnam_cdcl::{Options, Solver};
use putnam_formula::{Cnf, Engine, Lit, Outcome, StopReason, Symbols};

/// Options of engine cdcl that suit puzzles. Where search takes long, rounds of elimination (which factor the many at-most-one
/// constraints) and sweeping take a third of the time and save less; bumping the reasons of learned literals does not help either.
/// Most puzzles are done before a round would pay.
pub(crate) const TUNING: &[(&str, i64)] = &[("bumpreason", 0), ("elimination", 0), ("sweep", 0), ("target", 0)];

/// A new engine, with options that suit puzzles.
pub fn engine() -> Solver {
    let mut options = Options::default();
    for &(name, value) in TUNING {
        options.set(name, value).expect("the engine has these options");
    }
    Solver::with_options(options)
}

/// What a puzzle has for solutions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// No grid satisfies all clues.
    None,
    /// Exactly one does.
    One(Grid),
    /// At least these two do.
    Many(Box<[Grid; 2]>),
    /// The engine gave up.
    Unknown(StopReason),
}

/// A puzzle as clauses.
#[derive(Clone, Debug)]
pub struct Clauses {
    /// The clauses.
    pub cnf: Cnf,
    /// The names of the atoms.
    pub symbols: Symbols,
    /// The variables of the grid.
    pub atoms: Atoms,
}

impl Clauses {
    /// The rules of the grid and the clues, with names for the atoms if they are wanted.
    pub fn new(puzzle: &Puzzle, named: bool) -> Self {
        let (mut cnf, mut symbols) = (Cnf::new(), Symbols::new());
        let mut encoder = Encoder::new(puzzle, &mut cnf, named.then_some(&mut symbols));
        encoder.grid_rules();
        encoder.clues();
        let atoms = encoder.atoms().clone();
        Self { cnf, symbols, atoms }
    }
}

/// The grids of a puzzle, one after the other, each once.
pub struct Solutions<'a> {
    puzzle: &'a Puzzle,
    engine: &'a mut dyn Engine,
    atoms: Atoms,
    done: bool,
}

impl<'a> Solutions<'a> {
    /// Hands the puzzle to an engine, which must be new.
    pub fn new(puzzle: &'a Puzzle, engine: &'a mut dyn Engine) -> Self {
        let clauses = Clauses::new(puzzle, false);
        engine.declare(clauses.cnf.num_vars());
        clauses.cnf.clauses().for_each(|clause| engine.add_clause(clause));
        Self { puzzle, engine, atoms: clauses.atoms, done: false }
    }
}

impl Iterator for Solutions<'_> {
    type Item = Result<Grid, StopReason>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.done {
            return None;
        }
        match self.engine.solve(&[]) {
            Outcome::Satisfiable(model) => {
                let grid = self.atoms.grid(self.puzzle, &model);
                let other = blocking_clause(self.puzzle, &self.atoms, &grid);
                self.engine.add_clause(&other);
                Some(Ok(grid))
            }
            Outcome::Unsatisfiable { .. } => {
                self.done = true;
                None
            }
            Outcome::Unknown(reason) => {
                self.done = true;
                Some(Err(reason))
            }
        }
    }
}

/// A clause that is false on this grid alone. The values that are somewhere determine the grid, so the others are left out.
pub(crate) fn blocking_clause(puzzle: &Puzzle, atoms: &Atoms, grid: &Grid) -> Vec<Lit> {
    let mut clause = Vec::new();
    for category in 0..puzzle.categories.len() {
        for term in puzzle.terms(category) {
            for position in 0..puzzle.positions() {
                if let Truth::Lit(lit) = atoms.at(term, position)
                    && grid.places(term) >> position & 1 != 0
                {
                    clause.push(!lit);
                }
            }
        }
    }
    clause
}

/// Whether a puzzle has no solution, one, or more.
pub fn solve(puzzle: &Puzzle, engine: &mut dyn Engine) -> Answer {
    let mut solutions = Solutions::new(puzzle, engine);
    let first = match solutions.next() {
        None => return Answer::None,
        Some(Err(reason)) => return Answer::Unknown(reason),
        Some(Ok(grid)) => grid,
    };
    match solutions.next() {
        None => Answer::One(first),
        Some(Err(reason)) => Answer::Unknown(reason),
        Some(Ok(second)) => Answer::Many(Box::new([first, second])),
    }
}

/// Checks a grid against the rules and the clues, without any clause.
///
/// # Errors
/// What is broken, in words.
pub fn verify(puzzle: &Puzzle, grid: &Grid) -> Result<(), String> {
    if let Some(broken) = grid.broken_rule(puzzle) {
        return Err(broken);
    }
    let holds = |formula: &crate::formula::Formula| formula.holds(&puzzle.categories, grid);
    let false_ones: Vec<&str> =
        puzzle.clues.iter().filter(|clue| !holds(&clue.formula)).map(|clue| clue.name.as_str()).collect();
    match (puzzle.lies, &false_ones[..]) {
        (0, []) => Ok(()),
        (0, [first, ..]) => Err(format!("clue {first} does not hold")),
        (lies, found) if found.len() == lies => Ok(()),
        (lies, found) => Err(format!("{} clues are false instead of {lies}", found.len())),
    }
}

/// The places in which two grids differ: a category, a position, the values there in the first and the second.
pub fn differences(puzzle: &Puzzle, first: &Grid, second: &Grid) -> Vec<(usize, usize, Vec<usize>, Vec<usize>)> {
    let mut found = Vec::new();
    for position in 0..puzzle.positions() {
        for category in 0..puzzle.categories.len() {
            let (a, b) = (first.at(category, position), second.at(category, position));
            if a != b {
                found.push((category, position, a, b));
            }
        }
    }
    found
}

/// The answers to the puzzle's questions on a grid: the question's words and the values.
pub fn answers<'p>(puzzle: &'p Puzzle, grid: &Grid) -> Vec<(&'p str, Vec<&'p str>)> {
    let name = |category, value| puzzle.name(Term { category, value });
    puzzle
        .questions
        .iter()
        .map(|question| {
            let values = grid.values(question.category, question.of);
            (question.text.as_str(), values.into_iter().map(|value| name(question.category, value)).collect())
        })
        .collect()
}
