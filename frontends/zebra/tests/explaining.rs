//! Explanations, hints, clashes and generated puzzles, by what they promise.

use putnam_zebra::{
    Answer, Kind, NoPuzzle, Puzzle, Refused, Wish, Zebra, all_clashes, builtin_names, check_explanation, check_step,
    clash, explain, generate, hint, rating, read_json, read_puzzle, read_state, redundant, solve, write_puzzle,
};
use std::fs;
use std::path::Path;

fn puzzles() -> Vec<(String, Puzzle)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/zebra");
    let mut found: Vec<(String, Puzzle)> =
        builtin_names().map(|name| (name.to_owned(), Zebra::puzzle(name).unwrap())).collect();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|e| e == "json") {
            let name = path.display().to_string();
            found.push((name.clone(), read_json(&fs::read_to_string(&path).unwrap(), &name).unwrap()));
        }
    }
    found
}

fn unique(puzzle: &Puzzle) -> bool {
    matches!(solve(puzzle, &mut putnam_cdcl::Solver::new()), Answer::One(_))
}

#[test]
fn explanations_are_sound_and_complete() {
    for (name, puzzle) in puzzles() {
        if puzzle.categories.iter().any(|c| c.kind != Kind::Exact) {
            assert!(matches!(explain(&puzzle, &[]), Err(Refused::Category(_))), "{name}");
            continue;
        }
        match explain(&puzzle, &[]) {
            Ok(explanation) => {
                check_explanation(&explanation).unwrap_or_else(|unsound| panic!("{name}: {unsound}"));
                assert_eq!(explanation.complete, unique(&puzzle), "{name}");
                let facts: usize = explanation.steps.iter().map(|step| step.facts.len()).sum();
                assert!(!explanation.complete || facts == puzzle.num_facts(), "{name}");
            }
            Err(refused) => {
                assert!(matches!(refused, Refused::Clash { .. }), "{name}: {refused}");
                assert!(matches!(solve(&puzzle, &mut putnam_cdcl::Solver::new()), Answer::None), "{name}");
            }
        }
    }
}

#[test]
fn a_wrong_step_is_refused() {
    let puzzle = Zebra::puzzle("zebra").unwrap();
    let explanation = explain(&puzzle, &[]).unwrap();
    let mut refused = 0;
    for step in &explanation.steps {
        let mut wrong = step.clone();
        wrong.facts = wrong.facts.iter().map(|&fact| !fact).collect();
        assert!(check_step(&explanation.rules, &wrong).is_err());
        if !step.premises.is_empty() && step.case.is_none() {
            let mut wrong = step.clone();
            wrong.premises.pop();
            refused += usize::from(check_step(&explanation.rules, &wrong).is_err());
        }
    }
    // Nearly all premises are needed.
    assert!(10 * refused > 8 * explanation.steps.len(), "{refused} of {}", explanation.steps.len());
}

#[test]
fn the_classic_needs_one_case_and_hints_lead_to_the_grid() {
    let puzzle = Zebra::puzzle("zebra").unwrap();
    let explanation = explain(&puzzle, &[]).unwrap();
    let rating = rating(&explanation);
    assert_eq!((rating.cases, rating.depth), (1, 1));
    let mut known = Vec::new();
    while known.len() < puzzle.num_facts() {
        let next = hint(&puzzle, &known).unwrap();
        check_explanation(&next).unwrap();
        let [step] = &next.steps[..] else { panic!("one step") };
        assert!(step.facts.iter().all(|fact| !known.contains(fact)));
        known.extend(&step.facts);
    }
    assert_eq!(hint(&puzzle, &known).unwrap().steps, []);
}

#[test]
fn a_wrong_state_is_explained() {
    let puzzle = Zebra::puzzle("zebra").unwrap();
    let given =
        read_state(&puzzle, "# so far\nNorwegian = house:1\nzebra = Spaniard\ntea != Japanese\n", "state").unwrap();
    assert_eq!(given.len(), 3);
    let Err(Refused::Clash { clues, facts }) = hint(&puzzle, &given) else { panic!("a clash") };
    // The Spaniard owns the dog: clue 3, the second in the list.
    assert_eq!((clues, facts), (vec![1], vec![given[1]]));
    let error = read_state(&puzzle, "Norwegian < zebra\n", "state").unwrap_err().to_string();
    assert_eq!(error, "state:1:1: a known fact says 'A = B' or 'A != B'\n  | Norwegian < zebra\n  | ^");
}

#[test]
fn clashes_are_minimal() {
    let text = "house: 1..3\nowner: Ann, Bob, Cyd\npet: cat, dog, emu\nclues:\nAnn = 1\nBob = 1\nAnn = cat\ncat = 2\nCyd != emu\n";
    let puzzle = read_puzzle(text, "p").unwrap();
    let found = clash(&puzzle).unwrap();
    let (mut all, complete) = all_clashes(&puzzle, 10);
    all.sort();
    assert!(complete);
    assert_eq!(all, [vec![0, 1], vec![0, 2, 3]]);
    assert!(all.contains(&found));
    assert_eq!(clash(&Zebra::puzzle("zebra").unwrap()), None);
}

#[test]
fn generated_puzzles_are_unique_irredundant_and_repeatable() {
    let wish = |seed| Wish { positions: 4, categories: 3, kinds: Vec::new(), level: None, seed };
    let texts: Vec<String> = (0..6).map(|seed| write_puzzle(&generate(&wish(seed)).unwrap(), false)).collect();
    for (seed, text) in (0..).zip(&texts) {
        let puzzle = read_puzzle(text, "new").unwrap();
        assert!(unique(&puzzle), "{text}");
        assert!(redundant(&puzzle).is_empty(), "{text}");
        assert_eq!(&write_puzzle(&generate(&wish(seed)).unwrap(), false), text);
    }
    assert!((1..texts.len()).all(|i| texts[i] != texts[0]));
    let easy = Wish { level: Some("easy".into()), ..wish(1) };
    let puzzle = generate(&easy).unwrap();
    assert_eq!(rating(&explain(&puzzle, &[]).unwrap()).depth, 0);
    assert!(matches!(generate(&Wish { positions: 2, ..wish(1) }), Err(NoPuzzle::Size { .. })));
}
