//! How hard a puzzle is, by the steps that it needs.

use super::rules::Source;
use super::search::Explanation;
use super::steps::Step;

/// How hard a puzzle is, by the steps that it needs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rating {
    /// The sum of the steps' difficulties.
    pub score: f64,
    /// The steps by a clue.
    pub by_clue: usize,
    /// The steps by a rule of the grid.
    pub by_rule: usize,
    /// The case analyses.
    pub cases: usize,
    /// How deep they are nested.
    pub depth: usize,
}

impl Rating {
    /// The level in a word: what the hardest step needs.
    pub fn level(&self) -> &'static str {
        match (self.depth, self.cases) {
            (0, _) => "easy",
            (1, 1..=3) => "moderate",
            (1, _) => "hard",
            _ => "very hard",
        }
    }
}

/// Rates an explanation: a step by a rule counts 1, by a clue 2 and half of each fact that it uses, a case analysis 10 and
/// twice its inner steps.
pub fn rating(explanation: &Explanation) -> Rating {
    let mut rating = Rating { score: 0.0, by_clue: 0, by_rule: 0, cases: 0, depth: 0 };
    for step in &explanation.steps {
        rating.score += difficulty(step);
        rating.depth = rating.depth.max(step.depth());
        match (&step.case, &step.sources[..]) {
            (Some(_), _) => rating.cases += 1,
            (None, [Source::Clue(_), ..]) => rating.by_clue += 1,
            _ => rating.by_rule += 1,
        }
    }
    rating
}

fn difficulty(step: &Step) -> f64 {
    match (&step.case, &step.sources[..]) {
        (Some(case), _) => 10.0 + 2.0 * case.steps.iter().map(difficulty).sum::<f64>(),
        (None, [Source::Clue(_)]) => 2.0 + step.premises.len() as f64 / 2.0,
        (None, [Source::Partner(..) | Source::Both(..) | Source::Lies] | [Source::Same(..), ..]) => 1.0,
        (None, several) => 10.0 * several.len() as f64,
    }
}
