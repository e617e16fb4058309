//! The value of every literal: 1 true, -1 false, 0 unassigned, one byte a literal so that no sign is computed.

use putnam_formula::Lit;

/// Invariant: the length is even, and a literal and its negation have opposite values.
#[derive(Default)]
pub(crate) struct Values(Vec<i8>);

impl Values {
    /// Makes room for another variable.
    pub(crate) fn grow(&mut self) {
        self.0.extend_from_slice(&[0, 0]);
    }

    #[inline]
    pub(crate) fn get(&self, lit: Lit) -> i8 {
        self.0[lit.code()]
    }

    #[inline]
    pub(crate) fn is_true(&self, lit: Lit) -> bool {
        self.get(lit) > 0
    }

    #[inline]
    pub(crate) fn is_false(&self, lit: Lit) -> bool {
        self.get(lit) < 0
    }

    #[inline]
    pub(crate) fn is_unassigned(&self, lit: Lit) -> bool {
        self.get(lit) == 0
    }

    #[inline]
    pub(crate) fn set(&mut self, lit: Lit, value: i8) {
        self.0[lit.code()] = value;
        self.0[(!lit).code()] = -value;
    }

    /// # Safety
    /// The literal's variable must exist.
    #[inline]
    pub(crate) unsafe fn get_unchecked(&self, lit: Lit) -> i8 {
        debug_assert!(lit.code() < self.0.len());
        // SAFETY: both literals of every variable are in the table.
        unsafe { *self.0.get_unchecked(lit.code()) }
    }

    /// # Safety
    /// The literal's variable must exist.
    #[inline]
    pub(crate) unsafe fn set_true_unchecked(&mut self, lit: Lit) {
        debug_assert!(lit.code() < self.0.len());
        // SAFETY: both literals of every variable are in the table.
        unsafe {
            *self.0.get_unchecked_mut(lit.code()) = 1;
            *self.0.get_unchecked_mut((!lit).code()) = -1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn negations_have_opposite_values() {
        let mut values = Values::default();
        values.grow();
        values.grow();
        let lit = Lit::from_dimacs(-2).unwrap();
        values.set(lit, 1);
        assert!(values.is_true(lit) && values.is_false(!lit));
        values.set(lit, 0);
        assert!(values.is_unassigned(lit) && values.is_unassigned(!lit));
    }
}
