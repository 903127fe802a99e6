//! What others see while a request runs: a resource that is being created is not there, one that is being deleted still is,
//! and nobody else may touch it, not even after a restart.

#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

mod support;

use emulator::{Clock, Options, Profile};
use serde_json::{Value, json};
use std::path::Path;
use std::time::{Duration, SystemTime};
use support::Client;

const THING: &str = "Test::Visible::Thing";

fn start(clock: &Clock, state: Option<&Path>) -> Client {
    let schema = json!({
        "typeName": THING,
        "properties": {"Name": {"type": "string"}, "Count": {"type": "integer"}},
        "primaryIdentifier": ["/properties/Name"],
        "handlers": {"create": {}, "read": {}, "update": {}, "delete": {}, "list": {}},
    });
    let options = Options {
        clock: clock.clone(),
        profile: Profile::realistic(),
        state: state.map(Path::to_path_buf),
        ..Options::default()
    };
    Client::start(&[schema], options)
}

fn clock() -> Clock {
    Clock::by_hand(SystemTime::UNIX_EPOCH + Duration::from_secs(1_700_000_000))
}

fn listed(client: &Client) -> usize {
    let answer = client.call("ListResources", &json!({"TypeName": THING})).json();
    answer["ResourceDescriptions"].as_array().unwrap().len()
}

fn delete(client: &Client) -> Value {
    client.call("DeleteResource", &json!({"TypeName": THING, "Identifier": "a"})).json()["ProgressEvent"].clone()
}

#[test]
fn what_is_being_created_is_hidden_and_what_is_being_deleted_is_shown() {
    let clock = clock();
    let client = start(&clock, None);
    let is_there = || client.call("GetResource", &json!({"TypeName": THING, "Identifier": "a"})).status == 200;
    let create = client.begin(THING, &json!({"Name": "a"}));
    assert_eq!((is_there(), listed(&client)), (false, 0));
    clock.advance(Duration::from_secs(10));
    assert_eq!(client.look(&create)["OperationStatus"], "SUCCESS");
    assert_eq!((is_there(), listed(&client)), (true, 1));
    let delete = delete(&client);
    assert_eq!(delete["OperationStatus"], "IN_PROGRESS");
    assert_eq!((is_there(), listed(&client)), (true, 1));
    clock.advance(Duration::from_secs(10));
    assert_eq!((is_there(), listed(&client)), (false, 0));
    assert_eq!(client.look(&delete)["OperationStatus"], "SUCCESS");
}

#[test]
fn one_request_at_a_time_touches_a_resource() {
    let folder = tempfile::tempdir().unwrap();
    let clock = clock();
    let client = start(&clock, Some(folder.path()));
    let create = json!({"TypeName": THING, "DesiredState": "{\"Name\":\"a\"}"});
    let change = json!({"TypeName": THING, "Identifier": "a", "PatchDocument": "[]"});
    let remove = json!({"TypeName": THING, "Identifier": "a"});
    let everything_is_refused = |client: &Client, calls: &[(&str, &Value)]| {
        for (operation, body) in calls {
            let refusal = client.refused(operation, body);
            assert!(refusal.starts_with("ConcurrentOperationException: "), "{operation}: {refusal}");
        }
    };
    let first = client.begin(THING, &json!({"Name": "a"}));
    everything_is_refused(&client, &[("CreateResource", &create), ("DeleteResource", &remove)]);
    let other = client.begin(THING, &json!({"Name": "b"}));
    assert_eq!(other["OperationStatus"], "IN_PROGRESS", "other resources are free");
    clock.advance(Duration::from_secs(10));
    assert_eq!(client.look(&first)["OperationStatus"], "SUCCESS");

    let update = client.update(THING, "a", &json!([{"op": "add", "path": "/Count", "value": 1}])).json();
    let update = update["ProgressEvent"].clone();
    let all = [("CreateResource", &create), ("UpdateResource", &change), ("DeleteResource", &remove)];
    everything_is_refused(&client, &all);
    drop(client);
    // The request goes on after a restart, and so does what it forbids.
    let client = start(&clock, Some(folder.path()));
    everything_is_refused(&client, &all);
    clock.advance(Duration::from_secs(10));
    assert_eq!(client.look(&update)["OperationStatus"], "SUCCESS");
    assert_eq!(client.read(THING, "a")["Count"], 1);
    assert_eq!(delete(&client)["OperationStatus"], "IN_PROGRESS");
}
