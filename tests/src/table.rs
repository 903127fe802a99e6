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

/// The names of all tests in the sources below these folders: in Rust what stands after `#[test]` or `#[tokio::test]`, and
/// what the list of transcripts names; in Python and Go what begins with `test_` or `Test`.
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
        if path.is_dir() {
            collect(&path, names);
        } else if let Some(names_in) = path.extension().and_then(|extension| reader(extension.to_str()?))
            && let Ok(text) = std::fs::read_to_string(&path)
        {
            names.extend(names_in(&text));
        }
    }
}

/// How the names of tests are found in files with this extension.
fn reader(extension: &str) -> Option<fn(&str) -> Vec<String>> {
    match extension {
        "rs" => Some(rust_tests),
        "py" => Some(|text| functions(text, "def ", "test_")),
        "go" => Some(|text| functions(text, "func ", "Test")),
        _ => None,
    }
}

fn rust_tests(text: &str) -> Vec<String> {
    let (mut names, mut is_test, mut is_list) = (Vec::new(), false, false);
    for line in text.lines().map(str::trim) {
        is_test |= line.starts_with("#[test]") || line.starts_with("#[tokio::test");
        match line {
            "transcripts! {" => is_list = true,
            "}" => is_list = false,
            name if is_list && identifier(name) == name => names.push(name.to_owned()),
            _ => {}
        }
        // Other attributes may stand between.
        let code = line.strip_prefix("#[test]").unwrap_or(line).trim_start();
        if let Some(name) = code.trim_start_matches("async ").strip_prefix("fn ") {
            names.extend(std::mem::take(&mut is_test).then(|| identifier(name).to_owned()));
        }
    }
    names.retain(|name| !name.is_empty());
    names
}

fn functions(text: &str, keyword: &str, start: &str) -> Vec<String> {
    let names = text.lines().filter_map(|line| line.trim().trim_start_matches("async ").strip_prefix(keyword));
    names.map(|name| identifier(name).to_owned()).filter(|name| name.starts_with(start)).collect()
}

/// The identifier that a text begins with; empty when it begins with none.
fn identifier(text: &str) -> &str {
    let end = text.find(|character: char| !character.is_ascii_alphanumeric() && character != '_');
    text.get(..end.unwrap_or(text.len())).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::{functions, problems, rust_tests};

    #[test]
    fn only_tests_are_tests() {
        let text = "
            fn helper_of_tests() {}
            some_word
            #[test]
            fn a_test() { inner_call() }
            fn after_it() {}
            #[tokio::test(start_paused = true)]
            #[cfg(unix)]
            async fn a_slow_test() {}
            #[cfg(test)]
            mod tests { fn no_test() {} }
            // #[test] in a comment
            fn another() {}
            #[test] fn in_one_line() {}
            proptest! {
                #[test]
                fn of_many_values(value in values()) {}
            }
            transcripts! {
                not_stabilized
                create
            }
            word_after
        ";
        let expected = ["a_test", "a_slow_test", "in_one_line", "of_many_values", "not_stabilized", "create"];
        assert_eq!(rust_tests(text), expected);
        assert_eq!(
            functions("def test_a():\n  def helper():\nasync def test_b()", "def ", "test_"),
            ["test_a", "test_b"]
        );
    }

    #[test]
    fn a_cell_names_tests_that_exist_or_a_reason() {
        let known = ["a_test".to_owned()].into();
        for (cell, count) in
            [("`a_test`", 0), ("`a_test`, `gone`", 1), ("reason: so", 0), ("reason: ", 1), ("", 1), ("in words", 1)]
        {
            assert_eq!(problems("Q1", cell, &known).len(), count, "{cell}");
        }
    }
}
