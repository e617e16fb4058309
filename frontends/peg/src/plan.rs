//! Plans: the solutions of peg problems.

use crate::{Board, Goal, Hole, Jump, Optimum, Position, Problem};
use putnam_api::{Error, Solution};
use std::fmt::Write as _;
use std::sync::Arc;

/// The styles in which a plan can be rendered, the default first.
pub const STYLES: &[&str] = &["jumps", "text", "arrows", "boards", "moves", "steps"];

/// A sequence of jumps for a problem. The first is made at time 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    /// The board.
    pub board: Arc<Board>,
    /// Where pegs are at the start.
    pub start: Position,
    /// Where they are to be at the end.
    pub goal: Goal,
    /// The jumps in the order in which they are made.
    pub jumps: Vec<Jump>,
    /// In what it is the best, when the best was asked for.
    pub optimum: Option<Optimum>,
}

impl Plan {
    /// The positions: the start, and the one after each jump.
    ///
    /// # Errors
    /// [`Error::Wrong`] names the first jump that the rules do not allow.
    pub fn positions(&self) -> Result<Vec<Position>, Error> {
        let allowed = self.board.jumps();
        let mut position = self.start.clone();
        let mut positions = vec![position.clone()];
        for (index, &jump) in self.jumps.iter().enumerate() {
            let made =
                if allowed.contains(&jump) { position.make(jump) } else { Err("these holes are not in a row".into()) };
            made.map_err(|why| Error::Wrong(format!("{}: {why}", self.jump_in_words(index))))?;
            positions.push(position.clone());
        }
        Ok(positions)
    }

    /// The moves: each is one or more jumps in a row by one peg, given as the holes that it visits.
    pub fn moves(&self) -> Vec<Vec<Hole>> {
        let mut moves: Vec<Vec<Hole>> = Vec::new();
        for jump in &self.jumps {
            match moves.last_mut() {
                Some(last) if last.last() == Some(&jump.from) => last.push(jump.to),
                _ => moves.push(vec![jump.from, jump.to]),
            }
        }
        moves
    }

    /// The steps: each jump in the first step in which it can be made, jumps of one step sharing no hole.
    pub fn steps(&self) -> Vec<Vec<Jump>> {
        let mut steps: Vec<Vec<Jump>> = Vec::new();
        // By hole: the number of steps up to the last that uses it.
        let mut used = vec![0; self.board.holes()];
        for jump in &self.jumps {
            let step = jump.holes().into_iter().map(|hole| used[hole - 1]).max().unwrap_or(0);
            jump.holes().into_iter().for_each(|hole| used[hole - 1] = step + 1);
            if steps.len() == step {
                steps.push(Vec::new());
            }
            steps[step].push(*jump);
        }
        steps
    }

    fn jump_in_words(&self, index: usize) -> String {
        let Jump { from, over, to } = self.jumps[index];
        format!("Jump({from},{over},{to},{})", index + 1)
    }

    /// The boards, one after the other. In colour the peg that has jumped and the two holes that it has emptied stand out.
    fn boards(&self, coloured: bool) -> String {
        let Ok(positions) = self.positions() else { return self.render("jumps") };
        let draw = |position: &Position, jump: Option<Jump>| match coloured {
            true => paint(&self.board, position, jump),
            false => self.board.draw(position),
        };
        let mut text = draw(&positions[0], None);
        for (index, position) in positions.iter().skip(1).enumerate() {
            let board = draw(position, Some(self.jumps[index]));
            let _ = write!(text, "\n{}\n{board}", self.jump_in_words(index));
        }
        text
    }
}

/// A position as [`Board::draw`] draws it, in colours. `jump` is the one that led to it.
fn paint(board: &Board, position: &Position, jump: Option<Jump>) -> String {
    const RESET: &str = "\x1b[0m";
    let colour = |hole: Hole| match jump {
        Some(jump) if jump.to == hole => "\x1b[1;32m",
        Some(jump) if jump.from == hole => "\x1b[32m",
        Some(jump) if jump.over == hole => "\x1b[1;31m",
        _ if position.has(hole) => "\x1b[33m",
        _ => "\x1b[2m",
    };
    let plain = board.draw(position);
    let (mut text, mut hole, mut begun) = (String::new(), 0, false);
    for character in plain.chars() {
        // Every hole is a word, or where there is a picture a character.
        let blank = character.is_whitespace();
        if begun && (blank || board.picture().is_some()) {
            text += RESET;
            begun = false;
        }
        if !blank && !begun {
            hole += 1;
            text += colour(hole);
            begun = true;
        }
        text.push(character);
    }
    text
}

impl Solution for Plan {
    fn verify(&self) -> Result<(), Error> {
        let positions = self.positions()?;
        let last = &positions[positions.len() - 1];
        if !self.goal.reached(&self.board, last) {
            return Err(Error::Wrong(format!("after {} jumps there are pegs in holes {last:?}", self.jumps.len())));
        }
        match &self.optimum {
            Some(optimum) if optimum.measure.of(self) != optimum.count => {
                let (count, word) = (optimum.measure.of(self), optimum.measure.word());
                Err(Error::Wrong(format!("the plan has {count} {word}s, not {}", optimum.count)))
            }
            _ => Ok(()),
        }
    }

