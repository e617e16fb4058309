//! Cheap sets of elements that exclude a model, by a search tree.

use crate::Groups;
use putnam_formula::Model;

/// Groups to choose from, with what is known of sets of them that have a model.
///
/// A set of groups without a model must have an element of each correction set: of what a maximal satisfiable set leaves
/// out (Reiter, "A theory of diagnosis from first principles", Artificial Intelligence 1987). So the search branches over the elements
/// of a correction set that was not hit yet, each branch without those before it, and makes another one where all
/// that are known are hit. A branch ends when what it has chosen and must still choose costs too much: correction
/// sets share out the costs of their elements, and each adds the smallest share; or there must be too many elements, even
/// if they hit as many sets as any.
///
/// Several questions about the same groups differ in one group, the base, that is always in.
pub(crate) struct Tree<'g> {
    groups: &'g mut Groups,
    /// The groups to choose from. An element is a place in this list.
    elements: Vec<usize>,
    costs: Vec<u64>,
    /// What the cheapest element costs.
    least: u64,
    /// Groups of which each question has one.
    bases: Vec<usize>,
    /// The words of a set of elements.
    words: usize,
    /// The elements that each maximal satisfiable set leaves out.
    corrections: Vec<u64>,
    /// By base: the correction sets that were made with it or hold for it too.
    valid: Vec<Vec<u32>>,
}

/// One walk through the tree, for one base.
struct Walk<'w, 'g, F> {
    tree: &'w mut Tree<'g>,
    base: Option<usize>,
    /// Sets that cost more are not looked at in this walk.
    depth: u64,
    /// Only sets that cost less are wanted at all.
    below: u64,
    /// The least that anything costs that was left out because of `depth`.
    next: u64,
    chosen: Vec<usize>,
    is_chosen: Vec<u64>,
    is_excluded: Vec<u64>,
    leaf: F,
}

/// What the known correction sets say.
enum Known {
    /// All have an element that is chosen.
    Hit,
    /// One cannot be hit any more.
    Closed,
    /// Some have none.
    Missed {
        /// What must still be chosen costs at least so much.
        bound: u64,
        /// The elements to branch over, those that hit most first.
        branch: Vec<usize>,
        /// Those of them that hit all.
        enough: Vec<usize>,
    },
}

impl<'g> Tree<'g> {
    /// Elements with their costs. With `bases` each question has one of these groups too.
    pub(crate) fn new(groups: &'g mut Groups, elements: Vec<usize>, costs: Vec<u64>, bases: Vec<usize>) -> Self {
        let words = elements.len().div_ceil(64);
        let valid = vec![Vec::new(); bases.len().max(1)];
        let least = costs.iter().copied().min().unwrap_or(0);
        Self { groups, elements, costs, least, bases, words, corrections: Vec::new(), valid }
    }

    /// Calls `leaf` with sets of elements without a model that cost at most `depth` and less than `below`, which each
    /// call of `leaf` sets anew, with their costs. A set without a model with these costs is a set that was given to
    /// `leaf` or one with elements that are in no correction set besides. Answers the least that other sets
    /// below the limit cost, as far as that is known; none if there are no others.
    pub(crate) fn walk(
        &mut self,
        base: Option<usize>,
        depth: u64,
        below: u64,
        leaf: impl FnMut(&[usize], u64) -> u64,
    ) -> Option<u64> {
        let words = self.words;
        let mut walk = Walk {
            tree: self,
            base,
            depth,
            below,
            next: u64::MAX,
            chosen: Vec::new(),
            is_chosen: vec![0; words],
            is_excluded: vec![0; words],
            leaf,
        };
        walk.node(0);
        (walk.next < walk.below).then_some(walk.next)
    }

    /// A model of some elements and the base.
    fn solve(&mut self, base: Option<usize>, elements: impl Iterator<Item = usize>) -> Option<Model> {
        let all: Vec<usize> =
            base.map(|b| self.bases[b]).into_iter().chain(elements.map(|e| self.elements[e])).collect();
        self.groups.solve(&all).ok()
    }

    /// The correction set of a maximal satisfiable set around some elements, of which `model` is a model; elements that
    /// are not excluded come before the others.
    fn correct(&mut self, base: Option<usize>, chosen: &[usize], excluded: &[u64], mut model: Model) {
        let mut missed = vec![0; self.words];
        let mut set: Vec<usize> = base.map(|b| self.bases[b]).into_iter().collect();
        set.extend(chosen.iter().map(|&e| self.elements[e]));
        let (free, rest): (Vec<usize>, Vec<usize>) =
            (0..self.elements.len()).filter(|e| !chosen.contains(e)).partition(|&e| !has(excluded, e));
        for mut open in [free, rest] {
            loop {
                open.retain(|&e| {
                    let holds = self.groups.holds(&model, self.elements[e]);
                    if holds {
                        set.push(self.elements[e]);
                    }
                    !holds
                });
                if open.is_empty() {
                    break;
                }
                let groups: Vec<usize> = open.iter().map(|&e| self.elements[e]).collect();
                match self.groups.solve_with_one_of(&set, &groups) {
                    Some(next) => model = next,
                    None => break,
                }
            }
            open.into_iter().for_each(|e| put(&mut missed, e));
        }
        let number = (self.corrections.len() / self.words.max(1)) as u32;
        self.corrections.extend(missed);
        match base {
            None => self.valid[0].push(number),
            Some(_) => {
                for (other, &group) in self.bases.iter().enumerate() {
                    if Some(other) == base || self.groups.holds(&model, group) {
                        self.valid[other].push(number);
                    }
                }
            }
        }
    }
}

