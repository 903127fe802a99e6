//! The life of a resource over the wire, on small schemas made for it.

#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

mod support;

use emulator::{Clock, Options, Profile};
use serde_json::{Value, json};
use std::time::{Duration, SystemTime};
use support::Client;

/// A type like a bucket: optional name, defaults, nested values of every class.
fn bucket() -> Value {
    json!({
        "typeName": "Test::Store::Bucket",
        "additionalProperties": false,
        "properties": {
            "BucketName": {"type": "string", "minLength": 3, "maxLength": 63, "pattern": "^[a-z0-9.-]+$"},
            "Arn": {"type": "string"},
            "Versioning": {"type": "object", "additionalProperties": false, "properties": {"Status": {"type": "string", "enum": ["Enabled", "Suspended"]}}},
            "Tier": {"type": "string", "default": "standard"},
            "Tags": {"type": "array", "items": {"type": "object", "required": ["Key", "Value"], "additionalProperties": false,
                "properties": {"Key": {"type": "string"}, "Value": {"type": "string"}}}},
            "Password": {"type": "string"},
            "Network": {"type": "object", "properties": {"Family": {"type": "string"}, "Open": {"type": "boolean"}, "VpcId": {"type": "string"}}},
        },
        "primaryIdentifier": ["/properties/BucketName"],
        "additionalIdentifiers": [["/properties/Arn"]],
        "readOnlyProperties": ["/properties/Arn", "/properties/Network/VpcId"],
        "createOnlyProperties": ["/properties/BucketName", "/properties/Network/Family"],
        "writeOnlyProperties": ["/properties/Password"],
        "handlers": {"create": {}, "read": {}, "update": {}, "delete": {}, "list": {}},
    })
}

/// A type with a composite identifier, a required write-only value, and no update.
fn route() -> Value {
    json!({
        "typeName": "Test::Store::Route",
        "additionalProperties": false,
        "properties": {"ApiId": {"type": "string"}, "RouteId": {"type": "string"}, "Key": {"type": "string"}},
        "required": ["ApiId", "Key"],
        "primaryIdentifier": ["/properties/ApiId", "/properties/RouteId"],
        "readOnlyProperties": ["/properties/RouteId"],
        "createOnlyProperties": ["/properties/ApiId"],
        "writeOnlyProperties": ["/properties/Key"],
        "handlers": {"create": {}, "read": {}, "delete": {},
            "list": {"handlerSchema": {"properties": {"ApiId": {"$ref": "resource-schema.json#/properties/ApiId"}}, "required": ["ApiId"]}}},
    })
}

fn client() -> Client {
    Client::start(&[bucket(), route()], Options::default())
}

const BUCKET: &str = "Test::Store::Bucket";
const ROUTE: &str = "Test::Store::Route";

#[test]
fn a_resource_is_created_read_updated_listed_and_deleted() {
    let client = client();
    let desired = json!({"BucketName": "first", "Password": "canary", "Network": {"Family": "4", "Open": true}});
    let event = client.create(BUCKET, &desired);
    assert_eq!((&event["OperationStatus"], &event["Identifier"]), (&json!("SUCCESS"), &json!("first")), "{event}");
    let arn = "arn:aws:store:eu-west-1:123456789012:bucket/first";
    let read = client.read(BUCKET, "first");
    let vpc = read["Network"]["VpcId"].as_str().unwrap().to_owned();
    assert_eq!(
        read,
        json!({"BucketName": "first", "Arn": arn, "Tier": "standard", "Network": {"Family": "4", "Open": true, "VpcId": vpc}})
    );
    assert_eq!(client.read(BUCKET, &json!({"Arn": arn}).to_string()), read);

    let patch = json!([{"op": "add", "path": "Versioning", "value": {"Status": "Enabled"}}, {"op": "replace", "path": "/Network/Open", "value": false}]);
    let event = client.finish(&client.update(BUCKET, "first", &patch));
    assert_eq!(event["OperationStatus"], "SUCCESS", "{event}");
    let read = client.read(BUCKET, "first");
    assert_eq!(
        (&read["Versioning"]["Status"], &read["Network"]["Open"], &read["Network"]["VpcId"]),
        (&json!("Enabled"), &json!(false), &json!(vpc))
    );
    let stored = client.send("GET", "/_emu/resources", "", "").json();
    assert_eq!(stored[0]["model"].get("Password"), None, "a write-only value that is not sent again is lost");

    let list = client.call("ListResources", &json!({"TypeName": BUCKET})).json();
    assert_eq!(list["ResourceDescriptions"][0]["Identifier"], "first");
    let event = client.delete(BUCKET, "first");
    assert_eq!((&event["OperationStatus"], event.get("ResourceModel")), (&json!("SUCCESS"), None));
    let gone = client.refused("GetResource", &json!({"TypeName": BUCKET, "Identifier": "first"}));
    assert!(gone.starts_with("ResourceNotFoundException: Test::Store::Bucket Handler returned status FAILED: Resource of type 'Test::Store::Bucket' with identifier 'first' was not found. (HandlerErrorCode: NotFound, RequestToken: "), "{gone}");
    let event = client.delete(BUCKET, "first");
    assert_eq!((&event["OperationStatus"], &event["ErrorCode"]), (&json!("FAILED"), &json!("NotFound")));
}

