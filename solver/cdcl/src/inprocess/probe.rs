//! Failed literals: a literal whose propagation ends in a conflict is false (Freeman, 1995; Le Berre, 2001). Only roots
//! of the binary implications are tried, literals that imply others by binary clauses and that no binary clause
//! implies: what fails below a root fails at the root too (Lynce and Marques-Silva, 2003). From a conflict the first
//! unique implication point is learned, which is stronger than the root itself. A root is tried again only after new
//! units. What a root implies by large clauses gives hyper-binary resolvents.

use super::hyper::HyperBinary;
use crate::Solver;
use crate::data::arena::ClauseRef;
use crate::data::trail::{Reason, Why};
use crate::report::Event;
use crate::search::analyze::SEEN;
use crate::search::propagate::{Conflict, Mode};
use crate::statistics::Statistics;
use putnam_formula::{Lit, Scratch};

/// Propagation of probes.
struct Probing;

impl Mode for Probing {
    fn count(&self, statistics: &mut Statistics, propagations: u64, ticks: u64) {
        statistics.probe_propagations += propagations;
        statistics.probe_ticks += ticks;
    }
}

impl Solver {
    /// Whether it is allowed.
    pub(crate) fn probing_literals(&self) -> bool {
        self.options.probe != 0
    }

    /// Propagates roots of the binary implications, as far as the effort goes.
    pub(crate) fn probe_literals(&mut self) {
        let budget = self.budget(|schedule| &mut schedule.probe, self.options.probeeffort, 0);
        let limit = self.statistics.probe_ticks + budget;
        self.schedule.probed.resize(self.num_vars() * 2, 0);
        let saved = self.phases.saved.clone();
        let failed = self.statistics.failed_literals;
        let mut probes = self.roots();
        let mut hyper = self.resolving_hyper().then(|| self.begin_hyper_resolution());
        while let Some(probe) = probes.pop() {
            if self.inconsistent || self.statistics.probe_ticks >= limit {
                break;
            }
            if self.values.is_unassigned(probe) {
                self.probe_literal(probe, hyper.as_mut());
            }
        }
        self.phases.saved = saved;
        if self.statistics.failed_literals > failed {
            self.report(Event::Probe);
        }
    }

    /// The roots that were not tried since the last unit, those with the most implications last.
    fn roots(&self) -> Scratch<Lit> {
        let binaries = |lit: Lit| self.watches.get(lit).iter().filter(|watch| watch.is_binary()).count();
        let known = self.trail.len() as u32 + 1;
        let mut roots: Scratch<(usize, Lit)> = (0..self.num_vars() * 2)
            .map(Lit::from_code)
            .filter(|lit| self.values.is_unassigned(*lit) && self.schedule.probed[lit.code()] < known)
            .filter(|&lit| binaries(lit) == 0)
            .map(|lit| (binaries(!lit), lit))
            .filter(|root| root.0 > 0)
            .collect();
        roots.sort_unstable();
        roots.iter().map(|root| root.1).collect()
    }

    fn probe_literal(&mut self, probe: Lit, hyper: Option<&mut HyperBinary>) {
        self.statistics.probes += 1;
        let start = self.trail.len();
        self.trail.open_level(Some(probe));
        self.assign(probe, Reason::NOTHING);
        let conflict = if hyper.is_some() { self.propagate_binaries_first() } else { self.propagate(&Probing) };
        let Some(conflict) = conflict else {
            if let Some(run) = hyper {
                self.resolve_hyper(run, start);
            }
            self.backtrack(0);
            self.schedule.probed[probe.code()] = self.trail.len() as u32 + 1;
            return;
        };
        let uip = self.probe_uip(conflict);
        self.backtrack(0);
        // What the implication point implied backwards may leave the root without a value.
        for failed in [uip, probe] {
            if self.inconsistent || self.values.is_false(failed) {
                continue;
            }
            self.statistics.failed_literals += 1;
            self.proof.add(&self.map, &[!failed]);
            if self.values.is_true(failed) {
                self.proof.add(&self.map, &[]);
                self.inconsistent = true;
            } else {
                self.assign(!failed, Reason::NOTHING);
                self.settle();
            }
        }
    }

    /// Propagates a probe such that no literal has a large reason that follows from binary clauses.
    fn propagate_binaries_first(&mut self) -> Option<Conflict> {
        let start = self.trail.propagated;
        let mut next = start;
        let mut ticks = 0;
        let conflict = loop {
            if let Some([a, b]) = self.propagate_binaries(&mut next, &mut ticks) {
                break Some(Conflict::Binary(a, b));
            }
            if self.trail.propagated == self.trail.len() {
                break None;
            }
            let conflict = self.propagate_next(&Probing, &mut ticks);
            if conflict.is_some() {
                break conflict;
            }
        };
        Probing.count(&mut self.statistics, (self.trail.propagated - start) as u64, ticks);
        conflict
    }

    /// The last literal of the first level that all ways to the conflict go through.
    fn probe_uip(&mut self, conflict: Conflict) -> Lit {
        let mut open = match conflict {
            Conflict::Binary(a, b) => self.mark_probed(a) + self.mark_probed(b),
            Conflict::Clause(clause) => self.mark_probed_clause(clause),
        };
        let mut position = self.trail.len();
        let uip = loop {
            position -= 1;
            let lit = self.trail.lit(position);
            if !self.analysis.has(lit, SEEN) {
                continue;
            }
            if open == 1 {
                break lit;
            }
            open -= 1;
            open += match self.trail.reason(lit) {
                Why::Binary(other) => self.mark_probed(other),
                Why::Clause(clause) => self.mark_probed_clause(clause),
                Why::Nothing | Why::Row(_) => unreachable!("the decision is the last open literal"),
            };
        };
        let analysis = &mut self.analysis;
        analysis.analyzed.drain(..).for_each(|var| analysis.marks[var.index()] &= !SEEN);
        uip
    }

    fn mark_probed_clause(&mut self, clause: ClauseRef) -> usize {
        (0..self.arena.size(clause)).map(|i| self.mark_probed(self.arena.lits(clause)[i])).sum()
    }

    /// Marks a literal of the first level; answers how many are new.
    fn mark_probed(&mut self, lit: Lit) -> usize {
        if self.trail.level_of(lit) == 0 || self.analysis.has(lit, SEEN) {
            return 0;
        }
        self.analysis.marks[lit.var().index()] |= SEEN;
        self.analysis.analyzed.push(lit.var());
        1
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::fuzz;

    #[test]
    fn every_step_is_checked_on_random_formulas() {
        let often = [
            ("probeint", 1),
            ("probe", 1),
            ("probeeffort", 10_000),
            ("vivify", 0),
            ("reduceint", 10),
            ("modeinit", 50),
        ];
        let counts = fuzz(&often, 300, 60, &["probed literals", "failed literals"]);
        assert!(counts.iter().all(|&count| count > 0), "{counts:?}");
    }
}
