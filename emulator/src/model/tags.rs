//! Tags of the service itself: callers may not set them, and on demand a resource carries one.

use crate::schema::{InstancePath, ResourceType};
use serde_json::{Map, Value, json};

/// What the names of tags that belong to the service begin with.
const RESERVED: &str = "aws:";
/// The tag that a resource carries where that is switched on: the request that made it.
const OWN: &str = "aws:cloudcontrol:request";

/// What a handler answers to a caller who sets such a tag.
pub(crate) const REFUSAL: &str =
    "Invalid request provided: aws: prefixed tag key names are not allowed for external use.";

/// Where a type keeps its tags.
pub(crate) fn place(resource: &ResourceType) -> Option<InstancePath> {
    let tagging = resource.schema.get("tagging");
    let named = tagging.and_then(|tagging| tagging.get("tagProperty")?.as_str()).unwrap_or("/properties/Tags");
    let path = InstancePath::parse(named)?;
    resource.node(&path).is_some().then_some(path)
}

/// Whether the service tags resources of a type.
fn has_system_tags(resource: &ResourceType) -> bool {
    resource.schema.get("tagging").and_then(|tagging| tagging.get("cloudFormationSystemTags"))
        == Some(&Value::Bool(true))
}

/// Whether the name of a tag belongs to the service, in small letters or capitals.
fn is_reserved(name: &str) -> bool {
    name.get(..RESERVED.len()).is_some_and(|start| start.eq_ignore_ascii_case(RESERVED))
}

/// The reserved tags of a model: name and value.
fn reserved(tags: &Value) -> Map<String, Value> {
    match tags {
        Value::Object(tags) => tags
            .iter()
            .filter(|(name, _)| is_reserved(name))
            .map(|(name, value)| (name.clone(), value.clone()))
            .collect(),
        Value::Array(tags) => {
            let named =
                tags.iter().filter_map(|tag| Some((tag.get("Key")?.as_str()?.to_owned(), tag.get("Value")?.clone())));
            named.filter(|(name, _)| is_reserved(name)).collect()
        }
        _ => Map::new(),
    }
}

/// Whether a model has reserved tags that `known` lacks or has with another value.
pub(crate) fn sets_reserved(resource: &ResourceType, known: &Value, model: &Value) -> bool {
    let Some(path) = place(resource) else { return false };
    let of = |model: &Value| path.get(model).map(reserved).unwrap_or_default();
    let known = of(known);
    of(model).iter().any(|(name, value)| known.get(name) != Some(value))
}

/// Adds the tag of the service to a model: `request` is the token of the request that made it.
pub(crate) fn add_own(resource: &ResourceType, model: &mut Value, request: &str) {
    let Some(path) = place(resource).filter(|_| has_system_tags(resource)) else { return };
    let is_list = resource.node(&path).and_then(|node| resource.keyword(node, "type")) == Some(&json!("array"));
    if is_list && !has_keys(resource, &path) {
        return;
    }
    let mut tags = path.get(model).cloned().unwrap_or_else(|| if is_list { json!([]) } else { json!({}) });
    match &mut tags {
        Value::Array(tags) => tags.push(json!({"Key": OWN, "Value": request})),
        Value::Object(tags) => {
            tags.insert(OWN.to_owned(), json!(request));
        }
        _ => return,
    }
    path.set(model, tags);
}

/// Whether the elements of a list of tags have the members Key and Value.
fn has_keys(resource: &ResourceType, path: &InstancePath) -> bool {
    let element = resource.node(path).and_then(|node| resource.keyword(node, "items"));
    let properties = element.and_then(|element| resource.keyword(element, "properties"));
    properties.is_some_and(|properties| properties.get("Key").is_some() && properties.get("Value").is_some())
}

/// Gives an updated model back the tags of the service that the caller left out, which nobody can remove.
pub(crate) fn keep_reserved(resource: &ResourceType, current: &Value, updated: &mut Value) {
    let Some(path) = place(resource) else { return };
    let known = path.get(current).map(reserved).unwrap_or_default();
    let there = path.get(updated).map(reserved).unwrap_or_default();
    let missing: Vec<(String, Value)> = known.into_iter().filter(|(name, _)| !there.contains_key(name)).collect();
    if missing.is_empty() {
        return;
    }
    let is_list = path.get(current).is_some_and(Value::is_array);
    let mut tags = path.get(updated).cloned().unwrap_or_else(|| if is_list { json!([]) } else { json!({}) });
    for (name, value) in missing {
        match &mut tags {
            Value::Array(tags) => tags.push(json!({"Key": name, "Value": value})),
            Value::Object(tags) => {
                tags.insert(name, value);
            }
            _ => {}
        }
    }
    path.set(updated, tags);
}

/// Whether an update empties a list of tags that was not empty.
pub(crate) fn empties(resource: &ResourceType, updated: &Value) -> bool {
    place(resource)
        .and_then(|path| path.get(updated).map(|tags| tags.as_array().is_some_and(Vec::is_empty)))
        .unwrap_or(false)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn resource(map: bool) -> ResourceType {
        let tag = json!({"type": "object", "properties": {"Key": {"type": "string"}, "Value": {"type": "string"}}});
        let tags = if map { json!({"type": "object"}) } else { json!({"type": "array", "items": tag}) };
        let schema = json!({
            "properties": {"TagList": tags},
            "tagging": {"tagProperty": "/properties/TagList", "cloudFormationSystemTags": true},
        });
        ResourceType::new("T::T::T".to_owned(), schema)
    }

    #[test]
    fn names_of_the_service_are_known_in_any_case() {
        for (name, expected) in
            [("aws:a", true), ("AWS:a", true), ("Aws:", true), ("aws", false), ("awsa", false), ("é:aws:", false)]
        {
            assert_eq!(is_reserved(name), expected, "{name}");
            for (map, tags) in [(true, json!({name: "v"})), (false, json!([{"Key": name, "Value": "v"}]))] {
                let model = json!({"TagList": tags});
                assert_eq!(sets_reserved(&resource(map), &json!({}), &model), expected, "{name}");
            }
        }
    }

    #[test]
    fn reserved_tags_are_added_kept_and_refused() {
        for (is_map, before, expected) in [
            (false, json!({}), json!({"TagList": [{"Key": OWN, "Value": "r"}]})),
            (true, json!({"TagList": {"a": "b"}}), json!({"TagList": {"a": "b", OWN: "r"}})),
        ] {
            let resource = resource(is_map);
            let mut model = before.clone();
            add_own(&resource, &mut model, "r");
            assert_eq!(model, expected);
            assert!(sets_reserved(&resource, &before, &model) && !sets_reserved(&resource, &model, &model));
            let mut updated = json!({"Other": 1});
            keep_reserved(&resource, &model, &mut updated);
            assert!(
                !sets_reserved(&resource, &model, &updated) && sets_reserved(&resource, &json!({}), &updated),
                "{updated}"
            );
        }
        assert!(empties(&resource(false), &json!({"TagList": []})) && !empties(&resource(false), &json!({})));
        let bare = ResourceType::new("T::T::T".to_owned(), json!({"properties": {}}));
        let mut model = json!({});
        add_own(&bare, &mut model, "r");
        assert_eq!(model, json!({}));
    }
}
