//! EVSIDS: variables in a binary heap by their score, the most active on top (Eén and Sörensson, MiniSat, 2003; Biere
//! and Fröhlich, Evaluating CDCL Variable Scoring Schemes, SAT 2015).

use putnam_formula::{Scratch, Var};

const ABSENT: u32 = u32::MAX;
/// Scores are scaled down when one passes this.
const RESCALE: f64 = 1e150;

/// Variables by score.
pub(crate) struct ScoreHeap {
    heap: Scratch<Var>,
    place: Scratch<u32>,
    score: Scratch<f64>,
    increment: f64,
}

impl Default for ScoreHeap {
    fn default() -> Self {
        Self { heap: Scratch::new(), place: Scratch::new(), score: Scratch::new(), increment: 1.0 }
    }
}

impl ScoreHeap {
    /// Makes room for another variable, which is not on the heap yet.
    pub(crate) fn grow(&mut self) {
        self.place.push(ABSENT);
        self.score.push(0.0);
    }

    #[inline]
    pub(crate) fn contains(&self, var: Var) -> bool {
        self.place[var.index()] != ABSENT
    }

    /// The variable with the highest score.
    #[inline]
    pub(crate) fn top(&self) -> Option<Var> {
        self.heap.first().copied()
    }

    #[cfg(test)]
    fn score(&self, var: Var) -> f64 {
        self.score[var.index()]
    }

    /// Adds a variable that is not on the heap.
    pub(crate) fn push(&mut self, var: Var) {
        if self.contains(var) {
            return;
        }
        self.place[var.index()] = self.heap.len() as u32;
        self.heap.push(var);
        self.up(self.heap.len() - 1);
    }

    /// Takes the variable with the highest score.
    pub(crate) fn pop(&mut self) -> Option<Var> {
        let top = self.top()?;
        let last = self.heap.pop()?;
        self.place[top.index()] = ABSENT;
        if last != top {
            self.heap[0] = last;
            self.place[last.index()] = 0;
            self.down(0);
        }
        Some(top)
    }

    /// Takes a variable off the heap, if it is on it.
    pub(crate) fn remove(&mut self, var: Var) {
        let at = std::mem::replace(&mut self.place[var.index()], ABSENT) as usize;
        let Some(&last) = self.heap.last() else { return };
        if at == ABSENT as usize {
            return;
        }
        self.heap.pop();
        if last != var {
            self.heap[at] = last;
            self.place[last.index()] = at as u32;
            self.up(at);
            self.down(self.place[last.index()] as usize);
        }
    }

    /// Gives a variable a score.
    pub(crate) fn set_score(&mut self, var: Var, score: f64) {
        let old = std::mem::replace(&mut self.score[var.index()], score);
        if self.contains(var) {
            let at = self.place[var.index()] as usize;
            if score > old {
                self.up(at);
            } else if score < old {
                self.down(at);
            }
        }
    }

    /// Raises the score of a variable.
    pub(crate) fn bump(&mut self, var: Var) {
        let score = &mut self.score[var.index()];
        *score += self.increment;
        if *score > RESCALE {
            self.rescale();
        }
        if self.contains(var) {
            self.up(self.place[var.index()] as usize);
        }
    }

    /// Lowers all scores relative to later bumps: `factor` is what remains, below 1.
    pub(crate) fn decay(&mut self, factor: f64) {
        self.increment /= factor;
        if self.increment > RESCALE {
            self.rescale();
        }
    }

    #[cold]
    fn rescale(&mut self) {
        self.score.iter_mut().for_each(|score| *score /= RESCALE);
        self.increment /= RESCALE;
    }

    fn up(&mut self, mut at: usize) {
        let var = self.heap[at];
        let score = self.score[var.index()];
        while at > 0 {
            let parent = (at - 1) / 2;
            let above = self.heap[parent];
            if self.score[above.index()] >= score {
                break;
            }
            self.heap[at] = above;
            self.place[above.index()] = at as u32;
            at = parent;
        }
        self.heap[at] = var;
        self.place[var.index()] = at as u32;
    }

    fn down(&mut self, mut at: usize) {
        let var = self.heap[at];
        let score = self.score[var.index()];
        loop {
            let mut child = 2 * at + 1;
            if child >= self.heap.len() {
                break;
            }
            let mut below = self.heap[child];
            if let Some(&right) = self.heap.get(child + 1)
                && self.score[right.index()] > self.score[below.index()]
            {
                child += 1;
                below = right;
            }
            if self.score[below.index()] <= score {
                break;
            }
            self.heap[at] = below;
            self.place[below.index()] = at as u32;
            at = child;
        }
        self.heap[at] = var;
        self.place[var.index()] = at as u32;
    }

    /// Whether `first` would be decided before `second`.
    pub(crate) fn precedes(&self, first: Var, second: Var) -> bool {
        self.score[first.index()] > self.score[second.index()]
    }

    /// Bytes that are held.
    pub(crate) fn bytes(&self) -> usize {
        self.heap.capacity() * 4 + self.place.capacity() * 4 + self.score.capacity() * 8
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::random::Random;

    #[test]
    fn scores_can_be_set() {
        let mut random = Random::new(8);
        let mut heap = ScoreHeap::default();
        for index in 0..40 {
            heap.grow();
            heap.set_score(Var::new(index), f64::from(index));
            heap.push(Var::new(index));
        }
        (0..500).for_each(|_| heap.set_score(Var::new(random.below(40)), -(random.below(100) as f64)));
        let scores = heap.score.clone();
        let popped: Vec<f64> = std::iter::from_fn(|| heap.pop()).map(|var| scores[var.index()]).collect();
        assert!(popped.len() == 40 && popped.is_sorted_by(|a, b| a >= b));
    }

    #[test]
    fn pops_in_descending_order_of_scores() {
        let mut random = Random::new(7);
        let mut heap = ScoreHeap::default();
        let vars: Vec<Var> = (0..50).map(Var::new).collect();
        for &var in &vars {
            heap.grow();
            heap.push(var);
        }
        for _ in 0..2000 {
            heap.bump(vars[random.below(50) as usize]);
            heap.decay(0.6);
        }
        for &var in vars.iter().step_by(3) {
            heap.remove(var);
            heap.remove(var);
        }
        vars.iter().step_by(6).for_each(|&var| heap.push(var));
        assert!(!heap.contains(vars[3]));
        vars.iter().for_each(|&var| heap.push(var));
        vars.iter().step_by(2).for_each(|&var| heap.remove(var));
        let mut popped = Vec::new();
        while let Some(var) = heap.pop() {
            popped.push(var);
        }
        assert_eq!(popped.len(), 25);
        assert!(popped.windows(2).all(|pair| heap.score(pair[0]) >= heap.score(pair[1])));
        assert!(heap.score(popped[0]).is_finite() && heap.score(popped[0]) > 0.0);
    }
}
