//! Explanations, hints, clashes and generated puzzles, by what they promise.

use putnam_zebra::{
    Answer, Grid, NoPuzzle, Puzzle, Refused, Solutions, Wish, Zebra, all_clashes, builtin_names, check_explanation,
    check_step, clash, explain, explain_optimally, generate, hint, rating, read_json, read_puzzle, read_state,
    redundant, solve, write_puzzle,
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
        match explain(&puzzle, &[]) {
            Ok(explanation) => {
                check_explanation(&explanation).unwrap_or_else(|unsound| panic!("{name}: {unsound}"));
                assert_eq!(explanation.complete, unique(&puzzle), "{name}");
                let facts: usize = explanation.steps.iter().map(|step| step.facts.len()).sum();
                // Where clues may lie, which ones do are facts too.
                let all = facts == puzzle.num_facts() || puzzle.lies > 0 && facts > puzzle.num_facts();
                assert!(!explanation.complete || all, "{name}: {facts}");
            }
            Err(refused) => {
                assert!(matches!(refused, Refused::Clash { .. }), "{name}: {refused}");
                assert!(matches!(solve(&puzzle, &mut putnam_cdcl::Solver::new()), Answer::None), "{name}");
            }
        }
    }
}

#[test]
fn a_large_puzzle_with_nested_cases_is_explained() {
    let wish = Wish { positions: 10, categories: 6, kinds: Vec::new(), level: None, seed: 2 };
    let puzzle = generate(&wish).unwrap();
    let explanation = explain(&puzzle, &[]).unwrap();
    assert!(explanation.complete);
    assert_eq!(rating(&explanation).depth, 2);
    check_explanation(&explanation).unwrap();
    // A hint from half way leads on, and a wrong fact is found.
    let mut known: Vec<_> = explanation.steps.iter().flat_map(|step| step.facts.clone()).take(600).collect();
    let next = hint(&puzzle, &known).unwrap();
    check_explanation(&next).unwrap();
    assert!(next.steps.iter().flat_map(|step| &step.facts).all(|fact| !known.contains(fact)) && !next.steps.is_empty());
    let wrong = !*explanation.steps.last().unwrap().facts.last().unwrap();
    known.push(wrong);
    let Err(Refused::Clash { facts, .. }) = hint(&puzzle, &known) else { panic!("a clash") };
    assert!(facts.contains(&wrong));
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

/// Categories with missing, repeated and shared values, and clues of which some are false.
const ODD: [&str; 5] = [
    // Each place has one pet, and one pet is at no place.
    "place: 1..3\nname: Ann, Bob, Cyd\npet [spare]: cat, dog, emu, fox\nclues:\nAnn has the cat.\nBob does not have the dog.\n\
     The emu is not Bob's.\nAnn < Bob in place\nCyd has the emu.\nAnn is next to Bob and next to Cyd.\n",
    // Somebody has two tools.
    "place: 1..3\nname: Ann, Bob, Cyd\ntool [shared]: axe, bow, saw, file\nclues:\nCyd has the axe.\n\
     The owner of the axe has the file.\nBob has the saw.\nAnn is next to Bob and next to Cyd.\nAnn < Bob in place\n",
    // Two of three have the same colour.
    "place: 1..3\nname: Ann, Bob, Cyd\ncolour [repeated]: red, blue\nclues:\nblue = Bob\nAnn != blue\nCyd = red\nAnn = 1\nBob = 3\n",
    // Two categories with repeated values.
    "place: 1..3\nname: Ann, Bob, Cyd\ncolour [repeated]: red, blue\nhat [repeated]: cap, beret\nclues:\nAnn = 1\nBob = 2\n\
     red = cap\nblue != cap\nblue = Ann\nblue = Bob\nCyd = red\n",
    // One clue is false: the second, since two people are not in one house.
    "house: 1..3\nowner: Ann, Bob, Cyd\nclues (exactly 1 false):\nAnn = 1\nBob = 1\nCyd = 3\nAnn != 2\n",
];

#[test]
fn puzzles_with_missing_repeated_and_shared_values_and_lies_are_explained() {
    for text in ODD {
        let puzzle = read_puzzle(text, "odd").unwrap();
        for explained in [explain(&puzzle, &[]), explain_optimally(&puzzle, &[])] {
            let explanation = explained.unwrap();
            check_explanation(&explanation).unwrap_or_else(|unsound| panic!("{text}{unsound}"));
            assert_eq!(explanation.complete, unique(&puzzle), "{text}");
            assert!(explanation.complete, "{text}");
        }
        let mut known = Vec::new();
        for _ in 0..500 {
            let next = hint(&puzzle, &known).unwrap();
            let Some(step) = next.steps.first() else { break };
            check_explanation(&next).unwrap();
            known.extend(&step.facts);
        }
        assert_eq!(known.len(), explain(&puzzle, &[]).unwrap().rules.facts.len(), "{text}");
    }
}

#[test]
fn a_wrong_state_of_a_puzzle_with_lies_is_explained() {
    let puzzle = read_puzzle(ODD[4], "odd").unwrap();
    let given = read_state(&puzzle, "Bob = 1\n", "state").unwrap();
    let Err(Refused::Clash { clues, facts }) = hint(&puzzle, &given) else { panic!("a clash") };
    assert_eq!((clues, facts), ((0..4).collect(), given));
}

/// Random small puzzles of all kinds of categories: everything that follows is found, and nothing else.
#[test]
fn everything_that_follows_is_explained() {
    let kinds = ["", " [spare]", " [repeated]", " [shared]"];
    let mut total = 0;
    for round in 0..48usize {
        let (pet, hat) = (kinds[round % 4], kinds[round / 4 % 4]);
        let values = |kind: &str, all: [&str; 4]| match kind {
            "" => all[..3].join(", "),
            " [repeated]" => all[..2].join(", "),
            _ => all.join(", "),
        };
        let pets = values(pet, ["cat", "dog", "emu", "fox"]);
        let hats = values(hat, ["cap", "fez", "bonnet", "toque"]);
        let clues =
            ["cat = cap", "dog != fez", "Ann < dog in place", "cap != 1", "Bob = fez", "Ann = cat", "Cyd != dog"];
        let chosen: Vec<&str> =
            (0..clues.len()).filter(|i| (round * 37 + 11) >> i & 1 == 1).map(|i| clues[i]).collect();
        let text = format!(
            "place: 1..3\nname: Ann, Bob, Cyd\npet{pet}: {pets}\nhat{hat}: {hats}\nclues:\n{}\n",
            chosen.join("\n")
        );
        let puzzle = read_puzzle(&text, "random").unwrap();
        let grids: Vec<Grid> =
            Solutions::new(&puzzle, &mut putnam_cdcl::Solver::new()).map(|grid| grid.unwrap()).collect();
        if grids.is_empty() {
            assert!(matches!(explain(&puzzle, &[]), Err(Refused::Clash { .. })), "{text}");
            continue;
        }
        for optimal in [false, true] {
            let explained = if optimal { explain_optimally(&puzzle, &[]) } else { explain(&puzzle, &[]) };
            let explanation = explained.unwrap();
            check_explanation(&explanation).unwrap_or_else(|unsound| panic!("{text}{unsound}"));
            let facts = &explanation.rules.facts;
            let same_everywhere = |&fact: &usize| {
                let (a, b) = facts.pair(fact);
                grids.iter().all(|grid| grid.same(a, b) == grids[0].same(a, b))
            };
            let expected = (0..facts.len()).filter(same_everywhere).count();
            let found: usize = explanation.steps.iter().map(|step| step.facts.len()).sum();
            assert_eq!(found, expected, "{text}");
            total += found;
        }
    }
    assert!(total > 1000, "{total}");
}

#[test]
fn optimal_steps_cost_no_more_than_any_other() {
    for name in ["zt-origin", "zt-p12", "zt-p18", "zt-p19"] {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../../tests/zebra/{name}.json"));
        let puzzle = read_json(&fs::read_to_string(path).unwrap(), name).unwrap();
        let explanation = explain_optimally(&puzzle, &[]).unwrap();
        check_explanation(&explanation).unwrap();
        assert!(explanation.complete);
        // At every state no step of the practical explanation that is possible there is cheaper.
        let mut known = std::collections::HashSet::new();
        let other = explain(&puzzle, &[]).unwrap();
        for step in &explanation.steps {
            for rival in other.steps.iter().filter(|rival| rival.case.is_none()) {
                let possible = rival.premises.iter().all(|fact| known.contains(fact));
                let new = rival.facts.iter().any(|fact| !known.contains(fact));
                assert!(!(possible && new) || step.cost() <= rival.cost(), "{name}");
            }
            known.extend(step.facts.iter().copied());
        }
    }
}
