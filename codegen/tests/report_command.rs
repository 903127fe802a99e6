//! `report` and the change report that `generate` leaves, run as people run them.
#![allow(clippy::unwrap_used, reason = "a test may stop at the first surprise")]

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;

use codegen::inventory::Inventory;
use codegen::names::NameLock;
use serde_json::{Value, json};
use tempfile::TempDir;

/// A checkout whose folder `schemas` has one type.
fn checkout() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir_all(folder.path().join("cf-schemas/overlays")).unwrap();
    fs::create_dir_all(folder.path().join("schemas")).unwrap();
    fs::write(folder.path().join("cf-schemas/lock.json"), "{}").unwrap();
    write_schema(folder.path(), &json!({"Name": {"type": "string"}, "Size": {"type": "integer"}}));
    folder
}

fn write_schema(checkout: &Path, properties: &Value) {
    let schema = json!({
        "typeName": "AWS::Some::Thing", "description": "For people.",
        "properties": properties,
        "primaryIdentifier": ["/properties/Name"],
        "handlers": {"create": {}, "read": {}, "delete": {}}
    });
    fs::write(checkout.join("schemas/a.json"), schema.to_string()).unwrap();
}

/// Runs a command; returns its exit code, and what it printed on standard output and on standard error.
fn run(checkout: &Path, arguments: &[&str]) -> (i32, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_pulumi-gen-aws-native"));
    let output = command.args(arguments).args(["--source", "schemas"]).current_dir(checkout).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}

/// Puts the inventory of the schemas as they are, and the name lock that goes with it, in the place of the committed ones.
fn commit_inventory(checkout: &Path) {
    let folder = checkout.join("cf-schemas/inventory");
    fs::create_dir_all(&folder).unwrap();
    let text = "resource\tThing\tAWS::Some::Thing\tgetThing\tname\n\tname\tstring\n\tsize\tinteger\n";
    fs::write(folder.join("some.tsv"), text).unwrap();
    let hand_written = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../cf-schemas/inventory/index.tsv"));
    fs::write(folder.join("index.tsv"), hand_written.unwrap()).unwrap();
    for module in ["config", "cloudformation"] {
        let path = format!("{}/../cf-schemas/inventory/{module}.tsv", env!("CARGO_MANIFEST_DIR"));
        let text = fs::read_to_string(path).unwrap();
        // Of the module of a service, what is written by hand.
        let blocks = text.split_inclusive('\n').scan(false, |own, line| {
            *own = if line.starts_with('\t') {
                *own
            } else {
                module == "config" || line.contains("\tCustomResourceEmulator\t")
            };
            Some(own.then_some(line))
        });
        fs::write(folder.join(format!("{module}.tsv")), blocks.flatten().collect::<String>()).unwrap();
    }
    let texts = ["some", "index", "config", "cloudformation"]
        .map(|module| (module, fs::read_to_string(folder.join(format!("{module}.tsv"))).unwrap()));
    let inventory = Inventory::parse(texts.iter().map(|(module, text)| (*module, text.as_str()))).unwrap();
    let lock = NameLock::default().after(&BTreeMap::new(), &inventory);
    fs::write(checkout.join("cf-schemas/names.lock"), lock.render()).unwrap();
}

#[test]
fn a_breaking_change_is_reported_and_fails_where_asked() {
    let checkout = checkout();
    let path = checkout.path();
    commit_inventory(path);
    let (code, out, error) = run(path, &["report", "--fail-on", "breaking"]);
    assert_eq!((code, out.as_str()), (0, "# Changes\n\nNothing changes for users.\n"), "{error}");

    write_schema(path, &json!({"Name": {"type": "string"}, "Size": {"type": "string"}, "New": {"type": "string"}}));
    let (code, out, error) = run(path, &["report"]);
    assert!(code == 0 && out.contains("- `aws-native:some:Thing.size`: `integer` → `string`\n"), "{out}{error}");
    let (code, out, error) = run(path, &["report", "--json", "--fail-on", "breaking"]);
    assert_eq!(code, 2);
    assert_eq!(
        error,
        "1 breaking change, which --fail-on breaking forbids:\n  aws-native:some:Thing.size: type changed\n"
    );
    let report: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(report["base"], "inventory");
    assert_eq!(
        report["changes"],
        json!([
            {
                "module": "some", "impact": "breaking", "kind": "retyped", "token": "aws-native:some:Thing", "path": "size",
                "before": "integer", "after": "string",
                "why": "Programs that set or read it in a typed language no longer compile."
            },
            {
                "module": "some", "impact": "compatible", "kind": "property-added", "token": "aws-native:some:Thing",
                "path": "new", "why": "It can be set or read now."
            },
        ])
    );
    let (code, out, _) = run(path, &["report", "-o", "changes.md"]);
    assert!(code == 0 && out.is_empty());
    assert!(fs::read_to_string(path.join("changes.md")).unwrap().starts_with("# Changes\n"));
}

