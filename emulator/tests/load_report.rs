//! What is found wrong in the published schemas and in those that this build carries.

#![allow(
    clippy::unwrap_used,
    clippy::print_stderr,
    reason = "a test stops at the first surprise and says what it skipped"
)]

use emulator::{SchemaReport, SchemaSource, check_schemas};
use serde_json::Value;
use std::collections::BTreeSet;
use std::path::PathBuf;

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../cf-schemas/download/resources");
/// Types with a pattern that is not checked: it refers back to a group.
const NOT_CHECKED: [&str; 1] = ["AWS::SecurityHub::Insight"];

fn check(report: &SchemaReport, least_types: usize, least_provisionable: usize) {
    eprintln!("{report}");
    assert!(report.types >= least_types && report.provisionable >= least_provisionable, "{report}");
    let patterns: Vec<&String> = report.warnings.iter().filter(|warning| warning.contains("pattern")).collect();
    let is_known = |warning: &str| NOT_CHECKED.iter().any(|type_name| warning.starts_with(type_name));
    assert!(patterns.len() <= 5 && patterns.iter().all(|warning| is_known(warning)), "{report}");
    let others: Vec<&String> = report.warnings.iter().filter(|warning| !warning.contains("pattern")).collect();
    assert!(!others.iter().any(|warning| warning.contains("no resource schema")), "{others:?}");
}

#[test]
fn schemas_of_this_build_are_read_to_the_end() {
    check(&check_schemas(&SchemaSource::Embedded).expect("`make generate` comes first"), 1_759, 1_757);
}

#[test]
fn published_schemas_are_read_to_the_end() {
    let folder = PathBuf::from(FOLDER);
    if !folder.is_dir() {
        eprintln!("skipped: the published schemas are not there; run make generate");
        return;
    }
    check(&check_schemas(&SchemaSource::Path(folder)).unwrap(), 1_898, 1_763);
}

#[test]
fn nearly_every_pattern_can_be_searched_for() {
    let Ok(files) = std::fs::read_dir(FOLDER) else {
        eprintln!("skipped: the published schemas are not there; run make generate");
        return;
    };
    let mut patterns = BTreeSet::new();
    for file in files {
        let schema: Value = serde_json::from_str(&std::fs::read_to_string(file.unwrap().path()).unwrap()).unwrap();
        collect(&schema, &mut patterns);
    }
    let failing: Vec<&String> =
        patterns.iter().filter(|pattern| cfn::java_pattern::compile(pattern).is_none()).collect();
    eprintln!("{} patterns, {} cannot be searched for: {failing:?}", patterns.len(), failing.len());
    assert!(patterns.len() >= 3_000 && failing.len() <= 5, "{failing:?}");
}

fn collect(node: &Value, patterns: &mut BTreeSet<String>) {
    match node {
        Value::Object(members) => {
            if let Some(pattern) = members.get("pattern").and_then(Value::as_str) {
                patterns.insert(pattern.to_owned());
            }
            if let Some(by_pattern) = members.get("patternProperties").and_then(Value::as_object) {
                patterns.extend(by_pattern.keys().cloned());
            }
            members.values().for_each(|member| collect(member, patterns));
        }
        Value::Array(items) => items.iter().for_each(|item| collect(item, patterns)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}
