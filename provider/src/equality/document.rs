//! JSON documents, which some services take as text and print in another layout.

use std::borrow::Cow;

use value::Value;

/// Whether both values are the same JSON document, each as text or as a value of its own.
///
/// Layout and the order of members do not count, numbers count by their value, marks of secrecy not at all. False if one
/// of them is no document, or not known yet.
pub fn equivalent(one: &Value, other: &Value) -> bool {
    match (parsed(one), parsed(other)) {
        (Some(one), Some(other)) => value::equality::equal_ignoring_secrets(&one, &other),
        (Some(_) | None, _) => false,
    }
}

/// The list or object that a value is, or that its text describes.
pub(super) fn parsed(value: &Value) -> Option<Cow<'_, Value>> {
    let document = match value.unsecret() {
        // The parser has a limit of its own, far below what could overflow anything.
        Value::String(text) => Cow::Owned(value::json::from_json(&serde_json::from_str(text.trim()).ok()?)),
        other => Cow::Borrowed(other),
    };
    let is_container = matches!(*document, Value::Object(_) | Value::Array(_));
    (is_container && !document.contains_unknown()).then_some(document)
}

#[cfg(test)]
mod tests {
    use serde_json::{Value as Json, json};
    use value::Unknown;

    use super::*;

    #[test]
    fn documents_are_the_same_whatever_their_layout() {
        check(json!(r#"{"a": 1, "b": [true]}"#), json!("{\n  \"b\": [true],\n  \"a\": 1.0\n}\n"), true);
        check(json!(r#"{"a": 1}"#), json!({ "a": 1 }), true);
        check(json!({ "a": 1 }), json!({ "a": 1.0 }), true);
        check(json!("[1, 2]"), json!([1, 2]), true);
        check(json!(r#"{"a": null}"#), json!("{}"), true);
        check(json!("{\"a\": \"\\u0061\"}"), json!({ "a": "a" }), true);

        check(json!("[1, 2]"), json!([2, 1]), false);
        check(json!(r#"{"a": "1"}"#), json!({ "a": 1 }), false);
        check(json!(r#"{"a": 1}"#), json!({ "A": 1 }), false);
        check(json!(r#"{"a": 1}"#), json!(r#"{"a": 1, "b": 2}"#), false);
        // Neither of them is a document.
        check(json!("5"), json!(5), false);
        check(json!("true"), json!(true), false);
        check(json!("{"), json!("{ "), false);
        check(json!("a: 1"), json!({ "a": 1 }), false);
        check(json!("[".repeat(100_000)), json!([]), false);

        #[track_caller]
        fn check(one: Json, other: Json, expected: bool) {
            let (first, second) = (value::json::from_json(&one), value::json::from_json(&other));
            assert_eq!(equivalent(&first, &second), expected, "{one} {other}");
            assert_eq!(equivalent(&second, &first), expected, "{other} {one}");
        }
    }

    #[test]
    fn secrets_are_looked_through_and_unknowns_are_anything() {
        assert!(equivalent(&Value::secret("{\"a\": 1}"), &Value::object([("a", Value::secret(1))])));
        let unknown = || Value::object([("a", Unknown::String.into())]);
        assert!(!equivalent(&unknown(), &unknown()));
    }
}
