//! The search as it happens, for teaching: events, and a renderer that draws them as an indented tree.

use putnam_formula::{Lit, Symbols};
use std::io::{self, Write};

/// One event of the search. Literals are the user's own; levels count the guesses that stand, assumptions among them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event<'a> {
    /// An assumption is made; it opens `level`.
    Assume {
        /// The new level.
        level: usize,
        /// The assumption.
        lit: Lit,
    },
    /// A guess; it opens `level`.
    Decide {
        /// The new level.
        level: usize,
        /// What is guessed to be true.
        lit: Lit,
    },
    /// All literals of a clause are false but one, which becomes true.
    Propagate {
        /// The level.
        level: usize,
        /// The literal that becomes true.
        lit: Lit,
        /// The clause, in the order in which the engine stores it.
        clause: &'a [Lit],
    },
    /// A literal becomes true because its negation is in no clause that is not satisfied.
    Pure {
        /// The level.
        level: usize,
        /// The literal.
        lit: Lit,
    },
    /// All literals of a clause are false.
    Conflict {
        /// The level.
        level: usize,
        /// The clause.
        clause: &'a [Lit],
    },
    /// The last guess and all that followed from it is taken back; its opposite becomes true.
    Backtrack {
        /// The level, now one less than before.
        level: usize,
        /// The opposite of the guess.
        lit: Lit,
    },
    /// Every clause is satisfied.
    Model {
        /// The level.
        level: usize,
    },
    /// No guess is left to be taken back: the clauses, together with these assumptions, have no model.
    Refuted {
        /// The failed assumptions.
        failed: &'a [Lit],
    },
}

/// Somebody who watches the search.
pub trait Observer: Send {
    /// Takes the next event.
    fn event(&mut self, event: Event<'_>);

    /// Hands everything to the operating system.
    ///
    /// # Errors
    /// The first error of any write so far.
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Levels that are deeper than this are not indented further, so that lines stay short.
const DEEPEST: usize = 40;

/// Draws the search as a tree of text: a line an event, indented by its level. Literals appear by the name of their
/// atom (`Jump(1,2,4,1)`, `not Peg(1,1)`) or, without one, by their number.
pub struct SearchTree<W> {
    out: W,
    symbols: Symbols,
    result: io::Result<()>,
}

impl<W: Write> SearchTree<W> {
    /// A tree that is written to `out`, which should be buffered.
    pub fn new(out: W, symbols: Symbols) -> Self {
        Self { out, symbols, result: Ok(()) }
    }

    fn literal(&self, lit: Lit) -> String {
        match self.symbols.name(lit.var()) {
            Some(name) if lit.is_negative() => format!("not {name}"),
            Some(name) => name.to_owned(),
            None => lit.to_string(),
        }
    }

    fn literals(&self, lits: &[Lit], between: &str) -> String {
        lits.iter().map(|&lit| self.literal(lit)).collect::<Vec<_>>().join(between)
    }

    /// A clause as a disjunction in parentheses; the empty clause is `()`.
    fn clause(&self, clause: &[Lit]) -> String {
        format!("({})", self.literals(clause, " or "))
    }

    fn line(&self, event: Event<'_>) -> (usize, String) {
        match event {
            // The line that opens a level stands where the level before it stands.
            Event::Assume { level, lit } => (level - 1, format!("assume {}", self.literal(lit))),
            Event::Decide { level, lit } => (level - 1, format!("decide {}  [{level}]", self.literal(lit))),
            Event::Propagate { level, lit, clause } => {
                (level, format!("propagate {}  from {}", self.literal(lit), self.clause(clause)))
            }
            Event::Pure { level, lit } => (level, format!("pure {}", self.literal(lit))),
            Event::Conflict { level, clause } => (level, format!("conflict {} is false", self.clause(clause))),
            Event::Backtrack { level, lit } => (level, format!("backtrack: {}", self.literal(lit))),
            Event::Model { level } => (level, "model: every clause is satisfied".to_owned()),
            Event::Refuted { failed: [] } => (0, "refuted: no guess is left".to_owned()),
            Event::Refuted { failed } => (0, format!("refuted under {}", self.literals(failed, " and "))),
        }
    }
}

impl<W: Write + Send> Observer for SearchTree<W> {
    fn event(&mut self, event: Event<'_>) {
        if self.result.is_ok() {
            let (level, text) = self.line(event);
            let indent = 2 * level.min(DEEPEST);
            self.result = writeln!(self.out, "{:indent$}{text}", "");
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        std::mem::replace(&mut self.result, Ok(()))?;
        self.out.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Dpll;
    use putnam_formula::{Engine, Outcome, SharedProof, Var};

    /// A writer that the test and the tree share.
    #[derive(Clone)]
    struct Page(SharedProof<Vec<u8>>);

    impl Write for Page {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.with(|page| page.write(bytes))
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    fn tree(clauses: &[&[i32]], assumptions: &[i32]) -> (String, Outcome) {
        let lit = |&x: &i32| Lit::from_dimacs(x).unwrap();
        let mut symbols = Symbols::new();
        symbols.insert(Var::new(0), "Peg(1,1)");
        symbols.insert(Var::new(1), "Jump(1,2,3,1)");
        let page = Page(SharedProof::new(Vec::new()));
        let mut solver = Dpll::new();
        solver.set_observer(Box::new(SearchTree::new(page.clone(), symbols)));
        for clause in clauses {
            solver.add_clause(&clause.iter().map(lit).collect::<Vec<_>>());
        }
        let outcome = solver.solve(&assumptions.iter().map(lit).collect::<Vec<_>>());
        solver.take_observer().unwrap().flush().unwrap();
        (page.0.with(|page| String::from_utf8(page.clone()).unwrap()), outcome)
    }

    #[test]
    fn the_tree_names_every_step() {
        let clauses: &[&[i32]] =
            &[&[1, 2], &[-1, 2], &[1, -2], &[-1, -2, 3], &[-1, -3, 4], &[-3, -4], &[5, 3], &[5, -1]];
        let (text, outcome) = tree(clauses, &[]);
        assert_eq!(outcome, Outcome::Unsatisfiable { failed: vec![] });
        let expected = "\
pure 5
decide not Peg(1,1)  [1]
  propagate not Jump(1,2,3,1)  from (Peg(1,1) or not Jump(1,2,3,1))
  conflict (Peg(1,1) or Jump(1,2,3,1)) is false
backtrack: Peg(1,1)
propagate Jump(1,2,3,1)  from (not Peg(1,1) or Jump(1,2,3,1))
propagate 3  from (not Peg(1,1) or not Jump(1,2,3,1) or 3)
propagate -4  from (-3 or -4)
conflict (not Peg(1,1) or -3 or 4) is false
refuted: no guess is left
";
        assert_eq!(text, expected);
    }

    #[test]
    fn assumptions_and_models_are_shown() {
        let (text, outcome) = tree(&[&[-1, -2]], &[1]);
        assert!(matches!(outcome, Outcome::Satisfiable(_)));
        let expected = "\
assume Peg(1,1)
  propagate not Jump(1,2,3,1)  from (not Peg(1,1) or not Jump(1,2,3,1))
  model: every clause is satisfied
";
        assert_eq!(text, expected);
        let (text, outcome) = tree(&[&[-1, -2], &[3, 4]], &[3, 1, 2]);
        let failed = [1, 2].map(|x| Lit::from_dimacs(x).unwrap()).to_vec();
        assert_eq!(outcome, Outcome::Unsatisfiable { failed });
        assert!(text.ends_with("refuted under Peg(1,1) and Jump(1,2,3,1)\n"), "{text}");
    }
}
