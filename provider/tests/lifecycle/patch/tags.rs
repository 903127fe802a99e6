//! Tags in patches: those of AWS are never touched.

use serde_json::json;

use super::check;
use crate::models::*;
use crate::types;

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
