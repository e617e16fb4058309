//! Reading puzzle files.

mod classes;
mod context;
mod counting;
mod english;
mod fillers;
mod lexer;
mod names;
mod patterns;
mod phrases;
mod quantity;
mod questions;
mod relation;
mod strict;

use crate::formula::Formula;
use crate::puzzle::{Category, Clue, Kind, MAX_CELLS, MAX_POSITIONS, MAX_VALUES, Puzzle};
pub(crate) use classes::leading_number;
pub(crate) use context::Context;
pub(crate) use fillers::is_fit_to_declare;
use putnam_api::Error;

/// What is wrong with a line, and where: a byte offset in the part that was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Refusal {
    pub(crate) at: usize,
    pub(crate) message: String,
}

impl Refusal {
    pub(crate) fn new(at: usize, message: impl Into<String>) -> Self {
        Self { at, message: message.into() }
    }
}

/// Reads a puzzle. `name` stands for the file in errors.
///
/// # Errors
/// [`Error::Parse`] with the place.
pub fn read_puzzle(text: &str, name: &str) -> Result<Puzzle, Error> {
    let mut reader = Reader::new(name);
    for (number, line) in text.lines().enumerate() {
        let (line, number) = (line.trim_start_matches('\u{feff}'), number + 1);
        if let Err(refusal) = reader.line(line, number) {
            let (line, number) = reader.elsewhere.unwrap_or((line, number));
            return Err(located(name, line, number, &refusal));
        }
    }
    let last = text.lines().count().max(1);
    reader.finish(last, text.lines().last().unwrap_or(""))
}

/// An error about a category, by its index, of a puzzle that was read from this text.
pub(crate) fn error_at_category(text: &str, name: &str, category: usize, message: &str) -> Error {
    let mut reader = Reader::new(name);
    for (number, line) in text.lines().enumerate() {
        let read = reader.line(line.trim_start_matches('\u{feff}'), number + 1);
        if read.is_err() || reader.places.len() > category {
            break;
        }
    }
    match reader.places.get(category) {
        Some(&(line, number, at)) => located(name, line, number, &Refusal::new(at, message)),
        None => Error::input(name, message),
    }
}

/// So many characters of a line are shown behind the place of an error.
const MOST_SHOWN: usize = 200;

