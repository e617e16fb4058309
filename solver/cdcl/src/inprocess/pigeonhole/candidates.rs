//! Clauses and sets of literals that may be pigeons and holes.

use super::{Candidates, Depth};
use crate::Solver;
use crate::data::watch::Watch;
use putnam_formula::Lit;

/// Whether it is a binary clause of the formula. Learned ones would blur the sets.
fn says(watch: Watch) -> bool {
    watch.is_binary() && !watch.is_redundant_binary()
}

/// By literal: which others binary clauses make false when it is true.
struct Exclusions {
    /// Sorted.
    of: Vec<Vec<Lit>>,
}

impl Exclusions {
    fn exclude(&self, a: Lit, b: Lit) -> bool {
        self.of[a.code()].binary_search(&b).is_ok()
    }
}

impl Solver {
    /// The clauses of which every literal excludes others, and sets of literals that exclude each other, so that every
    /// exclusion is in one. None when there are none or the limit of ticks is reached.
    pub(super) fn pigeonhole_candidates(&mut self, depth: Depth, limit: u64) -> Option<Candidates> {
        let mut clauses = self.counted_clauses();
        let mut counted = vec![false; self.num_vars() * 2];
        clauses.iter().flatten().for_each(|lit| counted[lit.code()] = true);
        // Equivalent literals were substituted: what was a clause of two opposite ones is a tautology now, but it
        // counts.
        for lit in (0..counted.len()).step_by(2).map(Lit::from_code) {
            if depth == Depth::Implied && counted[lit.code()] && counted[(!lit).code()] {
                clauses.push(vec![lit, !lit]);
            }
        }
        let exclusions = self.exclusions(&counted, depth, limit)?;
        clauses.retain(|clause| clause.iter().all(|lit| !exclusions.of[lit.code()].is_empty()));
        if clauses.len() < 2 {
            return None;
        }
        let exclusive = self.exclusive_sets(&clauses, &exclusions, limit)?;
        Some(Candidates { clauses, exclusive })
    }

    /// Clauses of the formula all of whose negated literals are in binary clauses.
    fn counted_clauses(&mut self) -> Vec<Vec<Lit>> {
        let excludes: Vec<bool> = (0..self.num_vars() * 2)
            .map(|code| self.watches.get(!Lit::from_code(code)).iter().any(|&watch| says(watch)))
            .collect();
        self.statistics.pigeonhole_ticks += self.num_vars() as u64 / 4;
        let mut clauses: Vec<Vec<Lit>> = Vec::new();
        for clause in self.arena.clauses() {
            let lits = self.arena.lits(clause);
            let skipped = self.arena.is_garbage(clause) || self.arena.is_redundant(clause);
            if !skipped && lits.iter().all(|lit| excludes[lit.code()]) {
                clauses.push(lits.to_vec());
            }
        }
        for code in 0..self.num_vars() * 2 {
            let lit = Lit::from_code(code);
            for watch in self.watches.get(lit).iter().filter(|&&watch| says(watch)) {
                if code < watch.blocking.code() && excludes[code] && excludes[watch.blocking.code()] {
                    clauses.push(vec![lit, watch.blocking]);
                }
            }
        }
        clauses.iter_mut().for_each(|clause| clause.sort_unstable());
        clauses.sort_unstable();
        clauses.dedup();
        clauses
    }

    /// What each counted literal excludes among the counted ones. None when the limit is reached.
    fn exclusions(&mut self, counted: &[bool], depth: Depth, limit: u64) -> Option<Exclusions> {
        let mut of = vec![Vec::new(); counted.len()];
        let mut stamps = vec![0u32; counted.len()];
        let mut stack = Vec::new();
        for code in (0..counted.len()).filter(|&code| counted[code]) {
            let stamp = code as u32 + 1;
            let first = Lit::from_code(code);
            stack.push(first);
            stamps[code] = stamp;
            of[code].extend(Some(!first).filter(|lit| depth == Depth::Implied && counted[lit.code()]));
            while let Some(lit) = stack.pop() {
                let list = self.watches.get(!lit);
                self.statistics.pigeonhole_ticks += 1 + list.len() as u64 / 4;
                for watch in list.iter().filter(|&&watch| says(watch)) {
                    let implied = watch.blocking;
                    if std::mem::replace(&mut stamps[implied.code()], stamp) != stamp {
                        stack.extend(Some(implied).filter(|_| depth == Depth::Implied));
                        if counted[(!implied).code()] && implied != !first {
                            of[code].push(!implied);
                        }
                    }
                }
            }
            of[code].sort_unstable();
            if self.statistics.pigeonhole_ticks >= limit {
                return None;
            }
        }
        Some(Exclusions { of })
    }

    /// Sets that grow from a pair in the order of the literals, until each pair is in one. None when the limit is
    /// reached.
    fn exclusive_sets(&mut self, clauses: &[Vec<Lit>], exclusions: &Exclusions, limit: u64) -> Option<Vec<Vec<Lit>>> {
        let mut lits: Vec<Lit> = clauses.iter().flatten().copied().collect();
        lits.sort_unstable();
        lits.dedup();
        let mut is_counted = vec![false; exclusions.of.len()];
        lits.iter().for_each(|lit| is_counted[lit.code()] = true);
        let mut covered: Vec<Vec<bool>> = exclusions.of.iter().map(|list| vec![false; list.len()]).collect();
        let mut sets: Vec<Vec<Lit>> = Vec::new();
        for &lit in &lits {
            let list = &exclusions.of[lit.code()];
            for (index, &other) in list.iter().enumerate() {
                if covered[lit.code()][index] || !is_counted[other.code()] {
                    continue;
                }
                let mut set = vec![lit, other];
                for &next in list.iter().filter(|next| is_counted[next.code()]) {
                    self.statistics.pigeonhole_ticks += 1;
                    if next != other && set[1..].iter().all(|&member| exclusions.exclude(next, member)) {
                        set.push(next);
                    }
                }
                for &member in &set {
                    for &second in set.iter().filter(|&&second| second != member) {
                        if let Ok(place) = exclusions.of[member.code()].binary_search(&second) {
                            covered[member.code()][place] = true;
                        }
                    }
                }
                self.statistics.pigeonhole_ticks += (set.len() * set.len()) as u64 / 4;
                set.sort_unstable();
                sets.push(set);
            }
            if self.statistics.pigeonhole_ticks >= limit {
                return None;
            }
        }
        Some(sets)
    }
}
