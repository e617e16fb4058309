//! What unit tests of whole searches share: random formulas, and a solver whose every answer is checked. Models are
//! held against the clauses; every step of a proof must have the property RUP or RAT at the time when it is made, and
//! what the clauses or the assumptions cannot satisfy must be refuted by propagation at the end. No oracle is needed
//! beside that.

use crate::data::random::Random;
use crate::{Options, Solver};
use putnam_formula::{Engine, Lit, Outcome, ProofSink, SharedProof, Var};
use std::collections::{BTreeMap, HashSet};
use std::io;

/// A proof checker without any cleverness.
#[derive(Default)]
pub(crate) struct Checker {
    /// Sorted clauses, and how often each is there.
    clauses: BTreeMap<Vec<Lit>, usize>,
    /// Steps so far, for messages.
    steps: usize,
}

impl Checker {
    fn insert(&mut self, clause: &[Lit]) {
        *self.clauses.entry(sorted(clause)).or_default() += 1;
    }

    /// Whether propagation refutes the literals all being true.
    fn refutes(&self, literals: impl IntoIterator<Item = Lit>) -> bool {
        let mut trues: HashSet<Lit> = HashSet::new();
        for lit in literals {
            if trues.contains(&!lit) {
                return true;
            }
            trues.insert(lit);
        }
        loop {
            let before = trues.len();
            for clause in self.clauses.keys() {
                let mut open = clause.iter().filter(|&&lit| !trues.contains(&!lit));
                match (open.next(), open.next()) {
                    (None, _) => return true,
                    (Some(&unit), None) => {
                        trues.insert(unit);
                    }
                    _ => {}
                }
            }
            if trues.len() == before {
                return false;
            }
        }
    }

    fn implies(&self, clause: &[Lit]) -> bool {
        self.refutes(clause.iter().map(|&lit| !lit))
    }

    fn is_rat(&self, clause: &[Lit]) -> bool {
        let Some(&pivot) = clause.first() else { return false };
        self.clauses.keys().filter(|other| other.contains(&!pivot)).all(|other| {
            let rest = other.iter().copied().filter(|&lit| lit != !pivot);
            self.implies(&clause.iter().copied().chain(rest).collect::<Vec<_>>())
        })
    }
}

fn sorted(clause: &[Lit]) -> Vec<Lit> {
    let mut clause = clause.to_vec();
    clause.sort_unstable();
    clause.dedup();
    clause
}

impl ProofSink for Checker {
    fn add(&mut self, clause: &[Lit]) {
        self.steps += 1;
        let holds = self.implies(clause) || self.is_rat(clause);
        assert!(holds, "step {}: neither RUP nor RAT: {clause:?}", self.steps);
        self.insert(clause);
    }

