//! `putnam solve --simplify-only`: a smaller formula out, and a file that leads back from its models.

use super::commentary::Commentary;
use super::{SolveArgs, own_solver, reason_text};
use crate::failure::Failure;
use crate::output::Target;
use crate::reconstruction::{Reconstruction, fingerprint};
use crate::signals::Watch;
use putnam_formats::{Document, write_dimacs};
use putnam_formula::Engine as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

/// Refuses what does not go together.
pub(super) fn check_usage(args: &SolveArgs) -> Result<(), Failure> {
    if args.engine.engine != "cdcl" {
        return Err(Failure::Usage("--simplify-only is for engine cdcl".into()));
    }
    let place = place(args)?;
    if place == Path::new("-") && args.output.as_deref().is_none_or(|path| path == Path::new("-")) {
        return Err(Failure::Usage("the formula and the reconstruction cannot both go to standard output".into()));
    }
    Ok(())
}

/// The reconstruction file.
pub(super) fn place(args: &SolveArgs) -> Result<PathBuf, Failure> {
    if let Some(path) = &args.reconstruction {
        return Ok(path.clone());
    }
    match &args.output {
        Some(path) if path != Path::new("-") => {
            let mut path = path.clone().into_os_string();
            path.push(".reconstruction");
            Ok(path.into())
        }
        _ => Err(Failure::Usage(
            "--simplify-only writes two files: name the simplified formula with --output FILE (the other is \
             FILE.reconstruction then), or the other with --reconstruction FILE"
                .into(),
        )),
    }
}

/// Simplifies and writes. Nothing is written before there is something to write, and the formula comes last.
pub(super) fn run(
    args: &SolveArgs,
    document: &Document,
    target: &Target,
    commentary: &Commentary,
    (watch, deadline, start): (&Watch, Option<Instant>, Instant),
) -> Result<ExitCode, Failure> {
    let place = place(args)?;
    let reconstruction_target = Target::new(Some(&place));
    reconstruction_target.probe()?;
    let read_seconds = start.elapsed().as_secs_f64();
    let mut solver = own_solver(args, document, commentary, (watch, deadline))?;
    let simplified = solver.simplify(args.rounds).map_err(|reason| Failure::Input(reason_text(reason)))?;
    watch.answer();
    let solve_seconds = start.elapsed().as_secs_f64() - read_seconds;
    let reconstruction = Reconstruction {
        path: args.file.display().to_string(),
        fingerprint: fingerprint(&document.cnf),
        extension: simplified.extension,
    };
    reconstruction_target.write(|out| reconstruction.write(out))?;
    if args.verbose {
        let size = (document.cnf.num_vars(), document.cnf.num_clauses(), document.cnf.num_literals());
        commentary.statistics(size, &solver.statistics(), &solver.times(), [read_seconds, solve_seconds])?;
    }
    target.write(|out| {
        if !args.quiet {
            writeln!(out, "c simplified by Putnam {} from {}", env!("CARGO_PKG_VERSION"), args.file.display())?;
            writeln!(out, "c for models of the original: putnam extend {} ANSWER", place.display())?;
        }
        write_dimacs(out, &simplified.cnf, &document.symbols)
    })?;
    Ok(ExitCode::from(match simplified.cnf.num_clauses() {
        0 => 10,
        _ if simplified.cnf.clauses().any(<[_]>::is_empty) => 20,
        _ => 0,
    }))
}
