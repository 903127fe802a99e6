//! Creations that a process left when it was killed, and what the next one makes of them.

use std::fs;
use std::path::Path;
use std::time::Duration;

use provider::cloud::{CloudControl, CreateFailure};
use provider::journal::{Journal, Place};
use serde_json::{Value as Json, json};
use tempfile::TempDir;

use crate::script::{Stage, URN, operation};

mod files;
mod interrupted;
mod other_inputs;

const HOUR: Duration = Duration::from_secs(3600);

fn folder() -> TempDir {
    tempfile::tempdir().unwrap()
}

fn desired() -> Json {
    json!({"QueueName": "q"})
}

/// What a create gave, in one line.
async fn create(stage: &Stage, desired: &Json) -> String {
    match stage.client.create(&operation(HOUR), desired).await {
        Ok(created) => format!("created {}", created.identifier),
        Err(CreateFailure::Nothing(error)) => format!("nothing: {}", error.message.lines().next().unwrap()),
        Err(CreateFailure::Partial { identifier, .. }) => format!("partial {identifier}"),
    }
}

/// A process that creates by `script`, whose last answer never comes, and is killed then. Returns its client tokens.
async fn killed(script: &str, folder: &Path) -> Vec<String> {
    let stage = Stage::with_journal(script, folder);
    let ended = tokio::time::timeout(Duration::from_secs(300), create(&stage, &desired())).await;
    assert!(ended.is_err(), "the script {script:?} came to an end");
    stage.calls();
    stage.client_tokens()
}

/// Whether the next process would know of the creation.
fn is_kept(folder: &Path) -> bool {
    Journal::open(Some(folder.to_owned()), &Place::default(), || Duration::from_secs(1_000_000))
        .unfinished(URN)
        .is_some()
}

/// The files of the journal.
fn files(folder: &Path) -> usize {
    fs::read_dir(folder).map_or(0, Iterator::count)
}

#[tokio::test(start_paused = true)]
async fn a_creation_that_was_cut_off_is_picked_up() {
    for first in [
        "create ...",
        "create IN_PROGRESS\nstatus ...",
        "create IN_PROGRESS@q-1\nstatus IN_PROGRESS\nstatus ...",
        "create SUCCESS@q-1\nget ...",
        // The token of the last attempt counts.
        "create FAILED/Throttling+1\nstatus FAILED/Throttling+1\ncreate IN_PROGRESS\nstatus ...",
    ] {
        let folder = folder();
        let tokens = killed(first, folder.path()).await;
        let stage = Stage::with_journal("create IN_PROGRESS@q-1\nstatus SUCCESS\nget {}", folder.path());
        assert_eq!(create(&stage, &desired()).await, "created q-1", "{first:?}");
        assert_eq!(stage.client_tokens(), tokens[tokens.len() - 1..], "{first:?}");
        let notice = &stage.notices()[0];
        let start = "picking up the creation that was cut off at 1970-01-12T13:46:40Z";
        let token = if first.contains("\nstatus ...") || first.contains("get") { " (request token r-1)" } else { "" };
        assert_eq!(*notice, format!("{start}{token}"), "{first:?}");
        stage.calls();
        // The engine may die once more before it has written its state.
        let again = Stage::with_journal("create SUCCESS@q-1\nget {}", folder.path());
        assert_eq!(create(&again, &desired()).await, "created q-1");
        assert_eq!(again.client_tokens(), stage.client_tokens());
        // Once a call carries the identifier, the state has it.
        again.journal().settle(URN, "q-0");
        assert!(is_kept(folder.path()));
        again.journal().settle(URN, "q-1");
        assert!(!is_kept(folder.path()));
        let fresh = Stage::with_journal("create SUCCESS@q-1\nget {}", folder.path());
        assert_eq!(create(&fresh, &desired()).await, "created q-1");
        assert_ne!(fresh.client_tokens(), stage.client_tokens());
    }
}

