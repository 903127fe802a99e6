//! The one error type of this crate.

/// Why a value, a path or a URN could not be read, converted or changed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// The text is no property path.
    #[error("malformed property path {text:?}: {reason}")]
    Path {
        /// The text that was given, shortened if it is very long.
        text: String,
        /// What is wrong with it.
        reason: &'static str,
    },
    /// A property path does not fit the value that it is applied to.
    #[error("cannot set {path}: {reason}")]
    PathMismatch {
        /// The path up to the place that does not fit.
        path: String,
        /// What is there instead.
        reason: String,
    },
    /// The text is no URN.
    #[error("malformed URN {text:?}: expected urn:pulumi:STACK::PROJECT::TYPE::NAME")]
    Urn {
        /// The text that was given, shortened if it is very long.
        text: String,
    },
    /// The text is no reference to a provider resource.
    #[error("malformed provider reference {text:?}: expected the URN of a provider resource, then `::` and its id")]
    ProviderReference {
        /// The text that was given, shortened if it is very long.
        text: String,
    },
    /// The value has no form in ordinary JSON.
    #[error("{path}: {kind} cannot be written as JSON")]
    NoJsonForm {
        /// Where the value is, or `value` for the outermost one.
        path: String,
        /// The kind of value.
        kind: &'static str,
    },
    /// The text is not JSON, or is nested deeper than [`crate::MAX_DEPTH`].
    #[error("cannot read JSON: {reason}")]
    Json {
        /// What the reader says, with line and column.
        reason: String,
    },
}

/// Shortens text that goes into an error message, so that hostile input cannot flood a log.
pub(crate) fn shorten(text: &str) -> String {
    const LIMIT: usize = 200;
    match text.char_indices().nth(LIMIT) {
        None => text.to_owned(),
        Some((end, _)) => format!("{}…", &text[..end]),
    }
}
