//! What clues mean: formulas over terms, and their truth on a grid.

use crate::grid::Grid;
use crate::number::Decimal;
use crate::puzzle::{Category, Term};

/// What a clue says. A term stands for the item that has the value; where a value may be missing or repeated, a relation
/// holds when some items with the values are so related. In a comparison a value of the category that is compared in stands for
/// itself, whether an item has it or not.
#[derive(Clone, Debug, PartialEq)]
pub enum Formula {
    /// Both values belong to one item.
    Same(Term, Term),
    /// The items' values in an ordered category compare.
    Compare(Compare),
    /// An item lies between two others in the order of a category.
    Between {
        /// The item in the middle.
        middle: Term,
        /// The two around it, in either order.
        ends: [Term; 2],
        /// The ordered category.
        category: usize,
        /// Whether both are its neighbours.
        adjacent: bool,
    },
    /// Two pairs of items are equally far apart, in numbers if the category has them, else in places.
    EqualDistance {
        /// The pairs.
        pairs: [[Term; 2]; 2],
        /// The ordered category.
        category: usize,
    },
    /// Whether two items' numbers (or places, counted from 1, without numbers) are both odd or both even.
    Parity {
        /// The items.
        terms: [Term; 2],
        /// The ordered category.
        category: usize,
        /// Same or different parity.
        same: bool,
    },
    /// The item is one of these.
    OneOf {
        /// The item.
        term: Term,
        /// What it may be.
        options: Vec<Term>,
        /// Whether it is exactly one of them; otherwise at least one.
        exclusive: bool,
    },
    /// No two of the terms are the same item.
    AllDifferent(Vec<Term>),
    /// Two different items are, in some order, two others.
    Pairs {
        /// The two.
        left: [Term; 2],
        /// What they are.
        right: [Term; 2],
    },
    /// Not so.
    Not(Box<Formula>),
    /// All of these.
    And(Vec<Formula>),
    /// At least one of these.
    Or(Vec<Formula>),
    /// Exactly one of two.
    Xor(Box<Formula>, Box<Formula>),
    /// If the first then the second.
    Implies(Box<Formula>, Box<Formula>),
    /// Both or neither.
    Iff(Box<Formula>, Box<Formula>),
    /// As many of these are true as the relation says: `relation` stands between their number and `count`.
    Count {
        /// How the number of true ones compares.
        relation: Relation,
        /// With what.
        count: usize,
        /// The formulas.
        of: Vec<Formula>,
    },
}

/// A comparison of two items by their values in an ordered category.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Compare {
    /// The first item.
    pub left: Term,
    /// The second.
    pub right: Term,
    /// The ordered category.
    pub category: usize,
    /// How the measure compares with its bound.
    pub relation: Relation,
    /// What is compared.
    pub measure: Measure,
}

/// What a [`Compare`] looks at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Measure {
    /// left - right, against `by`.
    Difference {
        /// The bound.
        by: Decimal,
        /// What `by` counts.
        unit: Counting,
    },
    /// |left - right|, against `by`.
    Distance {
        /// The bound.
        by: Decimal,
        /// What `by` counts.
        unit: Counting,
    },
    /// left, against right * `times` / `over`.
    Ratio {
        /// The numerator.
        times: u32,
        /// The denominator.
        over: u32,
    },
}

/// What an amount counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Counting {
    /// Places in the order.
    Places,
    /// The numbers of the values.
    Numbers,
}

/// The relation of two numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Relation {
    /// <
    Less,
    /// <=
    AtMost,
    /// =
    Equal,
    /// >=
    AtLeast,
    /// >
    Greater,
}

impl Relation {
    /// Whether the relation holds between two numbers.
    pub fn holds<T: Ord>(self, a: T, b: T) -> bool {
        match self {
            Self::Less => a < b,
            Self::AtMost => a <= b,
            Self::Equal => a == b,
            Self::AtLeast => a >= b,
            Self::Greater => a > b,
        }
    }

    /// The relation's sign in the strict form.
    pub fn sign(self) -> &'static str {
        match self {
            Self::Less => "<",
            Self::AtMost => "<=",
            Self::Equal => "=",
            Self::AtLeast => ">=",
            Self::Greater => ">",
        }
    }
}

impl Compare {
    /// left < right, and the like.
    pub fn order(left: Term, relation: Relation, right: Term, category: usize) -> Self {
        let measure = Measure::Difference { by: Decimal::ZERO, unit: Counting::Places };
        Self { left, right, category, relation, measure }
    }

    /// Whether the comparison holds when the items have the values with these indices.
    pub fn holds(&self, category: &Category, left: usize, right: usize) -> bool {
        let value = |index: usize, unit: Counting| match (unit, &category.numbers) {
            (Counting::Numbers, Some(numbers)) => numbers[index],
            _ => Decimal::whole(index as i64).expect("categories are small"),
        };
        match self.measure {
            Measure::Difference { by, unit } => self.relation.holds(value(left, unit) - value(right, unit), by),
            Measure::Distance { by, unit } => self.relation.holds((value(left, unit) - value(right, unit)).abs(), by),
            Measure::Ratio { times, over } => {
                let scaled =
                    |index, factor: u32| i128::from(value(index, Counting::Numbers).millionths()) * i128::from(factor);
                self.relation.holds(scaled(left, over), scaled(right, times))
            }
        }
    }
}

/// The number whose parity counts: the value's own if it is whole, else its place counted from 1.
pub(crate) fn parity(category: &Category, value: usize) -> bool {
    let number = category.numbers.as_ref().and_then(|n| n[value].as_whole());
    number.unwrap_or(value as i64 + 1).rem_euclid(2) == 1
}

