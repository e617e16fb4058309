//! Which variable to guess next: the one with the highest score, from a binary heap.

/// After each conflict the bonus grows by this, which is the same as if all scores shrank.
const GROWTH: f64 = 1.0 / 0.95;

/// Scores of variables, and a heap of those that may be guessed. Ties go to the smaller index.
pub(crate) struct Scores {
    scores: Vec<f64>,
    bonus: f64,
    heap: Vec<u32>,
    /// By variable: its place in the heap, if it is there.
    places: Vec<Option<u32>>,
}

impl Default for Scores {
    fn default() -> Self {
        Self { scores: Vec::new(), bonus: 1.0, heap: Vec::new(), places: Vec::new() }
    }
}

impl Scores {
    /// Makes room for one more variable, which is put into the heap.
    pub(crate) fn add_var(&mut self) {
        let var = self.scores.len() as u32;
        self.scores.push(0.0);
        self.places.push(None);
        self.insert(var);
    }

    /// Gives a variable the bonus.
    pub(crate) fn bump(&mut self, var: u32) {
        self.scores[var as usize] += self.bonus;
        if let Some(place) = self.places[var as usize] {
            self.sift_up(place as usize);
        }
    }

    /// Lets all scores fade against those that are bumped from now on.
    pub(crate) fn decay(&mut self) {
        self.bonus *= GROWTH;
        if self.bonus > 1e100 {
            // The order stays: all scores shrink alike, and what vanishes had faded.
            self.scores.iter_mut().for_each(|score| *score *= 1e-100);
            self.bonus *= 1e-100;
        }
    }

    /// Takes the variable with the highest score out of the heap.
    pub(crate) fn pop(&mut self) -> Option<u32> {
        let top = *self.heap.first()?;
        let last = self.heap.pop()?;
        self.places[top as usize] = None;
        if last != top {
            self.place(0, last);
            self.sift_down(0);
        }
        Some(top)
    }

    /// Puts a variable back into the heap, if it is not there.
    pub(crate) fn insert(&mut self, var: u32) {
        if self.places[var as usize].is_none() {
            self.heap.push(var);
            self.place(self.heap.len() - 1, var);
            self.sift_up(self.heap.len() - 1);
        }
    }

    fn place(&mut self, place: usize, var: u32) {
        self.heap[place] = var;
        self.places[var as usize] = Some(place as u32);
    }

    fn before(&self, a: u32, b: u32) -> bool {
        let (x, y) = (self.scores[a as usize], self.scores[b as usize]);
        x > y || x == y && a < b
    }

    fn sift_up(&mut self, mut place: usize) {
        let var = self.heap[place];
        while place > 0 && self.before(var, self.heap[(place - 1) / 2]) {
            self.place(place, self.heap[(place - 1) / 2]);
            place = (place - 1) / 2;
        }
        self.place(place, var);
    }

    fn sift_down(&mut self, mut place: usize) {
        let var = self.heap[place];
        while let Some(&left) = self.heap.get(2 * place + 1) {
            let right = self.heap.get(2 * place + 2).copied().filter(|&right| self.before(right, left));
            let child = right.unwrap_or(left);
            if !self.before(child, var) {
                break;
            }
            let next = 2 * place + 1 + right.is_some() as usize;
            self.place(place, child);
            place = next;
        }
        self.place(place, var);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variables_come_out_by_score_and_then_by_index() {
        let mut scores = Scores::default();
        (0..50).for_each(|_| scores.add_var());
        let bonus_of = |var: u32| (var * 7 + 3) % 10;
        for var in 0..50 {
            (0..bonus_of(var)).for_each(|_| scores.bump(var));
        }
        let order: Vec<u32> = std::iter::from_fn(|| scores.pop()).collect();
        let mut expected: Vec<u32> = (0..50).collect();
        expected.sort_by_key(|&var| (std::cmp::Reverse(bonus_of(var)), var));
        assert_eq!(order, expected);
    }

    #[test]
    fn old_bonuses_fade() {
        let mut scores = Scores::default();
        (0..2).for_each(|_| scores.add_var());
        (0..3).for_each(|_| scores.bump(0));
        (0..10_000).for_each(|_| scores.decay());
        scores.bump(1);
        assert_eq!(scores.pop(), Some(1));
        scores.insert(1);
        scores.insert(1);
        assert_eq!((scores.pop(), scores.pop(), scores.pop()), (Some(1), Some(0), None));
        assert!(scores.scores.iter().all(|score| score.is_finite()));
    }
}
