//! Clues in controlled English.
//!
//! A sentence becomes a short sequence of symbols: names, relations and the words that connect them. Other words have to
//! be in the list of those that say nothing ("the man who smokes …"), or the clue is refused. Each pattern that fits the
//! whole sequence is a reading. A clue has exactly one or is refused.

use super::counting::{Among, how_many};
use super::lexer::{self, Kind, Token};
use super::names::Style;
use super::phrases::{ADJECTIVES, is_meaningful, number_word};
use super::relation::{Rel, relation};
use super::{Context, Refusal, fillers, patterns};
use crate::formula::{Formula, Relation};
use crate::puzzle::Term;
use crate::write::strict;

/// What a sentence consists of.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Symbol {
    Name(Term),
    Rel(Box<Rel>),
    /// Between: directly, somewhere, or unsaid.
    Between(Option<bool>),
    /// 'There are k houses between'.
    Gap(Relation, u32),
    Not,
    NotThat,
    Nobody,
    Either,
    Or,
    And,
    Neither,
    Nor,
    If,
    Then,
    Iff,
    OnlyIf,
    NotBoth,
    Of,
    Other,
    OneOf,
    Comma,
    Stop,
    /// 'the five diners are'.
    Group(usize),
    /// 'are all different', with their number if it is said.
    Different(Option<usize>),
    SameAs,
    /// 'the same voice' (true), 'different voices', in a category whose values several may have.
    SameValue(usize, bool),
    /// 'as old as'.
    Alike,
    Ends,
    /// In an odd (true) or even place.
    Odd(bool),
    /// The same (true) or different parity.
    Parity(bool),
    /// 'Exactly two of these are true:'.
    Count(Relation, usize),
    /// 'Exactly two of the singers', before what is said of them.
    HowMany(Relation, usize, Among),
    /// 'in price' at the end of a part.
    In(usize),
}

/// A symbol and where its words begin.
pub(super) type Placed = (Symbol, usize);

/// The most connectives and commas of a sentence.
const MAX_CONNECTIVES: usize = 8;
const MAX_COMMAS: usize = 20;

/// The meaning of a clue in English, and what its author should know.
pub(super) fn clue(context: &Context, text: &str) -> Result<(Formula, Vec<String>), Refusal> {
    let tokens = lexer::tokens(context, text)?;
    let symbols = symbols(context, text, &tokens)?;
    check_size(&symbols)?;
    let mut readings = patterns::Readings::default();
    patterns::clause(context, &symbols, &mut readings);
    match &readings.formulas[..] {
        [formula] => Ok((formula.clone(), warnings(&symbols))),
        [] => Err(readings.refusal.unwrap_or_else(|| unread(context, &symbols))),
        several => {
            let ways: Vec<String> = several.iter().map(|f| format!("`{}`", strict(context.categories, f))).collect();
            Err(Refusal::new(0, format!("this may mean {}: write which", ways.join(" or "))))
        }
    }
}

/// The ways to group a sentence grow exponentially with its connectives and commas.
fn check_size(symbols: &[Placed]) -> Result<(), Refusal> {
    let comma = |s: &Symbol| matches!(s, Symbol::Comma);
    let connective =
        |s: &Symbol| !matches!(s, Symbol::Name(_) | Symbol::Rel(_) | Symbol::Not | Symbol::Comma | Symbol::Stop);
    let too_many = |at: usize, most: usize, what: &str| {
        let message = format!("the sentence has more than {most} {what}: write several clues, or the strict form");
        Err(Refusal::new(at, message))
    };
    if let Some(&(_, at)) = symbols.iter().filter(|s| connective(&s.0)).nth(MAX_CONNECTIVES) {
        return too_many(at, MAX_CONNECTIVES, "connectives");
    }
    if let Some(&(_, at)) = symbols.iter().filter(|s| comma(&s.0)).nth(MAX_COMMAS) {
        return too_many(at, MAX_COMMAS, "commas");
    }
    Ok(())
}

fn warnings(symbols: &[Placed]) -> Vec<String> {
    let neither =
        matches!(symbols, [(Symbol::Neither, _), (Symbol::Name(_), _), (Symbol::Nor, _), (Symbol::Name(_), _), ..]);
    let message = "'neither … nor' does not say that the two are different items; if you mean that too, add a clue";
    if neither { vec![message.into()] } else { Vec::new() }
}

