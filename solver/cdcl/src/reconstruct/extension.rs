//! What a formula lost in simplification, for use without the solver: it turns a model of what is left into one of the
//! whole.

use super::stack::Stack;
use crate::Solver;
use putnam_formula::{Cnf, Lit, Model, StopReason, Var};
use std::fmt;
use std::str::FromStr;
use thiserror::Error;

/// A formula that has a model exactly when the original has one, and how to get from its models to those of the
/// original.
#[derive(Clone, Debug)]
pub struct Simplified {
    /// The clauses that are left, over the variables of the original and those that simplification added, which come
    /// after them. A formula without models is the empty clause alone.
    pub cnf: Cnf,
    /// The way back.
    pub extension: Extension,
}

/// Clauses that were removed, each with its witness: when a model falsifies the clause, the literals of the witness are
/// made true.
///
/// As text it has a header `p extension ORIGINAL ALL CLAUSES`, with the number of variables of the original and the
/// number of them and those that simplification added, and one line for each clause, in the order of removal: the
/// witness, `0`, the other literals, `0`.
///
/// ```
/// use putnam_cdcl::{Extension, Solver};
/// use putnam_formula::{Cnf, Model};
///
/// let cnf: Cnf = [&[-1, 2][..], &[1, -2], &[2, 3, 4]].into_iter().collect();
/// let mut solver = Solver::new();
/// solver.declare(cnf.num_vars());
/// cnf.clauses().for_each(|clause| solver.add_clause(clause));
/// let simplified = solver.simplify(3).unwrap();
/// assert_eq!(simplified.cnf.num_clauses(), 0);
///
/// let text = simplified.extension.to_string();
/// let extension: Extension = text.parse().unwrap();
/// let model = extension.extend(&Model::new(4));
/// assert_eq!(model.falsified(&cnf), None);
/// ```
#[derive(Clone, Default)]
pub struct Extension {
    num_vars: u32,
    /// With the variables that were added.
    all_vars: u32,
    stack: Stack,
}

/// Why a text is no extension.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("line {line}: {cause}")]
pub struct ExtensionError {
    /// The line, counted from 1.
    pub line: usize,
    /// What is wrong with it.
    pub cause: ExtensionErrorCause,
}

/// The causes of an [`ExtensionError`].
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ExtensionErrorCause {
    /// The first line that is no comment must be the header.
    #[error("expected `p extension ORIGINAL ALL CLAUSES`")]
    Header,
    /// Not a literal of a declared variable, and not 0.
    #[error("`{0}` is neither 0 nor a literal of a declared variable")]
    Literal(String),
    /// A line is a witness and a rest, each closed by 0.
    #[error("expected the literals of a witness, 0, other literals, 0")]
    Shape,
    /// There are fewer or more clauses than the header says.
    #[error("the header promises {promised} clauses, there are {found}")]
    Count {
        /// As in the header.
        promised: usize,
        /// As read.
        found: usize,
    },
}

impl Extension {
    /// The number of variables of the original formula.
    pub fn num_vars(&self) -> u32 {
        self.num_vars
    }

    /// The number of variables of the original formula and of those that simplification added.
    pub fn all_vars(&self) -> u32 {
        self.all_vars
    }

    /// The clauses in the order in which they were removed: the witness, and the clause without it.
    pub fn entries(&self) -> impl Iterator<Item = (&[Lit], &[Lit])> + '_ {
        self.stack.iter().map(|(witness, clause)| clause.split_at(witness))
    }

    /// A model of the original formula from one of the simplified formula. Variables that the model does not have are
    /// false before.
    pub fn extend(&self, model: &Model) -> Model {
        let num_vars = self.all_vars.max(model.num_vars());
        let mut values = vec![false; 2 * num_vars as usize];
        for var in (0..num_vars).map(Var::new) {
            values[var.lit(model.value(var)).code()] = true;
        }
        self.stack.extend(&mut values);
        let mut extended = Model::new(self.num_vars);
        (0..self.num_vars).map(Var::new).for_each(|var| extended.assign(var.lit(values[var.positive().code()])));
        extended
    }
}

impl fmt::Debug for Extension {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.entries()).finish()
    }
}

