//! Conflict analysis: the clause of the first unique implication point (Marques-Silva and Sakallah, GRASP, 1996; Zhang
//! et al., 2001), its minimisation, its glue (Audemard and Simon, Glucose, 2009), the bumping of what was involved, and
//! the jump back.

use super::propagate::Conflict;
use crate::Solver;
use crate::data::arena::ClauseRef;
use crate::data::trail::{Reason, Why};
use putnam_formula::{Lit, Var};

/// The literal was resolved on or is in the learned clause.
pub(crate) const SEEN: u8 = 1;
/// Minimisation found that the literal is not implied by the clause.
pub(crate) const POISON: u8 = 1 << 1;
/// Minimisation found that the literal is implied by the clause.
pub(crate) const REMOVABLE: u8 = 1 << 2;
/// Shrinking may replace the literal.
pub(crate) const SHRINKABLE: u8 = 1 << 3;

/// What an analysis works on. Between analyses all marks are zero and all lists empty.
#[derive(Default)]
pub(crate) struct Analysis {
    /// Marks of every variable.
    pub(crate) marks: Vec<u8>,
    /// The clause being learned; the negated implication point comes first.
    pub(crate) clause: Vec<Lit>,
    /// Variables marked as seen.
    pub(crate) analyzed: Vec<Var>,
    /// Variables with other marks.
    pub(crate) minimized: Vec<Var>,
    /// Decision levels of the clause, without the conflict's.
    pub(crate) levels: Vec<u32>,
    /// Literals that the shrinking of a block marked.
    pub(crate) shrinkable: Vec<Lit>,
    /// Numbers of literals or variables with the keys by which they are sorted.
    keyed: Vec<(u64, u32)>,
    /// Marks of levels, to count the glue of clauses that are used.
    level_stamps: Vec<u64>,
    stamp: u64,
}

impl Analysis {
    /// Makes room for another variable.
    pub(crate) fn grow(&mut self) {
        self.marks.push(0);
    }

    /// Sorts numbers by their keys, all different, each of which is looked up once: what it takes to compare two keys
    /// otherwise are two visits to memory.
    pub(crate) fn sort_by_keys(
        &mut self,
        numbers: impl Iterator<Item = u32>,
        key: impl Fn(u32) -> u64,
    ) -> &[(u64, u32)] {
        self.keyed.clear();
        self.keyed.extend(numbers.map(|number| (key(number), number)));
        self.keyed.sort_unstable();
        &self.keyed
    }

    /// Makes room for as many decision levels.
    fn make_levels(&mut self, levels: usize) {
        if self.level_stamps.len() <= levels {
            self.level_stamps.resize(levels + 1, 0);
        }
    }

    #[inline]
    pub(crate) fn has(&self, lit: Lit, mark: u8) -> bool {
        self.marks[lit.var().index()] & mark != 0
    }

    #[inline]
    pub(crate) fn mark(&mut self, lit: Lit, mark: u8) {
        let marks = &mut self.marks[lit.var().index()];
        if *marks & !SEEN == 0 {
            self.minimized.push(lit.var());
        }
        *marks |= mark;
    }
}

impl Solver {
    /// Learns from a conflict and jumps back; at the root level the clauses are refuted.
    pub(crate) fn analyze(&mut self, conflict: Conflict) {
        self.statistics.conflicts += 1;
        self.offer_phases(self.trail.frame(self.trail.level()).start as usize);
        if !self.enter_conflict_level(conflict) {
            return;
        }
        let level = self.trail.level();
        if level == 0 {
            self.inconsistent = true;
            self.proof.add(&self.map, &[]);
            return;
        }
        self.analysis.make_levels(level as usize);
        self.derive_first_uip(conflict, level);
        let glue = self.analysis.levels.len() as u32;
        self.update_averages(glue, level);
        self.statistics.deduced_literals += self.analysis.clause.len() as u64;
        if self.options.shrink != 0 {
            self.shrink_and_minimize();
        } else if self.options.minimize != 0 {
            self.minimize();
        }
        if self.strengthening_learned(glue) {
            self.strengthen_learned();
        }
        self.statistics.learned_literals += self.analysis.clause.len() as u64;
        if self.options.bump != 0 {
            self.bump_analyzed();
        }
        self.clear_analysis();
        self.proof.add(&self.map, &self.analysis.clause);
        let proved_rows = self.has_proved_rows();
        self.forget_explanations();
        self.learn(glue);
        self.analysis.clause.clear();
        if proved_rows {
            self.limit_matrix_proof();
        }
        self.reluctant.tick();
        self.count_burst_conflict();
    }

