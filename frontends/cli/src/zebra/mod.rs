//! What zebra puzzles have besides encode, solve and decode.

use crate::registry::Extra;

/// Examples for the help text.
pub(crate) const EXAMPLES: &str = "\
Examples:
  putnam zebra solve zebra
  putnam zebra solve frontends/zebra/puzzles/zebra.txt --show json
  putnam zebra encode zebra --output clauses.txt
  putnam solve clauses.txt --output answer.txt
  putnam zebra decode zebra answer.txt";

/// The commands.
pub(crate) const EXTRAS: &[Extra] = &[];
