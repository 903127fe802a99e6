//! The commands, run as people run them, in a small checkout made here.
#![allow(clippy::unwrap_used, reason = "a test may stop at the first surprise")]

mod checkout;

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::Command;

use checkout::{checkout, names_in, run, write};
use serde_json::{Value, json};

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
        "error: 2 files are out of date; run `pulumi-gen-aws-native generate --source schemas`:\n  generated/src/services/old.rs\n  generated/src/services/some.rs\n"
    );
}

#[test]
fn defects_are_named_and_strict_forbids_them() {
    let checkout = checkout();
    fs::write(checkout.path().join("schemas/d.json"), "{").unwrap();
    let (success, _, error) = run(checkout.path(), &["generate", SOURCE[0], SOURCE[1]]);
    assert!(success && error.starts_with("left out d.json: the schema is no JSON: "), "{error}");
    let left_out =
        "; 2 schemas left out (1 not managed by Cloud Control, 1 defective; named in generated/report/skips.json); ";
    assert!(error.contains(left_out), "{error}");
    assert!(!error.contains("AWS::Some::Idea"), "{error}");
    let (_, _, error) = run(checkout.path(), &["generate", "--verbose", SOURCE[0], SOURCE[1]]);
    assert!(error.contains("left out AWS::Some::Idea (c.json): not provisionable: no create, read, delete handler\n"));
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
fn exactly_the_listed_types_are_supported() {
    let checkout = checkout();
    fs::write(checkout.path().join("types.txt"), "# For a test.\nAWS::Some::Idea # no handlers\n\nAWS::Gone::Type\n")
        .unwrap();
    let list = ["--supported", "types.txt"];
    let (_, out, error) = run(checkout.path(), &["export", "schema", SOURCE[0], SOURCE[1], list[0], list[1]]);
    assert_eq!(error, "types.txt: no schema for AWS::Gone::Type\n");
    let schema: Value = serde_json::from_str(&out).unwrap();
    let tokens: Vec<_> =
        schema["resources"].as_object().unwrap().keys().filter(|token| token.contains("some")).collect();
    assert_eq!(tokens, ["aws-native:some:Idea"]);
    assert!(schema["resources"].get("aws-native:other:Thing").is_none());

    fs::write(checkout.path().join("types.txt"), "# nothing\n").unwrap();
    let (success, _, error) = run(checkout.path(), &["export", "schema", SOURCE[0], SOURCE[1], list[0], list[1]]);
    let message = "error: types.txt: names no type; write one CloudFormation type name a line\n";
    assert!(!success && error == message, "{error}");
}

#[test]
fn digests_are_tables() {
    let checkout = checkout();
    let (_, out, error) = run(checkout.path(), &["export", "digests", SOURCE[0], SOURCE[1]]);
    let row = |start: &str| out.lines().find(|line| line.starts_with(start)).map(str::to_owned);
    // Each of the two resources has the outputs awsId and name; one has size.
    assert!(row("O\t5\t").is_some() && row("resources\t2\t").is_some(), "{out}{error}");
    assert!(row("other\t").is_some() && row("some\t").is_some(), "{out}");
    let (_, out, _) = run(checkout.path(), &["export", "token-digests", SOURCE[0], SOURCE[1]]);
    assert!(out.lines().any(|line| line.starts_with("some:Thing\t")), "{out}");
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
        "error: there is no resource type thing; did you mean AWS::Other::Thing, AWS::Some::Thing?\n"
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
        &["generate", "--source", "cf-schemas/overlays/thing.yaml"],
        "error: cf-schemas/overlays/thing.yaml: not a readable zip archive (invalid Zip archive: Could not find EOCD); get it again if it was cut short, or name a folder",
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
    let overlay = checkout.path().join("cf-schemas/overlays/thing.yaml");
    let text = fs::read_to_string(&overlay).unwrap().replace("/properties/Size", "/nowhere/Size");
    fs::write(&overlay, text).unwrap();
    let (success, _, error) = run(checkout.path(), &["generate", SOURCE[0], SOURCE[1]]);
    assert!(success, "{error}");
    assert!(error.starts_with("not needed for this source: cf-schemas/overlays/thing.yaml:1:"), "{error}");
    assert!(error.contains(": AWS::Some::Thing at /nowhere/Size: "), "{error}");
}

/// Copies a schema of the checkout, with another type name.
fn copy_schema(checkout: &Path, file: &str, type_name: &str) {
    let text = fs::read_to_string(checkout.join("schemas/a.json")).unwrap();
    fs::write(checkout.join("schemas").join(file), text.replace("AWS::Some::Thing", type_name)).unwrap();
}

#[test]
fn bad_names_are_left_out_by_name() {
    let checkout = checkout();
    for (file, type_name) in [
        ("d.json", "AWS::../../x::Yy"),
        ("e.json", "AWS::Ünï::Thing"),
        ("f.json", "AWS::Some::Thing"),
        ("g.json", "AWS::SOME::Thing"),
        ("h.json", "AWS::4some::9Thing"),
    ] {
        copy_schema(checkout.path(), file, type_name);
    }
    let (success, _, error) = run(checkout.path(), &["generate", SOURCE[0], SOURCE[1]]);
    assert!(success, "{error}");
    for expected in [
        "left out d.json: the schema has no typeName of the form Organization::Service::Resource, each part of 2 to 64 \
         letters and digits (found \"AWS::../../x::Yy\"); correct it at the schema's source, or remove the file\n",
        "(found \"AWS::Ünï::Thing\"); correct it ",
        "left out AWS::Some::Thing (f.json): #/typeName: a.json describes the same type; remove one of the two files\n",
    ] {
        assert!(error.contains(expected), "{error}");
    }
    let skips = fs::read_to_string(checkout.path().join("generated/report/skips.json")).unwrap();
    let skips: Vec<Value> = serde_json::from_str(&skips).unwrap();
    let files: Vec<&str> = skips.iter().filter_map(|skip| skip["file"].as_str()).collect();
    assert_eq!(files, ["d.json", "e.json", "f.json"]);
    // Two types that differ in capitals alone: the second gets another name, or none by the published rule alone.
    let warnings = fs::read_to_string(checkout.path().join("generated/report/warnings.json")).unwrap();
    let warning = "the name aws-native:some:Thing is, or was, another type's than AWS::Some::Thing's";
    assert!(warnings.contains("\"aws-native:some:Thing2\"") && warnings.contains(warning), "{warnings}");
    let (success, _, error) = run(checkout.path(), &["generate", "--without-lock", SOURCE[0], SOURCE[1]]);
    let left_out = "left out AWS::Some::Thing (a.json): AWS::SOME::Thing has the name aws-native:some:Thing already\n";
    assert!(success && error.contains(left_out), "{error}");
    let services = names_in(&checkout.path().join("generated/src/services"));
    assert_eq!(services, ["_4some.rs", "mod.rs", "other.rs", "some.rs"]);
}

#[test]
fn other_sources_go_by_the_name_lock_and_leave_it() {
    let checkout = checkout();
    let lock = checkout.path().join("cf-schemas/names.lock");
    let text = "module\tsome\t1\nresource\tThing\tAWS::Old::Thing\tgetThing\nend\t1\n";
    fs::write(&lock, text).unwrap();
    let export = |more: &[&str]| {
        let arguments = [&["export", "schema", SOURCE[0], SOURCE[1]], more].concat();
        let (_, out, error) = run(checkout.path(), &arguments);
        let schema: Value = serde_json::from_str(&out).map_err(|_| error).unwrap();
        let tokens: Vec<String> = schema["resources"].as_object().unwrap().keys().cloned().collect();
        tokens.into_iter().filter(|token| token.starts_with("aws-native:some:")).collect::<Vec<_>>()
    };
    assert_eq!(export(&[]), ["aws-native:some:Thing2"]);
    assert_eq!(export(&["--without-lock"]), ["aws-native:some:Thing"]);
    let (success, _, error) = run(checkout.path(), &["generate", SOURCE[0], SOURCE[1]]);
    assert!(success && fs::read_to_string(&lock).unwrap() == text, "{error}");

    // A changed lock is a changed input.
    fs::write(&lock, "end\t0\n").unwrap();
    let (_, _, error) = run(checkout.path(), &["generate", SOURCE[0], SOURCE[1]]);
    assert!(!error.contains("nothing changed"), "{error}");
    let (success, _, error) = run(checkout.path(), &["generate", "--forget-names", "*", SOURCE[0], SOURCE[1]]);
    assert!(!success && error.contains("--forget-names changes cf-schemas/names.lock"), "{error}");
    for (text, message) in [
        (
            "module\tsome\t1\nnonsense\n",
            "2: a block starts with module, function, resource, object or enum and its columns",
        ),
        ("", "0: the file is cut off here: it has no last line `end`"),
    ] {
        fs::write(&lock, text).unwrap();
        let (success, _, error) = run(checkout.path(), &["generate", SOURCE[0], SOURCE[1]]);
        let message = format!("error: cf-schemas/names.lock:{message}; restore the file from version control");
        assert!(!success && error.starts_with(&message), "{error}");
    }
    // Without the file, names that were published could come to mean something else.
    fs::remove_file(&lock).unwrap();
    write(&checkout.path().join("cf-schemas/inventory/some.tsv"), b"resource\tThing\tAWS::Old::Thing\t-\t-\n");
    let (success, _, error) = run(checkout.path(), &["generate", SOURCE[0], SOURCE[1]]);
    let message =
        "error: cf-schemas/names.lock: is not there, although names were published; restore both from version control";
    assert!(!success && error.starts_with(message), "{error}");
    assert_ne!(export(&["--without-lock"]), Vec::<String>::new());
}

#[test]
fn identifiers_that_name_no_property_are_reported() {
    let checkout = checkout();
    let path = checkout.path().join("schemas/b.json");
    let text = fs::read_to_string(&path).unwrap();
    let text = text.replace(r#""primaryIdentifier":["/properties/Id"]"#, r#""primaryIdentifier":["/properties/Nope"]"#);
    fs::write(&path, text).unwrap();
    let (success, _, error) = run(checkout.path(), &["generate", "--strict", "--verbose", SOURCE[0], SOURCE[1]]);
    let warning = "warning: aws-native:other:Thing: primaryIdentifier: /properties/Nope names no property\n";
    assert!(success && error.contains(warning), "{error}");
    let named = "\n1 resource generated from schemas with a fault; named in generated/report/warnings.json\n";
    assert!(error.ends_with(named), "{error}");
    let warnings = fs::read_to_string(checkout.path().join("generated/report/warnings.json")).unwrap();
    assert_eq!(
        serde_json::from_str::<Value>(&warnings).unwrap(),
        json!({"aws-native:other:Thing": ["primaryIdentifier: /properties/Nope names no property"]})
    );
}

#[test]
fn folders_of_others_are_left_alone() {
    let checkout = checkout();
    let mine = checkout.path().join("other/report/notes.md");
    fs::create_dir_all(mine.parent().unwrap()).unwrap();
    fs::write(&mine, "mine").unwrap();
    let generate = || run(checkout.path(), &["generate", "--out", "other", SOURCE[0], SOURCE[1]]);
    let (success, _, error) = generate();
    assert!(!success);
    assert_eq!(
        error,
        "error: other/report/notes.md: not written by the generator; nothing was changed. Move it elsewhere, or choose \
         another folder with --out\n"
    );
    assert_eq!(names_in(&checkout.path().join("other")), ["report"]);
    assert_eq!(names_in(mine.parent().unwrap()), ["notes.md"]);

    fs::remove_file(&mine).unwrap();
    assert!(generate().0);
    // What an earlier run wrote and this one does not is removed.
    fs::remove_file(checkout.path().join("schemas/b.json")).unwrap();
    let (success, _, error) = generate();
    assert!(success, "{error}");
    assert!(!checkout.path().join("other/src/services/other.rs").exists());
}

#[test]
fn nothing_is_written_among_the_inputs() {
    let checkout = checkout();
    for (out, message) in
        [(".", "error: .: is the checkout itself; "), ("cf-schemas", "error: cf-schemas: is where the inputs lie; ")]
    {
        let before = names_in(&checkout.path().join(out));
        let (success, _, error) = run(checkout.path(), &["generate", "--out", out, SOURCE[0], SOURCE[1]]);
        assert!(!success && error.starts_with(message), "{error}");
        assert_eq!(names_in(&checkout.path().join(out)), before);
    }
}

#[test]
fn runs_in_one_folder_wait_for_each_other() {
    let checkout = checkout();
    for index in 0..200 {
        copy_schema(checkout.path(), &format!("more{index}.json"), &format!("AWS::More{index}::Thing"));
    }
    let start = || {
        Command::new(env!("CARGO_BIN_EXE_pulumi-gen-aws-native"))
            .args(["generate", SOURCE[0], SOURCE[1]])
            .current_dir(checkout.path())
            .stderr(std::process::Stdio::piped())
            .spawn()
            .unwrap()
    };
    let runs = [start(), start(), start(), start()];
    for run in runs {
        let output = run.wait_with_output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }
    let (success, _, error) = run(checkout.path(), &["check", SOURCE[0], SOURCE[1]]);
    assert!(success, "{error}");
}

#[test]
fn a_waiting_run_says_so() {
    let checkout = checkout();
    let folder = checkout.path().join("generated/report");
    fs::create_dir_all(&folder).unwrap();
    let lock = fs::File::create(folder.join(".lock")).unwrap();
    lock.lock().unwrap();
    let mut waiting = Command::new(env!("CARGO_BIN_EXE_pulumi-gen-aws-native"))
        .args(["generate", SOURCE[0], SOURCE[1]])
        .current_dir(checkout.path())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(waiting.stderr.take().unwrap()).lines();
    assert_eq!(lines.next().unwrap().unwrap(), "waiting for another run that writes into generated");
    assert_eq!(names_in(&folder), [".lock"]);
    lock.unlock().unwrap();
    assert!(lines.next().unwrap().unwrap().starts_with("generated: "));
    assert!(waiting.wait().unwrap().success());
}
