//! Dense mode: while clauses are removed and resolved, every irredundant large clause is in the lists of all its
//! literals and none is watched; binary clauses stay in the watch lists. Redundant large clauses wait outside; those
//! that lost a variable meanwhile are dropped at the end.
//!
//! Binary clauses of a removed variable stay in the list of the other literal until the end; whoever reads lists passes
//! them over.

use super::occurrences::Occurrences;
use super::small::SmallSolver;
use crate::Solver;
use crate::data::arena::ClauseRef;
use crate::data::trail::Reason;
use putnam_formula::{Lit, Scratch, Var};
use std::collections::VecDeque;

/// A clause that may subsume others.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Candidate {
    Binary(Lit, Lit),
    Large(ClauseRef),
}

/// What the techniques of dense mode share.
pub(crate) struct Dense {
    pub(crate) occurrences: Occurrences,
    /// By literal: irredundant clauses, binary ones included. An estimate that only orders and bounds work.
    pub(crate) counts: Scratch<u32>,
    /// By literal; all false between uses.
    pub(crate) marks: Scratch<bool>,
    /// Clauses that were added or shortened, for backward subsumption.
    pub(crate) candidates: VecDeque<Candidate>,
    /// Variables that lost a clause or a literal.
    pub(crate) changed: Scratch<Var>,
    pub(crate) ticks: u64,
    /// For definitions.
    pub(super) solver: SmallSolver,
    /// The length of the trail when dense mode began, and how far units were propagated since.
    start: usize,
    propagated: usize,
}

impl Solver {
    /// Leaves the large clauses unwatched and lists the irredundant ones. Everything must have been propagated.
    pub(crate) fn enter_dense(&mut self) -> Dense {
        debug_assert!(self.trail.level() == 0 && self.trail.propagated == self.trail.len());
        let num_lits = self.watches.num_lists();
        let mut counts = Scratch::from(vec![0; num_lits]);
        self.unwatch_large();
        for (code, count) in counts.iter_mut().enumerate() {
            let lit = Lit::from_code(code);
            *count = self.watches.get(lit).iter().filter(|watch| !watch.is_redundant_binary()).count() as u32;
        }
        let arena = &self.arena;
        let wanted = |clause| !arena.is_redundant(clause) && !arena.is_garbage(clause);
        let occurrences = Occurrences::build(arena, num_lits, wanted);
        for (code, count) in counts.iter_mut().enumerate() {
            *count += occurrences.len(Lit::from_code(code)) as u32;
        }
        self.arena.sign_all();
        Dense {
            occurrences,
            counts,
            marks: vec![false; num_lits].into(),
            candidates: VecDeque::new(),
            changed: Scratch::new(),
            // The arena is read twice in its order, the lists are written in any.
            ticks: self.num_irredundant + num_lits as u64,
            solver: SmallSolver::default(),
            start: self.trail.len(),
            propagated: self.trail.len(),
        }
    }

    /// Watches all clauses again. Units that were found meanwhile are to be propagated once more, [`Solver::settle`]
    /// does that.
    pub(crate) fn leave_dense(&mut self, dense: Dense) {
        let Dense { start, candidates, .. } = dense;
        putnam_formula::release(Vec::from(candidates));
        self.drop_binaries_of_removed();
        self.rewatch_large();
        self.trail.propagated = start;
    }

    /// Leaves only binary clauses watched.
    pub(crate) fn unwatch_large(&mut self) {
        for code in 0..self.watches.num_lists() {
            self.watches.retain(Lit::from_code(code), |watch| watch.is_binary());
        }
    }

