//! Readers of boards: the assignment's front-end input and maps.
//!
//! Which of them a text is, its content tells: the first is numbers only. What every reader takes: lines that end with LF
//! or CR LF, blanks at the end of a line, blank lines around the board, a last line without line end.

use crate::{Board, Hole, Lattice, MAX_HOLES, Picture, Position};
use nom::bytes::complete::{is_a, is_not};
use nom::character::complete::space0;
use nom::combinator::consumed;
use nom::multi::many0;
use nom::sequence::preceded;
use nom::{IResult, Parser};
use putnam_api::Error;

/// What a board's text says: the board, the start, and what is odd about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setup {
    /// The board.
    pub board: Board,
    /// Where pegs are at the start.
    pub start: Position,
    /// What the user should know, one line each.
    pub warnings: Vec<String>,
}

/// Reads a board from text. `name` is the path that errors name and the board's name.
///
/// The **assignment's input** is a line `N E` (the number of holes, the hole that is empty at the start), then the triples
/// of holes in a row, `A B C` a line, in any order. A triple that was there already, in the same or the reverse order, adds
/// nothing; that is a warning. A hole may be in no triple.
///
/// A **map** is a picture in characters; holes are numbered from 1, row by row. `o` or `x` is a peg, `.` a hole without
/// peg, a blank or `#` no hole. In a map that has both `x` and `o`, `x` is a peg, `o` a hole without peg and `.` no hole; there
/// a `.` between holes that stand side by side in other places is an error, for it looks like the other style.
/// Where holes of a row stand side by side, or one blank apart and exactly below each other, neighbours are left, right,
/// above and below. Where they are one blank apart and each row is one column aside from the one above, it is a triangular
/// lattice.
///
/// # Errors
/// [`Error::Parse`] with the place of what cannot be read.
pub fn read(text: &str, name: &str) -> Result<Setup, Error> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let lines = Lines { name, lines: text.lines().map(|line| line.strip_suffix('\r').unwrap_or(line)).collect() };
    let first = text.chars().find(|c| !c.is_whitespace());
    match first {
        None => Err(lines.error(1, 1, "there is no board here: neither a line `N E` with triples nor a map")),
        Some(c) if c.is_ascii_digit() || c == '-' || c == '+' => read_triples(&lines),
        Some(_) => read_map(&lines),
    }
}

struct Lines<'a> {
    name: &'a str,
    lines: Vec<&'a str>,
}

impl<'a> Lines<'a> {
    /// The lines that are not blank, with their numbers.
    fn filled(&self) -> impl Iterator<Item = (usize, &'a str)> + '_ {
        self.lines.iter().enumerate().filter(|(_, line)| !line.trim().is_empty()).map(|(i, line)| (i + 1, *line))
    }

    /// An error at a line and column, both counted from 1.
    fn error(&self, line: usize, column: usize, message: impl Into<String>) -> Error {
        Error::Parse {
            path: self.name.into(),
            line,
            column,
            message: message.into(),
            text: self.lines.get(line - 1).copied().unwrap_or_default().into(),
        }
    }
}

/// A word of a line and the column where it begins.
struct Word<'a> {
    column: usize,
    text: &'a str,
}

/// The words of a line, which blanks divide.
fn words(line: &str) -> Vec<Word<'_>> {
    let word = consumed(preceded(space0, is_not(" \t")));
    let parsed: IResult<&str, Vec<(&str, &str)>> = many0(word).parse(line);
    let mut column = 1;
    let mut words = Vec::new();
    for (whole, text) in parsed.map(|(_, words)| words).unwrap_or_default() {
        let blanks = whole.len() - text.len();
        words.push(Word { column: column + blanks, text });
        column += blanks + text.chars().count();
    }
    words
}

fn number(lines: &Lines<'_>, line: usize, word: &Word<'_>) -> Result<usize, Error> {
    let digits: IResult<&str, &str> = is_a("0123456789").parse(word.text);
    match digits {
        // A number too long for the type is certainly too large for a board.
        Ok(("", digits)) => Ok(digits.parse().unwrap_or(usize::MAX)),
        _ => Err(lines.error(line, word.column, format!("expected the number of a hole, not `{}`", word.text))),
    }
}

