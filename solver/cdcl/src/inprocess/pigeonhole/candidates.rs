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

/// Pairs of literals that exclude each other, and which of them are in a set.
struct Exclusions {
    /// By literal: the larger ones that it excludes, sorted.
    larger: Groups<Lit>,
    /// A bit for each of these pairs.
    covered: Scratch<u64>,
}

impl Exclusions {
    fn new(larger: Groups<Lit>) -> Self {
        let words = larger.items().len().div_ceil(64);
        Self { larger, covered: vec![0; words].into() }
    }

    /// The place of the pair among all, if they exclude each other.
    fn find(&self, a: Lit, b: Lit) -> Option<usize> {
        let (a, b) = (a.min(b), a.max(b));
        self.larger.get(a.code()).binary_search(&b).ok().map(|at| self.larger.range(a.code()).start + at)
    }

    fn is_covered(&self, place: usize) -> bool {
        self.covered[place / 64] >> (place % 64) & 1 == 1
    }

    fn cover(&mut self, set: &[Lit]) {
        for (index, &a) in set.iter().enumerate() {
            for &b in &set[index + 1..] {
                if let Some(place) = self.find(a, b) {
                    self.covered[place / 64] |= 1 << (place % 64);
                }
            }
        }
    }
}

/// A search through binary clauses.
struct Reach {
    /// By literal: the last search that came there.
    stamps: Scratch<u32>,
    stack: Vec<Lit>,
    ticks: u64,
}

impl Reach {
    fn new(num_lits: usize) -> Self {
        Self { stamps: vec![0; num_lits].into(), stack: Vec::new(), ticks: 0 }
    }

    /// Calls `visit` with each literal that `first` excludes. Each literal is to be searched from once at most.
    fn visit_excluded(&mut self, solver: &Solver, first: Lit, depth: Depth, mut visit: impl FnMut(Lit)) {
        let stamp = first.code() as u32 + 1;
        self.stack.push(first);
        self.stamps[first.code()] = stamp;
        if depth == Depth::Implied {
            visit(!first);
        }
        while let Some(lit) = self.stack.pop() {
            let list = solver.watches.get(!lit);
            self.ticks += 1 + list.words() as u64 / 8;
            for watch in list.iter().filter(|&watch| says(watch)) {
                let implied = watch.blocking;
                if std::mem::replace(&mut self.stamps[implied.code()], stamp) != stamp {
                    self.stack.extend(Some(implied).filter(|_| depth == Depth::Implied));
                    if implied != !first {
                        visit(!implied);
                    }
                }
            }
        }
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
        let excluding = self.excluding_literals(&counted, depth, limit)?;
        let is_excluding = |lit: &Lit| excluding[lit.code()];
        let mut clauses = Groups::default();
        self.visit_counted(&excludes, |lits| {
            if lits.iter().all(is_excluding) {
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
            if depth == Depth::Implied && pair.iter().all(|lit| counted[lit.code()] && is_excluding(lit)) {
                clauses.push(pair);
            }
        }
        let clauses = clauses.sorted();
        if clauses.len() < 2 {
            return None;
        }
        let exclusive = self.exclusive_sets(&clauses, depth, limit)?;
        Some(Candidates { clauses, exclusive })
    }

    /// By literal, whether a clause of the formula has it all of whose negated literals are in binary clauses. None
    /// when the limit is reached, which counts two ticks a clause: they will have to be sorted.
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

    /// Calls `visit` with the clauses of the formula whose literals all exclude others, until it answers false. They
    /// are not kept: most of them are found not to count.
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

    /// Which counted literals exclude others among the counted ones. None when the limit is reached.
    fn excluding_literals(&mut self, counted: &[bool], depth: Depth, limit: u64) -> Option<Scratch<bool>> {
        let mut excluding = Scratch::from(vec![false; counted.len()]);
        let mut reach = Reach::new(counted.len());
        for lit in (0..counted.len()).map(Lit::from_code).filter(|lit| counted[lit.code()]) {
            reach.visit_excluded(self, lit, depth, |other| excluding[lit.code()] |= counted[other.code()]);
            if self.statistics.pigeonhole_ticks + reach.ticks >= limit {
                self.statistics.pigeonhole_ticks += reach.ticks;
                return None;
            }
        }
        self.statistics.pigeonhole_ticks += reach.ticks;
        Some(excluding)
    }

    /// What the literals of the clauses exclude among each other.
    fn exclusions(&self, counted: &[bool], depth: Depth) -> Exclusions {
        let mut larger = Groups::default();
        let mut reach = Reach::new(counted.len());
        for (code, &is_counted) in counted.iter().enumerate() {
            if is_counted {
                let lit = Lit::from_code(code);
                let excluded = |other: Lit| larger.extend(Some(other).filter(|&o| lit < o && counted[o.code()]));
                reach.visit_excluded(self, lit, depth, excluded);
                larger.open().sort_unstable();
            }
            larger.close();
        }
        Exclusions::new(larger)
    }

    /// Sets that grow from a pair in the order of the literals, until each pair is in one. None when the limit is
    /// reached.
    fn exclusive_sets(&mut self, clauses: &Groups<Lit>, depth: Depth, limit: u64) -> Option<Groups<Lit>> {
        let mut counted = Scratch::from(vec![false; self.num_vars() * 2]);
        clauses.items().iter().for_each(|lit| counted[lit.code()] = true);
        let mut exclusions = self.exclusions(&counted, depth);
        let mut reach = Reach::new(counted.len());
        let mut sets = Groups::default();
        let (mut set, mut list) = (Vec::new(), Vec::new());
        for lit in (0..counted.len()).map(Lit::from_code).filter(|lit| counted[lit.code()]) {
            list.clear();
            reach.visit_excluded(self, lit, depth, |other| list.extend(Some(other).filter(|o| counted[o.code()])));
            list.sort_unstable();
            // Pairs with a smaller one were covered from there.
            for place in exclusions.larger.range(lit.code()) {
                if exclusions.is_covered(place) {
                    continue;
                }
                // One literal may exclude very many that exclude nothing else.
                if self.statistics.pigeonhole_ticks >= limit {
                    return None;
                }
                let other = exclusions.larger.items()[place];
                set.clear();
                set.extend([lit, other]);
                for &next in &list {
                    self.statistics.pigeonhole_ticks += 1;
                    if next != other && set[1..].iter().all(|&member| exclusions.find(next, member).is_some()) {
                        set.push(next);
                    }
                }
                exclusions.cover(&set);
                self.statistics.pigeonhole_ticks += (set.len() * set.len()) as u64 / 4;
                set.sort_unstable();
                sets.push(set.iter().copied());
            }
        }
        Some(sets)
    }
}