#[test]
fn a_package_schema_can_be_the_base() {
    let checkout = checkout();
    let path = checkout.path();
    assert_eq!(run(path, &["export", "schema", "-o", "base.json"]).0, 0);
    assert_eq!(run(path, &["generate"]).0, 0);
    for base in ["base.json", "generated/schema.json.zst"] {
        let (code, out, error) = run(path, &["report", "--against", base, "--fail-on", "breaking"]);
        assert!(code == 0 && out.ends_with("\nNothing changes for users.\n"), "{base}: {out}{error}");
    }
    write_schema(path, &json!({"Name": {"type": "string"}}));
    let (code, out, _) = run(path, &["report", "--against", "base.json", "--fail-on", "breaking"]);
    assert!(code == 2 && out.contains("- `aws-native:some:Thing.size`\n"), "{out}");
}

#[test]
fn bases_that_are_none_are_explained() {
    let checkout = checkout();
    let path = checkout.path();
    fs::write(path.join("empty.json"), "{}").unwrap();
    fs::write(path.join("cut.json"), "").unwrap();
    fs::write(path.join("cut.zst"), &zstd::bulk::compress(&[b'x'; 5000], 9).unwrap()[..12]).unwrap();
    fs::create_dir(path.join("bad")).unwrap();
    fs::write(path.join("bad/some.tsv"), "nonsense\n").unwrap();
    for (base, message) in [
        (
            "absent",
            "error: absent: cannot read; --against takes a folder with an inventory, a package schema or a name lock",
        ),
        (
            "empty.json",
            "error: empty.json: no package schema: it has no resources; name the whole file of a package schema, ",
        ),
        ("cut.json", "error: cut.json: no JSON; name the whole file of a package schema, "),
        ("cut.zst", "error: cut.zst: not compressed with zstd, or cut; name the whole file of a package schema, "),
        ("schemas", "error: schemas: no inventory: the folder has no .tsv file with resources"),
        (
            "bad",
            "error: bad/some.tsv:1: a block starts with function, resource, object or enum and its columns; restore",
        ),
    ] {
        let (code, _, error) = run(path, &["report", "--against", base]);
        assert!(code == 1 && error.starts_with(message), "{base}: {error}");
    }
}

#[test]
fn a_name_lock_can_be_the_base() {
    let checkout = checkout();
    let path = checkout.path();
    let lock =
        "module\tsome\t4\nresource\tThing\tAWS::Some::Thing\tgetThing\n\tname\n\told\n\tolder\tOlder\tgone\nend\t1\n";
    fs::write(path.join("names.lock"), lock).unwrap();
    let (code, out, error) = run(path, &["report", "--against", "names.lock", "--fail-on", "breaking"]);
    assert!(code == 2 && out.contains("names alone") && out.contains("- `aws-native:some:Thing.old`\n"), "{out}");
    assert_eq!(
        error,
        "1 breaking change, which --fail-on breaking forbids:\n  aws-native:some:Thing.old: property removed\n"
    );
}

#[test]
fn generate_leaves_the_report_of_the_last_change() {
    let checkout = checkout();
    let path = checkout.path();
    let report = || fs::read_to_string(path.join("generated/report/changes.md")).unwrap();
    assert_eq!(run(path, &["generate"]).0, 0);
    assert_eq!(report(), "# Changes\n\nThere was no inventory to compare with.\n");

    commit_inventory(path);
    write_schema(path, &json!({"Name": {"type": "string"}}));
    assert_eq!(run(path, &["generate"]).0, 0);
    let removed = "- `aws-native:some:Thing.size`\n";
    assert!(report().contains(removed), "{}", report());
    let (_, _, error) = run(path, &["generate", "--force"]);
    assert!(error.ends_with("\n1 breaking change; named in generated/report/changes.md\n"), "{error}");
    assert_eq!(run(path, &["check"]).0, 0);

    // Once nothing differs any more, what was reported can still be read.
    write_schema(path, &json!({"Name": {"type": "string"}, "Size": {"type": "integer"}}));
    let (_, _, error) = run(path, &["generate"]);
    assert!(report().contains(removed), "{error}");
    assert_eq!(run(path, &["check"]).0, 0);
}
