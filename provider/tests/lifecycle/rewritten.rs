//! What services answer in another form than it was given: no difference in Diff, Read and the patch together.

use metadata::model::EqualityHint;
use metadata::model::Type::{self, Any, Boolean, Integer, Number, String as Text};
use metadata::view::Resource;
use provider::convert::from_cfn;
use provider::lifecycle::{ChangeKind, DiffAnswer};
use provider::patch::{Update, patch};
use serde_json::{Value as Json, json};

use crate::diff_detail::difference;
use crate::models::*;
use crate::refresh::refreshed;
use crate::values::{members, state};

mod rules;

/// What Diff says when the user writes `new` after `old`, and the service holds the model.
pub fn planned(resource: Resource, old: &Json, new: &Json, model: &Json) -> DiffAnswer {
    let outputs = value::json::to_json(&from_cfn(model, resource.properties()).unwrap().into()).unwrap();
    difference(resource, outputs, old.clone(), new.clone())
}

pub fn patched(resource: Resource, old: &Json, new: &Json, model: &Json) -> Json {
    let (old, new) = (members(old.clone()), members(new.clone()));
    Json::Array(patch(resource, Update { old: Some(&old), new: &new, model }).unwrap().into_operations())
}

pub async fn refreshed_inputs(resource: Resource, inputs: &Json, model: &Json) -> Json {
    let outputs = value::json::to_json(&from_cfn(model, resource.properties()).unwrap().into()).unwrap();
    let found = refreshed(resource, state(outputs, inputs.clone()), model.clone()).await;
    value::json::to_json(&found.inputs.into()).unwrap()
}

/// `model` is what the service makes of `inputs`: a refresh keeps them as they are, and where inputs were recorded in the
/// service's form once, the user's own are no change.
pub async fn same(resource: Resource, inputs: Json, model: Json) {
    assert_eq!(refreshed_inputs(resource, &inputs, &model).await, inputs, "refresh by {model}");
    let recorded = value::json::to_json(&from_cfn(&model, resource.properties()).unwrap().into()).unwrap();
    for old in [&inputs, &recorded] {
        let answer = planned(resource, old, &inputs, &model);
        assert!(answer.detailed.is_empty() && !answer.record_only, "{old} {inputs} {model}: {answer:?}");
        assert_eq!(patched(resource, old, &inputs, &model), json!([]), "{old} {inputs} {model}");
    }
}

/// The service holds something else than what the inputs mean: a refresh shows it, and to write them again is a change.
pub async fn differs(resource: Resource, inputs: Json, model: Json) {
    let found = refreshed_inputs(resource, &inputs, &model).await;
    assert_ne!(found, inputs, "refresh by {model}");
    let answer = planned(resource, &found, &inputs, &model);
    assert!(!answer.detailed.is_empty(), "{found} {inputs} {model}");
    assert_ne!(patched(resource, &found, &inputs, &model), json!([]), "{found} {inputs} {model}");
}

fn role() -> Resource {
    resource(|model| {
        let policy = object(model, [prop("policyName", Text), prop("policyDocument", Any)]);
        model.properties = vec![
            prop("assumeRolePolicyDocument", Any),
            prop("policies", list(policy)),
            prop("policyText", Text),
            prop("roleName", Text),
            prop("definition", Text),
        ];
        model.unordered = paths(&["policies"]);
        model.equality = vec![
            ("definition".to_owned(), EqualityHint::JsonDocument),
            ("policyText".to_owned(), EqualityHint::PolicyDocument),
        ];
    })
}

#[tokio::test]
async fn c26_policies_that_mean_the_same_are_the_same() {
    let one = json!({ "Version": "2012-10-17", "Statement": [
        { "Effect": "Allow", "Action": "s3:Get*", "Resource": ["r1", "r2"], "Principal": { "AWS": "111122223333" } },
        { "Sid": "b", "Effect": "Deny", "Action": ["s3:Put*", "s3:DeleteObject"], "Resource": "*",
          "Condition": { "Bool": { "aws:SecureTransport": false } } } ] });
    let other = json!({ "Version": "2012-10-17", "Statement": [
        { "Sid": "b", "Effect": "Deny", "Action": ["s3:DeleteObject", "s3:Put*"], "Resource": ["*"],
          "Condition": { "Bool": { "aws:SecureTransport": ["false"] } } },
        { "Effect": "Allow", "Action": ["s3:Get*"], "Resource": ["r2", "r1"],
          "Principal": { "AWS": "arn:aws:iam::111122223333:root" } } ] });
    let (text, other_text) = (one.to_string(), serde_json::to_string_pretty(&other).unwrap());
    same(role(), json!({ "assumeRolePolicyDocument": one }), json!({ "AssumeRolePolicyDocument": other })).await;
    same(role(), json!({ "assumeRolePolicyDocument": text }), json!({ "AssumeRolePolicyDocument": other })).await;
    same(role(), json!({ "assumeRolePolicyDocument": one }), json!({ "AssumeRolePolicyDocument": other_text })).await;
    same(role(), json!({ "policyText": text }), json!({ "PolicyText": other_text })).await;
    let policies = |name: &str, document: &Json| json!({ "policyName": name, "policyDocument": document });
    let held = |name: &str, document: &Json| json!({ "PolicyName": name, "PolicyDocument": document });
    same(
        role(),
        json!({ "policies": [policies("b", &one), policies("a", &other)] }),
        json!({ "Policies": [held("a", &one), held("b", &other)] }),
    )
    .await;

    let mut less = other.clone();
    less["Statement"][1]["Resource"] = json!(["r1"]);
    differs(role(), json!({ "assumeRolePolicyDocument": one }), json!({ "AssumeRolePolicyDocument": less })).await;
    differs(role(), json!({ "policies": [policies("b", &one)] }), json!({ "Policies": [held("b", &less)] })).await;
}

