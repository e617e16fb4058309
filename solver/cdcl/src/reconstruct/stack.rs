//! The extension stack: clauses that were removed although the others do not imply them, in the order of their removal,
//! each with its witness. A model that falsifies such a clause satisfies it, and still all clauses that were there when
//! it was removed, once the witness is made true (Järvisalo, Heule and Biere, Inprocessing Rules, IJCAR 2012).

use putnam_formula::{Lit, Scratch};

/// Clauses with their witnesses. The witness of a clause is its first literals.
#[derive(Clone, Default)]
pub(crate) struct Stack {
    lits: Scratch<Lit>,
    entries: Scratch<Entry>,
}

#[derive(Clone, Copy)]
struct Entry {
    len: u32,
    witness: u32,
}

impl Stack {
    /// Removes a clause with a witness of one literal, which the clause contains.
    pub(crate) fn push(&mut self, witness: Lit, clause: &[Lit]) {
        debug_assert!(clause.contains(&witness));
        let start = self.lits.len();
        self.lits.push(witness);
        self.lits.extend(clause.iter().copied().filter(|&lit| lit != witness));
        self.entries.push(Entry { len: (self.lits.len() - start) as u32, witness: 1 });
    }

    /// Appends a clause whose first `witness` literals are its witness.
    pub(crate) fn push_ordered(&mut self, witness: usize, clause: &[Lit]) {
        debug_assert!(0 < witness && witness <= clause.len());
        self.lits.extend_from_slice(clause);
        self.entries.push(Entry { len: clause.len() as u32, witness: witness as u32 });
    }

    /// All clauses, first removed first, and how many of their first literals are their witness.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (usize, &[Lit])> + '_ {
        let mut rest = &self.lits[..];
        self.entries.iter().map(move |entry| {
            let (clause, after) = rest.split_at(entry.len as usize);
            rest = after;
            (entry.witness as usize, clause)
        })
    }

    /// The same, last removed first.
    fn backwards(&self) -> impl Iterator<Item = (usize, &[Lit])> + '_ {
        let mut rest = &self.lits[..];
        self.entries.iter().rev().map(move |entry| {
            let (before, clause) = rest.split_at(rest.len() - entry.len as usize);
            rest = before;
            (entry.witness as usize, clause)
        })
    }

    /// Turns a model of the clauses that are left into one of all. `values` are by literal code, one of each pair is
    /// true.
    pub(crate) fn extend(&self, values: &mut [bool]) {
        for (witness, clause) in self.backwards() {
            if !clause.iter().any(|lit| values[lit.code()]) {
                for &lit in &clause[..witness] {
                    values[lit.code()] = true;
                    values[(!lit).code()] = false;
                }
            }
        }
    }

    /// Bytes that are held.
    pub(crate) fn bytes(&self) -> usize {
        self.lits.capacity() * size_of::<Lit>() + self.entries.capacity() * size_of::<Entry>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn later_removals_are_undone_first() {
        let lit = |number| Lit::from_dimacs(number).unwrap();
        let mut stack = Stack::default();
        // 2 is eliminated from (1 2), (-2 3); then 3 from what is left, (1 3).
        stack.push(lit(2), &[lit(1), lit(2)]);
        stack.push(lit(-2), &[lit(-2), lit(3)]);
        stack.push(lit(3), &[lit(1), lit(3)]);
        assert_eq!(stack.iter().count(), 3);
        let mut values = vec![false; 6];
        [-1, -2, -3].iter().for_each(|&number| values[lit(number).code()] = true);
        stack.extend(&mut values);
        assert!(values[lit(3).code()] && values[lit(2).code()] && !values[lit(-2).code()]);
        let clauses: Vec<_> = stack.iter().map(|(witness, clause)| (witness, clause[0])).collect();
        assert_eq!(clauses, [(1, lit(2)), (1, lit(-2)), (1, lit(3))]);
    }
}
