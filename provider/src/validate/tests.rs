use metadata::model::{self, Type};
use serde_json::{Value as Json, json};
use value::Value;

use super::*;

/// A type with one property of each kind; `object` is required, and its member `inner` too.
fn resource() -> Resource {
    let property = |name: &str, ty: Type, required: bool| model::Property {
        name: name.to_owned(),
        cfn_name: name.to_owned(),
        ty,
        input: name != "output",
        required,
        default: None,
    };
    let text = || Box::new(Type::String);
    let model = model::Resource {
        token: "aws-native:test:Thing".to_owned(),
        cfn_type: "AWS::Test::Thing".to_owned(),
        // In order of name.
        properties: vec![
            property("any", Type::Any, false),
            property("array", Type::Array(text()), false),
            property("boolean", Type::Boolean, false),
            property("choice", Type::Enum(vec!["a".to_owned(), "b".to_owned()]), false),
            property("integer", Type::Integer, false),
            property("map", Type::Map(text()), false),
            property("number", Type::Number, false),
            property("object", Type::Object(0), true),
            property("output", Type::String, false),
            property("string", Type::String, false),
            property("union", Type::Union(vec![Type::Boolean, Type::Object(0)]), false),
        ],
        types: vec![model::ObjectType {
            token: "aws-native:test:Inner".to_owned(),
            properties: vec![property("inner", Type::String, true)],
        }],
        ..model::Resource::default()
    };
    metadata::encode(&model).expect("a model of a test is well-formed").leak().into()
}

/// What is said about these values beside a proper `object`: failures as `path: reason`, then warnings.
fn said(values: &[(&str, Value)]) -> Vec<String> {
    let mut inputs = Map::from([("object".to_owned(), Value::object([("inner", "x".into())]))]);
    inputs.extend(values.iter().map(|(name, value)| ((*name).to_owned(), value.clone())));
    let Validation { failures, doubts } = Validation::of(resource(), &inputs, Given::default());
    let failures = failures.into_iter().map(|failure| format!("{}: {}", failure.property, failure.reason));
    failures.chain(doubts.into_iter().map(|doubt| doubt.reason)).collect()
}

#[test]
fn each_kind_takes_its_own() {
    check("any", &[json!(1), json!("x"), json!({ "a": [null] })], &[], "");
    check("boolean", &[json!(true)], &[json!("true"), json!(1)], "boolean must be a bool");
    check("integer", &[json!(1), json!(1.0), json!(-0.0)], &[json!(1.5), json!("1")], "integer must be an integer");
    check("number", &[json!(1), json!(1.5)], &[json!("1"), json!([])], "number must be a number");
    check("string", &[json!("")], &[json!(1), json!(false), json!({})], "string must be a string");
    check("choice", &[json!("a")], &[json!(1)], "choice must be a string");
    check("array", &[json!([]), json!(["x", null])], &[json!({}), json!("x")], "array must be an array");
    check("map", &[json!({}), json!({ "k": "v" })], &[json!([]), json!("x")], "map must be an object");
    check("object", &[json!({ "inner": "x" })], &[json!([]), json!("x")], "object must be an object");
    check("union", &[json!(true), json!({ "inner": "x" })], &[json!("x")], "union must be a bool or an object");
    check("array", &[], &[json!(["x", 1])], "array[1] must be a string");
    check("map", &[], &[json!({ "k": 1 })], "map.k must be a string");
    check("object", &[], &[json!({ "inner": 1 })], "object/inner must be a string");
    check("output", &[], &[json!("x")], "unknown property output: the service sets it, it is an output");

    #[track_caller]
    fn check(name: &str, good: &[Json], bad: &[Json], reason: &str) {
        for value in good {
            assert_eq!(said(&[(name, value::json::from_json(value))]), [""; 0], "{name}: {value}");
        }
        for value in bad {
            let said = said(&[(name, value::json::from_json(value))]);
            assert!(said.len() == 1 && said[0].ends_with(reason), "{name}: {value}: {said:?}");
        }
    }
}

#[test]
fn what_is_required_must_be_there() {
    check(json!(null), &["object: missing required property object"]);
    check(json!({}), &["object.inner: missing required property object/inner"]);
    check(json!({ "inner": null }), &["object.inner: missing required property object/inner"]);

    #[track_caller]
    fn check(object: Json, expected: &[&str]) {
        assert_eq!(said(&[("object", value::json::from_json(&object))]), expected, "{object}");
    }
}

#[test]
fn secrets_are_looked_through_and_not_told() {
    check("string", Value::secret(1), &["string: string must be a string"]);
    check(
        "choice",
        Value::secret("canary"),
        &["choice: its value is not among the values in the schema: \"a\", \"b\""],
    );
    // It may be filled in elsewhere.
    check("object", Value::secret(Map::new()), &[]);
    check("object", value::Unknown::Object.into(), &[]);
    check("integer", value::Unknown::String.into(), &[]);

    #[track_caller]
    fn check(name: &str, value: Value, expected: &[&str]) {
        assert_eq!(said(&[(name, value)]), expected, "{name}");
    }
}
