//! Between SDK and CloudFormation shapes.

use metadata::model::Type::{self, Any, Integer, Number, String as Text};
use metadata::view::Resource;
use provider::convert::{from_cfn, to_cfn};
use provider::place::Object;
use serde_json::{Value as Json, json};

use crate::models::*;
use crate::values::members;

#[track_caller]
fn check(resource: Resource, sdk: Json, cfn: Json) {
    check_out(resource, sdk.clone(), cfn.clone());
    check_in(resource, cfn, sdk);
}

#[track_caller]
fn check_out(resource: Resource, sdk: Json, cfn: Json) {
    assert_eq!(to_cfn(&members(sdk), Object::of(resource)).unwrap(), cfn);
}

#[track_caller]
fn check_in(resource: Resource, cfn: Json, sdk: Json) {
    assert_eq!(from_cfn(&cfn, resource.properties()).unwrap(), members(sdk));
}

fn shapes() -> Resource {
    resource(|model| {
        let empty = object(model, []);
        let settings = object(model, [prop("maxSize", Integer), prop("labels", map(Text)), prop("policy", Any)]);
        let lower = metadata::model::Property { cfn_name: "vCpu".to_owned(), ..prop("vCpu", Integer) };
        let fleet = object(model, [lower]);
        model.properties = vec![
            prop("settings", settings),
            prop("awsId", Text),
            prop("freeForm", empty),
            prop("fleet", fleet),
            prop("list", list(Number)),
            prop("policyDocument", Any),
        ];
    })
}

#[test]
fn names_change_and_keys_of_users_do_not() {
    check(
        shapes(),
        json!({ "settings": { "maxSize": 5, "labels": { "my-Key": "v" }, "policy": { "Version": "1" } } }),
        json!({ "Settings": { "MaxSize": 5, "Labels": { "my-Key": "v" }, "Policy": { "Version": "1" } } }),
    );
    check(shapes(), json!({ "awsId": "x" }), json!({ "Id": "x" }));
    check(
        shapes(),
        json!({ "freeForm": { "Key-1": { "aB": [1] } } }),
        json!({ "FreeForm": { "Key-1": { "aB": [1] } } }),
    );
    check(shapes(), json!({ "fleet": { "vCpu": 2 } }), json!({ "Fleet": { "vCpu": 2 } }));
}

#[test]
fn surprises_surface_and_nulls_do_not() {
    check_in(
        shapes(),
        json!({ "Id": "x", "PolicyDocument": { "Version": "1" }, "Surprise": { "SubKey": 1 }, "Settings": null }),
        json!({ "awsId": "x", "policyDocument": { "Version": "1" }, "surprise": { "subKey": 1 } }),
    );
    check_out(
        shapes(),
        json!({ "awsId": { "$secret": "x" }, "settings": null, "undeclared": 1 }),
        json!({ "Id": "x" }),
    );
    check_in(shapes(), json!({ "Settings": "text", "List": "none" }), json!({ "settings": "text", "list": "none" }));
}

