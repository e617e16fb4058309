//! Parity reasoning: Gaussian elimination over GF(2) on the exclusive ors that the clauses spell out. It decides what
//! resolution cannot (Urquhart, Tseitin and parity formulas), and finds units and equivalences that are far apart
//! (Warners and van Maaren, 1998; Soos, Nohl and Castelluccia, SAT 2009; Han and Jiang, CAV 2012).
//!
//! 1. [`extract`] collects the exclusive ors: 2^(k-1) clauses over the same k variables, and exactly-one constraints,
//!    of which an odd number of literals is true. Long ones that the formula cuts by auxiliary variables are several
//!    short ones.
//! 2. [`linear`] brings the sparse system to triangular form and finds what follows from it: a contradiction, units,
//!    equivalences, each with the set of exclusive ors whose sum it is.
//! 3. [`chain`] proves the sum of such a set in DRAT, in linearly many clauses for each addition, with new variables
//!    that only the proof has and that are gone from it afterwards (Philipp and Rebola-Pardo, JELIA 2016).
//!
//! What would need too long a proof is left out when a proof is wanted; a counter tells how often. Where the exclusive
//! ors are the whole formula, a solution of the equations becomes the phases that the search follows.

pub(crate) mod chain;
mod extract;
mod linear;
pub(crate) mod plan;

use crate::Solver;
use crate::data::arena::ClauseRef;
use crate::data::phases::sign;
use crate::report::Event;
use chain::Prover;
use linear::{Fact, System};
use putnam_formula::{Lit, Var};

/// Where most clauses are exclusive ors, the least effort is so many times as high.
const PREVAILING: u64 = 20;

/// `vars` have an odd number of true ones if `odd`, else an even number. They are sorted and different.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Xor {
    pub(crate) vars: Vec<Var>,
    pub(crate) odd: bool,
    origin: Origin,
}

#[cfg(test)]
impl Xor {
    /// One that clauses spell out.
    pub(crate) fn new(vars: Vec<Var>, odd: bool) -> Self {
        Self { vars, odd, origin: Origin::Clauses }
    }
}

/// Which clauses say it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Origin {
    /// All clauses over the variables that are false when the parity is wrong.
    Clauses,
    /// Exactly one literal is true. By variable in their order: a bit is set where the literal is negative.
    ExactlyOne(u64),
}

impl Solver {
    /// Whether it is allowed.
    pub(crate) fn reasoning_by_parity(&self) -> bool {
        self.options.parity != 0
    }

    /// Collects the exclusive ors and learns what follows from them, as far as the effort goes.
    pub(crate) fn reason_by_parity(&mut self) {
        if self.schedule.parity.waits() {
            return;
        }
        self.statistics.parity_ticks += (self.arena.len() / 16) as u64;
        if self.statistics.parity_ticks >= self.parity_limit() {
            return;
        }
        self.statistics.parity_rounds += 1;
        let xors = self.extract_xors();
        self.statistics.parity_xors += xors.len() as u64;
        let clauses = xors.iter().filter(|xor| xor.origin == Origin::Clauses).map(|xor| 1 << (xor.vars.len() - 1));
        self.schedule.parity_prevails = clauses.sum::<u64>() > self.num_irredundant / 2;
        let limit = self.parity_limit();
        let mut found = 0;
        if !xors.is_empty() && self.statistics.parity_ticks < limit {
            let mut system = System::new(self.num_vars(), &xors);
            system.triangulate(limit - self.statistics.parity_ticks);
            self.follow_solution(&mut system);
            let facts = system.facts();
            found = self.learn_facts(&xors, &mut system, &facts, limit);
            self.statistics.parity_ticks += system.ticks;
        }
        self.schedule.parity.done(found > 0);
        if found > 0 && self.settle() {
            self.report(Event::Parity);
            self.substitute();
        }
    }

    /// How many ticks may have been spent by now.
    fn parity_limit(&self) -> u64 {
        let start = self.options.paritymin as u64 * 1000;
        let factor = if self.schedule.parity_prevails { PREVAILING } else { 1 };
        self.allowance(self.options.parityeffort, start * factor)
    }

