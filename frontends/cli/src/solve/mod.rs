//! `putnam solve`: a formula in, an answer out.

mod answer;
mod assume;
mod commentary;
mod proof;

use crate::engines::{EngineArgs, LimitArgs};
use crate::failure::Failure;
use crate::output::{Target, refuse_same_files, warn};
use crate::search;
use crate::signals::Watch;
use crate::values::ReadingArgs;
use answer::Answer;
use clap::{Args, ValueEnum};
use commentary::Commentary;
use proof::Proof;
use putnam_dpll::{Dpll, SearchTree};
use putnam_formats::{Document, ReadOptions, read_path};
use putnam_formula::{Engine, Limits, Outcome, StopReason};
use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

/// Decides whether a formula is satisfiable
#[derive(Args, Clone, Debug)]
#[command(after_help = "\
The answer comes in the format of the input: `s` and `v` lines for DIMACS; `ATOM T` or `ATOM F` lines, 0 and the copied \
rest for the assignment's format. Every model is checked against every clause before it is printed.

Exit codes: 10 satisfiable, 20 unsatisfiable, 0 unknown (a limit was reached, or Ctrl-C); 1 bad input or file, 2 bad \
usage, 3 an internal check failed.

Examples:
  putnam solve formula.cnf
  putnam solve formula.cnf.xz --proof proof.drat; putnam check formula.cnf.xz proof.drat
  putnam solve formula.cnf --assume 3 --assume -7
  putnam solve formula.cnf --time-limit 60 -v
  putnam peg encode triangle-10 --start 2 | putnam solve | putnam peg decode
  putnam solve small.cnf --engine dpll --trace")]
pub(crate) struct SolveArgs {
    /// The formula, plain or compressed (gz, xz, bz2, zst); - is standard input
    #[arg(value_name = "FILE", default_value = "-")]
    file: String,
    #[command(flatten)]
    engine: EngineArgs,
    #[command(flatten)]
    reading: ReadingArgs,
    /// Write the answer to this file instead of standard output
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Print the verdict without the model
    #[arg(long)]
    no_model: bool,
    /// Write a proof to this file; - is standard output, and the answer then goes to --output or to standard error
    #[arg(long, value_name = "FILE")]
    proof: Option<PathBuf>,
    /// How the proof is written: DRAT as text or in its binary form
    #[arg(long, value_name = "FORMAT", value_enum, default_value = "drat", requires = "proof")]
    proof_format: ProofKind,
    /// Check the proof of an unsatisfiable formula before saying so
    #[arg(long)]
    check: bool,
    #[command(flatten)]
    limits: LimitArgs,
    /// Assume that a literal is true (repeatable): a number, negative for false, or an atom's name where the input has names
    #[arg(long, value_name = "LIT", allow_hyphen_values = true)]
    assume: Vec<String>,
    /// Print the search tree (engine dpll only)
    #[arg(long)]
    trace: bool,
    /// Print nothing but the answer
    #[arg(long, short, conflicts_with = "verbose")]
    quiet: bool,
    /// Print statistics and times
    #[arg(long, short)]
    verbose: bool,
}

/// Values of `--proof-format`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum ProofKind {
    /// DRAT as text
    Drat,
    /// DRAT in its binary form
    Binary,
}

