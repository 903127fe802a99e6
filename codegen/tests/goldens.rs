//! What every construct of a schema becomes: `golden/NAME/schema.json` (one schema, or a list of them) beside
//! `golden/NAME/expected.txt`. The number in a name is the section of the mapping that it is about.
//!
//! `ACCEPT_GOLDENS=1 cargo test -p codegen --test goldens` rewrites the expected texts; read the diff before committing.
#![allow(clippy::unwrap_used, reason = "a test may stop at the first surprise")]
#![allow(clippy::disallowed_methods, reason = "the switch that rewrites goldens is read from the environment")]

mod common;

use codegen::semantics::{FILES, Semantics};
use common::facts::facts;
use common::run_with;
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};

fn goldens() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden");
    let mut goldens: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    goldens.sort();
    goldens
}

/// What is committed: some constructs become what they are by it.
fn semantics() -> Semantics {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../cf-schemas/semantics");
    let texts = FILES.map(|name| fs::read_to_string(folder.join(name)).unwrap());
    Semantics::parse([0, 1, 2].map(|index| (FILES[index], texts[index].as_str()))).unwrap()
}

#[test]
fn every_construct_becomes_what_is_expected() {
    let semantics = semantics();
    let accept = std::env::var_os("ACCEPT_GOLDENS").is_some();
    let mut differing = Vec::new();
    for golden in goldens() {
        let name = golden.file_name().unwrap().to_string_lossy().into_owned();
        let text = fs::read(golden.join("schema.json")).unwrap_or_else(|error| unreachable!("{name}: {error}"));
        let schemas = match serde_json::from_slice(&text).unwrap() {
            Value::Array(schemas) => schemas,
            schema => vec![schema],
        };
        let found = facts(&run_with(semantics.clone(), schemas));
        let expected = golden.join("expected.txt");
        let known = fs::read_to_string(&expected).unwrap_or_default();
        if found == known {
            continue;
        }
        if accept {
            fs::write(&expected, found).unwrap();
            continue;
        }
        let first = found.lines().zip(known.lines()).find(|(found, known)| found != known);
        let first = first.map(|(found, known)| format!("\n    expected {known}\n    found    {found}"));
        differing.push(format!("\n  tests/golden/{name}/expected.txt{}", first.unwrap_or_default()));
    }
    assert!(
        differing.is_empty(),
        "{} goldens differ:{}\nIf that is right, run `ACCEPT_GOLDENS=1 cargo test -p codegen --test goldens` and read the diff.",
        differing.len(),
        differing.concat()
    );
    check_files();
}

/// A golden holds nothing but a schema and its facts.
fn check_files() {
    for golden in goldens() {
        let mut files: Vec<_> = fs::read_dir(&golden).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        files.sort();
        assert_eq!(files, ["expected.txt", "schema.json"], "{}", golden.display());
    }
}
