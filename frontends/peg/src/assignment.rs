//! The encoding of the assignment, clause for clause.
//!
//! Atoms: `Peg(H,I)`, hole H has a peg at time I, for I = 1..T, where T is the number of jumps plus one (N - 1 for one
//! vacancy and one peg left); `Jump(A,B,C,I)`, the jump is made between times I and I + 1, for I = 1..T - 1. Variables are
//! numbered by time: first all pegs, then all jumps.
//!
//! The **optional** families are "at least one jump a step" and "at least one peg at the end". Both can be left out: T - 1
//! jumps are needed to take out so many pegs, and the last peg never leaves. A board without jumps has no clause "at least
//! one jump": it would be empty, which the assignment's format cannot say, and the frame axioms already refute it.

use crate::{Goal, Jump, Plan, Problem};
use putnam_api::{Encoding, Error};
use putnam_formula::{ClauseSink, Cnf, Lit, Model, Var};

/// Where the atoms are among the variables.
struct Layout {
    holes: usize,
    jumps: Vec<Jump>,
    times: usize,
}

impl Layout {
    fn new(problem: &Problem) -> Self {
        // A start that has too few pegs for the goal is looked at and left alone.
        let times = problem.steps().unwrap_or(0) + 1;
        Self { holes: problem.board.holes(), jumps: problem.board.jumps(), times }
    }

    fn peg(&self, hole: usize, time: usize) -> Var {
        Var::new(((time - 1) * self.holes + hole - 1) as u32)
    }

    /// The variable of `jumps[index]`.
    fn jump(&self, index: usize, time: usize) -> Var {
        Var::new((self.times * self.holes + (time - 1) * self.jumps.len() + index) as u32)
    }
}

/// The numbers of atoms and clauses that the encoding has.
pub fn size(problem: &Problem) -> (u64, u64) {
    let holes = problem.board.holes() as u64;
    let jumps = 2 * problem.board.triples().len() as u64;
    let steps = problem.steps().unwrap_or(0) as u64;
    let pairs = |n: u64| n * n.saturating_sub(1) / 2;
    let atoms = holes * (steps + 1) + jumps * steps;
    let step = 6 * jumps + 2 * holes + pairs(jumps) + u64::from(problem.optional && jumps > 0);
    let goal = match &problem.goal {
        Goal::OnePeg => pairs(holes) + u64::from(at_least_one_peg(problem)),
        Goal::PegIn(_) => pairs(holes) + u64::from(at_least_one_peg(problem)) + 1,
        // A counter, which is cut off over its limit: at most three clauses for two inputs that it merges on a level.
        Goal::Pegs(count) | Goal::DeadEnd(count) => {
            2 * holes * (*count as u64 + 2).min(holes) * u64::from(holes.ilog2() + 1) + jumps
        }
        Goal::Pattern(_) | Goal::FewestPegs => holes,
        Goal::ShortestDeadEnd => jumps,
    };
    (atoms, step * steps + holes + goal)
}

/// Whether the clause "at least one peg at the end" is written. It is optional only when there is a peg at the start.
fn at_least_one_peg(problem: &Problem) -> bool {
    problem.optional || problem.start.count() == 0
}

/// Writes the clauses and names.
pub(crate) fn encode(problem: &Problem) -> Encoding {
    let layout = Layout::new(problem);
    let mut encoding = Encoding::default();
    for time in 1..=layout.times {
        for hole in 1..=layout.holes {
            encoding.atom(format!("Peg({hole},{time})"));
        }
    }
    for time in 1..layout.times {
        for Jump { from, over, to } in &layout.jumps {
            encoding.atom(format!("Jump({from},{over},{to},{time})"));
        }
    }
    let cnf = &mut encoding.cnf;
    for time in 1..layout.times {
        actions(&layout, time, cnf);
        frame(&layout, time, cnf);
        one_jump(&layout, time, problem.optional, cnf);
    }
    for hole in 1..=layout.holes {
        cnf.add_clause(&[layout.peg(hole, 1).lit(problem.start.has(hole))]);
    }
    goal(&layout, problem, cnf);
    encoding
}

/// Preconditions and effects: three clauses each for every jump.
fn actions(layout: &Layout, time: usize, cnf: &mut Cnf) {
    for (index, jump) in layout.jumps.iter().enumerate() {
        let made = layout.jump(index, time).positive();
        for (hole, before) in [(jump.from, true), (jump.over, true), (jump.to, false)] {
            cnf.add_clause(&[!made, layout.peg(hole, time).lit(before)]);
        }
        for (hole, after) in [(jump.from, false), (jump.over, false), (jump.to, true)] {
            cnf.add_clause(&[!made, layout.peg(hole, time + 1).lit(after)]);
        }
    }
}

/// A peg vanishes only by a jump from its hole or over it, and appears only by a jump into it. A hole in no triple keeps
/// its state.
fn frame(layout: &Layout, time: usize, cnf: &mut Cnf) {
    let holes = layout.holes;
    let mut vanish: Vec<Vec<Lit>> = vec![Vec::new(); holes + 1];
    let mut appear: Vec<Vec<Lit>> = vec![Vec::new(); holes + 1];
    for (index, jump) in layout.jumps.iter().enumerate() {
        let made = layout.jump(index, time).positive();
        vanish[jump.from].push(made);
        vanish[jump.over].push(made);
        appear[jump.to].push(made);
    }
    for hole in 1..=holes {
        let (now, next) = (layout.peg(hole, time), layout.peg(hole, time + 1));
        let mut clause = vec![now.negative(), next.positive()];
        clause.append(&mut vanish[hole]);
        cnf.add_clause(&clause);
        clause.clear();
        clause.extend([now.positive(), next.negative()]);
        clause.append(&mut appear[hole]);
        cnf.add_clause(&clause);
    }
}

