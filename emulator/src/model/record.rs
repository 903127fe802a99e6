//! A model as the store keeps it: compact text, and digests of everything that it can be found by.

use super::identifier;
use crate::entropy::{Digest, digest};
use crate::schema::ResourceType;
use crate::store::NewResource;
use serde_json::{Map, Value};

/// A model with its identifiers.
///
/// # Errors
///
/// When the primary identifier cannot be built, or no request could hold it.
pub(crate) fn of_model(resource: &ResourceType, model: &Value) -> Result<NewResource, String> {
    let identifier = identifier::of_model(resource, model).ok_or_else(|| {
        format!(
            "{}: the primary identifier cannot be built from the model; every part must be a number, a boolean or \
             a text that is not empty",
            resource.name
        )
    })?;
    identifier::check(&identifier).map_err(|reason| format!("{}: {reason}", resource.name))?;
    let additional = resource.additional_identifiers.iter();
    let additional =
        additional.map(|paths| identifier::additional_of_model(paths, model).map(|values| of_values(&values)));
    Ok(NewResource {
        identifier: identifier.into(),
        model: model.to_string().into(),
        additional: additional.collect(),
        list_key: model.as_object().and_then(|members| list_key(resource, members)),
        haunted: None,
    })
}

/// A digest of the values of an additional identifier.
pub(crate) fn of_values(values: &[Value]) -> Digest {
    let texts: Vec<String> = values.iter().map(Value::to_string).collect();
    digest(&texts.iter().map(String::as_str).collect::<Vec<_>>())
}

/// A digest of the values that the list handler of a type asks for, when all of them are there and texts or booleans.
///
/// Numbers can be written in more than one way, so lists by a number look at every resource. Inputs that are no
/// properties do not count.
pub(crate) fn list_key(resource: &ResourceType, members: &Map<String, Value>) -> Option<Digest> {
    let required = resource.list_schema()?.get("required")?.as_array()?;
    let properties = resource.schema.get("properties")?;
    let names = required.iter().filter_map(Value::as_str).filter(|name| properties.get(*name).is_some());
    let values: Option<Vec<Value>> =
        names.map(|name| members.get(name).filter(|value| value.is_string() || value.is_boolean()).cloned()).collect();
    let values = values.filter(|values| !values.is_empty())?;
    Some(of_values(&values))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn models_are_found_by_every_identifier_and_by_what_lists_ask_for() {
        let schema = json!({
            "properties": {"Id": {}, "Api": {}, "Arn": {}},
            "primaryIdentifier": ["/properties/Id"],
            "additionalIdentifiers": [["/properties/Arn"]],
            "handlers": {"list": {"handlerSchema": {"required": ["Api", "NoProperty"]}}},
        });
        let resource = ResourceType::new("A::B::C".to_owned(), schema);
        let made = |model: Value| of_model(&resource, &model);
        let full = made(json!({"Id": "i", "Api": "a", "Arn": "r"})).unwrap();
        assert_eq!((&*full.identifier, &*full.model), ("i", r#"{"Api":"a","Arn":"r","Id":"i"}"#));
        assert_eq!(*full.additional, [Some(of_values(&[json!("r")]))]);
        let asked = json!({"Api": "a", "NoProperty": 1});
        assert_eq!(full.list_key, list_key(&resource, asked.as_object().unwrap()));
        assert!(full.list_key.is_some());
        let bare = made(json!({"Id": "i", "Api": 5})).unwrap();
        assert_eq!((&*bare.additional, bare.list_key), (&[None][..], None));
        assert!(made(json!({"Id": "i".repeat(1025)})).is_err_and(|text| text.contains("1025 characters")));
        assert!(made(json!({"Api": "a"})).is_err_and(|text| text.contains("primary identifier")));
    }
}
