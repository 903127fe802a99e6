//! Sending an update: a patch that fits the model that the service has, twice at most.
//!
//! A patch is decided on the model that was read, tried on it, and sent. Two things may come in between: the model was not
//! what the patch is for (which would be a bug of ours, or a model that a service returns in two ways), and somebody else
//! changed the resource between the read and the update. Either is worth one more look; what does not fit then either is
//! told, and a patch that does not fit is never sent.

use serde_json::Value as Json;
use tokio::time::Instant;

use crate::cloud::{CloudControl, CloudError, CloudErrorKind, Model, Operation, UpdateFailure};
use crate::patch::verify::{self, Misfit};

/// How sending an update ended.
#[derive(Debug)]
pub(super) enum Sent {
    /// Nothing is left to send; the model is as it was read.
    Nothing(Model),
    /// The service has what was wanted; the model that it has now.
    Updated(Model),
    /// The service refused or failed; the model before.
    Failed(Model, UpdateFailure),
    /// The patch does not fit, even after a second read. Nothing was sent.
    Misfit(Misfit),
    /// The second read failed.
    Unread(CloudError),
    /// The second read found nothing.
    Gone,
}

/// The calls of an update.
pub(super) struct Calls<'a> {
    pub(super) read: Operation<'a>,
    pub(super) update: Operation<'a>,
    pub(super) identifier: &'a str,
    /// When the first of them began: all of them share one limit of time.
    pub(super) started: Instant,
}

/// Sends what `patch` makes of the live model, which is `model` at first.
///
/// # Errors
///
/// Those of `patch`, before anything is sent.
pub(super) async fn converge<C: CloudControl, E>(
    cloud: &C,
    calls: &Calls<'_>,
    mut model: Model,
    patch: impl Fn(&Model) -> Result<Vec<Json>, E>,
) -> Result<Sent, E> {
    let mut first = true;
    loop {
        let operations = patch(&model)?;
        if operations.is_empty() {
            return Ok(Sent::Nothing(model));
        }
        if let Err(misfit) = verify::applied(&model, &operations) {
            if !first {
                return Ok(Sent::Misfit(misfit));
            }
            first = false;
            model = match cloud.read(&calls.read.since(calls.started), calls.identifier).await {
                Ok(Some(model)) => model,
                Ok(None) => return Ok(Sent::Gone),
                Err(error) => return Ok(Sent::Unread(error)),
            };
            continue;
        }
        let document = Json::Array(operations);
        if let Some(text) = log(calls, &document) {
            cloud.debug(calls.update.urn, &text).await;
        }
        match cloud.update(&calls.update.since(calls.started), calls.identifier, &document).await {
            Ok(model) => return Ok(Sent::Updated(model)),
            Err(UpdateFailure { model: Some(now), unsettled: false, error })
                if first && now != model && is_about_a_path(&error) =>
            {
                first = false;
                model = now;
            }
            Err(failure) => return Ok(Sent::Failed(model, failure)),
        }
    }
}

/// Whether the service could not apply the patch, by its code and the words of those who apply patches.
fn is_about_a_path(error: &CloudError) -> bool {
    let CloudErrorKind::Service { code } = &error.kind else { return false };
    let code = code.strip_suffix("Exception").unwrap_or(code);
    let text = error.message.to_lowercase();
    let words = ["nosuchpath", "no such path", "missing or invalid"];
    matches!(code, "Validation" | "GeneralService" | "InvalidRequest") && words.iter().any(|word| text.contains(word))
}

