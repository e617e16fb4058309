//! Hyper-ternary resolution: resolvents of two clauses of three literals that have at most three literals themselves
//! (Billionnet and Sutter, 1992; Heule and van Maaren, 2004; CaDiCaL). It is off: on twelve formulas of mixed origin it
//! cost six per cent of the time (28.4 s against 26.7 s). Binary resolvents subsume their parents. Ternary ones are
//! learned clauses that the next reductions forget unless conflicts use them.

use crate::Solver;
use crate::data::arena::ClauseRef;
use crate::report::Event;
use putnam_formula::{Lit, Var};
use std::collections::HashSet;

/// Occurrences of a literal in ternary clauses, at most; more would cost too much.
const MAX_OCCURRENCES: usize = 100;
/// The glue of resolvents.
const GLUE: u32 = 3;

/// The working memory of a round.
struct Resolution {
    /// By literal: ternary clauses that have it.
    occurrences: Vec<Vec<ClauseRef>>,
    /// Sorted literals of all ternary clauses.
    known: HashSet<[Lit; 3]>,
    /// Resolvents that may still be added.
    room: u64,
}

impl Resolution {
    fn insert(&mut self, lits: &[Lit], clause: ClauseRef) {
        self.known.insert(sorted(lits));
        lits.iter().for_each(|lit| self.occurrences[lit.code()].push(clause));
    }
}

fn sorted(lits: &[Lit]) -> [Lit; 3] {
    let mut key = [lits[0], lits[1], lits[2]];
    key.sort_unstable();
    key
}

impl Solver {
    /// Whether it is allowed.
    pub(crate) fn resolving_ternary(&self) -> bool {
        self.options.ternary != 0
    }

    /// Resolves ternary clauses, as far as the effort goes.
    pub(crate) fn resolve_ternary(&mut self) {
        if self.schedule.ternary.waits() {
            return;
        }
        let budget = self.budget(|schedule| &mut schedule.ternary, self.options.ternaryeffort, 0);
        let limit = self.statistics.ternary_ticks + budget;
        let before = self.statistics.ternary_resolvents + self.statistics.ternary_binaries;
        self.statistics.ternary_ticks += (self.arena.len() / 128) as u64;
        let room = (self.num_irredundant + self.num_redundant) * self.options.ternarymax as u64 / 100;
        let mut run = Resolution { occurrences: vec![Vec::new(); self.num_vars() * 2], known: HashSet::new(), room };
        for clause in self.arena.clauses() {
            let lits = self.arena.lits(clause);
            if lits.len() == 3 && !self.arena.is_garbage(clause) && lits.iter().all(|&l| self.values.is_unassigned(l)) {
                run.insert(lits, clause);
            }
        }
        for index in self.schedule.ternary.places(self.num_vars()) {
            let pivot = Var::new(index as u32);
            self.schedule.ternary.stop_at(index);
            if self.inconsistent || self.statistics.ternary_ticks >= limit || run.room == 0 {
                break;
            }
            if self.is_active(pivot) {
                self.resolve_on(&mut run, pivot);
            }
        }
        let found = self.statistics.ternary_resolvents + self.statistics.ternary_binaries - before;
        self.schedule.ternary.done(found > 0);
        if found > 0 {
            self.report(Event::Ternary);
        }
    }

    fn resolve_on(&mut self, run: &mut Resolution, pivot: Var) {
        let positive = run.occurrences[pivot.positive().code()].clone();
        let negative = run.occurrences[pivot.negative().code()].clone();
        if positive.len().max(negative.len()) > MAX_OCCURRENCES {
            return;
        }
        for &first in &positive {
            self.statistics.ternary_ticks += 1 + negative.len() as u64 / 2;
            for &second in &negative {
                if self.inconsistent || run.room == 0 || self.arena.is_garbage(first) {
                    break;
                }
                if !self.arena.is_garbage(second) {
                    self.resolve_pair(run, pivot, first, second);
                }
            }
        }
    }

    fn resolve_pair(&mut self, run: &mut Resolution, pivot: Var, first: ClauseRef, second: ClauseRef) {
        let rest = |clause: ClauseRef| self.arena.lits(clause).iter().copied().filter(|lit| lit.var() != pivot);
        let mut resolvent: Vec<Lit> = rest(first).chain(rest(second)).collect();
        resolvent.sort_unstable();
        resolvent.dedup();
        let satisfied = resolvent.iter().any(|&lit| !self.values.is_unassigned(lit));
        if resolvent.len() > 3 || satisfied || resolvent.windows(2).any(|pair| pair[0] == !pair[1]) {
            return;
        }
        let redundant = self.arena.is_redundant(first) || self.arena.is_redundant(second);
        if resolvent.len() == 3 {
            if run.known.contains(&sorted(&resolvent)) || self.is_subsumed_by_binary(&resolvent) {
                return;
            }
            self.statistics.ternary_resolvents += 1;
            run.room -= 1;
            self.proof.add(&self.map, &resolvent);
            let clause = self.push_clause(&resolvent, true, GLUE);
            self.arena.set_used(clause, 1);
            self.watch_large(clause);
            run.insert(&resolvent, clause);
            return;
        }
        self.statistics.ternary_binaries += 1;
        self.proof.add(&self.map, &resolvent);
        self.watch_binary(resolvent[0], resolvent[1], redundant);
        // A learned resolvent may not replace a clause of the formula.
        for parent in [first, second] {
            if !redundant || self.arena.is_redundant(parent) {
                self.mark_garbage(parent);
            }
        }
    }

    fn is_subsumed_by_binary(&self, lits: &[Lit]) -> bool {
        lits.iter().enumerate().any(|(i, &lit)| {
            let list = self.watches.get(lit);
            list.iter().any(|watch| watch.is_binary() && lits[i + 1..].contains(&watch.blocking))
        })
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::fuzz;

    #[test]
    fn every_step_is_checked_on_random_formulas() {
        let often = [
            ("probeint", 1),
            ("ternary", 1),
            ("ternaryeffort", 10_000),
            ("vivify", 0),
            ("reduceint", 10),
            ("modeinit", 50),
        ];
        let counts = fuzz(&often, 300, 60, &["ternary resolvents", "binary resolvents of ternary clauses"]);
        assert!(counts.iter().all(|&count| count > 0), "{counts:?}");
    }
}
