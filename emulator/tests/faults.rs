//! Every way in which rules make the emulator misbehave, over the wire.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test stops at the first surprise")]

mod support;

use emulator::{Clock, Code, Drive, HandlerErrorCode, Options, Profile, Rule, Which, WhichCalls, WhichRequests};
use serde_json::{Value, json};
use std::io::{Read, Write};
use std::time::{Duration, Instant, SystemTime};
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

/// The rows of a table of vectors.
fn vectors(text: &'static str) -> Vec<Vec<&'static str>> {
    text.lines().filter(|line| !line.starts_with('#')).skip(1).map(|line| line.split('\t').collect()).collect()
}

#[test]
fn every_handler_error_code_is_reached_by_a_rule() {
    let table = vectors(include_str!("../../tests/vectors/handler-codes.tsv"));
    assert_eq!(table.len(), HandlerErrorCode::ALL.len());
    for row in table {
        let [code, _, exception, message] = row.as_slice() else { panic!("four fields: {row:?}") };
        let (client, _) = client(&format!("then: {{ fail: {{ code: {code} }} }}"));
        let text = |action: &str, name: &str| {
            message
                .replace("{type}", THING)
                .replace("{identifier}", name)
                .replace("{action}", action)
                .replace("{detail}", "injected by a rule")
        };
        let event = client.create(THING, &desired("n"));
        assert_eq!(event["OperationStatus"], "FAILED");
        assert_eq!((&event["ErrorCode"], &event["StatusMessage"]), (&json!(code), &json!(text("CREATE", "n"))));
        let event = client.delete(THING, "n");
        assert_eq!((&event["ErrorCode"], &event["StatusMessage"]), (&json!(code), &json!(text("DELETE", "n"))));
        // Handlers that answer at once fail the call itself.
        let said = client.refused("GetResource", &get("n"));
        let expected = format!(
            "{exception}: {THING} Handler returned status FAILED: {} (HandlerErrorCode: {code}, RequestToken: ",
            text("READ", "n")
        );
        assert!(said.starts_with(&expected), "{said}\n{expected}");
        let said = client.refused("ListResources", &json!({"TypeName": THING}));
        assert!(said.starts_with(&format!("{exception}: ")) && said.contains(code), "{said}");
    }
}

#[test]
fn every_error_of_a_call_is_reached_by_a_rule() {
    for row in vectors(include_str!("../../tests/vectors/errors.tsv")) {
        let [code, status, ..] = row.as_slice() else { panic!("four fields: {row:?}") };
        for message in ["", ", message: as given"] {
            let (client, _) = client(&format!("then: {{ error: {{ code: {code}{message} }} }}"));
            for (operation, body) in [
                ("CreateResource", json!({"TypeName": THING, "DesiredState": "{}"})),
                ("GetResourceRequestStatus", json!({"RequestToken": "t"})),
                ("ListResourceRequests", json!({})),
            ] {
                let answer = client.call(operation, &body);
                assert_eq!(answer.status.to_string(), *status, "{code}: {}", answer.text);
                let name = answer.json()["__type"].as_str().unwrap().to_owned();
                assert_eq!(name.rsplit('#').next(), Some(*code));
                let text = answer.json()["Message"].as_str().unwrap().to_owned();
                assert!(message.is_empty() || text == "as given", "{text}");
                assert!(!text.is_empty());
            }
            assert!(client.emulator.admin().resources(&Which::default()).is_empty(), "nothing was created");
        }
    }
    let (client, _) = client("then: { error: { code: ServiceUnavailable, status: 599 } }");
    assert_eq!(client.call("GetResource", &get("n")).status, 599);
    assert_eq!(Code::parse("ServiceUnavailable").unwrap().status(), 503);
}

#[test]
fn throttling_is_by_rule_or_by_bucket() {
    let (client, clock) = client(
        "[{ id: empty, when: { operation: read }, then: { throttle: { message: '' } } }, { id: bucket, when: { operation: list }, then: { throttle: { rate: 1, burst: 2 } } }]",
    );
    assert_eq!(client.refused("GetResource", &get("n")), "ThrottlingException: ");
    let list = || client.call("ListResources", &json!({"TypeName": THING})).status;
    assert_eq!([list(), list(), list()], [200, 200, 400]);
    assert_eq!(client.refused("ListResources", &json!({"TypeName": THING})), "ThrottlingException: Rate exceeded");
    clock.advance(Duration::from_secs(1));
    assert_eq!([list(), list()], [200, 400]);
    let rules = client.emulator.admin().rules();
    let counts: Vec<(&str, u64, u64)> = rules.iter().map(|rule| (rule.id.as_str(), rule.matched, rule.fired)).collect();
    assert_eq!(counts, [("empty", 1, 1), ("bucket", 6, 3)]);
}

#[test]
fn the_switch_for_throttling_is_a_bucket_for_every_operation() {
    let mut options = Options { clock: Clock::by_hand(SystemTime::UNIX_EPOCH), ..Options::default() };
    options.switches.set("throttle", "1/2").unwrap();
    let client = Client::start(&[schema()], options);
    let list = || client.call("ListResources", &json!({"TypeName": THING})).status;
    assert_eq!([list(), list(), list()], [200, 200, 400]);
    assert_eq!(client.call("ListResourceRequests", &json!({})).status, 200, "operations have buckets of their own");
    assert_eq!(client.emulator.admin().rules()[0].id.as_str(), "throttle");
}

#[test]
fn failures_come_in_their_time_and_leave_what_they_should() {
    for (left, identifier, kept, shown) in [
        ("nothing", "as-real", None, true),
        ("everything", "as-real", Some(4), true),
        ("{ part: { fraction: 0.5, status: CREATE_FAILED } }", "as-real", Some(2), true),
        ("nothing", "ghost", None, true),
        ("nothing", "nobody", None, false),
    ] {
        let rule =
            format!("then: {{ fail: {{ code: NotStabilized, at: 0.8, left: {left}, identifier: {identifier} }} }}");
        let clock = Clock::by_hand(SystemTime::UNIX_EPOCH + Duration::from_secs(1_700_000_000));
        let rules = Rule::read(&rule).unwrap();
        let options = Options { clock: clock.clone(), rules, profile: Profile::realistic(), ..Options::default() };
        let client = Client::start(&[schema()], options);
        let first = client.begin(THING, &desired("n"));
        assert_eq!(client.look(&first)["OperationStatus"], "IN_PROGRESS");
        clock.advance(Duration::from_secs(1));
        let event = client.look(&first);
        assert_eq!((&event["OperationStatus"], &event["ErrorCode"]), (&json!("FAILED"), &json!("NotStabilized")));
        assert_eq!(event.get("Identifier").is_some(), shown, "{event}");
        let left: Vec<Value> =
            client.emulator.admin().resources(&Which::default()).into_iter().map(|one| one.model).collect();
        let letters = |model: &Value| ["A", "B", "C", "D"].iter().filter(|name| model.get(**name).is_some()).count();
        assert_eq!(left.first().map(letters), kept);
        if kept == Some(2) {
            assert_eq!(left[0]["Status"], "CREATE_FAILED");
            // The name is taken now.
            assert_eq!(client.emulator.admin().remove_rules(None), 1);
            let first = client.begin(THING, &desired("n"));
            clock.advance(Duration::from_secs(5));
            assert_eq!(client.look(&first)["ErrorCode"], "AlreadyExists");
        }
    }
}

#[test]
fn failures_of_services_say_which_service_failed() {
    let (client, _) = client("then: { fail: { code: Throttling, service: true, message: Too many. } }");
    let event = client.create(THING, &desired("n"));
    let text = event["StatusMessage"].as_str().unwrap();
    assert!(
        text.starts_with("Too many. (Service: Fault, Status Code: 400, Request ID: ") && text.ends_with(')'),
        "{text}"
    );
}

#[test]
fn a_lie_about_a_name_that_is_taken_makes_the_resource() {
    let (client, _) = client("then: { already-exists-lie: {} }");
    let event = client.create(THING, &desired("n"));
    assert_eq!(
        (&event["OperationStatus"], &event["ErrorCode"], &event["Identifier"]),
        (&json!("FAILED"), &json!("AlreadyExists"), &json!("n"))
    );
    assert_eq!(client.read(THING, "n")["A"], "1");
}

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
fn a_stuck_request_is_released_completed_or_failed_by_hand() {
    for (status, how, expected) in [
        ("IN_PROGRESS", Drive::Release, "SUCCESS"),
        ("PENDING", Drive::Release, "SUCCESS"),
        ("IN_PROGRESS", Drive::Complete, "SUCCESS"),
        ("PENDING", Drive::Complete, "SUCCESS"),
        ("IN_PROGRESS", Drive::Fail(HandlerErrorCode::InternalFailure, None), "FAILED"),
    ] {
        let (client, clock) = client(&format!("then: {{ stuck: {{ in: {status} }} }}"));
        let first = client.begin(THING, &desired("n"));
        clock.advance(Duration::from_secs(86_400));
        for _ in 0..3 {
            assert_eq!(client.look(&first)["OperationStatus"], status);
        }
        let token = first["RequestToken"].as_str().unwrap();
        client.emulator.admin().drive(token, &how).unwrap();
        clock.advance(Duration::from_secs(60));
        let event = client.look(&first);
        assert_eq!(event["OperationStatus"], expected, "{status} {how:?}");
        assert!(client.emulator.admin().drive(token, &how).is_err(), "it has ended");
    }
    // One that its handler's own limit ends nevertheless.
    let clock = Clock::by_hand(SystemTime::UNIX_EPOCH + Duration::from_secs(1_700_000_000));
    let rules = Rule::read("then: { stuck: { timeout: true } }").unwrap();
    let options = Options { clock: clock.clone(), rules, profile: Profile::realistic(), ..Options::default() };
    let client = Client::start(&[schema()], options);
    let first = client.begin(THING, &desired("n"));
    clock.advance(Duration::from_secs(299));
    assert_eq!(client.look(&first)["OperationStatus"], "IN_PROGRESS");
    clock.advance(Duration::from_secs(1));
    assert_eq!(client.look(&first)["ErrorCode"], "NotStabilized");
}

#[test]
fn values_are_dropped_reported_as_success() {
    let (client, _) = client("when: { operation: update }\nthen: { drop: { paths: [/properties/A] } }");
    client.create(THING, &desired("n"));
    let patch = json!([{"op": "replace", "path": "/A", "value": "2"}, {"op": "replace", "path": "/B", "value": "2"}]);
    assert_eq!(client.finish(&client.update(THING, "n", &patch))["OperationStatus"], "SUCCESS");
    let read = client.read(THING, "n");
    assert_eq!((&read["A"], &read["B"]), (&json!("1"), &json!("2")));
}

#[test]
fn a_value_that_reads_show_is_not_taken_back() {
    let (client, _) = client("then: { reject-readback: { path: /properties/B } }");
    client.create(THING, &desired("n"));
    let patch = |more: Value| json!([{"op": "replace", "path": "/A", "value": "2"}, more]);
    let refused = client.update(THING, "n", &patch(json!({"op": "replace", "path": "/C", "value": "2"})));
    assert_eq!(
        refused.json()["Message"],
        "Model validation failed (#/B: failed validation constraint for keyword [pattern])"
    );
    let taken = client.update(THING, "n", &patch(json!({"op": "remove", "path": "/B"})));
    assert_eq!(client.finish(&taken)["OperationStatus"], "SUCCESS");
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

#[test]
fn hooks_fail_requests_and_say_why_beside_the_event() {
    for (mode, status, last) in [
        ("FAIL", "HOOK_COMPLETE_FAILED", "FAILED"),
        ("WARN", "HOOK_FAILED", "SUCCESS"),
        ("FAIL", "HOOK_COMPLETE_SUCCEEDED", "SUCCESS"),
    ] {
        let (client, _) = client(&format!(
            "then: {{ hook: {{ type-name: 'Own::Guard::Names', status: {status}, failure-mode: {mode}, message: no such names }} }}"
        ));
        let event = client.create(THING, &desired("n"));
        assert_eq!(event["OperationStatus"], last, "{event}");
        assert!(event["HooksRequestToken"].is_string());
        if last == "FAILED" {
            assert_eq!(event["StatusMessage"], "The following hook(s) failed: [Own::Guard::Names]");
        }
        let answer = client.call("GetResourceRequestStatus", &json!({"RequestToken": event["RequestToken"]})).json();
        let hook = &answer["HooksProgressEvent"][0];
        for (member, expected) in [
            ("HookTypeName", "Own::Guard::Names"),
            ("HookTypeArn", "arn:aws:cloudformation:eu-west-1:123456789012:type/hook/Own-Guard-Names"),
            ("InvocationPoint", "CREATE_PRE_PROVISION"),
            ("HookStatus", status),
            ("HookStatusMessage", "no such names"),
            ("FailureMode", mode),
        ] {
            assert_eq!(hook[member], expected, "{hook}");
        }
        assert_eq!(client.emulator.admin().resources(&Which::default()).len(), usize::from(last == "SUCCESS"));
    }
}

#[test]
fn polls_fail_while_their_request_goes_on() {
    let (client, _) =
        client("when: { operation: poll, type: 'Test::*', identifier: 'n*', times: 1 }\nthen: { poll-error: {} }");
    let first = client.begin(THING, &desired("n"));
    let poll = json!({"RequestToken": first["RequestToken"]});
    assert_eq!(client.refused("GetResourceRequestStatus", &poll), "ThrottlingException: Rate exceeded");
    client.look(&first);
    assert_eq!(client.look(&first)["OperationStatus"], "SUCCESS");
}

#[test]
fn operations_take_longer() {
    for (slow, seconds) in [("factor: 10", 11), ("class: slow", 11), ("class: instant", 0)] {
        let clock = Clock::by_hand(SystemTime::UNIX_EPOCH + Duration::from_secs(1_700_000_000));
        let rules = Rule::read(&format!("then: {{ slow: {{ {slow} }} }}")).unwrap();
        let profile = Profile::realistic();
        let client = Client::start(&[schema()], Options { clock: clock.clone(), rules, profile, ..Options::default() });
        let first = client.begin(THING, &desired("n"));
        if seconds > 0 {
            // Without the rule it is one second at most.
            clock.advance(Duration::from_millis(1_999));
            assert_eq!(client.look(&first)["OperationStatus"], "IN_PROGRESS", "{slow}");
            clock.advance(Duration::from_secs(60));
        }
        assert_eq!(client.look(&first)["OperationStatus"], "SUCCESS", "{slow}");
    }
}

/// What a client gets that sends a call to create `n` and reads as long as there is something.
fn exchange(client: &Client) -> (Vec<u8>, std::io::Result<usize>) {
    let mut stream = std::net::TcpStream::connect(("127.0.0.1", client.emulator.port())).unwrap();
    let body = json!({"TypeName": THING, "DesiredState": desired("n").to_string()}).to_string();
    let head = format!(
        "POST / HTTP/1.1\r\nhost: x\r\nx-amz-target: CloudApiService.CreateResource\r\ncontent-length: {}\r\n\r\n",
        body.len()
    );
    stream.write_all((head + &body).as_bytes()).unwrap();
    let mut bytes = Vec::new();
    let read = stream.read_to_end(&mut bytes);
    (bytes, read)
}

fn requests(client: &Client) -> usize {
    client.emulator.admin().requests(&WhichRequests::default()).len()
}

#[test]
fn connections_are_reset_before_or_after_the_call_took_effect() {
    for (when, expected) in [("before", 0), ("after", 1)] {
        let (client, _) = client(&format!("then: {{ reset: {{ when: {when} }} }}"));
        let (bytes, read) = exchange(&client);
        assert!(bytes.is_empty());
        assert_eq!(read.unwrap_err().kind(), std::io::ErrorKind::ConnectionReset);
        assert_eq!(requests(&client), expected, "{when}");
    }
}

#[test]
fn answers_break_off() {
    let (client, _) = client("then: { truncate: { bytes: 9 } }");
    let (bytes, read) = exchange(&client);
    assert!(read.is_ok(), "an orderly end: {read:?}");
    let text = String::from_utf8(bytes).unwrap();
    let (head, body) = text.split_once("\r\n\r\n").unwrap();
    assert_eq!(body, "{\"Progres");
    let length = head.lines().find_map(|line| line.strip_prefix("content-length: ")).unwrap();
    assert!(length.parse::<usize>().unwrap() > 100, "the whole length is promised: {head}");
    assert_eq!(requests(&client), 1);
}

#[test]
fn calls_hang_until_their_time_is_over_or_the_emulator_stops() {
    let (client, _) =
        client("[{ id: short, when: { nth: 1 }, then: { hang: { for: 20ms } } }, { id: long, then: { hang: {} } }]");
    let (bytes, read) = exchange(&client);
    assert!(bytes.is_empty() && read.is_ok(), "{read:?}");
    assert_eq!(requests(&client), 1, "it took effect");
    let mut stream = std::net::TcpStream::connect(("127.0.0.1", client.emulator.port())).unwrap();
    let call = "POST / HTTP/1.1\r\nhost: x\r\nx-amz-target: CloudApiService.ListResourceRequests\r\ncontent-length: 2\r\n\r\n{}";
    stream.write_all(call.as_bytes()).unwrap();
    while client.emulator.admin().log(&WhichCalls::default()).len() < 2 {
        std::thread::yield_now();
    }
    let began = Instant::now();
    client.emulator.stop();
    assert!(began.elapsed() < Duration::from_secs(3), "stopping does not wait for it");
    assert!(matches!(stream.read(&mut [0; 8]), Ok(0) | Err(_)));
}

#[test]
fn answers_come_late() {
    let (client, _) = client("when: { operation: read }\nthen: { delay: { for: 30ms } }");
    let began = Instant::now();
    assert_eq!(client.call("GetResource", &get("n")).status, 400);
    assert!(began.elapsed() >= Duration::from_millis(30));
}

#[test]
fn calls_are_delivered_twice() {
    let (client, _) = client("when: { operation: create }\nthen: twice");
    let mut body = json!({"TypeName": THING, "DesiredState": "{\"A\":\"1\",\"Name\":\"n\"}", "ClientToken": "once"});
    assert_eq!(client.call("CreateResource", &body).status, 200);
    assert_eq!(requests(&client), 1, "a client token makes both one");
    body["ClientToken"] = Value::Null;
    body["DesiredState"] = json!("{\"A\":\"1\",\"Name\":\"m\"}");
    let said = client.refused("CreateResource", &body);
    assert!(said.starts_with("ConcurrentOperationException: "), "the first delivery holds the resource: {said}");
    assert_eq!(requests(&client), 2);
}
