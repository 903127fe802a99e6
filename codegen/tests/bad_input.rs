//! Sources with something wrong in them: it is named, with what to do, and everything else still comes out.
#![allow(clippy::unwrap_used, reason = "a test may stop at the first surprise")]

mod checkout;

use std::fs;
use std::path::Path;

use checkout::{archive, checkout, names_in, run, schema, write};
use serde_json::{Value, json};

/// What is said about a source with this extra file.
fn generate(checkout: &Path, source: &str) -> (bool, String) {
    let (success, _, error) = run(checkout, &["generate", "--source", source]);
    (success, error)
}

#[test]
fn one_bad_file_in_a_folder_keeps_no_other_from_coming_out() {
    let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
    let huge = format!(r#"{{"typeName": "AWS::Huge::Thing", "description": "{}"}}"#, "x".repeat(17 << 20));
    let twice = schema("AWS::Some::Thing", "Name");
    let cases: [(&str, &[u8], &str); 7] = [
        (
            "text",
            b"no json",
            "left out x.json: the schema is no JSON: expected ident at line 1 column 2; get the file again or correct it, ",
        ),
        ("cut", br#"{"typeName": "AWS::Cut::Thing","#, "left out x.json: the schema is no JSON: EOF while parsing"),
        ("no text", b"\xff\xfe{}", "left out x.json: the schema is no JSON: expected value at line 1 column 1; "),
        ("empty", b"", "left out x.json: the schema is no JSON: EOF while parsing a value at line 1 column 0; "),
        (
            "deep",
            deep.as_bytes(),
            "left out x.json: the schema nests deeper than 127 levels at line 1 column 128; published ones reach 13; correct it",
        ),
        ("huge", huge.as_bytes(), "left out x.json: schemas/x.json is larger than 16777216 bytes, "),
        (
            "twice",
            twice.as_bytes(),
            "left out AWS::Some::Thing (x.json): #/typeName: a.json describes the same type; remove one of the two files\n",
        ),
    ];
    for (what, contents, message) in cases {
        let checkout = checkout();
        write(&checkout.path().join("schemas/x.json"), contents);
        let (success, error) = generate(checkout.path(), "schemas");
        assert!(success && error.starts_with(message), "{what}: {error}");
        assert!(error.contains("generated: ") && error.contains(" 1 defective; "), "{what}: {error}");
        assert_eq!(names_in(&checkout.path().join("generated/src/services")), ["mod.rs", "other.rs", "some.rs"]);
    }
}

#[test]
fn what_is_no_file_is_named() {
    let checkout = checkout();
    fs::create_dir(checkout.path().join("schemas/x.json")).unwrap();
    let (success, error) = generate(checkout.path(), "schemas");
    let message = "left out x.json: schemas/x.json: is no file; remove it, or put the schema in its place\n";
    assert!(success && error.starts_with(message), "{error}");
}

#[cfg(unix)]
#[test]
fn files_that_cannot_be_read_are_named() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;

    let checkout = checkout();
    std::os::unix::fs::symlink("nowhere", checkout.path().join("schemas/x.json")).unwrap();
    let (success, error) = generate(checkout.path(), "schemas");
    let message = "left out x.json: schemas/x.json: cannot read: No such file or directory (os error 2)\n";
    assert!(success && error.starts_with(message), "{error}");

    // A name that is no text is one like any other; some file systems refuse it.
    fs::remove_file(checkout.path().join("schemas/x.json")).unwrap();
    let name = checkout.path().join("schemas").join(OsStr::from_bytes(b"\xff.json"));
    if fs::write(&name, schema("AWS::Odd::Thing", "Name")).is_ok() {
        for _ in 0..2 {
            let (success, error) = generate(checkout.path(), "schemas");
            assert!(success && error.starts_with("generated: "), "{error}");
        }
        assert!(checkout.path().join("generated/src/services/odd.rs").exists());
    }
}

#[test]
fn one_bad_entry_of_an_archive_keeps_no_other_from_coming_out() {
    let checkout = checkout();
    let at = |path: &str| checkout.path().join(path);
    let good = schema("AWS::Good::Thing", "Name").into_bytes();
    let evil = schema("AWS::Evil::Thing", "Name").into_bytes();
    let bomb = vec![b' '; 17 << 20];
    for (entry, contents, message) in [
        (
            "../../evil.json",
            &evil,
            "left out ../../evil.json: s.zip: the entry \"../../evil.json\" leads out of the archive; ",
        ),
        ("/evil.json", &evil, "left out /evil.json: s.zip: the entry \"/evil.json\" leads out of the archive; "),
        ("bomb.json", &bomb, "left out bomb.json: s.zip: bomb.json is larger than 16777216 bytes, "),
    ] {
        let bytes = archive(&[("good.json", &good), (entry, contents)]);
        write(&at("s.zip"), &bytes);
        let (success, error) = generate(checkout.path(), "s.zip");
        assert!(success && error.starts_with(message), "{entry}: {error}");
        assert_eq!(names_in(&at("generated/src/services")), ["good.rs", "mod.rs"], "{entry}");
        assert!(!at("evil.json").exists() && !at("../evil.json").exists());
    }

    // A bit that fell over in the second entry, in the middle of its contents.
    let mut bytes = archive(&[("good.json", &good), ("bad.json", &evil)]);
    let start = bytes.windows(8).rposition(|window| window == b"bad.json").unwrap();
    let local = bytes[..start].windows(8).rposition(|window| window == b"bad.json").unwrap();
    bytes[local + 60] ^= 0xff;
    write(&at("s.zip"), &bytes);
    let (success, error) = generate(checkout.path(), "s.zip");
    assert!(success && error.starts_with("left out bad.json: s.zip: bad.json cannot be unpacked: "), "{error}");
    assert!(error.contains("; get the archive again\n"), "{error}");
    assert_eq!(names_in(&at("generated/src/services")), ["good.rs", "mod.rs"]);
}

#[test]
fn a_useless_source_leaves_what_was_there() {
    let checkout = checkout();
    let at = |path: &str| checkout.path().join(path);
    assert!(generate(checkout.path(), "schemas").0);
    let before = fs::read(at("generated/src/index.rs")).unwrap();
    let whole = archive(&[("a.json", schema("AWS::A1::Thing", "Name"))]);
    write(&at("cut.zip"), &whole[..whole.len() - 30]);
    write(&at("none.zip"), &archive(&[("a.txt", "")]));
    fs::create_dir(at("empty")).unwrap();
    for (source, message) in [
        ("cut.zip", "error: cut.zip: not a readable zip archive ("),
        ("none.zip", "error: none.zip: there is no *.json file in it; name a folder or a zip archive of resource"),
        ("empty", "error: empty: there is no *.json file in it; name a folder or a zip archive of resource"),
        ("schemas/a.json", "error: schemas/a.json: not a readable zip archive ("),
        ("absent", "error: absent: cannot read: No such file or directory"),
    ] {
        let (success, error) = generate(checkout.path(), source);
        assert!(!success && error.starts_with(message), "{source}: {error}");
        assert_eq!(fs::read(at("generated/src/index.rs")).unwrap(), before);
        assert!(!at("generated/report/.next").exists() && !at("generated/report/.journal").exists());
    }
}

#[test]
fn a_type_of_two_megabytes_is_a_type() {
    let checkout = checkout();
    let properties: serde_json::Map<String, Value> = (0..20_000)
        .map(|index| {
            let description = "A property that somebody has described at some length, as people do.";
            (format!("Property{index}"), json!({"type": "string", "description": description}))
        })
        .collect();
    let mut large: Value = serde_json::from_str(&schema("AWS::Large::Thing", "Name")).unwrap();
    large["properties"].as_object_mut().unwrap().extend(properties);
    let text = large.to_string();
    assert!(text.len() > 2 << 20, "{}", text.len());
    write(&checkout.path().join("schemas/x.json"), text.as_bytes());
    let (success, error) = generate(checkout.path(), "schemas");
    assert!(success && error.contains(" 0 defective; "), "{error}");
    let service = fs::read_to_string(checkout.path().join("generated/src/services/large.rs")).unwrap();
    assert!(service.contains("property19999"));
}
