//! What a client meets on the wire: headers, bad requests, STS, and the pages for tests.

#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

mod support;

use emulator::Options;
use serde_json::{Value, json};
use support::Client;

const THING: &str = "Test::Wire::Thing";

fn client() -> Client {
    let schema = json!({
        "typeName": THING,
        "additionalProperties": false,
        "properties": {
            "Name": {"type": "string", "minLength": 2},
            "Count": {"type": "integer", "maximum": 9},
            "List": {"type": "array", "items": {"type": "string"}, "uniqueItems": true, "minItems": 2},
            "Either": {"type": ["object", "string"]},
            "Choice": {"oneOf": [{"type": "object", "required": ["A"]}, {"type": "object", "required": ["B"]}]},
            "Secret": {"type": "string", "pattern": "^x"},
            "Self": {"$ref": "#/definitions/Node"},
        },
        "definitions": {"Node": {"type": "object", "additionalProperties": false, "properties": {"Next": {"$ref": "#/definitions/Node"}}}},
        "required": ["Name"],
        "primaryIdentifier": ["/properties/Name"],
        "createOnlyProperties": ["/properties/Name"],
        "writeOnlyProperties": ["/properties/Secret"],
        "handlers": {"create": {}, "read": {}, "update": {}, "delete": {}},
    });
    let bare = json!({"typeName": "Test::Wire::Bare", "primaryIdentifier": ["/properties/Name"], "properties": {"Name": {"type": "string"}}});
    Client::start(&[schema, bare], Options { secrets_shown: true, ..Options::default() })
}

#[test]
fn models_are_refused_with_the_texts_of_the_service() {
    let client = client();
    for (desired, expected) in [
        (json!({}), "#: required key [Name] not found"),
        (json!({"Name": "nn", "Other": 1}), "#: extraneous key [Other] is not permitted"),
        (json!({"Name": 5}), "#/Name: expected type: String, found: Integer"),
        (json!({"Name": null}), "#/Name: expected type: String, found: Null"),
        (json!({"Name": 5_000_000_000u64}), "#/Name: expected type: String, found: Long"),
        (json!({"Name": "n"}), "#/Name: expected minLength: 2, actual: 1"),
        (json!({"Name": "nn", "Count": 5.0}), "#/Count: expected type: Integer, found: Double"),
        (json!({"Name": "nn", "Count": 10}), "#/Count: failed validation constraint for keyword [maximum]"),
        (json!({"Name": "nn", "List": ["a"]}), "#/List: expected minimum item count: 2, found: 1"),
        (json!({"Name": "nn", "List": ["a", "a"]}), "#/List: array items are not unique"),
        (json!({"Name": "nn", "List": ["a", 1]}), "#/List/1: expected type: String, found: Integer"),
        (json!({"Name": "nn", "Secret": "canary"}), "#/Secret: failed validation constraint for keyword [pattern]"),
        (
            json!({"Name": "nn", "Either": 1}),
            "#/Either: no subschema matched out of the total 2 subschemas\n#/Either: expected type: JSONObject, found: Integer\n#/Either: expected type: String, found: Integer",
        ),
        (json!({"Name": "nn", "Choice": {"A": 1, "B": 1}}), "#/Choice: 2 subschemas matched instead of one"),
        (
            json!({"Name": "nn", "Self": {"Next": {"Next": {"Nope": 1}}}}),
            "#/Self/Next/Next: extraneous key [Nope] is not permitted",
        ),
        (
            json!({"Count": "x", "Zzz": 1}),
            "#: required key [Name] not found\n#: extraneous key [Zzz] is not permitted\n#/Count: expected type: Integer, found: String",
        ),
        (json!([]), "#: expected type: JSONObject, found: JSONArray"),
    ] {
        let refusal =
            client.refused("CreateResource", &json!({"TypeName": THING, "DesiredState": desired.to_string()}));
        assert_eq!(refusal, format!("ValidationException: Model validation failed ({expected})"), "{desired}");
    }
}

