//! English sentences as tokens: names, numbers, words.

use super::classes::leading_number;
use super::names::Style;
use super::phrases::{PLACE_NOUNS, number_word, ordinal};
use super::{Context, Refusal};
use crate::number::Decimal;
use crate::puzzle::Term;

/// A part of a sentence and where it begins.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Token {
    pub(super) at: usize,
    pub(super) kind: Kind,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Kind {
    /// A value by its name.
    Name(Term),
    /// A number: an amount, or one of these values.
    Number(Number),
    /// A word, in lower case.
    Word(String),
    /// `,`
    Comma,
    /// `;`, `:` or a full stop inside.
    Stop,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) struct Number {
    pub(super) value: Decimal,
    /// The values that the number may be the name of.
    pub(super) terms: Vec<Term>,
    pub(super) unit: Option<UnitWord>,
}

/// What follows a number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum UnitWord {
    /// A unit of a category and its factor.
    Unit(usize, Decimal),
    /// The name of an ordered category.
    Noun(usize),
    /// A word for places.
    Place,
}

impl Token {
    pub(super) fn word(&self) -> Option<&str> {
        match &self.kind {
            Kind::Word(word) => Some(word),
            _ => None,
        }
    }
}

/// Splits a sentence.
pub(super) fn tokens(context: &Context, text: &str) -> Result<Vec<Token>, Refusal> {
    let mut lexer = Lexer { context, text, at: 0, tokens: Vec::new() };
    while lexer.at < text.len() {
        lexer.step()?;
    }
    Ok(lexer.tokens)
}

struct Lexer<'c, 'p, 't> {
    context: &'c Context<'p>,
    text: &'t str,
    at: usize,
    tokens: Vec<Token>,
}

impl<'t> Lexer<'_, '_, 't> {
    fn push(&mut self, kind: Kind, end: usize) {
        self.tokens.push(Token { at: self.at, kind });
        self.at = end;
    }

    fn step(&mut self) -> Result<(), Refusal> {
        let rest = &self.text[self.at..];
        let Some(c) = rest.chars().next() else { return Ok(()) };
        if c.is_whitespace() {
            self.at += c.len_utf8();
            return Ok(());
        }
        let found = self.context.names.find(self.text, self.at, Style::English);
        let numeric = c.is_ascii_digit() || ['$', '£', '€'].contains(&c);
        if numeric && let Some(end) = self.ordinal_digits() {
            return self.place(end);
        }
        if numeric && let Some((value, digits_end)) = self.digits() {
            return self.number(value, digits_end, found.map(|f| (f.end, f.terms)));
        }
        if let Some(found) = found {
            return match found.terms[..] {
                [term] => {
                    self.push(Kind::Name(term), found.end);
                    Ok(())
                }
                _ => Err(Refusal::new(self.at, self.context.ambiguous(&found.terms))),
            };
        }
        if c.is_ascii_digit() {
            return Err(Refusal::new(self.at, "the number is too large or too fine"));
        }
        // The name of a category with blanks in it is one word: in 'first scoop' no place is meant.
        if let Some((category, end)) = self.context.names.category(self.text, self.at, Style::English)
            && self.context.categories[category].name.contains(' ')
        {
            let name = self.context.categories[category].name.to_lowercase();
            self.push(Kind::Word(name), end);
            return Ok(());
        }
        if c.is_alphanumeric() {
            return self.word();
        }
        let end = self.at + c.len_utf8();
        match c {
            ',' => self.push(Kind::Comma, end),
            ';' | ':' => self.push(Kind::Stop, end),
            '.' | '!' => {
                if self.text[end..].trim().is_empty() {
                    self.at = end;
                } else {
                    self.push(Kind::Stop, end);
                }
            }
            '-' if self.within_number() => self.at = end,
            '\'' | '"' | '’' | '‘' | '“' | '”' | '(' | ')' => self.at = end,
            _ => return Err(Refusal::new(self.at, format!("'{c}' is not understood in a clue"))),
        }
        Ok(())
    }

    /// Whether a hyphen here joins a word to a number, as in '14-year-old'.
    fn within_number(&self) -> bool {
        let joined = |c: char| c.is_alphabetic();
        matches!(self.tokens.last().map(|t| &t.kind), Some(Kind::Number(_)))
            && self.text[..self.at].ends_with(joined)
            && self.text[self.at + 1..].starts_with(joined)
    }

