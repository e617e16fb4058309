//! Words that say nothing, and what to say about all others.
//!
//! A word of a clue is understood, or it stands in this list, or the clue is refused. A puzzle adds words of its own in a line
//! `filler: sail, carry`; their plain forms stand for the others, sails and sailed.

use super::Context;
use super::lexer::{Kind, Token};
use super::phrases::{PLACE_NOUNS, is_meaningful, number_word};

/// Articles, pronouns, prepositions, forms of 'to be', 'to have' and 'to do', and what people in puzzles are and usually do.
const FILLERS: &str = "\
    a an the this that these those who whom whose which where there it he she they his her him hers their them its \
    is are was were be been being has have had having does do did \
    of in at on with for to into also too \
    one ones person persons people man men woman women boy boys girl girls child children home order old \
    owner owners resident residents native natives winner winners \
    live lives lived living own owns owned owning keep keeps kept keeping belong belongs belonged \
    drink drinks drank drunk drinking drinker drinkers smoke smokes smoked smoking smoker smokers \
    eat eats ate eaten eating wear wears wore worn wearing play plays played playing player \
    drive drives drove driven driving driver ride rides rode ridden riding rider read reads reading \
    buy buys bought buying pay pays paid paying cost costs order orders ordered ordering get gets got \
    choose chooses chose chosen pick picks picked find finds found discovered grow grows grew grown grower \
    work works worked working study studies studied studying visit visits visited visiting \
    come comes came go goes went sit sits sat sitting stay stays stayed sleep sleeps slept \
    make makes made take takes took taken bring brings brought use uses used carry carries carried \
    win wins won raise raises raised rear rears reared breed breeds bred cook cooks cooked born named called";

/// Verbs behind which 'as' means a profession or a role.
const BEFORE_AS: [&str; 6] = ["work", "works", "worked", "working", "known", "dressed"];

/// Participles behind which 'by' means who did it, besides those on -ed.
const BEFORE_BY: [&str; 14] = [
    "found", "drunk", "kept", "worn", "driven", "chosen", "grown", "bought", "made", "taken", "eaten", "won", "ridden",
    "read",
];

/// Whether a word says nothing in this puzzle, wherever it stands.
pub(super) fn is_filler(context: &Context, word: &str) -> bool {
    FILLERS.split_ascii_whitespace().any(|filler| filler == word)
        || PLACE_NOUNS.contains(&word)
        || context.words.iter().any(|own| is_form_of(word, own))
        || context.categories.iter().any(|c| is_form_of(word, &c.name))
}

/// Whether the word at `at` says nothing where it stands.
pub(super) fn says_nothing(context: &Context, tokens: &[Token], at: usize) -> bool {
    let Kind::Word(word) = &tokens[at].kind else { return false };
    let before = at.checked_sub(1).and_then(|i| tokens[i].word()).unwrap_or("");
    match word.as_str() {
        // 'A house from' would count.
        "from" => !PLACE_NOUNS.contains(&before),
        // 'By the lake' would be near it.
        "by" => before.ends_with("ed") || BEFORE_BY.contains(&before),
        "as" => BEFORE_AS.contains(&before) || names_category(context, tokens, at + 1),
        word => is_filler(context, word),
    }
}

/// Whether the next word, behind an article, is a form of a category's name, as in 'keeps dogs as pets'.
fn names_category(context: &Context, tokens: &[Token], at: usize) -> bool {
    let article = |word: &str| matches!(word, "a" | "an" | "the" | "his" | "her" | "their");
    let at = if tokens.get(at).and_then(Token::word).is_some_and(article) { at + 1 } else { at };
    let noun = tokens.get(at).and_then(Token::word);
    noun.is_some_and(|noun| context.categories.iter().any(|c| is_form_of(noun, &c.name)))
}

/// Whether a puzzle may declare that the word says nothing.
pub(crate) fn is_fit_to_declare(word: &str) -> bool {
    let letters = |c: char| c.is_alphabetic() || c == '-' || c == '\'';
    let shifty = matches!(word, "as" | "by" | "from") || is_meaningful(word) || number_word(word).is_some();
    !word.is_empty() && word.chars().all(letters) && !shifty
}

