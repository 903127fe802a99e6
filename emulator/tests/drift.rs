//! Changes behind the owners' backs: resources that appear, change and go, by hand and at random.

#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

mod support;

use emulator::{Options, Place, Rule, Which, WhichRequests};
use serde_json::{Value, json};
use support::Client;

const THING: &str = "Test::Drift::Thing";

fn client(options: Options) -> Client {
    let text = json!({"type": "string"});
    let schema = json!({
        "typeName": THING,
        "additionalProperties": false,
        "required": ["Kind"],
        "properties": {
            "Name": text, "Arn": text, "Zone": text, "Secret": text,
            "Kind": {"type": "string", "enum": ["one", "two", "three"]},
            "Count": {"type": "integer", "minimum": 1, "maximum": 2},
            "On": {"type": "boolean"},
            "Tags": {"type": "array", "items": {"type": "object", "required": ["Key", "Value"], "additionalProperties": false,
                "properties": {"Key": text, "Value": text}}},
        },
        "primaryIdentifier": ["/properties/Name"],
        "readOnlyProperties": ["/properties/Arn"],
        "createOnlyProperties": ["/properties/Name", "/properties/Zone"],
        "writeOnlyProperties": ["/properties/Secret"],
        "handlers": {"create": {}, "read": {}, "update": {}, "delete": {}, "list": {}},
    });
    Client::start(&[schema], options)
}

fn full() -> Value {
    json!({"Name": "a/b c", "Zone": "z", "Secret": "canary", "Kind": "one", "Count": 1, "On": true, "Tags": [{"Key": "k", "Value": "v"}]})
}

const PATH: &str = "/_emu/resources/123456789012/eu-west-1/Test%3A%3ADrift%3A%3AThing";

#[test]
fn resources_appear_change_and_go_by_their_path() {
    let client = client(Options::default());
    let made = client.send("POST", PATH, "", &full().to_string());
    assert_eq!(made.status, 201, "{}", made.text);
    assert_eq!(made.json()["model"]["Secret"], "***");
    assert!(made.json()["model"]["Arn"].is_string(), "the service's own values are there");
    assert_eq!(client.read(THING, "a/b c")["Kind"], "one");
    let one = format!("{PATH}/a%2Fb%20c");
    assert_eq!(client.send("GET", &one, "", "").json()["identifier"], "a/b c");
    let patch = |path: &str, value: Value| json!([{"op": "add", "path": path, "value": value}]).to_string();
    for (method, path, body, status, text) in [
        // What no client could change: a create-only value, a value that the schema refuses.
        ("PATCH", one.clone(), patch("/Zone", json!("y")), 200, "\"Zone\":\"y\""),
        ("PATCH", one.clone(), patch("/Count", json!(7)), 200, "\"Count\":7"),
        ("PATCH", format!("{one}?check=on"), patch("/Count", json!(8)), 400, "Model validation failed"),
        ("PATCH", format!("{one}?check=on"), patch("/Count", json!(2)), 200, "\"Count\":2"),
        ("PATCH", one.clone(), patch("/Name", json!("other")), 400, "changes the identifier"),
        ("PATCH", one.clone(), "{".to_owned(), 400, "a JSON body is wanted"),
        ("POST", PATH.to_owned(), full().to_string(), 409, "a/b c exists already"),
        ("POST", PATH.to_owned(), "{\"Kind\": \"four\"}".to_owned(), 400, "Model validation failed"),
        ("POST", PATH.replace("Thing", "None"), String::new(), 404, "there is no type Test::Drift::None"),
        ("GET", format!("{PATH}/none"), String::new(), 404, "with identifier none"),
        ("PUT", one.clone(), String::new(), 404, "PUT /_emu/resources/"),
        ("DELETE", one.clone(), String::new(), 200, "a/b c"),
        ("DELETE", one, String::new(), 404, "with identifier a/b c"),
    ] {
        let answer = client.send(method, &path, "", &body);
        assert_eq!(answer.status, status, "{method} {path} {body}: {}", answer.text);
        assert!(answer.text.contains(text), "{method} {path}: {}", answer.text);
    }
    assert!(client.emulator.admin().requests(&WhichRequests::default()).is_empty(), "none of it was a request");
}

