//! Certificates: a plan, or a short reason why there is none, as JSON that is checked by itself.
//!
//! A certificate names its problem (the start and the goal on a board of so many holes) and is checked against the board
//! alone, in integers: a plan is replayed; the sets of a parity proof must be invariants of every triple; the weights of a
//! pagoda function are looked at for every jump. Where there is no short reason, the clauses are refuted by a DRAT proof in a
//! file of its own: the clauses are written again from the board, and the proof is checked.

use crate::{Board, Clauses, Goal, Hole, Jump, PagodaProof, ParityProof, Position, Problem, Refutation, horizon};
use putnam_api::Solution as _;
use putnam_checker::{Options, Proof};
use putnam_formula::Cnf;
use serde_json::{Value, json};
use std::sync::Arc;

fn pegs(position: &Position) -> Vec<Hole> {
    position.pegs().collect()
}

impl Problem {
    /// The certificate of a plan of these jumps.
    pub fn certify_plan(&self, jumps: &[Jump]) -> Value {
        self.certificate_of("plan", json!({ "jumps": jumps.iter().map(|jump| jump.holes()).collect::<Vec<_>>() }))
    }

    /// The certificate of the short reason why there is no plan, if there is one.
    pub fn certify_refutation(&self) -> Option<Value> {
        let sets = |proof: &ParityProof| -> Vec<Value> {
            proof.sets.iter().map(|(set, odd)| json!({ "holes": set, "odd": odd })).collect()
        };
        Some(match self.refute()? {
            Refutation::Obstacle(reason) => self.certificate_of("obstacle", json!({ "reason": reason })),
            Refutation::Parity(proof) => self.certificate_of("parity", json!({ "sets": sets(&proof) })),
            Refutation::Pagoda(proof) => {
                let proof = json!({ "sets": sets(&proof.parity), "weights": proof.functions });
                self.certificate_of("pagoda", proof)
            }
        })
    }

    /// The clauses that an engine refutes when it finds that there is no plan, with their certificate.
    pub(crate) fn certify_clauses(&self, engine: &str) -> Option<(Cnf, Value)> {
        // The best of a kind is found by many formulas, each with another goal.
        if self.fewest.is_some() || self.goal.is_open() {
            return None;
        }
        let encoding = match self.clauses {
            Clauses::Auto if engine == "dpll" => "assignment",
            Clauses::Assignment => "assignment",
            Clauses::Sequential => "sequential",
            Clauses::Auto | Clauses::Parallel => "parallel",
        };
        let cnf = self.complete_clauses(encoding)?;
        let value = json!({
            "encoding": encoding,
            "optional": self.optional,
            "variables": cnf.num_vars(),
            "clauses": cnf.num_clauses(),
        });
        let mut value = self.certificate_of("clauses", value);
        // The clauses of this goal are others than those of a pattern of one peg.
        if let Goal::PegIn(hole) = self.goal {
            value["goal"] = json!({ "peg_in": hole });
        }
        Some((cnf, value))
    }

    /// Clauses that have a model if there is a plan.
    fn complete_clauses(&self, encoding: &str) -> Option<Cnf> {
        match encoding {
            "assignment" => Some(crate::assignment::encode(self).cnf),
            "sequential" => Some(crate::sequential::encode(self).cnf),
            "parallel" => horizon::complete(self),
            _ => None,
        }
    }

    fn certificate_of(&self, kind: &str, mut value: Value) -> Value {
        value["certificate"] = json!(kind);
        value["board"] = json!(self.board.name());
        value["holes"] = json!(self.board.holes());
        value["start"] = json!(pegs(&self.start));
        value["goal"] = match &self.goal {
            Goal::OnePeg => json!("one peg"),
            Goal::PegIn(hole) => json!([hole]),
            Goal::Pattern(pattern) => json!(pegs(pattern)),
            Goal::Pegs(pegs) => json!({ "pegs": pegs }),
            Goal::DeadEnd(pegs) => json!({ "dead_end": pegs }),
            Goal::FewestPegs => json!("fewest pegs"),
            Goal::ShortestDeadEnd => json!("shortest dead end"),
        };
        value
    }
}

