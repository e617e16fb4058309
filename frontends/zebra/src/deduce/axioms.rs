//! The clues as the document writes them, and what its way of writing leaves out.

use super::{Edges, Method};
use crate::encode::{Atoms, Truth};
use crate::formula::{Compare, Counting, Formula, Measure, Relation};
use crate::puzzle::{Puzzle, Term};
use putnam_formula::Lit;

/// A comparison in the base by one place, as the document writes it: `B(x) = A(x+1)` for "A is immediately right of B", and
/// `A(x) & B(y) > next(x,y)` for "A is next to B". None for other formulas, and for values that may be missing or repeated.
pub(super) fn row_clauses(puzzle: &Puzzle, formula: &Formula, method: &Method, atoms: &Atoms) -> Option<Vec<Vec<Lit>>> {
    let (base, size) = (puzzle.base(), puzzle.positions());
    let Formula::Compare(Compare { left, right, category, relation: Relation::Equal, measure }) = formula else {
        return None;
    };
    let literal = |term: Term, position: usize| match atoms.at(term, position) {
        Truth::Lit(lit) => Some(lit),
        Truth::Known(_) => None,
    };
    let line = |term: Term| (0..size).map(|p| literal(term, p)).collect::<Option<Vec<Lit>>>();
    if *category != base || !is_functional(puzzle, [*left, *right]) {
        return None;
    }
    let (a, b) = (line(*left)?, line(*right)?);
    let mut clauses = Vec::new();
    match *measure {
        Measure::Difference { by, unit: Counting::Places } if by.as_whole().map(i64::abs) == Some(1) => {
            let (after, before) = if by.millionths() > 0 { (a, b) } else { (b, a) };
            for x in 0..size - 1 {
                clauses.push(vec![!before[x], after[x + 1]]);
                clauses.push(vec![before[x], !after[x + 1]]);
            }
            if method.edges.left {
                clauses.push(vec![!after[0]]);
            }
            if method.edges.right {
                clauses.push(vec![!before[size - 1]]);
            }
        }
        Measure::Distance { by, unit: Counting::Places } if by.as_whole() == Some(1) => {
            for x in 0..size {
                for y in (0..size).filter(|y| x.abs_diff(*y) != 1) {
                    clauses.push(vec![!a[x], !b[y]]);
                }
                for (one, other) in [(&a, &b), (&b, &a)] {
                    let beside = (0..size).filter(|y| x.abs_diff(*y) == 1).map(|y| other[y]);
                    if method.extra.neighbours_exist {
                        clauses.push(std::iter::once(!one[x]).chain(beside).collect());
                    }
                }
            }
        }
        _ => return None,
    }
    Some(clauses)
}

/// Whether both values are at exactly one position.
fn is_functional(puzzle: &Puzzle, terms: [Term; 2]) -> bool {
    terms.iter().all(|term| puzzle.categories[term.category].is_functional())
}

/// A clause at an end of the row that the axioms lack: that a property is not at a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Missing {
    /// The clue that should say it, by its index.
    pub clue: usize,
    /// The property.
    pub term: Term,
    /// The position where it cannot be.
    pub position: usize,
}

/// The clauses at the ends that the axioms lack. "B is immediately right of A", written as `A(1) = B(2)`, `A(2) = B(3)` and
/// so on, says nothing of `B(1)` and of `A` at the last position: a clue may be written so itself, or `edges` makes it so. Of clues that may be
/// false nothing is missing.
pub fn missing_edges(puzzle: &Puzzle, edges: Edges) -> Vec<Missing> {
    if puzzle.lies > 0 {
        return Vec::new();
    }
    let (base, last) = (puzzle.base(), puzzle.positions() - 1);
    let parts: Vec<(usize, &Formula)> = puzzle
        .clues
        .iter()
        .enumerate()
        .flat_map(|(i, clue)| conjuncts(&clue.formula).map(move |part| (i, part)))
        .collect();
    let excluded = |term: Term, position: usize| {
        parts.iter().any(|(_, part)| match part {
            Formula::Not(inner) => at_position(inner, base) == Some((term, position)),
            _ => false,
        })
    };
    // Clue, the left one of the two, the right one, and whether the ends are spoken of.
    let mut neighbours: Vec<(usize, Term, Term, Edges)> = Vec::new();
    for &(clue, part) in &parts {
        match part {
            Formula::Iff(a, b) => {
                let (Some((left, 0)), Some((right, 1))) = (at_position(a, base), at_position(b, base)) else {
                    continue;
                };
                let steps = (1..last).all(|x| {
                    parts.iter().any(|(_, part)| match part {
                        Formula::Iff(a, b) => {
                            at_position(a, base) == Some((left, x)) && at_position(b, base) == Some((right, x + 1))
                        }
                        _ => false,
                    })
                });
                if steps {
                    let said = Edges { left: excluded(right, 0), right: excluded(left, last) };
                    neighbours.push((clue, left, right, said));
                }
            }
            Formula::Compare(Compare { left, right, category, relation: Relation::Equal, measure }) => {
                let Measure::Difference { by, unit: Counting::Places } = *measure else { continue };
                let outside = [*left, *right].iter().all(|t| t.category != base);
                if *category == base && outside && is_functional(puzzle, [*left, *right]) {
                    match by.as_whole() {
                        Some(1) => neighbours.push((clue, *right, *left, edges)),
                        Some(-1) => neighbours.push((clue, *left, *right, edges)),
                        _ => {}
                    }
                }
            }
            _ => {}
        }
    }
    let mut missing = Vec::new();
    for (clue, left, right, said) in neighbours {
        missing.extend((!said.left).then_some(Missing { clue, term: right, position: 0 }));
        missing.extend((!said.right).then_some(Missing { clue, term: left, position: last }));
    }
    missing
}

/// The parts of a conjunction, or the formula itself.
fn conjuncts(formula: &Formula) -> impl Iterator<Item = &Formula> {
    match formula {
        Formula::And(parts) => parts.as_slice(),
        other => std::slice::from_ref(other),
    }
    .iter()
}

/// The property and the position, if the formula says that a property is at a position.
fn at_position(formula: &Formula, base: usize) -> Option<(Term, usize)> {
    match formula {
        Formula::Same(a, b) if b.category == base && a.category != base => Some((*a, b.value)),
        Formula::Same(a, b) if a.category == base && b.category != base => Some((*b, a.value)),
        _ => None,
    }
}
