//! The search for steps.

use super::board::{Board, Conflict};
use super::ground::consequences;
use super::probes::Probes;
use super::rules::{Rules, Source};
use super::steps::{Step, case, needed, steps_since};
use super::{Fact, Refused};
use crate::puzzle::Puzzle;

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

/// Above so many facts the shortest cases matter less than that they are found soon.
const LARGE: usize = 2000;
/// So many cases are enough to choose from then.
const SOME: usize = 4;

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
    let rules = Rules::new(puzzle);
    let targets = consequences(puzzle, &rules.facts, given)?;
    let (steps, complete) = {
        let mut search = Search {
            board: Board::new(&rules),
            targets,
            failing: Vec::new(),
            useful: Vec::new(),
            nested: Vec::new(),
            inner: Vec::new(),
            tired: Vec::new(),
        };
        // What follows from consistent facts does not contradict itself.
        search.run(given, one_step).unwrap_or_default()
    };
    Ok(Explanation { rules, given: given.to_vec(), steps, complete })
}

/// A case that was found: the assumption that fails, and how long the way to the contradiction is.
#[derive(Clone, Copy)]
struct Failing {
    assumption: Fact,
    length: usize,
}

impl Failing {
    /// How long the way is for what it brings: that two values go together is worth far more than that they do not. In large
    /// puzzles the shortest way is taken, which is found sooner.
    fn effort(&self, board: &Board) -> usize {
        if board.choices(self.assumption) <= 2 { self.length } else { 4 * self.length }
    }
}

pub(super) struct Search<'r> {
    pub(super) board: Board<'r>,
    /// The facts that follow at all.
    targets: Vec<Fact>,
    /// Assumptions that were seen to fail, by the length of their cases.
    failing: Vec<Failing>,
    /// Assumptions that failed inside of others, the last one first: likely to do so again.
    pub(super) useful: Vec<Fact>,
    /// What may fail by cases within cases, in the order in which it is tried.
    pub(super) nested: Vec<Fact>,
    /// What may be supposed inside of that, in the order in which it is tried.
    pub(super) inner: Vec<Fact>,
    /// By literal code: how many times it was seen not to fail so.
    pub(super) tired: Vec<u32>,
}

