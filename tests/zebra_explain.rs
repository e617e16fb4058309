//! `zebra explain`, `hint` and `rate` from the command line, and the page of an explanation as a browser shows it.

use crate::support::{Folder, PUTNAM, browse, name, path, putnam};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;

fn puzzle(name: &str) -> String {
    path("zebra").join(name).display().to_string()
}

#[test]
fn steps_are_said_with_their_clues() {
    let run = putnam(&["zebra", "explain", "zebra"]).expect(10);
    assert!(run.stdout.contains("    by clue 2 ("), "{}", run.stdout);
    assert_eq!(run.stdout.matches("suppose ").count(), 1);
    assert!(run.stdout.contains("  contradiction: "));
    let several = putnam(&["zebra", "explain", &puzzle("classic-without-15.json")]).expect(0);
    assert!(several.stdout.ends_with("nothing more follows: several grids are possible\n"));
    let none = putnam(&["zebra", "explain", &puzzle("classic-contradiction.json")]).expect(20);
    assert!(none.stdout.starts_with("there is no solution: these exclude each other\n  clue "));
}

#[test]
fn optimal_steps_say_what_they_cost() {
    let run = putnam(&["zebra", "explain", &puzzle("zt-p12.json"), "--optimal"]).expect(10);
    let last = run.stdout.lines().last().unwrap();
    assert!(last.contains(" steps, each the cheapest at its time; they cost "), "{last}");
    let json = putnam(&["zebra", "explain", &puzzle("zt-p12.json"), "--optimal", "--json"]).expect(10);
    let json: Value = serde_json::from_str(&json.stdout).unwrap();
    let steps = json["steps"].as_array().unwrap();
    let costs: Vec<u64> = steps.iter().map(|step| step["cost"].as_u64().unwrap()).collect();
    for (step, cost) in steps.iter().zip(&costs) {
        let group = |source: &Value| if source["clue"].is_string() { 100 } else { 60 };
        let sources: u64 = step["sources"].as_array().unwrap().iter().map(group).sum();
        assert_eq!(*cost, sources + step["premises"].as_array().unwrap().len() as u64);
    }
    let (total, most) = (costs.iter().sum::<u64>(), costs.iter().max().unwrap());
    assert!(last.ends_with(&format!("they cost {total}, the dearest {most}")), "{last}");
}

#[test]
fn puzzles_with_spare_values_and_lies_are_explained() {
    let folder = Folder::new();
    let spare = "place: 1..3\nname: Ann, Bob, Cyd\npet [spare]: cat, dog, emu, fox\nclues:\nAnn has the cat.\nBob does not have the dog.\n\
                 Cyd has the emu.\nAnn = 1\nBob = 2\n";
    let run = putnam(&["zebra", "explain", &folder.write("spare", spare)]).expect(10);
    assert!(run.stdout.contains("cat has one name if it is used, else none"), "{}", run.stdout);
    let lies = "house: 1..3\nowner: Ann, Bob, Cyd\nclues (exactly 1 false):\nAnn = 1\nBob = 1\nCyd = 3\nAnn != 2\n";
    let lies = folder.write("lies", lies);
    let run = putnam(&["zebra", "explain", &lies]).expect(10);
    assert!(run.stdout.contains("clue 2 is false"), "{}", run.stdout);
    assert!(run.stdout.contains("exactly one clue is false"), "{}", run.stdout);
    let state = folder.write("state", "Bob = 1\n");
    let wrong = putnam(&["zebra", "hint", &lies, "--from", &state]).expect(20);
    assert!(wrong.stdout.contains("  given: "), "{}", wrong.stdout);
}

#[test]
fn categories_too_large_to_explain_are_refused_at_their_place() {
    let folder = Folder::new();
    let text =
        "place: 1..2\nname: Ann, Bob\n  price [spare]: 1..65\nclues:\nAnn = place:1\nAnn = price:65\nBob = price:3\n";
    let large = folder.write("large", text);
    putnam(&["zebra", "solve", &large]).expect(10);
    let why = "explanations need categories of at most 64 values; 'price' has more";
    for command in ["explain", "hint", "rate"] {
        let refused = putnam(&["zebra", command, &large]).expect(1).stderr;
        assert!(refused.contains(&format!("large:3:3: {why}\n  |   price [spare]: 1..65\n  |   ^\n")), "{refused}");
    }
    let fits = folder.write("fits", text.replace("65", "64"));
    putnam(&["zebra", "explain", &fits]).expect(10);
    let prices: Vec<String> = (1..=65).map(|price| price.to_string()).collect();
    let json = serde_json::json!({ "categories": [
        { "name": "place", "values": ["1", "2"], "ordered": true },
        { "name": "price", "values": prices, "kind": "spare" },
    ], "clues": [] });
    let refused = putnam(&["zebra", "rate", &folder.write("large.json", json.to_string())]).expect(1).stderr;
    assert!(refused.contains(&format!("large.json: categories[1]: {why}")), "{refused}");
}