#[tokio::test]
async fn a_change_of_a_policy_is_shown_and_sent() {
    let document = |actions: Json| json!({ "Statement": [{ "Effect": "Allow", "Action": actions, "Resource": "*" }] });
    let (old, new) = (document(json!("a:A")), document(json!(["b:B"])));
    let inputs = |document: &Json| json!({ "assumeRolePolicyDocument": document });
    let model = json!({ "AssumeRolePolicyDocument": document(json!(["a:A"])) });
    let answer = planned(role(), &inputs(&old), &inputs(&new), &model);
    assert_eq!(
        answer.detailed.into_iter().collect::<Vec<_>>(),
        [("assumeRolePolicyDocument.Statement[0].Action".to_owned(), ChangeKind::Update)]
    );
    assert_ne!(patched(role(), &inputs(&old), &inputs(&new), &model), json!([]));
    // The service has it already.
    let model = json!({ "AssumeRolePolicyDocument": document(json!("b:B")) });
    assert!(planned(role(), &inputs(&old), &inputs(&new), &model).detailed.is_empty());
    assert_eq!(patched(role(), &inputs(&old), &inputs(&new), &model), json!([]));
    // What is unknown may become anything.
    let unknown = inputs(&document(json!(["$unknown"])));
    assert!(!planned(role(), &inputs(&old), &unknown, &model).detailed.is_empty());
}

#[test]
fn a_policy_that_becomes_secret_is_recorded() {
    let document = json!({ "Statement": [{ "Effect": "Allow", "Action": "a:A", "Resource": "*" }] });
    let other = json!({ "Statement": { "Effect": "Allow", "Action": ["a:A"], "Resource": "*" } });
    let (old, new) = (json!({ "policyText": document }), json!({ "policyText": { "$secret": other } }));
    let answer = planned(role(), &old, &new, &json!({ "PolicyText": document }));
    assert!(answer.detailed.is_empty() && answer.record_only, "{answer:?}");
}

#[tokio::test]
async fn documents_may_be_printed_otherwise() {
    let inputs = json!({ "definition": "{\"StartAt\": \"A\", \"States\": {}}" });
    same(role(), inputs.clone(), json!({ "Definition": "{\n  \"States\": {},\n  \"StartAt\": \"A\"\n}" })).await;
    differs(role(), inputs, json!({ "Definition": "{\"StartAt\": \"B\", \"States\": {}}" })).await;
}

fn pool() -> Resource {
    resource(|model| {
        let target = object(model, [prop("arn", Text), prop("weight", Text)]);
        model.properties = vec![
            prop("key", Text),
            prop("identities", list(Text)),
            prop("ordered", list(Text)),
            prop("targets", list(target)),
            prop("name", Text),
        ];
        model.unordered = paths(&["identities", "targets"]);
        model.equality = vec![("identities/*".to_owned(), EqualityHint::ArnOrId)];
    })
}

fn arn(id: &str) -> String {
    format!("arn:aws:sms-voice:eu-west-1:111122223333:phone-number/{id}")
}

#[tokio::test]
async fn c29_an_arn_is_the_thing_that_it_ends_in() {
    same(pool(), json!({ "key": arn("a") }), json!({ "Key": "a" })).await;
    same(pool(), json!({ "key": "a" }), json!({ "Key": arn("a") })).await;
    same(pool(), json!({ "key": "phone-number/a" }), json!({ "Key": arn("a") })).await;
    same(pool(), json!({ "identities": [arn("b"), arn("a")] }), json!({ "Identities": ["a", "b"] })).await;
    same(pool(), json!({ "identities": ["b", "a"] }), json!({ "Identities": [arn("a"), arn("b")] })).await;
    same(pool(), json!({ "ordered": [arn("b"), "a"] }), json!({ "Ordered": ["b", arn("a")] })).await;
    same(
        pool(),
        json!({ "targets": [{ "arn": arn("b"), "weight": "1" }, { "arn": arn("a") }] }),
        json!({ "Targets": [{ "Arn": "a" }, { "Arn": "b", "Weight": "1" }] }),
    )
    .await;

    differs(pool(), json!({ "key": arn("a") }), json!({ "Key": "b" })).await;
    differs(pool(), json!({ "key": arn("a") }), json!({ "Key": "" })).await;
    differs(pool(), json!({ "key": arn("a") }), json!({ "Key": arn("a").replace("1111", "4444") })).await;
    differs(pool(), json!({ "identities": [arn("b"), arn("a")] }), json!({ "Identities": ["a"] })).await;
    differs(pool(), json!({ "ordered": [arn("b"), arn("a")] }), json!({ "Ordered": ["a", "b"] })).await;
}

