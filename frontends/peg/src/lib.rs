//! The peg game on any board, as a front end.
//!
//! A board is holes and which of them lie in a row ([`Board`]); [`read`] reads it from triples or from a map. Holes are
//! numbered from 1; on a map row by row from the top and from left to right in each row. A [`Problem`] is a board with a start and a
//! [`Goal`]; its clauses are those of the well-known course assignment. A solution is a [`Plan`], which is replayed on the
//! board by itself. [`Search`] is a depth-first search that knows nothing of clauses: it counts, and checks the encodings.
//!
//! ```
//! use putnam_peg::{Goal, Problem, Search, builtin};
//!
//! let setup = builtin("triangle-15").unwrap().setup();
//! let problem = Problem::new(setup.board.into(), setup.start);
//! let encoding = putnam_api::Problem::encode(&problem);
//! assert_eq!((encoding.cnf.num_vars(), encoding.cnf.num_clauses()), (678, 11_522));
//! assert_eq!(problem.count(), Some(29_760));
//! let plan = problem.plan(Search::new(&problem.board, Goal::OnePeg).unwrap().plan(&problem.start).unwrap());
//! putnam_api::Solution::verify(&plan).unwrap();
//! ```

#![forbid(unsafe_code)]

pub mod assignment;
mod batch;
mod board;
mod builtin;
mod certificate;
mod count_proof;
mod ends;
mod family;
mod frontend;
mod goal;
mod horizon;
mod invariant;
mod key;
mod moves;
mod optimum;
mod pagoda;
mod pairs;
mod parallel;
mod pattern;
mod picture;
mod plan;
mod problem;
mod read;
mod search;
mod sequential;
mod solve;
mod symmetry;

pub use batch::{Row, same_starts, solve_start};
pub use board::{Board, Hole, Jump, Lattice, MAX_HOLES, Picture, Position};
pub use builtin::{BUILTINS, Builtin, builtin};
pub use certificate::{Attached, check_certificate, check_certificate_with};
pub use family::{FAMILIES, named};
pub use frontend::{Peg, load};
pub use goal::Goal;
pub use horizon::{EngineSink, Found, HorizonOptions, HorizonResult, search};
pub use invariant::{Invariants, ParityProof};
pub use optimum::{Measure, Optimum};
pub use pagoda::PagodaProof;
pub use pairs::{Image, Pair, same_pairs};
pub use parallel::Unrolled;
pub use pattern::hole_list;
pub use plan::{Plan, STYLES};
pub use problem::Problem;
pub use read::{Setup, read};
pub use search::{SEARCH_HOLES, Search};
pub use solve::{Clauses, Refutation, Verdict, solve};
pub use symmetry::{Symmetries, Symmetry};