    fn render(&self, style: &str) -> String {
        let known = |optimum: &Optimum| optimum.in_words() + "\n";
        let known = self.optimum.as_ref().map_or_else(String::new, known);
        match style {
            "boards" => return self.boards(false) + &known,
            "moves" => return self.moves().iter().map(|holes| path(holes) + "\n").collect::<String>() + &known,
            "steps" => return self.steps().iter().map(|step| arrows(step) + "\n").collect::<String>() + &known,
            _ => {}
        }
        let mut text = String::new();
        for (index, &Jump { from, over, to }) in self.jumps.iter().enumerate() {
            let _ = match style {
                "text" => writeln!(text, "peg {from} jumps peg {over} into hole {to}"),
                "arrows" => writeln!(text, "{from}->{to}"),
                _ => writeln!(text, "{}", self.jump_in_words(index)),
            };
        }
        // The other styles are for programs.
        if style == "text" { text + &known } else { text }
    }

    fn render_coloured(&self, style: &str) -> String {
        if style != "boards" {
            return self.render(style);
        }
        let known = self.optimum.as_ref().map_or_else(String::new, |optimum| optimum.in_words() + "\n");
        self.boards(true) + &known
    }

    fn picture(&self, name: &str) -> Option<String> {
        self.draw_picture(name)
    }

    fn certificate(&self) -> Option<serde_json::Value> {
        let problem = Problem::new(Arc::clone(&self.board), self.start.clone());
        Some(Problem { goal: self.goal.clone(), ..problem }.certify_plan(&self.jumps))
    }

    fn to_json(&self) -> serde_json::Value {
        let jumps: Vec<_> = (self.jumps.iter().enumerate())
            .map(|(index, jump)| serde_json::json!({ "time": index + 1, "from": jump.from, "over": jump.over, "to": jump.to }))
            .collect();
        let end = self.positions().ok().and_then(|positions| positions.last().cloned());
        let steps =
            self.steps().iter().map(|step| step.iter().map(|jump| jump.holes()).collect()).collect::<Vec<Vec<_>>>();
        let mut json = serde_json::json!({
            "board": self.board.name(),
            "holes": self.board.holes(),
            "start": self.start.pegs().collect::<Vec<_>>(),
            "jumps": jumps,
            "moves": self.moves(),
            "steps": steps,
            "end": end.map(|end| end.pegs().collect::<Vec<_>>()),
        });
        if let Some(optimum) = &self.optimum {
            json["fewest"] = optimum.to_json();
        }
        json
    }
}

/// The holes that a peg visits, such as `5-14-12`.
fn path(holes: &[Hole]) -> String {
    holes.iter().map(Hole::to_string).collect::<Vec<_>>().join("-")
}

/// The jumps of a step, such as `4->1 11->13`.
fn arrows(jumps: &[Jump]) -> String {
    jumps.iter().map(|jump| format!("{}->{}", jump.from, jump.to)).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read;

    fn plan(text: &str, jumps: &[[Hole; 3]]) -> Plan {
        let setup = read(text, "b").unwrap();
        let jumps = jumps.iter().map(|&[from, over, to]| Jump { from, over, to }).collect();
        Plan { board: Arc::new(setup.board), start: setup.start, goal: Goal::OnePeg, jumps, optimum: None }
    }

    #[test]
    fn plans_are_replayed() {
        let row = "oo..o";
        plan("oo.", &[[1, 2, 3]]).verify().unwrap();
        assert_eq!(
            plan(row, &[[1, 2, 3]]).verify().unwrap_err().to_string(),
            "not a solution: after 1 jumps there are pegs in holes {3, 5}"
        );
        assert_eq!(
            plan(row, &[[1, 2, 3], [3, 4, 5]]).verify().unwrap_err().to_string(),
            "not a solution: Jump(3,4,5,2): hole 4 has no peg to jump over"
        );
        assert_eq!(
            plan(row, &[[1, 2, 4]]).verify().unwrap_err().to_string(),
            "not a solution: Jump(1,2,4,1): these holes are not in a row"
        );
    }

    #[test]
    fn colours_change_nothing_else() {
        for (text, jumps) in [("oo.o.", &[[1, 2, 3], [3, 4, 5]][..]), ("12 3\n1 2 3\n3 4 12\n", &[[12, 4, 3]])] {
            let plan = plan(text, jumps);
            let coloured = plan.render_coloured("boards");
            let mut plain = String::new();
            for part in coloured.split('\x1b') {
                plain += part.split_once('m').filter(|_| part.starts_with('[')).map_or(part, |(_, rest)| rest);
            }
            assert_eq!(plain, plan.render("boards"));
            assert_eq!(coloured.matches("\x1b[1;31m").count(), plan.positions().map_or(0, |all| all.len() - 1));
            assert_eq!(plan.render_coloured("text"), plan.render("text"));
        }
    }

    #[test]
    fn every_style() {
        let plan = plan("oo.o.", &[[1, 2, 3], [3, 4, 5]]);
        plan.verify().unwrap();
        assert_eq!(plan.render("jumps"), "Jump(1,2,3,1)\nJump(3,4,5,2)\n");
        assert_eq!(plan.render("arrows"), "1->3\n3->5\n");
        assert_eq!(plan.render("text"), "peg 1 jumps peg 2 into hole 3\npeg 3 jumps peg 4 into hole 5\n");
        assert_eq!(plan.render("boards"), "o o . o .\n\nJump(1,2,3,1)\n. . o o .\n\nJump(3,4,5,2)\n. . . . o\n");
        assert_eq!(plan.moves(), [[1, 3, 5]]);
        let json = plan.to_json();
        assert_eq!(json["jumps"][1], serde_json::json!({ "time": 2, "from": 3, "over": 4, "to": 5 }));
        assert_eq!((&json["start"], &json["end"]), (&serde_json::json!([1, 2, 4]), &serde_json::json!([5])));
    }
}
