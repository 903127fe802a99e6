//! Patch documents: RFC 6902 by vectors, with and without leading slashes, and parents written over protected children.

#![allow(
    clippy::unwrap_used,
    clippy::print_stderr,
    reason = "a test stops at the first surprise and says what it skipped"
)]

mod support;

use emulator::Options;
use serde_json::{Value, json};
use support::{Client, published};

const DOCUMENT: &str = "Test::Patch::Document";

fn client() -> Client {
    let schema = json!({
        "typeName": DOCUMENT,
        "properties": {"Name": {"type": "string"}, "D": {"type": "object"}},
        "primaryIdentifier": ["/properties/Name"],
        "createOnlyProperties": ["/properties/Name"],
        "handlers": {"create": {}, "read": {}, "update": {}, "delete": {}},
    });
    Client::start(&[schema], Options::default())
}

#[test]
fn patches_follow_the_rfc() {
    let client = client();
    let vectors: Vec<Value> = serde_json::from_str(include_str!("../../tests/vectors/rfc6902.json")).unwrap();
    assert!(vectors.len() > 50);
    for (index, vector) in vectors.iter().enumerate() {
        for prefix in ["/D", "D"] {
            let name = format!("n{index}{}", prefix.len());
            client.create(DOCUMENT, &json!({"Name": name, "D": vector["doc"]}));
            let mut patch = vector["patch"].clone();
            for operation in patch.as_array_mut().unwrap() {
                for member in ["path", "from"] {
                    if let Some(path) = operation.get(member).and_then(Value::as_str) {
                        operation[member] = json!(format!("{prefix}{path}"));
                    }
                }
            }
            let answer = client.update(DOCUMENT, &name, &patch);
            let about = &vector["about"];
            let expected = match vector.get("refused") {
                Some(failing) => {
                    let error = answer.json();
                    assert!(error["__type"].as_str().unwrap().ends_with("#ValidationException"), "{about}: {error}");
                    let named = format!("Invalid patch update: operation {failing} (");
                    assert!(error["Message"].as_str().unwrap().starts_with(&named), "{about}: {error}");
                    &vector["doc"]
                }
                None => {
                    assert_eq!(client.finish(&answer)["OperationStatus"], "SUCCESS", "{about}: {}", answer.text);
                    &vector["expected"]
                }
            };
            assert_eq!(&client.read(DOCUMENT, &name)["D"], expected, "{about}");
        }
    }
}

#[test]
fn the_whole_model_can_be_replaced() {
    let client = client();
    client.create(DOCUMENT, &json!({"Name": "n", "D": {"a": 1}}));
    let whole = |model: Value| json!([{"op": "replace", "path": "", "value": model}]);
    client.finish(&client.update(DOCUMENT, "n", &whole(json!({"Name": "n", "D": {"b": 2}}))));
    assert_eq!(client.read(DOCUMENT, "n"), json!({"Name": "n", "D": {"b": 2}}));
    let error = client.update(DOCUMENT, "n", &whole(json!({"D": {}}))).json();
    assert_eq!(error["Message"], "Invalid patch update: createOnlyProperties [/properties/Name] cannot be updated");
}

/// Writing a parent without the child that the service protects counts as changing the child.
#[test]
fn parents_cannot_be_written_over_protected_children() {
    let Some((client, schemas)) = published() else {
        eprintln!("skipped: the published schemas are not there; run make generate");
        return;
    };
    let mut counts = (0, 0);
    for schema in schemas
        .iter()
        .filter(|schema| ["create", "read", "update"].iter().all(|name| schema["handlers"].get(name).is_some()))
    {
        let type_name = schema["typeName"].as_str().unwrap();
        let hazards: Vec<(&str, Vec<&str>)> = ["readOnlyProperties", "createOnlyProperties"]
            .into_iter()
            .flat_map(|list| {
                let paths = schema[list].as_array().into_iter().flatten().filter_map(Value::as_str);
                paths.map(move |path| (list, path.trim_start_matches("/properties/").split('/').collect::<Vec<_>>()))
            })
            .filter(|(_, steps)| steps.len() == 2 && steps[1] != "*")
            .collect();
        if hazards.is_empty() {
            continue;
        }
        let sample =
            client.send("POST", "/_emu/generate", "", &json!({"type": type_name}).to_string()).json()["desiredState"]
                .clone();
        let first = client.call("CreateResource", &json!({"TypeName": type_name, "DesiredState": sample.to_string()}));
        if first.status != 200 {
            continue;
        }
        let event = client.finish(&first);
        let Some(identifier) = event["Identifier"].as_str().filter(|_| event["OperationStatus"] == "SUCCESS") else {
            continue;
        };
        let model = client.read(type_name, identifier);
        for (list, steps) in hazards {
            let [parent, child] = steps.as_slice() else { continue };
            // Only values that are there can be lost.
            if model[*parent].get(*child).is_none() {
                continue;
            }
            let mut without = model[*parent].clone();
            without.as_object_mut().unwrap().remove(*child);
            let patch = json!([{"op": "replace", "path": format!("/{parent}"), "value": without}]);
            let error = client.update(type_name, identifier, &patch).json();
            let message = error["Message"].as_str().unwrap_or_default();
            let pointer = format!("/properties/{parent}/{child}");
            let is_named =
                message.starts_with(&format!("Invalid patch update: {list} [")) && message.contains(&pointer);
            // A read-only child is named first where both kinds are lost; a model may hold both.
            assert!(
                is_named || message.starts_with("Invalid patch update: readOnlyProperties ["),
                "{type_name} {pointer}: {error}"
            );
            if list == "readOnlyProperties" { counts.0 += 1 } else { counts.1 += 1 }
        }
    }
    assert!(counts.0 >= 15 && counts.1 >= 20, "read-only and create-only children met: {counts:?}");
}
