//! Folders and archives that people name, alone and several together.
#![allow(clippy::unwrap_used, reason = "a test may stop at the first surprise")]

mod checkout;

use std::fs;
use std::path::Path;

use checkout::{archive, checkout, names_in, run, schema, write};
use serde_json::{Value, json};

fn generate(checkout: &Path, sources: &[&str]) -> (bool, String) {
    let sources = sources.iter().flat_map(|source| ["--source", source]);
    let arguments: Vec<&str> = ["generate"].into_iter().chain(sources).collect();
    let (success, _, error) = run(checkout, &arguments);
    (success, error)
}

fn read(checkout: &Path, path: &str) -> String {
    fs::read_to_string(checkout.join(path)).unwrap()
}

#[test]
fn an_archive_is_as_good_as_a_folder() {
    let checkout = checkout();
    let at = |path: &str| checkout.path().join(path);
    let entries = ["a.json", "b.json", "c.json"].map(|name| (name, fs::read(at("schemas").join(name)).unwrap()));
    write(&at("schemas.zip"), &archive(&entries));
    let files = |out: &str, source: &str| {
        let (success, _, error) = run(checkout.path(), &["generate", "--out", out, "--source", source]);
        assert!(success, "{error}");
        let services = names_in(&at(out).join("src/services"));
        services.iter().map(|name| fs::read(at(out).join("src/services").join(name)).unwrap()).collect::<Vec<_>>()
    };
    assert_eq!(files("one", "schemas"), files("two", "schemas.zip"));
}

#[test]
fn regions_are_united_and_the_first_wins() {
    let checkout = checkout();
    let zip = |path: &str, entries: &[(&str, String)]| write(&checkout.path().join(path), &archive(entries));
    zip(
        "us-east-1.zip",
        &[("x.json", schema("AWS::Some::Thing", "FromEast")), ("y.json", schema("AWS::Some::Same", "Name"))],
    );
    zip(
        "west.zip",
        &[
            ("x.json", schema("AWS::Some::Thing", "FromWest")),
            ("y.json", schema("AWS::Some::Same", "Name").replace("For people.", "For other people.")),
            ("z.json", schema("AWS::Some::Late", "Name")),
        ],
    );
    let (success, error) = generate(checkout.path(), &["us-east-1.zip", "eu-west-1=west.zip"]);
    assert!(success, "{error}");
    assert!(error.contains("3 types in 2 sources: 1 differ, 1 are not in all\n"), "{error}");
    assert!(error.contains("; no schema left out; "), "{error}");
    let service = read(checkout.path(), "generated/src/services/some.rs");
    assert!(service.contains("fromEast") && !service.contains("fromWest"));
    let report: Value = serde_json::from_str(&read(checkout.path(), "generated/report/regions.json")).unwrap();
    let expected = json!({
        "sources": ["us-east-1", "eu-west-1"], "types": 3,
        "differing": [{"type": "AWS::Some::Thing", "used": "us-east-1", "otherwise": ["eu-west-1"]}],
        "partial": [{"type": "AWS::Some::Late", "in": ["eu-west-1"]}],
    });
    assert_eq!(report, expected);
    let summary = read(checkout.path(), "generated/report/summary.md");
    assert!(summary.contains("\n| AWS::Some::Late | eu-west-1 |\n"), "{summary}");
    let sources = ["--source", "us-east-1.zip", "--source", "eu-west-1=west.zip"];
    let show = |name: &str| run(checkout.path(), &[&["show", name], &sources[..]].concat()).1;
    assert!(show("AWS::Some::Late").contains("only in eu-west-1\n"), "{}", show("AWS::Some::Late"));
    assert!(show("AWS::Some::Thing").contains("everywhere (2 regions)\n"));

    // The other way round, and back to one source: nothing of a merge stays.
    assert!(generate(checkout.path(), &["eu-west-1=west.zip", "us-east-1.zip"]).0);
    assert!(read(checkout.path(), "generated/src/services/some.rs").contains("fromWest"));
    assert!(generate(checkout.path(), &["west.zip"]).0);
    assert!(!checkout.path().join("generated/report/regions.json").exists());
}

#[test]
fn options_that_contradict_each_other_are_refused() {
    let checkout = checkout();
    let check = |arguments: &[&str], expected: &str| {
        let (success, _, error) = run(checkout.path(), arguments);
        assert!(!success);
        assert_eq!(error, format!("error: {expected}\n"));
    };
    check(&["generate", "--region", "eu-west-1"], "--region says which archives of AWS to take; it needs --source aws");
    check(
        &["generate", "--source", "schemas", "--region", "eu-west-1"],
        "--region says which archives of AWS to take; it needs --source aws",
    );
    check(
        &["fetch", "--source", "schemas"],
        "only the pinned schemas and those of --source aws are fetched; what was named is here already",
    );
    check(
        &["generate", "--source", "eu-west-1=schemas", "--source", "eu-west-1.zip"],
        "two sources are called eu-west-1; name each region once, with REGION=PATH where the file name misleads",
    );
    check(
        &["export", "schema", "--source", "aws", "--region", "nowhere"],
        "\"nowhere\" is no name of a region, such as us-east-1",
    );
}