#[test]
fn from_one_arn_to_another_is_a_change_whatever_the_service_shows() {
    let other = arn("a").replace("111122223333", "444455556666");
    let cases = [
        (json!({ "key": arn("a") }), json!({ "key": other }), json!({ "Key": "a" })),
        (json!({ "identities": [arn("a")] }), json!({ "identities": [other] }), json!({ "Identities": ["a"] })),
        (json!({ "ordered": [arn("a"), "b"] }), json!({ "ordered": [other, "b"] }), json!({ "Ordered": ["a", "b"] })),
    ];
    for (old, new, model) in cases {
        assert!(!planned(pool(), &old, &new, &model).detailed.is_empty(), "{old} {new}");
        assert_ne!(patched(pool(), &old, &new, &model), json!([]), "{old} {new}");
    }
}

fn scalars() -> Resource {
    resource(|model| {
        let inner = object(model, [prop("port", Integer), prop("protocol", Text)]);
        model.properties = vec![
            prop("count", Integer),
            prop("ratio", Number),
            prop("flag", Boolean),
            prop("label", Text),
            prop("variables", map(Text)),
            prop("rules", list(inner.clone())),
            prop("ruleSet", list(inner)),
            prop("document", Any),
            prop("either", Type::Union(vec![Integer, Text])),
        ];
        model.unordered = paths(&["ruleSet"]);
    })
}

#[tokio::test]
async fn numbers_and_flags_as_text_are_what_they_say() {
    let rules = || json!([{ "port": 80, "protocol": "6" }, { "port": 443, "protocol": "17" }]);
    same(scalars(), json!({ "count": 5 }), json!({ "Count": "5" })).await;
    same(scalars(), json!({ "ratio": 1.5 }), json!({ "Ratio": "1.50" })).await;
    same(scalars(), json!({ "flag": false }), json!({ "Flag": "False" })).await;
    same(scalars(), json!({ "label": "8080" }), json!({ "Label": 8080 })).await;
    same(scalars(), json!({ "variables": { "A": "1", "B": "true" } }), json!({ "Variables": { "A": 1, "B": true } }))
        .await;
    let held =
        |first: &str, second: &str| json!([{ "Port": first, "Protocol": 6 }, { "Port": second, "Protocol": 17 }]);
    same(scalars(), json!({ "rules": rules() }), json!({ "Rules": held("80", "443") })).await;
    let turned = json!([{ "Port": "443", "Protocol": 17 }, { "Port": "80", "Protocol": 6 }]);
    same(scalars(), json!({ "ruleSet": rules() }), json!({ "RuleSet": turned })).await;

    differs(scalars(), json!({ "count": 5 }), json!({ "Count": "6" })).await;
    differs(scalars(), json!({ "label": "08" }), json!({ "Label": 8 })).await;
    differs(scalars(), json!({ "rules": rules() }), json!({ "Rules": held("80", "444") })).await;
    // The service may print what nobody declared, but the program means what it writes.
    same(scalars(), json!({ "document": { "a": 1 } }), json!({ "Document": { "a": "1" } })).await;
    differs(scalars(), json!({ "document": { "a": 1 } }), json!({ "Document": { "a": "2" } })).await;
    // Where the schema has both kinds, the service may answer in either; a program that changes the kind means it.
    assert_eq!(
        refreshed_inputs(scalars(), &json!({ "either": 5 }), &json!({ "Either": "5" })).await,
        json!({ "either": 5 })
    );
    let (old, new) = (json!({ "either": 5 }), json!({ "either": "5" }));
    assert!(!planned(scalars(), &old, &new, &json!({})).detailed.is_empty());
}

#[tokio::test]
async fn what_a_refresh_takes_over_has_the_kind_that_check_accepts() {
    let held =
        json!({ "Count": "7", "Flag": "true", "Label": 8, "Rules": [{ "Port": "80" }], "Variables": { "A": 2 } });
    let old = json!({ "count": 5, "flag": false, "label": "x", "rules": [], "variables": { "A": "1" } });
    let expected =
        json!({ "count": 7, "flag": true, "label": "8", "rules": [{ "port": 80 }], "variables": { "A": "2" } });
    assert_eq!(refreshed_inputs(scalars(), &old, &held).await, expected);
}
