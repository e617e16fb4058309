//! Explanations in words, as JSON, and how hard they are.

use super::board::{Fact, Source};
use super::search::Explanation;
use super::steps::{Case, Step};
use crate::encode::Facts;
use crate::puzzle::{Puzzle, Term};
use crate::write::Speaker;
use serde_json::{Value, json};

/// Says steps.
pub struct Narrator<'p> {
    puzzle: &'p Puzzle,
    facts: &'p Facts,
    speaker: Speaker<'p>,
}

impl<'p> Narrator<'p> {
    /// A narrator of the explanation's facts.
    pub fn new(puzzle: &'p Puzzle, explanation: &'p Explanation) -> Self {
        Self { puzzle, facts: &explanation.rules.facts, speaker: Speaker::new(puzzle) }
    }

    /// A fact in words.
    pub fn fact(&self, fact: Fact) -> String {
        let (a, b) = self.facts.pair(fact.var().index());
        let is = if fact.is_positive() { "is" } else { "is not" };
        format!("{} {is} {}", self.speaker.name(a), self.speaker.name(b))
    }

    /// Facts in words; several about one value in a row: `red is not house 1, 2 or 3`.
    pub fn facts(&self, facts: &[Fact]) -> String {
        let mut parts: Vec<String> = Vec::new();
        let mut rest = facts;
        while let Some((&first, _)) = rest.split_first() {
            let (a, b) = self.facts.pair(first.var().index());
            let row = |keep: Term, other: Term| {
                let fits = |fact: &&Fact| {
                    let (c, d) = self.facts.pair(fact.var().index());
                    let partner = if c == keep { d } else { c };
                    fact.is_negative() && (c == keep || d == keep) && partner.category == other.category
                };
                rest.iter().take_while(fits).count()
            };
            let (with_a, with_b) = if first.is_negative() { (row(a, b), row(b, a)) } else { (1, 1) };
            let (keep, count) = if with_a >= with_b { (a, with_a) } else { (b, with_b) };
            if count > 1 {
                let others: Vec<String> = rest[..count]
                    .iter()
                    .map(|fact| {
                        let (c, d) = self.facts.pair(fact.var().index());
                        self.speaker.name(if c == keep { d } else { c })
                    })
                    .collect();
                let (last, before) = others.split_last().map_or(("", &others[..]), |(l, b)| (l.as_str(), b));
                parts.push(format!("{} is not {} or {last}", self.speaker.name(keep), before.join(", ")));
            } else {
                parts.push(self.fact(first));
            }
            rest = &rest[count.max(1)..];
        }
        parts.join("; ")
    }

    /// What a source says.
    pub fn source(&self, source: Source) -> String {
        match source {
            Source::Clue(clue) => {
                let clue = &self.puzzle.clues[clue];
                let text = if clue.text.is_empty() { self.speaker.sentence(&clue.formula) } else { clue.text.clone() };
                format!("clue {} ({})", clue.name, text.trim_end_matches('.'))
            }
            Source::Partner(value, category) => {
                format!("{} has exactly one {}", self.speaker.name(value), self.puzzle.categories[category].name)
            }
            Source::Same(a, b, _) => {
                format!("{} and {} are the same or have nothing in common", self.speaker.name(a), self.speaker.name(b))
            }
        }
    }

    fn sources(&self, sources: &[Source]) -> String {
        let mut said: Vec<String> = Vec::new();
        for &source in sources {
            let text = self.source(source);
            if !said.contains(&text) {
                said.push(text);
            }
        }
        said.join("; ")
    }

    /// A step in words, the steps of a case indented.
    pub fn step(&self, number: &str, step: &Step, indent: usize) -> String {
        let pad = " ".repeat(indent);
        let mut text = format!("{pad}{number} {}\n", self.facts(&step.facts));
        match &step.case {
            Some(case) => text += &self.case(case, indent + 4),
            None => {
                text += &format!("{pad}    by {}", self.sources(&step.sources));
                if !step.premises.is_empty() {
                    text += &format!(", as {}", self.facts(&step.premises));
                }
                text.push('\n');
            }
        }
        text
    }

    fn case(&self, case: &Case, indent: usize) -> String {
        let pad = " ".repeat(indent);
        let mut text = format!("{pad}suppose {}: then\n", self.fact(case.assumption));
        for (i, step) in case.steps.iter().enumerate() {
            text += &self.step(&format!("{}.", i + 1), step, indent + 2);
        }
        text + &format!("{pad}  contradiction: {}, but {}\n", self.sources(&case.sources), self.facts(&case.premises))
    }

    /// All steps, numbered.
    pub fn all(&self, explanation: &Explanation) -> String {
        let steps = explanation.steps.iter().enumerate();
        steps.map(|(i, step)| self.step(&format!("{}.", i + 1), step, 0)).collect()
    }

    /// A step for programs: `{"facts", "premises", "sources", "case"?}`; a fact is `[category, value, category, value, bool]`.
    pub fn step_json(&self, step: &Step) -> Value {
        let list = |facts: &[Fact]| facts.iter().map(|&fact| self.fact_json(fact)).collect::<Vec<_>>();
        let mut value = json!({
            "facts": list(&step.facts),
            "premises": list(&step.premises),
            "sources": step.sources.iter().map(|&s| self.source_json(s)).collect::<Vec<_>>(),
            "words": self.facts(&step.facts),
        });
        if let Some(case) = &step.case {
            value["case"] = json!({
                "suppose": self.fact_json(case.assumption),
                "steps": case.steps.iter().map(|step| self.step_json(step)).collect::<Vec<_>>(),
                "contradiction": {
                    "sources": case.sources.iter().map(|&s| self.source_json(s)).collect::<Vec<_>>(),
                    "premises": list(&case.premises),
                },
            });
        }
        value
    }

    fn fact_json(&self, fact: Fact) -> Value {
        let (a, b) = self.facts.pair(fact.var().index());
        let name = |term: Term| self.puzzle.name(term);
        let category = |term: Term| self.puzzle.categories[term.category].name.as_str();
        json!([category(a), name(a), category(b), name(b), fact.is_positive()])
    }

    fn source_json(&self, source: Source) -> Value {
        match source {
            Source::Clue(clue) => json!({ "clue": self.puzzle.clues[clue].name }),
            rule => json!({ "rule": self.source(rule) }),
        }
    }
}

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
        (None, [Source::Partner(..)] | [Source::Same(..), ..]) => 1.0,
        (None, several) => 10.0 * several.len() as f64,
    }
}
