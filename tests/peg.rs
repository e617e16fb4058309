//! The peg game: the assignment's checked answers and the pipeline of three programs.

use crate::support::{Folder, putnam, putnam_with};
use putnam_api::{Frontend as _, Problem as _, Settings};
use putnam_cdcl::Solver;
use putnam_dpll::Dpll;
use putnam_formula::{Engine, Limits, Outcome};
use putnam_peg::{Clauses, Goal, Peg, Position, Problem, Row, Search, Verdict, builtin, read, solve_start};
use std::sync::Arc;

const ENGINES: [fn() -> Box<dyn Engine>; 2] = [|| Box::new(Solver::new()), || Box::new(Dpll::new())];

fn problem(text: &str) -> Problem {
    let setup = read(text, "board").unwrap();
    Problem::new(Arc::new(setup.board), setup.start)
}

fn named(name: &str) -> Problem {
    let setup = builtin(name).unwrap().setup();
    Problem::new(Arc::new(setup.board), setup.start)
}

/// The jumps as the back end prints them, or none. The plan goes through the names of the atoms and is replayed.
fn answer(problem: &Problem, engine: &mut dyn Engine) -> Option<String> {
    let encoding = problem.encode();
    engine.declare(encoding.cnf.num_vars());
    encoding.cnf.clauses().for_each(|clause| engine.add_clause(clause));
    let model = match engine.solve(&[]) {
        Outcome::Satisfiable(model) => model,
        Outcome::Unsatisfiable { failed } => {
            assert!(failed.is_empty());
            return None;
        }
        Outcome::Unknown(reason) => panic!("{reason}"),
    };
    assert_eq!(model.falsified(&encoding.cnf), None);
    let direct = problem.decode(&model).unwrap();
    direct.verify().unwrap();
    let by_key = Peg.open_key(&encoding.symbols).unwrap().unwrap().decode(&model).unwrap();
    by_key.verify().unwrap();
    assert_eq!(direct.render("jumps"), by_key.render("jumps"));
    Some(by_key.render("jumps"))
}

#[test]
fn small_boards_have_the_assignments_answers() {
    for (text, expected) in [
        ("3 3\n1 2 3", Some("Jump(1,2,3,1)\n")),
        ("3 2\n1 2 3", None),
        ("4 1\n1 2 3", None),
        // One hole has no peg to be left; two holes have one from the start; three without triples have no jump.
        ("1 1", None),
        ("2 1", Some("")),
        ("3 1", None),
    ] {
        for optional in [true, false] {
            let mut problem = problem(text);
            problem.optional = optional;
            for engine in ENGINES {
                assert_eq!(answer(&problem, engine().as_mut()).as_deref(), expected, "{text:?}");
            }
            assert_eq!(problem.count(), Some(u128::from(expected.is_some())));
        }
    }
}

/// Solves all starts of a board; the verdicts must be those of the search.
fn batch(name: &str, engine: fn() -> Box<dyn Engine>) -> Vec<Row> {
    let mut problem = named(name);
    problem.clauses = Clauses::Assignment;
    let mut search = Search::new(&problem.board, Goal::OnePeg).unwrap();
    let holes = problem.board.holes();
    let solve = |hole: usize| {
        let row = solve_start(&problem, hole, engine().as_mut(), &Limits::default()).unwrap();
        let solvable = search.count(&Position::vacancy(holes, hole)).unwrap() > 0;
        assert_eq!(matches!(row.verdict, Verdict::Plan(_)), solvable, "{name} from {hole}");
        assert_eq!(matches!(row.verdict, Verdict::NoPlan(_)), !solvable, "{name} from {hole}");
        assert_eq!(row.jumps(), solvable.then_some(holes - 2));
        row
    };
    (1..=holes).map(solve).collect()
}

fn solved(rows: &[Row]) -> Vec<usize> {
    rows.iter().filter(|row| row.jumps().is_some()).map(|row| row.start).collect()
}

