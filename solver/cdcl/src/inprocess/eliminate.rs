//! Bounded variable elimination: a variable goes when its clauses have hardly more resolvents than there are clauses
//! (Davis and Putnam, 1960; Eén and Biere, SAT 2005). How many more are allowed grows from 0 to 16 each time that no
//! variable is left to try (Biere, CaDiCaL and Kissat). Variables are tried from the fewest resolvents on, and again
//! when they lost clauses. Of defined variables only the resolvents with the definition are added. Pure literals are
//! the case without resolvents.

use super::define::Definition;
use super::dense::Dense;
use super::gates::{Gate, Sides};
use crate::Solver;
use crate::data::heap::ScoreHeap;
use crate::data::lists::lines;
use crate::data::watch::Watch;
use crate::reconstruct::Status;
use crate::report::Event;
use putnam_formula::{Lit, Var};

/// What became of an attempt.
#[derive(PartialEq, Eq)]
enum Attempt {
    Kept,
    Eliminated,
    /// A unit was found; the lists have changed.
    Again,
}

/// The fewer resolvents its elimination may add, the sooner a variable is tried.
fn score(dense: &Dense, var: Var) -> f64 {
    let [positive, negative] = [var.positive(), var.negative()].map(|lit| f64::from(dense.counts[lit.code()]));
    -(positive * negative + positive + negative)
}

impl Solver {
    /// Whether variables are to be eliminated.
    pub(crate) fn eliminating_variables(&self) -> bool {
        self.options.eliminate != 0
    }

    /// Eliminates variables until none is left to try or the effort is spent.
    pub(crate) fn eliminate(&mut self) {
        let minimum = self.options.eliminatemin as u64 * 1000 + 10 * self.num_irredundant;
        let budget = self.budget(|schedule| &mut schedule.elimination, self.options.eliminateeffort, minimum);
        let mut dense = self.enter_dense();
        let before = self.reconstruct.removed();
        if self.eliminate_round(&mut dense, budget) {
            self.raise_elimination_bound();
        }
        self.statistics.elimination_ticks += dense.ticks;
        self.leave_dense(dense);
        if self.reconstruct.removed() != before {
            self.report(Event::Eliminate);
        }
    }

    /// Allows more resolvents from the next round on, for all variables anew.
    fn raise_elimination_bound(&mut self) {
        let bound = &mut self.schedule.elimination_bound;
        let most = self.options.eliminatebound as u64;
        if *bound < most {
            *bound = if *bound == 0 { 1 } else { *bound * 2 }.min(most);
            self.schedule.touched.fill(true);
        }
    }

    /// Tries all variables that changed; answers whether there was time for all.
    fn eliminate_round(&mut self, dense: &mut Dense, limit: u64) -> bool {
        let mut candidates = ScoreHeap::default();
        for index in 0..self.num_vars() {
            candidates.grow();
            if self.schedule.touched[index] {
                self.schedule_elimination(dense, &mut candidates, Var::new(index as u32));
            }
        }
        dense.ticks += lines::<u64>(self.num_vars());
        if !self.subsume_backward(dense, limit) {
            return false;
        }
        let mut sides = Sides::default();
        loop {
            for &var in &std::mem::take(&mut dense.changed) {
                self.schedule_elimination(dense, &mut candidates, var);
            }
            if dense.ticks >= limit || self.stopping_now().is_some() {
                return false;
            }
            let Some(var) = candidates.pop() else { return true };
            self.schedule.touched[var.index()] = false;
            while self.try_elimination(dense, &mut sides, var) == Attempt::Again {
                if !self.propagate_dense(dense) {
                    return false;
                }
            }
            if !self.subsume_backward(dense, limit) {
                return false;
            }
        }
    }

    fn schedule_elimination(&self, dense: &Dense, candidates: &mut ScoreHeap, var: Var) {
        let most = self.options.eliminateocc as u32;
        if !self.is_removable(var) || [var.positive(), var.negative()].iter().any(|l| dense.counts[l.code()] > most) {
            return;
        }
        candidates.set_score(var, score(dense, var));
        candidates.push(var);
    }

