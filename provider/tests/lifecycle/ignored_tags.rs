//! Tags that `ignoreTags` names: not compared, carried along in patches, not in inputs that a read makes.

use std::sync::LazyLock;

use metadata::model::Type::String as Text;
use metadata::view::Resource;
use provider::baseline;
use provider::lifecycle::{CheckRequest, DiffRequest, Settings, check, diff};
use provider::patch::{Update, patch};
use provider::place::Object;
use provider::subject::Subject;
use provider::tags::TagRules;
use serde_json::{Value as Json, json};
use value::Map;

use crate::models::*;
use crate::values::{members, state, urn};

static RULES: LazyLock<TagRules> = LazyLock::new(|| TagRules::new(paths(&["owner"]), paths(&["cost:"])));

fn ignoring(resource: Resource) -> Subject {
    Subject { resource, tags: &RULES }
}

fn lists() -> Subject {
    ignoring(resource(|model| {
        model.properties = vec![prop("name", Text)];
        tag_list(model);
    }))
}

fn maps() -> Subject {
    ignoring(resource(|model| {
        model.properties = vec![prop("name", Text)];
        tag_map(model);
    }))
}

fn tag(key: &str, value: &str) -> Json {
    json!({ "key": key, "value": value })
}

fn cfn_tag(key: &str, value: &str) -> Json {
    json!({ "Key": key, "Value": value })
}

fn inputs(tags: Option<Json>) -> Json {
    tags.map_or(json!({}), |tags| json!({ "tags": tags }))
}

#[track_caller]
fn patches(subject: Subject, old: Option<Json>, new: Option<Json>, live: Option<Json>, expected: Json) {
    let model = live.map_or(json!({}), |live| json!({ "Tags": live }));
    let (old, new) = (members(inputs(old)), members(inputs(new)));
    let made =
        Json::Array(patch(subject, Update { old: Some(&old), new: &new, model: &model }).unwrap().into_operations());
    assert_eq!(made, expected);
}

#[track_caller]
fn differs(subject: Subject, old: Option<Json>, new: Option<Json>, expected: &[&str]) {
    let request = DiffRequest {
        id: "id".to_owned(),
        urn: urn("thing"),
        olds: state(inputs(old.clone()), inputs(old)),
        news: members(inputs(new)),
        old_inputs: None,
        ignore_changes: Vec::new(),
    };
    let found = diff(subject, &request);
    assert_eq!(found.detailed.keys().collect::<Vec<_>>(), expected);
}

#[test]
fn ignored_tags_are_no_difference() {
    let (own, owner, cost) = (tag("a", "1"), tag("owner", "x"), tag("cost:center", "7"));
    for (old, new) in [
        (Some(json!([own])), Some(json!([own, owner]))),
        (Some(json!([owner, own, cost])), Some(json!([own]))),
        (Some(json!([owner])), Some(json!([tag("owner", "y")]))),
        (None, Some(json!([owner]))),
        (Some(json!([owner, cost])), None),
        (Some(json!([])), Some(json!([owner]))),
    ] {
        differs(lists(), old, new, &[]);
    }
    for (old, new) in [
        (Some(json!({ "a": "1" })), Some(json!({ "a": "1", "owner": "x" }))),
        (Some(json!({ "a": "1", "cost:x": "y" })), Some(json!({ "a": "1", "cost:x": "z" }))),
        (None, Some(json!({ "owner": "x" }))),
        (Some(json!({ "owner": "x" })), None),
    ] {
        differs(maps(), old, new, &[]);
    }
    differs(lists(), Some(json!([owner])), Some(json!([own])), &["tags[0]"]);
    differs(maps(), Some(json!({ "a": "1", "owner": "x" })), Some(json!({ "a": "2" })), &["tags.a"]);
}

