//! The files that `solve` and `decode` write besides the answer: a certificate, and pictures.

use crate::failure::Failure;
use crate::output::{Target, refuse_same_files, refuse_to_overwrite};
use clap::{Arg, ArgMatches, Command, value_parser};
use putnam_api::{Frontend, Problem, Solution};
use std::path::{Path, PathBuf};

const CERTIFICATE: &str = "certificate";

/// Adds the option for a certificate, where the front end gives any.
pub(super) fn with_certificate(command: Command, frontend: &dyn Frontend) -> Command {
    if !frontend.certificates() {
        return command;
    }
    command.arg(file(
        CERTIFICATE,
        "Write the solution, or a short proof that there is none, to this file, to be checked by itself",
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
        let mut files = Self { certificate: None, pictures: Vec::new() };
        for (name, path) in named {
            let target = Target::new(Some(path));
            if let Target::File(_) = target {
                target.write_text("")?;
            }
            match name {
                CERTIFICATE => files.certificate = Some(target),
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

    /// Writes the certificate that there is no solution.
    pub(super) fn refutation(&self, problem: &dyn Problem) -> Result<(), Failure> {
        let Some(target) = &self.certificate else { return Ok(()) };
        match problem.refutation() {
            Some(value) => target.write_text(&format!("{value}\n")),
            None => {
                eprintln!(
                    "warning: there is no short proof that there is no solution, so that no certificate is written"
                );
                Ok(())
            }
        }
    }

    fn write_pictures(&self, draw: impl Fn(&str) -> Option<String>) -> Result<(), Failure> {
        for (name, target) in &self.pictures {
            match draw(name) {
                Some(text) => target.write_text(&text)?,
                None => eprintln!("warning: there is nothing to be seen, so that --{name} writes nothing"),
            }
        }
        Ok(())
    }
}
