//! Runs an engine on a formula and checks what it says before anybody sees it.

use crate::failure::Failure;
use putnam_formula::{Cnf, Engine, Lit, Model, Outcome, PackedClauses};
use std::collections::HashSet;

/// A formula in either form: as it was read, or packed while an engine has its own copy.
pub(crate) trait Formula {
    /// The number of variables.
    fn num_vars(&self) -> u32;

    /// Hands all clauses and variables to the engine.
    fn load(&self, engine: &mut dyn Engine);

    /// The index of the first clause that is false in a model.
    fn falsified(&self, model: &Model) -> Option<usize>;
}

impl Formula for Cnf {
    fn num_vars(&self) -> u32 {
        Cnf::num_vars(self)
    }

    fn load(&self, engine: &mut dyn Engine) {
        engine.declare(Cnf::num_vars(self));
        self.clauses().for_each(|clause| engine.add_clause(clause));
    }

    fn falsified(&self, model: &Model) -> Option<usize> {
        model.falsified(self)
    }
}

impl Formula for PackedClauses {
    fn num_vars(&self) -> u32 {
        PackedClauses::num_vars(self)
    }

    fn load(&self, engine: &mut dyn Engine) {
        engine.add_formula(self);
    }

    fn falsified(&self, model: &Model) -> Option<usize> {
        PackedClauses::falsified(self, model)
    }
}

/// Hands all clauses and variables to the engine.
pub(crate) fn load(engine: &mut dyn Engine, formula: &impl Formula) {
    formula.load(engine);
}

/// Solves the clauses that were loaded and checks the answer: a model against every clause and assumption, the failed
/// assumptions against those that were made.
///
/// # Errors
/// [`Failure::Check`] when the answer is wrong.
pub(crate) fn solve(engine: &mut dyn Engine, formula: &impl Formula, assumptions: &[Lit]) -> Result<Outcome, Failure> {
    let outcome = engine.solve(assumptions);
    let wrong = match &outcome {
        Outcome::Satisfiable(model) => {
            if let Some(index) = formula.falsified(model) {
                Some(format!("the model of engine {} makes clause {} false", engine.name(), index + 1))
            } else if let Some(lit) = assumptions.iter().find(|&&lit| !model.satisfies(lit)) {
                Some(format!("the model of engine {} makes the assumption {lit} false", engine.name()))
            } else {
                (model.num_vars() < formula.num_vars()).then(|| "the model leaves variables without a value".into())
            }
        }
        Outcome::Unsatisfiable { failed } => {
            let assumed: HashSet<&Lit> = assumptions.iter().collect();
            let stranger = failed.iter().find(|lit| !assumed.contains(lit));
            stranger.map(|lit| format!("{lit} is said to have failed, but was not assumed"))
        }
        Outcome::Unknown(_) => None,
    };
    wrong.map_or(Ok(outcome), |message| Err(Failure::Check(message)))
}
