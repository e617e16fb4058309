//! Explanations of puzzles whose clues are arbitrary clauses, against a naive search.

use super::{Explanation, Fact, Rules, Source, check_explanation, explain};
use crate::read::read_puzzle;
use putnam_formula::{Lit, Var};
use rand::seq::IndexedRandom as _;
use rand::{Rng as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;

/// All rules and clues as clauses, and what is known.
#[derive(Clone)]
struct Naive<'c> {
    clauses: &'c [Vec<Lit>],
    values: Vec<Option<bool>>,
    facts: usize,
}

impl Naive<'_> {
    fn value(&self, lit: Lit) -> Option<bool> {
        self.values[lit.var().index()].map(|value| value == lit.is_positive())
    }

    fn set(&mut self, lit: Lit) {
        self.values[lit.var().index()] = Some(lit.is_positive());
    }

    /// Unit propagation clause by clause; false at a conflict.
    fn propagate(&mut self) -> bool {
        loop {
            let mut unit = None;
            for clause in self.clauses.iter().filter(|clause| clause.iter().all(|&lit| self.value(lit) != Some(true))) {
                let open: Vec<Lit> = clause.iter().copied().filter(|&lit| self.value(lit).is_none()).collect();
                match open[..] {
                    [] => return false,
                    [lit] => unit = Some(lit),
                    _ => {}
                }
            }
            match unit {
                Some(lit) => self.set(lit),
                None => return true,
            }
        }
    }

    fn open(&self) -> Vec<Fact> {
        let open = (0..self.facts).filter(|&fact| self.values[fact].is_none()).map(|fact| Var::new(fact as u32));
        open.flat_map(|var| [var.positive(), var.negative()]).collect()
    }

    /// Whether cases nested up to `depth` deep refute an assumption.
    fn refutes(&self, assumption: Fact, depth: usize) -> bool {
        let mut inside = self.clone();
        inside.set(assumption);
        loop {
            if !inside.propagate() {
                return true;
            }
            let failing =
                if depth == 1 { None } else { inside.open().into_iter().find(|&l| inside.refutes(l, depth - 1)) };
            match failing {
                Some(lit) => inside.set(!lit),
                None => return false,
            }
        }
    }

    /// How deep the next case must be nested, if no more than 2.
    fn depth(&self) -> Option<usize> {
        (1..=2).find(|&depth| self.open().into_iter().any(|fact| self.refutes(fact, depth)))
    }
}

fn clauses(rules: &Rules, clues: usize) -> Vec<Vec<Lit>> {
    (0..clues).map(Source::Clue).chain(rules.grid_sources()).flat_map(|source| rules.clauses(source)).collect()
}

/// Checks that each case of an explanation is nested as deep as it must be; how many were nested so deep.
fn check_depths(explanation: &Explanation, clues: usize) -> [usize; 4] {
    check_explanation(explanation).unwrap();
    let rules = &explanation.rules;
    let clauses = clauses(rules, clues);
    let values = vec![None; rules.cnf.num_vars() as usize];
    let mut naive = Naive { clauses: &clauses, values, facts: rules.facts.len() };
    let mut counts = [0; 4];
    for step in &explanation.steps {
        let depth = step.depth();
        counts[depth] += 1;
        if depth == 0 {
            assert!(step.facts.iter().all(|&fact| !naive.refutes(fact, 1) && naive.refutes(!fact, 1)));
        } else {
            assert!(naive.propagate());
            assert_eq!(naive.depth(), Some(depth).filter(|&depth| depth <= 2));
        }
        step.facts.iter().for_each(|&fact| naive.set(fact));
    }
    assert!(naive.propagate());
    assert_eq!(naive.depth(), None, "everything that cases can show is shown");
    counts
}

/// Ann and the cat: that they go together follows from four clues of which no supposition makes any say something by itself.
const NESTED: &str = "house: 1..3\nname: Ann, Bob, Cyd\npet: cat, dog, emu\nclues:
(Ann = cat) or (Bob = 1) or (dog = 2)
(Ann = cat) or (Bob = 1) or (dog != 2)
(Ann = cat) or (Bob != 1) or (dog = 2)
(Ann = cat) or (Bob != 1) or (dog != 2)
";

#[test]
fn a_case_within_a_case_where_one_is_not_enough() {
    let puzzle = read_puzzle(NESTED, "nested").unwrap();
    let explanation = explain(&puzzle, &[]).unwrap();
    let counts = check_depths(&explanation, puzzle.clues.len());
    assert_eq!(counts[2], 1, "{counts:?}");
    let [first, ..] = &explanation.steps[..] else { panic!("a step") };
    assert_eq!(first.depth(), 2);
}

#[test]
fn cases_are_nested_no_deeper_than_is_needed() {
    let mut random = ChaCha8Rng::seed_from_u64(21);
    let categories = [["1", "2", "3"], ["Ann", "Bob", "Cyd"], ["cat", "dog", "emu"]];
    let mut total = [0; 4];
    for round in 0..40 {
        let mut text = String::from("house: 1..3\nname: Ann, Bob, Cyd\npet: cat, dog, emu\nclues:\n");
        let chosen: Vec<usize> = (0..3).map(|_| random.random_range(0..3)).collect();
        for _ in 0..random.random_range(8..26) {
            // Clauses of three literals that one grid satisfies: cyclic shifts of the values.
            let clause: Vec<(String, bool)> = (0..3)
                .map(|_| {
                    let pair: Vec<usize> = [0, 1, 2].choose_multiple(&mut random, 2).copied().collect();
                    let (a, b) = (random.random_range(0..3), random.random_range(0..3));
                    let same = (a + chosen[pair[0]]) % 3 == (b + chosen[pair[1]]) % 3;
                    let positive = random.random();
                    let (a, b) = (categories[pair[0]][a], categories[pair[1]][b]);
                    (format!("({a} {} {b})", if positive { "=" } else { "!=" }), positive == same)
                })
                .collect();
            if clause.iter().any(|&(_, holds)| holds) {
                let literals: Vec<&str> = clause.iter().map(|(literal, _)| literal.as_str()).collect();
                text += &format!("{}\n", literals.join(" or "));
            }
        }
        let puzzle = read_puzzle(&text, "random").unwrap_or_else(|error| panic!("{round}: {error}\n{text}"));
        let counts = check_depths(&explain(&puzzle, &[]).unwrap(), puzzle.clues.len());
        (0..4).for_each(|depth| total[depth] += counts[depth]);
    }
    assert!(total[1] > 40 && total[2] > 4, "{total:?}");
}
