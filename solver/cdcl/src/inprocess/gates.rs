//! Gates: clauses that define a variable. When a defined variable is eliminated, only resolvents of a gate's clause
//! with another clause are needed; all others follow (Eén and Biere, SAT 2005).
//!
//! | gate        | clauses that define x                                         |
//! |-------------|---------------------------------------------------------------|
//! | equivalence | (x -y) (-x y)                                                 |
//! | AND, OR     | (-x y) (-x z) ... (x -y -z ...), and the same with x negated    |
//! | if-then-else| (-x -c t) (-x c e) (x -c -t) (x c -e)                         |
//! | XOR         | all clauses over x y z ... with an even number of signs changed |
//!
//! Definitions of other shapes are found in `define.rs`.

use super::dense::Dense;
use crate::Solver;
use crate::data::watch::Watch;
use putnam_formula::Lit;

/// Which clauses of a variable belong to a gate: positions in the lists of its positive and its negative literal.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Gate {
    pub(crate) positive: Vec<usize>,
    pub(crate) negative: Vec<usize>,
    /// Its clauses have resolvents among themselves that are no tautologies.
    pub(crate) inner: bool,
}

/// The irredundant clauses of a variable: a watch is a binary clause or names a large one.
#[derive(Default)]
pub(crate) struct Sides {
    pub(crate) positive: Vec<Watch>,
    pub(crate) negative: Vec<Watch>,
}

impl Solver {
    /// A gate that defines the variable of `pivot`.
    pub(crate) fn find_gate(&mut self, dense: &mut Dense, pivot: Lit, sides: &Sides) -> Option<Gate> {
        if self.options.gates == 0 {
            return None;
        }
        let Sides { positive, negative } = sides;
        if let Some(gate) = find_equivalence(dense, positive, negative) {
            self.statistics.equivalence_gates += 1;
            return Some(gate);
        }
        if let Some((large, binaries)) = self.find_and(dense, pivot, positive, negative) {
            self.statistics.and_gates += 1;
            return Some(Gate { positive: binaries, negative: vec![large], inner: false });
        }
        if let Some((large, binaries)) = self.find_and(dense, !pivot, negative, positive) {
            self.statistics.and_gates += 1;
            return Some(Gate { positive: vec![large], negative: binaries, inner: false });
        }
        if let Some(gate) = self.find_if_then_else(dense, pivot, positive, negative) {
            self.statistics.if_then_else_gates += 1;
            return Some(gate);
        }
        if let Some(gate) = self.find_xor(dense, pivot, positive, negative) {
            self.statistics.xor_gates += 1;
            return Some(gate);
        }
        None
    }

    /// Looks for a clause in `others`, those of `!lit`, of which every other literal's negation is in a binary clause
    /// with `lit`. Answers with its position, and those of the binary clauses.
    fn find_and(&self, dense: &mut Dense, lit: Lit, own: &[Watch], others: &[Watch]) -> Option<(usize, Vec<usize>)> {
        let binaries = own.iter().filter(|watch| watch.is_binary());
        binaries.clone().for_each(|watch| dense.marks[watch.blocking.code()] = true);
        let marks = &dense.marks;
        let large = others.iter().position(|watch| {
            !watch.is_binary() && self.arena.lits(watch.clause()).iter().all(|&l| l == !lit || marks[(!l).code()])
        });
        binaries.for_each(|watch| dense.marks[watch.blocking.code()] = false);
        let large = large?;
        let mut inputs = self.arena.lits(others[large].clause()).to_vec();
        inputs.retain(|&l| l != !lit);
        let mut found = Vec::with_capacity(inputs.len());
        for (i, watch) in own.iter().enumerate() {
            if watch.is_binary()
                && let Some(at) = inputs.iter().position(|&l| l == !watch.blocking)
            {
                inputs.swap_remove(at);
                found.push(i);
            }
        }
        Some((large, found))
    }

    /// The two literals beside `pivot` in a clause of three.
    fn ternary(&self, pivot: Lit, watch: Watch) -> Option<[Lit; 2]> {
        if watch.is_binary() || self.arena.size(watch.clause()) != 3 {
            return None;
        }
        let mut others = self.arena.lits(watch.clause()).iter().copied().filter(|&lit| lit != pivot);
        Some([others.next()?, others.next()?])
    }

