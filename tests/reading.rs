//! Input to accept (`accept/`) and to reject with its exact message (`reject/`), and properties of all readers and writers.
//!
//! A file in a folder of `accept/` or `reject/` is read with the options that the folder's name stands for: `auto`, `dimacs`,
//! `assignment`, `strict` (auto, and strict). Beside an accepted file is `NAME.ok`, what is to be read from it (see
//! [`render`]); beside a rejected one is `NAME.err`, the message. With PUTNAM_BLESS=1 in the environment these are written
//! anew instead of compared; look at the difference before you keep it.

mod memory;
mod properties;
mod sizes;

use putnam_formats::{
    Dialect, Document, InputFormat, ReadError, ReadOptions, read_from, read_path, write_assignment, write_dimacs,
};
use putnam_formula::{Lit, Symbols};
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

/// The options that a folder stands for.
fn options(folder: &str) -> ReadOptions {
    let format = match folder {
        "auto" | "strict" => InputFormat::Auto,
        "dimacs" => InputFormat::Dimacs,
        "assignment" => InputFormat::Assignment,
        other => panic!("a folder `{other}` stands for no options"),
    };
    ReadOptions { format, strict: folder == "strict" }
}

/// The files of `accept/` or `reject/` with the options of their folder, without those that say what to expect.
fn cases(kind: &str, expected: &str) -> Vec<(PathBuf, ReadOptions)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join(kind);
    let mut cases = Vec::new();
    for folder in fs::read_dir(&root).unwrap().map(|e| e.unwrap().path()).filter(|p| p.is_dir()) {
        let options = options(folder.file_name().unwrap().to_str().unwrap());
        let files = fs::read_dir(folder).unwrap().map(|e| e.unwrap().path());
        cases.extend(files.filter(|p| p.extension().is_none_or(|e| e != expected)).map(|p| (p, options)));
    }
    cases.sort_by(|a, b| a.0.cmp(&b.0));
    assert!(cases.len() > 10, "{} has lost its files", root.display());
    cases
}

/// Reads a file under its bare name, so that messages are the same on every machine.
fn read(path: &Path, options: &ReadOptions) -> Result<Document, ReadError> {
    read_from(fs::File::open(path).unwrap(), path.file_name().unwrap().to_str().unwrap(), options)
}

/// Compares with the file that says what to expect, or writes it. Answers with a difference.
fn compare(path: &Path, extension: &str, found: &str) -> Option<String> {
    let expected = path.with_extension(extension);
    if std::env::var_os("PUTNAM_BLESS").is_some() {
        fs::write(&expected, found).unwrap();
        return None;
    }
    let wanted = fs::read_to_string(&expected).unwrap_or_else(|e| format!("({e})\n"));
    (wanted != found).then(|| {
        format!("{}\n--- {}\n{wanted}--- found\n{found}", path.display(), expected.file_name().unwrap().display())
    })
}

/// All of a document as text: the format and what told it, the numbers, the names, the warnings, whether it passes in strict
/// mode, and the clauses and the back matter as they are written.
fn render(document: &Document, strict: &str) -> String {
    let cnf = &document.cnf;
    let mut text = String::new();
    writeln!(text, "format: {:?}, because of {}", document.dialect, document.decided_by).unwrap();
    writeln!(text, "variables: {}, clauses: {}", cnf.num_vars(), cnf.num_clauses()).unwrap();
    if let Some(header) = document.header {
        writeln!(text, "header: {} {} on line {}", header.variables, header.clauses, header.line).unwrap();
    }
    for (var, name) in document.symbols.iter() {
        writeln!(text, "name: {var} {name}").unwrap();
    }
    for warning in &document.warnings {
        writeln!(text, "warning: {warning}").unwrap();
    }
    writeln!(text, "strict: {strict}").unwrap();
    for clause in cnf.clauses() {
        let numbers: Vec<String> = clause.iter().map(Lit::to_string).collect();
        writeln!(text, "clause: {}", numbers.join(" ")).unwrap();
    }
    if document.dialect == Dialect::Assignment {
        writeln!(text, "back matter: \"{}\"", document.back_matter.escape_ascii()).unwrap();
    }
    text
}

/// Writes a document in its own format and reads it again.
fn again(document: &Document) -> Document {
    let mut bytes = Vec::new();
    let format = match document.dialect {
        Dialect::Dimacs => {
            write_dimacs(&mut bytes, &document.cnf, &document.symbols).unwrap();
            InputFormat::Dimacs
        }
        Dialect::Assignment => {
            write_assignment(&mut bytes, &document.cnf, &document.back_matter).unwrap();
            InputFormat::Assignment
        }
    };
    read_from(&bytes[..], "written", &ReadOptions { format, strict: true }).unwrap_or_else(|e| panic!("{e}"))
}

#[test]
fn accepted_files_are_read_as_expected() {
    let mut wrong = Vec::new();
    for (path, options) in cases("accept", "ok") {
        let document = match read(&path, &options) {
            Ok(document) => document,
            Err(e) => {
                wrong.push(format!("{}\n{e}", path.display()));
                continue;
            }
        };
        let strict = match read(&path, &ReadOptions { strict: true, ..options }) {
            Ok(_) => "accepted".to_owned(),
            Err(e) => e.to_string().lines().next().unwrap().to_owned(),
        };
        wrong.extend(compare(&path, "ok", &render(&document, &strict)));
        let written = again(&document);
        assert_eq!(written.cnf, document.cnf, "{}", path.display());
        assert_eq!(written.back_matter, document.back_matter, "{}", path.display());
        assert_eq!(written.symbols, document.symbols, "{}", path.display());
        assert_eq!(written.warnings, [], "{}", path.display());
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

#[test]
fn rejected_files_are_rejected_with_their_message() {
    let mut wrong = Vec::new();
    for (path, options) in cases("reject", "err") {
        match read(&path, &options) {
            Ok(document) => wrong.push(format!("{} is accepted\n{}", path.display(), render(&document, "-"))),
            Err(e) => wrong.extend(compare(&path, "err", &format!("{e}\n"))),
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

#[test]
fn files_that_cannot_be_read_are_errors() {
    let folder = tempfile::tempdir().unwrap();
    let missing = folder.path().join("missing.cnf");
    for path in [missing.as_path(), folder.path()] {
        let error = read_path(path.to_str().unwrap(), &ReadOptions::default()).unwrap_err();
        assert!(matches!(error, ReadError::Open { .. } | ReadError::Read { .. }), "{error}");
        assert!(error.to_string().starts_with(&format!("{}: cannot be ", path.display())), "{error}");
    }
}

#[test]
fn names_are_kept_by_the_writer() {
    let mut symbols = Symbols::new();
    let document = read_from(&b"p cnf 3 1\n1 2 3 0\n"[..], "x", &ReadOptions::default()).unwrap();
    let var = |number| Lit::from_dimacs(number).unwrap().var();
    symbols.insert(var(1), "Jump(1,2,4,1)");
    symbols.insert(var(3), "drinks(Norwegian, water)");
    let mut bytes = Vec::new();
    write_dimacs(&mut bytes, &document.cnf, &symbols).unwrap();
    let read = read_from(&bytes[..], "x", &ReadOptions::default()).unwrap();
    let names: Vec<(u32, &str)> = read.symbols.iter().map(|(v, n)| (v.to_dimacs(), n)).collect();
    assert_eq!(names, [(1, "Jump(1,2,4,1)"), (3, "drinks(Norwegian,_water)")]);
}
