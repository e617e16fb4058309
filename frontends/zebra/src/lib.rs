//! Zebra puzzles and logic grids: readable text in; the grid, its uniqueness and the answers out.

#![forbid(unsafe_code)]

mod builtin;
mod clash;
mod deduce;
mod encode;
mod explain;
mod formula;
mod frontend;
mod generate;
mod grid;
mod json;
mod number;
mod page;
mod puzzle;
mod read;
mod show;
mod solve;
#[cfg(test)]
mod testing;
mod themes;
mod write;

pub use builtin::{names as builtin_names, text as builtin_text};
pub use clash::{all_clashes, clash, redundant, unused_names};
pub use deduce::{
    Cases, Deduction, Edges, Extra, Method, Missing, NoDeduction, Prover, Supposition, USES, Use, atom_name,
    count_grids, deduce, exceptions, missing_edges,
};
pub use encode::{Atoms, Encoder, Facts, Truth};
pub use explain::{
    Case, Explanation, Fact, Narrator, Rating, Refused, Rules, Source, Step, Unsound, check_explanation, check_step,
    explain, explain_optimally, hint, rating, read_state,
};
pub use formula::{Compare, Counting, Formula, Measure, Relation};
pub use frontend::Zebra;
pub use generate::{CLUE_KINDS, ClueKind, NoPuzzle, Wish, generate};
pub use grid::Grid;
pub use json::read_json;
pub use number::Decimal;
pub use page::html_page;
pub use puzzle::{Category, Clue, Kind, MAX_CELLS, MAX_POSITIONS, MAX_VALUES, Puzzle, Question, Term, Unit, Value};
pub use read::read_puzzle;
pub use show::{answer_lines, sentences, table, to_json, uniqueness};
pub use solve::{Answer, Clauses, Solutions, answers, differences, engine, solve, verify};
pub use write::{Speaker, strict, strict_name, write_puzzle};
