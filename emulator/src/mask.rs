//! Hiding what only the service may read: write-only values in everything that leaves the process for people to see.

//!
//! | module | what is in it |
//! |---|---|
//! | this one | models, and patches of them |
//! | [`request`] | the members of requests |

pub(crate) mod request;

use crate::model::patch;
use crate::schema::{InstancePath, ResourceType};
use cfn::Segment;
use serde_json::Value;

/// What stands in place of a hidden value.
pub(crate) const HIDDEN: &str = "***";

/// Hides the write-only values of a model. Of a type that is not known nothing is shown.
pub(crate) fn model(resource: Option<&ResourceType>, model: &mut Value) {
    let Some(resource) = resource else {
        *model = Value::from(HIDDEN);
        return;
    };
    for path in &resource.write_only {
        hide(path, model);
    }
}

fn hide(path: &InstancePath, document: &mut Value) {
    let found: Vec<String> = path.find(document).into_iter().map(|(pointer, _)| pointer).collect();
    for pointer in found {
        if let Some(value) = document.pointer_mut(&pointer) {
            *value = Value::from(HIDDEN);
        }
    }
}

/// Hides what is secret of a model that a client sent: write-only values, and what the type does not know at a place where
/// it could be one of them by another spelling.
pub(crate) fn sent(resource: Option<&ResourceType>, document: &mut Value) {
    if let Some(resource) = resource {
        // On its own, as a model must be an object whatever is write-only.
        known_only(resource, Some(&resource.schema), &[Segment::Name(String::new())], document);
        for path in &resource.write_only {
            known_only(resource, Some(&resource.schema), path.segments(), document);
        }
    }
    model(resource, document);
}

/// Hides what the type does not know along the way to a write-only value; `node` is the schema of the value.
fn known_only(resource: &ResourceType, node: Option<&Value>, way: &[Segment], value: &mut Value) {
    let Some((segment, rest)) = way.split_first() else { return };
    match (value, segment) {
        (Value::Object(members), Segment::Each) => {
            let each = node.and_then(|node| resource.child(node, None));
            members.values_mut().for_each(|member| known_only(resource, each, rest, member));
        }
        (Value::Object(members), Segment::Name(name)) => {
            // A keyword that slipped into the path stands for no step.
            if matches!(name.as_str(), "properties" | "items") && !members.contains_key(name) {
                let mut whole = Value::Object(std::mem::take(members));
                known_only(resource, node, rest, &mut whole);
                if let Value::Object(back) = whole {
                    *members = back;
                }
                return;
            }
            for (key, member) in members {
                let of_member = node.and_then(|node| member_node(resource, node, key, 0));
                if of_member.is_none() {
                    *member = Value::from(HIDDEN);
                } else if key == name {
                    known_only(resource, of_member, rest, member);
                }
            }
        }
        (Value::Array(items), _) => {
            let each = node.and_then(|node| resource.child(node, None));
            let rest = if *segment == Segment::Each { rest } else { way };
            items.iter_mut().for_each(|item| known_only(resource, each, rest, item));
        }
        // There is no way through it to what is known.
        (value, _) => *value = Value::from(HIDDEN),
    }
}

/// The schema of a member, which may stand in a branch.
fn member_node<'n>(resource: &'n ResourceType, node: &'n Value, name: &str, depth: usize) -> Option<&'n Value> {
    if depth > 8 {
        return None;
    }
    let branches =
        ["oneOf", "anyOf", "allOf"].into_iter().filter_map(|keyword| resource.keyword(node, keyword)?.as_array());
    let own = resource.keyword(node, "properties").and_then(|properties| properties.get(name));
    own.or_else(|| branches.flatten().find_map(|branch| member_node(resource, branch, name, depth + 1)))
}

/// Hides the write-only values that a patch brings, and what is no member of an operation. What is no patch is not shown.
pub(crate) fn document(resource: Option<&ResourceType>, document: &mut Value) {
    let (Some(resource), Value::Array(operations)) = (resource, &mut *document) else {
        *document = Value::from(HIDDEN);
        return;
    };
    for operation in operations {
        let path = operation.get("path").and_then(Value::as_str).map(str::to_owned);
        let Value::Object(members) = operation else {
            *operation = Value::from(HIDDEN);
            continue;
        };
        for (name, member) in members {
            match (name.as_str(), &path) {
                ("op" | "path" | "from", _) if member.is_string() => {}
                ("value", Some(path)) => brought(resource, path, member),
                _ => *member = Value::from(HIDDEN),
            }
        }
    }
}

