//! Words that mean something in a clue.

use crate::number::Decimal;

/// Words for places in a row: the plural of each stands behind it.
pub(super) const PLACE_NOUNS: [&str; 18] = [
    "place",
    "places",
    "position",
    "positions",
    "spot",
    "spots",
    "house",
    "houses",
    "door",
    "doors",
    "seat",
    "seats",
    "step",
    "steps",
    "rank",
    "ranks",
    "slot",
    "slots",
];

pub(super) const NUMBERS: [&str; 21] = [
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
    "twenty",
];

const ORDINALS: [&str; 20] = [
    "first",
    "second",
    "third",
    "fourth",
    "fifth",
    "sixth",
    "seventh",
    "eighth",
    "ninth",
    "tenth",
    "eleventh",
    "twelfth",
    "thirteenth",
    "fourteenth",
    "fifteenth",
    "sixteenth",
    "seventeenth",
    "eighteenth",
    "nineteenth",
    "twentieth",
];

/// The number that a word stands for.
pub(super) fn number_word(word: &str) -> Option<Decimal> {
    Decimal::whole(NUMBERS.iter().position(|n| *n == word)? as i64)
}

/// The place that an ordinal stands for, counted from 1.
pub(super) fn ordinal(word: &str) -> Option<usize> {
    Some(ORDINALS.iter().position(|o| *o == word)? + 1)
}

/// What a comparative compares by, as far as its word says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Flavour {
    /// Any ordered category.
    Any,
    /// Places in a row.
    Row,
    /// Ages; not years of birth or making, where the older has the smaller number.
    Age,
}

/// Comparatives, whether they mean the larger value, and what they compare.
pub(super) const COMPARATIVES: [(&str, bool, Flavour); 28] = [
    ("more", true, Flavour::Any),
    ("greater", true, Flavour::Any),
    ("higher", true, Flavour::Any),
    ("larger", true, Flavour::Any),
    ("bigger", true, Flavour::Any),
    ("longer", true, Flavour::Any),
    ("taller", true, Flavour::Any),
    ("heavier", true, Flavour::Any),
    ("deeper", true, Flavour::Any),
    ("wider", true, Flavour::Any),
    ("dearer", true, Flavour::Any),
    ("costlier", true, Flavour::Any),
    ("pricier", true, Flavour::Any),
    ("later", true, Flavour::Any),
    ("older", true, Flavour::Age),
    ("less", false, Flavour::Any),
    ("fewer", false, Flavour::Any),
    ("lower", false, Flavour::Any),
    ("smaller", false, Flavour::Any),
    ("shorter", false, Flavour::Any),
    ("lighter", false, Flavour::Any),
    ("shallower", false, Flavour::Any),
    ("narrower", false, Flavour::Any),
    ("cheaper", false, Flavour::Any),
    ("earlier", false, Flavour::Any),
    ("younger", false, Flavour::Age),
    ("sooner", false, Flavour::Any),
    ("lesser", false, Flavour::Any),
];

/// Words for more of something, without saying of what: they may stand between 'more' and 'than' and in 'twice as … as'.
pub(super) const ADJECTIVES: [&str; 16] = [
    "expensive",
    "costly",
    "money",
    "valuable",
    "old",
    "tall",
    "long",
    "heavy",
    "large",
    "big",
    "high",
    "deep",
    "wide",
    "dear",
    "many",
    "much",
];

/// Whether a word compares amounts of anything, as 'more' and 'twice' do.
pub(super) fn is_amount_word(word: &str) -> bool {
    const WORDS: [&str; 20] = [
        "more", "greater", "higher", "larger", "bigger", "less", "fewer", "lower", "smaller", "lesser", "much", "many",
        "high", "large", "times", "twice", "double", "thrice", "triple", "half",
    ];
    WORDS.contains(&word)
}

/// Words that change what a sentence says. One that no rule has used makes the clue unreadable, and no puzzle can declare
/// them as filler.
const MEANINGFUL: &str = "\
    not never no none nobody nothing nor neither either or and but if then unless except without only \
    all every everyone everybody each both any anyone some many much few several another \
    least most exactly half twice double thrice triple times same different than \
    between left right before after next beside adjacent neighbour neighbours neighbor neighbors neighbouring \
    ahead behind above below under over near opposite prior following preceding \
    hates hate hated dislikes dislike disliked avoids avoided refuses refused lacks lacked loses lost \
    other others apart away end ends odd even parity instead rather likewise respectively because while whereas twins \
    hardly scarcely barely almost nearly about around may might could would should maybe perhaps possibly probably \
    usually sometimes often once again when until since";

/// Whether no rule may leave this word over; hyphenated words count by their parts.
pub(super) fn is_meaningful(word: &str) -> bool {
    word.split('-').any(|part| {
        MEANINGFUL.split_ascii_whitespace().any(|word| word == part)
            || ordinal(part).is_some()
            || COMPARATIVES.iter().any(|(c, ..)| *c == part)
            || ["middle", "center", "centre", "leftmost", "rightmost", "last"].contains(&part)
            || part.len() > 4 && part.ends_with("est") && !NOT_SUPERLATIVE.contains(&part)
    })
}

/// Words on -est that compare nothing.
const NOT_SUPERLATIVE: [&str; 12] = [
    "guest", "forest", "interest", "request", "harvest", "chest", "quest", "modest", "honest", "nest", "contest",
    "priest",
];
