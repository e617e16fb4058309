//! The parallel encoding: several jumps that share no hole in one step.
//!
//! Plans as satisfiability with parallel steps go back to Kautz and Selman (Pushing the Envelope, AAAI 1996). **Process
//! semantics** (Heljanko, Bounded Reachability Checking with Process Semantics, CONCUR 2001; Rintanen, Heljanko and Niemelä, Planning as
//! Satisfiability: Parallel Plans and Algorithms for Plan Search, 2006) makes every jump as early as it can be: a jump that
//! was possible a step before and is made only now is forbidden. Each plan, read as a partial order of its jumps, then has one
//! reading in steps, and idle steps come last, so that a formula of T steps has all plans of at most T steps.
//!
//! The formula grows a step at a time; the goal is asked for by an assumption, so that one solver keeps what it has learned
//! from one horizon to the next.

use crate::ends::Ends;
use crate::{Board, Goal, Hole, Invariants, Jump, Plan, Problem};
use putnam_api::Encoding;
use putnam_encode::{AtMostOne, at_most_one_by};
use putnam_formula::{ClauseSink, Cnf, Lit, Model, Symbols, Var};

/// A formula that says what can happen on a board in a number of parallel steps.
#[derive(Clone, Debug)]
pub struct Unrolled {
    holes: usize,
    jumps: Vec<Jump>,
    /// By hole: the jumps, by index, that take its peg away, and those that fill it.
    emptying: Vec<Vec<usize>>,
    filling: Vec<Vec<usize>>,
    /// `pegs[t][h]` is the peg in hole h + 1 after t steps.
    pegs: Vec<Vec<Var>>,
    /// `made[t][j]` is jump j in step t + 1.
    made: Vec<Vec<Var>>,
    /// What the goal allows at the end.
    goal: Goal,
    /// Where the last peg can be, as far as parity tells; for goals of one peg.
    finals: Vec<Hole>,
}

impl Unrolled {
    /// The formula of no step: the start.
    pub fn new(problem: &Problem, sink: &mut dyn ClauseSink) -> Self {
        let board: &Board = &problem.board;
        let jumps = board.jumps();
        let mut emptying = vec![Vec::new(); board.holes()];
        let mut filling = vec![Vec::new(); board.holes()];
        for (index, jump) in jumps.iter().enumerate() {
            emptying[jump.from - 1].push(index);
            emptying[jump.over - 1].push(index);
            filling[jump.to - 1].push(index);
        }
        let pegs: Vec<Var> = (0..board.holes()).map(|_| sink.new_var()).collect();
        for (index, peg) in pegs.iter().enumerate() {
            sink.add_clause(&[peg.lit(problem.start.has(index + 1))]);
        }
        let finals = finals(problem);
        let goal = problem.goal.clone();
        Self { holes: board.holes(), jumps, emptying, filling, pegs: vec![pegs], made: Vec::new(), goal, finals }
    }

    /// Another goal for [`Unrolled::goal`], which says how many pegs there are at the end and not where.
    pub(crate) fn set_goal(&mut self, goal: Goal) {
        self.goal = goal;
    }

    /// The number of steps so far.
    pub fn steps(&self) -> usize {
        self.made.len()
    }

    /// The variable of a peg in `hole` after `steps` steps.
    pub fn peg(&self, hole: Hole, steps: usize) -> Var {
        self.pegs[steps][hole - 1]
    }

    /// The jumps and their variables in step `step`, counted from 1.
    pub fn jumps(&self, step: usize) -> impl Iterator<Item = (Jump, Var)> + '_ {
        self.jumps.iter().copied().zip(self.made[step - 1].iter().copied())
    }

    /// Adds a step.
    pub fn extend(&mut self, sink: &mut dyn ClauseSink) {
        let made: Vec<Var> = self.jumps.iter().map(|_| sink.new_var()).collect();
        let next: Vec<Var> = (0..self.holes).map(|_| sink.new_var()).collect();
        let now = &self.pegs[self.pegs.len() - 1];
        for (jump, var) in self.jumps.iter().zip(&made) {
            for (hole, before) in [(jump.from, true), (jump.over, true), (jump.to, false)] {
                sink.add_clause(&[var.negative(), now[hole - 1].lit(before)]);
                sink.add_clause(&[var.negative(), next[hole - 1].lit(!before)]);
            }
        }
        for hole in 0..self.holes {
            let of = |jumps: &[usize]| -> Vec<Lit> { jumps.iter().map(|&index| made[index].positive()).collect() };
            // The hole is full before a jump that empties it and empty before one that fills it: one bound for each kind
            // keeps every hole to one jump. They are short, and engines do better without auxiliary variables.
            let (empty, fill) = (of(&self.emptying[hole]), of(&self.filling[hole]));
            at_most_one_by(sink, &empty, AtMostOne::Pairwise);
            at_most_one_by(sink, &fill, AtMostOne::Pairwise);
            sink.add_clause(&[vec![now[hole].negative(), next[hole].positive()], empty].concat());
            sink.add_clause(&[vec![now[hole].positive(), next[hole].negative()], fill].concat());
        }
        if let [.., before, _] = self.pegs.as_slice() {
            for (jump, var) in self.jumps.iter().zip(&made) {
                let peg = |hole: Hole| before[hole - 1];
                let possible_before = [peg(jump.from).negative(), peg(jump.over).negative(), peg(jump.to).positive()];
                sink.add_clause(&[&[var.negative()][..], &possible_before].concat());
            }
        }
        self.made.push(made);
        self.pegs.push(next);
    }

    /// A fresh literal that implies the goal after `steps` of the steps. When the literal must be false, no plan has that
    /// many parallel steps or fewer.
    pub fn goal(&self, sink: &mut dyn ClauseSink, steps: usize) -> Lit {
        let asked = sink.new_var().positive();
        let ends = Ends { goal: &self.goal, finals: &self.finals, jumps: &self.jumps };
        ends.ask(sink, asked, &self.pegs[steps]);
        asked
    }

    /// The jumps of a model, step by step.
    pub fn decode(&self, model: &Model) -> Vec<Vec<Jump>> {
        let step = |step| self.jumps(step).filter(|(_, var)| model.value(*var)).map(|(jump, _)| jump).collect();
        (1..=self.steps()).map(step).collect()
    }
}

