//! The proof while it is written: to a file, to memory for `--check` and for LRAT, or both.
//!
//! LRAT comes from the checker and not from chains of antecedents that the engine would keep: all techniques of all engines
//! have it then, the search does not get slower, and the proof is trimmed. In exchange it needs the memory and the time of a
//! check, and there is nothing to write before the refutation is complete.

use super::{ProofKind, SolveArgs};
use crate::check;
use crate::failure::Failure;
use crate::output::Target;
use putnam_checker::{LratStep, Options, Proof as Recording, Report, check_with};
use putnam_formats::{LratWriter, ProofWriter};
use putnam_formula::{Lit, PackedClauses, ProofSink, SharedProof};
use std::io::{self, Write};
use std::path::PathBuf;
use std::time::Instant;

type Writer = ProofWriter<Box<dyn Write + Send>>;

/// Where the steps of the proof go, shared with the engine.
#[derive(Clone)]
pub(super) struct Proof {
    path: PathBuf,
    written: Option<SharedProof<Writer>>,
    lrat: Option<SharedProof<LratWriter<Box<dyn Write + Send>>>>,
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
        let (mut written, mut lrat) = (None, None);
        if let Some(path) = &args.proof {
            let out = Target::new(Some(path)).open()?;
            match args.proof_format {
                ProofKind::Drat => written = Some(SharedProof::new(ProofWriter::text(out))),
                ProofKind::Binary => written = Some(SharedProof::new(ProofWriter::binary(out))),
                ProofKind::Lrat => lrat = Some(SharedProof::new(LratWriter::new(out))),
            }
        }
        let recorded = (args.check || lrat.is_some()).then(|| SharedProof::new(Recording::new()));
        Ok(Self { path, written, lrat, recorded })
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

    /// Checks the proof of a refutation, if that was asked for, and writes it if it is LRAT. What there is to say of the check
    /// is returned, a line each.
    ///
    /// # Errors
    /// [`Failure::Check`] when it is no proof.
    pub(super) fn finish(&self, formula: &PackedClauses, deadline: Option<Instant>) -> Result<Vec<String>, Failure> {
        let Some(recorded) = &self.recorded else { return Ok(Vec::new()) };
        let cnf = formula.unpack();
        let options = Options { hints: self.lrat.is_some(), deadline, ..Options::default() };
        recorded.with(|recording| match check_with(&cnf, recording, &options) {
            Ok(report) => {
                self.write_lrat(&report)?;
                let mut lines = vec!["the proof holds".to_owned()];
                lines.extend(check::comments(&cnf, &report));
                Ok(lines)
            }
            Err(rejection) if rejection.is_fault() => {
                Err(Failure::Check(format!("the proof does not hold: {rejection}")))
            }
            Err(rejection) => Err(Failure::Input(format!("the proof cannot be checked: {rejection}"))),
        })
    }

    fn write_lrat(&self, report: &Report<'_>) -> Result<(), Failure> {
        let Some(lrat) = &self.lrat else { return Ok(()) };
        lrat.with(|writer| {
            report.write_lrat(&mut |step| match step {
                LratStep::Add { id, clause, hints } => writer.add(id, clause, hints),
                LratStep::Delete { id, ids } => writer.delete(id, ids),
            });
            writer.flush().map_err(|error| Failure::io(&self.path, error))
        })
    }
}
