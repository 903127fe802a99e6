//! The whole life of every type that this build carries: create, poll, read, list, update, read, delete, read, with the
//! smallest desired state of each. Large states are in `maximal.rs`, identifiers of several parts in `identifiers.rs`.
//!
//! With `EMULATOR_FIGURES` in the environment the slowest types are printed as well (`make emulator-types`).

#![allow(
    clippy::unwrap_used,
    clippy::print_stderr,
    reason = "a test stops at the first surprise and says what it skipped"
)]

mod support;

use emulator::{Admin, Emulator, Size, Which};
use serde_json::{Map, Value, json};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};
use support::Client;

/// How many types were found updatable by a change that can be seen. Fewer means that the test lost its teeth.
const LEAST_UPDATED: usize = 1_500;

#[test]
#[allow(clippy::disallowed_methods, reason = "whoever starts the test says whether it prints figures")]
fn every_type_lives_and_dies() {
    // What is sent is what is read; with what services make of it, `tests/tests/world` has every type.
    let emulator = Emulator::builder().options(support::bare()).start_blocking();
    let emulator = emulator.expect("this build carries schemas; `make generate` comes first");
    let client = Client { emulator, account: "123456789012", region: "eu-west-1" };
    let admin = client.emulator.admin();
    let types = client.send("GET", "/_emu/schemas", "", "").json()["types"].clone();
    let types: Vec<&str> = types.as_array().unwrap().iter().filter_map(Value::as_str).collect();
    let (problems, seen) = (Mutex::new(Vec::new()), Seen::default());
    let next = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while let Some(type_name) = types.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let start = Instant::now();
                    if let Err(problem) = live(&client, &admin, type_name, &seen) {
                        problems.lock().unwrap().push(format!("{type_name}: {problem}"));
                    }
                    seen.times.lock().unwrap().push((start.elapsed(), (*type_name).to_owned()));
                }
            });
        }
    });
    let problems = problems.into_inner().unwrap();
    assert!(problems.is_empty(), "{} of {}:\n{}", problems.len(), types.len(), problems.join("\n"));
    let count = |counter: &AtomicUsize| counter.load(Ordering::Relaxed);
    let (created, listed, updated) = (count(&seen.created), count(&seen.listed), count(&seen.updated));
    eprintln!("{} types: {created} created, {listed} listed, {updated} changed", types.len());
    if std::env::var_os("EMULATOR_FIGURES").is_some() {
        let mut times = seen.times.into_inner().unwrap();
        times.sort_by(|left, right| right.cmp(left));
        let all: Duration = times.iter().map(|(time, _)| *time).sum();
        eprintln!(
            "whole lives, one after the other: {:.1} s; median {:.1} ms",
            all.as_secs_f64(),
            millis(times[times.len() / 2].0)
        );
        times.iter().take(10).for_each(|(time, type_name)| eprintln!("{:8.1} ms  {type_name}", millis(*time)));
    }
    assert!(updated >= LEAST_UPDATED, "only {updated} types were changed");
}

fn millis(time: Duration) -> f64 {
    time.as_secs_f64() * 1_000.0
}

/// Types whose list asks for the ARN of the workspace under the name of the resource's own.
const ASKS_FOR_THE_PARENT: [&str; 2] = ["AWS::APS::AnomalyDetector", "AWS::APS::RuleGroupsNamespace"];

#[derive(Default)]
struct Seen {
    created: AtomicUsize,
    listed: AtomicUsize,
    updated: AtomicUsize,
    times: Mutex<Vec<(Duration, String)>>,
}

