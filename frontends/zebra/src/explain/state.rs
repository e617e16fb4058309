//! Part-filled grids as text.

use super::Fact;
use crate::encode::Facts;
use crate::formula::Formula;
use crate::puzzle::Puzzle;
use crate::read::{Context, Refusal};
use putnam_api::Error;
use putnam_formula::Var;

/// Reads known facts, one a line, as clues that say `A = B` or `A != B` or the same in English; `#` begins a comment. `name`
/// stands for the file in errors.
///
/// # Errors
/// [`Error::Parse`] with the place for other lines.
pub fn read_state(puzzle: &Puzzle, text: &str, name: &str) -> Result<Vec<Fact>, Error> {
    let context = Context::new(&puzzle.categories, puzzle.order_by);
    let facts = Facts::new(puzzle);
    let mut known = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let body = crate::read::without_comment(line).trim_end();
        let start = body.len() - body.trim_start().len();
        if body.trim().is_empty() {
            continue;
        }
        let fail = |r: Refusal| crate::read::located(name, line, number + 1, &Refusal::new(start + r.at, r.message));
        let (formula, _) = context.clue(body.trim_start()).map_err(fail)?;
        let (pair, positive) = match formula {
            Formula::Same(a, b) => (Some((a, b)), true),
            Formula::Not(inner) => match *inner {
                Formula::Same(a, b) => (Some((a, b)), false),
                _ => (None, false),
            },
            _ => (None, false),
        };
        match pair.filter(|(a, b)| a.category != b.category) {
            Some((a, b)) => known.push(Var::new(facts.index(a, b) as u32).lit(positive)),
            None => return Err(fail(Refusal::new(0, "a known fact says 'A = B' or 'A != B'"))),
        }
    }
    Ok(known)
}
