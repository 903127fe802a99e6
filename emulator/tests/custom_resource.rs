//! The round trip of a custom resource: the client presigns a PUT and invokes the function, the function puts its answer
//! there, the client waits for it and reads it.

#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

#[path = "support/sigv4.rs"]
mod sigv4;
mod support;

use emulator::{Auth, Clock, Credential, Credentials, Options, Switches};
use serde_json::{Value, json};
use sigv4::Signer;
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::time::{Duration, SystemTime};
use support::Client;

const SIGNER: Signer =
    Signer { key: "AKIDEXAMPLE", secret: "secret", token: None, region: "eu-west-1", time: "20270115T080000Z" };

/// An emulator that holds every signature against its secret.
fn start() -> Client {
    let schema = json!({
        "typeName": "AWS::S3::Bucket", "properties": {"BucketName": {"type": "string"}},
        "primaryIdentifier": ["/properties/BucketName"], "handlers": {"create": {}, "read": {}, "delete": {}}
    });
    let clock = Clock::by_hand(SystemTime::UNIX_EPOCH + Duration::from_secs(1_800_000_000));
    let known = Credential { account: None, secret: Some("secret".to_owned()) };
    let credentials = Credentials::default().with("AKIDEXAMPLE", known);
    let options = Options { clock, credentials, ..Options::default() };
    let client = Client::start(
        &[schema],
        Options { switches: Switches { auth: Auth::Verify, ..Switches::default() }, ..options },
    );
    let body = json!({"TypeName": "AWS::S3::Bucket", "DesiredState": "{\"BucketName\":\"answers\"}"}).to_string();
    let created =
        signed(&client, "POST", "/", "cloudcontrolapi", "x-amz-target: CloudApiService.CreateResource\r\n", &body);
    assert_eq!(created.status, 200, "{}", created.text);
    let token = created.json()["ProgressEvent"]["RequestToken"].clone();
    let status = json!({"RequestToken": token}).to_string();
    let target = "x-amz-target: CloudApiService.GetResourceRequestStatus\r\n";
    for _ in 0..3 {
        signed(&client, "POST", "/", "cloudcontrolapi", target, &status);
    }
    client
}

fn signed(client: &Client, method: &str, path: &str, service: &str, headers: &str, body: &str) -> support::Answer {
    let signature = SIGNER.headers(method, path, "emulator", service, body);
    client.send(method, path, &format!("{headers}{signature}"), body)
}

fn event(url: &str) -> Value {
    json!({
        "RequestType": "Create", "ResponseURL": url, "StackId": "stack", "RequestId": "request",
        "LogicalResourceId": "Thing", "ResourceType": "Custom::Thing", "ResourceProperties": {"Size": "3"}
    })
}

/// Invokes the function as CloudFormation does, and polls for its answer as CloudFormation would.
fn round_trip(client: &Client, host: &str) -> Value {
    let path = SIGNER.presigned("PUT", "/answers/one", host, "s3", 3_600);
    let url = format!("http://{host}{path}");
    let kind = "x-amz-invocation-type: Event\r\n";
    let invoked =
        signed(client, "POST", "/2015-03-31/functions/handler/invocations", "lambda", kind, &event(&url).to_string());
    assert_eq!(invoked.status, 202, "{}", invoked.text);
    let deadline = std::time::Instant::now() + Duration::from_secs(20);
    while signed(client, "HEAD", "/answers/one", "s3", "", "").status == 404 {
        assert!(std::time::Instant::now() < deadline, "no answer came");
        std::thread::yield_now();
    }
    signed(client, "GET", "/answers/one", "s3", "", "").json()
}

fn set(client: &Client, then: &Value) {
    let rules = json!([{"name": "handler", "then": then}]).to_string();
    assert_eq!(client.send("PUT", "/_emu/functions", "", &rules).status, 200);
}

