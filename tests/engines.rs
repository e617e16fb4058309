//! Both engines against a brute-force oracle.

use crate::oracle::{brute_force, must_be_accepted};
use crate::support;
use proptest::prelude::*;
use putnam_cdcl::{Options, Solver};
use putnam_checker::Proof;
use putnam_dpll::Dpll;
use putnam_formats::{ReadOptions, read_from};
use putnam_formula::{ClauseSink as _, Cnf, Engine, Limits, Lit, Outcome, SharedProof, StopReason, Var};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

fn engines() -> [Box<dyn Engine>; 2] {
    [Box::new(Dpll::new()), Box::new(Solver::new())]
}

/// One call of `solve`: first these clauses are added, and it is made under these assumptions.
type Round = (Vec<Vec<Lit>>, Vec<Lit>);

fn lit(num_vars: u32) -> impl Strategy<Value = Lit> {
    (0..num_vars, any::<bool>()).prop_map(|(index, sign)| Var::new(index).lit(sign))
}

fn clauses(num_vars: u32, size: std::ops::RangeInclusive<usize>, most: usize) -> impl Strategy<Value = Vec<Vec<Lit>>> {
    prop::collection::vec(prop::collection::vec(lit(num_vars), size), 0..=most)
}

/// Formulas of every kind: mostly threes, some with many literals of one sign (so that literals are pure), some with units,
/// duplicate and opposite literals.
fn formula() -> impl Strategy<Value = Vec<Vec<Lit>>> {
    let threes = (3u32..=12).prop_flat_map(|n| clauses(n, 3..=3, 6 * n as usize));
    let mixed = (1u32..=9).prop_flat_map(|n| clauses(n, 1..=5, 4 * n as usize));
    let lopsided = (4u32..=12).prop_flat_map(|n| {
        let lit = (0..n, 0..4u8).prop_map(|(index, sign)| Var::new(index).lit(sign > 0 || index % 3 == 0));
        prop::collection::vec(prop::collection::vec(lit, 2..=4), 0..=6 * n as usize)
    });
    let twos = (3u32..=10).prop_flat_map(|n| clauses(n, 2..=2, 3 * n as usize));
    prop_oneof![4 => threes, 2 => mixed, 2 => lopsided, 1 => twos]
}

fn rounds() -> impl Strategy<Value = Vec<Round>> {
    let small = prop_oneof![clauses(8, 3..=3, 20), clauses(8, 0..=4, 10), clauses(8, 2..=3, 12)];
    prop::collection::vec((small, prop::collection::vec(lit(9), 0..=5)), 1..=4)
}

/// Adds clauses to the engine and to the formula.
fn add(engine: &mut dyn Engine, cnf: &mut Cnf, clauses: &[Vec<Lit>]) {
    for clause in clauses {
        engine.add_clause(clause);
        cnf.add_clause(clause);
    }
}

