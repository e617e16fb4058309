//! Which of two factors belongs to a product: the one that is better connected to the first factor.

use super::Factoring;
use crate::Solver;
use putnam_formula::{Scratch, Var};

const UNKNOWN: u64 = u64::MAX;

/// How well variables are connected to that of the first factor.
#[derive(Default)]
pub(super) struct Paths {
    /// By variable: ways of two steps.
    two: Scratch<u64>,
    reached: Vec<Var>,
    /// By variable: ways of three steps, or [`UNKNOWN`] where they were not counted.
    three: Scratch<u64>,
    asked: Vec<Var>,
}

impl Paths {
    pub(super) fn new(num_vars: usize) -> Self {
        Self { two: vec![0; num_vars].into(), three: vec![UNKNOWN; num_vars].into(), ..Self::default() }
    }

    pub(super) fn grow(&mut self) {
        self.two.push(0);
        self.three.push(UNKNOWN);
    }

    /// Another factor comes first.
    pub(super) fn forget(&mut self) {
        self.reached.drain(..).for_each(|var| self.two[var.index()] = 0);
        self.asked.drain(..).for_each(|var| self.three[var.index()] = UNKNOWN);
    }
}

impl Solver {
    /// The number of ways of three steps from one variable to another; a step is a clause that has both.
    pub(super) fn paths_to_first(&self, run: &mut Factoring, first: Var, var: Var) -> u64 {
        if run.paths.reached.is_empty() {
            let mut near = Vec::new();
            self.visit_neighbours(run, first, |run, other| {
                run.paths.two[other.index()] += 1;
                near.push(other);
            });
            near.iter().for_each(|other| run.paths.two[other.index()] = 0);
            for other in near {
                self.visit_neighbours(run, other, |run, var| {
                    if run.paths.two[var.index()] == 0 {
                        run.paths.reached.push(var);
                    }
                    run.paths.two[var.index()] += 1;
                });
            }
        }
        let known = run.paths.three[var.index()];
        if known != UNKNOWN {
            return known;
        }
        let mut sum = 0;
        self.visit_neighbours(run, var, |run, other| sum += run.paths.two[other.index()]);
        run.paths.three[var.index()] = sum;
        run.paths.asked.push(var);
        sum
    }

    fn visit_neighbours(&self, run: &mut Factoring, var: Var, mut visit: impl FnMut(&mut Factoring, Var)) {
        for lit in [var.positive(), var.negative()] {
            run.ticks += 1 + self.watches.lines(lit) + run.occurrences.lines(lit);
            for watch in self.watches.get(lit).iter().filter(|watch| !watch.is_redundant_binary()) {
                visit(run, watch.blocking.var());
            }
            for i in 0..run.occurrences.len(lit) {
                let clause = run.occurrences.get(lit)[i];
                run.ticks += 1;
                if !self.arena.is_garbage(clause) {
                    self.arena.lits(clause).iter().filter(|&&l| l != lit).for_each(|l| visit(run, l.var()));
                }
            }
        }
    }
}
