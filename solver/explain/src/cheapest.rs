//! The cheapest unsatisfiable subset.

use crate::{Groups, HittingSets};
use putnam_formula::Model;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use thiserror::Error;

/// When to stop looking for the cheapest subset.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Only subsets that cost less than this are wanted.
    pub below: u64,
    /// The most subsets to ask the engine about.
    pub rounds: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { below: u64::MAX, rounds: usize::MAX }
    }
}

/// The number of rounds was used up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("no cheapest subset was found within the given number of rounds")]
pub struct GaveUp;

/// Finds cheapest subsets of groups that have no model with the hard clauses, for one choice of groups after the other.
///
/// Cheapest hitting sets of the known correction sets are checked one after the other; one that has a model is grown to
/// a maximal satisfiable set, whose complement is the next correction set (Ignatiev, Previti, Liffiton and
/// Marques-Silva, "Smallest MUS extraction with minimal hitting set dualization", CP 2015). Of alternatives of which
/// exactly one is wanted, each has its own hitting sets, and that with the lowest bound goes on; satisfiable sets are
/// shared among them and kept from question to question (Gamba, Bogaerts and Guns, "Efficiently explaining CSPs with
/// unsatisfiable subset optimization", JAIR 2023). Sets grow by cheap groups first, so that what they leave out is
/// dear, which lifts the bound.
pub struct Cheapest {
    groups: Groups,
    costs: Vec<u64>,
    /// Sets of groups that have a model.
    satisfiable: Vec<Bits>,
}

/// One alternative.
struct Alternative<'c> {
    wanted: Option<usize>,
    cost: u64,
    /// Over places in the list of groups to choose from; made when it is needed.
    hitting: Option<HittingSets>,
    costs: &'c [u64],
    /// The cheapest hitting set, when it is known.
    best: Option<Vec<usize>>,
}

impl Alternative<'_> {
    fn hitting(&mut self) -> &mut HittingSets {
        self.hitting.get_or_insert_with(|| HittingSets::new(self.costs))
    }
}

impl Cheapest {
    /// No question yet; group g costs `costs[g]`.
    ///
    /// # Panics
    /// If there is not one cost for each group.
    pub fn new(groups: Groups, costs: Vec<u64>) -> Self {
        assert_eq!(groups.len(), costs.len());
        Self { groups, costs, satisfiable: Vec::new() }
    }

    /// The groups.
    pub fn groups(&mut self) -> &mut Groups {
        &mut self.groups
    }

    /// A subset of the groups in `among` and exactly one in `one_of`, unless that list is empty, that has no model with
    /// the hard clauses and costs least, in ascending order with its cost; none when there is none below the limit. No
    /// group is in both lists.
    ///
    /// # Errors
    /// [`GaveUp`] after the given number of rounds.
    pub fn find(
        &mut self,
        among: &[usize],
        one_of: &[usize],
        limits: &Limits,
    ) -> Result<Option<(Vec<usize>, u64)>, GaveUp> {
        let costs: Vec<u64> = among.iter().map(|&g| self.costs[g]).collect();
        let wanted: Vec<Option<usize>> =
            if one_of.is_empty() { vec![None] } else { one_of.iter().map(|&g| Some(g)).collect() };
        let alternative = |wanted: Option<usize>| Alternative {
            wanted,
            cost: wanted.map_or(0, |g| self.costs[g]),
            hitting: None,
            costs: &costs,
            best: Some(Vec::new()),
        };
        let mut alternatives: Vec<Alternative> = wanted.into_iter().map(alternative).collect();
        let mut queue: BinaryHeap<Reverse<(u64, usize)>> =
            (0..alternatives.len()).map(|i| Reverse((alternatives[i].cost, i))).collect();
        let mut rounds = 0;
        while let Some(Reverse((bound, number))) = queue.pop() {
            if bound >= limits.below {
                return Ok(None);
            }
            let alternative = &mut alternatives[number];
            if let Some(best) = &alternative.best {
                let chosen: Vec<usize> = best.iter().map(|&i| among[i]).chain(alternative.wanted).collect();
                if !self.is_known(&chosen) {
                    if rounds == limits.rounds {
                        return Err(GaveUp);
                    }
                    rounds += 1;
                    if !self.explore(&chosen, among) {
                        let mut chosen = chosen;
                        chosen.sort_unstable();
                        return Ok(Some((chosen, bound)));
                    }
                }
                if !self.correct(alternative, &chosen, among) {
                    continue;
                }
            }
            // It need not be known better than that another alternative comes first.
            let next = queue.peek().map_or(u64::MAX, |Reverse((bound, _))| bound.saturating_add(1));
            let below = limits.below.min(next).saturating_sub(alternative.cost);
            alternative.best = None;
            let bound = match alternative.hitting().cheapest(below) {
                Some((set, cost)) => {
                    alternative.best = Some(set);
                    cost
                }
                None => alternative.hitting().bound(),
            };
            queue.push(Reverse((bound + alternative.cost, number)));
        }
        Ok(None)
    }