#[test]
fn equal_creates_get_other_names_and_equal_seeds_the_same() {
    let names = |seed| {
        let client = Client::start(&[bucket()], Options { seed, ..Options::default() });
        [0, 1].map(|_| client.create(BUCKET, &json!({}))["Identifier"].as_str().unwrap().to_owned())
    };
    let [first, second] = names(7);
    assert_ne!(first, second);
    assert!(first.starts_with("bucket-"), "{first}");
    assert_eq!(names(7), [first.clone(), second]);
    assert_ne!(names(8)[0], first);
}

#[test]
fn a_taken_identifier_fails_the_request_not_the_call() {
    let client = client();
    client.create(BUCKET, &json!({"BucketName": "first"}));
    let event = client.create(BUCKET, &json!({"BucketName": "first", "Tier": "cold"}));
    assert_eq!(
        (&event["OperationStatus"], &event["ErrorCode"], &event["Identifier"], &event["StatusMessage"]),
        (
            &json!("FAILED"),
            &json!("AlreadyExists"),
            &json!("first"),
            &json!("Resource of type 'Test::Store::Bucket' with identifier 'first' already exists.")
        )
    );
    let elsewhere = Client { region: "us-east-1", ..client };
    assert_eq!(
        elsewhere.create(BUCKET, &json!({"BucketName": "first"}))["OperationStatus"],
        "SUCCESS",
        "regions are apart"
    );
    let other = Client { account: "999999999999", ..elsewhere };
    let missing = other.refused("GetResource", &json!({"TypeName": BUCKET, "Identifier": "first"}));
    assert!(missing.starts_with("ResourceNotFoundException"), "accounts are apart: {missing}");
}

#[test]
fn composite_identifiers_join_their_parts() {
    let client = client();
    let event = client.create(ROUTE, &json!({"ApiId": "api", "Key": "GET /"}));
    let identifier = event["Identifier"].as_str().unwrap().to_owned();
    let (api, route) = identifier.split_once('|').unwrap();
    assert_eq!(api, "api");
    assert_eq!(
        client.read(ROUTE, &json!({"RouteId": route, "ApiId": "api"}).to_string()),
        json!({"ApiId": "api", "RouteId": route})
    );
    assert_eq!(
        client.refused("GetResource", &json!({"TypeName": ROUTE, "Identifier": "api"})),
        "ValidationException: Identifier api is not valid for identifier [/properties/ApiId, /properties/RouteId]"
    );
    assert_eq!(
        client.refused("ListResources", &json!({"TypeName": ROUTE})),
        "InvalidRequestException: Missing or invalid ResourceModel property in Test::Store::Route list handler request input.Required property: (#: required key [ApiId] not found)"
    );
    for (api, count) in [("api", 1), ("other", 0)] {
        let list = client
            .call("ListResources", &json!({"TypeName": ROUTE, "ResourceModel": json!({"ApiId": api}).to_string()}))
            .json();
        assert_eq!(list["ResourceDescriptions"].as_array().unwrap().len(), count);
    }
    let patch = json!({"TypeName": ROUTE, "Identifier": identifier, "PatchDocument": "[]"});
    assert_eq!(
        client.refused("UpdateResource", &patch),
        "UnsupportedActionException: Resource type Test::Store::Route does not support UPDATE action"
    );
}

