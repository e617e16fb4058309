//! The cheapest unsatisfiable subset.

use crate::Groups;
use crate::tree::Tree;
use putnam_formula::{Lit, Var};
use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap, HashSet};

/// A group is dear if so many times its cost is more than that of the dearest.
const DEAR: u64 = 8;

/// Finds cheapest subsets of groups that have no model with the hard clauses.
///
/// Dear groups are chosen first, as if all cheap ones were there: what these settle is settled once, and which dear
/// groups clash is a small question. For each such choice the cheapest cheap groups that suffice are looked for; then
/// dearer choices up to the best total. Of alternatives of which exactly one is wanted, that with the lowest bound
/// goes on, until the next bound is reached (Gamba, Bogaerts and Guns, "Efficiently explaining CSPs with unsatisfiable subset
/// optimization", JAIR 2023, have the question, and answer it with hitting sets of correction sets of all groups).
pub struct Cheapest {
    groups: Groups,
    costs: Vec<u64>,
}

impl Cheapest {
    /// No question yet; group g costs `costs[g]`.
    ///
    /// # Panics
    /// If there is not one cost for each group.
    pub fn new(groups: Groups, costs: Vec<u64>) -> Self {
        assert_eq!(groups.len(), costs.len());
        Self { groups, costs }
    }

    /// A subset of the groups in `among` and exactly one in `one_of`, unless that list is empty, that has no model with
    /// the hard clauses and costs least, and less than `below`, in ascending order with its cost; none when there is none.
    /// No group is in both lists.
    pub fn find(&self, among: &[usize], one_of: &[usize], below: u64) -> Option<(Vec<usize>, u64)> {
        let most = among.iter().map(|&g| self.costs[g]).max().unwrap_or(0);
        let (dear, cheap): (Vec<usize>, Vec<usize>) = among.iter().partition(|&&g| DEAR * self.costs[g] > most);
        let mut search = Search { all: self, most, cheap, below, best: None, least: u64::MAX, seen: HashSet::new() };
        let (active, idle) = search.split(&dear);
        search.run(&active, one_of);
        // What says nothing new where all cheap groups are there can still stand for cheap groups.
        let cost = idle.iter().map(|&g| self.costs[g]).min();
        if cost.is_some_and(|cost| search.least.saturating_add(cost) < search.below) {
            search.run(&dear, one_of);
        }
        search.best.map(|mut set| {
            set.sort_unstable();
            (set, search.below)
        })
    }
}

/// One question.
struct Search<'c> {
    all: &'c Cheapest,
    /// What the dearest group costs.
    most: u64,
    cheap: Vec<usize>,
    /// What the best set costs; only cheaper ones are wanted.
    below: u64,
    best: Option<Vec<usize>>,
    /// The least that dear groups cost that have no model with all cheap ones.
    least: u64,
    /// The dear groups, and the one of the alternatives, for which cheap ones were looked for.
    seen: HashSet<Vec<usize>>,
}

