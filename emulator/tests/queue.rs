//! Requests that wait for a worker, and the pace of those that run.

#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

mod support;

use emulator::{Clock, FirstStatus, Options, Profile, RetryAfter, Switches};
use serde_json::{Value, json};
use std::time::{Duration, SystemTime};
use support::Client;

const START: f64 = 1_700_000_000.0;

fn schema(name: &str, minutes: Option<u64>) -> Value {
    let handler = minutes.map_or(json!({}), |minutes| json!({"timeoutInMinutes": minutes}));
    json!({
        "typeName": format!("Test::Pace::{name}"),
        "properties": {"Name": {"type": "string"}, "Id": {"type": "string"}},
        "primaryIdentifier": if name == "Unnamed" { json!(["/properties/Id"]) } else { json!(["/properties/Name"]) },
        "readOnlyProperties": ["/properties/Id"],
        "handlers": {"create": handler, "read": {}, "update": handler, "delete": handler, "list": {}},
    })
}

fn client(switches: Switches) -> (Client, Clock) {
    let clock = Clock::by_hand(SystemTime::UNIX_EPOCH + Duration::from_secs(START as u64));
    let options = Options { profile: Profile::realistic(), clock: clock.clone(), switches, ..Options::default() };
    let schemas = [schema("Quick", Some(2)), schema("Usual", None), schema("Slow", Some(180)), schema("Unnamed", None)];
    (Client::start(&schemas, options), clock)
}

fn status(event: &Value) -> &str {
    event["OperationStatus"].as_str().unwrap()
}

#[test]
fn requests_over_the_limit_wait_for_a_worker() {
    let (client, clock) = client(Switches { concurrency: 2, ..Switches::default() });
    let begin = |name: &str| client.begin("Test::Pace::Usual", &json!({"Name": name}));
    let events: Vec<Value> = ["a", "b", "c", "d"].map(begin).to_vec();
    let first: Vec<&str> = events.iter().map(status).collect();
    assert_eq!(first, ["IN_PROGRESS", "IN_PROGRESS", "PENDING", "PENDING"]);
    assert_eq!(events[2]["RetryAfter"], json!(START + 2.0), "a waiting request says when to ask again");
    let elsewhere = Client { region: "us-east-1", ..client };
    assert_eq!(
        status(&elsewhere.begin("Test::Pace::Usual", &json!({"Name": "x"}))),
        "IN_PROGRESS",
        "each region has its own"
    );
    let client = Client { region: "eu-west-1", ..elsewhere };
    let busy = client.refused("DeleteResource", &json!({"TypeName": "Test::Pace::Usual", "Identifier": "c"}));
    assert!(busy.starts_with("ConcurrentOperationException"), "a waiting request holds its resource: {busy}");

    // Whatever the draws are, five seconds end the first two, and ten the others.
    clock.advance(Duration::from_secs(5));
    let now: Vec<Value> = events.iter().map(|event| client.look(event)).collect();
    assert_eq!([status(&now[0]), status(&now[1])], ["SUCCESS", "SUCCESS"]);
    assert!(now[2]["EventTime"].as_f64().unwrap() > START, "{}", now[2]);
    assert_ne!(status(&now[2]), "PENDING");
    clock.advance(Duration::from_secs(5));
    for event in &events {
        assert_eq!(status(&client.look(event)), "SUCCESS");
    }
}

#[test]
fn the_first_status_is_switched() {
    let (client, clock) = client(Switches { first_status: FirstStatus::Pending, ..Switches::default() });
    let event = client.begin("Test::Pace::Usual", &json!({"Name": "a"}));
    assert_eq!(status(&event), "PENDING");
    assert_eq!(status(&client.look(&event)), "PENDING");
    clock.advance(Duration::from_secs(2));
    assert_eq!(status(&client.look(&event)), "IN_PROGRESS");
    clock.advance(Duration::from_secs(5));
    assert_eq!(status(&client.look(&event)), "SUCCESS");

    let (client, _) = self::client(Switches { first_status: FirstStatus::Mixed, ..Switches::default() });
    let statuses: Vec<Value> = (0..20)
        .map(|number| {
            client.begin("Test::Pace::Usual", &json!({"Name": format!("n{number}")}))["OperationStatus"].clone()
        })
        .collect();
    for wanted in ["PENDING", "IN_PROGRESS"] {
        assert!(statuses.iter().any(|status| status == wanted), "{wanted} in {statuses:?}");
    }
}

#[test]
fn durations_and_pauses_follow_the_limit_of_the_handler() {
    let (client, clock) = client(Switches::default());
    for (name, least, most, pause) in [("Quick", 0.2, 1.0, 1.0), ("Usual", 1.0, 5.0, 2.0), ("Slow", 10.0, 60.0, 5.0)] {
        let type_name = format!("Test::Pace::{name}");
        let start = clock.now().duration_since(SystemTime::UNIX_EPOCH).unwrap().as_secs_f64();
        let event = client.begin(&type_name, &json!({"Name": "a"}));
        let retry = event["RetryAfter"].as_f64().unwrap() - start;
        assert!(retry > 0.0 && retry <= pause + 0.001, "{name}: {retry}");
        clock.advance(Duration::from_secs_f64(most));
        let last = client.look(&event);
        let took = last["EventTime"].as_f64().unwrap() - start;
        assert!(status(&last) == "SUCCESS" && (least..=most).contains(&took), "{name}: {took} {last}");
        assert_eq!(last.get("RetryAfter"), None);
    }
}

#[test]
fn names_that_the_service_makes_are_told_some_way_into_the_work() {
    let (client, clock) = client(Switches::default());
    let named = client.begin("Test::Pace::Usual", &json!({"Name": "a"}));
    assert_eq!(named["Identifier"], "a");
    let event = client.begin("Test::Pace::Unnamed", &json!({}));
    assert_eq!(event.get("Identifier"), None);
    assert_eq!(client.look(&event).get("Identifier"), None, "looking at it tells nothing");
    let mut seen_at = None;
    let mut last = event.clone();
    for tick in 1..=500 {
        clock.advance(Duration::from_millis(10));
        last = client.look(&event);
        if seen_at.is_none() && last.get("Identifier").is_some() {
            seen_at = Some((tick, status(&last).to_owned()));
        }
        if status(&last) == "SUCCESS" {
            break;
        }
    }
    let (tick, at) = seen_at.unwrap();
    let took = (last["EventTime"].as_f64().unwrap() - START) * 100.0;
    assert_eq!(at, "IN_PROGRESS");
    assert!((f64::from(tick) - took * 0.3).abs() <= 1.5, "seen after {tick} of {took}");
}

#[test]
fn advice_to_wait_is_switched() {
    for (switch, expected) in [(RetryAfter::Off, None), (RetryAfter::Past, Some(json!(START - 1.0)))] {
        let (client, _) = client(Switches { retry_after: switch, ..Switches::default() });
        let event = client.begin("Test::Pace::Usual", &json!({"Name": "a"}));
        assert_eq!(event.get("RetryAfter").cloned(), expected, "{switch:?}");
    }
}

#[test]
fn work_that_waits_to_be_looked_at_holds_no_worker() {
    let options = Options { switches: Switches { concurrency: 1, ..Switches::default() }, ..Options::default() };
    let client = Client::start(&[schema("Usual", None)], options);
    for name in ["a", "b", "c"] {
        assert_eq!(status(&client.begin("Test::Pace::Usual", &json!({"Name": name}))), "IN_PROGRESS");
    }
}
