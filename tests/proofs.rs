//! Proofs to accept and to reject (`proofs/`), and attacks on the checker with mutated proofs.
//!
//! `NAME.cnf` is a formula. `NAME.what.accept.drat`, `NAME.what.accept.lrat` are proofs for it that must be accepted, and
//! `NAME.what.reject.drat` and so on must be rejected with the message in `NAME.what.reject.drat.message`. With `.forward`
//! or `.strict` before `.accept` or `.reject`, the check goes forward or counts unit deletions.

use crate::oracle::{brute_force, check_lrat_naively, check_naively, must_be_accepted};
use putnam_cdcl::Solver;
use putnam_checker::{LratProof, LratStep, Mode, Options, Proof, Step, check_lrat, check_with};
use putnam_dpll::Dpll;
use putnam_formats::{ProofStep, ReadOptions, read_from, read_path, read_proof};
use putnam_formula::{ClauseSink as _, Cnf, Engine, Lit, Outcome, ProofSink as _, SharedProof, Var};
use rand::prelude::*;
use rand::rngs::StdRng;
use std::collections::BTreeSet;
use std::fs;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

/// Reads and checks the proof in `bytes`; the message says why it is not accepted. LRAT is told by the name.
fn verdict(cnf: &Cnf, name: &str, bytes: &[u8]) -> Result<(), String> {
    let (mut drat, mut lrat) = (Proof::new(), LratProof::new());
    let format = name.ends_with(".lrat").then_some(putnam_formats::ProofFormat::Lrat);
    let read = read_proof(bytes, name, format, |step| {
        match step {
            ProofStep::Add(clause) => drat.add(clause),
            ProofStep::Delete(clause) => drat.delete(clause),
            ProofStep::LratAdd { id, clause, hints } => lrat.push(LratStep::Add { id, clause, hints }),
            ProofStep::LratDelete { id, clauses } => lrat.push(LratStep::Delete { id, ids: clauses }),
        }
        ControlFlow::Continue(())
    });
    read.map_err(|error| error.to_string())?;
    if name.ends_with(".lrat") {
        return check_lrat(cnf, &lrat).map(drop).map_err(|rejection| rejection.to_string());
    }
    let mode = if name.contains(".forward.") { Mode::Forward } else { Mode::Backward };
    let options = Options { mode, strict_unit_deletions: name.contains(".strict."), ..Options::default() };
    check_with(cnf, &drat, &options).map(drop).map_err(|rejection| rejection.to_string())
}

#[test]
fn files_are_accepted_or_rejected_with_their_message() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("proofs");
    let mut paths: Vec<PathBuf> = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    let (mut seen, mut faults) = (0, Vec::new());
    for path in paths {
        let name = path.file_name().unwrap().to_str().unwrap();
        if name.ends_with(".cnf") || name.ends_with(".message") {
            continue;
        }
        let formula = folder.join(format!("{}.cnf", name.split('.').next().unwrap()));
        let cnf = read_path(formula.to_str().unwrap(), &ReadOptions::default()).unwrap().cnf;
        let verdict = verdict(&cnf, name, &fs::read(&path).unwrap());
        let expected = match name.contains(".reject.") {
            true => Err(fs::read_to_string(folder.join(format!("{name}.message"))).unwrap_or_default()),
            false => Ok(()),
        };
        if verdict.clone().map_err(|message| message.trim_end().to_owned())
            != expected.clone().map_err(|m| m.trim_end().to_owned())
        {
            faults.push(format!("{name}: expected {expected:?}, got {verdict:?}"));
        }
        seen += 1;
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    assert!(seen >= 50, "only {seen} proofs were found");
}

/// The lines that stay readable are those that are told apart: text and binary hold the same proof.
#[test]
fn the_steps_that_a_reader_sees_are_those_that_count() {
    let cnf =
        read_from(&b"p cnf 2 4\n1 2 0\n-1 2 0\n1 -2 0\n-1 -2 0\n"[..], "cnf", &ReadOptions::default()).unwrap().cnf;
    assert_eq!(verdict(&cnf, "text.drat", b"1 0\n0\n"), Ok(()));
    assert_eq!(verdict(&cnf, "binary.drat", &[b'a', 2, 0, b'a', 0]), Ok(()));
}

