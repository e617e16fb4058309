//! Cheapest hitting sets, by the engine.

use putnam_cdcl::Solver;
use putnam_formula::{Engine as _, Lit, Outcome, Var};
use std::collections::BTreeMap;

/// Sets of elements, of which cheapest ways to hit all are wanted, over and over with some sets more.
///
/// This is maximum satisfiability with soft literals "element e is not taken": sets of soft literals that cannot all
/// hold are taken from the engine one after the other; each raises the bound, and is replaced by the softer demand that
/// no more than one of it fails, then two, ... (Andres, Kaufmann, Matheis and Schaub, "Unsatisfiability-based
/// optimization in clasp", ICLP 2012; Morgado, Dodaro and Marques-Silva, "Core-guided MaxSAT with soft cardinality
/// constraints", CP 2014). What was found stays valid when sets are added. Dear elements come first (stratification).
pub struct HittingSets {
    costs: Vec<u64>,
    solver: Solver,
    next: u32,
    count: usize,
    /// What each soft literal still costs when it fails.
    soft: BTreeMap<Lit, u64>,
    /// For the outputs of counters: which counter, and how many fail when it does.
    outputs: BTreeMap<Lit, (usize, usize)>,
    counters: Vec<Counter>,
    /// Proved: no hitting set costs less.
    bound: u64,
}

/// Counts how many of some soft literals fail: `rows[j][i]` is true where at least j + 1 of the first i + 1 do. Rows
/// are made when they are needed.
struct Counter {
    failing: Vec<Lit>,
    rows: Vec<Vec<Lit>>,
}

impl HittingSets {
    /// No sets yet; element e costs `costs[e]`.
    pub fn new(costs: &[u64]) -> Self {
        let soft = (0..costs.len()).filter(|&e| costs[e] > 0).map(|e| (taken(e, false), costs[e])).collect();
        let mut solver = Solver::new();
        solver.declare(costs.len() as u32);
        Self {
            costs: costs.to_vec(),
            solver,
            next: costs.len() as u32,
            count: 0,
            soft,
            outputs: BTreeMap::new(),
            counters: Vec::new(),
            bound: 0,
        }
    }

    /// Adds a set that is to be hit.
    pub fn add(&mut self, set: &[usize]) {
        let clause: Vec<Lit> = set.iter().map(|&e| taken(e, true)).collect();
        self.solver.add_clause(&clause);
        self.count += 1;
    }

    /// The number of sets.
    pub fn len(&self) -> usize {
        self.count
    }

    /// Whether there are no sets.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// What a hitting set costs at least, as far as it is known.
    pub fn bound(&self) -> u64 {
        self.bound
    }

    /// A cheapest set of elements that hits all sets, in ascending order, with its cost, if it costs less than `below`.
    pub fn cheapest(&mut self, below: u64) -> Option<(Vec<usize>, u64)> {
        let mut stratum = u64::MAX;
        loop {
            if self.bound >= below {
                return None;
            }
            // The dearest soft literals first: they must hold together before others are looked at.
            let assumptions: Vec<Lit> =
                self.soft.iter().filter(|&(_, &weight)| weight >= stratum).map(|(&lit, _)| lit).collect();
            match self.solver.solve(&assumptions) {
                Outcome::Unsatisfiable { failed } if failed.is_empty() => return None,
                Outcome::Unsatisfiable { failed } => self.relax(&failed),
                Outcome::Satisfiable(model) => {
                    let lower = self.soft.values().copied().filter(|&weight| weight < stratum).max();
                    let Some(lower) = lower else {
                        let set: Vec<usize> =
                            (0..self.costs.len()).filter(|&e| model.satisfies(taken(e, true))).collect();
                        let cost = set.iter().map(|&e| self.costs[e]).sum();
                        return Some((set, cost));
                    };
                    stratum = lower;
                }
                Outcome::Unknown(reason) => unreachable!("no limit is set: {reason}"),
            }
        }
    }

    /// Soft literals that cannot all hold: at least the cheapest one's weight is lost.
    fn relax(&mut self, core: &[Lit]) {
        let weight = core.iter().map(|lit| self.soft[lit]).min().unwrap_or(0);
        self.bound += weight;
        for &lit in core {
            if let Some(left) = self.soft.get_mut(&lit) {
                *left -= weight;
                if *left == 0 {
                    self.soft.remove(&lit);
                }
            }
            // One more of an older core may fail next.
            if let Some(&(counter, count)) = self.outputs.get(&lit) {
                self.demand(counter, count + 1, weight);
            }
        }
        if let [lit] = core {
            self.solver.add_clause(&[!*lit]);
        } else {
            let failing: Vec<Lit> = core.iter().map(|&lit| !lit).collect();
            self.solver.add_clause(&failing);
            self.counters.push(Counter { failing, rows: Vec::new() });
            self.demand(self.counters.len() - 1, 2, weight);
        }
    }

    /// A soft demand that fewer than `count` of a counter's literals fail.
    fn demand(&mut self, counter: usize, count: usize, weight: u64) {
        if count > self.counters[counter].failing.len() {
            return;
        }
        while self.counters[counter].rows.len() < count {
            self.extend(counter);
        }
        let rows = &self.counters[counter].rows;
        let output = !rows[count - 1][rows[count - 1].len() - 1];
        *self.soft.entry(output).or_insert(0) += weight;
        self.outputs.insert(output, (counter, count));
    }

    /// Makes the next row of a counter.
    fn extend(&mut self, counter: usize) {
        let Counter { failing, rows } = &mut self.counters[counter];
        let mut row: Vec<Lit> = Vec::with_capacity(failing.len());
        for (i, &fails) in failing.iter().enumerate() {
            let so_far = Var::new(self.next).positive();
            self.next += 1;
            if let Some(&before) = row.last() {
                self.solver.add_clause(&[!before, so_far]);
            }
            match rows.last() {
                None => self.solver.add_clause(&[!fails, so_far]),
                Some(less) if i > 0 => self.solver.add_clause(&[!fails, !less[i - 1], so_far]),
                Some(_) => {}
            }
            row.push(so_far);
        }
        rows.push(row);
    }
}

fn taken(element: usize, value: bool) -> Lit {
    Var::new(element as u32).lit(value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{Rng as _, SeedableRng as _, rngs::StdRng};

    #[test]
    fn hitting_sets_are_cheapest() {
        let mut random = StdRng::seed_from_u64(3);
        for _ in 0..300 {
            let count = random.random_range(2..9usize);
            let costs: Vec<u64> = (0..count).map(|_| random.random_range(1..9)).collect();
            let mut hitting = HittingSets::new(&costs);
            let mut sets: Vec<u32> = Vec::new();
            let cost = |m: u32| (0..count).filter(|e| m >> e & 1 == 1).map(|e| costs[e]).sum::<u64>();
            for _ in 0..random.random_range(1..7) {
                let mask = random.random_range(1..1u32 << count);
                sets.push(mask);
                hitting.add(&(0..count).filter(|e| mask >> e & 1 == 1).collect::<Vec<_>>());
                let best = (0..1u32 << count).filter(|&m| sets.iter().all(|s| s & m != 0)).map(cost).min().unwrap();
                // A bound that cuts the best off leaves the bookkeeping right.
                assert_eq!(hitting.cheapest(best), None);
                let (set, expected) = hitting.cheapest(u64::MAX).unwrap();
                assert_eq!(expected, best);
                let mask = set.iter().fold(0, |m, e| m | 1 << e);
                assert!(sets.iter().all(|s| s & mask != 0) && cost(mask) == expected);
            }
        }
    }
}
