//! What a solver answered, and whether the answers for one formula go together.

use putnam_formula::Var;
use serde_json::{Value, json};
use std::fmt;

/// What a solver said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Answer {
    /// That there is a model.
    Satisfiable(ModelCheck),
    /// That there is none.
    Unsatisfiable,
    /// That it does not know, or nothing that could be understood.
    Unknown,
    /// Nothing in time.
    TimeOut,
    /// Nothing, because it failed; the text says how.
    Crash(String),
}

/// What came of checking a model against the clauses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ModelCheck {
    /// Every clause is true.
    Correct,
    /// No model was printed.
    Absent,
    /// This clause, counted from 0, has no true literal.
    Falsifies(usize),
    /// This variable was given both values.
    Contradictory(Var),
}

impl Answer {
    /// The word in the table.
    pub(crate) fn word(&self) -> &'static str {
        match self {
            Self::Satisfiable(ModelCheck::Correct) => "SAT",
            Self::Satisfiable(ModelCheck::Absent) => "SAT?",
            Self::Satisfiable(_) => "BAD",
            Self::Unsatisfiable => "UNSAT",
            Self::Unknown => "unknown",
            Self::TimeOut => "time-out",
            Self::Crash(_) => "crash",
        }
    }

    /// Whether this is a verdict.
    pub(crate) fn decided(&self) -> bool {
        matches!(self, Self::Satisfiable(_) | Self::Unsatisfiable)
    }

    /// Whether the model is wrong, which needs no second answer to be seen.
    pub(crate) fn is_bad_model(&self) -> bool {
        matches!(self, Self::Satisfiable(ModelCheck::Falsifies(_) | ModelCheck::Contradictory(_)))
    }

    /// The answer for programs.
    pub(crate) fn to_json(&self) -> Value {
        let (verdict, model, detail) = match self {
            Self::Satisfiable(check) => {
                let model = match check {
                    ModelCheck::Correct => "correct",
                    ModelCheck::Absent => "absent",
                    ModelCheck::Falsifies(_) | ModelCheck::Contradictory(_) => "wrong",
                };
                ("satisfiable", json!(model), self.is_bad_model().then(|| self.to_string()))
            }
            Self::Unsatisfiable => ("unsatisfiable", Value::Null, None),
            Self::Unknown => ("unknown", Value::Null, None),
            Self::TimeOut => ("time-out", Value::Null, None),
            Self::Crash(how) => ("crash", Value::Null, Some(how.clone())),
        };
        json!({ "answer": verdict, "model": model, "detail": detail })
    }
}

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Satisfiable(ModelCheck::Correct) => f.write_str("satisfiable, and its model is correct"),
            Self::Satisfiable(ModelCheck::Absent) => f.write_str("satisfiable, without a model"),
            Self::Satisfiable(ModelCheck::Falsifies(index)) => {
                write!(f, "satisfiable, but its model makes clause {} false", index + 1)
            }
            Self::Satisfiable(ModelCheck::Contradictory(var)) => {
                write!(f, "satisfiable, but its model gives variable {var} both values")
            }
            Self::Unsatisfiable => f.write_str("unsatisfiable"),
            Self::Unknown => f.write_str("unknown"),
            Self::TimeOut => f.write_str("nothing in time"),
            Self::Crash(how) => write!(f, "nothing: {how}"),
        }
    }
}

/// The solvers, by index, whose answers for one formula do not go together: one with a wrong model, or a pair of which
/// one says satisfiable and the other unsatisfiable. A pair with a correct model is preferred, for it shows who is wrong.
pub(crate) fn clash<'a>(answers: impl IntoIterator<Item = &'a Answer>) -> Option<Vec<usize>> {
    let answers: Vec<&Answer> = answers.into_iter().collect();
    if let Some(index) = answers.iter().position(|answer| answer.is_bad_model()) {
        return Some(vec![index]);
    }
    let correct = |answer: &&Answer| **answer == Answer::Satisfiable(ModelCheck::Correct);
    let satisfiable = answers
        .iter()
        .position(correct)
        .or_else(|| answers.iter().position(|answer| matches!(answer, Answer::Satisfiable(_))))?;
    let unsatisfiable = answers.iter().position(|answer| **answer == Answer::Unsatisfiable)?;
    Some(vec![satisfiable.min(unsatisfiable), satisfiable.max(unsatisfiable)])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_verdicts_clash() {
        let sat = Answer::Satisfiable(ModelCheck::Correct);
        let without = Answer::Satisfiable(ModelCheck::Absent);
        let bad = Answer::Satisfiable(ModelCheck::Falsifies(3));
        let unsat = Answer::Unsatisfiable;
        let silent = [Answer::TimeOut, Answer::Unknown, Answer::Crash("x".into())];
        assert_eq!(clash([&sat, &silent[0], &silent[1], &silent[2], &without]), None);
        assert_eq!(clash([&unsat, &silent[0], &unsat]), None);
        assert_eq!(clash([&unsat, &without, &sat]), Some(vec![0, 2]));
        assert_eq!(clash([&without, &silent[0], &unsat]), Some(vec![0, 2]));
        assert_eq!(clash([&sat, &bad]), Some(vec![1]));
    }
}