impl Search<'_> {
    /// The literals that cheap groups settle.
    fn settled(&self) -> HashSet<Lit> {
        let unit = |&g: &usize| match self.all.groups.clauses(g) {
            [clause] if clause.len() == 1 => Some(clause[0]),
            _ => None,
        };
        self.cheap.iter().filter_map(unit).collect()
    }

    /// Groups that say something where all cheap groups are there, and those that do not.
    fn split(&self, groups: &[usize]) -> (Vec<usize>, Vec<usize>) {
        let settled = self.settled();
        groups.iter().partition(|&&g| !reduced(self.all.groups.clauses(g), &settled).is_empty())
    }

    fn run(&mut self, dear: &[usize], one_of: &[usize]) {
        let settled = self.settled();
        let mut part = Part::default();
        part.hard.extend_from_slice(self.all.groups.hard());
        part.hard.extend(self.cheap.iter().flat_map(|&g| self.all.groups.clauses(g).iter().cloned()));
        part.groups = dear.iter().chain(one_of).map(|&g| reduced(self.all.groups.clauses(g), &settled)).collect();
        let mut groups = part.build();
        let costs: Vec<u64> = dear.iter().map(|&g| self.all.costs[g]).collect();
        let bases = (dear.len()..dear.len() + one_of.len()).collect();
        let mut tree = Tree::new(&mut groups, (0..dear.len()).collect(), costs, bases);
        let all = self.all;
        let base_cost = |base: Option<usize>| base.map_or(0, |b| all.costs[one_of[b]]);
        let bases = if one_of.is_empty() { vec![None] } else { (0..one_of.len()).map(Some).collect() };
        let mut queue: BinaryHeap<Reverse<(u64, Option<usize>)>> =
            bases.into_iter().map(|base| Reverse((base_cost(base), base))).collect();
        while let Some(Reverse((bound, base))) = queue.pop() {
            if bound >= self.below {
                return;
            }
            let own = base_cost(base);
            let depth = queue.peek().map_or(bound, |Reverse((next, _))| (*next).max(bound)) - own;
            let below = self.below - own;
            let next = tree.walk(base, depth, below, |chosen, cost| {
                let set: Vec<usize> =
                    base.map(|b| one_of[b]).into_iter().chain(chosen.iter().map(|&e| dear[e])).collect();
                self.fill(set, own + cost);
                self.below - own
            });
            if let Some(next) = next {
                queue.push(Reverse((own + next, base)));
            }
        }
    }

    /// The cheapest cheap groups that have no model with these dear groups.
    fn fill(&mut self, mut set: Vec<usize>, cost: u64) {
        self.least = self.least.min(cost);
        set.sort_unstable();
        if cost >= self.below || !self.seen.insert(set.clone()) {
            return;
        }
        let cheap = self.connected(&set);
        let mut part = Part { hard: self.all.groups.hard().to_vec(), ..Part::default() };
        part.hard.extend(set.iter().flat_map(|&g| self.all.groups.clauses(g).iter().cloned()));
        part.groups = cheap.iter().map(|&g| self.all.groups.clauses(g).to_vec()).collect();
        let mut groups = part.build();
        let costs = cheap.iter().map(|&g| self.all.costs[g]).collect();
        let mut tree = Tree::new(&mut groups, (0..cheap.len()).collect(), costs, Vec::new());
        let mut depth = Some(0);
        while let Some(bound) = depth {
            let mut found: Option<(Vec<usize>, u64)> = None;
            depth = tree.walk(None, bound, self.below - cost, |chosen, cost| {
                found = Some((chosen.to_vec(), cost));
                cost
            });
            if let Some((chosen, more)) = found {
                set.extend(chosen.into_iter().map(|e| cheap[e]));
                self.below = cost + more;
                self.best = Some(set);
                return;
            }
        }
    }

    /// The cheap groups that share variables with these groups or the hard clauses, directly or by others. Others could
    /// only clash among themselves, which is seen where there is no dear group; then it is all.
    fn connected(&self, set: &[usize]) -> Vec<usize> {
        let mut vars: HashSet<Var> = self.all.groups.hard().iter().flatten().map(|lit| lit.var()).collect();
        let of = |g: usize| self.all.groups.clauses(g).iter().flatten().map(|lit| lit.var());
        set.iter().for_each(|&g| vars.extend(of(g)));
        if set.iter().all(|&g| DEAR * self.all.costs[g] <= self.most) {
            return self.cheap.clone();
        }
        let (mut inside, mut rest) = (Vec::new(), self.cheap.clone());
        loop {
            let (near, far): (Vec<usize>, Vec<usize>) = rest.iter().partition(|&&g| of(g).any(|v| vars.contains(&v)));
            if near.is_empty() {
                return inside;
            }
            near.iter().for_each(|&g| vars.extend(of(g)));
            inside.extend(near);
            rest = far;
        }
    }
}

/// What is left of clauses when some literals are true.
fn reduced(clauses: &[Vec<Lit>], settled: &HashSet<Lit>) -> Vec<Vec<Lit>> {
    let open = clauses.iter().filter(|clause| !clause.iter().any(|lit| settled.contains(lit)));
    open.map(|clause| clause.iter().copied().filter(|&lit| !settled.contains(&!lit)).collect()).collect()
}

/// Some clauses and groups out of many.
#[derive(Default)]
struct Part {
    hard: Vec<Vec<Lit>>,
    groups: Vec<Vec<Vec<Lit>>>,
}

impl Part {
    /// The groups, over as many variables as occur.
    fn build(self) -> Groups {
        let mut names: HashMap<Var, Var> = HashMap::new();
        let mut rename = |clause: Vec<Lit>| -> Vec<Lit> {
            let name = |lit: Lit| {
                let next = Var::new(names.len() as u32);
                names.entry(lit.var()).or_insert(next).lit(lit.is_positive())
            };
            clause.into_iter().map(name).collect()
        };
        let hard: Vec<Vec<Lit>> = self.hard.into_iter().map(&mut rename).collect();
        let groups: Vec<Vec<Vec<Lit>>> =
            self.groups.into_iter().map(|clauses| clauses.into_iter().map(&mut rename).collect()).collect();
        let mut built = Groups::new(names.len() as u32);
        hard.iter().for_each(|clause| built.add_hard(clause));
        groups.iter().for_each(|clauses| {
            built.add_group(clauses);
        });
        built
    }
}
