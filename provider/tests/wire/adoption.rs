//! Requests that are under way already, on a virtual clock.

use std::time::Duration;

use provider::cloud::{CloudControl, CreateFailure};
use serde_json::json;

use super::script::{Stage, operation};

const HOUR: Duration = Duration::from_secs(3600);

async fn delete(stage: &Stage) -> String {
    match stage.client.delete(&operation(HOUR), "q-1").await {
        Ok(()) => "deleted".to_owned(),
        Err(error) => error.message.lines().next().unwrap().to_owned(),
    }
}

#[tokio::test(start_paused = true)]
async fn c43_a_request_in_flight_is_adopted() {
    // The own delete, whose answer was lost on the wire: the service names it.
    let stage = Stage::new("delete !ClientTokenConflictException#names r-9\nstatus IN_PROGRESS\nstatus SUCCESS", 25);
    assert_eq!(delete(&stage).await, "deleted");
    assert_eq!(stage.calls(), "delete status status");
    assert_eq!(stage.polled()[0], "r-9");
    assert_eq!(stage.notices(), ["following the request that is under way already (request token r-9)"]);

    for (script, calls, expected) in [
        // In the service's words.
        ("delete !ClientTokenConflictException#taken (RequestToken: r-9)\nstatus SUCCESS", "delete status", "deleted"),
        // Found among the requests under way.
        (
            "delete !ClientTokenConflictException\nrequests DELETE@q-1=r-9\nstatus SUCCESS",
            "delete requests status",
            "deleted",
        ),
        // A delete by somebody else, or by a process that was killed.
        (
            "delete !ConcurrentOperationException\nrequests DELETE@other=r-8 DELETE@q-1=r-9\nstatus FAILED/NotFound",
            "delete requests status",
            "deleted",
        ),
        // An update is waited for, and the delete sent again.
        (
            "delete !ConcurrentOperationException\nrequests UPDATE@q-1=r-9\nstatus IN_PROGRESS\nstatus SUCCESS\ndelete SUCCESS",
            "delete requests status status delete",
            "deleted",
        ),
        // It does not matter how that ends.
        (
            "delete !ConcurrentOperationException\nrequests UPDATE@q-1=r-9\nstatus FAILED/NotStabilized\ndelete SUCCESS",
            "delete requests status delete",
            "deleted",
        ),
        // A caller that may not list tries again.
        (
            "delete !ConcurrentOperationException\nrequests !AccessDeniedException\ndelete SUCCESS",
            "delete requests delete",
            "deleted",
        ),
        // Nothing to adopt: the refusal is final.
        (
            "delete !ClientTokenConflictException#taken\nrequests none",
            "delete requests",
            "DeleteResource failed with \"ClientTokenConflictException\": taken",
        ),
        // A request that is known no more is over, and the delete is sent anew.
        (
            "delete !ClientTokenConflictException#names r-9\nstatus !RequestTokenNotFoundException\nstatus !RequestTokenNotFoundException\nstatus !RequestTokenNotFoundException\ndelete SUCCESS",
            "delete status status status delete",
            "deleted",
        ),
        // A request that is followed fails like the own one.
        (
            "delete !ConcurrentOperationException\nrequests DELETE@q-1=r-9\nstatus FAILED/ResourceConflict#in use",
            "delete requests status",
            "operation DELETE failed with \"ResourceConflict\": in use",
        ),
    ] {
        let stage = Stage::new(script, 25);
        assert_eq!(delete(&stage).await, expected, "script {script:?}");
        assert_eq!(stage.calls(), calls, "script {script:?}");
        if calls.contains("status") {
            assert_eq!(stage.polled()[0], "r-9", "script {script:?}");
        }
    }
}

#[tokio::test(start_paused = true)]
async fn what_is_waited_for_is_no_attempt() {
    // One attempt only, and yet the second request is sent.
    let busy = "update !ConcurrentOperationException#busy\nrequests UPDATE@q-1=";
    let stage =
        Stage::new(&format!("{busy}r-1\nstatus SUCCESS\n{busy}r-2\nstatus SUCCESS\nupdate SUCCESS\nget {{}}"), 1);
    let patch = json!([{"op": "add", "path": "/A", "value": 2}]);
    stage.client.update(&operation(HOUR), "q-1", &patch).await.unwrap();
    assert_eq!(stage.calls(), "update requests status update requests status update get");
    assert_eq!(stage.polled(), ["r-1", "r-2"]);
    assert_eq!(stage.different_tokens(), 3);
    // A request that is listed for ever does not hold up the end for ever.
    let stage = Stage::new(&format!("{busy}r-1\nstatus SUCCESS\n{busy}r-1\nget ?"), 1);
    let error = stage.client.update(&operation(HOUR), "q-1", &patch).await.unwrap_err().error;
    assert!(error.message.starts_with("UpdateResource failed with \"ConcurrentOperationException\": busy"), "{error}");
    stage.calls();
}

#[tokio::test(start_paused = true)]
async fn creates_are_not_adopted_by_likeness() {
    let script = "create !ClientTokenConflictException#taken\nrequests CREATE@q-1=r-9";
    let stage = Stage::new(script, 25);
    match stage.client.create(&operation(HOUR), &json!({"QueueName": "q"})).await {
        Err(CreateFailure::Nothing(error)) => assert!(error.message.contains("taken"), "{error}"),
        other => panic!("{other:?}"),
    }
    assert_eq!(stage.calls(), "create requests");
}

#[tokio::test(start_paused = true)]
async fn cancel_ends_the_wait_for_others() {
    for script in [
        "delete !ConcurrentOperationException#busy\nrequests ...",
        "delete !ConcurrentOperationException#busy\nrequests UPDATE@q-1=r-9\nstatus ...",
    ] {
        let stage = Stage::new(script, 25);
        let cancellation = stage.cancellation.clone();
        tokio::spawn(async move {
            tokio::time::sleep(Duration::from_secs(5)).await;
            cancellation.cancel();
        });
        let text = delete(&stage).await;
        assert!(text.contains("busy"), "{text}");
        assert!(stage.seconds() < 6.0, "script {script:?}: {} s", stage.seconds());
        // Somebody else's request is not cancelled.
        stage.calls();
    }
}
