//! Bytes to formulas and back: DIMACS CNF and the peg assignment's format, answers, proofs, compressed input.
//!
//! ```
//! use putnam_formats::{Dialect, ReadOptions, read_from, write_dimacs};
//!
//! let text = "c two clauses\np cnf 3 2\n1 -2 0\n2 3 0\n";
//! let document = read_from(text.as_bytes(), "example.cnf", &ReadOptions::default()).unwrap();
//! assert_eq!(document.dialect, Dialect::Dimacs);
//! assert_eq!((document.cnf.num_vars(), document.cnf.num_clauses()), (3, 2));
//!
//! let mut out = Vec::new();
//! write_dimacs(&mut out, &document.cnf, &document.symbols).unwrap();
//! assert_eq!(out, b"p cnf 3 2\n1 -2 0\n2 3 0\n");
//! ```

#![forbid(unsafe_code)]

mod answer;
mod assignment;
mod dimacs;
mod document;
mod error;
mod guess;
mod input;
mod names;
mod proof;
mod source;
mod tokens;
mod write;

pub use answer::{
    Answer, AnswerFile, AssignmentAnswer, Verdict, read_answer, read_answer_file, read_assignment_answer,
    write_assignment_answer, write_competition, write_values,
};
pub use document::{Dialect, Document, Header, InputFormat, ReadOptions, read_from, read_packed_path, read_path};
pub use error::{Problem, ReadError, SyntaxError, Warning};
pub use input::open_text;
pub use names::back_matter;
pub use proof::{LratWriter, ProofFormat, ProofStep, ProofWriter, read_proof};
pub use write::{write_assignment, write_dimacs};
