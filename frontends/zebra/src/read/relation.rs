//! Relations between two items in English: 'next to', '2 years older than', 'immediately to the left of'.

use super::lexer::{Kind, Token, UnitWord};
use super::names::Style;
use super::phrases::{ADJECTIVES, COMPARATIVES, Flavour, PLACE_NOUNS};
use super::quantity::{self, Named};
use super::{Context, Refusal, fillers};
use crate::formula::{Compare, Counting, Formula, Measure, Relation};
use crate::number::Decimal;
use crate::puzzle::Term;

/// A relation as it was read.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Rel {
    pub(super) shape: Shape,
    /// The category that a unit or a noun names.
    category: Option<usize>,
    /// Otherwise a word that says what is compared.
    named: Option<Named>,
    flavour: Flavour,
    /// Whether it may stand behind both items: 'A and B are next to each other'.
    pub(super) mutual: bool,
    pub(super) at: usize,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Shape {
    Order(Relation),
    Offset {
        up: bool,
        relation: Relation,
        amount: Amount,
    },
    Distance {
        relation: Relation,
        amount: Amount,
    },
    Ratio {
        times: u32,
        over: u32,
    },
    /// 'left of' without a word that says whether immediately.
    Bare(&'static str),
}

/// An amount: of a unit's factor, or in places.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Amount {
    pub(super) by: Decimal,
    pub(super) unit: Option<UnitWord>,
}

const ONE_PLACE: Amount = Amount { by: Decimal::ZERO, unit: Some(UnitWord::Place) };

fn one_place() -> Amount {
    Amount { by: Decimal::whole(1).unwrap_or(Decimal::ZERO), ..ONE_PLACE }
}

impl Rel {
    fn new(shape: Shape, category: Option<usize>, flavour: Flavour) -> Self {
        Self { shape, category, named: None, flavour, mutual: false, at: 0 }
    }

    /// What the relation says of two items, in the category that is given or else meant.
    pub(super) fn apply(
        &self,
        context: &Context,
        left: Term,
        right: Term,
        within: Option<usize>,
    ) -> Result<Formula, Refusal> {
        let refuse = |message: String| Refusal::new(self.at, message);
        let category = self.category_in(context, within).map_err(refuse)?;
        let (relation, measure) = match self.shape {
            Shape::Bare(side) => {
                return Err(refuse(format!(
                    "'{side} of' may mean 'immediately to the {side} of' or 'somewhere to the {side} of': write which"
                )));
            }
            Shape::Order(relation) => {
                return Ok(Formula::Compare(Compare::order(left, relation, right, category)));
            }
            Shape::Ratio { times, over } => (Relation::Equal, Measure::Ratio { times, over }),
            Shape::Distance { relation, amount } => {
                let (by, unit) = counted(context, category, amount).map_err(refuse)?;
                (relation, Measure::Distance { by, unit })
            }
            Shape::Offset { up, relation, amount } => {
                let (by, unit) = counted(context, category, amount).map_err(refuse)?;
                let mirrored = match relation {
                    _ if up => relation,
                    Relation::Less => Relation::Greater,
                    Relation::AtMost => Relation::AtLeast,
                    Relation::Equal => Relation::Equal,
                    Relation::AtLeast => Relation::AtMost,
                    Relation::Greater => Relation::Less,
                };
                (mirrored, Measure::Difference { by: if up { by } else { -by }, unit })
            }
        };
        let compare = Compare { left, right, category, relation, measure };
        context.possible(&compare).map_err(refuse)?;
        Ok(Formula::Compare(compare))
    }

    fn category_in(&self, context: &Context, within: Option<usize>) -> Result<usize, String> {
        if let (Some(a), Some(b)) = (self.category, within)
            && a != b
        {
            return Err(format!(
                "the words say both {} and {}",
                context.categories[a].name, context.categories[b].name
            ));
        }
        let named = match (self.category.or(within), &self.named) {
            (None, Some(named)) => named.category(context)?,
            (category, _) => category,
        };
        let category = match (named, self.flavour) {
            (Some(category), _) => category,
            (None, Flavour::Row) => context.row().map_or_else(|| context.default_order(), Ok)?,
            (None, Flavour::Any | Flavour::Age) => context.default_order()?,
        };
        let name = &context.categories[category].name;
        if !context.categories[category].ordered {
            return Err(format!("'{name}' has no order"));
        }
        if self.flavour == Flavour::Age && is_calendar(context, category) {
            return Err(format!(
                "in {name}, 'older' may mean the smaller or the larger number: write 'before' or 'after'"
            ));
        }
        Ok(category)
    }
}

