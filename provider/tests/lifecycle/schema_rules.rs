//! What a schema forbids: every keyword, over small schemas.

use metadata::model::Type::{self, Any, Boolean, Number, String as Text};
use metadata::view::Resource;
use provider::lifecycle::{Absence, CheckRequest, Facts, Settings, check_with};
use provider::validate::{Schema, Schemas};
use serde_json::{Value as Json, json};

use crate::models::*;
use crate::values::{members, urn};

fn thing() -> Resource {
    resource(|model| {
        let inner = object(model, [prop("one", Text), prop("two", Text), prop("three", Number), output("made", Text)]);
        let other = object(model, [required("kind", Text), prop("size", Number)]);
        model.properties = vec![
            prop("text", Text),
            prop("number", Number),
            prop("flag", Boolean),
            prop("items", list(Any)),
            prop("map", map(Text)),
            prop("inner", inner.clone()),
            prop("many", list(inner.clone())),
            prop("free", Any),
            prop("either", Type::Union(vec![inner, other])),
        ];
    })
}

/// The warnings about these inputs by a schema with these keywords at its root.
fn warned(schema: &Json, news: Json) -> Vec<String> {
    let schema = Schema::parse(&schema.to_string()).unwrap();
    let request = CheckRequest {
        urn: urn("thing"),
        olds: members(json!({})),
        news: members(news),
        random_seed: vec![0; 32],
        naming: None,
    };
    let facts = Facts { schema: Some(&schema), absent: None };
    check_with(thing(), request, &Settings::default(), facts).unwrap().warnings
}

/// A schema of one property.
#[track_caller]
fn rule(property: &str, keywords: Json, cases: &[(Json, &str)]) {
    let cfn_name = property[..1].to_uppercase() + &property[1..];
    let schema = json!({ "properties": { cfn_name: keywords } });
    for (value, expected) in cases {
        let said = warned(&schema, json!({ property: value })).join(" | ");
        assert_eq!(said, *expected, "{property}: {value} by {schema}");
        // What is not known yet is no mistake.
        assert_eq!(warned(&schema, json!({ property: "$unknown" })), Vec::<String>::new());
    }
}

#[test]
fn texts() {
    rule(
        "text",
        json!({ "type": "string", "minLength": 2, "maxLength": 3 }),
        &[
            (json!("äö"), ""),
            (json!("abc"), ""),
            (json!("ä"), "text: 1 character, where the schema allows 2 to 3"),
            (json!("abcd"), "text: 4 characters, where the schema allows 2 to 3"),
            (
                json!({ "$secret": "abcd" }),
                "text: its value has another number of characters than the schema allows, 2 to 3",
            ),
        ],
    );
    rule("text", json!({ "minLength": 2 }), &[(json!("a"), "text: 1 character, where the schema allows at least 2")]);
    rule("text", json!({ "maxLength": 1 }), &[(json!("ab"), "text: 2 characters, where the schema allows at most 1")]);
    rule(
        "text",
        json!({ "pattern": "^a" }),
        &[
            (json!("ab"), ""),
            (json!("ba"), "text: \"ba\" does not match the pattern ^a of the schema"),
            (json!({ "$secret": "ba" }), "text: its value does not match the pattern ^a of the schema"),
        ],
    );
    // No expression, or one that has no answer, says nothing.
    rule("text", json!({ "pattern": "(" }), &[(json!("x"), "")]);
    rule("text", json!({ "pattern": "^a$" }), &[(json!("a".repeat(100_000)), "")]);
    rule(
        "text",
        json!({ "pattern": "^b" }),
        &[(
            json!("a".repeat(90)),
            &format!("text: \"{}…\" does not match the pattern ^b of the schema", "a".repeat(80)),
        )],
    );
    // What is of another kind fails already.
    rule("text", json!({ "type": "integer", "pattern": "^b" }), &[(json!("a"), "")]);
    rule("text", json!({ "format": "date-time" }), &[(json!("yesterday"), "")]);
}

