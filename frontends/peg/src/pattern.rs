//! What a user writes for holes, for a start and for a goal: lists of holes, maps, and words.

use crate::{Board, Goal, Hole, Position, load};
use putnam_api::Error;
use std::collections::BTreeSet;

/// The holes that a list such as `1,3-5` means, ascending. `option` is what the user wrote before it, for messages.
///
/// # Errors
/// [`Error::Input`] for what is no list, and for a hole that the board does not have.
pub fn hole_list(option: &str, list: &str, holes: Hole) -> Result<Vec<Hole>, Error> {
    let wrong = |message: String| Error::input(format!("{option} {list}"), message);
    let hole = |text: &str| match text.trim().parse::<Hole>() {
        Ok(hole) if (1..=holes).contains(&hole) => Ok(hole),
        Err(_) if text.is_empty() || !text.trim().bytes().all(|c| c.is_ascii_digit()) => {
            Err(wrong("holes are numbers and ranges such as 1,3-5".into()))
        }
        _ => Err(wrong(format!("the holes of this board are 1 to {holes}"))),
    };
    let mut found = BTreeSet::new();
    for item in list.split(',') {
        let (first, last) = item.split_once('-').unwrap_or((item, item));
        let (first, last) = (hole(first)?, hole(last)?);
        if first > last {
            return Err(wrong(format!("the range {first}-{last} is empty")));
        }
        found.extend(first..=last);
    }
    Ok(found.into_iter().collect())
}

/// A position as a user writes it: a list of holes, `pegs:LIST`, `empty:LIST`, or a file with a map of the board. `listed` says
/// whether the holes of a list alone have pegs.
fn position(option: &str, text: &str, board: &Board, listed: bool) -> Result<Position, Error> {
    let holes = board.holes();
    let (list, listed) = match text.split_once(':') {
        Some(("pegs", list)) => (Some(list), true),
        Some(("empty", list)) => (Some(list), false),
        _ => (text.bytes().all(|c| c.is_ascii_digit() || b",- ".contains(&c)).then_some(text), listed),
    };
    if let Some(list) = list {
        let pegs = Position::of(holes, &hole_list(option, list, holes)?);
        return Ok(if listed { pegs } else { pegs.complement() });
    }
    if text != "-" && !std::path::Path::new(text).exists() && crate::named(text).is_none() {
        let message = "neither holes (such as 5 or 1,3-5), nor pegs:LIST, empty:LIST or a file with a map of the board";
        return Err(Error::input(format!("{option} {text}"), message));
    }
    let setup = load(text)?;
    let same = match (setup.board.picture(), board.picture()) {
        (Some(one), Some(other)) => one == other,
        _ => setup.board.same_jumps(board),
    };
    if same {
        return Ok(setup.start);
    }
    Err(Error::input(format!("{option} {text}"), format!("this is not a map of the board {}", board.name())))
}

/// The start that a user writes. Holes alone are those that are empty.
///
/// # Errors
/// [`Error::Input`] for what means nothing, and as for every input of a file.
pub(crate) fn start(text: &str, board: &Board) -> Result<Position, Error> {
    position("--start", text, board, false)
}

/// The goal that a user writes, but `same`. Holes alone are those that have a peg.
///
/// # Errors
/// [`Error::Input`] for what means nothing, and as for every input of a file.
pub(crate) fn goal(text: &str, board: &Board) -> Result<Goal, Error> {
    let count = |count: &str| match count.parse::<usize>() {
        Ok(count) if count <= board.holes() => Ok(count),
        _ => {
            let message = format!("a number of pegs from 0 to {} is missing behind the colon", board.holes());
            Err(Error::input(format!("--finish {text}"), message))
        }
    };
    match text.split_once(':') {
        Some(("count", number)) => return count(number).map(Goal::Pegs),
        Some(("dead-end", number)) => return count(number).map(Goal::DeadEnd),
        None if text == "any" => return Ok(Goal::OnePeg),
        None if text == "fewest" => return Ok(Goal::FewestPegs),
        None if text == "dead-end" => return Ok(Goal::ShortestDeadEnd),
        _ => {}
    }
    let pattern = position("--finish", text, board, true)?;
    let mut pegs = pattern.pegs();
    match (pegs.next(), pegs.next()) {
        (Some(hole), None) => Ok(Goal::PegIn(hole)),
        _ => Ok(Goal::Pattern(pattern.clone())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::named;

    fn board(name: &str) -> Board {
        named(name).unwrap().unwrap().board
    }

    #[test]
    fn lists_of_holes() {
        assert_eq!(hole_list("--starts", "5, 1,3-4,4", 6).unwrap(), [1, 3, 4, 5]);
        for bad in ["", "0", "7", "x", "3-", "4-3", "1,,2", "-1", "1-99999999999999999999999"] {
            let error = hole_list("--starts", bad, 6).unwrap_err().to_string();
            assert!(error.starts_with(&format!("--starts {bad}: ")), "{error}");
        }
    }

    #[test]
    fn starts_are_lists_of_empty_holes_or_of_pegs_or_maps() {
        let board = board("triangle:4");
        let pegs = |text: &str| start(text, &board).unwrap().pegs().collect::<Vec<_>>();
        assert_eq!(pegs("2"), [1, 3, 4, 5, 6, 7, 8, 9, 10]);
        assert_eq!(pegs("2,4-9"), [1, 3, 10]);
        assert_eq!(pegs("empty:2,4-9"), [1, 3, 10]);
        assert_eq!(pegs("pegs:1,3"), [1, 3]);
        // A board of the same shape is a map of it.
        assert_eq!(pegs("triangle:4"), [2, 3, 4, 5, 6, 7, 8, 9, 10]);
        for (bad, message) in [
            ("11", "the holes of this board are 1 to 10"),
            ("pegs:11", "the holes of this board are 1 to 10"),
            ("pegs:", "holes are numbers and ranges such as 1,3-5"),
            ("english", "this is not a map of the board triangle:4"),
            ("some", "neither holes (such as 5 or 1,3-5)"),
        ] {
            let error = start(bad, &board).unwrap_err().to_string();
            assert!(error.starts_with("--start ") && error.contains(message), "{error}");
        }
    }

    #[test]
    fn goals_are_holes_with_pegs_and_words() {
        let board = board("triangle:4");
        let goal = |text: &str| goal(text, &board).unwrap();
        assert_eq!(goal("3"), Goal::PegIn(3));
        assert_eq!(goal("pegs:3"), Goal::PegIn(3));
        assert_eq!(goal("3,5"), Goal::Pattern(Position::of(10, &[3, 5])));
        assert_eq!(goal("empty:2-10"), Goal::PegIn(1));
        assert_eq!(goal("triangle:4"), Goal::Pattern(Position::vacancy(10, 1)));
        assert_eq!(goal("any"), Goal::OnePeg);
        assert_eq!(goal("fewest"), Goal::FewestPegs);
        assert_eq!(goal("dead-end"), Goal::ShortestDeadEnd);
        assert_eq!((goal("count:3"), goal("dead-end:0")), (Goal::Pegs(3), Goal::DeadEnd(0)));
        for bad in ["count:", "count:11", "dead-end:x", "11", "nothing"] {
            assert!(super::goal(bad, &board).unwrap_err().to_string().starts_with(&format!("--finish {bad}: ")));
        }
    }
}
