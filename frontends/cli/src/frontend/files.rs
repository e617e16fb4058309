//! The files that `solve` and `decode` write besides the answer: a certificate, and pictures.

use crate::failure::Failure;
use crate::output::{Target, refuse_same_files, refuse_to_overwrite, warn};
use clap::{Arg, ArgMatches, Command, value_parser};
use putnam_api::{Frontend, Problem, Solution};
use putnam_formats::{ProofWriter, write_dimacs};
use putnam_formula::{Cnf, ProofSink, SharedProof, Symbols};
use serde_json::{Value, json};
use std::cell::Cell;
use std::fs::{self, File};
use std::io::BufWriter;
use std::path::{Path, PathBuf};

const CERTIFICATE: &str = "certificate";

/// Adds the option for a certificate, where the front end gives any.
pub(super) fn with_certificate(command: Command, frontend: &dyn Frontend) -> Command {
    if !frontend.certificates() {
        return command;
    }
    command.arg(file(
        CERTIFICATE,
        "Write the solution, or the reason why there is none, to this file, to be checked by itself; a proof of the clauses, where no \
         shorter reason is known, goes to FILE.drat, and the clauses to FILE.cnf",
    ))
}

/// Adds an option for each kind of picture that the front end draws.
pub(super) fn with_pictures(command: Command, frontend: &dyn Frontend) -> Command {
    command.args(frontend.pictures().iter().map(|picture| file(picture.name, picture.help)))
}

fn file(name: &'static str, help: &'static str) -> Arg {
    Arg::new(name).long(name).value_name("FILE").value_parser(value_parser!(PathBuf)).help(help)
}

