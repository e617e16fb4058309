//! Which exclusive ors the clauses have.

use super::{Origin, Xor};
use crate::Solver;
use crate::data::arena::ClauseRef;
use putnam_formula::{Lit, Scratch, Var};

/// Exactly-one constraints have at most so many literals: their signs are bits of a word.
const MAX_EXACTLY_ONE: usize = 64;

/// A number for a set of variables, whatever their order.
fn hash(lits: &[Lit]) -> u64 {
    lits.iter().fold(lits.len() as u64, |sum, lit| {
        let word = (lit.var().index() as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        sum.wrapping_add((word ^ (word >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9))
    })
}

impl Solver {
    /// The exclusive ors of three and more variables, and exactly-one constraints; each set of variables once for a
    /// parity.
    pub(super) fn extract_xors(&mut self) -> Vec<Xor> {
        let mut ticks = 0;
        let mut xors = self.extract_clause_xors(&mut ticks);
        self.statistics.parity_ticks += ticks;
        if self.options.parityexactly != 0 {
            self.extract_exactly_ones(&mut xors);
        }
        xors
    }

    /// The exclusive ors of three and more variables that clauses spell out.
    pub(crate) fn extract_clause_xors(&self, ticks: &mut u64) -> Vec<Xor> {
        let mut xors = Vec::new();
        let candidates = self.gather_candidates(ticks);
        for group in candidates.chunk_by(|a, b| a.0 == b.0) {
            let clauses: Vec<ClauseRef> = group.iter().map(|&(_, clause)| clause).collect();
            *ticks += clauses.len() as u64;
            self.extract_from_group(&clauses, &mut xors);
        }
        xors
    }

    /// The clauses that may belong to an exclusive or, with their hashes, sorted.
    fn gather_candidates(&self, ticks: &mut u64) -> Scratch<(u64, ClauseRef)> {
        let largest = self.options.parityclause as usize;
        let arena = &self.arena;
        let clauses = || {
            let wanted = |&clause: &ClauseRef| {
                !arena.is_garbage(clause) && !arena.is_redundant(clause) && arena.lits(clause).len() <= largest
            };
            arena.clauses().filter(wanted)
        };
        // Most clauses are out at once: too few others have a hash like theirs. Sets of variables that share a place
        // in the table do no harm.
        let bits = clauses().count().max(2).ilog2() + 1;
        let place = |hash: u64| (hash >> (64 - bits)) as usize;
        let mut counts = Scratch::from(vec![0u8; 1 << bits]);
        let mut visited = 0;
        for clause in clauses() {
            let count = &mut counts[place(hash(arena.lits(clause)))];
            *count = count.saturating_add(1);
            visited += 2;
        }
        let mut candidates = Scratch::new();
        for clause in clauses() {
            let lits = arena.lits(clause);
            let hash = hash(lits);
            if usize::from(counts[place(hash)]) >= 1 << (lits.len() - 1) {
                candidates.push((hash, clause));
            }
        }
        candidates.sort_unstable_by_key(|&(hash, clause)| (hash, clause.word()));
        *ticks += visited;
        candidates
    }

    /// The exclusive ors of clauses whose variables have the same hash.
    fn extract_from_group(&self, clauses: &[ClauseRef], xors: &mut Vec<Xor>) {
        let size = self.arena.lits(clauses[0]).len();
        if clauses.len() < 1 << (size - 1) {
            return;
        }
        let mut vars: Vec<Var> = self.arena.lits(clauses[0]).iter().map(|lit| lit.var()).collect();
        vars.sort_unstable();
        // One bit for each combination of signs.
        let mut signs = 0u128;
        for &clause in clauses {
            let mut lits = self.arena.lits(clause).to_vec();
            lits.sort_unstable();
            if lits.len() == size && lits.iter().zip(&vars).all(|(lit, &var)| lit.var() == var) {
                let pattern = lits.iter().fold(0, |pattern, lit| pattern << 1 | usize::from(lit.is_negative()));
                signs |= 1 << pattern;
            }
        }
        for odd in [false, true] {
            // A clause excludes the assignment in which its negative variables are true.
            let excluded = |pattern: &u32| (pattern.count_ones() % 2 == 1) != odd;
            if (0..1u32 << size).filter(excluded).all(|pattern| signs >> pattern & 1 == 1) {
                xors.push(Xor { vars: vars.clone(), odd, origin: Origin::Clauses });
            }
        }
    }

    /// Clauses of which binary clauses allow at most one literal.
    fn extract_exactly_ones(&mut self, xors: &mut Vec<Xor>) {
        let mut marks = Scratch::from(vec![0u32; self.num_vars() * 2]);
        let mut stamp = 0;
        let mut visited = 0;
        for clause in self.arena.clauses() {
            let lits = self.arena.lits(clause);
            let skipped = self.arena.is_garbage(clause) || self.arena.is_redundant(clause);
            if skipped || lits.len() > MAX_EXACTLY_ONE {
                continue;
            }
            // Every pair must be excluded, so each literal has many binary clauses.
            visited += 1;
            let is_exclusive = lits.iter().enumerate().skip(1).all(|(index, &lit)| {
                let list = self.watches.get(!lit);
                if list.words() < lits.len() - 1 {
                    return false;
                }
                visited += 1 + self.watches.lines(!lit);
                stamp += 1;
                list.iter().filter(|w| w.is_binary()).for_each(|w| marks[w.blocking.code()] = stamp);
                lits[..index].iter().all(|&other| marks[(!other).code()] == stamp)
            });
            if is_exclusive {
                let mut lits = lits.to_vec();
                lits.sort_unstable();
                let signs =
                    lits.iter().enumerate().fold(0, |signs, (i, lit)| signs | u64::from(lit.is_negative()) << i);
                let odd = signs.count_ones() % 2 == 0;
                let vars = lits.iter().map(|lit| lit.var()).collect();
                xors.push(Xor { vars, odd, origin: Origin::ExactlyOne(signs) });
            }
        }
        self.statistics.parity_ticks += visited;
    }
}