/// Whether a word is a category's name, one word of it, its plural, or who does it: drink, drinks, drinker.
pub(super) fn is_form_of(word: &str, name: &str) -> bool {
    let name = name.to_lowercase();
    let form = |part: &str| {
        let endings: &[&str] =
            if part.len() > 3 { &["", "s", "es", "d", "ed", "r", "rs", "er", "ers"] } else { &["", "s"] };
        word.strip_prefix(part).is_some_and(|ending| endings.contains(&ending))
            || part.len() > 4 && part.strip_suffix('e').is_some_and(|stem| word.strip_prefix(stem) == Some("ing"))
            || part.len() > 3 && word.strip_prefix(part) == Some("ing")
    };
    word == name || name.split_whitespace().any(form)
}

/// Why a clue with this word is refused.
pub(super) fn unknown(context: &Context, word: &str) -> String {
    const MOST: usize = 60;
    if word.chars().count() > MOST {
        return format!("the word '{}…' is not understood", word.chars().take(MOST).collect::<String>());
    }
    if is_meaningful(word) || matches!(word, "as" | "true") {
        return format!("'{word}' is not understood here, and it could change the meaning");
    }
    if number_word(word).is_some() || word.chars().all(|c| c.is_ascii_digit()) {
        return format!("the number '{word}' is no value and no amount that is understood");
    }
    if word == "from" || word == "by" {
        return format!("'{word}' is not understood here: it could say where something is");
    }
    match meant(context, word) {
        Some(meant) => format!("'{word}' is not understood: {meant}"),
        None => {
            format!("'{word}' is not understood; if it says nothing of its own, write 'filler: {word}' above the clues")
        }
    }
}

/// 'is … meant?' with the names that are spelt much as the word is; none if there are none.
pub(super) fn meant(context: &Context, word: &str) -> Option<String> {
    let word = word.to_lowercase();
    let close = |name: &str| {
        let one = |part: &str| {
            let most = if part.chars().count().min(word.chars().count()) > 5 { 2 } else { 1 };
            (1..=most).contains(&distance(part, &word))
        };
        let name = name.to_lowercase();
        one(&name) || name.contains(' ') && name.split(' ').filter(|part| part.len() > 3).any(one)
    };
    let mut found: Vec<&str> = Vec::new();
    for category in context.categories {
        let names = category.values.iter().map(|value| &value.name).chain([&category.name]);
        found.extend(names.map(String::as_str).filter(|name| close(name)));
    }
    if found.is_empty() {
        let long = FILLERS.split_ascii_whitespace().filter(|filler| filler.len() > 3);
        found.extend(long.filter(|filler| distance(filler, &word) == 1));
    }
    found.truncate(3);
    let names: Vec<String> = found.iter().map(|name| format!("'{name}'")).collect();
    (!names.is_empty()).then(|| format!("is {} meant?", names.join(" or ")))
}

/// How many letters have to be put in, left out, replaced, or exchanged with their neighbour.
fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    if a.len().abs_diff(b.len()) > 2 {
        return usize::MAX;
    }
    let mut rows = vec![(0..=b.len()).collect::<Vec<usize>>()];
    for i in 1..=a.len() {
        let mut row = vec![i];
        for j in 1..=b.len() {
            let replaced = rows[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let mut least = replaced.min(rows[i - 1][j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                least = least.min(rows[i - 2][j - 2] + 1);
            }
            row.push(least);
        }
        rows.push(row);
    }
    rows[a.len()][b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_of_words() {
        for (a, b, expected) in [
            ("dog", "dog", 0),
            ("dgo", "dog", 1),
            ("dogs", "dog", 1),
            ("fox", "dog", 2),
            ("Englisman", "Englishman", 1),
        ] {
            assert_eq!(distance(a, b), expected, "{a} {b}");
        }
    }

    #[test]
    fn forms_of_categories() {
        for (word, name) in [("drinker", "drink"), ("smoker", "smoke"), ("smoking", "smoke"), ("scoop", "first scoop")]
        {
            assert!(is_form_of(word, name), "{word}");
        }
        for (word, name) in [("peter", "pet"), ("drinkable", "drink"), ("ages", "rage")] {
            assert!(!is_form_of(word, name), "{word}");
        }
    }

    #[test]
    fn no_filler_is_meaningful() {
        let wrong: Vec<&str> = FILLERS.split_ascii_whitespace().filter(|word| is_meaningful(word)).collect();
        assert!(wrong.is_empty(), "{wrong:?}");
    }
}
