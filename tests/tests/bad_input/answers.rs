//! Endpoints that nobody listens on, that say what no service says, or nothing.

use std::time::{Duration, Instant};

use serde_json::json;
use tests::endpoint::{Endpoint, Manner};
use tests::provider::structure;
use tonic::Code;

use crate::asked::{AWS_JSON, Asked, BUCKET, CANARY, PARAMETER, assert_alive, assert_refused, configured, secret, urn};

/// Nested deeper than any answer may be.
const DEPTH: usize = 100_000;

#[tokio::test]
async fn an_endpoint_nobody_listens_on() {
    let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = free.local_addr().unwrap().to_string();
    drop(free);
    let mut provider = configured(&format!("http://{address}")).await;
    let before = Instant::now();
    for (call, status) in Asked::of(BUCKET, "b").at_the_cloud(&mut provider.client).await {
        let parts = ["AWS::S3::Bucket", "no connection", "Connection refused", "endpoints", address.as_str()];
        assert_refused(call, status, Code::Unavailable, &parts);
    }
    assert!(before.elapsed() < Duration::from_secs(20), "took {:?}", before.elapsed());
    assert_alive(&mut provider).await;
}

#[tokio::test]
async fn answers_that_no_service_gives() {
    let long = "m".repeat(3 << 20);
    let json = |text: &str| Manner::Says(200, AWS_JSON, text.to_owned());
    let deep = format!("{{\"ResourceDescription\":{}", "[".repeat(DEPTH));
    for (what, manner, part) in [
        ("a web page", Manner::Says(200, "text/html", "<html>".into()), "web page"),
        ("a web page of a proxy", Manner::Says(502, "text/html", "<html>".into()), "web page"),
        ("broken off", json("{\"ProgressEvent\":{\"OperationSta"), "could not be read"),
        ("nothing", json(""), "received no "),
        ("null", json("null"), "could not be read"),
        ("no event", json("{\"ProgressEvent\":null,\"ResourceDescription\":null}"), "received no "),
        ("wrong types", json("{\"ProgressEvent\":7,\"ResourceDescription\":7}"), "could not be read"),
        ("too deep", json(&deep), "nested deeper than 512 levels"),
        ("too long", json(&format!("\"{}\"", " ".repeat(17 << 20))), "larger than 16 MiB"),
        ("a bare 404", Manner::Says(404, "text/plain", String::new()), "404"),
        (
            "endless words",
            Manner::Says(400, AWS_JSON, json!({"__type": "ValidationException", "message": long}).to_string()),
            "mmm",
        ),
    ] {
        let endpoint = Endpoint::start(manner).unwrap();
        let mut provider = configured(endpoint.url()).await;
        for (call, status) in Asked::of(BUCKET, "b").at_the_cloud(&mut provider.client).await {
            // A refusal in the service's own words says that nothing was done.
            let code = if what == "endless words" { Code::InvalidArgument } else { Code::Unknown };
            assert_refused(&format!("{call}: {what}"), status, code, &["AWS::S3::Bucket", part]);
        }
        assert!(endpoint.requests() <= 16, "{what}: {} requests", endpoint.requests());
        assert_alive(&mut provider).await;
    }
}

#[tokio::test]
async fn an_identifier_once_seen_is_kept() {
    let event = json!({"OperationStatus": "SUCCESS", "Identifier": "kept-id", "RequestToken": "t"});
    let body = json!({"ProgressEvent": event, "ResourceDescription": {"Properties": "{"}}).to_string();
    let endpoint = Endpoint::start(Manner::Says(200, AWS_JSON, body)).unwrap();
    let mut provider = configured(endpoint.url()).await;
    let status = Asked::of(BUCKET, "").create(&mut provider.client).await.unwrap_err();
    let detail = String::from_utf8_lossy(status.details()).into_owned();
    assert!(detail.contains("pulumirpc.ErrorResourceInitFailed") && detail.contains("kept-id"), "{status:?}");
    assert_refused("Create", Some(status), Code::Unknown, &["kept-id", "AWS::S3::Bucket", "GetResource"]);
    assert_alive(&mut provider).await;
}

