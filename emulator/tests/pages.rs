//! Who may use the pages for tests, where they are, and what they hide.

#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

mod support;

use emulator::{AdminAccess, Emulator, LogLimit, Options, SchemaSource};
use serde_json::{Value, json};
use support::Client;

const THING: &str = "Test::Page::Thing";

fn client(options: Options) -> Client {
    let text = json!({"type": "string"});
    let schema = json!({
        "typeName": THING,
        "properties": {"Name": text, "Secret": text, "Code": {"type": "object", "properties": {"Zip": text, "Size": {"type": "integer"}}}},
        "primaryIdentifier": ["/properties/Name"],
        "writeOnlyProperties": ["/properties/Secret", "/properties/Code/Zip"],
        "additionalProperties": false,
        "handlers": {"create": {}, "read": {}, "update": {}, "delete": {}},
    });
    Client::start(&[schema], options)
}

/// Does everything with a secret and gives the text of every page that shows something of it.
fn seen(client: &Client) -> String {
    client.create(THING, &json!({"Name": "n", "Secret": "canary", "Code": {"Zip": "canary", "Size": 1}}));
    for patch in [
        json!([{"op": "add", "path": "/Secret", "value": "canary"}]),
        json!([{"op": "add", "path": "/Code", "value": {"Zip": "canary"}}]),
    ] {
        client.finish(&client.update(THING, "n", &patch));
    }
    client.refused("CreateResource", &json!({"TypeName": THING, "DesiredState": "{\"Secret\": \"canary\", "}));
    client.refused(
        "CreateResource",
        &json!({"TypeName": "Test::Page::None", "DesiredState": "{\"Secret\": \"canary\"}"}),
    );
    for (operation, member, text) in [
        ("CreateResource", "DesiredState", json!({"Name": "o", "secret": "canary"})),
        ("CreateResource", "DesiredState", json!({"Type": THING, "Properties": {"Name": "o", "Secret": "canary"}})),
        ("CreateResource", "desiredState", json!({"Name": "o", "Secret": "canary"})),
        ("UpdateResource", "PatchDocument", json!([{"op": "add", "path": "/properties/Secret", "value": "canary"}])),
        ("UpdateResource", "PatchDocument", json!([{"op": "add", "path": "//Secret", "value": "canary"}])),
        (
            "UpdateResource",
            "PatchDocument",
            json!([{"op": "add", "path": "/Properties", "value": {"Secret": "canary"}}]),
        ),
        ("UpdateResource", "PatchDocument", json!([{"op": "add", "Path": "/Secret", "value": "canary"}])),
        ("UpdateResource", "PatchDocument", json!([{"op": "add", "path": "/Secret", "Value": "canary"}])),
    ] {
        let mut body = json!({"TypeName": THING});
        body[member] = text.to_string().into();
        if operation == "UpdateResource" {
            body["Identifier"] = "n".into();
        }
        client.refused(operation, &body);
    }
    let unknown = json!({"TypeName": THING, "Identifier": "{\"Secret\":\"canary\"}"});
    let mut texts = vec![client.refused("GetResource", &unknown), client.call("DeleteResource", &unknown).text];
    let drift =
        json!({"type": THING, "identifier": "n", "patch": [{"op": "add", "path": "/Name", "value": "n"}]}).to_string();
    texts.extend(
        ["log", "resources", "requests", "rules", "info"]
            .map(|page| client.send("GET", &format!("/_emu/{page}"), "", "").text),
    );
    texts.push(client.send("GET", "/_emu/log", "accept: application/x-ndjson\r\n", "").text);
    texts.push(client.send("POST", "/_emu/drift", "", &drift).text);
    texts.push(client.send("GET", "/metrics", "", "").text);
    texts.push(client.send("DELETE", "/_emu/resources?type=Test%3A%3APage%3A%3AThing&identifier=n", "", "").text);
    texts.join("\n")
}

#[test]
fn write_only_values_are_hidden_unless_they_shall_be_seen() {
    let hidden = seen(&client(Options::default()));
    assert!(!hidden.contains("canary"), "{hidden}");
    assert!(hidden.contains("\"Secret\":\"***\"") && hidden.contains("\"Size\":1"), "the rest is shown: {hidden}");
    let shown = seen(&client(Options { secrets_shown: true, ..Options::default() }));
    assert!(shown.contains("\"Secret\":\"canary\""), "{shown}");
}

#[test]
fn pages_need_the_token_that_is_set() {
    let client = client(Options { admin_token: Some("open sesame".to_owned()), ..Options::default() });
    let status = |headers: &str, page: &str| client.send("GET", page, headers, "").status;
    for page in ["/_emu/log", "/_emu/resources", "/metrics", "/_emu/nothing"] {
        assert_eq!(status("", page), 401, "{page}");
        assert_eq!(status("authorization: Bearer open\r\n", page), 401, "{page}");
    }
    assert_eq!(status("authorization: Bearer open sesame\r\n", "/_emu/log"), 200);
    assert_eq!((status("", "/_emu/health"), status("", "/_emu/ready")), (200, 200));
    assert_eq!(client.create(THING, &json!({"Name": "n"}))["OperationStatus"], "SUCCESS", "calls need none");
}