/// Runs the command.
pub(crate) fn run(args: &SolveArgs) -> Result<ExitCode, Failure> {
    let start = Instant::now();
    check_usage(args)?;
    let target = target(args)?;
    let deadline = args.limits.time_limit.and_then(|limit| start.checked_add(limit));
    let waiting = Answer::new(args, &target, None);
    let watch = Watch::start(deadline, move |reason| waiting.leave(reason))
        .map_err(|error| Failure::io("signal handler", error))?;
    if args.file == "-" && io::stdin().is_terminal() && !args.quiet {
        eprintln!("reading a formula from the terminal; end it with Ctrl-D, or give a file");
    }
    let document = read(args)?;
    let read_seconds = start.elapsed().as_secs_f64();
    let assumptions = assume::resolve(&args.assume, &document)?;
    let commentary = Commentary::new(document.dialect, &target, args.proof.as_deref() == Some(Path::new("-")));
    let mut answer = Answer::new(args, &target, Some(document.dialect));
    let proof = Proof::create(args)?;
    answer.begin()?;
    let (leaving, flushing) = (answer.clone(), proof.clone());
    watch.on_leave(move |reason| {
        let _ = flushing.flush();
        leaving.leave(reason);
    });

    let mut engine = engine(args, &document, &commentary)?;
    if let Some(sink) = proof.sink() {
        engine.set_proof(sink);
    }
    search::load(&mut *engine, &document.cnf);
    engine.set_limits(Limits { deadline, terminate: Some(watch.search()), ..args.limits.counted() });
    let outcome = search::solve(&mut *engine, &document.cnf, &assumptions)?;
    let solve_seconds = start.elapsed().as_secs_f64() - read_seconds;
    let statistics = engine.statistics();
    drop(engine);
    proof.flush()?;
    if matches!(&outcome, Outcome::Unsatisfiable { failed } if failed.is_empty()) {
        proof.check(&document.cnf)?;
    }
    watch.answer();
    if args.verbose {
        commentary.statistics(&document, &statistics, [read_seconds, solve_seconds])?;
    }
    answer.print(&outcome, &document)?;
    Ok(ExitCode::from(match outcome {
        Outcome::Satisfiable(_) => 10,
        Outcome::Unsatisfiable { .. } => 20,
        Outcome::Unknown(_) => 0,
    }))
}

/// Refuses what can be refused before anything is read.
fn check_usage(args: &SolveArgs) -> Result<(), Failure> {
    if args.trace && args.engine.engine != "dpll" {
        return Err(Failure::Usage("--trace shows the search tree of engine dpll; add --engine dpll".into()));
    }
    if args.check && !args.assume.is_empty() {
        return Err(Failure::Usage(
            "--check checks refutations of the formula itself, which --assume does not ask for".into(),
        ));
    }
    args.engine.make()?;
    let mut files = vec![("formula", Path::new(&args.file))];
    let written = [("proof", &args.proof), ("output", &args.output)];
    for (what, path) in written {
        files.extend(path.as_deref().filter(|path| *path != Path::new("-")).map(|path| (what, path)));
    }
    refuse_same_files(&files)
}

/// Where the answer goes. Files that cannot be written are found out here, before the search.
fn target(args: &SolveArgs) -> Result<Target, Failure> {
    let to_stdout = args.output.as_deref().is_none_or(|path| path == Path::new("-"));
    if let Some(proof) = &args.proof {
        Target::new(Some(proof)).probe()?;
        if to_stdout && proof == Path::new("-") {
            if args.output.is_some() {
                return Err(Failure::Usage("the proof and the answer cannot both go to standard output".into()));
            }
            return Ok(Target::Stderr);
        }
    }
    let target = Target::new(args.output.as_deref());
    target.probe()?;
    Ok(target)
}

fn read(args: &SolveArgs) -> Result<Document, Failure> {
    let options = ReadOptions { format: args.reading.input.into(), strict: args.reading.strict };
    let document = read_path(&args.file, &options)?;
    if !args.quiet {
        warn(&document.warnings);
    }
    Ok(document)
}

fn engine(args: &SolveArgs, document: &Document, commentary: &Commentary) -> Result<Box<dyn Engine>, Failure> {
    if args.trace {
        let mut dpll = Dpll::new();
        dpll.set_observer(Box::new(SearchTree::new(commentary.writer(), document.symbols.clone())));
        return Ok(Box::new(dpll));
    }
    if args.verbose && args.engine.engine == "cdcl" {
        let mut cdcl = args.engine.cdcl()?;
        cdcl.set_observer(commentary.progress());
        return Ok(Box::new(cdcl));
    }
    args.engine.make()
}

/// The words for the reason why there is no answer.
fn reason_text(reason: StopReason) -> String {
    format!("no answer: {reason}")
}
