//! Lambda: functions that do what rules say.

use super::support::{Answer, Client};
use super::{start, start_in};
use emulator::{FunctionAction, FunctionRule, Options, Switches};
use serde_json::{Value, json};
use std::io::{Read, Write};

const PATH: &str = "/2015-03-31/functions";

fn invoke(client: &Client, name: &str, payload: &str) -> Answer {
    client.send("POST", &format!("{PATH}/{name}/invocations"), &client.signed_as(client.account, "lambda"), payload)
}

fn set(client: &Client, rules: &Value) -> Answer {
    client.send("PUT", "/_emu/functions", "", &rules.to_string())
}

#[test]
fn functions_exist_when_cloud_control_made_them_or_a_rule_names_them() {
    let folder = tempfile::tempdir().unwrap();
    let client = start_in(folder.path(), Switches::default());
    let unknown = client.send("GET", &format!("{PATH}/orders"), "", "");
    assert_eq!((unknown.status, unknown.head.contains("ResourceNotFoundException")), (404, true), "{}", unknown.head);
    let text = "Function not found: arn:aws:lambda:us-east-1:123456789012:function:orders";
    assert_eq!(unknown.json(), json!({"Message": text, "Type": "User"}));
    client.create("AWS::Lambda::Function", &json!({"FunctionName": "orders", "Runtime": "python3.13"}));
    let found = client.send("GET", &format!("{PATH}/orders"), &client.signed_as(client.account, "lambda"), "").json();
    let configuration = &found["Configuration"];
    assert_eq!((&configuration["State"], &configuration["Runtime"]), (&json!("Active"), &json!("python3.13")));
    assert_eq!(configuration["FunctionArn"], "arn:aws:lambda:eu-west-1:123456789012:function:orders");
    let silent = invoke(&client, "orders", "{}");
    assert_eq!((silent.status, silent.text.as_str()), (200, "null"), "a function without a rule returns null");
    let rules =
        json!([{"name": "orders", "then": {"payload": {"made": true}}}, {"name": "helper", "then": {"payload": 1}}]);
    assert_eq!(set(&client, &rules).status, 200);
    client.emulator.stop();

    let client = start_in(folder.path(), Switches::default());
    let arn = "arn%3Aaws%3Alambda%3Aeu-west-1%3A123456789012%3Afunction%3Aorders%3Aprod";
    assert_eq!(invoke(&client, arn, "").json(), json!({"made": true}), "rules are kept");
    assert_eq!(invoke(&client, "helper", "").json(), json!(1));
    assert_eq!(client.send("GET", "/_emu/functions", "", "").json()[1]["name"], "helper");
    assert_eq!(set(&client, &json!([])).status, 200);
    assert_eq!(invoke(&client, "helper", "").status, 404);
}

#[test]
fn rules_say_what_functions_do() {
    let error = json!({"name": "f", "then": {"error": {"type": "Broken", "message": "no"}}});
    let rule: FunctionRule = serde_json::from_value(error).unwrap();
    let emulator_rule =
        FunctionRule { name: "other".to_owned(), then: FunctionAction::Payload(json!("other")), times: None };
    let client = start(Options { functions: vec![rule, emulator_rule], ..Options::default() });
    let failed = invoke(&client, "f", "{}");
    assert_eq!((failed.status, failed.json()), (200, json!({"errorType": "Broken", "errorMessage": "no"})));
    assert!(failed.head.contains("x-amz-function-error: Unhandled"), "{}", failed.head);
    assert_eq!(invoke(&client, "other", "").json(), "other");
    // Rules that are set by hand come first, and some hold a few times only.
    set(&client, &json!([{"name": "f*", "then": "not-ready", "times": 2}]));
    for _ in 0..2 {
        let refused = invoke(&client, "f", "{}");
        assert_eq!((refused.status, refused.head.contains("ResourceNotReadyException")), (502, true));
    }
    assert_eq!(invoke(&client, "f", "{}").json()["errorType"], "Broken");
    let headers =
        |kind: &str| format!("x-amz-invocation-type: {kind}\r\n{}", client.signed_as(client.account, "lambda"));
    let path = format!("{PATH}/other/invocations");
    for (kind, payload, status) in
        [("DryRun", "{}", 204), ("Event", "{}", 202), ("Never", "{}", 400), ("RequestResponse", "{", 400)]
    {
        assert_eq!(client.send("POST", &path, &headers(kind), payload).status, status, "{kind}");
    }
}

