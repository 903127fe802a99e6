//! Switches for what the service leaves open: how conflicts are told, what is coerced, kept, or refused by the handler.

#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

mod support;

use emulator::{Coerce, Conditional, Detail, Nulls, OnReadOnly, Options, References, Switches, Told, Which};
use serde_json::{Value, json};
use support::Client;

const THING: &str = "Test::Switch::Thing";
const USER: &str = "Test::Switch::User";

fn client(switches: Switches) -> Client {
    let tag = json!({"type": "object", "properties": {"Key": {"type": "string"}, "Value": {"type": "string"}}});
    let thing = json!({
        "typeName": THING,
        "additionalProperties": false,
        "properties": {
            "Name": {"type": "string"}, "Arn": {"type": "string"}, "Count": {"type": "integer"}, "Engine": {"type": "string"},
            "Secret": {"type": "string"}, "Tags": {"type": "array", "items": tag},
            "DeletionProtection": {"type": ["boolean", "string"]},
            "LoadBalancerAttributes": {"type": "array", "items": tag},
        },
        "primaryIdentifier": ["/properties/Name"],
        "readOnlyProperties": ["/properties/Arn"],
        "writeOnlyProperties": ["/properties/Secret"],
        "conditionalCreateOnlyProperties": ["/properties/Engine"],
        "tagging": {"taggable": true, "tagProperty": "/properties/Tags", "cloudFormationSystemTags": true},
        "handlers": {"create": {}, "read": {}, "update": {}, "delete": {}, "list": {}},
    });
    let user = json!({
        "typeName": USER,
        "properties": {"Name": {"type": "string"}, "Uses": {"type": "string"}},
        "primaryIdentifier": ["/properties/Name"],
        "handlers": {"create": {}, "read": {}, "update": {}, "delete": {}, "list": {}},
    });
    Client::start(&[thing, user], Options { switches, ..Options::default() })
}

fn failed(event: &Value) -> (String, String) {
    assert_eq!(event["OperationStatus"], "FAILED", "{event}");
    (event["ErrorCode"].as_str().unwrap().to_owned(), event["StatusMessage"].as_str().unwrap().to_owned())
}

/// A refusal without its random token.
fn wrapped(refusal: &str) -> &str {
    refusal.split_once(", RequestToken: ").unwrap().0
}

#[test]
fn conflicts_are_told_by_the_call_or_by_the_event() {
    let client = client(Switches { already_exists: Told::Sync, delete_missing: Told::Sync, ..Switches::default() });
    client.create(THING, &json!({"Name": "a"}));
    let body = json!({"TypeName": THING, "DesiredState": "{\"Name\":\"a\"}"});
    assert_eq!(
        wrapped(&client.refused("CreateResource", &body)),
        "AlreadyExistsException: Test::Switch::Thing Handler returned status FAILED: Resource of type 'Test::Switch::Thing' \
         with identifier 'a' already exists. (HandlerErrorCode: AlreadyExists"
    );
    assert_eq!(
        wrapped(&client.refused("DeleteResource", &json!({"TypeName": THING, "Identifier": "gone"}))),
        "ResourceNotFoundException: Test::Switch::Thing Handler returned status FAILED: Resource of type \
         'Test::Switch::Thing' with identifier 'gone' was not found. (HandlerErrorCode: NotFound"
    );
    assert_eq!(client.delete(THING, "a")["OperationStatus"], "SUCCESS");
}

#[test]
fn scalars_are_coerced_on_demand() {
    let body = json!({"TypeName": THING, "DesiredState": "{\"Name\":\"a\",\"Count\":\"5\"}"});
    let strict = client(Switches::default());
    assert_eq!(
        strict.refused("CreateResource", &body),
        "ValidationException: Model validation failed (#/Count: expected type: Integer, found: String)"
    );
    let lax = client(Switches { coerce: Coerce::Cfn, ..Switches::default() });
    lax.finish(&lax.call("CreateResource", &body));
    assert_eq!(lax.read(THING, "a")["Count"], 5);
    lax.finish(&lax.update(THING, "a", &json!([{"op": "replace", "path": "/Count", "value": "6"}])));
    assert_eq!(lax.read(THING, "a")["Count"], 6);
}

