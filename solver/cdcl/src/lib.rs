//! Putnam's default engine: conflict-driven clause learning.
//!
//! ```
//! use putnam_cdcl::Solver;
//! use putnam_formula::{Engine, Lit, Outcome};
//!
//! let lit = |number| Lit::from_dimacs(number).unwrap();
//! let mut solver = Solver::new();
//! solver.add_clause(&[lit(1), lit(2)]);
//! solver.add_clause(&[lit(-1), lit(3)]);
//!
//! // A model has a value for every variable.
//! let Outcome::Satisfiable(model) = solver.solve(&[]) else { panic!("satisfiable") };
//! assert!(model.satisfies(lit(1)) || model.satisfies(lit(2)));
//!
//! // Under assumptions, an answer says which of them clash.
//! let outcome = solver.solve(&[lit(4), lit(-3), lit(1)]);
//! let Outcome::Unsatisfiable { failed } = outcome else { panic!("unsatisfiable") };
//! assert_eq!(failed, [lit(-3), lit(1)]);
//!
//! // Clauses can be added at any time.
//! solver.add_clause(&[lit(-2)]);
//! let Outcome::Satisfiable(model) = solver.solve(&[]) else { panic!("satisfiable") };
//! assert!(model.satisfies(lit(1)) && model.satisfies(lit(3)));
//! ```

mod add;
mod data;
mod enumerate;
mod inprocess;
mod options;
mod profile;
mod proof;
mod reconstruct;
mod report;
mod search;
mod solver;
mod statistics;
#[cfg(test)]
mod testing;

pub use enumerate::Enumeration;
pub use options::{OptionError, OptionInfo, Options};
pub use reconstruct::extension::{Extension, ExtensionError, ExtensionErrorCause, Simplified};
pub use report::{Event, Observer, ReportLine};
pub use solver::Solver;
