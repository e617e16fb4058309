//! How many of some items a sentence speaks of: 'exactly two of the singers', 'no singer', 'at most one of Ann and Ben'.

use super::english::{Placed, Symbol, counted};
use super::lexer::{Kind, Token, UnitWord};
use super::names::Style;
use super::phrases::{PLACE_NOUNS, number_word};
use super::relation::BOUNDS;
use super::{Context, Refusal, fillers};
use crate::formula::Relation;

/// Of which items so many are meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Among {
    /// Of those that are named behind it.
    Listed,
    /// Of all, by the values of a category.
    Category(usize),
    /// Of all, without a category: 'people'.
    Everything,
}

/// Nouns for items of any kind.
const NOUNS: [&str; 5] = ["people", "persons", "person", "items", "them"];

/// Words of the list that says nothing which cannot stand between a counted noun and what is said of it: behind them 'two
/// houses' would be an amount, and 'two people who …' would count some of the people.
const NO_VERBS: [&str; 17] = [
    "to", "on", "in", "at", "of", "for", "with", "from", "who", "that", "which", "whose", "where", "there", "into",
    "the", "a",
];

/// The words for a number of items that begin at token `at`, behind the symbols so far, and where they end.
pub(super) fn how_many(
    context: &Context,
    text: &str,
    tokens: &[Token],
    at: usize,
    before: &[Placed],
) -> Result<Option<(Symbol, usize)>, Refusal> {
    if !before.last().is_none_or(|(symbol, _)| opens(symbol)) || counted(tokens, at).is_some() {
        return Ok(None);
    }
    let reader = Reader { context, text, tokens };
    let place = tokens[at].at;
    if let Some(behind) = reader.words(at, "none of") {
        return Ok(reader.among(behind - 1)?.map(|(among, end)| (symbol(Relation::Equal, 0, among), end)));
    }
    if reader.word(at) == Some("no")
        && let Some((among, end)) = reader.noun(at + 1)
        && reader.is_verb(end)
    {
        return Ok(Some((symbol(Relation::Equal, 0, among), end)));
    }
    let bounds = BOUNDS.iter().copied().chain([("only", Relation::Equal)]);
    let (relation, number) = match bounds.into_iter().find_map(|(words, r)| Some((Some(r), reader.words(at, words)?))) {
        Some(found) => found,
        None => (None, at),
    };
    let Some((count, unit)) = reader.number(number) else { return Ok(None) };
    let found = match unit {
        Some(UnitWord::Noun(category)) => Some((Among::Category(category), number + 1)),
        Some(UnitWord::Place) => Some((Among::Everything, number + 1)),
        Some(UnitWord::Unit(..)) => None,
        None => match reader.word(number + 1) {
            Some("of") => reader.among(number + 1)?,
            _ => reader.noun(number + 1),
        },
    };
    let partitive = reader.word(number + 1) == Some("of");
    let Some((among, end)) = found.filter(|&(_, end)| partitive || reader.is_verb(end)) else { return Ok(None) };
    let (relation, count) = match relation {
        Some(Relation::Greater) => (Relation::AtLeast, count.saturating_add(1)),
        Some(Relation::Less) if count > 0 => (Relation::AtMost, count - 1),
        Some(Relation::Less) => return Err(Refusal::new(place, "there are never fewer than none")),
        Some(relation) => (relation, count),
        // 'One of the guests …' is somebody; a number of people may be a part of those who are meant.
        None if count < 2 => return Ok(None),
        None => {
            let message = format!("this may mean exactly {count} or at least {count}: write which");
            return Err(Refusal::new(place, message));
        }
    };
    Ok(Some((symbol(relation, count, among), end)))
}

fn symbol(relation: Relation, count: usize, among: Among) -> Symbol {
    Symbol::HowMany(relation, count, among)
}

/// Whether a new part of the sentence begins behind the symbol.
fn opens(symbol: &Symbol) -> bool {
    use Symbol as S;
    matches!(
        symbol,
        S::And
            | S::Or
            | S::If
            | S::Then
            | S::Iff
            | S::OnlyIf
            | S::NotThat
            | S::Comma
            | S::Stop
            | S::Either
            | S::Count(..)
    )
}

struct Reader<'c, 'p, 't> {
    context: &'c Context<'p>,
    text: &'t str,
    tokens: &'t [Token],
}

