//! Create, and what is left when it fails.

use metadata::model::Handler;
use metadata::model::Type::{Integer, String as Text};
use provider::cloud::CreateFailure;
use provider::lifecycle::{Code, CreateRequest, DeleteRequest, Failure, ReadRequest, create, delete, read};
use serde_json::{Value as Json, json};
use std::time::Duration;

use crate::fake_cloud::{FakeCloud, service_error};
use crate::models::*;
use crate::types;
use crate::values::{members, state, urn};

fn request(inputs: Json) -> CreateRequest {
    CreateRequest { urn: urn("thing"), properties: members(inputs), timeout: None, reads_first: false, preview: false }
}

#[tokio::test]
async fn a_created_resource_has_its_outputs_and_its_checkpoint() {
    let cloud = FakeCloud::default();
    cloud.with(|script| {
        script.made = Some(json!({ "Arn": "arn" }));
        script.hidden = vec!["/Code/ImageUri"];
    });
    let inputs = json!({ "code": { "imageUri": "img" }, "role": "r" });
    let answer = create(types::function(), request(inputs.clone()), &cloud).await.unwrap();
    assert_eq!(answer.id, "id-1");
    let outputs = json!({ "code": { "imageUri": "img" }, "role": "r", "arn": "arn" });
    assert_eq!(answer.properties, state(outputs, inputs));
    assert_eq!(cloud.requests(), [("create", json!({ "Code": { "ImageUri": "img" }, "Role": "r" }))]);
}

#[tokio::test]
async fn c11_an_identifier_once_seen_is_never_lost() {
    let partial = |model: Option<Json>| CreateFailure::Partial {
        identifier: "rtbassoc-1".to_owned(),
        model,
        error: service_error("NotStabilized", "did not stabilize"),
    };
    let check = async |failure, expected: Json| {
        let cloud = FakeCloud::default();
        cloud.with(|script| script.create_failure = Some(failure));
        match create(types::role(), request(json!({ "description": "d" })), &cloud).await {
            Err(Failure::InitFailed { id, properties, inputs, message }) => {
                assert_eq!(id, "rtbassoc-1");
                assert!(
                    message.starts_with("creating resource: did not stabilize\n  next step: look at AWS"),
                    "{message}"
                );
                assert_eq!(inputs, members(json!({ "description": "d" })));
                assert_eq!(properties, state(expected, json!({ "description": "d" })));
                // The next refresh reads what is there by then.
                cloud.with(|script| script.model = Some(json!({ "Description": "d", "Arn": "y" })));
                let request = ReadRequest {
                    id,
                    urn: urn("thing"),
                    properties: Some(properties),
                    inputs: Some(inputs),
                    timeout: None,
                };
                let found = read(types::role(), request, &cloud).await.unwrap().unwrap();
                let expected = state(json!({ "description": "d", "arn": "y" }), json!({ "description": "d" }));
                assert_eq!((found.id.as_str(), found.properties), ("rtbassoc-1", expected));
            }
            other => panic!("{other:?}"),
        }
    };
    check(partial(Some(json!({ "Description": "d", "Arn": "x" }))), json!({ "description": "d", "arn": "x" })).await;
    check(partial(None), json!({ "description": "d" })).await;
    check(partial(Some(json!("nonsense"))), json!({ "description": "d" })).await;
}

#[tokio::test]
async fn deadlines_are_the_programs_the_schemas_or_two_hours() {
    let check = async |timeout: Option<u64>, by_schema: Option<u32>, expected: u64| {
        let resource = resource(|model| {
            model.handlers.create = Some(Handler { timeout_minutes: by_schema, permissions: Vec::new() });
        });
        let cloud = FakeCloud::default();
        let request = CreateRequest { timeout: timeout.map(Duration::from_secs), ..request(json!({})) };
        create(resource, request, &cloud).await.unwrap();
        assert_eq!(cloud.with(|script| script.deadlines.clone()), [expected]);
    };
    check(Some(30), Some(5), 30).await;
    check(None, Some(5), 300).await;
    check(None, None, 7200).await;
}

#[tokio::test]
async fn inputs_that_cannot_be_sent_are_refused_before_any_call() {
    let cloud = FakeCloud::default();
    let resource = resource(|model| model.properties = vec![prop("n", Integer), prop("s", Text)]);
    let check = async |inputs: Json, expected: &str| match create(resource, request(inputs), &cloud).await {
        Err(Failure::Refused { code: Code::InvalidArgument, message }) => {
            assert_eq!(message, format!("failed to convert value for aws-native:test:Thing: {expected}"));
        }
        other => panic!("{other:?}"),
    };
    check(json!({ "n": "x" }), "n: expected an integer, found string").await;
    check(json!({ "s": "$unknown" }), "s: output<string> cannot be sent to AWS").await;
    check(
        json!({ "n": 1e17 }),
        "n: whole numbers beyond 2^53 do not arrive exactly; give the value as text if the service takes text",
    )
    .await;
    assert!(cloud.requests().is_empty());
}

#[tokio::test]
async fn a_delete_that_fails_says_why() {
    let cloud = FakeCloud::holding(json!({}));
    cloud.with(|script| script.delete_error = Some(service_error("ResourceConflict", "in use")));
    let request = DeleteRequest { id: "x".to_owned(), urn: urn("thing"), timeout: None, secrets: None };
    match delete(types::role(), request.clone(), &cloud).await {
        Err(Failure::Refused { message, .. }) => {
            assert!(message.starts_with("deleting resource: in use\n  next step: something still uses"), "{message}");
        }
        other => panic!("{other:?}"),
    }
    delete(types::role(), request, &cloud).await.unwrap();
    assert_eq!(cloud.with(|script| script.model.clone()), None);
}
