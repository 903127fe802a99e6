//! Create, read, update and delete of every type that this build carries, with the smallest desired state of each.

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
fn every_type_lives_and_dies() {
    let emulator =
        Emulator::builder().start_blocking().expect("this build carries schemas; `make generate` comes first");
    let client = Client { emulator, account: "123456789012", region: "eu-west-1" };
    let types = client.send("GET", "/_emu/schemas", "", "").json()["types"].clone();
    let mut problems = Vec::new();
    for type_name in types.as_array().unwrap().iter().filter_map(Value::as_str) {
        let is_excepted = NOT_GENERATED.iter().any(|(excepted, _)| *excepted == type_name);
        match live(&client, type_name) {
            Ok(()) if is_excepted => {
                problems.push(format!("{type_name}: no longer an exception, remove it from the list"))
            }
            Err(problem) if !is_excepted => problems.push(format!("{type_name}: {problem}")),
            Ok(()) | Err(_) => {}
        }
    }
    assert!(problems.is_empty(), "{} of {}:\n{}", problems.len(), types.as_array().unwrap().len(), problems.join("\n"));
}

/// Types whose smallest desired state the generator does not find, with the reason.
const NOT_GENERATED: [(&str, &str); 2] = [
    ("AWS::BillingConductor::BillingGroup", "a choice at the root requires a member of a nested object"),
    ("AWS::MSK::Replicator", "two distinct elements of a type that requires no member"),
];

fn live(client: &Client, type_name: &str) -> Result<(), String> {
    let sample = client.send("POST", "/_emu/generate", "", &json!({"type": type_name}).to_string());
    if sample.status != 200 {
        return Err(sample.text);
    }
    let sample = sample.json();
    let has = |handler: &str| sample["handlers"].as_array().unwrap().contains(&json!(handler));
    if !has("CREATE") {
        return Ok(());
    }
    let first = client
        .call("CreateResource", &json!({"TypeName": type_name, "DesiredState": sample["desiredState"].to_string()}));
    if first.status != 200 {
        return Err(first.text);
    }
    let event = client.finish(&first);
    let identifier = event["Identifier"].as_str().ok_or_else(|| format!("create: {event}"))?;
    expect(&event["OperationStatus"], "SUCCESS", &event)?;
    if has("READ") {
        let read = client.call("GetResource", &json!({"TypeName": type_name, "Identifier": identifier})).json();
        expect(&read["ResourceDescription"]["Identifier"], identifier, &read)?;
    }
    if has("UPDATE") {
        let answer = client.update(type_name, identifier, &json!([]));
        // Write-only values that are required make every patch fail that does not send them again.
        let is_write_only = answer.text.contains("required key")
            || answer.text.contains("subschema")
            || answer.text.contains("minimum");
        if answer.status == 200 {
            let event = client.finish(&answer);
            expect(&event["OperationStatus"], "SUCCESS", &event)?;
        } else if !is_write_only {
            return Err(format!("update: {}", answer.text));
        }
    }
    let mut event = client.delete(type_name, identifier);
    if let Some((_, rest)) =
        event["StatusMessage"].as_str().and_then(|text| text.split_once("cannot be deleted while "))
    {
        let path = format!("/{}", rest.trim_end_matches(" is true"));
        client.finish(&client.update(type_name, identifier, &json!([{"op": "replace", "path": path, "value": false}])));
        event = client.delete(type_name, identifier);
    }
    expect(&event["OperationStatus"], "SUCCESS", &event)?;
    if has("READ") {
        let refusal = client.refused("GetResource", &json!({"TypeName": type_name, "Identifier": identifier}));
        if !refusal.starts_with("ResourceNotFoundException") {
            return Err(refusal);
        }
    }
    Ok(())
}

fn expect(value: &Value, expected: &str, whole: &Value) -> Result<(), String> {
    if value == expected { Ok(()) } else { Err(format!("expected {expected}: {whole}")) }
}
