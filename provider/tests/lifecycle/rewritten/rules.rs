//! What schemas say that services rewrite.

use metadata::model::EqualityHint;
use metadata::model::Type::{Any, Integer, String as Text};
use metadata::view::Resource;
use provider::lifecycle::{self, ReadRequest, UpdateRequest};
use serde_json::{Value as Json, json};

use super::{differs, patched, planned, refreshed_inputs, same};
use crate::fake_cloud::FakeCloud;
use crate::models::*;
use crate::refresh::refreshed;
use crate::values::{members, state, urn};

/// A type with rules of its schema: plain ones, alternatives, patterns, constants, a rule over siblings, one that cannot
/// be read.
fn cluster() -> Resource {
    resource(|model| {
        let encryption = object(model, [prop("keyId", Text), prop("mode", Text)]);
        let rule = object(model, [prop("protocol", Text), prop("fromPort", Integer), prop("cidr", Text)]);
        model.properties = vec![
            prop("arnOrKey", Text),
            prop("attributes", Text),
            prop("broken", Text),
            prop("domain", Text),
            prop("encryption", encryption),
            prop("function", Text),
            prop("identifier", Text),
            prop("key", Text),
            prop("mode", Text),
            prop("rules", list(rule)),
            prop("source", Text),
            prop("version", Text),
        ];
        model.unordered = paths(&["rules"]);
        model.property_transforms = [
            ("arnOrKey", "ArnOrKey $OR $join([\"arn:aws[-a-z]*:kms:[a-z0-9-]+:[0-9]{12}:key\\/\", ArnOrKey])"),
            ("attributes", "$join([\".*\", Attributes, \".*\"])"),
            ("broken", "$lowercase(Broken"),
            ("domain", "\"vpc\""),
            ("encryption/keyId", "$split(Encryption.KeyId, \"/\")[-1] $OR Encryption.KeyId"),
            (
                "function",
                "$lookup($match(Function,/(arn:aws:lambda:)?(function:)?([a-z]+)(:([a-z]+))?/)['groups'], 'groups')[2]",
            ),
            ("identifier", "$lowercase(Identifier)"),
            ("key", "\"arn:aws[-a-z]*:kms:[a-z0-9-]+:[0-9]{12}:key/[a-zA-Z0-9-]+\""),
            ("mode", "$uppercase(Mode) = 'DISABLED' ? 'REPLICATING' : $uppercase(Mode)"),
            ("rules/*/fromPort", "Protocol = \"-1\" ? -1 : FromPort"),
            (
                "rules/*/protocol",
                "($name := $lookup({\"6\": \"tcp\"}, Protocol); $name ? $name : $lowercase(Protocol))",
            ),
            ("source", "$split(Source, \"role/\")[-1]"),
            ("version", "$join([$string(Version), \".*\"])"),
        ]
        .map(|(path, expression)| (path.to_owned(), expression.to_owned()))
        .to_vec();
        model.equality = vec![("version".to_owned(), EqualityHint::VersionPrefix)];
    })
}

const KEY: &str = "arn:aws:kms:eu-west-1:111122223333:key/1234-abcd";

#[tokio::test]
async fn c27_disabled_is_replicating() {
    same(cluster(), json!({ "mode": "DISABLED" }), json!({ "Mode": "REPLICATING" })).await;
    same(cluster(), json!({ "mode": "DISABLED" }), json!({ "Mode": "DISABLED" })).await;
    same(cluster(), json!({ "mode": "ENABLED" }), json!({ "Mode": "ENABLED" })).await;
    differs(cluster(), json!({ "mode": "DISABLED" }), json!({ "Mode": "ENABLED" })).await;
    differs(cluster(), json!({ "mode": "ENABLED" }), json!({ "Mode": "REPLICATING" })).await;
}

#[tokio::test]
async fn c28_what_the_service_rewrites_is_no_difference() {
    same(cluster(), json!({ "identifier": "MyDB" }), json!({ "Identifier": "mydb" })).await;
    same(cluster(), json!({ "identifier": "mydb" }), json!({ "Identifier": "MYDB" })).await;
    differs(cluster(), json!({ "identifier": "MyDB" }), json!({ "Identifier": "mydb2" })).await;
    same(cluster(), json!({ "version": "13" }), json!({ "Version": "13.7" })).await;
    differs(cluster(), json!({ "version": "13" }), json!({ "Version": "14.1" })).await;
    same(cluster(), json!({ "arnOrKey": "1234-abcd" }), json!({ "ArnOrKey": KEY })).await;
    differs(cluster(), json!({ "arnOrKey": "1234-abc" }), json!({ "ArnOrKey": KEY })).await;
    same(cluster(), json!({ "encryption": { "keyId": KEY } }), json!({ "Encryption": { "KeyId": "1234-abcd" } })).await;
    same(cluster(), json!({ "source": "a/role/r" }), json!({ "Source": "r" })).await;
    // Groups of the pattern that take no part count.
    for function in ["orders", "orders:live", "function:orders", "arn:aws:lambda:function:orders:live"] {
        same(cluster(), json!({ "function": function }), json!({ "Function": "orders" })).await;
    }
    differs(cluster(), json!({ "function": "function:orders:live" }), json!({ "Function": "live" })).await;
    // Secrets are looked through.
    let secret = json!({ "identifier": { "$secret": "MyDB" } });
    let found = refreshed(cluster(), state(json!({}), secret.clone()), json!({ "Identifier": "mydb" })).await;
    assert_eq!(found.inputs, members(secret));
}

