//! Writing clues and puzzles: the strict form, canonical sentences, and whole files.

mod counting;
mod file;
mod words;

pub use file::write_puzzle;
pub use words::Speaker;

use counting::{Said, said_of_all, variable, whole_category};

use crate::formula::{Compare, Counting, Formula, Measure, Relation};
use crate::puzzle::{Category, Term};

/// A formula in the strict form, which reads back as the same formula.
pub fn strict(categories: &[Category], formula: &Formula) -> String {
    Strict { categories }.write(formula, 0)
}

/// A value's name as the strict form writes it: with its category when another category has it too or when it is a number.
pub fn strict_name(categories: &[Category], term: Term) -> String {
    let category = &categories[term.category];
    let name = &category.values[term.value].name;
    let plain =
        name.chars().all(|c| c.is_alphanumeric() || [' ', '-', '\'', '&', '.', '/', '$', '£', '€', ':'].contains(&c));
    let first = name.split(' ').next().unwrap_or("").to_lowercase();
    let keyword = ["not", "every", "some", "exactly", "at", "distinct", "parity"].contains(&first.as_str());
    let quoted = if plain && !keyword { name.clone() } else { format!("\"{name}\"") };
    let numeric = name.starts_with(|c: char| c.is_ascii_digit());
    if numeric || !is_unique(categories, term) { format!("{}:{quoted}", category.name) } else { quoted }
}

/// Whether no other value has this name, and no category.
pub(crate) fn is_unique(categories: &[Category], term: Term) -> bool {
    let name = categories[term.category].values[term.value].name.to_lowercase();
    let matches = |text: &str| text.to_lowercase() == name;
    let holders = categories.iter().enumerate().flat_map(|(c, category)| {
        category.values.iter().enumerate().map(move |(v, value)| (Term { category: c, value: v }, value))
    });
    let others = holders.filter(|(other, value)| {
        *other != term && std::iter::once(&value.name).chain(&value.aliases).any(|text| matches(text))
    });
    others.count() == 0 && !categories.iter().any(|c| matches(&c.name))
}

struct Strict<'c> {
    categories: &'c [Category],
}

impl Strict<'_> {
    fn name(&self, term: Term) -> String {
        strict_name(self.categories, term)
    }

    fn list(&self, terms: &[Term]) -> String {
        terms.iter().map(|&t| self.name(t)).collect::<Vec<_>>().join(", ")
    }

    /// Writes the formula, in brackets when it binds less than `binding`: 0 nothing, 1 ->, 2 or, 3 xor, 4 and, 5 not.
    fn write(&self, formula: &Formula, binding: usize) -> String {
        let (own, text) = match formula {
            Formula::Iff(a, b) => (0, format!("{} <-> {}", self.write(a, 0), self.write(b, 1))),
            Formula::Implies(a, b) => (1, format!("{} -> {}", self.write(a, 2), self.write(b, 1))),
            Formula::Or(parts) => (2, self.joined(parts, " or ", 3)),
            Formula::Xor(a, b) => (3, format!("{} xor {}", self.write(a, 3), self.write(b, 4))),
            Formula::And(parts) => (4, self.joined(parts, " and ", 5)),
            Formula::Not(inner) => match &**inner {
                Formula::Same(a, b) => (6, format!("{} != {}", self.name(*a), self.name(*b))),
                inner => (5, format!("not {}", self.write(inner, 5))),
            },
            atom => (6, self.atom(atom)),
        };
        if own < binding { format!("({text})") } else { text }
    }

    fn joined(&self, parts: &[Formula], word: &str, binding: usize) -> String {
        parts.iter().map(|part| self.write(part, binding)).collect::<Vec<_>>().join(word)
    }

    fn atom(&self, formula: &Formula) -> String {
        let category = formula.category().map_or("", |c| self.categories[c].name.as_str());
        match formula {
            Formula::Same(a, b) => format!("{} = {}", self.name(*a), self.name(*b)),
            Formula::Compare(compare) => self.compare(compare),
            Formula::Between { middle, ends, adjacent, .. } => {
                let how = if *adjacent { "directly between" } else { "between" };
                format!("{} {how} {} in {category}", self.name(*middle), self.list(ends))
            }
            Formula::EqualDistance { pairs: [[a, b], [c, d]], .. } => {
                let [a, b, c, d] = [a, b, c, d].map(|t| self.name(*t));
                format!("|{a} - {b}| = |{c} - {d}| in {category}")
            }
            Formula::Parity { terms: [a, b], same, .. } => {
                let sign = if *same { "=" } else { "!=" };
                format!("parity({}) {sign} parity({}) in {category}", self.name(*a), self.name(*b))
            }
            Formula::OneOf { term, options, exclusive } => {
                let how = if *exclusive { "one of" } else { "in" };
                format!("{} {how} {{{}}}", self.name(*term), self.list(options))
            }
            Formula::AllDifferent(terms) => format!("distinct({})", self.list(terms)),
            Formula::Pairs { left, right } => format!("{{{}}} = {{{}}}", self.list(left), self.list(right)),
            Formula::Count { relation, count, of } => {
                let (how, count) = match relation {
                    // Fewer than none: never, as for more than there are.
                    Relation::Less if *count == 0 => ("at least", of.len() + 1),
                    Relation::Less => ("at most", count - 1),
                    Relation::AtMost => ("at most", *count),
                    Relation::Equal => ("exactly", *count),
                    Relation::AtLeast => ("at least", *count),
                    Relation::Greater => ("at least", count.saturating_add(1)),
                };
                match self.of_each(of) {
                    Some(each) => format!("{how} {count} of ({each})"),
                    None => format!("{how} {count} of ({})", self.joined(of, ", ", 0)),
                }
            }
            other => self.write(other, 0),
        }
    }

    /// `x in C: x = A`, if one thing is said of all values of a category.
    fn of_each(&self, of: &[Formula]) -> Option<String> {
        let (items, said) = said_of_all(of)?;
        let category = whole_category(self.categories, &items)?;
        let x = variable(self.categories)?;
        let said = match said {
            Said::Same(value) => format!("{x} = {}", self.name(value)),
            Said::Different(value) => format!("{x} != {}", self.name(value)),
            Said::Among(options) => format!("{x} in {{{}}}", self.list(&options)),
        };
        Some(format!("{x} in {}: {said}", self.categories[category].name))
    }

    fn compare(&self, compare: &Compare) -> String {
        let (left, right, sign) = (self.name(compare.left), self.name(compare.right), compare.relation.sign());
        let category = &self.categories[compare.category];
        let places = |unit| match unit {
            Counting::Places if category.numbers.is_some() && !category.is_consecutive() => " places",
            _ => "",
        };
        let text = match compare.measure {
            Measure::Difference { by, .. } if by.millionths() == 0 => format!("{left} {sign} {right}"),
            Measure::Difference { by, unit } => {
                let plus = if by.millionths() < 0 { "-" } else { "+" };
                format!("{left} {sign} {right} {plus} {}{}", by.abs(), places(unit))
            }
            Measure::Distance { by, unit } => format!("|{left} - {right}| {sign} {by}{}", places(unit)),
            Measure::Ratio { times, over: 1 } => format!("{left} {sign} {times} * {right}"),
            Measure::Ratio { times, over } => format!("{left} {sign} {times}/{over} * {right}"),
        };
        format!("{text} in {}", category.name)
    }
}
