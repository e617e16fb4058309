//! The race as a program, with solvers that are shell scripts: honest, lying, slow, crashing.

use std::fs;
use std::path::Path;
use std::process::Command;

const SAT: &str = "p cnf 3 2\n1 -2 0\n2 3 0\n";
const UNSAT: &str = "p cnf 1 2\n1 0\n-1 0\n";

/// Answers both formulas rightly.
const HONEST: &str = "if grep -q 'cnf 3' \"$1\"; then echo 's SATISFIABLE'; echo 'v 1 2 3 0'; exit 10; \
                      else echo 's UNSATISFIABLE'; echo '0' > \"${2:-/dev/null}\"; exit 20; fi";

struct Outcome {
    code: i32,
    text: String,
    rows: Vec<Vec<String>>,
}

fn race(folder: &Path, arguments: &[&str]) -> Outcome {
    let rows = folder.join("rows.tsv");
    let output = Command::new(env!("CARGO_BIN_EXE_race")).args(arguments).arg("--out").arg(&rows).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap() + &String::from_utf8(output.stderr).unwrap();
    let rows = fs::read_to_string(&rows).unwrap_or_default();
    let rows = rows.lines().skip(1).map(|line| line.split('\t').map(str::to_owned).collect()).collect();
    Outcome { code: output.status.code().unwrap(), text, rows }
}

fn formulas() -> (tempfile::TempDir, String) {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("sat.cnf"), SAT).unwrap();
    fs::write(folder.path().join("unsat.cnf"), UNSAT).unwrap();
    let list = folder.path().join("list.tsv");
    fs::write(&list, "family\tfile\tverdict\nmine\tsat.cnf\t-\nother\tunsat.cnf\tUNSAT\n").unwrap();
    let list = list.display().to_string();
    (folder, list)
}

/// A solver from a script that gets the formula as `$1` and a proof file as `$2`.
fn solver(name: &str, script: &str) -> String {
    format!("{name}=sh -c '{}' sh {{cnf}} {{proof}}", script.replace('\'', "'\\''"))
}

/// Row after row: solver, verdict, and what is wrong.
fn summary(outcome: &Outcome) -> Vec<[&str; 3]> {
    outcome.rows.iter().map(|row| [&*row[2], &*row[3], &*row[8]]).collect()
}

#[test]
fn honest_solvers_are_scored() {
    let (folder, list) = formulas();
    let (one, two) = (solver("one", HONEST), solver("two", "exit 0"));
    let outcome = race(folder.path(), &[&list, "--solver", &one, "--solver", &two, "--limit", "5"]);
    assert_eq!(outcome.code, 0, "{}", outcome.text);
    let expected = [["one", "SAT", "-"], ["two", "-", "-"], ["one", "UNSAT", "-"], ["two", "-", "-"]];
    assert_eq!(summary(&outcome), expected);
    assert_eq!(outcome.rows[1][9], "exit 0");
    assert!(outcome.text.contains("2 files that every solver ran, limit 5 s of CPU"), "{}", outcome.text);
    assert!(
        outcome.text.lines().any(|l| l.starts_with("two                   0     0     0     10.00")),
        "{}",
        outcome.text
    );
    let peak: f64 = outcome.rows[0][6].parse().unwrap();
    assert!((0.5..500.0).contains(&peak), "a shell takes some MiB, not {peak}");

    let rows = folder.path().join("rows.tsv").display().to_string();
    let again = Command::new(env!("CARGO_BIN_EXE_race")).args(["--score", &rows]).output().unwrap();
    assert!(outcome.text.ends_with(&String::from_utf8(again.stdout).unwrap()), "rows give the same score again");
}

