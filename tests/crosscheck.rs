//! `putnam crosscheck` and other solvers.

use crate::support::{Folder, PUTNAM, Run, command, path, peer, pigeons, putnam, spawn};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;
use std::fs;
use std::thread;
use std::time::{Duration, Instant};

const SAT: &str = "p cnf 3 3\n1 2 0\n-1 3 0\n-2 -3 0\n";

fn json(path: &str) -> Value {
    serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap()
}

/// The answers of a solver, in the order of the files.
fn answers(value: &Value, solver: &str) -> Vec<String> {
    let rows = value.as_array().unwrap();
    let of = |row: &Value| -> String {
        let answers = row["answers"].as_array().unwrap();
        answers.iter().find(|a| a["solver"] == solver).unwrap()["answer"].as_str().unwrap().into()
    };
    rows.iter().map(of).collect()
}

#[test]
fn minisat_agrees_on_every_formula_of_the_tests() {
    if !peer("minisat") {
        return;
    }
    let folder = Folder::new();
    let output = folder.arg("result.json");
    let formulas = path("cnf");
    let run = putnam(&["crosscheck", formulas.to_str().unwrap(), "--only", "minisat", "--json", &output]).expect(0);
    assert!(run.stdout.contains("; no disagreement\n"), "{}", run.stdout);
    let value = json(&output);
    for row in value.as_array().unwrap() {
        let file = row["file"].as_str().unwrap();
        let verdict = if file.contains(".sat.") { "satisfiable" } else { "unsatisfiable" };
        for answer in row["answers"].as_array().unwrap() {
            // The time may run out on a slow machine; a wrong answer may not be.
            if answer["answer"] != "time-out" {
                assert_eq!(answer["answer"], verdict, "{file}: {answer}");
            }
            assert_ne!(answer["model"], "wrong", "{file}: {answer}");
        }
    }
    assert!(value.as_array().unwrap().len() >= 30);
}

#[test]
fn putnam_itself_can_be_the_peer() {
    let folder = Folder::new();
    let (sat, unsat) = (folder.write("a.cnf", SAT), folder.write("b.cnf", pigeons(4)));
    let peer = format!("dpll={PUTNAM} solve --engine dpll {{cnf}} --output {{out}}");
    let output = folder.arg("result.json");
    let args = ["crosscheck", &sat, &unsat, "--peer", &peer, "--only", "dpll", "--json", &output];
    let run = putnam(&args).expect(0);
    assert!(run.stdout.lines().next().unwrap().ends_with("dpll"), "{}", run.stdout);
    for solver in ["putnam", "dpll"] {
        assert_eq!(answers(&json(&output), solver), ["satisfiable", "unsatisfiable"]);
    }
    assert_eq!(folder.names(), ["a.cnf", "b.cnf", "result.json"]);
}

/// A solver that says the opposite about formulas with a clause that has the literal 7.
fn liar(folder: &Folder) -> String {
    let body = format!(
        "if grep -q '^7 \\| 7 ' \"$1\"; then echo 's UNSATISFIABLE'; exit 20; fi\nexec {PUTNAM} solve -q \"$1\""
    );
    format!("liar={} {{cnf}}", folder.script("liar", &body))
}

#[test]
fn a_lie_is_caught_kept_and_shrunk() {
    let folder = Folder::new();
    let clauses: Vec<String> = (1..=40).map(|i| format!("{i} -{} {} 0", i + 1, i + 2)).collect();
    let formula = folder.write("lies.cnf", format!("p cnf 42 40\n{}\n", clauses.join("\n")));
    let (liar, kept) = (liar(&folder), folder.arg("kept"));
    let args = ["crosscheck", &formula, "--peer", &liar, "--only", "liar", "--keep", &kept];
    let run = putnam(&args).expect(3);
    assert!(run.stdout.contains("  putnam: satisfiable, and its model is correct\n"), "{}", run.stdout);
    assert!(run.stdout.contains("  liar: unsatisfiable\n"), "{}", run.stdout);
    assert!(run.stdout.contains("; DISAGREEMENT on 1\n"), "{}", run.stdout);

    let whole = fs::read_to_string(folder.path("kept/disagreement-1-lies.cnf")).unwrap();
    assert_eq!(whole.lines().count(), 41);
    let small = fs::read_to_string(folder.path("kept/disagreement-1-lies.small.cnf")).unwrap();
    assert_eq!(small, "p cnf 7 1\n7 0\n");

    // The command that is printed shows the disagreement again, and overwrites nothing.
    let repeat = run.stdout.lines().find_map(|line| line.strip_prefix("  repeat with: putnam ")).unwrap();
    let words = shlex::split(repeat).unwrap();
    let mut args: Vec<&str> = words.iter().map(String::as_str).collect();
    args.extend(["--keep", &kept]);
    let again = putnam(&args).expect(3);
    assert!(again.stdout.contains("kept/disagreement-2-lies.cnf"), "{}", again.stdout);
}

