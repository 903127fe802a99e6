//! Documents that mean the same and documents that do not, by the grammar of IAM policies.

use metadata::model::{self, EqualityHint};
use serde_json::{Value as Json, json};
use value::{Unknown, Value};

use super::*;
use crate::place::Object;

#[track_caller]
fn check(one: Json, other: Json, expected: Option<bool>) {
    let (first, second) = (value::json::from_json(&one), value::json::from_json(&other));
    assert_eq!(equivalent(&first, &second), expected, "{one} {other}");
    assert_eq!(equivalent(&second, &first), expected, "{other} {one}");
}

/// A policy of one statement that allows, with these members besides.
fn policy(members: Json) -> Json {
    let mut statement = json!({ "Effect": "Allow", "Action": "s3:*", "Resource": "*" });
    statement.as_object_mut().zip(members.as_object()).into_iter().for_each(|(statement, members)| {
        statement.extend(members.clone());
    });
    json!({ "Version": "2012-10-17", "Statement": [statement] })
}

#[track_caller]
fn same(one: Json, other: Json) {
    check(policy(one), policy(other), Some(true));
}

#[track_caller]
fn differ(one: Json, other: Json) {
    check(policy(one), policy(other), Some(false));
}

#[test]
fn one_value_is_a_list_of_it_and_order_means_nothing() {
    same(json!({ "Action": "s3:Get*" }), json!({ "Action": ["s3:Get*"] }));
    same(json!({ "Action": ["a:A", "b:B"] }), json!({ "Action": ["b:B", "a:A", "b:B"] }));
    same(json!({ "Action": "S3:getobject" }), json!({ "Action": ["s3:GetObject"] }));
    same(json!({ "NotAction": ["a:A", "b:B"] }), json!({ "NotAction": ["b:b", "a:a"] }));
    same(json!({ "Resource": ["r1", "r2"] }), json!({ "Resource": ["r2", "r1"] }));
    same(json!({ "NotResource": "r" }), json!({ "NotResource": ["r"] }));
    same(json!({ "Effect": "allow" }), json!({ "Effect": "Allow" }));
    differ(json!({ "Action": "s3:Get*" }), json!({ "NotAction": "s3:Get*" }));
    differ(json!({ "Action": ["a:A"] }), json!({ "Action": ["a:A", "b:B"] }));
    differ(json!({ "Resource": "R" }), json!({ "Resource": "r" }));
    differ(json!({ "Effect": "Allow" }), json!({ "Effect": "Deny" }));
    differ(json!({ "Sid": "a" }), json!({ "Sid": "b" }));
    differ(json!({ "Sid": "a" }), json!({}));
    same(json!({ "Sid": null }), json!({}));
    // What is no text is compared as it is.
    differ(json!({ "Action": [1, 2] }), json!({ "Action": [2, 1] }));
    same(json!({ "Action": [1, "a"] }), json!({ "Action": [1, "a"] }));
    differ(json!({ "Other": ["a", "b"] }), json!({ "Other": ["b", "a"] }));
}

#[test]
fn an_account_is_its_root() {
    let root = |account: &str| format!("arn:aws:iam::{account}:root");
    let principal = |named: Json| json!({ "Principal": { "AWS": named } });
    same(principal(json!("111122223333")), principal(json!(root("111122223333"))));
    same(principal(json!(["111122223333", "arn:aws:iam::1:user/u"])), {
        principal(json!(["arn:aws:iam::1:user/u", root("111122223333")]))
    });
    same(principal(json!("111122223333")), principal(json!("arn:aws-cn:iam::111122223333:root")));
    differ(principal(json!(root("111122223333"))), principal(json!("arn:aws-cn:iam::111122223333:root")));
    differ(principal(json!("111122223333")), principal(json!(root("444455556666"))));
    differ(principal(json!("111122223333")), principal(json!("arn:aws:iam::111122223333:role/root")));
    differ(principal(json!("11112222333")), principal(json!(root("11112222333"))));
    same(json!({ "NotPrincipal": { "AWS": ["a", "b"] } }), json!({ "NotPrincipal": { "AWS": ["b", "a"] } }));
    same(json!({ "Principal": { "Service": "x", "AWS": [] } }), json!({ "Principal": { "Service": ["x"] } }));
    differ(json!({ "Principal": { "Service": "x" } }), json!({ "Principal": { "Federated": "x" } }));
    same(json!({ "Principal": "*" }), json!({ "Principal": "*" }));
    same(json!({ "Principal": "*" }), json!({ "Principal": { "AWS": ["*"] } }));
    differ(json!({ "Principal": "*" }), json!({ "Principal": { "AWS": ["*"], "Service": "x" } }));
    differ(json!({ "Principal": "*" }), json!({ "NotPrincipal": { "AWS": "*" } }));
    differ(json!({ "Principal": "*" }), json!({ "Principal": { "Service": "*" } }));
}

