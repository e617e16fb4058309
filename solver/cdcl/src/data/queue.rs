//! VMTF: variables in a doubly linked list; bumping moves one to the end, and decisions are taken from the end (Ryan,
//! Siege, 2004; the stamps that make the search for an unassigned one cheap are from Biere and Fröhlich, SAT 2015).

use putnam_formula::Var;

const NONE: u32 = u32::MAX;

#[derive(Clone, Copy)]
struct Link {
    prev: u32,
    next: u32,
    stamp: u64,
}

/// Variables by the time of their last bump.
///
/// Invariant of the search position: every variable after it is assigned. Owners keep it by calling
/// [`VarQueue::unassigned`] for each variable that loses its value.
pub(crate) struct VarQueue {
    links: Vec<Link>,
    first: u32,
    last: u32,
    search: u32,
    stamp: u64,
    /// The stamp of the last variable that was put before all others.
    low: u64,
}

/// Stamps count up from here for those at the end, down for those at the front.
const MIDDLE: u64 = 1 << 32;

impl Default for VarQueue {
    fn default() -> Self {
        Self { links: Vec::new(), first: NONE, last: NONE, search: NONE, stamp: MIDDLE, low: MIDDLE }
    }
}

impl VarQueue {
    /// Takes all variables off the list and gives up their room.
    pub(crate) fn clear(&mut self) {
        let links = std::mem::take(&mut self.links);
        *self = Self { links, ..Self::default() };
        self.links.clear();
    }

    /// Makes room for another variable, which is not on the list yet.
    pub(crate) fn grow(&mut self) {
        self.links.push(Link { prev: NONE, next: NONE, stamp: 0 });
    }

    /// Puts a variable that is not on the list, and not assigned, at its end.
    pub(crate) fn push(&mut self, var: Var) {
        self.append(var.index() as u32);
        self.search = self.last;
    }

    /// Puts a variable that is not on the list at its front, so that it is decided last.
    pub(crate) fn push_front(&mut self, var: Var) {
        let index = var.index() as u32;
        self.low -= 1;
        self.links[index as usize] = Link { prev: NONE, next: self.first, stamp: self.low };
        match self.first {
            NONE => (self.last, self.search) = (index, index),
            first => self.links[first as usize].prev = index,
        }
        self.first = index;
    }

    fn append(&mut self, index: u32) {
        self.stamp += 1;
        self.links[index as usize] = Link { prev: self.last, next: NONE, stamp: self.stamp };
        match self.last {
            NONE => self.first = index,
            last => self.links[last as usize].next = index,
        }
        self.last = index;
    }

    fn unlink(&mut self, index: u32) {
        let Link { prev, next, .. } = self.links[index as usize];
        match prev {
            NONE => self.first = next,
            prev => self.links[prev as usize].next = next,
        }
        match next {
            NONE => self.last = prev,
            next => self.links[next as usize].prev = prev,
        }
    }

    /// Takes a variable that is on the list off it.
    pub(crate) fn remove(&mut self, var: Var) {
        let index = var.index() as u32;
        self.unlink(index);
        if self.search == index {
            self.search = self.last;
        }
    }

    /// Moves a variable to the end.
    pub(crate) fn bump(&mut self, var: Var, is_assigned: bool) {
        let index = var.index() as u32;
        if self.last == index {
            return;
        }
        if self.search == index {
            // The variable is assigned or becomes the search position again below.
            self.search = if self.links[index as usize].prev != NONE {
                self.links[index as usize].prev
            } else {
                self.links[index as usize].next
            };
        }
        self.unlink(index);
        self.append(index);
        if !is_assigned {
            self.search = index;
        }
    }

    /// When the variable was last bumped; larger is later.
    #[inline]
    pub(crate) fn stamp(&self, var: Var) -> u64 {
        self.links[var.index()].stamp
    }

    /// Tells that a variable lost its value.
    #[inline]
    pub(crate) fn unassigned(&mut self, var: Var) {
        if self.search == NONE || self.links[var.index()].stamp > self.links[self.search as usize].stamp {
            self.search = var.index() as u32;
        }
    }

    /// Lets the next search start from the end.
    pub(crate) fn reset_search(&mut self) {
        self.search = self.last;
    }

    /// The last variable for which `is_assigned` answers false.
    pub(crate) fn last_unassigned(&mut self, is_assigned: impl Fn(Var) -> bool) -> Option<Var> {
        let mut index = self.search;
        while index != NONE && is_assigned(Var::new(index)) {
            index = self.links[index as usize].prev;
        }
        if index != NONE {
            self.search = index;
        }
        (index != NONE).then(|| Var::new(index))
    }

    /// Bytes that are held.
    pub(crate) fn bytes(&self) -> usize {
        self.links.capacity() * size_of::<Link>()
    }

    /// All variables from the last bumped to the first.
    pub(crate) fn backwards(&self) -> impl Iterator<Item = Var> + '_ {
        let start = (self.last != NONE).then_some(self.last);
        std::iter::successors(start, |&i| {
            let prev = self.links[i as usize].prev;
            (prev != NONE).then_some(prev)
        })
        .map(Var::new)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::random::Random;

    #[test]
    fn finds_the_last_bumped_unassigned_variable() {
        let mut queue = VarQueue::default();
        let mut assigned = [false; 9];
        for i in 0..9 {
            queue.grow();
            queue.push(Var::new(i));
        }
        let mut order: Vec<usize> = (0..9).collect();
        let mut random = Random::new(3);
        for _ in 0..2000 {
            let i = random.below(9) as usize;
            match random.below(3) {
                0 if assigned[i] => {
                    assigned[i] = false;
                    queue.unassigned(Var::new(i as u32));
                }
                1 => assigned[i] = true,
                _ => {
                    order.retain(|&x| x != i);
                    order.push(i);
                    queue.bump(Var::new(i as u32), assigned[i]);
                }
            }
            if random.below(50) == 0 {
                let i = order[random.below(9) as usize];
                queue.remove(Var::new(i as u32));
                assigned[i] = false;
                order.retain(|&x| x != i);
                if random.coin() {
                    order.push(i);
                    queue.push(Var::new(i as u32));
                } else {
                    order.insert(0, i);
                    queue.push_front(Var::new(i as u32));
                    queue.unassigned(Var::new(i as u32));
                }
            }
            let expected = order.iter().rev().find(|&&x| !assigned[x]).copied();
            assert_eq!(queue.last_unassigned(|v| assigned[v.index()]).map(Var::index), expected);
            assert!(queue.backwards().map(Var::index).eq(order.iter().rev().copied()));
        }
    }
}
