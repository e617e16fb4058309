//! The reader of DIMACS CNF.
//!
//! It takes files as they are found, with more freedom than the standard (Satisfiability: Suggested Format, DIMACS 1993):
//!
//! - only 0 ends a clause; clauses may run over many lines, and a line may hold many;
//! - blanks, tabs, carriage returns and empty lines may be anywhere, the last line break may be missing;
//! - a line whose first character (blanks aside) is `c` is a comment, wherever it stands, whatever it holds;
//! - a line `%` ends the clauses, a 0 after it is no clause (SATLIB); before the header it is a comment, with a warning;
//! - a header that is repeated before the first clause counts once, with a warning;
//! - the header may be missing or wrong about the numbers, with a warning: nothing is dropped, and the number of variables is
//!   the larger of the header's and the largest used.
//!
//! In strict mode these are errors: no header, wrong numbers, comments after the header, a trailer, carriage returns, a byte
//! order mark, blanks in front of `c` and `p`.
//!
//! A comment `c NUMBER NAME` names an atom. It is taken as such only if NUMBER is that of a variable and NAME is one word that
//! is not an integer, and nothing follows; any other comment is just one.

use crate::document::Header;
use crate::names::name_line;
use crate::source::{LOOKAHEAD, Place, Source, token_at};
use crate::tokens::{TokenError, integer, words};
use crate::{Problem, ReadError, Warning};
use putnam_formula::{Cnf, Lit, PackedClauses, Symbols, Var};
use std::io::Read;

/// The state of reading.
pub(crate) struct Dimacs<'s, R> {
    source: &'s mut Source<R>,
    strict: bool,
    pub(crate) cnf: Cnf,
    /// Where clauses go when they are not to stay in `cnf`.
    pub(crate) packed: Option<&'s mut PackedClauses>,
    /// Whether the last clause that went there is empty.
    last_empty: bool,
    pub(crate) symbols: Symbols,
    pub(crate) header: Option<Header>,
    header_place: Option<Place>,
    pub(crate) warnings: Vec<Warning>,
    /// Where the clause began that is being written.
    began: Option<Place>,
    /// Behind the last literal, zero, or trailer: the offset in the input.
    token_end: u64,
    trailer: Trailer,
    /// Whether a `%` stood before the header.
    percent_comments: bool,
}

#[derive(PartialEq)]
enum Trailer {
    None,
    Percent,
    Zero,
}

impl<'s, R: Read> Dimacs<'s, R> {
    /// Goes on where `source` is. `cnf` has what was read before; `began` is where its open clause began, if there is one.
    pub(crate) fn new(
        source: &'s mut Source<R>,
        strict: bool,
        cnf: Cnf,
        began: Option<Place>,
        packed: Option<&'s mut PackedClauses>,
    ) -> Self {
        let token_end = if cnf.num_clauses() > 0 || began.is_some() { source.offset() } else { 0 };
        Self {
            source,
            strict,
            cnf,
            packed,
            last_empty: false,
            symbols: Symbols::new(),
            header: None,
            header_place: None,
            warnings: Vec::new(),
            began,
            token_end,
            trailer: Trailer::None,
            percent_comments: false,
        }
    }

    /// Reads to the end.
    pub(crate) fn read(&mut self) -> Result<(), ReadError> {
        loop {
            self.source.require(LOOKAHEAD)?;
            if self.strict && self.header.is_none() {
                self.source.skip_blanks(true)?;
                if matches!(self.source.peek(), Some(b'-' | b'0'..=b'9')) {
                    return Err(self.strict_error("a clause before the header `p cnf VARIABLES CLAUSES`"));
                }
            }
            if self.trailer == Trailer::None {
                let clauses = self.num_clauses();
                reserve(self.source, &mut self.cnf, clauses)?;
                self.literals();
                self.pack()?;
            } else {
                self.source.skip_blanks(true)?;
            }
            let at_line_start = self.token_end <= self.source.line_start();
            match self.source.peek() {
                None if self.source.ended() => return self.finish(),
                _ if self.needs_more() => {}
                Some(b'c') if at_line_start => self.comment()?,
                Some(b'p') if at_line_start && is_word(self.source.rest()) => self.read_header()?,
                Some(b'%') if at_line_start && self.trailer == Trailer::None && is_word(self.source.rest()) => {
                    self.percent()?;
                }
                Some(b'0') if self.trailer == Trailer::Percent && is_word(self.source.rest()) => {
                    self.source.consume(1);
                    self.trailer = Trailer::Zero;
                }
                _ => return Err(self.bad_token()),
            }
        }
    }

    /// Packs the clauses that are closed, if they are to be packed.
    fn pack(&mut self) -> Result<(), ReadError> {
        if let Some(packed) = &mut self.packed
            && let Some(last) = self.cnf.num_clauses().checked_sub(1)
        {
            self.last_empty = self.cnf.clause(last).is_empty();
            let room = packed.try_reserve(self.cnf.num_literals(), self.cnf.num_clauses());
            room.map_err(|_| memory_error(self.source, packed.num_clauses()))?;
            self.cnf.drain_into(packed);
        }
        Ok(())
    }

