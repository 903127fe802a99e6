//! docs/emulator/requirements.md is complete, and what it says about tests is true.
#![allow(clippy::unwrap_used, reason = "a test ends with its first surprise")]

use tests::table::{known_tests, problems, rows};

const DOCUMENT: &str = "docs/emulator/requirements.md";

/// Folders whose tests may be named.
const SOURCES: [&str; 5] = ["emulator", "tests", "provider/tests", "docs/emulator", "scripts"];

#[test]
fn every_requirement_has_one_row_in_order() {
    let rows = rows(DOCUMENT, &['R', 'A']).unwrap();
    let ids: Vec<&str> = rows.iter().map(|row| row[0].as_str()).collect();
    let expected: Vec<String> =
        (1..=119).map(|number| format!("R{number}")).chain((1..=16).map(|number| format!("A{number}"))).collect();
    assert_eq!(ids, expected);
    assert!(rows.iter().all(|row| row.len() == 3 && !row[1].is_empty()));
}

#[test]
fn every_row_names_tests_that_exist_or_says_why_not() {
    let known = known_tests(&SOURCES);
    let rows = rows(DOCUMENT, &['R', 'A']).unwrap();
    let problems: Vec<String> = rows.iter().flat_map(|row| problems(&row[0], &row[2], &known)).collect();
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}
