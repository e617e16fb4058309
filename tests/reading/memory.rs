//! The command under a limit on its address space: text takes no memory, and clauses that do not fit are a clean message.

use std::io::Write;
use std::process::{Command, Output, Stdio};
use std::thread;

/// Runs `putnam solve -` with so many KiB of address space on `piece` over and over, and then `end`.
fn solve(kibibytes: u32, piece: &'static str, times: usize, end: &'static str) -> Output {
    let mut child = Command::new("sh")
        .args(["-c", &format!("ulimit -v {kibibytes}; exec \"$0\" solve -")])
        .arg(env!("CARGO_BIN_EXE_putnam-under-test"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    let feeder = thread::spawn(move || {
        let block = piece.repeat(1000);
        // The command may end before it has read everything; that is seen by what it says.
        let _ = (0..times / 1000).try_for_each(|_| input.write_all(block.as_bytes()));
        let _ = input.write_all(end.as_bytes());
    });
    let output = child.wait_with_output().unwrap();
    feeder.join().unwrap();
    output
}

const LIMIT: u32 = 256 << 10;

#[test]
fn text_takes_no_memory() {
    let comments = solve(
        LIMIT,
        "c a comment that is as long as this line and no longer, 12 -34 0\n",
        6_000_000,
        "p cnf 1 1\n1 0\n",
    );
    let text = String::from_utf8_lossy(&comments.stdout);
    assert_eq!(comments.status.code(), Some(10), "{text}{}", String::from_utf8_lossy(&comments.stderr));
    assert!(text.ends_with("s SATISFIABLE\nv 1 0\n"), "{text}");
}

#[test]
fn a_formula_that_does_not_fit_is_a_clean_error() {
    let clauses = solve(LIMIT, "1 -2 3 0 ", 40_000_000, "");
    let message = String::from_utf8_lossy(&clauses.stderr);
    assert_eq!(clauses.status.code(), Some(1), "{message}");
    assert!(message.contains("<stdin>:1: memory is exhausted after "), "{message}");
    assert!(clauses.stdout.is_empty(), "{}", String::from_utf8_lossy(&clauses.stdout));
}
