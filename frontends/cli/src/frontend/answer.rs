//! Prints what is known about a problem, as text, JSON and in the files that were asked for.

use super::Second;
use super::files::Files;
use crate::failure::Failure;
use crate::output::Target;
use putnam_api::{Error, Frontend, Problem, Solution};
use putnam_formula::{Model, StopReason};
use serde_json::json;
use std::io::{self, IsTerminal as _};
use std::process::ExitCode;

/// Says that there is no solution of a problem that is not known.
pub(super) fn no_solution(style: &str, target: &Target) -> Result<ExitCode, Failure> {
    match style {
        "json" => target.write_text("{\"verdict\":\"unsatisfiable\"}\n")?,
        _ => target.write_text("NO SOLUTION\n")?,
    }
    Ok(ExitCode::from(20))
}

/// Prints what is known about a problem.
pub(super) struct Answer<'a> {
    pub(super) frontend: &'a dyn Frontend,
    pub(super) problem: &'a dyn Problem,
    pub(super) style: &'a str,
    pub(super) target: &'a Target,
    pub(super) files: Files,
}

impl Answer<'_> {
    pub(super) fn json(&self) -> bool {
        self.style == "json"
    }

    /// Prints a solution that our own engine found. It is verified by the rules of the problem first.
    pub(super) fn solution(&self, model: &Model, second: &Second) -> Result<ExitCode, Failure> {
        let own = |error: Error| Failure::Check(format!("{}: {error}", self.frontend.name()));
        let solution = self.problem.decode(model).map_err(own)?;
        solution.verify().map_err(own)?;
        let other = match second {
            Second::Model(model) => {
                let other = self.problem.decode(model).map_err(own)?;
                other.verify().map_err(own)?;
                Some((model, other))
            }
            _ => None,
        };
        self.files.solution(&*solution)?;
        if self.json() {
            let mut value = json!({ "verdict": "satisfiable", "solution": solution.to_json() });
            match (&other, second) {
                (Some((_, other)), _) => {
                    value["unique"] = json!(false);
                    value["second"] = other.to_json();
                }
                (None, Second::None) => value["unique"] = json!(true),
                _ => {}
            }
            self.write_json(&value)?;
        } else {
            let mut text = self.render(&*solution);
            if let Second::None | Second::Model(_) = second {
                text += &self.problem.compare(model, other.as_ref().map(|(model, _)| *model), self.style);
            }
            self.target.write_text(&text)?;
        }
        if let Second::Unknown(reason) = second {
            eprintln!("it is not known whether this solution is the only one: {reason}");
        }
        Ok(ExitCode::from(10))
    }

    /// Prints what a problem found in a way of its own. A solution is verified by the rules of the problem first.
    pub(super) fn own(&self, answer: Result<putnam_api::Answer, Error>, engine: &str) -> Result<ExitCode, Failure> {
        let own = |error: Error| Failure::Check(format!("{}: {error}", self.frontend.name()));
        let solution =
            match answer.map_err(|error| if matches!(error, Error::Wrong(_)) { own(error) } else { error.into() })? {
                putnam_api::Answer::Solution(solution) => solution,
                putnam_api::Answer::NoSolution => {
                    self.files.refutation(self.problem, engine)?;
                    return self.none();
                }
                putnam_api::Answer::Unknown(reason) => return self.unknown(reason),
            };
        solution.verify().map_err(own)?;
        self.print(&*solution)
    }

    /// Prints a solution from the answer of somebody else; that it is wrong is their fault.
    pub(super) fn foreign(&self, model: &Model) -> Result<ExitCode, Failure> {
        let solution = self.problem.decode(model)?;
        solution.verify()?;
        self.print(&*solution)
    }

    pub(super) fn none(&self) -> Result<ExitCode, Failure> {
        self.files.no_solution(self.problem)?;
        if self.json() {
            return no_solution(self.style, self.target);
        }
        self.target.write_text(&self.problem.no_solution(self.style))?;
        Ok(ExitCode::from(20))
    }

    pub(super) fn unknown(&self, reason: StopReason) -> Result<ExitCode, Failure> {
        if self.json() {
            self.write_json(&json!({ "verdict": "unknown", "reason": reason.to_string() }))?;
        }
        eprintln!("no answer: {reason}");
        Ok(ExitCode::SUCCESS)
    }

    /// Prints the one solution that there is to print.
    fn print(&self, solution: &dyn Solution) -> Result<ExitCode, Failure> {
        self.files.solution(solution)?;
        if self.json() {
            self.write_json(&json!({ "verdict": "satisfiable", "solution": solution.to_json() }))?;
        } else {
            self.target.write_text(&self.render(solution))?;
        }
        Ok(ExitCode::from(10))
    }

    /// In colours where somebody looks at a terminal and did not ask for none (`NO_COLOR`, see no-color.org).
    pub(super) fn render(&self, solution: &dyn Solution) -> String {
        let set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
        let dumb = std::env::var_os("TERM").is_none_or(|term| term == "dumb");
        if *self.target == Target::Stdout && io::stdout().is_terminal() && !set("NO_COLOR") && !dumb {
            return solution.render_coloured(self.style);
        }
        solution.render(self.style)
    }

    pub(super) fn write_json(&self, value: &serde_json::Value) -> Result<(), Failure> {
        let text = serde_json::to_string_pretty(value).unwrap_or_default();
        self.target.write_text(&(text + "\n"))
    }
}
