//! Counting: n + 1 clauses without common literals, all of whose literals lie in n sets of which at most one can be
//! true. That is the pigeonhole principle, which resolution cannot prove in polynomial size (Haken, 1985). It hides in
//! colouring, routing and matching problems and in mutilated chessboards.
//!
//! 1. [`candidates`] collects clauses whose literals all exclude others by binary clauses, and the sets of literals
//!    that exclude each other. Exclusion is what binary clauses imply, so that encodings with auxiliary variables
//!    count too.
//! 2. [`matching`] tries to give every clause a set of its own. Where that fails there are clauses with fewer sets
//!    than they are (Hall, 1935).
//! 3. [`cook`] refutes these clauses by extended resolution, one clause and one set less in every step (Cook, 1976).
//!
//! Lingeling counts by Fourier-Motzkin elimination instead (Biere, Le Berre, Lonca and Manthey, SAT 2014). That finds
//! more, but its steps are no clauses, and it has no proofs.

mod candidates;
mod cook;
mod matching;

use crate::Solver;
use crate::data::groups::Groups;
use crate::report::Event;
use putnam_formula::Lit;
use std::collections::BTreeMap;

/// Clauses and sets of literals that exclude each other.
#[derive(Debug)]
struct Candidates {
    clauses: Groups<Lit>,
    exclusive: Groups<Lit>,
}

/// Which literals exclude each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Depth {
    /// Those of a binary clause.
    Direct,
    /// Those for which binary clauses imply it, and a literal and its negation.
    Implied,
}

/// Clauses, and one set less.
#[derive(Debug)]
struct Pigeonholes {
    /// The number of sets.
    holes: usize,
    /// By clause and set: the literals of the clause that are counted in the set, where there are any. A table of all
    /// pairs would take gigabytes for ten thousand clauses.
    places: Vec<BTreeMap<usize, Vec<Lit>>>,
}

impl Solver {
    /// Whether it is allowed.
    pub(crate) fn counting_pigeons(&self) -> bool {
        self.options.pigeonhole != 0
    }

    /// Refutes the clauses if there are too many for the sets that exclude each other, as far as the effort goes.
    pub(crate) fn count_pigeons(&mut self) {
        if self.schedule.pigeonhole.waits() {
            return;
        }
        let limit = self.allowance(self.options.pigeonholeeffort, self.options.pigeonholemin as u64 * 1000);
        self.statistics.pigeonhole_ticks += (self.arena.len() / 16) as u64;
        if self.statistics.pigeonhole_ticks < limit {
            self.statistics.pigeonhole_rounds += 1;
            // What binary clauses say themselves gives the clearer sets.
            for depth in [Depth::Direct, Depth::Implied] {
                if self.inconsistent {
                    break;
                }
                if let Some(candidates) = self.pigeonhole_candidates(depth, limit) {
                    self.refute_by_counting(&candidates, limit);
                }
            }
        }
        self.schedule.pigeonhole.done(false);
    }

    fn refute_by_counting(&mut self, candidates: &Candidates, limit: u64) {
        let mut ticks = self.statistics.pigeonhole_ticks;
        let found = matching::find(candidates, &mut ticks, limit);
        self.statistics.pigeonhole_ticks = ticks;
        let Some(pigeonholes) = found else { return };
        if self.proof.is_wanted() {
            let room = self.options.pigeonholeproof as u64 * 1000;
            let first = self.first_fresh();
            let Some(lemmas) = cook::refute(&pigeonholes, &mut self.proof, &self.map, first, room) else {
                self.statistics.pigeonhole_unproved += 1;
                return;
            };
            self.statistics.pigeonhole_proof += lemmas;
        }
        self.statistics.pigeonholes += 1;
        self.refute();
        self.report(Event::Pigeonhole);
    }
}

#[cfg(test)]
mod tests;
