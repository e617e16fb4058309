//! The check itself. Forward, unit propagation goes through the proof until a clause is false. Backward, the steps are
//! taken back one after the other, and each clause that turned out to be needed is checked with what stood before it
//! (Goldberg and Novikov, Verification of proofs of unsatisfiability for CNF formulas, DATE 2003).

use crate::clauses::ClauseRef;
use crate::error::{Antecedent, Cause, Origin, Rejection};
use crate::load::{Action, Loaded, load};
use crate::proof::{Proof, Step};
use crate::propagation::Propagation;
use crate::redundancy::{Failure, Redundancy};
use crate::report::{Derivation, Lemma, Report, Statistics};
use crate::{Mode, Options};
use putnam_formula::{Cnf, Lit, Renumbering, StopReason};
use std::sync::atomic::Ordering;
use std::time::Instant;

pub(crate) struct Verifier<'a> {
    cnf: &'a Cnf,
    proof: &'a Proof,
    options: Options,
    redundancy: Redundancy,
    actions: Vec<Action>,
    variables: Renumbering,
    num_original: usize,
    /// By place on the trail: how many steps had been taken when the literal became true.
    steps_at: Vec<u32>,
    /// Clauses of one literal that are alive; kept in strict mode only.
    units: Vec<ClauseRef>,
    statistics: Statistics,
}

/// Where the refutation was found.
struct Refutation {
    conflict: ClauseRef,
    /// The number of steps that were taken.
    steps: usize,
}

/// Checks a proof; see [`crate::check_with`].
pub(crate) fn verify<'a>(cnf: &'a Cnf, proof: &'a Proof, options: &Options) -> Result<Report<'a>, Rejection> {
    let Loaded { clauses, actions, variables, num_original, missing_deletions, unit_deletions } =
        load(cnf, proof, !options.strict_unit_deletions)?;
    let num_vars = variables.len();
    let backward = options.mode == Mode::Backward && !options.strict_unit_deletions;
    let statistics = Statistics {
        steps: proof.len() as u64,
        missing_deletions: missing_deletions.0,
        first_missing_deletions: missing_deletions.1,
        ignored_unit_deletions: unit_deletions,
        ..Statistics::default()
    };
    let redundancy = Redundancy::new(Propagation::new(clauses, num_vars), num_vars, backward);
    let (steps_at, units, options) = (Vec::new(), Vec::new(), options.clone());
    let verifier =
        Verifier { cnf, proof, options, redundancy, actions, variables, num_original, steps_at, units, statistics };
    verifier.run()
}

