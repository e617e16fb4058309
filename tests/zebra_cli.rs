//! The commands for zebra puzzles through the binary: what they print and how they end, for good and for bad input.

use crate::support::{Folder, Run, putnam, putnam_with};
use serde_json::Value;

/// Three houses; one solution; clue 3 follows from the others.
const PETS: &str = "house: 1..3
name: Ann, Ben, Cleo
pet: cat, dog, fish
clues:
1. Ann lives next to the dog.
2. The cat is somewhere to the left of Ben.
3. Ben is not in house 1.
4. Cleo lives in the middle house.
ask: name of fish
";

/// Every command that reads a puzzle; `hint` and the others need nothing besides.
const READERS: [&str; 7] = ["solve", "lint", "explain", "hint", "rate", "deduce", "encode"];

fn zebra(command: &str, puzzle: &str, options: &[&str]) -> Run {
    putnam_with(&[&["zebra", command, "-"], options].concat(), puzzle)
}

fn json(run: &Run) -> Value {
    serde_json::from_str(&run.stdout).unwrap_or_else(|error| panic!("{error}:\n{}", run.stdout))
}

#[test]
fn every_command_has_help_and_refuses_unknown_options() {
    for command in READERS.into_iter().chain(["generate", "decode"]) {
        let help = putnam(&["zebra", command, "--help"]).expect(0);
        assert!(help.stdout.contains("Usage: "), "{command}: {}", help.stdout);
        let run = putnam(&["zebra", command, "--no-such-option"]).expect(2);
        assert!(run.stderr.contains("--no-such-option"), "{command}: {}", run.stderr);
        assert_eq!(run.stdout, "", "{command}");
    }
}

#[test]
fn every_command_says_where_a_puzzle_is_wrong() {
    let wrong = PETS.replace("Ann lives next", "Ann hardly lives next");
    for command in READERS {
        let run = zebra(command, &wrong, &[]).expect(1);
        let expected = "<stdin>:5:8: 'hardly' is not understood here, and it could change the meaning\n  \
                        | 1. Ann hardly lives next to the dog.\n  |        ^\n";
        assert!(run.stderr.ends_with(expected), "{command}: {}", run.stderr);
        assert_eq!(run.stdout, "", "{command}");
        let run = putnam(&["zebra", command, "no-such-puzzle"]).expect(1);
        assert!(run.stderr.contains("built in are: zebra, "), "{command}: {}", run.stderr);
        let run = zebra(command, "{ \"categories\": [", &[]).expect(1);
        assert!(run.stderr.contains("<stdin>:1:"), "{command}: {}", run.stderr);
    }
}

#[test]
fn solve_prints_the_grid_and_whether_it_is_the_only_one() {
    let run = zebra("solve", PETS, &[]).expect(10);
    assert!(run.stdout.contains("1      Ann   cat\n2      Cleo  dog\n3      Ben   fish\n"), "{}", run.stdout);
    assert!(run.stdout.ends_with("name of fish: Ben\nThis is the only solution.\n"), "{}", run.stdout);

    let several = PETS.replace("1. Ann lives next to the dog.\n", "");
    let run = zebra("solve", &several, &[]).expect(10);
    assert!(run.stdout.contains("There are other solutions. This one differs in"), "{}", run.stdout);

    let none = PETS.replace("4. Cleo lives in the middle house.", "4. The cat is in house 3.");
    let run = zebra("solve", &none, &[]).expect(20);
    let clash = "No grid satisfies all clues.\nThese have no solution together, but any of them left out they have one:\n\
                 2. The cat is somewhere to the left of Ben.\n4. The cat is in house 3.\n";
    assert!(run.stdout.ends_with(clash), "{}", run.stdout);

    let run = zebra("solve", PETS, &["--show", "json"]).expect(10);
    assert!(run.stdout.contains("\"fish\""), "{}", run.stdout);
}

#[test]
fn solutions_are_listed_and_counted() {
    let run = putnam(&["zebra", "solve", "axioms-as-printed", "--all", "--show", "json"]).expect(10);
    let value = json(&run);
    assert_eq!((&value["count"], &value["all"]), (&7.into(), &true.into()));
    let solutions = value["solutions"].as_array().unwrap();
    assert_eq!(solutions.iter().map(ToString::to_string).collect::<std::collections::HashSet<_>>().len(), 7);
    let run = putnam(&["zebra", "solve", "axioms-as-printed", "--all", "--limit", "2"]).expect(10);
    assert_eq!(run.stdout.matches("Solution ").count(), 2);
    assert!(run.stdout.ends_with("More than 2 solutions.\n"), "{}", run.stdout);
    let run = putnam(&["zebra", "solve", "axioms-as-printed", "--all", "--limit", "7"]).expect(10);
    assert!(run.stdout.ends_with("\n7 solutions.\n"), "{}", run.stdout);
    let run = zebra("solve", PETS, &["--all"]).expect(10);
    assert!(run.stdout.ends_with("This is the only solution.\n"), "{}", run.stdout);
    let none = PETS.replace("4. Cleo lives in the middle house.", "The cat is in house 3.");
    let run = zebra("solve", &none, &["--all"]).expect(20);
    assert!(run.stdout.starts_with("No grid satisfies all clues.\n"), "{}", run.stdout);
    putnam(&["zebra", "solve", "zebra", "--all", "--limit", "0"]).expect(2);
    putnam(&["zebra", "solve", "zebra", "--limit", "2"]).expect(2);
    putnam(&["peg", "solve", "triangle-15", "--all"]).expect(2);
}

