//! Hyper-binary resolution: a literal that a large clause makes true below one decision follows from the last literal
//! that all ways to the clause's false literals go through; the binary clause that says so is a resolvent of the large
//! clause with binary ones (Bacchus, AAAI 2002; Bacchus and Winter, SAT 2003; with dominators Heule, Järvisalo and
//! Biere, Revisiting Hyper Binary Resolution, CPAIOR 2013). Where it is part of the large clause it replaces it.
//!
//! Probes propagate binary clauses before large ones, so that what binary clauses imply anyway gets no further clause;
//! what later ones make superfluous goes with the transitive reduction at the end of the round. Resolvents serve the
//! substitution and the congruence closure that follow; what is left of them is removed before the next ones come.

use crate::Solver;
use crate::data::arena::ClauseRef;
use crate::data::trail::Why;
use crate::data::watch::Watch;
use putnam_formula::Lit;

/// What a round of probing keeps.
#[derive(Default)]
pub(super) struct HyperBinary {
    /// By variable: the true literal from which its literal follows, in the current probe.
    parents: Vec<Lit>,
    /// How many clauses may still be added.
    room: u64,
}

impl Solver {
    /// Whether it is allowed.
    pub(super) fn resolving_hyper(&self) -> bool {
        self.options.hyper != 0
    }

    /// Removes the resolvents of the last round that are still there.
    pub(super) fn begin_hyper_resolution(&mut self) -> HyperBinary {
        for [first, second] in std::mem::take(&mut self.schedule.hyper_binaries) {
            self.statistics.hyper_removed += u64::from(self.forget_binary(first, second));
        }
        let room = (self.num_irredundant + self.num_redundant) * self.options.hypermax as u64 / 100;
        HyperBinary { parents: vec![Lit::from_code(0); self.num_vars()], room }
    }

    /// Adds the resolvents of a probe, which is the first literal of the trail from `start` on and led to no conflict.
    pub(super) fn resolve_hyper(&mut self, run: &mut HyperBinary, start: usize) {
        let probe = self.trail.lit(start);
        run.parents[probe.var().index()] = probe;
        for position in start + 1..self.trail.len() {
            let lit = self.trail.lit(position);
            let dominator = match self.trail.reason(lit) {
                Why::Binary(other) => !other,
                Why::Clause(clause) => {
                    let dominator = self.dominator(run, lit, clause);
                    self.add_hyper_binary(run, dominator, lit, clause);
                    dominator
                }
                Why::Nothing | Why::Row(_) => unreachable!("a probe has one decision, and no matrices propagate it"),
            };
            run.parents[lit.var().index()] = dominator;
        }
    }

    /// The last literal from which all false literals of the reason of `implied` follow.
    fn dominator(&mut self, run: &HyperBinary, implied: Lit, reason: ClauseRef) -> Lit {
        self.statistics.probe_ticks += 1;
        let false_lits = self.arena.lits(reason).iter().filter(|&&lit| lit != implied && self.trail.level_of(lit) > 0);
        let common = |a, b| self.trail.last_common([a, b], |lit| run.parents[lit.var().index()]);
        false_lits.map(|&lit| !lit).reduce(common).expect("nothing above the root follows from the root")
    }

    fn add_hyper_binary(&mut self, run: &mut HyperBinary, dominator: Lit, lit: Lit, clause: ClauseRef) {
        let subsumes = self.arena.lits(clause).contains(&!dominator);
        if !subsumes && run.room == 0 {
            return;
        }
        let redundant = !subsumes || self.arena.is_redundant(clause);
        self.statistics.hyper_resolvents += 1;
        self.proof.add(&self.map, &[!dominator, lit]);
        self.watch_binary(!dominator, lit, redundant);
        if subsumes {
            self.statistics.hyper_subsumed += 1;
            self.mark_garbage(clause);
        } else {
            run.room -= 1;
            self.schedule.hyper_binaries.push([!dominator, lit]);
        }
    }

    /// Removes a learned binary clause once, if it is there.
    fn forget_binary(&mut self, first: Lit, second: Lit) -> bool {
        if self.is_removed(first.var()) || self.is_removed(second.var()) {
            return false;
        }
        for (lit, other) in [(first, second), (second, first)] {
            let watch = Watch::binary(other, true);
            let mut found = false;
            self.watches.retain(lit, |candidate| {
                let goes = !found && *candidate == watch;
                found |= goes;
                !goes
            });
            if !found {
                return false;
            }
        }
        self.proof.delete(&self.map, &[first, second]);
        self.num_redundant -= 1;
        true
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::{Checked, fuzz};
    use putnam_formula::Lit;

    #[test]
    fn dominators_are_resolved() {
        let lit = |number: i32| Lit::from_dimacs(number).unwrap();
        // 1 implies 2, 2 implies 3 and 4, and these imply 5: so 2 does. 3 with 2 implies 6: so 3 alone does not, but 2.
        let formula: [&[i32]; 5] = [&[-1, 2], &[-2, 3], &[-2, 4], &[-3, -4, 5], &[-2, -3, 6]];
        let mut checked = Checked::new(&[("hyper", 1), ("probeeffort", 10_000), ("hypermax", 100)]);
        checked.add(formula.map(|clause| clause.iter().map(|&number| lit(number)).collect()));
        let solver = &mut checked.solver;
        assert!(solver.connect_all());
        solver.statistics.ticks = 1_000_000;
        solver.probe_literals();
        let has = |first: i32, second: i32, redundant: bool| {
            let [first, second] = [first, second].map(|number| solver.map.get(lit(number)).unwrap());
            solver.watches.get(first).iter().any(|watch| watch == super::Watch::binary(second, redundant))
        };
        assert!(has(-2, 5, true) && has(5, -2, true) && has(-2, 6, false));
        assert_eq!((solver.statistics.hyper_resolvents, solver.statistics.hyper_subsumed), (2, 1));
        // The clause of 6 has become binary, that of 5 has not.
        assert_eq!((solver.num_irredundant, solver.num_redundant), (5, 1));
        let mut run = solver.begin_hyper_resolution();
        run.room = 0;
        assert_eq!((solver.statistics.hyper_removed, solver.num_redundant), (1, 0));
        assert!(checked.solve(&[]) && !checked.solve(&[lit(1), lit(-5)]));
    }

    #[test]
    fn every_step_is_checked_on_random_formulas() {
        let often = [("probeint", 1), ("hyper", 1), ("hypermax", 100), ("probeeffort", 10_000), ("vivify", 0)];
        let counters = [
            "hyper-binary resolvents",
            "clauses subsumed by hyper-binary resolvents",
            "forgotten hyper-binary resolvents",
        ];
        let counts = fuzz(&often, 300, 60, &counters);
        assert!(counts.iter().all(|&count| count > 0), "{counts:?}");
    }
}
