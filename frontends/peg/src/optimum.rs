//! The best plan of its kind, with the reason why there is none better: fewest pegs, shortest dead end, fewest steps.

use crate::goal::count_of;
use crate::horizon::{Found, HorizonSearch};
use crate::{Goal, Jump, Plan, Problem, Refutation, Verdict};
use putnam_api::{Error, Solution as _};
use putnam_formula::{Engine, Limits};

/// What there is to be few of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Measure {
    /// Pegs that are left.
    Pegs,
    /// Jumps.
    Jumps,
    /// Steps, each of jumps that share no hole.
    Steps,
    /// Moves, each of one or more jumps in a row by one peg.
    Moves,
}

impl Measure {
    /// The word for one of them.
    pub fn word(self) -> &'static str {
        match self {
            Self::Pegs => "peg",
            Self::Jumps => "jump",
            Self::Steps => "step",
            Self::Moves => "move",
        }
    }

    /// How many of them a plan has.
    pub fn of(self, plan: &Plan) -> usize {
        match self {
            Self::Pegs => plan.start.count().saturating_sub(plan.jumps.len()),
            Self::Jumps => plan.jumps.len(),
            Self::Steps => plan.steps().len(),
            Self::Moves => plan.moves().len(),
        }
    }
}

/// How good a plan is, and what is known about better ones.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Optimum {
    /// What was to be few.
    pub measure: Measure,
    /// How many the plan has.
    pub count: usize,
    /// No plan has fewer than this. Where it is `count`, the plan is one of the best.
    pub at_least: usize,
    /// Why not, in words.
    pub proof: String,
}

impl Optimum {
    /// Whether it is proved that there is none better.
    pub fn is_proved(&self) -> bool {
        self.at_least == self.count
    }

    /// What is known, as a line without line end.
    pub fn in_words(&self) -> String {
        let count = count_of(self.count, self.measure.word());
        let because = if self.proof.is_empty() { String::new() } else { format!(": {}", self.proof) };
        if self.is_proved() {
            return format!("{count}; fewer do not do{because}");
        }
        let word = self.measure.word();
        format!("{count}; whether fewer do is not known, but fewer than {} {word}s do not{because}", self.at_least)
    }

    /// What is known, in a few words.
    pub fn in_short(&self) -> String {
        let count = count_of(self.count, self.measure.word());
        if self.is_proved() { format!("{count}, the fewest") } else { format!("{count}, at least {}", self.at_least) }
    }

    /// What [`Optimum::to_json`] wrote.
    pub fn from_json(value: &serde_json::Value) -> Option<Self> {
        let of = value["of"].as_str()?;
        let all = [Measure::Pegs, Measure::Jumps, Measure::Steps, Measure::Moves];
        let number = |name: &str| value[name].as_u64().and_then(|number| usize::try_from(number).ok());
        Some(Self {
            measure: all.into_iter().find(|measure| of.strip_suffix('s') == Some(measure.word()))?,
            count: number("count")?,
            at_least: number("at_least")?,
            proof: value["proof"].as_str()?.to_owned(),
        })
    }

    /// What is known, for programs.
    pub fn to_json(&self) -> serde_json::Value {
        serde_json::json!({
            "of": format!("{}s", self.measure.word()),
            "count": self.count,
            "at_least": self.at_least,
            "proved": self.is_proved(),
            "proof": self.proof,
        })
    }
}

impl Problem {
    /// The plan of these jumps as the best of its kind. An open goal becomes the one that the plan reaches. The count is
    /// checked by [`Plan::verify`](putnam_api::Solution::verify).
    pub fn best_plan(&self, jumps: Vec<Jump>, optimum: Optimum) -> Plan {
        let left = self.start.count().saturating_sub(jumps.len());
        let goal = match self.goal {
            Goal::FewestPegs => Goal::Pegs(left),
            Goal::ShortestDeadEnd => Goal::DeadEnd(left),
            _ => self.goal.clone(),
        };
        Plan { goal, optimum: Some(optimum), ..self.plan(jumps) }
    }

