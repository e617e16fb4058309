//! The other solvers: which there are, how each is called, and where it is installed.

use crate::failure::Failure;
use std::env;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// A solver that is looked for on `PATH`, and how it is called. `{cnf}` stands for the formula's file, `{out}` for a file
/// to write the answer to. Without `{out}` the answer is read from standard output.
struct Known {
    name: &'static str,
    command: &'static [&'static str],
}

const KNOWN: &[Known] = &[
    Known { name: "minisat", command: &["minisat", "-verb=0", "{cnf}", "{out}"] },
    Known { name: "cadical", command: &["cadical", "-q", "{cnf}"] },
    Known { name: "kissat", command: &["kissat", "-q", "{cnf}"] },
    Known { name: "glucose", command: &["glucose", "-verb=0", "-model", "{cnf}"] },
    Known { name: "cryptominisat5", command: &["cryptominisat5", "--verb", "0", "{cnf}"] },
    Known { name: "picosat", command: &["picosat", "{cnf}"] },
    Known { name: "clasp", command: &["clasp", "--outf=0", "--verbose=0", "--quiet=0", "{cnf}"] },
];

/// A solver to compare with.
#[derive(Clone, Debug)]
pub(crate) struct Peer {
    /// The name in the table.
    pub(crate) name: String,
    /// The program, then its arguments.
    command: Vec<String>,
    /// How a user gives this peer, if it is none of those that are found by themselves.
    pub(crate) option: Option<String>,
}

impl Peer {
    /// A peer from the value of `--peer`: `NAME=COMMAND`. The words of the command are split as a shell does; no shell runs.
    ///
    /// # Errors
    /// [`Failure::Usage`] when there is no name or no command, or a quote is not closed.
    pub(crate) fn parse(option: &str) -> Result<Self, Failure> {
        let usage =
            |what: &str| Failure::Usage(format!("--peer '{option}': {what}; write --peer 'NAME=COMMAND {{cnf}}'"));
        let (name, command) = option.split_once('=').ok_or_else(|| usage("there is no `=`"))?;
        let name = name.trim();
        if name.is_empty() || name == "putnam" {
            return Err(usage("a peer needs a name of its own"));
        }
        let mut command = shlex::split(command).ok_or_else(|| usage("a quote is not closed"))?;
        if command.is_empty() {
            return Err(usage("the command is missing"));
        }
        if !command.iter().any(|word| word.contains("{cnf}")) {
            command.push("{cnf}".into());
        }
        Ok(Self { name: name.into(), command, option: Some(option.into()) })
    }

    /// Whether the answer is read from a file of its own.
    pub(crate) fn writes_file(&self) -> bool {
        self.command.iter().any(|word| word.contains("{out}"))
    }

    /// The program and its arguments for a formula in `cnf`, the answer to go to `out`.
    pub(crate) fn command_line(&self, cnf: &Path, out: &Path) -> Vec<OsString> {
        self.command.iter().map(|word| fill(word, cnf, out)).collect()
    }
}

/// The word with its placeholders replaced; paths need not be UTF-8.
fn fill(word: &str, cnf: &Path, out: &Path) -> OsString {
    let mut filled = OsString::new();
    let mut rest = word;
    while let Some(start) = rest.find('{') {
        filled.push(&rest[..start]);
        rest = &rest[start..];
        let (path, length): (&Path, usize) = if rest.starts_with("{cnf}") || rest.starts_with("{out}") {
            (if rest.starts_with("{cnf}") { cnf } else { out }, 5)
        } else {
            (Path::new("{"), 1)
        };
        filled.push(path);
        rest = &rest[length..];
    }
    filled.push(rest);
    filled
}

/// The peers of a run: those found on `PATH`, then those of `--peer`, which replace a found one of the same name; and the
/// names of those that were looked for in vain. With `only`, just these.
///
/// # Errors
/// [`Failure::Usage`] for a `--peer` that cannot be read or run, and for a name in `only` that is no peer.
pub(crate) fn gather(options: &[String], only: &[String]) -> Result<(Vec<Peer>, Vec<&'static str>), Failure> {
    let given = options.iter().map(|option| Peer::parse(option)).collect::<Result<Vec<_>, _>>()?;
    for peer in &given {
        if find(&peer.command[0]).is_none() {
            return Err(Failure::Usage(format!("--peer {}: there is no program `{}`", peer.name, peer.command[0])));
        }
    }
    let known = |name: &String| KNOWN.iter().any(|k| k.name == name) || given.iter().any(|p| p.name == *name);
    if let Some(name) = only.iter().find(|name| !known(name)) {
        let names: Vec<&str> = KNOWN.iter().map(|known| known.name).collect();
        return Err(Failure::Usage(format!("--only {name}: the peers are {} and those of --peer", names.join(", "))));
    }
    let wanted = |name: &str| only.is_empty() || only.iter().any(|n| n == name);
    let (mut peers, mut absent) = (Vec::new(), Vec::new());
    for known in KNOWN.iter().filter(|k| wanted(k.name) && given.iter().all(|p| p.name != k.name)) {
        match find(known.command[0]) {
            Some(_) => peers.push(Peer {
                name: known.name.into(),
                command: known.command.iter().map(|&word| word.into()).collect(),
                option: None,
            }),
            None => absent.push(known.name),
        }
    }
    peers.extend(given.into_iter().filter(|peer| wanted(&peer.name)));
    Ok((peers, absent))
}

/// Where a program is: a path as it is, a name by `PATH`.
fn find(program: &str) -> Option<PathBuf> {
    if program.contains(std::path::MAIN_SEPARATOR) {
        return Some(PathBuf::from(program)).filter(|path| path.is_file());
    }
    env::split_paths(&env::var_os("PATH")?).map(|folder| folder.join(program)).find(|path| path.is_file())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn templates_are_filled() {
        let peer = Peer::parse("my solver=sh -c 'run \"$0\"' in={cnf} {x} {out}").unwrap();
        let words = peer.command_line(Path::new("/tmp/a b.cnf"), Path::new("/tmp/o"));
        assert_eq!(words, ["sh", "-c", "run \"$0\"", "in=/tmp/a b.cnf", "{x}", "/tmp/o"]);
        assert!(peer.writes_file());
    }

    #[test]
    fn the_formula_comes_last_by_default() {
        let peer = Peer::parse("p=prog -q").unwrap();
        assert_eq!(peer.command_line(Path::new("f"), Path::new("o")), ["prog", "-q", "f"]);
        assert!(!peer.writes_file());
    }

    #[test]
    fn nonsense_is_refused() {
        for option in ["minisat", "=x {cnf}", "a=", "a='x", "putnam=x"] {
            assert!(matches!(Peer::parse(option), Err(Failure::Usage(_))), "{option}");
        }
    }
}
