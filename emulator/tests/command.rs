//! How the command starts, says that it is ready, and ends.

#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]
#![cfg(unix)]

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};

use serde_json::{Value, json};

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
    let ready = ready(&mut child);
    assert_eq!((&ready["ready"], &ready["types"]), (&json!(true), &json!(1)));
    assert_eq!(ready["pid"], child.id());
    assert!(ready["url"].as_str().unwrap().starts_with("http://127.0.0.1:"));
    stop(child);
}

#[test]
fn exit_codes_tell_what_was_wrong() {
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port().to_string();
    let folder = tempfile::tempdir().unwrap();
    let schemas = folder.path().to_str().unwrap();
    check(&["--port", "none"], 2, "--port");
    check(&["--admin", "some"], 2, "on, off or a port is wanted");
    check(&["--listen", "0.0.0.0"], 2, "(--admin-token TOKEN or --admin off)");
    check(&["--listen", "0.0.0.0", "--admin-token", ""], 2, "the token of the pages for tests is empty");
    check(&["--admin-token", " "], 2, "the token of the pages for tests is empty");
    check(&["--tls-cert", "c.pem"], 2, "--tls-cert needs --tls-key too");
    check(&["--tls-key", "k.pem"], 2, "--tls-key needs --tls-cert too");
    check(&["--default-region", "EU WEST"], 2, "\"EU WEST\" is no region");
    check(&["--regions", "a b"], 2, "\"a b\" is no region");
    check(&["--throttle", "0"], 2, "a number above 0 and one from 1");
    check(&["--log", "!!!bad[["], 2, "MODULE=LEVEL");
    check(&["--profile", "chaotic"], 2, "profiles are test, fast, realistic, chaos");
    check(&["--profile", "none.yaml"], 2, "none.yaml: ");
    check(&["--default-account", "12"], 2, "twelve digits");
    check(&["--time-scale", "-1"], 2, "a number from 0 to 1000 is wanted");
    check(&["--schemas", "/no/such/folder"], 5, "--schemas /no/such/folder: ");
    check(&["--schemas", schemas], 5, "no resource type schema in it");
    check(&["check", "--schemas", schemas], 5, "no resource type schema in it");
    let file = folder.path().join("file.yaml");
    let config = file.to_str().unwrap();
    for (text, expected) in [
        ("tls-cert: c.pem\n", "--tls-cert needs --tls-key too"),
        ("listen: 0.0.0.0\nadmin-token: ''\n", "the token of the pages for tests is empty"),
        ("default-region: EU\n", "file.yaml:1:17: default-region: "),
        ("log: '[['\n", "file.yaml:1:6: log: "),
    ] {
        std::fs::write(&file, text).unwrap();
        check(&["--config", config], 2, expected);
    }
    std::fs::write(&file, "tls-key: /none/k.pem\n").unwrap();
    check(&["--config", config, "--tls-cert", "/none/c.pem"], 2, "/none/c.pem");
    std::fs::write(&file, "rules: [{ id: never, when: { nth: 0 }, then: twice }]\n").unwrap();
    check(&["--profile", config], 2, "rule never: nth: a turn is counted from 1");
    std::fs::remove_file(&file).unwrap();
    std::fs::write(folder.path().join("any.json"), SCHEMA).unwrap();
    check(&["--schemas", schemas, "--port", &port], 4, "; give another --port, or 0 for a free one");
    check(&["check", "--schemas", schemas], 0, "");
    check(&["--schemas", schemas, "--region-types", "/no/such/table"], 2, "--region-types /no/such/table: ");
    let checked = command().args(["check", "--schemas", schemas]).output().unwrap();
    let said = String::from_utf8_lossy(&checked.stdout).into_owned();
    assert!(said.starts_with("1 type, 1 of them provisionable, 0 warnings"), "{said}");
    std::fs::write(folder.path().join("other.json"), "{}").unwrap();
    check(&["check", "--schemas", schemas], 1, "");
}

