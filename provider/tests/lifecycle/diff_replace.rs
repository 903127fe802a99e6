//! Replacements: when, why, and in which order.

use metadata::model::ReplacementStrategy;
use metadata::model::Type::String as Text;
use metadata::view::Resource;
use provider::lifecycle::ChangeKind::{self, AddReplace, DeleteReplace, Update, UpdateReplace};
use serde_json::{Value as Json, json};

use crate::diff_detail::difference;
use crate::models::*;
use crate::types;

#[track_caller]
fn check(resource: Resource, old: Json, new: Json, replaces: &[&str], detailed: &[(&str, ChangeKind)]) {
    let answer = difference(resource, old.clone(), old, new);
    let detailed: std::collections::BTreeMap<_, _> =
        detailed.iter().map(|(path, kind)| ((*path).to_owned(), *kind)).collect();
    assert_eq!((answer.replaces, answer.detailed), (paths(replaces), detailed));
}

#[test]
fn c07_a_changed_create_only_property_replaces_whatever_the_sdk_says() {
    check(
        types::network(),
        json!({ "cidrBlock": "10.20.0.0/16" }),
        json!({ "cidrBlock": "10.21.0.0/16" }),
        &["cidrBlock"],
        &[("cidrBlock", UpdateReplace)],
    );
    check(
        types::network(),
        json!({ "cidrBlock": "10.20.0.0/16" }),
        json!({}),
        &["cidrBlock"],
        &[("cidrBlock", DeleteReplace)],
    );
    check(
        types::network(),
        json!({}),
        json!({ "cidrBlock": "10.20.0.0/16" }),
        &["cidrBlock"],
        &[("cidrBlock", AddReplace)],
    );
    check(
        types::network(),
        json!({ "cidrBlock": "a" }),
        json!({ "cidrBlock": "$unknown" }),
        &["cidrBlock"],
        &[("cidrBlock", UpdateReplace)],
    );
}

#[test]
fn c07_lists_objects_and_elements_replace_too() {
    let task = resource(|model| {
        let container = object(model, [prop("name", Text), prop("image", Text)]);
        let template = object(model, [prop("templateName", Text), prop("text", Text)]);
        let entry = object(model, [prop("fixed", Text), prop("free", Text)]);
        model.properties = vec![
            prop("containerDefinitions", list(container)),
            prop("template", template),
            prop("entries", list(entry.clone())),
            prop("mapped", map(entry)),
        ];
        model.create_only =
            paths(&["containerDefinitions", "template/templateName", "entries/*/fixed", "mapped/*/fixed"]);
    });
    check(
        task,
        json!({ "containerDefinitions": [{ "name": "a", "image": "1" }] }),
        json!({ "containerDefinitions": [{ "name": "a", "image": "2" }] }),
        &["containerDefinitions"],
        &[("containerDefinitions[0].image", UpdateReplace)],
    );
    check(
        task,
        json!({ "template": { "templateName": "a" } }),
        json!({ "template": { "templateName": "b" } }),
        &["template"],
        &[("template.templateName", UpdateReplace)],
    );
    check(
        task,
        json!({ "template": { "templateName": "a", "text": "1" } }),
        json!({ "template": { "templateName": "a", "text": "2" } }),
        &[],
        &[("template.text", Update)],
    );
    check(
        task,
        json!({ "entries": [{ "fixed": "a", "free": "1" }] }),
        json!({ "entries": [{ "fixed": "a", "free": "2" }, { "fixed": "b" }] }),
        &["entries"],
        &[("entries[0].free", Update), ("entries[1]", AddReplace)],
    );
    check(
        task,
        json!({ "mapped": { "k": { "fixed": "a" } } }),
        json!({ "mapped": { "k": { "fixed": "b" }, "l": { "free": "1" } } }),
        &["mapped"],
        &[("mapped.k.fixed", UpdateReplace), ("mapped.l", ChangeKind::Add)],
    );
}

