//! New puzzles: unique, without a clue too many, the same for the same seed.

use crate::encode::Encoder;
use crate::explain::{explain, rating};
use crate::formula::{Compare, Counting, Formula, Measure, Relation};
use crate::grid::Grid;
use crate::number::Decimal;
use crate::puzzle::{Category, Clue, Kind, Puzzle, Question, Term, Value};
use crate::themes::THEMES;
use crate::write::Speaker;
use putnam_explain::{Groups, mus};
use putnam_formula::{Cnf, Lit};
use rand::seq::SliceRandom as _;
use rand::{Rng as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;
use thiserror::Error;

/// A kind of clue that generated puzzles may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClueKind {
    /// A is B.
    Same,
    /// A is not B.
    Different,
    /// A is next to B.
    Next,
    /// A is immediately before or after B.
    Immediately,
    /// A is before or after B.
    Order,
    /// There are k places between A and B.
    Distance,
    /// A is somewhere between B and C.
    Between,
    /// A is either B or C.
    OneOf,
    /// Of A and B, one is C and the other is D.
    Pairs,
}

/// The kinds, their names, and how often each comes.
pub const CLUE_KINDS: [(ClueKind, &str, usize); 9] = [
    (ClueKind::Same, "same", 3),
    (ClueKind::Different, "different", 2),
    (ClueKind::Next, "next", 4),
    (ClueKind::Immediately, "immediately", 3),
    (ClueKind::Order, "order", 3),
    (ClueKind::Distance, "distance", 2),
    (ClueKind::Between, "between", 2),
    (ClueKind::OneOf, "one-of", 3),
    (ClueKind::Pairs, "pairs", 2),
];

/// What to generate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wish {
    /// How many positions.
    pub positions: usize,
    /// How many categories besides the positions.
    pub categories: usize,
    /// Which kinds of clues; all when empty.
    pub kinds: Vec<ClueKind>,
    /// The level that the rating shall have.
    pub level: Option<String>,
    /// Where the random numbers begin.
    pub seed: u64,
}

/// Why there is no puzzle.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum NoPuzzle {
    /// The size is out of range.
    #[error("a puzzle has 3 to {positions} positions and 1 to {categories} categories besides them")]
    Size {
        /// The most positions.
        positions: usize,
        /// The most categories.
        categories: usize,
    },
    /// The kinds of clues cannot tell one grid from all others.
    #[error("clues of these kinds leave several solutions; allow more kinds")]
    Kinds,
    /// No puzzle of the level was found.
    #[error("no puzzle of level '{0}' was found in {1} attempts; another seed or size may have one")]
    Level(String, usize),
}

/// How many puzzles are made in search of a level.
const ATTEMPTS: usize = 60;

/// Makes a puzzle.
///
/// # Errors
/// [`NoPuzzle`].
pub fn generate(wish: &Wish) -> Result<Puzzle, NoPuzzle> {
    let most = THEMES.map(|(_, values)| values.split(' ').count()).into_iter().min().unwrap_or(0);
    if !(3..=most).contains(&wish.positions) || !(1..=THEMES.len()).contains(&wish.categories) {
        return Err(NoPuzzle::Size { positions: most, categories: THEMES.len() });
    }
    let mut random = ChaCha8Rng::seed_from_u64(wish.seed);
    let Some(level) = &wish.level else { return one(wish, &mut random) };
    for _ in 0..ATTEMPTS {
        let puzzle = one(wish, &mut random)?;
        if explain(&puzzle, &[]).is_ok_and(|explanation| rating(&explanation).level() == level) {
            return Ok(puzzle);
        }
    }
    Err(NoPuzzle::Level(level.clone(), ATTEMPTS))
}

