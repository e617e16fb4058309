//! Parity invariants: sets of holes in which the number of pegs stays even or odd whatever jump is made.
//!
//! A jump changes all three holes of its triple. So a set of holes keeps its parity exactly when it has an even number of holes
//! of each triple in common: the invariants are the null space over GF(2) of the matrix of triples against holes. They are
//! derived from the triples alone. On square boards they are the classical position classes (Reiss 1857; Beasley, The Ins
//! and Outs of Peg Solitaire, 1985).

use crate::{Board, Goal, Hole, Position, count_proof};

/// A set of holes, one bit each.
type Set = Vec<u64>;

/// The parity invariants of a board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Invariants {
    /// A basis, each set as its holes in ascending order.
    basis: Vec<Vec<Hole>>,
}

/// Parities that refute a goal: no position that the goal allows has the parities of the start in all of these sets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParityProof {
    /// The sets, holes ascending, and whether the start has an odd number of pegs in each.
    pub sets: Vec<(Vec<Hole>, bool)>,
}

impl Invariants {
    /// The invariants of a board, by Gaussian elimination.
    pub fn of(board: &Board) -> Self {
        let holes = board.holes();
        let words = holes.div_ceil(64);
        // Reduced rows, each with the column of its leading one, which no other row has.
        let mut rows: Vec<(usize, Set)> = Vec::new();
        for triple in board.triples() {
            let mut row = vec![0u64; words];
            triple.iter().for_each(|&hole| flip(&mut row, hole - 1));
            for (lead, other) in &rows {
                if get(&row, *lead) {
                    add(&mut row, other);
                }
            }
            let Some(lead) = (0..holes).find(|&column| get(&row, column)) else { continue };
            for (_, other) in &mut rows {
                if get(other, lead) {
                    add(other, &row);
                }
            }
            rows.push((lead, row));
        }
        let leads: Vec<usize> = rows.iter().map(|(lead, _)| *lead).collect();
        // A column that leads no row is free: one basis vector has it and the leads of the rows that contain it.
        let free = (0..holes).filter(|column| !leads.contains(column));
        let basis = free.map(|column| {
            let dependent = rows.iter().filter(|(_, row)| get(row, column)).map(|(lead, _)| *lead);
            let mut set: Vec<Hole> = dependent.chain([column]).map(|column| column + 1).collect();
            set.sort_unstable();
            set
        });
        Self { basis: basis.collect() }
    }

    /// The independent invariant sets. Their number is the dimension: two for triangles, four for the English cross.
    pub fn basis(&self) -> &[Vec<Hole>] {
        &self.basis
    }

    /// The parities of a position: its position class.
    pub fn class(&self, position: &Position) -> Vec<bool> {
        self.basis.iter().map(|set| odd(set, position)).collect()
    }

    /// The holes where the last peg can be as far as parity tells, ascending.
    pub fn finals(&self, start: &Position) -> Vec<Hole> {
        let class = self.class(start);
        let alone = |hole: Hole| self.basis.iter().zip(&class).all(|(set, &odd)| set.contains(&hole) == odd);
        (1..=start.holes()).filter(|&hole| alone(hole)).collect()
    }

    /// Parities by which the goal cannot be reached, or none when parity does not tell. Few sets are looked for.
    pub fn refute(&self, start: &Position, goal: &Goal) -> Option<ParityProof> {
        let (proof, rest) = self.separate(start, goal.ends(start.holes())?);
        rest.is_empty().then_some(proof)
    }