#[test]
fn a_custom_resource_answers_by_rule() {
    let client = start();
    set(&client, &json!({"cfn-response": {"status": "SUCCESS", "data": {"Arn": "made"}}}));
    let own = format!("127.0.0.1:{}", client.emulator.port());
    let answer = round_trip(&client, &own);
    assert_eq!((&answer["Status"], &answer["Data"]["Arn"]), (&json!("SUCCESS"), &json!("made")));
    assert_eq!((&answer["RequestId"], &answer["LogicalResourceId"]), (&json!("request"), &json!("Thing")));
    assert!(answer["PhysicalResourceId"].as_str().unwrap().starts_with("Thing-"));
}

#[test]
fn a_url_of_the_service_itself_leads_to_the_emulator_too() {
    let client = start();
    set(&client, &json!({"cfn-response": {"status": "FAILED", "reason": "no room", "physical-resource-id": "p"}}));
    let answer = round_trip(&client, "s3.eu-west-1.amazonaws.com");
    assert_eq!(
        (&answer["Status"], &answer["Reason"], &answer["PhysicalResourceId"]),
        (&json!("FAILED"), &json!("no room"), &json!("p"))
    );
}

#[test]
fn a_custom_resource_answers_by_a_program_of_its_own() {
    let client = start();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let program = listener.local_addr().unwrap();
    let handler = std::thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        let event: Value = serde_json::from_str(&read_body(&mut stream)).unwrap();
        let url = event["ResponseURL"].as_str().unwrap();
        let (host, path) =
            url.strip_prefix("http://").unwrap().split_at(url.find("/answers").unwrap() - "http://".len());
        let body = json!({"Status": "SUCCESS", "Data": {"Double": event["ResourceProperties"]["Size"].as_str().unwrap().repeat(2)}});
        let body = body.to_string();
        let mut put = TcpStream::connect(host).unwrap();
        let head = format!(
            "PUT {path} HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\ncontent-length: {}\r\n\r\n",
            body.len()
        );
        put.write_all(format!("{head}{body}").as_bytes()).unwrap();
        let mut answer = String::new();
        put.read_to_string(&mut answer).unwrap();
        assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
        stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\nnull").unwrap();
    });
    set(&client, &json!({"forward": format!("http://{program}/")}));
    let own = format!("127.0.0.1:{}", client.emulator.port());
    assert_eq!(round_trip(&client, &own)["Data"]["Double"], "33");
    handler.join().unwrap();
}

#[test]
fn an_answer_that_nobody_signed_does_not_arrive() {
    let client = start();
    set(&client, &json!({"cfn-response": {}}));
    let url = format!("http://127.0.0.1:{}/answers/one", client.emulator.port());
    let path = "/2015-03-31/functions/handler/invocations";
    let invoked = signed(&client, "POST", path, "lambda", "", &event(&url).to_string());
    assert!(invoked.head.contains("x-amz-function-error"), "{}", invoked.head);
    assert!(invoked.text.contains("was answered with 403"), "{}", invoked.text);
    let elsewhere = event("https://example.com/answers/one").to_string();
    let refused = signed(&client, "POST", path, "lambda", "", &elsewhere);
    assert!(refused.text.contains("the emulator calls this machine only"), "{}", refused.text);
    let none = signed(&client, "POST", path, "lambda", "", "{}");
    assert!(none.text.contains("no ResponseURL"), "{}", none.text);
}

fn read_body(stream: &mut TcpStream) -> String {
    let mut request = Vec::new();
    let mut buffer = [0; 4096];
    loop {
        let text = String::from_utf8_lossy(&request).into_owned();
        if let Some((head, body)) = text.split_once("\r\n\r\n") {
            let length = head
                .lines()
                .find_map(|line| line.to_ascii_lowercase().strip_prefix("content-length: ").map(str::to_owned));
            if body.len() >= length.unwrap().parse::<usize>().unwrap() {
                return body.to_owned();
            }
        }
        let length = stream.read(&mut buffer).unwrap();
        request.extend_from_slice(&buffer[..length]);
    }
}