#[test]
fn a_type_without_an_update_handler_replaces_on_every_change() {
    let fixed = resource(|model| {
        model.properties = vec![prop("a", Text)];
        model.handlers.update = None;
    });
    check(fixed, json!({ "a": "1" }), json!({ "a": "2" }), &["a"], &[("a", UpdateReplace)]);
    check(fixed, json!({ "a": "1" }), json!({ "a": "1" }), &[], &[]);
}

/// A repository whose name is its identifier.
fn repository(strategy: Option<ReplacementStrategy>) -> Resource {
    resource(|model| {
        model.properties = vec![prop("repositoryName", Text), prop("encryptionConfiguration", Text)];
        model.create_only = paths(&["repositoryName", "encryptionConfiguration"]);
        model.primary_identifier = paths(&["repositoryName"]);
        model.auto_name = Some(auto_name("repositoryName"));
        model.replacement_strategy = strategy;
    })
}

#[test]
fn c08_the_old_resource_goes_first_only_where_it_must() {
    use ReplacementStrategy::{CreateThenDelete, DeleteThenCreate};
    let check = |resource, old: Json, new: Json, expected: bool| {
        let answer = difference(resource, old.clone(), old.clone(), new);
        assert!(!answer.replaces.is_empty());
        assert_eq!(answer.delete_before_replace, expected, "{old}");
    };
    let named = |name: &str, setting: &str| json!({ "repositoryName": name, "encryptionConfiguration": setting });
    check(types::network(), json!({ "cidrBlock": "a" }), json!({ "cidrBlock": "b" }), false);
    check(repository(None), named("mine", "a"), named("mine", "b"), true);
    check(repository(None), named("mine", "a"), named("other", "b"), false);
    check(repository(None), named("thing-dd5306f", "a"), named("thing-dd5306f", "b"), false);
    check(repository(Some(DeleteThenCreate)), named("mine", "a"), named("other", "b"), true);
    check(repository(Some(CreateThenDelete)), named("mine", "a"), named("other", "b"), false);
    check(repository(Some(CreateThenDelete)), named("mine", "a"), named("mine", "b"), true);
    // A part of the identifier that the service makes differs anyway.
    let route = resource(|model| {
        model.properties = vec![prop("apiId", Text), prop("fixed", Text), output("routeId", Text)];
        model.create_only = paths(&["apiId", "fixed"]);
        model.read_only = paths(&["routeId"]);
        model.primary_identifier = paths(&["apiId", "routeId"]);
    });
    check(route, json!({ "apiId": "a", "fixed": "1" }), json!({ "apiId": "a", "fixed": "2" }), false);
}

#[test]
fn c08_the_order_is_said_for_replacements_of_the_users_too() {
    // `replaceOnChanges` makes a replacement of any change, after this answer.
    let check = |name: Json, new: Json, expected: bool| {
        let resource = resource(|model| {
            model.properties = vec![prop("repositoryName", Text), prop("lifecyclePolicy", Text)];
            model.create_only = paths(&["repositoryName"]);
            model.primary_identifier = paths(&["repositoryName"]);
            model.auto_name = Some(auto_name("repositoryName"));
        });
        let old = json!({ "repositoryName": name, "lifecyclePolicy": "a" });
        let new = json!({ "repositoryName": name, "lifecyclePolicy": new });
        let answer = difference(resource, old.clone(), old.clone(), new);
        assert!(answer.replaces.is_empty());
        assert_eq!(answer.delete_before_replace, expected, "{old}");
    };
    check(json!("mine"), json!("b"), true);
    check(json!("thing-dd5306f"), json!("b"), false);
    // Something is to be recorded, which counts as a change.
    check(json!("mine"), json!({ "$secret": "a" }), true);
    // Nothing to replace.
    check(json!("mine"), json!("a"), false);
    // Numbers and years at the end are the user's.
    check(json!("thing-1"), json!("b"), true);
    check(json!("thing-2024"), json!("b"), true);
}

