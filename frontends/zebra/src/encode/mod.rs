//! Puzzles as clauses.
//!
//! The atoms say which position has which value: `red(1)`, where 1 is a value of the base category. Clues are written over
//! them, and over atoms `Kools=fox` ("the one item has both") where a clue compares items in a category that is not the
//! base. Both directions of every "exactly one" are there: a position has one value of each category, a value has one position.

mod between;
mod clues;
mod facts;

pub use facts::Facts;

use crate::formula::Formula;
use crate::grid::Grid;
use crate::puzzle::{Kind, Puzzle, Term};
use putnam_formula::{ClauseSink, Lit, Model, Symbols, Var};
use std::collections::HashMap;
use std::ops::Not;

/// A literal, or a truth value that is known beforehand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Truth {
    /// Always so.
    Known(bool),
    /// As the literal.
    Lit(Lit),
}

impl Not for Truth {
    type Output = Self;

    fn not(self) -> Self {
        match self {
            Self::Known(value) => Self::Known(!value),
            Self::Lit(lit) => Self::Lit(!lit),
        }
    }
}

/// The variables of the grid: which position has which value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Atoms {
    base: usize,
    positions: usize,
    /// `first[c]` is the variable of value 0 at position 0; positions run fastest. Unused for the base.
    first: Vec<u32>,
}

impl Atoms {
    /// The category whose values are the positions.
    pub fn base(&self) -> usize {
        self.base
    }

    /// Whether the item with this value is at a position.
    pub fn at(&self, term: Term, position: usize) -> Truth {
        if term.category == self.base {
            return Truth::Known(term.value == position);
        }
        let offset = (term.value * self.positions + position) as u32;
        Truth::Lit(Var::new(self.first[term.category] + offset).positive())
    }

    /// All variables of the grid.
    pub fn vars(&self, puzzle: &Puzzle) -> Vec<Var> {
        let mut vars = Vec::new();
        for category in (0..puzzle.categories.len()).filter(|&c| c != self.base) {
            for term in puzzle.terms(category) {
                for position in 0..self.positions {
                    if let Truth::Lit(lit) = self.at(term, position) {
                        vars.push(lit.var());
                    }
                }
            }
        }
        vars
    }

    /// The grid that a model stands for.
    pub fn grid(&self, puzzle: &Puzzle, model: &Model) -> Grid {
        let holds = |truth| match truth {
            Truth::Known(value) => value,
            Truth::Lit(lit) => model.satisfies(lit),
        };
        let places = |term| (0..self.positions).fold(0, |mask, p| mask | u64::from(holds(self.at(term, p))) << p);
        Grid::new((0..puzzle.categories.len()).map(|c| puzzle.terms(c).map(places).collect()).collect())
    }
}

/// Writes a puzzle to a clause sink.
pub struct Encoder<'a> {
    puzzle: &'a Puzzle,
    sink: &'a mut dyn ClauseSink,
    symbols: Option<&'a mut Symbols>,
    names: AtomNames,
    atoms: Atoms,
    /// The literals "the item with value a has value b", for a < b.
    same: HashMap<(Term, Term), Truth>,
    /// The facts of the full grid, when clues are written over them instead of over positions.
    facts: Option<&'a Facts>,
    /// Stands in every clause of an assertion, so that assertions can be switched.
    guard: Option<Lit>,
}

impl<'a> Encoder<'a> {
    /// Makes the variables of the grid, and names them in `symbols` when there is such a table. The sink must be empty.
    pub fn new(puzzle: &'a Puzzle, sink: &'a mut dyn ClauseSink, symbols: Option<&'a mut Symbols>) -> Self {
        let (base, positions) = (puzzle.base(), puzzle.positions());
        let mut first = vec![0; puzzle.categories.len()];
        for (c, category) in puzzle.categories.iter().enumerate().filter(|&(c, _)| c != base) {
            for i in 0..category.len() * positions {
                let var = sink.new_var();
                if i == 0 {
                    first[c] = var.index() as u32;
                }
            }
        }
        let atoms = Atoms { base, positions, first };
        let names = if symbols.is_some() { AtomNames::new(puzzle) } else { AtomNames::default() };
        let mut encoder = Self { puzzle, sink, symbols, names, atoms, same: HashMap::new(), facts: None, guard: None };
        encoder.name_atoms();
        encoder
    }

