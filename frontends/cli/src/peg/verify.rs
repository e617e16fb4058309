//! `putnam peg verify`: a certificate by itself.

use crate::failure::Failure;
use crate::output::{Target, warn};
use clap::{Arg, ArgMatches, Command};
use putnam_formats::open_text;
use putnam_peg::{check_certificate, load};
use std::io::Read as _;
use std::process::ExitCode;
use std::sync::Arc;

/// Name and arguments.
pub(crate) fn command() -> Command {
    Command::new("verify")
        .about("Checks a certificate that `peg solve --certificate` wrote, without a look at clauses")
        .arg(Arg::new("input").value_name("BOARD").required(true).help("The board, as for `peg solve`"))
        .arg(Arg::new("certificate").value_name("FILE").required(true).help("The certificate; - is standard input"))
        .after_help(
            "Prints `VERIFIED`, the start and the goal that the certificate is for, and what it proves. A plan is replayed; \
             parities and weights are checked in integers for every jump.\n\n\
             Exit codes: 0 verified, 1 not verified or bad input, 2 bad usage.\n\n\
             Example:\n  putnam peg solve european --certificate why.json; putnam peg verify european why.json",
        )
}

/// Runs the command.
pub(crate) fn run(matches: &ArgMatches) -> Result<ExitCode, Failure> {
    let text = |name: &str| matches.get_one::<String>(name).map_or("", String::as_str);
    let (input, path) = (text("input"), text("certificate"));
    if input == "-" && path == "-" {
        return Err(Failure::Usage("the board and the certificate cannot both come from standard input".into()));
    }
    let setup = load(input)?;
    warn(&setup.warnings);
    let mut certificate = String::new();
    open_text(path)?.read_to_string(&mut certificate).map_err(|error| Failure::io(path, error))?;
    let checked = check_certificate(&Arc::new(setup.board), &certificate);
    let (_, proved) = checked.map_err(|why| Failure::Input(format!("{path}: NOT VERIFIED: {why}")))?;
    Target::Stdout.write_text(&format!("VERIFIED {proved}\n"))?;
    Ok(ExitCode::SUCCESS)
}