fn live(client: &Client, admin: &Admin, type_name: &str, seen: &Seen) -> Result<(), String> {
    let handlers = admin.handlers(type_name);
    let has = |handler: &str| handlers.contains(&handler);
    if !has("CREATE") {
        return Ok(());
    }
    let count = |counter: &AtomicUsize| {
        counter.fetch_add(1, Ordering::Relaxed);
    };
    let desired = admin.generate(type_name, Size::Minimal).map_err(|error| error.to_string())?;
    let first = client.call("CreateResource", &json!({"TypeName": type_name, "DesiredState": desired.to_string()}));
    if first.status != 200 {
        return Err(first.text);
    }
    let event = client.finish(&first);
    let identifier = event["Identifier"].as_str().ok_or_else(|| format!("create: {event}"))?;
    expect(&event["OperationStatus"], "SUCCESS", &event)?;
    count(&seen.created);
    if has("READ") {
        let read = properties(client, type_name, identifier)?;
        holds(&desired, &read, &[], identifier)
            .map_err(|place| format!("{place} was not kept: {desired} became {read}"))?;
    }
    if has("LIST") {
        list(client, admin, type_name, identifier)?;
        count(&seen.listed);
    }
    if has("UPDATE") && has("READ") && update(client, admin, type_name, identifier)? {
        count(&seen.updated);
    }
    delete(client, type_name, identifier)?;
    if has("READ") {
        let refusal = client.refused("GetResource", &json!({"TypeName": type_name, "Identifier": identifier}));
        if !refusal.starts_with("ResourceNotFoundException") {
            return Err(refusal);
        }
    }
    Ok(())
}

fn properties(client: &Client, type_name: &str, identifier: &str) -> Result<Value, String> {
    let answer = client.call("GetResource", &json!({"TypeName": type_name, "Identifier": identifier})).json();
    expect(&answer["ResourceDescription"]["Identifier"], identifier, &answer)?;
    let text = answer["ResourceDescription"]["Properties"].as_str().unwrap_or_default();
    serde_json::from_str(text).map_err(|error| format!("{error}: {text}"))
}

/// Whether everything that is wanted is there, but for what a read may hide: then it is absent, never another value. Parts of
/// the identifier come in the form that the service keeps: in lower case, or as the ARN.
fn holds(wanted: &Value, read: &Value, place: &[&str], identifier: &str) -> Result<(), String> {
    let there = || place.join("/");
    match (wanted, read) {
        (Value::Object(wanted), Value::Object(read)) => {
            for (name, value) in wanted {
                if let Some(other) = read.get(name) {
                    holds(value, other, &[place, &[name]].concat(), identifier)?;
                }
            }
            Ok(())
        }
        (Value::Array(wanted), Value::Array(read)) if wanted.len() == read.len() => {
            let mut pairs = wanted.iter().zip(read);
            pairs.try_for_each(|(value, other)| holds(value, other, &[place, &["*"]].concat(), identifier))
        }
        (Value::String(wanted), Value::String(read)) if is_kept_form(wanted, read, identifier) => Ok(()),
        _ if wanted == read => Ok(()),
        // Some services keep names in lower case.
        (Value::String(wanted), Value::String(read)) if wanted.eq_ignore_ascii_case(read) => Ok(()),
        _ => Err(there()),
    }
}

fn is_kept_form(wanted: &str, read: &str, identifier: &str) -> bool {
    let is_part = identifier.split('|').any(|part| part == read);
    is_part && (read == wanted.to_lowercase() || (read.starts_with("arn:") && read.ends_with(&format!("/{wanted}"))))
}

/// The resource is in the list of its type; inputs that the list asks for are taken from it. Where it lacks one, for
/// example because it belongs to a default parent, no list of a given parent can have it.
fn list(client: &Client, admin: &Admin, type_name: &str, identifier: &str) -> Result<(), String> {
    let plain = client.call("ListResources", &json!({"TypeName": type_name}));
    let mut is_known = true;
    let answer = if plain.status == 200 {
        plain
    } else {
        let stored = admin.resources(&Which::one(type_name, identifier));
        let model = stored.first().map(|resource| resource.model.clone()).unwrap_or_default();
        let mut inputs = Map::new();
        let mut answer = plain;
        // Each refusal names one more input.
        for _ in 0..8 {
            let Some((_, rest)) = answer.text.split_once("required key [") else { break };
            let Some((name, _)) = rest.split_once(']') else { break };
            is_known &= model.get(name).is_some();
            inputs.insert(name.to_owned(), model.get(name).cloned().unwrap_or_else(|| Value::from("any")));
            let body = json!({"TypeName": type_name, "ResourceModel": Value::Object(inputs.clone()).to_string()});
            answer = client.call("ListResources", &body);
            if answer.status == 200 {
                break;
            }
        }
        answer
    };
    if !is_known || ASKS_FOR_THE_PARENT.contains(&type_name) {
        let is_served = answer.status == 200 || answer.text.contains("#InvalidRequestException");
        return if is_served { Ok(()) } else { Err(format!("list: {}", answer.text)) };
    }
    if answer.status != 200 {
        return Err(format!("list: {}", answer.text));
    }
    let listed = answer.json();
    let is_there = listed["ResourceDescriptions"]
        .as_array()
        .is_some_and(|all| all.iter().any(|resource| resource["Identifier"] == identifier));
    if is_there { Ok(()) } else { Err(format!("list: {identifier} is not in {listed}")) }
}

