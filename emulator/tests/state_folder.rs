//! What the command says about a state folder that it cannot use, and about being ready.

#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]
#![cfg(unix)]

use redb::{Database, TableDefinition};
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

const SCHEMA: &str = r#"{"typeName":"A::B::C","primaryIdentifier":["/properties/N"],"properties":{"N":{"type":"string"}},"handlers":{"create":{}}}"#;

fn command(schemas: &Path, state: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cloudcontrol-emulator"));
    for (name, _) in std::env::vars_os() {
        if name.to_string_lossy().starts_with("CLOUDCONTROL_EMULATOR_") {
            command.env_remove(name);
        }
    }
    command.arg("--schemas").arg(schemas).arg("--state").arg(state).stdout(Stdio::piped());
    command
}

/// Waits for the ready line.
fn line(child: &mut Child) -> String {
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    line
}

fn stop(mut child: Child) -> Option<i32> {
    assert!(Command::new("kill").arg(child.id().to_string()).status().unwrap().success());
    child.wait().unwrap().code()
}

fn refused(schemas: &Path, state: &Path) -> String {
    let output = command(schemas, state).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(3), "{said}");
    said
}

#[test]
fn unusable_state_folders_end_with_code_3_and_the_reason() {
    let (schemas, state) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    std::fs::write(schemas.path().join("any.json"), SCHEMA).unwrap();
    let mut child = command(schemas.path(), state.path()).spawn().unwrap();
    assert!(line(&mut child).contains("\"ready\":true"));
    let said = refused(schemas.path(), state.path());
    assert!(said.contains(&format!("{} is in use by another process", state.path().display())), "{said}");
    assert_eq!(stop(child), Some(0));

    let file = state.path().join("state.redb");
    let database = Database::open(&file).unwrap();
    let transaction = database.begin_write().unwrap();
    {
        let mut meta = transaction.open_table(TableDefinition::<&[u8], &[u8]>::new("meta")).unwrap();
        meta.insert(b"format".as_slice(), b"99".as_slice()).unwrap();
    }
    transaction.commit().unwrap();
    drop(database);
    let said = refused(schemas.path(), state.path());
    assert!(said.contains("was written by a newer emulator (format 99, this one reads up to 1)"), "{said}");

    std::fs::write(&file, "no database at all").unwrap();
    let said = refused(schemas.path(), state.path());
    assert!(said.contains("state.redb"), "{said}");
    let said = refused(schemas.path(), &file);
    assert!(said.contains("state.redb"), "{said}");
}

#[test]
fn a_ready_file_says_the_same_and_goes_when_the_emulator_stops() {
    let (schemas, state) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    std::fs::write(schemas.path().join("any.json"), SCHEMA).unwrap();
    let file = state.path().join("ready.json");
    let mut child = command(schemas.path(), state.path()).arg("--ready-file").arg(&file).spawn().unwrap();
    let said = line(&mut child);
    assert_eq!(std::fs::read_to_string(&file).unwrap(), said);
    assert_eq!(stop(child), Some(0));
    assert!(!file.exists());

    let nowhere = state.path().join("none/ready.json");
    let output = command(schemas.path(), state.path()).arg("--ready-file").arg(&nowhere).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("--ready-file"));
}
