//! `putnam solve`: a formula in, an answer out.

mod all;
mod answer;
mod assume;
mod commentary;
mod proof;
mod simplify;

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
use putnam_cdcl::Solver;
use putnam_dpll::{Dpll, SearchTree};
use putnam_formats::{Document, ReadOptions, read_packed_path, read_path};
use putnam_formula::{Engine, Limits, Lit, Outcome, PackedClauses, StopReason};
use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

/// What the command is for.
pub(crate) const ABOUT: &str = "Decides whether a formula is satisfiable";

/// Arguments of `putnam solve`.
#[derive(Args, Clone, Debug)]
#[command(about = ABOUT, after_help = "\
The answer comes in the format of the input: `s` and `v` lines for DIMACS; `ATOM T` or `ATOM F` lines, 0 and the copied \
rest for the assignment's format. Every model is checked against every clause before it is printed.

With --all an `s` line comes first, then the `v` lines of each model, closed by 0 and with the variables of the projection \
only; then `c complete: ...` or `c not complete: ...` with the reason, and `c N models`. The exit code is 10 if there was a \
model, 20 if there is none.

An LRAT proof is made by the checker, out of the engine's DRAT proof: it is trimmed to what is needed, and whatever the \
engine does has been checked before it is written. It takes the time of a check, and the proof is kept in memory.

With --simplify-only the formula is not solved but made smaller, and written as DIMACS; it has a model exactly when the \
original has one. The exit code is 10 when no clause is left, 20 when there is no model, else 0. A time limit or Ctrl-C ends \
the simplification early, and what there is by then is written.

Exit codes: 10 satisfiable, 20 unsatisfiable, 0 unknown (a limit was reached, or Ctrl-C); 1 bad input or file, 2 bad \
usage, 3 an internal check failed.

Examples:
  putnam solve formula.cnf
  putnam solve formula.cnf.xz --proof proof.drat; putnam check formula.cnf.xz proof.drat
  putnam solve formula.cnf --assume 3 --assume -7
  putnam solve formula.cnf --time-limit 60 -v
  putnam solve --simplify-only formula.cnf --output small.cnf; kissat small.cnf | putnam extend small.cnf.reconstruction
  putnam solve formula.cnf --all --project 1,2,5 --limit 1000
  putnam peg encode triangle-10 --start 2 | putnam solve | putnam peg decode
  putnam solve small.cnf --engine dpll --trace")]
pub(crate) struct SolveArgs {
    /// The formula, plain or compressed (gz, xz, bz2, zst); - is standard input
    #[arg(value_name = "FILE", default_value = "-")]
    file: PathBuf,
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
    /// How the proof is written: DRAT as text or in its binary form, or LRAT for checkers that are themselves verified
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
    /// Print all models instead of one, no two alike (engine cdcl only)
    #[arg(long)]
    all: bool,
    /// Stop after so many models
    #[arg(long, value_name = "N", requires = "all", value_parser = clap::value_parser!(u64).range(1..))]
    limit: Option<u64>,
    /// Only these variables distinguish models and are printed: numbers, separated by commas
    #[arg(long, value_name = "VARS", requires = "all", value_delimiter = ',')]
    project: Option<Vec<u32>>,
    /// Write the simplified formula instead of solving it, and a file with which `putnam extend` makes its models those of
    /// the original (engine cdcl only)
    #[arg(long, conflicts_with_all = ["all", "assume", "proof", "check", "trace", "no_model"])]
    simplify_only: bool,
    /// Where that file goes [default: the output with .reconstruction added]
    #[arg(long, value_name = "FILE", requires = "simplify_only")]
    reconstruction: Option<PathBuf>,
    /// Most rounds of simplification
    #[arg(long, value_name = "N", requires = "simplify_only", default_value_t = 10)]
    rounds: u32,
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
    /// LRAT as text, trimmed by the checker
    Lrat,
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
    if args.file == Path::new("-") && io::stdin().is_terminal() && !args.quiet {
        eprintln!("reading a formula from the terminal; end it with Ctrl-D, or give a file");
    }
    let (document, formula) = read(args)?;
    let read_seconds = start.elapsed().as_secs_f64();
    let assumptions = assume::resolve(&args.assume, &document)?;
    let commentary =
        Commentary::new(document.dialect, &target, args.all || args.proof.as_deref() == Some(Path::new("-")));
    if args.simplify_only {
        return simplify::run(args, &document, &target, &commentary, (&watch, deadline, start));
    }
    if args.all {
        return enumerate(args, &document, &target, &assumptions, &commentary, (&watch, deadline, start));
    }
    let mut answer = Answer::new(args, &target, Some(document.dialect));
    let proof = Proof::create(args)?;
    let (leaving, flushing) = (answer.after_header(), proof.clone());
    watch.begin(
        || answer.begin(),
        move |reason| {
            let _ = flushing.flush();
            leaving.leave(reason);
        },
    )?;

