//! The demo's story, looked at closely: plans, patches, and the search for secrets. One run of the engine serves all tests.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test ends with its first surprise")]

use std::sync::OnceLock;

use serde_json::{Value as Json, json};
use tests::cloud::Seen;
use tests::story::{API_KEY, DB_PASSWORD, Evidence, tell, tell_briefly};

fn evidence() -> &'static Evidence {
    static EVIDENCE: OnceLock<Evidence> = OnceLock::new();
    EVIDENCE.get_or_init(|| tell(&mut |_| {}).expect("the story comes out as told"))
}

/// `op path` of every operation of the updates of `type_name` in `step`.
fn patches(step: &str, type_name: &str) -> Vec<Vec<String>> {
    let updates = evidence().mutations(step).into_iter();
    let updates = updates.filter(|seen| seen.operation == "UpdateResource" && seen.type_name == type_name);
    updates.map(|seen: Seen| sorted(seen.patch.iter().map(line).collect())).collect()
}

fn line(operation: &Json) -> String {
    format!("{} {}", operation["op"].as_str().unwrap(), operation["path"].as_str().unwrap())
}

fn sorted(mut lines: Vec<String>) -> Vec<String> {
    lines.sort();
    lines
}

#[test]
fn creation_sends_one_create_for_each_resource() {
    let created: Vec<String> = evidence()
        .mutations("create")
        .into_iter()
        .map(|seen| format!("{} {}", seen.operation, seen.type_name))
        .collect();
    let expected = [
        "CreateResource AWS::DynamoDB::Table",
        "CreateResource AWS::IAM::Role",
        "CreateResource AWS::Lambda::Function",
        "CreateResource AWS::Logs::LogGroup",
        "CreateResource AWS::S3::Bucket",
        "CreateResource AWS::SQS::Queue",
        "CreateResource AWS::SQS::Queue",
        "CreateResource AWS::SSM::Parameter",
    ];
    assert_eq!(sorted(created), expected);
}

#[test]
fn second_preview_is_empty() {
    assert!(evidence().plan("preview").is_empty());
}

#[test]
fn one_nested_property_of_the_bucket_is_one_patch_operation() {
    let plan = evidence().plan("update");
    assert_eq!(
        plan.step("update", "uploads").unwrap().changes,
        [changed("versioningConfiguration.status", "update")].into()
    );
    assert_eq!(patches("update", "AWS::S3::Bucket"), [["replace /VersioningConfiguration/Status"]]);
}

#[test]
fn one_nested_property_of_the_function_is_one_patch_operation_and_the_write_only_re_send() {
    assert_eq!(
        patches("replace", "AWS::Lambda::Function"),
        [["add /Code", "replace /Environment/Variables/ORDERS_TABLE"]]
    );
}

#[test]
fn drift_is_repaired_at_its_path() {
    assert_eq!(patches("drift", "AWS::Logs::LogGroup"), [["replace /RetentionInDays"]]);
}

#[test]
fn the_plan_names_the_property_that_forces_the_replacement() {
    let plan = evidence().plan("replace");
    let step = plan.step("replace", "orders").or_else(|| plan.step("create-replacement", "orders")).unwrap();
    assert_eq!(step.changes, [changed("tableName", "update-replace")].into());
}

#[test]
fn no_secret_stands_in_clear_in_state_or_in_what_the_engine_prints() {
    for (step, export) in &evidence().exports {
        let text = export.to_string();
        for canary in [API_KEY, DB_PASSWORD] {
            assert!(!text.contains(canary), "{canary} stands in clear in the state after step {step}");
        }
    }
    for canary in [API_KEY, DB_PASSWORD] {
        assert!(!evidence().said.contains(canary), "{canary} was printed");
    }
}

#[test]
fn echoed_secrets_are_marked_where_they_stand() {
    let (_, export) = &evidence().exports[0];
    let outputs = |name: &str| {
        let resources = export["deployment"]["resources"].as_array().unwrap();
        resources.iter().find(|entry| entry["urn"].as_str().unwrap().ends_with(name)).unwrap()["outputs"].clone()
    };
    for secret in [
        outputs("::worker")["environment"]["variables"]["API_KEY"].clone(),
        outputs("::dbPasswordParameter")["value"].clone(),
        outputs("::worker")["__inputs"].clone(),
    ] {
        assert!(secret["ciphertext"].is_string(), "not an encrypted secret: {secret}");
    }
    assert_eq!(outputs("::worker")["environment"]["variables"]["ORDERS_TABLE"], json!("first-steps-orders"));
}

#[test]
fn destroy_deletes_everything_that_exists() {
    let deleted = evidence().mutations("destroy");
    assert_eq!(deleted.len(), 8, "{deleted:?}");
    assert!(deleted.iter().all(|seen| seen.operation == "DeleteResource"), "{deleted:?}");
}

fn changed(path: &str, kind: &str) -> (String, String) {
    (path.to_owned(), kind.to_owned())
}

#[test]
fn a_stack_comes_and_goes_on_a_cloud_where_everything_goes_wrong_now_and_then() {
    let mut said = String::new();
    let evidence = tell_briefly("chaos", 4, &mut |line| said += &format!("{line}\n")).unwrap();
    assert_eq!(evidence.weather.len(), 2, "each run of the engine says what it met: {said}");
    let met = evidence.weather.iter().any(|weather| *weather != Default::default());
    assert_eq!(said.contains("weather: "), met, "{said}");
    assert_eq!(evidence.repeated, said.matches("once more").count());
}
