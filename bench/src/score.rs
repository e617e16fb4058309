//! Tables from rows.

use crate::judge::Verdict;
use crate::rows::Row;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

/// All rows of one solver by file.
type Results<'a> = BTreeMap<&'a str, &'a Row>;

/// The score of a race: only files that every solver ran count. The table has a line a solver, the ratio of the last solver's
/// PAR-2 to each other's, a table by family, and every wrong answer.
pub fn table(rows: &[Row]) -> String {
    let solvers = by_solver(rows);
    let common = common_files(&solvers);
    let mut text = String::new();
    let limits: BTreeSet<String> = rows.iter().map(|row| row.limit.to_string()).collect();
    let limits = limits.into_iter().collect::<Vec<_>>().join(", ");
    line(&mut text, format_args!("{} files that every solver ran, limit {limits} s of CPU", common.len()));
    line(
        &mut text,
        format_args!(
            "{:<16}{:>7}{:>6}{:>6}{:>10}{:>10}{:>7}",
            "solver", "solved", "sat", "unsat", "PAR-2", "peak MiB", "wrong"
        ),
    );
    for (name, results) in &solvers {
        let rows: Vec<&Row> = common.iter().map(|file| results[file]).collect();
        let solved = |verdict| rows.iter().filter(|row| row.solved() && row.verdict == verdict).count();
        let (sat, unsat) = (solved(Verdict::Sat), solved(Verdict::Unsat));
        let wrong = rows.iter().filter(|row| row.wrong.is_some()).count();
        let peak = rows.iter().map(|row| row.peak).fold(0.0, f64::max);
        line(
            &mut text,
            format_args!("{name:<16}{:>7}{sat:>6}{unsat:>6}{:>10.2}{peak:>10.0}{wrong:>7}", sat + unsat, mean(&rows)),
        );
    }
    ratios(&mut text, &solvers, &common);
    families(&mut text, &solvers, &common);
    let mut wrong = rows.iter().filter_map(|row| Some((row, row.wrong.as_deref()?))).peekable();
    if wrong.peek().is_some() {
        line(&mut text, format_args!("\nwrong answers"));
    }
    for (row, reason) in wrong {
        line(&mut text, format_args!("{}: {} on {}: {reason}", row.solver, row.verdict, row.file));
    }
    text
}

/// The solvers in the order in which they first appear. A later row for the same file counts.
fn by_solver(rows: &[Row]) -> Vec<(&str, Results<'_>)> {
    let mut solvers: Vec<(&str, Results<'_>)> = Vec::new();
    for row in rows {
        let index = solvers.iter().position(|(name, _)| *name == row.solver).unwrap_or_else(|| {
            solvers.push((&row.solver, Results::new()));
            solvers.len() - 1
        });
        solvers[index].1.insert(&row.file, row);
    }
    solvers
}

fn common_files<'a>(solvers: &[(&'a str, Results<'a>)]) -> Vec<&'a str> {
    let Some((_, first)) = solvers.first() else { return Vec::new() };
    first.keys().copied().filter(|file| solvers.iter().all(|(_, results)| results.contains_key(file))).collect()
}

/// The mean PAR-2 seconds; 0 for no rows.
fn mean(rows: &[&Row]) -> f64 {
    rows.iter().map(|row| row.par2()).sum::<f64>() / rows.len().max(1) as f64
}

/// How the last solver compares with each other.
fn ratios(text: &mut String, solvers: &[(&str, Results<'_>)], common: &[&str]) {
    let par2 = |results: &Results<'_>| mean(&common.iter().map(|file| results[file]).collect::<Vec<_>>());
    let [others @ .., (last, results)] = solvers else { return };
    if others.is_empty() || common.is_empty() {
        return;
    }
    let mine = par2(results);
    let ratio = |theirs: f64| if theirs > 0.0 { format!("{:.2}", mine / theirs) } else { "-".into() };
    let ratios: Vec<String> = others.iter().map(|(name, theirs)| format!("{name} {}", ratio(par2(theirs)))).collect();
    line(text, format_args!("\nPAR-2 of {last} over that of: {}", ratios.join(", ")));
}

fn families(text: &mut String, solvers: &[(&str, Results<'_>)], common: &[&str]) {
    let Some((_, first)) = solvers.first() else { return };
    let mut families: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for &file in common {
        families.entry(&first[file].family).or_default().push(file);
    }
    if families.len() < 2 {
        return;
    }
    let mut head = format!("\nmean PAR-2 seconds a family\n{:<28}{:>5}", "family", "files");
    for (name, _) in solvers {
        let _ = write!(head, "{name:>14}");
    }
    line(text, format_args!("{head}"));
    for (family, files) in families {
        let mut cells = format!("{family:<28}{:>5}", files.len());
        for (_, results) in solvers {
            let rows: Vec<&Row> = files.iter().map(|file| results[file]).collect();
            let _ = write!(cells, "{:>14.2}", mean(&rows));
        }
        line(text, format_args!("{cells}"));
    }
}

fn line(text: &mut String, arguments: std::fmt::Arguments<'_>) {
    // Strings take everything.
    let _ = writeln!(text, "{arguments}");
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(solver: &str, file: &str, verdict: Verdict, cpu: f64, wrong: Option<&str>) -> Row {
        Row {
            family: file[..1].into(),
            file: file.into(),
            solver: solver.into(),
            verdict,
            cpu,
            wall: cpu,
            peak: 10.0 * cpu,
            limit: 30.0,
            wrong: wrong.map(str::to_owned),
            note: String::new(),
        }
    }

    #[test]
    fn the_score_counts_what_every_solver_ran() {
        use Verdict::{Sat, Unknown, Unsat};
        let rows = [
            row("one", "a1", Sat, 1.0, None),
            row("one", "b1", Unknown, 30.0, None),
            row("one", "b2", Unsat, 3.0, None),
            row("two", "a1", Sat, 2.0, Some("wrong model: clause 1 (1) is false")),
            row("two", "b1", Unsat, 7.0, None),
            row("two", "c1", Unsat, 7.0, None),
            row("one", "c1", Unsat, 9.0, None),
            row("one", "c1", Unsat, 1.0, None),
        ];
        let table = table(&rows);
        let lines: Vec<&str> = table.lines().collect();
        let expected = "\
3 files that every solver ran, limit 30 s of CPU
solver           solved   sat unsat     PAR-2  peak MiB  wrong
one                   2     1     1     20.67       300      0
two                   2     0     2     24.67        70      1

PAR-2 of two over that of: one 1.19

mean PAR-2 seconds a family
family                      files           one           two
a                               1          1.00         60.00
b                               1         60.00          7.00
c                               1          1.00          7.00

wrong answers
two: SAT on a1: wrong model: clause 1 (1) is false";
        assert_eq!(lines, expected.lines().collect::<Vec<_>>());
    }

    #[test]
    fn nothing_is_no_score() {
        assert!(table(&[]).starts_with("0 files"));
    }
}
