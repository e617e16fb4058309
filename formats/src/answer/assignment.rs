//! Answers in the peg assignment's format.

use crate::input::decompress;
use crate::names::key;
use crate::source::{Source, token_at};
use crate::tokens::{integer, truth, words};
use crate::{Problem, ReadError};
use putnam_formula::{Lit, Model, Symbols};
use std::io::{self, Read, Write};

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

/// Reads an answer in the assignment's format, compressed or not: `atom VALUE` a line, where VALUE is `T`, `True`, `1`, `F`,
/// `False` or `0`, then a line `0`, then the back matter. The atoms may come in any order and the last line `0` may be
/// missing, if there is an atom.
///
/// # Errors
/// When the input cannot be read, or is no such answer.
pub fn read_assignment_answer(reader: impl Read, name: &str) -> Result<AssignmentAnswer, ReadError> {
    let mut source = Source::new(decompress(reader, name)?, name)?;
    if source.head().is_empty() {
        return Err(ReadError::Empty { path: name.into() });
    }
    read(&mut source)
}

pub(super) fn read<R: Read>(source: &mut Source<R>) -> Result<AssignmentAnswer, ReadError> {
    let mut model = Model::new(0);
    // Which atoms have a value: those whose bit is set.
    let mut known = Model::new(0);
    loop {
        source.skip_blanks(true)?;
        if source.peek().is_none() {
            break if known.num_vars() == 0 { Err(source.error(Problem::NoAnswer)) } else { Ok(()) };
        }
        let line = match source.short_line()? {
            Some(line) => value_line(line),
            None => Err((0, Problem::AnswerLine)),
        };
        match line {
            Ok(None) => {
                source.skip_line()?;
                break Ok(());
            }
            Ok(Some(lit)) if known.value(lit.var()) && model.satisfies(!lit) => {
                return Err(source.error(Problem::TwoValues(lit.var().to_dimacs())));
            }
            Ok(Some(lit)) => {
                known.assign(lit.var().positive());
                model.assign(lit);
                source.skip_line()?;
            }
            Err((at, problem)) => {
                source.consume(at);
                return Err(source.error(problem));
            }
        }
    }?;
    let back_matter = source.take_rest()?;
    let model = (known.num_vars() > 0).then_some(model);
    Ok(AssignmentAnswer { model, symbols: key(&back_matter), back_matter })
}

/// The literal that a line makes true, nothing for the line `0`, or the column (from 0) and the problem.
fn value_line(line: &[u8]) -> Result<Option<Lit>, (usize, Problem)> {
    let words = words(line);
    let column = |word: &[u8]| word.as_ptr().addr() - line.as_ptr().addr();
    let number = |word: &[u8]| match integer(word) {
        Ok((_, number)) if number >= 0 => Ok(Lit::from_dimacs(number)),
        _ => Err((column(word), Problem::NotAnAtom(token_at(word)))),
    };
    match words[..] {
        [word] if number(word)?.is_none() => Ok(None),
        [atom, value] => {
            let Some(lit) = number(atom)? else { return Err((column(atom), Problem::NotAnAtom(token_at(atom)))) };
            match truth(value) {
                Ok((_, true)) => Ok(Some(lit)),
                Ok((_, false)) => Ok(Some(!lit)),
                Err(_) => Err((column(value), Problem::NotAValue(token_at(value)))),
            }
        }
        _ => Err((0, Problem::AnswerLine)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> AssignmentAnswer {
        read_assignment_answer(text.as_bytes(), "answer").unwrap_or_else(|e| panic!("{e}"))
    }

    fn values(answer: &AssignmentAnswer) -> Option<Vec<i32>> {
        answer.model.as_ref().map(|m| m.literals().map(Lit::to_dimacs).collect())
    }

    #[test]
    fn every_way_to_write_a_value() {
        for text in
            ["1 F\n2 T\n3 F\n0\ntail", "1 False\r\n2 True\r\n3 false\r\n0 \r\ntail", "1 0\n\n 2\t1 \n3 0\n0\ntail"]
        {
            let answer = read(text);
            assert_eq!(values(&answer), Some(vec![-1, 2, -3]), "{text:?}");
            assert_eq!(answer.back_matter, b"tail");
        }
    }

    #[test]
    fn only_the_zero_is_no_model() {
        assert_eq!(values(&read("0\n1 Peg(1,1)\n")), None);
        assert_eq!(read("0\n1 Peg(1,1)\n").symbols.len(), 1);
        assert_eq!(values(&read("0")), None);
    }

    #[test]
    fn the_last_zero_may_be_missing_and_the_order_does_not_matter() {
        assert_eq!(values(&read("3 T\n1 T\n1 T")), Some(vec![1, -2, 3]));
    }

    #[test]
    fn what_is_no_answer_says_so() {
        for (text, message) in [
            ("1 T\n2 maybe\n0\n", "answer:2:3: `maybe` is not a truth value\n    2 maybe\n      ^"),
            ("1 T\n1 F\n0\n", "answer:2:1: atom 1 has two values\n    1 F\n    ^"),
            ("-1 T\n0\n", "answer:1:1: `-1` is not the number of an atom\n    -1 T\n    ^"),
            ("1 2 0\n", "answer:1:1: a line of an answer is `ATOM VALUE`\n    1 2 0\n    ^"),
            ("\n", "answer:2:1: there is no answer"),
            ("", "answer: the file is empty"),
        ] {
            assert_eq!(read_assignment_answer(text.as_bytes(), "answer").unwrap_err().to_string(), message);
        }
        let error = read_assignment_answer(&b"s SATISFIABLE\nv 1 0\n"[..], "answer").unwrap_err().to_string();
        assert!(error.ends_with("this looks like the answer of another solver, with `s` and `v` lines"), "{error}");
    }

    #[test]
    fn writing_and_reading_agree() {
        let mut model = Model::new(4);
        model.assign(Lit::from_dimacs(3).unwrap());
        let mut out = Vec::new();
        write_assignment_answer(&mut out, Some(&model), b"3 Jump(1,2,3,1)\nprose\n\n").unwrap();
        let answer = read_assignment_answer(&out[..], "answer").unwrap();
        assert_eq!(answer.model, Some(model));
        assert_eq!(answer.back_matter, b"3 Jump(1,2,3,1)\nprose\n\n");
        assert_eq!(answer.symbols.iter().map(|(v, n)| (v.to_dimacs(), n)).collect::<Vec<_>>(), [(3, "Jump(1,2,3,1)")]);
    }
}