pub(crate) fn located(name: &str, line: &str, number: usize, refusal: &Refusal) -> Error {
    let at = refusal.at.min(line.len());
    let before = line.get(..at).unwrap_or(line);
    let column = before.chars().count() + 1;
    let text = line.chars().take(column + MOST_SHOWN).collect();
    Error::Parse { path: name.to_owned(), line: number, column, message: refusal.message.clone(), text }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Section {
    Head,
    Clues,
}

struct Reader<'t> {
    name: &'t str,
    puzzle: Puzzle,
    section: Section,
    /// A category line that ended with a comma and goes on: its text, and the number of its first line.
    pending: Option<(String, usize)>,
    /// The line of each category, its number, and where the category begins in it.
    places: Vec<(&'t str, usize, usize)>,
    /// The line that a refusal speaks of, and its number, if it is not the current one.
    elsewhere: Option<(&'t str, usize)>,
    /// The words that the puzzle declares as saying nothing.
    words: Vec<String>,
    /// The clues and questions as they stand, to be read when all categories are known.
    clues: Vec<Line<'t>>,
}

struct Line<'t> {
    whole: &'t str,
    number: usize,
    /// Where the clue or question begins in the line, and its text.
    start: usize,
    body: &'t str,
    /// The clue's own number; none for a question.
    label: Option<String>,
}

impl<'t> Reader<'t> {
    fn new(name: &'t str) -> Self {
        Self {
            name,
            puzzle: Puzzle::empty(),
            section: Section::Head,
            pending: None,
            places: Vec::new(),
            elsewhere: None,
            words: Vec::new(),
            clues: Vec::new(),
        }
    }

    fn line(&mut self, line: &'t str, number: usize) -> Result<(), Refusal> {
        let body = without_comment(line).trim_end();
        let start = body.len() - body.trim_start().len();
        let body = &body[start..];
        if body.is_empty() {
            return Ok(());
        }
        if let Some(rest) = after_head(body, "ask:") {
            let start = start + body.len() - rest.trim_start().len();
            self.clues.push(Line { whole: line, number, start, body: rest.trim_start(), label: None });
            return Ok(());
        }
        match self.section {
            Section::Clues => {
                let (label, skipped) = clue_label(body);
                let count = self.clues.iter().filter(|line| line.label.is_some()).count();
                let label = label.unwrap_or_else(|| (count + 1).to_string());
                let body = &body[skipped..];
                self.clues.push(Line { whole: line, number, start: start + skipped, body, label: Some(label) });
                Ok(())
            }
            Section::Head => self.head(line, body, start, number),
        }
    }

    fn head(&mut self, line: &'t str, body: &'t str, start: usize, number: usize) -> Result<(), Refusal> {
        if self.pending.is_none() {
            if let Some(rest) = after_head(body, "puzzle:") {
                self.puzzle.title = rest.trim().to_owned();
                return Ok(());
            }
            if let Some(rest) = after_head(body, "filler:") {
                return self.filler(rest, start + body.len() - rest.len());
            }
            if let Some(rest) = after_head(body, "order by") {
                let name = rest.trim_start_matches([':', ' ', '\t']);
                return self.order_by(name.trim(), start + body.len() - name.len());
            }
            if let Some(rest) = after_head(body, "clues").filter(|rest| rest.trim_start().starts_with([':', '('])) {
                let offset = start + body.len() - rest.len();
                self.puzzle.lies = classes::clues_head(rest).map_err(|r| Refusal::new(offset + r.at, r.message))?;
                self.section = Section::Clues;
                return self.check_sizes(start);
            }
        }
        let (text, first) = match self.pending.take() {
            Some((text, first)) => (text + " " + body, first),
            None => (body.to_owned(), number),
        };
        if text.ends_with(',') {
            self.pending = Some((text, first));
            return Ok(());
        }
        let shift = |at: usize| if first == number { start + at } else { start };
        let category = classes::category(&text).map_err(|r| Refusal::new(shift(r.at), r.message))?;
        if self.puzzle.categories.iter().any(|c| c.name.to_lowercase() == category.name.to_lowercase()) {
            return Err(Refusal::new(start, format!("the category '{}' is there already", category.name)));
        }
        self.puzzle.categories.push(category);
        self.places.push((line, number, start));
        Ok(())
    }

    /// `filler: word, word`.
    fn filler(&mut self, list: &str, start: usize) -> Result<(), Refusal> {
        let separator = |c: char| c == ',' || c.is_whitespace();
        let mut at = 0;
        for word in list.split(separator) {
            if !word.is_empty() {
                let lower = word.to_lowercase();
                if !is_fit_to_declare(&lower) {
                    let message = format!("'{word}' cannot be filler: it changes what a clue says, or is no word");
                    return Err(Refusal::new(start + at, message));
                }
                self.words.push(lower);
            }
            at += word.len() + list[at + word.len()..].chars().next().map_or(0, char::len_utf8);
        }
        Ok(())
    }

    fn order_by(&mut self, name: &str, at: usize) -> Result<(), Refusal> {
        let found = self.puzzle.categories.iter().position(|c| c.name.to_lowercase() == name.to_lowercase());
        let Some(category) = found else {
            let known: Vec<&str> = self.puzzle.categories.iter().map(|c| c.name.as_str()).collect();
            return Err(Refusal::new(at, format!("'{name}' is no category so far; there are: {}", known.join(", "))));
        };
        if !self.puzzle.categories[category].ordered {
            let message = format!("'{name}' has no order: write its values with '<', as in 'January < February'");
            return Err(Refusal::new(at, message));
        }
        self.puzzle.order_by = Some(category);
        Ok(())
    }

    fn check_sizes(&mut self, at: usize) -> Result<(), Refusal> {
        check_categories(&self.puzzle.categories).map_err(|(category, message)| {
            let place = category.and_then(|c| self.places.get(c));
            self.elsewhere = place.map(|&(line, number, _)| (line, number));
            Refusal::new(place.map_or(at, |place| place.2), message)
        })
    }

    fn finish(mut self, last: usize, last_line: &str) -> Result<Puzzle, Error> {
        if let Some((_, first)) = &self.pending {
            let refusal = Refusal::new(0, format!("the category that begins in line {first} ends with a comma"));
            return Err(located(self.name, last_line, last, &refusal));
        }
        if self.section == Section::Head {
            let message = match self.puzzle.categories.is_empty() {
                true => {
                    "there is no puzzle here: a puzzle has categories such as 'pet: cat, dog', a line 'clues:', then clues"
                }
                false => "the line 'clues:' is missing",
            };
            let refusal = Refusal::new(last_line.len(), message);
            return Err(located(self.name, last_line, last, &refusal));
        }
        let categories = std::mem::take(&mut self.puzzle.categories);
        let context = Context::with_words(&categories, self.puzzle.order_by, &self.words);
        let mut parts = 0;
        for line in &self.clues {
            let fail =
                |r: Refusal| located(self.name, line.whole, line.number, &Refusal::new(line.start + r.at, r.message));
            match &line.label {
                Some(label) => {
                    let (formula, warnings) = context.clue(line.body).map_err(fail)?;
                    check_clue(&categories, &formula, &mut parts).map_err(|message| fail(Refusal::new(0, message)))?;
                    let clue = Clue { name: label.clone(), text: line.body.to_owned(), formula, warnings };
                    self.puzzle.clues.push(clue);
                }
                None => self.puzzle.questions.push(questions::question(&context, line.body).map_err(fail)?),
            }
        }
        if self.puzzle.lies > self.puzzle.clues.len() {
            let message = format!("{} clues cannot have {} false ones", self.puzzle.clues.len(), self.puzzle.lies);
            return Err(located(self.name, last_line, last, &Refusal::new(0, message)));
        }
        self.puzzle.categories = categories;
        Ok(self.puzzle)
    }
}

/// Whether the categories make a grid: some category is exact, all exact ones have the same size, the others fit. If not, which
/// category is wrong, if it is one of them, and why.
pub(crate) fn check_categories(categories: &[Category]) -> Result<(), (Option<usize>, String)> {
    let Some(base) = categories.iter().position(|c| c.kind == Kind::Exact) else {
        return Err((None, "there is no category yet that has each of its values exactly once".into()));
    };
    if categories.len() < 2 {
        return Err((None, "a puzzle has at least two categories".into()));
    }
    let first = &categories[base];
    if first.len() > MAX_POSITIONS {
        let (name, size) = (&first.name, first.len());
        let message = format!(
            "'{name}' has {size} values, each for one item; at most {MAX_POSITIONS} items are possible. If some of the values \
             belong to nobody write '{name} [spare]', if an item can have several '{name} [shared]'"
        );
        return Err((Some(base), message));
    }
    for (i, category) in categories.iter().enumerate() {
        check_names(category).and_then(|()| check_size(category, first)).map_err(|message| (Some(i), message))?;
        if categories[..i].iter().any(|c| c.name.to_lowercase() == category.name.to_lowercase()) {
            return Err((Some(i), format!("the category '{}' is there twice", category.name)));
        }
    }
    let cells = categories.iter().map(Category::len).sum::<usize>() * first.len();
    if cells > MAX_CELLS {
        return Err((
            None,
            format!("the grid has {cells} cells, values times items; at most {MAX_CELLS} are possible"),
        ));
    }
    Ok(())
}

/// Whether the category has as many values as its kind needs beside an exact one.
fn check_size(category: &Category, exact: &Category) -> Result<(), String> {
    let (name, count, size) = (&category.name, category.len(), exact.len());
    match category.kind {
        _ if count > MAX_VALUES => Err(format!("'{name}' has {count} values; at most {MAX_VALUES} are possible")),
        Kind::Exact if count != size => Err(format!(
            "'{name}' has {count} values and '{}' has {size}: write '{name} [spare]' if some are not used, \
             '{name} [shared]' if an item can have several, '{name} [repeated]' if a value can come several times",
            exact.name
        )),
        Kind::Spare | Kind::Shared if count < size => {
            Err(format!("'{name}' has {count} values and needs at least {size}, as many as '{}'", exact.name))
        }
        _ => Ok(()),
    }
}

/// The most characters of a name.
const MAX_NAME: usize = 200;
/// The most parts of all clues together, once quantifiers are written out.
const MAX_PARTS: usize = 500_000;
/// The most values of a category in which distances are compared with each other.
const MAX_DISTANCES: usize = 200;

/// Adds the parts of a clue to those so far, unless it would take too much time or memory.
pub(crate) fn check_clue(categories: &[Category], formula: &Formula, parts: &mut usize) -> Result<(), String> {
    let mut wide = None;
    formula.visit(&mut |part| {
        *parts += 1;
        if let Formula::EqualDistance { category, .. } = part {
            wide = wide.or(Some(*category).filter(|&c| categories[c].len() > MAX_DISTANCES));
        }
    });
    if let Some(category) = wide {
        let name = &categories[category].name;
        return Err(format!("'{name}' has more than {MAX_DISTANCES} values: two distances in it cannot be compared"));
    }
    if *parts > MAX_PARTS {
        return Err(format!("the clues have more than {MAX_PARTS} parts once quantifiers are written out"));
    }
    Ok(())
}

/// Whether a category and its values have names that a puzzle file can hold, each name once.
pub(crate) fn check_names(category: &Category) -> Result<(), String> {
    const HEADS: [&str; 5] = ["puzzle", "clues", "ask", "filler", "order by"];
    let tidy = |name: &str| {
        let blanks = name.split_whitespace().collect::<Vec<_>>().join(" ");
        !name.is_empty() && blanks == name && !name.contains(|c: char| c == '"' || c.is_control())
    };
    let name = &category.name;
    if name.chars().count() > MAX_NAME {
        return Err(format!("the name of a category has more than {MAX_NAME} characters"));
    }
    if !tidy(name) || name.contains(|c| "()[]{},:=<>#|".contains(c)) || HEADS.contains(&name.to_lowercase().as_str()) {
        return Err(format!("'{name}' cannot be the name of a category"));
    }
    let mut seen: Vec<String> = Vec::new();
    for value in &category.values {
        for spelling in std::iter::once(&value.name).chain(&value.aliases) {
            let lower = spelling.to_lowercase();
            if seen.contains(&lower) {
                return Err(format!("the value '{spelling}' is there twice"));
            }
            if spelling.is_empty() {
                return Err("a value has no name".into());
            }
            if spelling.chars().count() > MAX_NAME {
                let start: String = spelling.chars().take(20).collect();
                return Err(format!("the name '{start}…' has more than {MAX_NAME} characters"));
            }
            if !tidy(spelling) {
                return Err(format!("a value cannot be called {spelling:?}: it has quotes or superfluous blanks"));
            }
            if spelling == "*" {
                return Err(format!("the unnamed value is called 'other {name}' here"));
            }
            seen.push(lower);
        }
    }
    Ok(())
}

/// What follows the head word, which is taken in any case.
fn after_head<'t>(body: &'t str, head: &str) -> Option<&'t str> {
    body.get(..head.len()).filter(|start| start.eq_ignore_ascii_case(head)).map(|_| &body[head.len()..])
}