    /// Parities that rule out those of the positions `ends` that parity rules out at all, and the rest of the positions.
    pub(crate) fn separate(&self, start: &Position, ends: Vec<Position>) -> (ParityProof, Vec<Position>) {
        let class = self.class(start);
        let (rest, mut open): (Vec<Position>, Vec<Position>) =
            ends.into_iter().partition(|end| self.class(end) == class);
        let candidates = self.combinations();
        let mut sets = Vec::new();
        while !open.is_empty() {
            let refuted = |set: &&Vec<Hole>| open.iter().filter(|end| odd(set, end) != odd(set, start)).count();
            // Of the best, the first: combinations of few basis sets stand in front.
            let Some(best) = candidates.iter().rev().max_by_key(refuted) else { break };
            open.retain(|end| odd(best, end) == odd(best, start));
            sets.push((best.clone(), odd(best, start)));
        }
        (ParityProof { sets }, rest)
    }

    /// Sums of basis sets: all of them for small dimensions, otherwise the basis.
    fn combinations(&self) -> Vec<Vec<Hole>> {
        if self.basis.len() > 8 {
            return self.basis.clone();
        }
        let mut masks: Vec<u32> = (1..1 << self.basis.len()).collect();
        masks.sort_by_key(|mask| mask.count_ones());
        let sum = |mask: u32| {
            let mut counts = std::collections::BTreeMap::new();
            for (_, set) in self.basis.iter().enumerate().filter(|(index, _)| mask >> index & 1 == 1) {
                set.iter().for_each(|&hole| *counts.entry(hole).or_insert(0) += 1);
            }
            counts.into_iter().filter(|(_, count)| count % 2 == 1).map(|(hole, _)| hole).collect()
        };
        masks.into_iter().map(sum).collect()
    }
}

impl ParityProof {
    /// Checks the proof: every set is an invariant of the board, and no position of the goal has the parities of the start.
    ///
    /// # Errors
    /// What is wrong, in words.
    pub fn check(&self, board: &Board, start: &Position, goal: &Goal) -> Result<(), String> {
        self.check_sets(board, start)?;
        let Some(ends) = goal.ends(board.holes()) else {
            return match goal {
                Goal::Pegs(pegs) | Goal::DeadEnd(pegs) if count_proof::excluded(board.holes(), &self.sets, *pegs) => {
                    Ok(())
                }
                _ => Err("some position of the goal has the same parities as the start".into()),
            };
        };
        match ends.into_iter().find(|end| !self.excludes(end)) {
            Some(end) => Err(format!("pegs in {end:?} have the same parities as the start")),
            None => Ok(()),
        }
    }

    /// Checks that every set is an invariant, with the parity that the start has.
    pub(crate) fn check_sets(&self, board: &Board, start: &Position) -> Result<(), String> {
        for (set, parity) in &self.sets {
            if set.iter().any(|&hole| hole == 0 || hole > board.holes()) {
                return Err(format!("the set {set:?} has a hole that is not on the board"));
            }
            let common = |triple: &[Hole; 3]| triple.iter().filter(|hole| set.contains(hole)).count();
            if let Some(triple) = board.triples().iter().find(|triple| common(triple) % 2 == 1) {
                return Err(format!("the set {set:?} is no invariant: a jump along {triple:?} changes its parity"));
            }
            if odd(set, start) != *parity {
                return Err(format!("the start has the other parity in the set {set:?}"));
            }
        }
        Ok(())
    }

    /// Whether the position has another parity than the start in one of the sets.
    pub(crate) fn excludes(&self, end: &Position) -> bool {
        self.sets.iter().any(|(set, parity)| odd(set, end) != *parity)
    }

    /// The proof in words.
    pub fn explain(&self, goal: &Goal) -> String {
        let parity = |odd: bool| if odd { "an odd" } else { "an even" };
        let sets: Vec<String> = (self.sets.iter())
            .map(|(set, odd)| format!("every jump keeps {} number of pegs in the holes {}", parity(*odd), list(set)))
            .collect();
        let end = match goal {
            Goal::OnePeg => "but no single peg is so".to_string(),
            Goal::PegIn(hole) => format!("but one peg in hole {hole} is not so"),
            Goal::Pegs(pegs) | Goal::DeadEnd(pegs) => {
                format!("but no {} are so", crate::goal::count_of(*pegs, "peg"))
            }
            _ => "but the goal is not so".to_string(),
        };
        format!("{}, {end}", sets.join(", and "))
    }
}