fn unread(context: &Context, symbols: &[Placed]) -> Refusal {
    let names: Vec<&Placed> = symbols.iter().filter(|(s, _)| matches!(s, Symbol::Name(_))).collect();
    let at = symbols.first().map_or(0, |s| s.1);
    match names[..] {
        [] => {
            let known = context.listed(0..context.categories.len());
            Refusal::new(at, format!("no value of any category ({known}) is named here"))
        }
        [only] => Refusal::new(only.1, "only one value is named here, and nothing that is said of it is understood"),
        _ => Refusal::new(
            at,
            "this sentence is not understood; say it in one of the forms of the clue list, or in the strict form",
        ),
    }
}

fn symbols(context: &Context, text: &str, tokens: &[Token]) -> Result<Vec<Placed>, Refusal> {
    let mut symbols = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        let place = tokens[at].at;
        if let Some((symbol, end)) = how_many(context, text, tokens, at, &symbols)? {
            symbols.push((symbol, place));
            at = end;
            continue;
        }
        if let Some((symbol, end)) = phrase(context, text, tokens, at) {
            symbols.extend(symbol.map(|s| (s, place)));
            at = end;
            continue;
        }
        if let Some((rel, end)) = relation(context, text, tokens, at)? {
            symbols.push((Symbol::Rel(Box::new(rel)), place));
            at = end;
            continue;
        }
        match &tokens[at].kind {
            Kind::Name(term) => symbols.push((Symbol::Name(*term), place)),
            Kind::Number(number) => match number.terms[..] {
                [term] => symbols.push((Symbol::Name(term), place)),
                [] => {
                    let message = format!("the number {} is no value and no amount that is understood", number.value);
                    return Err(Refusal::new(place, message));
                }
                _ => return Err(Refusal::new(place, context.ambiguous(&number.terms))),
            },
            Kind::Comma => symbols.push((Symbol::Comma, place)),
            Kind::Stop => symbols.push((Symbol::Stop, place)),
            Kind::Word(word) if is_meaningful(word) || !fillers::says_nothing(context, tokens, at) => {
                return Err(leftover(context, word, place));
            }
            Kind::Word(_) => {}
        }
        at += 1;
    }
    Ok(symbols)
}

fn leftover(context: &Context, word: &str, place: usize) -> Refusal {
    let place_word = super::phrases::ordinal(word).is_some() || ["last", "middle", "centre", "center"].contains(&word);
    if place_word && context.row().is_none_or(|c| !context.categories[c].is_row()) {
        return Refusal::new(place, format!("'{word}' needs a category of places 1, 2, 3, …: name the value instead"));
    }
    Refusal::new(place, fillers::unknown(context, word))
}

/// Phrases that stand for one symbol, or for none.
const PHRASES: [(&str, Option<Symbol>); 64] = [
    ("nobody", Some(Symbol::Nobody)),
    ("no one", Some(Symbol::Nobody)),
    ("but not both", Some(Symbol::NotBoth)),
    ("and not both", Some(Symbol::NotBoth)),
    ("but also", Some(Symbol::And)),
    ("but", Some(Symbol::And)),
    ("and", Some(Symbol::And)),
    ("while", Some(Symbol::And)),
    ("whereas", Some(Symbol::And)),
    ("if and only if", Some(Symbol::Iff)),
    ("only if", Some(Symbol::OnlyIf)),
    ("if", Some(Symbol::If)),
    ("then", Some(Symbol::Then)),
    ("it is not true that", Some(Symbol::NotThat)),
    ("it is not the case that", Some(Symbol::NotThat)),
    ("it is false that", Some(Symbol::NotThat)),
    ("exactly one of", Some(Symbol::Count(Relation::Equal, 1))),
    ("either", Some(Symbol::Either)),
    ("or", Some(Symbol::Or)),
    ("neither", Some(Symbol::Neither)),
    ("nor", Some(Symbol::Nor)),
    ("the other", Some(Symbol::Other)),
    ("is one of", Some(Symbol::OneOf)),
    ("was one of", Some(Symbol::OneOf)),
    ("not", Some(Symbol::Not)),
    ("never", Some(Symbol::Not)),
    ("directly between", Some(Symbol::Between(Some(true)))),
    ("immediately between", Some(Symbol::Between(Some(true)))),
    ("somewhere between", Some(Symbol::Between(Some(false)))),
    ("anywhere between", Some(Symbol::Between(Some(false)))),
    ("sometime between", Some(Symbol::Between(Some(false)))),
    ("between", Some(Symbol::Between(None))),
    ("at one of the ends", Some(Symbol::Ends)),
    ("on one of the ends", Some(Symbol::Ends)),
    ("at one end", Some(Symbol::Ends)),
    ("at either end", Some(Symbol::Ends)),
    ("on either end", Some(Symbol::Ends)),
    ("at an end", Some(Symbol::Ends)),
    ("on an end", Some(Symbol::Ends)),
    ("in an odd-numbered", Some(Symbol::Odd(true))),
    ("in an odd", Some(Symbol::Odd(true))),
    ("has an odd", Some(Symbol::Odd(true))),
    ("odd-numbered", Some(Symbol::Odd(true))),
    ("in an even-numbered", Some(Symbol::Odd(false))),
    ("in an even", Some(Symbol::Odd(false))),
    ("has an even", Some(Symbol::Odd(false))),
    ("even-numbered", Some(Symbol::Odd(false))),
    ("the same parity as", Some(Symbol::Parity(true))),
    ("the same parity", Some(Symbol::Parity(true))),
    ("different parity from", Some(Symbol::Parity(false))),
    ("different parities", Some(Symbol::Parity(false))),
    ("different parity", Some(Symbol::Parity(false))),
    ("all different", Some(Symbol::Different(None))),
    ("different", Some(Symbol::Different(None))),
    ("is the same as", Some(Symbol::SameAs)),
    ("the same as", Some(Symbol::SameAs)),
    ("respectively", None),
    ("at the same time as", Some(Symbol::SameAs)),
    ("on the street", None),
    ("in the row", None),
    ("in the line", None),
    ("in this puzzle", None),
    ("of the row", None),
    ("at all", None),
];

