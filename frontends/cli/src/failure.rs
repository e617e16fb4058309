//! Everything that ends a command without an answer, and the exit code that goes with it.

use putnam_formats::ReadError;
use std::io;
use std::path::Path;
use std::process::ExitCode;
use thiserror::Error;

/// Why a command failed. It prints as the message for the user.
#[derive(Debug, Error)]
pub(crate) enum Failure {
    /// A formula, answer or proof that cannot be read.
    #[error("{0}")]
    Read(#[from] ReadError),
    /// An error of a front end.
    #[error("{0}")]
    Frontend(#[from] putnam_api::Error),
    /// A file that cannot be opened or written.
    #[error("{path}: {source}")]
    Io {
        /// The path, or what was being done.
        path: String,
        /// What the operating system says.
        source: io::Error,
    },
    /// Input that makes no sense together with the options.
    #[error("{0}")]
    Input(String),
    /// Options that make no sense together.
    #[error("{0}")]
    Usage(String),
    /// Putnam found one of its own answers to be wrong, and does not print it.
    #[error(
        "internal check failed: {0}\nThis is a bug in Putnam; no answer is given. Please report it with the input."
    )]
    Check(String),
    /// Whoever read standard output has gone. Nothing is printed.
    #[error("")]
    BrokenPipe,
}

impl Failure {
    /// An error about a file; a broken pipe stays quiet.
    pub(crate) fn io(path: impl AsRef<Path>, source: io::Error) -> Self {
        if source.kind() == io::ErrorKind::BrokenPipe {
            return Self::BrokenPipe;
        }
        Self::Io { path: path.as_ref().display().to_string(), source }
    }

    /// 1 for bad input and files, 2 for bad usage, 3 for a failed internal check.
    pub(crate) fn exit_code(&self) -> ExitCode {
        ExitCode::from(match self {
            Self::Usage(_) => 2,
            Self::Check(_) => 3,
            _ => 1,
        })
    }
}
