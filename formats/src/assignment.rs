//! The reader of the peg assignment's format, and the rule that tells it from DIMACS without a header.
//!
//! In the assignment's format a clause is a line of literals without a closing 0. A line `0` ends the clauses; whatever
//! follows is back matter. There is no header and no comment. Blanks, carriage returns and empty lines are skipped; a missing
//! line `0` at the end is taken with a warning (an error in strict mode). An empty clause cannot be written.
//!
//! # Which format is it?
//!
//! With `--input auto` the first of these that the text meets decides:
//!
//! 1. A header `p`, a comment line `c` or a line `%`: DIMACS. The assignment's format has none of them.
//! 2. The first 0 of the file shares its line with other numbers: DIMACS, where a 0 closes a clause.
//! 3. The first 0 stands alone in its line. It is DIMACS if what follows is nothing but integers and comment lines and the
//!    last integer is a 0 (clauses whose 0 stands in a line of its own); this is said in a warning. If not, it is
//!    the assignment's format: what follows is a key, prose, or nothing. Of a longer text the first 64 KiB behind the 0 count,
//!    which must hold a further 0.
//! 4. The file ends without any 0: the assignment's format without its last line.
//!
//! So a file of only `0` is the assignment's, without clauses, and satisfiable; `--input dimacs` reads it as the empty clause.

use crate::dimacs::{is_word, reserve, token_problem};
use crate::source::{LOOKAHEAD, Place, Source};
use crate::tokens::integer;
use crate::{Problem, ReadError};
use putnam_formula::{Cnf, Lit};
use std::io::Read;

/// How much of what follows a lone 0 is looked at.
const BEHIND: usize = 1 << 16;

/// How reading the lines ended.
pub(crate) enum Ended {
    /// Behind the line `0`, which has this number.
    Zero(u64),
    /// At the end of the input, without a line `0`.
    NoZero,
    /// It is DIMACS: the source is where to go on, behind a closing 0 or at the start of a clause or a line.
    Dimacs(Dimacs),
}

/// What was found of a DIMACS file before it was known to be one.
pub(crate) struct Dimacs {
    /// The clauses so far.
    pub(crate) cnf: Cnf,
    /// Where the clause began that is still open.
    pub(crate) began: Option<Place>,
    /// What told.
    pub(crate) decided_by: String,
    /// Whether it might be the other format as well.
    pub(crate) doubtful: bool,
}

/// The clauses, one a line.
pub(crate) struct Lines<'s, R> {
    source: &'s mut Source<R>,
    /// Whether it may turn out to be DIMACS.
    auto: bool,
    pub(crate) cnf: Cnf,
    /// The first literal.
    began: Option<Place>,
}

impl<'s, R: Read> Lines<'s, R> {
    pub(crate) fn new(source: &'s mut Source<R>, auto: bool) -> Self {
        Self { source, auto, cnf: Cnf::new(), began: None }
    }

    /// Reads up to what ends the clauses.
    pub(crate) fn read(&mut self) -> Result<Ended, ReadError> {
        loop {
            self.source.require(LOOKAHEAD)?;
            let clauses = self.cnf.num_clauses();
            reserve(self.source, &mut self.cnf, clauses)?;
            if let Some(ended) = self.line()? {
                return Ok(ended);
            }
        }
    }

    /// Reads on to the end of a line or to where more of the input is needed.
    fn line(&mut self) -> Result<Option<Ended>, ReadError> {
        while self.source.ended() || self.source.rest().len() >= LOOKAHEAD {
            let in_clause = !self.cnf.open_clause().is_empty();
            match self.source.peek() {
                Some(b' ' | b'\t' | b'\r') => self.source.consume(1),
                Some(b'\n') => {
                    if in_clause {
                        self.cnf.close_clause();
                    }
                    self.source.newline();
                    return Ok(None);
                }
                None => {
                    if in_clause {
                        self.cnf.close_clause();
                    }
                    return Ok(Some(Ended::NoZero));
                }
                Some(mark @ (b'c' | b'p' | b'%')) if !in_clause && (mark == b'c' || is_word(self.source.rest())) => {
                    return self.foreign_line(mark).map(Some);
                }
                Some(_) => {
                    let Ok((rest, number)) = integer(self.source.rest()) else {
                        let problem = token_problem(self.source.rest());
                        return Err(self.source.error(problem));
                    };
                    let length = self.source.rest().len() - rest.len();
                    let Some(lit) = Lit::from_dimacs(number) else {
                        return self.zero(length, in_clause).map(Some);
                    };
                    self.began.get_or_insert(self.source.place());
                    self.cnf.push_literal(lit);
                    self.source.consume(length);
                }
            }
        }
        Ok(None)
    }

