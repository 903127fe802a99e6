//! The JSON schemas for editors say what the code reads, and the data files name theirs.

#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_owned()
}

#[test]
fn the_schemas_of_data_files_are_those_of_the_code() {
    for (name, text) in emulator::json_schemas() {
        let file = root().join("docs/emulator/schemas").join(name);
        let committed = std::fs::read_to_string(&file).unwrap_or_default();
        assert!(committed == text, "{name} is stale: run `cloudcontrol-emulator json-schemas docs/emulator/schemas`");
    }
}

#[test]
fn data_files_about_forms_name_their_schema() {
    let folder = root().join("emulator/data/forms");
    let mut seen = 0;
    for file in std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()) {
        let text = std::fs::read_to_string(&file).unwrap();
        let first = text.lines().next().unwrap_or_default();
        let schema = first.strip_prefix("# yaml-language-server: $schema=").unwrap_or_default();
        assert!(!schema.is_empty() && folder.join(schema).is_file(), "{}: {first}", file.display());
        seen += 1;
    }
    assert!(seen > 30);
}
