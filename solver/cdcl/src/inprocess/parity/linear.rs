//! Sparse linear systems over GF(2).
//!
//! Each row knows of which two it is the sum, so that the summands of a consequence can be traced back. Variables with
//! few and short rows are eliminated first (Markowitz, 1957). In the triangular form every eliminated variable is a
//! sum of others; what is constant or equal is found by hashes, in time linear in the size of the form.

use super::Xor;
use crate::data::random::Random;
use putnam_formula::{Scratch, Var};
use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap, HashMap};

/// Something that follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fact {
    /// No variable and still odd; the number of the row's node.
    Contradiction(u32),
    /// A variable is constant.
    Unit(Var),
    /// Two variables are equal or opposite.
    Equivalence(Var, Var),
}

struct Row {
    /// Sorted.
    vars: Vec<u32>,
    odd: bool,
    node: u32,
}

/// A row that defines an eliminated variable.
struct Pivot {
    var: u32,
    row: Row,
}

const NONE: u32 = u32::MAX;

/// The system and how far it is solved.
pub(super) struct System {
    /// Rows with variables that are not yet eliminated.
    rows: Scratch<Option<Row>>,
    /// By variable: the rows that have it.
    occurrences: Scratch<Vec<u32>>,
    /// In the order of elimination; a row has its own variable and later ones.
    pivots: Vec<Pivot>,
    /// By variable: its place in `pivots`, or [`NONE`].
    places: Scratch<u32>,
    /// The two summands of each node after the first ones, which are the rows given.
    sums: Vec<(u32, u32)>,
    num_given: u32,
    contradiction: Option<u32>,
    /// Nothing is left to eliminate.
    complete: bool,
    /// Effort so far.
    pub(super) ticks: u64,
}

/// The sorted variables that are in one of two sorted sets alone.
pub(super) fn symmetric_difference<T: Copy + Ord>(a: &[T], b: &[T]) -> Vec<T> {
    let mut sum = Vec::with_capacity(a.len() + b.len());
    let (mut i, mut j) = (0, 0);
    while i < a.len() && j < b.len() {
        match a[i].cmp(&b[j]) {
            std::cmp::Ordering::Less => {
                sum.push(a[i]);
                i += 1;
            }
            std::cmp::Ordering::Greater => {
                sum.push(b[j]);
                j += 1;
            }
            std::cmp::Ordering::Equal => {
                i += 1;
                j += 1;
            }
        }
    }
    sum.extend_from_slice(&a[i..]);
    sum.extend_from_slice(&b[j..]);
    sum
}

/// Takes the largest number and tells whether it was there an odd number of times.
fn pop_parity(heap: &mut BinaryHeap<u32>) -> Option<(u32, bool)> {
    let top = heap.pop()?;
    let mut odd = true;
    while heap.peek() == Some(&top) {
        heap.pop();
        odd = !odd;
    }
    Some((top, odd))
}

impl System {
    /// The system of exclusive ors over variables below `num_vars`.
    pub(super) fn new(num_vars: usize, xors: &[Xor]) -> Self {
        let mut occurrences = Scratch::from(vec![Vec::new(); num_vars]);
        let mut rows = Scratch::from(Vec::with_capacity(xors.len()));
        for (index, xor) in xors.iter().enumerate() {
            let vars: Vec<u32> = xor.vars.iter().map(|var| var.index() as u32).collect();
            vars.iter().for_each(|&var| occurrences[var as usize].push(index as u32));
            rows.push(Some(Row { vars, odd: xor.odd, node: index as u32 }));
        }
        Self {
            rows,
            occurrences,
            pivots: Vec::new(),
            places: vec![NONE; num_vars].into(),
            sums: Vec::new(),
            num_given: xors.len() as u32,
            contradiction: None,
            complete: false,
            ticks: num_vars as u64 / 8 + xors.len() as u64,
        }
    }

    /// The cost of eliminating a variable, and its shortest row; none when no row has it.
    fn cost(&self, var: u32) -> Option<(u64, u32)> {
        let rows = &self.occurrences[var as usize];
        let length = |row: u32| self.rows[row as usize].as_ref().map_or(0, |row| row.vars.len());
        let shortest = rows.iter().copied().min_by_key(|&row| (length(row), row))?;
        Some(((rows.len() as u64 - 1) * (length(shortest) as u64 - 1), shortest))
    }

    /// Eliminates variables until none is left, a contradiction is found, or so many ticks are spent.
    pub(super) fn triangulate(&mut self, limit: u64) {
        let mut queue: BinaryHeap<Reverse<(u64, u32)>> = BinaryHeap::new();
        for var in 0..self.occurrences.len() as u32 {
            if let Some((cost, _)) = self.cost(var) {
                queue.push(Reverse((cost, var)));
            }
        }
        while let Some(Reverse((known, var))) = queue.pop() {
            if self.ticks >= limit || self.contradiction.is_some() {
                return;
            }
            self.ticks += 1 + self.occurrences[var as usize].len() as u64;
            let Some((cost, pivot)) = self.cost(var) else { continue };
            if cost > known {
                queue.push(Reverse((cost, var)));
                continue;
            }
            self.eliminate(var, pivot);
        }
        self.complete = self.contradiction.is_none();
    }

