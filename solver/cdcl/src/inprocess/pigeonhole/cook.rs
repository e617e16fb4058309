//! Cook's refutation of the pigeonhole principle by extended resolution (A short proof of the pigeon hole principle
//! using extended resolution, SIGACT News 1976), for any table of pigeons and holes.
//!
//! A step removes a pigeon and a hole. Who sits in that hole moves to where the pigeon sits: the new table has in
//! place (i, j) "i sits in j, or i sits in the hole and the pigeon sits in j". Every pigeon still has a place, and no
//! two have the same. A new variable is needed only where the second part is possible, so a hole with few pigeons is
//! taken, and of them one with few places.

use super::Pigeonholes;
use crate::proof::Proof;
use putnam_formula::{Lit, Renumbering, Var};
use std::collections::{BTreeMap, BTreeSet};

struct Prover<'a> {
    /// None to count the steps alone.
    proof: Option<&'a mut Proof>,
    /// The index of the next new variable.
    next: u32,
    lemmas: u64,
    /// By pigeon, as long as it is there: its places, and the literals that say that it sits there.
    rows: Vec<Option<BTreeMap<usize, Lit>>>,
    /// By hole, as long as it is there: the pigeons that have a place in it.
    columns: Vec<Option<BTreeSet<usize>>>,
    /// The empty clause was added.
    is_done: bool,
}

/// Adds the steps, the empty clause the last of them, and answers how many they are. None, and nothing is added, when
/// they would be more than `room`.
pub(super) fn refute(
    pigeonholes: &Pigeonholes,
    proof: &mut Proof,
    map: &Renumbering,
    first_fresh: u32,
    room: u64,
) -> Option<u64> {
    Prover::new(None, first_fresh).run(pigeonholes, map, room)?;
    Prover::new(Some(proof), first_fresh).run(pigeonholes, map, room)
}

fn is_tautology(clause: &[Lit]) -> bool {
    clause.iter().enumerate().any(|(index, &lit)| clause[..index].contains(&!lit))
}

impl<'a> Prover<'a> {
    fn new(proof: Option<&'a mut Proof>, next: u32) -> Self {
        Self { proof, next, lemmas: 0, rows: Vec::new(), columns: Vec::new(), is_done: false }
    }

    fn run(mut self, pigeonholes: &Pigeonholes, map: &Renumbering, room: u64) -> Option<u64> {
        self.enter(pigeonholes, map);
        while !self.is_done {
            if self.lemmas > room {
                return None;
            }
            match self.choose() {
                Some((hole, Some(pigeon))) => self.step(hole, pigeon),
                Some((hole, None)) => self.columns[hole] = None,
                // Without holes every clause is empty.
                None => self.add(&[]),
            }
        }
        Some(self.lemmas)
    }

    /// Adds a clause, unless it is a tautology. There are such ones between opposite literals.
    fn add(&mut self, clause: &[Lit]) {
        if self.is_done || is_tautology(clause) {
            return;
        }
        self.is_done = clause.is_empty();
        self.lemmas += 1;
        if let Some(proof) = &mut self.proof {
            proof.add_outer(clause);
        }
    }

    fn delete(&mut self, clause: &[Lit]) {
        if let Some(proof) = self.proof.as_mut().filter(|_| !self.is_done && !is_tautology(clause)) {
            proof.delete_outer(clause);
        }
    }

    fn fresh(&mut self) -> Lit {
        self.next += 1;
        Var::new(self.next - 1).positive()
    }

    /// The first table. Where several literals of a clause are in one set, a new variable stands for all.
    fn enter(&mut self, pigeonholes: &Pigeonholes, map: &Renumbering) {
        let holes = pigeonholes.holes;
        self.columns = vec![Some(BTreeSet::new()); holes];
        let mut outer: Vec<BTreeMap<usize, Vec<Lit>>> = Vec::new();
        for (pigeon, places) in pigeonholes.places.iter().enumerate() {
            let mut row = BTreeMap::new();
            outer.push(BTreeMap::new());
            for (&hole, lits) in places {
                let lits: Vec<Lit> = lits.iter().map(|&lit| map.outer(lit)).collect();
                row.insert(hole, self.any_of(&lits));
                outer[pigeon].insert(hole, lits);
                self.columns[hole].iter_mut().for_each(|column| _ = column.insert(pigeon));
            }
            self.add(&row.values().copied().collect::<Vec<_>>());
            self.rows.push(Some(row));
        }
        for hole in 0..holes {
            let column: Vec<usize> = self.columns[hole].iter().flatten().copied().collect();
            for (index, &first) in column.iter().enumerate() {
                for &second in &column[..index] {
                    let [a, b] = [first, second].map(|pigeon| self.place(pigeon, hole));
                    let (Some(a), Some(b)) = (a, b) else { continue };
                    // A literal of the one excludes all of the other, then so does the variable that stands for
                    // several.
                    let cases: Vec<Lit> = outer[second][&hole].iter().copied().filter(|&lit| lit != b).collect();
                    cases.iter().for_each(|&lit| self.add(&[!a, !lit]));
                    self.add(&[!a, !b]);
                    cases.iter().for_each(|&lit| self.delete(&[!a, !lit]));
                }
            }
        }
    }

