//! Cheapest hitting sets.

use std::collections::HashMap;

/// Sets of elements, of which cheapest ways to hit all are wanted, over and over with one set more.
#[derive(Clone, Debug)]
pub struct HittingSets {
    costs: Vec<u64>,
    /// Of these exactly one is taken, if there are any.
    one_of: Vec<usize>,
    sets: Vec<Vec<usize>>,
}

/// The state of a search.
struct Search<'h> {
    sets: &'h [Vec<usize>],
    costs: &'h [u64],
    /// Whether each element is taken (true), ruled out (false), or open.
    state: HashMap<usize, bool>,
    taken: Vec<usize>,
    cost: u64,
    best: Option<(Vec<usize>, u64)>,
    bound: u64,
}

impl HittingSets {
    /// No sets yet; element e costs `costs[e]`. Of `one_of` exactly one is to be taken, unless it is empty.
    pub fn new(costs: &[u64], one_of: &[usize]) -> Self {
        Self { costs: costs.to_vec(), one_of: one_of.to_vec(), sets: Vec::new() }
    }

    /// Adds a set that is to be hit. Sets that hold it are forgotten.
    pub fn add(&mut self, mut set: Vec<usize>) {
        set.sort_by_key(|&e| self.costs[e]);
        self.sets.retain(|old| !set.iter().all(|e| old.contains(e)));
        self.sets.push(set);
    }

    /// The number of sets.
    pub fn len(&self) -> usize {
        self.sets.len()
    }

    /// Whether there are no sets.
    pub fn is_empty(&self) -> bool {
        self.sets.is_empty()
    }

    /// A cheapest set of elements that hits all sets, in ascending order, with its cost, if it costs less than `bound`.
    pub fn cheapest(&self, bound: u64) -> Option<(Vec<usize>, u64)> {
        let mut search = Search {
            sets: &self.sets,
            costs: &self.costs,
            state: HashMap::new(),
            taken: Vec::new(),
            cost: 0,
            best: None,
            bound,
        };
        if self.one_of.is_empty() {
            search.run();
        } else {
            for &chosen in &self.one_of {
                search.state = self.one_of.iter().map(|&e| (e, e == chosen)).collect();
                search.taken = vec![chosen];
                search.cost = self.costs[chosen];
                search.run();
            }
        }
        search.best.map(|(mut set, cost)| {
            set.sort_unstable();
            (set, cost)
        })
    }
}

impl Search<'_> {
    /// Branch and bound: the bound adds up the cheapest elements of disjoint sets that are not hit; the branching takes the
    /// elements of the smallest such set one by one and rules out those tried before.
    fn run(&mut self) {
        let Some((lower, branch)) = self.lower_bound() else { return };
        if self.cost + lower >= self.bound {
            return;
        }
        let Some(set) = branch else {
            self.bound = self.cost;
            self.best = Some((self.taken.clone(), self.cost));
            return;
        };
        let open: Vec<usize> = self.sets[set].iter().copied().filter(|e| !self.state.contains_key(e)).collect();
        for &element in &open {
            self.state.insert(element, true);
            self.taken.push(element);
            self.cost += self.costs[element];
            self.run();
            self.cost -= self.costs[element];
            self.taken.pop();
            self.state.insert(element, false);
        }
        for element in open {
            self.state.remove(&element);
        }
    }

    /// A lower bound on what hitting the rest costs and the smallest set that is not hit; none when one cannot be.
    fn lower_bound(&self) -> Option<(u64, Option<usize>)> {
        let mut unhit: Vec<(usize, usize)> = Vec::new();
        for (i, set) in self.sets.iter().enumerate() {
            if set.iter().any(|e| self.state.get(e) == Some(&true)) {
                continue;
            }
            let open = set.iter().filter(|e| !self.state.contains_key(e)).count();
            if open == 0 {
                return None;
            }
            unhit.push((open, i));
        }
        unhit.sort_unstable();
        let mut used: Vec<usize> = Vec::new();
        let mut bound = 0;
        for &(_, i) in &unhit {
            let open: Vec<usize> = self.sets[i].iter().copied().filter(|e| !self.state.contains_key(e)).collect();
            if open.iter().all(|e| !used.contains(e)) {
                bound += open.iter().map(|&e| self.costs[e]).min().unwrap_or(0);
                used.extend(open);
            }
        }
        Some((bound, unhit.first().map(|&(_, i)| i)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{Rng as _, SeedableRng as _, rngs::StdRng};

    #[test]
    fn hitting_sets_are_cheapest() {
        let mut random = StdRng::seed_from_u64(3);
        for round in 0..300 {
            let count = random.random_range(2..8usize);
            let costs: Vec<u64> = (0..count).map(|_| random.random_range(1..9)).collect();
            let one_of: Vec<usize> = if round % 2 == 0 { Vec::new() } else { vec![0, 1] };
            let mut hitting = HittingSets::new(&costs, &one_of);
            let mut sets: Vec<u32> = Vec::new();
            for _ in 0..random.random_range(0..6) {
                let mask = random.random_range(1..1u32 << count);
                sets.push(mask);
                hitting.add((0..count).filter(|e| mask >> e & 1 == 1).collect());
            }
            let legal = |m: u32| sets.iter().all(|s| s & m != 0) && (one_of.is_empty() || (m & 0b11).count_ones() == 1);
            let cost = |m: u32| (0..count).filter(|e| m >> e & 1 == 1).map(|e| costs[e]).sum::<u64>();
            let best = (0..1u32 << count).filter(|&m| legal(m)).map(cost).min();
            let found = hitting.cheapest(u64::MAX);
            assert_eq!(found.as_ref().map(|f| f.1), best);
            if let Some((set, expected)) = found {
                let mask = set.iter().fold(0, |m, e| m | 1 << e);
                assert!(legal(mask) && cost(mask) == expected);
                assert_eq!(hitting.cheapest(expected), None);
            }
        }
    }
}
