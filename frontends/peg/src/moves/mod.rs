//! Plans of fewest moves, a move being one or more jumps in a row by one peg.

mod flags;
mod layers;
mod positions;
mod regions;

use crate::goal::count_of;
use crate::horizon::EngineSink;
use crate::optimum::Optimum;
use crate::parallel::finals;
use crate::{Clauses, Jump, Measure, Problem, Verdict};
use layers::{Layers, Walks};
use positions::PositionSearch;
use putnam_api::Error;
use putnam_formula::{ClauseSink, Engine, Limits, Lit, Outcome, StopReason};
use std::collections::BTreeSet;

/// The conflicts that the lowest open number of moves gets in the first round.
const FIRST_BUDGET: u64 = 4_000;

/// Numbers of moves that are open at the same time.
const WIDTH: usize = 4;

/// What is known when the search ends.
pub(crate) struct Fewest {
    /// The best plan that was found.
    pub(crate) plan: Option<Vec<Jump>>,
    /// No plan has fewer moves than this.
    pub(crate) at_least: usize,
    /// Why it ended before everything was known.
    pub(crate) stopped: Option<StopReason>,
}

/// A plan of as few moves as possible, or the best that the limits allow.
pub(crate) fn fewest_moves(problem: &Problem, engine: &mut dyn Engine, limits: &Limits) -> Result<Verdict, Error> {
    if let Some(reason) = problem.reason() {
        return Ok(Verdict::NoPlan(Some(reason)));
    }
    let (packing, stay) = regions::packing(&problem.board, &problem.start, &problem.goal, &finals(problem));
    let by_regions = packing.len() - stay;
    // A user who wants clauses gets them; otherwise positions are looked at first, as long as they are few.
    let by_positions = match problem.clauses {
        Clauses::Auto => PositionSearch::new(problem, limits).map(|search| search.run(by_regions)),
        _ => None,
    };
    let (found, positions) =
        by_positions.unwrap_or((Fewest { plan: None, at_least: by_regions, stopped: Some(StopReason::Memory) }, 0));
    let by_positions = found.at_least;
    let result = match (found.stopped, Walks::of(&problem.board)) {
        (Some(StopReason::Memory), Some(walks)) => {
            MoveSearch::new(problem, walks, engine, limits).run(by_positions, found.plan)
        }
        (Some(StopReason::Memory), None) => flags::search(problem, engine, limits),
        _ => found,
    };
    let jumps = match (result.plan, result.stopped) {
        (Some(jumps), _) => jumps,
        (None, None) => return Ok(Verdict::NoPlan(problem.obstacle())),
        (None, Some(reason)) => return Ok(Verdict::Unknown(reason)),
    };
    let count = count(&jumps);
    let at_least = result.at_least.max(by_positions);
    let mut proofs = Vec::new();
    if by_regions > 0 {
        let regions: Vec<String> = packing.iter().map(|region| crate::invariant::list(region)).collect();
        let stay = if stay == 0 { "" } else { " (but one that may keep the last peg)" };
        proofs.push(format!(
            "a move begins in each of the regions ({}){stay}, for while its pegs are all there no jump from outside goes over or into it",
            regions.join(") (")
        ));
    }
    if by_positions > by_regions {
        let most = count_of(by_positions - 1, "move");
        proofs.push(format!(
            "a search of all positions of plans of up to {most} ends without one ({positions} positions)"
        ));
    }
    if at_least > by_positions {
        proofs.push(format!("the formula of all plans of up to {} has no model", count_of(at_least - 1, "move")));
    }
    let optimum = Optimum { measure: Measure::Moves, count, at_least, proof: proofs.join("; ") };
    problem.best(jumps, optimum)
}

struct MoveSearch<'a> {
    layers: Layers<'a>,
    sink: EngineSink<'a>,
    limits: Limits,
    /// The start literal of every number of moves that was asked for.
    starts: Vec<Option<Lit>>,
    /// The numbers of moves that no plan has.
    refuted: BTreeSet<usize>,
}

