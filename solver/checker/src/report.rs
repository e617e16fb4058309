//! What a check found: figures, the core, and the proof without what was not needed, as DRAT and as LRAT.

use crate::clauses::Clauses;
use crate::proof::{LratStep, Proof};
use crate::redundancy::{Hint, Needs};
use putnam_formula::{Cnf, Lit, ProofSink, Renumbering};
use std::collections::{HashMap, HashSet};

/// What a check counted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// Steps of the proof.
    pub steps: u64,
    /// Steps up to the one with which unit propagation finds a conflict. Those after it were not looked at.
    pub steps_used: u64,
    /// Additions that were checked: going backward, only those that the refutation needs.
    pub checked: u64,
    /// Those among them that are RAT and not RUP.
    pub rat: u64,
    /// Deletions of clauses that do not exist. They have no effect.
    pub missing_deletions: u64,
    /// The first such steps, counted from 1.
    pub first_missing_deletions: Vec<u64>,
    /// Deletions of unit clauses, or of clauses that are unit under unit propagation, which were ignored.
    pub ignored_unit_deletions: u64,
    /// Literals propagated.
    pub propagations: u64,
}

/// An accepted refutation. The formula has no model.
#[derive(Debug)]
pub struct Report<'a> {
    cnf: &'a Cnf,
    proof: &'a Proof,
    statistics: Statistics,
    derivation: Option<Derivation>,
}

/// An addition of the proof.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lemma {
    /// The step, counted from 0.
    pub(crate) step: u32,
    pub(crate) number: u32,
}

/// What was needed, in the order in which a backward check finds it: the last step first.
#[derive(Debug)]
pub(crate) struct Derivation {
    num_original: usize,
    keep_hints: bool,
    records: Vec<Record>,
    hints: Vec<u32>,
    fresh: Vec<u32>,
    units: Vec<UnitClause>,
    /// The other variables of the reasons of `units`.
    others: Vec<u32>,
}

/// A clause of the refutation; ends into the arrays of the [`Derivation`].
#[derive(Debug)]
struct Record {
    /// None for the empty clause, which unit propagation found.
    lemma: Option<Lemma>,
    hints_end: usize,
    /// What this clause is the last one to use.
    fresh_end: usize,
}

/// A unit that propagation finds without assumptions.
#[derive(Debug)]
struct UnitClause {
    var: u32,
    /// The literal, as the user numbers it.
    lit: Lit,
    position: u32,
    /// How many steps had been taken when it became true.
    steps: u32,
    reason: u32,
    others_end: usize,
}

impl Derivation {
    pub(crate) fn new(num_original: usize, keep_hints: bool) -> Self {
        let (records, hints, fresh, units, others) = Default::default();
        Self { num_original, keep_hints, records, hints, fresh, units, others }
    }

    /// Takes over what the check of a clause needed.
    pub(crate) fn push(&mut self, lemma: Option<Lemma>, needs: &mut Needs) {
        if self.keep_hints {
            self.hints.extend_from_slice(&needs.unit_hints);
            self.hints.extend_from_slice(&needs.hints);
        }
        self.fresh.append(&mut needs.fresh);
        self.records.push(Record { lemma, hints_end: self.hints.len(), fresh_end: self.fresh.len() });
    }

    /// Takes over the units. `steps_at` tells for each place on the trail how many steps had been taken.
    pub(crate) fn finish(&mut self, needs: &mut Needs, clauses: &Clauses, steps_at: &[u32], variables: &Renumbering) {
        if !self.keep_hints {
            return;
        }
        needs.units.sort_unstable_by_key(|unit| unit.position);
        for unit in needs.units.drain(..) {
            let reason = clauses.lits(clauses.by_number(unit.reason));
            self.others.extend(reason.filter(|&lit| lit != unit.lit).map(|lit| lit.var().index() as u32));
            self.units.push(UnitClause {
                var: unit.lit.var().index() as u32,
                lit: variables.outer(unit.lit),
                position: unit.position,
                steps: steps_at.get(unit.position as usize).copied().unwrap_or(0),
                reason: unit.reason,
                others_end: self.others.len(),
            });
        }
        debug_assert!(self.units.is_sorted_by_key(|unit| (unit.steps, unit.position)));
    }

