//! A queue in a Rust test with the AWS SDK: the emulator runs inside the test's process and ends with it.
//!
//! Dependencies: `emulator`, `aws-sdk-cloudcontrol`, `aws-smithy-http-client`, `serde_json`, `tokio`.

use std::error::Error;

use aws_sdk_cloudcontrol::config::{BehaviorVersion, Credentials, Region};
use aws_sdk_cloudcontrol::types::OperationStatus;
use aws_sdk_cloudcontrol::{Client, Config};
use emulator::{Emulator, Which};
use serde_json::json;

const QUEUE: &str = "AWS::SQS::Queue";

#[tokio::test]
async fn a_queue_can_be_created() -> Result<(), Box<dyn Error>> {
    let emulator = Emulator::builder().seed(7).start().await?;
    let config = Config::builder()
        .behavior_version(BehaviorVersion::latest())
        .endpoint_url(emulator.url())
        .region(Region::new("eu-west-1"))
        // Any credentials are right; an access key of twelve digits names the account.
        .credentials_provider(Credentials::new("111122223333", "any", None, None, "test"))
        .http_client(aws_smithy_http_client::Builder::new().build_http())
        .build();
    let cloud = Client::from_conf(config);

    let desired = json!({"QueueName": "orders"}).to_string();
    let answer = cloud.create_resource().type_name(QUEUE).desired_state(desired).send().await?;
    let mut event = answer.progress_event.ok_or("no event")?;
    // The default profile ends an operation at the second look, so there is nothing to wait for between looks.
    while event.operation_status == Some(OperationStatus::InProgress) {
        let status = cloud.get_resource_request_status().set_request_token(event.request_token.clone()).send().await?;
        event = status.progress_event.ok_or("no event")?;
    }
    assert_eq!(event.operation_status, Some(OperationStatus::Success));

    // The handle sees what exists, and may change it behind everybody's back.
    let queue = Which::one(QUEUE, event.identifier.unwrap_or_default());
    let found = emulator.admin().resources(&queue);
    assert_eq!(found[0].model["Arn"], "arn:aws:sqs:eu-west-1:111122223333:orders");
    emulator.admin().remove(&queue)?;
    let listed = cloud.list_resources().type_name(QUEUE).send().await?;
    assert!(listed.resource_descriptions().is_empty());
    Ok(())
}
