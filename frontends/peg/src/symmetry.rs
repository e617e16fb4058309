//! Symmetries of a board: permutations of its holes that map triples to triples. They are found from the triples alone, by
//! colour refinement and backtracking (as in McKay, Practical Graph Isomorphism, 1981), so that boards without picture have
//! theirs too.

use crate::{Board, Hole, Jump, Position};
use std::collections::{BTreeMap, HashSet};

/// A permutation of the holes: `map[h - 1]` is where hole h goes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Symmetry(Vec<Hole>);

impl Symmetry {
    /// Where a hole goes.
    pub fn hole(&self, hole: Hole) -> Hole {
        self.0[hole - 1]
    }

    /// Where a jump goes.
    pub fn jump(&self, jump: Jump) -> Jump {
        Jump { from: self.hole(jump.from), over: self.hole(jump.over), to: self.hole(jump.to) }
    }

    /// The symmetry that takes this one back.
    pub fn inverse(&self) -> Self {
        let mut back = vec![0; self.0.len()];
        self.0.iter().enumerate().for_each(|(index, &hole)| back[hole - 1] = index + 1);
        Self(back)
    }

    /// This symmetry and then another.
    pub fn then(&self, other: &Self) -> Self {
        Self(self.0.iter().map(|&hole| other.hole(hole)).collect())
    }

    /// Where a position goes.
    pub fn position(&self, position: &Position) -> Position {
        Position::of(position.holes(), &position.pegs().map(|hole| self.hole(hole)).collect::<Vec<_>>())
    }
}

/// The colours of the holes of two copies of a board; a symmetry maps each colour of the left to the same on the right.
#[derive(Clone)]
struct Colours {
    left: Vec<usize>,
    right: Vec<usize>,
}

/// The symmetries of one board.
pub struct Symmetries<'a> {
    board: &'a Board,
    /// By hole: the other holes of its triples, and whether it is the middle.
    triples: Vec<Vec<(bool, Hole, Hole)>>,
    set: HashSet<[Hole; 3]>,
    /// A colour of every hole that is kept.
    kept: Vec<usize>,
}

impl<'a> Symmetries<'a> {
    /// Prepares the search.
    pub fn new(board: &'a Board) -> Self {
        let mut triples = vec![Vec::new(); board.holes()];
        for &[a, b, c] in board.triples() {
            triples[a - 1].push((false, b, c));
            triples[b - 1].push((true, a, c));
            triples[c - 1].push((false, b, a));
        }
        let set = board.triples().iter().map(|&triple| canonical(triple)).collect();
        Self { board, triples, set, kept: vec![0; board.holes()] }
    }

    /// Of the symmetries those alone that map the position to itself. Several positions can be kept.
    pub fn keeping(mut self, position: &Position) -> Self {
        for (hole, colour) in (1..).zip(&mut self.kept) {
            *colour = 2 * *colour + usize::from(position.has(hole));
        }
        self
    }

    /// A symmetry that maps each first hole to its second, or none.
    pub fn find(&self, pairs: &[(Hole, Hole)]) -> Option<Symmetry> {
        let mut colours = Colours { left: self.kept.clone(), right: self.kept.clone() };
        let free = self.kept.iter().max().map_or(0, |most| most + 1);
        for (colour, &(from, to)) in pairs.iter().enumerate() {
            if self.kept[from - 1] != self.kept[to - 1] {
                return None;
            }
            // A hole may be in several pairs; the last colour of each side tells whether they agree.
            colours.left[from - 1] = free + colour;
            colours.right[to - 1] = free + colour;
        }

        self.complete(colours)
    }

    /// For each of `items` the first one that a symmetry maps to it, by index, with the symmetry. `holes` says which holes an
    /// item consists of, in order, such as a start and a finish.
    pub fn representatives<T>(&self, items: &[T], holes: impl Fn(&T) -> Vec<Hole>) -> Vec<(usize, Symmetry)> {
        let mut found: Vec<(usize, Symmetry)> = Vec::new();
        for (index, item) in items.iter().enumerate() {
            let to = holes(item);
            let mut earlier = (0..index).filter(|&other| found[other].0 == other);
            let mapped = earlier.find_map(|other| {
                let pairs: Vec<(Hole, Hole)> = holes(&items[other]).into_iter().zip(to.iter().copied()).collect();
                Some((other, self.find(&pairs)?))
            });
            found.push(mapped.unwrap_or_else(|| (index, Symmetry((1..=self.board.holes()).collect()))));
        }
        found
    }

