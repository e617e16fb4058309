//! What an answer is worth.

use crate::process::Run;
use putnam_formats::{Answer, read_answer};
use putnam_formula::{Cnf, Lit, Model};
use std::fmt;

/// What is said about a formula.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It has a model.
    Sat,
    /// It has none.
    Unsat,
    /// Nothing.
    Unknown,
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Sat => "SAT",
            Self::Unsat => "UNSAT",
            Self::Unknown => "-",
        })
    }
}

/// One solver's answer to one formula, judged by itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Judged {
    /// The verdict, none after the time limit.
    pub verdict: Verdict,
    /// Whether a model was printed and satisfies every clause.
    pub proved: bool,
    /// Why the answer is wrong, if it is. It counts against the solver.
    pub wrong: Option<String>,
    /// What else there is to say.
    pub note: String,
}

/// Judges what a solver printed: `cnf` is the formula, `limit` the CPU seconds that it had.
pub fn judge(cnf: &Cnf, text: &[u8], run: &Run, limit: f64) -> Judged {
    let late = run.cpu > limit;
    // What a process says before it is killed may be half an answer.
    let Answer { verdict, model, flaw, .. } = read_answer(text, run.exit);
    let verdict = match verdict {
        _ if late || run.signal.is_some() => Verdict::Unknown,
        putnam_formats::Verdict::Satisfiable => Verdict::Sat,
        putnam_formats::Verdict::Unsatisfiable => Verdict::Unsat,
        putnam_formats::Verdict::Unknown => Verdict::Unknown,
    };
    let mut judged = Judged { verdict, proved: false, wrong: None, note: String::new() };
    match (verdict, model) {
        (Verdict::Unknown, _) => {
            judged.note = match (run.signal, run.exit) {
                _ if late => "time".into(),
                // SIGXCPU, and SIGKILL of the watcher.
                (Some(24), _) => "time".into(),
                (Some(9), _) if run.wall > 3.0 * limit => "time on the wall".into(),
                (Some(signal), _) => format!("signal {signal}"),
                (None, exit) => flaw.unwrap_or_else(|| format!("exit {}", exit.unwrap_or(-1))),
            };
        }
        (Verdict::Sat, Some(model)) => match check_model(cnf, &model) {
            Ok(()) => judged.proved = true,
            Err(reason) => judged.wrong = Some(reason),
        },
        (Verdict::Sat, None) => judged.note = flaw.unwrap_or_else(|| "no model".into()),
        (Verdict::Unsat, _) => {}
    }
    judged
}

/// Whether the literals are a valuation that makes every clause true. A variable without a literal is taken for false.
///
/// # Errors
/// What is wrong with them.
pub fn check_model(cnf: &Cnf, literals: &[Lit]) -> Result<(), String> {
    let mut model = Model::new(cnf.num_vars());
    for &lit in literals {
        model.assign(lit);
    }
    if let Some(lit) = literals.iter().find(|&&lit| !model.satisfies(lit)) {
        return Err(format!("wrong model: {} and {lit} are both in it", !*lit));
    }
    match model.falsified(cnf) {
        None => Ok(()),
        Some(index) => {
            let clause: Vec<String> = cnf.clause(index).iter().take(6).map(Lit::to_string).collect();
            Err(format!("wrong model: clause {} ({}) is false", index + 1, clause.join(" ")))
        }
    }
}

