//! The procedure of the 1970s: a prover as a subroutine of a puzzle-solving program.
//!
//! The clues are clauses over atoms `P(x)`, "position x has property P". That each position has one property of each class
//! and each property one position is not written as clauses; a calling program asks the prover for every `P(x)` and `}P(x)` (the
//! document's sign for "not"), draws these consequences from what was proved, hands them back, and asks again, until nothing
//! new comes.

use crate::encode::{Encoder, Truth};
use crate::formula::{Compare, Counting, Formula, Measure, Relation};
use crate::puzzle::{Kind, Puzzle, Term};
use putnam_cdcl::Solver;
use putnam_formula::{ClauseSink as _, Cnf, Engine as _, Lit, Outcome, Var};
use std::fmt::Write as _;
use thiserror::Error;

/// A use of the statement that each house has one property of each class.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Use {
    /// A property that is at a position is at no other.
    R1,
    /// A position with a property has no other of its class.
    R2,
    /// A property that is at no position but one is there.
    R3,
    /// A position that has no property of a class but one has that one.
    R4,
    /// A position that has no property of a class but two has one of the two.
    R5,
    /// A property that is at no position but two is at one of the two.
    R6,
}

/// All uses with their names.
pub const USES: [(&str, Use); 6] =
    [("R1", Use::R1), ("R2", Use::R2), ("R3", Use::R3), ("R4", Use::R4), ("R5", Use::R5), ("R6", Use::R6)];

/// What the prover can do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Prover {
    /// Unit propagation.
    Unit,
    /// Everything that follows.
    Complete,
}

/// What the prover has besides the clues and what is inserted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Extra {
    /// Clauses that exclude two properties of a class at one position.
    pub exclude_in_house: bool,
    /// Clauses that exclude two positions of one property.
    pub exclude_of_property: bool,
    /// Clauses that each property is somewhere and each position has one of each class.
    pub at_least_one: bool,
    /// For 'next to': not only that two that are given are neighbours, but also that each has the other beside it.
    pub neighbours_exist: bool,
}

/// The clauses at the ends of a row for clues such as "immediately right of".
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edges {
    /// That the right one of the two is not at the left end.
    pub left: bool,
    /// That the left one is not at the right end.
    pub right: bool,
}

/// How to deduce.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Method {
    /// The uses that the calling program makes.
    pub uses: Vec<Use>,
    /// The prover.
    pub prover: Prover,
    /// What the prover has besides.
    pub extra: Extra,
    /// The clauses at the ends.
    pub edges: Edges,
}

/// What came out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Deduction {
    /// The properties that are known to be at a position: property and position, in the order of the puzzle.
    pub positive: Vec<(Term, usize)>,
    /// How many atoms are decided.
    pub units: usize,
    /// How many atoms there are.
    pub atoms: usize,
    /// How many times all open atoms were asked for.
    pub rounds: usize,
    /// How many atoms the prover was asked for.
    pub calls: usize,
    /// Everything in the document's manner, line by line.
    pub trace: String,
}

/// Why there is no deduction.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum NoDeduction {
    /// Not a puzzle for it.
    #[error("the procedure needs categories that have each value exactly once, and clues that all hold")]
    Puzzle,
    /// The clauses contradict each other.
    #[error("the clauses contradict each other")]
    Contradiction,
}

/// Runs the procedure.
///
/// # Errors
/// [`NoDeduction`].
pub fn deduce(puzzle: &Puzzle, method: &Method) -> Result<Deduction, NoDeduction> {
    if puzzle.lies > 0 || puzzle.categories.iter().any(|c| c.kind != Kind::Exact) {
        return Err(NoDeduction::Puzzle);
    }
    let mut caller = Caller::new(puzzle, method);
    loop {
        let proved = caller.ask()?;
        let inserted = caller.insert();
        if !proved && !inserted {
            return Ok(caller.finish());
        }
    }
}

