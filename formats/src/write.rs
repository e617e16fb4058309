//! Formulas as text.

use crate::names::one_token;
use putnam_formula::{Cnf, Lit, Symbols};
use std::io::{self, Write};

/// Writes DIMACS CNF: the names as comments `c NUMBER NAME`, the header, one clause a line. Reading it gives the same formula
/// and names again, if no name has a blank in it (such blanks become underscores).
///
/// # Errors
/// Those of `out`.
pub fn write_dimacs(out: &mut dyn Write, cnf: &Cnf, symbols: &Symbols) -> io::Result<()> {
    for (var, name) in symbols.iter() {
        writeln!(out, "c {var} {}", one_token(name))?;
    }
    writeln!(out, "p cnf {} {}", cnf.num_vars(), cnf.num_clauses())?;
    let mut line = Vec::new();
    for clause in cnf.clauses() {
        line.clear();
        push_literals(&mut line, clause);
        line.extend_from_slice(b"0\n");
        out.write_all(&line)?;
    }
    Ok(())
}

/// Writes the peg assignment's format: one clause a line without a closing 0, the line `0`, and the back matter as it is.
/// The format has no empty clause; two opposite units on atom 1 stand for one. It has no header either, so that variables
/// that are in no clause are lost.
///
/// # Errors
/// Those of `out`.
pub fn write_assignment(out: &mut dyn Write, cnf: &Cnf, back_matter: &[u8]) -> io::Result<()> {
    let mut line = Vec::new();
    for clause in cnf.clauses() {
        line.clear();
        push_literals(&mut line, clause);
        match line.last_mut() {
            Some(last) => *last = b'\n',
            None => line.extend_from_slice(b"1\n-1\n"),
        }
        out.write_all(&line)?;
    }
    out.write_all(b"0\n")?;
    out.write_all(back_matter)
}

/// Appends the literals of a clause, a blank behind each.
pub(crate) fn push_literals(line: &mut Vec<u8>, clause: &[Lit]) {
    for &lit in clause {
        push_literal(line, lit);
        line.push(b' ');
    }
}

/// Appends the DIMACS number of `lit`.
pub(crate) fn push_literal(line: &mut Vec<u8>, lit: Lit) {
    push_number(line, i64::from(lit.to_dimacs()));
}

/// Appends a number in decimal.
pub(crate) fn push_number(line: &mut Vec<u8>, number: i64) {
    let mut digits = [0; 20];
    let mut start = digits.len();
    let mut rest = number.unsigned_abs();
    loop {
        start -= 1;
        digits[start] = b'0' + (rest % 10) as u8;
        rest /= 10;
        if rest == 0 {
            break;
        }
    }
    if number < 0 {
        line.push(b'-');
    }
    line.extend_from_slice(&digits[start..]);
}
