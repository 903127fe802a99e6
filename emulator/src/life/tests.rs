//! Every way in which a request can go, whoever planned it.

#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use super::plan::{Left, Outcome, Plan, Shown};
use super::*;
use crate::clock::Clock;
use crate::options::{Options, Profile};
use crate::schema::library::SchemaSource;
use crate::scope::Scope;
use crate::store::{Gathered, Haunt};
use serde_json::{Value, json};
use std::time::Duration;

const TYPE: &str = "Test::Life::Thing";

/// An emulator in which operations take one to five seconds, and the clock that moves them.
fn core() -> (Core, Clock) {
    let text = json!({"type": "string"});
    let schema = json!({
        "typeName": TYPE,
        "properties": {"Name": text, "Arn": text, "Status": text, "A": text, "B": text, "C": text, "D": text},
        "primaryIdentifier": ["/properties/Name"],
        "readOnlyProperties": ["/properties/Arn", "/properties/Status"],
        "handlers": {"create": {}, "read": {}, "update": {}, "delete": {}},
    });
    let clock = Clock::by_hand(SystemTime::UNIX_EPOCH + Duration::from_secs(1_700_000_000));
    let options = Options { clock: clock.clone(), profile: Profile::realistic(), ..Options::default() };
    (Core::new(&SchemaSource::Texts(vec![schema.to_string()]), options).unwrap(), clock)
}

fn send(core: &Core, operation: &str, body: Value) -> Value {
    let scope = Scope::new("123456789012", "eu-west-1");
    let (gathered, wire) = (Gathered::default(), std::cell::Cell::new(None));
    let call =
        crate::operations::Call { core, scope: &scope, operation, principal: "", gathered: &gathered, wire: &wire };
    crate::operations::call(&call, &body).unwrap_or_else(|error| json!({"error": error.to_string()}))
}

fn create(core: &Core, desired: Value) -> String {
    let answer = send(core, "CreateResource", json!({"TypeName": TYPE, "DesiredState": desired.to_string()}));
    answer["ProgressEvent"]["RequestToken"].as_str().unwrap_or_else(|| panic!("{answer}")).to_owned()
}

fn update(core: &Core, patch: Value) -> String {
    let body = json!({"TypeName": TYPE, "Identifier": "n", "PatchDocument": patch.to_string()});
    let answer = send(core, "UpdateResource", body);
    answer["ProgressEvent"]["RequestToken"].as_str().unwrap_or_else(|| panic!("{answer}")).to_owned()
}

fn look_at(core: &Core, token: &str) -> Value {
    send(core, "GetResourceRequestStatus", json!({"RequestToken": token}))["ProgressEvent"].clone()
}

fn model(core: &Core) -> Option<Value> {
    let answer = send(core, "GetResource", json!({"TypeName": TYPE, "Identifier": "n"}));
    serde_json::from_str(answer["ResourceDescription"]["Properties"].as_str()?).ok()
}

fn replan(core: &Core, token: &str, change: impl FnOnce(&mut Plan)) {
    core.txn().change(token, |request| change(&mut request.plan)).unwrap();
}

fn failed(left: Left, identifier: Shown) -> Outcome {
    Outcome::Failed { code: HandlerErrorCode::NotStabilized, message: None, at: 0.5, left, identifier }
}

/// What is left of a create of `Name`, A, B, C and D, and the identifier in its last event.
fn left_of_create(outcome: Outcome, desired: Value) -> (Value, Option<Value>) {
    let (core, clock) = core();
    let token = create(&core, desired);
    replan(&core, &token, |plan| plan.outcome = outcome);
    clock.advance(Duration::from_secs(5));
    (look_at(&core, &token), model(&core))
}

fn full() -> Value {
    json!({"Name": "n", "A": "1", "B": "1", "C": "1", "D": "1"})
}

