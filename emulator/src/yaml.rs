//! YAML that people write: reading it, and saying where in it something is wrong.

use serde::de::DeserializeOwned;
use serde_saphyr::UserMessageFormatter;

/// A text is not YAML, or not of the form that it must have.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{file}:{line}:{column}: {message}")]
pub(crate) struct YamlError {
    /// Name of the file.
    pub(crate) file: String,
    /// Counted from 1.
    pub(crate) line: u64,
    /// In characters, counted from 1.
    pub(crate) column: u64,
    /// What the reader found.
    pub(crate) message: String,
}

/// Reads a text. `true` and `false` are the only booleans, and no key may stand twice.
pub(crate) fn read<T: DeserializeOwned>(file: &str, text: &str) -> Result<T, YamlError> {
    let options = serde_saphyr::options! { with_snippet: false, strict_booleans: true };
    serde_saphyr::from_str_with_options(text, options).map_err(|error| {
        let (line, column) = error.location().map_or((1, 1), |location| (location.line(), location.column()));
        // The plain text of an error has advice for who programs with the reader.
        let message = error.render_with_formatter(&UserMessageFormatter);
        let message = message.strip_suffix(&format!(" at line {line}, column {column}")).unwrap_or(&message);
        YamlError { file: file.to_owned(), line, column, message: message.to_owned() }
    })
}
