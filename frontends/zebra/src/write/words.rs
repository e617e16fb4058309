//! Clues as canonical sentences.

use super::counting::{plural, shared_value, whole_category};
use super::{is_unique, strict};
use crate::formula::{Compare, Counting, Formula, Measure, Relation};
use crate::number::Decimal;
use crate::puzzle::{Kind, Puzzle, Term};
use crate::read::Context;

/// Says clues in canonical words. Every sentence is read back before it is used: where English would be ambiguous or has
/// no words, the strict form stands in.
pub struct Speaker<'p> {
    puzzle: &'p Puzzle,
    context: Context<'p>,
}

impl<'p> Speaker<'p> {
    /// A speaker for the puzzle's names.
    pub fn new(puzzle: &'p Puzzle) -> Self {
        Self { puzzle, context: Context::new(&puzzle.categories, puzzle.order_by) }
    }

    /// A formula as a sentence.
    pub fn sentence(&self, formula: &Formula) -> String {
        if let Some(text) = self.words(formula) {
            let sentence = capitalised(&text) + ".";
            if let Ok((read, _)) = self.context.clue(&sentence)
                && self.normal(&read) == self.normal(formula)
            {
                return sentence;
            }
        }
        strict(&self.puzzle.categories, formula)
    }

    /// A value's name in a sentence: with its category when it would be ambiguous without or is a number.
    pub fn name(&self, term: Term) -> String {
        let category = &self.puzzle.categories[term.category];
        let name = &category.values[term.value].name;
        let plain = name.starts_with(char::is_alphabetic) && is_unique(&self.puzzle.categories, term);
        if plain { name.clone() } else { format!("{} {name}", category.name) }
    }

    /// The formula with 'not after' and the like turned round, where that means the same.
    fn normal(&self, formula: &Formula) -> Formula {
        if self.puzzle.categories.iter().any(|c| c.kind != Kind::Exact) {
            return formula.clone();
        }
        match formula {
            Formula::Not(inner) => match &**inner {
                Formula::Compare(compare) => {
                    let relation = match compare.relation {
                        Relation::Less => Relation::AtLeast,
                        Relation::Greater => Relation::AtMost,
                        Relation::AtMost => Relation::Greater,
                        Relation::AtLeast => Relation::Less,
                        Relation::Equal => return formula.clone(),
                    };
                    Formula::Compare(Compare { relation, ..*compare })
                }
                _ => formula.clone(),
            },
            Formula::And(parts) => Formula::And(parts.iter().map(|p| self.normal(p)).collect()),
            Formula::Or(parts) => Formula::Or(parts.iter().map(|p| self.normal(p)).collect()),
            Formula::Count { relation, count, of } => {
                Formula::Count { relation: *relation, count: *count, of: of.iter().map(|p| self.normal(p)).collect() }
            }
            Formula::Xor(a, b) => Formula::Xor(Box::new(self.normal(a)), Box::new(self.normal(b))),
            Formula::Implies(a, b) => Formula::Implies(Box::new(self.normal(a)), Box::new(self.normal(b))),
            Formula::Iff(a, b) => Formula::Iff(Box::new(self.normal(a)), Box::new(self.normal(b))),
            other => other.clone(),
        }
    }

    fn list(&self, terms: &[Term], word: &str) -> String {
        let names: Vec<String> = terms.iter().map(|&t| self.name(t)).collect();
        match &names[..] {
            [] => String::new(),
            [only] => only.clone(),
            [first @ .., last] => format!("{} {word} {last}", first.join(", ")),
        }
    }

    /// ' in C' unless C is meant anyway; `row` for relations of places.
    fn within(&self, category: usize, row: bool) -> String {
        let meant = if row { self.context.row_category() } else { self.context.default_category() };
        if meant == Some(category) { String::new() } else { format!(" in {}", self.puzzle.categories[category].name) }
    }