#[test]
fn a_wrong_model_is_caught() {
    let folder = Folder::new();
    let formula = folder.write("a.cnf", SAT);
    for (body, what) in [
        ("echo SATISFIABLE; echo v -1 -2 3 0", "its model makes clause 1 false"),
        ("echo 's SATISFIABLE'; echo 'v 1 2 -1 3 0'; exit 10", "its model gives variable 1 both values"),
    ] {
        let peer = format!("wrong={} {{cnf}}", folder.script("wrong", body));
        let kept = folder.arg("kept");
        let args = ["crosscheck", &formula, "--peer", &peer, "--only", "wrong", "--keep", &kept, "--shrink-time", "0"];
        let run = putnam(&args).expect(3);
        assert!(run.stdout.contains(&format!("wrong: satisfiable, but {what}\n")), "{}", run.stdout);
    }
}

#[test]
fn a_time_limit_beyond_what_the_clock_can_tell_is_none() {
    let folder = Folder::new();
    let formula = folder.write("a.cnf", SAT);
    let peer = format!("silent={} {{cnf}}", folder.script("silent", "exit 0"));
    putnam(&["crosscheck", &formula, "--peer", &peer, "--only", "silent", "--time-limit", "1e19"]).expect(0);
}

#[test]
fn crashes_and_time_outs_are_no_verdicts() {
    let folder = Folder::new();
    let formula = folder.write("a.cnf", SAT);
    let script = |name: &str, body: &str| format!("{name}={} {{cnf}}", folder.script(name, body));
    let peers = [
        // What it printed before it died does not count.
        script("killed", "echo 's UNSATISFIABLE'; kill -SEGV $$"),
        script("failing", "echo 's UNSATISFIABLE'; echo 'out of cheese' >&2; exit 7"),
        script("torn", "echo 's UNSATISFIABLE'; exit 10"),
        script("silent", "exit 0"),
        script("hanging", "sleep 1000 & wait"),
    ];
    let output = folder.arg("result.json");
    let mut args = vec!["crosscheck", &formula, "--time-limit", "1", "--json", &output];
    args.extend(["--only", "killed,failing,torn,silent,hanging"]);
    args.extend(peers.iter().flat_map(|peer| ["--peer", peer.as_str()]));
    let start = Instant::now();
    let run = putnam(&args).expect(0);
    assert!(start.elapsed() < Duration::from_secs(60));
    assert!(run.stdout.contains("  failing: exit code 7: out of cheese\n"), "{}", run.stdout);
    assert!(run.stdout.contains("  killed: ended by signal 11\n"), "{}", run.stdout);
    let value = json(&output);
    for (solver, answer) in [
        ("putnam", "satisfiable"),
        ("killed", "crash"),
        ("failing", "crash"),
        ("torn", "unknown"),
        ("silent", "unknown"),
        ("hanging", "time-out"),
    ] {
        assert_eq!(answers(&value, solver), [answer], "{solver}");
    }
}

#[test]
fn answers_are_read_as_solvers_write_them() {
    let folder = Folder::new();
    let formula = folder.write("a.cnf", SAT);
    for body in [
        "printf 'c x\\r\\ns SATISFIABLE\\r\\nv 1 -2\\r\\nv 3 0\\r\\n'; exit 10",
        "echo SATISFIABLE; echo 'v 1'; echo 'v -2 3'; echo 'v 0'",
        "printf '\\033[1ms SATISFIABLE\\033[0m\\nv 1 -2 3 0\\n'; exit 10",
        "echo 'SAT'; echo '1 -2 3 0'; exit 10",
    ] {
        let peer = format!("other={} {{cnf}}", folder.script("other", body));
        let output = folder.arg("result.json");
        putnam(&["crosscheck", &formula, "--peer", &peer, "--only", "other", "--json", &output]).expect(0);
        let value = json(&output);
        assert_eq!(value[0]["answers"][1]["answer"], "satisfiable", "{body}");
        assert_eq!(value[0]["answers"][1]["model"], "correct", "{body}");
    }
}

