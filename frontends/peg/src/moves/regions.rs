//! Regions whose pegs must move themselves, and the lower bound on the number of moves that they give.
//!
//! A **region** is a set of holes such that of every jump over one of its holes the other two are not both outside. While all of
//! its holes have pegs, no jump goes into it, and a jump over one of its pegs either begins in it or would end in it. So the first move that
//! changes a full region begins in it. Of disjoint regions that are full and must not stay so, each needs a move of its own (Merson;
//! Beasley, The Ins and Outs of Peg Solitaire, 1985; Bell, Solving Triangular Peg Solitaire, 2008). They are
//! derived from the triples alone.

use crate::{Board, Goal, Hole, Position};

/// The most holes of a region that is looked for.
const MAX_SIZE: usize = 7;

/// The most packings that bound a position.
const MAX_PACKINGS: usize = 12;

/// How many steps the search for a large packing may take.
const MAX_STEPS: usize = 200_000;

/// Whether the set is a region of the board.
#[cfg(test)]
pub(crate) fn is_region(board: &Board, set: &[Hole]) -> bool {
    !board.triples().iter().any(|triple| breaks(triple, set))
}

/// Whether a jump along the triple takes out a peg of the full set and neither begins nor ends in it.
fn breaks(&[a, b, c]: &[Hole; 3], set: &[Hole]) -> bool {
    set.contains(&b) && !set.contains(&a) && !set.contains(&c)
}

/// The regions of at most [`MAX_SIZE`] holes that contain no smaller one, holes ascending, the small ones first.
pub(crate) fn regions(board: &Board) -> Vec<Vec<Hole>> {
    let mut found: Vec<Vec<Hole>> = Vec::new();
    let mut seen = std::collections::HashSet::new();
    let mut level: Vec<Vec<Hole>> = (1..=board.holes()).map(|hole| vec![hole]).collect();
    for _ in 0..MAX_SIZE {
        let mut next = Vec::new();
        for set in level {
            if found.iter().any(|region| region.iter().all(|hole| set.contains(hole))) {
                continue;
            }
            let Some(&[a, _, c]) = board.triples().iter().find(|triple| breaks(triple, &set)) else {
                found.push(set);
                continue;
            };
            // A region that contains the set has one of the two.
            for hole in [a, c] {
                let mut more = set.clone();
                more.insert(more.partition_point(|&other| other < hole), hole);
                if seen.insert(more.clone()) {
                    next.push(more);
                }
            }
        }
        level = next;
    }
    found
}

/// Disjoint regions, as many as are found: those that are full in the position and that the goal does not want full. Besides, how
/// many of them may still be full at the end.
pub(crate) fn packing(board: &Board, start: &Position, goal: &Goal, finals: &[Hole]) -> (Vec<Vec<Hole>>, usize) {
    let full = |region: &Vec<Hole>, position: &Position| region.iter().all(|&hole| position.has(hole));
    let single = |region: &Vec<Hole>| region.len() == 1 && finals.contains(&region[0]);
    let wanted = |region: &Vec<Hole>| match goal {
        Goal::OnePeg | Goal::Pegs(1) => true,
        Goal::PegIn(hole) => *region != [*hole],
        Goal::Pattern(pattern) => !full(region, pattern),
        // How many of them stay full is not known.
        _ => false,
    };
    let candidates: Vec<Vec<Hole>> =
        regions(board).into_iter().filter(|region| full(region, start) && wanted(region)).collect();
    let mut search = Packing { candidates: &candidates, chosen: Vec::new(), best: Vec::new(), steps: 0 };
    search.extend(0, &mut vec![false; board.holes()], board.holes());
    let best: Vec<Vec<Hole>> = search.best.iter().map(|&index| candidates[index].clone()).collect();
    let stay = usize::from(matches!(goal, Goal::OnePeg | Goal::Pegs(1)) && best.iter().any(single));
    (best, stay)
}

/// A packing for positions in words of 64 bits.
pub(crate) struct Packed {
    /// Disjoint regions.
    pub(crate) regions: Vec<u64>,
    /// Those of a single hole, where one peg can stay.
    pub(crate) singles: u64,
}

