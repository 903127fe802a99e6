//! What a failed create owns, and that no identifier is lost on the way, on a virtual clock.

use std::time::Duration;

use provider::cloud::{CloudControl, CloudError, CreateFailure};
use serde_json::json;

use super::script::{Stage, operation};

pub(super) const HOUR: Duration = Duration::from_secs(3600);

/// The outcome of creating the queue `q`: what is owned, then the error's text without what is known about the operation.
pub(super) async fn create(stage: &Stage, deadline: Duration) -> (String, String) {
    let text = |error: &CloudError| {
        let facts = |line: &&str| !line.trim_start().starts_with("type: ");
        error.message.lines().filter(facts).map(str::trim).collect::<Vec<_>>().join("; ")
    };
    match stage.client.create(&operation(deadline), &json!({"QueueName": "orders"})).await {
        Ok(created) => (format!("created {}", created.identifier), String::new()),
        Err(CreateFailure::Nothing(error)) => {
            (error.existing.as_ref().map_or("nothing".to_owned(), |id| format!("left out {id}")), text(&error))
        }
        Err(CreateFailure::Partial { identifier, error, .. }) => (format!("partial {identifier}"), text(&error)),
    }
}

#[tokio::test(start_paused = true)]
async fn a_failed_create_owns_what_it_evidently_made() {
    for (script, owned, note) in [
        // A collision owns nothing and reads nothing.
        ("create FAILED@orders/AlreadyExists#taken\nstatus FAILED@orders/AlreadyExists#taken", "left out orders", None),
        // A collision in other words is a doubt; it is settled when nothing is there.
        (
            "create IN_PROGRESS\nstatus FAILED@orders/GeneralServiceException#orders already exists\nget {}",
            "left out orders",
            Some("note: orders exists, but nothing shows that this create made it, so it is not recorded"),
        ),
        (
            "create IN_PROGRESS\nstatus FAILED@orders/GeneralServiceException#orders already exists\nget ?",
            "left out orders",
            Some("note: orders may exist, but nothing shows that this create made it, so it is not recorded"),
        ),
        (
            "create IN_PROGRESS\nstatus FAILED@orders/InvalidRequest#bad\nget !ResourceNotFoundException",
            "nothing",
            Some("note: the service named orders, but no such resource exists"),
        ),
        // A name that the program chose and that first comes with the failure proves nothing.
        (
            "create IN_PROGRESS\nstatus FAILED@orders/InvalidRequest#bad\nget {}",
            "left out orders",
            Some("note: orders exists, but nothing shows that this create made it, so it is not recorded"),
        ),
        (
            "create IN_PROGRESS\nstatus FAILED@orders\nget {}",
            "left out orders",
            Some("note: orders exists, but nothing shows that this create made it, so it is not recorded"),
        ),
        // Something of the resource collided, after the resource itself was made.
        (
            "create IN_PROGRESS@orders\nstatus FAILED@orders/ResourceConflict#the policy already exists\nget {}",
            "partial orders",
            None,
        ),
        ("create IN_PROGRESS\nstatus FAILED@q-1/InvalidRequest#bad\nget {}", "partial q-1", None),
        ("create IN_PROGRESS\nstatus FAILED@orders/NotStabilized#slow\nget {}", "partial orders", None),
    ] {
        let stage = Stage::new(script, 25);
        let (found, text) = create(&stage, HOUR).await;
        assert_eq!(found, owned, "script {script:?}: {text}");
        assert_eq!(text.split_once("; ").map(|(_, note)| note), note, "script {script:?}");
        stage.calls();
    }
}

/// The end of a create after a few seconds: the caller's Cancel or the deadline.
async fn cut_off(script: &str, cancel: bool) -> (String, String) {
    let stage = Stage::new(script, 25);
    if cancel {
        let cancellation = stage.cancellation.clone();
        tokio::spawn(async move {
            tokio::time::sleep(Duration::from_secs(2)).await;
            cancellation.cancel();
        });
    }
    let found = create(&stage, if cancel { HOUR } else { Duration::from_secs(2) }).await;
    stage.calls();
    found
}

#[tokio::test(start_paused = true)]
async fn a_create_that_was_cut_off_owns_no_name_that_the_program_chose() {
    let pending = |name: &str| format!("create PENDING@{name}\nstatus PENDING\nstatus PENDING\ncancel ok\n");
    let exists = "note: orders exists, but nothing shows that this create made it, so it is not recorded";
    let may = "note: orders may exist, but nothing shows that this create made it, so it is not recorded";
    let not_yet = "note: orders does not exist yet, and if it appears, nothing shows that this create made it, so it is not recorded";
    let none = "note: the service named orders, but no such resource exists";
    for (script, cancel, owned, note) in [
        // The deadline and Cancel while the handler has not begun.
        (pending("orders") + "get {}", false, "left out orders", Some(exists)),
        (pending("orders") + "get ?", false, "left out orders", Some(may)),
        (pending("orders") + "get !ResourceNotFoundException", false, "left out orders", Some(not_yet)),
        (pending("orders"), true, "left out orders", Some(may)),
        (pending("arn:aws:sqs:eu-west-1:1:orders"), true, "left out arn:aws:sqs:eu-west-1:1:orders", None),
        // What the service made up for the request is nobody else's.
        (pending("q-1"), true, "partial q-1", None),
        (pending("q-1") + "get ?", false, "partial q-1", None),
        // A handler that runs has looked whether there is one.
        ("create IN_PROGRESS@orders+60\ncancel ok".to_owned(), true, "partial orders", None),
        ("create PENDING@orders\nstatus IN_PROGRESS@orders+60\ncancel ok".to_owned(), true, "partial orders", None),
        // Cancelled at the service, before and after the handler began.
        ("create PENDING@orders\nstatus CANCEL_COMPLETE\nget {}".to_owned(), false, "left out orders", Some(exists)),
        (
            "create PENDING@orders\nstatus CANCEL_COMPLETE\nget !ResourceNotFoundException".to_owned(),
            false,
            "nothing",
            Some(none),
        ),
        ("create IN_PROGRESS@orders\nstatus CANCEL_COMPLETE\nget {}".to_owned(), false, "partial orders", None),
        ("create PENDING@q-1\nstatus CANCEL_COMPLETE\nget {}".to_owned(), false, "partial q-1", None),
        // Polls that are refused, and a status of tomorrow.
        (
            "create PENDING@orders\nstatus !AccessDeniedException#no\nget {}".to_owned(),
            false,
            "left out orders",
            Some(exists),
        ),
        ("create PENDING@orders\nstatus WEIRD\nget {}".to_owned(), false, "left out orders", Some(exists)),
    ] {
        let (found, text) = cut_off(&script, cancel).await;
        assert_eq!(found, owned, "script {script:?}: {text}");
        if note.is_some() {
            assert_eq!(text.split_once("; note").map(|(_, rest)| format!("note{rest}")).as_deref(), note, "{script:?}");
        }
    }
}

