//! Proofs: DRAT in text and in its binary form, LRAT.

mod binary;
mod text;
mod writer;

pub use writer::{LratWriter, ProofWriter};

use crate::ReadError;
use crate::input::decompress;
use crate::source::Source;
use crate::tokens::words;
use putnam_formula::Lit;
use std::io::Read;
use std::ops::ControlFlow;

/// How a proof is written down.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProofFormat {
    /// One step a line, `1 -2 0` or `d 1 -2 0`.
    Drat,
    /// `a` or `d`, then the literals as variable-length numbers, then a zero byte.
    BinaryDrat,
    /// Numbered clauses with the numbers of the clauses from which they follow by unit propagation.
    Lrat,
}

/// One step of a proof.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProofStep<'a> {
    /// A clause that follows.
    Add(&'a [Lit]),
    /// A clause that is needed no more.
    Delete(&'a [Lit]),
    /// A clause that follows, with its number and what it follows from. A negative hint begins the propagation for the
    /// clause with that number, which has the negation of the first literal (RAT).
    LratAdd {
        /// The number of the clause; the clauses of the formula are 1, 2, ...
        id: u64,
        /// The clause.
        clause: &'a [Lit],
        /// Numbers of clauses.
        hints: &'a [i64],
    },
    /// Clauses that are needed no more.
    LratDelete {
        /// The number of the last clause that was added.
        id: u64,
        /// Numbers of clauses.
        clauses: &'a [u64],
    },
}

/// Reads a proof step by step, compressed or not, until it ends or `visit` breaks off. Without `format`, it is told from the
/// content:
///
/// - binary DRAT if the first byte is `a`, or if one of the first 64 KiB is 0: every binary step begins with `a` or `d` and
///   ends with a 0, and no text has one;
/// - else LRAT if the first line that is no comment begins with a positive number and either goes on with `d` or has two 0;
/// - else DRAT as text. (Two steps of DRAT in the first line look like LRAT: then the format has to be named.)
///
/// An empty proof has no steps and is no error here. The format is the result.
///
/// # Errors
/// When the input cannot be read or is not a proof in that format.
pub fn read_proof(
    reader: impl Read,
    name: &str,
    format: Option<ProofFormat>,
    mut visit: impl FnMut(ProofStep<'_>) -> ControlFlow<()>,
) -> Result<ProofFormat, ReadError> {
    let mut source = Source::new(decompress(reader, name)?, name)?;
    source.require(SAMPLE)?;
    let sample = &source.rest()[..source.rest().len().min(SAMPLE)];
    let format = format.unwrap_or_else(|| detect(sample));
    match format {
        ProofFormat::Drat => text::drat(&mut source, &mut visit)?,
        ProofFormat::BinaryDrat => binary::drat(&mut source, &mut visit)?,
        ProofFormat::Lrat => text::lrat(&mut source, &mut visit)?,
    }
    Ok(format)
}

/// How much is looked at to tell the format.
const SAMPLE: usize = 1 << 16;

fn detect(sample: &[u8]) -> ProofFormat {
    if sample.first() == Some(&b'a') || sample.contains(&0) {
        return ProofFormat::BinaryDrat;
    }
    let mut lines = sample.split(|&b| b == b'\n').map(words);
    let first = lines.find(|words| words.first().is_some_and(|&word| word != b"c")).unwrap_or_default();
    let zeros = first.iter().filter(|&&word| word == b"0").count();
    let number = first.first().is_some_and(|word| word.iter().all(u8::is_ascii_digit) && word != b"0");
    let deletion = first.get(1).is_some_and(|&word| word == b"d");
    if number && (deletion || zeros >= 2) { ProofFormat::Lrat } else { ProofFormat::Drat }
}

#[cfg(test)]
mod tests {
    use super::*;
    use putnam_formula::ProofSink;

    /// Steps in a form that owns its numbers: what it is, its literals, its other numbers.
    type Steps = Vec<(String, Vec<i32>, Vec<i64>)>;

    fn read(bytes: &[u8], format: Option<ProofFormat>) -> Result<(ProofFormat, Steps), String> {
        let mut steps = Steps::new();
        let numbers = |clause: &[Lit]| clause.iter().map(|l| l.to_dimacs()).collect();
        let result = read_proof(bytes, "proof", format, |step| {
            steps.push(match step {
                ProofStep::Add(clause) => ("add".into(), numbers(clause), vec![]),
                ProofStep::Delete(clause) => ("delete".into(), numbers(clause), vec![]),
                ProofStep::LratAdd { id, clause, hints } => (format!("add {id}"), numbers(clause), hints.to_vec()),
                ProofStep::LratDelete { id, clauses } => {
                    (format!("delete {id}"), vec![], clauses.iter().map(|&c| c as i64).collect())
                }
            });
            ControlFlow::Continue(())
        });
        result.map(|format| (format, steps)).map_err(|e| e.to_string())
    }

    fn lits(numbers: &[i32]) -> Vec<Lit> {
        numbers.iter().map(|&n| Lit::from_dimacs(n).unwrap()).collect()
    }

    /// The clauses of an example, of every length of a binary number, and whether they are deleted.
    fn example() -> Vec<(bool, Vec<Lit>)> {
        let clauses: [(bool, &[i32]); 5] = [
            (true, &[16, 5]),
            (false, &[1, -2]),
            (false, &[63, -64, 8191, -8192, 1_048_576, -134_217_728, i32::MAX, -i32::MAX]),
            (true, &[]),
            (false, &[]),
        ];
        clauses.into_iter().map(|(delete, clause)| (delete, lits(clause))).collect()
    }

    fn write<W: std::io::Write + Send>(mut writer: ProofWriter<W>) {
        for (delete, clause) in example() {
            if delete { writer.delete(&clause) } else { writer.add(&clause) }
        }
        writer.flush().unwrap();
    }

    #[test]
    fn drat_round_trips_and_is_recognised() {
        let expected: Steps = example()
            .into_iter()
            .map(|(delete, clause)| {
                let kind = if delete { "delete" } else { "add" };
                (kind.to_owned(), clause.iter().map(|l| l.to_dimacs()).collect(), vec![])
            })
            .collect();
        let (mut text, mut binary) = (Vec::new(), Vec::new());
        write(ProofWriter::text(&mut text));
        write(ProofWriter::binary(&mut binary));
        assert!(binary.starts_with(b"d "), "a binary proof that begins like a text");
        assert_eq!(read(&text, None), Ok((ProofFormat::Drat, expected.clone())));
        assert_eq!(read(&binary, None), Ok((ProofFormat::BinaryDrat, expected)));
    }

    #[test]
    fn binary_numbers_are_those_of_drat_trim() {
        let mut binary = Vec::new();
        let mut writer = ProofWriter::binary(&mut binary);
        writer.delete(&lits(&[-63, -8193]));
        writer.add(&lits(&[129, -8191]));
        writer.flush().unwrap();
        drop(writer);
        assert_eq!(binary, [0x64, 0x7f, 0x83, 0x80, 0x01, 0x00, 0x61, 0x82, 0x02, 0xff, 0x7f, 0x00]);
    }

    #[test]
    fn lrat_round_trips_and_is_recognised() {
        let mut text = Vec::new();
        let mut writer = LratWriter::new(&mut text);
        writer.add(5_000_000_000, &lits(&[1, -2]), &[3, -4, 5]);
        writer.delete(5_000_000_000, &[1, 2]);
        writer.add(5_000_000_001, &[], &[5_000_000_000]);
        writer.flush().unwrap();
        drop(writer);
        let expected = vec![
            ("add 5000000000".to_owned(), vec![1, -2], vec![3, -4, 5]),
            ("delete 5000000000".to_owned(), vec![], vec![1, 2]),
            ("add 5000000001".to_owned(), vec![], vec![5_000_000_000]),
        ];
        assert_eq!(read(&text, None), Ok((ProofFormat::Lrat, expected)));
        assert_eq!(read(b"c about\n4 d 1 2 0\n", None).unwrap().0, ProofFormat::Lrat);
    }

    #[test]
    fn text_may_be_untidy() {
        let (format, steps) = read(b"c made by hand\r\n1\r\n -2 0\n\nd  1 -2 0 0", None).unwrap();
        assert_eq!(format, ProofFormat::Drat);
        let expected = [("add", vec![1, -2]), ("delete", vec![1, -2]), ("add", vec![])];
        assert_eq!(steps, expected.map(|(kind, clause)| (kind.to_owned(), clause, vec![])));
        assert_eq!(read(b"", None), Ok((ProofFormat::Drat, vec![])));
    }

    #[test]
    fn bad_proofs_are_refused() {
        for (bytes, message) in [
            (&b"1 -2 0\n1 x 0\n"[..], "proof:2:3: `x` is not an integer\n    1 x 0\n      ^"),
            (b"1 0\n1 d 0\n", "proof:2:3: `d` is not an integer\n    1 d 0\n      ^"),
            (b"1 0\n2 3", "proof:2:4: the last step of the proof is cut short\n    2 3\n       ^"),
            (b"a\x02\0q", "proof:1:4: `0x71` does not begin a step of a proof"),
            (b"a\x02\0a\x02", "proof:1:6: the last step of the proof is cut short"),
            (b"a\xff\xff\xff\xff\xff\x01\0", "proof:1:2: a literal that is too large"),
            (b"a\x01\0", "proof:1:2: `-0` is neither a literal nor the end of a clause"),
            (b"7 1 0 2 3 0\n8 d x 0\n", "proof:2:5: `x` is not the number of a clause\n    8 d x 0\n        ^"),
            (b"7 1 0 2 3 0\n8 1 0 2", "proof:2:8: the last step of the proof is cut short\n    8 1 0 2\n           ^"),
        ] {
            let error = read(bytes, None).unwrap_err();
            assert!(error.starts_with(message), "{error}");
        }
    }

    #[test]
    fn a_visitor_may_break_off() {
        let mut steps = 0;
        let result = read_proof(&b"1 0\n2 0\nnonsense"[..], "proof", None, |_| {
            steps += 1;
            if steps == 2 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        assert_eq!((result.unwrap(), steps), (ProofFormat::Drat, 2));
    }
}
