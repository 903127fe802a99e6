//! Creations that were interrupted, and deletions of what is still being made.

use std::time::Duration;

use provider::cloud::CloudControl;

use super::{HOUR, create, desired, folder, is_kept, killed};
use crate::script::{Stage, URN, operation};

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
        ("create IN_PROGRESS@q-1\nstatus !AccessDeniedException\nget ?", false),
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
