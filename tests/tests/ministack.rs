//! The life of a stack on a double of AWS that others wrote: no schema, no defaults, no read-only values, everything at once,
//! and patches applied as written.
#![allow(clippy::unwrap_used, reason = "a test ends with its first surprise")]

use serde_json::json;
use tests::ministack::Ministack;
use tests::sandbox::Sandbox;

/// Types of the program, of which each has one resource.
const TYPES: [&str; 18] = [
    "AWS::Backup::BackupVault",
    "AWS::CloudWatch::Alarm",
    "AWS::Cognito::UserPool",
    "AWS::DynamoDB::Table",
    "AWS::EC2::VPC",
    "AWS::ECR::Repository",
    "AWS::Events::Rule",
    "AWS::IAM::Role",
    "AWS::KMS::Key",
    "AWS::Kinesis::Stream",
    "AWS::Lambda::Function",
    "AWS::Logs::LogGroup",
    "AWS::S3::Bucket",
    "AWS::SNS::Topic",
    "AWS::SQS::Queue",
    "AWS::SSM::Parameter",
    "AWS::SecretsManager::Secret",
    "AWS::StepFunctions::StateMachine",
];

#[test]
fn a_stack_lives_on_a_double_that_others_wrote() {
    let Some(double) = Ministack::start().unwrap() else { return };
    let sandbox = Sandbox::of_program("ministack", double.url()).unwrap();
    sandbox.configure("apiKey", "canary-ministack-51", true).unwrap();
    sandbox.up().unwrap();
    for name in TYPES {
        assert_eq!(double.list(name).unwrap().len(), 1, "{name}");
    }
    quiet(&sandbox);
    assert!(!sandbox.export().unwrap().to_string().contains("canary-ministack-51"));

    changes_go_to_their_paths(&double, &sandbox);
    what_cannot_be_changed_is_replaced(&double, &sandbox);
    drift_is_shown_and_repaired(&double, &sandbox);
    what_exists_is_imported(&double, &sandbox);

    // One of them is gone already.
    let table = double.list("AWS::DynamoDB::Table").unwrap().pop().unwrap();
    double.call("DeleteResource", &json!({"TypeName": "AWS::DynamoDB::Table", "Identifier": table})).unwrap();
    sandbox.succeed(&["destroy", "--yes", "--skip-preview"]).unwrap();
    for name in TYPES {
        assert!(double.list(name).unwrap().is_empty(), "{name}");
    }
}

/// Neither preview nor refresh sees anything.
fn quiet(sandbox: &Sandbox) {
    let plan = sandbox.preview().unwrap();
    assert!(plan.is_empty(), "{plan:?}");
    sandbox.succeed(&["refresh", "--yes", "--skip-preview", "--expect-no-changes"]).unwrap();
    let plan = sandbox.preview().unwrap();
    assert!(plan.is_empty(), "{plan:?}");
}

fn changes_go_to_their_paths(double: &Ministack, sandbox: &Sandbox) {
    for (from, to) in [
        ("status: Enabled", "status: Suspended"),
        ("\"team/owner\": one, stage: first", "\"team/owner\": two"),
        ("visibilityTimeout: 30, delaySeconds: 1", "visibilityTimeout: 60"),
        ("STAGE: first", "STAGE: second"),
        ("retentionInDays: 7", "retentionInDays: 14"),
        ("Action: \"s3:GetObject\"", "Action: \"s3:PutObject\""),
    ] {
        sandbox.edit(from, to).unwrap();
    }
    let plan = sandbox.preview().unwrap();
    let paths = |name: &str| plan.step("update", name).unwrap().changes.keys().cloned().collect::<Vec<_>>();
    assert_eq!(paths("uploads"), ["versioningConfiguration.status"]);
    assert_eq!(paths("setting"), ["tags.stage", "tags[\"team/owner\"]"]);
    assert_eq!(paths("jobs"), ["delaySeconds", "visibilityTimeout"]);
    assert_eq!(paths("function"), ["environment.variables.STAGE"]);
    sandbox.up().unwrap();
    let model = |name: &str| double.read(name, &double.list(name).unwrap()[0]).unwrap();
    assert_eq!(model("AWS::S3::Bucket")["VersioningConfiguration"], json!({"Status": "Suspended"}));
    assert_eq!(model("AWS::SSM::Parameter")["Tags"], json!({"team/owner": "two"}));
    let queue = model("AWS::SQS::Queue");
    assert_eq!((&queue["VisibilityTimeout"], queue.get("DelaySeconds")), (&json!(60), None));
    let variables = json!({"API_KEY": "canary-ministack-51", "STAGE": "second"});
    assert_eq!(model("AWS::Lambda::Function")["Environment"]["Variables"], variables);
    assert_eq!(model("AWS::Logs::LogGroup")["RetentionInDays"], 14);
    let policy = &model("AWS::IAM::Role")["Policies"][0];
    assert_eq!(policy["PolicyDocument"]["Statement"][0]["Action"], "s3:PutObject");
    quiet(sandbox);
}

fn what_cannot_be_changed_is_replaced(double: &Ministack, sandbox: &Sandbox) {
    sandbox.edit("/double/setting", "/double/other").unwrap();
    let plan = sandbox.preview().unwrap();
    let step = plan.step("replace", "setting").or_else(|| plan.step("create-replacement", "setting")).unwrap();
    assert!(step.changes["name"].contains("replace"), "{plan:?}");
    sandbox.up().unwrap();
    assert_eq!(double.list("AWS::SSM::Parameter").unwrap(), ["/double/other"]);
    quiet(sandbox);
}

fn drift_is_shown_and_repaired(double: &Ministack, sandbox: &Sandbox) {
    let group = double.list("AWS::Logs::LogGroup").unwrap().pop().unwrap();
    let patch = json!([{"op": "replace", "path": "/RetentionInDays", "value": 1}]).to_string();
    let request = json!({"TypeName": "AWS::Logs::LogGroup", "Identifier": group, "PatchDocument": patch});
    double.call("UpdateResource", &request).unwrap();
    let said = sandbox.succeed(&["refresh", "--yes", "--skip-preview", "--diff"]).unwrap();
    assert!(said.out.contains("retentionInDays"), "{}", said.out);
    let plan = sandbox.preview().unwrap();
    assert_eq!((plan.steps.len(), plan.step("update", "logs").is_some()), (1, true), "{plan:?}");
    sandbox.up().unwrap();
    assert_eq!(double.read("AWS::Logs::LogGroup", &group).unwrap()["RetentionInDays"], 14);
    quiet(sandbox);
}

fn what_exists_is_imported(double: &Ministack, sandbox: &Sandbox) {
    let model = json!({"Name": "by-hand", "ShardCount": 2}).to_string();
    double.call("CreateResource", &json!({"TypeName": "AWS::Kinesis::Stream", "DesiredState": model})).unwrap();
    let program = std::fs::read_to_string(sandbox.program().join("Pulumi.yaml")).unwrap();
    let imported = "  imported:
    type: aws-native:kinesis:Stream
    properties: { name: by-hand, shardCount: 2 }
    options: { import: by-hand }
";
    sandbox.write_program(&format!("{program}{imported}")).unwrap();
    assert!(sandbox.preview().unwrap().step("import", "imported").is_some());
    sandbox.up().unwrap();
    sandbox.edit("    options: { import: by-hand }\n", "").unwrap();
    quiet(sandbox);
}
