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

/// A date, `T`, a time with seconds, at most nine digits of a fraction, and `Z` or an offset, all in their ranges. The day may
/// be any up to 31 in every month: the engine takes the last one instead.
fn is_date_time(text: &str) -> bool {
    let number = |from: usize, count: usize| -> Option<u32> {
        let part = text.get(from..from + count)?;
        part.bytes().all(|byte| byte.is_ascii_digit()).then(|| part.parse().ok())?
    };
    let is = |at: usize, expected: u8| text.as_bytes().get(at) == Some(&expected);
    let within =
        |from: usize, least: u32, most: u32| number(from, 2).is_some_and(|number| (least..=most).contains(&number));
    let date = number(0, 4).is_some() && is(4, b'-') && within(5, 1, 12) && is(7, b'-') && within(8, 1, 31);
    let time =
        is(10, b'T') && within(11, 0, 23) && is(13, b':') && within(14, 0, 59) && is(16, b':') && within(17, 0, 59);
    if !date || !time {
        return false;
    }
    let rest = text.get(19..).unwrap_or_default();
    let offset = match rest.strip_prefix('.') {
        None => rest,
        Some(fraction) => {
            let offset = fraction.trim_start_matches(|c: char| c.is_ascii_digit());
            if !(1..=9).contains(&(fraction.len() - offset.len())) {
                return false;
            }
            offset
        }
    };
    match offset.as_bytes() {
        [b'Z'] => true,
        [b'+' | b'-', a, b, b':', c, d] => [a, b, c, d].iter().all(|byte| byte.is_ascii_digit()),
        _ => false,
    }
}

/// A URI with a scheme, or one that begins with two slashes: no characters that need escaping, no escape that is none.
fn is_uri(text: &str) -> bool {
    let is_allowed = |c: char| !c.is_whitespace() && !c.is_control() && !"<>\"{}|\\^`".contains(c);
    let escapes = text.split('%').skip(1);
    let are_escapes = escapes
        .into_iter()
        .all(|rest| rest.as_bytes().get(..2).is_some_and(|digits| digits.iter().all(u8::is_ascii_hexdigit)));
    let has_scheme = text.split_once(':').is_some_and(|(scheme, rest)| {
        scheme.starts_with(|c: char| c.is_ascii_alphabetic())
            && scheme.chars().all(|c| c.is_ascii_alphanumeric() || "+-.".contains(c))
            && !rest.is_empty()
    });
    text.chars().all(is_allowed) && are_escapes && (has_scheme || text.starts_with("//"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats() {
        for (text, expected) in [
            ("2026-01-02T03:04:05Z", true),
            ("2026-01-02T03:04:05.123+02:00", true),
            ("2026-02-31T23:59:59.123456789-11:30", true),
            ("2026-01-02T03:04:05.1234567890Z", false),
            ("2026-01-02T03:04:05.Z", false),
            ("2026-13-02T03:04:05Z", false),
            ("2026-01-32T03:04:05Z", false),
            ("2026-01-02T24:04:05Z", false),
            ("2026-01-02T03:04:60Z", false),
            ("2026-01-02t03:04:05z", false),
            ("2026-01-02", false),
            ("2026-01-02T03:04:05", false),
            ("é026-01-02T03:04:05Z", false),
        ] {
            assert_eq!(is_date_time(text), expected, "{text}");
        }
        for (text, expected) in [
            ("https://a.example/b?c", true),
            ("arn:aws:s3:::b", true),
            ("//host/path", true),
            ("a/b", false),
            ("https://a b", false),
            ("https://a/%zz", false),
            ("1a://b", false),
            ("x:", false),
            ("", false),
        ] {
            assert_eq!(is_uri(text), expected, "{text}");
        }
    }
}