impl<'t> Reader<'_, '_, 't> {
    fn word(&self, at: usize) -> Option<&'t str> {
        self.tokens.get(at).and_then(Token::word)
    }

    /// Behind these words, if they stand at a token.
    fn words(&self, at: usize, words: &str) -> Option<usize> {
        words.split(' ').try_fold(at, |at, word| (self.word(at) == Some(word)).then_some(at + 1))
    }

    /// A number at a token, and the word for what it counts if that belongs to the token.
    fn number(&self, at: usize) -> Option<(usize, Option<UnitWord>)> {
        let (value, unit) = match &self.tokens.get(at)?.kind {
            Kind::Word(word) => (number_word(word)?, None),
            Kind::Number(number) => (number.value, number.unit),
            _ => return None,
        };
        Some((usize::try_from(value.as_whole()?).ok()?, unit))
    }

    /// What follows 'of': names, of which there are at least two, or a noun.
    fn among(&self, of: usize) -> Result<Option<(Among, usize)>, Refusal> {
        let article = |word: &str| matches!(word, "the" | "these" | "those" | "all");
        let mut at = of + 1;
        while self.word(at).is_some_and(article) {
            at += 1;
        }
        let several = match self.tokens.get(at + 1).map(|t| &t.kind) {
            Some(Kind::Comma) => true,
            Some(Kind::Word(word)) => word == "and" || word == "or",
            _ => false,
        };
        match self.tokens.get(at).map(|t| &t.kind) {
            Some(Kind::Name(_)) if several => Ok(Some((Among::Listed, of + 1))),
            _ => {
                // 'Two of the five singers': how many there are is known.
                let Some((count, unit)) = self.number(at) else { return Ok(self.noun(at)) };
                let found = match unit {
                    Some(UnitWord::Noun(category)) => Some((Among::Category(category), at + 1)),
                    Some(UnitWord::Place) => Some((Among::Everything, at + 1)),
                    _ => self.noun(at + 1),
                };
                match found.map(|(among, _)| self.size(among)) {
                    Some(size) if size != count => {
                        let message = format!("the clue speaks of {count}, and there are {size}");
                        Err(Refusal::new(self.tokens[at].at, message))
                    }
                    _ => Ok(found),
                }
            }
        }
    }

    fn size(&self, among: Among) -> usize {
        let categories = self.context.categories;
        let exact = categories.iter().position(|c| c.kind == crate::puzzle::Kind::Exact);
        let category = if let Among::Category(category) = among { Some(category) } else { exact };
        category.map_or(0, |c| categories[c].len())
    }

    /// A noun for items, and where it ends.
    fn noun(&self, at: usize) -> Option<(Among, usize)> {
        let (word, place) = (self.word(at)?, self.tokens[at].at);
        if let Some((category, end)) = self.context.names.category(self.text, place, Style::English) {
            let behind = self.tokens[at..].iter().position(|t| t.at >= end).map_or(self.tokens.len(), |i| at + i);
            return Some((Among::Category(category), behind));
        }
        let singular = word.strip_suffix("ies").map(|stem| format!("{stem}y"));
        let named = |c: &crate::puzzle::Category| singular.as_ref().is_some_and(|s| c.name.to_lowercase() == *s);
        if let Some(category) = self.context.categories.iter().position(named) {
            return Some((Among::Category(category), at + 1));
        }
        let generic = NOUNS.contains(&word)
            || PLACE_NOUNS.contains(&word)
            || self.context.words.iter().any(|own| fillers::is_form_of(word, own))
            || self.context.categories.iter().any(|c| fillers::is_form_of(word, &c.name));
        generic.then_some((Among::Everything, at + 1))
    }

    /// Whether a verb stands there that says nothing: 'are', 'have', 'sing'.
    fn is_verb(&self, at: usize) -> bool {
        self.word(at).is_some_and(|word| fillers::is_filler(self.context, word) && !NO_VERBS.contains(&word))
    }
}

#[cfg(test)]
mod tests {
    use crate::read::{Context, read_puzzle};
    use crate::write::{Speaker, strict};

    const HEAD: &str = "seat: 1..4\nsinger: Ann, Ben, Cleo, Dirk\nvoice [repeated]: soprano, alto, bass\n\
                        tool [shared]: saw, axe, pick, rope, nail\nfiller: guest, sing\nclues:\n";

    /// The strict form of a clue, or why it is refused.
    fn read(clue: &str) -> Result<String, String> {
        let puzzle = read_puzzle(&format!("{HEAD}{clue}\n"), "p").map_err(|e| e.to_string())?;
        let (formula, text) = (&puzzle.clues[0].formula, strict(&puzzle.categories, &puzzle.clues[0].formula));
        let context = Context::new(&puzzle.categories, None);
        for form in [text.clone(), Speaker::new(&puzzle).sentence(formula)] {
            assert_eq!(context.clue(&form).map(|read| read.0).as_ref(), Ok(formula), "{clue}: {form}");
        }
        Ok(text)
    }