    fn num_clauses(&self) -> usize {
        self.cnf.num_clauses() + self.packed.as_ref().map_or(0, |packed| packed.num_clauses())
    }

    fn last_is_empty(&self) -> bool {
        match self.cnf.num_clauses() {
            0 => self.last_empty,
            clauses => self.cnf.clause(clauses - 1).is_empty(),
        }
    }

    /// Whether the next token may reach beyond the window.
    fn needs_more(&self) -> bool {
        !self.source.ended() && self.source.rest().len() < LOOKAHEAD
    }

    /// The hot loop: literals, zeros and blanks, up to the first thing that is something else or that may reach beyond the
    /// window.
    fn literals(&mut self) {
        let rest = self.source.rest();
        let (start, length) = (self.source.offset(), rest.len());
        let tail = if self.source.ended() { 0 } else { LOOKAHEAD - 1 };
        let mut rest = rest;
        let mut line = self.source.line();
        let mut line_start = self.source.line_start();
        let mut began = self.began;
        // What is left behind the last token.
        let mut token_end = None;
        while rest.len() > tail {
            match rest[0] {
                b' ' | b'\t' => rest = &rest[1..],
                b'\n' => {
                    rest = &rest[1..];
                    line += 1;
                    line_start = start + (length - rest.len()) as u64;
                }
                b'-' | b'0'..=b'9' => {
                    let Ok((after, number)) = integer(rest) else { break };
                    if let Some(lit) = Lit::from_dimacs(number) {
                        if began.is_none() {
                            began = Some(Place { line, line_start, offset: start + (length - rest.len()) as u64 });
                        }
                        self.cnf.push_literal(lit);
                    } else {
                        self.cnf.close_clause();
                        began = None;
                    }
                    rest = after;
                    token_end = Some(rest.len());
                }
                b'\r' if !self.strict => rest = &rest[1..],
                _ => break,
            }
        }
        let left = rest.len();
        self.began = began;
        if let Some(end) = token_end {
            self.token_end = start + (length - end) as u64;
        }
        self.source.consume_lines(length - left, line, line_start);
    }

    /// A comment line, which may be a name.
    fn comment(&mut self) -> Result<(), ReadError> {
        if self.strict {
            if self.header.is_some() {
                return Err(self.strict_error("a comment after the header"));
            }
            self.strict_line_start()?;
        }
        let named = self.source.short_line()?.and_then(|line| match line {
            [b'c', b' ' | b'\t', rest @ ..] => name_line(rest),
            _ => None,
        });
        if let Some((var, name)) = named {
            self.symbols.insert(var, name);
        }
        self.source.skip_line()
    }

    /// The line `p cnf VARIABLES CLAUSES`.
    fn read_header(&mut self) -> Result<(), ReadError> {
        let late = self.num_clauses() > 0 || self.began.is_some() || self.trailer != Trailer::None;
        if let Some(Header { variables, clauses, line: first }) = self.header {
            let again = self.source.short_line()?.map(header);
            if late || again != Some(Ok((variables, clauses))) {
                return Err(self.source.error(Problem::SecondHeader { first }));
            }
            self.odd(Some(self.source.place()), format!("the header of line {first} again"))?;
            return self.source.skip_line();
        }
        if late {
            return Err(self.source.error(Problem::LateHeader));
        }
        if self.strict {
            self.strict_line_start()?;
        }
        let place = self.source.place();
        match self.source.short_line()?.map(header) {
            Some(Ok((variables, clauses))) => {
                self.cnf.declare(variables);
                self.header = Some(Header { variables, clauses, line: place.line });
                self.header_place = Some(place);
                self.source.skip_line()
            }
            Some(Err((at, problem))) => {
                self.source.consume(at);
                Err(self.source.error(problem))
            }
            None => Err(self.source.error(Problem::HeaderField("end within 1,024 characters"))),
        }
    }

    /// SATLIB's `%`, or before the header and the first clause an old kind of comment.
    fn percent(&mut self) -> Result<(), ReadError> {
        if self.header.is_none() && self.num_clauses() == 0 && self.began.is_none() {
            let known = self.percent_comments;
            self.percent_comments = true;
            if !known {
                self.odd(Some(self.source.place()), "`%` before the header: read as a comment".to_owned())?;
            }
            return self.source.skip_line();
        }
        self.check_closed()?;
        if self.strict {
            return Err(self.strict_error("a trailer `%`"));
        }
        self.source.consume(1);
        self.token_end = self.source.offset();
        self.trailer = Trailer::Percent;
        Ok(())
    }

