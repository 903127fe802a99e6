//! What an update moves: times of change, versions, counts, and values that are made of what was changed.

use super::counts::count;
use super::generate::Generator;
use super::placeholders::is_fixed;
use super::rules::{Made, by_rule};
use crate::entropy::digest_text;
use crate::schema::InstancePath;
use serde_json::Value;

/// Names of numbers that count the changes of a resource. Versions of engines and runtimes are none.
const VERSIONS: [&str; 10] = [
    "version",
    "versionnumber",
    "latestversion",
    "latestversionnumber",
    "currentversion",
    "currentversionnumber",
    "revision",
    "latestrevision",
    "configurationrevision",
    "lockversion",
];
/// Names of marks that every change makes anew.
const MARKS: [&str; 6] = ["revisionid", "statemachinerevisionid", "etag", "locktoken", "versiontoken", "updatetoken"];

/// Moves what an update moves. What identifies the resource stays.
pub(super) fn touch(generator: &Generator<'_>, model: &mut Value) {
    let resource = generator.resource;
    let is_part = |path: &InstancePath| {
        let parts = resource.primary_identifier.iter().chain(resource.additional_identifiers.iter().flatten());
        parts.into_iter().any(|part| part.segments() == path.segments())
    };
    let digest = digest_text(&[&model.to_string()]);
    for path in resource.read_only.iter().filter(|path| !path.has_each() && !is_part(path)) {
        let Some(before) = path.get(model).filter(|value| value.is_string() || value.is_number()) else { continue };
        let Some(after) = moved(generator, path, before, model, &digest) else { continue };
        if resource.node(path).is_none_or(|node| generator.validator.accepts(node, &after)) {
            path.set(model, after);
        }
    }
}

/// What a value becomes, `None` when it stays.
fn moved(generator: &Generator<'_>, path: &InstancePath, before: &Value, model: &Value, digest: &str) -> Option<Value> {
    let name = path.short_name().to_ascii_lowercase();
    let context = generator.context;
    if let Some(counted) = count(path.short_name(), model) {
        return Some(as_before(before, counted));
    }
    if name.contains("updat") || name.contains("modif") || name.contains("lastchange") {
        let is_date_time = |text: &str| text.contains('T') && text.ends_with('Z');
        let is_epoch = ["time", "date", "at", "timestamp", "on"].iter().any(|ending| name.ends_with(ending));
        return match before {
            Value::String(text) if is_date_time(text) => Some(Value::String(context.time_text())),
            Value::Number(_) if is_epoch => Some(Value::from(context.epoch())),
            _ => None,
        };
    }
    let own_version = format!("{}version", context.kind.to_ascii_lowercase());
    if VERSIONS.contains(&name.as_str()) || name == own_version {
        let number = before.as_u64().or_else(|| before.as_str()?.parse().ok())?;
        return Some(as_before(before, number + 1));
    }
    if MARKS.contains(&name.as_str()) {
        let entropy = context.entropy.within(path.pointer()).within(digest);
        return generator.value(generator.resource.node(path)?, path.short_name(), &entropy);
    }
    match by_rule(generator, path, model, is_fixed) {
        Made::Value(value) => Some(value),
        Made::Unknown | Made::Absent | Made::Unfit => None,
    }
}

/// A number in the form of the value that it replaces.
fn as_before(before: &Value, number: u64) -> Value {
    if before.is_string() { Value::String(number.to_string()) } else { Value::from(number) }
}