fn read_triples(lines: &Lines<'_>) -> Result<Setup, Error> {
    let mut filled = lines.filled();
    let (line, text) = filled.next().expect("the text is not blank");
    let header = words(text);
    let [holes_word, vacant_word] = header.as_slice() else {
        let column = header.get(2).map_or(header[0].column, |word| word.column);
        let message = "the first line is `N E`: the number of holes and the hole that is empty at the start";
        return Err(lines.error(line, column, message));
    };
    let holes = number(lines, line, holes_word)?;
    if !(1..=MAX_HOLES).contains(&holes) {
        return Err(lines.error(line, holes_word.column, format!("a board has 1 to {MAX_HOLES} holes")));
    }
    let hole = |line: usize, word: &Word<'_>| -> Result<Hole, Error> {
        let hole = number(lines, line, word)?;
        if (1..=holes).contains(&hole) {
            return Ok(hole);
        }
        let message = format!("hole {} is not on the board, whose holes are 1 to {holes}", word.text);
        Err(lines.error(line, word.column, message))
    };
    let vacant = hole(line, vacant_word)?;
    let mut triples: Vec<[Hole; 3]> = Vec::new();
    let mut first_at = std::collections::HashMap::new();
    let mut warnings = Vec::new();
    for (line, text) in filled {
        let words = words(text);
        let [a, b, c] = words.as_slice() else {
            let column = words.get(3).map_or(text.trim_end().chars().count() + 1, |word| word.column);
            let message = format!("a triple is three holes `A B C`, here are {}", words.len());
            return Err(lines.error(line, column, message));
        };
        let triple = [hole(line, a)?, hole(line, b)?, hole(line, c)?];
        for (word, hole, before) in [(b, triple[1], &triple[..1]), (c, triple[2], &triple[..2])] {
            if before.contains(&hole) {
                let message = format!("hole {hole} stands twice in this triple");
                return Err(lines.error(line, word.column, message));
            }
        }
        let [a, b, c] = triple;
        match first_at.entry((a.min(c), b, a.max(c))) {
            std::collections::hash_map::Entry::Occupied(entry) => warnings.push(format!(
                "{}:{line}: the triple {a} {b} {c} is that of line {} and adds nothing",
                lines.name,
                entry.get()
            )),
            std::collections::hash_map::Entry::Vacant(entry) => {
                entry.insert(line);
                triples.push(triple);
            }
        }
    }
    let board = Board::new(lines.name, holes, &triples);
    Ok(Setup { board, start: Position::vacancy(holes, vacant), warnings })
}

/// What a character of a map means.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Cell {
    Peg,
    Vacant,
    Nothing,
}

/// The meaning of the characters of a map.
fn meaning(c: char, both_letters: bool) -> Option<Cell> {
    match c {
        'x' | 'X' => Some(Cell::Peg),
        'o' | 'O' => Some(if both_letters { Cell::Vacant } else { Cell::Peg }),
        '.' => Some(if both_letters { Cell::Nothing } else { Cell::Vacant }),
        ' ' | '#' => Some(Cell::Nothing),
        _ => None,
    }
}

