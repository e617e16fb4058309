//! All starts of a board, one independent problem each.

use crate::{Goal, Hole, Plan, Position, Problem, Symmetries, Symmetry, Verdict, solve};
use putnam_api::{Error, Solution as _};
use putnam_formula::{Engine, Limits};
use std::time::{Duration, Instant};

/// One row of a batch.
#[derive(Clone, Debug)]
pub struct Row {
    /// The hole that is empty at the start.
    pub start: Hole,
    /// How it came out.
    pub verdict: Verdict,
    /// The conflicts that the engine counted; 0 when it was not asked.
    pub conflicts: u64,
    /// How long it took.
    pub time: Duration,
    /// The start that a symmetry maps to this one, when it was solved in place of this one.
    pub same_as: Option<Hole>,
}

impl Row {
    /// The verdict in one or two words.
    pub fn verdict_word(&self) -> &'static str {
        match self.verdict {
            Verdict::Plan(_) => "solved",
            Verdict::NoPlan(_) => "no solution",
            Verdict::Unknown(_) => "unknown",
        }
    }

    /// The number of jumps of the plan.
    pub fn jumps(&self) -> Option<usize> {
        match &self.verdict {
            Verdict::Plan(plan) => Some(plan.jumps.len()),
            _ => None,
        }
    }
}

/// Solves the problem with the hole `start` empty in place of its own start. Calls do not depend on each other, so that they
/// may run at the same time, each with a new engine.
///
/// # Errors
/// [`Error::Wrong`] when the engine's model is no plan.
///
/// # Panics
/// If the board has no hole `start`.
pub fn solve_start(problem: &Problem, start: Hole, engine: &mut dyn Engine, limits: &Limits) -> Result<Row, Error> {
    let began = Instant::now();
    let problem = problem.with_vacancy(start);
    let verdict = solve(&problem, engine, limits)?;
    let conflicts = engine.statistics().iter().find(|line| line.name == "conflicts").map_or(0, |line| line.count);
    Ok(Row { start, verdict, conflicts, time: began.elapsed(), same_as: None })
}

/// For each start the first of them that a symmetry of the board maps to it, by index; starts of their own map to
/// themselves. A goal that is not the same everywhere is kept in its place.
pub fn same_starts(problem: &Problem, starts: &[Hole]) -> Vec<(usize, Symmetry)> {
    let mut symmetries = Symmetries::new(&problem.board);
    match &problem.goal {
        // The complement of the start goes along with it.
        Goal::Pattern(pattern) if !problem.complement => symmetries = symmetries.keeping(pattern),
        Goal::PegIn(finish) => symmetries = symmetries.keeping(&Position::of(problem.board.holes(), &[*finish])),
        _ => {}
    }
    symmetries.representatives(starts, |&start| vec![start])
}

impl Row {
    /// The row of another start, to which a symmetry maps this one.
    ///
    /// # Errors
    /// [`Error::Wrong`] when the mapped plan cannot be replayed.
    pub fn mapped(&self, problem: &Problem, start: Hole, symmetry: &Symmetry) -> Result<Row, Error> {
        let verdict = match &self.verdict {
            Verdict::Plan(plan) => {
                let jumps = plan.jumps.iter().map(|&jump| symmetry.jump(jump)).collect();
                let problem = problem.with_vacancy(start);
                // An open goal was answered by one that says how many pegs there are.
                let goal = if problem.goal.is_open() { plan.goal.clone() } else { problem.goal.clone() };
                let plan = Plan { goal, optimum: plan.optimum.clone(), ..problem.plan(jumps) };
                plan.verify()?;
                Verdict::Plan(plan)
            }
            // A short reason names holes, so that it is found again for the start itself.
            Verdict::NoPlan(reason) => {
                Verdict::NoPlan(reason.as_ref().and_then(|_| problem.with_vacancy(start).reason()))
            }
            Verdict::Unknown(reason) => Verdict::Unknown(*reason),
        };
        Ok(Row { start, verdict, conflicts: 0, time: Duration::ZERO, same_as: Some(self.start) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Search, named};
    use std::sync::Arc;

    /// For goals that have few symmetries or none, each start has the verdict of the one in whose place it stands.
    #[test]
    fn symmetric_starts_have_the_same_verdict_whatever_the_goal() {
        for name in ["triangle:4", "rectangle:3x3", "rectangle:2x5"] {
            let board = Arc::new(named(name).unwrap().unwrap().board);
            let holes = board.holes();
            let starts: Vec<Hole> = (1..=holes).collect();
            for end in [vec![1, 2], vec![2, 4], vec![1, 5, 6], vec![3, 6, 7, 9], vec![4]] {
                let goal = Goal::Pattern(Position::of(holes, &end));
                let problem = Problem { goal: goal.clone(), ..Problem::new(Arc::clone(&board), Position::full(holes)) };
                let mut search = Search::new(&board, goal).unwrap();
                for (index, (first, symmetry)) in same_starts(&problem, &starts).iter().enumerate() {
                    let count = |start: Hole, search: &mut Search| search.count(&Position::vacancy(holes, start));
                    assert_eq!(count(index + 1, &mut search), count(first + 1, &mut search), "{name} {end:?} {index}");
                    let image = |hole: &Hole| end.contains(&symmetry.hole(*hole));
                    assert_eq!(end.iter().filter(|hole| image(hole)).count(), end.len());
                }
            }
        }
    }
}
