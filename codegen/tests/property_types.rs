//! Which type a property's schema becomes, and what the types found inside are called.

mod common;

use common::{cage, members, output_type, run, zoo_types};
use serde_json::{Value, json};

/// Checks the type of the only property and the names of all types that came with it.
#[track_caller]
fn check(property: &str, schema: Value, definitions: Value, expected: &str, types: &[&str]) {
    let output = run([cage(json!({property: schema}), definitions)]);
    assert!(output.skips.is_empty(), "{:?}", output.skips);
    let sdk_name = cfn::naming::to_sdk(property);
    assert_eq!(output_type(&output, &sdk_name), expected);
    assert_eq!(zoo_types(&output), types);
}

fn to(name: &str) -> Value {
    json!({"$ref": format!("#/definitions/{name}")})
}

#[test]
fn enums_are_named_after_where_they_stand() {
    let mode = || json!({"type": "string", "enum": ["A", "B"]});
    check("Mode", mode(), json!({}), "ref CageMode", &["CageMode"]);
    check("CageSize", mode(), json!({}), "ref CageSize", &["CageSize"]);
    check("Ports", json!({"type": "array", "items": mode()}), json!({}), "[ref CagePortsItem]", &["CagePortsItem"]);
    check(
        "Opts",
        json!({"properties": {"Inner": {"properties": {"K": mode()}}}}),
        json!({}),
        "ref OptsProperties",
        &["CageOptsPropertiesInnerPropertiesK", "OptsProperties", "OptsPropertiesInnerProperties"],
    );
    check("Color", to("Color"), json!({"Color": mode()}), "ref CageColor", &["CageColor"]);
    check("Level", json!({"type": "integer", "enum": [1, 2]}), json!({}), "integer", &[]);
    check("Loose", json!({"enum": ["a"]}), json!({}), "any", &[]);
}

#[test]
fn definitions_are_named_with_the_resource() {
    let object = || json!({"type": "object", "properties": {"A": {"type": "string"}}});
    check("Bar", to("Bar"), json!({"Bar": object()}), "ref CageBar", &["CageBar"]);
    check("Lock", to("CageLock"), json!({"CageLock": object()}), "ref CageLock", &["CageLock"]);
    // The prefixed name belongs to another definition.
    check("Bar", to("Bar"), json!({"Bar": object(), "CageBar": object()}), "ref Bar", &["Bar"]);
    check("Names", to("Names"), json!({"Names": {"type": "array", "items": {"type": "string"}}}), "[string]", &[]);
    check("Blob", to("Blob"), json!({"Blob": {"type": "object"}}), "ref CageBlob", &["CageBlob"]);
    check("Text", to("Text"), json!({"Text": {"type": ["string", "object"]}}), "any", &[]);
    check("Gone", to("Gone"), json!({}), "any", &[]);
    check("Other", json!({"$ref": "#/properties/Other"}), json!({}), "any", &[]);
    let patterns = json!({"type": "object", "patternProperties": {"a": {}, "b": {}}});
    check("Two", to("Two"), json!({"Two": patterns}), "ref CageTwo", &["CageTwo"]);
}

#[test]
fn inline_objects_have_no_prefix() {
    let schema = json!({"properties": {
        "Inner": {"properties": {"K": {"type": "string"}}},
        "List": {"type": "array", "items": {"properties": {"V": {"type": "string"}}}}}});
    let types = ["OptsProperties", "OptsPropertiesInnerProperties", "OptsPropertiesListItemProperties"];
    check("Opts", schema, json!({}), "ref OptsProperties", &types);
    check("Free", json!({"type": "object"}), json!({}), "any", &[]);
}

#[test]
fn maps_and_their_limit() {
    let map = |value: Value| json!({"type": "object", "patternProperties": {".*": value}});
    let array = |items: Value| json!({"type": "array", "items": items});
    let text = || json!({"type": "string"});
    let inline = || json!({"properties": {"A": {"type": "string"}}});
    check("Lock", to("Lock"), json!({"Lock": map(inline())}), "{ref LockValueProperties}", &["LockValueProperties"]);
    let bar = json!({"type": "object", "properties": {}});
    check("M1", to("M"), json!({"M": map(array(to("Bar"))), "Bar": bar}), "{any}", &["CageBar"]);
    check("M2", to("M"), json!({"M": map(map(array(text())))}), "{{[string]}}", &[]);
    check("M3", to("M"), json!({"M": map(map(map(array(text()))))}), "{any}", &[]);
    check("M4", to("M"), json!({"M": map(to("Bar")), "Bar": bar}), "{ref CageBar}", &["CageBar"]);
    // The limit does not hold for maps in place.
    check("M5", map(map(map(array(text())))), json!({}), "{{{[string]}}}", &[]);
    check("M6", json!({"additionalProperties": text()}), json!({}), "{string}", &[]);
    check("M7", json!({"type": "object", "patternProperties": {"a": {}, "b": {}}}), json!({}), "any", &[]);
}

