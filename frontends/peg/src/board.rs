//! Boards, jumps and positions.

use std::collections::HashSet;
use std::fmt;

/// A hole of a board. Holes are numbered from 1; where a board has a picture, row by row from the top and from left to right
/// in each row.
pub type Hole = usize;

/// The most holes that a board may have.
pub const MAX_HOLES: usize = 1000;

/// One peg over one neighbour: the peg in `from` goes over the one in `over`, which leaves the board, into `to`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Jump {
    /// Where the peg is that jumps.
    pub from: Hole,
    /// Where the peg is that is taken out.
    pub over: Hole,
    /// The empty hole into which it jumps.
    pub to: Hole,
}

impl Jump {
    /// The holes of the jump.
    pub fn holes(self) -> [Hole; 3] {
        [self.from, self.over, self.to]
    }

    /// Whether the two jumps have a hole in common. Jumps that have none can be made in either order.
    pub fn touches(self, other: Jump) -> bool {
        self.holes().iter().any(|hole| other.holes().contains(hole))
    }
}

/// How the holes of a picture lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lattice {
    /// Neighbours are left, right, above and below.
    Square,
    /// Neighbours are left, right and the two nearest of each adjacent row.
    Triangular,
}

/// Where the holes of a board lie.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    /// How they lie.
    pub lattice: Lattice,
    /// The row and the horizontal place of every hole, in ascending order. Both count from 0; neighbours in a row are two
    /// places apart, so that a triangular row can stand one place aside from the row above.
    pub cells: Vec<(usize, usize)>,
}

impl Picture {
    /// The triples of neighbours in a line, in the order of their first holes. `diagonal` adds the diagonals of a square
    /// lattice.
    pub fn triples(&self, diagonal: bool) -> Vec<[Hole; 3]> {
        let directions: &[(usize, isize)] = match self.lattice {
            Lattice::Square if diagonal => &[(0, 2), (1, -2), (1, 0), (1, 2)],
            Lattice::Square => &[(0, 2), (1, 0)],
            Lattice::Triangular => &[(0, 2), (1, -1), (1, 1)],
        };
        let step = |(row, place): (usize, usize), (down, right): (usize, isize)| -> Option<Hole> {
            let next = (row + down, place.checked_add_signed(right)?);
            self.cells.binary_search(&next).ok().map(|index| index + 1)
        };
        let mut triples = Vec::new();
        for (index, &cell) in self.cells.iter().enumerate() {
            for &direction in directions {
                let Some(over) = step(cell, direction) else { continue };
                let Some(to) = step(self.cells[over - 1], direction) else { continue };
                triples.push([index + 1, over, to]);
            }
        }
        triples
    }

    /// A picture with a word of at most three characters for each hole, a line a row; each line ends with a line end.
    pub fn draw_words(&self, word: impl Fn(Hole) -> String) -> String {
        let mut text = String::new();
        let (mut row, mut width) = (self.cells.first().map_or(0, |cell| cell.0), 0);
        for (hole, &(cell_row, place)) in (1..).zip(&self.cells) {
            for _ in row..cell_row {
                text.push('\n');
                width = 0;
            }
            row = cell_row;
            // Neighbours in a row are two places apart: room for three characters and a blank.
            let end = 2 * place + 3;
            text += &format!("{:>width$}", word(hole), width = end - width);
            width = end;
        }
        text + "\n"
    }

    /// A picture in characters, one a hole, a line a row; each line ends with a line end.
    pub fn draw(&self, character: impl Fn(Hole) -> char) -> String {
        let mut text = String::new();
        let (mut row, mut place) = (0, 0);
        for (index, &(cell_row, cell_place)) in self.cells.iter().enumerate() {
            for _ in row..cell_row {
                text.push('\n');
                place = 0;
            }
            row = cell_row;
            text.extend(std::iter::repeat_n(' ', cell_place - place));
            text.push(character(index + 1));
            place = cell_place + 1;
        }
        text + "\n"
    }
}

/// A board: holes and which of them lie in a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Board {
    name: String,
    holes: usize,
    triples: Vec<[Hole; 3]>,
    picture: Option<Picture>,
}

impl Board {
    /// A board of `holes` holes. Of triples that say the same, in the same or in reverse order, the first is kept.
    ///
    /// # Panics
    /// If a triple has a hole that the board has not, or the same hole twice.
    pub fn new(name: impl Into<String>, holes: usize, triples: &[[Hole; 3]]) -> Self {
        let mut seen = HashSet::new();
        let mut board = Self { name: name.into(), holes, triples: Vec::new(), picture: None };
        for &[a, b, c] in triples {
            assert!([a, b, c].iter().all(|hole| (1..=holes).contains(hole)), "a triple with a hole off the board");
            assert!(a != b && b != c && a != c, "a triple with a hole twice");
            if seen.insert((a.min(c), b, a.max(c))) {
                board.triples.push([a, b, c]);
            }
        }
        board
    }

    /// The board of a picture. `diagonal` allows diagonal jumps on a square lattice.
    pub fn from_picture(name: impl Into<String>, picture: Picture, diagonal: bool) -> Self {
        let mut board = Self::new(name, picture.cells.len(), &picture.triples(diagonal));
        board.picture = Some(picture);
        board
    }

    /// What the board is called: a built-in's name or a file's path.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The number of holes.
    pub fn holes(&self) -> usize {
        self.holes
    }

    /// The holes in a row, each triple once.
    pub fn triples(&self) -> &[[Hole; 3]] {
        &self.triples
    }

    /// Where the holes lie, if that is known.
    pub fn picture(&self) -> Option<&Picture> {
        self.picture.as_ref()
    }

