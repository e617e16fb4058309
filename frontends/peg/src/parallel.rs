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

use crate::{Board, Goal, Hole, Invariants, Jump, Problem};
use putnam_encode::{AtMostOne, at_most_one_by};
use putnam_formula::{ClauseSink, Lit, Model, Var};

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
        let mut finals = Invariants::of(board).finals(&problem.start);
        if let Goal::PegIn(hole) = problem.goal {
            finals.retain(|&last| last == hole);
        }
        let goal = problem.goal.clone();
        Self { holes: board.holes(), jumps, emptying, filling, pegs: vec![pegs], made: Vec::new(), goal, finals }
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
        let pegs = &self.pegs[steps];
        if let Goal::Pattern(pattern) = &self.goal {
            for (index, peg) in pegs.iter().enumerate() {
                sink.add_clause(&[!asked, peg.lit(pattern.has(index + 1))]);
            }
            return asked;
        }
        let last: Vec<Lit> = self.finals.iter().map(|&hole| pegs[hole - 1].positive()).collect();
        for (index, peg) in pegs.iter().enumerate() {
            if self.finals.binary_search(&(index + 1)).is_err() {
                sink.add_clause(&[!asked, peg.negative()]);
            }
        }
        for (index, &a) in last.iter().enumerate() {
            last[index + 1..].iter().for_each(|&b| sink.add_clause(&[!asked, !a, !b]));
        }
        sink.add_clause(&[vec![!asked], last].concat());
        asked
    }

    /// The jumps of a model, step by step.
    pub fn decode(&self, model: &Model) -> Vec<Vec<Jump>> {
        let step = |step| self.jumps(step).filter(|(_, var)| model.value(*var)).map(|(jump, _)| jump).collect();
        (1..=self.steps()).map(step).collect()
    }
}
