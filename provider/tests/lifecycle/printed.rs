//! What services print otherwise, whatever the type: documents, listed values, numbers.

use metadata::model::Property;
use metadata::model::Type::{self, Any, Integer, Number, String as Text};
use metadata::view::Resource;
use provider::lifecycle::ChangeKind;
use serde_json::{Value as Json, json};

use crate::models::*;
use crate::refresh::refreshed;
use crate::rewritten::{differs, patched, planned, refreshed_inputs, same};
use crate::values::{members, state};

/// Free-form and typed members, texts and listed values.
fn forms() -> Resource {
    resource(|model| {
        let redrive = object(model, [Property { cfn_name: "target".to_owned(), ..prop("target", Text) }]);
        let listed = Type::Enum(paths(&["ENABLED", "Disabled", "a", "A"]));
        model.properties = vec![
            prop("free", Any),
            prop("text", Text),
            prop("redrive", redrive),
            prop("labels", map(Text)),
            prop("list", list(Any)),
            prop("mode", listed.clone()),
            prop("either", Type::Union(vec![listed, Text])),
            prop("weight", Number),
            prop("count", Integer),
        ];
    })
}

#[tokio::test]
async fn c26_a_document_is_the_same_as_value_and_as_text() {
    for (name, cfn_name, document, other) in [
        ("free", "Free", json!({ "a": [1, { "b": true }] }), json!({ "a": [1] })),
        ("redrive", "Redrive", json!({ "target": "t" }), json!({ "target": "u" })),
        ("labels", "Labels", json!({ "a": "1", "b": "2" }), json!({ "a": "1" })),
    ] {
        same(forms(), json!({ name: document }), json!({ cfn_name: document.to_string() })).await;
        differs(forms(), json!({ name: document }), json!({ cfn_name: other.to_string() })).await;
    }
    let document = json!({ "a": 1 });
    same(forms(), json!({ "free": document.to_string() }), json!({ "Free": document })).await;
    same(forms(), json!({ "list": ["[1, 2]", { "a": 1 }] }), json!({ "List": [[1, 2], "{\"a\":1}"] })).await;
    differs(forms(), json!({ "free": "5" }), json!({ "Free": [5] })).await;
    // Under a mark of secrecy too.
    let secret = json!({ "free": { "$secret": document } });
    let found = refreshed(forms(), state(secret.clone(), secret.clone()), json!({ "Free": "{\"a\": 1}" })).await;
    assert_eq!(found.inputs, members(secret));
}

#[test]
fn c21_what_goes_from_a_document_is_planned_although_the_service_shows_a_text() {
    use ChangeKind::{Add, Delete, Update};
    let (one, two) = (json!({ "a": "1" }), json!({ "a": "1", "b": { "c": "2" } }));
    let whole = |value: &Json| json!([{ "op": "replace", "path": "/Free", "value": value }]);
    for (old, new, expected) in [
        (&two, &one, vec![("free.b".to_owned(), Delete)]),
        (&one, &two, vec![("free.b".to_owned(), Add)]),
        (&two, &json!({ "a": "1", "b": {} }), vec![("free.b.c".to_owned(), Delete)]),
        (&one, &json!({ "a": "2" }), vec![("free.a".to_owned(), Update)]),
    ] {
        let (before, after) = (json!({ "free": old }), json!({ "free": new }));
        let model = json!({ "Free": old.to_string() });
        assert_eq!(planned(forms(), &before, &after, &model).detailed.into_iter().collect::<Vec<_>>(), expected);
        assert_eq!(patched(forms(), &before, &after, &model), whole(new));
    }
}

