//! Names of atoms.

use crate::Var;
use std::collections::{BTreeMap, HashMap};
use std::fmt;

/// The names of the atoms that variables stand for, such as `Jump(1,2,4,1)`. Not every variable has one; no two
/// variables share one.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Symbols {
    names: BTreeMap<Var, String>,
    vars: HashMap<String, Var>,
}

/// In the order of the variables, the same in every run.
impl fmt::Debug for Symbols {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(&self.names).finish()
    }
}

impl Symbols {
    /// A table without names.
    pub fn new() -> Self {
        Self::default()
    }

    /// Names a variable. Answers false, and changes nothing, when the variable has a name or the name a variable.
    pub fn insert(&mut self, var: Var, name: impl Into<String>) -> bool {
        let name = name.into();
        if self.names.contains_key(&var) || self.vars.contains_key(&name) {
            return false;
        }
        self.vars.insert(name.clone(), var);
        self.names.insert(var, name);
        true
    }

    /// The name of a variable.
    pub fn name(&self, var: Var) -> Option<&str> {
        self.names.get(&var).map(String::as_str)
    }

    /// The variable with a name.
    pub fn var(&self, name: &str) -> Option<Var> {
        self.vars.get(name).copied()
    }

    /// All names, in ascending order of the variables.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (Var, &str)> {
        self.names.iter().map(|(&var, name)| (var, name.as_str()))
    }

    /// The number of names.
    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// Whether no variable has a name.
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique_both_ways() {
        let mut symbols = Symbols::new();
        assert!(symbols.insert(Var::new(3), "Peg(1,1)"));
        assert!(!symbols.insert(Var::new(3), "Peg(2,1)"));
        assert!(!symbols.insert(Var::new(4), "Peg(1,1)"));
        assert_eq!(symbols.var("Peg(1,1)"), Some(Var::new(3)));
        assert_eq!(symbols.name(Var::new(4)), None);
        assert_eq!(symbols.len(), 1);
    }
}
