//! Checking LRAT: the hints say which clauses become unit, so nothing is searched.

use crate::error::{Cause, Rejection};
use crate::proof::{LratProof, LratStep};
use putnam_formula::{Cnf, Lit, Renumbering};
use std::collections::HashMap;

/// What an accepted LRAT proof holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LratReport {
    /// Additions up to the empty clause.
    pub additions: u64,
    /// Those among them that are RAT and not RUP.
    pub rat: u64,
    /// Clauses that were deleted.
    pub deletions: u64,
}

/// Checks an LRAT proof. It is complete with the empty clause; steps after it are not looked at. A proof without the
/// empty clause is accepted when the formula has it.
///
/// # Errors
/// The first fault.
pub fn check_lrat(cnf: &Cnf, proof: &LratProof) -> Result<LratReport, Rejection> {
    let mut checker = Checker::default();
    let mut report = LratReport::default();
    let mut refuted = false;
    for (index, clause) in cnf.clauses().enumerate() {
        refuted |= clause.is_empty();
        checker.insert(index as u64 + 1, clause);
    }
    for (index, step) in proof.steps().enumerate() {
        if refuted {
            break;
        }
        let result = match step {
            LratStep::Delete { ids, .. } => checker.delete(ids, &mut report),
            LratStep::Add { id, clause, hints } => checker.add(id, clause, hints, &mut report),
        };
        result.map_err(|cause| {
            let clause = match step {
                LratStep::Delete { .. } => None,
                LratStep::Add { clause, .. } => Some(clause.to_vec()),
            };
            Rejection { step: Some(index as u64 + 1), clause, cause }
        })?;
        refuted = matches!(step, LratStep::Add { clause: [], .. });
    }
    if refuted { Ok(report) } else { Err(Rejection::whole(Cause::NoEmptyClause)) }
}

/// The clauses that are alive. Literals are inner ones.
#[derive(Default)]
struct Checker {
    variables: Renumbering,
    literals: Vec<Lit>,
    /// By id: where the clause stands in `literals`.
    clauses: HashMap<u64, (usize, usize)>,
    last: u64,
    /// By literal code: true.
    truth: Vec<bool>,
    trail: Vec<Lit>,
    /// By literal code: the ids of the clauses with it, alive or not, ascending. Made when first needed.
    occurrences: Option<Vec<Vec<u64>>>,
}

impl Checker {
    fn inner(&mut self, lit: Lit) -> Lit {
        let lit = self.variables.get_or_insert(lit);
        if lit.code() | 1 >= self.truth.len() {
            self.truth.resize((lit.code() | 1) + 1, false);
        }
        lit
    }

    fn insert(&mut self, id: u64, clause: &[Lit]) {
        let start = self.literals.len();
        for &lit in clause {
            let lit = self.inner(lit);
            self.literals.push(lit);
            if let Some(occurrences) = &mut self.occurrences {
                occurrences.resize(self.truth.len(), Vec::new());
                occurrences[lit.code()].push(id);
            }
        }
        self.clauses.insert(id, (start, self.literals.len()));
        self.last = id;
    }

    fn delete(&mut self, ids: &[u64], report: &mut LratReport) -> Result<(), Cause> {
        for &id in ids {
            self.clauses.remove(&id).ok_or(Cause::UnknownDeletion { id })?;
            report.deletions += 1;
        }
        Ok(())
    }

    fn add(&mut self, id: u64, clause: &[Lit], hints: &[i64], report: &mut LratReport) -> Result<(), Cause> {
        if id <= self.last {
            return Err(Cause::IdOrder { id, last: self.last });
        }
        let rat = self.justify(clause, hints);
        self.undo(0);
        report.rat += rat? as u64;
        report.additions += 1;
        self.insert(id, clause);
        Ok(())
    }