impl<'a> MoveSearch<'a> {
    fn new(problem: &'a Problem, walks: Walks, engine: &'a mut dyn Engine, limits: &Limits) -> Self {
        let mut sink = EngineSink::new(engine);
        let layers = Layers::new(problem, walks, &mut sink);
        Self { layers, sink, limits: limits.clone(), starts: Vec::new(), refuted: BTreeSet::new() }
    }

    /// The lowest number of moves that is not refuted.
    fn low(&self) -> usize {
        (0..).find(|moves| !self.refuted.contains(moves)).unwrap_or(0)
    }

    /// Rounds over the open numbers of moves with growing effort until there is a plan, then those below it. No plan has fewer
    /// moves than `least`; `best` is a plan that is known.
    fn run(mut self, least: usize, mut best: Option<Vec<Jump>>) -> Fewest {
        self.refuted.extend(0..least);
        let most = self.layers.most();
        let mut budget = FIRST_BUDGET;
        let mut stopped = None;
        while best.is_none() && self.low() <= most && stopped.is_none() {
            let mut share = budget;
            let mut moves = self.low();
            while moves <= most && moves < self.low() + WIDTH && best.is_none() {
                match self.ask(moves, Some(share)) {
                    Ok(Some(plan)) => best = Some(plan),
                    // The next is the lowest now and has a whole budget.
                    Ok(None) => share = budget,
                    Err(StopReason::Conflicts) if self.limits.conflicts != Some(0) => share = share * 3 / 4,
                    Err(reason) => {
                        stopped = Some(reason);
                        break;
                    }
                }
                moves += 1;
            }
            budget = budget * 3 / 2;
        }
        while let (Some(plan), None) = (&best, stopped) {
            let low = self.low();
            if low >= count(plan) {
                break;
            }
            match self.ask(low, None) {
                Ok(Some(plan)) => best = Some(plan),
                Ok(None) => {}
                Err(reason) => stopped = Some(reason),
            }
        }
        let at_least = best.as_ref().map_or(usize::MAX, |plan| count(plan)).min(self.low());
        Fewest { plan: best, at_least, stopped }
    }

    /// Asks for a plan of so many moves, with at most so many conflicts. That there is none is right when there is none of fewer
    /// moves either: a plan of more than the fewest moves may not be in the order that the clauses want.
    fn ask(&mut self, moves: usize, budget: Option<u64>) -> Result<Option<Vec<Jump>>, StopReason> {
        if self.refuted.contains(&moves) {
            return Ok(None);
        }
        while self.layers.moves() < moves {
            self.layers.extend(&mut self.sink);
        }
        if self.starts.len() <= moves {
            self.starts.resize(moves + 1, None);
        }
        let start = match self.starts[moves] {
            Some(start) => start,
            None => *self.starts[moves].insert(self.layers.start(&mut self.sink, moves)),
        };
        let assumptions: Vec<Lit> = std::iter::once(start).chain(self.layers.idle(moves)).collect();
        let mut left = budget;
        loop {
            let (outcome, used) = self.sink.ask(&mut self.limits, &assumptions, left);
            left = left.map(|left| left.saturating_sub(used).max(1));
            match outcome {
                Outcome::Satisfiable(model) => {
                    if let Some(jumps) = self.layers.decode(&mut self.sink, &model, moves) {
                        return Ok(Some(jumps));
                    }
                }
                Outcome::Unsatisfiable { .. } => {
                    self.refuted.insert(moves);
                    self.sink.add_clause(&[!start]);
                    return Ok(None);
                }
                Outcome::Unknown(reason) => return Err(reason),
            }
        }
    }
}

/// The number of moves of a row of jumps.
fn count(jumps: &[Jump]) -> usize {
    let goes_on = jumps.windows(2).filter(|pair| pair[0].to == pair[1].from).count();
    jumps.len() - goes_on
}
