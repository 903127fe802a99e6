//! Requests that do not go as planned.

use super::{THING, client, desired, schema};
use crate::support::Client;
use emulator::{Clock, Drive, HandlerErrorCode, Options, Profile, Rule, Which};
use serde_json::{Value, json};
use std::time::{Duration, SystemTime};

#[test]
fn failures_come_in_their_time_and_leave_what_they_should() {
    for (left, identifier, kept, shown) in [
        ("nothing", "as-real", None, true),
        ("everything", "as-real", Some(4), true),
        ("{ part: { fraction: 0.5, status: CREATE_FAILED } }", "as-real", Some(2), true),
        ("nothing", "ghost", None, true),
        ("nothing", "nobody", None, false),
    ] {
        let rule =
            format!("then: {{ fail: {{ code: NotStabilized, at: 0.8, left: {left}, identifier: {identifier} }} }}");
        let clock = Clock::by_hand(SystemTime::UNIX_EPOCH + Duration::from_secs(1_700_000_000));
        let rules = Rule::read(&rule).unwrap();
        let options = Options { clock: clock.clone(), rules, profile: Profile::realistic(), ..Options::default() };
        let client = Client::start(&[schema()], options);
        let first = client.begin(THING, &desired("n"));
        assert_eq!(client.look(&first)["OperationStatus"], "IN_PROGRESS");
        clock.advance(Duration::from_secs(1));
        let event = client.look(&first);
        assert_eq!((&event["OperationStatus"], &event["ErrorCode"]), (&json!("FAILED"), &json!("NotStabilized")));
        assert_eq!(event.get("Identifier").is_some(), shown, "{event}");
        let left: Vec<Value> =
            client.emulator.admin().resources(&Which::default()).into_iter().map(|one| one.model).collect();
        let letters = |model: &Value| ["A", "B", "C", "D"].iter().filter(|name| model.get(**name).is_some()).count();
        assert_eq!(left.first().map(letters), kept);
        if kept == Some(2) {
            assert_eq!(left[0]["Status"], "CREATE_FAILED");
            // The name is taken now.
            assert_eq!(client.emulator.admin().remove_rules(None), 1);
            let first = client.begin(THING, &desired("n"));
            clock.advance(Duration::from_secs(5));
            assert_eq!(client.look(&first)["ErrorCode"], "AlreadyExists");
        }
    }
}

#[test]
fn failures_of_services_say_which_service_failed() {
    let (client, _) = client("then: { fail: { code: Throttling, service: true, message: Too many. } }");
    let event = client.create(THING, &desired("n"));
    let text = event["StatusMessage"].as_str().unwrap();
    assert!(
        text.starts_with("Too many. (Service: Fault, Status Code: 400, Request ID: ") && text.ends_with(')'),
        "{text}"
    );
}

#[test]
fn a_lie_about_a_name_that_is_taken_makes_the_resource() {
    let (client, _) = client("then: { already-exists-lie: {} }");
    let event = client.create(THING, &desired("n"));
    assert_eq!(
        (&event["OperationStatus"], &event["ErrorCode"], &event["Identifier"]),
        (&json!("FAILED"), &json!("AlreadyExists"), &json!("n"))
    );
    assert_eq!(client.read(THING, "n")["A"], "1");
}

#[test]
fn a_stuck_request_is_released_completed_or_failed_by_hand() {
    for (status, how, expected) in [
        ("IN_PROGRESS", Drive::Release, "SUCCESS"),
        ("PENDING", Drive::Release, "SUCCESS"),
        ("IN_PROGRESS", Drive::Complete, "SUCCESS"),
        ("PENDING", Drive::Complete, "SUCCESS"),
        ("IN_PROGRESS", Drive::Fail(HandlerErrorCode::InternalFailure, None), "FAILED"),
    ] {
        let (client, clock) = client(&format!("then: {{ stuck: {{ in: {status} }} }}"));
        let first = client.begin(THING, &desired("n"));
        clock.advance(Duration::from_secs(86_400));
        for _ in 0..3 {
            assert_eq!(client.look(&first)["OperationStatus"], status);
        }
        let token = first["RequestToken"].as_str().unwrap();
        client.emulator.admin().drive(token, &how).unwrap();
        clock.advance(Duration::from_secs(60));
        let event = client.look(&first);
        assert_eq!(event["OperationStatus"], expected, "{status} {how:?}");
        assert!(client.emulator.admin().drive(token, &how).is_err(), "it has ended");
    }
    // One that its handler's own limit ends nevertheless.
    let clock = Clock::by_hand(SystemTime::UNIX_EPOCH + Duration::from_secs(1_700_000_000));
    let rules = Rule::read("then: { stuck: { timeout: true } }").unwrap();
    let options = Options { clock: clock.clone(), rules, profile: Profile::realistic(), ..Options::default() };
    let client = Client::start(&[schema()], options);
    let first = client.begin(THING, &desired("n"));
    clock.advance(Duration::from_secs(299));
    assert_eq!(client.look(&first)["OperationStatus"], "IN_PROGRESS");
    clock.advance(Duration::from_secs(1));
    assert_eq!(client.look(&first)["ErrorCode"], "NotStabilized");
}

