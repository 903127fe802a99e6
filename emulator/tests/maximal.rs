//! The largest desired state that is made for each published type: everything that was accepted is returned as it was sent,
//! but for what the schema declares unreadable. Types whose definitions lead back to themselves end like all others.

#![allow(
    clippy::unwrap_used,
    clippy::print_stderr,
    reason = "a test stops at the first surprise and says what it skipped"
)]

mod support;

use emulator::{Admin, Size};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use support::{Client, published};

/// How many values all states together have at least; fewer means that the large states are not large any more.
const LEAST_VALUES: usize = 20_000;
/// How many types have definitions that lead back to themselves at least.
const LEAST_RECURSIVE: usize = 25;

#[test]
fn large_states_are_returned_as_they_were_sent() {
    let Some((client, schemas)) = published() else {
        eprintln!("skipped: the published schemas are not there; run make generate");
        return;
    };
    let admin = client.emulator.admin();
    let recursive = schemas.iter().filter(|schema| is_recursive(schema)).count();
    let schemas: Vec<&Value> = schemas.iter().filter(|schema| schema["handlers"].get("create").is_some()).collect();
    let (next, values) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let problems = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while let Some(schema) = schemas.get(next.fetch_add(1, Ordering::Relaxed)) {
                    match live(&client, &admin, schema) {
                        Ok(count) => {
                            values.fetch_add(count, Ordering::Relaxed);
                        }
                        Err(problem) => problems.lock().unwrap().push(format!("{}: {problem}", schema["typeName"])),
                    }
                }
            });
        }
    });
    let problems = problems.into_inner().unwrap();
    assert!(problems.is_empty(), "{} of {}:\n{}", problems.len(), schemas.len(), problems.join("\n"));
    let values = values.into_inner();
    eprintln!("{} types, {values} values sent, {recursive} types with definitions that recur", schemas.len());
    assert!(values >= LEAST_VALUES, "{values} values");
    assert!(recursive >= LEAST_RECURSIVE, "{recursive} types recur");
}

/// The number of values that were sent and came back.
fn live(client: &Client, admin: &Admin, schema: &Value) -> Result<usize, String> {
    let type_name = schema["typeName"].as_str().unwrap();
    let desired = admin.generate(type_name, Size::Maximal).map_err(|error| error.to_string())?;
    let body = json!({"TypeName": type_name, "DesiredState": desired.to_string()});
    let answer = client.call("CreateResource", &body);
    if answer.status != 200 {
        return Err(format!("{} {desired}", answer.text));
    }
    let event = client.finish(&answer);
    if event["OperationStatus"] != "SUCCESS" {
        return Err(event.to_string());
    }
    if schema["handlers"].get("read").is_none() {
        return Ok(0);
    }
    let mut expected = desired;
    for pointer in schema["writeOnlyProperties"].as_array().into_iter().flatten().filter_map(Value::as_str) {
        let steps: Vec<&str> = pointer.split(['/', '.']).filter(|step| !step.is_empty()).collect();
        hide(&mut expected, steps.strip_prefix(&["properties"]).unwrap_or(&steps));
    }
    let read = client.read(type_name, event["Identifier"].as_str().unwrap());
    // Some services keep identifiers in lower case.
    for pointer in schema["primaryIdentifier"].as_array().into_iter().flatten().filter_map(Value::as_str) {
        let place = pointer.trim_start_matches("/properties");
        if let (Some(Value::String(sent)), Some(Value::String(kept))) =
            (expected.pointer_mut(place), read.pointer(place))
            && sent.to_lowercase() == *kept
        {
            sent.clone_from(kept);
        }
    }
    holds(&expected, &read, "").map_err(|place| format!("{place}: {expected} became {read}"))
}

/// Takes out what a path leads to, and what becomes empty by that; whether anything was taken out.
fn hide(value: &mut Value, steps: &[&str]) -> bool {
    let Some((step, rest)) = steps.split_first() else { return false };
    let emptied = |value: &Value| {
        value.as_object().is_some_and(serde_json::Map::is_empty) || value.as_array().is_some_and(Vec::is_empty)
    };
    match value {
        Value::Array(items) => {
            let rest = if *step == "*" { rest } else { steps };
            if rest.is_empty() {
                items.clear();
                return true;
            }
            items.iter_mut().map(|item| hide(item, rest)).fold(false, |any, hidden| any | hidden)
        }
        Value::Object(members) if *step == "*" => {
            let names: Vec<String> = members.keys().cloned().collect();
            names.iter().map(|name| hide_member(members, name, rest, emptied)).fold(false, |any, hidden| any | hidden)
        }
        Value::Object(members) if members.contains_key(*step) => hide_member(members, step, rest, emptied),
        // A keyword that slipped into the path.
        Value::Object(_) if ["properties", "items"].contains(step) => hide(value, rest),
        _ => false,
    }
}

fn hide_member(
    members: &mut serde_json::Map<String, Value>,
    name: &str,
    rest: &[&str],
    emptied: impl Fn(&Value) -> bool,
) -> bool {
    if rest.is_empty() {
        return members.remove(name).is_some();
    }
    let Some(member) = members.get_mut(name) else { return false };
    let hidden = hide(member, rest);
    if hidden && emptied(member) {
        members.remove(name);
    }
    hidden
}

/// Counts what is wanted and there; the place of the first that is not.
fn holds(wanted: &Value, read: &Value, place: &str) -> Result<usize, String> {
    match (wanted, read) {
        (Value::Object(wanted), Value::Object(read)) => wanted.iter().try_fold(0, |count, (name, value)| {
            let place = format!("{place}/{name}");
            let other = read.get(name).ok_or_else(|| format!("{place} is gone"))?;
            Ok(count + holds(value, other, &place)?)
        }),
        (Value::Array(wanted), Value::Array(read)) if wanted.len() == read.len() => {
            let pairs = wanted.iter().zip(read).enumerate();
            pairs.into_iter().try_fold(0, |count, (index, (value, other))| {
                Ok(count + holds(value, other, &format!("{place}/{index}"))?)
            })
        }
        _ if wanted == read => Ok(1),
        _ => Err(format!("{place} is another")),
    }
}

/// Whether a definition of the schema leads back to itself.
fn is_recursive(schema: &Value) -> bool {
    let definitions = schema["definitions"].as_object();
    definitions.into_iter().flatten().any(|(name, definition)| {
        let (mut seen, mut open) = (BTreeSet::new(), references(definition));
        while let Some(next) = open.pop() {
            if next == *name {
                return true;
            }
            if seen.insert(next.clone()) {
                open.extend(references(&schema["definitions"][&next]));
            }
        }
        false
    })
}

/// The names of the definitions that a node refers to.
fn references(node: &Value) -> Vec<String> {
    match node {
        Value::Object(members) => {
            let own = members.get("$ref").and_then(Value::as_str).and_then(|text| text.rsplit('/').next());
            own.map(str::to_owned).into_iter().chain(members.values().flat_map(references)).collect()
        }
        Value::Array(items) => items.iter().flat_map(references).collect(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => Vec::new(),
    }
}
