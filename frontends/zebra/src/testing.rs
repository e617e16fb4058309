//! Random clues of every kind against all grids.

use crate::encode::{Encoder, Facts, Truth};
use crate::formula::{Compare, Counting, Formula, Measure, Relation};
use crate::grid::Grid;
use crate::number::Decimal;
use crate::puzzle::{Category, Clue, Kind, Puzzle, Term, Value};
use crate::read::read_puzzle;
use crate::solve::Solutions;
use crate::write::{Speaker, strict, write_puzzle};
use putnam_formula::{ClauseSink as _, Cnf, Engine as _, Outcome, Var};
use rand::{Rng as _, SeedableRng as _, rngs::StdRng};
use std::collections::{BTreeMap, HashSet};

fn category(name: &str, values: &[&str], numbers: Option<&[i64]>, kind: Kind) -> Category {
    Category {
        name: name.into(),
        units: Vec::new(),
        values: values.iter().map(|v| Value { name: (*v).into(), aliases: Vec::new() }).collect(),
        ordered: numbers.is_some(),
        numbers: numbers.map(|n| n.iter().filter_map(|&n| Decimal::whole(n)).collect()),
        kind,
    }
}

/// Puzzles without clues: exact ones with one and with two ordered categories, and one with each other kind of category.
pub(crate) fn boards() -> Vec<Puzzle> {
    let house = |n: usize| category("house", &["1", "2", "3", "4"][..n], Some(&[1, 2, 3, 4][..n]), Kind::Exact);
    let owner = |n: usize| category("owner", &["Ann", "Bob", "Cyd", "Dee"][..n], None, Kind::Exact);
    let age = |n: usize| category("age", &["20", "25", "30", "40"][..n], Some(&[20, 25, 30, 40][..n]), Kind::Exact);
    let pet = |n: usize, kind| category("pet", &["cat", "dog", "emu", "fox", "gnu"][..n], None, kind);
    let lists = [
        vec![house(4), owner(4), pet(4, Kind::Exact)],
        vec![house(3), owner(3), pet(3, Kind::Exact), age(3)],
        vec![owner(4), age(4), house(4)],
        vec![house(3), owner(3), pet(4, Kind::Spare)],
        vec![house(3), owner(3), pet(2, Kind::Repeated)],
        vec![house(3), owner(3), pet(4, Kind::Shared)],
        vec![owner(3), category("room", &["1", "2", "3", "5"], Some(&[1, 2, 3, 5]), Kind::Spare), pet(3, Kind::Exact)],
        vec![owner(3), category("room", &["1", "2", "4"], Some(&[1, 2, 4]), Kind::Repeated), pet(3, Kind::Exact)],
        vec![owner(3), category("room", &["1", "2", "4", "5"], Some(&[1, 2, 4, 5]), Kind::Shared), pet(3, Kind::Exact)],
    ];
    let title = String::new;
    let puzzle = |categories| Puzzle {
        title: title(),
        categories,
        order_by: None,
        clues: Vec::new(),
        lies: 0,
        questions: Vec::new(),
    };
    lists.into_iter().map(puzzle).collect()
}

/// All grids that the rules allow.
pub(crate) fn all_grids(puzzle: &Puzzle) -> Vec<Grid> {
    let positions = puzzle.positions();
    let mut columns: Vec<Vec<Vec<u64>>> = Vec::new();
    for (c, category) in puzzle.categories.iter().enumerate() {
        if c == puzzle.base() {
            columns.push(vec![(0..positions).map(|p| 1 << p).collect()]);
            continue;
        }
        let count = category.len();
        let masks = |code: usize| -> Vec<u64> {
            (0..count).map(|v| (code >> (v * positions) & ((1 << positions) - 1)) as u64).collect()
        };
        let fits = |column: &Vec<u64>| {
            let at = |p: usize| column.iter().filter(|m| *m >> p & 1 == 1).count();
            let values = column.iter().all(|m| match category.kind {
                Kind::Exact | Kind::Shared => m.count_ones() == 1,
                Kind::Spare => m.count_ones() <= 1,
                Kind::Repeated => true,
            });
            values && (0..positions).all(|p| at(p) == 1 || category.kind == Kind::Shared && at(p) > 1)
        };
        columns.push((0..1usize << (count * positions)).map(masks).filter(fits).collect());
    }
    let mut grids: Vec<Vec<Vec<u64>>> = vec![Vec::new()];
    for column in columns {
        grids = grids
            .into_iter()
            .flat_map(|grid| {
                column.iter().map(move |c| [&grid[..], std::slice::from_ref(c)].concat()).collect::<Vec<_>>()
            })
            .collect();
    }
    grids.into_iter().map(Grid::new).collect()
}

