//! The calling program.

use super::axioms::row_clauses;
use super::{Deduction, Extra, Method, NoDeduction, Prover, Supposition, Use, is_sound};
use crate::encode::{Encoder, Truth};
use crate::puzzle::{Puzzle, Term};
use putnam_cdcl::Solver;
use putnam_formula::{ClauseSink as _, Cnf, Engine as _, Lit, Outcome, Var};
use std::fmt::Write as _;
use std::rc::Rc;

/// The calling program: what it knows, and what it does with it.
#[derive(Clone)]
pub(super) struct Caller<'p> {
    pub(super) puzzle: &'p Puzzle,
    pub(super) method: &'p Method,
    /// The axioms.
    clauses: Rc<Cnf>,
    /// Every property at every position.
    pub(super) atoms: Rc<Vec<(Term, usize, Var)>>,
    pub(super) lines: Rc<Lines>,
    size: usize,
    /// The atom at which the next case analysis begins.
    pub(super) sweep: usize,
    /// What is known of each variable.
    pub(super) known: Vec<Option<bool>>,
    /// The clauses that were inserted, but for facts.
    inserted: Vec<Vec<Lit>>,
    contradiction: bool,
    rounds: usize,
    pub(super) calls: usize,
    pub(super) cases: Vec<Vec<Supposition>>,
    pub(super) trace: String,
}

/// The lines of atoms to which the rules are applied.
pub(super) struct Lines {
    /// Each property over the positions.
    pub(super) properties: Vec<Line>,
    /// Each class at each position.
    pub(super) classes: Vec<Line>,
    /// For each property the line of its class at the first position; the other positions follow.
    class_of: Vec<usize>,
}

/// Atoms that exclude each other, or of which one is true, or both.
pub(super) struct Line {
    pub(super) vars: Vec<Var>,
    /// Whether at most one is true.
    exclusive: bool,
    /// Whether at least one is true.
    pub(super) exhaustive: bool,
}

impl Lines {
    fn new(puzzle: &Puzzle, atoms: &[(Term, usize, Var)], size: usize) -> Self {
        let (mut properties, mut classes, mut class_of): (Vec<Line>, Vec<Line>, Vec<usize>) = Default::default();
        for class in atoms.chunk_by(|a, b| a.0.category == b.0.category) {
            let kind = puzzle.categories[class[0].0.category].kind;
            let holds = |rule| is_sound(rule, kind);
            for property in class.chunks(size) {
                let vars = property.iter().map(|atom| atom.2).collect();
                properties.push(Line { vars, exclusive: holds(Use::R1), exhaustive: holds(Use::R3) });
                class_of.push(classes.len());
            }
            for position in 0..size {
                let vars = class.iter().skip(position).step_by(size).map(|atom| atom.2).collect();
                classes.push(Line { vars, exclusive: holds(Use::R2), exhaustive: holds(Use::R4) });
            }
        }
        Self { properties, classes, class_of }
    }
}

