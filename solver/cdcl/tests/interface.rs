//! What a user of the engine relies on: limits, determinism, observers, odd formulas.

use putnam_cdcl::{Event, Options, Solver};
use putnam_formula::{Engine, Limits, Lit, Outcome, StopReason};
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex};
use std::time::Instant;

fn lit(number: i32) -> Lit {
    Lit::from_dimacs(number).unwrap()
}

/// One pigeon more than holes.
fn pigeons(solver: &mut Solver, holes: i32) {
    let at = |pigeon: i32, hole: i32| lit(pigeon * holes + hole + 1);
    for pigeon in 0..=holes {
        solver.add_clause(&(0..holes).map(|hole| at(pigeon, hole)).collect::<Vec<_>>());
        for other in 0..pigeon {
            (0..holes).for_each(|hole| solver.add_clause(&[!at(pigeon, hole), !at(other, hole)]));
        }
    }
}

/// A satisfiable random formula with three literals a clause.
fn planted(solver: &mut Solver, num_vars: u32, num_clauses: u32) {
    let mut state = 1u64;
    let mut next = |bound: u32| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((state >> 33) as u32) % bound
    };
    for _ in 0..num_clauses {
        let mut clause: Vec<Lit> = (0..3).map(|_| lit(next(num_vars) as i32 + 1)).collect();
        // At least one positive literal: the assignment of all variables to true is a model.
        clause.iter_mut().skip(1).for_each(|l| *l = if next(8) < 7 { !*l } else { *l });
        solver.add_clause(&clause);
    }
}

fn is_send<T: Send>(_: &T) {}

#[test]
fn a_lone_clause_of_far_apart_variables_is_cheap() {
    let mut solver = Solver::new();
    is_send(&solver);
    solver.declare(40_000_000);
    solver.add_clause(&[lit(2), lit(40_000_000)]);
    let Outcome::Satisfiable(model) = solver.solve(&[lit(-2)]) else { panic!("satisfiable") };
    assert_eq!(model.num_vars(), 40_000_000);
    assert!(model.satisfies(lit(40_000_000)) && model.satisfies(lit(-2)) && model.satisfies(lit(-3)));
}

#[test]
fn formulas_without_anything() {
    let mut solver = Solver::new();
    assert!(matches!(solver.solve(&[]), Outcome::Satisfiable(model) if model.num_vars() == 0));
    solver.declare(3);
    assert!(matches!(solver.solve(&[lit(-2)]), Outcome::Satisfiable(model) if model.num_vars() == 3));
    assert_eq!(solver.solve(&[lit(1), lit(2), lit(-1)]), Outcome::Unsatisfiable { failed: vec![lit(1), lit(-1)] });
    solver.add_clause(&[]);
    assert_eq!(solver.solve(&[lit(1)]), Outcome::Unsatisfiable { failed: vec![] });
}

#[test]
fn a_clause_of_a_hundred_thousand_literals() {
    let mut solver = Solver::new();
    let clause: Vec<Lit> = (1..=100_000).map(lit).collect();
    solver.add_clause(&clause);
    let all_but_one: Vec<Lit> = clause.iter().map(|&l| !l).filter(|&l| l != lit(-777)).collect();
    let Outcome::Satisfiable(model) = solver.solve(&all_but_one) else { panic!("satisfiable") };
    assert!(model.satisfies(lit(777)));
}

#[test]
fn limits_stop_the_search_and_it_can_go_on() {
    // Nothing may refute the pigeons before the search does.
    let mut options = Options::default();
    options.set("inprocess", 0).unwrap();
    let mut solver = Solver::with_options(options);
    pigeons(&mut solver, 8);
    let mut stopped = |limits: Limits| {
        solver.set_limits(limits);
        solver.solve(&[])
    };
    let past = Some(Instant::now());
    let flag = Some(Arc::new(AtomicBool::new(true)));
    let cases = [
        (Limits { conflicts: Some(10), ..Limits::default() }, StopReason::Conflicts),
        (Limits { decisions: Some(10), ..Limits::default() }, StopReason::Decisions),
        (Limits { ticks: Some(100), ..Limits::default() }, StopReason::Ticks),
        (Limits { deadline: past, ..Limits::default() }, StopReason::Time),
        (Limits { memory: Some(1000), ..Limits::default() }, StopReason::Memory),
        (Limits { terminate: flag, ..Limits::default() }, StopReason::Terminated),
    ];
    for (limits, reason) in cases {
        assert_eq!(stopped(limits), Outcome::Unknown(reason));
    }
    assert_eq!(stopped(Limits::default()), Outcome::Unsatisfiable { failed: vec![] });
}

#[test]
fn the_same_input_gives_the_same_run() {
    let run = |seed: i64| {
        let mut options = Options::default();
        options.set("seed", seed).unwrap();
        options.set("modeinit", 100).unwrap();
        options.set("pigeonhole", 0).unwrap();
        let mut solver = Solver::with_options(options);
        pigeons(&mut solver, 7);
        let first = solver.solve(&[lit(-1)]);
        (first, solver.solve(&[]), solver.statistics())
    };
    assert_eq!(run(1), run(1));
    assert!(run(1).2.iter().any(|row| row.name == "mode switches" && row.count > 1));
}

#[test]
fn every_option_can_be_switched_at_both_ends() {
    for info in Options::TABLE {
        for value in [info.low, info.high.min(1 << 40)] {
            let mut options = Options::default();
            options.set(info.name, value).unwrap();
            let mut unsatisfiable = Solver::with_options(options.clone());
            pigeons(&mut unsatisfiable, 6);
            let outcome = unsatisfiable.solve(&[]);
            assert_eq!(outcome, Outcome::Unsatisfiable { failed: vec![] }, "{}={value}", info.name);
            let mut satisfiable = Solver::with_options(options);
            planted(&mut satisfiable, 150, 600);
            assert!(matches!(satisfiable.solve(&[]), Outcome::Satisfiable(_)), "{}={value}", info.name);
        }
    }
}

#[test]
fn an_observer_sees_the_run() {
    let events = Arc::new(Mutex::new(Vec::new()));
    let seen = Arc::clone(&events);
    let mut options = Options::default();
    options.set("pigeonhole", 0).unwrap();
    let mut solver = Solver::with_options(options);
    solver.set_observer(Box::new(move |line| seen.lock().unwrap().push((line.event, line.conflicts))));
    pigeons(&mut solver, 8);
    assert_eq!(solver.solve(&[]), Outcome::Unsatisfiable { failed: vec![] });
    let events = events.lock().unwrap();
    assert_eq!(events.first(), Some(&(Event::Start, 0)));
    assert_eq!(events.last().map(|e| e.0), Some(Event::Unsatisfiable));
    assert!(events.iter().any(|e| e.0 == Event::Stable) && events.iter().any(|e| e.0 == Event::Reduce));
    assert!(events.windows(2).all(|pair| pair[0].1 <= pair[1].1));
}
