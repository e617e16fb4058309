//! Formulas from text.

use crate::assignment::{self, Ended, Lines};
use crate::dimacs::Dimacs;
use crate::input::{decompress, display_name, open_text};
use crate::names::key;
use crate::source::Source;
use crate::{Problem, ReadError, Warning, guess};
use putnam_formula::{Cnf, PackedClauses, Symbols};
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
    parse(open_text(path)?, &display_name(path), options, None)
}

/// Reads a formula as [`read_path`] does, but packs its clauses on the way: so they are never there in the larger form. The
/// document has none, but their number of variables.
///
/// # Errors
/// When the file cannot be read or is not a formula.
pub fn read_packed_path(path: impl AsRef<Path>, options: &ReadOptions) -> Result<(Document, PackedClauses), ReadError> {
    let path = path.as_ref();
    let mut packed = PackedClauses::new();
    let mut document = parse(open_text(path)?, &display_name(path), options, Some(&mut packed))?;
    document.cnf.drain_into(&mut packed);
    let mut declared = Cnf::new();
    declared.declare(document.cnf.num_vars());
    std::mem::replace(&mut document.cnf, declared).release();
    packed.shrink_to_fit();
    Ok((document, packed))
}

/// Reads a formula, compressed or not. `name` stands for the path in messages.
///
/// # Errors
/// When the input cannot be read or is not a formula.
pub fn read_from(reader: impl Read, name: &str, options: &ReadOptions) -> Result<Document, ReadError> {
    parse(decompress(reader, name)?, name, options, None)
}

/// Reads a formula. The clauses go to `packed` as soon as it is known that there is no other way to read them.
fn parse(
    reader: impl Read,
    name: &str,
    options: &ReadOptions,
    packed: Option<&mut PackedClauses>,
) -> Result<Document, ReadError> {
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
        InputFormat::Dimacs => dimacs(&mut source, options, None, packed)?,
        InputFormat::Assignment | InputFormat::Auto => lines(&mut source, options, packed)?,
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
    packed: Option<&mut PackedClauses>,
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
    let mut reader = Dimacs::new(source, options.strict, found.cnf, found.began, packed);
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
fn lines<R: Read>(
    source: &mut Source<R>,
    options: &ReadOptions,
    packed: Option<&mut PackedClauses>,
) -> Result<Document, ReadError> {
    let auto = options.format == InputFormat::Auto;
    let mut reader = Lines::new(source, auto);
    let ended = reader.read()?;
    let cnf = std::mem::take(&mut reader.cnf);
    let mut warnings = Vec::new();
    let mut warn =
        |message: &str| warnings.push(Warning { path: source.name().into(), line: None, message: message.into() });
    let decided_by = match ended {
        Ended::Dimacs(found) => return dimacs(source, options, Some(found), packed),
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packed_or_not_the_same_is_read() {
        let texts = [
            "p cnf 3 2\n1 -2 0\n3 0\n",
            "p cnf 9 9\nc 1 a\n1 -2\n0 3 0 0\n%\n0\n",
            "1 2 0 -1 0 0\n",
            "1 2\n-1\n0\n1 north\n",
            "1 2\n-1\n",
            "p cnf 1 1\n1\n",
            "p cnf 2 1\n1 2 0\np cnf 2 1\n",
        ];
        let mut long = String::from("p cnf 40000 40000\n");
        (1..40_000).for_each(|number| long.push_str(&format!("{number} -{} 0\n", number + 1)));
        let read = |text: &str, packed: Option<&mut PackedClauses>| {
            let result = parse(text.as_bytes(), "name", &ReadOptions::default(), packed);
            result.map_err(|error| error.to_string())
        };
        for text in texts.into_iter().chain([&long[..]]) {
            let mut packed = PackedClauses::new();
            match (read(text, None), read(text, Some(&mut packed))) {
                (Ok(plain), Ok(mut other)) => {
                    other.cnf.drain_into(&mut packed);
                    assert_eq!(packed.unpack(), plain.cnf, "{text:.40}");
                    let rest = |d: Document| (d.dialect, d.decided_by, d.back_matter, d.warnings.len(), d.header);
                    assert_eq!(rest(other), rest(plain));
                }
                (plain, other) => assert_eq!(plain.unwrap_err(), other.unwrap_err()),
            }
        }
    }
}
