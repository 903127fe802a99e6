//! The limit of time that a program sets for an operation, on a virtual clock.

use std::time::Duration;

use provider::cloud::CloudControl as _;
use provider::lifecycle::{UpdateRequest, update};

use super::models;
use super::script::{Stage, URN, operation};
use super::waiting::first_line;

/// What the program allows is for the whole operation, however many calls it takes.
#[tokio::test(start_paused = true)]
async fn c18_every_operation_has_one_limit_of_time() {
    let thing = models::resource(|model| {
        model.properties.push(models::prop("name", metadata::model::Type::String));
        model.handlers.update = Some(metadata::model::Handler { timeout_minutes: Some(60), permissions: Vec::new() });
    });
    let named = |name: &str| value::Map::from([("name".to_owned(), value::Value::from(name))]);
    let limit = Duration::from_secs(2);
    for (script, expected) in [
        ("get ...", "updating resource: GetResource did not answer within 2 s"),
        (
            "get ~1500 {\"Name\":\"a\"}\nupdate IN_PROGRESS@q-1\nstatus ...\ncancel ok\nget {\"Name\":\"a\"}",
            "updating resource: operation UPDATE did not finish within 0.5 s (last status IN_PROGRESS); it may still finish",
        ),
        (
            "get ~1500 {\"Name\":\"a\"}\nupdate ...\nget ?",
            "updating resource: operation UPDATE did not finish within 0.9 s (no answer yet); it may still finish",
        ),
        // A failure that was seen before the limit stands.
        (
            "get ~1500 {\"Name\":\"a\"}\nupdate FAILED/Throttling+60#no\nstatus FAILED/Throttling+60#no\nget {\"Name\":\"a\"}",
            "updating resource: operation UPDATE failed with \"Throttling\": no",
        ),
    ] {
        let stage = Stage::new(script, 25);
        let request = UpdateRequest {
            id: "q-1".to_owned(),
            urn: value::Urn::parse(URN).unwrap(),
            olds: named("a"),
            news: named("b"),
            old_inputs: Some(named("a")),
            ignore_changes: Vec::new(),
            timeout: Some(limit),
            reads_first: true,
            preview: false,
        };
        let text = update(thing, request, &stage.client).await.unwrap_err().to_string();
        assert_eq!(first_line(&text), expected, "script {script:?}");
        assert!(stage.seconds() < 3.0, "script {script:?}: took {} s", stage.seconds());
        stage.calls();
    }
    for (script, expected) in [
        ("delete IN_PROGRESS\nstatus IN_PROGRESS\nstatus IN_PROGRESS\ncancel ok", "(last status IN_PROGRESS)"),
        ("delete ...", "(no answer yet)"),
        ("delete IN_PROGRESS\nstatus FAILED/Throttling+60#no", "failed with \"Throttling\": no"),
    ] {
        let stage = Stage::new(script, 25);
        let error = stage.client.delete(&operation(limit), "q-1").await.unwrap_err();
        assert!(first_line(&error.message).contains(expected), "script {script:?}: {error}");
        assert!(stage.seconds() < 3.0, "script {script:?}: took {} s", stage.seconds());
        stage.calls();
    }
}
