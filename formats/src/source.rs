//! Text in chunks, with lines and columns.

use crate::error::printable;
use crate::{Problem, ReadError, SyntaxError, guess};
use nom::FindSubstring;
use putnam_formula::Scratch;
use std::io::{self, Read};

/// Bytes that are held at a time, whatever the length of a line.
const CAPACITY: usize = 1 << 17;

/// Bytes before the cursor that are kept for the excerpts of messages.
const HISTORY: usize = 128;

/// Bytes that are looked at from the beginning of the input when a message guesses what the input is.
const HEAD: usize = 512;

/// How far to look ahead for one token. No token that is valid is longer.
pub(crate) const LOOKAHEAD: usize = 64;

/// How far to look ahead for a line that has to be seen whole: a header, a name.
pub(crate) const LINE: usize = 1024;

/// What to show on either side of the place of an error.
const EXCERPT: usize = 40;

/// A place in the input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    /// The line, counted from 1.
    pub(crate) line: u64,
    /// The offset of the first byte of the line in the whole input.
    pub(crate) line_start: u64,
    /// The offset in the whole input.
    pub(crate) offset: u64,
}

impl Place {
    /// The column in bytes, counted from 1.
    pub(crate) fn column(self) -> u64 {
        self.offset - self.line_start + 1
    }
}

/// A reader and a window on what it reads. The cursor only moves forward; whoever moves it over a line break says so.
pub(crate) struct Source<R> {
    reader: R,
    name: String,
    buffer: Scratch<u8>,
    /// The unread part of the window is `buffer[cursor..end]`.
    cursor: usize,
    end: usize,
    /// The offset of `buffer[0]` in the whole input.
    base: u64,
    /// Whether the input has nothing after the window.
    ended: bool,
    /// The number of the line in which the cursor is, from 1, and the offset of its first byte.
    line: u64,
    line_start: u64,
    /// The first bytes of the input.
    head: Vec<u8>,
}

impl<R: Read> Source<R> {
    /// Begins to read.
    pub(crate) fn new(reader: R, name: &str) -> Result<Self, ReadError> {
        let mut source = Self {
            reader,
            name: name.to_owned(),
            buffer: vec![0; CAPACITY].into(),
            cursor: 0,
            end: 0,
            base: 0,
            ended: false,
            line: 1,
            line_start: 0,
            head: Vec::new(),
        };
        source.require(HEAD)?;
        source.head = source.rest()[..source.rest().len().min(HEAD)].to_vec();
        Ok(source)
    }

    /// How messages call the input.
    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// The first bytes of the input.
    pub(crate) fn head(&self) -> &[u8] {
        &self.head
    }

    /// What is in the window and not yet read.
    pub(crate) fn rest(&self) -> &[u8] {
        &self.buffer[self.cursor..self.end]
    }

    /// Whether [`Source::rest`] is all that is left of the input.
    pub(crate) fn ended(&self) -> bool {
        self.ended
    }

    /// The unread byte at the cursor, or none at the end; [`Source::require`] has been called.
    pub(crate) fn peek(&self) -> Option<u8> {
        self.rest().first().copied()
    }

    /// The offset of the cursor in the whole input.
    pub(crate) fn offset(&self) -> u64 {
        self.base + self.cursor as u64
    }

    /// The number of the line in which the cursor is.
    pub(crate) fn line(&self) -> u64 {
        self.line
    }

    /// The offset of the first byte of the line in which the cursor is.
    pub(crate) fn line_start(&self) -> u64 {
        self.line_start
    }

    /// Where the cursor is.
    pub(crate) fn place(&self) -> Place {
        Place { line: self.line, line_start: self.line_start, offset: self.offset() }
    }

    /// Reads on until `count` bytes are in the window (at most half its size) or the input ends. So nothing depends on how
    /// the input arrives.
    pub(crate) fn require(&mut self, count: usize) -> Result<(), ReadError> {
        debug_assert!(count <= CAPACITY / 2);
        if self.rest().len() >= count || self.ended {
            return Ok(());
        }
        let kept = self.cursor.saturating_sub(HISTORY);
        self.buffer.copy_within(kept..self.end, 0);
        self.base += kept as u64;
        self.cursor -= kept;
        self.end -= kept;
        while self.end < self.buffer.len() {
            match self.reader.read(&mut self.buffer[self.end..]) {
                Ok(0) => {
                    self.ended = true;
                    break;
                }
                Ok(count) => self.end += count,
                Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
                Err(source) => return Err(ReadError::Read { path: self.name.clone(), source }),
            }
        }
        Ok(())
    }

    /// Moves the cursor; not over a line break.
    pub(crate) fn consume(&mut self, count: usize) {
        self.cursor += count;
        debug_assert!(self.cursor <= self.end);
    }

    /// Moves the cursor over `count` bytes, after which it is in line `line`, which starts at offset `line_start`.
    pub(crate) fn consume_lines(&mut self, count: usize, line: u64, line_start: u64) {
        self.consume(count);
        (self.line, self.line_start) = (line, line_start);
    }

    /// Lets the columns of this line start at the cursor.
    pub(crate) fn forget_columns(&mut self) {
        self.line_start = self.offset();
    }

