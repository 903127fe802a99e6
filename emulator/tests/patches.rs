//! Patch documents: RFC 6902 by vectors, with and without leading slashes, and parents written over protected children.

#![allow(
    clippy::unwrap_used,
    clippy::print_stderr,
    reason = "a test stops at the first surprise and says what it skipped"
)]

mod support;

use emulator::{Options, Size};
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

/// One property below a parent that may be written: writing the parent may change it.
struct Hazard<'s> {
    list: &'static str,
    pointer: &'s str,
    steps: Vec<&'s str>,
}

/// The nested paths of a list whose ancestors are in none of the protected lists.
fn hazards<'s>(schema: &'s Value, list: &'static str, protected: &[&str]) -> Vec<Hazard<'s>> {
    let pointers = |list: &str| schema[list].as_array().into_iter().flatten().filter_map(Value::as_str);
    let steps = |pointer: &'s str| -> Vec<&'s str> {
        let steps = pointer.strip_prefix("/properties/").unwrap_or_default().split(['/', '.']);
        steps.filter(|step| *step != "properties").map(|step| if step == "items" { "*" } else { step }).collect()
    };
    let closed: Vec<Vec<&str>> = protected.iter().flat_map(|list| pointers(list)).map(steps).collect();
    let hazard = |pointer: &'s str| {
        let steps = steps(pointer);
        let is_open =
            steps.len() > 1 && (1..steps.len()).all(|end| !closed.iter().any(|path| path[..] == steps[..end]));
        is_open.then_some(Hazard { list, pointer, steps })
    };
    schema[list].as_array().into_iter().flatten().filter_map(Value::as_str).filter_map(hazard).collect()
}

/// Puts a value where steps lead, making what is missing; a `*` is the first element or entry.
fn set(at: &mut Value, steps: &[&str], value: Value) {
    match steps {
        [] => *at = value,
        ["*", rest @ ..] => match at {
            Value::Object(entries) => set(entries.entry("k").or_insert(Value::Null), rest, value),
            Value::Array(elements) if !elements.is_empty() => set(&mut elements[0], rest, value),
            _ => {
                *at = json!([null]);
                set(&mut at[0], rest, value);
            }
        },
        [step, rest @ ..] => {
            if !at.is_object() {
                *at = json!({});
            }
            set(&mut at[*step], rest, value);
        }
    }
}

/// Takes away what steps without a `*` lead to; whether it was there.
fn take(at: &mut Value, steps: &[&str]) -> bool {
    let [way @ .., last] = steps else { return false };
    let parent = way.iter().try_fold(at, |at, step| at.get_mut(*step));
    parent.and_then(Value::as_object_mut).is_some_and(|parent| parent.remove(*last).is_some())
}

/// Writing a parent with another value in a child that the service protects, or without the child, counts as changing it.
#[test]
fn parents_cannot_be_written_over_protected_children() {
    let Some((client, schemas)) = published() else {
        eprintln!("skipped: the published schemas are not there; run make generate");
        return;
    };
    let admin = client.emulator.admin();
    let (mut types, mut written, mut taken) = ([0, 0], 0, 0);
    let (mut without_update, mut wrong) = (Vec::new(), Vec::new());
    for schema in schemas.iter().filter(|schema| schema["handlers"].get("create").is_some()) {
        let type_name = schema["typeName"].as_str().unwrap();
        let read_only = hazards(schema, "readOnlyProperties", &["readOnlyProperties"]);
        let create_only = hazards(schema, "createOnlyProperties", &["createOnlyProperties", "readOnlyProperties"]);
        if read_only.is_empty() && create_only.is_empty() {
            continue;
        }
        types[0] += usize::from(!read_only.is_empty());
        types[1] += usize::from(!create_only.is_empty());
        if ["read", "update"].iter().any(|name| schema["handlers"].get(name).is_none()) {
            without_update.push(type_name);
            continue;
        }
        let sample = admin.generate(type_name, Size::Maximal).unwrap();
        let body = json!({"TypeName": type_name, "DesiredState": sample.to_string()});
        let event = client.finish(&client.call("CreateResource", &body));
        let identifier = event["Identifier"].as_str().unwrap_or_else(|| panic!("{type_name}: {event}"));
        let model = client.read(type_name, identifier);
        let mut expect = |hazard: &Hazard<'_>, changed: &Value| {
            let top = hazard.steps[0];
            let patch = json!([{"op": "add", "path": format!("/{top}"), "value": changed[top]}]);
            let error = client.update(type_name, identifier, &patch).json();
            let message = error["Message"].as_str().unwrap_or_default();
            let is_named = message.starts_with(&format!("Invalid patch update: {} [", hazard.list))
                && message.split(['[', ']', ',', ' ']).any(|pointer| pointer == hazard.pointer);
            // A read-only child below is named first.
            let below = format!("{}/", hazard.pointer);
            let is_below =
                message.starts_with("Invalid patch update: readOnlyProperties [") && message.contains(&below);
            if !is_named && !is_below {
                wrong.push(format!("{type_name} {}: {error}", hazard.pointer));
            }
        };
        for hazard in read_only.iter().chain(&create_only) {
            let mut changed = model.clone();
            set(&mut changed, &hazard.steps, json!("written by the caller"));
            expect(hazard, &changed);
            written += 1;
            let mut changed = model.clone();
            if !hazard.steps.contains(&"*") && take(&mut changed, &hazard.steps) {
                expect(hazard, &changed);
                taken += 1;
            }
        }
    }
    eprintln!("{types:?} types; {written} values written over, {taken} left out; without update: {without_update:?}");
    assert_eq!(types, [94, 74], "types with read-only and with create-only children");
    assert_eq!(without_update.len(), 3, "{without_update:?}");
    assert!(wrong.is_empty(), "{} of {written} were not refused by name:\n{}", wrong.len(), wrong.join("\n"));
}
