//! Clauses in few bytes, for whoever only has to go through them again.

use crate::{Cnf, Lit, Model};
use std::collections::TryReserveError;

/// Clauses in the order in which they were pushed, each as its size and the distances of its literals' codes to others,
/// in groups of seven bits (LEB128, with the sign in the lowest bit). What is near in the formula mostly has near
/// numbers, so that a literal takes a byte or two instead of four, and a clause one instead of eight.
///
/// The distance of the first literal is that to the first one of the last clause. That of another is to the literal
/// before it, or to the one at its place in the last clause, whichever is nearer over the whole clause: the lowest bit
/// of the size tells.
#[derive(Clone, Debug, Default)]
pub struct PackedClauses {
    bytes: Vec<u8>,
    /// The last clause that is not empty.
    last: Last,
    num_vars: u32,
    clauses: usize,
    literals: usize,
}

impl PackedClauses {
    /// No clauses.
    pub fn new() -> Self {
        Self::default()
    }

    /// Appends a clause, exactly as it is.
    pub fn push(&mut self, clause: &[Lit]) {
        let mut before = self.last.first();
        let (mut chain, mut places) = (0, 0);
        for (i, &lit) in clause.iter().enumerate().take(PLACES) {
            chain += distance(lit, before);
            places += distance(lit, self.last.at(i, true, before));
            before = lit;
        }
        let by_place = places < chain;
        push_number(&mut self.bytes, (clause.len() as u64) << 1 | u64::from(by_place));
        before = self.last.first();
        for (i, &lit) in clause.iter().enumerate() {
            push_number(&mut self.bytes, distance(lit, self.last.at(i, by_place, before)));
            before = lit;
            self.num_vars = self.num_vars.max(lit.var().to_dimacs());
        }
        self.last.set(clause);
        self.clauses += 1;
        self.literals += clause.len();
    }

    /// The number of clauses.
    pub fn num_clauses(&self) -> usize {
        self.clauses
    }

    /// The number of literals in all clauses.
    pub fn num_literals(&self) -> usize {
        self.literals
    }

    /// The number of variables: the largest that was used, or what the formula had that this was made from.
    pub fn num_vars(&self) -> u32 {
        self.num_vars
    }

    /// Makes sure that the formula has at least `num_vars` variables.
    pub fn declare(&mut self, num_vars: u32) {
        self.num_vars = self.num_vars.max(num_vars);
    }

    /// Makes room for this many more literals and clauses, however far apart, so that adding them takes no memory.
    ///
    /// # Errors
    /// When there is not enough memory; the formula is as before.
    pub fn try_reserve(&mut self, literals: usize, clauses: usize) -> Result<(), TryReserveError> {
        // A difference of codes has 33 bits with its sign, a size as well, in groups of seven.
        self.bytes.try_reserve((literals + clauses).saturating_mul(5))
    }

    /// Gives back the memory that was held for more clauses.
    pub fn shrink_to_fit(&mut self) {
        self.bytes.shrink_to_fit();
    }

    /// Calls `visit` with every clause in order, until it answers false.
    pub fn visit(&self, mut visit: impl FnMut(&[Lit]) -> bool) {
        // Each clause is written over the one before, whose literals are the places of this one's.
        let mut lits = vec![Lit::from_code(0)];
        let (mut at, mut places) = (0, 0);
        while at < self.bytes.len() {
            let header = number(&self.bytes, &mut at);
            let len = (header >> 1) as usize;
            if lits.len() < len {
                lits.resize(len, Lit::from_code(0));
            }
            let by_place = if header & 1 == 1 { places } else { 0 };
            let mut before = lits[0];
            for (i, lit) in lits[..len].iter_mut().enumerate() {
                let zigzag = number(&self.bytes, &mut at);
                let distance = (zigzag >> 1) as i64 ^ -((zigzag & 1) as i64);
                let from = if i < by_place { *lit } else { before };
                before = Lit::from_code((from.code() as i64 + distance) as usize);
                *lit = before;
            }
            places = if len == 0 { places } else { len.min(PLACES) };
            if !visit(&lits[..len]) {
                return;
            }
        }
    }

    /// The index of the first clause that is false in a model.
    pub fn falsified(&self, model: &Model) -> Option<usize> {
        let (mut index, mut found) = (0, None);
        self.visit(|clause| {
            if !clause.iter().any(|&lit| model.satisfies(lit)) {
                found = Some(index);
            }
            index += 1;
            found.is_none()
        });
        found
    }

    /// Frees the clauses, as [`release`](crate::release) does.
    pub fn release(self) {
        crate::release(self.bytes);
    }

    /// The formula again.
    pub fn unpack(&self) -> Cnf {
        let mut cnf = Cnf::new();
        cnf.declare(self.num_vars);
        self.visit(|clause| {
            clause.iter().for_each(|&lit| cnf.push_literal(lit));
            cnf.close_clause();
            true
        });
        cnf
    }
}