#[test]
fn numbers() {
    rule(
        "number",
        json!({ "minimum": 1, "maximum": 2.5 }),
        &[
            (json!(1), ""),
            (json!(2.5), ""),
            (json!(0), "number: 0 is outside what the schema allows, 1 to 2.5"),
            (json!(3), "number: 3 is outside what the schema allows, 1 to 2.5"),
            (json!({ "$secret": 3 }), "number: its value is outside what the schema allows, 1 to 2.5"),
        ],
    );
    rule(
        "number",
        json!({ "exclusiveMinimum": 1 }),
        &[(json!(1.1), ""), (json!(1), "number: 1 is outside what the schema allows, more than 1")],
    );
    rule(
        "number",
        json!({ "maximum": 2, "exclusiveMaximum": true, "minimum": 0 }),
        &[(json!(1), ""), (json!(2), "number: 2 is outside what the schema allows, at least 0 and less than 2")],
    );
    rule(
        "number",
        json!({ "multipleOf": 0.1 }),
        &[(json!(0.3), ""), (json!(0.25), "number: 0.25 is no multiple of 0.1")],
    );
    rule("number", json!({ "multipleOf": 0 }), &[(json!(3), "")]);
    rule(
        "number",
        json!({ "maximum": 1e6 }),
        &[(json!(3_000_000_000_u64), "number: 3000000000 is outside what the schema allows, at most 1000000")],
    );
}

#[test]
fn lists_of_values() {
    rule(
        "text",
        json!({ "enum": ["a", "b"] }),
        &[(json!("a"), ""), (json!("A"), "text: \"A\" is not among the values in the schema: \"a\", \"b\"")],
    );
    rule(
        "text",
        json!({ "enumCaseInsensitive": ["a", "b"] }),
        &[(json!("A"), ""), (json!("c"), "text: \"c\" is not among the values in the schema: \"a\", \"b\"")],
    );
    rule("text", json!({ "const": "a" }), &[(json!("b"), "text: \"b\" is not among the values in the schema: \"a\"")]);
    rule(
        "number",
        json!({ "enum": [1, 2] }),
        &[(json!(2), ""), (json!(3), "number: 3 is not among the values in the schema: 1, 2")],
    );
    rule(
        "flag",
        json!({ "enum": [true] }),
        &[(json!(false), "flag: false is not among the values in the schema: true")],
    );
}

#[test]
fn numbers_of_parts() {
    rule(
        "items",
        json!({ "minItems": 1, "maxItems": 2 }),
        &[
            (json!(["a"]), ""),
            (json!(["$unknown", "$unknown"]), ""),
            (json!([]), "items: 0 elements, where the schema allows 1 to 2"),
            (json!([1, 2, 3]), "items: 3 elements, where the schema allows 1 to 2"),
        ],
    );
    rule(
        "items",
        json!({ "uniqueItems": true }),
        &[
            (json!(["a", "b", 1, "1", true, "true", ["a"], { "a": 1 }, { "a": 2 }]), ""),
            (
                json!(["a", { "$secret": "b" }, "b"]),
                "items: elements [1] and [2] are equal, where the schema wants each once",
            ),
            (
                json!([{ "a": 1, "b": [0] }, { "b": [0], "a": 1 }]),
                "items: elements [0] and [1] are equal, where the schema wants each once",
            ),
            (json!(["$unknown", "$unknown"]), ""),
        ],
    );
    rule(
        "items",
        json!({ "items": { "enum": ["a"] } }),
        &[(json!(["a", "b"]), "items[1]: \"b\" is not among the values in the schema: \"a\"")],
    );
    rule(
        "items",
        json!({ "items": [{ "enum": ["a"] }, { "enum": ["b"] }] }),
        &[(json!(["a", "b", "c"]), ""), (json!(["b"]), "items[0]: \"b\" is not among the values in the schema: \"a\"")],
    );
    rule(
        "map",
        json!({ "minProperties": 1, "maxProperties": 1 }),
        &[
            (json!({ "k": "v" }), ""),
            (json!({}), "map: 0 keys, where the schema allows exactly 1"),
            (json!({ "k": "$unknown", "l": "v" }), ""),
        ],
    );
    rule(
        "map",
        json!({ "patternProperties": { "^[a-z]+$": { "maxLength": 1 } }, "additionalProperties": false }),
        &[
            (json!({ "k": "v" }), ""),
            (json!({ "K": "v" }), "map: the key \"K\" does not match the pattern ^[a-z]+$ of the schema"),
            (json!({ "$secret": { "K": "v" } }), "map: a key does not match the pattern ^[a-z]+$ of the schema"),
            (json!({ "k": "vv" }), "map.k: 2 characters, where the schema allows at most 1"),
        ],
    );
}

