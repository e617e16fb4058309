//! The race against other solvers and the micro-benchmarks. `README.md` in this folder says how to run them and what they
//! gave.
//!
//! The library holds the parts of the race, so that they are tested by themselves: [`instances`] (which formulas),
//! [`process`] (one run under limits), [`judge`] (what an answer is worth), [`rows`] (results as text), [`score`] (tables); and
//! what the micro-benchmarks share.

#![forbid(unsafe_code)]

pub mod families;
pub mod instances;
pub mod judge;
pub mod plot;
pub mod process;
pub mod rows;
pub mod score;

use rustix::time::{ClockId, clock_gettime};
use std::path::Path;
use std::process::ExitCode;

/// Seconds of CPU that this process has taken.
pub fn cpu_seconds() -> f64 {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 / 1e9
}

/// How the micro-benchmark `name` ends: on a failure that is printed, with 2.
pub fn end(name: &str, result: Result<(), Failure>) -> ExitCode {
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(e) => {
            eprintln!("{name}: {e}");
            ExitCode::from(2)
        }
    }
}

/// What can go wrong in a race, apart from what solvers do.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// A file or folder of the race itself.
    #[error("{path}: {source}")]
    Io {
        /// The file.
        path: String,
        /// What the operating system said.
        source: std::io::Error,
    },
    /// A formula that cannot be read.
    #[error("{0}")]
    Read(#[from] putnam_formats::ReadError),
    /// A list of formulas or of rows that is not in its format.
    #[error("{path}:{line}: {message}")]
    Table {
        /// The file.
        path: String,
        /// The line, counted from 1.
        line: usize,
        /// What is wrong.
        message: String,
    },
    /// An argument that makes no sense.
    #[error("{0}")]
    Usage(String),
}

impl Failure {
    /// An error of the operating system about `path`.
    pub fn io(path: &Path, source: std::io::Error) -> Self {
        Self::Io { path: path.display().to_string(), source }
    }
}
