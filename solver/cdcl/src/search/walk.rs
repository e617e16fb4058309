//! Local search for good phases: ProbSAT (Balint and Schöning, SAT 2012). From the saved phases it picks a falsified
//! clause at random and flips one of its variables, the likelier the fewer clauses that breaks, until its effort is spent;
//! the assignment with the fewest falsified clauses becomes the saved phases.
//!
//! How many clauses a flip breaks is kept for each variable: with every clause goes the number of its true literals and
//! the exclusive or of their codes, which is the literal itself when there is one.

use crate::Solver;
use crate::data::phases::sign;
use crate::data::random::Random;
use putnam_formula::{Lit, Var};

/// Larger formulas are not walked: their copy would take too much memory.
const MAX_LITERALS: usize = 20_000_000;
const MIN_TICKS: u64 = 100_000;

/// What is known of a clause.
#[derive(Clone, Copy, Default)]
struct Count {
    satisfied: u32,
    /// Exclusive or of the codes of the true literals.
    code: u32,
    /// Position among the falsified clauses.
    place: u32,
}

/// The local search on a copy of the irredundant clauses.
struct Walker {
    lits: Vec<Lit>,
    ends: Vec<u32>,
    /// Clauses of each literal, in one array, and where each literal's begin.
    occurrences: Vec<u32>,
    begins: Vec<u32>,
    counts: Vec<Count>,
    falsified: Vec<u32>,
    /// By literal code.
    is_true: Vec<bool>,
    /// Clauses of which the variable's literal is the only true one.
    breaks: Vec<u32>,
    /// The weight of a variable by what it breaks.
    weights: Vec<f64>,
    flips: Vec<Var>,
    best: usize,
    /// How many of the flips belong to the best assignment.
    best_flips: usize,
    ticks: u64,
}

impl Solver {
    /// Improves the saved phases.
    pub(crate) fn walk(&mut self) {
        if self.options.walk == 0 {
            return;
        }
        let Some(mut walker) = self.new_walker() else { return };
        self.statistics.walks += 1;
        let effort = (self.statistics.ticks / 1000).saturating_mul(self.options.walkeffort as u64) + MIN_TICKS;
        let limit = effort.saturating_sub(self.statistics.walk_ticks).max(MIN_TICKS);
        let initial = walker.falsified.len();
        self.statistics.walk_flips += walker.run(&mut self.random, limit);
        self.statistics.walk_ticks += walker.ticks;
        if walker.best < initial {
            walker.return_to_best();
            for (index, phase) in self.phases.saved.iter_mut().enumerate() {
                let lit = Var::new(index as u32).positive();
                *phase = sign(if walker.is_true[lit.code()] { lit } else { !lit });
            }
        }
    }

    fn new_walker(&self) -> Option<Walker> {
        let mut walker = Walker {
            lits: Vec::new(),
            ends: Vec::new(),
            occurrences: Vec::new(),
            begins: vec![0; self.num_vars() * 2 + 1],
            counts: Vec::new(),
            falsified: Vec::new(),
            is_true: vec![false; self.num_vars() * 2],
            breaks: vec![0; self.num_vars()],
            weights: Vec::new(),
            flips: Vec::new(),
            best: 0,
            best_flips: 0,
            ticks: 0,
        };
        for index in 0..self.num_vars() {
            let lit = self.phases.literal(Var::new(index as u32), false);
            walker.is_true[if self.values.is_false(lit) { (!lit).code() } else { lit.code() }] = true;
        }
        for code in 0..self.watches.num_lists() {
            let lit = Lit::from_code(code);
            for watch in self.watches.get(lit) {
                if watch.is_binary() && !watch.is_redundant_binary() && code < watch.blocking.code() {
                    self.copy_clause(&mut walker, &[lit, watch.blocking]);
                }
            }
        }
        for clause in self.arena.clauses() {
            if !self.arena.is_redundant(clause) && !self.arena.is_garbage(clause) {
                self.copy_clause(&mut walker, self.arena.lits(clause));
            }
            if walker.lits.len() > MAX_LITERALS {
                return None;
            }
        }
        walker.connect();
        Some(walker)
    }

    /// Copies what is not decided at the root.
    fn copy_clause(&self, walker: &mut Walker, lits: &[Lit]) {
        let root_value = |lit: Lit| if self.trail.level_of(lit) == 0 { self.values.get(lit) } else { 0 };
        if lits.iter().any(|&lit| root_value(lit) > 0) {
            return;
        }
        walker.lits.extend(lits.iter().copied().filter(|&lit| root_value(lit) == 0));
        walker.ends.push(walker.lits.len() as u32);
    }
}

impl Walker {
    fn clause_range(&self, clause: u32) -> std::ops::Range<usize> {
        let start = if clause == 0 { 0 } else { self.ends[clause as usize - 1] };
        start as usize..self.ends[clause as usize] as usize
    }

