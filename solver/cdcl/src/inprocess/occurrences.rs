//! Full occurrence lists: for every literal all large clauses that contain it.

use crate::data::arena::{Arena, ClauseRef};
use crate::data::lists::Lists;
use putnam_formula::Scratch;

/// The lists of all literals.
pub(crate) type Occurrences = Lists<ClauseRef>;

impl Occurrences {
    /// The lists of the clauses for which `wanted` answers true.
    pub(crate) fn build(arena: &Arena, num_lits: usize, wanted: impl Fn(ClauseRef) -> bool) -> Self {
        Self::of(arena, num_lits, || arena.clauses().filter(|&clause| wanted(clause)))
    }

    /// The lists of these clauses.
    pub(crate) fn of<I: Iterator<Item = ClauseRef>>(arena: &Arena, num_lits: usize, clauses: impl Fn() -> I) -> Self {
        let mut lists = Self::new(num_lits);
        let mut counts = Scratch::from(vec![0; num_lits]);
        for clause in clauses() {
            arena.lits(clause).iter().for_each(|lit| counts[lit.code()] += 1);
        }
        lists.reserve(&counts, ClauseRef::from_word(0));
        for clause in clauses() {
            lists.add(arena, clause);
        }
        lists
    }

    /// Adds a clause to the lists of all its literals.
    pub(crate) fn add(&mut self, arena: &Arena, clause: ClauseRef) {
        arena.lits(clause).iter().for_each(|&lit| self.push(lit, clause));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use putnam_formula::Lit;

    fn lits(numbers: &[i32]) -> Vec<Lit> {
        numbers.iter().map(|&n| Lit::from_dimacs(n).unwrap()).collect()
    }

    #[test]
    fn lists_grow_and_shrink() {
        let mut arena = Arena::default();
        let a = arena.push(&lits(&[1, 2, 3]), false, 0);
        let b = arena.push(&lits(&[1, -2, 3]), true, 0);
        let mut lists = Occurrences::build(&arena, 6, |clause| !arena.is_redundant(clause));
        let of = |lists: &Occurrences, n: i32| lists.get(Lit::from_dimacs(n).unwrap()).to_vec();
        assert_eq!((of(&lists, 1), of(&lists, -2)), (vec![a], vec![]));
        let mut more = vec![a, b];
        lists.add(&arena, b);
        for _ in 0..9 {
            let c = arena.push(&lits(&[1, -2, -3]), false, 0);
            lists.add(&arena, c);
            more.push(c);
        }
        assert_eq!((of(&lists, 1), of(&lists, 2)), (more.clone(), vec![a]));
        assert_eq!(of(&lists, -2), more[1..]);
        lists.retain(Lit::from_dimacs(1).unwrap(), |&mut clause| clause != a);
        lists.truncate(Lit::from_dimacs(-2).unwrap(), 0);
        assert_eq!((of(&lists, 1), of(&lists, -2), of(&lists, 3)), (more[1..].to_vec(), vec![], vec![a, b]));
        assert_eq!(lists.len(Lit::from_dimacs(-3).unwrap()), 9);
    }
}
