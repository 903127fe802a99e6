//! Server-made values of types that everybody knows, on the schemas that this build carries, against what public
//! documentation says (`tests/vectors`), and what an update makes of them.

#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

mod support;

use emulator::Emulator;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use support::Client;

const ARNS: &str = include_str!("../../tests/vectors/arns.tsv");
const ENDPOINTS: &str = include_str!("../../tests/vectors/endpoints.tsv");
const HOSTED_ZONES: &str = include_str!("../../tests/vectors/hosted-zones.tsv");

fn client() -> Client {
    let emulator =
        Emulator::builder().start_blocking().expect("this build carries schemas; `make generate` comes first");
    Client { emulator, account: "123456789012", region: "eu-west-1" }
}

fn rows(text: &str) -> impl Iterator<Item = Vec<&str>> {
    text.lines().filter(|line| !line.starts_with('#')).map(|line| line.split('\t').collect())
}

/// Whether a value is like an expected one, in which `?` is any character and `*` any text that is not empty.
fn is_like(expected: &str, value: &str) -> bool {
    let mut expected_rest = expected.chars();
    let mut rest = value.chars();
    loop {
        match (expected_rest.next(), rest.next()) {
            (None, None) => return true,
            (Some('*'), Some(_)) => {
                let after = expected_rest.as_str();
                let from_here = std::iter::once(rest.as_str().to_owned());
                let tails = rest.as_str().char_indices().map(|(at, _)| rest.as_str()[at..].to_owned());
                return tails.chain(from_here).chain([String::new()]).any(|tail| is_like(after, &tail));
            }
            (Some('?'), Some(_)) => {}
            (Some(wanted), Some(found)) if wanted == found => {}
            _ => return false,
        }
    }
}

/// Creates what a row describes and looks at one property, whose name may lead deeper with slashes.
fn check(client: &Client, type_name: &str, desired: &str, property: &str, expected: &str) {
    let desired: Value = serde_json::from_str(desired).unwrap();
    let event = client.create(type_name, &desired);
    assert_eq!(event["OperationStatus"], "SUCCESS", "{type_name} {desired}: {event}");
    let identifier = event["Identifier"].as_str().unwrap();
    let read = client.read(type_name, identifier);
    let found = match read.pointer(&format!("/{property}")) {
        Some(Value::String(text)) => text.clone(),
        Some(other) => other.to_string(),
        None => String::new(),
    };
    // `:*` at the end of an ARN stands for itself.
    let is_right = found == expected || (!expected.ends_with(":*") && is_like(expected, &found));
    assert!(is_right, "{type_name} {property}: {found:?} is not {expected:?} in {read}");
    client.delete(type_name, identifier);
}

#[test]
fn arns_are_those_of_the_user_guides() {
    let client = client();
    for row in rows(ARNS) {
        let [type_name, desired, property, expected, _] = row.as_slice() else { panic!("{row:?}") };
        check(&client, type_name, desired, property, expected);
    }
}

#[test]
fn endpoints_and_hosted_zones_are_those_of_their_region() {
    let mut clients: BTreeMap<&str, Client> = BTreeMap::new();
    for row in rows(ENDPOINTS).chain(rows(HOSTED_ZONES)) {
        let [region, type_name, desired, property, expected, _] = row.as_slice() else { panic!("{row:?}") };
        let client = clients.entry(region).or_insert_with(|| Client { region, ..client() });
        check(client, type_name, desired, property, expected);
    }
}

#[test]
fn names_are_made_for_what_nobody_named() {
    let client = client();
    for (type_name, desired, property, expected) in [
        ("AWS::S3::Bucket", "{}", "BucketName", "bucket-????????????"),
        ("AWS::SQS::Queue", "{}", "Arn", "arn:aws:sqs:eu-west-1:123456789012:Queue-????????????"),
        ("AWS::IAM::Role", r#"{"AssumeRolePolicyDocument":{},"Path":"/p/"}"#, "Arn", "arn:*:role/p/Role-????????????"),
        ("AWS::SNS::Topic", "{}", "TopicName", "Topic-????????????"),
        (
            "AWS::RDS::DBSubnetGroup",
            r#"{"DBSubnetGroupDescription":"d","SubnetIds":["a"]}"#,
            "DBSubnetGroupName",
            "dbsubnetgroup-*",
        ),
        ("AWS::EC2::VPC", r#"{"CidrBlock":"10.0.0.0/16"}"#, "VpcId", "vpc-?????????????????"),
        ("AWS::EC2::VPC", r#"{"CidrBlock":"10.1.0.0/16"}"#, "DefaultNetworkAcl", "acl-*"),
        ("AWS::EC2::SecurityGroup", r#"{"GroupDescription":"d"}"#, "GroupId", "sg-*"),
        ("AWS::EC2::Subnet", r#"{"VpcId":"vpc-1","CidrBlock":"10.0.0.0/24"}"#, "AvailabilityZone", "eu-west-1?"),
        ("AWS::EC2::Subnet", r#"{"VpcId":"vpc-1","AvailabilityZone":"eu-west-1b"}"#, "AvailabilityZoneId", "euw1-az2"),
        ("AWS::EC2::VPCGatewayAttachment", r#"{"VpcId":"vpc-1","InternetGatewayId":"igw-1"}"#, "AttachmentType", "IGW"),
    ] {
        check(&client, type_name, desired, property, expected);
    }
}

#[test]
fn streams_exist_where_they_were_asked_for() {
    let client = client();
    let keys = json!({"KeySchema": [{"AttributeName": "k", "KeyType": "HASH"}], "TableName": "t",
        "AttributeDefinitions": [{"AttributeName": "k", "AttributeType": "S"}]});
    client.create("AWS::DynamoDB::Table", &keys);
    assert_eq!(client.read("AWS::DynamoDB::Table", "t").get("StreamArn"), None);
}

#[test]
fn updates_move_versions_and_what_is_made_of_properties() {
    let client = client();
    let launch = client
        .create("AWS::EC2::PrefixList", &json!({"PrefixListName": "p", "MaxEntries": 5, "AddressFamily": "IPv4"}));
    let identifier = launch["Identifier"].as_str().unwrap();
    let read = || client.read("AWS::EC2::PrefixList", identifier);
    let before = read();
    assert_eq!(before["Version"], 1);
    let patch = json!([{"op": "replace", "path": "/MaxEntries", "value": 6}]);
    assert_eq!(client.finish(&client.update("AWS::EC2::PrefixList", identifier, &patch))["OperationStatus"], "SUCCESS");
    let after = read();
    assert_eq!((&after["Version"], &after["MaxEntries"]), (&json!(2), &json!(6)));
    assert_eq!((&after["Arn"], &after["PrefixListId"]), (&before["Arn"], &before["PrefixListId"]));

    let instance = json!({"DBInstanceIdentifier": "d", "Engine": "mysql", "DBInstanceClass": "db.t4g.micro"});
    client.create("AWS::RDS::DBInstance", &instance);
    let patch = json!([{"op": "add", "path": "/Port", "value": "3307"}]);
    client.finish(&client.update("AWS::RDS::DBInstance", "d", &patch));
    let after = client.read("AWS::RDS::DBInstance", "d");
    assert_eq!(after["Endpoint"]["Port"], "3307", "{after}");
}
