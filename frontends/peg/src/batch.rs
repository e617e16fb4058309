//! All starts of a board, one independent problem each.

use crate::{Goal, Hole, Problem, Symmetries, Symmetry, Verdict, solve};
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
    let symmetries = Symmetries::new(&problem.board);
    symmetries.representatives(starts, |&start| match &problem.goal {
        Goal::PegIn(finish) => vec![start, *finish],
        _ => vec![start],
    })
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
                let plan = problem.with_vacancy(start).plan(jumps);
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
