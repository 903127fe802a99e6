//! Check: nulls, names and validation.

use metadata::model::Type::{self, Any, Boolean, Enum, Integer, Number, String as Text};
use metadata::view::Resource;
use provider::lifecycle::{CheckAnswer, CheckRequest, Code, Failure, Settings, check};
use serde_json::{Value as Json, json};

use crate::models::*;
use crate::values::{members, urn};

fn run(resource: Resource, olds: Json, news: Json) -> Result<CheckAnswer, Failure> {
    let request = CheckRequest {
        urn: urn("thing"),
        olds: members(olds),
        news: members(news),
        random_seed: vec![0; 32],
        naming: None,
    };
    check(resource, request, &Settings::default())
}

fn shapes() -> Resource {
    resource(|model| {
        let options = object(model, [required("mode", Text), prop("sub", list(Boolean))]);
        let glue = object(model, [required("glue", Text)]);
        let redshift = object(model, [required("redshift", Text), prop("extra", Integer)]);
        model.properties = vec![
            required("name", Text),
            prop("size", Integer),
            prop("ratio", Number),
            prop("flag", Boolean),
            prop("opts", options.clone()),
            prop("list", list(Text)),
            prop("many", list(options)),
            prop("labels", map(Text)),
            prop("free", Any),
            prop("engine", Enum(paths(&["pg", "my"]))),
            prop("either", Type::Union(vec![Text, glue.clone()])),
            prop("config", Type::Union(vec![glue, redshift])),
            output("arn", Text),
        ];
        model.read_only = paths(&["arn"]);
    })
}

#[track_caller]
fn failures(news: Json, expected: &[(&str, &str)]) {
    let answer = run(shapes(), json!({}), news).unwrap();
    let found: Vec<_> =
        answer.failures.iter().map(|failure| (failure.property.as_str(), failure.reason.as_str())).collect();
    assert_eq!(found, expected);
}

#[test]
fn what_is_wrong_is_said_in_order() {
    failures(
        json!({ "size": "big", "opts": { "zz": 1, "mode": "m" }, "list": [1, "a"] }),
        &[
            ("list[0]", "list[0] must be a string"),
            ("name", "missing required property name"),
            ("opts.zz", "unknown property opts.zz"),
            ("size", "size must be an integer"),
        ],
    );
    failures(
        json!({ "name": "n", "size": 1.5, "ratio": "1", "flag": "true", "labels": [], "opts": [], "list": {} }),
        &[
            ("flag", "flag must be a bool"),
            ("labels", "labels must be an object"),
            ("list", "list must be an array"),
            ("opts", "opts must be an object"),
            ("ratio", "ratio must be a number"),
            ("size", "size must be an integer"),
        ],
    );
    failures(
        json!({ "name": "n", "labels": { "a.b": 1 }, "many": [{ "mode": "m", "sub": [1] }] }),
        &[("labels[\"a.b\"]", "labels.a.b must be a string"), ("many[0].sub[0]", "many[0]/sub[0] must be a bool")],
    );
    failures(
        json!({ "name": "n", "arn": "x", "__defaults": [] }),
        &[
            ("__defaults", "unknown property __defaults"),
            ("arn", "unknown property arn: the service sets it, it is an output"),
        ],
    );
}

#[test]
fn names_that_are_almost_right_get_a_suggestion() {
    failures(
        json!({ "name": "n", "lables": {}, "Size": 1 }),
        &[
            ("Size", "unknown property Size; did you mean \"size\"?"),
            ("lables", "unknown property lables; did you mean \"labels\"?"),
        ],
    );
}

#[test]
fn nested_members_are_required_unless_they_may_come_later() {
    failures(json!({ "name": "n", "opts": {} }), &[("opts.mode", "missing required property opts/mode")]);
    failures(
        json!({ "name": "n", "many": [{ "mode": "m" }, {}] }),
        &[("many[1].mode", "missing required property many[1]/mode")],
    );
    failures(json!({ "name": "n", "opts": { "$secret": {} } }), &[]);
    failures(json!({ "name": "$unknown", "opts": "$unknown", "size": "$unknown" }), &[]);
    failures(json!({ "name": { "$secret": 1 } }), &[("name", "name must be a string")]);
}

