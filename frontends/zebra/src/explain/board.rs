//! What is known of the full grid, and what one rule or one clue adds to it.

use super::steps::Case;
use crate::encode::{Encoder, Facts};
use crate::puzzle::{Puzzle, Term};
use putnam_formula::{Cnf, Lit, Var};
use std::rc::Rc;

/// A part of the puzzle that a step may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Source {
    /// The clue with this index.
    Clue(usize),
    /// A value has exactly one partner among the values of another category.
    Partner(Term, usize),
    /// Three values of different categories: if two pairs of them go together, so does the third.
    Same(Term, Term, Term),
}

/// A fact with its truth value: a literal over the facts.
pub type Fact = Lit;

/// How something follows from its premises.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Why {
    /// By one clue or one rule.
    By(Source),
    /// By several together.
    Together(Rc<Vec<Source>>),
    /// Because the opposite leads to a contradiction.
    Case(Rc<Case>),
}

/// Where a known fact comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Reason {
    pub(super) why: Why,
    pub(super) premises: Vec<Fact>,
}

impl Reason {
    fn by(source: Source, premises: Vec<Fact>) -> Option<Self> {
        Some(Self { why: Why::By(source), premises })
    }
}

/// The clauses of a clue over the facts, and over variables of its own behind them.
#[derive(Clone, Debug)]
pub(super) struct ClueClauses {
    pub(super) cnf: Cnf,
    /// The clauses in which each literal's negation may become false: by literal code, for facts that occur.
    uses: Vec<Vec<u32>>,
}

/// The parts of a puzzle that do not change while it is explained.
#[derive(Debug)]
pub struct Rules {
    /// The numbering of facts.
    pub facts: Facts,
    pub(super) clues: Vec<ClueClauses>,
    /// The clues in which each fact occurs.
    in_clues: Vec<Vec<u32>>,
}

impl Rules {
    /// The rules of a puzzle whose categories are all exact and whose clues all hold.
    pub(super) fn new(puzzle: &Puzzle) -> Self {
        let facts = Facts::new(puzzle);
        let mut in_clues = vec![Vec::new(); facts.len()];
        let mut clues = Vec::with_capacity(puzzle.clues.len());
        for (index, clue) in puzzle.clues.iter().enumerate() {
            let mut cnf = Cnf::new();
            Encoder::over_facts(puzzle, &mut cnf, &facts).assert(&clue.formula);
            let mut uses = vec![Vec::new(); 2 * cnf.num_vars() as usize];
            for (number, clause) in cnf.clauses().enumerate() {
                for &lit in clause {
                    let list: &mut Vec<u32> = &mut uses[(!lit).code()];
                    if list.last() != Some(&(number as u32)) {
                        list.push(number as u32);
                    }
                    if let Some(clues) = in_clues.get_mut(lit.var().index())
                        && clues.last() != Some(&(index as u32))
                    {
                        clues.push(index as u32);
                    }
                }
            }
            clues.push(ClueClauses { cnf, uses });
        }
        Self { facts, clues, in_clues }
    }

    /// The clauses of a source over the facts (and variables behind them).
    pub(super) fn clauses(&self, source: Source) -> Vec<Vec<Lit>> {
        let fact = |a: Term, b: Term| Var::new(self.facts.index(a, b) as u32);
        match source {
            Source::Clue(clue) => self.clues[clue].cnf.clauses().map(<[Lit]>::to_vec).collect(),
            Source::Partner(value, category) => {
                let partners: Vec<Lit> =
                    (0..self.facts.size()).map(|v| fact(value, Term { category, value: v }).positive()).collect();
                let mut clauses = vec![partners.clone()];
                for (i, &a) in partners.iter().enumerate() {
                    clauses.extend(partners[..i].iter().map(|&b| vec![!a, !b]));
                }
                clauses
            }
            Source::Same(a, b, c) => {
                let sides = [fact(a, b), fact(b, c), fact(a, c)];
                (0..3)
                    .map(|i| (0..3).map(|j| if i == j { sides[j].positive() } else { sides[j].negative() }).collect())
                    .collect()
            }
        }
    }

    /// The number of variables of the facts and of the largest clue.
    pub(super) fn num_vars(&self) -> u32 {
        let clues = self.clues.iter().map(|clue| clue.cnf.num_vars()).max().unwrap_or(0);
        clues.max(self.facts.len() as u32)
    }
}

/// Something impossible: what excludes it and what it is excluded by.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Conflict {
    pub(super) why: Why,
    pub(super) premises: Vec<Fact>,
}

impl Conflict {
    fn by(source: Source, premises: Vec<Fact>) -> Self {
        Self { why: Why::By(source), premises }
    }
}

