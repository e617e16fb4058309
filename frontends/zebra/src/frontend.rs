//! The front end as the command drives it.

use crate::builtin;
use crate::explain::too_large;
use crate::grid::Grid;
use crate::puzzle::Puzzle;
use crate::read::{error_at_category, read_puzzle};
use crate::show;
use crate::solve::{Clauses, TUNING, verify};
use crate::write::{Speaker, strict};
use putnam_api::{Encoding, Error, Frontend, OptionSpec, Problem, Settings, Solution};
use putnam_formula::{Model, Var};
use std::io::Read;
use std::sync::Arc;

/// Zebra and logic-grid puzzles.
#[derive(Clone, Copy, Debug, Default)]
pub struct Zebra;

impl Zebra {
    /// The puzzle that the user's input names: a built-in puzzle, a file, or `-` for standard input.
    ///
    /// # Errors
    /// [`Error::Parse`] with the place, [`Error::Input`] for files that cannot be read.
    pub fn puzzle(input: &str) -> Result<Puzzle, Error> {
        let (text, name) = text_of(input)?;
        read(&text, &name)
    }

    /// The puzzle that the user's input names, to be explained.
    ///
    /// # Errors
    /// Those of [`Self::puzzle`], and one with the place of a category that is too large for explanations.
    pub fn puzzle_to_explain(input: &str) -> Result<Puzzle, Error> {
        let (text, name) = text_of(input)?;
        let puzzle = read(&text, &name)?;
        let Some((category, refused)) = too_large(&puzzle) else { return Ok(puzzle) };
        Err(match is_json(&text) {
            true => Error::input(name, format!("categories[{category}]: {refused}")),
            false => error_at_category(&text, &name, category, &refused.to_string()),
        })
    }
}

/// The text that the user's input names, and what it is called in errors.
fn text_of(input: &str) -> Result<(String, String), Error> {
    if let Some(text) = builtin::text(input) {
        return Ok((text.to_owned(), input.to_owned()));
    }
    let unreadable = |message: String| Error::input(input, message);
    let mut bytes = Vec::new();
    match putnam_formats::open_text(input) {
        Ok(mut reader) => reader.read_to_end(&mut bytes).map_err(|e| unreadable(e.to_string()))?,
        Err(_) if !input.contains(['/', '.']) && input != "-" && !std::path::Path::new(input).exists() => {
            let known: Vec<&str> = builtin::names().collect();
            let message = format!("neither a file nor a built-in puzzle; built in are: {}", known.join(", "));
            return Err(unreadable(message));
        }
        Err(error) => return Err(unreadable(error.to_string())),
    };
    let text = String::from_utf8(bytes).map_err(|error| {
        let line = error.as_bytes()[..error.utf8_error().valid_up_to()].iter().filter(|&&b| b == b'\n').count() + 1;
        unreadable(format!("line {line} is no UTF-8 text"))
    })?;
    Ok((text, if input == "-" { "<stdin>" } else { input }.to_owned()))
}

fn is_json(text: &str) -> bool {
    text.trim_start().starts_with('{')
}

fn read(text: &str, name: &str) -> Result<Puzzle, Error> {
    if is_json(text) { crate::json::read_json(text, name) } else { read_puzzle(text, name) }
}

impl Frontend for Zebra {
    fn name(&self) -> &'static str {
        "zebra"
    }

    fn about(&self) -> &'static str {
        "Zebra puzzles and logic grids"
    }

    fn input(&self) -> (&'static str, &'static str) {
        ("PUZZLE", "a puzzle file, `-` for standard input, or the name of a built-in puzzle such as `zebra`")
    }

    fn options(&self) -> &'static [OptionSpec] {
        &[]
    }

    fn styles(&self) -> &'static [&'static str] {
        &["grid", "text"]
    }

    fn enumerates(&self) -> bool {
        true
    }

    fn open(&self, input: &str, _: &Settings) -> Result<Box<dyn Problem>, Error> {
        Ok(Box::new(ZebraProblem { puzzle: Arc::new(Self::puzzle(input)?) }))
    }
}

/// One puzzle as a problem of the command.
struct ZebraProblem {
    puzzle: Arc<Puzzle>,
}

impl ZebraProblem {
    fn grid(&self, model: &Model) -> Grid {
        let clauses = Clauses::new(&self.puzzle, false);
        clauses.atoms.grid(&self.puzzle, model)
    }
}

impl Problem for ZebraProblem {
    fn encode(&self) -> Encoding {
        let clauses = Clauses::new(&self.puzzle, true);
        Encoding { cnf: clauses.cnf, symbols: clauses.symbols }
    }

    fn tuning(&self) -> &'static [(&'static str, i64)] {
        TUNING
    }

    fn decode(&self, model: &Model) -> Result<Box<dyn Solution>, Error> {
        let grid = self.grid(model);
        match grid.broken_rule(&self.puzzle) {
            Some(broken) => Err(Error::Wrong(broken)),
            None => Ok(Box::new(ZebraSolution { puzzle: Arc::clone(&self.puzzle), grid })),
        }
    }

    fn no_solution(&self, style: &str) -> String {
        match style {
            "json" => "null\n".into(),
            _ => {
                let mut text = "No grid satisfies all clues.\n".to_owned();
                if let Some(clues) = crate::clash::clash(&self.puzzle) {
                    text += "These have no solution together, but any of them left out they have one:\n";
                    for clue in clues.iter().map(|&clue| &self.puzzle.clues[clue]) {
                        text += &format!("{}. {}\n", clue.name, clue.text);
                    }
                }
                text
            }
        }
    }

    fn warnings(&self) -> Vec<String> {
        let lines = |clue: &crate::puzzle::Clue| {
            let name = clue.name.clone();
            clue.warnings.iter().map(move |warning| format!("clue {name}: {warning}")).collect::<Vec<_>>()
        };
        self.puzzle.clues.iter().flat_map(lines).collect()
    }

    fn describe(&self) -> Option<String> {
        let speaker = Speaker::new(&self.puzzle);
        let line = |clue: &crate::puzzle::Clue| {
            let formal = strict(&self.puzzle.categories, &clue.formula);
            format!("{}. {}   [{formal}]\n", clue.name, speaker.sentence(&clue.formula))
        };
        Some(self.puzzle.clues.iter().map(line).collect())
    }

    fn distinguishing(&self) -> Option<Vec<Var>> {
        Some(Clauses::new(&self.puzzle, false).atoms.vars(&self.puzzle))
    }

    fn compare(&self, first: &Model, second: Option<&Model>, _style: &str) -> String {
        show::uniqueness(&self.puzzle, &self.grid(first), second.map(|model| self.grid(model)).as_ref())
    }
}

struct ZebraSolution {
    puzzle: Arc<Puzzle>,
    grid: Grid,
}

impl Solution for ZebraSolution {
    fn verify(&self) -> Result<(), Error> {
        verify(&self.puzzle, &self.grid).map_err(Error::Wrong)
    }

    fn render(&self, style: &str) -> String {
        let grid = match style {
            "text" => show::sentences(&self.puzzle, &self.grid),
            _ => show::table(&self.puzzle, &self.grid, None),
        };
        let answers = show::answer_lines(&self.puzzle, &self.grid);
        if answers.is_empty() { grid } else { format!("{grid}\n{answers}") }
    }

    fn to_json(&self) -> serde_json::Value {
        show::to_json(&self.puzzle, &self.grid)
    }
}
