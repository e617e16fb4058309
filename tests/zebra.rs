//! Zebra and logic-grid puzzles. `zebra/NAME.json` holds a puzzle with its number of solutions and, when it is the only one, its
//! solution; `zebra/NAME.zebra` beside it says the same in words; `zebra/refused.txt` holds clues with the message of each.

use putnam_api::{Frontend as _, Settings};
use putnam_dpll::Dpll;
use putnam_formula::{Engine, Outcome};
use putnam_zebra::{
    Answer, Formula, Grid, Puzzle, Solutions, Speaker, Term, Zebra, answers, builtin_names, builtin_text, differences,
    engine, read_json, read_puzzle, solve, strict, verify, write_puzzle,
};
use rand::seq::SliceRandom as _;
use rand::{SeedableRng as _, rngs::StdRng};
use std::fs;
use std::path::{Path, PathBuf};

const ENGINES: [fn() -> Box<dyn Engine>; 2] = [|| Box::new(putnam_cdcl::Solver::new()), || Box::new(Dpll::new())];

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("zebra")
}

/// The files with this ending, in the order of their names.
fn files(ending: &str) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = fs::read_dir(folder()).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| path.extension().is_some_and(|e| e == ending));
    files.sort();
    assert!(!files.is_empty());
    files
}

fn from_json(path: &Path) -> (Puzzle, serde_json::Value) {
    let text = fs::read_to_string(path).unwrap();
    (read_json(&text, &path.display().to_string()).unwrap(), serde_json::from_str(&text).unwrap())
}

fn term(puzzle: &Puzzle, category: usize, name: &str) -> Term {
    let values = &puzzle.categories[category].values;
    Term { category, value: values.iter().position(|v| v.name == name).unwrap_or_else(|| panic!("{name}")) }
}

/// A grid of exact categories at random.
fn random_grid(puzzle: &Puzzle, random: &mut StdRng) -> Grid {
    let base = puzzle.base();
    let column = |category| {
        let mut places: Vec<u64> = (0..puzzle.positions()).map(|p| 1 << p).collect();
        if category != base {
            places.shuffle(random);
        }
        places
    };
    Grid::new((0..puzzle.categories.len()).map(column).collect())
}

#[test]
fn built_in_puzzles_have_one_solution() {
    // The axioms that lack something are there to show what.
    for name in builtin_names().filter(|name| *name != "axioms-as-printed") {
        let puzzle = read_puzzle(builtin_text(name).unwrap(), name).unwrap();
        assert!(!puzzle.questions.is_empty(), "{name}");
        let mut found = Vec::new();
        for engine in ENGINES {
            let Answer::One(grid) = solve(&puzzle, engine().as_mut()) else { panic!("{name}") };
            verify(&puzzle, &grid).unwrap();
            found.push(grid);
        }
        assert_eq!(found[0], found[1], "{name}");
    }
}

#[test]
fn the_norwegian_drinks_water_and_the_japanese_owns_the_zebra() {
    let puzzle = Zebra::puzzle("zebra").unwrap();
    let Answer::One(grid) = solve(&puzzle, &mut putnam_cdcl::Solver::new()) else { panic!("one solution") };
    let expected = [("Who drinks water?", vec!["Norwegian"]), ("Who owns the zebra?", vec!["Japanese"])];
    assert_eq!(answers(&puzzle, &grid), expected);
}

