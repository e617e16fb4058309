//! Local search for good phases: ProbSAT (Balint and Schöning, SAT 2012). From the saved phases it picks a falsified
//! clause at random and flips one of its variables, the likelier the fewer clauses that breaks, until its effort is
//! spent; the assignment with the fewest falsified clauses becomes the saved phases.
//!
//! How many clauses a flip breaks is kept for each variable: with every clause goes the number of its true literals and
//! the exclusive or of their codes, which is the literal itself when there is one. Binary clauses need no such count,
//! and no clause is copied: they are read where the solver has them.

use crate::Solver;
use crate::data::arena::{Arena, ClauseRef};
use crate::data::phases::sign;
use crate::data::random::Random;
use crate::data::watch::Watches;
use putnam_formula::{Lit, Scratch, Var};
use rustc_hash::FxHashMap;
use std::collections::hash_map::Entry;

/// Larger formulas are not walked: the lists would take too much memory.
const MAX_LITERALS: usize = 20_000_000;
const MIN_TICKS: u64 = 100_000;
/// Ticks between two looks at the clock.
const PATIENCE: u64 = 50_000;
/// Flips that are kept however few variables there are.
const MIN_JOURNAL: usize = 1 << 16;

/// What is known of a large clause.
#[derive(Clone, Copy, Default)]
struct Count {
    satisfied: u32,
    /// Exclusive or of the codes of the true literals.
    code: u32,
}

/// A clause that may be falsified.
#[derive(Clone, Copy)]
enum Clause {
    /// A binary clause, the lower literal first.
    Binary(Lit, Lit),
    /// The index of a large one.
    Large(u32),
}

impl Clause {
    fn binary(a: Lit, b: Lit) -> Self {
        if a < b { Self::Binary(a, b) } else { Self::Binary(b, a) }
    }
}

/// The local search on the irredundant clauses.
struct Walker<'a> {
    arena: &'a Arena,
    watches: &'a Watches,
    /// The large clauses that are not satisfied at the root.
    clauses: Scratch<ClauseRef>,
    counts: Scratch<Count>,
    /// Large clauses of each literal, in one array, and where each literal's begin.
    occurrences: Scratch<u32>,
    begins: Scratch<u32>,
    falsified: Scratch<Clause>,
    /// By large clause: where it is among the falsified.
    places: Scratch<u32>,
    /// The same of binary clauses.
    binary_places: FxHashMap<(Lit, Lit), u32>,
    /// By literal code.
    is_true: Scratch<bool>,
    /// By variable: its value holds at the root, so it is not flipped.
    fixed: Scratch<bool>,
    /// Clauses of which the variable's literal is the only true one.
    breaks: Scratch<u32>,
    /// The weight of a variable by what it breaks.
    weights: Vec<f64>,
    best: usize,
    journal: Journal,
    ticks: u64,
}

impl Solver {
    /// Improves the saved phases.
    pub(crate) fn walk(&mut self) {
        if self.options.walk == 0 {
            return;
        }
        let effort = (self.statistics.ticks / 1000).saturating_mul(self.walk_share()) + MIN_TICKS;
        let before = self.statistics.walk_ticks;
        let paid = before - self.uniform.free_ticks;
        let limit = effort.saturating_sub(paid).max(MIN_TICKS);
        let left = std::mem::take(&mut self.uniform.left);
        self.walk_within(limit + left);
        self.uniform.free_ticks += (self.statistics.walk_ticks - before).saturating_sub(limit);
    }

    /// Improves the saved phases with so many ticks; answers how many clauses the best assignment falsifies, if there
    /// was a walk.
    pub(crate) fn walk_within(&mut self, limit: u64) -> Option<usize> {
        let mut random = self.random.clone();
        let mut falsified = None;
        if let Some(mut walker) = self.new_walker() {
            let initial = walker.falsified.len();
            let flips = walker.run(&mut random, limit, || self.stopping_now().is_some());
            let ticks = walker.ticks;
            let better = walker.best < initial;
            falsified = Some(walker.best);
            walker.return_to_best();
            let is_true = std::mem::take(&mut walker.is_true);
            self.statistics.walks += 1;
            self.statistics.walk_flips += flips;
            self.statistics.walk_ticks += ticks;
            if better {
                for (index, phase) in self.phases.saved.iter_mut().enumerate() {
                    let lit = Var::new(index as u32).positive();
                    *phase = sign(if is_true[lit.code()] { lit } else { !lit });
                }
            }
        }
        self.random = random;
        falsified
    }