#[test]
fn unions_accept_what_one_arm_accepts() {
    let named = |rest: Json| {
        let mut news = rest;
        news["name"] = json!("n");
        news
    };
    failures(named(json!({ "either": "t" })), &[]);
    failures(named(json!({ "either": { "glue": "g" } })), &[]);
    failures(named(json!({ "either": 1 })), &[("either", "either must be a string or an object")]);
    failures(named(json!({ "config": { "redshift": "r", "extra": 1 } })), &[]);
    failures(
        named(json!({ "config": { "redshift": "r", "foreign": 1 } })),
        &[("config.foreign", "unknown property config.foreign")],
    );
    failures(named(json!({ "config": {} })), &[]);
    failures(named(json!({ "free": { "any": [1, "x", null] } })), &[]);
}

#[test]
fn values_outside_a_list_only_warn() {
    let warned = |engine: Json| run(shapes(), json!({}), json!({ "name": "n", "engine": engine })).unwrap();
    let answer = warned(json!("ora"));
    assert!(answer.failures.is_empty());
    assert_eq!(answer.warnings, ["engine: \"ora\" is not among the values in the schema: \"pg\", \"my\""]);
    assert_eq!(
        warned(json!({ "$secret": "ora" })).warnings,
        ["engine: its value is not among the values in the schema: \"pg\", \"my\""]
    );
    assert!(warned(json!("pg")).warnings.is_empty());
}

#[test]
fn c87_nulls_are_dropped_at_every_level() {
    let inputs = |news: Json| run(shapes(), json!({}), news).unwrap().inputs;
    let check = |news: Json, expected: Json| assert_eq!(inputs(news), members(expected));
    check(json!({ "name": null, "size": null }), json!({}));
    check(json!({ "labels": { "env": null } }), json!({ "labels": {} }));
    check(
        json!({ "list": [null, "a"], "free": { "a": [{ "b": null }] } }),
        json!({ "list": ["a"], "free": { "a": [{}] } }),
    );
    check(
        json!({ "opts": { "$secret": { "mode": null } }, "name": { "$secret": null } }),
        json!({ "opts": { "$secret": {} } }),
    );
    check(json!({ "list": [] }), json!({ "list": [] }));
}

fn named() -> Resource {
    resource(|model| {
        model.properties = vec![prop("bucketName", Text)];
        model.auto_name = Some(auto_name("bucketName"));
    })
}

#[test]
fn without_a_seed_names_differ() {
    let name = || {
        let request = CheckRequest {
            urn: urn("thing"),
            olds: members(json!({})),
            news: members(json!({})),
            random_seed: Vec::new(),
            naming: None,
        };
        check(named(), request, &Settings::default()).unwrap().inputs["bucketName"].clone()
    };
    let names: Vec<_> = (0..8).map(|_| name()).collect();
    assert!(names.iter().any(|other| *other != names[0]), "{names:?}");
}

#[test]
fn resources_without_a_name_get_one() {
    let inputs = |olds: Json, news: Json| run(named(), olds, news).unwrap().inputs;
    assert_eq!(inputs(json!({}), json!({})), members(json!({ "bucketName": "thing-dd5306f" })));
    assert_eq!(
        inputs(json!({ "bucketName": "old" }), json!({ "bucketName": null })),
        members(json!({ "bucketName": "old" }))
    );
    let too_long = resource(|model| {
        model.properties = vec![prop("bucketName", Text)];
        model.auto_name = Some(auto_name("bucketName"));
        model.auto_name.as_mut().unwrap().max_length = 5;
    });
    match run(too_long, json!({}), json!({})) {
        Err(Failure::Refused { code: Code::InvalidArgument, message }) => {
            assert!(
                message.starts_with("failed to apply auto-naming: failed to auto-generate value for \"bucketName\""),
                "{message}"
            );
        }
        other => panic!("{other:?}"),
    }
}
