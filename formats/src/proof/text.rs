//! The readers of DRAT and LRAT as text.

use super::ProofStep;
use crate::dimacs::{is_word, token_problem};
use crate::source::{LOOKAHEAD, Source, token_at};
use crate::tokens::{integer, word_end};
use crate::{Problem, ReadError};
use nom::Parser;
use nom::character::complete::i64 as signed;
use nom::sequence::terminated;
use putnam_formula::Lit;
use std::io::Read;
use std::ops::ControlFlow;

pub(super) fn drat<R: Read>(
    source: &mut Source<R>,
    visit: &mut impl FnMut(ProofStep<'_>) -> ControlFlow<()>,
) -> Result<(), ReadError> {
    let mut clause = Vec::new();
    while begin_step(source)? {
        let delete = source.peek() == Some(b'd') && is_word(source.rest());
        if delete {
            source.consume(1);
        }
        literals(source, &mut clause)?;
        let step = if delete { ProofStep::Delete(&clause) } else { ProofStep::Add(&clause) };
        if visit(step).is_break() {
            break;
        }
    }
    Ok(())
}

pub(super) fn lrat<R: Read>(
    source: &mut Source<R>,
    visit: &mut impl FnMut(ProofStep<'_>) -> ControlFlow<()>,
) -> Result<(), ReadError> {
    let (mut clause, mut hints, mut clauses) = (Vec::new(), Vec::new(), Vec::new());
    while begin_step(source)? {
        let place = source.place();
        let id = clause_number(source)?;
        let Ok(id @ 1..) = u64::try_from(id) else {
            return Err(source.error_at(place, Problem::ClauseNumber(id.to_string())));
        };
        skip(source)?;
        let step = if source.peek() == Some(b'd') && is_word(source.rest()) {
            source.consume(1);
            clause_numbers(source, &mut clauses, |number| u64::try_from(number).ok())?;
            ProofStep::LratDelete { id, clauses: &clauses }
        } else {
            literals(source, &mut clause)?;
            clause_numbers(source, &mut hints, Some)?;
            ProofStep::LratAdd { id, clause: &clause, hints: &hints }
        };
        if visit(step).is_break() {
            break;
        }
    }
    Ok(())
}

/// Moves to the next step; answers whether there is one.
fn begin_step<R: Read>(source: &mut Source<R>) -> Result<bool, ReadError> {
    loop {
        source.skip_blanks(true)?;
        match source.peek() {
            None => return Ok(false),
            Some(b'c') => source.skip_line()?,
            Some(_) => return Ok(true),
        }
    }
}

/// Moves to the next number of a step.
fn skip<R: Read>(source: &mut Source<R>) -> Result<(), ReadError> {
    source.skip_blanks(true)?;
    match source.peek() {
        None => Err(source.error(Problem::ProofEnd)),
        Some(_) => Ok(()),
    }
}

/// Reads literals and the 0 behind them.
fn literals<R: Read>(source: &mut Source<R>, clause: &mut Vec<Lit>) -> Result<(), ReadError> {
    clause.clear();
    loop {
        skip(source)?;
        let Ok((rest, number)) = integer(source.rest()) else {
            let problem = token_problem(source.rest());
            return Err(source.error(problem));
        };
        source.consume(source.rest().len() - rest.len());
        match Lit::from_dimacs(number) {
            Some(lit) => clause.push(lit),
            None => return Ok(()),
        }
    }
}

/// Reads the number of a clause.
fn clause_number<R: Read>(source: &mut Source<R>) -> Result<i64, ReadError> {
    source.require(LOOKAHEAD)?;
    let rest = source.rest();
    let parsed = terminated(signed, word_end).parse(rest).map(|(behind, number)| (rest.len() - behind.len(), number));
    match parsed {
        Ok((length, number)) => {
            source.consume(length);
            Ok(number)
        }
        Err(_) => {
            let problem = Problem::ClauseNumber(token_at(rest));
            Err(source.error(problem))
        }
    }
}

/// Reads numbers of clauses and the 0 behind them.
fn clause_numbers<R: Read, T>(
    source: &mut Source<R>,
    numbers: &mut Vec<T>,
    convert: impl Fn(i64) -> Option<T>,
) -> Result<(), ReadError> {
    numbers.clear();
    loop {
        skip(source)?;
        let place = source.place();
        match clause_number(source)? {
            0 => return Ok(()),
            number => match convert(number) {
                Some(number) => numbers.push(number),
                None => return Err(source.error_at(place, Problem::ClauseNumber(number.to_string()))),
            },
        }
    }
}
