//! Unpacking the pinned package and reading other sources, with archives made here.
#![allow(clippy::unwrap_used, reason = "a test may stop at the first surprise")]

mod checkout;

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::Command;

use codegen::fetch::{FetchError, contents::Need, download, lock::Lock, source::schema_files};
use sha2::{Digest, Sha256};
use zip::write::SimpleFileOptions;

/// Writes a zip archive and returns the lock that fits it.
fn archive(path: &Path, entries: &[(&str, &str)]) -> Lock {
    let mut writer = zip::ZipWriter::new(fs::File::create(path).unwrap());
    for (name, text) in entries {
        writer.start_file(*name, SimpleFileOptions::default()).unwrap();
        writer.write_all(text.as_bytes()).unwrap();
    }
    writer.finish().unwrap();
    let sha256: String = Sha256::digest(fs::read(path).unwrap()).iter().map(|byte| format!("{byte:02x}")).collect();
    let lock = serde_json::json!({
        "registry": "pypi", "package": "p", "version": "1", "file": "p.whl", "sha256": sha256, "schemas": 2, "providers": 1,
    });
    serde_json::from_value(lock).unwrap()
}

const PACKAGE: [(&str, &str); 5] = [
    ("p/schemas/resources/b.json", "{\"b\":1}"),
    ("p/schemas/resources/a.json", "{\"a\":1}"),
    ("p/schemas/resources/__init__.py", ""),
    ("p/schemas/providers/us-east-1.json", "{}"),
    ("p/schemas/other/c.json", "{}"),
];

#[test]
fn a_package_is_unpacked_once() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("p.whl");
    let lock = archive(&file, &PACKAGE);
    let unpacked = folder.path().join("download");
    download::unpack(&lock, &file, &unpacked).unwrap();
    assert_eq!(fs::read_to_string(unpacked.join("resources/a.json")).unwrap(), "{\"a\":1}");
    assert_eq!(fs::read_dir(unpacked.join("resources")).unwrap().count(), 2);
    assert_eq!(fs::read_dir(unpacked.join("providers")).unwrap().count(), 1);
    // A complete folder needs neither pip nor the archive.
    assert!(!download::ensure(&lock, &unpacked, |need| unreachable!("{need:?}")).unwrap());
}

#[test]
fn damaged_files_are_unpacked_again() {
    let folder = tempfile::tempdir().unwrap();
    let unpacked = folder.path().join("download");
    fs::create_dir(&unpacked).unwrap();
    let file = unpacked.join(download::ARCHIVE);
    let lock = archive(&file, &PACKAGE);
    // Returns why it had to be unpacked, once everything is as it was.
    let repair = || {
        let mut reason = None;
        assert!(download::ensure(&lock, &unpacked, |need| reason = Some(need.clone())).unwrap());
        assert_eq!(fs::read_to_string(unpacked.join("resources/a.json")).unwrap(), "{\"a\":1}");
        assert!(!download::ensure(&lock, &unpacked, |need| unreachable!("{need:?}")).unwrap());
        reason.unwrap()
    };
    let damaged = |file: &str, what| Need::Damaged { file: file.to_owned(), what };
    assert_eq!(repair(), Need::Absent);
    fs::write(unpacked.join("resources/a.json"), "{\"a\"").unwrap();
    assert_eq!(repair(), damaged("resources/a.json", "has changed"));
    fs::write(unpacked.join("resources/a.json"), "{\"a\":2}").unwrap();
    assert_eq!(repair(), damaged("resources/a.json", "has changed"));
    fs::remove_file(unpacked.join("resources/b.json")).unwrap();
    assert_eq!(repair(), damaged("resources/b.json", "is missing"));
    fs::remove_dir_all(unpacked.join("providers")).unwrap();
    assert_eq!(repair(), damaged("providers/us-east-1.json", "is missing"));
    // A list that was cut short vouches for nothing.
    let list = fs::read_to_string(unpacked.join("complete")).unwrap();
    fs::write(unpacked.join("complete"), list.lines().next().unwrap()).unwrap();
    assert_eq!(repair(), Need::Absent);
}

#[test]
fn files_of_others_among_the_unpacked_ones_are_named_and_stay() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("p.whl");
    let lock = archive(&file, &PACKAGE);
    download::unpack(&lock, &file, folder.path()).unwrap();
    let mine = folder.path().join("resources/mine.json");
    fs::write(folder.path().join("resources/notes.txt"), "").unwrap();
    assert!(!download::ensure(&lock, folder.path(), |need| unreachable!("{need:?}")).unwrap());
    fs::write(&mine, "{}").unwrap();
    let error = download::ensure(&lock, folder.path(), |need| unreachable!("{need:?}")).unwrap_err().to_string();
    assert_eq!(
        error,
        format!(
            "{}: is no file of the pinned package; move it elsewhere, and name schemas of your own with --source",
            mine.display()
        )
    );
    assert!(mine.exists());
}

