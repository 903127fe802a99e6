//! Creations that a process left when it was killed, and what the next one makes of them.

use std::fs;
use std::path::Path;
use std::time::Duration;

use provider::cloud::{CloudControl, CreateFailure};
use provider::journal::{Entry, Journal, Place};
use serde_json::{Value as Json, json};
use tempfile::TempDir;

use super::script::{Stage, URN, operation};

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
async fn a_creation_that_is_interrupted_is_picked_up_later() {
    let folder = folder();
    let stage = Stage::with_journal("create IN_PROGRESS\nstatus ...\ncancel ok", folder.path());
    let cancellation = stage.cancellation.clone();
    tokio::spawn(async move {
        tokio::time::sleep(Duration::from_secs(5)).await;
        cancellation.cancel();
    });
    assert!(create(&stage, &desired()).await.contains("was canceled while it was running"));
    stage.journal().settle_answered();
    let next = Stage::with_journal("create CANCEL_IN_PROGRESS\nstatus SUCCESS@q-1\nget {}", folder.path());
    assert_eq!(create(&next, &desired()).await, "created q-1");
    assert_eq!(next.client_tokens(), stage.client_tokens());
}

#[tokio::test(start_paused = true)]
async fn an_interrupted_creation_is_asked_for_again_until_it_is_found() {
    // The engine has the identifier, but the service may not show the resource before the creation ends.
    for (script, cancel) in [
        ("create IN_PROGRESS@q-1\nstatus ...\ncancel !AccessDeniedException", true),
        ("create IN_PROGRESS@q-1\nstatus ...\ncancel ok\nget !ResourceNotFoundException", false),
        ("create IN_PROGRESS@q-1\nstatus !RequestTokenNotFoundException\nget ?", false),
    ] {
        let folder = folder();
        let stage = Stage::with_journal(script, folder.path());
        if cancel {
            let cancellation = stage.cancellation.clone();
            tokio::spawn(async move {
                tokio::time::sleep(Duration::from_secs(5)).await;
                cancellation.cancel();
            });
        }
        assert_eq!(create(&stage, &desired()).await, "partial q-1", "{script:?}");
        stage.journal().settle_answered();
        stage.calls();
        drop(stage.client);
        let next = Stage::with_journal("create IN_PROGRESS@q-1\nstatus SUCCESS@q-1\nget {}", folder.path());
        assert_eq!(create(&next, &desired()).await, "created q-1");
        assert_eq!(next.client_tokens().len(), 1);
        // A call that carries the identifier ends that.
        next.journal().settle(URN, "q-1");
        assert!(!is_kept(folder.path()));
    }
}

#[tokio::test(start_paused = true)]
async fn what_is_still_being_made_is_deleted_afterwards() {
    for (script, waits) in [
        ("status IN_PROGRESS\nstatus IN_PROGRESS\nstatus SUCCESS\ndelete SUCCESS", true),
        ("status IN_PROGRESS\nstatus FAILED/InvalidRequest\ndelete !ResourceNotFoundException", true),
        ("status SUCCESS\ndelete SUCCESS", false),
        // Not to be found out.
        ("status !RequestTokenNotFoundException\ndelete SUCCESS", false),
        ("status ?\ndelete SUCCESS", false),
    ] {
        let folder = folder();
        killed("create IN_PROGRESS@q-1\nstatus ...", folder.path()).await;
        let stage = Stage::with_journal(script, folder.path());
        stage.client.delete(&operation(HOUR), "q-1").await.unwrap();
        let told = "waiting for the creation that was cut off (request token r-1)";
        assert_eq!(stage.notices().iter().any(|notice| notice == told), waits, "{script:?}");
        stage.calls();
    }
    // Cancel ends it, and nothing is deleted.
    let folder = folder();
    killed("create IN_PROGRESS@q-1\nstatus ...", folder.path()).await;
    let stage = Stage::with_journal("status IN_PROGRESS\nstatus ...", folder.path());
    let cancellation = stage.cancellation.clone();
    tokio::spawn(async move {
        tokio::time::sleep(Duration::from_secs(5)).await;
        cancellation.cancel();
    });
    let error = stage.client.delete(&operation(HOUR), "q-1").await.unwrap_err();
    assert!(error.message.contains("operation DELETE was canceled before it started"), "{error}");
    assert_eq!((stage.seconds(), stage.calls().as_str()), (5.0, "status status"));
    // Another resource of that name is deleted at once.
    let next = Stage::with_journal("delete SUCCESS", folder.path());
    next.client.delete(&operation(HOUR), "q-0").await.unwrap();
    next.calls();
}

