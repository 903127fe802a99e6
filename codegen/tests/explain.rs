//! `explain` says of everything in the package the type that it has, and names places that exist.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may stop at the first surprise")]

mod common;

use codegen::explain::{Explanation, explain};
use codegen::fetch::source::schema_files;
use codegen::names::NameLock;
use codegen::overlay::Overlays;
use codegen::package::{PropertySpec, TypeDefinition};
use codegen::{Input, Output, Source, generate};
use common::{cage, short};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// A run with traces, and the documents by file.
fn traced(documents: Vec<(String, Value)>) -> (Output, BTreeMap<String, Value>) {
    let sources = documents.iter().map(|(file, document)| Source::from_document(file.clone(), document.clone()));
    let input = Input { trace: true, ..Input::new(sources.collect()) };
    (generate(input), documents.into_iter().collect())
}

fn with_handlers(mut document: Value) -> Value {
    if document.get("handlers").is_none() {
        document["handlers"] = json!({"create": {}, "read": {}, "delete": {}});
    }
    document
}

/// Explains every property, type and enum member of a run, and holds the answers against the package and the documents.
/// Returns how many properties that were.
fn check_all(output: &Output, documents: &BTreeMap<String, Value>) -> usize {
    let mut properties = 0;
    let overlays = Overlays::default();
    let ask = |query: &str| explain(output, &overlays, query).unwrap_or_else(|error| panic!("{query}: {error}"));
    for trace in &output.traces {
        assert_eq!(ask(&trace.token).cfn_name.as_deref(), Some(trace.cfn_type.as_str()));
        let spec = &output.package.resources[&trace.token];
        for (name, property) in &spec.properties {
            let explanation = ask(&format!("{}.{name}", trace.token));
            check_property(&explanation, property, spec.required_inputs.contains(name), documents);
            properties += 1;
        }
    }
    for (token, definition) in &output.package.types {
        let explanation = ask(&format!("#/types/{token}"));
        if explanation.cfn_type.is_none() {
            assert!(token.starts_with("aws-native:index:") || token.starts_with("aws-native:config:"), "{token}");
            continue;
        }
        check_places(&explanation, documents);
        assert!(!explanation.name.is_empty(), "{explanation}");
        match definition {
            TypeDefinition::Object(object) => {
                for (name, property) in &object.properties {
                    let explanation = ask(&format!("#/types/{token}.{name}"));
                    check_property(&explanation, property, object.required.contains(name), documents);
                    properties += 1;
                }
            }
            TypeDefinition::Enum(definition) => {
                for value in definition.values.iter().filter(|value| !value.name.is_empty()) {
                    let explanation = ask(&format!("#/types/{token}.{}", value.name));
                    assert_eq!(explanation.cfn_name.as_deref(), Some(value.value.as_str()), "{explanation}");
                }
            }
        }
    }
    properties
}

fn check_property(
    explanation: &Explanation,
    property: &PropertySpec,
    required: bool,
    documents: &BTreeMap<String, Value>,
) {
    let expected = short(&property.ty).replace("ref ", "").replace("aws-native:zoo:", "");
    let found = explanation.ty.clone().unwrap_or_default().replace("aws-native:zoo:", "");
    assert_eq!(found, expected, "{explanation}");
    let outermost = explanation.steps.first().unwrap_or_else(|| panic!("no step: {explanation}"));
    assert_eq!(outermost.ty.replace("aws-native:zoo:", ""), expected, "{explanation}");
    assert!(explanation.steps.iter().all(|step| !step.rules.is_empty()), "{explanation}");
    for (mark, holds) in [("required", required), ("replaceOnChanges", property.replace_on_changes)] {
        let found = explanation.marks.iter().find(|found| found.mark == mark).unwrap();
        assert_eq!(found.holds, holds, "{mark}: {explanation}");
        assert!(!holds || found.pointer.is_some(), "{mark} without a place: {explanation}");
    }
    check_places(explanation, documents);
}

/// Every place that is named must exist.
fn check_places(explanation: &Explanation, documents: &BTreeMap<String, Value>) {
    let document = &documents[explanation.file.as_deref().unwrap()];
    let steps = explanation.steps.iter().map(|step| step.pointer.as_str());
    let marks = explanation.marks.iter().filter_map(|mark| mark.pointer.as_deref());
    for pointer in steps.chain(marks).chain(explanation.pointer.as_deref()) {
        assert!(document.pointer(&pointer[1..]).is_some(), "{pointer} does not exist: {explanation}");
    }
}

