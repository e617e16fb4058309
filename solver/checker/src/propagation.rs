//! Unit propagation with two watched literals, core first: clauses that the refutation is known to need are looked at
//! before all others, so that as few others as possible become needed (Wetzler, Heule and Hunt, DRAT-trim, SAT 2014).
//!
//! Core clauses have watch lists of their own. A clause that becomes core or dies stays in the lists where it was until
//! somebody passes by: an entry counts only if its clause is alive and, in the other lists, not core.
//!
//! # Watches and taking back
//!
//! Invariant: when propagation is complete, every clause that is alive and has a false watched literal has a true
//! literal that became true before it or in the same run of propagation, or the clause is false. The trail is only ever
//! cut back to where a run of propagation ended, so both are taken back together or not at all, and the invariant holds
//! for the shorter trail. [`Propagation::attach`] keeps it for clauses that come to life while literals are assigned.

use crate::clauses::{ClauseRef, Clauses, NONE};
use putnam_formula::Lit;

#[derive(Clone, Copy)]
struct Watch {
    clause: ClauseRef,
    /// Some other literal of the clause. If it is true, the clause need not be looked at.
    blocker: Lit,
}

/// The clauses, the trail, and the watches.
pub(crate) struct Propagation {
    pub(crate) clauses: Clauses,
    /// By literal code: 1 for true, -1 for false, 0 for neither.
    values: Vec<i8>,
    /// True literals in the order in which they became true.
    pub(crate) trail: Vec<Lit>,
    /// By variable: the clause that made it true or false, or [`NONE`] if it was assumed. Stale when it has no value.
    /// The literal that a clause made true is the first one of that clause.
    reasons: Vec<ClauseRef>,
    /// By variable: its place on the trail. Stale when it has no value.
    positions: Vec<u32>,
    core_watches: Vec<Vec<Watch>>,
    other_watches: Vec<Vec<Watch>>,
    core_head: usize,
    other_head: usize,
    /// Where to go on in the other watches of the literal at `other_head`.
    other_next: usize,
    /// Literals propagated so far.
    pub(crate) propagations: u64,
}

/// What a walk through one watch list ended with.
enum Visit {
    Done,
    /// A clause that is not core became unit; the walk is to go on at this index.
    Unit(usize),
    Conflict(ClauseRef),
}

impl Propagation {
    pub(crate) fn new(clauses: Clauses, num_vars: usize) -> Self {
        let lists = || std::iter::repeat_with(Vec::new).take(2 * num_vars).collect();
        Self {
            clauses,
            values: vec![0; 2 * num_vars],
            trail: Vec::with_capacity(num_vars),
            reasons: vec![NONE; num_vars],
            positions: vec![0; num_vars],
            core_watches: lists(),
            other_watches: lists(),
            core_head: 0,
            other_head: 0,
            other_next: 0,
            propagations: 0,
        }
    }

    #[inline]
    pub(crate) fn is_true(&self, lit: Lit) -> bool {
        self.values[lit.code()] > 0
    }

    #[inline]
    pub(crate) fn is_false(&self, lit: Lit) -> bool {
        self.values[lit.code()] < 0
    }

    /// The clause that gave the variable of a literal its value; [`NONE`] for an assumption.
    pub(crate) fn reason(&self, lit: Lit) -> ClauseRef {
        self.reasons[lit.var().index()]
    }

    /// The place on the trail of the variable of a literal that has a value.
    pub(crate) fn position(&self, lit: Lit) -> usize {
        self.positions[lit.var().index()] as usize
    }

    /// Whether the clause is the reason of a literal on the trail.
    pub(crate) fn is_reason(&self, clause: ClauseRef) -> bool {
        self.clauses.size(clause) > 0 && {
            let first = self.clauses.lit(clause, 0);
            self.is_true(first) && self.reason(first) == clause
        }
    }

    /// Makes a literal without value true.
    pub(crate) fn assign(&mut self, lit: Lit, reason: ClauseRef) {
        debug_assert!(!self.is_true(lit) && !self.is_false(lit));
        self.values[lit.code()] = 1;
        self.values[(!lit).code()] = -1;
        self.reasons[lit.var().index()] = reason;
        self.positions[lit.var().index()] = self.trail.len() as u32;
        self.trail.push(lit);
    }

    /// Cuts the trail to a length where propagation was complete.
    pub(crate) fn undo(&mut self, length: usize) {
        for lit in self.trail.drain(length..) {
            self.values[lit.code()] = 0;
            self.values[(!lit).code()] = 0;
        }
        self.core_head = length;
        self.other_head = length;
        self.other_next = 0;
    }

    /// Lets the next propagation begin at the start of the trail, which restores the watches after a cut at any place.
    pub(crate) fn restart(&mut self) {
        self.core_head = 0;
        self.other_head = 0;
        self.other_next = 0;
    }