/// Packings of the regions that the goal does not want full: the largest that is found, and for each region that is in none one that
/// has it. The board has at most 64 holes.
pub(crate) fn packings(board: &Board, goal: &Goal) -> Vec<Packed> {
    let all: Vec<Hole> = (1..=board.holes()).collect();
    let full = Position::full(board.holes());
    let (largest, _) = packing(board, &full, goal, &all);
    let open = match goal {
        // The filter of `packing`, for regions outside of the largest.
        Goal::OnePeg | Goal::PegIn(_) | Goal::Pattern(_) | Goal::Pegs(1) => regions(board),
        _ => Vec::new(),
    };
    let wanted = |region: &Vec<Hole>| match goal {
        Goal::PegIn(hole) => *region != [*hole],
        Goal::Pattern(pattern) => !region.iter().all(|&hole| pattern.has(hole)),
        _ => true,
    };
    let open: Vec<Vec<Hole>> = open.into_iter().filter(wanted).collect();
    let mut packings = vec![largest];
    for region in &open {
        if packings.len() >= MAX_PACKINGS || packings.iter().any(|packing| packing.contains(region)) {
            continue;
        }
        let mut packing = vec![region.clone()];
        let fresh = |other: &&Vec<Hole>| !packings.iter().any(|packing| packing.contains(other));
        for other in open.iter().filter(fresh).chain(&open) {
            if !packing.iter().any(|region| region.iter().any(|hole| other.contains(hole))) {
                packing.push(other.clone());
            }
        }
        packings.push(packing);
    }
    let mask = |region: &Vec<Hole>| region.iter().fold(0u64, |mask, hole| mask | 1 << (hole - 1));
    let packed = |packing: &Vec<Vec<Hole>>| Packed {
        regions: packing.iter().map(mask).collect(),
        singles: packing.iter().filter(|region| region.len() == 1).map(mask).fold(0, |all, mask| all | mask),
    };
    packings.iter().map(packed).collect()
}

/// A depth-first search for many disjoint sets; after [`MAX_STEPS`] steps what was found stands.
struct Packing<'a> {
    candidates: &'a [Vec<Hole>],
    chosen: Vec<usize>,
    best: Vec<usize>,
    steps: usize,
}

impl Packing<'_> {
    fn extend(&mut self, from: usize, used: &mut Vec<bool>, free: usize) {
        self.steps += 1;
        if self.chosen.len() > self.best.len() {
            self.best = self.chosen.clone();
        }
        for index in from..self.candidates.len() {
            let set = &self.candidates[index];
            // The sets are in the order of their sizes: no more than this many can come.
            if self.steps > MAX_STEPS || self.chosen.len() + free / set.len() <= self.best.len() {
                return;
            }
            if set.iter().any(|&hole| used[hole - 1]) {
                continue;
            }
            set.iter().for_each(|&hole| used[hole - 1] = true);
            self.chosen.push(index);
            self.extend(index + 1, used, free - set.len());
            self.chosen.pop();
            self.candidates[index].iter().for_each(|&hole| used[hole - 1] = false);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::named;

    fn board(name: &str) -> Board {
        named(name).unwrap().unwrap().board
    }

    /// All sets of up to so many holes that are regions and contain no smaller one.
    fn by_force(board: &Board) -> Vec<Vec<Hole>> {
        let mut sets: Vec<Vec<Hole>> = (1..1usize << board.holes())
            .filter(|bits| bits.count_ones() as usize <= MAX_SIZE)
            .map(|bits| (1..=board.holes()).filter(|hole| bits >> (hole - 1) & 1 == 1).collect())
            .filter(|set: &Vec<Hole>| is_region(board, set))
            .collect();
        sets.sort_by_key(|set| (set.len(), set.clone()));
        let mut minimal: Vec<Vec<Hole>> = Vec::new();
        for set in sets {
            if !minimal.iter().any(|region| region.iter().all(|hole| set.contains(hole))) {
                minimal.push(set);
            }
        }
        minimal
    }

    #[test]
    fn regions_are_those_found_by_force() {
        for name in ["triangle:4", "triangle:5", "rectangle:3x4", "rectangle:4x4", "fano", "diamond:3"] {
            let board = board(name);
            let mut found = regions(&board);
            assert!(found.iter().all(|set| is_region(&board, set)));
            found.sort_by_key(|set| (set.len(), set.clone()));
            assert_eq!(found, by_force(&board), "{name}");
        }
    }

    #[test]
    fn bounds_of_known_boards() {
        for (name, start, goal, bound) in [
            ("triangle:5", 1, Goal::OnePeg, 5),
            ("triangle:6", 1, Goal::OnePeg, 8),
            ("english", 17, Goal::PegIn(17), 12),
            ("square", 1, Goal::PegIn(1), 15),
        ] {
            let board = board(name);
            let start = Position::vacancy(board.holes(), start);
            let finals = crate::Invariants::of(&board).finals(&start);
            let (packing, stay) = packing(&board, &start, &goal, &finals);
            let mut holes: Vec<Hole> = packing.concat();
            holes.sort_unstable();
            assert!(holes.windows(2).all(|pair| pair[0] < pair[1]), "{packing:?}");
            assert_eq!(packing.len() - stay, bound, "{name} {packing:?}");
        }
    }
}