#[test]
fn a_failed_create_leaves_what_was_planned() {
    let part = |fraction| Left::Part { fraction, status: Some("CREATE_FAILED".to_owned()) };
    for (left, count, status) in [
        (Left::Nothing, None, None),
        (Left::Everything, Some(4), None),
        (part(0.5), Some(2), Some("CREATE_FAILED")),
        (part(0.0), Some(0), Some("CREATE_FAILED")),
        (part(1.0), Some(4), Some("CREATE_FAILED")),
    ] {
        let (event, model) = left_of_create(failed(left.clone(), Shown::AsReal), full());
        assert_eq!(
            (&event["OperationStatus"], &event["ErrorCode"], &event["Identifier"], &event["StatusMessage"]),
            (
                &json!("FAILED"),
                &json!("NotStabilized"),
                &json!("n"),
                &json!("Resource of type 'Test::Life::Thing' with identifier 'n' did not stabilize.")
            ),
            "{left:?}"
        );
        assert_eq!(event.get("ResourceModel"), None);
        let letters = |model: &Value| ["A", "B", "C", "D"].iter().filter(|name| model.get(**name).is_some()).count();
        assert_eq!(model.as_ref().map(letters), count, "{left:?}: {model:?}");
        if let Some(model) = model {
            assert_eq!((&model["Name"], model["Arn"].is_string()), (&json!("n"), true), "{model}");
            assert!(status.is_none_or(|status| model["Status"] == status), "{model}");
        }
    }
}

#[test]
fn identifiers_of_failures_are_shown_as_planned() {
    let unnamed = || json!({"A": "1"});
    for (desired, shown, expected) in [
        (full(), Shown::AsReal, true),
        (full(), Shown::Ghost, true),
        (full(), Shown::Nobody, false),
        (unnamed(), Shown::Ghost, true),
        (unnamed(), Shown::Nobody, false),
    ] {
        let (event, _) = left_of_create(failed(Left::Nothing, shown), desired.clone());
        assert_eq!(event.get("Identifier").is_some(), expected, "{desired} {shown:?}: {event}");
    }
}

#[test]
fn failures_come_at_their_share_of_the_duration() {
    let (core, clock) = core();
    let token = create(&core, full());
    replan(&core, &token, |plan| {
        plan.duration = Duration::from_secs(4);
        plan.outcome = failed(Left::Nothing, Shown::AsReal);
    });
    clock.advance(Duration::from_millis(1_999));
    assert_eq!(look_at(&core, &token)["OperationStatus"], "IN_PROGRESS");
    clock.advance(Duration::from_secs(60));
    let event = look_at(&core, &token);
    assert_eq!((&event["OperationStatus"], &event["EventTime"]), (&json!("FAILED"), &json!(1_700_000_002.0)));
}

#[test]
fn dropped_values_are_as_before() {
    let dropped = || Outcome::Dropped { paths: vec!["/properties/B".to_owned(), "/properties/Name".to_owned()] };
    let (event, made) = left_of_create(Outcome::Dropped { paths: vec!["/properties/B".to_owned()] }, full());
    assert_eq!(event["OperationStatus"], "SUCCESS");
    assert_eq!(made.unwrap().get("B"), None);
    let (core, clock) = core();
    create(&core, full());
    clock.advance(Duration::from_secs(5));
    let patch = json!([{"op": "replace", "path": "/A", "value": "2"}, {"op": "replace", "path": "/B", "value": "2"}]);
    let token = update(&core, patch);
    replan(&core, &token, |plan| plan.outcome = dropped());
    clock.advance(Duration::from_secs(5));
    assert_eq!(look_at(&core, &token)["OperationStatus"], "SUCCESS");
    let model = model(&core).unwrap();
    assert_eq!((&model["A"], &model["B"], &model["Name"]), (&json!("2"), &json!("1"), &json!("n")));
}

