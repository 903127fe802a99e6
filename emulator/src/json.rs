//! JSON text and values under the limits of a server: depth, numbers, absent members.

use serde_json::Value;

/// The deepest nesting that a document may have.
pub(crate) const DEPTH_LIMIT: usize = 128;

/// Why a text is no usable document.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum JsonError {
    /// Nested deeper than [`DEPTH_LIMIT`].
    TooDeep,
    /// No JSON; where the reader stopped. The text itself is not repeated, it may hold secrets.
    Syntax { line: usize, column: usize },
}

impl std::fmt::Display for JsonError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            JsonError::TooDeep => write!(f, "nested deeper than {DEPTH_LIMIT} levels"),
            JsonError::Syntax { line, column } => write!(f, "not valid JSON at line {line} column {column}"),
        }
    }
}

/// Reads a document; of duplicate keys the last wins.
///
/// The depth is counted on the text first, so that no input can exhaust the stack of the reader or of what comes after.
pub(crate) fn parse(text: &str) -> Result<Value, JsonError> {
    if text_depth(text) > DEPTH_LIMIT {
        return Err(JsonError::TooDeep);
    }
    let mut reader = serde_json::Deserializer::from_str(text);
    reader.disable_recursion_limit();
    let syntax = |error: serde_json::Error| JsonError::Syntax { line: error.line(), column: error.column() };
    let value = serde::Deserialize::deserialize(&mut reader).map_err(syntax)?;
    reader.end().map_err(syntax)?;
    Ok(value)
}

/// How deep a kept document may nest; what a service fills in may lie deeper than what it was given.
const STORED_LIMIT: usize = 2 * DEPTH_LIMIT;

/// Reads a document that this process printed itself. `Null` for anything else.
pub(crate) fn stored(text: &str) -> Value {
    if text_depth(text) > STORED_LIMIT {
        return Value::Null;
    }
    let mut reader = serde_json::Deserializer::from_str(text);
    reader.disable_recursion_limit();
    serde::Deserialize::deserialize(&mut reader).unwrap_or_default()
}

/// The texts of a list; none when there is no list.
pub(crate) fn texts(list: Option<&Value>) -> impl Iterator<Item = &str> {
    list.and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str)
}

fn text_depth(text: &str) -> usize {
    let (mut depth, mut deepest, mut in_string, mut escaped) = (0usize, 0usize, false, false);
    for byte in text.bytes() {
        if in_string {
            match byte {
                _ if escaped => escaped = false,
                b'\\' => escaped = true,
                b'"' => in_string = false,
                _ => {}
            }
            continue;
        }
        match byte {
            b'"' => in_string = true,
            b'{' | b'[' => {
                depth += 1;
                deepest = deepest.max(depth);
            }
            b'}' | b']' => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    deepest
}

/// How deep a value nests, counted no further than `limit + 1`.
pub(crate) fn depth(value: &Value, limit: usize) -> usize {
    let deepest = match value {
        Value::Array(items) if limit > 0 => items.iter().map(|item| depth(item, limit - 1)).max(),
        Value::Object(members) if limit > 0 => members.values().map(|member| depth(member, limit - 1)).max(),
        Value::Array(_) | Value::Object(_) => Some(0),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => return 0,
    };
    deepest.unwrap_or(0) + 1
}

/// Equality of documents with numbers compared by value, `1` and `1.0` being equal (RFC 6902, section 4.6).
pub(crate) fn equal(left: &Value, right: &Value) -> bool {
    match (left, right) {
        (Value::Number(a), Value::Number(b)) => a == b || (a.is_f64() != b.is_f64() && a.as_f64() == b.as_f64()),
        (Value::Array(a), Value::Array(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| equal(a, b)),
        (Value::Object(a), Value::Object(b)) => {
            a.len() == b.len() && a.iter().all(|(key, a)| b.get(key).is_some_and(|b| equal(a, b)))
        }
        _ => left == right,
    }
}

/// Removes null members at any depth, and members that became empty by that.
pub(crate) fn prune_nulls(value: &mut Value) {
    match value {
        Value::Object(members) => members.retain(|_, member| {
            let was_empty = is_empty(member);
            prune_nulls(member);
            !member.is_null() && (was_empty || !is_empty(member))
        }),
        Value::Array(items) => items.iter_mut().for_each(prune_nulls),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

/// Whether a value is an object or array without content.
pub(crate) fn is_empty(value: &Value) -> bool {
    match value {
        Value::Object(members) => members.is_empty(),
        Value::Array(items) => items.is_empty(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn depth_is_bounded_before_reading() {
        let nested = |depth: usize| format!("{}1{}", "[".repeat(depth), "]".repeat(depth));
        assert!(parse(&nested(128)).is_ok());
        assert_eq!(parse(&nested(129)), Err(JsonError::TooDeep));
        assert_eq!(parse(&nested(1_000_000)), Err(JsonError::TooDeep));
        assert_eq!(stored(&nested(1_000_000)), Value::Null);
        assert_ne!(stored(&nested(129)), Value::Null);
        assert!(parse(r#"{"a":"[[[[\"{{{"}"#).is_ok());
        assert!(matches!(parse("{} x"), Err(JsonError::Syntax { .. })));
        assert_eq!(parse(r#"{"a":1,"a":2}"#), Ok(json!({"a": 2})));
        assert_eq!(depth(&json!([[1], {"a": [2]}]), 10), 3);
        assert_eq!(depth(&json!([[[[1]]]]), 1), 2);
    }

    #[test]
    fn numbers_are_compared_by_value() {
        assert!(equal(&json!({"a": [1]}), &json!({"a": [1.0]})));
        assert!(!equal(&json!(1), &json!("1")));
        assert!(!equal(&json!({"a": 1}), &json!({"a": 1, "b": 2})));
    }

    #[test]
    fn nulls_go_and_take_emptied_parents_along() {
        let mut value = json!({"a": null, "b": {"c": null}, "d": {}, "e": [{"f": null}]});
        prune_nulls(&mut value);
        assert_eq!(value, json!({"d": {}, "e": [{}]}));
    }

    #[test]
    fn members_are_printed_in_order_of_name() {
        // A dependency that makes maps keep the order of insertion would change every text of the emulator.
        assert_eq!(json!({"b": 1, "a": 2}).to_string(), r#"{"a":2,"b":1}"#);
    }
}
