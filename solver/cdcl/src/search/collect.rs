//! Arena collection: garbage goes, and what stays is moved so that clauses lie in the order in which propagation will
//! visit them, that of the watch lists, likely decisions first (as in CaDiCaL's moving collector). Literals that are
//! false at the root are left out on the way, and clauses that get short become binary.

use crate::Solver;
use crate::data::arena::ClauseRef;
use crate::data::trail::{Reason, Why};
use crate::data::watch::Watch;
use putnam_formula::{Lit, Scratch, Var};

impl Solver {
    /// Removes clauses that units satisfy and what was forgotten, and moves the others together. A search does that by
    /// itself from time to time; between searches it makes a solver smaller that is kept. The answer of the last search
    /// stays.
    pub fn collect_garbage(&mut self) {
        if self.connect_all() {
            self.tidy();
        }
    }

    /// Removes garbage clauses and satisfied binary ones; all references are brought up to date.
    pub(crate) fn collect(&mut self) {
        self.statistics.collections += 1;
        if self.cleaned_units < self.recorded_units {
            self.strengthen_at_root();
            self.clean_binaries();
            self.cleaned_units = self.recorded_units;
        }
        let mut target = self.arena.successor(self.live_words());
        for &lit in &self.collection_order() {
            let arena = &mut self.arena;
            self.watches.retain(lit, |watch| {
                if watch.is_binary() {
                    return true;
                }
                let clause = watch.clause();
                // A moved clause is no garbage, and its header still says so.
                if arena.is_garbage(clause) {
                    return false;
                }
                *watch = Watch::large(watch.blocking, arena.move_to(clause, &mut target));
                true
            });
        }
        for position in self.recorded_units..self.trail.len() {
            let lit = self.trail.lit(position);
            if let Why::Clause(clause) = self.trail.reason(lit) {
                let moved = self.arena.moved(clause).expect("reasons are watched and never garbage");
                self.trail.set_reason(lit, Reason::clause(moved));
            }
        }
        let arena = &self.arena;
        self.recent = self.recent.iter().filter_map(|&clause| arena.moved(clause)).collect();
        self.arena = target;
        self.connected = self.arena.len();
        if self.watches.wants_compacting() {
            self.watches.compact();
        }
        if cfg!(debug_assertions) {
            self.check_invariants();
        }
    }

    /// Marks the clauses that are reasons, or takes the marks away.
    pub(crate) fn protect_reasons(&mut self, protected: bool) {
        for position in self.recorded_units..self.trail.len() {
            if let Why::Clause(clause) = self.trail.reason(self.trail.lit(position)) {
                self.arena.set_protected(clause, protected);
            }
        }
    }

    /// Whether a literal is true at the root.
    #[inline]
    pub(crate) fn is_root_true(&self, lit: Lit) -> bool {
        self.values.is_true(lit) && self.trail.level_of(lit) == 0
    }

    #[inline]
    fn is_root_false(&self, lit: Lit) -> bool {
        self.is_root_true(!lit)
    }

    fn live_words(&self) -> usize {
        let words = |clause| self.arena.size(clause) + crate::data::arena::HEADER;
        self.arena.clauses().filter(|&clause| !self.arena.is_garbage(clause)).map(words).sum()
    }

    /// All literals, those of variables first that will be decided first, the likelier value before the other.
    fn collection_order(&self) -> Scratch<Lit> {
        let vars: Scratch<Var> = self.queue.backwards().collect();
        // Watches of a literal are visited when it becomes false.
        vars.iter()
            .flat_map(|&var| {
                let likely = var.lit(self.phases.saved[var.index()] > 0);
                [!likely, likely]
            })
            .collect()
    }

    /// Removes literals that are false at the root from the clauses that are not garbage. The watched ones are never
    /// among them: with a false watch at the root the clause would be satisfied at the root.
    fn strengthen_at_root(&mut self) {
        let mut kept: Vec<Lit> = Vec::new();
        let mut next = self.arena.first_from(0);
        while let Some(clause) = next {
            next = self.arena.next(clause);
            if self.arena.is_garbage(clause) {
                continue;
            }
            let lits = self.arena.lits(clause);
            if !lits.iter().any(|&lit| self.is_root_false(lit)) {
                continue;
            }
            kept.clear();
            kept.extend(lits.iter().copied().filter(|&lit| !self.is_root_false(lit)));
            debug_assert_eq!(kept[..2], lits[..2]);
            self.statistics.root_strengthened += (lits.len() - kept.len()) as u64;
            self.proof.add(&self.map, &kept);
            if kept.len() > 2 {
                self.proof.delete(&self.map, self.arena.lits(clause));
                self.arena.lits_mut(clause)[..kept.len()].copy_from_slice(&kept);
                self.arena.shrink(clause, kept.len());
            } else {
                self.become_binary(clause, kept[0], kept[1]);
            }
        }
        self.repair_blocking_literals();
    }

    /// Replaces a large clause by a binary one, as the reason too.
    fn become_binary(&mut self, clause: ClauseRef, first: Lit, second: Lit) {
        for (lit, other) in [(first, second), (second, first)] {
            if self.values.is_true(lit) && self.trail.reason(lit) == Why::Clause(clause) {
                self.trail.set_reason(lit, Reason::binary(other));
            }
        }
        let redundant = self.arena.is_redundant(clause);
        self.mark_garbage(clause);
        self.watch_binary(first, second, redundant);
    }

    /// A literal that was removed from its clause must not block it any more.
    fn repair_blocking_literals(&mut self) {
        for code in 0..self.watches.num_lists() {
            let lit = Lit::from_code(code);
            let (values, trail, arena) = (&self.values, &self.trail, &self.arena);
            self.watches.retain(lit, |watch| {
                let root_false = values.is_false(watch.blocking) && trail.level_of(watch.blocking) == 0;
                if !watch.is_binary() && root_false && !arena.is_garbage(watch.clause()) {
                    let lits = arena.lits(watch.clause());
                    watch.blocking = if lits[0] == lit { lits[1] } else { lits[0] };
                }
                true
            });
        }
    }

    /// Removes binary clauses that are satisfied at the root.
    fn clean_binaries(&mut self) {
        let (values, trail, proof, map) = (&self.values, &self.trail, &mut self.proof, &self.map);
        let root_true = |lit: Lit| values.is_true(lit) && trail.level_of(lit) == 0;
        let (mut irredundant, mut redundant) = (0, 0);
        for code in 0..self.watches.num_lists() {
            let lit = Lit::from_code(code);
            let lit_true = root_true(lit);
            self.watches.retain(lit, |watch| {
                let satisfied = watch.is_binary() && (lit_true || root_true(watch.blocking));
                // Each clause is in two lists and counts in one.
                if satisfied && lit.code() < watch.blocking.code() {
                    proof.delete(map, &[lit, watch.blocking]);
                    *(if watch.is_redundant_binary() { &mut redundant } else { &mut irredundant }) += 1;
                }
                !satisfied
            });
        }
        self.num_irredundant -= irredundant;
        self.num_redundant -= redundant;
        self.statistics.root_satisfied += irredundant + redundant;
    }
}
