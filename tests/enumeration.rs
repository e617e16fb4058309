//! `putnam solve --all`: every model once, limits, and what does not go with it.

use crate::support::{Run, pigeons, putnam_with};

/// Variables 1 and 2 are equal, 1 and 3 differ, 4 is free.
const SAT: &str = "p cnf 4 3\n1 -2 0\n2 3 0\n-1 -3 0\n";
const UNSAT: &str = "p cnf 2 4\n1 2 0\n-1 2 0\n1 -2 0\n-1 -2 0\n";

/// The models of `solve --all`: the numbers of each, sorted.
fn all_models(run: &Run) -> Vec<Vec<i32>> {
    let values = run.stdout.lines().filter_map(|line| line.strip_prefix('v'));
    let numbers: Vec<i32> = values.flat_map(str::split_ascii_whitespace).map(|word| word.parse().unwrap()).collect();
    let mut models: Vec<Vec<i32>> = numbers.split_inclusive(|&number| number == 0).map(<[i32]>::to_vec).collect();
    models.sort();
    let count = models.len();
    models.dedup();
    assert_eq!(models.len(), count, "two models are the same");
    models
}

#[test]
fn all_models_are_listed_once() {
    let run = putnam_with(&["solve", "--all", "-q"], SAT).expect(10);
    assert_eq!(run.verdict(), "SATISFIABLE");
    let expected = vec![vec![-1, -2, 3, -4, 0], vec![-1, -2, 3, 4, 0], vec![1, 2, -3, -4, 0], vec![1, 2, -3, 4, 0]];
    assert_eq!(all_models(&run), expected);
    assert!(run.stdout.ends_with("\nc complete: there are no other models\nc 4 models\n"), "{}", run.stdout);

    let run = putnam_with(&["solve", "--all", "--project", "3,1"], SAT).expect(10);
    assert_eq!(all_models(&run), [[-1, 3, 0], [1, -3, 0]]);
    let run = putnam_with(&["solve", "--all", "--assume", "2", "--no-model"], SAT).expect(10);
    assert!(run.stdout.ends_with("\nc 2 models\n") && all_models(&run).is_empty());
    let run = putnam_with(&["solve", "--all"], UNSAT).expect(20);
    assert_eq!(run.verdict(), "UNSATISFIABLE");
    assert!(run.stdout.ends_with("\nc complete: there are no other models\nc 0 models\n"));
    let run = putnam_with(&["solve", "--all", "--assume", "-3", "--assume", "-2"], SAT).expect(20);
    assert!(run.stdout.contains("c unsatisfiable under these of the assumptions: -3 -2\n"), "{}", run.stdout);
}

#[test]
fn enumeration_stops_at_limits() {
    let run = putnam_with(&["solve", "--all", "--limit", "5000"], "p cnf 100 1\n1 2 0\n").expect(10);
    assert_eq!(all_models(&run).len(), 5000);
    assert!(run.stdout.ends_with("\nc not complete: there may be more models than --limit allows\nc 5000 models\n"));
    let run = putnam_with(&["solve", "--all", "--conflict-limit", "3", "--set", "pigeonhole=0"], pigeons(8)).expect(0);
    assert_eq!(run.verdict(), "UNKNOWN");
    assert!(
        run.stdout.ends_with("\nc not complete: no answer: conflict limit reached\nc 0 models\n"),
        "{}",
        run.stdout
    );
    let run = putnam_with(&["solve", "--all", "--time-limit", "0.5", "--no-model"], "p cnf 60 1\n1 2 0\n").expect(10);
    assert!(run.stdout.contains("\nc not complete: no answer: time limit reached\nc "), "{}", run.stdout);
}

#[test]
fn what_does_not_go_with_all_is_refused() {
    for (extra, part) in [
        (&["--proof", "/dev/null"][..], "--proof and --check are for one refutation"),
        (&["--check"], "--proof and --check are for one refutation"),
        (&["--engine", "dpll"], "--all needs engine cdcl"),
        (&["--input", "assignment"], "the assignment's format has no form for more than one"),
        (&["--limit", "0"], "0 is not in 1.."),
    ] {
        let text = if extra.contains(&"assignment") { "1 2\n0\n" } else { SAT };
        let run = putnam_with(&[&["solve", "--all"], extra].concat(), text).expect(2);
        assert!(run.stderr.contains(part), "{}", run.stderr);
    }
    putnam_with(&["solve", "--limit", "3"], SAT).expect(2);
    let run = putnam_with(&["solve", "--all", "--project", "1,9"], SAT).expect(1);
    assert!(run.stderr.contains("--project 9: the formula has variables 1 to 4"), "{}", run.stderr);
}
