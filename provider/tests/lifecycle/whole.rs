//! What a patch replaces whole: arms of unions, documents, lists with maps in them.

use metadata::model::EqualityHint;
use metadata::model::Type::{Any, Integer, String as Text, Union};
use serde_json::{Value as Json, json};

use crate::models::*;
use crate::patch::check;

/// What the service holds may be another arm than the one that was written: somebody chose it since.
#[test]
fn nothing_of_an_arm_that_somebody_chose_since_stays() {
    let union = resource(|model| {
        let glue = object(model, [prop("glue", Text), prop("shared", Text)]);
        let redshift = object(model, [prop("redshift", Text), prop("shared", Text)]);
        let arms = Union(vec![glue, redshift]);
        model.properties =
            vec![prop("config", arms.clone()), prop("byName", map(arms.clone())), prop("list", list(arms))];
    });
    let glue = json!({ "glue": "g", "shared": "s" });
    let sent = json!({ "Glue": "g", "Shared": "s" });
    let held = json!({ "Redshift": "r", "Shared": "t" });
    let whole = |path: &str, value: &Json| json!([{ "op": "replace", "path": path, "value": value }]);
    for old in [json!({}), json!({ "redshift": "r" }), json!({ "glue": "f", "shared": "s" })] {
        let (live, expected) = (json!({ "Config": held }), whole("/Config", &sent));
        check(union, json!({ "config": old }), json!({ "config": glue }), live, expected);
        let (live, expected) = (json!({ "ByName": { "k": held } }), whole("/ByName/k", &sent));
        check(union, json!({ "byName": { "k": old } }), json!({ "byName": { "k": glue } }), live, expected);
        let (live, expected) = (json!({ "List": [held] }), whole("/List", &json!([sent])));
        check(union, json!({ "list": [old] }), json!({ "list": [glue] }), live, expected);
    }
    // A member that both know says nothing about the arm, so that what the service added stays.
    let shared = |text: &str| json!({ "config": { "shared": text } });
    let (live, expected) = (json!({ "Config": held }), whole("/Config/Shared", &json!("u")));
    check(union, shared("t"), shared("u"), live, expected);
}

#[test]
fn a_document_in_another_form_is_replaced_whole() {
    let rule = resource(|model| {
        model.properties = vec![prop("pattern", Any), prop("policyDocument", Any), prop("plain", Any)];
        model.equality = vec![("pattern".to_owned(), EqualityHint::JsonDocument)];
    });
    let held = json!({ "source": ["a"], "detail": { "x": [1] } });
    let wanted = json!({ "source": ["a"] });
    // Nobody knows which keys of a text were the user's.
    for (name, cfn_name) in [("pattern", "Pattern"), ("plain", "Plain")] {
        let (path, text) = (format!("/{cfn_name}"), held.to_string());
        let expected = json!([{ "op": "replace", "path": path, "value": wanted }]);
        check(rule, json!({ name: text }), json!({ name: wanted }), json!({ cfn_name: held }), expected);
        let expected = json!([{ "op": "replace", "path": path, "value": wanted.to_string() }]);
        check(rule, json!({ name: held }), json!({ name: wanted.to_string() }), json!({ cfn_name: held }), expected);
        let expected = json!([{ "op": "remove", "path": format!("{path}/detail") }]);
        check(rule, json!({ name: held }), json!({ name: wanted }), json!({ cfn_name: held }), expected);
    }
    // A policy is one thing: nothing of one that the service made up stays in the user's.
    let statement = |action: &str| json!([{ "Effect": "Allow", "Action": action, "Resource": "*" }]);
    let made = json!({ "Id": "default", "Version": "2012-10-17", "Statement": statement("a:*") });
    let own = json!({ "Version": "2012-10-17", "Statement": statement("a:Get*") });
    check(
        rule,
        json!({}),
        json!({ "policyDocument": own }),
        json!({ "PolicyDocument": made }),
        json!([{ "op": "replace", "path": "/PolicyDocument", "value": own }]),
    );
}

#[test]
fn replaced_lists_carry_along_what_the_service_added_to_entries_of_maps() {
    let plan = resource(|model| {
        let limit = object(model, [prop("burst", Integer), prop("rate", Integer)]);
        let stage = object(model, [prop("stage", Text), prop("throttle", map(limit)), prop("env", map(Text))]);
        model.properties = vec![prop("stages", list(stage))];
    });
    let stages = |burst: Json| json!({ "stages": [{ "stage": "s", "throttle": burst, "env": { "a": "1" } }] });
    let live = json!({ "Stages": [{
        "Stage": "s",
        "Throttle": { "/p/GET": { "Burst": 1, "Rate": 3 }, "/gone": { "Burst": 1 } },
        "Env": { "a": "1", "foreign": "2" },
    }] });
    check(
        plan,
        stages(json!({ "/p/GET": { "burst": 1 }, "/gone": { "burst": 1 } })),
        stages(json!({ "/p/GET": { "burst": 2 }, "/new": { "burst": 4 } })),
        live,
        json!([{ "op": "replace", "path": "/Stages", "value": [{
            "Stage": "s",
            "Throttle": { "/p/GET": { "Burst": 2, "Rate": 3 }, "/new": { "Burst": 4 } },
            "Env": { "a": "1" },
        }] }]),
    );
}
