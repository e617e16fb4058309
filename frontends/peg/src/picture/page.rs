//! A page that plays a plan, and on which one can play oneself. Style and script are in the page, which loads nothing: its
//! content security policy forbids it.

use super::Layout;
use crate::goal::count_of;
use crate::{Board, Goal, Plan, Position, Problem};
use putnam_api::Solution as _;
use putnam_api::page::{self, escaped, script_data};
use serde_json::{Value, json};

const PAGE: &str = include_str!("page.html");
const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

/// The page of a plan.
pub(super) fn of_plan(plan: &Plan) -> String {
    let jumps = plan.jumps.iter().map(|jump| jump.holes()).collect();
    let note = format!("{} in {}", count_of(plan.jumps.len(), "jump"), count_of(plan.moves().len(), "move"));
    fill(&plan.board, &plan.start, &plan.goal, jumps, &note, &plan.render("text"))
}

/// The page of a problem without plan.
pub(super) fn of_problem(problem: &Problem) -> String {
    let text = putnam_api::Problem::no_solution(problem, "text");
    fill(&problem.board, &problem.start, &problem.goal, Vec::new(), text.trim_end(), &text)
}

/// `note` stands under the title; `text` is what is shown where scripts do not run.
fn fill(board: &Board, start: &Position, goal: &Goal, jumps: Vec<[usize; 3]>, note: &str, text: &str) -> String {
    let round = |x: f64| (x * 1000.0).round() / 1000.0;
    let points: Vec<Value> = Layout::of(board).points().iter().map(|&(x, y)| json!([round(x), round(y)])).collect();
    let list = |ends: Vec<Position>| ends.iter().map(|end| end.pegs().collect()).collect::<Vec<Vec<usize>>>();
    let data = json!({
        "points": points,
        "triples": board.triples(),
        "start": start.pegs().collect::<Vec<_>>(),
        "jumps": jumps,
        "goal": {
            "ends": goal.ends(board.holes()).map(list),
            "pegs": (!goal.is_open()).then(|| goal.pegs()),
            "stuck": matches!(goal, Goal::DeadEnd(_) | Goal::ShortestDeadEnd),
        },
        "note": note,
    });
    let parts = [
        ("title", escaped(&format!("Peg solitaire: {}", board.name()))),
        ("style", STYLE.to_owned()),
        ("script", SCRIPT.to_owned()),
        ("data", script_data(&data.to_string())),
        ("text", escaped(text)),
    ];
    page::fill(PAGE, &parts.each_ref().map(|(name, part)| (*name, part.as_str())))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read;
    use std::sync::Arc;

    #[test]
    fn names_cannot_leave_their_place() {
        let setup = read("oo.", "</script><b>\"x\"&{{data}}").unwrap();
        let problem = Problem::new(Arc::new(setup.board), setup.start);
        let page = of_problem(&problem);
        assert!(page.contains("<title>Peg solitaire: &lt;/script&gt;&lt;b&gt;&quot;x&quot;&amp;{{data}}</title>"));
        assert_eq!(page.matches("</script>").count(), 2);
        assert_eq!(page.matches("\"triples\":[[1,2,3]]").count(), 1);
        let svg = super::super::sheet::of_problem(&problem);
        assert!(svg.contains("&lt;/script&gt;") && !svg.contains("<b>"));
    }

    #[test]
    fn every_place_of_the_page_is_filled() {
        let setup = read("oo.", "row").unwrap();
        let problem = Problem::new(Arc::new(setup.board), setup.start);
        let page = of_plan(&problem.plan(vec![crate::Jump { from: 1, over: 2, to: 3 }]));
        assert!(!page.contains("{{"));
        assert!(page.contains("peg 1 jumps peg 2 into hole 3"));
    }
}