impl<'p> Caller<'p> {
    pub(super) fn new(puzzle: &'p Puzzle, method: &'p Method) -> Self {
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
            if puzzle.lies > 0 {
                encoder.clues();
            }
            for clue in puzzle.clues.iter().filter(|_| puzzle.lies == 0) {
                match row_clauses(puzzle, &clue.formula, method, encoder.atoms()) {
                    Some(clauses) => axioms.extend(clauses),
                    None => encoder.assert(&clue.formula),
                }
            }
        }
        axioms.iter().for_each(|clause| clauses.add_clause(clause));
        let lines = Lines::new(puzzle, &atoms, size);
        add_extra(&mut clauses, &lines, method.extra);
        Self {
            puzzle,
            method,
            known: vec![None; clauses.num_vars() as usize],
            clauses: Rc::new(clauses),
            atoms: Rc::new(atoms),
            lines: Rc::new(lines),
            size,
            sweep: 0,
            inserted: Vec::new(),
            contradiction: false,
            rounds: 0,
            calls: 0,
            cases: Vec::new(),
            trace: String::new(),
        }
    }

    /// Asks and inserts until nothing new comes.
    pub(super) fn run(&mut self) -> Result<(), NoDeduction> {
        loop {
            let proved = self.ask()?;
            let inserted = self.insert();
            if self.contradiction {
                return Err(NoDeduction::Contradiction);
            }
            if !proved && !inserted {
                return Ok(());
            }
        }
    }

    pub(super) fn engine(&self) -> Solver {
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

    /// An atom in the document's manner: `milk(3)`, `}milk(1)`.
    pub(super) fn atom(&self, index: usize, value: bool) -> String {
        let (term, position, _) = self.atoms[index];
        atom_name(self.puzzle, term, position, value)
    }

    /// Takes over a fact; whether it is new.
    pub(super) fn learn(&mut self, var: Var, value: bool, rule: &str) -> bool {
        if let Some(known) = self.known[var.index()] {
            self.contradiction |= known != value;
            return false;
        }
        self.known[var.index()] = Some(value);
        if let Some(index) = self.atoms.iter().position(|a| a.2 == var) {
            let line = self.atom(index, value);
            let _ = writeln!(self.trace, "  by {rule:<6} {line}");
        }
        true
    }

    /// The calling program's consequences of what is known, each rule once; whether there were any.
    fn insert(&mut self) -> bool {
        let lines = Rc::clone(&self.lines);
        let (properties, classes) = (&lines.properties, &lines.classes);
        let uses = |wanted: Use| self.method.uses.contains(&wanted);
        let (first, second) = (uses(Use::R1), uses(Use::R2));
        let mut any = false;
        for index in 0..self.atoms.len() {
            if self.known[self.atoms[index].2.index()] != Some(true) {
                continue;
            }
            let (property, position) = (index / self.size, index % self.size);
            let class = &classes[lines.class_of[property] + position];
            for (line, rule, used) in [(&properties[property], "R1", first), (class, "R2", second)] {
                if !used || !line.exclusive {
                    continue;
                }
                let own = self.atoms[index].2;
                for &var in line.vars.iter().filter(|&&var| var != own) {
                    any |= self.learn(var, false, rule);
                }
            }
        }
        for (lines, one_left, two_left) in
            [(properties, ("R3", Use::R3), ("R6", Use::R6)), (classes, ("R4", Use::R4), ("R5", Use::R5))]
        {
            for line in lines.iter().filter(|line| line.exhaustive) {
                any |= self.eliminate(&line.vars, one_left, two_left);
            }
        }
        any
    }

    fn eliminate(&mut self, line: &[Var], one_left: (&str, Use), two_left: (&str, Use)) -> bool {
        let left: Vec<Var> = line.iter().copied().filter(|v| self.known[v.index()] != Some(false)).collect();
        match left[..] {
            [] => {
                let uses = &self.method.uses;
                self.contradiction |= uses.contains(&one_left.1) || uses.contains(&two_left.1);
                false
            }
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
                let _ = writeln!(self.trace, "  by {:<6} {}", two_left.0, names.join(" | "));
                self.inserted.push(clause);
                true
            }
            _ => false,
        }
    }

    pub(super) fn finish(self) -> Deduction {
        let value = |&(_, _, var): &(Term, usize, Var)| self.known[var.index()];
        let positive = self.atoms.iter().filter(|a| value(a) == Some(true)).map(|&(t, p, _)| (t, p)).collect();
        let units = self.atoms.iter().filter(|a| value(a).is_some()).count();
        let (atoms, rounds, calls) = (self.atoms.len(), self.rounds, self.calls);
        Deduction { positive, units, atoms, rounds, calls, cases: self.cases, trace: self.trace }
    }
}

/// A property at a position, or that it is not there.
pub(super) fn atom_name(puzzle: &Puzzle, term: Term, position: usize, value: bool) -> String {
    let place = puzzle.name(Term { category: puzzle.base(), value: position });
    format!("{}{}({place})", if value { "" } else { "}" }, puzzle.name(term))
}

/// Adds what the prover has besides the clues.
fn add_extra(clauses: &mut Cnf, lines: &Lines, extra: Extra) {
    for (lines, exclude) in [(&lines.properties, extra.exclude_of_property), (&lines.classes, extra.exclude_in_house)] {
        for line in lines {
            for (i, &a) in line.vars.iter().enumerate().filter(|_| exclude && line.exclusive) {
                line.vars[..i].iter().for_each(|&b| clauses.add_clause(&[a.negative(), b.negative()]));
            }
            if extra.at_least_one && line.exhaustive {
                let some: Vec<Lit> = line.vars.iter().map(|v| v.positive()).collect();
                clauses.add_clause(&some);
            }
        }
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