fn read_map(lines: &Lines<'_>) -> Result<Setup, Error> {
    let has = |letters: [char; 2]| lines.lines.iter().any(|line| line.contains(letters));
    let both_letters = has(['x', 'X']) && has(['o', 'O']);
    // Line number, column and peg of every hole.
    let mut holes: Vec<(usize, usize, bool)> = Vec::new();
    for (line, text) in lines.filled() {
        for (index, c) in text.trim_end().chars().enumerate() {
            let Some(cell) = meaning(c, both_letters) else {
                let message = if c == '\t' {
                    "a tab has no width of its own in a map: use blanks".to_string()
                } else {
                    format!(
                        "`{c}` has no place in a map: `o` or `x` is a peg, `.` a hole without peg, a blank or `#` no hole"
                    )
                };
                return Err(lines.error(line, index + 1, message));
            };
            if cell != Cell::Nothing {
                holes.push((line, index + 1, cell == Cell::Peg));
            }
        }
    }
    let Some(&(first_line, ..)) = holes.first() else {
        let line = lines.filled().next().map_or(1, |(line, _)| line);
        return Err(lines.error(line, 1, "this map has no hole"));
    };
    if holes.len() > MAX_HOLES {
        let (line, column, _) = holes[MAX_HOLES];
        return Err(lines.error(line, column, format!("a board has at most {MAX_HOLES} holes")));
    }
    if both_letters {
        refuse_two_styles(lines, &holes)?;
    }
    let (lattice, stretch) = lattice(lines, &holes)?;
    let left = holes.iter().map(|&(_, column, _)| column).min().unwrap_or(1);
    let cells = holes.iter().map(|&(line, column, _)| (line - first_line, (column - left) * stretch)).collect();
    let mut start = Position::empty(holes.len());
    for (index, &(.., peg)) in holes.iter().enumerate() {
        start.set(index + 1, peg);
    }
    let board = Board::from_picture(lines.name, Picture { lattice, cells }, false);
    Ok(Setup { board, start, warnings: Vec::new() })
}

/// Whether holes of a row stand side by side somewhere.
fn is_narrow(holes: &[(usize, usize, bool)]) -> bool {
    holes.windows(2).any(|pair| pair[0].0 == pair[1].0 && pair[0].1 + 1 == pair[1].1)
}

/// With both letters, `.` is no hole. Where it stands between the holes of a row, in a map whose holes stand side by side, it
/// was more likely meant as a hole without peg, as in maps with one letter.
fn refuse_two_styles(lines: &Lines<'_>, holes: &[(usize, usize, bool)]) -> Result<(), Error> {
    let gap = holes.windows(2).filter(|pair| pair[0].0 == pair[1].0).find_map(|pair| {
        let between = lines.lines[pair[0].0 - 1].chars().enumerate().skip(pair[0].1).take(pair[1].1 - pair[0].1 - 1);
        between.into_iter().find(|(_, c)| *c == '.').map(|(index, _)| (pair[0].0, index + 1))
    });
    match gap.filter(|_| is_narrow(holes)) {
        Some((line, column)) => {
            let message = "this map mixes two styles: with `x` and `o` (peg and no peg) a `.` is no hole, with one letter a hole \
                           without peg; write `#` for no hole between holes";
            Err(lines.error(line, column, message))
        }
        None => Ok(()),
    }
}

