//! `putnam peg batch`: batches that are broken off, several boards, and the order of output.

use crate::support::{Folder, command, putnam, spawn};
use putnam_peg::{Problem, builtin};
use serde_json::Value;
use std::fs;
use std::time::{Duration, Instant};

/// Every start is solved by itself, with clauses that take a while.
const BATCH: [&str; 5] = ["peg", "batch", "triangle-15", "--encoding", "assignment"];

fn batch(more: &[&str]) -> Vec<String> {
    BATCH.iter().chain(more).map(|&word| word.to_owned()).collect()
}

fn run(args: &[String], code: i32) -> String {
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    putnam(&args).expect(code).stdout
}

/// The rows without their last column, the seconds.
fn timeless(csv: &str) -> Vec<&str> {
    csv.lines().map(|line| line.rsplit_once(',').unwrap().0).collect()
}

#[test]
fn a_killed_batch_goes_on_where_it_was() {
    let folder = Folder::new();
    let (rows, path) = (folder.path("rows"), folder.arg("rows"));
    let args = batch(&["--csv", "-", "--resume", &path, "--threads", "1"]);
    let words: Vec<&str> = args.iter().map(String::as_str).collect();
    let mut child = spawn(&mut command(&words));
    let lines = |text: &str| text.matches('\n').count();
    let began = Instant::now();
    while lines(&fs::read_to_string(&rows).unwrap_or_default()) < 2 {
        assert!(began.elapsed() < Duration::from_secs(300), "no rows");
        assert_eq!(child.try_wait().unwrap(), None, "the batch ended before it could be killed");
        std::thread::sleep(Duration::from_millis(2));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let killed = fs::read_to_string(&rows).unwrap();
    assert!((2..15).contains(&lines(&killed)), "{} rows when it was killed", lines(&killed));
    // What was being written when it was killed.
    let whole = &killed[..=killed.rfind('\n').unwrap()];
    fs::write(&rows, format!("{whole}{{\"peg-batch\":\"12")).unwrap();
    let resumed = run(&args, 0);
    let complete = fs::read_to_string(&rows).unwrap();
    assert!(complete.starts_with(whole), "a row was lost");
    assert_eq!(lines(&complete), 15);
    let fresh = run(&batch(&["--csv", "-"]), 0);
    assert_eq!(timeless(&resumed), timeless(&fresh));
    // Nothing is left to do: even the seconds are those of the first time.
    assert_eq!(run(&args, 0), resumed);
    assert_eq!(fs::read_to_string(&rows).unwrap(), complete);
}

#[test]
fn rows_are_replayed_and_belong_to_their_problem() {
    let folder = Folder::new();
    let path = folder.arg("rows");
    let args = ["peg", "batch", "triangle-10", "--starts", "1-3", "--csv", "-", "--resume", &path];
    putnam(&args).expect(0);
    let text = fs::read_to_string(&path).unwrap();
    // Another goal is another problem; its rows come behind.
    let finish = putnam(&[&args[..], &["--finish", "1"]].concat()).expect(0).stdout;
    assert_eq!(timeless(&finish), timeless(&putnam(&[&args[..7], &["--finish", "1"]].concat()).expect(0).stdout));
    assert!(fs::read_to_string(&path).unwrap().len() > text.len());
    // A plan that cannot be made is no plan.
    let (before, plan) = text.split_once("\"plan\":[[").unwrap();
    let (_, rest) = plan.split_once(']').unwrap();
    fs::write(&path, format!("{before}\"plan\":[[1,2,3]{rest}")).unwrap();
    let refused = putnam(&args).expect(1).stderr;
    assert!(refused.contains("rows:") && refused.contains("not a solution"), "{refused}");
    // A file of something else stays as it is, with or without a line end.
    for other in ["10 2\n1 2 3\n", "10 2", "{\"a\":1}\n"] {
        fs::write(&path, other).unwrap();
        let refused = putnam(&args).expect(1).stderr;
        assert!(refused.contains("rows:1:1: this is no row"), "{refused}");
        assert_eq!(fs::read_to_string(&path).unwrap(), other);
    }
}

#[test]
fn what_a_limit_broke_off_is_kept_for_this_limit_alone() {
    let folder = Folder::new();
    let path = folder.arg("rows");
    let args = ["peg", "batch", "english", "--starts", "17", "--csv", "-", "--resume", &path, "--conflict-limit"];
    let few = [&args[..], &["1"]].concat();
    assert!(putnam(&few).expect(1).stdout.contains("17,unknown,"));
    let text = fs::read_to_string(&path).unwrap();
    putnam(&few).expect(1);
    assert_eq!(fs::read_to_string(&path).unwrap(), text);
    putnam(&[&args[..], &["2"]].concat()).expect(1);
    assert_eq!(fs::read_to_string(&path).unwrap().lines().count(), 2);
    let began = Instant::now();
    let timed = putnam(&["peg", "batch", "triangle:12", "--starts", "1", "--csv", "-", "--time-limit", "0.2"]);
    assert!(began.elapsed() < Duration::from_secs(60));
    assert!(timed.expect(1).stdout.contains("1,unknown,"));
}

#[test]
fn several_boards_and_any_number_of_threads() {
    let folder = Folder::new();
    let json = folder.arg("json");
    let args = ["peg", "batch", "triangle-10", "fano", "rectangle:1x4", "--csv", "-", "--json", &json, "--threads"];
    let run = |threads: &str| putnam(&[&args[..], &[threads]].concat()).expect(0).stdout;
    let one = run("1");
    let lines = timeless(&one);
    assert_eq!(lines.len(), 1 + 10 + 7 + 4);
    assert_eq!(lines[0], "board,start,verdict,jumps,conflicts");
    assert!(lines[11].starts_with("fano-7,1,solved,5,"), "{}", lines[11]);
    for threads in ["0", "2", "1000000"] {
        assert_eq!(timeless(&run(threads)), lines);
    }
    let value: serde_json::Value = serde_json::from_str(&fs::read_to_string(&json).unwrap()).unwrap();
    assert_eq!(value[2]["starts"].as_array().unwrap().len(), 4);
    let table = putnam(&["peg", "batch", "triangle-10", "fano"]).expect(0).stdout;
    assert!(table.contains("\n\nfano-7\nstart  "), "{table}");
    // A board that does not have the start is refused before anything is solved.
    putnam(&["peg", "batch", "triangle-10", "fano", "--starts", "10"]).expect(1);
}

const MATRIX: [&str; 6] = ["peg", "batch", "triangle-15", "--finishes", "all", "--csv"];

#[test]
fn every_start_with_every_finish() {
    let folder = Folder::new();
    let (csv, json) = (folder.arg("csv"), folder.arg("json"));
    let text = putnam(&[&MATRIX[..], &[&csv, "--json", &json]].concat()).expect(0).stdout;
    let setup = builtin("triangle-15").unwrap().setup();
    let problem = Problem::new(setup.board.into(), setup.start);
    let mut expected = String::from("start,finish,verdict,jumps,conflicts\n");
    let mut solved = 0;
    for (start, finish) in (1..=15).flat_map(|start| (1..=15).map(move |finish| (start, finish))) {
        let solvable = problem.with_finish(finish).with_vacancy(start).count().unwrap() > 0;
        expected += &format!("{start},{finish},{},\n", if solvable { "solved,13" } else { "no solution," });
        solved += usize::from(solvable);
    }
    let rows = fs::read_to_string(&csv).unwrap();
    for (row, expected) in timeless(&rows).iter().zip(expected.lines()).skip(1) {
        assert!(row.starts_with(expected), "{row}: {expected}");
    }
    assert_eq!(rows.lines().count(), 226);
    // A picture for each of the four starts that are different, and what is known of all.
    assert_eq!(text.matches("start ").count(), 4, "{text}");
    assert!(text.contains("\n225 problems, ") && text.contains(&format!(": {solved} solved, ")), "{text}");
    let value: Value = serde_json::from_str(&fs::read_to_string(&json).unwrap()).unwrap();
    let marks: String = (1..=15).map(|start| value["matrix"][&start.to_string()].as_str().unwrap()).collect();
    assert_eq!(marks.matches('o').count(), solved);
    assert_eq!(value["problems"].as_array().unwrap().len(), 225);
    // The order does not depend on the threads; certain clauses are taken for every problem by itself.
    let csv = |board: &str, more: &[&str]| {
        let args = ["peg", "batch", board, "--finishes", "all", "--csv", "-"];
        putnam(&[&args[..], more].concat()).expect(0).stdout
    };
    assert_eq!(timeless(&csv("triangle-15", &["--threads", "1"])), timeless(&rows));
    let verdicts = |csv: &str| -> Vec<String> {
        csv.lines().map(|line| line.split(',').take(4).collect::<Vec<_>>().join(",")).collect()
    };
    let each = csv("triangle-10", &["--encoding", "assignment", "--starts", "2,5"]);
    assert_eq!(verdicts(&each), verdicts(&csv("triangle-10", &["--starts", "2,5"])));
    putnam(&["peg", "batch", "triangle-10", "--finishes", "all", "--finish", "2"]).expect(2);
    putnam(&["peg", "batch", "triangle-10", "--finishes", "2"]).expect(2);
    let fano = putnam(&["peg", "batch", "fano", "rectangle:1x4", "--finishes", "all"]).expect(0).stdout;
    assert!(fano.contains("fano-7\n") && fano.contains("rectangle:1x4\nHow many finishes"), "{fano}");
    assert!(csv("fano", &[]).starts_with("start,finish,verdict,jumps,conflicts,seconds\n1,1,"));
}

#[test]
fn a_killed_matrix_goes_on_where_it_was() {
    let folder = Folder::new();
    let (rows, path) = (folder.path("rows"), folder.arg("rows"));
    let args = [&MATRIX[..], &["-", "--resume", &path, "--threads", "1"]].concat();
    let mut child = spawn(&mut command(&args));
    let lines = |text: &str| text.matches('\n').count();
    let known = || fs::read_to_string(&rows).unwrap_or_default();
    let began = Instant::now();
    while known().matches("\"solved\"").count() < 2 {
        assert!(began.elapsed() < Duration::from_secs(300), "no rows");
        assert_eq!(child.try_wait().unwrap(), None, "the batch ended before it could be killed");
        std::thread::sleep(Duration::from_millis(2));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let killed = known();
    let whole = &killed[..=killed.rfind('\n').unwrap()];
    let resumed = putnam(&args).expect(0).stdout;
    let complete = known();
    assert!(complete.starts_with(whole), "a row was lost");
    assert!(lines(&complete) > lines(whole), "it was killed at the end");
    assert_eq!(timeless(&resumed), timeless(&putnam(&[&MATRIX[..], &["-"]].concat()).expect(0).stdout));
    assert_eq!(putnam(&args).expect(0).stdout, resumed);
    assert_eq!(known(), complete);
    // The rows of one finish are those of the matrix.
    let one = ["peg", "batch", "triangle-15", "--starts", "1", "--csv", "-", "--resume", &path, "--finish", "1"];
    assert!(putnam(&one).expect(0).stdout.contains("\n1,solved,13,"));
    assert_eq!(known(), complete);
}

#[test]
fn a_matrix_under_limits() {
    let folder = Folder::new();
    let path = folder.arg("rows");
    let args = ["peg", "batch", "triangle-15", "--finishes", "all", "--starts", "4", "--csv", "-", "--resume", &path];
    let few = putnam(&[&args[..], &["--conflict-limit", "1"]].concat()).expect(1).stdout;
    assert!(few.contains(",unknown,"), "{few}");
    let text = putnam(&[&args[..5], &["--starts", "4", "--conflict-limit", "1"]].concat()).expect(1).stdout;
    assert!(text.contains("? unknown"), "{text}");
    // Without the limit they are searched again, and all is known.
    assert!(!putnam(&args).expect(0).stdout.contains(",unknown,"));
    let began = Instant::now();
    let timed = ["peg", "batch", "triangle:12", "--finishes", "all", "--starts", "1", "--time-limit", "0.05"];
    assert!(putnam(&timed).expect(1).stdout.contains("? unknown"));
    assert!(began.elapsed() < Duration::from_secs(120));
}

#[test]
fn fewest_moves_from_every_start() {
    let folder = Folder::new();
    let path = folder.arg("rows");
    let args = ["peg", "batch", "triangle-10", "--fewest", "moves", "--resume", &path];
    let first = putnam(&args).expect(0).stdout;
    let last = |text: &str| text.lines().last().unwrap().to_owned();
    assert_eq!(last(&first), "best: 5 moves from start 2; of all these starts none does with fewer");
    assert!(
        first.contains("  5 moves, the fewest\n") && first.contains("  5 moves, the fewest  by symmetry from "),
        "{first}"
    );
    let rows = fs::read_to_string(&path).unwrap();
    // The second time nothing is solved, and everything is known.
    let second = putnam(&args).expect(0).stdout;
    assert_eq!(second.matches(" moves, the fewest").count(), first.matches(" moves, the fewest").count());
    assert_eq!(fs::read_to_string(&path).unwrap(), rows);
    // Steps are something else.
    let steps = putnam(&["peg", "batch", "triangle-10", "--fewest", "steps", "--resume", &path]).expect(0).stdout;
    assert!(last(&steps).contains(" steps from start "), "{steps}");
    putnam(&["peg", "batch", "triangle-10", "--fewest", "moves", "--finishes", "all"]).expect(2);
}