#[test]
fn c94_integers_are_exact() {
    let largest = 9_007_199_254_740_992_u64;
    check(
        shapes(),
        json!({ "settings": { "maxSize": 3_000_000_000_u64 } }),
        json!({ "Settings": { "MaxSize": 3_000_000_000_u64 } }),
    );
    check(shapes(), json!({ "settings": { "maxSize": largest } }), json!({ "Settings": { "MaxSize": largest } }));
    let text =
        to_cfn(&members(json!({ "list": [3.0, 1e6, 0.5, 123456789012.0] })), Object::of(shapes())).unwrap().to_string();
    assert_eq!(text, r#"{"List":[3,1000000,0.5,123456789012]}"#);
    // Beyond that, what the service holds is text, to the last digit.
    let outputs = |size: Json| from_cfn(&json!({ "Settings": { "MaxSize": size } }), shapes().properties()).unwrap();
    for size in [json!(largest + 1), json!(u64::MAX), json!(i64::MIN)] {
        assert_eq!(outputs(size.clone()), members(json!({ "settings": { "maxSize": size.to_string() } })));
        check_in(unions(), json!({ "Config": { "Glue": size } }), json!({ "config": { "glue": size.to_string() } }));
    }
    assert_eq!(
        outputs(json!(-9_007_199_254_740_992_i64)),
        members(json!({ "settings": { "maxSize": -9_007_199_254_740_992.0 } }))
    );
}

fn unions() -> Resource {
    resource(|model| {
        let glue = object(model, [prop("glue", Text)]);
        let redshift = object(model, [prop("redshift", Any), prop("extra", Text)]);
        let parameters = object(model, [prop("operation", Text), prop("parameters", map(Text))]);
        let other = object(model, [prop("operation", Text), prop("condition", Text)]);
        model.properties = vec![
            prop("config", Type::Union(vec![glue.clone(), redshift])),
            prop("step", Type::Union(vec![other, parameters])),
            prop("text", Type::Union(vec![Text, glue])),
            prop("documents", Type::Union(vec![Text, map(Text)])),
        ];
    })
}

#[test]
fn c93_unions_take_the_arm_that_recognizes_most_and_never_rename_keys() {
    check(
        unions(),
        json!({ "config": { "redshift": { "roleArn": "r" } } }),
        json!({ "Config": { "Redshift": { "roleArn": "r" } } }),
    );
    check(unions(), json!({ "config": { "glue": "g" } }), json!({ "Config": { "Glue": "g" } }));
    check(
        unions(),
        json!({ "step": { "operation": "o", "parameters": { "Key-1": "v" } } }),
        json!({ "Step": { "Operation": "o", "Parameters": { "Key-1": "v" } } }),
    );
    check(unions(), json!({ "documents": { "Key-1": "v" } }), json!({ "Documents": { "Key-1": "v" } }));
    check(unions(), json!({ "text": "t" }), json!({ "Text": "t" }));
    check(unions(), json!({ "text": { "glue": "g" } }), json!({ "Text": { "Glue": "g" } }));
}

#[test]
fn a_surprise_deep_down_does_not_speak_for_another_arm() {
    let metadata_of_file = resource(|model| {
        let data_sets = object(model, [metadata::model::Property { required: true, ..prop("dataSets", list(Text)) }]);
        let required = |name| metadata::model::Property { required: true, ..prop(name, Text) };
        let source = object(model, [required("tool"), required("kind")]);
        let capture = metadata::model::Property { cfn_name: "DatabaseCDC".to_owned(), ..prop("databaseCdc", source) };
        let database = object(model, [capture]);
        model.properties = vec![prop("file", Type::Union(vec![data_sets, database]))];
    });
    check_in(
        metadata_of_file,
        json!({ "File": { "DatabaseCDC": { "NewMember": 1 } } }),
        json!({ "file": { "databaseCdc": { "newMember": 1 } } }),
    );
    check_out(
        metadata_of_file,
        json!({ "file": { "databaseCdc": { "toool": "t" } } }),
        json!({ "File": { "DatabaseCDC": {} } }),
    );
}

#[test]
fn what_is_nested_too_deep_is_refused() {
    let deep = |levels: usize| (0..levels).fold(json!(1), |inner, _| json!({ "a": inner }));
    let properties = shapes().properties();
    assert!(from_cfn(&json!({ "PolicyDocument": deep(500) }), properties).is_ok());
    let error = from_cfn(&json!({ "PolicyDocument": deep(600) }), properties).unwrap_err();
    assert_eq!(error.to_string(), "policyDocument: nested deeper than 512 levels");
    let error = from_cfn(&json!({ "Surprise": deep(600) }), properties).unwrap_err();
    assert_eq!(error.to_string(), "surprise: nested deeper than 512 levels");
    assert_eq!(from_cfn(&json!([1]), properties).unwrap_err().to_string(), "the model is no JSON object but a list");
}
