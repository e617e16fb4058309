//! The formulas of a race.

use crate::Failure;
use crate::judge::Verdict;
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;
use std::fs;
use std::path::{Path, PathBuf};

/// One formula of a race.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Instance {
    /// The file, compressed or not.
    pub path: PathBuf,
    /// How tables call the file.
    pub name: String,
    /// What it is about; `-` if that is not known.
    pub family: String,
    /// What is known about it.
    pub verdict: Verdict,
}

/// The formulas that a path stands for: a list (`.tsv`), a folder (every CNF file in it and below), or one CNF file.
///
/// A list has a line of column names; `file` is needed (relative to the list's folder), `verdict` (`SAT`, `UNSAT`, `-`) and
/// `family` are used, other columns are ignored.
///
/// # Errors
/// When a file cannot be read or a list is not in that format.
pub fn instances(path: &Path) -> Result<Vec<Instance>, Failure> {
    if path.is_dir() {
        let mut files = Vec::new();
        collect(path, &mut files)?;
        files.sort();
        return Ok(files.into_iter().map(|file| plain(&file)).collect());
    }
    if path.extension().is_some_and(|e| e == "tsv") { list(path) } else { Ok(vec![plain(path)]) }
}

/// `count` of the formulas, the same for the same seed, in their old order.
pub fn pick(instances: Vec<Instance>, count: usize, seed: u64) -> Vec<Instance> {
    let mut numbers: Vec<usize> = (0..instances.len()).collect();
    numbers.shuffle(&mut ChaCha8Rng::seed_from_u64(seed));
    numbers.truncate(count);
    numbers.sort_unstable();
    numbers.into_iter().map(|number| instances[number].clone()).collect()
}

fn plain(path: &Path) -> Instance {
    let family = path.parent().and_then(Path::file_name).map_or("-".into(), |name| name.to_string_lossy().into_owned());
    Instance { path: path.to_owned(), name: path.display().to_string(), family, verdict: Verdict::Unknown }
}

/// Every file below `folder` whose name says that it is a CNF file.
fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> Result<(), Failure> {
    for entry in fs::read_dir(folder).map_err(|e| Failure::io(folder, e))? {
        let path = entry.map_err(|e| Failure::io(folder, e))?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if path.is_dir() {
            collect(&path, files)?;
        } else if is_cnf(&name) {
            files.push(path);
        }
    }
    Ok(())
}

/// Whether a file's name ends in `.cnf` or `.dimacs`, perhaps with the suffix of a compressor behind it.
fn is_cnf(name: &str) -> bool {
    let bare = COMPRESSED.iter().find_map(|suffix| name.strip_suffix(suffix)).unwrap_or(name);
    bare.ends_with(".cnf") || bare.ends_with(".dimacs")
}

/// The suffixes of compressed files.
pub const COMPRESSED: [&str; 4] = [".gz", ".xz", ".bz2", ".zst"];

fn list(path: &Path) -> Result<Vec<Instance>, Failure> {
    let text = fs::read_to_string(path).map_err(|e| Failure::io(path, e))?;
    let folder = path.parent().unwrap_or(Path::new(""));
    let problem = |line: usize, message: String| Failure::Table { path: path.display().to_string(), line, message };
    let mut lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    let (_, head) = lines.next().ok_or_else(|| problem(1, "the list is empty".into()))?;
    let names: Vec<&str> = head.split('\t').collect();
    let column = |name: &str| names.iter().position(|&n| n == name);
    let file = column("file").ok_or_else(|| problem(1, "there is no column `file`".into()))?;
    let (verdict, family) = (column("verdict"), column("family"));
    let mut instances = Vec::new();
    for (index, line) in lines {
        let fields: Vec<&str> = line.split('\t').collect();
        let field = |column: Option<usize>| {
            column.and_then(|c| fields.get(c)).copied().filter(|f| !f.is_empty()).unwrap_or("-")
        };
        let name = field(Some(file));
        if name == "-" {
            return Err(problem(index + 1, "the line names no file".into()));
        }
        let verdict = match field(verdict) {
            "SAT" => Verdict::Sat,
            "UNSAT" => Verdict::Unsat,
            "-" | "UNKNOWN" => Verdict::Unknown,
            other => return Err(problem(index + 1, format!("`{other}` is not SAT, UNSAT or -"))),
        };
        instances.push(Instance { path: folder.join(name), name: name.into(), family: field(family).into(), verdict });
    }
    Ok(instances)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_names_its_columns() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("list.tsv");
        fs::write(&path, "verdict\tsize\tfile\tfamily\nSAT\t3\ta.cnf.xz\tsmall\n\n-\t4\tsub/b.cnf\n").unwrap();
        let found = instances(&path).unwrap();
        let expected = [("a.cnf.xz", "small", Verdict::Sat), ("sub/b.cnf", "-", Verdict::Unknown)];
        for (instance, (name, family, verdict)) in found.iter().zip(expected) {
            assert_eq!((&*instance.name, &*instance.family, instance.verdict), (name, family, verdict));
            assert_eq!(instance.path, folder.path().join(name));
        }
        assert_eq!(found.len(), 2);
        for (text, message) in [
            ("", ":1: the list is empty"),
            ("name\nx\n", ":1: there is no column `file`"),
            ("file\tverdict\nx\tPERHAPS\n", ":2: `PERHAPS` is not SAT, UNSAT or -"),
        ] {
            fs::write(&path, text).unwrap();
            assert!(instances(&path).unwrap_err().to_string().ends_with(message));
        }
    }

    #[test]
    fn a_folder_gives_its_cnf_files() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("sub")).unwrap();
        for name in ["b.cnf", "notes.txt", "sub/a.dimacs.gz", "c.cnf.zip"] {
            fs::write(folder.path().join(name), "").unwrap();
        }
        let found = instances(folder.path()).unwrap();
        let names: Vec<_> =
            found.iter().map(|i| i.path.strip_prefix(folder.path()).unwrap().to_str().unwrap()).collect();
        assert_eq!(names, ["b.cnf", "sub/a.dimacs.gz"]);
        assert_eq!(found[1].family, "sub");
    }

    #[test]
    fn picks_are_repeatable() {
        let all: Vec<Instance> = (0..50).map(|n| plain(Path::new(&format!("{n:02}.cnf")))).collect();
        let some = pick(all.clone(), 10, 1);
        assert_eq!(some, pick(all.clone(), 10, 1));
        assert_ne!(some, pick(all.clone(), 10, 2));
        assert_eq!(some.len(), 10);
        assert!(some.is_sorted_by(|a, b| a.name < b.name));
        assert_eq!(pick(all.clone(), 99, 1), all);
    }
}
