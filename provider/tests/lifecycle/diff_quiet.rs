//! What is no change, although something looks different.

use metadata::model::Type::String as Text;
use metadata::view::Resource;
use provider::lifecycle::{ChangeKind, DiffRequest, diff};
use serde_json::{Value as Json, json};

use crate::diff_detail::difference;
use crate::models::*;
use crate::types;
use crate::values::{members, urn};

#[track_caller]
fn quiet(resource: Resource, outputs: Json, old: Json, new: Json) {
    let answer = difference(resource, outputs, old, new);
    assert!(answer.detailed.is_empty() && !answer.record_only, "{answer:?}");
}

fn database() -> Resource {
    resource(|model| {
        model.properties =
            vec![prop("engine", Text), prop("backup", Text), prop("name", Text), prop("pw", Text), output("arn", Text)];
        tag_map(model);
        model.write_only = paths(&["pw"]);
        model.read_only = paths(&["arn"]);
    })
}

#[test]
fn what_the_service_says_otherwise_is_no_change_of_the_user() {
    let database = database();
    quiet(database, json!({ "engine": "xyz" }), json!({ "engine": "abc" }), json!({ "engine": "abc" }));
    quiet(database, json!({ "backup": "region" }), json!({}), json!({}));
    quiet(database, json!({ "backup": "region" }), json!({}), json!({ "backup": "region" }));
    quiet(
        database,
        json!({ "tags": { "o": "t", "x": "1" } }),
        json!({ "tags": { "o": "t" } }),
        json!({ "tags": { "o": "t" } }),
    );
    quiet(
        database,
        json!({ "tags": { "o": "t", "aws:m": "1" } }),
        json!({ "tags": { "o": "t" } }),
        json!({ "tags": { "o": "t" } }),
    );
    quiet(database, json!({}), json!({ "pw": "s" }), json!({ "pw": "s" }));
    quiet(database, json!({}), json!({ "engine": null }), json!({}));
}

#[test]
fn what_the_user_writes_anew_is_a_change() {
    let changed =
        |outputs, old, new| difference(database(), outputs, old, new).detailed.into_iter().collect::<Vec<_>>();
    assert_eq!(
        changed(json!({ "backup": "region" }), json!({}), json!({ "backup": "local" })),
        [("backup".to_owned(), ChangeKind::Add)]
    );
    assert_eq!(
        changed(json!({ "name": "a" }), json!({ "name": "a" }), json!({ "name": "$unknown" })),
        [("name".to_owned(), ChangeKind::Update)]
    );
    // Drift that a refresh has recorded in the inputs is repaired.
    assert_eq!(
        changed(json!({ "engine": "xyz" }), json!({ "engine": "xyz" }), json!({ "engine": "abc" })),
        [("engine".to_owned(), ChangeKind::Update)]
    );
}

#[test]
fn c24_tags_are_a_set() {
    let tags = |keys: &[&str]| json!({ "tags": keys.iter().map(|key| json!({ "key": key, "value": "v" })).collect::<Vec<_>>() });
    quiet(types::log_group(), tags(&["A", "Z"]), tags(&["Z", "A"]), tags(&["A", "Z"]));
}

#[test]
fn c90_managed_tags_are_invisible() {
    let tags = |keys: &[&str]| {
        json!({ "tags": keys.iter().map(|key| match *key {
        "" => json!({}),
        key => json!({ "key": key, "value": "v" }),
    }).collect::<Vec<_>>() })
    };
    let group = types::log_group();
    quiet(group, tags(&["b", "a", "aws:x"]), tags(&["b", "a"]), tags(&["b", "a"]));
    quiet(group, tags(&["a", "aws:x", "b"]), tags(&["b", "a"]), tags(&["a", "b"]));
    // What the Go provider's refresh left in the inputs heals.
    quiet(group, tags(&["b", "a", "aws:x"]), tags(&["b", "a", ""]), tags(&["b", "a"]));
    quiet(group, tags(&["b", "aws:x"]), tags(&["b", "aws:x"]), tags(&["b"]));
    let mapped = |tags: Json| json!({ "tags": tags });
    quiet(database(), json!({}), mapped(json!({ "a": "1", "aws:x": "2" })), mapped(json!({ "a": "1" })));
}

#[test]
fn c03_an_input_that_equals_its_default_may_go() {
    let live = json!({ "logGroupName": "a", "logGroupClass": "STANDARD", "deletionProtectionEnabled": false,
        "bearerTokenAuthenticationEnabled": false, "arn": "arn" });
    let name = json!({ "logGroupName": "a" });
    quiet(types::log_group(), live.clone(), name.clone(), name.clone());
    let polluted =
        json!({ "logGroupName": "a", "bearerTokenAuthenticationEnabled": false, "logGroupClass": "STANDARD" });
    quiet(types::log_group(), live.clone(), polluted, name.clone());
    let chosen = json!({ "logGroupName": "a", "bearerTokenAuthenticationEnabled": true });
    let answer = difference(types::log_group(), live, chosen, name);
    assert_eq!(answer.detailed.keys().collect::<Vec<_>>(), ["bearerTokenAuthenticationEnabled"]);
}

