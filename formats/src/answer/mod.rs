//! Answers: competition lines, the assignment's output, and what other solvers print.

mod assignment;
mod competition;
mod others;

pub use assignment::{AssignmentAnswer, read_assignment_answer, write_assignment_answer};
pub use competition::{write_competition, write_values};
pub use others::{Answer, read_answer};

use crate::input::decompress;
use crate::source::Source;
use crate::{Problem, ReadError};
use std::io::Read;

/// What a solver says about a formula.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It has a model.
    Satisfiable,
    /// It has none.
    Unsatisfiable,
    /// Nothing was found out.
    Unknown,
}

/// An answer of either kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AnswerFile {
    /// `s` and `v` lines, or what other solvers leave in their result files.
    Competition(Answer),
    /// `atom T` lines, `0`, back matter.
    Assignment(AssignmentAnswer),
}

/// Reads an answer, compressed or not, and tells its kind from its content: one that begins with a number is the
/// assignment's.
///
/// # Errors
/// When the input cannot be read, or is no answer.
pub fn read_answer_file(reader: impl Read, name: &str) -> Result<AnswerFile, ReadError> {
    let mut source = Source::new(decompress(reader, name)?, name)?;
    if source.head().is_empty() {
        return Err(ReadError::Empty { path: name.into() });
    }
    source.skip_blanks(true)?;
    if source.peek().is_some_and(|b| b.is_ascii_digit()) {
        return assignment::read(&mut source).map(AnswerFile::Assignment);
    }
    let place = source.place();
    let answer = read_answer(&source.take_rest()?, None);
    if answer.verdict == Verdict::Unknown && !answer.decided {
        return Err(source.error_at(place, Problem::NoAnswer));
    }
    Ok(AnswerFile::Competition(answer))
}
