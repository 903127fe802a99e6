//! Connections that are late or break, and calls that come twice.

use super::{THING, client, desired, get};
use crate::support::Client;
use emulator::{WhichCalls, WhichRequests};
use serde_json::{Value, json};
use std::io::{Read, Write};
use std::time::{Duration, Instant};

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
    // A call that hangs without a limit would keep it for ever.
    assert!(began.elapsed() < Duration::from_secs(30), "stopping does not wait for it");
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
