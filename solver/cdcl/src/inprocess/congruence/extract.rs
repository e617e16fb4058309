//! Gates are read off the irredundant clauses, and binary ones of both kinds.

use super::{Gate, Kind};
use crate::Solver;
use crate::data::arena::ClauseRef;
use crate::inprocess::occurrences::Occurrences;
use putnam_formula::{Lit, Scratch, Var};

/// Inputs of a conjunction, at most.
const MAX_AND: usize = 32;
/// Variables of an exclusive or with its output, at most.
const MAX_XOR: usize = 5;
/// Clauses that one literal's search for conjunctions looks at, at most.
const MAX_OCCURRENCES: usize = 1000;
/// Multiplexers with the same condition and output, at most.
const MAX_ITE_PAIRS: usize = 64;

/// A clause of few literals: its variables, ascending, and which are negative.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Small {
    size: u8,
    vars: [u32; MAX_XOR],
    signs: u8,
}

/// Under `condition`, `output` and `input` are equal. Outputs are positive.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Conditional {
    output: Lit,
    condition: Lit,
    input: Lit,
}

impl Solver {
    pub(super) fn extract_gates(&mut self) -> Scratch<Gate> {
        let mut gates = Scratch::new();
        self.extract_conjunctions(&mut gates);
        let small = self.small_clauses();
        let mut conditionals = Scratch::new();
        for group in small.chunk_by(|a, b| a.size == b.size && a.vars == b.vars) {
            let vars = group[0].vars[..group[0].size as usize].iter().map(|&var| Var::new(var));
            let vars: Vec<Var> = vars.collect();
            extract_xors(&vars, group, &mut gates);
            if vars.len() == 3 {
                extract_conditionals(&vars, group, &mut conditionals);
            }
        }
        conditionals.sort_unstable();
        conditionals.dedup();
        for group in conditionals.chunk_by(|a, b| a.output == b.output && a.condition.var() == b.condition.var()) {
            extract_multiplexers(group, &mut gates);
        }
        gates
    }

    fn extract_conjunctions(&mut self, gates: &mut Vec<Gate>) {
        let occurrences = self.base_clauses();
        let mut marked = Scratch::from(vec![false; self.num_vars() * 2]);
        for output in (0..self.num_vars() * 2).map(Lit::from_code) {
            let clauses = occurrences.get(output);
            if clauses.is_empty() {
                continue;
            }
            // What the output implies.
            for watch in self.watches.get(!output) {
                marked[watch.blocking.code()] |= watch.is_binary();
            }
            for &clause in clauses.iter().take(MAX_OCCURRENCES) {
                let inputs = self.arena.lits(clause).iter().filter(|&&lit| lit != output).map(|&lit| !lit);
                if inputs.clone().all(|lit| marked[lit.code()]) {
                    gates.push(Gate::new(output, Kind::And, inputs.collect()));
                }
            }
            for watch in self.watches.get(!output) {
                marked[watch.blocking.code()] = false;
            }
        }
    }

    /// By literal, the clauses in which it may be the output of a conjunction: it implies as many literals as that has
    /// inputs, and each input's negation is implied by something.
    fn base_clauses(&self) -> Occurrences {
        let binaries: Scratch<u32> = (0..self.num_vars() * 2)
            .map(|code| self.watches.get(Lit::from_code(code)).iter().filter(|watch| watch.is_binary()).count() as u32)
            .collect();
        let mut occurrences = Occurrences::new(self.num_vars() * 2);
        for clause in self.arena.clauses() {
            let lits = self.arena.lits(clause);
            if lits.len() > MAX_AND + 1 || !self.is_gate_clause(clause) {
                continue;
            }
            let bare = lits.iter().filter(|&&lit| binaries[(!lit).code()] == 0).count();
            if bare > 0 {
                continue;
            }
            for &lit in lits.iter().filter(|&&lit| binaries[(!lit).code()] as usize >= lits.len() - 1) {
                occurrences.push(lit, clause);
            }
        }
        occurrences
    }

    fn is_gate_clause(&self, clause: ClauseRef) -> bool {
        !self.arena.is_garbage(clause)
            && !self.arena.is_redundant(clause)
            && self.arena.lits(clause).iter().all(|&lit| self.values.is_unassigned(lit))
    }

    fn small_clauses(&self) -> Scratch<Small> {
        let mut small: Scratch<Small> = Scratch::new();
        for clause in self.arena.clauses().filter(|&clause| self.arena.size(clause) <= MAX_XOR) {
            if !self.is_gate_clause(clause) {
                continue;
            }
            let mut lits = [Lit::from_code(0); MAX_XOR];
            let size = self.arena.size(clause);
            lits[..size].copy_from_slice(self.arena.lits(clause));
            lits[..size].sort_unstable();
            let mut vars = [u32::MAX; MAX_XOR];
            let mut signs = 0;
            for (i, lit) in lits[..size].iter().enumerate() {
                vars[i] = lit.var().index() as u32;
                signs |= u8::from(lit.is_negative()) << i;
            }
            small.push(Small { size: size as u8, vars, signs });
        }
        small.sort_unstable();
        small.dedup();
        small
    }
}

/// All clauses with the same parity of negative literals are an exclusive or; each variable may be its output.
fn extract_xors(vars: &[Var], group: &[Small], gates: &mut Vec<Gate>) {
    let needed = 1 << (vars.len() - 1);
    for parity in 0..2 {
        if group.iter().filter(|clause| clause.signs.count_ones() % 2 == parity).count() != needed {
            continue;
        }
        for &output in vars {
            let inputs = vars.iter().filter(|&&var| var != output).map(|var| var.positive()).collect();
            // A clause with an even number of negative literals forbids that exactly their variables are true.
            gates.push(Gate::new(output.lit(parity == 1), Kind::Xor, inputs));
        }
    }
}

/// Two clauses that share one literal and differ in the signs of the two others: when the shared literal is false,
/// these are different, so one equals the other's negation.
fn extract_conditionals(vars: &[Var], group: &[Small], conditionals: &mut Vec<Conditional>) {
    for (i, first) in group.iter().enumerate() {
        for second in &group[i + 1..] {
            let differing = first.signs ^ second.signs;
            if differing.count_ones() != 2 {
                continue;
            }
            let lit = |at: usize| vars[at].lit(first.signs >> at & 1 == 0);
            let [shared, a, b] = match differing {
                0b110 => [0, 1, 2],
                0b101 => [1, 0, 2],
                _ => [2, 0, 1],
            }
            .map(lit);
            for (output, input) in [(a, !b), (b, !a)] {
                let input = if output.is_negative() { !input } else { input };
                conditionals.push(Conditional { output: output.var().positive(), condition: !shared, input });
            }
        }
    }
}

fn extract_multiplexers(group: &[Conditional], gates: &mut Vec<Gate>) {
    let split = group.iter().take_while(|entry| !entry.condition.is_negative()).count();
    let (positive, negative) = group.split_at(split);
    if positive.len() * negative.len() > MAX_ITE_PAIRS {
        return;
    }
    for then in positive {
        // An input and its negation make an exclusive or, which is found as such.
        for other in negative.iter().filter(|other| other.input != !then.input) {
            gates.push(Gate::new(then.output, Kind::Ite, vec![then.condition, then.input, other.input]));
        }
    }
}
