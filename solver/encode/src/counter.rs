//! How many literals are true.

use crate::at_most_one;
use putnam_formula::{ClauseSink, Lit};

/// A unary counter: literals of which the first k are true exactly when at least k of the inputs are, up to a limit. It
/// is a totalizer (Bailleux and Boufkhad, Efficient CNF Encoding of Boolean Cardinality Constraints, CP 2003) cut off
/// at the limit, written in both directions. Its outputs can stand in clauses or be assumed, so that one counter serves
/// every bound.
#[derive(Clone, Debug)]
pub struct Counter {
    inputs: usize,
    outputs: Vec<Lit>,
}

impl Counter {
    /// Counts the literals up to `limit`.
    pub fn new<S: ClauseSink + ?Sized>(sink: &mut S, lits: &[Lit], limit: usize) -> Self {
        let mut level: Vec<Vec<Lit>> =
            if limit == 0 { Vec::new() } else { lits.iter().map(|&lit| vec![lit]).collect() };
        while level.len() > 1 {
            level = level
                .chunks(2)
                .map(|pair| match pair {
                    [left, right] => merge(sink, left, right, limit),
                    odd => odd[0].clone(),
                })
                .collect();
        }
        Self { inputs: lits.len(), outputs: level.pop().unwrap_or_default() }
    }

    /// The literal that is true exactly when at least `k` inputs are; none when that needs no literal, because `k` is 0
    /// (always true) or more than there are inputs (never true).
    ///
    /// # Panics
    /// If `k` is over the limit of the counter and not over the number of inputs.
    pub fn at_least(&self, k: usize) -> Option<Lit> {
        if k == 0 || k > self.inputs { None } else { Some(self.outputs[k - 1]) }
    }

    /// The literals: at least 1, at least 2, and so on up to the limit or the number of inputs.
    pub fn outputs(&self) -> &[Lit] {
        &self.outputs
    }
}

/// The counter of two counters' inputs.
fn merge<S: ClauseSink + ?Sized>(sink: &mut S, left: &[Lit], right: &[Lit], limit: usize) -> Vec<Lit> {
    let size = (left.len() + right.len()).min(limit);
    let outputs: Vec<Lit> = (0..size).map(|_| sink.new_var().positive()).collect();
    let mut clause = Vec::with_capacity(3);
    for i in 0..=left.len() {
        for j in 0..=right.len() {
            // i on the left and j on the right make i + j; what is over the limit makes the limit.
            if i + j > 0 && i + j <= size {
                clause.clear();
                clause.extend((i > 0).then(|| !left[i - 1]));
                clause.extend((j > 0).then(|| !right[j - 1]));
                clause.push(outputs[i + j - 1]);
                sink.add_clause(&clause);
            }
            // At most i on the left and j on the right are at most i + j together.
            if i + j < size {
                clause.clear();
                clause.extend(left.get(i));
                clause.extend(right.get(j));
                clause.push(!outputs[i + j]);
                sink.add_clause(&clause);
            }
        }
    }
    outputs
}

/// At most `k` of the literals are true.
pub fn at_most<S: ClauseSink + ?Sized>(sink: &mut S, lits: &[Lit], k: usize) {
    let n = lits.len();
    if k >= n {
        return;
    }
    match k {
        0 => lits.iter().for_each(|&lit| sink.add_clause(&[!lit])),
        1 => at_most_one(sink, lits),
        _ if k == n - 1 => sink.add_clause(&negated(lits)),
        // The cheaper side is counted: k + 1 that are true or n - k that are false.
        _ if n - k < k + 1 => {
            let counter = Counter::new(sink, &negated(lits), n - k);
            sink.add_clause(&[counter.outputs()[n - k - 1]]);
        }
        _ => {
            let counter = Counter::new(sink, lits, k + 1);
            sink.add_clause(&[!counter.outputs()[k]]);
        }
    }
}

/// At least `k` of the literals are true. When there are fewer literals, that is the empty clause.
pub fn at_least<S: ClauseSink + ?Sized>(sink: &mut S, lits: &[Lit], k: usize) {
    match lits.len().checked_sub(k) {
        Some(rest) => at_most(sink, &negated(lits), rest),
        None => sink.add_clause(&[]),
    }
}

/// Exactly `k` of the literals are true.
pub fn exactly<S: ClauseSink + ?Sized>(sink: &mut S, lits: &[Lit], k: usize) {
    let n = lits.len();
    if k <= 1 || k + 1 >= n {
        at_least(sink, lits, k);
        at_most(sink, lits, k);
        return;
    }
    let (counted, k) = if n - k < k { (negated(lits), n - k) } else { (lits.to_vec(), k) };
    let counter = Counter::new(sink, &counted, k + 1);
    sink.add_clause(&[counter.outputs()[k - 1]]);
    sink.add_clause(&[!counter.outputs()[k]]);
}

fn negated(lits: &[Lit]) -> Vec<Lit> {
    lits.iter().map(|&lit| !lit).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::oracle::{assert_same_models, fresh, popcount};

    #[test]
    fn bounds_hold_and_add_no_model() {
        for n in 0..=7 {
            for k in 0..=n + 1 {
                let (mut cnf, lits) = fresh(n);
                at_most(&mut cnf, &lits, k);
                assert_same_models(&cnf, &lits, |bits| popcount(bits) <= k);
                let (mut cnf, lits) = fresh(n);
                at_least(&mut cnf, &lits, k);
                assert_same_models(&cnf, &lits, |bits| popcount(bits) >= k);
                let (mut cnf, lits) = fresh(n);
                exactly(&mut cnf, &lits, k);
                assert_same_models(&cnf, &lits, |bits| popcount(bits) == k);
            }
        }
    }

    #[test]
    fn outputs_count_up_to_the_limit() {
        for n in 0..=6 {
            for limit in 0..=n + 1 {
                for k in 0..=limit.min(n) {
                    let (mut cnf, lits) = fresh(n);
                    let counter = Counter::new(&mut cnf, &lits, limit);
                    assert_eq!(counter.outputs().len(), limit.min(n));
                    assert_eq!(counter.at_least(0), None);
                    assert_eq!(counter.at_least(n + 1), None);
                    if let Some(output) = counter.at_least(k) {
                        cnf.add_clause(&[output]);
                    }
                    assert_same_models(&cnf, &lits, |bits| popcount(bits) >= k);
                }
            }
        }
    }
}
