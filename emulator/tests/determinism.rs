//! The same work gives the same state, whatever the order in which calls arrive; and that state can be carried elsewhere.

#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

mod support;

use emulator::{Clock, Options, Profile, Switches};
use serde_json::{Value, json};
use std::time::{Duration, SystemTime};
use support::Client;

const CREATES: usize = 1_000;

/// How many creates have the same content.
const EQUAL: usize = 10;

fn start() -> Client {
    let schema = json!({
        "typeName": "AA::BB::CC", "primaryIdentifier": ["/properties/Id"], "readOnlyProperties": ["/properties/Id"],
        "properties": {"Id": {"type": "string", "pattern": "^id-[0-9a-f]{16}$"}, "Value": {"type": "string"}},
        "handlers": {"create": {}, "read": {}, "update": {}, "delete": {}, "list": {}}
    });
    let clock = Clock::by_hand(SystemTime::UNIX_EPOCH + Duration::from_secs(1_800_000_000));
    // Enough workers for all: those that wait for one start in the order in which they came.
    let switches = Switches { concurrency: CREATES, ..Switches::default() };
    Client::start(&[schema], Options { clock, profile: Profile::realistic(), switches, ..Options::default() })
}

fn create(client: &Client, number: usize) {
    let desired = json!({"Value": format!("value-{}", number / EQUAL)}).to_string();
    let answer = client.call("CreateResource", &json!({"TypeName": "AA::BB::CC", "DesiredState": desired}));
    assert_eq!(answer.status, 200, "{}", answer.text);
}

/// The state after the creates, made by several threads that each take every n-th one from an end of their own.
fn made(threads: usize, is_backwards: bool) -> (Client, Value) {
    let client = start();
    std::thread::scope(|scope| {
        for thread in 0..threads {
            let client = &client;
            scope.spawn(move || {
                for number in (thread..CREATES).step_by(threads) {
                    create(client, if is_backwards { CREATES - 1 - number } else { number });
                }
            });
        }
    });
    client.emulator.admin().advance(Duration::from_secs(3_600));
    let state = client.emulator.admin().export(None);
    (client, state)
}

#[test]
fn the_order_of_calls_does_not_matter() {
    let (_, first) = made(1, false);
    let (_, second) = made(8, true);
    assert_eq!(first["resources"].as_array().unwrap().len(), CREATES);
    assert_eq!(first["requests"].as_array().unwrap().len(), CREATES);
    assert!(first == second, "two runs of the same creates differ");
}

#[test]
fn a_snapshot_carries_a_scope_elsewhere_and_reset_forgets_it() {
    let mut client = start();
    for region in ["eu-west-1", "us-east-1"] {
        client.region = region;
        create(&client, 0);
    }
    client.emulator.admin().advance(Duration::from_secs(3_600));
    let whole = client.send("GET", "/_emu/snapshot", "", "").json();
    let part = client.send("GET", "/_emu/snapshot?account=123456789012&region=us-east-1", "", "").json();
    assert_eq!(part["resources"].as_array().unwrap().len(), 1);

    let other = start();
    let answer = other.send("PUT", "/_emu/snapshot", "", &whole.to_string());
    assert_eq!((answer.status, answer.json()), (200, json!({"resources": 2, "requests": 2})));
    assert_eq!(other.emulator.admin().export(None), whole);
    let query = "account=123456789012&region=us-east-1";
    assert_eq!(other.send("POST", &format!("/_emu/reset?{query}"), "", "").status, 200);
    assert_eq!(other.emulator.admin().export(None)["resources"].as_array().unwrap().len(), 1);
    assert_eq!(other.send("PUT", &format!("/_emu/snapshot?{query}"), "", &whole.to_string()).json()["resources"], 1);
    assert_eq!(other.emulator.admin().export(None), whole);
    // Counters came along: the same content gives another name than the one that is there.
    create(&other, 0);
    other.emulator.admin().advance(Duration::from_secs(3_600));
    assert_eq!(other.emulator.admin().export(None)["resources"].as_array().unwrap().len(), 3);

    for (path, body, text) in [
        ("/_emu/snapshot", "{}", "the snapshot cannot be read"),
        ("/_emu/snapshot?region=us-east-1", "{}", "account and region go together"),
    ] {
        let answer = other.send("PUT", path, "", body);
        assert_eq!(answer.status, 400);
        assert!(answer.text.contains(text), "{}", answer.text);
    }
    other.emulator.admin().reset(None);
    assert_eq!(other.emulator.admin().export(None), start().emulator.admin().export(None));
}

#[test]
fn snapshots_of_what_cannot_be_are_refused_and_change_nothing() {
    let client = start();
    create(&client, 0);
    client.emulator.admin().advance(Duration::from_secs(3_600));
    let whole = client.emulator.admin().export(None);
    let resource = |member: &'static str, value: Value| ("/resources/0/resource/", member, value);
    let place = |member: &'static str, value: Value| ("/resources/0/place/", member, value);
    for ((path, member, value), text) in [
        (resource("model", json!("[".repeat(200_000))), "nested deeper than 128 levels"),
        (resource("model", json!("not json")), "not valid JSON"),
        (resource("model", json!("[1]")), "is not an object"),
        (resource("model", json!("{}")), "the primary identifier cannot be built"),
        (resource("identifier", json!("")), "its model has the identifier"),
        (
            resource(
                "haunted",
                json!({"missing_until": 0, "missing_reads": 0, "unlisted_until": 0, "stale_until": 0, "stale": "["}),
            ),
            "not valid JSON",
        ),
        (place("account", json!("x\u{0}y")), "is no account"),
        (place("region", json!("EU WEST")), "is no region"),
        (place("region", json!("")), "is no region"),
        (place("type_name", json!("Test::No::Type")), "there is no such type"),
        (("/requests/0/scope/", "account", json!("1")), "is no account"),
        (("/requests/0/shelf/", "type_name", json!("Test::No::Type")), "there is no such type"),
        (("/requests/0/", "shown", json!("[".repeat(1_000))), "nested deeper than 128 levels"),
    ] {
        let mut document = whole.clone();
        *document.pointer_mut(&format!("{path}{member}")).unwrap() = value;
        check_refused(&client, &document, text, &whole);
    }
    for list in ["resources", "requests"] {
        let mut document = whole.clone();
        let first = document[list][0].clone();
        document[list].as_array_mut().unwrap().push(first);
        let text = if list == "resources" { "another resource has the same identifier" } else { "it is there twice" };
        check_refused(&client, &document, text, &whole);
    }
}

#[track_caller]
fn check_refused(client: &Client, document: &Value, text: &str, before: &Value) {
    let answer = client.send("PUT", "/_emu/snapshot", "", &document.to_string());
    assert_eq!(answer.status, 400, "{text}: {}", answer.text);
    assert!(answer.text.contains("the snapshot cannot be read: ") && answer.text.contains(text), "{}", answer.text);
    assert_eq!(&client.emulator.admin().export(None), before, "{text}: nothing has changed");
}