#[test]
fn resources_are_generated_where_no_model_is_given() {
    let client = client(Options::default());
    let place = json!({"account": "123456789012", "region": "eu-west-1", "type": THING});
    for _ in 0..2 {
        let made = client.send("POST", "/_emu/resources", "", &place.to_string());
        assert_eq!(made.status, 201, "{}", made.text);
    }
    let admin = client.emulator.admin();
    let place = Place { account: "1".repeat(12), region: "eu-west-1".to_owned(), type_name: THING.to_owned() };
    admin.create(&place, None).unwrap();
    let all = admin.resources(&Which::default());
    let mut identifiers: Vec<&str> = all.iter().map(|resource| resource.identifier.as_str()).collect();
    identifiers.dedup();
    assert_eq!(identifiers.len(), 3, "each has a name of its own");
    let listed = client.call("ListResources", &json!({"TypeName": THING})).json();
    assert_eq!(listed["ResourceDescriptions"].as_array().unwrap().len(), 2);
}

#[test]
fn nothing_appears_where_no_call_could_name_it() {
    let client = client(Options::default());
    let at = |account: &str, region: &str| PATH.replace("123456789012", account).replace("eu-west-1", region);
    for (path, text) in [
        (at("12%00", "eu-west-1"), "is no account: twelve digits are wanted"),
        (at("x", "eu-west-1"), "is no account"),
        (at("123456789012", "EU%20WEST"), "is no region"),
        (at("123456789012", "eu%00"), "is no region"),
        (at("123456789012", "-"), "Test::Drift::Thing exists in a region; name one"),
    ] {
        let answer = client.send("POST", &path, "", &full().to_string());
        assert_eq!(answer.status, 400, "{path}: {}", answer.text);
        assert!(answer.text.contains(text), "{path}: {}", answer.text);
    }
    let place = json!({"account": "x\u{0}y", "region": "eu-west-1", "type": THING, "model": full()});
    assert_eq!(client.send("POST", "/_emu/resources", "", &place.to_string()).status, 400);
    assert!(client.emulator.admin().resources(&Which::default()).is_empty());
}

#[test]
fn drift_does_not_conflict_with_a_request_and_is_seen_by_the_next_read() {
    let rules = Rule::read("then: { stale-read: { for: 1h } }").unwrap();
    let client = client(Options { rules, ..Options::default() });
    client.create(THING, &full());
    let patch = json!([{"op": "replace", "path": "/Kind", "value": "two"}]);
    let running = client.update(THING, "a/b c", &patch);
    let drifted =
        json!({"type": THING, "identifier": "a/b c", "patch": [{"op": "replace", "path": "/Count", "value": 2}]});
    assert_eq!(client.send("POST", "/_emu/drift", "", &drifted.to_string()).status, 200);
    assert_eq!(client.read(THING, "a/b c")["Count"], 2);
    // The handler writes the model that it was given, over the drift.
    client.finish(&running);
    assert_eq!(client.read(THING, "a/b c")["Kind"], "one", "reads are stale by rule");
    assert_eq!(client.send("POST", "/_emu/drift", "", &drifted.to_string()).status, 200);
    let read = client.read(THING, "a/b c");
    assert_eq!((&read["Kind"], &read["Count"]), (&json!("two"), &json!(2)), "drift is seen whatever rules there are");
    assert_eq!(client.send("DELETE", &format!("{PATH}/a%2Fb%20c"), "", "").status, 200);
    assert_eq!(client.call("GetResource", &json!({"TypeName": THING, "Identifier": "a/b c"})).status, 400);
}

