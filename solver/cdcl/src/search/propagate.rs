//! Unit propagation: the hot loop.
//!
//! Two watched literals (Moskewicz et al., Chaff, 2001) with blocking literals (Chu, Harwood and Stuckey, 2008), binary
//! clauses inside the watch lists, and in long clauses a search that goes on where the last one ended (Gent, 2013).
//! Work is counted in ticks: one for each cache line of a watch list and one for each clause that is visited (Biere,
//! CaDiCaL), so that effort is measured alike on every machine.
//!
//! The body is one for all users; a [`Mode`] says what differs.
//!
//! # Invariants
//! Debug builds check them on the way (`debug_assert!` in the structures), release builds index without checks:
//! 1. Every literal in the arena, in a watch, and on the trail belongs to an existing variable, so it indexes the
//!    values, the watch lists and the trail's entries.
//! 2. Every large watch refers to a clause of the current arena, which has at least three literals, and the watched
//!    literal is one of its first two.
//! 3. The trail has room for all variables, and a literal is put on it only while it is unassigned.
//! 4. After a propagation without conflict: when a watched literal of a clause is false, its other watched literal, or
//!    the blocking literal, is true; and whatever backtracking unassigns that one also unassigns the false one, or has
//!    it propagated again. Where levels ascend along the trail the true one is on the same or a lower level. Where they
//!    do not, both stood on the trail when the next level began, so either both stay before its start, or what stays of
//!    them is behind it.
//!
//! # Levels
//! A literal belongs to the highest level of the others in its reason. As long as the trail is ordered that is the
//! current level, and nothing is looked up.

use crate::Solver;
use crate::data::arena::{Arena, ClauseRef, HEADER};
use crate::data::lists::lines;
use crate::data::trail::{Reason, Trail};
use crate::data::values::Values;
use crate::data::watch::{Watches, blocking_of_word, is_binary_word, large_word};
use crate::statistics::Statistics;
use putnam_formula::Lit;

/// A clause with only false literals.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Conflict {
    /// A binary clause.
    Binary(Lit, Lit),
    /// A clause of the arena.
    Clause(ClauseRef),
}

/// What differs between the users of propagation.
pub(crate) trait Mode {
    /// Whether to pass over a clause.
    #[inline]
    fn ignores(&self, _clause: ClauseRef) -> bool {
        false
    }

    /// Where the effort is counted.
    fn count(&self, statistics: &mut Statistics, propagations: u64, ticks: u64);
}

/// Propagation of the main search.
pub(crate) struct Search;

impl Mode for Search {
    fn count(&self, statistics: &mut Statistics, propagations: u64, ticks: u64) {
        statistics.propagations += propagations;
        statistics.ticks += ticks;
    }
}

impl Solver {
    /// Propagates all literals of the trail that were not yet; answers with the first conflict.
    pub(crate) fn propagate<M: Mode>(&mut self, mode: &M) -> Option<Conflict> {
        if self.trail.propagated == self.trail.len() {
            return None;
        }
        let before = self.trail.propagated;
        let mut ticks = 0;
        let mut conflict = None;
        while conflict.is_none() && self.trail.propagated < self.trail.len() {
            conflict = self.propagate_next(mode, &mut ticks);
        }
        mode.count(&mut self.statistics, (self.trail.propagated - before) as u64, ticks);
        if self.trail.level() == 0 {
            self.record_root_units();
        }
        conflict
    }

    /// Propagates one literal of the trail, of which one must be left; counts nothing.
    #[inline]
    pub(crate) fn propagate_next<M: Mode>(&mut self, mode: &M, ticks: &mut u64) -> Option<Conflict> {
        let lit = self.trail.lit(self.trail.propagated);
        self.trail.propagated += 1;
        let mut visit = Visit {
            values: &mut self.values,
            watches: &mut self.watches,
            arena: &mut self.arena,
            trail: &mut self.trail,
            ticks,
        };
        visit.propagate_literal(mode, lit)
    }
}

/// What propagation touches, borrowed apart.
struct Visit<'a> {
    values: &'a mut Values,
    watches: &'a mut Watches,
    arena: &'a mut Arena,
    trail: &'a mut Trail,
    ticks: &'a mut u64,
}

