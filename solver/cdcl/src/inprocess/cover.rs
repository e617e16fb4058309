//! Covered clauses: literals that all resolvents of a clause on one of its literals share (tautologies aside) may be
//! added to it, and so may literals whose negation the others would make true by unit propagation. If the clause
//! becomes blocked or implied, it goes (Heule, Järvisalo and Biere, Covered Clause Elimination, LPAR 2010; Clause
//! Elimination for SAT and QSAT, JAIR 2015; CaDiCaL).
//!
//! Each addition of shared literals is a step of its own on the extension stack: the longer clause follows from the
//! shorter one, which then goes with the literal of the resolution as its witness. Literals of unit propagation need
//! none, a model that falsifies the clause without them falsifies them too.
//!
//! It is off, as it is seldom worth its effort beside elimination (`bench/README.md`).

use super::dense::Dense;
use crate::Solver;
use crate::data::arena::ClauseRef;
use crate::data::watch::Watch;
use crate::report::Event;
use putnam_formula::{Lit, Scratch};

/// Literals of a clause that is being extended, at most.
const LONGEST: usize = 300;

/// The clause at hand, extended.
#[derive(Default)]
struct Cover {
    /// Its literals, then shared ones.
    covered: Vec<Lit>,
    /// All its literals, those of unit propagation too; they are marked.
    added: Vec<Lit>,
    /// Witnesses, and how many of the covered literals were there when each was used.
    steps: Vec<(Lit, usize)>,
    others: Vec<Watch>,
    shared: Vec<Lit>,
}

impl Solver {
    /// Whether it is allowed.
    pub(crate) fn covering(&self) -> bool {
        self.options.cover != 0
    }

    /// Removes covered clauses, as far as the effort goes, one after the other from where the last round ended.
    pub(crate) fn eliminate_covered(&mut self) {
        let minimum = self.options.covermin as u64 * 1000;
        let budget = self.budget(|schedule| &mut schedule.cover, self.options.covereffort, minimum);
        let mut dense = self.enter_dense();
        let before = self.statistics.covered + self.statistics.asymmetric;
        let longest = self.options.eliminateclause as usize;
        let clauses: Scratch<ClauseRef> = self
            .arena
            .clauses()
            .filter(|&c| !self.arena.is_garbage(c) && !self.arena.is_redundant(c) && self.arena.size(c) <= longest)
            .collect();
        let mut cover = Cover::default();
        let start = self.schedule.cover.take_start();
        for (index, &clause) in clauses.iter().enumerate().skip(start) {
            if dense.ticks >= budget {
                self.schedule.cover.stop_at(index);
                break;
            }
            if !self.arena.is_garbage(clause) {
                self.cover_clause(&mut dense, &mut cover, clause);
            }
        }
        self.statistics.cover_ticks += dense.ticks;
        self.leave_dense(dense);
        if self.statistics.covered + self.statistics.asymmetric > before {
            self.report(Event::Blocked);
        }
    }

    fn cover_clause(&mut self, dense: &mut Dense, cover: &mut Cover, clause: ClauseRef) {
        cover.covered.clear();
        cover.covered.extend_from_slice(self.arena.lits(clause));
        cover.added.clone_from(&cover.covered);
        cover.steps.clear();
        dense.mark(&cover.added, true);
        let (mut next_added, mut next_covered) = (0, 0);
        let mut redundant = false;
        while !redundant && cover.added.len() <= LONGEST {
            if let Some(&lit) = cover.added.get(next_added) {
                next_added += 1;
                redundant = self.add_asymmetric(dense, cover, clause, lit);
            } else if let Some(&lit) = cover.covered.get(next_covered) {
                next_covered += 1;
                redundant = self.is_removable(lit.var()) && self.add_covered(dense, cover, lit);
            } else {
                break;
            }
        }
        dense.mark(&cover.added, false);
        if redundant {
            self.remove_covered(dense, cover, clause);
        }
    }

    /// Propagates a literal of the extended clause, made false; answers whether the others imply the clause.
    fn add_asymmetric(&mut self, dense: &mut Dense, cover: &mut Cover, clause: ClauseRef, lit: Lit) -> bool {
        dense.ticks += 1 + self.watches.lines(lit) + dense.occurrences.lines(lit);
        for watch in self.watches.get(lit) {
            let other = watch.blocking;
            let skipped = watch.is_redundant_binary() || self.is_removed(other.var());
            if skipped || !self.values.is_unassigned(other) {
                continue;
            }
            if dense.marks[other.code()] {
                return true;
            }
            if !dense.marks[(!other).code()] {
                dense.marks[(!other).code()] = true;
                cover.added.push(!other);
            }
        }
        for index in 0..dense.occurrences.len(lit) {
            let other = dense.occurrences.get(lit)[index];
            if other == clause || self.arena.is_garbage(other) {
                continue;
            }
            dense.ticks += 1;
            let lits = self.arena.lits(other);
            let marks = &dense.marks;
            let mut open = lits.iter().copied().filter(|l| !marks[l.code()]);
            match (open.next(), open.next()) {
                (None, _) => return true,
                (Some(unit), None) if !marks[(!unit).code()] => {
                    dense.marks[(!unit).code()] = true;
                    cover.added.push(!unit);
                }
                _ => {}
            }
        }
        false
    }