    /// Follows the hints of a clause. Answers whether it is RAT and not RUP.
    fn justify(&mut self, clause: &[Lit], hints: &[i64]) -> Result<bool, Cause> {
        for &lit in clause {
            let lit = self.inner(lit);
            if self.truth[lit.code()] {
                return Ok(false); // opposite literals
            }
            self.assign(!lit);
        }
        let (common, resolvents) = hints.split_at(hints.iter().position(|&hint| hint < 0).unwrap_or(hints.len()));
        if self.follow(common)? {
            return Ok(false);
        }
        let Some(&pivot) = clause.first() else { return Err(Cause::HintsEnd) };
        let negated = !self.inner(pivot);
        let mut groups = HashMap::new();
        for group in resolvents.chunk_by(|_, &next| next >= 0) {
            let &[hint, ref hints @ ..] = group else { continue };
            let partner = hint.unsigned_abs();
            if !self.clause(hint, partner)?.contains(&negated) {
                return Err(Cause::NoResolvent { hint });
            }
            groups.insert(partner, hints);
        }
        for partner in self.partners(negated) {
            self.resolve(partner, negated, groups.get(&partner).copied(), !resolvents.is_empty())?;
        }
        Ok(true)
    }

    /// Follows the hints of the resolvent with one clause.
    fn resolve(&mut self, partner: u64, negated: Lit, hints: Option<&[i64]>, rat: bool) -> Result<(), Cause> {
        let base = self.trail.len();
        let lits: Vec<Lit> = self.clause(0, partner)?.iter().copied().filter(|&lit| lit != negated).collect();
        if lits.contains(&!negated) {
            return Ok(()); // the clause is always true
        }
        for lit in lits {
            if self.truth[lit.code()] {
                self.undo(base);
                return Ok(()); // a tautology, or true by what all resolvents share
            }
            self.assign(!lit);
        }
        let missing = if rat { Cause::MissingResolvent { id: partner } } else { Cause::HintsEnd };
        let conflict = self.follow(hints.ok_or(missing)?)?;
        self.undo(base);
        if conflict { Ok(()) } else { Err(Cause::ResolventHintsEnd { id: partner }) }
    }

    /// Goes through hints; each clause must be unit, or false, which ends it. Answers whether one was false.
    fn follow(&mut self, hints: &[i64]) -> Result<bool, Cause> {
        for &hint in hints {
            let key = u64::try_from(hint).map_err(|_| Cause::UnknownHint { hint })?;
            let mut open = None;
            for &lit in self.clause(hint, key)? {
                if !self.truth[(!lit).code()] && open != Some(lit) {
                    if open.is_some() {
                        let clause = self.clause(hint, key)?.iter().map(|&lit| self.variables.outer(lit)).collect();
                        return Err(Cause::HintNotUnit { hint, clause });
                    }
                    open = Some(lit);
                }
            }
            match open {
                None => return Ok(true),
                Some(lit) => self.assign(lit),
            }
        }
        Ok(false)
    }

    fn clause(&self, hint: i64, id: u64) -> Result<&[Lit], Cause> {
        let &(start, end) = self.clauses.get(&id).ok_or(Cause::UnknownHint { hint })?;
        Ok(&self.literals[start..end])
    }

    /// The ids of all clauses with a literal, ascending.
    fn partners(&mut self, lit: Lit) -> Vec<u64> {
        let Self { clauses, literals, truth, .. } = self;
        let occurrences = self.occurrences.get_or_insert_with(|| {
            let mut ids: Vec<u64> = clauses.keys().copied().collect();
            ids.sort_unstable();
            let mut occurrences = vec![Vec::new(); truth.len()];
            for id in ids {
                let (start, end) = clauses[&id];
                literals[start..end].iter().for_each(|lit| occurrences[lit.code()].push(id));
            }
            occurrences
        });
        occurrences.resize(truth.len(), Vec::new());
        let list = &mut occurrences[lit.code()];
        list.retain(|id| clauses.contains_key(id));
        list.dedup();
        list.clone()
    }

    fn assign(&mut self, lit: Lit) {
        if !std::mem::replace(&mut self.truth[lit.code()], true) {
            self.trail.push(lit);
        }
    }

    fn undo(&mut self, length: usize) {
        for lit in self.trail.drain(length..) {
            self.truth[lit.code()] = false;
        }
    }
}
