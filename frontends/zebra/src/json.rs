//! Puzzles as JSON.

use crate::formula::{Compare, Counting, Formula, Measure, Relation};
use crate::number::Decimal;
use crate::puzzle::{Category, Clue, Kind, Puzzle, Question, Term, Unit, Value};
use crate::read::{Context, check_categories, check_clue, is_fit_to_declare};
use putnam_api::Error;
use serde_json::Value as Json;

/// Reads a puzzle from JSON. A term is `[category, value]`.
///
/// ```text
/// { "title", "categories": [{ "name", "values": [..], "ordered", "numbers": [..] or null, "units": [..], "kind" }],
///   "clues": [{ "kind", "text", .. }], "questions": ["category of value", ..], "order_by", "lies", "filler": [..] }
/// ```
///
/// A value is its name, or `[name, other spelling, ..]`; a unit is its word, or `{"word", "factor"}`.
/// Kinds of clues: `same` a b; `different` a b; `all_different` terms; `one_of` a options exclusive; `pairs` a b c d;
/// `order` a rel b in; `offset` a b by in unit (a = b + by); `distance` a b by in unit; `between` a b c in adjacent;
/// `parity` a b same in; `ratio` a b times over in; `and`, `or`, `xor`, `not`, `implies`, `iff` args; `count` rel count args;
/// `text` with the clue's words alone, as in a puzzle file. A unit is `rank` or `value`; without one, values if the category has
/// numbers. `offset` and `distance` take a `rel` too, `=` without one. A category's kind is `exact`, `spare`, `repeated` or
/// `shared`.
///
/// # Errors
/// [`Error::Parse`] for text that is no JSON, [`Error::Input`] with the path of the part that is wrong.
pub fn read_json(text: &str, name: &str) -> Result<Puzzle, Error> {
    let json: Json = serde_json::from_str(text).map_err(|error| {
        let line = error.line().max(1);
        Error::Parse {
            path: name.to_owned(),
            line,
            column: error.column().max(1),
            message: format!("no JSON: {error}"),
            text: text.lines().nth(line - 1).unwrap_or("").to_owned(),
        }
    })?;
    puzzle(&json).map_err(|message| Error::input(name, message))
}

type Read<T> = Result<T, String>;

fn puzzle(json: &Json) -> Read<Puzzle> {
    let list = |key: &str| json.get(key).and_then(Json::as_array).ok_or(format!("'{key}' is missing or no list"));
    let mut categories = Vec::new();
    for (i, category) in list("categories")?.iter().enumerate() {
        categories.push(read_category(category).map_err(|message| format!("categories[{i}]: {message}"))?);
    }
    check_categories(&categories).map_err(|(_, message)| message)?;
    let find = |name: &str| categories.iter().position(|c: &Category| c.name == name);
    let order_by = match optional(json, "order_by", Json::as_str, "a text")? {
        Some(name) => Some(find(name).ok_or(format!("order_by: there is no category '{name}'"))?),
        None => None,
    };
    if let Some(category) = order_by.filter(|&c| !categories[c].ordered) {
        return Err(format!("order_by: '{}' has no order", categories[category].name));
    }
    let words = match json.get("filler") {
        Some(words) => texts(words, "filler")?,
        None => Vec::new(),
    };
    if let Some(word) = words.iter().find(|word| !is_fit_to_declare(word)) {
        return Err(format!("filler: '{word}' changes what a clue says, or is no single word"));
    }
    let reader = Reader { context: Context::with_words(&categories, order_by, &words) };
    let (mut clues, mut parts) = (Vec::new(), 0);
    for (i, clue) in list("clues")?.iter().enumerate() {
        let formula = reader.formula(clue).map_err(|message| format!("clues[{i}]: {message}"))?;
        check_clue(&categories, &formula, &mut parts).map_err(|message| format!("clues[{i}]: {message}"))?;
        let text = clue.get("text").and_then(Json::as_str).unwrap_or("").to_owned();
        clues.push(Clue { name: (i + 1).to_string(), text, formula, warnings: Vec::new() });
    }
    let mut questions = Vec::new();
    let asked = match json.get("questions") {
        Some(list) => list.as_array().ok_or("'questions' is no list")?.as_slice(),
        None => &[],
    };
    for (i, question) in asked.iter().enumerate() {
        questions.push(reader.question(question).map_err(|message| format!("questions[{i}]: {message}"))?);
    }
    let title = ["title", "name"].iter().find_map(|key| json.get(key).and_then(Json::as_str)).unwrap_or("").to_owned();
    let lies = optional(json, "lies", Json::as_u64, "a whole number")?.unwrap_or(0);
    let lies = usize::try_from(lies).unwrap_or(usize::MAX);
    if lies > clues.len() {
        return Err(format!("lies: {lies} of {} clues cannot be false", clues.len()));
    }
    Ok(Puzzle { title, categories, order_by, clues, lies, questions })
}