#[test]
fn members_that_belong_together() {
    let inner = |keywords: Json, cases: &[(Json, &str)]| rule("inner", keywords, cases);
    inner(
        json!({ "requiredXor": ["One", "Two"] }),
        &[
            (json!({ "one": "a" }), ""),
            (json!({}), "inner: exactly one of one, two must be given"),
            (json!({ "one": "a", "two": "b" }), "inner: exactly one of one, two must be given"),
            (json!({ "one": "$unknown" }), ""),
            (json!({ "one": "$unknown", "two": "b" }), ""),
            (json!({ "$secret": {} }), ""),
        ],
    );
    inner(
        json!({ "requiredOr": ["One", "Two"] }),
        &[
            (json!({ "one": "a", "two": "b" }), ""),
            (json!({ "three": 1 }), "inner: at least one of one, two must be given"),
        ],
    );
    for keyword in ["dependentRequired", "dependencies"] {
        inner(
            json!({ keyword: { "One": ["Two"] } }),
            &[
                (json!({ "two": "a" }), ""),
                (json!({ "one": "a", "two": "$unknown" }), ""),
                (json!({ "one": "a" }), "inner: one needs two"),
            ],
        );
    }
    inner(
        json!({ "dependentExcluded": { "One": ["Two"], "Two": ["One"] } }),
        &[(json!({ "one": "a" }), ""), (json!({ "one": "a", "two": "b" }), "inner: one excludes two")],
    );
    // What the service sets is not the program's to give.
    inner(json!({ "requiredOr": ["One", "Made"] }), &[(json!({}), "")]);
}

