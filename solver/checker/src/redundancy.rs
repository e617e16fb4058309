//! Whether a clause is RUP or RAT at the present step, and what that rests on.

use crate::clauses::{ClauseRef, LIMIT, NONE};
use crate::propagation::Propagation;
use putnam_formula::Lit;

/// What a hint speaks of, packed in 32 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Hint {
    /// The clause with this number.
    Clause(u32),
    /// The literal of this variable that unit propagation makes true without any assumption.
    Unit(u32),
    /// The hints that follow are those of the resolvent with the clause with this number.
    Resolvent(u32),
}

impl Hint {
    pub(crate) fn pack(self) -> u32 {
        const { assert!(LIMIT <= 1 << 30) };
        match self {
            Self::Clause(number) => number << 2,
            Self::Unit(var) => var << 2 | 1,
            Self::Resolvent(number) => number << 2 | 2,
        }
    }

    pub(crate) fn unpack(word: u32) -> Self {
        match word & 3 {
            0 => Self::Clause(word >> 2),
            1 => Self::Unit(word >> 2),
            _ => Self::Resolvent(word >> 2),
        }
    }
}

/// A literal that unit propagation makes true without any assumption, and that the refutation needs.
pub(crate) struct Unit {
    pub(crate) lit: Lit,
    /// Its place on the trail: units are derived in this order.
    pub(crate) position: u32,
    pub(crate) reason: u32,
}

/// What was found so far to be needed. Clauses and units appear in `fresh` when they become so.
#[derive(Default)]
pub(crate) struct Needs {
    /// The hints of the clause at hand, packed: first all units, in any order, ...
    pub(crate) unit_hints: Vec<u32>,
    /// ... and then clauses in the order in which they become unit.
    pub(crate) hints: Vec<u32>,
    /// What the clause at hand is the last one to use, packed.
    pub(crate) fresh: Vec<u32>,
    pub(crate) units: Vec<Unit>,
}

/// Why a clause is not redundant.
pub(crate) enum Failure {
    NoConflict,
    FalsePivot,
    Resolvent(ClauseRef),
}

/// Clauses by their literals: where the list of a literal begins, and all lists in one.
struct Occurrences {
    starts: Vec<usize>,
    clauses: Vec<ClauseRef>,
}

/// Checks clauses one at a time. The trail holds what unit propagation finds without assumptions.
pub(crate) struct Redundancy {
    pub(crate) engine: Propagation,
    pub(crate) needs: Needs,
    /// When set, what a check rests on is marked as core and put into `needs`; RAT looks at core clauses only.
    pub(crate) backward: bool,
    /// By variable: its last check in which it was assumed, ...
    assumed: Vec<u32>,
    /// ... in which its unit was a hint already.
    hinted: Vec<u32>,
    check: u32,
    /// By variable: its unit is needed.
    needed: Vec<bool>,
    /// By variable, during an analysis: has to be explained.
    seen: Vec<bool>,
    occurrences: Option<Occurrences>,
}

impl Redundancy {
    pub(crate) fn new(engine: Propagation, num_vars: usize, backward: bool) -> Self {
        Self {
            engine,
            needs: Needs::default(),
            backward,
            assumed: vec![0; num_vars],
            hinted: vec![0; num_vars],
            check: 0,
            needed: vec![false; num_vars],
            seen: vec![false; num_vars],
            occurrences: None,
        }
    }

    /// Checks a clause that is not alive; `pivot` is its first literal as written. Answers whether RAT was needed.
    pub(crate) fn check(&mut self, clause: ClauseRef, pivot: Option<Lit>) -> Result<bool, Failure> {
        self.needs.hints.clear();
        self.needs.unit_hints.clear();
        if self.engine.clauses.is_tautology(clause) {
            return Ok(false);
        }
        self.next_check();
        let forced = self.engine.trail.len();
        let result = self.check_from(clause, pivot, forced);
        self.engine.undo(forced);
        result
    }

    /// Explains a conflict that unit propagation found without assumptions.
    pub(crate) fn explain_refutation(&mut self, conflict: ClauseRef) {
        self.needs.unit_hints.clear();
        self.next_check();
        let forced = self.engine.trail.len();
        self.needs.hints = self.explain_conflict(conflict, forced, forced, &mut Vec::new());
    }

