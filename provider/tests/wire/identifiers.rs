//! No identifier is lost on the way, on a virtual clock.

use std::time::Duration;

use super::ownership::{HOUR, create};
use super::script::Stage;

#[tokio::test(start_paused = true)]
async fn an_identifier_of_an_earlier_attempt_is_not_lost() {
    let named = "create IN_PROGRESS@a\nstatus FAILED/Throttling+1#slow down\n";
    for (script, canceled_after, owned, text) in [
        // Canceled in the pause after a second attempt that named nothing.
        (
            "create !ConcurrentOperationException#busy\nrequests none\ncreate FAILED/Throttling+60\nstatus FAILED/Throttling+60",
            None,
            "nothing",
            "operation CREATE failed with \"Throttling\": the service gave no reason",
        ),
        (
            "create FAILED/Throttling+60#slow down\nstatus FAILED/Throttling+60#slow down",
            Some(10),
            "partial a",
            "operation CREATE failed with \"Throttling\": slow down",
        ),
        // The deadline in that pause.
        (
            "create FAILED/Throttling+60#slow down\nstatus FAILED/Throttling+60#slow down\nget {}",
            None,
            "partial a",
            "operation CREATE failed with \"Throttling\": slow down",
        ),
        // Canceled while the second attempt is not answered.
        (
            "create ...",
            Some(10),
            "partial a",
            "operation CREATE was canceled while it was running; it may still finish",
        ),
        // The second attempt fails for good, without and with a name.
        (
            "create FAILED/InvalidRequest#bad\nstatus FAILED/InvalidRequest#bad\nget {}",
            None,
            "partial a",
            "operation CREATE failed with \"InvalidRequest\": bad",
        ),
        (
            "create IN_PROGRESS@b\nstatus FAILED/NotStabilized#slow\nget {}",
            None,
            "partial b",
            "operation CREATE failed with \"NotStabilized\": slow; note: an earlier attempt of this create failed after \
             naming a; it may have been made",
        ),
        // A collision owns nothing, but the text tells.
        (
            "create !AlreadyExistsException#taken",
            None,
            "nothing",
            "CreateResource failed with \"AlreadyExistsException\": taken; note: an earlier attempt of this create failed \
             after naming a; it may have been made",
        ),
    ] {
        let first = if script.starts_with("create !Concurrent") { "" } else { named };
        let stage = Stage::new(&format!("{first}{script}"), 25);
        if let Some(seconds) = canceled_after {
            let cancellation = stage.cancellation.clone();
            tokio::spawn(async move {
                tokio::time::sleep(Duration::from_secs(seconds)).await;
                cancellation.cancel();
            });
        }
        assert_eq!(create(&stage, Duration::from_secs(30)).await, (owned.to_owned(), text.to_owned()), "{script:?}");
        stage.calls();
    }
}

#[tokio::test(start_paused = true)]
async fn success_under_another_identifier_is_told() {
    let named = "create IN_PROGRESS@a\nstatus FAILED/Throttling+1\n";
    for (last, warned) in [("create SUCCESS@b\nget {}", true), ("create SUCCESS@a\nget {}", false)] {
        let stage = Stage::new(&format!("{named}{named}{last}"), 25);
        assert!(create(&stage, HOUR).await.0.starts_with("created"));
        let text = "a may have been left behind by a failed attempt to create this resource; look for it at AWS, and \
                    delete it if it is there";
        assert_eq!(stage.notices().iter().any(|notice| notice == text), warned, "{:?}", stage.notices());
        stage.calls();
    }
}

#[tokio::test(start_paused = true)]
async fn two_identifiers_of_one_request_are_both_told() {
    let two = "create IN_PROGRESS@a\nstatus IN_PROGRESS@b\n";
    let before = "the service called the resource a before; look whether there are two of them at AWS";
    for (last, owned, text) in [
        ("status FAILED/NotStabilized#slow\nget {}", "partial b", "failed with \"NotStabilized\": slow"),
        ("status CANCEL_COMPLETE\nget {}", "partial b", "was canceled at the service"),
        ("status !AccessDeniedException\nget {}", "partial b", "getting resource request status"),
        // A collision owns nothing, and the text still tells of what was named before.
        ("status FAILED/AlreadyExists#taken", "left out b", "failed with \"AlreadyExists\": taken"),
        (
            "status FAILED@c/InvalidRequest#bad\nget !ResourceNotFoundException",
            "nothing",
            "failed with \"InvalidRequest\": bad",
        ),
    ] {
        let stage = Stage::new(&format!("{two}{last}"), 25);
        let (found, said) = create(&stage, HOUR).await;
        assert_eq!(found, owned, "{last:?}: {said}");
        assert!(said.contains(text), "{said}");
        let before = if last.contains("@c") { before.replace("a before", "a, b before") } else { before.to_owned() };
        assert!(said.contains(&before), "{said}");
        stage.calls();
    }
    for (script, told) in [
        (format!("{two}status SUCCESS@b\nget {{}}"), Some("a")),
        (format!("{two}status SUCCESS\nget {{}}"), Some("a")),
        // The same thing under a longer name.
        ("create IN_PROGRESS@orders\nstatus SUCCESS@arn:aws:sqs:eu-west-1:1:orders\nget {}".to_owned(), None),
        ("create IN_PROGRESS@orders\nstatus SUCCESS@orders|x\nget {}".to_owned(), None),
        ("create IN_PROGRESS@a\nstatus SUCCESS@a\nget {}".to_owned(), None),
        // A first attempt that was throttled.
        (
            "create IN_PROGRESS@a\nstatus IN_PROGRESS@c\nstatus FAILED/Throttling+1\ncreate SUCCESS@c\nget {}"
                .to_owned(),
            Some("a"),
        ),
    ] {
        let stage = Stage::new(&script, 25);
        assert!(create(&stage, HOUR).await.0.starts_with("created"), "{script:?}");
        let notice = |name: &str| {
            stage.notices().iter().any(|notice| notice.contains(&format!("called this resource {name} before")))
        };
        assert_eq!(told.is_some_and(notice), told.is_some(), "{script:?}: {:?}", stage.notices());
        assert!(told.is_some() || stage.notices().is_empty(), "{script:?}: {:?}", stage.notices());
        stage.calls();
    }
}