    fn new_walker(&self) -> Option<Walker<'_>> {
        let fixed = |lit: Lit| !self.values.is_unassigned(lit) && self.trail.level_of(lit) == 0;
        let mut walker = Walker {
            arena: &self.arena,
            watches: &self.watches,
            clauses: Scratch::new(),
            counts: Scratch::new(),
            occurrences: Scratch::new(),
            begins: vec![0; self.num_vars() * 2 + 1].into(),
            falsified: Scratch::new(),
            places: Scratch::new(),
            binary_places: FxHashMap::default(),
            is_true: vec![false; self.num_vars() * 2].into(),
            fixed: (0..self.num_vars() as u32).map(|index| fixed(Var::new(index).positive())).collect(),
            breaks: vec![0; self.num_vars()].into(),
            weights: Vec::new(),
            best: 0,
            journal: Journal::default(),
            ticks: 0,
        };
        for index in 0..self.num_vars() {
            let lit = self.phases.literal(Var::new(index as u32), false);
            walker.is_true[if self.values.is_false(lit) { (!lit).code() } else { lit.code() }] = true;
        }
        let mut literals = 0;
        for clause in self.arena.clauses() {
            let lits = self.arena.lits(clause);
            let root_true = |&lit: &Lit| walker.fixed[lit.var().index()] && walker.is_true[lit.code()];
            if !self.arena.is_redundant(clause) && !self.arena.is_garbage(clause) && !lits.iter().any(root_true) {
                walker.clauses.push(clause);
                literals += lits.len();
            }
            if literals > MAX_LITERALS {
                return None;
            }
        }
        walker.connect(literals);
        Some(walker)
    }
}