#[test]
fn the_front_end_encodes_decodes_and_verifies() {
    let problem = Zebra.open("zebra", &Settings::default()).unwrap();
    let encoding = problem.encode();
    assert_eq!(problem.distinguishing().unwrap().len(), 125);
    for name in ["red(1)", "orange_juice(3)", "zebra(5)"] {
        assert!(encoding.symbols.var(name).is_some(), "{name}");
    }
    let mut engine = putnam_cdcl::Solver::new();
    Engine::declare(&mut engine, encoding.cnf.num_vars());
    encoding.cnf.clauses().for_each(|clause| Engine::add_clause(&mut engine, clause));
    let Outcome::Satisfiable(model) = Engine::solve(&mut engine, &[]) else { panic!("satisfiable") };
    assert_eq!(model.falsified(&encoding.cnf), None);
    let solution = problem.decode(&model).unwrap();
    solution.verify().unwrap();
    assert!(solution.render("grid").contains("5      green   Japanese     coffee        Parliaments    zebra\n"));
    assert!(solution.render("text").contains("house 1: colour yellow, nationality Norwegian, drink water"));
    assert_eq!(solution.to_json()["grid"][4]["pet"], "zebra");
    assert_eq!(problem.compare(&model, None, "grid"), "This is the only solution.\n");

    // The same grid with two houses' colours exchanged is a grid, but breaks clues.
    let mut wrong = model.clone();
    for (name, value) in [("yellow(1)", false), ("blue(2)", false), ("yellow(2)", true), ("blue(1)", true)] {
        wrong.assign(encoding.symbols.var(name).unwrap().lit(value));
    }
    let error = problem.decode(&wrong).unwrap().verify().unwrap_err();
    assert_eq!(error.to_string(), "not a solution: clue 8 does not hold");
    // And with a colour at no house it is none.
    wrong.assign(encoding.symbols.var("red(3)").unwrap().negative());
    let error = problem.decode(&wrong).err().unwrap();
    assert_eq!(error.to_string(), "not a solution: colour 'red' is at 0 positions");
}

#[test]
fn puzzles_have_their_number_of_solutions() {
    for path in files("json") {
        let (puzzle, json) = from_json(&path);
        let mut engine = putnam_cdcl::Solver::new();
        let grids: Vec<Grid> = Solutions::new(&puzzle, &mut engine).map(|grid| grid.unwrap()).collect();
        assert_eq!(grids.len() as u64, json["solutions"].as_u64().unwrap(), "{}", path.display());
        for grid in &grids {
            verify(&puzzle, grid).unwrap();
        }
        assert!((1..grids.len()).all(|i| !grids[..i].contains(&grids[i])), "{}", path.display());
        for row in json["solution"].as_array().into_iter().flatten() {
            let terms: Vec<Term> = row
                .as_array()
                .unwrap()
                .iter()
                .enumerate()
                .map(|(c, v)| term(&puzzle, c, v.as_str().unwrap()))
                .collect();
            assert!(terms.iter().all(|&t| grids[0].same(terms[0], t)), "{}: {row}", path.display());
        }
    }
}

#[test]
fn several_solutions_are_shown_with_their_differences() {
    let (puzzle, _) = from_json(&folder().join("classic-without-15.json"));
    let Answer::Many(grids) = solve(&puzzle, &mut putnam_cdcl::Solver::new()) else { panic!("many solutions") };
    let [first, second] = *grids;
    let differences = differences(&puzzle, &first, &second);
    assert!(!differences.is_empty());
    let shown = putnam_zebra::uniqueness(&puzzle, &first, Some(&second));
    assert!(shown.starts_with(&format!("There are other solutions. This one differs in {} places", differences.len())));
    assert_eq!(shown.matches(" *").count(), differences.len() + 1, "{shown}");
}

#[test]
fn words_say_what_the_structure_says() {
    let mut random = StdRng::seed_from_u64(7);
    for path in files("zebra") {
        let puzzle = read_puzzle(&fs::read_to_string(&path).unwrap(), "puzzle").unwrap();
        let (expected, _) = from_json(&path.with_extension("json"));
        assert_eq!(puzzle.clues.len(), expected.clues.len());
        let grids: Vec<Grid> = (0..300).map(|_| random_grid(&expected, &mut random)).collect();
        for (ours, theirs) in puzzle.clues.iter().zip(&expected.clues) {
            let truth = |formula: &Formula, puzzle: &Puzzle| -> Vec<bool> {
                grids.iter().map(|grid| formula.holds(&puzzle.categories, grid)).collect()
            };
            let same = truth(&ours.formula, &puzzle) == truth(&theirs.formula, &expected);
            assert!(same, "{}: {}", path.display(), ours.text);
        }
    }
}

