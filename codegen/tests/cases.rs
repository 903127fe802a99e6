//! Reports from the field about types, names and the generator, as far as they are about schemas: a test per report, with
//! the report's number. Each covers the whole kind, not the one input.
#![allow(clippy::unwrap_used, reason = "a test may stop at the first surprise")]

mod common;

use codegen::Output;
use codegen::package::TypeDefinition;
use common::{cage, members, output_type, run, view, zoo_types};
use metadata::model::{Resource, Type};
use serde_json::{Value, json};

fn to(name: &str) -> Value {
    json!({"$ref": format!("#/definitions/{name}")})
}

fn text() -> Value {
    json!({"type": "string"})
}

/// Generates the cage, which must work.
#[track_caller]
fn made(properties: Value, definitions: Value) -> Output {
    let output = run([cage(properties, definitions)]);
    assert!(output.skips.is_empty(), "{:?}", output.skips);
    output
}

/// The provider's type of a top-level property.
fn own_type<'o>(output: &'o Output, name: &str) -> &'o Type {
    &view(output, "AWS::Zoo::Cage").properties.iter().find(|property| property.name == name).unwrap().ty
}

/// CloudFormation and SDK names of the object that a type is, in order of SDK name.
fn names(resource: &Resource, ty: &Type) -> Vec<(String, String)> {
    let Type::Object(index) = ty else { unreachable!("an object, not {ty:?}") };
    let properties = resource.types[*index as usize].properties.iter();
    properties.map(|property| (property.cfn_name.clone(), property.name.clone())).collect()
}

#[track_caller]
fn check_names(resource: &Resource, ty: &Type, expected: &[(&str, &str)]) {
    let names = names(resource, ty);
    let names: Vec<_> = names.iter().map(|(cfn, sdk)| (cfn.as_str(), sdk.as_str())).collect();
    assert_eq!(names, expected);
}

/// The members of an enum type of the zoo: name and value.
fn enum_members(output: &Output, name: &str) -> Vec<(String, String)> {
    let TypeDefinition::Enum(enumeration) = &output.package.types[&*format!("aws-native:zoo:{name}")] else {
        unreachable!("{name} is an enum")
    };
    enumeration.values.iter().map(|member| (member.name.clone(), member.value.clone())).collect()
}

/// Keys inside policy documents and other free-form JSON came out in lower case. The provider must know such values as
/// free-form: `any`, or an object type without members, and map keys as free.
#[test]
fn c25_free_form_values_are_known_as_free_form() {
    let output = made(
        json!({
            "AssumeRolePolicyDocument": {"type": ["object", "string"]},
            "Free": {"type": "object"},
            "Marker": to("Marker"),
            "Policy": to("Policy"),
            "Patterns": to("Patterns"),
            "Environment": {"properties": {"Variables": {"type": "object", "patternProperties": {".*": text()}}}},
            "Nested": {"type": "array", "items": {"properties": {"PolicyDocument": {"type": "object"}}}}
        }),
        json!({
            "Marker": {"type": "object"}, "Policy": {"type": ["object", "string"]},
            "Patterns": {"patternProperties": {"^a": text(), "^b": text()}}
        }),
    );
    let cage = view(&output, "AWS::Zoo::Cage");
    for name in ["assumeRolePolicyDocument", "free"] {
        assert_eq!((own_type(&output, name), output_type(&output, name).as_str()), (&Type::Any, "any"), "{name}");
    }
    for name in ["marker", "policy", "patterns"] {
        check_names(cage, own_type(&output, name), &[]);
    }
    let types: Vec<_> = cage.types.iter().flat_map(|object| &object.properties).map(|member| &member.ty).collect();
    assert_eq!(types, [&Type::Map(Box::new(Type::String)), &Type::Any]);
}

