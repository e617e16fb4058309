//! Matrices against all assignments, and every step of searches with them.

use super::matrix::{Equation, Matrix};
use crate::data::random::Random;
use crate::data::trail::{Reason, Why};
use crate::testing::{Checked, random_clause, random_system, xor};
use crate::{Options, Solver};
use putnam_formula::{Engine, Lit, Outcome, ProofSink, Var};

/// Random equations over few columns.
fn random_equations(random: &mut Random, columns: u32) -> Vec<Equation> {
    let count = 1 + random.below(columns);
    (0..count)
        .map(|_| {
            let size = 1 + random.below(4) as usize;
            let mut set: Vec<u32> =
                random_clause(random, columns, size).iter().map(|l| l.var().index() as u32).collect();
            set.sort_unstable();
            (set, random.coin())
        })
        .collect()
}

fn is_satisfied(equation: &Equation, values: u32) -> bool {
    let ones = equation.0.iter().filter(|&&column| values >> column & 1 == 1).count();
    (ones % 2 == 1) == equation.1
}

/// A column that is assigned: its number, its value, its level.
type Assigned = (u32, bool, u32);

/// What all solutions that agree with the trail have in common: nothing if there is none, else a value for each column
/// that has the same in all of them.
fn consequences(columns: u32, equations: &[Equation], trail: &[Assigned]) -> Option<Vec<Option<bool>>> {
    let agrees = |&values: &u32| trail.iter().all(|&(column, value, _)| (values >> column & 1 == 1) == value);
    let solves = |&values: &u32| equations.iter().all(|equation| is_satisfied(equation, values));
    let mut always = (u32::MAX, u32::MAX);
    let mut found = false;
    for values in (0..1u32 << columns).filter(|values| agrees(values) && solves(values)) {
        always = (always.0 & values, always.1 & !values);
        found = true;
    }
    let value = |column: u32| match (always.0 >> column & 1, always.1 >> column & 1) {
        (1, _) => Some(true),
        (_, 1) => Some(false),
        _ => None,
    };
    found.then(|| (0..columns).map(value).collect())
}

/// The row of an implied column, or of a conflict, is a sum of equations, and assigned apart from that column.
fn check_row(matrix: &Matrix, equations: &[Equation], row: u32, last: Option<(u32, bool)>, trail: &[Assigned]) {
    let mut sum = (0u32, false);
    for index in matrix.summands(row) {
        let (set, odd) = &equations[index as usize];
        set.iter().for_each(|&column| sum.0 ^= 1 << column);
        sum.1 ^= odd;
    }
    let columns: Vec<u32> = matrix.columns(row).collect();
    assert_eq!(columns.iter().fold(0, |set, &column| set | 1 << column), sum.0);
    let value = |column: u32| match last {
        Some((implied, value)) if implied == column => value,
        _ => trail.iter().find(|assigned| assigned.0 == column).expect("assigned").1,
    };
    let odd = columns.iter().filter(|&&column| value(column)).count() % 2 == 1;
    assert_eq!(odd == sum.1, last.is_some());
}

#[test]
fn matrices_find_all_that_follows_however_the_trail_comes_and_goes() {
    let (mut implications, mut conflicts, mut contradictions) = (0, 0, 0);
    for seed in 0..400 {
        let mut random = Random::new(seed);
        let columns = 3 + random.below(10);
        let equations = random_equations(&mut random, columns);
        let mut matrix = Matrix::new(columns as usize, &equations, true);
        if let Some(row) = matrix.contradiction() {
            assert_eq!(consequences(columns, &equations, &[]), None);
            check_row(&matrix, &equations, row, None, &[]);
            contradictions += 1;
            continue;
        }
        let mut trail: Vec<Assigned> = Vec::new();
        let mut level = 0;
        for _ in 0..60 {
            let mut implied = Vec::new();
            let conflict = matrix.propagate(trail.len() as u32, &mut implied);
            for found in &implied {
                check_row(&matrix, &equations, found.row, Some((found.column, found.value)), &trail);
                trail.push((found.column, found.value, level));
                implications += 1;
            }
            let expected = consequences(columns, &equations, &trail);
            if let Some(row) = conflict {
                check_row(&matrix, &equations, row, None, &trail);
                assert!(expected.is_none() && level > 0);
                conflicts += 1;
            } else {
                matrix.check();
                let expected = expected.expect("a conflict is not missed");
                for column in 0..columns {
                    let value = trail.iter().find(|assigned| assigned.0 == column).map(|assigned| assigned.1);
                    assert_eq!(value, expected[column as usize], "seed {seed} column {column}");
                }
            }
            // Back to a lower level, after a conflict or because all is assigned or at times; then some decisions on a
            // new one, of which all but the first stand for what clauses imply.
            if conflict.is_some() || trail.len() == columns as usize || random.below(4) == 0 {
                level = random.below(level.max(1));
                trail.retain(|assigned| assigned.2 <= level);
                matrix.undo(trail.len() as u32);
                if conflict.is_none() || level == 0 {
                    continue;
                }
            }
            level += 1;
            for _ in 0..1 + random.below(3) {
                let column = random.below(columns);
                if !matrix.is_assigned(column) {
                    let value = random.coin();
                    matrix.assign(column, value, trail.len() as u32);
                    trail.push((column, value, level));
                }
            }
        }
    }
    assert!(
        implications > 1000 && conflicts > 100 && contradictions > 10,
        "{implications} {conflicts} {contradictions}"
    );
}

