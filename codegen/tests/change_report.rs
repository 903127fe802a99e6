//! The change report: every kind of change, what only looks like one, and what a base does not tell.
#![allow(clippy::unwrap_used)] // A test that cannot find what it asks for has failed.

mod common;

use codegen::changes::{Base, Changes, Impact, Kind};
use codegen::inventory::{Inventory, package_schema};
use common::run;
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// Two types of a zoo with something of everything.
fn zoo() -> [Value; 2] {
    let cage = json!({
        "typeName": "AWS::Zoo::Cage",
        "definitions": {
            "Lock": {"type": "object", "required": ["Id"], "properties": {
                "Id": {"type": "string"}, "Depth": {"type": "integer"},
                "Mode": {"type": "string", "enum": ["OPEN", "SHUT"]}
            }}
        },
        "properties": {
            "Name": {"type": "string"}, "Size": {"type": "integer"}, "Arn": {"type": "string"}, "Secret": {"type": "string"},
            "Lock": {"$ref": "#/definitions/Lock"}
        },
        "required": ["Size"],
        "readOnlyProperties": ["/properties/Arn"],
        "primaryIdentifier": ["/properties/Name"]
    });
    let keeper = json!({"typeName": "AWS::Zoo::Keeper", "properties": {"Id": {"type": "string"}},
        "primaryIdentifier": ["/properties/Id"]});
    [cage, keeper]
}

fn inventory(documents: impl IntoIterator<Item = Value>) -> Inventory {
    Inventory::of(&run(documents))
}

/// What an edit of the cage's schema changes: kind, place, and what is said beside it.
fn changes(edit: impl Fn(&mut Value)) -> Vec<(Kind, String, Option<String>, Option<String>)> {
    let [mut cage, keeper] = zoo();
    let before = inventory(zoo());
    edit(&mut cage);
    let changes = Changes::between(Base::Inventory, &before, &inventory([cage, keeper]));
    let fact =
        |change: &codegen::changes::Change| (change.kind, change.place(), change.before.clone(), change.after.clone());
    changes.changes.iter().map(fact).collect()
}

/// Holds that exactly these changes are found: kind and place, without `aws-native:zoo:`.
#[track_caller]
fn check(seen: &mut BTreeSet<Kind>, edit: impl Fn(&mut Value), expected: &[(Kind, &str)]) {
    let found = changes(edit);
    let found: Vec<(Kind, &str)> =
        found.iter().map(|(kind, place, ..)| (*kind, place.trim_start_matches("aws-native:zoo:"))).collect();
    assert_eq!(found, expected);
    seen.extend(found.iter().map(|(kind, _)| *kind));
}

fn remove(value: &mut Value, pointer: &str, key: &str) -> Value {
    value.pointer_mut(pointer).unwrap().as_object_mut().unwrap().remove(key).unwrap()
}