    /// Where a number in digits ends, and its value: with a currency sign, and commas between thousands.
    fn digits(&self) -> Option<(Decimal, usize)> {
        let rest = &self.text[self.at..];
        let body = rest.trim_start_matches(['$', '£', '€']);
        let skipped = rest.len() - body.len();
        let mut length = body.bytes().take_while(u8::is_ascii_digit).count();
        let (mut digits, whole) = (body[..length].to_owned(), length);
        while (1..=3).contains(&whole)
            && body[length..].starts_with(',')
            && body[length + 1..].bytes().take_while(u8::is_ascii_digit).count() == 3
        {
            digits.push_str(&body[length + 1..length + 4]);
            length += 4;
        }
        if length == whole && body[length..].starts_with(':') {
            let (value, after) = leading_number(body)?;
            return Some((value, self.text.len() - after.len()));
        }
        let fraction = body[length..].strip_prefix('.').map_or(0, |f| f.bytes().take_while(u8::is_ascii_digit).count());
        if fraction > 0 {
            digits.push_str(&body[length..length + 1 + fraction]);
            length += 1 + fraction;
        }
        Some((Decimal::parse(&digits)?, self.at + skipped + length))
    }

    /// The end of `1st`, `2nd`, `3rd`, `4th`.
    fn ordinal_digits(&self) -> Option<usize> {
        let rest = &self.text[self.at..];
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        let suffix = rest.get(digits..digits + 2)?.to_lowercase();
        let ends = !rest[digits + 2..].starts_with(char::is_alphanumeric);
        (digits > 0 && ends && ["st", "nd", "rd", "th"].contains(&suffix.as_str())).then_some(self.at + digits + 2)
    }

    fn number(&mut self, value: Decimal, digits_end: usize, found: Option<(usize, Vec<Term>)>) -> Result<(), Refusal> {
        let unit = self.unit_after(digits_end);
        let unit_end = unit.map_or(digits_end, |(_, end)| end);
        let (name_end, mut terms) = found.unwrap_or((digits_end, Vec::new()));
        if terms.is_empty() {
            terms = self.values_with(value);
        }
        if let Some((UnitWord::Unit(category, factor), _)) = unit {
            let scaled = value.times(factor);
            let same = |t: &Term| {
                t.category == category
                    && self.context.categories[category].numbers.as_ref().map(|n| n[t.value]) == scaled
            };
            let size = self.context.categories[category].len();
            terms = (0..size).map(|value| Term { category, value }).filter(same).collect();
        } else if let Some((UnitWord::Noun(category), _)) = unit
            && terms.iter().any(|t| t.category == category)
        {
            terms.retain(|t| t.category == category);
        }
        let number = Number { value, terms, unit: unit.map(|(unit, _)| unit) };
        self.push(Kind::Number(number), name_end.max(unit_end));
        Ok(())
    }

    /// The values that have this number.
    fn values_with(&self, number: Decimal) -> Vec<Term> {
        let mut terms = Vec::new();
        for (category, values) in self.context.categories.iter().enumerate() {
            let numbers = values.numbers.iter().flatten().enumerate();
            terms.extend(numbers.filter(|(_, n)| **n == number).map(|(value, _)| Term { category, value }));
        }
        terms
    }

    /// The word for amounts that begins after `at`, and its end.
    fn unit_after(&self, at: usize) -> Option<(UnitWord, usize)> {
        let rest = &self.text[at..];
        let word_at = at + (rest.len() - rest.trim_start_matches([' ', '\t', '-']).len());
        let word = plain_word(&self.text[word_at..])?;
        let (lower, end) = (word.to_lowercase(), word_at + word.len());
        let singular = |w: &str| w.strip_suffix('s').unwrap_or(w).to_owned();
        for &category in &self.context.ordered() {
            for unit in &self.context.categories[category].units {
                if singular(&unit.word) == singular(&lower) {
                    return Some((UnitWord::Unit(category, unit.factor), end));
                }
            }
        }
        if let Some((category, end)) = self.context.names.category(self.text, word_at, Style::English)
            && self.context.categories[category].ordered
        {
            return Some((UnitWord::Noun(category), end));
        }
        PLACE_NOUNS.contains(&lower.as_str()).then_some((UnitWord::Place, end))
    }

