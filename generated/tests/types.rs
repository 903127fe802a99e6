//! Typed resources become CloudFormation JSON and come back from it without a loss.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test ends with its first surprise")]

use std::collections::BTreeMap;
use std::fmt::Debug;

use generated::typed::Resource;
use generated::types::dynamodb::Table;
use generated::types::iam::{Role, RolePolicy};
use generated::types::logs::{LogGroup, MetricFilter};
use generated::types::s3::{
    Bucket, BucketEncryption, BucketServerSideEncryptionByDefault, BucketServerSideEncryptionByDefaultSseAlgorithm,
    BucketServerSideEncryptionRule,
};
use generated::types::sqs::{Queue, QueueTag, RedrivePolicyProperties};
use serde::de::DeserializeOwned;
use serde_json::{Number, Value, json};

#[test]
fn what_is_built_has_the_names_of_cloudformation() {
    let bucket = Bucket {
        bucket_name: Some("logs".into()),
        bucket_encryption: Some(BucketEncryption {
            server_side_encryption_configuration: Some(vec![BucketServerSideEncryptionRule {
                bucket_key_enabled: Some(true),
                server_side_encryption_by_default: Some(BucketServerSideEncryptionByDefault {
                    sse_algorithm: Some("aws:kms".into()),
                    kms_master_key_id: Some("alias/logs".into()),
                    ..Default::default()
                }),
                ..Default::default()
            }]),
            ..Default::default()
        }),
        ..Default::default()
    };
    assert_eq!(
        serde_json::to_value(&bucket).unwrap(),
        json!({
            "BucketName": "logs",
            "BucketEncryption": {"ServerSideEncryptionConfiguration": [{
                "BucketKeyEnabled": true,
                "ServerSideEncryptionByDefault": {"SSEAlgorithm": "aws:kms", "KMSMasterKeyID": "alias/logs"},
            }]},
        })
    );
    let queue = Queue {
        queue_name: Some("jobs".into()),
        delay_seconds: Some(5),
        redrive_policy: Some(RedrivePolicyProperties { max_receive_count: Some(3), ..Default::default() }),
        tags: Some(vec![QueueTag { key: Some("team".into()), value: Some("a".into()), ..Default::default() }]),
        ..Default::default()
    };
    assert_eq!(
        serde_json::to_value(&queue).unwrap(),
        json!({
            "QueueName": "jobs",
            "DelaySeconds": 5,
            "RedrivePolicy": {"maxReceiveCount": 3},
            "Tags": [{"Key": "team", "Value": "a"}],
        })
    );
    assert_eq!(serde_json::to_value(Queue::default()).unwrap(), json!({}));
}

#[test]
fn models_survive_reading_and_writing() {
    let policy = json!({
        "Version": "2012-10-17",
        "Statement": [{"Effect": "Allow", "Principal": {"Service": "lambda.amazonaws.com"}, "Action": "sts:AssumeRole"}],
    });
    check::<Role>(json!({
        "RoleName": "worker",
        "AssumeRolePolicyDocument": policy,
        "MaxSessionDuration": 3600,
        "ManagedPolicyArns": [],
        "Policies": [{"PolicyName": "inline", "PolicyDocument": {"Statement": []}}],
    }));
    check::<RolePolicy>(json!({"PolicyName": "p", "RoleName": "r", "PolicyDocument": "as text"}));
    check::<Table>(json!({
        "TableName": "t",
        "BillingMode": "PROVISIONED",
        "KeySchema": [{"AttributeName": "id", "KeyType": "HASH"}],
        "AttributeDefinitions": [{"AttributeName": "id", "AttributeType": "S"}],
        "ProvisionedThroughput": {"ReadCapacityUnits": 5, "WriteCapacityUnits": 9_007_199_254_740_993_i64},
        "TimeToLiveSpecification": {"Enabled": false},
    }));
    check::<LogGroup>(json!({"LogGroupName": "/app", "RetentionInDays": 14, "Arn": "arn:aws:logs:::x"}));
    check::<MetricFilter>(json!({
        "FilterPattern": "",
        "MetricTransformations": [
            {"MetricName": "a", "MetricValue": "1", "DefaultValue": 0},
            {"MetricName": "b", "MetricValue": "1", "DefaultValue": 0.1, "Dimensions": [{"Key": "k", "Value": "v"}]},
            {"MetricName": "c", "MetricValue": "1", "DefaultValue": 1.0},
        ],
    }));
    check::<Bucket>(json!({
        "LifecycleConfiguration": {"Rules": [{
            "Id": "r",
            "Status": "Enabled",
            "Transitions": [{"StorageClass": "GLACIER", "TransitionInDays": 1}, {"StorageClass": "Glacier"}],
        }]},
    }));
}

