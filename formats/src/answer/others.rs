//! What other solvers answer.

use super::Verdict;
use putnam_formula::Lit;

/// What another solver answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// What it says; unknown as well when it contradicts itself.
    pub verdict: Verdict,
    /// The literals that it says are true, as printed and unchecked; none when it prints no model.
    pub model: Option<Vec<Lit>>,
    /// Whether the text has a line with a verdict, be it unknown. A crash is told from an honest "unknown" by this.
    pub decided: bool,
    /// What is wrong with the answer: two verdicts, an exit code that says otherwise, values that are no literals.
    pub flaw: Option<String>,
}

/// Reads what a solver printed (or left in a result file, as minisat does) beside its exit code: `s SATISFIABLE`, the bare
/// words `SATISFIABLE`, `SAT` and so on in a line of their own, `v` lines however they are split, bare lines of numbers after
/// the verdict. Colours, carriage returns and anything else in the text are ignored. Where the text says nothing, the exit
/// codes 10 and 20 count.
pub fn read_answer(text: &[u8], exit_code: Option<i32>) -> Answer {
    let text = without_colours(&String::from_utf8_lossy(text));
    let mut said = None;
    let mut values = Values::default();
    let mut flaw = None;
    for line in text.lines().map(str::trim) {
        if let Some(verdict) = verdict_line(line) {
            if said.is_some_and(|earlier| earlier != verdict) {
                flaw = Some(format!("it says two things, the second is `{line}`"));
            }
            said = Some(verdict);
        } else if let Some(numbers) = line.strip_prefix(['v', 'V']) {
            values.push(numbers, true);
        } else if said == Some(Verdict::Satisfiable) {
            values.push(line, false);
        }
    }
    let code = match exit_code {
        Some(10) => Some(Verdict::Satisfiable),
        Some(20) => Some(Verdict::Unsatisfiable),
        _ => None,
    };
    let mut verdict = said.or(code).unwrap_or(Verdict::Unknown);
    if let (Some(said), Some(code), Some(exit)) = (said, code, exit_code)
        && said != code
    {
        flaw = flaw.or_else(|| Some(format!("it says {said:?} and exits with {exit}")));
    }
    if flaw.is_some() {
        verdict = Verdict::Unknown;
    }
    flaw = flaw.or(values.flaw);
    let model = (verdict == Verdict::Satisfiable && flaw.is_none() && values.any).then_some(values.literals);
    Answer { verdict, model, decided: said.is_some(), flaw }
}

/// What has been read of a model.
#[derive(Default)]
struct Values {
    literals: Vec<Lit>,
    /// Whether there is a model at all, be it an empty one.
    any: bool,
    /// A 0 has been read: further values are those of another model.
    closed: bool,
    flaw: Option<String>,
}

impl Values {
    /// Takes one line. A line without `v` counts only if it holds nothing but integers.
    fn push(&mut self, line: &str, marked: bool) {
        let number = |token: &str| token.parse::<i32>().ok().filter(|&n| n != i32::MIN);
        let words = || line.split_ascii_whitespace();
        if self.closed || !marked && !words().all(|token| number(token).is_some()) {
            return;
        }
        for token in words() {
            self.any = true;
            match number(token).map(Lit::from_dimacs) {
                Some(Some(lit)) => self.literals.push(lit),
                Some(None) => {
                    self.closed = true;
                    return;
                }
                None => self.flaw = self.flaw.take().or_else(|| Some(format!("`{token}` among the values"))),
            }
        }
    }
}

/// The verdict of a line such as `s SATISFIABLE`, `UNSAT`, `s SATISFIABLE: file.cnf`.
fn verdict_line(line: &str) -> Option<Verdict> {
    let words = line.strip_prefix("s ").unwrap_or(line).trim_start();
    let end = words.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(words.len());
    let (word, rest) = words.split_at(end);
    // Without `s`, prose such as `SAT solver` is no verdict.
    if !(line.starts_with("s ") || rest.is_empty() || rest.starts_with(':')) {
        return None;
    }
    match word.to_ascii_uppercase().as_str() {
        "SAT" | "SATISFIABLE" => Some(Verdict::Satisfiable),
        "UNSAT" | "UNSATISFIABLE" => Some(Verdict::Unsatisfiable),
        "INDET" | "INDETERMINATE" | "UNKNOWN" | "TIMEOUT" => Some(Verdict::Unknown),
        _ => None,
    }
}