#[test]
fn alternatives() {
    let inner = |keywords: Json, cases: &[(Json, &str)]| rule("inner", keywords, cases);
    inner(
        json!({ "oneOf": [{ "required": ["One"] }, { "required": ["Two", "Three"] }] }),
        &[
            (json!({ "one": "a" }), ""),
            (json!({ "two": "a", "three": 1 }), ""),
            (json!({ "two": "a" }), "inner: exactly one of one, two with three must be given"),
            (json!({ "one": "a", "two": "a", "three": 1 }), "inner: exactly one of one, two with three must be given"),
        ],
    );
    inner(
        json!({ "anyOf": [{ "required": ["One"] }, { "required": ["Two"] }] }),
        &[
            (json!({ "one": "a", "two": "b" }), ""),
            (json!({ "three": 1 }), "inner: at least one of one, two must be given"),
        ],
    );
    inner(
        json!({ "allOf": [{ "required": ["One"] }, { "properties": { "Two": { "maxLength": 1 } } }] }),
        &[
            (json!({ "one": "a" }), ""),
            (
                json!({ "two": "ab" }),
                "inner: one must be given | inner/two: 2 characters, where the schema allows at most 1",
            ),
        ],
    );
    inner(
        json!({ "not": { "required": ["One", "Two"] } }),
        &[
            (json!({ "one": "a" }), ""),
            (json!({ "one": "a", "two": "b" }), "inner: one, two must not be given together"),
        ],
    );
    for (not, given, expected) in [
        (json!({ "required": ["One"] }), json!({ "one": "a" }), "inner: one must not be given here"),
        (
            json!({ "properties": { "One": { "enum": ["a"] } }, "required": ["One"] }),
            json!({ "one": "a" }),
            "inner: the schema rules out this value of one",
        ),
        (
            json!({ "properties": { "One": { "enum": ["a"] } }, "required": ["One", "Two"] }),
            json!({ "one": "a", "two": "b" }),
            "inner: the schema rules out these values of one, two together",
        ),
        // Of several rules the one that is broken.
        (
            json!({ "anyOf": [{ "required": ["Two"] }, { "required": ["One", "Three"] }] }),
            json!({ "one": "a", "three": 1 }),
            "inner: one, three must not be given together",
        ),
        (json!({ "type": "object" }), json!({ "one": "a" }), "inner: the schema rules this value out"),
    ] {
        inner(json!({ "not": not }), &[(given, expected)]);
    }
    for (not, value, expected) in [
        (
            json!({ "enum": ["admin", "root"] }),
            json!("root"),
            r#"inner/one: "root" is among the values that the schema rules out: "admin", "root""#,
        ),
        (
            json!({ "pattern": "^aws" }),
            json!("aws-x"),
            r#"inner/one: "aws-x" matches the pattern ^aws, which the schema rules out"#,
        ),
        (json!({ "maxLength": 2 }), json!("ab"), r#"inner/one: "ab" is a value that the schema rules out"#),
        (
            json!({ "enum": ["hunter22"] }),
            json!({ "$secret": "hunter22" }),
            "inner/one: its value is one that the schema rules out",
        ),
    ] {
        inner(json!({ "properties": { "One": { "not": not } } }), &[(json!({ "one": value }), expected)]);
    }
    let condition = json!({
        "if": { "required": ["One"] },
        "then": { "required": ["Two"] },
        "else": { "properties": { "Three": { "minimum": 1 } } },
    });
    inner(
        condition,
        &[
            (json!({ "one": "a", "two": "b", "three": 0 }), ""),
            (json!({ "one": "a" }), "inner: two must be given"),
            (json!({ "three": 0 }), "inner/three: 0 is outside what the schema allows, at least 1"),
            (json!({ "one": "$unknown", "three": 0 }), ""),
        ],
    );
    rule(
        "free",
        json!({ "anyOf": [{ "type": "string", "enum": ["ON"] }, { "pattern": "^[Oo][Nn]$" }] }),
        &[(json!("on"), ""), (json!("off"), "free: \"off\" is not among the values in the schema: \"ON\"")],
    );
    rule(
        "free",
        json!({ "oneOf": [{ "type": "object", "required": ["A"] }, { "type": "array" }, { "type": "string" }] }),
        &[
            (json!("x"), ""),
            (json!({ "A": 1 }), ""),
            (json!({}), "free: fits none of the 3 forms of the schema"),
            (json!(1), "free: fits none of the 3 forms of the schema"),
        ],
    );
    rule(
        "number",
        json!({ "oneOf": [{ "minimum": 1 }, { "maximum": 5 }] }),
        &[(json!(0), ""), (json!(3), "number: fits more than one of the 2 forms of the schema")],
    );
    // Where only one form can be meant, its own rules are told.
    let either = json!({ "oneOf": [
        { "type": "object", "properties": { "One": { "maxLength": 1 } }, "additionalProperties": false },
        { "type": "object", "properties": { "Kind": { "enum": ["k"] }, "Size": {} }, "required": ["Kind"], "additionalProperties": false },
    ] });
    rule(
        "either",
        either,
        &[
            (json!({ "one": "a" }), ""),
            (json!({ "kind": "k" }), ""),
            (json!({ "one": "ab" }), "either/one: 2 characters, where the schema allows at most 1"),
            (json!({ "kind": "x" }), "either/kind: \"x\" is not among the values in the schema: \"k\""),
        ],
    );
}

#[test]
fn kinds_where_only_the_schema_knows_them() {
    rule(
        "free",
        json!({ "type": "object" }),
        &[
            (json!({}), ""),
            (json!([]), "free: an array, where the schema allows object"),
            (json!({ "$secret": "x" }), "free: a string, where the schema allows object"),
        ],
    );
    rule(
        "free",
        json!({ "type": ["object", "string"] }),
        &[(json!("{}"), ""), (json!(1), "free: a number, where the schema allows object or string")],
    );
}

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
