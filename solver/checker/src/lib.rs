//! Checks proofs that a formula has no model, and models. This crate knows formulas and nothing else: it cannot see the
//! engines whose answers it checks, and shares no code with them.
//!
//! ```
//! use putnam_checker::{Proof, check};
//! use putnam_formula::{Cnf, Lit, ProofSink};
//!
//! let cnf: Cnf = [&[1, 2][..], &[1, -2], &[-1, 2], &[-1, -2]].into_iter().collect();
//! let mut proof = Proof::new();
//! proof.add(&[Lit::from_dimacs(1).unwrap()]);
//! proof.add(&[]);
//! let report = check(&cnf, &proof).unwrap();
//! assert_eq!(report.core(), Some(vec![0, 1, 2, 3]));
//!
//! let other: Cnf = [&[1, 2][..], &[1, -2]].into_iter().collect();
//! let rejection = check(&other, &proof).unwrap_err();
//! assert_eq!(rejection.to_string(), "step 2, the empty clause: unit propagation finds no conflict here");
//! ```
//!
//! # DRAT
//!
//! Each added clause must be RUP (assuming all its literals false, unit propagation in the clauses at that step ends in
//! a conflict) or RAT on its first literal as written (for every clause with the negation of that literal, assuming the
//! literals of both false but that negation ends in a conflict). The proof is complete when unit propagation alone
//! finds a conflict; the formula may already be so. Steps after that are not looked at.
//!
//! Duplicate literals count once. Clauses with opposite literals are always true and take part in nothing. Deleting a
//! clause that does not exist is counted and has no effect.
//!
//! A check goes [`Mode::Backward`]: it looks only at what the refutation turns out to need, so a wrong clause that
//! nobody uses is not noticed. It finds the core of the formula, a trimmed proof, and an LRAT proof with hints. RAT is
//! then checked against the clauses that the rest of the refutation needs; all others could have been deleted before,
//! and in the trimmed proof they are. [`Mode::Forward`] checks every addition up to the conflict, RAT against all
//! clauses.
//!
//! Deletions of unit clauses, and of clauses that are the reason of a literal that unit propagation makes true, are
//! ignored, as by DRAT-trim: most solvers write such deletions and go on to use the literal. With
//! [`Options::strict_unit_deletions`] they count, as the definition of DRAT says, and the check goes forward
//! (Rebola-Pardo and Biere, Two flavors of DRAT, POS 2018). Ignoring a deletion is safe for RUP, and in either reading
//! an accepted refutation means that the formula has no model.
//!
//! # LRAT
//!
//! [`check_lrat`] follows the hints of each clause, and so does no search. Hints must become unit in order; the last
//! one must be false. A RAT step has a group of hints for every clause with the negation of its first literal.

#![forbid(unsafe_code)]

mod clauses;
mod error;
mod load;
mod lrat;
mod model;
mod proof;
mod propagation;
mod redundancy;
mod report;
mod verify;

pub use error::{Antecedent, Cause, ModelRejection, Origin, Rejection};
pub use lrat::{LratReport, check_lrat};
pub use model::check_model;
pub use proof::{LratProof, LratStep, Proof, Step};
pub use report::{Report, Statistics};

use putnam_formula::Cnf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

/// How a proof is checked.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// The direction.
    pub mode: Mode,
    /// Deletions of unit clauses count. The check then goes forward.
    pub strict_unit_deletions: bool,
    /// Keeps the hints that [`Report::write_lrat`] needs. They take memory: about as much as the proof, often more.
    pub hints: bool,
    /// When to give up.
    pub deadline: Option<Instant>,
    /// Looked at before each clause is checked: true means stop.
    pub terminate: Option<Arc<AtomicBool>>,
}

/// The direction of a check.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mode {
    /// From the conflict back, looking only at what is needed.
    #[default]
    Backward,
    /// In the order of the proof, looking at everything.
    Forward,
}

/// Checks a DRAT proof with the default options: backward, unit deletions ignored, no hints kept.
///
/// # Errors
/// The first fault that is found; going backward this is the last one in the proof.
pub fn check<'a>(cnf: &'a Cnf, proof: &'a Proof) -> Result<Report<'a>, Rejection> {
    verify::verify(cnf, proof, &Options::default())
}

/// Checks a DRAT proof.
///
/// # Errors
/// As [`check`]; also when a limit of the options stops the check, see [`Rejection::is_fault`].
pub fn check_with<'a>(cnf: &'a Cnf, proof: &'a Proof, options: &Options) -> Result<Report<'a>, Rejection> {
    verify::verify(cnf, proof, options)
}