#[tokio::test]
async fn an_alias_that_nobody_changed_is_its_key() {
    let disk = || {
        resource(|model| {
            model.properties = vec![prop("kmsKeyId", Text), prop("arguments", Any)];
            model.equality = vec![("kmsKeyId".to_owned(), EqualityHint::ArnOrId)];
        })
    };
    let (alias, key) = (json!({ "kmsKeyId": "alias/mine" }), json!({ "KmsKeyId": KEY }));
    assert_eq!(refreshed_inputs(disk(), &alias, &key).await, alias);
    // To go from a key to an alias is a change.
    let answer = planned(disk(), &json!({ "kmsKeyId": KEY }), &alias, &key);
    assert!(answer.detailed.contains_key("kmsKeyId"), "{answer:?}");
    // Nothing declares that these are no texts, and the service has texts.
    let arguments = json!({ "arguments": { "--n": 7, "--on": true, "--name": "a" } });
    same(disk(), arguments.clone(), json!({ "Arguments": { "--n": "7", "--on": "true", "--name": "a" } })).await;
    differs(disk(), arguments, json!({ "Arguments": { "--n": "8", "--on": "true", "--name": "a" } })).await;
}

#[tokio::test]
async fn rules_look_at_what_is_around_a_value() {
    let rule = |protocol: &str, port: i32, cidr: &str| json!({ "protocol": protocol, "fromPort": port, "cidr": cidr });
    let held = |protocol: &str, port: i32, cidr: &str| json!({ "Protocol": protocol, "FromPort": port, "Cidr": cidr });
    let inputs = json!({ "rules": [rule("6", 80, "b"), rule("-1", 0, "a"), rule("TCP", 443, "c")] });
    let model = |port: i32| json!({ "Rules": [held("-1", -1, "a"), held("tcp", 443, "c"), held("tcp", port, "b")] });
    same(cluster(), inputs.clone(), model(80)).await;
    differs(cluster(), inputs, model(81)).await;
}

#[tokio::test]
async fn c92_constants_explain_what_the_service_holds() {
    // Nobody changed the program: a refresh shows nothing.
    for (inputs, model) in [
        (json!({ "domain": "standard" }), json!({ "Domain": "vpc" })),
        (json!({ "key": "alias/mine" }), json!({ "Key": KEY })),
        (json!({ "attributes": "a=1" }), json!({ "Attributes": "x=0;a=1" })),
    ] {
        assert_eq!(refreshed_inputs(cluster(), &inputs, &model).await, inputs);
    }
    let (inputs, model) = (json!({ "domain": "vpc" }), json!({ "Domain": "standard" }));
    assert_eq!(refreshed_inputs(cluster(), &inputs, &model).await, json!({ "domain": "standard" }));
}

/// What the program changed, the service holding `model`, is planned and sent.
#[track_caller]
fn changes(old: Json, new: Json, model: Json) {
    let answer = planned(cluster(), &old, &new, &model);
    assert!(!answer.detailed.is_empty(), "{old} {new} {model}");
    assert_ne!(patched(cluster(), &old, &new, &model), json!([]), "{old} {new} {model}");
}

#[test]
fn the_rules_of_an_operation_end_together_and_that_is_told_once() {
    let rules = |letter: &str| (0..10_000).map(|n| json!({ "protocol": format!("{letter}{n}") })).collect::<Vec<_>>();
    let held: Vec<Json> = (0..10_000).map(|n| json!({ "Protocol": format!("c{n}") })).collect();
    let (old, new) = (json!({ "rules": rules("A") }), json!({ "rules": rules("B") }));
    let answer = planned(cluster(), &old, &new, &json!({ "Rules": held }));
    assert_eq!(answer.detailed.len(), 10_000);
    let told = answer.warnings.iter().filter(|warning| warning.contains("these inputs are too many for every rule"));
    assert_eq!(told.count(), 1, "{:?}", answer.warnings);
    let few = planned(cluster(), &json!({ "identifier": "A" }), &json!({ "identifier": "B" }), &json!({}));
    assert!(few.warnings.iter().all(|warning| !warning.contains("too many")), "{:?}", few.warnings);
}