impl fmt::Display for Extension {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "p extension {} {} {}", self.num_vars, self.all_vars, self.entries().count())?;
        for (witness, rest) in self.entries() {
            for part in [witness, rest] {
                part.iter().try_for_each(|lit| write!(f, "{lit} "))?;
                write!(f, "0 ")?;
            }
            writeln!(f)?;
        }
        Ok(())
    }
}

impl FromStr for Extension {
    type Err = ExtensionError;

    fn from_str(text: &str) -> Result<Self, ExtensionError> {
        let mut lines = text.lines().enumerate().map(|(i, line)| (i + 1, line)).filter(|(_, line)| {
            let first = line.split_whitespace().next();
            first.is_some() && first != Some("c")
        });
        let error = |line: usize, cause: ExtensionErrorCause| ExtensionError { line, cause };
        let (number, header) = lines.next().ok_or(error(1, ExtensionErrorCause::Header))?;
        let (num_vars, all_vars, promised) = read_header(header).ok_or(error(number, ExtensionErrorCause::Header))?;
        let mut extension = Self { num_vars, all_vars, stack: Stack::default() };
        let (mut found, mut last) = (0, number);
        for (number, line) in lines {
            let (witness, clause) = read_entry(line, all_vars).map_err(|cause| error(number, cause))?;
            extension.stack.push_ordered(witness, &clause);
            found += 1;
            last = number;
        }
        if found != promised {
            return Err(error(last, ExtensionErrorCause::Count { promised, found }));
        }
        Ok(extension)
    }
}

fn read_header(line: &str) -> Option<(u32, u32, usize)> {
    let mut tokens = line.split_whitespace();
    if tokens.next()? != "p" || tokens.next()? != "extension" {
        return None;
    }
    let num_vars: u32 = tokens.next()?.parse().ok()?;
    let all_vars: u32 = tokens.next()?.parse().ok().filter(|all| (num_vars..=Var::MAX_DIMACS).contains(all))?;
    let clauses = tokens.next()?.parse().ok()?;
    tokens.next().is_none().then_some((num_vars, all_vars, clauses))
}

/// The length of the witness, and the clause that begins with it.
fn read_entry(line: &str, num_vars: u32) -> Result<(usize, Vec<Lit>), ExtensionErrorCause> {
    let mut clause = Vec::new();
    let mut zeros = Vec::new();
    for token in line.split_whitespace() {
        let refuse = || ExtensionErrorCause::Literal(token.to_owned());
        let number: i32 = token.parse().map_err(|_| refuse())?;
        if number == 0 {
            zeros.push(clause.len());
            continue;
        }
        clause.push(Lit::from_dimacs(number).filter(|lit| lit.var().to_dimacs() <= num_vars).ok_or_else(refuse)?);
    }
    match zeros[..] {
        [witness, end] if witness > 0 && end == clause.len() => Ok((witness, clause)),
        _ => Err(ExtensionErrorCause::Shape),
    }
}

impl Solver {
    /// Simplifies the clauses without a search, in at most `rounds` rounds of all techniques. Frozen variables stay.
    /// The solver can be used on afterwards.
    ///
    /// # Errors
    /// If the clauses had no room. Other limits end the simplification early.
    pub fn simplify(&mut self, rounds: u32) -> Result<Simplified, StopReason> {
        self.forget_answer();
        if self.overflow {
            return Err(StopReason::Memory);
        }
        self.assumptions.clear();
        if self.prepare().is_none() {
            for _ in 0..rounds {
                let before = (self.num_irredundant, self.recorded_units, self.reconstruct.removed());
                self.run_all_rounds();
                let after = (self.num_irredundant, self.recorded_units, self.reconstruct.removed());
                if self.inconsistent || self.stopping_now().is_some() || before == after {
                    break;
                }
            }
        }
        Ok(Simplified { cnf: self.remaining(), extension: self.extension() })
    }

