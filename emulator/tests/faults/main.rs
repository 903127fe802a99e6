//! Every way in which rules make the emulator misbehave, over the wire.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test stops at the first surprise")]

mod connections;
mod reads;
mod refusals;
mod requests;
#[path = "../support/mod.rs"]
mod support;

use emulator::{Clock, Options, Rule};
use serde_json::{Value, json};
use std::time::{Duration, SystemTime};
use support::Client;

const THING: &str = "Test::Fault::Thing";

fn schema() -> Value {
    let text = json!({"type": "string"});
    json!({
        "typeName": THING,
        "properties": {"Name": text, "Arn": text, "Status": text, "A": text, "B": text, "C": text, "D": text,
            "List": {"type": "array", "insertionOrder": false, "items": text}},
        "primaryIdentifier": ["/properties/Name"],
        "readOnlyProperties": ["/properties/Arn", "/properties/Status"],
        "createOnlyProperties": ["/properties/Name"],
        "handlers": {"create": {"timeoutInMinutes": 5}, "read": {}, "update": {}, "delete": {}, "list": {}},
    })
}

/// An emulator with rules, written as in a profile, and its clock, which stands still.
fn client(rules: &str) -> (Client, Clock) {
    let clock = Clock::by_hand(SystemTime::UNIX_EPOCH + Duration::from_secs(1_700_000_000));
    let rules = Rule::read(rules).unwrap();
    (Client::start(&[schema()], Options { clock: clock.clone(), rules, ..Options::default() }), clock)
}

fn desired(name: &str) -> Value {
    json!({"Name": name, "A": "1", "B": "1", "C": "1", "D": "1"})
}

fn get(name: &str) -> Value {
    json!({"TypeName": THING, "Identifier": name})
}
