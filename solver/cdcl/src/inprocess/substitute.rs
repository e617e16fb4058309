//! Equivalent literals: the strongly connected components of the implications that binary clauses are. One literal of
//! each component stands for all others from then on (Aspvall, Plass and Tarjan, 1979; Van Gelder, 2005; Biere's
//! decompose).
//!
//! The equivalences themselves go to the extension stack, with the substituted literal as witness either way:
//! everything else that the variable was in follows from them and the clauses that replace it. Variables that are
//! frozen or assumed are never replaced but may stand for others.
//!
//! Substitution makes clauses equal or short, so a pass over the binary clauses follows that removes duplicates and
//! learns a unit from two that differ in one sign.

use super::derive::Derived;
use crate::Solver;
use crate::data::arena::ClauseRef;
use crate::data::watch::Watch;
use crate::reconstruct::Status;
use crate::report::Event;
use putnam_formula::{Lit, Scratch, Var};

/// Tarjan's algorithm at work. Orders count from 1; 0 is not visited.
struct Components {
    order: Scratch<u32>,
    /// The smallest order that is reachable.
    low: Scratch<u32>,
    visited: u32,
    /// Literals being worked on, and the position in their watch list.
    work: Vec<(Lit, usize)>,
    /// Visited literals without a component.
    open: Vec<Lit>,
    /// For every literal the one that stands for it.
    representative: Scratch<Lit>,
}

/// The order of literals whose component is complete.
const COMPLETE: u32 = u32::MAX;

impl Components {
    fn new(num_lits: usize) -> Self {
        Self {
            order: vec![0; num_lits].into(),
            low: vec![0; num_lits].into(),
            visited: 0,
            work: Vec::new(),
            open: Vec::new(),
            representative: (0..num_lits).map(Lit::from_code).collect(),
        }
    }

    fn visit(&mut self, lit: Lit) {
        self.visited += 1;
        self.order[lit.code()] = self.visited;
        self.low[lit.code()] = self.visited;
        self.open.push(lit);
        self.work.push((lit, 0));
    }

    fn lower(&mut self, lit: Lit, low: u32) {
        self.low[lit.code()] = self.low[lit.code()].min(low);
    }

    fn of(&self, lit: Lit) -> Lit {
        self.representative[lit.code()]
    }

    fn replaces(&self, lit: Lit) -> bool {
        self.of(lit) != lit
    }
}

impl Solver {
    /// Whether it is allowed.
    pub(crate) fn substituting(&self) -> bool {
        self.options.substitute != 0
    }

    /// Replaces equivalent literals, as long as that makes new ones.
    pub(crate) fn substitute(&mut self) {
        let before = self.statistics.substituted;
        for _ in 0..self.options.substituterounds {
            let Some(components) = self.find_components() else { return };
            let replaced: Vec<Var> =
                (0..self.num_vars() as u32).map(Var::new).filter(|var| components.replaces(var.positive())).collect();
            if !replaced.is_empty() {
                self.replace_equivalent(&components, &replaced);
            }
            if !self.settle() || !self.remove_duplicate_binaries() || !self.settle() || replaced.is_empty() {
                break;
            }
        }
        if self.statistics.substituted > before {
            self.report(Event::Substitute);
        }
    }

    /// The components of the active literals; none when one has a literal and its negation, which refutes the clauses.
    fn find_components(&mut self) -> Option<Components> {
        let mut components = Components::new(self.num_vars() * 2);
        for code in 0..self.num_vars() * 2 {
            let root = Lit::from_code(code);
            if components.order[code] != 0 || !self.is_active(root.var()) {
                continue;
            }
            components.visit(root);
            while let Some(&(lit, at)) = components.work.last() {
                let mut at = at;
                let next = std::iter::from_fn(|| self.watches.next(!lit, &mut at)).find(|watch| {
                    watch.is_binary()
                        && self.values.is_unassigned(watch.blocking)
                        && components.order[watch.blocking.code()] != COMPLETE
                });
                if let Some(watch) = next {
                    let child = watch.blocking;
                    components.work.last_mut()?.1 = at;
                    match components.order[child.code()] {
                        0 => components.visit(child),
                        order => components.lower(lit, order),
                    }
                    continue;
                }
                components.work.pop();
                let low = components.low[lit.code()];
                if let Some(&(parent, _)) = components.work.last() {
                    components.lower(parent, low);
                }
                if low == components.order[lit.code()] && !self.close_component(&mut components, lit) {
                    return None;
                }
            }
        }
        Some(components)
    }