/// Whether the numbers look like years of the calendar.
fn is_calendar(context: &Context, category: usize) -> bool {
    let first = context.categories[category].numbers.as_ref().and_then(|n| n.first().copied());
    first.and_then(Decimal::as_whole).is_some_and(|year| year >= 1000)
}

fn counted(context: &Context, category: usize, amount: Amount) -> Result<(Decimal, Counting), String> {
    match amount.unit {
        Some(UnitWord::Place) => Ok((amount.by, Counting::Places)),
        Some(UnitWord::Noun(noun)) if noun == category => Ok((amount.by, Counting::Places)),
        Some(UnitWord::Unit(owner, factor)) if owner == category => {
            let by = amount.by.times(factor).ok_or("the amount is too large")?;
            Ok((by, context.amount(category, by, None)?.1))
        }
        Some(UnitWord::Unit(owner, _) | UnitWord::Noun(owner)) => Err(format!(
            "the amount is in {}, the comparison in {}",
            context.categories[owner].name, context.categories[category].name
        )),
        None => context.amount(category, amount.by, None),
    }
}

/// A place in the tokens.
#[derive(Clone, Copy)]
struct Cursor<'t> {
    tokens: &'t [Token],
    at: usize,
}

impl<'t> Cursor<'t> {
    fn word(self) -> Option<&'t str> {
        self.tokens.get(self.at).and_then(Token::word)
    }

    /// Behind these words, if they follow.
    fn skip(self, words: &[&str]) -> Option<Self> {
        let mut cursor = self;
        for word in words {
            if cursor.word() != Some(word) {
                return None;
            }
            cursor.at += 1;
        }
        Some(cursor)
    }

    /// Behind the first of these phrases that follows, and its index.
    fn skip_any(self, phrases: &[&str]) -> Option<(Self, usize)> {
        phrases.iter().enumerate().find_map(|(i, phrase)| {
            let words: Vec<&str> = phrase.split(' ').collect();
            Some((self.skip(&words)?, i))
        })
    }
}

/// The relation that begins at token `at`, and where it ends.
pub(super) fn relation(
    context: &Context,
    text: &str,
    tokens: &[Token],
    at: usize,
) -> Result<Option<(Rel, usize)>, Refusal> {
    let start = Cursor { tokens, at };
    let found = match amount_relation(context, text, start)? {
        Some(found) => Some(found),
        None => plain_relation(context, text, start)?,
    };
    Ok(found.map(|(mut rel, end)| {
        rel.at = tokens[at].at;
        if rel.category.is_none() && rel.flavour != Flavour::Row && context.ordered().len() > 1 {
            rel.named = quantity::named(context, tokens, at, end.at);
        }
        (rel, end.at)
    }))
}

type Found<'t> = Option<(Rel, Cursor<'t>)>;

pub(super) const BOUNDS: [(&str, Relation); 10] = [
    ("at least", Relation::AtLeast),
    ("at most", Relation::AtMost),
    ("no more than", Relation::AtMost),
    ("not more than", Relation::AtMost),
    ("no fewer than", Relation::AtLeast),
    ("no less than", Relation::AtLeast),
    ("more than", Relation::Greater),
    ("less than", Relation::Less),
    ("fewer than", Relation::Less),
    ("exactly", Relation::Equal),
];

