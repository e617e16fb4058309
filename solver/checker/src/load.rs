//! Formula and proof as the checker holds them: clauses without duplicate literals over consecutive variables, and
//! steps that name the clause they add or delete.

use crate::clauses::Clauses;
use crate::error::{Cause, Rejection};
use crate::proof::{Proof, Step};
use putnam_formula::{Cnf, Lit, Renumbering};

/// What a step of the proof does. Clauses are named by their number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Action {
    Add(u32),
    Delete(u32),
    /// A deletion that has no effect.
    Nothing,
}

/// The input of a check.
pub(crate) struct Loaded {
    pub(crate) clauses: Clauses,
    pub(crate) actions: Vec<Action>,
    pub(crate) variables: Renumbering,
    /// The number of clauses of the formula; those of the proof have the numbers from here on.
    pub(crate) num_original: usize,
    /// Deletions of clauses that do not exist: how many, and the first such steps, counted from 1.
    pub(crate) missing_deletions: (u64, Vec<u64>),
    /// Deletions of unit clauses that are ignored.
    pub(crate) unit_deletions: u64,
}

const SHOWN_MISSING: usize = 10;

/// Finds clauses by their literals, in whatever order.
struct Index {
    /// By hash: the newest clause with it, as number + 1.
    heads: Vec<u32>,
    /// By clause: the next older one, as number + 1.
    next: Vec<u32>,
    hashes: Vec<u32>,
}

impl Index {
    fn new(clauses: usize) -> Self {
        let heads = vec![0; (clauses + clauses / 2).next_power_of_two().max(16)];
        Self { heads, next: Vec::with_capacity(clauses), hashes: Vec::with_capacity(clauses) }
    }

    fn hash(clause: &[Lit]) -> u32 {
        let (mut sum, mut xor) = (0u64, 0u64);
        for lit in clause {
            let mixed = (lit.code() as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
            let mixed = mixed ^ mixed >> 29;
            sum = sum.wrapping_add(mixed);
            xor ^= mixed.wrapping_mul(0xBF58_476D_1CE4_E5B9);
        }
        let hash = (sum ^ xor).wrapping_mul(0x94D0_49BB_1331_11EB);
        (hash >> 32) as u32
    }

    fn slot(&self, hash: u32) -> usize {
        hash as usize & (self.heads.len() - 1)
    }

    fn insert(&mut self, number: u32, hash: u32) {
        let slot = self.slot(hash);
        self.next.push(std::mem::replace(&mut self.heads[slot], number + 1));
        self.hashes.push(hash);
    }

    /// Finds the newest clause with this hash that `matches`, and takes it out.
    fn remove(&mut self, hash: u32, matches: impl Fn(u32) -> bool) -> Option<u32> {
        let slot = self.slot(hash);
        let mut before = None;
        let mut link = self.heads[slot];
        while link != 0 {
            let number = link - 1;
            let next = self.next[number as usize];
            if self.hashes[number as usize] == hash && matches(number) {
                match before {
                    None => self.heads[slot] = next,
                    Some(before) => self.next[before as usize] = next,
                }
                return Some(number);
            }
            before = Some(number);
            link = next;
        }
        None
    }
}

/// Brings clauses into the form in which they are stored.
#[derive(Default)]
struct Normalizer {
    variables: Renumbering,
    /// By literal code: in the clause at hand.
    marks: Vec<bool>,
    clause: Vec<Lit>,
    tautology: bool,
}

impl Normalizer {
    /// Puts the clause into `self.clause`, over inner variables, in its order, each literal once, and leaves its
    /// literals marked until [`Normalizer::clear`].
    fn set(&mut self, clause: &[Lit]) {
        self.tautology = false;
        for &lit in clause {
            let lit = self.variables.get_or_insert(lit);
            if lit.code() | 1 >= self.marks.len() {
                self.marks.resize((lit.code() | 1) + 1, false);
            }
            if !std::mem::replace(&mut self.marks[lit.code()], true) {
                self.tautology |= self.marks[(!lit).code()];
                self.clause.push(lit);
            }
        }
    }

