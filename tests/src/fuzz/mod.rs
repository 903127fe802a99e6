//! Fuzz targets of the provider: functions that take any bytes, and must neither panic nor break the property that they
//! assert.
//!
//! | target | bytes are | property |
//! |---|---|---|
//! | [`codec`] | a `Struct` or `Value` on the wire | what was read and written reads back the same |
//! | [`rpc`] | a method and its request message, or documents that one is made of | every request is answered, none with a bug |
//! | [`convert`] | a document | there and back is the identity; models of services can always be read |
//! | [`patch`] | inputs, new inputs and a model | the patch fits the model, and another judge agrees |
//! | [`paths`] | the text of a property path and a document | what is printed reads back the same; walking a path is total |
//! | [`identifiers`] | a URN, an id | what is printed reads back the same; ids are judged without a panic |
//!
//! [`driver`] searches for inputs; `tests/tests/fuzz.rs` replays `tests/corpus/` in `make test` and searches in `make fuzz`.

pub mod codec;
pub mod convert;
pub mod driver;
pub mod identifiers;
pub mod patch;
pub mod paths;
pub mod rpc;
mod thing;

/// Runs one input, and says what kind of input it was: a number for each behavior that can be told apart.
pub type Target = fn(&[u8]) -> u64;

/// All targets by name.
pub const TARGETS: [(&str, Target); 6] = [
    ("codec", codec::run),
    ("convert", convert::run),
    ("identifiers", identifiers::run),
    ("patch", patch::run),
    ("paths", paths::run),
    ("rpc", rpc::run),
];

/// A number for a behavior, from what tells it apart.
fn feature(parts: impl std::hash::Hash) -> u64 {
    use std::hash::{DefaultHasher, Hasher as _};
    let mut hasher = DefaultHasher::new();
    parts.hash(&mut hasher);
    hasher.finish()
}

/// How long something is, roughly.
fn size(length: usize) -> u32 {
    usize::BITS - length.leading_zeros()
}

/// JSON documents, one a line; lines that are none are left out. Deeper ones than a model may be are, too.
fn documents(data: &[u8]) -> Vec<serde_json::Value> {
    let text = String::from_utf8_lossy(data);
    text.lines().filter_map(|line| provider::cloud::model::parse(line).ok()).collect()
}