/// '[at least] 2 places before', '3 dollars more than', 'a year older than', '2 places from', 'three times'.
fn amount_relation<'t>(context: &Context, text: &str, start: Cursor<'t>) -> Result<Found<'t>, Refusal> {
    let phrases: Vec<&str> = BOUNDS.iter().map(|b| b.0).collect();
    let (cursor, bound) = match start.skip_any(&phrases) {
        Some((cursor, index)) => (cursor, BOUNDS[index].1),
        None => (start, Relation::Equal),
    };
    let Some((mut amount, cursor)) = amount(context, cursor) else { return Ok(None) };
    if bound == Relation::Equal && cursor.word() == Some("times") {
        let times = amount.by.as_whole().and_then(|n| u32::try_from(n).ok()).filter(|n| (1..1_000_000).contains(n));
        let Some(times) = times else { return Ok(None) };
        return Ok(Some(ratio(context, text, Cursor { at: cursor.at + 1, ..cursor }, times, 1)?));
    }
    if let Some((end, index)) = cursor.skip_any(&["away from", "apart", "away", "from"]) {
        let shape = Shape::Distance { relation: bound, amount };
        let category = unit_category(amount);
        let rel = Rel { mutual: index == 1, ..Rel::new(shape, category, Flavour::Row) };
        return Ok(Some((rel, end)));
    }
    let inclusive = |bound| matches!(bound, Relation::AtMost | Relation::Less);
    if let Some((direction, end)) = direction(cursor) {
        if inclusive(bound) {
            return Err(at_most(start));
        }
        let shape = Shape::Offset { up: direction.up, relation: bound, amount };
        let rel = Rel::new(shape, unit_category(amount), direction.flavour);
        return Ok(Some((rel, end)));
    }
    let Some((comparative, end)) = comparative(context, text, cursor)? else { return Ok(None) };
    if inclusive(bound) {
        return Err(at_most(start));
    }
    if amount.unit.is_none() {
        amount.unit = comparative.unit;
    }
    let category = unit_category(amount).or(comparative.category);
    let shape = Shape::Offset { up: comparative.up, relation: bound, amount };
    Ok(Some((Rel::new(shape, category, comparative.flavour), end)))
}

fn at_most(start: Cursor<'_>) -> Refusal {
    let message = "this leaves open whether the other order is possible too: write it in the strict form, \
                   as in 'A <= B + 2 in C and A > B in C'";
    Refusal::new(start.tokens[start.at].at, message)
}

fn unit_category(amount: Amount) -> Option<usize> {
    match amount.unit {
        Some(UnitWord::Unit(category, _) | UnitWord::Noun(category)) => Some(category),
        _ => None,
    }
}

/// A number with its unit; 'a year' is 1 year, 'half an hour' half of one.
fn amount<'t>(context: &Context, cursor: Cursor<'t>) -> Option<(Amount, Cursor<'t>)> {
    if let Kind::Number(number) = &cursor.tokens.get(cursor.at)?.kind {
        let after = Cursor { at: cursor.at + 1, ..cursor };
        return Some((Amount { by: number.value, unit: number.unit }, after));
    }
    let (by, article) = match cursor.skip(&["half"]) {
        Some(after) => (Decimal::parse("0.5")?, after),
        None => (Decimal::whole(1)?, cursor),
    };
    let articles: &[&str] = if article.at == cursor.at { &["a", "an", "one"] } else { &["a", "an"] };
    let (noun, _) = article.skip_any(articles)?;
    let word = noun.word()?;
    let unit = context.ordered().into_iter().find_map(|category| {
        let units = &context.categories[category].units;
        units.iter().find(|unit| unit.word == word).map(|unit| UnitWord::Unit(category, unit.factor))
    });
    let place = PLACE_NOUNS.contains(&word) && article.at == cursor.at;
    let unit = unit.or(place.then_some(UnitWord::Place))?;
    Some((Amount { by, unit: Some(unit) }, Cursor { at: noun.at + 1, ..noun }))
}

struct Direction {
    up: bool,
    flavour: Flavour,
    side: Option<&'static str>,
}

/// 'to the left of', 'before'.
fn direction(cursor: Cursor<'_>) -> Option<(Direction, Cursor<'_>)> {
    const LEFT: [&str; 4] = ["to the left of", "on the left of", "to left of", "left of"];
    const RIGHT: [&str; 4] = ["to the right of", "on the right of", "to right of", "right of"];
    let sided = |phrases: &[&str], up: bool, side| {
        cursor.skip_any(phrases).map(|(end, _)| (Direction { up, flavour: Flavour::Row, side: Some(side) }, end))
    };
    let plain = |phrases: &[&str], up: bool| {
        cursor.skip_any(phrases).map(|(end, _)| (Direction { up, flavour: Flavour::Any, side: None }, end))
    };
    sided(&LEFT, false, "left")
        .or_else(|| sided(&RIGHT, true, "right"))
        .or_else(|| plain(&["before", "prior to", "earlier than"], false))
        .or_else(|| plain(&["after", "later than"], true))
}