#[test]
fn what_the_schema_does_not_know_is_kept() {
    let model = json!({
        "QueueName": "q",
        "NewSetting": {"Deep": [1, null]},
        "DelaySeconds": null,
        "Tags": [{"Key": "k", "Value": "v", "Propagate": true}],
    });
    let queue = check::<Queue>(model);
    assert_eq!(queue.delay_seconds, None);
    assert_eq!(
        queue.other,
        BTreeMap::from([
            ("NewSetting".to_owned(), json!({"Deep": [1, null]})),
            ("DelaySeconds".to_owned(), Value::Null)
        ])
    );
    assert_eq!(queue.tags.unwrap()[0].other, BTreeMap::from([("Propagate".to_owned(), json!(true))]));
}

#[test]
fn a_member_wins_over_what_is_kept_under_its_name() {
    let other = BTreeMap::from([("DelaySeconds".to_owned(), json!(9)), ("NewSetting".to_owned(), json!(1))]);
    let queue = Queue { delay_seconds: Some(5), other, ..Default::default() };
    assert_eq!(serde_json::to_string(&queue).unwrap(), r#"{"DelaySeconds":5,"NewSetting":1}"#);
}

#[test]
fn enums_are_open() {
    type Algorithm = BucketServerSideEncryptionByDefaultSseAlgorithm;
    for (value, known) in [("AES256", Some(Algorithm::Aes256)), ("aws:kms", Some(Algorithm::Awskms)), ("aws:new", None)]
    {
        let algorithm = check::<Algorithm>(json!(value));
        assert_eq!(algorithm, known.unwrap_or_else(|| Algorithm::Other(value.to_owned())));
        assert_eq!(algorithm, Algorithm::from(value));
        assert_eq!((algorithm.as_str(), algorithm.to_string()), (value, value.to_owned()));
    }
}

#[test]
fn a_wrong_type_is_an_error_with_its_place() {
    fn check<T: DeserializeOwned + Debug>(model: Value, expected: &str) {
        assert_eq!(serde_json::from_value::<T>(model).unwrap_err().to_string(), expected);
    }
    check::<Queue>(json!([]), "expected an object, found a list");
    check::<Queue>(json!({"QueueName": 5}), "/QueueName: expected a string, found the number 5");
    check::<Queue>(
        json!({"DelaySeconds": "secret"}),
        "/DelaySeconds: expected a whole number of 64 bits, found a string",
    );
    check::<Queue>(
        json!({"DelaySeconds": 1.5, "QueueName": 5}),
        "/DelaySeconds: expected a whole number of 64 bits, found the number 1.5",
    );
    check::<Queue>(json!({"FifoQueue": {}}), "/FifoQueue: expected a boolean, found an object");
    check::<Queue>(
        json!({"Tags": [{"Key": "k"}, {"Key": false}]}),
        "/Tags/1/Key: expected a string, found the boolean false",
    );
    check::<Queue>(json!({"Tags": [null]}), "/Tags/0: expected an object, found null");
    check::<MetricFilter>(
        json!({"MetricTransformations": [{"DefaultValue": "1"}]}),
        "/MetricTransformations/0/DefaultValue: expected a number, found a string",
    );
}

#[test]
fn resources_say_what_they_are() {
    fn check<T: Resource>(type_name: &str, token: &str) {
        assert_eq!((T::TYPE_NAME, T::TOKEN), (type_name, token));
        assert_eq!(generated::resource(T::TOKEN).unwrap().cfn_type(), type_name);
    }
    check::<Bucket>("AWS::S3::Bucket", "aws-native:s3:Bucket");
    check::<Table>("AWS::DynamoDB::Table", "aws-native:dynamodb:Table");
    check::<LogGroup>("AWS::Logs::LogGroup", "aws-native:logs:LogGroup");
}

#[test]
fn numbers_are_as_written() {
    let queue: Queue = serde_json::from_str(r#"{"DelaySeconds": 9223372036854775807}"#).unwrap();
    assert_eq!(queue.delay_seconds, Some(i64::MAX));
    assert_eq!(Number::from_f64(0.1).unwrap().to_string(), "0.1");
}

#[test]
fn debug_shows_what_has_a_value() {
    let queue = Queue { queue_name: Some("q".into()), ..Default::default() };
    assert_eq!(format!("{queue:?}"), r#"Queue {"QueueName":"q"}"#);
    assert_eq!(format!("{queue:#?}"), "Queue {\n  \"QueueName\": \"q\"\n}");
}

/// Reads `model`, and expects it back as it was, also after a second turn and through text.
#[track_caller]
fn check<T: Typed>(model: Value) -> T {
    let value: T = serde_json::from_value(model.clone()).unwrap();
    assert_eq!(serde_json::to_value(&value).unwrap(), model);
    let text = serde_json::to_string(&value).unwrap();
    assert_eq!(serde_json::from_str::<T>(&text).unwrap(), value.clone());
    value
}

trait Typed: serde::Serialize + DeserializeOwned + Clone + PartialEq + Debug {}
impl<T: serde::Serialize + DeserializeOwned + Clone + PartialEq + Debug> Typed for T {}
