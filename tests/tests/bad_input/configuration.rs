//! Configuration that is misspelled, of the wrong shape, absent, or given twice.

use protocol::pulumirpc as rpc;
use serde_json::json;
use tests::cloud::Cloud;
use tests::provider::structure;
use tonic::Code;

use crate::asked::{Asked, BUCKET, CANARY, assert_alive, assert_refused, settings, started};

#[tokio::test]
async fn unknown_configuration_keys() {
    let mut provider = started(&[]).await;
    for (key, reason) in [("regoin", "did you mean \"region\"?"), ("wat", "known keys are accessKey, ")] {
        let news = Some(structure(&json!({"region": "us-east-1", key: "x"})));
        let urn = "urn:pulumi:dev::p::pulumi:providers:aws-native::default".to_owned();
        let request = rpc::CheckRequest { urn, news, ..Default::default() };
        let answer = provider.client.check_config(request).await.unwrap().into_inner();
        let [failure] = answer.failures.as_slice() else { panic!("{key}: {answer:?}") };
        assert_eq!(failure.property, key);
        assert!(failure.reason.contains(reason), "{key}: {}", failure.reason);
    }
    assert_alive(&mut provider).await;
}

#[tokio::test]
async fn configuration_that_cannot_be_used() {
    let mut provider = started(&[]).await;
    for (key, value, parts) in [
        ("region", json!({"a": 1}), &["region", "expected text, got an object"][..]),
        ("maxRetries", json!("many"), &["maxRetries", "many", "whole number"]),
        ("maxRetries", json!(1e308), &["maxRetries", "whole number"]),
        ("skipCredentialsValidation", json!("maybe"), &["skipCredentialsValidation", "true or false"]),
        ("endpoints", json!("{"), &["endpoints"]),
        ("endpoints", json!(7), &["endpoints", "expected an object from service to URL"]),
        ("endpoints", json!(["http://x"]), &["endpoints", "expected a list of objects"]),
        ("endpoints", json!([{"cloudcontrol": 7}]), &["endpoints", "cloudcontrol", "must be text"]),
        ("endpoints", json!({"cloudcontrol": "nowhere"}), &["endpoints", "nowhere", "http://"]),
        ("endpoints", json!({"cloudcontrol": "http://"}), &["endpoints", "cloudcontrol"]),
        ("endpoints", json!({"cloudcontrol": "http://[::1"}), &["endpoints", "cloudcontrol"]),
        // Left alone, it would send what was meant for a local stand-in to AWS.
        ("endpoints", json!({"clodcontrol": "http://127.0.0.1:9"}), &["endpoints", "clodcontrol", "cloudcontrol"]),
        ("assumeRole", json!({}), &["assumeRole", "roleArn"]),
        ("accessKey", json!(CANARY), &["secretKey is missing"]),
        ("token", json!(CANARY), &["accessKey is missing"]),
    ] {
        let mut all = settings("http://127.0.0.1:9");
        all[key] = value.clone();
        let status = provider.configure(&all).await.err();
        assert_refused(&format!("{key}: {value}"), status, Code::InvalidArgument, parts);
    }
    // What a file with a line break at its end makes of a key; a header cannot carry it.
    let mut all = settings("http://127.0.0.1:9");
    all["accessKey"] = json!("AKIDEXAMPLE");
    all["secretKey"] = json!("good");
    all["token"] = json!(format!("{CANARY}\n"));
    let status = provider.configure(&all).await.err();
    assert!(!status.as_ref().is_some_and(|status| status.message().contains(CANARY)), "{status:?}");
    assert_refused("a line break in a token", status, Code::InvalidArgument, &["token"]);
    assert_alive(&mut provider).await;
    assert!(!provider.log().unwrap().contains("canary"));
}

#[tokio::test]
async fn both_shapes_of_endpoints_are_used() {
    let cloud = Cloud::start().unwrap();
    let endpoints = json!({"cloudcontrol": cloud.url(), "sts": cloud.url()});
    for shape in [
        endpoints.clone(),
        json!([endpoints.clone()]),
        json!(endpoints.to_string()),
        json!([{"sts": cloud.url()}, endpoints]),
    ] {
        let mut provider = started(&[]).await;
        provider.configure(&json!({"region": "us-east-1", "endpoints": shape})).await.unwrap();
        let read = Asked::of(BUCKET, "nobodys-bucket").read(&mut provider.client).await.unwrap();
        assert_eq!(read.id, "", "{shape}");
    }
}

#[tokio::test]
async fn before_configure_and_configured_twice() {
    let mut provider = started(&[]).await;
    for (call, status) in Asked::of(BUCKET, "x").at_the_cloud(&mut provider.client).await {
        assert_refused(call, status, Code::FailedPrecondition, &["not configured", "Configure"]);
    }
    let settings = settings("http://127.0.0.1:9");
    provider.configure(&settings).await.unwrap();
    provider.configure(&settings).await.unwrap();
    let mut other = settings;
    other["region"] = json!("eu-west-1");
    let status = provider.configure(&other).await.err();
    assert_refused(
        "other values",
        status,
        Code::FailedPrecondition,
        &["configured already", "another provider process"],
    );
    assert_alive(&mut provider).await;
}
