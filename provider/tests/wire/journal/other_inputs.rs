//! A creation that was cut off and is asked for again with other inputs.

use provider::cloud::{CloudControl, CreateFailure};
use serde_json::json;

use super::{HOUR, create, folder, is_kept, killed};
use crate::script::{Stage, operation};

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
