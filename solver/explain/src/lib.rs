//! Why a formula has no model: cores, minimal unsatisfiable subsets (MUS), and the cheapest ones.
//!
//! A formula comes in groups of clauses, such as the clauses of one clue, that are taken or left as a whole, and hard
//! clauses that are always there. Everything here works on any CNF; nothing is known about puzzles.
//!
//! ```
//! use putnam_explain::{Cheapest, Groups, all_muses, mus};
//! use putnam_formula::Lit;
//!
//! let lit = |number| Lit::from_dimacs(number).unwrap();
//! let mut groups = Groups::new(2);
//! for clause in [[1].as_slice(), &[-1, 2], &[-2], &[-1], &[2]] {
//!     groups.add_group(&[clause.iter().map(|&x| lit(x)).collect()]);
//! }
//! let all: Vec<usize> = (0..5).collect();
//! assert!(groups.core(&all).is_some());
//! let minimal = mus(&mut groups, &all).unwrap();
//! assert!(groups.core(&minimal).is_some());
//! let (mut found, complete) = all_muses(&mut groups, 10);
//! found.sort();
//! assert!(complete);
//! assert_eq!(found, [vec![0, 1, 2], vec![0, 3], vec![2, 4]]);
//! // The cheapest when group 3 is dear: groups 2 and 4.
//! let cheapest = Cheapest::new(groups, vec![1, 1, 1, 9, 1]);
//! assert_eq!(cheapest.find(&all, &[], u64::MAX).unwrap(), (vec![2, 4], 2));
//! ```

#![forbid(unsafe_code)]

mod cheapest;
mod groups;
mod marco;
mod mus;
mod tree;

pub use cheapest::Cheapest;
pub use groups::Groups;
pub use marco::all_muses;
pub use mus::{mus, verify_mus};
