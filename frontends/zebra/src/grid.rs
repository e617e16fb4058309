//! Filled grids: which value is at which position.

use crate::puzzle::{Kind, Puzzle, Term};

/// A filled grid: the positions of every value, one bit each.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Grid {
    /// `places[c][v]` has bit p when position p has value v of category c.
    places: Vec<Vec<u64>>,
}

impl Grid {
    /// The grid of these places: `places[c][v]` has bit p when position p has value v of category c.
    pub fn new(places: Vec<Vec<u64>>) -> Self {
        Self { places }
    }

    /// The positions of a value, one bit each.
    pub fn places(&self, term: Term) -> u64 {
        self.places[term.category][term.value]
    }

    /// Whether some item has both values.
    pub fn same(&self, a: Term, b: Term) -> bool {
        self.places(a) & self.places(b) != 0
    }

    /// The values of a category that go with a term, in their order.
    pub fn values(&self, category: usize, of: Term) -> Vec<usize> {
        let places = self.places(of);
        (0..self.places[category].len()).filter(|&v| self.places[category][v] & places != 0).collect()
    }

    /// The values of a category at a position, in their order.
    pub fn at(&self, category: usize, position: usize) -> Vec<usize> {
        (0..self.places[category].len()).filter(|&v| self.places[category][v] >> position & 1 != 0).collect()
    }

    /// Whether the terms' values in the category can be chosen so that `relation` holds for them. A value of the category
    /// itself stands for itself, even if no item has it: "Ann paid less than 20".
    pub(crate) fn related(&self, category: usize, terms: &[Term], relation: &dyn Fn(&[usize]) -> bool) -> bool {
        let choice =
            |&term: &Term| if term.category == category { vec![term.value] } else { self.values(category, term) };
        let choices: Vec<Vec<usize>> = terms.iter().map(choice).collect();
        let mut chosen = Vec::with_capacity(terms.len());
        some_choice(&choices, &mut chosen, relation)
    }

    /// The rule of the grid that is broken, in words, if one is.
    pub fn broken_rule(&self, puzzle: &Puzzle) -> Option<String> {
        let positions = puzzle.positions();
        if self.places.len() != puzzle.categories.len() {
            return Some("the grid has other categories than the puzzle".into());
        }
        for (c, category) in puzzle.categories.iter().enumerate() {
            if self.places[c].len() != category.len() {
                return Some(format!("category {} has other values than the puzzle", category.name));
            }
            for (value, &places) in category.values.iter().zip(&self.places[c]) {
                let count = places.count_ones();
                let wrong = match category.kind {
                    Kind::Exact | Kind::Shared => count != 1,
                    Kind::Spare => count > 1,
                    Kind::Repeated => false,
                };
                if wrong {
                    return Some(format!("{} '{}' is at {count} positions", category.name, value.name));
                }
                if positions < 64 && places >> positions != 0 {
                    return Some(format!("{} '{}' is outside the grid", category.name, value.name));
                }
            }
            for position in 0..positions {
                let count = self.at(c, position).len();
                if count == 0 || count > 1 && category.kind != Kind::Shared {
                    return Some(format!("position {} has {count} values of {}", position + 1, category.name));
                }
            }
        }
        let base = puzzle.base();
        let in_order = (0..positions).all(|p| self.places[base][p] == 1 << p);
        (!in_order).then(|| format!("the positions are not in the order of {}", puzzle.categories[base].name))
    }
}

fn some_choice(choices: &[Vec<usize>], chosen: &mut Vec<usize>, relation: &dyn Fn(&[usize]) -> bool) -> bool {
    let Some(options) = choices.get(chosen.len()) else { return relation(chosen) };
    options.iter().any(|&value| {
        chosen.push(value);
        let holds = some_choice(choices, chosen, relation);
        chosen.pop();
        holds
    })
}
