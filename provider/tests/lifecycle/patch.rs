//! Patches: the fewest operations at the smallest paths, valid against the live model.

use metadata::model::Type::{Any, Integer, String as Text};
use metadata::view::Resource;
use provider::patch::{Update, patch};
use serde_json::{Value as Json, json};

use crate::models::*;
use crate::types;
use crate::values::members;

mod hidden;
mod lists;
mod tags;

/// Checks the patch, in any order, and that it can be applied.
#[track_caller]
pub fn check(resource: Resource, old: Json, new: Json, live: Json, expected: Json) {
    let (old, new) = (members(old), members(new));
    let made =
        Json::Array(patch(resource, Update { old: Some(&old), new: &new, model: &live }).unwrap().into_operations());
    let sorted = |json: &Json| {
        let mut operations: Vec<String> = json.as_array().unwrap().iter().map(Json::to_string).collect();
        operations.sort();
        operations
    };
    assert_eq!(sorted(&made), sorted(&expected));
    let operations: json_patch::Patch = serde_json::from_value(made).unwrap();
    json_patch::patch(&mut live.clone(), &operations).unwrap();
}

#[test]
fn c05_operations_stand_at_the_smallest_path() {
    let live = json!({ "Name": "c", "Version": "1.33", "KubernetesNetworkConfig": {
        "ServiceIpv4Cidr": "10.1.0.0/16", "IpFamily": "ipv4", "ElasticLoadBalancing": { "Enabled": false } } });
    let inputs = |version: &str| json!({ "name": "c", "version": version, "kubernetesNetworkConfig": { "serviceIpv4Cidr": "10.1.0.0/16" } });
    check(
        types::cluster(),
        inputs("1.33"),
        inputs("1.34"),
        live.clone(),
        json!([
            { "op": "replace", "path": "/Version", "value": "1.34" }
        ]),
    );
    let balanced = json!({ "name": "c", "version": "1.33", "kubernetesNetworkConfig": {
        "serviceIpv4Cidr": "10.1.0.0/16", "elasticLoadBalancing": { "enabled": true } } });
    check(
        types::cluster(),
        inputs("1.33"),
        balanced,
        live.clone(),
        json!([
            { "op": "replace", "path": "/KubernetesNetworkConfig/ElasticLoadBalancing/Enabled", "value": true }
        ]),
    );
    // Create-only leaves are cut even where a parent goes whole.
    let new = json!({ "name": "c", "version": "1.33", "accessConfig": {
        "authenticationMode": "API", "bootstrapClusterCreatorAdminPermissions": true } });
    check(
        types::cluster(),
        json!({ "name": "c", "version": "1.33" }),
        new,
        live,
        json!([
            { "op": "add", "path": "/AccessConfig", "value": { "AuthenticationMode": "API" } }
        ]),
    );
}

#[test]
fn c12_no_difference_is_an_empty_patch() {
    let inputs = json!({ "handler": "h", "role": "r" });
    check(types::function(), inputs.clone(), inputs, json!({ "Handler": "h", "Role": "r" }), json!([]));
    let inputs = json!({ "handler": "h", "role": "r", "code": { "imageUri": "i" } });
    check(types::function(), inputs.clone(), inputs, json!({ "Handler": "h", "Role": "r" }), json!([]));
}