#[test]
fn liars_are_found_and_end_with_status_1() {
    let (folder, list) = formulas();
    let wrong_model = solver("model", "echo s SATISFIABLE; echo v -1 2 3 0; exit 10");
    let wrong_verdict = solver("verdict", "echo s UNSATISFIABLE; exit 20");
    let honest = solver("honest", HONEST);
    let solvers = ["--solver", &wrong_model, "--solver", &wrong_verdict, "--solver", &honest];
    let outcome = race(folder.path(), &[&[&*list][..], &solvers].concat());
    assert_eq!(outcome.code, 1);
    assert_eq!(
        summary(&outcome),
        [
            ["model", "SAT", "wrong model: clause 1 (1 -2) is false"],
            ["verdict", "UNSAT", "wrong verdict: it is SAT"],
            ["honest", "SAT", "-"],
            ["model", "SAT", "wrong model: clause 1 (1) is false"],
            ["verdict", "UNSAT", "-"],
            ["honest", "UNSAT", "-"],
        ]
    );
    assert!(outcome.text.contains("verdict: UNSAT on sat.cnf: wrong verdict: it is SAT"));
}

#[test]
fn proofs_are_checked() {
    let (folder, list) = formulas();
    let honest = solver("honest", HONEST);
    let check = |script: &str| {
        let _ = fs::remove_file(folder.path().join("rows.tsv"));
        race(folder.path(), &[&list, "--family", "other", "--solver", &honest, "--check", script])
    };
    let accepted = check("sh -c 'grep -q ^0 $1 && echo s VERIFIED' sh {proof}");
    assert_eq!((accepted.code, &*accepted.rows[0][8]), (0, "-"));
    assert!(accepted.rows[0][9].starts_with("proof verified in "));
    let refused = check("echo s NOT VERIFIED");
    assert_eq!((refused.code, &*refused.rows[0][8]), (1, "wrong proof: the checker does not accept it"));
}

#[test]
fn limits_hold_and_crashes_are_no_verdict() {
    let (folder, list) = formulas();
    let busy = solver("busy", "echo s UNSATISFIABLE; while :; do :; done");
    let greedy = solver("greedy", "x=$(head -c 300000000 /dev/zero | tr \"\\0\" x) && echo s UNSATISFIABLE && exit 20");
    let crash = solver("crash", "echo s UNSATISFIABLE; kill -SEGV $$");
    let solvers =
        ["--solver", &busy, "--solver", &greedy, "--solver", &crash, "--solver", "absent=/no/such/solver {cnf}"];
    let options = ["--limit", "1", "--memory", "100", "--family", "mine"];
    let outcome = race(folder.path(), &[&[&*list][..], &solvers, &options].concat());
    assert_eq!(outcome.code, 0, "{}", outcome.text);
    assert!(outcome.rows.iter().all(|row| row[3] == "-"), "{}", outcome.text);
    let cpu: f64 = outcome.rows[0][4].parse().unwrap();
    assert!((0.9..3.0).contains(&cpu), "{cpu}");
    assert_eq!(outcome.rows[2][9], "signal 11");
    assert_eq!(outcome.rows[3][9], "exit 127");
}

#[test]
fn packed_formulas_and_bad_ones() {
    let (folder, _) = formulas();
    let packed = folder.path().join("packed.cnf.zst");
    // A zstd frame with one raw block.
    let mut frame = vec![0x28, 0xb5, 0x2f, 0xfd, 0x20, SAT.len() as u8];
    frame.extend_from_slice(&((SAT.len() as u32) << 3 | 1).to_le_bytes()[..3]);
    frame.extend_from_slice(SAT.as_bytes());
    fs::write(&packed, frame).unwrap();
    let bad = folder.path().join("bad.cnf");
    fs::write(&bad, "p cnf 1 1\none 0\n").unwrap();
    let honest = solver("honest", HONEST);
    let paths = [packed.display().to_string(), bad.display().to_string()];
    let outcome = race(folder.path(), &[&paths[0], &paths[1], "--solver", &honest]);
    assert_eq!(outcome.code, 1, "a formula that cannot be read is not passed over in silence");
    assert_eq!(summary(&outcome), [["honest", "SAT", "-"]]);
    assert!(outcome.text.contains("bad.cnf:2:1: `one` is not an integer"), "{}", outcome.text);
}

#[test]
fn rows_are_not_written_over() {
    let (folder, list) = formulas();
    fs::write(folder.path().join("rows.tsv"), "earlier rows").unwrap();
    let outcome = race(folder.path(), &[&list, "--solver", "true=true"]);
    assert_eq!(outcome.code, 2);
    assert_eq!(fs::read_to_string(folder.path().join("rows.tsv")).unwrap(), "earlier rows");
}