    fn is_known(&self, chosen: &[usize]) -> bool {
        self.satisfiable.iter().any(|set| set.contains(chosen))
    }

    /// Whether the chosen groups have a model: then they are grown to a satisfiable set, and with the groups that this
    /// leaves out to others, as long as they have a model.
    fn explore(&mut self, chosen: &[usize], among: &[usize]) -> bool {
        let mut start = chosen.to_vec();
        let mut found = false;
        while let Ok(model) = self.groups.solve(&start) {
            found = true;
            let set = self.grow(start.clone(), model, among);
            let left_out: Vec<usize> = among.iter().copied().filter(|&g| !set.has(g)).collect();
            self.satisfiable.push(set);
            if left_out.is_empty() {
                break;
            }
            start.extend(left_out);
        }
        found
    }

    /// A satisfiable set around these groups: with as many as possible of `among`, the cheap ones first, and then of
    /// all.
    fn grow(&mut self, mut set: Vec<usize>, mut model: Model, among: &[usize]) -> Bits {
        let mut levels: Vec<u64> = among.iter().map(|&g| self.costs[g]).collect();
        levels.sort_unstable();
        levels.dedup();
        let mut inside = Bits::new(self.groups.len());
        set.iter().for_each(|&g| inside.set(g));
        let strata =
            levels.into_iter().map(|level| among.iter().copied().filter(|&g| self.costs[g] == level).collect());
        let strata: Vec<Vec<usize>> = strata.chain([(0..self.groups.len()).collect()]).collect();
        for stratum in strata {
            let mut open: Vec<usize> = stratum.into_iter().filter(|&g| !inside.has(g)).collect();
            loop {
                open.retain(|&g| {
                    let holds = self.groups.holds(&model, g);
                    if holds {
                        inside.set(g);
                        set.push(g);
                    }
                    !holds
                });
                if open.is_empty() {
                    break;
                }
                match self.groups.solve_with_one_of(&set, &open) {
                    Some(next) => model = next,
                    None => break,
                }
            }
        }
        inside
    }

    /// Adds correction sets to an alternative that its hitting set misses, disjoint ones as far as there are some;
    /// false when one of them cannot be hit.
    fn correct(&self, alternative: &mut Alternative, chosen: &[usize], among: &[usize]) -> bool {
        let missed = self.satisfiable.iter().filter(|set| set.contains(chosen));
        let mut corrections: Vec<Vec<usize>> =
            missed.map(|set| (0..among.len()).filter(|&i| !set.has(among[i])).collect()).collect();
        corrections.sort_by_key(Vec::len);
        let mut used = vec![false; among.len()];
        for correction in corrections {
            if correction.is_empty() {
                return false;
            }
            if correction.iter().all(|&i| !used[i]) {
                correction.iter().for_each(|&i| used[i] = true);
                alternative.hitting().add(&correction);
            }
        }
        true
    }
}

/// A set of groups.
struct Bits(Vec<u64>);

impl Bits {
    fn new(count: usize) -> Self {
        Self(vec![0; count.div_ceil(64)])
    }

    fn set(&mut self, index: usize) {
        self.0[index / 64] |= 1 << (index % 64);
    }

    fn has(&self, index: usize) -> bool {
        self.0[index / 64] >> (index % 64) & 1 == 1
    }

    fn contains(&self, all: &[usize]) -> bool {
        all.iter().all(|&index| self.has(index))
    }
}
