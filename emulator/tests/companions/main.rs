//! Companion services over HTTP: what a provider calls beside Cloud Control.

#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

mod account;
mod ec2;
mod lambda;
mod s3;
mod ssm;
mod sts;
#[path = "../support/mod.rs"]
mod support;
mod unserved;

use emulator::{Options, Switches};
use serde_json::{Value, json};
use std::path::Path;
use support::{Answer, Client};

/// The types that companion services look at, cut down to what they look at.
fn schemas() -> Vec<Value> {
    let schema = |name: &str, identifier: &str, read_only: &[&str]| {
        json!({
            "typeName": name,
            "properties": {
                identifier: {"type": "string"}, "Type": {"type": "string"}, "Value": {"type": "string"},
                "Runtime": {"type": "string"}, "RoleId": {"type": "string"}
            },
            "primaryIdentifier": [format!("/properties/{identifier}")],
            "readOnlyProperties": read_only,
            "handlers": {"create": {}, "read": {}, "update": {}, "delete": {}, "list": {}}
        })
    };
    vec![
        schema("AWS::SSM::Parameter", "Name", &[]),
        schema("AWS::S3::Bucket", "BucketName", &[]),
        schema("AWS::Lambda::Function", "FunctionName", &[]),
        schema("AWS::IAM::Role", "RoleName", &["/properties/RoleId"]),
    ]
}

fn start(options: Options) -> Client {
    Client::start(&schemas(), options)
}

/// An emulator that keeps its state in a folder.
fn start_in(folder: &Path, switches: Switches) -> Client {
    start(Options { state: Some(folder.to_owned()), switches, ..Options::default() })
}

impl Client {
    /// A header that says which key signed a request for a service, with a signature that nobody looks at.
    fn signed_as(&self, key: &str, service: &str) -> String {
        format!(
            "authorization: AWS4-HMAC-SHA256 Credential={key}/20260101/{}/{service}/aws4_request, SignedHeaders=host, \
             Signature=0\r\n",
            self.region
        )
    }

    /// Calls a Query service.
    fn query(&self, service: &str, key: &str, form: &str) -> Answer {
        let kind = "content-type: application/x-www-form-urlencoded; charset=utf-8\r\n";
        self.send("POST", "/", &format!("{kind}{}", self.signed_as(key, service)), form)
    }

    /// Calls a service of AWS JSON 1.1.
    fn json_call(&self, service: &str, target: &str, body: &Value) -> Answer {
        let headers = format!("x-amz-target: {target}\r\n{}", self.signed_as(self.account, service));
        self.send("POST", "/", &headers, &body.to_string())
    }
}

/// The text of the first element of a name.
fn element(document: &str, name: &str) -> Option<String> {
    let (_, rest) = document.split_once(&format!("<{name}>"))?;
    rest.split_once(&format!("</{name}>")).map(|(text, _)| text.to_owned())
}

/// The texts of all elements of a name.
fn elements(document: &str, name: &str) -> Vec<String> {
    let open = format!("<{name}>");
    let parts = document.split(&open).skip(1);
    parts.filter_map(|part| part.split('<').next().map(str::to_owned)).collect()
}
