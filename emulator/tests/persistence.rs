//! What a state folder brings back: everything that was answered, and requests on their way.

#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

mod support;

use emulator::{Clock, Options, Profile, Switches};
use serde_json::{Value, json};
use std::path::Path;
use std::time::{Duration, SystemTime};
use support::Client;

fn schema() -> Value {
    json!({
        "typeName": "AA::BB::CC", "primaryIdentifier": ["/properties/Id"], "readOnlyProperties": ["/properties/Id"],
        "properties": {"Id": {"type": "string", "pattern": "^id-[0-9a-f]{8}$"}, "Value": {"type": "string"}},
        "handlers": {"create": {}, "read": {}, "update": {}, "delete": {}, "list": {}}
    })
}

fn start(folder: &Path, profile: Profile) -> Client {
    let clock = Clock::by_hand(SystemTime::UNIX_EPOCH + Duration::from_secs(1_800_000_000));
    let switches = Switches::default();
    let options = Options { clock, profile, switches, state: Some(folder.to_owned()), ..Options::default() };
    Client::start(&[schema()], options)
}

fn status(client: &Client, token: &Value) -> Value {
    client.call("GetResourceRequestStatus", &json!({"RequestToken": token})).json()["ProgressEvent"].clone()
}

#[test]
fn resources_requests_and_client_tokens_are_there_after_a_restart() {
    let folder = tempfile::tempdir().unwrap();
    let desired = json!({"Value": "one"});
    let create = json!({"TypeName": "AA::BB::CC", "DesiredState": desired.to_string(), "ClientToken": "t1"});
    let client = start(folder.path(), Profile::test());
    let first = client.call("CreateResource", &create);
    let event = client.finish(&first);
    assert_eq!(event["OperationStatus"], "SUCCESS");
    let identifier = event["Identifier"].as_str().unwrap().to_owned();
    let gone = client.create("AA::BB::CC", &json!({"Value": "gone"}))["Identifier"].as_str().unwrap().to_owned();
    assert_eq!(client.delete("AA::BB::CC", &gone)["OperationStatus"], "SUCCESS");
    client.emulator.admin().advance(Duration::from_secs(3_600));
    client.emulator.stop();

    let client = start(folder.path(), Profile::test());
    assert_eq!(client.read("AA::BB::CC", &identifier), json!({"Id": identifier, "Value": "one"}));
    assert_eq!(status(&client, &event["RequestToken"]), event, "an old request is as it was");
    let again = client.call("CreateResource", &create).json()["ProgressEvent"].clone();
    assert_eq!(again, event, "the same client token is the same request");
    let other = json!({"TypeName": "AA::BB::CC", "DesiredState": "{}", "ClientToken": "t1"});
    assert!(client.refused("CreateResource", &other).starts_with("ClientTokenConflictException"));
    let gone = client.refused("GetResource", &json!({"TypeName": "AA::BB::CC", "Identifier": gone}));
    assert!(gone.starts_with("ResourceNotFoundException"), "{gone}");
    let second = client.create("AA::BB::CC", &desired);
    assert_eq!(second["OperationStatus"], "SUCCESS");
    assert_ne!(second["Identifier"], identifier.as_str(), "equal creates are counted over restarts");
    let late = second["EventTime"].as_f64().unwrap() - event["EventTime"].as_f64().unwrap();
    assert!(late >= 3_600.0, "the clock goes on where it was: {late}");
}

#[test]
fn requests_on_their_way_go_on() {
    let folder = tempfile::tempdir().unwrap();
    let client = start(folder.path(), Profile::realistic());
    let create = json!({"TypeName": "AA::BB::CC", "DesiredState": json!({"Value": "one"}).to_string()});
    let event = client.call("CreateResource", &create).json()["ProgressEvent"].clone();
    assert_eq!(event["OperationStatus"], "IN_PROGRESS");
    client.emulator.stop();

    let client = start(folder.path(), Profile::realistic());
    assert_eq!(status(&client, &event["RequestToken"])["OperationStatus"], "IN_PROGRESS", "time did not pass");
    client.emulator.admin().advance(Duration::from_secs(600));
    let end = status(&client, &event["RequestToken"]);
    assert_eq!(end["OperationStatus"], "SUCCESS");
    let identifier = end["Identifier"].as_str().unwrap().to_owned();
    client.emulator.stop();

    let client = start(folder.path(), Profile::realistic());
    assert_eq!(client.read("AA::BB::CC", &identifier)["Value"], "one");
}

#[test]
fn a_folder_keeps_its_seed_until_another_is_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    let made = |options: Options| {
        let client = Client::start(&[schema()], Options { state: Some(folder.path().to_owned()), ..options });
        client.create("AA::BB::CC", &json!({"Value": "one"}))["Identifier"].as_str().unwrap().to_owned()
    };
    let in_memory = |seed: u64, count: usize| {
        let client = Client::start(&[schema()], Options { seed, ..Options::default() });
        let ids: Vec<Value> =
            (0..count).map(|_| client.create("AA::BB::CC", &json!({"Value": "one"}))["Identifier"].clone()).collect();
        ids.last().unwrap().as_str().unwrap().to_owned()
    };
    assert_eq!(made(Options { seed: 7, is_seed_kept: false, ..Options::default() }), in_memory(7, 1));
    assert_eq!(made(Options::default()), in_memory(7, 2), "no seed was asked for");
    assert_eq!(made(Options { seed: 1, is_seed_kept: false, ..Options::default() }), in_memory(1, 3));
}