    /// Adds what all resolvents on a covered literal share; answers whether there are none but tautologies.
    fn add_covered(&mut self, dense: &mut Dense, cover: &mut Cover, lit: Lit) -> bool {
        if !self.gather(dense, !lit, &mut cover.others) {
            return false;
        }
        let Cover { covered, added, steps, others, shared } = cover;
        let mut first = true;
        let mut clause = Vec::new();
        for &watch in others.iter() {
            clause.clear();
            self.copy_others(watch, !lit, &mut clause);
            dense.ticks += 1;
            if clause.iter().any(|&other| dense.marks[(!other).code()]) {
                continue;
            }
            if std::mem::take(&mut first) {
                shared.clear();
                shared.extend(clause.iter().copied().filter(|other| !dense.marks[other.code()]));
            } else {
                shared.retain(|other| clause.contains(other));
            }
            if shared.is_empty() {
                return false;
            }
        }
        steps.push((lit, covered.len()));
        if !first {
            dense.mark(shared, true);
            covered.extend_from_slice(shared);
            added.extend_from_slice(shared);
            self.statistics.covered_literals += shared.len() as u64;
        }
        first
    }

    /// Removes the clause with all steps of its extension.
    fn remove_covered(&mut self, dense: &mut Dense, cover: &Cover, clause: ClauseRef) {
        let Some(&(witness, _)) = cover.steps.first() else {
            self.statistics.asymmetric += 1;
            self.remove_dense(dense, clause);
            return;
        };
        self.statistics.covered += 1;
        let lits = self.arena.lits(clause).to_vec();
        self.weaken(clause, witness);
        lits.iter().for_each(|&lit| dense.lose(lit));
        for &(witness, len) in &cover.steps[1..] {
            let longer = &cover.covered[..len];
            // When it is restored, the proof has to have it.
            if self.options.proofkeep != 0 {
                self.proof.add(&self.map, longer);
            }
            self.push_witness(witness, longer);
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::{Checked, fuzz};
    use putnam_formula::Lit;

    fn lit(number: i32) -> Lit {
        Lit::from_dimacs(number).unwrap()
    }

    /// Looks for covered clauses with 2 and more frozen; answers with the counters of covered and of implied ones.
    fn covered(formula: &[&[i32]]) -> (Checked, u64, u64) {
        let mut checked = Checked::new(&[("cover", 1)]);
        checked.add(formula.iter().map(|clause| clause.iter().map(|&number| lit(number)).collect()));
        (3..=9).for_each(|number| checked.solver.freeze(lit(number).var()));
        assert!(checked.solver.connect_all());
        checked.solver.eliminate_covered();
        assert!(checked.solver.settle());
        let counts = (checked.count("covered clauses"), checked.count("asymmetric tautologies"));
        (checked, counts.0, counts.1)
    }

    #[test]
    fn shared_literals_make_a_clause_blocked() {
        // All resolvents of the first clause on 1 share 2, and on 2 there are tautologies alone.
        let formula: [&[i32]; 4] = [&[1, 3, 4], &[-1, 2, 5], &[-1, 2, 6], &[-2, -3, 7]];
        let (mut checked, clauses, _) = covered(&formula);
        assert!(clauses > 0);
        // The witnesses come back one after the other.
        checked.add([vec![lit(-2), lit(8)], vec![lit(-8)], vec![lit(-3)], vec![lit(-4)]]);
        assert!(checked.solve(&[]) && checked.count("restored clauses") > 0);
        assert!(!checked.solve(&[lit(-5)]));
    }

    #[test]
    fn what_unit_propagation_implies_needs_no_witness() {
        // Without 3, 4 and 5: -6 by the second, so 7 by the third, which is in the fourth.
        let formula: [&[i32]; 4] = [&[3, 4, 5], &[3, 4, 6], &[4, -6, 7], &[5, -6, -7]];
        let (_, clauses, implied) = covered(&formula);
        assert_eq!((clauses, implied), (0, 1));
    }

    #[test]
    fn every_step_is_checked_on_random_formulas() {
        for keep in [0, 1] {
            let often = [("eliminateint", 1), ("cover", 1), ("eliminate", 0), ("lucky", 0), ("proofkeep", keep)];
            let counts = fuzz(&often, 100, 40, &["covered clauses", "asymmetric tautologies", "covered literals"]);
            assert!(counts.iter().all(|&count| count > 0), "{counts:?}");
        }
    }
}
