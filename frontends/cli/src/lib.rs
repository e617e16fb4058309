//! The `putnam` command: arguments, progress, output, exit codes and signals. Everything it knows it gets from the other
//! crates: engines behind [`putnam_formula::Engine`], formats from [`putnam_formats`], and every kind of puzzle through
//! [`putnam_api::Frontend`].
//!
//! Exit codes of all commands: 10 an answer was found, 20 it was proved that there is none, 0 unknown or nothing to decide,
//! 1 bad input or file, 2 bad usage, 3 an internal check failed.

#![forbid(unsafe_code)]

mod check;
mod crosscheck;
mod engines;
mod extend;
mod failure;
mod frontend;
mod options;
mod output;
mod peg;
mod reconstruction;
mod registry;
mod search;
mod signals;
mod solve;
mod values;
mod zebra;

use clap::{Args, Command, FromArgMatches};
use failure::Failure;
use registry::FRONTENDS;
use std::path::Path;
use std::process::ExitCode;

const ABOUT: &str = "A SAT solver for DIMACS files, with front ends for puzzles";

const HELP: &str = "\
Exit codes: 10 an answer was found, 20 it was proved that there is none, 0 unknown or nothing to decide, 1 bad input or \
file, 2 bad usage, 3 an internal check failed.

Examples:
  putnam solve formula.cnf
  putnam peg batch triangle-15
  putnam peg encode triangle-10 --start 2 | putnam solve | putnam peg decode
  putnam zebra solve frontends/zebra/puzzles/zebra.txt
  putnam crosscheck formula.cnf

`putnam COMMAND --help` tells more about each command.";

/// Runs the command with the arguments of the process.
pub fn main() -> ExitCode {
    let matches = match command().try_get_matches() {
        Ok(matches) => matches,
        Err(error) => {
            // Nothing can be done when the help text cannot be printed.
            let _ = error.print();
            if let Some(path) = std::env::args().nth(1).filter(|arg| error.exit_code() != 0 && is_file(arg)) {
                eprintln!("\nTo solve this file: putnam solve {path}");
            }
            return ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(2));
        }
    };
    match run(&matches) {
        Ok(code) => code,
        Err(failure) => {
            if !matches!(failure, Failure::BrokenPipe) {
                eprintln!("error: {failure}");
            }
            failure.exit_code()
        }
    }
}

fn is_file(argument: &str) -> bool {
    !argument.starts_with('-') && Path::new(argument).is_file()
}

/// The whole command line. The arguments of a command are put together when it is the one that was asked for: those of all
/// would take more time and memory than a small formula does.
fn command() -> Command {
    let mut command = Command::new("putnam")
        .version(env!("CARGO_PKG_VERSION"))
        .about(ABOUT)
        .after_help(HELP)
        .subcommand_required(true)
        .arg_required_else_help(true)
        .disable_help_subcommand(true)
        .subcommand(Command::new("solve").about(solve::ABOUT).defer(solve::SolveArgs::augment_args))
        .subcommand(Command::new("check").about(check::ABOUT).defer(check::CheckArgs::augment_args))
        .subcommand(Command::new("extend").about(extend::ABOUT).defer(extend::ExtendArgs::augment_args))
        .subcommand(Command::new("crosscheck").about(crosscheck::ABOUT).defer(crosscheck::CrosscheckArgs::augment_args))
        .subcommand(Command::new("options").about("Lists the options of the engine, for --set"));
    for entry in FRONTENDS {
        command = command.subcommand(frontend::command(entry));
    }
    command
}

fn run(matches: &clap::ArgMatches) -> Result<ExitCode, Failure> {
    let usage = |error: clap::Error| Failure::Usage(error.to_string());
    match matches.subcommand() {
        Some(("solve", matches)) => solve::run(&solve::SolveArgs::from_arg_matches(matches).map_err(usage)?),
        Some(("check", matches)) => check::run(&check::CheckArgs::from_arg_matches(matches).map_err(usage)?),
        Some(("extend", matches)) => extend::run(&extend::ExtendArgs::from_arg_matches(matches).map_err(usage)?),
        Some(("crosscheck", matches)) => {
            crosscheck::run(&crosscheck::CrosscheckArgs::from_arg_matches(matches).map_err(usage)?)
        }
        Some(("options", _)) => options::run(),
        Some((name, matches)) => match FRONTENDS.iter().find(|entry| entry.frontend.name() == name) {
            Some(entry) => frontend::run(entry, matches),
            None => Err(Failure::Usage(format!("there is no command {name}"))),
        },
        None => Err(Failure::Usage("a command is missing".into())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        command().debug_assert();
    }
}
