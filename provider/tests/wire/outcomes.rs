//! What an update, a deletion and a read come to, on a virtual clock.

use std::time::Duration;

use provider::cloud::{CloudControl, CloudErrorKind};
use serde_json::json;

use super::script::{Stage, operation};
use super::waiting::first_line;

const HOUR: Duration = Duration::from_secs(3600);

#[tokio::test(start_paused = true)]
async fn deletes() {
    for (script, expected) in [
        ("delete IN_PROGRESS\nstatus SUCCESS", "deleted"),
        ("delete IN_PROGRESS\nstatus FAILED/NotFound#gone", "deleted"),
        // Also when the answer is synchronous.
        ("delete !ResourceNotFoundException#gone", "deleted"),
        (
            "delete !GeneralServiceException#AWS::SQS::Queue Handler returned status FAILED: gone (HandlerErrorCode: NotFound, RequestToken: x)",
            "deleted",
        ),
        ("delete !TypeNotFoundException#no type", "DeleteResource failed with \"TypeNotFoundException\": no type"),
        ("delete IN_PROGRESS\nstatus FAILED/ServiceInternalError+1#x\ndelete SUCCESS", "deleted"),
        // Another request is running on the resource.
        ("delete !ConcurrentOperationException#busy\nrequests none\ndelete SUCCESS", "deleted"),
        (
            "delete IN_PROGRESS\nstatus FAILED/ResourceConflict#busy",
            "operation DELETE failed with \"ResourceConflict\": busy",
        ),
    ] {
        let stage = Stage::new(script, 25);
        let found = match stage.client.delete(&operation(HOUR), "q-1").await {
            Ok(()) => "deleted".to_owned(),
            Err(error) => first_line(&error.message).to_owned(),
        };
        assert_eq!(found, expected, "script {script:?}");
        stage.calls();
    }
}

#[tokio::test(start_paused = true)]
async fn updates_read_what_is_there_now() {
    for (script, expected) in [
        ("update IN_PROGRESS\nstatus SUCCESS\nget {\"A\":2}", "updated {\"A\":2}"),
        // A not-found right after success is waited out.
        ("update SUCCESS\nget !ResourceNotFoundException\nget {\"A\":2}", "updated {\"A\":2}"),
        // A failed update tells what it left behind.
        (
            "update IN_PROGRESS\nstatus FAILED/InvalidRequest#bad\nget {\"A\":1}",
            "failed {\"A\":1} operation UPDATE failed with \"InvalidRequest\": bad",
        ),
        // An update that was applied is not told as one that was not.
        (
            "update SUCCESS\nget !AccessDeniedException#no",
            "failed null the update was applied (`pulumi refresh` will show it); reading resource state: GetResource failed \
             with \"AccessDeniedException\": no",
        ),
        (
            "update !ValidationException#bad\nget ?",
            "failed null UpdateResource failed with \"ValidationException\": bad",
        ),
    ] {
        let stage = Stage::new(script, 25);
        let patch = json!([{"op": "add", "path": "/A", "value": 2}]);
        let found = match stage.client.update(&operation(HOUR), "q-1", &patch).await {
            Ok(model) => format!("updated {model}"),
            Err(failure) => {
                format!("failed {} {}", failure.model.unwrap_or_default(), first_line(&failure.error.message))
            }
        };
        assert_eq!(found, expected, "script {script:?}");
        stage.calls();
    }
}

#[tokio::test(start_paused = true)]
async fn an_update_of_which_nobody_saw_the_end_is_unsettled() {
    for (script, canceled_after, unsettled) in [
        // Refused, failed, cancelled at the service: the resource is what it is.
        ("update !ValidationException#bad\nget ?", None, false),
        ("update IN_PROGRESS\nstatus FAILED/InvalidRequest#bad\nget {}", None, false),
        ("update IN_PROGRESS\nstatus CANCEL_COMPLETE\nget {}", None, false),
        // But nobody can see what.
        ("update IN_PROGRESS\nstatus FAILED/InvalidRequest#bad\nget ?", None, true),
        ("update IN_PROGRESS\nstatus CANCEL_COMPLETE\nget ?", None, true),
        ("update SUCCESS\nget !AccessDeniedException#no", None, true),
        // It may go on.
        ("update IN_PROGRESS\nstatus !AccessDeniedException#no\nget {}", None, true),
        ("update IN_PROGRESS\nstatus WEIRD\nget {}", None, true),
        ("update PENDING+60\ncancel ok", Some(5), true),
        // Or was never answered.
        ("update ...", Some(5), true),
        ("update ?\nget {}", None, true),
        // Nothing was sent.
        ("", Some(0), false),
        ("update !ConcurrentOperationException#busy\nrequests UPDATE@q-1=r-9\nstatus ...", Some(5), false),
    ] {
        let stage = Stage::new(script, 25);
        match canceled_after {
            Some(0) => stage.cancellation.cancel(),
            Some(seconds) => {
                let cancellation = stage.cancellation.clone();
                tokio::spawn(async move {
                    tokio::time::sleep(Duration::from_secs(seconds)).await;
                    cancellation.cancel();
                });
            }
            None => {}
        }
        let patch = json!([{"op": "add", "path": "/A", "value": 2}]);
        let failure = stage.client.update(&operation(HOUR), "q-1", &patch).await.unwrap_err();
        assert_eq!(failure.unsettled, unsettled, "script {script:?}: {failure:?}");
        stage.calls();
    }
}

#[tokio::test(start_paused = true)]
async fn reads() {
    for (script, expected) in [
        ("get {\"A\":1}", Ok(Some(json!({"A": 1})))),
        ("get !ResourceNotFoundException#gone", Ok(None)),
        (
            "get !TypeNotFoundException#no type",
            Err(CloudErrorKind::Service { code: "TypeNotFoundException".to_owned() }),
        ),
        ("get null", Err(CloudErrorKind::Malformed)),
        ("get ?", Err(CloudErrorKind::Unreachable)),
        ("get ...", Err(CloudErrorKind::TimedOut)),
    ] {
        let stage = Stage::new(script, 25);
        let found = stage.client.read(&operation(HOUR), "q-1").await.map_err(|error| error.kind);
        assert_eq!(found, expected, "script {script:?}");
        stage.calls();
    }
}