#[test]
fn every_start_of_the_triangle_of_10_by_both_engines() {
    for engine in ENGINES {
        assert_eq!(solved(&batch("triangle-10", engine)), [2, 3, 4, 6, 8, 9]);
    }
}

#[test]
fn every_start_of_the_triangle_of_15() {
    assert_eq!(solved(&batch("triangle-15", ENGINES[0])), (1..=15).collect::<Vec<_>>());
}

#[test]
fn every_start_of_a_board_without_geometry() {
    for engine in ENGINES {
        assert_eq!(solved(&batch("fano-7", engine)), [1, 2, 3, 6, 7]);
    }
}

#[test]
fn without_the_optional_clauses_the_verdicts_are_the_same() {
    for start in 1..=10 {
        let mut problem = named("triangle-10");
        problem.start = Position::vacancy(10, start);
        problem.optional = false;
        let solvable = problem.count().unwrap() > 0;
        assert_eq!(answer(&problem, &mut Solver::new()).is_some(), solvable);
    }
}

#[test]
fn every_finish_of_the_triangle_of_10() {
    for start in 1..=10 {
        for finish in 1..=10 {
            let mut problem = named("triangle-10");
            problem.start = Position::vacancy(10, start);
            problem.goal = Goal::PegIn(finish);
            assert_eq!(answer(&problem, &mut Solver::new()).is_some(), problem.count().unwrap() > 0);
        }
    }
}

#[test]
fn the_front_end_opens_built_ins_and_files_alike() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("board");
    let board = named("triangle-10").board;
    let mut text = "10 2\n".to_string();
    board.triples().iter().rev().for_each(|[a, b, c]| text += &format!("{a} {b} {c} \n"));
    std::fs::write(&path, text.trim_end()).unwrap();
    let mut settings = Settings::default();
    settings.set("start", "2");
    let file = Peg.open(path.to_str().unwrap(), &settings).unwrap().encode();
    let built_in = Peg.open("triangle-10", &settings).unwrap().encode();
    assert_eq!((file.cnf.num_vars(), file.cnf.num_clauses()), (234, 2_312));
    assert_eq!((built_in.cnf.num_vars(), built_in.cnf.num_clauses()), (234, 2_312));
}

#[test]
fn the_pipeline_of_three_programs_gives_the_assignments_answers() {
    let folder = tempfile::tempdir().unwrap();
    for (board, expected) in [
        ("3 3\n1 2 3", "Jump(1,2,3,1)\n"),
        ("3 2\n1 2 3\n", "NO SOLUTION\n"),
        ("4 1 \n1 2 3\n", "NO SOLUTION\n"),
        ("2 1", ""),
    ] {
        let path = folder.path().join("board");
        std::fs::write(&path, board).unwrap();
        let code = if expected.starts_with("NO") { 20 } else { 10 };
        let clauses = putnam(&["peg", "encode", path.to_str().unwrap()]).expect(0).stdout;
        let answer = putnam_with(&["solve", "-"], &clauses).expect(code).stdout;
        assert_eq!(putnam_with(&["peg", "decode"], &answer).expect(code).stdout, expected);
    }
}