    fn complete(&self, mut colours: Colours) -> Option<Symmetry> {
        let count = self.refine(&mut colours)?;
        if count == self.board.holes() {
            return self.checked(&colours);
        }
        let mut sizes = vec![0; count];
        colours.left.iter().for_each(|&colour| sizes[colour] += 1);
        let cell = (0..count).filter(|&colour| sizes[colour] > 1).min_by_key(|&colour| sizes[colour])?;
        let from = colours.left.iter().position(|&colour| colour == cell)?;
        (0..self.board.holes()).filter(|&to| colours.right[to] == cell).find_map(|to| {
            let mut next = colours.clone();
            next.left[from] = count;
            next.right[to] = count;
            self.complete(next)
        })
    }

    /// Splits colours by the colours around until nothing changes; their number, or none when the sides differ.
    fn refine(&self, colours: &mut Colours) -> Option<usize> {
        let mut count = 0;
        loop {
            let left = self.signatures(&colours.left);
            let right = self.signatures(&colours.right);
            let mut ranks: BTreeMap<&Signature, (usize, usize)> = BTreeMap::new();
            left.iter().for_each(|signature| ranks.entry(signature).or_default().0 += 1);
            right.iter().for_each(|signature| ranks.entry(signature).or_default().1 += 1);
            if ranks.values().any(|(left, right)| left != right) {
                return None;
            }
            let rank: BTreeMap<&Signature, usize> = ranks.keys().enumerate().map(|(rank, key)| (*key, rank)).collect();
            colours.left = left.iter().map(|signature| rank[signature]).collect();
            colours.right = right.iter().map(|signature| rank[signature]).collect();
            if rank.len() == count {
                return Some(count);
            }
            count = rank.len();
        }
    }

    fn signatures(&self, colours: &[usize]) -> Vec<Signature> {
        let around = |&(middle, a, b): &(bool, Hole, Hole)| {
            let (a, b) = (colours[a - 1], colours[b - 1]);
            if middle { (true, a.min(b), a.max(b)) } else { (false, a, b) }
        };
        let signature = |(hole, triples): (usize, &Vec<(bool, Hole, Hole)>)| {
            let mut around: Vec<(bool, usize, usize)> = triples.iter().map(around).collect();
            around.sort_unstable();
            (colours[hole], around)
        };
        self.triples.iter().enumerate().map(signature).collect()
    }

    /// The permutation of colours that are all different, if it does map triples to triples.
    fn checked(&self, colours: &Colours) -> Option<Symmetry> {
        let mut by_colour = vec![0; self.board.holes()];
        colours.right.iter().enumerate().for_each(|(hole, &colour)| by_colour[colour] = hole + 1);
        let symmetry = Symmetry(colours.left.iter().map(|&colour| by_colour[colour]).collect());
        let kept = |triple: &[Hole; 3]| self.set.contains(&canonical(triple.map(|hole| symmetry.hole(hole))));
        self.board.triples().iter().all(kept).then_some(symmetry)
    }
}

/// A hole's colour and what its triples look like.
type Signature = (usize, Vec<(bool, usize, usize)>);

fn canonical([a, b, c]: [Hole; 3]) -> [Hole; 3] {
    [a.min(c), b, a.max(c)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{builtin, named};

    fn orbits(board: &Board) -> usize {
        let symmetries = Symmetries::new(board);
        let starts: Vec<Hole> = (1..=board.holes()).collect();
        let found = symmetries.representatives(&starts, |&start| vec![start]);
        let jumps: HashSet<Jump> = board.jumps().into_iter().collect();
        for (index, (first, symmetry)) in found.iter().enumerate() {
            assert_eq!(symmetry.hole(first + 1), index + 1);
            assert!(jumps.iter().all(|&jump| jumps.contains(&symmetry.jump(jump))));
        }
        found.iter().enumerate().filter(|(index, (first, _))| index == first).count()
    }

    #[test]
    fn orbits_of_holes() {
        for (name, expected) in [
            ("triangle-10", 3),
            ("triangle-15", 4),
            ("english", 7),
            ("european", 8),
            ("wiegleb", 9),
            ("diamond", 9),
            ("square", 6),
            ("hexagon:3", 4),
            ("rectangle:2x3", 2),
            ("rectangle:3x4", 4),
        ] {
            assert_eq!(orbits(&named(name).unwrap().unwrap().board), expected, "{name}");
        }
        // Holes in no triple are alike, however many there are.
        assert_eq!(orbits(&Board::new("", 40, &[[1, 2, 3]])), 3);
    }

    #[test]
    fn pairs_are_mapped_together() {
        let board = builtin("english").unwrap().setup().board;
        let symmetries = Symmetries::new(&board);
        let quarter = symmetries.find(&[(1, 21), (3, 7)]).unwrap();
        assert_eq!(quarter.position(&Position::vacancy(33, 1)), Position::vacancy(33, 21));
        assert!(symmetries.find(&[(1, 3), (3, 3)]).is_none());
        assert!(symmetries.find(&[(1, 2)]).is_none());
    }
}