    /// Takes a component, whose first literal is `first`, and chooses who stands for it. Answers false when it refutes
    /// the clauses.
    fn close_component(&mut self, components: &mut Components, first: Lit) -> bool {
        let start = components.open.iter().rposition(|&lit| lit == first).unwrap_or(0);
        let members = components.open.split_off(start);
        // The same variable for the component of the negations: the key ignores signs.
        let best = members.iter().copied().min_by_key(|lit| (self.is_removable(lit.var()), lit.var())).unwrap_or(first);
        for &lit in &members {
            components.order[lit.code()] = COMPLETE;
            if lit == !best {
                self.proof.add(&self.map, &[best]);
                self.proof.add(&self.map, &[]);
                self.inconsistent = true;
                return false;
            }
            if self.is_removable(lit.var()) {
                components.representative[lit.code()] = best;
            }
        }
        true
    }

    /// Replaces the literals everywhere and removes their variables.
    fn replace_equivalent(&mut self, components: &Components, replaced: &[Var]) {
        for &var in replaced {
            let lit = var.positive();
            let other = components.of(lit);
            self.proof.add(&self.map, &[!lit, other]);
            self.proof.add(&self.map, &[lit, !other]);
        }
        self.replace_in_binaries(components);
        self.replace_in_clauses(components);
        for &var in replaced {
            if self.inconsistent {
                return;
            }
            self.statistics.substituted += 1;
            for lit in [var.positive(), var.negative()] {
                self.watches.clear(lit);
                let clause = [lit, !components.of(lit)];
                self.push_witness(lit, &clause);
                if self.options.proofkeep == 0 {
                    self.proof.delete(&self.map, &clause);
                }
            }
            self.remove_variable(var, Status::Substituted);
        }
    }

    fn replace_in_binaries(&mut self, components: &Components) {
        let mut old: Scratch<(Lit, Lit, bool)> = Scratch::new();
        for code in 0..self.watches.num_lists() {
            let lit = Lit::from_code(code);
            self.watches.retain(lit, |watch| {
                let stays = !watch.is_binary() || !(components.replaces(lit) || components.replaces(watch.blocking));
                if !stays && lit.code() < watch.blocking.code() {
                    old.push((lit, watch.blocking, watch.is_redundant_binary()));
                }
                stays
            });
        }
        for &(a, b, redundant) in &old {
            let mut clause = [a, b].map(|lit| components.of(lit)).to_vec();
            clause.dedup();
            // A tautology was part of an equivalence.
            if clause.len() == 1 || clause[0] != !clause[1] {
                self.derive_replacement(&mut clause, redundant, 1, 0);
            }
            *self.count_of(redundant) -= 1;
            if !redundant {
                self.touch(components.of(a).var());
                self.touch(components.of(b).var());
            }
            self.proof.delete(&self.map, &[a, b]);
            if self.inconsistent {
                return;
            }
        }
    }

    fn replace_in_clauses(&mut self, components: &Components) {
        let end = self.arena.len();
        let mut next = self.arena.first_from(0);
        while let Some(clause) = next.filter(|clause| (clause.word() as usize) < end && !self.inconsistent) {
            next = self.arena.next(clause);
            if !self.arena.is_garbage(clause) && self.arena.lits(clause).iter().any(|&lit| components.replaces(lit)) {
                self.replace_in_clause(components, clause);
            }
        }
    }

