//! The command line: arguments, exit codes and output.

use crate::support::{Folder, PUTNAM, Run, command, pigeons, putnam, putnam_with, spawn};
use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::process::{Command, Stdio};

const SAT: &str = "p cnf 4 3\n1 -2 0\n2 3 0\n-1 -3 0\n";
const UNSAT: &str = "p cnf 2 4\n1 2 0\n-1 2 0\n1 -2 0\n-1 -2 0\n";

/// Checks a model against the clauses, and that every variable has a value.
fn check_model(cnf: &str, run: &Run) {
    let model = run.model();
    let numbers: Vec<i32> = model.iter().map(|lit| lit.abs()).collect();
    let header = cnf.lines().find_map(|line| line.strip_prefix("p cnf ")).unwrap();
    let variables: i32 = header.split(' ').next().unwrap().parse().unwrap();
    assert_eq!(numbers, (1..=variables).collect::<Vec<_>>());
    for line in cnf.lines().filter(|line| !line.starts_with(['c', 'p'])) {
        let clause: Vec<i32> = line.split_ascii_whitespace().map(|word| word.parse().unwrap()).collect();
        assert!(clause.iter().any(|lit| model.contains(lit)), "{line} is false in {model:?}");
    }
}

#[test]
fn exit_codes_tell_the_answer() {
    let run = putnam_with(&["solve"], SAT).expect(10);
    assert_eq!(run.verdict(), "SATISFIABLE");
    check_model(SAT, &run);
    assert_eq!(run.stderr, "");
    assert_eq!(putnam_with(&["solve", "-"], UNSAT).expect(20).verdict(), "UNSATISFIABLE");
    let unknown = putnam_with(&["solve", "--conflict-limit", "1", "--set", "pigeonhole=0"], pigeons(8)).expect(0);
    assert_eq!(unknown.verdict(), "UNKNOWN");
    assert!(unknown.stdout.contains("c no answer: conflict limit reached\n"), "{}", unknown.stdout);
    putnam_with(&["solve"], "p cnf 1 1\n1 x 0\n").expect(1);
    putnam(&["solve", "no-such-file.cnf"]).expect(1);
    putnam(&["solve", "--no-such-option"]).expect(2);
}

#[test]
fn both_engines_answer() {
    for engine in ["cdcl", "dpll"] {
        let sat = putnam_with(&["solve", "--engine", engine], SAT).expect(10);
        check_model(SAT, &sat);
        assert!(sat.stdout.contains(&format!("c engine {engine}, seed 0\n")));
        putnam_with(&["solve", "--engine", engine], UNSAT).expect(20);
        putnam_with(&["solve", "--engine", engine], pigeons(5)).expect(20);
    }
}

#[test]
fn corner_cases_are_right() {
    for (text, code) in [
        ("p cnf 0 0\n", 10),
        ("p cnf 5 0\n", 10),
        ("p cnf 0 1\n0\n", 20),
        ("p cnf 3 2\n1 2 0\n0\n", 20),
        ("p cnf 1 2\n1 0\n-1 0\n", 20),
        ("p cnf 2 2\n1 -1 0\n2 -2 1 0\n", 10),
        ("p cnf 1 1\n1 1 1 0\n", 10),
    ] {
        for engine in ["cdcl", "dpll"] {
            let run = putnam_with(&["solve", "--engine", engine], text).expect(code);
            if code == 10 {
                let variables: usize = text.split(' ').nth(2).unwrap().parse().unwrap();
                assert_eq!(run.model().len(), variables, "{text}");
            }
        }
    }
    let long: Vec<String> = (1..=100_000).map(|i| i.to_string()).collect();
    let long = format!("p cnf 100000 1\n{} 0\n", long.join(" "));
    check_model(&long, &putnam_with(&["solve"], &long).expect(10));
}

#[test]
fn values_come_in_lines_of_78_characters() {
    let run = putnam_with(&["solve"], "p cnf 500 1\n-500 0\n").expect(10);
    let lines: Vec<&str> = run.stdout.lines().filter(|line| line.starts_with('v')).collect();
    assert!(lines.len() > 20);
    assert!(lines.iter().all(|line| line.len() <= 78));
    assert!(lines.last().unwrap().ends_with(" 0"));
}

