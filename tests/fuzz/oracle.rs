//! What must be true: all assignments, where there are few variables, and a plain checker of proof steps.

use putnam_checker::Proof;
use putnam_formula::{ClauseSink, Cnf, Lit, Model, ProofSink, Var};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::io;

/// With at most so many variables all assignments are kept.
const FEW: usize = 14;

/// The clauses as they were added, the clauses that the proof has, and the assignments that are models.
#[derive(Default)]
pub(crate) struct Oracle {
    originals: Vec<Vec<Lit>>,
    /// The variables of these.
    vars: HashSet<Var>,
    /// The proof's clauses, sorted and without duplicates; deleted ones are none.
    clauses: Vec<Option<Vec<Lit>>>,
    /// Places of deleted clauses, for new ones.
    free: Vec<usize>,
    /// The literals of these by numbers without gaps, for propagation.
    codes: Vec<Vec<usize>>,
    /// The variables of all clauses, numbered.
    numbers: HashMap<Var, usize>,
    /// How many literals of each the clauses have that are not deleted.
    live: HashMap<Var, usize>,
    places: HashMap<Vec<Lit>, Vec<usize>>,
    empty: bool,
    error: Option<String>,
    /// An original clause came with a variable that the proof had for itself.
    late: bool,
}

fn normal(clause: &[Lit]) -> Vec<Lit> {
    let mut clause = clause.to_vec();
    clause.sort_unstable();
    clause.dedup();
    clause
}

impl Oracle {
    pub(crate) fn error(&self) -> Option<&str> {
        self.error.as_deref()
    }

    pub(crate) fn add_original(&mut self, clause: &[Lit]) {
        self.originals.push(clause.to_vec());
        let is_reused = |lit: &Lit| !self.vars.contains(&lit.var()) && self.has(lit.var());
        self.late |= clause.iter().any(is_reused);
        self.vars.extend(clause.iter().map(|lit| lit.var()));
        self.insert(normal(clause));
    }

    fn insert(&mut self, clause: Vec<Lit>) {
        let place = self.free.pop().unwrap_or(self.clauses.len());
        self.places.entry(clause.clone()).or_default().push(place);
        clause.iter().for_each(|lit| *self.live.entry(lit.var()).or_default() += 1);
        let numbers = &mut self.numbers;
        let codes = clause.iter().map(|lit| {
            let next = numbers.len();
            2 * *numbers.entry(lit.var()).or_insert(next) + usize::from(lit.is_negative())
        });
        let codes = codes.collect();
        if place == self.clauses.len() {
            self.codes.push(codes);
            self.clauses.push(Some(clause));
        } else {
            self.codes[place] = codes;
            self.clauses[place] = Some(clause);
        }
    }

    pub(crate) fn add_step(&mut self, clause: &[Lit]) {
        let negated: Vec<Lit> = clause.iter().map(|&lit| !lit).collect();
        if !self.refuted(&negated) && !self.is_definition(clause) {
            self.error.get_or_insert(format!("proof step {clause:?} does not follow"));
        }
        self.empty |= clause.is_empty();
        self.insert(normal(clause));
    }

    /// Whether a clause of the proof has the variable.
    fn has(&self, var: Var) -> bool {
        self.live.get(&var).is_some_and(|&count| count > 0)
    }

    /// Whether the clause defines a variable of the proof alone: no original clause has it, and every resolvent on it
    /// follows. It must be the first. For the user's variables that would not do, they may get more clauses.
    fn is_definition(&self, clause: &[Lit]) -> bool {
        let Some(&pivot) = clause.first() else { return false };
        if self.vars.contains(&pivot.var()) {
            return false;
        }
        self.clauses.iter().flatten().filter(|other| other.contains(&!pivot)).all(|other| {
            let rest = other.iter().copied().filter(|&lit| lit != !pivot);
            self.refuted(&clause.iter().copied().chain(rest).map(|lit| !lit).collect::<Vec<_>>())
        })
    }

    pub(crate) fn delete_step(&mut self, clause: &[Lit]) {
        match self.places.get_mut(&normal(clause)).and_then(Vec::pop) {
            Some(place) => {
                let deleted = self.clauses[place].take().unwrap_or_default();
                deleted.iter().for_each(|lit| *self.live.entry(lit.var()).or_default() -= 1);
                self.free.push(place);
            }
            None => {
                self.error.get_or_insert(format!("deleted clause {clause:?} is not there"));
            }
        }
    }

    pub(crate) fn has_empty_clause(&self) -> bool {
        self.empty
    }

    /// Whether unit propagation refutes the literals together with the proof's clauses.
    pub(crate) fn refuted(&self, lits: &[Lit]) -> bool {
        let given: HashSet<Lit> = lits.iter().copied().collect();
        if given.iter().any(|&lit| given.contains(&!lit)) {
            return true;
        }
        // By code: 1 for true, -1 for false.
        let mut values = vec![0i8; 2 * self.numbers.len()];
        for lit in given {
            if let Some(number) = self.numbers.get(&lit.var()) {
                let code = 2 * number + usize::from(lit.is_negative());
                (values[code], values[code ^ 1]) = (1, -1);
            }
        }
        loop {
            let mut changed = false;
            let clauses = self.clauses.iter().zip(&self.codes).filter(|(clause, _)| clause.is_some());
            for (_, codes) in clauses {
                if codes.iter().any(|&code| values[code] > 0) {
                    continue;
                }
                let mut free = codes.iter().filter(|&&code| values[code] == 0);
                match (free.next(), free.next()) {
                    (None, _) => return true,
                    (Some(&unit), None) => {
                        (values[unit], values[unit ^ 1]) = (1, -1);
                        changed = true;
                    }
                    _ => {}
                }
            }
            if !changed {
                return false;
            }
        }
    }

