//! Grids as tables and as JSON.

use crate::grid::Grid;
use crate::puzzle::{Puzzle, Term};
use crate::solve::{answers, differences};
use serde_json::{Value, json};

/// The grid as a table, one row a position; the values in which it differs from `other` are marked with `*`.
pub fn table(puzzle: &Puzzle, grid: &Grid, other: Option<&Grid>) -> String {
    let columns = columns(puzzle);
    let mut rows: Vec<Vec<String>> = vec![columns.iter().map(|&c| puzzle.categories[c].name.clone()).collect()];
    for position in 0..puzzle.positions() {
        let cell = |&category: &usize| {
            let values = grid.at(category, position);
            let differs = other.is_some_and(|other| other.at(category, position) != values);
            let names: Vec<&str> = values.into_iter().map(|value| puzzle.name(Term { category, value })).collect();
            format!("{}{}", names.join(" and "), if differs { " *" } else { "" })
        };
        rows.push(columns.iter().map(cell).collect());
    }
    aligned(&rows)
}

/// The categories in the order of columns: the base first.
fn columns(puzzle: &Puzzle) -> Vec<usize> {
    let base = puzzle.base();
    std::iter::once(base).chain((0..puzzle.categories.len()).filter(|&c| c != base)).collect()
}

/// Rows with aligned columns; a line under the first.
pub(crate) fn aligned(rows: &[Vec<String>]) -> String {
    let count = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width = |c: usize| rows.iter().filter_map(|row| row.get(c)).map(|cell| cell.chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..count).map(width).collect();
    let mut text = String::new();
    for (i, row) in rows.iter().enumerate() {
        let cells = row.iter().zip(&widths).map(|(cell, &width)| format!("{cell:width$}"));
        text += cells.collect::<Vec<_>>().join("  ").trim_end();
        text.push('\n');
        if i == 0 {
            text += &widths.iter().map(|&width| "-".repeat(width)).collect::<Vec<_>>().join("  ");
            text.push('\n');
        }
    }
    text
}

/// The grid as sentences, one line a position.
pub fn sentences(puzzle: &Puzzle, grid: &Grid) -> String {
    let columns = columns(puzzle);
    let mut text = String::new();
    for position in 0..puzzle.positions() {
        let part = |&category: &usize| {
            let values = grid.at(category, position);
            let names: Vec<&str> = values.into_iter().map(|value| puzzle.name(Term { category, value })).collect();
            format!("{} {}", puzzle.categories[category].name, names.join(" and "))
        };
        let parts: Vec<String> = columns.iter().map(part).collect();
        text += &format!("{}: {}\n", parts[0], parts[1..].join(", "));
    }
    text
}

/// The answers to the questions, one line each.
pub fn answer_lines(puzzle: &Puzzle, grid: &Grid) -> String {
    let line = |(question, values): (&str, Vec<&str>)| {
        let values = if values.is_empty() { "nobody".to_owned() } else { values.join(", ") };
        if question.ends_with('?') { format!("{question} {values}\n") } else { format!("{question}: {values}\n") }
    };
    answers(puzzle, grid).into_iter().map(line).collect()
}

/// Whether a solution is the only one, and if not, where another differs.
pub fn uniqueness(puzzle: &Puzzle, first: &Grid, second: Option<&Grid>) -> String {
    let Some(second) = second else { return "This is the only solution.\n".into() };
    let count = differences(puzzle, first, second).len();
    format!(
        "There are other solutions. This one differs in {count} places, marked with *:\n\n{}{}",
        table(puzzle, second, Some(first)),
        answer_lines(puzzle, second)
    )
}

/// The grid for programs: `{"grid": [{category: value}], "answers": [{"question", "answer"}]}`.
pub fn to_json(puzzle: &Puzzle, grid: &Grid) -> Value {
    let columns = columns(puzzle);
    let row = |position| {
        let cell = |&category: &usize| {
            let names: Vec<Value> = grid
                .at(category, position)
                .into_iter()
                .map(|value| json!(puzzle.name(Term { category, value })))
                .collect();
            let shared = puzzle.categories[category].kind == crate::puzzle::Kind::Shared;
            let value = if shared { json!(names) } else { names.into_iter().next().unwrap_or(Value::Null) };
            (puzzle.categories[category].name.clone(), value)
        };
        Value::Object(columns.iter().map(cell).collect())
    };
    let answers: Vec<Value> = answers(puzzle, grid)
        .into_iter()
        .map(|(question, values)| json!({ "question": question, "answer": values.join(", ") }))
        .collect();
    json!({ "grid": (0..puzzle.positions()).map(row).collect::<Vec<_>>(), "answers": answers })
}