fn one(wish: &Wish, random: &mut ChaCha8Rng) -> Result<Puzzle, NoPuzzle> {
    let mut puzzle = empty(wish, random);
    let grid = grid(&puzzle, random);
    let mut count = 8 * wish.positions * wish.categories;
    for _ in 0..4 {
        let candidates = candidates(&puzzle, &grid, &wish.kinds, count, random);
        if let Some(formulas) = enough(&puzzle, &grid, candidates) {
            for (i, formula) in formulas.into_iter().enumerate() {
                let text = Speaker::new(&puzzle).sentence(&formula);
                puzzle.clues.push(Clue { name: (i + 1).to_string(), text, formula, warnings: Vec::new() });
            }
            let of = Term { category: puzzle.categories.len() - 1, value: random.random_range(0..wish.positions) };
            let text = format!("{} of {}", puzzle.categories[0].name, puzzle.name(of));
            puzzle.questions.push(Question { category: 0, of, text });
            return Ok(puzzle);
        }
        count *= 3;
    }
    Err(NoPuzzle::Kinds)
}

fn empty(wish: &Wish, random: &mut ChaCha8Rng) -> Puzzle {
    let mut themes = THEMES.to_vec();
    themes.shuffle(random);
    let numbers: Vec<String> = (1..=wish.positions).map(|n| n.to_string()).collect();
    let value = |name: &str| Value { name: name.to_owned(), aliases: Vec::new() };
    let base = Category {
        name: "house".into(),
        units: Vec::new(),
        values: numbers.iter().map(|n| value(n)).collect(),
        ordered: true,
        numbers: Some((1..=wish.positions).filter_map(|n| Decimal::whole(n as i64)).collect()),
        kind: Kind::Exact,
    };
    let mut categories = vec![base];
    for (name, values) in themes.into_iter().take(wish.categories) {
        let mut names: Vec<&str> = values.split(' ').collect();
        names.shuffle(random);
        categories.push(Category {
            name: name.into(),
            units: Vec::new(),
            values: names.into_iter().take(wish.positions).map(value).collect(),
            ordered: false,
            numbers: None,
            kind: Kind::Exact,
        });
    }
    let title = format!("{} houses, {} categories, seed {}", wish.positions, wish.categories, wish.seed);
    Puzzle { title, categories, order_by: None, clues: Vec::new(), lies: 0, questions: Vec::new() }
}

fn grid(puzzle: &Puzzle, random: &mut ChaCha8Rng) -> Grid {
    let column = |category: usize| {
        let mut places: Vec<u64> = (0..puzzle.positions()).map(|p| 1 << p).collect();
        if category > 0 {
            places.shuffle(random);
        }
        places
    };
    Grid::new((0..puzzle.categories.len()).map(column).collect())
}

/// Clues at random that hold on the grid, each once.
fn candidates(puzzle: &Puzzle, grid: &Grid, kinds: &[ClueKind], count: usize, random: &mut ChaCha8Rng) -> Vec<Formula> {
    let weighted: Vec<ClueKind> = CLUE_KINDS
        .iter()
        .filter(|(kind, ..)| kinds.is_empty() || kinds.contains(kind))
        .flat_map(|&(kind, _, weight)| std::iter::repeat_n(kind, weight))
        .collect();
    let mut found: Vec<Formula> = Vec::new();
    for _ in 0..20 * count {
        if found.len() == count || weighted.is_empty() {
            break;
        }
        let kind = weighted[random.random_range(0..weighted.len())];
        if let Some(formula) = candidate(puzzle, grid, kind, random)
            && formula.holds(&puzzle.categories, grid)
            && !found.contains(&formula)
        {
            found.push(formula);
        }
    }
    found
}

