//! Clauses that have fewer sets than they are: a matching, and what cannot be matched.

use super::{Candidates, Pigeonholes};
use crate::data::groups::Groups;
use putnam_formula::{Lit, Scratch};
use std::collections::{BTreeMap, HashMap, HashSet};

const NONE: usize = usize::MAX;

/// Clauses on the left, sets on the right.
struct Graph {
    /// By clause: the sets that have a literal of it.
    neighbours: Groups<u32>,
    /// By clause: its set.
    set_of: Scratch<usize>,
    /// By set: its clause.
    clause_of: Scratch<usize>,
}

/// Looks for clauses without common literals that have one set less than they are. None when the limit of ticks is
/// reached too.
pub(super) fn find(candidates: &Candidates, ticks: &mut u64, limit: u64) -> Option<Pigeonholes> {
    let mut graph = build(candidates, ticks);
    let mut reached = Scratch::from(vec![0; graph.clause_of.len()]);
    for root in 0..graph.set_of.len() {
        if *ticks >= limit {
            return None;
        }
        if let Some(clauses) = graph.match_from(root, &mut reached, root + 1, ticks)
            && let Some(pigeonholes) = pigeonholes(candidates, &graph, &clauses)
        {
            return Some(pigeonholes);
        }
    }
    None
}

/// A clause is not joined to sets with two of its literals, which are about itself, unless a literal has no others.
fn build(candidates: &Candidates, ticks: &mut u64) -> Graph {
    let mut sets_of: HashMap<Lit, Vec<u32>> = HashMap::new();
    for (index, set) in (0..).zip(candidates.exclusive.iter()) {
        set.iter().for_each(|&lit| sets_of.entry(lit).or_default().push(index));
        *ticks += set.len() as u64;
    }
    let mut neighbours = Groups::default();
    let mut joined: Vec<u32> = Vec::new();
    for clause in candidates.clauses.iter() {
        joined.clear();
        for lit in clause {
            let sets = sets_of.get(lit).map_or(&[][..], Vec::as_slice);
            let is_own = |set: u32| {
                let members = candidates.exclusive.get(set as usize);
                clause.iter().any(|other| other != lit && members.binary_search(other).is_ok())
            };
            let before = joined.len();
            joined.extend(sets.iter().copied().filter(|&set| !is_own(set)));
            if joined.len() == before {
                joined.extend(sets.iter().copied().max_by_key(|&set| candidates.exclusive.get(set as usize).len()));
            }
            *ticks += 1 + (sets.len() * clause.len()) as u64 / 4;
        }
        joined.sort_unstable();
        joined.dedup();
        neighbours.push(joined.iter().copied());
    }
    let (clauses, sets) = (candidates.clauses.len(), candidates.exclusive.len());
    Graph { neighbours, set_of: vec![NONE; clauses].into(), clause_of: vec![NONE; sets].into() }
}

impl Graph {
    /// Matches a clause along an augmenting path. When there is none, answers with all clauses on alternating paths.
    fn match_from(&mut self, root: usize, reached: &mut [usize], stamp: usize, ticks: &mut u64) -> Option<Vec<usize>> {
        let mut clauses = vec![root];
        // By set: the clause from which it was reached.
        let mut from: HashMap<usize, usize> = HashMap::new();
        let mut next = 0;
        while let Some(&clause) = clauses.get(next) {
            next += 1;
            *ticks += 1 + self.neighbours.get(clause).len() as u64;
            for &set in self.neighbours.get(clause) {
                let set = set as usize;
                if std::mem::replace(&mut reached[set], stamp) == stamp {
                    continue;
                }
                from.insert(set, clause);
                if self.clause_of[set] != NONE {
                    clauses.push(self.clause_of[set]);
                    continue;
                }
                let mut set = set;
                while set != NONE {
                    let clause = from[&set];
                    self.clause_of[set] = clause;
                    set = std::mem::replace(&mut self.set_of[clause], set);
                }
                return None;
            }
        }
        Some(clauses)
    }
}

/// The literals of the clauses by sets; none when two clauses have a common literal.
fn pigeonholes(candidates: &Candidates, graph: &Graph, clauses: &[usize]) -> Option<Pigeonholes> {
    let mut lits: HashSet<Lit> = HashSet::new();
    if !clauses.iter().flat_map(|&clause| candidates.clauses.get(clause)).all(|&lit| lits.insert(lit)) {
        return None;
    }
    let mut sets: Vec<u32> = clauses.iter().flat_map(|&clause| graph.neighbours.get(clause)).copied().collect();
    sets.sort_unstable();
    sets.dedup();
    let row = |clause: usize| -> Option<BTreeMap<usize, Vec<Lit>>> {
        let mut places: BTreeMap<usize, Vec<Lit>> = BTreeMap::new();
        for &lit in candidates.clauses.get(clause) {
            let mut joined = graph.neighbours.get(clause).iter();
            let set = joined.find(|&&set| candidates.exclusive.get(set as usize).binary_search(&lit).is_ok())?;
            places.entry(sets.binary_search(set).ok()?).or_default().push(lit);
        }
        Some(places)
    };
    let places: Option<Vec<_>> = clauses.iter().map(|&clause| row(clause)).collect();
    Some(Pigeonholes { holes: sets.len(), places: places? })
}