    fn next_check(&mut self) {
        if self.check == u32::MAX {
            self.assumed.fill(0);
            self.hinted.fill(0);
            self.check = 0;
        }
        self.check += 1;
    }

    fn check_from(&mut self, clause: ClauseRef, pivot: Option<Lit>, forced: usize) -> Result<bool, Failure> {
        let Some(pivot) = pivot else { return Err(Failure::NoConflict) };
        let false_pivot = self.engine.is_false(pivot);
        for index in 0..self.engine.clauses.size(clause) {
            let lit = self.engine.clauses.lit(clause, index);
            if self.engine.is_true(lit) {
                self.need_unit(lit);
                return Ok(false);
            }
            self.assume_false(lit);
        }
        if let Some(conflict) = self.engine.propagate() {
            self.needs.hints = self.explain_conflict(conflict, forced, forced, &mut Vec::new());
            return Ok(false);
        }
        if false_pivot {
            return Err(Failure::FalsePivot);
        }
        self.check_resolvents(clause, pivot, forced).map(|()| true)
    }

    fn assume_false(&mut self, lit: Lit) {
        self.assumed[lit.var().index()] = self.check;
        if !self.engine.is_false(lit) {
            self.engine.assign(!lit, NONE);
        }
    }

    /// RAT: every resolvent on the pivot is RUP. The trail holds the negation of the clause and what follows.
    ///
    /// Going backward, only partners that the rest of the refutation needs count: all others could be deleted before
    /// this step, and are in the trimmed proof. The checks may show that more partners are needed, so they go on until
    /// none is new.
    fn check_resolvents(&mut self, clause: ClauseRef, pivot: Lit, forced: usize) -> Result<(), Failure> {
        let base = self.engine.trail.len();
        let partners: Vec<ClauseRef> = self.occurrences(!pivot).to_vec();
        let limit = self.engine.clauses.number(clause);
        let mut groups: Vec<(u32, Vec<u32>)> = Vec::new();
        let mut common = Vec::new();
        let mut done = vec![false; partners.len()];
        loop {
            let before = groups.len();
            for (index, &partner) in partners.iter().enumerate() {
                let clauses = &self.engine.clauses;
                let counts = clauses.is_alive(partner)
                    && clauses.number(partner) < limit
                    && !clauses.is_tautology(partner)
                    && (!self.backward || clauses.is_core(partner));
                if counts && !std::mem::replace(&mut done[index], true) {
                    let hints = self.check_resolvent(partner, !pivot, forced, base, &mut common)?;
                    groups.push((self.engine.clauses.number(partner), hints));
                }
            }
            if groups.len() == before {
                break;
            }
        }
        // What the negation of the clause alone makes true comes first, in the order of the trail.
        common.sort_unstable();
        common.dedup();
        for position in common {
            let reason = self.engine.reason(self.engine.trail[position]);
            self.needs.hints.push(Hint::Clause(self.engine.clauses.number(reason)).pack());
        }
        groups.sort_unstable_by_key(|&(number, _)| number);
        for (number, hints) in groups {
            self.needs.hints.push(Hint::Resolvent(number).pack());
            self.needs.hints.extend(hints);
        }
        Ok(())
    }

    /// Answers the hints of one resolvent. What it shares with others goes elsewhere: places on the trail to `common`,
    /// units to the hints of the clause.
    fn check_resolvent(
        &mut self,
        partner: ClauseRef,
        negated_pivot: Lit,
        forced: usize,
        base: usize,
        common: &mut Vec<usize>,
    ) -> Result<Vec<u32>, Failure> {
        let lits: Vec<Lit> = self.engine.clauses.lits(partner).filter(|&lit| lit != negated_pivot).collect();
        if let Some(&lit) = lits.iter().find(|&&lit| self.engine.is_true(lit)) {
            // The literal follows from the negation of the clause, or is part of it: then the resolvent is a tautology.
            self.look_at(lit, forced);
            return Ok(self.explain(forced, base, common));
        }
        for lit in lits {
            // A literal that is false already is so without this assumption, and may need to be explained.
            if !self.engine.is_false(lit) {
                self.engine.assign(!lit, NONE);
            }
        }
        let conflict = self.engine.propagate().ok_or(Failure::Resolvent(partner))?;
        let hints = self.explain_conflict(conflict, forced, base, common);
        self.engine.undo(base);
        Ok(hints)
    }

