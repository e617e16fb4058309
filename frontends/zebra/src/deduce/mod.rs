//! The procedure of the 1970s: a prover as a subroutine of a puzzle-solving program.
//!
//! The clues are clauses over atoms `P(x)`, "position x has property P". That each position has one property of each class
//! and each property one position is not written as clauses; a calling program asks the prover for every `P(x)` and `}P(x)` (the
//! document's sign for "not"), draws these consequences from what was proved, hands them back, and asks again, until nothing
//! new comes.

mod axioms;
mod caller;
mod cases;
#[cfg(test)]
mod tests;

pub use axioms::{Missing, missing_edges};

use crate::puzzle::{Kind, Puzzle, Term};
use caller::Caller;
use putnam_formula::{Engine as _, Lit, Outcome, Var};
use thiserror::Error;

/// A use of the statement that each house has one property of each class.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Use {
    /// A property that is at a position is at no other.
    R1,
    /// A position with a property has no other of its class.
    R2,
    /// A property that is at no position but one is there.
    R3,
    /// A position that has no property of a class but one has that one.
    R4,
    /// A position that has no property of a class but two has one of the two.
    R5,
    /// A property that is at no position but two is at one of the two.
    R6,
}

/// All uses with their names.
pub const USES: [(&str, Use); 6] =
    [("R1", Use::R1), ("R2", Use::R2), ("R3", Use::R3), ("R4", Use::R4), ("R5", Use::R5), ("R6", Use::R6)];

/// What the prover can do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Prover {
    /// Unit propagation.
    Unit,
    /// Everything that follows.
    Complete,
}

/// What the prover has besides the clues and what is inserted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Extra {
    /// Clauses that exclude two properties of a class at one position.
    pub exclude_in_house: bool,
    /// Clauses that exclude two positions of one property.
    pub exclude_of_property: bool,
    /// Clauses that each property is somewhere and each position has one of each class.
    pub at_least_one: bool,
    /// For 'next to': not only that two that are given are neighbours, but also that each has the other beside it.
    pub neighbours_exist: bool,
}

/// The clauses at the ends of a row for clues such as "immediately right of".
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edges {
    /// That the right one of the two is not at the left end.
    pub left: bool,
    /// That the left one is not at the right end.
    pub right: bool,
}

/// How to deduce.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Method {
    /// The uses that the calling program makes.
    pub uses: Vec<Use>,
    /// The prover.
    pub prover: Prover,
    /// What the prover has besides.
    pub extra: Extra,
    /// The clauses at the ends.
    pub edges: Edges,
    /// What is tried when the rules bring nothing more.
    pub cases: Cases,
}

/// Case analysis, one level deep: what is tried when the rules bring nothing more.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Cases {
    /// Nothing.
    #[default]
    None,
    /// An atom is supposed, or supposed not; what leads to a contradiction is not so.
    Literals,
    /// Two positions of a property, or two properties of a class at a position, if only these are left: what comes out both
    /// ways is so. The pair that decides most.
    TwoWay,
    /// The same with any number of them that are left.
    Splits,
}

/// What is supposed: a property, a position, and whether it is there.
pub type Supposition = (Term, usize, bool);

/// What came out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Deduction {
    /// The properties that are known to be at a position: property and position, in the order of the puzzle.
    pub positive: Vec<(Term, usize)>,
    /// How many atoms are decided.
    pub units: usize,
    /// How many atoms there are.
    pub atoms: usize,
    /// How many times all open atoms were asked for.
    pub rounds: usize,
    /// How many atoms the prover was asked for.
    pub calls: usize,
    /// The cases that brought something, in their order: what was supposed in each.
    pub cases: Vec<Vec<Supposition>>,
    /// Everything in the document's manner, line by line.
    pub trace: String,
}

/// Why there is no deduction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum NoDeduction {
    /// The clauses contradict each other.
    #[error("the axioms contradict each other")]
    Contradiction,
}

/// Runs the procedure.
///
/// # Errors
/// [`NoDeduction`].
pub fn deduce(puzzle: &Puzzle, method: &Method) -> Result<Deduction, NoDeduction> {
    let mut caller = Caller::new(puzzle, method);
    loop {
        caller.run()?;
        if !caller.by_cases()? {
            return Ok(caller.finish());
        }
    }
}

/// Whether the use is sound for a category of this kind. Each position has a value of every category, so that R4 and R5 always
/// are; the others need that a value is at no more than one position (R1), at no fewer than one (R3, R6), or that a position
/// has no two values (R2).
pub(crate) fn is_sound(rule: Use, kind: Kind) -> bool {
    match rule {
        Use::R1 => kind != Kind::Repeated,
        Use::R2 => kind != Kind::Shared,
        Use::R3 | Use::R6 => matches!(kind, Kind::Exact | Kind::Shared),
        Use::R4 | Use::R5 => true,
    }
}

/// The categories for which some of the uses do not hold, with these uses, which the procedure does not make there.
pub fn exceptions(puzzle: &Puzzle, uses: &[Use]) -> Vec<(usize, Vec<Use>)> {
    let unsound = |c: usize| uses.iter().copied().filter(|&rule| !is_sound(rule, puzzle.categories[c].kind)).collect();
    let all = (0..puzzle.categories.len()).map(|c| (c, unsound(c)));
    all.filter(|(_, uses): &(usize, Vec<Use>)| !uses.is_empty()).collect()
}

/// The name of an atom in the document's manner, with `}` for not: `}milk(1)`.
pub fn atom_name(puzzle: &Puzzle, (term, position, value): Supposition) -> String {
    caller::atom_name(puzzle, term, position, value)
}

/// The axioms as they stand, with everything that the statement about houses says as clauses: how many grids they leave, at
/// most `limit`. For axioms that lack a clause at an end this says what the missing clause matters.
pub fn count_grids(puzzle: &Puzzle, edges: Edges, limit: usize) -> usize {
    let extra =
        Extra { exclude_in_house: true, exclude_of_property: true, at_least_one: true, neighbours_exist: false };
    let method = Method { uses: Vec::new(), prover: Prover::Complete, extra, edges, cases: Cases::None };
    let caller = Caller::new(puzzle, &method);
    let mut engine = caller.engine();
    let mut count = 0;
    while count < limit {
        let Outcome::Satisfiable(model) = engine.solve(&[]) else { break };
        count += 1;
        let atoms = caller.atoms.iter().map(|&(_, _, var)| var);
        let other: Vec<Lit> = atoms.filter(|&var| model.value(var)).map(Var::negative).collect();
        engine.add_clause(&other);
    }
    count
}
