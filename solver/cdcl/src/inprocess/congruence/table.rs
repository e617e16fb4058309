//! Gates by kind and inputs: a table of indices alone, since the gates themselves hold what is compared.

use super::Gate;
use putnam_formula::Scratch;
use rustc_hash::FxHasher;
use std::hash::{Hash, Hasher};

const EMPTY: u32 = u32::MAX;
const REMOVED: u32 = u32::MAX - 1;

/// A hash table with linear probing.
///
/// Invariant: the number of slots is a power of two, and a quarter of them at least is empty. A gate in the table keeps
/// kind and inputs until it is removed.
pub(super) struct GateTable {
    slots: Scratch<u32>,
    /// Slots that are not empty.
    used: usize,
}

fn hash(gate: &Gate) -> u64 {
    let mut hasher = FxHasher::default();
    (gate.kind, &gate.inputs).hash(&mut hasher);
    hasher.finish()
}

impl GateTable {
    /// An empty table for so many gates.
    pub(super) fn new(gates: usize) -> Self {
        Self { slots: vec![EMPTY; (gates * 3 / 2 + 4).next_power_of_two()].into(), used: 0 }
    }

    fn first(&self, gate: &Gate) -> usize {
        // The high bits are the better ones.
        (hash(gate) >> 32) as usize & (self.slots.len() - 1)
    }

    fn after(&self, slot: usize) -> usize {
        (slot + 1) & (self.slots.len() - 1)
    }

    /// The gate in the table that has the same kind and inputs as gate `index`; when there is none, `index` is put in.
    pub(super) fn find_or_insert(&mut self, gates: &[Gate], index: usize) -> usize {
        if (self.used + 1) * 4 > self.slots.len() * 3 {
            self.rebuild(gates);
        }
        let gate = &gates[index];
        let mut slot = self.first(gate);
        let mut free = None;
        loop {
            match self.slots[slot] {
                EMPTY => break,
                REMOVED => free = free.or(Some(slot)),
                other => {
                    let known = &gates[other as usize];
                    if known.kind == gate.kind && known.inputs == gate.inputs {
                        return other as usize;
                    }
                }
            }
            slot = self.after(slot);
        }
        self.used += usize::from(free.is_none());
        self.slots[free.unwrap_or(slot)] = index as u32;
        index
    }

    /// Takes a gate out, if it is in.
    pub(super) fn remove(&mut self, gates: &[Gate], index: usize) {
        let mut slot = self.first(&gates[index]);
        while self.slots[slot] != EMPTY {
            if self.slots[slot] == index as u32 {
                self.slots[slot] = REMOVED;
                return;
            }
            slot = self.after(slot);
        }
    }

    /// Forgets where gates were removed.
    fn rebuild(&mut self, gates: &[Gate]) {
        let live: Scratch<u32> = self.slots.iter().copied().filter(|&index| index < REMOVED).collect();
        let mut next = Self::new(live.len().max(self.slots.len() / 2));
        for &index in &live {
            next.find_or_insert(gates, index as usize);
        }
        *self = next;
    }
}

#[cfg(test)]
mod tests {
    use super::super::Kind;
    use super::*;
    use crate::data::random::Random;
    use putnam_formula::Lit;
    use std::collections::HashMap;

    #[test]
    fn it_behaves_as_a_map() {
        let mut random = Random::new(1);
        let lits = |random: &mut Random| -> Vec<Lit> {
            (0..1 + random.below(2)).map(|_| Lit::from_code(random.below(8) as usize)).collect()
        };
        let mut gates: Vec<Gate> =
            (0..100).map(|_| Gate::new(Lit::from_code(0), Kind::And, lits(&mut random))).collect();
        let mut table = GateTable::new(gates.len());
        let mut expected: HashMap<Vec<Lit>, usize> = HashMap::new();
        let mut found = 0;
        for _ in 0..20_000 {
            let index = random.below(100) as usize;
            let inside = expected.get(&gates[index].inputs) == Some(&index);
            table.remove(&gates, index);
            if inside {
                expected.remove(&gates[index].inputs);
            }
            gates[index].inputs = lits(&mut random);
            let first = *expected.entry(gates[index].inputs.clone()).or_insert(index);
            assert_eq!(table.find_or_insert(&gates, index), first);
            found += usize::from(first != index);
        }
        assert!(found > 1000 && expected.len() > 10);
    }
}