    /// Answers the hints of a conflict, see [`Redundancy::explain`].
    fn explain_conflict(
        &mut self,
        conflict: ClauseRef,
        forced: usize,
        base: usize,
        common: &mut Vec<usize>,
    ) -> Vec<u32> {
        if !self.backward {
            return Vec::new();
        }
        self.need_clause(conflict);
        for index in 0..self.engine.clauses.size(conflict) {
            self.look_at(self.engine.clauses.lit(conflict, index), forced);
        }
        let mut hints = self.explain(forced, base, common);
        hints.push(Hint::Clause(self.engine.clauses.number(conflict)).pack());
        hints
    }

    /// Finds what the literals that were looked at rest on. Answers the reasons on the trail from `base` on, in the
    /// order in which they became unit; for those between `forced` and `base` the place is put into `common`.
    fn explain(&mut self, forced: usize, base: usize, common: &mut Vec<usize>) -> Vec<u32> {
        let mut hints = Vec::new();
        for position in (forced..self.engine.trail.len()).rev() {
            let lit = self.engine.trail[position];
            if !std::mem::replace(&mut self.seen[lit.var().index()], false) || self.engine.reason(lit) == NONE {
                continue;
            }
            let reason = self.engine.reason(lit);
            self.need_clause(reason);
            // The first literal is the one that became true.
            for index in 1..self.engine.clauses.size(reason) {
                self.look_at(self.engine.clauses.lit(reason, index), forced);
            }
            if position >= base {
                hints.push(Hint::Clause(self.engine.clauses.number(reason)).pack());
            } else {
                common.push(position);
            }
        }
        hints.reverse();
        hints
    }

    /// Notes that the value of a literal has to be explained, unless the clause that is checked assumes it.
    fn look_at(&mut self, lit: Lit, forced: usize) {
        if !self.backward || self.assumed[lit.var().index()] == self.check {
            return;
        }
        if self.engine.position(lit) >= forced {
            self.seen[lit.var().index()] = true;
        } else {
            self.need_unit(lit);
        }
    }

    fn need_clause(&mut self, clause: ClauseRef) {
        if self.engine.mark_core(clause) {
            self.needs.fresh.push(Hint::Clause(self.engine.clauses.number(clause)).pack());
        }
    }

    /// Puts the unit of a variable, which has a value without assumptions, into the hints, and marks all that it rests
    /// on.
    fn need_unit(&mut self, lit: Lit) {
        let var = lit.var().index();
        if !self.backward || std::mem::replace(&mut self.hinted[var], self.check) == self.check {
            return;
        }
        self.needs.unit_hints.push(Hint::Unit(var as u32).pack());
        let mut open = vec![lit.var()];
        while let Some(var) = open.pop() {
            if std::mem::replace(&mut self.needed[var.index()], true) {
                continue;
            }
            let reason = self.engine.reason(var.positive());
            self.need_clause(reason);
            let lit = self.engine.clauses.lit(reason, 0);
            let position = self.engine.position(lit) as u32;
            self.needs.units.push(Unit { lit, position, reason: self.engine.clauses.number(reason) });
            self.needs.fresh.push(Hint::Unit(var.index() as u32).pack());
            open.extend(self.engine.clauses.lits(reason).skip(1).map(Lit::var));
        }
    }

    /// All clauses with a literal, alive or not.
    fn occurrences(&mut self, lit: Lit) -> &[ClauseRef] {
        let clauses = &self.engine.clauses;
        let occurrences = self.occurrences.get_or_insert_with(|| {
            let all = || (0..clauses.len() as u32).map(|number| clauses.by_number(number));
            let mut starts = vec![0; 2 * self.seen.len() + 1];
            for lit in all().flat_map(|clause| clauses.lits(clause)) {
                starts[lit.code() + 1] += 1;
            }
            for code in 1..starts.len() {
                starts[code] += starts[code - 1];
            }
            let mut entries = vec![NONE; starts[starts.len() - 1]];
            let mut next = starts.clone();
            for clause in all() {
                for lit in clauses.lits(clause) {
                    entries[next[lit.code()]] = clause;
                    next[lit.code()] += 1;
                }
            }
            Occurrences { starts, clauses: entries }
        });
        &occurrences.clauses[occurrences.starts[lit.code()]..occurrences.starts[lit.code() + 1]]
    }
}
