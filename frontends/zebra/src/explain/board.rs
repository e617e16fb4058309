//! What is known of the full grid, and what single rules and single clues add to it.

mod reasons;

use super::Fact;
use super::rules::{Rules, Source};
use super::steps::Case;
use crate::puzzle::Term;
use putnam_formula::{Lit, Var};
use std::rc::Rc;

/// Why a literal is true, or a conflict arises, in the shape that takes least to write down.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Because {
    /// It was given.
    Given,
    /// One of its values has this other partner.
    Taken(Fact),
    /// All other partners of a value in a category are excluded.
    Last(Term, usize),
    /// The first literal says what is known of a pair, the second how one of them goes with a third value.
    Same(Fact, Fact),
    /// All other literals of this clause are false.
    Clause(u32),
    /// A case analysis, by its number.
    Case(u32),
    /// The opposite is known to bring the opposite of this literal.
    Beside(Lit),
}

/// How something follows from its premises.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Why {
    /// By one clue or one rule.
    By(Source),
    /// Because the opposite leads to a contradiction.
    Case(Rc<Case>),
}

/// A conclusion that cannot be: it is excluded already, or nothing is left to conclude.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Conflict {
    because: Because,
    lit: Option<Lit>,
}

#[derive(Clone, Copy, Debug)]
struct Watch {
    clause: u32,
    /// Another literal of the clause; when it is true, the clause need not be looked at.
    other: Lit,
}

/// The two values of a fact, in as little space as possible.
#[derive(Clone, Copy, Debug)]
struct Pair {
    categories: [u32; 2],
    values: [u8; 2],
}

/// What is known, in the order in which it became known.
///
/// Known facts are kept twice: by number, and for each value and category as a set of partners that are certain and a set
/// of partners that are excluded, so that most rules are a few operations on machine words.
#[derive(Debug)]
pub(super) struct Board<'r> {
    pub(super) rules: &'r Rules,
    /// By variable: 0 unknown, 1 true, 2 false.
    values: Vec<u8>,
    reasons: Vec<Because>,
    places: Vec<u32>,
    pub(super) trail: Vec<Lit>,
    known_facts: usize,
    done: usize,
    /// `certain[slot]`, `excluded[slot]` have bit v when the slot's value has, or has not, value v of the slot's category.
    certain: Vec<u64>,
    excluded: Vec<u64>,
    /// `settled[value]` has bit c % 64 when the value with this number has a certain partner in category c.
    settled: Vec<u64>,
    /// The number of each category's first value; those of all categories are counted on.
    firsts: Vec<usize>,
    categories: usize,
    /// The two values of each fact about a pair.
    pairs: Vec<Pair>,
    /// The literals of the clauses; the first two of each are watched.
    lits: Vec<Lit>,
    starts: Vec<u32>,
    watches: Vec<Vec<Watch>>,
    /// A bit for each literal that is in a clause: most are in none.
    watched: Vec<u64>,
    cases: Vec<(Rc<Case>, Vec<Fact>)>,
}

impl<'r> Board<'r> {
    pub(super) fn new(rules: &'r Rules) -> Self {
        let (vars, facts) = (rules.cnf.num_vars() as usize, &rules.facts);
        let (mut firsts, mut count) = (Vec::new(), 0);
        for category in 0..facts.categories() {
            firsts.push(count);
            count += facts.size(category);
        }
        let pair = |fact: usize| {
            let (a, b) = facts.pair(fact);
            Pair { categories: [a.category as u32, b.category as u32], values: [a.value as u8, b.value as u8] }
        };
        let mut board = Self {
            rules,
            values: vec![0; vars],
            reasons: vec![Because::Given; vars],
            places: vec![u32::MAX; vars],
            trail: Vec::new(),
            known_facts: 0,
            done: 0,
            certain: vec![0; count * facts.categories()],
            excluded: vec![0; count * facts.categories()],
            settled: vec![0; count],
            firsts,
            categories: facts.categories(),
            pairs: (0..facts.num_pairs()).map(pair).collect(),
            lits: Vec::with_capacity(rules.cnf.num_literals()),
            starts: vec![0],
            watches: vec![Vec::new(); 2 * vars],
            watched: vec![0; (2 * vars).div_ceil(64)],
            cases: Vec::new(),
        };
        for (number, clause) in rules.cnf.clauses().enumerate() {
            if let [a, b, ..] = *clause {
                board.watches[a.code()].push(Watch { clause: number as u32, other: b });
                board.watches[b.code()].push(Watch { clause: number as u32, other: a });
            }
            clause.iter().for_each(|lit| board.watched[lit.code() / 64] |= 1 << (lit.code() % 64));
            board.lits.extend(clause);
            board.starts.push(board.lits.len() as u32);
        }
        board
    }