/// Searches with matrices from the start; what does their work at the root is off.
const MATRICES: &[(&str, i64)] = &[
    ("probeint", 1),
    ("eliminateint", 1),
    ("parity", 0),
    ("congruence", 0),
    ("sweep", 0),
    ("gaussrowsmin", 1),
    ("gaussprice", 1_000_000),
];

const COUNTERS: [&str; 4] =
    ["literals implied by rows", "conflicts of rows", "rows written as clauses", "clauses of proofs of rows"];

/// Solves systems of exclusive ors with clauses that make a search necessary, in pieces and with assumptions.
fn search_systems(settings: &[(&str, i64)], rounds: u64, num_vars: u32) -> Vec<u64> {
    let mut sums = vec![0; COUNTERS.len()];
    for seed in 0..rounds {
        let mut random = Random::new(seed);
        let mut checked = Checked::new(settings);
        let num_vars = 8 + random.below(num_vars - 8);
        let mut clauses = random_system(&mut random, num_vars);
        clauses.extend((0..num_vars).map(|_| random_clause(&mut random, num_vars, 3)));
        let later = clauses.split_off(clauses.len() * (1 + random.below(2) as usize) / 2);
        for part in [clauses, later] {
            checked.add(part);
            for size in [3, 2, 0] {
                let assumptions = random_clause(&mut random, num_vars, size);
                checked.solve(&assumptions);
            }
        }
        sums.iter_mut().zip(COUNTERS).for_each(|(sum, name)| *sum += checked.count(name));
    }
    sums
}

#[test]
fn every_step_of_searches_with_matrices_is_checked() {
    for (settings, num_vars) in
        [(&[("chronolevels", 0)][..], 40), (&[("minimize", 0), ("shrink", 0)], 40), (&[("elimination", 0)], 30)]
    {
        let counts = search_systems(&[MATRICES, settings].concat(), 60, num_vars);
        assert!(counts.iter().all(|&count| count > 0), "{counts:?}");
    }
}

#[test]
fn a_proof_that_is_long_enough_ends_the_matrices_and_nothing_else() {
    let counts = search_systems(&[MATRICES, &[("gaussproof", 0)]].concat(), 60, 40);
    assert!(counts[0] > 0 && counts[3] > 0, "{counts:?}");
    let unlimited = search_systems(MATRICES, 60, 40);
    assert!(counts[3] < unlimited[3] / 2, "{counts:?} {unlimited:?}");
}

#[test]
fn a_contradiction_of_the_system_is_found_when_matrices_are_made() {
    // Of the edges of a complete graph an odd number at one node, an even one at the others.
    let edge = |a: u32, b: u32| Var::new(a.max(b) * 5 + a.min(b)).positive();
    let mut checked =
        Checked::new(&[MATRICES, &[("elimination", 0), ("sweep", 0), ("probe", 0), ("vivify", 0)]].concat());
    for node in 0..5 {
        let edges: Vec<Lit> = (0..5).filter(|&other| other != node).map(|other| edge(node, other)).collect();
        checked.add(xor(&edges, node == 0));
    }
    assert!(!checked.solve(&[]));
    assert!(checked.count("conflicts") < 10 && checked.count("matrices") > 0);
}

