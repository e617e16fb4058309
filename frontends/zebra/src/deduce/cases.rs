//! One level of case analysis on top of the procedure.

use super::caller::Caller;
use super::{Cases, NoDeduction};
use putnam_formula::Var;
use std::fmt::Write as _;
use std::rc::Rc;

/// A case analysis that brings something: the atoms that were supposed, and what is so whichever holds.
pub(super) struct Split {
    pub(super) alternatives: Vec<usize>,
    pub(super) follows: Vec<(Var, bool)>,
}

impl<'p> Caller<'p> {
    /// Tries cases; whether they brought anything.
    pub(super) fn by_cases(&mut self) -> Result<bool, NoDeduction> {
        match self.method.cases {
            Cases::None => Ok(false),
            Cases::Literals => Ok(self.fail_literal()),
            Cases::TwoWay => self.split(2),
            Cases::Splits => self.split(usize::MAX),
        }
    }

    /// The calling program with one more fact; none if this leads to a contradiction.
    fn suppose(&mut self, index: usize, value: bool) -> Option<Caller<'p>> {
        let mut other = self.clone();
        (other.calls, other.trace) = (0, String::new());
        other.known[other.atoms[index].2.index()] = Some(value);
        let result = other.run();
        self.calls += other.calls;
        result.is_ok().then_some(other)
    }

    /// The next atom, round and round in the order of the puzzle, that cannot be true, or cannot be false.
    fn fail_literal(&mut self) -> bool {
        let count = self.atoms.len();
        let start = self.sweep;
        for index in (start..count).chain(0..start) {
            let (term, position, var) = self.atoms[index];
            for value in [true, false] {
                if self.known[var.index()].is_none() && self.suppose(index, value).is_none() {
                    let line = self.atom(index, value);
                    let _ = writeln!(self.trace, "  suppose   {line}: contradiction");
                    self.cases.push(vec![(term, position, value)]);
                    self.sweep = index;
                    return self.learn(var, !value, "cases");
                }
            }
        }
        false
    }

    /// Among the lines with at most so many atoms left, the split that decides most.
    fn split(&mut self, most: usize) -> Result<bool, NoDeduction> {
        let lines = Rc::clone(&self.lines);
        let mut best: Option<Split> = None;
        for line in lines.properties.iter().chain(&lines.classes).filter(|line| line.exhaustive) {
            let known = |var: &Var| self.known[var.index()];
            if line.vars.iter().any(|var| known(var) == Some(true)) {
                continue;
            }
            let open: Vec<Var> = line.vars.iter().copied().filter(|var| known(var).is_none()).collect();
            if !(2..=most).contains(&open.len()) {
                continue;
            }
            let split = self.outcome(&open)?;
            if split.follows.len() > best.as_ref().map_or(0, |best| best.follows.len()) {
                best = Some(split);
            }
        }
        let Some(split) = best else { return Ok(false) };
        let names: Vec<String> = split.alternatives.iter().map(|&index| self.atom(index, true)).collect();
        let _ = writeln!(self.trace, "  suppose   {}", names.join(" or "));
        self.cases
            .push(split.alternatives.iter().map(|&index| (self.atoms[index].0, self.atoms[index].1, true)).collect());
        split.follows.iter().for_each(|&(var, value)| {
            self.learn(var, value, "cases");
        });
        Ok(true)
    }

    /// What follows from each of the alternatives.
    pub(super) fn outcome(&mut self, open: &[Var]) -> Result<Split, NoDeduction> {
        let alternatives: Vec<usize> =
            (0..self.atoms.len()).filter(|&index| open.contains(&self.atoms[index].2)).collect();
        let mut common: Option<Vec<Option<bool>>> = None;
        for &index in &alternatives {
            let Some(other) = self.suppose(index, true) else { continue };
            common = Some(match common {
                None => other.known,
                Some(common) => common.iter().zip(&other.known).map(|(a, b)| if a == b { *a } else { None }).collect(),
            });
        }
        let common = common.ok_or(NoDeduction::Contradiction)?;
        let open = self.atoms.iter().map(|atom| atom.2).filter(|var| self.known[var.index()].is_none());
        let follows = open.filter_map(|var| Some((var, common[var.index()]?))).collect();
        Ok(Split { alternatives, follows })
    }
}
