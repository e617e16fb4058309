//! Gauss-Jordan elimination during the search: what the exclusive ors of the clauses imply together, and unit
//! propagation on each of them does not find (Soos, Nohl and Castelluccia, SAT 2009; Han and Jiang, CAV 2012; Soos,
//! Gocht and Meel, Tinted, detached and lazy CNF-XOR solving, CAV 2020).
//!
//! 1. [`build`] makes matrices of the exclusive ors that the clauses of the formula spell out, after every round of
//!    inprocessing: a round may remove variables and clauses, so it begins without matrices.
//! 2. [`matrix`] follows the trail. When unit propagation has come to its end, the matrices are told what was assigned
//!    and say what that implies. No row has to be restored on backtracking.
//! 3. [`explain`] writes a row as a clause when conflict analysis asks for it, and proves it when there is a proof.
//!
//! Matrices that cost much and find little are dropped, and the next rounds make none.

mod build;
mod explain;
mod matrix;

use super::propagate::{Conflict, Search};
use crate::Solver;
use crate::data::trail::{Reason, Trail};
use build::{Bounds, Part, Worth};
use explain::Explanations;
use matrix::{Implied, NONE};
use putnam_formula::Var;

/// Where a variable is.
#[derive(Clone, Copy)]
struct Place {
    part: u32,
    column: u32,
}

/// Literals of the trail whose places are looked up in the time of one tick, roughly.
const LITERALS_PER_TICK: u64 = 8;

/// Rounds between two tries of a matrix that never paid: at most two to the power of it.
const MAX_FAILURES: u8 = 10;

const NOWHERE: Place = Place { part: NONE, column: NONE };

/// The matrices.
#[derive(Default)]
pub(crate) struct Gauss {
    parts: Vec<Part>,
    /// By part, the number of its first row. Rows are numbered through.
    first_rows: Vec<u32>,
    /// By variable; those that came later have no entry.
    places: Vec<Place>,
    /// They were just made.
    new: bool,
    implied: Vec<Implied>,
    explanations: Explanations,
    /// Whether all of them together pay.
    worth: Worth,
    /// How many parts are not switched off.
    active: usize,
    /// How often matrices were made.
    rounds: u64,
    /// By variable: how many matrices with it were switched off. The next ones wait the longer.
    failures: Vec<u8>,
}

impl Gauss {
    /// Whether the trail has something for the matrices.
    #[inline]
    fn is_pending(&self, trail: &Trail) -> bool {
        self.active > 0 && (self.new || trail.eliminated < trail.len())
    }

    /// Bytes that are held.
    pub(crate) fn bytes(&self) -> usize {
        let parts: usize = self.parts.iter().map(|part| part.matrix.bytes()).sum();
        parts + self.places.capacity() * size_of::<Place>()
    }

    /// Words of the arena that the clauses of all rows would take.
    pub(crate) fn words(&self) -> usize {
        let words = |part: &Part| part.matrix.num_rows() as usize * (part.vars.len() + crate::data::arena::HEADER);
        self.parts.iter().map(words).sum()
    }

    /// The variables of a row.
    pub(crate) fn row_vars(&self, row: u32) -> impl Iterator<Item = Var> + '_ {
        let (part, row) = self.find_row(row);
        let part = &self.parts[part];
        part.matrix.columns(row).map(|column| part.vars[column as usize])
    }

    /// The part of a row, and its number there.
    fn find_row(&self, row: u32) -> (usize, u32) {
        let part = self.first_rows.partition_point(|&first| first <= row) - 1;
        (part, row - self.first_rows[part])
    }
}

impl Solver {
    /// Propagates until neither clauses nor matrices imply anything more, or there is a conflict.
    pub(crate) fn propagate_all(&mut self) -> Option<Conflict> {
        loop {
            let conflict = self.propagate(&Search);
            if conflict.is_none() {
                self.check_disorder();
            }
            if conflict.is_some() || !self.gauss.is_pending(&self.trail) {
                return conflict;
            }
            let conflict = self.propagate_matrices();
            if conflict.is_some() || self.trail.propagated == self.trail.len() {
                return conflict;
            }
        }
    }

