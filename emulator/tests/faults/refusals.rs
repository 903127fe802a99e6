//! Calls and polls that are refused.

use super::{THING, client, desired, get, schema};
use crate::support::Client;
use emulator::{Clock, Code, HandlerErrorCode, Options, Which};
use serde_json::json;
use std::time::{Duration, SystemTime};

/// The rows of a table of vectors.
fn vectors(text: &'static str) -> Vec<Vec<&'static str>> {
    text.lines().filter(|line| !line.starts_with('#')).skip(1).map(|line| line.split('\t').collect()).collect()
}

#[test]
fn every_handler_error_code_is_reached_by_a_rule() {
    let table = vectors(include_str!("../../../tests/vectors/handler-codes.tsv"));
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
    for row in vectors(include_str!("../../../tests/vectors/errors.tsv")) {
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
fn polls_fail_while_their_request_goes_on() {
    let (client, _) =
        client("when: { operation: poll, type: 'Test::*', identifier: 'n*', times: 1 }\nthen: { poll-error: {} }");
    let first = client.begin(THING, &desired("n"));
    let poll = json!({"RequestToken": first["RequestToken"]});
    assert_eq!(client.refused("GetResourceRequestStatus", &poll), "ThrottlingException: Rate exceeded");
    client.look(&first);
    assert_eq!(client.look(&first)["OperationStatus"], "SUCCESS");
}