#[test]
fn c31_an_update_that_cloud_control_may_refuse_is_announced() {
    let inputs = |name: &str, kind: &str| json!({ "name": name, "domainIdentifier": "d", "type": kind });
    let warnings = |new: Json| difference(types::data_source(), json!({}), inputs("a", "GLUE"), new).warnings;
    assert_eq!(
        warnings(inputs("b", "GLUE")),
        [
            "this update may fail: the type demands domainIdentifier, projectIdentifier, type in every update, but never \
             returns them and takes them at creation only, so that it may have to be replaced"
        ]
    );
    assert!(warnings(inputs("a", "GLUE")).is_empty());
    assert!(warnings(inputs("b", "REDSHIFT")).is_empty(), "it is replaced anyway");
}

#[test]
fn c60_a_conditional_property_may_replace() {
    let answer = difference(
        types::network(),
        json!({}),
        json!({ "instanceTenancy": "dedicated" }),
        json!({ "instanceTenancy": "default" }),
    );
    assert_eq!(answer.detailed.into_iter().collect::<Vec<_>>(), [("instanceTenancy".to_owned(), Update)]);
    assert!(answer.replaces.is_empty());
    assert_eq!(
        answer.warnings,
        [
            "changing instanceTenancy may replace the resource: AWS::EC2::VPC allows it in place only under conditions that \
         the service decides"
        ]
    );
}

#[test]
fn tags_that_only_creation_takes_are_announced() {
    let fixed_tags = resource(|model| {
        tag_list(model);
        if let Some(tags) = &mut model.tags {
            tags.updatable = false;
        }
    });
    let tags = |value: &str| json!({ "tags": [{ "key": "a", "value": value }] });
    let answer = difference(fixed_tags, tags("1"), tags("1"), tags("2"));
    assert_eq!(
        answer.warnings,
        [
            "changing tags may fail: by its schema, AWS::Test::Thing cannot change tags after creation; if it does, replace the \
          resource with `pulumi up --replace`"
        ]
    );
}

#[test]
fn c03_to_write_what_was_the_default_at_creation_replaces_nothing() {
    use metadata::model::Type::Boolean;
    let fixed = |updatable: bool| {
        resource(|model| {
            let config = object(model, [prop("port", Text), with_default("protocol", Text, "\"HTTP1\"")]);
            model.properties = vec![
                prop("name", Text),
                with_default("path", Text, "\"/\""),
                with_default("format", Text, "\"pem\""),
                with_default("encrypted", Boolean, "false"),
                prop("config", config),
                prop("groups", list(Text)),
            ];
            model.write_only = paths(&["format"]);
            match updatable {
                true => model.create_only = paths(&["path", "format", "encrypted", "config/protocol", "groups"]),
                false => model.handlers.update = None,
            }
        })
    };
    let old = json!({ "name": "n", "config": { "port": "80" } });
    for resource in [fixed(true), fixed(false)] {
        for (name, usual, other) in [
            ("path", json!("/"), json!("/a/")),
            ("format", json!("pem"), json!("ppk")),
            ("encrypted", json!(false), json!(true)),
            ("config", json!({ "port": "80", "protocol": "HTTP1" }), json!({ "port": "80", "protocol": "HTTP2" })),
        ] {
            let answer = |value: &Json, outputs: &Json| {
                let mut new = old.clone();
                new[name] = value.clone();
                difference(resource, outputs.clone(), old.clone(), new)
            };
            let quiet = answer(&usual, &old);
            assert!(quiet.detailed.is_empty() && !quiet.record_only && quiet.replaces.is_empty(), "{name}: {quiet:?}");
            assert_eq!(answer(&other, &old).replaces, [name], "another value");
        }
        // An empty list says nothing either.
        let mut new = old.clone();
        new["groups"] = json!([]);
        let quiet = difference(resource, old.clone(), old.clone(), new.clone());
        assert!(quiet.detailed.is_empty() && !quiet.record_only, "{quiet:?}");
        let quiet = difference(resource, new.clone(), new, old.clone());
        assert!(quiet.detailed.is_empty() && !quiet.record_only, "{quiet:?}");
        // The service says that it chose otherwise.
        let mut outputs = old.clone();
        outputs["path"] = json!("/made/");
        let mut new = old.clone();
        new["path"] = json!("/");
        assert_eq!(difference(resource, outputs, old.clone(), new).replaces, ["path"]);
    }
}
