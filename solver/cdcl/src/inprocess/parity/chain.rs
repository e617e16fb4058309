//! Sums of exclusive ors in the proof.
//!
//! An exclusive or x1 + ... + xn = c is held as a chain: a new variable p_i for each prefix, with the clauses of
//! p_i = p_(i-1) + x_i, where p_0 is false, p_1 is x1 and p_n is the constant c. To add chains p and q to a chain r
//! the variables of both are passed in a common order, and for each the clauses of r_i = p_i + q_i are derived from
//! those of r_(i-1) = p_(i-1) + q_(i-1): at most twelve lemmas and four clauses that define r_i. As long as one of the
//! chains has not begun, or is at its end, r takes the links of the other. So the proof is linear in the number of
//! variables, however long the exclusive ors are. Direct resolution would need exponentially many clauses (Philipp and
//! Rebola-Pardo, JELIA 2016, cut into short pieces instead).
//!
//! All is written in the user's numbers, since the new variables exist in the proof alone.

use super::plan::Plan;
use super::{Origin, Xor};
use crate::proof::Proof;
use putnam_formula::{Lit, Renumbering, Var};
use std::collections::HashMap;

/// A literal or a constant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Term {
    Constant(bool),
    Literal(Lit),
}

impl Term {
    /// Its negation, if `flip` says so.
    fn flipped(self, flip: bool) -> Self {
        match self {
            Self::Constant(value) => Self::Constant(value != flip),
            Self::Literal(lit) => Self::Literal(if flip { !lit } else { lit }),
        }
    }

    fn constant(self) -> Option<bool> {
        match self {
            Self::Constant(value) => Some(value),
            Self::Literal(_) => None,
        }
    }
}

/// The parity of the prefix that ends with `var`.
#[derive(Clone, Copy, Debug)]
struct Link {
    var: Lit,
    parity: Term,
}

/// An exclusive or, link by link; without links it is a constant.
#[derive(Debug, Default)]
pub(crate) struct Chain {
    links: Vec<Link>,
}

type Clauses = Vec<Vec<Lit>>;

/// The clauses that say that an even number of the terms is true; the first term is the first literal of each that has
/// it.
fn even(terms: [Term; 3]) -> Clauses {
    let mut clauses: Clauses = Vec::new();
    for signs in [0b001u32, 0b010, 0b100, 0b111] {
        let mut clause: Vec<Lit> = Vec::new();
        let mut satisfied = false;
        for (index, term) in terms.into_iter().enumerate() {
            // The clause excludes that exactly the terms in `signs` are true.
            match term.flipped(signs >> index & 1 == 1) {
                Term::Constant(value) => satisfied |= value,
                Term::Literal(lit) => {
                    satisfied |= clause.contains(&!lit);
                    if !clause.contains(&lit) {
                        clause.push(lit);
                    }
                }
            }
        }
        if !satisfied && !clauses.contains(&clause) {
            clauses.push(clause);
        }
    }
    clauses
}

/// Writes the steps.
pub(crate) struct Prover<'a> {
    proof: &'a mut Proof,
    map: &'a Renumbering,
    /// The index of the next new variable.
    next: &'a mut u32,
    lemmas: u64,
}

impl<'a> Prover<'a> {
    /// New variables get indices from `next` on.
    pub(crate) fn new(proof: &'a mut Proof, map: &'a Renumbering, next: &'a mut u32) -> Self {
        Self { proof, map, next, lemmas: 0 }
    }

    /// Clauses added so far.
    pub(crate) fn lemmas(&self) -> u64 {
        self.lemmas
    }

    fn add(&mut self, clause: &[Lit]) {
        self.lemmas += 1;
        self.proof.add_outer(clause);
    }

    fn add_all(&mut self, clauses: &Clauses) {
        clauses.iter().for_each(|clause| self.add(clause));
    }

    /// Deletes clauses, but not the empty one: it is what the proof is for.
    fn delete_all(&mut self, clauses: &Clauses) {
        clauses.iter().filter(|clause| !clause.is_empty()).for_each(|clause| self.proof.delete_outer(clause));
    }

    fn fresh(&mut self) -> Lit {
        *self.next += 1;
        Var::new(*self.next - 1).positive()
    }

