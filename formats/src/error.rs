//! What can be wrong with input, and what is odd about it.

use std::fmt;
use std::io;

/// Why input could not be read. Shown with path, line and column, the line with a caret under the token, and a likely cause
/// where there is one.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// The file cannot be opened.
    #[error("{path}: cannot be opened: {source}")]
    Open {
        /// The file as the user named it.
        path: String,
        /// What the operating system said.
        source: io::Error,
    },
    /// Reading failed half-way, or a compressed file is damaged or cut short.
    #[error("{path}: cannot be read: {source}")]
    Read {
        /// The file as the user named it.
        path: String,
        /// What the operating system or the decoder said.
        source: io::Error,
    },
    /// There is not one byte.
    #[error("{path}: the file is empty")]
    Empty {
        /// The file as the user named it.
        path: String,
    },
    /// The formula does not fit into memory.
    #[error("{path}:{line}: memory is exhausted after {clauses} clauses")]
    Memory {
        /// The file as the user named it.
        path: String,
        /// How far reading came, counted from 1.
        line: u64,
        /// The clauses that were read.
        clauses: u64,
    },
    /// The text is not what it should be.
    #[error("{0}")]
    Syntax(Box<SyntaxError>),
}

/// A place in a text and what is wrong there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SyntaxError {
    /// The file as the user named it.
    pub path: String,
    /// The line, counted from 1.
    pub line: u64,
    /// The column in bytes, counted from 1.
    pub column: u64,
    /// What is wrong.
    pub problem: Problem,
    /// The line, or the part of a long one around the column, in printable characters.
    pub excerpt: String,
    /// Where the caret stands under `excerpt`, in characters, counted from 0.
    pub caret: usize,
    /// What the reason may be.
    pub cause: Option<String>,
}

impl fmt::Display for SyntaxError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}: {}", self.path, self.line, self.column, self.problem)?;
        write!(f, "\n    {}\n    {:>width$}", self.excerpt, '^', width = self.caret + 1)?;
        match &self.cause {
            Some(cause) => write!(f, "\n    {cause}"),
            None => Ok(()),
        }
    }
}

/// What is wrong with a text.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Problem {
    /// A token that should be an integer and is none.
    #[error("`{0}` is not an integer")]
    NotAnInteger(String),
    /// A clause that the end of the file cuts off.
    #[error("the clause that begins on line {line}, column {column} is not closed by 0")]
    Unclosed {
        /// Its first literal's line.
        line: u64,
        /// Its first literal's column.
        column: u64,
    },
}

/// Something that was read, although it is not quite as it should be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Warning {
    /// The file as the user named it.
    pub path: String,
    /// The line, counted from 1, if one line is to blame.
    pub line: Option<u64>,
    /// What is odd and how it was read.
    pub message: String,
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            Some(line) => write!(f, "{}:{line}: {}", self.path, self.message),
            None => write!(f, "{}: {}", self.path, self.message),
        }
    }
}