#[test]
fn lint_echoes_the_clues_and_names_what_is_wrong() {
    let run = zebra("lint", PETS, &[]).expect(10);
    let echo = "1. Ann lives next to the dog.\n   Ann is next to dog.\n   |Ann - dog| = 1 in house\n";
    assert!(run.stdout.starts_with(echo), "{}", run.stdout);
    assert!(run.stdout.ends_with("exactly one solution\nclue 3 follows from the others\n"), "{}", run.stdout);

    let none = PETS.replace("4. Cleo lives in the middle house.", "4. The cat is in house 3.");
    let run = zebra("lint", &none, &["--all-mus"]).expect(20);
    let clash = "no solution\nthese clues clash, and none of them can be spared for that: 2, 4\n";
    assert!(run.stdout.ends_with(clash), "{}", run.stdout);

    let unused = PETS.replace("4. Cleo lives in the middle house.\n", "");
    let run = zebra("lint", &unused, &[]).expect(0);
    assert!(run.stdout.contains("named in no clue: name:Cleo\nseveral solutions\n"), "{}", run.stdout);
}

#[test]
fn what_lint_writes_is_a_puzzle_with_the_same_solution() {
    let whole = zebra("solve", PETS, &["--show", "json"]).expect(10).stdout;
    for form in ["--canonical", "--strict"] {
        let written = zebra("lint", PETS, &[form]).expect(0).stdout;
        assert_eq!(zebra("solve", &written, &["--show", "json"]).expect(10).stdout, whole, "{written}");
        assert_eq!(zebra("lint", &written, &[form]).expect(0).stdout, written);
    }
    zebra("lint", PETS, &["--canonical", "--strict"]).expect(2);
}

#[test]
fn explanations_end_with_the_grid_and_hints_are_their_beginning() {
    let run = zebra("explain", PETS, &["--json"]).expect(10);
    let value = json(&run);
    assert_eq!(value["complete"], true);
    assert!(value["steps"].as_array().is_some_and(|steps| !steps.is_empty()));
    assert!(!zebra("explain", PETS, &[]).expect(10).stdout.is_empty());

    let several = PETS.replace("1. Ann lives next to the dog.\n", "");
    let run = zebra("explain", &several, &[]).expect(0);
    assert!(run.stdout.contains("several grids are possible"), "{}", run.stdout);

    let folder = Folder::new();
    let state = folder.write("state.txt", "Ann = house:1 # sure\n");
    assert!(!zebra("hint", PETS, &["--from", &state]).expect(10).stdout.is_empty());
    let wrong = folder.write("wrong.txt", "Ben = fish\nAnn = house:2\n");
    let run = zebra("hint", PETS, &["--from", &wrong]).expect(20);
    assert!(run.stdout.contains("Ann"), "{}", run.stdout);
    let unread = folder.write("unread.txt", "Ann = fsh\n");
    let run = zebra("hint", PETS, &["--from", &unread]).expect(1);
    assert!(run.stderr.contains("unread.txt:1:7: there is no value with this name"), "{}", run.stderr);
}

#[test]
fn ratings_are_words_and_numbers() {
    let run = zebra("rate", PETS, &["--json"]).expect(0);
    assert_eq!(json(&run)["complete"], true);
    assert!(zebra("rate", PETS, &[]).expect(0).stdout.contains("score"));
}