    fn words(&self, formula: &Formula) -> Option<String> {
        Some(match formula {
            Formula::Same(a, b) => format!("{} is {}", self.name(*a), self.name(*b)),
            Formula::Not(inner) => match &**inner {
                Formula::Same(a, b) if a == b => format!("nobody has {}", self.name(*a)),
                Formula::Same(a, b) => format!("{} is not {}", self.name(*a), self.name(*b)),
                Formula::Or(parts) if shared_value(&self.puzzle.categories, parts).is_some() => {
                    let (a, b, category) = shared_value(&self.puzzle.categories, parts)?;
                    let different = plural(&self.puzzle.categories[category].name);
                    format!("{} and {} have different {different}", self.name(a), self.name(b))
                }
                inner => format!("it is not true that {}", self.words(inner)?),
            },
            Formula::Compare(compare) => self.compare(compare)?,
            Formula::Between { middle, ends, category, adjacent } => format!(
                "{} is {} between {}{}",
                self.name(*middle),
                if *adjacent { "directly" } else { "somewhere" },
                self.list(ends, "and"),
                self.within(*category, true)
            ),
            Formula::Parity { terms, category, same } => format!(
                "{} have {}{}",
                self.list(terms, "and"),
                if *same { "the same parity" } else { "different parity" },
                self.within(*category, true)
            ),
            Formula::OneOf { term, options, exclusive } => {
                let either = if *exclusive { "either " } else { "" };
                format!("{} is {either}{}", self.name(*term), self.list(options, "or"))
            }
            Formula::AllDifferent(terms) => format!("{} are all different", self.list(terms, "and")),
            Formula::Pairs { left, right: [c, d] } => {
                let (c, d) = (self.name(*c), self.name(*d));
                format!("of {}, one is {c} and the other is {d}", self.list(left, "and"))
            }
            Formula::And(parts) => self.joined(parts, " and ")?,
            Formula::Or(parts) if shared_value(&self.puzzle.categories, parts).is_some() => {
                let (a, b, category) = shared_value(&self.puzzle.categories, parts)?;
                let same = &self.puzzle.categories[category].name;
                format!("{} and {} have the same {same}", self.name(a), self.name(b))
            }
            Formula::Or(parts) => self.joined(parts, " or ")?,
            Formula::Xor(a, b) => format!("either {}, or {}, but not both", self.words(a)?, self.words(b)?),
            Formula::Implies(a, b) => format!("if {}, then {}", self.words(a)?, self.words(b)?),
            Formula::Iff(a, b) => format!("{} if and only if {}", self.words(a)?, self.words(b)?),
            Formula::Count { relation, count, of } => {
                let how = match relation {
                    Relation::Equal => "exactly",
                    Relation::AtLeast => "at least",
                    Relation::AtMost => "at most",
                    Relation::Less | Relation::Greater => return None,
                };
                if let Some(text) = self.how_many(how, *count, of) {
                    return Some(text);
                }
                format!("{how} {} of these are true: {}", number_in_words(*count)?, self.joined(of, "; ")?)
            }
            Formula::EqualDistance { .. } => return None,
        })
    }

    /// 'Exactly two of the singers are soprano', if one thing is said of some items or of all.
    fn how_many(&self, how: &str, count: usize, of: &[Formula]) -> Option<String> {
        let subject = |part: &Formula| match part {
            Formula::Not(inner) => inner.own_terms().first().copied(),
            part => part.own_terms().first().copied(),
        };
        let items: Vec<Term> = of.iter().map(subject).collect::<Option<_>>()?;
        let said_of = |(&item, part): (&Term, &Formula)| {
            let words = self.words(part)?;
            words.strip_prefix(&format!("{} is ", self.name(item))).map(str::to_owned)
        };
        let said: Vec<String> = items.iter().zip(of).map(said_of).collect::<Option<_>>()?;
        let said = said.first().filter(|first| said.len() > 1 && said.iter().all(|other| other == *first))?;
        let items = match whole_category(&self.puzzle.categories, &items) {
            Some(category) => format!("the {}", plural(&self.puzzle.categories[category].name)),
            None => self.list(&items, "and"),
        };
        let number = match (how, count) {
            ("exactly", 0) => "none".to_owned(),
            _ => format!("{how} {}", number_in_words(count).map_or(count.to_string(), str::to_owned)),
        };
        Some(format!("{number} of {items} {} {said}", if count == 1 { "is" } else { "are" }))
    }