    /// Brings a clause to life. It is put into the watches, and its first literal is made true when it is unit. Answers
    /// true when the clause is false.
    ///
    /// The two literals that are watched are those that become false last: ones that are not false, or else those that
    /// stand highest on the trail.
    pub(crate) fn attach(&mut self, clause: ClauseRef) -> bool {
        self.clauses.set_alive(clause, true);
        if self.clauses.is_tautology(clause) {
            return false;
        }
        let (values, positions) = (&self.values, &self.positions);
        let falsified_at = |code: u32| match values[code as usize] {
            -1 => positions[code as usize >> 1] as usize,
            _ => usize::MAX,
        };
        let codes = self.clauses.codes_mut(clause);
        for place in 0..codes.len().min(2) {
            // On equal terms the earlier one stays, so that a literal that is not false is found at once.
            let mut best = place;
            for other in place + 1..codes.len() {
                if falsified_at(codes[best]) == usize::MAX {
                    break;
                }
                if falsified_at(codes[other]) > falsified_at(codes[best]) {
                    best = other;
                }
            }
            codes.swap(place, best);
        }
        let size = codes.len();
        if size == 0 || self.is_false(self.clauses.lit(clause, 0)) {
            return true;
        }
        let first = self.clauses.lit(clause, 0);
        if size > 1 {
            let second = self.clauses.lit(clause, 1);
            let lists = if self.clauses.is_core(clause) { &mut self.core_watches } else { &mut self.other_watches };
            lists[first.code()].push(Watch { clause, blocker: second });
            lists[second.code()].push(Watch { clause, blocker: first });
        }
        if !self.is_true(first) && (size == 1 || self.is_false(self.clauses.lit(clause, 1))) {
            self.assign(first, clause);
        }
        false
    }

    /// Drops all entries of clauses that are dead, so that those can be attached again.
    pub(crate) fn drop_dead_watches(&mut self) {
        for list in self.core_watches.iter_mut().chain(&mut self.other_watches) {
            list.retain(|watch| self.clauses.is_alive(watch.clause));
        }
    }

    /// Marks a clause as needed. Answers false when it was already.
    pub(crate) fn mark_core(&mut self, clause: ClauseRef) -> bool {
        if self.clauses.is_core(clause) {
            return false;
        }
        self.clauses.set_core(clause);
        if self.clauses.size(clause) > 1 {
            let (first, second) = (self.clauses.lit(clause, 0), self.clauses.lit(clause, 1));
            self.core_watches[first.code()].push(Watch { clause, blocker: second });
            self.core_watches[second.code()].push(Watch { clause, blocker: first });
        }
        true
    }

    /// Propagates until nothing more follows or a clause is false, which is answered.
    pub(crate) fn propagate(&mut self) -> Option<ClauseRef> {
        loop {
            while let Some(&lit) = self.trail.get(self.core_head) {
                self.core_head += 1;
                self.propagations += 1;
                if let Visit::Conflict(clause) = self.visit::<true>(!lit, 0) {
                    return Some(clause);
                }
            }
            let &lit = self.trail.get(self.other_head)?;
            match self.visit::<false>(!lit, self.other_next) {
                Visit::Conflict(clause) => return Some(clause),
                Visit::Unit(next) => self.other_next = next,
                Visit::Done => {
                    self.other_head += 1;
                    self.other_next = 0;
                }
            }
        }
    }

    /// Walks through the watches of a literal that has become false, from entry `from` on. The walk through core
    /// clauses goes on until the end or a conflict, the other one stops at the first unit.
    fn visit<const CORE: bool>(&mut self, falsified: Lit, from: usize) -> Visit {
        let lists = if CORE { &mut self.core_watches } else { &mut self.other_watches };
        let mut list = std::mem::take(&mut lists[falsified.code()]);
        let mut index = from;
        let mut result = Visit::Done;
        while let Some(watch) = list.get_mut(index) {
            if self.values[watch.blocker.code()] > 0 {
                index += 1;
                continue;
            }
            let clause = watch.clause;
            if !self.clauses.is_alive(clause) || !CORE && self.clauses.is_core(clause) {
                list.swap_remove(index);
                continue;
            }
            let codes = self.clauses.codes_mut(clause);
            if codes[0] as usize == falsified.code() {
                codes.swap(0, 1);
            }
            let first = Lit::from_code(codes[0] as usize);
            if self.values[first.code()] > 0 {
                watch.blocker = first;
                index += 1;
                continue;
            }
            if let Some(place) = codes[2..].iter().position(|&code| self.values[code as usize] >= 0) {
                codes.swap(1, place + 2);
                let second = codes[1] as usize;
                list.swap_remove(index);
                let lists = if CORE { &mut self.core_watches } else { &mut self.other_watches };
                lists[second].push(Watch { clause, blocker: first });
                continue;
            }
            index += 1;
            if self.values[first.code()] < 0 {
                result = Visit::Conflict(clause);
                break;
            }
            self.assign(first, clause);
            if !CORE {
                result = Visit::Unit(index);
                break;
            }
        }
        let lists = if CORE { &mut self.core_watches } else { &mut self.other_watches };
        lists[falsified.code()] = list;
        result
    }
}
