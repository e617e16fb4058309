//! Words that name a quantity, such as 'cheaper', 'older' or 'paid': whatever `order by` names, they compare that.

use super::lexer::{Kind, Token};
use super::phrases::{PLACE_NOUNS, is_amount_word};
use super::{Context, fillers};

/// A quantity that words and categories are about. In the lists of words a trailing `*` stands for a short ending.
struct Quantity {
    /// Comparatives, and adjectives as in 'more expensive than'.
    words: &'static str,
    /// Words that say that something has it.
    verbs: &'static str,
    /// Words in names of categories.
    names: &'static str,
    units: &'static str,
    /// Whether its words are also said of any order, as 'earlier' is.
    general: bool,
}

const QUANTITIES: [Quantity; 8] = [
    Quantity {
        words: "cheaper dearer costlier pricier expensive costly money valuable dear",
        verbs: "cost costs costing pay pays paid paying price* spend spends spent spending",
        names: "price* cost* fee* fare* bill* money value* rent* salary wage* budget* payment*",
        units: "dollar* pound pounds euro* cent cents penny pence franc* crown* yen",
        general: false,
    },
    Quantity { words: "older younger old", verbs: "aged", names: "age ages", units: "year*", general: false },
    Quantity {
        words: "taller shorter tall",
        verbs: "",
        names: "height* tallness",
        units: "metre* meter* centimetre* centimeter* cm inch* foot feet",
        general: false,
    },
    Quantity {
        words: "longer shorter long",
        verbs: "",
        names: "length* distance* duration*",
        units: "metre* meter* centimetre* centimeter* kilometre* kilometer* km cm mile* inch* foot feet yard* minute* hour*",
        general: false,
    },
    Quantity {
        words: "heavier lighter heavy",
        verbs: "weigh weighs weighed weighing",
        names: "weight* mass",
        units: "kilogram* kilo kilos kg gram* ounce* ton tons tonne* stone pound pounds",
        general: false,
    },
    Quantity {
        words: "deeper shallower deep",
        verbs: "",
        names: "depth*",
        units: "metre* meter* fathom* foot feet",
        general: false,
    },
    Quantity {
        words: "wider narrower wide",
        verbs: "",
        names: "width* breadth*",
        units: "metre* meter* foot feet",
        general: false,
    },
    Quantity {
        words: "earlier later sooner",
        verbs: "",
        names: "time* hour* minute* day* date* week* weekday* month* year* decade* century centuries",
        units: "second* minute* hour* day* week* month* year*",
        general: true,
    },
];

impl Quantity {
    fn fits(&self, context: &Context, category: usize) -> bool {
        let category = &context.categories[category];
        let name = category.name.to_lowercase();
        name.split(|c: char| !c.is_alphabetic()).any(|word| listed(self.names, word))
            || category.units.iter().any(|unit| listed(self.units, &unit.word))
    }
}

fn listed(list: &str, word: &str) -> bool {
    list.split_ascii_whitespace().any(|entry| match entry.strip_suffix('*') {
        // Endings of the plural and the like, not other words.
        Some(stem) => word.strip_prefix(stem).is_some_and(|ending| ending.len() <= 2),
        None => entry == word,
    })
}

/// A word that says what is compared.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Named {
    word: String,
    /// The ordered categories that it may mean.
    categories: Vec<usize>,
    /// Whether it surely belongs to the comparison, and not to something else in the sentence.
    near: bool,
    /// Whether it is also said of any order.
    general: bool,
}

/// What the words of a comparison and those around it name; none where they name nothing. The comparison are the tokens
/// from `at` to `end`.
pub(super) fn named(context: &Context, tokens: &[Token], at: usize, end: usize) -> Option<Named> {
    let own = || tokens[at..end].iter().filter_map(Token::word);
    if let Some(named) = own().find_map(|word| of(context, word, true, |quantity| quantity.words)) {
        return Some(named);
    }
    if !own().any(is_amount_word) {
        return None;
    }
    // 'Ann paid more than Bob', 'more than Bob paid': the verb stands beside it.
    let before = tokens[..at].iter().rev();
    let verb = before.clone().map_while(Token::word).find_map(|word| meant(context, word, true));
    let is_item = |token: &Token| matches!(token.kind, Kind::Name(_) | Kind::Number(_));
    let item = tokens[end..].iter().position(is_item).map_or(tokens.len(), |i| end + i + 1);
    let behind = || tokens[item..].iter().map_while(Token::word).find_map(|word| meant(context, word, true));
    let far = || before.filter_map(Token::word).find_map(|word| meant(context, word, false));
    verb.or_else(behind).or_else(far)
}

/// What a word beside a comparison says: a verb, or a form of the name of a category. The plain name may stand there for
/// something else, as in 'the man of the third month paid more'.
fn meant(context: &Context, word: &str, near: bool) -> Option<Named> {
    let by_name = || {
        let forms = |&c: &usize| fillers::is_form_of(word, &context.categories[c].name);
        let categories: Vec<usize> = context.ordered().into_iter().filter(forms).collect();
        let plain = |&c: &usize| {
            let name = context.categories[c].name.to_lowercase();
            name.split_whitespace()
                .any(|part| word.strip_prefix(part).is_some_and(|end| matches!(end, "" | "s" | "es")))
        };
        let near = near && !categories.iter().any(plain);
        let named = Named { word: word.into(), categories, near, general: false };
        (!named.categories.is_empty() && !PLACE_NOUNS.contains(&word)).then_some(named)
    };
    of(context, word, near, |quantity| quantity.verbs).or_else(by_name)
}

