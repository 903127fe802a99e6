//! The digests of a run as a text that two runs can be compared by: per kind of fact, per list of tokens, per module.

use super::{Line, digest, hex, members, metadata};
use serde_json::Value;
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

/// The kinds of facts of the package schema, then those of the metadata.
const KINDS: &[&str] = &["O", "I", "Q", "A", "B", "T", "E", "N", "CO", "RO", "WO", "IR", "TI", "TG", "AN", "PI", "UC"];

/// How many hexadecimal digits of a module's digest are shown.
const MODULE_DIGITS: usize = 8;

/// The table for a package schema and its runtime metadata, both in their published JSON forms; tab-separated, in three
/// parts: kind, number of lines and digest; kind of token, number and digest; module and digest.
///
/// What the package brings itself is left out; the shared tag types are counted among the types.
pub fn table(package: &Value, document: &Value) -> String {
    let mut lines: Vec<Line> = super::lines(package).into_iter().filter(Line::is_generated).collect();
    let mut text = String::from("# facts: kind, lines, SHA-256\n");
    let runtime = metadata::lines(document);
    for kind in KINDS {
        let of_kind = || lines.iter().chain(&runtime).filter(|line| line.kind == *kind);
        let hash = digest(of_kind().map(|line| line.text.as_str()));
        let _ = writeln!(text, "{kind}\t{}\t{hash}", of_kind().count());
    }
    text.push_str("# tokens: section, number, SHA-256\n");
    for section in ["resources", "functions", "types"] {
        let tokens: BTreeSet<&str> =
            members(package, section).map(|(token, _)| token.as_str()).filter(|token| counts(section, token)).collect();
        let _ = writeln!(text, "{section}\t{}\t{}", tokens.len(), joined(tokens));
    }
    text.push_str("# modules: name, digits of the SHA-256 over its facts of the package schema\n");
    let mut modules: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    lines.sort_unstable();
    for line in &lines {
        let module = line.subject.split(':').nth(1).unwrap_or_default();
        modules.entry(module).or_default().push(&line.text);
    }
    for (module, lines) in modules {
        let _ = writeln!(text, "{module}\t{:.MODULE_DIGITS$}", digest(lines));
    }
    text
}

fn counts(section: &str, token: &str) -> bool {
    let tag = token == crate::tags::TAG || token == crate::tags::CREATE_ONLY_TAG;
    (section == "types" && tag) || Line::new("T", token, &[]).is_generated()
}

/// The SHA-256 of the tokens with line feeds between them.
fn joined(tokens: BTreeSet<&str>) -> String {
    let mut hash = Sha256::new();
    for (index, token) in tokens.into_iter().enumerate() {
        if index > 0 {
            hash.update("\n");
        }
        hash.update(token);
    }
    hex(hash)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_table_has_a_row_for_every_kind_section_and_module() {
        let package = json!({
            "resources": {"aws-native:zoo:Cage": {"properties": {"a": {"type": "string"}}}},
            "types": {"aws-native:index:Tag": {"type": "object"}, "aws-native:index:Region": {"enum": []}}
        });
        let text = table(&package, &json!({"resources": {"aws-native:zoo:Cage": {"cf": "AWS::Zoo::Cage"}}}));
        let rows: Vec<_> =
            text.lines().filter(|line| !line.starts_with('#')).map(|row| row.split('\t').collect::<Vec<_>>()).collect();
        assert_eq!(rows.len(), KINDS.len() + 3 + 1);
        let count = |name: &str| rows.iter().find(|row| row.first() == Some(&name)).and_then(|row| row.get(1).copied());
        assert_eq!((count("O"), count("I"), count("N"), count("UC")), (Some("1"), Some("0"), Some("1"), Some("0")));
        assert_eq!((count("resources"), count("functions"), count("types")), (Some("1"), Some("0"), Some("1")));
        assert_eq!(count("zoo").map(str::len), Some(8));
    }
}
