//! Pagoda functions: weights of the holes whose sum over the pegs no jump increases (Berlekamp, Conway and Guy, Winning
//! Ways, 1982). That is so when w(C) <= w(A) + w(B) for every jump from A over B into C. Where the goal weighs more than
//! the start, it cannot be reached.
//!
//! They are found by linear programming, in floating point. The weights are then rounded to fractions with one
//! denominator, which makes them integers, and the integers are checked exactly: a wrong rounding costs a proof and never
//! makes one.

use crate::invariant::list;
use crate::{Board, Goal, Hole, Invariants, ParityProof, Position, count_proof};
use good_lp::{
    Constraint, Expression, ProblemVariables, Solution as _, SolverModel as _, Variable, constraint, microlp, variable,
};

/// The largest denominator that is tried.
const LARGEST_DENOMINATOR: i64 = 120;

/// Pagoda functions that refute a goal, with parities for those ends that they leave open.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PagodaProof {
    /// Parities that rule out some ends.
    pub parity: ParityProof,
    /// Weights by hole, `weights[h - 1]`; each end that parity leaves weighs more than the start in one of them.
    pub functions: Vec<Vec<i64>>,
}

impl PagodaProof {
    /// Looks for a proof that the goal cannot be reached.
    pub fn find(board: &Board, start: &Position, goal: &Goal) -> Option<Self> {
        let ends = match goal {
            Goal::Pegs(pegs) => return count_proof::find(board, start, *pegs),
            _ => goal.ends(board.holes())?,
        };
        let (mut parity, rest) = Invariants::of(board).separate(start, ends.clone());
        let mut functions: Vec<Vec<i64>> = Vec::new();
        for end in &rest {
            if !functions.iter().any(|weights| sum(weights, end) > sum(weights, start)) {
                functions.push(function(board, start, end)?);
            }
        }
        // An end that the functions exclude anyway needs no parity.
        let excluded = |end: &Position| functions.iter().any(|weights| sum(weights, end) > sum(weights, start));
        if ends.iter().all(excluded) {
            parity.sets.clear();
        }
        Some(Self { parity, functions })
    }

    /// Checks the proof: the sets are invariants, the functions never increase, and every end is excluded by one of them.
    ///
    /// # Errors
    /// What is wrong, in words.
    pub fn check(&self, board: &Board, start: &Position, goal: &Goal) -> Result<(), String> {
        self.parity.check_sets(board, start)?;
        for weights in &self.functions {
            check_function(board, weights)?;
        }
        let Some(ends) = goal.ends(board.holes()) else { return self.check_count(board, start, goal) };
        let excluded = |end: &Position| {
            self.parity.excludes(end) || self.functions.iter().any(|weights| sum(weights, end) > sum(weights, start))
        };
        match ends.iter().find(|end| !excluded(end)) {
            Some(end) => Err(format!("pegs in {end:?} are not excluded")),
            None => Ok(()),
        }
    }

    /// The last part of [`PagodaProof::check`] for goals that say how many pegs are left and not where.
    fn check_count(&self, board: &Board, start: &Position, goal: &Goal) -> Result<(), String> {
        let (Goal::Pegs(pegs) | Goal::DeadEnd(pegs)) = goal else {
            return Err("no short proof is for this goal".into());
        };
        let too_heavy = |weights: &Vec<i64>| count_proof::lightest(weights, *pegs) > sum(weights, start);
        if count_proof::excluded(board.holes(), &self.parity.sets, *pegs) || self.functions.iter().any(too_heavy) {
            return Ok(());
        }
        Err("some position of the goal is not excluded".into())
    }

    /// The proof in words.
    pub fn explain(&self, start: &Position, goal: &Goal) -> String {
        let mut parts: Vec<String> = self
            .parity
            .sets
            .iter()
            .map(|(set, odd)| {
                let parity = if *odd { "an odd" } else { "an even" };
                format!("every jump keeps {parity} number of pegs in the holes {}", list(set))
            })
            .collect();
        for weights in &self.functions {
            let mut values: Vec<i64> = weights.iter().copied().filter(|&weight| weight != 0).collect();
            values.sort_unstable();
            values.dedup();
            let groups = values.iter().rev().map(|&value| {
                let holes: Vec<Hole> = (1..=weights.len()).filter(|&hole| weights[hole - 1] == value).collect();
                format!("{value} each in {}", list(&holes))
            });
            let groups: Vec<String> = groups.collect();
            parts.push(format!(
                "no jump increases the weight of the pegs when they weigh {} and nothing elsewhere, and the start weighs {}",
                groups.join(", "),
                sum(weights, start)
            ));
        }
        let end = match goal {
            Goal::OnePeg => "but every single peg breaks this",
            Goal::PegIn(_) => "but the last peg breaks this",
            Goal::Pegs(1) => "but every single peg breaks this",
            Goal::Pegs(_) => "but so many pegs break this wherever they are",
            _ => "but the goal breaks this",
        };
        format!("{}, {end}", parts.join("; "))
    }
}

