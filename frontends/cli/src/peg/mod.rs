//! What the peg game has besides encode, solve and decode.

mod batch;
mod boards;
mod count;
mod resume;
mod verify;

use crate::registry::Extra;

/// Examples for the help text.
pub(crate) const EXAMPLES: &str = "\
Holes are numbered from 1; `putnam peg boards BOARD` shows where each is.

Examples:
  putnam peg boards
  putnam peg solve triangle-15 --start 5 --show text
  putnam peg solve triangle-15 --start 4 --fewest moves
  putnam peg solve english --start pegs:5,9-11,17,24 --finish 17
  putnam peg batch triangle-15
  putnam peg count triangle-15 --all-starts
  putnam peg encode triangle-10 --start 2 --output clauses.txt
  putnam solve clauses.txt --output answer.txt
  putnam peg decode answer.txt";

/// The commands.
pub(crate) const EXTRAS: &[Extra] = &[
    Extra { command: batch::command, run: batch::run },
    Extra { command: count::command, run: count::run },
    Extra { command: boards::command, run: boards::run },
    Extra { command: verify::command, run: verify::run },
];
