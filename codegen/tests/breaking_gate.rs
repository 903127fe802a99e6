//! What is published is held against the pinned schemas, run as people run it: a breaking change is refused where that is
//! asked for, and a damaged base is no base.
#![allow(clippy::unwrap_used, reason = "a test may stop at the first surprise")]

mod checkout;

use std::fs;
use std::path::Path;
use std::process::Command;

use checkout::{PROGRAM, pin, write};
use serde_json::{Value, json};
use tempfile::TempDir;

const MODULE: &str = "cf-schemas/inventory/some.tsv";
const NAMES: &str = "cf-schemas/names.lock";

fn schema(properties: &Value) -> String {
    json!({
        "typeName": "AWS::Some::Thing", "description": "For people.", "properties": properties,
        "primaryIdentifier": ["/properties/Name"], "handlers": {"create": {}, "read": {}, "delete": {}},
    })
    .to_string()
}

fn pin_properties(checkout: &Path, properties: &Value) {
    pin(checkout, &[("a.json", &schema(properties)), ("b.json", &checkout::schema("AWS::Other::Thing", "Name"))]);
}

/// A checkout whose pinned schemas have been generated once.
fn checkout() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir_all(folder.path().join("cf-schemas/overlays")).unwrap();
    pin_properties(folder.path(), &json!({"Name": {"type": "string"}, "Size": {"type": "integer"}}));
    let (code, _, error) = run(folder.path(), &["generate", "--strict"]);
    assert_eq!(code, 0, "{error}");
    folder
}

/// Runs a command; returns its exit code, and what it printed on standard output and on standard error.
fn run(checkout: &Path, arguments: &[&str]) -> (i32, String, String) {
    let output = Command::new(PROGRAM).args(arguments).current_dir(checkout).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}

/// What a run may not change when it fails.
fn written(checkout: &Path) -> Vec<Vec<u8>> {
    let files = [MODULE, NAMES, "generated/src/services/some.rs", "generated/report/changes.md"];
    files.iter().map(|file| fs::read(checkout.join(file)).unwrap_or_default()).collect()
}

#[test]
fn strict_refuses_a_breaking_change_and_writes_nothing() {
    let checkout = checkout();
    let path = checkout.path();
    for (properties, change) in [
        (json!({"Name": {"type": "string"}}), "aws-native:some:Thing.size: property removed"),
        (json!({"Name": {"type": "string"}, "Size": {"type": "string"}}), "aws-native:some:Thing.size: type changed"),
    ] {
        pin_properties(path, &properties);
        let before = written(path);
        for arguments in [&["generate", "--strict"][..], &["generate", "--strict", "--out", "other"]] {
            let (code, _, error) = run(path, arguments);
            let refusal = "error: 1 breaking change, and --strict forbids that; nothing was written. \
                           `pulumi-gen-aws-native report` says why they matter:\n";
            assert!(code == 1 && error.ends_with(&format!("{refusal}  {change}\n")), "{error}");
            assert!(written(path) == before && !path.join("other").exists());
        }
        let (code, _, error) = run(path, &["report", "--fail-on", "breaking"]);
        assert!(code == 2 && error.ends_with(&format!("\n  {change}\n")), "{error}");
    }
}

#[test]
fn a_damaged_base_ends_every_run_and_stays_as_it_is() {
    let checkout = checkout();
    let path = checkout.path();
    let (inventory, names) =
        (fs::read_to_string(path.join(MODULE)).unwrap(), fs::read_to_string(path.join(NAMES)).unwrap());
    // The change that the damage would hide.
    pin_properties(path, &json!({"Name": {"type": "string"}, "Size": {"type": "string"}}));
    let differ = "cf-schemas/inventory and cf-schemas/names.lock are not of one run; restore both from version control";
    let check = |what: &str, inventory: Option<&str>, names: Option<&str>, messages: &[&str]| {
        for (file, text) in [(MODULE, inventory), (NAMES, names)] {
            match text {
                Some(text) => write(&path.join(file), text.as_bytes()),
                None => fs::remove_file(path.join(file)).unwrap(),
            }
        }
        let before = written(path);
        for arguments in [
            &["generate"][..],
            &["generate", "--strict", "--force"],
            &["generate", "--forget-names", "*"],
            &["report", "--fail-on", "breaking"],
            &["check"],
        ] {
            let (code, _, error) = run(path, arguments);
            let is_told = messages.iter().all(|message| error.contains(message));
            assert!(code == 1 && is_told, "{what}: {arguments:?}: {code} {error}");
            assert!(written(path) == before, "{what}: {arguments:?}");
        }
    };
    let marked = inventory.replacen("resource\t", "<<<<<<< HEAD\nresource\t", 1);
    check(
        "merge marker",
        Some(&marked),
        Some(&names),
        &["cf-schemas/inventory/some.tsv:", "restore it from version control"],
    );
    check("no file", None, Some(&names), &[differ, "the inventory has no some.tsv, while names.lock has its names"]);
    let without_size: String = inventory.split_inclusive('\n').filter(|line| !line.contains("size")).collect();
    let lacking = "the inventory lacks names that names.lock has: aws-native:some:Thing.size";
    check("no line", Some(&without_size), Some(&names), &[differ, lacking]);
    let cut = inventory.trim_end();
    check("no end of line", Some(cut), Some(&names), &["cf-schemas/inventory/some.tsv:", "the last line is cut off"]);
    let twice = format!("{inventory}resource\tThing\tAWS::Some::Thing\tgetThing\tname\n");
    check("twice", Some(&twice), Some(&names), &["cf-schemas/inventory/some.tsv:", "the name is there twice"]);
    check("no lock", Some(&inventory), None, &["cf-schemas/names.lock: is not there, although names were published"]);
    check("an empty lock", Some(&inventory), Some(""), &["cf-schemas/names.lock:0: the file is cut off here"]);
    check("a cut lock", Some(&inventory), Some(&names[..names.len() / 2]), &["error: cf-schemas/names.lock:"]);
    let without: String = names.split_inclusive('\n').filter(|line| !line.contains("size")).collect();
    check("no line in the lock", Some(&inventory), Some(&without), &["lines of the module some are missing: "]);
    let renamed = names.replace("\tsize\n", "\tsighs\n");
    check(
        "another name in the lock",
        Some(&inventory),
        Some(&renamed),
        &[differ, "names.lock lacks names that the inventory has: aws-native:some:Thing.size"],
    );

    // Restored, it is a base again; and starting anew is removing both.
    write(&path.join(MODULE), inventory.as_bytes());
    write(&path.join(NAMES), names.as_bytes());
    assert!(run(path, &["generate", "--strict"]).2.contains("aws-native:some:Thing.size: type changed"));
    fs::remove_dir_all(path.join("cf-schemas/inventory")).unwrap();
    fs::remove_file(path.join(NAMES)).unwrap();
    assert_eq!(run(path, &["generate", "--strict"]).0, 0);
    assert_eq!(run(path, &["check"]).0, 0);
}

