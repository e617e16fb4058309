//! Explanations of which every step is the cheapest that is possible.
//!
//! A step costs 100 for each clue, 60 for each rule of the grid and 1 for each known fact that it uses; its premises are a
//! cheapest unsatisfiable subset of clues, rules, known facts and the opposite of exactly one fact that is to be found (Gamba, Bogaerts and
//! Guns, "Efficiently explaining CSPs with unsatisfiable subset optimization", JAIR 2023). Two clues or rules cost at least
//! 120, so a step with one of them and at most that cost is the cheapest of all; it is found by looking at each clue and
//! rule alone. All of them together are looked at only where there is no such step.
//!
//! What is known more never makes a step dearer. So the facts that follow by steps of at most some cost are the same in
//! whatever order the steps are taken, and of all sequences that explain a puzzle one of cheapest steps has the least
//! largest cost, whichever of equally cheap steps it takes; the number of steps and the sum do depend on that.

use super::ground::consequences;
use super::rules::{Rules, Source};
use super::search::Explanation;
use super::steps::Step;
use super::{Fact, Refused};
use crate::puzzle::Puzzle;
use putnam_explain::{Cheapest, Groups};
use putnam_formula::{Engine as _, Lit, Outcome, Var};
use std::collections::HashMap;

/// What using a clue costs.
const CLUE: u64 = 100;
/// What using a rule of the grid costs.
const RULE: u64 = 60;
/// What using a known fact costs.
const FACT: u64 = 1;

impl Source {
    fn cost(self) -> u64 {
        if self.clue().is_some() { CLUE } else { RULE }
    }
}

impl Step {
    /// What the step costs: 100 for each clue, 60 for each rule of the grid, 1 for each known fact; of a case analysis the sum
    /// over its parts.
    pub fn cost(&self) -> u64 {
        let own = self.sources.iter().map(|source| source.cost()).sum::<u64>() + FACT * self.premises.len() as u64;
        let case = self.case.as_ref().map_or(0, |case| {
            let end = case.sources.iter().map(|source| source.cost()).sum::<u64>();
            end + FACT * case.premises.len() as u64 + case.steps.iter().map(Step::cost).sum::<u64>()
        });
        own + case
    }
}

/// Explains a puzzle from a set of known facts on, each step the cheapest that is possible at its time. Of steps that cost the
/// same one with many new facts is taken.
///
/// # Errors
/// As [`super::explain`].
pub fn explain_optimally(puzzle: &Puzzle, given: &[Fact]) -> Result<Explanation, Refused> {
    let rules = Rules::new(puzzle);
    let targets = consequences(puzzle, &rules.facts, given)?;
    let mut steps = Vec::new();
    let complete = {
        let mut search = Search::new(&rules, puzzle.clues.len(), &targets);
        given.iter().for_each(|&fact| search.learn(fact));
        while let Some(found) = search.cheapest() {
            let step = search.step(found);
            step.facts.iter().for_each(|&fact| search.learn(fact));
            steps.push(step);
        }
        search.known.iter().all(|&known| known)
    };
    Ok(Explanation { rules, given: given.to_vec(), steps, complete })
}

/// What a step uses.
#[derive(Clone, Debug)]
struct Found {
    cost: u64,
    sources: Vec<Source>,
    premises: Vec<Fact>,
}

struct Search<'r> {
    rules: &'r Rules,
    /// By fact: how it is, as far as that follows.
    targets: Vec<Option<Fact>>,
    known: Vec<bool>,
    /// Rules of which every consequence is one by a single clause.
    simple: Vec<(Source, Vec<Vec<Lit>>)>,
    /// The other sources, each alone.
    single: Vec<Single>,
    all: Option<Together>,
    clues: usize,
}

impl<'r> Search<'r> {
    fn new(rules: &'r Rules, clues: usize, targets: &[Fact]) -> Self {
        let mut by_fact = vec![None; rules.facts.len()];
        targets.iter().for_each(|&fact| by_fact[fact.var().index()] = Some(fact));
        let is_simple = |source: &Source| matches!(source, Source::Partner(..) | Source::Same(..));
        let (simple, others): (Vec<Source>, Vec<Source>) = rules.grid_sources().into_iter().partition(is_simple);
        let others = (0..clues).map(Source::Clue).chain(others);
        let single = others.map(|source| Single::new(rules, source, &by_fact)).collect();
        let simple = simple.into_iter().map(|source| (source, rules.clauses(source))).collect();
        Self { rules, known: vec![false; by_fact.len()], targets: by_fact, simple, single, all: None, clues }
    }

    fn learn(&mut self, fact: Fact) {
        self.known[fact.var().index()] = true;
        for single in &mut self.single {
            single.learn(fact);
        }
    }

    fn is_known(&self, lit: Lit) -> bool {
        let fact = lit.var().index();
        self.known.get(fact) == Some(&true) && self.targets[fact] == Some(lit)
    }

