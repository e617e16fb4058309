//! Short proofs that so many pegs cannot be left, wherever they would be.
//!
//! Parities: the holes fall into kinds by the invariant sets that contain them; k pegs in different holes have the parities of
//! the start only when some choice of k holes adds up to them, which a table over the sums decides. Weights: k pegs weigh at
//! least as much as the k lightest holes.

use crate::invariant::ParityProof;
use crate::pagoda::{PagodaProof, linear_function, sum};
use crate::{Board, Hole, Invariants, Position};
use good_lp::{ProblemVariables, constraint, variable};

/// The most invariant sets that are looked at together: the table has an entry for each of their parities.
const MAX_SETS: usize = 8;

/// Looks for a proof that no position of `pegs` pegs can be reached.
pub(crate) fn find(board: &Board, start: &Position, pegs: usize) -> Option<PagodaProof> {
    if let Some(parity) = parity(board, start, pegs) {
        return Some(PagodaProof { parity, functions: Vec::new() });
    }
    let parity = ParityProof { sets: Vec::new() };
    Some(PagodaProof { parity, functions: vec![function(board, start, pegs)?] })
}

/// Parities that no position of `pegs` pegs shares with the start. None of the sets can be left out.
fn parity(board: &Board, start: &Position, pegs: usize) -> Option<ParityProof> {
    let odd = |set: &[Hole]| set.iter().filter(|&&hole| start.has(hole)).count() % 2 == 1;
    let basis = Invariants::of(board);
    let mut sets: Vec<(Vec<Hole>, bool)> =
        basis.basis().iter().take(MAX_SETS).map(|set| (set.clone(), odd(set))).collect();
    if !excluded(board.holes(), &sets, pegs) {
        return None;
    }
    for index in (0..sets.len()).rev() {
        let without: Vec<_> = [&sets[..index], &sets[index + 1..]].concat();
        if excluded(board.holes(), &without, pegs) {
            sets = without;
        }
    }
    Some(ParityProof { sets })
}

/// Whether no choice of `pegs` holes has these parities. More than [`MAX_SETS`] sets exclude nothing.
pub(crate) fn excluded(holes: usize, sets: &[(Vec<Hole>, bool)], pegs: usize) -> bool {
    if sets.len() > MAX_SETS {
        return false;
    }
    let bits = |hole: Hole| -> usize {
        sets.iter().enumerate().filter(|(_, (set, _))| set.contains(&hole)).map(|(index, _)| 1 << index).sum()
    };
    let wanted: usize = sets.iter().enumerate().filter(|(_, (_, odd))| *odd).map(|(index, _)| 1 << index).sum();
    let width = 1usize << sets.len();
    // `possible[k * width + s]`: some k of the holes so far add up to s.
    let mut possible = vec![false; (pegs + 1) * width];
    possible[0] = true;
    for hole in 1..=holes {
        let bits = bits(hole);
        for count in (0..pegs.min(hole)).rev() {
            for sum in 0..width {
                if possible[count * width + sum] {
                    possible[(count + 1) * width + (sum ^ bits)] = true;
                }
            }
        }
    }
    !possible[pegs * width + wanted]
}

/// The weight of the `pegs` lightest holes.
pub(crate) fn lightest(weights: &[i64], pegs: usize) -> i128 {
    let mut weights = weights.to_vec();
    weights.sort_unstable();
    weights.iter().take(pegs).map(|&weight| i128::from(weight)).sum()
}

/// A pagoda function in which the `pegs` lightest holes weigh more than the start. Their weight is the greatest value of
/// k·t minus the sum of max(0, t - w) over the holes, for any bound t.
fn function(board: &Board, start: &Position, pegs: usize) -> Option<Vec<i64>> {
    let mut variables = ProblemVariables::new();
    let weights = variables.add_vector(variable().min(-1.0).max(1.0), board.holes());
    let bound = variables.add(variable().min(-1.0).max(1.0));
    let below = variables.add_vector(variable().min(0.0).max(2.0), board.holes());
    let mut gain = pegs as f64 * bound;
    below.iter().for_each(|&below| gain -= below);
    start.pegs().for_each(|hole| gain -= weights[hole - 1]);
    let mut constraints = Vec::new();
    for (&weight, &below) in weights.iter().zip(&below) {
        constraints.push(constraint!(bound - weight <= below));
    }
    let weights = linear_function(board, variables, &weights, gain, constraints)?;
    (lightest(&weights, pegs) > sum(&weights, start)).then_some(weights)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Goal, Search, named, read};
    use std::sync::Arc;

    #[test]
    fn proofs_are_right_and_never_refute_what_the_search_reaches() {
        let mut parities = 0;
        let mut weights = 0;
        for name in ["triangle:4", "rectangle:3x4", "rectangle:2x6", "fano", "rectangle:1x9", "diamond:3"] {
            let board = Arc::new(named(name).unwrap().unwrap().board);
            let holes = board.holes();
            for start in 1..=holes {
                let start = Position::vacancy(holes, start);
                for pegs in 1..holes {
                    let goal = Goal::Pegs(pegs);
                    let Some(proof) = PagodaProof::find(&board, &start, &goal) else { continue };
                    proof.check(&board, &start, &goal).unwrap();
                    assert_eq!(
                        Search::new(&board, goal.clone()).unwrap().plan(&start),
                        None,
                        "{name} {start:?} {pegs}"
                    );
                    if proof.functions.is_empty() {
                        parities += 1
                    } else {
                        weights += 1
                    }
                    if let Some(weight) = proof.functions.first() {
                        let mut wrong = proof.clone();
                        wrong.functions[0] = vec![0; weight.len()];
                        assert!(wrong.check(&board, &start, &goal).is_err());
                    }
                }
            }
        }
        assert!(parities > 3 && weights > 10, "{parities} {weights}");
    }

    #[test]
    fn parities_count_holes_once() {
        // Two pegs of a set of one hole are not possible: the parity of {4} stays odd.
        let setup = read("4 3\n1 2 3", "b").unwrap();
        let proof = PagodaProof::find(&setup.board, &Position::of(4, &[4]), &Goal::Pegs(0)).unwrap();
        assert_eq!(proof.parity.sets, [(vec![4], true)]);
        assert!(excluded(3, &[(vec![1], true), (vec![1], false)], 2));
        assert!(!excluded(3, &[(vec![1, 2], false)], 2));
        assert!(excluded(2, &[(vec![1, 2], true)], 2));
    }
}
