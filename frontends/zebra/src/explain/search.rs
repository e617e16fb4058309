//! The search for steps.

use super::board::{Board, Conflict};
use super::ground::consequences;
use super::nested::Implying;
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

/// Above so many facts a case is not followed to its end at first.
const LARGE: usize = 2000;
/// How many facts may become known in a case before it is left for the time being. What fails early fails for a short reason.
pub(super) const REACHES: [usize; 4] = [30, 120, 480, usize::MAX];

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
            implying: Implying::default(),
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
    fn effort(&self, large: bool) -> usize {
        if large || self.assumption.is_negative() { self.length } else { 4 * self.length }
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
    /// What follows from single facts, turned round.
    pub(super) implying: Implying,
}

impl Search<'_> {
    fn run(&mut self, given: &[Fact], one_step: bool) -> Result<(Vec<Step>, bool), Conflict> {
        given.iter().try_for_each(|&fact| self.board.give(fact))?;
        let from = self.board.trail.len();
        self.board.start()?;
        self.board.propagate(usize::MAX)?;
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
        while self.targets.iter().any(|&fact| !self.board.is_true(fact)) {
            let before = self.board.trail.len();
            if !self.by_case()? && !self.by_nested_case()? {
                break;
            }
            if one_step {
                let steps = steps_since(&self.board, before);
                return Ok((steps.into_iter().take(1).collect(), false));
            }
            self.board.propagate(usize::MAX)?;
        }
        Ok((steps_since(&self.board, from), self.board.is_complete()))
    }

    /// The assumptions that can fail, the positive ones first: the opposites of what follows and is not yet known.
    pub(super) fn candidates(&self) -> Vec<Fact> {
        let open = self.targets.iter().filter(|&&fact| !self.board.is_true(fact)).map(|&fact| !fact);
        let (positive, negative): (Vec<Fact>, Vec<Fact>) = open.partition(|fact| fact.is_positive());
        [positive, negative].concat()
    }

    /// Supposes a fact; if that fails before more than `reach` facts have followed, the way to the contradiction. The board is
    /// as before.
    pub(super) fn suppose<T>(
        &mut self,
        fact: Fact,
        reach: usize,
        seen: impl FnOnce(&Board, usize, &Conflict) -> T,
    ) -> Option<T> {
        self.try_out(fact, reach, seen, None)
    }

    /// As [`Search::suppose`]; marks what follows from the assumption if that does not fail.
    fn try_out<T>(
        &mut self,
        fact: Fact,
        reach: usize,
        seen: impl FnOnce(&Board, usize, &Conflict) -> T,
        harmless: Option<&mut [bool]>,
    ) -> Option<T> {
        let from = self.board.trail.len();
        let most = from.saturating_add(reach);
        let outcome = self.board.assume(fact, most);
        if let Some(harmless) = harmless
            && outcome.is_ok()
            && self.board.trail.len() <= most
        {
            self.board.facts_since(from).for_each(|lit| harmless[lit.code()] = true);
        }
        let found = outcome.err().map(|conflict| seen(&self.board, from, &conflict));
        self.board.undo(from);
        found
    }

    /// One case analysis: of the assumptions that fail, the one with the shortest way to its contradiction.
    fn by_case(&mut self) -> Result<bool, Conflict> {
        let Some(assumption) = self.shortest() else { return Ok(false) };
        let Some((case, premises)) = self.suppose(assumption, usize::MAX, case) else { return Ok(false) };
        self.board.exclude(case, premises)?;
        Ok(true)
    }

    fn shortest(&mut self) -> Option<Fact> {
        let length = |board: &Board, from: usize, conflict: &Conflict| needed(board, from + 1, conflict).len();
        let large = self.board.rules.facts.len() > LARGE;
        // What failed before still fails, perhaps sooner: the first that does so no later than the next in line did is taken.
        self.failing.retain(|failing| self.board.value(failing.assumption.var().index()).is_none());
        let mut found: Vec<Failing> = Vec::new();
        for (place, failing) in self.failing.clone().into_iter().enumerate() {
            if let Some(length) = self.suppose(failing.assumption, usize::MAX, length) {
                self.failing[place].length = length;
                if self
                    .failing
                    .get(place + 1)
                    .is_none_or(|next| self.failing[place].effort(large) <= next.effort(large))
                {
                    return Some(failing.assumption);
                }
                found.push(self.failing[place]);
            }
        }
        if found.is_empty() && large {
            for assumption in self.newly_failing() {
                found.extend(self.suppose(assumption, usize::MAX, length).map(|length| Failing { assumption, length }));
            }
        }
        let candidates = if found.is_empty() { self.candidates() } else { Vec::new() };
        let reaches = if large { &REACHES[..] } else { &[usize::MAX] };
        // What follows from an assumption that does not fail does not fail either.
        let mut harmless = vec![false; 2 * self.board.rules.facts.len()];
        for &reach in reaches {
            if !found.is_empty() {
                break;
            }
            for &assumption in &candidates {
                if harmless[assumption.code()] {
                    continue;
                }
                if let Some(length) = self.try_out(assumption, reach, length, Some(&mut harmless)) {
                    found.push(Failing { assumption, length });
                }
            }
        }
        found.sort_by_key(|failing| {
            (failing.effort(large), failing.assumption.is_negative(), failing.assumption.code())
        });
        self.failing = found;
        self.failing.first().map(|failing| failing.assumption)
    }
}
