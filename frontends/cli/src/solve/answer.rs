//! The answer in the format of the input.

use super::{SolveArgs, reason_text};
use crate::failure::Failure;
use crate::output::Target;
use crate::values::Input;
use putnam_formats::{Dialect, Document, Verdict, write_assignment_answer, write_competition};
use putnam_formula::{Lit, Outcome, StopReason, Symbols};
use std::io::{self, Write};

/// Prints the answer.
#[derive(Clone)]
pub(super) struct Answer {
    dialect: Dialect,
    target: Target,
    header: Vec<String>,
    model: bool,
    quiet: bool,
}

impl Answer {
    /// Prints to `target`. Before the input was read its format is what the options say, or else DIMACS.
    pub(super) fn new(args: &SolveArgs, target: &Target, dialect: Option<Dialect>) -> Self {
        let expected = if args.reading.input == Input::Assignment { Dialect::Assignment } else { Dialect::Dimacs };
        Self {
            dialect: dialect.unwrap_or(expected),
            target: target.clone(),
            header: if args.quiet { Vec::new() } else { header(args) },
            model: !args.no_model,
            quiet: args.quiet,
        }
    }

    /// What remains to be printed after [`Answer::begin`].
    pub(super) fn after_header(&self) -> Self {
        let header = if self.begins() { Vec::new() } else { self.header.clone() };
        Self { header, ..self.clone() }
    }

    fn begins(&self) -> bool {
        self.dialect == Dialect::Dimacs && self.target == Target::Stdout
    }

    /// Prints the header on standard output if the answer goes there, before whatever the search has to say.
    pub(super) fn begin(&mut self) -> Result<(), Failure> {
        if !self.begins() {
            return Ok(());
        }
        let header = std::mem::take(&mut self.header);
        self.target.write(|out| header.iter().try_for_each(|line| writeln!(out, "c {line}")))
    }

    /// Prints the outcome.
    pub(super) fn print(&self, outcome: &Outcome, document: &Document) -> Result<(), Failure> {
        match self.dialect {
            Dialect::Dimacs => self.target.write(|out| self.competition(out, outcome, &document.symbols)),
            Dialect::Assignment => self.assignment(outcome, document),
        }
    }

    /// Prints that the search ended without an answer, as far as that can be printed.
    pub(super) fn leave(&self, reason: StopReason) {
        let result = match self.dialect {
            Dialect::Dimacs => {
                self.target.write(|out| self.competition(out, &Outcome::Unknown(reason), &Symbols::new()))
            }
            Dialect::Assignment => {
                eprintln!("{}", reason_text(reason));
                Ok(())
            }
        };
        if let Err(failure) = result {
            eprintln!("error: {failure}");
        }
    }

    fn competition(&self, out: &mut dyn Write, outcome: &Outcome, symbols: &Symbols) -> io::Result<()> {
        for line in &self.header {
            writeln!(out, "c {line}")?;
        }
        match outcome {
            Outcome::Satisfiable(model) => write_competition(out, Verdict::Satisfiable, self.model.then_some(model)),
            Outcome::Unsatisfiable { failed } => {
                if !failed.is_empty() && !self.quiet {
                    writeln!(out, "c unsatisfiable under these of the assumptions: {}", named(failed, symbols))?;
                    writeln!(out, "c nothing is claimed about the formula without them")?;
                }
                write_competition(out, Verdict::Unsatisfiable, None)
            }
            Outcome::Unknown(reason) => {
                if !self.quiet {
                    writeln!(out, "c {}", reason_text(*reason))?;
                }
                write_competition(out, Verdict::Unknown, None)
            }
        }
    }

    /// The assignment's format knows a valuation or its absence and nothing else: the rest goes to standard error, and an
    /// answer that it cannot express is not written at all.
    fn assignment(&self, outcome: &Outcome, document: &Document) -> Result<(), Failure> {
        let note = |text: String| {
            if !self.quiet {
                eprintln!("{text}");
            }
        };
        match outcome {
            Outcome::Satisfiable(_) if !self.model => {
                note("satisfiable".into());
                Ok(())
            }
            Outcome::Satisfiable(model) => {
                self.target.write(|out| write_assignment_answer(out, Some(model), &document.back_matter))
            }
            Outcome::Unsatisfiable { failed } => {
                if !failed.is_empty() {
                    note(format!(
                        "unsatisfiable under these of the assumptions: {}; nothing is claimed about the formula without them",
                        named(failed, &document.symbols)
                    ));
                }
                self.target.write(|out| write_assignment_answer(out, None, &document.back_matter))
            }
            Outcome::Unknown(reason) => {
                note(reason_text(*reason));
                Ok(())
            }
        }
    }
}

/// Literals as `--assume` takes them, by name where they have one.
pub(super) fn named(lits: &[Lit], symbols: &Symbols) -> String {
    let name = |lit: &Lit| match symbols.name(lit.var()) {
        Some(name) if lit.is_negative() => format!("-{name}"),
        Some(name) => name.to_owned(),
        None => lit.to_string(),
    };
    lits.iter().map(name).collect::<Vec<_>>().join(" ")
}

/// What the answer depends on besides the input: version, engine, seed, and options that were changed.
pub(super) fn header(args: &SolveArgs) -> Vec<String> {
    let mut lines = vec![
        format!("Putnam {}, a SAT solver", env!("CARGO_PKG_VERSION")),
        format!("engine {}, seed {}", args.engine.engine, args.engine.seed),
    ];
    let mut changed: Vec<String> = args.engine.set.iter().map(|option| format!("--set {option}")).collect();
    changed.extend(args.limits.repeat());
    changed.extend(args.assume.iter().map(|lit| format!("--assume {lit}")));
    if args.all {
        changed.push("--all".into());
        changed.extend(args.limit.map(|limit| format!("--limit {limit}")));
        let numbers = args.project.as_deref().map(|p| p.iter().map(u32::to_string).collect::<Vec<_>>().join(","));
        changed.extend(numbers.map(|numbers| format!("--project {numbers}")));
    }
    if !changed.is_empty() {
        lines.push(changed.join(" "));
    }
    lines
}