    fn find_if_then_else(&self, dense: &mut Dense, pivot: Lit, positive: &[Watch], negative: &[Watch]) -> Option<Gate> {
        let ternaries = |lit: Lit, list: &[Watch]| -> Vec<(usize, [Lit; 2])> {
            list.iter().enumerate().filter_map(|(i, &watch)| Some((i, self.ternary(lit, watch)?))).collect()
        };
        let (ours, theirs) = (ternaries(pivot, positive), ternaries(!pivot, negative));
        if ours.len() < 2 || theirs.len() < 2 {
            return None;
        }
        let find = |list: &[(usize, [Lit; 2])], a: Lit, b: Lit| {
            list.iter().find(|(_, lits)| *lits == [a, b] || *lits == [b, a]).map(|&(i, _)| i)
        };
        for (n, &(i, first)) in ours.iter().enumerate() {
            for &(j, second) in &ours[n + 1..] {
                for [condition, value] in [first, [first[1], first[0]]] {
                    dense.ticks += 1;
                    let Some(at) = second.iter().position(|&lit| lit == !condition) else { continue };
                    let other = second[1 - at];
                    if other == value || other == !value {
                        continue;
                    }
                    let Some(k) = find(&theirs, condition, !value) else { continue };
                    let Some(l) = find(&theirs, !condition, !other) else { continue };
                    return Some(Gate { positive: vec![i, j], negative: vec![k, l], inner: false });
                }
            }
        }
        None
    }

    fn find_xor(&self, dense: &mut Dense, pivot: Lit, positive: &[Watch], negative: &[Watch]) -> Option<Gate> {
        let most = self.options.gatexor as usize + 1;
        positive.iter().find_map(|base| {
            if base.is_binary() || self.arena.size(base.clause()) > most {
                return None;
            }
            let mut lits = self.arena.lits(base.clause()).to_vec();
            let needed = 1 << (lits.len() - 2);
            if positive.len() < needed || negative.len() < needed {
                return None;
            }
            let at = lits.iter().position(|&lit| lit == pivot)?;
            lits.swap(0, at);
            self.find_xor_of(dense, &lits, positive, negative)
        })
    }

    /// Looks for all clauses over the variables of `lits`, of which the first is the pivot, with an even number of
    /// signs changed.
    fn find_xor_of(&self, dense: &mut Dense, lits: &[Lit], positive: &[Watch], negative: &[Watch]) -> Option<Gate> {
        let mut found = vec![None; 1 << lits.len()];
        for (list, side) in [positive, negative].into_iter().enumerate() {
            for (i, watch) in side.iter().enumerate() {
                if watch.is_binary() || self.arena.size(watch.clause()) != lits.len() {
                    continue;
                }
                dense.ticks += 1;
                let pattern = self.arena.lits(watch.clause()).iter().try_fold(0usize, |bits, &lit| {
                    let at = lits.iter().position(|l| l.var() == lit.var())?;
                    Some(bits | usize::from(lits[at] != lit) << at)
                });
                if let Some(pattern) = pattern {
                    found[pattern] = Some((list, i));
                }
            }
        }
        let mut gate = Gate::default();
        for pattern in (0..found.len()).filter(|pattern| pattern.count_ones() % 2 == 0) {
            let (list, i) = found[pattern]?;
            if list == 0 { gate.positive.push(i) } else { gate.negative.push(i) }
        }
        Some(gate)
    }
}

fn find_equivalence(dense: &mut Dense, positive: &[Watch], negative: &[Watch]) -> Option<Gate> {
    let binaries =
        |list: &'_ [Watch]| list.iter().copied().enumerate().filter(|(_, watch)| watch.is_binary()).collect::<Vec<_>>();
    let (ours, theirs) = (binaries(positive), binaries(negative));
    ours.iter().for_each(|(_, watch)| dense.marks[watch.blocking.code()] = true);
    let found = theirs.iter().find(|(_, watch)| dense.marks[(!watch.blocking).code()]);
    ours.iter().for_each(|(_, watch)| dense.marks[watch.blocking.code()] = false);
    let &(j, theirs) = found?;
    let &(i, _) = ours.iter().find(|(_, watch)| watch.blocking == !theirs.blocking)?;
    Some(Gate { positive: vec![i], negative: vec![j], inner: false })
}
