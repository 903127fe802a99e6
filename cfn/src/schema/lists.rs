//! Readers for the small shapes that keywords have: texts, lists of texts, counts, flags.

use crate::error::SchemaError;
use crate::location::At;
use serde_json::{Map, Value};

/// The kind of a value with its article, for messages.
pub(crate) fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "an array",
        Value::Object(_) => "an object",
    }
}

fn wrong(at: &At<'_>, expected: &str, found: &Value) -> SchemaError {
    at.error(format!("expected {expected}, found {}", kind(found)))
}

pub(crate) fn text(at: &At<'_>, value: Value) -> Result<String, SchemaError> {
    match value {
        Value::String(text) => Ok(text),
        other => Err(wrong(at, "a string", &other)),
    }
}

pub(crate) fn flag(at: &At<'_>, value: &Value) -> Result<bool, SchemaError> {
    value.as_bool().ok_or_else(|| wrong(at, "a boolean", value))
}

pub(crate) fn object(at: &At<'_>, value: Value) -> Result<Map<String, Value>, SchemaError> {
    match value {
        Value::Object(members) => Ok(members),
        other => Err(wrong(at, "an object", &other)),
    }
}

pub(crate) fn array(at: &At<'_>, value: Value) -> Result<Vec<Value>, SchemaError> {
    match value {
        Value::Array(elements) => Ok(elements),
        other => Err(wrong(at, "an array", &other)),
    }
}

/// A list of texts; a lone text is a list of one.
pub(crate) fn texts(at: &At<'_>, value: Value) -> Result<Vec<String>, SchemaError> {
    match value {
        Value::String(text) => Ok(vec![text]),
        Value::Array(elements) => {
            elements.into_iter().enumerate().map(|(index, element)| text(&at.index(index), element)).collect()
        }
        other => Err(wrong(at, "an array of strings", &other)),
    }
}

/// A count; fractions are cut off, negative numbers are 0.
pub(crate) fn count(at: &At<'_>, value: &Value) -> Result<u64, SchemaError> {
    match value {
        // A float that is cut off saturates at both ends, which is what a bound wants.
        Value::Number(number) => Ok(number.as_u64().unwrap_or_else(|| number.as_f64().unwrap_or(0.0) as u64)),
        other => Err(wrong(at, "a number", other)),
    }
}
