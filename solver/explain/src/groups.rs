//! Groups of clauses that can be switched.

use putnam_cdcl::Solver;
use putnam_formula::{Engine as _, Lit, Model, Outcome, Var};
use std::collections::HashMap;

/// A formula in groups, on a solver that keeps what it learns from question to question.
pub struct Groups {
    solver: Solver,
    num_vars: u32,
    /// Next variable for a selector.
    next: u32,
    /// `selectors[g]` makes the clauses of group g count. For a group of one literal it is that literal, unless another
    /// group has it.
    selectors: Vec<Lit>,
    group_of: HashMap<Lit, usize>,
    hard: Vec<Vec<Lit>>,
    clauses: Vec<Vec<Vec<Lit>>>,
    calls: u64,
}

impl Groups {
    /// No groups yet, over variables 0 to `num_vars` - 1. Clauses added later use no others.
    pub fn new(num_vars: u32) -> Self {
        let mut solver = Solver::new();
        solver.declare(num_vars);
        Self {
            solver,
            num_vars,
            next: num_vars,
            selectors: Vec::new(),
            group_of: HashMap::new(),
            hard: Vec::new(),
            clauses: Vec::new(),
            calls: 0,
        }
    }

    /// Adds a clause that is always there.
    ///
    /// # Panics
    /// If the clause has a variable that was not declared.
    pub fn add_hard(&mut self, clause: &[Lit]) {
        self.check(clause);
        self.solver.add_clause(clause);
        self.hard.push(clause.to_vec());
    }

    /// Adds a group of clauses and answers its index, counted from 0.
    ///
    /// # Panics
    /// If a clause has a variable that was not declared.
    pub fn add_group(&mut self, clauses: &[Vec<Lit>]) -> usize {
        clauses.iter().for_each(|clause| self.check(clause));
        let selector = match clauses {
            [clause] if clause.len() == 1 && !self.group_of.contains_key(&clause[0]) => clause[0],
            _ => {
                let selector = self.new_var();
                for clause in clauses {
                    let guarded: Vec<Lit> = clause.iter().copied().chain([!selector]).collect();
                    self.solver.add_clause(&guarded);
                }
                selector
            }
        };
        self.group_of.insert(selector, self.selectors.len());
        self.selectors.push(selector);
        self.clauses.push(clauses.to_vec());
        self.selectors.len() - 1
    }

    fn new_var(&mut self) -> Lit {
        self.next += 1;
        self.solver.declare(self.next);
        Var::new(self.next - 1).positive()
    }

    fn check(&self, clause: &[Lit]) {
        assert!(clause.iter().all(|l| l.var().to_dimacs() <= self.num_vars), "a clause has an undeclared variable");
    }

    /// The clauses that are always there.
    pub(crate) fn hard(&self) -> &[Vec<Lit>] {
        &self.hard
    }

    /// The clauses of a group.
    pub(crate) fn clauses(&self, group: usize) -> &[Vec<Lit>] {
        &self.clauses[group]
    }

    /// The number of groups.
    pub fn len(&self) -> usize {
        self.selectors.len()
    }

    /// Whether there are no groups.
    pub fn is_empty(&self) -> bool {
        self.selectors.is_empty()
    }

    /// How many times the solver was asked.
    pub fn calls(&self) -> u64 {
        self.calls
    }

    /// A model of the hard clauses and these groups, or a subset of them that has none.
    ///
    /// # Panics
    /// If there is no such group.
    pub fn solve(&mut self, groups: &[usize]) -> Result<Model, Vec<usize>> {
        let assumptions: Vec<Lit> = groups.iter().map(|&g| self.selectors[g]).collect();
        match self.ask(&assumptions) {
            Ok(model) => Ok(model),
            Err(failed) => Err(failed.iter().filter_map(|lit| self.group_of.get(lit).copied()).collect()),
        }
    }

    /// A model of the hard clauses, these groups, and at least one of the others.
    pub(crate) fn solve_with_one_of(&mut self, groups: &[usize], others: &[usize]) -> Option<Model> {
        let one = self.new_var();
        let clause: Vec<Lit> = others.iter().map(|&g| self.selectors[g]).chain([!one]).collect();
        self.solver.add_clause(&clause);
        let assumptions: Vec<Lit> = groups.iter().map(|&g| self.selectors[g]).chain([one]).collect();
        let model = self.ask(&assumptions).ok();
        self.solver.add_clause(&[!one]);
        model
    }

    fn ask(&mut self, assumptions: &[Lit]) -> Result<Model, Vec<Lit>> {
        self.calls += 1;
        match self.solver.solve(assumptions) {
            Outcome::Satisfiable(model) => Ok(model),
            Outcome::Unsatisfiable { failed } => Err(failed),
            Outcome::Unknown(reason) => unreachable!("no limit is set: {reason}"),
        }
    }

    /// A subset of the groups that has no model with the hard clauses, if they have none.
    pub fn core(&mut self, groups: &[usize]) -> Option<Vec<usize>> {
        self.solve(groups).err()
    }

    /// Whether all clauses of a group are true in a model.
    pub fn holds(&self, model: &Model, group: usize) -> bool {
        self.clauses[group].iter().all(|clause| clause.iter().any(|&lit| model.satisfies(lit)))
    }
}
