//! Outputs in previews.

use metadata::model::Type::String as Text;
use metadata::view::Resource;
use provider::lifecycle::{CreateRequest, DiffRequest, UpdateRequest, create, diff, update};
use serde_json::{Value as Json, json};
use value::Map;

use crate::fake_cloud::FakeCloud;
use crate::models::*;
use crate::types;
use crate::values::{members, state, urn};

async fn created(resource: Resource, inputs: Json) -> Map {
    let request = CreateRequest {
        urn: urn("thing"),
        properties: members(inputs),
        timeout: None,
        reads_first: false,
        preview: true,
    };
    let cloud = FakeCloud::default();
    let answer = create(resource, request, &cloud).await.unwrap();
    assert!(answer.id.is_empty() && cloud.requests().is_empty());
    answer.properties
}

async fn updated(resource: Resource, olds: Map, news: Json) -> Map {
    let request = UpdateRequest {
        id: "id-1".to_owned(),
        urn: urn("thing"),
        olds,
        news: members(news),
        old_inputs: None,
        ignore_changes: Vec::new(),
        timeout: None,
        reads_first: false,
        preview: true,
    };
    let cloud = FakeCloud::default();
    let outputs = update(resource, request, &cloud).await.unwrap();
    assert_eq!(cloud.with(|script| script.reads), 0);
    outputs
}

#[tokio::test]
async fn what_the_service_sets_is_unknown_before_creation() {
    let topic = resource(|model| {
        let subscription = object(model, [prop("addr", Text), prop("status", Text)]);
        model.properties = vec![prop("subs", list(subscription)), prop("optional", Text), output("arn", Text)];
        model.read_only = paths(&["arn", "subs/*/status"]);
    });
    let expected = json!({ "arn": "$unknown", "subs": [{ "addr": "a", "status": "$unknown" }] });
    assert_eq!(created(topic, json!({ "subs": [{ "addr": "a" }] })).await, members(expected));
    let expected = json!({ "arn": "$unknown", "subs": { "$secret": [{ "addr": "$unknown", "status": "$unknown" }] } });
    assert_eq!(created(topic, json!({ "subs": { "$secret": [{ "addr": "$unknown" }] } })).await, members(expected));
}

#[tokio::test]
async fn c22_what_an_update_cannot_change_stays_known() {
    let key = resource(|model| {
        model.cfn_type = "AWS::KMS::Key".to_owned();
        model.properties =
            vec![prop("keyPolicy", Text), output("arn", Text), output("keyId", Text), output("state", Text)];
        model.read_only = paths(&["arn", "keyId", "state"]);
        model.primary_identifier = paths(&["keyId"]);
    });
    let olds = state(json!({ "keyPolicy": "1", "arn": "a", "keyId": "k", "state": "on" }), json!({ "keyPolicy": "1" }));
    let expected = json!({ "keyPolicy": "2", "arn": "a", "keyId": "k", "state": "$unknown" });
    assert_eq!(updated(key, olds, json!({ "keyPolicy": "2" })).await, members(expected));

    let fixed = json!({ "name": "c", "arn": "a", "endpoint": "e", "certificateAuthorityData": "d",
        "openIdConnectIssuerUrl": "u", "clusterSecurityGroupId": "s" });
    let mut olds = fixed.clone();
    olds["version"] = json!("1.33");
    olds["status"] = json!("ACTIVE");
    let mut expected = fixed;
    expected["version"] = json!("1.34");
    expected["status"] = json!("$unknown");
    let news = json!({ "name": "c", "version": "1.34" });
    assert_eq!(updated(types::cluster(), state(olds, json!({})), news).await, members(expected));
}

#[tokio::test]
async fn stable_members_of_objects_stay_known_through_secrets() {
    let point = resource(|model| {
        model.cfn_type = "AWS::Test::AccessPoint".to_owned();
        let config = object(model, [prop("accessPointArn", Text), prop("arn", Text), prop("set", Text)]);
        model.properties = vec![prop("cfg", config), output("arn", Text), prop("accessPointName", Text)];
        model.read_only = paths(&["arn", "cfg/accessPointArn", "cfg/arn"]);
        model.primary_identifier = paths(&["accessPointName"]);
    });
    let olds = |config: Json| state(json!({ "arn": "a", "accessPointName": "n", "cfg": config }), json!({}));
    let known = json!({ "accessPointArn": "b", "arn": "c", "set": "1" });
    let check = async |olds: Map, cfg: Json, expected: Json| {
        let outputs = updated(point, olds, json!({ "cfg": cfg })).await;
        assert_eq!(outputs, members(json!({ "arn": "a", "accessPointName": "n", "cfg": expected })));
    };
    let expected = json!({ "accessPointArn": "b", "arn": "$unknown", "set": "2" });
    check(olds(known.clone()), json!({ "set": "2" }), expected.clone()).await;
    check(olds(json!({ "$secret": known })), json!({ "$secret": { "set": "2" } }), json!({ "$secret": expected }))
        .await;
    check(
        olds(json!("$unknown")),
        json!({ "set": "2" }),
        json!({ "accessPointArn": "$unknown", "arn": "$unknown", "set": "2" }),
    )
    .await;
}

#[tokio::test]
async fn c22_what_the_service_chose_at_creation_stays_known() {
    let instance = resource(|model| {
        let network = object(model, [prop("family", Text), prop("mode", Text)]);
        model.properties = vec![
            prop("zone", Text),
            prop("size", Text),
            prop("color", Text),
            prop("network", network),
            output("arn", Text),
            output("state", Text),
        ];
        model.create_only = paths(&["zone", "network/family"]);
        model.read_only = paths(&["arn", "state"]);
    });
    let outputs = json!({ "zone": "a", "size": "1", "color": "red", "arn": "x", "state": "on",
        "network": { "family": "ipv4", "mode": "m" } });
    let inputs = json!({ "size": "1", "network": { "mode": "m" } });
    let olds = state(outputs.clone(), inputs.clone());
    let news = json!({ "size": "2", "network": { "mode": "n" } });
    let expected = json!({ "zone": "a", "size": "2", "network": { "family": "ipv4", "mode": "n" },
        "arn": "x", "state": "$unknown" });
    assert_eq!(updated(instance, olds.clone(), news.clone()).await, members(expected.clone()));
    // What the program gave then is not the service's choice.
    let mut given = inputs.clone();
    given["zone"] = json!("a");
    let mut without = expected.clone();
    without.as_object_mut().unwrap().remove("zone");
    assert_eq!(updated(instance, state(outputs.clone(), given), news.clone()).await, members(without));
    // Nothing says what it gave.
    let mut bare = expected;
    bare.as_object_mut().unwrap().remove("zone");
    bare["network"] = json!({ "mode": "n" });
    assert_eq!(updated(instance, members(outputs), news.clone()).await, members(bare));

    let request = |news: Json| DiffRequest {
        id: "id-1".to_owned(),
        urn: urn("thing"),
        olds: olds.clone(),
        news: members(news),
        old_inputs: None,
        ignore_changes: Vec::new(),
    };
    assert_eq!(diff(instance, &request(news)).stables, ["arn", "zone"]);
    assert!(diff(instance, &request(inputs)).stables.is_empty(), "nothing changes");
    let replaced = json!({ "size": "1", "zone": "b", "network": { "mode": "m" } });
    assert!(diff(instance, &request(replaced)).stables.is_empty(), "everything changes");
}