#[test]
fn operations_are_decided_on_the_live_model() {
    let shapes = resource(|model| {
        let leaf = object(model, [prop("x", Text), prop("y", Text)]);
        let outer = object(model, [prop("leaf", leaf), prop("z", Text)]);
        model.properties = vec![prop("outer", outer), prop("text", Text), prop("free", Any), prop("labels", map(Text))];
    });
    let outer = |x: &str| json!({ "outer": { "leaf": { "x": x }, "z": "z" } });
    check(
        shapes,
        outer("1"),
        outer("2"),
        json!({ "Outer": { "Leaf": { "X": "1", "Y": "made" }, "Z": "z" } }),
        json!([
            { "op": "replace", "path": "/Outer/Leaf/X", "value": "2" },
        ]),
    );
    check(
        shapes,
        outer("1"),
        outer("2"),
        json!({ "Outer": { "Z": "z" } }),
        json!([
            { "op": "add", "path": "/Outer/Leaf", "value": { "X": "2" } },
        ]),
    );
    check(
        shapes,
        outer("1"),
        outer("2"),
        json!({}),
        json!([
            { "op": "add", "path": "/Outer", "value": { "Leaf": { "X": "2" }, "Z": "z" } },
        ]),
    );
    check(shapes, outer("1"), outer("2"), json!({ "Outer": { "Leaf": { "X": "2" }, "Z": "z" } }), json!([]));
    check(shapes, json!({ "text": "a" }), json!({}), json!({}), json!([]));
    check(
        shapes,
        json!({ "text": "a" }),
        json!({}),
        json!({ "Text": "b" }),
        json!([{ "op": "remove", "path": "/Text" }]),
    );
    check(
        shapes,
        outer("1"),
        json!({}),
        json!({ "Outer": { "Leaf": { "X": "1", "Y": "made" }, "Z": "z" } }),
        json!([
            { "op": "remove", "path": "/Outer/Leaf/X" },
            { "op": "remove", "path": "/Outer/Z" },
        ]),
    );
    check(
        shapes,
        json!({ "labels": { "a": "1" } }),
        json!({ "labels": { "a": "2", "b": "1" } }),
        json!({ "Labels": { "a": "1", "c": "9" } }),
        json!([
            { "op": "replace", "path": "/Labels/a", "value": "2" },
            { "op": "add", "path": "/Labels/b", "value": "1" },
        ]),
    );
    check(
        shapes,
        json!({ "free": { "Version": "1" } }),
        json!({ "free": { "Version": "2" } }),
        json!({ "Free": "{\"Version\":\"1\"}" }),
        json!([
            { "op": "replace", "path": "/Free", "value": { "Version": "2" } },
        ]),
    );
}

#[test]
fn an_object_that_could_not_stand_alone_is_removed_whole() {
    let versioned = resource(|model| {
        let versioning = object(model, [required("status", Text), prop("mfaDelete", Text)]);
        model.properties = vec![prop("versioningConfiguration", versioning)];
    });
    let live = json!({ "VersioningConfiguration": { "Status": "Enabled", "MfaDelete": "Disabled" } });
    check(
        versioned,
        json!({ "versioningConfiguration": { "status": "Enabled" } }),
        json!({}),
        live,
        json!([
            { "op": "remove", "path": "/VersioningConfiguration" },
        ]),
    );
}

#[test]
fn worked_examples_of_top_level_changes() {
    let plain = resource(|model| {
        model.properties = vec![prop("launch", Text), prop("ver", Text), prop("count", Integer), prop("pw", Text)];
        model.write_only = paths(&["pw"]);
    });
    check(
        plain,
        json!({ "ver": "L", "count": 1 }),
        json!({ "launch": "F", "count": 2 }),
        json!({ "Ver": "L", "Count": 1 }),
        json!([
            { "op": "add", "path": "/Launch", "value": "F" },
            { "op": "remove", "path": "/Ver" },
            { "op": "replace", "path": "/Count", "value": 2 },
        ]),
    );
    check(
        plain,
        json!({ "count": 1 }),
        json!({ "count": 3_000_000_000_u64 }),
        json!({ "Count": 1 }),
        json!([
            { "op": "replace", "path": "/Count", "value": 3_000_000_000_u64 },
        ]),
    );
}

#[test]
fn c03_an_input_that_equals_its_default_is_not_removed() {
    let live = json!({ "LogGroupName": "a", "BearerTokenAuthenticationEnabled": false });
    check(
        types::log_group(),
        json!({ "logGroupName": "a", "bearerTokenAuthenticationEnabled": false }),
        json!({ "logGroupName": "a" }),
        live,
        json!([]),
    );
}

#[test]
fn another_arm_of_a_union_replaces_the_whole() {
    let union = resource(|model| {
        let glue = object(model, [prop("glue", Text), prop("shared", Text)]);
        let redshift = object(model, [prop("redshift", Text), prop("shared", Text)]);
        model.properties = vec![prop("config", metadata::model::Type::Union(vec![glue, redshift]))];
    });
    let old = json!({ "config": { "glue": "g", "shared": "s" } });
    let live = json!({ "Config": { "Glue": "g", "Shared": "s" } });
    check(
        union,
        old.clone(),
        json!({ "config": { "redshift": "r", "shared": "s" } }),
        live.clone(),
        json!([
            { "op": "replace", "path": "/Config", "value": { "Redshift": "r", "Shared": "s" } },
        ]),
    );
    check(
        union,
        old,
        json!({ "config": { "glue": "h", "shared": "s" } }),
        live,
        json!([
            { "op": "replace", "path": "/Config/Glue", "value": "h" },
        ]),
    );
}