    fn word(&mut self) -> Result<(), Refusal> {
        let rest = &self.text[self.at..];
        let length = rest
            .char_indices()
            .find(|&(i, c)| {
                let inner =
                    ['-', '\'', '’'].contains(&c) && rest[i + c.len_utf8()..].starts_with(char::is_alphanumeric);
                !c.is_alphanumeric() && !inner
            })
            .map_or(rest.len(), |(i, _)| i);
        let end = self.at + length;
        let word = rest[..length].to_lowercase().replace('’', "'");
        if let Some(value) = number_word(&word)
            && let Some((unit, end)) = self.unit_after(end)
        {
            self.push(Kind::Number(Number { value, terms: Vec::new(), unit: Some(unit) }), end);
            return Ok(());
        }
        if let Some(value) = number_word(&word)
            && self.skip_words(end, &[&["times"]]).is_some()
        {
            self.push(Kind::Number(Number { value, terms: Vec::new(), unit: None }), end);
            return Ok(());
        }
        if ordinal(&word).is_some() || PLACES.contains(&word.as_str()) {
            return self.place(end);
        }
        if let Some(stem) = word.strip_suffix("n't").or(word.strip_suffix("not").filter(|stem| *stem == "can")) {
            let stem = stem.to_owned();
            self.push(Kind::Word(stem), end);
            self.tokens.push(Token { at: self.at, kind: Kind::Word("not".into()) });
            return Ok(());
        }
        self.push(Kind::Word(word.strip_suffix("'s").unwrap_or(&word).to_owned()), end);
        Ok(())
    }

    /// An ordinal or a word such as 'middle' as the name of a place, if there is a row of places; with the words after it
    /// that belong to it, as in 'first house on the left'.
    fn place(&mut self, end: usize) -> Result<(), Refusal> {
        let word = self.text[self.at..end].to_lowercase();
        let row = self.context.row().filter(|&c| self.context.categories[c].is_row());
        let Some(category) = row else {
            self.push(Kind::Word(word), end);
            return Ok(());
        };
        let size = self.context.categories[category].len();
        let (after_noun, noun) = self.skip_noun(end, category);
        let side = self.skip_words(after_noun, &[&["on", "from"], &["the"], &["left", "right", "end"]]);
        let digits = word.trim_end_matches(|c: char| c.is_alphabetic()).parse().ok();
        let (value, end) = match (word.as_str(), ordinal(&word).or(digits)) {
            ("far" | "extreme" | "very", _) => match self.skip_words(end, &[&["left", "right"]]) {
                Some((end, side)) => (if side == "left" { 1 } else { size }, end),
                None => {
                    self.push(Kind::Word(word), end);
                    return Ok(());
                }
            },
            ("leftmost", _) => (1, after_noun),
            ("rightmost" | "last" | "final", _) => (size, after_noun),
            (_, Some(k)) => match side {
                Some((end, "left")) => (k, end),
                Some((end, _)) => ((size + 1).saturating_sub(k), end),
                None if k == 2 && self.skip_words(end, &[&["to"], &["last"]]).is_some() => {
                    (size - 1, self.skip_words(end, &[&["to"], &["last"]]).map_or(end, |s| s.0))
                }
                None => (k, if noun { after_noun } else { end }),
            },
            _ if size % 2 == 1 => (size / 2 + 1, after_noun),
            _ => return Err(Refusal::new(self.at, format!("{size} places have no {word}"))),
        };
        if value == 0 || value > size {
            let name = &self.context.categories[category].name;
            return Err(Refusal::new(self.at, format!("{name} has only {size} places")));
        }
        self.push(Kind::Name(Term { category, value: value - 1 }), end);
        Ok(())
    }

    fn skip_noun(&self, end: usize, category: usize) -> (usize, bool) {
        let rest = &self.text[end..];
        let at = self.text.len() - rest.trim_start().len();
        if let Some((found, end)) = self.context.names.category(self.text, at, Style::English)
            && found == category
        {
            return (end, true);
        }
        match plain_word(&self.text[at..]) {
            Some(word) if PLACE_NOUNS.contains(&word.to_lowercase().as_str()) => (at + word.len(), true),
            _ => (end, false),
        }
    }

    /// The end of these words, each one of several, if they follow; and the last of them.
    fn skip_words<'w>(&self, mut at: usize, words: &[&[&'w str]]) -> Option<(usize, &'w str)> {
        let mut last = "";
        for options in words {
            at = self.text.len() - self.text[at..].trim_start().len();
            let word = plain_word(&self.text[at..])?;
            last = options.iter().find(|option| option.eq_ignore_ascii_case(word))?;
            at += word.len();
        }
        Some((at, last))
    }
}

/// Words that are a place by themselves.
const PLACES: [&str; 11] =
    ["middle", "center", "centre", "central", "leftmost", "rightmost", "last", "final", "far", "extreme", "very"];

/// The letters that the text begins with.
fn plain_word(text: &str) -> Option<&str> {
    let length = text.find(|c: char| !c.is_alphabetic()).unwrap_or(text.len());
    (length > 0).then(|| &text[..length])
}
