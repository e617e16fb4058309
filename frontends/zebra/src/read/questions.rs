//! Questions: `nationality of water`, 'Who drinks water?'.

use super::names::Style;
use super::{Context, Refusal, fillers};
use crate::puzzle::{Question, Term};

/// Categories that 'who' asks for, in this order.
const PEOPLE: [&str; 16] = [
    "person",
    "people",
    "name",
    "nationality",
    "man",
    "woman",
    "friend",
    "customer",
    "child",
    "student",
    "guest",
    "host",
    "singer",
    "keeper",
    "player",
    "captain",
];

/// Reads a question in either form.
pub(super) fn question(context: &Context, text: &str) -> Result<Question, Refusal> {
    let mut terms: Vec<Term> = Vec::new();
    let mut categories: Vec<usize> = Vec::new();
    let mut at = 0;
    while at < text.len() {
        let starts_word = at == 0 || !text[..at].ends_with(char::is_alphanumeric);
        if starts_word && let Some(found) = context.names.find(text, at, Style::English) {
            match found.terms[..] {
                [term] => terms.push(term),
                _ => return Err(Refusal::new(at, context.ambiguous(&found.terms))),
            }
            at = found.end;
        } else if starts_word && let Some((category, end)) = context.names.category(text, at, Style::English) {
            categories.push(category);
            at = end;
        } else if starts_word && let Some(word) = word_at(&text[at..]) {
            let lower = word.to_lowercase();
            let asks = at == 0 && matches!(lower.as_str(), "what" | "where" | "who" | "whose" | "which");
            let known = asks
                || matches!(lower.as_str(), "what" | "from" | "by")
                || fillers::is_filler(context, &lower)
                || context.unit(&lower).is_some();
            if !known {
                return Err(Refusal::new(at, fillers::unknown(context, &lower)));
            }
            at += word.len();
        } else {
            at += text[at..].chars().next().map_or(1, char::len_utf8);
        }
    }
    let &[of] = &terms[..] else {
        let message = format!("a question names one value and asks for a category, as in 'ask: {}'", example(context));
        return Err(Refusal::new(0, message));
    };
    categories.dedup();
    // In 'Who keeps the Fern hut?' the value is named with its category.
    if matches!(first_word(text).as_str(), "who" | "whose" | "where") {
        categories.retain(|&category| category != of.category);
    }
    let category = match (&categories[..], first_word(text).as_str()) {
        ([category], _) => *category,
        ([], "who" | "whose") => people(context)?,
        ([], "where") => match context.row() {
            Some(category) => category,
            None => {
                return Err(Refusal::new(0, "'where' needs one category of places: write 'ask: category of value'"));
            }
        },
        _ => {
            let message = format!("which category is asked for? write it as in 'ask: {}'", example(context));
            return Err(Refusal::new(0, message));
        }
    };
    if category == of.category {
        return Err(Refusal::new(0, format!("'{text}' asks for the category that the value is from")));
    }
    Ok(Question { category, of, text: text.to_owned() })
}

/// The word that the text begins with.
fn word_at(text: &str) -> Option<&str> {
    let inner = |c: char| c.is_alphanumeric() || c == '-' || c == '\'' || c == '’';
    let length = text.find(|c: char| !inner(c)).unwrap_or(text.len());
    text.starts_with(char::is_alphanumeric).then(|| text[..length].trim_end_matches(['-', '\'', '’']))
}

fn first_word(text: &str) -> String {
    text.split(|c: char| !c.is_alphanumeric()).next().unwrap_or("").to_lowercase()
}

fn people(context: &Context) -> Result<usize, Refusal> {
    let is_people = |c: &usize| PEOPLE.contains(&context.categories[*c].name.to_lowercase().as_str());
    let found: Vec<usize> = (0..context.categories.len()).filter(is_people).collect();
    match found[..] {
        [category] => Ok(category),
        _ => Err(Refusal::new(0, "which category does 'who' ask for? write it as in 'ask: category of value'")),
    }
}

fn example(context: &Context) -> String {
    match context.categories {
        [first, second, ..] => format!("{} of {}", second.name, first.values[0].name),
        _ => "category of value".into(),
    }
}
