//! The facts of the full grid.

use crate::puzzle::{Puzzle, Term};

/// Numbers the facts "some item has both a and b" for all values of different categories, from 0 on. Where clues may lie,
/// the facts "clue i is true" come after them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Facts {
    /// The number of values of each category.
    sizes: Vec<usize>,
    /// `first[c * categories + d]`, for c < d, is the first fact of these two.
    first: Vec<usize>,
    pairs: Vec<(Term, Term)>,
    statements: usize,
}

impl Facts {
    /// The facts of a puzzle.
    pub fn new(puzzle: &Puzzle) -> Self {
        let categories = puzzle.categories.len();
        let (mut first, mut pairs) = (vec![0; categories * categories], Vec::new());
        for c in 0..categories {
            for d in c + 1..categories {
                first[c * categories + d] = pairs.len();
                pairs.extend(puzzle.terms(c).flat_map(|a| puzzle.terms(d).map(move |b| (a, b))));
            }
        }
        let sizes = puzzle.categories.iter().map(|category| category.len()).collect();
        let statements = if puzzle.lies > 0 { puzzle.clues.len() } else { 0 };
        Self { sizes, first, pairs, statements }
    }

    /// The number of facts.
    pub fn len(&self) -> usize {
        self.pairs.len() + self.statements
    }

    /// Whether there are no facts.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The number of facts about two values; those about clues follow.
    pub fn num_pairs(&self) -> usize {
        self.pairs.len()
    }

    /// The fact about two values of different categories, in either order.
    pub fn index(&self, a: Term, b: Term) -> usize {
        let (a, b) = if a.category < b.category { (a, b) } else { (b, a) };
        self.first[a.category * self.sizes.len() + b.category] + a.value * self.sizes[b.category] + b.value
    }

    /// The two values that a fact is about, that of the earlier category first.
    ///
    /// # Panics
    /// If the fact is about a clue.
    pub fn pair(&self, fact: usize) -> (Term, Term) {
        self.pairs[fact]
    }

    /// The fact that a clue is true, in a puzzle whose clues may lie.
    pub fn statement(&self, clue: usize) -> usize {
        self.pairs.len() + clue
    }

    /// The clue that a fact is about, if it is about one.
    pub fn clue(&self, fact: usize) -> Option<usize> {
        fact.checked_sub(self.pairs.len())
    }

    /// The number of values of a category.
    pub fn size(&self, category: usize) -> usize {
        self.sizes[category]
    }

    /// The number of categories.
    pub fn categories(&self) -> usize {
        self.sizes.len()
    }
}