/// Hides what is secret of a value that a patch puts at a place: the whole of it below a write-only path, its members above.
fn brought(resource: &ResourceType, path: &str, value: &mut Value) {
    let steps: Vec<String> = patch::steps(path);
    if steps.is_empty() {
        return sent(Some(resource), value);
    }
    // The value at its place, and nothing else.
    let mut whole = std::mem::take(value);
    for step in steps.iter().rev() {
        whole = match step.parse::<usize>().is_ok() || step == "-" {
            true => Value::Array(vec![whole]),
            false => Value::Object([(step.clone(), whole)].into_iter().collect()),
        };
    }
    let is_below = |write_only: &&InstancePath| {
        (1..steps.len()).any(|count| write_only.matches(steps.get(..count).unwrap_or_default()))
    };
    if resource.write_only.iter().any(|path| is_below(&path)) {
        *value = Value::from(HIDDEN);
        return;
    }
    sent(Some(resource), &mut whole);
    for step in &steps {
        whole = match whole {
            Value::Array(mut elements) => elements.pop().unwrap_or_default(),
            Value::Object(mut members) => members.remove(step).unwrap_or_default(),
            other => other,
        };
    }
    *value = whole;
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_is_write_only_is_hidden_in_models_and_patches() {
        let key = json!({"properties": {"Key": {"type": "string"}, "Id": {"type": "integer"}}});
        let schema = json!({
            "primaryIdentifier": ["/properties/Name"],
            "properties": {
                "Name": {"type": "string"},
                "Secret": {"type": "object"},
                "Code": {"oneOf": [{"properties": {"Zip": {}}}, {"properties": {"Size": {}}}]},
                "Rules": {"type": "array", "items": key},
            },
            "writeOnlyProperties": ["/properties/Secret", "/properties/Code/Zip", "/properties/Rules/*/Key"],
        });
        let resource = ResourceType::new("T::T::T".to_owned(), schema);
        for (mut shown, expected) in [
            (json!({"Name": "n", "Secret": {"a": 1}}), json!({"Name": "n", "Secret": "***"})),
            (json!({"Code": {"Zip": "z", "Size": 1}}), json!({"Code": {"Zip": "***", "Size": 1}})),
            (json!({"Rules": [{"Key": "k"}, {"Id": 1}]}), json!({"Rules": [{"Key": "***"}, {"Id": 1}]})),
        ] {
            model(Some(&resource), &mut shown);
            assert_eq!(shown, expected);
        }
        for (mut shown, expected) in [
            (json!({"Name": "n", "secret": "s"}), json!({"Name": "n", "secret": "***"})),
            (json!({"Properties": {"Secret": "s"}}), json!({"Properties": "***"})),
            (json!({"Code": {"zip": "z", "Size": 1}}), json!({"Code": {"zip": "***", "Size": 1}})),
            (
                json!({"Code": "z", "Rules": [["k"], {"key": "k", "Id": 1}]}),
                json!({"Code": "***", "Rules": [["***"], {"key": "***", "Id": 1}]}),
            ),
            (json!(["s"]), json!(["***"])),
            (json!("s"), json!("***")),
        ] {
            sent(Some(&resource), &mut shown);
            assert_eq!(shown, expected);
        }
        for (path, value, expected) in [
            ("/Name", json!("n"), json!("n")),
            ("/properties/Secret", json!("s"), json!("***")),
            ("//Secret", json!("s"), json!("***")),
            ("/Properties", json!({"Secret": "s"}), json!("***")),
            ("/Code", json!({"zip": "z"}), json!({"zip": "***"})),
            ("/0", json!("s"), json!("***")),
            ("", json!("s"), json!("***")),
            ("/Secret", json!("s"), json!("***")),
            ("Secret", json!("s"), json!("***")),
            ("/Secret/Part", json!("s"), json!("***")),
            ("/Code", json!({"Zip": "z", "Size": 1}), json!({"Zip": "***", "Size": 1})),
            ("/Code/Zip", json!("z"), json!("***")),
            ("/Rules/0", json!({"Key": "k", "Id": 1}), json!({"Key": "***", "Id": 1})),
            ("/Rules/-", json!({"Key": "k"}), json!({"Key": "***"})),
            ("/Rules/3/Key", json!("k"), json!("***")),
            ("", json!({"Secret": "s"}), json!({"Secret": "***"})),
        ] {
            let mut shown = json!([{"op": "add", "path": path, "value": value}, {"op": "remove", "path": path}]);
            document(Some(&resource), &mut shown);
            assert_eq!(shown, json!([{"op": "add", "path": path, "value": expected}, {"op": "remove", "path": path}]));
        }
        for (mut shown, expected) in [
            (
                json!([{"op": "add", "Path": "/Secret", "value": "s"}]),
                json!([{"op": "add", "Path": "***", "value": "***"}]),
            ),
            (json!([{"path": "/Secret", "Value": "s"}]), json!([{"path": "/Secret", "Value": "***"}])),
            (json!([{"op": ["s"], "path": {"a": "s"}}, "s"]), json!([{"op": "***", "path": "***"}, "***"])),
        ] {
            document(Some(&resource), &mut shown);
            assert_eq!(shown, expected);
        }
        for mut shown in [json!("no patch"), json!({"Secret": "s"})] {
            document(Some(&resource), &mut shown);
            assert_eq!(shown, "***");
        }
        let mut unknown = json!({"A": 1});
        model(None, &mut unknown);
        assert_eq!(unknown, "***");
    }
}