#[tokio::test(start_paused = true)]
async fn what_became_of_the_earlier_request_decides() {
    let gone = "get !ResourceNotFoundException\n";
    let anew = "create SUCCESS@q-2\nget {}";
    for (second, expected, requests) in [
        ("create SUCCESS@q-1\nget {}".to_owned(), "created q-1", 1),
        // Its resource was deleted meanwhile.
        (format!("create SUCCESS@q-1\n{}{anew}", gone.repeat(5)), "created q-2", 2),
        // It failed and left nothing.
        (
            format!("create FAILED/InvalidRequest#bad\nstatus FAILED/InvalidRequest#bad\n{anew}"),
            "created q-2",
            2,
        ),
        (
            format!("create IN_PROGRESS@q-1\nstatus FAILED/InvalidRequest#bad\n{gone}{anew}"),
            "created q-2",
            2,
        ),
        // It collided: the new request says so again.
        (
            "create FAILED@q/AlreadyExists#taken\nstatus FAILED@q/AlreadyExists#taken\ncreate !AlreadyExistsException#taken"
                .to_owned(),
            "nothing: CreateResource failed with \"AlreadyExistsException\": taken",
            2,
        ),
        // It failed and left something of ours.
        (
            "create FAILED@q-1/NotStabilized#slow\nstatus FAILED@q-1/NotStabilized#slow\nget {}".to_owned(),
            "partial q-1",
            1,
        ),
        // It was cancelled.
        ("create CANCEL_COMPLETE@q-1\nget {}\nget {}".to_owned(), "partial q-1", 1),
        (format!("create CANCEL_COMPLETE@q-1\n{gone}{anew}"), "created q-2", 2),
        (format!("create CANCEL_IN_PROGRESS\nstatus CANCEL_COMPLETE\n{anew}"), "created q-2", 2),
        // It fails in a way that a new request helps against.
        (format!("create FAILED/Throttling+1\nstatus FAILED/Throttling+1\n{anew}"), "created q-2", 2),
        // It asked for something else after all, and the service names it.
        (
            "create !ClientTokenConflictException#names r-1\nstatus SUCCESS@q-1\nget {}".to_owned(),
            "created q-1",
            1,
        ),
        // Or not; then it is told, and a new request is made.
        (
            format!("create !ClientTokenConflictException#taken\nrequests none\nstatus SUCCESS@q-1\nget {{}}\n{anew}"),
            "created q-2",
            2,
        ),
    ] {
        let folder = folder();
        let tokens = killed("create IN_PROGRESS\nstatus ...", folder.path()).await;
        let stage = Stage::with_journal(&second, folder.path());
        assert_eq!(create(&stage, &desired()).await, expected, "{second:?}");
        assert_eq!((stage.different_tokens(), &stage.client_tokens()[0]), (requests, &tokens[0]), "{second:?}");
        stage.calls();
    }
}

#[tokio::test(start_paused = true)]
async fn a_refusal_does_not_end_what_runs() {
    let folder = folder();
    let tokens = killed("create IN_PROGRESS\nstatus ...", folder.path()).await;
    for refusal in ["create !AccessDeniedException#no", "create ?"] {
        let stage = Stage::with_journal(refusal, folder.path());
        assert!(create(&stage, &desired()).await.starts_with("nothing: "));
        assert_eq!(stage.client_tokens(), tokens);
    }
    let stage = Stage::with_journal("create SUCCESS@q-1\nget {}", folder.path());
    assert_eq!(create(&stage, &desired()).await, "created q-1");
    assert_eq!(stage.client_tokens(), tokens);
}

