//! Models whose verdicts another validator is asked for: small and large states of the published types, and what becomes of
//! them by one change each.
//!
//! With `EMULATOR_CORPUS=FILE` in the environment the models are written there, a line of JSON each, with the verdict that is
//! given here; `scripts/emulator-differential.py` asks Python's `jsonschema` about them (`make emulator-differential`). What
//! that one said about a selection is in `tests/vectors/verdicts.jsonl` and must be said here too.
//!
//! `pattern` and `format` are left out on both sides: the dialects differ, and they have vectors of their own.

#![allow(
    clippy::unwrap_used,
    clippy::print_stderr,
    clippy::disallowed_methods,
    reason = "a test stops at the first surprise; whoever starts it says where the models go"
)]

use super::Validator;
use crate::admin::Size;
use crate::entropy::Entropy;
use crate::overrides::Knowledge;
use crate::schema::library::SchemaSource;
use crate::schema::patterns::Patterns;
use crate::schema::{Handler, Library, ResourceType};
use crate::scope::Scope;
use crate::synthesize::context::Context;
use crate::synthesize::sample::sample;
use serde_json::{Value, json};
use std::io::Write;
use std::path::PathBuf;
use std::time::SystemTime;

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../cf-schemas/download/resources");
const VERDICTS: &str = include_str!("../../../tests/vectors/verdicts.jsonl");
/// Every how many-th type gives models, and how many when nobody wants them written.
const STEP: usize = 3;
const FEW: usize = 40;