pub(crate) fn list(set: &[Hole]) -> String {
    set.iter().map(Hole::to_string).collect::<Vec<_>>().join(" ")
}

/// Whether the position has an odd number of pegs in the set.
fn odd(set: &[Hole], position: &Position) -> bool {
    set.iter().filter(|&&hole| position.has(hole)).count() % 2 == 1
}

fn get(set: &Set, index: usize) -> bool {
    set[index / 64] >> (index % 64) & 1 == 1
}

fn flip(set: &mut Set, index: usize) {
    set[index / 64] ^= 1 << (index % 64);
}

fn add(set: &mut Set, other: &Set) {
    set.iter_mut().zip(other).for_each(|(word, other)| *word ^= other);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Search, builtin};

    fn board(name: &str) -> Board {
        builtin(name).unwrap().setup().board
    }

    #[test]
    fn the_known_dimensions() {
        for (name, dimension) in
            [("triangle-10", 2), ("triangle-15", 2), ("english", 4), ("european", 4), ("wiegleb", 4), ("diamond", 4)]
        {
            assert_eq!(Invariants::of(&board(name)).basis().len(), dimension, "{name}");
        }
        // A hole in no triple is an invariant by itself.
        assert!(Invariants::of(&Board::new("", 4, &[[1, 2, 3]])).basis().contains(&vec![4]));
        assert_eq!(Invariants::of(&Board::new("", 3, &[])).basis().len(), 3);
    }

    #[test]
    fn twenty_one_european_vacancies_fall_to_parity() {
        let board = board("european");
        let invariants = Invariants::of(&board);
        let mut refuted = 0;
        for hole in 1..=37 {
            let start = Position::vacancy(37, hole);
            assert_eq!(invariants.refute(&start, &Goal::OnePeg).is_some(), invariants.finals(&start).is_empty());
            if let Some(proof) = invariants.refute(&start, &Goal::OnePeg) {
                proof.check(&board, &start, &Goal::OnePeg).unwrap();
                refuted += 1;
            }
        }
        assert_eq!(refuted, 21);
        let centre = Position::vacancy(37, 19);
        assert!(invariants.refute(&centre, &Goal::OnePeg).is_some());
    }

    #[test]
    fn parity_never_refutes_what_the_search_solves() {
        for name in ["triangle-10", "triangle-15", "fano"] {
            let board = board(name);
            let invariants = Invariants::of(&board);
            for start in 1..=board.holes() {
                let start = Position::vacancy(board.holes(), start);
                for hole in 1..=board.holes() {
                    let goal = Goal::PegIn(hole);
                    let solvable = Search::new(&board, goal.clone()).unwrap().plan(&start).is_some();
                    let refutation = invariants.refute(&start, &goal);
                    assert!(!(solvable && refutation.is_some()));
                    assert_eq!(refutation.is_none(), invariants.finals(&start).contains(&hole));
                }
            }
        }
    }

    #[test]
    fn wrong_proofs_are_refused() {
        let board = board("triangle-10");
        let start = Position::vacancy(10, 5);
        let invariants = Invariants::of(&board);
        let proof = invariants.refute(&start, &Goal::OnePeg).unwrap();
        proof.check(&board, &start, &Goal::OnePeg).unwrap();
        assert!(proof.explain(&Goal::OnePeg).contains("but no single peg is so"));
        let mut other = proof.clone();
        other.sets[0].1 ^= true;
        assert!(other.check(&board, &start, &Goal::OnePeg).unwrap_err().contains("the other parity"));
        other = proof.clone();
        other.sets[0].0.pop();
        assert!(other.check(&board, &start, &Goal::OnePeg).unwrap_err().contains("is no invariant"));
        other = ParityProof { sets: Vec::new() };
        assert!(other.check(&board, &start, &Goal::OnePeg).unwrap_err().contains("the same parities"));
    }
}