#[test]
fn every_kind_of_change_is_found() {
    let seen = &mut BTreeSet::new();
    check(seen, |_| {}, &[]);
    // Properties.
    check(seen, |cage| cage["properties"]["New"] = json!({"type": "string"}), &[(Kind::PropertyAdded, "Cage.new")]);
    check(seen, |cage| drop(remove(cage, "/properties", "Secret")), &[(Kind::PropertyRemoved, "Cage.secret")]);
    check(
        seen,
        |cage| {
            cage["properties"]["New"] = json!({"type": "string"});
            cage["required"] = json!(["Size", "New"]);
        },
        &[(Kind::RequiredPropertyAdded, "Cage.new")],
    );
    check(seen, |cage| cage["properties"]["Size"] = json!({"type": "number"}), &[(Kind::Retyped, "Cage.size")]);
    check(
        seen,
        |cage| cage["required"] = json!(["Size", "Secret"]),
        &[(Kind::NewlyRequired, "Cage.secret"), (Kind::NowAlways, "Cage.secret")],
    );
    check(
        seen,
        |cage| drop(remove(cage, "", "required")),
        &[(Kind::NoLongerAlways, "Cage.size"), (Kind::NoLongerRequired, "Cage.size")],
    );
    check(
        seen,
        |cage| {
            let size = remove(cage, "/properties", "Size");
            cage["properties"]["SIZE"] = size;
            cage["required"] = json!(["SIZE"]);
        },
        // The SDK name stays `size`, but the service's name does not.
        &[(Kind::PropertyRedirected, "Cage.size")],
    );
    // Marks, nested ones too.
    let create_only =
        |cage: &mut Value| cage["createOnlyProperties"] = json!(["/properties/Size", "/properties/Lock/Id"]);
    check(seen, create_only, &[(Kind::NewlyCreateOnly, "Cage.lock/id"), (Kind::NewlyCreateOnly, "Cage.size")]);
    check(
        seen,
        |cage| cage["writeOnlyProperties"] = json!(["/properties/Secret", "/properties/Lock/Depth"]),
        &[(Kind::NewlyWriteOnly, "Cage.lock/depth"), (Kind::NewlyWriteOnly, "Cage.secret")],
    );
    check(
        seen,
        |cage| cage["readOnlyProperties"] = json!(["/properties/Arn", "/properties/Secret"]),
        &[(Kind::NewlyReadOnly, "Cage.secret"), (Kind::NowAlways, "Cage.secret")],
    );
    check(
        seen,
        |cage| drop(remove(cage, "", "readOnlyProperties")),
        &[(Kind::NoLongerAlways, "Cage.arn"), (Kind::NoLongerReadOnly, "Cage.arn")],
    );
    // A mark that comes with its property is no change of a mark.
    check(
        seen,
        |cage| {
            cage["definitions"]["Lock"]["properties"]["Brand"] = json!({"type": "string"});
            cage["createOnlyProperties"] = json!(["/properties/Lock/Brand"]);
        },
        &[(Kind::PropertyAdded, "CageLock.brand")],
    );
    // Identifiers, functions, types, enum members.
    check(seen, |cage| cage["primaryIdentifier"] = json!(["/properties/Arn"]), &[(Kind::IdentifierChanged, "Cage")]);
    check(
        seen,
        |cage| cage["primaryIdentifier"] = json!(["/properties/Lock/Id"]),
        &[(Kind::FunctionRemoved, "getCage"), (Kind::IdentifierChanged, "Cage")],
    );
    check(
        seen,
        |cage| cage["definitions"]["Lock"]["properties"]["Mode"]["enum"] = json!(["OPEN", "AJAR"]),
        &[(Kind::MemberRemoved, "CageLockMode.SHUT"), (Kind::MemberAdded, "CageLockMode.AJAR")],
    );
    check(
        seen,
        |cage| cage["definitions"]["Lock"]["properties"]["Mode"] = json!({"type": "string"}),
        &[(Kind::TypeRemoved, "CageLockMode"), (Kind::Retyped, "CageLock.mode")],
    );
    check(
        seen,
        |cage| cage["properties"]["Bars"] = json!({"properties": {"Count": {"type": "integer"}}}),
        &[(Kind::TypeAdded, "BarsProperties"), (Kind::PropertyAdded, "Cage.bars")],
    );
    // A definition under another name is one change, whatever refers to it.
    check(
        seen,
        |cage| {
            let lock = remove(cage, "/definitions", "Lock");
            cage["definitions"]["Bolt"] = lock;
            cage["properties"]["Lock"] = json!({"$ref": "#/definitions/Bolt"});
        },
        &[(Kind::TypeRenamed, "CageBolt"), (Kind::TypeRenamed, "CageBoltMode")],
    );
    check(
        seen,
        |cage| cage["definitions"]["LockMode"] = json!({"type": "object", "properties": {"A": {"type": "string"}}}),
        &[],
    );
    // Resources.
    check(
        seen,
        |cage| cage["typeName"] = json!("AWS::Zoo::Pen"),
        &[
            (Kind::ResourceRemoved, "Cage"),
            (Kind::TypeRemoved, "CageLock"),
            (Kind::TypeRemoved, "CageLockMode"),
            (Kind::ResourceAdded, "Pen"),
            (Kind::TypeAdded, "PenLock"),
            (Kind::TypeAdded, "PenLockMode"),
        ],
    );
    // What a schema alone cannot bring about follows from a change of a rule or of a table.
    for kind in by_rule() {
        assert!(seen.insert(kind), "{kind:?} needs no separate test");
    }
    let missing: Vec<&Kind> = Kind::ALL.iter().filter(|kind| !seen.contains(kind)).collect();
    assert!(missing.is_empty(), "no test for {missing:?}");
}

