//! Properties of all readers and writers: what is written is read again, no input makes a reader panic, and nothing depends on
//! the pieces in which input arrives.

use proptest::collection::vec;
use proptest::prelude::*;
use putnam_formats::{
    InputFormat, LratWriter, ProofFormat, ProofStep, ProofWriter, ReadOptions, Verdict, back_matter, read_answer,
    read_answer_file, read_assignment_answer, read_from, read_proof, write_assignment, write_assignment_answer,
    write_competition, write_dimacs,
};
use putnam_formula::{Cnf, Lit, Model, ProofSink, Symbols, Var};
use std::io::{self, Read};
use std::ops::ControlFlow;

const FORMATS: [InputFormat; 3] = [InputFormat::Auto, InputFormat::Dimacs, InputFormat::Assignment];

fn lit() -> impl Strategy<Value = Lit> {
    let small = -20..=20;
    let any = -i32::MAX..=i32::MAX;
    prop_oneof![4 => small, 1 => any].prop_filter_map("no literal", Lit::from_dimacs)
}

fn clause(least: usize) -> impl Strategy<Value = Vec<Lit>> {
    vec(lit(), least..8)
}

fn cnf(clauses: &[Vec<Lit>]) -> Cnf {
    let mut cnf = Cnf::new();
    for clause in clauses {
        clause.iter().for_each(|&lit| cnf.push_literal(lit));
        cnf.close_clause();
    }
    cnf
}

/// Names of some of the first 20 variables, which are then declared.
fn names() -> impl Strategy<Value = Symbols> {
    let name = "[A-Za-zäß(][A-Za-z0-9(),.=äß-]{0,12}";
    vec((0..20u32, name), 0..6).prop_map(|pairs| {
        let mut symbols = Symbols::new();
        for (var, name) in pairs {
            symbols.insert(Var::new(var), name);
        }
        symbols
    })
}

fn model() -> impl Strategy<Value = Model> {
    vec(any::<bool>(), 0..300).prop_map(|values| {
        let mut model = Model::new(values.len() as u32);
        for (index, value) in values.into_iter().enumerate() {
            model.assign(Var::new(index as u32).lit(value));
        }
        model
    })
}

/// Bytes that are much like a formula, an answer or a proof, and some that are like nothing.
fn soup() -> impl Strategy<Value = Vec<u8>> {
    let words = [
        "p cnf ",
        "p ",
        "cnf",
        "c ",
        "c 1 Name\n",
        "%",
        "0",
        "0\n",
        "\n",
        "\r\n",
        " ",
        "\t",
        "-",
        "1",
        "-2",
        "3 ",
        "40",
        "d ",
        "a",
        "s SATISFIABLE\n",
        "v ",
        "SAT\n",
        "UNSAT\n",
        "T",
        "F\n",
        "2147483647 ",
        "2147483648 ",
        "99999999999999999999 ",
        "\0",
        "\u{feff}",
        "\u{1b}[0m",
        "ä",
        "x1",
    ];
    let archives: [&[u8]; 6] = [b"", b"\x1f\x8b\x08\0", b"BZh9", b"\xfd7zXZ\0", b"\x28\xb5\x2f\xfd", b"\xff\xfe"];
    let word = prop::sample::select(words.to_vec()).prop_map(|w| w.as_bytes().to_vec());
    let any = vec(any::<u8>(), 0..6);
    let body = vec(prop_oneof![12 => word, 1 => any], 0..60);
    (prop_oneof![8 => Just(&b""[..]), 1 => prop::sample::select(archives.to_vec())], body)
        .prop_map(|(magic, pieces)| magic.iter().copied().chain(pieces.into_iter().flatten()).collect())
}

/// A reader that hands out its bytes in pieces of the given lengths.
struct Pieces<'a> {
    bytes: &'a [u8],
    lengths: std::iter::Cycle<std::slice::Iter<'a, usize>>,
}

impl Read for Pieces<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = self.lengths.next().map_or(1, |&n| n).min(buffer.len()).min(self.bytes.len());
        buffer[..length].copy_from_slice(&self.bytes[..length]);
        self.bytes = &self.bytes[length..];
        Ok(length)
    }
}

