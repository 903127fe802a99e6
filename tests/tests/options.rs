//! Resource options and targets, end to end: the real engine decides with what the provider tells it.
#![allow(clippy::unwrap_used, reason = "a test ends with its first surprise")]

use std::collections::BTreeMap;

use serde_json::{Value as Json, json};
use tests::cloud::{Cloud, Seen};
use tests::sandbox::Sandbox;
use tests::story::resources;

#[path = "options/import.rs"]
mod import;

const REGION: &str = "eu-west-1";

/// A cloud, and a stack with these resources that exists there.
fn stack(resources: &str) -> (Cloud, Sandbox) {
    let (cloud, sandbox) = planned(resources);
    sandbox.up().unwrap();
    cloud.forget_requests().unwrap();
    (cloud, sandbox)
}

/// A cloud, and a stack that was never brought up.
fn planned(resources: &str) -> (Cloud, Sandbox) {
    let cloud = Cloud::start().unwrap();
    let program = format!("name: options\nruntime: yaml\nresources:\n{resources}");
    let sandbox = Sandbox::of_text(&program, cloud.url()).unwrap();
    (cloud, sandbox)
}

/// `CreateResource AWS::SQS::Queue`, in the order in which they came.
fn order(cloud: &Cloud) -> Vec<String> {
    cloud.mutations().unwrap().iter().map(|seen| format!("{} {}", seen.operation, seen.type_name)).collect()
}

/// The paths of a patch.
fn paths(seen: &Seen) -> Vec<&str> {
    seen.patch.iter().map(|operation| operation["path"].as_str().unwrap()).collect()
}

fn changes(of: &[(&str, &str)]) -> BTreeMap<String, String> {
    of.iter().map(|(path, kind)| ((*path).to_owned(), (*kind).to_owned())).collect()
}

#[test]
fn ignored_changes_are_neither_planned_nor_sent() {
    let (cloud, sandbox) = stack(
        "  logs:
    type: aws-native:logs:LogGroup
    properties:
      retentionInDays: 7
      tags: [{ key: team, value: one }, { key: stage, value: first }]
    options: { ignoreChanges: [retentionInDays, 'tags[0].value'] }
  uploads:
    type: aws-native:s3:Bucket
    properties: { versioningConfiguration: { status: Enabled }, accelerateConfiguration: { accelerationStatus: Enabled } }
    options: { ignoreChanges: [versioningConfiguration.status] }
",
    );
    sandbox.edit("retentionInDays: 7", "retentionInDays: 14").unwrap();
    sandbox.edit("value: one", "value: two").unwrap();
    sandbox.edit("status: Enabled }, acc", "status: Suspended }, acc").unwrap();
    let plan = sandbox.preview().unwrap();
    assert!(plan.is_empty(), "{plan:?}");
    sandbox.up().unwrap();
    assert_eq!(order(&cloud), Vec::<String>::new());

    // What is not ignored beside it is changed, and the ignored stays.
    sandbox.edit("value: first", "value: second").unwrap();
    sandbox.edit("accelerationStatus: Enabled", "accelerationStatus: Suspended").unwrap();
    let plan = sandbox.preview().unwrap();
    assert_eq!(plan.step("update", "logs").unwrap().changes, changes(&[("tags[1].value", "update")]));
    let wanted = changes(&[("accelerateConfiguration.accelerationStatus", "update")]);
    assert_eq!(plan.step("update", "uploads").unwrap().changes, wanted);
    sandbox.up().unwrap();
    let (_, group) = cloud.resources("AWS::Logs::LogGroup").unwrap().pop().unwrap();
    assert_eq!(group["RetentionInDays"], 7);
    let tags = json!([{"Key": "team", "Value": "one"}, {"Key": "stage", "Value": "second"}]);
    assert!(same_elements(&group["Tags"], &tags), "{group}");
    let update = cloud.mutations().unwrap().into_iter().find(|seen| seen.type_name == "AWS::S3::Bucket").unwrap();
    assert_eq!(paths(&update), ["/AccelerateConfiguration/AccelerationStatus"]);
    assert!(sandbox.preview().unwrap().is_empty());
}

/// Tags are a set.
fn same_elements(one: &Json, other: &Json) -> bool {
    let (one, other) = (one.as_array().unwrap(), other.as_array().unwrap());
    one.len() == other.len() && one.iter().all(|element| other.contains(element))
}