#[test]
fn read_only_values_are_refused_or_dropped() {
    let desired = json!({"Name": "a", "Arn": "mine"});
    let body = json!({"TypeName": THING, "DesiredState": desired.to_string()});
    assert_eq!(
        client(Switches::default()).refused("CreateResource", &body),
        "ValidationException: Invalid desired state: readOnlyProperties [/properties/Arn] cannot be specified"
    );
    let lax = client(Switches { readonly_on_create: OnReadOnly::Ignore, ..Switches::default() });
    assert_eq!(lax.create(THING, &desired)["OperationStatus"], "SUCCESS");
    assert_ne!(lax.read(THING, "a")["Arn"], "mine", "the service makes it");
}

#[test]
fn lists_and_events_show_as_much_as_asked() {
    let sparse = json!({"Name": "a"});
    for (detail, is_full) in [(Detail::Full, Some(true)), (Detail::Identifier, Some(false)), (Detail::Mixed, None)] {
        let client = client(Switches { list_model: detail, event_model: detail, ..Switches::default() });
        let event = client.create(THING, &json!({"Name": "a", "Count": 5}));
        let shown: Value = serde_json::from_str(event["ResourceModel"].as_str().unwrap()).unwrap();
        let listed = client.call("ListResources", &json!({"TypeName": THING})).json();
        let listed = &listed["ResourceDescriptions"][0]["Properties"];
        let listed: Value = serde_json::from_str(listed.as_str().unwrap()).unwrap();
        let full = client.read(THING, "a");
        assert_eq!(full["Count"], 5);
        for part in [&shown, &listed] {
            match is_full {
                Some(true) => assert_eq!(*part, full),
                Some(false) => assert_eq!(*part, sparse),
                // By type one or the other, and never anything between.
                None => assert!(*part == full || *part == sparse, "{part}"),
            }
        }
    }
}

#[test]
fn nulls_are_refused_dropped_or_fatal() {
    let desired = json!({"Name": "a", "Count": null});
    let body = json!({"TypeName": THING, "DesiredState": desired.to_string()});
    assert_eq!(
        client(Switches::default()).refused("CreateResource", &body),
        "ValidationException: Model validation failed (#/Count: expected type: Integer, found: Null)"
    );
    let strip = client(Switches { nulls: Nulls::Strip, ..Switches::default() });
    assert_eq!(strip.create(THING, &desired)["OperationStatus"], "SUCCESS");
    let crash = client(Switches { nulls: Nulls::Crash, ..Switches::default() });
    assert_eq!(
        failed(&crash.create(THING, &desired)),
        ("InternalFailure".to_owned(), "Internal error occurred.".to_owned())
    );
    assert_eq!(crash.create(THING, &json!({"Name": "a"}))["OperationStatus"], "SUCCESS");
}

#[test]
fn write_only_values_that_are_not_sent_again_are_lost_or_kept() {
    for (writeonly_merge, expected) in [(false, None), (true, Some(json!("s")))] {
        let client = client(Switches { writeonly_merge, ..Switches::default() });
        client.create(THING, &json!({"Name": "a", "Secret": "s"}));
        client.finish(&client.update(THING, "a", &json!([{"op": "add", "path": "/Count", "value": 1}])));
        let stored = client.emulator.admin().resources(&Which::one(THING, "a"));
        assert_eq!(stored[0].model.get("Secret").cloned(), expected);
    }
}

#[test]
fn conditionally_create_only_changes_fail_on_demand() {
    let patch = json!([{"op": "replace", "path": "/Engine", "value": "2"}]);
    for (conditional, expected) in
        [(Conditional::Accept, "SUCCESS"), (Conditional::Rule, "SUCCESS"), (Conditional::Reject, "FAILED")]
    {
        let client = client(Switches { conditional, ..Switches::default() });
        client.create(THING, &json!({"Name": "a", "Engine": "1"}));
        let event = client.finish(&client.update(THING, "a", &patch));
        assert_eq!(event["OperationStatus"], expected, "{event}");
        if expected == "FAILED" {
            let text =
                "Resource of type 'Test::Switch::Thing' with identifier 'a' is not updatable with parameters provided.";
            assert_eq!(failed(&event), ("NotUpdatable".to_owned(), text.to_owned()));
            assert_eq!(client.read(THING, "a")["Engine"], "1");
        }
    }
}