/// Changes one property that can be changed; whether there was one. Where there is none, an empty patch must do.
fn update(client: &Client, admin: &Admin, type_name: &str, identifier: &str) -> Result<bool, String> {
    let before = properties(client, type_name, identifier)?;
    let large = admin.generate(type_name, Size::Maximal).map_err(|error| error.to_string())?;
    let mut changes: Vec<(String, Value)> = Vec::new();
    for (name, value) in large.as_object().into_iter().flatten() {
        if before.get(name) != Some(value) {
            changes.push((name.clone(), value.clone()));
        }
    }
    for (name, value) in before.as_object().into_iter().flatten() {
        match value {
            Value::Bool(flag) => changes.push((name.clone(), Value::Bool(!flag))),
            Value::Number(number) => {
                changes.extend(number.as_i64().map(|number| (name.clone(), Value::from(number + 1))));
            }
            Value::String(text) => changes.push((name.clone(), Value::from(format!("{text}x")))),
            Value::Null | Value::Array(_) | Value::Object(_) => {}
        }
    }
    let mut last = String::new();
    for (name, value) in changes {
        let path = format!("/{}", name.replace('~', "~0").replace('/', "~1"));
        let answer = client.update(type_name, identifier, &json!([{"op": "add", "path": path, "value": value}]));
        if answer.status != 200 {
            last = answer.text;
            continue;
        }
        let event = client.finish(&answer);
        expect(&event["OperationStatus"], "SUCCESS", &event)?;
        let after = properties(client, type_name, identifier)?;
        if let Some(shown) = after.get(&name) {
            holds(&value, shown, &[&name], identifier).map_err(|place| format!("{place} was not changed: {after}"))?;
            return Ok(true);
        }
        // What is write-only cannot be seen; another property may be.
    }
    // Write-only values that are required make every patch fail that does not send them again.
    let explained = ["required key", "subschema", "minimum", "cannot be updated", "failed validation", "extraneous"];
    let is_explained = last.is_empty() || explained.iter().any(|text| last.contains(text));
    if is_explained { Ok(false) } else { Err(format!("update: {last}")) }
}

fn delete(client: &Client, type_name: &str, identifier: &str) -> Result<(), String> {
    let mut event = client.delete(type_name, identifier);
    let reason = event["StatusMessage"].as_str().unwrap_or_default().to_owned();
    if let Some((_, rest)) = reason.split_once("cannot be deleted while ")
        && let Some((name, _)) = rest.split_once(" is ")
    {
        let path = format!("/{name}");
        let off = [json!(false), json!("DISABLED"), json!("INACTIVE"), json!("none"), json!({"Mode": "DISABLED"})];
        let mut ways: Vec<Value> =
            off.iter().map(|value| json!([{"op": "add", "path": path, "value": value}])).collect();
        ways.push(json!([{"op": "remove", "path": path}]));
        let answer =
            ways.iter().map(|way| client.update(type_name, identifier, way)).find(|answer| answer.status == 200);
        client.finish(&answer.ok_or_else(|| format!("nothing ends the protection: {reason}"))?);
        event = client.delete(type_name, identifier);
    }
    expect(&event["OperationStatus"], "SUCCESS", &event)
}

fn expect(value: &Value, expected: &str, whole: &Value) -> Result<(), String> {
    if value == expected { Ok(()) } else { Err(format!("expected {expected}: {whole}")) }
}
