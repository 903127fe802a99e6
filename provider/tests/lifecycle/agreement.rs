//! What a plan shows and what its update sends are the same: neither has anything that the other has not.

use metadata::model::Type::{Any, Boolean, Integer, String as Text};
use metadata::view::Resource;
use provider::convert::from_cfn;
use provider::lifecycle::ChangeKind::{self, Add, Delete, Update as Changed};
use provider::patch::{Update, patch};
use serde_json::{Value as Json, json};

use crate::diff_detail::difference;
use crate::models::*;
use crate::values::members;

/// Rules in every kind of collection, with members that have defaults.
fn rules() -> Resource {
    resource(|model| {
        let rule = object(
            model,
            [with_default("enabled", Boolean, "false"), prop("name", Text), with_default("port", Integer, "443")],
        );
        model.properties = vec![
            prop("rules", list(rule.clone())),
            prop("pages", list(list(rule.clone()))),
            prop("ruleSet", list(rule.clone())),
            prop("byKey", map(rule.clone())),
            prop("rule", rule),
            prop("free", Any),
            prop("texts", list(Text)),
            prop("files", list(Text)),
        ];
        model.unordered = paths(&["ruleSet"]);
        model.read_only = paths(&["files"]);
        tag_list(model);
    })
}

/// What the user wrote and writes, and what the service holds; the paths of the plan, and the pointers of the operations.
#[track_caller]
fn check(old: Json, new: Json, model: Json, planned: &[(&str, ChangeKind)], sent: &[(&str, &str)]) {
    let outputs = value::json::to_json(&from_cfn(&model, rules().properties()).unwrap().into()).unwrap();
    let answer = difference(rules(), outputs, old.clone(), new.clone());
    let found: Vec<_> = answer.detailed.iter().map(|(path, kind)| (path.as_str(), *kind)).collect();
    assert_eq!(found, planned, "{old} {new}");
    let (before, after) = (members(old.clone()), members(new.clone()));
    let update = Update { old: Some(&before), new: &after, model: &model };
    let operations = patch(rules(), update).unwrap().into_operations();
    let text = |operation: &Json, name: &str| operation[name].as_str().unwrap_or_default().to_owned();
    let found: Vec<_> = operations.iter().map(|operation| (text(operation, "op"), text(operation, "path"))).collect();
    let found: Vec<_> = found.iter().map(|(op, path)| (op.as_str(), path.as_str())).collect();
    assert_eq!(found, sent, "{old} {new}");
}

#[test]
fn an_element_that_holds_only_defaults_is_gone_when_it_is_taken_out() {
    let off = || json!({ "enabled": false });
    let held = || json!({ "Enabled": false, "Port": 443 });
    let named = || json!({ "name": "a" });
    check(
        json!({ "rules": [named(), off()] }),
        json!({ "rules": [named()] }),
        json!({ "Rules": [{ "Name": "a" }, held()] }),
        &[("rules[1]", Delete)],
        &[("replace", "/Rules")],
    );
    check(
        json!({ "rules": [off(), off()] }),
        json!({ "rules": [] }),
        json!({ "Rules": [held(), held()] }),
        &[("rules[0]", Delete), ("rules[1]", Delete)],
        &[("replace", "/Rules")],
    );
    check(
        json!({ "pages": [[off()], [named()]] }),
        json!({ "pages": [[], [named()]] }),
        json!({ "Pages": [[held()], [{ "Name": "a" }]] }),
        &[("pages[0][0]", Delete)],
        &[("replace", "/Pages")],
    );
    check(
        json!({ "ruleSet": [named(), off()] }),
        json!({ "ruleSet": [named()] }),
        json!({ "RuleSet": [held(), { "Name": "a" }] }),
        &[("ruleSet[1]", Delete)],
        &[("replace", "/RuleSet")],
    );
}