/// How far apart two values of a category are: in numbers if it has them, else in places.
pub(crate) fn distance(category: &Category, a: usize, b: usize) -> Decimal {
    match &category.numbers {
        Some(numbers) => (numbers[a] - numbers[b]).abs(),
        None => Decimal::whole(a.abs_diff(b) as i64).expect("categories are small"),
    }
}

/// Whether `middle` lies between the other two places.
pub(crate) fn lies_between(middle: usize, ends: [usize; 2], adjacent: bool) -> bool {
    let (low, high) = (ends[0].min(ends[1]), ends[0].max(ends[1]));
    low < middle && middle < high && (!adjacent || high - low == 2)
}

impl Formula {
    /// Not `self`, without two negations in a row.
    pub fn negated(self) -> Self {
        match self {
            Self::Not(inner) => *inner,
            other => Self::Not(Box::new(other)),
        }
    }

    /// The ordered category that the formula itself (not its parts) refers to.
    pub fn category(&self) -> Option<usize> {
        match self {
            Self::Compare(compare) => Some(compare.category),
            Self::Between { category, .. } | Self::EqualDistance { category, .. } | Self::Parity { category, .. } => {
                Some(*category)
            }
            _ => None,
        }
    }

    /// The terms that the formula itself (not its parts) names.
    pub fn own_terms(&self) -> Vec<Term> {
        match self {
            Self::Same(a, b) => vec![*a, *b],
            Self::Compare(c) => vec![c.left, c.right],
            Self::Between { middle, ends, .. } => vec![*middle, ends[0], ends[1]],
            Self::EqualDistance { pairs, .. } => pairs.concat(),
            Self::Parity { terms, .. } => terms.to_vec(),
            Self::OneOf { term, options, .. } => [&[*term], options.as_slice()].concat(),
            Self::AllDifferent(terms) => terms.clone(),
            Self::Pairs { left, right } => [*left, *right].concat(),
            _ => Vec::new(),
        }
    }

    /// All terms of the formula, each once, in ascending order.
    pub fn terms(&self) -> Vec<Term> {
        let mut terms = Vec::new();
        self.visit(&mut |formula| terms.extend(formula.own_terms()));
        terms.sort_unstable();
        terms.dedup();
        terms
    }

    /// Calls `see` for the formula and every formula in it.
    pub fn visit(&self, see: &mut dyn FnMut(&Formula)) {
        see(self);
        match self {
            Self::Not(inner) => inner.visit(see),
            Self::And(parts) | Self::Or(parts) | Self::Count { of: parts, .. } => {
                parts.iter().for_each(|part| part.visit(see));
            }
            Self::Xor(a, b) | Self::Implies(a, b) | Self::Iff(a, b) => {
                a.visit(see);
                b.visit(see);
            }
            _ => {}
        }
    }

    /// Whether the formula is true on the grid.
    pub fn holds(&self, categories: &[Category], grid: &Grid) -> bool {
        let all = |parts: &[Formula]| parts.iter().filter(|part| part.holds(categories, grid)).count();
        match self {
            Self::Same(a, b) => grid.same(*a, *b),
            Self::Compare(c) => {
                grid.related(c.category, &[c.left, c.right], &|v| c.holds(&categories[c.category], v[0], v[1]))
            }
            Self::Between { middle, ends, category, adjacent } => {
                grid.related(*category, &[*middle, ends[0], ends[1]], &|v| lies_between(v[0], [v[1], v[2]], *adjacent))
            }
            Self::EqualDistance { pairs: [a, b], category } => {
                grid.related(*category, &[a[0], a[1], b[0], b[1]], &|v| {
                    let category = &categories[*category];
                    distance(category, v[0], v[1]) == distance(category, v[2], v[3])
                })
            }
            Self::Parity { terms, category, same } => grid.related(*category, terms, &|v| {
                (parity(&categories[*category], v[0]) == parity(&categories[*category], v[1])) == *same
            }),
            Self::OneOf { term, options, exclusive } => {
                let true_ones = options.iter().filter(|option| grid.same(*term, **option)).count();
                if *exclusive { true_ones == 1 } else { true_ones > 0 }
            }
            Self::AllDifferent(terms) => (0..terms.len()).all(|i| (0..i).all(|j| !grid.same(terms[i], terms[j]))),
            Self::Pairs { left: [a, b], right: [c, d] } => {
                !grid.same(*a, *b) && (grid.same(*a, *c) && grid.same(*b, *d) || grid.same(*a, *d) && grid.same(*b, *c))
            }
            Self::Not(inner) => !inner.holds(categories, grid),
            Self::And(parts) => all(parts) == parts.len(),
            Self::Or(parts) => all(parts) > 0,
            Self::Xor(a, b) => a.holds(categories, grid) != b.holds(categories, grid),
            Self::Implies(a, b) => !a.holds(categories, grid) || b.holds(categories, grid),
            Self::Iff(a, b) => a.holds(categories, grid) == b.holds(categories, grid),
            Self::Count { relation, count, of } => relation.holds(all(of), *count),
        }
    }
}

impl Formula {
    /// All of these; parts that are conjunctions themselves are opened.
    pub fn all(parts: Vec<Formula>) -> Self {
        let mut flat = Vec::with_capacity(parts.len());
        for part in parts {
            match part {
                Self::And(inner) => flat.extend(inner),
                other => flat.push(other),
            }
        }
        if flat.len() == 1 { flat.remove(0) } else { Self::And(flat) }
    }

    /// At least one of these; parts that are disjunctions themselves are opened.
    pub fn any(parts: Vec<Formula>) -> Self {
        let mut flat = Vec::with_capacity(parts.len());
        for part in parts {
            match part {
                Self::Or(inner) => flat.extend(inner),
                other => flat.push(other),
            }
        }
        if flat.len() == 1 { flat.remove(0) } else { Self::Or(flat) }
    }
}