/// The lattice of a map, and how many places a column is.
fn lattice(lines: &Lines<'_>, holes: &[(usize, usize, bool)]) -> Result<(Lattice, usize), Error> {
    if is_narrow(holes) {
        return Ok((Lattice::Square, 2));
    }
    let (first_line, first_column, _) = holes[0];
    let aside = |&(line, column, _): &(usize, usize, bool)| (line - first_line, column.abs_diff(first_column));
    if holes.iter().map(aside).all(|(_, across)| across % 2 == 0) {
        return Ok((Lattice::Square, 1));
    }
    match holes.iter().find(|hole| (aside(hole).0 + aside(hole).1) % 2 == 1) {
        None => Ok((Lattice::Triangular, 1)),
        Some(&(line, column, _)) => {
            let message = "this hole fits neither a square lattice (below the others) nor a triangular one (one column aside in each row)";
            Err(lines.error(line, column, message))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(text: &str) -> String {
        let error = read(text, "board").unwrap_err().to_string();
        error.lines().next().unwrap().to_string()
    }

    #[test]
    fn the_assignments_input_in_all_its_shapes() {
        let setup = read("4 3 \r\n\n3 4 1\t\r\n  1 2 3 ", "b").unwrap();
        assert_eq!(setup.board.triples(), [[3, 4, 1], [1, 2, 3]]);
        assert_eq!(setup.start, Position::vacancy(4, 3));
        assert!(setup.warnings.is_empty() && setup.board.picture().is_none());
        let lonely = read("1 1", "b").unwrap();
        assert_eq!((lonely.board.holes(), lonely.start.count()), (1, 0));
    }

    #[test]
    fn repeated_triples_are_merged_with_a_warning() {
        let setup = read("3 3\n1 2 3\n3 2 1\n", "b").unwrap();
        assert_eq!(setup.board.triples(), [[1, 2, 3]]);
        assert_eq!(setup.warnings, ["b:3: the triple 3 2 1 is that of line 2 and adds nothing"]);
    }

    #[test]
    fn errors_name_the_place() {
        for (text, expected) in [
            ("", "board:1:1: there is no board here: neither a line `N E` with triples nor a map"),
            ("3\n", "board:1:1: the first line is `N E`: the number of holes and the hole that is empty at the start"),
            (
                "3 1 2\n",
                "board:1:5: the first line is `N E`: the number of holes and the hole that is empty at the start",
            ),
            ("0 0\n", "board:1:1: a board has 1 to 1000 holes"),
            ("99999999999999999999999 1", "board:1:1: a board has 1 to 1000 holes"),
            ("3 4\n", "board:1:3: hole 4 is not on the board, whose holes are 1 to 3"),
            ("3 0\n", "board:1:3: hole 0 is not on the board, whose holes are 1 to 3"),
            ("3 3\n1 2 4\n", "board:2:5: hole 4 is not on the board, whose holes are 1 to 3"),
            ("3 3\n\n1 2 2\n", "board:3:5: hole 2 stands twice in this triple"),
            ("3 3\n1 1 2\n", "board:2:3: hole 1 stands twice in this triple"),
            ("3 3\n1 2\n", "board:2:4: a triple is three holes `A B C`, here are 2"),
            ("4 3\n1 2 3 4\n", "board:2:7: a triple is three holes `A B C`, here are 4"),
            ("3 3\n1 b 3\n", "board:2:3: expected the number of a hole, not `b`"),
            ("3 -1\n", "board:1:3: expected the number of a hole, not `-1`"),
            ("##\n", "board:1:1: this map has no hole"),
            (
                "ooo\no?o\n",
                "board:2:2: `?` has no place in a map: `o` or `x` is a peg, `.` a hole without peg, a blank or `#` no hole",
            ),
            (
                "ooo\nxx.o\n",
                "board:2:3: this map mixes two styles: with `x` and `o` (peg and no peg) a `.` is no hole, with one letter a hole \
                 without peg; write `#` for no hole between holes",
            ),
            ("o\to\n", "board:1:2: a tab has no width of its own in a map: use blanks"),
        ] {
            assert_eq!(message(text), expected);
        }
        assert!(message("  o\n o o\no o o\n  o\n o o\no o o\n").starts_with("board:4:3: this hole fits neither"));
    }

    #[test]
    fn square_maps_narrow_and_wide_and_in_both_alphabets() {
        let narrow = read("\n ooo\n o.o#\nooo\n", "b").unwrap();
        assert_eq!(narrow.board.triples(), [[1, 2, 3], [1, 4, 8], [2, 5, 9], [4, 5, 6], [7, 8, 9]]);
        assert_eq!(narrow.start.single_vacancy(), Some(5));
        for same in ["  o o o\n  o . o\no o o", ".xxx\n.xox\nxxx.", "#xxx\n#x.x\nxxx"] {
            let other = read(same, "b").unwrap();
            assert_eq!((&other.board, &other.start), (&narrow.board, &narrow.start), "{same}");
        }
        assert_eq!(narrow.board.draw(&narrow.start), "  o o o\n  o . o\no o o\n");
    }

    #[test]
    fn triangular_maps() {
        let text = "  .\n o o\no o o\n";
        let setup = read(text, "b").unwrap();
        assert_eq!(setup.board.triples(), [[1, 2, 4], [1, 3, 6], [4, 5, 6]]);
        assert_eq!(setup.board.draw(&setup.start), text);
        for filled in ["#x#o\nx#x#x", ".x.o\nx.x.x", ".x.o.\nx.x.x"] {
            assert_eq!(read(filled, "b").unwrap().board.triples(), [[3, 4, 5]]);
        }
    }
}