    fn record(&self, index: usize) -> (Option<Lemma>, &[u32], &[u32]) {
        let start = index.checked_sub(1).map_or((0, 0), |i| (self.records[i].hints_end, self.records[i].fresh_end));
        let record = &self.records[index];
        (record.lemma, &self.hints[start.0..record.hints_end], &self.fresh[start.1..record.fresh_end])
    }

    /// The clauses of the formula that are needed, by their numbers from 0, ascending.
    fn core(&self) -> Vec<usize> {
        let clauses = self.fresh.iter().filter_map(|&word| match Hint::unpack(word) {
            Hint::Clause(number) if (number as usize) < self.num_original => Some(number as usize),
            _ => None,
        });
        let mut core: Vec<usize> = clauses.collect();
        core.sort_unstable();
        core
    }
}

impl<'a> Report<'a> {
    pub(crate) fn new(cnf: &'a Cnf, proof: &'a Proof, statistics: Statistics, derivation: Option<Derivation>) -> Self {
        Self { cnf, proof, statistics, derivation }
    }

    /// What the check counted.
    pub fn statistics(&self) -> &Statistics {
        &self.statistics
    }

    /// The clauses of the formula that the refutation uses, by their numbers from 0, ascending: these alone have no
    /// model. None after a forward check, which does not find out.
    pub fn core(&self) -> Option<Vec<usize>> {
        self.derivation.as_ref().map(Derivation::core)
    }

    /// The number of clauses of the proof that the refutation uses. None after a forward check.
    pub fn core_lemmas(&self) -> Option<usize> {
        let derivation = self.derivation.as_ref()?;
        Some(derivation.records.iter().filter(|record| record.lemma.is_some()).count())
    }

    /// Writes the refutation with nothing but what it uses: a DRAT proof in which every clause is deleted after its
    /// last use. If it has RAT steps, clauses that are not in the core may stand in their way and are deleted first.
    /// Answers false, and writes nothing, after a forward check.
    pub fn write_trimmed(&self, sink: &mut dyn ProofSink) -> bool {
        let Some(derivation) = self.derivation.as_ref().filter(|_| self.statistics.rat > 0) else {
            return self.write_trimmed_for_core(sink);
        };
        let mut core = derivation.core().into_iter().peekable();
        for (index, clause) in self.cnf.clauses().enumerate() {
            if core.next_if_eq(&index).is_none() {
                delete(sink, clause);
            }
        }
        self.write_trimmed_for_core(sink)
    }

    /// As [`Report::write_trimmed`], for a formula that has only the clauses of [`Report::core`].
    pub fn write_trimmed_for_core(&self, sink: &mut dyn ProofSink) -> bool {
        let Some(derivation) = &self.derivation else { return false };
        let numbers = self.steps_by_number();
        for index in (0..derivation.records.len()).rev() {
            let (lemma, _, fresh) = derivation.record(index);
            let Some(lemma) = lemma else { break };
            sink.add(&self.lemma(lemma.step));
            for &word in fresh {
                let Hint::Clause(number) = Hint::unpack(word) else { continue };
                match numbers.get(&number) {
                    Some(&step) => delete(sink, &self.lemma(step)),
                    None => delete(sink, self.cnf.clause(number as usize)),
                }
            }
        }
        sink.add(&[]);
        true
    }

