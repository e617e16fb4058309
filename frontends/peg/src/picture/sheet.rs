//! A plan as a sheet of boards in SVG: the start with the numbers of the holes, each move as arrows on the board before it,
//! and the end.

use super::Layout;
use crate::goal::count_of;
use crate::{Hole, Jump, Plan, Position, Problem};
use putnam_api::page::escaped;
use std::fmt::Write as _;

/// Units of the drawing between neighbours.
const SCALE: f64 = 24.0;
/// Room around the holes of a board, and around the boards.
const MARGIN: f64 = 20.0;
const GAP: f64 = 14.0;
/// Height of the line over a board.
const CAPTION: f64 = 24.0;
const TITLE: f64 = 46.0;

const STYLE: &str = "\
.sheet{fill:#f4f2ee}.board{fill:#fff;stroke:#dedad2}.hole{fill:#e6e2da}.peg{fill:#3b6ea5}.mover{fill:#e08a1e}.taken{fill:#3b6ea5;opacity:.3}\
.arrow{fill:none;stroke:#c2410c;stroke-width:3;stroke-linecap:round}.head{fill:#c2410c}\
text{font-family:system-ui,-apple-system,'Segoe UI',Roboto,'DejaVu Sans',sans-serif;fill:#33302a}.small{font-size:9px;text-anchor:middle}\
.number{fill:#fff}.empty{fill:#8a8478}.caption{font-size:12px}.title{font-size:18px;font-weight:600}\
@media(prefers-color-scheme:dark){.sheet{fill:#17191d}.board{fill:#22252b;stroke:#343943}.hole{fill:#3a3f49}.peg,.taken{fill:#7aa7d9}\
.mover{fill:#f0a94a}.arrow{stroke:#ff8a5c}.head{fill:#ff8a5c}text{fill:#dcdfe4}.number{fill:#14161a}.empty{fill:#9aa1ad}}";

/// One board of the sheet.
struct Cell {
    caption: String,
    position: Position,
    /// The jumps that are drawn, all by one peg.
    jumps: Vec<Jump>,
    numbers: bool,
}

/// The sheet of a plan. One that cannot be replayed is drawn as its start.
pub(super) fn of_plan(plan: &Plan) -> String {
    let positions = plan.positions().unwrap_or_else(|_| vec![plan.start.clone()]);
    let mut cells = vec![Cell::still("start", &plan.start, true)];
    let mut made = 0;
    for (index, holes) in plan.moves().iter().enumerate() {
        let jumps = &plan.jumps[made..made + holes.len() - 1];
        let Some(position) = positions.get(made) else { break };
        let way = holes.iter().map(Hole::to_string).collect::<Vec<_>>().join(" → ");
        cells.push(Cell {
            caption: format!("{}. {way}", index + 1),
            position: position.clone(),
            jumps: jumps.to_vec(),
            numbers: false,
        });
        made += jumps.len();
    }
    if made > 0 {
        cells.push(Cell::still("end", &positions[positions.len() - 1], true));
    }
    let (jumps, moves) = (count_of(plan.jumps.len(), "jump"), count_of(plan.moves().len(), "move"));
    let name = plan.board.name();
    draw(&Layout::of(&plan.board), &format!("{name}: {jumps} in {moves}"), &cells)
}

/// The sheet of a problem without plan: its start.
pub(super) fn of_problem(problem: &Problem) -> String {
    let title = format!("{}: no solution", problem.board.name());
    draw(&Layout::of(&problem.board), &title, &[Cell::still("start", &problem.start, true)])
}

impl Cell {
    fn still(caption: &str, position: &Position, numbers: bool) -> Self {
        Self { caption: caption.into(), position: position.clone(), jumps: Vec::new(), numbers }
    }
}