#[test]
fn the_commands_of_the_peg_game() {
    assert!(putnam(&["peg", "boards", "rectangle:1x3"]).expect(0).stdout.contains(": 3 holes, 2 jumps\n"));
    assert!(putnam(&["peg", "boards", "rectangle:1x1"]).expect(0).stdout.contains(": 1 hole, 0 jumps\n"));
    let count = putnam(&["peg", "count", "triangle-15", "--all-starts"]).expect(0).stdout;
    assert!(count.ends_with("  all  438984\n"), "{count}");
    assert_eq!(putnam(&["peg", "count", "triangle-10", "--start", "2"]).expect(0).stdout, "14\n");
    assert_eq!(putnam(&["peg", "count", "triangle:4", "--start", "1"]).expect(0).stdout, "0\n");
    // Parity, in words.
    let none = putnam(&["peg", "solve", "european", "--start", "19", "--show", "text"]).expect(20).stdout;
    assert!(none.starts_with("NO SOLUTION: every jump keeps "), "{none}");
    // The plan of a board that the assignment's clauses hardly solve.
    let plan = putnam(&["peg", "solve", "english", "--start", "4"]).expect(10).stdout;
    assert_eq!(plan.lines().count(), 31);
    assert!(plan.lines().last().is_some_and(|line| line.ends_with(",31)")));
    // Starts that are the same by symmetry are solved once, or each when a user says by which clauses.
    let table = putnam(&["peg", "batch", "triangle-10", "--starts", "1-3"]).expect(0).stdout;
    assert!(table.contains("by symmetry from 2"), "{table}");
    let table =
        putnam(&["peg", "batch", "triangle-10", "--starts", "1-3", "--encoding", "assignment"]).expect(0).stdout;
    assert!(!table.contains("by symmetry"), "{table}");
    putnam(&["peg", "encode", "triangle-10", "--steps", "3"]).expect(1);
    let parallel = putnam(&["peg", "encode", "triangle-10", "--start", "2", "--encoding", "parallel"]).expect(0).stdout;
    let answer = putnam_with(&["solve", "-"], &parallel).expect(10).stdout;
    assert_eq!(putnam_with(&["peg", "decode"], &answer).expect(10).stdout.lines().count(), 8);
}

#[test]
fn certificates_are_checked_by_themselves() {
    let folder = Folder::new();
    let path = folder.arg("certificate");
    for (board, start, code, words, part, spoilt) in [
        ("triangle-15", "5", 10, ": a plan of 13 jumps\n", "\"start\":[1,", "\"start\":["),
        ("european", "19", 20, "no plan: every jump keeps ", "\"holes\":[", "\"holes\":[1,2,3,"),
        ("rectangle:1x3", "2", 20, "no plan: no jump is possible", "\"holes\":3", "\"holes\":4"),
    ] {
        putnam(&["peg", "solve", board, "--start", start, "--certificate", &path]).expect(code);
        let verified = putnam(&["peg", "verify", board, &path]).expect(0).stdout;
        assert!(verified.starts_with("VERIFIED from pegs in {") && verified.contains(words), "{verified}");
        putnam(&["peg", "verify", "english", &path]).expect(1);
        let text = std::fs::read_to_string(&path).unwrap();
        assert!(text.contains(part), "{text}");
        std::fs::write(&path, text.replace(part, spoilt)).unwrap();
        assert!(putnam(&["peg", "verify", board, &path]).expect(1).stderr.contains("NOT VERIFIED: "));
    }
    // A certificate of an older run is not left behind by one that gives none, and a board is not overwritten.
    putnam(&["peg", "solve", "english", "--conflict-limit", "1", "--certificate", &path]).expect(0);
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "");
    let board = folder.write("board", "3 3\n1 2 3\n");
    putnam(&["peg", "solve", &board, "--certificate", &board]).expect(2);
    assert_eq!(std::fs::read_to_string(&board).unwrap(), "3 3\n1 2 3\n");
    putnam(&["peg", "solve", "fano", "--certificate", "-"]).expect(2);
}

