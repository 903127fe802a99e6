//! Nested types that several resources of a module share by name.
#![allow(clippy::unwrap_used)] // A test that cannot find what it asks for has failed.

mod common;

use codegen::package::TypeDefinition;
use common::{members, run, view};
use metadata::model::Type;
use serde_json::{Value, json};

fn resource(name: &str, properties: Value) -> Value {
    json!({"typeName": format!("AWS::Zoo::{name}"), "properties": properties})
}

#[test]
fn the_last_resource_by_name_decides_what_is_published() {
    let a = resource("Ant", json!({"Opts": {"properties": {"Legs": {"type": "integer"}}}}));
    let b = resource("Bee", json!({"Opts": {"properties": {"Wings": {"type": "integer"}}}}));
    for documents in [[a.clone(), b.clone()], [b, a]] {
        let output = run(documents);
        assert_eq!(members(&output, "OptsProperties"), ["wings integer"]);
        // The provider knows each resource's own members nevertheless.
        let ant = view(&output, "AWS::Zoo::Ant");
        assert_eq!(ant.types[0].token, "aws-native:zoo:OptsProperties");
        assert_eq!(ant.types[0].properties[0].cfn_name, "Legs");
        assert_eq!(view(&output, "AWS::Zoo::Bee").types[0].properties[0].cfn_name, "Wings");
    }
}

#[test]
fn an_enum_with_other_members_gets_a_name_of_its_own() {
    let values = |values: Value| json!({"type": "string", "enum": values});
    let ant = resource("Ant", json!({"HillMode": values(json!(["A", "B"]))}));
    // `AntHill` plus `Mode` makes the same name as `Ant` plus `HillMode`.
    let hill = resource("AntHill", json!({"Mode": values(json!(["C"]))}));
    let output = run([ant, hill]);
    let renamed = output.report.renamed_types.iter().next().unwrap();
    assert_eq!(renamed, (&"aws-native:zoo:AntHillMode".to_owned(), &"aws-native:zoo:AntHillModeEnum".to_owned()));
    for (token, count) in [("aws-native:zoo:AntHillMode", 2), ("aws-native:zoo:AntHillModeEnum", 1)] {
        let TypeDefinition::Enum(definition) = &output.package.types[token] else { unreachable!("an enum") };
        assert_eq!(definition.values.len(), count, "{token}");
    }
}

#[test]
fn an_inline_object_that_is_visited_often_is_viewed_once() {
    let list = json!({"type": "array", "items": {"properties": {"K": {"type": "string"}}}});
    let mut document = resource("Ant", json!({"A": {"$ref": "#/definitions/L"}, "B": {"$ref": "#/definitions/L"}}));
    document["definitions"] = json!({"L": list});
    let output = run([document]);
    let ant = view(&output, "AWS::Zoo::Ant");
    assert_eq!(ant.types.len(), 1);
    assert!(ant.properties.iter().all(|property| property.ty == Type::Array(Box::new(Type::Object(0)))));
}
