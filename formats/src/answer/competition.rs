//! Answers as solver competitions want them.

use super::Verdict;
use crate::write::push_literal;
use putnam_formula::{Lit, Model};
use std::io::{self, Write};

/// The longest `v` line.
const LINE: usize = 78;

/// Writes the answer as solver competitions want it: one `s` line, and for a model `v` lines of at most 78 characters, closed
/// by 0.
///
/// # Errors
/// Those of `out`.
pub fn write_competition(out: &mut dyn Write, verdict: Verdict, model: Option<&Model>) -> io::Result<()> {
    out.write_all(match verdict {
        Verdict::Satisfiable => b"s SATISFIABLE\n",
        Verdict::Unsatisfiable => b"s UNSATISFIABLE\n",
        Verdict::Unknown => b"s UNKNOWN\n",
    })?;
    model.map_or(Ok(()), |model| write_values(out, model.literals()))
}

/// Writes literals in `v` lines of at most 78 characters, closed by 0.
///
/// # Errors
/// Those of the output.
pub fn write_values(out: &mut dyn Write, literals: impl IntoIterator<Item = Lit>) -> io::Result<()> {
    let mut line = b"v".to_vec();
    let mut number = Vec::new();
    for lit in literals.into_iter().map(Some).chain([None]) {
        number.clear();
        match lit {
            Some(lit) => push_literal(&mut number, lit),
            None => number.push(b'0'),
        }
        if line.len() + 1 + number.len() > LINE {
            line.push(b'\n');
            out.write_all(&line)?;
            line.truncate(1);
        }
        line.push(b' ');
        line.extend_from_slice(&number);
    }
    line.push(b'\n');
    out.write_all(&line)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(verdict: Verdict, model: Option<&Model>) -> String {
        let mut out = Vec::new();
        write_competition(&mut out, verdict, model).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn the_lines_of_each_verdict() {
        assert_eq!(written(Verdict::Unsatisfiable, None), "s UNSATISFIABLE\n");
        assert_eq!(written(Verdict::Unknown, None), "s UNKNOWN\n");
        assert_eq!(written(Verdict::Satisfiable, None), "s SATISFIABLE\n");
        assert_eq!(written(Verdict::Satisfiable, Some(&Model::new(0))), "s SATISFIABLE\nv 0\n");
        let mut model = Model::new(3);
        model.assign(Lit::from_dimacs(2).unwrap());
        assert_eq!(written(Verdict::Satisfiable, Some(&model)), "s SATISFIABLE\nv -1 2 -3 0\n");
    }

    #[test]
    fn value_lines_are_short_and_full() {
        let model = Model::new(1000);
        let text = written(Verdict::Satisfiable, Some(&model));
        let lines: Vec<&str> = text.lines().skip(1).collect();
        assert!(lines.iter().all(|l| l.starts_with("v ") && l.len() <= 78));
        assert!(lines[..lines.len() - 1].iter().all(|l| l.len() > 70), "lines are filled");
        let numbers: Vec<i32> = lines.iter().flat_map(|l| l[2..].split(' ')).map(|t| t.parse().unwrap()).collect();
        assert_eq!(numbers, (1..=1000).map(|x| -x).chain([0]).collect::<Vec<i32>>());
    }
}