#[test]
fn flags_win_over_variables_and_these_over_the_file() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("any.json"), SCHEMA).unwrap();
    let file = folder.path().join("emulator.yaml");
    let text = format!("# ports are free\nschemas: {}\ndefault-account: '333333333333'\n", folder.path().display());
    std::fs::write(&file, text).unwrap();
    for (flag, variable, expected) in [
        (Some("111111111111"), Some("222222222222"), "111111111111"),
        (None, Some("222222222222"), "222222222222"),
        (None, None, "333333333333"),
    ] {
        let mut starting = command();
        starting.env("CLOUDCONTROL_EMULATOR_CONFIG", &file).stdout(Stdio::piped());
        starting.args(flag.iter().flat_map(|account| ["--default-account", account]));
        starting.envs(variable.map(|account| ("CLOUDCONTROL_EMULATOR_DEFAULT_ACCOUNT", account)));
        let mut child = starting.spawn().unwrap();
        let ready = ready(&mut child);
        assert_eq!(ready["types"], 1, "the schemas come from the file");
        let identity = post(ready["url"].as_str().unwrap(), "Action=GetCallerIdentity&Version=2011-06-15");
        assert!(identity.contains(&format!("<Account>{expected}</Account>")), "{expected}: {identity}");
        stop(child);
    }

    let named = file.to_str().unwrap();
    std::fs::write(&file, "page-size: none\n").unwrap();
    check(&["--config", named], 2, "emulator.yaml:1:12: page-size: invalid value 'none'");
    std::fs::write(&file, "pages: 1\n").unwrap();
    check(&["--config", named], 2, "emulator.yaml:1:8: pages: there is no such flag; --help names all");
    check(&["--config", "/no/such/file"], 2, "--config /no/such/file: ");
}

/// The ready line of a command that was started.
fn ready(child: &mut Child) -> Value {
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    serde_json::from_str(&line).unwrap()
}

/// Ends a command as a service manager would; it ends well.
fn stop(mut child: Child) {
    assert!(Command::new("kill").arg(child.id().to_string()).status().unwrap().success());
    assert_eq!(child.wait().unwrap().code(), Some(0));
}

/// What an emulator answers to a form.
fn post(url: &str, form: &str) -> String {
    let mut stream = TcpStream::connect(url.strip_prefix("http://").unwrap()).unwrap();
    let head = "content-type: application/x-www-form-urlencoded\r\nconnection: close";
    let request =
        format!("POST / HTTP/1.1\r\nhost: emulator\r\n{head}\r\ncontent-length: {}\r\n\r\n{form}", form.len());
    stream.write_all(request.as_bytes()).unwrap();
    let mut text = String::new();
    stream.read_to_string(&mut text).unwrap();
    text
}

#[test]
fn a_default_region_that_does_not_exist_is_told() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("any.json"), SCHEMA).unwrap();
    for (regions, expected) in [("eu-west-1", true), ("eu-west-1,us-east-1", false)] {
        let mut starting = command();
        starting.arg("--schemas").arg(folder.path()).args(["--regions", regions]);
        let mut child = starting.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        ready(&mut child);
        let mut errors = child.stderr.take().unwrap();
        stop(child);
        let mut said = String::new();
        errors.read_to_string(&mut said).unwrap();
        assert_eq!(said.contains("their region us-east-1 is none of those that exist"), expected, "{said}");
    }
}

#[track_caller]
fn check(arguments: &[&str], code: i32, text: &str) {
    let output = command().args(arguments).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(code), "{arguments:?}: {said}");
    assert!(said.contains(text), "{arguments:?}: {said}");
}

/// Runs a verb against a running emulator: exit code, what it said, what it complained about.
fn verb(emulator: &emulator::Emulator, arguments: &[&str]) -> (Option<i32>, String, String) {
    let output = command().env("CLOUDCONTROL_EMULATOR_URL", emulator.url()).args(arguments).output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).trim_end().to_owned();
    (output.status.code(), text(&output.stdout), text(&output.stderr))
}

