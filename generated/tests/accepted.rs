//! The package schema says what was accepted: nothing that programs depend on changes unseen.
#![allow(clippy::unwrap_used, reason = "a test may stop at the first surprise")]

use codegen::digest::tokens::{differences, digests, read};
use generated::PACKAGE_SCHEMA_ZST;

const ACCEPTED: &str = include_str!("../../codegen/compat/digests.tsv");

/// How many tokens a failure names.
const NAMED: usize = 40;

#[test]
fn every_token_is_as_accepted() {
    let text = zstd::stream::decode_all(PACKAGE_SCHEMA_ZST).unwrap();
    let package = serde_json::from_slice(&text).unwrap();
    let differences = differences(&read(ACCEPTED), &digests(&package));
    let named = differences.iter().take(NAMED).map(|one| format!("\n  {one}")).collect::<String>();
    assert!(
        differences.is_empty(),
        "{} tokens differ from codegen/compat/digests.tsv:{named}\nIf programs may see that, run `make accept` and commit the file.",
        differences.len()
    );
}
