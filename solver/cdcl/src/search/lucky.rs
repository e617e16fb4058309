//! Lucky assignments: formulas that are satisfied by all variables true or false, or by deciding variables in the order
//! of their numbers, or by one sign of every clause, are common among generated ones, and some of them are hard for
//! everything else (Biere, CaDiCaL 2019). Tried once, before the first search.

use super::propagate::Search;
use crate::Solver;
use crate::report::Event;
use putnam_formula::{Lit, Scratch, Var};

impl Solver {
    /// Whether to try at all.
    pub(crate) fn trying_lucky(&self) -> bool {
        self.options.lucky != 0 && self.statistics.solves == 1 && self.assumptions.is_empty()
    }

    /// Tries all; on success the trail is a model.
    pub(crate) fn try_lucky(&mut self) -> bool {
        debug_assert_eq!(self.trail.level(), 0);
        let saved = Scratch::from(self.phases.saved.clone());
        let lucky = [false, true].into_iter().any(|value| {
            self.try_same_sign(value)
                || self.try_in_order(value, false)
                || self.try_in_order(value, true)
                || self.try_horn(value)
        });
        if lucky {
            self.statistics.lucky += 1;
            self.report(Event::Lucky);
        } else {
            self.phases.saved.copy_from_slice(&saved);
        }
        lucky
    }

    /// All variables the same value, if every clause has a literal that this makes true.
    fn try_same_sign(&mut self, value: bool) -> bool {
        let satisfies = |lit: Lit| {
            let assigned = self.values.get(lit);
            assigned > 0 || (assigned == 0 && lit.is_positive() == value)
        };
        let binaries = (0..self.watches.num_lists())
            .map(Lit::from_code)
            .all(|lit| satisfies(lit) || self.watches.get(lit).iter().all(|w| !w.is_binary() || satisfies(w.blocking)));
        binaries
            && self.arena.clauses().all(|clause| self.arena.lits(clause).iter().any(|&lit| satisfies(lit)))
            && self.try_in_order(value, false)
    }

    /// Every variable decided to the same value in the order of their numbers, or against it.
    fn try_in_order(&mut self, value: bool, backwards: bool) -> bool {
        let mut order: Scratch<Var> =
            (0..self.num_vars() as u32).map(Var::new).filter(|&var| !self.is_removed(var)).collect();
        order.sort_unstable_by_key(|&var| self.map.outer(var.positive()));
        if backwards {
            order.reverse();
        }
        order.iter().all(|&var| self.decide_if_free(var.lit(value))) || self.unlucky()
    }

    /// In every clause that is not satisfied the first unassigned literal of the sign is made true, then all others of
    /// the other sign.
    fn try_horn(&mut self, value: bool) -> bool {
        let mut next = self.arena.first_from(0);
        while let Some(clause) = next {
            next = self.arena.next(clause);
            let lits = self.arena.lits(clause);
            if lits.iter().any(|&lit| self.values.is_true(lit)) {
                continue;
            }
            let found = lits.iter().copied().find(|&lit| lit.is_positive() == value && self.values.is_unassigned(lit));
            if !found.is_some_and(|lit| self.decide_if_free(lit)) {
                return self.unlucky();
            }
        }
        let rest = (0..self.num_vars() as u32).map(Var::new);
        rest.into_iter().all(|var| self.is_removed(var) || self.decide_if_free(var.lit(!value))) || self.unlucky()
    }

    /// Decides a literal that has no value; answers whether there was no conflict.
    fn decide_if_free(&mut self, lit: Lit) -> bool {
        !self.values.is_unassigned(lit) || self.decide_and_propagate(lit, &Search)
    }

    fn unlucky(&mut self) -> bool {
        self.backtrack(0);
        false
    }
}