#[test]
fn every_property_of_the_goldens_is_explained_as_it_is() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden");
    let mut properties = 0;
    for golden in fs::read_dir(folder).unwrap() {
        let text = fs::read(golden.unwrap().path().join("schema.json")).unwrap();
        let schemas = match serde_json::from_slice(&text).unwrap() {
            Value::Array(schemas) => schemas,
            schema => vec![schema],
        };
        let documents = schemas.into_iter().enumerate();
        let (output, documents) =
            traced(documents.map(|(index, schema)| (format!("{index}.json"), with_handlers(schema))).collect());
        properties += check_all(&output, &documents);
    }
    assert!(properties > 200, "{properties}");
}

/// Needs the downloaded schemas. Who cannot download them says so; the goldens stand for them then.
#[test]
#[allow(clippy::disallowed_methods, reason = "who runs the tests says what is there")]
fn every_property_of_the_pinned_schemas_is_explained_as_it_is() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../cf-schemas/download");
    if std::env::var_os("WITHOUT_DOWNLOAD").is_some() {
        return;
    }
    assert!(folder.is_dir(), "the pinned schemas are not there; run make generate, or set WITHOUT_DOWNLOAD=1");
    let files = schema_files(&folder).unwrap();
    let read = |bytes: Vec<u8>| serde_json::from_slice(&bytes).unwrap();
    let documents = files.iter().map(|file| (file.name.clone(), read(file.read().unwrap()))).collect();
    let (output, documents) = traced(documents);
    let properties = check_all(&output, &documents);
    assert!(properties > 40_000, "{properties}");
}

/// A cage with one of everything that an explanation may speak of.
fn zoo() -> Output {
    let mut document = cage(
        json!({
            "Id": {"type": "string"},
            "CageName": {"type": "string"},
            "Label": {"type": "string"},
            "Kind": {"type": "string", "enum": ["BIG_ONE", "big-one", "", "*"]},
            "Rules": {"type": "array", "items": {"$ref": "#/definitions/Rule"}},
            "Secret": {"type": "string"},
            "Tags": {"type": "array", "items": {"$ref": "#/definitions/Tag"}}
        }),
        json!({
            "Rule": {"type": "object", "required": ["VPCId"], "properties": {
                "VPCId": {"type": "string"}, "Mode": {"$ref": "#/definitions/Mode"}}},
            "Mode": {"type": "string", "enum": ["On", "Off"]},
            "Tag": {"type": "object", "properties": {"Key": {"type": "string"}, "Value": {"type": "string"}}}
        }),
    );
    document["required"] = json!(["CageName", "Label"]);
    document["readOnlyProperties"] = json!(["/properties/Id"]);
    document["writeOnlyProperties"] = json!(["/properties/Secret"]);
    document["createOnlyProperties"] = json!(["/properties/Label", "/properties/Rules/*/VPCId"]);
    document["primaryIdentifier"] = json!(["/properties/Id"]);
    traced(vec![("cage.json".to_owned(), with_handlers(document))]).0
}

#[track_caller]
fn facts(output: &Output, query: &str) -> Value {
    serde_json::to_value(explain(output, &Overlays::default(), query).unwrap()).unwrap()
}

fn names(rules: &Value) -> Vec<&str> {
    rules.as_array().unwrap().iter().map(|rule| rule["rule"].as_str().unwrap()).collect()
}

#[test]
fn names_and_pointers_lead_to_the_same_thing() {
    let output = zoo();
    let check = |subject: &str, queries: &[&str]| {
        for query in queries {
            assert_eq!(facts(&output, query)["subject"], subject, "{query}");
        }
    };
    check("aws-native:zoo:Cage", &["aws-native:zoo:Cage", "AWS::Zoo::Cage", "aws::zoo::cage"]);
    check("aws-native:zoo:getCage", &["aws-native:zoo:getCage"]);
    let label = [
        "aws-native:zoo:Cage.label",
        "AWS::Zoo::Cage.Label",
        "AWS::Zoo::Cage/properties/Label",
        "AWS::Zoo::Cage#/properties/Label",
    ];
    check("aws-native:zoo:Cage.label", &label);
    check("aws-native:zoo:Cage.awsId", &["aws-native:zoo:Cage.awsId", "AWS::Zoo::Cage.Id"]);
    check(
        "aws-native:zoo:CageRule.vpcId",
        &[
            "aws-native:zoo:CageRule.vpcId",
            "aws-native:zoo:Cage.rules.vpcId",
            "AWS::Zoo::Cage.Rules.VPCId",
            "AWS::Zoo::Cage/properties/Rules/*/VPCId",
            "AWS::Zoo::Cage/definitions/Rule/properties/VPCId",
        ],
    );
    check("aws-native:zoo:CageRule", &["aws-native:zoo:CageRule", "AWS::Zoo::Cage/definitions/Rule"]);
    check("aws-native:zoo:CageMode", &["aws-native:zoo:CageMode", "aws-native:zoo:cagemode"]);
    check("aws-native:zoo:CageKind.BigOne2", &["aws-native:zoo:CageKind.BigOne2", "aws-native:zoo:CageKind.big-one"]);
    check("AWS::Zoo::Cage/properties/Rules/items", &["AWS::Zoo::Cage/properties/Rules/items"]);
}