    let mut engine = engine(args, &document, &commentary)?;
    if let Some(sink) = proof.sink() {
        engine.set_proof(sink);
    }
    search::load(&mut *engine, &formula);
    engine.set_limits(Limits { deadline, terminate: Some(watch.search()), ..args.limits.counted() });
    let outcome = search::solve(&mut *engine, &formula, &assumptions)?;
    let solve_seconds = start.elapsed().as_secs_f64() - read_seconds;
    let (statistics, times) = (engine.statistics(), engine.times());
    drop(engine);
    proof.flush()?;
    if matches!(&outcome, Outcome::Unsatisfiable { failed } if failed.is_empty()) {
        watch.check();
        let said = proof.finish(&formula, deadline)?;
        commentary.lines(if args.quiet { &[] } else { &said })?;
    }
    watch.answer();
    if args.verbose {
        let size = (formula.num_vars(), formula.num_clauses(), formula.num_literals());
        commentary.statistics(size, &statistics, &times, [read_seconds, solve_seconds])?;
    }
    answer.print(&outcome, &document)?;
    Ok(ExitCode::from(match outcome {
        Outcome::Satisfiable(_) => 10,
        Outcome::Unsatisfiable { .. } => 20,
        Outcome::Unknown(_) => 0,
    }))
}

/// Prints all models. Comments during the search go to standard error, apart from the models.
fn enumerate(
    args: &SolveArgs,
    document: &Document,
    target: &Target,
    assumptions: &[Lit],
    commentary: &Commentary,
    (watch, deadline, start): (&Watch, Option<Instant>, Instant),
) -> Result<ExitCode, Failure> {
    let projection = all::projection(args, document)?;
    let read_seconds = start.elapsed().as_secs_f64();
    // Standard output is held by the models.
    let mut solver = own_solver(args, document, commentary, (watch, deadline))?;
    let code = all::run(args, document, target, &mut solver, &projection, assumptions)?;
    watch.answer();
    if args.verbose {
        let solve_seconds = start.elapsed().as_secs_f64() - read_seconds;
        let size = (document.cnf.num_vars(), document.cnf.num_clauses(), document.cnf.num_literals());
        commentary.statistics(size, &solver.statistics(), &solver.times(), [read_seconds, solve_seconds])?;
    }
    Ok(code)
}

/// Engine cdcl with the formula and the limits, for what prints its own answer: the reason to leave goes to standard error.
fn own_solver(
    args: &SolveArgs,
    document: &Document,
    commentary: &Commentary,
    (watch, deadline): (&Watch, Option<Instant>),
) -> Result<Solver, Failure> {
    watch.on_leave(|reason| eprintln!("{}", reason_text(reason)));
    let mut solver = args.engine.cdcl()?;
    if args.verbose {
        solver.set_observer(commentary.progress());
    }
    search::load(&mut solver, &document.cnf);
    solver.set_limits(Limits { deadline, terminate: Some(watch.search()), ..args.limits.counted() });
    Ok(solver)
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
    if args.all {
        all::check_usage(args)?;
    }
    args.engine.make()?;
    let mut reconstruction = None;
    if args.simplify_only {
        simplify::check_usage(args)?;
        reconstruction = Some(simplify::place(args)?);
    }
    let mut files = vec![("formula", args.file.as_path())];
    let written = [("proof", &args.proof), ("output", &args.output), ("reconstruction", &reconstruction)];
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

/// The formula, apart from the document unless the clauses are wanted one by one: the engine has its own copy, and what the
/// answer is checked against need not be as large.
fn read(args: &SolveArgs) -> Result<(Document, PackedClauses), Failure> {
    let options = ReadOptions { format: args.reading.input.into(), strict: args.reading.strict };
    let (document, formula) = if args.simplify_only || args.all {
        (read_path(&args.file, &options)?, PackedClauses::new())
    } else {
        read_packed_path(&args.file, &options)?
    };
    if !args.quiet {
        warn(&document.warnings);
    }
    Ok((document, formula))
}

fn engine(args: &SolveArgs, document: &Document, commentary: &Commentary) -> Result<Box<dyn Engine>, Failure> {
    if args.trace {
        let mut dpll = Dpll::new();
        dpll.set_observer(Box::new(SearchTree::new(commentary.writer(), document.symbols.clone())));
        return Ok(Box::new(dpll));
    }
    if args.engine.engine != "cdcl" {
        return args.engine.make();
    }
    let proving = args.proof.is_some() || args.check;
    let mut cdcl = if proving && args.assume.is_empty() { args.engine.cdcl_once()? } else { args.engine.cdcl()? };
    if args.verbose {
        cdcl.set_observer(commentary.progress());
    }
    Ok(Box::new(cdcl))
}

/// The words for the reason why there is no answer.
fn reason_text(reason: StopReason) -> String {
    format!("no answer: {reason}")
}