    /// Derives the sum of the terms: its clauses are in the proof as long as it has no more than two variables. A sum
    /// that is a contradiction ends with the empty clause.
    pub(crate) fn prove(&mut self, terms: &[&Xor], plan: &Plan) -> Chain {
        let outer = |&var: &Var| self.map.outer(var.positive()).var();
        let ranks: HashMap<Var, u32> = plan.ranks.iter().map(|(var, &rank)| (outer(var), rank)).collect();
        let mut chains: Vec<Chain> = terms.iter().map(|term| self.import(term, &ranks)).collect();
        for &(a, b) in &plan.additions {
            let (a, b) = (std::mem::take(&mut chains[a]), std::mem::take(&mut chains[b]));
            chains.push(self.sum(a, b, &ranks));
        }
        chains.pop().unwrap_or_default()
    }

    /// Deletes the clauses of a chain.
    pub(crate) fn forget(&mut self, chain: Chain) {
        let mut before = Term::Constant(false);
        for link in chain.links {
            self.delete_all(&even([link.parity, before, Term::Literal(link.var)]));
            before = link.parity;
        }
    }

    /// A chain of the variables: its inner links are defined, the last one is the constant, whose clauses are not yet
    /// derived.
    fn define(&mut self, vars: &[Lit], odd: bool) -> Chain {
        let mut before = Term::Constant(false);
        let mut links: Vec<Link> = Vec::new();
        for (index, &var) in vars.iter().enumerate() {
            let parity = if index + 1 == vars.len() { Term::Constant(odd) } else { self.define_parity(before, var) };
            links.push(Link { var, parity });
            before = parity;
        }
        Chain { links }
    }

    /// A literal that is the sum of the two.
    fn define_parity(&mut self, before: Term, var: Lit) -> Term {
        if let Some(value) = before.constant() {
            return Term::Literal(var).flipped(value);
        }
        let parity = Term::Literal(self.fresh());
        // First the clauses in which the new literal is positive: no clause has its negation. Then the others, whose
        // resolvents with these are tautologies.
        let mut clauses = even([parity, before, Term::Literal(var)]);
        clauses.sort_by_key(|clause| clause[0].is_negative());
        self.add_all(&clauses);
        parity
    }

    /// Makes a chain of an exclusive or of the formula.
    fn import(&mut self, xor: &Xor, ranks: &HashMap<Var, u32>) -> Chain {
        let mut lits: Vec<Lit> = xor.vars.iter().map(|var| self.map.outer(var.positive())).collect();
        if let Origin::ExactlyOne(signs) = xor.origin {
            let signed = |(i, lit): (usize, Lit)| if signs >> i & 1 == 1 { !lit } else { lit };
            lits = lits.into_iter().enumerate().map(signed).collect();
        }
        lits.sort_by_key(|lit| (ranks[&lit.var()], lit.var()));
        if xor.origin != Origin::Clauses {
            return self.import_exactly_one(&lits, xor.odd);
        }
        let chain = self.define(&lits, xor.odd);
        let mut temporary: Clauses = Vec::new();
        // The clauses of p_i + x_(i+1) + ... + x_n = c, for i from 2 on; for 1 they are those of the formula.
        for i in 2..lits.len() {
            let Term::Literal(parity) = chain.links[i - 1].parity else { break };
            let old = std::mem::take(&mut temporary);
            let passed = lits[i - 1];
            let rest: Vec<Lit> = std::iter::once(parity).chain(lits[i..].iter().copied()).collect();
            for signs in 0..1u32 << rest.len() {
                // Without the assignments of the right parity.
                if (signs.count_ones() % 2 == 1) == xor.odd {
                    continue;
                }
                let excluded = |(i, &lit): (usize, &Lit)| if signs >> i & 1 == 1 { !lit } else { lit };
                let clause: Vec<Lit> = rest.iter().enumerate().map(excluded).collect();
                self.add_by_cases(&clause, passed);
                temporary.push(clause);
            }
            self.delete_all(&old);
        }
        // What is left in `temporary` are the clauses of the last link.
        chain
    }

    /// Adds a clause that propagation confirms once the literal has either value.
    fn add_by_cases(&mut self, clause: &[Lit], lit: Lit) {
        if clause.iter().any(|other| other.var() == lit.var()) {
            self.add(clause);
            return;
        }
        let cases: Clauses = [lit, !lit].iter().map(|&lit| clause.iter().copied().chain([lit]).collect()).collect();
        self.add_all(&cases);
        self.add(clause);
        self.delete_all(&cases);
    }