/// Random refutations and random changes of them.
struct Attack {
    random: StdRng,
    num_vars: u32,
}

impl Attack {
    fn lit(&mut self) -> Lit {
        let index = self.random.random_range(0..self.num_vars);
        Var::new(index).lit(self.random.random())
    }

    fn clause(&mut self, most: usize) -> Vec<Lit> {
        let size = self.random.random_range(1..=most);
        (0..size).map(|_| self.lit()).collect()
    }

    /// A formula without a model, if the dice fall so.
    fn formula(&mut self) -> Option<Cnf> {
        let mut cnf = Cnf::new();
        for index in 0..self.num_vars * 5 {
            let size = if index % 5 == 0 { 2 } else { 3 };
            let clause: Vec<Lit> = (0..size).map(|_| self.lit()).collect();
            cnf.add_clause(&clause);
        }
        brute_force(&cnf, &[]).is_none().then_some(cnf)
    }

    /// A proof with RAT steps: first random clauses that are redundant, over some more variables, and deletions that leave
    /// no model; then what an engine finds for the clauses that are there.
    fn refutation(&mut self, cnf: &Cnf) -> Proof {
        let mut proof = Proof::new();
        let mut clauses: Vec<Vec<Lit>> = cnf.clauses().map(<[Lit]>::to_vec).collect();
        let formula = |clauses: &[Vec<Lit>]| {
            let mut cnf = Cnf::new();
            clauses.iter().for_each(|clause| cnf.add_clause(clause));
            cnf
        };
        self.num_vars += 2;
        for _ in 0..30 {
            if self.random.random_bool(0.7) {
                let clause = self.clause(3);
                // The clause is redundant when a proof of it alone is accepted up to the missing end.
                let mut step = Proof::new();
                step.add(&clause);
                let fault = check_naively(&formula(&clauses), &step).err();
                if fault.as_deref() == Some("no conflict at the end") {
                    proof.add(&clause);
                    clauses.push(clause);
                }
            } else if !clauses.is_empty() {
                let place = self.random.random_range(0..clauses.len());
                let clause = clauses.swap_remove(place);
                if brute_force(&formula(&clauses), &[]).is_none() {
                    proof.delete(&clause);
                } else {
                    clauses.push(clause);
                }
            }
        }
        let mut engine: Box<dyn Engine> =
            if self.random.random() { Box::new(Dpll::new()) } else { Box::new(Solver::new()) };
        let rest = SharedProof::new(Proof::new());
        engine.set_proof(Box::new(rest.clone()));
        clauses.iter().for_each(|clause| engine.add_clause(clause));
        assert_eq!(engine.solve(&[]), Outcome::Unsatisfiable { failed: vec![] });
        rest.with(|rest| rest.replay(&mut proof));
        proof
    }

    /// The same proof with one to three changes.
    fn mutate(&mut self, proof: &Proof) -> Proof {
        let mut steps: Vec<(bool, Vec<Lit>)> =
            proof.steps().map(|step| (matches!(step, Step::Delete(_)), step.clause().to_vec())).collect();
        for _ in 0..self.random.random_range(1..=3) {
            if steps.is_empty() {
                break;
            }
            let place = self.random.random_range(0..steps.len());
            let other = self.random.random_range(0..steps.len());
            let lit = self.lit();
            let size = steps[place].1.len();
            let index = self.random.random_range(0..size.max(1));
            match self.random.random_range(0..10) {
                0 if size > 0 => steps[place].1[index] = !steps[place].1[index],
                1 if size > 0 => drop(steps[place].1.remove(index)),
                2 if size > 0 => steps[place].1[index] = lit,
                3 if size > 0 => steps[place].1.swap(0, index),
                4 => steps[place].1.push(lit),
                5 => drop(steps.remove(place)),
                6 => steps.swap(place, other),
                7 => steps.truncate(place),
                8 => steps[place].0 = !steps[place].0,
                _ => {
                    let clause = steps[other].1.clone();
                    steps.insert(place, (self.random.random(), clause));
                }
            }
        }
        let mut mutant = Proof::new();
        for (delete, clause) in steps {
            if delete { mutant.delete(&clause) } else { mutant.add(&clause) }
        }
        mutant
    }
}

