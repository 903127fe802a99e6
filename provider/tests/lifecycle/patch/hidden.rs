//! What is write-only or only for creation: sent again where it must be, and never where it must not.

use metadata::model::Type::{Integer, String as Text};
use serde_json::json;

use super::check;
use crate::models::*;
use crate::types;

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
