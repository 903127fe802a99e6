//! What a refresh makes of changes that somebody else made.

use metadata::model::Type::{self, String as Text};
use serde_json::json;

use crate::models::*;
use crate::refresh::{check, refreshed};
use crate::values::state;

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
