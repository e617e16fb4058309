//! The clauses under a partial assignment. Two counters a clause tell when it is satisfied, unit or false; one counter
//! a literal tells in how many clauses it still matters.

use putnam_formula::Lit;

/// What a clause is called inside this crate.
pub(crate) type ClauseIndex = u32;

/// The clauses, the values of the variables, and the counters that keep them in step. All literals are inner ones.
#[derive(Default)]
pub(crate) struct Formula {
    literals: Vec<Lit>,
    /// Where clause `i` begins in `literals`; it ends where the next begins.
    starts: Vec<usize>,
    clauses: Vec<Counters>,
    /// By literal code: the clauses with this literal.
    occurrences: Vec<Vec<ClauseIndex>>,
    /// By literal code: how many of those clauses are not satisfied.
    live: Vec<u32>,
    /// By literal code: whether the literal is true.
    truth: Vec<bool>,
    unsatisfied: usize,
    /// Clauses that had one literal left when they were put here.
    pub(crate) units: Vec<ClauseIndex>,
    /// Literals that may have become pure: their negations lost their last live clause.
    pub(crate) candidates: Vec<Lit>,
    /// Clauses visited so far.
    pub(crate) ticks: u64,
}

#[derive(Clone, Copy)]
struct Counters {
    /// How many literals are true.
    satisfied: u32,
    /// How many literals are not false.
    open: u32,
}

impl Formula {
    pub(crate) fn num_clauses(&self) -> usize {
        self.clauses.len()
    }

    pub(crate) fn num_vars(&self) -> usize {
        self.live.len() / 2
    }

    /// The memory for clauses, in bytes, about.
    pub(crate) fn bytes(&self) -> u64 {
        let clause = size_of::<usize>() + size_of::<Counters>();
        let variable = 2 * (size_of::<Vec<ClauseIndex>>() + size_of::<u32>() + 1);
        let literal = size_of::<Lit>() + size_of::<ClauseIndex>();
        (self.literals.len() * literal + self.clauses.len() * clause + self.num_vars() * variable) as u64
    }

    /// Makes room for one more variable.
    pub(crate) fn add_var(&mut self) {
        self.occurrences.extend([const { Vec::new() }; 2]);
        self.live.extend([0; 2]);
        self.truth.extend([false; 2]);
    }

    /// Adds a clause without duplicate or opposite literals. No variable may be assigned.
    pub(crate) fn add_clause(&mut self, clause: &[Lit]) {
        let index = self.clauses.len() as ClauseIndex;
        for &lit in clause {
            self.occurrences[lit.code()].push(index);
            self.live[lit.code()] += 1;
        }
        self.starts.push(self.literals.len());
        self.literals.extend_from_slice(clause);
        self.clauses.push(Counters { satisfied: 0, open: clause.len() as u32 });
        self.unsatisfied += 1;
    }

    pub(crate) fn clause(&self, index: ClauseIndex) -> &[Lit] {
        clause(&self.literals, &self.starts, index)
    }

    pub(crate) fn is_true(&self, lit: Lit) -> bool {
        self.truth[lit.code()]
    }

    pub(crate) fn is_false(&self, lit: Lit) -> bool {
        self.truth[(!lit).code()]
    }

    pub(crate) fn is_free(&self, lit: Lit) -> bool {
        !self.is_true(lit) && !self.is_false(lit)
    }

    /// The free literal of a clause that has one literal left; none when the clause is satisfied.
    pub(crate) fn last_literal(&self, index: ClauseIndex) -> Option<Lit> {
        let satisfied = self.clauses[index as usize].satisfied > 0;
        self.clause(index).iter().copied().find(|&lit| !satisfied && self.is_free(lit))
    }

    /// Whether every clause has a true literal.
    pub(crate) fn all_satisfied(&self) -> bool {
        self.unsatisfied == 0
    }

    /// In how many clauses that are not satisfied the literal occurs.
    pub(crate) fn live(&self, lit: Lit) -> u32 {
        self.live[lit.code()]
    }

    /// Whether the literal is free and pure: it occurs in clauses that are not satisfied and its negation does not.
    pub(crate) fn is_pure(&self, lit: Lit) -> bool {
        self.is_free(lit) && self.live(!lit) == 0 && self.live(lit) > 0
    }