#[test]
fn random_drift_changes_what_an_owner_could_and_says_what() {
    let mut operations = Vec::new();
    for seed in 1..=20_u64 {
        let client = client(Options::default());
        client.create(THING, &full());
        let before = client.read(THING, "a/b c");
        let body = json!({"type": THING, "count": 3, "seed": seed}).to_string();
        let told = client.send("POST", "/_emu/drift/random", "", &body).json();
        assert_eq!(told.as_array().unwrap().len(), 3, "{told}");
        let after = client.read(THING, "a/b c");
        // What is told is exactly what a client sees.
        let mut expected = before.clone();
        for change in told.as_array().unwrap() {
            let path = change["path"].as_str().unwrap();
            assert!(!["/Name", "/Zone", "/Arn", "/Secret"].contains(&path), "{change}");
            assert_eq!(before.pointer(path).unwrap_or(&Value::Null), &change["before"], "{change}");
            assert_eq!(after.pointer(path).unwrap_or(&Value::Null), &change["after"], "{change}");
            match (expected.pointer_mut(path), change["op"].as_str().unwrap()) {
                (Some(place), "replace") => *place = change["after"].clone(),
                (Some(_), "remove") => drop(expected.as_object_mut().unwrap().remove(&path[1..])),
                (None, "add") => {
                    drop(expected.as_object_mut().unwrap().insert(path[1..].to_owned(), change["after"].clone()))
                }
                other => unreachable!("{other:?}"),
            }
            operations.push(change["op"].as_str().unwrap().to_owned());
        }
        assert_eq!(after, expected);
        assert_ne!(after, before);
    }
    assert!(operations.contains(&"replace".to_owned()) && operations.contains(&"remove".to_owned()));
    let client = client(Options::default());
    client.create(THING, &json!({"Name": "n", "Kind": "one"}));
    let all = client.emulator.admin().drift(&Which::default(), 100, 1);
    assert!(all.iter().any(|change| change.op == "add"), "{all:?}");
    assert!(all.len() < 100, "there is no more to change");
    assert_eq!(client.send("POST", "/_emu/drift/random", "", "{\"count\": -1}").status, 400);
}

#[test]
fn global_types_are_meant_by_any_region_and_by_none() {
    const ROLE: &str = "AWS::IAM::Role";
    let schema = |type_name: &str| {
        json!({
            "typeName": type_name,
            "properties": {"RoleName": {"type": "string"}, "Path": {"type": "string"}},
            "primaryIdentifier": ["/properties/RoleName"],
            "handlers": {"create": {}, "read": {}, "update": {}, "delete": {}},
        })
    };
    let client = Client::start(&[schema(ROLE), schema(THING)], Options::default());
    let path = |region: &str, rest: &str| format!("/_emu/resources/123456789012/{region}/AWS%3A%3AIAM%3A%3ARole{rest}");
    for region in ["-", "eu-west-1"] {
        let made = client.send("POST", &path(region, ""), "", "{\"RoleName\": \"r\"}");
        assert_eq!((made.status, made.json()["region"].as_str()), (201, Some("")), "{}", made.text);
        let listed = client.send("GET", &format!("/_emu/resources?region={region}"), "", "").json();
        assert_eq!(listed[0]["identifier"], "r", "{region}");
        assert_eq!(client.send("GET", &path("us-east-1", "/r"), "", "").status, 200);
        let patch = json!([{"op": "add", "path": "/Path", "value": "/x/"}]);
        let drift = json!({"type": ROLE, "identifier": "r", "region": region, "patch": patch}).to_string();
        assert_eq!(client.send("POST", "/_emu/drift", "", &drift).status, 200, "{region}");
        let page = format!("/_emu/resources?type=AWS%3A%3AIAM%3A%3ARole&identifier=r&region={region}");
        assert_eq!(client.send("DELETE", &page, "", "").status, 200, "{region}");
    }
    let lost = client.send("POST", &PATH.replace("eu-west-1", "-"), "", "{\"RoleName\": \"r\"}");
    assert_eq!(lost.status, 400);
    assert!(lost.text.contains("Test::Drift::Thing exists in a region; name one"), "{}", lost.text);
}
