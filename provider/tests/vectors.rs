//! The tables in `tests/vectors/`, which are independent of this crate and of the local Cloud Control: what the provider makes of
//! every code of the service and of every expression of the schemas.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test stops at the first surprise")]

use proptest::prelude::*;
use proptest::strategy::ValueTree as _;
use proptest::test_runner::TestRunner;
use provider::advice;
use provider::cloud::CloudError;
use provider::cloud::api::{Mutation, RequestError};
use provider::cloud::error::CloudErrorKind;
use provider::cloud::event::{Event, Status};
use provider::cloud::failure::{Context, Location};
use provider::cloud::retry::{Retry, verdict};
use provider::equality::rewrites::evaluate::evaluate;
use provider::equality::rewrites::split;
use provider::lifecycle::Code;
use serde_json::Value as Json;

const TYPE: &str = "AWS::S3::Bucket";

/// Retriable by the handler contract, and yet not repeated: the conflict lasts as long as what causes it.
const NOT_REPEATED: [&str; 1] = ["ResourceConflict"];

/// The rows of a table without its heading, cell by cell.
#[allow(clippy::disallowed_methods, reason = "a test reads its table")]
fn rows(name: &str) -> Vec<Vec<String>> {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/vectors").join(name);
    let text = std::fs::read_to_string(path).unwrap();
    let lines = text.lines().filter(|line| !line.starts_with('#') && !line.is_empty()).skip(1);
    lines.map(|line| line.split('\t').map(str::to_owned).collect()).collect()
}

/// A default text of the handler contract about a bucket.
fn filled(text: &str) -> String {
    let text = text.replace("{type}", TYPE).replace("{identifier}", "b-1").replace("{action}", "DELETE");
    text.replace("{detail}", "the bucket is not empty")
}

fn refusal(code: &str, message: &str) -> RequestError {
    RequestError {
        kind: CloudErrorKind::Service { code: code.to_owned() },
        call: "GetResource",
        message: message.to_owned(),
        request_id: None,
        transient: false,
        request_token: None,
    }
}

#[test]
fn every_handler_code_is_repeated_or_told_by_its_class() {
    let rows = rows("handler-codes.tsv");
    assert_eq!(rows.len(), 16);
    let location = Location::default();
    let context = Context {
        type_name: TYPE,
        operation: "DELETE",
        identifier: Some("b-1"),
        request_token: Some("t-1"),
        location: &location,
    };
    for row in &rows {
        let [code, class, _, text] = row.as_slice() else { panic!("{row:?}") };
        let text = filled(text);
        let is_repeated = class == "retriable" && !NOT_REPEATED.contains(&code.as_str());
        let expected = if is_repeated { Retry::Attempts } else { Retry::No };
        let delete = Mutation::Delete { identifier: "b-1" };
        assert_eq!(verdict(delete, code, &text, true), expected, "{code}");

        let event = Event {
            request_token: Some("t-1".to_owned()),
            identifier: Some("b-1".to_owned()),
            code: Some(code.clone()),
            message: Some(text.clone()),
            ..Event::new(Status::Failed)
        };
        let error = context.event(&event);
        assert_eq!(
            error.message,
            format!(
                "operation DELETE failed with {code:?}: {text}\n  type: {TYPE}, identifier: b-1, request token: t-1"
            )
        );
        assert_eq!(error.kind, CloudErrorKind::Service { code: code.clone() });
        // The service began the deletion, so the resource is not known to be as it was.
        assert_eq!(advice::code(&CloudError { accepted: true, ..error }), Code::Unknown, "{code}");
    }
}

#[test]
fn only_the_service_says_that_a_resource_is_gone() {
    for row in rows("handler-codes.tsv") {
        let [code, _, exception, text] = row.as_slice() else { panic!("{row:?}") };
        let wrapped = format!(
            "{TYPE} Handler returned status FAILED: {} (HandlerErrorCode: {code}, RequestToken: \
             00000000-0000-4000-8000-000000000000)",
            filled(text)
        );
        assert_eq!(refusal(exception, &wrapped).is_gone(), code == "NotFound", "{code}");
        // Some types tell it inside another exception.
        assert_eq!(refusal("HandlerFailureException", &wrapped).is_gone(), code == "NotFound", "{code}");
    }
    for row in rows("errors.tsv") {
        let code = &row[0];
        assert_eq!(refusal(code, "").is_gone(), code == "ResourceNotFoundException", "{code}");
    }
}

