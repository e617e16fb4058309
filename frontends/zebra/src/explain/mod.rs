//! Explanations: how a person gets from the clues to the grid, step by step.
//!
//! Each step uses one clue or one rule of the grid and known facts. Where none helps, something is supposed and led to a
//! contradiction; where that does not help, contradictions are looked for inside of suppositions; and what is left then is
//! explained by a minimal set of clues and rules.

mod board;
mod check;
mod search;
mod speak;
mod state;
mod steps;

pub use board::{Fact, Rules, Source};
pub use check::{Unsound, check_explanation, check_step};
pub use search::{Explanation, explain, hint};
pub use speak::{Narrator, Rating, rating};
pub use state::read_state;
pub use steps::{Case, Step};

use thiserror::Error;

/// Why a puzzle is not explained.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Refused {
    /// Some category is not exact.
    #[error("explanations need categories that have each value exactly once; '{0}' is declared otherwise")]
    Category(String),
    /// Some clues lie.
    #[error("explanations need clues that all hold; here some are false")]
    Lies,
    /// The facts that were given contradict the puzzle: these clues and these facts have no solution together.
    #[error("the clues (and the facts that are given) have no solution")]
    Clash {
        /// The indices of the clues.
        clues: Vec<usize>,
        /// The given facts.
        facts: Vec<Fact>,
    },
}
