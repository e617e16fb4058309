//! Formulas that resolution cannot decide, and every step of random ones.

use crate::data::random::Random;
use crate::testing::{Checked, fuzz, random_system, xor};
use putnam_formula::{Lit, Var};

fn lit(index: usize) -> Lit {
    Var::new(index as u32).positive()
}

/// The Tseitin formula of a grid with one odd node: edges to the right and down.
fn tseitin_grid(rows: usize, columns: usize) -> Vec<Vec<Lit>> {
    let right = |r: usize, c: usize| lit(2 * (r * columns + c));
    let down = |r: usize, c: usize| lit(2 * (r * columns + c) + 1);
    let mut clauses = Vec::new();
    for r in 0..rows {
        for c in 0..columns {
            let mut edges = Vec::new();
            edges.extend((c > 0).then(|| right(r, c - 1)));
            edges.extend((c + 1 < columns).then(|| right(r, c)));
            edges.extend((r > 0).then(|| down(r - 1, c)));
            edges.extend((r + 1 < rows).then(|| down(r, c)));
            clauses.extend(xor(&edges, (r, c) == (0, 0)));
        }
    }
    clauses
}

const EARLY: &[(&str, i64)] =
    &[("probeint", 1), ("gauss", 0), ("elimination", 0), ("sweep", 0), ("vivify", 0), ("probe", 0)];

#[test]
fn a_grid_is_refuted_by_its_sum() {
    let mut checked = Checked::new(EARLY);
    checked.add(tseitin_grid(5, 5));
    assert!(!checked.solve(&[]));
    assert_eq!(checked.count("contradictions from parity"), 1);
}

#[test]
fn perfect_matchings_of_an_odd_number_are_refuted() {
    let nodes = 7;
    let edge = |a: usize, b: usize| lit(a.min(b) * nodes + a.max(b));
    let mut checked = Checked::new(&[EARLY, &[("congruence", 0)]].concat());
    for a in 0..nodes {
        // Every other variable means that its edge is not there.
        let sign = |l: Lit| if l.var().index().is_multiple_of(2) { l } else { !l };
        let edges: Vec<Lit> = (0..nodes).filter(|&b| b != a).map(|b| sign(edge(a, b))).collect();
        for (i, &first) in edges.iter().enumerate() {
            checked.add(edges[..i].iter().map(|&second| vec![!first, !second]));
        }
        checked.add([edges]);
    }
    assert!(!checked.solve(&[]));
    assert_eq!(checked.count("contradictions from parity"), 1);
}

#[test]
fn every_step_is_checked_on_random_systems() {
    let names = ["contradictions from parity", "units from parity", "equivalences from parity"];
    let mut counts = [0; 3];
    for seed in 0..150 {
        let mut random = Random::new(seed);
        let mut checked = Checked::new(EARLY);
        let num_vars = 7 + random.below(18);
        let mut clauses = random_system(&mut random, num_vars);
        let later = clauses.split_off(clauses.len() * random.below(3) as usize / 2);
        for part in [clauses, later] {
            checked.add(part);
            let assumptions = crate::testing::random_clause(&mut random, num_vars, 2);
            checked.solve(&assumptions);
            checked.solve(&[]);
        }
        counts.iter_mut().zip(names).for_each(|(count, name)| *count += checked.count(name));
    }
    assert!(counts.iter().all(|&count| count > 0), "{counts:?}");
}

#[test]
fn a_system_with_solutions_is_solved_at_once() {
    let mut random = Random::new(5);
    let num_vars = 120;
    let values: Vec<bool> = (0..num_vars).map(|_| random.coin()).collect();
    let mut checked = Checked::new(EARLY);
    for _ in 0..num_vars - 5 {
        let lits = crate::testing::random_clause(&mut random, num_vars, 3);
        let odd = lits.iter().filter(|lit| values[lit.var().index()] == lit.is_positive()).count() % 2 == 1;
        checked.add(xor(&lits, odd));
    }
    assert!(checked.solve(&[]));
    assert!(checked.count("solutions of exclusive ors") > 0 && checked.count("conflicts") < 10);
}

#[test]
fn without_a_proof_nothing_is_left_out() {
    let mut options = crate::Options::default();
    EARLY.iter().chain(&[("parityproof", 0)]).for_each(|&(name, value)| options.set(name, value).unwrap());
    let mut solver = crate::Solver::with_options(options.clone());
    tseitin_grid(9, 9).iter().for_each(|clause| solver.add_clause(clause));
    assert!(matches!(putnam_formula::Engine::solve(&mut solver, &[]), putnam_formula::Outcome::Unsatisfiable { .. }));
    assert!(solver.statistics.conflicts < 10 && solver.statistics.parity_unproved == 0);
    let mut checked = Checked::new(&[EARLY, &[("parityproof", 0)]].concat());
    checked.add(tseitin_grid(3, 3));
    assert!(!checked.solve(&[]));
    assert!(checked.count("parity facts whose proof was too long") > 0);
}

#[test]
fn every_step_is_checked_on_random_formulas() {
    let counts = fuzz(&[("probeint", 1), ("vivify", 0), ("modeinit", 50)], 100, 50, &["exclusive ors"]);
    assert!(counts[0] > 0);
}
