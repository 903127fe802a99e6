//! Refresh: inputs show the cloud only for what the user owns, and only where the difference means something.

use metadata::model::Type::{Any, Integer, String as Text};
use metadata::view::Resource;
use provider::lifecycle::{DiffRequest, ReadFound, ReadRequest, diff, read};
use serde_json::{Value as Json, json};
use value::Map;

use crate::fake_cloud::FakeCloud;
use crate::models::*;
use crate::types;
use crate::values::{members, state, urn};

mod inside;

/// Refreshes a recorded state.
pub async fn refreshed(resource: Resource, properties: Map, live: Json) -> ReadFound {
    let request = ReadRequest {
        id: "id-1".to_owned(),
        urn: urn("thing"),
        properties: Some(properties),
        inputs: None,
        timeout: None,
    };
    read(resource, request, &FakeCloud::holding(live)).await.unwrap().unwrap()
}

/// Checks the inputs after a refresh, that another one changes nothing, and that Diff sees what it should.
pub async fn check(resource: Resource, outputs: Json, inputs: Json, live: Json, expected: Json) {
    let found = refreshed(resource, state(outputs, inputs.clone()), live.clone()).await;
    assert_eq!(found.inputs, members(expected.clone()), "inputs {inputs} live {live}");
    assert_eq!(provider::checkpoint::inputs(&found.properties), Some(&found.inputs));
    let again = refreshed(resource, found.properties.clone(), live).await;
    assert_eq!(again, found, "a second refresh");
    // How the engine shows drift: recorded inputs against the inputs of before.
    let request = DiffRequest {
        id: "id-1".to_owned(),
        urn: urn("thing"),
        olds: found.properties,
        news: members(inputs.clone()),
        old_inputs: Some(found.inputs),
        ignore_changes: Vec::new(),
    };
    let answer = diff(resource, &request);
    assert_eq!(answer.detailed.is_empty(), inputs == expected, "{answer:?}");
}

fn database() -> Resource {
    resource(|model| {
        let config = object(model, [prop("mode", Text), prop("items", list(Text)), prop("extra", Text)]);
        model.properties = vec![
            prop("engine", Text),
            prop("backup", Text),
            prop("pw", Text),
            prop("cfg", config),
            prop("policies", list(Text)),
            prop("ordered", list(Text)),
            prop("free", Any),
            output("arn", Text),
        ];
        tag_map(model);
        model.write_only = paths(&["pw"]);
        model.read_only = paths(&["arn"]);
        model.unordered = paths(&["cfg/items", "policies"]);
    })
}

#[tokio::test]
async fn c27_a_value_that_the_schema_does_not_list_can_be_read() {
    let file_system = resource(|model| {
        let allowed = metadata::model::Type::Enum(paths(&["ENABLED", "DISABLED"]));
        let protection = object(model, [prop("replicationOverwriteProtection", allowed)]);
        model.properties = vec![prop("fileSystemProtection", protection)];
    });
    let protection = |mode: &str| json!({ "fileSystemProtection": { "replicationOverwriteProtection": mode } });
    let live = json!({ "FileSystemProtection": { "ReplicationOverwriteProtection": "REPLICATING" } });
    check(file_system, protection("DISABLED"), protection("DISABLED"), live, protection("REPLICATING")).await;
}

#[tokio::test]
async fn a_surprise_is_no_secret_because_the_checkpoint_is_one() {
    let inputs = json!({ "engine": "pg" });
    let live = json!({ "Engine": "pg", "Surprise": { "SubKey": 1 } });
    let found = refreshed(database(), state(inputs.clone(), inputs), live).await;
    assert_eq!(found.properties["surprise"], crate::values::val(json!({ "subKey": 1 })));
}

#[tokio::test]
async fn only_what_the_user_owns_drifts() {
    let engine = |name: &str| json!({ "engine": name });
    check(database(), engine("pg"), engine("pg"), json!({ "Engine": "my" }), engine("my")).await;
    check(database(), engine("pg"), engine("pg"), json!({ "Engine": "pg", "Backup": "r" }), engine("pg")).await;
    let tags = |tags: Json| json!({ "tags": tags });
    check(
        database(),
        json!({}),
        tags(json!({ "o": "t" })),
        json!({ "Tags": { "o": "t", "aws:m": "1" } }),
        tags(json!({ "o": "t" })),
    )
    .await;
    check(
        database(),
        json!({}),
        tags(json!({ "o": "t" })),
        json!({ "Tags": { "o": "t", "x": "1" } }),
        tags(json!({ "o": "t", "x": "1" })),
    )
    .await;
    check(database(), json!({}), json!({ "pw": "s" }), json!({}), json!({ "pw": "s" })).await;
    check(database(), json!({ "engine": "pg" }), engine("pg"), json!({}), json!({})).await;
    check(
        database(),
        json!({}),
        json!({ "cfg": { "mode": "old", "items": ["B", "A"] } }),
        json!({ "Cfg": { "Mode": "new", "Items": ["A", "B"], "Extra": "aws" } }),
        json!({ "cfg": { "mode": "new", "items": ["B", "A"] } }),
    )
    .await;
    check(
        database(),
        json!({}),
        json!({ "policies": ["B", "A"] }),
        json!({ "Policies": ["A", "C"] }),
        json!({ "policies": ["A", "C"] }),
    )
    .await;
    check(
        database(),
        json!({}),
        json!({ "ordered": ["B", "A"] }),
        json!({ "Ordered": ["A", "B"] }),
        json!({ "ordered": ["A", "B"] }),
    )
    .await;
    check(
        database(),
        json!({}),
        json!({ "free": { "Version": "1", "Key-a": { "b": 1 } } }),
        json!({ "Free": { "Version": "2", "Key-a": { "b": 1 } } }),
        json!({ "free": { "Version": "2", "Key-a": { "b": 1 } } }),
    )
    .await;
}

