//! From exclusive ors to matrices.
//!
//! Where the exclusive ors hang together like a tree, unit propagation on their clauses finds all that follows
//! (Laitinen, Junttila and Niemelä, Classifying and propagating parity constraints, CP 2012). So what has no more than
//! one variable in common with the rest is left out, again and again. What remains falls into parts without common
//! variables, and each of these becomes a matrix, if it is neither too small nor too large.

use super::matrix::{Equation, Matrix};
use crate::inprocess::parity::Xor;
use putnam_formula::{Scratch, Var};

/// How large a matrix may be.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bounds {
    pub(super) min_rows: usize,
    pub(super) max_rows: usize,
    pub(super) max_columns: usize,
    /// The largest ones, in rows.
    pub(super) max_parts: usize,
}

/// A matrix, and what its columns and equations mean.
pub(super) struct Part {
    pub(super) matrix: Matrix,
    /// By column.
    pub(super) vars: Vec<Var>,
    /// The exclusive ors that went in, if they are wanted.
    pub(super) xors: Vec<Xor>,
    pub(super) worth: Worth,
}

/// Whether a matrix pays.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Worth {
    /// It is not used any more; its rows are still reasons.
    pub(super) is_off: bool,
    /// What it found lately, a conflict counting as several literals.
    found: u64,
    /// What that cost, in ticks.
    ticks: u64,
}

impl Worth {
    /// A conflict is worth so many implied literals.
    const CONFLICT: u64 = 10;

    pub(super) fn count(&mut self, implied: usize, conflict: bool, ticks: u64) {
        self.found += implied as u64 + Self::CONFLICT * u64::from(conflict);
        self.ticks += ticks;
    }

    /// Each time that at least `patience` ticks were spent: switches it off if they were more than `price` for a
    /// literal. What is older counts less.
    pub(super) fn judge(&mut self, patience: u64, price: u64) {
        if self.ticks >= patience {
            self.is_off |= self.ticks > price * self.found;
            self.found /= 2;
            self.ticks /= 2;
        }
    }
}

/// Drops exclusive ors that share at most one variable with all others.
fn prune(num_vars: usize, xors: &mut Vec<Xor>) {
    let mut occurrences = Scratch::from(vec![Vec::<u32>::new(); num_vars]);
    for (index, xor) in xors.iter().enumerate() {
        xor.vars.iter().for_each(|var| occurrences[var.index()].push(index as u32));
    }
    let mut counts: Scratch<u32> = occurrences.iter().map(|list| list.len() as u32).collect();
    let mut dropped = vec![false; xors.len()];
    let mut queue: Vec<u32> = (0..xors.len() as u32).collect();
    while let Some(index) = queue.pop() {
        let xor = &xors[index as usize];
        let shared = xor.vars.iter().filter(|var| counts[var.index()] > 1).count();
        if shared > 1 || std::mem::replace(&mut dropped[index as usize], true) {
            continue;
        }
        for var in &xor.vars {
            counts[var.index()] -= 1;
            if counts[var.index()] == 1 {
                queue.extend(occurrences[var.index()].iter().filter(|&&other| !dropped[other as usize]));
            }
        }
    }
    let mut index = 0;
    xors.retain(|_| {
        index += 1;
        !dropped[index - 1]
    });
}

/// The representative of a set, with paths made shorter.
fn find(parents: &mut [u32], mut at: u32) -> u32 {
    while parents[at as usize] != at {
        parents[at as usize] = parents[parents[at as usize] as usize];
        at = parents[at as usize];
    }
    at
}

/// Sets of exclusive ors that have no variables in common, in the order of their first ones.
fn split(num_vars: usize, xors: Vec<Xor>) -> Vec<Vec<Xor>> {
    let mut parents: Scratch<u32> = (0..num_vars as u32).collect();
    for xor in &xors {
        for pair in xor.vars.windows(2) {
            let [a, b] = [pair[0], pair[1]].map(|var| find(&mut parents, var.index() as u32));
            parents[a as usize] = b;
        }
    }
    let mut places = Scratch::from(vec![u32::MAX; num_vars]);
    let mut parts: Vec<Vec<Xor>> = Vec::new();
    for xor in xors {
        let root = find(&mut parents, xor.vars[0].index() as u32);
        let place = &mut places[root as usize];
        if *place == u32::MAX {
            *place = parts.len() as u32;
            parts.push(Vec::new());
        }
        parts[*place as usize].push(xor);
    }
    parts
}

