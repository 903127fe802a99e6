//! The handle of tests: inspecting, changing behind the owner's back, and hearing of every change.

#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

mod support;

use emulator::{AdminAccess, Cause, Change, Check, Clock, Options, Profile, What, Which, WhichCalls, WhichRequests};
use serde_json::{Value, json};
use std::time::{Duration, SystemTime};
use support::Client;

const THING: &str = "Test::Handle::Thing";

fn client(options: Options) -> Client {
    let schema = json!({
        "typeName": THING,
        "properties": {"Name": {"type": "string"}, "Count": {"type": "integer"}, "Secret": {"type": "string"}},
        "primaryIdentifier": ["/properties/Name"],
        "writeOnlyProperties": ["/properties/Secret"],
        "handlers": {"create": {}, "read": {}, "update": {}, "delete": {}},
    });
    Client::start(&[schema], options)
}

#[test]
fn subscribers_hear_of_every_change_and_who_made_it() {
    let client = client(Options::default());
    let admin = client.emulator.admin();
    let mut changes = admin.subscribe();
    let event = client.create(THING, &json!({"Name": "one", "Count": 1}));
    admin
        .change(&Which::one(THING, "one"), &json!([{"op": "replace", "path": "/Count", "value": 2}]), Check::On)
        .unwrap();
    admin.remove(&Which::one(THING, "one")).unwrap();
    let mut told = Vec::new();
    while let Some(change) = changes.next(Duration::ZERO) {
        match change {
            Change::Resource { cause, what, model, .. } => {
                let model: Value = serde_json::from_str(&model).unwrap();
                told.push((what, cause, model["Count"].clone()));
            }
            Change::Request { token, .. } => assert_eq!(event["RequestToken"], token.to_string()),
            Change::Call { .. } => {}
            other => panic!("{other:?}"),
        }
    }
    let request = emulator::Token::parse(event["RequestToken"].as_str().unwrap()).unwrap();
    let expected = [
        (What::Created, Cause::Request(request), json!(1)),
        (What::Updated, Cause::Admin, json!(2)),
        (What::Deleted, Cause::Admin, json!(2)),
    ];
    assert_eq!(told, expected);
    assert_eq!(changes.lost(), 0);
}

#[test]
fn changes_behind_the_owners_back_are_checked_as_far_as_asked() {
    let client = client(Options::default());
    let admin = client.emulator.admin();
    client.create(THING, &json!({"Name": "one", "Secret": "s"}));
    let one = Which::one(THING, "one");
    for (which, patch, check, expected) in [
        (&one, json!([{"op": "replace", "path": "/Secret", "value": "t"}]), Check::On, ""),
        (&one, json!([{"op": "add", "path": "/Count", "value": "many"}]), Check::Off, ""),
        (
            &one,
            json!([{"op": "add", "path": "/Count", "value": "more"}]),
            Check::On,
            "Model validation failed (#/Count: ",
        ),
        (
            &one,
            json!([{"op": "remove", "path": "/None"}]),
            Check::Off,
            "Invalid patch update: operation 0 (remove /None)",
        ),
        (
            &one,
            json!([{"op": "replace", "path": "/Name", "value": "two"}]),
            Check::Off,
            "the patch changes the identifier of one",
        ),
        (&Which::one(THING, "two"), json!([]), Check::Off, "there is no Test::Handle::Thing with identifier two"),
    ] {
        let said = admin.change(which, &patch, check).map_or_else(|error| error.to_string(), |_| String::new());
        assert!(said.starts_with(expected) && said.is_empty() == expected.is_empty(), "{patch}: {said}");
    }
    let seen = admin.resources(&one);
    assert_eq!(seen[0].model, json!({"Name": "one", "Secret": "t", "Count": "many"}));
    assert!(admin.resources(&Which { region: Some("us-east-1".to_owned()), ..Which::default() }).is_empty());
}

#[test]
fn requests_and_calls_can_be_looked_at_without_looking_at_them() {
    let clock = Clock::by_hand(SystemTime::UNIX_EPOCH + Duration::from_secs(1_700_000_000));
    let client = client(Options { clock, ..Options::default() });
    let admin = client.emulator.admin();
    let body = json!({"TypeName": THING, "DesiredState": "{\"Name\":\"one\"}", "ClientToken": "again"});
    for _ in 0..2 {
        client.call("CreateResource", &body);
    }
    client.refused("GetResource", &json!({"TypeName": THING, "Identifier": "one"}));
    for _ in 0..5 {
        assert_eq!(admin.requests(&WhichRequests::default())[0].event["OperationStatus"], "IN_PROGRESS");
    }
    let calls = admin.log(&WhichCalls { operation: Some("CreateResource".to_owned()), ..WhichCalls::default() });
    let retries: Vec<&Value> = calls.iter().map(|call| &call.entry["retry"]).collect();
    assert_eq!(retries, [&json!(false), &json!(true)]);
    assert_eq!(
        admin.log(&WhichCalls { since: 2, ..WhichCalls::default() })[0].entry["result"]["error"],
        "ResourceNotFoundException"
    );
    admin.advance(Duration::from_secs(3));
    let ended = WhichRequests { status: Some("SUCCESS".to_owned()), ..WhichRequests::default() };
    assert_eq!(admin.requests(&ended).len(), 1, "a request that nobody looks at ends a little later");
    let metrics = admin.metrics();
    for line in [
        "emulator_calls_total{service=\"cloudcontrol\",operation=\"CreateResource\",namespace=\"Test::Handle\",code=\"\"} 2",
        "emulator_retries_total 1",
    ] {
        assert!(metrics.lines().any(|other| other == line), "{line} is not in\n{metrics}");
    }
    admin.forget_log();
    assert!(admin.log(&WhichCalls::default()).is_empty());
}