    /// The irredundant clauses without what has a value at the root.
    fn remaining(&self) -> Cnf {
        let mut cnf = Cnf::new();
        cnf.declare(self.all_declared());
        if self.inconsistent {
            cnf.close_clause();
            return cnf;
        }
        let mut add = |lits: &[Lit]| {
            if !lits.iter().any(|&lit| self.values.is_true(lit)) {
                lits.iter()
                    .filter(|&&lit| self.values.is_unassigned(lit))
                    .for_each(|&lit| cnf.push_literal(self.map.outer(lit)));
                cnf.close_clause();
            }
        };
        for code in 0..self.watches.num_lists() {
            let lit = Lit::from_code(code);
            for watch in self.watches.get(lit) {
                if watch.is_binary() && !watch.is_redundant_binary() && code < watch.blocking.code() {
                    add(&[lit, watch.blocking]);
                }
            }
        }
        for clause in self.arena.clauses() {
            if !self.arena.is_redundant(clause) && !self.arena.is_garbage(clause) {
                add(self.arena.lits(clause));
            }
        }
        cnf
    }

    /// The extension stack in the user's numbers. Units are on top of it: each is its own witness.
    fn extension(&self) -> Extension {
        let mut stack = Stack::default();
        let mut outer: Vec<Lit> = Vec::new();
        for (witness, clause) in self.reconstruct.stack.iter() {
            outer.clear();
            outer.extend(clause.iter().map(|&lit| self.map.outer(lit)));
            stack.push_ordered(witness, &outer);
        }
        self.trail.lits().iter().for_each(|&unit| stack.push(self.map.outer(unit), &[self.map.outer(unit)]));
        Extension { num_vars: self.declared(), all_vars: self.all_declared(), stack }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::random::Random;
    use crate::testing::random_formula;
    use putnam_formula::{ClauseSink as _, Engine as _, Outcome};

    #[test]
    fn models_of_what_is_left_extend_to_the_whole() {
        let (mut satisfiable, mut removed) = (0, 0);
        for seed in 0..80 {
            let mut random = Random::new(seed);
            let cnf: Cnf = random_formula(&mut random, 30).iter().fold(Cnf::new(), |mut cnf, clause| {
                cnf.add_clause(clause);
                cnf
            });
            let solve = |cnf: &Cnf| {
                let mut solver = Solver::new();
                solver.declare(cnf.num_vars());
                cnf.clauses().for_each(|clause| solver.add_clause(clause));
                solver.solve(&[])
            };
            let mut solver = Solver::new();
            solver.declare(cnf.num_vars());
            cnf.clauses().for_each(|clause| solver.add_clause(clause));
            let simplified = solver.simplify(4).unwrap();
            removed += simplified.extension.entries().count();
            let extension: Extension = simplified.extension.to_string().parse().unwrap();
            match (solve(&simplified.cnf), solve(&cnf)) {
                (Outcome::Satisfiable(model), Outcome::Satisfiable(_)) => {
                    assert_eq!(extension.extend(&model).falsified(&cnf), None, "seed {seed}");
                    satisfiable += 1;
                }
                (Outcome::Unsatisfiable { .. }, Outcome::Unsatisfiable { .. }) => {}
                outcomes => panic!("seed {seed}: {outcomes:?}"),
            }
        }
        assert!(satisfiable > 5 && removed > 100, "{satisfiable} {removed}");
    }

    #[test]
    fn texts_that_are_no_extension_say_where_and_why() {
        let error = |text: &str| text.parse::<Extension>().unwrap_err().to_string();
        assert_eq!(error(""), "line 1: expected `p extension ORIGINAL ALL CLAUSES`");
        assert_eq!(error("c ok\np cnf 1 2\n"), "line 2: expected `p extension ORIGINAL ALL CLAUSES`");
        let refused = "line 3: `3` is neither 0 nor a literal of a declared variable";
        assert_eq!(error("p extension 1 2 1\n\n1 0 3 0\n"), refused);
        for line in ["1 0", "0 1 0", "1 0 2", "1 0 2 0 0"] {
            let text = format!("p extension 2 2 1\n{line}\n");
            assert_eq!(error(&text), "line 2: expected the literals of a witness, 0, other literals, 0");
        }
        assert_eq!(error("p extension 2 2 2\n1 0 2 0\n"), "line 2: the header promises 2 clauses, there are 1");
    }
}
