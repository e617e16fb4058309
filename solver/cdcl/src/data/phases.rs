//! The values that variables are given when they are decided: saved (the last value; Pipatsrisawat and Darwiche, 2007),
//! target (those of the longest trail without a conflict since the last rephasing) and best (the same since the last
//! time the best phases were used); Biere and Fleury, Chasing Target Phases, 2020.

use putnam_formula::{Lit, Var};

/// One byte a variable and kind: 1, -1, or 0 for none.
#[derive(Default)]
pub(crate) struct Phases {
    pub(crate) saved: Vec<i8>,
    pub(crate) target: Vec<i8>,
    pub(crate) best: Vec<i8>,
    /// How many literals the trail had from which the target phases were taken.
    pub(crate) target_assigned: usize,
    /// How many literals the trail had from which the best phases were taken.
    pub(crate) best_assigned: usize,
}

impl Phases {
    /// Makes room for another variable, with its first saved phase.
    pub(crate) fn grow(&mut self, initial: bool) {
        self.saved.push(if initial { 1 } else { -1 });
        self.target.push(0);
        self.best.push(0);
    }

    /// The literal with the variable's target phase if it has one and `use_target`, else with its saved phase.
    #[inline]
    pub(crate) fn literal(&self, var: Var, use_target: bool) -> Lit {
        let target = if use_target { self.target[var.index()] } else { 0 };
        let phase = if target != 0 { target } else { self.saved[var.index()] };
        var.lit(phase > 0)
    }

    /// Remembers the trail's literals as target or best phases where it is longer than the last one.
    pub(crate) fn offer(&mut self, trail: &[Lit]) {
        if trail.len() > self.target_assigned {
            self.target_assigned = trail.len();
            trail.iter().for_each(|&lit| self.target[lit.var().index()] = sign(lit));
        }
        if trail.len() > self.best_assigned {
            self.best_assigned = trail.len();
            trail.iter().for_each(|&lit| self.best[lit.var().index()] = sign(lit));
        }
    }

    /// Forgets the target phases.
    pub(crate) fn clear_target(&mut self) {
        self.target.fill(0);
        self.target_assigned = 0;
    }

    /// Bytes that are held.
    pub(crate) fn bytes(&self) -> usize {
        3 * self.saved.capacity()
    }
}

#[inline]
pub(crate) fn sign(lit: Lit) -> i8 {
    if lit.is_positive() { 1 } else { -1 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_longer_trails_are_remembered() {
        let mut phases = Phases::default();
        (0..3).for_each(|_| phases.grow(true));
        let [a, b, c] = [-1, 2, -3].map(|x| Lit::from_dimacs(x).unwrap());
        phases.offer(&[a, b]);
        assert_eq!(phases.literal(a.var(), true), a);
        phases.offer(&[!a, c]);
        assert_eq!(phases.literal(a.var(), true), a);
        assert_eq!(phases.literal(c.var(), true), !c);
        phases.clear_target();
        phases.offer(&[c]);
        assert_eq!((phases.literal(a.var(), true), phases.best[0]), (!a, -1));
        assert_eq!((phases.literal(c.var(), true), phases.literal(c.var(), false)), (c, !c));
    }
}
