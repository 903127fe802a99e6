//! How long a client token means the same request, also over restarts.

#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

mod support;

use emulator::{Clock, Options};
use serde_json::{Value, json};
use std::path::Path;
use std::time::{Duration, SystemTime};
use support::Client;

fn start(folder: &Path) -> Client {
    let schema = json!({
        "typeName": "AA::BB::CC", "primaryIdentifier": ["/properties/Id"], "readOnlyProperties": ["/properties/Id"],
        "properties": {"Id": {"type": "string", "pattern": "^id-[0-9a-f]{8}$"}, "Value": {"type": "string"}},
        "handlers": {"create": {}, "read": {}, "update": {}, "delete": {}, "list": {}}
    });
    let clock = Clock::by_hand(SystemTime::UNIX_EPOCH + Duration::from_secs(1_800_000_000));
    Client::start(&[schema], Options { clock, state: Some(folder.to_owned()), ..Options::default() })
}

fn create(value: &str, version: Option<&str>) -> Value {
    let mut body = json!({
        "TypeName": "AA::BB::CC", "DesiredState": json!({"Value": value}).to_string(), "ClientToken": "token"
    });
    if let Some(version) = version {
        body["TypeVersionId"] = json!(version);
    }
    body
}

fn token(client: &Client, body: &Value) -> Value {
    let answer = client.call("CreateResource", body);
    assert_eq!(answer.status, 200, "{}", answer.text);
    answer.json()["ProgressEvent"]["RequestToken"].clone()
}

#[test]
fn a_client_token_is_one_request_for_36_hours() {
    let folder = tempfile::tempdir().unwrap();
    let client = start(folder.path());
    let first = token(&client, &create("one", None));
    assert_eq!(token(&client, &create("one", None)), first);
    for other in [create("two", None), create("one", Some("00000001"))] {
        let refused = client.refused("CreateResource", &other);
        assert!(refused.starts_with("ClientTokenConflictException"), "{refused}");
    }
    let hours = |hours: f64| Duration::from_secs_f64(hours * 3_600.0);
    client.emulator.admin().advance(hours(35.9));
    assert_eq!(token(&client, &create("one", None)), first);
    client.emulator.stop();

    let client = start(folder.path());
    assert_eq!(token(&client, &create("one", None)), first, "the window goes on after a restart");
    assert!(client.refused("CreateResource", &create("two", None)).starts_with("ClientTokenConflictException"));
    client.emulator.admin().advance(hours(0.2));
    assert_ne!(token(&client, &create("one", None)), first, "36.1 hours later it is a new request");
    client.emulator.stop();

    let client = start(folder.path());
    assert!(client.refused("CreateResource", &create("two", None)).starts_with("ClientTokenConflictException"));
}

#[test]
fn calls_without_a_client_token_are_requests_of_their_own() {
    let folder = tempfile::tempdir().unwrap();
    let client = start(folder.path());
    let mut body = create("one", None);
    body.as_object_mut().unwrap().remove("ClientToken");
    let first = client.call("CreateResource", &body);
    assert!(!first.text.contains("ClientToken"), "{}", first.text);
    let second = token(&client, &body);
    assert_ne!(first.json()["ProgressEvent"]["RequestToken"], second);
}
