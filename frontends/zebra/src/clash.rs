//! Why a puzzle has no solution, and which clues it does not need.

use crate::encode::{Encoder, Truth};
use crate::puzzle::{Puzzle, Term};
use putnam_explain::{Groups, all_muses, mus, verify_mus};
use putnam_formula::{Cnf, Engine as _, Lit, Outcome};

/// The clues of a puzzle as groups over hard rules of the grid.
fn groups(puzzle: &Puzzle) -> Groups {
    let mut cnf = Cnf::new();
    let mut encoder = Encoder::new(puzzle, &mut cnf, None);
    encoder.grid_rules();
    let mut guards = Vec::with_capacity(puzzle.clues.len());
    for clue in &puzzle.clues {
        let guard = encoder.new_var().positive();
        encoder.set_guard(Some(guard));
        encoder.assert(&clue.formula);
        guards.push(guard);
    }
    let mut groups = Groups::new(cnf.num_vars());
    cnf.clauses().for_each(|clause| groups.add_hard(clause));
    guards.iter().for_each(|&guard| {
        groups.add_group(&[vec![guard]]);
    });
    groups
}

/// A minimal set of clues that have no solution together, by their indices: without any one of them there is a solution. None
/// for a puzzle with a solution, and for one whose clues may lie.
pub fn clash(puzzle: &Puzzle) -> Option<Vec<usize>> {
    if puzzle.lies > 0 {
        return None;
    }
    let mut groups = groups(puzzle);
    let all: Vec<usize> = (0..groups.len()).collect();
    let minimal = mus(&mut groups, &all)?;
    verify_mus(&mut groups, &minimal).then_some(minimal)
}

/// Up to `limit` minimal sets of clues that have no solution together, and whether these are all.
pub fn all_clashes(puzzle: &Puzzle, limit: usize) -> (Vec<Vec<usize>>, bool) {
    if puzzle.lies > 0 {
        return (Vec::new(), true);
    }
    all_muses(&mut groups(puzzle), limit)
}

/// The clues each of which follows from the grid and all others, by their indices. For a puzzle without lies that has a
/// solution.
pub fn redundant(puzzle: &Puzzle) -> Vec<usize> {
    if puzzle.lies > 0 {
        return Vec::new();
    }
    // The truth of each clue as a literal, over the clauses of the grid.
    let mut cnf = Cnf::new();
    let mut encoder = Encoder::new(puzzle, &mut cnf, None);
    encoder.grid_rules();
    let truths: Vec<Truth> = puzzle.clues.iter().map(|clue| encoder.truth(&clue.formula)).collect();
    let mut engine = putnam_cdcl::Solver::new();
    engine.declare(cnf.num_vars());
    cnf.clauses().for_each(|clause| engine.add_clause(clause));
    let literal = |truth: Truth| match truth {
        Truth::Lit(lit) => Some(lit),
        Truth::Known(_) => None,
    };
    let mut follows = |&clue: &usize| {
        let Some(own) = literal(truths[clue]) else { return true };
        let others = (0..truths.len()).filter(|&c| c != clue).filter_map(|c| literal(truths[c]));
        let assumptions: Vec<Lit> = others.chain([!own]).collect();
        matches!(engine.solve(&assumptions), Outcome::Unsatisfiable { .. })
    };
    (0..truths.len()).filter(|clue| follows(clue)).collect()
}

/// The values that no clue and no question names, each as `category:value`, for categories in which some are named.
pub fn unused_names(puzzle: &Puzzle) -> Vec<String> {
    let mut named: Vec<Term> = puzzle.clues.iter().flat_map(|clue| clue.formula.terms()).collect();
    named.extend(puzzle.questions.iter().map(|question| question.of));
    let mut unused = Vec::new();
    for (c, category) in puzzle.categories.iter().enumerate().filter(|(_, category)| !category.ordered) {
        let missing = puzzle.terms(c).filter(|term| !named.contains(term));
        unused.extend(missing.map(|term| format!("{}:{}", category.name, puzzle.name(term))));
    }
    unused
}