const SHAPES: usize = 17;

/// A formula of the given shape with terms at random.
fn formula(puzzle: &Puzzle, shape: usize, depth: usize, random: &mut StdRng) -> Formula {
    let ordered: Vec<usize> = (0..puzzle.categories.len()).filter(|&c| puzzle.categories[c].ordered).collect();
    let category = ordered[random.random_range(0..ordered.len())];
    let size = puzzle.categories[category].len() as i64;
    let mut term = |other: Option<Term>| loop {
        let c = random.random_range(0..puzzle.categories.len());
        let term = Term { category: c, value: random.random_range(0..puzzle.categories[c].len()) };
        if other.is_none_or(|other| other.category != c) {
            return term;
        }
    };
    let a = term(None);
    let (b, c, d) = (term(Some(a)), term(Some(a)), term(None));
    let relations = [Relation::Less, Relation::AtMost, Relation::Equal, Relation::AtLeast, Relation::Greater];
    let relation = relations[random.random_range(0..5)];
    let consecutive = puzzle.categories[category].is_consecutive();
    let unit = if consecutive || random.random() { Counting::Places } else { Counting::Numbers };
    let step = if unit == Counting::Places { 1 } else { 5 };
    let by = |n: i64| Decimal::whole(n * step).unwrap();
    // Three in four of the kinds for which there are words.
    let plain = random.random_range(0..4) > 0;
    let mut part = || {
        let shape = random.random_range(0..if depth == 0 { 10 } else { SHAPES });
        Box::new(formula(puzzle, shape, depth.saturating_sub(1), random))
    };
    let compare = |relation, measure| Formula::Compare(Compare { left: a, right: b, category, relation, measure });
    match shape {
        0 => Formula::Same(a, b),
        1 => Formula::Same(a, b).negated(),
        2 => Formula::Compare(Compare::order(
            a,
            if relation == Relation::Equal { Relation::Less } else { relation },
            b,
            category,
        )),
        3 => compare(
            if plain { Relation::Equal } else { relation },
            Measure::Difference { by: by(if d.value % 2 == 0 { 1 } else { -1 }), unit },
        ),
        4 => compare(relation, Measure::Distance { by: by(1 + d.value as i64 % (size - 1)), unit }),
        5 if plain => compare(Relation::Equal, Measure::Ratio { times: 2, over: 1 }),
        5 => compare(relation, Measure::Ratio { times: 1 + b.value as u32 % 3, over: 1 + c.value as u32 % 2 }),
        6 => Formula::Between { middle: a, ends: [b, c], category, adjacent: d.value % 2 == 0 },
        7 => Formula::Parity { terms: [a, b], category, same: d.value % 2 == 0 },
        8 => Formula::OneOf { term: a, options: vec![b, c], exclusive: d.value % 2 == 0 },
        9 => Formula::AllDifferent(vec![a, b, d]),
        10 => Formula::Pairs { left: [a, b], right: [c, d] },
        11 => Formula::EqualDistance { pairs: [[a, b], [c, d]], category },
        12 => part().negated(),
        13 => Formula::all(vec![*part(), *part()]),
        14 => Formula::any(vec![*part(), *part()]),
        15 => match d.value % 3 {
            0 => Formula::Xor(part(), part()),
            1 => Formula::Implies(part(), part()),
            _ => Formula::Iff(part(), part()),
        },
        _ => Formula::Count {
            relation: if plain && relation == Relation::Less { Relation::AtLeast } else { relation },
            count: d.value,
            of: vec![*part(), *part(), *part()],
        },
    }
}

/// Whether some two values compare so: other amounts are refused when they are read.
fn is_possible(puzzle: &Puzzle, formula: &Formula) -> bool {
    let mut possible = true;
    formula.visit(&mut |part| {
        if let Formula::Compare(compare) = part {
            let category = &puzzle.categories[compare.category];
            let size = category.len();
            possible &= (0..size).any(|a| (0..size).any(|b| compare.holds(category, a, b)));
        }
    });
    possible
}

/// A few clues of the simpler kinds.
pub(crate) fn clues_at_random(board: &Puzzle, random: &mut StdRng) -> Vec<Clue> {
    let formulas = std::iter::repeat_with(|| formula(board, random.random_range(0..10), 0, random));
    let clue = |formula| Clue { name: "1".into(), text: String::new(), formula, warnings: Vec::new() };
    formulas.take(3).map(clue).collect()
}

