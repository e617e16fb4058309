//! Guesses at what the input is, for messages.

use crate::Problem;

/// What may be the reason for `problem`, from the line in which it is and the first bytes of the input.
pub(crate) fn cause(problem: &Problem, line: &[u8], head: &[u8]) -> Option<String> {
    let text = match problem {
        Problem::NotAnInteger(token) => return not_an_integer(token, line, head),
        Problem::MinusZero => "only a plain 0 ends a clause, and there is no variable 0",
        Problem::TooLarge(_) => "variables go up to 2147483647",
        Problem::Unclosed if !has_header(head) => {
            "cut short? If each line is a clause, this is the peg assignment's format: `--input assignment` reads it"
        }
        Problem::Unclosed => "cut short, or the last 0 was forgotten",
        Problem::SecondHeader { .. } => {
            "these look like several files one after the other; each formula needs a file of its own"
        }
        Problem::LateHeader => "the header must come before the first clause",
        Problem::HeaderFormat(format) => return header_format(format),
        Problem::HeaderField(_) | Problem::HeaderEnd(_) | Problem::HeaderNumber { .. } => {
            "the header is `p cnf VARIABLES CLAUSES`"
        }
        Problem::AfterTrailer(_) => "after `%` there may only be a single 0, as in the files of SATLIB",
        Problem::ClosingZero | Problem::AfterZero(_) | Problem::Comment | Problem::DimacsHeader => {
            "this looks like DIMACS CNF; `--input dimacs` reads it"
        }
        Problem::NotText => return Some(not_text(head)),
        Problem::NotAnAtom(_) | Problem::AnswerLine
            if [&b"s"[..], b"v", b"c", b"SAT", b"UNSAT"].iter().any(|&w| has_word(line, w)) =>
        {
            "this looks like the answer of another solver, with `s` and `v` lines"
        }
        _ => return None,
    };
    Some(text.to_owned())
}

/// The kind of file that begins like this, if it is a well-known one that is no text.
fn binary_kind(head: &[u8]) -> Option<&'static str> {
    const KINDS: [(&[u8], &str); 13] = [
        (b"\xff\xfe", "UTF-16 text; save it as plain ASCII or UTF-8"),
        (b"\xfe\xff", "UTF-16 text; save it as plain ASCII or UTF-8"),
        (b"PK\x03\x04", "a ZIP archive; unpack it first"),
        (b"7z\xbc\xaf\x27\x1c", "a 7z archive; unpack it first"),
        (b"\x1f\x9d", "data compressed by `compress`; unpack it first"),
        (b"\x1f\x8b", "data that was compressed twice; unpack it first"),
        (b"\xfd7zXZ\0", "data that was compressed twice; unpack it first"),
        (b"\x28\xb5\x2f\xfd", "data that was compressed twice; unpack it first"),
        (b"\x04\x22\x4d\x18", "data compressed by lz4; unpack it first"),
        (b"\x5d\0\0", "data compressed by lzma; unpack it first"),
        (b"\x7fELF", "a program"),
        (b"%PDF", "a PDF document"),
        (b"\x89PNG", "a picture"),
    ];
    KINDS.iter().find(|(magic, _)| head.starts_with(magic)).map(|&(_, kind)| kind)
}

/// Whether the first bytes of an input cannot be those of a text in ASCII or UTF-8. Bytes further on do not count: the back
/// matter of the assignment's format may be anything.
pub(crate) fn is_binary(head: &[u8]) -> bool {
    head.iter().take(2).any(|&b| b == 0) || binary_kind(head).is_some()
}

fn not_text(head: &[u8]) -> String {
    let zeros = |parity| head.iter().skip(parity).step_by(2).filter(|&&b| b == 0).count();
    let kind = binary_kind(head).unwrap_or_else(|| {
        if 8 * (zeros(0).max(zeros(1))) > 3 * head.len() {
            "UTF-16 text; save it as plain ASCII or UTF-8"
        } else if matches!(head, [b'a' | b'd', ..]) {
            "a binary proof"
        } else {
            "data of some program"
        }
    });
    format!("this looks like {kind}")
}

