//! Search for a plan in the parallel encoding: which number of steps to ask for, and when.
//!
//! One solver holds the formula of all steps so far; a horizon is asked for by assuming its goal. Few steps are easy to refute,
//! many are hard to search, and plans are found fastest a little over the fewest steps that do. So several horizons are
//! tried in turn with bounded effort, the lower ones with more of it, as in algorithm B of Rintanen, Heljanko and Niemelä
//! (Planning as Satisfiability: Parallel Plans and Algorithms for Plan Search, 2006). A refuted horizon refutes all below;
//! no plan has more steps than jumps, so that refuting this many is a proof that there is none.

use crate::{Goal, Jump, Problem, Unrolled};
use putnam_formula::{ClauseSink, Cnf, Engine, Limits, Lit, Outcome, StopReason, Var};

/// Clauses and fresh variables for an engine.
pub struct EngineSink<'a> {
    /// The engine, to be asked between clauses.
    pub engine: &'a mut dyn Engine,
    num_vars: u32,
}

impl<'a> EngineSink<'a> {
    /// A sink for an engine that has no variables yet.
    pub fn new(engine: &'a mut dyn Engine) -> Self {
        Self { engine, num_vars: 0 }
    }

    /// Asks the engine under assumptions, with at most `budget` conflicts, and takes the conflicts from the limits. Gives the
    /// number of conflicts besides.
    pub(crate) fn ask(&mut self, limits: &mut Limits, assumptions: &[Lit], budget: Option<u64>) -> (Outcome, u64) {
        let conflicts = match (budget, limits.conflicts) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        };
        let before = self.conflicts();
        self.engine.set_limits(Limits { conflicts, ..limits.clone() });
        let outcome = self.engine.solve(assumptions);
        let used = self.conflicts() - before;
        limits.conflicts = limits.conflicts.map(|left| left.saturating_sub(used));
        (outcome, used)
    }

    fn conflicts(&self) -> u64 {
        self.engine.statistics().iter().find(|line| line.name == "conflicts").map_or(0, |line| line.count)
    }
}

impl ClauseSink for EngineSink<'_> {
    fn new_var(&mut self) -> Var {
        let var = Var::new(self.num_vars);
        self.num_vars += 1;
        self.engine.declare(self.num_vars);
        var
    }

    fn add_clause(&mut self, clause: &[Lit]) {
        self.engine.add_clause(clause);
    }
}

/// What is asked of the search.
#[derive(Clone, Debug, Default)]
pub struct HorizonOptions {
    /// Whether the plan must have as few steps as possible; otherwise any plan will do.
    pub fewest: bool,
    /// Bounds on the whole search: its deadline and its terminate flag hold for every call of the engine, its conflicts for
    /// all calls together.
    pub limits: Limits,
}

/// How a search came out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Found {
    /// A plan, step by step; the jumps of a step share no hole.
    Plan(Vec<Vec<Jump>>),
    /// There is no plan.
    NoPlan,
    /// A limit was reached.
    Unknown(StopReason),
}

/// The result of [`search`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HorizonResult {
    /// How it came out. A plan found with `fewest` that a limit cut short is still a plan.
    pub found: Found,
    /// No plan has fewer steps than this.
    pub at_least: usize,
}

/// The conflicts that the lowest open horizon gets in the first round.
const FIRST_BUDGET: u64 = 2_000;

/// Horizons that are open at the same time.
const WIDTH: usize = 4;

/// A search that can be asked for one goal after the other on one formula.
pub(crate) struct HorizonSearch<'a> {
    unrolled: Unrolled,
    sink: EngineSink<'a>,
    /// The goal literal of every horizon that was asked for.
    goals: Vec<Option<Lit>>,
    limits: Limits,
    /// No plan has fewer steps.
    low: usize,
}

/// Looks for a plan. The engine must be new.
pub fn search(problem: &Problem, engine: &mut dyn Engine, options: &HorizonOptions) -> HorizonResult {
    let Some(most) = problem.steps() else { return HorizonResult { found: Found::NoPlan, at_least: 0 } };
    let mut search = HorizonSearch::new(problem, engine, &options.limits);
    let mut found = search.any_plan(most);
    if options.fewest {
        while let Found::Plan(plan) = &found
            && plan.len() > search.low
        {
            match search.ask(plan.len() - 1, None) {
                Found::Plan(shorter) => found = Found::Plan(shorter),
                // Either that many steps are too few now, or time is over: what was found stands.
                Found::NoPlan => {}
                Found::Unknown(_) => break,
            }
        }
    }
    HorizonResult { found, at_least: search.low }
}

/// The clauses of which [`search`] refutes the last when there is no plan: the goal of every horizon up to one that is long
/// enough for every plan, and that this goal is wanted. They are in the order in which the search writes them, so that variables
/// have the same numbers; a step's goal follows the step, for no horizon is asked for before those below it.
pub(crate) fn complete(problem: &Problem) -> Option<Cnf> {
    let most = problem.steps()?;
    let mut cnf = Cnf::new();
    let mut unrolled = Unrolled::new(problem, &mut cnf);
    let mut goal = unrolled.goal(&mut cnf, 0);
    for steps in 1..=most {
        unrolled.extend(&mut cnf);
        goal = unrolled.goal(&mut cnf, steps);
    }
    cnf.add_clause(&[goal]);
    Some(cnf)
}

impl<'a> HorizonSearch<'a> {
    /// The formula of no step, for a new engine.
    pub(crate) fn new(problem: &Problem, engine: &'a mut dyn Engine, limits: &Limits) -> Self {
        let mut sink = EngineSink::new(engine);
        let unrolled = Unrolled::new(problem, &mut sink);
        Self { unrolled, sink, goals: Vec::new(), limits: limits.clone(), low: 0 }
    }