/// The axioms as they stand, with everything that the statement about houses says as clauses: whether they leave one grid only.
/// For axioms without a clause at the ends this says what the missing clause matters. Answers the number of grids, at most
/// `limit`.
pub fn count_grids(puzzle: &Puzzle, edges: Edges, limit: usize) -> usize {
    let extra =
        Extra { exclude_in_house: true, exclude_of_property: true, at_least_one: true, neighbours_exist: false };
    let method = Method { uses: Vec::new(), prover: Prover::Complete, extra, edges };
    let caller = Caller::new(puzzle, &method);
    let mut engine = caller.engine();
    let mut count = 0;
    while count < limit {
        let Outcome::Satisfiable(model) = engine.solve(&[]) else { break };
        count += 1;
        let atoms = caller.atoms.iter().map(|&(_, _, var)| var);
        let other: Vec<Lit> = atoms.filter(|&var| model.value(var)).map(Var::negative).collect();
        engine.add_clause(&other);
    }
    count
}

struct Caller<'p> {
    puzzle: &'p Puzzle,
    method: &'p Method,
    /// The axioms and what was inserted but facts.
    clauses: Cnf,
    /// Every property at every position.
    atoms: Vec<(Term, usize, Var)>,
    base: usize,
    size: usize,
    known: Vec<Option<bool>>,
    inserted: Vec<Vec<Lit>>,
    rounds: usize,
    calls: usize,
    trace: String,
}

impl<'p> Caller<'p> {
    fn new(puzzle: &'p Puzzle, method: &'p Method) -> Self {
        let (base, size) = (puzzle.base(), puzzle.positions());
        let mut clauses = Cnf::new();
        let mut atoms = Vec::new();
        let mut axioms: Vec<Vec<Lit>> = Vec::new();
        {
            let mut encoder = Encoder::new(puzzle, &mut clauses, None);
            for category in (0..puzzle.categories.len()).filter(|&c| c != base) {
                for term in puzzle.terms(category) {
                    for position in 0..size {
                        if let Truth::Lit(lit) = encoder.atoms().at(term, position) {
                            atoms.push((term, position, lit.var()));
                        }
                    }
                }
            }
            for clue in &puzzle.clues {
                match row_clauses(&clue.formula, base, size, method, encoder.atoms()) {
                    Some(clauses) => axioms.extend(clauses),
                    None => encoder.assert(&clue.formula),
                }
            }
        }
        axioms.iter().for_each(|clause| clauses.add_clause(clause));
        let known = vec![None; clauses.num_vars() as usize];
        let mut caller = Self {
            puzzle,
            method,
            clauses,
            atoms,
            base,
            size,
            known,
            inserted: Vec::new(),
            rounds: 0,
            calls: 0,
            trace: String::new(),
        };
        caller.add_extra();
        caller
    }

    /// The lines of atoms for which the rules hold: each property over positions, then each class at each position.
    fn lines(&self) -> (Vec<Vec<Var>>, Vec<Vec<Var>>) {
        let properties: Vec<Vec<Var>> =
            self.atoms.chunks(self.size).map(|atoms| atoms.iter().map(|a| a.2).collect()).collect();
        let classes = properties.chunks(self.size).flat_map(|class| {
            (0..self.size).map(|position| class.iter().map(|property| property[position]).collect()).collect::<Vec<_>>()
        });
        let classes = classes.collect();
        (properties, classes)
    }

    fn add_extra(&mut self) {
        let (properties, classes) = self.lines();
        let extra = self.method.extra;
        for (lines, exclude) in [(&properties, extra.exclude_of_property), (&classes, extra.exclude_in_house)] {
            for line in lines {
                for (i, &a) in line.iter().enumerate().filter(|_| exclude) {
                    line[..i].iter().for_each(|&b| self.clauses.add_clause(&[a.negative(), b.negative()]));
                }
                if extra.at_least_one {
                    let some: Vec<Lit> = line.iter().map(|v| v.positive()).collect();
                    self.clauses.add_clause(&some);
                }
            }
        }
    }

    fn engine(&self) -> Solver {
        let mut engine = Solver::new();
        engine.declare(self.clauses.num_vars());
        self.clauses.clauses().for_each(|clause| engine.add_clause(clause));
        self.inserted.iter().for_each(|clause| engine.add_clause(clause));
        for (index, value) in self.known.iter().enumerate() {
            if let Some(value) = value {
                engine.add_clause(&[Var::new(index as u32).lit(*value)]);
            }
        }
        engine
    }