/// The files that belong to a certificate, by name.
pub struct Attached<'a> {
    /// Reads a formula.
    pub formula: &'a dyn Fn(&str) -> Result<Cnf, String>,
    /// Reads a proof.
    pub proof: &'a dyn Fn(&str) -> Result<Proof, String>,
    /// Bounds on the check of the proof.
    pub options: Options,
}

/// As [`check_certificate_with`], for a certificate without other files.
///
/// # Errors
/// What is wrong, in words.
pub fn check_certificate(board: &Arc<Board>, text: &str) -> Result<(Problem, String), String> {
    const MISSING: &str = "the certificate needs another file";
    let (formula, proof) = (|_: &str| Err(MISSING.into()), |_: &str| Err(MISSING.into()));
    let attached = Attached { formula: &formula, proof: &proof, options: Options::default() };
    check_certificate_with(board, text, &attached)
}

/// Checks a certificate on a board; the problem that it decides, and in words what was proved.
///
/// # Errors
/// What is wrong, in words.
pub fn check_certificate_with(
    board: &Arc<Board>,
    text: &str,
    attached: &Attached<'_>,
) -> Result<(Problem, String), String> {
    let value: Value = serde_json::from_str(text).map_err(|error| format!("this is no certificate: {error}"))?;
    let kind = value["certificate"].as_str().ok_or("this is no certificate: `certificate` is missing")?;
    let holes = board.holes();
    if value["holes"].as_u64() != Some(holes as u64) {
        return Err(format!("the certificate is not for a board of {}", crate::goal::count_of(holes, "hole")));
    }
    let start = position(holes, &value["start"], "start")?;
    let goal = match &value["goal"] {
        Value::String(words) if words == "one peg" => Goal::OnePeg,
        Value::String(words) if words == "fewest pegs" => Goal::FewestPegs,
        Value::String(words) if words == "shortest dead end" => Goal::ShortestDeadEnd,
        Value::Object(place) if place.contains_key("peg_in") => {
            let hole = number(&place["peg_in"], "goal")?;
            position(holes, &json!([hole]), "goal").map(|_| Goal::PegIn(hole))?
        }
        Value::Object(count) => match (count.get("pegs"), count.get("dead_end")) {
            (Some(pegs), None) => Goal::Pegs(number(pegs, "goal")?),
            (None, Some(pegs)) => Goal::DeadEnd(number(pegs, "goal")?),
            _ => return Err("`goal` is no goal".into()),
        },
        pattern => Goal::Pattern(position(holes, pattern, "goal")?),
    };
    let problem = Problem { goal: goal.clone(), ..Problem::new(Arc::clone(board), start.clone()) };
    let proved = match kind {
        "plan" => {
            let plan = problem.plan(jumps(&value["jumps"])?);
            plan.verify().map_err(|error| error.to_string())?;
            format!("a plan of {} jumps", plan.jumps.len())
        }
        "obstacle" => {
            format!("no plan: {}", problem.obstacle().ok_or("the start does not tell that there is no plan")?)
        }
        "parity" => {
            let proof = parity(&value["sets"])?;
            proof.check(board, &start, &goal)?;
            format!("no plan: {}", proof.explain(&goal))
        }
        "pagoda" => {
            let functions = list(&value["weights"], "weights")?.iter().map(weights).collect::<Result<_, _>>()?;
            let proof = PagodaProof { parity: parity(&value["sets"])?, functions };
            proof.check(board, &start, &goal)?;
            format!("no plan: {}", proof.explain(&start, &goal))
        }
        "clauses" => format!("no plan: {}", clauses(&problem, &value, attached)?),
        other => return Err(format!("there are no certificates of kind `{other}`")),
    };
    let goal = match &goal {
        Goal::Pattern(pattern) => format!("pegs in {pattern:?}"),
        other => other.in_words(),
    };
    Ok((problem, format!("from pegs in {start:?} to {goal}: {proved}")))
}