#[test]
fn the_procedure_of_the_1970s_finds_who_drinks_water_and_with_cases_who_owns_the_zebra() {
    let deduce = |puzzle: &str, options: &[&str]| {
        let run = putnam(
            &[&["zebra", "deduce", puzzle, "-q", "--prover", "unit", "--rules", "R1,R2,R3,R4"], options].concat(),
        );
        run.expect(0).stdout
    };
    let water = deduce("axioms-corrected", &[]);
    assert!(water.starts_with("7 positive facts, 69 of 125 atoms, "), "{water}");
    assert!(water.ends_with("nationality of water nor\nnationality of zebra not established\n"), "{water}");
    let all = deduce("axioms-corrected", &["--cases", "splits"]);
    assert!(all.starts_with("25 positive facts, 125 of 125 atoms, "), "{all}");
    let ends = "case: jap(2) | jap(3) | jap(4) | jap(5)\nnationality of water nor\nnationality of zebra jap\n";
    assert!(all.ends_with(ends), "{all}");
    for (cases, count) in [("literals", 4), ("two-way", 2)] {
        let all = deduce("axioms-corrected", &["--cases", cases]);
        assert!(all.contains(" 125 of 125 atoms, ") && all.matches("case: ").count() == count, "{all}");
    }
    let printed = deduce("axioms-as-printed", &[]);
    let missing = "clue 6 says nothing of an end of the row: }green(1) is missing\n\
                   clue 6 says nothing of an end of the row: }ivory(5) is missing\n\
                   with all of the grid's rules the axioms have 7 solutions\n\
                   with }green(1) they have 1 solution\nwith }ivory(5) they have 1 solution\n";
    assert!(printed.starts_with("3 positive facts, ") && printed.ends_with(missing), "{printed}");

    let traced = putnam(&["zebra", "deduce", "zebra"]).expect(0).stdout;
    let trace = "ROUND 1\n  proved    }green(1)\n  proved    }ivory(5)\n";
    assert!(traced.starts_with(trace) && traced.contains("\n  by R3     blue(2)\nROUND 2\n"), "{traced}");
    let spare = PETS.replace("pet: cat, dog, fish", "pet [spare]: cat, dog, fish, emu");
    let summary = zebra("deduce", &spare, &["-q", "--rules", "R1,R3,R6"]).expect(0).stdout;
    assert!(summary.contains("\nnot applied to pet, which has spare values: R3, R6\n"), "{summary}");
    let choir = putnam(&["zebra", "deduce", "choir", "-q", "--with", "exclusion,existence"]).expect(0).stdout;
    assert!(
        choir.contains("\nnot applied to voice, which has values that may come several times: R1, R3\n"),
        "{choir}"
    );
    assert!(choir.ends_with("Which dish did Fay order? omelette\n"), "{choir}");
    let run = zebra("deduce", &(PETS.to_owned() + "5. Cleo = house:1\n").replace("ask: name of fish\n", ""), &["-q"]);
    assert_eq!(run.expect(20).stdout, "the axioms contradict each other\n");
    putnam(&["zebra", "deduce", "zebra", "--rules", "R7"]).expect(2);
}

#[test]
fn generated_puzzles_are_unique_irredundant_and_the_same_for_the_same_seed() {
    let generate = |seed: &str| putnam(&["zebra", "generate", "--size", "5x4", "--seed", seed]).expect(0).stdout;
    let puzzle = generate("7");
    assert_eq!(puzzle, generate("7"));
    assert_ne!(puzzle, generate("8"));
    let run = zebra("lint", &puzzle, &[]).expect(10);
    assert!(run.stdout.ends_with("exactly one solution\n"), "{}", run.stdout);
    let next = putnam(&["zebra", "generate", "--size", "4x3", "--kinds", "same,next"]).expect(0).stdout;
    zebra("solve", &next, &[]).expect(10);

    for (size, code) in [("5", 2), ("5x", 2), ("2x2", 1), ("99x3", 1)] {
        putnam(&["zebra", "generate", "--size", size]).expect(code);
    }
    putnam(&["zebra", "generate", "--kinds", "odd"]).expect(2);
    let run = putnam(&["zebra", "generate", "--size", "6x3", "--kinds", "pairs"]);
    assert!(run.code == Some(1) && run.stderr.contains("allow more kinds") || run.code == Some(0), "{}", run.stderr);
}

#[test]
fn clauses_go_out_and_an_answer_comes_back() {
    let folder = Folder::new();
    let puzzle = folder.write("pets.txt", PETS);
    let clauses = putnam(&["zebra", "encode", &puzzle, "--format", "dimacs"]).expect(0).stdout;
    assert!(clauses.contains("c ") && clauses.contains(" cat(1)\n"), "{clauses}");
    let answer = putnam_with(&["solve", "-"], &clauses).expect(10).stdout;
    let run = putnam_with(&["zebra", "decode", &puzzle, "-"], &answer).expect(10);
    assert!(run.stdout.contains("2      Cleo  dog\n"), "{}", run.stdout);

    let names: Vec<i32> = ["cat(1)", "cat(2)"].iter().map(|name| number(&clauses, name)).collect();
    let flipped = answer.replacen(&format!(" {} ", names[0]), &format!(" -{} ", names[0]), 1);
    assert_ne!(flipped, answer);
    let run = putnam_with(&["zebra", "decode", &puzzle, "-"], &flipped);
    assert!(run.code.is_some_and(|code| code == 1 || code == 3), "{run:?}");
    assert!(run.stderr.contains("pet 'cat' is at 0 positions"), "{}", run.stderr);
    putnam_with(&["zebra", "decode", &puzzle, "-"], "s UNSATISFIABLE\n").expect(20);
    putnam_with(&["zebra", "decode", &puzzle, "-"], "nonsense\n").expect(1);
}

/// The variable with a name in a DIMACS file.
fn number(clauses: &str, name: &str) -> i32 {
    let line = clauses.lines().find(|line| line.ends_with(&format!(" {name}"))).unwrap_or_else(|| panic!("no {name}"));
    line.split(' ').nth(1).unwrap().parse().unwrap()
}
