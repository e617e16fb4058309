//! In which order a set of exclusive ors is added up.

use super::Xor;
use super::linear::symmetric_difference;
use putnam_formula::Var;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap, HashMap};

/// Clauses of a proof for each variable of an addition, at most: see [`super::chain`].
const CLAUSES_PER_VARIABLE: u64 = 16;
/// Of a variable with many terms so many are paired with a new one.
const PARTNERS: usize = 4;

/// Pairs of terms to add. The terms given have the first numbers, each sum the next one.
pub(crate) struct Plan {
    pub(crate) additions: Vec<(usize, usize)>,
    /// For each variable when it is added away, or later than all that are: terms list their variables in this order.
    pub(crate) ranks: HashMap<Var, u32>,
}

struct Planner {
    terms: Vec<Option<Vec<Var>>>,
    occurrences: HashMap<Var, Vec<usize>>,
    /// Lengths of sums, and their summands.
    queue: BinaryHeap<Reverse<(usize, usize, usize)>>,
}

impl Planner {
    fn insert(&mut self, vars: Vec<Var>) {
        let index = self.terms.len();
        for var in &vars {
            let list = self.occurrences.entry(*var).or_default();
            list.retain(|&other| self.terms[other].is_some());
            for &other in list.iter().rev().take(PARTNERS) {
                if let Some(term) = &self.terms[other] {
                    self.queue.push(Reverse((symmetric_difference(term, &vars).len(), other, index)));
                }
            }
            list.push(index);
        }
        self.terms.push(Some(vars));
    }

    /// The pair with the shortest sum; without common variables the next best two.
    fn next(&mut self) -> Option<(usize, usize)> {
        while let Some(Reverse((_, a, b))) = self.queue.pop() {
            if self.terms[a].is_some() && self.terms[b].is_some() {
                return Some((a, b));
            }
        }
        let mut left = (0..self.terms.len()).filter(|&index| self.terms[index].is_some());
        Some((left.next()?, left.next()?))
    }
}

/// Adds where the sums stay short. None when the proof would take more than `room` clauses.
pub(crate) fn plan(terms: &[&Xor], room: u64) -> Option<Plan> {
    let mut planner = Planner { terms: Vec::new(), occurrences: HashMap::new(), queue: BinaryHeap::new() };
    let mut length: u64 = 0;
    for term in terms {
        length += 3 << term.vars.len().min(8);
        planner.insert(term.vars.clone());
    }
    let mut additions = Vec::new();
    let mut vanished: BTreeMap<Var, u32> = BTreeMap::new();
    while let Some((a, b)) = planner.next() {
        let (Some(first), Some(second)) = (planner.terms[a].take(), planner.terms[b].take()) else { return None };
        let sum = symmetric_difference(&first, &second);
        length += CLAUSES_PER_VARIABLE * (first.len() + second.len()) as u64;
        if length > room {
            return None;
        }
        for var in first.iter().filter(|var| sum.binary_search(var).is_err()) {
            vanished.insert(*var, additions.len() as u32);
        }
        additions.push((a, b));
        planner.insert(sum);
    }
    let last = additions.len() as u32;
    let all = terms.iter().flat_map(|term| &term.vars);
    let ranks = all.map(|var| (*var, vanished.get(var).copied().unwrap_or(last))).collect();
    Some(Plan { additions, ranks })
}