#[test]
fn rules_are_named() {
    let output = zoo();
    for (query, expected) in [
        ("aws-native:zoo:Cage", &["token"][..]),
        ("aws-native:zoo:getCage", &["getter-name"]),
        ("aws-native:zoo:Cage.awsId", &["aws-id"]),
        ("aws-native:zoo:CageRule.vpcId", &["property-name"]),
        ("aws-native:zoo:CageRule", &["definition-prefixed"]),
        ("aws-native:zoo:CageMode", &["definition-prefixed", "enum-has-prefix"]),
        ("aws-native:zoo:CageKind", &["enum-prefixed"]),
        ("aws-native:zoo:CageKind.BigOne", &["member-words"]),
        ("aws-native:zoo:CageKind.BigOne2", &["member-numbered"]),
        ("aws-native:zoo:CageKind.Empty", &["member-empty"]),
        ("aws-native:zoo:CageKind.*", &["member-star"]),
        ("aws-native:index:Tag", &["hand-written"]),
        ("aws-native:index:Tag.key", &["hand-written"]),
    ] {
        assert_eq!(names(&facts(&output, query)["name"]), expected, "{query}");
    }
    let tags = facts(&output, "aws-native:zoo:Cage.tags");
    assert_eq!(tags["type"], "[aws-native:index:Tag]");
    assert_eq!(names(&tags["steps"][0]["rules"]), ["list", "shared-tag"]);
}

#[test]
fn names_that_the_lock_decided_are_the_locks() {
    let document = |values: &[&str]| {
        json!({
            "typeName": "AWS::Zoo::Cage", "handlers": {"create": {}, "read": {}, "delete": {}},
            "properties": {"Mode": {"type": "string", "enum": values}},
        })
    };
    let generate = |values: &[&str], names: NameLock| {
        let sources = vec![Source::from_document("0.json".to_owned(), document(values))];
        codegen::generate(Input { trace: true, names: Some(names), ..Input::new(sources) })
    };
    let first = generate(&["on-off", "ON_OFF"], NameLock::default());
    let lock = NameLock::default().after(&first.claims, &codegen::inventory::Inventory::of(&first));
    // The order has changed, and two values are new.
    let output = generate(&["ON_OFF", "on-off", "On Off", "Input"], lock);
    for (member, value, expected) in [
        ("OnOff2", "ON_OFF", "name-locked"),
        ("OnOff", "on-off", "name-locked"),
        ("OnOff3", "On Off", "member-numbered"),
        ("InputType", "Input", "member-wrapper"),
    ] {
        let facts = facts(&output, &format!("aws-native:zoo:CageMode.{member}"));
        assert_eq!(facts["cfnName"], value, "{member}");
        assert_eq!(names(&facts["name"]), [expected], "{member}");
    }
    assert_eq!(names(&facts(&first, "aws-native:zoo:CageMode.OnOff2")["name"]), ["member-numbered"]);
}

#[test]
fn marks_have_reasons() {
    let output = zoo();
    let check = |query: &str, mark: &str, holds: bool, reason: &str, pointer: Option<&str>| {
        let facts = facts(&output, query);
        let found = facts["marks"].as_array().unwrap().iter().find(|found| found["mark"] == mark).unwrap();
        let pointer = pointer.map_or(Value::Null, Value::from);
        assert_eq!((&found["holds"], &found["reason"], &found["pointer"]), (&json!(holds), &json!(reason), &pointer));
    };
    let cage = |name: &str| format!("aws-native:zoo:Cage.{name}");
    let generated = "listed in required, but a name is generated where programs give none";
    check(&cage("cageName"), "required", false, generated, Some("#/required/0"));
    check(&cage("label"), "required", true, "listed in required", Some("#/required/1"));
    let (at, text) = ("#/createOnlyProperties/0", "/properties/Label is create-only");
    check(&cage("label"), "replaceOnChanges", true, text, Some(at));
    check(&cage("label"), "createOnlyProperties", true, "listed as /properties/Label", Some(at));
    check(
        &cage("secret"),
        "writeOnlyProperties",
        true,
        "listed as /properties/Secret",
        Some("#/writeOnlyProperties/0"),
    );
    let read_only = "in readOnlyProperties and not in createOnlyProperties";
    check(&cage("awsId"), "input", false, read_only, Some("#/readOnlyProperties/0"));
    check(&cage("awsId"), "primaryIdentifier", true, "listed as /properties/Id", Some("#/primaryIdentifier/0"));
    check(&cage("kind"), "replaceOnChanges", false, "not in createOnlyProperties", None);
    let vpc = "aws-native:zoo:CageRule.vpcId";
    check(vpc, "required", true, "listed in required of the object", Some("#/definitions/Rule/required/0"));
    let text = "/properties/Rules/*/VPCId is create-only";
    check(vpc, "replaceOnChanges", true, text, Some("#/createOnlyProperties/1"));
}