#[test]
fn output_is_the_same_in_every_run() {
    let formula = pigeons(7);
    let args = ["solve", "--seed", "3", "--set", "restartint=5"];
    let first = putnam_with(&args, &formula).expect(20);
    assert_eq!(first.stdout, putnam_with(&args, &formula).stdout);
    assert!(first.stdout.contains(", seed 3\n"), "{}", first.stdout);
    assert!(first.stdout.contains("c --set restartint=5\n"), "{}", first.stdout);
    assert!(first.stdout.contains(&format!("c Putnam {}", env!("CARGO_PKG_VERSION"))));
}

#[test]
fn quiet_prints_the_answer_alone() {
    assert_eq!(putnam_with(&["solve", "-q"], "p cnf 2 1\n1 2 3 0\n").expect(10).stderr, "");
    assert_eq!(putnam_with(&["solve", "-q"], UNSAT).stdout, "s UNSATISFIABLE\n");
    assert_eq!(putnam_with(&["solve", "-q", "--no-model"], SAT).expect(10).stdout, "s SATISFIABLE\n");
    assert_eq!(putnam_with(&["solve", "-q", "--time-limit", "0"], pigeons(9)).expect(0).stdout, "s UNKNOWN\n");
    putnam_with(&["solve", "-q", "-v"], SAT).expect(2);
}

#[test]
fn verbose_adds_comments_alone() {
    let run = putnam_with(&["solve", "-v", "--set", "pigeonhole=0"], pigeons(6)).expect(20);
    assert!(run.stdout.lines().all(|line| line.starts_with("c ") || line.starts_with("s ")), "{}", run.stdout);
    assert!(run.stdout.lines().any(|line| line.starts_with("c conflicts ")), "{}", run.stdout);
    assert!(run.stdout.contains("c seconds of solving"), "{}", run.stdout);
}

#[test]
fn the_answer_goes_to_a_file() {
    let folder = Folder::new();
    let output = folder.write("answer", "what was there before, and is longer than the answer will be");
    let run = putnam_with(&["solve", "--output", &output, "-q"], UNSAT).expect(20);
    assert_eq!((run.stdout.as_str(), run.stderr.as_str()), ("", ""));
    assert_eq!(fs::read_to_string(&output).unwrap(), "s UNSATISFIABLE\n");
    let run = putnam_with(&["solve", "-o", &folder.arg("no/such/folder"), "-q"], UNSAT).expect(1);
    assert!(run.stderr.contains("no/such/folder"), "{}", run.stderr);
}

#[test]
fn the_answer_has_the_format_of_the_input() {
    let run = putnam_with(&["solve"], "1 2\n-1\n-2 -3\n0\ntail").expect(10);
    assert_eq!((run.stdout.as_str(), run.stderr.as_str()), ("1 F\n2 T\n3 F\n0\ntail", ""));
    let run = putnam_with(&["solve"], "1\n-1\n0\n1 Peg(1,1)\nprose\n").expect(20);
    assert_eq!(run.stdout, "0\n1 Peg(1,1)\nprose\n");
    assert_eq!(putnam_with(&["solve"], "0\n").expect(10).stdout, "0\n");
    // What the format cannot say is not written as something else.
    let formula = pigeons(9);
    let clauses: Vec<&str> = formula.lines().skip(1).map(|line| line.trim_end_matches(" 0")).collect();
    let clauses = format!("{}\n0\n", clauses.join("\n"));
    let run = putnam_with(&["solve", "--conflict-limit", "5", "--set", "pigeonhole=0"], &clauses).expect(0);
    assert_eq!(run.stdout, "");
    assert!(run.stderr.contains("no answer: conflict limit reached"), "{}", run.stderr);
    assert_eq!(putnam_with(&["solve", "--no-model"], "1\n0\n").expect(10).stdout, "");
    // Statistics would spoil the answer.
    assert_eq!(putnam_with(&["solve", "-v"], "1\n0\n").expect(10).stdout, "1 T\n0\n");
}

