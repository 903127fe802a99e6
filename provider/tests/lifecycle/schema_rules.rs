//! What a schema forbids: every keyword, over small schemas.

use metadata::model::Type::{self, Any, Boolean, Number, String as Text};
use metadata::view::Resource;
use provider::lifecycle::{CheckRequest, Facts, Settings, check_with};
use provider::validate::Schema;
use serde_json::{Value as Json, json};

use crate::models::*;
use crate::values::{members, urn};

mod documents;
mod members;

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
