//! Stock clients against the emulator as a process: the AWS SDK for Rust here; boto3, the AWS CLI and the documented Python
//! and shell examples through `scripts/python-clients.sh`.
#![allow(clippy::unwrap_used, reason = "a test ends with its first surprise")]

use std::process::Command;
use std::sync::OnceLock;
use std::time::Duration;

use aws_sdk_cloudcontrol::Client;
use aws_sdk_cloudcontrol::client::Waiters;
use aws_sdk_cloudcontrol::config::retry::RetryConfig;
use aws_sdk_cloudcontrol::config::timeout::TimeoutConfig;
use aws_sdk_cloudcontrol::config::{
    AsyncSleep, BehaviorVersion, Credentials, Region, Sleep, StalledStreamProtectionConfig,
};
use aws_sdk_cloudcontrol::error::ProvideErrorMetadata;
use aws_sdk_cloudcontrol::operation::RequestId;
use aws_sdk_cloudcontrol::types::{
    HandlerErrorCode, Operation, OperationStatus, ProgressEvent, ResourceRequestStatusFilter,
};
use tests::binaries::{built, repository};
use tests::cloud::Cloud;

const QUEUE: &str = "AWS::SQS::Queue";

/// Sleeping without waiting: the emulator ends operations when they are looked at, so nothing is gained by a pause.
#[derive(Debug)]
struct NoSleep;

impl AsyncSleep for NoSleep {
    fn sleep(&self, _duration: Duration) -> Sleep {
        Sleep::new(std::future::ready(()))
    }
}

/// A client of a region of its own, so that tests do not meet.
fn client(region: &'static str) -> Client {
    static CLOUD: OnceLock<Cloud> = OnceLock::new();
    let cloud = CLOUD.get_or_init(|| Cloud::start().unwrap());
    let config = aws_sdk_cloudcontrol::Config::builder()
        .behavior_version(BehaviorVersion::latest())
        .endpoint_url(cloud.url())
        .region(Region::new(region))
        .credentials_provider(Credentials::new("111122223333", "any", None, None, "test"))
        .http_client(aws_smithy_http_client::Builder::new().build_http())
        .sleep_impl(NoSleep)
        .retry_config(RetryConfig::disabled())
        // Limits of time sleep too.
        .timeout_config(TimeoutConfig::disabled())
        .stalled_stream_protection(StalledStreamProtectionConfig::disabled())
        .build();
    Client::from_conf(config)
}

async fn begin(cloud: &Client, name: &str) -> ProgressEvent {
    let desired = format!("{{\"QueueName\":\"{name}\"}}");
    let answer = cloud.create_resource().type_name(QUEUE).desired_state(desired).send().await.unwrap();
    answer.progress_event.unwrap()
}

/// Waits with the SDK's own waiter; the last event.
async fn wait(cloud: &Client, event: &ProgressEvent) -> ProgressEvent {
    let waiter = cloud.wait_until_resource_request_success().request_token(event.request_token().unwrap());
    let end = waiter.wait(Duration::from_secs(60)).await.unwrap().into_result().unwrap();
    end.progress_event.unwrap()
}

#[tokio::test]
async fn the_rust_sdk_takes_a_resource_through_its_life() {
    let cloud = client("eu-west-1");
    let first = begin(&cloud, "orders").await;
    assert_eq!(first.operation_status, Some(OperationStatus::InProgress));
    assert!(first.event_time.is_some() && first.retry_after.is_some());
    let end = wait(&cloud, &first).await;
    assert_eq!(
        (end.operation.clone(), end.operation_status.clone()),
        (Some(Operation::Create), Some(OperationStatus::Success))
    );
    let identifier = end.identifier.unwrap();

    let patch = r#"[{"op":"add","path":"/DelaySeconds","value":5}]"#;
    let update = cloud.update_resource().type_name(QUEUE).identifier(&identifier).patch_document(patch).send();
    wait(&cloud, &update.await.unwrap().progress_event.unwrap()).await;
    let read = cloud.get_resource().type_name(QUEUE).identifier(&identifier).send().await.unwrap();
    assert!(read.request_id().is_some_and(|id| id.len() == 36));
    let properties = read.resource_description.unwrap().properties.unwrap();
    let properties: serde_json::Value = serde_json::from_str(&properties).unwrap();
    assert_eq!(properties["DelaySeconds"], 5);
    assert_eq!(properties["Arn"], "arn:aws:sqs:eu-west-1:111122223333:orders");

    let delete = cloud.delete_resource().type_name(QUEUE).identifier(&identifier).send().await.unwrap();
    let end = wait(&cloud, &delete.progress_event.unwrap()).await;
    assert_eq!((end.resource_model, end.error_code), (None, None));
    let gone = cloud.get_resource().type_name(QUEUE).identifier(&identifier).send().await.unwrap_err();
    assert!(gone.as_service_error().unwrap().is_resource_not_found_exception(), "{gone:?}");
}

