//! Examples in the descriptions of resources: what AWS would accept, and what the report says where that fails.

mod common;

use common::run;
use serde_json::{Value, json};

/// The lines of the example's inputs.
fn inputs(document: &Value) -> Vec<String> {
    let output = run([document.clone()]);
    let description = output.package.resources["aws-native:zoo:Cage"].description.as_deref().unwrap_or_default();
    let program = description.split("```yaml\n").nth(1).and_then(|rest| rest.split("```").next()).unwrap_or_default();
    program.lines().skip(4).map(|line| line.trim_start().to_owned()).collect()
}

fn document() -> Value {
    json!({
        "typeName": "AWS::Zoo::Cage",
        "required": ["Action", "Code", "Keys"],
        "properties": {
            "Action": {"type": "object", "oneOf": [{"required": ["Allow"]}, {"required": ["Block"]}], "properties": {
                "Allow": {"$ref": "#/definitions/Allow"}, "Block": {"$ref": "#/definitions/Allow"}}},
            "Code": {"type": "string", "pattern": "^zoo:[0-9]{3}(-[A-F])?$"},
            "Keys": {"type": "object", "additionalProperties": false, "patternProperties": {"^k[0-9]{2}$": {"type": "string"}}},
            "Large": {"type": "boolean"},
            "Made": {"type": "string"},
            "Small": {"type": "boolean"}
        },
        "definitions": {"Allow": {"type": "object", "properties": {"Why": {"type": "string"}}}},
        "readOnlyProperties": ["/properties/Made"],
        "primaryIdentifier": ["/properties/Made"]
    })
}

#[test]
fn alternatives_groups_and_patterns_are_satisfied() {
    let mut document = document();
    let without_groups = ["action:", "allow: {}", "code: \"zoo:012\"", "keys:", "k01: example"];
    assert_eq!(inputs(&document), without_groups);
    document["requiredXor"] = json!(["Made", "Small", "Large"]);
    assert_eq!(inputs(&document), [&without_groups[..], &["small: true"]].concat());
    document["anyOf"] = json!([{"required": ["Large"]}, {"required": ["Small"]}]);
    let examples = run([document.clone()]).report.examples;
    assert_eq!((examples.valid, examples.break_rules.len()), (1, 0), "{examples:?}");
}

#[test]
fn an_object_of_optional_objects_is_a_choice() {
    let mut document = document();
    if let Some(action) = document["properties"]["Action"].as_object_mut() {
        action.remove("oneOf");
    }
    assert_eq!(inputs(&document)[..2], ["action:", "allow: {}"]);
    document["properties"]["Action"]["properties"]["Block"] = json!({"type": "string"});
    assert_eq!(inputs(&document)[0], "action: {}");
}

#[test]
fn what_an_example_breaks_is_reported() {
    let mut document = document();
    document["properties"]["Code"] = json!({"type": "string", "pattern": "^(?=b)a$"});
    let examples = run([document.clone()]).report.examples;
    assert_eq!(examples.break_patterns["aws-native:zoo:Cage"], ["code"]);
    document["requiredOr"] = json!(["Made"]);
    let examples = run([document]).report.examples;
    assert_eq!(examples.break_rules["aws-native:zoo:Cage"], [": requiredOr"]);
    assert_eq!((examples.valid, examples.without.len()), (0, 0));
}

#[test]
fn c82_marks_stand_on_members_of_alternatives_too() {
    let document = json!({
        "typeName": "AWS::Zoo::Cage",
        "properties": {"Lock": {"$ref": "#/definitions/Lock"}},
        "definitions": {"Lock": {
            "type": "object",
            "properties": {"Own": {"type": "string"}},
            "oneOf": [{"properties": {"Key": {"type": "string"}}}]
        }},
        "writeOnlyProperties": ["/properties/Lock/Key", "/properties/Lock/Own"]
    });
    let output = run([document]);
    let codegen::package::TypeDefinition::Object(lock) = &output.package.types["aws-native:zoo:CageLock"] else {
        unreachable!("a definition with properties is an object")
    };
    for name in ["own", "key"] {
        let text = lock.properties.get(name).unwrap().description.as_deref().unwrap_or_default();
        assert!(text.ends_with("Write-only: cannot be read back."), "{name}: {text}");
    }
}

#[test]
fn lists_of_lists_have_no_example_and_a_reason() {
    let mut document = document();
    let to = |index: usize| json!({"$ref": format!("#/definitions/D{index}")});
    for index in 0..20 {
        document["definitions"][format!("D{index}")] = json!({"type": "array", "minItems": 10, "items": to(index + 1)});
    }
    document["definitions"]["D20"] = json!({"type": "string", "minLength": 500});
    document["required"] = json!(["Deep"]);
    document["properties"]["Deep"] = to(0);
    let output = run([document.clone()]);
    let reason = &output.report.examples.without["aws-native:zoo:Cage"];
    assert!(reason.starts_with("the required inputs take more than 65536 bytes: "), "{reason}");
    assert_eq!(inputs(&document), [""; 0]);

    // The same of objects, each with ten required members.
    let names: Vec<String> = (0..10).map(|index| format!("M{index}")).collect();
    for index in 0..5 {
        let members: serde_json::Map<String, Value> = names.iter().map(|name| (name.clone(), to(index + 1))).collect();
        document["definitions"][format!("D{index}")] =
            json!({"type": "object", "required": names, "properties": members});
    }
    document["definitions"]["D5"] = json!({"type": "string"});
    let output = run([document]);
    assert!(output.report.examples.without.contains_key("aws-native:zoo:Cage"), "{:?}", output.skips);
}
