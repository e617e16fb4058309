//! Constraints as clauses: at most one, exactly one, cardinality. They are written to any [`ClauseSink`].
//!
//! **No added models.** Every auxiliary variable is defined by the given literals, in both directions. So each
//! assignment of the given literals that the constraint allows extends to exactly one assignment of the auxiliary
//! variables, and counting models needs no projection. Where literals are repeated, each copy counts.
//!
//! ```
//! use putnam_encode::{at_most, exactly_one};
//! use putnam_formula::{ClauseSink, Cnf, Lit};
//!
//! let mut cnf = Cnf::new();
//! let lits: Vec<Lit> = (0..20).map(|_| cnf.new_var().positive()).collect();
//! exactly_one(&mut cnf, &lits[..10]);
//! at_most(&mut cnf, &lits, 3);
//! ```

#![forbid(unsafe_code)]

mod amo;
mod counter;
#[cfg(test)]
mod oracle;

pub use amo::{AtMostOne, at_most_one, at_most_one_by, exactly_one};
pub use counter::{Counter, at_least, at_most, exactly};

use putnam_formula::{ClauseSink, Lit};

/// A fresh literal that is true exactly when one of `lits` is; false for none.
pub fn define_or<S: ClauseSink + ?Sized>(sink: &mut S, lits: &[Lit]) -> Lit {
    let or = sink.new_var().positive();
    let mut long = vec![!or];
    for &lit in lits {
        sink.add_clause(&[or, !lit]);
        long.push(lit);
    }
    sink.add_clause(&long);
    or
}

/// A fresh literal that is true exactly when all of `lits` are; true for none.
pub fn define_and<S: ClauseSink + ?Sized>(sink: &mut S, lits: &[Lit]) -> Lit {
    let negated: Vec<Lit> = lits.iter().map(|&lit| !lit).collect();
    !define_or(sink, &negated)
}