#[test]
fn type_lists() {
    for (types, expected) in [
        (json!(["integer", "string"]), "(integer|string)"),
        (json!(["boolean", "null"]), "(boolean|any)"),
        (json!(["object", "string"]), "any"),
        (json!(["string", "array"]), "[any]"),
        (json!("null"), "any"),
        (json!([]), "any"),
    ] {
        check("Pick", json!({"type": types}), json!({}), expected, &[]);
    }
    check("Pick", json!({"type": ["string", "array"], "items": {"type": "string"}}), json!({}), "[string]", &[]);
    check("Pick", json!({"type": "array"}), json!({}), "[any]", &[]);
    check("Pick", json!({"allOf": [{"type": "string"}]}), json!({}), "any", &[]);
}

#[test]
fn unions() {
    let definitions = || {
        json!({
            "Bar": {"type": "object", "properties": {"A": {"type": "string"}}},
            "CageLock": {"type": "object", "properties": {"B": {"type": "string"}}}
        })
    };
    let a = json!({"properties": {"A": {"type": "string"}}});
    let b = json!({"properties": {"B": {"type": "string"}}});
    let text = json!({"type": "string"});
    for (schema, expected, types) in [
        (json!({"oneOf": [text, {"type": "integer"}]}), "(string|integer)", &[][..]),
        (json!({"type": "string", "anyOf": [{"pattern": "a"}, {"pattern": "b"}]}), "string", &[]),
        (json!({"type": "object", "anyOf": [{"required": ["A"]}, {"required": ["B"]}]}), "any", &[]),
        (json!({"oneOf": [a, text]}), "(ref PickProperties|string)", &["Pick0Properties", "PickProperties"]),
        (
            json!({"oneOf": [a, b]}),
            "(ref Pick0Properties|ref Pick1Properties)",
            &["Pick0Properties", "Pick1Properties"],
        ),
        (
            json!({"anyOf": [{"type": "string", "enum": ["X"]}, text]}),
            "(ref CagePick|string)",
            &["CagePick", "CagePick0"],
        ),
        (
            json!({"oneOf": [{"$ref": "#/definitions/Bar"}, {"$ref": "#/definitions/CageLock"}]}),
            "(ref CageBar|ref CageLock)",
            &["CageBar", "CageLock"],
        ),
        (json!({"oneOf": [a]}), "ref PickProperties", &["Pick0Properties", "PickProperties"]),
        // A node with properties in place is nothing but them.
        (json!({"properties": {"A": {}}, "oneOf": [a, b]}), "ref PickProperties", &["PickProperties"]),
    ] {
        check("Pick", schema, definitions(), expected, types);
    }
}

#[test]
fn unions_of_objects_in_definitions_become_one_object() {
    let union = json!({"type": "object", "oneOf": [
        {"properties": {"Cage": {"type": "string"}}, "required": ["Cage"]},
        {"properties": {"Field": {"type": "integer"}}, "required": ["Field"]}]});
    let output = run([cage(json!({"Home": to("Home")}), json!({"Home": union}))]);
    assert_eq!(output_type(&output, "home"), "ref CageHome");
    assert_eq!(members(&output, "CageHome"), ["cage string", "field integer"]);

    let choice = json!({"type": "object", "properties": {"A": {"type": "string"}}, "required": ["A"],
        "oneOf": [{"required": ["A"]}, {"required": ["B"]}]});
    let output = run([cage(json!({"Home": to("Home")}), json!({"Home": choice}))]);
    assert_eq!(members(&output, "CageHome"), ["a! string"]);

    let conflict = json!({"type": "object", "oneOf": [
        {"properties": {"A": {"type": "string"}}}, {"properties": {"A": {"type": "integer"}}}]});
    check(
        "Home",
        to("Home"),
        json!({"Home": conflict}),
        "(ref CageHome0Properties|ref CageHome1Properties)",
        &["CageHome0Properties", "CageHome1Properties"],
    );
}

#[test]
fn an_object_may_contain_itself() {
    let rule = json!({"type": "object", "properties": {
        "Next": to("Rule"), "All": {"type": "array", "items": to("Rule")}}});
    let output = run([cage(json!({"Rule": to("Rule")}), json!({"Rule": rule}))]);
    assert_eq!(members(&output, "CageRule"), ["all [ref CageRule]", "next ref CageRule"]);
}
