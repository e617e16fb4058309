//! Forward subsumption and strengthening: clauses are taken from the shortest on; each is held against the shorter ones
//! that share a literal with it and then joins the list of its literal that has the shortest one (one-watch scheme;
//! Zhang, On Subsumption Removal and On-the-Fly CNF Simplification, SAT 2005; Bayardo and Panda, 2011). Irredundant
//! clauses take part, and learned ones that will probably be kept. Only clauses whose variables came into clauses since
//! the last round can have something new to say (Biere, CaDiCaL).
//!
//! When a learned clause subsumes an irredundant one, it takes its place.

use crate::Solver;
use crate::data::arena::ClauseRef;
use crate::data::arena::signature;
use crate::data::lists::Lists;
use crate::data::watch::Watch;
use crate::report::Event;
use putnam_formula::{Lit, Scratch};

/// A clause that is connected, and its signature.
#[derive(Clone, Copy)]
struct Occurrence {
    clause: ClauseRef,
    signature: u32,
}

/// One call.
struct Run {
    /// By literal: clauses that are connected to it.
    lists: Lists<Occurrence>,
    /// By literal: the clause at hand has it.
    marks: Scratch<bool>,
    ticks: u64,
    subsumed: u64,
    strengthened: u64,
}

/// What a clause meets.
enum Finding {
    Nothing,
    /// A shorter clause with a subset of the literals; a large one, or the other literal of a binary one.
    Subsumed(By),
    /// The literal can be removed.
    Strengthened(Lit),
}

#[derive(Clone, Copy)]
enum By {
    Large(ClauseRef),
    Binary(Lit, Watch),
}

impl Solver {
    /// Whether clauses are to be compared.
    pub(crate) fn subsuming(&self) -> bool {
        self.options.subsume != 0
    }

    /// Removes subsumed clauses and literals until all are tried or the effort is spent.
    pub(crate) fn subsume(&mut self) {
        let minimum = (self.options.subsumemin as u64) * 1000 + self.num_irredundant;
        let budget = self.budget(|schedule| &mut schedule.subsumption, self.options.subsumeeffort, minimum);
        let candidates = self.subsumption_candidates();
        let num_lits = self.watches.num_lists();
        let mut run = Run {
            lists: Lists::new(num_lits),
            marks: vec![false; num_lits].into(),
            ticks: 2 * candidates.len() as u64,
            subsumed: 0,
            strengthened: 0,
        };
        self.unwatch_large();
        let num_vars = self.num_vars();
        let added = std::mem::replace(&mut self.schedule.added, vec![false; num_vars].into());
        let mut complete = true;
        for &clause in &candidates {
            if run.ticks >= budget {
                complete = false;
                break;
            }
            let lits = self.arena.lits(clause);
            let fresh = lits.iter().filter(|lit| added[lit.var().index()]).count();
            let all_fresh = fresh == lits.len();
            if fresh >= 2 && self.try_subsumption(&mut run, clause) {
                continue;
            }
            if all_fresh {
                self.connect_subsuming(&mut run, clause);
            }
        }
        if !complete {
            // What was not reached stays new.
            self.schedule.added.iter_mut().zip(&added).for_each(|(new, old)| *new |= old);
        }
        self.statistics.subsumed += run.subsumed;
        self.statistics.strengthened += run.strengthened;
        self.statistics.subsumption_ticks += run.ticks;
        self.rewatch_large();
        if run.subsumed + run.strengthened > 0 {
            self.report(Event::Subsume);
        }
    }

    /// Clauses that take part, the shortest first.
    fn subsumption_candidates(&self) -> Scratch<ClauseRef> {
        let longest = self.options.subsumeclause as usize;
        let tier2 = self.tiers.limits(self.stable).1;
        let mut by_size: Scratch<(u32, ClauseRef)> = Scratch::new();
        for clause in self.arena.clauses() {
            let size = self.arena.size(clause);
            let kept = !self.arena.is_redundant(clause) || self.arena.glue(clause) <= tier2;
            if kept && size <= longest && !self.arena.is_garbage(clause) {
                by_size.push((size as u32, clause));
            }
        }
        by_size.sort_by_key(|&(size, _)| size);
        by_size.iter().map(|&(_, clause)| clause).collect()
    }

    /// Removes the clause, or literals of it; answers whether it is gone.
    fn try_subsumption(&mut self, run: &mut Run, clause: ClauseRef) -> bool {
        loop {
            let lits = self.arena.lits(clause);
            lits.iter().for_each(|lit| run.marks[lit.code()] = true);
            let finding = self.find_subsuming(run, clause);
            self.arena.lits(clause).iter().for_each(|lit| run.marks[lit.code()] = false);
            match finding {
                Finding::Nothing => return false,
                Finding::Subsumed(by) => {
                    if !self.arena.is_redundant(clause) {
                        self.take_place(by);
                    }
                    self.mark_garbage(clause);
                    run.subsumed += 1;
                    return true;
                }
                Finding::Strengthened(lit) => {
                    run.strengthened += 1;
                    if self.strengthen_clause(clause, lit) {
                        return true;
                    }
                }
            }
        }
    }