#[test]
fn what_is_written_reads_back_the_same() {
    let texts = files("zebra").into_iter().map(|path| read_puzzle(&fs::read_to_string(path).unwrap(), "p").unwrap());
    let jsons = files("json").into_iter().map(|path| from_json(&path).0);
    let built_in = builtin_names().map(|name| read_puzzle(builtin_text(name).unwrap(), name).unwrap());
    for puzzle in texts.chain(jsons).chain(built_in) {
        for in_strict_form in [true, false] {
            let text = write_puzzle(&puzzle, in_strict_form);
            let again = read_puzzle(&text, "again").unwrap_or_else(|error| panic!("{error}\n{text}"));
            assert_eq!(again.categories, puzzle.categories);
            assert_eq!((again.order_by, again.lies), (puzzle.order_by, puzzle.lies));
            assert_eq!(again.clues.len(), puzzle.clues.len());
            for (a, b) in again.clues.iter().zip(&puzzle.clues) {
                assert_eq!(a.formula, b.formula, "{} for {}", a.text, b.text);
                let sentence = Speaker::new(&puzzle).sentence(&b.formula);
                assert!(in_strict_form || sentence == a.text);
            }
            let ask = |p: &Puzzle| p.questions.iter().map(|q| (q.category, q.of)).collect::<Vec<_>>();
            assert_eq!(ask(&again), ask(&puzzle));
        }
    }
}

/// The puzzle in which the clues of `refused.txt` and `readings.txt` stand.
const HEAD: &str = "house: 1..4
owner: Ann, Bob, Cyd, Dee
pet: cat, dog, emu, fox
toy: cat, ball, kite, drum
age (year, years): 20, 25, 30, 40
clues:
";

#[test]
fn clues_have_one_reading_or_are_refused_with_the_reason() {
    let text = fs::read_to_string(folder().join("refused.txt")).unwrap();
    for case in text.split("\n\n") {
        let (clue, expected) = case.trim_end().split_once('\n').unwrap();
        let error = read_puzzle(&format!("{HEAD}{clue}\n"), "puzzle").unwrap_err();
        assert_eq!(error.to_string(), expected, "{clue}");
    }
}

#[test]
fn readings_are_as_listed() {
    let text = fs::read_to_string(folder().join("readings.txt")).unwrap();
    for case in text.split("\n\n") {
        let [clue, formal, words] = case.trim_end().split('\n').collect::<Vec<_>>()[..] else { panic!("{case}") };
        let puzzle = read_puzzle(&format!("{HEAD}{clue}\n"), "puzzle").unwrap();
        assert_eq!(strict(&puzzle.categories, &puzzle.clues[0].formula), formal, "{clue}");
        assert_eq!(Speaker::new(&puzzle).sentence(&puzzle.clues[0].formula), words, "{clue}");
    }
}

#[test]
fn ratios_are_said_with_words_and_digits() {
    let head = "place: 1..4\nbuyer: Ann, Bob, Cyd, Dee\nprice (euro, euros): 2, 4, 6, 8\norder by: place\nclues:\n";
    for (clue, times) in [
        ("Ann paid three times the price of Bob.", 3),
        ("Ann paid 3 times the price of Bob.", 3),
        ("Ann paid three times as many euros as Bob.", 3),
        ("Ann paid exactly four times as many euros as Bob.", 4),
        ("Ann paid twice as many euros as Bob.", 2),
    ] {
        let puzzle = read_puzzle(&format!("{head}{clue}\n"), "puzzle").unwrap_or_else(|error| panic!("{error}"));
        let formal = strict(&puzzle.categories, &puzzle.clues[0].formula);
        assert_eq!(formal, format!("Ann = {times} * Bob in price"), "{clue}");
    }
    let without = read_puzzle(&format!("{head}Ann came three times.\n"), "puzzle");
    assert!(without.is_err(), "a number that nothing is said of");
}

