//! The back end: plans from the key alone. The key names the atoms; the board is rebuilt from the names.

use crate::{Board, Goal, Hole, Jump, Plan, Position, builtin};
use nom::bytes::complete::tag;
use nom::character::complete::{char, space0, usize as digits};
use nom::combinator::{all_consuming, map};
use nom::multi::separated_list1;
use nom::sequence::{delimited, preceded};
use nom::{IResult, Parser, branch::alt};
use putnam_api::{Encoding, Error, Solution};
use putnam_formula::{Model, Symbols, Var};
use std::collections::BTreeMap;
use std::sync::Arc;

/// An atom of a peg encoding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Atom {
    Peg { time: usize, hole: Hole },
    Jump { time: usize, jump: Jump },
}

/// Reads `Peg(H,I)` or `Jump(A,B,C,I)`; blanks may stand around the numbers.
fn atom(name: &str) -> Option<Atom> {
    fn arguments(input: &str) -> IResult<&str, Vec<usize>> {
        let number = delimited(space0, digits, space0);
        delimited(char('('), separated_list1(char(','), number), char(')')).parse(input)
    }
    let named = alt((
        map(preceded(tag("Peg"), arguments), |arguments| match *arguments.as_slice() {
            [hole, time] => Some(Atom::Peg { time, hole }),
            _ => None,
        }),
        map(preceded(tag("Jump"), arguments), |arguments| match *arguments.as_slice() {
            [from, over, to, time] => Some(Atom::Jump { time, jump: Jump { from, over, to } }),
            _ => None,
        }),
    ));
    let (_, atom) = all_consuming(delimited(space0, named, space0)).parse(name).ok()?;
    let numbers = match atom? {
        Atom::Peg { time, hole } => vec![time, hole],
        Atom::Jump { time, jump } => vec![time, jump.from, jump.over, jump.to],
    };
    let distinct = |jump: Jump| jump.from != jump.over && jump.over != jump.to && jump.from != jump.to;
    let sound = !numbers.contains(&0) && !matches!(atom?, Atom::Jump { jump, .. } if !distinct(jump));
    if sound { atom } else { None }
}

/// A problem of which the names of its atoms are all that is known.
#[derive(Clone, Debug)]
pub(crate) struct KeyProblem {
    board: Arc<Board>,
    times: usize,
    /// In numeric order of the times, whatever the order of the names.
    atoms: BTreeMap<Atom, Var>,
}

impl KeyProblem {
    /// The problem with these atoms. Names that are not of the peg game are left aside.
    ///
    /// # Errors
    /// [`Error::Input`] when no name is of the peg game.
    pub(crate) fn new(key: &Symbols) -> Result<Self, Error> {
        let atoms: BTreeMap<Atom, Var> = key.iter().filter_map(|(var, name)| Some((atom(name)?, var))).collect();
        if atoms.is_empty() {
            let message = "the key names no atom Peg(H,I) or Jump(A,B,C,I), as lines `number name`";
            return Err(Error::input("back matter", message));
        }
        let (mut holes, mut times) = (0, 1);
        let mut triples = Vec::new();
        for atom in atoms.keys() {
            match *atom {
                Atom::Peg { time, hole } => {
                    holes = holes.max(hole);
                    times = times.max(time);
                }
                Atom::Jump { time, jump } => {
                    holes = jump.holes().into_iter().fold(holes, Hole::max);
                    times = times.max(time.saturating_add(1));
                    triples.push(jump.holes());
                }
            }
        }
        if holes > crate::MAX_HOLES {
            return Err(Error::input("back matter", format!("the key names hole {holes}, which no board has")));
        }
        triples.sort_unstable();
        triples.dedup();
        Ok(Self { board: Arc::new(recognise(Board::new("key", holes, &triples))), times, atoms })
    }

    fn start(&self, model: &Model, jumps: &[Jump]) -> Position {
        let mut start = Position::empty(self.board.holes());
        for hole in 1..=self.board.holes() {
            let peg = match self.atoms.get(&Atom::Peg { time: 1, hole }) {
                Some(&var) => model.value(var),
                // A key that does not name it: the first jump that uses the hole tells.
                None => jumps.iter().find(|jump| jump.holes().contains(&hole)).is_some_and(|jump| jump.to != hole),
            };
            start.set(hole, peg);
        }
        start
    }
}

/// The built-in board with the same jumps, because it has a picture; otherwise the board itself.
fn recognise(board: Board) -> Board {
    let known = builtin::BUILTINS.iter().map(|builtin| builtin.setup().board);
    known.into_iter().find(|known| known.same_jumps(&board)).unwrap_or(board)
}

impl putnam_api::Problem for KeyProblem {
    /// Nothing: the clauses were written by whoever wrote the key.
    fn encode(&self) -> Encoding {
        Encoding::default()
    }