impl From<Cnf> for PackedClauses {
    fn from(cnf: Cnf) -> Self {
        let mut packed = Self { num_vars: cnf.num_vars(), ..Self::default() };
        cnf.clauses().for_each(|clause| packed.push(clause));
        cnf.release();
        packed.shrink_to_fit();
        packed
    }
}

/// So many first literals of a clause are kept for the next one.
const PLACES: usize = 4;

/// The first literals of the last clause that is not empty.
#[derive(Clone, Copy, Debug)]
struct Last {
    lits: [Lit; PLACES],
    len: usize,
}

impl Default for Last {
    fn default() -> Self {
        Self { lits: [Lit::from_code(0); PLACES], len: 0 }
    }
}

impl Last {
    #[inline]
    fn set(&mut self, clause: &[Lit]) {
        for (last, &lit) in self.lits.iter_mut().zip(clause) {
            *last = lit;
        }
        self.len = if clause.is_empty() { self.len } else { clause.len().min(PLACES) };
    }

    #[inline]
    fn first(&self) -> Lit {
        self.lits[0]
    }

    /// The literal to which the distance of literal `i` is given, which comes after `before`.
    #[inline]
    fn at(&self, i: usize, by_place: bool, before: Lit) -> Lit {
        if by_place && i < self.len { self.lits[i] } else { before }
    }
}

/// The distance between two literals' codes, with the sign in the lowest bit.
#[inline]
fn distance(lit: Lit, from: Lit) -> u64 {
    let distance = lit.code() as i64 - from.code() as i64;
    ((distance << 1) ^ (distance >> 63)) as u64
}

fn push_number(bytes: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

fn number(bytes: &[u8], at: &mut usize) -> u64 {
    let (mut number, mut shift) = (0, 0);
    loop {
        let byte = bytes[*at];
        *at += 1;
        number |= u64::from(byte & 0x7f) << shift;
        if byte < 0x80 {
            return number;
        }
        shift += 7;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Var;

    #[test]
    fn what_is_packed_comes_back() {
        let long: Vec<i32> = (1..300).collect();
        let clauses: [&[i32]; 11] = [
            &[1, -2],
            &[],
            &[i32::MAX, -1, -i32::MAX],
            &[3, 3, -3],
            &[-40_000_000],
            &long,
            &[2, 5000],
            &[2, 5001, 9000],
            &[],
            &[-2, 5003],
            &[2],
        ];
        let mut cnf = Cnf::from_iter(clauses);
        cnf.declare(u32::try_from(i32::MAX).unwrap());
        let packed = PackedClauses::from(cnf.clone());
        assert_eq!(packed.unpack(), cnf);
        assert_eq!((packed.num_clauses(), packed.num_literals()), (11, cnf.num_literals()));
        assert_eq!(packed.num_vars(), cnf.num_vars());
    }

    #[test]
    fn distances_are_to_what_is_nearer() {
        let bytes = |clauses: &[&[i32]]| {
            let packed = PackedClauses::from(Cnf::from_iter(clauses.iter().copied()));
            assert_eq!(packed.unpack(), Cnf::from_iter(clauses.iter().copied()));
            packed.bytes.len()
        };
        let pair = bytes(&[&[-1, -2000]]);
        assert_eq!((pair, bytes(&[&[-1, -2000], &[-1, -2001]])), (4, 7));
        assert_eq!(bytes(&[&[-1, -2000], &[-3, -4]]), 7);
    }

    #[test]
    fn a_formula_can_be_packed_piece_by_piece() {
        let mut cnf = Cnf::from_iter([&[1, -2][..], &[2]]);
        cnf.push_literal(Var::new(4).negative());
        let mut packed = PackedClauses::new();
        cnf.drain_into(&mut packed);
        assert_eq!((cnf.num_clauses(), cnf.open_clause(), cnf.num_vars()), (0, &[Var::new(4).negative()][..], 5));
        cnf.close_clause();
        cnf.close_clause();
        packed.try_reserve(cnf.num_literals(), cnf.num_clauses()).unwrap();
        cnf.drain_into(&mut packed);
        assert_eq!(packed.unpack(), Cnf::from_iter([&[1, -2][..], &[2], &[-5], &[]]));
    }

    #[test]
    fn a_clause_that_a_model_falsifies_is_found() {
        let cnf = Cnf::from_iter([&[1, -2][..], &[2], &[-1, 2], &[-2, -1]]);
        let packed = PackedClauses::from(cnf.clone());
        for bits in 0..4 {
            let mut model = Model::new(2);
            (0..2).for_each(|index| model.assign(Var::new(index).lit(bits >> index & 1 == 1)));
            assert_eq!(packed.falsified(&model), model.falsified(&cnf));
        }
        assert!(packed.bytes.len() < 4 * packed.num_literals());
    }
}
