//! A peg problem: board, start and goal.

use crate::goal::count_of;
use crate::{Board, Clauses, Goal, Hole, Measure, Plan, Position, Verdict, assignment, parallel, sequential};
use putnam_api::{Answer, Encoding, Error, Solution};
use putnam_formula::{Cnf, Engine, Limits, Model};
use std::sync::Arc;

/// A board with a start and a goal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The board.
    pub board: Arc<Board>,
    /// Where pegs are at the start.
    pub start: Position,
    /// Where they are to be at the end.
    pub goal: Goal,
    /// Whether the goal is the complement of the start, also of another start that takes its place.
    pub complement: bool,
    /// Whether the assignment's two optional clause families are written.
    pub optional: bool,
    /// By which clauses it is solved.
    pub clauses: Clauses,
    /// How many parallel steps [`putnam_api::Problem::encode`] writes for [`Clauses::Parallel`]; without it as many as can be
    /// needed.
    pub horizon: Option<usize>,
    /// What the plan is to have as few of as possible; without it any plan will do.
    pub fewest: Option<Measure>,
    /// What the user should know about the input, one line each.
    pub warnings: Vec<String>,
}

impl Problem {
    /// The problem to leave one peg anywhere, with the optional clauses.
    pub fn new(board: Arc<Board>, start: Position) -> Self {
        Self {
            board,
            start,
            goal: Goal::OnePeg,
            complement: false,
            optional: true,
            clauses: Clauses::Auto,
            horizon: None,
            fewest: None,
            warnings: Vec::new(),
        }
    }

    /// The same problem with the hole `start` empty at the start and pegs in all others.
    ///
    /// # Panics
    /// If the board has no such hole.
    pub fn with_vacancy(&self, start: Hole) -> Self {
        let start = Position::vacancy(self.board.holes(), start);
        let goal = if self.complement { Goal::Pattern(start.complement()) } else { self.goal.clone() };
        Self { start, goal, ..self.clone() }
    }

    /// The number of jumps of every solution: each takes one peg out. None when the start has fewer pegs than the goal.
    pub fn steps(&self) -> Option<usize> {
        self.start.count().checked_sub(self.goal.pegs())
    }

    /// Why there is certainly no solution, if a look at the start already tells.
    pub fn obstacle(&self) -> Option<String> {
        let Some(steps) = self.steps() else {
            let (start, goal) = (count_of(self.start.count(), "peg"), count_of(self.goal.pegs(), "peg"));
            return Some(format!("the start has {start} and the goal {goal}, and a jump never adds one"));
        };
        if steps == 0 {
            return match (self.goal.reached(&self.board, &self.start), &self.goal) {
                (true, _) => None,
                (false, Goal::DeadEnd(_)) => {
                    Some("the goal has as many pegs as the start, from which jumps are possible".into())
                }
                (false, _) => Some("the goal has as many pegs as the start, in other holes".into()),
            };
        }
        if self.goal.is_open() {
            return None;
        }
        let jumps = self.board.jumps();
        if !jumps.iter().any(|&jump| self.start.allows(jump)) {
            return Some("no jump is possible from the start".into());
        }
        // A peg that no jump moves or takes out stays; two of them are too many for one peg.
        let stuck: Vec<Hole> = self
            .start
            .pegs()
            .filter(|&hole| !jumps.iter().any(|jump| jump.from == hole || jump.over == hole))
            .collect();
        match (&self.goal, stuck.as_slice()) {
            (Goal::OnePeg, [a, b, ..]) => Some(format!("the pegs in holes {a} and {b} can never leave the board")),
            (Goal::Pegs(pegs) | Goal::DeadEnd(pegs), stuck) if stuck.len() > *pegs => {
                Some(format!("the pegs in holes {} can never leave the board", crate::invariant::list(stuck)))
            }
            (Goal::PegIn(hole), [a, ..]) if a != hole => Some(format!("the peg in hole {a} can never leave the board")),
            (Goal::Pattern(pattern), _) => stuck
                .iter()
                .find(|&&hole| !pattern.has(hole))
                .map(|hole| format!("the peg in hole {hole} can never leave the board")),
            _ => None,
        }
    }

    /// Checks that the problem's clauses can be written at all.
    ///
    /// # Errors
    /// [`Error::Input`] with the number of clauses when they would not fit into memory.
    pub fn check_size(&self) -> Result<(), Error> {
        const MOST: u64 = 200_000_000;
        let (atoms, clauses) = match self.clauses {
            Clauses::Parallel => parallel::size(self),
            Clauses::Sequential => sequential::size(self),
            Clauses::Auto | Clauses::Assignment => assignment::size(self),
        };
        if atoms.max(clauses) <= MOST {
            return Ok(());
        }
        let message = format!("too large: the clauses of this board would be {clauses}, over {atoms} atoms");
        Err(Error::input(self.board.name(), message))
    }
}

impl putnam_api::Problem for Problem {
    fn encode(&self) -> Encoding {
        match self.clauses {
            Clauses::Parallel => parallel::encode(self),
            Clauses::Sequential => sequential::encode(self),
            Clauses::Auto | Clauses::Assignment => assignment::encode(self),
        }
    }

    fn decode(&self, model: &Model) -> Result<Box<dyn Solution>, Error> {
        match self.clauses {
            Clauses::Parallel => Ok(Box::new(parallel::decode(self, model))),
            Clauses::Sequential => Ok(Box::new(sequential::decode(self, model)?)),
            Clauses::Auto | Clauses::Assignment => Ok(Box::new(assignment::decode(self, model)?)),
        }
    }

