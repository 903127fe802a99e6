//! Tables in documents whose last column names the tests that show what the row says.

use std::collections::BTreeSet;
use std::path::Path;

use anyhow::{Context as _, Result};

use crate::binaries::repository;

/// The cells of the rows of a Markdown table whose first cell is one of these letters and a number.
///
/// # Errors
///
/// The document cannot be read.
pub fn rows(document: &str, letters: &[char]) -> Result<Vec<Vec<String>>> {
    let path = repository().join(document);
    let text = std::fs::read_to_string(&path).with_context(|| format!("reading {}", path.display()))?;
    let row = |line: &str| {
        // A `|` inside a cell is written with a backslash.
        let line = line.strip_prefix('|')?.trim_end().strip_suffix('|')?.replace("\\|", "\u{0}");
        let cells: Vec<String> = line.split('|').map(|cell| cell.trim().replace('\u{0}', "|")).collect();
        let number = cells.first()?.strip_prefix(letters)?;
        (!number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())).then_some(cells)
    };
    Ok(text.lines().filter_map(row).collect())
}

/// What is wrong with a cell that should name tests, or give a reason after `reason: `.
pub fn problems(id: &str, shown: &str, known: &BTreeSet<String>) -> Vec<String> {
    let named: Vec<&str> = shown.split('`').skip(1).step_by(2).collect();
    match shown.strip_prefix("reason: ") {
        Some(reason) if !reason.is_empty() => Vec::new(),
        _ if named.is_empty() => vec![format!("{id}: neither a test nor `reason: …`: {shown}")],
        _ => {
            let missing = named.into_iter().filter(|name| !known.contains(*name));
            missing.map(|name| format!("{id}: there is no test {name}")).collect()
        }
    }
}

/// The names of all functions in the sources below these folders, whatever the language. Words on a line of their own
/// count too, since tests can be listed in the arms of a macro.
pub fn known_tests(folders: &[&str]) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for folder in folders {
        collect(&repository().join(folder), &mut names);
    }
    names
}

fn collect(folder: &Path, names: &mut BTreeSet<String>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for path in entries.filter_map(|entry| Some(entry.ok()?.path())) {
        let extension = path.extension().unwrap_or_default().to_string_lossy().into_owned();
        if path.is_dir() {
            collect(&path, names);
        } else if ["rs", "py", "sh", "go"].contains(&extension.as_str())
            && let Ok(text) = std::fs::read_to_string(&path)
        {
            names.extend(text.lines().filter_map(definition));
        }
    }
}

fn definition(line: &str) -> Option<String> {
    let line = line.trim().trim_start_matches("async ");
    let is_name =
        |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    let Some(name) = ["fn ", "def ", "func "].iter().find_map(|start| line.strip_prefix(start)) else {
        return (is_name(line) && line.contains('_')).then(|| line.to_owned());
    };
    let end = name.find(|character: char| !character.is_ascii_alphanumeric() && character != '_')?;
    name.get(..end).map(str::to_owned)
}