    /// Builds the occurrence lists and all counts.
    fn connect(&mut self) {
        self.lits.iter().for_each(|lit| self.begins[lit.code() + 1] += 1);
        (1..self.begins.len()).for_each(|i| self.begins[i] += self.begins[i - 1]);
        let mut next = self.begins.clone();
        self.occurrences = vec![0; self.lits.len()];
        self.counts = vec![Count::default(); self.ends.len()];
        for clause in 0..self.ends.len() as u32 {
            let mut count = Count::default();
            for i in self.clause_range(clause) {
                let code = self.lits[i].code();
                self.occurrences[next[code] as usize] = clause;
                next[code] += 1;
                if self.is_true[code] {
                    count.satisfied += 1;
                    count.code ^= code as u32;
                }
            }
            self.counts[clause as usize] = count;
            match count.satisfied {
                0 => self.falsify(clause),
                1 => self.breaks[count.code as usize / 2] += 1,
                _ => {}
            }
        }
        self.best = self.falsified.len();
        let average = self.lits.len() as f64 / self.ends.len().max(1) as f64;
        let base = 1.0 / break_base(average);
        self.weights = (0..64).map(|breaks| base.powi(breaks)).collect();
    }

    fn falsify(&mut self, clause: u32) {
        self.counts[clause as usize].place = self.falsified.len() as u32;
        self.falsified.push(clause);
    }

    fn satisfy(&mut self, clause: u32) {
        let place = self.counts[clause as usize].place;
        self.falsified.swap_remove(place as usize);
        if let Some(&moved) = self.falsified.get(place as usize) {
            self.counts[moved as usize].place = place;
        }
    }

    /// Flips until the ticks are spent or nothing is falsified; answers with the number of flips.
    fn run(&mut self, random: &mut Random, limit: u64) -> u64 {
        let mut flips = 0;
        let mut weights = Vec::new();
        while !self.falsified.is_empty() && self.ticks < limit {
            let clause = self.falsified[random.below(self.falsified.len() as u32) as usize];
            let lit = self.pick(clause, random, &mut weights);
            self.flip(lit);
            self.flips.push(lit.var());
            flips += 1;
            if self.falsified.len() < self.best {
                self.best = self.falsified.len();
                self.best_flips = self.flips.len();
            }
        }
        flips
    }

    fn pick(&mut self, clause: u32, random: &mut Random, weights: &mut Vec<f64>) -> Lit {
        let range = self.clause_range(clause);
        self.ticks += 1 + range.len() as u64 / 4;
        weights.clear();
        let last = self.weights.len() - 1;
        let weight = |lit: &Lit| self.weights[(self.breaks[lit.var().index()] as usize).min(last)];
        weights.extend(self.lits[range.clone()].iter().map(weight));
        let mut threshold = random.unit() * weights.iter().sum::<f64>();
        for (i, weight) in weights.iter().enumerate() {
            threshold -= weight;
            if threshold < 0.0 {
                return self.lits[range.start + i];
            }
        }
        self.lits[range.end - 1]
    }

    /// Makes a false literal true.
    fn flip(&mut self, lit: Lit) {
        self.is_true[lit.code()] = true;
        self.is_true[(!lit).code()] = false;
        let spans = [lit, !lit].map(|l| self.begins[l.code()] as usize..self.begins[l.code() + 1] as usize);
        self.ticks += 2 + (spans[0].len() + spans[1].len()) as u64;
        for i in spans[0].clone() {
            let clause = self.occurrences[i];
            let count = &mut self.counts[clause as usize];
            let only = count.code;
            count.satisfied += 1;
            count.code ^= lit.code() as u32;
            match count.satisfied {
                1 => {
                    self.breaks[lit.var().index()] += 1;
                    self.satisfy(clause);
                }
                2 => self.breaks[only as usize / 2] -= 1,
                _ => {}
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
                    self.breaks[lit.var().index()] -= 1;
                    self.falsify(clause);
                }
                1 => self.breaks[only as usize / 2] += 1,
                _ => {}
            }
        }
    }

    /// Takes back the flips after the best assignment; only the values are right afterwards.
    fn return_to_best(&mut self) {
        for var in self.flips.drain(self.best_flips..) {
            self.is_true.swap(var.positive().code(), var.negative().code());
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
    use putnam_formula::Engine;

    #[test]
    fn counts_stay_right_and_the_best_assignment_comes_back() {
        let mut random = Random::new(5);
        let mut solver = Solver::new();
        let mut clauses = Vec::new();
        for _ in 0..170 {
            let clause: Vec<Lit> = (0..3).map(|_| Var::new(random.below(40)).lit(random.coin())).collect();
            Engine::add_clause(&mut solver, &clause);
            clauses.push(clause);
        }
        solver.connect();
        let mut walker = solver.new_walker().unwrap();
        walker.run(&mut random, 20_000);
        let falsified = |walker: &Walker| {
            (0..walker.ends.len() as u32)
                .filter(|&c| !walker.lits[walker.clause_range(c)].iter().any(|lit| walker.is_true[lit.code()]))
                .count()
        };
        assert_eq!(falsified(&walker), walker.falsified.len());
        for var in 0..walker.breaks.len() {
            let only = |c: u32| {
                let range = walker.clause_range(c);
                let mut satisfied = walker.lits[range].iter().filter(|lit| walker.is_true[lit.code()]);
                satisfied.next().is_some_and(|lit| lit.var().index() == var) && satisfied.next().is_none()
            };
            let expected = (0..walker.ends.len() as u32).filter(|&c| only(c)).count();
            assert_eq!(walker.breaks[var] as usize, expected);
        }
        walker.return_to_best();
        assert_eq!(falsified(&walker), walker.best);
    }
}
