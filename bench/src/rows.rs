//! Results as text: one row a run, tab-separated, with a line of column names.

use crate::Failure;
use crate::judge::Verdict;
use std::fs;
use std::path::Path;

/// The column names.
pub const HEAD: &str = "family\tfile\tsolver\tverdict\tcpu\twall\tpeak\tlimit\twrong\tnote";

/// One run.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// What the formula is about.
    pub family: String,
    /// The formula.
    pub file: String,
    /// The solver.
    pub solver: String,
    /// What it said in time.
    pub verdict: Verdict,
    /// CPU seconds.
    pub cpu: f64,
    /// Seconds.
    pub wall: f64,
    /// MiB.
    pub peak: f64,
    /// The CPU seconds that it was given.
    pub limit: f64,
    /// Why the answer is wrong, if it is.
    pub wrong: Option<String>,
    /// What else there is to say.
    pub note: String,
}

impl Row {
    /// Whether the answer counts: there is one, and it is not wrong.
    pub fn solved(&self) -> bool {
        self.verdict != Verdict::Unknown && self.wrong.is_none()
    }

    /// The seconds of the PAR-2 score: those that it took, or twice the limit when it did not solve the formula.
    pub fn par2(&self) -> f64 {
        if self.solved() { self.cpu } else { 2.0 * self.limit }
    }

    /// The row as text.
    pub fn to_line(&self) -> String {
        let plain = |text: &str| text.replace(['\t', '\n', '\r'], " ");
        format!(
            "{}\t{}\t{}\t{}\t{:.2}\t{:.2}\t{:.0}\t{}\t{}\t{}",
            plain(&self.family),
            plain(&self.file),
            plain(&self.solver),
            self.verdict,
            self.cpu,
            self.wall,
            self.peak,
            self.limit,
            plain(self.wrong.as_deref().unwrap_or("-")),
            plain(&self.note),
        )
    }

    /// Reads a row; none when the line is not one.
    fn from_line(line: &str) -> Option<Self> {
        let fields: Vec<&str> = line.split('\t').collect();
        let [family, file, solver, verdict, cpu, wall, peak, limit, wrong, note] = fields[..] else { return None };
        Some(Self {
            family: family.into(),
            file: file.into(),
            solver: solver.into(),
            verdict: match verdict {
                "SAT" => Verdict::Sat,
                "UNSAT" => Verdict::Unsat,
                "-" => Verdict::Unknown,
                _ => return None,
            },
            cpu: cpu.parse().ok()?,
            wall: wall.parse().ok()?,
            peak: peak.parse().ok()?,
            limit: limit.parse().ok()?,
            wrong: (wrong != "-").then(|| wrong.into()),
            note: note.into(),
        })
    }
}

/// Reads the rows of earlier races. Lines that begin with `#` are remarks.
///
/// # Errors
/// When a file cannot be read or a line is not a row.
pub fn read(path: &Path) -> Result<Vec<Row>, Failure> {
    let text = fs::read_to_string(path).map_err(|e| Failure::io(path, e))?;
    let mut rows = Vec::new();
    for (index, line) in text.lines().enumerate() {
        if line.is_empty() || line.starts_with('#') || line == HEAD {
            continue;
        }
        let message = format!("not a row of {} columns", HEAD.split('\t').count());
        let problem = || Failure::Table { path: path.display().to_string(), line: index + 1, message };
        rows.push(Row::from_line(line).ok_or_else(problem)?);
    }
    Ok(rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_read_as_they_were_written() {
        let row = Row {
            family: "bmc".into(),
            file: "a b.cnf".into(),
            solver: "x".into(),
            verdict: Verdict::Sat,
            cpu: 1.25,
            wall: 2.5,
            peak: 17.0,
            limit: 30.0,
            wrong: Some("clause 1\tis false".into()),
            note: String::new(),
        };
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("rows.tsv");
        let fine = Row { wrong: None, note: "no model".into(), verdict: Verdict::Unknown, ..row.clone() };
        fs::write(&path, format!("# a race\n{HEAD}\n{}\n{}\n", row.to_line(), fine.to_line())).unwrap();
        let expected = [Row { wrong: Some("clause 1 is false".into()), ..row }, fine];
        assert_eq!(read(&path).unwrap(), expected);
        fs::write(&path, "bmc\tx\n").unwrap();
        assert!(read(&path).unwrap_err().to_string().ends_with("rows.tsv:1: not a row of 10 columns"));
    }
}