#[tokio::test(start_paused = true)]
async fn what_is_kept_is_what_may_be_there() {
    for (script, kept) in [
        // Refused or failed for good: nothing.
        ("create !ValidationException#bad", false),
        ("create FAILED/InvalidRequest#bad\nstatus FAILED/InvalidRequest#bad", false),
        ("create IN_PROGRESS@q\nstatus FAILED/AlreadyExists#taken", false),
        ("create CANCEL_COMPLETE", false),
        // Nobody answered, or not clearly.
        ("create ?", true),
        ("create IN_PROGRESS\nstatus !AccessDeniedException", true),
        ("create IN_PROGRESS\nstatus WEIRD", true),
        ("create SUCCESS", true),
        // Made, wholly or partly, and told just now.
        ("create SUCCESS@q-1\nget {}", true),
        ("create IN_PROGRESS@q-1\nstatus FAILED/NotStabilized\nget {}", true),
    ] {
        let folder = folder();
        let stage = Stage::with_journal(script, folder.path());
        create(&stage, &desired()).await;
        stage.calls();
        assert_eq!(is_kept(folder.path()), kept, "{script:?}");
        // Cancel comes with the end of every run: what was told is in the state then, the rest is not.
        stage.journal().settle_answered();
        let told = script.contains("get") && !script.contains("...");
        assert_eq!(is_kept(folder.path()), kept && !told, "{script:?}");
        drop(stage);
        assert_eq!(is_kept(folder.path()), kept && !told, "{script:?}");
        assert_eq!(files(folder.path()), usize::from(kept && !told), "{script:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_creation_that_nobody_asks_for_again_is_named() {
    let folder = folder();
    killed("create IN_PROGRESS@q-1\nstatus ...", folder.path()).await;
    let forsaken = |stage: &Stage| stage.journal().forsaken().into_iter().map(|entry| entry.urn).collect::<Vec<_>>();
    // Another resource of the stack (it was renamed), and another stack.
    for (urn, named) in [
        ("urn:pulumi:dev::p::aws-native:sqs:Queue::r", true),
        ("urn:pulumi:dev::p::pulumi:providers:aws-native::default", true),
        ("urn:pulumi:prod::p::aws-native:sqs:Queue::q", false),
        ("nonsense", false),
    ] {
        let stage = Stage::with_journal("", folder.path());
        assert!(forsaken(&stage).is_empty());
        stage.journal().saw(urn);
        stage.journal().settle_answered();
        assert_eq!(forsaken(&stage), if named { vec![URN] } else { vec![] }, "{urn}");
    }
    // Who asks for it again has it, whatever becomes of it.
    for script in ["create SUCCESS@q-1\nget {}", "create IN_PROGRESS@q-1\nstatus !AccessDeniedException\nget {}"] {
        let stage = Stage::with_journal(script, folder.path());
        stage.journal().saw(URN);
        create(&stage, &desired()).await;
        assert!(forsaken(&stage).is_empty());
    }
}

#[tokio::test(start_paused = true)]
async fn a_forced_replacement_does_not_delete_what_it_was_given() {
    let folder = folder();
    // The run was killed after the state had the resource.
    let first = Stage::with_journal("create SUCCESS@q-1\nget {}", folder.path());
    create(&first, &desired()).await;
    drop(first);
    // `pulumi up --replace` creates without a word about the old resource, then deletes that.
    let stage = Stage::with_journal("create SUCCESS@q-1\nget {}", folder.path());
    assert_eq!(create(&stage, &desired()).await, "created q-1");
    stage.client.delete(&operation(HOUR), "q-1").await.unwrap();
    assert_eq!(stage.calls(), "create get");
    let notice = stage.notices().pop().unwrap();
    assert!(notice.contains("it is neither replaced nor deleted; run the command again to replace it"), "{notice}");
    // Another resource of that name is deleted as ever, and so is this one by the next process.
    let next = Stage::with_journal("delete SUCCESS\nstatus SUCCESS\ndelete SUCCESS", folder.path());
    next.client.delete(&operation(HOUR), "q-0").await.unwrap();
    next.client.delete(&operation(HOUR), "q-1").await.unwrap();
    assert_eq!(next.calls(), "delete status delete");
}

#[tokio::test(start_paused = true)]
async fn an_engine_that_has_the_answer_gets_a_new_resource() {
    let folder = folder();
    let stage = Stage::with_journal(&"create SUCCESS@q-1\nget {}\n".repeat(3), folder.path());
    for _ in 0..2 {
        assert_eq!(create(&stage, &desired()).await, "created q-1");
    }
    assert_eq!(stage.different_tokens(), 2);
    // Another engine in the same process may lack it.
    stage.journal().reopen(None);
    create(&stage, &desired()).await;
    assert_eq!(stage.client_tokens()[1], stage.client_tokens()[2]);
    assert_eq!(stage.notices().len(), 1);
    stage.calls();
}
