//! The way to the proof sink: inner literals become the user's own.

use putnam_formula::{Lit, ProofSink, Renumbering};

/// A sink, or none.
#[derive(Default)]
pub(crate) struct Proof {
    sink: Option<Box<dyn ProofSink>>,
    outer: Vec<Lit>,
}

impl Proof {
    pub(crate) fn set(&mut self, sink: Box<dyn ProofSink>) {
        self.sink = Some(sink);
    }

    /// Whether there is somebody to tell.
    pub(crate) fn is_wanted(&self) -> bool {
        self.sink.is_some()
    }

    /// Adds a clause of inner literals.
    pub(crate) fn add(&mut self, map: &Renumbering, clause: &[Lit]) {
        if let Some(sink) = &mut self.sink {
            self.outer.clear();
            self.outer.extend(clause.iter().map(|&lit| map.outer(lit)));
            sink.add(&self.outer);
        }
    }

    /// Deletes a clause of inner literals.
    pub(crate) fn delete(&mut self, map: &Renumbering, clause: &[Lit]) {
        if let Some(sink) = &mut self.sink {
            self.outer.clear();
            self.outer.extend(clause.iter().map(|&lit| map.outer(lit)));
            sink.delete(&self.outer);
        }
    }

    /// Adds a clause in the numbers of the proof; it may have variables that only the proof knows.
    pub(crate) fn add_outer(&mut self, clause: &[Lit]) {
        if let Some(sink) = &mut self.sink {
            sink.add(clause);
        }
    }

    /// Deletes a clause in the numbers of the proof: as the user wrote it.
    pub(crate) fn delete_outer(&mut self, clause: &[Lit]) {
        if let Some(sink) = &mut self.sink {
            sink.delete(clause);
        }
    }
}