#[test]
fn pages_can_have_a_port_of_their_own() {
    let client = client(Options { admin: AdminAccess::Port(0), ..Options::default() });
    for page in ["health", "ready"] {
        assert_eq!(client.send("GET", &format!("/_emu/{page}"), "", "").status, 200, "{page} is on both");
    }
    assert_eq!(client.send("GET", "/_emu/info", "", "").status, 404);
    assert_eq!(client.send("GET", "/metrics", "", "").status, 404);
    let address = client.emulator.admin_url();
    assert_ne!(address, client.emulator.url());
    let ask = |request: &str| {
        use std::io::{Read, Write};
        let mut stream = std::net::TcpStream::connect(address.strip_prefix("http://").unwrap()).unwrap();
        stream.write_all(format!("{request}\r\nhost: x\r\nconnection: close\r\n\r\n").as_bytes()).unwrap();
        let mut text = String::new();
        stream.read_to_string(&mut text).unwrap();
        text
    };
    assert!(ask("GET /_emu/health HTTP/1.1").ends_with("{\"status\":\"ok\"}"));
    assert!(ask("GET /metrics HTTP/1.1").contains("emulator_resources 0"));
    let other = ask("GET / HTTP/1.1");
    assert!(other.starts_with("HTTP/1.1 404") && other.contains("only the pages for tests"), "{other}");
}

#[test]
fn other_machines_reach_no_pages_without_a_token() {
    let start = |options: Options| {
        let schemas = SchemaSource::Texts(vec!["{\"typeName\":\"A::B::C\"}".to_owned()]);
        Emulator::builder().schemas(schemas).options(options).start_blocking().map(|_| ())
    };
    let listen = "0.0.0.0".parse().unwrap();
    let said = start(Options { listen, ..Options::default() }).unwrap_err();
    assert_eq!(
        (said.exit_code(), said.to_string().contains("give them a token or turn them off")),
        (2, true),
        "{said}"
    );
    start(Options { listen, admin: AdminAccess::Off, ..Options::default() }).unwrap();
    start(Options { listen, admin_token: Some("t".to_owned()), ..Options::default() }).unwrap();
}

#[test]
fn the_log_is_bounded_by_bytes() {
    let client = client(Options { log_limit: LogLimit { entries: 1_000, bytes: 4_000 }, ..Options::default() });
    let desired = json!({"Name": "n", "Secret": "x".repeat(900)}).to_string();
    for _ in 0..10 {
        client.call("CreateResource", &json!({"TypeName": THING, "DesiredState": desired}));
    }
    let log = client.send("GET", "/_emu/log", "", "").json();
    let ids: Vec<u64> = log.as_array().unwrap().iter().map(|entry| entry["id"].as_u64().unwrap()).collect();
    assert!((1..=4).contains(&ids.len()) && ids.last() == Some(&10), "{ids:?}");
}

#[test]
fn metrics_count_what_happens() {
    let client = client(Options::default());
    client.create(THING, &json!({"Name": "n"}));
    client.begin(THING, &json!({"Name": "m"}));
    client.refused("CreateResource", &json!({"TypeName": THING, "DesiredState": "{\"Name\": 5}"}));
    client.send(
        "POST",
        "/_emu/rules",
        "",
        "{\"id\": \"r\", \"when\": {\"operation\": \"read\"}, \"then\": {\"throttle\": {}}}",
    );
    client.refused("GetResource", &json!({"TypeName": THING, "Identifier": "n"}));
    client.refused("GetResource", &json!({"TypeName": "Any::Thing::Else", "Identifier": "n"}));
    let metrics = client.send("GET", "/metrics", "", "").text;
    for line in [
        "# TYPE emulator_resources gauge",
        "emulator_resources 1",
        "emulator_requests{status=\"IN_PROGRESS\"} 1",
        "emulator_requests{status=\"SUCCESS\"} 1",
        "emulator_patterns_skipped 0",
        "emulator_patterns_aborted_total 0",
        "emulator_commits_total 0",
        "emulator_validation_failures_total{keyword=\"type\"} 1",
        "emulator_rules_fired_total{rule=\"r\"} 2",
        "emulator_calls_total{service=\"cloudcontrol\",operation=\"CreateResource\",namespace=\"Test::Page\",code=\"ValidationException\"} 1",
        "emulator_calls_total{service=\"cloudcontrol\",operation=\"GetResource\",namespace=\"\",code=\"ThrottlingException\"} 1",
        "emulator_call_seconds_count{service=\"cloudcontrol\",operation=\"GetResource\"} 2",
    ] {
        assert!(metrics.lines().any(|other| other == line), "{line} is not in\n{metrics}");
    }
    let bytes = metrics.lines().find_map(|line| line.strip_prefix("emulator_log_bytes ")).unwrap();
    assert!(bytes.parse::<u64>().unwrap() > 100);
    let info: Value = client.send("GET", "/_emu/info", "", "").json();
    assert_eq!(
        (&info["seed"], &info["profile"], &info["switches"]["coerce"]),
        (&json!(1), &json!("test"), &json!("off"))
    );
}
