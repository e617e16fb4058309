//! All starts with all finishes: solved once for all that are the same, and printed as pictures of the board.

use super::progress::Progress;
use super::runner::{Run, Task, failed};
use super::table::{counts, fields, row_json};
use crate::failure::Failure;
use putnam_peg::{Board, Clauses, Hole, Pair, Problem, Row, Verdict, same_pairs, same_starts};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fmt::Write;

/// How wide the pictures are that stand side by side.
const WIDTH: usize = 100;

/// The problems of a board, every start with every finish.
pub(super) struct Matrix {
    entries: Vec<Entry>,
    /// For each start the first that a symmetry maps to it.
    starts: Vec<(Hole, Hole)>,
}

/// One of them.
struct Entry {
    pair: Pair,
    row: Row,
    /// The pair that was solved in its place.
    same_as: Option<Pair>,
}

impl Matrix {
    /// Solves the problems of these starts with every finish.
    pub(super) fn solve(run: &Run<'_>, problem: &Problem, starts: &[Hole]) -> Result<Self, Failure> {
        let board = &problem.board;
        let pairs: Vec<Pair> =
            starts.iter().flat_map(|&start| (1..=board.holes()).map(move |finish| Pair { start, finish })).collect();
        let tasks: Vec<Task> =
            pairs.iter().map(|&Pair { start, finish }| (problem.with_finish(finish), start)).collect();
        // Who asks for certain clauses wants each by itself.
        let same = (problem.clauses == Clauses::Auto).then(|| same_pairs(board, &pairs));
        let first = |index: usize| same.as_ref().map_or(index, |same| same[index].0);
        let progress = Progress::new(tasks.len());
        let rows = run.solve(&tasks, |index| first(index) != index, &progress);
        let entry = |index: usize, rows: &[Option<Row>]| -> Result<Entry, Failure> {
            let (problem, start) = &tasks[index];
            let missing = || Failure::Check(format!("the row of start {start} is missing"));
            let solved = rows[first(index)].as_ref().ok_or_else(missing)?;
            let row = match &same {
                Some(same) if first(index) != index => {
                    let row = solved.image(problem, *start, &same[index].1);
                    row.inspect(|row| progress.count(&row.verdict)).map_err(|error| failed(*start, error))?
                }
                _ => solved.clone(),
            };
            let same_as = (first(index) != index).then(|| pairs[first(index)]);
            Ok(Entry { pair: pairs[index], row, same_as })
        };
        let entries = rows.and_then(|rows| (0..tasks.len()).map(|index| entry(index, &rows)).collect());
        progress.clear();
        let like = same_starts(&Problem { clauses: Clauses::Auto, ..problem.clone() }, starts);
        let starts = starts.iter().zip(like).map(|(&start, (index, _))| (start, starts[index])).collect();
        Ok(Self { entries: entries?, starts })
    }

    /// Whether every problem was decided.
    pub(super) fn is_decided(&self) -> bool {
        !self.entries.iter().any(|entry| matches!(entry.row.verdict, Verdict::Unknown(_)))
    }

    /// The pictures: for each start, up to symmetry, the board with a mark in each finish.
    pub(super) fn to_text(&self, board: &Board, seconds: f64) -> String {
        let mut text = String::new();
        if board.picture().is_some() {
            text += "How many finishes can be reached, at the hole that is empty at the start:\n";
            text += &self.overview(board);
            text.push('\n');
        }
        let used: Vec<char> = self.entries.iter().map(|entry| mark(&entry.row)).collect();
        let legend: Vec<String> = (LEGEND.iter())
            .filter(|(mark, _)| used.contains(mark))
            .map(|(mark, meaning)| format!("{mark} {meaning}"))
            .collect();
        text += &format!("The last peg, by the hole that is empty at the start: {}\n", legend.join(", "));
        let mut classes: BTreeMap<Hole, Vec<Hole>> = BTreeMap::new();
        self.starts.iter().for_each(|&(start, like)| classes.entry(like).or_default().push(start));
        let blocks: Vec<Vec<String>> = classes.iter().map(|(&start, like)| self.block(board, start, like)).collect();
        text += &side_by_side(&blocks);
        let [solved, refuted, unknown] = counts(self.entries.iter().map(|entry| &entry.row));
        let short = self.entries.iter().filter(|entry| matches!(entry.row.verdict, Verdict::NoPlan(Some(_)))).count();
        let own = self.entries.iter().filter(|entry| entry.same_as.is_none()).count();
        let _ = writeln!(
            text,
            "\n{} problems, {own} of them different: {solved} solved, {refuted} without solution ({short} for a short reason), \
             {unknown} unknown; {seconds:.2} seconds",
            self.entries.len()
        );
        text
    }