    /// One round: the prover is called for every open atom; whether it proved anything.
    fn ask(&mut self) -> Result<bool, NoDeduction> {
        self.rounds += 1;
        let _ = writeln!(self.trace, "ROUND {}", self.rounds);
        let by_units = propagate(&self.clauses, &self.inserted, &self.known).ok_or(NoDeduction::Contradiction)?;
        let mut engine = (self.method.prover == Prover::Complete).then(|| self.engine());
        let mut proved: Vec<(usize, bool)> = Vec::new();
        for index in 0..self.atoms.len() {
            let var = self.atoms[index].2;
            if self.known[var.index()].is_some() {
                continue;
            }
            self.calls += 1;
            let value = match (by_units[var.index()], &mut engine) {
                (Some(value), _) => Some(value),
                (None, None) => None,
                (None, Some(engine)) => [true, false]
                    .into_iter()
                    .find(|&value| matches!(engine.solve(&[var.lit(!value)]), Outcome::Unsatisfiable { .. })),
            };
            if let Some(value) = value {
                proved.push((index, value));
            }
        }
        for &(index, value) in &proved {
            self.known[self.atoms[index].2.index()] = Some(value);
            let line = self.atom(index, value);
            let _ = writeln!(self.trace, "  proved    {line}");
        }
        Ok(!proved.is_empty())
    }

    fn atom(&self, index: usize, value: bool) -> String {
        let (term, position, _) = self.atoms[index];
        let place = self.puzzle.name(Term { category: self.base, value: position });
        format!("{}{}({place})", if value { "" } else { "}" }, self.puzzle.name(term))
    }

    fn learn(&mut self, var: Var, value: bool, rule: &str) -> bool {
        if self.known[var.index()].is_some() {
            return false;
        }
        self.known[var.index()] = Some(value);
        if let Some(index) = self.atoms.iter().position(|a| a.2 == var) {
            let line = self.atom(index, value);
            let _ = writeln!(self.trace, "  by {rule}     {line}");
        }
        true
    }

    /// The calling program's consequences of what is known, each rule once; whether there were any.
    fn insert(&mut self) -> bool {
        let (properties, classes) = self.lines();
        let uses = |wanted: Use| self.method.uses.contains(&wanted);
        let (first, second) = (uses(Use::R1), uses(Use::R2));
        let mut any = false;
        for index in 0..self.atoms.len() {
            if self.known[self.atoms[index].2.index()] != Some(true) {
                continue;
            }
            let (property, position) = (index / self.size, index % self.size);
            let class = &classes[property / self.size * self.size + position];
            for (line, rule) in [(&properties[property], "R1"), (class, "R2")] {
                if rule == "R1" && !first || rule == "R2" && !second {
                    continue;
                }
                let own = self.atoms[index].2;
                for &var in line.iter().filter(|&&var| var != own) {
                    any |= self.learn(var, false, rule);
                }
            }
        }
        for (lines, one_left, two_left) in
            [(&properties, ("R3", Use::R3), ("R6", Use::R6)), (&classes, ("R4", Use::R4), ("R5", Use::R5))]
        {
            for line in lines {
                any |= self.eliminate(line, one_left, two_left);
            }
        }
        any
    }

    fn eliminate(&mut self, line: &[Var], one_left: (&str, Use), two_left: (&str, Use)) -> bool {
        let left: Vec<Var> = line.iter().copied().filter(|v| self.known[v.index()] != Some(false)).collect();
        match left[..] {
            [only] if self.method.uses.contains(&one_left.1) => self.learn(only, true, one_left.0),
            [a, b] if self.method.uses.contains(&two_left.1) => {
                let clause = vec![a.positive(), b.positive()];
                let known = [a, b].iter().any(|v| self.known[v.index()] == Some(true));
                if known || self.inserted.contains(&clause) {
                    return false;
                }
                let names: Vec<String> = [a, b]
                    .iter()
                    .filter_map(|var| self.atoms.iter().position(|atom| atom.2 == *var))
                    .map(|index| self.atom(index, true))
                    .collect();
                let _ = writeln!(self.trace, "  by {}     {}", two_left.0, names.join(" | "));
                self.inserted.push(clause);
                true
            }
            _ => false,
        }
    }

    fn finish(self) -> Deduction {
        let value = |&(_, _, var): &(Term, usize, Var)| self.known[var.index()];
        let positive = self.atoms.iter().filter(|a| value(a) == Some(true)).map(|&(t, p, _)| (t, p)).collect();
        let units = self.atoms.iter().filter(|a| value(a).is_some()).count();
        let (atoms, rounds, calls) = (self.atoms.len(), self.rounds, self.calls);
        Deduction { positive, units, atoms, rounds, calls, trace: self.trace }
    }
}

