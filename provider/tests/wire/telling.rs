//! What the person who watches is told while an operation runs and after it, on a virtual clock.

use std::time::Duration;

use provider::cloud::{CloudControl, CreateFailure, Operation};
use provider::redact::Secrets;
use serde_json::json;
use value::Value;

use super::script::{Stage, URN, operation};

const HOUR: Duration = Duration::from_secs(3600);

async fn create(stage: &Stage) {
    stage.client.create(&operation(HOUR), &json!({"QueueName": "q"})).await.unwrap();
}

#[tokio::test(start_paused = true)]
async fn progress_is_shown_in_the_services_words_or_in_ours() {
    let polls = |words: &str, times: usize| format!("status IN_PROGRESS+4{words}\n").repeat(times);
    let end = "status SUCCESS@q-1\nget {}";
    // The service's own words, each once.
    let script = format!("create IN_PROGRESS+4\n{}{}{end}", polls("#Creating queue", 2), polls("#Waiting for it", 2));
    let stage = Stage::new(&script, 25);
    create(&stage).await;
    assert_eq!(stage.notices(), ["Creating queue", "Waiting for it"]);
    // Without words: after 10 s, then every 15 s.
    let stage = Stage::new(&format!("create IN_PROGRESS+4\n{}{end}", polls("", 12)), 25);
    create(&stage).await;
    assert_eq!(
        stage.notices(),
        ["create is IN_PROGRESS for 12 s", "create is IN_PROGRESS for 28 s", "create is IN_PROGRESS for 44 s"]
    );
    // Quick operations say nothing.
    let stage = Stage::new("create IN_PROGRESS#Creating\nstatus IN_PROGRESS#Creating\nstatus SUCCESS@q-1\nget {}", 25);
    create(&stage).await;
    assert!(stage.notices().is_empty(), "{:?}", stage.notices());
}

#[tokio::test(start_paused = true)]
async fn progress_repeats_no_secret() {
    let inputs = [("password".to_owned(), Value::secret(Value::from("hunter22")))].into_iter().collect();
    let secrets = Secrets::of([&inputs]);
    for (secrets, expected) in [(Some(&secrets), "bad [secret]?"), (None, "create is IN_PROGRESS for 12 s")] {
        let script = "create IN_PROGRESS+4\nstatus IN_PROGRESS+8#bad hunter22?\nstatus IN_PROGRESS+1#bad hunter22?\n\
                      status SUCCESS@q-1\nget {}";
        let stage = Stage::new(script, 25);
        let operation = Operation { secrets, ..operation(HOUR) };
        stage.client.create(&operation, &json!({})).await.unwrap();
        assert_eq!(stage.notices(), [expected]);
    }
}

#[tokio::test(start_paused = true)]
async fn a_deletion_tells_its_progress_like_a_creation() {
    let state = [("password".to_owned(), Value::secret(Value::from("hunter22")))].into_iter().collect();
    let secrets = Secrets::of([&state]);
    for (secrets, expected) in [(Some(&secrets), "emptying [secret]"), (None, "delete is IN_PROGRESS for 12 s")] {
        let script = "delete IN_PROGRESS+4\nstatus IN_PROGRESS+8#emptying hunter22\nstatus IN_PROGRESS+1#emptying hunter22\n\
                      status SUCCESS";
        let stage = Stage::new(script, 25);
        stage.client.delete(&Operation { secrets, ..operation(HOUR) }, "q-1").await.unwrap();
        assert_eq!(stage.notices(), [expected]);
    }
}

#[tokio::test(start_paused = true)]
async fn a_warning_about_a_type_is_said_once_in_a_process() {
    let once = std::sync::Arc::default();
    let stages = [(); 2].map(|()| Stage::new("", 25).saying_once(&once));
    for stage in &stages {
        stage.client.warn_once(URN, "a").await;
        stage.client.warn_once(URN, "a").await;
        stage.client.debug(URN, "d").await;
    }
    stages[1].client.warn_once(URN, "b").await;
    assert_eq!(stages.map(|stage| stage.notices().join(" ")), ["a d", "d b"]);
}

#[tokio::test(start_paused = true)]
async fn an_engine_that_takes_no_progress_holds_up_no_poll() {
    let script = format!("create IN_PROGRESS\n{}status SUCCESS@q-1\nget {{}}", "status IN_PROGRESS+4#a\n".repeat(3));
    let stage = Stage::with_deaf_engine(&script);
    create(&stage).await;
    assert!(stage.seconds() < 14.0, "took {} s", stage.seconds());
    stage.calls();
}

#[tokio::test(start_paused = true)]
async fn a_hook_that_only_warns_is_a_warning() {
    for (last, warned) in [
        ("status SUCCESS@q-1#hook", None),
        ("status SUCCESS@q-1#warning hook", Some("hook Acme::Guard objected, but only warns: not tagged")),
    ] {
        let stage = Stage::new(&format!("create IN_PROGRESS\n{last}\nget {{}}"), 25);
        create(&stage).await;
        assert_eq!(stage.notices(), warned.into_iter().collect::<Vec<_>>(), "{last}");
    }
}

#[tokio::test(start_paused = true)]
async fn c53_a_deletion_is_verified_on_demand() {
    let warning = "the service reported AWS::SQS::Queue q-1 as deleted, but still returns it";
    for (verify, script, notices) in [
        (false, "delete SUCCESS", &[][..]),
        (true, "delete SUCCESS\nget {}", &[warning]),
        (true, "delete SUCCESS\nget !ResourceNotFoundException", &[]),
        // No answer is no reason to alarm anybody.
        (true, "delete SUCCESS\nget ?", &[]),
        // The service says itself that nothing is there.
        (true, "delete !ResourceNotFoundException", &[]),
    ] {
        let stage = Stage::new(script, 25).verifying_deletes(verify);
        stage.client.delete(&operation(HOUR), "q-1").await.unwrap();
        assert_eq!(stage.notices(), notices, "{script:?}");
        stage.calls();
    }
}

#[tokio::test(start_paused = true)]
async fn c42_denials_after_a_new_role_are_waited_out() {
    let denied =
        "create IN_PROGRESS\nstatus FAILED/AccessDenied+40#the role is not authorized to perform: sqs:SendMessage";
    // Without a new role the word counts.
    let stage = Stage::new(denied, 25);
    match stage.client.create(&operation(HOUR), &json!({})).await {
        Err(CreateFailure::Nothing(error)) => assert!(error.message.contains("not authorized"), "{error}"),
        other => panic!("{other:?}"),
    }
    stage.calls();
    let role = Operation { type_name: "AWS::IAM::Role", ..operation(HOUR) };
    for (pause, retried) in [(30, true), (130, false)] {
        let again = if retried { "create SUCCESS@q-1\nget {}" } else { "" };
        let stage = Stage::new(&format!("create SUCCESS@r\nget {{}}\n{denied}\n{again}"), 25);
        stage.client.create(&role, &json!({})).await.unwrap();
        tokio::time::sleep(Duration::from_secs(pause)).await;
        let outcome = stage.client.create(&operation(HOUR), &json!({})).await;
        assert_eq!(outcome.is_ok(), retried, "{pause} s after the role");
        stage.calls();
    }
}
