//! The texts of refusals and failures, compared with vectors that other crates read too.

#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

mod support;

use emulator::Options;
use serde::Deserialize;
use serde_json::{Value, json};
use support::{Answer, Client};

#[derive(Deserialize)]
struct Messages {
    schema: Value,
    bare: Value,
    existing: Value,
    cases: Vec<Case>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    about: String,
    create: Option<Value>,
    update: Option<Value>,
    call: Option<String>,
    body: Option<Value>,
    error: Option<String>,
    failure: Option<String>,
    text: String,
}

fn answer(client: &Client, type_name: &str, case: &Case) -> Answer {
    match case {
        Case { create: Some(desired), .. } => {
            client.call("CreateResource", &json!({"TypeName": type_name, "DesiredState": desired.to_string()}))
        }
        Case { update: Some(patch), .. } => client.update(type_name, "here", patch),
        _ => client.call(case.call.as_ref().unwrap(), case.body.as_ref().unwrap()),
    }
}

#[test]
fn texts_are_those_of_the_service() {
    let messages: Messages = serde_saphyr::from_str(include_str!("../../tests/vectors/messages.yaml")).unwrap();
    let type_name = messages.schema["typeName"].as_str().unwrap().to_owned();
    let client = Client::start(&[messages.schema, messages.bare], Options::default());
    assert_eq!(client.create(&type_name, &messages.existing)["OperationStatus"], "SUCCESS");
    assert!(messages.cases.len() >= 45);
    let mut wrong = Vec::new();
    for case in &messages.cases {
        let answer = answer(&client, &type_name, case);
        let (code, text) = match &case.error {
            Some(_) => {
                let error = answer.json();
                let code = error["__type"].as_str().unwrap_or_default().rsplit('#').next().unwrap().to_owned();
                (code, error["Message"].as_str().unwrap_or_default().to_owned())
            }
            None => {
                let event = client.finish(&answer);
                (
                    event["ErrorCode"].as_str().unwrap_or_default().to_owned(),
                    event["StatusMessage"].as_str().unwrap_or_default().to_owned(),
                )
            }
        };
        let expected = (case.error.as_ref().or(case.failure.as_ref()).unwrap(), &case.text);
        let is_equal = match expected.1.split_once("{token}") {
            // A token has 36 characters.
            Some((before, after)) => {
                text.starts_with(before) && text.ends_with(after) && text.len() == before.len() + 36 + after.len()
            }
            None => *expected.1 == text,
        };
        if *expected.0 != code || !is_equal {
            wrong.push(format!("{}\n  expected {}: {}\n  found    {code}: {text}", case.about, expected.0, expected.1));
        }
    }
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), messages.cases.len(), wrong.join("\n"));
}
