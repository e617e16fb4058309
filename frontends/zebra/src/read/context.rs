//! What readers of clues ask about the puzzle.

use super::names::Names;
use super::{Refusal, english, fillers, questions, strict};
use crate::formula::{Compare, Counting, Formula, Measure};
use crate::number::Decimal;
use crate::puzzle::{Category, Kind, Question, Term};

/// What the reader of clues knows about the puzzle.
pub(crate) struct Context<'p> {
    pub(crate) categories: &'p [Category],
    pub(crate) order_by: Option<usize>,
    pub(super) names: Names,
    /// Words that say nothing in this puzzle's clues.
    pub(super) words: &'p [String],
}

impl<'p> Context<'p> {
    /// What to know to read clues about these categories.
    pub(crate) fn new(categories: &'p [Category], order_by: Option<usize>) -> Self {
        Self::with_words(categories, order_by, &[])
    }

    /// The same for a puzzle that declares words which say nothing.
    pub(crate) fn with_words(categories: &'p [Category], order_by: Option<usize>, words: &'p [String]) -> Self {
        Self { categories, order_by, names: Names::new(categories), words }
    }

    /// A clue's meaning, with what its author should know.
    ///
    /// # Errors
    /// Why the clue has no reading or more than one.
    pub(crate) fn clue(&self, text: &str) -> Result<(Formula, Vec<String>), Refusal> {
        match strict::formula(self, text) {
            Ok(formula) => Ok((formula, Vec::new())),
            Err(refusal) if strict::looks_strict(text) => Err(self.with_candidates(refusal, text)),
            Err(_) => english::clue(self, text),
        }
    }

    /// A refusal for a name that nothing has, with the names that are spelt like it.
    fn with_candidates(&self, refusal: Refusal, text: &str) -> Refusal {
        let rest = text.get(refusal.at..).unwrap_or("").trim_start_matches('"');
        let word = rest.split(|c: char| !c.is_alphanumeric() && c != '-').next().unwrap_or("");
        match fillers::meant(self, word).filter(|_| refusal.message == strict::NO_VALUE) {
            Some(meant) => Refusal::new(refusal.at, format!("{}: {meant}", refusal.message)),
            None => refusal,
        }
    }

    /// A question's meaning.
    ///
    /// # Errors
    /// Why it has none.
    pub(crate) fn question(&self, text: &str) -> Result<Question, Refusal> {
        questions::question(self, text)
    }

    /// The names of categories, for messages: `age, price`.
    pub(super) fn listed(&self, categories: impl IntoIterator<Item = usize>) -> String {
        categories.into_iter().map(|c| self.categories[c].name.as_str()).collect::<Vec<_>>().join(", ")
    }

    /// The ordered categories.
    pub(super) fn ordered(&self) -> Vec<usize> {
        (0..self.categories.len()).filter(|&c| self.categories[c].ordered).collect()
    }

    /// The category of places in a row: the one that `order by` names, else the only ordered one, else the only row. Numbers
    /// with a unit, or of which not each belongs to one item, are no places where another category has some.
    pub(super) fn row(&self) -> Option<usize> {
        let ordered = self.ordered();
        let mut rows: Vec<usize> = ordered.iter().copied().filter(|&c| self.categories[c].is_row()).collect();
        if rows.len() > 1 {
            rows.retain(|&c| self.categories[c].kind == Kind::Exact && self.categories[c].units.is_empty());
        }
        match (self.order_by, &ordered[..], &rows[..]) {
            (Some(c), ..) => Some(c),
            (None, &[only], _) | (None, _, &[only]) => Some(only),
            _ => None,
        }
    }

    /// The ordered category that is meant when none is named.
    pub(super) fn default_order(&self) -> Result<usize, String> {
        match (self.order_by, &self.ordered()[..]) {
            (Some(category), _) | (None, &[category]) => Ok(category),
            (None, []) => Err("no category has an order: write its values with '<', as in 'January < February'".into()),
            (None, several) => {
                let names = self.listed(several.iter().copied());
                Err(format!("several categories have an order ({names}): add 'in …', or write 'order by: …'"))
            }
        }
    }

    /// The category that counts in this unit.
    pub(super) fn unit(&self, word: &str) -> Option<usize> {
        self.ordered().into_iter().find(|&c| self.categories[c].units.iter().any(|unit| unit.word == word))
    }

    /// The category of places, if there is one.
    pub(crate) fn row_category(&self) -> Option<usize> {
        self.row()
    }

    /// The ordered category that is meant when none is named, if there is one.
    pub(crate) fn default_category(&self) -> Option<usize> {
        self.default_order().ok()
    }

    /// An amount in a category, by a unit's word.
    pub(super) fn amount(
        &self,
        category: usize,
        by: Decimal,
        unit: Option<&str>,
    ) -> Result<(Decimal, Counting), String> {
        let target = &self.categories[category];
        let numbers =
            if target.numbers.is_some() && !target.is_consecutive() { Counting::Numbers } else { Counting::Places };
        let too_large = || format!("the amount {by} is too large");
        match unit.map(str::to_lowercase).as_deref() {
            None => Ok((by, numbers)),
            Some("place" | "places") => Ok((by, Counting::Places)),
            Some(word) => match target.units.iter().find(|u| u.word == word) {
                Some(unit) => Ok((by.times(unit.factor).ok_or_else(too_large)?, numbers)),
                None => Err(format!("'{word}' is no unit of {}: write '{} ({word}): …'", target.name, target.name)),
            },
        }
    }

    /// Whether some two values compare so; if none do, the message says it.
    pub(crate) fn possible(&self, compare: &Compare) -> Result<(), String> {
        let category = &self.categories[compare.category];
        let size = category.len();
        if (0..size).any(|a| (0..size).any(|b| compare.holds(category, a, b))) {
            return Ok(());
        }
        let name = &category.name;
        Err(match compare.measure {
            Measure::Difference { by, .. } | Measure::Distance { by, .. } => {
                let hint = if category.units.is_empty() { "" } else { " (is the factor of the unit right?)" };
                format!("no two values of {name} differ by {}{hint}", by.abs())
            }
            Measure::Ratio { times, over: 1 } => format!("no value of {name} is {times} times another"),
            Measure::Ratio { times, over } => format!("no value of {name} is {times}/{over} of another"),
        })
    }

    /// What to say about a name that several categories have.
    pub(super) fn ambiguous(&self, terms: &[Term]) -> String {
        let Some(&first) = terms.first() else { return strict::NO_VALUE.into() };
        let name = |term: &Term| &self.categories[term.category].values[term.value].name;
        let categories: Vec<String> =
            terms.iter().map(|t| format!("in {}", self.categories[t.category].name)).collect();
        let ways: Vec<String> =
            terms.iter().map(|t| format!("{}:{}", self.categories[t.category].name, name(t))).collect();
        format!("'{}' is {}: write {}", name(&first), categories.join(" and "), ways.join(" or "))
    }
}
