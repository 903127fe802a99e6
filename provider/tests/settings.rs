//! The page about settings has every key that a configuration may have.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]
#![allow(missing_docs, reason = "tests are named by what they show")]

use provider::config::keys::KEYS;

#[test]
fn every_key_has_its_row() {
    let page = include_str!("../../docs/settings.md");
    let rows: Vec<&str> = page.lines().filter(|line| line.starts_with("| `")).collect();
    for key in KEYS {
        let count = rows.iter().filter(|row| row.split('|').nth(1).unwrap().contains(&format!("`{key}`"))).count();
        assert_eq!(count, 1, "{key}");
    }
}
