//! Checking a model.

use crate::error::ModelRejection;
use putnam_formula::{Cnf, Lit, Model};

/// Checks that the literals that are said to be true do not contradict each other and satisfy every clause. Variables
/// that no literal speaks of satisfy nothing.
///
/// # Errors
/// The first contradiction, or else the first clause without a true literal.
pub fn check_model(cnf: &Cnf, literals: impl IntoIterator<Item = Lit>) -> Result<(), ModelRejection> {
    let mut said = [Model::new(0), Model::new(0)];
    for lit in literals {
        let sign = lit.is_negative() as usize;
        said[sign].assign(lit.var().positive());
        if said[1 - sign].value(lit.var()) {
            return Err(ModelRejection::Contradiction(lit.var().positive()));
        }
    }
    for (index, clause) in cnf.clauses().enumerate() {
        if !clause.iter().any(|&lit| said[lit.is_negative() as usize].value(lit.var())) {
            return Err(ModelRejection::Falsified { number: index as u64 + 1, clause: clause.to_vec() });
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn models_are_taken_or_the_fault_is_named() {
        let cnf: Cnf = [&[1, -2][..], &[2, 3], &[5, -5]].into_iter().collect();
        let check = |numbers: &[i32]| check_model(&cnf, numbers.iter().map(|&x| Lit::from_dimacs(x).unwrap()));
        assert_eq!(check(&[1, 2, -5]), Ok(()));
        assert_eq!(check(&[-5, -2, 3]), Ok(()));
        let contradiction = check(&[1, 2, -5, -2]).unwrap_err();
        assert_eq!(contradiction.to_string(), "both 2 and its negation are said to be true");
        let falsified = check(&[1, 5]).unwrap_err();
        assert_eq!(falsified.to_string(), "clause 2 of the formula has no true literal: (2 3)");
    }
}
