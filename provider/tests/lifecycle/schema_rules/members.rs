//! Keywords that say which members belong together.

use serde_json::{Value as Json, json};

use super::rule;

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
