//! Exact decimal numbers.

use std::fmt;

/// A decimal number with at most six digits after the point, held as millionths, so that sums and products of puzzle
/// numbers are exact.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Decimal(i64);

impl Decimal {
    /// Zero.
    pub const ZERO: Self = Self(0);
    const SCALE: i64 = 1_000_000;
    /// Numbers stay below this, so that no sum or product of two overflows an `i128` and none a puzzle's `i64`.
    const LIMIT: i64 = 1_000_000_000_000;

    /// The whole number `value`, if it is below 10^12.
    pub fn whole(value: i64) -> Option<Self> {
        (value.abs() < Self::LIMIT).then(|| Self(value * Self::SCALE))
    }

    /// Reads digits with an optional sign and point; none for anything else, for more than six digits after the point
    /// and for numbers of 10^12 and more.
    pub fn parse(text: &str) -> Option<Self> {
        let (sign, digits) = match text.strip_prefix('-') {
            Some(rest) => (-1, rest),
            None => (1, text),
        };
        let (whole, fraction) = digits.split_once('.').unwrap_or((digits, "0"));
        let ascii = |s: &str| !s.is_empty() && s.bytes().all(|b| b.is_ascii_digit());
        if !ascii(whole) || !ascii(fraction) || fraction.len() > 6 {
            return None;
        }
        let whole: i64 = whole.parse().ok().filter(|w| *w < Self::LIMIT)?;
        let fraction: i64 = format!("{fraction:0<6}").parse().ok()?;
        Some(Self(sign * (whole * Self::SCALE + fraction)))
    }

    /// The number in millionths.
    pub fn millionths(self) -> i64 {
        self.0
    }

    /// The number as a whole one, if it is.
    pub fn as_whole(self) -> Option<i64> {
        (self.0 % Self::SCALE == 0).then_some(self.0 / Self::SCALE)
    }

    /// The number without its sign.
    pub fn abs(self) -> Self {
        Self(self.0.abs())
    }

    /// The product with a whole number, if it stays below 10^12.
    pub fn times(self, factor: Decimal) -> Option<Self> {
        let product = i128::from(self.0) * i128::from(factor.0) / i128::from(Self::SCALE);
        i64::try_from(product).ok().filter(|p| p.abs() < Self::LIMIT * Self::SCALE).map(Self)
    }
}

impl std::ops::Neg for Decimal {
    type Output = Self;

    fn neg(self) -> Self {
        Self(-self.0)
    }
}

impl std::ops::Sub for Decimal {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        Self(self.0 - other.0)
    }
}

impl fmt::Display for Decimal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.0 < 0 { "-" } else { "" };
        let (whole, fraction) = (self.0.abs() / Self::SCALE, self.0.abs() % Self::SCALE);
        write!(f, "{sign}{whole}")?;
        if fraction != 0 {
            write!(f, ".{}", format!("{fraction:06}").trim_end_matches('0'))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimals_print_as_they_are_read() {
        for text in ["0", "17", "-3", "9.4", "-0.000001", "999999999999"] {
            assert_eq!(Decimal::parse(text).unwrap().to_string(), text);
        }
        assert_eq!(Decimal::parse("12.50").unwrap().to_string(), "12.5");
        for text in ["", "-", ".5", "5.", "1.1234567", "1000000000000", "1e3", "٣"] {
            assert_eq!(Decimal::parse(text), None, "{text}");
        }
    }

    #[test]
    fn products_are_exact() {
        let half = Decimal::parse("0.5").unwrap();
        assert_eq!(Decimal::whole(60).unwrap().times(half), Decimal::whole(30));
        assert_eq!(Decimal::whole(999_999_999_999).unwrap().times(Decimal::whole(2).unwrap()), None);
    }
}
