//! Formulas with known verdicts (`cnf/`), by every engine.
//!
//! `X.sat.cnf` and `X.unsat.cnf` (also compressed) carry the verdict in the name; for another name both engines have to
//! agree. The classical procedure is left out where the name has `.cdcl.` in it, and for formulas with more than
//! [`DPLL_CLAUSES`] clauses.

use crate::support::{files, name, path};
use putnam_checker::Proof;
use putnam_formats::{ReadOptions, read_path};
use putnam_formula::{Cnf, Engine, Limits, Outcome, SharedProof};
use std::time::{Duration, Instant};

/// Larger formulas are left to cdcl.
const DPLL_CLAUSES: usize = 2000;

/// What the classical procedure has for each formula that does not name it; a verdict that takes longer is no verdict.
const DPLL_SECONDS: u64 = 2;

/// The verdict of an engine, its model and proof checked; none when the time was up.
fn decide(mut engine: Box<dyn Engine>, cnf: &Cnf, file: &str, limit: Option<Duration>) -> Option<bool> {
    let proof = SharedProof::new(Proof::new());
    let who = engine.name();
    engine.set_proof(Box::new(proof.clone()));
    engine.set_limits(Limits { deadline: limit.map(|limit| Instant::now() + limit), ..Limits::default() });
    engine.declare(cnf.num_vars());
    cnf.clauses().for_each(|clause| engine.add_clause(clause));
    match engine.solve(&[]) {
        Outcome::Satisfiable(model) => {
            assert_eq!(model.falsified(cnf), None, "{file}: the model of {who} makes this clause false");
            assert!(model.num_vars() >= cnf.num_vars(), "{file}: {who} leaves variables without value");
            Some(true)
        }
        Outcome::Unsatisfiable { failed } => {
            assert_eq!(failed, [], "{file}: {who} names assumptions that were not made");
            let proof = proof.with(std::mem::take);
            if let Err(rejection) = putnam_checker::check(cnf, &proof) {
                panic!("{file}: the proof of {who} is wrong: {rejection}");
            }
            Some(false)
        }
        Outcome::Unknown(reason) => {
            assert!(limit.is_some(), "{file}: {who} gave up: {reason}");
            None
        }
    }
}

#[test]
fn every_file_has_its_verdict() {
    let mut by_dpll = 0;
    for path in files("cnf") {
        let file = name(&path);
        let document = read_path(path.to_str().unwrap(), &ReadOptions::default()).unwrap_or_else(|e| panic!("{e}"));
        let cnf = document.cnf;
        let expected = match &file {
            _ if file.contains(".sat.") => Some(true),
            _ if file.contains(".unsat.") => Some(false),
            _ => None,
        };
        let cdcl = decide(Box::new(putnam_cdcl::Solver::new()), &cnf, &file, None);
        if let Some(expected) = expected {
            assert_eq!(cdcl, Some(expected), "{file}: cdcl (true is satisfiable)");
        }
        if cnf.num_clauses() <= DPLL_CLAUSES && !file.contains(".cdcl.") {
            // Without a verdict in the name, the second opinion is needed however long it takes.
            let limit = expected.map(|_| Duration::from_secs(DPLL_SECONDS));
            let dpll = decide(Box::new(putnam_dpll::Dpll::new()), &cnf, &file, limit);
            assert!(dpll.is_none() || dpll == cdcl, "{file}: dpll says {dpll:?}, cdcl {cdcl:?} (true is satisfiable)");
            by_dpll += usize::from(dpll.is_some());
        }
    }
    assert!(by_dpll >= 10, "dpll decided only {by_dpll} files");
}

#[test]
fn every_file_has_its_source() {
    let readme = std::fs::read_to_string(path("cnf/README.md")).unwrap();
    for path in files("cnf") {
        let file = name(&path);
        let stem = file.split(".cnf").next().unwrap().trim_end_matches(".unsat").trim_end_matches(".sat");
        assert!(readme.contains(&format!("`{stem}`")), "cnf/README.md does not name {stem}");
    }
}
