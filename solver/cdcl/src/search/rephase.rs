//! Rephasing: from time to time the saved phases are replaced, in turns by the first phase, its opposite, the best
//! phases so far, the opposite of what is saved, and what a local search makes of them (Biere and Fleury, Chasing
//! Target Phases, 2020; Cai and Zhang, Deep Cooperation of CDCL and Local Search, SAT 2021).

use crate::Solver;
use crate::report::Event;

/// What the saved phases become.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Original,
    Inverted,
    Best,
    Flipping,
    Walk,
}

const FIRST: [Kind; 2] = [Kind::Original, Kind::Inverted];
const CYCLE: [Kind; 9] = {
    use Kind::*;
    [Best, Walk, Flipping, Best, Walk, Original, Best, Walk, Inverted]
};

impl Solver {
    /// Takes the first literals of the trail, of which it is known that they are without conflict, as target and best
    /// phases if there were never so many.
    pub(crate) fn offer_phases(&mut self, consistent: usize) {
        if self.using_target() {
            self.phases.offer(&self.trail.lits()[..consistent]);
        }
    }

    /// Whether enough conflicts have passed.
    pub(crate) fn rephasing(&self) -> bool {
        self.options.rephase != 0 && self.statistics.conflicts >= self.rephase_limit
    }

    /// Resets the saved phases and forgets the target phases.
    pub(crate) fn rephase(&mut self) {
        self.backtrack(self.assumptions.len() as u32);
        let count = self.statistics.rephased as usize;
        let kind = FIRST.get(count).copied().unwrap_or_else(|| CYCLE[(count - FIRST.len()) % CYCLE.len()]);
        let initial = if self.options.phase != 0 { 1 } else { -1 };
        let saved = &mut self.phases.saved;
        match kind {
            Kind::Original => saved.fill(initial),
            Kind::Inverted => saved.fill(-initial),
            Kind::Flipping => saved.iter_mut().for_each(|phase| *phase = -*phase),
            Kind::Best => {
                saved.iter_mut().zip(&self.phases.best).filter(|(_, b)| **b != 0).for_each(|(s, b)| *s = *b);
                self.phases.best_assigned = 0;
            }
            Kind::Walk => {
                if self.warming_up() {
                    self.warm_up();
                }
                self.timed("local search", Self::walk);
            }
        }
        self.phases.clear_target();
        self.statistics.rephased += 1;
        let interval = self.options.rephaseint as u64 * (self.statistics.rephased + 1);
        self.rephase_limit = self.statistics.conflicts + interval;
        self.report(if kind == Kind::Walk { Event::Walk } else { Event::Rephase });
    }
}
