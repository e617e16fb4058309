//! Explanations: how a person gets from the clues to the grid, step by step.
//!
//! Each step uses one clue or one rule of the grid and known facts. Where none helps, something is supposed and led to a
//! contradiction; where that does not help, contradictions are looked for inside of suppositions; and what is left then is
//! explained by a minimal set of clues and rules.

mod board;
mod check;
mod ground;
mod nested;
mod optimal;
mod probes;
mod rating;
mod rules;
mod search;
mod speak;
mod state;
mod steps;
#[cfg(test)]
mod tests;

pub(crate) use ground::too_large;

pub use check::{Unsound, check_explanation, check_step};
pub use optimal::explain_optimally;
pub use rating::{Rating, rating};
pub use rules::{Rules, Source};
pub use search::{Explanation, explain, hint};
pub use speak::Narrator;
pub use state::read_state;
pub use steps::{Case, Step};

use putnam_formula::Lit;
use thiserror::Error;

/// A fact with its truth value: a literal over the facts.
pub type Fact = Lit;

/// Why a puzzle is not explained.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Refused {
    /// A category has too many values.
    #[error("explanations need categories of at most {1} values; '{0}' has more")]
    Size(String, usize),
    /// The facts that were given contradict the puzzle: these clues and these facts have no solution together.
    #[error("the clues (and the facts that are given) have no solution")]
    Clash {
        /// The indices of the clues.
        clues: Vec<usize>,
        /// The given facts.
        facts: Vec<Fact>,
    },
}