#[test]
fn combinations_at_the_root_hold_beside_its_properties() {
    let schema = |name: &str, combination: Value| {
        let mut schema = json!({
            "typeName": name,
            "additionalProperties": false,
            "properties": {"Name": {"type": "string"}, "A": {"type": "string"}, "B": {"type": "integer"}},
            "primaryIdentifier": ["/properties/Name"],
            "handlers": {"create": {}, "read": {}, "update": {}, "delete": {}},
        });
        schema.as_object_mut().unwrap().extend(combination.as_object().unwrap().clone());
        schema
    };
    let either = json!([{"required": ["A"]}, {"required": ["B"]}]);
    let client = Client::start(
        &[
            schema("Test::Wire::One", json!({"oneOf": either})),
            schema("Test::Wire::Any", json!({"anyOf": either})),
            schema("Test::Wire::All", json!({"allOf": either})),
        ],
        Options::default(),
    );
    let missing = "#: required key [A] not found\n#: required key [B] not found";
    for (type_name, desired, expected) in [
        ("Test::Wire::One", json!({"Name": "n", "A": "x"}), ""),
        ("Test::Wire::One", json!({"Name": "n", "A": "x", "B": 1}), "#: 2 subschemas matched instead of one"),
        ("Test::Wire::One", json!({"Name": "n"}), &format!("#: 0 subschemas matched instead of one\n{missing}")),
        ("Test::Wire::Any", json!({"Name": "n", "A": "x", "B": 1}), ""),
        (
            "Test::Wire::Any",
            json!({"Name": "n"}),
            &format!("#: no subschema matched out of the total 2 subschemas\n{missing}"),
        ),
        ("Test::Wire::All", json!({"Name": "n", "A": "x", "B": 1}), ""),
        (
            "Test::Wire::All",
            json!({"Name": "n", "A": "x"}),
            "#: only 1 subschema matches out of 2\n#: required key [B] not found",
        ),
        // The branches say nothing about other properties, and these are held to what the root says.
        ("Test::Wire::Any", json!({"Name": "n", "A": 1}), "#/A: expected type: String, found: Integer"),
        ("Test::Wire::Any", json!({"Name": "n", "A": "x", "C": 1}), "#: extraneous key [C] is not permitted"),
    ] {
        let body = json!({"TypeName": type_name, "DesiredState": desired.to_string()});
        if expected.is_empty() {
            assert_eq!(client.call("CreateResource", &body).status, 200, "{type_name} {desired}");
        } else {
            let refusal = format!("ValidationException: Model validation failed ({expected})");
            assert_eq!(client.refused("CreateResource", &body), refusal, "{type_name} {desired}");
        }
    }
}

#[test]
fn bad_requests_get_clear_answers_and_the_process_lives() {
    let client = client();
    let state = |text: String| json!({"TypeName": THING, "DesiredState": text});
    for (operation, body, expected) in [
        (
            "CreateResource",
            state("[".repeat(100_000)),
            "ValidationException: DesiredState is nested deeper than 128 levels",
        ),
        ("CreateResource", state("{".to_owned()), "ValidationException: DesiredState is not valid JSON"),
        (
            "CreateResource",
            state("x".repeat(262_145)),
            "ValidationException: 1 validation error detected: Value at 'desiredState'",
        ),
        (
            "CreateResource",
            json!({"TypeName": "Test::Wire::None", "DesiredState": "{}"}),
            "TypeNotFoundException: The type 'Test::Wire::None' cannot be found.",
        ),
        (
            "CreateResource",
            json!({"TypeName": "Test::Wire::Bare", "DesiredState": "{}"}),
            "UnsupportedActionException: Resource type Test::Wire::Bare does not support CREATE action",
        ),
        (
            "ListResources",
            json!({"TypeName": THING}),
            "UnsupportedActionException: Resource type Test::Wire::Thing does not support LIST action",
        ),
        ("NoSuchOperation", json!({}), "UnknownOperationException"),
    ] {
        let refusal = client.refused(operation, &body);
        assert!(refusal.starts_with(expected), "{operation}: {refusal}");
    }
    let target = "content-type: application/x-amz-json-1.0\r\nx-amz-target: CloudApiService.GetResource\r\n";
    for body in ["", "{", "[]", "\u{0}", &format!("{{\"TypeName\":{}1{}}}", "[".repeat(50_000), "]".repeat(50_000))] {
        let answer = client.send("POST", "/", target, body);
        assert_eq!(
            (answer.status, answer.json()["__type"].as_str().unwrap()),
            (400, "com.amazonaws.cloudcontrol#SerializationException")
        );
        assert!(
            answer.head.to_ascii_lowercase().contains("x-amzn-errortype: serializationexception"),
            "{}",
            answer.head
        );
        assert!(answer.head.to_ascii_lowercase().contains("x-amzn-requestid: "), "{}", answer.head);
    }
    let other = client.send("POST", "/", "x-amz-target: AmazonSSO.GetToken\r\n", "{}");
    assert!(other.status == 501 && other.text.contains("GetToken of AmazonSSO"), "{}", other.text);
    assert_eq!(client.send("GET", "/_emu/health", "", "").json(), json!({"status": "ok"}));
}