/// Objects whose members stand in alternatives alone became empty types, and a program could not set them.
#[test]
fn c32_members_of_alternatives_are_members() {
    let branch = |name: &str| json!({"type": "object", "properties": {name: text()}, "required": [name]});
    let bare = |name: &str| json!({"properties": {name: text()}, "required": [name], "additionalProperties": false});
    let three = |keyword: &str| json!({"type": "object", keyword: [bare("Aws"), bare("GitHub"), bare("Slack")]});
    let merged = [("Aws", "aws"), ("GitHub", "gitHub"), ("Slack", "slack")];
    for definition in [
        three("oneOf"),
        three("anyOf"),
        json!({"properties": {"Aws": text()}, "oneOf": [bare("GitHub"), bare("Slack")]}),
        json!({"type": "object", "properties": {"Aws": text()}, "anyOf": [to("GitHub"), bare("Slack")]}),
        json!({"type": "object", "properties": {"Aws": text()}, "oneOf": [{"required": ["Aws"]}],
            "allOf": [bare("GitHub"), {"oneOf": [bare("Slack")]}]}),
    ] {
        let output =
            made(json!({"Configuration": to("Service")}), json!({"Service": definition, "GitHub": branch("GitHub")}));
        assert_eq!(members(&output, "CageService"), ["aws string", "gitHub string", "slack string"], "{definition}");
        check_names(view(&output, "AWS::Zoo::Cage"), own_type(&output, "configuration"), &merged);
    }
    // In place, an object with members of its own gains those of its alternatives.
    let inline = json!({"type": "object", "properties": {"Aws": text()}, "oneOf": [bare("GitHub"), bare("Slack")]});
    let output = made(json!({"Settings": inline}), json!({}));
    assert_eq!(members(&output, "SettingsProperties"), ["aws string", "gitHub string", "slack string"]);

    // Alternatives that disagree, or that no object type stands for, stay alternatives; each is known.
    for (definition, expected) in [
        (
            json!({"type": "object", "oneOf": [{"properties": {"A": text()}}, {"properties": {"A": {"type": "integer"}}}]}),
            "(ref CageService0Properties|ref CageService1Properties)",
        ),
        (json!({"oneOf": [branch("Basic"), branch("Tls")]}), "(ref CageService0Properties|ref CageService1Properties)"),
        (json!({"oneOf": [to("GitHub"), to("Lab")]}), "(ref CageGitHub|ref CageLab)"),
    ] {
        let definitions = json!({"Service": definition, "GitHub": branch("GitHub"), "Lab": branch("Lab")});
        let output = made(json!({"Configuration": to("Service")}), definitions);
        assert_eq!(output_type(&output, "configuration"), expected);
        let Type::Union(arms) = own_type(&output, "configuration") else { unreachable!("a union") };
        let cage = view(&output, "AWS::Zoo::Cage");
        assert!(arms.iter().all(|arm| names(cage, arm).len() == 1), "{definition}");
    }
}

/// A list of types was taken for its first type.
#[test]
fn c34_several_types_are_all_accepted() {
    for (schema, published, own) in [
        (json!({"type": ["object", "string"]}), "any", Type::Any),
        (json!({"type": ["string", "object"]}), "any", Type::Any),
        (json!({"type": ["boolean", "string"]}), "(boolean|string)", Type::Union(vec![Type::Boolean, Type::String])),
        (
            json!({"type": ["integer", "string", "null"]}),
            "(integer|string|any)",
            Type::Union(vec![Type::Integer, Type::String, Type::Any]),
        ),
        (json!({"items": text()}), "[string]", Type::Array(Box::new(Type::String))),
        (json!({"type": "array"}), "[any]", Type::Array(Box::new(Type::Any))),
    ] {
        let output = made(json!({"It": schema}), json!({}));
        assert_eq!((output_type(&output, "it").as_str(), own_type(&output, "it")), (published, &own), "{schema}");
        // The same inside a map, as request parameters are, and behind a reference to a definition that is no object.
        let map = json!({"type": "object", "patternProperties": {".*": schema}});
        let output = made(json!({"It": map}), json!({}));
        assert_eq!(output_type(&output, "it"), format!("{{{published}}}"), "{schema}");
    }
}

/// Initialisms were torn apart, and names that cannot be derived were guessed on the way back.
#[test]
fn c35_names_are_kept_not_guessed() {
    let output = made(
        json!({
            "IPSets": text(), "ACLName": text(), "EnableECSManagedTags": text(), "readmePath": text(), "Id": text(),
            "Identity": to("Identity")
        }),
        json!({"Identity": {"type": "object", "properties": {"IamRole": to("IAMRole"), "vCpu": text(), "S3ARNs": text()}},
            "IAMRole": {"type": "object", "properties": {"ARN": text()}}}),
    );
    let cage = view(&output, "AWS::Zoo::Cage");
    let top: Vec<_> =
        cage.properties.iter().map(|property| (property.cfn_name.as_str(), property.name.as_str())).collect();
    let expected = [
        ("ACLName", "aclName"),
        ("Id", "awsId"),
        ("EnableECSManagedTags", "enableEcsManagedTags"),
        ("Identity", "identity"),
        ("IPSets", "ipSets"),
        ("readmePath", "readmePath"),
    ];
    assert_eq!(top, expected);
    check_names(cage, own_type(&output, "identity"), &[("IamRole", "iamRole"), ("S3ARNs", "s3arns"), ("vCpu", "vCpu")]);
}

