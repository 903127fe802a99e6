//! Reading whole schemas: what is understood, what is tolerated, what is refused.
#![allow(clippy::unwrap_used)] // A test that cannot read its own schema has failed.

use cfn::schema::{AdditionalProperties, JsonType, ReplacementStrategy};
use cfn::{ResourceSchema, SchemaError};
use serde_json::{Value, json};

fn schema(mut document: Value) -> ResourceSchema {
    document["typeName"] = json!("AWS::Zoo::Cage");
    ResourceSchema::from_value(document).unwrap()
}

#[test]
fn the_root_is_understood() {
    let cage = schema(json!({
        "description": "A cage.",
        "properties": {"Id": {"type": "string"}, "Tags": {"type": "array", "items": {"type": "object"}}},
        "required": "Id",
        "readOnlyProperties": ["/properties/Id"],
        "primaryIdentifier": ["/properties/Id"],
        "additionalIdentifiers": [["/properties/Arn"]],
        "handlers": {
            "create": {"permissions": ["zoo:CreateCage"], "timeoutInMinutes": 30},
            "read": {}, "delete": {},
            "list": {"handlerSchema": {"required": ["ZooId"]}}
        },
        "tagging": {"tagProperty": "/properties/Tags", "tagUpdatable": false},
        "propertyTransform": {"/properties/Id": "$lowercase(Id)", "/properties/Odd": 1},
        "replacementStrategy": "delete_then_create",
        "neverHeardOf": [1]
    }));
    assert_eq!(cage.type_name.resource(), "Cage");
    assert_eq!(cage.required, ["Id"]);
    assert_eq!(cage.read_only[0].to_sdk_path(), "awsId");
    assert_eq!(cage.additional_identifiers[0][0].head(), Some("Arn"));
    assert!(cage.handlers.is_provisionable() && cage.handlers.update.is_none());
    let create = cage.handlers.create.as_ref().unwrap();
    assert_eq!((create.timeout_minutes, create.permissions.as_slice()), (Some(30), &["zoo:CreateCage".to_owned()][..]));
    assert_eq!(cage.handlers.list.unwrap().handler_schema, Some(json!({"required": ["ZooId"]})));
    let tagging = cage.tagging.unwrap();
    assert!(tagging.taggable && tagging.tag_on_create && !tagging.tag_updatable);
    assert_eq!(cage.property_transforms, [("/properties/Id".to_owned(), "$lowercase(Id)".to_owned())]);
    assert_eq!(cage.replacement_strategy, Some(ReplacementStrategy::DeleteThenCreate));
}

#[test]
fn both_forms_of_exclusive_bounds_mean_the_same() {
    let cage = schema(json!({"properties": {
        "New": {"type": "number", "exclusiveMinimum": 1, "exclusiveMaximum": 9.5},
        "Old": {"type": "number", "minimum": 1, "exclusiveMinimum": true, "maximum": 9.5, "exclusiveMaximum": true},
        "Off": {"type": "number", "minimum": 1, "exclusiveMinimum": false}
    }}));
    assert_eq!(cage.properties.get("New"), cage.properties.get("Old"));
    let off = cage.properties.get("Off").unwrap().constraints.as_ref().unwrap();
    assert_eq!((off.minimum.clone(), off.exclusive_minimum.clone()), (Some(1.into()), None));
}

#[test]
fn shapes_that_schemas_vary_are_tolerated() {
    let cage = schema(json!({"properties": {
        "Pair": {"items": [{"type": "string"}, {"type": "integer"}]},
        "Either": {"type": ["string", "object"], "required": "A"},
        "Open": {"additionalProperties": true},
        "Closed": {"additionalProperties": false},
        "Map": {"additionalProperties": {"type": "string"}},
        "Always": true,
        "Long": {"type": "string", "maxLength": 12.9}
    }}));
    let get = |name: &str| cage.properties.get(name).unwrap();
    assert_eq!(get("Pair").items.len(), 2);
    assert_eq!(get("Either").types.iter().collect::<Vec<_>>(), [JsonType::String, JsonType::Object]);
    assert_eq!(get("Open").additional_properties, AdditionalProperties::Any);
    assert_eq!(get("Closed").additional_properties, AdditionalProperties::None);
    assert!(get("Map").map_value().is_some());
    assert!(get("Always").types.is_empty());
    assert_eq!(get("Long").max_length(), Some(12));
}