#[test]
fn every_kind_of_clue_means_the_same_as_text_as_clauses_and_on_grids() {
    let mut random = StdRng::seed_from_u64(2024);
    let mut in_words: BTreeMap<usize, (usize, usize)> = BTreeMap::new();
    for board in boards() {
        let grids = all_grids(&board);
        for round in 0..SHAPES * 8 {
            let shape = round % SHAPES;
            let formula = formula(&board, shape, 1, &mut random);
            if !is_possible(&board, &formula) {
                continue;
            }
            let clue = Clue { name: "1".into(), text: String::new(), formula: formula.clone(), warnings: Vec::new() };
            let puzzle = Puzzle { clues: vec![clue], ..board.clone() };
            let formal = strict(&puzzle.categories, &formula);
            let expected: HashSet<&Grid> =
                grids.iter().filter(|grid| formula.holds(&puzzle.categories, grid)).collect();
            for in_strict_form in [true, false] {
                let text = write_puzzle(&puzzle, in_strict_form);
                let again = read_puzzle(&text, "again").unwrap_or_else(|error| panic!("{error}\n{text}"));
                let read = &again.clues[0].formula;
                let same = grids.iter().all(|grid| read.holds(&puzzle.categories, grid) == expected.contains(grid));
                assert!(same, "{formal} was read as {} in\n{text}", strict(&puzzle.categories, read));
            }
            let count = in_words.entry(shape).or_default();
            count.0 += usize::from(Speaker::new(&puzzle).sentence(&formula) != formal);
            count.1 += 1;
            // The base may be another category than in the puzzle without clues: compare as sets of facts.
            let facts = |grid: &Grid| -> Vec<bool> {
                let terms: Vec<Term> = (0..puzzle.categories.len()).flat_map(|c| puzzle.terms(c)).collect();
                terms.iter().flat_map(|&a| terms.iter().map(move |&b| (a, b))).map(|(a, b)| grid.same(a, b)).collect()
            };
            let mut engine = putnam_cdcl::Solver::new();
            let found: HashSet<Vec<bool>> =
                Solutions::new(&puzzle, &mut engine).map(|grid| facts(&grid.unwrap())).collect();
            let wanted: HashSet<Vec<bool>> = expected.iter().map(|grid| facts(grid)).collect();
            assert_eq!(found.len(), wanted.len(), "{formal}\n{}", write_puzzle(&puzzle, true));
            assert!(found == wanted, "{formal}");
        }
    }
    // Every shape but equal distances has words.
    for (shape, (words, all)) in in_words {
        assert!(shape == 11 || 4 * words > all, "shape {shape}: {words} of {all} in words");
    }
}

#[test]
fn clues_over_facts_mean_the_same() {
    let mut random = StdRng::seed_from_u64(2025);
    for board in boards().into_iter().filter(|b| b.categories.iter().all(|c| c.kind == Kind::Exact)) {
        let (grids, facts) = (all_grids(&board), Facts::new(&board));
        for round in 0..SHAPES * 4 {
            let formula = formula(&board, round % SHAPES, 1, &mut random);
            let mut cnf = Cnf::new();
            Encoder::over_facts(&board, &mut cnf, &facts).assert(&formula);
            let mut engine = putnam_cdcl::Solver::new();
            engine.declare(cnf.num_vars());
            cnf.clauses().for_each(|clause| engine.add_clause(clause));
            for grid in &grids {
                let lits: Vec<_> = (0..facts.len())
                    .map(|fact| {
                        let (a, b) = facts.pair(fact);
                        Var::new(fact as u32).lit(grid.same(a, b))
                    })
                    .collect();
                let found = matches!(engine.solve(&lits), Outcome::Satisfiable(_));
                assert_eq!(found, formula.holds(&board.categories, grid), "{}", strict(&board.categories, &formula));
            }
        }
    }
}