    #[test]
    fn counts_in_words() {
        for (clue, expected) in [
            ("Exactly two of the singers are sopranos.", "exactly 2 of (x in singer: x = soprano)"),
            ("Exactly two singers are sopranos.", "exactly 2 of (x in singer: x = soprano)"),
            ("Only 2 singers are sopranos.", "exactly 2 of (x in singer: x = soprano)"),
            ("At least one of the singers is a bass.", "at least 1 of (x in singer: x = bass)"),
            ("More than one of the four singers is a bass.", "at least 2 of (x in singer: x = bass)"),
            ("Fewer than three seats are bass.", "at most 2 of (x in seat: x = bass)"),
            ("None of the singers is a bass.", "exactly 0 of (x in singer: x = bass)"),
            ("No singer is an alto.", "exactly 0 of (x in singer: x = alto)"),
            ("At most two guests sing alto.", "at most 2 of (x in seat: x = alto)"),
            ("No more than two people sing alto or bass.", "at most 2 of (x in seat: x in {alto, bass})"),
            ("At least 1 of the singers is not a bass.", "at least 1 of (x in singer: x != bass)"),
            ("Exactly two of the tools belong to Ann.", "exactly 2 of (x in tool: x = Ann)"),
            ("None of Ann and Ben has the saw.", "exactly 0 of (Ann = saw, Ben = saw)"),
            (
                "Exactly one of Ann, Ben and the owner of the axe is a soprano.",
                "exactly 1 of (Ann = soprano, Ben = soprano, axe = soprano)",
            ),
            (
                "If exactly one singer is a bass, then Ann is an alto.",
                "exactly 1 of (x in singer: x = bass) -> Ann = alto",
            ),
            (
                "Exactly two singers are sopranos and Ann is a bass.",
                "exactly 2 of (x in singer: x = soprano) and Ann = bass",
            ),
            ("There are two seats between Ann and Ben.", "|Ann - Ben| = 3 in seat"),
            ("Ann is exactly two seats from Ben.", "|Ann - Ben| = 2 in seat"),
            ("Exactly one of these is true: Ann is alto; Ben is bass.", "exactly 1 of (Ann = alto, Ben = bass)"),
        ] {
            assert_eq!(read(clue).as_deref(), Ok(expected), "{clue}");
        }
        let placed = read("Exactly two of the singers sat somewhere to the left of Ann.").unwrap();
        assert!(placed.starts_with("exactly 2 of (Ann < Ann in seat, Ben < Ann in seat, "), "{placed}");
    }

    #[test]
    fn amounts_choose_what_is_compared() {
        let head = "turn: 1..3\nname: Ann, Ben, Cleo\npages: 120, 150, 225\nprice (pound, pounds) [spare]: 1..12\norder by: turn\nclues:\n";
        for (clue, expected) in [
            ("Ann paid more than 10 pounds.", "Ann > price:10 in price"),
            ("Ann paid less than 10.", "Ann < price:10 in price"),
            ("Ann paid less than price 3.", "Ann < price:3 in price"),
            ("Exactly two of the names paid at most 3 more than Cleo.", "this leaves open"),
            (
                "None of Ann and Ben paid more than 10 pounds.",
                "exactly 0 of (Ann > price:10 in price, Ben > price:10 in price)",
            ),
            // An item, not an amount: what is meant is the order.
            ("Ann came later than the owner with 150 pages.", "Ann > pages:150 in turn"),
        ] {
            let read = read_puzzle(&format!("{head}{clue}\n"), "p");
            let text = match &read {
                Ok(puzzle) => strict(&puzzle.categories, &puzzle.clues[0].formula),
                Err(error) => error.to_string(),
            };
            assert!(text.contains(expected), "{clue}: {text}");
        }
    }

    #[test]
    fn counts_that_are_not_clear_or_not_possible() {
        for (clue, expected) in [
            ("Two of the singers are sopranos.", "exactly 2 or at least 2: write which"),
            ("Two guests are sopranos.", "exactly 2 or at least 2: write which"),
            ("Exactly five of the singers are sopranos.", "speaks of 5, and there are only 4"),
            ("Exactly two of the singers sat in the first seat.", "'1' belongs to no more than one item"),
            ("Exactly two voices are Ann.", "counts values of voice"),
            ("Exactly two of the singers are Ann.", "both values of singer"),
            ("Exactly two of the other singers are sopranos.", "'exactly' is not understood here"),
            ("Exactly two of the three singers are sopranos.", "speaks of 3, and there are 4"),
            ("Fewer than zero singers are sopranos.", "never fewer than none"),
        ] {
            let message = read(clue).unwrap_err();
            assert!(message.contains(expected), "{clue}: {message}");
        }
    }
}
