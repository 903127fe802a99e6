//! What is not served says so in the form of its service, and is counted.

use super::{element, start};
use emulator::Options;
use serde_json::json;

#[test]
fn what_is_not_served_is_named_and_counted() {
    let client = start(Options::default());
    let sts = client.query("sts", "1", "Action=GetFederationToken");
    assert_eq!((sts.status, element(&sts.text, "Code").as_deref()), (501, Some("NotImplemented")));
    assert!(sts.text.contains("GetFederationToken of sts"), "{}", sts.text);
    let ec2 = client.query("ec2", "1", "Action=RunInstances&Version=2016-11-15");
    assert_eq!((ec2.status, ec2.text.starts_with("<Response><Errors><Error><Code>NotImplemented")), (501, true));
    let ssm = client.json_call("ssm", "AmazonSSM.SendCommand", &json!({}));
    assert_eq!((ssm.status, &ssm.json()["__type"]), (501, &json!("NotImplemented")));
    let s3 = client.send("GET", "/bucket?acl", "", "");
    assert_eq!((s3.status, s3.text.contains("GET ?acl of s3")), (501, true), "{}", s3.text);
    let lambda = client.send("DELETE", "/2015-03-31/functions/f", "", "");
    assert_eq!((lambda.status, lambda.text.contains("of lambda")), (501, true));
    let other = client.json_call("dynamodb", "DynamoDB_20120810.GetItem", &json!({}));
    assert_eq!(other.status, 501);
    assert!(other.text.contains("GetItem of DynamoDB_20120810; it serves Cloud Control, sts ("), "{}", other.text);
    let metrics = client.send("GET", "/metrics", "", "").text;
    for (service, operation) in
        [("sts", "GetFederationToken"), ("ec2", "RunInstances"), ("ssm", "SendCommand"), ("s3", "GET ?acl")]
    {
        let line = format!("emulator_unserved_total{{service=\"{service}\",operation=\"{operation}\"}} 1");
        assert!(metrics.contains(&line), "{line} in {metrics}");
    }
    assert!(metrics.contains("emulator_calls_total{service=\"sts\",operation=\"unknown\",code=\"NotImplemented\"} 1"));
}
