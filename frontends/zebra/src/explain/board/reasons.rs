//! Why what is known is so: the premises of conclusions and of conflicts, read from what propagation wrote down.

use super::{Because, Board, Conflict, Why};
use crate::explain::Fact;
use crate::explain::rules::Source;
use crate::puzzle::Term;
use putnam_formula::Lit;
use std::rc::Rc;

impl Board<'_> {
    /// Why a known literal is so, and its premises among the facts; none for what was given.
    pub(in crate::explain) fn reason(&self, lit: Lit) -> Option<(Why, Vec<Fact>)> {
        let because = self.reasons[lit.var().index()];
        if matches!(because, Because::Given | Because::Beside(_)) {
            return None;
        }
        Some(self.read(because, Some(lit)))
    }

    /// Why a conflict arises, and the facts that exclude each other; those are known at the moment of the conflict.
    pub(in crate::explain) fn conflict(&self, conflict: &Conflict) -> (Why, Vec<Fact>) {
        let (why, mut premises) = self.read(conflict.because, conflict.lit);
        let mut excluded = Vec::new();
        conflict.lit.iter().for_each(|&lit| self.expand(!lit, &mut excluded));
        excluded.retain(|fact| !premises.contains(fact));
        premises.extend(excluded);
        (why, premises)
    }

    /// The facts from which a known literal was concluded.
    pub(in crate::explain) fn premises(&self, lit: Lit) -> Vec<Fact> {
        match self.reasons[lit.var().index()] {
            Because::Given => Vec::new(),
            Because::Beside(literal) => {
                let mut premises = Vec::new();
                self.expand(literal, &mut premises);
                premises
            }
            because => self.read(because, Some(lit)).1,
        }
    }

    fn read(&self, because: Because, lit: Option<Lit>) -> (Why, Vec<Fact>) {
        let facts = &self.rules.facts;
        let pair = |lit: Lit| facts.pair(lit.var().index());
        match because {
            Because::Given | Because::Beside(_) => unreachable!("this has no reason in words"),
            Because::Taken(taken) => {
                let (a, b) = pair(taken);
                let about = lit.map(pair);
                let shared =
                    if about.is_some_and(|(c, d)| c == a || d == a) { (a, b.category) } else { (b, a.category) };
                (Why::By(Source::Partner(shared.0, shared.1)), vec![taken])
            }
            Because::Last(value, category) => {
                let partners = (0..facts.size(category)).map(|v| self.rules.fact(value, Term { category, value: v }));
                (Why::By(Source::Partner(value, category)), partners.filter(|&p| Some(p) != lit).map(|p| !p).collect())
            }
            Because::Same(known, with) => {
                let ((a, b), (c, d)) = (pair(known), pair(with));
                let third = if c == a || c == b { d } else { c };
                (Why::By(Source::Same(a, b, third)), vec![known, with])
            }
            Because::Clause(clause) => {
                let mut premises = Vec::new();
                let others = self.clause(clause).iter().filter(|&&other| Some(other) != lit);
                others.for_each(|&other| self.expand(!other, &mut premises));
                premises.sort_unstable();
                premises.dedup();
                (Why::By(self.rules.source_of(clause as usize)), premises)
            }
            Because::Case(number) => {
                let (case, premises) = &self.cases[number as usize];
                (Why::Case(Rc::clone(case)), premises.clone())
            }
        }
    }

    /// Adds the facts behind a true literal.
    fn expand(&self, lit: Lit, premises: &mut Vec<Fact>) {
        let (mut open, mut seen) = (vec![lit], Vec::new());
        while let Some(lit) = open.pop() {
            if self.is_fact(lit) {
                premises.push(lit);
            } else if let Because::Clause(clause) = self.reasons[lit.var().index()]
                && !seen.contains(&lit)
            {
                seen.push(lit);
                open.extend(self.clause(clause).iter().filter(|&&other| other != lit).map(|&other| !other));
            }
        }
    }

    fn clause(&self, clause: u32) -> &[Lit] {
        &self.lits[self.starts[clause as usize] as usize..self.starts[clause as usize + 1] as usize]
    }
}
