//! How variables and clauses come in.

use crate::Solver;
use crate::data::trail::Reason;
use crate::data::watch::{MAX_VARS, Watch};
use putnam_formula::{Lit, PackedClauses, Scratch, Var};

impl Solver {
    /// Adds a clause: duplicates, tautologies and the empty clause are taken.
    pub fn add_clause(&mut self, clause: &[Lit]) {
        self.forget_answer();
        let mut lits = std::mem::take(&mut self.simplified);
        lits.clear();
        // First all of them: the numbers of this clause are the user's.
        self.declared = clause.iter().fold(self.declared, |most, lit| most.max(lit.var().to_dimacs()));
        for &outer in clause {
            let lit = self.inner(outer);
            self.reactivate(lit);
            lits.push(lit);
        }
        // The watches have no room for more variables.
        self.overflow |= self.num_vars() > MAX_VARS;
        if !self.inconsistent && !self.overflow {
            self.add_simplified(clause, &mut lits);
        }
        self.simplified = lits;
    }

    /// Adds all clauses of a formula; see [`putnam_formula::Engine::add_formula`]. Clauses of two literals go into the
    /// watches at once, in a second pass, when it is known how many there are.
    pub(crate) fn add_packed(&mut self, formula: &PackedClauses) {
        self.forget_answer();
        self.declared = self.declared.max(formula.num_vars());
        // What has been propagated would not be propagated over them.
        if self.trail.propagated > 0 {
            formula.visit(|clause| {
                self.add_clause(clause);
                true
            });
            return;
        }
        let mut counts: Scratch<u32> = vec![0; self.watches.num_lists()].into();
        formula.visit(|clause| {
            let Some(pair) = pair(clause) else {
                self.add_clause(clause);
                return true;
            };
            for outer in pair {
                let lit = self.inner(outer);
                self.reactivate(lit);
                counts.resize(self.watches.num_lists(), 0);
                counts[lit.code()] += 1;
            }
            true
        });
        self.overflow |= self.num_vars() > MAX_VARS;
        if self.inconsistent || self.overflow {
            return;
        }
        self.watches.reserve(&counts);
        drop(counts);
        formula.visit(|clause| {
            if let Some(pair) = pair(clause) {
                let [first, second] = pair.map(|outer| self.inner(outer));
                self.watches.push(first, Watch::binary(second, false));
                self.watches.push(second, Watch::binary(first, false));
                self.num_irredundant += 1;
            }
            true
        });
    }

    /// The inner literal of an outer one; its variable is made when it is new.
    pub(crate) fn inner(&mut self, outer: Lit) -> Lit {
        let lit = self.map.get_or_insert(outer);
        if self.map.len() > self.num_vars() {
            self.grow();
            self.free_name(outer.var());
        }
        lit
    }

    /// Makes room for another inner variable.
    pub(crate) fn grow(&mut self) {
        self.values.grow();
        self.trail.grow();
        self.watches.grow();
        self.queue.grow();
        self.scores.grow();
        self.phases.grow(self.options.phase != 0);
        self.analysis.grow();
        self.schedule.grow();
        self.reconstruct.grow();
    }

    /// Adds the inner literals `lits` of a clause that the user wrote as `written`.
    fn add_simplified(&mut self, written: &[Lit], lits: &mut Vec<Lit>) {
        debug_assert_eq!(self.trail.level(), 0);
        let values = &self.values;
        // Marks: 1 for a variable that came positive, 2 for one that came negative.
        let marks = &mut self.analysis.marks;
        let mut satisfied = false;
        let mut falsified = false;
        lits.retain(|&lit| {
            let mark = 1 + u8::from(lit.is_negative());
            let known = std::mem::replace(&mut marks[lit.var().index()], mark);
            satisfied |= values.is_true(lit) || (known != 0 && known != mark);
            falsified |= values.is_false(lit);
            known != mark && !values.is_false(lit)
        });
        written.iter().filter_map(|&outer| self.map.get(outer)).for_each(|lit| marks[lit.var().index()] = 0);
        if satisfied {
            return;
        }
        if falsified {
            self.proof.add(&self.map, lits);
        }
        match lits[..] {
            [] => {
                // The formula's own empty clause is repeated, so that every refutation ends alike.
                if !falsified {
                    self.proof.add(&self.map, &[]);
                }
                self.inconsistent = true;
                return;
            }
            [unit] => self.assign(unit, Reason::NOTHING),
            [a, b] => {
                self.num_irredundant += 1;
                self.new_binaries.push(&[a, b]);
            }
            _ if self.arena.fits(lits.len()) => {
                self.push_clause(lits, false, 0);
            }
            _ => self.overflow = true,
        }
        if falsified {
            self.proof.delete_outer(written);
        }
    }

    /// Puts new variables into the queue and the heap, in the order in which the user numbers them.
    pub(crate) fn enqueue_variables(&mut self) {
        let mut new: Scratch<Var> = (self.enqueued as u32..self.num_vars() as u32).map(Var::new).collect();
        new.sort_unstable_by_key(|&var| self.map.outer(var.positive()));
        for &var in &new {
            self.scores.push(var);
            self.queue.push(var);
        }
        self.enqueued = self.num_vars();
        self.queue.reset_search();
    }
}

/// The literals of a clause of two that is no tautology.
fn pair(clause: &[Lit]) -> Option<[Lit; 2]> {
    match *clause {
        [a, b] if a.var() != b.var() => Some([a, b]),
        _ => None,
    }
}
