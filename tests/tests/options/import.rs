//! Resources that are imported with the option `import`.

use serde_json::json;

use super::{REGION, order, paths, planned};

#[test]
fn what_exists_is_imported_and_then_previews_empty() {
    let (cloud, sandbox) = planned(
        "  logs:
    type: aws-native:logs:LogGroup
    properties: { logGroupName: by-hand, retentionInDays: 30, tags: [{ key: team, value: one }] }
    options: { import: by-hand }
  uploads:
    type: aws-native:events:EventBus
    properties: { name: made-by-hand, description: uploads }
    options: { import: made-by-hand }
",
    );
    let group = json!({"LogGroupName": "by-hand", "RetentionInDays": 30, "Tags": [{"Key": "team", "Value": "one"}]});
    cloud.make(REGION, "AWS::Logs::LogGroup", &group).unwrap();
    let bus = json!({"Name": "made-by-hand", "Description": "uploads"});
    cloud.make(REGION, "AWS::Events::EventBus", &bus).unwrap();
    let plan = sandbox.preview().unwrap();
    for name in ["logs", "uploads"] {
        assert!(plan.step("import", name).unwrap().changes.is_empty(), "{plan:?}");
    }
    sandbox.up().unwrap();
    assert_eq!(order(&cloud), Vec::<String>::new());
    // The option may stay or go.
    assert!(sandbox.preview().unwrap().is_empty());
    sandbox.edit("    options: { import: by-hand }\n", "").unwrap();
    sandbox.edit("    options: { import: made-by-hand }\n", "").unwrap();
    let plan = sandbox.preview().unwrap();
    assert!(plan.is_empty(), "{plan:?}");
    sandbox.succeed(&["refresh", "--yes", "--skip-preview", "--expect-no-changes"]).unwrap();
    sandbox.edit("retentionInDays: 30", "retentionInDays: 60").unwrap();
    sandbox.up().unwrap();
    let updates = cloud.mutations().unwrap();
    assert_eq!(updates.iter().map(paths).collect::<Vec<_>>(), [["/RetentionInDays"]]);
    sandbox.succeed(&["destroy", "--yes", "--skip-preview"]).unwrap();
    assert!(cloud.everything().unwrap().is_empty());
}

#[test]
fn an_import_takes_what_is_there_and_the_program_then_changes_it() {
    let (cloud, sandbox) = planned(
        "  logs:
    type: aws-native:logs:LogGroup
    properties: { logGroupName: by-hand, retentionInDays: 7 }
    options: { import: by-hand }
",
    );
    cloud.make(REGION, "AWS::Logs::LogGroup", &json!({"LogGroupName": "by-hand", "RetentionInDays": 30})).unwrap();
    sandbox.up().unwrap();
    let seen = cloud.mutations().unwrap();
    assert_eq!(seen.iter().map(paths).collect::<Vec<_>>(), [["/RetentionInDays"]]);
    assert!(sandbox.preview().unwrap().is_empty());
}

#[test]
fn an_import_by_half_an_identifier_says_the_form_of_it() {
    let (cloud, sandbox) = planned(
        "  part:
    type: aws-native:apigateway:Resource
    properties: { restApiId: api, parentId: root, pathPart: orders }
    options: { import: only-one }
",
    );
    let said = sandbox.run(&["up", "--yes", "--skip-preview"]).unwrap();
    assert!(!said.ok && said.all().contains("RestApiId|ResourceId"), "{}", said.all());
    assert_eq!(order(&cloud), Vec::<String>::new());
}