    /// The value of a fact, or of a variable behind the facts.
    pub(super) fn value(&self, var: usize) -> Option<bool> {
        match self.values[var] {
            0 => None,
            value => Some(value == 1),
        }
    }

    pub(super) fn is_true(&self, lit: Lit) -> bool {
        self.values[lit.var().index()] == if lit.is_positive() { 1 } else { 2 }
    }

    /// How many partners one of a fact's two values has left at least in the category of the other; if there are two and the fact is
    /// excluded, the other is certain.
    pub(super) fn choices(&self, fact: Fact) -> u32 {
        if fact.is_negative() || fact.var().index() >= self.rules.facts.num_pairs() {
            return 2;
        }
        let (a, b) = self.rules.facts.pair(fact.var().index());
        let left = |value: Term, category: usize| {
            let all = u64::MAX >> (64 - self.rules.facts.size(category));
            let exact = self.rules.at_least_one(value.category);
            if exact { (all & !self.excluded[self.slot(value, category)]).count_ones() } else { u32::MAX }
        };
        left(a, b.category).min(left(b, a.category))
    }

    pub(super) fn is_open(&self, lit: Lit) -> bool {
        self.values[lit.var().index()] == 0
    }

    pub(super) fn is_complete(&self) -> bool {
        self.known_facts == self.rules.facts.len()
    }

    pub(super) fn place(&self, lit: Lit) -> u32 {
        self.places[lit.var().index()]
    }

    /// Gives a fact, and what follows from it.
    pub(super) fn assume(&mut self, fact: Lit) -> Result<(), Conflict> {
        self.give(fact).and_then(|()| self.propagate())
    }

