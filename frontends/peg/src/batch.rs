//! All starts of a board, one independent problem each.

use crate::{Hole, Plan, Position, Problem};
use putnam_api::{Error, Problem as _, Solution as _};
use putnam_formula::{Engine, Outcome, StopReason};
use std::time::{Duration, Instant};

/// How one start came out.
#[derive(Clone, Debug)]
pub enum Verdict {
    /// There is a plan; it was replayed on the board.
    Plan(Plan),
    /// There is none. The reason is there when a look at the start tells it.
    NoPlan(Option<String>),
    /// The engine gave up.
    Unknown(StopReason),
}

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
/// may run at the same time, each with an engine of its own that has no clauses yet.
///
/// # Errors
/// [`Error::Wrong`] when the engine's model is no plan.
///
/// # Panics
/// If the board has no hole `start`.
pub fn solve_start(problem: &Problem, start: Hole, engine: &mut dyn Engine) -> Result<Row, Error> {
    let began = Instant::now();
    let mut problem = problem.clone();
    problem.start = Position::vacancy(problem.board.holes(), start);
    let (verdict, conflicts) = match problem.obstacle() {
        Some(obstacle) => (Verdict::NoPlan(Some(obstacle)), 0),
        None => {
            let verdict = solve(&problem, engine)?;
            let conflicts =
                engine.statistics().iter().find(|line| line.name == "conflicts").map_or(0, |line| line.count);
            (verdict, conflicts)
        }
    };
    Ok(Row { start, verdict, conflicts, time: began.elapsed() })
}

/// Solves a problem by its clauses, and replays the plan.
///
/// # Errors
/// [`Error::Wrong`] when the engine's model is no plan.
pub fn solve(problem: &Problem, engine: &mut dyn Engine) -> Result<Verdict, Error> {
    let encoding = problem.encode();
    engine.declare(encoding.cnf.num_vars());
    encoding.cnf.clauses().for_each(|clause| engine.add_clause(clause));
    Ok(match engine.solve(&[]) {
        Outcome::Satisfiable(model) => {
            let plan = crate::assignment::decode(problem, &model)?;
            plan.verify()?;
            Verdict::Plan(plan)
        }
        Outcome::Unsatisfiable { .. } => Verdict::NoPlan(problem.obstacle()),
        Outcome::Unknown(reason) => Verdict::Unknown(reason),
    })
}