    fn replace_in_clause(&mut self, components: &Components, clause: ClauseRef) {
        let mut lits: Vec<Lit> = self.arena.lits(clause).iter().map(|&lit| components.of(lit)).collect();
        lits.sort_unstable();
        lits.dedup();
        // Codes of a literal and its negation are neighbours.
        let tautology = lits.windows(2).any(|pair| pair[0] == !pair[1]);
        if !tautology {
            let (redundant, glue) = (self.arena.is_redundant(clause), self.arena.glue(clause));
            let used = self.arena.used(clause);
            lits.iter().filter(|_| !redundant).for_each(|lit| self.schedule.touched[lit.var().index()] = true);
            self.derive_replacement(&mut lits, redundant, glue, used);
        }
        self.mark_garbage(clause);
        self.statistics.substituted_clauses += 1;
    }

    fn derive_replacement(&mut self, lits: &mut Vec<Lit>, redundant: bool, glue: u32, used: u32) {
        if self.derive(lits, redundant, glue, used) == Derived::Unit {
            self.statistics.substitute_units += 1;
        }
    }

    /// Removes binary clauses that are there twice, and learns what two that differ in one sign imply. Answers whether
    /// the clauses are not refuted.
    pub(crate) fn remove_duplicate_binaries(&mut self) -> bool {
        let mut positions = Scratch::from(vec![0u32; self.num_vars() * 2]);
        let mut units: Vec<Lit> = Vec::new();
        for code in 0..self.num_vars() * 2 {
            self.remove_duplicates_of(Lit::from_code(code), &mut positions, &mut units);
        }
        for unit in units {
            if self.values.is_unassigned(unit) {
                self.statistics.duplicate_units += 1;
            }
            // Both clauses may be gone from the watches, if another unit came between, but not from the proof.
            if self.derive(&mut vec![unit], false, 0, 0) == Derived::Empty {
                return false;
            }
        }
        true
    }

    fn remove_duplicates_of(&mut self, lit: Lit, positions: &mut [u32], units: &mut Vec<Lit>) {
        let list = self.watches.get(lit);
        let mut kept: Vec<Watch> = Vec::new();
        let mut removed = 0;
        for watch in list.iter().filter(|watch| watch.is_binary()) {
            let other = watch.blocking;
            if positions[(!other).code()] != 0 {
                units.push(lit);
            }
            let Some(first) = positions[other.code()].checked_sub(1) else {
                kept.push(watch);
                positions[other.code()] = kept.len() as u32;
                continue;
            };
            removed += 1;
            let first = &mut kept[first as usize];
            let redundant = first.is_redundant_binary() || watch.is_redundant_binary();
            if !watch.is_redundant_binary() {
                *first = watch;
            }
            // Each clause is in two lists and counts in one.
            if lit.code() < other.code() {
                self.statistics.duplicate_binaries += 1;
                self.proof.delete(&self.map, &[lit, other]);
                *(if redundant { &mut self.num_redundant } else { &mut self.num_irredundant }) -= 1;
            }
        }
        kept.iter().for_each(|watch| positions[watch.blocking.code()] = 0);
        if removed > 0 {
            let mut next = kept.into_iter();
            // The first of the binary watches keep their places for those that stay.
            self.watches.retain(lit, |watch| {
                if !watch.is_binary() {
                    return true;
                }
                next.next().inspect(|kept| *watch = *kept).is_some()
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::fuzz;

    #[test]
    fn every_step_is_checked_on_random_formulas() {
        let often = [("probeint", 1), ("vivify", 0), ("reduceint", 10), ("modeinit", 50)];
        let counters = [
            "substituted variables",
            "clauses rewritten by substitution",
            "units from substitution",
            "duplicate binary clauses",
            "units from duplicate binary clauses",
            "restored clauses",
        ];
        for keep in [0, 1] {
            let settings = [&often[..], &[("proofkeep", keep)]].concat();
            let counts = fuzz(&settings, 200, 60, &counters);
            assert!(counts[..5].iter().all(|&count| count > 0) && (counts[5] > 0) == (keep == 1), "{counts:?}");
        }
    }
}
