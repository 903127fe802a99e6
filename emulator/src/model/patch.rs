//! Patch documents (RFC 6902) as the service takes them: a leading slash may be missing, numbers are compared by value,
//! and nothing is changed unless every operation applies.

use json_patch::PatchOperation;
use serde_json::Value;

/// The largest model that a patch may build, in bytes of JSON text; `copy` could double it with every operation.
const LARGEST_RESULT: usize = 1 << 20;

/// Applies a patch document given as text.
///
/// # Errors
///
/// A text that names the operation, its path and the reason. Values are not repeated.
pub(crate) fn apply(document: &str, model: &Value) -> Result<Value, String> {
    let mut operations = match crate::json::parse(document) {
        Ok(Value::Array(operations)) => operations,
        Ok(_) => return Err("Invalid patch update: the patch document is not an array of operations".to_owned()),
        Err(error) => return Err(format!("Invalid patch update: the patch document is {error}")),
    };
    let mut patched = model.clone();
    for (index, operation) in operations.iter_mut().enumerate() {
        add_leading_slashes(operation);
        apply_one(operation, &mut patched).map_err(|reason| {
            let word = |member: &str| operation.get(member).and_then(Value::as_str).unwrap_or("?").to_owned();
            format!("Invalid patch update: operation {index} ({} {}) {reason}", word("op"), word("path"))
        })?;
    }
    Ok(patched)
}

/// The steps of the path of an operation, with or without its leading slash.
pub(crate) fn steps(path: &str) -> Vec<String> {
    let path = path.strip_prefix('/').unwrap_or(path);
    let steps = path.split('/').map(|step| step.replace("~1", "/").replace("~0", "~"));
    steps.filter(|_| !path.is_empty()).collect()
}

fn add_leading_slashes(operation: &mut Value) {
    for member in ["path", "from"] {
        if let Some(Value::String(path)) = operation.get_mut(member)
            && !path.is_empty()
            && !path.starts_with('/')
        {
            path.insert(0, '/');
        }
    }
}

fn apply_one(operation: &Value, model: &mut Value) -> Result<(), String> {
    // The reader's own text may repeat values, which may be secrets.
    let operation: PatchOperation =
        serde::Deserialize::deserialize(operation).map_err(|_| "is not a valid operation of RFC 6902".to_owned())?;
    match &operation {
        PatchOperation::Test(test) => {
            let found = model.pointer(test.path.as_str()).ok_or("failed: there is no value at the path")?;
            return if crate::json::equal(found, &test.value) {
                Ok(())
            } else {
                Err("failed: the value differs".to_owned())
            };
        }
        PatchOperation::Move(moved) => {
            let inside = format!("{}/", moved.from.as_str());
            if moved.path.as_str().starts_with(&inside) {
                return Err("cannot move a value into itself".to_owned());
            }
        }
        PatchOperation::Add(_) | PatchOperation::Remove(_) | PatchOperation::Replace(_) | PatchOperation::Copy(_) => {}
    }
    let may_grow = match &operation {
        PatchOperation::Add(add) => add.value.is_object() || add.value.is_array(),
        PatchOperation::Replace(replace) => replace.value.is_object() || replace.value.is_array(),
        PatchOperation::Move(_) | PatchOperation::Copy(_) => true,
        PatchOperation::Remove(_) | PatchOperation::Test(_) => false,
    };
    json_patch::patch(model, &[operation]).map_err(|error| format!("cannot be applied: {}", error.kind))?;
    if may_grow && crate::json::depth(model, crate::json::DEPTH_LIMIT) > crate::json::DEPTH_LIMIT {
        return Err(format!("makes the model {}", crate::json::JsonError::TooDeep));
    }
    if may_grow && model.to_string().len() > LARGEST_RESULT {
        return Err(format!("makes the model larger than {LARGEST_RESULT} bytes"));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn patches_apply_fully_or_not_at_all() {
        let model = json!({"A": 1, "L": [1, 2], "O": {"x/y": {"z": true}}});
        for (document, expected) in [
            (json!([]), Ok(model.clone())),
            (
                json!([{"op": "replace", "path": "A", "value": 2}]),
                Ok(json!({"A": 2, "L": [1, 2], "O": {"x/y": {"z": true}}})),
            ),
            (
                json!([{"op": "add", "path": "/L/-", "value": 3}, {"op": "remove", "path": "/O"}]),
                Ok(json!({"A": 1, "L": [1, 2, 3]})),
            ),
            (
                json!([{"op": "test", "path": "/A", "value": 1.0}, {"op": "move", "from": "/A", "path": "/B"}]),
                Ok(json!({"B": 1, "L": [1, 2], "O": {"x/y": {"z": true}}})),
            ),
            (
                json!([{"op": "copy", "from": "/O/x~1y", "path": "/O/c"}, {"op": "remove", "path": "/O/x~1y"}]),
                Ok(json!({"A": 1, "L": [1, 2], "O": {"c": {"z": true}}})),
            ),
            (json!([{"op": "add", "path": "", "value": {"N": 1}}]), Ok(json!({"N": 1}))),
            (json!([{"op": "replace", "path": "/None", "value": 1}]), Err("(replace /None) cannot be applied")),
            (
                json!([{"op": "remove", "path": "/A"}, {"op": "test", "path": "/A", "value": 1}]),
                Err("operation 1 (test /A) failed: there is no value"),
            ),
            (json!([{"op": "test", "path": "/A", "value": "1"}]), Err("failed: the value differs")),
            (json!([{"op": "add", "path": "/L/5", "value": 1}]), Err("cannot be applied")),
            (json!([{"op": "move", "from": "/O", "path": "/O/in"}]), Err("cannot move a value into itself")),
            (json!([{"op": "frob", "path": "/A"}]), Err("not a valid operation")),
            (json!({"op": "add"}), Err("not an array")),
        ] {
            match (apply(&document.to_string(), &model), expected) {
                (Ok(patched), Ok(expected)) => assert_eq!(patched, expected, "{document}"),
                (Err(text), Err(part)) => assert!(text.contains(part), "{document}: {text}"),
                (result, expected) => assert_eq!(result, expected.map_err(str::to_owned), "{document}"),
            }
        }
    }

    #[test]
    fn a_patch_cannot_grow_a_model_without_bound() {
        let copy = r#"{"op":"copy","from":"","path":"/A"}"#;
        let document = format!("[{}]", vec![copy; 300].join(","));
        let text = apply(&document, &json!({"A": "x".repeat(1000), "B": "y".repeat(1000)}));
        assert!(matches!(&text, Err(text) if text.contains("makes the model")), "{text:?}");
        assert!(apply("not json \"secret\"", &json!({})).is_err_and(|text| !text.contains("secret")));
    }
}
