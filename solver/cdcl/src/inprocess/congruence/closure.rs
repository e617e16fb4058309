//! The closure: gates are normalised, looked up, merged and rewritten until nothing changes.

use super::{Gate, Kind};
use crate::Solver;
use crate::data::lists::Lists;
use crate::data::trail::Reason;
use crate::inprocess::congruence::table::GateTable;
use putnam_formula::{Lit, Scratch, Var};
use std::collections::VecDeque;

/// The state of the closure.
struct Closure {
    gates: Scratch<Gate>,
    /// Gates by kind and inputs.
    table: GateTable,
    /// By the positive literal of a variable: the gates of which it is an input.
    uses: Lists<u32>,
    /// By literal: one step towards the literal that stands for it.
    parent: Scratch<Lit>,
    /// Gates to be normalised and looked up.
    pending: VecDeque<u32>,
    /// Units before this one are known to the gates.
    units: usize,
}

/// What a gate turns out to be when its inputs are known better.
enum Normal {
    /// Its output has this value.
    Constant(bool),
    /// Its output equals this literal.
    Literal(Lit),
    /// Its output, perhaps negated, is that of a gate with these inputs.
    Gate(Kind, Vec<Lit>, bool),
}

impl Closure {
    fn new(gates: Scratch<Gate>, num_vars: usize, units: usize) -> Self {
        let mut uses = Lists::new(2 * num_vars);
        let mut counts: Scratch<u32> = vec![0; 2 * num_vars].into();
        let inputs = || gates.iter().flat_map(|gate| &gate.inputs).map(|lit| lit.var().positive());
        inputs().for_each(|lit| counts[lit.code()] += 1);
        uses.reserve(&counts, 0);
        for (index, gate) in gates.iter().enumerate() {
            gate.inputs.iter().for_each(|lit| uses.push(lit.var().positive(), index as u32));
        }
        let pending = (0..gates.len() as u32).collect();
        let parent = (0..num_vars * 2).map(Lit::from_code).collect();
        let table = GateTable::new(gates.len());
        Self { gates, table, uses, parent, pending, units }
    }

    /// The literal that stands for another.
    fn find(&mut self, mut lit: Lit) -> Lit {
        loop {
            let parent = self.parent[lit.code()];
            if parent == lit {
                return lit;
            }
            let grandparent = self.parent[parent.code()];
            self.parent[lit.code()] = grandparent;
            self.parent[(!lit).code()] = !grandparent;
            lit = grandparent;
        }
    }

    /// Lets the one with more uses stand for both, and queues the gates of the other.
    fn unite(&mut self, a: Lit, b: Lit) {
        let fewer = self.uses.len(a.var().positive()) < self.uses.len(b.var().positive());
        let (from, to) = if fewer { (a, b) } else { (b, a) };
        self.parent[from.code()] = to;
        self.parent[(!from).code()] = !to;
        for at in 0..self.uses.len(from.var().positive()) {
            let gate = self.uses.get(from.var().positive())[at];
            self.pending.push_back(gate);
            self.uses.push(to.var().positive(), gate);
        }
        self.uses.truncate(from.var().positive(), 0);
    }
}

impl Solver {
    /// Merges the outputs of equal gates.
    pub(super) fn close_gates(&mut self, gates: Scratch<Gate>) {
        let mut closure = Closure::new(gates, self.num_vars(), self.trail.len());
        self.run_closure(&mut closure);
        putnam_formula::release(Vec::from(closure.pending));
    }

    fn run_closure(&mut self, closure: &mut Closure) {
        while let Some(index) = closure.pending.pop_front() {
            let index = index as usize;
            // Gates that became constant, a literal, or equal to another have no inputs any more.
            if closure.gates[index].inputs.is_empty() {
                continue;
            }
            closure.table.remove(&closure.gates, index);
            let kind = closure.gates[index].kind;
            let inputs = std::mem::take(&mut closure.gates[index].inputs);
            self.look_up(closure, index, kind, &inputs);
            if self.inconsistent {
                return;
            }
        }
    }

