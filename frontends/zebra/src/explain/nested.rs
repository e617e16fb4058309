//! Cases within cases.
//!
//! Where no assumption fails by itself, contradictions are looked for inside of assumptions: supposing A, everything that fails
//! beside A is excluded, until nothing is left or nothing more fails. Where l alone brings not-n, and A brings n, l fails beside
//! A, and nothing need be tried to see it. Everything is tried out only where that leads nowhere. Inner cases that turn out to
//! matter are worked out at the end.

use super::Fact;
use super::board::Conflict;
use super::probes::Probes;
use super::search::{Search, length};
use super::steps::{Case, case, needed};
use std::cmp::Reverse;

/// How much is tried for short cases.
struct Effort {
    /// So many candidates are looked at with little effort for one with much.
    easy: usize,
    /// So many cases are compared.
    enough: usize,
    /// Up to so many inner cases their order is by length.
    compared: usize,
}

impl Effort {
    const SMALL: Self = Self { easy: 16, enough: 16, compared: 12 };
    /// In large puzzles a way takes long to follow, and some steps more are no matter.
    const LARGE: Self = Self { easy: 32, enough: 1, compared: 0 };
}

/// A case that was found, with what it uses from outside.
type Found = (Case, Vec<Fact>);

impl Search<'_> {
    /// A case analysis with case analyses in it, nested no deeper than is needed.
    pub(super) fn by_nested_case(&mut self, probes: &Probes) -> Result<bool, Conflict> {
        self.order_candidates(probes);
        let deeper = 3..=self.board.rules.facts.len();
        match self.two_deep(probes).or_else(|| deeper.into_iter().find_map(|depth| self.deeper(probes, depth))) {
            Some((case, premises)) => self.board.exclude(case, premises).map(|()| true),
            None => Ok(false),
        }
    }

    /// Puts what may fail in an order: what did not often fail last, then that from which most follows first.
    fn order_candidates(&mut self, probes: &Probes) {
        self.tired.resize(2 * self.board.rules.facts.len(), 0);
        let mut can_fail = vec![false; self.tired.len()];
        self.candidates().into_iter().for_each(|fact| can_fail[fact.code()] = true);
        let all = probes.assumptions.iter().copied().zip(probes.counts.iter().copied());
        let mut all: Vec<(Fact, usize)> = all.filter(|&(fact, _)| self.board.is_open(fact)).collect();
        all.sort_by_key(|&(fact, count)| (Reverse(count), fact.code()));
        self.inner = all.iter().map(|&(fact, _)| fact).collect();
        self.nested = self.inner.iter().copied().filter(|fact| can_fail[fact.code()]).collect();
        // In small puzzles what brings more comes first.
        let large = self.is_large();
        let brings = |fact: Fact| large || self.board.choices(fact) <= 2;
        self.nested.sort_by_key(|&fact| (self.tired[fact.code()], !brings(fact)));
    }

    fn effort(&self) -> Effort {
        if self.is_large() { Effort::LARGE } else { Effort::SMALL }
    }

    /// A case nested two deep, a short one if all literals of one clause fail in it. Otherwise the first that is found: whether inner
    /// cases that are seen without trying are enough is found out soon, and after some candidates for which they are not, everything is
    /// tried out beside one.
    fn two_deep(&mut self, probes: &Probes) -> Option<Found> {
        let found = self.beside_clauses(probes);
        if found.is_some() {
            return found;
        }
        let candidates = self.nested.clone();
        let (mut safe, mut seen) = (vec![false; self.tired.len()], vec![false; self.tired.len()]);
        let mut thorough = candidates.iter();
        for some in candidates.chunks(self.effort().easy) {
            let easy = some.iter().find_map(|&assumption| self.beside(probes, assumption, &mut seen));
            let found = easy.or_else(|| self.refute(probes, *thorough.next()?, 2, &mut safe));
            if found.is_some() {
                return found;
            }
        }
        thorough.find_map(|&assumption| self.refute(probes, assumption, 2, &mut safe))
    }

    /// A case nested two deep in which all literals of a clause or rule fail: a short one of those.
    fn beside_clauses(&mut self, probes: &Probes) -> Option<Found> {
        let enough = self.effort().enough;
        let mut found = probes.beside_clauses(&self.board, &self.nested, enough);
        found.sort_by_key(|(_, inner)| inner.len());
        let mut best: Option<(usize, Found)> = None;
        for (assumption, inner) in found.iter().take(enough) {
            if let Some((found, _)) = self.replay(*assumption, inner) {
                let length = found.0.length();
                if best.as_ref().is_none_or(|(least, _)| length < *least) {
                    best = Some((length, found));
                }
            }
        }
        best.map(|(_, found)| found)
    }

    /// A case nested two deep whose inner cases are seen without trying; marks what follows from the assumption if there is none.
    fn beside(&mut self, probes: &Probes, assumption: Fact, safe: &mut [bool]) -> Option<Found> {
        if safe[assumption.code()] || !self.board.is_open(assumption) {
            return None;
        }
        let from = self.board.trail.len();
        let outcome = self.board.assume(assumption).and_then(|()| self.exclude_beside(probes, from));
        match outcome {
            Ok(()) => {
                self.board.facts_since(from).for_each(|lit| safe[lit.code()] = true);
                self.board.undo(from);
                None
            }
            Err(conflict) => self.work_out(from, &conflict),
        }
    }

    /// Excludes what cannot be beside the literals from place `next` on, as far as that is seen without trying.
    fn exclude_beside(&mut self, probes: &Probes, mut next: usize) -> Result<(), Conflict> {
        while let Some(&known) = self.board.trail.get(next) {
            next += 1;
            let before = self.board.trail.len();
            for fact in probes.implying(!known) {
                if self.board.is_open(fact) {
                    self.board.rule_out(fact, known);
                }
            }
            if self.board.trail.len() > before {
                self.board.propagate()?;
            }
        }
        Ok(())
    }

    /// From the trail from `from` on, which begins with an assumption and led to a conflict: the case, with the inner cases that
    /// matter. The board goes back to before the assumption.
    fn work_out(&mut self, from: usize, conflict: &Conflict) -> Option<Found> {
        let assumption = self.board.trail[from];
        let mut inner = self.inner(from, conflict);
        self.board.undo(from);
        loop {
            let (found, fewer) = self.replay(assumption, &inner)?;
            if fewer.len() >= inner.len() {
                return Some(found);
            }
            inner = fewer;
        }
    }

    /// The inner assumptions that a conflict rests on, in their order.
    fn inner(&self, from: usize, conflict: &Conflict) -> Vec<Fact> {
        let needed = needed(&self.board, from + 1, conflict).into_iter();
        needed.filter(|&fact| self.board.is_excluded(fact)).map(|fact| !fact).collect()
    }

    /// The case of an assumption in which some inner assumptions fail, one after the other, if they are few the one with the
    /// shortest way to its contradiction first; with the inner assumptions that matter.
    fn replay(&mut self, assumption: Fact, inner: &[Fact]) -> Option<(Found, Vec<Fact>)> {
        let from = self.board.trail.len();
        let mut outcome = self.board.assume(assumption);
        let mut open = inner.to_vec();
        while outcome.is_ok() {
            open.retain(|&fact| self.board.is_open(fact));
            let fails = if open.len() > self.effort().compared { open.first() } else { self.first_to_fail(&open) };
            let Some(&fact) = fails else { break };
            match self.suppose(fact, case) {
                Some((case, premises)) => {
                    self.remember(fact);
                    outcome = self.board.exclude(case, premises).and_then(|()| self.board.propagate());
                }
                None => open.retain(|&other| other != fact),
            }
        }
        let found = outcome.err().map(|conflict| (case(&self.board, from, &conflict), self.inner(from, &conflict)));
        self.board.undo(from);
        found
    }

    /// Of some assumptions that with the shortest way to its contradiction.
    fn first_to_fail<'f>(&mut self, assumptions: &'f [Fact]) -> Option<&'f Fact> {
        let mut best = None;
        for fact in assumptions {
            if let Some(length) = self.suppose(*fact, length)
                && best.is_none_or(|(least, _)| length < least)
            {
                best = Some((length, fact));
            }
        }
        best.map(|(_, fact)| fact)
    }

    /// A case nested up to `depth` deep, from the first candidate that has one; everything is tried out.
    fn deeper(&mut self, probes: &Probes, depth: usize) -> Option<Found> {
        let mut safe = vec![false; self.tired.len()];
        let candidates = self.nested.clone();
        candidates.into_iter().find_map(|assumption| self.refute(probes, assumption, depth, &mut safe))
    }

    /// Leads an assumption to a contradiction by cases nested up to `depth` deep, the assumption's own included, unless it is marked;
    /// marks what follows from it if that is not possible.
    fn refute(&mut self, probes: &Probes, assumption: Fact, depth: usize, safe: &mut [bool]) -> Option<Found> {
        if safe[assumption.code()] || !self.board.is_open(assumption) {
            return None;
        }
        if depth == 1 {
            return self.try_out(assumption, case, Some(safe));
        }
        let from = self.board.trail.len();
        let outcome = self.board.assume(assumption).and_then(|()| self.close(probes, from, depth - 1));
        match outcome {
            Ok(()) => {
                for lit in self.board.facts_since(from) {
                    safe[lit.code()] = true;
                    self.tired[lit.code()] += 1;
                }
                self.board.undo(from);
                None
            }
            Err(conflict) if depth == 2 => self.work_out(from, &conflict),
            Err(conflict) => {
                let found = case(&self.board, from, &conflict);
                self.board.undo(from);
                Some(found)
            }
        }
    }

    /// Draws conclusions by cases nested up to `depth` deep, as deep as is needed, until a contradiction arises, or nothing more
    /// follows. The trail from `from` on began with an assumption.
    fn close(&mut self, probes: &Probes, from: usize, depth: usize) -> Result<(), Conflict> {
        let (mut level, mut looked) = (1, from);
        while level <= depth {
            let before = self.board.trail.len();
            let mut safe = vec![false; self.tired.len()];
            let all: Vec<Fact> = self.useful.iter().chain(&self.inner).copied().collect();
            for assumption in all {
                if depth == 1 {
                    self.exclude_beside(probes, looked)?;
                    looked = self.board.trail.len();
                }
                if let Some((case, premises)) = self.refute(probes, assumption, level, &mut safe) {
                    self.remember(assumption);
                    self.board.exclude(case, premises)?;
                    self.board.propagate()?;
                }
            }
            level = if self.board.trail.len() > before { 1 } else { level + 1 };
        }
        Ok(())
    }

    fn remember(&mut self, assumption: Fact) {
        self.useful.retain(|&fact| fact != assumption);
        self.useful.insert(0, assumption);
        self.useful.truncate(200);
    }
}
