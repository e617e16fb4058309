//! The options of a front end, declared as data so that the command line can offer them.

use crate::Error;
use std::collections::BTreeMap;

/// An option of a front end.
#[derive(Clone, Copy, Debug)]
pub struct OptionSpec {
    /// The long name, without dashes.
    pub name: &'static str,
    /// What it does, for the help text.
    pub help: &'static str,
    /// Whether it takes a value.
    pub kind: OptionKind,
}

/// What an option takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OptionKind {
    /// Nothing: it is there or not.
    Flag,
    /// One value; the text is its placeholder.
    Value(&'static str),
    /// One of these words.
    Choice(&'static [&'static str]),
}

/// The options that a user gave.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Settings(BTreeMap<String, String>);

impl Settings {
    /// Sets an option; a flag's value is empty.
    pub fn set(&mut self, name: impl Into<String>, value: impl Into<String>) {
        self.0.insert(name.into(), value.into());
    }

    /// Whether the option was given.
    pub fn flag(&self, name: &str) -> bool {
        self.0.contains_key(name)
    }

    /// The option's value, if it was given.
    pub fn value(&self, name: &str) -> Option<&str> {
        self.0.get(name).map(String::as_str)
    }

    /// The option's value as a number, if it was given.
    ///
    /// # Errors
    /// [`Error::Input`] when it is no number in the type's range.
    pub fn number<T: std::str::FromStr>(&self, name: &str) -> Result<Option<T>, Error> {
        let Some(text) = self.value(name) else { return Ok(None) };
        text.parse()
            .map(Some)
            .map_err(|_| Error::input(format!("--{name} {text}"), "this is no number that can stand here"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_checked() {
        let mut settings = Settings::default();
        settings.set("start", "5");
        settings.set("finish", "-1");
        assert_eq!(settings.number::<usize>("start").unwrap(), Some(5));
        assert_eq!(settings.number::<usize>("goal").unwrap(), None);
        assert!(settings.number::<usize>("finish").unwrap_err().to_string().starts_with("--finish -1: "));
    }
}
