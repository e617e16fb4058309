//! The proof while it is written.

use super::{ProofKind, SolveArgs};
use crate::failure::Failure;
use crate::output::Target;
use putnam_formats::ProofWriter;
use putnam_formula::{ProofSink, SharedProof};
use std::fs::File;
use std::io::{self, Write};
use std::path::PathBuf;

type Writer = ProofWriter<Box<dyn Write + Send>>;

/// Where the steps of the proof go, shared with the engine.
#[derive(Clone)]
pub(super) struct Proof {
    path: PathBuf,
    written: Option<SharedProof<Writer>>,
}

impl Proof {
    /// What the options ask for; the file is emptied.
    pub(super) fn create(args: &SolveArgs) -> Result<Self, Failure> {
        let path = args.proof.clone().unwrap_or_default();
        let written = match &args.proof {
            None => None,
            Some(_) => {
                let out: Box<dyn Write + Send> = match Target::new(Some(&path)) {
                    Target::File(path) => Box::new(File::create(&path).map_err(|error| Failure::io(&path, error))?),
                    Target::Stdout | Target::Stderr => Box::new(io::stdout()),
                };
                Some(SharedProof::new(match args.proof_format {
                    ProofKind::Drat => ProofWriter::text(out),
                    ProofKind::Binary => ProofWriter::binary(out),
                }))
            }
        };
        Ok(Self { path, written })
    }

    /// The sink for the engine, if anybody wants the proof.
    pub(super) fn sink(&self) -> Option<Box<dyn ProofSink>> {
        self.written.clone().map(|written| Box::new(written) as Box<dyn ProofSink>)
    }

    /// Hands everything to the operating system.
    ///
    /// # Errors
    /// The first error of any write so far: then the file holds no proof.
    pub(super) fn flush(&self) -> Result<(), Failure> {
        let Some(written) = &self.written else { return Ok(()) };
        written.with(ProofSink::flush).map_err(|error| Failure::io(&self.path, error))
    }
}
