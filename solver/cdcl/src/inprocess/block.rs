//! Blocked clauses: a clause all of whose resolvents on one of its literals are tautologies can go, and a model that
//! falsifies it is mended by making that literal true (Kullmann, 1999; Järvisalo, Biere and Heule, Blocked Clause
//! Elimination, TACAS 2010). Literals whose negation is in few clauses are tried first, and again when one of those
//! clauses went.
//!
//! It is off: elimination reaches most of such clauses, and the others are seldom many (`bench/README.md`).

use super::dense::Dense;
use crate::Solver;
use crate::data::arena::ClauseRef;
use crate::data::watch::Watch;
use crate::report::Event;
use putnam_formula::Lit;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Literals to try, those with the fewest clauses of their negation first.
type Queue = BinaryHeap<Reverse<(u32, u32)>>;

impl Solver {
    /// Whether it is allowed.
    pub(crate) fn blocking(&self) -> bool {
        self.options.block != 0
    }

    /// Removes blocked clauses, as far as the effort goes.
    pub(crate) fn eliminate_blocked(&mut self) {
        let minimum = self.options.blockmin as u64 * 1000;
        let budget = self.budget(|schedule| &mut schedule.block, self.options.blockeffort, minimum);
        let mut dense = self.enter_dense();
        let mut queue = Queue::new();
        (0..self.num_vars() * 2).for_each(|code| self.schedule_blocked(&dense, &mut queue, Lit::from_code(code)));
        let before = self.statistics.blocked;
        let mut others = Vec::new();
        while dense.ticks < budget
            && let Some(Reverse((_, code))) = queue.pop()
        {
            let lit = Lit::from_code(code as usize);
            // Once for all of its entries.
            if std::mem::take(&mut self.schedule.unblocked[lit.code()]) && self.is_removable(lit.var()) {
                self.eliminate_blocked_on(&mut dense, &mut queue, lit, &mut others);
            }
        }
        self.statistics.block_ticks += dense.ticks;
        self.leave_dense(dense);
        if self.statistics.blocked > before {
            self.report(Event::Blocked);
        }
    }

    fn schedule_blocked(&self, dense: &Dense, queue: &mut Queue, lit: Lit) {
        let negated = dense.counts[(!lit).code()];
        if self.schedule.unblocked[lit.code()] && dense.occurrences.len(lit) > 0 && self.is_removable(lit.var()) {
            queue.push(Reverse((negated, lit.code() as u32)));
        }
    }

    /// Removes the clauses that are blocked on a literal; `others` is scratch.
    fn eliminate_blocked_on(&mut self, dense: &mut Dense, queue: &mut Queue, lit: Lit, others: &mut Vec<Watch>) {
        if dense.counts[(!lit).code()] as i64 > self.options.blockocc || !self.gather(dense, !lit, others) {
            return;
        }
        for index in 0..dense.occurrences.len(lit) {
            let clause = dense.occurrences.get(lit)[index];
            dense.ticks += 1;
            if self.arena.is_garbage(clause) || !self.is_blocked(dense, clause, lit, others) {
                continue;
            }
            self.statistics.blocked += 1;
            let lits = self.arena.lits(clause).to_vec();
            self.weaken(clause, lit);
            for &other in &lits {
                dense.lose(other);
                self.schedule_blocked(dense, queue, !other);
            }
        }
    }

    /// Whether all resolvents of the clause and others on `lit` are tautologies. What was none comes first the next
    /// time.
    fn is_blocked(&self, dense: &mut Dense, clause: ClauseRef, lit: Lit, others: &mut [Watch]) -> bool {
        let lits = self.arena.lits(clause);
        dense.mark(lits, true);
        let marks = &dense.marks;
        let clashes = |other: Lit| other != !lit && marks[(!other).code()];
        let is_tautology = |watch: &Watch| {
            if watch.is_binary() {
                clashes(watch.blocking)
            } else {
                self.arena.lits(watch.clause()).iter().any(|&other| clashes(other))
            }
        };
        let counter = others.iter().position(|watch| !is_tautology(watch));
        dense.ticks += counter.unwrap_or(others.len()) as u64;
        dense.mark(lits, false);
        if let Some(counter) = counter {
            others[..=counter].rotate_right(1);
        }
        counter.is_none()
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::{Checked, fuzz};
    use putnam_formula::Lit;

    #[test]
    fn blocked_clauses_go_and_come_back() {
        let lit = |number: i32| Lit::from_dimacs(number).unwrap();
        // The first is blocked on 1 by 2 in the second and 3 in the third; without it the others are on -1.
        let formula: [&[i32]; 5] = [&[1, 2, 3], &[-1, -2, 4], &[-1, -3, 5], &[-4, -5, 2], &[4, 5, 3]];
        let mut checked = Checked::new(&[("block", 1)]);
        checked.add(formula.map(|clause| clause.iter().map(|&number| lit(number)).collect()));
        (2..=5).for_each(|number| checked.solver.freeze(lit(number).var()));
        assert!(checked.solver.connect_all());
        checked.solver.eliminate_blocked();
        assert!(checked.solver.settle());
        assert_eq!((checked.solver.statistics.blocked, checked.solver.num_irredundant), (3, 2));
        // Making 1 true is not free any more.
        checked.add([vec![lit(-1)]]);
        assert!(checked.solve(&[]) && checked.count("restored clauses") == 1);
        assert!(!checked.solve(&[lit(-2), lit(-3)]));
    }

    #[test]
    fn every_step_is_checked_on_random_formulas() {
        for keep in [0, 1] {
            let often = [("eliminateint", 1), ("block", 1), ("eliminate", 0), ("lucky", 0), ("proofkeep", keep)];
            let counts = fuzz(&often, 100, 40, &["blocked clauses"]);
            assert!(counts.iter().all(|&count| count > 0), "{counts:?}");
        }
    }
}