/// The line without its comment: `#` begins one at the start of a line or after a blank, outside quotes.
pub(crate) fn without_comment(line: &str) -> &str {
    let (mut quoted, mut blank) = (false, true);
    for (at, c) in line.char_indices() {
        match c {
            '"' => quoted = !quoted,
            '#' if blank && !quoted => return &line[..at],
            _ => {}
        }
        blank = c.is_whitespace();
    }
    line
}

/// A number that stands before a clue, `12.` or `12)`, and how many bytes it takes with the blanks after it.
fn clue_label(body: &str) -> (Option<String>, usize) {
    let digits = body.bytes().take_while(u8::is_ascii_digit).count();
    let after = &body[digits..];
    let Some(rest) = after.strip_prefix(['.', ')']).filter(|_| digits > 0) else { return (None, 0) };
    if !rest.starts_with(char::is_whitespace) {
        return (None, 0);
    }
    (Some(body[..digits].to_owned()), body.len() - rest.trim_start().len())
}

impl Puzzle {
    fn empty() -> Self {
        Self {
            title: String::new(),
            categories: Vec::new(),
            order_by: None,
            clues: Vec::new(),
            lies: 0,
            questions: Vec::new(),
        }
    }
}

/// The word for a small number.
pub(crate) fn number_in_words(number: usize) -> Option<&'static str> {
    phrases::NUMBERS.get(number).copied()
}
