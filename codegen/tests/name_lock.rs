//! Published names stay whose they are, whatever joins their module later.
#![allow(clippy::unwrap_used)] // A test that cannot find what it asks for has failed.

mod common;

use codegen::Output;
use codegen::inventory::Inventory;
use codegen::names::NameLock;
use common::{members, run, run_with_names};
use serde_json::{Value, json};
use std::collections::BTreeMap;

fn resource(name: &str, properties: Value) -> Value {
    json!({
        "typeName": format!("AWS::Zoo::{name}"), "properties": properties,
        "definitions": {
            "AntHillOpts": {"type": "object", "properties": {format!("{name}s"): {"type": "string"}}},
            "Opts": {"type": "object", "properties": {format!("{name}s"): {"type": "string"}}}
        }
    })
}

fn opts() -> Value {
    json!({"$ref": "#/definitions/Opts"})
}

fn hill_opts() -> Value {
    json!({"$ref": "#/definitions/AntHillOpts"})
}

fn inline(member: &str) -> Value {
    json!({"properties": {member: {"type": "integer"}}})
}

fn values(values: &[&str]) -> Value {
    json!({"type": "string", "enum": values})
}

/// The lock after a run.
fn after(output: &Output) -> NameLock {
    output.names.clone().unwrap().after(&output.claims, &Inventory::of(output))
}

fn locked(documents: impl IntoIterator<Item = Value>) -> NameLock {
    after(&run_with_names(documents, NameLock::default()))
}

/// The types of a resource's top-level properties by the names of both, without the module.
fn types_of(output: &Output, resource: &str) -> BTreeMap<String, String> {
    let spec = &output.package.resources[&format!("aws-native:zoo:{resource}")];
    let short =
        |(name, property): (&String, &codegen::package::PropertySpec)| (name.clone(), common::short(&property.ty));
    spec.properties.iter().map(short).collect()
}

#[track_caller]
fn check(output: &Output, resource: &str, expected: &[(&str, &str)]) {
    let expected = expected.iter().map(|(name, ty)| ((*name).to_owned(), (*ty).to_owned())).collect();
    assert_eq!(types_of(output, resource), expected, "{resource}");
}

#[test]
fn a_lock_of_the_same_schemas_changes_nothing() {
    let documents = || {
        [
            resource("Ant", json!({"HillMode": values(&["A", "B"]), "Opts": opts(), "Box": inline("Legs")})),
            resource("AntHill", json!({"Mode": values(&["C"]), "Opts": opts(), "Box": inline("Holes")})),
            resource("Bee", json!({"Mode": values(&["a", "A"]), "BoxProperties": values(&["X"])})),
        ]
    };
    let published = run(documents());
    let lock = locked(documents());
    let again = run_with_names(documents(), lock.clone());
    assert_eq!(Inventory::of(&published), Inventory::of(&again));
    assert_eq!(after(&again), lock);
    assert_eq!(NameLock::parse(&lock.render()), Ok(lock));
}

#[test]
fn a_newcomer_gets_the_next_free_name_and_keeps_it() {
    let owner = || resource("Fox", json!({"Box": inline("Legs"), "Foxes": hill_opts(), "Mode": values(&["A", "B"])}));
    // `Fo` with `XMode` makes the name that `Fox` with `Mode` has.
    let newcomer = |name: &str| resource(name, json!({"Box": inline("Wings"), "xMode": values(&["C"])}));
    let lock = locked([owner()]);
    for name in ["Ant", "Fo", "Yak"] {
        let documents = || vec![owner(), newcomer(name)];
        let first = run_with_names(documents(), lock.clone());
        check(&first, "Fox", &[("box", "ref BoxProperties"), ("foxes", "ref FoxAntHillOpts"), ("mode", "ref FoxMode")]);
        let mode = format!("ref {name}{}", if name == "Fo" { "xModeEnum" } else { "xMode" });
        check(&first, name, &[("box", "ref BoxProperties2"), ("xMode", &mode)]);
        assert_eq!(members(&first, "BoxProperties"), ["legs integer"], "{name}");
        assert_eq!(members(&first, "BoxProperties2"), ["wings integer"], "{name}");

        let remembered = after(&first);
        let mut shuffled = documents();
        shuffled.reverse();
        for (documents, lock) in [(documents(), &remembered), (shuffled.clone(), &remembered), (shuffled, &lock)] {
            let again = run_with_names(documents, lock.clone());
            assert_eq!(Inventory::of(&again), Inventory::of(&first), "{name}");
            assert_eq!(after(&again), remembered, "{name}");
        }
    }
}