    /// Makes a free literal true and updates the counters. Clauses that became unit are put into `units`, literals that
    /// may have become pure into `candidates`. Answers a clause that became false, if there is one.
    pub(crate) fn assign(&mut self, lit: Lit) -> Option<ClauseIndex> {
        debug_assert!(self.is_free(lit));
        self.truth[lit.code()] = true;
        self.ticks += (self.occurrences[lit.code()].len() + self.occurrences[(!lit).code()].len()) as u64;
        for &index in &self.occurrences[lit.code()] {
            let counters = &mut self.clauses[index as usize];
            counters.satisfied += 1;
            if counters.satisfied == 1 {
                self.unsatisfied -= 1;
                for &other in clause(&self.literals, &self.starts, index) {
                    self.live[other.code()] -= 1;
                    if self.live[other.code()] == 0 {
                        self.candidates.push(!other);
                    }
                }
            }
        }
        let mut conflict = None;
        for &index in &self.occurrences[(!lit).code()] {
            let counters = &mut self.clauses[index as usize];
            counters.open -= 1;
            if counters.satisfied == 0 {
                match counters.open {
                    0 => conflict = conflict.or(Some(index)),
                    1 => self.units.push(index),
                    _ => {}
                }
            }
        }
        conflict
    }

    /// Takes back the assignment of a true literal: the exact reverse of [`Formula::assign`].
    pub(crate) fn unassign(&mut self, lit: Lit) {
        debug_assert!(self.is_true(lit));
        self.truth[lit.code()] = false;
        for &index in &self.occurrences[lit.code()] {
            let counters = &mut self.clauses[index as usize];
            counters.satisfied -= 1;
            if counters.satisfied == 0 {
                self.unsatisfied += 1;
                for &other in clause(&self.literals, &self.starts, index) {
                    self.live[other.code()] += 1;
                }
            }
        }
        for &index in &self.occurrences[(!lit).code()] {
            self.clauses[index as usize].open += 1;
        }
    }
}

fn clause<'a>(literals: &'a [Lit], starts: &[usize], index: ClauseIndex) -> &'a [Lit] {
    let index = index as usize;
    let end = starts.get(index + 1).copied().unwrap_or(literals.len());
    &literals[starts[index]..end]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lit(x: i32) -> Lit {
        Lit::from_dimacs(x).unwrap()
    }

    fn example() -> Formula {
        let mut formula = Formula::default();
        (0..3).for_each(|_| formula.add_var());
        formula.add_clause(&[lit(1), lit(2)]);
        formula.add_clause(&[lit(-1), lit(2), lit(3)]);
        formula.add_clause(&[lit(-1), lit(-3)]);
        formula
    }

    #[test]
    fn counters_notice_units_and_conflicts() {
        let mut formula = example();
        assert_eq!(formula.assign(lit(1)), None);
        assert_eq!(formula.units, [2]);
        assert_eq!(formula.assign(lit(-3)), None);
        assert_eq!(formula.units, [2, 1]);
        assert_eq!((formula.last_literal(2), formula.last_literal(1)), (None, Some(lit(2))));
        assert_eq!(formula.assign(lit(-2)), Some(1));
    }

    #[test]
    fn a_literal_is_pure_when_the_clauses_with_its_negation_are_satisfied() {
        let mut formula = example();
        assert!(formula.is_pure(lit(2)) && !formula.is_pure(lit(3)));
        formula.assign(lit(2));
        assert_eq!(formula.candidates, [lit(-1), lit(-2), lit(-3)]);
        assert!(formula.is_pure(lit(-1)) && formula.is_pure(lit(-3)));
        formula.assign(lit(-1));
        assert!(formula.all_satisfied());
        assert!(!formula.is_pure(lit(-3)), "it occurs in no clause that matters");
    }

    #[test]
    fn unassign_reverses_assign() {
        let mut formula = example();
        let before = (formula.live.clone(), formula.unsatisfied);
        for lits in [[1, -2, 3], [-1, -2, -3], [2, 3, 1]] {
            for x in lits {
                formula.assign(lit(x));
            }
            for x in lits.into_iter().rev() {
                formula.unassign(lit(x));
            }
            assert_eq!((formula.live.clone(), formula.unsatisfied), before);
            assert!(formula.clauses.iter().all(|counters| counters.satisfied == 0 && counters.open >= 2));
        }
    }
}
