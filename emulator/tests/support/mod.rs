//! A client that is no SDK: HTTP by hand, so that what is sent and received is exactly what the test says.

#![allow(
    dead_code,
    clippy::unwrap_used,
    reason = "every test file uses its own part, and a test stops at the first surprise"
)]

use emulator::{Defaults, Emulator, Options, SchemaSource};
use serde_json::{Value, json};
use std::io::{Read, Write};
use std::net::TcpStream;

/// Options of a cloud that keeps what it is given, and adds what schemas declare.
pub fn bare() -> Options {
    let mut options = Options::default();
    options.switches.defaults = Defaults::Schema;
    options.switches.transforms = false;
    options
}

/// The published schemas and an emulator that serves them, when they are there; `make generate` leaves them.
pub fn published() -> Option<(Client, Vec<Value>)> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../cf-schemas/download/resources");
    let mut files: Vec<_> = std::fs::read_dir(folder).ok()?.map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let texts: Vec<String> = files.iter().map(|file| std::fs::read_to_string(file).unwrap()).collect();
    let parsed = texts.iter().map(|text| serde_json::from_str(text).unwrap()).collect();
    let builder = Emulator::builder().schemas(SchemaSource::Texts(texts)).options(bare());
    let emulator = builder.start_blocking().unwrap();
    Some((Client { emulator, account: "123456789012", region: "eu-west-1" }, parsed))
}

/// An answer: status and body.
pub struct Answer {
    pub status: u16,
    pub head: String,
    pub text: String,
}

impl Answer {
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.text).unwrap()
    }
}

/// An emulator and the account and region to call it with.
pub struct Client {
    pub emulator: Emulator,
    pub account: &'static str,
    pub region: &'static str,
}

impl Client {
    pub fn start(schemas: &[Value], options: Options) -> Client {
        let texts = schemas.iter().map(Value::to_string).collect();
        let builder = Emulator::builder().schemas(SchemaSource::Texts(texts)).options(options);
        Client { emulator: builder.start_blocking().unwrap(), account: "123456789012", region: "eu-west-1" }
    }

    /// Sends any request.
    pub fn send(&self, method: &str, path: &str, headers: &str, body: &str) -> Answer {
        self.send_to("emulator", method, path, headers, body)
    }

    /// Sends any request to a host by its name.
    pub fn send_to(&self, host: &str, method: &str, path: &str, headers: &str, body: &str) -> Answer {
        let mut stream = TcpStream::connect(("127.0.0.1", self.emulator.port())).unwrap();
        let request = format!(
            "{method} {path} HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\ncontent-length: {}\r\n{headers}\r\n{body}",
            body.len()
        );
        stream.write_all(request.as_bytes()).unwrap();
        let mut text = String::new();
        stream.read_to_string(&mut text).unwrap();
        let (head, body) = text.split_once("\r\n\r\n").unwrap();
        let status = head.split(' ').nth(1).unwrap().parse().unwrap();
        Answer { status, head: head.to_owned(), text: body.to_owned() }
    }

    /// Calls an operation of Cloud Control.
    pub fn call(&self, operation: &str, body: &Value) -> Answer {
        let headers = format!(
            "content-type: application/x-amz-json-1.0\r\nx-amz-target: CloudApiService.{operation}\r\nauthorization: AWS4-HMAC-SHA256 \
             Credential={}/20260101/{}/cloudcontrolapi/aws4_request, SignedHeaders=host, Signature=0\r\n",
            self.account, self.region
        );
        self.send("POST", "/", &headers, &body.to_string())
    }

    /// Calls an operation that must be refused; `Code: message`.
    pub fn refused(&self, operation: &str, body: &Value) -> String {
        let answer = self.call(operation, body);
        let error = answer.json();
        assert_ne!(answer.status, 200, "{operation} {body}: {error}");
        format!(
            "{}: {}",
            error["__type"].as_str().unwrap().rsplit('#').next().unwrap(),
            error["Message"].as_str().unwrap()
        )
    }

    /// Waits for the end of a request.
    pub fn finish(&self, first: &Answer) -> Value {
        assert_eq!(first.status, 200, "{}", first.text);
        let event = first.json()["ProgressEvent"].clone();
        assert_eq!(event["OperationStatus"], "IN_PROGRESS");
        for _ in 0..10 {
            let event = self.call("GetResourceRequestStatus", &json!({"RequestToken": event["RequestToken"]})).json()["ProgressEvent"].clone();
            if event["OperationStatus"] != "IN_PROGRESS" {
                return event;
            }
        }
        event
    }

    /// Creates a resource and waits; the last event.
    pub fn create(&self, type_name: &str, desired: &Value) -> Value {
        self.finish(&self.call("CreateResource", &json!({"TypeName": type_name, "DesiredState": desired.to_string()})))
    }

    pub fn update(&self, type_name: &str, identifier: &str, patch: &Value) -> Answer {
        self.call(
            "UpdateResource",
            &json!({"TypeName": type_name, "Identifier": identifier, "PatchDocument": patch.to_string()}),
        )
    }

    pub fn delete(&self, type_name: &str, identifier: &str) -> Value {
        self.finish(&self.call("DeleteResource", &json!({"TypeName": type_name, "Identifier": identifier})))
    }

    /// Starts a create; the first event.
    pub fn begin(&self, type_name: &str, desired: &Value) -> Value {
        let body = json!({"TypeName": type_name, "DesiredState": desired.to_string()});
        let answer = self.call("CreateResource", &body);
        assert_eq!(answer.status, 200, "{}", answer.text);
        answer.json()["ProgressEvent"].clone()
    }

    /// The present event of the request that an event is about.
    pub fn look(&self, event: &Value) -> Value {
        let answer = self.call("GetResourceRequestStatus", &json!({"RequestToken": event["RequestToken"]}));
        assert_eq!(answer.status, 200, "{}", answer.text);
        answer.json()["ProgressEvent"].clone()
    }

    /// What a read shows.
    pub fn read(&self, type_name: &str, identifier: &str) -> Value {
        let answer = self.call("GetResource", &json!({"TypeName": type_name, "Identifier": identifier}));
        assert_eq!(answer.status, 200, "{}", answer.text);
        serde_json::from_str(answer.json()["ResourceDescription"]["Properties"].as_str().unwrap()).unwrap()
    }
}