    fn joined(&self, parts: &[Formula], word: &str) -> Option<String> {
        Some(parts.iter().map(|part| self.words(part)).collect::<Option<Vec<_>>>()?.join(word))
    }

    fn compare(&self, compare: &Compare) -> Option<String> {
        let (left, right) = (self.name(compare.left), self.name(compare.right));
        let plain = self.within(compare.category, false);
        let row = self.within(compare.category, true);
        Some(match compare.measure {
            Measure::Difference { by, .. } if by == Decimal::ZERO => {
                let word = match compare.relation {
                    Relation::Less => "before",
                    Relation::Greater => "after",
                    Relation::AtMost => "not after",
                    Relation::AtLeast => "not before",
                    Relation::Equal => return None,
                };
                format!("{left} is {word} {right}{plain}")
            }
            Measure::Difference { by, unit } => {
                let up = by > Decimal::ZERO;
                let bound = match (compare.relation, up) {
                    (Relation::Equal, _) => "",
                    (Relation::AtLeast, true) | (Relation::AtMost, false) => "at least ",
                    (Relation::Greater, true) | (Relation::Less, false) => "more than ",
                    _ => return None,
                };
                let (by, one) = (by.abs(), by.abs().as_whole() == Some(1));
                match unit {
                    Counting::Places if one && bound.is_empty() => {
                        format!("{left} is immediately {} {right}{plain}", if up { "after" } else { "before" })
                    }
                    Counting::Places => {
                        let places = if one { "place" } else { "places" };
                        format!("{left} is {bound}{by} {places} {} {right}{plain}", if up { "after" } else { "before" })
                    }
                    Counting::Numbers => {
                        format!("{left} is {bound}{by} {} than {right}{plain}", if up { "more" } else { "less" })
                    }
                }
            }
            Measure::Distance { by, unit } => {
                let bound = match compare.relation {
                    Relation::Equal => "",
                    Relation::AtLeast => "at least ",
                    Relation::AtMost => "at most ",
                    Relation::Greater => "more than ",
                    Relation::Less => "less than ",
                };
                let whole = by.as_whole().and_then(|n| usize::try_from(n).ok());
                match (unit, whole, compare.relation) {
                    (Counting::Places, Some(1), Relation::Equal) => format!("{left} is next to {right}{row}"),
                    (Counting::Places, Some(n @ 2..=20), Relation::Equal) => {
                        let (are, places) = if n == 2 { ("is", "place") } else { ("are", "places") };
                        let between = number_in_words(n - 1)?;
                        format!("there {are} {between} {places} between {left} and {right}{row}")
                    }
                    (Counting::Places, Some(n), _) => {
                        let places = if n == 1 { "place" } else { "places" };
                        format!("{left} is {bound}{n} {places} from {right}{row}")
                    }
                    (Counting::Numbers, ..) => format!("{left} is {bound}{by} away from {right}{row}"),
                    _ => return None,
                }
            }
            Measure::Ratio { times, over } if compare.relation == Relation::Equal => match (times, over) {
                (2, 1) => format!("{left} is twice {right}{plain}"),
                (1, 2) => format!("{left} is half {right}{plain}"),
                (n, 1) => format!("{left} is {n} times {right}{plain}"),
                _ => return None,
            },
            Measure::Ratio { .. } => return None,
        })
    }
}

/// With a capital letter, if the sentence does not begin with a name, which stays as it is.
fn capitalised(text: &str) -> String {
    let opens = ["there ", "it is ", "if ", "either ", "of ", "exactly ", "at ", "none ", "nobody "]
        .iter()
        .any(|word| text.starts_with(word));
    let mut chars = text.chars();
    match chars.next().filter(|_| opens) {
        Some(first) => first.to_uppercase().chain(chars).collect(),
        None => text.to_owned(),
    }
}

fn number_in_words(number: usize) -> Option<&'static str> {
    crate::read::number_in_words(number)
}
