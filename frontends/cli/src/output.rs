//! Where output goes: standard output or a file, and never the file that is being read.

use crate::failure::Failure;
use same_file::Handle;
use std::fs::{File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// Where a command writes its answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Target {
    /// Standard output.
    Stdout,
    /// Standard error, when a proof takes standard output.
    Stderr,
    /// A file.
    File(PathBuf),
}

impl Target {
    /// The target that `--output` names; `-` and nothing are standard output.
    pub(crate) fn new(output: Option<&Path>) -> Self {
        match output {
            Some(path) if path != Path::new("-") => Self::File(path.into()),
            _ => Self::Stdout,
        }
    }

    /// Finds out before a long search whether the file can be written, and leaves what is in it.
    pub(crate) fn probe(&self) -> Result<(), Failure> {
        if let Self::File(path) = self {
            OpenOptions::new()
                .create(true)
                .truncate(false)
                .write(true)
                .open(path)
                .map_err(|error| Failure::io(path, error))?;
        }
        Ok(())
    }

    /// Opens the target to be written by somebody else; a file is emptied.
    pub(crate) fn open(&self) -> Result<Box<dyn Write + Send>, Failure> {
        Ok(match self {
            Self::Stdout => Box::new(io::stdout()),
            Self::Stderr => Box::new(io::stderr()),
            Self::File(path) => Box::new(File::create(path).map_err(|error| Failure::io(path, error))?),
        })
    }

    /// Writes what `body` writes. When the reader of standard output has gone, the rest is dropped without a word.
    pub(crate) fn write(&self, body: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), Failure> {
        let (name, mut writer): (&Path, Box<dyn Write>) = match self {
            Self::Stdout => (Path::new("standard output"), Box::new(io::stdout().lock())),
            Self::Stderr => (Path::new("standard error"), Box::new(io::stderr().lock())),
            Self::File(path) => (path, Box::new(File::create(path).map_err(|error| Failure::io(path, error))?)),
        };
        let mut buffered = BufWriter::with_capacity(1 << 16, &mut writer);
        match body(&mut buffered).and_then(|()| buffered.flush()) {
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => {
                let _ = buffered.into_parts();
                Ok(())
            }
            result => result.map_err(|error| Failure::io(name, error)),
        }
    }

    /// Writes `text`.
    pub(crate) fn write_text(&self, text: &str) -> Result<(), Failure> {
        self.write(|out| out.write_all(text.as_bytes()))
    }
}

/// Refuses two of a command's files that are one and the same, links included. Each comes with what it is for; `-` is
/// standard input. Devices such as `/dev/null` may be given twice.
pub(crate) fn refuse_same_files(files: &[(&str, &Path)]) -> Result<(), Failure> {
    for (i, &(first_use, first)) in files.iter().enumerate() {
        for &(second_use, second) in &files[i + 1..] {
            if same_file(first, second) {
                return Err(Failure::Usage(format!(
                    "{}: the {first_use} and the {second_use} are the same file",
                    second.display()
                )));
            }
        }
    }
    Ok(())
}

/// Refuses a file to be written that is one of those to be read. What is read may also be the name of something built in.
pub(crate) fn refuse_to_overwrite(inputs: &[&Path], output: (&str, &Path)) -> Result<(), Failure> {
    if output.1 == Path::new("-") {
        return Ok(());
    }
    inputs
        .iter()
        .filter(|path| **path == Path::new("-") || path.exists())
        .try_for_each(|&path| refuse_same_files(&[("input", path), output]))
}

fn same_file(first: &Path, second: &Path) -> bool {
    let stdin = Path::new("-");
    let place = |path: &Path| {
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        Some(folder.canonicalize().ok()?.join(path.file_name()?))
    };
    if !first.exists() && !second.exists() && first != stdin && second != stdin {
        return first == second || place(first).is_some_and(|first| Some(first) == place(second));
    }
    let regular = |path: &Path| path == stdin || path.metadata().is_ok_and(|data| data.is_file());
    if first == second {
        return first != stdin && regular(first);
    }
    let handle = |path: &Path| if path == stdin { Handle::stdin() } else { Handle::from_path(path) };
    regular(first) && regular(second) && matches!((handle(first), handle(second)), (Ok(a), Ok(b)) if a == b)
}

/// Prints warnings on standard error, one a line.
pub(crate) fn warn(warnings: impl IntoIterator<Item = impl std::fmt::Display>) {
    let mut stderr = io::stderr().lock();
    for warning in warnings {
        // Nobody is left to be told when standard error is closed.
        let _ = writeln!(stderr, "warning: {warning}");
    }
}
