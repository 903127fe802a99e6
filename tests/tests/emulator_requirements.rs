//! docs/emulator/requirements.md is complete, and what it says about tests is true.
#![allow(clippy::unwrap_used, reason = "a test ends with its first surprise")]

use std::collections::BTreeSet;
use std::path::Path;

use tests::binaries::repository;

/// Folders whose tests may be named.
const SOURCES: [&str; 5] = ["emulator", "tests", "provider/tests", "docs/emulator", "scripts"];

struct Row {
    id: String,
    asked: String,
    shown: String,
}

fn rows() -> Vec<Row> {
    let text = std::fs::read_to_string(repository().join("docs/emulator/requirements.md")).unwrap();
    let row = |line: &str| {
        // A `|` inside a cell is written with a backslash.
        let cells = line.replace("\\|", "\u{0}");
        let cells: Vec<String> = cells.split('|').map(|cell| cell.trim().replace('\u{0}', "|")).collect();
        let [_, id, asked, shown, _] = cells.as_slice() else { return None };
        let is_id = id.len() > 1 && id.starts_with(['R', 'A']) && id.bytes().skip(1).all(|byte| byte.is_ascii_digit());
        is_id.then(|| Row { id: id.clone(), asked: asked.clone(), shown: shown.clone() })
    };
    text.lines().filter_map(row).collect()
}

#[test]
fn every_requirement_has_one_row_in_order() {
    let ids: Vec<String> = rows().into_iter().map(|row| row.id).collect();
    let expected: Vec<String> =
        (1..=119).map(|number| format!("R{number}")).chain((1..=16).map(|number| format!("A{number}"))).collect();
    assert_eq!(ids, expected);
    assert!(rows().iter().all(|row| !row.asked.is_empty()));
}

#[test]
fn every_row_names_tests_that_exist_or_says_why_not() {
    let known = known_tests();
    let mut problems = Vec::new();
    for Row { id, shown, .. } in rows() {
        let named: Vec<&str> = shown.split('`').skip(1).step_by(2).collect();
        if named.is_empty() && shown.strip_prefix("reason: ").is_none_or(str::is_empty) {
            problems.push(format!("{id}: neither a test nor `reason: …`: {shown}"));
        } else {
            let missing = named.into_iter().filter(|name| !known.contains(*name));
            problems.extend(missing.map(|name| format!("{id}: there is no test {name}")));
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

/// The names of all functions in test sources, whatever the language.
fn known_tests() -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for folder in SOURCES {
        collect(&repository().join(folder), &mut names);
    }
    names
}

fn collect(folder: &Path, names: &mut BTreeSet<String>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for path in entries.map(|entry| entry.unwrap().path()) {
        let extension = path.extension().unwrap_or_default().to_string_lossy().into_owned();
        if path.is_dir() {
            collect(&path, names);
        } else if ["rs", "py", "sh", "go"].contains(&extension.as_str()) {
            let text = std::fs::read_to_string(&path).unwrap();
            let starts = ["fn ", "def ", "func "];
            let definition = |line: &str| {
                let line = line.trim_start().trim_start_matches("async ");
                let name = starts.iter().find_map(|start| line.strip_prefix(start))?;
                let end = name.find(|character: char| !character.is_ascii_alphanumeric() && character != '_')?;
                name.get(..end).map(str::to_owned)
            };
            names.extend(text.lines().filter_map(definition));
        }
    }
}
