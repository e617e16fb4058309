//! Steps checked by proof, independently of how they were found.

use super::Fact;
use super::rules::{Rules, Source};
use super::search::Explanation;
use super::steps::{Case, Step};
use putnam_checker::Proof;
use putnam_formula::{ClauseSink as _, Cnf, Engine as _, Lit, Outcome, SharedProof, Var};
use std::collections::HashMap;
use thiserror::Error;

/// Why an explanation is not accepted.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Unsound {
    /// A step uses a fact that is not known before it.
    #[error("step {0} uses a fact that is not known yet")]
    Premise(usize),
    /// A step's new facts do not follow from its clues, rules and facts.
    #[error("step {0} does not follow: {1}")]
    Step(usize, String),
}

/// Checks every step of an explanation: its premises were known, and its clues and rules with them imply the new facts by a
/// proof that the proof checker accepts.
///
/// # Errors
/// The first step that is not sound, counted from 1.
pub fn check_explanation(explanation: &Explanation) -> Result<(), Unsound> {
    let mut known = explanation.given.clone();
    check_sequence(&explanation.rules, &explanation.steps, &mut known)
}

fn check_sequence(rules: &Rules, steps: &[Step], known: &mut Vec<Fact>) -> Result<(), Unsound> {
    let mut seen: std::collections::HashSet<Fact> = known.iter().copied().collect();
    for (number, step) in steps.iter().enumerate() {
        if !step.premises.iter().all(|fact| seen.contains(fact)) {
            return Err(Unsound::Premise(number + 1));
        }
        check_step(rules, step).map_err(|message| Unsound::Step(number + 1, message))?;
        seen.extend(&step.facts);
        known.extend(&step.facts);
    }
    Ok(())
}

/// Checks that a step's clues and rules with its premises imply its new facts.
///
/// # Errors
/// What is wrong.
pub fn check_step(rules: &Rules, step: &Step) -> Result<(), String> {
    match &step.case {
        Some(case) => check_case(rules, step, case),
        None => {
            let negated: Vec<Lit> = step.facts.iter().map(|&fact| !fact).collect();
            refute(rules, &step.sources, &step.premises, &[negated])
        }
    }
}

fn check_case(rules: &Rules, step: &Step, case: &Case) -> Result<(), String> {
    if step.facts != [!case.assumption] {
        return Err("the case is about another fact".into());
    }
    let mut known: Vec<Fact> = step.premises.iter().copied().chain([case.assumption]).collect();
    check_sequence(rules, &case.steps, &mut known).map_err(|unsound| format!("inside: {unsound}"))?;
    if !case.premises.iter().all(|fact| known.contains(fact)) {
        return Err("the contradiction uses a fact that is not known".into());
    }
    refute(rules, &case.sources, &case.premises, &[])
}

/// Proves that sources and facts and further clauses have no model, and has the proof checked.
fn refute(rules: &Rules, sources: &[Source], facts: &[Fact], clauses: &[Vec<Lit>]) -> Result<(), String> {
    let mut cnf = Cnf::new();
    let mut names: HashMap<Var, Var> = HashMap::new();
    let parts = sources.iter().flat_map(|&source| rules.clauses(source));
    for clause in parts.chain(facts.iter().map(|&fact| vec![fact])).chain(clauses.iter().cloned()) {
        let renamed = |lit: Lit| {
            let next = Var::new(names.len() as u32);
            names.entry(lit.var()).or_insert(next).lit(lit.is_positive())
        };
        cnf.add_clause(&clause.into_iter().map(renamed).collect::<Vec<_>>());
    }
    let proof = SharedProof::new(Proof::new());
    let mut engine = putnam_cdcl::Solver::new();
    engine.set_proof(Box::new(proof.clone()));
    engine.declare(cnf.num_vars());
    cnf.clauses().for_each(|clause| engine.add_clause(clause));
    if let Outcome::Satisfiable(_) = engine.solve(&[]) {
        return Err("the opposite is possible".into());
    }
    proof.with(|proof| putnam_checker::check(&cnf, proof).map(|_| ()).map_err(|rejection| rejection.to_string()))
}