impl Walker<'_> {
    /// Builds the occurrence lists and all counts. `literals` is the number of those in large clauses.
    fn connect(&mut self, literals: usize) {
        let (arena, watches) = (self.arena, self.watches);
        for &clause in &self.clauses {
            arena.lits(clause).iter().for_each(|lit| self.begins[lit.code() + 1] += 1);
        }
        (1..self.begins.len()).for_each(|i| self.begins[i] += self.begins[i - 1]);
        self.occurrences = vec![0; literals].into();
        self.counts = vec![Count::default(); self.clauses.len()].into();
        self.places = vec![0; self.clauses.len()].into();
        // Filled from the end of each list, so that the begins are right again afterwards.
        for index in (0..self.clauses.len()).rev() {
            let mut count = Count::default();
            for lit in arena.lits(self.clauses[index]) {
                let end = &mut self.begins[lit.code() + 1];
                *end -= 1;
                self.occurrences[*end as usize] = index as u32;
                if self.is_true[lit.code()] {
                    count.satisfied += 1;
                    count.code ^= lit.code() as u32;
                }
            }
            self.counts[index] = count;
            match count.satisfied {
                0 => self.falsify(Clause::Large(index as u32)),
                1 => self.breaks[count.code as usize / 2] += 1,
                _ => {}
            }
        }
        // Each list's begin now stands one place too far up.
        self.begins.remove(0);
        self.begins.push(literals as u32);
        let mut binaries = 0;
        for lit in (0..watches.num_lists()).map(Lit::from_code) {
            for other in watches.irredundant_binaries(lit).filter(|other| lit < *other) {
                binaries += 1;
                match (self.is_true[lit.code()], self.is_true[other.code()]) {
                    (false, false) => self.falsify(Clause::Binary(lit, other)),
                    (true, false) => self.breaks[lit.var().index()] += 1,
                    (false, true) => self.breaks[other.var().index()] += 1,
                    (true, true) => {}
                }
            }
        }
        self.best = self.falsified.len();
        let average = (literals + 2 * binaries) as f64 / (self.clauses.len() + binaries).max(1) as f64;
        let base = 1.0 / break_base(average);
        self.weights = (0..64).map(|breaks| base.powi(breaks)).collect();
    }

    /// Notes that a clause is false. One that is there twice counts once.
    fn falsify(&mut self, clause: Clause) {
        let place = self.falsified.len() as u32;
        match clause {
            Clause::Large(index) => self.places[index as usize] = place,
            Clause::Binary(a, b) => match self.binary_places.entry((a, b)) {
                Entry::Vacant(entry) => _ = entry.insert(place),
                Entry::Occupied(_) => return,
            },
        }
        self.falsified.push(clause);
    }

    /// Notes that a clause, false so far, is true.
    fn satisfy(&mut self, clause: Clause) {
        let place = match clause {
            Clause::Large(index) => self.places[index as usize],
            Clause::Binary(a, b) => match self.binary_places.remove(&(a, b)) {
                Some(place) => place,
                None => return,
            },
        };
        self.falsified.swap_remove(place as usize);
        match self.falsified.get(place as usize) {
            Some(&Clause::Large(moved)) => self.places[moved as usize] = place,
            Some(&Clause::Binary(a, b)) => _ = self.binary_places.insert((a, b), place),
            None => {}
        }
    }

    /// Flips until the ticks are spent, nothing is falsified or it has to stop; answers with the number of flips.
    fn run(&mut self, random: &mut Random, limit: u64, stopping: impl Fn() -> bool) -> u64 {
        let mut flips = 0;
        let mut weights = Vec::new();
        let mut next_look = PATIENCE;
        while !self.falsified.is_empty() && self.ticks < limit {
            if self.ticks >= next_look {
                next_look = self.ticks + PATIENCE;
                if stopping() {
                    break;
                }
            }
            let clause = self.falsified[random.below(self.falsified.len() as u32) as usize];
            let Some(lit) = self.pick(clause, random, &mut weights) else { break };
            self.flip(lit);
            self.journal.flipped(lit.var(), &self.is_true);
            flips += 1;
            if self.falsified.len() < self.best {
                self.best = self.falsified.len();
                self.journal.improved();
            }
        }
        flips
    }

    /// A literal of a falsified clause, unless all are false at the root.
    fn pick(&mut self, clause: Clause, random: &mut Random, weights: &mut Vec<f64>) -> Option<Lit> {
        let pair;
        let lits = match clause {
            Clause::Binary(a, b) => {
                pair = [a, b];
                &pair[..]
            }
            Clause::Large(index) => self.arena.lits(self.clauses[index as usize]),
        };
        self.ticks += 1 + lits.len() as u64 / 4;
        weights.clear();
        let last = self.weights.len() - 1;
        weights.extend(lits.iter().map(|lit| match self.fixed[lit.var().index()] {
            true => 0.0,
            false => self.weights[(self.breaks[lit.var().index()] as usize).min(last)],
        }));
        let mut threshold = random.unit() * weights.iter().sum::<f64>();
        let mut picked = None;
        for (&lit, weight) in lits.iter().zip(weights.iter()).filter(|(_, weight)| **weight > 0.0) {
            picked = Some(lit);
            threshold -= weight;
            if threshold < 0.0 {
                break;
            }
        }
        picked
    }

    /// Makes a false literal true.
    fn flip(&mut self, lit: Lit) {
        let (watches, var) = (self.watches, lit.var().index());
        self.is_true[lit.code()] = true;
        self.is_true[(!lit).code()] = false;
        let spans = [lit, !lit].map(|l| self.begins[l.code()] as usize..self.begins[l.code() + 1] as usize);
        self.ticks += (spans[0].len() + spans[1].len()) as u64 + watches.lines(lit) + watches.lines(!lit);
        for i in spans[0].clone() {
            let clause = self.occurrences[i];
            let count = &mut self.counts[clause as usize];
            let only = count.code;
            count.satisfied += 1;
            count.code ^= lit.code() as u32;
            match count.satisfied {
                1 => {
                    self.breaks[var] += 1;
                    self.satisfy(Clause::Large(clause));
                }
                2 => self.breaks[only as usize / 2] -= 1,
                _ => {}
            }
        }
        for other in watches.irredundant_binaries(lit) {
            if self.is_true[other.code()] {
                self.breaks[other.var().index()] -= 1;
            } else {
                self.breaks[var] += 1;
                self.satisfy(Clause::binary(lit, other));
            }
        }
        for i in spans[1].clone() {
            let clause = self.occurrences[i];
            let count = &mut self.counts[clause as usize];
            count.satisfied -= 1;
            count.code ^= (!lit).code() as u32;
            let only = count.code;
            match count.satisfied {
                0 => {
                    self.breaks[var] -= 1;
                    self.falsify(Clause::Large(clause));
                }
                1 => self.breaks[only as usize / 2] += 1,
                _ => {}
            }
        }
        for other in watches.irredundant_binaries(!lit) {
            if self.is_true[other.code()] {
                self.breaks[other.var().index()] += 1;
            } else {
                self.breaks[var] -= 1;
                self.falsify(Clause::binary(!lit, other));
            }
        }
    }

    /// Takes back the flips after the best assignment; only the values are right afterwards.
    fn return_to_best(&mut self) {
        self.journal.return_to_best(&mut self.is_true);
    }
}

/// The best assignment so far: the flips since then, or a copy when they became too many.
#[derive(Default)]
struct Journal {
    flips: Scratch<Var>,
    copy: Option<Scratch<bool>>,
}

impl Journal {
    /// A variable was flipped, which gave this assignment (by literal).
    fn flipped(&mut self, var: Var, is_true: &Scratch<bool>) {
        if self.copy.is_some() {
            return;
        }
        self.flips.push(var);
        if self.flips.len() >= is_true.len().max(MIN_JOURNAL) {
            let mut copy = is_true.clone();
            self.return_to_best(&mut copy);
            self.copy = Some(copy);
        }
    }

    /// The present assignment is the best one so far.
    fn improved(&mut self) {
        self.flips.clear();
        self.copy = None;
    }

