//! Whole puzzle files.

use super::{Speaker, strict};
use crate::number::Decimal;
use crate::puzzle::{Category, Kind, Puzzle, Value};
use crate::read::leading_number;
use std::fmt::Write;

/// The puzzle in the text format: clues as canonical sentences, or in the strict form. It reads back as the same puzzle, but
/// for the wording of its clues.
pub fn write_puzzle(puzzle: &Puzzle, in_strict_form: bool) -> String {
    let speaker = Speaker::new(puzzle);
    let mut text = String::new();
    if !puzzle.title.is_empty() {
        let _ = writeln!(text, "puzzle: {}", puzzle.title);
    }
    for category in &puzzle.categories {
        let _ = writeln!(text, "{}", category_line(category));
    }
    if let Some(category) = puzzle.order_by {
        let _ = writeln!(text, "order by: {}", puzzle.categories[category].name);
    }
    match puzzle.lies {
        0 => text.push_str("clues:\n"),
        lies => {
            let _ = writeln!(text, "clues (exactly {lies} false):");
        }
    }
    for clue in &puzzle.clues {
        let body =
            if in_strict_form { strict(&puzzle.categories, &clue.formula) } else { speaker.sentence(&clue.formula) };
        let _ = writeln!(text, "{}. {body}", clue.name);
    }
    for question in &puzzle.questions {
        let of = super::strict_name(&puzzle.categories, question.of);
        let _ = writeln!(text, "ask: {} of {of}", puzzle.categories[question.category].name);
    }
    text
}

fn category_line(category: &Category) -> String {
    let units: Vec<String> = category
        .units
        .iter()
        .map(|unit| match unit.factor.as_whole() {
            Some(1) => unit.word.clone(),
            _ => format!("{}={}", unit.word, unit.factor),
        })
        .collect();
    let units = if units.is_empty() { String::new() } else { format!(" ({})", units.join(", ")) };
    let kind = match category.kind {
        Kind::Exact => "",
        Kind::Spare => " [spare]",
        Kind::Repeated => " [repeated]",
        Kind::Shared => " [shared]",
    };
    let other = format!("other {}", category.name);
    let numbers = category.numbers.as_deref().filter(|numbers| !are_evident(&category.values, numbers));
    let value = |(i, value): (usize, &Value)| {
        let name = if value.name == other { "*".to_owned() } else { quoted(&value.name) };
        let name = numbers.map_or(name.clone(), |numbers| format!("{name} [{}]", numbers[i]));
        value.aliases.iter().fold(name, |text, alias| format!("{text} = {}", quoted(alias)))
    };
    let separator = if category.ordered && category.numbers.is_none() { " < " } else { ", " };
    let values: Vec<String> = category.values.iter().enumerate().map(value).collect();
    let values = as_range(category).unwrap_or_else(|| values.join(separator));
    format!("{}{units}{kind}: {values}", category.name)
}

/// Whether the numbers are those that the values' names begin with.
fn are_evident(values: &[Value], numbers: &[Decimal]) -> bool {
    values.iter().zip(numbers).all(|(value, number)| leading_number(&value.name).is_some_and(|(n, _)| n == *number))
}

fn quoted(name: &str) -> String {
    if name.contains([',', '<', '=', '#', '"', '[', ']']) { format!("\"{name}\"") } else { name.to_owned() }
}

/// `1..5`, if the values are such a range.
fn as_range(category: &Category) -> Option<String> {
    let numbers = category.numbers.as_ref()?;
    let plain = category.values.iter().zip(numbers).all(|(v, n)| v.aliases.is_empty() && v.name == n.to_string());
    let (first, last) = (numbers.first()?.as_whole()?, numbers.last()?.as_whole()?);
    (plain && category.is_consecutive() && numbers.len() > 2).then(|| format!("{first}..{last}"))
}