#[test]
fn corrections_are_named_where_they_decided() {
    let output = zoo();
    let text = "\
type: AWS::Zoo::Cage
reason: Cages have labels.
link: https://zoo.example
patch:
  - {op: replace, path: /properties/Label/type, value: string}
  - {op: add, path: /definitions/Rule/properties/Mode, value: {}}
  - {op: test, path: /readOnlyProperties/1, value: /properties/Secret}
  - {op: remove, path: /readOnlyProperties/1}
";
    let overlays = Overlays::parse([("cage.yaml", text)]).unwrap();
    let check = |query: &str, expected: &[&str]| {
        let explanation = explain(&output, &overlays, query).unwrap();
        let found: Vec<_> = explanation.corrections.iter().map(|one| one.operation.as_str()).collect();
        assert_eq!(found, expected, "{query}");
    };
    check("aws-native:zoo:Cage.label", &["replace /properties/Label/type"]);
    check("aws-native:zoo:CageRule.mode", &["add /definitions/Rule/properties/Mode"]);
    check("aws-native:zoo:CageRule.vpcId", &[]);
    check("aws-native:zoo:Cage.secret", &["remove /readOnlyProperties/1"]);
    check("aws-native:zoo:Cage.kind", &[]);
    assert_eq!(explain(&output, &overlays, "aws-native:zoo:Cage").unwrap().corrections.len(), 4);
}

#[test]
fn what_does_not_exist_is_an_error() {
    let output = zoo();
    for (query, expected) in [
        ("", "there is no resource, function or type "),
        (".", "there is no resource, function or type "),
        ("aws-native:zoo:Cag", "there is no resource, function or type aws-native:zoo:Cag"),
        ("aws-native:zoo:Cage.nmae", "aws-native:zoo:Cage has no nmae"),
        ("aws-native:zoo:Cage.label.x", "aws-native:zoo:Cage.label has no x"),
        ("aws-native:zoo:CageKind.Small", "aws-native:zoo:CageKind has no Small"),
        ("aws-native:zoo:CageRule.vpcid.x.y", "aws-native:zoo:CageRule.vpcId has no x"),
        (
            "AWS::Zoo::Cage/definitions/Gone",
            "AWS::Zoo::Cage (cage.json): nothing in the package comes from #/definitions/Gone",
        ),
    ] {
        let error = explain(&output, &Overlays::default(), query).unwrap_err();
        assert_eq!(error.to_string(), expected, "{query:?}");
    }
}

#[test]
fn an_explanation_reads_well() {
    let expected = "\
aws-native:zoo:CageRule.vpcId  (property)
  type    string
  in AWS  VPCId
  schema  AWS::Zoo::Cage: cage.json #/definitions/Rule/properties/VPCId

why this name
  property-name: acronyms are lowered, then the first letter (cfn/src/naming.rs)

how the type came about
  #/definitions/Rule/properties/VPCId → string
    one-type: the only type that the schema names (codegen/src/types.rs)

marks
  required                        yes  listed in required of the object  (#/definitions/Rule/required/0)
  replaceOnChanges                yes  /properties/Rules/*/VPCId is create-only  (#/createOnlyProperties/1)
  createOnlyProperties            yes  listed as /properties/Rules/*/VPCId  (#/createOnlyProperties/1)

no correction of the schema changed these places
";
    let explanation = explain(&zoo(), &Overlays::default(), "aws-native:zoo:CageRule.vpcId").unwrap();
    assert_eq!(explanation.to_string(), expected);
}

#[test]
fn nothing_is_traced_unless_asked_for() {
    let source = Source::from_document("cage.json", with_handlers(cage(json!({"A": {"type": "string"}}), json!({}))));
    let output = generate(Input::new(vec![source]));
    assert!(output.traces.is_empty() && output.resources.len() == 1);
}