/// By the quantities that have a word in one of their lists.
fn of(context: &Context, word: &str, near: bool, list: impl Fn(&Quantity) -> &'static str) -> Option<Named> {
    let quantities: Vec<&Quantity> = QUANTITIES.iter().filter(|quantity| listed(list(quantity), word)).collect();
    if quantities.is_empty() {
        return None;
    }
    let fits = |&c: &usize| quantities.iter().any(|quantity| quantity.fits(context, c));
    let categories = context.ordered().into_iter().filter(fits).collect();
    Some(Named { word: word.into(), categories, near, general: quantities.iter().all(|quantity| quantity.general) })
}

impl Named {
    /// The category that is compared, none if any may be.
    ///
    /// # Errors
    /// What the word may mean.
    pub(super) fn category(&self, context: &Context) -> Result<Option<usize>, String> {
        let Self { word, categories, near, general } = self;
        let declared = context.order_by;
        match (&categories[..], near) {
            (&[only], true) => Ok(Some(only)),
            (_, _) if declared.is_some_and(|c| categories.contains(&c)) => Ok(declared),
            ([], false) => Ok(None),
            ([], true) if *general => {
                let other = |c| QUANTITIES.iter().any(|quantity| !quantity.general && quantity.fits(context, c));
                match declared.filter(|&c| other(c)) {
                    Some(c) => Err(format!("'{word}' does not go with {}: add 'in …'", context.listed([c]))),
                    None => Ok(None),
                }
            }
            ([], true) => Err(format!(
                "'{word}' says what is compared, but no ordered category is known to be that: add 'in …' ({})",
                context.listed(context.ordered())
            )),
            (several, true) => {
                Err(format!("'{word}' may mean {}: add 'in …'", context.listed(several.iter().copied())))
            }
            (some, false) => {
                let all = some.iter().copied().chain(declared);
                Err(format!("by '{word}' this may compare {}: add 'in …'", context.listed(all)))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::read::read_puzzle;
    use crate::write::strict;

    fn read(order: &str, clue: &str) -> Result<String, String> {
        let text = format!(
            "turn: 1..3\nname: Ann, Bob, Cleo\nprice (pound, pounds): 5, 8, 9\nage: 30, 41, 52\nscore: 7, 11, 15\n\
             month: March < April < May\n{order}filler: scored, get\nclues:\n{clue}\n"
        );
        let puzzle = read_puzzle(&text, "p").map_err(|error| error.to_string())?;
        Ok(strict(&puzzle.categories, &puzzle.clues[0].formula))
    }

    #[test]
    fn words_that_name_a_quantity_are_not_overridden() {
        for order in ["", "order by: turn\n", "order by: age\n"] {
            for (clue, expected) in [
                ("Ann paid less than Bob.", "Ann < Bob in price"),
                ("Ann cost more than Bob.", "Ann > Bob in price"),
                ("Ann is cheaper than Bob.", "Ann < Bob in price"),
                ("Ann was more expensive than Bob paid.", "Ann > Bob in price"),
                ("Ann got more than Bob paid.", "Ann > Bob in price"),
                ("Ann cost twice as much as Bob.", "no value of price is 2 times another"),
                ("Ann cost 3 more than Bob.", "Ann = Bob + 3 in price"),
                ("Ann is older than Bob.", "Ann > Bob in age"),
                ("Ann scored more than Bob.", "Ann > Bob in score"),
                ("Ann is earlier than Bob.", "Ann < Bob in month"),
                ("Ann paid less than Bob in score.", "Ann < Bob in score"),
                (
                    "Ann is taller than Bob.",
                    "'taller' says what is compared, but no ordered category is known to be that",
                ),
                ("Ann paid 5 pounds and has more than Bob.", "by 'paid' this may compare price"),
            ] {
                match read(order, clue) {
                    Ok(said) => assert_eq!(said, expected, "{order}{clue}"),
                    Err(error) => assert!(error.contains(expected), "{order}{clue}: {error}"),
                }
            }
        }
    }

    #[test]
    fn other_comparisons_are_by_the_declared_order() {
        for clue in ["Ann has more than Bob.", "Ann is before Bob.", "Ann is higher than Bob."] {
            assert!(read("", clue).unwrap_err().contains("several categories have an order"), "{clue}");
            assert!(read("order by: age\n", clue).unwrap().ends_with("Bob in age"), "{clue}");
        }
        // Of several that a word may mean, the declared one.
        let text = |order: &str| {
            format!(
                "year: 1..3\nmonth: March < April < May\nname: Ann, Bob, Cleo\n{order}clues:\nAnn is later than Bob.\n"
            )
        };
        let error = read_puzzle(&text(""), "p").unwrap_err().to_string();
        assert!(error.contains("'later' may mean year, month: add 'in …'"), "{error}");
        let puzzle = read_puzzle(&text("order by: year\n"), "p").unwrap();
        assert_eq!(strict(&puzzle.categories, &puzzle.clues[0].formula), "Ann > Bob in year");
        // 'Later' does not go with a price.
        let text = "price: 1..3\nturn: 1..3\nname: Ann, Bob, Cleo\norder by: price\nclues:\nAnn is later than Bob.\n";
        let error = read_puzzle(text, "p").unwrap_err().to_string();
        assert!(error.contains("'later' does not go with price: add 'in …'"), "{error}");
    }
}
