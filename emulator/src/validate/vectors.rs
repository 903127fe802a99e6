//! Texts of violations against `tests/vectors/everit.yaml`.

#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use super::Validator;
use crate::schema::ResourceType;
use crate::schema::patterns::Patterns;
use serde::Deserialize;
use serde_json::Value;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    about: String,
    schema: Value,
    /// The instance as JSON text, since YAML has no `5.0` that is no integer.
    instance: String,
    #[serde(default)]
    texts: Vec<String>,
}

#[test]
fn violations_are_those_of_the_engine() {
    let cases: Vec<Case> = crate::yaml::read("everit.yaml", include_str!("../../../tests/vectors/everit.yaml"))
        .unwrap_or_else(|error| panic!("{error}"));
    assert!(cases.len() >= 60, "{} cases", cases.len());
    let patterns = Patterns::default();
    let mut wrong = Vec::new();
    for case in &cases {
        let resource = ResourceType::new("Test::Vector::Thing".to_owned(), case.schema.clone());
        let instance = crate::json::parse(&case.instance).unwrap();
        let expected = match case.texts.as_slice() {
            [] => Ok(()),
            texts => Err(format!("Model validation failed ({})", texts.join("\n"))),
        };
        let found = Validator::new(&resource, &patterns).model(&instance);
        if found != expected {
            wrong.push(format!("{}: {found:?} is not {expected:?}", case.about));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