/// What must hold of every proof, right or wrong.
fn judge(cnf: &Cnf, proof: &Proof) -> bool {
    let naive = check_naively(cnf, proof);
    let strict = Options { strict_unit_deletions: true, ..Options::default() };
    let strict = check_with(cnf, proof, &strict).map(drop).map_err(|rejection| rejection.to_string());
    assert_eq!(naive.is_ok(), strict.is_ok(), "slow judge {naive:?}, strict {strict:?}\n{cnf:?}\n{proof:?}");
    let forward = Options { mode: Mode::Forward, ..Options::default() };
    let forward = check_with(cnf, proof, &forward).map(drop);
    let backward = Options { hints: true, ..Options::default() };
    match check_with(cnf, proof, &backward) {
        Err(rejection) => {
            assert!(rejection.is_fault());
            assert!(forward.is_err(), "only backward: {rejection}\n{cnf:?}\n{proof:?}");
            false
        }
        Ok(report) => {
            let mut trimmed = Proof::new();
            assert!(report.write_trimmed(&mut trimmed));
            check_naively(cnf, &trimmed).unwrap_or_else(|fault| panic!("{fault}\n{trimmed:?}\n{cnf:?}\n{proof:?}"));
            let mut lrat = LratProof::new();
            assert!(report.write_lrat(&mut |step| lrat.push(step)));
            check_lrat_naively(cnf, &lrat).unwrap_or_else(|fault| panic!("{fault}\n{lrat:?}\n{cnf:?}\n{proof:?}"));
            check_lrat(cnf, &lrat).unwrap_or_else(|fault| panic!("{fault}\n{lrat:?}\n{cnf:?}\n{proof:?}"));
            assert_eq!(brute_force(cnf, &[]), None, "{cnf:?}\n{proof:?}");
            true
        }
    }
}

#[test]
fn mutated_proofs_are_accepted_only_if_they_are_proofs() {
    let (mut accepted, mut rejected, mut rat) = (0, 0, 0);
    for seed in 0..400 {
        let mut attack = Attack { random: StdRng::seed_from_u64(seed), num_vars: 5 + seed as u32 % 5 };
        let Some(cnf) = attack.formula() else { continue };
        let proof = attack.refutation(&cnf);
        assert!(judge(&cnf, &proof) || check_naively(&cnf, &proof).is_ok(), "{cnf:?}\n{proof:?}");
        rat += check_with(&cnf, &proof, &Options::default()).map_or(0, |report| report.statistics().rat);
        for _ in 0..12 {
            let mutant = attack.mutate(&proof);
            if judge(&cnf, &mutant) { accepted += 1 } else { rejected += 1 }
        }
    }
    assert!(accepted > 200 && rejected > 200, "{accepted} accepted, {rejected} rejected");
    assert!(rat > 30, "only {rat} RAT steps");
}

/// A wrong proof of a formula that has a model is never accepted.
#[test]
fn nothing_refutes_a_formula_with_a_model() {
    let mut wrong = 0;
    for seed in 0..300 {
        let mut attack = Attack { random: StdRng::seed_from_u64(seed), num_vars: 6 };
        let (Some(cnf), mut other) = (attack.formula(), Cnf::new()) else { continue };
        let proof = attack.refutation(&cnf);
        let left_out: BTreeSet<usize> = (0..3).map(|_| attack.random.random_range(0..cnf.num_clauses())).collect();
        cnf.clauses()
            .enumerate()
            .filter(|(i, _)| !left_out.contains(i))
            .for_each(|(_, clause)| other.add_clause(clause));
        let accepted = judge(&other, &proof);
        if brute_force(&other, &[]).is_some() {
            assert!(!accepted);
            wrong += 1;
        }
    }
    assert!(wrong > 10, "only {wrong} formulas with a model");
}