    fn look_up(&mut self, closure: &mut Closure, index: usize, kind: Kind, inputs: &[Lit]) {
        let output = closure.gates[index].output;
        match self.normalize(closure, kind, inputs) {
            Normal::Constant(value) => {
                self.equate(closure, if value { output } else { !output }, None, &[index]);
            }
            Normal::Literal(lit) => self.equate(closure, output, Some(lit), &[index]),
            Normal::Gate(normal_kind, normal_inputs, negated) => {
                let gate = &mut closure.gates[index];
                gate.simplified |= normal_kind != kind || normal_inputs.len() != inputs.len();
                gate.kind = normal_kind;
                gate.inputs = normal_inputs;
                gate.output = if negated { !output } else { output };
                let output = gate.output;
                let other = closure.table.find_or_insert(&closure.gates, index);
                if other != index {
                    let equal = closure.gates[other].output;
                    self.equate(closure, output, Some(equal), &[index, other]);
                    // The other one is rewritten for both.
                    closure.gates[index].inputs.clear();
                }
            }
        }
    }

    fn normalize(&self, closure: &mut Closure, kind: Kind, inputs: &[Lit]) -> Normal {
        let mut lits: Vec<Lit> = inputs.iter().map(|&lit| closure.find(lit)).collect();
        match kind {
            Kind::And => self.normalize_and(lits),
            Kind::Xor => {
                let mut negated = false;
                for lit in &mut lits {
                    negated ^= lit.is_negative() ^ self.values.is_true(lit.var().positive());
                    *lit = lit.var().positive();
                }
                lits.retain(|&lit| self.values.is_unassigned(lit));
                lits.sort_unstable();
                let mut odd: Vec<Lit> = Vec::with_capacity(lits.len());
                for lit in lits {
                    if odd.last() == Some(&lit) {
                        odd.pop();
                    } else {
                        odd.push(lit);
                    }
                }
                match odd[..] {
                    [] => Normal::Constant(negated),
                    [lit] => Normal::Literal(if negated { !lit } else { lit }),
                    _ => Normal::Gate(Kind::Xor, odd, negated),
                }
            }
            Kind::Ite => self.normalize_ite(closure, [lits[0], lits[1], lits[2]]),
        }
    }

    fn normalize_and(&self, mut lits: Vec<Lit>) -> Normal {
        if lits.iter().any(|&lit| self.values.is_false(lit)) {
            return Normal::Constant(false);
        }
        lits.retain(|&lit| self.values.is_unassigned(lit));
        lits.sort_unstable();
        lits.dedup();
        if lits.windows(2).any(|pair| pair[0] == !pair[1]) {
            return Normal::Constant(false);
        }
        match lits[..] {
            [] => Normal::Constant(true),
            [lit] => Normal::Literal(lit),
            _ => Normal::Gate(Kind::And, lits, false),
        }
    }

    fn normalize_ite(&self, closure: &mut Closure, [condition, then, other]: [Lit; 3]) -> Normal {
        let literal = |lit: Lit| match self.values.get(lit) {
            0 => Normal::Literal(lit),
            value => Normal::Constant(value > 0),
        };
        let negate = |normal: Normal| match normal {
            Normal::Constant(value) => Normal::Constant(!value),
            Normal::Literal(lit) => Normal::Literal(!lit),
            Normal::Gate(kind, inputs, negated) => Normal::Gate(kind, inputs, !negated),
        };
        match self.values.get(condition) {
            1 => return literal(then),
            -1 => return literal(other),
            _ if then == other => return literal(then),
            _ => {}
        }
        // An input that is the condition has the value that the condition has where it is chosen.
        let is_true = |lit: Lit, here: Lit| self.values.is_true(lit) || lit == here;
        let is_false = |lit: Lit, here: Lit| self.values.is_false(lit) || lit == !here;
        if is_true(then, condition) {
            negate(self.normalize_and(vec![!condition, !other]))
        } else if is_false(then, condition) {
            self.normalize_and(vec![!condition, other])
        } else if is_true(other, !condition) {
            negate(self.normalize_and(vec![condition, !then]))
        } else if is_false(other, !condition) {
            self.normalize_and(vec![condition, then])
        } else if then == !other {
            negate(self.normalize(closure, Kind::Xor, &[condition, then]))
        } else {
            let (condition, then, other) =
                if condition.is_negative() { (!condition, other, then) } else { (condition, then, other) };
            let negated = then.is_negative();
            let inputs = [then, other].map(|lit| if negated { !lit } else { lit });
            Normal::Gate(Kind::Ite, vec![condition, inputs[0], inputs[1]], negated)
        }
    }