/// Kinds of change that come from the generator's rules, found between edited inventories, and the ways back.
fn by_rule() -> Vec<Kind> {
    let base = inventory(zoo());
    let cage = "aws-native:zoo:Cage";
    let mut kinds = Vec::new();
    let mut check = |edit: &dyn Fn(&mut Inventory), expected: &[Kind]| {
        let mut after = base.clone();
        edit(&mut after);
        let found: Vec<Kind> =
            Changes::between(Base::Inventory, &base, &after).changes.iter().map(|change| change.kind).collect();
        assert_eq!(found, expected);
        kinds.extend(found);
    };
    check(
        &|after| {
            let facts = after.resources.remove(cage).unwrap();
            after.resources.insert("aws-native:zoo:Coop".to_owned(), facts);
        },
        &[Kind::ResourceRenamed],
    );
    check(
        &|after| {
            let properties = &mut after.resources.get_mut(cage).unwrap().properties;
            let size = properties.remove("size").unwrap();
            properties.insert("extent".to_owned(), size);
        },
        &[Kind::PropertyRenamed],
    );
    check(
        &|after| after.resources.get_mut(cage).unwrap().properties.get_mut("secret").unwrap().input = false,
        &[Kind::NoLongerInput],
    );
    check(
        &|after| after.resources.get_mut(cage).unwrap().properties.get_mut("arn").unwrap().input = true,
        &[Kind::BecameInput],
    );
    check(
        &|after| {
            let mode = codegen::inventory::TypeFacts::Object(Default::default());
            after.types.insert("aws-native:zoo:CageLockMode".to_owned(), mode);
        },
        &[Kind::TypeReplaced],
    );
    check(
        &|after| {
            let members = [("OPEN", "Ajar"), ("SHUT", "Shut")].map(|(value, name)| (value.to_owned(), name.to_owned()));
            let mode = codegen::inventory::TypeFacts::Enum(members.into_iter().collect());
            after.types.insert("aws-native:zoo:CageLockMode".to_owned(), mode);
        },
        &[Kind::MemberRenamed],
    );
    check(&|after| after.functions.extend(["aws-native:zoo:count".to_owned()]), &[Kind::FunctionAdded]);
    // Marks that go.
    let [mut marked, keeper] = zoo();
    marked["createOnlyProperties"] = json!(["/properties/Size"]);
    marked["writeOnlyProperties"] = json!(["/properties/Secret"]);
    let changes = Changes::between(Base::Inventory, &inventory([marked, keeper]), &base);
    let found: Vec<Kind> = changes.changes.iter().map(|change| change.kind).collect();
    assert_eq!(found, [Kind::NoLongerCreateOnly, Kind::NoLongerWriteOnly]);
    kinds.extend(found);
    kinds
}

#[test]
fn what_is_said_beside_a_change() {
    let said = |edit: &dyn Fn(&mut Value)| {
        let changes = changes(edit);
        changes.into_iter().map(|(.., before, after)| (before.unwrap_or_default(), after.unwrap_or_default())).next()
    };
    let pair = |before: &str, after: &str| Some((before.to_owned(), after.to_owned()));
    assert_eq!(said(&|cage| cage["properties"]["Size"] = json!({"type": "number"})), pair("integer", "number"));
    assert_eq!(said(&|cage| cage["primaryIdentifier"] = json!(["/properties/Arn"])), pair("name", "arn"));
    let left_out = "not provisionable: no read, delete handler";
    assert_eq!(said(&|cage| cage["handlers"] = json!({"create": {}})), pair("", left_out));
}