#[test]
fn the_input_format_can_be_told() {
    // As DIMACS this is one clause with two literals; as the assignment's format a clause with one, then the end.
    putnam_with(&["solve", "--input", "assignment"], "1\n0\n-1 0\n").expect(10);
    let run = putnam_with(&["solve", "--input", "dimacs"], "1\n0\n-1 0\n").expect(20);
    assert!(run.stderr.contains("warning: "), "{}", run.stderr);
    putnam_with(&["solve", "--input", "dimacs", "--strict"], "1\n0\n-1 0\n").expect(1);
}

#[test]
fn assumptions_hold_or_are_named() {
    let run = putnam_with(&["solve", "--assume", "-3"], SAT).expect(10);
    assert!(run.model().contains(&-3));
    let run = putnam_with(&["solve", "--assume", "4", "--assume=-3", "--assume", "-2"], SAT).expect(20);
    assert!(run.stdout.contains("c unsatisfiable under these of the assumptions: -3 -2\n"), "{}", run.stdout);
    assert!(run.stdout.contains("c nothing is claimed about the formula without them\n"), "{}", run.stdout);
    let run = putnam_with(&["solve", "--assume", "1"], UNSAT).expect(20);
    assert!(!run.stdout.contains("assumptions"), "{}", run.stdout);
    for (lit, code) in [("5", 1), ("-5", 1), ("0", 2), ("x", 2), ("", 2), ("2147483648", 2)] {
        let run = putnam_with(&["solve", "--assume", lit], SAT).expect(code);
        assert!(run.stderr.contains(&format!("--assume {lit}: ")), "{}", run.stderr);
    }
}

#[test]
fn assumptions_can_be_named() {
    let named = format!("c 3 rain\n{SAT}");
    assert!(putnam_with(&["solve", "--assume", "rain"], &named).expect(10).model().contains(&3));
    let run = putnam_with(&["solve", "--assume", "-rain", "--assume=-2"], &named).expect(20);
    assert!(run.stdout.contains("of the assumptions: -rain -2\n"), "{}", run.stdout);
    putnam_with(&["solve", "--assume", "snow"], &named).expect(1);
}

#[test]
fn the_search_tree_is_shown_by_dpll() {
    let run = putnam_with(&["solve", "--engine", "dpll", "--trace"], pigeons(2)).expect(20);
    let before = run.stdout.split("s UNSATISFIABLE").next().unwrap();
    for word in ["c decide ", "c   propagate ", "conflict ", "backtrack"] {
        assert!(before.contains(word), "{word} is not in\n{before}");
    }
    let run = putnam_with(&["solve", "--trace"], SAT).expect(2);
    assert!(run.stderr.contains("--engine dpll"), "{}", run.stderr);
    // Beside an answer in the assignment's format the tree goes to standard error.
    let run = putnam_with(&["solve", "--engine", "dpll", "--trace"], "1 2\n-1\n0\n1 Peg(1,1)\n").expect(10);
    assert_eq!(run.stdout, "1 F\n2 T\n0\n1 Peg(1,1)\n");
    assert!(run.stderr.contains("not Peg(1,1)"), "{}", run.stderr);
}

#[test]
fn a_proof_on_standard_output_is_alone_there() {
    let run = putnam_with(&["solve", "--proof", "-"], UNSAT).expect(20);
    assert!(run.stdout.ends_with("0\n"), "{}", run.stdout);
    assert!(run.stdout.lines().all(|line| line.split(' ').all(|word| word == "d" || word.parse::<i32>().is_ok())));
    assert!(run.stderr.contains("s UNSATISFIABLE\n"), "{}", run.stderr);
    let folder = Folder::new();
    let answer = folder.arg("answer");
    let run = putnam_with(&["solve", "--proof", "-", "-v", "--output", &answer], UNSAT).expect(20);
    assert!(run.stdout.lines().all(|line| line.split(' ').all(|word| word == "d" || word.parse::<i32>().is_ok())));
    assert!(fs::read_to_string(&answer).unwrap().contains("s UNSATISFIABLE\n"));
    putnam_with(&["solve", "--proof", "-", "--output", "-"], UNSAT).expect(2);
}

