//! The rows of a batch as a table, JSON and comma-separated values.

use putnam_peg::{Plan, Problem, Row, Verdict};
use serde_json::{Value, json};
use std::fmt::Write;

/// A table for people.
pub(super) fn table(rows: &[Row], seconds: f64) -> String {
    let mut text = format!("{:>5}  {:<11}  {:>5}  {:>9}  {:>7}\n", "start", "verdict", "jumps", "conflicts", "seconds");
    for row in rows {
        let jumps = row.jumps().map_or_else(|| "-".into(), |jumps| jumps.to_string());
        let _ = write!(
            text,
            "{:>5}  {:<11}  {jumps:>5}  {:>9}  {:>7.2}",
            row.start,
            row.verdict_word(),
            row.conflicts,
            row.time.as_secs_f64()
        );
        match &row.verdict {
            Verdict::NoPlan(Some(reason)) => text += &format!("  {reason}"),
            Verdict::Unknown(reason) => text += &format!("  {reason}"),
            Verdict::Plan(Plan { optimum: Some(optimum), .. }) => text += &format!("  {}", optimum.in_short()),
            Verdict::Plan(_) | Verdict::NoPlan(None) => {}
        }
        if let Some(other) = row.same_as {
            text += &format!("  by symmetry from {other}");
        }
        text.push('\n');
    }
    let [solved, refuted, unknown] = counts(rows.iter());
    let starts = if rows.len() == 1 { "start" } else { "starts" };
    let _ = writeln!(
        text,
        "{} {starts}: {solved} solved, {refuted} without solution, {unknown} unknown; {seconds:.2} seconds",
        rows.len()
    );
    text + &best(rows)
}

/// The row with the fewest of what was to be few, as a line.
fn best(rows: &[Row]) -> String {
    let optimum = |row: &Row| match &row.verdict {
        Verdict::Plan(plan) => plan.optimum.clone().map(|optimum| (optimum, row.start)),
        _ => None,
    };
    let Some((best, start)) = rows.iter().filter_map(optimum).min_by_key(|(optimum, start)| (optimum.count, *start))
    else {
        return String::new();
    };
    // No row can be better: each is proved to need as many, or to have no plan at all.
    let proved = rows.iter().all(|row| match &row.verdict {
        Verdict::Plan(plan) => plan.optimum.as_ref().is_some_and(|optimum| optimum.at_least >= best.count),
        Verdict::NoPlan(_) => true,
        Verdict::Unknown(_) => false,
    });
    let known = if proved { "of all these starts none does with fewer" } else { "whether fewer do is not known" };
    format!("best: {} {}s from start {start}; {known}\n", best.count, best.measure.word())
}

/// How many rows are solved, without solution, and unknown.
pub(super) fn counts<'a>(rows: impl Iterator<Item = &'a Row>) -> [usize; 3] {
    rows.fold([0; 3], |mut counts, row| {
        counts[match row.verdict {
            Verdict::Plan(_) => 0,
            Verdict::NoPlan(_) => 1,
            Verdict::Unknown(_) => 2,
        }] += 1;
        counts
    })
}

pub(super) fn rounded(row: &Row) -> f64 {
    (row.time.as_secs_f64() * 1000.0).round() / 1000.0
}

/// A row for programs.
pub(super) fn row_json(row: &Row) -> Value {
    let (plan, reason) = match &row.verdict {
        Verdict::Plan(plan) => (json!(plan.jumps.iter().map(|jump| jump.holes()).collect::<Vec<_>>()), None),
        Verdict::NoPlan(reason) => (Value::Null, reason.clone()),
        Verdict::Unknown(reason) => (Value::Null, Some(reason.to_string())),
    };
    let optimum = match &row.verdict {
        Verdict::Plan(plan) => plan.optimum.as_ref().map(putnam_peg::Optimum::to_json),
        _ => None,
    };
    json!({
        "start": row.start,
        "verdict": row.verdict_word(),
        "jumps": row.jumps(),
        "conflicts": row.conflicts,
        "seconds": rounded(row),
        "reason": reason,
        "same_as": row.same_as,
        "plan": plan,
        "fewest": optimum,
    })
}

/// The rows of a board for programs.
pub(super) fn to_json(problem: &Problem, rows: &[Row]) -> Value {
    let (name, holes) = (problem.board.name(), problem.board.holes());
    json!({ "board": name, "holes": holes, "starts": rows.iter().map(row_json).collect::<Vec<_>>() })
}

/// The lines of the rows, each after `prefix`.
pub(super) fn to_csv(rows: &[Row], prefix: &str) -> String {
    let mut text = String::new();
    for row in rows {
        let _ = writeln!(text, "{prefix}{},{}", row.start, fields(row));
    }
    text
}

/// What [`COLUMNS`] names.
pub(super) fn fields(row: &Row) -> String {
    let jumps = row.jumps().map_or_else(String::new, |jumps| jumps.to_string());
    format!("{},{jumps},{},{}", row.verdict_word(), row.conflicts, rounded(row))
}

/// The names of the columns behind start and finish.
pub(super) const COLUMNS: &str = "verdict,jumps,conflicts,seconds";

/// A field of comma-separated values (RFC 4180).
pub(super) fn quoted(field: &str) -> String {
    if field.contains([',', '"', '\n', '\r']) {
        return format!("\"{}\"", field.replace('"', "\"\""));
    }
    field.to_owned()
}