fn has_header(head: &[u8]) -> bool {
    head.split(|&b| b == b'\n').any(|line| line.trim_ascii_start().starts_with(b"p "))
}

/// Whether the first word of the line is `word`.
fn has_word(line: &[u8], word: &[u8]) -> bool {
    line.split(u8::is_ascii_whitespace).find(|w| !w.is_empty()) == Some(word)
}

fn header_format(format: &str) -> Option<String> {
    let what = match format {
        "wcnf" => "this is WCNF, weighted clauses of MaxSAT",
        "inccnf" => "this is an incremental formula (ICNF) with assumptions",
        "cnf+" | "knf" => "this has cardinality constraints",
        "dnf" => "this is a disjunctive normal form",
        "sat" | "satx" | "sate" | "satex" => "this is a formula that is not in CNF",
        "edge" | "col" | "max" | "sp" | "aux" | "tw" => "this is a graph of another DIMACS challenge",
        "pcnf" | "pmcnf" | "maxsat" => "this is a formula for model counting or MaxSAT",
        _ => "the header is `p cnf VARIABLES CLAUSES`",
    };
    Some(what.to_owned())
}

fn not_an_integer(token: &str, line: &[u8], head: &[u8]) -> Option<String> {
    let first = has_word(line, token.as_bytes());
    let text = match token {
        "a" | "e" | "d" if first && has_header(head) => "this looks like QDIMACS; quantifiers are not read",
        "a" if first => "this looks like an incremental formula (ICNF) with assumptions",
        "d" if first => "this looks like a proof, not a formula",
        "h" if first => "this looks like WCNF, weighted clauses of MaxSAT",
        "s" | "v" | "SAT" | "UNSAT" | "SATISFIABLE" | "UNSATISFIABLE" if first => {
            "this looks like the answer of a solver, not a formula"
        }
        "T" | "F" | "True" | "False" => "this looks like an answer in the peg assignment's format, not a formula",
        _ => return other_language(head).or_else(|| other_token(token, first, line)).map(str::to_owned),
    };
    Some(text.to_owned())
}

/// Formats that show by their first characters.
fn other_language(head: &[u8]) -> Option<&'static str> {
    match head.trim_ascii_start() {
        [b'a', b'a' | b'i', b'g', b' ', ..] => Some("this looks like an AIGER circuit"),
        [b'*', ..] => Some("this looks like OPB, pseudo-Boolean constraints"),
        [b'(' | b';', ..] => Some("this looks like SMT-LIB or Lisp"),
        [b'<', ..] => Some("this looks like a web page, perhaps in place of a download"),
        [b'{' | b'[', ..] => Some("this looks like JSON"),
        [b'#', b'!', ..] => Some("this looks like a script"),
        _ => None,
    }
}

fn other_token(token: &str, first: bool, line: &[u8]) -> Option<&'static str> {
    if token.contains(char::REPLACEMENT_CHARACTER) {
        return Some("this is not plain text");
    }
    if token == "c" {
        return Some("a comment needs a line of its own");
    }
    if token == "-" {
        return Some("no blank may follow the minus");
    }
    let rest = token.trim_start_matches(['-', '~', '!', '+']);
    let number = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    if first && token.strip_prefix('x').is_some_and(|t| t.is_empty() || number(t.trim_start_matches('-'))) {
        return Some("this looks like an XOR clause of CryptoMiniSat");
    }
    if crate::names::name_line(line).is_some() {
        return Some(
            "lines `number name` belong to the peg assignment's format (`--input assignment`), behind its line `0`",
        );
    }
    if token.starts_with('+') && number(rest) {
        return Some("positive literals have no sign");
    }
    if number(rest) {
        return Some("negative literals are written with one minus");
    }
    if rest.starts_with(|c: char| c.is_ascii_digit()) && rest.contains([',', ';', '-', '.']) {
        return Some("literals are integers with blanks between them");
    }
    if first && token.starts_with(['#', '/', '*', ';']) {
        return Some("comment lines begin with `c`");
    }
    rest.starts_with(char::is_alphabetic).then_some("atoms are numbers; names may stand in comments")
}