#[test]
fn what_was_published_on_another_branch_stays_a_base() {
    let checkout = checkout();
    let path = checkout.path();
    write(&path.join("base/some.tsv"), &fs::read(path.join(MODULE)).unwrap());
    pin_properties(path, &json!({"Name": {"type": "string"}}));
    // Once a run has written it, the change is the base of the next one.
    assert_eq!(run(path, &["generate"]).0, 0);
    assert_eq!(run(path, &["generate", "--strict", "--force"]).0, 0);
    let (code, _, error) = run(path, &["report", "--against", "base", "--fail-on", "breaking"]);
    assert!(code == 2 && error.ends_with("\n  aws-native:some:Thing.size: property removed\n"), "{error}");
}

#[test]
fn the_gate_does_not_depend_on_the_documentation_or_the_lock() {
    let checkout = checkout();
    let path = checkout.path();
    pin_properties(path, &json!({"Name": {"type": "string"}}));
    for option in ["--without-docs", "--without-lock"] {
        let (code, _, error) = run(path, &["generate", "--strict", "--force", option, "--out", "out"]);
        assert!(code == 1 && error.contains("1 breaking change, and --strict forbids that"), "{option}: {error}");
    }
}

#[test]
fn a_base_beside_its_lock_has_to_be_whole() {
    let checkout = checkout();
    let path = checkout.path();
    fs::create_dir_all(path.join("base/inventory")).unwrap();
    for file in fs::read_dir(path.join("cf-schemas/inventory")).unwrap() {
        let file = file.unwrap();
        fs::copy(file.path(), path.join("base/inventory").join(file.file_name())).unwrap();
    }
    fs::copy(path.join(NAMES), path.join("base/names.lock")).unwrap();
    fs::remove_file(path.join("base/inventory/some.tsv")).unwrap();
    let (code, _, error) = run(path, &["report", "--against", "base/inventory", "--fail-on", "breaking"]);
    assert!(code == 1 && error.contains("not of one run; give a whole base"), "{error}");
    fs::copy(path.join(MODULE), path.join("base/inventory/some.tsv")).unwrap();
    assert_eq!(run(path, &["report", "--against", "base/inventory", "--fail-on", "breaking"]).0, 0);
}

#[test]
fn what_is_nobodys_business_stays() {
    let checkout = checkout();
    let path = checkout.path();
    write(&path.join("cf-schemas/inventory/README.md"), b"mine");
    pin_properties(path, &json!({"Name": {"type": "string"}}));
    assert_eq!(run(path, &["generate"]).0, 0);
    assert_eq!(fs::read(path.join("cf-schemas/inventory/README.md")).unwrap(), b"mine");
    write(&path.join("cf-schemas/overlays/thing.yml"), b"patch: []");
    let (code, _, error) = run(path, &["generate", "--force"]);
    assert!(code == 1 && error.contains("cf-schemas/overlays/thing.yml: no correction"), "{error}");
}

#[test]
fn forgetting_a_token_forgets_what_is_in_it() {
    let checkout = checkout();
    let path = checkout.path();
    pin_properties(path, &json!({"Name": {"type": "string"}}));
    assert_eq!(run(path, &["generate"]).0, 0);
    let error = run(path, &["generate", "--forget-names", "aws-native:some:Thing"]).2;
    assert!(error.ends_with("of which 1 had gone: aws-native:some:Thing.size\n"), "{error}");
}

#[test]
fn forgetting_names_says_what_is_lost() {
    let checkout = checkout();
    let path = checkout.path();
    let forget = |pattern: &str| run(path, &["generate", "--forget-names", pattern]).2;
    let told = "\n--forget-names aws-native:some:Thing.size: 1 name forgotten, none of which had gone\n";
    assert!(forget("aws-native:some:Thing.size").ends_with(told));
    pin_properties(path, &json!({"Name": {"type": "string"}}));
    assert_eq!(run(path, &["generate"]).0, 0);
    let error = forget("aws-native:some:*");
    let told =
        "\n--forget-names aws-native:some:*: 3 names forgotten, of which 1 had gone: aws-native:some:Thing.size\n";
    assert!(error.ends_with(told), "{error}");
    assert!(!fs::read_to_string(path.join(NAMES)).unwrap().contains("size"));
}
