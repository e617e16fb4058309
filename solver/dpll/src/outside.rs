//! The border between the user's variables and the engine's: whatever goes out (proof, events, models) is translated
//! here.

use crate::trace::{Event, Observer};
use putnam_formula::{Lit, Model, ProofSink, Renumbering};

/// The user's variables are the outer ones of `variables`, the engine's the inner ones.
#[derive(Default)]
pub(crate) struct Outside {
    pub(crate) num_vars: u32,
    pub(crate) variables: Renumbering,
    pub(crate) proof: Option<Box<dyn ProofSink>>,
    pub(crate) observer: Option<Box<dyn Observer>>,
}

impl Outside {
    pub(crate) fn translate(&self, clause: &[Lit]) -> Vec<Lit> {
        clause.iter().map(|&lit| self.variables.outer(lit)).collect()
    }

    /// A model from the true literals. Variables that no literal speaks of are false.
    pub(crate) fn model(&self, trail: &[Lit]) -> Model {
        let mut model = Model::new(self.num_vars);
        trail.iter().for_each(|&lit| model.assign(self.variables.outer(lit)));
        model
    }

    pub(crate) fn prove(&mut self, lemma: &[Lit]) {
        if self.proof.is_some() {
            let lemma = self.translate(lemma);
            self.proof.iter_mut().for_each(|proof| proof.add(&lemma));
        }
    }

    pub(crate) fn forget(&mut self, lemma: &[Lit]) {
        if self.proof.is_some() {
            let lemma = self.translate(lemma);
            self.proof.iter_mut().for_each(|proof| proof.delete(&lemma));
        }
    }

    pub(crate) fn observe(&mut self, event: Event<'_>) {
        let Some(mut observer) = self.observer.take() else { return };
        let outer = |lit| self.variables.outer(lit);
        match event {
            Event::Assume { level, lit } => observer.event(Event::Assume { level, lit: outer(lit) }),
            Event::Decide { level, lit } => observer.event(Event::Decide { level, lit: outer(lit) }),
            Event::Pure { level, lit } => observer.event(Event::Pure { level, lit: outer(lit) }),
            Event::Backtrack { level, lit } => observer.event(Event::Backtrack { level, lit: outer(lit) }),
            Event::Propagate { level, lit, clause } => {
                observer.event(Event::Propagate { level, lit: outer(lit), clause: &self.translate(clause) });
            }
            Event::Conflict { level, clause } => {
                observer.event(Event::Conflict { level, clause: &self.translate(clause) });
            }
            // These speak the user's language already.
            Event::Model { .. } | Event::Refuted { .. } => observer.event(event),
        }
        self.observer = Some(observer);
    }
}
