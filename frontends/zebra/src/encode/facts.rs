//! The facts of the full grid: which values of different categories belong together.

use crate::puzzle::{Puzzle, Term};

/// Numbers the facts "a and b are one item" for all values of different categories, from 0 on. All categories have the
/// same size.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Facts {
    size: usize,
    categories: usize,
    /// `first[c * categories + d]`, for c < d, is the first fact of these two.
    first: Vec<usize>,
    pairs: Vec<(Term, Term)>,
}

impl Facts {
    /// The facts of a puzzle whose categories are all exact.
    pub fn new(puzzle: &Puzzle) -> Self {
        let (size, categories) = (puzzle.positions(), puzzle.categories.len());
        let (mut first, mut pairs) = (vec![0; categories * categories], Vec::new());
        for c in 0..categories {
            for d in c + 1..categories {
                first[c * categories + d] = pairs.len();
                pairs.extend(puzzle.terms(c).flat_map(|a| puzzle.terms(d).map(move |b| (a, b))));
            }
        }
        Self { size, categories, first, pairs }
    }

    /// The number of facts.
    pub fn len(&self) -> usize {
        self.pairs.len()
    }

    /// Whether there are no facts.
    pub fn is_empty(&self) -> bool {
        self.pairs.is_empty()
    }

    /// The fact about two values of different categories, in either order.
    pub fn index(&self, a: Term, b: Term) -> usize {
        let (a, b) = if a.category < b.category { (a, b) } else { (b, a) };
        self.first[a.category * self.categories + b.category] + a.value * self.size + b.value
    }

    /// The two values that a fact is about, that of the earlier category first.
    pub fn pair(&self, fact: usize) -> (Term, Term) {
        self.pairs[fact]
    }

    /// The number of values of each category.
    pub fn size(&self) -> usize {
        self.size
    }

    /// The number of categories.
    pub fn categories(&self) -> usize {
        self.categories
    }
}
