//! The cheapest unsatisfiable subset.

use crate::marco::grow;
use crate::{Groups, HittingSets};
use thiserror::Error;

/// When to stop looking for the cheapest subset.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Only subsets that cost less than this are wanted.
    pub below: u64,
    /// The most rounds of hitting set and check.
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

/// A subset of the groups that has no model with the hard clauses and costs least, `costs[g]` for group g, with its cost; none
/// when there is none below the limit. Of `one_of` exactly one group is in it, unless that list is empty.
///
/// Cheapest hitting sets of the known correction sets are checked one after the other; one that has a model is grown to a
/// satisfiable set whose complement is the next correction set (Ignatiev, Previti, Liffiton and Marques-Silva, "Smallest MUS
/// extraction with minimal hitting set dualization", CP 2015; with the constraint on one group, Gamba, Bogaerts and Guns,
/// "Efficiently explaining CSPs with unsatisfiable subset optimization", JAIR 2023). Several disjoint correction sets are taken
/// from each check.
///
/// # Errors
/// [`GaveUp`] after the given number of rounds.
pub fn cheapest(
    groups: &mut Groups,
    costs: &[u64],
    one_of: &[usize],
    limits: &Limits,
) -> Result<Option<(Vec<usize>, u64)>, GaveUp> {
    let mut hitting = HittingSets::new(costs, one_of);
    for _ in 0..limits.rounds {
        let Some((set, cost)) = hitting.cheapest(limits.below) else { return Ok(None) };
        let Ok(mut model) = groups.solve(&set) else { return Ok(Some((set, cost))) };
        let mut start = set;
        loop {
            let inside = grow(groups, start.clone(), &model);
            let correction: Vec<usize> = (0..groups.len()).filter(|&g| !inside[g]).collect();
            start.extend(&correction);
            // Without a correction set, everything together has a model.
            if correction.is_empty() {
                return Ok(None);
            }
            hitting.add(correction);
            match groups.solve(&start) {
                Ok(next) => model = next,
                Err(_) => break,
            }
        }
    }
    Err(GaveUp)
}
