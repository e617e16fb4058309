//! The classical procedure of Davis, Putnam, Logemann and Loveland, to be read from top to bottom. It learns nothing
//! and jumps nowhere: it assigns what is forced, assigns what is pure, guesses, and takes its last guess back when a
//! clause has become false. For large formulas there is `putnam-cdcl`; this crate is for teaching and as a second
//! opinion.
//!
//! 1. *Unit propagation*: a clause whose literals are all false but one makes that one true.
//! 2. *Pure literals*: when a literal occurs in clauses that are not yet satisfied and its negation in none of them,
//!    making it true can do no harm.
//! 3. *Branching*: guess a value for the variable with the highest score. The variables of a falsified clause get a
//!    bonus, and the bonus grows with time, so that old conflicts fade (VSIDS: Moskewicz et al., Chaff, DAC 2001).
//! 4. *Chronological backtracking*: when a clause is false, the last guess was wrong given the guesses before it. Take
//!    back all that followed from it and assign its opposite. With no guess left, there is no model.
//!
//! M. Davis and H. Putnam, A computing procedure for quantification theory, J. ACM 7 (1960); M. Davis, G. Logemann and
//! D. Loveland, A machine program for theorem-proving, Comm. ACM 5 (1962).
//!
//! Read `search.rs` first (the four steps above), then `formula.rs` (how clauses notice that they became unit,
//! satisfied or false), then `scores.rs` (the heap that finds the next variable). `trace.rs` draws the search as a tree
//! of text; `engine.rs` and `outside.rs` translate between the user's variables and consecutive ones.
//!
//! ```
//! use putnam_dpll::Dpll;
//! use putnam_formula::{Engine, Lit, Outcome};
//!
//! let lit = |x| Lit::from_dimacs(x).unwrap();
//! let mut solver = Dpll::new();
//! solver.add_clause(&[lit(1), lit(2)]);
//! solver.add_clause(&[lit(-1)]);
//! let Outcome::Satisfiable(model) = solver.solve(&[]) else { panic!() };
//! assert!(model.satisfies(lit(2)));
//! assert_eq!(solver.solve(&[lit(3), lit(-2)]), Outcome::Unsatisfiable { failed: vec![lit(-2)] });
//! ```
//!
//! # Proofs
//!
//! Every refutation is written as a DRAT proof that has only RUP steps. When a clause becomes false, the guesses that
//! it rests on are found by following the reasons of its literals backwards. The *lemma* of the conflict is the clause
//! of their negations. Three facts make it RUP, that is: assuming the opposite of the lemma, unit propagation in the
//! formula and the lemmas that are still there ends in a conflict.
//!
//! - A propagated literal has a clause of the formula as its reason, and unit propagation from the same guesses finds
//!   it.
//! - A guess that was taken back is, from then on, the opposite literal with its lemma as the reason. All other
//!   literals of that lemma are negated guesses that still stand, so the lemma is unit as long as the literal is
//!   assigned. The lemma is deleted only when the literal is taken back, after the lemma of the next conflict has been
//!   written.
//! - A pure literal is never part of a reason or a conflict. When p is assigned as pure, every clause with the opposite
//!   of p is satisfied by literals that stand below p on the trail, and so it remains until p is taken back. Hence none
//!   of them becomes unit or false, now or later in this subtree. A clause that was a reason before p was assigned has
//!   only assigned literals. So nothing that follows pure literals, the flipped guesses among it, rests on them, and
//!   refutations need neither a RAT step nor a clause for a pure literal.
//!
//! The last lemma is the empty clause, or, under assumptions, the clause of the negated failed assumptions. It stays.
//!
//! # Failed assumptions
//!
//! Assumptions are the first guesses, and pure literals are looked for only when all of them stand, since a literal
//! that is pure may be the opposite of an assumption. The failed set is the last lemma: the assumptions that the
//! reasons of this refutation lead back to. Assumptions that no reason leads to are not in it, so it is often far
//! smaller than all assumptions (and empty when the tree that was searched never used one), but nothing is tried to
//! make it minimal.

#![forbid(unsafe_code)]

mod engine;
mod formula;
mod outside;
mod scores;
mod search;
mod trace;

pub use search::Dpll;
pub use trace::{Event, Observer, SearchTree};
