//! Every pattern of the pinned schemas against an independent engine.

#![allow(
    clippy::unwrap_used,
    clippy::print_stderr,
    reason = "a test stops at the first surprise and says what it skipped"
)]

use cfn::java_pattern;
use serde_json::Value;
use std::collections::BTreeSet;
use std::path::Path;

/// Patterns that are not checked: one with back-references.
const SKIPPED: usize = 1;

#[test]
fn every_pattern_finds_what_another_engine_finds() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../cf-schemas/download/resources");
    let Ok(files) = std::fs::read_dir(&folder) else {
        eprintln!("skipped: {} is not there; run make generate", folder.display());
        return;
    };
    let mut patterns = BTreeSet::new();
    for file in files {
        let schema: Value = serde_json::from_slice(&std::fs::read(file.unwrap().path()).unwrap()).unwrap();
        collect(&schema, &mut patterns);
    }
    let skipped: Vec<&String> = patterns.iter().filter(|pattern| java_pattern::compile(pattern).is_none()).collect();
    assert!(skipped.len() <= SKIPPED, "{skipped:#?}");
    let mut compared = 0;
    let mut differences = Vec::new();
    for pattern in &patterns {
        // What ECMAScript has no word for, or another meaning of, has tests of its own.
        if [
            "\\p", "\\P", "(?i)", "(?s)", "(?i:", "\\A", "\\Z", "\\z", "\\h", "++", "*+", "?+", "}+", "&&", "\\uD",
            "\\ud",
        ]
        .iter()
        .any(|word| pattern.contains(word))
        {
            continue;
        }
        let (Some(ours), Ok(theirs)) = (java_pattern::compile(pattern), regress::Regex::new(pattern)) else { continue };
        for text in texts(pattern) {
            compared += 1;
            if ours.is_found(&text) != Some(theirs.find(&text).is_some()) {
                differences.push(format!("{pattern}  {text:?}: {:?}", ours.is_found(&text)));
            }
        }
    }
    eprintln!("{} patterns, {} not checked, {compared} texts compared", patterns.len(), skipped.len());
    assert!(differences.is_empty(), "{} of {compared}:\n{}", differences.len(), differences.join("\n"));
    assert!(compared > 10_000, "only {compared} texts were compared");
}

/// Texts made for the pattern, and each with small faults.
fn texts(pattern: &str) -> Vec<String> {
    let mut all = vec![String::new(), "a".to_owned(), "A-b_1".to_owned(), "arn:aws:s3:::x".to_owned(), "é".to_owned()];
    let made = cfn::pattern::texts(pattern, 3, |attempt| {
        let mut turn = attempt;
        move |limit: usize| {
            turn += 7;
            turn.checked_rem(limit).unwrap_or_default()
        }
    });
    // Long texts take an engine without a limit too long, above all where repetitions are repeated.
    let longest = if [")+", ")*", "){"].iter().any(|end| pattern.contains(end)) { 14 } else { 40 };
    for text in made.into_iter().filter(|text| text.chars().count() <= longest) {
        let mut shorter = text.clone();
        shorter.pop();
        all.extend([format!("{text}!"), format!(" {text}"), text.to_uppercase(), shorter, text]);
    }
    all
}

fn collect(value: &Value, patterns: &mut BTreeSet<String>) {
    match value {
        Value::Object(members) => {
            patterns.extend(members.get("pattern").and_then(Value::as_str).map(str::to_owned));
            let keys = members.get("patternProperties").and_then(Value::as_object);
            patterns.extend(keys.into_iter().flat_map(|keys| keys.keys().cloned()));
            members.values().for_each(|member| collect(member, patterns));
        }
        Value::Array(items) => items.iter().for_each(|item| collect(item, patterns)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}
