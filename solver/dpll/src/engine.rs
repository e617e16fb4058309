//! The procedure behind the interface of all engines: the user's variables and clauses as they are written.

use crate::formula::ClauseIndex;
use crate::search::{Dpll, Reason};
use putnam_formula::{ClauseSink, Engine, Limits, Lit, Outcome, ProofSink, Statistic, Var};

impl Dpll {
    /// The inner literal of an outer one, whose variable may be new.
    fn inner(&mut self, lit: Lit) -> Lit {
        self.outside.num_vars = self.outside.num_vars.max(lit.var().to_dimacs());
        let lit = self.outside.variables.get_or_insert(lit);
        if lit.var().index() == self.reasons.len() {
            self.formula.add_var();
            self.scores.add_var();
            self.reasons.push(Reason::Guess);
            self.seen.push(false);
        }
        lit
    }
}

impl ClauseSink for Dpll {
    fn new_var(&mut self) -> Var {
        let var = Var::new(self.outside.num_vars);
        self.outside.num_vars += 1;
        var
    }

    fn add_clause(&mut self, clause: &[Lit]) {
        Engine::add_clause(self, clause);
    }
}

impl Engine for Dpll {
    fn name(&self) -> &'static str {
        "dpll"
    }

    fn declare(&mut self, num_vars: u32) {
        self.outside.num_vars = self.outside.num_vars.max(num_vars);
    }

    fn add_clause(&mut self, clause: &[Lit]) {
        let mut clause: Vec<Lit> = clause.iter().map(|&lit| self.inner(lit)).collect();
        clause.sort_unstable();
        clause.dedup();
        // Opposite literals are neighbours now.
        if clause.windows(2).any(|pair| pair[0] == !pair[1]) {
            return;
        }
        let index = self.formula.num_clauses();
        if index >= ClauseIndex::MAX as usize {
            self.overfull = true;
            return;
        }
        match clause[..] {
            [] => {
                if !self.refuted {
                    self.outside.prove(&[]);
                }
                self.refuted = true;
                return;
            }
            [_] => self.unit_clauses.push(index as ClauseIndex),
            _ => {}
        }
        self.formula.add_clause(&clause);
        for lit in clause {
            self.scores.bump(lit.var().index() as u32);
        }
    }

    fn set_proof(&mut self, proof: Box<dyn ProofSink>) {
        self.outside.proof = Some(proof);
    }

    fn set_limits(&mut self, limits: Limits) {
        self.limits = limits;
    }

    fn solve(&mut self, assumptions: &[Lit]) -> Outcome {
        let inner: Vec<Lit> = assumptions.iter().map(|&lit| self.inner(lit)).collect();
        match self.run(&inner) {
            Outcome::Unsatisfiable { failed } => {
                let mut seen = std::collections::HashSet::new();
                let of_failed = |lit: &Lit| failed.contains(lit) && seen.insert(*lit);
                Outcome::Unsatisfiable { failed: assumptions.iter().copied().filter(of_failed).collect() }
            }
            outcome => outcome,
        }
    }

    fn statistics(&self) -> Vec<Statistic> {
        let counts = &self.counts;
        let per_decision =
            (counts.decisions > 0).then(|| (counts.propagations as f64 / counts.decisions as f64, "per decision"));
        let row = |name, count, ratio| Statistic { name, count, ratio };
        vec![
            row("decisions", counts.decisions, None),
            row("propagations", counts.propagations, per_decision),
            row("pure literals", counts.pure_literals, None),
            row("conflicts", counts.conflicts, None),
            row("maximum depth", counts.depth, None),
            row("ticks", self.formula.ticks, None),
        ]
    }
}