#[test]
fn c83_a_type_that_is_removed_or_renamed_is_breaking_by_name() {
    let before = inventory(zoo());
    let [cage, mut keeper] = zoo();
    keeper["handlers"] = json!({});
    let removed = Changes::between(Base::Inventory, &before, &inventory([cage, keeper]));
    let places: Vec<String> = removed.breaking().map(|change| change.place()).collect();
    assert_eq!(places, ["aws-native:zoo:Keeper"]);

    let [mut cage, keeper] = zoo();
    let lock = remove(&mut cage, "/definitions", "Lock");
    cage["definitions"]["Bolt"] = lock;
    cage["properties"]["Lock"] = json!({"$ref": "#/definitions/Bolt"});
    let renamed = Changes::between(Base::Inventory, &before, &inventory([cage, keeper]));
    assert!(renamed.breaking().any(|change| change.place() == "aws-native:zoo:CageBolt"), "{renamed:?}");
    for changes in [removed, renamed] {
        let text = changes.markdown();
        assert!(text.contains("\nDeprecate first: ") && text.contains("### Breaking\n"), "{text}");
        assert!(!text.contains("### Compatible\n\n### Breaking"), "{text}");
    }
}

#[test]
fn markdown_is_quiet_and_names_everything_once() {
    let base = inventory(zoo());
    let nothing = Changes::between(Base::Inventory, &base, &base);
    assert_eq!(nothing.markdown(), "# Changes\n\nNothing changes for users.\n");

    let [mut cage, keeper] = zoo();
    cage["properties"]["Size"] = json!({"type": "number"});
    cage["properties"]["New"] = json!({"type": "string"});
    let changes = Changes::between(Base::Inventory, &base, &inventory([cage, keeper]));
    let text = changes.markdown();
    let expected = "# Changes\n\n\
        | change | impact | how many |\n|---|---|---:|\n\
        | type changed | **breaking** | 1 |\n\
        | property added | compatible | 1 |\n\n";
    assert!(text.starts_with(expected), "{text}");
    let expected = "\n## zoo\n\n### Breaking\n\n\
        **Type changed** — Programs that set or read it in a typed language no longer compile.\n\n\
        - `aws-native:zoo:Cage.size`: `integer` → `number`\n\n\
        ### Compatible\n\n\
        **Property added** — It can be set or read now.\n\n\
        - `aws-native:zoo:Cage.new`\n";
    assert!(text.ends_with(expected), "{text}");
    assert!(Kind::ALL.iter().all(|kind| kind.why().ends_with('.') && kind.label() == kind.label().to_lowercase()));
    assert!(Kind::ALL.iter().any(|kind| kind.impact() == Impact::Compatible));
}

#[test]
fn a_package_schema_is_compared_by_what_it_states() {
    let [mut cage, keeper] = zoo();
    cage["createOnlyProperties"] = json!(["/properties/Size", "/properties/Lock/Id"]);
    cage["writeOnlyProperties"] = json!(["/properties/Secret"]);
    let output = run([cage.clone(), keeper.clone()]);
    let document = serde_json::to_value(&output.package).unwrap();
    let base = package_schema::inventory(&document).unwrap();
    let same = Changes::between(Base::PackageSchema, &base, &Inventory::of(&output));
    assert_eq!(same.changes, []);
    assert!(same.markdown().contains("The base is a package schema."));

    cage["createOnlyProperties"] = json!(["/properties/Name", "/properties/Lock/Depth"]);
    cage["writeOnlyProperties"] = json!([]);
    cage["primaryIdentifier"] = json!(["/properties/Arn"]);
    cage["properties"]["Secret"] = json!({"type": "boolean"});
    let changes = Changes::between(Base::PackageSchema, &base, &inventory([cage, keeper]));
    let found: Vec<(Kind, String)> = changes.changes.iter().map(|change| (change.kind, change.place())).collect();
    let at = |kind, place: &str| (kind, format!("aws-native:zoo:{place}"));
    assert_eq!(
        found,
        [
            at(Kind::Retyped, "Cage.secret"),
            at(Kind::NewlyCreateOnly, "Cage.name"),
            at(Kind::NewlyCreateOnly, "CageLock.depth"),
            at(Kind::IdentifierChanged, "Cage"),
            at(Kind::NoLongerCreateOnly, "Cage.size"),
            at(Kind::NoLongerCreateOnly, "CageLock.id"),
        ]
    );
}