#[test]
fn ratings_tell_easy_from_hard() {
    let several = putnam(&["zebra", "rate", &puzzle("classic-without-15.json")]).expect(0);
    assert!(
        several.stdout.ends_with(" deep\nnothing more follows: several grids are possible\n"),
        "{}",
        several.stdout
    );
    let score = |name: &str| -> f64 {
        let run = putnam(&["zebra", "rate", &puzzle(name), "--json"]).expect(0);
        serde_json::from_str::<Value>(&run.stdout).unwrap()["score"].as_f64().unwrap()
    };
    // Both 4x4; the second needs cases.
    assert!(score("ls-gold4.json") < score("zt-pasta.json"));
    // Four puzzles of each of a magazine's levels, all 4x3.
    let mut scores: BTreeMap<String, Vec<f64>> = BTreeMap::new();
    for entry in fs::read_dir(path("zebra/levels")).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        let level = name.split('-').next().unwrap().to_owned();
        scores.entry(level).or_default().push(score(&format!("levels/{name}")));
    }
    let mean = |level: &str| scores[level].iter().sum::<f64>() / scores[level].len() as f64;
    assert!(scores.values().all(|scores| scores.len() == 4));
    assert!(mean("easy") < mean("moderate") && mean("moderate") < mean("challenging"), "{scores:?}");
}

#[cfg(unix)]
#[test]
fn a_file_whose_name_is_no_text_can_be_given_another_way() {
    use std::os::unix::ffi::OsStrExt as _;
    let name = std::ffi::OsStr::from_bytes(b"p\xff.txt");
    let run = std::process::Command::new(PUTNAM).args(["zebra", "solve"]).arg(name).output().unwrap();
    let said = String::from_utf8_lossy(&run.stderr).into_owned();
    assert!(run.status.code() == Some(2) && said.contains("is not UTF-8 can be given as standard input"), "{said}");
}

#[test]
fn the_page_is_no_file_that_is_read() {
    let folder = Folder::new();
    let file = folder.write("puzzle", fs::read_to_string(path("zebra/zt-p12.zebra")).unwrap());
    let run = putnam(&["zebra", "explain", &file, "--html", &file]).expect(2);
    assert!(run.stderr.contains("are the same file"), "{}", run.stderr);
    putnam(&["zebra", "explain", &file, "--html", &folder.arg("page"), "--json"]).expect(2);
    assert!(!folder.path("page").exists());
}

/// What the script may use.
const TOOLS: &str = r##"
const visit = {
    said: [],
    click(id) { document.getElementById(id).dispatchEvent(new MouseEvent("click", { bubbles: true })); },
    key(key) { document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true })); },
    slide(to) {
        const slider = document.getElementById("slider");
        slider.value = to;
        slider.dispatchEvent(new Event("input", { bubbles: true }));
    },
    say() {
        const all = (selector) => [...document.querySelectorAll(selector)];
        this.said.push({
            at: Number(document.getElementById("slider").value),
            of: Number(document.getElementById("slider").max),
            cells: all("#board .cell").length,
            ticks: all("#board .yes").length,
            crosses: all("#board .no").length,
            fresh: all("#board .new").map((cell) => cell.id),
            used: all("#clues li.used .name").map((clue) => clue.textContent),
            words: document.getElementById("step").textContent,
            table: all("#table td").map((cell) => cell.textContent),
            answers: all("#answers li").map((answer) => answer.textContent),
            wide: document.documentElement.scrollWidth > window.innerWidth,
        });
    },
};
"##;

/// The page of a puzzle's explanation.
fn page(args: &[&str], code: i32) -> String {
    let folder = Folder::new();
    let path = folder.arg("page.html");
    let run = putnam(&[&["zebra", "explain"], args, &["--html", &path]].concat()).expect(code);
    assert_eq!(run.stdout, "", "{}", name(path.as_ref()));
    fs::read_to_string(path).unwrap()
}

