//! A trace: what is called, as text and as a run.

use super::oracle::Recorder;
use putnam_cdcl::{Options, Solver};
use putnam_formula::{Engine, Limits, Lit, Outcome, SharedProof, Statistic, Var};
use std::collections::HashSet;
use std::fmt;
use std::str::FromStr;

/// One call.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Call {
    Option(String, i64),
    Declare(u32),
    Clause(Vec<i32>),
    Assume(i32),
    /// A collection of garbage, which must change nothing.
    Collect,
    /// The most conflicts of each following search; negative for no limit.
    Limit(i64),
    Solve(Vec<i32>),
    /// Variables of a projection, then assumptions: at most so many models of an enumeration as [`MOST_MODELS`].
    Enumerate(Vec<u32>, Vec<i32>),
}

/// An enumeration is broken off after so many models.
const MOST_MODELS: usize = 300;

#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Trace(pub(crate) Vec<Call>);

impl fmt::Display for Trace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for call in &self.0 {
            match call {
                Call::Option(name, value) => write!(f, "option {name} {value}")?,
                Call::Declare(number) => write!(f, "declare {number}")?,
                Call::Clause(lits) => {
                    write!(f, "clause")?;
                    lits.iter().try_for_each(|lit| write!(f, " {lit}"))?;
                }
                Call::Assume(lit) => write!(f, "assume {lit}")?,
                Call::Collect => write!(f, "collect")?,
                Call::Limit(conflicts) => write!(f, "limit {conflicts}")?,
                Call::Solve(lits) => {
                    write!(f, "solve")?;
                    lits.iter().try_for_each(|lit| write!(f, " {lit}"))?;
                }
                Call::Enumerate(projection, lits) => {
                    write!(f, "enumerate")?;
                    projection.iter().try_for_each(|var| write!(f, " {var}"))?;
                    write!(f, " /")?;
                    lits.iter().try_for_each(|lit| write!(f, " {lit}"))?;
                }
            }
            writeln!(f)?;
        }
        Ok(())
    }
}

impl FromStr for Trace {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let number = |token: &str| token.parse::<i64>().map_err(|_| format!("`{token}` is no number"));
        let mut calls = Vec::new();
        for line in text.lines().filter(|line| !line.trim().is_empty() && !line.starts_with('#')) {
            let tokens: Vec<&str> = line.split_whitespace().collect();
            let numbers = || tokens[1..].iter().map(|t| Ok(number(t)? as i32)).collect::<Result<Vec<i32>, String>>();
            calls.push(match tokens[..] {
                ["option", name, value] => Call::Option(name.to_owned(), number(value)?),
                ["declare", value] => Call::Declare(number(value)? as u32),
                ["assume", value] => Call::Assume(number(value)? as i32),
                ["collect"] => Call::Collect,
                ["limit", value] => Call::Limit(number(value)?),
                ["clause", ..] => Call::Clause(numbers()?),
                ["solve", ..] => Call::Solve(numbers()?),
                ["enumerate", ref rest @ ..] => {
                    let slash = rest.iter().position(|token| *token == "/").ok_or("no / after the projection")?;
                    let numbers = |tokens: &[&str]| tokens.iter().map(|t| number(t)).collect::<Result<Vec<_>, _>>();
                    let projection = numbers(&rest[..slash])?.into_iter().map(|n| n as u32).collect();
                    Call::Enumerate(projection, numbers(&rest[slash + 1..])?.into_iter().map(|n| n as i32).collect())
                }
                _ => return Err(format!("`{line}` is no call")),
            });
        }
        Ok(Self(calls))
    }
}

fn lit(number: i32) -> Lit {
    Lit::from_dimacs(number).expect("a literal")
}

/// Makes the calls and checks every answer; gives the engine's counters.
pub(crate) fn run(trace: &Trace) -> Result<Vec<Statistic>, String> {
    let mut options = Options::default();
    for call in &trace.0 {
        if let Call::Option(name, value) = call {
            options.set(name, *value).map_err(|error| error.to_string())?;
        }
    }
    let mut solver = Solver::with_options(options);
    let oracle = SharedProof::new(Recorder::default());
    solver.set_proof(Box::new(oracle.clone()));
    let mut declared = 0;
    let mut pending: Vec<Lit> = Vec::new();
    let mut last: Option<(Vec<Lit>, bool)> = None;
    for call in &trace.0 {
        match call {
            Call::Option(..) => {}
            Call::Declare(number) => {
                declared = declared.max(*number);
                solver.declare(*number);
            }
            Call::Clause(numbers) => {
                let clause: Vec<Lit> = numbers.iter().map(|&n| lit(n)).collect();
                clause.iter().for_each(|l| declared = declared.max(l.var().to_dimacs()));
                oracle.with(|recorder| recorder.oracle.add_original(&clause));
                solver.add_clause(&clause);
                last = None;
            }
            Call::Assume(number) => {
                pending.push(lit(*number));
                solver.assume(lit(*number));
            }
            Call::Collect => solver.collect_garbage(),
            Call::Limit(conflicts) => {
                solver.set_limits(Limits { conflicts: u64::try_from(*conflicts).ok(), ..Limits::default() });
            }
            Call::Enumerate(projection, numbers) => {
                let given: Vec<Lit> = numbers.iter().map(|&n| lit(n)).collect();
                let projection: Vec<Var> = projection.iter().filter_map(|&number| Var::from_dimacs(number)).collect();
                let mut assumptions = std::mem::take(&mut pending);
                assumptions.extend_from_slice(&given);
                let vars = assumptions.iter().map(|l| l.var()).chain(projection.iter().copied());
                declared = vars.map(Var::to_dimacs).fold(declared, u32::max);
                enumerate(&mut solver, &oracle, &projection, (&given, &assumptions), declared)?;
                last = None;
            }
            Call::Solve(numbers) => {
                let given: Vec<Lit> = numbers.iter().map(|&n| lit(n)).collect();
                let mut assumptions = std::mem::take(&mut pending);
                assumptions.extend_from_slice(&given);
                assumptions.iter().for_each(|l| declared = declared.max(l.var().to_dimacs()));
                let outcome = solver.solve(&given);
                oracle.with(|recorder| recorder.oracle.error().map_or(Ok(()), |error| Err(error.to_owned())))?;
                let verdict = check(&solver, &oracle, &outcome, &assumptions, declared)?;
                if let (Some(verdict), Some((before, earlier))) = (verdict, &last)
                    && *before == assumptions
                    && *earlier != verdict
                {
                    return Err("asked twice, two answers".to_owned());
                }
                last = verdict.map(|verdict| (assumptions, verdict));
            }
        }
    }
    Ok(solver.statistics())
}