#[tokio::test(start_paused = true)]
async fn what_could_not_be_written_is_not_promised() {
    let home = folder();
    let file = home.path().join("file");
    fs::write(&file, "no folder").unwrap();
    for (folder, kept) in [(home.path().join("folder"), true), (file.clone(), false), (file.join("below"), false)] {
        let stage = Stage::with_journal("create IN_PROGRESS\nstatus !RequestTokenNotFoundException", &folder);
        match stage.client.create(&operation(HOUR), &desired()).await {
            Err(CreateFailure::Nothing(error)) => assert_eq!(error.kept, kept, "{folder:?}"),
            other => panic!("{other:?}"),
        }
        assert_eq!(stage.journal().picks_up(URN), kept);
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
    for script in
        ["create SUCCESS@q-1\nget {}", "create IN_PROGRESS@q-1\nstatus !RequestTokenNotFoundException\nget {}"]
    {
        let stage = Stage::with_journal(script, folder.path());
        stage.journal().saw(URN);
        create(&stage, &desired()).await;
        assert!(forsaken(&stage).is_empty());
    }
}

#[test]
fn a_clock_that_was_set_back_does_not_bring_old_entries_back() {
    let folder = folder();
    let at = |clock: fn() -> Duration| Journal::open(Some(folder.path().to_owned()), &Place::default(), clock);
    let entry = |token: &str| Entry::new(URN, "AWS::SQS::Queue", token, "{}", 1000);
    at(|| Duration::from_secs(1000)).begin(entry("first"));
    at(|| Duration::from_secs(500)).begin(entry("second"));
    let found = at(|| Duration::from_secs(501)).unfinished(URN).map(|entry| entry.client_token);
    assert_eq!(found.as_deref(), Some("second"));
}

#[tokio::test(start_paused = true)]
async fn what_was_begun_with_other_inputs_is_told() {
    let start = "an earlier creation of this resource was cut off at 1970-01-12T13:46:40Z, with other inputs: ";
    let import = "run `pulumi import aws-native:sqs:Queue q 'q-1'` to keep it, or delete it at AWS";
    let taken = "create !AlreadyExistsException#taken";
    for (first, second, told) in [
        (
            "create IN_PROGRESS\nstatus ...",
            "status SUCCESS@q-1\nget ?\nget ?\n",
            Some(format!("request token r-1, identifier q-1, which may exist; {import}")),
        ),
        (
            "create IN_PROGRESS@q-1\nstatus ...",
            "status !RequestTokenNotFoundException\nget !ResourceNotFoundException\n",
            Some(format!("request token r-1, identifier q-1, which may exist; {import}")),
        ),
        // It left nothing.
        ("create IN_PROGRESS\nstatus ...", "status FAILED/InvalidRequest\n", None),
        ("create IN_PROGRESS@q-1\nstatus ...", "status FAILED\nget !ResourceNotFoundException\n", None),
    ] {
        let folder = folder();
        let tokens = killed(first, folder.path()).await;
        let stage = Stage::with_journal(&format!("{second}{taken}"), folder.path());
        let outcome = create(&stage, &json!({"QueueName": "q", "DelaySeconds": 1})).await;
        assert_eq!(outcome, "nothing: CreateResource failed with \"AlreadyExistsException\": taken");
        assert_ne!(stage.client_tokens(), tokens);
        assert_eq!(stage.notices(), told.into_iter().map(|told| format!("{start}{told}")).collect::<Vec<_>>());
        stage.calls();
    }
    // Killed before the service answered: nothing but our own token names it.
    let folder = folder();
    let tokens = killed("create ...", folder.path()).await;
    let stage = Stage::with_journal(taken, folder.path());
    create(&stage, &json!({})).await;
    assert_eq!(
        stage.notices(),
        [format!(
            "{start}client token {}; what became of it is not known: look for it with `aws cloudcontrol \
             list-resource-requests`",
            tokens[0]
        )]
    );
}

/// Without this a generated name, which is given again, would collide with the resource for ever.
#[tokio::test(start_paused = true)]
async fn what_was_made_with_other_inputs_goes_into_the_state() {
    let waiting = "waiting for the creation that was cut off at 1970-01-12T13:46:40Z (request token r-1)".to_owned();
    for (first, second, told) in [
        ("create IN_PROGRESS@q-1\nstatus ...", "status SUCCESS\nget {}", None),
        ("create IN_PROGRESS\nstatus ...", "status IN_PROGRESS\nstatus SUCCESS@q-1\nget {}", Some(waiting)),
    ] {
        let folder = folder();
        killed(first, folder.path()).await;
        let stage = Stage::with_journal(second, folder.path());
        let changed = json!({"QueueName": "q", "DelaySeconds": 1});
        let failure = stage.client.create(&operation(HOUR), &changed).await.map(|_| ()).unwrap_err();
        let CreateFailure::Partial { identifier, model, error } = failure else { panic!("{failure:?}") };
        assert_eq!((identifier.as_str(), model), ("q-1", Some(json!({}))));
        assert_eq!(
            error.message.lines().next(),
            Some(
                "a creation that was cut off at 1970-01-12T13:46:40Z has made this resource with other inputs; the state \
                 has it now"
            )
        );
        assert!(error.accepted && stage.client_tokens().is_empty(), "nothing is made");
        assert_eq!(stage.notices(), told.into_iter().collect::<Vec<_>>());
        stage.calls();
        // The same process does not delete it as what it replaces; an engine that has it ends the entry.
        assert!(is_kept(folder.path()));
    }
    // Nobody waits beyond the deadline, and nothing is made meanwhile.
    let folder = folder();
    killed("create IN_PROGRESS@q-1\nstatus ...", folder.path()).await;
    let stage = Stage::with_journal("status IN_PROGRESS\nstatus ...", folder.path());
    let failure = stage.client.create(&operation(HOUR), &json!({})).await.map(|_| ()).unwrap_err();
    let CreateFailure::Nothing(error) = failure else { panic!("{failure:?}") };
    assert!(error.kept && error.accepted && stage.client_tokens().is_empty(), "{}", error.message);
    assert!(is_kept(folder.path()));
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

#[tokio::test(start_paused = true)]
async fn a_journal_that_cannot_be_used_is_none() {
    let home = folder();
    let file = home.path().join("file");
    fs::write(&file, "no folder").unwrap();
    for folder in [file.join("below"), file.clone()] {
        let stage = Stage::with_journal("create IN_PROGRESS@q-1\nstatus SUCCESS\nget {}\ndelete SUCCESS", &folder);
        assert_eq!(create(&stage, &desired()).await, "created q-1");
        stage.journal().settle(URN, "q-1");
        stage.client.delete(&operation(HOUR), "q-1").await.unwrap();
        assert!(stage.notices().is_empty(), "{:?}", stage.notices());
        stage.calls();
    }
    // Files that are damaged, of another version, or of somebody else.
    for text in ["", "{", "null", "{\"format\":2}", "\u{0}\u{1}", &"[".repeat(60_000), &"x".repeat(100_000)] {
        let folder = folder();
        killed("create IN_PROGRESS\nstatus ...", folder.path()).await;
        let entry = fs::read_dir(folder.path()).unwrap().next().unwrap().unwrap().path();
        fs::write(&entry, text).unwrap();
        let stage = Stage::with_journal("create SUCCESS@q-1\nget {}", folder.path());
        stage.journal().settle(URN, "q-1");
        assert_eq!(create(&stage, &desired()).await, "created q-1");
        assert!(stage.notices().is_empty(), "{:?}", stage.notices());
        // And it works again.
        stage.journal().settle(URN, "q-1");
        assert_eq!(files(folder.path()), 0);
    }
    // A line that was cut off costs that line alone.
    let folder = folder();
    let tokens = killed("create IN_PROGRESS\nstatus ...", folder.path()).await;
    let file = fs::read_dir(folder.path()).unwrap().next().unwrap().unwrap().path();
    let text = fs::read_to_string(&file).unwrap();
    fs::write(&file, &text[..text.len() - 9]).unwrap();
    let stage = Stage::with_journal("create SUCCESS@q-1\nget {}", folder.path());
    assert_eq!(create(&stage, &desired()).await, "created q-1");
    assert_eq!(stage.client_tokens(), tokens);
}

#[tokio::test(start_paused = true)]
async fn two_processes_do_not_lose_each_others_entries() {
    let folder = folder();
    // The engine was killed; its provider lives on for a while.
    let orphan =
        Stage::with_journal("create IN_PROGRESS\nstatus IN_PROGRESS+60\nstatus SUCCESS@q-1\nget {}", folder.path());
    let next = async {
        tokio::time::sleep(Duration::from_secs(5)).await;
        let next = Stage::with_journal("create IN_PROGRESS\nstatus SUCCESS@q-1\nget {}", folder.path());
        assert_eq!(create(&next, &desired()).await, "created q-1");
        next
    };
    let wanted = desired();
    let (of_orphan, next) = tokio::join!(create(&orphan, &wanted), next);
    assert_eq!(of_orphan, "created q-1");
    assert_eq!(orphan.client_tokens(), next.client_tokens());
    // The run ends as it should; the orphan's file does not bring the entry back, neither while it lives nor afterwards.
    next.journal().settle(URN, "q-1");
    next.journal().settle_answered();
    assert!(!is_kept(folder.path()));
    drop(next);
    assert!(!is_kept(folder.path()));
    drop(orphan);
    assert!(!is_kept(folder.path()));
}

#[tokio::test(start_paused = true)]
async fn two_stacks_of_one_name_do_not_take_each_others_resources() {
    const MADE: &str = "create SUCCESS@q-2\nget {}";
    for (theirs, ours, picked_up) in [
        (Some("one"), Some("one"), true),
        // Two backends, which differ in nothing that the environment tells.
        (Some("one"), Some("two"), false),
        // Engines that do not tell the id.
        (None, Some("two"), true),
        (Some("one"), None, true),
    ] {
        let folder = folder();
        let first = Stage::of_stack("create IN_PROGRESS@q-1\nstatus ...", folder.path(), theirs);
        let ended = tokio::time::timeout(Duration::from_secs(300), create(&first, &desired())).await;
        assert!(ended.is_err());
        let token = first.client_tokens()[0].clone();
        drop(first);

        let other = Stage::of_stack(MADE, folder.path(), ours);
        assert_eq!(create(&other, &desired()).await, "created q-2");
        assert_eq!(other.client_tokens() == [token.clone()], picked_up, "{theirs:?} {ours:?}");
        if picked_up {
            continue;
        }
        let told = other.notices();
        assert!(told[0].contains("under another provider resource: request token r-1, identifier q-1"), "{told:?}");
        // It is named, and not as one that the next run of this stack would pick up.
        let entry = other.journal().of_another(URN).unwrap();
        assert!(other.journal().is_of_another(&entry) && other.journal().unfinished(URN).is_none());
        // Neither its success nor its end takes away what the first stack needs.
        other.journal().settle(URN, "q-1");
        other.journal().settle_answered();
        drop(other);
        let again = Stage::of_stack("create SUCCESS@q-1\nget {}", folder.path(), theirs);
        assert_eq!(create(&again, &desired()).await, "created q-1");
        assert_eq!(again.client_tokens(), [token]);
        again.journal().settle_answered();
        assert_eq!(files(folder.path()), 0);
    }
}