#[tokio::test]
async fn the_rust_sdk_tells_refusals_apart() {
    let cloud = client("eu-west-2");
    let create = |type_name: &str, desired: &str| cloud.create_resource().type_name(type_name).desired_state(desired);
    let unknown = create("AWS::None::Such", "{}").send().await.unwrap_err().into_service_error();
    assert!(unknown.is_type_not_found_exception(), "{unknown:?}");
    // The commonest refusal is none of the model's.
    let invalid = create(QUEUE, "{\"Nope\":1}").send().await.unwrap_err().into_service_error();
    assert_eq!(invalid.code(), Some("ValidationException"));
    assert_eq!(invalid.message(), Some("Model validation failed (#: extraneous key [Nope] is not permitted)"));
    let inputs = cloud.list_resources().type_name("AWS::ApiGateway::Deployment").send().await.unwrap_err();
    assert!(inputs.as_service_error().unwrap().is_invalid_request_exception(), "{inputs:?}");
    let token = cloud.get_resource_request_status().request_token("none").send().await.unwrap_err();
    assert!(token.as_service_error().unwrap().is_request_token_not_found_exception(), "{token:?}");

    let first = create(QUEUE, "{\"QueueName\":\"one\"}").client_token("c1").send().await.unwrap();
    let again = create(QUEUE, "{\"QueueName\":\"one\"}").client_token("c1").send().await.unwrap();
    let token = |event: &Option<ProgressEvent>| event.as_ref().and_then(|event| event.request_token.clone()).unwrap();
    assert_eq!(token(&first.progress_event), token(&again.progress_event));
    let other = create(QUEUE, "{\"QueueName\":\"two\"}").client_token("c1").send().await.unwrap_err();
    assert!(other.as_service_error().unwrap().is_client_token_conflict_exception(), "{other:?}");

    let event = wait(&cloud, &first.progress_event.unwrap()).await;
    let identifier = event.identifier.unwrap();
    let patch = |document: &str| {
        cloud.update_resource().type_name(QUEUE).identifier(&identifier).patch_document(document).send()
    };
    let renamed = patch(r#"[{"op":"add","path":"/QueueName","value":"two"}]"#).await.unwrap_err();
    assert!(renamed.as_service_error().unwrap().is_not_updatable_exception(), "{renamed:?}");
    patch("[]").await.unwrap();
    let busy = patch("[]").await.unwrap_err();
    assert!(busy.as_service_error().unwrap().is_concurrent_operation_exception(), "{busy:?}");
}

#[tokio::test]
async fn the_waiter_of_the_rust_sdk_ends_with_failures_and_cancellations() {
    let cloud = client("eu-west-3");
    let end = wait(&cloud, &begin(&cloud, "taken").await).await;
    let second = begin(&cloud, "taken").await;
    let waiter = cloud.wait_until_resource_request_success().request_token(second.request_token().unwrap());
    let failed = waiter.wait(Duration::from_secs(60)).await.unwrap_err();
    assert!(
        matches!(
            &failed,
            aws_sdk_cloudcontrol::waiters::resource_request_success::WaitUntilResourceRequestSuccessError::FailureState(
                _
            )
        ),
        "{failed:?}"
    );
    let status =
        cloud.get_resource_request_status().request_token(second.request_token().unwrap()).send().await.unwrap();
    let event = status.progress_event.unwrap();
    assert_eq!(event.error_code, Some(HandlerErrorCode::AlreadyExists));
    assert_eq!(event.identifier, end.identifier, "the identifier is that of the other resource");

    let third = begin(&cloud, "never").await;
    let token = third.request_token().unwrap();
    let cancelled = cloud.cancel_resource_request().request_token(token).send().await.unwrap().progress_event.unwrap();
    assert_eq!(cancelled.operation_status, Some(OperationStatus::CancelInProgress));
    let waiter = cloud.wait_until_resource_request_success().request_token(token);
    waiter.wait(Duration::from_secs(60)).await.unwrap_err();
    let over = cloud.cancel_resource_request().request_token(token).send().await.unwrap_err();
    assert!(over.as_service_error().unwrap().is_concurrent_modification_exception(), "{over:?}");
}

#[tokio::test]
async fn the_paginators_of_the_rust_sdk_see_everything_once() {
    let cloud = client("eu-north-1");
    let mut identifiers = Vec::new();
    for number in 0..5 {
        identifiers.extend(wait(&cloud, &begin(&cloud, &format!("q{number}")).await).await.identifier);
    }
    let delete = cloud.delete_resource().type_name(QUEUE).identifier(&identifiers[0]).send().await.unwrap();
    wait(&cloud, &delete.progress_event.unwrap()).await;

    let mut pages = cloud.list_resources().type_name(QUEUE).into_paginator().page_size(2).send();
    let mut sizes = Vec::new();
    let mut listed = Vec::new();
    while let Some(page) = pages.next().await {
        let found = page.unwrap().resource_descriptions.unwrap();
        sizes.push(found.len());
        listed.extend(found.into_iter().filter_map(|description| description.identifier));
    }
    assert_eq!(sizes, [2, 2]);
    assert_eq!(listed, identifiers[1..], "in order of creation");

    let filter = ResourceRequestStatusFilter::builder()
        .operations(Operation::Create)
        .operation_statuses(OperationStatus::Success)
        .operation_statuses(OperationStatus::Failed)
        .build();
    let mut requests =
        cloud.list_resource_requests().resource_request_status_filter(filter).max_results(3).into_paginator().send();
    let mut seen = Vec::new();
    while let Some(page) = requests.next().await {
        seen.extend(page.unwrap().resource_request_status_summaries.unwrap());
    }
    let seen: Vec<_> = seen.into_iter().filter_map(|event| event.identifier).collect();
    identifiers.reverse();
    assert_eq!(seen, identifiers, "newest first, without the delete");
}

#[test]
fn boto3_the_aws_cli_and_the_documented_examples_work() {
    let emulator = built("cloudcontrol-emulator").unwrap();
    let output = Command::new(repository().join("scripts/python-clients.sh")).arg(&emulator).output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{said}\n{}", String::from_utf8_lossy(&output.stderr));
    println!("{said}");
}