    /// All jumps: two for each triple, in the order of the triples, forwards first.
    pub fn jumps(&self) -> Vec<Jump> {
        let both = |&[a, b, c]: &[Hole; 3]| [Jump { from: a, over: b, to: c }, Jump { from: c, over: b, to: a }];
        self.triples.iter().flat_map(both).collect()
    }

    /// Whether the two boards have the same holes and allow the same jumps.
    pub fn same_jumps(&self, other: &Board) -> bool {
        let set = |board: &Board| -> HashSet<Jump> { board.jumps().into_iter().collect() };
        self.holes == other.holes && set(self) == set(other)
    }

    /// A position in characters: the picture where there is one, otherwise the holes in one row of numbers, those
    /// without peg as `.`.
    pub fn draw(&self, position: &Position) -> String {
        match &self.picture {
            Some(picture) => picture.draw(|hole| if position.has(hole) { 'o' } else { '.' }),
            None => {
                let hole = |hole: Hole| if position.has(hole) { hole.to_string() } else { ".".into() };
                (1..=self.holes).map(hole).collect::<Vec<_>>().join(" ") + "\n"
            }
        }
    }
}

/// Which holes have a peg.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Position(Vec<bool>);

impl Position {
    /// A position without pegs on a board of `holes` holes.
    pub fn empty(holes: usize) -> Self {
        Self(vec![false; holes])
    }

    /// A peg in every hole.
    pub fn full(holes: usize) -> Self {
        Self(vec![true; holes])
    }

    /// A peg in every hole but one.
    ///
    /// # Panics
    /// If there is no such hole.
    pub fn vacancy(holes: usize, vacant: Hole) -> Self {
        let mut position = Self::full(holes);
        position.set(vacant, false);
        position
    }

    /// Pegs in these holes alone.
    ///
    /// # Panics
    /// If there is no such hole.
    pub fn of(holes: usize, pegs: &[Hole]) -> Self {
        let mut position = Self::empty(holes);
        pegs.iter().for_each(|&hole| position.set(hole, true));
        position
    }

    /// The number of holes.
    pub fn holes(&self) -> usize {
        self.0.len()
    }

    /// Whether the hole has a peg.
    pub fn has(&self, hole: Hole) -> bool {
        self.0[hole - 1]
    }

    /// Puts a peg into the hole or takes it out.
    pub fn set(&mut self, hole: Hole, peg: bool) {
        self.0[hole - 1] = peg;
    }

    /// The holes with a peg, ascending.
    pub fn pegs(&self) -> impl Iterator<Item = Hole> + '_ {
        self.0.iter().enumerate().filter(|&(_, &peg)| peg).map(|(index, _)| index + 1)
    }

    /// The number of pegs.
    pub fn count(&self) -> usize {
        self.pegs().count()
    }

    /// The one hole without peg, if there is exactly one.
    pub fn single_vacancy(&self) -> Option<Hole> {
        let mut empty = (1..=self.holes()).filter(|&hole| !self.has(hole));
        empty.next().filter(|_| empty.next().is_none())
    }

    /// The position with every peg taken out and a peg in every other hole.
    pub fn complement(&self) -> Self {
        Self(self.0.iter().map(|peg| !peg).collect())
    }

    /// Whether the jump can be made.
    pub fn allows(&self, jump: Jump) -> bool {
        self.has(jump.from) && self.has(jump.over) && !self.has(jump.to)
    }

    /// Makes a jump.
    ///
    /// # Errors
    /// The jump cannot be made; the error says why in words, such as `hole 5 has no peg to jump over`.
    pub fn make(&mut self, jump: Jump) -> Result<(), String> {
        if let Some(hole) = jump.holes().into_iter().find(|&hole| hole == 0 || hole > self.holes()) {
            return Err(format!("there is no hole {hole}"));
        }
        if !self.has(jump.from) {
            return Err(format!("hole {} has no peg that could jump", jump.from));
        }
        if !self.has(jump.over) {
            return Err(format!("hole {} has no peg to jump over", jump.over));
        }
        if self.has(jump.to) {
            return Err(format!("hole {} is not empty", jump.to));
        }
        self.set(jump.from, false);
        self.set(jump.over, false);
        self.set(jump.to, true);
        Ok(())
    }
}

impl fmt::Debug for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.pegs()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn triples_that_say_the_same_are_merged() {
        let board = Board::new("", 4, &[[1, 2, 3], [3, 2, 1], [1, 3, 2], [1, 2, 3]]);
        assert_eq!(board.triples(), [[1, 2, 3], [1, 3, 2]]);
        assert_eq!(board.jumps().len(), 4);
        assert!(board.same_jumps(&Board::new("other", 4, &[[2, 3, 1], [3, 2, 1]])));
        assert!(!board.same_jumps(&Board::new("", 5, &[[2, 3, 1], [3, 2, 1]])));
    }

    #[test]
    fn a_jump_that_cannot_be_made_changes_nothing() {
        let mut position = Position::vacancy(3, 3);
        let jump = Jump { from: 1, over: 2, to: 3 };
        for bad in [(3, 2, 1), (1, 3, 2), (1, 2, 4), (0, 1, 3), (2, 1, 1)] {
            let bad = Jump { from: bad.0, over: bad.1, to: bad.2 };
            assert!(position.make(bad).is_err());
            assert_eq!(position, Position::vacancy(3, 3));
        }
        position.make(jump).unwrap();
        assert_eq!(position, Position::of(3, &[3]));
        assert_eq!(position.make(jump), Err("hole 1 has no peg that could jump".into()));
    }

    #[test]
    fn boards_without_picture_are_drawn_as_numbers() {
        let board = Board::new("", 12, &[]);
        assert_eq!(board.draw(&Position::of(12, &[2, 11])), ". 2 . . . . . . . . 11 .\n");
    }
}