/// Where the certificate and the pictures go.
pub(super) struct Files {
    certificate: Option<Target>,
    /// Where the engine writes its proof, for a certificate that needs one.
    proof: Option<ProofFile>,
    /// With the names of the pictures.
    pictures: Vec<(&'static str, Target)>,
}

impl Files {
    /// The files that were asked for. They are emptied, so that no older one is taken for one of this run.
    ///
    /// # Errors
    /// [`Failure::Usage`] when two of them, or one and the output, are the same, or when one is a file that is read.
    pub(super) fn new(frontend: &dyn Frontend, matches: &ArgMatches, output: &Target) -> Result<Self, Failure> {
        let path = |name: &str| matches.try_get_one::<PathBuf>(name).ok().flatten().map(PathBuf::as_path);
        let read = ["input", "answer", "key"].into_iter();
        let read: Vec<&Path> =
            read.filter_map(|name| matches.try_get_one::<String>(name).ok()?).map(Path::new).collect();
        let names = frontend.pictures().iter().map(|picture| picture.name);
        let named: Vec<(&'static str, &Path)> =
            [CERTIFICATE].into_iter().chain(names).filter_map(|name| Some((name, path(name)?))).collect();
        let mut written = named.clone();
        match output {
            Target::File(path) => written.push(("output", path)),
            _ => written.push(("answer", Path::new("-"))),
        }
        let to_stdout: Vec<&str> =
            written.iter().filter(|(_, path)| *path == Path::new("-")).map(|(name, _)| *name).collect();
        if let [first, .., last] = to_stdout.as_slice() {
            return Err(Failure::Usage(format!("the {first} and the {last} cannot both go to standard output")));
        }
        written.retain(|(_, path)| *path != Path::new("-"));
        written.iter().try_for_each(|&output| refuse_to_overwrite(&read, output))?;
        refuse_same_files(&written)?;
        let mut files = Self { certificate: None, proof: None, pictures: Vec::new() };
        for (name, path) in named {
            let target = Target::new(Some(path));
            if let Target::File(_) = target {
                target.write_text("")?;
            }
            match name {
                CERTIFICATE => {
                    files.proof = ProofFile::beside(&target)?;
                    files.certificate = Some(target);
                }
                name => files.pictures.push((name, target)),
            }
        }
        Ok(files)
    }

    /// Writes what there is for a solution.
    pub(super) fn solution(&self, solution: &dyn Solution) -> Result<(), Failure> {
        self.write_pictures(|name| solution.picture(name))?;
        match (&self.certificate, solution.certificate()) {
            (Some(target), Some(value)) => target.write_text(&format!("{value}\n")),
            _ => Ok(()),
        }
    }

    /// Writes the pictures of a problem without solution.
    pub(super) fn no_solution(&self, problem: &dyn Problem) -> Result<(), Failure> {
        self.write_pictures(|name| problem.picture(name))
    }

    /// Where the engine is to write its proof, if a certificate may need it.
    pub(super) fn proof(&self) -> Option<Box<dyn ProofSink>> {
        self.proof.as_ref().map(|proof| Box::new(proof.writer.clone()) as Box<dyn ProofSink>)
    }

    /// Writes the certificate that there is no solution: a short one, or else the clauses and the proof of this engine.
    pub(super) fn refutation(&self, problem: &dyn Problem, engine: &str) -> Result<(), Failure> {
        let Some(target) = &self.certificate else { return Ok(()) };
        if let Some(value) = problem.refutation() {
            return target.write_text(&format!("{value}\n"));
        }
        match (problem.refuted_clauses(engine), &self.proof) {
            (Some((cnf, value)), Some(proof)) => proof.finish(&cnf, value, target),
            (Some(_), None) => {
                warn([
                    "there is no short proof that there is no solution, and a long one needs a file: no certificate is written",
                ]);
                Ok(())
            }
            (None, _) => {
                warn(["there is no short proof that there is no solution, so that no certificate is written"]);
                Ok(())
            }
        }
    }

    fn write_pictures(&self, draw: impl Fn(&str) -> Option<String>) -> Result<(), Failure> {
        for (name, target) in &self.pictures {
            match draw(name) {
                Some(text) => target.write_text(&text)?,
                None => warn([format!("there is nothing to be seen, so that --{name} writes nothing")]),
            }
        }
        Ok(())
    }
}

/// A proof in a file beside the certificate, which is removed again when the certificate does not need it. It is written while the
/// engine searches, so that it takes no memory.
struct ProofFile {
    formula: PathBuf,
    path: PathBuf,
    writer: SharedProof<ProofWriter<BufWriter<File>>>,
    needed: Cell<bool>,
}

impl ProofFile {
    /// The files `NAME.cnf` and `NAME.drat` for a certificate in the file `NAME`; none for one on a device.
    fn beside(certificate: &Target) -> Result<Option<Self>, Failure> {
        let Target::File(name) = certificate else { return Ok(None) };
        if !name.metadata().is_ok_and(|data| data.is_file()) {
            return Ok(None);
        }
        let beside = |end: &str| {
            let mut path = name.clone().into_os_string();
            path.push(end);
            PathBuf::from(path)
        };
        let (formula, path) = (beside(".cnf"), beside(".drat"));
        let file = File::create(&path).map_err(|error| Failure::io(&path, error))?;
        let writer = SharedProof::new(ProofWriter::binary(BufWriter::with_capacity(1 << 20, file)));
        // What an older run left does not belong to this one.
        let _ = fs::remove_file(&formula);
        Ok(Some(Self { formula, path, writer, needed: Cell::new(false) }))
    }

    /// Writes the formula, ends the proof, and names both in the certificate.
    fn finish(&self, cnf: &Cnf, mut certificate: Value, target: &Target) -> Result<(), Failure> {
        let io = |error| Failure::io(&self.path, error);
        self.writer
            .with(|writer| {
                writer.add(&[]);
                writer.flush()
            })
            .map_err(io)?;
        self.needed.set(true);
        Target::File(self.formula.clone()).write(|out| write_dimacs(out, cnf, &Symbols::new()))?;
        let name = |path: &Path| path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        certificate["formula"] = json!(name(&self.formula));
        certificate["proof"] = json!(name(&self.path));
        target.write_text(&format!("{certificate}\n"))?;
        let size = |path: &Path| path.metadata().map_or(0, |data| data.len().div_ceil(1000));
        eprintln!(
            "certificate: {} clauses in {} ({} kB), their proof in {} ({} kB)",
            cnf.num_clauses(),
            self.formula.display(),
            size(&self.formula),
            self.path.display(),
            size(&self.path)
        );
        Ok(())
    }
}

impl Drop for ProofFile {
    fn drop(&mut self) {
        if !self.needed.get() {
            let _ = fs::remove_file(&self.path);
        }
    }
}