/// The matrices of exclusive ors over variables below `num_vars`, those whose variables are wanted. With `explained`
/// their rows can be proved.
pub(super) fn build(
    num_vars: usize,
    mut xors: Vec<Xor>,
    bounds: Bounds,
    explained: bool,
    wanted: impl Fn(&[Var]) -> bool,
) -> Vec<Part> {
    prune(num_vars, &mut xors);
    let mut columns = Scratch::from(vec![u32::MAX; num_vars]);
    let mut parts = Vec::new();
    let mut sets = split(num_vars, xors);
    sets.retain(|xors| (bounds.min_rows..=bounds.max_rows).contains(&xors.len()));
    sets.sort_by_key(|xors| std::cmp::Reverse(xors.len()));
    for xors in sets {
        if parts.len() == bounds.max_parts {
            break;
        }
        let mut vars: Vec<Var> = xors.iter().flat_map(|xor| xor.vars.iter().copied()).collect();
        vars.sort_unstable();
        vars.dedup();
        if vars.len() > bounds.max_columns || !wanted(&vars) {
            continue;
        }
        vars.iter().enumerate().for_each(|(column, var)| columns[var.index()] = column as u32);
        let equations: Vec<Equation> =
            xors.iter().map(|xor| (xor.vars.iter().map(|var| columns[var.index()]).collect(), xor.odd)).collect();
        let matrix = Matrix::new(vars.len(), &equations, explained);
        parts.push(Part { matrix, vars, xors: if explained { xors } else { Vec::new() }, worth: Worth::default() });
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    fn xor(vars: &[u32]) -> Xor {
        Xor::new(vars.iter().map(|&var| Var::new(var)).collect(), true)
    }

    const ALL: Bounds = Bounds { min_rows: 1, max_rows: 10, max_columns: 10, max_parts: 10 };

    fn sizes(xors: &[&[u32]], bounds: Bounds, wanted: impl Fn(&[Var]) -> bool) -> Vec<(u32, usize)> {
        let parts = build(20, xors.iter().map(|vars| xor(vars)).collect(), bounds, true, wanted);
        assert!(parts.iter().all(|part| part.matrix.num_rows() as usize == part.xors.len()));
        parts.iter().map(|part| (part.matrix.num_rows(), part.vars.len())).collect()
    }

    #[test]
    fn trees_are_left_out_and_rings_are_not() {
        let tree: &[&[u32]] = &[&[0, 1, 2], &[2, 3, 4], &[4, 5, 6], &[4, 7, 8], &[0, 9, 10]];
        assert_eq!(sizes(tree, ALL, |_| true), []);
        let ring: &[&[u32]] = &[&[0, 1, 2], &[2, 3, 4], &[0, 4, 5], &[5, 6, 7]];
        assert_eq!(sizes(ring, ALL, |_| true), [(3, 6)]);
        let two: &[&[u32]] = &[&[10, 11, 12], &[0, 1, 2], &[10, 11, 13], &[0, 1, 3], &[2, 3, 4]];
        assert_eq!(sizes(two, ALL, |_| true), [(3, 5), (2, 4)]);
        assert_eq!(sizes(two, Bounds { min_rows: 3, ..ALL }, |_| true), [(3, 5)]);
        assert_eq!(sizes(two, Bounds { max_parts: 1, ..ALL }, |_| true), [(3, 5)]);
        assert_eq!(sizes(two, Bounds { max_columns: 4, ..ALL }, |_| true), [(2, 4)]);
        assert_eq!(sizes(two, ALL, |vars| vars[0] == Var::new(0)), [(3, 5)]);
    }

    #[test]
    fn a_matrix_that_finds_nothing_for_its_ticks_is_switched_off() {
        let mut worth = Worth::default();
        worth.count(0, true, 90);
        worth.judge(100, 9);
        assert!(!worth.is_off);
        worth.count(1, false, 9);
        worth.judge(99, 9);
        assert!(!worth.is_off);
        // Half of what was found and spent until now is forgotten.
        worth.count(0, false, 60);
        worth.judge(100, 9);
        assert!(worth.is_off);
    }
}