/// Unit propagation over all clauses; none on a contradiction.
fn propagate(clauses: &Cnf, inserted: &[Vec<Lit>], known: &[Option<bool>]) -> Option<Vec<Option<bool>>> {
    let mut values = known.to_vec();
    let all: Vec<&[Lit]> = clauses.clauses().chain(inserted.iter().map(Vec::as_slice)).collect();
    loop {
        let mut changed = false;
        for clause in &all {
            let value = |lit: &Lit| values[lit.var().index()].map(|value| value == lit.is_positive());
            if clause.iter().any(|lit| value(lit) == Some(true)) {
                continue;
            }
            let mut open = clause.iter().filter(|lit| value(lit).is_none());
            match (open.next(), open.next()) {
                (None, _) => return None,
                (Some(&lit), None) => {
                    values[lit.var().index()] = Some(lit.is_positive());
                    changed = true;
                }
                _ => {}
            }
        }
        if !changed {
            return Some(values);
        }
    }
}

/// A comparison in the base by one place, as the document writes it: `B(x) = A(x+1)` for "A is immediately right of B", and
/// `A(x) & B(y) > next(x,y)` for "A is next to B". None for other formulas.
fn row_clauses(
    formula: &Formula,
    base: usize,
    size: usize,
    method: &Method,
    atoms: &crate::encode::Atoms,
) -> Option<Vec<Vec<Lit>>> {
    let Formula::Compare(Compare { left, right, category, relation: Relation::Equal, measure }) = formula else {
        return None;
    };
    let literal = |term: Term, position: usize| match atoms.at(term, position) {
        Truth::Lit(lit) => Some(lit),
        Truth::Known(_) => None,
    };
    let line = |term: Term| (0..size).map(|p| literal(term, p)).collect::<Option<Vec<Lit>>>();
    if *category != base {
        return None;
    }
    let (a, b) = (line(*left)?, line(*right)?);
    let mut clauses = Vec::new();
    match *measure {
        Measure::Difference { by, unit: Counting::Places } if by.as_whole().map(i64::abs) == Some(1) => {
            let (after, before) = if by.millionths() > 0 { (a, b) } else { (b, a) };
            for x in 0..size - 1 {
                clauses.push(vec![!before[x], after[x + 1]]);
                clauses.push(vec![before[x], !after[x + 1]]);
            }
            if method.edges.left {
                clauses.push(vec![!after[0]]);
            }
            if method.edges.right {
                clauses.push(vec![!before[size - 1]]);
            }
        }
        Measure::Distance { by, unit: Counting::Places } if by.as_whole() == Some(1) => {
            for x in 0..size {
                for y in (0..size).filter(|y| x.abs_diff(*y) != 1) {
                    clauses.push(vec![!a[x], !b[y]]);
                }
                for (one, other) in [(&a, &b), (&b, &a)] {
                    let beside = (0..size).filter(|y| x.abs_diff(*y) == 1).map(|y| other[y]);
                    if method.extra.neighbours_exist {
                        clauses.push(std::iter::once(!one[x]).chain(beside).collect());
                    }
                }
            }
        }
        _ => return None,
    }
    Some(clauses)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frontend::Zebra;

    const BOTH: Edges = Edges { left: true, right: true };
    const UNIT: Prover = Prover::Unit;
    const FULL: Prover = Prover::Complete;

    fn run(rules: &[u8], prover: Prover, extra: Extra, edges: Edges) -> Deduction {
        let uses = rules.iter().map(|&r| USES[r as usize - 1].1).collect();
        deduce(&Zebra::puzzle("zebra").unwrap(), &Method { uses, prover, extra, edges }).unwrap()
    }

    /// Positive facts, units, whether it is known who drinks water, and who owns the zebra.
    fn row(deduction: &Deduction) -> (usize, usize, bool, bool) {
        let puzzle = Zebra::puzzle("zebra").unwrap();
        let known = |name: &str, position: usize| {
            deduction.positive.iter().any(|&(t, p)| puzzle.name(t) == name && p == position)
        };
        let water = known("water", 0) && known("Norwegian", 0);
        let zebra = known("zebra", 4) && known("Japanese", 4);
        (deduction.positive.len(), deduction.units, water, zebra)
    }

    #[test]
    fn what_each_rule_derives() {
        let none = Extra::default();
        let amo = Extra { exclude_in_house: true, exclude_of_property: true, ..none };
        let house = Extra { exclude_in_house: true, ..none };
        let alo = Extra { at_least_one: true, ..none };
        let all = Extra { at_least_one: true, ..amo };
        let exist = |extra: Extra| Extra { neighbours_exist: true, ..extra };
        type Row = (usize, usize, bool, bool);
        type Entry<'a> = (&'a [u8], &'a [Prover], Extra, Row, Row);
        type MakeRow = fn(usize, usize) -> Row;
        let (no, water): (MakeRow, MakeRow) = (|p, u| (p, u, false, false), |p, u| (p, u, true, false));
        let everything: Row = (25, 125, true, true);
        let rows: Vec<Entry> = vec![
            (&[1, 2], &[UNIT, FULL], none, no(2, 33), no(3, 42)),
            (&[1, 2, 3], &[UNIT, FULL], none, no(3, 41), no(3, 42)),
            (&[1, 2, 4], &[UNIT, FULL], none, no(2, 33), water(7, 69)),
            (&[1, 2, 3, 4], &[UNIT, FULL], none, water(7, 69), water(7, 69)),
            (&[1, 2, 3, 4, 5], &[UNIT, FULL], none, water(7, 69), water(7, 69)),
            (&[1, 2, 3, 4, 6], &[UNIT, FULL], none, water(7, 69), water(7, 69)),
            (&[1, 2, 3, 4, 5, 6], &[UNIT, FULL], none, water(7, 69), water(7, 69)),
            (&[1, 2, 3, 4], &[UNIT, FULL], amo, water(7, 69), water(7, 69)),
            (&[1, 2, 3, 4], &[UNIT, FULL], alo, water(7, 69), water(7, 69)),
            (&[1, 2, 3, 4, 6], &[FULL], amo, water(7, 73), water(7, 73)),
            (&[1, 2, 3, 4, 5], &[FULL], house, water(10, 87), water(10, 87)),
            (&[1, 2, 3, 4, 5], &[FULL], amo, everything, everything),
            (&[], &[UNIT], all, water(7, 69), water(7, 69)),
            (&[], &[FULL], all, everything, everything),
        ];
        for (rules, provers, extra, implied, existing) in rows {
            for &prover in provers {
                assert_eq!(row(&run(rules, prover, extra, BOTH)), implied, "{rules:?} {prover:?} {extra:?}");
                assert_eq!(
                    row(&run(rules, prover, exist(extra), BOTH)),
                    existing,
                    "exist {rules:?} {prover:?} {extra:?}"
                );
            }
        }
    }

    #[test]
    fn rounds_and_calls() {
        let amo = Extra { exclude_in_house: true, exclude_of_property: true, ..Extra::default() };
        let found = run(&[1, 2, 3, 4, 5], FULL, amo, BOTH);
        assert_eq!((found.rounds, found.calls), (7, 390));
        let found = run(&[1, 2, 3, 4, 5], FULL, Extra { neighbours_exist: true, ..amo }, BOTH);
        assert_eq!((found.rounds, found.calls), (6, 340));
        let found = run(&[], FULL, Extra { at_least_one: true, ..amo }, BOTH);
        assert_eq!(found.calls, 125);
        assert!(found.trace.starts_with("ROUND 1\n  proved    }red(1)\n"), "{}", found.trace);
    }

    #[test]
    fn the_edges_matter() {
        let puzzle = Zebra::puzzle("zebra").unwrap();
        let edges = |left, right| Edges { left, right };
        assert_eq!(count_grids(&puzzle, edges(false, false), 100), 7);
        assert_eq!(count_grids(&puzzle, edges(true, false), 100), 1);
        assert_eq!(count_grids(&puzzle, edges(false, true), 100), 1);
        // For the procedure it must be the left one: without it nothing comes beyond three positive facts.
        let positive = |e| run(&[1, 2, 3, 4], UNIT, Extra::default(), e).positive.len();
        assert_eq!((positive(edges(true, false)), positive(edges(false, true))), (7, 3));
    }
}