#[test]
fn a_change_is_made_a_replacement() {
    let (cloud, sandbox) = stack(
        "  jobs:
    type: aws-native:sqs:Queue
    properties: { visibilityTimeout: 30, delaySeconds: 1 }
    options: { replaceOnChanges: [visibilityTimeout] }
",
    );
    // Another property is updated in place.
    sandbox.edit("delaySeconds: 1", "delaySeconds: 2").unwrap();
    assert_eq!(
        sandbox.preview().unwrap().step("update", "jobs").unwrap().changes,
        changes(&[("delaySeconds", "update")])
    );
    sandbox.edit("visibilityTimeout: 30", "visibilityTimeout: 60").unwrap();
    let plan = sandbox.preview().unwrap();
    let step = plan.step("replace", "jobs").or_else(|| plan.step("create-replacement", "jobs")).unwrap();
    assert!(step.changes["visibilityTimeout"].contains("replace"), "{plan:?}");
    sandbox.up().unwrap();
    assert_eq!(order(&cloud), ["CreateResource AWS::SQS::Queue", "DeleteResource AWS::SQS::Queue"]);
    let (_, queue) = cloud.resources("AWS::SQS::Queue").unwrap().pop().unwrap();
    assert_eq!((&queue["VisibilityTimeout"], &queue["DelaySeconds"]), (&json!(60), &json!(2)));
    assert!(sandbox.preview().unwrap().is_empty());
}

#[test]
fn what_is_deleted_first_and_what_is_created_first() {
    let table = |name: &str, options: &str| {
        format!(
            "  {name}:
    type: aws-native:dynamodb:Table
    properties:
      tableName: {name}-one
      billingMode: PAY_PER_REQUEST
      attributeDefinitions: [{{ attributeName: id, attributeType: S }}]
      keySchema: [{{ attributeName: id, keyType: HASH }}]
{options}"
        )
    };
    // The option decides for a table whose name changes, which could stand beside the old one.
    let (cloud, sandbox) = stack(&table("orders", "    options: { deleteBeforeReplace: true }\n"));
    sandbox.edit("orders-one", "orders-two").unwrap();
    sandbox.up().unwrap();
    assert_eq!(order(&cloud), ["DeleteResource AWS::DynamoDB::Table", "CreateResource AWS::DynamoDB::Table"]);

    // Without it the new one comes first.
    let (cloud, sandbox) = stack(&table("orders", ""));
    sandbox.edit("orders-one", "orders-two").unwrap();
    sandbox.up().unwrap();
    assert_eq!(order(&cloud), ["CreateResource AWS::DynamoDB::Table", "DeleteResource AWS::DynamoDB::Table"]);
}

#[test]
fn a_given_name_that_stays_is_freed_first_and_a_generated_one_is_not() {
    let (cloud, sandbox) = stack(
        "  named:
    type: aws-native:kinesis:Stream
    properties: { name: events, shardCount: 1 }
    options: { replaceOnChanges: [retentionPeriodHours] }
  generated:
    type: aws-native:iam:Role
    properties:
      path: /one/
      assumeRolePolicyDocument: { Version: '2012-10-17', Statement: [] }
  given:
    type: aws-native:iam:Role
    properties:
      roleName: given
      path: /two/
      assumeRolePolicyDocument: { Version: '2012-10-17', Statement: [] }
",
    );
    sandbox.edit("path: /one/", "path: /first/").unwrap();
    sandbox.up().unwrap();
    assert_eq!(order(&cloud), ["CreateResource AWS::IAM::Role", "DeleteResource AWS::IAM::Role"]);
    cloud.forget_requests().unwrap();
    sandbox.edit("path: /two/", "path: /second/").unwrap();
    sandbox.up().unwrap();
    assert_eq!(order(&cloud), ["DeleteResource AWS::IAM::Role", "CreateResource AWS::IAM::Role"]);
}

#[test]
fn what_is_protected_stays() {
    let (cloud, sandbox) = stack(
        "  precious:
    type: aws-native:s3:Bucket
    options: { protect: true }
",
    );
    let said = sandbox.run(&["destroy", "--yes", "--skip-preview"]).unwrap();
    assert!(!said.ok && said.all().contains("protect"), "{}", said.all());
    assert_eq!((sandbox.state().unwrap().len(), cloud.resources("AWS::S3::Bucket").unwrap().len()), (1, 1));
    assert_eq!(order(&cloud), Vec::<String>::new());
    // Nor does a program without it take it away.
    sandbox.write_program("name: options\nruntime: yaml\nresources: {}\n").unwrap();
    assert!(!sandbox.run(&["up", "--yes", "--skip-preview"]).unwrap().ok);
    assert_eq!(cloud.resources("AWS::S3::Bucket").unwrap().len(), 1);
    let urn = sandbox.state().unwrap()[0]["urn"].as_str().unwrap().to_owned();
    sandbox.succeed(&["state", "unprotect", "--yes", &urn]).unwrap();
    sandbox.up().unwrap();
    assert_eq!((sandbox.state().unwrap().len(), cloud.resources("AWS::S3::Bucket").unwrap().len()), (0, 0));
}

