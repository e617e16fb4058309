//! Explanations in words and as JSON.

use super::Fact;
use super::rules::Source;
use super::search::Explanation;
use super::steps::{Case, Step};
use crate::encode::Facts;
use crate::puzzle::{Kind, Puzzle, Term};
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

    /// The values that a fact is about, unless it is about a clue.
    fn pair(&self, fact: Fact) -> Option<(Term, Term)> {
        let index = fact.var().index();
        (index < self.facts.num_pairs()).then(|| self.facts.pair(index))
    }

    /// A fact in words.
    pub fn fact(&self, fact: Fact) -> String {
        if let Some(clue) = self.facts.clue(fact.var().index()) {
            return format!("clue {} is {}", self.puzzle.clues[clue].name, fact.is_positive());
        }
        let (a, b) = self.facts.pair(fact.var().index());
        let is = if fact.is_positive() { "is" } else { "is not" };
        format!("{} {is} {}", self.speaker.name(a), self.speaker.name(b))
    }

    /// Facts in words; several about one value in a row: `red is not house 1, 2 or 3`.
    pub fn facts(&self, facts: &[Fact]) -> String {
        let mut parts: Vec<String> = Vec::new();
        let mut rest = facts;
        while let Some((&first, _)) = rest.split_first() {
            let (keep, others) = self.row(rest);
            match (keep, &others[..]) {
                (Some(keep), [before @ .., last]) if others.len() > 1 => {
                    parts.push(format!("{} is not {} or {last}", self.speaker.name(keep), before.join(", ")));
                }
                _ => parts.push(self.fact(first)),
            }
            rest = &rest[others.len().max(1)..];
        }
        parts.join("; ")
    }

    /// The longest beginning of facts that exclude values of one category for one value: that value, and the names of those.
    fn row(&self, facts: &[Fact]) -> (Option<Term>, Vec<String>) {
        let Some((a, b)) = facts.first().filter(|fact| fact.is_negative()).and_then(|&fact| self.pair(fact)) else {
            return (None, Vec::new());
        };
        let partners = |keep: Term, other: Term| -> Vec<Term> {
            let partner = |&fact: &Fact| {
                let (c, d) = self.pair(fact).filter(|_| fact.is_negative())?;
                let partner = if c == keep { d } else { c };
                ((c == keep || d == keep) && partner.category == other.category).then_some(partner)
            };
            facts.iter().map_while(partner).collect()
        };
        let (with_a, with_b) = (partners(a, b), partners(b, a));
        let (keep, others) = if with_a.len() >= with_b.len() { (a, with_a) } else { (b, with_b) };
        (Some(keep), others.into_iter().map(|term| self.speaker.name(term)).collect())
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
                let (name, other) = (self.speaker.name(value), &self.puzzle.categories[category]);
                let missing = self.puzzle.categories[value.category].kind == Kind::Spare;
                match (missing, other.kind == Kind::Shared) {
                    (false, false) => format!("{name} has exactly one {}", other.name),
                    (false, true) => format!("{name} has at least one {}", other.name),
                    (true, false) => format!("{name} has one {} if it is used, else none", other.name),
                    (true, true) => format!("{name} has a {} if it is used", other.name),
                }
            }
            Source::Same(a, b, c) => {
                // The rule compares two values that are at one position each with a third.
                let repeated = |term: Term| self.puzzle.categories[term.category].kind == Kind::Repeated;
                let (a, b) = if repeated(a) && !repeated(c) { (b, c) } else { (a, b) };
                format!("{} and {} are the same or have nothing in common", self.speaker.name(a), self.speaker.name(b))
            }
            Source::Both(a, b) => {
                format!("{} and {} go together only at one position", self.speaker.name(a), self.speaker.name(b))
            }
            Source::Lies => match self.puzzle.lies {
                1 => "exactly one clue is false".into(),
                lies => format!("exactly {lies} clues are false"),
            },
        }
    }

    /// What several sources say.
    pub(crate) fn sources(&self, sources: &[Source]) -> String {
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

    /// A step for programs: `{"facts", "premises", "sources", "case"?}`; a fact is `[category, value, category, value, bool]`, or
    /// `["clue", name, bool]` where clues may lie.
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
        if let Some(clue) = self.facts.clue(fact.var().index()) {
            return json!(["clue", self.puzzle.clues[clue].name, fact.is_positive()]);
        }
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
