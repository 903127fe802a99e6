//! Types that can be created and updated, but not read: an update works on what is stored.

#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

mod support;

use emulator::Options;
use serde_json::json;
use support::Client;

const POLICY: &str = "Test::Unread::Policy";

#[test]
fn an_update_without_a_read_handler_works_on_what_is_stored() {
    let schema = json!({
        "typeName": POLICY,
        "properties": {"Id": {"type": "string"}, "Document": {"type": "string"}, "Queues": {"type": "array", "items": {"type": "string"}}},
        "required": ["Queues"],
        "primaryIdentifier": ["/properties/Id"],
        "handlers": {"create": {}, "update": {}, "delete": {}},
    });
    let client = Client::start(&[schema], Options::default());
    let created = client.create(POLICY, &json!({"Id": "p", "Queues": ["a"], "Document": "old"}));
    assert_eq!(created["OperationStatus"], "SUCCESS");
    let identified = json!({"TypeName": POLICY, "Identifier": "p"});
    let refusal = format!("UnsupportedActionException: Resource type {POLICY} does not support READ action");
    assert_eq!(client.refused("GetResource", &identified), refusal);
    let patch = json!([{"op": "test", "path": "/Queues/0", "value": "a"}, {"op": "replace", "path": "/Document", "value": "new"}]);
    assert_eq!(client.finish(&client.update(POLICY, "p", &patch))["OperationStatus"], "SUCCESS");
    let model = client.send("GET", "/_emu/resources", "", "").json()[0]["model"].clone();
    assert_eq!(model, json!({"Id": "p", "Queues": ["a"], "Document": "new"}));
}