fn decimal(json: &Json) -> Read<Decimal> {
    let wrong = || format!("{json} is no number with at most six digits after the point");
    match json {
        Json::Number(number) => {
            let text = number.to_string();
            Decimal::parse(text.strip_suffix(".0").unwrap_or(&text)).ok_or_else(wrong)
        }
        _ => Err(wrong()),
    }
}

/// The part with this key; none if it is not there or null.
fn optional<'j, T>(json: &'j Json, key: &str, read: impl Fn(&'j Json) -> Option<T>, what: &str) -> Read<Option<T>> {
    match json.get(key) {
        None | Some(Json::Null) => Ok(None),
        Some(value) => read(value).map(Some).ok_or(format!("'{key}' is not {what}")),
    }
}

/// A list of texts.
fn texts(json: &Json, what: &str) -> Read<Vec<String>> {
    let list = json.as_array().ok_or(format!("'{what}' is no list"))?;
    list.iter().map(|text| text.as_str().map(str::to_owned).ok_or(format!("{what}: {text} is no text"))).collect()
}

fn read_category(json: &Json) -> Read<Category> {
    let name = json.get("name").and_then(Json::as_str).ok_or("'name' is missing or no text")?.to_owned();
    let values = json.get("values").and_then(Json::as_array).ok_or("'values' is missing or no list")?;
    let values: Vec<Value> = values.iter().map(read_value).collect::<Read<_>>()?;
    if values.len() < 2 {
        return Err("'values' has at least two values".into());
    }
    let ordered = optional(json, "ordered", Json::as_bool, "true or false")?.unwrap_or(false);
    let numbers = match optional(json, "numbers", Json::as_array, "a list")? {
        Some(numbers) => Some(numbers.iter().map(decimal).collect::<Read<Vec<_>>>()?),
        None => None,
    };
    if let Some(numbers) = &numbers
        && (numbers.len() != values.len() || !numbers.windows(2).all(|w| w[0] < w[1]))
    {
        return Err("'numbers' has one number for each value, in ascending order".into());
    }
    let units = optional(json, "units", Json::as_array, "a list")?;
    let units = units.into_iter().flatten().map(read_unit).collect::<Read<_>>()?;
    let kind = match optional(json, "kind", Json::as_str, "a text")? {
        None | Some("exact") => Kind::Exact,
        Some("spare") => Kind::Spare,
        Some("repeated") => Kind::Repeated,
        Some("shared") => Kind::Shared,
        Some(other) => return Err(format!("'{other}' is no kind of category: exact, spare, repeated or shared")),
    };
    Ok(Category { name, units, values, ordered: ordered || numbers.is_some(), numbers, kind })
}

/// A value is its name, or a list of its name and its other spellings.
fn read_value(json: &Json) -> Read<Value> {
    let mut names = match json {
        Json::Array(_) => texts(json, "values")?,
        _ => vec![json.as_str().ok_or(format!("values: {json} is no text"))?.to_owned()],
    };
    if names.is_empty() {
        return Err("values: a value has no name".into());
    }
    let aliases = names.split_off(1);
    Ok(Value { name: names.remove(0), aliases })
}