#[test]
fn what_a_row_implies_belongs_to_the_highest_level_of_the_others_in_it() {
    let mut options = Options::default();
    ["lucky", "inprocess"].iter().for_each(|name| options.set(name, 0).unwrap());
    options.set("gaussrowsmin", 1).unwrap();
    let mut solver = Solver::with_options(options);
    let outer: Vec<Lit> = (0..7).map(|i| Var::new(i).positive()).collect();
    // Together 3 = 4; and the first three are decisions.
    solver.add_clause(&outer);
    for other in [3, 4] {
        xor(&[outer[5], outer[6], outer[other]], false).iter().for_each(|clause| solver.add_clause(clause));
    }
    assert!(solver.prepare().is_none());
    solver.make_matrices();
    let lits: Vec<Lit> = outer.iter().map(|&lit| solver.map.get(lit).unwrap()).collect();
    for &lit in &lits[..3] {
        solver.trail.open_level(Some(lit));
        solver.assign(lit, Reason::NOTHING);
        assert!(solver.propagate_all().is_none());
    }
    solver.watch_binary(lits[3], !lits[0], true);
    solver.assign_learned(lits[3], Reason::binary(!lits[0]), 1);
    for level in [3, 2, 1] {
        solver.backtrack(level);
        assert!(solver.propagate_all().is_none());
        assert!(solver.values.is_true(lits[4]) && matches!(solver.trail.reason(lits[4]), Why::Row(_)));
        assert_eq!((solver.trail.level(), solver.trail.level_of(lits[4])), (level, 1));
        solver.check_propagated();
    }
    solver.backtrack(0);
    assert!(solver.trail.lits().is_empty());
    assert!(matches!(solver.solve(&[]), Outcome::Satisfiable(_)));
}

/// A proof that nobody reads.
struct Unread;

impl ProofSink for Unread {
    fn add(&mut self, _: &[Lit]) {}

    fn delete(&mut self, _: &[Lit]) {}

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// Takes decisions up to a conflict, and analyses that. A matrix says that 3 = 4, and 0, 3 and 4 are not true together.
fn analyzed(with_proof: bool, decisions: &[usize]) -> Solver {
    let mut options = Options::default();
    ["lucky", "inprocess", "gaussproof"].iter().for_each(|name| options.set(name, 0).unwrap());
    options.set("gaussrowsmin", 1).unwrap();
    let mut solver = Solver::with_options(options);
    if with_proof {
        solver.set_proof(Box::new(Unread));
    }
    let outer: Vec<Lit> = (0..8).map(|i| Var::new(i).positive()).collect();
    solver.add_clause(&outer);
    for other in [3, 4] {
        xor(&[outer[5], outer[6], outer[other]], false).iter().for_each(|clause| solver.add_clause(clause));
    }
    for last in [outer[7], !outer[7]] {
        solver.add_clause(&[!outer[0], !outer[3], !outer[4], last]);
    }
    assert!(solver.prepare().is_none());
    solver.make_matrices();
    let mut conflict = None;
    for &decision in decisions {
        assert!(conflict.is_none());
        let lit = solver.map.get(outer[decision]).unwrap();
        solver.trail.open_level(Some(lit));
        solver.assign(lit, Reason::NOTHING);
        conflict = solver.propagate_all();
    }
    solver.analyze(conflict.unwrap());
    solver
}

#[test]
fn minimization_proves_no_rows() {
    let [proved, unproved] = [true, false].map(|with_proof| analyzed(with_proof, &[1, 3, 0]).statistics);
    assert_eq!((proved.gauss_explained, proved.gauss_proof, proved.learned_literals), (0, 0, 3));
    assert_eq!((unproved.gauss_explained, unproved.learned_literals), (1, 2));
}

#[test]
fn a_proof_that_is_long_enough_leaves_no_row_to_be_proved_again() {
    let mut solver = analyzed(true, &[1, 0, 3]);
    assert_eq!((solver.statistics.gauss_explained, solver.statistics.learned_literals), (1, 2));
    assert!(solver.statistics.gauss_proof > 0);
    assert_eq!((solver.trail.level(), solver.gauss.active), (0, 0));
    assert!(matches!(solver.solve(&[]), Outcome::Satisfiable(_)));
    // Without a proof nothing ends, and the search goes on where the learned clause implies something.
    let unlimited = analyzed(false, &[1, 0, 3]);
    assert_eq!((unlimited.trail.level(), unlimited.gauss.active), (2, 1));
}