#[test]
fn a_failed_update_leaves_a_share_of_the_changes() {
    for (left, changed) in [(Left::Nothing, 0), (Left::Part { fraction: 0.5, status: None }, 2), (Left::Everything, 4)]
    {
        let (core, clock) = core();
        create(&core, full());
        clock.advance(Duration::from_secs(5));
        let operation = |name: &str| json!({"op": "replace", "path": format!("/{name}"), "value": "2"});
        let token = update(&core, ["A", "B", "C", "D"].iter().map(|name| operation(name)).collect());
        replan(&core, &token, |plan| plan.outcome = failed(left.clone(), Shown::AsReal));
        clock.advance(Duration::from_secs(5));
        assert_eq!(look_at(&core, &token)["OperationStatus"], "FAILED");
        let model = model(&core).unwrap();
        let count = ["A", "B", "C", "D"].iter().filter(|name| model[**name] == "2").count();
        assert_eq!(count, changed, "{left:?}: {model}");
    }
}

#[test]
fn a_waiting_request_starts_ends_and_can_be_cancelled_at_once() {
    let (core, clock) = core();
    let pending = |token: &str| {
        core.txn().change(token, |request| {
            request.status = Status::Pending;
            request.started = None;
            request.plan.interval = Duration::from_secs(2);
        });
    };
    let token = create(&core, full());
    pending(&token);
    let event = look_at(&core, &token);
    assert_eq!((&event["OperationStatus"], &event["RetryAfter"]), (&json!("PENDING"), &json!(1_700_000_002.0)));
    clock.advance(Duration::from_secs(2));
    let event = look_at(&core, &token);
    assert_eq!((&event["OperationStatus"], &event["EventTime"]), (&json!("IN_PROGRESS"), &json!(1_700_000_002.0)));
    clock.advance(Duration::from_secs(5));
    assert_eq!(look_at(&core, &token)["OperationStatus"], "SUCCESS");

    let token = create(&core, json!({"Name": "other"}));
    pending(&token);
    let cancelled = send(&core, "CancelResourceRequest", json!({"RequestToken": token}));
    assert_eq!(cancelled["ProgressEvent"]["OperationStatus"], "CANCEL_COMPLETE");
    clock.advance(Duration::from_secs(60));
    let missing = send(&core, "GetResource", json!({"TypeName": TYPE, "Identifier": "other"}));
    assert!(missing["error"].as_str().unwrap().starts_with("ResourceNotFoundException"), "{missing}");
    create(&core, json!({"Name": "other"}));
}

#[test]
fn a_stuck_request_stays_until_it_is_released() {
    let (core, clock) = core();
    let token = create(&core, full());
    replan(&core, &token, |plan| plan.stuck = true);
    clock.advance(Duration::from_secs(24 * 3_600));
    assert_eq!(look_at(&core, &token)["OperationStatus"], "IN_PROGRESS");
    replan(&core, &token, |plan| plan.stuck = false);
    assert_eq!(look_at(&core, &token)["OperationStatus"], "SUCCESS");
}

#[test]
fn identifiers_that_the_service_chose_are_known_some_way_into_the_work() {
    let (core, clock) = core();
    let token = create(&core, json!({}));
    replan(&core, &token, |plan| {
        plan.duration = Duration::from_secs(10);
        plan.identifier_at = Duration::from_secs(3);
    });
    for (seconds, is_known) in [(0, false), (2, false), (1, true), (6, true)] {
        clock.advance(Duration::from_secs(seconds));
        let event = look_at(&core, &token);
        assert_eq!(
            (&event["OperationStatus"], event.get("Identifier").is_some()),
            (&json!("IN_PROGRESS"), is_known),
            "{event}"
        );
    }
}

#[test]
fn a_haunted_resource_is_marked_from_its_end_on() {
    let (core, clock) = core();
    let token = create(&core, full());
    replan(&core, &token, |plan| {
        plan.duration = Duration::from_secs(1);
        plan.haunt = Some(Haunt { missing_until: 2_000, ..Haunt::default() });
    });
    clock.advance(Duration::from_secs(60));
    let shelf = core.shelf_key(&Scope::new("123456789012", "eu-west-1"), TYPE);
    let haunt = core.txn().resource(&shelf, "n").and_then(|resource| resource.haunted.clone()).unwrap();
    assert_eq!((haunt.missing_until, haunt.unlisted_until), (1_700_000_003_000, 0));
}
