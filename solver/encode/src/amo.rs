//! At most one, exactly one.

use crate::define_or;
use putnam_formula::{ClauseSink, Lit};

/// How at-most-one is written as clauses. All of them propagate fully: once one literal is true, unit propagation makes
/// the others false.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AtMostOne {
    /// A clause for every pair: n(n-1)/2 clauses, no variable.
    Pairwise,
    /// A chain of variables "one of the first i is true" (Sinz, Towards an Optimal CNF Encoding of Boolean Cardinality
    /// Constraints, CP 2005), n - 2 variables.
    Sequential,
    /// Groups of three, pairwise inside, each represented by one variable (Klieber and Kwon, Efficient CNF Encoding for
    /// Selecting 1 from N Objects, CFV 2007), again and again until four literals are left.
    Commander,
    /// Literals in a grid, at most one row and at most one column (Chen, A New SAT Encoding of the At-Most-One
    /// Constraint, ModRef 2010).
    Product,
}

impl AtMostOne {
    /// The encoding with the fewest clauses for `n` literals; a variable counts as much as a clause.
    pub fn smallest(n: usize) -> Self {
        let candidates = [Self::Pairwise, Self::Sequential, Self::Commander, Self::Product];
        let size = |encoding: Self| {
            let (variables, clauses) = encoding.size(n);
            variables + clauses
        };
        // Pairwise stands first, so that it wins a tie.
        candidates.into_iter().min_by_key(|&encoding| size(encoding)).expect("there are candidates")
    }

    /// How many auxiliary variables and clauses the encoding of `n` literals has.
    pub fn size(self, n: usize) -> (usize, usize) {
        if n <= 4 {
            return (0, n * n.saturating_sub(1) / 2);
        }
        match self {
            Self::Pairwise => (0, n * (n - 1) / 2),
            Self::Sequential => (n - 2, 4 * (n - 2) + 1),
            Self::Commander => {
                let (variables, clauses) = self.size(n - 2);
                (variables + 1, clauses + 7)
            }
            Self::Product => {
                let (rows, columns) = grid(n);
                // A row or a column is defined by its members.
                let sides = |side| {
                    let (variables, clauses) = Self::smallest(side).size(side);
                    (variables + side, clauses + side + n)
                };
                let (row, column) = (sides(rows), sides(columns));
                (row.0 + column.0, row.1 + column.1)
            }
        }
    }
}

/// The sides of the grid in which [`AtMostOne::Product`] places `n` literals; each is smaller than `n` from 5 on.
fn grid(n: usize) -> (usize, usize) {
    let columns = (1..=n).find(|c| c * c >= n).unwrap_or(1);
    (n.div_ceil(columns), columns)
}

/// At most one of the literals is true, by the smallest encoding.
pub fn at_most_one<S: ClauseSink + ?Sized>(sink: &mut S, lits: &[Lit]) {
    at_most_one_by(sink, lits, AtMostOne::smallest(lits.len()));
}

/// Exactly one of the literals is true. For no literal that is the empty clause.
pub fn exactly_one<S: ClauseSink + ?Sized>(sink: &mut S, lits: &[Lit]) {
    sink.add_clause(lits);
    at_most_one(sink, lits);
}

/// At most one of the literals is true, by the given encoding. Up to four literals are always written pairwise.
pub fn at_most_one_by<S: ClauseSink + ?Sized>(sink: &mut S, lits: &[Lit], encoding: AtMostOne) {
    if lits.len() <= 4 {
        return pairwise(sink, lits);
    }
    match encoding {
        AtMostOne::Pairwise => pairwise(sink, lits),
        AtMostOne::Sequential => sequential(sink, lits),
        AtMostOne::Commander => commander(sink, lits),
        AtMostOne::Product => product(sink, lits),
    }
}

fn pairwise<S: ClauseSink + ?Sized>(sink: &mut S, lits: &[Lit]) {
    for (i, &a) in lits.iter().enumerate() {
        for &b in &lits[i + 1..] {
            sink.add_clause(&[!a, !b]);
        }
    }
}

/// `seen` is true when one of the literals so far is; the first literal is its own `seen`, the last needs none.
fn sequential<S: ClauseSink + ?Sized>(sink: &mut S, lits: &[Lit]) {
    let mut seen = lits[0];
    for &lit in &lits[1..lits.len() - 1] {
        sink.add_clause(&[!seen, !lit]);
        seen = define_or(sink, &[seen, lit]);
    }
    sink.add_clause(&[!seen, !lits[lits.len() - 1]]);
}

fn commander<S: ClauseSink + ?Sized>(sink: &mut S, lits: &[Lit]) {
    // A queue, so that the representatives form a shallow tree.
    let mut queue = lits.to_vec();
    let mut next = 0;
    while queue.len() - next > 4 {
        let group = [queue[next], queue[next + 1], queue[next + 2]];
        next += 3;
        pairwise(sink, &group);
        queue.push(define_or(sink, &group));
    }
    pairwise(sink, &queue[next..]);
}

fn product<S: ClauseSink + ?Sized>(sink: &mut S, lits: &[Lit]) {
    let (_, columns) = grid(lits.len());
    let rows: Vec<Lit> = lits.chunks(columns).map(|row| define_or(sink, row)).collect();
    let column = |c: usize| -> Vec<Lit> { lits.iter().skip(c).step_by(columns).copied().collect() };
    let columns: Vec<Lit> = (0..columns).map(|c| define_or(sink, &column(c))).collect();
    at_most_one(sink, &rows);
    at_most_one(sink, &columns);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::oracle::{assert_same_models, fresh, popcount};
    use putnam_formula::Cnf;

    const ALL: [AtMostOne; 4] = [AtMostOne::Pairwise, AtMostOne::Sequential, AtMostOne::Commander, AtMostOne::Product];

    #[test]
    fn every_encoding_allows_at_most_one_and_adds_no_model() {
        for encoding in ALL {
            for n in 0..=11 {
                let (mut cnf, lits) = fresh(n);
                at_most_one_by(&mut cnf, &lits, encoding);
                assert_same_models(&cnf, &lits, |bits| popcount(bits) <= 1);
            }
        }
    }

    #[test]
    fn exactly_one_of_some_and_of_none() {
        for n in 0..=11 {
            let (mut cnf, lits) = fresh(n);
            exactly_one(&mut cnf, &lits);
            assert_same_models(&cnf, &lits, |bits| popcount(bits) == 1);
        }
    }

    #[test]
    fn sizes_are_as_foretold() {
        for encoding in ALL {
            for n in 0..=60 {
                let (mut cnf, lits) = fresh(n);
                at_most_one_by(&mut cnf, &lits, encoding);
                let size = (cnf.num_vars() as usize - n, cnf.num_clauses());
                assert_eq!(size, encoding.size(n), "{encoding:?} of {n}");
            }
        }
    }

    #[test]
    fn negative_and_repeated_literals_count_as_they_stand() {
        let mut cnf = Cnf::new();
        let x = cnf.new_var();
        let y = cnf.new_var();
        at_most_one(&mut cnf, &[x.negative(), y.positive(), x.negative()]);
        assert_same_models(&cnf, &[x.positive(), y.positive()], |bits| bits & 1 == 1);
    }
}
