//! Finding the names of values and categories in running text.

use crate::puzzle::{Category, Term};
use std::collections::HashMap;

/// A name that was found: where it ends, and every value that has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Found {
    pub(super) end: usize,
    pub(super) terms: Vec<Term>,
}

/// All names of a puzzle, by their first letter.
pub(super) struct Names {
    values: HashMap<char, Vec<(String, Term)>>,
    categories: Vec<String>,
}

/// Which characters end a name.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Style {
    /// Plurals and possessives are taken too; a hyphen glues words together.
    English,
    /// Names as they are written.
    Strict,
}

impl Names {
    pub(super) fn new(categories: &[Category]) -> Self {
        let mut values: HashMap<char, Vec<(String, Term)>> = HashMap::new();
        for (c, category) in categories.iter().enumerate() {
            for (v, value) in category.values.iter().enumerate() {
                for name in std::iter::once(&value.name).chain(&value.aliases) {
                    let name = name.to_lowercase();
                    let Some(first) = name.chars().next() else { continue };
                    values.entry(first).or_default().push((name, Term { category: c, value: v }));
                }
            }
        }
        Self { values, categories: categories.iter().map(|c| c.name.to_lowercase()).collect() }
    }

    /// The longest name that begins at byte `at`; a category before it, as in `pet:cat` or, in English, `pet cat`, chooses.
    pub(super) fn find(&self, text: &str, at: usize, style: Style) -> Option<Found> {
        let mut best = self.find_value(text, at, style, None);
        for (c, name) in self.categories.iter().enumerate() {
            let Some(end) = matches_name(text, at, name, style) else { continue };
            let rest = &text[end..];
            let skipped = match rest.trim_start().strip_prefix(':') {
                Some(after) => text.len() - after.trim_start().len(),
                None if style == Style::English && rest.starts_with(char::is_whitespace) => {
                    text.len() - rest.trim_start().len()
                }
                None => continue,
            };
            if let Some(found) = self.find_value(text, skipped, style, Some(c))
                && best.as_ref().is_none_or(|b| b.end < found.end || b.end == found.end && b.terms.len() > 1)
            {
                best = Some(found);
            }
        }
        best
    }

    fn find_value(&self, text: &str, at: usize, style: Style, category: Option<usize>) -> Option<Found> {
        let first = text[at..].chars().next()?.to_lowercase().next()?;
        let mut best: Option<Found> = None;
        for (name, term) in self.values.get(&first)? {
            if category.is_some_and(|c| c != term.category) {
                continue;
            }
            let Some(end) = matches_name(text, at, name, style) else { continue };
            match &mut best {
                Some(found) if found.end > end => {}
                Some(found) if found.end == end => {
                    if !found.terms.contains(term) {
                        found.terms.push(*term);
                    }
                }
                _ => best = Some(Found { end, terms: vec![*term] }),
            }
        }
        if let Some(found) = &mut best {
            found.terms.sort_unstable();
        }
        best
    }

    /// The longest category name that begins at byte `at`, and where it ends.
    pub(super) fn category(&self, text: &str, at: usize, style: Style) -> Option<(usize, usize)> {
        let ends = self.categories.iter().enumerate();
        ends.filter_map(|(c, name)| Some((c, matches_name(text, at, name, style)?))).max_by_key(|&(_, end)| end)
    }
}

/// Where the name, given in lower case, ends if the text at byte `at` begins with it.
fn matches_name(text: &str, at: usize, name: &str, style: Style) -> Option<usize> {
    let mut rest = text[at..].char_indices().peekable();
    let mut wanted = name.chars().peekable();
    while let Some(expected) = wanted.next() {
        let (_, found) = rest.next()?;
        if expected.is_whitespace() {
            if !found.is_whitespace() {
                return None;
            }
            while rest.next_if(|(_, c)| c.is_whitespace()).is_some() {}
            while wanted.next_if(|c| c.is_whitespace()).is_some() {}
        } else if found != expected && !found.to_lowercase().eq(expected.to_lowercase()) {
            return None;
        }
    }
    let end = at + rest.peek().map_or(text.len() - at, |&(offset, _)| offset);
    let suffixes: &[&str] = match style {
        _ if !name.ends_with(char::is_alphanumeric) => return Some(end),
        Style::Strict => &[""],
        Style::English if name.ends_with(|c: char| c.is_ascii_digit()) => &["", "'s", "’s"],
        Style::English => &["", "'s", "’s", "s'", "s’", "'", "’", "s", "es"],
    };
    let ends = suffixes.iter().filter_map(|suffix| {
        let after = text[end..].strip_prefix(suffix)?;
        let mut next = after.chars();
        let glued = match next.next() {
            Some('-') => style == Style::English && next.next().is_some_and(char::is_alphanumeric),
            // A decimal point or a comma in a number goes on.
            Some('.' | ',') if name.ends_with(|c: char| c.is_ascii_digit()) => {
                next.next().is_some_and(|c| c.is_ascii_digit())
            }
            Some(c) => c.is_alphanumeric(),
            None => false,
        };
        (!glued).then_some(end + suffix.len())
    });
    ends.max()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::puzzle::{Kind, Value};

    fn names() -> Names {
        let category = |name: &str, values: &[&str]| Category {
            name: name.into(),
            units: Vec::new(),
            values: values.iter().map(|v| Value { name: (*v).into(), aliases: Vec::new() }).collect(),
            ordered: false,
            numbers: None,
            kind: Kind::Exact,
        };
        Names::new(&[
            category("drink", &["orange", "orange juice", "milk"]),
            category("pet", &["cat", "swoop-backed", "dogs"]),
            category("toy", &["cat", "ball", "1"]),
        ])
    }

    #[test]
    fn the_longest_name_wins() {
        let names = names();
        let at = |text: &str| names.find(text, 0, Style::English).map(|f| (f.end, f.terms.len()));
        assert_eq!(at("Orange  Juice drinker"), Some((13, 1)));
        assert_eq!(at("oranges"), Some((7, 1)));
        assert_eq!(at("cat's"), Some((5, 2)));
        assert_eq!(at("pet:cat"), Some((7, 1)));
        assert_eq!(at("the cat"), None);
        assert_eq!(at("pet cat sleeps"), Some((7, 1)));
        assert_eq!(at("cat-like"), None);
        assert_eq!(at("swoop-backed one"), Some((12, 1)));
        assert_eq!(at("1.5"), None);
        assert_eq!(at("1."), Some((1, 1)));
        assert_eq!(at("catalogue"), None);
    }
}