#[test]
fn files_are_refused_with_place_and_reason() {
    let cases = [
        (
            "",
            "p:1:1: there is no puzzle here: a puzzle has categories such as 'pet: cat, dog', a line 'clues:', then clues\n  | \n  | ^",
        ),
        ("house: 1..3\n", "p:1:12: the line 'clues:' is missing\n  | house: 1..3\n  |            ^"),
        ("house\n", "p:1:1: expected 'category: value, value, …', 'order by' or 'clues:'\n  | house\n  | ^"),
        ("house: 3..1\n", "p:1:8: a range goes up, as in '1..5' or '10..50 by 10'\n  | house: 3..1\n  |        ^"),
        ("pet: cat, dog, Cat\n", "p:1:6: the value 'Cat' is there twice\n  | pet: cat, dog, Cat\n  |      ^"),
        ("pet: cat\n", "p:1:9: a category has at least two values, separated by commas\n  | pet: cat\n  |         ^"),
        (
            "pet [odd]: cat, dog\n",
            "p:1:1: [odd] means nothing here: [spare], [repeated] or [shared]\n  | pet [odd]: cat, dog\n  | ^",
        ),
        ("a: 1..2\n  a: x, y\n", "p:2:3: the category 'a' is there already\n  |   a: x, y\n  |   ^"),
        (
            "a: 1..2\npet: x, y, z\nclues:\n",
            "p:2:1: 'pet' has 3 values and 'a' has 2: write 'pet [spare]' if some are not used, 'pet [shared]' if an item \
             can have several, 'pet [repeated]' if a value can come several times\n  | pet: x, y, z\n  | ^",
        ),
        ("a: 1..2\norder by: b\n", "p:2:11: 'b' is no category so far; there are: a\n  | order by: b\n  |           ^"),
        (
            "a: x, y\norder by: a\n",
            "p:2:11: 'a' has no order: write its values with '<', as in 'January < February'\n  | order by: a\n  |           ^",
        ),
        (
            "a: 1..2\nb: x, y\nclues: go\n",
            "p:3:6: expected 'clues:' or 'clues (exactly 1 false):'; clues begin on the next line\n  | clues: go\n  |      ^",
        ),
        (
            "a: 1..2\nb: x, y\nclues:\n  7) x is zebra # so\n",
            "p:4:11: 'zebra' is not understood; if it says nothing of its own, write 'filler: zebra' above the clues\n  \
             |   7) x is zebra # so\n  |           ^",
        ),
        (
            "a: 1..2\nb: x, y\nclues:\nask: who is x\n",
            "p:4:6: which category does 'who' ask for? write it as in 'ask: category of value'\n  | ask: who is x\n  |      ^",
        ),
        (
            "a: 1..2\nfiller: hops, never\n",
            "p:2:15: 'never' cannot be filler: it changes what a clue says, or is no word\n  | filler: hops, never\n  |               ^",
        ),
        (
            "pet: cat = puss, dog = Puss\n",
            "p:1:6: the value 'Puss' is there twice\n  | pet: cat = puss, dog = Puss\n  |      ^",
        ),
        ("pet: cat = \"\", dog\n", "p:1:6: a value has no name\n  | pet: cat = \"\", dog\n  |      ^"),
        ("a: 1..2\nb: x,\n", "p:2:1: the category that begins in line 2 ends with a comma\n  | b: x,\n  | ^"),
        (
            "a: 3 < 2 < 5\n",
            "p:1:4: the numbers of an ordered category increase from left to right\n  | a: 3 < 2 < 5\n  |    ^",
        ),
    ];
    for (text, expected) in cases {
        assert_eq!(read_puzzle(text, "p").unwrap_err().to_string(), expected, "{text:?}");
    }
}