    /// Watches all large clauses again. Redundant ones of removed variables become garbage. Clauses may have been
    /// shortened; units that are found are to be propagated.
    pub(crate) fn rewatch_large(&mut self) {
        let mut counts = Scratch::from(vec![0u32; self.watches.num_lists()]);
        let mut next = self.arena.first_from(0);
        while let Some(clause) = next {
            next = self.arena.next(clause);
            if self.arena.is_garbage(clause) {
                continue;
            }
            if self.arena.is_redundant(clause) && self.arena.lits(clause).iter().any(|lit| self.is_removed(lit.var())) {
                self.mark_garbage(clause);
            } else if self.order_watches(clause) {
                self.arena.lits(clause)[..2].iter().for_each(|lit| counts[lit.code()] += 2);
            }
            if self.inconsistent {
                return;
            }
        }
        self.watches.reserve(&counts);
        let mut next = self.arena.first_from(0);
        while let Some(clause) = next {
            next = self.arena.next(clause);
            if !self.arena.is_garbage(clause) {
                self.arena.unsign(clause);
                self.watch_large(clause);
            }
        }
        self.connected = self.arena.len();
    }

    fn drop_binaries_of_removed(&mut self) {
        let (reconstruct, proof, map) = (&self.reconstruct, &mut self.proof, &self.map);
        let mut redundant = 0;
        for code in 0..self.watches.num_lists() {
            let lit = Lit::from_code(code);
            let lit_removed = reconstruct.is_removed(lit.var());
            self.watches.retain(lit, |watch| {
                let drop = lit_removed || reconstruct.is_removed(watch.blocking.var());
                // Irredundant ones were accounted for when their variable was removed.
                if drop && watch.is_redundant_binary() && lit.code() < watch.blocking.code() {
                    proof.delete(map, &[lit, watch.blocking]);
                    redundant += 1;
                }
                !drop
            });
        }
        self.num_redundant -= redundant;
    }

    /// Puts literals that are not false first, so that the clause can be watched. A clause without two of them is
    /// satisfied or a unit; then it becomes garbage and the answer is false.
    fn order_watches(&mut self, clause: ClauseRef) -> bool {
        let lits = self.arena.lits(clause);
        if lits.iter().any(|&lit| self.values.is_true(lit)) {
            self.mark_garbage(clause);
            return false;
        }
        let mut found = 0;
        for i in 0..self.arena.size(clause) {
            if !self.values.is_false(self.arena.lits(clause)[i]) {
                self.arena.lits_mut(clause).swap(found, i);
                found += 1;
                if found == 2 {
                    return true;
                }
            }
        }
        match found {
            0 => self.refute(),
            _ => {
                let unit = self.arena.lits(clause)[0];
                self.learn_root_unit(unit);
            }
        }
        self.mark_garbage(clause);
        false
    }

    /// The clauses have no model: a clause has only literals that are false at the root.
    pub(crate) fn refute(&mut self) {
        if !self.inconsistent {
            self.inconsistent = true;
            self.proof.add(&self.map, &[]);
        }
    }

    /// Adds a unit that unit propagation confirms.
    pub(crate) fn learn_root_unit(&mut self, unit: Lit) {
        if self.values.is_true(unit) {
            return;
        }
        self.proof.add(&self.map, &[unit]);
        if self.values.is_false(unit) {
            self.refute();
        } else {
            self.assign(unit, Reason::NOTHING);
            self.statistics.inprocessing_units += 1;
        }
    }

    /// Propagates units over the lists: satisfied clauses go, false literals go out of clauses. Answers false when the
    /// clauses are refuted.
    pub(crate) fn propagate_dense(&mut self, dense: &mut Dense) -> bool {
        while !self.inconsistent && dense.propagated < self.trail.len() {
            let lit = self.trail.lit(dense.propagated);
            dense.propagated += 1;
            let mut at = 0;
            while let Some(watch) = self.watches.next(!lit, &mut at) {
                if !self.is_removed(watch.blocking.var()) {
                    self.learn_root_unit(watch.blocking);
                }
            }
            self.watches.get(lit).iter().for_each(|watch| dense.lose(watch.blocking));
            for i in 0..dense.occurrences.len(lit) {
                let clause = dense.occurrences.get(lit)[i];
                dense.ticks += 1;
                if !self.arena.is_garbage(clause) {
                    self.remove_dense(dense, clause);
                }
            }
            for i in 0..dense.occurrences.len(!lit) {
                let clause = dense.occurrences.get(!lit)[i];
                dense.ticks += 1;
                if !self.arena.is_garbage(clause) {
                    self.strengthen_dense(dense, clause, !lit);
                }
            }
            dense.occurrences.truncate(lit, 0);
            dense.occurrences.truncate(!lit, 0);
        }
        !self.inconsistent
    }

