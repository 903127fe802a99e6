//! Which operations of overlays changed the places that decided.

use super::{ExplainedCorrection, Explanation};
use crate::overlay::{Correction, Overlays};
use json_patch::PatchOperation;
use serde_json::Value;

/// The corrections of the schema that changed one of the explanation's places, in order.
pub(super) fn of(explanation: &Explanation, overlays: &Overlays) -> Vec<ExplainedCorrection> {
    let Some(cfn_type) = &explanation.cfn_type else { return Vec::new() };
    let nodes: Vec<&str> =
        explanation.steps.iter().map(|step| step.pointer.as_str()).chain(explanation.pointer.as_deref()).collect();
    let listed: Vec<&str> = explanation.marks.iter().filter_map(|mark| mark.pointer.as_deref()).collect();
    let cfn_name = explanation.cfn_name.as_deref();
    let whole = explanation.kind == "resource";
    let operations: Vec<Correction<'_>> = overlays.operations(cfn_type).collect();
    let decides = |index: usize, correction: &Correction<'_>| {
        let path = correction.operation.path().to_string();
        whole
            || nodes.iter().any(|node| touches(&path, node))
            || listed.iter().any(|entry| touches(&path, entry))
            || cfn_name.is_some_and(|name| is_about(name, values(&operations, index)))
    };
    let chosen = operations.iter().enumerate().filter(|(index, correction)| decides(*index, correction));
    chosen
        .map(|(_, Correction { place, operation, reason, link })| ExplainedCorrection {
            place: place.to_string(),
            operation: format!("{} {}", verb(operation), operation.path()),
            reason: (*reason).to_owned(),
            link: (*link).to_owned(),
        })
        .collect()
}

/// Whether an operation at `path` changes the node at `pointer` itself: it replaces what is around it, or one of its
/// keywords, but not just one of its properties.
fn touches(path: &str, pointer: &str) -> bool {
    let pointer = pointer.trim_start_matches('#');
    if let Some(inside) = path.strip_prefix(pointer) {
        return inside.is_empty() || (inside.starts_with('/') && !inside.split('/').any(|token| token == "properties"));
    }
    pointer.strip_prefix(path).is_some_and(|inside| inside.starts_with('/'))
}

/// What an operation puts into a list at the schema's root, and what the test before it says was there.
fn values<'o>(operations: &[Correction<'o>], index: usize) -> Vec<&'o Value> {
    let Some(operation) = operations.get(index).map(|correction| correction.operation) else { return Vec::new() };
    let path = operation.path().to_string();
    if path.starts_with("/properties/") || path.starts_with("/definitions/") {
        return Vec::new();
    }
    let before = index.checked_sub(1).and_then(|before| operations.get(before)).map(|correction| correction.operation);
    let tested = match before {
        Some(PatchOperation::Test(test)) if test.path.as_str() == path => Some(&test.value),
        _ => None,
    };
    let put = match operation {
        PatchOperation::Add(add) => Some(&add.value),
        PatchOperation::Replace(replace) => Some(&replace.value),
        _ => None,
    };
    tested.into_iter().chain(put).collect()
}

/// Whether a value of a list, or a whole list, names the property.
fn is_about(cfn_name: &str, values: Vec<&Value>) -> bool {
    values.into_iter().any(|value| match value {
        Value::String(text) => cfn::path::strip(text) == cfn_name || text.ends_with(&format!("/{cfn_name}")),
        Value::Array(entries) => is_about(cfn_name, entries.iter().collect()),
        _ => false,
    })
}

fn verb(operation: &PatchOperation) -> &'static str {
    match operation {
        PatchOperation::Add(_) => "add",
        PatchOperation::Remove(_) => "remove",
        PatchOperation::Replace(_) => "replace",
        PatchOperation::Move(_) => "move",
        PatchOperation::Copy(_) => "copy",
        PatchOperation::Test(_) => "test",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn an_operation_touches_what_it_is_at_around_and_keywords_of() {
        for (path, pointer, expected) in [
            ("/properties/A", "#/properties/A", true),
            ("/properties/A/type", "#/properties/A", true),
            ("/properties/A/items/type", "#/properties/A", true),
            ("/definitions/D", "#/definitions/D/properties/A", true),
            ("/definitions/D/properties/B", "#/definitions/D", false),
            ("/properties/AB", "#/properties/A", false),
            ("/properties/A", "#/properties/AB", false),
            ("/createOnlyProperties/1", "#/createOnlyProperties/1", true),
            ("/createOnlyProperties", "#/createOnlyProperties/1", true),
            ("/createOnlyProperties/2", "#/createOnlyProperties/1", false),
        ] {
            assert_eq!(touches(path, pointer), expected, "{path} {pointer}");
        }
    }

    #[test]
    fn entries_of_lists_name_properties() {
        for (value, expected) in [
            (json!("/properties/Name"), true),
            (json!("/properties/Rules/*/Name"), true),
            (json!("Name"), true),
            (json!("/properties/Names"), false),
            (json!(["A", "/properties/Name"]), true),
            (json!(1), false),
        ] {
            assert_eq!(is_about("Name", vec![&value]), expected, "{value}");
        }
    }
}
