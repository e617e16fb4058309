//! Formulas from text.

use crate::assignment::{self, Ended, Lines};
use crate::dimacs::Dimacs;
use crate::input::{decompress, display_name, open_text};
use crate::names::key;
use crate::source::Source;
use crate::{Problem, ReadError, Warning, guess};
use putnam_formula::{Cnf, Symbols};
use std::io::Read;
use std::path::Path;

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

/// What decided about the format, if the user did.
const BY_OPTION: &str = "the option `--input`";

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
pub fn read_path(path: impl AsRef<Path>, options: &ReadOptions) -> Result<Document, ReadError> {
    let path = path.as_ref();
    parse(open_text(path)?, &display_name(path), options)
}

/// Reads a formula, compressed or not. `name` stands for the path in messages.
///
/// # Errors
/// When the input cannot be read or is not a formula.
pub fn read_from(reader: impl Read, name: &str, options: &ReadOptions) -> Result<Document, ReadError> {
    parse(decompress(reader, name)?, name, options)
}

fn parse(reader: impl Read, name: &str, options: &ReadOptions) -> Result<Document, ReadError> {
    let mut source = Source::new(reader, name)?;
    let mut warnings = Vec::new();
    if source.head().is_empty() {
        return Err(ReadError::Empty { path: name.into() });
    }
    if guess::is_binary(source.head()) {
        return Err(source.error(Problem::NotText));
    }
    if source.rest().starts_with(b"\xef\xbb\xbf") {
        if options.strict {
            return Err(source.error(Problem::Strict("a byte order mark".into())));
        }
        source.consume(3);
        source.forget_columns();
        warnings.push(Warning { path: name.into(), line: Some(1), message: "a byte order mark, skipped".into() });
    }
    let mut document = match options.format {
        InputFormat::Dimacs => dimacs(&mut source, options, None)?,
        InputFormat::Assignment | InputFormat::Auto => lines(&mut source, options)?,
    };
    warnings.append(&mut document.warnings);
    document.warnings = warnings;
    Ok(document)
}

/// Reads DIMACS, of which a part may have been read.
fn dimacs<R: Read>(
    source: &mut Source<R>,
    options: &ReadOptions,
    found: Option<assignment::Dimacs>,
) -> Result<Document, ReadError> {
    let mut warnings = Vec::new();
    let found = found.unwrap_or_else(|| assignment::Dimacs {
        cnf: Cnf::new(),
        began: None,
        decided_by: BY_OPTION.into(),
        doubtful: false,
    });
    if found.doubtful {
        let message = format!(
            "read as DIMACS because of {}; `--input assignment` reads the first 0 as the end of the clauses",
            found.decided_by
        );
        warnings.push(Warning { path: source.name().into(), line: None, message });
    }
    let mut reader = Dimacs::new(source, options.strict, found.cnf, found.began);
    reader.read()?;
    let Dimacs { cnf, symbols, header, warnings: mut more, .. } = reader;
    warnings.append(&mut more);
    Ok(Document {
        dialect: Dialect::Dimacs,
        decided_by: found.decided_by,
        symbols: within(symbols, cnf.num_vars()),
        cnf,
        back_matter: Vec::new(),
        warnings,
        header,
    })
}

/// Reads one clause a line, until the text turns out to be DIMACS if it may be.
fn lines<R: Read>(source: &mut Source<R>, options: &ReadOptions) -> Result<Document, ReadError> {
    let auto = options.format == InputFormat::Auto;
    let mut reader = Lines::new(source, auto);
    let ended = reader.read()?;
    let cnf = std::mem::take(&mut reader.cnf);
    let mut warnings = Vec::new();
    let mut warn =
        |message: &str| warnings.push(Warning { path: source.name().into(), line: None, message: message.into() });
    let decided_by = match ended {
        Ended::Dimacs(found) => return dimacs(source, options, Some(found)),
        Ended::Zero(line) => format!("the 0 that stands alone on line {line}"),
        Ended::NoZero if cnf.num_clauses() == 0 => return Err(source.error(Problem::NoFormula)),
        Ended::NoZero if options.strict => return Err(source.error(Problem::Strict("no line `0` at the end".into()))),
        Ended::NoZero => {
            warn("no line `0` ends the clauses; read as the peg assignment's format, one clause a line");
            "lines without any 0".into()
        }
    };
    let back_matter = source.take_rest()?;
    Ok(Document {
        dialect: Dialect::Assignment,
        decided_by: if auto { decided_by } else { BY_OPTION.into() },
        cnf,
        symbols: key(&back_matter),
        back_matter,
        warnings,
        header: None,
    })
}

/// The names of variables up to `num_vars`. A number beyond is taken for something else.
fn within(symbols: Symbols, num_vars: u32) -> Symbols {
    if symbols.iter().all(|(var, _)| var.to_dimacs() <= num_vars) {
        return symbols;
    }
    let mut kept = Symbols::new();
    for (var, name) in symbols.iter().filter(|(var, _)| var.to_dimacs() <= num_vars) {
        kept.insert(var, name);
    }
    kept
}
