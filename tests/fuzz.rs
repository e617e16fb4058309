//! Random calls of the engine's interface, with random options, against a brute-force oracle.
//!
//! A case is a trace: one call a line. On a failure the trace is shrunk and printed; saved as a file in `fuzz/` it is a test
//! for ever. Every model is held against all clauses, every proof step and every failed core is checked, and with few
//! variables every verdict is compared with that of all assignments.
//!
//! | variable              | what it sets                                                                        |
//! |-----------------------|-------------------------------------------------------------------------------------|
//! | `PUTNAM_FUZZ_CASES`   | the number of random cases                                                          |
//! | `PUTNAM_FUZZ_SECONDS` | instead of a number: how long to go on; the counters of all cases are printed at the end |
//! | `PUTNAM_FUZZ_SEED`    | the seed of the first case; the others follow it                                    |
//! | `PUTNAM_FUZZ_FORCE`   | 1 for all techniques in every case, at intervals of at most three conflicts         |

mod generate;
mod oracle;
mod shrink;
mod trace;

use putnam_formula::Statistic;
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};
use trace::{Trace, run};

/// Runs a trace: the engine's counters, or what is wrong with its answers, panics included.
fn attempt(trace: &Trace) -> Result<Vec<Statistic>, String> {
    catch_unwind(AssertUnwindSafe(|| run(trace))).unwrap_or_else(|panic| {
        let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
        Err(panic.downcast_ref::<String>().cloned().or(text).unwrap_or_else(|| "a panic".to_owned()))
    })
}

fn failure(trace: &Trace) -> Option<String> {
    attempt(trace).err()
}

fn number(variable: &str, default: u64) -> u64 {
    std::env::var(variable).ok().map_or(default, |text| text.parse().expect("a number"))
}

/// Runs the trace of a seed and adds its counters; panics with a small trace if it fails.
fn check_seed(seed: u64, forced: bool, counters: &mut BTreeMap<&'static str, u64>) {
    let trace = generate::trace(seed, forced);
    match attempt(&trace) {
        Ok(rows) => rows.iter().for_each(|row| *counters.entry(row.name).or_default() += row.count),
        Err(_) => {
            let small = shrink::shrink(trace, |candidate| failure(candidate).is_some());
            let message = failure(&small).unwrap_or_default();
            panic!("seed {seed}: {message}\nsave this as a file in tests/fuzz/ once it is understood:\n{small}");
        }
    }
}

#[test]
fn random_traces() {
    let first = number("PUTNAM_FUZZ_SEED", 0);
    let forced = number("PUTNAM_FUZZ_FORCE", 0) != 0;
    let (cases, seconds) = (number("PUTNAM_FUZZ_CASES", 300), number("PUTNAM_FUZZ_SECONDS", 0));
    let (start, end) = (Instant::now(), Duration::from_secs(seconds));
    let mut counters = BTreeMap::new();
    let mut done = 0;
    while if seconds > 0 { start.elapsed() < end } else { done < cases } {
        check_seed(first + done, forced, &mut counters);
        done += 1;
    }
    if seconds > 0 {
        println!("{done} cases from seed {first}");
        counters.iter().for_each(|(name, count)| println!("{count:12} {name}"));
    }
}

/// In forced cases every technique is on, and does something in a few of them.
#[test]
fn forced_traces_use_every_technique() {
    let mut counters = BTreeMap::new();
    (0..60).for_each(|seed| check_seed(seed, true, &mut counters));
    let used = |name: &&str| counters.contains_key(name);
    let idle: Vec<_> = generate::COUNTERS.iter().filter(|name| !used(name)).collect();
    assert!(idle.is_empty(), "never used: {idle:?}");
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
