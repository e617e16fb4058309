//! The extension stack: clauses that were removed although the others do not imply them, in the order of their removal, each
//! with its witness. A model that falsifies such a clause satisfies it, and still all clauses that were there when it was
//! removed, once the witness is made true (Järvisalo, Heule and Biere, Inprocessing Rules, IJCAR 2012).

use putnam_formula::Lit;

/// Clauses with their witnesses. The witness of a clause is its first literals.
#[derive(Clone, Default)]
pub(crate) struct Stack {
    lits: Vec<Lit>,
    entries: Vec<Entry>,
}

#[derive(Clone, Copy)]
struct Entry {
    end: usize,
    witness: u32,
}

impl Stack {
    /// Removes a clause with a witness of one literal, which the clause contains.
    pub(crate) fn push(&mut self, witness: Lit, clause: &[Lit]) {
        debug_assert!(clause.contains(&witness));
        self.lits.push(witness);
        self.lits.extend(clause.iter().copied().filter(|&lit| lit != witness));
        self.entries.push(Entry { end: self.lits.len(), witness: 1 });
    }

    /// Appends a clause whose first `witness` literals are its witness.
    pub(crate) fn push_ordered(&mut self, witness: usize, clause: &[Lit]) {
        debug_assert!(0 < witness && witness <= clause.len());
        self.lits.extend_from_slice(clause);
        self.entries.push(Entry { end: self.lits.len(), witness: witness as u32 });
    }

    /// All clauses, first removed first, and how many of their first literals are their witness.
    pub(crate) fn iter(&self) -> impl DoubleEndedIterator<Item = (usize, &[Lit])> + '_ {
        (0..self.entries.len()).map(|index| {
            let start = if index == 0 { 0 } else { self.entries[index - 1].end };
            let Entry { end, witness } = self.entries[index];
            (witness as usize, &self.lits[start..end])
        })
    }

    /// Turns a model of the clauses that are left into one of all. `values` are by literal code, one of each pair is true.
    pub(crate) fn extend(&self, values: &mut [bool]) {
        for (witness, clause) in self.iter().rev() {
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
