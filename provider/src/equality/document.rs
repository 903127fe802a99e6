//! JSON documents, which some services take as text and print in another layout.

use std::borrow::Cow;

use serde_json::Value as Json;
use value::Value;

use super::Against;

/// Whether both values are the same JSON document, each as text or as a value of its own.
///
/// Layout and the order of members do not count, numbers count by their value, marks of secrecy not at all. A null is a
/// value of its own: to a state machine, `"ResultPath": null` is the contrary of none. Only a value that the service holds
/// says nothing about nulls, since conversion leaves them out. False if one of them is no document, or not known yet.
pub fn equivalent(one: &Value, other: &Value, against: Against) -> bool {
    if let (Value::String(one), Value::String(other)) = (one.unsecret(), other.unsecret()) {
        // As they are written: a value would round whole numbers.
        return matches!((json(one), json(other)), (Some(one), Some(other)) if is_container(&one) && same(&one, &other));
    }
    let (Some(one), Some(other)) = (parsed(one), parsed(other)) else { return false };
    let has_null = |document: &Value| document.any(&|part| part.is_null());
    let nulls_are_alike = against.is_live() || !(has_null(&one) || has_null(&other));
    nulls_are_alike && value::equality::equal_ignoring_secrets(&one, &other)
}

fn json(text: &str) -> Option<Json> {
    // The parser has a limit of its own, far below what could overflow anything.
    serde_json::from_str(text.trim()).ok()
}

fn is_container(document: &Json) -> bool {
    document.is_object() || document.is_array()
}

/// Whether two documents are the same; numbers by their value, and whole ones exactly.
fn same(one: &Json, other: &Json) -> bool {
    match (one, other) {
        (Json::Number(one), Json::Number(other)) => {
            let is_whole = |number: &serde_json::Number| number.is_i64() || number.is_u64();
            one == other || (!(is_whole(one) && is_whole(other)) && one.as_f64() == other.as_f64())
        }
        (Json::Array(one), Json::Array(other)) => {
            one.len() == other.len() && one.iter().zip(other).all(|(one, other)| same(one, other))
        }
        (Json::Object(one), Json::Object(other)) => {
            one.len() == other.len()
                && one.iter().all(|(name, member)| other.get(name).is_some_and(|other| same(member, other)))
        }
        (one, other) => one == other,
    }
}

/// The list or object that a value is, or that its text describes.
pub(super) fn parsed(value: &Value) -> Option<Cow<'_, Value>> {
    let document = match value.unsecret() {
        Value::String(text) => Cow::Owned(value::json::from_json(&json(text)?)),
        other => Cow::Borrowed(other),
    };
    let is_container = matches!(*document, Value::Object(_) | Value::Array(_));
    (is_container && !document.contains_unknown()).then_some(document)
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use value::Unknown;

    use super::super::Hidden;
    use super::*;

    const LIVE: Against = Against::Live(Hidden::Missing);

    #[test]
    fn documents_are_the_same_whatever_their_layout() {
        check(json!(r#"{"a": 1, "b": [true]}"#), json!("{\n  \"b\": [true],\n  \"a\": 1.0\n}\n"), true);
        check(json!(r#"{"a": 1}"#), json!({ "a": 1 }), true);
        check(json!({ "a": 1 }), json!({ "a": 1.0 }), true);
        check(json!("[1, 2]"), json!([1, 2]), true);
        check(json!("[9007199254740993]"), json!("[9007199254740993]"), true);
        check(json!("[9007199254740993, 5]"), json!("[9007199254740993, 5.0]"), true);
        check(json!("{\"a\": \"\\u0061\"}"), json!({ "a": "a" }), true);

        check(json!("[1, 2]"), json!([2, 1]), false);
        check(json!(r#"{"a": "1"}"#), json!({ "a": 1 }), false);
        check(json!(r#"{"a": 1}"#), json!({ "A": 1 }), false);
        check(json!(r#"{"a": 1}"#), json!(r#"{"a": 1, "b": 2}"#), false);
        check(json!(r#"{"a": null}"#), json!("{}"), false);
        check(json!(r#"{"a": null}"#), json!(r#"{"b": null}"#), false);
        check(json!("[9007199254740993]"), json!("[9007199254740992]"), false);
        // Neither of them is a document.
        check(json!("5"), json!(5), false);
        check(json!("true"), json!(true), false);
        check(json!("{"), json!("{ "), false);
        check(json!("a: 1"), json!({ "a": 1 }), false);
        check(json!("[".repeat(100_000)), json!([]), false);

        #[track_caller]
        fn check(one: Json, other: Json, expected: bool) {
            let (first, second) = (value::json::from_json(&one), value::json::from_json(&other));
            for against in [LIVE, Against::Exactly, Against::Desired] {
                assert_eq!(equivalent(&first, &second, against), expected, "{one} {other} {against:?}");
                assert_eq!(equivalent(&second, &first, against), expected, "{other} {one} {against:?}");
            }
        }
    }

    #[test]
    fn a_value_of_the_service_says_nothing_about_nulls() {
        let (text, value) = (r#"{"a": null, "b": 1}"#.into(), Value::object([("b", 1.into())]));
        assert!(equivalent(&text, &value, LIVE) && equivalent(&text, &value, Against::Exactly));
        assert!(!equivalent(&text, &value, Against::Desired));
    }

    #[test]
    fn secrets_are_looked_through_and_unknowns_are_anything() {
        assert!(equivalent(&Value::secret("{\"a\": 1}"), &Value::object([("a", Value::secret(1))]), Against::Desired));
        let unknown = || Value::object([("a", Unknown::String.into())]);
        assert!(!equivalent(&unknown(), &unknown(), LIVE));
    }
}