#[test]
fn newcomers_do_not_take_each_others_names() {
    let lock = locked([resource("Fox", json!({"Box": inline("Legs")}))]);
    let documents = || {
        [
            resource("Fox", json!({"Box": inline("Legs")})),
            resource("Ant", json!({"Box": inline("Wings")})),
            resource("Bee", json!({"Box": inline("Stings")})),
            // It does not take the name of the fox's type. The published rule would let its own have what the ant got.
            json!({"typeName": "AWS::Zoo::BoxProperties", "properties": {"B": {"$ref": "#/definitions/BoxProperties2"}},
                "definitions": {"BoxProperties2": {"type": "object", "properties": {"Hay": {"type": "string"}}}}}),
        ]
    };
    let first = run_with_names(documents(), lock.clone());
    check(&first, "Ant", &[("box", "ref BoxProperties2")]);
    check(&first, "BoxProperties2", &[("b", "ref BoxProperties22")]);
    check(&first, "Bee", &[("box", "ref BoxProperties3")]);
    let again = run_with_names(documents(), after(&first));
    assert_eq!(Inventory::of(&again), Inventory::of(&first));
}

#[test]
fn a_resource_that_moved_to_another_module_keeps_its_name_there() {
    let mut lock = locked([resource("Fox", json!({"Name": {"type": "string"}}))]);
    let mut moved = lock.modules["zoo"].clone();
    moved.resources.values_mut().for_each(|fox| fox.gone = true);
    for old in ["aviary", "zzz"] {
        lock.modules.insert(old.to_owned(), moved.clone());
    }
    let again = run_with_names([resource("Fox", json!({"Name": {"type": "string"}}))], lock);
    assert!(again.package.resources.contains_key("aws-native:zoo:Fox"), "{:?}", again.package.resources.keys());
}

#[test]
fn names_that_have_gone_are_never_given_to_others() {
    let gone = resource("Fox", json!({"Box": inline("Legs"), "Mode": values(&["A"])}));
    let newcomer = resource("Ant", json!({"Box": inline("Wings")}));
    let lock = locked([gone.clone(), newcomer.clone()]);
    let same = run_with_names([gone.clone(), newcomer.clone()], lock.clone());
    assert_eq!(lock.gone_from(&Inventory::of(&same)), Vec::<String>::new());

    let without = run_with_names([resource("Ant", json!({}))], lock.clone());
    let after_it = after(&without);
    assert_eq!(
        lock.gone_from(&Inventory::of(&without)),
        ["aws-native:zoo:Ant.box", "aws-native:zoo:Fox", "aws-native:zoo:BoxProperties", "aws-native:zoo:FoxMode",]
    );
    assert_eq!(after_it.gone_from(&Inventory::of(&without)), Vec::<String>::new(), "each name goes once");
    // Another resource does not get it; those that had it do.
    let bee = resource("Bee", json!({"Box": inline("Stings")}));
    let back = run_with_names([bee, newcomer, gone], after_it);
    check(&back, "Ant", &[("box", "ref BoxProperties")]);
    check(&back, "Bee", &[("box", "ref BoxProperties2")]);
    check(&back, "Fox", &[("box", "ref BoxProperties"), ("mode", "ref FoxMode")]);
    assert!(after(&back).render().lines().all(|line| !line.contains("gone")));
}

#[test]
fn an_owner_never_moves_to_another_enum() {
    // `AntHillMode` twice, shared as long as the members are the same.
    let ant = |list: &[&str]| resource("Ant", json!({"HillMode": values(list)}));
    let hill = |list: &[&str]| resource("AntHill", json!({"Mode": values(list)}));
    let lock = locked([ant(&["A", "B"]), hill(&["A", "B"])]);
    for (ants, hills, expected) in [
        (&["A", "B", "C"][..], &["A", "B"][..], &["A", "B", "C"][..]),
        (&["A", "B"], &["C", "A", "B"], &["A", "B", "C"]),
        (&["A"], &["A"], &["A"]),
        (&["A", "C"], &["B", "D"], &["A", "B", "C", "D"]),
    ] {
        let output = run_with_names([ant(ants), hill(hills)], lock.clone());
        check(&output, "Ant", &[("hillMode", "ref AntHillMode")]);
        check(&output, "AntHill", &[("mode", "ref AntHillMode")]);
        let after = after(&output);
        let names = &after.modules["zoo"].types["AntHillMode"].members;
        let live: Vec<&str> = names.iter().filter(|(_, name)| !name.gone).map(|(value, _)| value.as_str()).collect();
        assert_eq!(live, expected, "{ants:?} {hills:?}");
    }
}

#[test]
fn members_of_enums_keep_their_names() {
    let ant = |list: &[&str]| resource("Ant", json!({"Mode": values(list)}));
    let lock = locked([ant(&["on-off", "ON_OFF"])]);
    let output = run_with_names([ant(&["On Off", "ON_OFF", "on-off"])], lock);
    let names = after(&output).modules["zoo"].types["AntMode"].members.clone();
    let names: Vec<(&str, &str)> = names.iter().map(|(value, name)| (value.as_str(), name.text.as_str())).collect();
    assert_eq!(names, [("ON_OFF", "OnOff2"), ("On Off", "OnOff3"), ("on-off", "OnOff")]);
}