#[test]
fn another_file_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("p.whl");
    let lock = Lock { sha256: "00".repeat(32), ..archive(&file, &PACKAGE) };
    let error = download::unpack(&lock, &file, folder.path()).unwrap_err();
    assert!(matches!(&error, FetchError::Hash { found, .. } if found.len() == 64), "{error}");
    assert!(error.to_string().contains("0000 is pinned; nothing was unpacked"), "{error}");
    assert!(!folder.path().join("resources").exists());
}

/// A folder with a `python3` that downloads a file of this name, whatever it is asked for.
#[cfg(unix)]
fn fake_pip(folder: &Path, file: &str) {
    use std::os::unix::fs::PermissionsExt;
    let script = format!("#!/bin/sh\nwhile [ \"$1\" != --dest ]; do shift; done\necho other > \"$2/{file}\"\n");
    let program = folder.join("python3");
    fs::write(&program, script).unwrap();
    fs::set_permissions(program, fs::Permissions::from_mode(0o755)).unwrap();
}

#[cfg(unix)]
#[test]
fn a_lock_that_names_another_package_does_not_go_on_with_the_old_one() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("checkout");
    fs::create_dir_all(path.join("cf-schemas/overlays")).unwrap();
    checkout::pin(&path, &[("a.json", &checkout::schema("AWS::Some::Thing", "Name"))]);
    let lock_path = path.join("cf-schemas/lock.json");
    let pinned = fs::read_to_string(&lock_path).unwrap();
    let show = || {
        let mut command = Command::new(checkout::PROGRAM);
        let output =
            command.args(["show", "AWS::Some::Thing"]).current_dir(&path).env("PATH", folder.path()).output().unwrap();
        String::from_utf8(output.stderr).unwrap().lines().last().unwrap_or_default().to_owned()
    };
    fake_pip(folder.path(), "some-1.1.whl");
    show();
    assert_eq!(show(), "", "what is there is the pinned package");
    for (from, to, message) in [
        (
            r#""version":"1.0""#,
            r#""version":"1.1""#,
            "error: pip downloaded some-1.1.whl as some==1.1, and not some-1.0.whl; ",
        ),
        (
            r#""package":"some""#,
            r#""package":"same""#,
            "error: pip downloaded some-1.1.whl as same==1.0, and not some-1.0.whl; ",
        ),
        ("some-1.0.whl", "some-1.1.whl", "error: some-1.1.whl has the SHA-256 "),
        (
            r#""package":"some""#,
            r#""package":"--index-url=x""#,
            "error: cf-schemas/lock.json: package is \"--index-url=x\", but ",
        ),
        (r#""version":"1.0""#, r#""version":"1.0 ; x""#, "error: cf-schemas/lock.json: version is "),
        ("some-1.0.whl", "../some-1.0.whl", "error: cf-schemas/lock.json: file is "),
        (r#""sha256":""#, r#""sha256":"x"#, "error: cf-schemas/lock.json: sha256 is "),
    ] {
        assert!(pinned.contains(from), "{from}");
        fs::write(&lock_path, pinned.replace(from, to)).unwrap();
        for _ in 0..2 {
            let error = show();
            assert!(error.starts_with(message), "{to}: {error}");
            assert!(!path.join("cf-schemas/download/partial").exists(), "{to}");
        }
    }
    // What was there is there still.
    fs::write(&lock_path, &pinned).unwrap();
    fs::remove_file(folder.path().join("python3")).unwrap();
    assert_eq!(show(), "");
}

#[test]
fn another_number_of_schemas_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("p.whl");
    let lock = Lock { schemas: 3, ..archive(&file, &PACKAGE) };
    assert_eq!(
        download::unpack(&lock, &file, folder.path()).unwrap_err().to_string(),
        "p.whl has 2 resources, but 3 are pinned; correct cf-schemas/lock.json if the package was meant to change"
    );
    assert!(!folder.path().join("resources").exists());
}

#[test]
fn sources_are_folders_and_archives() {
    let folder = tempfile::tempdir().unwrap();
    let package = folder.path().join("p.zip");
    archive(&package, &PACKAGE);
    let flat = folder.path().join("flat.zip");
    archive(&flat, &[("b.json", "{}"), ("a.json", "{\"a\":1}"), ("readme.txt", "")]);
    let plain = folder.path().join("plain");
    fs::create_dir(&plain).unwrap();
    fs::write(plain.join("a.json"), "{\"a\":1}").unwrap();
    fs::write(plain.join("readme.txt"), "").unwrap();

    let check = |source: &Path, count: usize| {
        let files = schema_files(source).unwrap();
        assert_eq!(files.len(), count, "{}", source.display());
        assert!(files[0].name.ends_with("a.json"), "{}", files[0].name);
        assert_eq!(files[0].clone().read().unwrap(), b"{\"a\":1}");
    };
    check(&package, 2);
    check(&flat, 2);
    check(&plain, 1);
}

#[test]
fn useless_sources_are_errors() {
    let folder = tempfile::tempdir().unwrap();
    let text = folder.path().join("text");
    fs::write(&text, "no archive").unwrap();
    assert!(matches!(schema_files(&text), Err(FetchError::Archive { .. })));
    assert!(matches!(schema_files(&folder.path().join("absent")), Err(FetchError::File { .. })));
    assert!(matches!(schema_files(folder.path()), Err(FetchError::Empty { .. })));
}
