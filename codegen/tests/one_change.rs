//! A change of one property stays where it is: in that resource's lines of the Rust output, the inventory, the name lock
//! and the change report.
#![allow(clippy::unwrap_used)] // A test that cannot find what it asks for has failed.

mod common;

use codegen::Output;
use codegen::changes::{Base, Changes};
use codegen::emit::{self, OutputFile};
use codegen::inventory::Inventory;
use codegen::names::NameLock;
use common::run;
use serde_json::{Value, json};
use std::collections::BTreeMap;

fn documents() -> Vec<Value> {
    let document = |(service, name): (&str, &str)| {
        json!({
            "typeName": format!("AWS::{service}::{name}"),
            "definitions": {"Opts": {"type": "object", "properties": {"Mode": {"type": "string", "enum": ["A", "B"]}}}},
            "properties": {"Name": {"type": "string"}, "Size": {"type": "integer"}, "Opts": {"$ref": "#/definitions/Opts"}},
            "primaryIdentifier": ["/properties/Name"]
        })
    };
    [("Zoo", "Ant"), ("Zoo", "Bee"), ("Zoo", "Cow"), ("Farm", "Cow")].into_iter().map(document).collect()
}

/// The Rust sources.
fn sources(output: &Output) -> BTreeMap<String, String> {
    let input = emit::Input::of(output, &[]);
    let files = emit::emit(input, std::iter::empty());
    let text = |file: OutputFile| (file.path, String::from_utf8(file.bytes).unwrap());
    files.unwrap().into_iter().filter(|file| file.path.ends_with(".rs")).map(text).collect()
}

/// Per file the blocks that differ; a block ends at a line that `ends` says.
fn differing(
    before: &BTreeMap<String, String>,
    after: &BTreeMap<String, String>,
    starts: fn(&str) -> bool,
) -> Vec<(String, String)> {
    assert_eq!(before.keys().collect::<Vec<_>>(), after.keys().collect::<Vec<_>>());
    let mut found = Vec::new();
    for (name, old) in before {
        let (old, new) = (blocks(old, starts), blocks(&after[name], starts));
        assert_eq!(old.len(), new.len(), "{name}");
        let pairs = old.into_iter().zip(new).filter(|(old, new)| old != new);
        found.extend(pairs.map(|(_, new)| (name.clone(), new)));
    }
    found
}

fn blocks(text: &str, starts: fn(&str) -> bool) -> Vec<String> {
    let mut blocks = vec![String::new()];
    for line in text.lines() {
        if starts(line) {
            blocks.push(String::new());
        }
        let block = blocks.last_mut().unwrap();
        block.push_str(line);
        block.push('\n');
    }
    blocks
}

#[test]
fn a_changed_property_changes_its_own_resource_alone() {
    let before = run(documents());
    let named = |block: &str| block.starts_with("resource\tBee\t") || block.starts_with("enum\tBeeOptsMode\n");
    for (adds_a_name, edit) in [
        (false, (|bee| bee["properties"]["Size"] = json!({"type": "number"})) as fn(&mut Value)),
        (true, |bee| bee["properties"]["Wings"] = json!({"type": "array", "items": {"type": "string"}})),
        (false, |bee| bee["createOnlyProperties"] = json!(["/properties/Size"])),
        (true, |bee| bee["definitions"]["Opts"]["properties"]["Mode"]["enum"] = json!(["A", "B", "C"])),
    ] {
        let mut documents = documents();
        edit(&mut documents[1]);
        let after = run(documents);

        let rust = differing(&sources(&before), &sources(&after), |line| line.starts_with("/// CloudFormation type"));
        assert!(!rust.is_empty(), "the edit has an effect");
        for (file, block) in &rust {
            let expected = ["src/services/zoo.rs", "src/types/zoo.rs"].contains(&file.as_str());
            assert!(expected && block.contains("AWS::Zoo::Bee"), "{file}: {block}");
        }

        let (old, new) = (Inventory::of(&before), Inventory::of(&after));
        let lines = differing(&old.texts(), &new.texts(), |line| !line.starts_with('\t'));
        assert!(matches!(lines.as_slice(), [(file, block)] if file == "zoo" && named(block)), "{lines:?}");

        let lock = |output: &Output, facts: &Inventory| {
            BTreeMap::from([("names.lock".to_owned(), NameLock::default().after(&output.claims, facts).render())])
        };
        let names = differing(&lock(&before, &old), &lock(&after, &new), |line| !line.starts_with('\t'));
        // A module's line says how many lines are below it.
        let (own, others): (Vec<_>, Vec<_>) = names.iter().partition(|(_, block)| named(block));
        assert_eq!(own.len(), usize::from(adds_a_name), "{names:?}");
        assert!(others.iter().all(|(_, block)| block.starts_with("module\tzoo\t")), "{names:?}");

        let changes = Changes::between(Base::Inventory, &old, &new).changes;
        assert!(!changes.is_empty() && changes.iter().all(|change| change.token.starts_with("aws-native:zoo:Bee")));
    }
}