impl Search<'_> {
    fn run(&mut self, given: &[Fact], one_step: bool) -> Result<(Vec<Step>, bool), Conflict> {
        given.iter().try_for_each(|&fact| self.board.give(fact))?;
        let from = self.board.trail.len();
        self.board.start()?;
        self.board.propagate()?;
        if one_step && self.board.trail.len() > from {
            let mut steps = steps_since(&self.board, from);
            let known = |fact: &Fact| (self.board.place(*fact) as usize) < from;
            steps.retain(|step| step.premises.iter().all(known));
            let cost = |step: &Step| (step.premises.len(), !matches!(step.sources[..], [Source::Clue(_)]));
            let cheapest = steps.into_iter().min_by_key(cost);
            if cheapest.is_some() {
                return Ok((cheapest.into_iter().collect(), false));
            }
        }
        let mut probes = None;
        while self.targets.iter().any(|&fact| !self.board.is_true(fact)) {
            let before = self.board.trail.len();
            let probes = probes.get_or_insert_with(|| Probes::new(&self.board, self.assumptions()));
            if !self.by_case(probes)? && !self.by_nested_case(probes)? {
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

    /// The assumptions that can fail, the positive ones first: the opposites of what follows and is not yet known.
    pub(super) fn candidates(&self) -> Vec<Fact> {
        let open = self.targets.iter().filter(|&&fact| !self.board.is_true(fact)).map(|&fact| !fact);
        let (positive, negative): (Vec<Fact>, Vec<Fact>) = open.partition(|fact| fact.is_positive());
        [positive, negative].concat()
    }

    /// Supposes a fact; if that fails, the way to the contradiction. The board is as before.
    pub(super) fn suppose<T>(&mut self, fact: Fact, seen: impl FnOnce(&Board, usize, &Conflict) -> T) -> Option<T> {
        self.try_out(fact, seen, None)
    }

    /// As [`Search::suppose`]; marks what follows from the assumption if that does not fail.
    pub(super) fn try_out<T>(
        &mut self,
        fact: Fact,
        seen: impl FnOnce(&Board, usize, &Conflict) -> T,
        harmless: Option<&mut [bool]>,
    ) -> Option<T> {
        let from = self.board.trail.len();
        let outcome = self.board.assume(fact);
        if let Some(harmless) = harmless
            && outcome.is_ok()
        {
            self.board.facts_since(from).for_each(|lit| harmless[lit.code()] = true);
        }
        let found = outcome.err().map(|conflict| seen(&self.board, from, &conflict));
        self.board.undo(from);
        found
    }

    pub(super) fn is_large(&self) -> bool {
        self.board.rules.facts.len() > LARGE
    }

    /// What may be supposed. Where values go together one to one, the opposites need not be: they fail only where all other partners
    /// fail. In small puzzles they are tried all the same, since their cases bring more.
    fn assumptions(&self) -> Vec<Fact> {
        let rules = self.board.rules;
        let large = self.is_large();
        let covered = |fact: Fact| {
            let index = fact.var().index();
            large && fact.is_negative() && index < rules.facts.num_pairs() && {
                let (a, b) = rules.facts.pair(index);
                let covers = |a: usize, b: usize| rules.at_least_one(a) && rules.at_most_one(a, b);
                covers(a.category, b.category) || covers(b.category, a.category)
            }
        };
        let open = self.board.unknown().flat_map(|var| [var.positive(), var.negative()]);
        open.filter(|&fact| !covered(fact)).collect()
    }

    /// One case analysis: of the assumptions that fail, the one with the shortest way to its contradiction.
    fn by_case(&mut self, probes: &mut Probes) -> Result<bool, Conflict> {
        let Some(assumption) = self.shortest(probes) else { return Ok(false) };
        let Some((case, premises)) = self.suppose(assumption, case) else { return Ok(false) };
        self.board.exclude(case, premises)?;
        Ok(true)
    }

    fn shortest(&mut self, probes: &mut Probes) -> Option<Fact> {
        // What failed before still fails, perhaps sooner: the first that does so no later than the next in line did is taken.
        self.failing.retain(|failing| self.board.is_open(failing.assumption));
        let mut found: Vec<Failing> = Vec::new();
        for (place, failing) in self.failing.clone().into_iter().enumerate() {
            if let Some(length) = self.suppose(failing.assumption, length) {
                self.failing[place].length = length;
                if self
                    .failing
                    .get(place + 1)
                    .is_none_or(|next| self.failing[place].effort(&self.board) <= next.effort(&self.board))
                {
                    return Some(failing.assumption);
                }
                found.push(self.failing[place]);
            }
        }
        if found.is_empty() {
            found = self.newly_failing(probes);
        }
        found.sort_by_key(|failing| {
            (failing.effort(&self.board), failing.assumption.is_negative(), failing.assumption.code())
        });
        self.failing = found;
        self.failing.first().map(|failing| failing.assumption)
    }

    /// The assumptions that fail because of what became known since the last time; in large puzzles only some of them, since much
    /// follows from these.
    fn newly_failing(&mut self, probes: &mut Probes) -> Vec<Failing> {
        let mut failing = Vec::new();
        let from = self.board.trail.len();
        let enough = if self.is_large() { SOME } else { usize::MAX };
        let mut dirty = probes.take_dirty(&self.board).into_iter();
        while failing.len() < enough
            && let Some(number) = dirty.next()
        {
            let assumption = probes.assumptions[number];
            match self.board.assume(assumption) {
                Ok(()) => probes.enter(number, &self.board.trail[from..]),
                Err(conflict) => failing.push(Failing { assumption, length: length(&self.board, from, &conflict) }),
            }
            self.board.undo(from);
        }
        probes.put_back(dirty);
        failing
    }
}

/// How many facts the way to a conflict has.
pub(super) fn length(board: &Board, from: usize, conflict: &Conflict) -> usize {
    needed(board, from + 1, conflict).len()
}
