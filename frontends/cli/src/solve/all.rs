//! `putnam solve --all`: every model, printed as it is found.

use super::{SolveArgs, answer, reason_text};
use crate::failure::Failure;
use crate::output::Target;
use putnam_cdcl::Solver;
use putnam_formats::{Dialect, Document, Verdict, write_competition, write_values};
use putnam_formula::{Lit, Model, StopReason, Var};
use std::io::{self, Write};
use std::process::ExitCode;

/// Refuses what does not go with `--all`.
pub(super) fn check_usage(args: &SolveArgs) -> Result<(), Failure> {
    let refuse = |what: &str| Err(Failure::Usage(what.into()));
    if args.proof.is_some() || args.check {
        return refuse(
            "--proof and --check are for one refutation; with --all there is no proof that no model is missing",
        );
    }
    if args.engine.engine != "cdcl" {
        return refuse("--all needs engine cdcl");
    }
    Ok(())
}

/// The variables of `--project`, or all of the formula.
pub(super) fn projection(args: &SolveArgs, document: &Document) -> Result<Vec<Var>, Failure> {
    if document.dialect == Dialect::Assignment {
        return Err(Failure::Usage(
            "--all prints models as DIMACS does; the assignment's format has no form for more than one".into(),
        ));
    }
    let variables = document.cnf.num_vars();
    let Some(numbers) = &args.project else { return Ok((0..variables).map(Var::new).collect()) };
    let in_formula = |&number: &u32| {
        let var = Var::from_dimacs(number).filter(|_| number <= variables);
        var.ok_or_else(|| Failure::Input(format!("--project {number}: the formula has variables 1 to {variables}")))
    };
    let mut projection = numbers.iter().map(in_formula).collect::<Result<Vec<_>, _>>()?;
    projection.sort_unstable();
    projection.dedup();
    Ok(projection)
}

/// How an enumeration ended.
enum End {
    Complete,
    Limit,
    Stopped(StopReason),
}

/// Prints all models that differ on the projection, at most as many as `--limit` says, each checked against every clause.
pub(super) fn run(
    args: &SolveArgs,
    document: &Document,
    target: &Target,
    solver: &mut Solver,
    projection: &[Var],
    assumptions: &[Lit],
) -> Result<ExitCode, Failure> {
    let (mut count, mut fault) = (0, None);
    let mut end = End::Complete;
    target.write(|out| {
        if !args.quiet {
            answer::header(args).iter().try_for_each(|line| writeln!(out, "c {line}"))?;
        }
        let mut models = solver.enumerate(projection, assumptions);
        for model in &mut models {
            let model = match model {
                Ok(model) => model,
                Err(reason) => {
                    end = End::Stopped(reason);
                    break;
                }
            };
            fault = wrong(&model, document, assumptions);
            if fault.is_some() {
                return Ok(());
            }
            if count == 0 {
                write_competition(out, Verdict::Satisfiable, None)?;
            }
            count += 1;
            if !args.no_model {
                write_values(out, projection.iter().map(|&var| var.lit(model.value(var))))?;
            }
            if args.limit == Some(count) {
                end = End::Limit;
                break;
            }
        }
        conclude(out, args, document, count, &end, models.failed())
    })?;
    if let Some(fault) = fault {
        return Err(Failure::Check(fault));
    }
    Ok(ExitCode::from(match (count, end) {
        (0, End::Complete) => 20,
        (0, _) => 0,
        _ => 10,
    }))
}

/// What is wrong with a model.
fn wrong(model: &Model, document: &Document, assumptions: &[Lit]) -> Option<String> {
    if let Some(index) = model.falsified(&document.cnf) {
        return Some(format!("a model of engine cdcl makes clause {} false", index + 1));
    }
    let lit = assumptions.iter().find(|&&lit| !model.satisfies(lit))?;
    Some(format!("a model of engine cdcl makes the assumption {lit} false"))
}

/// Prints what there is to say at the end: the verdict if it was not yet said, and how many models there are.
fn conclude(
    out: &mut dyn Write,
    args: &SolveArgs,
    document: &Document,
    count: u64,
    end: &End,
    failed: &[Lit],
) -> io::Result<()> {
    if !failed.is_empty() && !args.quiet {
        writeln!(out, "c unsatisfiable under these of the assumptions: {}", answer::named(failed, &document.symbols))?;
        writeln!(out, "c nothing is claimed about the formula without them")?;
    }
    if count == 0 {
        let verdict = if matches!(end, End::Complete) { Verdict::Unsatisfiable } else { Verdict::Unknown };
        write_competition(out, verdict, None)?;
    }
    match end {
        End::Complete => writeln!(out, "c complete: there are no other models")?,
        End::Limit => writeln!(out, "c not complete: there may be more models than --limit allows")?,
        End::Stopped(reason) => writeln!(out, "c not complete: {}", reason_text(*reason))?,
    }
    writeln!(out, "c {count} models")
}
