//! The front ends that the command offers. A front end is one line here.

use crate::failure::Failure;
use crate::peg;
use crate::zebra;
use clap::{ArgMatches, Command};
use putnam_api::Frontend;
use std::process::ExitCode;

/// A front end and the commands that it has besides encode, solve and decode.
pub(crate) struct Entry {
    /// What it is.
    pub(crate) frontend: &'static dyn Frontend,
    /// Examples for its help text.
    pub(crate) examples: &'static str,
    /// Commands of its own.
    pub(crate) extras: &'static [Extra],
}

/// A command that only one front end has.
pub(crate) struct Extra {
    /// Its name and arguments.
    pub(crate) command: fn() -> Command,
    /// Runs it.
    pub(crate) run: fn(&ArgMatches) -> Result<ExitCode, Failure>,
}

/// All front ends, in the order of the help text.
pub(crate) const FRONTENDS: &[Entry] = &[
    Entry { frontend: &putnam_peg::Peg, examples: peg::EXAMPLES, extras: peg::EXTRAS },
    Entry { frontend: &putnam_zebra::Zebra, examples: zebra::EXAMPLES, extras: zebra::EXTRAS },
];
