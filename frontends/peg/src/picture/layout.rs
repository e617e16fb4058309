//! Where the holes of a board are drawn.

use crate::{BUILTINS, Board, Hole, Jump, Lattice};

/// A place on the plane, x to the right and y downwards; the nearest neighbours are 1 apart.
pub(crate) type Point = (f64, f64);

/// Where the holes are drawn.
pub(crate) struct Layout {
    points: Vec<Point>,
}

impl Layout {
    /// The layout of a board: its picture, or that of a built-in board with the same jumps, or a circle.
    pub(crate) fn of(board: &Board) -> Self {
        let known = || BUILTINS.iter().map(|known| known.setup().board).find(|known| known.same_jumps(board));
        let picture = board.picture().cloned().or_else(|| known()?.picture().cloned());
        let points = match picture {
            Some(picture) => {
                let height = match picture.lattice {
                    Lattice::Square => 1.0,
                    Lattice::Triangular => 0.75f64.sqrt(),
                };
                picture.cells.iter().map(|&(row, place)| (place as f64 / 2.0, row as f64 * height)).collect()
            }
            None => circle(board.holes()),
        };
        let least = |of: fn(&Point) -> f64| points.iter().map(of).fold(f64::INFINITY, f64::min);
        let (left, top) = (least(|point| point.0), least(|point| point.1));
        Self { points: points.into_iter().map(|(x, y)| (x - left, y - top)).collect() }
    }

    /// Where a hole is. The leftmost is at x = 0, the topmost at y = 0.
    pub(crate) fn point(&self, hole: Hole) -> Point {
        self.points[hole - 1]
    }

    /// All holes in their order.
    pub(crate) fn points(&self) -> &[Point] {
        &self.points
    }

    /// The largest x and y.
    pub(crate) fn size(&self) -> Point {
        self.points.iter().fold((0.0, 0.0), |(width, height), &(x, y)| (x.max(width), y.max(height)))
    }

    /// The point that draws a jump as a curve of second degree through the three holes: where they are in a line, the hole in
    /// the middle.
    pub(crate) fn control(&self, jump: Jump) -> Point {
        let [from, over, to] = jump.holes().map(|hole| self.point(hole));
        (2.0 * over.0 - (from.0 + to.0) / 2.0, 2.0 * over.1 - (from.1 + to.1) / 2.0)
    }
}

/// Holes on a circle, the first at the top, clockwise.
fn circle(holes: usize) -> Vec<Point> {
    let turn = std::f64::consts::TAU / holes as f64;
    // Room for the curves, which cross the circle.
    let radius = 1.4 / turn.max(0.01);
    (0..holes).map(|hole| (radius * (turn * hole as f64).sin(), -radius * (turn * hole as f64).cos())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::named;

    #[test]
    fn neighbours_are_one_apart_and_in_a_line() {
        for name in ["triangle:6", "english", "hexagon:3", "diamond"] {
            let board = named(name).unwrap().unwrap().board;
            let layout = Layout::of(&board);
            for jump in board.jumps() {
                let [from, over, to] = jump.holes().map(|hole| layout.point(hole));
                assert!(((from.0 - over.0).hypot(from.1 - over.1) - 1.0).abs() < 1e-9, "{name}");
                assert!(((from.0 - to.0).hypot(from.1 - to.1) - 2.0).abs() < 1e-9, "{name}");
                let control = layout.control(jump);
                assert!((control.0 - over.0).hypot(control.1 - over.1) < 1e-9, "{name}");
            }
            assert!(layout.points().iter().all(|&(x, y)| x >= 0.0 && y >= 0.0));
        }
        assert_eq!(Layout::of(&named("english").unwrap().unwrap().board).size(), (6.0, 6.0));
    }

    #[test]
    fn triples_of_a_known_board_get_its_picture() {
        let triangle = named("triangle-10").unwrap().unwrap().board;
        let mut triples = triangle.triples().to_vec();
        triples.reverse();
        let layout = Layout::of(&Board::new("file", 10, &triples));
        assert_eq!(layout.points(), Layout::of(&triangle).points());
        // A board that nobody knows: no two holes at the same place.
        for holes in [1, 2, 7, 100] {
            let points = Layout::of(&Board::new("", holes, &[])).points().to_vec();
            for (index, a) in points.iter().enumerate() {
                assert!(points[..index].iter().all(|b| (a.0 - b.0).hypot(a.1 - b.1) > 0.85));
            }
        }
    }
}