#[tokio::test(start_paused = true)]
async fn whose_a_chosen_name_is_the_next_run_asks_the_service() {
    for (answer, owned) in [
        // The proof that was missing.
        ("create SUCCESS@orders\nget {}", "created orders"),
        // It was another's all the time: the request failed, and so does a new one.
        (
            "create FAILED@orders/AlreadyExists#taken\nstatus FAILED@orders/AlreadyExists#taken\n\
             create !AlreadyExistsException#taken",
            "nothing",
        ),
        // Cancelled before its handler began, and there is one: another's.
        ("create CANCEL_COMPLETE@orders\nget {}\nget {}", "left out orders"),
        // Cancelled, and there is none: made anew.
        (
            "create CANCEL_COMPLETE@orders\nget !ResourceNotFoundException\ncreate SUCCESS@orders\nget {}",
            "created orders",
        ),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let stage = Stage::with_journal("create PENDING@orders+60\ncancel ok", folder.path());
        let cancellation = stage.cancellation.clone();
        tokio::spawn(async move {
            tokio::time::sleep(Duration::from_secs(1)).await;
            cancellation.cancel();
        });
        match stage.client.create(&operation(HOUR), &json!({"QueueName": "orders"})).await {
            Err(CreateFailure::Nothing(error)) => assert!(error.kept && error.accepted, "{error:?}"),
            other => panic!("{other:?}"),
        }
        let tokens = stage.client_tokens();
        // The engine's Cancel, and the end of the process.
        stage.journal().settle_answered();
        drop(stage);

        let next = Stage::with_journal(answer, folder.path());
        assert_eq!(create(&next, HOUR).await.0, owned, "{answer:?}");
        assert_eq!(next.client_tokens()[0], tokens[0], "{answer:?}");
        next.calls();
    }
}

#[tokio::test(start_paused = true)]
async fn a_failure_that_is_asked_for_its_hooks_keeps_its_code() {
    let stage = Stage::new("create FAILED/Throttling+1#slow down\nstatus FAILED\ncreate SUCCESS@q-1\nget {}", 25);
    assert_eq!(create(&stage, HOUR).await.0, "created q-1");
    let stage = Stage::new("create FAILED@orders/AlreadyExists#taken\nstatus FAILED", 25);
    let (owned, text) = create(&stage, HOUR).await;
    assert_eq!(
        (owned.as_str(), text.as_str()),
        ("left out orders", "operation CREATE failed with \"AlreadyExists\": taken")
    );
    stage.calls();
}

#[tokio::test(start_paused = true)]
async fn a_known_failure_outlives_the_interruption_of_what_comes_after() {
    for (script, cancel) in [
        // Only the hooks of the failure are missing; nothing is left to cancel at the service.
        ("create FAILED/InvalidRequest#bad\nstatus ...", true),
        ("create FAILED/InvalidRequest#bad\nstatus ...", false),
        // A failure that would be retried, had the wait not ended.
        ("create FAILED/Throttling#bad\nstatus ...", true),
        ("create FAILED/Throttling#bad\nstatus ...", false),
    ] {
        let stage = Stage::new(script, 25);
        let cancellation = stage.cancellation.clone();
        if cancel {
            tokio::spawn(async move {
                tokio::time::sleep(Duration::from_secs(1)).await;
                cancellation.cancel();
            });
        }
        let (owned, text) = create(&stage, Duration::from_secs(5)).await;
        assert_eq!(owned, "nothing");
        assert!(text.starts_with("operation CREATE failed with ") && text.ends_with(": bad"), "{text}");
        assert!(stage.notices().is_empty(), "{:?}", stage.notices());
        assert_eq!(stage.calls(), "create status");
    }
}

#[tokio::test(start_paused = true)]
async fn an_engine_that_does_not_answer_does_not_hold_up_cancellation() {
    let stage = Stage::with_deaf_engine("");
    let cancellation = stage.cancellation.clone();
    tokio::spawn(async move {
        tokio::time::sleep(Duration::from_secs(1)).await;
        cancellation.cancel();
    });
    stage.client.warn(super::script::URN, "careful").await;
    assert_eq!((stage.notices(), stage.seconds()), (vec!["careful".to_owned()], 1.0));
}
