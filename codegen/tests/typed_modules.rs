//! The text of typed modules: `typed_modules/zoo.rs` is what the schemas here become.
//!
//! `ACCEPT=1 cargo test -p codegen --test typed_modules` rewrites it.
#![allow(clippy::unwrap_used, reason = "a test may stop at the first surprise")]
#![allow(clippy::disallowed_methods, reason = "a golden is rewritten by an explicit switch")]

mod common;

use std::collections::BTreeSet;
use std::path::Path;

use codegen::emit;
use serde_json::{Value, json};

const GOLDEN: &str = "tests/typed_modules/zoo.rs";

#[test]
fn every_kind_of_type_has_its_shape() {
    let text = zoo(cage(), keeper());
    if std::env::var_os("ACCEPT").is_some() {
        std::fs::write(Path::new(env!("CARGO_MANIFEST_DIR")).join(GOLDEN), &text).unwrap();
    }
    assert_eq!(text, include_str!("typed_modules/zoo.rs"));
}

#[test]
fn a_changed_property_changes_the_lines_of_its_resource_alone() {
    let before = zoo(cage(), keeper());
    let mut changed = keeper();
    changed["properties"]["Shift"]["description"] = json!("When the keeper works.");
    changed["properties"]["Badge"] = json!({"type": "object", "properties": {"Size": {"type": "number"}}});
    let after = zoo(cage(), changed);
    let module = |text: &str| text.find("pub mod keeper {").unwrap();
    assert_eq!(before[..module(&before)], after[..module(&after)]);

    let lines: BTreeSet<&str> = before.lines().collect();
    let new: Vec<&str> = after.lines().filter(|line| !lines.contains(line)).map(str::trim).collect();
    assert_eq!(
        new,
        [
            "/// `Badge`",
            "pub badge: Option<BadgeProperties>,",
            "/// `Shift`: When the keeper works.",
            r#"Keeper; badge = "Badge", options = "Options", shift = "Shift", shift_2 ="#,
            r#""Shift_","#,
            "pub struct BadgeProperties {",
            "/// `Size`",
            "pub size: Option<Number>,",
            r#"members!(BadgeProperties; size = "Size",);"#,
        ]
    );
}

#[test]
fn the_order_of_schemas_does_not_matter() {
    assert_eq!(zoo(cage(), keeper()), zoo(keeper(), cage()));
}

/// What no comment may hold is in the literals alone, and there as an escape.
#[test]
fn values_with_odd_characters_make_valid_comments() {
    let odd = ["a\rb", "a\nb", "*/", "\u{202e}x", "\u{2066}", "tab\t", "\u{0}", "`", "\"\"\""];
    let mut cage = cage();
    cage["properties"]["Type"]["enum"] = json!(odd);
    cage["properties"]["Type"]["description"] = json!("A \r b \u{202e} c.\r\nMore.");
    let text = zoo(cage, keeper());
    let is_odd = |c: char| c != '\n' && (c.is_control() || ('\u{2028}'..='\u{206f}').contains(&c));
    assert!(!text.contains(is_odd), "{text}");
    for line in ["/// `a\\rb`", "/// `a\\nb`", "/// `*/`", "/// `\\u{202e}x`", "/// `tab\\t`"] {
        assert!(text.lines().any(|known| known.trim() == line), "{line}: {text}");
    }
    assert!(syn::parse_file(&text).is_ok());
}

/// The module of the zoo, as the generator prints it.
fn zoo(first: Value, second: Value) -> String {
    let output = common::run([first, second]);
    assert!(output.skips.is_empty(), "{:?}", output.skips);
    let input = emit::Input::of(&output, &[]);
    let files = emit::emit(input, std::iter::empty()).unwrap();
    let types = files.iter().map(|file| file.path.as_str()).filter(|path| path.starts_with("src/types/"));
    assert_eq!(types.collect::<Vec<_>>(), ["src/types/mod.rs", "src/types/zoo.rs"]);
    let zoo = files.into_iter().find(|file| file.path == "src/types/zoo.rs").unwrap();
    String::from_utf8(zoo.bytes).unwrap()
}

fn cage() -> Value {
    json!({
        "typeName": "AWS::Zoo::Cage",
        "description": "A place for animals.\nBuilt by keepers (e.g. Ann). Not to be opened.\n\n    not(code)",
        "required": ["Type"],
        "createOnlyProperties": ["/properties/Type", "/properties/Rooms/*/Id"],
        "readOnlyProperties": ["/properties/Arn"],
        "writeOnlyProperties": ["/properties/Rooms/*/Lock/Secret"],
        "properties": {
            "Arn": {"type": "string"},
            "Type": {"type": "string", "enum": ["OPEN", "open", "other", "*"], "description": "How it is built."},
            "IPv6Count": {"type": "integer"},
            "Weight": {"type": "number"},
            "Other": {"type": "boolean"},
            "Free": {"type": "object"},
            "Labels": {"type": "object", "patternProperties": {".*": {"type": "string"}}},
            "Options": {"type": "object", "properties": {"Deep": {"type": "boolean"}}},
            "Pick": {"oneOf": [{"$ref": "#/definitions/Lock"}, {"type": "string"}, {"type": "array", "items": {"type": "integer"}}]},
            "Rooms": {"type": "array", "items": {"$ref": "#/definitions/Room"}},
        },
        "definitions": {
            "Lock": {"type": "object", "properties": {"Secret": {"type": "string"}, "Mode": {"$ref": "#/definitions/Mode"}}},
            "Mode": {"type": "string", "enum": ["A", "B"], "description": "How it locks."},
            "Room": {
                "type": "object",
                "required": ["Id"],
                "properties": {
                    "Id": {"type": "string"},
                    "Lock": {"$ref": "#/definitions/Lock"},
                    "Modes": {"type": "array", "items": {"$ref": "#/definitions/Mode"}},
                    "Inner": {"$ref": "#/definitions/Room"},
                    "Neighbors": {"type": "array", "items": {"$ref": "#/definitions/Room"}},
                },
            },
        },
    })
}

fn keeper() -> Value {
    json!({
        "typeName": "AWS::Zoo::Keeper",
        "properties": {
            "Options": {"type": "object", "properties": {"Tall": {"type": "boolean"}}},
            "Shift": {"type": "string"},
            "Shift_": {"$ref": "#/definitions/Keeper"},
        },
        "definitions": {"Keeper": {"type": "object", "properties": {"Name": {"type": "string"}}}},
    })
}