    /// The facts on the trail from a position on.
    pub(super) fn facts_since(&self, from: usize) -> impl Iterator<Item = Lit> + '_ {
        self.trail[from..].iter().copied().filter(|&lit| self.is_fact(lit))
    }

    pub(super) fn is_fact(&self, lit: Lit) -> bool {
        lit.var().index() < self.rules.facts.len()
    }

    /// The number of a value.
    fn number(&self, value: Term) -> usize {
        self.firsts[value.category] + value.value
    }

    fn slot(&self, value: Term, category: usize) -> usize {
        self.number(value) * self.categories + category
    }

    /// The two values of a fact about a pair.
    fn pair(&self, fact: usize) -> (Term, Term) {
        let Pair { categories: [c, d], values: [a, b] } = self.pairs[fact];
        (Term { category: c as usize, value: a as usize }, Term { category: d as usize, value: b as usize })
    }

    /// Makes a fact known that is given or supposed.
    ///
    /// # Errors
    /// The conflict, if the opposite is known.
    pub(super) fn give(&mut self, fact: Fact) -> Result<(), Conflict> {
        self.set(fact, Because::Given)
    }

    /// Makes a fact known whose opposite a case has excluded, with what the case uses from outside.
    ///
    /// # Errors
    /// The conflict, if the opposite is known.
    pub(super) fn exclude(&mut self, case: Case, premises: Vec<Fact>) -> Result<(), Conflict> {
        let fact = !case.assumption;
        self.cases.push((Rc::new(case), premises));
        self.set(fact, Because::Case(self.cases.len() as u32 - 1))
    }

    /// Makes the opposite of an open fact known that is known to bring the opposite of a known literal. It has no reason in
    /// words: that takes a case.
    pub(super) fn rule_out(&mut self, fact: Fact, beside: Lit) {
        debug_assert!(self.is_open(fact) && self.is_true(beside));
        self.set(!fact, Because::Beside(beside)).unwrap_or_default();
    }

    /// Whether a known fact was ruled out or is the end of a case.
    pub(super) fn is_excluded(&self, fact: Fact) -> bool {
        matches!(self.reasons[fact.var().index()], Because::Case(_) | Because::Beside(_))
    }

    fn set(&mut self, lit: Lit, because: Because) -> Result<(), Conflict> {
        let var = lit.var().index();
        let value = if lit.is_positive() { 1 } else { 2 };
        match self.values[var] {
            0 => {}
            known if known == value => return Ok(()),
            _ => return Err(Conflict { because, lit: Some(lit) }),
        }
        self.values[var] = value;
        self.reasons[var] = because;
        self.places[var] = self.trail.len() as u32;
        self.trail.push(lit);
        self.mark(lit);
        Ok(())
    }

    /// Enters a literal into, or takes it out of, the sets of partners.
    fn mark(&mut self, lit: Lit) {
        let var = lit.var().index();
        if var >= self.rules.facts.len() {
            return;
        }
        self.known_facts = if self.values[var] == 0 { self.known_facts - 1 } else { self.known_facts + 1 };
        if var >= self.pairs.len() {
            return;
        }
        let (a, b) = self.pair(var);
        for (value, other) in [(a, b), (b, a)] {
            let (number, bit) = (self.number(value), 1 << other.value);
            let slot = number * self.categories + other.category;
            if lit.is_positive() {
                self.certain[slot] ^= bit;
                // Where there are more than 64 categories, bits are shared and stay.
                let category = 1 << (other.category % 64);
                if self.certain[slot] != 0 {
                    self.settled[number] |= category;
                } else if self.categories <= 64 {
                    self.settled[number] &= !category;
                }
            } else {
                self.excluded[slot] ^= bit;
            }
        }
    }

    /// Goes back to the first `length` known literals.
    pub(super) fn undo(&mut self, length: usize) {
        while self.trail.len() > length {
            let Some(lit) = self.trail.pop() else { return };
            if let Because::Case(number) = self.reasons[lit.var().index()] {
                self.cases.truncate(number as usize);
            }
            self.values[lit.var().index()] = 0;
            self.places[lit.var().index()] = u32::MAX;
            self.mark(lit);
        }
        self.done = self.done.min(length);
    }

    /// The clauses of one literal, at the beginning.
    ///
    /// # Errors
    /// The conflict that arises.
    pub(super) fn start(&mut self) -> Result<(), Conflict> {
        for clause in 0..self.starts.len() - 1 {
            match self.lits[self.starts[clause] as usize..self.starts[clause + 1] as usize] {
                [] => return Err(Conflict { because: Because::Clause(clause as u32), lit: None }),
                [lit] => self.set(lit, Because::Clause(clause as u32))?,
                _ => {}
            }
        }
        Ok(())
    }

    /// Draws all conclusions that single rules and single clues allow by unit propagation.
    ///
    /// # Errors
    /// The conflict that arises.
    pub(super) fn propagate(&mut self) -> Result<(), Conflict> {
        while self.done < self.trail.len() {
            let lit = self.trail[self.done];
            self.done += 1;
            let fact = lit.var().index();
            if fact < self.pairs.len() {
                let (a, b) = self.pair(fact);
                self.partners(lit, a, b)?;
                self.partners(lit, b, a)?;
                self.triangles(lit, a, b)?;
            }
            let code = (!lit).code();
            if self.watched[code / 64] >> (code % 64) & 1 == 1 {
                self.watchers(!lit)?;
            }
        }
        Ok(())
    }

    /// How many partners `value` has in the category of `other`.
    fn partners(&mut self, lit: Fact, value: Term, other: Term) -> Result<(), Conflict> {
        let category = other.category;
        let all = u64::MAX >> (64 - self.rules.facts.size(category));
        let slot = self.slot(value, category);
        let open = all & !self.excluded[slot];
        if lit.is_positive() {
            if self.rules.at_most_one(value.category, category) {
                for partner in bits(open & !(1 << other.value)) {
                    self.set(!self.rules.fact(value, Term { category, value: partner }), Because::Taken(lit))?;
                }
            }
        } else if self.rules.at_least_one(value.category) {
            let because = Because::Last(value, category);
            if open == 0 {
                return Err(Conflict { because, lit: None });
            }
            if open.is_power_of_two() && self.certain[slot] == 0 {
                let last = Term { category, value: open.trailing_zeros() as usize };
                self.set(self.rules.fact(value, last), because)?;
            }
        }
        Ok(())
    }

    /// What goes together has everything in common.
    fn triangles(&mut self, lit: Fact, a: Term, b: Term) -> Result<(), Conflict> {
        let rules = self.rules;
        let categories = self.categories;
        let third_ones = |category: &usize| *category != a.category && *category != b.category;
        for (one, other) in [(a, b), (b, a)] {
            let (of_one, of_other) = (self.slot(one, 0), self.slot(other, 0));
            let settled = bits(self.settled[self.number(one)]);
            let settled = settled.flat_map(|first| (first..categories).step_by(64)).filter(third_ones);
            if lit.is_negative() {
                for category in settled.filter(|&category| rules.is_single(category)) {
                    for value in bits(self.certain[of_one + category] & !self.excluded[of_other + category]) {
                        let third = Term { category, value };
                        self.set(!rules.fact(other, third), Because::Same(lit, rules.fact(one, third)))?;
                    }
                }
            } else if rules.is_single(one.category) {
                // What `one` has, `other` has too; what `other` has not, `one` has not.
                for category in settled {
                    for value in bits(self.certain[of_one + category] & !self.certain[of_other + category]) {
                        let third = Term { category, value };
                        self.set(rules.fact(other, third), Because::Same(lit, rules.fact(one, third)))?;
                    }
                }
                for category in (0..categories).filter(third_ones) {
                    for value in bits(self.excluded[of_other + category] & !self.excluded[of_one + category]) {
                        let third = Term { category, value };
                        self.set(!rules.fact(one, third), Because::Same(lit, !rules.fact(other, third)))?;
                    }
                }
            }
        }
        Ok(())
    }

    /// Unit propagation in the clauses that watch a literal that became false.
    fn watchers(&mut self, falsified: Lit) -> Result<(), Conflict> {
        let mut watches = std::mem::take(&mut self.watches[falsified.code()]);
        let (mut kept, mut read) = (0, 0);
        let mut result = Ok(());
        while read < watches.len() {
            let watch = watches[read];
            read += 1;
            watches[kept] = watch;
            kept += 1;
            if self.is_true(watch.other) {
                continue;
            }
            let start = self.starts[watch.clause as usize] as usize;
            let end = self.starts[watch.clause as usize + 1] as usize;
            if self.lits[start] == falsified {
                self.lits.swap(start, start + 1);
            }
            let first = self.lits[start];
            watches[kept - 1].other = first;
            if self.is_true(first) {
                continue;
            }
            if let Some(next) = (start + 2..end).find(|&i| !self.is_true(!self.lits[i])) {
                self.lits.swap(start + 1, next);
                self.watches[self.lits[start + 1].code()].push(Watch { clause: watch.clause, other: first });
                kept -= 1;
                continue;
            }
            result = self.set(first, Because::Clause(watch.clause));
            if result.is_err() {
                break;
            }
        }
        watches.copy_within(read.., kept);
        watches.truncate(kept + watches.len() - read);
        self.watches[falsified.code()] = watches;
        result
    }

    /// The facts that are not known, in their order.
    pub(super) fn unknown(&self) -> impl Iterator<Item = Var> + use<> {
        let open: Vec<u32> = (0..self.rules.facts.len()).filter(|&f| self.values[f] == 0).map(|f| f as u32).collect();
        open.into_iter().map(Var::new)
    }
}

/// The places of the bits of a set.
pub(super) fn bits(mut set: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let bit = set.trailing_zeros() as usize;
        set &= set.wrapping_sub(1);
        (bit < 64).then_some(bit)
    })
}