    /// Moves the cursor over the line break at which it is.
    pub(crate) fn newline(&mut self) {
        debug_assert_eq!(self.peek(), Some(b'\n'));
        self.consume_lines(1, self.line + 1, self.offset() + 1);
    }

    /// Moves the cursor behind the next line break, or to the end of the input. No line has to fit into the window.
    pub(crate) fn skip_line(&mut self) -> Result<(), ReadError> {
        loop {
            self.require(LOOKAHEAD)?;
            match line_break(self.rest()) {
                Some(at) => {
                    self.consume(at);
                    self.newline();
                    return Ok(());
                }
                None => self.consume(self.rest().len()),
            }
            if self.ended {
                return Ok(());
            }
        }
    }

    /// Moves the cursor to the next byte that is neither a blank nor, with `lines`, a line break.
    pub(crate) fn skip_blanks(&mut self, lines: bool) -> Result<(), ReadError> {
        loop {
            self.require(LOOKAHEAD)?;
            match self.peek() {
                Some(b' ' | b'\t' | b'\r') => self.consume(1),
                Some(b'\n') if lines => self.newline(),
                _ => return Ok(()),
            }
        }
    }

    /// The line from the cursor on without its line break, if it has at most [`LINE`] bytes.
    pub(crate) fn short_line(&mut self) -> Result<Option<&[u8]>, ReadError> {
        self.require(LINE + 1)?;
        let rest = self.rest();
        let piece = &rest[..rest.len().min(LINE + 1)];
        match line_break(piece) {
            Some(at) => Ok(Some(&piece[..at])),
            None if piece.len() <= LINE => Ok(Some(piece)),
            None => Ok(None),
        }
    }

    /// The token at the cursor, or as much of it as a message shows.
    pub(crate) fn token(&self) -> String {
        token_at(self.rest())
    }

    /// Everything that is left, byte for byte.
    pub(crate) fn take_rest(&mut self) -> Result<Vec<u8>, ReadError> {
        let mut bytes = self.rest().to_vec();
        self.consume(bytes.len());
        if !self.ended {
            let result = self.reader.read_to_end(&mut bytes);
            result.map_err(|source| ReadError::Read { path: self.name.clone(), source })?;
            self.ended = true;
        }
        Ok(bytes)
    }

    /// An error at the cursor.
    pub(crate) fn error(&mut self, problem: Problem) -> ReadError {
        // What follows is only wanted for the excerpt; when it cannot be read, that is not the error to report.
        let _ = self.require(LOOKAHEAD);
        self.error_at(self.place(), problem)
    }

    /// An error in binary input: a place without an excerpt.
    pub(crate) fn binary_error(&self, problem: Problem) -> ReadError {
        ReadError::Syntax(Box::new(SyntaxError {
            path: self.name.clone(),
            line: 1,
            column: self.offset() + 1,
            problem,
            excerpt: String::new(),
            caret: 0,
            cause: None,
        }))
    }

    /// An error at a place that has been passed. It has an excerpt if the place is still in the window.
    pub(crate) fn error_at(&self, place: Place, problem: Problem) -> ReadError {
        let window = &self.buffer[..self.end];
        let (line, before, whole) = match place.offset.checked_sub(self.base) {
            Some(at) => {
                let at = at as usize;
                let before = at.min((place.column() - 1) as usize);
                let line = &window[at - before..];
                let line = &line[..line_break(line).unwrap_or(line.len())];
                (line.strip_suffix(b"\r").unwrap_or(line), before, before as u64 + 1 == place.column())
            }
            None => (&[][..], 0, false),
        };
        let (excerpt, caret) = if place.offset < self.base { (String::new(), 0) } else { excerpt(line, before, whole) };
        let cause = guess::cause(&problem, if whole { line } else { &[] }, &self.head);
        ReadError::Syntax(Box::new(SyntaxError {
            path: self.name.clone(),
            line: place.line,
            column: place.column(),
            problem,
            excerpt,
            caret,
            cause,
        }))
    }
}

/// The part of a line to show, whose place in question is behind `before` bytes, and where the caret goes. `whole` says
/// whether the line begins with the bytes that are there.
fn excerpt(line: &[u8], before: usize, whole: bool) -> (String, usize) {
    let start = before.saturating_sub(EXCERPT);
    let end = line.len().min(before + EXCERPT);
    let at = before.min(end);
    let ahead =
        if whole && start == 0 { String::new() } else { String::from("...") } + &printable(&line[start.min(at)..at]);
    let caret = ahead.chars().count();
    let cut = if end < line.len() { "..." } else { "" };
    (ahead + &printable(&line[at..end]) + cut, caret)
}

/// The token at the start of `bytes`, or as much of it as a message shows.
pub(crate) fn token_at(bytes: &[u8]) -> String {
    const SHOWN: usize = 32;
    let end = bytes.iter().position(|b| b" \t\r\n".contains(b)).unwrap_or(bytes.len());
    let cut = if end > SHOWN { "..." } else { "" };
    printable(&bytes[..end.min(SHOWN)]) + cut
}

/// Where the first line break is.
fn line_break(bytes: &[u8]) -> Option<usize> {
    bytes.find_substring(&b"\n"[..])
}