/// Where no short reason is known, the certificate has the clauses and a proof, and both belong to the board.
#[test]
fn certificates_of_clauses() {
    let folder = Folder::new();
    let (path, formula, proof) = (folder.arg("why"), folder.arg("why.cnf"), folder.arg("why.drat"));
    let solve =
        |args: &[&str], code| putnam(&[&["peg", "solve"], args, &["--certificate", &path]].concat()).expect(code);
    let verify = |board: &str, code| putnam(&["peg", "verify", board, &path]).expect(code);
    for (board, args) in [
        ("triangle-15", &["--start", "5", "--finish", "1"][..]),
        ("rectangle:3x4", &["--start", "5"]),
        ("rectangle:3x4", &["--start", "5", "--encoding", "assignment", "--no-optional"]),
        ("rectangle:3x4", &["--start", "5", "--encoding", "sequential"]),
        ("rectangle:3x4", &["--start", "5", "--finish", "same"]),
        ("triangle-10", &["--start", "2", "--finish", "4", "--engine", "dpll"]),
    ] {
        let args: Vec<&str> = [&[board], args].concat();
        let said = solve(&args, 20).stderr;
        assert!(said.contains("certificate: ") && said.contains(" kB)"), "{args:?}: {said}");
        let verified = verify(board, 0).stdout;
        assert!(verified.contains("no plan: a proof of "), "{verified}");
        putnam(&["check", &formula, &proof]).expect(0);
    }
    // The certificate of the first case again, spoilt in each of its parts.
    solve(&["triangle-15", "--start", "5", "--finish", "1"], 20);
    let [why, clauses, steps] = [&path, &formula, &proof].map(|path| std::fs::read(path).unwrap());
    let refused = |path: &str, spoilt: &[u8], words: &str| {
        let whole = std::fs::read(path).unwrap();
        std::fs::write(path, spoilt).unwrap();
        let said = verify("triangle-15", 1).stderr;
        assert!(said.contains("NOT VERIFIED: ") && said.contains(words), "{said}");
        std::fs::write(path, whole).unwrap();
    };
    let text = String::from_utf8(why).unwrap();
    refused(&path, text.replace("{\"peg_in\":1}", "{\"peg_in\":4}").as_bytes(), "not that of the board");
    refused(&path, text.replace("why.drat", "../why.drat").as_bytes(), "no file beside");
    refused(&path, text.replace("parallel", "serial").as_bytes(), "no encoding `serial`");
    refused(&formula, &clauses[..clauses.len() - 5], "");
    refused(&proof, b"a\0", "the proof of the clauses: ");
    refused(&proof, &steps[..steps.len() / 2], "");
    verify("triangle-15", 0);
    verify("triangle-10", 1);
    // A plan or a short reason needs no other files, and those of an older run go.
    solve(&["triangle-15"], 10);
    assert_eq!(folder.names(), ["why"]);
    solve(&["triangle-10", "--start", "1"], 20);
    assert_eq!(folder.names(), ["why"]);
    putnam(&["peg", "solve", "rectangle:3x4", "--start", "5", "-o", &folder.arg("out"), "--certificate", "-"])
        .expect(20);
}

#[test]
fn the_complement_as_the_goal() {
    let plan = putnam(&["peg", "solve", "english", "--finish", "same"]).expect(10).stdout;
    assert!(plan.lines().last().is_some_and(|line| line.contains(",17,31)")), "{plan}");
    for start in 1..=10 {
        let hole = start.to_string();
        let count =
            |finish: &str| putnam(&["peg", "count", "triangle-10", "--start", &hole, "--finish", finish]).expect(0);
        assert_eq!(count("same").stdout, count(&hole).stdout);
    }
    // In a batch it is the complement of each start.
    let table = putnam(&["peg", "batch", "triangle-15", "--finish", "same", "--csv", "-"]).expect(0).stdout;
    for (start, line) in (1..).zip(table.lines().skip(1)) {
        let mut problem = named("triangle-15").with_vacancy(start);
        problem.goal = Goal::PegIn(start);
        let word = if problem.count().unwrap() > 0 { "solved" } else { "no solution" };
        assert!(line.starts_with(&format!("{start},{word},")), "{line}");
    }
    putnam(&["peg", "count", "triangle-10", "--finish", "same", "--all-starts"]).expect(2);
    putnam(&["peg", "solve", "triangle-10", "--finish", "some"]).expect(1);
}