#[test]
fn what_is_retained_leaves_only_the_state() {
    let (cloud, sandbox) = stack(
        "  keeper:
    type: aws-native:iam:Role
    properties: { assumeRolePolicyDocument: { Version: '2012-10-17', Statement: [] } }
    options: { retainOnDelete: true }
",
    );
    sandbox.succeed(&["destroy", "--yes", "--skip-preview"]).unwrap();
    assert_eq!((sandbox.state().unwrap().len(), cloud.resources("AWS::IAM::Role").unwrap().len()), (0, 1));
    assert_eq!(order(&cloud), Vec::<String>::new());
}

#[test]
fn an_alias_is_the_same_resource() {
    let (cloud, sandbox) = stack(
        "  jobs:
    type: aws-native:sqs:Queue
    properties: { visibilityTimeout: 30 }
",
    );
    let before = sandbox.export().unwrap();
    let renamed = "  tasks:
    type: aws-native:sqs:Queue
    properties: { visibilityTimeout: 30 }
    options: { aliases: [{ name: jobs }] }
";
    sandbox.write_program(&format!("name: options\nruntime: yaml\nresources:\n{renamed}")).unwrap();
    let plan = sandbox.preview().unwrap();
    assert!(plan.is_empty(), "{plan:?}");
    sandbox.up().unwrap();
    let (before, after) = (resources(&before).pop().unwrap(), resources(&sandbox.export().unwrap()).pop().unwrap());
    // The name that was generated from the old one stays, too.
    assert!(after["urn"].as_str().unwrap().ends_with("::tasks"));
    assert_eq!((&before["id"], &before["outputs"]), (&after["id"], &after["outputs"]));
    assert_eq!(order(&cloud), Vec::<String>::new());
}

#[test]
fn only_the_target_is_changed() {
    let group = |name: &str| {
        format!("  {name}:\n    type: aws-native:logs:LogGroup\n    properties: {{ retentionInDays: 7 }} # {name}\n")
    };
    let (cloud, sandbox) = stack(&["one", "two", "three"].map(group).concat());
    for name in ["one", "two", "three"] {
        let (from, to) = (format!("7 }} # {name}\n"), format!("14 }} # {name}\n"));
        sandbox.edit(&from, &to).unwrap();
    }
    let urn = "urn:pulumi:dev::options::aws-native:logs:LogGroup::two";
    sandbox.succeed(&["up", "--yes", "--skip-preview", "--target", urn]).unwrap();
    let seen = cloud.mutations().unwrap();
    assert_eq!(seen.iter().map(paths).collect::<Vec<_>>(), [["/RetentionInDays"]]);
    let plan = sandbox.preview().unwrap();
    assert_eq!(plan.steps.iter().filter(|step| step.operation == "update").count(), 2, "{plan:?}");
    sandbox.succeed(&["destroy", "--yes", "--skip-preview", "--target", urn]).unwrap();
    assert_eq!((sandbox.state().unwrap().len(), cloud.resources("AWS::Logs::LogGroup").unwrap().len()), (2, 2));
}

#[test]
fn a_custom_timeout_ends_the_wait_and_the_next_refresh_goes_on() {
    let (cloud, sandbox) = planned(
        "  slow:
    type: aws-native:iam:Role
    properties: { roleName: slow, assumeRolePolicyDocument: { Version: '2012-10-17', Statement: [] } }
    options: { customTimeouts: { create: 2s } }
",
    );
    cloud.rule(&json!({"when": {"operation": "create", "type": "AWS::IAM::Role"}, "then": {"stuck": {}}})).unwrap();
    let said = sandbox.run(&["up", "--yes", "--skip-preview"]).unwrap();
    let text = said.all();
    assert!(!said.ok && text.contains("operation CREATE did not finish within 2 s"), "{text}");
    let token = cloud.accepted().unwrap()[0]["token"].as_str().unwrap().to_owned();
    assert!(text.contains(&token), "{text}");
    // The service had named the role, so that the state has it until a refresh finds that the request was canceled.
    let state = sandbox.state().unwrap();
    assert_eq!(state.iter().map(|resource| &resource["id"]).collect::<Vec<_>>(), ["slow"]);
    cloud.forget_rules().unwrap();
    sandbox.succeed(&["up", "--yes", "--skip-preview", "--refresh"]).unwrap();
    assert!(sandbox.preview().unwrap().is_empty());
    assert_eq!(cloud.resources("AWS::IAM::Role").unwrap().len(), 1);
}

#[test]
fn additional_outputs_are_secret() {
    let (_cloud, sandbox) = stack(
        "  uploads:
    type: aws-native:s3:Bucket
    properties: { bucketName: with-a-secret-arn }
    options: { additionalSecretOutputs: [arn] }
",
    );
    let state = sandbox.state().unwrap().pop().unwrap();
    assert!(state["outputs"]["arn"]["ciphertext"].is_string(), "{state}");
    assert_eq!(state["outputs"]["bucketName"], "with-a-secret-arn");
    assert!(sandbox.preview().unwrap().is_empty());
    sandbox.succeed(&["refresh", "--yes", "--skip-preview", "--expect-no-changes"]).unwrap();
}