    fn clear(&mut self) {
        for lit in self.clause.drain(..) {
            self.marks[lit.code()] = false;
        }
    }
}

/// Reads formula and proof. When `ignore_units`, deletions of clauses with one literal have no effect.
///
/// # Errors
/// [`Cause::TooLarge`].
pub(crate) fn load(cnf: &Cnf, proof: &Proof, ignore_units: bool) -> Result<Loaded, Rejection> {
    let additions = proof.steps().filter(|step| matches!(step, Step::Add(_))).count();
    let num_clauses = cnf.num_clauses() + additions;
    let mut clauses = Clauses::with_capacity(cnf.num_literals() + proof.num_literals(), num_clauses);
    let mut index = Index::new(num_clauses);
    let mut form = Normalizer::default();
    let too_large = || Rejection::whole(Cause::TooLarge);
    let mut missing = (0, Vec::new());
    let mut unit_deletions = 0;
    for clause in cnf.clauses() {
        form.set(clause);
        let number = clauses.push(&form.clause, form.tautology).ok_or_else(too_large)?;
        index.insert(number, Index::hash(&form.clause));
        form.clear();
    }
    let mut actions = Vec::with_capacity(proof.len());
    for (step, content) in proof.steps().enumerate() {
        form.set(content.clause());
        let hash = Index::hash(&form.clause);
        actions.push(match content {
            Step::Add(_) => {
                let number = clauses.push(&form.clause, form.tautology).ok_or_else(too_large)?;
                index.insert(number, hash);
                Action::Add(number)
            }
            Step::Delete(_) if ignore_units && form.clause.len() == 1 => {
                unit_deletions += 1;
                Action::Nothing
            }
            Step::Delete(_) => {
                let found = index.remove(hash, |number| {
                    let clause = clauses.by_number(number);
                    clauses.size(clause) == form.clause.len() && clauses.lits(clause).all(|lit| form.marks[lit.code()])
                });
                if found.is_none() {
                    missing.0 += 1;
                    if missing.1.len() < SHOWN_MISSING {
                        missing.1.push(step as u64 + 1);
                    }
                }
                found.map_or(Action::Nothing, Action::Delete)
            }
        });
        form.clear();
    }
    let (variables, num_original) = (form.variables, cnf.num_clauses());
    Ok(Loaded { clauses, actions, variables, num_original, missing_deletions: missing, unit_deletions })
}

#[cfg(test)]
mod tests {
    use super::*;
    use putnam_formula::ProofSink;

    #[test]
    fn deletions_find_their_clause_in_any_order() {
        let lits = |numbers: &[i32]| numbers.iter().map(|&x| Lit::from_dimacs(x).unwrap()).collect::<Vec<_>>();
        let cnf: Cnf = [&[1, 2, 1][..], &[3, -40_000_000], &[1], &[2, 1]].into_iter().collect();
        let mut proof = Proof::new();
        proof.delete(&lits(&[1, 2])); // the newest of two copies
        proof.delete(&lits(&[2, 1, 2]));
        proof.delete(&lits(&[1, 2]));
        proof.add(&lits(&[1, -1]));
        proof.delete(&lits(&[-1, 1]));
        proof.delete(&lits(&[1]));
        let loaded = load(&cnf, &proof, false).unwrap();
        use Action::*;
        assert_eq!(loaded.actions, [Delete(3), Delete(0), Nothing, Add(4), Delete(4), Delete(2)]);
        assert_eq!(loaded.missing_deletions, (1, vec![3]));
        assert!(loaded.clauses.is_tautology(loaded.clauses.by_number(4)));
        let loaded = load(&cnf, &proof, true).unwrap();
        assert_eq!((loaded.actions[5], loaded.unit_deletions), (Nothing, 1));
    }
}
