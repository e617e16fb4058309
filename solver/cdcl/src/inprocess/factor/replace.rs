//! The clauses of a product go, and those of the new variable come.

use super::{Column, Factoring, Member};
use crate::Solver;
use crate::data::arena::HEADER;
use putnam_formula::{Lit, Var};
use std::cmp::Reverse;

impl Solver {
    /// Replaces the best product, if it saves enough. Answers false when nothing can be added any more.
    pub(super) fn replace_product(&mut self, run: &mut Factoring) -> bool {
        let saved = |&at: &usize| (run.columns[at].saved(at + 1), Reverse(at));
        let Some(best) = (1..run.columns.len()).max_by_key(saved) else { return true };
        let saves = run.columns[best].saved(best + 1);
        if saves as u64 <= self.schedule.elimination_bound || saves < self.options.factorsave as usize {
            return true;
        }
        let longest = self.options.factorclause as usize;
        let room = self.arena.fits(run.columns[best].members.len() * (longest + HEADER));
        let Some(var) = Some(()).filter(|()| room).and_then(|()| self.add_hidden_variable()) else { return false };
        run.grow();
        let columns = std::mem::take(&mut run.columns);
        let factors: Vec<Lit> = columns[..=best].iter().map(|column| column.factor).collect();
        for &factor in &factors {
            self.proof.add(&self.map, &[var.positive(), factor]);
            self.watch_binary(var.positive(), factor, false);
        }
        let rests = self.add_rests(run, var, &columns[best]);
        self.remove_factored(&columns[..=best]);
        self.remove_factored_binaries(run, &factors, &rests);
        for lit in factors.iter().chain(&rests).copied().chain([var.positive(), var.negative()]) {
            run.ticks += 1;
            self.schedule_factor(run, lit);
        }
        run.columns = columns;
        self.statistics.factored += 1;
        self.statistics.factored_clauses += saves as u64;
        true
    }

    /// Adds a clause for each rest, and answers with the rests of one literal.
    fn add_rests(&mut self, run: &mut Factoring, var: Var, column: &Column) -> Vec<Lit> {
        let mut rests: Vec<Lit> = Vec::new();
        for &(_, member) in &column.members {
            let mut lits = vec![var.negative()];
            match member {
                Member::Binary(other) => lits.push(other),
                Member::Large(large) => {
                    lits.extend(self.arena.lits(large).iter().copied().filter(|&lit| lit != column.factor));
                }
            }
            self.proof.add(&self.map, &lits);
            if let [first, other] = lits[..] {
                self.watch_binary(first, other, false);
                rests.push(other);
            } else {
                let clause = self.push_clause(&lits, false, 0);
                self.arena.sign(clause);
                run.occurrences.add(&self.arena, clause);
                run.rests.add(&lits);
            }
        }
        rests
    }

    /// Removes the large clauses of a product, whose rests are those of the last column.
    fn remove_factored(&mut self, columns: &[Column]) {
        let Some(last) = columns.last() else { return };
        for column in columns {
            let mut kept = last.members.iter().map(|member| member.0).peekable();
            for (rest, member) in &column.members {
                if kept.next_if_eq(rest).is_some()
                    && let Member::Large(clause) = *member
                {
                    self.mark_garbage(clause);
                }
            }
        }
    }

    /// Removes the binary clauses of all factors with all rests.
    fn remove_factored_binaries(&mut self, run: &mut Factoring, factors: &[Lit], rests: &[Lit]) {
        // A binary clause may be there twice.
        let mut removed = 0;
        for (these, those, first) in [(factors, rests, true), (rests, factors, false)] {
            those.iter().for_each(|lit| run.marks[lit.code()] = true);
            for &lit in these {
                run.ticks += 1 + self.watches.lines(lit);
                let (marks, proof, map) = (&run.marks, &mut self.proof, &self.map);
                self.watches.retain(lit, |watch| {
                    let goes = !watch.is_redundant_binary() && marks[watch.blocking.code()];
                    if goes && first {
                        removed += 1;
                        proof.delete(map, &[lit, watch.blocking]);
                    }
                    !goes
                });
                self.touch(lit.var());
            }
            those.iter().for_each(|lit| run.marks[lit.code()] = false);
        }
        self.num_irredundant -= removed;
    }
}