#[test]
fn spare_shared_and_repeated_values_are_understood() {
    let text = "place: 1..3\nname: Ann, Bob, Cyd\npet [spare]: cat, dog, emu, fox\ncolour [repeated]: red, blue\n\
                tool [shared]: axe, bow, saw, file\nclues:\nAnn has the cat.\nBob does not have the dog.\nThe emu is not Bob's.\n\
                The red one is next to the other red\n";
    assert!(read_puzzle(text, "p").is_err());
    let text = text.replace("The red one is next to the other red", "red < blue in place and not blue < red in place")
        + "Ann < Bob in place\nCyd has the axe.\nThe owner of the axe has the file.\nBob has the saw.\nCyd has the emu.\n\
           blue = Bob\nAnn is next to Bob and next to Cyd.\n";
    let puzzle = read_puzzle(&text, "p").unwrap();
    // 1 Cyd, 2 Ann, 3 Bob; Ann cat, Bob fox, Cyd emu; Ann must have the bow; Ann is red or blue.
    for engine in ENGINES {
        let mut engine = engine();
        let grids: Vec<Grid> = Solutions::new(&puzzle, engine.as_mut()).map(|grid| grid.unwrap()).collect();
        assert_eq!(grids.len(), 2);
        for grid in &grids {
            verify(&puzzle, grid).unwrap();
            assert!(grid.same(term(&puzzle, 1, "Ann"), term(&puzzle, 4, "bow")));
            assert_eq!(grid.places(term(&puzzle, 2, "dog")), 0);
        }
    }
}

#[test]
fn a_puzzle_may_declare_words_that_say_nothing() {
    let head = "house: 1..3\nowner: Ann, Bob, Cyd\n";
    let clue = "clues:\nAnn trundles towards the first house.\nask: who trundles in house 1?\n";
    assert!(read_puzzle(&format!("{head}{clue}"), "p").is_err());
    let puzzle =
        read_puzzle(&format!("{head}filler: Trundles,towards\n{clue}").replace("who", "owner who"), "p").unwrap();
    assert_eq!(strict(&puzzle.categories, &puzzle.clues[0].formula), "Ann = house:1");
    assert_eq!(puzzle.questions.len(), 1);
}

#[test]
fn values_that_several_have_can_be_the_same_or_different_and_left_out() {
    let head = "seat: 1..3\nsinger: Ann, Bob, Cyd\nvoice [repeated]: alto, bass\ndish [spare]: pie, soup, stew, cake\nclues:\n";
    let cases = [
        ("Ann and Bob have the same voice.", "Ann = alto and Bob = alto or Ann = bass and Bob = bass"),
        ("Ann has the same voice as Bob.", "Ann = alto and Bob = alto or Ann = bass and Bob = bass"),
        ("Ann and Bob have different voices.", "not (Ann = alto and Bob = alto or Ann = bass and Bob = bass)"),
        ("Ann and Bob do not have the same voice.", "not (Ann = alto and Bob = alto or Ann = bass and Bob = bass)"),
        ("Nobody ordered the cake.", "cake != cake"),
        ("No one ordered the cake.", "cake != cake"),
    ];
    for (clue, expected) in cases {
        let puzzle = read_puzzle(&format!("{head}{clue}\n"), "p").unwrap();
        assert_eq!(strict(&puzzle.categories, &puzzle.clues[0].formula), expected);
    }
    // Voices: 2 for Ann, the other for Bob, 2 for Cyd; 3! seats; 3! dishes without the cake.
    let puzzle =
        read_puzzle(&format!("{head}Ann and Bob have different voices.\nNobody ordered the cake.\n"), "p").unwrap();
    let mut engine = putnam_cdcl::Solver::new();
    assert_eq!(Solutions::new(&puzzle, &mut engine).count(), 4 * 6 * 6);
    for clue in ["Nobody is Ann.", "Ann and Bob have the same dish.", "Ann and Bob have different voice boxes."] {
        assert!(read_puzzle(&format!("{head}{clue}\n"), "p").is_err(), "{clue}");
    }
}