#[test]
fn a_page_steps_through_its_explanation() {
    let page = page(&["zebra"], 10);
    let outside = ["http://", "https://", "src=", "<link", "@import", "url("];
    let links: Vec<&str> =
        outside.into_iter().filter(|word| page.replace("http://www.w3.org", "").contains(word)).collect();
    assert_eq!(links, [""; 0], "the page loads nothing");
    let script = "visit.say(); visit.click('forward'); visit.say(); visit.key('ArrowRight'); visit.say(); visit.key('ArrowLeft'); \
                  visit.say(); visit.slide(60); visit.say(); visit.key('End'); visit.say(); visit.key('ArrowRight'); visit.say(); \
                  visit.key('Home'); visit.say(); document.querySelectorAll('#steps button')[9].click(); visit.say();";
    let Some(said) = browse(&page, TOOLS, script) else { return };
    let at: Vec<u64> = said.iter().map(|said| said["at"].as_u64().unwrap_or_else(|| panic!("{said}"))).collect();
    let last = said[0]["of"].as_u64().unwrap();
    assert_eq!(at, [0, 1, 2, 1, 60, last, last, 0, 10]);
    assert_eq!(said[0], said[7]);
    assert_eq!(said[1], said[3]);
    assert_eq!(said[5], said[6]);
    // Six categories of five: 15 pairs of 25 cells; at the end a tick in each row of each.
    assert!(said.iter().all(|said| said["cells"] == 375 && said["wide"] == false));
    assert_eq!((said[0]["ticks"].as_u64(), said[0]["crosses"].as_u64()), (Some(0), Some(0)));
    assert_eq!((said[5]["ticks"].as_u64(), said[5]["crosses"].as_u64()), (Some(75), Some(300)));
    let answers: Vec<&str> = said[5]["answers"].as_array().unwrap().iter().map(|a| a.as_str().unwrap()).collect();
    assert_eq!(answers, ["Who drinks water? Norwegian", "Who owns the zebra? Japanese"]);
    assert!(said[0]["answers"][0].as_str().unwrap().ends_with('…'));
    assert!(said[5]["table"].as_array().unwrap().iter().all(|cell| cell != ""));
    // Each step brings its facts, and marks the clue that it names.
    for said in [&said[1], &said[4], &said[8]] {
        assert!(!said["fresh"].as_array().unwrap().is_empty(), "{said}");
        let words = said["words"].as_str().unwrap();
        for clue in said["used"].as_array().unwrap() {
            assert!(words.contains(&format!("clue {} (", clue.as_str().unwrap())), "{said}");
        }
    }
    let first = said[1]["used"].as_array().unwrap();
    assert_eq!(first.len(), 1, "the first step is by a clue");
}

#[test]
fn a_page_shows_cases_costs_and_odd_puzzles() {
    let cases = page(&[&puzzle("zt-pasta.json")], 10);
    let script = "const last = Number(document.getElementById('slider').max); \
                  for (let step = 1; step <= last; step += 1) { visit.key('ArrowRight'); visit.say(); }";
    let Some(said) = browse(&cases, TOOLS, script) else { return };
    let supposing = |said: &&Value| said["words"].as_str().is_some_and(|words| words.contains("Suppose "));
    assert!(said.iter().filter(supposing).count() > 0);
    for (before, after) in said.iter().zip(&said[1..]) {
        let marks = |said: &Value| said["ticks"].as_u64().unwrap() + said["crosses"].as_u64().unwrap();
        let fresh = after["fresh"].as_array().unwrap().len() as u64;
        // Without cases, whose suppositions are shown too, the marks grow by what is new.
        if !supposing(&before) && !supposing(&after) {
            assert_eq!(marks(after), marks(before) + fresh, "{after}");
        }
    }
    let optimal = page(&[&puzzle("zt-p12.json"), "--optimal"], 10);
    let said = browse(&optimal, TOOLS, "visit.key('End'); visit.say();").unwrap();
    assert!(said[0]["words"].as_str().unwrap().contains("Cost "), "{}", said[0]);
    let folder = Folder::new();
    let lies = "house: 1..3\nowner: Ann, Bob, Cyd\nclues (exactly 1 false):\nAnn = 1\nBob = 1\nCyd = 3\nAnn != 2\n";
    let lies = page(&[&folder.write("lies", lies)], 10);
    let said = browse(&lies, TOOLS, "visit.key('End'); visit.say();").unwrap();
    assert_eq!((said[0]["ticks"].as_u64(), said[0]["crosses"].as_u64()), (Some(3), Some(6)), "{}", said[0]);
}