struct Comparative {
    up: bool,
    flavour: Flavour,
    category: Option<usize>,
    unit: Option<UnitWord>,
}

/// 'more [dollars] than', 'older than'.
fn comparative<'t>(
    context: &Context,
    text: &str,
    cursor: Cursor<'t>,
) -> Result<Option<(Comparative, Cursor<'t>)>, Refusal> {
    let Some(word) = cursor.word() else { return Ok(None) };
    let after = Cursor { at: cursor.at + 1, ..cursor };
    let known = COMPARATIVES.iter().find(|(name, ..)| *name == word);
    let Some(&(_, up, flavour)) = known else {
        if word.ends_with("er") && word.len() > 3 && after.word() == Some("than") {
            let message =
                format!("'{word}' could mean the larger or the smaller value: write 'more … than' or 'less … than'");
            return Err(Refusal::new(cursor.tokens[cursor.at].at, message));
        }
        return Ok(None);
    };
    if let Some(end) = after.skip(&["than"]) {
        return Ok(Some((Comparative { up, flavour, category: None, unit: None }, end)));
    }
    // One noun or adjective may stand before 'than': it must say which category is meant, or nothing at all.
    let Some(than) = (after.at..after.at + 4).find(|&i| Cursor { at: i, ..after }.word() == Some("than")) else {
        return Ok(None);
    };
    let end = Cursor { at: than + 1, ..after };
    let place = after.tokens[after.at].at;
    let noun = text[place..after.tokens[than].at].trim();
    if ADJECTIVES.contains(&noun) {
        return Ok(Some((Comparative { up, flavour, category: None, unit: None }, end)));
    }
    if let Some((category, stop)) = context.names.category(noun, 0, Style::English)
        && stop == noun.len()
    {
        return Ok(Some((Comparative { up, flavour, category: Some(category), unit: None }, end)));
    }
    for category in context.ordered() {
        if let Some(unit) = context.categories[category].units.iter().find(|u| u.word == noun.to_lowercase()) {
            let unit = Some(UnitWord::Unit(category, unit.factor));
            return Ok(Some((Comparative { up, flavour, category: Some(category), unit }, end)));
        }
    }
    Err(Refusal::new(place, format!("'{noun}' is neither a category nor a unit: what is compared?")))
}

/// Relations without an amount.
fn plain_relation<'t>(context: &Context, text: &str, start: Cursor<'t>) -> Result<Found<'t>, Refusal> {
    const NEXT: [&str; 18] = [
        "next to",
        "next door to",
        "next-door to",
        "beside",
        "adjacent to",
        "adjoining",
        "a neighbour of",
        "a neighbour who",
        "a neighbor who",
        "a neighbor of",
        "the neighbour of",
        "the neighbor of",
        "neighbours of",
        "neighbors of",
        "neighbours",
        "neighbors",
        "adjacent",
        "side by side",
    ];
    let modifiers = ["directly", "immediately", "just", "right", "exactly", "somewhere", "anywhere", "sometime"];
    let (cursor, modifier) = match start.skip_any(&modifiers) {
        Some((cursor, index)) => (cursor, Some(index)),
        None => (start, None),
    };
    let somewhere = modifier.is_some_and(|m| m >= 5);
    if let Some((end, index)) = cursor.skip_any(&NEXT).filter(|_| !somewhere) {
        let each_other = end.skip_any(&["to each other", "each other", "to one another", "one another"]);
        let mutual = each_other.is_some() || index >= 14;
        let shape = Shape::Distance { relation: Relation::Equal, amount: one_place() };
        let rel = Rel { mutual, ..Rel::new(shape, None, Flavour::Row) };
        return Ok(Some((rel, each_other.map_or(end, |(end, _)| end))));
    }
    if let Some((direction, end)) = direction(cursor) {
        let relation = if direction.up { Relation::Greater } else { Relation::Less };
        let shape = match (modifier, direction.side) {
            (None, Some(side)) => Shape::Bare(side),
            (None, None) => Shape::Order(relation),
            _ if somewhere => Shape::Order(relation),
            _ => Shape::Offset { up: direction.up, relation: Relation::Equal, amount: one_place() },
        };
        let rel = Rel::new(shape, None, direction.flavour);
        return Ok(Some((rel, end)));
    }
    if modifier.is_some() {
        return Ok(None);
    }
    if let Some((end, index)) = start.skip_any(&["twice", "double", "thrice", "triple", "half"]) {
        let (times, over) = [(2, 1), (2, 1), (3, 1), (3, 1), (1, 2)][index];
        return Ok(Some(ratio(context, text, end, times, over)?));
    }
    if let Some((_, index)) = start.skip_any(&["ahead of", "behind", "above", "below", "in front of"]) {
        let phrase = ["ahead of", "behind", "above", "below", "in front of"][index];
        let message = format!("'{phrase}' may mean either direction: write 'before' or 'after', or 'more' or 'less'");
        return Err(Refusal::new(start.tokens[start.at].at, message));
    }
    let Some((comparative, end)) = comparative(context, text, start)? else { return Ok(None) };
    let shape = Shape::Order(if comparative.up { Relation::Greater } else { Relation::Less });
    let category = comparative.category.or_else(|| amount_behind(context, start, end));
    let rel = Rel::new(shape, category, comparative.flavour);
    Ok(Some((rel, end)))
}

