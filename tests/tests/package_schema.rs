//! The real engine takes the package schema: the CLI's own check passes, and programs are type-checked against it.
#![allow(clippy::unwrap_used, reason = "a test ends with its first surprise")]

use std::process::Command;

use tests::binaries::{built, tools};
use tests::sandbox::Sandbox;

#[test]
fn the_cli_binds_every_resource_type_and_function() {
    let folder = tempfile::tempdir().unwrap();
    let schema = folder.path().join("schema.json");
    let export = Command::new(built("pulumi-gen-aws-native").unwrap()).args(["export", "schema"]).output().unwrap();
    assert!(export.status.success(), "{}", String::from_utf8_lossy(&export.stderr));
    std::fs::write(&schema, &export.stdout).unwrap();
    let check = Command::new(tools().unwrap().join("pulumi"))
        .args(["schema", "check", "--allow-dangling-references"])
        .arg(&schema)
        .env("PULUMI_HOME", folder.path())
        .output()
        .unwrap();
    assert!(check.status.success(), "{}", String::from_utf8_lossy(&check.stderr));
}

#[test]
fn a_misspelled_property_is_refused_before_anything_happens() {
    let sandbox = Sandbox::new("first-steps", "http://127.0.0.1:9").unwrap();
    let program = sandbox.program().join("Pulumi.yaml");
    let text = std::fs::read_to_string(&program).unwrap().replace("visibilityTimeout:", "visibilityTimeoot:");
    std::fs::write(&program, text).unwrap();
    sandbox.configure("apiKey", "one", true).unwrap();
    sandbox.configure("dbPassword", "two", true).unwrap();
    let said = sandbox.run(&["preview"]).unwrap();
    assert!(!said.ok);
    assert!(format!("{}{}", said.out, said.err).contains("visibilityTimeoot"), "{}\n{}", said.out, said.err);
}
