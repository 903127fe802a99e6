//! Requests that are cancelled.

#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

mod support;

use emulator::{Clock, FirstStatus, Options, Profile, Switches};
use serde_json::{Value, json};
use std::time::{Duration, SystemTime};
use support::Client;

const THING: &str = "Test::Cancel::Thing";

fn client(switches: Switches) -> (Client, Clock) {
    let clock = Clock::by_hand(SystemTime::UNIX_EPOCH + Duration::from_secs(1_700_000_000));
    let options = Options { profile: Profile::realistic(), clock: clock.clone(), switches, ..Options::default() };
    let schema = json!({
        "typeName": THING,
        "properties": {"Name": {"type": "string"}, "A": {"type": "string"}, "B": {"type": "string"}},
        "primaryIdentifier": ["/properties/Name"],
        "handlers": {"create": {"timeoutInMinutes": 180}, "read": {}, "update": {}, "delete": {}, "list": {}},
    });
    (Client::start(&[schema], options), clock)
}

fn cancel(client: &Client, event: &Value) -> Value {
    client.call("CancelResourceRequest", &json!({"RequestToken": event["RequestToken"]})).json()["ProgressEvent"]
        .clone()
}

#[test]
fn a_waiting_request_is_cancelled_at_once() {
    let (client, clock) = client(Switches { first_status: FirstStatus::Pending, ..Switches::default() });
    let event = client.begin(THING, &json!({"Name": "a"}));
    let cancelled = cancel(&client, &event);
    assert_eq!((&cancelled["OperationStatus"], cancelled.get("RetryAfter")), (&json!("CANCEL_COMPLETE"), None));
    clock.advance(Duration::from_secs(3600));
    let gone = client.refused("GetResource", &json!({"TypeName": THING, "Identifier": "a"}));
    assert!(gone.starts_with("ResourceNotFoundException"), "{gone}");
    assert_eq!(client.begin(THING, &json!({"Name": "a"}))["OperationStatus"], "PENDING", "its name is free");
}

#[test]
fn a_running_request_takes_a_second_to_stop() {
    let (client, clock) = client(Switches::default());
    let event = client.begin(THING, &json!({"Name": "a"}));
    assert_eq!(cancel(&client, &event)["OperationStatus"], "CANCEL_IN_PROGRESS");
    clock.advance(Duration::from_millis(999));
    assert_eq!(client.look(&event)["OperationStatus"], "CANCEL_IN_PROGRESS");
    clock.advance(Duration::from_millis(1));
    let last = client.look(&event);
    assert_eq!((&last["OperationStatus"], &last["EventTime"]), (&json!("CANCEL_COMPLETE"), &json!(1_700_000_001.0)));
    let again = client.refused("CancelResourceRequest", &json!({"RequestToken": event["RequestToken"]}));
    assert!(again.starts_with("ConcurrentModificationException"), "{again}");
    let unknown = client.refused("CancelResourceRequest", &json!({"RequestToken": "none"}));
    assert_eq!(unknown, "RequestTokenNotFoundException: Request with token none was not found");
    let foreign = Client { region: "us-east-1", ..client };
    let foreign = foreign.refused("CancelResourceRequest", &json!({"RequestToken": event["RequestToken"]}));
    assert!(foreign.starts_with("RequestTokenNotFoundException"), "{foreign}");
}

#[test]
fn a_cancelled_create_may_leave_part_of_its_resource() {
    let (client, clock) = client(Switches { cancel_leaves: 1.0, ..Switches::default() });
    let event = client.begin(THING, &json!({"Name": "a", "A": "1", "B": "2"}));
    cancel(&client, &event);
    clock.advance(Duration::from_secs(1));
    assert_eq!(client.look(&event)["OperationStatus"], "CANCEL_COMPLETE");
    let left = client.read(THING, "a");
    assert_eq!((&left["Name"], left.as_object().unwrap().len()), (&json!("a"), 2), "half of the rest: {left}");
}

#[test]
fn a_cancellation_that_is_completed_by_hand_is_one() {
    let (client, _) = client(Switches::default());
    let event = client.begin(THING, &json!({"Name": "a"}));
    cancel(&client, &event);
    let drive = |how: &str, body: &str| {
        client.send("POST", &format!("/_emu/requests/{}/{how}", event["RequestToken"].as_str().unwrap()), "", body)
    };
    let failed = drive("fail", "{\"code\": \"NotStabilized\"}");
    assert_eq!(failed.status, 422, "{}", failed.text);
    assert!(failed.text.contains("is being cancelled, which can be completed and cannot fail"), "{}", failed.text);
    assert_eq!(drive("complete", "").status, 200);
    assert_eq!(client.look(&event)["OperationStatus"], "CANCEL_COMPLETE");
    let gone = client.refused("GetResource", &json!({"TypeName": THING, "Identifier": "a"}));
    assert!(gone.starts_with("ResourceNotFoundException"), "{gone}");
}
