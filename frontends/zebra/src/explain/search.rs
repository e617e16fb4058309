//! The search for steps.

use super::board::{Board, Conflict, Fact, Reason, Rules, Source, Why};
use super::steps::{Step, case, needed, steps_since};
use super::{Refused, Source as Part};
use crate::puzzle::{Kind, Puzzle, Term};
use putnam_explain::{Groups, mus};
use putnam_formula::{Engine as _, Lit, Outcome, Var};
use std::rc::Rc;

/// How a puzzle is solved step by step.
#[derive(Debug)]
pub struct Explanation {
    /// The numbering of the facts and the rules.
    pub rules: Rules,
    /// What was known at the start.
    pub given: Vec<Fact>,
    /// The steps.
    pub steps: Vec<Step>,
    /// Whether they lead to a filled grid; otherwise the clues leave several.
    pub complete: bool,
}

/// A case that was found: the assumption that fails, and how long the way to the contradiction is.
#[derive(Clone, Copy)]
struct Failing {
    assumption: Fact,
    length: usize,
}

/// Explains a puzzle from a set of known facts on (see [`super::read_state`]).
///
/// # Errors
/// [`Refused`] for puzzles that are not explained, with the clash when there is no solution.
pub fn explain(puzzle: &Puzzle, given: &[Fact]) -> Result<Explanation, Refused> {
    run(puzzle, given, false)
}

/// The next step from a set of known facts on, if there is one. Of the steps that are possible at once the cheapest is given: one
/// by a clue or rule with few premises before one with many, a case analysis last.
///
/// # Errors
/// As [`explain`]; in particular the clash, when the known facts are wrong.
pub fn hint(puzzle: &Puzzle, given: &[Fact]) -> Result<Explanation, Refused> {
    run(puzzle, given, true)
}

fn run(puzzle: &Puzzle, given: &[Fact], one_step: bool) -> Result<Explanation, Refused> {
    if let Some(category) = puzzle.categories.iter().find(|c| c.kind != Kind::Exact) {
        return Err(Refused::Category(category.name.clone()));
    }
    if puzzle.lies > 0 {
        return Err(Refused::Lies);
    }
    let rules = Rules::new(puzzle);
    if let Some(clash) = clash(puzzle, &rules, given) {
        return Err(clash);
    }
    let (steps, complete) = {
        let mut search = Search { board: Board::new(&rules), puzzle, failing: Vec::new(), targets: None };
        let found = search.run(given, one_step);
        // Without a clash no derivation ends in a contradiction.
        found.unwrap_or_default()
    };
    Ok(Explanation { rules, given: given.to_vec(), steps, complete })
}

/// The groups of a puzzle over its facts: rules of the grid (hard), then one group a clue.
fn clue_groups(puzzle: &Puzzle, rules: &Rules) -> Groups {
    let mut groups = Groups::new(rules.num_vars() + own_vars(rules));
    for source in grid_sources(puzzle) {
        rules.clauses(source).iter().for_each(|clause| groups.add_hard(clause));
    }
    let mut shift = 0;
    for clue in 0..puzzle.clues.len() {
        groups.add_group(&shifted(rules, clue, &mut shift));
    }
    groups
}

/// How many variables of their own all clues have together.
fn own_vars(rules: &Rules) -> u32 {
    rules.clues.iter().map(|clue| clue.cnf.num_vars() - rules.facts.len() as u32).sum()
}

/// A clue's clauses with its own variables moved behind those of the clues before it.
fn shifted(rules: &Rules, clue: usize, shift: &mut u32) -> Vec<Vec<Lit>> {
    let facts = rules.facts.len() as u32;
    let moved = |lit: Lit| {
        let index = lit.var().index() as u32;
        Var::new(if index < facts { index } else { index + *shift }).lit(lit.is_positive())
    };
    let clauses = rules.clauses(Part::Clue(clue)).iter().map(|c| c.iter().map(|&l| moved(l)).collect()).collect();
    *shift += rules.clues[clue].cnf.num_vars() - facts;
    clauses
}

/// All rules of the grid.
pub(super) fn grid_sources(puzzle: &Puzzle) -> Vec<Source> {
    let count = puzzle.categories.len();
    let mut sources = Vec::new();
    for c in 0..count {
        for a in puzzle.terms(c) {
            sources.extend((0..count).filter(|&d| d != c).map(|d| Source::Partner(a, d)));
            for d in c + 1..count {
                for b in puzzle.terms(d) {
                    for e in d + 1..count {
                        sources.extend(puzzle.terms(e).map(|third| Source::Same(a, b, third)));
                    }
                }
            }
        }
    }
    sources
}