impl Visit<'_> {
    /// Visits the watches of `!lit`, which became false.
    #[inline]
    fn propagate_literal<M: Mode>(&mut self, mode: &M, lit: Lit) -> Option<Conflict> {
        let falsified = !lit;
        let current = self.trail.level();
        // What binary clauses imply is on the level of the literal.
        let level = if self.trail.is_ordered() { current } else { self.trail.level_of(lit) };
        debug_assert_eq!(level, self.trail.level_of(lit));
        let mut ticks = 0;
        let mut conflict = None;
        // SAFETY: by invariant 1 all literals index their tables; by invariant 2 clause pointers lie inside the arena,
        // which does not grow here, and the first `size` words after the header are literals; by invariant 3 only
        // unassigned literals are pushed. `base` is fetched anew whenever a push may have moved the lists, and no watch
        // is pushed to the list that is being read: its literal is false, and the new watch of a clause is not. `read`
        // and `write` stay within the list's length, which holds whole watches, `write <= read`.
        unsafe {
            let (mut base, len) = self.watches.raw(falsified);
            ticks += 1 + lines::<u32>(len);
            let (mut read, mut write) = (0, 0);
            while read < len {
                let word = *base.add(read);
                read += 1;
                *base.add(write) = word;
                write += 1;
                let blocking = blocking_of_word(word);
                let blocking_value = self.values.get_unchecked(blocking);
                if is_binary_word(word) {
                    if blocking_value > 0 {
                        continue;
                    }
                    if blocking_value < 0 {
                        conflict = Some(Conflict::Binary(falsified, blocking));
                        break;
                    }
                    self.values.set_true_unchecked(blocking);
                    self.trail.push_unchecked(blocking, Reason::binary(falsified), level);
                    continue;
                }
                let reference = *base.add(read);
                read += 1;
                *base.add(write) = reference;
                write += 1;
                if blocking_value > 0 {
                    continue;
                }
                let clause = ClauseRef::from_word(reference);
                let words = self.arena.raw(clause);
                ticks += 1;
                if Arena::header_is_garbage(*words) {
                    write -= 2;
                    continue;
                }
                if mode.ignores(clause) {
                    continue;
                }
                let lits = words.add(HEADER).cast::<Lit>();
                let other = Lit::from_code((*lits).code() ^ (*lits.add(1)).code() ^ falsified.code());
                let other_value = self.values.get_unchecked(other);
                if other_value > 0 {
                    *base.add(write - 2) = large_word(other);
                    continue;
                }
                let size = *words.add(1) as usize;
                let saved = *words.add(2) as usize;
                let (mut at, mut value) = self.search_replacement(lits, saved, size);
                if value < 0 {
                    (at, value) = self.search_replacement(lits, 2, saved);
                }
                *words.add(2) = at as u32;
                if value > 0 {
                    // True: it blocks the clause better than any watch would.
                    *base.add(write - 2) = large_word(*lits.add(at));
                } else if value == 0 {
                    let replacement = *lits.add(at);
                    *lits = other;
                    *lits.add(1) = replacement;
                    *lits.add(at) = falsified;
                    write -= 2;
                    ticks += 1;
                    if self.watches.push_large_unchecked(replacement, other, clause) {
                        base = self.watches.raw(falsified).0;
                    }
                } else if other_value == 0 {
                    let level = if level == current { level } else { self.highest_level(lits, size, other) };
                    self.values.set_true_unchecked(other);
                    self.trail.push_unchecked(other, Reason::clause(clause), level);
                } else {
                    conflict = Some(Conflict::Clause(clause));
                    break;
                }
            }
            if write != read {
                std::ptr::copy(base.add(read), base.add(write), len - read);
                self.watches.truncate_words(falsified, write + len - read);
            }
        }
        *self.ticks += ticks;
        conflict
    }

    /// The highest level of the literals other than one.
    ///
    /// # Safety
    /// At `lits` must begin a clause of that size.
    unsafe fn highest_level(&self, lits: *const Lit, size: usize, except: Lit) -> u32 {
        // SAFETY: the literals of a clause are words like these, one after the other.
        let lits = unsafe { std::slice::from_raw_parts(lits, size) };
        lits.iter().filter(|&&lit| lit != except).map(|&lit| self.trail.level_of(lit)).max().unwrap_or(0)
    }

    /// The first position from `from` to before `to` whose literal is not false, and its value; or `to` and -1.
    ///
    /// # Safety
    /// The positions must lie inside the clause whose literals begin at `lits`.
    #[inline]
    unsafe fn search_replacement(&self, lits: *const Lit, from: usize, to: usize) -> (usize, i8) {
        let mut at = from;
        while at < to {
            // SAFETY: the caller gives positions inside a clause, and clauses hold literals of existing variables.
            let value = unsafe { self.values.get_unchecked(*lits.add(at)) };
            if value >= 0 {
                return (at, value);
            }
            at += 1;
        }
        (to, -1)
    }
}