/// Every new enum value that no language can name broke the build of the SDKs.
#[test]
fn c62_every_enum_has_members_that_compile() {
    for (values, expected) in [
        (
            json!(["IN_PROGRESS", "FAILED", "SUCCEEDED", ""]),
            &[("InProgress", "IN_PROGRESS"), ("Failed", "FAILED"), ("Succeeded", "SUCCEEDED"), ("Empty", "")][..],
        ),
        (json!(["", "Empty"]), &[("Empty", ""), ("Empty2", "Empty")]),
        (
            json!(["Input", "OUTPUT", "InputType"]),
            &[("InputType", "Input"), ("OutputType", "OUTPUT"), ("InputType2", "InputType")],
        ),
        (json!(["A_B", "A-B", "a.b", "ab"]), &[("Ab", "A_B"), ("Ab2", "A-B"), ("Ab3", "a.b"), ("Ab4", "ab")]),
        (json!(["+", "*", " "]), &[("U002B", "+"), ("", "*"), ("U0020", " ")]),
        (json!(["same", "same"]), &[("Same", "same")]),
    ] {
        let output = made(json!({"Mode": {"type": "string", "enum": values}}), json!({}));
        let members = enum_members(&output, "CageMode");
        let members: Vec<_> = members.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        assert_eq!(members, expected, "{values}");
    }
    // Two enums, or an enum and an object, that would have one name.
    let kind = |values: Value| json!({"type": "string", "enum": values});
    let output = made(json!({"CageMode": kind(json!(["a"])), "Mode": kind(json!(["b"]))}), json!({}));
    assert_eq!(zoo_types(&output), ["CageMode", "CageModeEnum"]);
    assert_eq!(
        (output_type(&output, "cageMode"), output_type(&output, "mode")),
        ("ref CageMode".into(), "ref CageModeEnum".into())
    );
    let object = json!({"type": "object", "properties": {"A": text()}});
    let output = made(json!({"Door": kind(json!(["a"])), "Gate": to("CageDoor")}), json!({"CageDoor": object}));
    assert_eq!(
        (output_type(&output, "door"), output_type(&output, "gate")),
        ("ref CageDoor".into(), "ref CageDoorObject".into())
    );
}

/// Maps of lists were free-form. Published types go as deep as every SDK compiles; the provider knows more.
#[test]
fn c63_nested_collections_are_known_to_the_provider() {
    let map = |value: Value| json!({"type": "object", "patternProperties": {".*": value}});
    let list = |items: Value| json!({"type": "array", "items": items});
    let own_list = || Type::Array(Box::new(Type::String));
    let own_map = |value: Type| Type::Map(Box::new(value));
    let own_any = || Type::Array(Box::new(Type::Any));
    for (definition, published, own) in [
        (map(list(text())), "{[string]}", own_map(own_list())),
        (map(to("Values")), "{[string]}", own_map(own_list())),
        (map(map(list(text()))), "{{[string]}}", own_map(own_map(own_list()))),
        (map(map(map(list(text())))), "{any}", own_map(own_map(own_map(own_list())))),
        // The members of an object that SDKs pass as it is keep the names that programs wrote.
        (map(list(to("Bar"))), "{any}", own_map(own_any())),
    ] {
        let definitions = json!({"It": definition, "Values": list(text()),
            "Bar": {"type": "object", "properties": {"A": text()}}});
        let output = made(json!({"It": to("It")}), definitions);
        assert_eq!((output_type(&output, "it").as_str(), own_type(&output, "it")), (published, &own), "{definition}");
    }
}

/// The published generator crashes on some of these schemas, and ends without a word on others.
#[test]
fn c96_no_schema_stops_the_generator() {
    let six = || json!(["string", "number", "integer", "object", "array", "boolean"]);
    let output = made(
        json!({
            "Six": {"type": six()}, "Values": {"type": "object", "patternProperties": {".*": {"type": six()}}},
            "Behind": to("Six"), "NoItems": {"type": "array"}, "Bound": {"type": "number", "exclusiveMinimum": 0},
            "Gone": to("Gone"), "Open": true
        }),
        json!({"Six": {"type": six()}}),
    );
    for (property, expected) in [
        ("six", "any"),
        ("values", "{any}"),
        ("behind", "any"),
        ("noItems", "[any]"),
        ("bound", "number"),
        ("gone", "any"),
        ("open", "any"),
    ] {
        assert_eq!(output_type(&output, property), expected, "{property}");
    }

    let list =
        json!({"properties": {"Odd": {}, "Left": {"$ref": "#/properties/Nowhere"}}, "required": ["Odd", "Absent"]});
    let handlers = json!({"create": {}, "read": {}, "delete": {}, "list": {"handlerSchema": list}});
    let mut schema = cage(json!({"A": text()}), json!({}));
    schema["handlers"] = handlers;
    let output = run([schema]);
    let inputs = output.package.resources["aws-native:zoo:Cage"].list_inputs.as_ref().unwrap();
    assert_eq!(inputs.properties.keys().collect::<Vec<_>>(), ["absent", "left", "odd"]);
}
