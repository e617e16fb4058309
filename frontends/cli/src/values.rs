//! Values of options that several commands share.

use clap::builder::{OsStringValueParser, TypedValueParser};
use clap::{Args, ValueEnum};
use putnam_formats::InputFormat;
use std::time::Duration;

/// How formulas are read.
#[derive(Args, Clone, Debug)]
pub(crate) struct ReadingArgs {
    /// The format of the input; auto tells by the content
    #[arg(long, value_name = "FORMAT", value_enum, default_value = "auto")]
    pub(crate) input: Input,
    /// Refuse what the format's standard does not allow instead of warning about it
    #[arg(long)]
    pub(crate) strict: bool,
}

/// Values of `--input`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Input {
    /// Told by the content
    Auto,
    /// DIMACS CNF: `p cnf`, clauses closed by 0
    Dimacs,
    /// A clause a line without a closing 0, then a line 0, then text that is copied to the output
    Assignment,
}

impl From<Input> for InputFormat {
    fn from(input: Input) -> Self {
        match input {
            Input::Auto => Self::Auto,
            Input::Dimacs => Self::Dimacs,
            Input::Assignment => Self::Assignment,
        }
    }
}

/// What a user writes for a problem: the name of a built-in one, or of a file. Names of front ends are text, so a file whose name is
/// none comes as standard input.
pub(crate) fn input() -> impl TypedValueParser<Value = String> {
    OsStringValueParser::new().try_map(|name| {
        let message = "a file whose name is not UTF-8 can be given as standard input: write `-` here, and `< FILE` behind the command";
        name.into_string().map_err(|_| message)
    })
}

/// A number of seconds, with or without a fraction.
pub(crate) fn seconds(text: &str) -> Result<Duration, String> {
    let number: f64 = text.parse().map_err(|_| "this is no number of seconds".to_owned())?;
    if number < 0.0 {
        return Err("a number of seconds cannot be negative".into());
    }
    Duration::try_from_secs_f64(number).map_err(|_| "this is no number of seconds that can be waited for".into())
}

/// A number of bytes: `500M`, `2G`; a number alone counts megabytes.
pub(crate) fn bytes(text: &str) -> Result<u64, String> {
    let (number, unit) = match text.trim_end_matches(['b', 'B']) {
        t if t.ends_with(['k', 'K']) => (&t[..t.len() - 1], 1 << 10),
        t if t.ends_with(['m', 'M']) => (&t[..t.len() - 1], 1 << 20),
        t if t.ends_with(['g', 'G']) => (&t[..t.len() - 1], 1 << 30),
        t => (t, 1 << 20),
    };
    let number: u64 =
        number.parse().map_err(|_| "write a number of megabytes, or a number with K, M or G".to_owned())?;
    number.checked_mul(unit).ok_or_else(|| "this is more than can be counted".into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seconds_are_finite_and_positive() {
        assert_eq!(seconds("0.25"), Ok(Duration::from_millis(250)));
        assert_eq!(seconds("0"), Ok(Duration::ZERO));
        for text in ["-1", "nan", "inf", "1e300", "", "5s"] {
            assert!(seconds(text).is_err(), "{text}");
        }
    }

    #[test]
    fn bytes_have_units() {
        assert_eq!(bytes("3"), Ok(3 << 20));
        assert_eq!(bytes("3k"), Ok(3 << 10));
        assert_eq!(bytes("2GB"), Ok(2 << 30));
        for text in ["", "G", "-1", "1.5G", "99999999999999999999", "18446744073709551615G"] {
            assert!(bytes(text).is_err(), "{text}");
        }
    }
}
