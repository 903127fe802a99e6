//! The same schemas make the same output, whatever order they come in.
#![allow(clippy::unwrap_used)] // Serialization of plain data does not fail.

mod common;

use common::run;
use serde_json::{Value, json};

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
            "primaryIdentifier": ["/properties/Name"]
        })
    };
    let mut documents: Vec<_> = (0..20).map(document).collect();
    documents.push(json!({"typeName": "AWS::Zoo0::Bad", "properties": 1}));
    documents
}

fn bytes(documents: Vec<Value>) -> (Vec<u8>, Vec<u8>, Vec<u8>, Vec<u8>, String) {
    let output = run(documents);
    (
        serde_json::to_vec(&output.package).unwrap(),
        codegen::metadata_json(&output).unwrap(),
        serde_json::to_vec(&output.resources).unwrap(),
        serde_json::to_vec(&output.report).unwrap(),
        output.skips.iter().map(|skip| format!("{:?} {}", skip.type_name, skip.reason)).collect(),
    )
}

#[test]
fn the_order_of_the_input_does_not_matter() {
    let sorted = bytes(documents());
    let mut documents = documents();
    documents.reverse();
    assert_eq!(bytes(documents.clone()), sorted);
    // A fixed riffle: deterministic, and unlike either order.
    let (even, odd): (Vec<_>, Vec<_>) = documents.into_iter().enumerate().partition(|(index, _)| index % 2 == 0);
    let riffled = odd.into_iter().chain(even).map(|(_, document)| document).collect();
    assert_eq!(bytes(riffled), sorted);
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
