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
    /// The line, or the part of a long one around the column, in printable characters; empty if it is no longer at hand.
    pub excerpt: String,
    /// Where the caret stands under `excerpt`, in characters, counted from 0.
    pub caret: usize,
    /// What the reason may be.
    pub cause: Option<String>,
}

impl fmt::Display for SyntaxError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}: {}", self.path, self.line, self.column, self.problem)?;
        if !self.excerpt.is_empty() {
            write!(f, "\n    {}\n    {:>width$}", self.excerpt, '^', width = self.caret + 1)?;
        }
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
    /// The token `-0`.
    #[error("`-0` is neither a literal nor the end of a clause")]
    MinusZero,
    /// A number whose variable would be over 2^31 - 1.
    #[error("`{0}` is too large for a literal")]
    TooLarge(String),
    /// A clause that the end of the file (or the trailer `%`) cuts off. The place is where it begins.
    #[error("the clause that begins here is not closed by 0")]
    Unclosed,
    /// Two lines `p cnf`.
    #[error("a second header; the first is on line {first}")]
    SecondHeader {
        /// The line of the first.
        first: u64,
    },
    /// A header after clauses.
    #[error("a header after the first clause")]
    LateHeader,
    /// `p` and something that is not `cnf`.
    #[error("the header says `{0}`, not `cnf`")]
    HeaderFormat(String),
    /// A header with too few fields.
    #[error("the header has no {0}")]
    HeaderField(&'static str),
    /// A field of the header that is not a number, or one that is too large.
    #[error("`{token}` is not a number of {what}")]
    HeaderNumber {
        /// The field.
        token: String,
        /// Variables or clauses.
        what: &'static str,
    },
    /// A header with too many fields.
    #[error("`{0}` after the end of the header")]
    HeaderEnd(String),
    /// Something after SATLIB's trailer.
    #[error("`{0}` after the trailer `%`")]
    AfterTrailer(String),
    /// Nothing but blanks and comments.
    #[error("there is neither a header nor a clause")]
    NoFormula,
    /// The first bytes are not those of a text.
    #[error("the input is not text")]
    NotText,
    /// A 0 that closes a clause, in the assignment's format.
    #[error("a 0 within a line; in the peg assignment's format the end of the line ends a clause")]
    ClosingZero,
    /// Something beside the 0 that ends the clauses, in the assignment's format.
    #[error("`{0}` after the 0; in the peg assignment's format the 0 that ends the clauses stands alone in its line")]
    AfterZero(String),
    /// A comment line in the assignment's format.
    #[error("a comment line; the peg assignment's format has none")]
    Comment,
    /// A line `p cnf` in the assignment's format.
    #[error("a line `p`; the peg assignment's format has no header")]
    DimacsHeader,
    /// What is read with a warning otherwise, in strict mode.
    #[error("{0} (strict mode)")]
    Strict(String),
    /// A word that should be the number of an atom.
    #[error("`{0}` is not the number of an atom")]
    NotAnAtom(String),
    /// A word that should be a truth value.
    #[error("`{0}` is not a truth value")]
    NotAValue(String),
    /// A line of an answer with too few or too many words.
    #[error("a line of an answer is `ATOM VALUE`")]
    AnswerLine,
    /// An atom with two values.
    #[error("atom {0} has two values")]
    TwoValues(u32),
    /// Text that is no answer of any kind.
    #[error("there is no answer")]
    NoAnswer,
    /// A step of a proof that does not begin as one.
    #[error("`{0}` does not begin a step of a proof")]
    ProofStep(String),
    /// A number in a binary proof whose variable would be over 2^31 - 1.
    #[error("a literal that is too large")]
    BinaryLiteral,
    /// A number of a clause in an LRAT proof that is none.
    #[error("`{0}` is not the number of a clause")]
    ClauseNumber(String),
    /// The end of the file within a step of a proof.
    #[error("the last step of the proof is cut short")]
    ProofEnd,
}

/// `bytes` with a stand-in for everything that does not print.
pub(crate) fn printable(bytes: &[u8]) -> String {
    let show = |c: char| match c {
        '\t' => ' ',
        c if c.is_control() => char::REPLACEMENT_CHARACTER,
        c => c,
    };
    String::from_utf8_lossy(bytes).chars().map(show).collect()
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
