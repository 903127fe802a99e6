//! Comparing what is recorded with what came.
//!
//! In recorded texts `{any}` stands for anything. A text that is wholly `{NAME}` or `[secret N]` stands for one text,
//! the same wherever it occurs in a transcript, and another one than every other name.

use std::collections::BTreeMap;

use serde_json::Value as Json;

/// What names stand for.
#[derive(Default)]
pub struct Names {
    known: BTreeMap<String, String>,
    secrets: bool,
}

impl Names {
    /// Names in a log, where `[secret N]` is one too: the log numbers secrets as it meets them.
    pub fn with_secrets() -> Self {
        Self { secrets: true, ..Self::default() }
    }

    /// What differs, as lines `PATH: recorded => came`.
    pub fn differences(&mut self, recorded: &Json, came: &Json) -> Vec<String> {
        let mut found = Vec::new();
        self.compare(recorded, came, "", &mut found);
        found
    }

    fn compare(&mut self, recorded: &Json, came: &Json, path: &str, found: &mut Vec<String>) {
        match (recorded, came) {
            (Json::Object(one), Json::Object(other)) => {
                for (name, member) in one {
                    let came = other.get(name).unwrap_or(&Json::Null);
                    self.compare(member, came, &format!("{path}.{name}"), found);
                }
                let surplus = other.keys().filter(|name| !one.contains_key(*name));
                found.extend(surplus.map(|name| format!("{path}.{name}: absent => {}", other[name])));
            }
            (Json::Array(one), Json::Array(other)) if one.len() == other.len() => {
                for (index, (item, came)) in one.iter().zip(other).enumerate() {
                    self.compare(item, came, &format!("{path}[{index}]"), found);
                }
            }
            (Json::String(one), Json::String(other)) if self.fits(one, other) => {}
            (Json::String(one), _) if one == "{any}" && !came.is_null() => {}
            _ if recorded == came => {}
            _ => found.push(format!("{path}: {recorded} => {came}")),
        }
    }

    fn fits(&mut self, recorded: &str, came: &str) -> bool {
        if recorded.contains("{any}") {
            return fits_pattern(recorded, came);
        }
        let is_name = (recorded.starts_with('{') && recorded.ends_with('}') && !recorded.contains('"'))
            || (self.secrets && recorded.starts_with("[secret ") && recorded.ends_with(']'));
        if !is_name {
            return recorded == came;
        }
        // The time that was left when an answer came is never quite what the answer said.
        if recorded.starts_with("{now+") {
            return came.starts_with("{now+");
        }
        match self.known.get(recorded) {
            Some(known) => known == came,
            None => {
                let is_new = !self.known.values().any(|known| known == came);
                self.known.insert(recorded.to_owned(), came.to_owned());
                is_new
            }
        }
    }
}

/// Whether `text` has the fixed parts of `pattern`, in order, and nothing else at its ends.
fn fits_pattern(pattern: &str, text: &str) -> bool {
    let parts: Vec<&str> = pattern.split("{any}").collect();
    let [first, .., last] = parts.as_slice() else { return pattern == text };
    let Some(rest) = text.strip_prefix(first) else { return false };
    let Some(mut rest) = rest.strip_suffix(last) else { return false };
    parts[1..parts.len() - 1].iter().all(|part| match rest.find(part) {
        Some(at) => {
            rest = &rest[at + part.len()..];
            true
        }
        None => false,
    })
}

#[test]
fn patterns_and_names() {
    for (pattern, text, fits) in [
        ("{any}", "", true),
        ("a{any}c", "abc", true),
        ("a{any}c", "ac", true),
        ("a{any}c", "ab", false),
        ("a{any}b{any}c", "axxbyyc", true),
        ("a{any}b{any}c", "axxyyc", false),
        ("aa{any}a", "aa", false),
    ] {
        assert_eq!(fits_pattern(pattern, text), fits, "{pattern} {text}");
    }
    let mut names = Names::with_secrets();
    for (recorded, came, fits) in [
        ("{token 1}", "x", true),
        ("{token 1}", "x", true),
        ("{token 1}", "y", false),
        ("{token 2}", "x", false),
        ("{token 3}", "z", true),
        ("[secret 9]", "[secret 1]", true),
        ("plain", "plain", true),
        ("plain", "other", false),
    ] {
        assert_eq!(names.fits(recorded, came), fits, "{recorded} {came}");
    }
    let differences =
        names.differences(&serde_json::json!({"a": [1, {"b": 2}]}), &serde_json::json!({"a": [1, {"c": 2}]}));
    assert_eq!(differences, [".a[1].b: 2 => null", ".a[1].c: absent => 2"]);
}
