//! The words that every part of Putnam shares: variables, literals, clauses, formulas, models, atom names, and the two
//! interfaces behind which engines and proofs stand. This crate depends on nothing and knows nobody, so all may know
//! it.
//!
//! ```
//! use putnam_formula::{ClauseSink, Cnf, Lit, Model};
//!
//! let mut cnf = Cnf::new();
//! let lit = |x| Lit::from_dimacs(x).unwrap();
//! cnf.add_clause(&[lit(1), lit(-2)]);
//! cnf.add_clause(&[lit(2)]);
//! let mut model = Model::new(cnf.num_vars());
//! model.assign(lit(2));
//! assert_eq!(model.falsified(&cnf), Some(0)); // x1 is false unless it is assigned
//! model.assign(lit(1));
//! assert_eq!(model.falsified(&cnf), None);
//! ```

#![forbid(unsafe_code)]

mod cnf;
mod engine;
mod lit;
mod memory;
mod model;
mod packed;
mod proof;
mod renumber;
mod symbols;

pub use cnf::{ClauseSink, Cnf};
pub use engine::{Engine, Limits, Outcome, Statistic, StopReason};
pub use lit::{Lit, Var};
pub use memory::{Scratch, release};
pub use model::Model;
pub use packed::PackedClauses;
pub use proof::{ProofSink, SharedProof};
pub use renumber::Renumbering;
pub use symbols::Symbols;
