//! What no read returns is unknown after an import, so that it replaces nothing.

use metadata::model::Type::String as Text;
use metadata::view::Resource;
use provider::lifecycle::{DiffRequest, diff};
use serde_json::{Value as Json, json};
use value::Map;

use crate::models::*;
use crate::values::{members, state, urn};

/// A rule whose listener no read returns.
fn listener_rule() -> Resource {
    resource(|model| {
        model.properties = vec![
            prop("listenerArn", Text),
            prop("priority", Text),
            required("requiredArn", Text),
            output("ruleArn", Text),
        ];
        model.create_only = paths(&["listenerArn", "requiredArn"]);
        model.write_only = paths(&["listenerArn", "requiredArn"]);
        model.read_only = paths(&["ruleArn"]);
        model.primary_identifier = paths(&["ruleArn"]);
    })
}

#[test]
fn c09_what_no_read_returns_is_unknown_after_an_import() {
    let request = |imported: bool, news: Json| {
        let mut olds = state(json!({ "priority": "1", "ruleArn": "r" }), json!({ "priority": "1" }));
        if imported {
            olds.insert("__imported".to_owned(), true.into());
        }
        DiffRequest {
            id: "r".to_owned(),
            urn: urn("rule"),
            olds,
            news: members(news),
            old_inputs: None,
            ignore_changes: Vec::new(),
        }
    };
    let supplied = json!({ "priority": "1", "listenerArn": "arn:listener/x" });
    let answer = diff(listener_rule(), &request(true, supplied.clone()));
    assert!(answer.detailed.is_empty() && answer.replaces.is_empty() && answer.record_only, "{answer:?}");
    // On a resource that was created without it, giving it is a change like any other.
    let answer = diff(listener_rule(), &request(false, supplied));
    assert_eq!(answer.replaces, ["listenerArn"]);
    // Unless it is required: then it was given at creation, whatever the state says.
    let answer = diff(listener_rule(), &request(false, json!({ "priority": "1", "requiredArn": "arn:x" })));
    assert!(answer.replaces.is_empty() && answer.record_only, "{answer:?}");
}

/// A certificate whose zones, and a pipe whose source, no read returns.
fn hiding() -> Resource {
    resource(|model| {
        let domain = object(model, [prop("domainName", Text), prop("zoneId", Text)]);
        let source = object(model, [prop("batch", Text), prop("position", Text)]);
        let mixed = object(model, [prop("hint", Text), prop("size", Text)]);
        model.properties = vec![
            prop("domains", list(domain.clone())),
            prop("domainSet", list(domain)),
            prop("source", source),
            prop("fixed", mixed),
        ];
        model.create_only = paths(&["domains", "domainSet", "source/position", "fixed"]);
        model.write_only = paths(&["domains/*/zoneId", "domainSet/*/zoneId", "source", "fixed/hint"]);
        model.unordered = paths(&["domainSet"]);
    })
}

#[test]
fn c09_what_parts_of_lists_and_objects_hide_is_unknown_after_an_import() {
    let domain = |name: &str| json!({ "domainName": name });
    let zoned = |name: &str| json!({ "domainName": name, "zoneId": "z" });
    // what the program gives, what it changes, what replaces
    check(json!({ "domains": [zoned("a"), domain("b")] }), &[], &[]);
    check(json!({ "domainSet": [zoned("a"), zoned("b")] }), &[], &[]);
    check(json!({ "source": { "position": "p" } }), &[], &[]);
    check(json!({ "source": { "position": "p", "batch": "1" } }), &["source"], &[]);
    check(json!({ "fixed": { "hint": "h" } }), &[], &[]);
    // What a read would have shown differs.
    check(json!({ "fixed": { "hint": "h", "size": "s" } }), &["fixed"], &["fixed"]);
    check(json!({ "domains": [zoned("a"), zoned("c")] }), &["domains[1].domainName"], &["domains"]);
    check(json!({ "domains": [domain("a"), domain("b"), json!({ "zoneId": "z" })] }), &["domains[2]"], &["domains"]);
    check(json!({ "domainSet": [zoned("a"), zoned("c")] }), &["domainSet[0]", "domainSet[1]"], &["domainSet"]);

    #[track_caller]
    fn check(given: Json, changes: &[&str], replaces: &[&str]) {
        let read = json!({
            "domains": [{ "domainName": "a" }, { "domainName": "b" }],
            "domainSet": [{ "domainName": "b" }, { "domainName": "a" }],
        });
        let mut news = members(read.clone());
        news.extend(members(given.clone()));
        let mut olds = state(read.clone(), read);
        olds.insert("__imported".to_owned(), true.into());
        let (id, old_inputs) = ("i".to_owned(), None);
        let request = DiffRequest { id, urn: urn("thing"), olds, news, old_inputs, ignore_changes: Vec::new() };
        let answer = diff(hiding(), &request);
        assert_eq!(answer.detailed.keys().collect::<Vec<_>>(), changes, "{given}");
        assert_eq!(answer.replaces, replaces, "{given}");
        assert!(answer.record_only || !changes.is_empty(), "{given}");
    }
}

#[test]
fn c09_what_a_type_without_updates_hides_is_unknown_after_an_import() {
    let builder = resource(|model| {
        model.properties = vec![prop("name", Text), prop("image", Text)];
        model.write_only = paths(&["image"]);
        model.handlers.update = None;
    });
    let mut olds = state(json!({ "name": "n" }), json!({ "name": "n" }));
    let request = |olds: &Map, news: Json| DiffRequest {
        id: "n".to_owned(),
        urn: urn("builder"),
        olds: olds.clone(),
        news: members(news),
        old_inputs: None,
        ignore_changes: Vec::new(),
    };
    assert_eq!(diff(builder, &request(&olds, json!({ "name": "n", "image": "i" }))).replaces, ["image"]);
    olds.insert("__imported".to_owned(), true.into());
    let answer = diff(builder, &request(&olds, json!({ "name": "n", "image": "i" })));
    assert!(answer.replaces.is_empty() && answer.record_only, "{answer:?}");
    assert_eq!(diff(builder, &request(&olds, json!({ "name": "m", "image": "i" }))).replaces, ["name"]);
}
