//! Lines that name atoms: `NUMBER NAME`.

use crate::tokens;
use putnam_formula::{Symbols, Var};
use std::fmt::Write;

/// The key of the assignment's format: `number name` a line, in ascending order of the numbers. Blanks inside a name become
/// underscores, since a name ends at a blank.
pub fn back_matter(symbols: &Symbols) -> Vec<u8> {
    let mut text = String::new();
    for (var, name) in symbols.iter() {
        writeln!(text, "{var} {}", one_token(name)).expect("strings take everything");
    }
    text.into_bytes()
}

/// `name` with an underscore for every blank or control character.
pub(crate) fn one_token(name: &str) -> String {
    name.chars().map(|c| if c.is_whitespace() || c.is_control() { '_' } else { c }).collect()
}

/// Reads one line `NUMBER NAME`, see [`tokens::name`].
pub(crate) fn name_line(line: &[u8]) -> Option<(Var, &str)> {
    tokens::name(line).ok().map(|(_, pair)| pair)
}

/// The names in the back matter of the assignment's format.
pub(crate) fn key(back_matter: &[u8]) -> Symbols {
    let mut symbols = Symbols::new();
    for (var, name) in back_matter.split(|&b| b == b'\n').filter_map(name_line) {
        symbols.insert(var, name);
    }
    symbols
}
