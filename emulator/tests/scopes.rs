//! Accounts and regions: each has its own resources, requests and client tokens; global types have no region.

#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

mod support;

use emulator::{Emulator, Options, SchemaSource, Switches};
use serde_json::{Value, json};
use support::Client;

const SCOPES: [(&str, &str); 4] = [
    ("111111111111", "eu-west-1"),
    ("111111111111", "us-east-1"),
    ("222222222222", "eu-west-1"),
    ("222222222222", "us-east-1"),
];

fn schema(name: &str) -> String {
    json!({
        "typeName": name,
        "properties": {"Name": {"type": "string"}, "Arn": {"type": "string"}},
        "primaryIdentifier": ["/properties/Name"],
        "readOnlyProperties": ["/properties/Arn"],
        "handlers": {"create": {}, "read": {}, "update": {}, "delete": {}, "list": {}},
    })
    .to_string()
}

/// A client that changes its place from call to call.
fn at(client: Client, (account, region): (&'static str, &'static str)) -> Client {
    Client { account, region, ..client }
}

fn client(switches: Switches) -> Client {
    // Of the last two the data says that they are global, and that names are unique everywhere.
    let types = ["AWS::Test::Queue", "AWS::IAM::Role", "AWS::S3::Bucket"].map(schema).to_vec();
    let options = Options { switches, ..Options::default() };
    let emulator = Emulator::builder().schemas(SchemaSource::Texts(types)).options(options).start_blocking().unwrap();
    Client { emulator, account: "111111111111", region: "eu-west-1" }
}

fn listed(client: &Client, type_name: &str) -> usize {
    client.call("ListResources", &json!({"TypeName": type_name})).json()["ResourceDescriptions"]
        .as_array()
        .unwrap()
        .len()
}

#[test]
fn accounts_and_regions_are_apart() {
    let mut client = client(Switches::default());
    let mut tokens: Vec<Value> = Vec::new();
    for scope in SCOPES {
        client = at(client, scope);
        let body = json!({"TypeName": "AWS::Test::Queue", "DesiredState": "{\"Name\":\"q\"}", "ClientToken": "one"});
        let first = client.call("CreateResource", &body);
        tokens.push(first.json()["ProgressEvent"]["RequestToken"].clone());
        assert_eq!(client.finish(&first)["OperationStatus"], "SUCCESS", "{scope:?}");
        let arn = client.read("AWS::Test::Queue", "q")["Arn"].as_str().unwrap().to_owned();
        assert!(arn.contains(scope.0) && arn.contains(scope.1), "{arn}");
        let requests = client.call("ListResourceRequests", &json!({})).json();
        assert_eq!(requests["ResourceRequestStatusSummaries"].as_array().unwrap().len(), 1);
        assert_eq!(listed(&client, "AWS::Test::Queue"), 1);
    }
    let distinct: std::collections::BTreeSet<&str> = tokens.iter().map(|token| token.as_str().unwrap()).collect();
    assert_eq!(distinct.len(), SCOPES.len(), "a client token means one request in each place");
    let foreign = client.refused("GetResourceRequestStatus", &json!({"RequestToken": tokens[0]}));
    assert!(foreign.starts_with("RequestTokenNotFoundException"), "{foreign}");
    client = at(client, SCOPES[0]);
    client.delete("AWS::Test::Queue", "q");
    client = at(client, SCOPES[1]);
    assert_eq!(listed(&client, "AWS::Test::Queue"), 1);
}

#[test]
fn global_types_have_no_region_and_some_names_are_unique_everywhere() {
    let mut client = client(Switches::default());
    assert_eq!(client.create("AWS::IAM::Role", &json!({"Name": "r"}))["OperationStatus"], "SUCCESS");
    client = at(client, SCOPES[1]);
    assert_eq!(client.read("AWS::IAM::Role", "r")["Name"], "r");
    assert_eq!(client.create("AWS::IAM::Role", &json!({"Name": "r"}))["ErrorCode"], "AlreadyExists");
    client = at(client, SCOPES[2]);
    assert_eq!(client.create("AWS::IAM::Role", &json!({"Name": "r"}))["OperationStatus"], "SUCCESS");

    assert_eq!(client.create("AWS::S3::Bucket", &json!({"Name": "b"}))["OperationStatus"], "SUCCESS");
    for scope in [SCOPES[3], SCOPES[0]] {
        client = at(client, scope);
        assert_eq!(client.create("AWS::S3::Bucket", &json!({"Name": "b"}))["ErrorCode"], "AlreadyExists", "{scope:?}");
        assert_eq!(listed(&client, "AWS::S3::Bucket"), 0);
    }
}

#[test]
fn roles_may_switch_the_account() {
    let role = "arn:aws:iam::222222222222:role/deployer";
    for (is_on, account) in [(false, "111111111111"), (true, "222222222222")] {
        let mut client = client(Switches { role_switches_account: is_on, ..Switches::default() });
        let body = json!({"TypeName": "AWS::Test::Queue", "DesiredState": "{\"Name\":\"q\"}", "RoleArn": role});
        assert_eq!(client.call("CreateResource", &body).status, 200);
        client = at(client, (account, "eu-west-1"));
        let requests = client.call("ListResourceRequests", &json!({})).json();
        assert_eq!(requests["ResourceRequestStatusSummaries"].as_array().unwrap().len(), 1, "switch {is_on}");
    }
}
