//! What a refresh makes of changes that somebody else made.

use metadata::model::Type::{self, Integer, String as Text};
use provider::patch::{Update, patch};
use serde_json::{Value as Json, json};

use crate::models::*;
use crate::refresh::{check, refreshed};
use crate::values::{members, state};

#[tokio::test]
async fn another_arm_that_somebody_chose_shows_as_it_is() {
    let target = resource(|model| {
        let schema = object(model, [required("inline", Text), prop("note", Text)]);
        let lambda = object(model, [required("arn", Text), prop("note", Text)]);
        let arms = Type::Union(vec![schema, lambda]);
        model.properties = vec![prop("target", arms.clone()), prop("targets", map(arms))];
    });
    for (own, held, expected) in [
        (json!({ "inline": "x" }), json!({ "Arn": "a" }), json!({ "arn": "a" })),
        (json!({ "inline": "x", "note": "n" }), json!({ "Arn": "a", "Note": "n" }), json!({ "arn": "a", "note": "n" })),
        // The same arm, with something that the service added.
        (json!({ "inline": "x" }), json!({ "Inline": "y", "Note": "n" }), json!({ "inline": "y" })),
    ] {
        let inputs = json!({ "target": own, "targets": { "k": own } });
        let live = json!({ "Target": held, "Targets": { "k": held } });
        check(target, inputs.clone(), inputs, live, json!({ "target": expected, "targets": { "k": expected } })).await;
    }
    // What stands in place of a secret is one.
    let found = refreshed(
        target,
        state(json!({}), json!({ "target": { "inline": { "$secret": "x" } } })),
        json!({ "Target": { "Arn": "canary" } }),
    )
    .await;
    assert!(!format!("{:?}", found.properties).contains("canary"), "{:?}", found.properties);
}

#[tokio::test]
async fn an_empty_text_is_none_to_services() {
    let described = resource(|model| {
        let rule = object(model, [prop("id", Text), prop("note", Text)]);
        model.properties = vec![prop("description", Text), prop("rule", rule.clone()), prop("rules", list(rule))];
        model.unordered = paths(&["rules"]);
    });
    let inputs = json!({
        "description": "", "rule": { "id": "a", "note": "" }, "rules": [{ "id": "b", "note": "" }, { "id": "a" }],
    });
    let live = json!({ "Rule": { "Id": "a" }, "Rules": [{ "Id": "a" }, { "Id": "b" }] });
    check(described, inputs.clone(), inputs.clone(), live, inputs).await;
    // A text that is gone is gone.
    let rule = |note: Json| json!({ "rule": note });
    let given = rule(json!({ "id": "a", "note": "n" }));
    check(described, given.clone(), given, json!({ "Rule": { "Id": "a" } }), rule(json!({ "id": "a" }))).await;
}

/// `AWS::DynamoDB::GlobalTable` has such a list: no member of its elements is called name or id.
#[tokio::test]
async fn elements_of_a_set_are_known_by_what_names_something() {
    let table = resource(|model| {
        let replica = object(
            model,
            [
                prop("kind", Text),
                prop("class", Text),
                prop("size", Integer),
                prop("aliasName", Text),
                required("region", Text),
            ],
        );
        model.properties = vec![prop("replicas", list(replica))];
        model.unordered = paths(&["replicas"]);
    });
    let inputs = |kind: Json, sizes: [u32; 2]| {
        json!({ "replicas": [
            { "region": "a", "size": sizes[0], "kind": kind }, { "region": "b", "size": sizes[1], "aliasName": "x" },
        ] })
    };
    let held = |region: &str, kind: &str, size: u32| json!({ "Region": region, "Class": "made", "Kind": kind, "Size": size, "AliasName": "x" });
    // Both changed, and moved.
    let live = json!({ "Replicas": [held("b", "o", 2), held("a", "k", 3)] });
    check(table, json!({}), inputs(json!("k"), [1, 1]), live.clone(), inputs(json!("k"), [3, 2])).await;
    let (old, new) = (members(inputs(json!("k"), [3, 2])), members(inputs(json!("k"), [5, 6])));
    let update = Update { old: Some(&old), new: &new, model: &live };
    let patch = patch(table, update).unwrap().into_operations();
    let sent = json!([held("a", "k", 5), held("b", "o", 6)]);
    assert_eq!(Json::Array(patch), json!([{ "op": "replace", "path": "/Replicas", "value": sent }]));
    // A name is too little for a secret to go by.
    let secret = inputs(json!({ "$secret": "k" }), [1, 1]);
    let found = refreshed(table, state(secret.clone(), secret), live).await;
    assert!(found.properties["replicas"].is_secret(), "{:?}", found.properties);
}
