//! `solve --simplify-only` and `extend`: what is left of a formula, and the way back from its models.

use crate::support::{Folder, files, name, pigeons, putnam, putnam_with};
use std::fs;

/// Variables 1 and 2 are equivalent, 3 is an AND gate, and the pairs of 4 to 9 are products of literals.
fn small() -> String {
    let mut text = "p cnf 12 0\n1 -2 0\n-1 2 0\n-3 1 0\n-3 4 0\n3 -1 -4 0\n10 11 12 0\n-10 -11 0\n".to_owned();
    for a in 4..=9 {
        (a + 1..=9).for_each(|b| text += &format!("-{a} -{b} 0\n"));
    }
    text += "4 5 6 7 8 9 0\n3 10 0\n";
    let clauses = text.lines().count() - 1;
    text.replace("p cnf 12 0", &format!("p cnf 12 {clauses}"))
}

#[test]
fn models_come_back_from_simplified_formulas() {
    let folder = Folder::new();
    let (mut smaller, mut models) = (0, 0);
    for file in files("cnf") {
        let satisfiable = name(&file).contains(".sat.");
        if !satisfiable && !name(&file).ends_with(".cnf") {
            continue;
        }
        let (formula, small) = (file.to_str().unwrap(), folder.arg("small.cnf"));
        let run = putnam(&["solve", "--simplify-only", formula, "-o", &small, "-q"]);
        assert_eq!((run.stdout.as_str(), run.stderr.as_str()), ("", ""), "{formula}");
        let verdict = if satisfiable { 10 } else { 20 };
        assert!(run.code == Some(0) || run.code == Some(verdict), "{formula}: {:?}", run.code);
        let size = |path: &str| putnam(&["solve", "-v", "--conflict-limit", "0", "--no-model", path]).stdout;
        let clauses = |path: &str| -> u64 {
            let text = size(path);
            let line = text.lines().find(|line| line.starts_with("c clauses ")).unwrap_or_else(|| panic!("{text}"));
            line.rsplit(' ').next().unwrap().parse().unwrap()
        };
        smaller += u32::from(clauses(&small) < clauses(formula));
        let answer = putnam(&["solve", "-q", &small]).expect(verdict);
        let extended = putnam_with(&["extend", &folder.arg("small.cnf.reconstruction"), "-q"], &answer.stdout);
        let extended = extended.expect(verdict);
        if satisfiable {
            let model = folder.write("model", &extended.stdout);
            putnam(&["check", formula, "--model", &model, "-q"]).expect(0);
            models += 1;
        } else {
            assert_eq!(extended.stdout, "s UNSATISFIABLE\n");
        }
    }
    assert!(smaller > 10 && models > 15, "{smaller} {models}");
}

#[test]
fn the_simplified_formula_may_have_more_variables() {
    let folder = Folder::new();
    let formula = folder.write("f.cnf", pigeons(8));
    let reconstruction = folder.arg("way back");
    let simplify = ["solve", "--simplify-only", &formula, "--reconstruction", &reconstruction, "--rounds", "1"];
    let run =
        putnam(&[&simplify[..], &["--set", "eliminate=0", "--set", "pigeonhole=0", "--set", "factorsave=1"]].concat())
            .expect(0);
    let header = run.stdout.lines().find_map(|line| line.strip_prefix("p cnf ")).unwrap();
    let variables: u32 = header.split(' ').next().unwrap().parse().unwrap();
    assert!(variables > 72, "{header}");
    assert!(run.stdout.contains("c for models of the original: putnam extend "), "{}", run.stdout);
    putnam_with(&["solve"], &run.stdout).expect(20);
}

#[test]
fn answers_in_other_forms_are_taken() {
    let folder = Folder::new();
    let formula = folder.write("f.cnf", small());
    let simplified = folder.arg("s.cnf");
    putnam(&["solve", "--simplify-only", &formula, "-o", &simplified, "--rounds", "1", "-q"]);
    let back = folder.arg("s.cnf.reconstruction");
    let model = putnam(&["solve", &simplified, "-q"]).expect(10).model();
    let values: Vec<String> = model.iter().map(i32::to_string).collect();
    let minisat = format!("SAT\n{} 0\n", values.join(" "));
    let atoms: String =
        model.iter().map(|lit| format!("{} {}\n", lit.abs(), if *lit > 0 { 'T' } else { 'F' })).collect();
    for (answer, form) in [(minisat, "s SATISFIABLE\n"), (format!("{atoms}0\nthe rest"), "1 ")] {
        let run = putnam_with(&["extend", &back], &answer).expect(10);
        assert!(run.stdout.starts_with(form), "{}", run.stdout);
        let extended = folder.write("model", &run.stdout);
        putnam(&["check", &formula, "--model", &extended, "-q"]).expect(0);
        assert!(form != "1 " || run.stdout.ends_with("12 F\n0\nthe rest") || run.stdout.ends_with("12 T\n0\nthe rest"));
    }
    assert_eq!(putnam_with(&["extend", &back], "s UNSATISFIABLE\n").expect(20).stdout, "s UNSATISFIABLE\n");
    assert_eq!(putnam_with(&["extend", &back], "s UNKNOWN\n").expect(0).stdout, "s UNKNOWN\n");
    assert_eq!(putnam_with(&["extend", &back], "0\n").expect(20).stdout, "0\n");
    // The original moves.
    fs::rename(&formula, folder.path("moved.cnf")).unwrap();
    let answer = folder.write("answer", format!("s SATISFIABLE\nv {} 0\n", values.join(" ")));
    let run = putnam(&["extend", &back, &answer]).expect(1);
    assert!(run.stdout.is_empty() && run.stderr.contains("--formula"), "{}", run.stderr);
    putnam(&["extend", &back, &answer, "--formula", &folder.arg("moved.cnf")]).expect(10);
    putnam(&["extend", &back, &answer, "--no-check"]).expect(10);
}

