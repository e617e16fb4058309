//! The file that leads from models of a simplified formula to those of the original. Two comments say what it is and which
//! formula is the original; the rest is a [`putnam_cdcl::Extension`] as text.

use crate::failure::Failure;
use putnam_cdcl::{Extension, ExtensionError};
use putnam_formats::open_text;
use putnam_formula::Cnf;
use std::io::{self, Read as _, Write};
use std::path::Path;

const TITLE: &str = "c putnam reconstruction";
const ORIGINAL: &str = "c original ";

/// What such a file holds.
pub(crate) struct Reconstruction {
    /// The file that the original formula was read from, as the user named it.
    pub(crate) path: String,
    /// The [`fingerprint`] of the original.
    pub(crate) fingerprint: u64,
    /// The way back.
    pub(crate) extension: Extension,
}

/// A number that tells formulas apart: the same variables and clauses, in the same order, give the same, however they are
/// written (FNV-1a over all literals).
pub(crate) fn fingerprint(cnf: &Cnf) -> u64 {
    let mut hash = 0xcbf2_9ce4_8422_2325u64;
    let mut take = |number: i64| {
        for byte in number.to_le_bytes() {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    };
    take(i64::from(cnf.num_vars()));
    for clause in cnf.clauses() {
        clause.iter().for_each(|lit| take(i64::from(lit.to_dimacs())));
        take(0);
    }
    hash
}

impl Reconstruction {
    /// Writes the file.
    pub(crate) fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "{TITLE}\n{ORIGINAL}{:016x} {}", self.fingerprint, self.path)?;
        write!(out, "{}", self.extension)
    }

    /// Reads it, plain or compressed.
    ///
    /// # Errors
    /// If the file cannot be read, or is something else or damaged.
    pub(crate) fn read(file: &Path) -> Result<Self, Failure> {
        let mut bytes = Vec::new();
        open_text(file)?.read_to_end(&mut bytes).map_err(|error| Failure::io(file, error))?;
        let path = file.display();
        let foreign = || {
            Failure::Input(format!(
                "{path}: this is no reconstruction file; `putnam solve --simplify-only` writes them"
            ))
        };
        let text = String::from_utf8(bytes).map_err(|_| foreign())?;
        let mut lines = text.lines();
        if lines.next() != Some(TITLE) {
            return Err(foreign());
        }
        let original = lines.next().and_then(|line| line.strip_prefix(ORIGINAL)?.split_once(' '));
        let (number, original) = original.ok_or_else(foreign)?;
        let fingerprint = u64::from_str_radix(number, 16).map_err(|_| foreign())?;
        let extension =
            text.parse().map_err(|ExtensionError { line, cause }| Failure::Input(format!("{path}:{line}: {cause}")))?;
        Ok(Self { path: original.to_owned(), fingerprint, extension })
    }
}
