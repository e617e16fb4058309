//! Cases within cases.
//!
//! Where no assumption fails by itself, contradictions are looked for inside of assumptions: supposing A, everything that fails
//! beside A is excluded, until nothing is left or nothing more fails. Trying out every fact inside of every assumption would take
//! most of the time. So what follows from each fact alone is found once and turned round: where l brings not-n, and A brings n, l
//! fails beside A, and nothing need be tried to see it. What followed once still follows when more is known. Everything is
//! tried out only where that leads nowhere, so that cases are nested no deeper than is needed.

use super::Fact;
use super::board::Conflict;
use super::search::{REACHES, Search};
use super::steps::{Case, case};
use std::cmp::Reverse;

/// What follows from single facts, turned round.
#[derive(Default)]
pub(super) struct Implying {
    /// `by[n]`: the facts from each of which n follows, with what was known when this was found.
    by: Vec<Vec<Fact>>,
    /// How much was known then.
    known: usize,
    /// How much of what is known was looked at for assumptions that fail.
    looked: usize,
    /// The assumptions that may fail, those from which most follows first, and the next one to try. What was tried last is tried
    /// last again: it became no more likely to fail.
    candidates: Vec<Fact>,
    next: usize,
}

impl Search<'_> {
    /// Assumptions that fail because of what became known since the last time, as far as that is seen without trying.
    pub(super) fn newly_failing(&mut self) -> Vec<Fact> {
        let mut failing: Vec<Fact> = Vec::new();
        if !self.implying.by.is_empty() {
            for known in self.board.facts_since(self.implying.looked) {
                let open = |&&fact: &&Fact| self.board.value(fact.var().index()).is_none();
                failing.extend(self.implying.by[(!known).code()].iter().filter(open));
            }
            self.implying.looked = self.board.trail.len();
            failing.sort_unstable();
            failing.dedup();
        }
        failing
    }

    /// Finds what follows from each single fact; nothing fails by itself.
    fn find_implications(&mut self) -> Result<(), Conflict> {
        let from = self.board.trail.len();
        let mut by: Vec<Vec<Fact>> = vec![Vec::new(); 2 * self.board.rules.facts.len()];
        let mut candidates: Vec<(usize, Fact)> = Vec::new();
        let mut can_fail = vec![false; by.len()];
        self.candidates().into_iter().for_each(|fact| can_fail[fact.code()] = true);
        let unknown: Vec<Fact> = self.board.unknown().flat_map(|var| [var.positive(), var.negative()]).collect();
        for fact in unknown {
            let outcome = self.board.assume(fact, usize::MAX);
            self.board.facts_since(from).for_each(|lit| by[lit.code()].push(fact));
            if can_fail[fact.code()] {
                candidates.push((self.board.trail.len() - from, fact));
            }
            self.board.undo(from);
            outcome?;
        }
        candidates.sort_by_key(|&(count, fact)| (Reverse(count), fact.code()));
        let candidates = candidates.into_iter().map(|(_, fact)| fact).collect();
        self.implying = Implying { by, known: from, looked: from, candidates, next: 0 };
        Ok(())
    }

    /// A case analysis with case analyses in it, nested no deeper than is needed; where everything is tried out, with little effort
    /// before more.
    pub(super) fn by_nested_case(&mut self) -> Result<bool, Conflict> {
        if self.by_implications()? {
            return Ok(true);
        }
        if self.implying.known < self.board.trail.len() || self.implying.by.is_empty() {
            self.find_implications()?;
            if self.by_implications()? {
                return Ok(true);
            }
        }
        let candidates = self.implying.candidates.clone();
        if candidates.is_empty() {
            return Ok(false);
        }
        for depth in 2.. {
            for reach in REACHES {
                for &assumption in &candidates {
                    if let Some((case, premises)) = self.refute(assumption, depth, reach) {
                        self.board.exclude(case, premises)?;
                        return Ok(true);
                    }
                }
            }
        }
        Ok(false)
    }

    /// A case analysis nested two deep whose inner cases are seen without trying, from the first candidate that has one.
    fn by_implications(&mut self) -> Result<bool, Conflict> {
        let mut harmless = vec![false; 2 * self.board.rules.facts.len()];
        for _ in 0..self.implying.candidates.len() {
            let assumption = self.implying.candidates[self.implying.next];
            self.implying.next = (self.implying.next + 1) % self.implying.candidates.len();
            if harmless[assumption.code()] || self.board.value(assumption.var().index()).is_some() {
                continue;
            }
            let from = self.board.trail.len();
            let outcome = self.board.assume(assumption, usize::MAX);
            let outcome = outcome.and_then(|()| self.exclude_implying(from));
            if outcome.is_ok() {
                self.board.facts_since(from).for_each(|lit| harmless[lit.code()] = true);
            }
            let found = outcome.err().map(|conflict| case(&self.board, from, &conflict));
            self.board.undo(from);
            if let Some((case, premises)) = found {
                self.board.exclude(case, premises)?;
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Excludes what cannot be beside the facts from place `from` on, as far as that is seen without trying.
    fn exclude_implying(&mut self, from: usize) -> Result<(), Conflict> {
        let mut next = from;
        while let Some(&known) = self.board.trail.get(next) {
            next += 1;
            let count = if self.board.is_fact(known) { self.implying.by[(!known).code()].len() } else { 0 };
            for i in 0..count {
                let fact = self.implying.by[(!known).code()][i];
                if self.board.value(fact.var().index()).is_none()
                    && let Some((case, premises)) = self.suppose(fact, usize::MAX, case)
                {
                    self.board.exclude(case, premises)?;
                    self.board.propagate(usize::MAX)?;
                }
            }
        }
        Ok(())
    }

    /// Leads an assumption to a contradiction by cases nested up to `depth` deep, the assumption's own included.
    fn refute(&mut self, assumption: Fact, depth: usize, reach: usize) -> Option<(Case, Vec<Fact>)> {
        if depth == 1 {
            return self.suppose(assumption, reach, case);
        }
        let from = self.board.trail.len();
        let outcome = self.board.assume(assumption, usize::MAX);
        let outcome = outcome.and_then(|()| self.close(depth - 1, reach));
        let found = outcome.err().map(|conflict| case(&self.board, from, &conflict));
        self.board.undo(from);
        found
    }

    /// Draws conclusions by cases nested up to `depth` deep until a contradiction arises, or nothing more follows.
    fn close(&mut self, depth: usize, reach: usize) -> Result<(), Conflict> {
        let reaches: Vec<usize> = REACHES.iter().copied().filter(|&r| r <= reach).collect();
        let mut next = 0;
        while let Some(&reach) = reaches.get(next) {
            let unknown: Vec<Fact> = self.board.unknown().map(|var| var.positive()).collect();
            let all = self.useful.clone().into_iter().chain(unknown.iter().copied()).chain(unknown.iter().map(|&f| !f));
            let mut progress = false;
            for assumption in all {
                if self.board.value(assumption.var().index()).is_some() {
                    continue;
                }
                if let Some((case, premises)) = self.refute(assumption, depth, reach) {
                    self.remember(assumption);
                    self.board.exclude(case, premises)?;
                    self.board.propagate(usize::MAX)?;
                    progress = true;
                }
            }
            next = if progress { 0 } else { next + 1 };
        }
        Ok(())
    }

    fn remember(&mut self, assumption: Fact) {
        self.useful.retain(|&fact| fact != assumption);
        self.useful.insert(0, assumption);
        self.useful.truncate(200);
    }
}