#[test]
fn mutated_hints_are_accepted_only_if_they_justify() {
    let (mut accepted, mut rejected) = (0, 0);
    for seed in 0..400 {
        let mut attack = Attack { random: StdRng::seed_from_u64(seed), num_vars: 5 + seed as u32 % 4 };
        let Some(cnf) = attack.formula() else { continue };
        let proof = attack.refutation(&cnf);
        let Ok(report) = check_with(&cnf, &proof, &Options { hints: true, ..Options::default() }) else { continue };
        let mut steps = Vec::new();
        report.write_lrat(&mut |step| {
            steps.push(match step {
                LratStep::Add { id, clause, hints } => (id, clause.to_vec(), hints.to_vec(), None),
                LratStep::Delete { id, ids } => (id, vec![], vec![], Some(ids.to_vec())),
            });
        });
        for _ in 0..20 {
            let mut mutant = steps.clone();
            let place = attack.random.random_range(0..mutant.len());
            let (lit, kind) = (attack.lit(), attack.random.random_range(0..6));
            let (id, clause, hints, _) = &mut mutant[place];
            let hint = attack.random.random_range(0..hints.len().max(1));
            match kind {
                0 if !hints.is_empty() => drop(hints.remove(hint)),
                1 if !hints.is_empty() => hints[hint] += if attack.random.random() { 1 } else { -1 },
                2 if !clause.is_empty() => clause[0] = lit,
                3 => clause.push(lit),
                4 if !hints.is_empty() => hints.swap(0, hint),
                _ => *id += attack.random.random_range(0..2),
            }
            let mut lrat = LratProof::new();
            for (id, clause, hints, deleted) in &mutant {
                lrat.push(match deleted {
                    Some(ids) => LratStep::Delete { id: *id, ids },
                    None => LratStep::Add { id: *id, clause, hints },
                });
            }
            // The slow judge is stricter about the form, so it may reject what is right; never the other way round.
            let checked = check_lrat(&cnf, &lrat);
            let naive = check_lrat_naively(&cnf, &lrat);
            assert!(checked.is_ok() || naive.is_err(), "{checked:?}\n{cnf:?}\n{lrat:?}");
            if checked.is_err() {
                rejected += 1;
                continue;
            }
            accepted += 1;
            // As a DRAT proof, without its hints, it must be right too.
            let mut drat = Proof::new();
            let mut clauses: std::collections::BTreeMap<u64, Vec<Lit>> =
                (1..).zip(cnf.clauses().map(<[Lit]>::to_vec)).collect();
            for step in lrat.steps() {
                match step {
                    LratStep::Add { id, clause, .. } => {
                        drat.add(clause);
                        clauses.insert(id, clause.to_vec());
                    }
                    LratStep::Delete { ids, .. } => ids.iter().for_each(|id| drat.delete(&clauses[id])),
                }
            }
            check_naively(&cnf, &drat).unwrap_or_else(|fault| panic!("{fault}\n{cnf:?}\n{lrat:?}"));
        }
    }
    assert!(accepted > 200 && rejected > 200, "{accepted} accepted, {rejected} rejected");
}

#[test]
fn refutations_with_rat_steps_pass_all_judges() {
    for seed in 1000..1100 {
        let mut attack = Attack { random: StdRng::seed_from_u64(seed), num_vars: 6 };
        let Some(cnf) = attack.formula() else { continue };
        let proof = attack.refutation(&cnf);
        let ignored = Options { mode: Mode::Forward, ..Options::default() };
        // Deletions of units may make RAT possible; a check that ignores them may then reject.
        if check_with(&cnf, &proof, &ignored).is_ok() {
            must_be_accepted(&cnf, &proof);
        }
    }
}
