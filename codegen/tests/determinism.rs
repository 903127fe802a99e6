//! The same schemas make the same output, whatever order they come in.
#![allow(clippy::unwrap_used)] // Serialization of plain data does not fail.

mod common;

use codegen::{Input, Source, emit, generate};
use common::run;
use serde_json::{Value, json};
use std::collections::BTreeMap;

fn documents() -> Vec<Value> {
    let document = |index: usize| {
        json!({
            "typeName": format!("AWS::Zoo{}::Type{index}", index % 3),
            "definitions": {"Shared": {"type": "object", "properties": {"K": {"type": "string", "enum": ["A", "B"]}}}},
            "properties": {
                "Name": {"type": "string"},
                "Opts": {"properties": {format!("Only{index}"): {"$ref": "#/definitions/Shared"}}},
                "Tags": {"type": "array", "items": {"properties": {"Key": {"type": "string"}, "Value": {"type": "string"}}}}
            },
            "createOnlyProperties": ["/properties/Opts", "/properties/Name"],
            "primaryIdentifier": ["/properties/Name"],
            "handlers": {"create": {}, "read": {}, "delete": {}}
        })
    };
    let mut documents: Vec<_> = (0..20).map(document).collect();
    documents.push(json!({"typeName": "AWS::Zoo0::Bad", "properties": 1}));
    documents
}

/// What a run makes, by name: the models, what was left out, and the files.
fn made(documents: Vec<Value>) -> BTreeMap<String, Vec<u8>> {
    // Files are called after their types, so that a report names the same file in every order.
    let file = |document: &Value| format!("{}.json", document["typeName"].as_str().unwrap());
    let sources = documents.into_iter().map(|document| Source::from_document(file(&document), document));
    let output = generate(Input::new(sources.collect()));
    let files = emit::emit(emit::Input::of(&output, &[]), std::iter::empty());
    let files = files.unwrap().into_iter().map(|file| (file.path, file.bytes));
    let skips: String = output.skips.iter().map(|skip| format!("{:?} {}", skip.type_name, skip.reason)).collect();
    let models = [
        ("package", serde_json::to_vec(&output.package).unwrap()),
        ("metadata", codegen::metadata_json(&output).unwrap()),
        ("resources", serde_json::to_vec(&output.resources).unwrap()),
        ("report", serde_json::to_vec(&output.report).unwrap()),
        ("skips", skips.into_bytes()),
    ];
    let made: BTreeMap<_, _> = files.chain(models.map(|(name, bytes)| (name.to_owned(), bytes))).collect();
    assert!(made.contains_key("src/types/zoo1.rs"), "typed modules are among the files");
    made
}

#[track_caller]
fn assert_same(documents: Vec<Value>, expected: &BTreeMap<String, Vec<u8>>) {
    let made = made(documents);
    assert_eq!(made.keys().collect::<Vec<_>>(), expected.keys().collect::<Vec<_>>());
    for (name, bytes) in &made {
        assert!(expected.get(name) == Some(bytes), "{name} differs: {}", String::from_utf8_lossy(bytes));
    }
}

#[test]
fn the_order_of_the_input_does_not_matter() {
    let sorted = made(documents());
    let mut documents = documents();
    documents.reverse();
    assert_same(documents.clone(), &sorted);
    // A fixed riffle: deterministic, and unlike either order.
    let (even, odd): (Vec<_>, Vec<_>) = documents.into_iter().enumerate().partition(|(index, _)| index % 2 == 0);
    let riffled = odd.into_iter().chain(even).map(|(_, document)| document).collect();
    assert_same(riffled, &sorted);
}

#[test]
fn keys_are_sorted_and_empty_members_absent() {
    let output = run(documents());
    let text = serde_json::to_string(&output.package).unwrap();
    let value: Value = serde_json::from_str(&text).unwrap();
    // A parsed object sorts its keys, so equal texts mean that they were sorted already.
    let sorted = value.to_string();
    assert!(text == sorted, "the keys are not in ascending order");
    assert!(!text.contains("[]") && !text.contains(r#""description":"""#) && !text.contains("false,\"replace"));
}
