//! A run that is killed leaves the old outputs or ones that the next run finishes.
#![allow(clippy::unwrap_used, reason = "a test may stop at the first surprise")]

mod checkout;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use checkout::{PROGRAM, checkout, run, schema, write};

const SOURCE: [&str; 2] = ["--source", "schemas"];
/// How many runs are killed.
const KILLS: usize = 12;

/// All outputs by path, but for what runs need for themselves.
fn outputs(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    for part in ["", "report", "src", "src/services"] {
        let Ok(entries) = fs::read_dir(folder.join(part)) else { continue };
        for entry in entries.map(Result::unwrap).filter(|entry| entry.path().is_file()) {
            let name = entry.file_name().into_string().unwrap();
            if !name.starts_with('.') {
                found.insert(format!("{part}/{name}"), fs::read(entry.path()).unwrap());
            }
        }
    }
    found
}

/// Schemas of many types, all with this property.
fn schemas(checkout: &Path, property: &str) {
    for index in 0..60 {
        let text = schema(&format!("AWS::More{index}::Thing"), property);
        write(&checkout.join(format!("schemas/more{index}.json")), text.as_bytes());
    }
}

#[test]
fn a_killed_run_leaves_the_old_outputs_or_ones_that_heal() {
    let checkout = checkout();
    let folder = checkout.path().join("generated");
    let generate = || run(checkout.path(), &["generate", SOURCE[0], SOURCE[1]]);
    let mut sets = Vec::new();
    for property in ["One", "Two"] {
        schemas(checkout.path(), property);
        assert!(generate().0);
        sets.push(outputs(&folder));
    }
    // A small generator of numbers, so that every run of this test kills at the same moments as far as it can.
    let mut state: u32 = 7;
    let mut random = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        state >> 16
    };
    for kill in 0..KILLS {
        let (new, old) = (kill % 2, (kill + 1) % 2);
        schemas(checkout.path(), ["One", "Two"][new]);
        let mut process = Command::new(PROGRAM)
            .args(["generate", SOURCE[0], SOURCE[1]])
            .current_dir(checkout.path())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        // Wait until it writes, then a little: the files are looked at a few times.
        let waiting = folder.join("report/.next");
        while !waiting.exists() && process.try_wait().unwrap().is_none() {
            std::thread::yield_now();
        }
        for _ in 0..random() % 600 {
            let _ = fs::metadata(&waiting);
        }
        process.kill().unwrap();
        process.wait().unwrap();

        if folder.join("report/.journal").exists() {
            let (success, _, error) = run(checkout.path(), &["check", SOURCE[0], SOURCE[1]]);
            assert!(!success, "{error}");
            assert!(error.starts_with("error: generated: an interrupted run left "), "{error}");
            assert!(
                error.ends_with("; run `pulumi-gen-aws-native generate --source schemas` to finish it\n"),
                "{error}"
            );
        } else {
            let left = outputs(&folder);
            assert!(left == sets[old] || left == sets[new], "kill {kill}: neither the old set nor the new one");
        }
        let (success, _, error) = generate();
        assert!(success, "{error}");
        assert!(outputs(&folder) == sets[new], "kill {kill}: not healed");
        assert!(!waiting.exists() && !folder.join("report/.journal").exists());
    }
}

#[test]
fn what_a_killed_run_had_not_finished_writing_stands_in_nobodys_way() {
    let checkout = checkout();
    let folder = checkout.path().join("generated");
    assert!(run(checkout.path(), &["generate", SOURCE[0], SOURCE[1]]).0);
    let wanted = outputs(&folder);
    write(&folder.join("report/.stamp.next"), b"{");
    write(&folder.join("report/.next/src/services/some.rs"), b"// half");
    assert!(run(checkout.path(), &["check", SOURCE[0], SOURCE[1]]).0);
    schemas(checkout.path(), "One");
    let (success, _, error) = run(checkout.path(), &["generate", SOURCE[0], SOURCE[1]]);
    assert!(success, "{error}");
    assert!(outputs(&folder) != wanted && !folder.join("report/.stamp.next").exists());
    assert!(run(checkout.path(), &["check", SOURCE[0], SOURCE[1]]).0);
}

#[test]
fn what_an_interrupted_run_had_begun_is_finished_before_anything_else() {
    let checkout = checkout();
    let folder = checkout.path().join("generated");
    let generate = || run(checkout.path(), &["generate", SOURCE[0], SOURCE[1]]);
    assert!(generate().0);
    let wanted = outputs(&folder);
    // As after the first step: the list of services is away.
    let journal = br#"{"replace": ["src/services/some.rs"], "remove": [], "commit": []}"#;
    write(&folder.join("report/.next/src/services/some.rs"), b"// half");
    fs::rename(folder.join("src/services/mod.rs"), folder.join("report/.next/.seal")).unwrap();
    write(&folder.join("report/.journal"), journal);

    let (success, _, error) = run(checkout.path(), &["check", SOURCE[0], SOURCE[1]]);
    assert!(!success && error.contains("an interrupted run left 1 file to be replaced"), "{error}");
    let (success, _, error) = generate();
    assert!(success && error.starts_with("generated: finished what an interrupted run had begun\n"), "{error}");
    assert!(outputs(&folder) == wanted);
    assert!(run(checkout.path(), &["check", SOURCE[0], SOURCE[1]]).0);
}
