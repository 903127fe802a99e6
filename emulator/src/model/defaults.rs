//! Defaults that a schema declares or that are known otherwise, put into a model as the service would.

use crate::overrides::file::{DefaultRule, When};
use crate::schema::{InstancePath, ResourceType};
use crate::validate::Validator;
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

/// Adds what the rules say where nothing stands, never to what the service makes or does not show, and never so that the
/// schema would refuse the model.
pub(crate) fn apply_rules<'r>(
    resource: &ResourceType,
    validator: &Validator<'_>,
    rules: impl Iterator<Item = &'r DefaultRule> + Clone,
    model: &mut Value,
) {
    let mut complete = model.clone();
    rules.clone().for_each(|rule| apply_rule(resource, rule, &mut complete));
    if validator.model(&complete).is_ok() {
        *model = complete;
        return;
    }
    // One of them does not go with what the caller chose; the others still hold.
    for rule in rules {
        let mut with = model.clone();
        apply_rule(resource, rule, &mut with);
        if validator.model(&with).is_ok() {
            *model = with;
        }
    }
}

fn apply_rule(resource: &ResourceType, rule: &DefaultRule, model: &mut Value) {
    let Some(path) = InstancePath::parse(&rule.path) else { return };
    let identifiers = resource.primary_identifier.iter().chain(resource.additional_identifiers.iter().flatten());
    let mut others = identifiers.chain(&resource.read_only).chain(&resource.write_only);
    let is_other = others
        .any(|other| other.segments().starts_with(path.segments()) || path.segments().starts_with(other.segments()));
    if is_other || rule.when.as_ref().is_some_and(|when| !holds(when, model)) {
        return;
    }
    let places: Vec<String> = path
        .parent_places(model)
        .into_iter()
        .filter(|(_, members)| !members.contains_key(path.short_name()))
        .map(|(pointer, _)| pointer)
        .collect();
    for pointer in places {
        if let Some(Value::Object(members)) = model.pointer_mut(&pointer) {
            members.insert(path.short_name().to_owned(), rule.value.clone());
        }
    }
}

/// Whether a condition on another property holds.
fn holds(when: &When, model: &Value) -> bool {
    let Some(path) = InstancePath::parse(&when.path) else { return false };
    let found = path.find(model);
    let is_wanted = |wanted: &Value| found.iter().any(|(_, value)| crate::json::equal(value, wanted));
    when.is.as_ref().is_none_or(is_wanted) && (!when.present || !found.is_empty()) && (!when.absent || found.is_empty())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

    use super::*;
    use serde_json::json;

    #[test]
    fn rules_fill_in_what_is_absent_and_fits() {
        let schema = json!({
            "properties": {
                "Id": {"type": "string"}, "Engine": {"type": "string"}, "Port": {"type": "integer", "minimum": 100}, "Secret": {"type": "string"},
                "Made": {"type": "string"}, "Inner": {"type": "object", "properties": {"On": {"type": "boolean"}}},
                "Rules": {"type": "array", "items": {"type": "object", "properties": {"On": {"type": "boolean"}}}},
                "A": {"type": "string"}, "B": {"type": "string"},
            },
            "oneOf": [{"not": {"required": ["B"]}}, {"not": {"required": ["A"]}, "required": ["B"]}],
            "primaryIdentifier": ["/properties/Id"],
            "writeOnlyProperties": ["/properties/Secret"],
            "readOnlyProperties": ["/properties/Made"],
        });
        let resource = ResourceType::new("T::T::T".to_owned(), schema);
        let patterns = crate::schema::patterns::Patterns::default();
        let validator = Validator::new(&resource, &patterns);
        let rules: Vec<DefaultRule> = serde_json::from_value(json!([
            {"path": "/properties/Id", "value": "i"},
            {"path": "/properties/Secret", "value": "s"},
            {"path": "/properties/Made", "value": "m"},
            {"path": "/properties/Port", "value": 3306, "when": {"path": "/properties/Engine", "is": "mysql"}},
            {"path": "/properties/Port", "value": 5, "when": {"path": "/properties/Engine", "is": "odd"}},
            {"path": "/properties/Inner/On", "value": true},
            {"path": "/properties/Rules/*/On", "value": false},
            {"path": "/properties/A", "value": "a", "when": {"path": "/properties/Engine", "present": true}},
            {"path": "/properties/Engine", "value": "none", "when": {"path": "/properties/Port", "absent": true}},
        ]))
        .unwrap();
        for (given, expected) in [
            (json!({}), json!({"Engine": "none"})),
            (json!({"Port": 200}), json!({"Port": 200})),
            (json!({"Engine": "mysql"}), json!({"Engine": "mysql", "Port": 3306, "A": "a"})),
            (json!({"Engine": "odd"}), json!({"Engine": "odd", "A": "a"})),
            (json!({"Engine": "odd", "B": "b"}), json!({"Engine": "odd", "B": "b"})),
            (
                json!({"Port": 200, "Inner": {}, "Rules": [{}, {"On": true}]}),
                json!({"Port": 200, "Inner": {"On": true}, "Rules": [{"On": false}, {"On": true}]}),
            ),
        ] {
            let mut model = given.clone();
            apply_rules(&resource, &validator, rules.iter(), &mut model);
            assert_eq!(model, expected, "{given}");
        }
    }

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