    /// Tells the matrices what was assigned, and assigns what that implies.
    fn propagate_matrices(&mut self) -> Option<Conflict> {
        self.gauss.new = false;
        let start = self.trail.eliminated;
        let active = |part: &&mut Part| !part.worth.is_off;
        self.gauss.parts.iter_mut().filter(active).for_each(|part| part.matrix.undo(start as u32));
        for position in start..self.trail.len() {
            let lit = self.trail.lit(position);
            let place = self.gauss.places.get(lit.var().index()).copied().unwrap_or(NOWHERE);
            if place.part != NONE {
                let Part { matrix, worth, .. } = &mut self.gauss.parts[place.part as usize];
                if !worth.is_off && !matrix.is_assigned(place.column) {
                    matrix.assign(place.column, lit.is_positive(), position as u32);
                }
            }
        }
        let mut ticks = (self.trail.len() - start) as u64 / LITERALS_PER_TICK;
        let mut found = 0;
        let mut implied = std::mem::take(&mut self.gauss.implied);
        let mut violated = None;
        for index in 0..self.gauss.parts.len() {
            let Part { matrix, worth, .. } = &mut self.gauss.parts[index];
            if worth.is_off || !matrix.is_pending() {
                continue;
            }
            implied.clear();
            let before = (matrix.ticks(), matrix.pivots);
            let row = matrix.propagate(self.trail.len() as u32, &mut implied);
            self.statistics.gauss_pivots += matrix.pivots - before.1;
            worth.count(implied.len(), row.is_some(), matrix.ticks() - before.0);
            ticks += matrix.ticks() - before.0;
            found += implied.len();
            for &implied in &implied {
                self.assign_implied(index, implied);
            }
            if let Some(row) = row {
                self.statistics.gauss_conflicts += 1;
                violated = Some(self.gauss.first_rows[index] + row);
                break;
            }
            if cfg!(debug_assertions) {
                self.gauss.parts[index].matrix.check();
            }
            self.judge_matrix(index);
        }
        self.gauss.implied = implied;
        self.trail.eliminated = self.trail.len();
        self.statistics.gauss_ticks += ticks;
        self.gauss.worth.count(found, violated.is_some(), ticks);
        self.judge_all_matrices();
        violated.map(|row| self.explain_conflict(row))
    }

    /// Switches a matrix off if it does not pay.
    fn judge_matrix(&mut self, index: usize) {
        let patience = self.options.gausspatience as u64 * 1000 / self.gauss.parts.len() as u64;
        let worth = &mut self.gauss.parts[index].worth;
        worth.judge(patience, self.options.gaussprice as u64);
        if worth.is_off {
            self.count_off(index);
        }
    }

    /// Switches all matrices off if they do not pay together, or if the proof is long enough.
    fn judge_all_matrices(&mut self) {
        self.gauss.worth.judge(self.options.gausspatience as u64 * 1000, self.options.gaussprice as u64);
        if self.gauss.worth.is_off || self.gauss_proof_exhausted() {
            self.switch_matrices_off();
        }
    }

    fn switch_matrices_off(&mut self) {
        for index in 0..self.gauss.parts.len() {
            if !std::mem::replace(&mut self.gauss.parts[index].worth.is_off, true) {
                self.count_off(index);
            }
        }
    }

    /// After an analysis that proved rows: ends the matrices if the proof is long enough. Their rows would be reasons, and
    /// proved again and again, for as long as what they implied is assigned, so the search begins again at the root.
    pub(crate) fn limit_matrix_proof(&mut self) {
        if self.gauss_proof_exhausted() {
            self.switch_matrices_off();
            self.backtrack(0);
        }
    }

    /// Notes that a matrix was switched off.
    fn count_off(&mut self, index: usize) {
        self.statistics.gauss_off += 1;
        self.gauss.active -= 1;
        for var in &self.gauss.parts[index].vars {
            let failures = &mut self.gauss.failures[var.index()];
            *failures = failures.saturating_add(1);
        }
    }

    fn gauss_proof_exhausted(&self) -> bool {
        self.statistics.gauss_proof > self.options.gaussproof as u64 * 1000
    }

