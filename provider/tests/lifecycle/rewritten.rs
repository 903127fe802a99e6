//! What services answer in another form than it was given: no difference in Diff, Read and the patch together.

use metadata::model::EqualityHint;
use metadata::model::Type::{self, Any, Boolean, Integer, Number, String as Text};
use metadata::view::Resource;
use provider::convert::from_cfn;
use provider::lifecycle::{self, ChangeKind, DiffAnswer, ReadRequest, UpdateRequest};
use provider::patch::{Update, patch};
use serde_json::{Value as Json, json};

use crate::diff_detail::difference;
use crate::fake_cloud::FakeCloud;
use crate::models::*;
use crate::refresh::refreshed;
use crate::values::{members, state, urn};

/// What Diff says when the user writes `new` after `old`, and the service holds the model.
fn planned(resource: Resource, old: &Json, new: &Json, model: &Json) -> DiffAnswer {
    let outputs = value::json::to_json(&from_cfn(model, resource.properties()).unwrap().into()).unwrap();
    difference(resource, outputs, old.clone(), new.clone())
}

fn patched(resource: Resource, old: &Json, new: &Json, model: &Json) -> Json {
    let (old, new) = (members(old.clone()), members(new.clone()));
    Json::Array(patch(resource, Update { old: Some(&old), new: &new, model }).unwrap().into_operations())
}

async fn refreshed_inputs(resource: Resource, inputs: &Json, model: &Json) -> Json {
    let outputs = value::json::to_json(&from_cfn(model, resource.properties()).unwrap().into()).unwrap();
    let found = refreshed(resource, state(outputs, inputs.clone()), model.clone()).await;
    value::json::to_json(&found.inputs.into()).unwrap()
}

/// `model` is what the service makes of `inputs`: a refresh keeps them as they are, and where inputs were recorded in the
/// service's form once, the user's own are no change.
async fn same(resource: Resource, inputs: Json, model: Json) {
    assert_eq!(refreshed_inputs(resource, &inputs, &model).await, inputs, "refresh by {model}");
    let recorded = value::json::to_json(&from_cfn(&model, resource.properties()).unwrap().into()).unwrap();
    for old in [&inputs, &recorded] {
        let answer = planned(resource, old, &inputs, &model);
        assert!(answer.detailed.is_empty() && !answer.record_only, "{old} {inputs} {model}: {answer:?}");
        assert_eq!(patched(resource, old, &inputs, &model), json!([]), "{old} {inputs} {model}");
    }
}

/// The service holds something else than what the inputs mean: a refresh shows it, and to write them again is a change.
async fn differs(resource: Resource, inputs: Json, model: Json) {
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
