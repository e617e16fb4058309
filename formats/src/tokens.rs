//! The parsers of single tokens and lines.

use nom::branch::alt;
use nom::bytes::complete::{tag, tag_no_case, take_till1, take_while, take_while1};
use nom::character::complete::digit1;
use nom::combinator::{eof, map_opt, map_res, value, verify};
use nom::error::{ErrorKind, ParseError};
use nom::multi::many0;
use nom::sequence::{delimited, preceded, separated_pair, terminated};
use nom::{Err, IResult, Parser};
use putnam_formula::Var;

/// Why a token is not a literal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TokenError {
    /// It is no integer at all.
    NotAnInteger,
    /// It is `-0`.
    MinusZero,
    /// It is beyond 2^31 - 1, or has more digits than any use for them.
    TooLarge,
}

impl ParseError<&[u8]> for TokenError {
    fn from_error_kind(_: &[u8], _: ErrorKind) -> Self {
        Self::NotAnInteger
    }

    fn append(_: &[u8], _: ErrorKind, other: Self) -> Self {
        other
    }
}

/// More digits than this are too many even if they are zeros, so that a bounded look-ahead sees every token whole.
const MAX_DIGITS: usize = 32;

/// A literal or the 0 that ends a clause: digits, perhaps after a minus, up to a blank, a line break or the end of the input.
/// Leading zeros are taken. Never [`i32::MIN`].
#[inline]
pub(crate) fn integer(input: &[u8]) -> IResult<&[u8], i32, TokenError> {
    let (digits, negative) = match input {
        [b'-', digits @ ..] => (digits, true),
        _ => (input, false),
    };
    let mut value: u64 = 0;
    let mut length = 0;
    for &byte in digits {
        let digit = byte.wrapping_sub(b'0');
        if digit > 9 {
            break;
        }
        // Wraps only where there are more digits than are taken below.
        value = value.wrapping_mul(10).wrapping_add(u64::from(digit));
        length += 1;
    }
    let rest = &digits[length..];
    if length == 0 || rest.first().is_some_and(|&b| !matches!(b, b' ' | b'\n' | b'\t' | b'\r')) {
        return Err(Err::Error(TokenError::NotAnInteger));
    }
    if length > 10 && !few_digits(&digits[..length]) || value > i32::MAX as u64 {
        return Err(Err::Error(TokenError::TooLarge));
    }
    if negative && value == 0 {
        return Err(Err::Error(TokenError::MinusZero));
    }
    Ok((rest, if negative { -(value as i32) } else { value as i32 }))
}

/// Whether at most ten digits count.
#[cold]
fn few_digits(digits: &[u8]) -> bool {
    digits.len() <= MAX_DIGITS && digits.iter().skip_while(|&&b| b == b'0').count() <= 10
}

fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r')
}

/// A blank, a line break or the end of the input, none of which is taken.
pub(crate) fn word_end(input: &[u8]) -> IResult<&[u8], (), TokenError> {
    match input.first() {
        None | Some(b' ' | b'\n' | b'\t' | b'\r') => Ok((input, ())),
        Some(_) => Err(Err::Error(TokenError::NotAnInteger)),
    }
}

/// The words of one line without its line break.
pub(crate) fn words(line: &[u8]) -> Vec<&[u8]> {
    let word = preceded(take_while(is_blank), take_till1::<_, &[u8], nom::error::Error<&[u8]>>(is_blank));
    many0(word).parse(line).map_or_else(|_| Vec::new(), |(_, words)| words)
}

/// A variable's number and its name, with nothing else but blanks in the line: a number from 1 without sign or leading zero,
/// and a name without blanks that is not itself an integer.
pub(crate) fn name(line: &[u8]) -> IResult<&[u8], (Var, &str)> {
    let digits = verify(digit1, |d: &[u8]| d[0] != b'0');
    let number = map_opt(map_res(digits, std::str::from_utf8), |d: &str| Var::from_dimacs(d.parse().ok()?));
    let word = map_res(take_till1(is_blank), std::str::from_utf8);
    let name = verify(word, |w: &str| w.parse::<i64>().is_err());
    let blanks = || take_while(is_blank);
    let pair = separated_pair(number, take_while1(is_blank), name);
    delimited(blanks(), pair, (blanks(), eof)).parse(line)
}

/// What a value of the assignment's answer looks like.
pub(crate) fn truth(word: &[u8]) -> IResult<&[u8], bool> {
    let yes = value(true, alt((tag_no_case("true"), tag_no_case("t"), tag("1"))));
    let no = value(false, alt((tag_no_case("false"), tag_no_case("f"), tag("0"))));
    terminated(alt((yes, no)), eof).parse(word)
}
