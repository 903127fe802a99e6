//! What changes inside of lists, maps and objects, and the marks that it had.

use metadata::model::Type::{self, String as Text};
use serde_json::{Value as Json, json};

use super::{check, database, refreshed};
use crate::models::*;
use crate::types;
use crate::values::{members, state};

#[tokio::test]
async fn c86_a_secret_that_moved_outside_stays_secret() {
    let environment = |value: Json| json!({ "environment": { "variables": value } });
    let live = |value: Json| json!({ "Environment": { "Variables": value } });
    let cases = [
        (
            types::function(),
            environment(json!({ "TOKEN": { "$secret": "old" }, "A": "1" })),
            live(json!({ "TOKEN_2": "canary", "A": "1" })),
            environment(json!({ "TOKEN_2": { "$secret": "canary" }, "A": "1" })),
        ),
        (
            types::function(),
            environment(json!({ "TOKEN": { "$secret": "old" } })),
            live(json!({ "TOKEN": "canary", "B": "2" })),
            environment(json!({ "TOKEN": { "$secret": "canary" }, "B": "2" })),
        ),
        (
            database(),
            json!({ "free": { "a": [{ "name": "x", "env": { "P": { "$secret": "old" } } }] } }),
            json!({ "Free": { "a": [{ "name": "x", "env": { "Q": "canary" } }] } }),
            json!({ "free": { "a": [{ "name": "x", "env": { "Q": { "$secret": "canary" } } }] } }),
        ),
        // Both elements changed, and their places too: no index says which is which.
        (
            database(),
            json!({ "ordered": [{ "$secret": "old" }, "plain"] }),
            json!({ "Ordered": ["changed", "canary"] }),
            json!({ "ordered": [{ "$secret": "changed" }, { "$secret": "canary" }] }),
        ),
    ];
    for (resource, inputs, live, expected) in cases {
        let found = refreshed(resource, state(inputs.clone(), inputs), live).await;
        assert_eq!(found.inputs, members(expected));
        let text = format!("{:?}", found.properties);
        assert!(!text.contains("canary"), "{text}");
    }
}

#[tokio::test]
async fn what_the_service_adds_inside_is_no_drift_wherever_it_is() {
    let fleet = resource(|model| {
        let rule = object(model, [prop("name", Text), prop("mode", Text), prop("ruleId", Text)]);
        let glue = object(model, [prop("glue", Text), prop("catalog", Text)]);
        let redshift = object(model, [prop("redshift", Text)]);
        model.properties = vec![
            prop("rules", list(rule.clone())),
            prop("byName", map(rule.clone())),
            prop("sources", list(Type::Union(vec![redshift.clone(), glue.clone()]))),
            prop("source", Type::Union(vec![redshift, glue])),
            prop("nested", map(list(rule))),
        ];
        model.unordered = paths(&["rules"]);
        model.read_only = paths(&["rules/*/ruleId", "byName/*/ruleId"]);
    });
    let live = json!({
        "Rules": [{ "Name": "a", "Mode": "m", "RuleId": "1" }, { "Name": "b", "Mode": "m", "RuleId": "2" }],
        "ByName": { "k": { "Name": "a", "Mode": "m", "RuleId": "1" } },
        "Sources": [{ "Glue": "g", "Catalog": "c" }],
        "Source": { "Glue": "g", "Catalog": "c" },
        "Nested": { "k": [{ "Name": "a", "Mode": "m" }] },
    });
    let outputs = json!({
        "rules": [{ "name": "a", "mode": "m", "ruleId": "1" }, { "name": "b", "mode": "m", "ruleId": "2" }],
        "byName": { "k": { "name": "a", "mode": "m", "ruleId": "1" } },
        "sources": [{ "glue": "g", "catalog": "c" }],
        "source": { "glue": "g", "catalog": "c" },
        "nested": { "k": [{ "name": "a", "mode": "m" }] },
    });
    let own = json!({
        "rules": [{ "name": "b" }, { "name": "a", "mode": "m" }],
        "byName": { "k": { "name": "a" } },
        "sources": [{ "glue": "g" }],
        "source": { "glue": "g" },
        "nested": { "k": [{ "name": "a" }] },
    });
    check(fleet, outputs.clone(), own.clone(), live.clone(), own.clone()).await;
    let secret: serde_json::Map<String, Json> =
        own.as_object().unwrap().iter().map(|(name, value)| (name.clone(), json!({ "$secret": value }))).collect();
    let secret = Json::Object(secret);
    check(fleet, outputs.clone(), secret.clone(), live.clone(), secret).await;
    // What changed in one element shows there, under the mark that it had.
    let mut changed = live;
    changed["Rules"][1]["Name"] = json!("c");
    changed["ByName"]["k"]["Name"] = json!("d");
    changed["Source"]["Glue"] = json!("h");
    let mut expected = own.clone();
    expected["rules"] = json!([{ "name": "a", "mode": "m" }, { "name": "c", "mode": "m" }]);
    expected["byName"]["k"]["name"] = json!("d");
    expected["source"]["glue"] = json!("h");
    let found = refreshed(fleet, state(outputs, own), changed).await;
    assert_eq!(found.inputs, members(expected));
}