proptest! {
    #[test]
    fn dimacs_is_read_as_it_was_written(clauses in vec(clause(0), 0..12), symbols in names()) {
        let mut cnf = cnf(&clauses);
        cnf.declare(20);
        let mut bytes = Vec::new();
        write_dimacs(&mut bytes, &cnf, &symbols).unwrap();
        let document = read_from(&bytes[..], "x", &ReadOptions { strict: true, ..ReadOptions::default() }).unwrap();
        prop_assert_eq!(document.cnf, cnf);
        prop_assert_eq!(document.symbols, symbols);
    }

    #[test]
    fn the_assignments_format_is_read_as_it_was_written(clauses in vec(clause(1), 0..12), symbols in names()) {
        let cnf = cnf(&clauses);
        let key = back_matter(&symbols);
        let mut bytes = Vec::new();
        write_assignment(&mut bytes, &cnf, &key).unwrap();
        let document = read_from(&bytes[..], "x", &ReadOptions { strict: true, ..ReadOptions::default() }).unwrap();
        prop_assert_eq!(document.cnf, cnf);
        prop_assert_eq!(document.symbols, symbols);
        prop_assert_eq!(document.back_matter, key);
    }

    #[test]
    fn back_matter_is_kept_byte_for_byte(clauses in vec(clause(1), 0..5), tail in vec(any::<u8>(), 0..200)) {
        let cnf = cnf(&clauses);
        let mut bytes = Vec::new();
        write_assignment(&mut bytes, &cnf, &tail).unwrap();
        let options = ReadOptions { format: InputFormat::Assignment, strict: true };
        let document = read_from(&bytes[..], "x", &options).unwrap();
        prop_assert_eq!(document.cnf, cnf);
        prop_assert_eq!(document.back_matter, tail);
    }

    #[test]
    fn an_empty_clause_stays_unsatisfiable_in_the_assignments_format(clauses in vec(clause(0), 1..4)) {
        let cnf = cnf(&clauses);
        prop_assume!(cnf.clauses().any(<[Lit]>::is_empty));
        let mut bytes = Vec::new();
        write_assignment(&mut bytes, &cnf, b"").unwrap();
        let read = read_from(&bytes[..], "x", &ReadOptions::default()).unwrap().cnf;
        prop_assert!(Model::new(read.num_vars()).falsified(&read).is_some());
        let one = Lit::from_dimacs(1).unwrap();
        prop_assert!(read.clauses().any(|c| c == [one]) && read.clauses().any(|c| c == [!one]));
    }

    #[test]
    fn answers_are_read_as_they_were_written(model in model(), symbols in names()) {
        let mut bytes = Vec::new();
        write_competition(&mut bytes, Verdict::Satisfiable, Some(&model)).unwrap();
        let answer = read_answer(&bytes, Some(10));
        prop_assert_eq!(answer.verdict, Verdict::Satisfiable);
        prop_assert_eq!(answer.model.unwrap(), model.literals().collect::<Vec<_>>());
        let key = back_matter(&symbols);
        bytes.clear();
        write_assignment_answer(&mut bytes, Some(&model), &key).unwrap();
        let answer = read_assignment_answer(&bytes[..], "x").unwrap();
        prop_assert_eq!(answer.model, (model.num_vars() > 0).then_some(model));
        prop_assert_eq!((answer.symbols, answer.back_matter), (symbols, key));
    }

    #[test]
    fn drat_is_read_as_it_was_written(steps in vec((any::<bool>(), clause(0)), 1..12)) {
        let (mut text, mut binary) = (Vec::new(), Vec::new());
        {
            let (mut text, mut binary) = (ProofWriter::text(&mut text), ProofWriter::binary(&mut binary));
            for (delete, clause) in &steps {
                for writer in [&mut text as &mut dyn ProofSink, &mut binary] {
                    if *delete { writer.delete(clause) } else { writer.add(clause) }
                }
            }
            text.flush().unwrap();
            binary.flush().unwrap();
        }
        for (bytes, format) in [(text, ProofFormat::Drat), (binary, ProofFormat::BinaryDrat)] {
            let mut read = Vec::new();
            let told = read_proof(&bytes[..], "x", None, |step| {
                match step {
                    ProofStep::Add(clause) => read.push((false, clause.to_vec())),
                    ProofStep::Delete(clause) => read.push((true, clause.to_vec())),
                    other => panic!("{other:?}"),
                }
                ControlFlow::Continue(())
            });
            prop_assert_eq!(told.unwrap(), format);
            prop_assert_eq!(&read, &steps);
        }
    }

    #[test]
    fn lrat_is_read_as_it_was_written(
        steps in vec((1..u64::from(u32::MAX), clause(0), vec((-9i64..99).prop_filter("a zero ends the hints", |&h| h != 0), 0..5)), 1..9)
    ) {
        let mut bytes = Vec::new();
        let mut writer = LratWriter::new(&mut bytes);
        for (id, clause, hints) in &steps {
            writer.add(*id, clause, hints);
            writer.delete(*id, &[*id, 1]);
        }
        writer.flush().unwrap();
        drop(writer);
        let mut read = Vec::new();
        let mut deleted = Vec::new();
        let format = read_proof(&bytes[..], "x", None, |step| {
            match step {
                ProofStep::LratAdd { id, clause, hints } => read.push((id, clause.to_vec(), hints.to_vec())),
                ProofStep::LratDelete { id, clauses } => deleted.push((id, clauses.to_vec())),
                other => panic!("{other:?}"),
            }
            ControlFlow::Continue(())
        });
        prop_assert_eq!(format.unwrap(), ProofFormat::Lrat);
        prop_assert_eq!(deleted, steps.iter().map(|(id, ..)| (*id, vec![*id, 1])).collect::<Vec<_>>());
        prop_assert_eq!(read, steps);
    }

    #[test]
    fn no_bytes_make_a_reader_panic(bytes in soup()) {
        for format in FORMATS {
            for strict in [false, true] {
                match read_from(&bytes[..], "x", &ReadOptions { format, strict }) {
                    Ok(document) => prop_assert!(document.cnf.clauses().flatten().all(|l| l.var().to_dimacs() <= document.cnf.num_vars())),
                    Err(e) => prop_assert!(e.to_string().starts_with("x:"), "{}", e),
                }
            }
        }
        for format in [None, Some(ProofFormat::Drat), Some(ProofFormat::BinaryDrat), Some(ProofFormat::Lrat)] {
            if let Err(e) = read_proof(&bytes[..], "x", format, |_| ControlFlow::Continue(())) {
                prop_assert!(e.to_string().starts_with("x:"), "{}", e);
            }
        }
        if let Err(e) = read_answer_file(&bytes[..], "x") {
            prop_assert!(e.to_string().starts_with("x:"), "{}", e);
        }
        read_answer(&bytes, Some(10));
    }

    #[test]
    fn nothing_depends_on_the_pieces_in_which_input_arrives(bytes in soup(), lengths in vec(1usize..40, 1..10)) {
        for format in FORMATS {
            let options = ReadOptions { format, strict: false };
            let whole = read_from(&bytes[..], "x", &options).map_err(|e| e.to_string());
            let pieces = Pieces { bytes: &bytes, lengths: lengths.iter().cycle() };
            let pieces = read_from(pieces, "x", &options).map_err(|e| e.to_string());
            prop_assert_eq!(format!("{whole:?}"), format!("{pieces:?}"));
        }
    }

    /// What strict mode accepts, the default reads alike.
    #[test]
    fn strict_mode_only_refuses(bytes in soup()) {
        for format in FORMATS {
            if let Ok(strict) = read_from(&bytes[..], "x", &ReadOptions { format, strict: true }) {
                let lenient = read_from(&bytes[..], "x", &ReadOptions { format, strict: false }).unwrap();
                prop_assert_eq!(strict.cnf, lenient.cnf);
                prop_assert_eq!(strict.back_matter, lenient.back_matter);
            }
        }
    }
}