    fn default_style(&self) -> Option<&'static str> {
        match (self.fewest, &self.goal) {
            (Some(Measure::Moves), _) => Some("moves"),
            (Some(Measure::Steps), _) => Some("steps"),
            (_, Goal::FewestPegs | Goal::ShortestDeadEnd) => Some("text"),
            _ => None,
        }
    }

    fn check_encode(&self) -> Result<(), Error> {
        let message = match (&self.goal, self.fewest) {
            (Goal::FewestPegs, _) => "clauses ask for one number of pegs at a time: --finish count:N",
            (Goal::ShortestDeadEnd, _) => "clauses ask for one number of pegs at a time: --finish dead-end:N",
            (_, Some(_)) => {
                "--fewest asks for many formulas in turn: --encoding parallel with --steps N writes one of them"
            }
            _ => return Ok(()),
        };
        Err(Error::input("encode", message))
    }

    fn no_solution(&self, style: &str) -> String {
        match style {
            "text" | "boards" => match self.reason() {
                Some(reason) => format!("NO SOLUTION: {reason}\n"),
                None => "NO SOLUTION\n".into(),
            },
            "json" => {
                let json = serde_json::json!({ "board": self.board.name(), "solution": null, "reason": self.reason() });
                format!("{json}\n")
            }
            _ => "NO SOLUTION\n".into(),
        }
    }

    fn solve(&self, engine: &mut dyn Engine, limits: &Limits) -> Option<Result<Answer, Error>> {
        Some(crate::solve(self, engine, limits).map(|verdict| match verdict {
            Verdict::Plan(plan) => Answer::Solution(Box::new(plan)),
            Verdict::NoPlan(_) => Answer::NoSolution,
            Verdict::Unknown(reason) => Answer::Unknown(reason),
        }))
    }

    fn refutation(&self) -> Option<serde_json::Value> {
        self.certify_refutation()
    }

    fn refuted_clauses(&self, engine: &str) -> Option<(Cnf, serde_json::Value)> {
        self.certify_clauses(engine)
    }

    fn picture(&self, name: &str) -> Option<String> {
        self.draw_picture(name)
    }

    fn warnings(&self) -> Vec<String> {
        self.warnings.clone()
    }

    fn describe(&self) -> Option<String> {
        let (board, goal) = (&self.board, self.goal.in_words());
        let size = format!("{}, {}", count_of(board.holes(), "hole"), count_of(board.triples().len(), "triple"));
        Some(format!("{}: {size}; goal: {goal}; start:\n{}", board.name(), board.draw(&self.start)))
    }
}

impl Problem {
    /// The plan of these jumps, one a step.
    pub fn plan(&self, jumps: Vec<crate::Jump>) -> Plan {
        Plan {
            board: Arc::clone(&self.board),
            start: self.start.clone(),
            goal: self.goal.clone(),
            jumps,
            optimum: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{builtin, read};

    fn problem(text: &str) -> Problem {
        let setup = read(text, "b").unwrap();
        Problem::new(Arc::new(setup.board), setup.start)
    }

    #[test]
    fn obstacles_are_named() {
        assert_eq!(problem("3 3\n1 2 3").obstacle(), None);
        assert_eq!(problem("2 1").obstacle(), None);
        assert_eq!(problem("3 2\n1 2 3").obstacle().unwrap(), "no jump is possible from the start");
        assert_eq!(
            problem("1 1").obstacle().unwrap(),
            "the start has 0 pegs and the goal 1 peg, and a jump never adds one"
        );
        let two = "the pegs in holes 4 and 5 can never leave the board";
        assert_eq!(problem("5 3\n1 2 3").obstacle().unwrap(), two);
        let mut finish = problem("4 3\n1 2 3");
        finish.goal = Goal::PegIn(3);
        assert_eq!(finish.obstacle().unwrap(), "the peg in hole 4 can never leave the board");
        finish.goal = Goal::Pattern(Position::of(4, &[3]));
        assert_eq!(finish.obstacle().unwrap(), "the peg in hole 4 can never leave the board");
        finish.goal = Goal::Pattern(Position::of(4, &[1, 2, 3]));
        assert_eq!(finish.obstacle().unwrap(), "the goal has as many pegs as the start, in other holes");
    }

    #[test]
    fn a_formula_that_would_not_fit_is_refused() {
        let setup = read(&vec!["o".repeat(31); 31].join("\n").replacen('o', ".", 1), "big").unwrap();
        let big = Problem::new(Arc::new(setup.board), setup.start);
        assert!(big.check_size().unwrap_err().to_string().starts_with("big: too large: "));
        // Every hole with every other on either side: few holes, but many jumps that exclude each other.
        let all: Vec<[usize; 3]> =
            (1..=100).flat_map(|b| (1..b).flat_map(move |a| (b + 1..=100).map(move |c| [a, b, c]))).collect();
        let dense = Problem {
            clauses: Clauses::Parallel,
            ..Problem::new(Arc::new(Board::new("dense", 100, &all)), Position::vacancy(100, 1))
        };
        assert!(dense.check_size().unwrap_err().to_string().starts_with("dense: too large: "));
        let setup = builtin("wiegleb").unwrap().setup();
        Problem::new(Arc::new(setup.board), setup.start).check_size().unwrap();
    }
}