#[test]
fn drift_is_made_on_the_command_line() {
    let schema = r#"{"typeName":"A::B::C","primaryIdentifier":["/properties/N"],"createOnlyProperties":["/properties/N"],
        "properties":{"N":{"type":"string"},"Size":{"type":"integer"},"Text":{"type":"string"}},"handlers":{"create":{},"read":{},"update":{}}}"#;
    let schemas = emulator::SchemaSource::Texts(vec![schema.to_owned()]);
    let emulator = emulator::Emulator::builder().schemas(schemas).start_blocking().unwrap();
    let model = |emulator: &emulator::Emulator| {
        emulator.admin().resources(&emulator::Which::default()).pop().map(|one| one.model)
    };
    let (code, said, _) = verb(&emulator, &["drift", "create", "A::B::C", "--model", r#"{"N":"a b","Size":1}"#]);
    assert_eq!(code, Some(0));
    assert!(said.contains(r#""identifier":"a b""#), "{said}");
    let (code, said, complaint) =
        verb(&emulator, &["drift", "set", "A::B::C", "a b", "--set", "/Size=2", "--set", "/Text=some text"]);
    assert_eq!(code, Some(0), "{complaint}");
    assert_eq!(model(&emulator).unwrap(), serde_json::json!({"N": "a b", "Size": 2, "Text": "some text"}), "{said}");
    assert_eq!(verb(&emulator, &["drift", "set", "A::B::C", "a b", "--remove", "/Text"]).0, Some(0));
    let (code, said, _) = verb(&emulator, &["drift", "random", "--type", "A::B::C", "--count", "1", "--seed", "3"]);
    let told: serde_json::Value = serde_json::from_str(&said).unwrap();
    assert_eq!((code, &told["identifier"]), (Some(0), &serde_json::json!("a b")));
    let path = told["path"].as_str().unwrap();
    assert_eq!(model(&emulator).unwrap().pointer(path).unwrap_or(&serde_json::Value::Null), &told["after"]);
    for (arguments, expected, text) in [
        (vec!["drift", "set", "A::B::C", "a b"], 1, "nothing to change"),
        (vec!["drift", "remove", "A::B::C", "none"], 1, "there is no A::B::C with identifier none"),
        (vec!["drift", "remove", "A::B::C", "a b", "--region", "mars-1"], 1, "there is no"),
        (vec!["drift", "create", "A::B::C", "--model", "{"], 1, "--model is no JSON"),
        (vec!["drift", "set", "A::B::C", "a b", "--set", "/Text=[{\"Key\":"], 1, "begins like JSON and is none"),
        (vec!["drift", "set", "A::B::C", "a b", "--set", "/Size=x", "--check"], 1, "expected type: Integer"),
        (vec!["drift", "set", "A::B::C", "a b", "--set", "/Size=4", "--check"], 0, ""),
        (vec!["drift", "move"], 2, "unrecognized subcommand"),
        (vec!["drift", "remove", "A::B::C", "a b"], 0, ""),
        (vec!["drift", "random", "--url", "http://127.0.0.1:1"], 1, "http://127.0.0.1:1 cannot be reached"),
    ] {
        let (code, _, complaint) = verb(&emulator, &arguments);
        assert_eq!(code, Some(expected), "{arguments:?}: {complaint}");
        assert!(complaint.contains(text), "{arguments:?}: {complaint}");
    }
    assert_eq!(model(&emulator), None);
}

#[test]
fn verbs_reach_an_emulator_with_tls() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/listener");
    let (certificate, key) = (folder.join("certificate.pem"), folder.join("key.pem"));
    let schemas = emulator::SchemaSource::Texts(vec![SCHEMA.to_owned()]);
    let tls = Some(emulator::TlsFiles { certificate: certificate.clone(), key: key.clone() });
    let options = emulator::Options { tls, ..emulator::Options::default() };
    let emulator = emulator::Emulator::builder().schemas(schemas).options(options).start_blocking().unwrap();
    let (code, said, complaint) = verb(&emulator, &["rules", "list", "--tls-ca", certificate.to_str().unwrap()]);
    assert_eq!((code, said.as_str()), (Some(0), ""), "{complaint}");
    for (arguments, text) in [
        (vec!["rules", "list"], "give --tls-ca FILE"),
        (vec!["rules", "list", "--tls-ca", "none.pem"], "--tls-ca none.pem: "),
        (vec!["rules", "list", "--tls-ca", key.to_str().unwrap()], "there is no certificate in it"),
        (vec!["rules", "list", "--url", "127.0.0.1:1"], "http://HOST:PORT or https://HOST:PORT is wanted"),
    ] {
        let (code, _, complaint) = verb(&emulator, &arguments);
        assert_eq!(code, Some(1), "{arguments:?}");
        assert!(complaint.contains(text), "{arguments:?}: {complaint}");
    }
}

#[test]
fn what_is_left_out_or_never_happens_is_warned_of_at_the_start() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    write("any.json", SCHEMA);
    (0..12).for_each(|number| write(&format!("skip-{number:02}.json"), "{}"));
    write("profile.yaml", "rules: [{ id: far, when: { type: 'X::*' }, then: twice }]");
    let mut starting = command();
    starting.args(["--schemas", folder.path().to_str().unwrap()]).stdout(Stdio::piped()).stderr(Stdio::piped());
    starting.args(["--profile", folder.path().join("profile.yaml").to_str().unwrap()]);
    let mut child = starting.spawn().unwrap();
    ready(&mut child);
    let mut said = child.stderr.take().unwrap();
    stop(child);
    let mut text = String::new();
    said.read_to_string(&mut text).unwrap();
    assert_eq!(text.matches("is left out, it is no resource schema: it has no typeName").count(), 10, "{text}");
    assert!(text.contains("2 more schema files are left out"), "{text}");
    assert!(text.contains("rule far never fires: no type that is served is called X::*"), "{text}");
}

#[test]
fn rules_are_made_on_the_command_line() {
    let schemas = emulator::SchemaSource::Texts(vec![SCHEMA.to_owned()]);
    let options = emulator::Options { admin_token: Some("t".to_owned()), ..emulator::Options::default() };
    let emulator = emulator::Emulator::builder().schemas(schemas).options(options).start_blocking().unwrap();
    let (code, _, complaint) = verb(&emulator, &["rules", "list"]);
    assert_eq!((code, complaint.contains("Bearer")), (Some(1), true), "{complaint}");
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), "- { id: one, then: twice }\n").unwrap();
    for (arguments, expected) in [
        (vec!["rules", "add", file.path().to_str().unwrap()], "{\"ids\":[\"one\"]}"),
        (vec!["rules", "add", "then: { throttle: {} }"], "{\"ids\":[\"rule-2\"]}"),
        (vec!["rules", "remove", "one"], "{\"removed\":1}"),
        (
            vec!["rules", "add", "{ id: far, when: { type: 'X::*' }, then: twice }"],
            "{\"ids\":[\"far\"],\"warnings\":[\"rule far never fires: no type that is served is called X::*\"]}",
        ),
        (vec!["rules", "remove", "far"], "{\"removed\":1}"),
        (
            vec!["rules", "list"],
            "{\"fired\":0,\"id\":\"rule-2\",\"matched\":0,\"ofProfile\":false,\"then\":{\"throttle\":{\"message\":\"Rate exceeded\"}},\"when\":{\"operation\":\"any\"}}",
        ),
    ] {
        let (code, said, complaint) = verb(&emulator, &[arguments.as_slice(), &["--token", "t"]].concat());
        assert_eq!((code, said.as_str()), (Some(0), expected), "{arguments:?} {complaint}");
    }
    let (code, _, complaint) = verb(&emulator, &["rules", "add", "none.yaml", "--token", "t"]);
    assert_eq!((code, complaint.contains("none.yaml: there is no such file")), (Some(1), true), "{complaint}");
}
