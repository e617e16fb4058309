//! Total assignments.

use crate::{Cnf, Lit, Var};

/// A value for every variable of a formula, one bit each. A variable that nothing was said about is false.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Model {
    num_vars: u32,
    /// Grown on demand: the words past the end are all zero.
    words: Vec<u64>,
}

impl Model {
    /// A model in which all of the `num_vars` variables are false.
    pub fn new(num_vars: u32) -> Self {
        Self { num_vars, words: Vec::new() }
    }

    /// The number of variables that have a value.
    pub fn num_vars(&self) -> u32 {
        self.num_vars
    }

    /// Makes the literal true; the model grows when its variable is new.
    pub fn assign(&mut self, lit: Lit) {
        let index = lit.var().index();
        self.num_vars = self.num_vars.max(lit.var().to_dimacs());
        let bit = 1 << (index % 64);
        if lit.is_negative() {
            if let Some(word) = self.words.get_mut(index / 64) {
                *word &= !bit;
            }
            return;
        }
        if index / 64 >= self.words.len() {
            self.words.resize(index / 64 + 1, 0);
        }
        self.words[index / 64] |= bit;
    }

    /// The value of a variable.
    pub fn value(&self, var: Var) -> bool {
        let index = var.index();
        self.words.get(index / 64).is_some_and(|word| word >> (index % 64) & 1 != 0)
    }

    /// Whether the literal is true.
    pub fn satisfies(&self, lit: Lit) -> bool {
        self.value(lit.var()) == lit.is_positive()
    }

    /// The first clause of the formula, counted from 0, that has no true literal; none when this is a model of it.
    pub fn falsified(&self, cnf: &Cnf) -> Option<usize> {
        cnf.clauses().position(|clause| !clause.iter().any(|&lit| self.satisfies(lit)))
    }

    /// The true literal of every variable, in ascending order of the variables.
    pub fn literals(&self) -> impl Iterator<Item = Lit> + '_ {
        (0..self.num_vars).map(|index| Var::new(index).lit(self.value(Var::new(index))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_declared_variable_has_a_value() {
        let mut model = Model::new(70);
        model.assign(Lit::from_dimacs(66).unwrap());
        model.assign(Lit::from_dimacs(-70).unwrap());
        let values: Vec<i32> = model.literals().map(Lit::to_dimacs).collect();
        let expected: Vec<i32> = (1..=70).map(|x| if x == 66 { 66 } else { -x }).collect();
        assert_eq!(values, expected);
        model.assign(Lit::from_dimacs(-66).unwrap());
        assert!(!model.value(Var::new(65)));
    }

    #[test]
    fn the_empty_clause_is_always_falsified() {
        let cnf: Cnf = [&[1, -1][..], &[]].into_iter().collect();
        assert_eq!(Model::new(1).falsified(&cnf), Some(1));
    }
}
