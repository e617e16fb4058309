//! Where an engine writes down what it learns and forgets.

use crate::Lit;
use std::io;
use std::sync::{Arc, Mutex};

/// Takes the steps of a clausal proof in the order in which they happen. The steps are those of DRAT (Wetzler, Heule
/// and Hunt, DRAT-trim, SAT 2014): every added clause has the property RUP or RAT (on its first literal) with respect
/// to the formula and the steps before it. Literals are the formula's own, as the user numbers them.
///
/// A sink never fails in the middle of a search: it keeps its first error and reports it from [`ProofSink::flush`].
pub trait ProofSink: Send {
    /// A clause that follows. The empty clause ends a refutation.
    fn add(&mut self, clause: &[Lit]);

    /// A clause, of the formula or added before, that is needed no more. Its literals may stand in any order.
    fn delete(&mut self, clause: &[Lit]);

    /// Hands everything to the operating system.
    ///
    /// # Errors
    /// The first error of any write so far.
    fn flush(&mut self) -> io::Result<()>;
}

/// A proof sink that two owners share: the engine writes to it, and who made it flushes or reads it afterwards.
#[derive(Debug)]
pub struct SharedProof<S>(Arc<Mutex<S>>);

impl<S> SharedProof<S> {
    /// Shares `sink`.
    pub fn new(sink: S) -> Self {
        Self(Arc::new(Mutex::new(sink)))
    }

    /// Runs `body` on the shared sink.
    pub fn with<T>(&self, body: impl FnOnce(&mut S) -> T) -> T {
        // A sink that panicked half-way is still the best record there is.
        body(&mut self.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner))
    }
}

impl<S> Clone for SharedProof<S> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<S: ProofSink> ProofSink for SharedProof<S> {
    fn add(&mut self, clause: &[Lit]) {
        self.with(|sink| sink.add(clause));
    }

    fn delete(&mut self, clause: &[Lit]) {
        self.with(|sink| sink.delete(clause));
    }

    fn flush(&mut self) -> io::Result<()> {
        self.with(|sink| sink.flush())
    }
}