    /// Looks for a connected or binary clause that subsumes or strengthens the marked one.
    fn find_subsuming(&self, run: &mut Run, clause: ClauseRef) -> Finding {
        let lits = self.arena.lits(clause);
        let bits = signature(lits);
        let mut strengthened = None;
        for &lit in lits {
            for list in [lit, !lit] {
                let flipped = list != lit;
                run.ticks += 1 + self.watches.lines(list);
                for watch in self.watches.get(list) {
                    if run.marks[watch.blocking.code()] && !flipped {
                        return Finding::Subsumed(By::Binary(list, watch));
                    }
                    if run.marks[watch.blocking.code()] {
                        strengthened = Some(lit);
                    }
                }
                run.ticks += 1 + run.lists.lines(list);
                for i in 0..run.lists.len(list) {
                    let Occurrence { clause: other, signature } = run.lists.get(list)[i];
                    if signature & !bits != 0 || other == clause {
                        continue;
                    }
                    run.ticks += 1;
                    match compare(self.arena.lits(other), &run.marks) {
                        Some(None) => return Finding::Subsumed(By::Large(other)),
                        Some(Some(flipped)) => strengthened = Some(!flipped),
                        None => {}
                    }
                }
            }
        }
        strengthened.map_or(Finding::Nothing, Finding::Strengthened)
    }

    /// Takes a literal out of a clause of three or more, of which the rest is implied; answers whether the clause
    /// became binary.
    pub(crate) fn strengthen_clause(&mut self, clause: ClauseRef, remove: Lit) -> bool {
        let kept: Vec<Lit> = self.arena.lits(clause).iter().copied().filter(|&lit| lit != remove).collect();
        let redundant = self.arena.is_redundant(clause);
        self.proof.add(&self.map, &kept);
        kept.iter().for_each(|lit| self.schedule.added[lit.var().index()] = true);
        if let [a, b] = kept[..] {
            self.mark_garbage(clause);
            self.watch_binary(a, b, redundant);
            return true;
        }
        if !redundant {
            self.touch_removed(clause);
        }
        self.proof.delete(&self.map, self.arena.lits(clause));
        self.arena.lits_mut(clause)[..kept.len()].copy_from_slice(&kept);
        self.arena.shrink(clause, kept.len());
        false
    }

    /// What subsumes an irredundant clause takes its place.
    fn take_place(&mut self, by: By) {
        match by {
            By::Large(clause) if self.arena.is_redundant(clause) => self.make_irredundant(clause),
            By::Binary(lit, watch) if watch.is_redundant_binary() => self.make_binary_irredundant(lit, watch.blocking),
            _ => {}
        }
    }

    /// Puts a clause into the list of its literal with the shortest one.
    fn connect_subsuming(&self, run: &mut Run, clause: ClauseRef) {
        let lits = self.arena.lits(clause);
        let Some(&best) = lits.iter().min_by_key(|&&lit| run.lists.len(lit)) else { return };
        if run.lists.len(best) < self.options.subsumeocc as usize {
            run.lists.push(best, Occurrence { clause, signature: signature(lits) });
            run.ticks += 1;
        }
    }
}

/// Whether all literals are marked, but for the sign of at most one, which is then the answer.
#[inline]
fn compare(lits: &[Lit], marks: &[bool]) -> Option<Option<Lit>> {
    let mut flipped = None;
    for &lit in lits {
        if marks[lit.code()] {
            continue;
        }
        if flipped.is_some() || !marks[(!lit).code()] {
            return None;
        }
        flipped = Some(lit);
    }
    Some(flipped)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lits(numbers: &[i32]) -> Vec<Lit> {
        numbers.iter().map(|&n| Lit::from_dimacs(n).unwrap()).collect()
    }

    #[test]
    fn shorter_clauses_remove_and_strengthen() {
        let mut solver = Solver::new();
        for clause in [&[1, 2, 3][..], &[3, 1, 2, 4], &[1, 2, -3, 5], &[4, 5], &[4, 5, 6], &[-4, 5, 7]] {
            solver.add_clause(&lits(clause));
        }
        solver.connect();
        assert!(solver.settle());
        solver.subsume();
        assert_eq!((solver.statistics.subsumed, solver.statistics.strengthened), (2, 2));
        let mut left: Vec<Vec<i32>> = solver
            .arena
            .clauses()
            .filter(|&clause| !solver.arena.is_garbage(clause))
            .map(|clause| solver.arena.lits(clause).iter().map(|&l| solver.map.outer(l).to_dimacs()).collect())
            .collect();
        left.iter_mut().for_each(|clause| clause.sort_unstable());
        left.sort();
        assert_eq!(left, [vec![1, 2, 3], vec![1, 2, 5]]);
        // (5 7) is what is left of (-4 5 7).
        let [five, seven] = [5, 7].map(|n| solver.map.get(Lit::from_dimacs(n).unwrap()).unwrap());
        assert!(solver.watches.get(five).iter().any(|watch| watch.is_binary() && watch.blocking == seven));
        assert_eq!(solver.num_irredundant, 4);
    }

    #[test]
    fn a_learned_clause_takes_the_place_of_what_it_subsumes() {
        let mut solver = Solver::new();
        solver.add_clause(&lits(&[1, 2, 3, 4]));
        solver.connect();
        let learned: Vec<Lit> = lits(&[2, 3, 4]).iter().map(|&l| solver.map.get(l).unwrap()).collect();
        let learned = solver.push_clause(&learned, true, 2);
        solver.watch_large(learned);
        solver.subsume();
        assert_eq!((solver.num_irredundant, solver.num_redundant), (1, 0));
        assert!(!solver.arena.is_redundant(learned) && !solver.arena.is_garbage(learned));
    }
}
