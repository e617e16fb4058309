//! What the tests share: the command under test, and files to try it on.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use tempfile::TempDir;

/// The command under test.
pub(crate) const PUTNAM: &str = env!("CARGO_BIN_EXE_putnam-under-test");

/// A path in the folder of the tests.
pub(crate) fn path(relative: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(relative)
}

/// The files of a folder of the tests, in the order of their names, those that describe it left out.
pub(crate) fn files(folder: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(path(folder)).unwrap_or_else(|error| panic!("{folder}: {error}"));
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).filter(|path| path.is_file()).collect();
    files.retain(|path| path.extension().is_none_or(|end| end != "md"));
    files.sort();
    assert!(!files.is_empty(), "{folder}: no files");
    files
}

/// The file's name.
pub(crate) fn name(path: &Path) -> String {
    path.file_name().unwrap().to_string_lossy().into_owned()
}

/// What a run of the command gave.
#[derive(Debug)]
pub(crate) struct Run {
    /// The exit code; none when a signal ended it.
    pub(crate) code: Option<i32>,
    /// Standard output.
    pub(crate) stdout: String,
    /// Standard error.
    pub(crate) stderr: String,
}

impl From<Output> for Run {
    fn from(output: Output) -> Self {
        Self {
            code: output.status.code(),
            stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
            stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
        }
    }
}

impl Run {
    /// Asserts the exit code.
    #[track_caller]
    pub(crate) fn expect(self, code: i32) -> Self {
        assert_eq!(self.code, Some(code), "stdout:\n{}\nstderr:\n{}", self.stdout, self.stderr);
        self
    }

    /// The `s` line without its `s `.
    #[track_caller]
    pub(crate) fn verdict(&self) -> &str {
        let mut lines = self.stdout.lines().filter_map(|line| line.strip_prefix("s "));
        let verdict = lines.next().unwrap_or_else(|| panic!("no `s` line:\n{}\n{}", self.stdout, self.stderr));
        assert_eq!(lines.next(), None, "two `s` lines");
        verdict
    }

    /// The literals of the `v` lines, without the closing 0.
    #[track_caller]
    pub(crate) fn model(&self) -> Vec<i32> {
        let values = self.stdout.lines().filter_map(|line| line.strip_prefix('v'));
        let mut model: Vec<i32> =
            values.flat_map(str::split_ascii_whitespace).map(|word| word.parse().unwrap()).collect();
        assert_eq!(model.pop(), Some(0), "the model is not closed by 0:\n{}", self.stdout);
        model
    }
}

/// The command with arguments, its standard input empty.
pub(crate) fn command(args: &[&str]) -> Command {
    let mut command = Command::new(PUTNAM);
    command.args(args).stdin(Stdio::null());
    command
}

/// Runs the command with empty standard input.
pub(crate) fn putnam(args: &[&str]) -> Run {
    command(args).output().unwrap().into()
}

/// Runs the command with this standard input.
pub(crate) fn putnam_with(args: &[&str], input: impl AsRef<[u8]>) -> Run {
    let mut child = spawn(command(args).stdin(Stdio::piped()));
    let mut stdin = child.stdin.take().unwrap();
    let input = input.as_ref().to_vec();
    // From another thread, for the command may write before it has read all.
    let writer = std::thread::spawn(move || {
        // A command that refuses its input need not read it to the end.
        let _ = stdin.write_all(&input);
    });
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    output.into()
}

/// Starts a command with its outputs captured.
pub(crate) fn spawn(command: &mut Command) -> Child {
    command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

/// A folder that is removed at the end of the test.
pub(crate) struct Folder(TempDir);

impl Folder {
    /// An empty folder.
    pub(crate) fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    /// A path in it.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// A path in it as text, for arguments.
    pub(crate) fn arg(&self, name: &str) -> String {
        self.path(name).to_str().unwrap().to_owned()
    }

    /// Writes a file and gives its path as text.
    pub(crate) fn write(&self, name: &str, content: impl AsRef<[u8]>) -> String {
        fs::write(self.path(name), content).unwrap();
        self.arg(name)
    }

    /// Writes a shell script that can be run, and gives its path as text.
    pub(crate) fn script(&self, name: &str, body: &str) -> String {
        use std::os::unix::fs::PermissionsExt;
        let path = self.write(name, format!("#!/bin/sh\n{body}\n"));
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        path
    }

    /// The names of the files in it, sorted.
    pub(crate) fn names(&self) -> Vec<String> {
        let mut names: Vec<String> =
            fs::read_dir(self.0.path()).unwrap().map(|entry| name(&entry.unwrap().path())).collect();
        names.sort();
        names
    }
}

/// The pigeon-hole formula: `holes` + 1 pigeons, one a hole. Unsatisfiable, and hard for resolution: with option pigeonhole off
/// the search for a refutation takes long.
pub(crate) fn pigeons(holes: i32) -> String {
    let var = |pigeon: i32, hole: i32| pigeon * holes + hole + 1;
    let mut clauses = Vec::new();
    for pigeon in 0..=holes {
        clauses.push((0..holes).map(|hole| var(pigeon, hole).to_string()).collect::<Vec<_>>().join(" "));
    }
    for hole in 0..holes {
        for first in 0..=holes {
            for second in first + 1..=holes {
                clauses.push(format!("{} {}", -var(first, hole), -var(second, hole)));
            }
        }
    }
    format!("p cnf {} {}\n{} 0\n", (holes + 1) * holes, clauses.len(), clauses.join(" 0\n"))
}

/// Whether a program is on PATH.
pub(crate) fn installed(program: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|folder| folder.join(program).is_file())
}

/// Whether a test that needs another solver can run. Without the solver it is left out with a note, unless
/// `PUTNAM_REQUIRE_PEERS=1` says that it has to be there.
pub(crate) fn peer(program: &str) -> bool {
    if installed(program) {
        return true;
    }
    assert!(std::env::var_os("PUTNAM_REQUIRE_PEERS").is_none_or(|value| value != "1"), "{program} is not installed");
    eprintln!("left out: {program} is not installed");
    false
}

/// What a page was like at every `visit.said.push(…)` of a script that is run behind it, or none without the browser. `tools` defines
/// `visit`. The browser is Debian's `chromium`.
pub(crate) fn browse(page: &str, tools: &str, script: &str) -> Option<Vec<serde_json::Value>> {
    if !peer("chromium") {
        return None;
    }
    let folder = Folder::new();
    let end = "const end = document.createElement('pre'); end.id = 'said'; end.textContent = JSON.stringify(visit.said); \
               document.body.append(end);";
    let driven = format!(
        "{page}<script>{tools}(async () => {{ try {{ {script} }} catch (error) {{ \
                          visit.said.push(String(error)); }} {end} }})();</script>"
    );
    let path = folder.write("page.html", driven);
    let profile = format!("--user-data-dir={}", folder.arg("profile"));
    let args =
        ["--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--virtual-time-budget=60000"];
    let mut browser = Command::new("chromium");
    let output = browser.args(args).args([&profile, "--dump-dom", &format!("file://{path}")]).output().unwrap();
    let dom = String::from_utf8_lossy(&output.stdout).into_owned();
    let said = dom.split_once("<pre id=\"said\">").and_then(|(_, rest)| rest.split_once("</pre>"));
    let (said, _) = said.unwrap_or_else(|| panic!("{dom}\n{}", String::from_utf8_lossy(&output.stderr)));
    let plain = said.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&");
    Some(serde_json::from_str(&plain).unwrap())
}