    /// The board with the number of finishes in each start.
    fn overview(&self, board: &Board) -> String {
        let mut reached: BTreeMap<Hole, usize> = BTreeMap::new();
        for entry in &self.entries {
            *reached.entry(entry.pair.start).or_default() += usize::from(entry.row.jumps().is_some());
        }
        let cell = |hole| reached.get(&hole).map_or_else(|| "-".into(), usize::to_string);
        board.picture().map_or_else(String::new, |picture| picture.draw_words(cell))
    }

    /// What stands for a start: a heading, and the board with the marks.
    fn block(&self, board: &Board, start: Hole, like: &[Hole]) -> Vec<String> {
        let marks: BTreeMap<Hole, char> = (self.entries.iter())
            .filter(|entry| entry.pair.start == start)
            .map(|entry| (entry.pair.finish, mark(&entry.row)))
            .collect();
        let others: Vec<String> = like.iter().filter(|&&hole| hole != start).map(Hole::to_string).collect();
        let mut lines = vec![format!("start {start}")];
        if !others.is_empty() {
            lines.extend(wrapped(&format!("and alike {}", others.join(" ")), 24));
        }
        match board.picture() {
            Some(picture) => lines.extend(picture.draw(|hole| marks[&hole]).lines().map(str::to_owned)),
            None => lines.push(marks.values().collect()),
        }
        lines
    }

    /// The matrix for programs: a line of marks for each start, and every problem.
    pub(super) fn to_json(&self, board: &Board) -> Value {
        let mut lines: BTreeMap<Hole, String> = BTreeMap::new();
        self.entries.iter().for_each(|entry| lines.entry(entry.pair.start).or_default().push(mark(&entry.row)));
        let lines: serde_json::Map<String, Value> =
            lines.into_iter().map(|(start, marks)| (start.to_string(), json!(marks))).collect();
        let problem = |entry: &Entry| {
            let mut value = row_json(&entry.row);
            value["finish"] = json!(entry.pair.finish);
            value["same_as"] = json!(entry.same_as.map(|pair| [pair.start, pair.finish]));
            value
        };
        let problems: Vec<Value> = self.entries.iter().map(problem).collect();
        let marks: serde_json::Map<String, Value> =
            LEGEND.iter().map(|(mark, meaning)| (mark.to_string(), json!(meaning))).collect();
        json!({ "board": board.name(), "holes": board.holes(), "marks": marks, "matrix": lines, "problems": problems })
    }

    /// The lines of the problems, each after `prefix`.
    pub(super) fn to_csv(&self, prefix: &str) -> String {
        let mut text = String::new();
        for entry in &self.entries {
            let _ = writeln!(text, "{prefix}{},{},{}", entry.pair.start, entry.pair.finish, fields(&entry.row));
        }
        text
    }
}

/// The marks and what they mean.
const LEGEND: [(char, &str); 4] =
    [('o', "there is a plan"), ('.', "there is none, for a short reason"), ('x', "there is none"), ('?', "unknown")];

fn mark(row: &Row) -> char {
    match row.verdict {
        Verdict::Plan(_) => 'o',
        Verdict::NoPlan(Some(_)) => '.',
        Verdict::NoPlan(None) => 'x',
        Verdict::Unknown(_) => '?',
    }
}

/// Lines of at most `width` characters, broken at blanks.
fn wrapped(text: &str, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split(' ') {
        let last = lines.len() - 1;
        if !lines[last].is_empty() && lines[last].len() + 1 + word.len() > width {
            lines.push(word.to_owned());
        } else {
            let blank = if lines[last].is_empty() { "" } else { " " };
            lines[last] += &format!("{blank}{word}");
        }
    }
    lines
}

/// Blocks in rows of at most [`WIDTH`] characters, their last lines level.
fn side_by_side(blocks: &[Vec<String>]) -> String {
    let width = |block: &Vec<String>| block.iter().map(|line| line.chars().count()).max().unwrap_or(0);
    let mut text = String::new();
    let mut rest = blocks;
    while !rest.is_empty() {
        let mut total = 0;
        let fits = |block: &&Vec<String>| {
            total += width(block) + 4;
            total <= WIDTH + 4
        };
        let (row, after) = rest.split_at(rest.iter().take_while(fits).count().max(1));
        let height = row.iter().map(Vec::len).max().unwrap_or(0);
        for line in 0..height {
            let mut out = String::from("\n");
            for block in row {
                let own = (line + block.len()).checked_sub(height).map_or("", |index| block[index].as_str());
                let _ = write!(out, "{own:<width$}    ", width = width(block));
            }
            text += out.trim_end_matches(' ');
        }
        text += "\n";
        rest = after;
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_stand_side_by_side() {
        let block = |lines: &[&str]| lines.iter().map(|line| (*line).to_owned()).collect::<Vec<_>>();
        let text = side_by_side(&[block(&["a", "bcd"]), block(&["e"]), block(&[&"f".repeat(95)])]);
        assert_eq!(text, format!("\na\nbcd    e\n\n{}\n", "f".repeat(95)));
        assert_eq!(wrapped("and alike 1 2 3", 11), ["and alike 1", "2 3"]);
    }
}
