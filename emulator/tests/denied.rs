//! The list of denials: calls that callers may not make, and handlers that lack a permission.

#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

mod support;

use emulator::{Options, Switches};
use serde_json::{Value, json};
use support::Client;

const THING: &str = "Test::Denied::Thing";
const ROLE: &str = "arn:aws:iam::123456789012:role/deployer";

fn client(deny: &str) -> Client {
    let handler = |action: &str| json!({"permissions": [format!("things:{action}"), "kms:Decrypt"]});
    let schema = json!({
        "typeName": THING,
        "properties": {"Name": {"type": "string"}, "Count": {"type": "integer"}},
        "primaryIdentifier": ["/properties/Name"],
        "handlers": {
            "create": handler("Create"), "read": handler("Get"), "update": handler("Update"),
            "delete": handler("Delete"), "list": handler("List"),
        },
    });
    let mut switches = Switches::default();
    switches.set("deny", deny).unwrap();
    Client::start(&[schema], Options { switches, ..Options::default() })
}

fn create(name: &str, role: Option<&str>) -> Value {
    let mut body = json!({"TypeName": THING, "DesiredState": json!({"Name": name}).to_string()});
    if let Some(role) = role {
        body["RoleArn"] = json!(role);
    }
    body
}

fn failed(event: &Value) -> (&str, &str) {
    assert_eq!(event["OperationStatus"], "FAILED", "{event}");
    (event["ErrorCode"].as_str().unwrap(), event["StatusMessage"].as_str().unwrap())
}

#[test]
fn calls_are_refused_to_callers_that_may_not_make_them() {
    let client = client("cloudformation:CreateResource@arn:aws:iam::*:user/*,cloudformation:List*@*role/reader");
    let refusal = client.refused("CreateResource", &create("a", Some(ROLE)));
    let expected = "AccessDeniedException: User: arn:aws:iam::123456789012:user/emulator is not authorized to perform: \
                    cloudformation:CreateResource with an explicit deny in an identity-based policy";
    assert_eq!(refusal, expected, "the caller is asked about, whatever role the handler has");
    let answer = client.call("CreateResource", &create("a", None));
    assert_eq!(answer.json()["__type"], "com.amazon.coral.service#AccessDeniedException");
    assert_eq!(answer.status, 400);
    assert_eq!(client.call("ListResources", &json!({"TypeName": THING})).status, 200);
    assert_eq!(client.call("ListResourceRequests", &json!({})).status, 200);
}

#[test]
fn handlers_that_lack_a_permission_fail() {
    // The role lacks what creating needs, the caller what reading, listing and deleting need.
    let client = client(&format!(
        "things:Create@{ROLE},things:Get@*user/*,things:List@*user/*,things:Delete,things:Update@none"
    ));
    let event = client.finish(&client.call("CreateResource", &create("a", Some(ROLE))));
    assert_eq!(failed(&event), ("AccessDenied", "Access denied for operation 'things:Create'."));
    assert_eq!(client.create(THING, &json!({"Name": "a"}))["OperationStatus"], "SUCCESS", "the caller may");
    let patch = json!([{"op": "add", "path": "/Count", "value": 1}]);
    let mut change = json!({"TypeName": THING, "Identifier": "a", "PatchDocument": patch.to_string()});
    let refusal = client.refused("UpdateResource", &change);
    assert!(refusal.contains("Access denied for operation 'things:Get'."), "an update reads first: {refusal}");
    change["RoleArn"] = json!(ROLE);
    assert_eq!(client.finish(&client.call("UpdateResource", &change))["OperationStatus"], "SUCCESS", "the role may");
    assert_eq!(failed(&client.delete(THING, "a")), ("AccessDenied", "Access denied for operation 'things:Delete'."));

    for (operation, action, body) in [
        ("GetResource", "things:Get", json!({"TypeName": THING, "Identifier": "a"})),
        ("ListResources", "things:List", json!({"TypeName": THING})),
    ] {
        let refusal = client.refused(operation, &body);
        let expected = format!(
            "AccessDeniedException: {THING} Handler returned status FAILED: Access denied for operation '{action}'. \
             (HandlerErrorCode: AccessDenied, RequestToken: "
        );
        assert!(refusal.starts_with(&expected), "{refusal}");
        let mut as_role = body;
        as_role["RoleArn"] = json!(ROLE);
        assert_eq!(client.call(operation, &as_role).status, 200, "the role may");
    }
}