/// Compares one answer with the oracle.
fn judge(engine: &mut dyn Engine, cnf: &Cnf, assumptions: &[Lit]) {
    let expected = brute_force(cnf, assumptions);
    let name = engine.name();
    match engine.solve(assumptions) {
        Outcome::Satisfiable(model) => {
            assert!(expected.is_some(), "{name}: claims a model of {cnf:?} under {assumptions:?}");
            assert_eq!(model.falsified(cnf), None, "{name}: no model of {cnf:?}");
            assert!(assumptions.iter().all(|&lit| model.satisfies(lit)), "{name}: {assumptions:?} in {cnf:?}");
            assert!(model.num_vars() >= cnf.num_vars());
        }
        Outcome::Unsatisfiable { failed } => {
            assert_eq!(expected, None, "{name}: claims no model of {cnf:?} under {assumptions:?}");
            let mut rest = assumptions.iter();
            let ordered = failed.iter().all(|lit| rest.any(|other| other == lit));
            assert!(ordered, "{name}: failed {failed:?} of {assumptions:?}");
            assert_eq!(brute_force(cnf, &failed), None, "{name}: failed {failed:?} clash with {cnf:?}");
        }
        Outcome::Unknown(reason) => panic!("{name}: {reason}"),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn refutations_are_proved(clauses in formula()) {
        for mut engine in engines() {
            let proof = SharedProof::new(Proof::new());
            engine.set_proof(Box::new(proof.clone()));
            let mut cnf = Cnf::new();
            add(&mut *engine, &mut cnf, &clauses);
            judge(&mut *engine, &cnf, &[]);
            if brute_force(&cnf, &[]).is_none() {
                proof.with(|proof| must_be_accepted(&cnf, proof));
            }
        }
    }

    #[test]
    fn calls_in_a_row_answer_for_all_clauses_so_far(rounds in rounds()) {
        for mut engine in engines() {
            let mut cnf = Cnf::new();
            engine.declare(9);
            cnf.declare(9);
            for (clauses, assumptions) in &rounds {
                add(&mut *engine, &mut cnf, clauses);
                judge(&mut *engine, &cnf, assumptions);
                judge(&mut *engine, &cnf, assumptions);
                judge(&mut *engine, &cnf, &[]);
            }
        }
    }

    /// What was learned in earlier calls, under whatever assumptions, is proved as well: the last call has none.
    #[test]
    fn proofs_go_through_several_calls(rounds in rounds(), last in clauses(8, 3..=3, 40)) {
        for mut engine in engines() {
            let proof = SharedProof::new(Proof::new());
            engine.set_proof(Box::new(proof.clone()));
            let mut cnf = Cnf::new();
            // Proofs speak of one formula: all clauses come first.
            rounds.iter().for_each(|(clauses, _)| add(&mut *engine, &mut cnf, clauses));
            add(&mut *engine, &mut cnf, &last);
            rounds.iter().for_each(|(_, assumptions)| judge(&mut *engine, &cnf, assumptions));
            judge(&mut *engine, &cnf, &[]);
            if brute_force(&cnf, &[]).is_none() {
                proof.with(|proof| must_be_accepted(&cnf, proof));
            }
        }
    }
}

fn dimacs(numbers: &[i32]) -> Vec<Lit> {
    numbers.iter().map(|&x| Lit::from_dimacs(x).unwrap()).collect()
}

#[test]
fn corner_cases_are_answered_and_proved() {
    let refuted: [&[&[i32]]; 5] =
        [&[&[]], &[&[1], &[-1]], &[&[1, 1], &[-1, -1, -1]], &[&[2, -2], &[]], &[&[1, 2], &[-1], &[-2]]];
    for clauses in refuted {
        for mut engine in engines() {
            let proof = SharedProof::new(Proof::new());
            engine.set_proof(Box::new(proof.clone()));
            let cnf: Cnf = clauses.iter().copied().collect();
            cnf.clauses().for_each(|clause| engine.add_clause(clause));
            for _ in 0..2 {
                assert_eq!(engine.solve(&[]), Outcome::Unsatisfiable { failed: vec![] }, "{}: {cnf:?}", engine.name());
            }
            proof.with(|proof| must_be_accepted(&cnf, proof));
        }
    }
    let satisfied: [&[&[i32]]; 4] = [&[], &[&[1, -1]], &[&[2, 2, -5]], &[&[3], &[3], &[-4, 4, 1]]];
    for clauses in satisfied {
        for mut engine in engines() {
            let cnf: Cnf = clauses.iter().copied().collect();
            engine.declare(7);
            cnf.clauses().for_each(|clause| engine.add_clause(clause));
            let Outcome::Satisfiable(model) = engine.solve(&[]) else { panic!("{}: {cnf:?}", engine.name()) };
            assert_eq!((model.falsified(&cnf), model.num_vars()), (None, 7));
        }
    }
}

#[test]
fn far_apart_variables_cost_little() {
    for mut engine in engines() {
        let clause = dimacs(&[2, 40_000_000]);
        engine.add_clause(&clause);
        let Outcome::Satisfiable(model) = engine.solve(&dimacs(&[-2])) else { panic!("{}", engine.name()) };
        assert!(model.satisfies(clause[1]) && model.num_vars() == 40_000_000);
        let failed = dimacs(&[-2, -40_000_000]);
        assert_eq!(engine.solve(&failed), Outcome::Unsatisfiable { failed: failed.clone() });
    }
}

/// The formula of [`support::pigeons`].
fn pigeons(holes: i32) -> Cnf {
    read_from(support::pigeons(holes).as_bytes(), "pigeons", &ReadOptions::default()).unwrap().cnf
}

#[test]
fn limits_end_a_search_without_an_answer() {
    let cnf = pigeons(9);
    // Nothing may refute the pigeons before the search does.
    let mut options = Options::default();
    options.set("inprocess", 0).unwrap();
    let engines: [Box<dyn Engine>; 2] = [Box::new(Dpll::new()), Box::new(Solver::with_options(options))];
    for mut engine in engines {
        cnf.clauses().for_each(|clause| engine.add_clause(clause));
        let set = || Some(Arc::new(AtomicBool::new(true)));
        let limits = [
            (Limits { conflicts: Some(5), ..Limits::default() }, StopReason::Conflicts),
            (Limits { decisions: Some(3), ..Limits::default() }, StopReason::Decisions),
            (Limits { deadline: Some(std::time::Instant::now()), ..Limits::default() }, StopReason::Time),
            (Limits { terminate: set(), ..Limits::default() }, StopReason::Terminated),
        ];
        for (limit, reason) in limits {
            engine.set_limits(limit);
            assert_eq!(engine.solve(&[]), Outcome::Unknown(reason), "{}", engine.name());
        }
        engine.set_limits(Limits::default());
        let assumption = [Lit::from_dimacs(1).unwrap()];
        assert!(matches!(engine.solve(&assumption), Outcome::Unsatisfiable { .. }), "{}", engine.name());
    }
}

/// Asked with thousands of assumptions that fail, the core is the same in a time that does not grow with their square.
#[test]
fn many_assumptions_may_fail() {
    let count = 60_000;
    let assumptions: Vec<Lit> = (0..count).map(|index| Var::new(index).positive()).collect();
    let mut solver = Solver::new();
    let clause: Vec<Lit> = assumptions.iter().map(|&lit| !lit).collect();
    Solver::add_clause(&mut solver, &clause);
    let asked = std::time::Instant::now();
    assert_eq!(solver.solve(&assumptions), Outcome::Unsatisfiable { failed: assumptions.clone() });
    assert!(assumptions.iter().all(|&lit| solver.failed(lit)));
    assert!(asked.elapsed().as_secs() < 20, "{:?}", asked.elapsed());
}

#[test]
fn the_pigeons_are_refuted_with_a_proof() {
    let cnf = pigeons(4);
    for mut engine in engines() {
        let proof = SharedProof::new(Proof::new());
        engine.set_proof(Box::new(proof.clone()));
        cnf.clauses().for_each(|clause| engine.add_clause(clause));
        assert_eq!(engine.solve(&[]), Outcome::Unsatisfiable { failed: vec![] });
        proof.with(|proof| must_be_accepted(&cnf, proof));
    }
}