/// One change of a model, by name.
type Change = (&'static str, fn(&Value, &Value, &mut Entropy) -> Option<Value>);

const CHANGES: [Change; 10] = [
    ("without", |_, value, draw| without_member(value, draw)),
    ("another-key", |_, value, _| Some(with_member(value.as_object()?, "Zz9", json!(1)))),
    ("another-type", |_, value, _| match value {
        Value::String(_) => Some(json!(1)),
        Value::Number(_) | Value::Bool(_) => Some(json!("1")),
        Value::Array(_) => Some(json!({})),
        Value::Object(_) => Some(json!([])),
        Value::Null => None,
    }),
    ("null", |_, _, _| Some(Value::Null)),
    ("fraction", |_, value, _| value.as_i64().and_then(|number| serde_json::from_str(&format!("{number}.0")).ok())),
    ("below", |node, value, _| below(node, value)),
    ("above", |node, value, _| above(node, value)),
    ("no-member", |node, _, _| node.get("enum").map(|_| json!("no such member"))),
    ("twice", |_, value, _| {
        let items = value.as_array().filter(|items| !items.is_empty())?;
        Some(Value::Array([items.as_slice(), &items[..1]].concat()))
    }),
    ("empty", |_, value, _| match value {
        Value::String(_) => Some(json!("")),
        Value::Array(_) => Some(json!([])),
        Value::Object(_) => Some(json!({})),
        _ => None,
    }),
];

fn with_member(members: &serde_json::Map<String, Value>, name: &str, value: Value) -> Value {
    let mut members = members.clone();
    members.insert(name.to_owned(), value);
    Value::Object(members)
}

fn without_member(value: &Value, draw: &mut Entropy) -> Option<Value> {
    let mut members = value.as_object().filter(|members| !members.is_empty())?.clone();
    let name = members.keys().nth(draw.below(members.len()))?.clone();
    members.remove(&name);
    Some(Value::Object(members))
}

/// A value that is one below its bound.
fn below(node: &Value, value: &Value) -> Option<Value> {
    let bound = |keyword: &str| node.get(keyword).and_then(Value::as_u64).filter(|bound| *bound > 0);
    match value {
        Value::String(text) => Some(Value::String(text.chars().take(bound("minLength")? as usize - 1).collect())),
        Value::Array(items) => {
            Some(Value::Array(items.iter().take(bound("minItems")? as usize - 1).cloned().collect()))
        }
        Value::Number(_) => Some(Value::from(node.get("minimum")?.as_i64()? - 1)),
        _ => None,
    }
}

/// A value that is one above its bound.
fn above(node: &Value, value: &Value) -> Option<Value> {
    let bound = |keyword: &str| node.get(keyword).and_then(Value::as_u64).filter(|bound| *bound < 3_000);
    match value {
        Value::String(_) => Some(Value::String("a".repeat(bound("maxLength")? as usize + 1))),
        Value::Array(items) => {
            Some(Value::Array(items.iter().cycle().take(bound("maxItems")? as usize + 1).cloned().collect()))
        }
        Value::Number(_) => Some(Value::from(node.get("maximum")?.as_i64()?.checked_add(1)?)),
        _ => None,
    }
}

/// A schema without what the two sides read differently.
fn common(schema: &Value) -> Value {
    match schema {
        Value::Object(members) => members
            .iter()
            .filter(|(name, value)| !(["pattern", "format"].contains(&name.as_str()) && value.is_string()))
            .map(|(name, value)| (name.clone(), common(value)))
            .collect(),
        Value::Array(items) => items.iter().map(common).collect(),
        other => other.clone(),
    }
}

/// Every place in a value with the node that describes it, through references.
fn places<'n>(
    resource: &'n ResourceType,
    node: &'n Value,
    value: &Value,
    at: &str,
    found: &mut Vec<(String, &'n Value)>,
) {
    let mut target = node;
    while let Some(next) = resource.reference(target) {
        target = next;
    }
    found.push((at.to_owned(), target));
    match value {
        Value::Object(members) => {
            for (name, member) in members {
                if let Some(child) = resource.child(node, Some(name)) {
                    places(resource, child, member, &format!("{at}/{}", cfn::escape_token(name)), found);
                }
            }
        }
        Value::Array(items) => {
            if let (Some(child), Some(first)) = (resource.keyword(node, "items"), items.first()) {
                places(resource, child, first, &format!("{at}/0"), found);
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

/// The models of a type, each with the name of the change that made it.
fn models(resource: &ResourceType, context: &Context<'_>, patterns: &Patterns) -> Vec<(&'static str, Value)> {
    let mut models = Vec::new();
    for (name, size) in [("small", Size::Minimal), ("large", Size::Maximal)] {
        let Some(state) = sample(resource, patterns, context, size) else { continue };
        models.push((name, state.clone()));
        let mut found = Vec::new();
        places(resource, &resource.schema, &state, "", &mut found);
        for (name, change) in CHANGES {
            let mut draw = context.entropy.within(name);
            // The first of some drawn places where the change is possible.
            for _ in 0..12 {
                let Some((at, node)) = found.get(draw.below(found.len())) else { break };
                let Some(changed) = state.pointer(at).and_then(|value| change(node, value, &mut draw)) else {
                    continue;
                };
                let mut model = state.clone();
                let Some(place) = model.pointer_mut(at) else { continue };
                *place = changed;
                models.push((name, model));
                break;
            }
        }
    }
    models
}

#[test]
fn models_are_made_for_another_validator() {
    let folder = PathBuf::from(FOLDER);
    if !folder.is_dir() {
        eprintln!("skipped: the published schemas are not there; run make generate");
        return;
    }
    let file = std::env::var_os("EMULATOR_CORPUS");
    let library = Library::load(&SchemaSource::Path(folder)).unwrap();
    let (knowledge, scope, patterns) =
        (Knowledge::load().unwrap(), Scope::new("123456789012", "us-east-1"), Patterns::default());
    let names: Vec<&str> = library.type_names().collect();
    let wanted = if file.is_some() { names.len() } else { FEW };
    let (mut lines, mut accepted) = (Vec::new(), 0);
    for type_name in names.iter().step_by(STEP).take(wanted) {
        let resource = library.get(type_name).unwrap();
        if !resource.has(Handler::Create) {
            continue;
        }
        let context = Context::new(&knowledge, &scope, type_name, (7, &Value::Null, 0), SystemTime::UNIX_EPOCH);
        let judged = ResourceType::new(resource.name.clone(), common(&resource.schema));
        for (change, model) in models(&resource, &context, &patterns) {
            let verdict = Validator::new(&judged, &patterns).model(&model);
            accepted += usize::from(verdict.is_ok());
            let text = verdict.err();
            lines.push(json!({"type": type_name, "change": change, "model": model, "text": text}).to_string());
        }
    }
    assert!(accepted * 10 > lines.len() && accepted * 10 < lines.len() * 9, "{accepted} of {} accepted", lines.len());
    if let Some(file) = file {
        let mut file = std::fs::File::create(file).unwrap();
        lines.iter().for_each(|line| writeln!(file, "{line}").unwrap());
    }
}

#[test]
fn verdicts_are_those_of_another_validator() {
    let folder = PathBuf::from(FOLDER);
    if !folder.is_dir() {
        eprintln!("skipped: the published schemas are not there; run make generate");
        return;
    }
    let library = Library::load(&SchemaSource::Path(folder)).unwrap();
    let patterns = Patterns::default();
    let (mut count, mut wrong) = (0, Vec::new());
    for line in VERDICTS.lines() {
        let case: Value = serde_json::from_str(line).unwrap();
        let (type_name, model) = (case["type"].as_str().unwrap(), &case["model"]);
        let resource = library.get(type_name).unwrap();
        let judged = ResourceType::new(resource.name.clone(), common(&resource.schema));
        let verdict = Validator::new(&judged, &patterns).model(model);
        if verdict.is_ok() != case["valid"].as_bool().unwrap() {
            wrong.push(format!("{type_name} {model}: {verdict:?}"));
        }
        count += 1;
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(count >= 300, "{count} verdicts");
}
