//! All starts with all finishes of a board: which of these problems are the same, so that one is solved for many.
//!
//! A symmetry of the board maps plans to plans. Besides, every plan can be read backwards: its jumps in reverse order, each
//! over the same holes in the same direction, lead from the complement of the end to the complement of the start (Beasley, The
//! Ins and Outs of Peg Solitaire, 1985). So the vacancy A with the last peg in B is the vacancy B with the last peg in A.

use crate::{Board, Goal, Hole, Problem, Row, Symmetries, Symmetry, Verdict};
use putnam_api::{Error, Solution as _};
use std::collections::HashMap;
use std::time::Duration;

/// The hole that is empty at the start, and the hole of the last peg.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Pair {
    /// Empty at the start.
    pub start: Hole,
    /// Where the last peg is.
    pub finish: Hole,
}

/// How a plan for one pair becomes one for another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Image {
    symmetry: Symmetry,
    backwards: bool,
}

/// For each pair the first of `pairs` that is the same problem, by index, with how it becomes this one.
///
/// # Panics
/// If a pair has a hole that the board has not.
pub fn same_pairs(board: &Board, pairs: &[Pair]) -> Vec<(usize, Image)> {
    let mut classes = Classes::new(board);
    let mut first: HashMap<Pair, (usize, Image)> = HashMap::new();
    let mut found = Vec::new();
    for (index, &pair) in pairs.iter().enumerate() {
        let (class, image) = classes.class(pair);
        let (first, base) = first.entry(class).or_insert_with(|| (index, image.clone()));
        // From the first pair back to the representative of the class, and from there to this pair.
        let symmetry = base.symmetry.inverse().then(&image.symmetry);
        found.push((*first, Image { symmetry, backwards: base.backwards != image.backwards }));
    }
    found
}

/// Representatives of pairs.
struct Classes<'a> {
    symmetries: Symmetries<'a>,
    holes: Vec<Hole>,
    /// By start: its representative, by index, and the symmetry from there.
    starts: Vec<(usize, Symmetry)>,
    /// By representative of a start: the same for the finishes, under the symmetries that keep the start.
    finishes: HashMap<Hole, Vec<(usize, Symmetry)>>,
}

impl<'a> Classes<'a> {
    fn new(board: &'a Board) -> Self {
        let symmetries = Symmetries::new(board);
        let holes: Vec<Hole> = (1..=board.holes()).collect();
        let starts = symmetries.representatives(&holes, |&start| vec![start]);
        Self { symmetries, holes, starts, finishes: HashMap::new() }
    }

    /// A pair's class, which is named by one of its pairs, and how that becomes this one.
    fn class(&mut self, pair: Pair) -> (Pair, Image) {
        let (forwards, symmetry) = self.representative(pair);
        let (back, back_symmetry) = self.representative(Pair { start: pair.finish, finish: pair.start });
        if forwards <= back {
            (forwards, Image { symmetry, backwards: false })
        } else {
            (back, Image { symmetry: back_symmetry, backwards: true })
        }
    }

    /// The representative of a pair under symmetries alone, and the symmetry from there.
    fn representative(&mut self, pair: Pair) -> (Pair, Symmetry) {
        let (index, to_start) = &self.starts[pair.start - 1];
        let start = self.holes[*index];
        let finish = to_start.inverse().hole(pair.finish);
        let (symmetries, holes) = (&self.symmetries, &self.holes);
        let finishes = self
            .finishes
            .entry(start)
            .or_insert_with(|| symmetries.representatives(holes, |&finish| vec![start, finish]));
        let (index, to_finish) = &finishes[finish - 1];
        (Pair { start, finish: holes[*index] }, to_finish.then(to_start))
    }
}

impl Problem {
    /// The same problem with one peg in `finish` as the goal.
    pub fn with_finish(&self, finish: Hole) -> Self {
        Self { goal: Goal::PegIn(finish), complement: false, fewest: None, ..self.clone() }
    }
}

impl Row {
    /// The row of another start, for which this one stands. `problem` has the goal of the new row.
    ///
    /// # Errors
    /// [`Error::Wrong`] when the plan that comes out cannot be replayed.
    ///
    /// # Panics
    /// If the board has no hole `start`.
    pub fn image(&self, problem: &Problem, start: Hole, image: &Image) -> Result<Row, Error> {
        let verdict = match &self.verdict {
            Verdict::Plan(plan) => {
                let mut jumps: Vec<_> = plan.jumps.iter().map(|&jump| image.symmetry.jump(jump)).collect();
                if image.backwards {
                    jumps.reverse();
                }
                let plan = problem.with_vacancy(start).plan(jumps);
                plan.verify()?;
                Verdict::Plan(plan)
            }
            // A short reason names holes, so that it is found again for the pair itself.
            Verdict::NoPlan(reason) => {
                Verdict::NoPlan(reason.as_ref().and_then(|_| problem.with_vacancy(start).reason()))
            }
            Verdict::Unknown(reason) => Verdict::Unknown(*reason),
        };
        Ok(Row { start, verdict, conflicts: 0, time: Duration::ZERO, same_as: None })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Position, Search, named};
    use std::sync::Arc;

    fn pairs(holes: usize) -> Vec<Pair> {
        (1..=holes).flat_map(|start| (1..=holes).map(move |finish| Pair { start, finish })).collect()
    }

    #[test]
    fn classes_are_as_large_as_can_be() {
        for name in ["triangle:4", "rectangle:3x4", "fano", "rectangle:2x2"] {
            let board = named(name).unwrap().unwrap().board;
            let pairs = pairs(board.holes());
            let symmetries = Symmetries::new(&board);
            let same = same_pairs(&board, &pairs);
            for (index, (first, image)) in same.iter().enumerate() {
                let (from, to) = (pairs[*first], pairs[index]);
                let to = if image.backwards { Pair { start: to.finish, finish: to.start } } else { to };
                assert_eq!([image.symmetry.hole(from.start), image.symmetry.hole(from.finish)], [to.start, to.finish]);
                // No earlier pair is the same as one that stands for itself.
                for other in pairs[..*first].iter() {
                    assert!(symmetries.find(&[(other.start, to.start), (other.finish, to.finish)]).is_none());
                    assert!(symmetries.find(&[(other.start, to.finish), (other.finish, to.start)]).is_none());
                }
            }
        }
    }

    #[test]
    fn a_row_stands_for_its_images() {
        let board = Arc::new(named("triangle:5").unwrap().unwrap().board);
        let problem = Problem::new(Arc::clone(&board), Position::vacancy(15, 1));
        let pairs = pairs(15);
        let same = same_pairs(&board, &pairs);
        let mut rows: Vec<Row> = Vec::new();
        let mut searches = 0;
        for (index, (first, image)) in same.iter().enumerate() {
            let Pair { start, finish } = pairs[index];
            let problem = problem.with_finish(finish);
            let mut search = Search::new(&board, problem.goal.clone()).unwrap();
            let plan = search.plan(&Position::vacancy(15, start));
            if *first == index {
                searches += 1;
                let verdict =
                    plan.map_or(Verdict::NoPlan(None), |jumps| Verdict::Plan(problem.with_vacancy(start).plan(jumps)));
                rows.push(Row { start, verdict, conflicts: 0, time: Duration::ZERO, same_as: None });
            } else {
                let row = rows[*first].image(&problem, start, image).unwrap();
                assert_eq!(row.jumps().is_some(), plan.is_some(), "{:?}", pairs[index]);
                rows.push(row);
            }
        }
        assert!((225 / 12..60).contains(&searches), "{searches}");
    }
}
