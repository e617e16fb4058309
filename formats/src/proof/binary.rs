//! The reader of binary DRAT.

use super::ProofStep;
use crate::source::{LOOKAHEAD, Source};
use crate::{Problem, ReadError};
use nom::bytes::complete::{take, take_while_m_n};
use nom::sequence::pair;
use nom::{IResult, Parser};
use putnam_formula::{Lit, Var};
use std::io::Read;
use std::ops::ControlFlow;

/// The most bytes of a number that is a literal: 32 bits in groups of 7.
const MAX_BYTES: usize = 5;

/// Bytes with the top bit set, and the one that ends the number.
fn number(input: &[u8]) -> IResult<&[u8], u64> {
    let (rest, (high, last)) = pair(take_while_m_n(0, MAX_BYTES, |b| b >= 128), take(1usize)).parse(input)?;
    let value = high.iter().chain(last).rev().fold(0, |value, &byte| value << 7 | u64::from(byte & 127));
    Ok((rest, value))
}

pub(super) fn drat<R: Read>(
    source: &mut Source<R>,
    visit: &mut impl FnMut(ProofStep<'_>) -> ControlFlow<()>,
) -> Result<(), ReadError> {
    let mut clause = Vec::new();
    loop {
        source.require(LOOKAHEAD)?;
        let delete = match source.peek() {
            None => return Ok(()),
            Some(b'a') => false,
            Some(b'd') => true,
            Some(byte) => return Err(source.binary_error(Problem::ProofStep(format!("0x{byte:02x}")))),
        };
        source.consume(1);
        literals(source, &mut clause)?;
        let step = if delete { ProofStep::Delete(&clause) } else { ProofStep::Add(&clause) };
        if visit(step).is_break() {
            return Ok(());
        }
        clause.clear();
    }
}

/// Reads the literals of one step and the 0 behind them.
fn literals<R: Read>(source: &mut Source<R>, clause: &mut Vec<Lit>) -> Result<(), ReadError> {
    loop {
        source.require(LOOKAHEAD)?;
        let Ok((rest, value)) = number(source.rest()) else {
            source.consume(source.rest().len());
            return Err(source.binary_error(Problem::ProofEnd));
        };
        let length = source.rest().len() - rest.len();
        match Var::from_dimacs((value >> 1).try_into().unwrap_or(u32::MAX)) {
            Some(var) => clause.push(var.lit(value & 1 == 0)),
            None => match value {
                0 => {
                    source.consume(length);
                    return Ok(());
                }
                1 => return Err(source.binary_error(Problem::MinusZero)),
                _ => return Err(source.binary_error(Problem::BinaryLiteral)),
            },
        }
        source.consume(length);
    }
}