#[test]
fn c91_what_is_settable_and_read_only_causes_no_difference_against_itself() {
    let domain = resource(|model| {
        model.properties = vec![prop("domainName", Text), prop("encryptionKey", Text)];
        model.create_only = paths(&["domainName", "encryptionKey"]);
        model.read_only = paths(&["encryptionKey"]);
    });
    let inputs = json!({ "domainName": "d", "encryptionKey": "k" });
    quiet(domain, json!({ "domainName": "d", "encryptionKey": "arn:k" }), inputs.clone(), inputs.clone());
    let answer = difference(domain, inputs.clone(), inputs, json!({ "domainName": "d", "encryptionKey": "other" }));
    assert_eq!(answer.replaces, ["encryptionKey"]);
    // Given no more it is the service's again; only what creation fixed needs a new resource for that.
    let route = resource(|model| {
        model.properties = vec![prop("name", Text), prop("status", Text)];
        model.read_only = paths(&["status"]);
    });
    let given = json!({ "name": "n", "status": "s" });
    let answer = difference(route, given.clone(), given, json!({ "name": "n" }));
    assert!(answer.detailed.is_empty() && answer.record_only, "{answer:?}");
}

#[test]
fn c98_marks_of_secrecy_are_recorded_without_a_change() {
    let check = |old: Json, new: Json| {
        let answer = difference(types::role(), old.clone(), old, new);
        assert!(answer.detailed.is_empty() && answer.record_only && answer.replaces.is_empty(), "{answer:?}");
    };
    let secret = |json: Json| json!({ "$secret": json });
    check(json!({ "description": "d" }), json!({ "description": secret(json!("d")) }));
    check(json!({ "description": secret(json!("d")) }), json!({ "description": "d" }));
    check(json!({ "roleName": "r" }), json!({ "roleName": secret(json!("r")) }));
    check(
        json!({ "tags": [{ "key": "a", "value": "1" }] }),
        json!({ "tags": [{ "key": "a", "value": secret(json!("1")) }] }),
    );
    check(
        json!({ "tags": [{ "key": "a", "value": "1" }] }),
        json!({ "tags": secret(json!([{ "key": "a", "value": "1" }])) }),
    );
    let policies = |document: Json| json!({ "policies": [{ "policyName": "p", "policyDocument": document }] });
    check(policies(json!({ "Version": "1" })), policies(secret(json!({ "Version": "1" }))));
    // A value that the service rewrites by a rule of the schema.
    let cluster = resource(|model| {
        model.properties = vec![prop("identifier", Text)];
        model.property_transforms = vec![("identifier".to_owned(), "$lowercase(Identifier)".to_owned())];
    });
    let (old, new) = (json!({ "identifier": "MyDB" }), json!({ "identifier": secret(json!("MyDB")) }));
    let answer = difference(cluster, json!({ "identifier": "mydb" }), old, new);
    assert!(answer.detailed.is_empty() && answer.record_only && answer.replaces.is_empty(), "{answer:?}");
    // A secret element that only moved is no change at all.
    quiet(
        types::role(),
        json!({}),
        json!({ "managedPolicyArns": [secret(json!("A")), "B"] }),
        json!({ "managedPolicyArns": ["B", secret(json!("A"))] }),
    );
}

#[test]
fn c88_states_without_a_checkpoint_show_only_what_the_program_says() {
    let check = |checkpoint: Json, new: Json, expected: &[&str]| {
        let mut olds = members(json!({ "engine": "abc", "backup": "region", "arn": "x" }));
        if checkpoint != json!("none") {
            olds.insert("__inputs".to_owned(), crate::values::val(checkpoint));
        }
        let request = DiffRequest {
            id: "id-1".to_owned(),
            urn: urn("thing"),
            olds,
            news: members(new),
            old_inputs: None,
            ignore_changes: Vec::new(),
        };
        let answer = diff(database(), &request);
        assert_eq!(answer.detailed.keys().map(String::as_str).collect::<Vec<_>>(), expected);
    };
    check(json!("none"), json!({ "engine": "abc" }), &[]);
    check(json!("none"), json!({ "engine": "new" }), &["engine"]);
    check(json!(null), json!({ "engine": "abc" }), &[]);
    check(json!({ "engine": "abc" }), json!({ "engine": "abc" }), &[]);
    check(json!({ "$secret": { "$secret": { "engine": "abc" } } }), json!({ "engine": "abc" }), &[]);
    check(json!({ "$secret": { "engine": "abc" } }), json!({}), &["engine"]);
}