#[test]
fn an_entry_goes_as_a_whole_with_what_the_service_put_into_it() {
    let held = || json!({ "Enabled": false, "Name": "given by the service", "Port": 443 });
    for entry in [json!({ "enabled": false }), json!({}), json!({ "enabled": true })] {
        check(
            json!({ "byKey": { "a": entry.clone(), "b": {} } }),
            json!({ "byKey": { "b": {} } }),
            json!({ "ByKey": { "a": held(), "b": held() } }),
            &[("byKey.a", Delete)],
            &[("remove", "/ByKey/a")],
        );
        check(
            json!({ "byKey": { "a": entry } }),
            json!({ "byKey": {} }),
            json!({ "ByKey": { "a": held() } }),
            &[("byKey.a", Delete)],
            &[("remove", "/ByKey/a")],
        );
    }
    check(
        json!({ "free": { "a": { "x": 1 }, "b": 1 } }),
        json!({ "free": { "b": 1 } }),
        json!({ "Free": { "a": { "x": 1, "y": 2 }, "b": 1 } }),
        &[("free.a", Delete)],
        &[("remove", "/Free/a")],
    );
}

#[test]
fn nothing_is_planned_where_nothing_is_the_users() {
    // What the service put into an empty object stays.
    check(json!({ "rule": {} }), json!({}), json!({ "Rule": { "Name": "x", "Enabled": false } }), &[], &[]);
    check(json!({ "rule": {} }), json!({}), json!({ "Rule": {} }), &[("rule", Delete)], &[("remove", "/Rule")]);
    check(
        json!({ "rule": { "name": "x" } }),
        json!({}),
        json!({ "Rule": { "Name": "x", "Enabled": false } }),
        &[("rule", Delete)],
        &[("remove", "/Rule/Name")],
    );
    // An empty list of tags is never sent.
    let tags = || json!([{ "key": "a", "value": "1" }]);
    check(json!({}), json!({ "tags": [] }), json!({}), &[], &[]);
    check(json!({ "tags": tags() }), json!({ "tags": [] }), json!({}), &[], &[]);
    check(json!({}), json!({ "texts": [] }), json!({}), &[("texts", Add)], &[("add", "/Texts")]);
}

#[test]
fn nothing_comes_back_with_what_is_taken_out() {
    // The service has lost the object; that a part of it is no longer wanted changes nothing.
    let rule = |members: Json| json!({ "rule": members });
    check(rule(json!({ "name": "a", "enabled": true })), rule(json!({ "enabled": true })), json!({}), &[], &[]);
    check(rule(json!({ "name": "a" })), rule(json!({})), json!({}), &[], &[]);
    check(json!({ "byKey": { "a": {}, "b": {} } }), json!({ "byKey": { "b": {} } }), json!({}), &[], &[]);
    check(
        rule(json!({ "name": "a", "enabled": true })),
        rule(json!({ "name": "b" })),
        json!({}),
        &[("rule.name", Changed)],
        &[("add", "/Rule")],
    );
}

#[test]
fn a_default_that_is_given_where_the_service_holds_the_object_changes_nothing() {
    for held in [json!({}), json!({ "Name": "x" }), json!({ "Name": "x", "Enabled": false })] {
        check(json!({}), json!({ "rule": { "enabled": false } }), json!({ "Rule": held }), &[], &[]);
    }
    check(
        json!({}),
        json!({ "rule": { "enabled": false, "name": "y" } }),
        json!({ "Rule": { "Name": "x" } }),
        &[("rule.enabled", Add), ("rule.name", Add)],
        &[("add", "/Rule/Enabled"), ("replace", "/Rule/Name")],
    );
}

#[test]
fn a_list_that_is_given_although_the_service_sets_it_is_sent_whole() {
    check(
        json!({ "files": ["a", "b"] }),
        json!({ "files": ["a"] }),
        json!({ "Files": ["a", "b"] }),
        &[("files[1]", Delete)],
        &[("replace", "/Files")],
    );
    // What is given no more goes back to the service.
    check(json!({ "files": ["a"] }), json!({}), json!({ "Files": ["a"] }), &[], &[]);
}
