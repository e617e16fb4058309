//! Backward subsumption and strengthening in dense mode: a clause that was added or shortened removes the clauses that
//! contain it, and where a clause contains it but for the sign of one literal, that literal is removed (self-subsuming
//! resolution; Eén and Biere, Effective Preprocessing in SAT through Variable and Clause Elimination, SAT 2005).

use super::dense::{Candidate, Dense};
use crate::Solver;
use crate::data::arena::{ClauseRef, signature};
use putnam_formula::Lit;

/// Longer clauses are not tried: they rarely subsume anything.
const MAX_SIZE: usize = 100;

/// How a clause relates to a smaller one.
enum Relation {
    None,
    Subsumed,
    /// The literal can be removed.
    Strengthened(Lit),
}

impl Solver {
    /// Tries all candidates, until the ticks reach `limit`. Answers false when the clauses are refuted.
    pub(crate) fn subsume_backward(&mut self, dense: &mut Dense, limit: u64) -> bool {
        if !self.propagate_dense(dense) {
            return false;
        }
        let mut lits: Vec<Lit> = Vec::new();
        while let Some(candidate) = dense.candidates.pop_front() {
            if dense.ticks >= limit {
                dense.candidates.clear();
                break;
            }
            lits.clear();
            match candidate {
                Candidate::Binary(a, b) => lits.extend([a, b]),
                Candidate::Large(clause) if self.arena.is_garbage(clause) => continue,
                Candidate::Large(clause) => lits.extend_from_slice(self.arena.lits(clause)),
            }
            if lits.len() > MAX_SIZE || lits.iter().any(|&l| !self.values.is_unassigned(l) || self.is_removed(l.var()))
            {
                continue;
            }
            let this = match candidate {
                Candidate::Binary(..) => None,
                Candidate::Large(clause) => Some(clause),
            };
            self.subsume_with(dense, this, &lits);
            if !self.propagate_dense(dense) {
                return false;
            }
        }
        true
    }

    /// Looks for clauses that `lits` subsumes or strengthens, among those of its rarest variable.
    fn subsume_with(&mut self, dense: &mut Dense, this: Option<ClauseRef>, lits: &[Lit]) {
        let cost = |lit: Lit| dense.occurrences.len(lit) + dense.occurrences.len(!lit);
        let Some(&rarest) = lits.iter().min_by_key(|&&lit| cost(lit)) else { return };
        let bits = signature(lits);
        dense.mark(lits, true);
        if let [a, b] = *lits {
            self.strengthen_binaries(dense, a, b);
            self.strengthen_binaries(dense, b, a);
        }
        for list in [rarest, !rarest] {
            dense.ticks += 1 + dense.occurrences.lines(list);
            for i in 0..dense.occurrences.len(list) {
                let clause = dense.occurrences.get(list)[i];
                if bits & !self.arena.signature(clause) != 0 || Some(clause) == this {
                    continue;
                }
                dense.ticks += 1;
                if self.arena.is_garbage(clause) || self.arena.size(clause) < lits.len() {
                    continue;
                }
                match self.relation(dense, clause, lits.len()) {
                    Relation::None => {}
                    Relation::Subsumed => {
                        self.statistics.subsumed += 1;
                        self.remove_dense(dense, clause);
                    }
                    Relation::Strengthened(lit) => {
                        self.statistics.strengthened += 1;
                        self.strengthen_dense(dense, clause, lit);
                        // While the list is read, its entries stay where they are.
                        if lit != list {
                            dense.occurrences.retain(lit, |&mut entry| entry != clause);
                        }
                    }
                }
            }
        }
        dense.mark(lits, false);
        // The clause contains `rarest`, so a clause strengthened in the list of its negation lost just that literal.
        let arena = &self.arena;
        dense
            .occurrences
            .retain(!rarest, |&mut entry| !arena.is_garbage(entry) && arena.lits(entry).contains(&!rarest));
    }

    /// With (a b) and (a -b) the unit a follows.
    fn strengthen_binaries(&mut self, dense: &mut Dense, a: Lit, b: Lit) {
        dense.ticks += 1 + self.watches.lines(a);
        if self.watches.get(a).iter().any(|watch| watch.is_binary() && watch.blocking == !b) {
            self.learn_root_unit(a);
        }
    }

    /// Compares a clause with the marked one of `size` literals.
    fn relation(&self, dense: &Dense, clause: ClauseRef, size: usize) -> Relation {
        let (mut same, mut opposite) = (0, None);
        for &lit in self.arena.lits(clause) {
            if dense.marks[lit.code()] {
                same += 1;
            } else if dense.marks[(!lit).code()] {
                if opposite.is_some() {
                    return Relation::None;
                }
                opposite = Some(lit);
            }
        }
        match opposite {
            None if same == size => Relation::Subsumed,
            Some(lit) if same + 1 == size => Relation::Strengthened(lit),
            _ => Relation::None,
        }
    }
}
