//! All minimal unsatisfiable subsets.

use crate::Groups;
use crate::mus::mus;
use putnam_cdcl::Solver;
use putnam_formula::{Engine as _, Lit, Model, Outcome, Var};

/// Up to `limit` minimal unsatisfiable subsets of all groups, and whether these are all there are.
///
/// A map formula describes the subsets that are not yet known; each seed from it either has a model and grows to a
/// maximal satisfiable subset or shrinks to a minimal unsatisfiable one (Liffiton, Previti, Malik and Marques-Silva,
/// "Fast, flexible MUS enumeration", Constraints 2016).
pub fn all_muses(groups: &mut Groups, limit: usize) -> (Vec<Vec<usize>>, bool) {
    let count = groups.len();
    let taken = |group: usize| -> Lit { Var::new(group as u32).positive() };
    let mut map = Solver::new();
    map.declare(count as u32);
    let mut found = Vec::new();
    loop {
        let Outcome::Satisfiable(model) = map.solve(&[]) else { return (found, true) };
        if found.len() == limit {
            return (found, false);
        }
        let seed: Vec<usize> = (0..count).filter(|&g| model.satisfies(taken(g))).collect();
        match groups.solve(&seed) {
            Err(core) => {
                let minimal = mus(groups, &core).unwrap_or(core);
                let block: Vec<Lit> = minimal.iter().map(|&g| !taken(g)).collect();
                map.add_clause(&block);
                found.push(minimal);
            }
            Ok(model) => {
                let inside = grow(groups, seed, &model);
                let block: Vec<Lit> = (0..count).filter(|&g| !inside[g]).map(taken).collect();
                map.add_clause(&block);
            }
        }
    }
}

/// A maximal set of groups around these that has a model, of which `model` is one: whether each group is in it. What
/// holds in the models on the way need not be asked for.
fn grow(groups: &mut Groups, mut set: Vec<usize>, model: &Model) -> Vec<bool> {
    let mut inside: Vec<bool> = (0..groups.len()).map(|g| set.contains(&g) || groups.holds(model, g)).collect();
    set = (0..groups.len()).filter(|&g| inside[g]).collect();
    for group in 0..groups.len() {
        if inside[group] {
            continue;
        }
        set.push(group);
        match groups.solve(&set) {
            Ok(model) => {
                let held: Vec<usize> =
                    (group..groups.len()).filter(|&g| !inside[g] && (g == group || groups.holds(&model, g))).collect();
                held.iter().for_each(|&g| inside[g] = true);
                set.extend(held.into_iter().filter(|&g| g != group));
            }
            Err(_) => {
                set.pop();
            }
        }
    }
    inside
}