#[test]
fn proofs_are_written_in_both_forms() {
    let folder = Folder::new();
    let (text, binary) = (folder.arg("text"), folder.arg("binary"));
    for engine in ["cdcl", "dpll"] {
        putnam_with(&["solve", "--engine", engine, "--proof", &text], pigeons(4)).expect(20);
        assert!(fs::read_to_string(&text).unwrap().lines().any(|line| line == "0"), "{engine}");
        putnam_with(&["solve", "--engine", engine, "--proof", &binary, "--proof-format", "binary"], pigeons(4))
            .expect(20);
        assert!(fs::read(&binary).unwrap().windows(3).any(|bytes| bytes == [0, b'a', 0]), "{engine}");
    }
    putnam_with(&["solve", "--proof-format", "binary"], UNSAT).expect(2);
}

#[test]
fn no_file_is_read_and_written() {
    let folder = Folder::new();
    let formula = folder.write("formula.cnf", UNSAT);
    let (link, hard) = (folder.arg("link.cnf"), folder.arg("hard.cnf"));
    std::os::unix::fs::symlink(&formula, &link).unwrap();
    fs::hard_link(&formula, &hard).unwrap();
    for file in [&formula, &link, &hard] {
        putnam(&["solve", &formula, "--proof", file]).expect(2);
        putnam(&["solve", &formula, "--output", file]).expect(2);
    }
    let new = folder.arg("new");
    putnam(&["solve", &formula, "--proof", &new, "--output", &new]).expect(2);
    let detour = folder.arg("./new");
    putnam(&["solve", &formula, "--proof", &new, "--output", &detour]).expect(2);
    putnam(&["crosscheck", &formula, "--json", &formula]).expect(2);
    let stdin = fs::File::open(&formula).unwrap();
    let child = spawn(command(&["solve", "--proof", &formula]).stdin(Stdio::from(stdin)));
    Run::from(child.wait_with_output().unwrap()).expect(2);
    assert_eq!(fs::read_to_string(&formula).unwrap(), UNSAT);
    putnam(&["solve", &formula, "--proof", "/dev/null", "--output", "/dev/null"]).expect(20);
}

#[test]
fn front_ends_do_not_write_what_they_read() {
    let folder = Folder::new();
    let (text, said) = ("3 3\n1 2 3\n", "1 T\n0\n1 Jump(1,2,3,1)\n");
    let (board, answer) = (folder.write("board", text), folder.write("answer", said));
    putnam(&["peg", "encode", &board, "--output", &board]).expect(2);
    putnam(&["peg", "solve", &board, "--output", &board]).expect(2);
    putnam(&["peg", "batch", &board, "--csv", &board]).expect(2);
    putnam(&["peg", "batch", &board, "--json", &board]).expect(2);
    putnam(&["peg", "decode", &answer, "--output", &answer]).expect(2);
    assert_eq!(fs::read_to_string(&board).unwrap(), text);
    assert_eq!(fs::read_to_string(&answer).unwrap(), said);
    let run = Run::from(
        command(&["peg", "encode", "triangle-10", "-o", "triangle-10"]).current_dir(folder.path("")).output().unwrap(),
    );
    run.expect(0);
}

#[test]
fn a_proof_that_cannot_be_written_is_an_error() {
    if !std::path::Path::new("/dev/full").exists() {
        eprintln!("left out: there is no /dev/full");
        return;
    }
    let run = putnam_with(&["solve", "--proof", "/dev/full"], pigeons(4)).expect(1);
    assert!(run.stderr.contains("/dev/full"), "{}", run.stderr);
    assert!(!run.stdout.contains("s "), "{}", run.stdout);
    let run = putnam_with(&["solve", "--output", "/dev/full"], UNSAT).expect(1);
    assert!(run.stderr.contains("/dev/full"), "{}", run.stderr);
}

