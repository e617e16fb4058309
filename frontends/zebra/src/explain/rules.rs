//! The parts of a puzzle that steps refer to, each with its clauses over the facts.

use super::Fact;
use crate::encode::{Encoder, Facts};
use crate::formula::Formula;
use crate::puzzle::{Kind, Puzzle, Term};
use putnam_formula::{ClauseSink as _, Cnf, Lit, Var};
use std::collections::HashMap;
use std::ops::Range;

/// A part of the puzzle that a step may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Source {
    /// The clue with this index. Where clues may lie: that the clue is true exactly if what it says is so.
    Clue(usize),
    /// How many partners a value has in another category: exactly one between exact categories; at least one where an item
    /// may have several; at most one for a value that may be missing, and one if it has one in any category.
    Partner(Term, usize),
    /// Three values of different categories: if two pairs of them go together, so does the third. The middle one of the two
    /// pairs must not be a value that may come several times.
    Same(Term, Term, Term),
    /// Two values that may come several times go together only where both are at one position.
    Both(Term, Term),
    /// How many clues are false.
    Lies,
}

impl Source {
    /// The clue's index, if the source is a clue.
    pub fn clue(self) -> Option<usize> {
        match self {
            Source::Clue(clue) => Some(clue),
            _ => None,
        }
    }

    /// The values that a rule of the grid is about.
    pub fn values(self) -> Vec<Term> {
        match self {
            Source::Clue(_) | Source::Lies => Vec::new(),
            Source::Partner(value, _) => vec![value],
            Source::Both(a, b) => vec![a, b],
            Source::Same(a, b, c) => vec![a, b, c],
        }
    }
}

/// The parts of a puzzle that do not change while it is explained.
#[derive(Debug)]
pub struct Rules {
    /// The numbering of facts.
    pub facts: Facts,
    kinds: Vec<Kind>,
    base: usize,
    lies: usize,
    /// The clauses of clues, and of rules that are more than what follows from [`Rules::at_most_one`], [`Rules::at_least_one`]
    /// and [`Rules::is_single`]. Variables from the number of facts on belong to one source each. No clause has a literal twice.
    pub(super) cnf: Cnf,
    /// The sources with clauses in `cnf`, and which those are.
    parts: Vec<(Source, Range<usize>)>,
    part_of: Vec<u32>,
    by_source: HashMap<Source, u32>,
}

impl Rules {
    /// The rules of a puzzle.
    pub(super) fn new(puzzle: &Puzzle) -> Self {
        let facts = Facts::new(puzzle);
        let kinds: Vec<Kind> = puzzle.categories.iter().map(|category| category.kind).collect();
        let mut cnf = Cnf::new();
        cnf.declare(facts.len() as u32);
        let mut rules = Self {
            facts,
            kinds,
            base: puzzle.base(),
            lies: puzzle.lies,
            cnf,
            parts: Vec::new(),
            part_of: Vec::new(),
            by_source: HashMap::new(),
        };
        for clue in 0..puzzle.clues.len() {
            rules.add_clue(puzzle, clue);
        }
        if puzzle.lies > 0 {
            let (first, last) = (rules.facts.num_pairs(), rules.facts.len());
            let lying: Vec<Lit> = (first..last).map(|statement| Var::new(statement as u32).negative()).collect();
            let mut own = Cnf::new();
            own.declare(last as u32);
            putnam_encode::exactly(&mut own, &lying, puzzle.lies);
            rules.add_part(Source::Lies, &own);
        }
        rules.add_missing_values(puzzle);
        rules.add_repeated_values(puzzle);
        rules
    }

    fn add_clue(&mut self, puzzle: &Puzzle, clue: usize) {
        let formula = &puzzle.clues[clue].formula;
        let mut own = Cnf::new();
        let mut encoder = Encoder::over_facts(puzzle, &mut own, &self.facts);
        if puzzle.lies == 0 {
            encoder.assert(formula);
            // Who compares values says that there are some.
            for (term, category) in compared(formula) {
                let single = self.at_least_one(term.category) && self.kinds[category] != Kind::Shared;
                if single && term.category != category {
                    let values: Vec<Lit> = puzzle.terms(category).map(|value| self.fact(term, value)).collect();
                    own.add_clause(&values);
                }
            }
        } else {
            let statement = Var::new(self.facts.statement(clue) as u32).positive();
            encoder.set_guard(Some(statement));
            encoder.assert(formula);
            encoder.set_guard(Some(!statement));
            encoder.assert(&formula.clone().negated());
        }
        self.add_part(Source::Clue(clue), &own);
    }

    /// For values that may be missing: one that has a partner somewhere has one in every other category.
    fn add_missing_values(&mut self, puzzle: &Puzzle) {
        let spare = (0..self.kinds.len()).filter(|&c| self.kinds[c] == Kind::Spare).collect::<Vec<_>>();
        for value in spare.into_iter().flat_map(|c| puzzle.terms(c)) {
            for category in (0..self.kinds.len()).filter(|&d| d != value.category) {
                let mut own = Cnf::new();
                let partners: Vec<Lit> = puzzle.terms(category).map(|p| self.fact(value, p)).collect();
                for other in (0..self.kinds.len()).filter(|&d| d != value.category && d != category) {
                    for with in puzzle.terms(other) {
                        own.add_clause(&[&[!self.fact(value, with)], &partners[..]].concat());
                    }
                }
                self.add_part(Source::Partner(value, category), &own);
            }
        }
    }