/// Writes the clauses again from the board and checks the proof.
fn clauses(problem: &Problem, value: &Value, attached: &Attached<'_>) -> Result<String, String> {
    let word = |name: &str| value[name].as_str().ok_or_else(|| format!("`{name}` is missing"));
    let optional = value["optional"].as_bool().ok_or("`optional` is neither true nor false")?;
    let encoding = word("encoding")?;
    let unknown = || format!("there is no encoding `{encoding}` that refutes this goal");
    let kind = Clauses::from_word(encoding).filter(|_| !problem.goal.is_open()).ok_or_else(unknown)?;
    let problem = Problem { optional, clauses: kind, ..problem.clone() };
    problem.check_size().map_err(|error| error.to_string())?;
    let cnf = problem.complete_clauses(encoding).ok_or_else(unknown)?;
    if !(attached.formula)(word("formula")?)?.clauses().eq(cnf.clauses()) {
        return Err("the formula is not that of the board".into());
    }
    let proof = (attached.proof)(word("proof")?)?;
    let report = putnam_checker::check_with(&cnf, &proof, &attached.options)
        .map_err(|rejection| format!("the proof of the clauses: {rejection}"))?;
    let (all, steps) = (cnf.num_clauses(), proof.len());
    let needed = report.core().map_or(all, |core| core.len());
    Ok(format!("a proof of {steps} steps refutes the {all} clauses ({needed} of them are needed)"))
}

fn list<'a>(value: &'a Value, name: &str) -> Result<&'a Vec<Value>, String> {
    value.as_array().ok_or_else(|| format!("`{name}` is no list"))
}

fn number(value: &Value, name: &str) -> Result<usize, String> {
    let number = value.as_u64().and_then(|number| usize::try_from(number).ok());
    // More pegs than any board has are as good as any such number.
    number.map(|number| number.min(crate::MAX_HOLES + 1)).ok_or_else(|| format!("`{name}` has no number of pegs"))
}

fn numbers(value: &Value, name: &str) -> Result<Vec<Hole>, String> {
    let number = |value: &Value| value.as_u64().and_then(|hole| usize::try_from(hole).ok());
    let numbers: Option<Vec<Hole>> = list(value, name)?.iter().map(number).collect();
    numbers.ok_or_else(|| format!("`{name}` has something else than holes"))
}

fn position(holes: usize, value: &Value, name: &str) -> Result<Position, String> {
    let pegs = numbers(value, name)?;
    match pegs.iter().find(|hole| !(1..=holes).contains(*hole)) {
        Some(hole) => Err(format!("`{name}` has hole {hole}, which is not on the board")),
        None => Ok(Position::of(holes, &pegs)),
    }
}

fn jumps(value: &Value) -> Result<Vec<Jump>, String> {
    let jump = |value: &Value| match numbers(value, "jumps")?.as_slice() {
        &[from, over, to] => Ok(Jump { from, over, to }),
        _ => Err("a jump is three holes".to_string()),
    };
    list(value, "jumps")?.iter().map(jump).collect()
}

fn parity(value: &Value) -> Result<ParityProof, String> {
    let set = |value: &Value| -> Result<(Vec<Hole>, bool), String> {
        let mut holes = numbers(&value["holes"], "holes")?;
        holes.sort_unstable();
        // A hole that stood twice would be counted once in a triple.
        holes.dedup();
        Ok((holes, value["odd"].as_bool().ok_or("`odd` is neither true nor false")?))
    };
    Ok(ParityProof { sets: list(value, "sets")?.iter().map(set).collect::<Result<_, String>>()? })
}