    /// Learns that two literals are equal, or that the first is true, which follows from the gates.
    fn equate(&mut self, closure: &mut Closure, a: Lit, b: Option<Lit>, gates: &[usize]) {
        let mut a = closure.find(a);
        let mut b = b.map(|lit| closure.find(lit));
        if let Some(fixed) = b.filter(|&lit| !self.values.is_unassigned(lit)) {
            (a, b) = (fixed, Some(a));
        }
        let goals: Vec<Vec<Lit>> = match (self.values.get(a), b) {
            (0, None) => vec![vec![a]],
            (1, None) => return,
            (_, None) => vec![vec![]],
            (_, Some(b)) if a == b => return,
            (0, Some(b)) if a == !b => vec![vec![a], vec![!a]],
            (0, Some(b)) => vec![vec![!a, b], vec![a, !b]],
            (value, Some(b)) => {
                let implied = if value > 0 { b } else { !b };
                if self.values.is_true(implied) {
                    return;
                }
                vec![vec![implied]]
            }
        };
        if self.proof.is_wanted() {
            let cases = self.cases(closure, gates);
            goals.iter().for_each(|goal| self.derive_by_cases(goal, &cases));
        }
        match goals[..] {
            [ref goal] if goal.len() == 1 && self.values.is_unassigned(goal[0]) => {
                self.statistics.congruence_units += 1;
                self.assign(goal[0], Reason::NOTHING);
                self.settle();
                self.queue_units(closure);
            }
            [ref goal, _] if goal.len() == 2 => {
                self.statistics.congruent += 1;
                self.watch_binary(goal[0], goal[1], true);
                self.watch_binary(!goal[0], !goal[1], true);
                closure.unite(!goal[0], goal[1]);
            }
            _ => {
                self.inconsistent = true;
                self.proof.add(&self.map, &[]);
            }
        }
    }

    /// Gates with an input that got a value have to be looked at again.
    fn queue_units(&mut self, closure: &mut Closure) {
        for position in closure.units..self.trail.len() {
            let lit = self.trail.lit(position);
            // Literals that are equal get the value too, so each use is met.
            closure.pending.extend(closure.uses.get(lit.var().positive()));
            closure.uses.truncate(lit.var().positive(), 0);
        }
        closure.units = self.trail.len();
    }

    /// Literals over all values of which propagation shows what the gates imply.
    fn cases(&self, closure: &mut Closure, gates: &[usize]) -> Vec<Lit> {
        let whole = gates.iter().all(|&gate| !closure.gates[gate].simplified) && gates.len() == 2;
        if whole && closure.gates[gates[0]].kind == Kind::Ite {
            let condition = closure.gates[gates[0]].cases[0];
            return vec![closure.find(condition)];
        }
        let lits: Vec<Lit> = gates.iter().flat_map(|&gate| closure.gates[gate].cases.iter().copied()).collect();
        let mut vars: Vec<Var> = lits.into_iter().map(|lit| closure.find(lit).var()).collect();
        vars.sort_unstable();
        vars.dedup();
        vars.retain(|var| self.values.is_unassigned(var.positive()));
        // The last input follows from the others and the output.
        if whole && vars.len() == closure.gates[gates[0]].cases.len() {
            vars.pop();
        }
        vars.into_iter().map(Var::positive).collect()
    }

    /// Adds a clause to the proof by way of its weaker versions with the cases in all signs.
    fn derive_by_cases(&mut self, goal: &[Lit], cases: &[Lit]) {
        let mut steps: Vec<Vec<Lit>> = Vec::new();
        for len in (1..=cases.len()).rev() {
            for signs in 0..1u32 << len {
                let signed = cases[..len].iter().enumerate();
                let signed = signed.map(|(i, &lit)| if signs >> i & 1 == 1 { !lit } else { lit });
                steps.push(goal.iter().copied().chain(signed).collect());
            }
        }
        steps.retain(|step| !step.iter().any(|&lit| step.contains(&!lit)));
        steps.iter_mut().for_each(|step| {
            step.sort_unstable();
            step.dedup();
        });
        steps.iter().for_each(|step| self.proof.add(&self.map, step));
        self.proof.add(&self.map, goal);
        steps.iter().for_each(|step| self.proof.delete(&self.map, step));
    }
}