    /// A line that is no clause.
    fn foreign_line(&mut self, mark: u8) -> Result<Ended, ReadError> {
        if self.auto {
            let what = match mark {
                b'c' => "a comment",
                b'p' => "a header",
                _ => "a trailer `%`",
            };
            let decided_by = format!("{what} on line {}", self.source.line());
            let began = self.began;
            return Ok(Ended::Dimacs(Dimacs { cnf: self.flat(false)?, began, decided_by, doubtful: false }));
        }
        let problem = match mark {
            b'c' => Problem::Comment,
            b'p' => Problem::DimacsHeader,
            _ => token_problem(self.source.rest()),
        };
        Err(self.source.error(problem))
    }

    /// The first 0, which is `length` characters long.
    fn zero(&mut self, length: usize, in_clause: bool) -> Result<Ended, ReadError> {
        let line = self.source.line();
        if in_clause && !self.auto {
            return Err(self.source.error(Problem::ClosingZero));
        }
        self.source.consume(length);
        self.source.skip_blanks(false)?;
        if in_clause || !matches!(self.source.peek(), None | Some(b'\n')) {
            if !self.auto {
                let problem = Problem::AfterZero(self.source.token());
                return Err(self.source.error(problem));
            }
            let decided_by = format!("a 0 beside other numbers on line {line}");
            return Ok(Ended::Dimacs(Dimacs { cnf: self.flat(true)?, began: None, decided_by, doubtful: false }));
        }
        if self.source.peek().is_some() {
            self.source.newline();
        }
        self.source.require(BEHIND)?;
        let rest = self.source.rest();
        let whole = self.source.ended() && rest.len() <= BEHIND;
        if self.auto && reads_as_clauses(&rest[..rest.len().min(BEHIND)], whole) {
            let decided_by = format!("the numbers behind line {line}, which a 0 closes");
            return Ok(Ended::Dimacs(Dimacs { cnf: self.flat(true)?, began: None, decided_by, doubtful: true }));
        }
        Ok(Ended::Zero(line))
    }

    /// All lines so far as one clause, which DIMACS takes them for, closed or still open.
    fn flat(&mut self, close: bool) -> Result<Cnf, ReadError> {
        let mut cnf = Cnf::new();
        let lines = std::mem::take(&mut self.cnf);
        let room = cnf.try_reserve(lines.num_literals(), 1);
        room.map_err(|_| ReadError::Memory {
            path: self.source.name().to_owned(),
            line: self.source.line(),
            clauses: 0,
        })?;
        for &lit in lines.clauses().chain([lines.open_clause()]).flatten() {
            cnf.push_literal(lit);
        }
        lines.release();
        if close {
            cnf.close_clause();
        }
        Ok(cnf)
    }
}

/// Whether a text is nothing but integers and comment lines, with a 0 in it, and at its end if this is the whole of it.
fn reads_as_clauses(text: &[u8], whole: bool) -> bool {
    let end = if whole { text.len() } else { text.iter().rposition(|&b| b == b'\n').unwrap_or(text.len()) };
    let mut zeros = 0;
    let mut last = None;
    for line in text[..end].split(|&b| b == b'\n') {
        let words = crate::tokens::words(line);
        if words.first() == Some(&&b"c"[..]) {
            continue;
        }
        for word in words {
            let Ok((_, number)) = integer(word) else { return false };
            zeros += u64::from(number == 0);
            last = Some(number);
        }
    }
    zeros > 0 && (!whole || last == Some(0))
}

#[cfg(test)]
mod tests {
    use super::reads_as_clauses;

    #[test]
    fn what_follows_a_lone_zero() {
        for clauses in ["0", "2 3\n0\n", "c a comment\n1 0\n", "1 2 0 -3 0", "\n\n0\n\n"] {
            assert!(reads_as_clauses(clauses.as_bytes(), true), "{clauses:?}");
        }
        for back_matter in
            ["", "\n", "1 2\n", "17 Jump(1,2,4,1)\n", "prose", "1 2 0 x", "0\n1\n", "c a comment\n", "0 1"]
        {
            assert!(!reads_as_clauses(back_matter.as_bytes(), true), "{back_matter:?}");
        }
        assert!(reads_as_clauses(b"1 2 0\n3 4", false), "the last line is cut and does not count");
        assert!(!reads_as_clauses(b"1 2\n3 4", false));
    }
}