    /// Eliminates the variable if its resolvents are few and short enough.
    fn try_elimination(&mut self, dense: &mut Dense, sides: &mut Sides, var: Var) -> Attempt {
        let pivot = var.positive();
        if !self.is_removable(var)
            || !self.gather(dense, pivot, &mut sides.positive)
            || !self.gather(dense, !pivot, &mut sides.negative)
        {
            return Attempt::Kept;
        }
        let pure = sides.positive.is_empty() || sides.negative.is_empty();
        let mut gate = if pure { None } else { self.find_gate(dense, pivot, sides) };
        if !pure && gate.is_none() && self.mining_definitions() {
            match self.find_definition(dense, pivot, sides) {
                Definition::None => {}
                Definition::Gate(found) => gate = Some(found),
                Definition::Unit => return Attempt::Again,
            }
        }
        let bound = sides.positive.len() + sides.negative.len() + self.schedule.elimination_bound as usize;
        let longest = self.options.eliminateclause as usize;
        let blocks = resolution_blocks(sides, gate.as_ref());
        let mut resolvents = 0;
        let mut unit = None;
        let few = self.visit_resolvents(dense, pivot, sides, &blocks, |_, _, lits| {
            if let [lit] = *lits {
                unit = Some(lit);
            }
            resolvents += 1;
            lits.len() > 1 && lits.len() <= longest && resolvents <= bound
        });
        if let Some(unit) = unit {
            self.learn_root_unit(unit);
            return Attempt::Again;
        }
        if !few || !self.arena.fits(resolvents * longest * 2) {
            return Attempt::Kept;
        }
        self.visit_resolvents(dense, pivot, sides, &blocks, |solver, dense, lits| {
            solver.add_dense(dense, lits);
            true
        });
        self.statistics.resolvents += resolvents as u64;
        self.remove_eliminated(dense, pivot, sides, gate.as_ref());
        Attempt::Eliminated
    }

    /// Collects the irredundant clauses of a literal; answers false when there are too many or one is too long.
    pub(super) fn gather(&mut self, dense: &mut Dense, lit: Lit, side: &mut Vec<Watch>) -> bool {
        side.clear();
        let most = self.options.eliminateocc as usize;
        let longest = self.options.eliminateclause as usize;
        let binaries = self.watches.get(lit);
        dense.ticks += 2 + self.watches.lines(lit) + dense.occurrences.lines(lit);
        // What has a value is satisfied here: otherwise the literal would have a value too.
        side.extend(binaries.iter().filter(|watch| {
            let other = watch.blocking;
            !watch.is_redundant_binary() && !self.is_removed(other.var()) && self.values.is_unassigned(other)
        }));
        let arena = &self.arena;
        dense.occurrences.retain(lit, |&mut clause| !arena.is_garbage(clause));
        dense.counts[lit.code()] = (side.len() + dense.occurrences.len(lit)) as u32;
        dense.ticks += dense.occurrences.len(lit) as u64;
        if dense.counts[lit.code()] as usize > most {
            return false;
        }
        side.extend(dense.occurrences.get(lit).iter().map(|&clause| Watch::large(lit, clause)));
        side.iter().all(|watch| watch.is_binary() || self.arena.size(watch.clause()) <= longest)
    }

    /// Calls `visit` with every resolvent that is neither a tautology nor satisfied, until it answers false; then this
    /// does.
    fn visit_resolvents(
        &mut self,
        dense: &mut Dense,
        pivot: Lit,
        sides: &Sides,
        blocks: &[Block; 3],
        mut visit: impl FnMut(&mut Self, &mut Dense, &[Lit]) -> bool,
    ) -> bool {
        let mut resolvent: Vec<Lit> = Vec::new();
        for (first, seconds) in blocks.iter().flat_map(|(rows, columns)| rows.iter().map(move |&i| (i, columns))) {
            resolvent.clear();
            self.copy_others(sides.positive[first], pivot, &mut resolvent);
            let own = resolvent.len();
            dense.mark(&resolvent, true);
            let mut more = true;
            for &second in seconds {
                dense.ticks += 1;
                resolvent.truncate(own);
                if self.resolve_marked(dense, !pivot, sides.negative[second], &mut resolvent) {
                    more = visit(self, dense, &resolvent);
                    if !more {
                        break;
                    }
                }
            }
            dense.mark(&resolvent[..own], false);
            if !more {
                return false;
            }
        }
        true
    }

