//! Brute force, for the tests: the models of a formula that extend an assignment of the given literals.

use putnam_formula::{ClauseSink, Cnf, Lit};

/// A formula and `n` positive literals of its first variables.
pub(crate) fn fresh(n: usize) -> (Cnf, Vec<Lit>) {
    let mut cnf = Cnf::new();
    let lits = (0..n).map(|_| cnf.new_var().positive()).collect();
    (cnf, lits)
}

pub(crate) fn popcount(bits: u32) -> usize {
    bits.count_ones() as usize
}

/// Checks for every assignment of `lits` (bit i is literal i) that it has exactly one extension to a model when it is
/// allowed, and none otherwise.
pub(crate) fn assert_same_models(cnf: &Cnf, lits: &[Lit], allowed: impl Fn(u32) -> bool) {
    for bits in 0..1u32 << lits.len() {
        let mut values = vec![None; cnf.num_vars() as usize];
        for (i, lit) in lits.iter().enumerate() {
            values[lit.var().index()] = Some((bits >> i & 1 == 1) == lit.is_positive());
        }
        let models = extensions(cnf, values);
        assert_eq!(models, u64::from(allowed(bits)), "assignment {bits:b} of {} literals", lits.len());
    }
}

/// The number of models that extend a partial assignment: unit propagation, then both values of the first open
/// variable.
fn extensions(cnf: &Cnf, mut values: Vec<Option<bool>>) -> u64 {
    let value = |values: &[Option<bool>], lit: Lit| values[lit.var().index()].map(|v| v == lit.is_positive());
    loop {
        let mut changed = false;
        for clause in cnf.clauses() {
            if clause.iter().any(|&lit| value(&values, lit) == Some(true)) {
                continue;
            }
            let mut open = clause.iter().filter(|&&lit| value(&values, lit).is_none());
            match (open.next(), open.next()) {
                (None, _) => return 0,
                (Some(unit), None) => {
                    values[unit.var().index()] = Some(unit.is_positive());
                    changed = true;
                }
                _ => {}
            }
        }
        if !changed {
            break;
        }
    }
    let Some(branch) = values.iter().position(Option::is_none) else { return 1 };
    [false, true]
        .map(|choice| {
            let mut values = values.clone();
            values[branch] = Some(choice);
            extensions(cnf, values)
        })
        .iter()
        .sum()
}