/// The text without the escape sequences that set colours (`ESC [ ... letter`).
fn without_colours(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut pieces = text.split('\u{1b}');
    plain.push_str(pieces.next().unwrap_or(""));
    for piece in pieces {
        match piece.strip_prefix('[') {
            Some(sequence) => {
                let end = sequence.find(|c: char| c.is_ascii_alphabetic()).map_or(sequence.len(), |at| at + 1);
                plain.push_str(&sequence[end..]);
            }
            None => plain.push_str(piece),
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, exit: Option<i32>, verdict: Verdict, model: Option<&[i32]>) -> Answer {
        let answer = read_answer(text.as_bytes(), exit);
        assert_eq!(answer.verdict, verdict, "{text:?}");
        let numbers: Option<Vec<i32>> = answer.model.as_ref().map(|m| m.iter().map(|l| l.to_dimacs()).collect());
        assert_eq!(numbers.as_deref(), model, "{text:?}");
        answer
    }

    #[test]
    fn satisfiable_in_many_ways() {
        for text in [
            "c hello\ns SATISFIABLE\nv 1 -2\nv 3 0\n",
            "s SATISFIABLE\r\nv 1\r\nv\r\nv -2 3\r\nv 0\r\n",
            "SAT\n1 -2 3 0\n",
            "SATISFIABLE\nv 1 -2 3 0\n",
            "\u{1b}[032ms SATISFIABLE\u{1b}[000m: some/file.cnf\nv 1 -2 3 0",
            "v 1 -2 3 0\ns SATISFIABLE\n",
            "s SATISFIABLE\nv 1 -2 3\n",
            "s SATISFIABLE\nv 1 -2 3 0\nv -1 -2 3 0\n",
            "SAT solver 1.0\nSATISFIABLE\n1 -2\n3 0\nrestarts 3\n",
        ] {
            check(text, Some(10), Verdict::Satisfiable, Some(&[1, -2, 3]));
            check(text, Some(0), Verdict::Satisfiable, Some(&[1, -2, 3]));
        }
        check("s SATISFIABLE\nv 0\n", None, Verdict::Satisfiable, Some(&[]));
        check("s SATISFIABLE\n", None, Verdict::Satisfiable, None);
        check("", Some(10), Verdict::Satisfiable, None);
    }

    #[test]
    fn the_other_verdicts() {
        for text in ["s UNSATISFIABLE\n", "UNSAT\n", "c x\nUNSATISFIABLE\n", "unsat"] {
            check(text, Some(20), Verdict::Unsatisfiable, None);
            check(text, None, Verdict::Unsatisfiable, None);
        }
        check("1 2 3", Some(20), Verdict::Unsatisfiable, None);
        assert!(check("INDET\n", Some(0), Verdict::Unknown, None).decided);
        assert!(check("s UNKNOWN\n", None, Verdict::Unknown, None).decided);
        assert!(!check("Segmentation fault", None, Verdict::Unknown, None).decided);
        assert!(!check("c s SATISFIABLE\n", Some(1), Verdict::Unknown, None).decided);
        assert!(!check("SAT solver\n", Some(1), Verdict::Unknown, None).decided);
    }

    #[test]
    fn contradictions_are_no_verdict() {
        let flaw = |text, exit| check(text, exit, Verdict::Unknown, None).flaw;
        assert_eq!(flaw("s SATISFIABLE\nv 1 0\n", Some(20)).unwrap(), "it says Satisfiable and exits with 20");
        assert!(flaw("s SATISFIABLE\ns UNSATISFIABLE\n", None).is_some());
        let broken = check("s SATISFIABLE\nv 1 -2147483648 0\n", None, Verdict::Satisfiable, None);
        assert_eq!(broken.flaw.unwrap(), "`-2147483648` among the values");
    }
}