#[test]
fn a_kind_does_not_take_the_name_of_the_other() {
    let object = || {
        json!({"typeName": "AWS::Zoo::Ant", "properties": {"Mode": {"$ref": "#/definitions/Mode"}},
        "definitions": {"Mode": {"type": "object", "properties": {"A": {"type": "string"}}}}})
    };
    let enumeration = || resource("Ant", json!({"Mode": values(&["A"])}));
    for (before, now, was, is) in [
        (object(), enumeration(), "ref AntMode", "ref AntModeEnum"),
        (enumeration(), object(), "ref AntMode", "ref AntMode2"),
    ] {
        let first = run_with_names([before.clone()], NameLock::default());
        check(&first, "Ant", &[("mode", was)]);
        let second = run_with_names([now], after(&first));
        check(&second, "Ant", &[("mode", is)]);
        assert!(after(&first).gone_from(&Inventory::of(&second)).contains(&"aws-native:zoo:AntMode".to_owned()));
        check(&run_with_names([before], after(&second)), "Ant", &[("mode", was)]);
    }
}

#[test]
fn a_resource_whose_name_is_taken_gets_another() {
    let document = |type_name: &str| json!({"typeName": type_name, "properties": {"ThingName": {"type": "string"}}});
    let lock = locked([document("AWS::Zoo::Thing")]);
    // It comes before the owner, which may also have gone.
    for documents in [vec![document("AWS::ZOO::Thing"), document("AWS::Zoo::Thing")], vec![document("AWS::ZOO::Thing")]]
    {
        let first = run_with_names(documents.clone(), lock.clone());
        let token = |cfn_type: &str| {
            let model = first.resources.iter().find(|model| model.cfn_type == cfn_type)?;
            Some((model.token.clone(), model.getter.clone().unwrap().token, model.auto_name.is_some()))
        };
        let expected = ("aws-native:zoo:Thing2".to_owned(), "aws-native:zoo:getThing2".to_owned(), true);
        assert_eq!(token("AWS::ZOO::Thing"), Some(expected));
        assert!(first.report.warnings["aws-native:zoo:Thing2"][0].starts_with("the name aws-native:zoo:Thing is"));
        if documents.len() == 2 {
            assert_eq!(token("AWS::Zoo::Thing").unwrap().0, "aws-native:zoo:Thing");
        }
        let again = run_with_names(documents, after(&first));
        assert_eq!(Inventory::of(&again), Inventory::of(&first));
    }
}

#[test]
fn only_what_is_forgotten_leaves_the_lock() {
    let fox = resource("Fox", json!({"Box": inline("Legs"), "Mode": values(&["A", "B"])}));
    let mut lock = locked([fox]);
    assert_eq!(lock.forget("aws-native:zoo:Nothing*").names, 0);
    assert_eq!(lock.forget("aws-native:zoo:FoxMode.B").names, 1);
    assert_eq!(lock.modules["zoo"].types["FoxMode"].members.len(), 1);
    assert_eq!(lock.forget("aws-native:zoo:Box*").names, 2, "the type and its member");
    let output = run_with_names([resource("Ant", json!({"Box": inline("Wings")}))], lock);
    check(&output, "Ant", &[("box", "ref BoxProperties")]);
}

#[test]
fn what_had_gone_is_named_when_it_is_forgotten() {
    let fox = |properties: Value| resource("Fox", properties);
    let lock = locked([fox(json!({"Box": inline("Legs"), "Mode": values(&["A", "B"])}))]);
    let mut lock = after(&run_with_names([fox(json!({"Mode": values(&["A"])}))], lock));
    let forgotten = lock.forget("aws-native:zoo:*");
    assert_eq!(
        forgotten.gone,
        ["aws-native:zoo:Fox.box", "aws-native:zoo:BoxProperties", "aws-native:zoo:FoxMode.B"],
        "{forgotten:?}"
    );
    assert_eq!(forgotten.names, 8, "one resource with three properties, an object with one, an enum with two values");
    assert!(lock.modules["zoo"].resources.is_empty() && lock.modules["zoo"].types.is_empty());
}

#[test]
fn nothing_leaves_the_lock_when_a_type_becomes_one_of_the_other_kind() {
    let lock = locked([resource("Fox", json!({"Mode": values(&["A"])}))]);
    let mut output = run_with_names([resource("Ant", json!({}))], lock.clone());
    let mut inventory = Inventory::of(&output);
    output.names = Some(lock.clone());
    let member = codegen::inventory::PropertyFacts { cfn_name: "Legs".to_owned(), ..Default::default() };
    let object = codegen::inventory::TypeFacts::Object([("legs".to_owned(), member)].into_iter().collect());
    inventory.types.insert("aws-native:zoo:FoxMode".to_owned(), object);
    let gone = lock.gone_from(&inventory);
    assert!(gone.contains(&"aws-native:zoo:FoxMode.A".to_owned()), "{gone:?}");
    let after = output.names.clone().unwrap().after(&output.claims, &inventory);
    assert_eq!(NameLock::parse(&after.render()), Ok(after));
}
