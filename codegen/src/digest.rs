//! Digests of what a run made, to compare two generators, two sources or two versions without keeping the outputs.
//!
//! Every fact that a program depends on becomes one line of text; sorted lines become a SHA-256. The lines are taken from
//! the published JSON forms, so the package schema of any other generator can be compared as well.
//!
//! | kind | line | facts of |
//! |---|---|---|
//! | `O`, `I` | `O resource output type req\|opt roc\|-`, `I resource input type req\|opt` | resources |
//! | `Q` | `Q resource`, `Q resource input type req\|opt` | listing |
//! | `A`, `B` | `A getter input type`, `B getter output type` | functions |
//! | `T` | `T type`, `T type property type req\|opt roc\|-` | object types |
//! | `E` | `E type index name value` | enum types |
//!
//! Types are written as `any`, `string`, `[T]`, `{T}`, `(A|B)` or a bare token. The lines of the runtime metadata are in
//! [`metadata`]; the table that people read is in [`table`](mod@table).

pub mod metadata;
pub mod table;
pub mod tokens;

use serde_json::{Map, Value};
use sha2::{Digest, Sha256};
use std::collections::BTreeSet;

/// One fact.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Line {
    /// The whole line. Lines sort by it.
    pub text: String,
    /// The token that the fact is about.
    pub subject: String,
    /// The line's first word.
    pub kind: &'static str,
}

impl Line {
    fn new(kind: &'static str, subject: &str, rest: &[&str]) -> Line {
        let mut text = format!("{kind} {subject}");
        for word in rest {
            text.push(' ');
            text.push_str(word);
        }
        Line { text, subject: subject.to_owned(), kind }
    }

    /// Whether the fact comes from a resource type schema; the package's own resources, types and functions do not.
    pub fn is_generated(&self) -> bool {
        let own = ["aws-native:index:", "aws-native:config:"];
        !own.iter().any(|prefix| self.subject.starts_with(prefix)) && self.subject != crate::header::CUSTOM_RESOURCE
    }
}

/// All facts of a package schema in its JSON form, sorted. A document that is no package schema has none.
pub fn lines(package: &Value) -> Vec<Line> {
    let mut lines = Vec::new();
    for (token, resource) in members(package, "resources") {
        properties(&mut lines, "O", token, resource, ("properties", "required"), true);
        properties(&mut lines, "I", token, resource, ("inputProperties", "requiredInputs"), false);
        if let Some(list) = resource.get("listInputs") {
            lines.push(Line::new("Q", token, &[]));
            properties(&mut lines, "Q", token, list, ("properties", "required"), false);
        }
    }
    for (token, function) in members(package, "functions") {
        for (kind, part) in [("A", "inputs"), ("B", "outputs")] {
            let part = function.get(part).unwrap_or(&Value::Null);
            for (name, property) in members(part, "properties") {
                lines.push(Line::new(kind, token, &[name, &type_text(property)]));
            }
        }
    }
    for (token, definition) in members(package, "types") {
        if let Some(values) = definition.get("enum").and_then(Value::as_array) {
            for (index, value) in values.iter().enumerate() {
                let text = |key: &str| value.get(key).and_then(Value::as_str).unwrap_or_default();
                lines.push(Line::new("E", token, &[&index.to_string(), text("name"), text("value")]));
            }
        } else {
            lines.push(Line::new("T", token, &[]));
            properties(&mut lines, "T", token, definition, ("properties", "required"), true);
        }
    }
    lines.sort_unstable();
    lines
}

fn properties(
    lines: &mut Vec<Line>,
    kind: &'static str,
    subject: &str,
    holder: &Value,
    (list, required): (&str, &str),
    marked: bool,
) {
    let required: BTreeSet<&str> = texts(holder, required).collect();
    for (name, property) in members(holder, list) {
        let need = if required.contains(name.as_str()) { "req" } else { "opt" };
        let mark = if property.get("replaceOnChanges") == Some(&Value::Bool(true)) { "roc" } else { "-" };
        let ty = type_text(property);
        let words: &[&str] = if marked { &[name, &ty, need, mark] } else { &[name, &ty, need] };
        lines.push(Line::new(kind, subject, words));
    }
}