#[test]
fn file_names_need_not_be_text() {
    let folder = Folder::new();
    let name = |bytes: &[u8]| folder.path("").join(OsStr::from_bytes(bytes));
    let (formula, proof) = (name(b"f\xff.cnf"), name(b"p\xfe.drat"));
    fs::write(&formula, pigeons(4)).unwrap();
    let run = |words: &[&str], paths: &[&Path]| {
        Run::from(Command::new(PUTNAM).args(words).args(paths).stdin(Stdio::null()).output().unwrap())
    };
    run(&["solve", "--proof"], &[&proof, &formula]).expect(20);
    run(&["check"], &[&formula, &proof]).expect(0);
    let certificate = name(b"c\xff.json");
    run(&["peg", "solve", "triangle:4", "--start", "2", "--certificate"], &[&certificate]).expect(10);
    run(&["peg", "verify", "triangle:4"], &[&certificate]).expect(0);
    let missing = run(&["solve"], &[&name(b"\xff")]).expect(1);
    assert!(missing.stderr.contains("\u{fffd}"), "{}", missing.stderr);
}

#[test]
fn errors_say_what_to_do() {
    let run = putnam_with(&["solve"], "").expect(1);
    assert!(run.stderr.starts_with("error: <stdin>: "), "{}", run.stderr);
    let folder = Folder::new();
    let formula = folder.write("formula.cnf", SAT);
    let misspelt = putnam(&[&formula]).expect(2);
    assert!(misspelt.stderr.contains(&format!("To solve this file: putnam solve {formula}")), "{}", misspelt.stderr);
    assert!(putnam(&[]).expect(2).stderr.contains("Usage: putnam"));
    putnam(&["solve", &folder.arg("")]).expect(1);
    let run = putnam_with(&["solve"], "p cnf 2 1\n1 y 0\n").expect(1);
    assert!(run.stderr.starts_with("error: <stdin>:2:3: "), "{}", run.stderr);
    assert_eq!(run.stdout, "");
}

#[test]
fn help_is_there_for_every_command() {
    for args in [
        &["--help"][..],
        &["--version"],
        &["solve", "--help"],
        &["crosscheck", "--help"],
        &["peg", "--help"],
        &["peg", "encode", "--help"],
        &["peg", "decode", "--help"],
        &["peg", "solve", "--help"],
        &["peg", "batch", "--help"],
        &["peg", "boards", "--help"],
        &["check", "--help"],
        &["zebra", "--help"],
        &["zebra", "encode", "--help"],
        &["zebra", "decode", "--help"],
        &["zebra", "solve", "--help"],
        &["options", "--help"],
    ] {
        let run = putnam(args).expect(0);
        assert!(!run.stdout.is_empty() && run.stderr.is_empty(), "{args:?}");
    }
}

#[test]
fn options_are_listed_and_set() {
    let table = putnam(&["options"]).expect(0).stdout;
    let seed = table.lines().find(|line| line.starts_with("seed ")).unwrap();
    assert!(seed.split_ascii_whitespace().nth(1) == Some("0"), "{seed}");
    putnam_with(&["solve", "--set", "restart=0", "--set", "lucky=off"], UNSAT).expect(20);
    for bad in ["restart", "restart=x", "restart=7", "no-such-option=1", "=1", ""] {
        let run = putnam_with(&["solve", "--set", bad], UNSAT).expect(2);
        assert!(run.stderr.contains(&format!("--set {bad}: ")), "{}", run.stderr);
    }
    putnam_with(&["solve", "--engine", "dpll", "--set", "restart=0"], UNSAT).expect(2);
}

