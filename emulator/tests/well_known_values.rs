//! Server-made values of types that everybody knows, on the schemas that this build carries.

#![allow(
    clippy::unwrap_used,
    clippy::print_stderr,
    reason = "a test stops at the first surprise and says what it skipped"
)]

mod support;

use emulator::Emulator;
use serde_json::{Value, json};
use support::Client;

#[test]
fn well_known_types_get_well_known_values() {
    let emulator =
        Emulator::builder().start_blocking().expect("this build carries schemas; `make generate` comes first");
    let client = Client { emulator, account: "123456789012", region: "eu-west-1" };
    let keys = json!({"KeySchema": [{"AttributeName": "k", "KeyType": "HASH"}], "AttributeDefinitions": [{"AttributeName": "k", "AttributeType": "S"}], "TableName": "t"});
    let streaming = with(&keys, json!({"TableName": "s", "StreamSpecification": {"StreamViewType": "KEYS_ONLY"}}));
    let role = "arn:aws:iam::123456789012:role/r";
    for (type_name, desired, property, expected) in [
        ("AWS::S3::Bucket", json!({"BucketName": "one"}), "Arn", "arn:aws:s3:::one"),
        ("AWS::S3::Bucket", json!({"BucketName": "two"}), "RegionalDomainName", "two.s3.eu-west-1.amazonaws.com"),
        ("AWS::S3::Bucket", json!({}), "BucketName", "bucket-*"),
        (
            "AWS::SQS::Queue",
            json!({"QueueName": "q"}),
            "QueueUrl",
            "https://sqs.eu-west-1.amazonaws.com/123456789012/q",
        ),
        ("AWS::SQS::Queue", json!({}), "Arn", "arn:aws:sqs:eu-west-1:123456789012:Queue-*"),
        (
            "AWS::Logs::LogGroup",
            json!({"LogGroupName": "/a/b"}),
            "Arn",
            "arn:aws:logs:eu-west-1:123456789012:log-group:/a/b:*",
        ),
        ("AWS::IAM::Role", json!({"AssumeRolePolicyDocument": {}, "RoleName": "r"}), "Arn", role),
        (
            "AWS::IAM::Role",
            json!({"AssumeRolePolicyDocument": {}, "Path": "/p/"}),
            "Arn",
            "arn:aws:iam::123456789012:role/p/Role-*",
        ),
        ("AWS::IAM::Role", json!({"AssumeRolePolicyDocument": {}}), "RoleId", "AROA*"),
        (
            "AWS::Lambda::Function",
            json!({"FunctionName": "f", "Role": role, "Code": {"ZipFile": "x"}}),
            "Arn",
            "arn:aws:lambda:eu-west-1:123456789012:function:f",
        ),
        (
            "AWS::SSM::Parameter",
            json!({"Name": "/a/b", "Type": "String", "Value": "v"}),
            "Arn",
            "arn:aws:ssm:eu-west-1:123456789012:parameter/a/b",
        ),
        (
            "AWS::SSM::Parameter",
            json!({"Name": "p", "Type": "String", "Value": "v"}),
            "Arn",
            "arn:aws:ssm:eu-west-1:123456789012:parameter/p",
        ),
        ("AWS::DynamoDB::Table", keys, "StreamArn", ""),
        ("AWS::DynamoDB::Table", streaming, "StreamArn", "arn:aws:dynamodb:eu-west-1:123456789012:table/s/stream/*"),
        ("AWS::EC2::VPC", json!({"CidrBlock": "10.0.0.0/16"}), "VpcId", "vpc-*"),
        ("AWS::EC2::VPC", json!({"CidrBlock": "10.1.0.0/16"}), "DefaultNetworkAcl", "acl-*"),
        (
            "AWS::EC2::Subnet",
            json!({"VpcId": "vpc-0123456789abcdef0", "CidrBlock": "10.0.0.0/24"}),
            "SubnetId",
            "subnet-*",
        ),
        ("AWS::EC2::SecurityGroup", json!({"GroupDescription": "d"}), "GroupId", "sg-*"),
    ] {
        let event = client.create(type_name, &desired);
        assert_eq!(event["OperationStatus"], "SUCCESS", "{type_name} {desired}: {event}");
        let read = client.read(type_name, event["Identifier"].as_str().unwrap());
        let value = read.get(property).and_then(Value::as_str).unwrap_or_default();
        let fits = match expected.strip_suffix('*') {
            Some(start) if !expected.ends_with(":*") => value.starts_with(start) && value.len() > start.len(),
            Some(_) | None => value == expected,
        };
        assert!(fits, "{type_name} {property}: {value:?} is not {expected:?}");
    }
}

fn with(base: &Value, more: Value) -> Value {
    let mut merged = base.clone();
    json_patch::merge(&mut merged, &more);
    merged
}
