//! A page that steps through an explanation on the grid as people draw it. Style and script are in the page, which loads
//! nothing: its content security policy forbids it.

use crate::explain::{Explanation, Fact, Narrator, Source, Step};
use crate::puzzle::Puzzle;
use crate::write::Speaker;
use putnam_api::page::{escaped, fill, script_data};
use serde_json::{Value, json};

const PAGE: &str = include_str!("page.html");
const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

/// The page of an explanation; with the costs of its steps where they are `optimal`.
pub fn html_page(puzzle: &Puzzle, explanation: &Explanation, optimal: bool) -> String {
    let narrator = Narrator::new(puzzle, explanation);
    let writer = Writer { puzzle, explanation, narrator: &narrator, optimal };
    let parts = [
        ("title", escaped(if puzzle.title.is_empty() { "A logic puzzle, step by step" } else { &puzzle.title })),
        ("style", STYLE.to_owned()),
        ("script", SCRIPT.to_owned()),
        ("data", script_data(&writer.data().to_string())),
        ("text", escaped(&narrator.all(explanation))),
    ];
    fill(PAGE, &parts.each_ref().map(|(name, part)| (*name, part.as_str())))
}

struct Writer<'p> {
    puzzle: &'p Puzzle,
    explanation: &'p Explanation,
    narrator: &'p Narrator<'p>,
    optimal: bool,
}

impl Writer<'_> {
    fn data(&self) -> Value {
        let base = self.puzzle.base();
        let others = (0..self.puzzle.categories.len()).filter(|&c| c != base);
        let categories = self.puzzle.categories.iter().map(|category| {
            let values: Vec<&str> = category.values.iter().map(|value| value.name.as_str()).collect();
            json!({ "name": category.name, "values": values })
        });
        let speaker = Speaker::new(self.puzzle);
        let clues = self.puzzle.clues.iter().map(|clue| {
            let text = if clue.text.is_empty() { speaker.sentence(&clue.formula) } else { clue.text.clone() };
            json!({ "name": clue.name, "text": text })
        });
        let steps = self.explanation.steps.iter().map(|step| self.step(step));
        json!({
            "categories": categories.collect::<Vec<_>>(),
            "order": std::iter::once(base).chain(others).collect::<Vec<_>>(),
            "clues": clues.collect::<Vec<_>>(),
            "questions": self.puzzle.questions.iter().map(|q| json!([q.text, q.category, q.of.category, q.of.value])).collect::<Vec<_>>(),
            "given": self.facts(&self.explanation.given),
            "steps": steps.collect::<Vec<_>>(),
            "complete": self.explanation.complete,
        })
    }

    /// Facts as `[category, value, category, value, 1 or 0]`, those about clues as `[clue, 1 or 0]`.
    fn facts(&self, facts: &[Fact]) -> Vec<Value> {
        let numbering = &self.explanation.rules.facts;
        let fact = |fact: &Fact| {
            let (index, holds) = (fact.var().index(), u8::from(fact.is_positive()));
            if let Some(clue) = numbering.clue(index) {
                return json!([clue, holds]);
            }
            let (a, b) = numbering.pair(index);
            json!([a.category, a.value, b.category, b.value, holds])
        };
        facts.iter().map(fact).collect()
    }

    fn step(&self, step: &Step) -> Value {
        let mut value = json!({ "facts": self.facts(&step.facts), "words": self.narrator.facts(&step.facts) });
        match &step.case {
            Some(case) => {
                value["case"] = json!({
                    "words": self.narrator.fact(case.assumption),
                    "facts": self.facts(&[case.assumption]),
                    "steps": case.steps.iter().map(|step| self.step(step)).collect::<Vec<_>>(),
                    "end": self.because(&case.sources, &case.premises),
                });
            }
            None => value["why"] = self.because(&step.sources, &step.premises),
        }
        if self.optimal {
            value["cost"] = json!(step.cost());
        }
        value
    }

    fn because(&self, sources: &[Source], premises: &[Fact]) -> Value {
        json!({
            "clues": sources.iter().filter_map(|source| source.clue()).collect::<Vec<_>>(),
            "by": self.narrator.sources(sources),
            "facts": self.facts(premises),
            "as": self.narrator.facts(premises),
        })
    }
}
