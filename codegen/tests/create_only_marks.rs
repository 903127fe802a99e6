//! Where `replaceOnChanges` stands, and where published SDKs lack it.

mod common;

use common::{members, run, view};
use serde_json::{Value, json};

fn document(create_only: Value) -> Value {
    json!({
        "typeName": "AWS::Zoo::Cage",
        "definitions": {
            "Bar": {"type": "object", "properties": {"A": {"type": "string"}, "In": {"properties": {"B": {"type": "string"}}}}}
        },
        "properties": {
            "Id": {"type": "string"},
            "Bar": {"$ref": "#/definitions/Bar"},
            "Bars": {"type": "array", "items": {"$ref": "#/definitions/Bar"}},
            "Opts": {"properties": {"K": {"type": "string"}}},
            "Map": {"patternProperties": {".*": {"$ref": "#/definitions/Bar"}}}
        },
        "primaryIdentifier": ["/properties/Id"],
        "createOnlyProperties": create_only
    })
}

#[test]
fn marks_are_set_at_the_end_of_a_path() {
    for (path, name, expected) in [
        ("/properties/Bar/A", "CageBar", &["a* string", "in ref CageBarInProperties"][..]),
        ("/properties/Bars/*/A", "CageBar", &["a* string", "in ref CageBarInProperties"]),
        ("/properties/Bar/In", "CageBar", &["a string", "in* ref CageBarInProperties"]),
        // Below a definition, the getter does not make inline types anew.
        ("/properties/Bar/In/B", "CageBarInProperties", &["b* string"]),
        // At top level it does, and the mark is gone.
        ("/properties/Opts/K", "OptsProperties", &["k string"]),
    ] {
        let output = run([document(json!([path]))]);
        assert_eq!(members(&output, name), expected, "{path}");
    }
}

#[test]
fn a_mark_below_a_property_that_no_getter_returns_stays() {
    let output = run([document(json!(["/properties/Opts/K", "/properties/Opts"]))]);
    assert_eq!(members(&output, "OptsProperties"), ["k* string"]);
}

#[test]
fn paths_that_cannot_be_marked_are_reported_and_still_known() {
    let output = run([document(json!(["/properties/Map/*/A", "/properties/Id", "/properties/Gone"]))]);
    let unmarked = &output.report.unmarked_create_only["aws-native:zoo:Cage"];
    assert_eq!(unmarked, &["gone", "id", "map/*/a"]);
    assert_eq!(view(&output, "AWS::Zoo::Cage").create_only, ["awsId", "gone", "map/*/a"]);
}
