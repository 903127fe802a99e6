//! Whole models: which values are made, from which source, and which are left out.

#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use super::context::Context;
use super::{complete, touch};
use crate::overrides::Knowledge;
use crate::schema::ResourceType;
use crate::schema::patterns::Patterns;
use crate::scope::Scope;
use serde_json::{Value, json};
use std::time::{Duration, SystemTime};

/// Completes a desired state of a type that is made of `schema`, at a fixed time.
fn completed(type_name: &str, schema: &Value, desired: &Value) -> (ResourceType, Value) {
    let resource = ResourceType::new(type_name.to_owned(), schema.clone());
    let mut model = desired.clone();
    with_context(&resource, 0, |patterns, context| complete(&resource, patterns, context, &mut model));
    (resource, model)
}

fn with_context(resource: &ResourceType, later: u64, act: impl FnOnce(&Patterns, &Context<'_>)) {
    let (knowledge, scope) = (Knowledge::load().unwrap(), Scope::new("123456789012", "eu-west-1"));
    let now = SystemTime::UNIX_EPOCH + Duration::from_secs(1_767_225_600 + later);
    let context = Context::new(&knowledge, &scope, &resource.name, (1, &Value::Null, 0), now);
    act(&Patterns::default(), &context);
}

#[test]
fn sources_are_asked_in_order() {
    let check = |name: &str, node: Value, is_right: &dyn Fn(&Value) -> bool| {
        let schema = json!({
            "properties": {name: node, "Name": {"type": "string"}},
            "primaryIdentifier": ["/properties/Name"],
            "readOnlyProperties": [format!("/properties/{name}")],
        });
        let (_, model) = completed("AWS::Test::Thing", &schema, &json!({"Name": "n"}));
        assert!(is_right(&model[name]), "{name} {node}: {model}");
    };
    let text = |expected: &'static str| move |value: &Value| value == expected;
    let like = |start: &'static str| move |value: &Value| value.as_str().is_some_and(|text| text.starts_with(start));
    // What the data files say about a name goes before its pattern only where the pattern accepts it.
    check("VpcId", json!({"type": "string"}), &like("vpc-"));
    check("VpcId", json!({"type": "string", "pattern": "^net-[0-9]{4}$"}), &like("net-"));
    check("Kind", json!({"type": "string", "const": "fixed"}), &text("fixed"));
    check("State", json!({"type": "string", "enum": ["CREATING", "ACTIVE"]}), &text("ACTIVE"));
    check("Mode", json!({"type": "string", "enum": ["ON", "OFF"]}), &text("ON"));
    check("Tier", json!({"type": "string", "default": "basic"}), &text("basic"));
    check("Code", json!({"type": "string", "pattern": "^c-[0-9]{6}$"}), &like("c-"));
    check("Moment", json!({"type": "string", "format": "date-time"}), &text("2026-01-01T00:00:00.000Z"));
    check("CreatedAt", json!({"type": "string"}), &text("2026-01-01T00:00:00.000Z"));
    check("CreationTime", json!({"type": "integer"}), &|value| value == 1_767_225_600);
    check("AccountId", json!({"type": "string"}), &text("123456789012"));
    check("Version", json!({"type": "string"}), &text("1"));
    check("Anything", json!({"type": "string"}), &like("thing-"));
    check("ThingArn", json!({"type": "string"}), &text("arn:aws:test:eu-west-1:123456789012:thing/n"));
}

#[test]
fn lists_are_left_out_and_objects_are_small() {
    let deep = json!({"type": "object", "required": ["Next"], "properties": {"Next": {"$ref": "#/definitions/Deep"}}});
    let shallow = json!({"type": "object", "required": ["A"], "properties": {
        "A": {"type": "object", "required": ["B"], "properties": {"B": {"type": "string"}, "C": {"type": "string"}}},
        "D": {"type": "string"}}});
    let schema = json!({
        "definitions": {"Deep": deep},
        "properties": {
            "Name": {"type": "string"},
            "Items": {"type": "array", "items": {"type": "string"}, "minItems": 1},
            "Endless": {"$ref": "#/definitions/Deep"},
            "Small": shallow,
            "FailureReason": {"type": "string"},
        },
        "primaryIdentifier": ["/properties/Name"],
        "readOnlyProperties": ["/properties/Items", "/properties/Endless", "/properties/Small", "/properties/FailureReason"],
    });
    let (_, model) = completed("AWS::Test::Thing", &schema, &json!({"Name": "n"}));
    assert_eq!(model.as_object().unwrap().keys().collect::<Vec<_>>(), ["Name", "Small"], "{model}");
    assert!(model["Small"]["A"]["B"].is_string() && model["Small"].get("D").is_none(), "{model}");
    assert!(model["Small"]["A"].get("C").is_none(), "{model}");
}

#[test]
fn elements_keep_their_values_when_they_move() {
    let schema = json!({
        "properties": {
            "Name": {"type": "string"},
            "Rules": {"type": "array", "items": {"type": "object", "properties": {
                "Port": {"type": "integer"}, "RuleId": {"type": "string"}}}},
        },
        "primaryIdentifier": ["/properties/Name"],
        "readOnlyProperties": ["/properties/Rules/*/RuleId"],
    });
    let made = |rules: Value| {
        let desired = json!({"Name": "n", "Rules": rules});
        completed("AWS::Test::Thing", &schema, &desired).1["Rules"].clone()
    };
    let first = made(json!([{"Port": 1}, {"Port": 2}]));
    let moved = made(json!([{"Port": 2}, {"Port": 3}, {"Port": 1}]));
    assert_eq!((&first[0], &first[1]), (&moved[2], &moved[0]));
    assert_ne!(moved[1]["RuleId"], first[0]["RuleId"]);
}

#[test]
fn updates_move_what_changes_and_nothing_else() {
    let schema = json!({
        "properties": {
            "Name": {"type": "string"}, "Rules": {"type": "array", "items": {"type": "string"}},
            "Id": {"type": "string"}, "Version": {"type": "integer"}, "LatestVersion": {"type": "string"},
            "EngineVersion": {"type": "string"}, "CreatedAt": {"type": "string"}, "UpdatedAt": {"type": "string"},
            "LastModifiedTime": {"type": "integer"}, "RuleCount": {"type": "integer"}, "ETag": {"type": "string"},
        },
        "primaryIdentifier": ["/properties/Id"],
        "readOnlyProperties": ["/properties/Id", "/properties/Version", "/properties/LatestVersion", "/properties/RuleCount",
            "/properties/EngineVersion", "/properties/CreatedAt", "/properties/UpdatedAt", "/properties/LastModifiedTime",
            "/properties/ETag"],
    });
    let (resource, before) = completed("AWS::Test::Thing", &schema, &json!({"Name": "n", "Rules": ["a"]}));
    assert_eq!(
        (&before["Version"], &before["LatestVersion"], &before["RuleCount"]),
        (&json!(1), &json!("1"), &json!(1))
    );
    let mut after = before.clone();
    after["Rules"] = json!(["a", "b"]);
    with_context(&resource, 60, |patterns, context| touch(&resource, patterns, context, &mut after));
    for stays in ["Id", "Name", "EngineVersion", "CreatedAt"] {
        assert_eq!(after[stays], before[stays], "{stays}");
    }
    assert_eq!((&after["Version"], &after["LatestVersion"], &after["RuleCount"]), (&json!(2), &json!("2"), &json!(2)));
    assert_eq!(after["UpdatedAt"], "2026-01-01T00:01:00.000Z");
    assert_eq!(after["LastModifiedTime"], 1_767_225_660);
    assert_ne!(after["ETag"], before["ETag"]);
}
