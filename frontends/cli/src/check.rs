//! `putnam check`: a proof or a model against its formula.

use crate::failure::Failure;
use crate::output::{Target, refuse_same_files, warn};
use crate::values::{ReadingArgs, seconds};
use clap::{Args, ValueEnum};
use putnam_checker::{
    LratProof, LratStep, Mode, Options, Proof, Rejection, Report, check_lrat, check_model, check_with,
};
use putnam_formats::{
    AnswerFile, LratWriter, ProofFormat, ProofStep, ProofWriter, ReadOptions, Verdict, open_text, read_answer_file,
    read_path, read_proof,
};
use putnam_formula::{Cnf, Lit, ProofSink as _};
use std::borrow::Cow;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// What the command is for.
pub(crate) const ABOUT: &str = "Checks a proof or a model against its formula";

/// Arguments of `putnam check`.
#[derive(Args, Clone, Debug)]
#[command(about = ABOUT, after_help = "\
The checker shares no code with the solver. A proof is checked backward from its end, looking only at what is needed; a \
deletion of a unit clause is ignored, as drat-trim does.

Prints `s VERIFIED` and ends with exit code 0; or prints `s NOT VERIFIED`, and the reason on standard error, and ends \
with exit code 1.

Examples:
  putnam solve formula.cnf --proof proof.drat; putnam check formula.cnf proof.drat
  putnam check formula.cnf proof.drat --trim small.drat --lrat proof.lrat
  minisat formula.cnf answer.txt; putnam check formula.cnf --model answer.txt")]
pub(crate) struct CheckArgs {
    /// The formula
    #[arg(value_name = "CNF")]
    formula: PathBuf,
    /// A proof that the formula is unsatisfiable: DRAT as text or binary, or LRAT; plain or compressed
    #[arg(value_name = "PROOF", required_unless_present = "model", conflicts_with = "model")]
    proof: Option<PathBuf>,
    /// Check a model instead: the answer of a solver, in any of the usual forms
    #[arg(long, value_name = "FILE")]
    model: Option<PathBuf>,
    /// The format of the proof; auto tells by the content
    #[arg(long, value_name = "FORMAT", value_enum, default_value = "auto")]
    proof_format: Format,
    /// Check every step in the order of the proof, also those that are not needed
    #[arg(long, conflicts_with_all = ["trim", "lrat", "model"])]
    forward: bool,
    /// Write the steps that are needed as a DRAT proof to this file
    #[arg(long, value_name = "FILE", conflicts_with = "model")]
    trim: Option<PathBuf>,
    /// Write the steps that are needed as an LRAT proof to this file, for checkers that are themselves verified
    #[arg(long, value_name = "FILE", conflicts_with = "model")]
    lrat: Option<PathBuf>,
    /// Seconds after which to give up
    #[arg(long, value_name = "S", value_parser = seconds)]
    time_limit: Option<Duration>,
    #[command(flatten)]
    reading: ReadingArgs,
    /// Print nothing but the `s` line
    #[arg(long, short)]
    quiet: bool,
}

/// Values of `--proof-format`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// Told by the content
    Auto,
    /// DRAT as text
    Drat,
    /// DRAT in its binary form
    Binary,
    /// LRAT as text
    Lrat,
}

/// What came of a check: comments, or why it failed.
type Checked = Result<Vec<String>, String>;

/// Runs the command.
pub(crate) fn run(args: &CheckArgs) -> Result<ExitCode, Failure> {
    check_usage(args)?;
    let options = ReadOptions { format: args.reading.input.into(), strict: args.reading.strict };
    let document = read_path(&args.formula, &options)?;
    if !args.quiet {
        warn(&document.warnings);
    }
    let checked = match (&args.model, &args.proof) {
        (Some(path), _) => model(&document.cnf, path)?,
        (None, Some(path)) => proof(&document.cnf, path, args)?,
        (None, None) => return Err(Failure::Usage("give a proof, or a model with --model".into())),
    };
    // A proof on standard output stays alone there.
    let taken = [&args.trim, &args.lrat].into_iter().flatten().any(|path| path == Path::new("-"));
    let target = if taken { Target::Stderr } else { Target::Stdout };
    match checked {
        Ok(comments) => {
            let comments = comments.iter().filter(|_| !args.quiet).map(|line| format!("c {line}\n"));
            target.write_text(&(comments.collect::<String>() + "s VERIFIED\n"))?;
            Ok(ExitCode::SUCCESS)
        }
        Err(reason) => {
            target.write_text("s NOT VERIFIED\n")?;
            Err(Failure::Input(reason))
        }
    }
}

fn check_usage(args: &CheckArgs) -> Result<(), Failure> {
    let inputs = || [Some(&args.formula), args.proof.as_ref(), args.model.as_ref()].into_iter().flatten();
    let outputs = || [&args.trim, &args.lrat].into_iter().flatten();
    if inputs().filter(|path| *path == Path::new("-")).count() > 1 {
        return Err(Failure::Usage("only one of the files can come from standard input".into()));
    }
    if outputs().filter(|path| *path == Path::new("-")).count() > 1 {
        return Err(Failure::Usage("only one of the proofs can go to standard output".into()));
    }
    for output in outputs().filter(|path| *path != Path::new("-")) {
        for input in inputs() {
            refuse_same_files(&[("input", input), ("output", output)])?;
        }
        Target::new(Some(output)).probe()?;
    }
    match (&args.trim, &args.lrat) {
        (Some(trim), Some(lrat)) => refuse_same_files(&[("trimmed proof", trim), ("LRAT proof", lrat)]),
        _ => Ok(()),
    }
}

