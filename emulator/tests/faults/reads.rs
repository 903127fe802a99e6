//! Reads and events that do not show what there is.

use super::{THING, client, desired, get};
use emulator::WhichCalls;
use serde_json::json;
use std::time::Duration;

#[test]
fn new_resources_are_not_found_for_a_while() {
    let (client, clock) = client("id: late\nthen: { not-found-after-create: { for: 2s, reads: 3, list-for: 5s } }");
    assert_eq!(client.create(THING, &desired("n"))["OperationStatus"], "SUCCESS");
    let listed = || {
        client.call("ListResources", &json!({"TypeName": THING})).json()["ResourceDescriptions"]
            .as_array()
            .unwrap()
            .len()
    };
    let said = client.refused("GetResource", &get("n"));
    assert!(said.starts_with("ResourceNotFoundException: "), "{said}");
    clock.advance(Duration::from_secs(2));
    // The time is over, two of the reads are not.
    for expected in [400, 400, 200] {
        assert_eq!(client.call("GetResource", &get("n")).status, expected);
    }
    assert_eq!(listed(), 0);
    clock.advance(Duration::from_secs(3));
    assert_eq!(listed(), 1);
    let log =
        client.emulator.admin().log(&WhichCalls { operation: Some("GetResource".to_owned()), ..WhichCalls::default() });
    assert_eq!(log[0].entry["rules"], json!(["late"]));
    assert_eq!(log.last().unwrap().entry["rules"], json!([]));
}

#[test]
fn reads_are_stale_for_a_while_after_an_update() {
    let (client, clock) = client("then: { stale-read: { for: 2s } }");
    client.create(THING, &desired("n"));
    let patch = json!([{"op": "replace", "path": "/A", "value": "2"}]);
    assert_eq!(client.finish(&client.update(THING, "n", &patch))["OperationStatus"], "SUCCESS");
    assert_eq!(client.read(THING, "n")["A"], "1");
    clock.advance(Duration::from_secs(2));
    assert_eq!(client.read(THING, "n")["A"], "2");
}

#[test]
fn reads_come_in_other_forms() {
    let whole = json!({"Name": "n", "A": "one", "List": ["a", "b"]});
    for (rule, property, expected) in [
        ("when: { operation: read }\nthen: sparse", "A", json!(null)),
        ("then: reorder", "List", json!(["b", "a"])),
        ("then: { recase: { paths: [/properties/A, '/properties/List/*'], to: upper } }", "A", json!("ONE")),
        ("then: { recase: { paths: [/properties/A, '/properties/List/*'], to: upper } }", "List", json!(["A", "B"])),
        ("when: { type: 'AWS::*' }\nthen: sparse", "A", json!("one")),
    ] {
        let (client, _) = client(rule);
        client.create(THING, &whole);
        assert_eq!(client.read(THING, "n")[property], expected, "{rule}");
    }
}

#[test]
fn events_can_be_sparse() {
    let (client, _) = client("when: { operation: create }\nthen: sparse");
    let event = client.create(THING, &desired("n"));
    assert_eq!(event["ResourceModel"], "{\"Name\":\"n\"}");
    assert_eq!(client.read(THING, "n")["A"], "1");
}