/// The category of the amount that follows 'more than' at once: 'more than 10 pounds' compares prices, whatever is ordered
/// otherwise. Behind an article it would be the item that has the amount, as in 'cost more than the 10-pound book'.
fn amount_behind(context: &Context, start: Cursor<'_>, end: Cursor<'_>) -> Option<usize> {
    const AMOUNTS: [&str; 9] = ["more", "greater", "higher", "larger", "less", "fewer", "lower", "smaller", "lesser"];
    if !AMOUNTS.contains(&start.word()?) || end.at != start.at + 2 {
        return None;
    }
    let category = match &end.tokens.get(end.at)?.kind {
        Kind::Name(term) => term.category,
        Kind::Number(number) => match (number.unit, &number.terms[..]) {
            (Some(UnitWord::Unit(category, _) | UnitWord::Noun(category)), _) => category,
            (None, [term]) => term.category,
            _ => return None,
        },
        _ => return None,
    };
    context.categories[category].numbers.is_some().then_some(category)
}

/// The rest of 'twice as much as', 'twice the price of', 'twice'.
fn ratio<'t>(
    context: &Context,
    text: &str,
    cursor: Cursor<'t>,
    times: u32,
    over: u32,
) -> Result<(Rel, Cursor<'t>), Refusal> {
    let (mut category, mut flavour, mut end) = (None, Flavour::Any, cursor);
    let at = |at: usize| Cursor { at, ..cursor };
    if cursor.word() == Some("as") {
        if let Some(second) = (cursor.at + 2..cursor.at + 6).find(|&i| at(i).word() == Some("as")) {
            for i in cursor.at + 1..second {
                let place = cursor.tokens[i].at;
                let word = at(i).word().unwrap_or("");
                if let Some((named, _)) = context.names.category(text, place, Style::English) {
                    category = Some(named);
                } else if let Some(unit) = context.unit(word) {
                    category = Some(unit);
                } else if !ADJECTIVES.contains(&word) {
                    return Err(Refusal::new(place, fillers::unknown(context, word)));
                } else if word == "old" {
                    flavour = Flavour::Age;
                }
            }
            end = at(second + 1);
        }
    } else if cursor.word() == Some("the")
        && let Some(of) = (cursor.at + 2..cursor.at + 5).find(|&i| at(i).word() == Some("of"))
        && let Some((named, stop)) = context.names.category(text, cursor.tokens[cursor.at + 1].at, Style::English)
        && text[stop..cursor.tokens[of].at].trim().is_empty()
    {
        (category, end) = (Some(named), at(of + 1));
    }
    Ok((Rel::new(Shape::Ratio { times, over }, category, flavour), end))
}
