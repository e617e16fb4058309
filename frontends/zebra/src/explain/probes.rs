//! What follows from single assumptions, kept up to date.
//!
//! An assumption that was tried once and did not fail brings certain facts. When something more becomes known it need only be
//! tried again if a rule or a clue now says more together with those: a rule that the new fact leaves two open literals of,
//! of which the assumption settles one and not the other. Sets of assumptions are words of bits, so that this is seen for 64
//! assumptions at once.

use super::Fact;
use super::board::{Board, bits};
use crate::puzzle::Term;
use putnam_formula::Lit;

/// Assumptions, each with what follows from it alone.
pub(super) struct Probes {
    /// The assumptions.
    pub(super) assumptions: Vec<Fact>,
    /// The words of a set of assumptions.
    words: usize,
    /// `by[n * words..]`: the assumptions from which the literal with code n follows, as far as it was not known before.
    by: Vec<u64>,
    /// `against[a * words..]`: the assumptions that bring the opposite of something that assumption a brings.
    against: Vec<u64>,
    /// By literal code: the number of the assumption.
    numbers: Vec<Option<u32>>,
    /// How much follows from each assumption.
    pub(super) counts: Vec<usize>,
    /// The assumptions to try again.
    dirty: Vec<u64>,
    /// How much of what is known was looked at for assumptions to try again.
    looked: usize,
    /// The clauses with each literal.
    occurrences: Vec<Vec<u32>>,
}

impl Probes {
    /// Assumptions none of which was tried yet.
    pub(super) fn new(board: &Board, assumptions: Vec<Fact>) -> Self {
        let literals = 2 * board.rules.cnf.num_vars() as usize;
        let words = assumptions.len().div_ceil(64);
        let mut dirty = vec![u64::MAX; words];
        if let Some(last) = dirty.last_mut() {
            *last >>= 64 * words - assumptions.len();
        }
        let mut occurrences = vec![Vec::new(); literals];
        for (number, clause) in board.rules.cnf.clauses().enumerate() {
            clause.iter().for_each(|lit| occurrences[lit.code()].push(number as u32));
        }
        let mut numbers = vec![None; literals];
        assumptions.iter().enumerate().for_each(|(number, fact)| numbers[fact.code()] = Some(number as u32));
        Self {
            counts: vec![0; assumptions.len()],
            against: vec![0; assumptions.len() * words],
            numbers,
            assumptions,
            words,
            by: vec![0; literals * words],
            dirty,
            looked: board.trail.len(),
            occurrences,
        }
    }

    fn row(&self, lit: Lit) -> &[u64] {
        &self.by[lit.code() * self.words..][..self.words]
    }