    /// Appends the literals of a clause beside `lit`.
    pub(super) fn copy_others(&self, watch: Watch, lit: Lit, target: &mut Vec<Lit>) {
        if watch.is_binary() {
            target.push(watch.blocking);
        } else {
            target.extend(self.arena.lits(watch.clause()).iter().copied().filter(|&other| other != lit));
        }
    }

    /// Appends the literals of a clause beside `lit` to those that are marked; answers false when that is a tautology.
    #[inline]
    fn resolve_marked(&self, dense: &Dense, lit: Lit, watch: Watch, resolvent: &mut Vec<Lit>) -> bool {
        let binary = [watch.blocking];
        let others = if watch.is_binary() { &binary[..] } else { self.arena.lits(watch.clause()) };
        for &other in others {
            if dense.marks[(!other).code()] && other != lit {
                return false;
            }
            if other != lit && !dense.marks[other.code()] {
                resolvent.push(other);
            }
        }
        true
    }

    /// Removes the clauses of a variable whose resolvents were added. With a gate the other clauses follow from the
    /// gate's and the resolvents.
    fn remove_eliminated(&mut self, dense: &mut Dense, pivot: Lit, sides: &Sides, gate: Option<&Gate>) {
        for (lit, side, in_gate) in [
            (pivot, &sides.positive, gate.map(|gate| &gate.positive)),
            (!pivot, &sides.negative, gate.map(|gate| &gate.negative)),
        ] {
            for (i, &watch) in side.iter().enumerate() {
                let needed = in_gate.is_none_or(|members| members.contains(&i));
                if watch.is_binary() {
                    dense.lose(watch.blocking);
                    if needed {
                        self.weaken_binary(lit, watch.blocking);
                    } else {
                        self.proof.delete(&self.map, &[lit, watch.blocking]);
                        self.num_irredundant -= 1;
                    }
                } else if needed {
                    self.arena.lits(watch.clause()).iter().for_each(|&lit| dense.lose(lit));
                    self.weaken(watch.clause(), lit);
                } else {
                    self.remove_dense(dense, watch.clause());
                }
            }
        }
        self.remove_satisfied_binaries(pivot);
        self.remove_satisfied_binaries(!pivot);
        self.statistics.eliminated += 1;
        self.remove_variable(pivot.var(), Status::Eliminated);
    }

    /// Accounts for the binary clauses of a variable that units satisfy, which elimination passes over.
    fn remove_satisfied_binaries(&mut self, lit: Lit) {
        let mut at = 0;
        while let Some(watch) = self.watches.next(lit, &mut at) {
            let satisfied = self.values.is_true(watch.blocking) && !self.is_removed(watch.blocking.var());
            if satisfied && !watch.is_redundant_binary() {
                self.proof.delete(&self.map, &[lit, watch.blocking]);
                self.num_irredundant -= 1;
            }
        }
    }
}

/// Positions in the list of the positive literal, and those in the other list to resolve each of them with.
type Block = (Vec<usize>, Vec<usize>);

/// The pairs of clauses whose resolvents are needed: all, or with a gate those of a gate's clause and another, and
/// those of two gate's clauses if they are no tautologies.
fn resolution_blocks(sides: &Sides, gate: Option<&Gate>) -> [Block; 3] {
    let (positive, negative) = (sides.positive.len(), sides.negative.len());
    let Some(gate) = gate else {
        return [((0..positive).collect(), (0..negative).collect()), Block::default(), Block::default()];
    };
    let others = |len: usize, members: &[usize]| (0..len).filter(|i| !members.contains(i)).collect::<Vec<_>>();
    let gate_first = (gate.positive.clone(), others(negative, &gate.negative));
    let gate_second = (others(positive, &gate.positive), gate.negative.clone());
    let inner = if gate.inner { (gate.positive.clone(), gate.negative.clone()) } else { Block::default() };
    [gate_first, gate_second, inner]
}

#[cfg(test)]
mod tests {
    use crate::testing::{Checked, fuzz};
    use putnam_formula::Lit;

    fn clauses(numbers: &[&[i32]]) -> Vec<Vec<Lit>> {
        numbers.iter().map(|clause| clause.iter().map(|&n| Lit::from_dimacs(n).unwrap()).collect()).collect()
    }

