//! The sequential encoding: one jump a step, as in the assignment, in fewer clauses and with fewer plans that differ in nothing.
//!
//! - At most one jump a step is said by a chain of variables, "one of the first j jumps is made" (Sinz, Towards an Optimal CNF
//!   Encoding of Boolean Cardinality Constraints, CP 2005).
//! - Jumps that share no hole can be made in either order. Of two such jumps in a row, the one with the lower number comes
//!   first; the chain's variables say so in one clause for each jump.
//! - Where symmetries keep the start and the goal, the first jump is the lowest of those that they map to each other.
//!
//! The last two go together: the plan that is lowest in the order of its jumps' numbers, of all that are made from each other
//! by such swaps and symmetries, has both.

use crate::ends::Ends;
use crate::parallel::finals;
use crate::{Goal, Hole, Jump, Plan, Position, Problem, Symmetries};
use putnam_api::{Encoding, Error};
use putnam_formula::{ClauseSink, Cnf, Model, Symbols, Var};

/// A formula of some jumps in a row.
pub(crate) struct Sequence {
    /// All jumps of the board.
    pub(crate) jumps: Vec<Jump>,
    /// `pegs[t][h]` is the peg in hole h + 1 after t jumps.
    pub(crate) pegs: Vec<Vec<Var>>,
    /// `made[t][j]`: jump j is the one at time t + 1.
    pub(crate) made: Vec<Vec<Var>>,
}

impl Sequence {
    /// The formula of as many jumps as the goal needs. `ordered` leaves one order of jumps that do not touch, and one of
    /// symmetric plans.
    pub(crate) fn new(problem: &Problem, ordered: bool, sink: &mut dyn ClauseSink) -> Self {
        let steps = problem.steps().unwrap_or(0);
        let (holes, jumps) = (problem.board.holes(), problem.board.jumps());
        let mut row = |count: usize| (0..count).map(|_| sink.new_var()).collect::<Vec<Var>>();
        let pegs: Vec<Vec<Var>> = (0..=steps).map(|_| row(holes)).collect();
        let made: Vec<Vec<Var>> = (0..steps).map(|_| row(jumps.len())).collect();
        let sequence = Self { jumps, pegs, made };
        for (index, peg) in sequence.pegs[0].iter().enumerate() {
            sink.add_clause(&[peg.lit(problem.start.has(index + 1))]);
        }
        let mut before: Option<Vec<Var>> = None;
        for step in 0..steps {
            sequence.actions(step, sink);
            let chain = sequence.one_jump(step, sink);
            if let Some(before) = before.filter(|_| ordered) {
                sequence.in_order(step, &before, sink);
            }
            before = Some(chain);
        }
        if ordered && let Some(first) = sequence.made.first() {
            for index in symmetric_jumps(problem, &sequence.jumps) {
                sink.add_clause(&[first[index].negative()]);
            }
        }
        let asked = sink.new_var().positive();
        sink.add_clause(&[asked]);
        let ends = Ends { goal: &problem.goal, finals: &finals(problem), jumps: &sequence.jumps };
        ends.ask(sink, asked, &sequence.pegs[steps]);
        sequence
    }

    /// Preconditions, effects, and that nothing else changes.
    fn actions(&self, step: usize, sink: &mut dyn ClauseSink) {
        let (now, next) = (&self.pegs[step], &self.pegs[step + 1]);
        let mut empty = vec![Vec::new(); now.len()];
        let mut fill = vec![Vec::new(); now.len()];
        for (jump, made) in self.jumps.iter().zip(&self.made[step]) {
            for (hole, before) in [(jump.from, true), (jump.over, true), (jump.to, false)] {
                sink.add_clause(&[made.negative(), now[hole - 1].lit(before)]);
                sink.add_clause(&[made.negative(), next[hole - 1].lit(!before)]);
                let of = if before { &mut empty } else { &mut fill };
                of[hole - 1].push(made.positive());
            }
        }
        for (hole, (empty, fill)) in empty.into_iter().zip(fill).enumerate() {
            sink.add_clause(&[vec![now[hole].negative(), next[hole].positive()], empty].concat());
            sink.add_clause(&[vec![now[hole].positive(), next[hole].negative()], fill].concat());
        }
    }

    /// Exactly one jump. Gives the chain: variable j is true exactly when one of the jumps 0 to j is made.
    fn one_jump(&self, step: usize, sink: &mut dyn ClauseSink) -> Vec<Var> {
        let mut chain: Vec<Var> = Vec::new();
        for &made in &self.made[step] {
            let so_far = sink.new_var();
            sink.add_clause(&[made.negative(), so_far.positive()]);
            match chain.last() {
                Some(before) => {
                    sink.add_clause(&[before.negative(), so_far.positive()]);
                    sink.add_clause(&[before.negative(), made.negative()]);
                    sink.add_clause(&[so_far.negative(), before.positive(), made.positive()]);
                }
                None => sink.add_clause(&[so_far.negative(), made.positive()]),
            }
            chain.push(so_far);
        }
        // Without jumps the position stays, which the goal refutes.
        if let Some(all) = chain.last() {
            sink.add_clause(&[all.positive()]);
        }
        chain
    }

