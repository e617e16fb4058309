//! Slow and simple judges: all models by enumeration, and proof checkers that know no watches, no trail and no core.

use putnam_checker::{LratProof, LratStep, Proof, Step};
use putnam_formula::{Cnf, Lit, Model, Var};
use std::collections::{BTreeMap, BTreeSet};

/// A model of the formula in which all of `also` are true, by trying all assignments; for few variables.
pub(crate) fn brute_force(cnf: &Cnf, also: &[Lit]) -> Option<Model> {
    let num_vars = also.iter().map(|lit| lit.var().to_dimacs()).max().unwrap_or(0).max(cnf.num_vars());
    assert!(num_vars <= 16);
    (0u32..1 << num_vars).find_map(|bits| {
        let mut model = Model::new(num_vars);
        (0..num_vars).for_each(|index| model.assign(Var::new(index).lit(bits >> index & 1 != 0)));
        (also.iter().all(|&lit| model.satisfies(lit)) && model.falsified(cnf).is_none()).then_some(model)
    })
}

pub(crate) type Clause = BTreeSet<Lit>;

fn is_tautology(clause: &Clause) -> bool {
    clause.iter().any(|&lit| clause.contains(&!lit))
}

/// Whether unit propagation in `clauses` from the negation of `lits` ends in a conflict.
fn refutes<'a>(clauses: impl Iterator<Item = &'a Clause> + Clone, lits: impl IntoIterator<Item = Lit>) -> bool {
    let mut truth: Clause = lits.into_iter().map(|lit| !lit).collect();
    if is_tautology(&truth) {
        return true;
    }
    loop {
        let before = truth.len();
        for clause in clauses.clone() {
            if clause.iter().any(|lit| truth.contains(lit)) {
                continue;
            }
            let open: Vec<Lit> = clause.iter().copied().filter(|&lit| !truth.contains(&!lit)).collect();
            match open[..] {
                [] => return true,
                [lit] => drop(truth.insert(lit)),
                _ => {}
            }
        }
        if truth.len() == before {
            return false;
        }
    }
}

/// RUP, or RAT on the first literal.
fn redundant(clauses: &[Clause], clause: &[Lit]) -> bool {
    let live = || clauses.iter().filter(|clause| !is_tautology(clause));
    if refutes(live(), clause.iter().copied()) {
        return true;
    }
    let Some(&pivot) = clause.first() else { return false };
    live().filter(|partner| partner.contains(&!pivot)).all(|partner| {
        let others = partner.iter().copied().filter(|&lit| lit != !pivot);
        refutes(live(), clause.iter().copied().chain(others))
    })
}

/// Checks every step of a DRAT proof as the definition says, unit deletions included, until a conflict follows by unit
/// propagation. Answers the fault.
pub(crate) fn check_naively(cnf: &Cnf, proof: &Proof) -> Result<(), String> {
    let set = |clause: &[Lit]| clause.iter().copied().collect::<Clause>();
    let mut clauses: Vec<Clause> = cnf.clauses().map(set).collect();
    for (index, step) in proof.steps().enumerate() {
        if refutes(clauses.iter(), []) {
            return Ok(());
        }
        match step {
            Step::Add(clause) => {
                if !redundant(&clauses, clause) {
                    return Err(format!("step {}: {clause:?} is not redundant", index + 1));
                }
                clauses.push(set(clause));
            }
            Step::Delete(clause) => {
                if let Some(place) = clauses.iter().rposition(|other| *other == set(clause)) {
                    clauses.remove(place);
                }
            }
        }
    }
    if refutes(clauses.iter(), []) { Ok(()) } else { Err("no conflict at the end".to_owned()) }
}

/// Checks an LRAT proof in the strict form that other checkers ask for: ids ascend, hints are unit when their turn comes and
/// nothing follows the conflict, the groups of a RAT step ascend and speak of every clause with the negated pivot.
pub(crate) fn check_lrat_naively(cnf: &Cnf, proof: &LratProof) -> Result<(), String> {
    let set = |clause: &[Lit]| clause.iter().copied().collect::<Clause>();
    let mut clauses: BTreeMap<u64, Clause> = (1..).zip(cnf.clauses().map(set)).collect();
    let mut last = cnf.num_clauses() as u64;
    for step in proof.steps() {
        match step {
            LratStep::Delete { id, ids } => {
                if id != last {
                    return Err(format!("a deletion is numbered {id} after {last}"));
                }
                for id in ids {
                    clauses.remove(id).ok_or(format!("{id} is deleted and does not exist"))?;
                }
            }
            LratStep::Add { id, clause, hints } => {
                if id <= last {
                    return Err(format!("{id} comes after {last}"));
                }
                last = id;
                justified(&clauses, clause, hints).map_err(|fault| format!("clause {id}: {fault}"))?;
                if clause.is_empty() {
                    return Ok(());
                }
                clauses.insert(id, set(clause));
            }
        }
    }
    Err("no empty clause".to_owned())
}