    /// When the exclusive ors are most of the formula, a solution of them may be a model: then the next decisions
    /// follow it.
    fn follow_solution(&mut self, system: &mut System) {
        if !self.schedule.parity_prevails {
            return;
        }
        let Some(solution) = system.solution() else { return };
        let mut phases = self.phases.saved.clone();
        solution.iter().for_each(|(var, &value)| phases[var.index()] = sign(var.lit(value)));
        if self.satisfied_by(&phases) {
            self.statistics.parity_solutions += 1;
            self.phases.target.clone_from(&phases);
            self.phases.saved = phases;
        }
    }

    /// Whether the phases satisfy the clauses of the formula.
    fn satisfied_by(&self, phases: &[i8]) -> bool {
        let is_true = |lit: Lit| match self.values.get(lit) {
            0 => phases[lit.var().index()] == sign(lit),
            value => value > 0,
        };
        let binaries = |lit: Lit| {
            let list = self.watches.get(lit);
            is_true(lit) || list.iter().all(|w| !w.is_binary() || w.is_redundant_binary() || is_true(w.blocking))
        };
        let counts = |&clause: &ClauseRef| !self.arena.is_garbage(clause) && !self.arena.is_redundant(clause);
        (0..self.watches.num_lists()).map(Lit::from_code).all(binaries)
            && self.arena.clauses().filter(counts).all(|clause| self.arena.lits(clause).iter().any(|&lit| is_true(lit)))
    }

    /// Learns facts, the cheap ones first. Answers how many.
    fn learn_facts(&mut self, xors: &[Xor], system: &mut System, facts: &[Fact], limit: u64) -> usize {
        let mut found = 0;
        for fact in facts {
            if self.inconsistent || self.statistics.parity_ticks + system.ticks >= limit {
                break;
            }
            // The hashes by which facts are found may lie, sums do not.
            let Some((odd, summands)) = system.summands(fact) else { continue };
            if self.proof.is_wanted() {
                let terms: Vec<&Xor> = summands.iter().map(|&index| &xors[index]).collect();
                if !self.learn_proved_fact(&terms, fact, odd) {
                    self.statistics.parity_unproved += 1;
                    continue;
                }
            } else {
                self.learn_fact(fact, odd);
            }
            found += 1;
        }
        found
    }

    /// Proves the sum and learns it; answers false when the proof would be too long.
    fn learn_proved_fact(&mut self, terms: &[&Xor], fact: &Fact, odd: bool) -> bool {
        let room = (self.options.parityproof as u64 * 1000).saturating_sub(self.statistics.parity_proof);
        let Some(plan) = plan::plan(terms, room) else { return false };
        let mut next = self.first_fresh();
        let mut prover = Prover::new(&mut self.proof, &self.map, &mut next);
        let sum = prover.prove(terms, &plan);
        let lemmas = prover.lemmas();
        self.statistics.parity_proof += lemmas;
        self.statistics.parity_ticks += lemmas / 8;
        self.learn_fact(fact, odd);
        Prover::new(&mut self.proof, &self.map, &mut next).forget(sum);
        self.schedule.parity_fresh = next;
        true
    }

    /// The number of the first variable that neither the user nor the proof has seen.
    pub(crate) fn first_fresh(&self) -> u32 {
        self.all_declared().max(self.schedule.parity_fresh)
    }

    fn learn_fact(&mut self, fact: &Fact, odd: bool) {
        match *fact {
            Fact::Contradiction(_) => {
                self.statistics.parity_contradictions += 1;
                self.refute();
            }
            Fact::Unit(var) => {
                self.statistics.parity_units += 1;
                self.derive_units_or_binary(&[var.lit(odd)]);
            }
            Fact::Equivalence(a, b) => {
                self.statistics.parity_equivalences += 1;
                let [a, b] = [a.positive(), b.lit(!odd)];
                self.derive_units_or_binary(&[a, !b]);
                if !self.inconsistent {
                    self.derive_units_or_binary(&[!a, b]);
                }
            }
        }
    }

    fn derive_units_or_binary(&mut self, lits: &[Lit]) {
        self.derive(&mut lits.to_vec(), false, 1, 0);
    }
}

#[cfg(test)]
mod tests;