#[test]
fn conditions_compare_texts() {
    let condition = |condition: Json| json!({ "Condition": condition });
    same(condition(json!({ "Bool": { "aws:SecureTransport": true } })), {
        condition(json!({ "Bool": { "aws:securetransport": ["true"] } }))
    });
    same(condition(json!({ "NumericLessThan": { "k": 5 } })), condition(json!({ "numericlessthan": { "k": "5" } })));
    same(condition(json!({ "StringEquals": { "k": ["a", "b", "a"] } })), {
        condition(json!({ "StringEquals": { "k": ["b", "a"] } }))
    });
    differ(condition(json!({ "StringEquals": { "k": "a" } })), condition(json!({ "StringEquals": { "k": "A" } })));
    differ(condition(json!({ "StringEquals": { "k": "a" } })), condition(json!({ "StringLike": { "k": "a" } })));
    differ(condition(json!({ "StringEquals": { "k": "a" } })), condition(json!({ "StringEquals": {} })));
    differ(condition(json!({ "StringEquals": { "K": "a", "k": "b" } })), {
        condition(json!({ "StringEquals": { "K": "b", "k": "a" } }))
    });
}

#[test]
fn statements_are_a_multiset() {
    let one = || json!({ "Effect": "Allow", "Action": "a:A", "Resource": "*" });
    let other = || json!({ "Effect": "Deny", "Action": "a:B", "Resource": "*" });
    let document = |statement: Json| json!({ "Version": "2012-10-17", "Statement": statement });
    check(document(one()), document(json!([one()])), Some(true));
    check(document(json!([one(), other()])), document(json!([other(), one()])), Some(true));
    check(document(json!([one(), one()])), document(json!([one()])), Some(false));
    check(document(json!([one(), one(), other()])), document(json!([one(), other(), other()])), Some(false));
    check(document(json!([])), document(json!([])), Some(true));
    check(json!({ "Statement": [one()] }), document(json!([one()])), Some(false));
    check(json!({ "Id": "i", "Statement": one() }), json!({ "Id": "j", "Statement": one() }), Some(false));
    check(json!({ "Id": null, "Statement": one() }), json!({ "Statement": one() }), Some(true));
    let text = serde_json::to_string_pretty(&document(json!([one()]))).unwrap_or_default();
    check(json!(format!("\n{text}\n")), document(one()), Some(true));
}

#[test]
fn what_is_no_policy_has_no_answer() {
    for other in
        [json!("Retain"), json!("{"), json!({}), json!({ "Statement": "x" }), json!({ "Statement": ["x"] }), json!(5)]
    {
        check(policy(json!({})), other, None);
    }
    let unknown = Value::object([("Statement", Value::from(vec![Unknown::Object.into()]))]);
    assert_eq!(equivalent(&unknown, &unknown), None);
    let deep = format!("{{\"Statement\": {}{}}}", "[".repeat(5_000), "]".repeat(5_000));
    assert_eq!(equivalent(&deep.as_str().into(), &deep.as_str().into()), None);
}

#[test]
fn policies_are_where_they_are_called_so() {
    let property = |name: &str, ty: model::Type| model::Property {
        name: name.to_owned(),
        cfn_name: name.to_uppercase(),
        ty,
        input: true,
        required: false,
        default: None,
    };
    let resource = model::Resource {
        properties: vec![
            property("accessPolicies", model::Type::Any),
            property("assumeRolePolicyDocument", model::Type::Any),
            property("deletionPolicies", model::Type::Any),
            property("keyText", model::Type::String),
            property("policy", model::Type::String),
            property("policyText", model::Type::Any),
            property("queuePolicy", model::Type::Integer),
            property("stackPolicyBody", model::Type::Any),
            property("topicPolicy", model::Type::Any),
        ],
        equality: vec![
            ("keyText".to_owned(), EqualityHint::PolicyDocument),
            ("topicPolicy".to_owned(), EqualityHint::JsonDocument),
        ],
        ..model::Resource::default()
    };
    let resource: metadata::view::Resource = metadata::encode(&resource).expect("a well-formed model").leak().into();
    let object = Object::of(resource);
    let is_place = |name: &&str| object.member(name).1.may_hold_policy();
    let all: Vec<&str> = resource.properties().iter().map(|property| property.name()).filter(is_place).collect();
    assert_eq!(
        all,
        ["accessPolicies", "assumeRolePolicyDocument", "keyText", "policy", "policyText", "stackPolicyBody"]
    );
}