#[test]
fn what_another_resource_names_cannot_be_deleted_on_demand() {
    for (refs, by_arn, expected) in [
        (References::Off, false, "SUCCESS"),
        (References::Warn, false, "SUCCESS"),
        (References::Enforce, false, "FAILED"),
        (References::Enforce, true, "FAILED"),
    ] {
        let client = client(Switches { refs, ..Switches::default() });
        client.create(THING, &json!({"Name": "used"}));
        let name = if by_arn { client.read(THING, "used")["Arn"].clone() } else { json!("used") };
        client.create(USER, &json!({"Name": "user", "Uses": name}));
        let event = client.delete(THING, "used");
        assert_eq!(event["OperationStatus"], expected, "{refs:?} {event}");
        if expected == "FAILED" {
            let text = "Resource of type 'Test::Switch::Thing' with identifier 'used' has a conflict. Reason: it is used by the \
                        resource of type 'Test::Switch::User' with identifier 'user'.";
            assert_eq!(failed(&event), ("ResourceConflict".to_owned(), text.to_owned()));
            client.delete(USER, "user");
            assert_eq!(client.delete(THING, "used")["OperationStatus"], "SUCCESS");
        }
    }
}

#[test]
fn tags_of_the_service_cannot_be_set_and_are_added_on_demand() {
    let client = client(Switches { system_tags: true, ..Switches::default() });
    let refusal = "Invalid request provided: aws: prefixed tag key names are not allowed for external use.";
    let reserved = json!([{"Key": "aws:x", "Value": "y"}]);
    let refused = ("InvalidRequest".to_owned(), refusal.to_owned());
    assert_eq!(failed(&client.create(THING, &json!({"Name": "a", "Tags": reserved}))), refused);
    let event = client.create(THING, &json!({"Name": "a", "Tags": [{"Key": "k", "Value": "v"}]}));
    let own = json!({"Key": "aws:cloudcontrol:request", "Value": event["RequestToken"]});
    assert_eq!(client.read(THING, "a")["Tags"], json!([{"Key": "k", "Value": "v"}, own]));
    let set = |tags: Value| {
        client.finish(&client.update(THING, "a", &json!([{"op": "add", "path": "/Tags", "value": tags}])))
    };
    assert_eq!(failed(&set(reserved)), refused);
    assert_eq!(set(json!([{"Key": "k", "Value": "w"}, own]))["OperationStatus"], "SUCCESS", "sent back as it was read");
    assert_eq!(set(json!([]))["OperationStatus"], "SUCCESS");
    assert_eq!(client.read(THING, "a")["Tags"], json!([own]), "nobody can take it away");
}

#[test]
fn protected_resources_cannot_be_deleted() {
    let client = client(Switches::default());
    for (property, on, off) in [
        ("DeletionProtection", json!(true), json!(false)),
        ("DeletionProtection", json!("ACTIVE"), json!("INACTIVE")),
        ("DeletionProtection", json!("prevent-all-deletion"), json!("none")),
        (
            "LoadBalancerAttributes",
            json!([{"Key": "x", "Value": "y"}, {"Key": "deletion_protection.enabled", "Value": "true"}]),
            json!([{"Key": "deletion_protection.enabled", "Value": "false"}]),
        ),
    ] {
        client.create(THING, &json!({"Name": "a", property: on}));
        let (code, message) = failed(&client.delete(THING, "a"));
        assert!(
            code == "InvalidRequest" && message.starts_with("Invalid request provided: a cannot be deleted while"),
            "{message}"
        );
        client.finish(&client.update(
            THING,
            "a",
            &json!([{"op": "add", "path": format!("/{property}"), "value": off}]),
        ));
        assert_eq!(client.delete(THING, "a")["OperationStatus"], "SUCCESS", "{property} {off}");
    }
}