    /// The cheapest step, if there is one.
    fn cheapest(&mut self) -> Option<Found> {
        let mut best = self.by_rule();
        let below = |best: &Option<(Found, usize)>| best.as_ref().map_or(u64::MAX, |(found, _)| found.cost);
        for i in 0..self.single.len() {
            // One as cheap is still looked at for its new facts.
            let limit = below(&best).saturating_add(1);
            if self.single[i].source.cost() >= limit {
                continue;
            }
            let known = &self.known;
            if let Some(found) = self.single[i].cheapest(known, limit) {
                let count = self.new_facts(&found).len();
                if best.as_ref().is_none_or(|(old, most)| found.cost < old.cost || count > *most) {
                    best = Some((found, count));
                }
            }
        }
        if below(&best) > 2 * RULE {
            let limit = below(&best);
            if let Some(found) = self.together(limit) {
                return Some(found);
            }
        }
        best.map(|(found, _)| found)
    }

    /// The cheapest step by one rule, with how many new facts it brings.
    fn by_rule(&self) -> Option<(Found, usize)> {
        let mut best: Option<(Found, usize)> = None;
        for (source, clauses) in &self.simple {
            for clause in clauses {
                let cost = RULE + FACT * (clause.len() as u64 - 1);
                if best.as_ref().is_some_and(|(found, _)| found.cost < cost) {
                    continue;
                }
                let mut open = clause.iter().filter(|&&lit| !self.is_known(!lit));
                let (Some(&conclusion), None) = (open.next(), open.next()) else { continue };
                if self.known[conclusion.var().index()] {
                    continue;
                }
                let premises: Vec<Fact> = clause.iter().filter(|&&lit| lit != conclusion).map(|&lit| !lit).collect();
                let found = Found { cost, sources: vec![*source], premises };
                let count = self.by_clauses(&found.premises, clauses).len();
                if best.as_ref().is_none_or(|(old, most)| cost < old.cost || count > *most) {
                    best = Some((found, count));
                }
            }
        }
        best
    }

    /// The new facts that follow from premises by one clause each.
    fn by_clauses(&self, premises: &[Fact], clauses: &[Vec<Lit>]) -> Vec<Fact> {
        let mut facts = Vec::new();
        for clause in clauses {
            let mut open = clause.iter().filter(|&&lit| !premises.contains(&!lit));
            if let (Some(&conclusion), None) = (open.next(), open.next())
                && !self.known[conclusion.var().index()]
                && !facts.contains(&conclusion)
            {
                facts.push(conclusion);
            }
        }
        facts
    }

    /// All new facts that follow from what a step uses.
    fn new_facts(&self, found: &Found) -> Vec<Fact> {
        let mut engine = putnam_cdcl::Solver::new();
        engine.declare(self.rules.cnf.num_vars());
        let mut candidates: Vec<Fact> = Vec::new();
        for clause in found.sources.iter().flat_map(|&source| self.rules.clauses(source)) {
            let unknown = clause.iter().map(|lit| lit.var().index()).filter(|&v| self.known.get(v) == Some(&false));
            candidates.extend(unknown.filter_map(|fact| self.targets[fact]));
            engine.add_clause(&clause);
        }
        found.premises.iter().for_each(|&fact| engine.add_clause(&[fact]));
        candidates.sort_unstable();
        candidates.dedup();
        let mut facts = Vec::new();
        while let Some(fact) = candidates.pop() {
            match engine.solve(&[!fact]) {
                Outcome::Satisfiable(model) => candidates.retain(|&fact| model.satisfies(fact)),
                _ => facts.push(fact),
            }
        }
        facts.reverse();
        facts
    }

    fn step(&self, found: Found) -> Step {
        Step { facts: self.new_facts(&found), premises: found.premises, sources: found.sources, case: None }
    }

    /// The cheapest step with any number of clues and rules.
    fn together(&mut self, below: u64) -> Option<Found> {
        let (rules, targets, simple, clues) = (self.rules, &self.targets, &self.simple, self.clues);
        let single = self.single[clues..].iter().map(|single| single.source);
        let all = self.all.get_or_insert_with(|| {
            let rest = simple.iter().map(|(source, _)| *source).chain(single);
            Together::new(rules, (0..clues).map(Source::Clue).chain(rest).collect(), targets)
        });
        all.cheapest(&self.known, below)
    }
}

/// Facts as elements of unsatisfiable subsets: as they are, and their opposites.
struct Elements {
    groups: Groups,
    costs: Vec<u64>,
    /// The facts, each with its own group and that of its opposite.
    facts: Vec<(Fact, usize, usize)>,
}

impl Elements {
    fn new(num_vars: u32) -> Self {
        Self { groups: Groups::new(num_vars), costs: Vec::new(), facts: Vec::new() }
    }