    /// For pairs of values that may come several times: they go together at some position.
    fn add_repeated_values(&mut self, puzzle: &Puzzle) {
        let repeated = (0..self.kinds.len()).filter(|&c| self.kinds[c] == Kind::Repeated).collect::<Vec<_>>();
        for (i, &c) in repeated.iter().enumerate() {
            for &d in &repeated[i + 1..] {
                for (a, b) in puzzle.terms(c).flat_map(|a| puzzle.terms(d).map(move |b| (a, b))) {
                    let mut own = Cnf::new();
                    own.declare(self.facts.len() as u32);
                    let mut somewhere = vec![!self.fact(a, b)];
                    for place in puzzle.terms(self.base) {
                        let there = own.new_var().positive();
                        own.add_clause(&[!there, self.fact(a, place)]);
                        own.add_clause(&[!there, self.fact(b, place)]);
                        somewhere.push(there);
                    }
                    own.add_clause(&somewhere);
                    self.add_part(Source::Both(a, b), &own);
                }
            }
        }
    }

    /// Takes over clauses over the facts and own variables behind them.
    fn add_part(&mut self, source: Source, own: &Cnf) {
        let (start, facts) = (self.cnf.num_clauses(), self.facts.len() as u32);
        let shift = self.cnf.num_vars() - facts;
        for clause in own.clauses() {
            let moved = |lit: &Lit| {
                let index = lit.var().index() as u32;
                Var::new(if index < facts { index } else { index + shift }).lit(lit.is_positive())
            };
            let mut clause: Vec<Lit> = clause.iter().map(moved).collect();
            clause.sort_unstable();
            clause.dedup();
            if !clause.windows(2).any(|pair| pair[0] == !pair[1]) {
                self.cnf.add_clause(&clause);
            }
        }
        self.cnf.declare(facts + shift + own.num_vars().saturating_sub(facts));
        let part = self.parts.len() as u32;
        self.part_of.resize(self.cnf.num_clauses(), part);
        self.by_source.insert(source, part);
        self.parts.push((source, start..self.cnf.num_clauses()));
    }

    /// The literal that two values go together.
    pub(super) fn fact(&self, a: Term, b: Term) -> Fact {
        Var::new(self.facts.index(a, b) as u32).positive()
    }

    /// The source of a clause of `cnf`.
    pub(super) fn source_of(&self, clause: usize) -> Source {
        self.parts[self.part_of[clause] as usize].0
    }

    /// Whether a value of one category has at most one partner in another.
    pub(super) fn at_most_one(&self, of: usize, category: usize) -> bool {
        self.kinds[of] != Kind::Repeated && self.kinds[category] != Kind::Shared
    }

    /// Whether a value of a category always has a partner in every other.
    pub(super) fn at_least_one(&self, of: usize) -> bool {
        matches!(self.kinds[of], Kind::Exact | Kind::Shared)
    }

    /// Whether a value of a category is at no more than one position.
    pub(super) fn is_single(&self, category: usize) -> bool {
        self.kinds[category] != Kind::Repeated
    }

    /// The clauses of a source, over the facts and variables of its own behind them.
    pub(super) fn clauses(&self, source: Source) -> Vec<Vec<Lit>> {
        let mut clauses: Vec<Vec<Lit>> = Vec::new();
        match source {
            Source::Partner(value, category) => {
                let partners: Vec<Lit> =
                    (0..self.facts.size(category)).map(|v| self.fact(value, Term { category, value: v })).collect();
                if self.at_least_one(value.category) {
                    clauses.push(partners.clone());
                }
                if self.at_most_one(value.category, category) {
                    for (i, &a) in partners.iter().enumerate() {
                        clauses.extend(partners[..i].iter().map(|&b| vec![!a, !b]));
                    }
                }
            }
            Source::Same(a, b, c) => {
                let sides = [self.fact(a, b), self.fact(b, c), self.fact(a, c)];
                // The side across from each value follows from the two sides that meet in it.
                for (across, middle) in [(2, b), (0, c), (1, a)] {
                    if self.is_single(middle.category) {
                        clauses.push((0..3).map(|i| if i == across { sides[i] } else { !sides[i] }).collect());
                    }
                }
            }
            Source::Clue(_) | Source::Both(..) | Source::Lies => {}
        }
        if let Some(&part) = self.by_source.get(&source) {
            let range = self.parts[part as usize].1.clone();
            clauses.extend(range.map(|clause| self.cnf.clause(clause).to_vec()));
        }
        clauses
    }

    /// All rules of the grid, without the clues.
    pub(super) fn grid_sources(&self) -> Vec<Source> {
        let count = self.facts.categories();
        let terms = |category| (0..self.facts.size(category)).map(move |value| Term { category, value });
        let mut sources = Vec::new();
        for c in 0..count {
            for a in terms(c) {
                sources.extend((0..count).filter(|&d| d != c).map(|d| Source::Partner(a, d)));
                for d in c + 1..count {
                    for b in terms(d) {
                        sources.extend((d + 1..count).flat_map(terms).map(|third| Source::Same(a, b, third)));
                    }
                }
            }
        }
        sources.extend(self.parts.iter().map(|part| part.0).filter(|source| matches!(source, Source::Both(..))));
        if self.lies > 0 {
            sources.push(Source::Lies);
        }
        sources.retain(|&source| !self.clauses(source).is_empty());
        sources
    }
}

/// The terms whose values a clue compares in a category.
fn compared(formula: &Formula) -> Vec<(Term, usize)> {
    match (formula, formula.category()) {
        (_, Some(category)) => formula.own_terms().into_iter().map(|term| (term, category)).collect(),
        (Formula::And(parts), _) => parts.iter().flat_map(compared).collect(),
        _ => Vec::new(),
    }
}
