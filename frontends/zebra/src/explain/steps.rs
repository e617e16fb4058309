//! Steps of an explanation.

use super::Fact;
use super::board::{Board, Conflict, Why};
use super::rules::Source;
use std::rc::Rc;

/// New facts and why they are so.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// The new facts.
    pub facts: Vec<Fact>,
    /// The known facts that are used.
    pub premises: Vec<Fact>,
    /// The clues and rules that are used; empty for a case analysis.
    pub sources: Vec<Source>,
    /// For a case analysis: what follows from the opposite.
    pub case: Option<Rc<Case>>,
}

/// What follows from an assumption, up to a contradiction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Case {
    /// What is supposed.
    pub assumption: Fact,
    /// What follows, step by step.
    pub steps: Vec<Step>,
    /// The clues and rules that the known facts then contradict.
    pub sources: Vec<Source>,
    /// These facts.
    pub premises: Vec<Fact>,
}

impl Case {
    /// How many facts the way to the contradiction has, those of inner cases too.
    pub(super) fn length(&self) -> usize {
        let inner = |step: &Step| step.facts.len() + step.case.as_ref().map_or(0, |case| case.length());
        self.steps.iter().map(inner).sum()
    }
}

impl Step {
    /// How deep case analyses are nested in the step: 0 without one.
    pub fn depth(&self) -> usize {
        self.case.as_ref().map_or(0, |case| 1 + case.steps.iter().map(Step::depth).max().unwrap_or(0))
    }

    fn from_reason(fact: Fact, (why, premises): (Why, Vec<Fact>)) -> Self {
        let (sources, case) = match why {
            Why::By(source) => (vec![source], None),
            Why::Case(case) => (Vec::new(), Some(case)),
        };
        Self { facts: vec![fact], premises, sources, case }
    }

    /// Takes the next step into this one, if both are one thought: the same clue or rule and the same premises, or one pair
    /// of values compared with all others.
    fn absorb(&mut self, next: &Step) -> bool {
        let ([first, ..], [source]) = (&self.sources[..], &next.sources[..]) else { return false };
        match (first, source) {
            (Source::Same(a, b, _), Source::Same(c, d, _)) if (a, b) == (c, d) => {
                // The first premise is what is known of the pair; the others are about the third values. A conclusion that is
                // used at once belongs to the next step.
                if self.premises.first() != next.premises.first()
                    || next.premises.iter().any(|premise| self.facts.contains(premise))
                {
                    return false;
                }
                self.sources.push(*source);
                self.premises.extend(&next.premises[1..]);
            }
            _ if first == source && self.premises == next.premises => {}
            _ => return false,
        }
        self.facts.extend(&next.facts);
        true
    }
}

/// The known facts from place `from` on as steps.
pub(super) fn steps_since(board: &Board, from: usize) -> Vec<Step> {
    let facts = board.trail[from..].iter().filter(|&&lit| board.is_fact(lit));
    merged(facts.filter_map(|&fact| Some(Step::from_reason(fact, board.reason(fact)?))))
}

fn merged(steps: impl Iterator<Item = Step>) -> Vec<Step> {
    let mut merged: Vec<Step> = Vec::new();
    for step in steps {
        let taken =
            merged.last_mut().is_some_and(|last| last.case.is_none() && step.case.is_none() && last.absorb(&step));
        if !taken {
            merged.push(step);
        }
    }
    merged
}

/// The facts from place `from` on that a conflict rests on, in their order.
pub(super) fn needed(board: &Board, from: usize, conflict: &Conflict) -> Vec<Fact> {
    let mut wanted = vec![false; board.trail.len() - from];
    let mut open: Vec<Fact> = board.conflict(conflict).1;
    while let Some(fact) = open.pop() {
        let place = board.place(fact) as usize;
        if place >= from && !wanted[place - from] {
            wanted[place - from] = true;
            open.extend(board.premises(fact));
        }
    }
    (0..wanted.len()).filter(|&i| wanted[i]).map(|i| board.trail[from + i]).collect()
}

/// The case that a conflict closes: the board's trail from `from` on begins with the assumption. With it the facts outside
/// the case that are used.
pub(super) fn case(board: &Board, from: usize, conflict: &Conflict) -> (Case, Vec<Fact>) {
    let assumption = board.trail[from];
    let facts = needed(board, from + 1, conflict).into_iter();
    let steps = merged(facts.filter_map(|fact| Some(Step::from_reason(fact, board.reason(fact)?))));
    let (why, premises) = board.conflict(conflict);
    let sources = match why {
        Why::By(source) => vec![source],
        Why::Case(_) => Vec::new(),
    };
    let inner = steps.iter().flat_map(|step| &step.premises).chain(&premises);
    let mut outside: Vec<Fact> = inner.copied().filter(|&fact| (board.place(fact) as usize) < from).collect();
    outside.sort_unstable();
    outside.dedup();
    (Case { assumption, steps, sources, premises }, outside)
}
