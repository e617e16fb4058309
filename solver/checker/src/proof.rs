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

/// Takes the steps of an LRAT proof (Cruz-Filipe et al., Efficient certified RAT verification, CADE 2017). The clauses of
/// the formula have the ids 1, 2, ... in their order.
pub trait LratSink {
    /// A clause that follows. `hints` are ids of clauses that become unit one after the other when the clause is assumed
    /// to be false, the last one false; for RAT then, for every clause with the negation of the first literal in
    /// ascending order, its id as a negative number and the hints of that resolvent.
    fn add(&mut self, id: u64, clause: &[Lit], hints: &[i64]);

    /// Clauses that are needed no more. `id` is the last one that was added so far.
    fn delete(&mut self, id: u64, ids: &[i64]);
}

/// An LRAT proof in memory, in flat arrays.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LratProof {
    literals: Vec<Lit>,
    /// Hints of additions and ids of deletions.
    ids: Vec<i64>,
    steps: Vec<FlatLratStep>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct FlatLratStep {
    id: u64,
    literals_end: usize,
    ids_end: usize,
    delete: bool,
}

/// One step of an [`LratProof`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LratStep<'a> {
    /// See [`LratSink::add`].
    Add {
        /// The clause's own id.
        id: u64,
        /// The clause as written.
        clause: &'a [Lit],
        /// Ids of clauses.
        hints: &'a [i64],
    },
    /// See [`LratSink::delete`].
    Delete {
        /// What the line begins with. Nothing depends on it.
        id: u64,
        /// Ids of clauses.
        ids: &'a [i64],
    },
}

impl LratProof {
    /// A proof without steps.
    pub fn new() -> Self {
        Self::default()
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
            let start = index.checked_sub(1).map_or((0, 0), |i| (self.steps[i].literals_end, self.steps[i].ids_end));
            let step = &self.steps[index];
            let (clause, ids) = (&self.literals[start.0..step.literals_end], &self.ids[start.1..step.ids_end]);
            if step.delete {
                LratStep::Delete { id: step.id, ids }
            } else {
                LratStep::Add { id: step.id, clause, hints: ids }
            }
        })
    }

    /// Writes all steps to `sink`.
    pub fn replay(&self, sink: &mut dyn LratSink) {
        for step in self.steps() {
            match step {
                LratStep::Add { id, clause, hints } => sink.add(id, clause, hints),
                LratStep::Delete { id, ids } => sink.delete(id, ids),
            }
        }
    }

    fn push(&mut self, id: u64, clause: &[Lit], ids: &[i64], delete: bool) {
        self.literals.extend_from_slice(clause);
        self.ids.extend_from_slice(ids);
        let (literals_end, ids_end) = (self.literals.len(), self.ids.len());
        self.steps.push(FlatLratStep { id, literals_end, ids_end, delete });
    }
}

impl LratSink for LratProof {
    fn add(&mut self, id: u64, clause: &[Lit], hints: &[i64]) {
        self.push(id, clause, hints, false);
    }

    fn delete(&mut self, id: u64, ids: &[i64]) {
        self.push(id, &[], ids, true);
    }
}

/// Writes LRAT as text, a line a step: `id literals 0 hints 0` and `id d ids 0`. Keeps its first error.
pub struct LratWriter<W> {
    out: W,
    line: Vec<u8>,
    result: io::Result<()>,
}

impl<W: io::Write> LratWriter<W> {
    /// A writer to `out`, which should be buffered.
    pub fn new(out: W) -> Self {
        Self { out, line: Vec::new(), result: Ok(()) }
    }

    /// Ends the proof and gives `out` back.
    ///
    /// # Errors
    /// The first error of any write so far.
    pub fn finish(mut self) -> io::Result<W> {
        self.result?;
        self.out.flush()?;
        Ok(self.out)
    }

    fn number(&mut self, number: i64) {
        // Writing to memory cannot fail.
        let _ = io::Write::write_fmt(&mut self.line, format_args!("{number} "));
    }

    fn end_line(&mut self) {
        self.line.extend_from_slice(b"0\n");
        if self.result.is_ok() {
            self.result = self.out.write_all(&self.line);
        }
        self.line.clear();
    }
}

impl<W: io::Write> LratSink for LratWriter<W> {
    fn add(&mut self, id: u64, clause: &[Lit], hints: &[i64]) {
        self.number(id as i64);
        clause.iter().for_each(|lit| self.number(lit.to_dimacs().into()));
        self.line.extend_from_slice(b"0 ");
        hints.iter().for_each(|&hint| self.number(hint));
        self.end_line();
    }

    fn delete(&mut self, id: u64, ids: &[i64]) {
        self.number(id as i64);
        self.line.extend_from_slice(b"d ");
        ids.iter().for_each(|&id| self.number(id));
        self.end_line();
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
    fn lrat_text_has_the_form_that_others_read() {
        let mut proof = LratProof::new();
        proof.delete(4, &[2, 3]);
        proof.add(5, &lits([1, -2]), &[1, -4, 1]);
        proof.add(6, &[], &[5, 1]);
        let mut writer = LratWriter::new(Vec::new());
        proof.replay(&mut writer);
        let text = String::from_utf8(writer.finish().unwrap()).unwrap();
        assert_eq!(text, "4 d 2 3 0\n5 1 -2 0 1 -4 1 0\n6 0 5 1 0\n");
    }
}