/// Logs the exact operations, without what is secret, for whoever looks into a problem. Returns the text for the engine.
fn log(calls: &Calls<'_>, document: &Json) -> Option<String> {
    let Operation { urn, secrets, .. } = calls.update;
    // Where nobody has said what is secret, everything may be.
    let secrets = secrets?;
    let identifier = calls.identifier;
    let operations = secrets.hide_json(document);
    tracing::debug!(target: "provider::patch", urn, identifier, %operations, "updating");
    Some(format!("updating {identifier}: {operations}"))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic, reason = "a failure here is the test's failure")]
    use std::collections::VecDeque;
    use std::convert::Infallible;
    use std::sync::Mutex;
    use std::time::Duration;

    use serde_json::json;

    use super::*;
    use crate::cloud::{CreateFailure, Created};

    /// A cloud whose answers to reads and updates come from lists.
    #[derive(Default)]
    struct Script {
        reads: Mutex<VecDeque<Result<Option<Model>, CloudError>>>,
        updates: Mutex<VecDeque<Result<Model, UpdateFailure>>>,
        sent: Mutex<Vec<Json>>,
        told: Mutex<Vec<String>>,
    }

    impl CloudControl for Script {
        async fn create(&self, _: &Operation<'_>, _: &Json) -> Result<Created, CreateFailure> {
            panic!("an update creates nothing")
        }
        async fn read(&self, _: &Operation<'_>, _: &str) -> Result<Option<Model>, CloudError> {
            self.reads.lock().unwrap().pop_front().unwrap()
        }
        async fn update(&self, _: &Operation<'_>, _: &str, patch: &Json) -> Result<Model, UpdateFailure> {
            self.sent.lock().unwrap().push(patch.clone());
            self.updates.lock().unwrap().pop_front().unwrap()
        }
        async fn delete(&self, _: &Operation<'_>, _: &str) -> Result<(), CloudError> {
            panic!("an update deletes nothing")
        }
        async fn warn(&self, _: &str, _: &str) {}
        async fn debug(&self, urn: &str, message: &str) {
            self.told.lock().unwrap().push(format!("{urn} {message}"));
        }
    }

    fn error(code: &str, message: &str) -> CloudError {
        CloudError::new(CloudErrorKind::Service { code: code.to_owned() }, message)
    }

    fn refused(code: &str, message: &str, now: Option<Model>) -> Result<Model, UpdateFailure> {
        Err(UpdateFailure { model: now, unsettled: false, error: error(code, message) })
    }

    /// Removes `/A` from a model that may not have it, which a patch of ours never would.
    async fn run(cloud: &Script, model: Model, patch: impl Fn(&Model) -> Vec<Json>) -> Sent {
        let call = || Operation { urn: "u", type_name: "T", deadline: Duration::from_secs(60), secrets: None };
        let calls = Calls { read: call(), update: call(), identifier: "i", started: Instant::now() };
        converge(cloud, &calls, model, |model| Ok::<_, Infallible>(patch(model))).await.unwrap()
    }

    fn remove(_: &Model) -> Vec<Json> {
        vec![json!({"op": "remove", "path": "/A"})]
    }

    #[tokio::test]
    async fn a_patch_that_does_not_fit_is_decided_again_and_never_sent() {
        let read_again = |answer| {
            let cloud = Script::default();
            cloud.reads.lock().unwrap().push_back(answer);
            cloud
        };
        // The model that is read again has it.
        let cloud = read_again(Ok(Some(json!({"A": 1}))));
        cloud.updates.lock().unwrap().push_back(Ok(json!({})));
        assert!(matches!(run(&cloud, json!({}), remove).await, Sent::Updated(model) if model == json!({})));
        // It never has.
        let cloud = read_again(Ok(Some(json!({}))));
        match run(&cloud, json!({}), remove).await {
            Sent::Misfit(misfit) => assert_eq!(misfit.to_string(), "remove /A: the model has nothing there"),
            other => panic!("{other:?}"),
        }
        assert!(cloud.sent.lock().unwrap().is_empty());
        assert!(matches!(run(&read_again(Ok(None)), json!({}), remove).await, Sent::Gone));
        let failed = read_again(Err(error("Throttling", "slow")));
        assert!(matches!(run(&failed, json!({}), remove).await, Sent::Unread(_)));
    }

    #[tokio::test]
    async fn the_exact_operations_are_told_without_secrets() {
        let inputs = [("p".to_owned(), value::Value::secret(value::Value::from("hunter22")))].into_iter().collect();
        let secrets = crate::redact::Secrets::of([&inputs]);
        let patch = |_: &Model| Ok::<_, Infallible>(vec![json!({"op": "add", "path": "/A", "value": "x hunter22"})]);
        for (secrets, told) in [
            (Some(&secrets), &[r#"u updating i: [{"op":"add","path":"/A","value":"x [secret]"}]"#][..]),
            // Nobody knows what is secret.
            (None, &[]),
        ] {
            let cloud = Script::default();
            cloud.updates.lock().unwrap().push_back(Ok(json!({})));
            let call = || Operation { urn: "u", type_name: "T", deadline: Duration::from_secs(60), secrets };
            let calls = Calls { read: call(), update: call(), identifier: "i", started: Instant::now() };
            converge(&cloud, &calls, json!({}), patch).await.unwrap();
            assert_eq!(*cloud.told.lock().unwrap(), told);
            assert_eq!(cloud.sent.lock().unwrap().len(), 1);
        }
        // A patch that is not sent is not told.
        let cloud = Script::default();
        cloud.reads.lock().unwrap().push_back(Ok(None));
        assert!(matches!(run(&cloud, json!({}), remove).await, Sent::Gone));
        assert!(cloud.told.lock().unwrap().is_empty());
    }

    #[tokio::test]
    async fn a_model_that_changed_in_between_is_worth_one_more_patch() {
        let set = |model: &Model| match model["A"] == json!(2) {
            true => Vec::new(),
            false => vec![json!({"op": "add", "path": "/A", "value": 2})],
        };
        let no_path = "Missing or invalid path: /A (noSuchPath in target)";
        for (code, text, now, updates, sent) in [
            ("ValidationException", no_path, Some(json!({"B": 1})), 1, 2),
            ("GeneralServiceException", no_path, Some(json!({"B": 1})), 1, 2),
            ("InvalidRequest", "no such path in target JSON document", Some(json!({"B": 1})), 1, 2),
            // Somebody has done it already.
            ("ValidationException", no_path, Some(json!({"A": 2})), 0, 1),
            // The same model: the same patch would be refused again.
            ("ValidationException", no_path, Some(json!({"A": 1})), 0, 1),
            ("ValidationException", no_path, None, 0, 1),
            // Another reason.
            ("ValidationException", "the value is too long", Some(json!({"B": 1})), 0, 1),
            ("AccessDeniedException", no_path, Some(json!({"B": 1})), 0, 1),
        ] {
            let cloud = Script::default();
            cloud.updates.lock().unwrap().push_back(refused(code, text, now.clone()));
            // A second misfortune of the same kind is told.
            cloud.updates.lock().unwrap().push_back(refused(code, no_path, Some(json!({"C": 1}))));
            let outcome = run(&cloud, json!({"A": 1}), set).await;
            assert_eq!(cloud.sent.lock().unwrap().len(), sent, "{code} {text} {now:?}");
            match outcome {
                Sent::Failed(before, _) if updates == 1 => assert_eq!(Some(before), now),
                Sent::Failed(before, _) => assert_eq!(before, json!({"A": 1})),
                Sent::Nothing(model) => assert_eq!(model, json!({"A": 2})),
                other => panic!("{other:?}"),
            }
        }
    }

    #[test]
    fn the_log_shows_operations_without_secrets() {
        #[derive(Clone, Default)]
        struct Lines(std::sync::Arc<Mutex<Vec<u8>>>);
        impl std::io::Write for Lines {
            fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
                self.0.lock().unwrap().extend_from_slice(bytes);
                Ok(bytes.len())
            }
            fn flush(&mut self) -> std::io::Result<()> {
                Ok(())
            }
        }
        let inputs = [("password".to_owned(), value::Value::secret("pw"))].into_iter().collect();
        let secrets = crate::redact::Secrets::of([&inputs]);
        let shown = |secrets, level| {
            let lines = Lines::default();
            let writer = lines.clone();
            let subscriber = tracing_subscriber::fmt()
                .with_max_level(level)
                .with_ansi(false)
                .with_writer(move || writer.clone())
                .finish();
            let call = || Operation { urn: "urn:q", type_name: "T", deadline: Duration::from_secs(60), secrets };
            let calls = Calls { read: call(), update: call(), identifier: "q-1", started: Instant::now() };
            let document = json!([{"op": "add", "path": "/Password", "value": "pw"}]);
            tracing::subscriber::with_default(subscriber, || log(&calls, &document).is_some());
            String::from_utf8(lines.0.lock().unwrap().clone()).unwrap()
        };
        let debug = tracing::Level::DEBUG;
        let text = shown(Some(&secrets), debug);
        let operations = r#"operations=[{"op":"add","path":"/Password","value":"[secret]"}]"#;
        for part in ["provider::patch", "urn:q", "q-1", operations] {
            assert!(text.contains(part), "{part} in {text}");
        }
        assert!(!text.contains("pw"), "{text}");
        // Nothing at lower levels, and nothing where nobody knows what is secret.
        assert_eq!(shown(Some(&secrets), tracing::Level::INFO), "");
        assert_eq!(shown(None, debug), "");
    }
}