    fn delete(&mut self, clause: &[Lit]) {
        self.steps += 1;
        let clause = sorted(clause);
        let count = self.clauses.get_mut(&clause).unwrap_or_else(|| panic!("step {}: no {clause:?}", self.steps));
        *count -= 1;
        if *count == 0 {
            self.clauses.remove(&clause);
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// A solver that is watched.
pub(crate) struct Checked {
    pub(crate) solver: Solver,
    clauses: Vec<Vec<Lit>>,
    checker: SharedProof<Checker>,
}

impl Checked {
    pub(crate) fn new(settings: &[(&str, i64)]) -> Self {
        let mut options = Options::default();
        // Intervals mean what they say, or no round would come in time.
        ["roundscale", "roundpatience"].iter().for_each(|name| options.set(name, 0).unwrap());
        settings.iter().for_each(|&(name, value)| options.set(name, value).unwrap());
        let mut solver = Solver::with_options(options);
        let checker = SharedProof::new(Checker::default());
        solver.set_proof(Box::new(checker.clone()));
        Self { solver, clauses: Vec::new(), checker }
    }

    pub(crate) fn add(&mut self, clauses: impl IntoIterator<Item = Vec<Lit>>) {
        for clause in clauses {
            self.checker.with(|checker| checker.insert(&clause));
            self.solver.add_clause(&clause);
            self.clauses.push(clause);
        }
    }

    /// Solves, checks the answer, and says whether there is a model.
    pub(crate) fn solve(&mut self, assumptions: &[Lit]) -> bool {
        match self.solver.solve(assumptions) {
            Outcome::Satisfiable(model) => {
                let true_in_model = |lit: &Lit| model.satisfies(*lit);
                let falsified = self.clauses.iter().find(|clause| !clause.iter().any(true_in_model));
                assert_eq!(falsified, None, "falsified by the model");
                assert!(assumptions.iter().all(true_in_model));
                true
            }
            Outcome::Unsatisfiable { failed } => {
                assert!(failed.iter().all(|lit| assumptions.contains(lit)));
                assert!(self.checker.with(|checker| checker.refutes(failed)), "not refuted");
                false
            }
            Outcome::Unknown(reason) => panic!("no limit was set: {reason}"),
        }
    }

    /// A counter of the solver.
    pub(crate) fn count(&self, name: &str) -> u64 {
        self.solver.statistics().iter().find(|row| row.name == name).map_or(0, |row| row.count)
    }
}

/// A random clause of `size` different variables below `num_vars`.
pub(crate) fn random_clause(random: &mut Random, num_vars: u32, size: usize) -> Vec<Lit> {
    let mut clause: Vec<Lit> = Vec::new();
    while clause.len() < size.min(num_vars as usize) {
        let var = Var::new(random.below(num_vars));
        if clause.iter().all(|lit| lit.var() != var) {
            clause.push(var.lit(random.coin()));
        }
    }
    clause
}

/// A random formula of mixed shape: clauses of three literals near the threshold, some longer and binary ones, and
/// gates (equivalences, conjunctions, exclusive ors, multiplexers), some of them twice over different outputs.
pub(crate) fn random_formula(random: &mut Random, num_vars: u32) -> Vec<Vec<Lit>> {
    let mut clauses: Vec<Vec<Lit>> = Vec::new();
    for _ in 0..random.below(num_vars / 2 + 1) {
        push_random_gate(random, num_vars, &mut clauses);
    }
    let ternary = num_vars * (20 + random.below(26)) / 10;
    clauses.extend((0..ternary).map(|_| random_clause(random, num_vars, 3)));
    clauses.extend((0..random.below(num_vars)).map(|_| random_clause(random, num_vars, 2)));
    clauses.extend((0..random.below(num_vars)).map(|_| {
        let size = 4 + random.below(4) as usize;
        random_clause(random, num_vars, size)
    }));
    clauses
}

/// The clauses of an exclusive or of literals.
pub(crate) fn xor(lits: &[Lit], odd: bool) -> Vec<Vec<Lit>> {
    (0..1u32 << lits.len())
        .filter(|signs| (signs.count_ones() % 2 == 1) != odd)
        .map(|signs| lits.iter().enumerate().map(|(i, &l)| if signs >> i & 1 == 1 { !l } else { l }).collect())
        .collect()
}

/// Random exclusive ors of three to six variables, few of them or many, beside clauses.
pub(crate) fn random_system(random: &mut Random, num_vars: u32) -> Vec<Vec<Lit>> {
    let mut clauses = Vec::new();
    for _ in 0..num_vars * (5 + random.below(8)) / 10 {
        let spread = if random.below(3) == 0 { 4 } else { 2 };
        let size = 3 + random.below(spread) as usize;
        let lits = random_clause(random, num_vars, size);
        clauses.extend(xor(&lits, random.coin()));
    }
    clauses.extend((0..num_vars / 2).map(|_| random_clause(random, num_vars, 3)));
    clauses
}

fn push_random_gate(random: &mut Random, num_vars: u32, clauses: &mut Vec<Vec<Lit>>) {
    let lits = random_clause(random, num_vars, 5);
    let (twin, inputs) = (lits[4], &lits[1..4]);
    let kind = random.below(4);
    let outputs = if random.below(3) == 0 { vec![lits[0], twin] } else { vec![lits[0]] };
    for out in outputs {
        match (kind, inputs) {
            (0, &[a, ..]) => clauses.extend([vec![!out, a], vec![out, !a]]),
            (1, &[a, b, c]) => clauses.extend([vec![!out, a], vec![!out, b], vec![!out, c], vec![out, !a, !b, !c]]),
            (2, &[a, b, _]) => {
                clauses.extend([vec![!out, a, b], vec![!out, !a, !b], vec![out, !a, b], vec![out, a, !b]]);
            }
            (_, &[c, t, e]) => {
                clauses.extend([vec![!out, !c, t], vec![!out, c, e], vec![out, !c, !t], vec![out, c, !e]]);
            }
            _ => unreachable!("there are three inputs"),
        }
    }
}

/// Solves random formulas with the settings, clauses and assumptions coming in steps, and answers with the sum of a
/// counter, so that a test can see that its technique worked. Without `proofkeep` there is one search for each.
pub(crate) fn fuzz(settings: &[(&str, i64)], rounds: u64, num_vars: u32, counters: &[&str]) -> Vec<u64> {
    let once = settings.contains(&("proofkeep", 0));
    let mut sums = vec![0; counters.len()];
    for round in 0..rounds {
        let mut random = Random::new(round);
        let mut checked = Checked::new(settings);
        let num_vars = 5 + random.below(num_vars - 5);
        let mut formula = random_formula(&mut random, num_vars);
        let steps = if once { 1 } else { 1 + random.below(3) as usize };
        let piece = formula.len() / steps + 1;
        let mut satisfiable = true;
        while satisfiable && !formula.is_empty() {
            checked.add(formula.drain(..piece.min(formula.len())));
            let assumed = random.below(4) as usize;
            let assumptions = random_clause(&mut random, num_vars, assumed);
            if once {
                checked.solve(&[]);
                break;
            }
            checked.solve(&assumptions);
            satisfiable = checked.solve(&[]);
            assert!(satisfiable || !checked.solve(&assumptions));
        }
        for (sum, name) in sums.iter_mut().zip(counters) {
            *sum += checked.count(name);
        }
    }
    sums
}
