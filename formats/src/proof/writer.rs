//! Writers of proofs.

use crate::write::{push_literal, push_literals, push_number};
use putnam_formula::{Lit, ProofSink};
use std::io::{self, BufWriter, Write};

/// Buffered output that keeps its first error instead of failing in the middle of a search.
#[derive(Debug)]
struct Output<W: Write> {
    out: BufWriter<W>,
    error: Option<io::Error>,
    line: Vec<u8>,
}

impl<W: Write> Output<W> {
    fn new(out: W) -> Self {
        Self { out: BufWriter::with_capacity(1 << 16, out), error: None, line: Vec::new() }
    }

    /// Writes and empties the line, or only empties it after an error.
    fn write_line(&mut self) {
        if self.error.is_none() {
            self.error = self.out.write_all(&self.line).err();
        }
        self.line.clear();
    }

    /// Reports the first error, each time with the same kind and text.
    fn flush(&mut self) -> io::Result<()> {
        if self.error.is_none() {
            self.error = self.out.flush().err();
        }
        match &self.error {
            None => Ok(()),
            Some(e) => Err(io::Error::new(e.kind(), e.to_string())),
        }
    }
}

/// Writes a DRAT proof, in text or in the binary form (see the README of drat-trim): `a` or `d`, each literal as
/// 2 * variable + sign in 7-bit groups with the least significant first, and a zero byte.
#[derive(Debug)]
pub struct ProofWriter<W: Write> {
    output: Output<W>,
    binary: bool,
}

impl<W: Write> ProofWriter<W> {
    /// A writer of DRAT text.
    pub fn text(out: W) -> Self {
        Self { output: Output::new(out), binary: false }
    }

    /// A writer of binary DRAT.
    pub fn binary(out: W) -> Self {
        Self { output: Output::new(out), binary: true }
    }

    fn step(&mut self, delete: bool, clause: &[Lit]) {
        let line = &mut self.output.line;
        if self.binary {
            line.push(if delete { b'd' } else { b'a' });
            for lit in clause {
                push_varint(line, 2 * lit.var().to_dimacs() + u32::from(lit.is_negative()));
            }
            line.push(0);
        } else {
            if delete {
                line.extend_from_slice(b"d ");
            }
            push_literals(line, clause);
            line.extend_from_slice(b"0\n");
        }
        self.output.write_line();
    }
}

impl<W: Write + Send> ProofSink for ProofWriter<W> {
    fn add(&mut self, clause: &[Lit]) {
        self.step(false, clause);
    }

    fn delete(&mut self, clause: &[Lit]) {
        self.step(true, clause);
    }

    fn flush(&mut self) -> io::Result<()> {
        self.output.flush()
    }
}

/// Appends a number in groups of 7 bits, the least significant first; all but the last have the top bit set.
fn push_varint(line: &mut Vec<u8>, mut number: u32) {
    while number > 127 {
        line.push(number as u8 | 128);
        number >>= 7;
    }
    line.push(number as u8);
}

/// Writes an LRAT proof in text (Cruz-Filipe et al., Efficient Certified RAT Verification, CADE 2017). The caller numbers the
/// clauses: those of the formula are 1, 2, ...
#[derive(Debug)]
pub struct LratWriter<W: Write> {
    output: Output<W>,
}

impl<W: Write> LratWriter<W> {
    /// A writer of LRAT text.
    pub fn new(out: W) -> Self {
        Self { output: Output::new(out) }
    }

    /// Clause number `id` follows from the clauses that are numbered by `hints`.
    pub fn add(&mut self, id: u64, clause: &[Lit], hints: &[i64]) {
        let line = &mut self.output.line;
        line.extend_from_slice(id.to_string().as_bytes());
        for &lit in clause {
            line.push(b' ');
            push_literal(line, lit);
        }
        line.extend_from_slice(b" 0");
        for &hint in hints {
            line.push(b' ');
            push_number(line, hint);
        }
        line.extend_from_slice(b" 0\n");
        self.output.write_line();
    }

    /// The numbered clauses are needed no more; `id` is the number of the last clause that was added.
    pub fn delete(&mut self, id: u64, clauses: &[u64]) {
        let line = &mut self.output.line;
        line.extend_from_slice(id.to_string().as_bytes());
        line.extend_from_slice(b" d");
        for clause in clauses {
            line.push(b' ');
            line.extend_from_slice(clause.to_string().as_bytes());
        }
        line.extend_from_slice(b" 0\n");
        self.output.write_line();
    }

    /// Hands everything to the operating system.
    ///
    /// # Errors
    /// The first error of any write so far.
    pub fn flush(&mut self) -> io::Result<()> {
        self.output.flush()
    }
}
