//! The backbone of the binary clauses: literals that binary clauses alone make true, because their negation leads to a
//! conflict by binary clauses (Kissat's `backbone`; Biere, Froleyks and Wang, CadiBack, SAT 2023). Candidates are
//! decided on top of each other without going back: what follows from a literal never meets a false literal of an
//! earlier level, for then the first would be false already. So every literal of the trail is cleared at once, and
//! those that are false are the candidates of the next pass. From a conflict the last literal is learned that all ways
//! to it go through. Nothing but the watch lists is read, and each unit is one step of the proof.
//!
//! It is off: on nine formulas it cost nothing and changed nothing, as substitution and probing find most of such
//! units.

use crate::Solver;
use crate::data::lists::lines;
use crate::data::trail::{Reason, Why};
use crate::report::Event;
use putnam_formula::Lit;

impl Solver {
    /// Whether it is allowed.
    pub(crate) fn finding_backbone(&self) -> bool {
        self.options.backbone != 0
    }

    /// Decides all literals that imply others by binary clauses, as far as the effort goes.
    pub(crate) fn find_backbone(&mut self) {
        if self.schedule.backbone.waits() {
            return;
        }
        let budget = self.budget(|schedule| &mut schedule.backbone, self.options.backboneeffort, 0);
        let limit = self.statistics.backbone_ticks + budget;
        self.statistics.backbone_ticks += lines::<Lit>(self.num_vars() * 2);
        let saved = self.phases.saved.clone();
        let count = self.num_vars() * 2;
        let places = self.schedule.backbone.places(count);
        let mut candidates: Vec<Lit> = places
            .map(Lit::from_code)
            .filter(|&lit| self.values.is_unassigned(lit) && self.watches.get(!lit).iter().any(|w| w.is_binary()))
            .collect();
        let before = self.statistics.backbone_units;
        while !candidates.is_empty() && !self.inconsistent && self.statistics.backbone_ticks < limit {
            self.statistics.backbone_passes += 1;
            candidates = self.pass_over(&candidates, limit);
        }
        self.schedule.backbone.stop_at(candidates.first().map_or(0, |lit| lit.code()));
        self.phases.saved = saved;
        let found = self.statistics.backbone_units > before;
        self.schedule.backbone.done(found);
        if found {
            self.report(Event::Backbone);
        }
    }

    /// Decides the candidates on top of each other and learns units; answers with the candidates that are left.
    fn pass_over(&mut self, candidates: &[Lit], limit: u64) -> Vec<Lit> {
        let mut units = Vec::new();
        let mut next = self.trail.len();
        for &candidate in candidates {
            if self.statistics.backbone_ticks >= limit {
                break;
            }
            if !self.values.is_unassigned(candidate) {
                continue;
            }
            let Some(uip) = self.decide_by_binaries(candidate, &mut next) else { continue };
            units.push(!uip);
            // The unit in turn, so that what contradicts it is not tried in this pass. A conflict refutes the clauses.
            if let Some(uip) = self.decide_by_binaries(!uip, &mut next) {
                units.push(!uip);
                break;
            }
        }
        // Those that the effort did not reach come first.
        let (mut left, others): (Vec<Lit>, Vec<Lit>) = candidates
            .iter()
            .filter(|&&lit| !self.values.is_true(lit))
            .partition(|&&lit| self.values.is_unassigned(lit));
        left.extend(others);
        self.backtrack(0);
        for &unit in &units {
            if self.inconsistent {
                break;
            }
            // An earlier one may have implied it, or its negation.
            if !self.values.is_true(unit) {
                self.statistics.backbone_units += 1;
                self.learn_root_unit(unit);
                self.settle();
            }
        }
        left.retain(|&lit| self.values.is_unassigned(lit));
        left
    }

    /// Decides a literal and propagates by binary clauses. On a conflict it goes back and answers with the last literal
    /// that all ways to the conflict go through.
    fn decide_by_binaries(&mut self, lit: Lit, next: &mut usize) -> Option<Lit> {
        let start = self.trail.len();
        self.trail.open_level(Some(lit));
        self.assign(lit, Reason::NOTHING);
        let mut ticks = 0;
        let conflict = self.propagate_binaries(next, &mut ticks);
        self.statistics.backbone_ticks += ticks;
        // Every literal has one antecedent: the ways to the conflict are two paths from the decision.
        let uip = self.trail.last_common(conflict?.map(|lit| !lit), |lit| match self.trail.reason(lit) {
            Why::Binary(other) => !other,
            _ => unreachable!("the paths meet at the decision at the latest"),
        });
        self.backtrack(self.trail.level() - 1);
        *next = start;
        Some(uip)
    }

    /// Propagates the literals of the trail from a position on by binary clauses alone; answers with the false literals
    /// of one that is a conflict. Large clauses are left for a propagation that begins there.
    pub(super) fn propagate_binaries(&mut self, next: &mut usize, ticks: &mut u64) -> Option<[Lit; 2]> {
        while *next < self.trail.len() {
            let falsified = !self.trail.lit(*next);
            *next += 1;
            *ticks += 1 + self.watches.lines(falsified);
            let mut at = 0;
            while let Some(watch) = self.watches.next(falsified, &mut at) {
                if !watch.is_binary() || self.values.is_true(watch.blocking) {
                    continue;
                }
                if self.values.is_false(watch.blocking) {
                    return Some([falsified, watch.blocking]);
                }
                self.assign(watch.blocking, Reason::binary(falsified));
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::{Checked, fuzz};
    use putnam_formula::Lit;

    fn lit(number: i32) -> Lit {
        Lit::from_dimacs(number).unwrap()
    }

    #[test]
    fn the_implication_point_is_learned() {
        // 1 implies 2, and 2 implies 3 and 4, which exclude each other; -2 implies 5, -5 is possible with 2 only.
        let formula = [[-1, 2], [-2, 3], [-2, 4], [-3, -4], [2, 5]];
        let mut checked = Checked::new(&[]);
        checked.add(formula.map(|clause| clause.map(lit).to_vec()));
        let solver = &mut checked.solver;
        assert!(solver.connect_all());
        solver.schedule.backbone.stop_at(solver.map.get(lit(1)).unwrap().code());
        solver.statistics.ticks = 1_000_000;
        solver.find_backbone();
        let value = |number: i32| {
            let inner = solver.map.get(lit(number)).unwrap();
            (solver.values.is_true(inner), solver.values.is_false(inner))
        };
        assert_eq!([1, 2, 5].map(value), [(false, true), (false, true), (true, false)]);
        assert_eq!((value(3), solver.statistics.backbone_units), ((false, false), 1));
        assert!(checked.solve(&[]) && !checked.solve(&[lit(1)]));
    }

    #[test]
    fn every_step_is_checked_on_random_formulas() {
        let often = [
            ("probeint", 1),
            ("backbone", 1),
            ("backboneeffort", 10_000),
            ("probe", 0),
            ("substitute", 0),
            ("vivify", 0),
        ];
        let counts = fuzz(&often, 300, 60, &["backbone passes", "units from the backbone"]);
        assert!(counts.iter().all(|&count| count > 0), "{counts:?}");
    }
}
