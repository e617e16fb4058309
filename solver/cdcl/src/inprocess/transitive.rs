//! Transitive reduction of the binary implications: a binary clause whose literals are connected by others already is
//! superfluous (Aho, Garey and Ullman, 1972; Heule, Järvisalo and Biere, Efficient CNF Simplification Based on Binary
//! Implication Graphs, SAT 2011). Clauses of the formula need a connection by clauses of the formula. The search for
//! one is breadth first and bounded; a round begins where the last one ended. A literal that implies another and its
//! negation on the way is false.

use crate::Solver;
use crate::data::watch::Watch;
use putnam_formula::{Lit, Scratch};

/// What the search for a connection found.
enum Connection {
    None,
    /// The literal is implied already.
    Found,
    /// The literal that the search began with is false.
    Failed,
}

/// Marks and the queue of the search.
struct Reach {
    marked: Scratch<bool>,
    queue: Scratch<Lit>,
}

impl Solver {
    /// Whether it is allowed.
    pub(crate) fn reducing_transitively(&self) -> bool {
        self.options.transitive != 0
    }

    /// Removes transitive binary clauses, as far as the effort goes.
    pub(crate) fn reduce_transitively(&mut self) {
        if !self.remove_duplicate_binaries() || !self.settle() {
            return;
        }
        let budget = self.budget(|schedule| &mut schedule.transitive, self.options.transitiveeffort, 0);
        let limit = self.statistics.transitive_ticks + budget;
        let count = self.num_vars() * 2;
        let mut reach = Reach { marked: vec![false; count].into(), queue: Scratch::new() };
        for code in self.schedule.transitive.places(count) {
            self.schedule.transitive.stop_at(code);
            if self.inconsistent || self.statistics.transitive_ticks >= limit {
                return;
            }
            self.reduce_implications_of(&mut reach, Lit::from_code(code));
        }
    }

    /// Tries the binary clauses that make `from` imply another literal.
    fn reduce_implications_of(&mut self, reach: &mut Reach, from: Lit) {
        let mut at = 0;
        while let Some(watch) = self.watches.next(!from, &mut at) {
            let to = watch.blocking;
            // Each clause once, from its smaller literal.
            if !watch.is_binary() || to.code() < (!from).code() || !self.values.is_unassigned(from) {
                continue;
            }
            if !self.values.is_unassigned(to) {
                continue;
            }
            match self.connect_binaries(reach, from, watch) {
                Connection::None => {}
                Connection::Found => {
                    self.statistics.transitive_removed += 1;
                    self.remove_binary(!from, to, watch.is_redundant_binary());
                    // Its watch was one word.
                    at -= 1;
                }
                Connection::Failed => {
                    self.statistics.transitive_units += 1;
                    self.proof.add(&self.map, &[!from]);
                    self.assign(!from, crate::data::trail::Reason::NOTHING);
                    self.settle();
                    return;
                }
            }
        }
    }

    /// Looks for a way from a literal to that of its watch without the clause itself.
    fn connect_binaries(&mut self, reach: &mut Reach, from: Lit, clause: Watch) -> Connection {
        let Reach { marked, queue } = reach;
        let (to, irredundant) = (clause.blocking, !clause.is_redundant_binary());
        queue.push(from);
        marked[from.code()] = true;
        let mut connection = Connection::None;
        let mut next = 0;
        'search: while let Some(&lit) = queue.get(next) {
            next += 1;
            self.statistics.transitive_ticks += 1 + self.watches.lines(!lit);
            for watch in self.watches.get(!lit) {
                let other = watch.blocking;
                if !watch.is_binary() || (irredundant && watch.is_redundant_binary()) || marked[other.code()] {
                    continue;
                }
                // Nor the clause the other way around.
                if (lit == from && watch == clause) || (lit == !to && other == !from) {
                    continue;
                }
                if other == to {
                    connection = Connection::Found;
                    break 'search;
                }
                if marked[(!other).code()] {
                    connection = Connection::Failed;
                    break 'search;
                }
                marked[other.code()] = true;
                queue.push(other);
            }
        }
        queue.drain(..).for_each(|lit| marked[lit.code()] = false);
        connection
    }

    /// Takes a binary clause out of the watches, the counts and the proof.
    fn remove_binary(&mut self, first: Lit, second: Lit, redundant: bool) {
        for (lit, other) in [(first, second), (second, first)] {
            let watch = Watch::binary(other, redundant);
            self.watches.retain(lit, |candidate| *candidate != watch);
        }
        self.proof.delete(&self.map, &[first, second]);
        *self.count_of(redundant) -= 1;
        if !redundant {
            self.touch(first.var());
            self.touch(second.var());
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::fuzz;

    #[test]
    fn every_step_is_checked_on_random_formulas() {
        let often = [("probeint", 1), ("transitive", 1), ("transitiveeffort", 10_000), ("vivify", 0), ("modeinit", 50)];
        let counts = fuzz(&often, 300, 60, &["transitive binary clauses", "units from transitive reduction"]);
        assert!(counts.iter().all(|&count| count > 0), "{counts:?}");
    }
}