    /// Resolves backwards along the trail until one literal of the conflict's level is left. Literals of lower levels may
    /// stand between those of this one.
    fn derive_first_uip(&mut self, conflict: Conflict, level: u32) {
        debug_assert!(self.analysis.analyzed.is_empty() && self.analysis.clause.is_empty());
        self.analysis.clause.push(Lit::from_code(0));
        let mut open = 0;
        match conflict {
            Conflict::Binary(a, b) => {
                open += self.analyze_literal(a, level);
                open += self.analyze_literal(b, level);
            }
            Conflict::Clause(clause) => open += self.analyze_clause(clause, level),
        }
        let mut position = self.trail.len();
        loop {
            position -= 1;
            let lit = self.trail.lit(position);
            if !self.analysis.has(lit, SEEN) || self.trail.level_of(lit) < level {
                continue;
            }
            open -= 1;
            if open == 0 {
                self.analysis.clause[0] = !lit;
                return;
            }
            match self.reason(lit) {
                Why::Binary(other) => open += self.analyze_literal(other, level),
                Why::Clause(clause) => open += self.analyze_clause(clause, level),
                Why::Nothing | Why::Row(_) => unreachable!("a decision is the last open literal of its level"),
            }
        }
    }

    fn analyze_clause(&mut self, clause: ClauseRef, level: u32) -> usize {
        let mut opened = 0;
        for i in 0..self.arena.size(clause) {
            opened += self.analyze_literal(self.arena.lits(clause)[i], level);
        }
        if self.arena.is_redundant(clause) {
            self.use_clause(clause);
        }
        opened
    }

    /// Marks a literal of a reason. Answers 1 when it is a new one of the conflict's level, else 0.
    #[inline]
    fn analyze_literal(&mut self, lit: Lit, level: u32) -> usize {
        if self.analysis.has(lit, SEEN) {
            return 0;
        }
        let assigned = *self.trail.assigned(lit.var());
        if assigned.level == 0 {
            return 0;
        }
        self.analysis.marks[lit.var().index()] |= SEEN;
        self.analysis.analyzed.push(lit.var());
        if assigned.level == level {
            return 1;
        }
        self.analysis.clause.push(lit);
        let frame = self.trail.frame_mut(assigned.level);
        if frame.seen == 0 {
            self.analysis.levels.push(assigned.level);
        }
        frame.seen += 1;
        frame.earliest = frame.earliest.min(assigned.position);
        0
    }

    /// Notes that a conflict needed a learned clause: counts the use of its glue, lowers the glue when the clause has
    /// fewer levels now (Glucose), and saves it from the next reductions.
    fn use_clause(&mut self, clause: ClauseRef) {
        let mut glue = self.arena.glue(clause);
        let tier1 = self.tiers.limits(self.stable).0;
        if glue > tier1 && self.options.promote != 0 {
            let new = self.count_levels(clause, glue);
            if new < glue {
                self.arena.set_glue(clause, new);
                self.statistics.promoted += 1;
                glue = new;
            }
        }
        self.tiers.count(self.stable, glue);
        self.arena.set_used(clause, self.saved_reductions(glue));
    }

    /// The glue of a clause under the current assignment, if it is below `limit`.
    fn count_levels(&mut self, clause: ClauseRef, limit: u32) -> u32 {
        let analysis = &mut self.analysis;
        analysis.stamp += 1;
        // One level is the conflict's or the implied literal's and does not count.
        let mut levels = 0;
        for &lit in self.arena.lits(clause) {
            let stamp = &mut analysis.level_stamps[self.trail.level_of(lit) as usize];
            if *stamp != analysis.stamp {
                *stamp = analysis.stamp;
                levels += 1;
                if levels > limit {
                    return limit;
                }
            }
        }
        (levels - 1).max(1)
    }

    fn clear_analysis(&mut self) {
        let analysis = &mut self.analysis;
        for var in analysis.analyzed.drain(..).chain(analysis.minimized.drain(..)) {
            analysis.marks[var.index()] = 0;
        }
        for level in analysis.levels.drain(..) {
            self.trail.frame_mut(level).clear_seen();
        }
    }

    /// Adds the clause of the analysis, which the proof has, jumps back to where it implies its first literal, and
    /// assigns that.
    fn learn(&mut self, glue: u32) {
        self.statistics.learned += 1;
        let uip = self.analysis.clause[0];
        match self.analysis.clause.len() {
            1 => {
                self.statistics.learned_units += 1;
                self.backtrack(0);
                self.assign(uip, Reason::NOTHING);
            }
            2 => {
                self.statistics.learned_binaries += 1;
                let other = self.analysis.clause[1];
                let jump = self.trail.level_of(other);
                self.backtrack(self.backtrack_level(jump));
                self.watch_binary(uip, other, true);
                self.assign_learned(uip, Reason::binary(other), jump);
            }
            _ => {
                let jump = self.highest_second();
                self.backtrack(self.backtrack_level(jump));
                let clause = std::mem::take(&mut self.analysis.clause);
                let reference = self.push_clause(&clause, true, glue);
                self.analysis.clause = clause;
                self.arena.set_used(reference, self.saved_reductions(glue));
                self.watch_large(reference);
                self.assign_learned(uip, Reason::clause(reference), jump);
                self.subsume_eagerly(reference);
            }
        }
    }

    /// Puts a literal of the highest level below the conflict's second, and answers with that level.
    fn highest_second(&mut self) -> u32 {
        let clause = &mut self.analysis.clause;
        let mut best = 1;
        for i in 2..clause.len() {
            if self.trail.level_of(clause[i]) > self.trail.level_of(clause[best]) {
                best = i;
            }
        }
        clause.swap(1, best);
        self.trail.level_of(clause[1])
    }
}
