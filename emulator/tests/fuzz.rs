//! Inputs that nobody would write on purpose, made from pieces of those that somebody would. A number of them by default;
//! `EMULATOR_FUZZ_SECONDS` makes each kind go on for that long. What ever went wrong stands in `HOSTILE` and is always
//! run.

#![allow(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "a test stops at the first surprise, and only a variable reaches it"
)]

use emulator::fuzz;
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use serde_json::{Value, json};
use std::time::{Duration, Instant};

/// Inputs of a kind by default.
const CASES: u32 = 400;

/// The longest that one input may take, on a slow and busy machine.
const LONGEST: Duration = Duration::from_secs(20);

const HOSTILE: &[&str] = &[
    "",
    "{}",
    "[]",
    "null",
    "\u{feff}{}",
    "{\"TypeName\":\"Test::Fuzz::Thing\",\"DesiredState\":\"{\\\"Name\\\":\\\"a|b\\\",\\\"Part\\\":\\\"|\\\"}\"}",
    "{\"TypeName\":\"Test::Fuzz::Thing\",\"DesiredState\":\"{\\\"Name\\\":\\\"\\\",\\\"Part\\\":\\\"\\\\u0000\\\"}\"}",
    "[{\"op\":\"copy\",\"from\":\"\",\"path\":\"/Free/x\"},{\"op\":\"copy\",\"from\":\"\",\"path\":\"/Free/y\"}]",
    "[{\"op\":\"move\",\"from\":\"/Free\",\"path\":\"/Free/a\"}]",
    "[{\"op\":\"add\",\"path\":\"/List/99999999999999999999\",\"value\":1}]",
    "[{\"op\":\"replace\",\"path\":\"\",\"value\":null}]",
    "{\"/properties/Name\":\"a\",\"Part\":1}",
    "{\"typeName\":\"Test::Fuzz::Self\",\"properties\":{\"A\":{\"$ref\":\"#/properties/A\"}},\"primaryIdentifier\":[\"/properties/A\"],\"handlers\":{\"create\":{}}}",
    "{\"typeName\":\"Test::Fuzz::Odd\",\"properties\":[],\"primaryIdentifier\":\"x\",\"handlers\":{\"create\":1,\"list\":{\"handlerSchema\":[]}}}",
    "{\"typeName\":\"Test::Fuzz::Pat\",\"properties\":{\"A\":{\"type\":\"string\",\"pattern\":\"(a+)+$\"}},\"primaryIdentifier\":[\"/properties/A\"],\"handlers\":{\"create\":{}}}",
    "{\"operation\":\"CreateResource\",\"decisions\":[{\"rule\":\"r\",\"subject\":\"x\",\"occurrence\":0,\"then\":\"twice\"}]}",
    "then: { slow: { factor: 1.0e308 } }",
    "when: { from: 99999999999h }\nthen: twice",
    "rules: [*a]\n",
    "a: &a [*a]",
];

/// Names and texts that mean something somewhere.
fn word() -> impl Strategy<Value = String> {
    let words = [
        "TypeName",
        "DesiredState",
        "PatchDocument",
        "Identifier",
        "RequestToken",
        "ClientToken",
        "ResourceModel",
        "NextToken",
        "Name",
        "Part",
        "Arn",
        "Secret",
        "Count",
        "List",
        "Key",
        "Free",
        "Test::Fuzz::Thing",
        "op",
        "path",
        "from",
        "value",
        "add",
        "remove",
        "replace",
        "move",
        "copy",
        "test",
        "/Name",
        "/List/0/Key",
        "/List/-",
        "/Free/~1~0",
        "typeName",
        "properties",
        "definitions",
        "$ref",
        "#/definitions/A",
        "type",
        "object",
        "array",
        "string",
        "pattern",
        "enum",
        "oneOf",
        "primaryIdentifier",
        "/properties/Name",
        "readOnlyProperties",
        "handlers",
        "create",
        "list",
        "handlerSchema",
        "required",
        "rules",
        "when",
        "then",
        "fail",
        "code",
        "NotStabilized",
        "throttle",
        "probability",
        "operation",
        "decisions",
        "rule",
        "subject",
        "occurrence",
        "extends",
        "switches",
        "latency",
        "",
    ];
    prop_oneof![4 => proptest::sample::select(words.to_vec()).prop_map(str::to_owned), 1 => "\\PC{0,12}"]
}

