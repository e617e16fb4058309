//! Congruence closure: gates of the same kind with equivalent inputs have equivalent outputs (Biere, Fazekas, Fleury
//! and Froleyks, Clausal Congruence Closure, SAT 2024). Miters of circuits that share structure fall apart by it.
//!
//! Conjunctions, exclusive ors and multiplexers are read off the clauses, whichever literal may be their output, and
//! put into a table by their kind and normalised inputs. Two gates that meet there have equivalent outputs; the gates
//! that have one of them as input are rewritten, simplified and looked up again, until nothing changes. Every
//! equivalence is added as two binary clauses, and the substitution of equivalent literals that follows does the rest.
//!
//! In the proof an equivalence of conjunctions is one step a binary clause. For the others it is split into cases over
//! the inputs, each of which propagation closes; the cases are deleted afterwards.

mod closure;
mod extract;
mod table;

use crate::Solver;
use crate::report::Event;
use putnam_formula::Lit;

/// What a gate computes from its inputs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Kind {
    /// All inputs.
    And,
    /// An odd number of the inputs.
    Xor,
    /// The first input chooses between the second and the third.
    Ite,
}

/// An output and what it equals.
#[derive(Clone, Debug)]
struct Gate {
    output: Lit,
    kind: Kind,
    inputs: Vec<Lit>,
    /// The inputs as extracted, over which proofs split cases; a conjunction needs none.
    cases: Vec<Lit>,
    /// Whether its kind or number of inputs is not that of the extracted gate any more.
    simplified: bool,
}

impl Gate {
    fn new(output: Lit, kind: Kind, inputs: Vec<Lit>) -> Self {
        let cases = if kind == Kind::And { Vec::new() } else { inputs.clone() };
        Self { output, kind, inputs, cases, simplified: false }
    }
}

impl Solver {
    /// Whether it is allowed.
    pub(crate) fn closing_congruence(&self) -> bool {
        self.options.congruence != 0
    }

    /// Finds equivalent gates and replaces their outputs.
    pub(crate) fn close_congruence(&mut self) {
        if self.schedule.congruence.waits() {
            return;
        }
        self.statistics.congruence_rounds += 1;
        let before = self.statistics.congruent;
        let units = self.trail.len();
        let gates = self.extract_gates();
        self.statistics.congruence_gates += gates.len() as u64;
        self.close_gates(gates);
        let found = self.statistics.congruent - before + (self.trail.len() - units) as u64;
        // Few equivalences are worth the substitution, but not the next closure.
        self.schedule.congruence.done(found * 100 > self.num_vars() as u64);
        if found > 0 && self.settle() {
            self.report(Event::Congruence);
            self.substitute();
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::data::random::Random;
    use crate::testing::{Checked, fuzz, random_clause};
    use putnam_formula::{Lit, Var};

    #[test]
    fn every_step_is_checked_on_random_formulas() {
        let often = [("probeint", 1), ("vivify", 0), ("reduceint", 10), ("modeinit", 50)];
        let counters = ["gates", "congruent outputs", "units from congruence"];
        let counts = fuzz(&often, 300, 60, &counters);
        assert!(counts.iter().all(|&count| count > 0), "{counts:?}");
    }

    /// Clauses that make the next variable the output of a gate.
    fn gate(clauses: &mut Vec<Vec<Lit>>, next: &mut u32, kind: u32, inputs: &[Lit]) -> Lit {
        let y = Var::new(*next).positive();
        *next += 1;
        match (kind, inputs) {
            (0, _) => {
                clauses.extend(inputs.iter().map(|&lit| vec![!y, lit]));
                clauses.push(std::iter::once(y).chain(inputs.iter().map(|&lit| !lit)).collect());
            }
            (1, &[a, b, c]) => {
                for mask in 0..16 {
                    let signed = |i: u32, lit: Lit| if mask >> i & 1 == 1 { !lit } else { lit };
                    if u32::count_ones(mask) % 2 == 1 {
                        clauses.push(vec![signed(0, y), signed(1, a), signed(2, b), signed(3, c)]);
                    }
                }
            }
            (_, &[c, t, e]) => {
                clauses.extend([vec![!y, !c, t], vec![!y, c, e], vec![y, !c, !t], vec![y, c, !e]]);
            }
            _ => unreachable!("three inputs"),
        }
        y
    }

    /// Two copies of a random circuit, the inputs of whose gates come in another order, differ nowhere: a few conflicts
    /// start the round that decides it.
    #[test]
    fn copies_of_a_circuit_are_found_equal() {
        for round in 0..20 {
            let mut random = Random::new(round);
            let inputs = 12;
            let mut next = inputs;
            let mut clauses = Vec::new();
            let mut copies: [Vec<Lit>; 2] = [0, 1].map(|_| (0..inputs).map(|i| Var::new(i).positive()).collect());
            for _ in 0..120 {
                let kind = random.below(3);
                let picks = random_clause(&mut random, copies[0].len() as u32, 3);
                for (turn, copy) in copies.iter_mut().enumerate() {
                    let mut lits: Vec<Lit> = picks
                        .iter()
                        .map(
                            |pick| {
                                if pick.is_negative() { !copy[pick.var().index()] } else { copy[pick.var().index()] }
                            },
                        )
                        .collect();
                    if turn == 1 && kind < 2 {
                        lits.rotate_left(1);
                    } else if turn == 1 {
                        lits = vec![!lits[0], lits[2], lits[1]];
                    }
                    let output = gate(&mut clauses, &mut next, kind, &lits);
                    copy.push(output);
                }
            }
            let tail = copies[0].len() - 40;
            let mut differences = Vec::new();
            for (a, b) in std::iter::zip(&copies[0][tail..], &copies[1][tail..]) {
                let d = Var::new(next).positive();
                next += 1;
                clauses.extend([vec![!d, *a, *b], vec![!d, !*a, !*b], vec![d, !*a, *b], vec![d, *a, !*b]]);
                differences.push(d);
            }
            clauses.push(differences);
            let mut checked = Checked::new(&[("probeint", 1), ("vivify", 0)]);
            checked.add(clauses);
            assert!(!checked.solve(&[]));
            assert!(checked.count("conflicts") < 50, "{}", checked.count("conflicts"));
        }
    }
}
