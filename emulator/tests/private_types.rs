//! Types of a namespace other than AWS: versions, configurations, and types that cannot be provisioned.

#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

mod support;

use emulator::{Options, Switches, Unprovisionable};
use serde_json::{Value, json};
use support::Client;

const MINE: &str = "Mine::Own::Thing";

fn schema(name: &str, more: Value) -> Value {
    let mut schema = json!({
        "typeName": name,
        "properties": {"Name": {"type": "string"}},
        "primaryIdentifier": ["/properties/Name"],
        "handlers": {"create": {}, "read": {}, "delete": {}, "list": {}},
    });
    schema.as_object_mut().unwrap().append(&mut more.as_object().unwrap().clone());
    schema
}

#[test]
fn private_types_have_one_version() {
    let client = Client::start(&[schema(MINE, json!({})), schema("AWS::Own::Thing", json!({}))], Options::default());
    let list =
        |name: &str, version: &str| client.call("ListResources", &json!({"TypeName": name, "TypeVersionId": version}));
    assert_eq!((list(MINE, "00000001").status, list("AWS::Own::Thing", "00000007").status), (200, 200));
    let other = client.refused("ListResources", &json!({"TypeName": MINE, "TypeVersionId": "00000002"}));
    assert_eq!(other, "TypeNotFoundException: The type 'Mine::Own::Thing' cannot be found.");
}

#[test]
fn private_types_need_their_configuration() {
    let configured = json!({"typeConfiguration": {"type": "object", "properties": {"Token": {"type": "string"}}, "required": ["Token"], "additionalProperties": false}});
    let client =
        Client::start(&[schema(MINE, configured.clone()), schema("AWS::Own::Thing", configured)], Options::default());
    assert_eq!(
        client.create("AWS::Own::Thing", &json!({"Name": "a"}))["OperationStatus"],
        "SUCCESS",
        "types of AWS need none"
    );
    let body = json!({"TypeName": MINE, "DesiredState": "{\"Name\":\"a\"}"});
    let refusal =
        "InvalidRequestException: Invalid request provided: the type configuration of Mine::Own::Thing is not set";
    assert_eq!(client.refused("CreateResource", &body), refusal);
    let page = format!("/_emu/type-configuration/{MINE}");
    let wrong = client.send("PUT", &page, "", "{}");
    assert!(wrong.status == 400 && wrong.text.contains("required key [Token] not found"), "{}", wrong.text);
    assert_eq!(client.send("PUT", &page, "", "{\"Token\":\"t\"}").status, 200);
    assert_eq!(client.create(MINE, &json!({"Name": "a"}))["OperationStatus"], "SUCCESS");
    assert_eq!(client.send("DELETE", &page, "", "").status, 200);
    assert_eq!(client.refused("CreateResource", &body), refusal);
    for (name, status) in [("AWS::Own::Thing", 400), ("No::Such::Type", 404)] {
        assert_eq!(client.send("PUT", &format!("/_emu/type-configuration/{name}"), "", "{}").status, status);
    }
}

#[test]
fn types_that_cannot_be_provisioned_are_served_on_demand() {
    for (unprovisionable, expected) in [(Unprovisionable::Reject, 400), (Unprovisionable::Allow, 200)] {
        let options = Options { switches: Switches { unprovisionable, ..Switches::default() }, ..Options::default() };
        let client = Client::start(&[schema(MINE, json!({"provisioningType": "NON_PROVISIONABLE"}))], options);
        let answer = client.call("ListResources", &json!({"TypeName": MINE}));
        assert_eq!(answer.status, expected, "{}", answer.text);
    }
}