    /// Removes an irredundant clause that others imply.
    pub(crate) fn remove_dense(&mut self, dense: &mut Dense, clause: ClauseRef) {
        self.arena.lits(clause).iter().for_each(|&lit| dense.lose(lit));
        self.mark_garbage(clause);
    }

    /// Takes a literal out of a clause; what remains must be implied by unit propagation. The entry in the literal's
    /// own list is left to the caller.
    pub(crate) fn strengthen_dense(&mut self, dense: &mut Dense, clause: ClauseRef, remove: Lit) {
        let kept: Vec<Lit> = self.arena.lits(clause).iter().copied().filter(|&lit| lit != remove).collect();
        debug_assert_eq!(kept.len() + 1, self.arena.size(clause));
        if kept.len() == 2 {
            self.add_binary_dense(dense, kept[0], kept[1]);
            self.remove_dense(dense, clause);
            return;
        }
        self.proof.add(&self.map, &kept);
        self.proof.delete(&self.map, self.arena.lits(clause));
        self.arena.lits_mut(clause)[..kept.len()].copy_from_slice(&kept);
        self.arena.shrink(clause, kept.len());
        self.arena.sign(clause);
        dense.lose(remove);
        kept.iter().for_each(|lit| dense.changed.push(lit.var()));
        dense.candidates.push_back(Candidate::Large(clause));
    }

    /// Adds an irredundant clause that unit propagation confirms; none of its literals has a value.
    pub(crate) fn add_dense(&mut self, dense: &mut Dense, lits: &[Lit]) {
        match *lits {
            [] => self.refute(),
            [unit] => self.learn_root_unit(unit),
            [a, b] => self.add_binary_dense(dense, a, b),
            _ => {
                self.proof.add(&self.map, lits);
                let clause = self.push_clause(lits, false, 0);
                self.arena.sign(clause);
                dense.occurrences.add(&self.arena, clause);
                lits.iter().for_each(|lit| dense.counts[lit.code()] += 1);
                dense.candidates.push_back(Candidate::Large(clause));
            }
        }
    }

    /// Adds an irredundant binary clause, unless it is there.
    fn add_binary_dense(&mut self, dense: &mut Dense, a: Lit, b: Lit) {
        let (short, other) = if self.watches.get(a).words() <= self.watches.get(b).words() { (a, b) } else { (b, a) };
        dense.ticks += 1 + self.watches.lines(short);
        match self.watches.get(short).iter().find(|watch| watch.blocking == other) {
            Some(watch) if !watch.is_redundant_binary() => return,
            Some(_) => {
                self.make_binary_irredundant(a, b);
            }
            None => {
                self.proof.add(&self.map, &[a, b]);
                self.watch_binary(a, b, false);
            }
        }
        dense.counts[a.code()] += 1;
        dense.counts[b.code()] += 1;
        dense.candidates.push_back(Candidate::Binary(a, b));
    }
}

impl Dense {
    /// Notes that a clause with this literal is gone.
    pub(crate) fn lose(&mut self, lit: Lit) {
        let count = &mut self.counts[lit.code()];
        *count = count.saturating_sub(1);
        self.changed.push(lit.var());
    }

    /// Marks literals, or takes their marks away.
    pub(crate) fn mark(&mut self, lits: &[Lit], value: bool) {
        lits.iter().for_each(|lit| self.marks[lit.code()] = value);
    }
}