#[test]
fn what_is_wrong_is_named_with_its_place() {
    for (document, text) in [
        ("nonsense", "the schema is no JSON: expected ident at line 1 column 2"),
        ("[]", "the schema is an array, not an object"),
        (
            "{}",
            "the schema has no typeName of the form Organization::Service::Resource, each part of 2 to 64 letters and digits (found nothing)",
        ),
        (
            r#"{"typeName": "Bucket"}"#,
            r#"the schema has no typeName of the form Organization::Service::Resource, each part of 2 to 64 letters and digits (found "Bucket")"#,
        ),
        (
            r#"{"typeName": "AWS::Zoo::Cage", "properties": {"A/B": {"type": "text"}}}"#,
            r#"AWS::Zoo::Cage at #/properties/A~1B/type: unknown type "text""#,
        ),
        (
            r#"{"typeName": "AWS::Zoo::Cage", "definitions": {"A": {"oneOf": [{"required": true}]}}}"#,
            "AWS::Zoo::Cage at #/definitions/A/oneOf/0/required: expected an array of strings, found a boolean",
        ),
        (
            r#"{"typeName": "AWS::Zoo::Cage", "properties": {"A": {"$ref": 1}}}"#,
            "AWS::Zoo::Cage at #/properties/A/$ref: expected a string, found a number",
        ),
        (
            r#"{"typeName": "AWS::Zoo::Cage", "handlers": {"list": []}}"#,
            "AWS::Zoo::Cage at #/handlers/list: expected an object, found an array",
        ),
    ] {
        let error = ResourceSchema::from_slice(document.as_bytes()).unwrap_err();
        assert_eq!(error.to_string(), text, "{document}");
        assert_eq!(error.type_name().is_some(), matches!(error, SchemaError::Keyword { .. }));
    }
}

#[test]
fn a_document_nested_without_end_is_refused() {
    let mut node = json!({});
    for _ in 0..150 {
        node = json!({"items": node});
    }
    let document = json!({"typeName": "AWS::Zoo::Cage", "properties": {"A": node}});
    let error = ResourceSchema::from_value(document).unwrap_err();
    assert!(error.to_string().ends_with(": nested deeper than 100 levels"), "{error}");
}

#[test]
fn sloppy_pointers_are_understood() {
    let cage = schema(json!({
        "definitions": {
            "Rule": {"type": "object", "properties": {"Id": {"type": "string"}, "Next": {"$ref": "#/definitions/Rule"}}},
            "Pick": {"oneOf": [{"properties": {"Left": {"type": "string"}}}, {"$ref": "#/definitions/Rule"}]}
        },
        "properties": {
            "Rules": {"type": "array", "items": {"$ref": "#/definitions/Rule"}},
            "Map": {"patternProperties": {".*": {"$ref": "#/definitions/Rule"}}},
            "Encryption": {"type": "object", "properties": {"KeyArn": {}, "properties": {}}},
            "Pick": {"$ref": "#/definitions/Pick"}
        }
    }));
    for (pointer, meant) in [
        ("/properties/Rules/*/Id", "/properties/Rules/*/Id"),
        ("/properties/Rules/Id", "/properties/Rules/*/Id"),
        ("/properties/Rules/items/properties/Id", "/properties/Rules/*/Id"),
        ("/properties/Rules/*/Next/Next/Id", "/properties/Rules/*/Next/Next/Id"),
        ("/properties/Map/Id", "/properties/Map/*/Id"),
        ("/properties/Encryption.KeyArn", "/properties/Encryption/KeyArn"),
        ("/properties/Encryption/properties/KeyArn", "/properties/Encryption/properties/KeyArn"),
        ("/properties/Pick/Left", "/properties/Pick/Left"),
        ("/properties/Pick/Id", "/properties/Pick/Id"),
        ("/properties/Nowhere/To/Go", "/properties/Nowhere/To/Go"),
        ("properties/Rules", "/properties/Rules"),
        ("/definitions/Rule/properties/Id", "/properties/definitions/Rule/properties/Id"),
    ] {
        assert_eq!(cage.understand(pointer).to_string(), meant, "{pointer}");
    }
    assert_eq!(cage.nodes_at(&cage.understand("/properties/Pick/Id")).len(), 1);
    assert!(cage.nodes_at(&cage.understand("/properties/Nowhere")).is_empty());
}

#[test]
fn references_are_followed_but_not_in_circles() {
    let cage = schema(json!({
        "definitions": {
            "A": {"$ref": "#/definitions/B"}, "B": {"type": "string"},
            "Loop": {"$ref": "#/definitions/Pool"}, "Pool": {"$ref": "#/definitions/Loop"}
        },
        "properties": {
            "Good": {"$ref": "#/definitions/A"}, "Bad": {"$ref": "#/definitions/Loop"},
            "Gone": {"$ref": "#/properties/Good"}
        }
    }));
    let resolve = |name: &str| cage.resolve(cage.properties.get(name).unwrap());
    assert_eq!(resolve("Good").and_then(|node| node.types.only()), Some(JsonType::String));
    assert!(resolve("Bad").is_none() && resolve("Gone").is_none());
}