    /// Eliminates variables 1 to `defined` only, and answers with the solver.
    fn eliminated(defined: u32, formula: &[&[i32]]) -> Checked {
        let mut checked = Checked::new(&[("subsume", 0), ("probing", 0)]);
        checked.add(clauses(formula));
        let others = clauses(formula).into_iter().flatten().map(Lit::var).filter(|var| var.to_dimacs() > defined);
        others.for_each(|var| checked.solver.freeze(var));
        checked.solver.simplify(1).unwrap();
        assert_eq!(checked.count("eliminated variables"), u64::from(defined));
        assert!(checked.solve(&[]));
        checked
    }

    #[test]
    fn gates_of_every_kind_are_found() {
        // Each variable 1 is defined and occurs in two more clauses, whose own resolvent is not needed.
        let uses: [&[i32]; 2] = [&[1, 7, 8], &[-1, 9, 10]];
        let cases: [(&str, &[&[i32]], u64); 4] = [
            ("equivalence gates", &[&[1, -2], &[-1, 2]], 2),
            ("AND gates", &[&[-1, 2], &[-1, 3], &[1, -2, -3]], 3),
            ("if-then-else gates", &[&[-1, -2, 3], &[-1, 2, 4], &[1, -2, -3], &[1, 2, -4]], 4),
            ("XOR gates", &[&[-1, 2, 3], &[-1, -2, -3], &[1, -2, 3], &[1, 2, -3]], 4),
        ];
        for (name, definition, resolvents) in cases {
            let checked = eliminated(1, &[definition, &uses].concat());
            assert_eq!((checked.count(name), checked.count("resolvents of eliminated variables")), (1, resolvents));
        }
    }

    #[test]
    fn definitions_of_no_known_shape_are_found() {
        // 1 is true if at least two of 2, 3, 4 are; or the same where 5 chooses, and then is 2 or not.
        let majority: &[&[i32]] = &[&[-1, 2, 3], &[-1, 2, 4], &[-1, 3, 4], &[1, -2, -3], &[1, -2, -4], &[1, -3, -4]];
        let uses: [&[i32]; 2] = [&[1, 7, 8], &[-1, 9, 10]];
        let checked = eliminated(1, &[majority, &uses].concat());
        assert_eq!((checked.count("definitions"), checked.count("resolvents of eliminated variables")), (1, 6));
        // Clauses of 1 alone imply it.
        let implied: &[&[i32]] = &[&[1, 2, 3], &[1, 2, -3], &[1, -2, 3], &[1, -2, -3], &[-1, 4, 5]];
        let mut checked = Checked::new(&[("subsume", 0), ("probing", 0)]);
        checked.add(clauses(implied));
        (2..=5).for_each(|var| checked.solver.freeze(Lit::from_dimacs(var).unwrap().var()));
        checked.solver.simplify(1).unwrap();
        assert_eq!(checked.count("units from definitions"), 1);
        assert!(checked.solve(&[]) && !checked.solve(&[Lit::from_dimacs(-1).unwrap()]));
    }

    #[test]
    fn what_was_eliminated_comes_back_when_it_is_needed() {
        let mut checked = eliminated(1, &[&[1, 2], &[-1, 3, 4]]);
        checked.add(clauses(&[&[-1, -3], &[-1, -4]]));
        assert!(checked.solve(&[]));
        assert!(checked.count("restored clauses") > 0);
        let [one, not_one] = [1, -1].map(|n| Lit::from_dimacs(n).unwrap());
        assert!(!checked.solve(&[one]) && checked.solve(&[not_one]));
    }

    #[test]
    fn every_step_is_checked_on_random_formulas() {
        let counters = ["eliminated variables", "AND gates", "XOR gates", "subsumed clauses", "restored clauses"];
        let often = [("eliminateint", 1), ("probeinit", 30), ("probeint", 30), ("lucky", 0)];
        let sums = fuzz(&often, 60, 40, &counters);
        assert!(sums.iter().all(|&sum| sum > 0), "{sums:?}");
        let once = [("eliminateint", 1), ("probeinit", 30), ("probeint", 30), ("lucky", 0), ("proofkeep", 0)];
        let sums = fuzz(&once, 60, 40, &counters[..4]);
        assert!(sums.iter().all(|&sum| sum > 0), "{sums:?}");
    }
}
