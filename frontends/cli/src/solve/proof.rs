//! The proof while it is written: to a file, to memory for `--check`, or both.

use super::{ProofKind, SolveArgs};
use crate::failure::Failure;
use crate::output::Target;
use putnam_checker::Proof as Recording;
use putnam_formats::ProofWriter;
use putnam_formula::{Cnf, Lit, ProofSink, SharedProof};
use std::io::{self, Write};
use std::path::PathBuf;

type Writer = ProofWriter<Box<dyn Write + Send>>;

/// Where the steps of the proof go, shared with the engine.
#[derive(Clone)]
pub(super) struct Proof {
    path: PathBuf,
    written: Option<SharedProof<Writer>>,
    recorded: Option<SharedProof<Recording>>,
}

/// Both sinks of a proof as one.
struct Both(Box<dyn ProofSink>, Box<dyn ProofSink>);

impl ProofSink for Both {
    fn add(&mut self, clause: &[Lit]) {
        self.0.add(clause);
        self.1.add(clause);
    }

    fn delete(&mut self, clause: &[Lit]) {
        self.0.delete(clause);
        self.1.delete(clause);
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush().and(self.1.flush())
    }
}

impl Proof {
    /// What the options ask for; the file is emptied.
    pub(super) fn create(args: &SolveArgs) -> Result<Self, Failure> {
        let path = args.proof.clone().unwrap_or_default();
        let written = match &args.proof {
            None => None,
            Some(path) => {
                let out = Target::new(Some(path)).open()?;
                Some(SharedProof::new(match args.proof_format {
                    ProofKind::Drat => ProofWriter::text(out),
                    ProofKind::Binary => ProofWriter::binary(out),
                }))
            }
        };
        Ok(Self { path, written, recorded: args.check.then(|| SharedProof::new(Recording::new())) })
    }

    /// The sink for the engine, if anybody wants the proof.
    pub(super) fn sink(&self) -> Option<Box<dyn ProofSink>> {
        match (self.written.clone(), self.recorded.clone()) {
            (Some(written), Some(recorded)) => Some(Box::new(Both(Box::new(written), Box::new(recorded)))),
            (Some(written), None) => Some(Box::new(written)),
            (None, Some(recorded)) => Some(Box::new(recorded)),
            (None, None) => None,
        }
    }

    /// Hands everything to the operating system.
    ///
    /// # Errors
    /// The first error of any write so far: then the file holds no proof.
    pub(super) fn flush(&self) -> Result<(), Failure> {
        let Some(written) = &self.written else { return Ok(()) };
        written.with(ProofSink::flush).map_err(|error| Failure::io(&self.path, error))
    }

    /// Checks the recorded proof of a refutation, if it was asked for.
    ///
    /// # Errors
    /// [`Failure::Check`] when it is no proof.
    pub(super) fn check(&self, cnf: &Cnf) -> Result<(), Failure> {
        let Some(recorded) = &self.recorded else { return Ok(()) };
        recorded.with(|recording| match putnam_checker::check(cnf, recording) {
            Ok(_) => Ok(()),
            Err(rejection) if rejection.is_fault() => {
                Err(Failure::Check(format!("the proof does not hold: {rejection}")))
            }
            Err(rejection) => Err(Failure::Input(format!("the proof cannot be checked: {rejection}"))),
        })
    }
}