/// Whether clues and given facts have no solution: then a minimal set of them that has none.
fn clash(puzzle: &Puzzle, rules: &Rules, given: &[Fact]) -> Option<Refused> {
    if given.is_empty() {
        let mut engine = putnam_cdcl::Solver::new();
        if !matches!(crate::solve::solve(puzzle, &mut engine), crate::solve::Answer::None) {
            return None;
        }
    }
    let mut groups = clue_groups(puzzle, rules);
    for &fact in given {
        groups.add_group(&[vec![fact]]);
    }
    let all: Vec<usize> = (0..groups.len()).collect();
    let minimal = mus(&mut groups, &all)?;
    let count = puzzle.clues.len();
    Some(Refused::Clash {
        clues: minimal.iter().copied().filter(|&g| g < count).collect(),
        facts: minimal.iter().filter(|&&g| g >= count).map(|&g| given[g - count]).collect(),
    })
}

struct Search<'r> {
    board: Board<'r>,
    puzzle: &'r Puzzle,
    /// Assumptions that were seen to fail, by the length of their cases.
    failing: Vec<Failing>,
    /// The facts that follow at all, when several grids are possible; found when they are needed.
    targets: Option<Vec<Fact>>,
}

impl Search<'_> {
    fn run(&mut self, given: &[Fact], one_step: bool) -> Result<(Vec<Step>, bool), Conflict> {
        given.iter().try_for_each(|&fact| self.board.set(fact, None))?;
        let from = self.board.trail.len();
        self.board.start()?;
        self.board.propagate()?;
        if one_step && self.board.trail.len() > from {
            let mut steps = steps_since(&self.board, from);
            let known = |fact: &Fact| (self.board.place(*fact) as usize) < from;
            steps.retain(|step| step.premises.iter().all(known));
            let cost = |step: &Step| (step.premises.len(), !matches!(step.sources[..], [Source::Clue(_)]));
            return Ok((steps.into_iter().min_by_key(cost).into_iter().collect(), false));
        }
        while !self.board.is_complete() {
            let before = self.board.trail.len();
            if !self.by_case()? && !self.by_nested_case()? && !self.together()? {
                break;
            }
            if one_step {
                let steps = steps_since(&self.board, before);
                return Ok((steps.into_iter().take(1).collect(), false));
            }
            self.board.propagate()?;
        }
        Ok((steps_since(&self.board, from), self.board.is_complete()))
    }

    fn unknown(&self) -> Vec<usize> {
        (0..self.board.rules.facts.len()).filter(|&fact| self.board.value(fact).is_none()).collect()
    }

    /// Supposes a fact; if that fails, the way to the contradiction. The board is as before.
    fn suppose<T>(&mut self, fact: Fact, seen: impl FnOnce(&Board, usize, &Conflict) -> T) -> Option<T> {
        let from = self.board.trail.len();
        let outcome = self.board.set(fact, None).and_then(|()| self.board.propagate());
        let found = outcome.err().map(|conflict| seen(&self.board, from, &conflict));
        self.board.undo(from);
        found
    }

    /// One case analysis: of the assumptions that fail, the one with the shortest way to its contradiction.
    fn by_case(&mut self) -> Result<bool, Conflict> {
        let Some(failing) = self.shortest() else { return Ok(false) };
        let made = self.suppose(failing.assumption, case);
        let Some((case, premises)) = made else { return Ok(false) };
        let reason = Reason { why: Why::Case(Rc::new(case)), premises };
        self.board.set(!failing.assumption, Some(reason))?;
        Ok(true)
    }

    fn shortest(&mut self) -> Option<Failing> {
        let length = |board: &Board, from: usize, conflict: &Conflict| needed(board, from + 1, conflict).len();
        // What failed before still fails, perhaps sooner: the first that does so no later than the next in line did is taken.
        self.failing.retain(|failing| self.board.value(failing.assumption.var().index()).is_none());
        let mut found: Vec<Failing> = Vec::new();
        for (place, failing) in self.failing.clone().into_iter().enumerate() {
            if let Some(length) = self.suppose(failing.assumption, length) {
                self.failing[place].length = length;
                if self.failing.get(place + 1).is_none_or(|next| length <= next.length) {
                    return Some(self.failing[place]);
                }
                found.push(self.failing[place]);
            }
        }
        if found.is_empty() {
            for positive in [true, false] {
                for fact in self.unknown() {
                    let assumption = Var::new(fact as u32).lit(positive);
                    if let Some(length) = self.suppose(assumption, length) {
                        found.push(Failing { assumption, length });
                    }
                }
                if !found.is_empty() {
                    break;
                }
            }
        }
        found.sort_by_key(|failing| (failing.length, failing.assumption.code()));
        self.failing = found;
        self.failing.first().copied()
    }

    /// A case analysis with case analyses in it. Assumptions from which much follows are tried first; after some work this
    /// gives up.
    fn by_nested_case(&mut self) -> Result<bool, Conflict> {
        const MOST_TRIED: usize = 4;
        let mut candidates: Vec<(usize, Fact)> = Vec::new();
        for fact in self.unknown() {
            let assumption = Var::new(fact as u32).positive();
            let from = self.board.trail.len();
            if self.board.set(assumption, None).and_then(|()| self.board.propagate()).is_ok() {
                candidates.push((self.board.trail.len() - from, assumption));
            }
            self.board.undo(from);
        }
        candidates.sort_by_key(|&(count, fact)| (std::cmp::Reverse(count), fact.code()));
        let follows = self.targets();
        let failing: Vec<Fact> = candidates.into_iter().map(|c| c.1).filter(|&fact| follows.contains(&!fact)).collect();
        for assumption in failing.into_iter().take(MOST_TRIED) {
            if let Some((case, premises)) = self.nested(assumption) {
                let reason = Reason { why: Why::Case(Rc::new(case)), premises };
                self.board.set(!assumption, Some(reason))?;
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Leads an assumption to a contradiction by case analyses of one level.
    fn nested(&mut self, assumption: Fact) -> Option<(super::Case, Vec<Fact>)> {
        let from = self.board.trail.len();
        let kept = std::mem::take(&mut self.failing);
        let mut outcome = self.board.set(assumption, None).and_then(|()| self.board.propagate());
        while outcome.is_ok() {
            outcome = match self.by_case() {
                Ok(false) => break,
                Ok(true) => self.board.propagate(),
                Err(conflict) => Err(conflict),
            };
        }
        let found = outcome.err().map(|conflict| case(&self.board, from, &conflict));
        self.board.undo(from);
        self.failing = kept;
        found
    }

    /// All facts that follow from clues and given facts.
    fn targets(&mut self) -> Vec<Fact> {
        if let Some(targets) = &self.targets {
            return targets.clone();
        }
        let targets = self.backbone();
        self.targets = Some(targets.clone());
        targets
    }

    fn backbone(&self) -> Vec<Fact> {
        let rules = self.board.rules;
        let mut engine = putnam_cdcl::Solver::new();
        engine.declare(rules.facts.len() as u32 + own_vars(rules));
        for source in grid_sources(self.puzzle) {
            rules.clauses(source).iter().for_each(|clause| engine.add_clause(clause));
        }
        let mut shift = 0;
        for clue in 0..self.puzzle.clues.len() {
            shifted(rules, clue, &mut shift).iter().for_each(|clause| engine.add_clause(clause));
        }
        for (fact, reason) in &self.board.trail {
            if reason.is_none() {
                engine.add_clause(&[*fact]);
            }
        }
        let Outcome::Satisfiable(model) = engine.solve(&[]) else { return Vec::new() };
        let mut open: Vec<Fact> =
            self.unknown().into_iter().map(|fact| Var::new(fact as u32)).map(|var| var.lit(model.value(var))).collect();
        let mut targets = Vec::new();
        while let Some(fact) = open.pop() {
            match engine.solve(&[!fact]) {
                Outcome::Satisfiable(other) => open.retain(|&fact| other.satisfies(fact)),
                _ => targets.push(fact),
            }
        }
        targets
    }

    /// The last resort: a fact by a minimal set of clues, rules and known facts.
    fn together(&mut self) -> Result<bool, Conflict> {
        let targets = self.targets();
        let Some(&fact) =
            targets.iter().filter(|f| self.board.value(f.var().index()).is_none()).max_by_key(|f| f.is_positive())
        else {
            return Ok(false);
        };
        let rules = self.board.rules;
        let mut groups = Groups::new(rules.facts.len() as u32 + own_vars(rules));
        groups.add_hard(&[!fact]);
        let known: Vec<Fact> = self.board.trail.iter().map(|(fact, _)| *fact).collect();
        let clues = (0..self.puzzle.clues.len()).map(Source::Clue);
        let sources: Vec<Source> = clues.chain(grid_sources(self.puzzle)).collect();
        known.iter().for_each(|&fact| {
            groups.add_group(&[vec![fact]]);
        });
        let mut shift = 0;
        for &source in &sources {
            match source {
                Source::Clue(clue) => groups.add_group(&shifted(rules, clue, &mut shift)),
                rule => groups.add_group(&rules.clauses(rule)),
            };
        }
        let all: Vec<usize> = (0..groups.len()).collect();
        let Some(minimal) = mus(&mut groups, &all) else { return Ok(false) };
        let (facts, parts): (Vec<usize>, Vec<usize>) = minimal.into_iter().partition(|&g| g < known.len());
        let sources = parts.into_iter().map(|g| sources[g - known.len()]).collect();
        let premises = facts.into_iter().map(|g| known[g]).collect();
        self.board.set(fact, Some(Reason { why: Why::Together(Rc::new(sources)), premises }))?;
        Ok(true)
    }
}

/// The rules about which pairs of values are compared, for readers of steps.
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
            Source::Clue(_) => Vec::new(),
            Source::Partner(value, _) => vec![value],
            Source::Same(a, b, c) => vec![a, b, c],
        }
    }
}
