//! `peg solve --svg` and `--html`: the files, and the page as a browser shows it. The browser is Debian's `chromium`; a script
//! behind the page clicks its buttons and holes, as a visitor would.

use crate::support::{Folder, PUTNAM, browse, peer, putnam, putnam_with};
use serde_json::{Value, json};
use std::fs;
use std::process::Command;

/// What the script may use.
const TOOLS: &str = r##"
const visit = {
    said: [],
    click(id) { document.getElementById(id).dispatchEvent(new MouseEvent("click", { bubbles: true })); },
    hole(hole) { this.click(`hole-${hole}`); },
    key(key, more) { document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true, ...more })); },
    slide(to) {
        const slider = document.getElementById("slider");
        slider.value = to;
        slider.dispatchEvent(new Event("input", { bubbles: true }));
    },
    wait(time) { return new Promise((resolve) => setTimeout(resolve, time)); },
    pegs() { return [...document.querySelectorAll(".hole.has-peg")].map((hole) => Number(hole.id.slice(5))); },
    say() {
        const slider = document.getElementById("slider");
        const status = document.getElementById("status").textContent;
        const list = document.querySelectorAll("#jumps button").length;
        this.said.push({ pegs: this.pegs(), at: Number(slider.value), of: Number(slider.max), status, list });
    },
};
"##;

/// What the page was like at every `visit.say()` of the script, or none without the browser.
fn visit(page: &str, script: &str) -> Option<Vec<Value>> {
    browse(page, TOOLS, script)
}

/// The page of a problem.
fn page(args: &[&str], code: i32) -> String {
    let folder = Folder::new();
    let path = folder.arg("page.html");
    putnam(&[&["peg", "solve"], args, &["--html", &path]].concat()).expect(code);
    fs::read_to_string(path).unwrap()
}

fn numbers(value: &Value) -> Vec<usize> {
    serde_json::from_value(value.clone()).unwrap()
}

#[test]
fn a_page_steps_through_its_plan() {
    let page = page(&["triangle-15", "--start", "5"], 10);
    let script = "visit.say(); visit.click('forward'); visit.say(); visit.key('ArrowRight'); visit.say(); visit.click('back'); \
                  visit.say(); visit.click('last'); visit.say(); visit.key('ArrowRight'); visit.say(); visit.slide(4); visit.say(); \
                  visit.key('Home'); visit.key('ArrowLeft'); visit.say(); \
                  visit.click('toggle'); await visit.wait(1300); visit.click('toggle'); const at = visit.pegs().length; \
                  await visit.wait(3000); visit.say(); visit.key(' '); await visit.wait(20000); visit.say(); \
                  document.querySelectorAll('#jumps button')[6].click(); visit.say();";
    let Some(said) = visit(&page, script) else { return };
    let at: Vec<u64> = said.iter().map(|said| said["at"].as_u64().unwrap()).collect();
    assert!((1..=3).contains(&at[8]), "playing stops when it is told to: {at:?}");
    assert_eq!(at, [0, 1, 2, 1, 13, 13, 4, 0, at[8], 13, 7]);
    for said in &said {
        assert_eq!(numbers(&said["pegs"]).len() as u64, 14 - said["at"].as_u64().unwrap(), "{said}");
        assert_eq!((&said["of"], &said["list"]), (&json!(13), &json!(13)));
    }
    assert!(!numbers(&said[0]["pegs"]).contains(&5));
    assert!(said[0]["status"].as_str().unwrap().starts_with("14 pegs at the start"));
    assert!(said[4]["status"].as_str().unwrap().ends_with("1 peg left. The goal is reached."), "{}", said[4]);
}

#[test]
fn a_page_knows_goals_that_say_only_how_many_pegs_are_left() {
    let script = "visit.click('last'); visit.say(); visit.click('back'); visit.say();";
    for (goal, left) in [("count:3", 3), ("dead-end", 5)] {
        let page = page(&["triangle-10", "--start", "2", "--finish", goal], 10);
        let Some(said) = visit(&page, script) else { return };
        let [last, before] = [0, 1].map(|index| said[index]["status"].as_str().unwrap());
        assert!(last.ends_with(&format!("{left} pegs left. The goal is reached.")), "{goal}: {last}");
        assert!(!before.contains("goal"), "{goal}: {before}");
    }
}