    /// The assumptions from which a literal follows.
    pub(super) fn implying(&self, lit: Lit) -> impl Iterator<Item = Fact> + '_ {
        self.row(lit)
            .iter()
            .enumerate()
            .flat_map(move |(word, &set)| bits(set).map(move |bit| self.assumptions[64 * word + bit]))
    }

    /// Enters what follows from an assumption, by its number.
    pub(super) fn enter(&mut self, number: usize, literals: &[Lit]) {
        let (word, bit) = (number / 64, 1 << (number % 64));
        for lit in literals {
            if self.by[lit.code() * self.words + word] & bit != 0 {
                continue;
            }
            self.by[lit.code() * self.words + word] |= bit;
            for i in 0..self.words {
                let other = self.by[(!*lit).code() * self.words + i];
                self.against[number * self.words + i] |= other;
                for against in bits(other) {
                    self.against[(64 * i + against) * self.words + word] |= bit;
                }
            }
        }
        self.counts[number] = literals.len();
    }

    /// Of some assumptions those beside which all open literals of a clause fail by themselves, each with the literals that are
    /// not excluded by the assumption alone; from the shortest clauses, until there are `enough`.
    pub(super) fn beside_clauses(&self, board: &Board, candidates: &[Fact], enough: usize) -> Vec<(Fact, Vec<Fact>)> {
        let mut clauses: Vec<Vec<Lit>> = Vec::new();
        let mut take = |clause: &mut dyn Iterator<Item = Lit>| {
            let mut open: Vec<Lit> = Vec::new();
            for lit in clause {
                if board.is_true(lit) {
                    return;
                }
                if board.is_open(lit) {
                    open.push(lit);
                }
            }
            clauses.push(open);
        };
        board.rules.cnf.clauses().for_each(|clause| take(&mut clause.iter().copied()));
        let facts = &board.rules.facts;
        for category in (0..facts.categories()).filter(|&category| board.rules.at_least_one(category)) {
            for value in (0..facts.size(category)).map(|value| Term { category, value }) {
                for category in (0..facts.categories()).filter(|&other| other != category) {
                    let partner = |v: usize| board.rules.fact(value, Term { category, value: v });
                    take(&mut (0..facts.size(category)).map(partner));
                }
            }
        }
        clauses.sort_by_key(Vec::len);
        let mut open = vec![0; self.words];
        for fact in candidates.iter().filter(|&&fact| board.is_open(fact)) {
            self.numbers[fact.code()].iter().for_each(|&n| open[n as usize / 64] |= 1 << (n % 64));
        }
        let mut found = Vec::new();
        for clause in clauses {
            let mut all = open.clone();
            for &lit in &clause {
                let against = self.numbers[lit.code()].map(|number| &self.against[number as usize * self.words..]);
                let excluding = self.row(!lit);
                let mut any = 0;
                for i in 0..self.words {
                    all[i] &= excluding[i] | against.map_or(0, |against| against[i]);
                    any |= all[i];
                }
                if any == 0 {
                    break;
                }
            }
            for (i, &set) in all.iter().enumerate() {
                for number in bits(set).map(|bit| 64 * i + bit) {
                    let excluded = |lit: Lit| self.row(!lit)[i] >> (number % 64) & 1 == 1;
                    found.push((self.assumptions[number], clause.iter().copied().filter(|&l| !excluded(l)).collect()));
                }
            }
            if found.len() >= enough {
                break;
            }
        }
        found
    }

    /// The numbers of the assumptions that are open and may bring more than was entered.
    pub(super) fn take_dirty(&mut self, board: &Board) -> Vec<usize> {
        for place in self.looked..board.trail.len() {
            self.touch(board, board.trail[place]);
        }
        self.looked = board.trail.len();
        let mut dirty: Vec<usize> = Vec::new();
        for (word, set) in self.dirty.iter_mut().enumerate() {
            dirty.extend(bits(std::mem::take(set)).map(|bit| 64 * word + bit));
        }
        dirty.retain(|&number| board.value(self.assumptions[number].var().index()).is_none());
        dirty
    }

    /// Assumptions that were not tried after all.
    pub(super) fn put_back(&mut self, numbers: impl Iterator<Item = usize>) {
        numbers.for_each(|number| self.dirty[number / 64] |= 1 << (number % 64));
    }

    /// Marks the assumptions with which a rule or clue says more now that a literal is known.
    fn touch(&mut self, board: &Board, known: Lit) {
        let rules = board.rules;
        self.mark(|probes, i| probes.row(!known)[i]);
        let fact = known.var().index();
        if fact < rules.facts.num_pairs() {
            let (a, b) = rules.facts.pair(fact);
            for category in (0..rules.facts.categories()).filter(|&c| c != a.category && c != b.category) {
                for value in 0..rules.facts.size(category) {
                    let third = Term { category, value };
                    let (one, other) = (rules.fact(a, third), rules.fact(b, third));
                    if board.is_open(one) && board.is_open(other) {
                        self.touch_pair(known.is_positive(), one, other);
                    }
                }
            }
            if known.is_negative() {
                self.touch_partners(board, a, b.category);
                self.touch_partners(board, b, a.category);
            }
        }
        for place in 0..self.occurrences[(!known).code()].len() {
            let clause = board.rules.cnf.clause(self.occurrences[(!known).code()][place] as usize);
            self.touch_clause(board, clause);
        }
    }

    /// Two literals that are now the same, or exclude each other.
    fn touch_pair(&mut self, same: bool, one: Lit, other: Lit) {
        if same {
            self.mark(|p, i| (p.row(one)[i] ^ p.row(other)[i]) | (p.row(!one)[i] ^ p.row(!other)[i]));
        } else {
            self.mark(|p, i| (p.row(one)[i] & !p.row(!other)[i]) | (p.row(other)[i] & !p.row(!one)[i]));
        }
    }

    /// A value with one possible partner less.
    fn touch_partners(&mut self, board: &Board, value: Term, category: usize) {
        if board.rules.at_least_one(value.category) {
            let partner = |v: usize| board.rules.fact(value, Term { category, value: v });
            let partners: Vec<Lit> = (0..board.rules.facts.size(category)).map(partner).collect();
            self.touch_clause(board, &partners);
        }
    }

    /// A clause with one literal less: marks the assumptions that leave at most one literal open.
    fn touch_clause(&mut self, board: &Board, clause: &[Lit]) {
        if clause.iter().any(|&lit| board.is_true(lit)) {
            return;
        }
        let open: Vec<Lit> = clause.iter().copied().filter(|&lit| board.is_open(lit)).collect();
        self.mark(|probes, i| {
            let (mut one, mut two, mut satisfied) = (0, 0, 0);
            for &lit in &open {
                let left = !probes.row(!lit)[i];
                two |= one & left;
                one |= left;
                satisfied |= probes.row(lit)[i];
            }
            !two & !satisfied
        });
    }

    fn mark(&mut self, set: impl Fn(&Self, usize) -> u64) {
        for i in 0..self.words {
            self.dirty[i] |= set(self, i);
        }
        // Bits behind the last assumption stand for nothing.
        if let Some(last) = self.dirty.last_mut() {
            *last &= u64::MAX >> (64 * self.words - self.assumptions.len());
        }
    }
}
