//! Clauses and sets of literals that may be pigeons and holes.

use super::{Candidates, Depth};
use crate::Solver;
use crate::data::groups::Groups;
use crate::data::watch::Watch;
use putnam_formula::{Lit, Scratch};

/// Whether it is a binary clause of the formula. Learned ones would blur the sets.
fn says(watch: Watch) -> bool {
    watch.is_binary() && !watch.is_redundant_binary()
}

/// By literal: which others binary clauses make false when it is true, sorted.
struct Exclusions(Groups<Lit>);

impl Exclusions {
    fn of(&self, lit: Lit) -> &[Lit] {
        self.0.get(lit.code())
    }

    /// The place of the exclusion among all, if there is one.
    fn find(&self, a: Lit, b: Lit) -> Option<usize> {
        self.of(a).binary_search(&b).ok().map(|at| self.0.range(a.code()).start + at)
    }
}

impl Solver {
    /// The clauses of which every literal excludes others, and sets of literals that exclude each other, so that every
    /// exclusion is in one. None when there are none or the limit of ticks is reached.
    pub(super) fn pigeonhole_candidates(&mut self, depth: Depth, limit: u64) -> Option<Candidates> {
        let excludes: Scratch<bool> =
            (0..self.num_vars() * 2).map(|code| self.watches.get(!Lit::from_code(code)).iter().any(says)).collect();
        self.statistics.pigeonhole_ticks += self.num_vars() as u64 / 4;
        let counted = self.counted_literals(&excludes, limit)?;
        let exclusions = self.exclusions(&counted, depth, limit)?;
        let has_exclusions = |lit: &Lit| !exclusions.of(*lit).is_empty();
        let mut clauses = Groups::default();
        self.visit_counted(&excludes, |lits| {
            if lits.iter().all(has_exclusions) {
                clauses.extend(lits.iter().copied());
                clauses.open().sort_unstable();
                clauses.close();
            }
            true
        });
        // Equivalent literals were substituted: what was a clause of two opposite ones is a tautology now, but it
        // counts.
        for lit in (0..counted.len()).step_by(2).map(Lit::from_code) {
            let pair = [lit, !lit];
            if depth == Depth::Implied && pair.iter().all(|lit| counted[lit.code()] && has_exclusions(lit)) {
                clauses.push(pair);
            }
        }
        let clauses = clauses.sorted();
        if clauses.len() < 2 {
            return None;
        }
        let exclusive = self.exclusive_sets(&clauses, &exclusions, limit)?;
        Some(Candidates { clauses, exclusive })
    }

    /// By literal, whether a clause of the formula has it all of whose negated literals are in binary clauses. None when the
    /// limit is reached, which counts two ticks a clause: they will have to be sorted.
    fn counted_literals(&mut self, excludes: &[bool], limit: u64) -> Option<Scratch<bool>> {
        let mut counted = Scratch::from(vec![false; excludes.len()]);
        let mut ticks = self.statistics.pigeonhole_ticks;
        self.visit_counted(excludes, |lits| {
            lits.iter().for_each(|lit| counted[lit.code()] = true);
            ticks += 2;
            ticks < limit
        });
        self.statistics.pigeonhole_ticks = ticks;
        (ticks < limit).then_some(counted)
    }

    /// Calls `visit` with the clauses of the formula whose literals all exclude others, until it answers false. They are not
    /// kept: most of them are found not to count.
    fn visit_counted(&self, excludes: &[bool], mut visit: impl FnMut(&[Lit]) -> bool) {
        for clause in self.arena.clauses() {
            let lits = self.arena.lits(clause);
            let skipped = self.arena.is_garbage(clause) || self.arena.is_redundant(clause);
            if !skipped && lits.iter().all(|lit| excludes[lit.code()]) && !visit(lits) {
                return;
            }
        }
        for lit in (0..excludes.len()).map(Lit::from_code).filter(|lit| excludes[lit.code()]) {
            for watch in self.watches.get(lit).iter().filter(|&watch| says(watch)) {
                if lit < watch.blocking && excludes[watch.blocking.code()] && !visit(&[lit, watch.blocking]) {
                    return;
                }
            }
        }
    }

    /// What each counted literal excludes among the counted ones. None when the limit is reached.
    fn exclusions(&mut self, counted: &[bool], depth: Depth, limit: u64) -> Option<Exclusions> {
        let mut of = Groups::default();
        let mut stamps = Scratch::from(vec![0u32; counted.len()]);
        let mut stack = Vec::new();
        for (code, &is_counted) in counted.iter().enumerate() {
            if !is_counted {
                of.close();
                continue;
            }
            let stamp = code as u32 + 1;
            let first = Lit::from_code(code);
            stack.push(first);
            stamps[code] = stamp;
            of.extend(Some(!first).filter(|lit| depth == Depth::Implied && counted[lit.code()]));
            while let Some(lit) = stack.pop() {
                let list = self.watches.get(!lit);
                self.statistics.pigeonhole_ticks += 1 + list.words() as u64 / 8;
                for watch in list.iter().filter(|&watch| says(watch)) {
                    let implied = watch.blocking;
                    if std::mem::replace(&mut stamps[implied.code()], stamp) != stamp {
                        stack.extend(Some(implied).filter(|_| depth == Depth::Implied));
                        if counted[(!implied).code()] && implied != !first {
                            of.extend([!implied]);
                        }
                    }
                }
            }
            of.open().sort_unstable();
            of.close();
            if self.statistics.pigeonhole_ticks >= limit {
                return None;
            }
        }
        Some(Exclusions(of))
    }

    /// Sets that grow from a pair in the order of the literals, until each pair is in one. None when the limit is
    /// reached.
    fn exclusive_sets(&mut self, clauses: &Groups<Lit>, exclusions: &Exclusions, limit: u64) -> Option<Groups<Lit>> {
        let mut lits: Scratch<Lit> = clauses.items().iter().copied().collect();
        lits.sort_unstable();
        lits.dedup();
        let mut is_counted = Scratch::from(vec![false; exclusions.0.len()]);
        lits.iter().for_each(|lit| is_counted[lit.code()] = true);
        let mut covered = Scratch::from(vec![false; exclusions.0.items().len()]);
        let mut sets = Groups::default();
        let mut set = Vec::new();
        for &lit in &lits {
            let list = exclusions.of(lit);
            let first = exclusions.0.range(lit.code()).start;
            for (index, &other) in list.iter().enumerate() {
                if covered[first + index] || !is_counted[other.code()] {
                    continue;
                }
                set.clear();
                set.extend([lit, other]);
                for &next in list.iter().filter(|next| is_counted[next.code()]) {
                    self.statistics.pigeonhole_ticks += 1;
                    if next != other && set[1..].iter().all(|&member| exclusions.find(next, member).is_some()) {
                        set.push(next);
                    }
                }
                for &member in &set {
                    for &second in set.iter().filter(|&&second| second != member) {
                        if let Some(place) = exclusions.find(member, second) {
                            covered[place] = true;
                        }
                    }
                }
                self.statistics.pigeonhole_ticks += (set.len() * set.len()) as u64 / 4;
                set.sort_unstable();
                sets.push(set.iter().copied());
            }
            if self.statistics.pigeonhole_ticks >= limit {
                return None;
            }
        }
        Some(sets)
    }
}
