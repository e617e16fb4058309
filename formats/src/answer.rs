//! Answers: competition lines, the assignment's output, and what other solvers print.

use crate::names::key;
use crate::write::push_literal;
use crate::{Problem, ReadError, SyntaxError};
use putnam_formula::{Lit, Model, Symbols, Var};
use std::io::{self, Read, Write};

/// What a solver says about a formula.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It has a model.
    Satisfiable,
    /// It has none.
    Unsatisfiable,
    /// Nothing was found out.
    Unknown,
}

/// The longest `v` line.
const LINE: usize = 78;

/// Writes the answer as solver competitions want it: one `s` line, and for a model `v` lines of at most 78 characters, closed
/// by 0.
///
/// # Errors
/// Those of `out`.
pub fn write_competition(out: &mut dyn Write, verdict: Verdict, model: Option<&Model>) -> io::Result<()> {
    out.write_all(match verdict {
        Verdict::Satisfiable => b"s SATISFIABLE\n",
        Verdict::Unsatisfiable => b"s UNSATISFIABLE\n",
        Verdict::Unknown => b"s UNKNOWN\n",
    })?;
    let Some(model) = model else { return Ok(()) };
    let mut line = b"v".to_vec();
    let mut number = Vec::new();
    for lit in model.literals().map(Some).chain([None]) {
        number.clear();
        match lit {
            Some(lit) => push_literal(&mut number, lit),
            None => number.push(b'0'),
        }
        if line.len() + 1 + number.len() > LINE {
            line.push(b'\n');
            out.write_all(&line)?;
            line.truncate(1);
        }
        line.push(b' ');
        line.extend_from_slice(&number);
    }
    line.push(b'\n');
    out.write_all(&line)
}

/// Writes the answer in the assignment's format: `atom T` or `atom F` a line in ascending order if there is a model, then `0`,
/// then the back matter as it is.
///
/// # Errors
/// Those of `out`.
pub fn write_assignment_answer(out: &mut dyn Write, model: Option<&Model>, back_matter: &[u8]) -> io::Result<()> {
    for lit in model.iter().flat_map(|model| model.literals()) {
        writeln!(out, "{} {}", lit.var(), if lit.is_positive() { 'T' } else { 'F' })?;
    }
    out.write_all(b"0\n")?;
    out.write_all(back_matter)
}

/// An answer in the assignment's format.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AssignmentAnswer {
    /// The valuation; none when the answer is that there is none (or when the formula had no atoms: both are written as `0`).
    pub model: Option<Model>,
    /// The names in the back matter.
    pub symbols: Symbols,
    /// What follows the line `0`, byte for byte.
    pub back_matter: Vec<u8>,
}

/// Reads an answer in the assignment's format: `atom VALUE` a line, where VALUE is `T`, `True`, `1`, `F`, `False` or `0`, then
/// a line `0`, then the back matter.
///
/// # Errors
/// When the input cannot be read or is no such answer.
pub fn read_assignment_answer(mut reader: impl Read, name: &str) -> Result<AssignmentAnswer, ReadError> {
    let mut text = Vec::new();
    reader.read_to_end(&mut text).map_err(|source| ReadError::Read { path: name.into(), source })?;
    let mut model: Option<Model> = None;
    let mut rest = &text[..];
    let mut number = 0;
    while !rest.is_empty() {
        let end = rest.iter().position(|&b| b == b'\n').map_or(rest.len(), |n| n + 1);
        let line;
        (line, rest) = rest.split_at(end);
        number += 1;
        let line = line.trim_ascii();
        if line == b"0" {
            break;
        }
        let mut tokens = line.split(u8::is_ascii_whitespace).filter(|t| !t.is_empty());
        let Some(atom) = tokens.next() else { continue };
        let var = std::str::from_utf8(atom).ok().and_then(|t| t.parse().ok()).and_then(Var::from_dimacs);
        let value = match tokens.next() {
            Some(b"T" | b"True" | b"1") => Some(true),
            Some(b"F" | b"False" | b"0") => Some(false),
            _ => None,
        };
        let Some((var, value)) = var.zip(value) else {
            let token = String::from_utf8_lossy(line).into_owned();
            return Err(ReadError::Syntax(Box::new(SyntaxError {
                path: name.into(),
                line: number,
                column: 1,
                problem: Problem::NotAnInteger(token.clone()),
                excerpt: token,
                caret: 0,
                cause: None,
            })));
        };
        model.get_or_insert_with(|| Model::new(0)).assign(var.lit(value));
    }
    Ok(AssignmentAnswer { model, symbols: key(rest), back_matter: rest.to_vec() })
}

/// What another solver answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// What it says; unknown as well when it contradicts itself.
    pub verdict: Verdict,
    /// The literals that it says are true, as printed and unchecked.
    pub model: Option<Vec<Lit>>,
}

/// Reads what a solver printed (or left in a result file, as minisat does) beside its exit code: `s` lines, `SATISFIABLE` and
/// `SAT` without `s`, `v` lines, and where the text says nothing the exit codes 10 and 20.
pub fn read_answer(text: &[u8], exit_code: Option<i32>) -> Answer {
    let text = String::from_utf8_lossy(text);
    let mut verdict = None;
    let mut literals: Vec<Lit> = Vec::new();
    for line in text.lines().map(str::trim) {
        match line.strip_prefix("s ").unwrap_or(line).trim() {
            "SATISFIABLE" | "SAT" => verdict = Some(Verdict::Satisfiable),
            "UNSATISFIABLE" | "UNSAT" => verdict = Some(Verdict::Unsatisfiable),
            _ => {
                let numbers = line.strip_prefix('v').unwrap_or(line).split_ascii_whitespace();
                let parsed: Option<Vec<i32>> = numbers.map(|t| t.parse().ok()).collect();
                literals.extend(parsed.into_iter().flatten().filter_map(Lit::from_dimacs));
            }
        }
    }
    let verdict = verdict.unwrap_or(match exit_code {
        Some(10) => Verdict::Satisfiable,
        Some(20) => Verdict::Unsatisfiable,
        _ => Verdict::Unknown,
    });
    Answer { verdict, model: (verdict == Verdict::Satisfiable && !literals.is_empty()).then_some(literals) }
}

/// An answer of either kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AnswerFile {
    /// `s` and `v` lines, or what other solvers leave in their result files.
    Competition(Answer),
    /// `atom T` lines, `0`, back matter.
    Assignment(AssignmentAnswer),
}

/// Reads an answer and tells its kind from its content: one that begins with a number is the assignment's.
///
/// # Errors
/// When the input cannot be read or is no answer.
pub fn read_answer_file(mut reader: impl Read, name: &str) -> Result<AnswerFile, ReadError> {
    let mut text = Vec::new();
    reader.read_to_end(&mut text).map_err(|source| ReadError::Read { path: name.into(), source })?;
    match text.trim_ascii_start().first() {
        None => Err(ReadError::Empty { path: name.into() }),
        Some(b'0'..=b'9') => read_assignment_answer(&text[..], name).map(AnswerFile::Assignment),
        Some(_) => Ok(AnswerFile::Competition(read_answer(&text, None))),
    }
}