    /// Writes the refutation as LRAT, with nothing but what it uses. Clauses that are not in the core are deleted
    /// first, all others after their last use. Units that propagation finds are written as clauses of their own, so
    /// that hints stay short. Answers false, and writes nothing, after a forward check or without
    /// [`crate::Options::hints`].
    pub fn write_lrat(&self, sink: &mut dyn FnMut(LratStep<'_>)) -> bool {
        let Some(derivation) = self.derivation.as_ref().filter(|derivation| derivation.keep_hints) else {
            return false;
        };
        let last = derivation.num_original as u64;
        let mut writer = Lrat { derivation, sink, last, clauses: HashMap::new(), units: HashMap::new(), next_unit: 0 };
        writer.delete_all_but(&derivation.core());
        for index in (0..derivation.records.len()).rev() {
            let (lemma, hints, fresh) = derivation.record(index);
            match lemma {
                Some(lemma) => {
                    writer.units_before(lemma.step);
                    let id = writer.add(&self.lemma(lemma.step), hints);
                    writer.clauses.insert(lemma.number, id);
                    writer.delete(fresh);
                }
                None => {
                    writer.units_before(u32::MAX);
                    writer.add(&[], hints);
                }
            }
        }
        true
    }

    fn steps_by_number(&self) -> HashMap<u32, u32> {
        let records = self.derivation.iter().flat_map(|derivation| &derivation.records);
        records.filter_map(|record| record.lemma).map(|lemma| (lemma.number, lemma.step)).collect()
    }

    /// The clause that a step adds, each literal once.
    fn lemma(&self, step: u32) -> Vec<Lit> {
        let clause = self.proof.step(step as usize).clause();
        let mut seen = HashSet::with_capacity(clause.len());
        clause.iter().copied().filter(|&lit| seen.insert(lit)).collect()
    }
}

/// Deletes a clause unless it is a unit, whose deletion most checkers ignore with a warning. Nothing depends on it: a
/// unit with the negation of a pivot would make that step RUP or wrong.
fn delete(sink: &mut dyn ProofSink, clause: &[Lit]) {
    if clause.iter().any(|&lit| lit != clause[0]) {
        sink.delete(clause);
    }
}

/// Gives out ids while an LRAT proof is written.
struct Lrat<'a> {
    derivation: &'a Derivation,
    sink: &'a mut dyn FnMut(LratStep<'_>),
    last: u64,
    /// Ids of clauses of the proof, by number.
    clauses: HashMap<u32, u64>,
    /// Ids of units, by variable.
    units: HashMap<u32, u64>,
    next_unit: usize,
}

impl Lrat<'_> {
    fn id(&self, word: u32) -> i64 {
        let of_clause = |number: u32| match self.clauses.get(&number) {
            Some(&id) => id as i64,
            None => i64::from(number) + 1,
        };
        match Hint::unpack(word) {
            Hint::Clause(number) => of_clause(number),
            Hint::Unit(var) => self.units.get(&var).map_or(0, |&id| id as i64),
            Hint::Resolvent(number) => -of_clause(number),
        }
    }

    fn add(&mut self, clause: &[Lit], hints: &[u32]) -> u64 {
        let hints: Vec<i64> = hints.iter().map(|&word| self.id(word)).collect();
        self.last += 1;
        (self.sink)(LratStep::Add { id: self.last, clause, hints: &hints });
        self.last
    }

    /// Writes the units that propagation had found when `step` steps had been taken.
    fn units_before(&mut self, step: u32) {
        let derivation = self.derivation;
        while let Some(unit) = derivation.units.get(self.next_unit).filter(|unit| unit.steps <= step) {
            let start = self.next_unit.checked_sub(1).map_or(0, |before| derivation.units[before].others_end);
            let others = &derivation.others[start..unit.others_end];
            let reason = Hint::Clause(unit.reason).pack();
            let id = if others.is_empty() {
                self.id(reason).unsigned_abs()
            } else {
                let mut hints: Vec<u32> = others.iter().map(|&var| Hint::Unit(var).pack()).collect();
                hints.push(reason);
                self.add(&[unit.lit], &hints)
            };
            self.units.insert(unit.var, id);
            self.next_unit += 1;
        }
    }

    fn delete(&mut self, fresh: &[u32]) {
        let mut ids: Vec<u64> = fresh.iter().map(|&word| self.id(word).unsigned_abs()).collect();
        // A unit that is a clause of the formula or the proof appears twice.
        ids.sort_unstable();
        ids.dedup();
        if !ids.is_empty() {
            (self.sink)(LratStep::Delete { id: self.last, ids: &ids });
        }
    }

    fn delete_all_but(&mut self, core: &[usize]) {
        let mut core = core.iter().copied().peekable();
        let all = 0..self.derivation.num_original;
        let ids: Vec<u64> =
            all.filter(|index| core.next_if_eq(index).is_none()).map(|index| index as u64 + 1).collect();
        if !ids.is_empty() {
            (self.sink)(LratStep::Delete { id: self.last, ids: &ids });
        }
    }
}