    fn add_fact(&mut self, fact: Fact) {
        let (own, opposite) = (self.groups.add_group(&[vec![fact]]), self.groups.add_group(&[vec![!fact]]));
        self.costs.extend([FACT, 0]);
        self.facts.push((fact, own, opposite));
    }
}

/// The known ones of some facts, and the opposites of the others.
fn split(facts: &[(Fact, usize, usize)], known: &[bool]) -> (Vec<usize>, Vec<usize>) {
    let is_known = |fact: Fact| known[fact.var().index()];
    let inside = facts.iter().filter(|&&(fact, ..)| is_known(fact)).map(|&(_, own, _)| own).collect();
    let wanted = facts.iter().filter(|&&(fact, ..)| !is_known(fact)).map(|&(.., opposite)| opposite).collect();
    (inside, wanted)
}

/// Steps by one source.
struct Single {
    source: Source,
    facts: Vec<(Fact, usize, usize)>,
    cheapest: Cheapest,
    /// The cheapest step, and that there is none below its cost or this one; while nothing is learned about the facts.
    kept: Option<(Option<Found>, u64)>,
}

impl Single {
    fn new(rules: &Rules, source: Source, targets: &[Option<Fact>]) -> Self {
        let clauses = rules.clauses(source);
        let mut names: HashMap<Var, Var> = HashMap::new();
        let mut inside: Vec<Fact> = Vec::new();
        let mut renamed: Vec<Vec<Lit>> = Vec::new();
        for clause in &clauses {
            let mut rename = |lit: Lit| {
                let next = Var::new(names.len() as u32);
                let name = *names.entry(lit.var()).or_insert(next);
                if name == next {
                    inside.extend(targets.get(lit.var().index()).copied().flatten());
                }
                name.lit(lit.is_positive())
            };
            renamed.push(clause.iter().map(|&lit| rename(lit)).collect());
        }
        let mut elements = Elements::new(names.len() as u32);
        renamed.iter().for_each(|clause| elements.groups.add_hard(clause));
        for &fact in &inside {
            elements.add_fact(names[&fact.var()].lit(fact.is_positive()));
        }
        let named = inside.iter().zip(&elements.facts).map(|(&fact, &(_, own, opposite))| (fact, own, opposite));
        let facts = named.collect();
        Self { source, facts, cheapest: Cheapest::new(elements.groups, elements.costs), kept: None }
    }

    fn learn(&mut self, fact: Fact) {
        if self.facts.iter().any(|&(own, ..)| own == fact) {
            self.kept = None;
        }
    }

    /// The cheapest step that costs less than `limit`.
    fn cheapest(&mut self, known: &[bool], limit: u64) -> Option<Found> {
        if let Some((kept, looked)) = &self.kept {
            match kept {
                Some(found) if found.cost < limit => return Some(found.clone()),
                Some(_) => return None,
                None if *looked >= limit => return None,
                None => {}
            }
        }
        let (among, one_of) = split(&self.facts, known);
        let below = limit - self.source.cost();
        let found = if one_of.is_empty() { None } else { self.cheapest.find(&among, &one_of, below) };
        let found = found.map(|(set, cost)| {
            let premise = |&(fact, own, _): &(Fact, usize, usize)| set.contains(&own).then_some(fact);
            let premises = self.facts.iter().filter_map(premise).collect();
            Found { cost: cost + self.source.cost(), sources: vec![self.source], premises }
        });
        let looked = if one_of.is_empty() { u64::MAX } else { limit };
        self.kept = Some((found.clone(), looked));
        found
    }
}

/// Steps by any number of sources.
struct Together {
    sources: Vec<Source>,
    facts: Vec<(Fact, usize, usize)>,
    cheapest: Cheapest,
}

impl Together {
    fn new(rules: &Rules, sources: Vec<Source>, targets: &[Option<Fact>]) -> Self {
        let mut elements = Elements::new(rules.cnf.num_vars());
        for &source in &sources {
            elements.groups.add_group(&rules.clauses(source));
            elements.costs.push(source.cost());
        }
        targets.iter().flatten().for_each(|&fact| elements.add_fact(fact));
        Self { sources, facts: elements.facts, cheapest: Cheapest::new(elements.groups, elements.costs) }
    }

    fn cheapest(&mut self, known: &[bool], below: u64) -> Option<Found> {
        let (inside, one_of) = split(&self.facts, known);
        if one_of.is_empty() {
            return None;
        }
        let among: Vec<usize> = (0..self.sources.len()).chain(inside).collect();
        let found = self.cheapest.find(&among, &one_of, below);
        found.map(|(set, cost)| {
            let sources = set.iter().filter(|&&g| g < self.sources.len()).map(|&g| self.sources[g]).collect();
            let premise = |&(fact, own, _): &(Fact, usize, usize)| set.contains(&own).then_some(fact);
            Found { cost, sources, premises: self.facts.iter().filter_map(premise).collect() }
        })
    }
}
