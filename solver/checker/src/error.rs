//! Why a proof or a model is not accepted.

use putnam_formula::{Lit, StopReason};
use std::fmt;
use thiserror::Error;

/// Why a proof was not accepted, and where.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub struct Rejection {
    /// The step at which it happened, counted from 1 (additions and deletions alike); none when the proof as a whole is
    /// at fault.
    pub step: Option<u64>,
    /// The clause that the step adds, as written; none when it adds none.
    pub clause: Option<Vec<Lit>>,
    /// What is wrong.
    pub cause: Cause,
}

/// What is wrong with a proof.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Cause {
    /// The empty clause was claimed, and unit propagation in the clauses so far does not end in a conflict.
    #[error("unit propagation finds no conflict here")]
    NotRefuted,
    /// The clause is not RUP, and not RAT on its first literal: assuming this resolvent to be false leads to no
    /// conflict.
    #[error(
        "it is not implied by unit propagation (RUP), and not RAT on {pivot}: the resolvent with {partner} is not implied"
    )]
    NotRedundant {
        /// The first literal of the clause.
        pivot: Lit,
        /// The clause with the negation of the pivot.
        partner: Antecedent,
    },
    /// The clause is not RUP, and cannot be RAT on its first literal, whose negation follows from the clauses so far.
    #[error("it is not implied by unit propagation (RUP), and not RAT on {0}, whose negation is implied")]
    FalsePivot(Lit),
    /// The proof is over and nothing was refuted.
    #[error("the proof ends without the empty clause")]
    NoEmptyClause,
    /// A hint names a clause that does not exist (any more, or yet).
    #[error("hint {hint}: there is no clause with this id")]
    UnknownHint {
        /// The hint as written.
        hint: i64,
    },
    /// A clause that should be unit has more than one literal that is not false.
    #[error("hint {hint}: clause {clause} is neither unit nor false here", clause = Clause(clause))]
    HintNotUnit {
        /// The hint as written.
        hint: i64,
        /// The clause it names.
        clause: Vec<Lit>,
    },
    /// All hints were used and there is no conflict.
    #[error("the hints lead to no conflict")]
    HintsEnd,
    /// All hints of one resolvent were used and there is no conflict.
    #[error("the hints for the resolvent with clause {id} lead to no conflict")]
    ResolventHintsEnd {
        /// The id of the other clause.
        id: u64,
    },
    /// There are no hints for a clause with the negation of the first literal.
    #[error("the hints say nothing about clause {id}, which has the negation of the first literal")]
    MissingResolvent {
        /// Its id.
        id: u64,
    },
    /// A negative hint names a clause that does not have the negation of the first literal.
    #[error("hint {hint}: this clause does not have the negation of the first literal")]
    NoResolvent {
        /// The hint as written.
        hint: i64,
    },
    /// The id of a new clause is in use or not larger than those before it.
    #[error("id {id} does not come after id {last}")]
    IdOrder {
        /// The id.
        id: u64,
        /// The largest id so far.
        last: u64,
    },
    /// A deletion names a clause that does not exist.
    #[error("there is no clause {id} to delete")]
    UnknownDeletion {
        /// The id as written.
        id: u64,
    },
    /// The check was stopped. This says nothing about the proof.
    #[error("not decided: {0}")]
    Stopped(StopReason),
    /// Formula and proof together are larger than this checker can hold. This says nothing about the proof.
    #[error("not decided: formula and proof have more than 2^32 words")]
    TooLarge,
}

/// Which clause a message speaks of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Antecedent {
    /// Where it comes from.
    pub origin: Origin,
    /// Its literals.
    pub clause: Vec<Lit>,
}

/// Where a clause comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// The clause of the formula with this number, counted from 1.
    Formula(u64),
    /// The addition at this step of the proof, counted from 1.
    Step(u64),
}

/// Displays a clause in parentheses.
struct Clause<'a>(&'a [Lit]);

impl fmt::Display for Clause<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const SHOWN: usize = 20;
        let shown: Vec<String> = self.0.iter().take(SHOWN).map(Lit::to_string).collect();
        let rest = if self.0.len() > SHOWN { format!(" and {} more", self.0.len() - SHOWN) } else { String::new() };
        write!(f, "({}{rest})", shown.join(" "))
    }
}

impl fmt::Display for Antecedent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let clause = Clause(&self.clause);
        match self.origin {
            Origin::Formula(number) => write!(f, "clause {number} of the formula {clause}"),
            Origin::Step(step) => write!(f, "the clause of step {step} {clause}"),
        }
    }
}

impl fmt::Display for Rejection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(step) = self.step else { return write!(f, "{}", self.cause) };
        match self.clause.as_deref() {
            None => write!(f, "step {step}: {}", self.cause),
            Some([]) => write!(f, "step {step}, the empty clause: {}", self.cause),
            Some(clause) => write!(f, "step {step}, clause {}: {}", Clause(clause), self.cause),
        }
    }
}

impl Rejection {
    /// Whether this is a fault of the proof; otherwise the check did not come to an end.
    pub fn is_fault(&self) -> bool {
        !matches!(self.cause, Cause::Stopped(_) | Cause::TooLarge)
    }

    pub(crate) fn whole(cause: Cause) -> Self {
        Self { step: None, clause: None, cause }
    }
}

/// Why a model was not accepted.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ModelRejection {
    /// A literal and its negation are both said to be true.
    #[error("both {0} and its negation are said to be true")]
    Contradiction(Lit),
    /// No literal of a clause is said to be true.
    #[error("clause {number} of the formula has no true literal: {clause}", clause = Clause(clause))]
    Falsified {
        /// The number of the clause, counted from 1.
        number: u64,
        /// The clause.
        clause: Vec<Lit>,
    },
}