#[test]
fn updates_are_refused_with_the_texts_of_the_service() {
    let client = client();
    client.create(BUCKET, &json!({"BucketName": "first", "Network": {"Family": "4"}}));
    for (patch, expected) in [
        (
            json!([{"op": "replace", "path": "/BucketName", "value": "other"}]),
            "NotUpdatableException: Invalid patch update: createOnlyProperties [/properties/BucketName] cannot be updated",
        ),
        (
            json!([{"op": "replace", "path": "/Network/Family", "value": "6"}]),
            "NotUpdatableException: Invalid patch update: createOnlyProperties [/properties/Network/Family] cannot be updated",
        ),
        (
            json!([{"op": "replace", "path": "/Network", "value": {"Family": "4"}}]),
            "ValidationException: Invalid patch update: readOnlyProperties [/properties/Network/VpcId] cannot be updated",
        ),
        (
            json!([{"op": "replace", "path": "/Arn", "value": "a"}]),
            "ValidationException: Invalid patch update: readOnlyProperties [/properties/Arn] cannot be updated",
        ),
        (
            json!([{"op": "add", "path": "/Nope", "value": 1}]),
            "ValidationException: Model validation failed (#: extraneous key [Nope] is not permitted)",
        ),
        (
            json!([{"op": "remove", "path": "/Nope"}]),
            "ValidationException: Invalid patch update: operation 0 (remove /Nope) cannot be applied",
        ),
    ] {
        let refusal = client.refused(
            "UpdateResource",
            &json!({"TypeName": BUCKET, "Identifier": "first", "PatchDocument": patch.to_string()}),
        );
        assert!(refusal.starts_with(expected), "{patch}: {refusal}");
    }
    let missing =
        client.refused("UpdateResource", &json!({"TypeName": BUCKET, "Identifier": "gone", "PatchDocument": "[]"}));
    assert!(missing.starts_with("ResourceNotFoundException"), "{missing}");
}

#[test]
fn operations_take_their_time_and_exclude_each_other() {
    let clock = Clock::by_hand(SystemTime::UNIX_EPOCH + Duration::from_secs(1_700_000_000));
    let options = Options { profile: Profile::realistic(), clock: clock.clone(), ..Options::default() };
    let client = Client::start(&[bucket()], options);
    let first = client
        .call("CreateResource", &json!({"TypeName": BUCKET, "DesiredState": "{\"BucketName\":\"first\"}"}))
        .json()["ProgressEvent"]
        .clone();
    assert_eq!((&first["OperationStatus"], &first["EventTime"]), (&json!("IN_PROGRESS"), &json!(1_700_000_000.0)));
    assert!(first["RetryAfter"].as_f64().unwrap() > 1_700_000_000.0);
    let look = || {
        client.call("GetResourceRequestStatus", &json!({"RequestToken": first["RequestToken"]})).json()["ProgressEvent"]
            .clone()
    };
    assert_eq!(look()["OperationStatus"], "IN_PROGRESS");
    let busy = client.refused("DeleteResource", &json!({"TypeName": BUCKET, "Identifier": "first"}));
    assert!(busy.starts_with("ConcurrentOperationException"), "{busy}");
    clock.advance(Duration::from_secs(10));
    assert_eq!(look()["OperationStatus"], "SUCCESS");
    assert_eq!(client.read(BUCKET, "first")["Tier"], "standard");
    clock.advance(Duration::from_secs(8 * 24 * 3600));
    let unknown = client.refused("GetResourceRequestStatus", &json!({"RequestToken": first["RequestToken"]}));
    assert!(unknown.starts_with("RequestTokenNotFoundException"), "{unknown}");
}

