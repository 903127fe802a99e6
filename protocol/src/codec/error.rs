//! Why a field could not be read.

/// Why the wire form of a property value could not be read.
///
/// `key` is the nearest property name around the place, `path` the whole way to it. The texts that name a key come from
/// the reference provider, and users search for them.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CodecError {
    /// The value is nested too deeply.
    #[error("{path}: nested deeper than {} levels; flatten the value or pass it as JSON text", value::MAX_DEPTH)]
    TooDeep {
        /// Where the limit is passed.
        path: String,
    },
    /// The bytes are not what protobuf prescribes.
    #[error("{path}: malformed property value: {reason}")]
    Malformed {
        /// Where in the value.
        path: String,
        /// What is wrong.
        reason: &'static str,
    },
    /// A value says nothing about its kind; not even null.
    #[error("{path}: malformed property value: it has no kind, where null would be written as null_value")]
    NoKind {
        /// Where in the value.
        path: String,
    },
    /// A string or property name is not UTF-8.
    #[error("{path}: malformed property value: {what} is not valid UTF-8; encode binary data, for example as base64")]
    InvalidUtf8 {
        /// Where in the value.
        path: String,
        /// The string or the property name.
        what: &'static str,
    },
    /// A secret has no content.
    #[error("malformed RPC secret: missing value for {key:?}{}", at(.path, .key))]
    SecretWithoutValue {
        /// The nearest property name.
        key: String,
        /// Where in the value.
        path: String,
    },
    /// An object claims to be a special kind of value that does not exist.
    #[error("unrecognized signature '{signature}' in property map for {key:?}{}", at(.path, .key))]
    UnrecognizedSignature {
        /// The signature, or the kind of value that stands in its place.
        signature: String,
        /// The nearest property name.
        key: String,
        /// Where in the value.
        path: String,
    },
    /// A special kind of value lacks a part, or a part has the wrong kind.
    #[error("{path}: malformed {kind}: {reason}")]
    MalformedEnvelope {
        /// Where in the value.
        path: String,
        /// The special kind.
        kind: &'static str,
        /// What is wrong.
        reason: &'static str,
    },
    /// An asset where none may be.
    #[error("unexpected Asset property value for {key:?}{}", at(.path, .key))]
    UnexpectedAsset {
        /// The nearest property name.
        key: String,
        /// Where in the value.
        path: String,
    },
    /// An archive where none may be.
    #[error("unexpected Asset Archive property value for {key:?}{}", at(.path, .key))]
    UnexpectedArchive {
        /// The nearest property name.
        key: String,
        /// Where in the value.
        path: String,
    },
}

/// The place, when the key alone does not say it.
fn at(path: &str, key: &str) -> String {
    match path == key {
        true => String::new(),
        false => format!(" at {path}"),
    }
}
