//! Variables numbered anew in the order of their first use.

use crate::{Lit, Var};

const PAGE_BITS: u32 = 10;
const PAGE: usize = 1 << PAGE_BITS;
const UNUSED: u32 = u32::MAX;

/// A map between the variables of a formula (outer) and consecutive ones (inner), numbered in the order in which they
/// are first used. An engine that works on inner variables pays only for those that occur: a formula whose one clause
/// is `2 40000000 0` has two.
#[derive(Clone, Debug, Default)]
pub struct Renumbering {
    /// Outer index to inner index, in pages that are allocated when first used.
    pages: Vec<Option<Box<[u32; PAGE]>>>,
    outer: Vec<Var>,
}

impl Renumbering {
    /// A map without variables.
    pub fn new() -> Self {
        Self::default()
    }

    /// The number of inner variables.
    pub fn len(&self) -> usize {
        self.outer.len()
    }

    /// Whether no variable was used yet.
    pub fn is_empty(&self) -> bool {
        self.outer.is_empty()
    }

    /// The inner literal of an outer one, if its variable was used before.
    #[inline]
    pub fn get(&self, outer: Lit) -> Option<Lit> {
        let index = outer.var().index();
        let inner = self.pages.get(index >> PAGE_BITS)?.as_ref()?[index % PAGE];
        (inner != UNUSED).then(|| Var::new(inner).lit(outer.is_positive()))
    }

    /// The inner literal of an outer one; its variable gets the next inner number when it is new.
    #[inline]
    pub fn get_or_insert(&mut self, outer: Lit) -> Lit {
        let index = outer.var().index();
        if index >> PAGE_BITS >= self.pages.len() {
            self.pages.resize((index >> PAGE_BITS) + 1, None);
        }
        let page = self.pages[index >> PAGE_BITS].get_or_insert_with(|| Box::new([UNUSED; PAGE]));
        let slot = &mut page[index % PAGE];
        if *slot == UNUSED {
            *slot = self.outer.len() as u32;
            self.outer.push(outer.var());
        }
        Var::new(*slot).lit(outer.is_positive())
    }

    /// A new inner variable that no outer one leads to. `name` only stands for it in [`Renumbering::outer`]; the outer
    /// variable of that number gets an inner one of its own when it is used.
    pub fn insert_hidden(&mut self, name: Var) -> Var {
        let inner = Var::new(self.outer.len() as u32);
        self.outer.push(name);
        inner
    }

    /// Whether an inner variable came from [`Renumbering::insert_hidden`].
    ///
    /// # Panics
    /// If there is no such inner variable.
    pub fn is_hidden(&self, inner: Var) -> bool {
        self.get(self.outer[inner.index()].positive()) != Some(inner.positive())
    }

    /// Gives a hidden variable another name.
    ///
    /// # Panics
    /// If there is no such inner variable.
    pub fn rename_hidden(&mut self, inner: Var, name: Var) {
        debug_assert!(self.is_hidden(inner));
        self.outer[inner.index()] = name;
    }

    /// The outer literal of an inner one.
    ///
    /// # Panics
    /// If there is no such inner variable.
    #[inline]
    pub fn outer(&self, inner: Lit) -> Lit {
        self.outer[inner.var().index()].lit(inner.is_positive())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn far_apart_variables_take_little() {
        let mut map = Renumbering::new();
        let lits = [2, -40_000_000, i32::MAX, 1].map(|x| Lit::from_dimacs(x).unwrap());
        for (i, &lit) in lits.iter().enumerate() {
            assert_eq!(map.get(lit), None);
            let inner = map.get_or_insert(lit);
            assert_eq!(inner.var().index(), i);
            assert_eq!(map.get(!lit), Some(!inner));
            assert_eq!(map.outer(inner), lit);
        }
        assert_eq!(map.get_or_insert(lits[1]).var().index(), 1);
        assert_eq!(map.len(), 4);
        assert_eq!(map.pages.iter().flatten().count(), 3);
    }

    #[test]
    fn hidden_variables_are_not_found_from_outside() {
        let [one, two] = [1, 2].map(|x| Lit::from_dimacs(x).unwrap());
        let mut map = Renumbering::new();
        map.get_or_insert(one);
        let hidden = map.insert_hidden(two.var());
        assert_eq!((map.get(two), map.outer(hidden.negative()), map.len()), (None, !two, 2));
        assert_eq!(map.get_or_insert(two).var().index(), 2);
        map.rename_hidden(hidden, Var::new(6));
        assert_eq!(map.outer(hidden.positive()).to_dimacs(), 7);
        assert_eq!([0, 1, 2].map(|index| map.is_hidden(Var::new(index))), [false, true, false]);
    }
}
