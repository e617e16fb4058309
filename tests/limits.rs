//! Limits, signals, and readers that go away: what ends a command early.

use crate::support::{Folder, PUTNAM, Run, command, pigeons, putnam_with, spawn};
use rustix::process::{Pid, Signal, kill_process};
use std::fs;
use std::io::Read;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

const SAT: &str = "p cnf 4 3\n1 -2 0\n2 3 0\n-1 -3 0\n";
const UNSAT: &str = "p cnf 2 4\n1 2 0\n-1 2 0\n1 -2 0\n-1 -2 0\n";

#[test]
fn a_time_limit_at_the_start_gives_one_header_and_one_answer() {
    for _ in 0..10 {
        let run = putnam_with(&["solve", "--time-limit", "1e-300"], UNSAT);
        let lines = |start: &str| run.stdout.lines().filter(|line| line.starts_with(start)).count();
        assert_eq!((lines("c Putnam"), lines("s ")), (1, 1), "{}", run.stdout);
    }
}

#[test]
fn limits_end_the_search() {
    let start = Instant::now();
    let run = putnam_with(&["solve", "--time-limit", "0.3", "--set", "pigeonhole=0", "--set", "factor=0"], pigeons(12))
        .expect(0);
    assert!(start.elapsed() < Duration::from_secs(10));
    assert_eq!(run.verdict(), "UNKNOWN");
    assert!(run.stdout.contains("c no answer: time limit reached\n"), "{}", run.stdout);
    let run = putnam_with(&["solve", "--engine", "dpll", "--time-limit", "0.3"], pigeons(12)).expect(0);
    assert_eq!(run.verdict(), "UNKNOWN");
    let run = putnam_with(&["solve", "--memory-limit", "1K"], pigeons(9)).expect(0);
    assert!(run.stdout.contains("c no answer: memory limit reached\n"), "{}", run.stdout);
    for bad in ["-1", "x", "nan", "inf"] {
        putnam_with(&["solve", &format!("--time-limit={bad}")], SAT).expect(2);
    }
}

fn signal(child: &Child, signal: Signal) {
    kill_process(Pid::from_child(child), signal).unwrap();
}

#[test]
fn a_signal_ends_the_search_with_a_report() {
    for kind in [Signal::INT, Signal::TERM, Signal::HUP] {
        let folder = Folder::new();
        let (formula, proof) = (folder.write("formula.cnf", pigeons(12)), folder.arg("proof"));
        // Whoever runs the tests may have asked that they ignore a hangup.
        let mut command = Command::new("env");
        command.args([
            "--default-signal=HUP",
            PUTNAM,
            "solve",
            &formula,
            "-v",
            "--proof",
            &proof,
            "--set",
            "pigeonhole=0",
            "--set",
            "factor=0",
        ]);
        command.stdin(Stdio::null());
        let child = spawn(&mut command);
        // The search has begun when the proof is no longer empty.
        let start = Instant::now();
        while fs::metadata(&proof).map_or(0, |data| data.len()) == 0 {
            assert!(start.elapsed() < Duration::from_secs(60), "no proof is written");
            thread::sleep(Duration::from_millis(10));
        }
        signal(&child, kind);
        let run = Run::from(child.wait_with_output().unwrap()).expect(0);
        assert_eq!(run.verdict(), "UNKNOWN");
        assert!(run.stdout.contains("c no answer: interrupted\n"), "{}", run.stdout);
        assert!(run.stdout.contains("c conflicts "), "{}", run.stdout);
        let proof = fs::read_to_string(&proof).unwrap();
        assert!(proof.ends_with(" 0\n"), "the proof ends within a line: {:?}", &proof[proof.len() - 20..]);
    }
}

#[test]
fn a_hangup_is_ignored_where_that_was_asked_for() {
    let folder = Folder::new();
    let formula = folder.write("formula.cnf", pigeons(12));
    let mut nohup = Command::new("nohup");
    nohup
        .args([PUTNAM, "solve", &formula, "--time-limit", "1", "--set", "pigeonhole=0", "--set", "factor=0"])
        .stdin(Stdio::null());
    let child = spawn(&mut nohup);
    thread::sleep(Duration::from_millis(500));
    signal(&child, Signal::HUP);
    let run = Run::from(child.wait_with_output().unwrap()).expect(0);
    assert!(run.stdout.contains("c no answer: time limit reached\n"), "{}", run.stdout);
}

#[test]
fn a_conflict_limit_is_exact() {
    let conflicts = |limit: &str| {
        let arguments = ["solve", "-v", "--conflict-limit", limit, "--set", "pigeonhole=0"];
        let run = putnam_with(&arguments, pigeons(8)).expect(0);
        assert!(run.stdout.contains("c no answer: conflict limit reached\n"), "{}", run.stdout);
        run.stdout.lines().find_map(|line| line.strip_prefix("c conflicts ")?.trim().parse().ok()).unwrap_or(0)
    };
    for limit in [0u32, 1, 2, 17, 60] {
        assert_eq!(conflicts(&limit.to_string()), limit);
    }
}

#[test]
fn a_signal_ends_the_wait_for_input() {
    let mut child = spawn(command(&["solve"]).stdin(Stdio::piped()));
    thread::sleep(Duration::from_millis(300));
    signal(&child, Signal::INT);
    let stdin = child.stdin.take();
    let run = Run::from(child.wait_with_output().unwrap()).expect(0);
    drop(stdin);
    assert_eq!(run.verdict(), "UNKNOWN");
    // The time limit holds for reading too.
    let mut child = spawn(command(&["solve", "--time-limit", "0.2"]).stdin(Stdio::piped()));
    let stdin = child.stdin.take();
    let run = Run::from(child.wait_with_output().unwrap()).expect(0);
    drop(stdin);
    assert!(run.stdout.contains("c no answer: time limit reached\n"), "{}", run.stdout);
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    let folder = Folder::new();
    let formula = folder.write("formula.cnf", "p cnf 1000000 1\n1000000 0\n");
    let mut child = spawn(&mut command(&["solve", &formula]));
    let mut few = [0; 100];
    child.stdout.take().unwrap().read_exact(&mut few).unwrap();
    let run = Run::from(child.wait_with_output().unwrap()).expect(10);
    assert_eq!(run.stderr, "");
    for args in [&["--help"][..], &["options"], &["peg", "boards"], &["peg", "encode", "triangle-15"]] {
        let mut child = spawn(&mut command(args));
        drop(child.stdout.take());
        let run = Run::from(child.wait_with_output().unwrap());
        assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""), "{args:?}");
    }
}
