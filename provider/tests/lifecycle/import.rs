//! Import: a read without anything recorded.

use metadata::model::Type::String as Text;
use metadata::view::Resource;
use provider::lifecycle::{Failure, ReadFound, ReadRequest, UpdateRequest, read, update};
use serde_json::json;

use crate::fake_cloud::FakeCloud;
use crate::models::*;
use crate::types;
use crate::values::{members, urn};

fn request(id: &str) -> ReadRequest {
    ReadRequest { id: id.to_owned(), urn: urn("thing"), properties: None, inputs: None, timeout: None }
}

async fn imported(resource: Resource, cloud: &FakeCloud) -> ReadFound {
    read(resource, request("id-1"), cloud).await.unwrap().unwrap()
}

#[tokio::test]
async fn inputs_are_what_a_program_may_write() {
    let cloud = FakeCloud::holding(
        json!({ "RoleName": "r", "Arn": "a", "RoleId": "i", "AssumeRolePolicyDocument": { "Version": "1" },
        "Tags": [{ "Key": "aws:x", "Value": "1" }, { "Key": "k", "Value": "v" }], "Policies": [] }),
    );
    let found = imported(types::role(), &cloud).await;
    let expected = json!({ "roleName": "r", "assumeRolePolicyDocument": { "Version": "1" }, "tags": [{ "key": "k", "value": "v" }] });
    assert_eq!(found.inputs, members(expected));
    assert_eq!(cloud.with(|script| script.warnings.clone()), [""; 0]);
}

#[tokio::test]
async fn an_empty_object_that_is_a_choice_stays() {
    let acl = resource(|model| {
        let nothing = object(model, []);
        let action = object(model, [prop("none", nothing.clone()), prop("count", nothing)]);
        model.properties = vec![prop("overrideAction", action), prop("rules", list(Text))];
    });
    let cloud = FakeCloud::holding(json!({ "OverrideAction": { "None": {} }, "Rules": [] }));
    assert_eq!(imported(acl, &cloud).await.inputs, members(json!({ "overrideAction": { "none": {} } })));
}

#[tokio::test]
async fn c09_inputs_that_cannot_be_read_are_named_and_recorded_later() {
    let rule = resource(|model| {
        model.properties = vec![prop("listenerArn", Text), prop("priority", Text), output("ruleArn", Text)];
        model.create_only = paths(&["listenerArn"]);
        model.write_only = paths(&["listenerArn"]);
        model.read_only = paths(&["ruleArn"]);
        model.primary_identifier = paths(&["ruleArn"]);
    });
    let cloud = FakeCloud::holding(json!({ "Priority": "1", "RuleArn": "r" }));
    let found = imported(rule, &cloud).await;
    assert_eq!(found.inputs, members(json!({ "priority": "1" })));
    assert_eq!(cloud.with(|script| script.warnings.clone()), ["Can't import write-only properties: listenerArn"]);
    let news = members(json!({ "priority": "1", "listenerArn": "arn:x" }));
    let request = UpdateRequest {
        id: "r".to_owned(),
        urn: urn("rule"),
        olds: found.properties,
        news: news.clone(),
        old_inputs: Some(found.inputs),
        ignore_changes: Vec::new(),
        timeout: None,
        reads_first: false,
        preview: false,
    };
    let outputs = update(rule, request, &cloud).await.unwrap();
    assert!(cloud.requests().is_empty());
    assert_eq!(provider::checkpoint::inputs(&outputs), Some(&news));
    assert_eq!(outputs["listenerArn"], "arn:x".into());
    assert!(!provider::checkpoint::is_imported(&outputs));
}

#[tokio::test]
async fn ids_of_wrong_arity_are_refused_with_the_form() {
    let web_acl = resource(|model| {
        model.cfn_type = "AWS::WAFv2::WebACL".to_owned();
        model.properties = vec![prop("name", Text), output("awsId", Text), prop("scope", Text)];
        model.primary_identifier = paths(&["name", "awsId", "scope"]);
    });
    let check = async |id: &str, expected: Option<&str>| {
        let cloud = FakeCloud::holding(json!({ "Name": "n" }));
        let answer = read(web_acl, request(id), &cloud).await;
        assert_eq!(cloud.with(|script| script.reads), usize::from(expected.is_none()), "{id}");
        match (answer, expected) {
            (Ok(Some(_)), None) => {}
            (Err(Failure::Refused { message, .. }), Some(expected)) => assert_eq!(message, expected),
            (answer, _) => panic!("{id}: {answer:?}"),
        }
    };
    check("n", Some("the id `n` has 1 part where AWS::WAFv2::WebACL has 3: give it as `Name|Id|Scope`")).await;
    check("n|i", Some("the id `n|i` has 2 parts where AWS::WAFv2::WebACL has 3: give it as `Name|Id|Scope`")).await;
    check("", Some("the id `` has no part where AWS::WAFv2::WebACL has 3: give it as `Name|Id|Scope`")).await;
    check("n|i|s", None).await;
    check("n|with|i|s", None).await;
    check("{\"Name\":\"n\"}", None).await;
}