#[test]
fn subscribers_hear_of_ends_that_nobody_asks_for() {
    let client = client(Options { profile: Profile::fast(), ..Options::default() });
    let mut changes = client.emulator.admin().subscribe();
    client.call("CreateResource", &json!({"TypeName": THING, "DesiredState": "{\"Name\":\"one\"}"}));
    let ended = std::iter::from_fn(|| changes.next(Duration::from_secs(30)))
        .any(|change| matches!(change, Change::Request { status: "SUCCESS", .. }));
    assert!(ended);
}

#[test]
fn pages_can_be_off() {
    let client = client(Options { admin: AdminAccess::Off, ..Options::default() });
    for page in ["/_emu/log", "/metrics"] {
        assert_eq!(client.send("GET", page, "", "").status, 404, "{page}");
    }
    for page in ["/_emu/health", "/_emu/ready"] {
        assert_eq!(client.send("GET", page, "", "").status, 200, "whoever waits knows no other port: {page}");
    }
    assert_eq!(client.create(THING, &json!({"Name": "one"}))["OperationStatus"], "SUCCESS");
}

#[test]
fn pages_show_the_same() {
    let client = client(Options::default());
    client.create(THING, &json!({"Name": "one"}));
    let page = |page: &str| client.send("GET", page, "", "");
    assert_eq!(page("/_emu/requests?status=SUCCESS").json()[0]["event"]["Identifier"], "one");
    assert_eq!(page("/_emu/requests?status=FAILED").json(), json!([]));
    assert_eq!(page("/_emu/resources?type=Test%3A%3AHandle%3A%3AThing").json()[0]["identifier"], "one");
    assert_eq!(page("/_emu/resources?identifier=two").json(), json!([]));
    for operation in ["CreateResource", "create", "CREATE"] {
        assert_eq!(page(&format!("/_emu/log?operation={operation}")).json()[0]["status"], 200, "{operation}");
    }
    assert_eq!(page("/_emu/ready").json(), json!({"ready": true}));
    assert!(page("/metrics").text.contains("# TYPE emulator_call_seconds histogram"));
    let before = page("/_emu/resources").json()[0]["created"].as_f64().unwrap();
    let now = client.send("POST", "/_emu/clock/advance", "", "{\"seconds\": 3600}").json()["now"].as_f64().unwrap();
    assert!(now >= before + 3600.0);
    for (method, path, body, status) in [
        ("POST", "/_emu/clock/advance", "{\"seconds\": -1}", 400),
        ("POST", "/_emu/drift", "{}", 400),
        ("POST", "/_emu/generate", "{\"type\": \"A::B::C\"}", 404),
        ("DELETE", "/_emu/resources?type=x", "", 400),
        ("GET", "/_emu/nothing", "", 404),
        ("GET", "/_emu/log?operation=make", "", 400),
        ("GET", "/_emu/log?since=abc", "", 400),
        ("GET", "/_emu/requests?status=BOGUS", "", 400),
        ("GET", "/_emu/resources?typ=x", "", 400),
        ("GET", "/_emu/schemas?details=yes", "", 400),
        ("POST", "/_emu/reset", "{\"account\": \"123456789012\"}", 400),
        ("POST", "/_emu/reset?acount=123456789012", "", 400),
        ("POST", "/_emu/reset?account=&region=", "", 400),
        ("POST", "/_emu/clock/advance", "", 400),
    ] {
        let answer = client.send(method, path, "", body);
        assert_eq!(answer.status, status, "{method} {path}: {}", answer.text);
        assert!(answer.json()["error"].is_string(), "{}", answer.text);
    }
    assert_eq!(page("/_emu/resources").json().as_array().map(Vec::len), Some(1), "what is refused changes nothing");
    assert_eq!(client.send("POST", "/_emu/reset", "", "{}").status, 200);
    assert_eq!(page("/_emu/resources").json(), json!([]));
}