    fn decode(&self, model: &Model) -> Result<Box<dyn Solution>, Error> {
        // The jumps, and how many of them are made before each time.
        let mut jumps: Vec<Jump> = Vec::new();
        let mut before = vec![0, 0];
        let made = self.atoms.iter().filter(|&(_, &var)| model.value(var));
        for atom in made.map(|(atom, _)| *atom) {
            let Atom::Jump { time, jump } = atom else { continue };
            if before.len() <= time {
                before.resize(time + 1, jumps.len());
            }
            if time > 1 && jumps.is_empty() || time > 2 && before[time] == before[time - 1] {
                return Err(Error::Wrong(format!("no jump is made at time {}, but one at time {time}", time - 1)));
            }
            if jumps[before[time]..].iter().any(|other| other.touches(jump)) {
                return Err(Error::Wrong(format!("two jumps that share a hole are made at time {time}")));
            }
            jumps.push(jump);
        }
        let start = self.start(model, &jumps);
        let plan = |goal: Goal| Plan {
            board: Arc::clone(&self.board),
            start: start.clone(),
            goal,
            jumps: jumps.clone(),
            optimum: None,
        };
        let positions = plan(Goal::OnePeg).positions()?;
        for (atom, &var) in &self.atoms {
            let Atom::Peg { time, hole } = *atom else { continue };
            let position = &positions[before.get(time).copied().unwrap_or(jumps.len())];
            if position.has(hole) != model.value(var) {
                return Err(Error::Wrong(format!("Peg({hole},{time}) is not as the jumps make it")));
            }
        }
        // As many times as pegs: the problem is to leave one. Otherwise the end, which the key knows, is what was wanted.
        let one = self.times == start.count().max(1);
        let end = positions[positions.len() - 1].clone();
        Ok(Box::new(plan(if one { Goal::OnePeg } else { Goal::Pattern(end) })))
    }

    fn no_solution(&self, style: &str) -> String {
        if style == "json" { "{\"solution\":null}\n".into() } else { "NO SOLUTION\n".into() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Problem, read};
    use putnam_api::Problem as _;

    #[test]
    fn atoms_are_read_and_other_names_are_not() {
        assert_eq!(atom("Peg(12,3)"), Some(Atom::Peg { time: 3, hole: 12 }));
        let jump = Jump { from: 1, over: 2, to: 3 };
        assert_eq!(atom(" Jump( 1, 2 ,3,10) "), Some(Atom::Jump { time: 10, jump }));
        for name in
            ["Peg(1)", "Peg(1,2,3)", "Jump(1,2,3)", "Jump(1,1,2,1)", "Peg(0,1)", "peg(1,1)", "Peg(1,1)x", "Peg(-1,1)"]
        {
            assert_eq!(atom(name), None, "{name}");
        }
        assert!(KeyProblem::new(&Symbols::new()).is_err());
        assert_eq!(atom("Peg(99999999999999999999999,1)"), None);
    }

    /// Eleven jumps, so that time sorted as text would be out of order.
    #[test]
    fn jumps_come_in_numeric_order_of_time() {
        let setup = read(&format!("o{}.", "o.".repeat(11)), "row").unwrap();
        let problem = Problem::new(Arc::new(setup.board), setup.start);
        let plan = problem.plan((0..11).map(|i| Jump { from: 2 * i + 1, over: 2 * i + 2, to: 2 * i + 3 }).collect());
        plan.verify().unwrap();
        let mut key = Symbols::new();
        let mut model = Model::new(0);
        // The last time is named first.
        for (index, jump) in plan.jumps.iter().enumerate().rev() {
            let var = Var::new(key.len() as u32);
            assert!(key.insert(var, format!("Jump({},{},{},{})", jump.from, jump.over, jump.to, index + 1)));
            model.assign(var.positive());
        }
        let decoded = KeyProblem::new(&key).unwrap().decode(&model).unwrap();
        decoded.verify().unwrap();
        assert_eq!(decoded.render("jumps"), plan.render("jumps"));
    }

    #[test]
    fn a_model_that_is_no_plan_is_refused() {
        let setup = read("oo.o.", "b").unwrap();
        let problem = Problem::new(Arc::new(setup.board), setup.start);
        let encoding = problem.encode();
        let key = KeyProblem::new(&encoding.symbols).unwrap();
        let decode = |atoms: &[&str]| {
            let mut model = Model::new(encoding.cnf.num_vars());
            atoms.iter().for_each(|name| model.assign(encoding.symbols.var(name).unwrap().positive()));
            key.decode(&model).map(|plan| plan.render("jumps")).map_err(|error| error.to_string())
        };
        let right =
            ["Peg(1,1)", "Peg(2,1)", "Peg(4,1)", "Jump(1,2,3,1)", "Peg(3,2)", "Peg(4,2)", "Jump(3,4,5,2)", "Peg(5,3)"];
        assert_eq!(decode(&right), Ok("Jump(1,2,3,1)\nJump(3,4,5,2)\n".into()));
        let but = |index: usize, name: &'static str| {
            let mut atoms = right;
            atoms[index] = name;
            decode(&atoms).unwrap_err()
        };
        assert_eq!(but(3, "Peg(1,1)"), "not a solution: no jump is made at time 1, but one at time 2");
        assert_eq!(but(7, "Jump(5,4,3,2)"), "not a solution: two jumps that share a hole are made at time 2");
        assert_eq!(but(7, "Peg(4,3)"), "not a solution: Peg(4,3) is not as the jumps make it");
        assert_eq!(but(0, "Peg(2,1)"), "not a solution: Jump(1,2,3,1): hole 1 has no peg that could jump");
    }

    #[test]
    fn a_built_in_board_is_recognised_and_drawn() {
        let setup = builtin::builtin("triangle-10").unwrap().setup();
        let encoding = Problem::new(Arc::new(setup.board.clone()), setup.start).encode();
        assert_eq!(*KeyProblem::new(&encoding.symbols).unwrap().board, setup.board);
    }
}