/// The phrase that begins at token `at`: its symbol, if it has one, and where it ends.
fn phrase(context: &Context, text: &str, tokens: &[Token], at: usize) -> Option<(Option<Symbol>, usize)> {
    let special = gap(tokens, at)
        .or_else(|| counted(tokens, at))
        .or_else(|| group(context, tokens, at))
        .or_else(|| different(tokens, at))
        .or_else(|| same_as(context, tokens, at))
        .or_else(|| alike(context, tokens, at))
        .or_else(|| same_value(context, text, tokens, at))
        .or_else(|| within(context, text, tokens, at));
    if let Some((symbol, end)) = special {
        return Some((Some(symbol), end));
    }
    if at == 0 && tokens[0].word() == Some("of") {
        return Some((Some(Symbol::Of), 1));
    }
    let fits = |phrase: &str| {
        let words = phrase.split(' ');
        words
            .clone()
            .enumerate()
            .all(|(i, word)| tokens.get(at + i).and_then(Token::word) == Some(word))
            .then(|| words.count())
    };
    // 'respectively' pairs lists up, which no pattern does.
    let found = PHRASES.iter().filter(|(p, _)| *p != "respectively");
    let (length, symbol) = found.filter_map(|(p, symbol)| Some((fits(p)?, symbol))).max_by_key(|found| found.0)?;
    Some((symbol.clone(), at + length))
}

fn word(tokens: &[Token], at: usize) -> Option<&str> {
    tokens.get(at).and_then(Token::word)
}

/// 'There is exactly one house between', 'there are two places between'.
fn gap(tokens: &[Token], at: usize) -> Option<(Symbol, usize)> {
    if word(tokens, at) != Some("there") || !matches!(word(tokens, at + 1), Some("is" | "are" | "was" | "were")) {
        return None;
    }
    let (relation, at) = match (word(tokens, at + 2), word(tokens, at + 3)) {
        (Some("exactly"), _) => (Relation::Equal, at + 3),
        (Some("at"), Some("least")) => (Relation::AtLeast, at + 4),
        (Some("at"), Some("most")) => (Relation::AtMost, at + 4),
        _ => (Relation::Equal, at + 2),
    };
    let Kind::Number(number) = &tokens.get(at)?.kind else { return None };
    let places = number
        .value
        .as_whole()
        .and_then(|n| u32::try_from(n).ok())
        .filter(|_| matches!(number.unit, Some(super::lexer::UnitWord::Place | super::lexer::UnitWord::Noun(_))))?;
    (word(tokens, at + 1) == Some("between")).then_some((Symbol::Gap(relation, places), at + 2))
}

/// What may stand between 'two of' and 'true'.
const STATEMENTS: [&str; 8] = ["these", "the", "following", "statements", "claims", "sentences", "are", "is"];

/// 'Exactly two of these are true:'.
pub(super) fn counted(tokens: &[Token], at: usize) -> Option<(Symbol, usize)> {
    let (relation, mut end) = match (word(tokens, at)?, word(tokens, at + 1)) {
        ("exactly", _) => (Relation::Equal, at + 1),
        ("at", Some("least")) => (Relation::AtLeast, at + 2),
        ("at", Some("most")) => (Relation::AtMost, at + 2),
        _ => return None,
    };
    let count = number_word(word(tokens, end)?)?.as_whole()?;
    if word(tokens, end + 1) != Some("of") || !matches!(word(tokens, end + 2), Some("these" | "the")) {
        return None;
    }
    end += 2;
    while word(tokens, end)? != "true" {
        if !STATEMENTS.contains(&word(tokens, end)?) {
            return None;
        }
        end += 1;
    }
    let stop = matches!(tokens.get(end + 1).map(|t| &t.kind), Some(Kind::Stop));
    stop.then_some((Symbol::Count(relation, count as usize), end + 2))
}