#[test]
fn wrong_files_are_refused() {
    let folder = Folder::new();
    let formula = folder.write("f.cnf", small());
    let other = folder.write("other.cnf", "p cnf 2 1\n1 2 0\n");
    let (simplified, back) = (folder.arg("s.cnf"), folder.arg("s.cnf.reconstruction"));
    putnam(&["solve", "--simplify-only", &formula, "-o", &simplified, "--rounds", "1", "-q", "--set", "eliminate=0"]);
    let answer = putnam(&["solve", &simplified, "-q"]).expect(10).stdout;
    let refused = |args: &[&str], answer: &str, what: &str| {
        let run = putnam_with(args, answer).expect(1);
        assert!(run.stderr.contains(what) && run.stdout.is_empty(), "{what}: {}{}", run.stdout, run.stderr);
    };
    refused(&["extend", &formula], &answer, "no reconstruction file");
    refused(&["extend", &folder.arg("none")], &answer, "none");
    let text = fs::read_to_string(&back).unwrap();
    let cut = folder.write("cut", &text[..text.trim_end().rfind('\n').unwrap() + 1]);
    refused(&["extend", &cut], &answer, "the header promises");
    let damaged = folder.write("damaged", text.replacen(" 0 ", " x ", 1));
    refused(&["extend", &damaged], &answer, "`x` is neither 0 nor a literal");
    refused(&["extend", &back, "--formula", &other], &answer, "not the formula that was simplified");
    refused(&["extend", &back], "s SATISFIABLE\nv 1 2 3 99 0\n", "has variable 99");
    refused(&["extend", &back], "s SATISFIABLE\nv 1 -1 0\n", "has both");
    refused(&["extend", &back], "s SATISFIABLE\n", "has no values");
    refused(&["extend", &back], "nothing\n", "");
    // At most one of 4 to 9 is true in a model.
    refused(&["extend", &back], "s SATISFIABLE\nv 4 5 6 7 8 9 0\n", "this is no model of the simplified formula");
}

#[test]
fn usage_that_makes_no_sense_is_refused_and_files_are_kept() {
    let folder = Folder::new();
    let formula = folder.write("f.cnf", small());
    let refused = |args: &[&str], code: i32| {
        putnam(&[&["solve", "--simplify-only"], args].concat()).expect(code);
        assert_eq!(fs::read_to_string(&formula).unwrap(), small());
    };
    refused(&[&formula], 2);
    refused(&[&formula, "--all", "-o", &folder.arg("x")], 2);
    refused(&[&formula, "--engine", "dpll", "-o", &folder.arg("x")], 2);
    refused(&[&formula, "--reconstruction", "-"], 2);
    refused(&[&formula, "-o", &formula], 2);
    refused(&[&formula, "--reconstruction", &formula], 2);
    refused(&[&formula, "-o", &folder.arg("x"), "--reconstruction", &folder.arg("x")], 2);
    refused(&[&formula, "-o", &folder.arg("x"), "--reconstruction", &folder.arg("no/folder")], 1);
    let kept = folder.write("kept", "an earlier result");
    let bad = folder.write("bad.cnf", "p cnf 1 1\n1 x 0\n");
    putnam(&["solve", "--simplify-only", &bad, "-o", &kept, "--reconstruction", &kept.replace("kept", "other")])
        .expect(1);
    assert_eq!(fs::read_to_string(&kept).unwrap(), "an earlier result");
    // Formulas that simplification decides.
    let (small, back) = (folder.arg("small"), folder.arg("small.reconstruction"));
    let unsat = folder.write("u.cnf", "p cnf 2 4\n1 2 0\n-1 2 0\n1 -2 0\n-1 -2 0\n");
    putnam(&["solve", "--simplify-only", &unsat, "-o", &small]).expect(20);
    putnam(&["solve", &small]).expect(20);
    let easy = folder.write("e.cnf", "p cnf 3 2\n1 2 0\n-1 -3 0\n");
    putnam(&["solve", "--simplify-only", &easy, "-o", &small]).expect(10);
    let answer = putnam(&["solve", &small]).expect(10).stdout;
    putnam_with(&["extend", &back], answer).expect(10);
}