#[test]
fn client_tokens_stand_for_one_request() {
    let clock = Clock::by_hand(SystemTime::UNIX_EPOCH + Duration::from_secs(1_700_000_000));
    let client = Client::start(&[bucket()], Options { clock: clock.clone(), ..Options::default() });
    let body = |state: &str| json!({"TypeName": BUCKET, "DesiredState": state, "ClientToken": "token"});
    let token =
        |state: &str| client.call("CreateResource", &body(state)).json()["ProgressEvent"]["RequestToken"].clone();
    let first = token("{\"BucketName\":\"first\"}");
    assert_eq!(token("{ \"BucketName\" : \"first\" }"), first, "space in a document does not matter");
    let conflict = client.refused("CreateResource", &body("{\"BucketName\":\"other\"}"));
    assert!(conflict.starts_with("ClientTokenConflictException"), "{conflict}");
    clock.advance(Duration::from_secs(36 * 3600 - 60));
    assert_eq!(token("{\"BucketName\":\"first\"}"), first);
    clock.advance(Duration::from_secs(120));
    assert_ne!(token("{\"BucketName\":\"first\"}"), first, "after 36 hours the token is free");
}

#[test]
fn requests_are_listed_and_cancelled() {
    let client = client();
    let start = |name: &str| {
        client
            .call(
                "CreateResource",
                &json!({"TypeName": BUCKET, "DesiredState": json!({"BucketName": name}).to_string()}),
            )
            .json()["ProgressEvent"]["RequestToken"]
            .clone()
    };
    let (first, _second) = (start("first"), start("second"));
    let cancelled = client.call("CancelResourceRequest", &json!({"RequestToken": first})).json();
    assert_eq!(cancelled["ProgressEvent"]["OperationStatus"], "CANCEL_IN_PROGRESS");
    let look = || {
        client.call("GetResourceRequestStatus", &json!({"RequestToken": first})).json()["ProgressEvent"]["OperationStatus"].clone()
    };
    look();
    assert_eq!(look(), "CANCEL_COMPLETE");
    let again = client.refused("CancelResourceRequest", &json!({"RequestToken": first}));
    assert!(again.starts_with("ConcurrentModificationException"), "{again}");
    let filter = json!({"ResourceRequestStatusFilter": {"OperationStatuses": ["CANCEL_COMPLETE"]}});
    let list = client.call("ListResourceRequests", &filter).json();
    assert_eq!(list["ResourceRequestStatusSummaries"].as_array().unwrap().len(), 1);
}

#[test]
fn lists_come_in_pages() {
    let client = client();
    for name in ["one", "two", "three"] {
        client.create(BUCKET, &json!({"BucketName": name}));
    }
    let page = |token: &Value| {
        client.call("ListResources", &json!({"TypeName": BUCKET, "MaxResults": 2, "NextToken": token})).json()
    };
    let first = page(&Value::Null);
    client.delete(BUCKET, "one");
    client.create(BUCKET, &json!({"BucketName": "four"}));
    let second = page(&first["NextToken"]);
    let names = |page: &Value| {
        page["ResourceDescriptions"]
            .as_array()
            .unwrap()
            .iter()
            .map(|one| one["Identifier"].as_str().unwrap().to_owned())
            .collect::<Vec<_>>()
    };
    assert_eq!(
        (names(&first), names(&second)),
        (vec!["one".to_owned(), "two".to_owned()], vec!["three".to_owned(), "four".to_owned()])
    );
    assert_eq!(second.get("NextToken"), None);
    let foreign = client.refused("ListResources", &json!({"TypeName": BUCKET, "NextToken": "abc"}));
    assert!(foreign.starts_with("InvalidRequestException"), "{foreign}");
}

#[test]
fn empty_names_are_made_or_refused() {
    let mut bucket = bucket();
    // As the published schema has it: the empty text asks for a name.
    bucket["properties"]["BucketName"] = json!({"type": "string", "pattern": "^([a-z0-9.-]+)?$"});
    let client = Client::start(&[bucket, route()], Options::default());
    let first = client.create(BUCKET, &json!({"BucketName": ""}));
    assert_eq!(first["OperationStatus"], "SUCCESS", "{first}");
    let name = first["Identifier"].as_str().unwrap();
    assert!(!name.is_empty());
    assert_eq!(client.read(BUCKET, name)["BucketName"], name);
    let refusal = client.refused(
        "CreateResource",
        &json!({"TypeName": ROUTE, "DesiredState": json!({"ApiId": "", "Key": "k"}).to_string()}),
    );
    assert_eq!(refusal, "ValidationException: Model validation failed (#/ApiId: expected minLength: 1, actual: 0)");
}