#[test]
fn a_visitor_plays_and_takes_back() {
    let page = page(&["triangle-15", "--start", "1"], 10);
    // From the start, peg 4 over peg 2 into hole 1; then what cannot be done; then on from the middle of the plan.
    let script = "visit.hole(4); visit.hole(1); visit.say(); visit.hole(15); visit.say(); visit.hole(1); visit.hole(13); visit.say(); \
                  visit.key('u'); visit.say(); visit.slide(5); \
                  const peg = document.querySelector('.hole.movable'); visit.hole(peg.id.slice(5)); \
                  const hole = document.querySelector('.hole.target'); visit.hole(hole.id.slice(5)); visit.say(); \
                  visit.click('undo'); visit.say(); visit.click('undo'); visit.say(); \
                  visit.hole(6); visit.hole(1); visit.click('plan'); visit.click('last'); visit.say(); \
                  document.getElementById('edit').click(); visit.hole(1); visit.say(); visit.key('z', { ctrlKey: true }); visit.say();";
    let Some(said) = visit(&page, script) else { return };
    let without = |holes: &[usize]| -> Vec<usize> { (1..=15).filter(|hole| !holes.contains(hole)).collect() };
    let status = |index: usize| said[index]["status"].as_str().unwrap();
    assert_eq!(numbers(&said[0]["pegs"]), without(&[2, 4]));
    assert_eq!((&said[0]["at"], &said[0]["of"]), (&json!(1), &json!(1)));
    assert!(status(0).starts_with("Your own: jump 1 of 1: peg 4 jumps peg 2 into hole 1."), "{}", status(0));
    assert_eq!(status(1), "Peg 15 cannot jump now.");
    assert_eq!(numbers(&said[2]["pegs"]), without(&[2, 4]));
    // One step back, and the plan is there again.
    assert_eq!((numbers(&said[3]["pegs"]), &said[3]["of"]), (without(&[1]), &json!(13)));
    assert_eq!((numbers(&said[4]["pegs"]).len(), &said[4]["at"], &said[4]["of"]), (8, &json!(6), &json!(6)));
    assert_eq!((numbers(&said[5]["pegs"]).len(), &said[5]["at"], &said[5]["of"]), (9, &json!(5), &json!(13)));
    // Nothing is left to be taken back.
    assert_eq!(said[5], said[6]);
    assert_eq!((numbers(&said[7]["pegs"]).len(), &said[7]["at"]), (1, &json!(13)));
    // The pegs of one's own start.
    let mut set = numbers(&said[7]["pegs"]);
    if let Some(index) = set.iter().position(|&hole| hole == 1) {
        set.remove(index);
    } else {
        set.insert(0, 1);
    }
    assert_eq!((numbers(&said[8]["pegs"]), &said[8]["of"]), (set, &json!(0)));
    assert_eq!(said[9], said[7]);
}

#[test]
fn boards_without_geometry_and_without_plan() {
    let fano = page(&["fano"], 10);
    let Some(said) = visit(&fano, "visit.click('last'); visit.say();") else { return };
    assert_eq!(numbers(&said[0]["pegs"]).len(), 1);
    // Two pegs between the same two holes: the visitor chooses which is taken.
    let folder = Folder::new();
    let board = folder.write("board", "4 4\n1 2 4\n1 3 4\n");
    let two = page(&[&board], 10);
    let said = visit(&two, "visit.hole(1); visit.hole(4); visit.say(); visit.hole(3); visit.say();").unwrap();
    assert_eq!(said[0]["status"], "Choose the peg that is taken.");
    assert_eq!(numbers(&said[1]["pegs"]), [2, 4]);
    // Without a plan there is the start, and why.
    let none = page(&["european", "--start", "19"], 20);
    assert!(none.contains("NO SOLUTION: every jump keeps "));
    let said = visit(&none, "visit.say(); visit.hole(4); visit.say();").unwrap();
    assert_eq!((numbers(&said[0]["pegs"]).len(), &said[0]["of"]), (36, &json!(0)));
    assert_eq!((numbers(&said[1]["pegs"]).len(), &said[1]["status"]), (36, &json!("Peg 4 cannot jump now.")));
}