/// Holds the answers to one formula against each other and against what is known: where two disagree, every one that is not
/// known to be right is wrong. A checked model makes SAT right; without one, what was known before does.
pub fn compare(known: Verdict, answers: &mut [Judged]) {
    let truth = if answers.iter().any(|a| a.proved) { Verdict::Sat } else { known };
    let says = |verdict| answers.iter().any(|a| a.verdict == verdict && a.wrong.is_none());
    let disputed = truth == Verdict::Unknown && says(Verdict::Sat) && says(Verdict::Unsat);
    for answer in answers.iter_mut().filter(|a| a.verdict != Verdict::Unknown && a.wrong.is_none()) {
        if disputed {
            answer.wrong = Some("disputed: others say the opposite".into());
        } else if truth != Verdict::Unknown && answer.verdict != truth {
            answer.wrong = Some(format!("wrong verdict: it is {truth}"));
        }
    }
    // A list that says UNSAT of a formula with a model is wrong, and so must be looked at.
    if known == Verdict::Unsat && truth == Verdict::Sat {
        for answer in answers.iter_mut().filter(|a| a.proved) {
            answer.note = "the list says UNSAT, but this model is right".into();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn formula() -> Cnf {
        [&[1, -2][..], &[2, 3]].into_iter().collect()
    }

    fn run(exit: i32, cpu: f64) -> Run {
        Run { exit: Some(exit), signal: None, cpu, wall: cpu, peak: 1.0 }
    }

    fn judged(text: &str, exit: i32, cpu: f64) -> Judged {
        judge(&formula(), text.as_bytes(), &run(exit, cpu), 10.0)
    }

    #[test]
    fn models_are_checked() {
        let right = judged("s SATISFIABLE\nv 1 2 3 0\n", 10, 1.0);
        assert_eq!((right.verdict, right.proved, right.wrong), (Verdict::Sat, true, None));
        let partial = judged("s SATISFIABLE\nv 3 0\n", 10, 1.0);
        assert!(partial.proved, "variables that are left out are false");
        let wrong = judged("SAT\n-1 2 3 0\n", 10, 1.0);
        assert_eq!((wrong.verdict, wrong.proved), (Verdict::Sat, false));
        assert_eq!(wrong.wrong.unwrap(), "wrong model: clause 1 (1 -2) is false");
        let both = judged("s SATISFIABLE\nv 1 2 3 -1 0\n", 10, 1.0);
        assert_eq!(both.wrong.unwrap(), "wrong model: -1 and 1 are both in it");
        let none = judged("s SATISFIABLE\n", 10, 1.0);
        assert_eq!((none.verdict, none.proved, &*none.note), (Verdict::Sat, false, "no model"));
    }

    #[test]
    fn what_comes_late_or_from_a_dying_process_is_no_answer() {
        let late = judged("s UNSATISFIABLE\n", 20, 10.5);
        assert_eq!((late.verdict, &*late.note), (Verdict::Unknown, "time"));
        let killed = Run { exit: None, signal: Some(11), ..run(0, 1.0) };
        let killed = judge(&formula(), b"s SATISFIABLE\nv 1 2 3 0\n", &killed, 10.0);
        assert_eq!((killed.verdict, &*killed.note), (Verdict::Unknown, "signal 11"));
        let waiting = Run { exit: None, signal: Some(9), wall: 40.0, ..run(0, 1.0) };
        assert_eq!(judge(&formula(), b"", &waiting, 10.0).note, "time on the wall");
        let silent = judged("c nothing\n", 0, 1.0);
        assert_eq!((silent.verdict, &*silent.note), (Verdict::Unknown, "exit 0"));
    }

    fn answer(verdict: Verdict, proved: bool) -> Judged {
        Judged { verdict, proved, wrong: None, note: String::new() }
    }

    fn wrong(known: Verdict, answers: &[(Verdict, bool)]) -> Vec<bool> {
        let mut answers: Vec<Judged> = answers.iter().map(|&(v, p)| answer(v, p)).collect();
        compare(known, &mut answers);
        answers.iter().map(|a| a.wrong.is_some()).collect()
    }

    #[test]
    fn disagreements_are_found() {
        use Verdict::{Sat, Unknown, Unsat};
        assert_eq!(wrong(Unknown, &[(Sat, true), (Unsat, false), (Unknown, false)]), [false, true, false]);
        assert_eq!(wrong(Unknown, &[(Sat, false), (Unsat, false)]), [true, true], "nobody knows who is right");
        assert_eq!(wrong(Unsat, &[(Sat, false), (Unsat, false)]), [true, false]);
        assert_eq!(wrong(Sat, &[(Unsat, false)]), [true]);
        assert_eq!(wrong(Unsat, &[(Sat, true), (Unsat, false)]), [false, true], "a model is better than a list");
        assert_eq!(wrong(Unknown, &[(Unsat, false), (Unsat, false)]), [false, false]);
        let mut answers = vec![answer(Sat, false), answer(Unsat, false)];
        answers[0].wrong = Some("wrong model".into());
        compare(Unknown, &mut answers);
        assert_eq!(answers[1].wrong, None, "a wrong model is no evidence");
    }
}