fn weights(value: &Value) -> Result<Vec<i64>, String> {
    let weights: Option<Vec<i64>> = list(value, "weights")?.iter().map(Value::as_i64).collect();
    weights.ok_or_else(|| "a weight is no integer".into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Search, named};

    fn problem(name: &str, vacant: Hole, goal: Goal) -> Problem {
        let board = Arc::new(named(name).unwrap().unwrap().board);
        let start = Position::vacancy(board.holes(), vacant);
        Problem { goal, ..Problem::new(board, start) }
    }

    fn check(problem: &Problem, certificate: &Value) -> Result<String, String> {
        let (decided, words) = check_certificate(&problem.board, &certificate.to_string())?;
        assert_eq!(decided.start, problem.start);
        assert_eq!(decided.goal.ends(problem.board.holes()), problem.goal.ends(problem.board.holes()));
        Ok(words)
    }

    #[test]
    fn a_plan_with_any_jump_changed_is_refused() {
        let problem = problem("triangle-10", 2, Goal::OnePeg);
        let jumps = Search::new(&problem.board, Goal::OnePeg).unwrap().plan(&problem.start).unwrap();
        let certificate = problem.certify_plan(&jumps);
        assert!(check(&problem, &certificate).unwrap().ends_with("a plan of 8 jumps"));
        for index in 0..jumps.len() {
            let mut wrong = certificate.clone();
            wrong["jumps"][index] = json!([jumps[index].to, jumps[index].over, jumps[index].from]);
            assert!(check(&problem, &wrong).is_err());
        }
        let mut short = certificate.clone();
        short["jumps"].as_array_mut().unwrap().pop();
        assert!(check(&problem, &short).is_err());
    }

    #[test]
    fn a_parity_proof_with_any_hole_changed_is_refused() {
        let problem = problem("european", 19, Goal::OnePeg);
        let certificate = problem.certify_refutation().unwrap();
        assert_eq!(certificate["certificate"], "parity");
        check(&problem, &certificate).unwrap();
        for set in 0..certificate["sets"].as_array().unwrap().len() {
            for hole in 0..certificate["sets"][set]["holes"].as_array().unwrap().len() {
                let mut wrong = certificate.clone();
                wrong["sets"][set]["holes"].as_array_mut().unwrap().remove(hole);
                assert!(check(&problem, &wrong).is_err());
            }
            let mut wrong = certificate.clone();
            wrong["sets"][set]["odd"] = json!(!certificate["sets"][set]["odd"].as_bool().unwrap());
            assert!(check(&problem, &wrong).is_err());
        }
    }

    #[test]
    fn a_pagoda_function_that_a_jump_increases_is_refused() {
        let mut problem = problem("rectangle:8x7", 1, Goal::PegIn(4));
        problem.start = Position::of(56, &[29, 30, 31, 32, 39]);
        let certificate = problem.certify_refutation().unwrap();
        assert_eq!(certificate["certificate"], "pagoda");
        assert!(check(&problem, &certificate).unwrap().contains("no jump increases the weight"));
        let weights = certificate["weights"][0].as_array().unwrap();
        let mut wrong = certificate.clone();
        wrong["weights"][0][3] = json!(weights[3].as_i64().unwrap() + 1000);
        assert!(check(&problem, &wrong).unwrap_err().contains("increases the weight"));
        wrong["weights"][0] = json!(vec![0; 56]);
        assert!(check(&problem, &wrong).unwrap_err().contains("not excluded"));
        wrong["weights"][0] = json!([1, 2]);
        assert!(check(&problem, &wrong).is_err());
    }

    #[test]
    fn what_is_no_certificate_is_refused() {
        let board = Arc::new(named("triangle-10").unwrap().unwrap().board);
        for text in [
            "",
            "[]",
            "{}",
            r#"{"certificate":"plan"}"#,
            r#"{"certificate":"plan","holes":10,"start":[0],"goal":"one peg","jumps":[]}"#,
            r#"{"certificate":"plan","holes":10,"start":[1,2],"goal":"one peg","jumps":[[1,2]]}"#,
            r#"{"certificate":"plan","holes":10,"start":[1],"goal":[11],"jumps":[]}"#,
            r#"{"certificate":"parity","holes":10,"start":[1],"goal":[2],"sets":[{"holes":[0],"odd":true}]}"#,
            r#"{"certificate":"obstacle","holes":10,"start":[1],"goal":"one peg"}"#,
            r#"{"certificate":"other","holes":10,"start":[1],"goal":"one peg"}"#,
        ] {
            assert!(check_certificate(&board, text).is_err(), "{text}");
        }
        let empty = r#"{"certificate":"plan","holes":10,"start":[1],"goal":"one peg","jumps":[]}"#;
        check_certificate(&board, empty).unwrap();
    }
}