    /// A literal that is true exactly when one of these is.
    fn any_of(&mut self, lits: &[Lit]) -> Lit {
        if let [lit] = *lits {
            return lit;
        }
        let any = self.fresh();
        lits.iter().for_each(|&lit| self.add(&[any, !lit]));
        let clause: Vec<Lit> = std::iter::once(!any).chain(lits.iter().copied()).collect();
        self.add(&clause);
        any
    }

    fn place(&self, pigeon: usize, hole: usize) -> Option<Lit> {
        self.rows[pigeon].as_ref()?.get(&hole).copied()
    }

    /// The hole with the fewest pigeons, and of them that with the fewest places.
    fn choose(&self) -> Option<(usize, Option<usize>)> {
        let columns = self.columns.iter().enumerate().filter_map(|(hole, column)| Some((hole, column.as_ref()?)));
        let (hole, column) = columns.min_by_key(|(_, column)| column.len())?;
        let places = |pigeon: usize| self.rows[pigeon].as_ref().map_or(0, BTreeMap::len);
        Some((hole, column.iter().copied().min_by_key(|&pigeon| places(pigeon))))
    }

    /// Removes a hole and a pigeon that has a place in it.
    fn step(&mut self, hole: usize, pigeon: usize) {
        let mut passed = self.exclusions_to_pass(hole, pigeon);
        let (Some(row), Some(column)) = (self.rows[pigeon].take(), self.columns[hole].take()) else { return };
        row.keys().for_each(|&other| self.columns[other].iter_mut().for_each(|c| _ = c.remove(&pigeon)));
        passed.push(row.values().copied().collect());
        let targets: Vec<(usize, Lit)> = row.into_iter().filter(|&(other, _)| other != hole).collect();
        // By pigeon that moves: its old places among the targets.
        let mut old: BTreeMap<usize, Vec<Option<Lit>>> = BTreeMap::new();
        for mover in column.into_iter().filter(|&other| other != pigeon) {
            passed.push(self.rows[mover].iter().flat_map(BTreeMap::values).copied().collect());
            let Some(from) = self.rows[mover].as_mut().and_then(|row| row.remove(&hole)) else { continue };
            let mut before = Vec::new();
            for &(target, taken) in &targets {
                let place = self.place(mover, target);
                before.push(place);
                let moved = self.define_moved(place, from, taken, &mut passed);
                self.rows[mover].iter_mut().for_each(|row| _ = row.insert(target, moved));
                self.columns[target].iter_mut().for_each(|column| _ = column.insert(mover));
            }
            old.insert(mover, before);
            let clause: Vec<Lit> = self.rows[mover].iter().flat_map(BTreeMap::values).copied().collect();
            self.add(&clause);
        }
        for (index, &(target, _)) in targets.iter().enumerate() {
            self.exclude_moved(target, index, &old);
        }
        passed.iter().for_each(|clause| self.delete(clause));
    }

    /// That no two pigeons have the same place, for all places that a step replaces: it needs them for the last time.
    fn exclusions_to_pass(&self, hole: usize, pigeon: usize) -> Vec<Vec<Lit>> {
        let mut passed = Vec::new();
        let (Some(row), Some(movers)) = (&self.rows[pigeon], &self.columns[hole]) else { return passed };
        for &place in row.keys() {
            let column: Vec<usize> = self.columns[place].iter().flatten().copied().collect();
            for (index, &first) in column.iter().enumerate() {
                for &second in
                    column[..index].iter().filter(|second| movers.contains(second) || movers.contains(&first))
                {
                    passed.extend(self.place(first, place).zip(self.place(second, place)).map(|(a, b)| vec![!a, !b]));
                }
            }
        }
        passed
    }

    /// "It sits there, or it sits in the hole and the pigeon sits there." The definition is needed for this step alone.
    fn define_moved(&mut self, place: Option<Lit>, from: Lit, taken: Lit, passed: &mut Vec<Vec<Lit>>) -> Lit {
        let moved = self.fresh();
        let mut clauses: Vec<Vec<Lit>> = place.iter().map(|&place| vec![moved, !place]).collect();
        clauses.push(vec![moved, !from, !taken]);
        clauses.extend([from, taken].map(|other| [!moved].into_iter().chain(place).chain([other]).collect()));
        clauses.iter().for_each(|clause| self.add(clause));
        passed.append(&mut clauses);
        moved
    }

    /// No two pigeons have the same place, of which at least one is new.
    fn exclude_moved(&mut self, target: usize, index: usize, old: &BTreeMap<usize, Vec<Option<Lit>>>) {
        let column: Vec<usize> = self.columns[target].iter().flatten().copied().collect();
        for (&mover, before) in old {
            let Some(moved) = self.place(mover, target) else { continue };
            // Pairs of two that move come once.
            for &other in column.iter().filter(|&&other| other != mover && (other < mover || !old.contains_key(&other)))
            {
                let Some(second) = self.place(other, target) else { continue };
                let case = before[index].map(|place| [!moved, !second, !place]);
                case.iter().for_each(|clause| self.add(clause));
                self.add(&[!moved, !second]);
                case.iter().for_each(|clause| self.delete(clause));
            }
        }
    }
}