impl<F: FnMut(&[usize], u64) -> u64> Walk<'_, '_, F> {
    /// Whether a branch that costs at least `bound` is left out.
    fn cut(&mut self, bound: u64) -> bool {
        if bound > self.depth {
            self.next = self.next.min(bound);
        }
        bound > self.depth || bound >= self.below
    }

    fn node(&mut self, cost: u64) {
        loop {
            match self.known() {
                Known::Closed => return,
                Known::Missed { bound, branch, enough } => {
                    if !self.cut(cost + bound) {
                        // Two elements more may cost too much.
                        let one = self.cut(cost + 2 * self.tree.least);
                        self.branch(cost, if one { enough } else { branch });
                    }
                    return;
                }
                Known::Hit if !self.ask() => break,
                Known::Hit => {}
            }
        }
        self.below = (self.leaf)(&self.chosen, cost);
        let free: Vec<usize> =
            (0..self.tree.elements.len()).filter(|&e| !has(&self.is_chosen, e) && !has(&self.is_excluded, e)).collect();
        if let Some(least) = free.iter().map(|&e| self.tree.costs[e]).min()
            && !self.cut(cost + least)
        {
            self.branch(cost, free);
        }
    }

    /// Chooses one element after the other, each without those before it.
    fn branch(&mut self, cost: u64, elements: Vec<usize>) {
        for &element in &elements {
            let with = cost + self.tree.costs[element];
            if !self.cut(with) {
                self.chosen.push(element);
                put(&mut self.is_chosen, element);
                self.node(with);
                take(&mut self.is_chosen, element);
                self.chosen.pop();
            }
            put(&mut self.is_excluded, element);
        }
        elements.into_iter().for_each(|element| take(&mut self.is_excluded, element));
    }

    /// Makes another correction set that is not hit; false when there is none.
    fn ask(&mut self) -> bool {
        let (count, excluded) = (self.tree.elements.len(), self.is_excluded.clone());
        let all = || (0..count).filter(|&e| !has(&excluded, e));
        // Where even all that may be chosen have a model, nothing will be found.
        if excluded.iter().any(|&word| word != 0)
            && let Some(model) = self.tree.solve(self.base, all())
        {
            let chosen: Vec<usize> = all().collect();
            self.tree.correct(self.base, &chosen, &excluded, model);
            return true;
        }
        // The engine starts from its last model: if that is one of everything without the base, few groups are left out.
        self.tree.solve(None, 0..count);
        let Some(model) = self.tree.solve(self.base, self.chosen.iter().copied()) else { return false };
        self.tree.correct(self.base, &self.chosen, &excluded, model);
        true
    }

    fn known(&self) -> Known {
        let (tree, words) = (&self.tree, self.tree.words);
        let row = |number: u32| &tree.corrections[number as usize * words..][..words];
        let mut missed: Vec<(u32, u32)> = Vec::new();
        for &number in &tree.valid[self.base.unwrap_or(0)] {
            let row = row(number);
            if row.iter().zip(&self.is_chosen).all(|(a, b)| a & b == 0) {
                let left = row.iter().zip(&self.is_excluded).map(|(a, b)| (a & !b).count_ones()).sum();
                if left == 0 {
                    return Known::Closed;
                }
                missed.push((left, number));
            }
        }
        if missed.is_empty() {
            return Known::Hit;
        }
        missed.sort_unstable();
        let mut left = tree.costs.clone();
        let mut hits = vec![0u32; tree.elements.len()];
        let mut bound = 0;
        for &(_, number) in &missed {
            let allowed = || members(row(number), &self.is_excluded);
            let share = allowed().map(|e| left[e]).min().unwrap_or(0);
            bound += share;
            for element in allowed() {
                left[element] -= share;
                hits[element] += 1;
            }
        }
        let mut branch: Vec<usize> = members(row(missed[0].1), &self.is_excluded).collect();
        branch.sort_by_key(|&e| std::cmp::Reverse(hits[e]));
        let enough = branch.iter().copied().filter(|&e| hits[e] as usize == missed.len()).collect();
        // So many elements are needed, if each hits as much as possible.
        hits.sort_unstable_by_key(|&count| std::cmp::Reverse(count));
        let (mut hit, mut needed) = (0, 0);
        while hit < missed.len() {
            hit += hits[needed] as usize;
            needed += 1;
        }
        Known::Missed { bound: bound.max(needed as u64 * tree.least), branch, enough }
    }
}

fn put(set: &mut [u64], element: usize) {
    set[element / 64] |= 1 << (element % 64);
}

fn take(set: &mut [u64], element: usize) {
    set[element / 64] &= !(1 << (element % 64));
}

fn has(set: &[u64], element: usize) -> bool {
    set[element / 64] >> (element % 64) & 1 == 1
}

/// The elements of a set that are not excluded.
fn members(set: &[u64], excluded: &[u64]) -> impl Iterator<Item = usize> {
    set.iter().zip(excluded).enumerate().flat_map(|(place, (&word, &without))| {
        let mut left = word & !without;
        std::iter::from_fn(move || {
            let bit = left.trailing_zeros() as usize;
            left &= left.wrapping_sub(1);
            (bit < 64).then_some(64 * place + bit)
        })
    })
}