fn name(path: &Path) -> Cow<'_, str> {
    if path == Path::new("-") { "<stdin>".into() } else { path.to_string_lossy() }
}

fn model(cnf: &Cnf, path: &Path) -> Result<Checked, Failure> {
    let answer = read_answer_file(open_text(path)?, &name(path))?;
    let (verdict, literals): (Verdict, Option<Vec<Lit>>) = match answer {
        AnswerFile::Competition(answer) => (answer.verdict, answer.model),
        AnswerFile::Assignment(answer) => match answer.model {
            Some(model) => (Verdict::Satisfiable, Some(model.literals().collect())),
            None => (Verdict::Unsatisfiable, None),
        },
    };
    Ok(match (verdict, literals) {
        (Verdict::Satisfiable, literals) => match check_model(cnf, literals.unwrap_or_default()) {
            Ok(()) => Ok(vec![format!("the model makes all {} clauses true", cnf.num_clauses())]),
            Err(rejection) => Err(format!("{}: {rejection}", name(path))),
        },
        _ => Err(format!("{}: there is no model in this answer", name(path))),
    })
}

fn proof(cnf: &Cnf, path: &Path, args: &CheckArgs) -> Result<Checked, Failure> {
    let format = match args.proof_format {
        Format::Auto => None,
        Format::Drat => Some(ProofFormat::Drat),
        Format::Binary => Some(ProofFormat::BinaryDrat),
        Format::Lrat => Some(ProofFormat::Lrat),
    };
    let (mut drat, mut lrat) = (Proof::new(), LratProof::new());
    let format = read_proof(open_text(path)?, &name(path), format, |step| {
        match step {
            ProofStep::Add(clause) => drat.add(clause),
            ProofStep::Delete(clause) => drat.delete(clause),
            ProofStep::LratAdd { id, clause, hints } => lrat.push(LratStep::Add { id, clause, hints }),
            ProofStep::LratDelete { id, clauses } => lrat.push(LratStep::Delete { id, ids: clauses }),
        }
        ControlFlow::Continue(())
    })?;
    let rejected = |rejection: Rejection| format!("{}: {rejection}", name(path));
    if format == ProofFormat::Lrat {
        if args.trim.is_some() || args.lrat.is_some() || args.forward {
            return Err(Failure::Usage("--trim, --lrat and --forward are for DRAT proofs; this one is LRAT".into()));
        }
        let steps = lrat.len();
        return Ok(check_lrat(cnf, &lrat).map(|_| vec![format!("{steps} LRAT steps")]).map_err(rejected));
    }
    let options = Options {
        mode: if args.forward { Mode::Forward } else { Mode::Backward },
        hints: args.lrat.is_some(),
        deadline: args.time_limit.and_then(|limit| Instant::now().checked_add(limit)),
        ..Options::default()
    };
    match check_with(cnf, &drat, &options) {
        Ok(report) => {
            write_proofs(&report, args)?;
            Ok(Ok(comments(cnf, &report)))
        }
        Err(rejection) => Ok(Err(rejected(rejection))),
    }
}

/// What there is to say of a proof that holds, a line each.
pub(crate) fn comments(cnf: &Cnf, report: &Report<'_>) -> Vec<String> {
    let statistics = report.statistics();
    let mut lines = vec![format!(
        "{} steps, {} up to the conflict, {} clauses checked, {} of them RAT",
        statistics.steps, statistics.steps_used, statistics.checked, statistics.rat
    )];
    if let (Some(core), Some(lemmas)) = (report.core(), report.core_lemmas()) {
        lines.push(format!("{} of {} clauses and {lemmas} of the steps are needed", core.len(), cnf.num_clauses()));
    }
    if statistics.missing_deletions > 0 {
        lines.push(format!("{} deletions of clauses that do not exist", statistics.missing_deletions));
    }
    if statistics.ignored_unit_deletions > 0 {
        lines.push(format!("{} deletions of unit clauses were ignored", statistics.ignored_unit_deletions));
    }
    lines
}

fn write_proofs(report: &Report<'_>, args: &CheckArgs) -> Result<(), Failure> {
    if let Some(path) = &args.trim {
        let mut writer = ProofWriter::text(Target::new(Some(path)).open()?);
        report.write_trimmed(&mut writer);
        writer.flush().map_err(|error| Failure::io(path, error))?;
    }
    if let Some(path) = &args.lrat {
        let mut writer = LratWriter::new(Target::new(Some(path)).open()?);
        report.write_lrat(&mut |step| match step {
            LratStep::Add { id, clause, hints } => writer.add(id, clause, hints),
            LratStep::Delete { id, ids } => writer.delete(id, ids),
        });
        writer.flush().map_err(|error| Failure::io(path, error))?;
    }
    Ok(())
}