fn document() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        word().prop_map(Value::from),
    ];
    leaf.prop_recursive(5, 40, 6, |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..5).prop_map(Value::from),
            proptest::collection::vec((word(), inner.clone()), 0..6)
                .prop_map(|pairs| Value::Object(pairs.into_iter().collect())),
            // A document in a text, as requests have them.
            inner.prop_map(|value| Value::from(value.to_string())),
        ]
    })
}

/// A document as text, now and then with something missing or added.
fn text(documents: impl Strategy<Value = Value>) -> impl Strategy<Value = String> {
    (documents, any::<prop::sample::Index>(), 0..8_u8, any::<char>()).prop_map(|(document, at, what, other)| {
        let mut characters: Vec<char> = document.to_string().chars().collect();
        let at = at.index(characters.len().max(1)).min(characters.len().saturating_sub(1));
        match what {
            0 => drop(characters.drain(at..)),
            1 => characters.insert(at, other),
            2 if !characters.is_empty() => drop(characters.remove(at)),
            _ => {}
        }
        characters.into_iter().collect()
    })
}

/// An object with what a kind of input needs, and whatever else.
fn with(required: Value) -> impl Strategy<Value = Value> {
    proptest::collection::vec((word(), document()), 0..6).prop_map(move |pairs| {
        let mut object = required.clone();
        pairs.into_iter().for_each(|(name, value)| object[name] = value);
        object
    })
}

fn run(body: fn(&str), inputs: impl Strategy<Value = String>) {
    let check = |text: &str| {
        let began = Instant::now();
        body(text);
        assert!(began.elapsed() < LONGEST, "{text} takes too long");
    };
    HOSTILE.iter().for_each(|text| check(text));
    let seconds =
        std::env::var("EMULATOR_FUZZ_SECONDS").ok().and_then(|seconds| seconds.parse().ok()).map(Duration::from_secs);
    let config = Config { cases: CASES, failure_persistence: None, ..Config::default() };
    // The default run is the same every time; the long ones are not.
    let mut runner = match seconds {
        None => TestRunner::new_with_rng(
            config,
            proptest::test_runner::TestRng::deterministic_rng(proptest::test_runner::RngAlgorithm::ChaCha),
        ),
        Some(_) => TestRunner::new(config),
    };
    let began = Instant::now();
    loop {
        runner
            .run(&inputs, |text| {
                check(&text);
                Ok(())
            })
            .unwrap();
        if seconds.is_none_or(|seconds| began.elapsed() >= seconds) {
            return;
        }
    }
}

#[test]
fn no_request_body_ends_the_emulator() {
    let thing = json!({"TypeName": "Test::Fuzz::Thing", "DesiredState": "{\"Name\":\"a\",\"Part\":\"b\"}", "Identifier": "a|b", "PatchDocument": "[]", "RequestToken": "t"});
    run(fuzz::request_body, text(with(thing)));
}

#[test]
fn no_patch_ends_the_emulator() {
    let operation = with(json!({"op": "replace", "path": "/Name", "value": 1}));
    run(fuzz::patch_document, text(proptest::collection::vec(operation, 0..6).prop_map(Value::from)));
}

#[test]
fn no_identifier_ends_the_emulator() {
    run(fuzz::identifier, prop_oneof![text(document()), "[ -~]{0,20}", "\\PC{0,20}"]);
}

#[test]
fn no_schema_ends_the_emulator() {
    let schema = json!({
        "typeName": "Test::Fuzz::Thing", "properties": {"Name": {"type": "string"}}, "primaryIdentifier": ["/properties/Name"],
        "handlers": {"create": {}, "read": {}, "update": {}, "delete": {}, "list": {}},
    });
    let inner = (with(schema), document()).prop_map(|(mut schema, any)| {
        schema["properties"] = json!({"Name": {"type": "string"}, "Other": any});
        schema
    });
    run(fuzz::schema_file, text(inner));
}

#[test]
fn no_log_ends_the_emulator() {
    let decision = json!([{"rule": "r", "subject": "s", "occurrence": 1, "then": {"fail": {"code": "NotStabilized"}}}]);
    run(fuzz::log_file, text(with(json!({"operation": "CreateResource", "decisions": decision}))));
}

#[test]
fn no_profile_ends_the_emulator() {
    let rule = json!({"when": {"operation": "create"}, "then": {"throttle": {}}});
    run(fuzz::profile_file, text(prop_oneof![with(rule.clone()), with(json!({"rules": [rule]}))]));
}