#[tokio::test]
async fn cancel_ends_calls_to_a_silent_endpoint() {
    let endpoint = Endpoint::start(Manner::Silent).unwrap();
    let mut provider = configured(endpoint.url()).await;
    let asked = Asked::of(BUCKET, "b");
    let waiting: Vec<_> = (0..4)
        .map(|which| {
            let (asked, mut client) = (asked.clone(), provider.client.clone());
            tokio::spawn(async move {
                match which {
                    0 => asked.create(&mut client).await.err(),
                    1 => asked.read(&mut client).await.err(),
                    2 => asked.update(&mut client).await.err(),
                    _ => asked.delete(&mut client).await.err(),
                }
            })
        })
        .collect();
    until(|| endpoint.requests() >= 4).await;
    let before = Instant::now();
    provider.client.cancel(()).await.unwrap();
    for (which, call) in waiting.into_iter().enumerate() {
        // A creation without an identifier is nothing that a refresh could find, a read has changed nothing, and neither has
        // an update that had only read.
        let next = if which < 3 { "next step: " } else { "pulumi refresh" };
        let parts = ["canceled", "AWS::S3::Bucket", next];
        assert_refused("a canceled call", call.await.unwrap(), Code::Cancelled, &parts);
    }
    // The limit is a second, held on a virtual clock elsewhere; here the machine may be slow.
    assert!(before.elapsed() < Duration::from_secs(10), "took {:?}", before.elapsed());
    assert_alive(&mut provider).await;
}

#[tokio::test]
async fn an_interrupt_names_what_was_running_and_ends_well() {
    for signal in ["-INT", "-TERM"] {
        let endpoint = Endpoint::start(Manner::Silent).unwrap();
        let mut provider = configured(endpoint.url()).await;
        let mut client = provider.client.clone();
        let call = tokio::spawn(async move { Asked::of(BUCKET, "b").create(&mut client).await.err() });
        until(|| endpoint.requests() >= 1).await;
        let before = Instant::now();
        std::process::Command::new("kill").args([signal, &provider.id().to_string()]).status().unwrap();
        assert_refused(signal, call.await.unwrap(), Code::Cancelled, &["canceled", "AWS::S3::Bucket"]);
        assert!(provider.wait().unwrap(), "{signal}: not code 0");
        assert!(before.elapsed() < Duration::from_secs(10), "{signal}: took {:?}", before.elapsed());
        let log = provider.log().unwrap();
        assert!(log.contains(&format!("Create of {}", urn(BUCKET))), "{signal}: {log}");
    }
}

/// Waits for what another process or thread is about to do.
async fn until(happened: impl Fn() -> bool) {
    let deadline = Instant::now() + Duration::from_secs(30);
    while !happened() {
        assert!(Instant::now() < deadline, "it does not happen");
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

#[tokio::test]
async fn secrets_that_a_service_repeats() {
    let inputs = json!({"name": "/p", "type": "String", "value": secret(&json!(CANARY))});
    let mut changed = inputs.clone();
    changed["description"] = json!("new");
    let mut state = inputs.clone();
    state["__inputs"] = secret(&inputs);
    let asked = Asked {
        state: structure(&state),
        inputs: structure(&inputs),
        news: structure(&changed),
        ..Asked::of(PARAMETER, "/p")
    };
    let words = format!("Value '{CANARY}' at 'value' is not good");
    let event = json!({"OperationStatus": "FAILED", "Identifier": "/p", "RequestToken": "t", "ErrorCode": "InvalidRequest",
        "StatusMessage": words});
    let model = json!({"Name": "/p", "Type": "String", "Value": CANARY}).to_string();
    let asynchronous =
        json!({"ProgressEvent": event, "ResourceDescription": {"Identifier": "/p", "Properties": model}});
    for (what, status, body) in
        [("refused", 400, json!({"__type": "ValidationException", "message": words})), ("failed", 200, asynchronous)]
    {
        let endpoint = Endpoint::start(Manner::Says(status, AWS_JSON, body.to_string())).unwrap();
        let mut provider = configured(endpoint.url()).await;
        for (call, status) in asked.at_the_cloud(&mut provider.client).await {
            // The detail of a create has the inputs, where the value is marked; its reasons are its text.
            let said = status.map(|status| status.message().to_owned()).unwrap_or_default();
            assert!(!said.contains(CANARY), "{call}, {what}: {said}");
        }
        assert!(!provider.log().unwrap().contains(CANARY), "{what}: in the log");
        assert_alive(&mut provider).await;
    }
}
