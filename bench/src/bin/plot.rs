//! Draws time against size from the rows of a race over what `families` wrote.

use clap::Parser;
use putnam_bench::rows::read;
use putnam_bench::{Failure, end, plot};
use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;

/// Draw time against size, a diagram a family.
#[derive(Parser)]
struct Arguments {
    /// Rows of races; of two for the same solver and file both count
    #[arg(required = true)]
    rows: Vec<PathBuf>,
    /// Where the picture goes, as SVG
    #[arg(long)]
    out: PathBuf,
}

fn main() -> ExitCode {
    end("plot", run(&Arguments::parse()))
}

fn run(arguments: &Arguments) -> Result<(), Failure> {
    let mut rows = Vec::new();
    for path in &arguments.rows {
        rows.extend(read(path)?);
    }
    let picture = plot::svg(&rows).map_err(Failure::Usage)?;
    fs::write(&arguments.out, picture).map_err(|e| Failure::io(&arguments.out, e))
}
