//! Defaults that a schema declares, put into a model as the service would.

use crate::schema::ResourceType;
use serde_json::{Map, Value};

/// The deepest level at which defaults are looked for; recursive definitions end here at the latest.
const DEPTH: usize = 12;

/// Adds the declared default of every absent member of every object that is there.
///
/// Write-only and read-only members get none: the first could not be seen, the second are not the caller's.
/// Branches of combinations are not entered, since which branch applies is the caller's choice.
pub(crate) fn apply(resource: &ResourceType, model: &mut Value) {
    let mut place = Vec::new();
    apply_at(resource, &resource.schema, model, &mut place);
}

fn apply_at(resource: &ResourceType, node: &Value, value: &mut Value, place: &mut Vec<String>) {
    if place.len() > DEPTH {
        return;
    }
    match value {
        Value::Object(members) => {
            if let Some(properties) = resource.keyword(node, "properties").and_then(Value::as_object) {
                apply_to_members(resource, properties, members, place);
            }
        }
        Value::Array(items) => {
            if let Some(each) = resource.keyword(node, "items") {
                for (index, item) in items.iter_mut().enumerate() {
                    place.push(index.to_string());
                    apply_at(resource, each, item, place);
                    place.pop();
                }
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

fn apply_to_members(
    resource: &ResourceType,
    properties: &Map<String, Value>,
    members: &mut Map<String, Value>,
    place: &mut Vec<String>,
) {
    for (name, node) in properties {
        place.push(name.clone());
        match members.get_mut(name) {
            Some(member) => apply_at(resource, node, member, place),
            None => {
                let is_hidden =
                    || resource.read_only.iter().chain(&resource.write_only).any(|path| path.matches(place));
                if let Some(default) = resource.keyword(node, "default")
                    && !default.is_null()
                    && !is_hidden()
                {
                    members.insert(name.clone(), default.clone());
                }
            }
        }
        place.pop();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn absent_members_get_their_default() {
        let resource = ResourceType::new(
            "T::T::T".to_owned(),
            json!({
                "properties": {
                    "Delay": {"type": "integer", "default": 5},
                    "Secret": {"type": "string", "default": "s"},
                    "Rule": {"$ref": "#/definitions/Rule"},
                    "Rules": {"type": "array", "items": {"$ref": "#/definitions/Rule"}},
                },
                "writeOnlyProperties": ["/properties/Secret"],
                "definitions": {"Rule": {"properties": {"On": {"type": "boolean", "default": true}, "Next": {"$ref": "#/definitions/Rule"}}}},
            }),
        );
        for (before, after) in [
            (json!({}), json!({"Delay": 5})),
            (json!({"Delay": 1, "Rule": {}}), json!({"Delay": 1, "Rule": {"On": true}})),
            (
                json!({"Delay": 1, "Rules": [{"On": false}, {}]}),
                json!({"Delay": 1, "Rules": [{"On": false}, {"On": true}]}),
            ),
        ] {
            let mut model = before.clone();
            apply(&resource, &mut model);
            assert_eq!(model, after, "{before}");
        }
    }
}
