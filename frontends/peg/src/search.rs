//! Depth-first search with a table of positions. It knows nothing of clauses, so that it can check every encoding, and it
//! counts.

use crate::{Board, Goal, Hole, Jump, Position, Problem};
use rustc_hash::{FxHashMap, FxHashSet};

/// The most holes that the search can take: a position is one machine word of 128 bits.
pub const SEARCH_HOLES: usize = 128;

/// A jump as masks: the two holes that must have a peg, and all three.
#[derive(Clone, Copy)]
struct Masks {
    pegs: u128,
    all: u128,
    jump: Jump,
}

/// The search on one board towards one goal. Its table stays from one start to the next.
pub struct Search {
    jumps: Vec<Masks>,
    holes: usize,
    goal: Goal,
    goal_pegs: u32,
    counts: FxHashMap<u128, u128>,
    dead: FxHashSet<u128>,
}

impl Search {
    /// A search with an empty table; none when the board has more than [`SEARCH_HOLES`] holes, and for goals that leave the
    /// number of pegs open.
    pub fn new(board: &Board, goal: Goal) -> Option<Self> {
        if board.holes() > SEARCH_HOLES || goal.is_open() {
            return None;
        }
        let masks = |jump: Jump| {
            let pegs = bit(jump.from) | bit(jump.over);
            Masks { pegs, all: pegs | bit(jump.to), jump }
        };
        Some(Self {
            jumps: board.jumps().into_iter().map(masks).collect(),
            holes: board.holes(),
            goal_pegs: goal.pegs() as u32,
            goal,
            counts: FxHashMap::default(),
            dead: FxHashSet::default(),
        })
    }

    /// The number of sequences of jumps from the start to the goal. Two sequences differ when they differ in any jump; the
    /// end is counted where it is reached. None when the number does not fit 128 bits.
    ///
    /// The depth of the recursion is the number of pegs, which [`SEARCH_HOLES`] bounds.
    pub fn count(&mut self, start: &Position) -> Option<u128> {
        self.count_from(pack(start))
    }

    fn count_from(&mut self, pegs: u128) -> Option<u128> {
        if pegs.count_ones() <= self.goal_pegs {
            return Some(u128::from(self.reached(pegs)));
        }
        if let Some(&count) = self.counts.get(&pegs) {
            return Some(count);
        }
        let mut count = 0u128;
        for index in 0..self.jumps.len() {
            let jump = self.jumps[index];
            if pegs & jump.all == jump.pegs {
                count = count.checked_add(self.count_from(pegs ^ jump.all)?)?;
            }
        }
        self.counts.insert(pegs, count);
        Some(count)
    }

    /// The first plan in the order of the jumps, or none when there is none.
    pub fn plan(&mut self, start: &Position) -> Option<Vec<Jump>> {
        let mut plan = Vec::new();
        self.plan_from(pack(start), &mut plan).then_some(plan)
    }

    fn plan_from(&mut self, pegs: u128, plan: &mut Vec<Jump>) -> bool {
        if pegs.count_ones() <= self.goal_pegs {
            return self.reached(pegs);
        }
        if self.dead.contains(&pegs) {
            return false;
        }
        for index in 0..self.jumps.len() {
            let jump = self.jumps[index];
            if pegs & jump.all == jump.pegs {
                plan.push(jump.jump);
                if self.plan_from(pegs ^ jump.all, plan) {
                    return true;
                }
                plan.pop();
            }
        }
        self.dead.insert(pegs);
        false
    }

    fn reached(&self, pegs: u128) -> bool {
        match &self.goal {
            Goal::OnePeg => pegs.count_ones() == 1,
            Goal::PegIn(hole) => pegs == bit(*hole),
            Goal::Pattern(pattern) => pegs == pack(pattern),
            Goal::Pegs(count) => pegs.count_ones() as usize == *count,
            Goal::DeadEnd(count) => pegs.count_ones() as usize == *count && self.stuck(pegs),
            Goal::FewestPegs | Goal::ShortestDeadEnd => false,
        }
    }

    fn stuck(&self, pegs: u128) -> bool {
        !self.jumps.iter().any(|jump| pegs & jump.all == jump.pegs)
    }

    /// The number of positions in the tables.
    pub fn positions(&self) -> usize {
        self.counts.len() + self.dead.len()
    }

    /// The number of holes of the board.
    pub fn holes(&self) -> usize {
        self.holes
    }
}

impl Problem {
    /// The number of jump sequences that solve the problem, by [`Search`]; none when the board is too large for it or the
    /// number for 128 bits.
    pub fn count(&self) -> Option<u128> {
        Search::new(&self.board, self.goal.clone())?.count(&self.start)
    }
}

fn bit(hole: Hole) -> u128 {
    1 << (hole - 1)
}

fn pack(position: &Position) -> u128 {
    position.pegs().fold(0, |pegs, hole| pegs | bit(hole))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::builtin;

    fn counts(name: &str) -> Vec<u128> {
        let board = builtin(name).unwrap().setup().board;
        let mut search = Search::new(&board, Goal::OnePeg).unwrap();
        (1..=board.holes()).map(|hole| search.count(&Position::vacancy(board.holes(), hole)).unwrap()).collect()
    }

    #[test]
    fn the_triangle_of_10() {
        assert_eq!(counts("triangle-10"), [0, 14, 14, 14, 0, 14, 0, 14, 14, 0]);
    }

    #[test]
    fn the_triangle_of_15() {
        let counts = counts("triangle-15");
        for (holes, count) in
            [(&[1, 11, 15][..], 29_760), (&[2, 3, 7, 10, 12, 14], 14_880), (&[4, 6, 13], 85_258), (&[5, 8, 9], 1_550)]
        {
            assert!(holes.iter().all(|hole| counts[hole - 1] == count), "{counts:?}");
        }
        assert_eq!(counts.iter().sum::<u128>(), 438_984);
    }

    #[test]
    fn plans_reach_their_goal() {
        let board = builtin("triangle-15").unwrap().setup().board;
        let start = Position::vacancy(15, 1);
        for goal in [Goal::OnePeg, Goal::PegIn(1), Goal::PegIn(13)] {
            let jumps = Search::new(&board, goal.clone()).unwrap().plan(&start).unwrap();
            let plan = crate::Plan { board: board.clone().into(), start: start.clone(), goal, jumps, optimum: None };
            putnam_api::Solution::verify(&plan).unwrap();
        }
        assert_eq!(Search::new(&board, Goal::PegIn(2)).unwrap().plan(&start), None);
    }

    #[test]
    fn boards_over_128_holes_are_left_alone() {
        assert!(Search::new(&Board::new("", 129, &[]), Goal::OnePeg).is_none());
        assert!(Search::new(&Board::new("", 128, &[[126, 127, 128]]), Goal::PegIn(128)).is_some());
    }
}
