//! A schema that cannot be used is skipped with its reason, and everything else is generated all the same.
#![allow(clippy::unwrap_used)] // A test that cannot find what it asks for has failed.

mod common;

use codegen::{Input, Source, generate};
use common::{cage, output_type, run, zoo_types};
use serde_json::{Value, json};

#[test]
fn unreadable_schemas_are_named_with_their_reason() {
    let handlers = r#""handlers": {"create": {}, "read": {}, "delete": {}}"#;
    for (text, type_name, reason) in [
        (
            "[1]".to_owned(),
            None,
            "the schema is an array, not an object; put the schema of one resource type into the file, or remove it",
        ),
        (
            "{".to_owned(),
            None,
            "the schema is no JSON: EOF while parsing an object at line 1 column 1; get the file again or correct it, as JSON in UTF-8, or remove it",
        ),
        (
            "{}".to_owned(),
            None,
            "the schema has no typeName of the form Organization::Service::Resource, each part of 2 to 64 letters and digits (found nothing); correct it at the schema's source, or remove the file",
        ),
        (
            format!(r#"{{"typeName": "AWS::Zoo::Bad", {handlers}, "properties": {{"A": {{"type": "text"}}}}}}"#),
            Some("AWS::Zoo::Bad"),
            r#"AWS::Zoo::Bad at #/properties/A/type: unknown type "text"; correct it at the schema's source or by an overlay"#,
        ),
        (
            r#"{"typeName": "AWS::Zoo::Bad", "handlers": {"create": {}}}"#.to_owned(),
            Some("AWS::Zoo::Bad"),
            "not provisionable: no read, delete handler",
        ),
    ] {
        let good = cage(json!({"A": {"type": "string"}}), json!({}));
        let mut good_text = good;
        good_text["handlers"] = json!({"create": {}, "read": {}, "delete": {}});
        let sources = vec![
            Source::from_slice("bad.json", text.as_bytes()),
            Source::from_slice("good.json", good_text.to_string().as_bytes()),
        ];
        let output = generate(Input::new(sources));
        let [skip] = output.skips.as_slice() else { unreachable!("one skip for {text}, not {:?}", output.skips) };
        assert_eq!((skip.file.as_str(), skip.type_name.as_deref()), ("bad.json", type_name), "{text}");
        assert_eq!(skip.reason.to_string(), reason, "{text}");
        assert_eq!(skip.reason.is_defect(), !reason.starts_with("not provisionable"));
        assert_eq!(output_type(&output, "a"), "string");
    }
}

/// Skips the cage, returns why, and checks that nothing of it was left behind.
#[track_caller]
fn reason(properties: Value, definitions: Value) -> String {
    let output = run([cage(properties, definitions)]);
    assert_eq!(zoo_types(&output), [""; 0]);
    assert!(output.resources.is_empty());
    output.skips.first().unwrap().reason.to_string()
}

#[test]
fn definitions_that_refer_to_themselves_without_an_object_are_no_types() {
    let to = |name: &str| json!({"$ref": format!("#/definitions/{name}")});
    let properties = json!({"A": {"properties": {"B": {"type": "string"}}}, "Z": to("Loop")});
    for definitions in [
        json!({"Loop": to("Loop")}),
        json!({"Loop": {"type": "array", "items": to("Loop")}}),
        json!({"Loop": {"oneOf": [to("Loop"), to("Loop")]}}),
        json!({"Loop": {"oneOf": [to("Loop"), {"type": "string"}]}}),
        json!({"Loop": {"type": "object", "patternProperties": {".*": to("Loop")}}}),
        json!({"Loop": {"properties": {"Next": {"type": "array", "items": to("Pool")}}}, "Pool": to("Pool")}),
    ] {
        let text = reason(properties.clone(), definitions.clone());
        assert!(
            text.contains(" refers to itself without an object in between, ") && text.starts_with("#/definitions/"),
            "{definitions}: {text}"
        );
    }
}

#[test]
fn schemas_beyond_reason_are_given_up() {
    let to = |index: usize| json!({"$ref": format!("#/definitions/D{index}")});
    let chain: serde_json::Map<String, Value> = (0..5000).map(|index| (format!("D{index}"), to(index + 1))).collect();
    let text = reason(json!({"A": to(0)}), chain.into());
    assert!(text.starts_with("#/definitions/D199: types nest deeper than 200 levels; flatten or cut it at "), "{text}");

    let tree: serde_json::Map<String, Value> =
        (0..60).map(|index| (format!("D{index}"), json!({"oneOf": [to(index + 1), to(index + 1)]}))).collect();
    let text = reason(json!({"A": to(0)}), tree.into());
    let message =
        ": up to here the schema expands to more than 1000000 nodes; flatten or cut it at the schema's source or by";
    assert!(text.starts_with("#/definitions/D") && text.contains(message), "{text}");
}

#[test]
fn names_that_collide_are_both_named() {
    let text = reason(json!({"VPCId": {"type": "string"}, "VpcId": {"type": "string"}}), json!({}));
    let step = "both become vpcId; remove or rename one of them at the schema's source or by an overlay";
    assert_eq!(text, format!("#/properties/VpcId: VPCId and VpcId of Cage {step}"));
    let nested = json!({"properties": {"VPCId": {"type": "string"}, "VpcId": {"type": "string"}}});
    let text = reason(json!({"A": nested}), json!({}));
    assert_eq!(text, format!("#/properties/A/properties/VpcId: VPCId and VpcId of AProperties {step}"));
}

#[test]
fn names_that_no_language_has_leave_the_type_out() {
    let text = json!({"type": "string"});
    let modes = json!({"type": "string", "enum": ["A"]});
    let object = |name: &str| json!({"type": "object", "properties": {name: text}});
    let to = |name: &str| json!({"P": {"$ref": format!("#/definitions/{name}")}});
    for (properties, definitions, pointer, name) in [
        (json!({"": text}), json!({}), "#/properties/", r#""""#),
        (json!({"a\rb": text}), json!({}), "#/properties/a\rb", r#""a\rb""#),
        (json!({"P": object("*/")}), json!({}), "#/properties/P/properties/*~1", r#""*/""#),
        (to("D"), json!({"D": object("0")}), "#/definitions/D/properties/0", r#""0""#),
        (to("a b"), json!({"a b": object("A")}), "#/definitions/a b", r#""Cagea b""#),
        (to("a\nb"), json!({"a\nb": modes}), "#/definitions/a\nb", r#""Cagea\nb""#),
        (to("ä"), json!({"ä": {"type": "array", "items": object("A")}}), "#/definitions/ä", r#""CageäItemProperties""#),
    ] {
        let reason = reason(properties, definitions);
        let message =
            format!("{pointer}: {name} can be no name in the languages of SDKs, which is an ASCII letter, then ");
        assert!(reason.starts_with(&message), "{reason}");
    }
    // A name that nothing is called after does not matter; some published schemas have such definitions.
    let output = run([cage(to("AWS::Zoo::Cage.Lock"), json!({"AWS::Zoo::Cage.Lock": text, "a b": object("A")}))]);
    assert_eq!(output_type(&output, "p"), "string");
}

#[test]
fn of_two_files_for_one_type_the_first_is_used() {
    let output =
        run([cage(json!({"A": {"type": "string"}}), json!({})), cage(json!({"A": {"type": "integer"}}), json!({}))]);
    assert_eq!(output_type(&output, "a"), "string");
    assert_eq!(
        output.skips.first().unwrap().reason.to_string(),
        "#/typeName: 0.json describes the same type; remove one of the two files"
    );
    assert_eq!(output.report.counts.defective, 1);
}

#[test]
fn keys_that_stand_twice_are_warnings() {
    let text = r#"{"typeName": "AWS::Zoo::Cage", "primaryIdentifier": ["/properties/A"],
        "handlers": {"create": {}, "read": {}, "delete": {}},
        "properties": {"A": {"type": "string"}, "A": {"type": "integer"}}}"#;
    let output = generate(Input::new(vec![Source::from_slice("zoo.json", text.as_bytes())]));
    assert_eq!(output_type(&output, "a"), "integer");
    let warnings = &output.report.warnings["aws-native:zoo:Cage"];
    let message =
        "AWS::Zoo::Cage (zoo.json) at #/properties/A: stands more than once in its object, and the last one counts; ";
    assert!(warnings[0].starts_with(message) && warnings.len() == 1, "{warnings:?}");
}

#[test]
fn types_without_handlers_are_generated_when_published_sdks_have_them() {
    let extra = json!({"typeName": "AWS::SNS::TopicPolicy", "properties": {"A": {"type": "string"}}, "handlers": {}});
    let output = run([extra]);
    assert!(output.package.resources.contains_key("aws-native:sns:TopicPolicy"));
}

/// What can be read all the same is generated, and named with file, place and next step.
#[test]
fn what_looks_wrong_is_a_warning() {
    let check = |key: &str, value: Value, expected: &str| {
        let mut document = cage(json!({"A": {"type": "string"}}), json!({"D": {"type": "object"}}));
        document["primaryIdentifier"] = json!(["/properties/A"]);
        document[key] = value;
        let output = run([document]);
        assert!(output.package.resources.contains_key("aws-native:zoo:Cage"), "{:?}", output.skips);
        assert_eq!(output.report.warnings["aws-native:zoo:Cage"], [format!("AWS::Zoo::Cage (0.json) at {expected}")]);
    };
    check(
        "$schema",
        json!("http://json-schema.org/draft-07/schema#"),
        "#/$schema: \"http://json-schema.org/draft-07/schema#\" is not the language of resource types; the schema is read as \
         one all the same; make sure that the file is a resource type schema",
    );
    check(
        "properties",
        json!({"A": {"$ref": "#/definitions/Gone"}}),
        "#/properties/A/$ref: #/definitions/Gone leads nowhere, so any value is accepted; add the definition, or correct the \
         reference, at the schema's source or by an overlay",
    );
    check(
        "properties",
        json!({"A": {"type": "string", "maxLenght": 3}}),
        "#/properties/A/maxLenght: unknown keyword, passed over; correct its spelling, or remove it",
    );
}