/// A unit is its word, or `{"word", "factor"}`.
fn read_unit(json: &Json) -> Read<Unit> {
    let word = json.as_str().or(json.get("word").and_then(Json::as_str));
    let word = word.filter(|word| !word.trim().is_empty()).ok_or(format!("units: {json} has no word"))?;
    let factor = match json.get("factor") {
        Some(factor) => decimal(factor)?,
        None => Decimal::whole(1).unwrap_or_default(),
    };
    if factor <= Decimal::ZERO {
        return Err(format!("units: the factor of '{word}' is not positive"));
    }
    Ok(Unit { word: word.trim().to_lowercase(), factor })
}

struct Reader<'p> {
    context: Context<'p>,
}

impl Reader<'_> {
    fn category(&self, json: &Json, key: &str) -> Read<usize> {
        let name = json.get(key).and_then(Json::as_str).ok_or(format!("'{key}' is missing"))?;
        let found = self.context.categories.iter().position(|c| c.name == name);
        found.ok_or(format!("there is no category '{name}'"))
    }

    fn ordered(&self, json: &Json) -> Read<usize> {
        let category = self.category(json, "in")?;
        if !self.context.categories[category].ordered {
            return Err(format!("'{}' has no order", self.context.categories[category].name));
        }
        Ok(category)
    }

    fn as_term(&self, json: &Json) -> Read<Term> {
        let parts = json.as_array().map(|parts| parts.iter().filter_map(Json::as_str).collect::<Vec<_>>());
        let Some([category, value]) = parts.as_deref() else { return Err(format!("{json} is no [category, value]")) };
        let index = self.context.categories.iter().position(|c| c.name == *category);
        let index = index.ok_or(format!("there is no category '{category}'"))?;
        let found = self.context.categories[index].values.iter().position(|v| v.name == *value);
        Ok(Term { category: index, value: found.ok_or(format!("{category} has no value '{value}'"))? })
    }

    fn term(&self, json: &Json, key: &str) -> Read<Term> {
        self.as_term(json.get(key).ok_or(format!("'{key}' is missing"))?)
    }

    fn terms(&self, json: &Json, key: &str) -> Read<Vec<Term>> {
        let list = json.get(key).and_then(Json::as_array).ok_or(format!("'{key}' is missing or no list"))?;
        list.iter().map(|term| self.as_term(term)).collect()
    }

    /// Terms, at least one: the strict form has no empty lists.
    fn some_terms(&self, json: &Json, key: &str) -> Read<Vec<Term>> {
        let terms = self.terms(json, key)?;
        if terms.is_empty() { Err(format!("'{key}' is empty")) } else { Ok(terms) }
    }

    fn args(&self, json: &Json) -> Read<Vec<Formula>> {
        let list = json.get("args").and_then(Json::as_array).ok_or("'args' is missing or no list")?;
        if list.is_empty() {
            return Err("'args' is empty".into());
        }
        list.iter().map(|arg| self.formula(arg)).collect()
    }

    fn two(&self, json: &Json) -> Read<(Box<Formula>, Box<Formula>)> {
        let args: [Formula; 2] = self.args(json)?.try_into().map_err(|_| "'args' has two parts here")?;
        let [a, b] = args;
        Ok((Box::new(a), Box::new(b)))
    }

    fn formula(&self, json: &Json) -> Read<Formula> {
        let (a, b) = (|| self.term(json, "a"), || self.term(json, "b"));
        let flag = |key: &str| optional(json, key, Json::as_bool, "true or false");
        let kind = json.get("kind").and_then(Json::as_str).ok_or("'kind' is missing")?;
        Ok(match kind {
            "same" => Formula::Same(a()?, b()?),
            "different" => Formula::Same(a()?, b()?).negated(),
            "all_different" => Formula::AllDifferent(self.some_terms(json, "terms")?),
            "one_of" => Formula::OneOf {
                term: a()?,
                options: self.some_terms(json, "options")?,
                exclusive: flag("exclusive")?.unwrap_or(false),
            },
            "pairs" => Formula::Pairs { left: [a()?, b()?], right: [self.term(json, "c")?, self.term(json, "d")?] },
            "order" | "offset" | "distance" | "ratio" => Formula::Compare(self.compare(json, kind)?),
            "between" => Formula::Between {
                middle: a()?,
                ends: [b()?, self.term(json, "c")?],
                category: self.ordered(json)?,
                adjacent: flag("adjacent")?.unwrap_or(false),
            },
            "parity" => Formula::Parity {
                terms: [a()?, b()?],
                category: self.ordered(json)?,
                same: flag("same")?.unwrap_or(true),
            },
            "and" => Formula::all(self.args(json)?),
            "or" => Formula::any(self.args(json)?),
            "not" => {
                let args: [Formula; 1] = self.args(json)?.try_into().map_err(|_| "'args' has one part here")?;
                let [inner] = args;
                inner.negated()
            }
            "xor" => self.two(json).map(|(a, b)| Formula::Xor(a, b))?,
            "implies" => self.two(json).map(|(a, b)| Formula::Implies(a, b))?,
            "iff" => self.two(json).map(|(a, b)| Formula::Iff(a, b))?,
            "count" => Formula::Count {
                relation: relation(json)?,
                count: json
                    .get("count")
                    .and_then(Json::as_u64)
                    .and_then(|count| usize::try_from(count).ok())
                    .ok_or("'count' is missing or no whole number")?,
                of: self.args(json)?,
            },
            "text" => {
                let text = json.get("text").and_then(Json::as_str).ok_or("'text' is missing")?;
                self.context.clue(text).map_err(|refusal| refusal.message)?.0
            }
            other => return Err(format!("'{other}' is no kind of clue")),
        })
    }

    fn compare(&self, json: &Json, kind: &str) -> Read<Compare> {
        let (left, right, category) = (self.term(json, "a")?, self.term(json, "b")?, self.ordered(json)?);
        if kind == "order" {
            return Ok(Compare::order(left, relation(json)?, right, category));
        }
        let relation = relation(json)?;
        if kind == "ratio" {
            let part = |key: &str, default| match json.get(key) {
                Some(n) => {
                    n.as_u64().and_then(|n| u32::try_from(n).ok()).filter(|n| *n > 0).ok_or(format!("'{key}' is wrong"))
                }
                None => Ok(default),
            };
            let measure = Measure::Ratio { times: part("times", 1)?, over: part("over", 1)? };
            return Ok(Compare { left, right, category, relation, measure });
        }
        let by = decimal(json.get("by").ok_or("'by' is missing")?)?;
        let values = &self.context.categories[category];
        let unit = match optional(json, "unit", Json::as_str, "a text")? {
            Some("rank") => Counting::Places,
            Some("value") | None if values.numbers.is_some() && !values.is_consecutive() => Counting::Numbers,
            Some("value") | None => Counting::Places,
            Some(other) => return Err(format!("'{other}' is no unit: rank or value")),
        };
        let measure = if kind == "offset" { Measure::Difference { by, unit } } else { Measure::Distance { by, unit } };
        let compare = Compare { left, right, category, relation, measure };
        self.context.possible(&compare)?;
        Ok(compare)
    }

    fn question(&self, json: &Json) -> Read<Question> {
        let text = json.as_str().ok_or("a question is a text")?;
        self.context.question(text).map_err(|refusal| refusal.message)
    }
}

fn relation(json: &Json) -> Read<Relation> {
    match optional(json, "rel", Json::as_str, "a text")? {
        None | Some("=") => Ok(Relation::Equal),
        Some("<") => Ok(Relation::Less),
        Some("<=") => Ok(Relation::AtMost),
        Some(">") => Ok(Relation::Greater),
        Some(">=") => Ok(Relation::AtLeast),
        Some(other) => Err(format!("'{other}' is no relation")),
    }
}