/// A type in short.
fn type_text(spec: &Value) -> String {
    if let Some(reference) = spec.get("$ref").and_then(Value::as_str) {
        return match reference {
            "pulumi.json#/Any" => "any".to_owned(),
            other => other.strip_prefix("#/types/").unwrap_or(other).to_owned(),
        };
    }
    if let Some(arms) = spec.get("oneOf").and_then(Value::as_array) {
        return format!("({})", arms.iter().map(type_text).collect::<Vec<_>>().join("|"));
    }
    match (spec.get("type").and_then(Value::as_str), spec.get("items"), spec.get("additionalProperties")) {
        (Some("array"), Some(items), _) => format!("[{}]", type_text(items)),
        (Some("object"), _, Some(values)) => format!("{{{}}}", type_text(values)),
        (Some(name), ..) => name.to_owned(),
        (None, ..) => "any".to_owned(),
    }
}

/// The members of the object that `holder` has under `key`; none when there is no such object.
fn members<'v>(holder: &'v Value, key: &str) -> impl Iterator<Item = (&'v String, &'v Value)> {
    holder.get(key).and_then(Value::as_object).into_iter().flat_map(Map::iter)
}

/// The texts in the list that `holder` has under `key`.
fn texts<'v>(holder: &'v Value, key: &str) -> impl Iterator<Item = &'v str> {
    holder.get(key).and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str)
}

/// The SHA-256 of lines that are sorted already, each ended by a line feed, in hexadecimal digits.
pub fn digest<'l>(lines: impl IntoIterator<Item = &'l str>) -> String {
    let mut hash = Sha256::new();
    for line in lines {
        hash.update(line);
        hash.update("\n");
    }
    hex(hash)
}

fn hex(hash: Sha256) -> String {
    hexadecimal(&hash.finalize())
}

/// Bytes as hexadecimal digits in lower case.
pub fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn every_fact_is_a_line() {
        let package = json!({
            "resources": {"aws-native:zoo:Cage": {
                "properties": {"a": {"type": "string", "replaceOnChanges": true}, "b": {"$ref": "pulumi.json#/Any"}},
                "required": ["a"],
                "inputProperties": {"a": {"type": "array", "items": {"type": "integer"}}},
                "listInputs": {"type": "object", "properties": {"z": {"type": "boolean"}}, "required": ["z"]}
            }},
            "functions": {"aws-native:zoo:getCage": {
                "inputs": {"properties": {"id": {"type": "string"}}},
                "outputs": {"properties": {"t": {"oneOf": [{"type": "number"}, {"$ref": "#/types/aws-native:zoo:T"}]}}}
            }},
            "types": {
                "aws-native:zoo:T": {"type": "object", "properties": {
                    "m": {"type": "object", "additionalProperties": {"type": "string"}}}},
                "aws-native:zoo:E": {"type": "string", "enum": [{"name": "A", "value": "a"}, {"value": "*"}]}
            }
        });
        let texts: Vec<_> = lines(&package).into_iter().map(|line| line.text).collect();
        let expected = [
            "A aws-native:zoo:getCage id string",
            "B aws-native:zoo:getCage t (number|aws-native:zoo:T)",
            "E aws-native:zoo:E 0 A a",
            "E aws-native:zoo:E 1  *",
            "I aws-native:zoo:Cage a [integer] opt",
            "O aws-native:zoo:Cage a string req roc",
            "O aws-native:zoo:Cage b any opt -",
            "Q aws-native:zoo:Cage",
            "Q aws-native:zoo:Cage z boolean req",
            "T aws-native:zoo:T",
            "T aws-native:zoo:T m {string} opt -",
        ];
        assert_eq!(texts, expected);
        assert!(lines(&json!([1])).is_empty());
    }

    #[test]
    fn the_packages_own_tokens_are_not_generated() {
        for (token, generated) in [
            ("aws-native:s3:Bucket", true),
            ("aws-native:index:Tag", false),
            ("aws-native:config:Endpoints", false),
            ("aws-native:cloudformation:CustomResourceEmulator", false),
        ] {
            assert_eq!(Line::new("T", token, &[]).is_generated(), generated, "{token}");
        }
    }

    #[test]
    fn lines_are_hashed_with_their_line_feeds() {
        // The SHA-256 of "a\n".
        let expected = "87428fc522803d31065e7bce3cf03fe475096631e5e07bbd7a0fde60c4cf25c7";
        assert_eq!(digest(["a"]), expected);
    }
}
