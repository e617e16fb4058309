//! Pigeons in all sorts of holes, every step checked.

use crate::testing::{Checked, fuzz};
use putnam_formula::{Lit, Var};
use std::collections::BTreeMap;

const EARLY: &[(&str, i64)] = &[
    ("probeinit", 0),
    ("probeint", 1),
    ("elimination", 0),
    ("sweep", 0),
    ("vivify", 0),
    ("probe", 0),
    ("parity", 0),
    ("congruence", 0),
    ("lucky", 0),
];
const COUNT: &str = "pigeonhole contradictions";

fn lit(index: usize) -> Lit {
    Var::new(index as u32).positive()
}

fn pairs(lits: &[Lit]) -> impl Iterator<Item = Vec<Lit>> + '_ {
    lits.iter().enumerate().flat_map(|(i, &a)| lits[..i].iter().map(move |&b| vec![!a, !b]))
}

fn refuted_by_counting(clauses: impl IntoIterator<Item = Vec<Lit>>) {
    let mut checked = Checked::new(EARLY);
    checked.add(clauses);
    assert!(!checked.solve(&[]));
    assert_eq!(checked.count(COUNT), 1);
}

#[test]
fn pigeons_also_those_that_sit_in_one_hole_only() {
    for functional in [false, true] {
        let holes = 5;
        let place = |pigeon: usize, hole: usize| lit(pigeon * holes + hole);
        let mut clauses = Vec::new();
        for pigeon in 0..=holes {
            let places: Vec<Lit> = (0..holes).map(|hole| place(pigeon, hole)).collect();
            clauses.extend(pairs(&places).filter(|_| functional));
            clauses.push(places);
        }
        for hole in 0..holes {
            clauses.extend(pairs(&(0..=holes).map(|pigeon| place(pigeon, hole)).collect::<Vec<_>>()));
        }
        refuted_by_counting(clauses);
    }
}

#[test]
fn two_literals_of_a_pigeon_in_one_hole_behind_auxiliary_variables() {
    let holes = 4;
    let place = |pigeon: usize, hole: usize, twin: usize| lit((pigeon * holes + hole) * 2 + twin);
    let sits = |pigeon: usize, hole: usize| lit(200 + pigeon * holes + hole);
    let mut clauses: Vec<Vec<Lit>> = Vec::new();
    for pigeon in 0..=holes {
        clauses.push((0..2 * holes).map(|i| place(pigeon, i / 2, i % 2)).collect());
        for (hole, twin) in (0..2 * holes).map(|i| (i / 2, i % 2)) {
            clauses.push(vec![!place(pigeon, hole, twin), sits(pigeon, hole)]);
        }
        clauses.extend((0..holes).map(|hole| vec![!place(pigeon, hole, 0), !place(pigeon, hole, 1)]));
    }
    for hole in 0..holes {
        clauses.extend(pairs(&(0..=holes).map(|pigeon| sits(pigeon, hole)).collect::<Vec<_>>()));
    }
    refuted_by_counting(clauses);
}

#[test]
fn a_mutilated_chessboard() {
    let size = 5;
    // Three squares of one colour are missing: ten are left, and twelve of the other.
    let missing = [(0, 0), (0, 2), (4, 4)];
    let squares: Vec<(usize, usize)> =
        (0..size * size).map(|i| (i / size, i % size)).filter(|square| !missing.contains(square)).collect();
    let mut at: BTreeMap<(usize, usize), Vec<Lit>> = BTreeMap::new();
    let mut dominoes = 0;
    for &(r, c) in &squares {
        for other in [(r + 1, c), (r, c + 1)] {
            if squares.contains(&other) {
                [(r, c), other].iter().for_each(|&square| at.entry(square).or_default().push(lit(dominoes)));
                dominoes += 1;
            }
        }
    }
    let pairs: Vec<Vec<Lit>> = at.values().flat_map(|lits| pairs(lits)).collect();
    refuted_by_counting(at.into_values().chain(pairs));
}

#[test]
fn proofs_that_would_be_too_long_are_not_begun() {
    let place = |pigeon: usize, hole: usize| lit(pigeon * 4 + hole);
    let mut checked = Checked::new(&[EARLY, &[("pigeonholeproof", 0)]].concat());
    checked.add((0..5).map(|pigeon| (0..4).map(|hole| place(pigeon, hole)).collect()));
    for hole in 0..4 {
        checked.add(pairs(&(0..5).map(|pigeon| place(pigeon, hole)).collect::<Vec<_>>()));
    }
    assert!(!checked.solve(&[]));
    assert_eq!(checked.count(COUNT), 0);
    assert!(checked.count("pigeonhole contradictions whose proof was too long") > 0);
}

/// One literal excludes all others, which exclude nothing else: as many sets as literals, each of which takes a look at
/// all.
#[test]
fn the_effort_is_bounded_where_one_literal_excludes_many() {
    let count = 2000;
    let mut checked = Checked::new(&[EARLY, &[("pigeonholemin", 20)]].concat());
    checked.add((1..count).map(|index| vec![!lit(0), !lit(index)]));
    checked.add((1..count).map(|index| vec![lit(index - 1), lit(index)]));
    assert!(checked.solve(&[]));
    assert!((20_000..40_000).contains(&checked.count("pigeonhole ticks")), "{}", checked.count("pigeonhole ticks"));
}

#[test]
fn every_step_is_checked_on_random_formulas() {
    let settings = [EARLY, &[("modeinit", 50)]].concat();
    let counts = fuzz(&settings, 300, 30, &["pigeonhole rounds", COUNT]);
    assert!(counts.iter().all(|&count| count > 0), "{counts:?}");
}
