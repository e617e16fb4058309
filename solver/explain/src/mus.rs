//! One minimal unsatisfiable subset.

use crate::Groups;

/// A minimal subset of `groups` that has no model with the hard clauses: without any one of its groups it has one. None
/// when they have a model. The result is in ascending order.
///
/// Groups are left out one by one; each proof without a group cuts the rest down to its core (Dershowitz, Hanna and
/// Nadel, "A scalable algorithm for minimal unsatisfiable core extraction", SAT 2006).
pub fn mus(groups: &mut Groups, among: &[usize]) -> Option<Vec<usize>> {
    let mut open = groups.core(among)?;
    let mut needed: Vec<usize> = Vec::new();
    while let Some(tried) = open.pop() {
        let rest: Vec<usize> = needed.iter().chain(&open).copied().collect();
        match groups.core(&rest) {
            None => needed.push(tried),
            Some(core) => open.retain(|group| core.contains(group)),
        }
    }
    needed.sort_unstable();
    Some(needed)
}

/// Whether the groups have no model, and have one without any single one of them.
pub fn verify_mus(groups: &mut Groups, subset: &[usize]) -> bool {
    let without = |i: usize| [&subset[..i], &subset[i + 1..]].concat();
    groups.core(subset).is_some() && (0..subset.len()).all(|i| groups.core(&without(i)).is_none())
}