/// What is known, in the order in which it became known.
#[derive(Clone, Debug)]
pub(super) struct Board<'r> {
    pub(super) rules: &'r Rules,
    /// 0 unknown, 1 true, 2 false.
    values: Vec<u8>,
    /// The values of each clue's own variables.
    own: Vec<Vec<u8>>,
    /// Why own variables have their values: the facts behind them.
    own_reasons: Vec<Vec<Vec<Fact>>>,
    pub(super) trail: Vec<(Fact, Option<Reason>)>,
    /// For each fact its place on the trail.
    places: Vec<u32>,
    /// For each value and category how many partners are still possible.
    open: Vec<u16>,
    done: usize,
    /// Clues of which own variables were forgotten.
    stale: Vec<usize>,
}

impl<'r> Board<'r> {
    pub(super) fn new(rules: &'r Rules) -> Self {
        let (count, facts) = (rules.facts.len(), &rules.facts);
        let own = rules.clues.iter().map(|clue| vec![0; clue.cnf.num_vars() as usize - count]).collect();
        let own_reasons =
            rules.clues.iter().map(|clue| vec![Vec::new(); clue.cnf.num_vars() as usize - count]).collect();
        Self {
            rules,
            values: vec![0; count],
            own,
            own_reasons,
            trail: Vec::new(),
            places: vec![u32::MAX; count],
            open: vec![facts.size() as u16; facts.categories() * facts.size() * facts.categories()],
            done: 0,
            stale: Vec::new(),
        }
    }

    pub(super) fn value(&self, fact: usize) -> Option<bool> {
        match self.values[fact] {
            0 => None,
            value => Some(value == 1),
        }
    }

    pub(super) fn is_true(&self, lit: Fact) -> bool {
        self.value(lit.var().index()) == Some(lit.is_positive())
    }

    pub(super) fn is_complete(&self) -> bool {
        self.trail.len() == self.values.len()
    }

    /// Why a known fact is known; none for what was given.
    pub(super) fn reason(&self, fact: Fact) -> Option<&Reason> {
        self.trail.get(self.places[fact.var().index()] as usize)?.1.as_ref()
    }

    pub(super) fn place(&self, fact: Fact) -> u32 {
        self.places[fact.var().index()]
    }

    fn open_slot(&self, value: Term, category: usize) -> usize {
        let facts = &self.rules.facts;
        (value.category * facts.size() + value.value) * facts.categories() + category
    }

    /// Makes a fact known.
    ///
    /// # Errors
    /// The conflict, if the opposite is known.
    pub(super) fn set(&mut self, lit: Fact, reason: Option<Reason>) -> Result<(), Conflict> {
        let fact = lit.var().index();
        match self.value(fact) {
            Some(value) if value == lit.is_positive() => Ok(()),
            Some(_) => {
                let (why, premises) = match reason {
                    Some(reason) => (reason.why, reason.premises),
                    // Both were given.
                    None => (Why::Together(Rc::default()), vec![lit]),
                };
                Err(Conflict { why, premises: premises.into_iter().chain([!lit]).collect() })
            }
            None => {
                self.values[fact] = if lit.is_positive() { 1 } else { 2 };
                self.places[fact] = self.trail.len() as u32;
                if lit.is_negative() {
                    let (a, b) = self.rules.facts.pair(fact);
                    for (value, other) in [(a, b), (b, a)] {
                        let slot = self.open_slot(value, other.category);
                        self.open[slot] -= 1;
                    }
                }
                self.trail.push((lit, reason));
                Ok(())
            }
        }
    }

    /// Goes back to the first `length` known facts. Clues' own variables are forgotten and found again when needed.
    pub(super) fn undo(&mut self, length: usize) {
        for (lit, _) in self.trail.split_off(length) {
            let fact = lit.var().index();
            self.values[fact] = 0;
            self.places[fact] = u32::MAX;
            if lit.is_negative() {
                let (a, b) = self.rules.facts.pair(fact);
                for (value, other) in [(a, b), (b, a)] {
                    let slot = self.open_slot(value, other.category);
                    self.open[slot] += 1;
                }
            }
        }
        self.done = self.done.min(length);
        for (clue, reasons) in self.own_reasons.iter_mut().enumerate() {
            for (own, reason) in self.own[clue].iter_mut().zip(reasons) {
                // What the remaining facts do not imply alone is unknown again.
                if *own != 0 && reason.iter().any(|lit| self.values[lit.var().index()] == 0) {
                    *own = 0;
                    reason.clear();
                    if self.stale.last() != Some(&clue) {
                        self.stale.push(clue);
                    }
                }
            }
        }
    }

    /// The unit clauses of all clues, at the beginning.
    pub(super) fn start(&mut self) -> Result<(), Conflict> {
        (0..self.rules.clues.len()).try_for_each(|clue| self.propagate_clue(clue, None))
    }

