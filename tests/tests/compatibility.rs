//! docs/compatibility.md is complete, and what it says about tests is true.
#![allow(clippy::unwrap_used, reason = "a test ends with its first surprise")]

use tests::table::{known_tests, problems, rows};

/// Folders whose tests may be named.
const SOURCES: [&str; 8] =
    ["generated/tests", "metadata", "protocol", "provider/src", "provider/tests", "tests/tests", "tests/src", "value"];

#[test]
fn every_weakness_has_one_row_in_order() {
    let rows = rows("docs/compatibility.md", &['Q']).unwrap();
    let ids: Vec<&str> = rows.iter().map(|row| row[0].as_str()).collect();
    let expected: Vec<String> = (1..=85).map(|number| format!("Q{number}")).collect();
    assert_eq!(ids, expected);
}

#[test]
fn what_is_fixed_names_tests_and_what_is_not_says_why() {
    let known = known_tests(&SOURCES);
    let mut wrong = Vec::new();
    for row in rows("docs/compatibility.md", &['Q']).unwrap() {
        let [id, weakness, verdict, shown] = row.as_slice() else {
            wrong.push(format!("{}: {} cells", row[0], row.len()));
            continue;
        };
        assert!(!weakness.is_empty(), "{id}");
        let has_reason = shown.starts_with("reason: ");
        match verdict.as_str() {
            "fixed" if !has_reason => {}
            "kept" | "left" if has_reason => {}
            other => wrong.push(format!("{id}: {other}, but {shown}")),
        }
        wrong.extend(problems(id, shown, &known));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
