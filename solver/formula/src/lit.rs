//! Variables and literals.

use std::fmt;
use std::ops::Not;

/// A propositional variable: an index that starts at 0. DIMACS writes it as index + 1.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Var(u32);

impl Var {
    /// The largest number that DIMACS text may use for a variable: 2^31 - 1.
    pub const MAX_DIMACS: u32 = i32::MAX as u32;

    /// The variable with this index, counted from 0.
    ///
    /// # Panics
    /// If `index` is 2^31 - 1 or more: such a variable has no DIMACS number.
    #[inline]
    pub const fn new(index: u32) -> Self {
        assert!(index < Self::MAX_DIMACS);
        Self(index)
    }

    /// The variable with this DIMACS number, counted from 1; none for 0 and for numbers over [`Var::MAX_DIMACS`].
    #[inline]
    pub const fn from_dimacs(number: u32) -> Option<Self> {
        if number == 0 || number > Self::MAX_DIMACS { None } else { Some(Self(number - 1)) }
    }

    /// The index, counted from 0.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The number that DIMACS text uses, counted from 1.
    #[inline]
    pub const fn to_dimacs(self) -> u32 {
        self.0 + 1
    }

    /// The literal that is true when the variable is.
    #[inline]
    pub const fn positive(self) -> Lit {
        Lit(self.0 << 1)
    }

    /// The literal that is true when the variable is false.
    #[inline]
    pub const fn negative(self) -> Lit {
        Lit(self.0 << 1 | 1)
    }

    /// The literal of this variable with the given sign: `lit(true)` is positive.
    #[inline]
    pub const fn lit(self, value: bool) -> Lit {
        Lit(self.0 << 1 | !value as u32)
    }
}

impl fmt::Debug for Var {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "x{}", self.to_dimacs())
    }
}

impl fmt::Display for Var {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.to_dimacs())
    }
}

/// A literal: a variable or its negation, packed as `2 * index + negated` so that it indexes tables by itself.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub struct Lit(u32);

impl Lit {
    /// The literal with this packed code.
    ///
    /// # Panics
    /// In builds with debug assertions, if the code belongs to no variable.
    #[inline]
    pub const fn from_code(code: usize) -> Self {
        debug_assert!(code >> 1 < Var::MAX_DIMACS as usize);
        Self(code as u32)
    }

    /// The literal that DIMACS text writes as this number; none for 0 and for [`i32::MIN`], whose variable is too
    /// large.
    #[inline]
    pub const fn from_dimacs(number: i32) -> Option<Self> {
        match Var::from_dimacs(number.unsigned_abs()) {
            Some(var) => Some(var.lit(number > 0)),
            None => None,
        }
    }

    /// The number that DIMACS text uses: the variable's, negative when the literal is.
    #[inline]
    pub const fn to_dimacs(self) -> i32 {
        let number = (self.0 >> 1) as i32 + 1;
        if self.is_negative() { -number } else { number }
    }

    /// The packed code, `2 * index + negated`.
    #[inline]
    pub const fn code(self) -> usize {
        self.0 as usize
    }

    /// The variable.
    #[inline]
    pub const fn var(self) -> Var {
        Var(self.0 >> 1)
    }

    /// Whether this is the negation of its variable.
    #[inline]
    pub const fn is_negative(self) -> bool {
        self.0 & 1 != 0
    }

    /// Whether this is its variable itself.
    #[inline]
    pub const fn is_positive(self) -> bool {
        !self.is_negative()
    }
}

impl Not for Lit {
    type Output = Lit;

    #[inline]
    fn not(self) -> Lit {
        Lit(self.0 ^ 1)
    }
}

impl fmt::Debug for Lit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.to_dimacs())
    }
}

impl fmt::Display for Lit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.to_dimacs())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dimacs_numbers_round_trip() {
        for number in [1, -1, 2, -2, 40_000_000, i32::MAX, -i32::MAX] {
            let lit = Lit::from_dimacs(number).unwrap();
            assert_eq!(lit.to_dimacs(), number);
            assert_eq!((!lit).to_dimacs(), -number);
            assert_eq!(lit.var().lit(number > 0), lit);
            assert_eq!(Lit::from_code(lit.code()), lit);
        }
    }

    #[test]
    fn numbers_without_a_variable_are_refused() {
        assert_eq!(Lit::from_dimacs(0), None);
        assert_eq!(Lit::from_dimacs(i32::MIN), None);
        assert_eq!(Var::from_dimacs(0), None);
        assert_eq!(Var::from_dimacs(1 << 31), None);
    }
}