/// 'The five diners are', 'the five are', at the beginning.
fn group(context: &Context, tokens: &[Token], at: usize) -> Option<(Symbol, usize)> {
    if at != 0 || word(tokens, 0) != Some("the") {
        return None;
    }
    let count = match &tokens.get(1)?.kind {
        Kind::Word(word) => number_word(word)?.as_whole()?,
        Kind::Number(number) => number.value.as_whole()?,
        _ => return None,
    };
    let verb = (2..5).find(|&i| matches!(word(tokens, i), Some("are" | "were")))?;
    if !(2..verb).all(|i| fillers::says_nothing(context, tokens, i)) {
        return None;
    }
    Some((Symbol::Group(usize::try_from(count).ok()?), verb + 1))
}

/// 'three different comets', 'all different'.
fn different(tokens: &[Token], at: usize) -> Option<(Symbol, usize)> {
    let count = number_word(word(tokens, at)?)?.as_whole()?;
    let plain =
        word(tokens, at + 1) == Some("different") && !matches!(word(tokens, at + 2), Some("parity" | "parities"));
    plain.then_some((Symbol::Different(usize::try_from(count).ok()), at + 2))
}

/// 'in the same house as', 'the same person as'.
fn same_as(context: &Context, tokens: &[Token], at: usize) -> Option<(Symbol, usize)> {
    let start = if word(tokens, at) == Some("in") { at + 1 } else { at };
    if word(tokens, start) != Some("the")
        || word(tokens, start + 1) != Some("same")
        || word(tokens, start + 3) != Some("as")
    {
        return None;
    }
    let noun = word(tokens, start + 2)?;
    // 'The same age as' compares values, but every value belongs to one item, so it says the same.
    let functional =
        context.categories.iter().find(|c| c.name.to_lowercase() == noun).is_none_or(|c| c.is_functional());
    let known = functional && noun != "parity" && fillers::is_filler(context, noun);
    known.then_some((Symbol::SameAs, start + 4))
}

/// 'the same voice [as]', 'different voices'.
fn same_value(context: &Context, text: &str, tokens: &[Token], at: usize) -> Option<(Symbol, usize)> {
    let (same, noun) = match (word(tokens, at)?, word(tokens, at + 1)) {
        ("the", Some("same")) => (true, at + 2),
        ("different", _) => (false, at + 1),
        _ => return None,
    };
    word(tokens, noun)?;
    let (category, end) = context.names.category(text, tokens[noun].at, Style::English)?;
    let mut behind = tokens[noun..].iter().position(|t| t.at >= end).map_or(tokens.len(), |i| noun + i);
    if same && word(tokens, behind) == Some("as") {
        behind += 1;
    }
    let repeated = context.categories[category].kind == crate::puzzle::Kind::Repeated;
    repeated.then_some((Symbol::SameValue(category, same), behind))
}

/// 'as old as'.
fn alike(context: &Context, tokens: &[Token], at: usize) -> Option<(Symbol, usize)> {
    if word(tokens, at) != Some("as") || word(tokens, at + 2) != Some("as") {
        return None;
    }
    let how = word(tokens, at + 1)?;
    // A repeated value may be had by several, and two that share one are then no one item.
    let functional = context.categories.iter().filter(|c| c.ordered).all(|c| c.is_functional());
    let known = ADJECTIVES.contains(&how) || ["young", "early", "late", "cheap"].contains(&how);
    (functional && known).then_some((Symbol::Alike, at + 3))
}

/// 'in price' at the end of a part of the sentence.
fn within(context: &Context, text: &str, tokens: &[Token], at: usize) -> Option<(Symbol, usize)> {
    if word(tokens, at) != Some("in") {
        return None;
    }
    // 'In house 3' names a value.
    let next = tokens.get(at + 1).filter(|token| token.word().is_some())?;
    let (category, end) = context.names.category(text, next.at, Style::English)?;
    let behind = tokens[at + 1..].iter().position(|t| t.at >= end).map_or(tokens.len(), |i| at + 1 + i);
    let closes = match tokens.get(behind).map(|t| &t.kind) {
        None | Some(Kind::Comma | Kind::Stop) => true,
        Some(Kind::Word(word)) => matches!(word.as_str(), "and" | "or" | "but" | "then" | "if"),
        _ => false,
    };
    (closes && context.categories[category].ordered).then_some((Symbol::In(category), behind))
}
