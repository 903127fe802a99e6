//! A small checkout and the commands in it, for the tests that run them as people do.
#![allow(clippy::unwrap_used, dead_code, reason = "a test may stop at the first surprise; no test uses everything")]

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use tempfile::TempDir;
use zip::write::SimpleFileOptions;

/// The program under test.
pub const PROGRAM: &str = env!("CARGO_BIN_EXE_pulumi-gen-aws-native");

/// A provisionable type with the property `Id` and another one.
pub fn schema(type_name: &str, property: &str) -> String {
    let handlers = json!({"create": {"permissions": []}, "read": {"permissions": []}, "delete": {"permissions": []}});
    json!({
        "typeName": type_name, "description": "For people.",
        "properties": {property: {"type": "string"}, "Id": {"type": "string"}},
        "readOnlyProperties": ["/properties/Id"], "primaryIdentifier": ["/properties/Id"],
        "additionalProperties": false, "handlers": handlers,
    })
    .to_string()
}

/// Writes a file and the folders that it lies in.
pub fn write(path: &Path, contents: &[u8]) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, contents).unwrap();
}

/// The bytes of a zip archive.
pub fn archive<T: AsRef<[u8]>>(entries: &[(&str, T)]) -> Vec<u8> {
    let mut writer = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    for (name, contents) in entries {
        writer.start_file(*name, SimpleFileOptions::default()).unwrap();
        writer.write_all(contents.as_ref()).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

/// A checkout with a folder `schemas` of two good types, one without handlers, and one that is no schema.
pub fn checkout() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let write = |path: &str, text: String| write(&folder.path().join(path), text.as_bytes());
    write("cf-schemas/lock.json", "{}".to_owned());
    write("schemas/a.json", schema("AWS::Some::Thing", "Name"));
    write("schemas/b.json", schema("AWS::Other::Thing", "Name"));
    let mut idea: Value = serde_json::from_str(&schema("AWS::Some::Idea", "Name")).unwrap();
    idea["handlers"] = json!({});
    write("schemas/c.json", idea.to_string());
    write(
        "cf-schemas/overlays/thing.yaml",
        json!({
            "type": "AWS::Some::Thing", "reason": "to see it", "link": "none",
            "patch": [{"op": "add", "path": "/properties/Size", "value": {"type": "integer"}}],
        })
        .to_string(),
    );
    folder
}

/// Runs a command; returns whether it succeeded, and what it printed on standard output and on standard error.
pub fn run(checkout: &Path, arguments: &[&str]) -> (bool, String, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_pulumi-gen-aws-native"))
        .args(arguments)
        .current_dir(checkout)
        .output()
        .unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (output.status.success(), text(output.stdout), text(output.stderr))
}

/// Names in a folder, in order.
pub fn names_in(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let mut names: Vec<String> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

/// Pins schemas: writes the package that the lock file names into the download folder, so that nothing is fetched.
pub fn pin(checkout: &Path, schemas: &[(&str, &str)]) {
    let names: Vec<String> = schemas.iter().map(|(name, _)| format!("some/schemas/resources/{name}")).collect();
    let mut entries: Vec<(&str, &str)> =
        names.iter().map(String::as_str).zip(schemas.iter().map(|(_, text)| *text)).collect();
    entries.push(("some/schemas/providers/us-east-1.json", "{}"));
    let package = archive(&entries);
    let sha256: String = Sha256::digest(&package).iter().map(|byte| format!("{byte:02x}")).collect();
    write(&checkout.join("cf-schemas/download/package.whl"), &package);
    let lock = json!({
        "registry": "pypi", "package": "some", "version": "1.0", "file": "some-1.0.whl", "sha256": sha256,
        "schemas": schemas.len(), "providers": 1,
    });
    write(&checkout.join("cf-schemas/lock.json"), lock.to_string().as_bytes());
}
