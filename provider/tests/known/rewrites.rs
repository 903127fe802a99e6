//! What the schemas of known types say that services rewrite.

use serde_json::json;

use super::{changes, differs, refreshed, resource, same};

#[test]
fn c28_what_known_services_rewrite_is_no_difference() {
    let key = "arn:aws:kms:eu-west-1:111122223333:key/1234abcd-12ab-34cd-56ef-1234567890ab";
    same("rds:DbCluster", json!({ "dbClusterIdentifier": "MyDB" }), json!({ "DBClusterIdentifier": "mydb" }));
    same("rds:DbCluster", json!({ "engineVersion": "13" }), json!({ "EngineVersion": "13.7" }));
    differs("rds:DbCluster", json!({ "engineVersion": "13" }), json!({ "EngineVersion": "14.1" }));
    same("rds:DbCluster", json!({ "kmsKeyId": "1234abcd-12ab-34cd-56ef-1234567890ab" }), json!({ "KmsKeyId": key }));
    same("cloudtrail:Trail", json!({ "kmsKeyId": "alias/mine" }), {
        json!({ "KMSKeyId": "arn:aws:kms:eu-west-1:111122223333:alias/mine" })
    });
    same("ec2:Subnet", json!({ "cidrBlock": "10.0.1.17/24" }), json!({ "CidrBlock": "10.0.1.0/24" }));
    differs("ec2:Subnet", json!({ "cidrBlock": "10.0.1.17/24" }), json!({ "CidrBlock": "10.0.2.0/24" }));
    same("route53:HostedZone", json!({ "name": "Example.com" }), json!({ "Name": "example.com." }));
    let rule = |protocol: &str, port: i32| json!({ "ipProtocol": protocol, "fromPort": port, "toPort": port, "cidrIp": "10.0.0.0/8" });
    let held = |protocol: &str, port: i32| json!({ "IpProtocol": protocol, "FromPort": port, "ToPort": port, "CidrIp": "10.0.0.0/8" });
    same(
        "ec2:SecurityGroup",
        json!({ "securityGroupIngress": [rule("6", 80), rule("-1", 0)] }),
        json!({ "SecurityGroupIngress": [held("-1", -1), held("tcp", 80)] }),
    );
    differs(
        "ec2:SecurityGroup",
        json!({ "securityGroupIngress": [rule("6", 80)] }),
        json!({ "SecurityGroupIngress": [held("tcp", 81)] }),
    );
    same("sqs:Queue", json!({ "kmsMasterKeyId": "alias/mine" }), {
        json!({ "KmsMasterKeyId": "arn:aws:kms:eu-west-1:111122223333:alias/mine" })
    });
}

#[test]
fn c28_rules_of_nested_objects_see_the_names_of_the_schema() {
    let key = "arn:aws:kms:eu-west-1:111122223333:key/1234abcd-12ab-34cd-56ef-1234567890ab";
    same(
        "dynamodb:Table",
        json!({ "sseSpecification": { "sseEnabled": true, "kmsMasterKeyId": "1234abcd-12ab-34cd-56ef-1234567890ab" } }),
        json!({ "SSESpecification": { "SSEEnabled": true, "KMSMasterKeyId": key } }),
    );
    differs(
        "dynamodb:Table",
        json!({ "sseSpecification": { "kmsMasterKeyId": "0234abcd-12ab-34cd-56ef-1234567890ab" } }),
        json!({ "SSESpecification": { "KMSMasterKeyId": key } }),
    );
    let detail =
        |of: &str| json!({ "eventSource": "aws.config", "messageType": format!("{of}ItemChangeNotification") });
    let held = |of: &str| json!({ "EventSource": "aws.config", "MessageType": format!("{of}ItemChangeNotification") });
    let inputs = |owner: &str| {
        let details = [detail("Configuration")];
        json!({ "source": { "owner": owner, "sourceIdentifier": "f", "sourceDetails": details } })
    };
    let model = |owner: &str| {
        let details = [held("Configuration"), held("OversizedConfiguration")];
        json!({ "Source": { "Owner": owner, "SourceIdentifier": "f", "SourceDetails": details } })
    };
    same("configuration:ConfigRule", inputs("CUSTOM_LAMBDA"), model("CUSTOM_LAMBDA"));
    differs("configuration:ConfigRule", inputs("AWS"), model("AWS"));
    // The rule spells the name otherwise than the schema.
    let id = "1234abcd-12ab-34cd-56ef-1234567890ab";
    same("rds:Integration", json!({ "kmsKeyId": id }), json!({ "KMSKeyId": key }));
    differs("rds:Integration", json!({ "kmsKeyId": &id[1..] }), json!({ "KMSKeyId": key }));
    // A look-ahead in a regular expression.
    let url = |arn: &str| json!({ "targetFunctionArn": arn });
    let function = "arn:aws:lambda:eu-west-1:111122223333:function:orders";
    same("lambda:Url", url("orders"), json!({ "TargetFunctionArn": function }));
    differs("lambda:Url", url("others"), json!({ "TargetFunctionArn": function }));
    differs("lambda:Url", url(&format!("{function}-2")), json!({ "TargetFunctionArn": function }));
}

