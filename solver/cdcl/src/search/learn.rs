//! Clauses enter and leave: the arena, the watches, the counts and the proof.
//!
//! Eager subsumption: a new clause often contains fewer of the same literals as one of the last few, which is then not
//! needed any more (Biere, Splatz, 2016).

use super::propagate::Mode;
use crate::Solver;
use crate::data::arena::ClauseRef;
use crate::data::trail::{Reason, Why};
use crate::data::watch::Watch;
use putnam_formula::{Lit, Scratch};

impl Solver {
    /// Puts a clause of three or more literals into the arena; it is not watched yet.
    pub(crate) fn push_clause(&mut self, lits: &[Lit], redundant: bool, glue: u32) -> ClauseRef {
        *self.count_of(redundant) += 1;
        lits.iter().for_each(|lit| self.schedule.added[lit.var().index()] = true);
        if !redundant {
            for lit in lits {
                self.schedule.unfactored[lit.code()] = true;
                self.schedule.unblocked[lit.code()] = true;
            }
        }
        self.arena.push(lits, redundant, glue)
    }

    pub(crate) fn count_of(&mut self, redundant: bool) -> &mut u64 {
        if redundant { &mut self.num_redundant } else { &mut self.num_irredundant }
    }

    /// Watches the first two literals of a clause.
    pub(crate) fn watch_large(&mut self, clause: ClauseRef) {
        let lits = self.arena.lits(clause);
        let (first, second) = (lits[0], lits[1]);
        self.watches.push(first, Watch::large(second, clause));
        self.watches.push(second, Watch::large(first, clause));
    }

    /// Adds a binary clause to the watch lists and counts it.
    pub(crate) fn watch_binary(&mut self, first: Lit, second: Lit, redundant: bool) {
        *self.count_of(redundant) += 1;
        if !redundant {
            [first, second].iter().for_each(|lit| self.schedule.unfactored[lit.code()] = true);
        }
        self.watches.push(first, Watch::binary(second, redundant));
        self.watches.push(second, Watch::binary(first, redundant));
    }

    /// Takes a clause out of the proof and the counts; its words stay until the next collection, and propagation passes
    /// it over.
    pub(crate) fn mark_garbage(&mut self, clause: ClauseRef) {
        debug_assert!(!self.arena.is_garbage(clause));
        self.proof.delete(&self.map, self.arena.lits(clause));
        let redundant = self.arena.is_redundant(clause);
        *self.count_of(redundant) -= 1;
        if !redundant {
            self.touch_removed(clause);
        }
        self.arena.mark_garbage(clause);
    }

    /// Makes a learned clause one of the formula, because it stands for one.
    pub(crate) fn make_irredundant(&mut self, clause: ClauseRef) {
        if self.arena.is_redundant(clause) {
            self.arena.make_irredundant(clause);
            self.num_redundant -= 1;
            self.num_irredundant += 1;
        }
    }

    /// Makes a learned binary clause one of the formula; nothing happens when the formula has it already.
    pub(crate) fn make_binary_irredundant(&mut self, first: Lit, second: Lit) {
        let irredundant = Watch::binary(second, false);
        if self.watches.get(first).iter().any(|watch| watch == irredundant) {
            return;
        }
        for (lit, other) in [(first, second), (second, first)] {
            let learned = Watch::binary(other, true);
            let mut found = false;
            self.watches.retain(lit, |watch| {
                if !found && *watch == learned {
                    found = true;
                    *watch = Watch::binary(other, false);
                }
                true
            });
            debug_assert!(found, "binary clauses are in both lists");
        }
        self.num_redundant -= 1;
        self.num_irredundant += 1;
    }

    /// Whether the clause is the reason of an assigned literal.
    pub(crate) fn is_reason(&self, clause: ClauseRef) -> bool {
        self.arena.lits(clause)[..2]
            .iter()
            .any(|&lit| self.values.is_true(lit) && self.trail.reason(lit) == Why::Clause(clause))
    }