#[test]
fn what_cannot_be_run_or_read_is_said() {
    let folder = Folder::new();
    let formula = folder.write("a.cnf", SAT);
    putnam(&["crosscheck"]).expect(2);
    putnam(&["crosscheck", &formula, "--peer", "nonsense"]).expect(2);
    putnam(&["crosscheck", &formula, "--peer", "x=/no/such/program {cnf}"]).expect(2);
    putnam(&["crosscheck", &formula, "--only", "no-such-peer"]).expect(2);
    putnam(&["crosscheck", folder.path("empty").to_str().unwrap()]).expect(1);
    // The other files are done all the same.
    let bad = folder.write("bad.cnf", "p cnf 1 1\nx 0\n");
    let peer = format!("other={PUTNAM} solve {{cnf}}");
    let run = putnam(&["crosscheck", &bad, &formula, "--peer", &peer, "--only", "other"]).expect(1);
    assert!(run.stderr.contains("bad.cnf:2:1"), "{}", run.stderr);
    assert!(run.stdout.contains("1 file, 2 verdicts"), "{}", run.stdout);
}

#[test]
fn without_other_solvers_there_is_a_note() {
    let folder = Folder::new();
    let formula = folder.write("a.cnf", SAT);
    let run = Run::from(command(&["crosscheck", &formula]).env("PATH", folder.arg("")).output().unwrap()).expect(0);
    assert!(run.stdout.contains("not installed: minisat, cadical"), "{}", run.stdout);
    assert!(run.stdout.contains("no other solver to compare with"), "{}", run.stdout);
}

#[test]
fn an_interrupt_ends_the_peers_too() {
    let folder = Folder::new();
    let formula = folder.write("a.cnf", SAT);
    let marker = folder.arg("pid");
    let peer = format!("hanging={} {{cnf}}", folder.script("hanging", &format!("echo $$ > {marker}; sleep 1000")));
    let child = spawn(&mut command(&["crosscheck", &formula, "--peer", &peer, "--only", "hanging"]));
    let start = Instant::now();
    let pid = loop {
        assert!(start.elapsed() < Duration::from_secs(60));
        if let Ok(pid) = fs::read_to_string(&marker).unwrap_or_default().trim().parse::<i32>() {
            break Pid::from_raw(pid).unwrap();
        }
        thread::sleep(Duration::from_millis(10));
    };
    kill_process(Pid::from_child(&child), Signal::TERM).unwrap();
    let run = Run::from(child.wait_with_output().unwrap()).expect(1);
    assert!(run.stdout.contains("interrupted before all files were done"), "{}", run.stdout);
    assert!(rustix::process::test_kill_process(pid).is_err(), "the peer is still running");
}

#[test]
fn a_pipe_is_read_when_somebody_writes_to_it() {
    let folder = Folder::new();
    let pipe = folder.path("pipe.cnf");
    rustix::fs::mknodat(rustix::fs::CWD, &pipe, rustix::fs::FileType::Fifo, rustix::fs::Mode::RWXU, 0).unwrap();
    let args = ["crosscheck", &folder.arg("pipe.cnf"), "--peer", "none=false {cnf}", "--only", "none", "--time-limit"];
    let run = putnam(&[&args[..], &["0.3"]].concat()).expect(1);
    let all = run.stdout + &run.stderr;
    assert!(all.contains("pipe.cnf: this is no file, and no formula came in 0.3 s"), "{all}");
    let child = spawn(&mut command(&[&args[..], &["20"]].concat()));
    std::fs::write(pipe, SAT).unwrap();
    let run = Run::from(child.wait_with_output().unwrap()).expect(0);
    assert!(run.stdout.contains("\n1 file, "), "{}", run.stdout);
}

#[test]
fn pipes_in_a_folder_are_not_read() {
    let folder = Folder::new();
    folder.write("a.cnf", SAT);
    let pipe = folder.path("pipe.cnf");
    rustix::fs::mknodat(rustix::fs::CWD, pipe, rustix::fs::FileType::Fifo, rustix::fs::Mode::RWXU, 0).unwrap();
    let run = putnam(&["crosscheck", &folder.arg(""), "--peer", "none=false {cnf}", "--only", "none"]).expect(0);
    assert!(run.stdout.contains("\n1 file, "), "{}", run.stdout);
}