/// Some of the clues are false, and clues over all values of a category: through the text, against all grids.
#[test]
fn lies_and_quantifiers_mean_the_same() {
    let mut random = StdRng::seed_from_u64(2026);
    for board in boards() {
        let grids = all_grids(&board);
        for round in 0..12 {
            let formulas: Vec<Formula> =
                (0..4).map(|_| formula(&board, random.random_range(0..10), 0, &mut random)).collect();
            if !formulas.iter().all(|formula| is_possible(&board, formula)) {
                continue;
            }
            let clue = |formula: &Formula| Clue {
                name: "1".into(),
                text: String::new(),
                formula: formula.clone(),
                warnings: Vec::new(),
            };
            let lies = round % 4;
            let puzzle = Puzzle { clues: formulas.iter().map(clue).collect(), lies, ..board.clone() };
            let text = write_puzzle(&puzzle, round % 2 == 0);
            let again = read_puzzle(&text, "again").unwrap_or_else(|error| panic!("{error}\n{text}"));
            let false_ones = |grid: &Grid| formulas.iter().filter(|f| !f.holds(&board.categories, grid)).count();
            let expected = grids.iter().filter(|grid| false_ones(grid) == lies).count();
            let mut engine = putnam_cdcl::Solver::new();
            assert_eq!(Solutions::new(&again, &mut engine).count(), expected, "{text}");

            let (c, a) = (random.random_range(0..board.categories.len()), formulas[0].terms()[0]);
            let every = round % 2 == 0;
            let named = &board.categories[c].name;
            let quantifier = if every { "every" } else { "some" };
            let text = format!(
                "{}{quantifier} x in {named}: x = {} -> x = {}\n",
                write_puzzle(&board, true),
                crate::write::strict_name(&board.categories, a),
                crate::write::strict_name(&board.categories, formulas[1].terms()[0])
            );
            let again = read_puzzle(&text, "again").unwrap_or_else(|error| panic!("{error}\n{text}"));
            let b = formulas[1].terms()[0];
            let holds = |grid: &Grid| {
                let mut each = board.terms(c).map(|x| !grid.same(x, a) || grid.same(x, b));
                if every { each.all(|holds| holds) } else { each.any(|holds| holds) }
            };
            let expected = grids.iter().filter(|grid| holds(grid)).count();
            let mut engine = putnam_cdcl::Solver::new();
            assert_eq!(Solutions::new(&again, &mut engine).count(), expected, "{text}");
        }
    }
}

/// For wide categories "between" is written without tables: the same on all grids of every kind.
#[test]
fn between_without_a_table_means_the_same() {
    let mut random = StdRng::seed_from_u64(2027);
    for board in boards() {
        for _ in 0..12 {
            let formula = formula(&board, 6, 0, &mut random);
            let Formula::Between { middle, ends, category, adjacent } = formula else { panic!("not between") };
            let mut cnf = Cnf::new();
            let mut encoder = Encoder::new(&board, &mut cnf, None);
            encoder.grid_rules();
            let by_table = encoder.truth(&formula);
            let other = encoder.truth_of_between(middle, ends, category, adjacent);
            let [a, b] = [by_table, other].map(|truth| match truth {
                Truth::Lit(lit) => lit,
                Truth::Known(value) => {
                    let lit = cnf.new_var().positive();
                    cnf.add_clause(&[if value { lit } else { !lit }]);
                    lit
                }
            });
            let mut engine = putnam_cdcl::Solver::new();
            engine.declare(cnf.num_vars());
            cnf.clauses().for_each(|clause| engine.add_clause(clause));
            assert!(matches!(engine.solve(&[]), Outcome::Satisfiable(_)));
            for lits in [[a, !b], [!a, b]] {
                let text = strict(&board.categories, &formula);
                assert!(matches!(engine.solve(&lits), Outcome::Unsatisfiable { .. }), "{text}");
            }
        }
    }
}

/// Categories with more values than there can be positions.
#[test]
fn wide_categories_have_the_solutions_that_arithmetic_gives() {
    let text = "name: Ann, Ben, Cleo\nprice (pound, pounds) [spare]: 1..200\nclues:\n\
                Ann paid 60 pounds more than Ben.\nCleo paid twice as much as Ann.\nBen paid less than price 20.\n\
                Ann is somewhere between price 70 and price 75 in price.\n";
    let puzzle = read_puzzle(text, "p").unwrap();
    let mut engine = putnam_cdcl::Solver::new();
    let prices = |grid: Grid| (0..3).map(|p| grid.at(1, p)[0] + 1).collect::<Vec<_>>();
    let mut found: Vec<Vec<usize>> = Solutions::new(&puzzle, &mut engine).map(|grid| prices(grid.unwrap())).collect();
    found.sort();
    assert_eq!(found, [[71, 11, 142], [72, 12, 144], [73, 13, 146], [74, 14, 148]]);
}
