//! What can go wrong in a front end.

use thiserror::Error;

/// An error of a front end, ready to be printed.
#[derive(Debug, Error)]
pub enum Error {
    /// Text that cannot be read. Prints as `path:line:column: message`, then the line with a caret under the column.
    #[error("{path}:{line}:{column}: {message}\n  | {text}\n  | {}^", caret_indent(text, *column))]
    Parse {
        /// The file's path, `<stdin>`, or the name of a built-in.
        path: String,
        /// The line, counted from 1.
        line: usize,
        /// The column, counted in characters from 1.
        column: usize,
        /// What is wrong, and what to write instead where that is known.
        message: String,
        /// The whole line.
        text: String,
    },
    /// A file that cannot be read or written.
    #[error("{path}: {source}")]
    Io {
        /// The file's path.
        path: String,
        /// What the operating system says.
        source: std::io::Error,
    },
    /// An input or an option that makes no sense.
    #[error("{subject}: {message}")]
    Input {
        /// The input or option, as the user wrote it.
        subject: String,
        /// What is wrong with it.
        message: String,
    },
    /// A solution that breaks a rule of its problem.
    #[error("not a solution: {0}")]
    Wrong(String),
}

impl Error {
    /// An [`Error::Input`].
    pub fn input(subject: impl Into<String>, message: impl Into<String>) -> Self {
        Self::Input { subject: subject.into(), message: message.into() }
    }
}

/// Blanks up to the column, with the tabs of the line kept so that the caret stands under its character.
fn caret_indent(text: &str, column: usize) -> String {
    text.chars().take(column.saturating_sub(1)).map(|c| if c == '\t' { '\t' } else { ' ' }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_caret_stands_under_the_column() {
        let error = Error::Parse {
            path: "board".into(),
            line: 2,
            column: 4,
            message: "expected a hole".into(),
            text: "1\t2 x".into(),
        };
        assert_eq!(error.to_string(), "board:2:4: expected a hole\n  | 1\t2 x\n  |  \t ^");
    }
}