/// A clue of a kind that is true, or may be; none when the dice fell badly.
fn candidate(puzzle: &Puzzle, grid: &Grid, kind: ClueKind, random: &mut ChaCha8Rng) -> Option<Formula> {
    let mut term = |from: usize| Term {
        category: random.random_range(from..puzzle.categories.len()),
        value: random.random_range(0..puzzle.positions()),
    };
    let (any, a, b, c) = (term(0), term(1), term(1), term(1));
    let place = |t: Term| grid.places(t).trailing_zeros() as usize;
    let at = |position: usize, category: usize| Term { category, value: grid.at(category, position)[0] };
    let difference = |left, right, by: i64| {
        let measure = Measure::Difference { by: Decimal::whole(by)?, unit: Counting::Places };
        Some(Formula::Compare(Compare { left, right, category: 0, relation: Relation::Equal, measure }))
    };
    let apart = |left, right, by: usize| {
        let measure = Measure::Distance { by: Decimal::whole(by as i64)?, unit: Counting::Places };
        Some(Formula::Compare(Compare { left, right, category: 0, relation: Relation::Equal, measure }))
    };
    match kind {
        ClueKind::Same => (any.category != b.category).then(|| Formula::Same(at(place(b), any.category), b)),
        ClueKind::Different => (any.category != b.category).then(|| Formula::Same(any, b).negated()),
        ClueKind::Next => (place(a).abs_diff(place(b)) == 1).then(|| apart(a, b, 1)).flatten(),
        ClueKind::Immediately if place(a).abs_diff(place(b)) == 1 => {
            difference(a, b, if place(a) > place(b) { 1 } else { -1 })
        }
        ClueKind::Immediately => None,
        ClueKind::Order => (place(a) != place(b)).then(|| {
            let relation = if place(a) < place(b) { Relation::Less } else { Relation::Greater };
            Formula::Compare(Compare::order(a, relation, b, 0))
        }),
        ClueKind::Distance => match place(a).abs_diff(place(b)) {
            by @ 2.. => apart(a, b, by),
            _ => None,
        },
        ClueKind::Between => Some(Formula::Between { middle: a, ends: [b, c], category: 0, adjacent: false }),
        ClueKind::OneOf => {
            let truth = at(place(a), b.category);
            let other = if c.category == a.category { any } else { c };
            let fits = b.category != a.category && other.category != a.category && other != truth;
            let options = if place(c) % 2 == 0 { vec![truth, other] } else { vec![other, truth] };
            fits.then_some(Formula::OneOf { term: a, options, exclusive: true })
        }
        ClueKind::Pairs => {
            let (right, other) = (at(place(a), c.category), at(place(b), any.category));
            let fits = place(a) != place(b)
                && ![a.category, b.category].contains(&c.category)
                && ![a.category, b.category].contains(&any.category);
            let right = if place(c) % 2 == 0 { [right, other] } else { [other, right] };
            fits.then_some(Formula::Pairs { left: [a, b], right })
        }
    }
}

/// A minimal part of the clues that leaves no other grid than this one.
fn enough(puzzle: &Puzzle, grid: &Grid, candidates: Vec<Formula>) -> Option<Vec<Formula>> {
    let mut cnf = Cnf::new();
    let mut encoder = Encoder::new(puzzle, &mut cnf, None);
    encoder.grid_rules();
    let mut guards: Vec<Lit> = Vec::with_capacity(candidates.len());
    for formula in &candidates {
        let guard = encoder.new_var().positive();
        encoder.set_guard(Some(guard));
        encoder.assert(formula);
        guards.push(guard);
    }
    let other = crate::solve::blocking_clause(puzzle, encoder.atoms(), grid);
    let mut groups = Groups::new(cnf.num_vars());
    cnf.clauses().for_each(|clause| groups.add_hard(clause));
    groups.add_hard(&other);
    for &guard in &guards {
        groups.add_group(&[vec![guard]]);
    }
    let all: Vec<usize> = (0..candidates.len()).collect();
    let minimal = mus(&mut groups, &all)?;
    let mut candidates: Vec<Option<Formula>> = candidates.into_iter().map(Some).collect();
    Some(minimal.into_iter().filter_map(|g| candidates[g].take()).collect())
}
