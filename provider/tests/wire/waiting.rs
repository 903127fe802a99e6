//! Waiting, retries, cancellation and what a failed operation leaves behind, on a virtual clock.

use std::time::Duration;

use provider::cloud::{CloudControl, CloudErrorKind, CreateFailure};
use serde_json::json;

use super::script::{Stage, operation};

const HOUR: Duration = Duration::from_secs(3600);

/// What a create gave, in one line.
async fn create(stage: &Stage, deadline: Duration) -> String {
    match stage.client.create(&operation(deadline), &json!({"QueueName": "q"})).await {
        Ok(created) => format!("created {} {}", created.identifier, created.model),
        Err(CreateFailure::Nothing(error)) => format!("nothing: {}", first_line(&error.message)),
        Err(CreateFailure::Partial { identifier, model, error }) => {
            let model = model.map_or_else(|| "-".to_owned(), |model| model.to_string());
            format!("partial {identifier} {model}: {}", first_line(&error.message))
        }
    }
}

pub(super) fn first_line(text: &str) -> &str {
    text.lines().next().unwrap_or_default()
}

#[tokio::test(start_paused = true)]
async fn creates() {
    for (script, calls, expected) in [
        ("create IN_PROGRESS@q-1\nstatus SUCCESS\nget {\"A\":1}", "create status get", "created q-1 {\"A\":1}"),
        // A resource that is not there yet appears within seconds.
        (
            "create SUCCESS@q-1\nget !ResourceNotFoundException\nget !ResourceNotFoundException\nget {}",
            "create get get get",
            "created q-1 {}",
        ),
        // A collision owns nothing and reads nothing.
        (
            "create IN_PROGRESS\nstatus FAILED@orders/AlreadyExists#taken",
            "create status",
            "nothing: operation CREATE failed with \"AlreadyExists\": taken",
        ),
        (
            "create !AlreadyExistsException#taken",
            "create",
            "nothing: CreateResource failed with \"AlreadyExistsException\": taken",
        ),
        // What exists after a failure is kept.
        (
            "create IN_PROGRESS@q-1\nstatus FAILED/NotStabilized#slow\nget {\"A\":1}",
            "create status get",
            "partial q-1 {\"A\":1}: operation CREATE failed with \"NotStabilized\": slow",
        ),
        (
            "create IN_PROGRESS@q-1\nstatus FAILED/NotStabilized#slow\nget ?",
            "create status get",
            "partial q-1 -: operation CREATE failed with \"NotStabilized\": slow",
        ),
        (
            "create IN_PROGRESS@q-1\nstatus FAILED/InvalidRequest#bad\nget !ResourceNotFoundException",
            "create status get",
            "nothing: operation CREATE failed with \"InvalidRequest\": bad",
        ),
        // A resource that cannot be read is not lost.
        (
            "create SUCCESS@q-1\nget !AccessDeniedException#no",
            "create get",
            "partial q-1 -: reading resource state: GetResource failed with \"AccessDeniedException\": no",
        ),
        // A failure at once is asked for its hooks once.
        (
            "create FAILED/GeneralServiceException#blocked\nstatus FAILED/GeneralServiceException#hook",
            "create status",
            "nothing: operation CREATE failed with \"GeneralServiceException\": hook. Hook failures: HookName: Acme::Guard, \
             HookArn: , HookVersion: , Time: N/A, HookMessage: , InvocationPoint: , FailureMode: , HookStatus: HOOK_FAILED",
        ),
        // Hostile answers.
        ("create SUCCESS", "create", "nothing: received nil identifier while awaiting completion"),
        (
            "create IN_PROGRESS@q-1\nstatus WEIRD\nget ?",
            "create status get",
            "partial q-1 -: unknown status \"WEIRD\": the outcome is not known",
        ),
        (
            "create SUCCESS@q-1\nget <html>",
            "create get",
            "partial q-1 -: the answer to GetResource cannot be used: the resource's properties are no JSON (expected value \
             at line 1 column 1)",
        ),
        // Canceled by somebody else.
        (
            "create IN_PROGRESS@q-1\nstatus CANCEL_IN_PROGRESS\nstatus CANCEL_COMPLETE\nget {}",
            "create status status get",
            "partial q-1 {}: operation CREATE was canceled at the service; what it did so far remains",
        ),
        // A token that is not known everywhere yet loses nothing; one that stays unknown does.
        (
            "create IN_PROGRESS@q-1\nstatus !RequestTokenNotFoundException\nstatus !RequestTokenNotFoundException\nstatus SUCCESS\nget {}",
            "create status status status get",
            "created q-1 {}",
        ),
        (
            "create IN_PROGRESS@q-1\nstatus !RequestTokenNotFoundException\nstatus !RequestTokenNotFoundException\nstatus !RequestTokenNotFoundException\nget {}",
            "create status status status get",
            "partial q-1 {}: getting resource request status: GetResourceRequestStatus failed with \"RequestTokenNotFoundException\": no",
        ),
        // A failing poll loses nothing.
        ("create IN_PROGRESS@q-1\nstatus ?\nstatus SUCCESS\nget {}", "create status status get", "created q-1 {}"),
        (
            "create IN_PROGRESS@q-1\nstatus !AccessDeniedException#no\nget {}",
            "create status get",
            "partial q-1 {}: getting resource request status: GetResourceRequestStatus failed with \"AccessDeniedException\": no",
        ),
    ] {
        let stage = Stage::new(script, 25);
        assert_eq!(create(&stage, HOUR).await, expected, "script {script:?}");
        assert_eq!(stage.calls(), calls, "script {script:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn c11_a_resource_that_cannot_be_read_yet_is_not_lost() {
    let absent = "get !ResourceNotFoundException\n";
    for count in 1..5 {
        let stage = Stage::new(&format!("create SUCCESS@rtbassoc-1\n{}get {{}}", absent.repeat(count)), 25);
        assert_eq!(create(&stage, HOUR).await, "created rtbassoc-1 {}", "{count} times");
        assert!(stage.notices().len() <= 1, "{:?}", stage.notices());
        stage.calls();
    }
    // For ever: the identifier is in the error, for the state.
    let stage = Stage::new(&format!("create SUCCESS@rtbassoc-1\n{}", absent.repeat(5)), 25);
    let told = create(&stage, HOUR).await;
    assert!(told.starts_with("partial rtbassoc-1 -: reading resource state: "), "{told}");
    assert!(stage.seconds() < 60.0, "took {} s", stage.seconds());
    stage.calls();
}

#[tokio::test(start_paused = true)]
async fn c17_throttled_operations_are_submitted_again_with_new_tokens() {
    let throttled = "create IN_PROGRESS\nstatus FAILED/Throttling+1#Rate exceeded\n";
    let stage = Stage::new(&format!("{throttled}{throttled}{throttled}create SUCCESS@q-1\nget {{}}"), 25);
    assert_eq!(create(&stage, HOUR).await, "created q-1 {}");
    assert_eq!(stage.calls(), "create status create status create status create get");
    assert_eq!(stage.different_tokens(), 4);
    assert_eq!(stage.notices()[0], "Retrying after \"Throttling\" error (attempt 1/25, waiting 1 s)");
    assert_eq!(stage.notices().len(), 3);
}

/// What a failure names may have been made: another request could make a second one.
#[tokio::test(start_paused = true)]
async fn c17_a_failure_that_may_pass_is_tried_again_unless_something_was_made() {
    const PASSING: [&str; 6] = [
        "ServiceInternalError+1",
        "ServiceTimeout+1",
        "NetworkFailure+1",
        "GeneralServiceException+1#Slow down (Service: S3, Status Code: 503)",
        "InternalFailure+1#Connection reset",
        "InvalidRequest+1#Rate exceeded",
    ];
    for failure in PASSING {
        let failed = |name: &str| format!("create IN_PROGRESS{name}\nstatus FAILED{name}/{failure}\n");
        let made = "create SUCCESS@q-1\nget {}";
        for (script, expected, tokens) in [
            (format!("{}{made}", failed("")), "created q-1 {}", 2),
            // Of a name that the program chose there cannot be two.
            (
                format!("{}get !ResourceNotFoundException\n{}", failed("@q"), made.replace("q-1", "q")),
                "created q {}",
                2,
            ),
            (format!("{}get {{}}\nget {{}}", failed("@q")), "partial q {}: operation CREATE failed", 1),
            (format!("{}get ?\nget ?", failed("@q")), "partial q -: operation CREATE failed", 1),
            // It is there, or may be and is not seen yet.
            (format!("{}get {{}}", failed("@q-1")), "partial q-1 {}: operation CREATE failed", 1),
            (format!("{}get ?", failed("@q-1")), "partial q-1 -: operation CREATE failed", 1),
        ] {
            let stage = Stage::new(&script, 25);
            let found = create(&stage, HOUR).await;
            assert!(found.starts_with(expected), "script {script:?}: {found}");
            assert_eq!(stage.different_tokens(), tokens, "script {script:?}");
            stage.calls();
        }
        for (script, expected) in [
            (format!("delete IN_PROGRESS\nstatus FAILED/{failure}\ndelete SUCCESS"), true),
            (format!("delete IN_PROGRESS\nstatus FAILED/{failure}\ndelete IN_PROGRESS\nstatus FAILED/NotFound"), true),
            (format!("delete IN_PROGRESS\nstatus FAILED/{failure}\ndelete !AccessDeniedException"), false),
        ] {
            let stage = Stage::new(&script, 25);
            let found = stage.client.delete(&operation(HOUR), "q-1").await;
            assert_eq!(found.is_ok(), expected, "script {script:?}");
            assert_eq!(stage.different_tokens(), 2, "script {script:?}");
            stage.calls();
        }
    }
}

#[tokio::test(start_paused = true)]
async fn attempts_are_counted() {
    let throttled = "create FAILED/Throttling+1\nstatus FAILED/Throttling+1\n";
    let stage = Stage::new(&throttled.repeat(2), 2);
    assert!(create(&stage, HOUR).await.starts_with("nothing: operation CREATE failed with \"Throttling\""));
    assert_eq!(stage.calls(), "create status create status");
}

#[tokio::test(start_paused = true)]
async fn c45_the_end_of_an_operation_is_seen_soon() {
    // Progress that is done after 4 s is seen before 5.5 s.
    let stage = Stage::new(
        "create IN_PROGRESS@a\nstatus IN_PROGRESS\nstatus IN_PROGRESS\nstatus IN_PROGRESS\nstatus SUCCESS\nget {}",
        25,
    );
    assert_eq!(create(&stage, HOUR).await, "created a {}");
    assert!((4.0..5.5).contains(&stage.seconds()), "took {} s", stage.seconds());
}

#[tokio::test(start_paused = true)]
async fn c18_a_deadline_ends_the_wait_and_cancels_the_request() {
    let stage = Stage::new(
        "create IN_PROGRESS@q-1\nstatus IN_PROGRESS\nstatus IN_PROGRESS\ncancel ok\nget !AccessDeniedException",
        25,
    );
    assert_eq!(
        create(&stage, Duration::from_secs(2)).await,
        "partial q-1 -: operation CREATE did not finish within 2 s (last status IN_PROGRESS); it may still finish"
    );
    assert_eq!(stage.calls(), "create status status cancel get");
    assert!(stage.seconds() < 3.0, "took {} s", stage.seconds());
}

/// On the test's clock: the deadline of 2 s, and 5 s in all for whoever does not answer.
#[tokio::test(start_paused = true)]
async fn a_service_that_goes_silent_at_the_deadline_is_waited_for_once() {
    let deadline = operation(Duration::from_secs(2));
    for (script, ends_at) in [
        ("create IN_PROGRESS@q-1+60\ncancel ...\nget ...", 7.0),
        ("create IN_PROGRESS@q-1+60\ncancel ok\nget ...", 7.0),
        ("create IN_PROGRESS@q-1+60\ncancel ...\nget {}", 7.0),
        ("create IN_PROGRESS+60\ncancel ...", 7.0),
        ("create IN_PROGRESS+60\ncancel ok", 2.0),
        ("update IN_PROGRESS+60\ncancel ...\nget ...", 7.0),
        ("update IN_PROGRESS+60\ncancel ok\nget {}", 2.0),
        ("delete IN_PROGRESS+60\ncancel ...", 7.0),
    ] {
        let stage = Stage::new(script, 25);
        let message = match script.split(' ').next().unwrap() {
            "create" => match stage.client.create(&deadline, &json!({"QueueName": "q"})).await.unwrap_err() {
                CreateFailure::Nothing(error) | CreateFailure::Partial { error, .. } => error.message,
            },
            "update" => stage.client.update(&deadline, "q", &json!([])).await.unwrap_err().error.message,
            _ => stage.client.delete(&deadline, "q").await.unwrap_err().message,
        };
        assert!(message.contains("did not finish within 2 s"), "script {script:?}: {message}");
        assert!((stage.seconds() - ends_at).abs() < 0.1, "script {script:?}: {} s", stage.seconds());
        stage.calls();
    }
}

#[tokio::test(start_paused = true)]
async fn cancel_ends_every_wait_within_a_second_and_keeps_the_identifier() {
    for (script, expected) in [
        // In a pause between polls.
        (
            "create IN_PROGRESS@q-1+60\ncancel ok",
            "partial q-1 -: operation CREATE was canceled while it was running; it may still finish",
        ),
        // In a poll that does not answer, with a cancel that does not answer either.
        (
            "create IN_PROGRESS@q-1\nstatus ...\ncancel ...",
            "partial q-1 -: operation CREATE was canceled while it was running; it may still finish",
        ),
        // Before anything is known.
        ("create ...", "nothing: operation CREATE was canceled while it was running; it may still finish"),
        // In the pause before a new request.
        (
            "create IN_PROGRESS\nstatus FAILED/Throttling+60",
            "nothing: operation CREATE failed with \"Throttling\": the service gave no reason",
        ),
        // While reading back.
        ("create SUCCESS@q-1\nget ...", "partial q-1 -: reading resource state: GetResource was canceled"),
    ] {
        let stage = Stage::new(script, 25);
        let cancellation = stage.cancellation.clone();
        tokio::spawn(async move {
            tokio::time::sleep(Duration::from_millis(5_000)).await;
            cancellation.cancel();
        });
        assert_eq!(create(&stage, HOUR).await, expected, "script {script:?}");
        let late = stage.seconds() - 5.0;
        assert!(late < 1.0, "script {script:?}: {late} s after the cancellation");
        stage.calls();
    }
}

#[tokio::test(start_paused = true)]
async fn a_canceled_provider_starts_nothing() {
    let stage = Stage::new("", 25);
    stage.cancellation.cancel();
    assert_eq!(create(&stage, HOUR).await, "nothing: operation CREATE was canceled before it started");
    let read = stage.client.read(&operation(HOUR), "q-1").await;
    assert_eq!(read.map_err(|error| error.kind), Err(CloudErrorKind::Canceled));
    stage.calls();
}

#[tokio::test(start_paused = true)]
async fn c42_a_new_role_gets_time_to_be_known() {
    let unknown = "create IN_PROGRESS\nstatus FAILED/InvalidRequest+40#The role defined for the function cannot be assumed by Lambda\n";
    let stage = Stage::new(&format!("{unknown}create SUCCESS@q-1\nget {{}}"), 25);
    assert_eq!(create(&stage, HOUR).await, "created q-1 {}");
    stage.calls();
    // Also where the failure names the resource that was not made.
    let named = "create IN_PROGRESS@q-1\nstatus FAILED@q-1/InvalidRequest+1#The role cannot be assumed by Lambda.\nget !ResourceNotFoundException\n";
    let stage = Stage::new(&format!("{named}create SUCCESS@q-1\nget {{}}"), 25);
    assert_eq!(create(&stage, HOUR).await, "created q-1 {}");
    assert_eq!(stage.different_tokens(), 2);
    stage.calls();
    // An update to a new role fails in the same words.
    let stage = Stage::new(
        "update IN_PROGRESS\nstatus FAILED/InvalidRequest+1#The role defined for the function cannot be assumed by Lambda.\nupdate SUCCESS\nget {}",
        25,
    );
    stage.client.update(&operation(HOUR), "q-1", &json!([])).await.unwrap();
    stage.calls();
    // But not for ever.
    let stage = Stage::new(&unknown.repeat(4), 25);
    assert!(create(&stage, HOUR).await.contains("cannot be assumed"));
    assert!(stage.seconds() < 150.0, "took {} s", stage.seconds());
}

#[tokio::test(start_paused = true)]
async fn a_failure_says_whether_something_of_it_may_remain() {
    for (script, expected) in [
        // Refused: nothing happened.
        ("create !ValidationException#bad", false),
        // A failure that owns nothing.
        ("create IN_PROGRESS\nstatus FAILED/InvalidRequest#bad", false),
        ("create IN_PROGRESS\nstatus CANCEL_COMPLETE", true),
        ("create IN_PROGRESS\nstatus !AccessDeniedException#no", true),
        ("create IN_PROGRESS\nstatus FAILED@q/AlreadyExists#taken", false),
        ("create IN_PROGRESS@q-1\nstatus FAILED/InvalidRequest#bad\nget !ResourceNotFoundException", false),
        // Something is there, although nothing shows whose it is.
        ("create IN_PROGRESS\nstatus FAILED@q/InvalidRequest#bad\nget {}", true),
        // An earlier attempt may have left something.
        ("create IN_PROGRESS@a\nstatus FAILED/Throttling+1\ncreate !AlreadyExistsException#taken", true),
        ("delete !AccessDeniedException#no", false),
        ("delete IN_PROGRESS\nstatus FAILED/ResourceConflict#busy", true),
        ("delete IN_PROGRESS\nstatus FAILED/Throttling+1#x\ndelete !AccessDeniedException#no", true),
        ("update !ValidationException#bad\nget ?", false),
        ("update IN_PROGRESS\nstatus FAILED/InvalidRequest#bad\nget ?", true),
        ("update SUCCESS\nget !AccessDeniedException#no", true),
        ("get !AccessDeniedException#no", false),
    ] {
        let stage = Stage::new(script, 25);
        let error = match script.split(' ').next().unwrap() {
            "create" => match stage.client.create(&operation(HOUR), &json!({"QueueName": "q"})).await {
                Err(CreateFailure::Nothing(error)) => error,
                other => panic!("script {script:?}: {other:?}"),
            },
            "delete" => stage.client.delete(&operation(HOUR), "q").await.unwrap_err(),
            "update" => stage.client.update(&operation(HOUR), "q", &json!([])).await.unwrap_err().error,
            _ => stage.client.read(&operation(HOUR), "q").await.unwrap_err(),
        };
        assert_eq!(error.accepted, expected, "script {script:?}: {error}");
        stage.calls();
    }
}
