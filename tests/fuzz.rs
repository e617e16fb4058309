//! Random calls of the engine's interface, with random options, against a brute-force oracle.
//!
//! A case is a trace: one call a line. On a failure the trace is shrunk and printed; saved as a file in `fuzz/` it is a test
//! for ever. Every model is held against all clauses, every proof step and every failed core is checked, and with few
//! variables every verdict is compared with that of all assignments. `PUTNAM_FUZZ_CASES` sets the number of random cases,
//! `PUTNAM_FUZZ_SEED` where they start.

mod generate;
mod oracle;
mod shrink;
mod trace;

use std::panic::{AssertUnwindSafe, catch_unwind};
use trace::{Trace, run};

/// What is wrong with the engine's answers to a trace, panics included.
fn failure(trace: &Trace) -> Option<String> {
    match catch_unwind(AssertUnwindSafe(|| run(trace))) {
        Ok(result) => result.err(),
        Err(panic) => Some(
            panic
                .downcast_ref::<String>()
                .cloned()
                .or_else(|| panic.downcast_ref::<&str>().map(|text| (*text).to_owned()))
                .unwrap_or_else(|| "a panic".to_owned()),
        ),
    }
}

fn number(variable: &str, default: u64) -> u64 {
    std::env::var(variable).ok().map_or(default, |text| text.parse().expect("a number"))
}

#[test]
fn random_traces() {
    let first = number("PUTNAM_FUZZ_SEED", 0);
    for seed in first..first + number("PUTNAM_FUZZ_CASES", 300) {
        let trace = generate::trace(seed);
        if failure(&trace).is_some() {
            let small = shrink::shrink(trace, |candidate| failure(candidate).is_some());
            let message = failure(&small).unwrap_or_default();
            panic!("seed {seed}: {message}\nsave this as a file in tests/fuzz/ once it is understood:\n{small}");
        }
    }
}

#[test]
fn saved_traces() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/fuzz");
    let mut count = 0;
    for entry in std::fs::read_dir(folder).expect("the folder of traces") {
        let path = entry.expect("a folder entry").path();
        if path.extension().is_some_and(|extension| extension == "trace") {
            let text = std::fs::read_to_string(&path).expect("a readable trace");
            let trace: Trace = text.parse().unwrap_or_else(|error| panic!("{}: {error}", path.display()));
            if let Some(message) = failure(&trace) {
                panic!("{}: {message}", path.display());
            }
            count += 1;
        }
    }
    assert!(count > 0);
}

#[test]
fn a_failure_shrinks_to_what_matters() {
    let trace: Trace =
        "clause 1 2 3\ndeclare 9\nclause -1 4\nassume 5\nenumerate 1 4 / -2\nsolve -1\ncollect\nclause 2 -3 1\nsolve"
            .parse()
            .unwrap();
    assert_eq!(trace.to_string().parse(), Ok(trace.clone()));
    let fails = |t: &Trace| t.to_string().lines().any(|l| l.starts_with("clause") && l.contains(" 4"));
    assert_eq!(shrink::shrink(trace, fails).to_string(), "clause 4\n");
}

#[test]
fn the_oracle_refuses_wrong_steps() {
    let mut oracle = oracle::Oracle::default();
    let lits =
        |numbers: &[i32]| numbers.iter().map(|&n| putnam_formula::Lit::from_dimacs(n).unwrap()).collect::<Vec<_>>();
    oracle.add_original(&lits(&[1, 2]));
    oracle.add_original(&lits(&[1, -2]));
    oracle.add_original(&lits(&[-2, -3]));
    oracle.add_step(&lits(&[1]));
    oracle.add_step(&lits(&[4, -3]));
    oracle.add_step(&lits(&[-4, -2]));
    assert_eq!(oracle.error(), None);
    oracle.add_step(&lits(&[2]));
    assert!(oracle.error().is_some_and(|error| error.contains("does not follow")));
    let mut oracle = oracle::Oracle::default();
    oracle.add_original(&lits(&[1, 2, 2]));
    oracle.delete_step(&lits(&[2, 1]));
    oracle.delete_step(&lits(&[2, 1]));
    assert!(oracle.error().is_some_and(|error| error.contains("is not there")));
}
