//! Schemas as whole documents: references, what is none, where its rules fail the check, how many are kept.

use provider::lifecycle::{Absence, CheckRequest, Facts, Settings, check_with};
use provider::validate::{Schema, Schemas};
use serde_json::json;

use super::{thing, warned};
use crate::values::{members, urn};

#[test]
fn the_whole_has_no_path() {
    let schema = json!({ "requiredXor": ["Text", "Number"], "properties": {} });
    assert_eq!(warned(&schema, json!({})), ["exactly one of text, number must be given"]);
}

#[test]
fn references_are_followed_and_circles_end() {
    let schema = json!({
        "definitions": {
            "Short": { "maxLength": 1 },
            "Alias": { "$ref": "#/definitions/Short" },
            "Self": { "$ref": "#/definitions/Self" },
            "Loop": { "allOf": [{ "$ref": "#/definitions/Loop" }], "anyOf": [{ "$ref": "#/definitions/Loop" }, { "$ref": "#/definitions/Loop" }] },
            "Tree": { "properties": { "Text": { "$ref": "#/definitions/Short" }, "Free": { "$ref": "#/definitions/Tree" } } },
        },
        "properties": {
            "Text": { "$ref": "#/definitions/Alias" },
            "Number": { "$ref": "#/definitions/Self" },
            "Flag": { "$ref": "#/definitions/Nothing" },
            "Items": { "$ref": "#/definitions/Loop" },
            "Free": { "$ref": "#/definitions/Tree" },
        },
    });
    let mut deep = json!({ "Text": "ab" });
    for _ in 0..400 {
        deep = json!({ "Free": deep });
    }
    let said = warned(&schema, json!({ "text": "ab", "number": 1, "flag": true, "free": deep }));
    assert_eq!(said, ["text: 2 characters, where the schema allows at most 1"]);
    // A schema of itself twice would never end; what is left unsaid for it is said elsewhere.
    assert_eq!(warned(&schema, json!({ "items": [1] })), Vec::<String>::new());
    let said = warned(&schema, json!({ "free": { "Free": { "Text": "ab" } } }));
    assert_eq!(said, ["free.Free.Text: 2 characters, where the schema allows at most 1"]);
}

#[test]
fn what_is_no_schema_says_nothing() {
    for text in ["", "[]", "1", "{"] {
        assert!(Schema::parse(text).is_none(), "{text}");
    }
    for schema in [json!({}), json!({ "properties": 1, "oneOf": {}, "items": true, "required": "x", "enum": 1 })] {
        assert_eq!(warned(&schema, json!({ "text": "a", "items": [1] })), Vec::<String>::new());
    }
}

#[test]
fn strict_validation_fails_in_the_same_words() {
    let schema = Schema::parse(
        &json!({ "properties": { "Inner": { "properties": { "One": { "maxLength": 1 } } } } }).to_string(),
    )
    .unwrap();
    let request = CheckRequest {
        urn: urn("thing"),
        olds: members(json!({})),
        news: members(json!({ "inner": { "one": "ab" } })),
        random_seed: vec![0; 32],
        naming: None,
    };
    let settings = Settings { strict: true, ..Settings::default() };
    let facts = Facts { schema: Some(&schema), absent: None };
    let answer = check_with(thing(), request, &settings, facts).unwrap();
    assert!(answer.warnings.is_empty());
    let [failure] = &answer.failures[..] else { panic!("{answer:?}") };
    assert_eq!(failure.property, "inner.one");
    assert_eq!(failure.reason, "inner/one: 2 characters, where the schema allows at most 1");
}

#[test]
fn c51_a_region_without_the_type_is_a_warning() {
    let request = CheckRequest {
        urn: urn("thing"),
        olds: members(json!({})),
        news: members(json!({})),
        random_seed: vec![0; 32],
        naming: None,
    };
    let absent = Some(Absence { region: "us-east-2", offered_in: &["us-west-2"] });
    let answer = check_with(thing(), request, &Settings::default(), Facts { schema: None, absent }).unwrap();
    assert!(answer.failures.is_empty());
    assert_eq!(
        answer.warnings,
        ["AWS::Test::Thing is not offered in us-east-2, as far as this version knows; it is in us-west-2"]
    );
}

#[test]
fn recent_schemas_are_kept() {
    use std::sync::atomic::{AtomicUsize, Ordering};
    static READ: AtomicUsize = AtomicUsize::new(0);
    let schemas = Schemas::new(|name| {
        READ.fetch_add(1, Ordering::Relaxed);
        (name != "AWS::No::Schema").then(|| "{}".to_owned())
    });
    assert!(schemas.get("AWS::A::B").is_some() && schemas.get("AWS::A::B").is_some());
    assert!(schemas.get("AWS::No::Schema").is_none() && schemas.get("AWS::No::Schema").is_none());
    assert_eq!(READ.load(Ordering::Relaxed), 2);
    for index in 0..200 {
        schemas.get(format!("AWS::Many::T{index}").leak());
    }
    let before = READ.load(Ordering::Relaxed);
    schemas.get("AWS::Many::T199");
    assert_eq!(READ.load(Ordering::Relaxed), before);
    schemas.get("AWS::A::B");
    assert_eq!(READ.load(Ordering::Relaxed), before + 1);
}