fn justified(clauses: &BTreeMap<u64, Clause>, clause: &[Lit], hints: &[i64]) -> Result<(), String> {
    let mut truth: Clause = clause.iter().map(|&lit| !lit).collect();
    let (common, groups) = hints.split_at(hints.iter().position(|&hint| hint < 0).unwrap_or(hints.len()));
    let conflict = follow(clauses, &mut truth, common)?;
    if conflict {
        return if groups.is_empty() { Ok(()) } else { Err("hints follow the conflict".to_owned()) };
    }
    let pivot = *clause.first().ok_or("no conflict")?;
    let partners: Vec<u64> = clauses.iter().filter(|(_, other)| other.contains(&!pivot)).map(|(&id, _)| id).collect();
    let groups: Vec<&[i64]> = groups.chunk_by(|_, &next| next > 0).collect();
    let named: Vec<u64> = groups.iter().map(|group| group[0].unsigned_abs()).collect();
    if named != partners {
        return Err(format!("partners are {partners:?}, named are {named:?}"));
    }
    for group in groups {
        let mut truth = truth.clone();
        truth.extend(clauses[&group[0].unsigned_abs()].iter().filter(|&&lit| lit != !pivot).map(|&lit| !lit));
        let blocked = is_tautology(&truth);
        if blocked && group.len() > 1 || !blocked && !follow(clauses, &mut truth, &group[1..])? {
            return Err(format!("group {group:?}"));
        }
    }
    Ok(())
}

fn follow(clauses: &BTreeMap<u64, Clause>, truth: &mut Clause, hints: &[i64]) -> Result<bool, String> {
    for (index, &hint) in hints.iter().enumerate() {
        let clause = clauses.get(&hint.unsigned_abs()).ok_or(format!("hint {hint} does not exist"))?;
        let open: Vec<Lit> = clause.iter().copied().filter(|&lit| !truth.contains(&!lit)).collect();
        match open[..] {
            [] if index + 1 == hints.len() => return Ok(true),
            [] => return Err("hints follow the conflict".to_owned()),
            [lit] if truth.insert(lit) => {}
            _ => return Err(format!("hint {hint} is not unit")),
        }
    }
    Ok(false)
}

/// All judges over one refutation that an engine claims.
pub(crate) fn must_be_accepted(cnf: &Cnf, proof: &Proof) {
    use putnam_checker::{Mode, Options, check_lrat, check_with};
    let show = || format!("{cnf:?}\n{proof:?}");
    check_naively(cnf, proof).unwrap_or_else(|fault| panic!("{fault}\n{}", show()));
    let forward = Options { mode: Mode::Forward, ..Options::default() };
    check_with(cnf, proof, &forward).unwrap_or_else(|fault| panic!("forward: {fault}\n{}", show()));
    let strict = Options { strict_unit_deletions: true, ..Options::default() };
    check_with(cnf, proof, &strict).unwrap_or_else(|fault| panic!("strict: {fault}\n{}", show()));
    let backward = Options { hints: true, ..Options::default() };
    let report = check_with(cnf, proof, &backward).unwrap_or_else(|fault| panic!("{fault}\n{}", show()));

    let mut trimmed = Proof::new();
    assert!(report.write_trimmed(&mut trimmed));
    check_naively(cnf, &trimmed).unwrap_or_else(|fault| panic!("trimmed {trimmed:?}: {fault}\n{}", show()));
    check_with(cnf, &trimmed, &forward).unwrap_or_else(|fault| panic!("trimmed {trimmed:?}: {fault}\n{}", show()));
    let mut lrat = LratProof::new();
    assert!(report.write_lrat(&mut |step| lrat.push(step)));
    check_lrat_naively(cnf, &lrat).unwrap_or_else(|fault| panic!("LRAT {lrat:?}: {fault}\n{}", show()));
    check_lrat(cnf, &lrat).unwrap_or_else(|fault| panic!("LRAT {lrat:?}: {fault}\n{}", show()));

    // The core has no model, and the trimmed proof is one for the core alone.
    let mut core = Cnf::new();
    for index in report.core().unwrap() {
        cnf.clause(index).iter().for_each(|&lit| core.push_literal(lit));
        core.close_clause();
    }
    if core.num_vars() <= 12 {
        assert_eq!(brute_force(&core, &[]), None, "core\n{}", show());
    }
    let mut trimmed = Proof::new();
    assert!(report.write_trimmed_for_core(&mut trimmed));
    check_naively(&core, &trimmed).unwrap_or_else(|fault| panic!("core, trimmed {trimmed:?}: {fault}\n{}", show()));
}
