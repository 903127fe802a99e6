//! Types that declare an update which no patch can pass: a required value cannot be read and cannot be sent again.

#![allow(
    clippy::unwrap_used,
    clippy::print_stderr,
    reason = "a test stops at the first surprise and says what it skipped"
)]

mod support;

use serde_json::{Value, json};
use support::published;

/// The types, and the required property that is create-only and write-only at once.
const TYPES: [&str; 12] = [
    "AWS::ACMPCA::CertificateAuthority",
    "AWS::DataZone::Connection",
    "AWS::DataZone::DataSource",
    "AWS::DataZone::Environment",
    "AWS::DataZone::EnvironmentBlueprintConfiguration",
    "AWS::DataZone::EnvironmentProfile",
    "AWS::DataZone::GroupProfile",
    "AWS::DataZone::Project",
    "AWS::DataZone::ProjectMembership",
    "AWS::DataZone::SubscriptionTarget",
    "AWS::DataZone::UserProfile",
    "AWS::RefactorSpaces::Route",
];

#[test]
fn twelve_types_fail_every_patch() {
    let Some((client, schemas)) = published() else {
        eprintln!("skipped: the published schemas are not there; run make generate");
        return;
    };
    let list = |schema: &Value, name: &str| -> Vec<String> {
        let list = schema[name].as_array().into_iter().flatten();
        list.filter_map(|path| path.as_str()?.strip_prefix("/properties/").map(str::to_owned)).collect()
    };
    let mut found = Vec::new();
    for schema in schemas.iter().filter(|schema| schema["handlers"].get("update").is_some()) {
        let type_name = schema["typeName"].as_str().unwrap();
        let (create_only, write_only) = (list(schema, "createOnlyProperties"), list(schema, "writeOnlyProperties"));
        let required = schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str);
        let hidden: Vec<&str> = required
            .filter(|name| [&create_only, &write_only].iter().all(|list| list.iter().any(|path| path == name)))
            .collect();
        let Some(name) = hidden.first() else { continue };
        found.push(type_name);

        let sample =
            client.send("POST", "/_emu/generate", "", &json!({"type": type_name}).to_string()).json()["desiredState"]
                .clone();
        let event = client.create(type_name, &sample);
        assert_eq!(event["OperationStatus"], "SUCCESS", "{type_name}: {event}");
        let identifier = event["Identifier"].as_str().unwrap();
        let left_out = client.update(type_name, identifier, &json!([]));
        let error = left_out.json();
        assert!(error["__type"].as_str().unwrap().ends_with("#ValidationException"), "{type_name}: {error}");
        assert!(
            error["Message"].as_str().unwrap().contains(&format!("required key [{name}] not found")),
            "{type_name}: {error}"
        );
        let again: Vec<Value> =
            hidden.iter().map(|name| json!({"op": "add", "path": format!("/{name}"), "value": sample[name]})).collect();
        let error = client.update(type_name, identifier, &json!(again)).json();
        assert!(error["__type"].as_str().unwrap().ends_with("#NotUpdatableException"), "{type_name}: {error}");
    }
    found.sort_unstable();
    assert_eq!(found, TYPES);
}