#[test]
fn batches_list_their_starts_in_order() {
    let columns = |run: &Run| -> Vec<String> {
        let rows = run.stdout.lines().skip(1).filter(|line| !line.contains(" starts: "));
        rows.map(|line| line.split("  ").map(str::trim).filter(|word| !word.is_empty()).take(4).collect()).collect()
    };
    let one = putnam(&["peg", "batch", "triangle-10", "--threads", "1"]).expect(0);
    let two = putnam(&["peg", "batch", "triangle-10", "--threads", "2"]).expect(0);
    assert_eq!(columns(&one), columns(&two));
    assert_eq!(one.stderr, "");
    assert!(one.stdout.contains("\n10 starts: 6 solved, 4 without solution, 0 unknown; "), "{}", one.stdout);
    let csv = putnam(&["peg", "batch", "triangle-10", "--starts", "5,2-3", "--csv", "-"]).expect(0).stdout;
    let starts: Vec<&str> = csv.lines().map(|line| line.split(',').next().unwrap()).collect();
    assert_eq!(starts, ["start", "2", "3", "5"]);
    let unknown = putnam(&["peg", "batch", "english-33", "--starts", "17", "--conflict-limit", "1"]).expect(1);
    assert!(unknown.stdout.contains("unknown"), "{}", unknown.stdout);
    putnam(&["peg", "batch", "triangle-10", "--starts", "11"]).expect(1);
    putnam(&["peg", "batch", "triangle-10", "--starts", "x"]).expect(1);
    putnam(&["peg", "batch", "no-such-board"]).expect(1);
}

#[test]
fn batches_are_written_for_programs() {
    let folder = Folder::new();
    let (json, csv) = (folder.arg("a.json"), folder.arg("a.csv"));
    let run = putnam(&["peg", "batch", "triangle-10", "--json", &json, "--csv", &csv]).expect(0);
    assert!(run.stdout.starts_with("start "), "{}", run.stdout);
    let value: serde_json::Value = serde_json::from_str(&fs::read_to_string(&json).unwrap()).unwrap();
    let starts = value["starts"].as_array().unwrap();
    assert_eq!((value["holes"].as_u64(), starts.len()), (Some(10), 10));
    for start in starts {
        let solved = start["verdict"] == "solved";
        assert_eq!(start["plan"].as_array().map(Vec::len), solved.then_some(8), "{start}");
    }
    assert_eq!(fs::read_to_string(&csv).unwrap().lines().count(), 11);
}

#[test]
fn answers_without_names_need_a_key() {
    let folder = Folder::new();
    let dimacs = folder.arg("clauses.cnf");
    putnam(&["peg", "encode", "triangle-10", "--start", "2", "--format", "dimacs", "-o", &dimacs]).expect(0);
    let answer = putnam(&["solve", &dimacs]).expect(10).stdout;
    let without = putnam_with(&["peg", "decode"], &answer).expect(1);
    assert!(without.stderr.contains("--key FILE"), "{}", without.stderr);
    let with = putnam_with(&["peg", "decode", "--key", &dimacs], &answer).expect(10);
    assert_eq!(with.stdout.lines().count(), 8);
    // Without a solution no names are needed.
    assert_eq!(putnam_with(&["peg", "decode"], "s UNSATISFIABLE\n").expect(20).stdout, "NO SOLUTION\n");
    assert_eq!(putnam_with(&["peg", "decode"], "0\nprose\n").expect(20).stdout, "NO SOLUTION\n");
    putnam_with(&["peg", "decode"], "s UNKNOWN\n").expect(0);
    putnam_with(&["peg", "decode"], "").expect(1);
}

#[test]
fn proofs_and_models_can_be_checked() {
    let folder = Folder::new();
    let (formula, other) = (folder.write("a.cnf", pigeons(5)), folder.write("b.cnf", SAT));
    let (proof, trimmed, lrat, model) = (folder.arg("p"), folder.arg("t"), folder.arg("l"), folder.arg("m"));
    for format in ["drat", "binary"] {
        putnam(&["solve", &formula, "--proof", &proof, "--proof-format", format]).expect(20);
        assert_eq!(putnam(&["check", &formula, &proof]).expect(0).verdict(), "VERIFIED");
        putnam(&["check", &formula, &proof, "--forward"]).expect(0);
        let refused = putnam(&["check", &other, &proof]).expect(1);
        assert_eq!(refused.verdict(), "NOT VERIFIED");
        assert!(refused.stderr.contains("step "), "{}", refused.stderr);
    }
    putnam(&["check", &formula, &proof, "--trim", &trimmed, "--lrat", &lrat]).expect(0);
    putnam(&["check", &formula, &trimmed]).expect(0);
    putnam(&["check", &formula, &lrat]).expect(0);
    let run = putnam(&["check", &formula, &proof, "--lrat", "-"]).expect(0);
    assert_eq!(run.stdout, fs::read_to_string(&lrat).unwrap());
    assert!(run.stderr.contains("s VERIFIED\n"), "{}", run.stderr);

    putnam(&["solve", &other, "--output", &model]).expect(10);
    putnam(&["check", &other, "--model", &model]).expect(0);
    let refused = putnam(&["check", &formula, "--model", &model]).expect(1);
    assert!(refused.stderr.contains("clause "), "{}", refused.stderr);
    putnam(&["check", &other, "--model", &folder.write("u", "s UNSATISFIABLE\n")]).expect(1);
    putnam(&["check", &other]).expect(2);
    putnam(&["check", &formula, &proof, "--trim", &proof]).expect(2);
    putnam(&["check", &formula, &proof, "--trim", &formula]).expect(2);
}