/// JSON that is no puzzle is refused with the part that is wrong.
#[test]
fn json_is_refused_with_the_part_that_is_wrong() {
    let good = r#"{"categories": [{"name": "a", "values": ["1", "2"], "ordered": true, "numbers": [1, 2]},
        {"name": "b", "values": ["x", ["y", "why"]]}], "clues": [{"kind": "same", "a": ["b", "x"], "b": ["a", "1"]}],
        "questions": ["a of why"]}"#;
    assert_eq!(read_json(good, "p").unwrap().clues.len(), 1);
    let cases = [
        (r#"["y", "why"]"#, r#""X""#, "the value 'X' is there twice"),
        (r#""why""#, r#""x""#, "the value 'x' is there twice"),
        (r#"["y", "why"]"#, r#""""#, "a value has no name"),
        (r#"["y", "why"]"#, "[]", "categories[1]: values: a value has no name"),
        (r#"["y", "why"]"#, "7", "categories[1]: values: 7 is no text"),
        (r#"["y", "why"]"#, r#""a\"b""#, "it has quotes or superfluous blanks"),
        (r#"["y", "why"]"#, r#""*""#, "the unnamed value is called 'other b' here"),
        (r#""name": "b""#, r#""name": "A""#, "the category 'A' is there twice"),
        (r#""name": "b""#, r#""name": """#, "'' cannot be the name of a category"),
        (r#""name": "b""#, r#""name": "clues""#, "'clues' cannot be the name of a category"),
        (r#""ordered": true"#, r#""ordered": 1"#, "categories[0]: 'ordered' is not true or false"),
        ("[1, 2]", "[2, 1]", "categories[0]: 'numbers' has one number for each value, in ascending order"),
        (r#"[1, 2]}"#, r#"[1, 2], "units": [3]}"#, "categories[0]: units: 3 has no word"),
        (r#"[1, 2]}"#, r#"[1, 2], "units": [{"word": "m", "factor": 0}]}"#, "the factor of 'm' is not positive"),
        (r#"[1, 2]}"#, r#"[1, 2], "kind": "odd"}"#, "'odd' is no kind of category"),
        (r#"["a", "1"]"#, r#"["a", "3"]"#, "clues[0]: a has no value '3'"),
        (r#""kind": "same""#, r#""kind": "offset", "in": "a", "by": 5"#, "clues[0]: no two values of a differ by 5"),
        (r#""kind": "same""#, r#""kind": "order", "in": "a", "rel": 5"#, "clues[0]: 'rel' is not a text"),
        (r#""kind": "same""#, r#""kind": "and", "args": []"#, "clues[0]: 'args' is empty"),
        (r#""kind": "same""#, r#""kind": "one_of", "options": []"#, "clues[0]: 'options' is empty"),
        (r#"["a of why"]"#, r#"["a of z"]"#, "questions[0]: 'z' is not understood"),
        (r#"["a of why"]"#, r#""a of why""#, "'questions' is no list"),
        (r#"["a of why"]"#, r#"[], "lies": 2"#, "lies: 2 of 1 clues cannot be false"),
        (r#"["a of why"]"#, r#"[], "lies": -1"#, "'lies' is not a whole number"),
        (r#"["a of why"]"#, r#"[], "order_by": "b""#, "order_by: 'b' has no order"),
        (r#"["a of why"]"#, r#"[], "filler": ["not"]"#, "filler: 'not' changes what a clue says"),
    ];
    for (part, wrong, expected) in cases {
        assert!(good.contains(part), "{part}");
        let error = read_json(&good.replacen(part, wrong, 1), "p").unwrap_err().to_string();
        assert!(error.contains(expected), "{part} -> {wrong}: {error}");
    }
}

#[test]
fn some_clues_may_lie() {
    let head = "house: 1..3\nowner: Ann, Bob, Cyd\nclues (exactly 1 false):\n";
    let puzzle = read_puzzle(&format!("{head}Ann = 1\nBob = 1\nCyd = 3\n"), "p").unwrap();
    let mut engine = putnam_cdcl::Solver::new();
    let grids: Vec<Grid> = Solutions::new(&puzzle, &mut engine).map(|grid| grid.unwrap()).collect();
    // Either of the first two is the lie, and Cyd is in the third house.
    assert_eq!(grids.len(), 2);
    assert!(grids.iter().all(|grid| grid.places(term(&puzzle, 1, "Cyd")) == 0b100));
    let error = read_puzzle("house: 1..3\nowner: Ann, Bob, Cyd\nclues (exactly 2 false):\nAnn = 1\n", "p").unwrap_err();
    assert_eq!(error.to_string(), "p:4:1: 1 clues cannot have 2 false ones\n  | Ann = 1\n  | ^");
}

/// Clues that nobody writes are refused at once and exhaust neither the stack nor the clock.
#[test]
fn monstrous_clues_are_refused() {
    let cases = [
        ("(".repeat(3000) + "Ann = cat" + &")".repeat(3000), "nested"),
        ("not ".repeat(100_000) + "Ann = cat", "nested"),
        (vec!["Ann = cat"; 20_000].join(" -> "), "nested"),
        (vec!["Ann = cat"; 30_000].join(" xor "), "parts"),
        ((0..14).map(|i| format!("every x{i} in name: ")).collect::<String>() + "x1 = cat", "parts"),
        (vec!["Ann has the cat and Bob has the dog"; 30].join(" and "), "connectives"),
        (vec!["Ann, cat"; 40].join(", ") + " and Bob are all different", "commas"),
    ];
    for (clue, reason) in cases {
        let text = format!("name: Ann, Bob, Cid, Dan, Eve\npet: cat, dog, cow, hen, pig\nclues:\n{clue}\n");
        let error = read_puzzle(&text, "monstrous").unwrap_err().to_string();
        let message = error.lines().next().unwrap();
        assert!(message.contains(reason), "{message}");
    }
}

/// Puzzles that nobody writes are refused with the line of what is too much.
#[test]
fn monstrous_puzzles_are_refused() {
    let list = |count: usize, name: &str| (0..count).map(|i| format!("{name}{i}")).collect::<Vec<_>>().join(", ");
    let wide = "name: Ann, Bob, Cid\npet: cat, dog, cow\nprice [spare]: 1..1000\nclues:\n";
    let quantified = "every x in a: every y in a: x = y or x != y\n".repeat(200);
    let cases = [
        (
            "a: 1..3\nb: 1..65\nc: 1..65\nclues:\n".to_owned(),
            "p:2:1: 'b' has 65 values and 'a' has 3: write 'b [spare]'",
        ),
        ("a: 1..65\nb: 1..65\nclues:\n".to_owned(), "p:1:1: 'a' has 65 values, each for one item; at most 64 items"),
        (format!("a: 1..3\n  b [spare]: {}\nclues:\n", list(1001, "v")), "p:2:3: 'b' has 1001 values; at most 1000"),
        ("a: 1..1001\n".to_owned(), "p:1:4: the range has more than 1000 values"),
        (
            format!("a: x, {}\n", "y".repeat(300)),
            "p:1:4: the name 'yyyyyyyyyyyyyyyyyyyy…' has more than 200 characters",
        ),
        (
            (0..60).map(|c| format!("c{c}: {}\n", list(64, &format!("v{c}x")))).collect::<String>() + "clues:\n",
            "p:61:1: the grid has 245760 cells, values times items; at most 200000",
        ),
        (
            format!("{wide}|Ann - Bob| = |cat - dog| in price\n"),
            "p:5:1: 'price' has more than 200 values: two distances",
        ),
        (format!("a: 1..40\nb: {}\nclues:\n{quantified}", list(40, "v")), ": the clues have more than 500000 parts"),
    ];
    for (text, expected) in cases {
        let error = read_puzzle(&text, "p").unwrap_err().to_string();
        let message = error.lines().next().unwrap();
        assert!(message.contains(expected), "{message}");
        assert!(error.lines().all(|line| line.chars().count() < 500), "the line is shown in full: {message}");
    }
    // What is wide but possible takes no time.
    let between =
        format!("{wide}Ann is somewhere between Bob and Cid in price.\nAnn paid more than price 999 in price.\n");
    assert_eq!(solve(&read_puzzle(&between, "p").unwrap(), &mut engine()), Answer::None);
}
