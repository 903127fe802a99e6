//! Hiding what only the service may read: write-only values in everything that leaves the process for people to see.

use crate::model::patch;
use crate::schema::{InstancePath, ResourceType};
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

/// Hides the write-only values that a patch brings. What is no patch is not shown at all.
pub(crate) fn document(resource: Option<&ResourceType>, document: &mut Value) {
    let (Some(resource), Value::Array(operations)) = (resource, &mut *document) else {
        *document = Value::from(HIDDEN);
        return;
    };
    for operation in operations {
        let path = operation.get("path").and_then(Value::as_str).unwrap_or_default().to_owned();
        if let Some(value) = operation.get_mut("value") {
            brought(resource, &path, value);
        }
    }
}

/// Hides what is write-only of a value that a patch puts at a place: the whole of it below such a path, its members above.
fn brought(resource: &ResourceType, path: &str, value: &mut Value) {
    let steps: Vec<String> = patch::steps(path);
    if steps.is_empty() {
        return model(Some(resource), value);
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
    model(Some(resource), &mut whole);
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
        let schema = json!({
            "primaryIdentifier": ["/properties/Name"],
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
        for (path, value, expected) in [
            ("/Name", json!("n"), json!("n")),
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
        for mut shown in [json!("no patch"), json!({"Secret": "s"})] {
            document(Some(&resource), &mut shown);
            assert_eq!(shown, "***");
        }
        let mut unknown = json!({"A": 1});
        model(None, &mut unknown);
        assert_eq!(unknown, "***");
    }
}
