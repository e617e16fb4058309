//! `putnam options`: the table of the engine's options.

use crate::failure::Failure;
use crate::output::Target;
use putnam_cdcl::Options;
use std::fmt::Write;
use std::process::ExitCode;

/// Runs the command.
pub(crate) fn run() -> Result<ExitCode, Failure> {
    let mut text = format!("{:<18} {:>12} {:>6} {:>19}  what it does\n", "option", "default", "low", "high");
    for info in Options::TABLE {
        let _ =
            writeln!(text, "{:<18} {:>12} {:>6} {:>19}  {}", info.name, info.default, info.low, info.high, info.help);
    }
    text += "\nOptions of engine cdcl, for `--set NAME=VALUE`. Switches are 1 (on) or 0 (off).\n";
    Target::Stdout.write_text(&text)?;
    Ok(ExitCode::SUCCESS)
}
