//! How a problem is solved: reasons why there is no plan first, then clauses.

use crate::horizon::{self, Found, HorizonOptions};
use crate::{Goal, Measure, PagodaProof, ParityProof, Plan, Problem, moves, optimum};
use putnam_api::{Error, Problem as _, Solution as _};
use putnam_formula::{Engine, Limits, Outcome, StopReason};

/// Which clauses say what a plan is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Clauses {
    /// Short reasons are looked for first, then plans with [`Clauses::Parallel`]; an engine that does not learn gets
    /// [`Clauses::Assignment`].
    #[default]
    Auto,
    /// The assignment's, see [`crate::assignment`].
    Assignment,
    /// One jump a step, compact, without orders and symmetries that make no difference.
    Sequential,
    /// Several jumps in a step, see [`crate::Unrolled`].
    Parallel,
}

/// The words by which a user chooses [`Clauses`].
pub(crate) const CLAUSES: &[&str] = &["auto", "assignment", "sequential", "parallel"];

impl Clauses {
    pub(crate) fn from_word(word: &str) -> Option<Self> {
        match word {
            "auto" => Some(Self::Auto),
            "assignment" => Some(Self::Assignment),
            "sequential" => Some(Self::Sequential),
            "parallel" => Some(Self::Parallel),
            _ => None,
        }
    }
}

/// Why there is no plan, short enough to be checked by hand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refutation {
    /// A look at the start tells.
    Obstacle(String),
    /// No end has the parities of the start.
    Parity(ParityProof),
    /// Every end weighs more than the start.
    Pagoda(PagodaProof),
}

/// How a problem came out.
#[derive(Clone, Debug)]
pub enum Verdict {
    /// There is a plan; it was replayed on the board.
    Plan(Plan),
    /// There is none, with the reason in words when there is a short one.
    NoPlan(Option<String>),
    /// The engine gave up.
    Unknown(StopReason),
}

impl Problem {
    /// A short reason why there is no plan, if one is found. It was checked.
    pub fn refute(&self) -> Option<Refutation> {
        if let Some(obstacle) = self.obstacle() {
            return Some(Refutation::Obstacle(obstacle));
        }
        if self.steps() == Some(0) {
            return None;
        }
        let (board, start, goal) = (&self.board, &self.start, &self.goal);
        let proof = PagodaProof::find(board, start, goal)?;
        proof.check(board, start, goal).ok()?;
        Some(match proof.functions.as_slice() {
            [] => Refutation::Parity(proof.parity),
            _ => Refutation::Pagoda(proof),
        })
    }

    /// The reason of [`Problem::refute`] in words.
    pub fn reason(&self) -> Option<String> {
        self.refute().map(|refutation| match refutation {
            Refutation::Obstacle(obstacle) => obstacle,
            Refutation::Parity(proof) => proof.explain(&self.goal),
            Refutation::Pagoda(proof) => proof.explain(&self.start, &self.goal),
        })
    }
}

/// Solves a problem, and replays the plan. The engine must be new. The limits hold for the whole search.
///
/// # Errors
/// [`Error::Wrong`] when the engine's model is no plan.
pub fn solve(problem: &Problem, engine: &mut dyn Engine, limits: &Limits) -> Result<Verdict, Error> {
    match (&problem.goal, problem.fewest) {
        (Goal::FewestPegs, _) => return optimum::fewest_pegs(problem, engine, limits),
        (Goal::ShortestDeadEnd, _) => return optimum::dead_end(problem, engine, limits),
        (_, Some(Measure::Steps)) => return optimum::fewest_steps(problem, engine, limits),
        (_, Some(Measure::Moves)) => return moves::fewest_moves(problem, engine, limits),
        _ => {}
    }
    match problem.clauses {
        Clauses::Assignment | Clauses::Sequential => by_one_formula(problem, engine, limits),
        Clauses::Auto => match problem.reason() {
            Some(reason) => Ok(Verdict::NoPlan(Some(reason))),
            None if engine.name() == "dpll" => by_one_formula(problem, engine, limits),
            None => by_horizons(problem, engine, limits),
        },
        Clauses::Parallel => by_horizons(problem, engine, limits),
    }
}

fn by_one_formula(problem: &Problem, engine: &mut dyn Engine, limits: &Limits) -> Result<Verdict, Error> {
    problem.check_size()?;
    let encoding = problem.encode();
    engine.declare(encoding.cnf.num_vars());
    encoding.cnf.clauses().for_each(|clause| engine.add_clause(clause));
    engine.set_limits(limits.clone());
    match engine.solve(&[]) {
        Outcome::Satisfiable(model) if problem.clauses == Clauses::Sequential => {
            replayed(crate::sequential::decode(problem, &model)?)
        }
        Outcome::Satisfiable(model) => replayed(crate::assignment::decode(problem, &model)?),
        Outcome::Unsatisfiable { .. } => Ok(Verdict::NoPlan(problem.obstacle())),
        Outcome::Unknown(reason) => Ok(Verdict::Unknown(reason)),
    }
}

fn by_horizons(problem: &Problem, engine: &mut dyn Engine, limits: &Limits) -> Result<Verdict, Error> {
    let options = HorizonOptions { fewest: false, limits: limits.clone() };
    match horizon::search(problem, engine, &options).found {
        Found::Plan(steps) => replayed(problem.plan(steps.concat())),
        Found::NoPlan => Ok(Verdict::NoPlan(problem.obstacle())),
        Found::Unknown(reason) => Ok(Verdict::Unknown(reason)),
    }
}

fn replayed(plan: Plan) -> Result<Verdict, Error> {
    plan.verify()?;
    Ok(Verdict::Plan(plan))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Position, Search, named};
    use putnam_cdcl::Solver;
    use putnam_dpll::Dpll;
    use std::sync::Arc;

    #[test]
    fn all_ways_agree() {
        for name in ["triangle-10", "fano", "rectangle:3x4", "rectangle:3x3+diagonal"] {
            let board = Arc::new(named(name).unwrap().unwrap().board);
            for start in 1..=board.holes() {
                let mut problem = Problem::new(Arc::clone(&board), Position::vacancy(board.holes(), start));
                let expected = Search::new(&board, Goal::OnePeg).unwrap().plan(&problem.start).is_some();
                for (clauses, engine) in [
                    (Clauses::Auto, &mut Solver::new() as &mut dyn Engine),
                    (Clauses::Auto, &mut Dpll::new()),
                    (Clauses::Assignment, &mut Solver::new()),
                    (Clauses::Sequential, &mut Solver::new()),
                    (Clauses::Parallel, &mut Solver::new()),
                ] {
                    problem.clauses = clauses;
                    let verdict = solve(&problem, engine, &Limits::default()).unwrap();
                    assert_eq!(matches!(verdict, Verdict::Plan(_)), expected, "{name} {start} {clauses:?}");
                }
            }
        }
    }

    #[test]
    fn the_reason_is_told() {
        let board = Arc::new(named("european").unwrap().unwrap().board);
        let problem = Problem::new(Arc::clone(&board), Position::vacancy(37, 19));
        let Verdict::NoPlan(Some(reason)) = solve(&problem, &mut Solver::new(), &Limits::default()).unwrap() else {
            panic!("the centre of the European board has no plan");
        };
        assert!(reason.contains("number of pegs in the holes"), "{reason}");
        assert!(problem.no_solution("text").starts_with("NO SOLUTION: every jump keeps "));
        assert_eq!(problem.no_solution("jumps"), "NO SOLUTION\n");
    }
}
