//! The committed JSON schemas are those of the structs, and the files that people write name them.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may stop at the first surprise")]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_owned()
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files
}

#[test]
fn the_committed_schemas_are_fresh() {
    let folder = root().join("docs/schemas");
    let mut expected = BTreeSet::new();
    for (name, text) in codegen::json_schemas::all() {
        let committed = fs::read_to_string(folder.join(name)).unwrap_or_default();
        assert_eq!(committed, text, "{name} is stale: run `pulumi-gen-aws-native json-schemas`");
        expected.insert(folder.join(name));
    }
    let schemas = files(&folder).into_iter().filter(|path| path.to_string_lossy().ends_with(".schema.json"));
    assert_eq!(schemas.collect::<BTreeSet<_>>(), expected, "others are not written by the generator");
}

#[test]
fn written_files_name_their_schema() {
    let mut seen = 0;
    for folder in ["cf-schemas/overlays", "cf-schemas/semantics"] {
        let folder = root().join(folder);
        for path in files(&folder).into_iter().filter(|path| path.extension().is_some_and(|end| end == "yaml")) {
            let text = fs::read_to_string(&path).unwrap();
            let first = text.lines().next().unwrap_or_default();
            let schema = first.strip_prefix("# yaml-language-server: $schema=");
            let schema = schema.unwrap_or_else(|| panic!("{}: {first:?} names no schema", path.display()));
            assert!(folder.join(schema).is_file(), "{}: there is no {schema}", path.display());
            seen += 1;
        }
    }
    assert!(seen >= 7, "only {seen} files were found");
    let lock = fs::read_to_string(root().join("cf-schemas/lock.json")).unwrap();
    let lock: serde_json::Value = serde_json::from_str(&lock).unwrap();
    assert!(root().join("cf-schemas").join(lock["$schema"].as_str().unwrap()).is_file());
}