#[test]
fn bodies_over_the_limit_are_answered() {
    let client = client();
    let target = "content-type: application/x-amz-json-1.0\r\nx-amz-target: CloudApiService.CreateResource\r\n";
    for megabytes in [3, 20] {
        let answer = client.send("POST", "/", target, &"x".repeat(megabytes << 20));
        assert_eq!(answer.status, 413, "{}", answer.text);
        assert_eq!(
            answer.json(),
            json!({
                "__type": "com.amazonaws.cloudcontrol#RequestEntityTooLargeException",
                "Message": "the request body is larger than 2097152 bytes",
            })
        );
    }
    assert_eq!(client.send("GET", "/_emu/health", "", "").json(), json!({"status": "ok"}));
}

#[test]
fn callers_learn_who_they_are() {
    let client = client();
    let form = "content-type: application/x-www-form-urlencoded\r\nx-emu-account: 111122223333\r\nx-emu-region: cn-north-1\r\n";
    let answer = client.send("POST", "/", form, "Action=GetCallerIdentity&Version=2011-06-15");
    assert_eq!(answer.status, 200);
    assert!(answer.text.contains("<Arn>arn:aws-cn:iam::111122223333:user/emulator</Arn>"), "{}", answer.text);
    assert!(answer.text.contains("<Account>111122223333</Account>"), "{}", answer.text);
    let other = client.send("POST", "/", form, "Action=AssumeRole<x>");
    assert!(other.status == 501 && other.text.contains("AssumeRole&lt;x&gt;"), "{}", other.text);
}

#[test]
fn the_log_shows_what_was_sent() {
    let client = client();
    client.create(THING, &json!({"Name": "nn", "Secret": "x-canary"}));
    client.update(THING, "nn", &json!([{"op": "add", "path": "/Count", "value": 1}]));
    client.refused("GetResource", &json!({"TypeName": THING, "Identifier": "gone"}));
    let calls = client.send("GET", "/_emu/log", "", "").json();
    let mutations: Vec<&Value> =
        calls.as_array().unwrap().iter().filter(|call| call["operation"] != "GetResourceRequestStatus").collect();
    assert_eq!(mutations.len(), 3);
    assert_eq!(
        (&mutations[0]["operation"], &mutations[0]["desiredState"]),
        (&json!("CreateResource"), &json!({"Name": "nn", "Secret": "x-canary"}))
    );
    assert_eq!(
        (&mutations[1]["identifier"], &mutations[1]["patchDocument"][0]["path"]),
        (&json!("nn"), &json!("/Count"))
    );
    assert_eq!(
        (&mutations[2]["outcome"], &mutations[2]["result"]["error"]),
        (&json!("error"), &json!("ResourceNotFoundException"))
    );
    client.send("DELETE", "/_emu/log", "", "");
    assert_eq!(client.send("GET", "/_emu/log", "", "").json(), json!([]));
}

#[test]
fn resources_drift_and_vanish_on_demand() {
    let client = client();
    client.create(THING, &json!({"Name": "nn", "Count": 1, "Secret": "x"}));
    let drift = json!({"type": THING, "identifier": "nn", "patch": [{"op": "replace", "path": "/Count", "value": 7}]});
    assert_eq!(client.send("POST", "/_emu/drift", "", &drift.to_string()).json()["model"]["Count"], 7);
    assert_eq!(client.read(THING, "nn"), json!({"Name": "nn", "Count": 7}));
    let missing =
        client.send("POST", "/_emu/drift", "", &json!({"type": THING, "identifier": "gone", "patch": []}).to_string());
    assert_eq!(missing.status, 404);
    let removed = client.send("DELETE", "/_emu/resources?type=Test%3A%3AWire%3A%3AThing&identifier=nn", "", "");
    assert_eq!((removed.status, &removed.json()["model"]["Secret"]), (200, &json!("x")));
    assert!(
        client
            .refused("GetResource", &json!({"TypeName": THING, "Identifier": "nn"}))
            .starts_with("ResourceNotFoundException")
    );
}
