//! The chaos profile: how often what goes wrong, and that the same seed repeats it whatever runs at once.

#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

mod support;

use emulator::{Clock, Options, Profile, WhichCalls};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, SystemTime};
use support::Client;

const THING: &str = "Test::Chaos::Thing";

/// Resources in a run.
const COUNT: usize = 240;

fn client(seed: u64) -> Client {
    let text = json!({"type": "string"});
    let schema = json!({
        "typeName": THING,
        "properties": {"Name": text, "Arn": text, "A": text, "B": text},
        "primaryIdentifier": ["/properties/Name"],
        "readOnlyProperties": ["/properties/Arn"],
        "handlers": {"create": {}, "read": {}, "update": {}, "delete": {}},
    });
    // Time stands still and operations take none, so that the number of polls does not depend on the machine.
    let clock = Clock::by_hand(SystemTime::UNIX_EPOCH + Duration::from_secs(1_700_000_000));
    let profile = Profile::chaos();
    let mut options = Options { clock, seed, time_scale: Some(0.0), profile: profile.clone(), ..Options::default() };
    profile.apply(&mut options.switches).unwrap();
    Client::start(&[schema], options)
}

/// Calls until the call is not refused as too many or as unavailable.
fn insist(client: &Client, operation: &str, body: &Value) -> Value {
    loop {
        let answer = client.call(operation, body);
        let code = answer.json()["__type"].as_str().unwrap_or_default().to_owned();
        if !code.ends_with("#ThrottlingException") && !code.ends_with("#ServiceUnavailable") {
            return answer.json();
        }
    }
}

fn finish(client: &Client, first: &Value) -> Value {
    let token = &first["ProgressEvent"]["RequestToken"];
    loop {
        let event =
            insist(client, "GetResourceRequestStatus", &json!({"RequestToken": token}))["ProgressEvent"].clone();
        if event["OperationStatus"] != "IN_PROGRESS" {
            return event;
        }
    }
}

/// The life of one resource, with as many attempts as it takes.
fn live(client: &Client, index: usize) {
    let name = format!("n{index}");
    let create = json!({"TypeName": THING, "DesiredState": json!({"Name": name, "A": "1", "B": "1"}).to_string()});
    let event = finish(client, &insist(client, "CreateResource", &create));
    if event["OperationStatus"] == "FAILED" && event["ErrorCode"] == "ServiceInternalError" {
        finish(client, &insist(client, "CreateResource", &create));
    }
    insist(client, "GetResource", &json!({"TypeName": THING, "Identifier": name}));
    let patch = json!([{"op": "add", "path": "/A", "value": "2"}]).to_string();
    let update = json!({"TypeName": THING, "Identifier": name, "PatchDocument": patch});
    let first = insist(client, "UpdateResource", &update);
    if first["ProgressEvent"].is_object() {
        finish(client, &first);
    }
    finish(client, &insist(client, "DeleteResource", &json!({"TypeName": THING, "Identifier": name})));
}

/// Runs the program with so many clients at once: what was decided, and how often each rule fired.
fn run(seed: u64, parallel: usize) -> (BTreeSet<String>, BTreeMap<String, u64>) {
    let client = client(seed);
    let next = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for _ in 0..parallel {
            scope.spawn(|| {
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    if index >= COUNT {
                        return;
                    }
                    live(&client, index);
                }
            });
        }
    });
    let mut decided = BTreeSet::new();
    for call in client.emulator.admin().log(&WhichCalls::default()) {
        for rule in call.entry["rules"].as_array().unwrap() {
            let request = [
                &call.entry["operation"],
                &call.entry["identifier"],
                &call.entry["requestToken"],
                &call.entry["desiredState"],
            ];
            decided.insert(format!("{rule} {}", request.map(Value::to_string).join(" ")));
        }
        for decision in call.entry["decisions"].as_array().into_iter().flatten() {
            decided.insert(decision.to_string());
        }
    }
    let fired = client.emulator.admin().rules().into_iter().map(|rule| (rule.id.to_string(), rule.fired)).collect();
    (decided, fired)
}

#[test]
fn a_seed_repeats_exactly_whatever_runs_at_once() {
    let (alone, fired) = run(11, 1);
    assert_eq!(run(11, 16), (alone.clone(), fired.clone()));
    assert_ne!(run(12, 16).0, alone);
    assert!(fired.values().all(|count| *count > 0), "everything happens at least once: {fired:?}");
}

#[test]
fn chaos_has_its_shares() {
    let shares: Vec<(String, f64)> =
        Profile::chaos().rules.iter().map(|rule| (rule.id.clone().unwrap(), rule.when.probability)).collect();
    let expected = [
        ("chaos-throttle", 0.02),
        ("chaos-poll-error", 0.01),
        ("chaos-not-stabilized", 0.01),
        ("chaos-service-error", 0.01),
        ("chaos-not-found", 0.03),
    ];
    assert_eq!(shares, expected.map(|(name, share)| (name.to_owned(), share)));
    let client = client(3);
    (0..COUNT).for_each(|index| live(&client, index));
    for rule in client.emulator.admin().rules() {
        let (mean, count) = (rule.matched as f64 * rule.rule.when.probability, rule.fired as f64);
        // Four standard deviations of a binomial distribution.
        assert!((count - mean).abs() <= 4.0 * mean.sqrt() + 1.0, "{}: {count} of {}", rule.id, rule.matched);
    }
}