#[test]
fn rules_that_cannot_be_followed_are_refused_and_change_nothing() {
    let client = start(Options::default());
    set(&client, &json!([{"name": "f", "then": {"payload": 1}}]));
    for (rules, expected) in [
        (json!([{"name": "f", "then": {"forward": "http://example.com/"}}]), "the emulator calls this machine only"),
        (json!([{"name": "", "then": {"payload": 1}}]), "rule 1: name"),
        (json!([{"name": "f", "then": {"jump": 1}}]), "the rules cannot be read"),
        (json!({}), "the rules cannot be read"),
    ] {
        let answer = set(&client, &rules);
        assert_eq!(answer.status, 400, "{rules}");
        assert!(answer.text.contains(expected), "{}", answer.text);
    }
    assert_eq!(invoke(&client, "f", "").json(), json!(1));
    let forward = FunctionAction::Forward("http://example.com/".to_owned());
    let rule = FunctionRule { name: "f".to_owned(), then: forward, times: None };
    let schemas = emulator::SchemaSource::Texts(vec!["{\"typeName\":\"A::B::C\"}".to_owned()]);
    let error = emulator::Emulator::builder().schemas(schemas).functions([rule]).start_blocking().unwrap_err();
    assert!(error.to_string().starts_with("the rule for function \"f\": http://example.com/: "), "{error}");
}

#[test]
fn functions_are_forwarded_to_programs_on_this_machine() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let program = std::thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        let mut request = Vec::new();
        let mut buffer = [0; 1024];
        while !request.ends_with(b"{\"ask\":1}") {
            let length = stream.read(&mut buffer).unwrap();
            request.extend_from_slice(&buffer[..length]);
        }
        stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 8\r\n\r\n{\"ok\":2}").unwrap();
        String::from_utf8(request).unwrap()
    });
    let client = start(Options::default());
    set(&client, &json!([{"name": "f", "then": {"forward": format!("http://127.0.0.1:{port}/invoke?x=1")}}]));
    assert_eq!(invoke(&client, "f", "{\"ask\":1}").json(), json!({"ok": 2}));
    let request = program.join().unwrap();
    assert!(request.starts_with("POST /invoke?x=1 HTTP/1.1\r\n"), "{request}");
    let arn = "lambda-runtime-invoked-function-arn: arn:aws:lambda:eu-west-1:123456789012:function:f";
    assert!(request.contains(arn), "{request}");
    // Nobody listens there any more.
    let failed = invoke(&client, "f", "{}");
    assert_eq!(failed.json()["errorType"], "Emulator.Forward", "{}", failed.text);
}

#[test]
fn functions_that_lead_back_to_functions_are_refused_and_end() {
    // The port is not known before the start, so the rule of the options is found out when it is followed.
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    drop(listener);
    let url = format!("http://localhost:{port}{PATH}/f/invocations");
    let forward = FunctionAction::Forward(url.clone());
    let rule = FunctionRule { name: "f".to_owned(), then: forward, times: None };
    let schemas = emulator::SchemaSource::Texts(vec!["{\"typeName\":\"A::B::C\"}".to_owned()]);
    let started = emulator::Emulator::builder().schemas(schemas).functions([rule]).port(port).start_blocking();
    let client = Client { emulator: started.unwrap(), account: "123456789012", region: "eu-west-1" };
    let ended = invoke(&client, "f", "{}").json();
    assert_eq!(ended["errorType"], "Emulator.Forward", "{ended}");
    let refused = set(&client, &json!([{"name": "f", "then": {"forward": url}}]));
    let text = "rule 1: forward: the functions of this emulator are no program";
    assert!(refused.status == 400 && refused.text.contains(text), "{}", refused.text);
}
