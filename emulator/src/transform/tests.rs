//! Expressions against vectors, every expression of the published schemas, and texts that are no expressions.

#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use super::alternatives::Alternative;
use super::evaluate::evaluate;
use super::parser::parse;
use super::{Place, Transforms};
use crate::schema::ResourceType;
use crate::schema::patterns::Patterns;
use crate::scope::Scope;
use crate::validate::Validator;
use proptest::prelude::*;
use serde::Deserialize;
use serde_json::{Value, json};
use std::collections::BTreeSet;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Vector {
    expression: String,
    cases: Vec<Case>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    on: Value,
    #[serde(default)]
    nothing: bool,
    #[serde(default)]
    partial: bool,
    value: Option<Value>,
    pattern: Option<String>,
    finds: Option<String>,
    misses: Option<String>,
}

fn vectors() -> Vec<Vector> {
    serde_saphyr::from_str(include_str!("../../../tests/vectors/transforms.yaml")).unwrap()
}

#[test]
fn expressions_come_to_what_they_mean() {
    let mut wrong = Vec::new();
    for Vector { expression, cases } in vectors() {
        let parsed = parse(&expression).unwrap_or_else(|reason| panic!("{expression}: {reason}"));
        let [alternative] = &*Alternative::all(&expression).unwrap() else { panic!("{expression} is not one") };
        for case in cases {
            let outcome = evaluate(&parsed, &case.on);
            let expected = match &case.pattern {
                Some(pattern) => Some(Value::from(pattern.as_str())),
                None => case.value.clone().filter(|value| !value.is_null()),
            };
            let is_right = match &outcome {
                Ok(outcome) if case.partial => outcome.is_partial,
                Ok(outcome) if case.nothing => outcome.value.is_none(),
                Ok(outcome) => {
                    let value = outcome.value.clone().filter(|value| !value.is_null());
                    value == expected && alternative.is_pattern == case.pattern.is_some()
                }
                Err(_) => false,
            };
            let found = |text: &Option<String>| {
                let pattern = cfn::java_pattern::compile(&format!("^(?:{})$", case.pattern.as_ref()?))?;
                pattern.is_found(text.as_ref()?)
            };
            let is_found =
                case.pattern.is_none() || (found(&case.finds), found(&case.misses)) == (Some(true), Some(false));
            if !is_right || !is_found {
                wrong.push(format!("{expression}\n  on {}: {outcome:?} instead of {expected:?}", case.on));
            }
        }
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

/// Every transformation of the published schemas; `None` where they are not downloaded.
fn published() -> Option<Vec<(String, Value)>> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../cf-schemas/download/resources");
    let files = std::fs::read_dir(folder).ok()?;
    let texts = files.map(|file| std::fs::read_to_string(file.unwrap().path()).unwrap());
    let schemas = texts.filter(|text| text.contains("propertyTransform"));
    let named = |text: String| {
        let schema: Value = serde_json::from_str(&text).unwrap();
        (schema["typeName"].as_str().unwrap().to_owned(), schema)
    };
    Some(schemas.map(named).collect())
}

#[test]
fn every_published_expression_can_be_read_and_has_a_vector() {
    let Some(schemas) = published() else { return };
    let known: BTreeSet<String> = vectors().into_iter().map(|vector| vector.expression).collect();
    let (mut entries, mut alternatives, mut met) = (0, 0, BTreeSet::new());
    for (type_name, schema) in &schemas {
        let transforms = Transforms::of(schema);
        assert_eq!(transforms.problems().collect::<Vec<_>>(), [], "{type_name}");
        entries += transforms.len();
        for text in schema["propertyTransform"].as_object().into_iter().flatten().filter_map(|(_, text)| text.as_str())
        {
            for alternative in text.split("$OR") {
                alternatives += 1;
                met.insert(alternative.trim().to_owned());
            }
        }
    }
    assert_eq!((entries, alternatives), (206, 253));
    let without: Vec<&String> = met.difference(&known).collect();
    assert!(without.is_empty(), "without a vector: {without:#?}");
    assert_eq!(met.len(), known.len(), "every vector is about an expression that there is");
}

fn transformed(schema: &Value, before: Option<&Value>, given: &Value) -> (Value, usize) {
    let resource = ResourceType::new("A::B::C".to_owned(), schema.clone());
    let patterns = Patterns::default();
    let validator = Validator::new(&resource, &patterns);
    let scope = Scope::new("123456789012", "eu-west-1");
    let place = Place { seed: 1, scope: &scope };
    let mut model = given.clone();
    let failures = resource.transforms().apply(&validator, &resource, &place, before, &mut model);
    (model, failures)
}

#[test]
fn values_are_held_as_the_service_holds_them() {
    let text = json!({"type": "string"});
    let schema = json!({
        "properties": {
            "Id": text, "Secret": text, "Made": text, "Name": text, "Zone": text, "Key": text, "Engine": text, "Short": {"type": "string", "maxLength": 3},
            "Kind": text, "Fails": text, "Port": {"type": "integer"},
            "Rules": {"type": "array", "items": {"type": "object", "properties": {"Protocol": text, "Port": {"type": "integer"}}}},
            "Inner": {"type": "object", "properties": {"Key": text}},
            "Doc": {"type": "object", "additionalProperties": false, "properties": {"A": {"type": "integer"}, "B": {"type": "integer"}}},
        },
        "primaryIdentifier": ["/properties/Id"],
        "writeOnlyProperties": ["/properties/Secret"],
        "readOnlyProperties": ["/properties/Made"],
        "propertyTransform": {
            "/properties/Id": "$lowercase(Id)",
            "/properties/Secret": "$lowercase(Secret)",
            "/properties/Made": "$lowercase(Made)",
            "properties/Name": "$lowercase(Name)",
            "/properties/Zone": "$join([Zone, \".\"])",
            "/properties/Key": "$join([\"arn:.+?:kms:.+?:.+?:key\\/\", Key])",
            "/properties/Engine": "$join([$string(Engine), \".*\"])",
            "/properties/Short": "Short & 'x'",
            "/properties/Kind": "\"vpc\"",
            "/properties/Fails": "$number(Fails)",
            "/properties/Rules/*/Port": "Protocol = 'tcp' ? Port : -1",
            "/properties/Inner/Key": "$uppercase(Inner.Key)",
            "/properties/Doc": "$ ~> | Doc | {\"B\": A} |",
        },
    });
    let key = "arn:aws:kms:eu-west-1:123456789012:key/k";
    for (given, expected) in [
        (
            json!({"Id": "I", "Secret": "S", "Made": "M", "Name": "N"}),
            json!({"Id": "I", "Secret": "S", "Made": "M", "Name": "n", "Kind": "vpc"}),
        ),
        (json!({"Zone": "a.b"}), json!({"Zone": "a.b.", "Kind": "vpc"})),
        (json!({"Zone": "a.b."}), json!({"Zone": "a.b.", "Kind": "vpc"})),
        (json!({"Key": "k"}), json!({"Key": key, "Kind": "vpc"})),
        (json!({"Key": key}), json!({"Key": key, "Kind": "vpc"})),
        (json!({"Engine": "8.0.36"}), json!({"Engine": "8.0.36", "Kind": "vpc"})),
        (json!({"Short": "abc"}), json!({"Short": "abc", "Kind": "vpc"})),
        (json!({"Short": "a", "Kind": "standard"}), json!({"Short": "ax", "Kind": "vpc"})),
        (
            json!({"Rules": [{"Protocol": "tcp", "Port": 5}, {"Protocol": "icmp", "Port": 5}, {"Protocol": "udp"}]}),
            json!({"Rules": [{"Protocol": "tcp", "Port": 5}, {"Protocol": "icmp", "Port": -1}, {"Protocol": "udp", "Port": -1}], "Kind": "vpc"}),
        ),
        (json!({"Inner": {"Key": "k"}}), json!({"Inner": {"Key": "K"}, "Kind": "vpc"})),
        (json!({"Doc": {"A": 1}}), json!({"Doc": {"A": 1, "B": 1}, "Kind": "vpc"})),
    ] {
        assert_eq!(transformed(&schema, None, &given), (expected, 0), "{given}");
    }
    let (model, failures) = transformed(&schema, None, &json!({"Engine": "8.0", "Fails": "x"}));
    assert_eq!(failures, 1);
    assert_eq!((&model["Fails"], model["Engine"].as_str().map(str::len)), (&json!("x"), Some(5)), "{model}");
}

#[test]
fn what_is_held_already_is_not_transformed_again() {
    let schema = json!({
        "properties": {"At": {"type": "integer"}, "Kind": {"type": "string"}},
        "propertyTransform": {"/properties/At": "At * 1000", "/properties/Kind": "\"vpc\""},
    });
    let before = json!({"At": 5000});
    for (given, expected) in [
        (json!({"At": 5000}), json!({"At": 5000})),
        (json!({"At": 6}), json!({"At": 6000})),
        (json!({"At": 6, "Kind": "x"}), json!({"At": 6000, "Kind": "vpc"})),
    ] {
        assert_eq!(transformed(&schema, Some(&before), &given).0, expected, "{given}");
    }
}

#[test]
fn alternatives_are_chosen_by_the_value_and_nothing_else() {
    let schema = json!({
        "properties": {"Name": {"type": "string"}},
        "propertyTransform": {"/properties/Name": "$lowercase(Name) $OR $uppercase(Name) $OR Name"},
    });
    let mut met = BTreeSet::new();
    for number in 0..60 {
        let given = json!({"Name": format!("Name{number}")});
        let (model, _) = transformed(&schema, None, &given);
        assert_eq!(transformed(&schema, None, &given).0, model);
        met.insert(model["Name"].as_str().unwrap().chars().take(2).collect::<String>());
    }
    assert_eq!(met.into_iter().collect::<Vec<_>>(), ["NA", "Na", "na"]);
}

#[test]
fn evaluation_ends_within_its_limits() {
    for (text, expected) in [
        ("$map([0..9000], function($i){$map([0..9000], function($j){$i})})", "takes too long"),
        ("[0..99999999]", "makes too much"),
        ("($a := 'aaaaaaaaaa'; $map([0..99], function($i){$a := $a & $a}))", ""),
        ("$pad('a', 99999999)", "makes too much"),
        ("($f := function($x){$f($x)}; $f(1))", "goes too deep"),
        ("1 / 0", "the result is no number"),
        ("$nothing(1)", "there is no function $nothing"),
        ("function($x){$x}", "comes to a function"),
        ("1 < 'a'", "only two numbers or two texts can be compared"),
        ("$replace('a', /x*/, 'b')", "matches an empty text"),
    ] {
        let outcome = evaluate(&parse(text).unwrap(), &json!({}));
        match expected {
            "" => assert!(outcome.is_ok(), "{text}: {outcome:?}"),
            _ => assert!(outcome.as_ref().is_err_and(|reason| reason.contains(expected)), "{text}: {outcome:?}"),
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2_000, failure_persistence: None, ..ProptestConfig::default() })]

    /// Texts made of what expressions are made of: read or refused, evaluated or refused, never more.
    #[test]
    fn no_text_is_more_than_refused(parts in prop::collection::vec(prop::sample::select(WORDS), 0..24)) {
        let text = parts.concat();
        if let Ok(expression) = parse(&text) {
            let _ = evaluate(&expression, &json!({"a": [1, "x", {"b": 2}], "b": "1-2"}));
        }
        let _ = Alternative::all(&text);
    }

    #[test]
    fn no_other_text_either(text in "\\PC{0,60}") {
        let _ = Alternative::all(&text);
    }
}

const WORDS: &[&str] = &[
    "a",
    "b",
    ".",
    "[",
    "]",
    "(",
    ")",
    "{",
    "}",
    "$",
    "$x",
    ":=",
    ";",
    ",",
    ":",
    "?",
    "~>",
    "|",
    "=",
    "<",
    "&",
    "+",
    "-",
    "*",
    "/",
    "%",
    " in ",
    " and ",
    " or ",
    "1",
    "0",
    "..",
    "'t'",
    "\"\"",
    "/a+/",
    "/(b)|^$/",
    "function($x)",
    "$map",
    "$split",
    "$join",
    "$replace",
    "$match",
    "$lookup",
    "$pad",
    "$number",
    "$sum",
    "$string",
    "null",
    "true",
    " ",
    "\\",
    "'",
    "$OR",
    "9999999999",
];
