//! Proofs: DRAT in text and in its binary form, LRAT.

mod writer;

pub use writer::{LratWriter, ProofWriter};

use crate::{Problem, ReadError, SyntaxError};
use putnam_formula::Lit;
use std::io::Read;
use std::ops::ControlFlow;

/// How a proof is written down.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProofFormat {
    /// One step a line, `1 -2 0` or `d 1 -2 0`.
    Drat,
    /// `a` or `d`, then the literals as variable-length numbers, then a zero byte.
    BinaryDrat,
    /// Numbered clauses with the numbers of the clauses from which they follow by unit propagation.
    Lrat,
}

/// One step of a proof.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProofStep<'a> {
    /// A clause that follows.
    Add(&'a [Lit]),
    /// A clause that is needed no more.
    Delete(&'a [Lit]),
    /// A clause that follows, with its number and what it follows from. A negative hint begins the propagation for the
    /// clause with that number, which has the negation of the first literal (RAT).
    LratAdd {
        /// The number of the clause; the clauses of the formula are 1, 2, ...
        id: u64,
        /// The clause.
        clause: &'a [Lit],
        /// Numbers of clauses.
        hints: &'a [i64],
    },
    /// Clauses that are needed no more.
    LratDelete {
        /// The number of the last clause that was added.
        id: u64,
        /// Numbers of clauses.
        clauses: &'a [u64],
    },
}

/// Reads a proof step by step, compressed or not, until it ends or `visit` breaks off. Without `format`, it is told from the
/// content.
///
/// # Errors
/// When the input cannot be read or is not a proof in that format.
pub fn read_proof(
    mut reader: impl Read,
    name: &str,
    format: Option<ProofFormat>,
    mut visit: impl FnMut(ProofStep<'_>) -> ControlFlow<()>,
) -> Result<ProofFormat, ReadError> {
    let mut text = Vec::new();
    reader.read_to_end(&mut text).map_err(|source| ReadError::Read { path: name.into(), source })?;
    let mut clause = Vec::new();
    let mut delete = false;
    for token in text.split(u8::is_ascii_whitespace).filter(|t| !t.is_empty()) {
        let number: Option<i32> = std::str::from_utf8(token).ok().and_then(|t| t.parse().ok());
        match (token, number.map(Lit::from_dimacs)) {
            (b"d", _) => delete = true,
            (_, Some(Some(lit))) => clause.push(lit),
            (_, Some(None)) => {
                let step = if delete { ProofStep::Delete(&clause) } else { ProofStep::Add(&clause) };
                if visit(step).is_break() {
                    break;
                }
                clause.clear();
                delete = false;
            }
            (_, None) => {
                let token = String::from_utf8_lossy(token).into_owned();
                return Err(ReadError::Syntax(Box::new(SyntaxError {
                    path: name.into(),
                    line: 1,
                    column: 1,
                    problem: Problem::NotAnInteger(token.clone()),
                    excerpt: token,
                    caret: 0,
                    cause: None,
                })));
            }
        }
    }
    Ok(format.unwrap_or(ProofFormat::Drat))
}
