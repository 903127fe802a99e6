//! One short digest per token: `codegen/compat/digests.tsv`, the guard of what programs depend on.
//!
//! A token's digest covers the facts of [`lines`](super::lines) about it and what else its properties say (defaults,
//! secrets, names in one SDK alone); texts for people are left out. One more row, [`PACKAGE`], covers everything beside
//! resources, types and functions.

use super::{Line, digest};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// The row of the header, the configuration and the provider.
pub const PACKAGE: &str = "package";

/// What all tokens start with; rows leave it out.
const PREFIX: &str = "aws-native:";

/// How many hexadecimal digits of a digest are kept.
const DIGITS: usize = 8;

/// Members of a property that the lines of facts tell already, and texts.
const TOLD: &[&str] = &["$ref", "additionalProperties", "description", "items", "oneOf", "replaceOnChanges", "type"];

/// Where resources, types and functions have properties.
const PROPERTIES: &[&str] =
    &["/properties", "/inputProperties", "/inputs/properties", "/outputs/properties", "/listInputs/properties"];

/// Digest by token, without the package's name, of a package schema in its JSON form.
pub fn digests(package: &Value) -> BTreeMap<String, String> {
    let mut facts: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for Line { text, subject, .. } in super::lines(package) {
        facts.entry(subject).or_default().push(text);
    }
    for section in ["resources", "types", "functions"] {
        for (token, value) in super::members(package, section) {
            let more = facts.entry(token.clone()).or_default();
            untold(value, more);
        }
    }
    let short = |lines: &[String]| {
        let mut hash = digest(lines.iter().map(String::as_str));
        hash.truncate(DIGITS);
        hash
    };
    let mut rows: BTreeMap<String, String> = facts
        .into_iter()
        .map(|(token, lines)| (token.strip_prefix(PREFIX).unwrap_or(&token).to_owned(), short(&lines)))
        .collect();
    rows.insert(PACKAGE.to_owned(), short(&[header(package)]));
    rows
}

/// What a resource, type or function says beyond the lines of facts, a line each.
fn untold(value: &Value, lines: &mut Vec<String>) {
    for list in PROPERTIES {
        let properties = value.pointer(list).and_then(Value::as_object);
        for (name, property) in properties.into_iter().flatten() {
            let more = property.as_object().into_iter().flatten().filter(|(key, _)| !TOLD.contains(&key.as_str()));
            lines.extend(more.map(|(key, value)| format!("{list}/{name}/{key} {value}")));
        }
    }
    for list in ["/inputs/required", "/outputs/required"] {
        lines.extend(value.pointer(list).map(|required| format!("{list} {required}")));
    }
}

/// Everything beside resources, types and functions as one line of JSON without texts.
fn header(package: &Value) -> String {
    let mut header = package.clone();
    if let Some(members) = header.as_object_mut() {
        for section in ["resources", "types", "functions", "description"] {
            members.remove(section);
        }
    }
    for pointer in ["/config/variables", "/provider/properties", "/provider/inputProperties"] {
        let properties = header.pointer_mut(pointer).and_then(Value::as_object_mut);
        for property in properties.into_iter().flat_map(|properties| properties.values_mut()) {
            if let Some(property) = property.as_object_mut() {
                property.remove("description");
            }
        }
    }
    if let Some(provider) = header.get_mut("provider").and_then(Value::as_object_mut) {
        provider.remove("description");
    }
    header.to_string()
}

/// The rows as the text of the file: token, tab, digest.
pub fn write(digests: &BTreeMap<String, String>) -> String {
    let mut text = String::from("# Digest of every token of the package schema; `make accept` rewrites this file.\n");
    for (token, digest) in digests {
        let _ = writeln!(text, "{token}\t{digest}");
    }
    text
}

/// Reads the text of the file; lines of any other form are skipped.
pub fn read(text: &str) -> BTreeMap<String, String> {
    let rows = text.lines().filter(|line| !line.starts_with('#')).filter_map(|line| line.split_once('\t'));
    rows.map(|(token, digest)| (token.to_owned(), digest.to_owned())).collect()
}

/// What differs between accepted digests and those of a run: `added`, `removed` or `changed`, and the token.
pub fn differences(accepted: &BTreeMap<String, String>, found: &BTreeMap<String, String>) -> Vec<String> {
    let gone = accepted.keys().filter(|token| !found.contains_key(*token)).map(|token| format!("removed {token}"));
    let other = found.iter().filter_map(|(token, digest)| match accepted.get(token) {
        Some(known) if known == digest => None,
        Some(_) => Some(format!("changed {token}")),
        None => Some(format!("added {token}")),
    });
    let mut differences: Vec<String> = gone.chain(other).collect();
    differences.sort_unstable();
    differences
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn package(property: Value, provider: Value) -> Value {
        json!({
            "name": "aws-native", "provider": provider,
            "resources": {"aws-native:zoo:Cage": {"inputProperties": {"a": property}}},
            "functions": {"aws-native:index:cidr": {"inputs": {"properties": {"ipBlock": {"type": "string"}}}}}
        })
    }

    #[test]
    fn what_programs_see_changes_the_digest_and_texts_do_not() {
        let base = digests(&package(json!({"type": "string"}), json!({})));
        let check = |property: Value, provider: Value, expected: &[&str]| {
            assert_eq!(differences(&base, &digests(&package(property.clone(), provider))), expected, "{property}");
        };
        check(json!({"type": "string", "description": "new"}), json!({"description": "new"}), &[]);
        check(json!({"type": "integer"}), json!({}), &["changed zoo:Cage"]);
        check(json!({"type": "string", "secret": true}), json!({}), &["changed zoo:Cage"]);
        let language = json!({"csharp": {"name": "X"}});
        check(json!({"type": "string", "language": language}), json!({}), &["changed zoo:Cage"]);
        check(json!({"type": "string"}), json!({"requiredInputs": ["region"]}), &["changed package"]);
    }

    #[test]
    fn a_file_reads_back_and_differences_are_named() {
        let rows = |rows: &[(&str, &str)]| -> BTreeMap<String, String> {
            rows.iter().map(|(token, digest)| ((*token).to_owned(), (*digest).to_owned())).collect()
        };
        let accepted = rows(&[("a:A", "1"), ("a:B", "2"), ("a:C", "3")]);
        assert_eq!(read(&write(&accepted)), accepted);
        let found = rows(&[("a:A", "1"), ("a:B", "9"), ("a:D", "4")]);
        assert_eq!(differences(&accepted, &found), ["added a:D", "changed a:B", "removed a:C"]);
    }
}