#[test]
fn c29_phone_numbers_are_what_their_arns_end_in() {
    let arn = |id: &str| format!("arn:aws:sms-voice:eu-west-1:111122223333:phone-number/{id}");
    same(
        "smsvoice:Pool",
        json!({ "originationIdentities": [arn("phone-2"), arn("phone-1")] }),
        json!({ "OriginationIdentities": ["phone-1", "phone-2"] }),
    );
    differs(
        "smsvoice:Pool",
        json!({ "originationIdentities": [arn("phone-2")] }),
        json!({ "OriginationIdentities": ["phone-1"] }),
    );
}

#[test]
fn c92_rules_that_keep_the_end_of_a_text_hide_no_change() {
    let key = |key: &str| json!({ "replicas": [{ "region": "r", "sseSpecification": { "kmsMasterKeyId": key } }] });
    let held = |key: &str| json!({ "Replicas": [{ "Region": "r", "SSESpecification": { "KMSMasterKeyId": key } }] });
    changes("dynamodb:GlobalTable", key("alias/k"), key("key/k"), held("k"));
    let name = |account: &str| json!({ "functionName": format!("{account}:function:f") });
    for live in ["f", "111122223333:function:f"] {
        let (old, new) = (name("111122223333"), name("444455556666"));
        changes("lambda:Version", old, new, json!({ "FunctionName": live }));
    }
    same("lambda:Version", name("111122223333"), json!({ "FunctionName": "f" }));
}

#[test]
fn c92_constants_of_known_types_hide_no_change() {
    let key = |account: &str| format!("arn:aws:kms:eu-west-1:{account}:key/1234abcd-12ab-34cd-56ef-1234567890ab");
    let (one, other) = (key("111122223333"), key("444455556666"));
    changes("efs:FileSystem", json!({ "kmsKeyId": one }), json!({ "kmsKeyId": other }), json!({ "KmsKeyId": one }));
    changes("ec2:Eip", json!({ "domain": "vpc" }), json!({ "domain": "standard" }), json!({ "Domain": "vpc" }));
    changes(
        "directconnect:Connection",
        json!({ "location": "a" }),
        json!({ "location": "b" }),
        json!({ "Location": "a" }),
    );
    changes("s3files:FileSystem", json!({ "kmsKeyId": one }), json!({ "kmsKeyId": other }), json!({ "KmsKeyId": one }));
    // Where the program is as it was, they explain what the service holds.
    let eip = resource("ec2:Eip");
    let inputs = json!({ "domain": "standard" });
    assert_eq!(refreshed(eip, &inputs, &json!({ "Domain": "vpc" })), inputs);
    let inputs = json!({ "kmsKeyId": "alias/mine" });
    assert_eq!(refreshed(resource("efs:FileSystem"), &inputs, &json!({ "KmsKeyId": one })), inputs);
}