    /// Draws all conclusions that single rules and single clues allow by unit propagation.
    pub(super) fn propagate(&mut self) -> Result<(), Conflict> {
        while let Some(clue) = self.stale.pop() {
            self.propagate_clue(clue, None)?;
        }
        while self.done < self.trail.len() {
            let (lit, _) = self.trail[self.done];
            self.done += 1;
            let (a, b) = self.rules.facts.pair(lit.var().index());
            self.partners(lit, a, b)?;
            self.partners(lit, b, a)?;
            self.triangles(lit, a, b)?;
            for i in 0..self.rules.in_clues[lit.var().index()].len() {
                let clue = self.rules.in_clues[lit.var().index()][i] as usize;
                self.propagate_clue(clue, Some(lit))?;
            }
        }
        Ok(())
    }

    fn fact(&self, a: Term, b: Term) -> Var {
        Var::new(self.rules.facts.index(a, b) as u32)
    }

    /// The rule that `value` has one partner in the category of `other`.
    fn partners(&mut self, lit: Fact, value: Term, other: Term) -> Result<(), Conflict> {
        let category = other.category;
        let source = Source::Partner(value, category);
        let partners = (0..self.rules.facts.size()).map(|v| Term { category, value: v });
        if lit.is_positive() {
            for partner in partners.filter(|p| *p != other) {
                self.set(self.fact(value, partner).negative(), Reason::by(source, vec![lit]))?;
            }
            return Ok(());
        }
        let open = self.open[self.open_slot(value, category)];
        if open > 1 {
            return Ok(());
        }
        let vars: Vec<Var> = partners.map(|p| self.fact(value, p)).collect();
        let excluded: Vec<Fact> = vars.iter().map(|v| v.negative()).filter(|&l| self.is_true(l)).collect();
        match vars.iter().find(|v| self.value(v.index()) != Some(false)) {
            None => Err(Conflict::by(source, excluded)),
            Some(last) => self.set(last.positive(), Reason::by(source, excluded)),
        }
    }

    /// The rule that what goes together has everything in common.
    fn triangles(&mut self, lit: Fact, a: Term, b: Term) -> Result<(), Conflict> {
        for category in (0..self.rules.facts.categories()).filter(|&c| c != a.category && c != b.category) {
            for value in 0..self.rules.facts.size() {
                let c = Term { category, value };
                let (with_a, with_b) = (self.fact(a, c), self.fact(b, c));
                let source = Source::Same(a, b, c);
                for (known, other) in [(with_a, with_b), (with_b, with_a)] {
                    let Some(value) = self.value(known.index()) else { continue };
                    let premise = known.lit(value);
                    let conclusion = match (lit.is_positive(), value) {
                        (true, value) => other.lit(value),
                        (false, true) => other.negative(),
                        (false, false) => continue,
                    };
                    if !self.is_true(conclusion) {
                        self.set(conclusion, Reason::by(source, vec![lit, premise]))?;
                    }
                }
            }
        }
        Ok(())
    }

    /// Unit propagation in the clauses of one clue, from a new fact or from nothing.
    fn propagate_clue(&mut self, clue: usize, lit: Option<Fact>) -> Result<(), Conflict> {
        let rules = self.rules;
        let clauses = &rules.clues[clue];
        let mut queue: Vec<u32> = match lit {
            Some(lit) => clauses.uses[lit.code()].clone(),
            None => (0..clauses.cnf.num_clauses() as u32).collect(),
        };
        while let Some(number) = queue.pop() {
            let clause = clauses.cnf.clause(number as usize);
            let mut unknown = None;
            let mut satisfied = false;
            let mut count = 0;
            for &lit in clause {
                match self.value_in(clue, lit) {
                    Some(true) => satisfied = true,
                    Some(false) => {}
                    None if unknown == Some(lit) => {}
                    None => {
                        unknown = Some(lit);
                        count += 1;
                    }
                }
            }
            if satisfied || count > 1 {
                continue;
            }
            let mut premises = Vec::new();
            for &lit in clause.iter().filter(|&&l| Some(l) != unknown) {
                self.premises(clue, !lit, &mut premises);
            }
            premises.sort_unstable();
            premises.dedup();
            let Some(lit) = unknown else { return Err(Conflict::by(Source::Clue(clue), premises)) };
            let index = lit.var().index();
            if index < self.values.len() {
                self.set(lit, Reason::by(Source::Clue(clue), premises))?;
            } else {
                self.own[clue][index - self.values.len()] = if lit.is_positive() { 1 } else { 2 };
                self.own_reasons[clue][index - self.values.len()] = premises;
            }
            queue.extend(&clauses.uses[lit.code()]);
        }
        Ok(())
    }

    fn value_in(&self, clue: usize, lit: Lit) -> Option<bool> {
        let index = lit.var().index();
        let value =
            if index < self.values.len() { self.values[index] } else { self.own[clue][index - self.values.len()] };
        match value {
            0 => None,
            value => Some((value == 1) == lit.is_positive()),
        }
    }

    /// Adds the facts behind a true literal of a clue.
    fn premises(&self, clue: usize, lit: Lit, premises: &mut Vec<Fact>) {
        let index = lit.var().index();
        if index < self.values.len() {
            premises.push(lit);
        } else {
            premises.extend(&self.own_reasons[clue][index - self.values.len()]);
        }
    }
}