/// Enumerates models and checks each, that none comes twice, and that none is missing at the end.
fn enumerate(
    solver: &mut Solver,
    oracle: &SharedProof<Recorder>,
    projection: &[Var],
    (given, assumptions): (&[Lit], &[Lit]),
    declared: u32,
) -> Result<(), String> {
    let mut seen = HashSet::new();
    let mut complete = false;
    let mut models = solver.enumerate(projection, given);
    while seen.len() < MOST_MODELS {
        let model = match models.next() {
            Some(Ok(model)) => model,
            Some(Err(_)) => break,
            None => {
                complete = true;
                break;
            }
        };
        if model.num_vars() != declared {
            return Err(format!("a model of {} variables, {declared} are declared", model.num_vars()));
        }
        if let Some(&wrong) = assumptions.iter().find(|&&l| !model.satisfies(l)) {
            return Err(format!("assumption {wrong} is false in a model of the enumeration"));
        }
        if let Some(clause) = oracle.with(|recorder| recorder.oracle.falsified(&model)) {
            return Err(format!("clause {clause:?} is false in a model of the enumeration"));
        }
        if !seen.insert(projection.iter().map(|&var| model.value(var)).collect::<Vec<_>>()) {
            return Err("a model came twice".to_owned());
        }
    }
    let failed = models.failed().to_vec();
    drop(models);
    oracle.with(|recorder| recorder.oracle.error().map_or(Ok(()), |error| Err(error.to_owned())))?;
    if !failed.iter().all(|l| assumptions.contains(l)) || (!failed.is_empty() && !seen.is_empty()) {
        return Err(format!("core {failed:?} of an enumeration with {} models", seen.len()));
    }
    if complete && seen.is_empty() && !oracle.with(|recorder| recorder.oracle.refuted(&failed)) {
        return Err(format!("the proof does not refute the core {failed:?} of an enumeration"));
    }
    match oracle.with(|recorder| recorder.oracle.projections(projection, assumptions)) {
        Some(expected) if complete && expected != seen => {
            Err(format!("{} models of {} in an enumeration", seen.len(), expected.len()))
        }
        _ => Ok(()),
    }
}

fn check(
    solver: &Solver,
    oracle: &SharedProof<Recorder>,
    outcome: &Outcome,
    assumptions: &[Lit],
    declared: u32,
) -> Result<Option<bool>, String> {
    let expected = oracle.with(|recorder| recorder.oracle.satisfiable(assumptions));
    match outcome {
        Outcome::Satisfiable(model) => {
            if expected == Some(false) {
                return Err("satisfiable, though it is not".to_owned());
            }
            if model.num_vars() != declared {
                return Err(format!("a model of {} variables, {declared} are declared", model.num_vars()));
            }
            if let Some(&wrong) = assumptions.iter().find(|&&l| !model.satisfies(l)) {
                return Err(format!("assumption {wrong} is false in the model"));
            }
            if let Some(clause) = oracle.with(|recorder| recorder.oracle.falsified(model)) {
                return Err(format!("clause {clause:?} is false in the model"));
            }
            if (0..declared).map(Var::new).any(|var| solver.value(var) != Some(model.value(var))) {
                return Err("`value` differs from the model".to_owned());
            }
            if assumptions.iter().any(|&l| solver.failed(l)) {
                return Err("an assumption failed though there is a model".to_owned());
            }
            Ok(Some(true))
        }
        Outcome::Unsatisfiable { failed } => {
            if expected == Some(true) {
                return Err("unsatisfiable, though it is not".to_owned());
            }
            let mut rest = assumptions.iter();
            if !failed.iter().all(|l| rest.any(|a| a == l)) {
                return Err(format!("core {failed:?} is no subset of the assumptions in their order"));
            }
            if assumptions.iter().any(|l| solver.failed(*l) != failed.contains(l)) {
                return Err("`failed` differs from the core".to_owned());
            }
            if declared > 0 && solver.value(Var::new(0)).is_some() {
                return Err("a value without a model".to_owned());
            }
            let follows = oracle.with(|recorder| recorder.oracle.refuted(failed));
            if !follows {
                return Err(format!("the proof does not refute the core {failed:?}"));
            }
            if failed.is_empty() != oracle.with(|recorder| recorder.oracle.has_empty_clause()) {
                return Err("a refutation is claimed exactly when the core is empty".to_owned());
            }
            if failed.is_empty()
                && let Some(rejection) = oracle.with(|recorder| recorder.rejection())
            {
                return Err(format!("the checker rejects the refutation: {rejection}"));
            }
            Ok(Some(false))
        }
        Outcome::Unknown(_) => Ok(None),
    }
}
