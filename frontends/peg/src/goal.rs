//! Goals: where the pegs are to be at the end.

use crate::{Board, Hole, Position};

/// Where the pegs are to be at the end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Goal {
    /// One peg, in any hole.
    OnePeg,
    /// One peg, in this hole.
    PegIn(Hole),
    /// Pegs in exactly these holes.
    Pattern(Position),
    /// So many pegs, in any holes.
    Pegs(usize),
    /// So many pegs, none of which can jump.
    DeadEnd(usize),
    /// As few pegs as possible. It is answered by a plan for [`Goal::Pegs`] and a proof that fewer cannot be left.
    FewestPegs,
    /// No jump possible, after as few jumps as possible. It is answered by a plan for [`Goal::DeadEnd`] and a proof that
    /// no dead end has more pegs.
    ShortestDeadEnd,
}

impl Goal {
    /// The number of pegs at the end; the least that can be for goals that leave it open.
    pub fn pegs(&self) -> usize {
        match self {
            Self::OnePeg | Self::PegIn(_) => 1,
            Self::Pattern(position) => position.count(),
            Self::Pegs(pegs) | Self::DeadEnd(pegs) => *pegs,
            Self::FewestPegs | Self::ShortestDeadEnd => 0,
        }
    }

    /// Whether the goal leaves the number of pegs open, so that it asks for the best and not for a yes or no.
    pub fn is_open(&self) -> bool {
        matches!(self, Self::FewestPegs | Self::ShortestDeadEnd)
    }

    /// The positions that are the goal, on a board of `holes` holes, where they are few: not for goals that say how many pegs
    /// there are and not where.
    pub fn ends(&self, holes: usize) -> Option<Vec<Position>> {
        match self {
            Self::OnePeg => Some((1..=holes).map(|hole| Position::of(holes, &[hole])).collect()),
            Self::PegIn(hole) => Some(vec![Position::of(holes, &[*hole])]),
            Self::Pattern(pattern) => Some(vec![pattern.clone()]),
            Self::Pegs(_) | Self::DeadEnd(_) | Self::FewestPegs | Self::ShortestDeadEnd => None,
        }
    }

    /// Whether the position is as the goal wants it. What an open goal wants of a position alone: any number of pegs, or no
    /// jump.
    pub fn reached(&self, board: &Board, position: &Position) -> bool {
        let stuck = || !board.jumps().into_iter().any(|jump| position.allows(jump));
        match self {
            Self::OnePeg => position.count() == 1,
            Self::PegIn(hole) => position.count() == 1 && position.has(*hole),
            Self::Pattern(pattern) => position == pattern,
            Self::Pegs(pegs) => position.count() == *pegs,
            Self::DeadEnd(pegs) => position.count() == *pegs && stuck(),
            Self::FewestPegs => true,
            Self::ShortestDeadEnd => stuck(),
        }
    }

    /// The goal in words.
    pub fn in_words(&self) -> String {
        match self {
            Self::OnePeg => "one peg in any hole".into(),
            Self::PegIn(hole) => format!("one peg in hole {hole}"),
            Self::Pattern(pattern) => format!("pegs in holes {pattern:?}"),
            Self::Pegs(pegs) => format!("{} in any holes", count_of(*pegs, "peg")),
            Self::DeadEnd(pegs) => format!("{} of which none can jump", count_of(*pegs, "peg")),
            Self::FewestPegs => "as few pegs as possible".into(),
            Self::ShortestDeadEnd => "no jump possible, after as few jumps as possible".into(),
        }
    }
}

/// `1 peg`, `2 pegs`.
pub(crate) fn count_of(count: usize, what: &str) -> String {
    if count == 1 { format!("1 {what}") } else { format!("{count} {what}s") }
}