    /// Asks for another goal from now on, from the same start.
    pub(crate) fn set_goal(&mut self, goal: Goal) {
        self.unrolled.set_goal(goal);
        self.goals.clear();
        self.low = 0;
    }

    /// Rounds over the open horizons with growing effort, up to `most` steps.
    pub(crate) fn any_plan(&mut self, most: usize) -> Found {
        let mut budget = FIRST_BUDGET;
        loop {
            let mut share = budget;
            let mut horizon = self.low;
            while horizon <= most && horizon < self.low + WIDTH {
                match self.ask(horizon, Some(share)) {
                    Found::Unknown(StopReason::Conflicts) if self.limits.conflicts != Some(0) => share = share * 3 / 4,
                    // The next horizon is the lowest now and has a whole budget.
                    Found::NoPlan => share = budget,
                    other => return other,
                }
                horizon += 1;
            }
            if self.low > most {
                return Found::NoPlan;
            }
            budget = budget * 3 / 2;
        }
    }

    /// Asks for a plan of at most so many steps, with at most so many conflicts.
    fn ask(&mut self, steps: usize, budget: Option<u64>) -> Found {
        while self.unrolled.steps() < steps {
            self.unrolled.extend(&mut self.sink);
        }
        let goal = self.goal(steps);
        let (outcome, _) = self.sink.ask(&mut self.limits, &[goal], budget);
        match outcome {
            Outcome::Satisfiable(model) => {
                let mut plan = self.unrolled.decode(&model);
                while plan.last().is_some_and(Vec::is_empty) {
                    plan.pop();
                }
                Found::Plan(plan)
            }
            Outcome::Unsatisfiable { .. } => {
                self.low = steps + 1;
                // So that what was learned under it is satisfied and can go.
                self.sink.add_clause(&[!goal]);
                Found::NoPlan
            }
            Outcome::Unknown(reason) => Found::Unknown(reason),
        }
    }

    /// The literal that asks for the goal after `steps` steps.
    fn goal(&mut self, steps: usize) -> Lit {
        if self.goals.len() <= steps {
            self.goals.resize(steps + 1, None);
        }
        match self.goals[steps] {
            Some(goal) => goal,
            None => *self.goals[steps].insert(self.unrolled.goal(&mut self.sink, steps)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Board, Position, Search, builtin};
    use putnam_cdcl::Solver;
    use putnam_checker::Proof;
    use putnam_formula::SharedProof;
    use std::sync::Arc;

    fn agrees(problem: &Problem, fewest: bool) -> Option<usize> {
        let options = HorizonOptions { fewest, ..HorizonOptions::default() };
        let result = search(problem, &mut Solver::new(), &options);
        let solvable = Search::new(&problem.board, problem.goal.clone()).unwrap().plan(&problem.start).is_some();
        match result.found {
            Found::Plan(steps) => {
                assert!(solvable, "{problem:?}");
                assert!(result.at_least <= steps.len());
                assert!(!fewest || result.at_least == steps.len());
                for step in &steps {
                    for (index, jump) in step.iter().enumerate() {
                        assert!(step[index + 1..].iter().all(|other| !jump.touches(*other)));
                    }
                }
                let length = steps.len();
                putnam_api::Solution::verify(&problem.plan(steps.concat())).unwrap();
                Some(length)
            }
            Found::NoPlan => {
                assert!(!solvable, "{problem:?}");
                None
            }
            Found::Unknown(reason) => panic!("{reason}"),
        }
    }

    #[test]
    fn verdicts_are_those_of_the_search() {
        for name in ["triangle-10", "triangle-15", "fano"] {
            let board: Arc<Board> = builtin(name).unwrap().setup().board.into();
            for start in 1..=board.holes() {
                let start = Position::vacancy(board.holes(), start);
                agrees(&Problem::new(Arc::clone(&board), start), false);
            }
        }
    }

    #[test]
    fn every_finish_of_the_triangle_of_10_in_fewest_steps() {
        let board: Arc<Board> = builtin("triangle-10").unwrap().setup().board.into();
        for start in 1..=10 {
            for finish in 1..=10 {
                let mut problem = Problem::new(Arc::clone(&board), Position::vacancy(10, start));
                problem.goal = Goal::PegIn(finish);
                agrees(&problem, true);
            }
        }
    }

    /// What an engine that is asked horizon after horizon writes as its proof, refutes the clauses of the last one.
    #[test]
    fn a_search_in_vain_leaves_a_proof() {
        let mut refuted = 0;
        for name in ["triangle-10", "fano", "rectangle:3x4"] {
            let board: Arc<Board> = crate::named(name).unwrap().unwrap().board.into();
            for start in 1..=board.holes() {
                let problem = Problem::new(Arc::clone(&board), Position::vacancy(board.holes(), start));
                let proof = SharedProof::new(Proof::new());
                let mut engine = Solver::new();
                engine.set_proof(Box::new(proof.clone()));
                if search(&problem, &mut engine, &HorizonOptions::default()).found == Found::NoPlan {
                    let cnf = complete(&problem).unwrap();
                    proof.with(|proof| putnam_checker::check(&cnf, proof).map(|_| ())).unwrap();
                    refuted += 1;
                }
            }
        }
        assert!(refuted > 4, "{refuted}");
    }

    #[test]
    fn a_limit_is_no_verdict() {
        let setup = builtin("english").unwrap().setup();
        let problem = Problem::new(setup.board.into(), setup.start);
        let limits = Limits { conflicts: Some(10), ..Limits::default() };
        let result = search(&problem, &mut Solver::new(), &HorizonOptions { fewest: false, limits });
        assert_eq!(result.found, Found::Unknown(StopReason::Conflicts));
        assert!(result.at_least > 1);
    }
}