    fn assign_implied(&mut self, part: usize, implied: Implied) {
        let Implied { row, column, value } = implied;
        let lit = self.gauss.parts[part].vars[column as usize].lit(value);
        let row = self.gauss.first_rows[part] + row;
        self.statistics.gauss_implied += 1;
        if self.trail.level() == 0 {
            self.prove_unit(lit, row);
            self.assign(lit, Reason::NOTHING);
        } else {
            let level = if self.trail.is_ordered() { self.trail.level() } else { self.row_level(row, lit.var()) };
            self.assign_at(lit, Reason::row(row), level);
        }
    }

    /// The highest level of the variables of a row other than one.
    fn row_level(&self, row: u32, except: Var) -> u32 {
        let others = self.gauss.row_vars(row).filter(|&var| var != except);
        others.map(|var| self.trail.assigned(var).level).max().unwrap_or(0)
    }

    /// Drops all matrices. Only at the root, where no literal has a row as its reason.
    pub(crate) fn drop_matrices(&mut self) {
        debug_assert_eq!(self.trail.level(), 0);
        self.gauss.parts.clear();
        self.gauss.first_rows.clear();
        self.gauss.places = Vec::new();
        self.gauss.active = 0;
    }

    /// Makes the matrices anew.
    pub(crate) fn make_matrices(&mut self) {
        self.drop_matrices();
        if self.options.gauss == 0 || self.gauss_proof_exhausted() || self.schedule.gauss.waits() {
            return;
        }
        let minimum = self.options.gaussmin as u64 * 1000;
        let budget = self.budget(|schedule| &mut schedule.gauss, self.options.gausseffort, minimum);
        if self.arena.len() as u64 / 16 + self.num_irredundant > budget {
            return;
        }
        self.gauss.rounds += 1;
        self.gauss.failures.resize(self.num_vars(), 0);
        let mut ticks = (self.arena.len() / 16) as u64;
        let xors = self.extract_clause_xors(&mut ticks);
        let bounds = Bounds {
            min_rows: self.options.gaussrowsmin as usize,
            max_rows: self.options.gaussrows as usize,
            max_columns: self.options.gausscolumns as usize,
            max_parts: self.options.gaussmatrices as usize,
        };
        let (failures, rounds) = (&self.gauss.failures, self.gauss.rounds);
        let wanted = |vars: &[Var]| {
            let fewest = vars.iter().map(|var| failures[var.index()]).min().unwrap_or(0);
            rounds.is_multiple_of(1 << fewest.min(MAX_FAILURES))
        };
        let parts = build::build(self.num_vars(), xors, bounds, self.proof.is_wanted(), wanted);
        self.schedule.gauss.done(!parts.is_empty());
        ticks += parts.iter().map(|part| part.matrix.ticks()).sum::<u64>();
        self.statistics.gauss_ticks += ticks;
        if !parts.is_empty() {
            self.install_matrices(parts);
        }
    }

    fn install_matrices(&mut self, parts: Vec<Part>) {
        let mut next = 0;
        self.gauss.places = vec![NOWHERE; self.num_vars()];
        for (index, part) in parts.iter().enumerate() {
            self.gauss.first_rows.push(next);
            next += part.matrix.num_rows();
            self.statistics.gauss_matrices += 1;
            self.statistics.gauss_rows += u64::from(part.matrix.num_rows());
            self.statistics.gauss_columns += part.vars.len() as u64;
            for (column, var) in part.vars.iter().enumerate() {
                self.gauss.places[var.index()] = Place { part: index as u32, column: column as u32 };
            }
        }
        self.gauss.active = parts.len();
        self.gauss.worth = Worth::default();
        self.gauss.parts = parts;
        self.gauss.new = true;
        self.trail.eliminated = 0;
        let contradiction = self
            .gauss
            .parts
            .iter()
            .zip(&self.gauss.first_rows)
            .find_map(|(part, first)| part.matrix.contradiction().map(|row| first + row));
        if let Some(row) = contradiction {
            self.prove_contradiction(row);
            self.drop_matrices();
            self.refute();
        }
    }
}

#[cfg(test)]
mod tests;
