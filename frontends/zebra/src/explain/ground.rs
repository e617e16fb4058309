//! What an explanation starts from: whether the puzzle and the given facts agree, and which facts follow at all. This is asked
//! of the engine in the encoding by positions; steps are looked for elsewhere.

use super::{Fact, Refused};
use crate::encode::{Encoder, Facts, Truth};
use crate::formula::{Formula, Relation};
use crate::puzzle::Puzzle;
use crate::solve::{Answer, engine, solve};
use putnam_explain::{Groups, mus};
use putnam_formula::{Cnf, Engine as _, Lit, Outcome, Var};

/// The most values of a category: sets of them are machine words.
const MAX_VALUES: usize = 64;

/// The first category, by its index, that has too many values for explanations.
pub(crate) fn too_large(puzzle: &Puzzle) -> Option<(usize, Refused)> {
    let category = puzzle.categories.iter().position(|c| c.len() > MAX_VALUES)?;
    Some((category, Refused::Size(puzzle.categories[category].name.clone(), MAX_VALUES)))
}

/// The facts that follow from the clues and the given facts.
///
/// # Errors
/// [`Refused`] when there is no solution, with the clues and given facts that exclude each other, or when a category is too
/// large.
pub(super) fn consequences(puzzle: &Puzzle, facts: &Facts, given: &[Fact]) -> Result<Vec<Fact>, Refused> {
    if let Some((_, refused)) = too_large(puzzle) {
        return Err(refused);
    }
    let answer = solve(puzzle, &mut engine());
    if let Answer::One(grid) = &answer {
        let truth = |fact: usize| match facts.clue(fact) {
            Some(clue) => puzzle.clues[clue].formula.holds(&puzzle.categories, grid),
            None => {
                let (a, b) = facts.pair(fact);
                grid.same(a, b)
            }
        };
        let solution: Vec<Fact> = (0..facts.len()).map(|fact| Var::new(fact as u32).lit(truth(fact))).collect();
        if given.iter().all(|&fact| solution[fact.var().index()] == fact) {
            return Ok(solution);
        }
    }
    if (!given.is_empty() || answer == Answer::None)
        && let Some(clash) = clash(puzzle, facts, given)
    {
        return Err(clash);
    }
    Ok(backbone(puzzle, facts, given))
}

/// A clue or given fact as a formula.
fn formula(puzzle: &Puzzle, facts: &Facts, fact: Fact) -> Formula {
    let formula = match facts.clue(fact.var().index()) {
        Some(clue) => puzzle.clues[clue].formula.clone(),
        None => {
            let (a, b) = facts.pair(fact.var().index());
            Formula::Same(a, b)
        }
    };
    if fact.is_positive() { formula } else { formula.negated() }
}

/// A minimal set of clues and given facts without solution, if all together have none. Clues that may lie count as one.
fn clash(puzzle: &Puzzle, facts: &Facts, given: &[Fact]) -> Option<Refused> {
    let clues: Vec<Formula> = if puzzle.lies == 0 {
        puzzle.clues.iter().map(|clue| clue.formula.clone()).collect()
    } else {
        let of = puzzle.clues.iter().map(|clue| clue.formula.clone().negated()).collect();
        vec![Formula::Count { relation: Relation::Equal, count: puzzle.lies, of }]
    };
    let count = clues.len();
    let mut cnf = Cnf::new();
    let mut encoder = Encoder::new(puzzle, &mut cnf, None);
    encoder.grid_rules();
    let parts = clues.into_iter().chain(given.iter().map(|&fact| formula(puzzle, facts, fact)));
    let mut guards: Vec<Lit> = Vec::with_capacity(count + given.len());
    for part in parts {
        guards.push(encoder.new_var().positive());
        encoder.set_guard(guards.last().copied());
        encoder.assert(&part);
    }
    let mut groups = Groups::new(cnf.num_vars());
    cnf.clauses().for_each(|clause| groups.add_hard(clause));
    for guard in guards {
        groups.add_group(&[vec![guard]]);
    }
    let all: Vec<usize> = (0..groups.len()).collect();
    let minimal = mus(&mut groups, &all)?;
    let lying = puzzle.lies > 0 && minimal.contains(&0);
    let named = minimal.iter().copied().filter(|&g| g < count);
    let clues = if lying { (0..puzzle.clues.len()).collect() } else { named.collect() };
    let facts = minimal.iter().filter(|&&g| g >= count).map(|&g| given[g - count]).collect();
    Some(Refused::Clash { clues, facts })
}

/// The facts that are the same in all solutions.
fn backbone(puzzle: &Puzzle, facts: &Facts, given: &[Fact]) -> Vec<Fact> {
    let mut cnf = Cnf::new();
    let mut encoder = Encoder::new(puzzle, &mut cnf, None);
    encoder.grid_rules();
    encoder.clues();
    given.iter().for_each(|&fact| encoder.assert(&formula(puzzle, facts, fact)));
    let truths: Vec<Truth> = (0..facts.len())
        .map(|fact| match facts.clue(fact) {
            Some(clue) => encoder.truth(&puzzle.clues[clue].formula),
            None => {
                let (a, b) = facts.pair(fact);
                encoder.same(a, b)
            }
        })
        .collect();
    let mut engine = engine();
    engine.declare(cnf.num_vars());
    cnf.clauses().for_each(|clause| engine.add_clause(clause));
    let Outcome::Satisfiable(model) = engine.solve(&[]) else { return Vec::new() };
    let mut follows = Vec::new();
    let mut open: Vec<(usize, Lit)> = Vec::new();
    for (fact, &truth) in truths.iter().enumerate() {
        match truth {
            Truth::Known(value) => follows.push(Var::new(fact as u32).lit(value)),
            Truth::Lit(lit) => open.push((fact, if model.satisfies(lit) { lit } else { !lit })),
        }
    }
    while let Some((fact, lit)) = open.pop() {
        match engine.solve(&[!lit]) {
            Outcome::Satisfiable(other) => open.retain(|&(_, lit)| other.satisfies(lit)),
            _ => {
                let positive = truths[fact] == Truth::Lit(lit);
                follows.push(Var::new(fact as u32).lit(positive));
            }
        }
    }
    follows.sort_unstable();
    follows
}
