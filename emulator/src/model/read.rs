//! What a read shows of a stored model.

use crate::schema::ResourceType;
use serde_json::Value;

/// The model without write-only values, nulls, and members that became empty by leaving those out.
pub(crate) fn visible(resource: &ResourceType, model: &Value) -> Value {
    let mut visible = model.clone();
    for path in &resource.write_only {
        path.remove(&mut visible);
    }
    crate::json::prune_nulls(&mut visible);
    visible
}

/// The same of a model as the store keeps it.
pub(crate) fn visible_text(resource: &ResourceType, model: &str) -> Value {
    // The store holds what was printed here; a text that cannot be read shows nothing.
    visible(resource, &crate::json::stored(model))
}

/// The model cut down to the parts of the primary identifier, as a sparse handler shows it.
pub(crate) fn identifier_only(resource: &ResourceType, model: &Value) -> Value {
    let mut sparse = Value::Object(serde_json::Map::new());
    for path in &resource.primary_identifier {
        if let Some(value) = path.get(model) {
            path.set(&mut sparse, value.clone());
        }
    }
    sparse
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn reads_hide_what_cannot_be_read() {
        let schema = json!({
            "primaryIdentifier": ["/properties/Name"],
            "writeOnlyProperties": ["/properties/Secret", "/properties/Code/Zip", "/properties/Rules/*/Key"],
        });
        let resource = ResourceType::new("T::T::T".to_owned(), schema);
        for (stored, expected) in [
            (json!({"Name": "n", "Secret": "s"}), json!({"Name": "n"})),
            (json!({"Name": "n", "Code": {"Zip": "z"}}), json!({"Name": "n"})),
            (json!({"Name": "n", "Code": {"Zip": "z", "Size": 1}}), json!({"Name": "n", "Code": {"Size": 1}})),
            (json!({"Name": "n", "Rules": [{"Key": "k", "A": 1}]}), json!({"Name": "n", "Rules": [{"A": 1}]})),
            (json!({"Name": "n", "X": null, "Empty": {}}), json!({"Name": "n", "Empty": {}})),
        ] {
            assert_eq!(visible(&resource, &stored), expected, "{stored}");
            assert_eq!(identifier_only(&resource, &stored), json!({"Name": "n"}));
        }
    }
}