    /// Writes clues over the facts of the full grid: the first variables of the sink are the facts.
    pub(crate) fn over_facts(puzzle: &'a Puzzle, sink: &'a mut dyn ClauseSink, facts: &'a Facts) -> Self {
        for _ in 0..facts.len() {
            sink.new_var();
        }
        let atoms = Atoms { base: puzzle.base(), positions: puzzle.positions(), first: Vec::new() };
        let (names, same) = (AtomNames::default(), HashMap::new());
        Self { puzzle, sink, symbols: None, names, atoms, same, facts: Some(facts), guard: None }
    }

    fn name_atoms(&mut self) {
        let Some(symbols) = self.symbols.as_deref_mut() else { return };
        for category in (0..self.puzzle.categories.len()).filter(|&c| c != self.atoms.base) {
            for term in self.puzzle.terms(category) {
                for position in 0..self.atoms.positions {
                    let place = self.names.plain(Term { category: self.atoms.base, value: position });
                    if let Truth::Lit(lit) = self.atoms.at(term, position) {
                        symbols.insert(lit.var(), format!("{}({place})", self.names.unique(term)));
                    }
                }
            }
        }
    }

    /// The variables of the grid.
    pub fn atoms(&self) -> &Atoms {
        &self.atoms
    }

    /// From now on, what is asserted holds only where `guard` is true; with none, always.
    pub fn set_guard(&mut self, guard: Option<Lit>) {
        self.guard = guard;
    }

    /// A variable for the caller's own use, such as a guard.
    pub fn new_var(&mut self) -> Var {
        self.sink.new_var()
    }

    /// The rules of the grid: how positions and values belong together.
    pub fn grid_rules(&mut self) {
        let base = self.atoms.base;
        for c in (0..self.puzzle.categories.len()).filter(|&c| c != base) {
            let kind = self.puzzle.categories[c].kind;
            for term in self.puzzle.terms(c) {
                let places: Vec<Truth> = self.all_positions(term);
                if kind != Kind::Repeated {
                    self.at_most_one(&places);
                }
                if matches!(kind, Kind::Exact | Kind::Shared) {
                    self.clause(&places);
                }
            }
            for position in 0..self.atoms.positions {
                let values: Vec<Truth> = self.puzzle.terms(c).map(|term| self.atoms.at(term, position)).collect();
                if kind != Kind::Shared {
                    self.at_most_one(&values);
                }
                self.clause(&values);
            }
        }
    }

    /// All clues, or when some of them lie, that exactly so many are false.
    pub fn clues(&mut self) {
        let puzzle = self.puzzle;
        if puzzle.lies == 0 {
            puzzle.clues.iter().for_each(|clue| self.assert(&clue.formula));
        } else {
            let of = puzzle.clues.iter().map(|clue| clue.formula.clone().negated()).collect();
            self.assert(&Formula::Count { relation: crate::formula::Relation::Equal, count: puzzle.lies, of });
        }
    }

    fn all_positions(&self, term: Term) -> Vec<Truth> {
        let at = |position| match self.facts {
            Some(facts) if term.category != self.atoms.base => {
                let place = Term { category: self.atoms.base, value: position };
                Truth::Lit(Var::new(facts.index(term, place) as u32).positive())
            }
            _ => self.atoms.at(term, position),
        };
        (0..self.atoms.positions).map(at).collect()
    }

    /// One clause, without its known literals; with the guard.
    fn clause(&mut self, truths: &[Truth]) {
        if truths.contains(&Truth::Known(true)) {
            return;
        }
        let literal = |truth: &Truth| match truth {
            Truth::Lit(lit) => Some(*lit),
            Truth::Known(_) => None,
        };
        let clause: Vec<Lit> = self.guard.map(|g| !g).into_iter().chain(truths.iter().filter_map(literal)).collect();
        self.sink.add_clause(&clause);
    }

    /// At most one of these: pairwise, which propagates best, or where that were too many clauses, by "one of the first i is"
    /// (Sinz, CP 2005).
    fn at_most_one(&mut self, truths: &[Truth]) {
        const MOST_PAIRWISE: usize = 64;
        if truths.len() > MOST_PAIRWISE {
            let mut before = truths[0];
            for (i, &truth) in truths.iter().enumerate().skip(1) {
                self.clause(&[!before, !truth]);
                if i + 1 < truths.len() {
                    let so_far = Truth::Lit(self.sink.new_var().positive());
                    self.clause(&[!before, so_far]);
                    self.clause(&[!truth, so_far]);
                    before = so_far;
                }
            }
            return;
        }
        for (i, &a) in truths.iter().enumerate() {
            for &b in &truths[..i] {
                self.clause(&[!a, !b]);
            }
        }
    }