fn check_function(board: &Board, weights: &[i64]) -> Result<(), String> {
    if weights.len() != board.holes() {
        return Err(format!("there are {} weights for {} holes", weights.len(), board.holes()));
    }
    let weight = |hole: Hole| i128::from(weights[hole - 1]);
    match board.jumps().into_iter().find(|jump| weight(jump.to) > weight(jump.from) + weight(jump.over)) {
        Some(jump) => Err(format!("the jump {} over {} into {} increases the weight", jump.from, jump.over, jump.to)),
        None => Ok(()),
    }
}

/// The weight of a position.
pub(crate) fn sum(weights: &[i64], position: &Position) -> i128 {
    position.pegs().map(|hole| i128::from(weights[hole - 1])).sum()
}

/// A pagoda function in which `end` weighs more than `start`, as integers.
fn function(board: &Board, start: &Position, end: &Position) -> Option<Vec<i64>> {
    let mut variables = ProblemVariables::new();
    let weights = variables.add_vector(variable().min(-1.0).max(1.0), board.holes());
    let total = |position: &Position| position.pegs().map(|hole| weights[hole - 1]).sum::<Expression>();
    let gain = total(end) - total(start);
    let weights = linear_function(board, variables, &weights, gain, Vec::new())?;
    (sum(&weights, end) > sum(&weights, start)).then_some(weights)
}

/// The pagoda function with the greatest gain, as integers that were checked.
pub(crate) fn linear_function(
    board: &Board,
    variables: ProblemVariables,
    weights: &[Variable],
    gain: Expression,
    constraints: Vec<Constraint>,
) -> Option<Vec<i64>> {
    let mut model = variables.maximise(gain).using(microlp);
    for jump in board.jumps() {
        let [from, over, to] = jump.holes().map(|hole| weights[hole - 1]);
        model.add_constraint(constraint!(to <= from + over));
    }
    for constraint in constraints {
        model.add_constraint(constraint);
    }
    let solution = model.solve().ok()?;
    let values: Vec<f64> = weights.iter().map(|&weight| solution.value(weight)).collect();
    let rounded = |denominator: i64| -> Option<Vec<i64>> {
        let scaled = |value: &f64| {
            let exact = value * denominator as f64;
            ((exact - exact.round()).abs() < 1e-6).then_some(exact.round() as i64)
        };
        values.iter().map(scaled).collect()
    };
    let weights = (1..=LARGEST_DENOMINATOR).find_map(rounded)?;
    check_function(board, &weights).is_ok().then_some(weights)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Search, builtin, named, read};

    fn find(board: &Board, start: &Position, goal: &Goal) -> Option<PagodaProof> {
        let proof = PagodaProof::find(board, start, goal);
        if let Some(proof) = &proof {
            proof.check(board, start, goal).unwrap();
        }
        proof
    }

    #[test]
    fn a_peg_too_far_away() {
        // Four rows beyond a line are out of reach for fewer than twenty pegs (Conway's soldiers).
        let board = named("rectangle:8x7").unwrap().unwrap().board;
        let start = Position::of(56, &[29, 30, 31, 32, 39]);
        let goal = Goal::PegIn(4);
        assert!(Invariants::of(&board).finals(&start).contains(&4), "parity must leave something to weigh");
        let proof = find(&board, &start, &goal).unwrap();
        assert!(proof.explain(&start, &goal).contains("no jump increases the weight"));
    }

    #[test]
    fn pagoda_never_refutes_what_the_search_solves() {
        let mut refuted = 0;
        for name in ["triangle-10", "triangle-15", "fano", "rectangle:3x4"] {
            let board = named(name).unwrap().unwrap().board;
            for start in 1..=board.holes() {
                let start = Position::vacancy(board.holes(), start);
                for hole in 1..=board.holes() {
                    let goal = Goal::PegIn(hole);
                    if find(&board, &start, &goal).is_some() {
                        refuted += 1;
                        assert_eq!(Search::new(&board, goal).unwrap().plan(&start), None);
                    }
                }
            }
        }
        assert!(refuted > 0);
    }

    #[test]
    fn wrong_proofs_are_refused() {
        let setup = read("o.o.o", "row").unwrap();
        let goal = Goal::PegIn(3);
        let proof = find(&setup.board, &setup.start, &goal).unwrap();
        let check = |proof: &PagodaProof| proof.check(&setup.board, &setup.start, &goal);
        let mut wrong = PagodaProof { parity: ParityProof { sets: Vec::new() }, functions: vec![vec![0, 0, 1, 0, 0]] };
        assert!(check(&wrong).unwrap_err().contains("increases the weight"));
        wrong.functions = vec![vec![1, 1, 1]];
        assert!(check(&wrong).unwrap_err().contains("3 weights for 5 holes"));
        wrong.functions = vec![vec![1; 5]];
        assert!(check(&wrong).unwrap_err().contains("are not excluded"));
        check(&proof).unwrap();
        assert!(builtin("english").is_some_and(|board| {
            let setup = board.setup();
            PagodaProof::find(&setup.board, &setup.start, &Goal::PegIn(17)).is_none()
        }));
    }
}