    /// Removes those of the last learned clauses that the new one, still in the analysis, subsumes. One that has come
    /// to stand for a clause of the formula stays: the new clause may be forgotten.
    pub(crate) fn subsume_eagerly(&mut self, new: ClauseRef) {
        if self.options.eager == 0 {
            return;
        }
        let clause = &self.analysis.clause;
        clause.iter().for_each(|lit| self.analysis.marks[lit.var().index()] = 1 + lit.is_negative() as u8);
        for i in 0..self.recent.len() {
            let old = self.recent[i];
            let lits = self.arena.lits(old);
            let is_candidate = self.arena.is_redundant(old) && !self.arena.is_garbage(old);
            if !is_candidate || lits.len() < self.analysis.clause.len() {
                continue;
            }
            let shared =
                lits.iter().filter(|l| self.analysis.marks[l.var().index()] == 1 + l.is_negative() as u8).count();
            if shared == self.analysis.clause.len() && !self.is_reason(old) {
                self.mark_garbage(old);
                self.statistics.eagerly_subsumed += 1;
            }
        }
        self.analysis.clause.iter().for_each(|lit| self.analysis.marks[lit.var().index()] = 0);
        if self.recent.len() >= self.options.eager as usize {
            self.recent.pop_front();
        }
        self.recent.push_back(new);
    }

    /// Connects the clauses that were added since the last call of solve.
    pub(crate) fn connect(&mut self) {
        debug_assert_eq!(self.trail.level(), 0);
        let first = self.arena.first_from(self.connected);
        let new = |solver: &Self, clause: ClauseRef| solver.arena.next(clause);
        let mut counts = Scratch::from(vec![0u32; self.watches.num_lists()]);
        let binaries = std::mem::take(&mut self.new_binaries);
        binaries.visit(|clause| {
            clause.iter().for_each(|lit| counts[lit.code()] += 1);
            true
        });
        let mut total = binaries.num_clauses();
        let mut next = first;
        while let Some(clause) = next {
            self.arena.lits(clause)[..2].iter().for_each(|lit| counts[lit.code()] += 2);
            total += 1;
            next = new(self, clause);
        }
        // A few clauses grow their lists by themselves.
        if total > self.watches.num_lists() / 16 {
            self.watches.reserve(&counts);
        }
        drop(counts);
        binaries.visit(|clause| {
            self.watches.push(clause[0], Watch::binary(clause[1], false));
            self.watches.push(clause[1], Watch::binary(clause[0], false));
            true
        });
        binaries.release();
        let mut next = first;
        while let Some(clause) = next {
            self.watch_large(clause);
            next = new(self, clause);
        }
        self.connected = self.arena.len();
    }

    /// Decides a literal and propagates; answers whether there was no conflict.
    pub(crate) fn decide_and_propagate<M: Mode>(&mut self, lit: Lit, mode: &M) -> bool {
        self.trail.open_level(Some(lit));
        self.assign(lit, Reason::NOTHING);
        self.propagate(mode).is_none()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use putnam_formula::Var;

    #[test]
    fn eager_subsumption_leaves_what_stands_for_a_clause_of_the_formula() {
        let mut solver = Solver::new();
        let lits: Vec<Lit> = (0..5).map(|i| Var::new(i).positive()).collect();
        solver.add_clause(&lits);
        solver.connect();
        let [forgettable, needed] = [&lits[..4], &lits[1..]].map(|clause| solver.push_clause(clause, true, 2));
        solver.make_irredundant(needed);
        let new = solver.push_clause(&lits[1..4], true, 2);
        [forgettable, needed, new].iter().for_each(|&clause| solver.watch_large(clause));
        solver.recent.extend([forgettable, needed]);
        solver.analysis.clause = lits[1..4].to_vec();
        solver.subsume_eagerly(new);
        assert_eq!([forgettable, needed, new].map(|clause| solver.arena.is_garbage(clause)), [true, false, false]);
        assert_eq!((solver.num_irredundant, solver.num_redundant), (2, 1));
    }
}
