//! `solve --all`: every solution of a problem, no two alike.

use super::{SearchArgs, answer::Answer, exclude};
use crate::failure::Failure;
use crate::search;
use crate::signals::Watch;
use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};
use putnam_api::{Encoding, Error, Frontend, Solution};
use putnam_formula::{Engine, Outcome, StopReason, Var};
use serde_json::json;
use std::io;
use std::process::ExitCode;

/// Adds `--all` and `--limit` where the front end can tell solutions apart.
pub(super) fn with_all(command: Command, frontend: &dyn Frontend) -> Command {
    if !frontend.enumerates() {
        return command;
    }
    let mut all = Arg::new("all").long("all").action(ArgAction::SetTrue).help("Print all solutions instead of one");
    for picture in frontend.pictures() {
        all = all.conflicts_with(picture.name);
    }
    if frontend.certificates() {
        all = all.conflicts_with("certificate");
    }
    let limit = Arg::new("limit")
        .long("limit")
        .value_name("N")
        .value_parser(value_parser!(u64).range(1..))
        .requires("all")
        .help("Stop after so many solutions");
    command.arg(all).arg(limit)
}

/// The most solutions to print, if all are asked for.
pub(super) fn wanted(matches: &ArgMatches) -> Option<u64> {
    let all = matches.try_get_one::<bool>("all").ok().flatten().copied().unwrap_or(false);
    all.then(|| matches.get_one::<u64>("limit").copied().unwrap_or(u64::MAX))
}

/// Why there are no more solutions.
enum End {
    /// All were found.
    Complete,
    /// There is one more than the limit allows.
    Limit,
    /// The search stopped.
    Stopped(StopReason),
}

/// Solutions one after the other: each is excluded by a clause over the atoms that tell solutions apart.
struct All<'a> {
    answer: &'a Answer<'a>,
    engine: &'a mut dyn Engine,
    encoding: Encoding,
    vars: Vec<Var>,
}

impl All<'_> {
    /// The next solution, verified by the rules of the problem.
    fn next(&mut self) -> Result<Result<Box<dyn Solution>, End>, Failure> {
        let own = |error: Error| Failure::Check(format!("{}: {error}", self.answer.frontend.name()));
        let model = match search::solve(self.engine, &self.encoding.cnf, &[])? {
            Outcome::Satisfiable(model) => model,
            Outcome::Unsatisfiable { .. } => return Ok(Err(End::Complete)),
            Outcome::Unknown(reason) => return Ok(Err(End::Stopped(reason))),
        };
        let solution = self.answer.problem.decode(&model).map_err(own)?;
        solution.verify().map_err(own)?;
        exclude(self.engine, &mut self.encoding.cnf, &self.vars, &model);
        Ok(Ok(solution))
    }

    /// Hands at most `limit` solutions to `each`, with their numbers.
    fn visit(
        &mut self,
        limit: u64,
        mut each: impl FnMut(u64, &dyn Solution) -> io::Result<()>,
    ) -> Result<io::Result<(u64, End)>, Failure> {
        let mut count = 0;
        loop {
            let solution = match self.next()? {
                Ok(_) if count == limit => return Ok(Ok((count, End::Limit))),
                Ok(solution) => solution,
                Err(end) => return Ok(Ok((count, end))),
            };
            count += 1;
            if let Err(error) = each(count, &*solution) {
                return Ok(Err(error));
            }
        }
    }
}

/// Prints at most `limit` solutions as they are found, in JSON all at the end.
pub(super) fn run(
    answer: &Answer<'_>,
    engine: &mut dyn Engine,
    args: &SearchArgs,
    watch: &Watch,
    limit: u64,
) -> Result<ExitCode, Failure> {
    let Some(vars) = answer.problem.distinguishing() else {
        return Err(Failure::Usage(format!(
            "{}: the solutions of this problem cannot be told apart",
            answer.frontend.name()
        )));
    };
    let encoding = answer.problem.encode();
    search::load(engine, &encoding.cnf);
    let mut all = All { answer, engine, encoding, vars };
    let (count, end) = if answer.json() { as_json(&mut all, limit)? } else { as_text(&mut all, limit)? };
    watch.answer();
    if args.verbose {
        super::print_statistics(all.engine);
    }
    match (count, end) {
        (0, End::Complete) => answer.none(),
        (0, End::Stopped(reason)) => answer.unknown(reason),
        (_, end) => {
            if let End::Stopped(reason) = end {
                eprintln!("it is not known whether these solutions are all: {reason}");
            }
            Ok(ExitCode::from(10))
        }
    }
}

fn as_json(all: &mut All<'_>, limit: u64) -> Result<(u64, End), Failure> {
    let mut solutions = Vec::new();
    let found = all.visit(limit, |_, solution| {
        solutions.push(solution.to_json());
        Ok(())
    })?;
    let (count, end) = found.map_err(|error| Failure::io("solutions", error))?;
    if count > 0 {
        let complete = matches!(end, End::Complete);
        let value = json!({ "verdict": "satisfiable", "count": count, "all": complete, "solutions": solutions });
        all.answer.write_json(&value)?;
    }
    Ok((count, end))
}

fn as_text(all: &mut All<'_>, limit: u64) -> Result<(u64, End), Failure> {
    let answer = all.answer;
    // What holds when the reader goes away: there was something to read.
    let mut result = Ok((1, End::Limit));
    answer.target.write(|out| {
        let found = all.visit(limit, |number, solution| {
            writeln!(out, "Solution {number}\n{}", answer.render(solution))?;
            out.flush()
        });
        let (count, end) = match found {
            Ok(found) => found?,
            Err(failure) => {
                result = Err(failure);
                return Ok(());
            }
        };
        match (count, &end) {
            (0, _) | (_, End::Stopped(_)) => {}
            (1, End::Complete) => writeln!(out, "This is the only solution.")?,
            (count, End::Complete) => writeln!(out, "{count} solutions.")?,
            (count, End::Limit) => writeln!(out, "More than {count} solutions.")?,
        }
        result = Ok((count, end));
        Ok(())
    })?;
    result
}
