//! Slices of different lengths, one after the other in one array: what a vector of vectors would hold, without an
//! allocation for each.

use putnam_formula::Scratch;

/// The slices in the order in which they were closed.
///
/// Invariant: the ends ascend and are at most the length of the items; what comes after the last end is not closed yet.
#[derive(Clone, Debug)]
pub(crate) struct Groups<T> {
    items: Scratch<T>,
    ends: Scratch<u32>,
}

impl<T> Default for Groups<T> {
    fn default() -> Self {
        Self { items: Scratch::new(), ends: Scratch::new() }
    }
}

impl<T: Copy> Groups<T> {
    /// The number of closed groups.
    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }

    /// Where the items of a group lie among all.
    pub(crate) fn range(&self, index: usize) -> std::ops::Range<usize> {
        let start = if index == 0 { 0 } else { self.ends[index - 1] as usize };
        start..self.ends[index] as usize
    }

    pub(crate) fn get(&self, index: usize) -> &[T] {
        &self.items[self.range(index)]
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &[T]> + '_ {
        (0..self.len()).map(|index| self.get(index))
    }

    /// The items of all groups.
    pub(crate) fn items(&self) -> &[T] {
        &self.items
    }

    /// Appends to the open group.
    pub(crate) fn extend(&mut self, items: impl IntoIterator<Item = T>) {
        self.items.extend(items);
    }

    /// The open group.
    pub(crate) fn open(&mut self) -> &mut [T] {
        let start = self.ends.last().map_or(0, |&end| end as usize);
        &mut self.items[start..]
    }

    /// Closes the open group.
    pub(crate) fn close(&mut self) {
        assert!(self.items.len() <= u32::MAX as usize, "groups exhausted");
        self.ends.push(self.items.len() as u32);
    }

    /// Appends a group.
    pub(crate) fn push(&mut self, items: impl IntoIterator<Item = T>) {
        self.extend(items);
        self.close();
    }
}

impl<T: Copy + Ord> Groups<T> {
    /// The groups in ascending order, each once.
    pub(crate) fn sorted(&self) -> Self {
        let mut order: Scratch<u32> = (0..self.len() as u32).collect();
        order.sort_unstable_by_key(|&index| self.get(index as usize));
        let mut sorted = Self::default();
        for &index in &order {
            let group = self.get(index as usize);
            if sorted.len() == 0 || sorted.get(sorted.len() - 1) != group {
                sorted.push(group.iter().copied());
            }
        }
        sorted
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_come_back_sorted_and_once() {
        let mut groups: Groups<u32> = Groups::default();
        for group in [&[3, 1][..], &[], &[2], &[3, 1], &[1, 9, 9]] {
            groups.push(group.iter().copied());
        }
        groups.extend([8, 7]);
        groups.open().sort_unstable();
        groups.close();
        assert_eq!((groups.len(), groups.get(1).len(), groups.get(5)), (6, 0, &[7, 8][..]));
        let sorted = groups.sorted();
        assert_eq!(sorted.iter().collect::<Vec<_>>(), [&[][..], &[1, 9, 9], &[2], &[3, 1], &[7, 8]]);
    }
}