    /// A solution; none when the triangular form is not complete, or has a contradiction. Variables that no row has
    /// are left out.
    pub(super) fn solution(&mut self) -> Option<HashMap<Var, bool>> {
        let mut values: HashMap<Var, bool> = HashMap::new();
        for pivot in self.pivots.iter().rev().filter(|_| self.complete) {
            let mut sum = pivot.row.odd;
            for &var in pivot.row.vars.iter().filter(|&&var| var != pivot.var) {
                sum ^= *values.entry(Var::new(var)).or_insert(false);
            }
            values.insert(Var::new(pivot.var), sum);
            self.ticks += pivot.row.vars.len() as u64;
        }
        self.complete.then_some(values)
    }

    /// Adds the row `pivot` to all others that have the variable, and retires it.
    fn eliminate(&mut self, var: u32, pivot: u32) {
        let Some(row) = self.rows[pivot as usize].take() else { return };
        for &other in &row.vars {
            self.occurrences[other as usize].retain(|&index| index != pivot);
        }
        for index in std::mem::take(&mut self.occurrences[var as usize]) {
            self.add(index, &row);
        }
        self.places[var as usize] = self.pivots.len() as u32;
        self.pivots.push(Pivot { var, row });
    }

    fn add(&mut self, index: u32, pivot: &Row) {
        let Some(row) = self.rows[index as usize].take() else { return };
        let vars = symmetric_difference(&row.vars, &pivot.vars);
        self.ticks += 1 + (row.vars.len() + pivot.vars.len()) as u64 / 8;
        for &var in &pivot.vars {
            let list = &mut self.occurrences[var as usize];
            if vars.binary_search(&var).is_ok() {
                list.push(index);
            } else {
                list.retain(|&other| other != index);
            }
            self.ticks += 1;
        }
        let node = self.num_given + self.sums.len() as u32;
        self.sums.push((row.node, pivot.node));
        let odd = row.odd != pivot.odd;
        if !vars.is_empty() {
            self.rows[index as usize] = Some(Row { vars, odd, node });
        } else if odd {
            self.contradiction = Some(node);
        }
    }

    /// What follows from the rows that define variables: a contradiction alone, or units, then equivalences.
    pub(super) fn facts(&mut self) -> Vec<Fact> {
        if let Some(node) = self.contradiction {
            return vec![Fact::Contradiction(node)];
        }
        let mut random = Random::new(self.places.len() as u64);
        let mut hashes: HashMap<u32, u64> = HashMap::new();
        for pivot in self.pivots.iter().rev() {
            let mut sum = 0;
            for &var in pivot.row.vars.iter().filter(|&&var| var != pivot.var) {
                sum ^= *hashes.entry(var).or_insert_with(|| random.next() | 1);
            }
            hashes.insert(pivot.var, sum);
            self.ticks += pivot.row.vars.len() as u64;
        }
        let mut vars: Vec<u32> = hashes.keys().copied().collect();
        vars.sort_unstable();
        let var = |index: u32| Var::new(index);
        let mut facts: Vec<Fact> = vars.iter().filter(|v| hashes[v] == 0).map(|&v| Fact::Unit(var(v))).collect();
        let mut first: HashMap<u64, u32> = HashMap::new();
        for &index in vars.iter().filter(|v| hashes[v] != 0) {
            match first.get(&hashes[&index]) {
                Some(&other) => facts.push(Fact::Equivalence(var(other), var(index))),
                None => _ = first.insert(hashes[&index], index),
            }
        }
        facts
    }

    /// The exclusive ors given whose sum the fact is, and whether the sum is odd; none when it does not follow.
    pub(super) fn summands(&mut self, fact: &Fact) -> Option<(bool, Vec<usize>)> {
        let mut nodes: BinaryHeap<u32> = BinaryHeap::new();
        let mut odd = true;
        match *fact {
            Fact::Contradiction(node) => nodes.push(node),
            Fact::Unit(var) => odd = self.reduce(&[var], &mut nodes)?,
            Fact::Equivalence(a, b) => odd = self.reduce(&[a, b], &mut nodes)?,
        }
        let mut given = Vec::new();
        while let Some((node, counts)) = pop_parity(&mut nodes) {
            self.ticks += 1;
            if !counts {
                continue;
            }
            match node.checked_sub(self.num_given) {
                None => given.push(node as usize),
                Some(sum) => {
                    let (a, b) = self.sums[sum as usize];
                    nodes.extend([a, b]);
                }
            }
        }
        Some((odd, given))
    }

    /// Replaces eliminated variables by their definitions until none is left; collects the nodes of these. Answers
    /// with the parity, or none when other variables remain.
    fn reduce(&mut self, vars: &[Var], nodes: &mut BinaryHeap<u32>) -> Option<bool> {
        let mut odd = false;
        let mut places: BTreeSet<u32> = BTreeSet::new();
        let mut free: BTreeSet<u32> = BTreeSet::new();
        let mut toggle = |var: u32, places: &mut BTreeSet<u32>| {
            let (set, key) = match self.places[var as usize] {
                NONE => (&mut free, var),
                place => (&mut *places, place),
            };
            if !set.remove(&key) {
                set.insert(key);
            }
        };
        vars.iter().for_each(|var| toggle(var.index() as u32, &mut places));
        while let Some(&place) = places.first() {
            let Row { vars, odd: parity, node } = &self.pivots[place as usize].row;
            vars.iter().for_each(|&var| toggle(var, &mut places));
            self.ticks += vars.len() as u64;
            odd ^= parity;
            nodes.push(*node);
        }
        free.is_empty().then_some(odd)
    }
}