#[tokio::test]
async fn what_was_never_returned_stays() {
    // Accepted at creation, not in the outputs then, not returned now.
    check(database(), json!({}), json!({ "backup": "x" }), json!({}), json!({ "backup": "x" })).await;
    check(database(), json!({ "backup": "x" }), json!({ "backup": "x" }), json!({}), json!({})).await;
}

#[tokio::test]
async fn c03_inputs_never_gain_a_member() {
    let live = json!({ "LogGroupName": "a", "LogGroupClass": "STANDARD", "DeletionProtectionEnabled": false,
        "BearerTokenAuthenticationEnabled": false, "Arn": "arn" });
    let inputs = json!({ "logGroupName": "a" });
    let found = refreshed(types::log_group(), state(inputs.clone(), inputs.clone()), live).await;
    assert_eq!(found.inputs, members(inputs));
    assert_eq!(found.properties.len(), 6, "all five and the checkpoint");
}

#[tokio::test]
async fn c90_a_refresh_keeps_tags_whatever_their_order() {
    let tags = |keys: &[&str]| json!({ "tags": keys.iter().map(|key| json!({ "key": key, "value": "v" })).collect::<Vec<_>>() });
    let live = |keys: &[&str]| json!({ "Tags": keys.iter().map(|key| json!({ "Key": key, "Value": "v" })).collect::<Vec<_>>() });
    let group = types::log_group();
    check(group, json!({}), tags(&["b", "a"]), live(&["b", "a", "aws:x"]), tags(&["b", "a"])).await;
    check(group, json!({}), tags(&["b", "a"]), live(&["a", "aws:x", "b"]), tags(&["b", "a"])).await;
    check(group, json!({}), tags(&["b", "a"]), live(&["a", "c", "b"]), tags(&["b", "a", "c"])).await;
}

#[tokio::test]
async fn c23_the_users_order_stays_in_inputs_and_the_services_in_outputs() {
    let inputs = json!({ "assumeRolePolicyDocument": {}, "managedPolicyArns": ["z", "a"] });
    let live = json!({ "AssumeRolePolicyDocument": {}, "ManagedPolicyArns": ["a", "z"] });
    let found = refreshed(types::role(), state(inputs.clone(), inputs.clone()), live).await;
    assert_eq!(found.inputs, members(inputs));
    assert_eq!(found.properties["managedPolicyArns"], crate::values::val(json!(["a", "z"])));
}

#[tokio::test]
async fn c02_ten_refreshes_are_one() {
    let canary = resource(|model| {
        let run = object(model, [prop("environmentVariables", map(Text)), prop("timeoutInSeconds", Integer)]);
        model.properties = vec![prop("name", Text), prop("runConfig", run)];
        model.write_only = paths(&["runConfig/environmentVariables"]);
    });
    let live = json!({ "Name": "c", "RunConfig": { "TimeoutInSeconds": 60 } });
    let once = json!({ "runConfig": { "environmentVariables": { "$secret": { "TOKEN": "t" } } } });
    let deep = json!({ "runConfig": { "environmentVariables": { "$secret": { "$secret": { "$secret": { "$secret": { "TOKEN": "t" } } } } } } });
    for start in [once.clone(), deep] {
        let mut found = refreshed(canary, state(start.clone(), start), live.clone()).await;
        let first = found.clone();
        for _ in 0..10 {
            found = refreshed(canary, found.properties, live.clone()).await;
        }
        assert_eq!(found, first);
        assert_eq!(found.inputs, members(once.clone()));
        // Outputs have the restored value under one mark, too.
        let mut outputs = once.clone();
        outputs["runConfig"]["timeoutInSeconds"] = json!(60);
        outputs["name"] = json!("c");
        assert_eq!(found.properties, state(outputs, once.clone()));
    }
}

#[tokio::test]
async fn c91_what_is_settable_and_read_only_stays_the_users() {
    let domain = resource(|model| {
        model.properties = vec![prop("domainName", Text), prop("encryptionKey", Text)];
        model.create_only = paths(&["domainName", "encryptionKey"]);
        model.read_only = paths(&["encryptionKey"]);
    });
    let inputs = json!({ "domainName": "d", "encryptionKey": "k" });
    check(domain, inputs.clone(), inputs.clone(), json!({ "DomainName": "d", "EncryptionKey": "arn:k" }), inputs).await;
}

#[tokio::test]
async fn a_write_only_value_that_comes_back_wins() {
    check(database(), json!({ "pw": "s" }), json!({ "pw": "s" }), json!({ "Pw": "other" }), json!({ "pw": "other" }))
        .await;
}

#[tokio::test]
async fn a_resource_that_is_gone_has_no_answer() {
    let request = ReadRequest {
        id: "x".to_owned(),
        urn: urn("thing"),
        properties: Some(state(json!({}), json!({}))),
        inputs: None,
        timeout: None,
    };
    assert_eq!(read(database(), request, &FakeCloud::default()).await.unwrap(), None);
}

#[tokio::test]
async fn c88_a_state_without_a_checkpoint_is_refreshed_by_the_engines_inputs() {
    let request = ReadRequest {
        id: "x".to_owned(),
        urn: urn("thing"),
        properties: Some(members(json!({ "engine": "pg", "__inputs": null }))),
        inputs: Some(members(json!({ "engine": "pg" }))),
        timeout: None,
    };
    let found = read(database(), request, &FakeCloud::holding(json!({ "Engine": "my", "Backup": "r" })))
        .await
        .unwrap()
        .unwrap();
    assert_eq!(found.inputs, members(json!({ "engine": "my" })));
}