#[derive(serde::Deserialize)]
struct Transform {
    expression: String,
    cases: Vec<Case>,
}

#[derive(serde::Deserialize)]
struct Case {
    on: Json,
    value: Option<Json>,
    #[serde(default)]
    nothing: bool,
    pattern: Option<String>,
    finds: Option<String>,
    misses: Option<String>,
    /// A part of the text is not there.
    #[serde(default)]
    partial: bool,
}

#[allow(clippy::disallowed_methods, reason = "a test reads its table")]
fn transforms() -> Vec<Transform> {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/vectors/transforms.yaml");
    serde_saphyr::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

#[test]
fn expressions_of_schemas_come_to_what_they_mean() {
    let mut seen = 0;
    for Transform { expression, cases } in transforms() {
        let alternatives = split::alternatives(&expression);
        let [alternative] = alternatives.as_slice() else { panic!("{expression}") };
        for case in cases.into_iter().filter(|case| !case.partial) {
            seen += 1;
            let members = case.on.as_object().unwrap();
            let found = evaluate(&alternative.text, members).unwrap_or_else(|_| panic!("cannot read {expression}"));
            let expected = case.value.clone().or(case.pattern.clone().map(Json::String));
            let is_same = same(found.as_ref(), expected.as_ref());
            assert!(is_same, "{expression} on {} comes to {found:?}", case.on);
            assert!(!case.nothing || found.is_none(), "{expression}");
            if let Some(pattern) = case.pattern {
                let pattern = cfn::java_pattern::compile(&format!("^(?:{pattern})$")).unwrap();
                assert_eq!(pattern.is_found(&case.finds.unwrap()), Some(true), "{expression}");
                assert_eq!(pattern.is_found(&case.misses.unwrap()), Some(false), "{expression}");
            }
        }
    }
    assert!(seen > 320, "{seen}");

    /// Whole numbers have two forms in JSON.
    fn same(one: Option<&Json>, other: Option<&Json>) -> bool {
        match (one, other) {
            (Some(one), Some(other)) => value::json::from_json(one) == value::json::from_json(other),
            (one, other) => one == other,
        }
    }
}

/// Anything in the place of what an expression expects.
fn odd_value() -> impl Strategy<Value = Json> {
    let leaf = prop_oneof![
        Just(Json::Null),
        any::<bool>().prop_map(Json::from),
        any::<f64>().prop_map(Json::from),
        any::<i64>().prop_map(Json::from),
        "\\PC{0,12}".prop_map(Json::from),
        "[0-9a-fx:./ -]{0,24}".prop_map(Json::from),
        "[ \t\n]{0,200}".prop_map(Json::from),
    ];
    leaf.prop_recursive(6, 24, 4, |inner| {
        let name = prop_oneof!["[A-Z][a-z]{0,4}", Just("Source".to_owned()), Just("SourceDetails".to_owned())];
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..4).prop_map(Json::from),
            proptest::collection::btree_map(name, inner, 0..4)
                .prop_map(|members| Json::Object(members.into_iter().collect())),
        ]
    })
}

#[test]
fn expressions_end_whatever_they_are_given() {
    let transforms = transforms();
    let mut runner = TestRunner::deterministic();
    for Transform { expression, cases } in &transforms {
        let alternatives = split::alternatives(expression);
        let names = cases.iter().filter_map(|case| case.on.as_object()).flat_map(|members| members.keys());
        let names: std::collections::BTreeSet<&String> = names.collect();
        for _ in 0..16 {
            let mut odd = || odd_value().new_tree(&mut runner).unwrap().current();
            let members = names.iter().map(|name| ((*name).clone(), odd())).collect();
            assert!(evaluate(&alternatives[0].text, &members).is_ok(), "{expression} on {members:?}");
        }
    }
}

#[test]
#[cfg(feature = "embedded")]
fn every_expression_of_the_schemas_has_its_row() {
    let known: std::collections::BTreeSet<String> = transforms().into_iter().map(|row| row.expression).collect();
    let mut count = 0;
    for resource in generated::resources() {
        for (path, expression) in resource.property_transforms() {
            for alternative in split::alternatives(expression) {
                count += 1;
                let plain = |text: &str| text.replace("\\/", "/");
                let found = known.iter().any(|known| plain(known) == plain(&alternative.text));
                assert!(found, "{} {path}: {}", resource.cfn_type(), alternative.text);
            }
        }
    }
    assert!(count > 250, "{count}");
}
