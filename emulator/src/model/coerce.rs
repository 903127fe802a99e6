//! Texts taken for numbers and booleans, and the other way around, as CloudFormation does before it calls a handler.

use crate::schema::ResourceType;
use serde_json::{Number, Value};

/// The deepest level that is looked at; recursive definitions end here at the latest.
const DEPTH: usize = 64;

/// Gives scalars of a model the type that the schema asks for, where their text allows it. What does not fit is left for
/// the validation to name.
pub(crate) fn apply(resource: &ResourceType, model: &mut Value) {
    at(resource, &resource.schema, model, 0);
}

fn at(resource: &ResourceType, node: &Value, value: &mut Value, depth: usize) {
    if depth > DEPTH {
        return;
    }
    match value {
        Value::Object(members) => {
            for (name, member) in members {
                if let Some(node) = resource.child(node, Some(name)).or_else(|| entry(resource, node)) {
                    at(resource, node, member, depth + 1);
                }
            }
        }
        Value::Array(elements) => {
            if let Some(node) = resource.keyword(node, "items") {
                elements.iter_mut().for_each(|element| at(resource, node, element, depth + 1));
            }
        }
        Value::Null => {}
        Value::Bool(_) | Value::Number(_) | Value::String(_) => {
            if let Some(types) = resource.keyword(node, "type")
                && let Some(coerced) = scalar(types, value)
            {
                *value = coerced;
            }
        }
    }
}

/// The node of every entry of a map.
fn entry<'n>(resource: &'n ResourceType, node: &'n Value) -> Option<&'n Value> {
    let patterns = resource.keyword(node, "patternProperties").and_then(Value::as_object);
    let by_pattern = patterns.and_then(|patterns| patterns.values().next());
    by_pattern.or_else(|| resource.keyword(node, "additionalProperties").filter(|node| node.is_object()))
}

/// A scalar as another type of the list, if it has none of the list itself.
fn scalar(types: &Value, value: &Value) -> Option<Value> {
    let types: Vec<&str> = match types {
        Value::String(name) => vec![name.as_str()],
        Value::Array(names) => names.iter().filter_map(Value::as_str).collect(),
        _ => return None,
    };
    let is = |name: &str| match (name, value) {
        ("string", Value::String(_)) | ("boolean", Value::Bool(_)) | ("number", Value::Number(_)) => true,
        ("integer", Value::Number(number)) => !number.is_f64(),
        _ => false,
    };
    if types.iter().any(|name| is(name)) {
        return None;
    }
    types.iter().find_map(|name| match (*name, value) {
        ("string", Value::Bool(flag)) => Some(Value::from(flag.to_string())),
        ("string", Value::Number(number)) => Some(Value::from(number.to_string())),
        ("boolean", Value::String(text)) => match text.as_str() {
            "true" => Some(Value::Bool(true)),
            "false" => Some(Value::Bool(false)),
            _ => None,
        },
        ("integer", Value::String(text)) => text.parse::<i64>().ok().map(Value::from),
        ("integer", Value::Number(number)) => {
            // Every whole number below 2^53 is exact as a float.
            let float = number.as_f64().filter(|float| float.fract() == 0.0 && float.abs() < 9e15)?;
            Some(Value::from(float as i64))
        }
        ("number", Value::String(text)) => {
            let whole = text.parse::<i64>().ok().map(Value::from);
            whole.or_else(|| text.parse::<f64>().ok().and_then(Number::from_f64).map(Value::Number))
        }
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn scalars_get_the_type_that_the_schema_asks_for() {
        let schema = json!({
            "properties": {
                "Count": {"type": "integer"},
                "Share": {"type": "number"},
                "On": {"type": "boolean"},
                "Name": {"type": "string"},
                "Either": {"type": ["object", "string"]},
                "List": {"type": "array", "items": {"$ref": "#/definitions/Item"}},
                "Map": {"type": "object", "additionalProperties": false, "patternProperties": {".*": {"type": "string"}}},
            },
            "definitions": {"Item": {"type": "object", "properties": {"Count": {"type": "integer"}, "Next": {"$ref": "#/definitions/Item"}}}},
        });
        let resource = ResourceType::new("T::T::T".to_owned(), schema);
        for (given, expected) in [
            (json!({"Count": "5"}), json!({"Count": 5})),
            (json!({"Count": "-5"}), json!({"Count": -5})),
            (json!({"Count": 5.0}), json!({"Count": 5})),
            (json!({"Count": "5.5"}), json!({"Count": "5.5"})),
            (json!({"Count": "five"}), json!({"Count": "five"})),
            (json!({"Share": "0.5"}), json!({"Share": 0.5})),
            (json!({"Share": "NaN"}), json!({"Share": "NaN"})),
            (json!({"On": "true"}), json!({"On": true})),
            (json!({"On": "yes"}), json!({"On": "yes"})),
            (json!({"On": 1}), json!({"On": 1})),
            (json!({"Name": 5}), json!({"Name": "5"})),
            (json!({"Name": true}), json!({"Name": "true"})),
            (json!({"Name": null}), json!({"Name": null})),
            (json!({"Either": "5"}), json!({"Either": "5"})),
            (
                json!({"List": [{"Count": "1", "Next": {"Count": "2"}}]}),
                json!({"List": [{"Count": 1, "Next": {"Count": 2}}]}),
            ),
            (json!({"Map": {"a": 1}}), json!({"Map": {"a": "1"}})),
        ] {
            let mut model = given.clone();
            apply(&resource, &mut model);
            assert_eq!(model, expected, "{given}");
        }
    }
}
