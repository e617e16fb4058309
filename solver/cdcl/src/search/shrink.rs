//! Shrinking: all literals of one decision level in a learned clause are replaced by one that implies them, the level's
//! own unique implication point, where that needs no literals of new levels (Fleury and Biere, Efficient All-UIP
//! Learned Clause Minimization, SAT 2021). Blocks are taken from the highest level down; one that cannot be shrunk is
//! minimised.

use super::analyze::{SEEN, SHRINKABLE};
use crate::Solver;
use crate::data::trail::Why;
use putnam_formula::Lit;

impl Solver {
    /// Shrinks or minimises every block of the learned clause.
    pub(crate) fn shrink_and_minimize(&mut self) {
        let mut clause = std::mem::take(&mut self.analysis.clause);
        let before = clause.len();
        let trail = &self.trail;
        // Later levels first, within a level later literals first.
        let place = |code| {
            let assigned = trail.assigned(Lit::from_code(code as usize).var());
            !(u64::from(assigned.level) << 32 | u64::from(assigned.position))
        };
        let sorted = self.analysis.sort_by_keys(clause[1..].iter().map(|lit| lit.code() as u32), place);
        clause[1..].iter_mut().zip(sorted).for_each(|(lit, &(_, code))| *lit = Lit::from_code(code as usize));
        let mut kept = 1;
        let mut start = 1;
        while start < before {
            let level = self.trail.level_of(clause[start]);
            let len = clause[start..].iter().take_while(|&&lit| self.trail.level_of(lit) == level).count();
            let end = start + len;
            match if len > 1 { self.block_uip(&clause[start..end], level) } else { None } {
                Some(uip) => {
                    if !self.analysis.has(uip, SEEN) {
                        self.analysis.marks[uip.var().index()] |= SEEN;
                        self.analysis.analyzed.push(uip.var());
                    }
                    clause[kept] = !uip;
                    kept += 1;
                    self.statistics.shrunken_literals += len as u64 - 1;
                }
                None => {
                    for i in start..end {
                        let lit = clause[i];
                        if len > 1 && self.options.minimize != 0 && self.is_implied(lit, 0) {
                            self.statistics.minimized_literals += 1;
                        } else {
                            clause[kept] = lit;
                            kept += 1;
                        }
                    }
                }
            }
            start = end;
        }
        clause.truncate(kept);
        self.analysis.clause = clause;
    }

    /// The literal of `level` that implies the negations of all literals in `block`, given the clause's lower literals.
    fn block_uip(&mut self, block: &[Lit], level: u32) -> Option<Lit> {
        for &lit in block {
            self.analysis.mark(lit, SHRINKABLE);
        }
        let mut marked = std::mem::take(&mut self.analysis.shrinkable);
        marked.extend_from_slice(block);
        let mut open = block.len();
        let mut position = self.trail.assigned(block[0].var()).position as usize;
        let uip = loop {
            let lit = self.trail.lit(position);
            if !self.analysis.has(lit, SHRINKABLE) {
                position -= 1;
                continue;
            }
            open -= 1;
            if open == 0 {
                break Some(lit);
            }
            let expanded = match self.cheap_reason(lit) {
                Why::Nothing | Why::Row(_) => None,
                Why::Binary(other) => self.shrink_literal(other, level, &mut marked),
                Why::Clause(clause) => (0..self.arena.size(clause)).try_fold(0, |opened, i| {
                    let other = self.arena.lits(clause)[i];
                    if other == lit {
                        Some(opened)
                    } else {
                        Some(opened + self.shrink_literal(other, level, &mut marked)?)
                    }
                }),
            };
            match expanded {
                Some(opened) => open += opened,
                None => break None,
            }
            position -= 1;
        };
        // The marks of one block mean nothing to the next.
        for lit in marked.drain(..) {
            self.analysis.marks[lit.var().index()] &= !SHRINKABLE;
        }
        self.analysis.shrinkable = marked;
        uip
    }

    /// Takes a literal of a reason into the block: how many literals that opens, or none when it is of a lower level
    /// and neither in the clause nor implied by it.
    fn shrink_literal(&mut self, lit: Lit, level: u32, marked: &mut Vec<Lit>) -> Option<usize> {
        let lit_level = self.trail.level_of(lit);
        if lit_level == 0 || self.analysis.has(lit, SHRINKABLE) {
            return Some(0);
        }
        if lit_level < level {
            return (self.analysis.has(lit, SEEN) || self.is_implied(lit, 1)).then_some(0);
        }
        self.analysis.mark(lit, SHRINKABLE);
        marked.push(lit);
        Some(1)
    }
}