    /// A jump comes after one that it touches, or one with a lower number. `before` is the chain of the step before.
    fn in_order(&self, step: usize, before: &[Var], sink: &mut dyn ClauseSink) {
        for (index, jump) in self.jumps.iter().enumerate() {
            let mut clause = vec![self.made[step][index].negative()];
            clause.extend(index.checked_sub(1).map(|lower| before[lower].positive()));
            let higher = (index..self.jumps.len()).filter(|&other| self.jumps[other].touches(*jump));
            clause.extend(higher.map(|other| self.made[step - 1][other].positive()));
            sink.add_clause(&clause);
        }
    }

    /// The jumps of a model.
    pub(crate) fn decode(&self, model: &Model) -> Vec<Jump> {
        let made = |step: &Vec<Var>| (0..self.jumps.len()).find(|&index| model.value(step[index]));
        self.made.iter().filter_map(made).map(|index| self.jumps[index]).collect()
    }
}

/// The symmetries that keep the start and the goal.
pub(crate) fn stabiliser(problem: &Problem) -> Symmetries<'_> {
    let symmetries = Symmetries::new(&problem.board).keeping(&problem.start);
    match &problem.goal {
        Goal::PegIn(hole) => symmetries.keeping(&Position::of(problem.board.holes(), &[*hole])),
        Goal::Pattern(pattern) => symmetries.keeping(pattern),
        _ => symmetries,
    }
}

/// The jumps, by index, that can be made at the start and that a symmetry maps to a lower one.
fn symmetric_jumps(problem: &Problem, jumps: &[Jump]) -> Vec<usize> {
    let possible: Vec<usize> = (0..jumps.len()).filter(|&index| problem.start.allows(jumps[index])).collect();
    let found = stabiliser(problem).representatives(&possible, |&index| jumps[index].holes().to_vec());
    possible.iter().enumerate().filter(|(place, _)| found[*place].0 != *place).map(|(_, &index)| index).collect()
}

/// The clauses; the atoms are named as those of the assignment.
pub(crate) fn encode(problem: &Problem) -> Encoding {
    let mut cnf = Cnf::new();
    let sequence = Sequence::new(problem, true, &mut cnf);
    let mut symbols = Symbols::new();
    for (time, pegs) in (1..).zip(&sequence.pegs) {
        for (hole, &peg) in (1..).zip(pegs) {
            let hole: Hole = hole;
            symbols.insert(peg, format!("Peg({hole},{time})"));
        }
    }
    for (time, made) in (1..).zip(&sequence.made) {
        for (Jump { from, over, to }, &made) in sequence.jumps.iter().zip(made) {
            symbols.insert(made, format!("Jump({from},{over},{to},{time})"));
        }
    }
    Encoding { cnf, symbols }
}

/// The plan of a model of [`encode`]'s clauses.
pub(crate) fn decode(problem: &Problem, model: &Model) -> Result<Plan, Error> {
    let jumps = Sequence::new(problem, true, &mut Cnf::new()).decode(model);
    match problem.steps() {
        Some(steps) if jumps.len() == steps => Ok(problem.plan(jumps)),
        _ => Err(Error::Wrong("no jump is made at some time".into())),
    }
}

/// The most atoms and clauses that [`encode`] writes.
pub(crate) fn size(problem: &Problem) -> (u64, u64) {
    let holes = problem.board.holes() as u64;
    let jumps = 2 * problem.board.triples().len() as u64;
    let steps = problem.steps().unwrap_or(0) as u64;
    let levels = u64::from(holes.ilog2() + 1);
    let goal = holes * holes + 2 + jumps + 3 * holes * holes * levels;
    (holes * (steps + 1) + 2 * jumps * steps + holes * levels + 1, (11 * jumps + 2 * holes) * steps + holes + goal)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Clauses, builtin};
    use std::sync::Arc;

    #[test]
    fn it_is_smaller_than_the_assignments_encoding() {
        for (name, times) in [("triangle-15", 2), ("english", 3)] {
            let setup = builtin(name).unwrap().setup();
            let mut problem = Problem::new(Arc::new(setup.board), setup.start);
            let (_, assignment) = crate::assignment::size(&problem);
            problem.clauses = Clauses::Sequential;
            let encoding = encode(&problem);
            let (variables, clauses) = size(&problem);
            let written = encoding.cnf.num_clauses() as u64;
            assert!(u64::from(encoding.cnf.num_vars()) <= variables && written <= clauses);
            assert!(times * written < assignment, "{name}: {written}");
        }
    }

    #[test]
    fn of_symmetric_first_jumps_one_is_left() {
        let setup = builtin("english").unwrap().setup();
        let problem = Problem::new(Arc::new(setup.board), setup.start);
        let left = |problem: &Problem| 4 - symmetric_jumps(problem, &problem.board.jumps()).len();
        assert_eq!(left(&problem), 1);
        // A finish that only one reflection keeps.
        assert_eq!(left(&Problem { goal: Goal::PegIn(2), ..problem.clone() }), 3);
        let pattern = Goal::Pattern(Position::of(33, &[2, 20, 21]));
        assert_eq!(left(&Problem { goal: pattern, ..problem }), 4);
    }
}
