//! Binary strengthening: a literal of the learned clause goes when a binary clause says that the implication point
//! implies its negation (Audemard and Simon, Glucose, 2009: minimisation with binary clauses). Only for short clauses
//! of low glue, which are worth the look at a watch list.

use crate::Solver;
use putnam_formula::Lit;

/// The literal is in the learned clause.
const IN_CLAUSE: u8 = 1 << 4;
/// Its negation is in a binary clause with the implication point.
const RESOLVED: u8 = 1 << 5;

/// Longer clauses are left as they are.
const LONGEST: usize = 30;

impl Solver {
    /// Whether the clause of the analysis should be strengthened.
    pub(crate) fn strengthening_learned(&self, glue: u32) -> bool {
        let size = self.analysis.clause.len();
        i64::from(glue) <= self.options.strengthen && (3..=LONGEST).contains(&size)
    }

    /// Resolves the clause of the analysis with binary clauses of its first literal.
    pub(crate) fn strengthen_learned(&mut self) {
        let mut clause = std::mem::take(&mut self.analysis.clause);
        clause[1..].iter().for_each(|&lit| self.analysis.mark(lit, IN_CLAUSE));
        let before = clause.len();
        self.statistics.ticks += self.watches.lines(clause[0]);
        for watch in self.watches.get(clause[0]).iter().filter(|watch| watch.is_binary()) {
            // The other literal is true, and all of the clause is false: if the variable is there, so is the negation.
            if self.analysis.has(watch.blocking, IN_CLAUSE) && self.values.is_true(watch.blocking) {
                self.analysis.mark(watch.blocking, RESOLVED);
            }
        }
        let analysis = &self.analysis;
        let mut first = true;
        clause.retain(|&lit: &Lit| std::mem::take(&mut first) || !analysis.has(lit, RESOLVED));
        self.statistics.strengthened_literals += (before - clause.len()) as u64;
        self.analysis.clause = clause;
    }
}

#[cfg(test)]
mod tests {
    use crate::data::trail::Reason;
    use crate::{Options, Solver};
    use putnam_formula::{Lit, Var};

    #[test]
    fn literals_that_a_binary_clause_resolves_away_go() {
        let mut options = Options::default();
        options.set("strengthen", 6).unwrap();
        let mut solver = Solver::with_options(options);
        let lits: Vec<Lit> = (0..5).map(|i| Var::new(i).positive()).collect();
        solver.add_clause(&[lits[0], lits[1]]);
        solver.add_clause(&[lits[0], !lits[3], lits[2]]);
        solver.add_clause(&[lits[0], !lits[4]]);
        assert!(solver.prepare().is_none());
        let inner: Vec<Lit> = lits.iter().map(|&lit| solver.map.get(lit).unwrap()).collect();
        for (i, &lit) in inner.iter().enumerate() {
            // All of the learned clause is false: x0, not x1, x2, not x3.
            let value = if i == 0 || i == 2 || i == 4 { !lit } else { lit };
            solver.trail.open_level(Some(value));
            solver.assign(value, Reason::NOTHING);
        }
        solver.analysis.clause = vec![inner[0], !inner[1], inner[2], !inner[3]];
        assert!(solver.strengthening_learned(6) && !solver.strengthening_learned(7));
        solver.strengthen_learned();
        assert_eq!(solver.analysis.clause, [inner[0], inner[2], !inner[3]]);
        assert_eq!(solver.statistics.strengthened_literals, 1);
    }

    #[test]
    fn every_step_is_checked_on_random_formulas() {
        let settings = [("strengthen", 1000), ("modeinit", 20)];
        let counts = crate::testing::fuzz(&settings, 100, 60, &["literals removed by binary clauses"]);
        assert!(counts.iter().all(|&count| count > 0), "{counts:?}");
    }
}
