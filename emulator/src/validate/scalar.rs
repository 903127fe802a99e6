//! The keywords of strings and numbers, and what the engine calls a type.

use super::violations::{Place, Violations};
use crate::schema::patterns::Patterns;
use serde_json::{Map, Number, Value};

/// Whether a value is of a schema type; `5.0` is no integer.
pub(super) fn is_type(expected: &str, value: &Value) -> bool {
    match expected {
        "string" => value.is_string(),
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        "boolean" => value.is_boolean(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        "null" => value.is_null(),
        // A type that the schema language does not know refuses nothing.
        _ => true,
    }
}

/// The class that the engine holds a value in.
pub(super) fn found_type(value: &Value) -> &'static str {
    match value {
        Value::Null => "Null",
        Value::Bool(_) => "Boolean",
        Value::String(_) => "String",
        Value::Array(_) => "JSONArray",
        Value::Object(_) => "JSONObject",
        Value::Number(number) => match (number.as_i64(), number.is_u64()) {
            (Some(small), _) if i32::try_from(small).is_ok() => "Integer",
            (Some(_), _) => "Long",
            (None, true) => "BigInteger",
            (None, false) => "Double",
        },
    }
}

/// A keyword that counts something.
pub(super) fn bound(keywords: &Map<String, Value>, keyword: &str) -> Option<u64> {
    keywords.get(keyword)?.as_u64()
}

pub(super) fn check_string(
    keywords: &Map<String, Value>,
    text: &str,
    patterns: &Patterns,
    place: &Place,
    found: &mut Violations,
) {
    if keywords.contains_key("minLength") || keywords.contains_key("maxLength") {
        let length = text.chars().count() as u64;
        if let Some(least) = bound(keywords, "minLength").filter(|least| length < *least) {
            found.add(place, format_args!("expected minLength: {least}, actual: {length}"));
        }
        if let Some(most) = bound(keywords, "maxLength").filter(|most| length > *most) {
            found.add(place, format_args!("expected maxLength: {most}, actual: {length}"));
        }
    }
    if let Some(pattern) = keywords.get("pattern").and_then(Value::as_str)
        && !patterns.is_found(pattern, text)
    {
        found.keyword(place, "pattern");
    }
    let is_well_formed = match keywords.get("format").and_then(Value::as_str) {
        Some("date-time") => is_date_time(text),
        Some("uri") => is_uri(text),
        _ => true,
    };
    if !is_well_formed {
        found.keyword(place, "format");
    }
}

pub(super) fn check_number(keywords: &Map<String, Value>, number: &Number, place: &Place, found: &mut Violations) {
    let Some(value) = number.as_f64() else { return };
    let limit = |keyword: &str| keywords.get(keyword).and_then(Value::as_f64);
    for (keyword, is_broken) in [
        ("minimum", limit("minimum").is_some_and(|least| value < least)),
        ("maximum", limit("maximum").is_some_and(|most| value > most)),
        ("exclusiveMinimum", limit("exclusiveMinimum").is_some_and(|least| value <= least)),
        ("exclusiveMaximum", limit("exclusiveMaximum").is_some_and(|most| value >= most)),
        ("multipleOf", limit("multipleOf").is_some_and(|unit| unit > 0.0 && (value / unit).fract() != 0.0)),
    ] {
        if is_broken {
            found.keyword(place, keyword);
        }
    }
}

/// RFC 3339 with a full date, a time with seconds and an offset.
fn is_date_time(text: &str) -> bool {
    let bytes = text.as_bytes();
    let digits = |from: usize, count: usize| {
        bytes.get(from..from + count).is_some_and(|part| part.iter().all(u8::is_ascii_digit))
    };
    let is = |at: usize, expected: &[u8]| bytes.get(at).is_some_and(|byte| expected.contains(byte));
    let date_and_time = digits(0, 4)
        && is(4, b"-")
        && digits(5, 2)
        && is(7, b"-")
        && digits(8, 2)
        && is(10, b"Tt")
        && digits(11, 2)
        && is(13, b":")
        && digits(14, 2)
        && is(16, b":")
        && digits(17, 2);
    if !date_and_time {
        return false;
    }
    let rest = text.get(19..).unwrap_or_default();
    let offset =
        rest.strip_prefix('.').map_or(rest, |fraction| fraction.trim_start_matches(|c: char| c.is_ascii_digit()));
    match offset.as_bytes() {
        [b'Z' | b'z'] => true,
        [b'+' | b'-', a, b, b':', c, d] => [a, b, c, d].iter().all(|byte| byte.is_ascii_digit()),
        _ => false,
    }
}

/// Characters that no URI has; anything else is left to the service that uses it.
fn is_uri(text: &str) -> bool {
    !text.is_empty() && !text.contains(|c: char| c.is_whitespace() || c.is_control() || "<>\"{}|\\^`".contains(c))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats() {
        for (text, expected) in [
            ("2026-01-02T03:04:05Z", true),
            ("2026-01-02T03:04:05.123+02:00", true),
            ("2026-01-02", false),
            ("2026-01-02T03:04:05", false),
            ("é026-01-02T03:04:05Z", false),
        ] {
            assert_eq!(is_date_time(text), expected, "{text}");
        }
        assert!(is_uri("https://a.example/b?c") && !is_uri("a b"));
    }
}
