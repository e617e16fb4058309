//! Fewest moves on any board: one jump a step, with a flag for each jump that begins a move.

use super::{Fewest, count};
use crate::horizon::EngineSink;
use crate::sequential::Sequence;
use crate::{Jump, Problem};
use putnam_encode::Counter;
use putnam_formula::{ClauseSink, Engine, Limits, Lit, Outcome, Var};

/// Looks for a plan, and then for one of fewer moves until there is none.
pub(crate) fn search(problem: &Problem, engine: &mut dyn Engine, limits: &Limits) -> Fewest {
    let mut sink = EngineSink::new(engine);
    let mut limits = limits.clone();
    // In order of their numbers jumps would not stand behind the jumps that they go on from.
    let sequence = Sequence::new(problem, false, &mut sink);
    let begins: Vec<Lit> = (0..sequence.made.len()).map(|step| begins(&sequence, step, &mut sink)).collect();
    let counter = Counter::new(&mut sink, &begins, begins.len());
    let mut best: Option<Vec<Jump>> = None;
    loop {
        let most = best.as_ref().map(|plan| count(plan));
        // Every plan but that of no jump has a move.
        let bound = match most {
            Some(0 | 1) => return Fewest { plan: best, at_least: most.unwrap_or(0), stopped: None },
            Some(most) => counter.at_least(most).map(|lit| !lit),
            None => None,
        };
        let assumptions: Vec<Lit> = bound.into_iter().collect();
        match sink.ask(&mut limits, &assumptions, None).0 {
            Outcome::Satisfiable(model) => best = Some(sequence.decode(&model)),
            Outcome::Unsatisfiable { .. } => {
                return Fewest { plan: best, at_least: most.unwrap_or(0), stopped: None };
            }
            Outcome::Unknown(reason) => {
                let at_least = usize::from(most.is_some_and(|most| most > 0));
                return Fewest { plan: best, at_least, stopped: Some(reason) };
            }
        }
    }
}

/// A literal that is true when the jump at this step begins a move: when the peg is another than that of the jump before.
fn begins(sequence: &Sequence, step: usize, sink: &mut dyn ClauseSink) -> Lit {
    let begins = sink.new_var().positive();
    let Some(before) = step.checked_sub(1) else {
        sink.add_clause(&[begins]);
        return begins;
    };
    let made = |step: usize, index: usize| -> Var { sequence.made[step][index] };
    for (index, jump) in sequence.jumps.iter().enumerate() {
        let mut clause = vec![begins, made(step, index).negative()];
        let last = (0..sequence.jumps.len()).filter(|&last| sequence.jumps[last].to == jump.from);
        clause.extend(last.map(|last| made(before, last).positive()));
        sink.add_clause(&clause);
    }
    begins
}
