//! No secret is ever in clear, wherever the service echoes it.

use metadata::model::Type::{Any, String as Text};
use metadata::view::Resource;
use provider::baseline::outputs;
use serde_json::{Value as Json, json};

use crate::models::*;
use crate::types;
use crate::values::{members, val};

fn shapes() -> Resource {
    resource(|model| {
        let origin = object(model, [prop("name", Text), prop("header", Text), prop("made", Text)]);
        model.properties = vec![
            prop("value", Text),
            prop("origins", list(origin.clone())),
            prop("ordered", list(Text)),
            prop("free", Any),
            prop("config", origin),
        ];
        tag_list(model);
        model.unordered = paths(&["origins"]);
        model.write_only = paths(&["origins/*/header"]);
    })
}

#[track_caller]
fn check(resource: Resource, inputs: Json, model: Json, expected: Json) {
    let mut found = outputs(resource, &model, &members(inputs)).unwrap();
    found.remove("__inputs");
    assert_eq!(found, members(expected));
}

#[test]
fn c86_echoes_of_secrets_are_secret_at_the_same_path() {
    check(
        types::function(),
        json!({ "environment": { "variables": { "TOKEN": { "$secret": "canary" }, "A": "1" } } }),
        json!({ "Environment": { "Variables": { "TOKEN": "canary", "A": "1" } } }),
        json!({ "environment": { "variables": { "TOKEN": { "$secret": "canary" }, "A": "1" } } }),
    );
    check(
        shapes(),
        json!({ "value": { "$secret": "canary" } }),
        json!({ "Value": "canary" }),
        json!({ "value": { "$secret": "canary" } }),
    );
    check(
        shapes(),
        json!({ "config": { "$secret": { "name": "n", "header": { "$secret": "h" } } } }),
        json!({ "Config": { "Name": "n", "Header": "h", "Made": "m" } }),
        json!({ "config": { "$secret": { "name": "n", "header": "h", "made": "m" } } }),
    );
    // Below lists in maps.
    check(
        shapes(),
        json!({ "free": { "a": [{ "n": "1", "p": { "$secret": "canary" } }] } }),
        json!({ "Free": { "a": [{ "n": "1", "p": "canary" }] } }),
        json!({ "free": { "a": [{ "n": "1", "p": { "$secret": "canary" } }] } }),
    );
    // The service answers with text where an object was given.
    check(
        shapes(),
        json!({ "free": { "password": { "$secret": "canary" } } }),
        json!({ "Free": "{\"password\":\"canary\"}" }),
        json!({ "free": { "$secret": "{\"password\":\"canary\"}" } }),
    );
}

#[test]
fn c86_a_secret_that_changed_its_key_outside_is_secret_there() {
    let variables = |variables: Json| json!({ "environment": { "variables": variables } });
    check(
        types::function(),
        variables(json!({ "TOKEN": { "$secret": "canary" }, "A": "1" })),
        json!({ "Environment": { "Variables": { "TOKEN_2": "canary", "A": "1" } } }),
        variables(json!({ "TOKEN_2": { "$secret": "canary" }, "A": "1" })),
    );
    // As long as it is where it was, strangers are strangers.
    check(
        types::function(),
        variables(json!({ "TOKEN": { "$secret": "canary" } })),
        json!({ "Environment": { "Variables": { "TOKEN": "canary", "B": "2" } } }),
        variables(json!({ "TOKEN": { "$secret": "canary" }, "B": "2" })),
    );
    // In free-form objects, at any depth, and with secrets deeper down.
    check(
        shapes(),
        json!({ "free": { "a": { "b": { "$secret": "canary" }, "n": 1 } } }),
        json!({ "Free": { "a": { "c": ["canary"], "n": 1 } } }),
        json!({ "free": { "a": { "c": { "$secret": ["canary"] }, "n": 1 } } }),
    );
    check(
        shapes(),
        json!({ "free": { "a": [{ "p": { "$secret": "canary" } }] } }),
        json!({ "Free": { "b": [{ "p": "canary" }] } }),
        json!({ "free": { "b": { "$secret": [{ "p": "canary" }] } } }),
    );
    check(
        shapes(),
        json!({ "free": { "a": [{ "name": "x", "env": { "P": { "$secret": "canary" } } }] } }),
        json!({ "Free": { "a": [{ "name": "x", "env": { "Q": "canary" } }] } }),
        json!({ "free": { "a": [{ "name": "x", "env": { "Q": { "$secret": "canary" } } }] } }),
    );
    // Names that the schema has mean what they say; others may be the member that is missing.
    check(
        shapes(),
        json!({ "config": { "header": { "$secret": "canary" } } }),
        json!({ "Config": { "Made": "m", "HeaderText": "canary" } }),
        json!({ "config": { "made": "m", "headerText": { "$secret": "canary" } } }),
    );
}

#[test]
fn marks_follow_elements_that_moved() {
    let tag = |key: &str, value: Json| json!({ "key": key, "value": value });
    check(
        shapes(),
        json!({ "tags": [tag("a", json!({ "$secret": "s" })), tag("b", json!("1"))] }),
        json!({ "Tags": [{ "Key": "b", "Value": "1" }, { "Key": "a", "Value": "s" }] }),
        json!({ "tags": [tag("b", json!("1")), tag("a", json!({ "$secret": "s" }))] }),
    );
    // Hidden values go with their element too, and keep their marks.
    check(
        shapes(),
        json!({ "origins": [{ "name": "x", "header": { "$secret": "hx" } }, { "name": "y", "header": "hy" }] }),
        json!({ "Origins": [{ "Name": "y", "Made": "1" }, { "Name": "x", "Made": "2" }] }),
        json!({ "origins": [
            { "name": "y", "header": "hy", "made": "1" },
            { "name": "x", "header": { "$secret": "hx" }, "made": "2" },
        ] }),
    );
}

#[test]
fn when_in_doubt_the_whole_list_is_secret() {
    check(
        shapes(),
        json!({ "ordered": [{ "$secret": "one" }, "two"] }),
        json!({ "Ordered": ["two", "changed"] }),
        json!({ "ordered": { "$secret": ["two", "changed"] } }),
    );
    check(
        shapes(),
        json!({ "ordered": [{ "$secret": "one" }, "two"] }),
        json!({ "Ordered": ["two", "one"] }),
        json!({ "ordered": ["two", { "$secret": "one" }] }),
    );
}

#[test]
fn what_was_removed_is_not_brought_back_by_its_hidden_member() {
    let canary = resource(|model| {
        let run = object(model, [prop("env", Text), prop("timeout", Text)]);
        model.properties = vec![prop("run", run)];
        model.write_only = paths(&["run/env"]);
    });
    check(canary, json!({ "run": { "env": "e", "timeout": "1" } }), json!({}), json!({}));
    check(canary, json!({ "run": { "env": "e" } }), json!({}), json!({ "run": { "env": "e" } }));
    check(
        canary,
        json!({ "run": { "env": "e", "timeout": "1" } }),
        json!({ "Run": { "Timeout": "1" } }),
        json!({ "run": { "env": "e", "timeout": "1" } }),
    );
}

#[test]
fn debug_text_and_json_of_marks() {
    // The marks that the tests write are the marks of the value model.
    assert_eq!(val(json!({ "$secret": 1 })), value::Value::secret(1));
}