#[test]
fn a_transform_never_hides_what_the_program_changed() {
    // One function by two aliases.
    changes(json!({ "function": "orders:live" }), json!({ "function": "orders:test" }), json!({}));
    let other = KEY.replace("1111", "4444");
    changes(json!({ "domain": "vpc" }), json!({ "domain": "standard" }), json!({ "Domain": "vpc" }));
    changes(json!({ "key": KEY }), json!({ "key": "alias/mine" }), json!({ "Key": KEY }));
    changes(json!({ "key": KEY }), json!({ "key": other }), json!({ "Key": KEY }));
    changes(json!({ "attributes": "a=1;b=2" }), json!({ "attributes": "a=1" }), json!({ "Attributes": "a=1;b=2" }));
    changes(json!({ "mode": "DISABLED" }), json!({ "mode": "ENABLED" }), json!({ "Mode": "REPLICATING" }));
    changes(json!({ "identifier": "MyDB" }), json!({ "identifier": "MyOther" }), json!({ "Identifier": "mydb" }));
    changes(json!({ "version": "13" }), json!({ "version": "13.7" }), json!({ "Version": "13.4" }));
    changes(json!({ "version": "13.10" }), json!({ "version": "13.1" }), json!({ "Version": "13.10" }));
    changes(json!({ "version": "13" }), json!({ "version": "14" }), json!({ "Version": "13.4" }));
    // The tail of an ARN says nothing about its account.
    let roles = ["arn:aws:iam::111122223333:role/r", "arn:aws:iam::444455556666:role/r"];
    changes(json!({ "source": roles[0] }), json!({ "source": roles[1] }), json!({ "Source": roles[0] }));
    changes(json!({ "source": roles[0] }), json!({ "source": roles[1] }), json!({ "Source": "r" }));
    // The port counts for nothing here, but the program may know better.
    let rules = |port: i32| json!({ "rules": [{ "protocol": "6", "fromPort": port }] });
    changes(rules(80), rules(443), json!({ "Rules": [{ "Protocol": "tcp", "FromPort": 80 }] }));
}

#[test]
fn what_comes_to_the_same_is_no_change() {
    for (old, new, model) in [
        (json!({ "identifier": "MyDB" }), json!({ "identifier": "MYDB" }), json!({ "Identifier": "mydb" })),
        (json!({ "version": "13.4" }), json!({ "version": "13" }), json!({ "Version": "13.4" })),
        (json!({ "arnOrKey": KEY }), json!({ "arnOrKey": "1234-abcd" }), json!({ "ArnOrKey": KEY })),
    ] {
        let answer = planned(cluster(), &old, &new, &model);
        assert!(answer.detailed.is_empty() && !answer.record_only, "{old} {new} {model}: {answer:?}");
        assert_eq!(patched(cluster(), &old, &new, &model), json!([]), "{old} {new} {model}");
    }
}

#[test]
fn what_is_not_known_yet_explains_nothing() {
    let rules = |protocol: &str, port: i32| json!({ "rules": [{ "protocol": protocol, "fromPort": port }] });
    let model = json!({ "Rules": [{ "Protocol": "-1", "FromPort": -1 }] });
    let answer = planned(cluster(), &rules("6", 0), &rules("$unknown", 0), &model);
    assert!(!answer.detailed.is_empty());
    // What the rule does not read may be unknown.
    let inputs = |domain: &str| json!({ "domain": domain, "identifier": "MyDB" });
    let old = json!({ "domain": "a", "identifier": "mydb" });
    let answer = planned(cluster(), &old, &inputs("$unknown"), &json!({ "Domain": "a", "Identifier": "mydb" }));
    assert_eq!(answer.detailed.keys().collect::<Vec<_>>(), ["domain"]);
}

#[tokio::test]
async fn c28_a_rule_that_cannot_be_read_is_told_by_diff_read_and_update() {
    let told = ["AWS::Test::Thing: the rule for broken cannot be read and is left out: $lowercase(Broken"];
    let (old, new) = (json!({ "broken": "a" }), json!({ "broken": "b" }));
    let answer = planned(cluster(), &old, &new, &json!({ "Broken": "A" }));
    assert_eq!(answer.detailed.keys().collect::<Vec<_>>(), ["broken"]);
    assert!(answer.warnings.is_empty());
    assert_eq!(answer.warnings_once, told);

    let cloud = FakeCloud::holding(json!({ "Broken": "A" }));
    let recorded = state(json!({ "broken": "A" }), old.clone());
    let request = UpdateRequest {
        id: "id-1".to_owned(),
        urn: urn("thing"),
        olds: recorded.clone(),
        news: members(new),
        old_inputs: None,
        ignore_changes: Vec::new(),
        timeout: None,
        reads_first: false,
        preview: false,
    };
    lifecycle::update(cluster(), request, &cloud).await.unwrap();
    assert_eq!(cloud.with(|script| std::mem::take(&mut script.warnings)), told);

    let request = ReadRequest {
        id: "id-1".to_owned(),
        urn: urn("thing"),
        properties: Some(recorded),
        inputs: Some(members(old)),
        timeout: None,
    };
    lifecycle::read(cluster(), request, &cloud).await.unwrap();
    assert_eq!(cloud.with(|script| std::mem::take(&mut script.warnings)), told);
}