#[test]
fn refutations_are_checked_on_request() {
    for engine in ["cdcl", "dpll"] {
        let run = putnam_with(&["solve", "--engine", engine, "--check"], pigeons(5)).expect(20);
        assert!(run.stdout.contains("c the proof holds\n"), "{}", run.stdout);
        let run = putnam_with(&["solve", "--engine", engine, "--check", "-q"], pigeons(5)).expect(20);
        assert_eq!(run.stdout, "s UNSATISFIABLE\n");
        putnam_with(&["solve", "--engine", engine, "--check"], SAT).expect(10);
        putnam_with(&["solve", "--engine", engine, "--check"], "p cnf 1 3\n1 -1 0\n0\n1 1 0\n").expect(20);
    }
    putnam_with(&["solve", "--check", "--assume", "1"], SAT).expect(2);
}

#[test]
fn lrat_comes_checked_and_trimmed() {
    let folder = Folder::new();
    let formula = folder.write("hole.cnf", pigeons(5));
    let proof = folder.arg("proof.lrat");
    putnam(&["solve", &formula, "--proof", &proof, "--proof-format", "lrat"]).expect(20);
    let run = putnam(&["check", &formula, &proof, "--proof-format", "lrat"]).expect(0);
    assert!(run.stdout.contains("s VERIFIED"));
    // On standard output it is the same, and alone.
    let run = putnam(&["solve", &formula, "--proof", "-", "--proof-format", "lrat"]).expect(20);
    assert_eq!(run.stdout, fs::read_to_string(&proof).unwrap());
    assert!(run.stderr.contains("s UNSATISFIABLE\n"), "{}", run.stderr);
    // Ids ascend from the number of clauses, a deletion has the id of the last clause.
    let mut last = pigeons(5).lines().count() - 1;
    for line in run.stdout.lines() {
        let words: Vec<&str> = line.split(' ').collect();
        let id: usize = words[0].parse().unwrap();
        assert!(if words[1] == "d" { id == last } else { id > last }, "{line}");
        last = id;
    }
    // What is not refuted has no proof, and an old one is gone.
    let satisfiable = folder.write("sat.cnf", SAT);
    putnam(&["solve", &satisfiable, "--proof", &proof, "--proof-format", "lrat"]).expect(10);
    assert_eq!(fs::read_to_string(&proof).unwrap(), "");
}

#[test]
fn a_proof_of_one_search_deletes_what_is_eliminated() {
    let folder = Folder::new();
    let formula = folder.write("hole.cnf", pigeons(7));
    let size = |extra: &[&str]| {
        let proof = folder.arg("proof.drat");
        let run =
            putnam(&[&["solve", &formula, "--check", "--proof", &proof, "--set", "pigeonhole=0"], extra].concat())
                .expect(20);
        assert_eq!(run.verdict(), "UNSATISFIABLE");
        putnam(&["check", &formula, &proof]).expect(0);
        fs::read_to_string(&proof).unwrap().lines().filter(|line| line.starts_with("d ")).count()
    };
    assert_eq!(size(&[]), size(&["--set", "proofkeep=0"]));
    assert!(size(&[]) >= size(&["--set", "proofkeep=1"]));
}
