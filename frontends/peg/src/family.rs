//! Families of boards by name: `triangle:N`, `diamond:N`, `hexagon:N`, `rectangle:RxC`, and diagonal variants.

use crate::{Board, Hole, Lattice, MAX_HOLES, Picture, Position, Setup, builtin};
use putnam_api::Error;

/// The names of the families, for messages and help.
pub const FAMILIES: &[(&str, &str)] = &[
    ("triangle:N", "a triangle of side N, vacancy at the top"),
    ("diamond:N", "a square on its corner, of side N, vacancy in the centre"),
    ("hexagon:N", "a hexagon of side N, vacancy in the centre"),
    ("rectangle:RxC", "a rectangle of R rows and C columns, vacancy in the first corner"),
    ("NAME+diagonal", "a board on a square lattice with diagonal jumps besides"),
];

/// The board with this name: a built-in, a member of a family, or either with `+diagonal`. None when the name is of no
/// such kind.
///
/// # Errors
/// [`Error::Input`] for a member that does not exist, such as a triangle of side 0, and for diagonal jumps where they mean
/// nothing.
pub fn named(name: &str) -> Option<Result<Setup, Error>> {
    if let Some(base) = name.strip_suffix("+diagonal") {
        return named(base).map(|setup| diagonal(name, setup?));
    }
    if let Some(builtin) = builtin(name) {
        return Some(Ok(builtin.setup()));
    }
    let (family, size) = name.split_once(':')?;
    let (cells, vacant) = match family {
        "triangle" => triangle as fn(usize) -> _,
        "diamond" => diamond,
        "hexagon" => hexagon,
        "rectangle" => return Some(rectangle(name, size)),
        _ => return None,
    }(match number(name, size) {
        Ok(side) => side,
        Err(error) => return Some(Err(error)),
    });
    let lattice = if family == "diamond" { Lattice::Square } else { Lattice::Triangular };
    Some(setup(name, Picture { lattice, cells }, vacant))
}

/// The holes of a member with the hole that is empty at the start.
type Shape = (Vec<(usize, usize)>, Hole);

/// A positive number that can be the side of a board.
fn number(name: &str, text: &str) -> Result<usize, Error> {
    match text.parse::<usize>() {
        Ok(side @ 1..=MAX_HOLES) if text.bytes().all(|c| c.is_ascii_digit()) => Ok(side),
        _ => Err(Error::input(name, format!("`{text}` is not the size of a board"))),
    }
}

fn setup(name: &str, picture: Picture, vacant: Hole) -> Result<Setup, Error> {
    let holes = picture.cells.len();
    if holes > MAX_HOLES {
        return Err(Error::input(name, format!("too large: a board has at most {MAX_HOLES} holes")));
    }
    let board = Board::from_picture(name, picture, false);
    Ok(Setup { board, start: Position::vacancy(holes, vacant), warnings: Vec::new() })
}

fn diagonal(name: &str, setup: Setup) -> Result<Setup, Error> {
    match setup.board.picture() {
        Some(picture) if picture.lattice == Lattice::Square => {
            Ok(Setup { board: Board::from_picture(name, picture.clone(), true), ..setup })
        }
        _ => Err(Error::input(name, "diagonal jumps need a board on a square lattice")),
    }
}

/// Rows of holes two places apart, each given by its length and where it begins.
fn rows(rows: impl Iterator<Item = (usize, usize)>) -> Vec<(usize, usize)> {
    let cells = rows.enumerate().flat_map(|(row, (length, first))| (0..length).map(move |i| (row, first + 2 * i)));
    // One more than a board may have is enough to refuse it.
    cells.take(MAX_HOLES + 1).collect()
}

fn triangle(side: usize) -> Shape {
    (rows((0..side).map(|row| (row + 1, side - 1 - row))), 1)
}

fn diamond(side: usize) -> Shape {
    let rows = rows((0..2 * side - 1).map(|row| {
        let aside = row.abs_diff(side - 1);
        (2 * (side - aside) - 1, 2 * aside)
    }));
    let centre = rows.len() / 2 + 1;
    (rows, centre)
}

fn hexagon(side: usize) -> Shape {
    let rows = rows((0..2 * side - 1).map(|row| {
        let aside = row.abs_diff(side - 1);
        (2 * side - 1 - aside, aside)
    }));
    let centre = rows.len() / 2 + 1;
    (rows, centre)
}

fn rectangle(name: &str, size: &str) -> Result<Setup, Error> {
    let Some((height, width)) = size.split_once('x') else {
        return Err(Error::input(name, "the size of a rectangle is rows and columns, as in `rectangle:5x6`"));
    };
    let (height, width) = (number(name, height)?, number(name, width)?);
    let cells = rows((0..height).map(|_| (width, 0)));
    setup(name, Picture { lattice: Lattice::Square, cells }, 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(name: &str) -> String {
        named(name).unwrap().unwrap_err().to_string()
    }

    #[test]
    fn families_agree_with_the_built_in_boards() {
        for (family, name) in [
            ("triangle:4", "triangle-10"),
            ("triangle:5", "triangle-15"),
            ("diamond:5", "diamond-41"),
            ("rectangle:6x6", "square-6x6"),
        ] {
            let (family, builtin) = (named(family).unwrap().unwrap(), builtin(name).unwrap().setup());
            assert_eq!(family.board.picture(), builtin.board.picture());
            assert!(family.board.same_jumps(&builtin.board));
            assert_eq!(family.start, builtin.start);
        }
    }

    #[test]
    fn hexagons_and_rectangles() {
        let hexagon = named("hexagon:3").unwrap().unwrap();
        assert_eq!(hexagon.board.draw(&hexagon.start), "  o o o\n o o o o\no o . o o\n o o o o\n  o o o\n");
        assert_eq!(hexagon.board.jumps().len(), 3 * 2 * (1 + 2 + 3 + 2 + 1));
        let rectangle = named("rectangle:2x3").unwrap().unwrap();
        assert_eq!(rectangle.board.draw(&rectangle.start), ". o o\no o o\n");
        for name in ["triangle:1", "diamond:1", "hexagon:1", "rectangle:1x1"] {
            assert_eq!(named(name).unwrap().unwrap().board.holes(), 1);
        }
    }

    #[test]
    fn diagonal_jumps() {
        let triples = |name: &str| named(name).unwrap().unwrap().board.triples().to_vec();
        assert_eq!(triples("rectangle:3x3+diagonal").len(), 3 + 3 + 2);
        assert!(triples("rectangle:3x3+diagonal").contains(&[3, 5, 7]));
        assert_eq!(triples("english").len(), 38);
        assert!(triples("english+diagonal").len() > 38);
        assert_eq!(
            message("triangle:5+diagonal"),
            "triangle:5+diagonal: diagonal jumps need a board on a square lattice"
        );
    }

    #[test]
    fn members_that_do_not_exist() {
        assert_eq!(message("triangle:0"), "triangle:0: `0` is not the size of a board");
        assert_eq!(message("triangle:+3"), "triangle:+3: `+3` is not the size of a board");
        assert!(message("triangle:45").contains("at most 1000 holes"));
        assert!(message("diamond:999").contains("at most 1000 holes"));
        assert!(message("rectangle:5").contains("as in `rectangle:5x6`"));
        assert!(message("rectangle:5x").contains("`` is not the size"));
        assert!(named("pentagon:5").is_none());
        assert!(named("triangle").is_none());
    }
}
