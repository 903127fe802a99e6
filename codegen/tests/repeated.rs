//! A run on what the last one left: nothing is done when nothing has changed, and everything when anything has.
#![allow(clippy::unwrap_used, reason = "a test may stop at the first surprise")]

mod checkout;

use std::fs;
use std::path::Path;
use std::time::SystemTime;

use checkout::{checkout, run, schema, write};

const SOURCE: [&str; 2] = ["--source", "schemas"];

fn generate(checkout: &Path, more: &[&str]) -> String {
    let (success, out, error) = run(checkout, &[&["generate"], &SOURCE[..], more].concat());
    assert!(success, "{error}");
    out + &error
}

/// Whether a run did its work, as the time of its stages tells.
fn works(checkout: &Path, more: &[&str]) -> bool {
    let stamp = checkout.join("generated/report/.stamp");
    // A run that works writes a stamp without what the file system says of the outputs; the next one fills that in.
    fs::write(&stamp, fs::read_to_string(&stamp).unwrap().replace(r#""hints":[]"#, r#""hints":["as last time"]"#))
        .unwrap();
    !generate(checkout, more).ends_with("as last time\n")
}

fn times(checkout: &Path) -> Vec<SystemTime> {
    let files = ["report/skips.json", "report/files.json", "src/index.rs", "src/services/some.rs", "schema.json.zst"];
    files.map(|file| fs::metadata(checkout.join("generated").join(file)).unwrap().modified().unwrap()).to_vec()
}

#[test]
fn nothing_is_done_when_nothing_has_changed() {
    let checkout = checkout();
    write(&checkout.path().join("schemas/d.json"), b"{");
    let first = generate(checkout.path(), &[]);
    let before = times(checkout.path());
    for _ in 0..2 {
        let again = generate(checkout.path(), &[]);
        // What is wrong with a schema is said again.
        assert_eq!(again.lines().next(), first.lines().next());
        assert!(again.starts_with("left out d.json: ") && again.contains("; nothing changed; "), "{again}");
        assert!(!works(checkout.path(), &[]));
    }
    assert_eq!(times(checkout.path()), before);
    // What was not done the last time either is not passed off as done.
    let (success, _, error) = run(checkout.path(), &["generate", "--strict", SOURCE[0], SOURCE[1]]);
    assert!(!success && error.contains("--strict forbids that; nothing was written"), "{error}");
}

#[test]
fn everything_is_done_when_anything_has_changed() {
    let checkout = checkout();
    let at = |path: &str| checkout.path().join(path);
    let overlay = fs::read_to_string(at("cf-schemas/overlays/thing.yaml")).unwrap();
    generate(checkout.path(), &[]);
    let check = |what: &str, more: &[&str], change: &dyn Fn()| {
        assert!(!works(checkout.path(), &[]), "before: {what}");
        change();
        assert!(works(checkout.path(), more), "{what}");
        assert!(run(checkout.path(), &["check", SOURCE[0], SOURCE[1]]).0, "after: {what}");
        generate(checkout.path(), &[]);
    };
    check("--force", &["--force"], &|| {});
    check("--verbose", &["--verbose"], &|| {});
    check("--timings", &["--timings"], &|| {});
    check("a schema has changed, with the same size", &[], &|| {
        write(&at("schemas/b.json"), schema("AWS::Other::Thing", "Mane").as_bytes());
    });
    check("a schema is new", &[], &|| write(&at("schemas/n.json"), schema("AWS::New::Thing", "Name").as_bytes()));
    check("a schema is gone", &[], &|| fs::remove_file(at("schemas/n.json")).unwrap());
    check("a correction has changed", &[], &|| {
        write(&at("cf-schemas/overlays/thing.yaml"), overlay.replace("integer", "boolean").as_bytes());
    });
    for (file, text) in [("name-limits.yaml", "[]"), ("sets.yaml", "rules: []"), ("equality.yaml", "[]")] {
        write(&at("cf-schemas/semantics").join(file), text.as_bytes());
    }
    generate(checkout.path(), &[]);
    check("what no schema states has changed", &[], &|| {
        write(&at("cf-schemas/semantics/sets.yaml"), b"rules: [] # None.")
    });
    check("the inventory has changed", &[], &|| write(&at("cf-schemas/inventory/_left-out.tsv"), b""));
    check("the documentation has changed", &[], &|| write(&at("cf-schemas/download/documentation.tgz"), b"new"));
    check("an output has changed", &[], &|| write(&at("generated/src/services/some.rs"), b""));
    check("an output is gone", &[], &|| fs::remove_file(at("generated/schema.json.zst")).unwrap());
    check("an output folder has a file too many", &[], &|| {
        fs::copy(at("generated/src/services/some.rs"), at("generated/src/services/more.rs")).unwrap();
    });
    assert!(!at("generated/src/services/more.rs").exists());
}

#[test]
fn a_stamp_that_cannot_be_read_is_not_believed_and_check_believes_none() {
    let checkout = checkout();
    generate(checkout.path(), &[]);
    let stamp = checkout.path().join("generated/report/.stamp");
    let service = checkout.path().join("generated/src/services/some.rs");
    for text in ["", "{}", "null"] {
        fs::write(&stamp, text).unwrap();
        fs::write(&service, "").unwrap();
        let (success, _, error) = run(checkout.path(), &["check", SOURCE[0], SOURCE[1]]);
        assert!(!success && error.contains("\n  generated/src/services/some.rs\n"), "{error}");
        assert!(generate(checkout.path(), &[]).contains("; 1 file changed; "));
    }
}

#[test]
fn timings_are_a_table_of_all_stages() {
    let checkout = checkout();
    let (success, out, error) = run(checkout.path(), &["generate", "--timings", SOURCE[0], SOURCE[1]]);
    assert!(success, "{error}");
    let mut lines = out.lines();
    assert_eq!(lines.next().unwrap().split_whitespace().collect::<Vec<_>>(), ["stage", "ms", "MB", "peak", "MiB"]);
    for stage in [
        "read and correct schemas",
        "derive package and metadata",
        "package schema, compressed",
        "resource schemas, compressed",
        "Rust: metadata records",
        "Rust: index",
        "reports",
        "compare and replace files",
        "all, stages overlap",
    ] {
        let line = out.lines().find(|line| line.starts_with(stage));
        let milliseconds = line.and_then(|line| line[stage.len()..].split_whitespace().next());
        assert!(milliseconds.is_some_and(|number| number.parse::<f64>().is_ok()), "{stage}: {out}");
    }
}