impl<'a> Verifier<'a> {
    fn run(mut self) -> Result<Report<'a>, Rejection> {
        let refutation = self.go_forward()?.ok_or_else(|| Rejection::whole(Cause::NoEmptyClause))?;
        self.statistics.steps_used = refutation.steps as u64;
        let derivation = match self.redundancy.backward {
            true => Some(self.go_backward(refutation)?),
            false => None,
        };
        self.statistics.propagations = self.redundancy.engine.propagations;
        Ok(Report::new(self.cnf, self.proof, self.statistics, derivation))
    }

    /// Takes steps until a clause is false, and checks them on the way in forward mode.
    fn go_forward(&mut self) -> Result<Option<Refutation>, Rejection> {
        for number in 0..self.num_original as u32 {
            let clause = self.redundancy.engine.clauses.by_number(number);
            if self.attach(clause) {
                return Ok(Some(Refutation { conflict: clause, steps: 0 }));
            }
        }
        if let Some(conflict) = self.propagate(0) {
            return Ok(Some(Refutation { conflict, steps: 0 }));
        }
        for step in 0..self.actions.len() {
            if step % 4096 == 0 {
                self.stop()?;
            }
            let conflict = match self.actions[step] {
                Action::Nothing => None,
                Action::Delete(number) => self.delete(step, number),
                Action::Add(number) => {
                    let clause = self.redundancy.engine.clauses.by_number(number);
                    if !self.redundancy.backward {
                        self.check(step, clause)?;
                    }
                    match self.attach(clause) {
                        true => Some(clause),
                        false => self.propagate(step + 1),
                    }
                }
            };
            if let Some(conflict) = conflict {
                return Ok(Some(Refutation { conflict, steps: step + 1 }));
            }
        }
        Ok(None)
    }

    fn attach(&mut self, clause: ClauseRef) -> bool {
        if self.options.strict_unit_deletions && self.redundancy.engine.clauses.size(clause) == 1 {
            self.units.push(clause);
        }
        self.redundancy.engine.attach(clause)
    }

    fn propagate(&mut self, steps: usize) -> Option<ClauseRef> {
        let conflict = self.redundancy.engine.propagate();
        self.steps_at.resize(self.redundancy.engine.trail.len(), steps as u32);
        conflict
    }

    /// Deletes a clause. The reason of a literal that is true without assumptions is kept, as by DRAT-trim, unless the
    /// check is strict: then the literal goes, with all that follows from it. Answers a clause that is false.
    fn delete(&mut self, step: usize, number: u32) -> Option<ClauseRef> {
        let engine = &mut self.redundancy.engine;
        let clause = engine.clauses.by_number(number);
        if !engine.is_reason(clause) {
            engine.clauses.set_alive(clause, false);
            return None;
        }
        if !self.options.strict_unit_deletions {
            self.statistics.ignored_unit_deletions += 1;
            self.actions[step] = Action::Nothing;
            return None;
        }
        engine.clauses.set_alive(clause, false);
        let position = engine.position(engine.clauses.lit(clause, 0));
        engine.undo(position);
        engine.restart();
        self.units.retain(|&unit| engine.clauses.is_alive(unit));
        for &unit in &self.units {
            let lit = engine.clauses.lit(unit, 0);
            if !engine.is_true(lit) {
                engine.assign(lit, unit);
            }
        }
        self.steps_at.truncate(position);
        self.propagate(step + 1)
    }

    /// Takes the steps back and checks what is needed.
    fn go_backward(&mut self, refutation: Refutation) -> Result<Derivation, Rejection> {
        let mut derivation = Derivation::new(self.num_original, self.options.hints);
        let redundancy = &mut self.redundancy;
        redundancy.engine.drop_dead_watches();
        // What became true in a run of propagation that ended with the conflict is no longer wanted, but is explained
        // here.
        redundancy.explain_refutation(refutation.conflict);
        derivation.push(None, &mut redundancy.needs);
        // Propagation was cut short by the conflict. It is complete again when the last step is taken back, because
        // that step began it; a conflict in the formula itself leaves no step to be checked.
        for step in (0..refutation.steps).rev() {
            let engine = &mut self.redundancy.engine;
            match self.actions[step] {
                Action::Nothing => {}
                Action::Delete(number) => {
                    let clause = engine.clauses.by_number(number);
                    let falsified = engine.attach(clause);
                    debug_assert!(!falsified, "it was not false when it was deleted");
                }
                Action::Add(number) => {
                    let clause = engine.clauses.by_number(number);
                    if engine.is_reason(clause) {
                        let position = engine.position(engine.clauses.lit(clause, 0));
                        engine.undo(position);
                    }
                    engine.clauses.set_alive(clause, false);
                    if engine.clauses.is_core(clause) {
                        self.check(step, clause)?;
                        let lemma = Lemma { step: step as u32, number };
                        derivation.push(Some(lemma), &mut self.redundancy.needs);
                    }
                }
            }
        }
        let Redundancy { engine, needs, .. } = &mut self.redundancy;
        derivation.finish(needs, &engine.clauses, &self.steps_at, &self.variables);
        Ok(derivation)
    }

    fn check(&mut self, step: usize, clause: ClauseRef) -> Result<(), Rejection> {
        let written = self.proof.step(step).clause();
        self.stop()?;
        let pivot = written.first().and_then(|&lit| self.variables.get(lit));
        let rat = self.redundancy.check(clause, pivot).map_err(|failure| self.rejection(step, failure))?;
        self.statistics.checked += 1;
        self.statistics.rat += rat as u64;
        Ok(())
    }

    fn rejection(&self, step: usize, failure: Failure) -> Rejection {
        let clause = self.proof.step(step).clause().to_vec();
        let cause = match (failure, clause.first()) {
            (Failure::NoConflict, _) | (_, None) => Cause::NotRefuted,
            (Failure::FalsePivot, Some(&pivot)) => Cause::FalsePivot(pivot),
            (Failure::Resolvent(partner), Some(&pivot)) => {
                let number = self.redundancy.engine.clauses.number(partner);
                Cause::NotRedundant { pivot, partner: self.antecedent(number) }
            }
        };
        Rejection { step: Some(step as u64 + 1), clause: Some(clause), cause }
    }

    fn antecedent(&self, number: u32) -> Antecedent {
        if (number as usize) < self.num_original {
            let clause = self.cnf.clause(number as usize).to_vec();
            return Antecedent { origin: Origin::Formula(u64::from(number) + 1), clause };
        }
        let position = self.actions.iter().position(|&action| action == Action::Add(number));
        let step = position.unwrap_or_default();
        let clause: Vec<Lit> = match self.proof.step(step) {
            Step::Add(clause) | Step::Delete(clause) => clause.to_vec(),
        };
        Antecedent { origin: Origin::Step(step as u64 + 1), clause }
    }

    /// Fails when a limit is reached.
    fn stop(&self) -> Result<(), Rejection> {
        let Options { deadline, terminate, .. } = &self.options;
        if terminate.as_ref().is_some_and(|flag| flag.load(Ordering::Relaxed)) {
            return Err(Rejection::whole(Cause::Stopped(StopReason::Terminated)));
        }
        if deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            return Err(Rejection::whole(Cause::Stopped(StopReason::Time)));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Mode, check, check_with};
    use putnam_formula::ProofSink;
    use std::sync::Arc;
    use std::sync::atomic::AtomicBool;

    fn lits(numbers: &[i32]) -> Vec<Lit> {
        numbers.iter().map(|&x| Lit::from_dimacs(x).unwrap()).collect()
    }

    /// The first four clauses have no model. The other two are not needed.
    fn example() -> (Cnf, Proof) {
        let clauses: [&[i32]; 6] = [&[1, 2], &[1, -2], &[-1, 2], &[-1, -2], &[3, 4], &[-3, 1]];
        let mut proof = Proof::new();
        for clause in [&[3, 4, 5][..], &[1], &[7]] {
            proof.add(&lits(clause));
        }
        (clauses.into_iter().collect(), proof)
    }

    #[test]
    fn the_core_and_the_trimmed_proof_have_nothing_that_is_not_needed() {
        let (cnf, proof) = example();
        let report = check(&cnf, &proof).unwrap();
        assert_eq!((report.core(), report.core_lemmas()), (Some(vec![0, 1, 2, 3]), Some(1)));
        // The clause (7) comes after the conflict that (1) brings.
        assert_eq!((report.statistics().steps_used, report.statistics().checked), (2, 1));
        let mut trimmed = Proof::new();
        assert!(report.write_trimmed(&mut trimmed));
        let mut expected = Proof::new();
        expected.add(&lits(&[1]));
        expected.delete(&lits(&[1, -2]));
        expected.delete(&lits(&[1, 2]));
        expected.add(&[]);
        assert_eq!(trimmed.steps().next(), expected.steps().next());
        assert_eq!((trimmed.len(), trimmed.steps().last()), (4, expected.steps().last()));
    }

    #[test]
    fn a_forward_check_looks_at_everything_and_finds_no_core() {
        let (cnf, proof) = example();
        let options = Options { mode: Mode::Forward, ..Options::default() };
        let report = check_with(&cnf, &proof, &options).unwrap();
        assert_eq!((report.core(), report.statistics().checked), (None, 2));
        assert!(!report.write_trimmed(&mut Proof::new()) && !report.write_lrat(&mut |_| ()));
    }

    #[test]
    fn limits_stop_a_check_without_a_verdict() {
        let (cnf, proof) = example();
        let stopped = |options: Options| check_with(&cnf, &proof, &options).unwrap_err();
        let deadline = stopped(Options { deadline: Some(Instant::now()), ..Options::default() });
        assert_eq!(deadline.to_string(), "not decided: time limit reached");
        assert!(!deadline.is_fault());
        let terminate = Some(Arc::new(AtomicBool::new(true)));
        let terminated = stopped(Options { terminate, ..Options::default() });
        assert_eq!(terminated.cause, Cause::Stopped(StopReason::Terminated));
    }
}