/// Where the last peg can be, as far as parity and the goal tell.
pub(crate) fn finals(problem: &Problem) -> Vec<Hole> {
    let mut finals = Invariants::of(&problem.board).finals(&problem.start);
    if let Goal::PegIn(hole) = problem.goal {
        finals.retain(|&last| last == hole);
    }
    finals
}

/// The formula of a complete horizon with the goal, or of `problem.horizon` steps. Its atoms are named as those of the
/// assignment; several jumps may have the same time.
pub(crate) fn encode(problem: &Problem) -> Encoding {
    let (unrolled, cnf) = unroll(problem);
    let mut symbols = Symbols::new();
    for time in 1..=unrolled.steps() + 1 {
        for hole in 1..=unrolled.holes {
            symbols.insert(unrolled.peg(hole, time - 1), format!("Peg({hole},{time})"));
        }
    }
    for time in 1..=unrolled.steps() {
        for (Jump { from, over, to }, var) in unrolled.jumps(time) {
            symbols.insert(var, format!("Jump({from},{over},{to},{time})"));
        }
    }
    Encoding { cnf, symbols }
}

/// The plan of a model of [`encode`]'s clauses.
pub(crate) fn decode(problem: &Problem, model: &Model) -> Plan {
    problem.plan(unroll(problem).0.decode(model).concat())
}

/// The most atoms and clauses that [`encode`] writes.
pub(crate) fn size(problem: &Problem) -> (u64, u64) {
    let holes = problem.board.holes();
    let jumps = problem.board.jumps();
    let (mut emptying, mut filling) = (vec![0u64; holes], vec![0u64; holes]);
    for jump in &jumps {
        emptying[jump.from - 1] += 1;
        emptying[jump.over - 1] += 1;
        filling[jump.to - 1] += 1;
    }
    let pairs = |n: u64| n * n.saturating_sub(1) / 2;
    let (holes, jumps, steps) = (holes as u64, jumps.len() as u64, steps(problem) as u64);
    let step = 7 * jumps + 2 * holes + emptying.into_iter().chain(filling).map(pairs).sum::<u64>();
    // A counter has one output for each of its inputs on every level of a tree, and three clauses for each pair that it merges.
    let count = match problem.goal {
        Goal::Pegs(count) | Goal::DeadEnd(count) => holes * (count as u64 + 1).min(holes),
        _ => 0,
    };
    let levels = u64::from(holes.ilog2() + 1);
    let goal = holes + pairs(holes) + 2 + jumps + 3 * count * levels;
    (
        holes * (steps + 1) + jumps * steps + 1 + if count == 0 { 0 } else { holes * levels },
        step.saturating_mul(steps).saturating_add(holes + goal),
    )
}

/// How many steps [`encode`] writes.
fn steps(problem: &Problem) -> usize {
    problem.horizon.or(problem.steps()).unwrap_or(0)
}

fn unroll(problem: &Problem) -> (Unrolled, Cnf) {
    let mut cnf = Cnf::new();
    let mut unrolled = Unrolled::new(problem, &mut cnf);
    for _ in 0..steps(problem) {
        unrolled.extend(&mut cnf);
    }
    let goal = unrolled.goal(&mut cnf, unrolled.steps());
    cnf.add_clause(&[goal]);
    (unrolled, cnf)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Peg, builtin};
    use putnam_api::{Frontend as _, Problem as _};
    use putnam_cdcl::Solver;
    use putnam_formula::{Engine as _, Outcome};

    /// The named clauses are decoded by the problem and by the key alike; the fewest steps are where they become
    /// satisfiable.
    #[test]
    fn named_clauses_and_horizons() {
        let setup = builtin("triangle-10").unwrap().setup();
        let mut problem = Problem::new(setup.board.into(), setup.start).with_vacancy(2);
        problem.clauses = crate::Clauses::Parallel;
        let mut verdicts = Vec::new();
        for horizon in 1..=8 {
            problem.horizon = Some(horizon);
            let encoding = problem.encode();
            let (atoms, clauses) = size(&problem);
            assert_eq!(u64::from(encoding.cnf.num_vars()), atoms);
            let written = encoding.cnf.num_clauses() as u64;
            assert!((clauses - 120..=clauses).contains(&written), "{written} of {clauses}");
            let mut solver = Solver::new();
            encoding.cnf.clauses().for_each(|clause| solver.add_clause(clause));
            solver.declare(encoding.cnf.num_vars());
            verdicts.push(match solver.solve(&[]) {
                Outcome::Satisfiable(model) => {
                    let plan = problem.decode(&model).unwrap();
                    plan.verify().unwrap();
                    let by_key = Peg.open_key(&encoding.symbols).unwrap().unwrap().decode(&model).unwrap();
                    by_key.verify().unwrap();
                    // Jumps of one step may stand in another order.
                    assert_eq!(by_key.render("jumps").lines().count(), plan.render("jumps").lines().count());
                    true
                }
                _ => false,
            });
        }
        assert!(!verdicts[0] && verdicts[7] && verdicts.is_sorted(), "{verdicts:?}");
    }
}
