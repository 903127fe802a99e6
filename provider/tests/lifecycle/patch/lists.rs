//! Lists and sets: which elements an operation takes along, and by what they are known.

use metadata::model::Type::{Integer, String as Text};
use serde_json::json;

use super::check;
use crate::models::*;
use crate::types;

#[test]
fn replaced_lists_carry_along_what_the_service_added() {
    let rules = resource(|model| {
        let rule = object(model, [prop("id", Text), prop("days", Integer), prop("made", Text), prop("fixed", Text)]);
        model.properties = vec![prop("rules", list(rule))];
        model.create_only = paths(&["rules/*/fixed"]);
        model.read_only = paths(&["rules/*/made"]);
    });
    let live =
        json!({ "Rules": [{ "Id": "a", "Days": 1, "Made": "m", "Fixed": "f", "Extra": 1 }, { "Id": "b", "Days": 2 }] });
    let new = json!({ "rules": [{ "id": "b", "days": 2 }, { "id": "a", "days": 3, "fixed": "f" }] });
    check(
        rules,
        json!({ "rules": [{ "id": "a", "days": 1, "fixed": "f" }, { "id": "b", "days": 2 }] }),
        new,
        live,
        json!([
            { "op": "replace", "path": "/Rules", "value": [
                { "Id": "b", "Days": 2 },
                { "Id": "a", "Days": 3, "Made": "m", "Fixed": "f", "Extra": 1 },
            ] },
        ]),
    );
}

/// `AWS::MSK::Replicator` is such a type: its elements have no name, and where they copy from is fixed.
#[test]
fn an_element_of_a_set_is_known_by_what_only_creation_can_set() {
    let replicator = resource(|model| {
        let topics = object(model, [prop("exclude", list(Text)), prop("start", Text)]);
        let info = object(model, [prop("source", Text), prop("target", Text), prop("topics", topics)]);
        model.properties = vec![prop("infos", list(info))];
        model.create_only = paths(&["infos/*/source", "infos/*/target", "infos/*/topics/start"]);
        model.unordered = paths(&["infos"]);
    });
    let info = |source: &str, exclude: &str| json!({ "source": source, "target": "t", "topics": { "exclude": [exclude], "start": "s" } });
    let held = |source: &str, exclude: &str| json!({ "Source": source, "Target": "t", "Topics": { "Exclude": [exclude], "Start": "s" } });
    check(
        replicator,
        json!({ "infos": [info("a", "x"), info("b", "x")] }),
        json!({ "infos": [info("a", "y"), info("b", "z")] }),
        json!({ "Infos": [held("b", "x"), held("a", "x")] }),
        json!([
            { "op": "replace", "path": "/Infos", "value": [held("a", "y"), held("b", "z")] },
        ]),
    );
    // Two that are made alike are not told apart, and one that was made otherwise is another one.
    check(
        replicator,
        json!({ "infos": [info("a", "x"), info("a", "w")] }),
        json!({ "infos": [info("a", "y")] }),
        json!({ "Infos": [held("a", "w"), held("a", "x")] }),
        json!([
            { "op": "replace", "path": "/Infos", "value": [{ "Topics": { "Exclude": ["y"] } }] },
        ]),
    );
}

#[test]
fn an_element_that_only_creation_may_set_keeps_its_place() {
    let pool = resource(|model| {
        let member = object(model, [prop("fixed", Text)]);
        model.properties = vec![prop("members", list(member))];
        model.create_only = paths(&["members/*/fixed"]);
    });
    check(
        pool,
        json!({ "members": [{ "fixed": "a" }] }),
        json!({ "members": [{ "fixed": "a" }, { "fixed": "b" }] }),
        json!({ "Members": [{ "Fixed": "a" }] }),
        json!([
            { "op": "replace", "path": "/Members", "value": [{ "Fixed": "a" }, {}] },
        ]),
    );
}

#[test]
fn c23_a_reordered_set_is_not_sent() {
    let (old, new) =
        (json!({ "managedPolicyArns": ["z", "a"] }), json!({ "managedPolicyArns": ["a", "z"], "description": "d" }));
    check(
        types::role(),
        old,
        new,
        json!({ "ManagedPolicyArns": ["a", "z"] }),
        json!([
            { "op": "add", "path": "/Description", "value": "d" },
        ]),
    );
}