#[test]
fn pictures_need_nothing_else() {
    let folder = Folder::new();
    let (svg, html) = (folder.arg("plan.svg"), folder.arg("plan.html"));
    let jumps =
        putnam(&["peg", "solve", "english", "--svg", &svg, "--html", &html, "--show", "json"]).expect(10).stdout;
    let answer: Value = serde_json::from_str(&jumps).unwrap();
    let (svg_text, page) = (fs::read_to_string(&svg).unwrap(), fs::read_to_string(&html).unwrap());
    for text in [&svg_text, &page] {
        let text = text.replace("http://www.w3.org/2000/svg", "");
        for outside in ["http:", "https:", "@import", "src=", "href=", "url(\""] {
            assert!(!text.contains(outside), "{outside}");
        }
    }
    assert!(page.contains("default-src 'none'"));
    assert_eq!(svg_text.matches("class=\"arrow\"").count(), 31);
    let moves = answer["solution"]["moves"].as_array().unwrap().len();
    assert_eq!(svg_text.matches("class=\"board\"").count(), moves + 2);
    assert_eq!(svg_text.matches("<g ").count(), svg_text.matches("</g>").count());
    // The answer of another solver is drawn as well.
    let clauses = putnam(&["peg", "encode", "triangle-10", "--start", "2"]).expect(0).stdout;
    let values = putnam_with(&["solve"], &clauses).expect(10).stdout;
    putnam_with(&["peg", "decode", "--svg", &svg], &values).expect(10);
    assert_eq!(fs::read_to_string(&svg).unwrap().matches("class=\"arrow\"").count(), 8);
    // What is an input, or the same file twice, is refused; what was there before is not left when there is no answer.
    let board = folder.write("board", "3 3\n1 2 3\n");
    putnam(&["peg", "solve", &board, "--svg", &board]).expect(2);
    putnam(&["peg", "solve", &board, "--svg", &svg, "--html", &svg]).expect(2);
    putnam(&["peg", "solve", &board, "--svg", "-"]).expect(2);
    let output = folder.arg("output");
    assert!(putnam(&["peg", "solve", &board, "--svg", "-", "-o", &output]).expect(10).stdout.ends_with("</svg>\n"));
    putnam(&["peg", "solve", "english", "--conflict-limit", "1", "--svg", &svg]).expect(0);
    assert_eq!(fs::read_to_string(&svg).unwrap(), "");
    putnam(&["peg", "solve", &board, "--svg", &folder.arg("no/such/folder")]).expect(1);
}

/// Runs the command with a terminal as its standard output, by `script` of util-linux.
fn on_a_terminal(arguments: &str, no_colour: &str) -> Option<String> {
    if !peer("script") {
        return None;
    }
    let line = format!("NO_COLOR={no_colour} TERM=xterm {PUTNAM} {arguments}");
    let output = Command::new("script").args(["-qec", &line, "/dev/null"]).output().unwrap();
    Some(String::from_utf8(output.stdout).unwrap().replace('\r', ""))
}

#[test]
fn boards_are_coloured_on_a_terminal_alone() {
    let plain = putnam(&["peg", "solve", "triangle-10", "--start", "2", "--show", "boards"]).expect(10).stdout;
    assert!(!plain.contains('\x1b') && plain.contains("   .\n"), "{plain}");
    let Some(coloured) = on_a_terminal("peg solve triangle-10 --start 2 --show boards", "") else { return };
    assert!(coloured.contains("\x1b[1;32mo\x1b[0m"), "{coloured:?}");
    assert_eq!(on_a_terminal("peg solve triangle-10 --start 2 --show boards", "1").unwrap(), plain);
    assert!(!on_a_terminal("peg solve triangle-10 --start 2 --show text", "").unwrap().contains('\x1b'));
}
