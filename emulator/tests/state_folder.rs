//! What the command says about a state folder that it cannot use, and about being ready.

#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]
#![cfg(unix)]

use redb::{Database, TableDefinition};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};

const SCHEMA: &str = r#"{"typeName":"AA::BB::CC","primaryIdentifier":["/properties/N"],"properties":{"N":{"type":"string"}},"handlers":{"create":{}}}"#;

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

/// Sends a call of Cloud Control: status and body.
fn call(url: &str, operation: &str, body: &str) -> (u16, String) {
    let mut stream = TcpStream::connect(url.strip_prefix("http://").unwrap()).unwrap();
    let request = format!(
        "POST / HTTP/1.1\r\nhost: e\r\nconnection: close\r\nx-amz-target: CloudApiService.{operation}\r\n\
         content-length: {}\r\n\r\n{body}",
        body.len()
    );
    stream.write_all(request.as_bytes()).unwrap();
    let mut text = String::new();
    stream.read_to_string(&mut text).unwrap();
    let (head, body) = text.split_once("\r\n\r\n").unwrap();
    (head.split(' ').nth(1).unwrap().parse().unwrap(), body.to_owned())
}

fn url(line: &str) -> String {
    line.split("\"url\":\"").nth(1).unwrap().split('"').next().unwrap().to_owned()
}

#[test]
fn a_full_disk_is_told_and_nothing_that_was_answered_is_lost() {
    let (schemas, state) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    std::fs::write(schemas.path().join("any.json"), SCHEMA).unwrap();
    let mut child = command(schemas.path(), state.path()).spawn().unwrap();
    line(&mut child);
    assert_eq!(stop(child), Some(0));
    // The file may grow by 64 KiB only: a write beyond that fails, as on a full disk.
    let blocks = std::fs::metadata(state.path().join("state.redb")).unwrap().len() / 512 + 128;
    let inner = command(schemas.path(), state.path());
    let mut limited = Command::new("sh");
    limited.args(["-c", &format!("ulimit -f {blocks}; exec \"$0\" \"$@\"")]);
    limited.arg(inner.get_program()).args(inner.get_args()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = limited.spawn().unwrap();
    let address = url(&line(&mut child));
    let mut kept = Vec::new();
    let refused = (0..20_000).find_map(|number| {
        let desired = format!("{{\\\"N\\\":\\\"n{number}-{}\\\"}}", "x".repeat(800));
        let body = format!("{{\"TypeName\":\"AA::BB::CC\",\"DesiredState\":\"{desired}\"}}");
        let (status, text) = call(&address, "CreateResource", &body);
        if status != 200 {
            return Some((status, text));
        }
        let token = text.split("\"RequestToken\":\"").nth(1).unwrap().split('"').next().unwrap();
        kept.push(token.to_owned());
        None
    });
    let (status, text) = refused.unwrap();
    assert!(status == 503 && text.contains("the state folder cannot be written: "), "{status} {text}");
    assert!(!kept.is_empty());
    let again =
        call(&address, "CreateResource", "{\"TypeName\":\"AA::BB::CC\",\"DesiredState\":\"{\\\"N\\\":\\\"m\\\"}\"}");
    assert_eq!(again.0, 503, "{}", again.1);
    assert!(Command::new("kill").arg(child.id().to_string()).status().unwrap().success());
    let output = child.wait_with_output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(3), "{said}");
    assert!(said.contains("the state could not be kept: "), "{said}");

    let mut child = command(schemas.path(), state.path()).spawn().unwrap();
    let address = url(&line(&mut child));
    for token in kept {
        let (status, text) = call(&address, "GetResourceRequestStatus", &format!("{{\"RequestToken\":\"{token}\"}}"));
        assert_eq!(status, 200, "{text}");
    }
    assert_eq!(stop(child), Some(0));
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