    /// The first clause that is false in a model.
    pub(crate) fn falsified(&self, model: &Model) -> Option<Vec<Lit>> {
        self.originals.iter().find(|clause| !clause.iter().any(|&lit| model.satisfies(lit))).cloned()
    }

    /// Whether there is a model of all clauses and assumptions; none when there are too many variables to try.
    pub(crate) fn satisfiable(&self, assumptions: &[Lit]) -> Option<bool> {
        Some(!self.projections(&[], assumptions)?.is_empty())
    }

    /// The values that the models of all clauses and assumptions give to some variables; none when there are too many
    /// variables to try.
    pub(crate) fn projections(&self, projection: &[Var], assumptions: &[Lit]) -> Option<HashSet<Vec<bool>>> {
        let mut bits = BTreeMap::new();
        let vars = self.originals.iter().flatten().chain(assumptions).map(|lit| lit.var());
        for var in vars.chain(projection.iter().copied()) {
            let next = bits.len();
            bits.entry(var).or_insert(next);
        }
        if bits.len() > FEW {
            return None;
        }
        let holds = |assignment: u32, lit: &Lit| (assignment >> bits[&lit.var()] & 1 == 1) == lit.is_positive();
        let masks: Vec<(u32, u32)> = self.originals.iter().map(|clause| mask(clause, &bits)).collect();
        let models = (0..1u32 << bits.len()).filter(|&assignment| {
            masks.iter().all(|&(positive, negative)| assignment & positive != 0 || !assignment & negative != 0)
                && assumptions.iter().all(|lit| holds(assignment, lit))
        });
        let project =
            |assignment: u32| projection.iter().map(|var| holds(assignment, &var.positive())).collect::<Vec<_>>();
        // Without a projection the first model says all there is to say.
        let most = if projection.is_empty() { 1 } else { usize::MAX };
        Some(models.take(most).map(project).collect())
    }
}

fn mask(clause: &[Lit], bits: &BTreeMap<Var, usize>) -> (u32, u32) {
    clause.iter().fold((0, 0), |(positive, negative), lit| {
        let bit = 1 << bits[&lit.var()];
        if lit.is_positive() { (positive | bit, negative) } else { (positive, negative | bit) }
    })
}

/// The oracle as the engine's proof sink; it keeps the proof for the product's own checker too.
#[derive(Default)]
pub(crate) struct Recorder {
    pub(crate) oracle: Oracle,
    proof: Proof,
    /// Numbers for the checker. A variable that no clause has yet is one of the proof alone, and another one than that of
    /// this number that a later clause may have.
    names: HashMap<Name, u32>,
    /// How often a variable of the proof alone came anew. The engine uses numbers again that no clause has any more; with clauses
    /// that are added later such variables have to be kept apart, as a value that a deleted clause gave may outlast it.
    generations: HashMap<Var, usize>,
}

/// A variable, and its generation if it is one of the proof alone.
type Name = (Var, Option<usize>);

impl Recorder {
    /// What the product's checker has against the refutation.
    ///
    /// Clauses that were added after the first steps count as if they had been there from the start. That is right for
    /// steps that are RUP, more clauses do not make them wrong, and for definitions of variables of the proof alone. When
    /// the user came to use the number of such a variable while clauses had it, the proof has changed their names, and the two
    /// cannot be told apart from outside: then this checker is not asked, and the oracle alone has checked each step.
    pub(crate) fn rejection(&mut self) -> Option<String> {
        if self.oracle.late {
            return None;
        }
        let mut cnf = Cnf::new();
        let names = &mut self.names;
        for clause in &self.oracle.originals {
            cnf.add_clause(&clause.iter().map(|&lit| rename(names, lit, None)).collect::<Vec<_>>());
        }
        putnam_checker::check(&cnf, &self.proof).err().map(|rejection| rejection.to_string())
    }

    fn renamed(&mut self, clause: &[Lit]) -> Vec<Lit> {
        let Self { oracle, names, generations, .. } = self;
        let generation =
            |var: Var| (!oracle.vars.contains(&var)).then(|| generations.get(&var).copied().unwrap_or_default());
        clause.iter().map(|&lit| rename(names, lit, generation(lit.var()))).collect()
    }
}

fn rename(names: &mut HashMap<Name, u32>, lit: Lit, generation: Option<usize>) -> Lit {
    let next = names.len() as u32;
    Var::new(*names.entry((lit.var(), generation)).or_insert(next)).lit(lit.is_positive())
}

impl ProofSink for Recorder {
    fn add(&mut self, clause: &[Lit]) {
        for lit in clause.iter().filter(|lit| !self.oracle.has(lit.var())) {
            *self.generations.entry(lit.var()).or_default() += 1;
        }
        self.oracle.add_step(clause);
        let clause = self.renamed(clause);
        self.proof.add(&clause);
    }

    fn delete(&mut self, clause: &[Lit]) {
        self.oracle.delete_step(clause);
        let clause = self.renamed(clause);
        self.proof.delete(&clause);
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