    /// Makes a chain of a clause of whose literals binary clauses allow at most one.
    fn import_exactly_one(&mut self, lits: &[Lit], odd: bool) -> Chain {
        let vars: Vec<Lit> = lits.iter().map(|lit| lit.var().positive()).collect();
        let chain = self.define(&vars, odd);
        let mut temporary: Clauses = Vec::new();
        // Whether a prefix has the true literal is its parity, but for the number of negative literals.
        let mut flip = false;
        for (index, pair) in chain.links.windows(2).enumerate() {
            flip ^= lits[index].is_negative();
            let lit = lits[index + 1];
            let Term::Literal(before) = pair[0].parity.flipped(flip) else { break };
            // The next literal is not the true one when the prefix has it already; so the next prefix has it too.
            let exclusive = vec![!lit, !before];
            self.add(&exclusive);
            match pair[1].parity.flipped(flip ^ lit.is_negative()) {
                Term::Literal(after) => {
                    let monotone = vec![!before, after];
                    self.add(&monotone);
                    temporary.extend([exclusive, monotone]);
                }
                // The clauses of the last link are this one and `exclusive`.
                Term::Constant(_) => self.add(&[before, lit]),
            }
        }
        self.delete_all(&temporary);
        chain
    }

    /// Adds two chains, whose clauses are deleted.
    fn sum(&mut self, a: Chain, b: Chain, ranks: &HashMap<Var, u32>) -> Chain {
        let rank = |link: &Link| (ranks[&link.var.var()], link.var.var());
        let mut addition = Addition::default();
        let (mut i, mut j) = (0, 0);
        while i < a.links.len() || j < b.links.len() {
            let (first, second) = (a.links.get(i), b.links.get(j));
            let takes_first = first.is_some_and(|l| second.is_none_or(|other| rank(l) <= rank(other)));
            let takes_second = second.is_some_and(|l| first.is_none_or(|other| rank(l) <= rank(other)));
            i += usize::from(takes_first);
            j += usize::from(takes_second);
            self.pass(&mut addition, [first.filter(|_| takes_first), second.filter(|_| takes_second)]);
        }
        self.close(addition)
    }

    /// Passes a variable: `links` are those of the chains that have it.
    fn pass(&mut self, addition: &mut Addition, links: [Option<&Link>; 2]) {
        let before = addition.parities;
        let Some(var) = links.iter().flatten().next().map(|link| link.var) else { return };
        for (parity, link) in addition.parities.iter_mut().zip(links) {
            *parity = link.map_or(*parity, |link| link.parity);
        }
        let mut taken = None;
        if let [Some(_), None] | [None, Some(_)] = links {
            let moving = usize::from(links[0].is_none());
            let sum_before = addition.sum;
            addition.sum = match addition.parities[1 - moving].constant() {
                // The other chain has not begun, or is at its end.
                Some(value) => {
                    let sum = addition.parities[moving].flipped(value);
                    if sum_before == before[moving].flipped(value) {
                        taken = Some(moving);
                    } else {
                        self.add_all(&even([sum, sum_before, Term::Literal(var)]));
                    }
                    sum
                }
                None => self.define_parity(sum_before, var),
            };
            addition.links.push(Link { var, parity: addition.sum });
        }
        for (moving, link) in links.iter().enumerate() {
            if let Some(link) = link.filter(|_| taken != Some(moving)) {
                addition.old.extend(even([link.parity, before[moving], Term::Literal(link.var)]));
            }
        }
        let invariant = even([addition.sum, addition.parities[0], addition.parities[1]]);
        invariant.iter().for_each(|clause| self.add_by_cases(clause, var));
        let passed = std::mem::replace(&mut addition.invariant, invariant);
        self.delete_all(&passed);
    }

    /// The end of an addition: the last link becomes a constant, and what is not needed any more is deleted.
    fn close(&mut self, addition: Addition) -> Chain {
        let Addition { parities, sum, mut links, invariant, old } = addition;
        let odd = parities[0] != parities[1];
        if let (Some(last), Term::Literal(_)) = (links.len().checked_sub(1), sum) {
            let before = last.checked_sub(1).map_or(Term::Constant(false), |i| links[i].parity);
            let var = Term::Literal(links[last].var);
            self.add_all(&even([Term::Constant(odd), before, var]));
            self.delete_all(&even([links[last].parity, before, var]));
            links[last].parity = Term::Constant(odd);
        }
        self.delete_all(&invariant);
        self.delete_all(&old);
        Chain { links }
    }
}

/// Two chains being added.
struct Addition {
    /// The parities of both up to the present variable.
    parities: [Term; 2],
    /// Their sum, as a link of the new chain has it.
    sum: Term,
    links: Vec<Link>,
    /// The clauses that say so.
    invariant: Clauses,
    /// Clauses of the two that the new chain does not have.
    old: Clauses,
}

impl Default for Addition {
    fn default() -> Self {
        let zero = Term::Constant(false);
        Self { parities: [zero; 2], sum: zero, links: Vec::new(), invariant: Vec::new(), old: Vec::new() }
    }
}
