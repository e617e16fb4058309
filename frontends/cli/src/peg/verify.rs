//! `putnam peg verify`: a certificate by itself.

use crate::failure::Failure;
use crate::output::{Target, warn};
use crate::values::seconds;
use clap::{Arg, ArgMatches, Command, value_parser};
use putnam_checker::{Options, Proof};
use putnam_formats::{ProofFormat, ProofStep, ReadOptions, open_text, read_path, read_proof};
use putnam_formula::{Cnf, ProofSink as _};
use putnam_peg::{Attached, check_certificate_with, load};
use std::io::Read as _;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Name and arguments.
pub(crate) fn command() -> Command {
    Command::new("verify")
        .about("Checks a certificate that `peg solve --certificate` wrote")
        .arg(Arg::new("input").value_name("BOARD").required(true).help("The board, as for `peg solve`"))
        .arg(
            Arg::new("certificate")
                .value_name("FILE")
                .required(true)
                .value_parser(value_parser!(PathBuf))
                .help("The certificate; - is standard input"),
        )
        .arg(
            Arg::new("time-limit")
                .long("time-limit")
                .value_name("S")
                .value_parser(seconds)
                .help("Seconds after which to give up on a proof of clauses"),
        )
        .after_help(
            "Prints `VERIFIED`, the start and the goal that the certificate is for, and what it proves. A plan is replayed; \
             parities and weights are checked in integers for every jump. Where a certificate has a proof of clauses, the clauses are \
             written again from the board, and the checker of `putnam check` checks the proof.\n\n\
             Exit codes: 0 verified, 1 not verified or bad input, 2 bad usage.\n\n\
             Example:\n  putnam peg solve european --certificate why.json; putnam peg verify european why.json",
        )
}

/// Runs the command.
pub(crate) fn run(matches: &ArgMatches) -> Result<ExitCode, Failure> {
    let input = matches.get_one::<String>("input").map_or("", String::as_str);
    let path = matches.get_one::<PathBuf>("certificate").map_or(Path::new(""), PathBuf::as_path);
    let piped = path == Path::new("-");
    if input == "-" && piped {
        return Err(Failure::Usage("the board and the certificate cannot both come from standard input".into()));
    }
    let setup = load(input)?;
    warn(&setup.warnings);
    let mut certificate = String::new();
    open_text(path)?.read_to_string(&mut certificate).map_err(|error| Failure::io(path, error))?;
    let limit = matches.get_one::<Duration>("time-limit");
    let options =
        Options { deadline: limit.and_then(|&limit| Instant::now().checked_add(limit)), ..Options::default() };
    let folder = path.parent().filter(|_| !piped).unwrap_or(Path::new("."));
    // The files lie beside the certificate: a name that leads elsewhere is none.
    let beside = |name: &str| match Path::new(name).file_name() {
        Some(file) if file == name => Ok(folder.join(file)),
        _ => Err(format!("`{name}` is no file beside the certificate")),
    };
    let attached = Attached { formula: &|name| formula(&beside(name)?), proof: &|name| proof(&beside(name)?), options };
    let checked = check_certificate_with(&Arc::new(setup.board), &certificate, &attached);
    let (_, proved) = checked.map_err(|why| Failure::Input(format!("{}: NOT VERIFIED: {why}", path.display())))?;
    Target::Stdout.write_text(&format!("VERIFIED {proved}\n"))?;
    Ok(ExitCode::SUCCESS)
}

fn formula(path: &Path) -> Result<Cnf, String> {
    read_path(path, &ReadOptions::default()).map(|document| document.cnf).map_err(|error| error.to_string())
}

fn proof(path: &Path) -> Result<Proof, String> {
    let mut proof = Proof::new();
    let file = open_text(path).map_err(|error| error.to_string())?;
    let read = read_proof(file, &path.to_string_lossy(), Some(ProofFormat::BinaryDrat), |step| {
        match step {
            ProofStep::Add(clause) => proof.add(clause),
            ProofStep::Delete(clause) => proof.delete(clause),
            ProofStep::LratAdd { .. } | ProofStep::LratDelete { .. } => {}
        }
        ControlFlow::Continue(())
    });
    read.map(|_| proof).map_err(|error| error.to_string())
}
