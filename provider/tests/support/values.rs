//! Values written as JSON: `{"$secret": x}` is a secret, `"$unknown"` an unknown.

use serde_json::Value as Json;
use value::{Map, Unknown, Urn, Value};

/// The value that the JSON stands for.
pub fn val(json: Json) -> Value {
    match json {
        Json::String(text) if text == "$unknown" => Unknown::String.into(),
        Json::Object(mut members) => match members.remove("$secret") {
            Some(inner) => Value::Secret(Box::new(val(inner))),
            None => members.into_iter().map(|(key, member)| (key, val(member))).collect(),
        },
        Json::Array(items) => items.into_iter().map(val).collect(),
        scalar => value::json::from_json(&scalar),
    }
}

/// The members that the JSON stands for.
pub fn members(json: Json) -> Map {
    match val(json) {
        Value::Object(members) => members,
        other => panic!("expected an object, found {}", other.type_name()),
    }
}

/// Recorded outputs with a checkpoint.
pub fn state(outputs: Json, inputs: Json) -> Map {
    let mut state = members(outputs);
    provider::checkpoint::put(&mut state, members(inputs));
    state
}

/// A URN of the type that the tests use.
pub fn urn(name: &str) -> Urn {
    Urn::new("dev", "test", None, "aws-native:test:Thing", name).unwrap()
}
