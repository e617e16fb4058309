//! A formula in conjunctive normal form, and what clauses can be written to.

use crate::{Lit, PackedClauses, Var};
use std::collections::TryReserveError;

/// Whatever takes clauses and hands out fresh variables: a [`Cnf`], an engine. Encodings write to this.
pub trait ClauseSink {
    /// A variable that no clause has used yet.
    fn new_var(&mut self) -> Var;

    /// Adds one clause, a disjunction of literals. Duplicate literals, tautologies and the empty clause are taken as
    /// they are.
    fn add_clause(&mut self, clause: &[Lit]);
}

/// A formula in conjunctive normal form, its clauses exactly as they were written (order, duplicate literals and
/// tautologies included), stored in one flat array.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cnf {
    num_vars: u32,
    literals: Vec<Lit>,
    /// `ends[i]` is where clause `i` ends in `literals`.
    ends: Vec<usize>,
}

impl Cnf {
    /// A formula without variables or clauses.
    pub fn new() -> Self {
        Self::default()
    }

    /// The number of variables: the largest that was declared or used. Variables are 0 to `num_vars` - 1.
    pub fn num_vars(&self) -> u32 {
        self.num_vars
    }

    /// The number of clauses as written.
    pub fn num_clauses(&self) -> usize {
        self.ends.len()
    }

    /// The number of literals in all clauses.
    pub fn num_literals(&self) -> usize {
        self.literals.len()
    }

    /// Makes sure that the formula has at least `num_vars` variables.
    pub fn declare(&mut self, num_vars: u32) {
        self.num_vars = self.num_vars.max(num_vars);
    }

    /// Makes room for this many more literals and ends of clauses, so that adding them takes no memory.
    ///
    /// # Errors
    /// When there is not enough memory; the formula is as before.
    pub fn try_reserve(&mut self, literals: usize, clauses: usize) -> Result<(), TryReserveError> {
        self.literals.try_reserve(literals)?;
        self.ends.try_reserve(clauses)
    }

    /// Appends a literal to the clause that is being written; [`Cnf::close_clause`] ends it.
    #[inline]
    pub fn push_literal(&mut self, lit: Lit) {
        self.num_vars = self.num_vars.max(lit.var().to_dimacs());
        self.literals.push(lit);
    }

    /// Ends the clause that is being written. Without literals since the last end, that is the empty clause.
    #[inline]
    pub fn close_clause(&mut self) {
        self.ends.push(self.literals.len());
    }

    /// The literals of the clause that is being written and not yet closed.
    pub fn open_clause(&self) -> &[Lit] {
        &self.literals[self.ends.last().copied().unwrap_or(0)..]
    }

    /// Clause `index`, counted from 0.
    ///
    /// # Panics
    /// If there is no such clause.
    pub fn clause(&self, index: usize) -> &[Lit] {
        let start = if index == 0 { 0 } else { self.ends[index - 1] };
        &self.literals[start..self.ends[index]]
    }

    /// Moves the clauses into a packed formula; the open one stays, as does the number of variables.
    pub fn drain_into(&mut self, packed: &mut PackedClauses) {
        self.clauses().for_each(|clause| packed.push(clause));
        packed.declare(self.num_vars);
        self.literals.drain(..self.ends.last().copied().unwrap_or(0));
        self.ends.clear();
    }

    /// Frees the formula, as [`release`](crate::release) does.
    pub fn release(self) {
        crate::release(self.literals);
        crate::release(self.ends);
    }

    /// All clauses in the order in which they were written.
    pub fn clauses(&self) -> impl ExactSizeIterator<Item = &[Lit]> + Clone {
        (0..self.ends.len()).map(|i| self.clause(i))
    }
}

impl ClauseSink for Cnf {
    fn new_var(&mut self) -> Var {
        let var = Var::new(self.num_vars);
        self.num_vars += 1;
        var
    }

    fn add_clause(&mut self, clause: &[Lit]) {
        debug_assert!(self.open_clause().is_empty(), "a clause is still being written");
        for &lit in clause {
            self.push_literal(lit);
        }
        self.close_clause();
    }
}

impl<'a> FromIterator<&'a [i32]> for Cnf {
    /// A formula from DIMACS numbers, for examples and tests.
    ///
    /// # Panics
    /// On the number 0, which ends a clause in text and is no literal.
    fn from_iter<I: IntoIterator<Item = &'a [i32]>>(clauses: I) -> Self {
        let mut cnf = Self::new();
        for clause in clauses {
            for &number in clause {
                cnf.push_literal(Lit::from_dimacs(number).expect("a DIMACS literal"));
            }
            cnf.close_clause();
        }
        cnf
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clauses_stay_as_written() {
        let written: [&[i32]; 4] = [&[1, -2, 1], &[], &[3, -3], &[-7]];
        let cnf: Cnf = written.into_iter().collect();
        assert_eq!((cnf.num_vars(), cnf.num_clauses(), cnf.num_literals()), (7, 4, 6));
        for (clause, numbers) in cnf.clauses().zip(written) {
            assert_eq!(clause.iter().map(|l| l.to_dimacs()).collect::<Vec<_>>(), numbers);
        }
    }

    #[test]
    fn fresh_variables_follow_the_largest() {
        let mut cnf: Cnf = [&[5][..]].into_iter().collect();
        assert_eq!(cnf.new_var().to_dimacs(), 6);
        cnf.declare(9);
        assert_eq!(cnf.new_var().to_dimacs(), 10);
    }
}