#[tokio::test]
async fn the_layout_of_a_text_is_the_services_until_the_program_changes_it() {
    let (own, printed) = ("{\"a\": [1, 2]}", "{\n  \"a\":[1,2]}");
    let inputs = |text: &str| json!({ "text": text, "free": text });
    let model = |text: &str| json!({ "Text": text, "Free": text });
    assert_eq!(refreshed_inputs(forms(), &inputs(own), &model(printed)).await, inputs(own));
    // To some services the text itself matters.
    let answer = planned(forms(), &inputs(printed), &inputs(own), &model(printed));
    assert_eq!(answer.detailed.keys().collect::<Vec<_>>(), ["free", "text"]);
    let patch = patched(forms(), &inputs(printed), &inputs(own), &model(printed));
    assert_eq!(patch.as_array().map(Vec::len), Some(2), "{patch}");
    for other in ["{\"a\": [2, 1]}", "{\"a\": \"[1, 2]\"}", "a: [1, 2]", "[1, 2]"] {
        differs(forms(), inputs(own), model(other)).await;
    }
    // No documents.
    differs(forms(), inputs("1.0"), model("1")).await;
    differs(forms(), inputs(" x"), model("x")).await;
}

#[tokio::test]
async fn c27_letter_case_of_listed_values_is_the_services() {
    for (name, cfn_name) in [("mode", "Mode"), ("either", "Either")] {
        same(forms(), json!({ name: "enabled" }), json!({ cfn_name: "ENABLED" })).await;
        same(forms(), json!({ name: "DISABLED" }), json!({ cfn_name: "Disabled" })).await;
        // Of what the schema does not list nothing is known.
        differs(forms(), json!({ name: "newer" }), json!({ cfn_name: "NEWER" })).await;
        differs(forms(), json!({ name: "enabled" }), json!({ cfn_name: "Disabled" })).await;
        // Two values of the list.
        differs(forms(), json!({ name: "a" }), json!({ cfn_name: "A" })).await;
        changes(json!({ name: "a" }), json!({ name: "A" }), json!({ cfn_name: "a" }));
    }
    differs(forms(), json!({ "text": "enabled" }), json!({ "Text": "ENABLED" })).await;

    #[track_caller]
    fn changes(old: Json, new: Json, model: Json) {
        assert!(!planned(forms(), &old, &new, &model).detailed.is_empty(), "{old} {new}");
        assert_ne!(patched(forms(), &old, &new, &model), json!([]), "{old} {new}");
    }
}

#[tokio::test]
async fn c94_numbers_that_a_service_keeps_in_single_precision_are_the_same() {
    same(forms(), json!({ "weight": 0.3 }), json!({ "Weight": f64::from(0.3_f32) })).await;
    same(forms(), json!({ "weight": 1e21 }), json!({ "Weight": f64::from(1e21_f32) })).await;
    differs(forms(), json!({ "weight": 0.3 }), json!({ "Weight": 0.300_000_02 })).await;
    differs(forms(), json!({ "weight": 0.3 }), json!({ "Weight": 0.4 })).await;
    // Whole numbers are exact.
    differs(forms(), json!({ "count": 16_777_217 }), json!({ "Count": 16_777_216 })).await;
    for (own, held) in [
        (10_000_000_100.0, 1e10),
        (100_000_001.0, 1e8),
        (1_073_741_800.0, 1_073_741_824.0),
        (1_798_761_630.0, 1_798_761_600.0),
        (0.500_000_01, 0.5),
    ] {
        differs(forms(), json!({ "weight": own }), json!({ "Weight": held })).await;
    }
    // What the service shows of the old value is no reason to leave the new one out.
    let (old, new) = (json!({ "weight": 0.3 }), json!({ "weight": 0.31 }));
    let model = json!({ "Weight": f64::from(0.3_f32) });
    assert_eq!(patched(forms(), &old, &new, &model), json!([{ "op": "replace", "path": "/Weight", "value": 0.31 }]));
}

#[test]
fn another_form_of_a_text_is_a_change_when_the_program_goes_there() {
    for (old, new) in
        [("2026-01-01T00:00:00Z", "2026-01-01T01:00:00+01:00"), ("dead::beef", "DEAD::BEEF"), ("::/0", "0::/0")]
    {
        let inputs = |text: &str| json!({ "labels": { "a": text }, "text": text });
        let model = json!({ "Labels": { "a": old }, "Text": old });
        let plan = planned(forms(), &inputs(old), &inputs(new), &model);
        assert_eq!(plan.detailed.keys().collect::<Vec<_>>(), ["labels.a", "text"], "{old} {new}");
        assert_eq!(
            patched(forms(), &inputs(old), &inputs(new), &model).as_array().map(Vec::len),
            Some(2),
            "{old} {new}"
        );
    }
}
