//! The detailed difference: full nested paths and true kinds.

use metadata::model::Type::{Any, Integer, String as Text};
use metadata::view::Resource;
use provider::lifecycle::{ChangeKind, DiffAnswer, DiffRequest, diff};
use serde_json::{Value as Json, json};

use crate::models::*;
use crate::types;
use crate::values::{members, state, urn};

/// The difference between recorded inputs and new ones; the service holds `outputs`.
pub fn difference(resource: Resource, outputs: Json, old: Json, new: Json) -> DiffAnswer {
    let request = DiffRequest {
        id: "id-1".to_owned(),
        urn: urn("thing"),
        olds: state(outputs, old.clone()),
        news: members(new),
        old_inputs: Some(members(old)),
        ignore_changes: Vec::new(),
    };
    diff(resource, &request)
}

#[track_caller]
pub fn check(resource: Resource, old: Json, new: Json, expected: &[(&str, ChangeKind)]) {
    let answer = difference(resource, old.clone(), old, new);
    let expected = expected.iter().map(|(path, kind)| ((*path).to_owned(), *kind)).collect();
    assert_eq!(answer.detailed, expected);
    assert!(!answer.record_only, "something is recorded that no path shows");
}

fn shapes() -> Resource {
    resource(|model| {
        let inner = object(model, [prop("a", Text), prop("b", Integer)]);
        let rule = object(model, [prop("id", Text), prop("inner", inner.clone())]);
        model.properties = vec![
            prop("text", Text),
            prop("nested", inner),
            prop("rules", list(rule)),
            prop("labels", map(Text)),
            prop("free", Any),
            prop("set", list(Text)),
        ];
        tag_list(model);
        model.unordered = paths(&["set"]);
    })
}

#[test]
fn c92_a_rule_by_which_the_service_rewrites_a_value_never_hides_a_change() {
    let file_system = resource(|model| {
        model.properties = vec![prop("kmsKeyId", Text)];
        model.property_transforms = vec![("kmsKeyId".to_owned(), "\"arn:.*\"".to_owned())];
    });
    let key = |name: &str| json!({ "kmsKeyId": name });
    check(file_system, key("a"), key("b"), &[("kmsKeyId", ChangeKind::Update)]);
    check(file_system, key("a"), key("a"), &[]);
}

#[test]
fn c21_paths_lead_to_what_changed() {
    use ChangeKind::{Add, Delete, Update};
    let check = |old, new, expected: &[_]| check(shapes(), old, new, expected);
    check(json!({ "text": "a" }), json!({ "text": "b" }), &[("text", Update)]);
    check(json!({}), json!({ "text": "b" }), &[("text", Add)]);
    check(json!({ "text": "a" }), json!({}), &[("text", Delete)]);
    check(json!({ "text": "a" }), json!({ "text": "$unknown" }), &[("text", Update)]);
    check(
        json!({ "nested": { "a": "1", "b": 1 } }),
        json!({ "nested": { "a": "2" } }),
        &[("nested.a", Update), ("nested.b", Delete)],
    );
    check(json!({}), json!({ "nested": { "a": "2" } }), &[("nested", Add)]);
    check(
        json!({ "labels": { "x": "1", "a.b/c": "1" } }),
        json!({ "labels": { "y": "1", "a.b/c": "2" } }),
        &[("labels.x", Delete), ("labels.y", Add), ("labels[\"a.b/c\"]", Update)],
    );
    check(
        json!({ "rules": [{ "id": "1", "inner": { "b": 1 } }, { "id": "2" }] }),
        json!({ "rules": [{ "id": "1", "inner": { "b": 2 } }] }),
        &[("rules[0].inner.b", Update), ("rules[1]", Delete)],
    );
    check(
        json!({ "free": { "Version": "1", "S": [{ "E": "A" }] } }),
        json!({ "free": { "Version": "1", "S": [{ "E": "D" }] } }),
        &[("free.S[0].E", Update)],
    );
    let tags = |values: [&str; 3]| json!({ "tags": [{ "key": "a", "value": values[0] }, { "key": "b", "value": values[1] }, { "key": "c", "value": values[2] }] });
    check(tags(["1", "2", "3"]), tags(["1", "2", "4"]), &[("tags[2].value", Update)]);
    check(json!({ "set": ["x", "y", "y"] }), json!({ "set": ["y", "z", "x"] }), &[("set[1]", Add), ("set[2]", Delete)]);
    check(json!({ "set": ["x", "y"] }), json!({ "set": ["y", "x", "z"] }), &[("set[2]", Add)]);
    check(json!({ "set": ["x"] }), json!({ "set": ["z"] }), &[("set[0]", Update)]);
}

#[test]
fn c23_order_of_a_set_is_no_change_and_order_of_a_list_is_one() {
    use ChangeKind::{Add, Delete, Update};
    let role = types::role();
    check(role, json!({ "managedPolicyArns": ["z", "a"] }), json!({ "managedPolicyArns": ["a", "z"] }), &[]);
    check(role, json!({ "managedPolicyArns": ["a", "a", "b"] }), json!({ "managedPolicyArns": ["b", "a", "a"] }), &[]);
    check(
        role,
        json!({ "managedPolicyArns": ["a", "a", "b"] }),
        json!({ "managedPolicyArns": ["a", "b", "b"] }),
        &[("managedPolicyArns[1]", Delete), ("managedPolicyArns[2]", Add)],
    );
    check(
        role,
        json!({ "managedPolicyArns": ["z", "a"] }),
        json!({ "managedPolicyArns": ["z", "b"] }),
        &[("managedPolicyArns[1]", Update)],
    );
    let layers = resource(|model| model.properties = vec![prop("layers", list(Text))]);
    check(
        layers,
        json!({ "layers": ["z", "a"] }),
        json!({ "layers": ["a", "z"] }),
        &[("layers[0]", Update), ("layers[1]", Update)],
    );
}

#[test]
fn long_sets_are_compared_in_linear_time() {
    let items: Vec<String> = (0..20_000).map(|index| format!("arn-{index}")).collect();
    let reversed: Vec<&String> = items.iter().rev().collect();
    check(types::role(), json!({ "managedPolicyArns": items }), json!({ "managedPolicyArns": reversed }), &[]);
}

#[test]
fn ignored_changes_are_no_changes() {
    let request = |ignore: &[&str]| DiffRequest {
        id: "id-1".to_owned(),
        urn: urn("thing"),
        olds: state(json!({}), json!({ "text": "a", "labels": { "x": "1" }, "rules": [{ "id": "1" }] })),
        news: members(json!({ "text": "b", "labels": { "x": "2", "y": "1" }, "rules": [{ "id": "2" }] })),
        old_inputs: None,
        ignore_changes: paths(ignore),
    };
    let changed = |ignore: &[&str]| diff(shapes(), &request(ignore)).detailed.into_keys().collect::<Vec<_>>();
    assert_eq!(changed(&[]), ["labels.x", "labels.y", "rules[0].id", "text"]);
    assert_eq!(changed(&["text", "labels.x", "rules[0].id"]), ["labels.y"]);
    assert_eq!(changed(&["labels.*", "rules[*].id", "nonsense[", "nested.a"]), ["text"]);
    assert_eq!(changed(&["labels", "rules", "text"]), [""; 0]);
}
