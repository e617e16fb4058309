//! Runs an engine on a formula and checks what it says before anybody sees it.

use crate::failure::Failure;
use putnam_formula::{Cnf, Engine, Lit, Outcome};

/// Hands all clauses and variables to the engine.
pub(crate) fn load(engine: &mut dyn Engine, cnf: &Cnf) {
    engine.declare(cnf.num_vars());
    for clause in cnf.clauses() {
        engine.add_clause(clause);
    }
}

/// Solves the clauses that were loaded and checks the answer: a model against every clause and assumption, the failed
/// assumptions against those that were made.
///
/// # Errors
/// [`Failure::Check`] when the answer is wrong.
pub(crate) fn solve(engine: &mut dyn Engine, cnf: &Cnf, assumptions: &[Lit]) -> Result<Outcome, Failure> {
    let outcome = engine.solve(assumptions);
    let wrong = match &outcome {
        Outcome::Satisfiable(model) => {
            if let Some(index) = model.falsified(cnf) {
                Some(format!("the model of engine {} makes clause {} false", engine.name(), index + 1))
            } else if let Some(lit) = assumptions.iter().find(|&&lit| !model.satisfies(lit)) {
                Some(format!("the model of engine {} makes the assumption {lit} false", engine.name()))
            } else {
                (model.num_vars() < cnf.num_vars()).then(|| "the model leaves variables without a value".into())
            }
        }
        Outcome::Unsatisfiable { failed } => failed
            .iter()
            .find(|lit| !assumptions.contains(lit))
            .map(|lit| format!("{lit} is said to have failed, but was not assumed")),
        Outcome::Unknown(_) => None,
    };
    wrong.map_or(Ok(outcome), |message| Err(Failure::Check(message)))
}