fn draw(layout: &Layout, title: &str, cells: &[Cell]) -> String {
    let (width, height) = layout.size();
    let (width, height) = ((width * SCALE + 2.0 * MARGIN).max(96.0), height * SCALE + 2.0 * MARGIN + CAPTION);
    // A sheet that is a third wider than high.
    let across = ((cells.len() as f64 * (height + GAP) * 4.0 / 3.0 / (width + GAP)).sqrt().round() as usize).max(1);
    let across = across.min(cells.len());
    let down = cells.len().div_ceil(across);
    // About the width of the title, which may be wider than a board.
    let sheet_width = (across as f64 * (width + GAP) + GAP).max(title.chars().count() as f64 * 10.0 + 2.0 * GAP);
    let sheet_height = down as f64 * (height + GAP) + TITLE;
    let title = escaped(title);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{sheet_width:.0}\" height=\"{sheet_height:.0}\" \
         viewBox=\"0 0 {sheet_width:.0} {sheet_height:.0}\">\n<title>{title}</title>\n<style>{STYLE}</style>\n\
         <defs><marker id=\"head\" viewBox=\"0 0 10 10\" refX=\"7\" refY=\"5\" markerWidth=\"11\" markerHeight=\"11\" \
         markerUnits=\"userSpaceOnUse\" orient=\"auto\"><path class=\"head\" d=\"M0 0.5L10 5L0 9.5z\"/></marker></defs>\n\
         <rect class=\"sheet\" width=\"100%\" height=\"100%\"/>\n<text class=\"title\" x=\"{GAP}\" y=\"30\">{title}</text>\n"
    );
    for (index, cell) in cells.iter().enumerate() {
        let (column, row) = (index % across, index / across);
        let (x, y) = (GAP + column as f64 * (width + GAP), TITLE + row as f64 * (height + GAP));
        let _ = writeln!(svg, "<g transform=\"translate({x:.1} {y:.1})\">");
        let _ = writeln!(svg, "<rect class=\"board\" width=\"{width:.1}\" height=\"{height:.1}\" rx=\"8\"/>");
        // A move of many jumps is written smaller, to stay within its board.
        let size = (1.8 * (width - 16.0) / cell.caption.chars().count() as f64).min(12.0);
        let small = if size < 12.0 { format!(" style=\"font-size:{size:.1}px\"") } else { String::new() };
        let _ = writeln!(svg, "<text class=\"caption\" x=\"10\" y=\"20\"{small}>{}</text>", cell.caption);
        draw_board(&mut svg, layout, cell, ((width - layout.size().0 * SCALE) / 2.0, CAPTION + MARGIN));
        svg += "</g>\n";
    }
    svg + "</svg>\n"
}

/// Draws the holes, pegs and arrows of a board of which the first hole would be at `corner` if it were in the corner.
fn draw_board(svg: &mut String, layout: &Layout, cell: &Cell, corner: (f64, f64)) {
    let place = |(x, y): (f64, f64)| (corner.0 + x * SCALE, corner.1 + y * SCALE);
    let mover = cell.jumps.first().map(|jump| jump.from);
    for (hole, &point) in (1..).zip(layout.points()) {
        let (x, y) = place(point);
        let (class, radius) = match cell.position.has(hole) {
            true if mover == Some(hole) => ("mover", 9.5),
            true if cell.jumps.iter().any(|jump| jump.over == hole) => ("taken", 9.5),
            true => ("peg", 9.5),
            false => ("hole", if cell.numbers { 9.5 } else { 5.0 }),
        };
        let _ = writeln!(svg, "<circle class=\"{class}\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{radius}\"/>");
        if cell.numbers {
            let class = if cell.position.has(hole) { "number" } else { "empty" };
            let _ = writeln!(svg, "<text class=\"small {class}\" x=\"{x:.1}\" y=\"{:.1}\">{hole}</text>", y + 3.2);
        }
    }
    for &jump in &cell.jumps {
        let (from, over, to) =
            (place(layout.point(jump.from)), place(layout.control(jump)), place(layout.point(jump.to)));
        let _ = writeln!(
            svg,
            "<path class=\"arrow\" d=\"M{:.1} {:.1}Q{:.1} {:.1} {:.1} {:.1}\" marker-end=\"url(#head)\"/>",
            from.0, from.1, over.0, over.1, to.0, to.1
        );
    }
}
