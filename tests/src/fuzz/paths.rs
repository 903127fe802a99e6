//! Property paths.

use value::{PropertyPath, Value};

use super::{feature, size};

/// Reads the first line as a path, and walks it in the document that the others are.
///
/// # Panics
///
/// What is printed does not read back the same, or a value that was set is not there.
pub fn run(data: &[u8]) -> u64 {
    let text = String::from_utf8_lossy(data);
    let (line, rest) = text.split_once('\n').unwrap_or((&text, ""));
    let strict = PropertyPath::parse_strict(line).is_ok();
    let Ok(path) = PropertyPath::parse(line) else { return feature((strict, false)) };
    let printed = path.to_string();
    assert!(PropertyPath::parse(&printed).as_ref() == Ok(&path), "{line:?} is printed as {printed:?}");
    let mut document = value::json::parse(rest.as_bytes()).unwrap_or(Value::Null);
    let there = path.get(&document).is_some();
    let deleted = path.delete(&mut document).is_some();
    assert!(deleted || !there || path.is_empty(), "{printed:?} is there and cannot be deleted");
    let set = path.set(&mut document, Value::from("set")).is_ok();
    assert!(!set || path.get(&document) == Some(&Value::from("set")), "{printed:?} was set and is not there");
    feature((strict, there, set, size(path.segments().len())))
}
