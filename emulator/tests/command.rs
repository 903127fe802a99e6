//! How the command starts, says that it is ready, and ends.

#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]
#![cfg(unix)]

use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};

const SCHEMA: &str = r#"{"typeName":"A::B::C","primaryIdentifier":["/properties/N"],"properties":{"N":{"type":"string"}},"handlers":{"create":{}}}"#;

fn command() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cloudcontrol-emulator"));
    for (name, _) in std::env::vars_os() {
        if name.to_string_lossy().starts_with("CLOUDCONTROL_EMULATOR_") {
            command.env_remove(name);
        }
    }
    command
}

#[test]
fn one_line_says_that_it_serves_and_sigterm_ends_it() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("any.json"), SCHEMA).unwrap();
    let mut child =
        command().env("CLOUDCONTROL_EMULATOR_SCHEMAS", folder.path()).stdout(Stdio::piped()).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let ready: serde_json::Value = serde_json::from_str(&line).unwrap();
    assert_eq!((&ready["ready"], &ready["types"]), (&serde_json::json!(true), &serde_json::json!(1)));
    assert_eq!(ready["pid"], child.id());
    assert!(ready["url"].as_str().unwrap().starts_with("http://127.0.0.1:"));
    assert!(Command::new("kill").arg(child.id().to_string()).status().unwrap().success());
    assert_eq!(child.wait().unwrap().code(), Some(0));
}

#[test]
fn exit_codes_tell_what_was_wrong() {
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port().to_string();
    let folder = tempfile::tempdir().unwrap();
    let schemas = folder.path().to_str().unwrap();
    check(&["--port", "none"], 2, "--port");
    check(&["--profile", "chaotic"], 2, "profiles are test, fast, realistic, chaos");
    check(&["--profile", "none.yaml"], 2, "none.yaml: ");
    check(&["--default-account", "12"], 2, "twelve digits");
    check(&["--schemas", "/no/such/folder"], 5, "/no/such/folder: ");
    check(&["--schemas", schemas], 5, "no resource type schema in it");
    std::fs::write(folder.path().join("any.json"), SCHEMA).unwrap();
    check(&["--schemas", schemas, "--port", &port], 4, "cannot listen on 127.0.0.1:");
    check(&["check", "--schemas", schemas], 0, "");
    std::fs::write(folder.path().join("other.json"), "{}").unwrap();
    check(&["check", "--schemas", schemas], 1, "");
}

#[track_caller]
fn check(arguments: &[&str], code: i32, text: &str) {
    let output = command().args(arguments).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(code), "{arguments:?}: {said}");
    assert!(said.contains(text), "{arguments:?}: {said}");
}
