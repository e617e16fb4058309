//! Which rests stand in two clauses at least. All other clauses have no part in a product, and most are of that kind.

use putnam_formula::{Lit, Scratch};

/// Counts of rests by their hash, so that a rest may seem to be shared that is not.
pub(super) struct Rests {
    /// At most 2 each.
    counts: Scratch<u8>,
    shift: u32,
}

/// Of a set of literals the sum.
fn hash(lit: Lit) -> u64 {
    let word = (lit.code() as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (word ^ word >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9)
}

fn sum(lits: &[Lit]) -> u64 {
    lits.iter().fold(0, |sum, &lit| sum.wrapping_add(hash(lit)))
}

impl Rests {
    /// Room for so many rests.
    pub(super) fn new(rests: usize) -> Self {
        let bits = (2 * rests).next_power_of_two().trailing_zeros().clamp(6, 24);
        Self { counts: vec![0; 1 << bits].into(), shift: u64::BITS - bits }
    }

    fn place(&self, hash: u64) -> usize {
        (hash.wrapping_mul(0x94d0_49bb_1331_11eb) >> self.shift) as usize
    }

    /// Counts what is left of a clause without each of its literals.
    pub(super) fn add(&mut self, clause: &[Lit]) {
        let sum = sum(clause);
        for &lit in clause {
            let place = self.place(sum.wrapping_sub(hash(lit)));
            self.counts[place] = (self.counts[place] + 1).min(2);
        }
    }

    /// Whether another clause has the rest of this one, by all appearances.
    pub(super) fn is_shared(&self, clause: &[Lit], factor: Lit) -> bool {
        self.counts[self.place(sum(clause).wrapping_sub(hash(factor)))] > 1
    }

    /// Whether that is so for one of its literals.
    pub(super) fn any_shared(&self, clause: &[Lit]) -> bool {
        let sum = sum(clause);
        clause.iter().any(|&lit| self.counts[self.place(sum.wrapping_sub(hash(lit)))] > 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rests_of_two_clauses_are_shared() {
        let lits = |numbers: &[i32]| -> Vec<Lit> { numbers.iter().map(|&n| Lit::from_dimacs(n).unwrap()).collect() };
        let clauses = [lits(&[1, 2, 3]), lits(&[2, 3, -4]), lits(&[1, 2, 5, 6]), lits(&[7, 8, 9])];
        let mut rests = Rests::new(1 << 16);
        clauses.iter().for_each(|clause| rests.add(clause));
        let shared: Vec<Vec<bool>> =
            clauses.iter().map(|clause| clause.iter().map(|&lit| rests.is_shared(clause, lit)).collect()).collect();
        assert_eq!(shared[..2], [[true, false, false], [false, false, true]]);
        assert!(!shared[2].contains(&true) && !shared[3].contains(&true));
        assert_eq!(clauses.each_ref().map(|clause| rests.any_shared(clause)), [true, true, false, false]);
    }
}
