//! What a puzzle is: categories with their values, clues, questions.

use crate::formula::Formula;
use crate::number::Decimal;

/// The most positions of a puzzle: a set of positions is one machine word.
pub const MAX_POSITIONS: usize = 64;

/// The most values of a category.
pub const MAX_VALUES: usize = 1000;

/// The most cells of a puzzle: its values, times its positions.
pub const MAX_CELLS: usize = 200_000;

/// A logic-grid puzzle.
///
/// Its items are found in *positions*, which are the values of one exact category, the base: in the classic the houses 1 to
/// 5. Every other value belongs to positions as the [`Kind`] of its category says.
#[derive(Clone, Debug, PartialEq)]
pub struct Puzzle {
    /// What the puzzle is called; may be empty.
    pub title: String,
    /// The categories, in the order of the text.
    pub categories: Vec<Category>,
    /// The category that order words refer to when nothing else is said.
    pub order_by: Option<usize>,
    /// The clues.
    pub clues: Vec<Clue>,
    /// How many of the clues are false, for puzzles with liars; usually none.
    pub lies: usize,
    /// What the puzzle asks.
    pub questions: Vec<Question>,
}

/// A class of values, such as the colours.
#[derive(Clone, Debug, PartialEq)]
pub struct Category {
    /// The name, as written.
    pub name: String,
    /// Words for amounts in this category.
    pub units: Vec<Unit>,
    /// The values; those of an ordered category stand in ascending order.
    pub values: Vec<Value>,
    /// Whether the values have an order.
    pub ordered: bool,
    /// The number of each value, in an ordered category whose values are numbers.
    pub numbers: Option<Vec<Decimal>>,
    /// How values and positions belong together.
    pub kind: Kind,
}

/// A word for amounts, such as `hours` in a category of times in minutes (factor 60).
#[derive(Clone, Debug, PartialEq)]
pub struct Unit {
    /// The word.
    pub word: String,
    /// What one of it is in the category's numbers.
    pub factor: Decimal,
}

/// One value of a category.
#[derive(Clone, Debug, PartialEq)]
pub struct Value {
    /// The name under which it is printed.
    pub name: String,
    /// Other spellings.
    pub aliases: Vec<String>,
}

/// How the values of a category belong to the positions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// As many values as positions, each at exactly one.
    Exact,
    /// More values than positions: each position has one, each value is at one position or at none.
    Spare,
    /// Each position has one value; a value may be at any number of positions.
    Repeated,
    /// Each value is at exactly one position; each position has at least one.
    Shared,
}

/// A value, named by the indices of its category and its own: the item that has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Term {
    /// The index of the category.
    pub category: usize,
    /// The index of the value in its category.
    pub value: usize,
}

/// A clue as it was written and what it means.
#[derive(Clone, Debug, PartialEq)]
pub struct Clue {
    /// The number that stands before the clue, or its place in the list counted from 1.
    pub name: String,
    /// The words, as written.
    pub text: String,
    /// What it means.
    pub formula: Formula,
    /// What its author may have meant differently.
    pub warnings: Vec<String>,
}

/// A question: which value of a category goes with a term.
#[derive(Clone, Debug, PartialEq)]
pub struct Question {
    /// The category of the answer.
    pub category: usize,
    /// What is known of it.
    pub of: Term,
    /// The words, as written.
    pub text: String,
}

impl Category {
    /// The number of values.
    pub fn len(&self) -> usize {
        self.values.len()
    }

    /// Whether there are no values.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// Whether the values are places in a row: the numbers from 1 on.
    pub fn is_row(&self) -> bool {
        self.numbers
            .as_ref()
            .is_some_and(|numbers| numbers.iter().enumerate().all(|(i, n)| n.as_whole() == Some(i as i64 + 1)))
    }

    /// Whether neighbouring values always differ by 1, so that places and amounts are the same.
    pub fn is_consecutive(&self) -> bool {
        self.numbers.as_ref().is_none_or(|n| n.windows(2).all(|w| (w[1] - w[0]).as_whole() == Some(1)))
    }

    /// Whether every value is at exactly one position.
    pub fn is_functional(&self) -> bool {
        matches!(self.kind, Kind::Exact | Kind::Shared)
    }
}

impl Puzzle {
    /// The name of a value.
    pub fn name(&self, term: Term) -> &str {
        &self.categories[term.category].values[term.value].name
    }

    /// The category whose values are the positions: of the exact ones that of `order by`, else the one that the clues order
    /// most, the first of them on a tie.
    ///
    /// # Panics
    /// If no category is exact; the readers refuse such puzzles.
    pub fn base(&self) -> usize {
        let mut uses = vec![0usize; self.categories.len()];
        for clue in &self.clues {
            clue.formula.visit(&mut |formula| uses.extend_count(formula.category()));
        }
        let exact = |c: &usize| self.categories[*c].kind == Kind::Exact;
        if let Some(category) = self.order_by.filter(exact) {
            return category;
        }
        (0..self.categories.len())
            .filter(exact)
            .max_by_key(|&c| (uses[c], std::cmp::Reverse(c)))
            .expect("a puzzle has an exact category")
    }

    /// The number of positions.
    pub fn positions(&self) -> usize {
        self.categories.iter().find(|c| c.kind == Kind::Exact).map_or(0, Category::len)
    }

    /// All values of a category as terms.
    pub fn terms(&self, category: usize) -> impl Iterator<Item = Term> + Clone + use<> {
        (0..self.categories[category].len()).map(move |value| Term { category, value })
    }

    /// The number of pairs of values of different categories: the facts of the full grid.
    pub fn num_facts(&self) -> usize {
        let sizes: Vec<usize> = self.categories.iter().map(Category::len).collect();
        let total: usize = sizes.iter().sum();
        sizes.iter().map(|s| s * (total - s)).sum::<usize>() / 2
    }
}

trait Tally {
    fn extend_count(&mut self, index: Option<usize>);
}

impl Tally for Vec<usize> {
    fn extend_count(&mut self, index: Option<usize>) {
        if let Some(count) = index.and_then(|i| self.get_mut(i)) {
            *count += 1;
        }
    }
}
