//! The commands, run as people run them, in a small checkout made here.
#![allow(clippy::unwrap_used, reason = "a test may stop at the first surprise")]

use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};
use tempfile::TempDir;

/// A checkout with a folder `schemas` of two good types, one without handlers, and one that is no schema.
fn checkout() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let write = |path: &str, text: String| {
        let path = folder.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    };
    let schema = |type_name: &str, handlers: Value| {
        json!({
            "typeName": type_name, "description": "For people.",
            "properties": {"Name": {"type": "string"}, "Id": {"type": "string"}},
            "readOnlyProperties": ["/properties/Id"], "primaryIdentifier": ["/properties/Id"],
            "additionalProperties": false, "handlers": handlers,
        })
        .to_string()
    };
    let handlers = json!({"create": {"permissions": []}, "read": {"permissions": []}, "delete": {"permissions": []}});
    write("cf-schemas/lock.json", "{}".to_owned());
    write("schemas/a.json", schema("AWS::Some::Thing", handlers.clone()));
    write("schemas/b.json", schema("AWS::Other::Thing", handlers));
    write("schemas/c.json", schema("AWS::Some::Idea", json!({})));
    write(
        "cf-schemas/overlays/thing.json",
        json!({
            "type": "AWS::Some::Thing", "reason": "to see it", "link": "none",
            "patch": [{"op": "add", "path": "/properties/Size", "value": {"type": "integer"}}],
        })
        .to_string(),
    );
    folder
}

/// Runs a command; returns whether it succeeded, and what it printed on standard output and on standard error.
fn run(checkout: &Path, arguments: &[&str]) -> (bool, String, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_pulumi-gen-aws-native"))
        .args(arguments)
        .current_dir(checkout)
        .output()
        .unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (output.status.success(), text(output.stdout), text(output.stderr))
}

const SOURCE: [&str; 2] = ["--source", "schemas"];

#[test]
fn generate_then_check() {
    let checkout = checkout();
    let (success, out, error) = run(checkout.path(), &["generate", SOURCE[0], SOURCE[1]]);
    assert!(success && out.is_empty(), "{error}");
    assert!(error.starts_with("generated: "), "{error}");
    assert_eq!(error.lines().count(), 1, "{error}");
    let service = fs::read_to_string(checkout.path().join("generated/src/services/some.rs")).unwrap();
    assert!(service.contains("/// CloudFormation type `AWS::Some::Thing`, Pulumi token `aws-native:some:Thing`."));
    assert!(service.contains("sizeSize"), "the overlay was not applied");

    let (success, _, error) = run(checkout.path(), &["check", SOURCE[0], SOURCE[1]]);
    assert!(success, "{error}");
    let (_, _, error) = run(checkout.path(), &["generate", SOURCE[0], SOURCE[1]]);
    assert!(error.contains("nothing changed"), "{error}");

    fs::write(checkout.path().join("generated/src/services/some.rs"), "").unwrap();
    fs::write(checkout.path().join("generated/src/services/old.rs"), "").unwrap();
    let (success, _, error) = run(checkout.path(), &["check", SOURCE[0], SOURCE[1]]);
    assert!(!success);
    assert_eq!(
        error,
        "error: 2 files are out of date; run `make generate`:\n  generated/src/services/old.rs\n  generated/src/services/some.rs\n"
    );
}

#[test]
fn defects_are_named_and_strict_forbids_them() {
    let checkout = checkout();
    fs::write(checkout.path().join("schemas/d.json"), "{").unwrap();
    let (success, _, error) = run(checkout.path(), &["generate", SOURCE[0], SOURCE[1]]);
    assert!(success && error.starts_with("left out d.json: the schema is no JSON: "), "{error}");
    let skips = fs::read_to_string(checkout.path().join("generated/report/skips.json")).unwrap();
    assert!(skips.contains("\"AWS::Some::Idea\""), "{skips}");

    let (success, _, error) = run(checkout.path(), &["generate", "--strict", "--out", "other", SOURCE[0], SOURCE[1]]);
    assert!(!success && error.contains("--strict forbids that; nothing was written"), "{error}");
    assert!(!checkout.path().join("other").exists());
}

#[test]
fn export_is_plain_json() {
    let checkout = checkout();
    let (_, out, error) = run(checkout.path(), &["export", "schema", SOURCE[0], SOURCE[1]]);
    let schema: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(schema["resources"]["aws-native:some:Thing"]["inputProperties"]["size"]["type"], "integer", "{error}");

    let (_, out, error) = run(checkout.path(), &["export", "metadata", "-o", "metadata.json", SOURCE[0], SOURCE[1]]);
    assert!(out.is_empty(), "{error}");
    let text = fs::read_to_string(checkout.path().join("metadata.json")).unwrap();
    let metadata: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(metadata["resources"]["aws-native:some:Thing"]["cf"], "AWS::Some::Thing");
}

#[test]
fn show_finds_types_and_suggests_others() {
    let checkout = checkout();
    let show = |name: &str| run(checkout.path(), &["show", name, SOURCE[0], SOURCE[1]]);
    for name in ["AWS::Some::Thing", "aws-native:some:Thing", "aws::some::thing"] {
        let (success, out, error) = show(name);
        assert!(success && out.starts_with("AWS::Some::Thing\naws-native:some:Thing\n"), "{error}");
    }
    let (_, out, _) = run(checkout.path(), &["show", "--json", "AWS::Some::Thing", SOURCE[0], SOURCE[1]]);
    assert_eq!(serde_json::from_str::<Value>(&out).unwrap()["token"], "aws-native:some:Thing");
    assert_eq!(
        show("AWS::Some::Idea").2,
        "error: AWS::Some::Idea is left out: not provisionable: no create, read, delete handler\n"
    );
    assert_eq!(
        show("thing").2,
        "error: there is no resource type thing; similar are AWS::Other::Thing, AWS::Some::Thing\n"
    );
}

#[test]
fn mistakes_are_explained() {
    let checkout = checkout();
    let check = |arguments: &[&str], message: &str| {
        let (success, _, error) = run(checkout.path(), arguments);
        assert!(!success);
        assert_eq!(error.lines().last().unwrap(), message);
    };
    check(&["generate", "--source", "absent"], "error: absent: cannot read: No such file or directory (os error 2)");
    check(
        &["generate", "--source", "cf-schemas/overlays/thing.json"],
        "error: cf-schemas/overlays/thing.json: not a readable zip archive: invalid Zip archive: Could not find EOCD",
    );
    check(
        &["fetch"],
        "error: cf-schemas/lock.json: not a lock file; restore it from version control: missing field `registry` at line 1 \
         column 2",
    );
    check(&["fetch", "--root", "schemas"], "error: schemas: no checkout: it has no cf-schemas/lock.json");
}

#[test]
fn corrections_that_another_source_does_not_need_are_said() {
    let checkout = checkout();
    let overlay = checkout.path().join("cf-schemas/overlays/thing.json");
    let text = fs::read_to_string(&overlay).unwrap().replace("/properties/Size", "/nowhere/Size");
    fs::write(&overlay, text).unwrap();
    let (success, _, error) = run(checkout.path(), &["generate", SOURCE[0], SOURCE[1]]);
    assert!(success, "{error}");
    assert!(error.starts_with(
        "not needed for this source: cf-schemas/overlays/thing.json: AWS::Some::Thing at /nowhere/Size: "
    ));
}
