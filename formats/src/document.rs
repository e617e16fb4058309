//! Formulas from text.

use crate::input::{decompress, display_name, open_text};
use crate::names::{key, name_line};
use crate::{Problem, ReadError, SyntaxError, Warning};
use putnam_formula::{Cnf, Lit, Symbols};
use std::io::Read;

/// Which format the input is to be read as.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum InputFormat {
    /// Told from the content.
    #[default]
    Auto,
    /// DIMACS CNF.
    Dimacs,
    /// The peg assignment's format.
    Assignment,
}

/// Which format the input was in. Output is to be in the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// DIMACS CNF.
    Dimacs,
    /// The peg assignment's format.
    Assignment,
}

/// How to read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ReadOptions {
    /// Which format to expect.
    pub format: InputFormat,
    /// Whether what the standard does not allow is an error.
    pub strict: bool,
}

/// The numbers of a line `p cnf VARIABLES CLAUSES`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Header {
    /// The variables that the header declares.
    pub variables: u32,
    /// The clauses that the header promises.
    pub clauses: u64,
    /// Its line, counted from 1.
    pub line: u64,
}

/// A formula as it was read.
#[derive(Clone, Debug)]
pub struct Document {
    /// The format that it was in.
    pub dialect: Dialect,
    /// What told the format.
    pub decided_by: String,
    /// The clauses as written. Its variables are the larger of the header's and the largest used.
    pub cnf: Cnf,
    /// The names of atoms: comment lines `c NUMBER NAME` in DIMACS, key lines `NUMBER NAME` in the assignment's back matter.
    pub symbols: Symbols,
    /// What follows the clauses in the assignment's format, byte for byte.
    pub back_matter: Vec<u8>,
    /// What was odd.
    pub warnings: Vec<Warning>,
    /// The header, if there is one.
    pub header: Option<Header>,
}

/// Reads a formula from a file, or from standard input for `-`.
///
/// # Errors
/// When the file cannot be read or is not a formula.
pub fn read_path(path: &str, options: &ReadOptions) -> Result<Document, ReadError> {
    parse(open_text(path)?, display_name(path), options)
}

/// Reads a formula, compressed or not. `name` stands for the path in messages.
///
/// # Errors
/// When the input cannot be read or is not a formula.
pub fn read_from(reader: impl Read, name: &str, options: &ReadOptions) -> Result<Document, ReadError> {
    parse(decompress(reader, name)?, name, options)
}

fn parse(mut reader: impl Read, name: &str, options: &ReadOptions) -> Result<Document, ReadError> {
    let mut text = Vec::new();
    reader.read_to_end(&mut text).map_err(|source| ReadError::Read { path: name.into(), source })?;
    let first = text.iter().find(|b| !b.is_ascii_whitespace());
    let Some(first) = first else { return Err(ReadError::Empty { path: name.into() }) };
    let mut document = Document {
        dialect: Dialect::Dimacs,
        decided_by: String::from("its first character"),
        cnf: Cnf::new(),
        symbols: Symbols::new(),
        back_matter: Vec::new(),
        warnings: Vec::new(),
        header: None,
    };
    if options.format == InputFormat::Assignment || options.format == InputFormat::Auto && first.is_ascii_digit() {
        document.dialect = Dialect::Assignment;
    }
    let mut rest = &text[..];
    let mut number = 0;
    while !rest.is_empty() {
        let end = rest.iter().position(|&b| b == b'\n').map_or(rest.len(), |n| n + 1);
        let line;
        (line, rest) = rest.split_at(end);
        number += 1;
        let line = line.trim_ascii();
        match document.dialect {
            Dialect::Dimacs => dimacs_line(&mut document, name, number, line)?,
            Dialect::Assignment if line == b"0" => {
                document.back_matter = rest.to_vec();
                document.symbols = key(rest);
                break;
            }
            Dialect::Assignment if line.is_empty() => {}
            Dialect::Assignment => {
                for token in line.split(u8::is_ascii_whitespace).filter(|t| !t.is_empty()) {
                    document.cnf.push_literal(literal(token).ok_or_else(|| bad(name, number, token))?);
                }
                document.cnf.close_clause();
            }
        }
    }
    Ok(document)
}

fn dimacs_line(document: &mut Document, name: &str, number: u64, line: &[u8]) -> Result<(), ReadError> {
    if let Some(comment) = line.strip_prefix(b"c") {
        if let Some((var, name)) = name_line(comment) {
            document.symbols.insert(var, name);
        }
        return Ok(());
    }
    let mut tokens = line.split(u8::is_ascii_whitespace).filter(|t| !t.is_empty());
    if line.starts_with(b"p") {
        let fields: Vec<&[u8]> = tokens.collect();
        let parsed = match fields[..] {
            [b"p", b"cnf", variables, clauses] => literal(variables).zip(literal(clauses)),
            _ => None,
        };
        let (variables, clauses) = parsed.ok_or_else(|| bad(name, number, line))?;
        document.cnf.declare(variables.var().to_dimacs());
        document.header = Some(Header {
            variables: variables.var().to_dimacs(),
            clauses: clauses.var().to_dimacs().into(),
            line: number,
        });
        return Ok(());
    }
    tokens.try_for_each(|token| {
        if token == b"0" {
            document.cnf.close_clause();
        } else {
            document.cnf.push_literal(literal(token).ok_or_else(|| bad(name, number, token))?);
        }
        Ok(())
    })
}

fn literal(token: &[u8]) -> Option<Lit> {
    Lit::from_dimacs(std::str::from_utf8(token).ok()?.parse().ok()?)
}

fn bad(path: &str, line: u64, token: &[u8]) -> ReadError {
    let token = String::from_utf8_lossy(token).into_owned();
    ReadError::Syntax(Box::new(SyntaxError {
        path: path.into(),
        line,
        column: 1,
        problem: Problem::NotAnInteger(token.clone()),
        excerpt: token,
        caret: 0,
        cause: None,
    }))
}