#[test]
fn ignored_tags_in_lists_are_carried_along() {
    let (a, owner, cost) = (cfn_tag("a", "1"), cfn_tag("owner", "team"), cfn_tag("cost:center", "7"));
    let live = || Some(json!([owner, a, cost]));
    // A list is replaced whole, with the values that the service has.
    patches(
        lists(),
        Some(json!([tag("a", "1"), tag("owner", "mine")])),
        Some(json!([tag("a", "2"), tag("owner", "mine")])),
        live(),
        json!([{ "op": "replace", "path": "/Tags", "value": [cfn_tag("a", "2"), owner, cost] }]),
    );
    patches(
        lists(),
        Some(json!([tag("a", "1")])),
        None,
        live(),
        json!([{ "op": "replace", "path": "/Tags", "value": [owner, cost] }]),
    );
    patches(
        lists(),
        Some(json!([tag("a", "1"), tag("owner", "team")])),
        Some(json!([tag("owner", "team")])),
        live(),
        json!([{ "op": "replace", "path": "/Tags", "value": [owner, cost] }]),
    );
    // What only the ignored tags differ in sends nothing.
    patches(lists(), Some(json!([tag("a", "1"), tag("owner", "x")])), Some(json!([tag("a", "1")])), live(), json!([]));
    patches(lists(), Some(json!([tag("owner", "x")])), None, live(), json!([]));
    patches(lists(), None, Some(json!([tag("owner", "x")])), None, json!([]));
    // Where the service has no tags yet, an ignored one is not brought in by an update.
    patches(
        lists(),
        None,
        Some(json!([tag("a", "1"), tag("owner", "x")])),
        None,
        json!([{ "op": "add", "path": "/Tags", "value": [a] }]),
    );
}

#[test]
fn ignored_tags_in_maps_are_not_touched() {
    let live = || Some(json!({ "a": "1", "owner": "team", "cost:x": "7" }));
    let own = |value: &str| Some(json!({ "a": value, "owner": "mine" }));
    patches(maps(), own("1"), own("2"), live(), json!([{ "op": "replace", "path": "/Tags/a", "value": "2" }]));
    patches(maps(), own("1"), None, live(), json!([{ "op": "remove", "path": "/Tags/a" }]));
    patches(
        maps(),
        own("1"),
        None,
        Some(json!({ "a": "1", "owner": "mine" })),
        json!([{ "op": "remove", "path": "/Tags/a" }]),
    );
    patches(maps(), Some(json!({ "a": "1", "cost:x": "7" })), Some(json!({ "a": "1" })), live(), json!([]));
    patches(maps(), None, own("1"), None, json!([{ "op": "add", "path": "/Tags", "value": { "a": "1" } }]));
}

#[test]
fn reads_and_imports_do_not_show_ignored_tags() {
    let project = |subject: Subject, live: Json| baseline::projection::project(&members(live), Object::of(subject));
    let live = json!({ "name": "n", "tags": [tag("owner", "x"), tag("a", "1"), tag("cost:y", "2")] });
    assert_eq!(project(lists(), live.clone()), members(json!({ "name": "n", "tags": [tag("a", "1")] })));
    let mapped = json!({ "tags": { "owner": "x", "a": "1" } });
    assert_eq!(project(maps(), mapped), members(json!({ "tags": { "a": "1" } })));
    assert_eq!(project(maps(), json!({ "tags": { "owner": "x" } })), members(json!({})));

    // A refresh keeps what the program wrote, and shows what others did to the other tags.
    let refresh = |inputs: Json, live: Json| {
        baseline::refresh::refresh(lists(), &members(inputs), &members(live.clone()), &members(live)).inputs
    };
    let own = json!({ "tags": [tag("a", "1"), tag("owner", "mine")] });
    assert_eq!(refresh(own.clone(), live), members(own));
    let drifted = json!({ "tags": [tag("owner", "x"), tag("a", "2")] });
    let refreshed = refresh(json!({ "tags": [tag("a", "1")] }), drifted);
    assert_eq!(refreshed, members(json!({ "tags": [tag("a", "2")] })));
}

#[test]
fn ignored_tags_of_the_program_are_worth_a_warning() {
    let warnings = |subject: Subject, tags: Json| {
        let request = CheckRequest {
            urn: urn("thing"),
            olds: Map::new(),
            news: members(json!({ "tags": tags })),
            random_seed: Vec::new(),
            naming: None,
        };
        check(subject, request, &Settings::default()).unwrap().warnings
    };
    let says = |path: &str, tag: &str| {
        vec![format!("{path}: {tag} is ignored by ignoreTags: it is neither compared nor changed after creation")]
    };
    assert_eq!(warnings(lists(), json!([tag("a", "1"), tag("owner", "x")])), says("tags[1]", "the tag owner"));
    let secret = json!([{ "key": { "$secret": "owner" }, "value": "x" }]);
    assert_eq!(warnings(lists(), secret), says("tags[0]", "the tag"));
    assert_eq!(warnings(maps(), json!({ "cost:x": "1" })), says("tags[\"cost:x\"]", "the tag cost:x"));
    assert!(warnings(lists(), json!([tag("a", "1"), tag("aws:x", "1")])).is_empty());
}