    fn finish(&mut self) -> Result<(), ReadError> {
        self.check_closed()?;
        let clauses = self.num_clauses() as u64;
        let used = self.cnf.num_vars();
        let Some(header) = self.header else {
            if clauses == 0 {
                return Err(self.source.error(Problem::NoFormula));
            }
            if clauses > 1 && self.last_is_empty() {
                let message = "the last 0 is read as an empty clause; in the peg assignment's format, where a line `0` ends the \
                               clauses, no clause has a 0";
                self.odd(None, message.to_owned())?;
            }
            let found = format!("{} and {}", count(used.into(), "variable"), count(clauses, "clause"));
            return self.odd(None, format!("there is no header `p cnf VARIABLES CLAUSES`; found {found}"));
        };
        if clauses != header.clauses {
            let says = count(header.clauses, "clause");
            self.odd(self.header_place, format!("the header says {says}, the file has {clauses}"))?;
        }
        if used > header.variables {
            let says = count(header.variables.into(), "variable");
            self.odd(self.header_place, format!("the header says {says}, the largest in use is {used}"))?;
        }
        Ok(())
    }

    fn check_closed(&mut self) -> Result<(), ReadError> {
        match self.began {
            Some(place) => Err(self.source.error_at(place, Problem::Unclosed)),
            None => Ok(()),
        }
    }

    /// A warning, or an error in strict mode.
    fn odd(&mut self, place: Option<Place>, message: String) -> Result<(), ReadError> {
        if self.strict {
            let place = place.unwrap_or_else(|| self.source.place());
            return Err(self.source.error_at(place, Problem::Strict(message)));
        }
        self.warnings.push(Warning { path: self.source.name().to_owned(), line: place.map(|p| p.line), message });
        Ok(())
    }

    fn strict_error(&mut self, what: &str) -> ReadError {
        self.source.error(Problem::Strict(what.to_owned()))
    }

    fn strict_line_start(&mut self) -> Result<(), ReadError> {
        match self.source.place().column() {
            1 => Ok(()),
            _ => Err(self.strict_error("blanks at the start of the line")),
        }
    }

    /// What stands where a literal should.
    fn bad_token(&mut self) -> ReadError {
        let token = self.source.token();
        if self.trailer != Trailer::None {
            return self.source.error(Problem::AfterTrailer(token));
        }
        if self.source.peek() == Some(b'\r') {
            return self.strict_error("a carriage return");
        }
        let problem = token_problem(self.source.rest());
        self.source.error(problem)
    }
}

/// The variables and clauses of a header line, or the column (from 0) and the problem.
fn header(line: &[u8]) -> Result<(u32, u64), (usize, Problem)> {
    let words = words(line);
    // A word is a part of the line.
    let column = |word: &[u8]| word.as_ptr().addr() - line.as_ptr().addr();
    let at_end = line.trim_ascii_end().len();
    let format = words.get(1).ok_or((at_end, Problem::HeaderField("format")))?;
    if format != b"cnf" {
        return Err((column(format), Problem::HeaderFormat(token_at(format))));
    }
    let number = |index: usize, missing, what| {
        let word: &[u8] = words.get(index).ok_or((at_end, Problem::HeaderField(missing)))?;
        let digits = word.iter().all(u8::is_ascii_digit);
        let value = std::str::from_utf8(word).ok().filter(|_| digits).and_then(|w| w.parse::<u64>().ok());
        value.ok_or_else(|| (column(word), Problem::HeaderNumber { token: token_at(word), what }))
    };
    let variables = number(2, "number of variables", "variables")?;
    let clauses = number(3, "number of clauses", "clauses")?;
    if variables > u64::from(Var::MAX_DIMACS) {
        return Err((column(words[2]), Problem::TooLarge(token_at(words[2]))));
    }
    match words.get(4) {
        Some(word) => Err((column(word), Problem::HeaderEnd(token_at(word)))),
        None => Ok((variables as u32, clauses)),
    }
}

/// Whether one character stands alone at the start of `rest`.
pub(crate) fn is_word(rest: &[u8]) -> bool {
    matches!(rest.get(1), None | Some(b' ' | b'\t' | b'\r' | b'\n'))
}

/// Makes room for all literals and clauses that the window may hold; so many clauses have been read.
pub(crate) fn reserve<R: Read>(source: &Source<R>, cnf: &mut Cnf, clauses: usize) -> Result<(), ReadError> {
    // Each takes a character and one that parts it from the next.
    let most = source.rest().len() / 2 + 1;
    cnf.try_reserve(most, most).map_err(|_| memory_error(source, clauses))
}

fn memory_error<R: Read>(source: &Source<R>, clauses: usize) -> ReadError {
    ReadError::Memory { path: source.name().to_owned(), line: source.line(), clauses: clauses as u64 }
}

/// What is wrong with the token at the start of `rest`, which is no literal.
pub(crate) fn token_problem(rest: &[u8]) -> Problem {
    let token = token_at(rest);
    match integer(rest) {
        Err(nom::Err::Error(TokenError::MinusZero)) => Problem::MinusZero,
        Err(nom::Err::Error(TokenError::TooLarge)) => Problem::TooLarge(token),
        _ => Problem::NotAnInteger(token),
    }
}

/// `1 clause`, `2 clauses`.
pub(crate) fn count(number: u64, what: &str) -> String {
    format!("{number} {what}{}", if number == 1 { "" } else { "s" })
}