    fn return_to_best(&mut self, is_true: &mut Scratch<bool>) {
        match self.copy.take() {
            Some(copy) => *is_true = copy,
            None => {
                self.flips.drain(..).for_each(|var| is_true.swap(var.positive().code(), var.negative().code()));
            }
        }
    }
}

/// ProbSAT's base for exponential weights, by average clause size (the values of its authors, interpolated).
fn break_base(size: f64) -> f64 {
    const TABLE: [(f64, f64); 6] = [(0.0, 2.0), (3.0, 2.5), (4.0, 2.85), (5.0, 3.7), (6.0, 5.1), (7.0, 5.4)];
    let above = TABLE.iter().position(|row| row.0 > size).unwrap_or(TABLE.len() - 1);
    let ((x1, y1), (x2, y2)) = (TABLE[above - 1], TABLE[above]);
    (y1 + (y2 - y1) * (size - x1) / (x2 - x1)).max(2.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::random_clause;

    /// A short walk, after which flips are taken back, and one after which a copy is needed.
    #[test]
    fn counts_stay_right_and_the_best_assignment_comes_back() {
        check_walk(20_000, false);
        check_walk(4_000_000, true);
    }

    fn check_walk(ticks: u64, copied: bool) {
        let mut random = Random::new(5);
        let mut solver = Solver::new();
        let mut clauses = Vec::new();
        for i in 0..220 {
            let mut clause = random_clause(&mut random, 40, if i % 8 == 0 { 2 } else { 3 });
            clause.sort_unstable();
            if !clauses.contains(&clause) {
                solver.add_clause(&clause);
                clauses.push(clause);
            }
        }
        // A binary clause that is there twice is falsified once.
        let twice = clauses.iter().filter(|clause| clause.len() == 2).count();
        for clause in clauses.iter().filter(|clause| clause.len() == 2) {
            solver.add_clause(clause);
        }
        assert!(twice > 10);
        let weight = |clause: &[Lit]| if clause.len() == 2 { 2 } else { 1 };
        solver.connect();
        let mut walker = solver.new_walker().unwrap();
        walker.run(&mut random, ticks, || false);
        assert_eq!((walker.journal.copy.is_some(), !walker.journal.flips.is_empty()), (copied, !copied));
        let inner = |lit: Lit| solver.map.get(lit).unwrap();
        let truth = |walker: &Walker, clause: &[Lit]| -> Vec<Lit> {
            clause.iter().map(|&lit| inner(lit)).filter(|lit| walker.is_true[lit.code()]).collect()
        };
        let falsified = |walker: &Walker| clauses.iter().filter(|clause| truth(walker, clause).is_empty()).count();
        assert_eq!(falsified(&walker), walker.falsified.len());
        for var in (0..walker.breaks.len()).filter(|&var| !walker.fixed[var]) {
            let only = |clause: &&Vec<Lit>| matches!(truth(&walker, clause)[..], [lit] if lit.var().index() == var);
            let expected: usize = clauses.iter().filter(only).map(|clause| weight(clause)).sum();
            assert_eq!(walker.breaks[var] as usize, expected, "{var}");
        }
        walker.return_to_best();
        assert_eq!(falsified(&walker), walker.best);
    }

    #[test]
    fn a_walk_ends_when_it_has_to_stop() {
        let mut solver = Solver::new();
        for signs in 0..8 {
            let lits: Vec<Lit> = (0..3).map(|i| Var::new(i).lit(signs >> i & 1 == 1)).collect();
            solver.add_clause(&lits);
        }
        solver.connect();
        let mut walker = solver.new_walker().unwrap();
        walker.run(&mut Random::new(1), u64::MAX, || true);
        assert!((PATIENCE..PATIENCE + 1000).contains(&walker.ticks), "{}", walker.ticks);
    }

    #[test]
    fn a_journal_remembers_the_best_assignment_however_many_flips_ago() {
        let var = |index: usize| Var::new(index as u32 % 3);
        for count in [0, 5, MIN_JOURNAL - 1, MIN_JOURNAL, MIN_JOURNAL + 1, 2 * MIN_JOURNAL] {
            let mut journal = Journal::default();
            let mut is_true: Scratch<bool> = vec![false, true, false, true, false, true].into();
            let mut flip = |journal: &mut Journal, index: usize| {
                is_true.swap(var(index).positive().code(), var(index).negative().code());
                journal.flipped(var(index), &is_true);
                is_true.clone()
            };
            // The first best one is forgotten, copied or not.
            (0..count).for_each(|index| _ = flip(&mut journal, index));
            let best = flip(&mut journal, 1);
            journal.improved();
            let mut last = best.clone();
            (0..count).for_each(|index| last = flip(&mut journal, index));
            journal.return_to_best(&mut last);
            assert!(last.iter().eq(best.iter()), "{count}");
        }
    }
}
