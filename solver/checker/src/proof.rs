//! Proofs in memory, flat.

use putnam_formula::{Lit, ProofSink};
use std::io;

/// A DRAT proof: clauses that are added and deleted, in order, in one flat array of literals. A reader fills it through
/// [`ProofSink`] or literal by literal; an engine can write to it directly.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Proof {
    literals: Vec<Lit>,
    /// By step: where its literals end, times two, plus one for a deletion.
    ends: Vec<u64>,
}

/// One step of a [`Proof`]; the clause is as written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step<'a> {
    /// The clause is claimed to follow: RUP, or RAT on its first literal.
    Add(&'a [Lit]),
    /// The clause is no longer used.
    Delete(&'a [Lit]),
}

impl<'a> Step<'a> {
    /// The clause of the step.
    pub fn clause(self) -> &'a [Lit] {
        match self {
            Self::Add(clause) | Self::Delete(clause) => clause,
        }
    }
}

impl Proof {
    /// A proof without steps.
    pub fn new() -> Self {
        Self::default()
    }

    /// Appends a literal to the step that is being written; [`Proof::close_add`] or [`Proof::close_delete`] ends it.
    #[inline]
    pub fn push_literal(&mut self, lit: Lit) {
        self.literals.push(lit);
    }

    /// Ends the step that is being written: its clause is added.
    #[inline]
    pub fn close_add(&mut self) {
        self.ends.push((self.literals.len() as u64) << 1);
    }

    /// Ends the step that is being written: its clause is deleted.
    #[inline]
    pub fn close_delete(&mut self) {
        self.ends.push((self.literals.len() as u64) << 1 | 1);
    }

    /// The number of steps.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there is no step.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The number of literals in all steps.
    pub fn num_literals(&self) -> usize {
        self.ends.last().map_or(0, |end| (end >> 1) as usize)
    }

    /// Step `index`, counted from 0.
    ///
    /// # Panics
    /// If there is no such step.
    pub fn step(&self, index: usize) -> Step<'_> {
        let start = if index == 0 { 0 } else { (self.ends[index - 1] >> 1) as usize };
        let end = self.ends[index];
        let clause = &self.literals[start..(end >> 1) as usize];
        if end & 1 == 0 { Step::Add(clause) } else { Step::Delete(clause) }
    }

    /// All steps in order.
    pub fn steps(&self) -> impl ExactSizeIterator<Item = Step<'_>> + Clone {
        (0..self.len()).map(|index| self.step(index))
    }

    /// Writes all steps to `sink`.
    pub fn replay(&self, sink: &mut dyn ProofSink) {
        for step in self.steps() {
            match step {
                Step::Add(clause) => sink.add(clause),
                Step::Delete(clause) => sink.delete(clause),
            }
        }
    }
}

impl ProofSink for Proof {
    fn add(&mut self, clause: &[Lit]) {
        self.literals.extend_from_slice(clause);
        self.close_add();
    }

    fn delete(&mut self, clause: &[Lit]) {
        self.literals.extend_from_slice(clause);
        self.close_delete();
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// An LRAT proof in memory (Cruz-Filipe et al., Efficient certified RAT verification, CADE 2017), in flat arrays. The
/// clauses of the formula have the ids 1, 2, ... in their order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LratProof {
    literals: Vec<Lit>,
    hints: Vec<i64>,
    deleted: Vec<u64>,
    steps: Vec<FlatLratStep>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct FlatLratStep {
    id: u64,
    literals_end: usize,
    hints_end: usize,
    deleted_end: usize,
    delete: bool,
}

/// One step of an [`LratProof`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LratStep<'a> {
    /// A clause that follows.
    Add {
        /// The clause's own id.
        id: u64,
        /// The clause as written.
        clause: &'a [Lit],
        /// Ids of clauses that become unit one after the other when the clause is assumed to be false, the last one
        /// false; for RAT then, for every clause with the negation of the first literal in ascending order, its id as a
        /// negative number and the hints of that resolvent.
        hints: &'a [i64],
    },
    /// Clauses that are needed no more.
    Delete {
        /// The id of the last clause that was added so far. Nothing depends on it.
        id: u64,
        /// Ids of clauses.
        ids: &'a [u64],
    },
}

impl LratProof {
    /// A proof without steps.
    pub fn new() -> Self {
        Self::default()
    }

    /// Appends a step.
    pub fn push(&mut self, step: LratStep<'_>) {
        let (id, delete) = match step {
            LratStep::Add { id, clause, hints } => {
                self.literals.extend_from_slice(clause);
                self.hints.extend_from_slice(hints);
                (id, false)
            }
            LratStep::Delete { id, ids } => {
                self.deleted.extend_from_slice(ids);
                (id, true)
            }
        };
        let (literals_end, hints_end, deleted_end) = (self.literals.len(), self.hints.len(), self.deleted.len());
        self.steps.push(FlatLratStep { id, literals_end, hints_end, deleted_end, delete });
    }

    /// The number of steps.
    pub fn len(&self) -> usize {
        self.steps.len()
    }

    /// Whether there is no step.
    pub fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }

    /// All steps in order.
    pub fn steps(&self) -> impl ExactSizeIterator<Item = LratStep<'_>> + Clone {
        (0..self.steps.len()).map(|index| {
            let before = index.checked_sub(1).map(|before| &self.steps[before]);
            let start = before.map_or((0, 0, 0), |step| (step.literals_end, step.hints_end, step.deleted_end));
            let &FlatLratStep { id, literals_end, hints_end, deleted_end, delete } = &self.steps[index];
            if delete {
                return LratStep::Delete { id, ids: &self.deleted[start.2..deleted_end] };
            }
            let (clause, hints) = (&self.literals[start.0..literals_end], &self.hints[start.1..hints_end]);
            LratStep::Add { id, clause, hints }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lits<const N: usize>(numbers: [i32; N]) -> [Lit; N] {
        numbers.map(|x| Lit::from_dimacs(x).unwrap())
    }

    #[test]
    fn steps_come_back_as_written() {
        let mut proof = Proof::new();
        proof.add(&lits([1, -2]));
        proof.delete(&lits([3]));
        proof.push_literal(lits([5])[0]);
        proof.close_add();
        proof.add(&[]);
        let expected = [Step::Add(&lits([1, -2])), Step::Delete(&lits([3])), Step::Add(&lits([5])), Step::Add(&[])];
        assert_eq!(proof.steps().collect::<Vec<_>>(), expected);
        assert_eq!((proof.len(), proof.num_literals()), (4, 4));
        let mut copy = Proof::new();
        proof.replay(&mut copy);
        assert_eq!(copy, proof);
    }

    #[test]
    fn lrat_steps_come_back_as_written() {
        let clause = lits([1, -2]);
        let steps = [
            LratStep::Delete { id: 4, ids: &[2, 3] },
            LratStep::Add { id: 5, clause: &clause, hints: &[1, -4, 1] },
            LratStep::Add { id: 6, clause: &[], hints: &[5, 1] },
        ];
        let mut proof = LratProof::new();
        steps.iter().for_each(|&step| proof.push(step));
        assert_eq!(proof.steps().collect::<Vec<_>>(), steps);
    }
}