    /// Runs `body` without the guard: definitions hold always.
    fn define<T>(&mut self, body: impl FnOnce(&mut Self) -> T) -> T {
        let guard = self.guard.take();
        let result = body(self);
        self.guard = guard;
        result
    }

    /// A literal that is true exactly when all of these are.
    fn all_of(&mut self, truths: &[Truth]) -> Truth {
        if truths.contains(&Truth::Known(false)) {
            return Truth::Known(false);
        }
        let open: Vec<Truth> = truths.iter().copied().filter(|&t| t != Truth::Known(true)).collect();
        match open[..] {
            [] => Truth::Known(true),
            [one] => one,
            _ => self.define(|this| {
                let all = Truth::Lit(this.sink.new_var().positive());
                open.iter().for_each(|&t| this.clause(&[!all, t]));
                let long: Vec<Truth> = open.iter().map(|&t| !t).chain([all]).collect();
                this.clause(&long);
                all
            }),
        }
    }

    /// A literal that is true exactly when at least one of these is.
    fn any_of(&mut self, truths: &[Truth]) -> Truth {
        let negated: Vec<Truth> = truths.iter().map(|&t| !t).collect();
        !self.all_of(&negated)
    }

    /// A literal that is true exactly when the item with value `a` has value `b`.
    pub fn same(&mut self, a: Term, b: Term) -> Truth {
        let (a, b) = (a.min(b), a.max(b));
        if a == b {
            if self.functional(a) {
                return Truth::Known(true);
            }
            let places = self.all_positions(a);
            return self.any_of(&places);
        }
        if a.category == b.category && self.puzzle.categories[a.category].kind != Kind::Shared {
            return Truth::Known(false);
        }
        if let Some(facts) = self.facts
            && a.category != b.category
        {
            return Truth::Lit(Var::new(facts.index(a, b) as u32).positive());
        }
        if a.category == self.atoms.base {
            return self.atoms.at(b, a.value);
        }
        if b.category == self.atoms.base {
            return self.atoms.at(a, b.value);
        }
        if let Some(&truth) = self.same.get(&(a, b)) {
            return truth;
        }
        let truth = self.define(|this| this.define_same(a, b));
        self.same.insert((a, b), truth);
        truth
    }

    fn define_same(&mut self, a: Term, b: Term) -> Truth {
        let places: Vec<(Truth, Truth)> = self.all_positions(a).into_iter().zip(self.all_positions(b)).collect();
        if !self.functional(a) && !self.functional(b) {
            let both: Vec<Truth> = places.iter().map(|&(a, b)| self.all_of(&[a, b])).collect();
            return self.any_of(&both);
        }
        let var = self.sink.new_var();
        if let Some(symbols) = self.symbols.as_deref_mut() {
            symbols.insert(var, format!("{}={}", self.names.unique(a), self.names.unique(b)));
        }
        let same = Truth::Lit(var.positive());
        for (at_a, at_b) in places {
            self.clause(&[!at_a, !at_b, same]);
            if self.functional(b) {
                self.clause(&[!same, !at_b, at_a]);
            }
            if self.functional(a) {
                self.clause(&[!same, !at_a, at_b]);
            }
        }
        same
    }

    fn functional(&self, term: Term) -> bool {
        self.puzzle.categories[term.category].is_functional()
    }
}

/// Names of values as parts of atom names: without blanks, and with the category where two categories share a name.
#[derive(Default)]
struct AtomNames {
    plain: Vec<Vec<String>>,
    unique: HashMap<Term, String>,
}

impl AtomNames {
    fn new(puzzle: &Puzzle) -> Self {
        let joined = |text: &str| text.split_whitespace().collect::<Vec<_>>().join("_");
        let plain: Vec<Vec<String>> =
            puzzle.categories.iter().map(|c| c.values.iter().map(|v| joined(&v.name)).collect()).collect();
        let mut count: HashMap<&str, usize> = HashMap::new();
        plain.iter().flatten().for_each(|name| *count.entry(name).or_default() += 1);
        let mut unique = HashMap::new();
        for (c, names) in plain.iter().enumerate() {
            for (v, name) in names.iter().enumerate() {
                let category = joined(&puzzle.categories[c].name);
                let name = if count[name.as_str()] == 1 { name.clone() } else { format!("{category}:{name}") };
                unique.insert(Term { category: c, value: v }, name);
            }
        }
        Self { plain, unique }
    }

    fn plain(&self, term: Term) -> &str {
        &self.plain[term.category][term.value]
    }

    fn unique(&self, term: Term) -> &str {
        &self.unique[&term]
    }
}