#[test]
fn operations_take_longer() {
    for (slow, seconds) in [("factor: 10", 11), ("class: slow", 11), ("class: instant", 0)] {
        let clock = Clock::by_hand(SystemTime::UNIX_EPOCH + Duration::from_secs(1_700_000_000));
        let rules = Rule::read(&format!("then: {{ slow: {{ {slow} }} }}")).unwrap();
        let profile = Profile::realistic();
        let client = Client::start(&[schema()], Options { clock: clock.clone(), rules, profile, ..Options::default() });
        let first = client.begin(THING, &desired("n"));
        if seconds > 0 {
            // Without the rule it is one second at most.
            clock.advance(Duration::from_millis(1_999));
            assert_eq!(client.look(&first)["OperationStatus"], "IN_PROGRESS", "{slow}");
            clock.advance(Duration::from_secs(60));
        }
        assert_eq!(client.look(&first)["OperationStatus"], "SUCCESS", "{slow}");
    }
}

#[test]
fn values_are_dropped_reported_as_success() {
    let (client, _) = client("when: { operation: update }\nthen: { drop: { paths: [/properties/A] } }");
    client.create(THING, &desired("n"));
    let patch = json!([{"op": "replace", "path": "/A", "value": "2"}, {"op": "replace", "path": "/B", "value": "2"}]);
    assert_eq!(client.finish(&client.update(THING, "n", &patch))["OperationStatus"], "SUCCESS");
    let read = client.read(THING, "n");
    assert_eq!((&read["A"], &read["B"]), (&json!("1"), &json!("2")));
}

#[test]
fn a_value_that_reads_show_is_not_taken_back() {
    let (client, _) = client("then: { reject-readback: { path: /properties/B } }");
    client.create(THING, &desired("n"));
    let patch = |more: Value| json!([{"op": "replace", "path": "/A", "value": "2"}, more]);
    let refused = client.update(THING, "n", &patch(json!({"op": "replace", "path": "/C", "value": "2"})));
    assert_eq!(
        refused.json()["Message"],
        "Model validation failed (#/B: failed validation constraint for keyword [pattern])"
    );
    let taken = client.update(THING, "n", &patch(json!({"op": "remove", "path": "/B"})));
    assert_eq!(client.finish(&taken)["OperationStatus"], "SUCCESS");
}

#[test]
fn hooks_fail_requests_and_say_why_beside_the_event() {
    for (mode, status, last) in [
        ("FAIL", "HOOK_COMPLETE_FAILED", "FAILED"),
        ("WARN", "HOOK_FAILED", "SUCCESS"),
        ("FAIL", "HOOK_COMPLETE_SUCCEEDED", "SUCCESS"),
    ] {
        let (client, _) = client(&format!(
            "then: {{ hook: {{ type-name: 'Own::Guard::Names', status: {status}, failure-mode: {mode}, message: no such names }} }}"
        ));
        let event = client.create(THING, &desired("n"));
        assert_eq!(event["OperationStatus"], last, "{event}");
        assert!(event["HooksRequestToken"].is_string());
        if last == "FAILED" {
            assert_eq!(event["StatusMessage"], "The following hook(s) failed: [Own::Guard::Names]");
        }
        let answer = client.call("GetResourceRequestStatus", &json!({"RequestToken": event["RequestToken"]})).json();
        let hook = &answer["HooksProgressEvent"][0];
        for (member, expected) in [
            ("HookTypeName", "Own::Guard::Names"),
            ("HookTypeArn", "arn:aws:cloudformation:eu-west-1:123456789012:type/hook/Own-Guard-Names"),
            ("InvocationPoint", "CREATE_PRE_PROVISION"),
            ("HookStatus", status),
            ("HookStatusMessage", "no such names"),
            ("FailureMode", mode),
        ] {
            assert_eq!(hook[member], expected, "{hook}");
        }
        assert_eq!(client.emulator.admin().resources(&Which::default()).len(), usize::from(last == "SUCCESS"));
    }
}
