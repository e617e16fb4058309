//! Counts of items of which one thing is said: 'exactly two of the singers are sopranos'.

use crate::formula::Formula;
use crate::puzzle::{Category, Term};

/// What is said of each of some items.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Said {
    /// It is this.
    Same(Term),
    /// It is not.
    Different(Term),
    /// It is at least one of these.
    Among(Vec<Term>),
}

/// The items of which all these formulas say the same, and what they say. At least two items.
pub(super) fn said_of_all(of: &[Formula]) -> Option<(Vec<Term>, Said)> {
    let said = |formula: &Formula| match formula {
        Formula::Same(item, value) => Some((*item, Said::Same(*value))),
        Formula::Not(inner) => match **inner {
            Formula::Same(item, value) => Some((item, Said::Different(value))),
            _ => None,
        },
        Formula::OneOf { term, options, exclusive: false } => Some((*term, Said::Among(options.clone()))),
        _ => None,
    };
    let all: Vec<(Term, Said)> = of.iter().map(said).collect::<Option<_>>()?;
    let (_, first) = all.first().filter(|_| all.len() > 1)?;
    if all.iter().any(|(_, said)| said != first) {
        return None;
    }
    Some((all.iter().map(|(item, _)| *item).collect(), first.clone()))
}

/// The category whose values these are, all of them in their order.
pub(super) fn whole_category(categories: &[Category], items: &[Term]) -> Option<usize> {
    let category = items.first()?.category;
    let whole = items.len() == categories[category].len()
        && items.iter().enumerate().all(|(value, item)| *item == Term { category, value });
    whole.then_some(category)
}

/// The two items and the category, if the parts say of each of its values that both items have it.
pub(super) fn shared_value(categories: &[Category], parts: &[Formula]) -> Option<(Term, Term, usize)> {
    let both = |part: &Formula| match part {
        Formula::And(two) => match two[..] {
            [Formula::Same(a, value), Formula::Same(b, again)] if value == again => Some((a, b, value)),
            _ => None,
        },
        _ => None,
    };
    let all: Vec<(Term, Term, Term)> = parts.iter().map(both).collect::<Option<_>>()?;
    let &(a, b, _) = all.first()?;
    let values: Vec<Term> = all.iter().map(|&(.., value)| value).collect();
    let category = whole_category(categories, &values)?;
    all.iter().all(|&(x, y, _)| (x, y) == (a, b)).then_some((a, b, category))
}

/// A name for a variable that nothing in the puzzle begins with.
pub(super) fn variable(categories: &[Category]) -> Option<&'static str> {
    let begins = |name: &str, letter: &str| {
        name.split(|c: char| !c.is_alphanumeric() && c != '_').any(|part| part.eq_ignore_ascii_case(letter))
    };
    let taken = |letter: &str| {
        categories.iter().any(|category| {
            let values = category.values.iter().flat_map(|value| std::iter::once(&value.name).chain(&value.aliases));
            values.chain([&category.name]).any(|name| begins(name, letter))
        })
    };
    ["x", "y", "z", "item"].into_iter().find(|letter| !taken(letter))
}

/// The plural of a category's name, for sentences: 'voices', 'nationalities'.
pub(super) fn plural(name: &str) -> String {
    let lower = name.to_lowercase();
    let before_y = lower.strip_suffix('y').and_then(|stem| stem.chars().last());
    match before_y {
        Some(letter) if !"aeiou".contains(letter) => format!("{}ies", &name[..name.len() - 1]),
        _ if ["s", "x", "z", "ch", "sh"].iter().any(|end| lower.ends_with(end)) => format!("{name}es"),
        _ => format!("{name}s"),
    }
}
