//! Patches: the fewest operations at the smallest paths, valid against the live model.

use metadata::model::Type::{Any, Integer, String as Text};
use metadata::view::Resource;
use provider::patch::{Update, patch};
use serde_json::{Value as Json, json};

use crate::models::*;
use crate::types;
use crate::values::members;

/// Checks the patch, in any order, and that it can be applied.
#[track_caller]
fn check(resource: Resource, old: Json, new: Json, live: Json, expected: Json) {
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
fn c13_write_only_values_are_sent_again() {
    let inputs = |handler: &str, image: &str| json!({ "handler": handler, "code": { "imageUri": image }, "role": "r" });
    let live = json!({ "Handler": "a.h", "Role": "r" });
    check(
        types::function(),
        inputs("a.h", "img:1"),
        inputs("b.h", "img:1"),
        live.clone(),
        json!([
            { "op": "replace", "path": "/Handler", "value": "b.h" },
            { "op": "add", "path": "/Code", "value": { "ImageUri": "img:1" } },
        ]),
    );
    check(
        types::function(),
        inputs("a.h", "img:1"),
        inputs("a.h", "img:2"),
        live,
        json!([
            { "op": "add", "path": "/Code", "value": { "ImageUri": "img:2" } },
        ]),
    );
    // A parent that can be read gets the hidden member alone.
    let live = json!({ "Handler": "a.h", "Role": "r", "Code": {} });
    check(
        types::function(),
        inputs("a.h", "img:1"),
        inputs("b.h", "img:1"),
        live,
        json!([
            { "op": "replace", "path": "/Handler", "value": "b.h" },
            { "op": "add", "path": "/Code/ImageUri", "value": "img:1" },
        ]),
    );
}

#[test]
fn write_only_values_go_silently() {
    let resource = resource(|model| {
        let run = object(model, [prop("timeout", Integer), prop("env", map(Text))]);
        model.properties = vec![prop("pw", Text), prop("n", Integer), prop("run", run)];
        model.write_only = paths(&["pw", "run/env"]);
    });
    check(resource, json!({ "pw": "s", "n": 1 }), json!({ "n": 1 }), json!({ "N": 1 }), json!([]));
    let run = |timeout: u32| json!({ "run": { "timeout": timeout, "env": { "A": "1" } } });
    check(resource, run(60), json!({ "run": { "timeout": 60 } }), json!({ "Run": { "Timeout": 60 } }), json!([]));
    check(
        resource,
        run(60),
        run(61),
        json!({ "Run": { "Timeout": 60 } }),
        json!([
            { "op": "replace", "path": "/Run/Timeout", "value": 61 },
            { "op": "add", "path": "/Run/Env", "value": { "A": "1" } },
        ]),
    );
    // It comes back from a read after all, so that nothing is lost.
    check(
        resource,
        json!({ "pw": "s", "n": 1 }),
        json!({ "pw": "s", "n": 2 }),
        json!({ "N": 1, "Pw": "s" }),
        json!([
            { "op": "replace", "path": "/N", "value": 2 },
        ]),
    );
}

#[test]
fn write_only_members_of_list_elements_are_sent_with_the_list() {
    let resource = |create_only: &[&str]| {
        resource(|model| {
            let config = object(model, [prop("name", Text), prop("type", Text)]);
            model.properties = vec![prop("cfgs", list(config)), prop("n", Integer)];
            model.write_only = paths(&["cfgs/*/type"]);
            model.create_only = paths(create_only);
        })
    };
    let inputs = |n: u32| json!({ "n": n, "cfgs": [{ "name": "a", "type": "t" }, { "name": "b" }] });
    let live = json!({ "N": 1, "Cfgs": [{ "Name": "a", "Status": "on" }, { "Name": "b" }] });
    check(
        resource(&[]),
        inputs(1),
        inputs(2),
        live.clone(),
        json!([
            { "op": "replace", "path": "/N", "value": 2 },
            { "op": "add", "path": "/Cfgs", "value": [{ "Name": "a", "Status": "on", "Type": "t" }, { "Name": "b" }] },
        ]),
    );
    check(resource(&["cfgs"]), inputs(1), inputs(2), live, json!([{ "op": "replace", "path": "/N", "value": 2 }]));
}

#[test]
fn c19_managed_tags_are_never_touched() {
    let mapped = resource(tag_map);
    let live = json!({ "Tags": { "env": "a", "aws:x": "1" } });
    check(
        mapped,
        json!({ "tags": { "env": "a" } }),
        json!({ "tags": { "env": "b" } }),
        live.clone(),
        json!([
            { "op": "replace", "path": "/Tags/env", "value": "b" },
        ]),
    );
    check(
        mapped,
        json!({ "tags": { "env": "a" } }),
        json!({ "tags": { "a/b": "1" } }),
        live.clone(),
        json!([
            { "op": "remove", "path": "/Tags/env" },
            { "op": "add", "path": "/Tags/a~1b", "value": "1" },
        ]),
    );
    check(mapped, json!({ "tags": { "env": "a" } }), json!({}), live, json!([{ "op": "remove", "path": "/Tags/env" }]));
    let listed = resource(tag_list);
    let tags = |value: &str| json!({ "tags": [{ "key": "env", "value": value }] });
    let live = json!({ "Tags": [{ "Key": "aws:x", "Value": "1" }, { "Key": "env", "Value": "a" }] });
    check(
        listed,
        tags("a"),
        tags("b"),
        live.clone(),
        json!([
            { "op": "replace", "path": "/Tags", "value": [{ "Key": "env", "Value": "b" }, { "Key": "aws:x", "Value": "1" }] },
        ]),
    );
    check(
        listed,
        tags("a"),
        json!({}),
        live,
        json!([
            { "op": "replace", "path": "/Tags", "value": [{ "Key": "aws:x", "Value": "1" }] },
        ]),
    );
    let own = json!({ "Tags": [{ "Key": "env", "Value": "a" }] });
    check(listed, tags("a"), json!({}), own.clone(), json!([{ "op": "remove", "path": "/Tags" }]));
    check(listed, tags("a"), json!({ "tags": [] }), own, json!([{ "op": "remove", "path": "/Tags" }]));
    check(listed, json!({}), json!({ "tags": [] }), json!({}), json!([]));
}

#[test]
fn c59_create_only_write_only_paths_are_never_sent() {
    let inputs = |value: &str| json!({ "ipv4IpamPoolId": "p", "ipv4NetmaskLength": 24, "tags": [{ "key": "a", "value": value }] });
    let live = json!({ "VpcId": "v", "Tags": [{ "Key": "a", "Value": "1" }] });
    check(
        types::network(),
        inputs("1"),
        inputs("2"),
        live,
        json!([
            { "op": "replace", "path": "/Tags", "value": [{ "Key": "a", "Value": "2" }] },
        ]),
    );
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
fn replaced_lists_carry_along_what_the_service_added() {
    let rules = resource(|model| {
        let rule = object(model, [prop("id", Text), prop("days", Integer), prop("made", Text), prop("fixed", Text)]);
        model.properties = vec![prop("rules", list(rule))];
        model.create_only = paths(&["rules/*/fixed"]);
        model.read_only = paths(&["rules/*/made"]);
    });
    let live =
        json!({ "Rules": [{ "Id": "a", "Days": 1, "Made": "m", "Fixed": "f", "Extra": 1 }, { "Id": "b", "Days": 2 }] });
    let new = json!({ "rules": [{ "id": "b", "days": 2 }, { "id": "a", "days": 3, "fixed": "f" }] });
    check(
        rules,
        json!({ "rules": [{ "id": "a", "days": 1, "fixed": "f" }, { "id": "b", "days": 2 }] }),
        new,
        live,
        json!([
            { "op": "replace", "path": "/Rules", "value": [
                { "Id": "b", "Days": 2 },
                { "Id": "a", "Days": 3, "Made": "m", "Fixed": "f", "Extra": 1 },
            ] },
        ]),
    );
}

/// `AWS::MSK::Replicator` is such a type: its elements have no name, and where they copy from is fixed.
#[test]
fn an_element_of_a_set_is_known_by_what_only_creation_can_set() {
    let replicator = resource(|model| {
        let topics = object(model, [prop("exclude", list(Text)), prop("start", Text)]);
        let info = object(model, [prop("source", Text), prop("target", Text), prop("topics", topics)]);
        model.properties = vec![prop("infos", list(info))];
        model.create_only = paths(&["infos/*/source", "infos/*/target", "infos/*/topics/start"]);
        model.unordered = paths(&["infos"]);
    });
    let info = |source: &str, exclude: &str| json!({ "source": source, "target": "t", "topics": { "exclude": [exclude], "start": "s" } });
    let held = |source: &str, exclude: &str| json!({ "Source": source, "Target": "t", "Topics": { "Exclude": [exclude], "Start": "s" } });
    check(
        replicator,
        json!({ "infos": [info("a", "x"), info("b", "x")] }),
        json!({ "infos": [info("a", "y"), info("b", "z")] }),
        json!({ "Infos": [held("b", "x"), held("a", "x")] }),
        json!([
            { "op": "replace", "path": "/Infos", "value": [held("a", "y"), held("b", "z")] },
        ]),
    );
    // Two that are made alike are not told apart, and one that was made otherwise is another one.
    check(
        replicator,
        json!({ "infos": [info("a", "x"), info("a", "w")] }),
        json!({ "infos": [info("a", "y")] }),
        json!({ "Infos": [held("a", "w"), held("a", "x")] }),
        json!([
            { "op": "replace", "path": "/Infos", "value": [{ "Topics": { "Exclude": ["y"] } }] },
        ]),
    );
}

#[test]
fn c91_what_the_user_gives_is_sent_although_the_schema_calls_it_read_only() {
    let catalog = resource(|model| {
        let grant = object(model, [prop("principal", Text), prop("permissions", list(Text))]);
        let entry = object(model, [prop("domainName", Text), prop("zone", Text)]);
        let model_arn = object(model, [prop("arn", Text)]);
        model.properties = vec![prop("grants", list(grant)), prop("entry", entry), prop("models", list(model_arn))];
        model.read_only = paths(&["grants/*/permissions", "entry/domainName", "models/*/arn"]);
    });
    let live = json!({ "Grants": [{ "Principal": "p", "Permissions": ["ALL"] }], "Entry": { "DomainName": "d" } });
    check(
        catalog,
        json!({ "grants": [{ "principal": "p", "permissions": ["ALL"] }] }),
        json!({ "grants": [{ "principal": "p", "permissions": ["SELECT"] }] }),
        live.clone(),
        json!([
            { "op": "replace", "path": "/Grants", "value": [{ "Principal": "p", "Permissions": ["SELECT"] }] },
        ]),
    );
    check(
        catalog,
        json!({ "models": [{ "arn": "a" }], "entry": { "domainName": "d" } }),
        json!({ "models": [{ "arn": "b" }], "entry": { "domainName": "e" } }),
        json!({ "Models": [{ "Arn": "a" }], "Entry": { "DomainName": "d" } }),
        json!([
            { "op": "replace", "path": "/Models", "value": [{ "Arn": "b" }] },
            { "op": "replace", "path": "/Entry/DomainName", "value": "e" },
        ]),
    );
    // What is given no more is the service's again.
    check(
        catalog,
        json!({ "grants": [{ "principal": "p", "permissions": ["ALL"] }], "entry": { "domainName": "d", "zone": "z" } }),
        json!({ "grants": [{ "principal": "p" }], "entry": { "zone": "y" } }),
        json!({ "Grants": [{ "Principal": "p", "Permissions": ["ALL"] }], "Entry": { "DomainName": "d", "Zone": "z" } }),
        json!([
            { "op": "replace", "path": "/Entry/Zone", "value": "y" },
        ]),
    );
}

#[test]
fn c90_managed_tags_send_nothing() {
    let tag = |key: &str| json!({ "key": key, "value": "v" });
    let held = |key: &str| json!({ "Key": key, "Value": "v" });
    let inputs = |days: u32| json!({ "logGroupName": "a", "retentionInDays": days, "tags": [tag("b"), tag("a")] });
    for order in [["b", "a", "aws:x"], ["a", "aws:x", "b"]] {
        let live = json!({ "LogGroupName": "a", "RetentionInDays": 7, "Tags": order.map(held) });
        let expected = json!([{ "op": "replace", "path": "/RetentionInDays", "value": 14 }]);
        check(types::log_group(), inputs(7), inputs(7), live.clone(), json!([]));
        check(types::log_group(), inputs(7), inputs(14), live, expected);
    }
}

#[test]
fn an_element_that_only_creation_may_set_keeps_its_place() {
    let pool = resource(|model| {
        let member = object(model, [prop("fixed", Text)]);
        model.properties = vec![prop("members", list(member))];
        model.create_only = paths(&["members/*/fixed"]);
    });
    check(
        pool,
        json!({ "members": [{ "fixed": "a" }] }),
        json!({ "members": [{ "fixed": "a" }, { "fixed": "b" }] }),
        json!({ "Members": [{ "Fixed": "a" }] }),
        json!([
            { "op": "replace", "path": "/Members", "value": [{ "Fixed": "a" }, {}] },
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
fn c23_a_reordered_set_is_not_sent() {
    let (old, new) =
        (json!({ "managedPolicyArns": ["z", "a"] }), json!({ "managedPolicyArns": ["a", "z"], "description": "d" }));
    check(
        types::role(),
        old,
        new,
        json!({ "ManagedPolicyArns": ["a", "z"] }),
        json!([
            { "op": "add", "path": "/Description", "value": "d" },
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
