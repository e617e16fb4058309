//! "Between" in a category with many values, without a table of all triples.

use super::{Encoder, Truth};
use crate::formula::Formula;
use crate::puzzle::Term;

/// Up to so many values a table is small, and propagates better.
pub(super) const MOST_IN_TABLES: usize = 32;

impl Encoder<'_> {
    /// Whether the formula is a "between" for which a table would be too large.
    pub(super) fn is_wide_between(&self, formula: &Formula) -> bool {
        let wide = |category: &usize| self.puzzle.categories[*category].len() > MOST_IN_TABLES;
        matches!(formula, Formula::Between { category, .. } if wide(category))
    }

    /// A literal that is true exactly when some value of `middle` lies between one of each of the others: by "one of them is
    /// below value i" and "is above it".
    pub(crate) fn truth_of_between(
        &mut self,
        middle: Term,
        [first, second]: [Term; 2],
        category: usize,
        adjacent: bool,
    ) -> Truth {
        let size = self.puzzle.categories[category].len();
        let [below_first, below_second] = [first, second].map(|end| self.reached(end, category, 0..size, adjacent));
        let [above_first, above_second] =
            [first, second].map(|end| self.reached(end, category, (0..size).rev(), adjacent));
        let mut ways = Vec::with_capacity(size);
        for value in 0..size {
            let rising = self.all_of(&[below_first[value], above_second[value]]);
            let falling = self.all_of(&[below_second[value], above_first[value]]);
            let around = self.any_of(&[rising, falling]);
            let here = self.has_value(middle, category, value);
            ways.push(self.all_of(&[here, around]));
        }
        self.any_of(&ways)
    }

    /// For each value, whether the item has one that comes before it in `order`; with `adjacent`, the one right before it.
    fn reached(
        &mut self,
        term: Term,
        category: usize,
        order: impl Iterator<Item = usize>,
        adjacent: bool,
    ) -> Vec<Truth> {
        let mut reached = vec![Truth::Known(false); self.puzzle.categories[category].len()];
        let mut before = Truth::Known(false);
        for value in order {
            reached[value] = before;
            let here = self.has_value(term, category, value);
            before = if adjacent { here } else { self.any_of(&[before, here]) };
        }
        reached
    }
}