/// At most one jump, pairwise; at least one if `optional`.
fn one_jump(layout: &Layout, time: usize, optional: bool, cnf: &mut Cnf) {
    let jumps: Vec<Lit> = (0..layout.jumps.len()).map(|index| layout.jump(index, time).positive()).collect();
    at_most_one(&jumps, cnf);
    if optional && !jumps.is_empty() {
        cnf.add_clause(&jumps);
    }
}

fn goal(layout: &Layout, problem: &Problem, cnf: &mut Cnf) {
    let last: Vec<Lit> = (1..=layout.holes).map(|hole| layout.peg(hole, layout.times).positive()).collect();
    if let Goal::Pegs(count) | Goal::DeadEnd(count) = problem.goal {
        putnam_encode::exactly(cnf, &last, count);
    }
    if let Goal::DeadEnd(_) | Goal::ShortestDeadEnd = problem.goal {
        for jump in &layout.jumps {
            cnf.add_clause(&[!last[jump.from - 1], !last[jump.over - 1], last[jump.to - 1]]);
        }
    }
    if !matches!(problem.goal, Goal::OnePeg | Goal::PegIn(_) | Goal::Pattern(_)) {
        return;
    }
    if let Goal::Pattern(pattern) = &problem.goal {
        for (index, &peg) in last.iter().enumerate() {
            cnf.add_clause(&[if pattern.has(index + 1) { peg } else { !peg }]);
        }
        return;
    }
    at_most_one(&last, cnf);
    if at_least_one_peg(problem) {
        cnf.add_clause(&last);
    }
    if let Goal::PegIn(hole) = problem.goal {
        cnf.add_clause(&[last[hole - 1]]);
    }
}

fn at_most_one(lits: &[Lit], cnf: &mut Cnf) {
    putnam_encode::at_most_one_by(cnf, lits, putnam_encode::AtMostOne::Pairwise);
}

/// The plan of a model of the clauses.
pub(crate) fn decode(problem: &Problem, model: &Model) -> Result<Plan, Error> {
    let layout = Layout::new(problem);
    let mut jumps = Vec::new();
    for time in 1..layout.times {
        let mut made = (0..layout.jumps.len()).filter(|&index| model.value(layout.jump(index, time)));
        match (made.next(), made.next()) {
            (Some(index), None) => jumps.push(layout.jumps[index]),
            (None, _) => return Err(Error::Wrong(format!("no jump is made at time {time}"))),
            (Some(_), Some(_)) => return Err(Error::Wrong(format!("two jumps are made at time {time}"))),
        }
    }
    Ok(problem.plan(jumps))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Position, builtin, read};
    use putnam_api::Problem as _;
    use std::sync::Arc;

    fn named(name: &str) -> Problem {
        let setup = builtin(name).unwrap().setup();
        Problem::new(Arc::new(setup.board), setup.start)
    }

    fn measured(problem: &Problem) -> (usize, usize) {
        let encoding = problem.encode();
        assert_eq!(encoding.symbols.len(), encoding.cnf.num_vars() as usize);
        let size = (encoding.cnf.num_vars() as usize, encoding.cnf.num_clauses());
        assert_eq!(super::size(problem), (size.0 as u64, size.1 as u64));
        size
    }

    #[test]
    fn sizes_are_those_of_the_assignment() {
        assert_eq!(measured(&named("triangle-10")), (234, 2_312));
        assert_eq!(measured(&named("triangle-15")), (678, 11_522));
        assert_eq!(measured(&named("english")), (3_412, 105_125));
        assert_eq!(measured(&named("european")), (4_552, 169_159));
    }

    #[test]
    fn the_optional_families_are_one_clause_a_step_and_one_at_the_end() {
        let mut problem = named("triangle-10");
        problem.optional = false;
        assert_eq!(measured(&problem), (234, 2_312 - 8 - 1));
        problem.goal = Goal::PegIn(3);
        assert_eq!(measured(&problem), (234, 2_312 - 8 - 1 + 1));
        problem.goal = Goal::Pattern(Position::of(10, &[1, 2]));
        measured(&problem);
    }

    #[test]
    fn tiny_boards_have_atoms_for_every_hole_and_never_an_empty_clause() {
        for (text, size) in [
            ("1 1", (1, 2)),
            ("2 1", (2, 2 + 1 + 1)),
            ("3 3", (6, 6 + 3 + 3 + 1)),
            ("4 1\n1 2 3", (4 * 3 + 2 * 2, 2 * (12 + 8 + 1 + 1) + 4 + 6 + 1)),
        ] {
            let setup = read(text, "b").unwrap();
            let problem = Problem::new(Arc::new(setup.board), setup.start);
            assert_eq!(measured(&problem), size, "{text}");
            assert!(problem.encode().cnf.clauses().all(|clause| !clause.is_empty()));
        }
    }

    #[test]
    fn a_hole_in_no_triple_keeps_its_state() {
        let setup = read("4 1\n1 2 3", "b").unwrap();
        let encoding = Problem::new(Arc::new(setup.board), setup.start).encode();
        let atom = |name: &str| encoding.symbols.var(name).unwrap();
        let (now, next) = (atom("Peg(4,1)"), atom("Peg(4,2)"));
        for clause in [[now.negative(), next.positive()], [now.positive(), next.negative()]] {
            assert!(encoding.cnf.clauses().any(|c| c == clause));
        }
    }
}