    /// The verdict of [`Problem::best_plan`], which is checked.
    pub(crate) fn best(&self, jumps: Vec<Jump>, optimum: Optimum) -> Result<Verdict, Error> {
        let plan = self.best_plan(jumps, optimum);
        plan.verify()?;
        Ok(Verdict::Plan(plan))
    }
}

/// A plan that leaves as few pegs as possible. For each number of pegs from the least on: a short reason why so many cannot
/// be left, or the search for a plan that does, to its end.
pub(crate) fn fewest_pegs(problem: &Problem, engine: &mut dyn Engine, limits: &Limits) -> Result<Verdict, Error> {
    let mut search = HorizonSearch::new(problem, engine, limits);
    let mut proofs: Vec<String> = Vec::new();
    let least = problem.start.count().min(1);
    for pegs in least..=problem.start.count() {
        let one = Problem { goal: Goal::Pegs(pegs), ..problem.clone() };
        let because = match one.refute() {
            Some(Refutation::Obstacle(reason)) => reason,
            Some(Refutation::Parity(proof)) => proof.explain(&one.goal),
            Some(Refutation::Pagoda(proof)) => proof.explain(&one.start, &one.goal),
            None => {
                let most = problem.start.count() - pegs;
                search.set_goal(one.goal.clone());
                match search.any_plan(most) {
                    Found::Plan(steps) => {
                        let proof = proofs.join("; ");
                        let optimum = Optimum { measure: Measure::Pegs, count: pegs, at_least: pegs, proof };
                        return problem.best(steps.concat(), optimum);
                    }
                    Found::NoPlan => format!("the formula of all plans of up to {most} steps has no model"),
                    Found::Unknown(reason) => return Ok(Verdict::Unknown(reason)),
                }
            }
        };
        proofs.push(format!("{} cannot be left, for {because}", count_of(pegs, "peg")));
    }
    // All pegs of the start can be left: without any jump.
    Ok(Verdict::NoPlan(None))
}

/// A dead end after as few jumps as possible. There always is one, for no position has jumps for ever.
pub(crate) fn dead_end(problem: &Problem, engine: &mut dyn Engine, limits: &Limits) -> Result<Verdict, Error> {
    let mut search = HorizonSearch::new(problem, engine, limits);
    let pegs = problem.start.count();
    for jumps in 0..=pegs {
        let goal = Goal::DeadEnd(pegs - jumps);
        search.set_goal(goal);
        match search.any_plan(jumps) {
            Found::Plan(steps) => {
                let proof = match jumps {
                    0 => String::new(),
                    _ => format!("the formulas of all plans of 0 to {} jumps to a dead end have no model", jumps - 1),
                };
                let optimum = Optimum { measure: Measure::Jumps, count: jumps, at_least: jumps, proof };
                return problem.best(steps.concat(), optimum);
            }
            Found::NoPlan => {}
            Found::Unknown(reason) => return Ok(Verdict::Unknown(reason)),
        }
    }
    Ok(Verdict::NoPlan(None))
}

/// A plan of as few parallel steps as possible, or the best that the limits allow.
pub(crate) fn fewest_steps(problem: &Problem, engine: &mut dyn Engine, limits: &Limits) -> Result<Verdict, Error> {
    if let Some(reason) = problem.reason() {
        return Ok(Verdict::NoPlan(Some(reason)));
    }
    let options = crate::HorizonOptions { fewest: true, limits: limits.clone() };
    let result = crate::search(problem, engine, &options);
    let steps = match result.found {
        Found::Plan(steps) => steps,
        Found::NoPlan => return Ok(Verdict::NoPlan(problem.obstacle())),
        Found::Unknown(reason) => return Ok(Verdict::Unknown(reason)),
    };
    let at_least = result.at_least.min(steps.len());
    let proof = match at_least {
        0 => String::new(),
        least => format!("the formula of all plans of up to {} has no model", count_of(least - 1, "step")),
    };
    let optimum = Optimum { measure: Measure::Steps, count: steps.len(), at_least, proof };
    problem.best(steps.concat(), optimum)
}
