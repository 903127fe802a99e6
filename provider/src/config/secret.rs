//! Text that no log and no error may show.

/// What is wrong with a key that is not [`sendable`].
pub const NOT_SENDABLE: &str = "holds a space, a line break or another character that no AWS key has";

/// Whether a header can carry a key; most often it is the line break at the end of a file that it cannot.
pub fn sendable(key: &str) -> bool {
    key.bytes().all(|byte| byte.is_ascii_graphic())
}

/// A credential; prints as `[redacted]`.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

impl Secret {
    /// Wraps `text`.
    pub fn new(text: String) -> Self {
        Self(text)
    }

    /// The text itself, for signing only.
    pub fn expose(&self) -> &str {
        &self.0
    }
}

impl std::fmt::Debug for Secret {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("[redacted]")
    }
}
